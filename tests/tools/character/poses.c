/* The joints of the character at any time of an animation, and its frames as the files store them. Public domain. */
#include "character.h"

/* Returns the transform of a joint relative to its parent: its bind position, and a rotation. */
static xform joint_transform(int joint, quat rotation)
{
    xform local = { sub(joint_bind(joint), joint_bind(character_joints[joint].parent)), rotation };
    return local;
}

static void pose_joint(xform world[JOINTS], int joint, quat rotation)
{
    world[joint] = compose(world[character_joints[joint].parent], joint_transform(joint, rotation));
}

static quat rotation_of_angles(double lean, double nod, double turn_left)
{
    return multiply(rotation_z(turn_left), multiply(rotation_y(nod), rotation_x(lean)));
}

static void pose_trunk(const double c[CHANNELS], xform world[JOINTS])
{
    vec middle = v3(0, 0, c[FREE] * 8);          /* the body rotates about its center when in the air */
    world[ROOT].position = v3(0, 0, 0);
    world[ROOT].rotation = no_rotation();
    pose_joint(world, HIPS, rotation_of_angles(c[ROLL], c[PITCH], c[YAW]));
    world[HIPS].position = add(world[HIPS].position, add(v3(c[HIP_X], c[HIP_Y], c[HIP_Z]),
                               sub(middle, rotate(world[HIPS].rotation, middle))));
    pose_joint(world, SPINE, rotation_of_angles(c[LEAN] * 0.5, c[BEND] * 0.5, c[TWIST] * 0.5));
    pose_joint(world, CHEST, rotation_of_angles(c[LEAN] * 0.5, c[BEND] * 0.5, c[TWIST] * 0.5));
    pose_joint(world, NECK, rotation_of_angles(c[TILT] * 0.35, c[NOD] * 0.35, c[FACE] * 0.35));
    pose_joint(world, HEAD, rotation_of_angles(c[TILT] * 0.65, c[NOD] * 0.65, c[FACE] * 0.65));
    pose_joint(world, BROW, rotation_y(c[VISOR]));
}

/* Eyes slide over the face with the look. The lower edge of an eye moves with the look, the upper edge with the eye's
   own joint. The eye closes where the two meet, so it never leaves the glass. */
static void pose_eyes(const double c[CHANNELS], xform world[JOINTS])
{
    double shut = EYE_HIGH * (1 - clamp(c[EYES], 0.12, 1.25));
    xform  look = joint_transform(LOOK, rotation_z(c[GLANCE]));
    look.position.z += 0.7 * shut;
    world[LOOK] = compose(world[HEAD], look);
    for (int right = 0; right < 2; ++right) {
        double side = right ? -1 : 1;
        xform  lid = joint_transform(EYE_L + right, rotation_about(eye_direction(side), 2 * side * c[ANGER]));
        lid.position.z -= 2 * shut;
        world[EYE_L + right] = compose(world[LOOK], lid);
    }
}

/* Converts a rotation relative to an arm that hangs down. The result is relative to the bind pose, in which arms point
   outward. */
static quat from_hanging(quat rotation, double side)
{
    return multiply(rotation_x(side * ARM_SLOPE), multiply(rotation, rotation_x(-side * ARM_SLOPE)));
}

static void pose_arm(const double *c, int right, xform world[JOINTS])
{
    double side = right ? -1 : 1;
    double fist = c[L_FIST], index = c[L_INDEX];
    quat   shoulder = multiply(rotation_y(-c[L_SWING]),
                            multiply(rotation_x(side * c[L_SPREAD]), rotation_z(side * c[L_ROLL])));
    quat   hand = multiply(rotation_z(side * c[L_PALM]),
                        multiply(rotation_x(-side * c[L_WRIST]), rotation_y(-c[L_COCK])));
    pose_joint(world, CLAVICLE_L + right, multiply(rotation_x(side * c[L_SHRUG]), rotation_z(-side * c[L_REACH])));
    pose_joint(world, ARM_L + right, multiply(shoulder, rotation_x(-side * ARM_SLOPE)));
    pose_joint(world, FOREARM_L + right, from_hanging(rotation_y(-c[L_ELBOW]), side));
    pose_joint(world, HAND_L + right, from_hanging(hand, side));
    pose_joint(world, FINGERS_L + right, from_hanging(rotation_x(-side * fist), side));
    pose_joint(world, INDEX_L + right, from_hanging(rotation_x(-side * index), side));
    pose_joint(world, THUMB_L + right, from_hanging(rotation_z(-side * (fist * 0.6 - 12)), side));
    if (right) pose_joint(world, WEAPON, no_rotation());
}

/* Returns the transform of the ankle that puts the sole where its channels want it. The foot rotates about the joint of
   the toes if its heel is up, and about the heel if its toes are up. */
static xform ankle_goal(const double *c, int right, const xform *hips, double leave)
{
    double side = right ? -1 : 1;
    vec    bound = joint_bind(FOOT_L + right), ground = v3(bound.x, bound.y, CHARACTER_FLOOR);
    quat   facing = rotation_z(side * c[L_OUT]);
    xform  goal;
    vec    pivot = c[L_HEEL] > 0 ? v3(4.2, 0, 1) : v3(-3.6, 0, 0);
    goal.rotation = multiply(facing, rotation_y(c[L_HEEL]));
    goal.position = add(ground, v3(c[L_FX], side * c[L_FY], c[L_FZ]));
    goal.position = add(goal.position, rotate(facing, pivot));
    goal.position = add(goal.position, rotate(goal.rotation, sub(sub(bound, ground), pivot)));
    goal.position = rotate(rotation_z(c[L_ROUND]), goal.position);
    goal.rotation = multiply(rotation_z(c[L_ROUND]), goal.rotation);
    xform local = { sub(goal.position, joint_bind(HIPS)), goal.rotation };
    xform carried = compose(*hips, local);
    goal.position = lerp(goal.position, carried.position, leave);
    goal.rotation = nlerp(goal.rotation, carried.rotation, leave);
    return goal;
}

/* Returns the rotation of a bone that takes its bind direction to `along` and its front to `front`. */
static quat bone_rotation(int joint, int end, vec along, vec front)
{
    vec bound = sub(joint_bind(end), joint_bind(joint));
    return multiply(rotation_to_axes(along, front), inverse(rotation_to_axes(bound, v3(1, 0, 0))));
}

static void pose_leg(const double *c, int right, double leave, xform world[JOINTS])
{
    int    thigh = THIGH_L + right, shin = SHIN_L + right, foot = FOOT_L + right;
    double upper = length(sub(joint_bind(shin), joint_bind(thigh)));
    double lower = length(sub(joint_bind(foot), joint_bind(shin))), far, along, out;
    xform  goal = ankle_goal(c, right, &world[HIPS], leave);
    pose_joint(world, thigh, no_rotation());
    vec hip = world[thigh].position;
    vec to_goal = sub(goal.position, hip);
    far = clamp(length(to_goal), 4, (upper + lower) * 0.9995);
    to_goal = normalize(to_goal);
    goal.position = add(hip, times(to_goal, far));
    vec front = add(rotate(goal.rotation, v3(1, 0, 0)), rotate(world[HIPS].rotation, v3(1, 0, 0)));
    front = rotate(rotation_z((right ? -1 : 1) * c[L_KNEE]), front);
    front = normalize(sub(front, times(to_goal, dot(front, to_goal))));
    along = (upper * upper - lower * lower + far * far) / (2 * far);
    out = sqrt(clamp(upper * upper - along * along, 0, upper * upper));
    vec knee = add(hip, add(times(to_goal, along), times(front, out)));
    world[thigh].rotation = bone_rotation(thigh, shin, sub(knee, hip), front);
    world[shin].position = transform_point(world[thigh], sub(joint_bind(shin), joint_bind(thigh)));
    world[shin].rotation = bone_rotation(shin, foot, sub(goal.position, knee), front);
    world[foot].position = transform_point(world[shin], sub(joint_bind(foot), joint_bind(shin)));
    world[foot].rotation = goal.rotation;
    pose_joint(world, TOES_L + right, rotation_y(-clamp(c[L_HEEL], 0, 60) * (1 - 0.7 * leave)));
}

static void pose_body(const animation *m, double frame, xform world[JOINTS])
{
    double c[CHANNELS];
    get_channels(m, frame, c);
    pose_trunk(c, world);
    pose_eyes(c, world);
    for (int joint = PLUME1; joint <= SCARF2; ++joint) pose_joint(world, joint, no_rotation());
    for (int right = 0; right < 2; ++right) {
        pose_arm(c + right * ARM_CHANNELS, right, world);
        pose_leg(c + right * LEG_CHANNELS, right, c[FREE], world);
    }
}

/* Moves the whole body with the root motion. */
static void apply_root_motion(const animation *m, double frame, xform world[JOINTS])
{
    if (stored_frames(m) == m->frames) return;
    xform root = { v3(m->travel * frame, 0, 0), rotation_z(m->turn * frame) };
    for (int i = 0; i < JOINTS; ++i) world[i] = compose(root, world[i]);
}

vec skin_point(const point *p, const xform world[JOINTS])
{
    vec at = v3(0, 0, 0);
    for (int i = 0; i < p->count; ++i)
        at = add(at, times(transform_point(world[p->by[i].joint], p->by[i].at),
                           p->by[i].bias / CHARACTER_MICRO));
    return at;
}

/* Lifts the character if any part except the dangling ones is below the floor. Bodies come to rest on the floor this
   way. */
static void lift_above_floor(const mesh *m, xform world[JOINTS])
{
    double low = CHARACTER_FLOOR;
    for (int i = 0; i < m->point_count; ++i) {
        int joint = m->points[i].by[0].joint;
        if (joint < PLUME1 || joint > SCARF2) low = fmin(low, skin_point(&m->points[i], world).z);
    }
    for (int i = 0; i < JOINTS; ++i) world[i].position.z += CHARACTER_FLOOR - low;
}

/* -- Dangling parts: plume and scarf ----------------------------------------------------------- */

/* A chain of joints that swings: a weight hangs on a spring at the end of the chain, in world space, and each joint
   rotates by a fraction of the rotation toward the weight. */
typedef struct spring_chain {
    int    first, count;
    vec    tip;                        /* rest position, in the bind pose */
    double pull, drag, weight, most;   /* stiffness, damping, sag, largest distance from rest */
    double turn[3];                    /* the fraction for each joint */
} spring_chain;

static const spring_chain spring_chains[] = {
    { PLUME1, 3, { -9, 0, 31.5 }, 260, 9, 1.2, 4.5, { 0.35, 0.5, 0.6 } },
    { SCARF1, 2, { -10.8, 8.7, -1.3 }, 120, 7, 5, 7.5, { 0.6, 0.7, 0 } },
};

enum { SPRING_CHAINS = COUNT_OF(spring_chains), SPRING_STEPS = 12 };

typedef struct spring { vec at, speed; } spring;

static vec spring_goal(const spring_chain *d, const xform world[JOINTS])
{
    int parent = character_joints[d->first].parent;
    vec down = v3(0, 0, -d->weight);
    vec goal = transform_point(world[parent], sub(d->tip, joint_bind(parent)));
    return add(goal, sub(down, rotate(world[parent].rotation, down)));
}

static void spring_step(const spring_chain *d, spring *s, vec goal, double seconds)
{
    vec pull = sub(times(sub(goal, s->at), d->pull), times(s->speed, d->drag)), away;
    s->speed = add(s->speed, times(pull, seconds));
    s->at = add(s->at, times(s->speed, seconds));
    away = sub(s->at, goal);
    double stray = length(away);
    if (stray > d->most) s->at = add(goal, times(away, d->most / stray));
    if (s->at.z < CHARACTER_FLOOR + 3) s->at.z = CHARACTER_FLOOR + 3;
}

static void pose_spring_chain(const spring_chain *d, const spring *s, xform world[JOINTS])
{
    for (int i = 0; i < d->count; ++i) {
        int    joint = d->first + i, parent = character_joints[joint].parent;
        xform *x = &world[joint];
        pose_joint(world, joint, no_rotation());
        quat swing = rotation_between(rotate(x->rotation, sub(d->tip, joint_bind(d->first))),
                                  sub(s->at, world[d->first].position));
        pose_joint(world, joint, multiply(inverse(world[parent].rotation),
                                  multiply(nlerp(no_rotation(), swing, d->turn[i]), x->rotation)));
    }
}

/* -- Baking ------------------------------------------------------------------------------------ */

/* Stores a joint as the files do: w of the rotation is left out, and is negative or 0. */
static baked_joint bake_joint(const xform world[JOINTS], int joint)
{
    int         parent = character_joints[joint].parent;
    xform       x = world[joint];
    baked_joint out;
    if (parent >= 0) {
        quat back = inverse(world[parent].rotation);
        x.position = rotate(back, sub(x.position, world[parent].position));
        x.rotation = multiply(back, x.rotation);
    }
    double sign = x.rotation.w > 0 ? -1 : 1;
    double parts[6] = { x.position.x, x.position.y, x.position.z,
                        sign * x.rotation.x, sign * x.rotation.y, sign * x.rotation.z };
    for (int k = 0; k < 6; ++k) out.part[k] = (int32_t)to_micro(parts[k]);
    return out;
}

void frame_pose(const character *c, int frame, xform world[JOINTS])
{
    for (int joint = 0; joint < JOINTS; ++joint) {
        const baked_joint *b = &c->frames[frame][joint];
        int    parent = character_joints[joint].parent;
        double p[6];
        xform  local;
        for (int k = 0; k < 6; ++k) p[k] = b->part[k] / CHARACTER_MICRO;
        local.position = v3(p[0], p[1], p[2]);
        local.rotation = quat_of(p[3], p[4], p[5],
                                 -sqrt(clamp(1 - p[3] * p[3] - p[4] * p[4] - p[5] * p[5], 0, 1)));
        world[joint] = parent < 0 ? local : compose(world[parent], local);
    }
}

/* Plays an animation in small steps, so that dangling parts swing. A loop is played until they swing equally in each
   cycle. */
static void bake_anim(character *c, const animation *m, int first_frame)
{
    xform  world[JOINTS];
    spring springs[SPRING_CHAINS];
    int    warm_up = (m->loops ? (40 / m->frames + 1) * m->frames : 12) * SPRING_STEPS;
    for (int step = -warm_up; step <= (stored_frames(m) - 1) * SPRING_STEPS; ++step) {
        double frame = (double)step / (double)SPRING_STEPS;
        pose_body(m, m->loops || frame > 0 ? frame : 0, world);
        apply_root_motion(m, frame, world);
        lift_above_floor(&c->body, world);
        for (int i = 0; i < SPRING_CHAINS; ++i) {
            const spring_chain *d = &spring_chains[i];
            vec           goal = spring_goal(d, world);
            if (step == -warm_up) springs[i].at = goal, springs[i].speed = v3(0, 0, 0);
            spring_step(d, &springs[i], goal, 1.0 / (CHARACTER_FPS * SPRING_STEPS));
            pose_spring_chain(d, &springs[i], world);
        }
        if (step < 0 || step % SPRING_STEPS != 0) continue;
        for (int i = 0; i < JOINTS; ++i)
            c->frames[first_frame + step / SPRING_STEPS][i] = bake_joint(world, i);
    }
}

character *build_character(void)
{
    character *c = (character *)calloc(1, sizeof *c);
    int        frame = 0;
    if (!c) abort();
    build_mesh(&c->body);
    build_sword(&c->sword);
    for (int i = 0; i < COUNT_OF(character_anims); ++i) {
        bake_anim(c, &character_anims[i], frame);
        frame += stored_frames(&character_anims[i]);
    }
    return c;
}
