/* crowd.c - plays, poses and draws any number of characters of the same models. Public domain. */
#include "viewer.h"

#define CROSSFADE_SECONDS 0.25f
#define GOLDEN_RATIO      0.6180339887

int count_characters(void)
{
    return viewer.model_count ? viewer.crowd : 0;
}

static const model *models_end(void)
{
    return viewer.models + viewer.model_count;
}

static float box_width(const box *b)
{
    return fmaxf(b->max[0] - b->min[0], b->max[1] - b->min[1]);
}

/* Returns the number of rows of the square behind the first character, which is also the number of
   columns. The last row may be incomplete. */
static int crowd_side(void)
{
    return (int)ceil(sqrt(viewer.crowd - 1));
}

float crowd_spacing(void)
{
    return 1.1f * box_width(&viewer.body_box);
}

float crowd_depth(void)
{
    return (float)crowd_side() * crowd_spacing();
}

/* -- Playback ---------------------------------------------------------------------------------- */

/* Adds both lengths: a clip has at most one of the two animations, and the length of NULL is 0. */
double clip_length(const clip *c)
{
    return md2_anim_length(c->md2, viewer.mode) + md5_anim_length(c->md5, (md5_mode)viewer.mode);
}

static void play_clip(player *p, const clip *c, double time, float crossfade_seconds)
{
    md2_play(&p->md2, c->md2, viewer.mode, crossfade_seconds);
    md5_play(&p->md5, c->md5, (md5_mode)viewer.mode, crossfade_seconds);
    md2_seek(&p->md2, time);
    md5_seek(&p->md5, time);
}

/* Computes a player's pose for the first MD5 model, in model space, and writes it to the model's `pose`. */
static void pose_first_model(const md5_player *p)
{
    const model *first = &viewer.models[0];
    md5_player_pose(first->md5, p, first->pose, first->scratch);
    md5_pose_to_model_space(first->md5, first->pose, first->pose);
}

/* Poses the other models. A joint follows the first model's joint of the same name, as a sword follows a hand. */
static void pose_other_models(void)
{
    const model *first = &viewer.models[0];
    for (const model *m = first + 1; m < models_end(); ++m) {
        for (uint32_t i = 0; i < m->md5->joint_count; ++i) {
            int joint = m->first_model_joints[i];
            m->pose[i] = joint < 0 ? m->md5->joints[i].bind : first->pose[joint];
        }
    }
}

static float *character_palette(const model *m, int character)
{
    return m->palettes + (size_t)character * m->md5->joint_count * 12;
}

void pose_character(int character)
{
    const player *p = &viewer.players[character];
    if (viewer.models[0].md2) {
        viewer.md2_instances[character].pose = md2_player_pose(&p->md2);
        return;
    }

    const model     *first = &viewer.models[0];
    const md5_xform *given = NULL;
    if (viewer.scene && viewer.scene->find_pose) given = viewer.scene->find_pose(character);
    if (given) memcpy(first->pose, given, first->md5->joint_count * sizeof *given);
    else pose_first_model(&p->md5);

    pose_other_models();
    for (const model *m = viewer.models; m < models_end(); ++m) {
        md5_pose_palette(m->md5, m->pose, character_palette(m, character));
    }
}

void advance_crowd(float seconds)
{
    double start = glfwGetTime();
    for (int i = 0; i < count_characters(); ++i) {
        player *p = &viewer.players[i];
        if (viewer.scene) viewer.scene->play(i, seconds);
        else if (viewer.models[0].md2) md2_advance(&p->md2, seconds);
        else md5_advance(&p->md5, seconds);
        pose_character(i);
    }

    /* The new mean, in milliseconds, is a tenth of the newest time and nine tenths of the old
       mean. */
    timing.posing_ms = 0.9 * timing.posing_ms + 100 * (glfwGetTime() - start);
}

/* -- Drawing: one call for each mesh draws it for all characters ------------------------------- */

/* Sets the uniform `night` of the fragment shaders in main.c. */
static void set_night(uint32_t program)
{
    glUseProgram(program);
    glUniform1f(glGetUniformLocation(program, "night"), viewer.night);
}

static void draw_md2(const model *m, const md2_gl_scene *scene)
{
    const mesh        *part = &m->meshes[0];
    bool               is_smooth = viewer.smooth && part->smooth.vao != 0;
    const md2_gl_mesh *drawn = is_smooth ? &part->smooth : &part->md2;
    md2_gl_draw(viewer.md2_gl, drawn, viewer.untextured ? 0 : part->texture, scene, viewer.md2_instances,
                (size_t)viewer.crowd);
}

static void draw_md5(const model *m, const md5_gl_scene *scene)
{
    /* The models share the instances, but each model has its own palettes. */
    for (int i = 0; i < viewer.crowd; ++i) {
        viewer.md5_instances[i].palette = character_palette(m, i);
    }
    for (const mesh *part = m->meshes; part < m->meshes + m->mesh_count; ++part) {
        md5_gl_draw(viewer.md5_gl, &part->md5, viewer.untextured ? 0 : part->texture, scene,
                    viewer.md5_instances, (size_t)viewer.crowd);
    }
}

void draw_crowd(const float light[3], const float view_projection[16])
{
    md2_gl_scene scene2 = { .ambient = 0.45f };
    memcpy(scene2.light_direction, light, sizeof scene2.light_direction);
    memcpy(scene2.view_projection, view_projection, sizeof scene2.view_projection);

    md5_gl_scene scene5 = { .ambient = 0.45f };
    memcpy(scene5.light_direction, light, sizeof scene5.light_direction);
    memcpy(scene5.view_projection, view_projection, sizeof scene5.view_projection);

    set_night(md2_gl_program(viewer.md2_gl, 0));
    set_night(md2_gl_program(viewer.md2_gl, 1));
    set_night(md5_gl_program(viewer.md5_gl));
    for (const model *m = viewer.models; m < models_end(); ++m) {
        if (m->md2) draw_md2(m, &scene2);
        else draw_md5(m, &scene5);
    }
}

/* -- Bounds ------------------------------------------------------------------------------------ */

/* An empty box: extend_box replaces it by the other box. */
static const box empty_box = { { INFINITY, INFINITY, INFINITY },
                               { -INFINITY, -INFINITY, -INFINITY } };

static void extend_box(box *b, const box *other)
{
    for (int axis = 0; axis < 3; ++axis) {
        b->min[axis] = fminf(b->min[axis], other->min[axis]);
        b->max[axis] = fmaxf(b->max[axis], other->max[axis]);
    }
}

/* Moves a box horizontally so that its center is above the center of `around`. */
static void move_box(box *b, const box *around)
{
    for (int axis = 0; axis < 2; ++axis) {
        float half = (b->max[axis] - b->min[axis]) / 2;
        float middle = (around->min[axis] + around->max[axis]) / 2;
        b->min[axis] = middle - half;
        b->max[axis] = middle + half;
    }
}

/* Converts an axis of the models to an axis of the world, which has Z up. Models with Y up face +Z,
   which becomes the world's X, and their X becomes the world's Y. */
int world_axis(int model_axis)
{
    static const int of_y_up[3] = { 1, 2, 0 };
    return viewer.y_up ? of_y_up[model_axis] : model_axis;
}

box pose_box(const player *p)
{
    const md2_pose pose = md2_player_pose(&p->md2);
    if (viewer.models[0].md5) {
        pose_first_model(&p->md5);
        pose_other_models();
    }

    box all = empty_box;
    for (const model *m = viewer.models; m < models_end(); ++m) {
        box own;
        if (m->md2) md2_pose_bounds(m->md2, &pose, own.min, own.max);
        else md5_pose_bounds(m->md5, m->pose, own.min, own.max);
        extend_box(&all, &own);
    }
    return all;
}

/* Returns pose_box in the axes of the world, with Z up. */
static box upright_pose_box(const player *p)
{
    box own = pose_box(p), upright;
    for (int axis = 0; axis < 3; ++axis) {
        upright.min[world_axis(axis)] = own.min[axis];
        upright.max[world_axis(axis)] = own.max[axis];
    }
    return upright;
}

/* Extends `bounds` by the poses of a clip, and replaces `widest` if a pose is wider. */
static void measure_clip(const clip *c, box *bounds, box *widest)
{
    double length = clip_length(c);
    double frames = length * c->fps;

    /* Poses are measured at each frame, or at 64 times if there are more frames. */
    int steps = frames < 64 ? (int)ceil(frames) : 64;
    for (int i = 0; i <= steps; ++i) {
        player p = { 0 };
        double time = steps > 0 ? length * i / steps : 0;
        play_clip(&p, c, time, 0);

        box b = upright_pose_box(&p);
        extend_box(bounds, &b);
        if (box_width(&b) > box_width(widest)) *widest = b;
    }
}

/* Returns the box of all poses of `count` clips, starting at `first` and wrapping around. */
static box measure_clips(int first, int count, bool *root_moves_far)
{
    box bounds = empty_box;
    box widest = { { 0 }, { 0 } };
    for (int i = 0; i < count; ++i) {
        measure_clip(&viewer.clips[(first + i) % viewer.clip_count], &bounds, &widest);
    }

    /* If the root moves far, the camera follows it, and the box is as wide as the widest pose. */
    *root_moves_far = box_width(&bounds) > 3 * box_width(&widest);
    if (*root_moves_far) {
        for (int axis = 0; axis < 2; ++axis) {
            bounds.min[axis] = widest.min[axis];
            bounds.max[axis] = widest.max[axis];
        }
    }
    return bounds;
}

static void measure_motion_box(void)
{
    if (!viewer.model_count) return;

    int count = viewer.mixed ? viewer.crowd : 1; /* number of clips that play */
    if (count > viewer.clip_count) count = viewer.clip_count;
    viewer.motion_box = measure_clips(viewer.clip, count, &viewer.root_moves_far);
}

static void measure_body_box(void)
{
    bool root_moves_far;
    viewer.body_box = measure_clips(viewer.first_clip, 1, &root_moves_far);

    float height = viewer.body_box.max[2] - viewer.body_box.min[2];
    float diagonal = hypotf(box_width(&viewer.body_box), height);
    viewer.radius = 0.5f * diagonal + 1e-6f; /* not 0, even for a single point */
}

/* Moves the boxes with a character whose root moves far. */
void follow_root(void)
{
    if (!viewer.root_moves_far || !viewer.model_count) return;

    box b = upright_pose_box(&viewer.players[0]);
    move_box(&viewer.motion_box, &b);
    move_box(&viewer.body_box, &b);
    camera.settled = false;           /* a smooth camera would lag behind */
}

/* -- Formation --------------------------------------------------------------------------------- */

void play_clips(bool crossfade)
{
    if (viewer.scene) {
        viewer.scene = NULL;
        viewer.night = viewer.night > 0.5f ? 1 : 0; /* a scene can leave a value in between */
    }

    /* A fade would never end while paused, and before the first frame there is no pose to fade
       from. */
    bool  fades = crossfade && !viewer.paused && timing.frame > 0;
    float fade_seconds = fades ? CROSSFADE_SECONDS : 0;

    for (int i = 0; i < count_characters(); ++i) {
        int         shift = viewer.mixed ? i : 0;
        const clip *c = &viewer.clips[(viewer.clip + shift) % viewer.clip_count];

        /* Multiples of the golden ratio, modulo 1, spread start times evenly over the animation. */
        double offset = fmod(i * GOLDEN_RATIO, 1) * clip_length(c);
        play_clip(&viewer.players[i], c, viewer.time + offset, fade_seconds);
    }
    measure_motion_box();
}

/* Places a character. The first character is at the origin. The rows of the others are behind it
   along -X, and it is in front of the middle of the rows. */
static void place_character(int character, float transform[16])
{
    float x = 0, y = 0;
    if (character > 0) {
        int   row = (character - 1) / crowd_side();
        int   column = (character - 1) % crowd_side();
        float middle_column = 0.5f * (float)(crowd_side() - 1);
        x = -(float)(row + 1) * crowd_spacing();
        y = ((float)column - middle_column) * crowd_spacing();
    }

    for (int axis = 0; axis < 3; ++axis) transform[4 * axis + world_axis(axis)] = 1;
    transform[12] = x;
    transform[13] = y;
    transform[14] = -camera.floor;
    transform[15] = 1;
}

float character_random(int character, unsigned which)
{
    unsigned noise = (unsigned)character * 2654435761u;
    return (float)(noise >> 8 * which & 255) / 255;
}

void choose_tint(unsigned rgb, float tint[4])
{
    for (int i = 0; i < 3; ++i) {
        unsigned shift = 16 - 8 * (unsigned)i; /* 16: red, 8: green, 0: blue */
        tint[i] = (float)(rgb >> shift & 255) / 128;
    }
    tint[3] = 1;
}

void choose_character_tint(int character, float tint[4])
{
    static const unsigned tints[] = { 0xd0a050, 0x7090c8, 0xc87060, 0x80a870,
                                      0xa088c0, 0x60a8a0, 0x605868, 0xb08070 };
    int which = (int)(7.99f * character_random(character, 3));
    choose_tint(character == 0 ? 0x808080 : tints[which], tint);
}

/* Sets the number of characters and starts their animations. Without a model, it only stores the
   number. */
void form_crowd(int count)
{
    viewer.crowd = count;
    if (!viewer.model_count) return;

    size_t size = (size_t)count;
    viewer.players = allocate_again(viewer.players, size, sizeof(player));
    viewer.md2_instances = allocate_again(viewer.md2_instances, size, sizeof(md2_gl_instance));
    viewer.md5_instances = allocate_again(viewer.md5_instances, size, sizeof(md5_gl_instance));
    for (model *m = viewer.models; m < models_end(); ++m) {
        if (!m->md5) continue;
        m->palettes = allocate_again(m->palettes, size * m->md5->joint_count, 12 * sizeof(float));
    }

    measure_body_box();
    play_clips(false);
    reset_camera(camera.yaw);
}

void place_crowd(void)
{
    for (int i = 0; i < count_characters(); ++i) {
        md2_gl_instance *md2 = &viewer.md2_instances[i];
        md5_gl_instance *md5 = &viewer.md5_instances[i];
        choose_tint(0x808080, md2->tint);
        if (viewer.mixed) choose_character_tint(i, md2->tint);
        if (viewer.scene) viewer.scene->place(i, md2->tint, md2->transform);
        else place_character(i, md2->transform);

        /* Only an MD5 has bones, which are visible through the skin. */
        if (viewer.skeleton && viewer.models[0].md5) md2->tint[3] = 0.45f;

        memcpy(md5->tint, md2->tint, sizeof md5->tint);
        memcpy(md5->transform, md2->transform, sizeof md5->transform);
    }
}
