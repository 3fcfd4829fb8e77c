/* md2_smooth_model against the truth: the skinned MD5 from which the MD2 was rounded. Public
   domain. */
#define MD2_SMOOTH
#include "smooth.h"

#include "check.h"
#include "support.h"

typedef struct deviation {            /* sums over coordinates, in steps, and their numbers */
    double error, jitter, slow_jitter, angle;
    double errors, jitters, slow_jitters, angles;
} deviation;

typedef struct comparison {
    const md2_model *model;
    size_t           row;             /* floats a frame */
    const float     *truth;           /* [frame][vertex][3], as the others */
    float           *shown, *normals;
} comparison;

static double offset_at(const comparison *c, uint32_t frame, size_t i)
{
    size_t at = frame * c->row + i;
    return ((double)c->shown[at] - (double)c->truth[at]) / (double)c->model->frames[frame].scale[i % 3];
}

/* A vertex is slow where it moves by less than a step from frame to frame. */
static bool is_slow(const comparison *c, uint32_t frame, size_t vertex)
{
    double   squared[2] = { 0, 0 };
    for (uint32_t side = 0; side < 2; ++side) {
        for (uint32_t axis = 0; axis < 3; ++axis) {
            size_t at = (frame - 1 + side) * c->row + 3 * vertex + axis;
            double way = ((double)c->truth[at + c->row] - (double)c->truth[at]) /
                         (double)c->model->frames[frame].scale[axis];
            squared[side] += way * way;
        }
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
static deviation measure(comparison *c, const float *true_normals)
{
    deviation sum = { 0, 0, 0, 0, 0, 0, 0, 0 };
    for (uint32_t k = 0; k < c->model->anim_count; ++k) {
        uint32_t first = c->model->anims[k].first, last = first + c->model->anims[k].count - 1;
        for (uint32_t frame = first; frame <= last; ++frame) {
            md2_pose pose = md2_pose_between(frame, frame, 0);
            float   *normals = c->normals + frame * c->row;
            md2_pose_vertices(c->model, &pose, c->shown + frame * c->row, 0, normals, 0);
            for (size_t i = 0; i < c->row; ++i, sum.errors += 1) {
                sum.error += offset_at(c, frame, i) * offset_at(c, frame, i);
            }
            for (size_t i = 0; i < c->row; i += 3, sum.angles += 1) {
                const float *a = normals + i, *b = true_normals + frame * c->row + i;
                double cosine = (double)a[0] * (double)b[0] + (double)a[1] * (double)b[1] +
                                (double)a[2] * (double)b[2];
                sum.angle += acos(fmax(-1, fmin(1, cosine))) * 57.29577951308232;
            }
        }
        for (uint32_t frame = first + 1; frame < last; ++frame) add_jitter(c, frame, &sum);
    }
    sum.error = sqrt(sum.error / sum.errors);
    sum.jitter = sqrt(sum.jitter / sum.jitters);
    sum.slow_jitter = sqrt(sum.slow_jitter / fmax(1, sum.slow_jitters));
    sum.angle /= sum.angles;
    return sum;
}

void test_smoothing(const md2_model *stored, const float *truth, const float *true_normals)
{
    md2_model *smoothed = md2_smooth_model(stored, NULL, NULL);
    size_t     size = (size_t)stored->vertex_count * stored->frame_count * 3 * sizeof(float);
    comparison c;
    check_section("smoothing");
    if (!CHECK(smoothed != NULL)) return;
    c.model = stored;
    c.row = 3 * (size_t)stored->vertex_count;
    c.truth = truth;
    c.shown = (float *)malloc_or_abort(size);
    c.normals = (float *)malloc_or_abort(size);
    deviation before = measure(&c, true_normals);
    c.model = smoothed;
    deviation after = measure(&c, true_normals);
    printf("in steps: slow jitter %.3f -> %.3f, all jitter %.3f -> %.3f, error %.3f -> %.3f, "
           "normals %.2f -> %.2f degrees\n",
           before.slow_jitter, after.slow_jitter, before.jitter, after.jitter, before.error,
           after.error, before.angle, after.angle);
    CHECK_FLOOR(before.slow_jitters, 50000, "coordinates that move slowly");
    CHECK(after.slow_jitter <= 0.2 * before.slow_jitter);
    CHECK(after.jitter <= 0.45 * before.jitter);
    CHECK(after.error <= 0.5 * before.error);
    CHECK(after.angle <= 3);
    free(c.shown);
    free(c.normals);
    md2_free_model(smoothed);
}
