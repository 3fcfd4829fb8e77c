/* make_dancer FOLDER: writes a wooden mannequin that dances, dancer.md5mesh and dance.md5anim. It is tall and thin, its
   bones have Mixamo's names, and its bind pose is a T. So it differs from the knight in everything that matters when an
   animation moves to another character. Public domain.

   X is forward, Y left and Z up; one unit is about an inch. It is 73 high; the floor is at z = 0. */
#include "vectors.h"
#include "tests/tools/convert/convert.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    HIPS, SPINE, CHEST, NECK, HEAD, TOP,
    SHOULDER_L, ARM_L, FOREARM_L, HAND_L, FINGERS_L, THIGH_L, SHIN_L, FOOT_L, TOES_L, TIP_L,
    SHOULDER_R, ARM_R, FOREARM_R, HAND_R, FINGERS_R, THIGH_R, SHIN_R, FOOT_R, TOES_R, TIP_R,
    JOINTS,
    SIDE = SHOULDER_R - SHOULDER_L,     /* add it to a joint on the left to get the joint on the right */
    FPS = 24, FRAMES = 2 * FPS,         /* four beats in two seconds */
    CORNERS = 8, RINGS = 4              /* size of the mesh of a bone */
};

typedef struct bone {
    const char *name;
    int         parent;
    vec         at;                     /* position in the bind pose */
    int         toward;                 /* the bone's mesh ends at this joint; -1 = the bone has no mesh */
    double      radius[2];              /* radius at the joint, radius at the end */
} bone;

static const bone bones[JOINTS] = {
    { "mixamorig:Hips", -1, { 0, 0, 40 }, SPINE, { 4.5, 3.4 } },
    { "mixamorig:Spine", HIPS, { 0, 0, 45 }, CHEST, { 3.2, 3.6 } },
    { "mixamorig:Spine1", SPINE, { 0, 0, 50 }, NECK, { 4.0, 4.6 } },
    { "mixamorig:Neck", CHEST, { 0, 0, 60 }, HEAD, { 1.6, 1.6 } },
    { "mixamorig:Head", NECK, { 0, 0, 63.5 }, TOP, { 3.6, 3.2 } },
    { "mixamorig:HeadTop_End", HEAD, { 0, 0, 73 }, -1, { 0, 0 } },
    { "mixamorig:LeftShoulder", CHEST, { 0, 2, 58.5 }, ARM_L, { 1.6, 1.8 } },
    { "mixamorig:LeftArm", SHOULDER_L, { 0, 7.5, 58 }, FOREARM_L, { 1.9, 1.5 } },
    { "mixamorig:LeftForeArm", ARM_L, { 0, 19, 58 }, HAND_L, { 1.5, 1.1 } },
    { "mixamorig:LeftHand", FOREARM_L, { 0, 30, 58 }, FINGERS_L, { 1.3, 0.7 } },
    { "mixamorig:LeftHandMiddle1", HAND_L, { 0, 36, 58 }, -1, { 0, 0 } },
    { "mixamorig:LeftUpLeg", HIPS, { 0, 4, 38 }, SHIN_L, { 3.0, 2.1 } },
    { "mixamorig:LeftLeg", THIGH_L, { 0, 4, 20.5 }, FOOT_L, { 2.1, 1.4 } },
    { "mixamorig:LeftFoot", SHIN_L, { 0, 4, 3 }, TOES_L, { 1.6, 1.4 } },
    { "mixamorig:LeftToeBase", FOOT_L, { 5.5, 4, 1.2 }, TIP_L, { 1.4, 0.8 } },
    { "mixamorig:LeftToe_End", TOES_L, { 8, 4, 1.2 }, -1, { 0, 0 } },
    { "mixamorig:RightShoulder", CHEST, { 0, -2, 58.5 }, ARM_R, { 1.6, 1.8 } },
    { "mixamorig:RightArm", SHOULDER_R, { 0, -7.5, 58 }, FOREARM_R, { 1.9, 1.5 } },
    { "mixamorig:RightForeArm", ARM_R, { 0, -19, 58 }, HAND_R, { 1.5, 1.1 } },
    { "mixamorig:RightHand", FOREARM_R, { 0, -30, 58 }, FINGERS_R, { 1.3, 0.7 } },
    { "mixamorig:RightHandMiddle1", HAND_R, { 0, -36, 58 }, -1, { 0, 0 } },
    { "mixamorig:RightUpLeg", HIPS, { 0, -4, 38 }, SHIN_R, { 3.0, 2.1 } },
    { "mixamorig:RightLeg", THIGH_R, { 0, -4, 20.5 }, FOOT_R, { 2.1, 1.4 } },
    { "mixamorig:RightFoot", SHIN_R, { 0, -4, 3 }, TOES_R, { 1.6, 1.4 } },
    { "mixamorig:RightToeBase", FOOT_R, { 5.5, -4, 1.2 }, TIP_R, { 1.4, 0.8 } },
    { "mixamorig:RightToe_End", TOES_R, { 8, -4, 1.2 }, -1, { 0, 0 } },
};

/* -- The dance --------------------------------------------------------------------------------- */

/* A pose in model space. No joint is rotated in the bind pose. */
typedef struct pose {
    xform joint[JOINTS];
} pose;

/* Moves a joint with its parent, and gives it a rotation in model space. */
static void put_joint(pose *p, int joint, quat rotation)
{
    int parent = bones[joint].parent;
    p->joint[joint].position = transform_point(p->joint[parent], sub(bones[joint].at, bones[parent].at));
    p->joint[joint].rotation = rotation;
}

/* Poses both bones of a leg so that they reach from the hip to `ankle`; the knee points along `forward`. */
static void put_leg(pose *p, int side, vec ankle, vec forward, quat foot)
{
    int    thigh = THIGH_L + side, shin = SHIN_L + side;
    double upper = length(sub(bones[shin].at, bones[thigh].at));
    double lower = length(sub(bones[FOOT_L + side].at, bones[shin].at));
    put_joint(p, thigh, no_rotation());

    vec    start = p->joint[thigh].position, to_ankle = sub(ankle, start), down = normalize(to_ankle);
    double reach = clamp(length(to_ankle), 1, 0.999 * (upper + lower));
    double along = (reach * reach + upper * upper - lower * lower) / (2 * reach);
    vec    bend = normalize(sub(forward, times(down, dot(forward, down))));
    vec    knee = add(start, add(times(down, along), times(bend, sqrt(upper * upper - along * along))));
    vec    end = add(start, times(down, reach));

    vec hinge = cross(down, bend);
    put_joint(p, thigh, rotation_to_axes(cross(sub(start, knee), hinge), sub(start, knee)));
    put_joint(p, shin, rotation_to_axes(cross(sub(knee, end), hinge), sub(knee, end)));
    put_joint(p, FOOT_L + side, foot);
    put_joint(p, TOES_L + side, foot);
    put_joint(p, TIP_L + side, foot);
}

/* Poses an arm. `raised` is the angle of the upper arm above the horizontal, `bent` the angle of the elbow; both are in
   degrees. */
static void put_arm(pose *p, int side, double raised, double forward, double bent)
{
    double s = side ? -1 : 1;
    quat   chest = p->joint[CHEST].rotation;
    quat   arm = multiply(chest, multiply(rotation_z(-s * forward), rotation_x(s * raised)));
    quat   forearm = multiply(arm, rotation_x(s * bent));
    put_joint(p, SHOULDER_L + side, multiply(chest, rotation_x(s * 0.25 * raised)));
    put_joint(p, ARM_L + side, arm);
    put_joint(p, FOREARM_L + side, forearm);
    put_joint(p, HAND_L + side, forearm);
    put_joint(p, FINGERS_L + side, forearm);
}

/* Computes a pose of the dance. The weight changes from one leg to the other on each beat, and the free foot taps
   forward. The arms go up in turn; in the middle of the dance, both wave above the head. */
static void pose_dancer(double frame, pose *p)
{
    double beat = 360 * 2 * frame / FRAMES;        /* degrees; a step to the left and one to the right */
    double sway = sine(beat);                      /* 1: all weight on the left leg */
    double dip = 1.4 + 1.4 * cosine(2 * beat + 30);
    p->joint[HIPS].position = v3(0.8 * cosine(beat), 3.2 * sway, 38.4 - dip);
    p->joint[HIPS].rotation = multiply(rotation_z(14 * cosine(beat)), rotation_x(-7 * sway));

    double lean = 9 * sway;
    put_joint(p, SPINE, multiply(rotation_z(-4 * cosine(beat)), rotation_x(0.4 * lean)));
    put_joint(p, CHEST, multiply(rotation_z(-16 * cosine(beat)), rotation_x(lean)));
    put_joint(p, NECK, multiply(rotation_z(-6 * cosine(beat)), rotation_x(0.3 * lean)));
    put_joint(p, HEAD, multiply(rotation_z(10 * sway), rotation_y(7 + 9 * cosine(2 * beat))));
    put_joint(p, TOP, p->joint[HEAD].rotation);

    for (int side = 0; side <= SIDE; side += SIDE) {
        double s = side ? -1 : 1;
        double lift = clamp(-s * sway, 0, 1);      /* height of the free foot */
        lift = lift * lift;
        vec  ankle = add(bones[FOOT_L + side].at, v3(6 * lift, s * 1.5, 5.5 * lift));
        quat foot = multiply(rotation_z(s * 12), rotation_y(18 * lift));
        put_leg(p, side, ankle, v3(cosine(12), s * sine(12), 0), foot);

        double both = 0.5 - 0.5 * cosine(360 * frame / FRAMES);
        double up = mix(0.5 - 0.5 * s * sine(beat + 20), 1.1, both);
        put_arm(p, side, mix(-48, 52, up), mix(30, 12, up), mix(62, 18, up) + 14 * sine(2 * beat));
    }
}

/* -- Files ------------------------------------------------------------------------------------- */

static double rounded(double x) { return floor(x * 1e6 + 0.5) / 1e6; }

static void set_numbers(double *numbers, vec v)
{
    numbers[0] = rounded(v.x);
    numbers[1] = rounded(v.y);
    numbers[2] = rounded(v.z);
}

static void save(const char *folder, const char *name, blob *file)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *out = fopen(path, "wb");
    bool  is_written = out && fwrite(file->data, 1, file->size, out) == file->size;
    if (!out || fclose(out) != 0 || !is_written) {
        fprintf(stderr, "make_dancer: cannot write %s\n", path);
        exit(EXIT_FAILURE);
    }
    free_blob(file);
}

static void list_joints(md5_out_joint joints[JOINTS])
{
    memset(joints, 0, JOINTS * sizeof *joints);
    for (int i = 0; i < JOINTS; ++i) {
        joints[i].name = bones[i].name;
        joints[i].parent = bones[i].parent;
        joints[i].rotation[3] = 1;
        set_numbers(joints[i].position, bones[i].at);
    }
}

typedef struct mesh_builder {
    md5_out_vertex vertices[JOINTS * CORNERS * RINGS];
    md5_out_weight weights[JOINTS * CORNERS * RINGS];
    uint32_t       indices[JOINTS * CORNERS * RINGS * 6];
    uint32_t       vertex_count, index_count;
} mesh_builder;

static void add_triangle(mesh_builder *m, uint32_t a, uint32_t b, uint32_t c)
{
    m->indices[m->index_count++] = a;
    m->indices[m->index_count++] = b;
    m->indices[m->index_count++] = c;
}

/* Adds a spindle from the joint to the end of the bone. It is made of wood, so only this joint moves it. */
static void add_spindle(mesh_builder *m, int joint)
{
    static const double along[RINGS] = { -0.04, 0.06, 0.94, 1.04 }, narrow[RINGS] = { 0.5, 1, 1, 0.5 };
    const bone *b = &bones[joint];
    vec         axis = sub(bones[b->toward].at, b->at);
    vec         x = normalize(cross(axis, fabs(axis.z) > fabs(axis.y) ? v3(0, 1, 0) : v3(0, 0, 1)));
    vec         y = cross(normalize(axis), x);
    uint32_t    first = m->vertex_count;

    for (int ring = 0; ring < RINGS; ++ring) {
        double radius = narrow[ring] * mix(b->radius[0], b->radius[1], clamp(along[ring], 0, 1));
        for (int corner = 0; corner < CORNERS; ++corner) {
            uint32_t i = m->vertex_count++;
            double   angle = 360.0 * corner / CORNERS;
            vec      across = add(times(x, radius * cosine(angle)), times(y, radius * sine(angle)));
            m->vertices[i].u = (double)corner / CORNERS;
            m->vertices[i].v = (double)ring / RINGS;
            m->vertices[i].first_weight = i;
            m->vertices[i].weight_count = 1;
            m->weights[i].joint = (uint32_t)joint;
            m->weights[i].bias = 1;
            set_numbers(m->weights[i].position, add(times(axis, along[ring]), across));
        }
    }

    for (uint32_t ring = 0; ring + 1 < RINGS; ++ring) {
        for (uint32_t corner = 0; corner < CORNERS; ++corner) {
            uint32_t next = (corner + 1) % CORNERS, a = first + ring * CORNERS;
            add_triangle(m, a + corner, a + CORNERS + corner, a + CORNERS + next);
            add_triangle(m, a + corner, a + CORNERS + next, a + next);
        }
    }
    for (uint32_t corner = 1; corner + 1 < CORNERS; ++corner) {
        uint32_t last = first + (RINGS - 1) * CORNERS;
        add_triangle(m, first, first + corner, first + corner + 1);
        add_triangle(m, last, last + corner + 1, last + corner);
    }
}

static void save_mesh(const char *folder)
{
    static mesh_builder m;
    md5_out_joint       joints[JOINTS];
    list_joints(joints);
    for (int i = 0; i < JOINTS; ++i) {
        if (bones[i].toward >= 0) add_spindle(&m, i);
    }

    md5_out_mesh out = { "wood", m.vertex_count, m.vertex_count, m.index_count, m.vertices, m.weights, m.indices };
    blob         file = write_md5mesh("make_dancer", joints, JOINTS, &out, 1);
    save(folder, "dancer.md5mesh", &file);
}

static void set_part(md5_out_part *part, const pose *p, int joint)
{
    int   parent = bones[joint].parent;
    xform local = p->joint[joint];
    if (parent >= 0) {
        quat back = inverse(p->joint[parent].rotation);
        local.position = rotate(back, sub(local.position, p->joint[parent].position));
        local.rotation = multiply(back, local.rotation);
    }
    double rotation[4] = { local.rotation.x, local.rotation.y, local.rotation.z, local.rotation.w };
    set_numbers(part->number, local.position);
    md5_stored_rotation(rotation, part->number + 3);
    for (int k = 3; k < 6; ++k) part->number[k] = rounded(part->number[k]);
}

/* The last frame of the loop repeats the first frame, as in the loops of Doom 3. */
static void save_anim(const char *folder)
{
    static md5_out_part parts[(FRAMES + 1) * JOINTS];
    static double       bounds[(FRAMES + 1) * 6];
    md5_out_joint       joints[JOINTS];
    list_joints(joints);
    for (int frame = 0; frame <= FRAMES; ++frame) {
        const double box[6] = { -30, -45, -2, 30, 45, 85 };
        pose         p;
        pose_dancer(frame % FRAMES, &p);
        for (int i = 0; i < JOINTS; ++i) set_part(&parts[frame * JOINTS + i], &p, i);
        memcpy(&bounds[frame * 6], box, sizeof box);
    }

    md5_out_anim anim = { FRAMES + 1, JOINTS, FPS, joints, parts, bounds };
    blob         file = write_md5anim("make_dancer", &anim);
    save(folder, "dance.md5anim", &file);
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: %s folder\n", argv[0]);
        return EXIT_FAILURE;
    }
    save_mesh(argv[1]);
    save_anim(argv[1]);
    return EXIT_SUCCESS;
}
