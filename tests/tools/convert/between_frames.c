/* between_frames.c - the positions of the points between two frames. Public domain.

   A program that draws an MD5 between two frames interpolates each bone's rotation relative to its
   parent, and the position of its joint relative to its parent's joint. The fit uses only the
   frames, and a flat panel of a few points fits nearly as well if it is rotated by half a turn. So a
   cape can be right in two frames and far away between them.

   A bone that slides fits its frames with any parent and any joint, so this file chooses the parent
   and the joint that give the best positions halfway between frames. If the joint is in the middle of
   the panel's points, half a turn rotates the panel in place; about a joint farther away, it would
   fling the panel around.

   Some bones do not follow their parent between two frames: a character falls apart, or kneels while
   the feet stay where they are. If the hips rotate by 90 degrees and a foot stays, the path of the foot
   in the axes of the hips is an arc, but the interpolation takes the chord, so the foot is moved by up
   to 0.3 times its distance from the hips. Such a bone gets a steady joint as its parent: it moves with
   the joint of the old parent, but it never rotates, so the bone moves in straight lines. In the
   animations of other models nothing moves the steady joint, so the bone follows its old parent.

   A joint that is far from the points of its bone is moved to them, and the bone slides. A bone rotates
   about its joint if a head is aimed or an animation is borrowed, so a far joint would tear it off. */
#include "bones.h"
#include "convert.h"

#include <stdlib.h>
#include <string.h>

/* Returns the rotation of a joint and its position. */
static rigid_transform joint_pose(const motion *m, const rig *r, uint32_t bone, uint32_t frame)
{
    const rigid_transform *t = &transforms_of(m, r, bone)[frame];
    rigid_transform        pose;
    pose.rotation = times(t->rotation, transposed(r->bind[bone].rotation));
    pose.translation = transform_point(t, r->joints[bone]);
    return pose;
}

rigid_transform local_pose(const motion *m, const rig *r, uint32_t bone, uint32_t frame)
{
    rigid_transform pose = joint_pose(m, r, bone, frame);
    if (r->parents[bone] < 0) return pose;

    uint32_t        above = (uint32_t)r->parents[bone];
    rigid_transform parent = joint_pose(m, r, above, frame);
    vec3            offset = minus(pose.translation, parent.translation);
    pose.rotation = transposed_times(parent.rotation, pose.rotation);
    if (r->slides[bone]) {
        pose.translation = rotate_back(parent.rotation, offset);
    } else {
        offset = minus(r->joints[bone], r->joints[above]);
        pose.translation = rotate(r->bind[above].rotation, offset);
    }
    return pose;
}

/* -- Halfway ----------------------------------------------------------------------------------- */

/* Sets the transform of each bone halfway between a frame and the next one. */
static void set_halfway_transforms(const motion *m, const rig *r, uint32_t frame,
                                   rigid_transform halfway[MOST_BONES])
{
    rigid_transform poses[MOST_BONES];
    for (uint32_t b = 0; b < r->bone_count; ++b) {
        rigid_transform first = local_pose(m, r, b, frame);
        rigid_transform second = local_pose(m, r, b, m->after[frame]);
        poses[b].rotation = halfway_rotation(first.rotation, second.rotation);
        poses[b].translation = scaled(add(first.translation, second.translation), 0.5);
        if (r->parents[b] >= 0) {
            const rigid_transform *parent = &poses[r->parents[b]];
            poses[b].rotation = times(parent->rotation, poses[b].rotation);
            poses[b].translation = transform_point(parent, poses[b].translation);
        }
        halfway[b].rotation = times(poses[b].rotation, r->bind[b].rotation);
        halfway[b].translation = minus(poses[b].translation,
                                       rotate(halfway[b].rotation, r->joints[b]));
    }
}

typedef struct halfway_point {
    double off;                       /* distance from the middle of its positions in both frames */
    double distance;                  /* between these positions */
} halfway_point;

static halfway_point measure_point(const motion *m, const rig *r, uint32_t point, uint32_t frame,
                                   const rigid_transform *halfway)
{
    const point_weights *w = &r->weights[point];
    const vec3          *posed = r->posed + (size_t)point * m->frame_count;
    vec3                 first = posed[frame], second = posed[m->after[frame]];
    vec3                 position = make_vec3(0, 0, 0);
    for (uint32_t i = 0; i < w->count; ++i) {
        vec3 part = transform_point(&halfway[w->bone[i]], r->rest[point]);
        position = add(position, scaled(part, w->weight[i]));
    }
    halfway_point result;
    result.off = length_of(minus(position, scaled(add(first, second), 0.5)));
    result.distance = length_of(minus(second, first));
    return result;
}

/* Returns the part of p.off that a rotation cannot explain. A point that rotates by up to half a turn
   is off the straight line by at most half the distance. */
static double error_of_halfway(halfway_point p)
{
    return fmax(0, p.off - 0.5 * p.distance);
}

static int compare_errors(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    if (x < y) return -1;
    return x > y ? 1 : 0;
}

halfway_errors find_halfway_errors(const motion *m, const rig *r)
{
    halfway_errors result = { 0, 0, 0, 0 };
    size_t         count = 0;
    double        *errors = (double *)allocate((size_t)m->point_count * m->frame_count + 1,
                                               sizeof *errors);
    for (uint32_t f = 0; f < m->frame_count; ++f) {
        rigid_transform halfway[MOST_BONES];
        if (m->after[f] == f) continue;
        set_halfway_transforms(m, r, f, halfway);
        for (uint32_t p = 0; p < m->point_count; ++p) {
            double error = error_of_halfway(measure_point(m, r, p, f, halfway)) / m->step;
            errors[count++] = error;
            if (!(error > result.farthest)) continue;
            result.farthest = error;
            result.point = p;
            result.frame = f;
        }
    }
    qsort(errors, count, sizeof *errors, compare_errors);
    if (count > 0) result.nearly_all = errors[(size_t)(0.99 * (double)(count - 1))];
    release(errors);
    return result;
}

/* -- Parents and joints of bones that slide ---------------------------------------------------- */

/* Marks the points that follow a bone or a descendant of it. */
static void mark_points(const motion *m, const rig *r, uint32_t bone, bool *is_marked)
{
    bool is_below[MOST_BONES] = { false };
    is_below[bone] = true;
    for (uint32_t b = bone + 1; b < r->bone_count; ++b) {
        is_below[b] = r->parents[b] >= 0 && is_below[r->parents[b]];
    }
    for (uint32_t p = 0; p < m->point_count; ++p) {
        is_marked[p] = false;
        for (uint32_t i = 0; i < r->weights[p].count; ++i) {
            if (is_below[r->weights[p].bone[i]]) is_marked[p] = true;
        }
    }
}

typedef struct halfway_cost {
    double sum;                       /* of the squared errors */
    double visible;                   /* sum of the squares of the parts that can be seen */
} halfway_cost;

/* Measures the errors of the marked points. A small fraction of their distances from the middle is added
   to the sum, which decides between joints that cause no error. Errors in stand, run and attack count
   more than errors in deaths, which are seen once. */
static halfway_cost measure_cost(const motion *m, const rig *r, const bool *is_marked)
{
    const double part = 0.02, typical_importance = 30, visible = 10 * m->step;
    halfway_cost cost = { 0, 0 };
    for (uint32_t f = 0; f < m->frame_count; ++f) {
        rigid_transform halfway[MOST_BONES];
        double          importance = is_typical_frame(m, f) ? typical_importance : 1;
        if (m->after[f] == f) continue;
        set_halfway_transforms(m, r, f, halfway);
        for (uint32_t p = 0; p < m->point_count; ++p) {
            if (!is_marked[p]) continue;
            halfway_point point = measure_point(m, r, p, f, halfway);
            double        error = error_of_halfway(point);
            double        seen = fmax(0, error - visible);
            cost.sum += importance * (error * error + part * point.off * point.off);
            cost.visible += seen * seen;
        }
    }
    return cost;
}

bool is_limb(const rig *r, uint32_t bone)
{
    if (r->names[bone][0] && !strstr(r->names[bone], "_helper")) return true;
    for (uint32_t b = bone + 1; b < r->bone_count; ++b) {
        if (r->parents[b] == (int32_t)bone && is_limb(r, b)) return true;
    }
    return false;
}

/* Returns a joint position near the points of a bone: a joint that is far away from all of them is moved
   toward the nearest. The motion determines a closed joint and the joint of a limb, so these joints may be
   farther away. */
static vec3 move_near_points(const motion *m, const rig *r, uint32_t bone, vec3 joint)
{
    const bool   is_known = !r->slides[bone] || is_limb(r, bone);
    const double most = (is_known ? 0.18 : 0.06) * size_of_rest(m, r);
    double       least = HUGE_VAL;
    vec3         nearest = joint;
    for (uint32_t p = 0; p < m->point_count; ++p) {
        double distance = length_of(minus(r->rest[p], joint));
        if (r->weights[p].bone[0] != bone || !(distance < least)) continue;
        least = distance;
        nearest = r->rest[p];
    }
    if (!(least < HUGE_VAL) || least <= most) return joint;
    return add(nearest, scaled(minus(joint, nearest), most / least));
}

/* A bone is never attached above the nearest limb, because it would not follow that limb in animations of
   other models. The joint of a limb keeps the position that the motion determines, because the joint
   determines the direction of the limb. */
double attach_bone(const motion *m, rig *r, uint32_t bone)
{
    const double better = 0.9;        /* each change has to save a tenth */
    int32_t      best_parent = r->parents[bone];
    vec3         best_joint, joints[2];
    uint32_t     joint_count = is_limb(r, bone) ? 1 : 2;
    r->joints[bone] = best_joint = joints[0] = move_near_points(m, r, bone, r->joints[bone]);
    joints[1] = center_of(m, r, bone);
    bool *is_marked = (bool *)allocate(m->point_count, sizeof *is_marked);
    mark_points(m, r, bone, is_marked);

    double least = measure_cost(m, r, is_marked).sum;
    for (int32_t a = r->parents[bone]; a >= 0; a = r->parents[a]) {
        r->parents[bone] = a;
        for (uint32_t i = 0; i < joint_count; ++i) {
            r->joints[bone] = joints[i];
            double sum = measure_cost(m, r, is_marked).sum;
            if (!(sum < better * least)) continue;
            least = sum;
            best_parent = a;
            best_joint = joints[i];
        }
        if (is_limb(r, (uint32_t)a)) break;
    }
    r->parents[bone] = best_parent;
    r->joints[bone] = best_joint;
    release(is_marked);
    return least;
}

/* -- Steady joints ----------------------------------------------------------------------------- */

/* Inserts a steady joint between a bone that slides and its parent. The joint gets the number of the bone,
   and the number of the bone increases by 1. */
static void insert_steady_joint(const motion *m, rig *r, uint32_t bone)
{
    uint32_t               added = r->bone_count++, above = (uint32_t)r->parents[bone];
    const rigid_transform *parent = transforms_of(m, r, above);
    rigid_transform       *own = transforms_of(m, r, added);
    r->joints[added] = r->joints[above];
    for (uint32_t f = 0; f < m->frame_count; ++f) {
        own[f].rotation = diagonal(1);
        own[f].translation = minus(transform_point(&parent[f], r->joints[above]), r->joints[above]);
    }
    r->parents[added] = (int32_t)above;
    r->slides[added] = false;
    r->bind[added].rotation = diagonal(1);
    r->names[added][0] = 0;
    r->parents[bone] = (int32_t)added;

    uint32_t order[MOST_BONES];
    for (uint32_t b = 0; b < r->bone_count; ++b) order[b] = b <= bone ? b : b - 1;
    order[bone] = added;
    renumber_bones(m, r, order, r->bone_count);
}

static void remove_steady_joint(const motion *m, rig *r, uint32_t steady)
{
    uint32_t order[MOST_BONES], count = 0;
    for (uint32_t b = 0; b < r->bone_count; ++b) {
        if (b != steady) order[count++] = b;
    }
    renumber_bones(m, r, order, count);
}

/* Like each number in the file, the three numbers of a steady joint in each frame must save their cost. The
   children of a bone share its steady joint. */
void add_steady_joints(const motion *m, rig *r, uint32_t first)
{
    const double cost = COST_OF_NUMBER * 3 * m->frame_count * noise_of(m);
    int32_t      steady_joints[MOST_BONES]; /* of the bones before `b`; or -1 */
    bool        *is_marked = (bool *)allocate(m->point_count, sizeof *is_marked);
    for (uint32_t b = 0; b < MOST_BONES; ++b) steady_joints[b] = -1;
    for (uint32_t b = first; b < r->bone_count && r->bone_count < MOST_BONES; ++b) {
        int32_t above = r->parents[b];
        if (above < 0) continue;

        mark_points(m, r, b, is_marked);
        double before = measure_cost(m, r, is_marked).visible;
        if (!(before > cost)) continue;

        bool slides = r->slides[b], is_new = steady_joints[above] < 0;
        r->slides[b] = true;
        if (is_new) insert_steady_joint(m, r, b);
        else r->parents[b] = steady_joints[above];
        if (before - measure_cost(m, r, is_marked).visible > cost) {
            if (is_new) steady_joints[above] = (int32_t)b++;
            continue;
        }
        if (is_new) remove_steady_joint(m, r, b);
        r->parents[b] = above;
        r->slides[b] = slides;
    }
    release(is_marked);
}

void attach_sliding_bones(const motion *m, rig *r)
{
    for (uint32_t b = 0; b < r->bone_count; ++b) {
        if (r->parents[b] < 0) continue;

        vec3 joint = move_near_points(m, r, b, r->joints[b]);
        if (length_of(minus(joint, r->joints[b])) > 0) r->slides[b] = true;
        if (r->slides[b]) attach_bone(m, r, b);
    }
}
