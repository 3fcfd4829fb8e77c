/* render_pictures.c: pictures of a figure in both formats, compared with those in golden/. Public
   domain. */
#include "render.h"
#include "md2.h"
#include "md5.h"

/* -- A model for the eye: a figure of boxes in 198 frames ------------------ */

enum { PARTS = 8, BOX_POINTS = 24, TILE = 16, SKIN = 128 };

static const int order[6] = { 0, 1, 2, 0, 2, 3 }; /* the corners of a face's two triangles */

typedef struct part { /* a box from low to high, turned about the y axis through its pivot */
    float low[3], high[3], pivot[3];
} part;

static const part figure[PARTS] = {   /* X forward, Y left, Z up; feet at -24 */
    { { -3, -6, 0 }, { 3, 6, 16 }, { 0, 0, 0 } },           /* the trunk */
    { { -4, -4, 17 }, { 4, 4, 27 }, { 0, 0, 17 } },         /* the head */
    { { -2, 6.5f, 1 }, { 2, 9.5f, 16 }, { 0, 0, 15 } },     /* left arm */
    { { -2, -9.5f, 1 }, { 2, -6.5f, 16 }, { 0, 0, 15 } },   /* right arm */
    { { -2.5f, 0.5f, -24 }, { 2.5f, 5.5f, 0 }, { 0, 0, 0 } }, /* left leg */
    { { -2.5f, -5.5f, -24 }, { 2.5f, -0.5f, 0 }, { 0, 0, 0 } }, /* right leg */
    { { 0, -8.5f, -1 }, { 22, -7.5f, 2 }, { 0, 0, 15 } },   /* a sword in the right hand */
    { { -6, -4, 3 }, { -3, 4, 14 }, { 0, 0, 0 } }           /* a pack on the back */
};

/* The angle of each part in a frame: legs and arms swing when it walks, the sword arm strikes
   when it attacks. */
static float figure_turn(int which, uint32_t frame)
{
    float swing = (float)sin(frame * 1.0471975512) * 0.7f; /* six frames a round */
    bool walks = frame < 46 ? frame >= 40 : frame >= 154 && frame < 160;
    if (walks && (which == 2 || which == 5)) return swing;
    if (walks && (which == 3 || which == 6 || which == 4)) return -swing;
    if (frame >= 46 && frame < 54 && (which == 3 || which == 6))
        return -2.4f + 0.3f * (float)(frame - 46);
    if (frame >= 112 && frame < 123 && which == 2)
        return -2.8f + (frame % 2 ? 0.4f : 0.0f); /* waves its left hand */
    if (frame >= 84 && frame < 95 && which == 3) return -2.0f;
    return 0;
}

static uint8_t nearest_normal(const float direction[3])
{
    uint32_t i, best = 0;
    for (i = 1; i < 162; ++i) {
        if (dot(md2_normal(i), direction) > dot(md2_normal(best), direction)) best = i;
    }
    return (uint8_t)best;
}

/* Corner `k` of a face, clockwise seen from outside, from its upper left; u to
   the right, v down. */
static void box_corner(const part *box, int face, int k, float out[3], float normal[3])
{
    static const float normals[6][3] = { { 1, 0, 0 },  { -1, 0, 0 }, { 0, 1, 0 },
                                         { 0, -1, 0 }, { 0, 0, 1 },  { 0, 0, -1 } };
    static const float ups[6][3] = { { 0, 0, 1 }, { 0, 0, 1 },  { 0, 0, 1 },
                                     { 0, 0, 1 }, { -1, 0, 0 }, { 1, 0, 0 } };
    float right[3];
    int i;
    cross(ups[face], normals[face], right);
    for (i = 0; i < 3; ++i) {
        float side = normals[face][i] + ups[face][i] * (k < 2 ? 1.0f : -1.0f) +
                     right[i] * (k == 1 || k == 2 ? 1.0f : -1.0f);
        out[i] = side > 0 ? box->high[i] : box->low[i];
        normal[i] = normals[face][i];
    }
}

static void turn(float v[3], const float pivot[3], float angle)
{
    float x = v[0] - pivot[0], z = v[2] - pivot[2], c = (float)cos((double)angle),
          s = (float)sin((double)angle);
    v[0] = pivot[0] + c * x + s * z;
    v[2] = pivot[2] - s * x + c * z;
}

static void figure_point(m2_file *f, uint32_t frame, int which, int face, int k)
{
    static const float origin[3] = { 0, 0, 0 };
    float at[3], normal[3], angle = figure_turn(which, frame);
    int byte[3], i;
    box_corner(&figure[which], face, k, at, normal);
    turn(at, figure[which].pivot, angle);
    turn(normal, origin, angle);
    for (i = 0; i < 3; ++i) {
        byte[i] = (int)((at[i] - f->frames[frame].translate[i]) / f->frames[frame].scale[i] + 0.5f);
    }
    m2_set_point(f, frame, (uint32_t)(which * BOX_POINTS + face * 4 + k), byte[0], byte[1], byte[2],
                 nearest_normal(normal));
}

/* Each face is two triangles of four points of its own, with its own tile of the texture. */
static void put_faces(m2_file *f, int faces)
{
    static const int corner[4][2] = { { 0, 0 }, { TILE, 0 }, { TILE, TILE }, { 0, TILE } };
    int face, k;
    for (face = 0; face < faces; ++face) {
        uint16_t *tris = f->tris + face * 12;
        for (k = 0; k < 4; ++k) {
            f->st[(face * 4 + k) * 2] = (int16_t)(face % 6 * TILE + corner[k][0]);
            f->st[(face * 4 + k) * 2 + 1] = (int16_t)(face / 6 * TILE + corner[k][1]);
        }
        for (k = 0; k < 6; ++k)
            tris[k / 3 * 6 + k % 3] = tris[k / 3 * 6 + 3 + k % 3] = (uint16_t)(face * 4 + order[k]);
    }
}

static md2_model *md2_figure(uint32_t flags)
{
    m2_bytes bytes;
    m2_file f;
    uint32_t frame;
    char name[16];
    int which, face, k;
    m2_begin(&f, 1, PARTS * BOX_POINTS, PARTS * BOX_POINTS, PARTS * 12, 0, M2_PLAYER_FRAMES);
    f.skin_width = f.skin_height = SKIN;
    m2_skin(&f, 0, "figure.pcx");
    for (frame = 0; frame < M2_PLAYER_FRAMES; ++frame) {
        m2_player_name(frame, name);
        m2_frame(&f, frame, name, 64.0f / 255, -32.0f);
        for (which = 0; which < PARTS; ++which) {
            for (face = 0; face < 6; ++face) {
                for (k = 0; k < 4; ++k) figure_point(&f, frame, which, face, k);
            }
        }
    }
    put_faces(&f, PARTS * 6);
    bytes = m2_write(&f);
    m2_end(&f);
    return md2_from_bytes(&bytes, flags | MD2_WHOLE_TEXEL);
}

/* 16 rows of 16, one letter a texel. */
static const char *const face_tile[TILE] = {
    "hhhhhhhhhhhhhhhh", "hhhhhhhhhhhhhhhh", "hhhhhhhhhhhhhhhh", "hhsssssssssssshh",
    "hsssssssssssssSh", "ssskkkssskkkssss", "ssswkksssswkksss", "ssswwksssswwksss",
    "ssssssssssssssss", "sssssssSssssssss", "sssssssSSsssssss", "ssssssssssssssss",
    "sssrrrrrrrrrssss", "sssswwwwwwrrssss", "sssssrrrrrssssss", "ssssssssssssssss"
};

static const char
    *const letter_tile[TILE] = { /* an F: neither its mirror image nor itself upside down */
                                 "................", ".wwwwwwwwwwwww..", ".wwwwwwwwwwwww..",
                                 ".www............", ".www............", ".www............",
                                 ".www............", ".wwwwwwwww......", ".wwwwwwwww......",
                                 ".www............", ".www............", ".www............",
                                 ".www............", ".www............", ".www............",
                                 "................"
    };

static void paint(uint8_t *texel, char letter, const uint8_t ground[3])
{
    static const char letters[] = "hsSkwr";
    static const uint8_t colours[6][3] = { { 90, 50, 20 }, { 230, 180, 140 }, { 190, 140, 100 },
                                           { 10, 10, 30 }, { 250, 250, 245 }, { 200, 40, 40 } };
    const char *found = strchr(letters, letter);
    memcpy(texel, letter != '.' && found ? colours[found - letters] : ground, 3);
    texel[3] = 255;
}

/* Each box has its colour; left is blue, right is red. The head has a face, trunk and pack an F,
   the rest a border. */
static void figure_skin(uint8_t *rgba, bool from_below)
{
    static const uint8_t grounds[PARTS][3] = { { 60, 120, 60 },   { 230, 180, 140 },
                                               { 60, 80, 220 },   { 210, 60, 50 },
                                               { 40, 60, 160 },   { 150, 40, 40 },
                                               { 180, 185, 200 }, { 140, 100, 50 } };
    int x, y;
    for (y = 0; y < SKIN; ++y) {
        for (x = 0; x < SKIN; ++x) {
            int which = y / TILE, face = x / TILE, tx = x % TILE, ty = y % TILE;
            uint8_t *texel = rgba + ((from_below ? SKIN - 1 - y : y) * SKIN + x) * 4;
            bool border = tx == 0 || ty == 0 || tx == TILE - 1 || ty == TILE - 1;
            char letter = '.';
            if (which == 1)
                letter = face == 0                          ? face_tile[ty][tx]
                         : face == 4 || face == 1 || ty < 5 ? 'h'
                                                            : 's';
            else if (which == 0 || which == 7) letter = letter_tile[ty][tx];
            else if (border) letter = which == 6 ? 'k' : 'w';
            paint(texel, letter, grounds[which]);
        }
    }
}

/* -- Pictures -------------------------------------------------------------- */

enum { SIDE = 256 };

static void golden_path(char *out, size_t size, const char *where, const char *name)
{
    snprintf(out, size, "%s/%s.png", where, name);
}

/* Compares the framebuffer with the picture of record; writes it into the scratch folder when they
   differ. Of several ways to draw one picture only the first records it. */
static void expect_golden(const char *name, bool first)
{
    char path[600], own_path[600];
    picture now = read_picture(SIDE, SIDE), record;
    picture_distance d;
    check_subject(name);
    golden_path(path, sizeof path, golden, name);
    golden_path(own_path, sizeof own_path, scratch, name);
    if (recording && first && !context.es) CHECK(picture_write_png(path, &now));
    if (CHECK(picture_read_png(path, &record))) {
        d = picture_compare(&now, &record);
        if (!CHECK(picture_alike(d))) {
            picture_write_png(own_path, &now);
            printf("    %s: %u of %u pixels are off by more than 8, worst %d; see %s\n",
                   context.name, d.over, d.pixels, d.worst, own_path);
        }
        printf("%s: %s: %u pixels off by more than 8, worst %d\n", context.name, name, d.over,
               d.worst);
        picture_free(&record);
    }
    picture_free(&now);
    ++counted.pictures;
    check_subject("");
    expect_no_error(name);
}

static void begin_picture(void)
{
    clear(0.30f, 0.34f, 0.40f);
    glEnable(GL_DEPTH_TEST);
    glEnable(GL_CULL_FACE);
}

static void end_picture(const char *name, bool first)
{
    glDisable(GL_DEPTH_TEST);
    glDisable(GL_CULL_FACE);
    expect_golden(name, first);
}

static void place(float m[16], float x, float y, float z, float heading)
{
    memset(m, 0, 16 * sizeof(float));
    m[0] = m[5] = (float)cos((double)heading);
    m[1] = (float)sin((double)heading);
    m[4] = -m[1];
    m[10] = m[15] = 1;
    m[12] = x;
    m[13] = y;
    m[14] = z;
}

/* Eight rows of eight; every fifth has less red, green or blue. */
static void place_in_crowd(int i, float transform[16], float tint[4])
{
    place(transform, (float)(i / 8) * 36 - 130, (float)(i % 8) * 32 - 112, 0,
          (float)(i % 7) * 0.4f - 1.2f);
    tint[0] = i % 5 == 0 ? 0.6f : 1;
    tint[1] = i % 5 == 1 ? 0.6f : 1;
    tint[2] = i % 5 == 2 ? 0.6f : 1;
    tint[3] = 1;
}

/* Four side by side, lit from their right. */
static void stage_poses(bool y_up, float light[3], float view_projection[16])
{
    light[y_up ? 2 : 0] = 2;
    light[y_up ? 0 : 1] = -2;
    light[y_up ? 1 : 2] = 2;
    if (y_up) camera(25, 35, 110, true, 0.45f, view_projection);
    else camera(110, 25, 35, false, 0.45f, view_projection);
}

/* -- MD2 ------------------------------------------------------------------- */

static md2_pose pose_of(const md2_model *model, const char *name, double seconds)
{
    const md2_anim *anim = md2_find_anim(model, name);
    CHECK(anim != NULL);
    return md2_pose_at(anim, MD2_LOOP, seconds);
}

static void md2_draw(md2_gl *gl, const md2_model *model, uint32_t texture,
                     const md2_gl_scene *scene, const md2_gl_instance *instances, size_t count)
{
    md2_gl_mesh mesh;
    begin_picture();
    if (md2_upload(gl, model, 0, &mesh)) md2_gl_draw(gl, &mesh, texture, scene, instances, count);
    md2_gl_free_mesh(gl, &mesh);
}

/* Four of the figure side by side: standing, walking, striking, waving; lit from its right. */
static void md2_draw_poses(md2_gl *gl, uint32_t texture, uint32_t flags)
{
    md2_model *model = md2_figure(flags);
    md2_gl_instance instances[4];
    md2_gl_scene scene;
    int i;
    bool y_up = (flags & MD2_Y_UP) != 0;
    memset(instances, 0, sizeof instances);
    memset(&scene, 0, sizeof scene);
    instances[0].pose = pose_of(model, "stand", 0.5);
    instances[1].pose = pose_of(model, "run", 0.13);
    instances[2].pose =
        md2_pose_mix(pose_of(model, "attack", 0.1), pose_of(model, "stand", 0.0), 0.25f);
    instances[3].pose = pose_of(model, "wave", 0.45);
    for (i = 0; i < 4; ++i) {
        float y = 36 - 24.0f * (float)i;
        identity(instances[i].transform);
        instances[i].transform[y_up ? 12 : 13] = y;
    }
    stage_poses(y_up, scene.light_direction, scene.view_projection);
    md2_draw(gl, model, texture, &scene, instances, 4);
    md2_free_model(model);
}

static void md2_draw_crowd(md2_gl *gl, uint32_t texture)
{
    static const char *const names[4] = { "run", "stand", "attack", "wave" };
    md2_model *model = md2_figure(0);
    md2_gl_instance *instances = (md2_gl_instance *)malloc_or_abort(64 * sizeof *instances);
    md2_gl_scene scene;
    int i;
    memset(instances, 0, 64 * sizeof *instances);
    for (i = 0; i < 64; ++i) {
        instances[i].pose = pose_of(model, names[(i + i / 8) % 4], i * 0.137);
        place_in_crowd(i, instances[i].transform, instances[i].tint);
    }
    scene = md2_scene_of(0.4f, 1, 1, 2);
    camera(270, 40, 190, false, 0.47f, scene.view_projection);
    md2_draw(gl, model, texture, &scene, instances, 64);
    md2_free_model(model);
    free(instances);
}

void md2_test_pictures(void)
{
    static uint8_t skin[SKIN * SKIN * 4], below[SKIN * SKIN * 4];
    md2_gl *gl = md2_create_plain(false);
    gl_target target;
    GLuint textures[2];
    check_section("md2: pictures");
    CHECK(gl_target_open(&target, SIDE, SIDE, 1, GL_RGBA8));
    figure_skin(skin, false);
    figure_skin(below, true);
    textures[0] = md2_gl_create_texture(gl, skin, SKIN, SKIN);
    textures[1] = md2_gl_create_texture(gl, below, SKIN, SKIN);
    md2_draw_poses(gl, textures[0], 0);
    end_picture("md2_poses", true);
    md2_draw_poses(gl, textures[0], MD2_Y_UP);
    end_picture("md2_poses", false); /* other axes and another camera: the same picture */
    md2_draw_poses(gl, textures[1], MD2_FLIP_V);
    end_picture("md2_poses", false);
    md2_draw_crowd(gl, textures[0]);
    end_picture("md2_crowd", true);
    glDeleteTextures(2, textures);
    gl_target_close(&target);
    md2_destroy(gl);
    expect_no_error("pictures");
}

/* A picture must be able to fail: the next frame of an animation, a mirrored skin and another light
   all do. */
void md2_test_pictures_can_fail(void)
{
    static uint8_t skin[SKIN * SKIN * 4];
    md2_gl *gl = md2_create_plain(false);
    gl_target target;
    char path[600];
    picture record, other;
    GLuint texture;
    check_section("md2: a wrong picture is seen");
    CHECK(gl_target_open(&target, SIDE, SIDE, 1, GL_RGBA8));
    figure_skin(skin, true);          /* upside down */
    texture = md2_gl_create_texture(gl, skin, SKIN, SKIN);
    golden_path(path, sizeof path, golden, "md2_poses");
    if (CHECK(picture_read_png(path, &record))) {
        md2_draw_poses(gl, texture, 0);
        other = read_picture(SIDE, SIDE);
        CHECK(!picture_alike(picture_compare(&record, &other)));
        picture_free(&other);
        md2_draw_poses(gl, 0, MD2_KEEP_WINDING); /* inside out */
        other = read_picture(SIDE, SIDE);
        CHECK(!picture_alike(picture_compare(&record, &other)));
        picture_free(&other);
        picture_free(&record);
    }
    glDisable(GL_DEPTH_TEST);
    glDisable(GL_CULL_FACE);
    glDeleteTextures(1, &texture);
    gl_target_close(&target);
    md2_destroy(gl);
    expect_no_error("wrong pictures");
}

/* -- MD5 ------------------------------------------------------------------- */

static void md5_draw_cast(md5_gl *gl, const md5_model *model, const md5_cast *cast, uint32_t meshes,
                          uint32_t texture, const md5_gl_scene *scene)
{
    uint32_t number;
    begin_picture();
    for (number = 0; number < meshes; ++number) {
        md5_gl_mesh mesh;
        if (md5_upload(gl, model, number, &mesh))
            md5_gl_draw(gl, &mesh, texture, scene, cast->instances, cast->count);
        md5_gl_free_mesh(gl, &mesh);
    }
}

/* The figure of the MD2 pictures: each box on a joint of its own. */
static md5_model *md5_figure(uint32_t flags)
{
    m5_text text;
    int which, i;
    memset(&text, 0, sizeof text);
    m5_put(&text,
           "MD5Version 10\ncommandline \"\"\n\nnumJoints %d\nnumMeshes 1\n\njoints {\n\t\"origin\" "
           "-1 ( 0 0 0 ) ( 0 0 0 )\n",
           PARTS + 1);
    for (i = 0; i < PARTS; ++i) {
        const float *pivot = figure[i].pivot;
        m5_put(&text, "\t\"part %d\" 0 ( %g %g %g ) ( 0 0 0 )\n", i, (double)pivot[0],
               (double)pivot[1], (double)pivot[2]);
    }
    m5_put(&text, "}\n\nmesh {\n\tshader \"figure\"\n\n\tnumverts %d\n", PARTS * BOX_POINTS);
    for (i = 0; i < PARTS * BOX_POINTS; ++i) {
        int k = i % 4, tile = i / 4;
        m5_put(&text, "\tvert %d ( %g %g ) %d 1\n", i,
               (tile % 6 + (k == 1 || k == 2)) * (double)TILE / SKIN,
               (tile / 6 + (k >= 2)) * (double)TILE / SKIN, i);
    }
    m5_put(&text, "\n\tnumtris %d\n", PARTS * 12);
    for (i = 0; i < PARTS * 12; ++i) {
        int base = i / 2 * 4;
        m5_put(&text, "\ttri %d %d %d %d\n", i, base + order[i % 2 * 3],
               base + order[i % 2 * 3 + 1], base + order[i % 2 * 3 + 2]);
    }
    m5_put(&text, "\n\tnumweights %d\n", PARTS * BOX_POINTS);
    for (i = 0; i < PARTS * BOX_POINTS; ++i) {
        float at[3], normal[3];
        which = i / BOX_POINTS;
        box_corner(&figure[which], i % BOX_POINTS / 4, i % 4, at, normal);
        m5_put(&text, "\tweight %d %d 1 ( %g %g %g )\n", i, which + 1,
               (double)(at[0] - figure[which].pivot[0]), (double)(at[1] - figure[which].pivot[1]),
               (double)(at[2] - figure[which].pivot[2]));
    }
    m5_put(&text, "}\n");
    return md5_from_text(&text, flags);
}

/* As the MD2 figure stands in that frame. With MD5_Y_UP (x, y, z) is (y, z, x), so it turns about
   x. */
static void md5_figure_pose(md5_cast *cast, const md5_model *model, uint32_t which, uint32_t frame)
{
    md5_xform local[PARTS + 1];
    int i, axis = model->flags & MD5_Y_UP ? 0 : 1;
    md5_pose_bind(model, local);
    for (i = 0; i < PARTS; ++i) {
        double half = (double)figure_turn(i, frame) / 2;
        memset(local[i + 1].rotation, 0, sizeof local[i + 1].rotation);
        local[i + 1].rotation[axis] = (float)sin(half);
        local[i + 1].rotation[3] = (float)cos(half);
    }
    md5_cast_set(cast, model, which, local);
}

static void md5_draw_poses(md5_gl *gl, uint32_t texture, uint32_t flags)
{
    static const uint32_t frames[4] = { 5, 41, 48, 114 };
    md5_model *model = md5_figure(flags);
    md5_cast cast = md5_cast_new(model, 4);
    md5_gl_scene scene;
    bool y_up = (flags & MD5_Y_UP) != 0;
    uint32_t i;
    memset(&scene, 0, sizeof scene);
    for (i = 0; i < 4; ++i) {
        md5_figure_pose(&cast, model, i, frames[i]);
        identity(cast.instances[i].transform);
        cast.instances[i].transform[y_up ? 12 : 13] = 36 - 24.0f * (float)i;
    }
    stage_poses(y_up, scene.light_direction, scene.view_projection);
    md5_draw_cast(gl, model, &cast, 1, texture, &scene);
    md5_cast_free(&cast);
    md5_free_model(model);
}

static void md5_picture_crowd(md5_gl *gl, uint32_t texture)
{
    static const uint32_t frames[4] = { 40, 5, 47, 113 };
    md5_model *model = md5_figure(0);
    md5_cast cast = md5_cast_new(model, 64);
    md5_gl_scene scene;
    uint32_t i;
    for (i = 0; i < 64; ++i) {
        md5_figure_pose(&cast, model, i, frames[(i + i / 8) % 4] + i % 6);
        place_in_crowd((int)i, cast.instances[i].transform, cast.instances[i].tint);
    }
    scene = md5_scene_of(0.4f, 1, 1, 2);
    camera(270, 40, 190, false, 0.47f, scene.view_projection);
    md5_draw_cast(gl, model, &cast, 1, texture, &scene);
    end_picture("md5_crowd", true);
    md5_cast_free(&cast);
    md5_free_model(model);
}

void md5_test_pictures(void)
{
    static uint8_t skin[SKIN * SKIN * 4], below[SKIN * SKIN * 4];
    md5_gl *gl = md5_create_plain(false);
    gl_target target;
    GLuint textures[2];
    check_section("md5: pictures");
    CHECK(gl_target_open(&target, SIDE, SIDE, 1, GL_RGBA8));
    figure_skin(skin, false);
    figure_skin(below, true);
    textures[0] = md5_gl_create_texture(gl, skin, SKIN, SKIN);
    textures[1] = md5_gl_create_texture(gl, below, SKIN, SKIN);
    md5_draw_poses(gl, textures[0], 0);
    end_picture("md5_poses", true);
    md5_draw_poses(gl, textures[0], MD5_Y_UP);
    end_picture("md5_poses", false);  /* other axes and another camera: the same picture */
    md5_draw_poses(gl, textures[1], MD5_FLIP_V);
    end_picture("md5_poses", false);
    md5_picture_crowd(gl, textures[0]);
    glDeleteTextures(2, textures);
    gl_target_close(&target);
    md5_destroy(gl);
    expect_no_error("pictures");
}
