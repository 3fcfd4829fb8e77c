/* test_convert: md2.h and md5.h read back what mdconvert writes.

     --character=FOLDER    the folder of the character; by default build/character
     --folder=FOLDER       an existing folder for files of the tests; by default build/convert

   `make test-convert` reads the files with third-party programs. Public domain. */
#include "bones.h"
#include "scene.h"
#include "test_convert.h"
#include "trees.h"

/* -- Messages ------------------------------------------------------------------------------------ */

static blob messages;

const char *reported(void)
{
    put_byte(&messages, 0);
    --messages.size;
    return (const char *)messages.data;
}

void forget_reported(void)
{
    free_blob(&messages);
}

/* -- Numbers ----------------------------------------------------------------------------------- */

static void check_number(double x, const char *want)
{
    blob b = { NULL, 0, 0 };
    put_number(&b, x);
    put_byte(&b, 0);
    CHECK_TEXT((const char *)b.data, want);
    free_blob(&b);
}

/* Numbers look like those in the files of id Software. A float has only as many digits as it needs. */
static void test_number_texts(void)
{
    check_number(0, "0");
    check_number(-7, "-7");
    check_number(2.5, "2.500000");
    check_number(-0.000001, "-0.000001");
    check_number((double)29.2f, "29.200000");
    check_number((double)0.1f, "0.100000");
    check_number(1e-9, "1e-09");
    check_number(1.0 / 3, "0.3333333333333333");
    check_number((double)(1.0f / 3), "0.33333334");
}

static void test_numbers_read_back(void)
{
    random_source random = { 77 };
    for (int i = 0; i < 20000; ++i) {
        check_step("number %d", i);
        double power = (double)random_below(&random, 16) - 8;
        float  x = (float)((random_unit(&random) - 0.5) * pow(10, power));
        blob   b = { NULL, 0, 0 };
        put_number(&b, (double)x);
        put_byte(&b, 0);
        CHECK_EQ((float)strtod((const char *)b.data, NULL), x);
        free_blob(&b);
    }
}

static void check_json(const char *text, const char *want)
{
    blob b = { NULL, 0, 0 };
    put_json_string(&b, text);
    put_byte(&b, 0);
    CHECK_TEXT((const char *)b.data, want);
    free_blob(&b);
}

static void test_json_strings(void)
{
    check_json("run", "\"run\"");
    check_json("a\"b\\c\n", "\"a\\\"b\\\\c\\u000a\"");
    check_json("\xC3\xA4", "\"\xC3\xA4\"");
    check_json("\xE4", "\"\xC3\xA4\"");              /* Latin-1 */
    check_json("\xED\xA0\x80", "\"\xC3\xAD\xC2\xA0\xC2\x80\""); /* half of a surrogate pair */
}

/* -- MD2 to MD2 -------------------------------------------------------------------------------- */

/* Checks that each corner of each triangle has the same position and normal in every frame, to the last bit. Returns
   how many corners were compared. */
static uint32_t compare_corners(const md2_model *a, const md2_model *b)
{
    float *first = (float *)malloc_or_abort((size_t)a->vertex_count * 24);
    float *second = (float *)malloc_or_abort((size_t)b->vertex_count * 24);
    float *first_normals = first + 3 * (size_t)a->vertex_count;
    float *second_normals = second + 3 * (size_t)b->vertex_count;
    for (uint32_t frame = 0; frame < a->frame_count; ++frame) {
        check_step("frame %u", (unsigned)frame);
        md2_pose pose = md2_pose_between(frame, frame, 0);
        md2_pose_vertices(a, &pose, first, 0, first_normals, 0);
        md2_pose_vertices(b, &pose, second, 0, second_normals, 0);
        bool is_same = true;
        for (uint32_t i = 0; i < a->index_count; ++i) {
            size_t x = 3 * (size_t)a->indices[i], y = 3 * (size_t)b->indices[i];
            if (memcmp(first + x, second + y, 12) != 0) is_same = false;
            if (memcmp(first_normals + x, second_normals + y, 12) != 0) is_same = false;
        }
        CHECK(is_same);
        CHECK_TEXT(b->frames[frame].name, a->frames[frame].name);
    }
    free(first);
    free(second);
    return a->frame_count * a->index_count;
}

/* A model without defects stays unchanged. Its strips are computed again, for the same triangles. */
static void test_repaired_character(void)
{
    outputs         o = { NULL, 0, 0, { 0, 0, 0 } };
    convert_request request = make_request(of_character("tris.md2"), "new.md2");
    md2_model      *before = md2_load_file(request.model, NULL, NULL);
    if (!CHECK(before != NULL) || !CHECK(md2_to_md2(&request, &o))) return;

    md2_model *after = read_md2(&o, "new.md2");
    CHECK_EQ(after->index_count, before->index_count);
    CHECK_EQ(after->vertex_count, before->vertex_count);
    CHECK_EQ(after->point_count, before->point_count);
    CHECK_EQ(after->anim_count, before->anim_count);
    CHECK_EQ(after->defects, 0);
    CHECK_TEXT(after->skins[0].path, before->skins[0].path);
    CHECK(after->strip_count > 0 && after->strip_count < after->index_count / 6);
    CHECK(compare_corners(before, after) > 0);
    for (uint32_t i = 0; i < after->index_count; ++i) {
        const md2_vertex *x = &before->vertices[before->indices[i]];
        const md2_vertex *y = &after->vertices[after->indices[i]];
        CHECK_NEAR(y->u, x->u, 1e-6);
        CHECK_NEAR(y->v, x->v, 1e-6);
    }
    md2_free_model(before);
    md2_free_model(after);
    free_outputs(&o);
}

/* Returns an MD2 of a pyramid of four triangles, with an additional point that no triangle uses. */
static blob pyramid_md2(bool is_inside_out, bool has_normals)
{
    static const double   positions[15] = { 0, 0, 0, 8, 0, 0, 0, 8, 0, 0, 0, 8, 1, 1, 1 };
    static const double   normals[15] = { -1, -1, -1, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 0, 0 };
    static const int16_t  texcoords[8] = { 0, 0, 63, 0, 63, 63, 0, 63 };
    static const md2_out_vertex vertices[4] = { { 0, 0 }, { 1, 1 }, { 2, 2 }, { 3, 3 } };
    static const uint32_t outside[12] = { 0, 1, 2, 0, 3, 1, 0, 2, 3, 1, 3, 2 };
    static const uint32_t inside[12] = { 0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3 };

    md2_out_frame frame;
    memset(&frame, 0, sizeof frame);
    snprintf(frame.name, sizeof frame.name, "stand01");
    quantize_frame(&frame, positions, normals, 5);
    for (uint32_t i = 0; i < 5 && !has_normals; ++i) frame.points[4 * i + 3] = 7;

    md2_out out;
    memset(&out, 0, sizeof out);
    out.skin_width = out.skin_height = 64;
    out.point_count = 5;
    out.texcoord_count = out.vertex_count = 4;
    out.index_count = 12;
    out.frame_count = 1;
    out.texcoords = texcoords;
    out.vertices = vertices;
    out.indices = is_inside_out ? inside : outside;
    out.frames = &frame;
    blob file = write_md2(&out);
    release(frame.points);
    return file;
}

/* Converts a pyramid with these defects to an MD2 and returns the result. */
static md2_model *repair_pyramid(bool is_inside_out, bool has_normals, uint32_t defects)
{
    const char *path = of_folder("pyramid.md2");
    blob        file = pyramid_md2(is_inside_out, has_normals);
    save(path, &file);
    md2_model *before = md2_load_file(path, NULL, NULL);
    CHECK_EQ(before->defects, defects);
    md2_free_model(before);

    outputs         o = { NULL, 0, 0, { 0, 0, 0 } };
    convert_request request = make_request(path, "new.md2");
    CHECK(md2_to_md2(&request, &o));
    md2_model *after = read_md2(&o, "new.md2");
    free_outputs(&o);
    remove_file(path);
    return after;
}

/* The defects of a first export: an unused point, equal normals, and triangles that are inside out. */
static void test_repairs(void)
{
    md2_model *model = repair_pyramid(false, false, MD2_NORMALS_WRONG);
    CHECK_EQ(model->point_count, 4);
    CHECK_EQ(model->index_count, 12);
    CHECK(model->strip_count > 0);
    CHECK_EQ(model->defects, 0);
    md2_free_model(model);

    model = repair_pyramid(true, true, MD2_FACES_INWARD);
    CHECK_EQ(model->defects, 0);
    CHECK_EQ(model->indices[0], 0);
    md2_free_model(model);
}

/* A model whose file has Y up has Z up in the MD2. */
static void test_y_up(void)
{
    outputs         o = { NULL, 0, 0, { 0, 0, 0 } };
    convert_request request = make_request(of_character("weapon.md2"), "new.md2");
    md2_model      *before = md2_load_file(request.model, NULL, NULL);
    request.y_up = true;
    request.scale = 2;
    if (!CHECK(before != NULL) || !CHECK(md2_to_md2(&request, &o))) return;
    md2_model *after = read_md2(&o, "new.md2");
    for (int k = 0; k < 3; ++k) {
        CHECK_NEAR(after->frames[0].min[k], 2 * before->frames[0].min[(k + 2) % 3], 1e-4);
        CHECK_NEAR(after->frames[0].max[k], 2 * before->frames[0].max[(k + 2) % 3], 1e-4);
    }
    md2_free_model(before);
    md2_free_model(after);
    free_outputs(&o);
}

/* The repaired file lists the same pictures, so it needs them in its folder. */
static void test_copied_pictures(void)
{
    blob picture = { NULL, 0, 0 };
    if (!CHECK(read_blob(of_character("skin.png"), &picture))) return;
    for (int i = 0; i < 4; ++i) {
        bool            is_md5 = i % 2 == 1, is_same_folder = i >= 2;
        outputs         o = { NULL, 0, 0, { 0, 0, 0 } };
        const char     *model = is_md5 ? "knight.md5mesh" : "tris.md2";
        const char     *output = is_same_folder ? of_character("again") : "new/again";
        convert_request request = make_request(of_character(model), output);
        check_scene("%s to %s", model, output);
        if (!CHECK(is_md5 ? md5_to_md5(&request, &o) : md2_to_md2(&request, &o))) break;

        const blob *copy = find_output(&o, "new/skin.png");
        CHECK_EQ(o.count, is_same_folder ? 1 : 2);
        if (!is_same_folder && CHECK(copy != NULL) && CHECK_EQ(copy->size, picture.size)) {
            CHECK(memcmp(copy->data, picture.data, picture.size) == 0);
        }
        free_outputs(&o);
    }
    free_blob(&picture);
}

static void test_y_up_md5(void)
{
    outputs         o = { NULL, 0, 0, { 0, 0, 0 } };
    const char     *anim = of_character("walk.md5anim");
    convert_request request = make_request(of_character("knight.md5mesh"), "new.md5mesh");
    request.y_up = true;
    request.anims = &anim;
    request.anim_count = 1;
    if (!CHECK(md5_to_md5(&request, &o))) return;
    const blob *mesh = find_output(&o, "new.md5mesh"), *walk = find_output(&o, "walk.md5anim");
    md5_model  *models[2] = { md5_load_model_file(request.model, NULL, NULL),
                              md5_load_model_memory(mesh->data, mesh->size, NULL, NULL) };
    md5_anim   *anims[2] = { md5_load_anim_file(anim, NULL, NULL),
                             md5_load_anim_memory(walk->data, walk->size, "walk", NULL, NULL) };
    float       low[2][3], high[2][3];
    for (int i = 0; i < 2; ++i) {
        md5_xform *pose = (md5_xform *)malloc_or_abort(models[i]->joint_count * sizeof *pose);
        md5_pose_at(models[i], anims[i], MD5_ONCE, 0.3, pose);
        md5_pose_to_model_space(models[i], pose, pose);
        md5_pose_bounds(models[i], pose, low[i], high[i]);
        free(pose);
    }
    for (int k = 0; k < 3; ++k) {
        CHECK_NEAR(models[1]->min[k], models[0]->min[(k + 2) % 3], 1e-3);
        CHECK_NEAR(models[1]->max[k], models[0]->max[(k + 2) % 3], 1e-3);
        CHECK_NEAR(low[1][k], low[0][(k + 2) % 3], 1e-3);
        CHECK_NEAR(high[1][k], high[0][(k + 2) % 3], 1e-3);
    }
    for (int i = 0; i < 2; ++i) {
        md5_free_model(models[i]);
        md5_free_anim(anims[i]);
    }
    free_outputs(&o);
}

static void test_only(void)
{
    char           *names[1] = { copy_text("run") };
    outputs         o = { NULL, 0, 0, { 0, 0, 0 } };
    convert_request request = make_request(of_character("tris.md2"), "new.md2");
    request.only = names;
    request.only_count = 1;
    if (!CHECK(md2_to_md2(&request, &o))) return;
    md2_model *model = read_md2(&o, "new.md2");
    CHECK_EQ(model->frame_count, 6);
    CHECK_TEXT(model->anims[0].name, "run");
    md2_free_model(model);
    free_outputs(&o);

    release(names[0]);
    names[0] = copy_text("PAIN");     /* md2_find_anim finds pain1, not all three animations */
    if (!CHECK(md2_to_md2(&request, &o))) return;
    model = read_md2(&o, "new.md2");
    CHECK_EQ(model->frame_count, 4);
    CHECK_TEXT(model->frames[0].name, "pain101");
    md2_free_model(model);
    free_outputs(&o);

    release(names[0]);
    names[0] = copy_text("fly");
    CHECK(!md2_to_md2(&request, &o));
    CHECK_EQ(o.count, 0);
    release(names[0]);
    free_outputs(&o);
}

/* -- Normals and frame names ------------------------------------------------------------------- */

static void test_nearest_normal(void)
{
    random_source random = { 5 };
    for (uint32_t i = 0; i < 162; ++i) {
        const float *n = md2_normal(i);
        double       normal[3];
        for (int k = 0; k < 3; ++k) normal[k] = 5 * (double)n[k] + 0.1 * random_unit(&random);
        CHECK_EQ(nearest_normal(normal), i);
    }
}

/* md2.h finds each animation again, with its frames, whatever an artist may call it. */
static void test_frame_names(void)
{
    static const char *const anims[] = { "stand", "run", "pain1", "pain2", "walk_left", "run2", "a",
                                         "Jump", "attack-3", "death", "x9", "crouch_walk" };
    static const uint32_t counts[] = { 40, 6, 4, 4, 12, 8, 1, 12, 3, 2, 11, 9 };
    enum { ANIMS = sizeof counts / sizeof *counts };
    uint32_t frame_count = 0, found_count, first = 0;
    for (int i = 0; i < ANIMS; ++i) frame_count += counts[i];

    md2_out_frame *frames = (md2_out_frame *)allocate((size_t)frame_count + MD2_EXTRA_FRAMES,
                                                      sizeof *frames);
    const char   **names = (const char **)allocate(frame_count, sizeof *names);
    md2_anim       found[ANIMS + 1];
    name_frames(anims, counts, ANIMS, frames);
    for (uint32_t i = 0; i < frame_count; ++i) names[i] = frames[i].name;
    found_count = md2_split_frame_names(names, frame_count, NULL, found, ANIMS + 1);
    CHECK_EQ(found_count, ANIMS);
    for (uint32_t i = 0; i < ANIMS && i < found_count; ++i) {
        check_step("%s", anims[i]);
        CHECK_TEXT(found[i].name, anims[i]);
        CHECK_EQ(found[i].first, first);
        CHECK_EQ(found[i].count, counts[i]);
        first += counts[i];
    }
    CHECK_TEXT(names[40], "run1");    /* the names of Quake II */
    CHECK_TEXT(names[46], "pain101");
    release(frames);
    release(names);
}

/* Names the frames of animations. md2.h must find all of them again, in order, with different names; if `wanted` is not
   NULL, with these names. */
static void check_short_names(const char *const *anims, const uint32_t *counts, uint32_t anim_count,
                              const char *const *wanted)
{
    enum { MAX_ANIMS = 8 };
    uint32_t total = MD2_EXTRA_FRAMES, first = 0;
    md2_anim found[MAX_ANIMS];
    for (uint32_t i = 0; i < anim_count; ++i) total += counts[i];
    md2_out_frame *frames = (md2_out_frame *)allocate(total, sizeof *frames);
    const char   **names = (const char **)allocate(total, sizeof *names);
    uint32_t       named = name_frames(anims, counts, anim_count, frames);
    named += total - MD2_EXTRA_FRAMES;
    for (uint32_t i = 0; i < named; ++i) names[i] = frames[i].name;
    uint32_t found_count = md2_split_frame_names(names, named, NULL, found, MAX_ANIMS);
    CHECK(found_count >= anim_count && found_count <= anim_count + 1);
    for (uint32_t i = 0; i < anim_count && i < found_count; ++i) {
        check_step("%s", anims[i]);
        CHECK_EQ(found[i].first, first);
        CHECK_EQ(found[i].count, counts[i]);
        if (wanted) CHECK_TEXT(found[i].name, wanted[i]);
        for (uint32_t k = 0; k < i; ++k) CHECK(strcmp(found[i].name, found[k].name) != 0);
        first += counts[i];
    }
    release(frames);
    release(names);
}

/* up to eight animations of ten frames each, and their names in an MD2 */
static const struct { const char *anims[9], *wanted[8]; } short_names[] = {
    { { "walk", "run" }, { "walk", "run" } },

    /* Words that all names have in common are removed first. */
    { { "Stegosaurus_Attack", "Stegosaurus_Walk" }, { "Attack", "Walk" } },
    { { "rp_43bac2_M_Walk_001", "rp_43bac2_M_Run_001", "rp_43bac2_M_Idle_001" }, { "Walk", "Run", "Idle" } },
    { { "CharacterArmatureWalk", "CharacterArmatureRun" }, { "Walk", "Run" } },
    { { "Walk_CharacterArmature", "Run_CharacterArmature" }, { "Walk", "Run" } },

    /* Then words that other names also have are removed, unless they distinguish two names. */
    { { "1H_Melee_Attack_Chop", "1H_Melee_Attack_Stab", "2H_Melee_Attack_Chop", "1H_Ranged_Shoot", "Jump_Full_Long" },
      { "_1HMeleeChop", "_1HMeleeStab", "_2HMeleeChop", "RangedShoot", "JumpFullLong" } },
    { { "1H_Slice_Diagonally", "2H_Slice_Diagonally", "1H_Block", "1H_Idle" },
      { "_1HSlice", "_2HSlice", "_1H_Block", "_1H_Idle" } },
    { { "Unarmed_Melee_Attack_Punch_A", "Unarmed_Melee_Attack_Punch_B", "Unarmed_Idle" },
      { "MeleePunchA", "MeleePunchB", "Idle" } },
    { { "rp_43bac2_M_Walk_001", "rp_77aa12_F_Walk_002" }, { "MWalk001", "FWalk002" } },
    { { "rp_43bac2_M_Walk_001" }, { "rpMWalk001" } },
    { { "rp_43bac2_M_Walk_001", "rp_77aa12_M_Walk_001" }, { "_43bac2", "_77aa12" } },

    /* Then letters are cut from the longest words. */
    { { "1H_Melee_Attack_Chop" }, { "_1HMeleAttCho" } },
    { { "supercalifragilistic" }, { "supercalifrag" } },
    { { "\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4" }, { "\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4" } },
};

static void test_short_names(void)
{
    for (size_t i = 0; i < sizeof short_names / sizeof *short_names; ++i) {
        uint32_t counts[8], count = 0;
        for (; short_names[i].anims[count]; ++count) counts[count] = 10;
        check_scene("%s", short_names[i].anims[0]);
        check_short_names(short_names[i].anims, counts, count, short_names[i].wanted);
    }

    /* Names of animations with more frames have room for fewer letters. */
    static const char *const hero[] = { "Unarmed_Melee_Attack_Punch_A", "Unarmed_Melee_Attack_Punch_B",
                                        "1H_Ranged_Shoot", "1H_Ranged_Shooting", "jump" };
    static const uint32_t    counts[] = { 20, 1200, 7, 30, 1 };
    check_scene("animations of different lengths");
    check_short_names(hero, counts, 5, NULL);
}

/* Too many animations to compare each with all others, and all have the same long name. */
static void test_many_names(void)
{
    enum { MANY = 1200 };
    static const char name[] = "TheSameNameForEachAnimation";
    const char      **anims = (const char **)malloc_or_abort(MANY * sizeof *anims);
    uint32_t         *counts = (uint32_t *)malloc_or_abort(MANY * sizeof *counts);
    size_t            room = 2 * MANY + MD2_EXTRA_FRAMES;
    md2_out_frame    *frames = (md2_out_frame *)allocate(room, sizeof *frames);
    for (int i = 0; i < MANY; ++i) {
        anims[i] = name;
        counts[i] = 2;
    }
    name_frames(anims, counts, MANY, frames);
    for (uint32_t i = 0; i < MANY; ++i) {
        CHECK(strncmp(frames[2 * i].name, name, 2) == 0);
        for (uint32_t k = i < 50 ? 0 : i - 50; k < i; ++k) {
            CHECK(strcmp(frames[2 * i].name, frames[2 * k].name) != 0);
        }
    }
    release(frames);
    free(counts);
    free(anims);
}

/* Models with the frame counts of a Quake II player (198 and more) and of a player's weapon (173). */
static void test_no_player(void)
{
    static const char *const anims[] = { "idle", "walk" };
    static const uint32_t    counts[] = { 120, 79 }, swim[] = { 200 }, weapon[] = { 173 };
    check_short_names(anims, counts, 2, anims);
    check_short_names(anims, swim, 1, anims);
    check_short_names(anims, weapon, 1, anims);
}

/* -- MD5 --------------------------------------------------------------------------------------- */

static const char *const anim_files[] = { "stand.md5anim", "walk.md5anim", "turn.md5anim",
                                    "death1.md5anim" };
enum { ANIM_FILES = 4 };

static convert_request make_md5_request(const char **anims, const char *output)
{
    convert_request request = make_request(of_character("knight.md5mesh"), output);
    for (int i = 0; i < ANIM_FILES; ++i) anims[i] = of_character(anim_files[i]);
    request.anims = anims;
    request.anim_count = ANIM_FILES;
    return request;
}

/* A quaternion and its negative are the same rotation. The file has the quaternion whose w is not positive. */
static void test_stored_rotation(void)
{
    const double one[4] = { 0.5, -0.5, 0.1, 0.7 }, other[4] = { -0.5, 0.5, -0.1, -0.7 };
    double       a[3], b[3];
    md5_stored_rotation(one, a);
    md5_stored_rotation(other, b);
    for (int k = 0; k < 3; ++k) CHECK_NEAR(a[k], other[k], 1e-15);
    for (int k = 0; k < 3; ++k) CHECK_NEAR(b[k], other[k], 1e-15);

    const double longer[4] = { 0, 0, 3, -4 };
    md5_stored_rotation(longer, a);
    CHECK_NEAR(a[2], 0.6, 1e-15);
}

/* An MD5 that is read, written and read again has the same floats. */
static void test_md5_reads_back(void)
{
    const char     *anims[ANIM_FILES];
    outputs         o = { NULL, 0, 0, { 0, 0, 0 } };
    convert_request request = make_md5_request(anims, "new.md5mesh");
    if (!CHECK(md5_to_md5(&request, &o))) return;
    CHECK_EQ(o.count, 2 + ANIM_FILES); /* the MD5, its animations and skin.png */

    const blob *file = find_output(&o, "new.md5mesh");
    md5_model   *before = md5_load_model_file(request.model, NULL, NULL);
    md5_model   *after = md5_load_model_memory(file->data, file->size, NULL, NULL);
    if (!CHECK(before != NULL) || !CHECK(after != NULL)) return;
    CHECK_EQ(after->joint_count, before->joint_count);
    for (uint32_t i = 0; i < before->joint_count; ++i) {
        CHECK_TEXT(after->joints[i].name, before->joints[i].name);
        CHECK(memcmp(&after->joints[i].bind, &before->joints[i].bind, sizeof(md5_xform)) == 0);
    }
    const md5_mesh *x = &before->meshes[0], *y = &after->meshes[0];
    CHECK_EQ(y->vertex_count, x->vertex_count);
    CHECK_EQ(y->weight_count, x->weight_count);
    CHECK(memcmp(y->weights, x->weights, x->weight_count * sizeof(md5_weight)) == 0);
    CHECK(memcmp(y->vertices, x->vertices, x->vertex_count * sizeof(md5_vertex)) == 0);
    CHECK(memcmp(y->indices, x->indices, x->index_count * sizeof(uint32_t)) == 0);

    for (int i = 0; i < ANIM_FILES; ++i) {
        check_scene("%s", anim_files[i]);
        file = find_output(&o, anim_files[i]);
        md5_anim *old_anim = md5_load_anim_file(anims[i], NULL, NULL);
        md5_anim *new_anim = md5_load_anim_memory(file->data, file->size, "x", NULL, NULL);
        if (!CHECK(new_anim != NULL)) return;
        CHECK_EQ(new_anim->frame_count, old_anim->frame_count);
        CHECK_EQ(new_anim->fps, old_anim->fps);
        CHECK_EQ(new_anim->moving_count, old_anim->moving_count);
        CHECK(new_anim->closed == old_anim->closed);
        CHECK(memcmp(new_anim->frames, old_anim->frames, (size_t)old_anim->frame_count *
                     old_anim->moving_count * sizeof(md5_xform)) == 0);
        md5_free_anim(old_anim);
        md5_free_anim(new_anim);
    }
    md5_free_model(before);
    md5_free_model(after);
    free_outputs(&o);
}

/* Compares the points of the MD2 with the vertices of the MD5: in each frame, on each axis, they differ by at most half
   a quantization step. */
static void test_md5_to_md2(void)
{
    const char     *anims[ANIM_FILES];
    outputs         o = { NULL, 0, 0, { 0, 0, 0 } };
    convert_request request = make_md5_request(anims, "tris.md2");
    if (!CHECK(md5_to_md2(&request, &o))) return;
    md2_model *baked = read_md2(&o, "tris.md2");
    md5_model *model = md5_load_model_file(request.model, NULL, NULL);
    CHECK_EQ(baked->anim_count, ANIM_FILES);
    CHECK_EQ(baked->point_count, 879);  /* the MD5 has 1,126 vertices: the seams are closed */
    CHECK_EQ(baked->index_count, model->meshes[0].index_count);
    CHECK_TEXT(baked->skins[0].path, "skin.png");

    float     *near_points = (float *)malloc_or_abort((size_t)model->meshes[0].vertex_count * 12);
    float     *far_points = (float *)malloc_or_abort((size_t)baked->vertex_count * 12);
    md5_xform *pose = (md5_xform *)malloc_or_abort(model->joint_count * sizeof *pose);
    double     most = 0;
    uint32_t   compared = 0;
    for (uint32_t i = 0; i < ANIM_FILES; ++i) {
        check_scene("%s", anim_files[i]);
        md5_anim       *anim = md5_load_anim_file(anims[i], NULL, NULL);
        const md2_anim *frames = &baked->anims[i];
        CHECK_TEXT(frames->name, anim->name);
        CHECK_EQ(frames->count, anim->frame_count - (anim->closed ? 1 : 0));

        /* The walk loses its root motion: 18.3 units ahead. */
        bool   is_walk = strcmp(anim_files[i], "walk.md5anim") == 0;
        double step = is_walk ? -55 / 3.0 / (anim->frame_count - 1) : 0;
        for (uint32_t k = 0; k < frames->count; ++k) {
            const md2_frame *frame = &baked->frames[frames->first + k];
            md2_pose         shown = md2_pose_between(frames->first + k, 0, 0);
            md5_pose_at(model, anim, MD5_ONCE, k / 10.0, pose);
            md5_pose_to_model_space(model, pose, pose);
            md5_pose_vertices(model, 0, pose, near_points, 0, NULL, 0, NULL, 0);
            md2_pose_vertices(baked, &shown, far_points, 0, NULL, 0);
            for (uint32_t c = 0; c < baked->index_count; ++c, ++compared) {
                const float *p = near_points + 3 * (size_t)model->meshes[0].indices[c];
                const float *q = far_points + 3 * (size_t)baked->indices[c];
                for (int axis = 0; axis < 3; ++axis) {
                    double off = (double)p[axis] - (double)q[axis] + (axis == 0 ? k * step : 0);
                    double steps = fabs(off) / (double)frame->scale[axis];
                    if (steps > most) most = steps;
                }
            }
        }
        md5_free_anim(anim);
    }
    CHECK(compared > 0);
    CHECK(most > 0.45 && most < 0.501);
    free(near_points);
    free(far_points);
    free(pose);
    md2_free_model(baked);
    md5_free_model(model);
    free_outputs(&o);
}

/* -- glTF -------------------------------------------------------------------------------------- */

/* Checks that the two chunks of a .glb fill the file, and that the brackets of its text are closed. */
static void check_glb(const blob *file)
{
    const uint8_t *data = file->data;
    if (!CHECK(file->size > 28) || !CHECK(memcmp(data, "glTF\2\0\0\0", 8) == 0)) return;
    uint32_t words[7];
    for (int i = 0; i < 7; ++i) {
        const uint8_t *b = data + 4 * i;
        words[i] = (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 |
            (uint32_t)b[3] << 24;
    }
    CHECK_EQ(words[2], file->size);
    CHECK(memcmp(data + 16, "JSON", 4) == 0);
    size_t second = 20 + (size_t)words[3];
    if (!CHECK(second + 8 < file->size)) return;
    CHECK(memcmp(data + second + 4, "BIN\0", 4) == 0);
    CHECK_EQ(words[3] % 4, 0);

    int  depth = 0;
    bool inside = false;
    for (size_t i = 20; i < second; ++i) {
        if (inside && data[i] == '\\') ++i;
        else if (data[i] == '"') inside = !inside;
        else if (!inside && (data[i] == '{' || data[i] == '[')) ++depth;
        else if (!inside && (data[i] == '}' || data[i] == ']')) --depth;
    }
    CHECK_EQ(depth, 0);
}

bool contains(const blob *file, const char *text)
{
    size_t length = strlen(text);
    for (size_t i = 0; i + length <= file->size; ++i) {
        if (memcmp(file->data + i, text, length) == 0) return true;
    }
    return false;
}

static void test_md2_to_glb(void)
{
    outputs         o = { NULL, 0, 0, { 0, 0, 0 } };
    convert_request request = make_request(of_character("tris.md2"), "hero.glb");
    if (!CHECK(md2_to_glb(&request, &o))) return;
    const blob *file = find_output(&o, "hero.glb");
    check_glb(file);
    CHECK(contains(file, "{\"name\":\"run\""));
    CHECK(contains(file, "\"stand02\""));
    CHECK(contains(file, "IHDR"));       /* the skin */
    CHECK(file->size < 6u << 20);
    free_outputs(&o);
}

static void test_md5_to_glb(void)
{
    const char     *anims[ANIM_FILES];
    outputs         o = { NULL, 0, 0, { 0, 0, 0 } };
    convert_request request = make_md5_request(anims, "knight.glb");
    if (!CHECK(md5_to_glb(&request, &o))) return;
    const blob *file = find_output(&o, "knight.glb");
    check_glb(file);
    CHECK(contains(file, "{\"name\":\"walk\""));
    CHECK(contains(file, "{\"name\":\"forearm_l\""));
    CHECK(contains(file, "\"JOINTS_0\""));
    CHECK(contains(file, "IHDR"));
    free_outputs(&o);
}

/* -- Facing ------------------------------------------------------------------------------------ */

/* Checks that all points of `after` are rotated by 90 degrees: forward (x) becomes left (y). */
static void check_rotated_md2(const md2_model *before, const md2_model *after)
{
    float *first = (float *)malloc_or_abort((size_t)before->vertex_count * 12);
    float *second = (float *)malloc_or_abort((size_t)after->vertex_count * 12);
    for (uint32_t frame = 0; frame < before->frame_count; frame += 9) {
        md2_pose pose = md2_pose_between(frame, frame, 0);
        md2_pose_vertices(before, &pose, first, 0, NULL, 0);
        md2_pose_vertices(after, &pose, second, 0, NULL, 0);
        for (uint32_t i = 0; i < before->index_count; ++i) {
            const float *p = first + 3 * (size_t)before->indices[i];
            const float *q = second + 3 * (size_t)after->indices[i];
            CHECK_NEAR(q[0], -p[1], 1e-4);
            CHECK_NEAR(q[1], p[0], 1e-4);
            CHECK_NEAR(q[2], p[2], 1e-4);
        }
    }
    free(first);
    free(second);
}

static void test_rotated_md2(void)
{
    outputs         o = { NULL, 0, 0, { 0, 0, 0 } };
    convert_request request = make_request(of_character("tris.md2"), "new.md2");
    md2_model      *before = md2_load_file(request.model, NULL, NULL);
    request.yaw = 90;
    if (!CHECK(before != NULL) || !CHECK(md2_to_md2(&request, &o))) return;
    md2_model *after = read_md2(&o, "new.md2");
    check_rotated_md2(before, after);
    md2_free_model(before);
    md2_free_model(after);
    free_outputs(&o);
}

/* --turn 270 on the knight, and then a rotation by 90 degrees, gives the same frames as without --turn. */
static void test_rotated_md5(void)
{
    const char     *anims[ANIM_FILES];
    outputs         o = { NULL, 0, 0, { 0, 0, 0 } }, rotated = o;
    convert_request request = make_md5_request(anims, "new.md2");
    CHECK(md5_to_md2(&request, &o));
    request.yaw = 270;
    CHECK(md5_to_md2(&request, &rotated));
    md2_model *before = read_md2(&rotated, "new.md2"), *after = read_md2(&o, "new.md2");
    CHECK_EQ(before->frame_count, after->frame_count);
    for (uint32_t i = 0; i < before->frame_count; ++i) {
        const md2_frame *p = &before->frames[i], *q = &after->frames[i];
        CHECK_NEAR(q->min[0], -p->max[1], 1e-3);
        CHECK_NEAR(q->max[1], p->max[0], 1e-3);
        CHECK_NEAR(q->max[2], p->max[2], 1e-3);
    }
    md2_free_model(before);
    md2_free_model(after);
    free_outputs(&o);
    free_outputs(&rotated);
}

/* -- Bones in an MD2 --------------------------------------------------------------------------- */

enum { RING = 4, RINGS = 8, ARM_FRAMES = 40, ARM_POINTS = RING * RINGS };

typedef enum arm_kind {
    ARM,                              /* a bar of two bones along X: the elbow is at 10, the hand at 20 */
    HELD_BOX,                         /* a box that the hand of the arm holds */
    WAVING_FLAG,                      /* a bar that bends everywhere, so that no bones fit it */
    BOOK,                             /* two covers, which are flat in the first frame */
    LOOPING_ARM,                      /* an arm whose loop has ARM_FRAMES steps */
    CLOSED_ARM,                       /* an arm whose last frame is its first */
    LINED_ARM,                        /* an arm with triangles on both sides of the same vertices */
    LYING_ARM,                        /* an ARM in a file with Y up */
    LOOSE_BOX,                        /* a box that rotates in the hand */
    LOOSE_BAR                         /* a bar that rotates like the LOOSE_BOX */
} arm_kind;

/* Returns a point in a frame. */
static vec3 arm_point(arm_kind arm, uint32_t point, uint32_t frame)
{
    static const double corners[RING][2] = { { -1, -1 }, { 1, -1 }, { 1, 1 }, { -1, 1 } };
    uint32_t ring = point / RING;
    double   x = ring < RINGS / 2 ? 2.4 * ring : 20 - 2.4 * (RINGS - 1 - ring);
    double   t = frame * 0.37, third = 1.3, fourth = 1.7;
    if (arm == LOOPING_ARM || arm == CLOSED_ARM) {
        uint32_t steps = arm == LOOPING_ARM ? ARM_FRAMES : ARM_FRAMES - 1;
        t = 2 * 3.14159265358979 * (frame % steps) / steps;
        third = 1;
        fourth = 2;
    }
    vec3     place = make_vec3(x, corners[point % RING][0], corners[point % RING][1]);
    if (arm == WAVING_FLAG) {
        double stretch = 1 + 0.5 * sin(3 * x + 2 * t + point);
        return make_vec3(x * stretch, 4 * sin(x + t), place.z * (2 + cos(x * t)));
    }
    if (arm == BOOK) {
        double cover = ring < RINGS / 2 ? 0 : 0.1 * frame;
        double away = fmax(0, x - 10), y = 5 * (point % RING);
        double wave = frame == 0 ? 0 : 0.02 * sin(7.0 * point); /* the paper is uneven, except in the flat frame */
        return make_vec3(fmin(x, 10) + away * cos(cover), y, away * sin(cover) + wave);
    }
    bool is_box = arm == HELD_BOX || arm == LOOSE_BOX;
    if (is_box) place = make_vec3(20 + place.x / 4, place.y, place.z + 2);
    if (arm == LOOSE_BAR) place = make_vec3(20 + place.x / 8, 3 * place.y, place.z + 1);
    if (arm == LOOSE_BOX || arm == LOOSE_BAR) {
        vec3 hand = make_vec3(20, 0, 0);
        mat3 rotation = rotation_about(make_vec3(0, 0.6 * sin(0.9 * t), 0.4 * cos(t)));
        place = add(hand, rotate(rotation, minus(place, hand)));
    }

    mat3 upper = rotation_about(make_vec3(0.3 * sin(2 * t), 0.8 * sin(t), 0.9 * (cos(t) - 1)));
    mat3 bend = rotation_about(make_vec3(0.2 * sin(3 * t), 0.5 * sin(third * t),
                                         1.2 * (1 - cos(fourth * t))));
    vec3 elbow = make_vec3(10, 0, 0);
    bool is_weapon = arm == HELD_BOX || arm == LOOSE_BOX || arm == LOOSE_BAR;
    bool is_beyond = is_weapon || ring >= RINGS / 2;
    if (is_beyond) place = add(elbow, rotate(bend, minus(place, elbow)));
    return rotate(upper, place);
}

/* Lists two triangles for each side between two rings. Returns the number of indices. */
static uint32_t list_arm_corners(uint32_t *corners)
{
    uint32_t count = 0;
    for (uint32_t ring = 0; ring + 1 < RINGS; ++ring) {
        for (uint32_t k = 0; k < RING; ++k) {
            uint32_t a = ring * RING + k, b = ring * RING + (k + 1) % RING;
            uint32_t six[6] = { a, b, a + RING, b, b + RING, a + RING };
            memcpy(corners + count, six, sizeof six);
            count += 6;
        }
    }
    return count;
}

static void test_two_bones(void)
{
    static vec3     at[ARM_POINTS * ARM_FRAMES];
    static uint32_t corners[RINGS * RING * 6], after[ARM_FRAMES];
    const char     *names[ARM_FRAMES];
    motion          m;
    rig             r;
    memset(&m, 0, sizeof m);
    m.point_count = ARM_POINTS;
    m.frame_count = ARM_FRAMES;
    m.corner_count = list_arm_corners(corners);
    m.corners = corners;
    m.step = 0.1;
    m.positions = at;
    m.anim_names = names;
    m.after = after;
    for (uint32_t f = 0; f < ARM_FRAMES; ++f) {
        names[f] = "bend";
        after[f] = f + 1 < ARM_FRAMES ? f + 1 : f;
        for (uint32_t p = 0; p < ARM_POINTS; ++p) {
            at[p * ARM_FRAMES + f] = arm_point(ARM, p, f);
        }
    }

    find_bones(&m, &r);
    CHECK_EQ(r.bone_count, 2);
    CHECK_EQ(r.parents[0], -1);
    CHECK_EQ(r.parents[1], 0);
    CHECK(!r.slides[1]);
    CHECK_NEAR(r.joints[1].x, 10, 0.05);
    CHECK_NEAR(r.joints[1].y, 0, 0.05);
    CHECK_NEAR(r.joints[1].z, 0, 0.05);
    CHECK_NEAR(sqrt(error_of(&m, &r) / (ARM_POINTS * ARM_FRAMES)), 0, 0.005);
    for (uint32_t p = 0; p < ARM_POINTS; ++p) {
        CHECK_EQ(r.weights[p].count, 1);
        CHECK_EQ(r.weights[p].bone[0] == r.weights[0].bone[0], p < ARM_POINTS / 2);
    }
    free_rig(&r);
}

enum { PANEL_FRAMES = 4, PANEL_POINTS = 8 };

/* Checks a trunk that does not move, an upper panel, and a lower panel that is its child. The upper panel rotates by
   180 degrees from frame to frame, which its nearly flat points hardly show. Each joint is 10 units from the points of
   its bone. `upper` and `lower` are the names of the panels, which decide whether the lower panel may get another
   parent; `parent` is its expected parent. */
static void check_panels(const char *upper, const char *lower, int parent)
{
    static vec3            positions[3 * PANEL_POINTS * PANEL_FRAMES], rest[3 * PANEL_POINTS];
    static vec3            posed[3 * PANEL_POINTS * PANEL_FRAMES];
    static point_weights   weights[3 * PANEL_POINTS];
    static rigid_transform transforms[MOST_BONES * PANEL_FRAMES];
    uint32_t               after[PANEL_FRAMES] = { 1, 2, 3, 0 };
    const char            *names[PANEL_FRAMES] = { "run", "run", "run", "run" };
    motion                 m;
    rig                    r;
    memset(&m, 0, sizeof m);
    memset(&r, 0, sizeof r);
    m.point_count = 3 * PANEL_POINTS;
    m.frame_count = PANEL_FRAMES;
    m.positions = positions;
    m.step = 0.2;
    m.after = after;
    m.anim_names = names;
    r.bone_count = 3;
    r.rest = rest;
    r.posed = posed;
    r.weights = weights;
    r.transforms = transforms;
    for (uint32_t b = 0; b < 3; ++b) {
        vec3 center = make_vec3(0, 0, -20.0 * b);
        r.parents[b] = (int32_t)b - 1;
        r.slides[b] = true;
        r.bind[b].rotation = diagonal(1);
        r.joints[b] = add(center, make_vec3(10, 0, 0));
        for (uint32_t i = 0; i < PANEL_POINTS; ++i) {
            uint32_t p = b * PANEL_POINTS + i;
            double   side = b == 0 ? 5 : 0.1;
            rest[p] = add(center, make_vec3(i & 1 ? side : -side, i & 2 ? side : -side, i & 4));
            assign_point(&r, p, b);
        }
        for (uint32_t f = 0; f < PANEL_FRAMES; ++f) {
            double angle = b == 1 && f % 2 == 1 ? 3.141592653589793 : 0;
            mat3   over = rotation_about(make_vec3(0, 0, angle));
            rigid_transform t = { over, minus(center, rotate(over, center)) };
            transforms_of(&m, &r, b)[f] = t;
        }
    }
    snprintf(r.names[1], sizeof r.names[1], "%s", upper);
    snprintf(r.names[2], sizeof r.names[2], "%s", lower);
    pose_points(&m, &r);
    memcpy(positions, posed, sizeof posed);

    halfway_errors errors = find_halfway_errors(&m, &r);
    CHECK(errors.farthest > 40);      /* quantization steps of 0.2: 8 units */
    vec3 joint = r.joints[2];
    attach_sliding_bones(&m, &r);
    double moved = length_of(minus(r.joints[2], joint));
    CHECK_EQ(moved < 3, lower[0] != 0); /* The joint of a limb hardly moves, because it determines the direction. */
    errors = find_halfway_errors(&m, &r);
    CHECK(errors.farthest < 0.1 || r.names[1][0]); /* The joint of a named bone is never the middle of its points. */
    CHECK_EQ(r.parents[2], parent);
    pose_points(&m, &r);
    CHECK_NEAR(error_of(&m, &r), 0, 1e-12);
}

/* A bone may leave a helper that turns over, but not a limb. */
static void test_panels(void)
{
    check_panels("", "", 0);
    check_panels("upper_arm_l_helper", "upper_arm_l", 1);
    check_panels("chest", "", 1);
}

/* Returns the motion of some boxes in an animation that is not a loop. The caller sets the positions. */
static motion make_box_motion(vec3 *positions, uint32_t box_count)
{
    static uint32_t    after[PANEL_FRAMES] = { 1, 2, 3, 3 };
    static const char *names[PANEL_FRAMES] = { "death", "death", "death", "death" };
    motion             m;
    memset(&m, 0, sizeof m);
    m.point_count = box_count * PANEL_POINTS;
    m.frame_count = PANEL_FRAMES;
    m.positions = positions;
    m.step = 0.2;
    m.after = after;
    m.anim_names = names;
    return m;
}

/* Checks three boxes. The first rotates about its middle between two frames. The second, its child, is 40 units away
   and rotates by `child_angle` about `pivot`, a point of the X axis, and so is `joint`, the child's joint. The third is
   also its child, 40 units away in the opposite direction. */
static void check_steady_joint(double parent_angle, double child_angle, double pivot, double joint, bool is_expected)
{
    vec3   positions[3 * PANEL_POINTS * PANEL_FRAMES];
    motion m = make_box_motion(positions, 3);
    rig    r;
    allocate_rig(&m, &r);
    r.bone_count = 3;
    for (uint32_t b = 0; b < 3; ++b) {
        double side = b == 0 ? 0 : b == 1 ? 1 : -1;
        vec3   center = make_vec3(40 * side, 0, 0), fixed = make_vec3(pivot * side, 0, 0);
        r.parents[b] = b == 0 ? -1 : 0;
        r.joints[b] = make_vec3(joint * side, 0, 0);
        for (uint32_t i = 0; i < PANEL_POINTS; ++i) {
            uint32_t p = b * PANEL_POINTS + i;
            r.rest[p] = add(center, make_vec3(i & 1 ? 3 : -3, i & 2 ? 3 : -3, i & 4 ? 3 : -3));
            assign_point(&r, p, b);
        }
        for (uint32_t f = 0; f < PANEL_FRAMES; ++f) {
            double angle = f < 2 ? 0 : b == 0 ? parent_angle : child_angle;
            mat3   rotation = rotation_about(make_vec3(0, 0, angle));
            rigid_transform t = { rotation, minus(fixed, rotate(rotation, fixed)) };
            transforms_of(&m, &r, b)[f] = t;
        }
    }
    pose_points(&m, &r);
    memcpy(positions, r.posed, sizeof positions);

    halfway_errors before = find_halfway_errors(&m, &r);
    add_steady_joints(&m, &r, 0);
    halfway_errors after_it = find_halfway_errors(&m, &r);
    uint32_t       last = r.bone_count - 1;
    CHECK_EQ(r.bone_count, is_expected ? 4 : 3);
    CHECK_EQ(r.parents[last - 1], is_expected ? 1 : 0);
    CHECK_EQ(r.parents[last], is_expected ? 1 : 0); /* Both share the steady joint. */
    CHECK_NEAR(r.joints[last].x, -joint, 1e-12);
    CHECK_EQ(r.weights[3 * PANEL_POINTS - 1].bone[0], last);
    if (is_expected) CHECK(before.farthest > 40 && after_it.farthest < 0.1);
    else CHECK_NEAR(after_it.farthest, before.farthest, 1e-9);
    pose_points(&m, &r);
    CHECK_NEAR(error_of(&m, &r), 0, 1e-12);
    free_rig(&r);
}

/* A steady joint does not help a child that follows its parent, or whose joint is far from its middle. */
static void test_steady_joint(void)
{
    const double quarter = 1.5707963267948966;
    check_steady_joint(quarter, 0, 40, 40, true);
    check_steady_joint(quarter, 0.3, 40, 40, true);
    check_steady_joint(quarter, quarter, 0, 40, false);
    check_steady_joint(0, 2 * quarter, 40, 0, false);
}

/* A patch of three points between two boxes. The rotation of three points is uncertain, so the patch is not
   the root. */
static void test_root(void)
{
    enum { FRAMES = 6, BOX = 16, PATCH = 3, POINTS = BOX + PATCH + BOX };
    vec3        positions[POINTS * FRAMES];
    uint32_t    after[FRAMES];
    const char *names[FRAMES];
    motion      m;
    rig         r;
    memset(&m, 0, sizeof m);
    m.point_count = POINTS;
    m.frame_count = FRAMES;
    m.positions = positions;
    m.step = 0.1;
    m.after = after;
    m.anim_names = names;
    for (uint32_t f = 0; f < FRAMES; ++f) {
        names[f] = "swim";
        after[f] = f;
    }
    for (uint32_t p = 0; p < POINTS; ++p) {
        double end = p < BOX ? -1 : p < BOX + PATCH ? 0 : 1;
        vec3   place = make_vec3(p & 1 ? 3 : -3, p & 2 ? 3 : -3, (p & 4 ? 3 : -3) + (p & 8 ? 1 : 0));
        place = add(scaled(place, end == 0 ? 0.5 : 1), make_vec3(0, 0, 12 * end));
        for (uint32_t f = 0; f < FRAMES; ++f) {
            mat3 rotation = rotation_about(make_vec3(0.3 * f * end, 0.2 * f, -0.1 * f * end));
            positions[p * FRAMES + f] = rotate(rotation, place);
        }
    }

    neighbors n = find_neighbors(&m);
    allocate_rig(&m, &r);
    r.bone_count = 3;
    for (uint32_t i = 0; i < 3 * FRAMES; ++i) r.transforms[i].rotation = diagonal(1);
    for (uint32_t p = 0; p < POINTS; ++p) assign_point(&r, p, p < BOX ? 0 : p < BOX + PATCH ? 1 : 2);
    update_transforms(&m, &r);
    build_hierarchy(&m, &n, &r);
    CHECK_EQ(r.bone_count, 3);
    CHECK(mass_of(&m, &r, 0) > BOX / 2);
    free_neighbors(&n);
    free_rig(&r);
}

/* Two boxes that never move, with a closed joint 60 units away from both. */
static void test_far_joint(void)
{
    vec3   positions[2 * PANEL_POINTS * PANEL_FRAMES];
    motion m = make_box_motion(positions, 2);
    rig    r;
    for (uint32_t p = 0; p < m.point_count; ++p) {
        vec3 corner = make_vec3(p & 1 ? 5 : -5, p & 2 ? 5 : -5, (p & 4 ? 5 : -5) + (p & 8 ? 20 : 0));
        for (uint32_t f = 0; f < PANEL_FRAMES; ++f) positions[p * PANEL_FRAMES + f] = corner;
    }
    allocate_rig(&m, &r);
    r.bone_count = 2;
    for (uint32_t p = 0; p < m.point_count; ++p) assign_point(&r, p, p / PANEL_POINTS);
    for (uint32_t i = 0; i < 2 * PANEL_FRAMES; ++i) r.transforms[i].rotation = diagonal(1);
    r.parents[0] = -1;
    r.parents[1] = 0;
    r.slides[1] = false;
    snprintf(r.names[1], sizeof r.names[1], "head");
    r.joints[1] = make_vec3(65, 5, 15);
    pose_points(&m, &r);
    attach_sliding_bones(&m, &r);
    CHECK(r.slides[1]);
    CHECK(r.joints[1].x < 12);
    CHECK_NEAR(r.joints[1].y, 5, 1);
    pose_points(&m, &r);
    CHECK_NEAR(error_of(&m, &r), 0, 1e-12);
    free_rig(&r);
}

typedef struct stick {                /* a bone of a stick figure that faces X */
    const char *name;
    int32_t     parent;
    double      joint[3], end[3];
    double      swing, phase;         /* amplitude and phase of its rotation about Y; radians */
} stick;

/* The helpers are a scarf on the back, a shoulder blade with a parrot on it, and a finger of the left hand. The right
   hand is a fist. */
static const stick sticks[] = {
    { "hips", -1, { 0, 0, 100 }, { 0, 0, 114 }, 0.05, 0 },
    { "chest", 0, { 0, 0, 115 }, { 0, 0, 150 }, 0.1, 1 },
    { "head", 1, { 0, 0, 155 }, { 0, 0, 180 }, 0.3, 2 },
    { "chest_helper", 1, { -3, 0, 140 }, { -3, 0, 125 }, 0.3, 0 },
    { "chest_helper", 1, { 0, 8, 148 }, { 0, 22, 148 }, 0.05, 2 },
    { "chest_helper", 4, { 0, 15, 150 }, { 0, 15, 162 }, 0.3, 0 },
    { "upper_arm_l", 4, { 0, 25, 147 }, { 0, 25, 120 }, 0.5, 3.1 },
    { "forearm_l", 6, { 0, 25, 118 }, { 0, 25, 94 }, 0.4, 2 },
    { "hand_l", 7, { 0, 25, 92 }, { 0, 25, 81 }, 0.3, 1 },
    { "hand_l_helper", 8, { 0, 25, 80 }, { 0, 25, 70 }, 0.9, 1 },
    { "upper_arm_r", 1, { 0, -25, 147 }, { 0, -25, 120 }, 0.5, 0 },
    { "forearm_r", 10, { 0, -25, 118 }, { 0, -25, 94 }, 0.4, -1 },
    { "hand_r", 11, { 0, -25, 92 }, { 0, -25, 80 }, 0.3, 1 },
    { "thigh_l", 0, { 0, 10, 98 }, { 0, 10, 58 }, 0.6, 0 },
    { "shin_l", 13, { 0, 10, 55 }, { 0, 10, 14 }, 0.5, 1 },
    { "foot_l", 14, { 0, 10, 8 }, { 16, 10, 2 }, 0.3, 2 },
    { "thigh_r", 0, { 0, -10, 98 }, { 0, -10, 58 }, 0.6, 3.1 },
    { "shin_r", 16, { 0, -10, 55 }, { 0, -10, 14 }, 0.5, 4.1 },
    { "foot_r", 17, { 0, -10, 8 }, { 16, -10, 2 }, 0.3, 5.1 },
};

enum { STICKS = sizeof sticks / sizeof sticks[0], STICK_RINGS = 3,
       STICK_POINTS = STICK_RINGS * RING, FIGURE_POINTS = STICKS * STICK_POINTS,
       STAND_FRAMES = 8, FIGURE_FRAMES = STAND_FRAMES + 24 };

static vec3 stick_point(const stick *s, uint32_t point)
{
    static const double corners[RING][2] = { { -2, -2 }, { 2, -2 }, { 2, 2 }, { -2, 2 } };
    const double       *corner = corners[point % RING];
    double              t = 0.1 + 0.4 * (point / RING);
    vec3 joint = make_vec3(s->joint[0], s->joint[1], s->joint[2]);
    vec3 end = make_vec3(s->end[0], s->end[1], s->end[2]);
    vec3 place = add(scaled(joint, 1 - t), scaled(end, t));
    bool is_upright = fabs(end.z - joint.z) > 10;
    return add(place, is_upright ? make_vec3(corner[0], corner[1], 0)
                                 : make_vec3(0, corner[0], corner[1] / 4));
}

/* Adds two triangles for each side between two rings, which begin with the points `first` and `second`. Returns the end
   of the list. */
static uint32_t *join_rings(uint32_t *corners, uint32_t first, uint32_t second)
{
    for (uint32_t k = 0; k < RING; ++k) {
        uint32_t a = first + k, b = first + (k + 1) % RING;
        uint32_t c = second + k, d = second + (k + 1) % RING;
        uint32_t six[6] = { a, b, c, b, d, c };
        memcpy(corners, six, sizeof six);
        corners += 6;
    }
    return corners;
}

/* Returns the first point of the ring of the parent that is nearest to a stick. */
static uint32_t nearest_ring(const vec3 *rest, uint32_t stick_number)
{
    uint32_t first = (uint32_t)sticks[stick_number].parent * STICK_POINTS, best = first;
    vec3     own = rest[stick_number * STICK_POINTS];
    for (uint32_t p = first; p < first + STICK_POINTS; p += RING) {
        if (length_of(minus(rest[p], own)) < length_of(minus(rest[best], own))) best = p;
    }
    return best;
}

typedef enum figure_kind {
    RUNS,
    IS_NAMELESS,                      /* its animations have no names; its forearms point forward */
    HOPS,                             /* swings both legs together */
    ON_ALL_FOURS,                     /* its hands rest on the ground */
    WEARS_PADS,                       /* its shoulders have pads that flip over from frame to frame */
    IS_STIFF,                         /* its right hand, feet and back never bend, so they have no bones */
    ON_STILTS,                        /* its knees never bend */
    WITHOUT_ARMS                      /* they never leave its pockets */
} figure_kind;

/* Returns true if a stick has no bone, because it moves with its parent. */
static bool is_fused(const stick *s, figure_kind how)
{
    static const char *const fused[][4] = {
        { "hand_r", "foot_l", "foot_r", "chest" },
        { "shin_l", "shin_r", "foot_l", "foot_r" },
        { "upper_arm_", "forearm_", "hand_", "chest_helper" },
    };
    if (how < IS_STIFF) return false;
    for (int i = 0; i < 4; ++i) {
        const char *name = fused[how - IS_STIFF][i];
        if (strcmp(s->name, name) == 0 || (how == WITHOUT_ARMS && begins_with(s->name, name))) return true;
    }
    return false;
}

/* Returns the rotation of a part of a figure that rests on its feet and hands. */
static double crouch_angle(const char *name)
{
    if (strcmp(name, "chest") == 0) return 1.4;
    if (begins_with(name, "upper_arm_")) return -1.4;
    if (begins_with(name, "thigh_")) return -1.5;
    return begins_with(name, "shin_") ? 1.5 : 0;
}

/* Computes the transforms of all sticks in all frames. */
static void swing_sticks(rig *r, figure_kind how)
{
    for (uint32_t b = 0; b < STICKS; ++b) {
        const stick *s = &sticks[b];
        bool         is_leg = s->joint[2] < 100 && s->joint[0] == 0 && fabs(s->joint[1]) < 20;
        for (uint32_t f = 0; f < FIGURE_FRAMES; ++f) {
            double t = 2 * 3.14159265 * f / (FIGURE_FRAMES - STAND_FRAMES);
            double phase = how == HOPS && is_leg && s->joint[1] < 0 ? s->phase - 3.1 : s->phase;
            double angle = s->swing * sin(t + phase) * (f < STAND_FRAMES ? 0.1 : 1);
            if (how == ON_ALL_FOURS) angle = crouch_angle(s->name) + (is_leg && f >= STAND_FRAMES ? angle : 0);
            if (how == IS_NAMELESS && begins_with(s->name, "forearm_")) angle -= 0.8;
            if (is_fused(s, how)) angle = 0;
            mat3   rotation = rotation_about(make_vec3(0, angle, 0));
            vec3   joint = make_vec3(s->joint[0], s->joint[1], s->joint[2]), held = joint;
            if (s->parent >= 0) {
                const rigid_transform *by = &r->transforms[(uint32_t)s->parent * FIGURE_FRAMES + f];
                rotation = times(by->rotation, rotation);
                held = transform_point(by, joint);
            }
            rigid_transform *own = &r->transforms[b * FIGURE_FRAMES + f];
            own->rotation = rotation;
            own->translation = minus(held, rotate(rotation, joint));
        }
    }
}

/* Moves the first ring of an upper arm to a separate bone, which turns over in every other frame. The positions of the
   points are those of the arm, as if the fit had found a flat bone. */
static void add_pad(rig *r, uint32_t arm)
{
    uint32_t pad = r->bone_count++;
    vec3     joint = make_vec3(sticks[arm].joint[0], sticks[arm].joint[1], sticks[arm].joint[2]);
    for (uint32_t p = arm * STICK_POINTS; p < arm * STICK_POINTS + RING; ++p) r->weights[p].bone[0] = pad;
    for (uint32_t f = 0; f < FIGURE_FRAMES; ++f) {
        rigid_transform *own = &r->transforms[pad * FIGURE_FRAMES + f];
        *own = r->transforms[arm * FIGURE_FRAMES + f];
        vec3 held = transform_point(own, joint);
        if (f % 2 == 1) own->rotation = times(own->rotation, rotation_about(make_vec3(0, 0, 3.14)));
        own->translation = minus(held, rotate(own->rotation, joint));
    }
}

static void rotate_rig(motion *m, rig *r, mat3 by)
{
    for (uint32_t i = 0; i < m->point_count * m->frame_count; ++i) {
        m->positions[i] = rotate(by, m->positions[i]);
    }
    for (uint32_t p = 0; p < m->point_count; ++p) r->rest[p] = rotate(by, r->rest[p]);
    for (uint32_t i = 0; i < r->bone_count * m->frame_count; ++i) {
        rigid_transform *t = &r->transforms[i];
        t->rotation = times(by, times(t->rotation, transposed(by)));
        t->translation = rotate(by, t->translation);
    }
}

/* Names the bones of a stick figure, whose rig looks like a result of find_bones. The columns of `axes` are forward,
   left and up. Returns the motion of its points. */
static motion name_sticks(rig *r, figure_kind how, mat3 axes)
{
    static vec3          rest[FIGURE_POINTS], at[FIGURE_POINTS * FIGURE_FRAMES];
    static point_weights weights[FIGURE_POINTS];
    static rigid_transform bone_transforms[MOST_BONES * FIGURE_FRAMES];
    static uint32_t      corners[STICKS * STICK_RINGS * RING * 6];
    static const char   *names[FIGURE_FRAMES];
    static uint32_t      after[FIGURE_FRAMES];
    uint32_t            *end = corners;
    motion               m;
    memset(&m, 0, sizeof m);
    memset(r, 0, sizeof *r);
    r->bone_count = STICKS;
    r->rest = rest;
    r->weights = weights;
    r->transforms = bone_transforms;
    swing_sticks(r, how);
    for (uint32_t p = 0; p < FIGURE_POINTS; ++p) {
        point_weights all = { 1, { p / STICK_POINTS, 0, 0, 0 }, { 1, 0, 0, 0 } };
        weights[p] = all;
        rest[p] = stick_point(&sticks[p / STICK_POINTS], p % STICK_POINTS);
        for (uint32_t f = 0; f < FIGURE_FRAMES; ++f) {
            const rigid_transform *by = &bone_transforms[p / STICK_POINTS * FIGURE_FRAMES + f];
            at[p * FIGURE_FRAMES + f] = transform_point(by, rest[p]);
        }
    }
    for (uint32_t b = 0; b < STICKS; ++b) {
        uint32_t first = b * STICK_POINTS;
        if (b > 0) end = join_rings(end, nearest_ring(rest, b), first);
        for (uint32_t p = first; p + RING < first + STICK_POINTS; p += RING) {
            end = join_rings(end, p, p + RING);
        }
    }
    for (uint32_t b = STICKS; b-- > 0;) {
        if (!is_fused(&sticks[b], how)) continue;
        for (uint32_t p = 0; p < FIGURE_POINTS; ++p) {
            uint32_t *bone = weights[p].bone;
            if (*bone == b) *bone = (uint32_t)sticks[b].parent;
            if (*bone > b) --*bone;
        }
        memmove(bone_transforms + b * FIGURE_FRAMES, bone_transforms + (b + 1) * FIGURE_FRAMES,
                (STICKS - b - 1) * FIGURE_FRAMES * sizeof *bone_transforms);
        --r->bone_count;
    }
    for (uint32_t b = 0; b < STICKS && how == WEARS_PADS; ++b) {
        if (begins_with(sticks[b].name, "upper_arm_")) add_pad(r, b);
    }
    for (uint32_t f = 0; f < FIGURE_FRAMES; ++f) {
        names[f] = how == IS_NAMELESS ? "" : f < STAND_FRAMES ? "stand" : "run";
        after[f] = f + 1 == STAND_FRAMES ? 0 : f + 1 == FIGURE_FRAMES ? STAND_FRAMES : f + 1;
    }
    m.point_count = FIGURE_POINTS;
    m.frame_count = FIGURE_FRAMES;
    m.corner_count = (uint32_t)(end - corners);
    m.corners = corners;
    m.positions = at;
    m.step = 0.1;
    m.anim_names = names;
    m.after = after;
    rotate_rig(&m, r, axes);
    name_bones(&m, r);
    return m;
}

/* Returns true if a bone has the expected name. The name of a helper ends with a tag of the model, as in
   "hand_l_helper_3f9a". */
static bool is_named(const char *name, const char *expected)
{
    bool   is_helper = strstr(expected, "_helper") != NULL;
    size_t length = strlen(expected);
    return is_helper ? strncmp(name, expected, length) == 0 && name[length] == '_'
                     : strcmp(name, expected) == 0;
}

/* The names do not depend on the direction in which the model faces. If no animation shows the heading, it is an axis
   of the file. */
static void test_names(void)
{
    static const mat3 all_axes[] = {
        { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } },      { { 0, 1, 0 }, { -1, 0, 0 }, { 0, 0, 1 } },
        { { -1, 0, 0 }, { 0, -1, 0 }, { 0, 0, 1 } },    { { 0, -1, 0 }, { 1, 0, 0 }, { 0, 0, 1 } },
        { { 0.5736, 0.8192, 0 }, { -0.8192, 0.5736, 0 }, { 0, 0, 1 } }, /* 55 degrees */
        { { 0, 0, 1 }, { 1, 0, 0 }, { 0, 1, 0 } },      { { -1, 0, 0 }, { 0, 0, 1 }, { 0, 1, 0 } },
    };
    static rig r;
    for (size_t i = 0; i < 2 * sizeof all_axes / sizeof *all_axes; ++i) {
        mat3 axes = all_axes[i / 2];
        check_step("axes %u, nameless %u", (unsigned)i / 2, (unsigned)i % 2);
        name_sticks(&r, i % 2 == 0 ? RUNS : IS_NAMELESS, axes);
        CHECK(r.unnamed == NULL);
        for (uint32_t b = 0; b < STICKS; ++b) {
            CHECK(is_named(r.names[b], sticks[b].name));
            CHECK_EQ(r.parents[b], sticks[b].parent);
            for (uint32_t k = 0; k < b; ++k) CHECK(strcmp(r.names[k], r.names[b]) != 0);
        }
        if (i % 2 == 1 && fabs(axes.x.y) > 0.5 && fabs(axes.x.y) < 1) axes = all_axes[1];
        CHECK_NEAR(dot(r.axes.x, axes.x), 1, 0.01);
        CHECK_NEAR(dot(r.axes.y, axes.y), 1, 0.01);
        CHECK_NEAR(dot(r.axes.z, axes.z), 1, 0.01);
    }
}

/* Returns the bone with this name, which must exist. */
static uint32_t find_bone(const rig *r, const char *name)
{
    uint32_t b = 0;
    while (b < r->bone_count && strcmp(r->names[b], name) != 0) ++b;
    CHECK(b < r->bone_count);
    return b;
}

/* Parts without a bone are split from their neighbors: the right hand, the feet, the chest. */
static void test_split_names(void)
{
    static rig r;
    name_sticks(&r, IS_STIFF, diagonal(1));
    CHECK(r.unnamed == NULL);
    for (uint32_t i = 0; i < STICKS; ++i) {
        if (!is_fused(&sticks[i], IS_STIFF)) continue;
        check_step("%s", sticks[i].name);
        uint32_t bone = find_bone(&r, sticks[i].name), count = 0;
        for (uint32_t p = 0; p < STICK_POINTS; ++p) {
            count += r.weights[i * STICK_POINTS + p].bone[0] == bone;
        }
        CHECK(count >= RING);
    }
    find_bone(&r, "hand_l");
    CHECK_EQ(r.parents[find_bone(&r, "hand_r")], (int32_t)find_bone(&r, "forearm_r"));
    CHECK_EQ(r.parents[find_bone(&r, "upper_arm_r")], (int32_t)find_bone(&r, "chest"));
    CHECK_EQ(r.parents[find_bone(&r, "chest")], (int32_t)find_bone(&r, "hips"));
}

/* A bone that turns over is no upper arm, because it would swing the hand around the shoulder. */
static void test_pads(void)
{
    static rig r;
    name_sticks(&r, WEARS_PADS, diagonal(1));
    CHECK(r.unnamed == NULL);
    for (uint32_t b = 0; b < STICKS; ++b) {
        if (!strstr(sticks[b].name, "arm") && !strstr(sticks[b].name, "hand")) continue;
        check_step("%s, named %s", sticks[b].name, r.names[b]);
        CHECK(is_named(r.names[b], sticks[b].name));
    }
    for (uint32_t b = STICKS; b < r.bone_count; ++b) {
        check_step("pad, named %s", r.names[b]);
        CHECK(is_named(r.names[b], "chest_helper"));
    }
}

/* Returns the position of a point of a bone relative to another bone. */
static vec3 relative_position(rigid_transform other, rigid_transform bone, vec3 point)
{
    vec3 position = transform_point(&bone, point);
    return rotate_back(other.rotation, minus(position, other.translation));
}

static void place_stick_joints(rig *r)
{
    for (uint32_t b = 0; b < STICKS; ++b) {
        const double *joint = sticks[b].joint;
        r->joints[b] = make_vec3(joint[0], joint[1], joint[2]);
    }
}

/* A helper moves with its limb from the frame to the bind pose, even if it is a child of the hips. Otherwise the finger
   would stay next to the hip while the hand is raised. */
static void test_helper_in_bind_pose(void)
{
    enum { HIPS_STICK = 0, HAND_STICK = 8, FINGER_STICK = 9 };
    static rig r;
    motion     m = name_sticks(&r, RUNS, diagonal(1));
    place_stick_joints(&r);
    r.parents[FINGER_STICK] = HIPS_STICK;
    choose_bind_pose(&m, &r);

    vec3 fingertip = make_vec3(sticks[FINGER_STICK].end[0], sticks[FINGER_STICK].end[1], sticks[FINGER_STICK].end[2]);
    vec3 stand = relative_position(*transforms_of(&m, &r, HAND_STICK), *transforms_of(&m, &r, FINGER_STICK), fingertip);
    vec3 bind = relative_position(r.bind[HAND_STICK], r.bind[FINGER_STICK], fingertip);
    CHECK_NEAR(length_of(minus(bind, stand)), 0, 1e-6);
    CHECK(transform_point(&r.bind[FINGER_STICK], fingertip).z > 130); /* the arms are raised */
}

static uint32_t bone_named(const rig *r, const char *name)
{
    uint32_t bone = 0;
    while (strcmp(r->names[bone], name) != 0) ++bone;
    return bone;
}

/* Rotates the bones from `first` to `last` about the joint of `first`, in one frame. */
static void rotate_bones(const motion *m, rig *r, uint32_t first, uint32_t last, uint32_t frame, vec3 angles)
{
    vec3 joint = transform_point(&transforms_of(m, r, first)[frame], r->joints[first]);
    mat3 rotation = rotation_about(angles);
    for (uint32_t b = first; b <= last; ++b) {
        rigid_transform *t = &transforms_of(m, r, b)[frame];
        t->rotation = times(rotation, t->rotation);
        t->translation = add(joint, rotate(rotation, minus(t->translation, joint)));
    }
}

/* The figure stands with straight legs that are turned aside. Only the run shows how the knees bend. */
static void test_hinges_in_bind_pose(void)
{
    static rig r;
    motion     m = name_sticks(&r, RUNS, diagonal(1));
    place_stick_joints(&r);
    for (int side = 0; side < 2; ++side) {
        uint32_t thigh = bone_named(&r, side ? "thigh_r" : "thigh_l"), shin = thigh + 1, foot = thigh + 2;
        for (uint32_t f = 0; f < FIGURE_FRAMES; ++f) {
            if (f < STAND_FRAMES) rotate_bones(&m, &r, thigh, foot, f, make_vec3(0, 0, side ? 2 : 1));
            else rotate_bones(&m, &r, shin, foot, f, make_vec3(0, 0.8, 0));
        }
    }
    choose_bind_pose(&m, &r);
    for (int side = 0; side < 2; ++side) {
        uint32_t foot = bone_named(&r, side ? "foot_r" : "foot_l");
        vec3     forward = rotate(r.bind[foot].rotation, make_vec3(1, 0, 0));
        CHECK_NEAR(atan2(forward.y, forward.x), 0, 0.05);
    }
}

/* The figure looks aside while it stands, and ahead while it runs. */
static void test_head_in_bind_pose(void)
{
    static rig r;
    motion     m = name_sticks(&r, RUNS, diagonal(1));
    uint32_t   head = bone_named(&r, "head");
    place_stick_joints(&r);
    for (uint32_t f = 0; f < STAND_FRAMES; ++f) rotate_bones(&m, &r, head, head, f, make_vec3(0, 0, 1));
    choose_bind_pose(&m, &r);
    vec3 forward = rotate(r.bind[head].rotation, make_vec3(1, 0, 0));
    CHECK_NEAR(atan2(forward.y, forward.x), 0, 0.01);
}

static void test_no_names(void)
{
    static const struct { figure_kind how; const char *reason; } figures[] = {
        { HOPS, "no bone has a name, because no two feet were found that swing in opposite phase" },
        { ON_ALL_FOURS, "no bone has a name, because its hands rest on the ground" },
        { ON_STILTS, "no bone has a name, because no legs were found" },
    };
    static rig r;
    for (size_t i = 0; i < sizeof figures / sizeof *figures; ++i) {
        name_sticks(&r, figures[i].how, diagonal(1));
        CHECK_TEXT(r.unnamed, figures[i].reason);
        for (uint32_t b = 0; b < r.bone_count; ++b) {
            CHECK_TEXT(r.names[b], "");
            CHECK_EQ(r.parents[b], NO_PARENT_YET);
        }
    }
}

/* Legs that swing are enough for names. The reason says which names are missing. */
static void test_no_arms(void)
{
    static rig r;
    name_sticks(&r, WITHOUT_ARMS, diagonal(1));
    CHECK_TEXT(r.unnamed, "upper_arm, forearm and hand are missing, because no arms were found");
    find_bone(&r, "head");
    find_bone(&r, "chest");
    CHECK_EQ(r.parents[find_bone(&r, "shin_l")], (int32_t)find_bone(&r, "thigh_l"));
}

/* Writes an MD2 in which each point is there twice, as on both sides of a seam. Returns its path. */
static const char *write_arm(arm_kind arm, const char *name)
{
    static uint32_t corners[2 * RINGS * RING * 6];
    enum { POINTS = 2 * ARM_POINTS };
    double         positions[3 * POINTS], normals[3 * POINTS] = { 0 };
    int16_t        texcoords[2] = { 0, 0 };
    md2_out_vertex vertices[POINTS];
    md2_out_frame  frames[ARM_FRAMES];
    md2_out        out;
    const char    *path = of_folder(name);
    memset(&out, 0, sizeof out);
    memset(frames, 0, sizeof frames);
    out.skin_width = out.skin_height = 8;
    out.point_count = out.vertex_count = POINTS;
    out.texcoord_count = 1;
    out.texcoords = texcoords;
    out.index_count = list_arm_corners(corners);
    out.indices = corners;
    out.frame_count = ARM_FRAMES;
    out.frames = frames;
    out.vertices = vertices;
    for (uint32_t i = 0; i < out.index_count; i += 2) corners[i] += ARM_POINTS;
    if (arm == LINED_ARM) {
        for (uint32_t i = 0; i < out.index_count; ++i) {
            corners[2 * out.index_count - 1 - i] = corners[i];
        }
        out.index_count *= 2;
    }
    for (uint32_t p = 0; p < POINTS; ++p) {
        md2_out_vertex vertex = { p, 0 };
        vertices[p] = vertex;
        normals[3 * p + 2] = 1;
        if (arm == LINED_ARM) {
            vec3 place = arm_point(arm, p % ARM_POINTS, 0);
            normals[3 * p + 1] = place.y;
            normals[3 * p + 2] = place.z;
        }
    }
    for (uint32_t f = 0; f < ARM_FRAMES; ++f) {
        for (uint32_t p = 0; p < POINTS; ++p) {
            vec3 place = arm_point(arm, p % ARM_POINTS, f);
            positions[3 * p] = place.x;
            positions[3 * p + 1] = place.y;
            positions[3 * p + 2] = place.z;
            if (arm == LYING_ARM) {
                positions[3 * p] = place.y;
                positions[3 * p + 1] = place.z;
                positions[3 * p + 2] = place.x;
            }
        }
        snprintf(frames[f].name, sizeof frames[f].name, "bend%u", (unsigned)f + 1);
        quantize_frame(&frames[f], positions, normals, POINTS);
    }
    blob file = write_md2(&out);
    save(path, &file);
    for (uint32_t i = 0; i < ARM_FRAMES; ++i) release(frames[i].points);
    return path;
}

static void test_md2_to_md5(void)
{
    outputs         o = { NULL, 0, 0, { 0, 0, 0 } };
    convert_request request = make_request(write_arm(ARM, "arm.md2"), "arm.md5mesh");
    const char     *box_path = write_arm(HELD_BOX, "box.md2");
    request.weapons = &box_path;
    request.weapon_count = 1;
    CHECK(md2_to_md5(&request, &o));
    md5_model  *arm = read_md5mesh(&o, "arm.md5mesh"), *box = read_md5mesh(&o, "box.md5mesh");
    md5_anim   *bend = read_md5anim(&o, "bend.md5anim");
    md2_model  *model = md2_load_file(request.model, NULL, NULL);
    if (CHECK(arm && box && bend && model)) {
        CHECK_EQ(arm->joint_count, 2);
        CHECK_EQ(arm->mesh_count, 1);
        CHECK_EQ(box->joint_count, 1);
        CHECK(md5_find_joint(arm, box->joints[0].name) >= 0); /* the viewer attaches it by this name */
        CHECK_EQ(md5_check_anim(arm, bend, NULL), MD5_OK);
        CHECK_NEAR(md5_anim_length(bend, MD5_LOOP), md2_anim_length(model->anims, MD2_LOOP), 1e-5);

        /* Check that both vertices at a seam have the same weights. */
        const md5_mesh *mesh = arm->meshes;
        uint32_t        seams = 0;
        for (uint32_t a = 0; a < mesh->vertex_count; ++a) {
            for (uint32_t b = 0; b < a; ++b) {
                const md5_vertex *p = &mesh->vertices[a], *q = &mesh->vertices[b];
                if (memcmp(p->position, q->position, sizeof p->position) != 0) continue;
                ++seams;
                CHECK_EQ(p->weight_count, q->weight_count);
                CHECK(memcmp(mesh->weights + p->first_weight, mesh->weights + q->first_weight,
                             p->weight_count * sizeof *mesh->weights) == 0);
            }
        }
        CHECK(seams >= ARM_POINTS / 2);

        /* Check that the box, moved by the forearm, is where its own file has it, within two quantization steps. */
        md2_model *held = md2_load_file(box_path, NULL, NULL);
        md5_xform  pose[2];
        md5_pose_at(arm, bend, MD5_ONCE, 1.5, pose);
        md5_pose_to_model_space(arm, pose, pose);
        float m[16], low[3], high[3];
        md5_pose_matrix(&pose[1], m);
        md5_pose_bounds(box, &box->joints[0].bind, low, high);
        float middle[3] = { (low[0] + high[0]) / 2, (low[1] + high[1]) / 2, (low[2] + high[2]) / 2 };
        vec3  want = make_vec3(0, 0, 0);
        for (uint32_t p = 0; p < ARM_POINTS; ++p) {
            want = add(want, scaled(arm_point(HELD_BOX, p, 15), 1.0 / ARM_POINTS));
        }
        double wanted[3] = { want.x, want.y, want.z };
        for (int k = 0; k < 3; ++k) {
            float got = m[k] * middle[0] + m[4 + k] * middle[1] + m[8 + k] * middle[2] + m[12 + k];
            CHECK_NEAR(got, wanted[k], 0.15);
        }
        md2_free_model(held);
    }
    md2_free_model(model);
    md5_free_model(arm);
    md5_free_model(box);
    md5_free_anim(bend);
    free_outputs(&o);
}

/* Returns the mean of the vertices of a mesh that is attached to a joint. */
static vec3 center_in_pose(const md5_model *mesh, const md5_xform *joint)
{
    float m[16];
    vec3  sum = make_vec3(0, 0, 0);
    md5_pose_matrix(joint, m);
    for (uint32_t i = 0; i < mesh->meshes[0].vertex_count; ++i) {
        const float *p = mesh->meshes[0].vertices[i].position;
        double       at[3];
        for (int k = 0; k < 3; ++k) {
            at[k] = (double)(m[k] * p[0] + m[4 + k] * p[1] + m[8 + k] * p[2] + m[12 + k]);
        }
        sum = add(sum, make_vec3(at[0], at[1], at[2]));
    }
    return scaled(sum, 1.0 / mesh->meshes[0].vertex_count);
}

/* Two weapons rotate in the hand in the same way. Each is converted with the arm in a separate call, and fits the arm
   of the other call. A third call has both weapons, which share a bone. */
static void test_two_weapons(void)
{
    const arm_kind    kinds[2] = { LOOSE_BOX, LOOSE_BAR };
    const char *const names[2] = { "box.md5mesh", "bar.md5mesh" };
    const char       *arm = write_arm(ARM, "arm.md2"), *paths[2];
    md5_model        *arms[3], *weapons[2];
    md5_anim         *bends[3];
    paths[0] = write_arm(LOOSE_BOX, "box.md2");
    paths[1] = write_arm(LOOSE_BAR, "bar.md2");
    for (int i = 0; i < 3; ++i) {
        outputs         o = { NULL, 0, 0, { 0, 0, 0 } };
        convert_request request = make_request(arm, "arm.md5mesh");
        request.weapons = i < 2 ? &paths[i] : paths;
        request.weapon_count = i < 2 ? 1 : 2;
        CHECK(md2_to_md5(&request, &o));
        arms[i] = read_md5mesh(&o, "arm.md5mesh");
        if (i < 2) weapons[i] = read_md5mesh(&o, names[i]);
        bends[i] = read_md5anim(&o, "bend.md5anim");
        free_outputs(&o);
    }
    for (int i = 0; i < 3; ++i) {
        if (!CHECK(arms[i] && bends[i] && weapons[0] && weapons[1])) continue;
        CHECK_EQ(arms[i]->joint_count, 3);
        CHECK_EQ(md5_find_joint(arms[i], "weapon"), 2);
        if (i < 2) CHECK_TEXT(weapons[i]->joints[0].name, "weapon");
        for (uint32_t f = 0; f < ARM_FRAMES; ++f) {
            md5_xform pose[3];
            md5_pose_at(arms[i], bends[i], MD5_ONCE, (float)f / bends[i]->fps, pose);
            md5_pose_to_model_space(arms[i], pose, pose);
            for (int k = 0; k < 2; ++k) {
                vec3 want = make_vec3(0, 0, 0), got = center_in_pose(weapons[k], &pose[2]);
                for (uint32_t p = 0; p < ARM_POINTS; ++p) {
                    want = add(want, scaled(arm_point(kinds[k], p, f), 1.0 / ARM_POINTS));
                }
                CHECK_NEAR(length_of(minus(got, want)), 0, 0.15);
            }
        }
    }
    for (int i = 0; i < 3; ++i) {
        md5_free_model(arms[i]);
        md5_free_anim(bends[i]);
    }
    for (int i = 0; i < 2; ++i) md5_free_model(weapons[i]);
}

/* Weapons of different folders may have the same name. */
static void test_weapon_names(void)
{
    outputs         o = { NULL, 0, 0, { 0, 0, 0 } };
    convert_request request = make_request(write_arm(ARM, "arm.md2"), "arm.md5mesh");
    const char     *paths[3];
    make_tree(of_folder("second"), "");
    make_tree(of_folder("third"), "");
    paths[0] = write_arm(HELD_BOX, "box.md2");
    paths[1] = write_arm(HELD_BOX, "second/box.md2");
    paths[2] = write_arm(HELD_BOX, "third/box.md2");
    request.weapons = paths;
    request.weapon_count = 3;
    CHECK(md2_to_md5(&request, &o));
    CHECK(find_output(&o, "box.md5mesh") != NULL);
    CHECK(find_output(&o, "box_2.md5mesh") != NULL);
    CHECK(find_output(&o, "box_3.md5mesh") != NULL);
    free_outputs(&o);
    remove_tree(of_folder("second"));
    remove_tree(of_folder("third"));
}

/* A weapon of two bones is a mesh of the model, so the bounds of the animations contain it. */
static void test_jointed_weapon(void)
{
    outputs         o = { NULL, 0, 0, { 0, 0, 0 } };
    convert_request request = make_request(write_arm(ARM, "arm.md2"), "arm.md5mesh");
    const char     *book = write_arm(BOOK, "book.md2");
    request.weapons = &book;
    request.weapon_count = 1;
    CHECK(md2_to_md5(&request, &o));
    md5_model  *arm = read_md5mesh(&o, "arm.md5mesh");
    md5_anim   *bend = read_md5anim(&o, "bend.md5anim");
    if (CHECK(arm && bend) && CHECK_EQ(arm->mesh_count, 2) && CHECK_EQ(arm->joint_count, 4)) {
        for (uint32_t f = 0; f < ARM_FRAMES; ++f) {
            md5_xform pose[4];
            float     low[3], high[3];
            check_step("frame %u", (unsigned)f);
            md5_pose_at(arm, bend, MD5_ONCE, (float)f / bend->fps, pose);
            md5_pose_to_model_space(arm, pose, pose);
            md5_pose_bounds(arm, pose, low, high);
            for (int k = 0; k < 3; ++k) {
                CHECK_NEAR(bend->bounds[f].min[k], low[k], 0.01);
                CHECK_NEAR(bend->bounds[f].max[k], high[k], 0.01);
            }
        }
    }
    md5_free_model(arm);
    md5_free_anim(bend);
    free_outputs(&o);
}

/* Checks a flat frame: one of its quantization steps is 0, so no error can be measured in these steps. */
static void test_flat_frame(void)
{
    outputs         o = { NULL, 0, 0, { 0, 0, 0 } };
    convert_request request = make_request(write_arm(BOOK, "book.md2"), "book.md5mesh");
    CHECK(md2_to_md5(&request, &o));
    md5_model *book = read_md5mesh(&o, "book.md5mesh");
    if (book) CHECK_EQ(book->joint_count, 2);
    md5_free_model(book);
    free_outputs(&o);
}

/* A sleeve whose two sides share their vertices in the MD2 gets normals to the outside and to the inside. */
static void test_lining(void)
{
    outputs         o = { NULL, 0, 0, { 0, 0, 0 } };
    convert_request request = make_request(write_arm(LINED_ARM, "sleeve.md2"), "sleeve.md5mesh");
    CHECK(md2_to_md5(&request, &o));
    md5_model *sleeve = read_md5mesh(&o, "sleeve.md5mesh");
    for (uint32_t i = 0; sleeve && i < sleeve->meshes[0].index_count; i += 3) {
        const md5_vertex *corner[3];
        check_step("triangle %u", (unsigned)i / 3);
        for (uint32_t k = 0; k < 3; ++k) {
            corner[k] = &sleeve->meshes[0].vertices[sleeve->meshes[0].indices[i + k]];
        }
        for (int k = 0; k < 3; ++k) {
            double sides[2][3], dot = 0;
            for (int n = 0; n < 3; ++n) {
                sides[0][n] = (double)(corner[1]->position[n] - corner[0]->position[n]);
                sides[1][n] = (double)(corner[2]->position[n] - corner[0]->position[n]);
            }
            for (int n = 0; n < 3; ++n) {
                int y = (n + 1) % 3, z = (n + 2) % 3;
                dot += (sides[0][y] * sides[1][z] - sides[0][z] * sides[1][y]) * (double)corner[k]->normal[n];
            }
            CHECK(dot > 0);
        }
    }
    md5_free_model(sleeve);
    free_outputs(&o);
}

/* An arm in a file with Y up becomes the same MD5 as the arm in a file with Z up. */
static void test_y_up_bones(void)
{
    outputs    o[2] = { { NULL, 0, 0, { 0, 0, 0 } }, { NULL, 0, 0, { 0, 0, 0 } } };
    md5_model *models[2];
    for (int i = 0; i < 2; ++i) {
        convert_request request = make_request(write_arm(i == 0 ? ARM : LYING_ARM, "arm.md2"), "arm.md5mesh");
        request.y_up = i == 1;
        CHECK(md2_to_md5(&request, &o[i]));
        models[i] = read_md5mesh(&o[i], "arm.md5mesh");
    }
    for (uint32_t frame = 0; frame < ARM_FRAMES && models[0] && models[1]; frame += 13) {
        float low[2][3], high[2][3];
        check_step("frame %u", (unsigned)frame);
        for (int i = 0; i < 2; ++i) {
            md5_anim *bend = read_md5anim(&o[i], "bend.md5anim");
            md5_xform pose[2];
            CHECK_EQ(models[i]->joint_count, 2);
            md5_pose_at(models[i], bend, MD5_ONCE, frame / 10.0, pose);
            md5_pose_to_model_space(models[i], pose, pose);
            md5_pose_bounds(models[i], pose, low[i], high[i]);
            md5_free_anim(bend);
        }
        for (int k = 0; k < 3; ++k) {
            CHECK_NEAR(low[1][k], low[0][k], 0.1);
            CHECK_NEAR(high[1][k], high[0][k], 0.1);
        }
    }
    for (int i = 0; i < 2; ++i) {
        md5_free_model(models[i]);
        free_outputs(&o[i]);
    }
}

/* If the last frame of a loop is its first, the loop is one step shorter in md5.h than in md2.h. */
static void test_closed_anim(void)
{
    outputs         o = { NULL, 0, 0, { 0, 0, 0 } };
    convert_request request = make_request(write_arm(CLOSED_ARM, "arm.md2"), "arm.md5mesh");
    CHECK(md2_to_md5(&request, &o));
    md5_anim *bend = read_md5anim(&o, "bend.md5anim");
    if (CHECK(bend != NULL)) {
        CHECK(bend->closed);
        CHECK_EQ(bend->frame_count, ARM_FRAMES);
        CHECK_NEAR(md5_anim_length(bend, MD5_LOOP), ARM_FRAMES / 10.0, 1e-3);
    }
    md5_free_anim(bend);
    free_outputs(&o);
}

/* Saves a picture of one color, in the format of test_codecs.c. */
static void save_picture(const char *path, uint8_t color)
{
    pixels p = make_pixels(2, 2);
    memset(p.rgba, color, 16);
    blob file = encode_pixels(&p);
    release(p.rgba);
    save(path, &file);
}

/* The arm holds a box whose file and picture are in another folder. A loop in a .glb repeats its first frame as its
   last key, because viewers jump from the last key to the first. */
static void test_skinned_glb(void)
{
    static const arm_kind arms[] = { ARM, LOOPING_ARM };
    gltf_options          options;
    memset(&options, 0, sizeof options);
    make_tree(of_folder("held"), "");
    save_picture(of_folder("held/box.png"), 99);
    save_picture(of_folder("arm.png"), 33);
    for (int i = 0; i < 2; ++i) {
        outputs         o = { NULL, 0, 0, { 0, 0, 0 } };
        char            problem[256];
        convert_request request = make_request(write_arm(arms[i], "arm.md2"), "new.glb");
        const char     *held = write_arm(HELD_BOX, "held/box.md2");
        check_scene("%s", i == 0 ? "with a box" : "in a loop");
        request.weapons = &held;
        request.weapon_count = i == 0 ? 1 : 0;
        CHECK(md2_to_skinned_glb(&request, &o));
        const blob *file = find_output(&o, "new.glb");
        scene      *s = file ? read_gltf(file->data, file->size, &options, problem) : NULL;
        if (CHECK(s != NULL) && CHECK(s->anim_count == 1) && CHECK(s->anims[0].track_count > 0)) {
            const scene_track *track = &s->anims[0].tracks[0];
            const float       *last = track->values + (size_t)track->width * (track->key_count - 1);
            CHECK_EQ(track->key_count, i == 0 ? ARM_FRAMES : ARM_FRAMES + 1);
            CHECK_NEAR(s->anims[0].end, (track->key_count - 1) / 10.0, 1e-4);
            if (i == 1) CHECK(memcmp(last, track->values, track->width * sizeof *last) == 0);
            if (CHECK(s->picture_count == (i == 0 ? 2u : 1u))) {
                CHECK_TEXT(s->pictures[0].name, "arm");
                if (i == 0) CHECK_TEXT(s->pictures[1].name, "box");
            }
        }
        free_scene(s);
        free_outputs(&o);
    }
    remove_tree(of_folder("held"));
    remove_file(of_folder("arm.png"));
}

static void test_flag_is_refused(void)
{
    outputs         o = { NULL, 0, 0, { 0, 0, 0 } };
    convert_request request = make_request(write_arm(WAVING_FLAG, "flag.md2"), "flag.md5mesh");
    request.force = true;
    CHECK(!md2_to_md5(&request, &o));
    CHECK_EQ(o.count, 0);
    request.anyway = true;
    CHECK(md2_to_md5(&request, &o));
    free_outputs(&o);

    /* The verdict is the same if only an animation of another file is selected. */
    char       *only[1] = { copy_text("dance") };
    anim_source from;
    memset(&from, 0, sizeof from);
    from.path = "dance.glb";
    from.is = KIND_GLTF;
    request.anyway = false;
    request.only = only;
    request.only_count = 1;
    request.sources = &from;
    request.source_count = 1;
    forget_reported();
    CHECK(!md2_to_md5(&request, &o));
    CHECK(strstr(reported(), "no bones fit its motion") != NULL);
    CHECK_EQ(o.count, 0);
    release(only[0]);
}

/* -- Baking an MD2 ----------------------------------------------------------------------------- */

static uint32_t pose_count;           /* calls of count_pose */

static void count_pose(void *user, uint32_t anim, double seconds)
{
    (void)user, (void)anim, (void)seconds;
    ++pose_count;
}

static void get_triangle(void *user, uint32_t mesh, float *positions, float *normals)
{
    static const float corners[9] = { 0, 0, 0, 8, 0, 0, 0, 8, 0 };
    (void)user, (void)mesh;
    memcpy(positions, corners, sizeof corners);
    memset(normals, 0, sizeof corners);
}

/* Returns true if a triangle with these animations becomes an MD2. */
static bool bake_triangle(bake_anim *anims, uint32_t count)
{
    uint32_t        indices[3] = { 0, 1, 2 };
    float           texcoords[6] = { 0, 0, 1, 0, 0, 1 }, normals[9] = { 0, 0, 1, 0, 0, 1, 0, 0, 1 };
    uint64_t        motion_ids[3] = { 1, 2, 3 };
    bake_mesh       mesh = { 3, 3, indices, texcoords, normals, motion_ids };
    bake_source     source;
    outputs         o = { NULL, 0, 0, { 0, 0, 0 } };
    convert_request request = make_request("triangle", "new.md2");
    memset(&source, 0, sizeof source);
    source.mesh_count = 1;
    source.meshes = &mesh;
    source.anims = anims;
    source.anim_count = count;
    source.skin_width = source.skin_height = 8;
    source.pose = count_pose;
    source.get_vertices = get_triangle;
    pose_count = 0;
    bool is_made = bake_md2(&request, &source, &o);
    free_outputs(&o);
    return is_made;
}

/* The total number of frames may not wrap around in 32 bits. */
static void test_too_many_frames(void)
{
    enum { MANY = 70000 };
    bake_anim *anims = (bake_anim *)malloc_or_abort(MANY * sizeof *anims);
    for (int i = 0; i < MANY; ++i) {
        anims[i].name = "run";
        anims[i].length = 6553.6;
        anims[i].loops = true;
    }
    CHECK(!bake_triangle(anims, 65536)); /* 2 to the power of 32 */
    anims[0].length = 1e30;
    CHECK(!bake_triangle(anims, 1));
    anims[0].length = 6553.7;
    CHECK(!bake_triangle(anims, 1));
    CHECK_EQ(pose_count, 0);
    anims[0].length = 6553.6;
    CHECK(bake_triangle(anims, 1));
    CHECK_EQ(pose_count, 65536);
    free(anims);
}

/* -- Broken files ------------------------------------------------------------------------------ */

/* A file that is cut short, or is not a model, gives an error and no output. */
static void test_broken_input(void)
{
    blob        whole = pyramid_md2(false, true);
    const char *path = of_folder("broken.md2");
    for (size_t size = 0; size < whole.size; size += 7) {
        check_step("%u bytes", (unsigned)size);
        outputs         o = { NULL, 0, 0, { 0, 0, 0 } };
        convert_request request = make_request(path, "new.md2");
        write_file(path, whole.data, size);
        CHECK(!md2_to_md2(&request, &o));
        request.output = "new.glb";
        CHECK(!md2_to_glb(&request, &o));
        CHECK_EQ(o.count, 0);
        free_outputs(&o);
    }
    remove_file(path);
    free_blob(&whole);

    outputs         o = { NULL, 0, 0, { 0, 0, 0 } };
    convert_request request = make_request(of_character("skin.png"), "new.md2");
    CHECK(!md2_to_md2(&request, &o));
    CHECK(!md5_to_md2(&request, &o));
    CHECK(!md5_to_glb(&request, &o));
    CHECK_EQ(o.count, 0);
}

int main(int argc, char **argv)
{
    check_start(argc, argv, "--character= --folder=");
    find_folders();
    is_quiet = true;
    kept_messages = &messages;

    check_chapter("text");
    RUN(test_number_texts, "numbers look like those of id Software, without unnecessary digits");
    RUN(test_numbers_read_back, "a float that is written and read back is the same float");
    RUN(test_json_strings, "any name becomes a JSON string");
    check_chapter("md2");
    RUN(test_nearest_normal, "the nearest normal of the table is found");
    RUN(test_frame_names, "animations are read back from the names of their frames");
    RUN(test_short_names, "long names are shortened to names that differ");
    RUN(test_many_names, "more than a thousand animations with the same name get different names");
    RUN(test_no_player, "a model with the frame count of a player keeps its animations");
    RUN(test_repaired_character, "an MD2 without defects stays unchanged when it is repaired");
    RUN(test_copied_pictures, "the pictures of a repaired model are copied to another folder");
    RUN(test_repairs, "unused points are removed, normals and GL commands are computed again");
    RUN(test_y_up, "a model with Y up is rotated and scaled");
    RUN(test_y_up_md5, "an MD5 with Y up is rotated in the bind pose and in each frame");
    RUN(test_only, "--only keeps one animation, and reports a name that no animation has");
    check_chapter("md5");
    RUN(test_stored_rotation, "a rotation is stored as the quaternion whose w is not positive");
    RUN(test_md5_reads_back, "an MD5 that is written and read has the same floats");
    RUN(test_md5_to_md2, "the MD2 of an MD5 is within half a quantization step in every frame");
    RUN(test_too_many_frames, "a model with more frames than an MD2 allows is rejected before anything is posed");
    check_chapter("facing");
    RUN(test_rotated_md2, "--turn 90 rotates the front of an MD2 to the left");
    RUN(test_rotated_md5, "--turn 270 rotates an MD5 in all frames, and --turn 90 of the result restores it");
    check_chapter("glb");
    RUN(test_md2_to_glb, "an MD2 becomes a .glb with its animations and its skin, below 6 MB");
    RUN(test_md5_to_glb, "an MD5 becomes a .glb with its skeleton, animations and textures");
    check_chapter("bones");
    RUN(test_two_bones, "an arm of two bones is found exactly, with its elbow");
    RUN(test_panels, "panels of a cape stay in place between two frames");
    RUN(test_steady_joint, "a bone that stays while its parent rotates gets a steady joint");
    RUN(test_far_joint, "a joint that is far from the points of its bone is moved to them");
    RUN(test_root, "the root is a bone with enough points to determine its rotation");
    RUN(test_names, "bones of a figure that runs get names and parents, in whatever direction it faces");
    RUN(test_pads, "a shoulder pad that turns over from frame to frame is not named upper_arm");
    RUN(test_helper_in_bind_pose, "a helper that is a child of the hips follows its limb into the bind pose");
    RUN(test_hinges_in_bind_pose, "in the bind pose, knees bend forward, also if no leg of a stand shows it");
    RUN(test_head_in_bind_pose, "the head looks ahead in the bind pose, as it does in a run");
    RUN(test_split_names, "stiff hands, feet and backs are split into bones that have names");
    RUN(test_no_names, "a figure that hops, rests on its hands, or has no knees is not a humanoid and gets no names");
    RUN(test_no_arms, "a figure without arms gets all other names, and the reason is reported");
    RUN(test_md2_to_md5, "an MD2 becomes an MD5: lengths stay, seams stay closed, a joint holds the box");
    RUN(test_two_weapons, "two weapons of one player can be exchanged, and share a bone");
    RUN(test_weapon_names, "weapons of the same name get different names");
    RUN(test_jointed_weapon, "a weapon of two bones is a mesh of the model, inside its bounds");
    RUN(test_flat_frame, "a book that is flat in a frame has two bones");
    RUN(test_lining, "a sleeve that is drawn from both sides is lit from both sides");
    RUN(test_y_up_bones, "an MD2 with Y up is rotated upright before its bones are found");
    RUN(test_closed_anim, "an animation whose last frame is its first keeps its length");
    RUN(test_skinned_glb, "a skinned .glb has the pictures of the model and the weapon, and closes its loops");
    RUN(test_flag_is_refused, "a flag that no bones move is refused, also with --force, but not with --anyway");
    check_chapter("files");
    RUN(test_broken_input, "damaged files are reported, and no files are left behind");
    test_outputs();
    test_scenes();
    return check_finish();
}
