/* The joints of the character at a time of an animation, and its frames as the files hold them.
   Public domain. */
#include "character.h"

/* The joint in its parent's frame as bound, turned. */
static xform jointed(int joint, quat rotation)
{
    xform local = { sub(joint_bind(joint), joint_bind(character_joints[joint].parent)), rotation };
    return local;
}

static void place(xform world[JOINTS], int joint, quat rotation)
{
    world[joint] = below(world[character_joints[joint].parent], jointed(joint, rotation));
}

static quat bent(double lean, double nod, double turn_left)
{
    return after(turn_z(turn_left), after(turn_y(nod), turn_x(lean)));
}

static void pose_trunk(const double c[CHANNELS], xform world[JOINTS])
{
    vec middle = v3(0, 0, c[FREE] * 8);          /* in the air he turns about his middle */
    world[ROOT].position = v3(0, 0, 0);
    world[ROOT].rotation = no_turn();
    place(world, HIPS, bent(c[ROLL], c[PITCH], c[YAW]));
    world[HIPS].position = add(world[HIPS].position, add(v3(c[HIP_X], c[HIP_Y], c[HIP_Z]),
                               sub(middle, turned(world[HIPS].rotation, middle))));
    place(world, SPINE, bent(c[LEAN] * 0.5, c[BEND] * 0.5, c[TWIST] * 0.5));
    place(world, CHEST, bent(c[LEAN] * 0.5, c[BEND] * 0.5, c[TWIST] * 0.5));
    place(world, NECK, bent(c[TILT] * 0.35, c[NOD] * 0.35, c[FACE] * 0.35));
    place(world, HEAD, bent(c[TILT] * 0.65, c[NOD] * 0.65, c[FACE] * 0.65));
    place(world, BROW, turn_y(c[VISOR]));
}

/* Eyes slide over the face with the look. An eye hangs by its lower edge on the look and by its
   upper edge on its own joint; it closes when the two meet, and so never leaves the glass. */
static void pose_eyes(const double c[CHANNELS], xform world[JOINTS])
{
    double shut = EYE_HIGH * (1 - clamp(c[EYES], 0.12, 1.25));
    xform  look = jointed(LOOK, turn_z(c[GLANCE]));
    look.position.z += 0.7 * shut;
    world[LOOK] = below(world[HEAD], look);
    for (int right = 0; right < 2; ++right) {
        double side = right ? -1 : 1;
        xform  lid = jointed(EYE_L + right, turn(eye_direction(side), 2 * side * c[ANGER]));
        lid.position.z -= 2 * shut;
        world[EYE_L + right] = below(world[LOOK], lid);
    }
}

/* Rotations of an arm are said for an arm that hangs down, and bound standing off. */
static quat from_hanging(quat rotation, double side)
{
    return after(turn_x(side * ARM_SLOPE), after(rotation, turn_x(-side * ARM_SLOPE)));
}

static void pose_arm(const double *c, int right, xform world[JOINTS])
{
    double side = right ? -1 : 1;
    double fist = c[L_FIST], index = c[L_INDEX];
    quat   shoulder = after(turn_y(-c[L_SWING]),
                            after(turn_x(side * c[L_SPREAD]), turn_z(side * c[L_ROLL])));
    quat   hand = after(turn_z(side * c[L_PALM]),
                        after(turn_x(-side * c[L_WRIST]), turn_y(-c[L_COCK])));
    place(world, CLAVICLE_L + right, after(turn_x(side * c[L_SHRUG]), turn_z(-side * c[L_REACH])));
    place(world, ARM_L + right, after(shoulder, turn_x(-side * ARM_SLOPE)));
    place(world, FOREARM_L + right, from_hanging(turn_y(-c[L_ELBOW]), side));
    place(world, HAND_L + right, from_hanging(hand, side));
    place(world, FINGERS_L + right, from_hanging(turn_x(-side * fist), side));
    place(world, INDEX_L + right, from_hanging(turn_x(-side * index), side));
    place(world, THUMB_L + right, from_hanging(turn_z(-side * (fist * 0.6 - 12)), side));
    if (right) place(world, WEAPON, no_turn());
}

/* Where the ankle must be for the sole to stand where its channels say. The foot turns about the
   joint of the toes when its heel rises, and about the heel when its toes do. */
static xform ankle_goal(const double *c, int right, const xform *hips, double leave)
{
    double side = right ? -1 : 1;
    vec    bound = joint_bind(FOOT_L + right), ground = v3(bound.x, bound.y, CHARACTER_FLOOR);
    quat   facing = turn_z(side * c[L_OUT]);
    xform  goal;
    vec    pivot = c[L_HEEL] > 0 ? v3(4.2, 0, 1) : v3(-3.6, 0, 0);
    goal.rotation = after(facing, turn_y(c[L_HEEL]));
    goal.position = add(ground, v3(c[L_FX], side * c[L_FY], c[L_FZ]));
    goal.position = add(goal.position, turned(facing, pivot));
    goal.position = add(goal.position, turned(goal.rotation, sub(sub(bound, ground), pivot)));
    goal.position = turned(turn_z(c[L_ROUND]), goal.position);
    goal.rotation = after(turn_z(c[L_ROUND]), goal.rotation);
    xform local = { sub(goal.position, joint_bind(HIPS)), goal.rotation };
    xform carried = below(*hips, local);
    goal.position = toward(goal.position, carried.position, leave);
    goal.rotation = turn_toward(goal.rotation, carried.rotation, leave);
    return goal;
}

/* A bone's rotation that takes its bound direction to `along` and its front to `front`. */
static quat bone_turn(int joint, int end, vec along, vec front)
{
    vec bound = sub(joint_bind(end), joint_bind(joint));
    return after(turn_frame(along, front), inverse(turn_frame(bound, v3(1, 0, 0))));
}

static void pose_leg(const double *c, int right, double leave, xform world[JOINTS])
{
    int    thigh = THIGH_L + right, shin = SHIN_L + right, foot = FOOT_L + right;
    double upper = length(sub(joint_bind(shin), joint_bind(thigh)));
    double lower = length(sub(joint_bind(foot), joint_bind(shin))), far, along, out;
    xform  goal = ankle_goal(c, right, &world[HIPS], leave);
    place(world, thigh, no_turn());
    vec hip = world[thigh].position;
    vec way = sub(goal.position, hip);
    far = clamp(length(way), 4, (upper + lower) * 0.9995);
    way = unit(way);
    goal.position = add(hip, times(way, far));
    vec front = add(turned(goal.rotation, v3(1, 0, 0)), turned(world[HIPS].rotation, v3(1, 0, 0)));
    front = turned(turn_z((right ? -1 : 1) * c[L_KNEE]), front);
    front = unit(sub(front, times(way, dot(front, way))));
    along = (upper * upper - lower * lower + far * far) / (2 * far);
    out = sqrt(clamp(upper * upper - along * along, 0, upper * upper));
    vec knee = add(hip, add(times(way, along), times(front, out)));
    world[thigh].rotation = bone_turn(thigh, shin, sub(knee, hip), front);
    world[shin].position = placed(world[thigh], sub(joint_bind(shin), joint_bind(thigh)));
    world[shin].rotation = bone_turn(shin, foot, sub(goal.position, knee), front);
    world[foot].position = placed(world[shin], sub(joint_bind(foot), joint_bind(shin)));
    world[foot].rotation = goal.rotation;
    place(world, TOES_L + right, turn_y(-clamp(c[L_HEEL], 0, 60) * (1 - 0.7 * leave)));
}

static void pose_body(const move *m, double frame, xform world[JOINTS])
{
    double c[CHANNELS];
    channels_at(m, frame, c);
    pose_trunk(c, world);
    pose_eyes(c, world);
    for (int joint = PLUME1; joint <= SCARF2; ++joint) place(world, joint, no_turn());
    for (int right = 0; right < 2; ++right) {
        pose_arm(c + right * ARM_CHANNELS, right, world);
        pose_leg(c + right * LEG_CHANNELS, right, c[FREE], world);
    }
}

/* Takes all of him along with the root. */
static void go_on(const move *m, double frame, xform world[JOINTS])
{
    if (stored_frames(m) == m->frames) return;
    xform root = { v3(m->travel * frame, 0, 0), turn_z(m->turn * frame) };
    for (int i = 0; i < JOINTS; ++i) world[i] = below(root, world[i]);
}

vec skinned(const point *p, const xform world[JOINTS])
{
    vec at = v3(0, 0, 0);
    for (int i = 0; i < p->count; ++i)
        at = add(at, times(placed(world[p->by[i].joint], p->by[i].at),
                           p->by[i].bias / CHARACTER_MICRO));
    return at;
}

/* Nothing but what dangles goes through the floor: who would is lifted. That is what a body comes
   to rest on. */
static void stay_above_floor(const mesh *m, xform world[JOINTS])
{
    double low = CHARACTER_FLOOR;
    for (int i = 0; i < m->point_count; ++i) {
        int joint = m->points[i].by[0].joint;
        if (joint < PLUME1 || joint > SCARF2) low = fmin(low, skinned(&m->points[i], world).z);
    }
    for (int i = 0; i < JOINTS; ++i) world[i].position.z += CHARACTER_FLOOR - low;
}

/* -- What dangles ------------------------------------------------------------------------------ */

/* A weight on a spring, dragged along by a joint, in world space. The joints of a chain turn toward
   where it really is, the later the more. */
typedef struct dangle {
    int    first, count;
    vec    tip;                        /* at rest, in the bind pose */
    double pull, drag, weight, most;   /* stiffness, damping, sag, farthest it strays */
    double turn[3];
} dangle;

static const dangle character_dangles[] = {
    { PLUME1, 3, { -9, 0, 31.5 }, 260, 9, 1.2, 4.5, { 0.35, 0.5, 0.6 } },
    { SCARF1, 2, { -10.8, 8.7, -1.3 }, 120, 7, 5, 7.5, { 0.6, 0.7, 0 } },
};

enum { DANGLES = COUNT_OF(character_dangles), SPRING_STEPS = 12 };

typedef struct spring { vec at, speed; } spring;

static vec dangle_goal(const dangle *d, const xform world[JOINTS])
{
    int parent = character_joints[d->first].parent;
    vec down = v3(0, 0, -d->weight);
    vec goal = placed(world[parent], sub(d->tip, joint_bind(parent)));
    return add(goal, sub(down, turned(world[parent].rotation, down)));
}

static void spring_step(const dangle *d, spring *s, vec goal, double seconds)
{
    vec pull = sub(times(sub(goal, s->at), d->pull), times(s->speed, d->drag)), away;
    s->speed = add(s->speed, times(pull, seconds));
    s->at = add(s->at, times(s->speed, seconds));
    away = sub(s->at, goal);
    double stray = length(away);
    if (stray > d->most) s->at = add(goal, times(away, d->most / stray));
    if (s->at.z < CHARACTER_FLOOR + 3) s->at.z = CHARACTER_FLOOR + 3;
}

static void hang_dangle(const dangle *d, const spring *s, xform world[JOINTS])
{
    for (int i = 0; i < d->count; ++i) {
        int    joint = d->first + i, parent = character_joints[joint].parent;
        xform *x = &world[joint];
        place(world, joint, no_turn());
        quat swing = turn_between(turned(x->rotation, sub(d->tip, joint_bind(d->first))),
                                  sub(s->at, world[d->first].position));
        place(world, joint, after(inverse(world[parent].rotation),
                                  after(turn_toward(no_turn(), swing, d->turn[i]), x->rotation)));
    }
}

/* -- Baking ------------------------------------------------------------------------------------ */

/* As the files hold it: the fourth number of a rotation is left out, and taken as negative. */
static baked_joint bake_joint(const xform world[JOINTS], int joint)
{
    int         parent = character_joints[joint].parent;
    xform       x = world[joint];
    baked_joint out;
    if (parent >= 0) {
        quat back = inverse(world[parent].rotation);
        x.position = turned(back, sub(x.position, world[parent].position));
        x.rotation = after(back, x.rotation);
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
        world[joint] = parent < 0 ? local : below(world[parent], local);
    }
}

/* Plays a move in small steps so that what dangles swings; a loop is played until it swings the
   same every round. */
static void bake_move(character *c, const move *m, int first_frame)
{
    xform  world[JOINTS];
    spring springs[DANGLES];
    int    warm_up = (m->loops ? (40 / m->frames + 1) * m->frames : 12) * SPRING_STEPS;
    for (int step = -warm_up; step <= (stored_frames(m) - 1) * SPRING_STEPS; ++step) {
        double frame = (double)step / (double)SPRING_STEPS;
        pose_body(m, m->loops || frame > 0 ? frame : 0, world);
        go_on(m, frame, world);
        stay_above_floor(&c->body, world);
        for (int i = 0; i < DANGLES; ++i) {
            const dangle *d = &character_dangles[i];
            vec           goal = dangle_goal(d, world);
            if (step == -warm_up) springs[i].at = goal, springs[i].speed = v3(0, 0, 0);
            spring_step(d, &springs[i], goal, 1.0 / (CHARACTER_FPS * SPRING_STEPS));
            hang_dangle(d, &springs[i], world);
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
    for (int i = 0; i < COUNT_OF(character_moves); ++i) {
        bake_move(c, &character_moves[i], frame);
        frame += stored_frames(&character_moves[i]);
    }
    return c;
}
