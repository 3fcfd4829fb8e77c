/* test_character FOLDER: the MD2 of the character there must be the skinned MD5, quantised, and
   md2_smooth_model must bring it nearer to that. All else about the character's files is in their
   hashes. Public domain. */
#define MD2_SMOOTH
#include "check.h"
#include "md2.h"
#include "md5.h"
#include "support.h"

typedef struct comparison {           /* arrays are [frame][vertex][3] */
    const md2_model *model;
    size_t           row;             /* floats a frame */
    float           *truth, *true_normals, *shown, *normals;
} comparison;

typedef struct deviation {            /* sums over coordinates, in steps, and their numbers */
    double error, jitter, slow_jitter, angle;
    double errors, jitters, slow_jitters, angles;
    double worst_error, worst_angle;
} deviation;

static const char *path_of(const char *folder, const char *name, const char *extension)
{
    static char path[1024];
    snprintf(path, sizeof path, "%s/%s%s", folder, name, extension);
    return path;
}

/* -- The truth: the MD5 at each frame, by the MD2's vertices ----------------------------------- */

/* Corner by corner, since the formats weld in their own ways. */
static void skin_frame(comparison *c, const md5_model *robot, const md5_xform *pose, uint32_t frame)
{
    const md5_mesh *body = &robot->meshes[0];
    float *positions = (float *)malloc_or_abort(body->vertex_count * 6 * sizeof *positions);
    float *normals = positions + 3 * body->vertex_count;
    md5_pose_vertices(robot, 0, pose, positions, 0, normals, 0, NULL, 0);
    for (uint32_t i = 0; i < body->index_count; ++i) {
        size_t to = frame * c->row + 3 * c->model->indices[i], from = 3 * body->indices[i];
        memcpy(c->truth + to, positions + from, 3 * sizeof(float));
        memcpy(c->true_normals + to, normals + from, 3 * sizeof(float));
    }
    free(positions);
}

static void find_truth(comparison *c, const md5_model *robot, const char *folder)
{
    md5_xform *pose = (md5_xform *)malloc_or_abort(robot->joint_count * sizeof *pose);
    CHECK_EQ(c->model->anim_count, 20);
    for (uint32_t i = 0; i < c->model->anim_count; ++i) {
        const md2_anim *baked = &c->model->anims[i];
        md5_error       error;
        md5_anim *anim = md5_load_anim_file(path_of(folder, baked->name, ".md5anim"), NULL, &error);
        check_subject(baked->name);
        if (CHECK(anim && md5_check_anim(robot, anim, &error) == MD5_OK)) {
            for (uint32_t k = 0; k < baked->count; ++k) {
                md5_pose_at(anim, MD5_ONCE, k / 10.0, pose);
                md5_pose_to_model_space(robot, pose, pose);
                skin_frame(c, robot, pose, baked->first + k);
            }
        }
        md5_free_anim(anim);
    }
    check_subject("");
    free(pose);
}

/* -- The MD2 against it ------------------------------------------------------------------------ */

static double offset_at(const comparison *c, uint32_t frame, size_t i)
{
    size_t at = frame * c->row + i;
    double scale = (double)c->model->frames[frame].scale[i % 3];
    return ((double)c->shown[at] - (double)c->truth[at]) / scale;
}

static void add_errors(const comparison *c, uint32_t frame, deviation *sum)
{
    for (size_t i = 0; i < c->row; ++i, sum->errors += 1) {
        double error = offset_at(c, frame, i);
        sum->error += error * error;
        sum->worst_error = fmax(sum->worst_error, fabs(error));
    }
    for (size_t i = 0; i < c->row; i += 3, sum->angles += 1) {
        const float *a = c->normals + frame * c->row + i, *b = c->true_normals + frame * c->row + i;
        double       cosine = (double)a[0] * (double)b[0] + (double)a[1] * (double)b[1] +
                        (double)a[2] * (double)b[2];
        double angle = acos(fmax(-1, fmin(1, cosine))) * 57.29577951308232;
        sum->angle += angle;
        sum->worst_angle = fmax(sum->worst_angle, angle);
    }
}

/* A vertex is slow where it moves by less than a step from frame to frame. */
static bool is_slow(const comparison *c, uint32_t frame, size_t vertex)
{
    double squared[2] = { 0, 0 };
    for (uint32_t i = 0; i < 6; ++i) {
        size_t at = (frame - 1 + i / 3) * c->row + 3 * vertex + i % 3;
        double way = ((double)c->truth[at + c->row] - (double)c->truth[at]) /
                     (double)c->model->frames[frame].scale[i % 3];
        squared[i / 3] += way * way;
    }
    return squared[0] < 1 && squared[1] < 1;
}

static void add_jitter(const comparison *c, uint32_t frame, deviation *sum)
{
    for (size_t i = 0; i < c->row; ++i) {
        double change = offset_at(c, frame - 1, i) - 2 * offset_at(c, frame, i) +
                        offset_at(c, frame + 1, i);
        bool slow = is_slow(c, frame, i / 3);
        sum->jitter += change * change;
        sum->jitters += 1;
        sum->slow_jitter += slow ? change * change : 0;
        sum->slow_jitters += slow ? 1 : 0;
    }
}

/* Root mean squares, and the mean angle in degrees. */
static deviation measure(comparison *c, const md2_model *model)
{
    deviation sum;
    memset(&sum, 0, sizeof sum);
    c->model = model;
    for (uint32_t k = 0; k < model->anim_count; ++k) {
        uint32_t first = model->anims[k].first, last = first + model->anims[k].count - 1;
        for (uint32_t frame = first; frame <= last; ++frame) {
            md2_pose pose = md2_pose_between(frame, frame, 0);
            size_t   at = frame * c->row;
            md2_pose_vertices(model, &pose, c->shown + at, 0, c->normals + at, 0);
            add_errors(c, frame, &sum);
        }
        for (uint32_t frame = first + 1; frame < last; ++frame) add_jitter(c, frame, &sum);
    }
    sum.error = sqrt(sum.error / sum.errors);
    sum.jitter = sqrt(sum.jitter / sum.jitters);
    sum.slow_jitter = sqrt(sum.slow_jitter / fmax(1, sum.slow_jitters));
    sum.angle /= sum.angles;
    return sum;
}

static void test_smoothing(comparison *c, const md2_model *stored, const md2_model *smoothed)
{
    deviation before = measure(c, stored), after = measure(c, smoothed);
    printf("in steps: slow jitter %.3f -> %.3f, all jitter %.3f -> %.3f, error %.3f -> %.3f, "
           "normals %.2f -> %.2f degrees\n",
           before.slow_jitter, after.slow_jitter, before.jitter, after.jitter, before.error,
           after.error, before.angle, after.angle);
    CHECK_FLOOR(before.errors, 600000, "coordinates compared");
    CHECK_FLOOR(before.slow_jitters, 50000, "coordinates that move slowly");
    CHECK(before.worst_error <= 0.501);
    CHECK(before.worst_angle <= 14);
    CHECK(after.slow_jitter <= 0.2 * before.slow_jitter);
    CHECK(after.jitter <= 0.45 * before.jitter);
    CHECK(after.error <= 0.5 * before.error);
    CHECK(after.angle <= 3);
}

int main(int argc, char **argv)
{
    const char *folder = argc > 1 ? argv[1] : ".";
    md2_model  *stored = md2_load_file(path_of(folder, "tris", ".md2"), NULL, NULL);
    md2_model  *smoothed = md2_smooth_model(stored, NULL, NULL);
    md5_model  *robot = md5_load_model_file(path_of(folder, "robot", ".md5mesh"), NULL, NULL);
    if (CHECK(smoothed && robot && stored->index_count == robot->meshes[0].index_count)) {
        comparison c = { stored, 3 * (size_t)stored->vertex_count, NULL, NULL, NULL, NULL };
        size_t     size = c.row * stored->frame_count;
        c.truth = (float *)malloc_or_abort(4 * size * sizeof(float));
        c.true_normals = c.truth + size;
        c.shown = c.truth + 2 * size;
        c.normals = c.truth + 3 * size;
        find_truth(&c, robot, folder);
        test_smoothing(&c, stored, smoothed);
        free(c.truth);
    }
    md2_free_model(smoothed);
    md2_free_model(stored);
    md5_free_model(robot);
    return check_finish();
}
