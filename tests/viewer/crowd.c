/* crowd.c - plays, poses and draws any number of characters of the same models. Public domain. */
#include "viewer.h"

#define CROSSFADE_SECONDS 0.25f

int crowd_rows(void) { return (int)ceil(sqrt(viewer.crowd)); }

static float box_width(const box *b)
{
    return fmaxf(b->max[0] - b->min[0], b->max[1] - b->min[1]);
}

float crowd_spacing(void) { return 1.1f * box_width(&viewer.body); }

float crowd_depth(void) { return (float)(crowd_rows() - 1) * crowd_spacing(); }

/* -- Playback ---------------------------------------------------------------------------------- */

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

/* Further models take the joints of the first that have the same names: a sword follows a hand. */
static void pose_joints(const md5_player *p)
{
    const model *lead = &viewer.models[0];
    md5_player_pose(lead->md5, p, lead->pose, lead->scratch);
    md5_pose_to_model_space(lead->md5, lead->pose, lead->pose);
    for (const model *m = lead + 1; m < lead + viewer.model_count; ++m) {
        for (uint32_t i = 0; i < m->md5->joint_count; ++i) {
            int joint = m->leading_joints[i];
            m->pose[i] = joint < 0 ? m->md5->joints[i].bind : lead->pose[joint];
        }
    }
}

void pose_character(int character)
{
    const player *p = &viewer.players[character];
    if (viewer.models[0].md2) {
        viewer.md2_instances[character].pose = md2_player_pose(&p->md2);
        return;
    }
    pose_joints(&p->md5);
    for (const model *m = viewer.models; m < viewer.models + viewer.model_count; ++m) {
        size_t size = (size_t)m->md5->joint_count * 12;
        md5_pose_palette(m->md5, m->pose, m->palettes + (size_t)character * size);
    }
}

void advance_crowd(float seconds)
{
    double start = glfwGetTime();
    for (int i = 0; i < viewer.crowd && viewer.model_count; ++i) {
        if (has_cast()) play_member(i);
        else if (viewer.models[0].md2) md2_advance(&viewer.players[i].md2, seconds);
        else md5_advance(&viewer.players[i].md5, seconds);
        pose_character(i);
    }
    timing.posing_ms = 0.9 * timing.posing_ms + 100 * (glfwGetTime() - start);
}

/* One call for each mesh, for all characters. */
void draw_crowd(const float light[3], const float view_projection[16])
{
    md2_gl_scene scene2 = { 0.45f, { light[0], light[1], light[2] }, { 0 } };
    md5_gl_scene scene5 = { 0.45f, { light[0], light[1], light[2] }, { 0 } };
    size_t       count = (size_t)viewer.crowd;
    memcpy(scene2.view_projection, view_projection, sizeof scene2.view_projection);
    memcpy(scene5.view_projection, view_projection, sizeof scene5.view_projection);
    for (const model *m = viewer.models; m < viewer.models + viewer.model_count; ++m) {
        for (size_t i = 0; m->md5 && i < count; ++i) {
            viewer.md5_instances[i].palette = m->palettes + i * m->md5->joint_count * 12;
        }
        for (const mesh *part = m->meshes; part < m->meshes + m->mesh_count; ++part) {
            if (m->md2) {
                bool smooth = viewer.smooth && part->smooth.vao;
                md2_gl_draw(viewer.md2_gl, smooth ? &part->smooth : &part->md2, part->texture,
                            &scene2, viewer.md2_instances, count);
            } else {
                md5_gl_draw(viewer.md5_gl, &part->md5, part->texture, &scene5,
                            viewer.md5_instances, count);
            }
        }
    }
}

/* -- Bounds ------------------------------------------------------------------------------------ */

static const box empty_box = { { INFINITY, INFINITY, INFINITY },
                               { -INFINITY, -INFINITY, -INFINITY } };

static void extend_box(box *b, const box *other)
{
    for (int axis = 0; axis < 3; ++axis) {
        b->min[axis] = fminf(b->min[axis], other->min[axis]);
        b->max[axis] = fmaxf(b->max[axis], other->max[axis]);
    }
}

/* Of all models together; in their own axes, or Z up. */
box pose_box(const player *p, bool z_up)
{
    const md2_pose pose = md2_player_pose(&p->md2);
    box            b = empty_box, own;
    if (viewer.models[0].md5) pose_joints(&p->md5);
    for (const model *m = viewer.models; m < viewer.models + viewer.model_count; ++m) {
        if (m->md2) md2_pose_bounds(m->md2, &pose, own.min, own.max);
        else md5_pose_bounds(m->md5, m->pose, own.min, own.max);
        extend_box(&b, &own);
    }
    own = b;
    for (int axis = 0; z_up && axis < 3; ++axis) {
        b.min[(axis + viewer.y_up) % 3] = own.min[axis];
        b.max[(axis + viewer.y_up) % 3] = own.max[axis];
    }
    return b;
}

static void move_box(box *b, const box *around)
{
    for (int axis = 0; axis < 2; ++axis) {
        float half = (b->max[axis] - b->min[axis]) / 2;
        float middle = (around->min[axis] + around->max[axis]) / 2;
        b->min[axis] = middle - half;
        b->max[axis] = middle + half;
    }
}

/* Of so many animations, at each frame, or at 64 moments where there are more. If it goes far, the
   camera follows it: then the box is as wide as its widest pose. */
static box measure_clips(int first, int count, bool *travels)
{
    box reach = empty_box, widest = { { 0 }, { 0 } };
    for (int i = first; i < first + count; ++i) {
        const clip *c = &viewer.clips[i % viewer.clip_count];
        double      length = clip_length(c), frames = length * c->fps;
        int         steps = frames < 64 ? (int)ceil(frames) : 64;
        for (int k = 0; k <= steps; ++k) {
            player p = { 0 };
            play_clip(&p, c, steps ? length * k / steps : 0, 0);
            box b = pose_box(&p, true);
            extend_box(&reach, &b);
            if (box_width(&b) > box_width(&widest)) widest = b;
        }
    }
    *travels = box_width(&reach) > 3 * box_width(&widest);
    for (int axis = 0; *travels && axis < 2; ++axis) {
        reach.min[axis] = widest.min[axis];
        reach.max[axis] = widest.max[axis];
    }
    return reach;
}

static void measure_reach(void)
{
    int count = viewer.mixed ? viewer.crowd : 1;
    if (count > viewer.clip_count) count = viewer.clip_count;
    if (viewer.model_count) viewer.reach = measure_clips(viewer.clip, count, &viewer.travels);
}

void follow_traveller(void)
{
    if (!viewer.travels || !viewer.model_count) return;
    box b = pose_box(&viewer.players[0], true);
    move_box(&viewer.reach, &b);
    move_box(&viewer.body, &b);
    camera.settled = false;
}

/* -- Formation --------------------------------------------------------------------------------- */

/* Start times are spread evenly over the animation: multiples of the golden ratio, modulo 1. */
void play_clips(bool crossfade)
{
    float seconds = crossfade && !viewer.paused && timing.frame > 0 ? CROSSFADE_SECONDS : 0;
    for (int i = 0; i < viewer.crowd && viewer.model_count; ++i) {
        const clip *c = &viewer.clips[(viewer.clip + (viewer.mixed ? i : 0)) % viewer.clip_count];
        double      offset = fmod(i * 0.6180339887, 1) * clip_length(c);
        play_clip(&viewer.players[i], c, viewer.time + offset, seconds);
    }
    measure_reach();
}

static void measure_body(void)
{
    bool travels;
    viewer.body = measure_clips(viewer.first_clip, 1, &travels);
    float height = viewer.body.max[2] - viewer.body.min[2];
    viewer.radius = 0.5f * hypotf(box_width(&viewer.body), height) + 1e-6f;
}

/* Rows follow each other along -X. With Y up, the axes are permuted. */
static void place_character(int character, float transform[16])
{
    int rows = crowd_rows();
    for (int axis = 0; axis < 3; ++axis) transform[4 * axis + (axis + viewer.y_up) % 3] = 1;
    transform[12] = (float)(-character / rows) * crowd_spacing();
    transform[13] = ((float)(character % rows) - 0.5f * (float)(rows - 1)) * crowd_spacing();
    transform[14] = -camera.place[3];
    transform[15] = 1;
}

void form_crowd(int count)
{
    viewer.crowd = count;
    if (!viewer.model_count) return;
    size_t size = (size_t)count;
    viewer.players = allocate_again(viewer.players, size, sizeof(player));
    viewer.md2_instances = allocate_again(viewer.md2_instances, size, sizeof(md2_gl_instance));
    viewer.md5_instances = allocate_again(viewer.md5_instances, size, sizeof(md5_gl_instance));
    for (model *m = viewer.models; m < viewer.models + viewer.model_count && m->md5; ++m) {
        m->palettes = allocate_again(m->palettes, size * m->md5->joint_count, 12 * sizeof(float));
    }
    measure_body();
    play_clips(false);
    reset_camera(camera.yaw);
}

void place_crowd(void)
{
    for (int i = 0; i < viewer.crowd && viewer.model_count; ++i) {
        float *tint = viewer.md2_instances[i].tint, *transform = viewer.md2_instances[i].transform;
        if (has_cast()) place_member(i, tint, transform);
        else place_character(i, transform);
        memcpy(viewer.md5_instances[i].tint, tint, 4 * sizeof *tint);
        memcpy(viewer.md5_instances[i].transform, transform, 16 * sizeof *transform);
    }
}
