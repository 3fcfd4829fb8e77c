/* bind_pose.c - the bind pose of a skeleton that was found. Public domain.

   The bind pose of a humanoid is the canonical pose of humanoid.h, in which the axes of each joint are
   the axes of the model. So a rotation of a joint has the same effect in all humanoids, and an
   animation made for one also fits the others. The bind pose of a model without names is its most
   upright frame.

   Neither the weights nor the positions in any frame depend on the bind pose. */
#include "bones.h"
#include "convert.h"
#include "humanoid.h"

#include <string.h>

static bool is_in_anim(const motion *m, uint32_t frame, const char *word)
{
    return strncmp(m->anim_names[frame], word, strlen(word)) == 0;
}

bool is_typical_frame(const motion *m, uint32_t frame)
{
    return is_in_anim(m, frame, "stand") || is_in_anim(m, frame, "run") || is_in_anim(m, frame, "att");
}

/* Returns the frame in which the center of the points is highest above the lowest point. If the model
   stands, runs or attacks, only these frames count, because a model may stretch in a jump. */
static uint32_t most_upright_frame(const motion *m, vec3 up)
{
    uint32_t best = 0, typical = 0;
    double   most = -1;
    for (uint32_t f = 0; f < m->frame_count; ++f) typical += is_typical_frame(m, f);
    for (uint32_t f = 0; f < m->frame_count; ++f) {
        double sum = 0, lowest = HUGE_VAL;
        if (typical > 0 && !is_typical_frame(m, f)) continue;
        for (uint32_t p = 0; p < m->point_count; ++p) {
            double height = dot(m->positions[(size_t)p * m->frame_count + f], up);
            sum += height;
            lowest = fmin(lowest, height);
        }
        double height = sum / m->point_count - lowest;
        if (!(height > most)) continue;
        most = height;
        best = f;
    }
    return best;
}

/* Sets the mean rotation of a bone in the frames in which a player stands, runs or attacks, or, if `is_run`, only in the
   frames in which the player runs. Returns false if there are no such frames. */
static bool find_mean_rotation(const motion *m, const rig *r, uint32_t bone, bool is_run, mat3 *mean)
{
    const rigid_transform *transforms = transforms_of(m, r, bone);
    mat3                   sum = diagonal(0);
    uint32_t               count = 0;
    for (uint32_t f = 0; f < m->frame_count; ++f) {
        bool is_wanted = is_run ? is_in_anim(m, f, "run") : is_typical_frame(m, f);
        if (!is_wanted) continue;
        sum = add_mat3(sum, transforms[f].rotation);
        ++count;
    }
    *mean = best_rotation(sum, transforms[0].rotation);
    return count > 0;
}

/* Returns the rotation in which the head looks straight ahead. A player that stands or attacks may hold the body and
   the head aside, but a player that runs looks ahead, so the heading is the mean in the run. */
static mat3 rotation_ahead(const motion *m, const rig *r, uint32_t head)
{
    mat3   mean, run;
    double q[4];
    if (!find_mean_rotation(m, r, head, false, &mean)) return transforms_of(m, r, head)[0].rotation;
    if (!find_mean_rotation(m, r, head, true, &run)) return mean;

    quaternion_of(times(run, transposed(mean)), q);
    vec3 up = r->axes.z;
    double yaw = 2 * atan2(dot(make_vec3(q[0], q[1], q[2]), up), q[3]);
    return times(rotation_about(scaled(up, yaw)), mean);
}

/* Returns the first frame in which the model stands, runs or attacks, or 0 if there is no such frame. */
static uint32_t first_typical_frame(const motion *m)
{
    for (uint32_t f = 0; f < m->frame_count; ++f) {
        if (is_typical_frame(m, f)) return f;
    }
    return 0;
}

static vec3 joint_in(const motion *m, const rig *r, uint32_t bone, uint32_t frame)
{
    return transform_point(&transforms_of(m, r, bone)[frame], r->joints[bone]);
}

/* Finds the axes about which the elbows and knees bend, in a frame. A limb that is nearly straight, or rotated aside,
   hardly shows its axis, so the axis relative to each bone is the mean over all frames. Each frame counts as much as the
   limb bends in it. Both knees bend to the same side, so the sum over both decides which way their axes point. */
static void find_hinges(const motion *m, const rig *r, const uint32_t bones[ROLE_COUNT], uint32_t frame,
                        vec3 hinges[ROLE_COUNT])
{
    const uint32_t *thighs = &bones[THIGH];
    double leftward = 0;
    memset(hinges, 0, ROLE_COUNT * sizeof *hinges);
    for (int role = UPPER_ARM; role <= THIGH + RIGHT_SIDE; ++role) {
        uint32_t limb[3] = { bones[role], bones[role + SIDES], bones[role + 2 * SIDES] };
        bool     is_limb_start = role < FOREARM || role >= THIGH;
        if (!is_limb_start || limb[0] == NO_BONE || limb[1] == NO_BONE || limb[2] == NO_BONE) continue;
        for (uint32_t f = 0; f < m->frame_count; ++f) {
            vec3 at[3];
            for (int i = 0; i < 3; ++i) at[i] = joint_in(m, r, limb[i], f);
            vec3   upper = minus(at[1], at[0]), lower = minus(at[2], at[1]);
            double lengths = length_of(upper) * length_of(lower);
            if (!(lengths > 0)) continue;
            vec3 bend = scaled(cross(upper, lower), 1 / lengths);
            vec3 left = minus(joint_in(m, r, thighs[LEFT_SIDE], f), joint_in(m, r, thighs[RIGHT_SIDE], f));
            if (role >= THIGH) leftward += dot(bend, left);
            for (int i = 0; i < 2; ++i) {
                vec3 *sum = &hinges[role + i * SIDES];
                *sum = add(*sum, rotate_back(transforms_of(m, r, limb[i])[f].rotation, bend));
            }
        }
        for (int i = 0; i < 2; ++i) {
            vec3 *sum = &hinges[role + i * SIDES];
            *sum = rotate(transforms_of(m, r, limb[i])[frame].rotation, *sum);
        }
    }
    for (int role = THIGH; role <= SHIN + RIGHT_SIDE && leftward < 0; ++role) hinges[role] = scaled(hinges[role], -1);
}

static bool is_carried_by(const uint32_t *carriers, uint32_t above, uint32_t bone)
{
    while (bone != NO_BONE && bone != above) bone = carriers[bone];
    return bone == above;
}

/* The canonical pose is a frame whose limbs are straightened, so a helper has the same position
   relative to its parent as in this frame. Rest positions would not do: the fit may leave a helper at
   rest rotated by half a turn, because only the product of transform and rest position counts. */
static bool set_canonical_pose(const motion *m, rig *r)
{
    const uint32_t frame = first_typical_frame(m);
    const char *names[MOST_BONES];
    uint32_t    parents[MOST_BONES], carriers[MOST_BONES], bones[ROLE_COUNT];
    mat3        rotations[MOST_BONES];
    vec3        positions[MOST_BONES], joints[MOST_BONES], hinges[ROLE_COUNT];
    for (uint32_t b = 0; b < r->bone_count; ++b) {
        names[b] = r->names[b];
        parents[b] = r->parents[b] >= 0 ? (uint32_t)r->parents[b] : NO_BONE;
        joints[b] = transform_point(&transforms_of(m, r, b)[frame], r->joints[b]);
    }
    bone_tree tree = { r->bone_count, names, parents, NULL };
    find_roles(&tree, bones);
    if (!is_humanoid(bones)) return false;

    find_carriers(&tree, bones, carriers);
    tree.parents = carriers;
    find_hinges(m, r, bones, frame, hinges);
    find_canonical_pose(&tree, bones, transposed(r->axes), joints, hinges, rotations, positions);
    for (uint32_t b = 0; b < r->bone_count; ++b) {
        rotations[b] = times(rotations[b], transforms_of(m, r, b)[frame].rotation);
    }

    /* Let the head look straight ahead in the bind pose. Then a head that md5_pose_aim aims looks at its target. */
    uint32_t head = bones[HEAD];
    mat3     change = times(rotation_ahead(m, r, head), transposed(rotations[head]));
    for (uint32_t b = 0; b < r->bone_count; ++b) {
        if (!is_carried_by(carriers, head, b)) continue;
        vec3 offset = minus(positions[b], positions[head]);
        positions[b] = add(positions[head], rotate(change, offset));
        rotations[b] = times(change, rotations[b]);
    }

    for (uint32_t b = 0; b < r->bone_count; ++b) {
        r->bind[b].rotation = rotations[b];
        r->bind[b].translation = minus(positions[b], rotate(rotations[b], r->joints[b]));
    }
    return true;
}

void choose_bind_pose(const motion *m, rig *r)
{
    if (set_canonical_pose(m, r)) return;
    uint32_t frame = most_upright_frame(m, r->axes.z);
    for (uint32_t b = 0; b < r->bone_count; ++b) r->bind[b] = transforms_of(m, r, b)[frame];
}
