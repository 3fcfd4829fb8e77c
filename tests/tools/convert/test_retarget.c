/* test_retarget: animations of other characters, on generated skeletons and on the character.

     --character=FOLDER    where the character is; else build/character
     --folder=FOLDER       that receives files, and must exist; else build/convert
     --borrow=FOLDER       .glb files of humanoids and of animations: each pair is converted

   Public domain. */
#include "humanoid.h"
#include "from_scene.h"
#include "test_convert.h"
#include "../viewer/folder.h"


/* -- Names ------------------------------------------------------------------------------------- */

/* The names of one program: the trunk from the hips to the head, and the limbs of one side, where
   "@" stands for the side. NULL: there is no such bone. */
typedef struct convention {
    const char *program, *left, *right;
    const char *trunk[6], *limbs[8];
} convention;

static const convention conventions[] = {
    { "mdconvert", "l", "r", { "hips", "spine", "chest", "chest.2", "neck", "head" },
      { "clavicle_@", "arm_@", "forearm_@", "hand_@", "thigh_@", "shin_@", "foot_@", "toes_@" } },
    { "Mixamo", "Left", "Right",
      { "mixamorig:Hips", "mixamorig:Spine", "mixamorig:Spine1", "mixamorig:Spine2", "mixamorig:Neck",
        "mixamorig:Head" },
      { "mixamorig:@Shoulder", "mixamorig:@Arm", "mixamorig:@ForeArm", "mixamorig:@Hand",
        "mixamorig:@UpLeg", "mixamorig:@Leg", "mixamorig:@Foot", "mixamorig:@ToeBase" } },
    { "Mixamo in three.js", "Left", "Right",
      { "mixamorigHips", "mixamorigSpine", "mixamorigSpine1", "mixamorigSpine2", "mixamorigNeck",
        "mixamorigHead" },
      { "mixamorig@Shoulder", "mixamorig@Arm", "mixamorig@ForeArm", "mixamorig@Hand",
        "mixamorig@UpLeg", "mixamorig@Leg", "mixamorig@Foot", "mixamorig@ToeBase" } },
    { "Unity", "Left", "Right", { "Hips", "Spine", "Chest", "UpperChest", "Neck", "Head" },
      { "@Shoulder", "@UpperArm", "@LowerArm", "@Hand", "@UpperLeg", "@LowerLeg", "@Foot",
        "@Toes" } },
    { "VRoid", "L", "R",
      { "J_Bip_C_Hips", "J_Bip_C_Spine", "J_Bip_C_Chest", "J_Bip_C_UpperChest", "J_Bip_C_Neck",
        "J_Bip_C_Head" },
      { "J_Bip_@_Shoulder", "J_Bip_@_UpperArm", "J_Bip_@_LowerArm", "J_Bip_@_Hand",
        "J_Bip_@_UpperLeg", "J_Bip_@_LowerLeg", "J_Bip_@_Foot", "J_Bip_@_ToeBase" } },
    { "Unreal", "l", "r", { "pelvis", "spine_01", "spine_02", "spine_03", "neck_01", "head" },
      { "clavicle_@", "upperarm_@", "lowerarm_@", "hand_@", "thigh_@", "calf_@", "foot_@",
        "ball_@" } },
    { "Rigify", "L", "R",
      { "spine", "spine.001", "spine.002", "spine.003", "spine.004", "spine.006" },
      { "shoulder.@", "upper_arm.@", "forearm.@", "hand.@", "thigh.@", "shin.@", "foot.@",
        "toe.@" } },
    { "Rigify, exported", "L", "R",
      { "DEF-spine", "DEF-spine.001", "DEF-spine.002", "DEF-spine.003", "DEF-spine.004",
        "DEF-spine.006" },
      { "DEF-shoulder.@", "DEF-upper_arm.@", "DEF-forearm.@", "DEF-hand.@", "DEF-thigh.@",
        "DEF-shin.@", "DEF-foot.@", "DEF-toe.@" } },
    { "3ds Max", "L", "R",
      { "Bip01 Pelvis", "Bip01 Spine", "Bip01 Spine1", "Bip01 Spine2", "Bip01 Neck", "Bip01 Head" },
      { "Bip01 @ Clavicle", "Bip01 @ UpperArm", "Bip01 @ Forearm", "Bip01 @ Hand", "Bip01 @ Thigh",
        "Bip01 @ Calf", "Bip01 @ Foot", "Bip01 @ Toe0" } },
    { "Source", "L", "R",
      { "ValveBiped.Bip01_Pelvis", "ValveBiped.Bip01_Spine", "ValveBiped.Bip01_Spine1",
        "ValveBiped.Bip01_Spine4", "ValveBiped.Bip01_Neck1", "ValveBiped.Bip01_Head1" },
      { "ValveBiped.Bip01_@_Clavicle", "ValveBiped.Bip01_@_UpperArm", "ValveBiped.Bip01_@_Forearm",
        "ValveBiped.Bip01_@_Hand", "ValveBiped.Bip01_@_Thigh", "ValveBiped.Bip01_@_Calf",
        "ValveBiped.Bip01_@_Foot", "ValveBiped.Bip01_@_Toe0" } },
    { "KayKit", "l", "r", { "hips", "spine", "chest", NULL, "neck", "head" },
      { NULL, "upperarm.@", "lowerarm.@", "wrist.@", "upperleg.@", "lowerleg.@", "foot.@",
        "toes.@" } },
    { "Quaternius", "L", "R", { "Hips", "Abdomen", "Torso", "Chest", "Neck", "Head" },
      { "Shoulder.@", "UpperArm.@", "LowerArm.@", "Hand.@", "UpperLeg.@", "LowerLeg.@", "Foot.@",
        "Toes.@" } },
    { "MakeHuman", "L", "R", { "root", "spine05", "spine03", "spine01", "neck01", "head" },
      { "clavicle.@", "upperarm01.@", "lowerarm01.@", "wrist.@", "upperleg01.@", "lowerleg01.@",
        "foot.@", "toe1-1.@" } },
    { "motion capture", "Left", "Right",
      { "Hips", "LowerBack", "Spine", "Spine1", "Neck", "Head" },
      { "@Shoulder", "@Arm", "@ForeArm", "@Hand", "@UpLeg", "@Leg", "@Foot", "@ToeBase" } },
    { "Poser", "l", "r", { "hip", "abdomen", "abdomen2", "chest", "neck", "head" },
      { "@Collar", "@Shldr", "@ForeArm", "@Hand", "@Thigh", "@Shin", "@Foot", "@Toe" } },
    { "Daz Studio", "l", "r",
      { "hip", "abdomenLower", "abdomenUpper", "chestUpper", "neckLower", "head" },
      { "@Collar", "@ShldrBend", "@ForearmBend", "@Hand", "@ThighBend", "@Shin", "@Foot", "@Toe" } },
    { "Character Creator", "L", "R",
      { "CC_Base_Hip", "CC_Base_Waist", "CC_Base_Spine01", "CC_Base_Spine02",
        "CC_Base_NeckTwist01", "CC_Base_Head" },
      { "CC_Base_@_Clavicle", "CC_Base_@_Upperarm", "CC_Base_@_Forearm", "CC_Base_@_Hand",
        "CC_Base_@_Thigh", "CC_Base_@_Calf", "CC_Base_@_Foot", "CC_Base_@_ToeBase" } },
    { "Bitmoji", "L", "R",
      { "C_spine0001_bind_JNT", "C_spine0002_bind_JNT", "C_spine0006_bind_JNT", NULL,
        "C_neck0001_bind_JNT", "C_head0001_bind_JNT" },
      { "@_clavicle_bind_JNT", "@_armUpper0001_bind_JNT", "@_armLower0001_bind_JNT",
        "@_hand0001_bind_JNT", "@_legUpper0001_bind_JNT", "@_legLower0001_bind_JNT",
        "@_foot0001_bind_JNT", NULL } },
    { "names of joints", "L", "R", { "root", "waist", "chest", NULL, "neck", "head" },
      { NULL, "Shoulder_@", "Elbow_@", "Wrist_@", "Hip_@", "Knee_@", "Ankle_@", "Toe_@" } },
    { "Synty", "L", "R", { "Hips", "Spine_01", "Spine_02", "Spine_03", "Neck", "Head" },
      { "Clavicle_@", "Shoulder_@", "Elbow_@", "Hand_@", "UpperLeg_@", "LowerLeg_@", "Ankle_@",
        "Ball_@" } },
    { "SMPL", "L", "R", { "Pelvis", "Spine1", "Spine2", "Spine3", "Neck", "Head" },
      { "@_Collar", "@_Shoulder", "@_Elbow", "@_Wrist", "@_Hip", "@_Knee", "@_Ankle", "@_Foot" } },
    { "Half-Life", "L", "R",
      { "Bip01 Pelvis", "Bip01 Spine", "Bip01 Spine1", "Bip01 Spine2", "Bip01 Neck", "Bip01 Head" },
      { "Bip01 @ Arm", "Bip01 @ Arm1", "Bip01 @ Arm2", "Bip01 @ Hand", "Bip01 @ Leg", "Bip01 @ Leg1",
        "Bip01 @ Foot", "Bip01 @ Toe0" } },
    { "VRM", "left", "right", { "hips", "spine", "chest", "upperChest", "neck", "head" },
      { "@Shoulder", "@UpperArm", "@LowerArm", "@Hand", "@UpperLeg", "@LowerLeg", "@Foot", "@Toes" } },
    { "Doom 3", "L", "R", { "Body", "Waist", "Chest", "Shoulders", "Neck", "Head" },
      { "@shoulder", "@uparm", "@loarm", "@hand", "@upleg", "@loleg", "@foot", "@toe" } },
};

enum { MOST_TEST_BONES = 24 };

/* A humanoid as one program would name it. */
typedef struct figure {
    bone_tree   tree;
    char        names[MOST_TEST_BONES][64];
    const char *name_list[MOST_TEST_BONES];
    uint32_t    parents[MOST_TEST_BONES];
    vec3        positions[MOST_TEST_BONES];
    uint32_t    expected[ROLE_COUNT];
} figure;

static uint32_t add_bone(figure *f, const char *pattern, const char *side, uint32_t parent)
{
    uint32_t    bone = f->tree.count++;
    const char *at = strchr(pattern, '@');
    int         before = at ? (int)(at - pattern) : (int)strlen(pattern);
    snprintf(f->names[bone], sizeof f->names[bone], "%.*s%s%s", before, pattern, at ? side : "",
             at ? at + 1 : "");
    f->name_list[bone] = f->names[bone];
    f->parents[bone] = parent;
    return bone;
}

static void make_figure(figure *f, const convention *c)
{
    static const int trunk_roles[6] = { HIPS, SPINE, -1, CHEST, NECK, HEAD };
    static const int limb_roles[8] = { CLAVICLE, UPPER_ARM, FOREARM, HAND,
                                       THIGH,    SHIN,      FOOT,    TOES };
    memset(f, 0, sizeof *f);
    f->tree.names = f->name_list;
    f->tree.parents = f->parents;
    for (int r = 0; r < ROLE_COUNT; ++r) f->expected[r] = NO_BONE;

    uint32_t above = NO_BONE, chest = NO_BONE;
    for (int i = 0; i < 6; ++i) {
        if (!c->trunk[i]) continue;
        above = add_bone(f, c->trunk[i], "", above);
        if (trunk_roles[i] >= 0) f->expected[trunk_roles[i]] = above;
        if (i <= 3) chest = above;
    }
    f->expected[CHEST] = chest;
    for (int side = 0; side < SIDES; ++side) {
        above = chest;
        for (int i = 0; i < 8; ++i) {
            if (i == 4) above = f->expected[HIPS];
            if (!c->limbs[i]) continue;
            above = add_bone(f, c->limbs[i], side == LEFT_SIDE ? c->left : c->right, above);
            f->expected[limb_roles[i] + side] = above;
        }
    }
}

static void test_bone_names(void)
{
    uint32_t count = 0;
    for (int i = 0; i < COUNT(conventions); ++i) {
        figure   f;
        uint32_t bones[ROLE_COUNT];
        make_figure(&f, &conventions[i]);
        find_roles(&f.tree, bones);
        check_scene("the names of %s", conventions[i].program);
        for (uint32_t r = 0; r < ROLE_COUNT; ++r) {
            check_step("%s", role_name(r));
            const char *want = f.expected[r] == NO_BONE ? "none" : f.names[f.expected[r]];
            CHECK_TEXT(bones[r] == NO_BONE ? "none" : f.names[bones[r]], want);
            ++count;
        }
        CHECK(is_humanoid(bones));
    }
    CHECK_FLOOR(count, 500, "roles");
}

/* Control bones and helper bones have parts of the names. A name of another kind has none. */
static void test_other_bones(void)
{
    static const char *const others[] = {
        "hand_ik.L", "MCH-thigh.L", "thigh_twist_l", "VIS_shin_pole_L", "LeftHandIndex1", "HeadTop_End",
        "mixamorig:LeftHandThumb2", "tail", "wheel_l", "jaw", "hair_01", "arm", "l", "", "foot_roll.R",
    };
    for (int i = 0; i < COUNT(others); ++i) {
        uint32_t    parent = NO_BONE, bones[ROLE_COUNT];
        const char *name = others[i];
        bone_tree   tree = { 1, &name, &parent, NULL };
        find_roles(&tree, bones);
        check_scene("%s", name);
        for (uint32_t r = 0; r < ROLE_COUNT; ++r) CHECK(bones[r] == NO_BONE);
    }
}

/* -- The canonical pose ------------------------------------------------------------------------ */

/* Sets the positions of a figure that crouches: knees and elbows are bent, the hips and the shoulders
   are turned to different sides, the trunk leans. X is forward and Z up. */
static void crouch(figure *f)
{
    static const double trunk[6][3] = { { 0, 0, 20 },  { 2, 0, 25 },  { 4, 0.5, 30 },
                                        { 6, 1, 34 }, { 9, 1, 40 }, { 11, 1, 43 } };
    static const double left[8][3] = { { 6, 2, 38 },  { 8, 6, 38 },  { 11, 11, 31 }, { 18, 9, 30 },
                                       { 2, 3, 19 },  { 11, 5, 13 }, { 4, 6, 3 },    { 8, 8, 1 } };
    static const double right[8][3] = { { 7, 0, 37 },   { 4, -5, 37 },   { 2, -9, 29 }, { 9, -8, 27 },
                                        { -2, -3, 20 }, { 7, -6, 14 },  { -4, -7, 5 }, { 0, -8, 2 } };
    uint32_t next = 0;
    for (int i = 0; i < 6; ++i) f->positions[next++] = make_vec3(trunk[i][0], trunk[i][1], trunk[i][2]);
    for (int i = 0; i < 8; ++i) f->positions[next++] = make_vec3(left[i][0], left[i][1], left[i][2]);
    for (int i = 0; i < 8; ++i) f->positions[next++] = make_vec3(right[i][0], right[i][1], right[i][2]);
}

static vec3 direction(const vec3 *positions, const uint32_t bones[ROLE_COUNT], int from, int to)
{
    vec3 v = minus(positions[bones[to]], positions[bones[from]]);
    return scaled(v, 1 / length_of(v));
}

static void check_direction(vec3 got, vec3 want)
{
    CHECK_NEAR(got.x, want.x, 1e-9);
    CHECK_NEAR(got.y, want.y, 1e-9);
    CHECK_NEAR(got.z, want.z, 1e-9);
}

/* Checks the canonical pose of a figure whose axes are rotated. */
static void check_canonical(const figure *f, mat3 axes, const char *name)
{
    const double down = CANONICAL_ARMS_DOWN / 180 * 3.14159265358979323846;
    const vec3   left = make_vec3(0, 1, 0), below = make_vec3(0, 0, -1);
    vec3         given[MOST_TEST_BONES], posed[MOST_TEST_BONES];
    mat3         rotations[MOST_TEST_BONES];
    uint32_t     bones[ROLE_COUNT];
    check_scene("%s", name);
    find_roles(&f->tree, bones);
    for (uint32_t i = 0; i < f->tree.count; ++i) given[i] = rotate_back(axes, f->positions[i]);
    find_canonical_pose(&f->tree, bones, axes, given, NULL, rotations, posed);
    for (uint32_t i = 0; i < f->tree.count; ++i) {
        check_step("the bone %s", f->names[i]);
        if (f->parents[i] != NO_BONE) {
            vec3 before = minus(given[i], given[f->parents[i]]);
            vec3 after = minus(posed[i], posed[f->parents[i]]);
            vec3 rotated = rotate(rotations[f->parents[i]], before);
            CHECK_NEAR(length_of(minus(after, rotated)), 0, 1e-9);
        }
    }
    for (uint32_t i = 0; i < f->tree.count; ++i) posed[i] = rotate(axes, posed[i]);
    for (int side = 0; side < SIDES; ++side) {
        double sign = side == LEFT_SIDE ? 1 : -1;
        vec3   arm = make_vec3(0, sign * cos(down), -sin(down));
        check_step("%s", side == LEFT_SIDE ? "left" : "right");
        check_direction(direction(posed, bones, UPPER_ARM + side, FOREARM + side), arm);
        check_direction(direction(posed, bones, FOREARM + side, HAND + side), arm);
        check_direction(direction(posed, bones, THIGH + side, SHIN + side), below);
        check_direction(direction(posed, bones, SHIN + side, FOOT + side), below);
        CHECK(direction(posed, bones, FOOT + side, TOES + side).x > 0.7);

        /* The hinges: a knee bends about the axis to the left. */
        vec3 bend = cross(minus(f->positions[bones[SHIN + side]], f->positions[bones[THIGH + side]]),
                          minus(f->positions[bones[FOOT + side]], f->positions[bones[SHIN + side]]));
        vec3 hinge = rotate(axes, rotate(rotations[bones[THIGH + side]], rotate_back(axes, bend)));
        check_direction(scaled(hinge, 1 / length_of(hinge)), left);
    }
    check_step("trunk");
    vec3 hips = direction(posed, bones, THIGH + RIGHT_SIDE, THIGH);
    vec3 shoulders = direction(posed, bones, UPPER_ARM + RIGHT_SIDE, UPPER_ARM);
    check_direction(hips, left);
    CHECK(dot(shoulders, left) > 0.97);
    CHECK(direction(posed, bones, HIPS, CHEST).z > 0.95);
    CHECK_NEAR(fmin(posed[bones[FOOT]].z, posed[bones[FOOT + RIGHT_SIDE]].z), 3, 1e-9);
}

static void test_canonical_pose(void)
{
    static const vec3 forwards[4] = { { 1, 0, 0 }, { 0, 1, 0 }, { -1, 0, 0 }, { 0, -1, 0 } };
    figure f;
    make_figure(&f, &conventions[0]);
    crouch(&f);
    for (int i = 0; i < COUNT(forwards); ++i) {
        vec3 forward = forwards[i], up = make_vec3(0, 0, 1);
        mat3 axes = transposed(make_mat3(forward, cross(up, forward), up));
        check_canonical(&f, axes, "Z is up");
    }
    mat3 gltf = transposed(make_mat3(make_vec3(0, 0, 1), make_vec3(1, 0, 0), make_vec3(0, 1, 0)));
    check_canonical(&f, gltf, "the axes of glTF");
}

/* The heading is found from hips and shoulders, also in the crouch. */
static void test_headings(void)
{
    figure   f;
    uint32_t bones[ROLE_COUNT];
    make_figure(&f, &conventions[0]);
    crouch(&f);
    find_roles(&f.tree, bones);
    for (int quarter = 0; quarter < 4; ++quarter) {
        const double angle = quarter * 3.14159265358979323846 / 2;
        mat3         turn = rotation_about(make_vec3(0, 0, angle));
        vec3         positions[MOST_TEST_BONES];
        for (uint32_t i = 0; i < f.tree.count; ++i) positions[i] = rotate(turn, f.positions[i]);
        check_scene("turned by %d degrees", 90 * quarter);
        mat3 axes = find_axes(positions, bones);
        check_direction(rotate(axes, rotate(turn, make_vec3(1, 0, 0))), make_vec3(1, 0, 0));
        check_direction(rotate(axes, rotate(turn, make_vec3(0, 0, 1))), make_vec3(0, 0, 1));
    }
}

/* -- Conversions ------------------------------------------------------------------------------- */

/* Writes the character and its walk as a .glb of `scale`, with `insert` in the JSON in front of `mark`. If
   has_names is false, all joints have names without a meaning. */
static void write_walk(const char *path, float scale, bool has_names, const char *mark, const char *insert)
{
    const char       *anim = of_character("walk.md5anim");
    outputs           o;
    convert_request   request;
    memset(&o, 0, sizeof o);
    memset(&request, 0, sizeof request);
    request.model = of_character("knight.md5mesh");
    request.model_kind = KIND_MD5_MESH;
    request.anims = &anim;
    request.anim_count = 1;
    request.output = path;
    request.scale = scale;
    request.is_bare = true;
    if (!CHECK(md5_to_glb(&request, &o))) return;

    /* Blanks at the end of the JSON make room, so that no length changes. */
    blob *file = &o.list[0].file;
    char *text = (char *)file->data + 20, *end = strstr(text, "}]}\n"), *at = strstr(text, mark);
    char *name = has_names ? NULL : strstr(text, "\"name\":\"root\"");
    for (; name; name = strstr(name, "\"name\":\"")) {
        for (name += 8; *name != '"'; ++name) *name = 'x';
    }
    if (insert[0] && CHECK(at && end)) {
        blob   longer = { NULL, 0, 0 };
        size_t before = (size_t)(at - (char *)file->data), size = strlen(insert);
        size_t json = (size_t)file->data[12] | (size_t)file->data[13] << 8 |
                      (size_t)file->data[14] << 16, after = 20 + json;
        size_t padding = (4 - size % 4) % 4;
        put(&longer, file->data, before);
        put(&longer, insert, size);
        put(&longer, at, after - before);
        put(&longer, "    ", padding);
        put(&longer, file->data + after, file->size - after);
        uint32_t new_json = (uint32_t)(json + size + padding);
        for (int k = 0; k < 4; ++k) longer.data[8 + k] = (uint8_t)(longer.size >> 8 * k);
        for (int k = 0; k < 4; ++k) longer.data[12 + k] = (uint8_t)(new_json >> 8 * k);
        save(path, &longer);
    } else {
        save(path, file);
    }
    free_outputs(&o);
}

/* Sets the joints in model space, at a time in seconds. */
static void pose_model(const md5_model *model, const md5_anim *anim, double seconds, md5_xform *out)
{
    md5_pose_at(model, anim, MD5_ONCE, seconds, out);
    md5_pose_to_model_space(model, out, out);
}

/* glTF ignores the transform of the node that shows a skinned mesh. */
static void test_mesh_node(void)
{
    const char     *hero = of_folder("node_hero.glb"), *source = of_folder("node_source.glb");
    outputs         o;
    convert_request request;
    memset(&o, 0, sizeof o);
    memset(&request, 0, sizeof request);
    write_walk(hero, 0.0254f, true, "", "");
    write_walk(source, 0.0508f, true, ",\"mesh\":0,", ",\"rotation\":[0.6,0,0,0.8],\"translation\":[3,0,0]");
    request.model = hero;
    request.model_kind = KIND_GLTF;
    anim_source from = { source, KIND_GLTF, NULL, 0 };
    request.sources = &from;
    request.source_count = 1;
    request.output = "hero.md5mesh";
    if (!CHECK(scene_to_md5(&request, &o))) return;
    md5_model *model = read_md5mesh(&o, "hero.md5mesh");
    md5_anim  *own = read_md5anim(&o, "walk.md5anim"), *taken = read_md5anim(&o, "node_source.md5anim");
    md5_xform *a = (md5_xform *)allocate(2 * (size_t)model->joint_count, sizeof *a);
    md5_xform *b = a + model->joint_count;
    pose_model(model, own, 0.3, a);
    pose_model(model, taken, 0.3, b);
    for (uint32_t i = 0; i < model->joint_count; ++i) {
        check_step("%s", model->joints[i].name);
        for (int k = 0; k < 3; ++k) {
            CHECK_NEAR(a[i].position[k], b[i].position[k], 0.02);
        }
    }
    release(a);
    md5_free_model(model);
    md5_free_anim(own);
    md5_free_anim(taken);
    free_outputs(&o);
}

/* -- Sources with other names, another bind pose, other axes and another size ------------------- */

enum { MOST_JOINTS = 64, SOURCE_FRAMES = 9 };

typedef struct disguise {             /* changes that make the knight hard to recognize */
    const char *names[MOST_JOINTS];
    char        room[MOST_JOINTS][64];
    double      size;
    mat3        axes;                 /* axes of all joints */
    bool        is_bent;              /* the bind pose crouches */
    vec3        start;                /* added to a position in the animation */
    uint32_t    start_joint;          /* the joint that has this position */
    vec3        turn;                 /* rotation of the root, in degrees a frame */
    double      speed;                /* of the knight's animation; 0 = 1 */
    double      legs;                 /* change of the proportions of the legs; 0 = none */
} disguise;

static void get_rotations(const md5_model *model, const md5_xform *pose, mat3 *rotations,
                          vec3 *positions)
{
    for (uint32_t i = 0; i < model->joint_count; ++i) {
        float m[16];
        md5_pose_matrix(&pose[i], m);
        rotations[i] = make_mat3(make_vec3((double)m[0], (double)m[1], (double)m[2]),
                                 make_vec3((double)m[4], (double)m[5], (double)m[6]),
                                 make_vec3((double)m[8], (double)m[9], (double)m[10]));
        positions[i] = make_vec3((double)m[12], (double)m[13], (double)m[14]);
    }
}

static void find_model_roles(const md5_model *model, uint32_t bones[ROLE_COUNT])
{
    const char *names[MOST_JOINTS];
    uint32_t    parents[MOST_JOINTS];
    bone_tree   tree = { model->joint_count, names, parents, NULL };
    for (uint32_t i = 0; i < model->joint_count; ++i) {
        int32_t parent = model->joints[i].parent;
        names[i] = model->joints[i].name;
        parents[i] = parent < 0 ? NO_BONE : (uint32_t)parent;
    }
    find_roles(&tree, bones);
}

/* Gives the joints of the knight the names of a convention. Joints without a role get others. */
static void rename_joints(const md5_model *model, const convention *c, disguise *d)
{
    uint32_t bones[ROLE_COUNT];
    figure   f;
    make_figure(&f, c);
    find_model_roles(model, bones);
    for (uint32_t i = 0; i < model->joint_count; ++i) {
        snprintf(d->room[i], sizeof d->room[i], "helper%u", (unsigned)i);
        d->names[i] = d->room[i];
    }
    for (uint32_t r = 0; r < ROLE_COUNT; ++r) {
        bool has_both = bones[r] != NO_BONE && f.expected[r] != NO_BONE;
        if (has_both) snprintf(d->room[bones[r]], sizeof d->room[0], "%s", f.names[f.expected[r]]);
    }
}

/* Rotates a joint and all that it carries about its position. */
static void bend(const md5_model *model, mat3 *rotations, vec3 *positions, uint32_t joint, vec3 angles)
{
    mat3 by = rotation_about(scaled(angles, 3.14159265358979323846 / 180));
    bool is_below[MOST_JOINTS] = { false };
    vec3 center = positions[joint];
    for (uint32_t i = joint; i < model->joint_count; ++i) {
        int32_t parent = model->joints[i].parent;
        is_below[i] = i == joint || (parent >= 0 && is_below[parent]);
        if (!is_below[i]) continue;
        rotations[i] = times(by, rotations[i]);
        positions[i] = add(center, rotate(by, minus(positions[i], center)));
    }
}

/* Moves the hip joints apart, shortens the thighs, and makes the shins longer. */
static void change_legs(const md5_model *model, double part, const mat3 *rotations, vec3 *positions)
{
    uint32_t bones[ROLE_COUNT];
    vec3     old[MOST_JOINTS];
    find_model_roles(model, bones);
    memcpy(old, positions, model->joint_count * sizeof *old);
    for (uint32_t i = 1; i < model->joint_count; ++i) {
        uint32_t parent = (uint32_t)model->joints[i].parent;
        vec3     offset = minus(old[i], old[parent]);
        for (int side = 0; side < SIDES; ++side) {
            vec3 left = scaled(rotations[parent].y, dot(rotations[parent].y, offset));
            if (i == bones[THIGH + side]) offset = add(offset, scaled(left, 6 * part));
            if (i == bones[SHIN + side]) offset = scaled(offset, 1 - part);
            if (i == bones[FOOT + side]) offset = scaled(offset, 1 + part);
        }
        positions[i] = add(positions[parent], offset);
    }
}

/* Writes the knight in his disguise, and his walk. */
static void write_disguised(const md5_model *model, const md5_anim *anim, const disguise *d,
                            const char *mesh_path, const char *anim_path)
{
    static const uint32_t triangle[3] = { 0, 1, 2 };
    uint32_t       count = model->joint_count, bones[ROLE_COUNT];
    mat3           rotations[MOST_JOINTS];
    vec3           positions[MOST_JOINTS];
    md5_xform      pose[MOST_JOINTS];
    md5_out_joint  joints[MOST_JOINTS];
    md5_out_vertex vertices[3] = { { 0, 0, 0, 1 }, { 1, 0, 1, 1 }, { 0, 1, 2, 1 } };
    md5_out_weight weights[3] = { { 0, 1, { 0, 0, 0 } }, { 0, 1, { 1, 0, 0 } }, { 0, 1, { 0, 1, 0 } } };
    md5_out_mesh   mesh = { "skin", 3, 3, 3, vertices, weights, triangle };
    find_model_roles(model, bones);
    md5_pose_bind(model, pose);
    md5_pose_to_model_space(model, pose, pose);
    get_rotations(model, pose, rotations, positions);
    if (d->is_bent) {
        bend(model, rotations, positions, bones[SPINE], make_vec3(0, 15, 10));
        bend(model, rotations, positions, bones[UPPER_ARM], make_vec3(-70, 0, 20));
        bend(model, rotations, positions, bones[UPPER_ARM + RIGHT_SIDE], make_vec3(55, 0, 0));
        bend(model, rotations, positions, bones[THIGH], make_vec3(0, -50, 0));
        bend(model, rotations, positions, bones[SHIN], make_vec3(0, 60, 0));
        bend(model, rotations, positions, bones[THIGH + RIGHT_SIDE], make_vec3(0, -20, 0));
        bend(model, rotations, positions, bones[SHIN + RIGHT_SIDE], make_vec3(0, 40, 0));
    }
    change_legs(model, d->legs, rotations, positions);
    for (uint32_t i = 0; i < count; ++i) {
        vec3 place = scaled(positions[i], d->size);
        joints[i].name = d->names[i];
        joints[i].parent = model->joints[i].parent;
        joints[i].position[0] = place.x;
        joints[i].position[1] = place.y;
        joints[i].position[2] = place.z;
        quaternion_of(times(rotations[i], d->axes), joints[i].rotation);
    }
    blob file = write_md5mesh("test", joints, count, &mesh, 1);
    save(mesh_path, &file);

    md5_out_part parts[SOURCE_FRAMES * MOST_JOINTS];
    double       bounds[6 * SOURCE_FRAMES] = { 0 };
    for (uint32_t f = 0; f < SOURCE_FRAMES; ++f) {
        pose_model(model, anim, f * 0.1 * (d->speed > 0 ? d->speed : 1), pose);
        get_rotations(model, pose, rotations, positions);
        bend(model, rotations, positions, 0, scaled(d->turn, f));
        change_legs(model, d->legs, rotations, positions);
        for (uint32_t i = 0; i < count; ++i) {
            int32_t       parent = model->joints[i].parent;
            mat3          local = times(rotations[i], d->axes);
            vec3          place = scaled(positions[i], d->size);
            md5_out_part *part = &parts[f * count + i];
            double        q[4];
            if (parent >= 0) {
                mat3 above = times(rotations[parent], d->axes);
                place = rotate_back(above, minus(place, scaled(positions[parent], d->size)));
                local = transposed_times(above, local);
            }
            if (i == d->start_joint) place = add(place, d->start);
            quaternion_of(local, q);
            md5_stored_rotation(q, part->number + 3);
            part->number[0] = place.x;
            part->number[1] = place.y;
            part->number[2] = place.z;
        }
    }
    md5_out_anim out = { SOURCE_FRAMES, count, 10, joints, parts, bounds };
    file = write_md5anim("test", &out);
    save(anim_path, &file);
}

/* Checks that the limbs of both differ by less than `most` degrees at some times. */
static void check_limbs(const md5_model *model, const md5_anim *want, const md5_anim *got, double most)
{
    static const int limbs[] = { UPPER_ARM, FOREARM, THIGH, SHIN };
    uint32_t         bones[ROLE_COUNT];
    md5_xform        a[MOST_JOINTS], b[MOST_JOINTS];
    mat3             rotations[MOST_JOINTS];
    vec3             at[2][MOST_JOINTS];
    find_model_roles(model, bones);
    for (int t = 0; t < SOURCE_FRAMES; ++t) {
        pose_model(model, want, t * 0.1, a);
        pose_model(model, got, t * 0.1, b);
        get_rotations(model, a, rotations, at[0]);
        get_rotations(model, b, rotations, at[1]);
        for (int i = 0; i < COUNT(limbs) * SIDES; ++i) {
            int  from = limbs[i / SIDES] + i % SIDES, to = from + SIDES;
            vec3 x = direction(at[0], bones, from, to), y = direction(at[1], bones, from, to);
            check_step("%s at %.1f seconds", role_name((uint32_t)from), t * 0.1);
            double angle = atan2(length_of(cross(x, y)), dot(x, y)) * 180 / 3.14159265358979323846;
            CHECK(angle < most);
        }
    }
}

static void check_disguise(const md5_model *model, const md5_anim *anim, const disguise *d)
{
    const char     *mesh_path = of_folder("source.md5mesh"), *anim_path = of_folder("lent.md5anim");
    const char     *own = of_character("walk.md5anim");
    anim_source     from = { mesh_path, KIND_MD5_MESH, &anim_path, 1 };
    outputs         o;
    convert_request request;
    memset(&o, 0, sizeof o);
    memset(&request, 0, sizeof request);
    write_disguised(model, anim, d, mesh_path, anim_path);
    request.model = of_character("knight.md5mesh");
    request.model_kind = KIND_MD5_MESH;
    request.anims = &own;
    request.anim_count = 1;
    request.sources = &from;
    request.source_count = 1;
    request.output = "knight.md5mesh";
    request.is_bare = true;
    if (CHECK(md5_to_md5(&request, &o))) {
        md5_anim *got = read_md5anim(&o, "walk.md5anim");
        if (got) check_limbs(model, anim, got, 1);
        md5_free_anim(got);
    }
    free_outputs(&o);
}

static void test_disguises(void)
{
    md5_model *model = md5_load_model_file(of_character("knight.md5mesh"), NULL, NULL);
    md5_anim  *anim = md5_load_anim_file(of_character("walk.md5anim"), NULL, NULL);
    if (!CHECK(model != NULL) || !CHECK(anim != NULL)) return;
    for (int i = 0; i < COUNT(conventions); ++i) {
        disguise d;
        memset(&d, 0, sizeof d);
        rename_joints(model, &conventions[i], &d);
        d.size = 1 + 0.1 * i;
        d.is_bent = i % 2 == 1;
        d.axes = rotation_about(make_vec3(0.3 * i, 1, -0.2 * i));
        check_scene("the knight as %s would name him", conventions[i].program);
        check_disguise(model, anim, &d);
    }
    md5_free_model(model);
    md5_free_anim(anim);
}

/* Starts a request for the knight and his walk. */
static convert_request make_walk_request(const char **anim, const char *result)
{
    convert_request request;
    memset(&request, 0, sizeof request);
    *anim = of_character("walk.md5anim");
    request.model = of_character("knight.md5mesh");
    request.model_kind = KIND_MD5_MESH;
    request.anims = anim;
    request.anim_count = 1;
    request.output = result;
    request.is_bare = true;
    return request;
}

/* Gets the joints of a model at a time of an animation; in the bind pose if `anim` is NULL. */
static void get_joints(const md5_model *model, const md5_anim *anim, double seconds, vec3 *positions)
{
    md5_xform pose[MOST_JOINTS];
    mat3      rotations[MOST_JOINTS];
    md5_pose_bind(model, pose);
    md5_pose_to_model_space(model, pose, pose);
    if (anim) pose_model(model, anim, seconds, pose);
    get_rotations(model, pose, rotations, positions);
}

/* Returns how far the foot or the toes are above their heights in the bind pose, whichever is less. */
static double foot_height(const vec3 *positions, const vec3 *bind, const uint32_t bones[ROLE_COUNT], int side)
{
    uint32_t foot = bones[FOOT + side], toes = bones[TOES + side];
    return fmin(positions[foot].z - bind[foot].z, positions[toes].z - bind[toes].z);
}

/* Checks that a foot of the target moves like that of the source, in proportion, while it is near the ground. In the
   air, it moves nearly like that. */
static void check_feet(const md5_model *target, const md5_anim *got, const md5_model *source, const md5_anim *from)
{
    uint32_t ours[ROLE_COUNT], theirs[ROLE_COUNT], count = 0;
    vec3     bind[MOST_JOINTS], source_bind[MOST_JOINTS], at[2][MOST_JOINTS], source_at[2][MOST_JOINTS];
    find_model_roles(target, ours);
    find_model_roles(source, theirs);
    get_joints(target, NULL, 0, bind);
    get_joints(source, NULL, 0, source_bind);
    double ratio = leg_length(bind, ours) / leg_length(source_bind, theirs);
    for (uint32_t f = 0; f < SOURCE_FRAMES; ++f) {
        uint32_t now = f % 2, before = 1 - now;
        get_joints(target, got, f * 0.1, at[now]);
        get_joints(source, from, f * 0.1, source_at[now]);
        for (int side = 0; side < SIDES && f > 0; ++side) {
            uint32_t foot = ours[FOOT + side], other = theirs[FOOT + side];
            vec3     moved = minus(at[now][foot], at[before][foot]);
            vec3     wanted = scaled(minus(source_at[now][other], source_at[before][other]), ratio);
            double   height = fmax(foot_height(source_at[now], source_bind, theirs, side),
                                   foot_height(source_at[before], source_bind, theirs, side));
            bool     rests = height < 0.049 * leg_length(source_bind, theirs);
            check_step("frame %u, %s", (unsigned)f, role_name(FOOT + (uint32_t)side));
            CHECK_NEAR(moved.x, wanted.x, rests ? 1e-3 : 0.4);
            CHECK_NEAR(moved.y, wanted.y, rests ? 1e-3 : 0.4);
            count += rests;
        }
    }
    CHECK(count >= 6);

    /* The animation is a loop, so the legs have the same directions at both ends. */
    get_joints(target, got, 0, at[0]);
    get_joints(target, got, (SOURCE_FRAMES - 1) * 0.1, at[1]);
    for (int side = 0; side < SIDES; ++side) {
        vec3 first = direction(at[0], ours, THIGH + side, FOOT + side);
        vec3 last = direction(at[1], ours, THIGH + side, FOOT + side);
        check_step("%s", role_name(THIGH + (uint32_t)side));
        CHECK_NEAR(length_of(minus(last, first)), 0, 1e-3);
    }
}

/* The legs of both have other proportions, so equal angles alone would let the feet slide. Even if the proportions
   differ much, the limbs have nearly the directions of the source. In the air, they have the same directions. */
static void test_feet(void)
{
    static const struct { double legs, height, most; } passes[] = { { 0.05, 0, 3 }, { 0.2, 0, 3 }, { 0.2, 3, 0.01 } };
    md5_model  *model = md5_load_model_file(of_character("knight.md5mesh"), NULL, NULL);
    md5_anim   *anim = md5_load_anim_file(of_character("walk.md5anim"), NULL, NULL);
    const char *mesh_path = of_folder("legs.md5mesh"), *anim_path = of_folder("legs.md5anim"), *own;
    anim_source from = { mesh_path, KIND_MD5_MESH, &anim_path, 1 };
    disguise    d;
    convert_request request = make_walk_request(&own, "knight.md5mesh");
    if (!CHECK(model != NULL) || !CHECK(anim != NULL)) return;
    memset(&d, 0, sizeof d);
    rename_joints(model, &conventions[1], &d);
    d.size = 2;
    d.axes = diagonal(1);
    d.speed = md5_anim_length(anim, MD5_ONCE) / (SOURCE_FRAMES - 1) / 0.1;
    request.sources = &from;
    request.source_count = 1;
    for (int pass = 0; pass < COUNT(passes); ++pass) {
        outputs o;
        memset(&o, 0, sizeof o);
        d.legs = passes[pass].legs;
        d.start = make_vec3(0, 0, passes[pass].height);
        check_scene("thighs are shorter by %.0f %%, %.0f units above the ground", d.legs * 100, d.start.z);
        write_disguised(model, anim, &d, mesh_path, anim_path);
        md5_model *source = md5_load_model_file(mesh_path, NULL, NULL);
        md5_anim  *walk = md5_load_anim_file(anim_path, NULL, NULL);
        md5_anim  *got = CHECK(md5_to_md5(&request, &o)) ? read_md5anim(&o, "legs.md5anim") : NULL;
        if (CHECK(source && walk && got)) {
            if (pass == 0) check_feet(model, got, source, walk);
            check_limbs(model, walk, got, passes[pass].most);
        }
        md5_free_model(source);
        md5_free_anim(walk);
        md5_free_anim(got);
        free_outputs(&o);
    }
    md5_free_model(model);
    md5_free_anim(anim);
}

/* A VRM lists which node is which bone, so the names of its nodes do not matter. */
static void test_vrm(void)
{
    static const char *const bones[][2] = {
        { "hips", "hips" }, { "head", "head" }, { "chest", "chest" }, { "leftUpperLeg", "thigh_l" },
        { "rightUpperLeg", "thigh_r" }, { "leftLowerLeg", "shin_l" }, { "rightLowerLeg", "shin_r" },
        { "leftUpperArm", "arm_l" }, { "rightUpperArm", "arm_r" }, { "leftLowerArm", "forearm_l" },
        { "rightLowerArm", "forearm_r" }, { "leftHand", "hand_l" }, { "rightHand", "hand_r" },
        { "leftFoot", "foot_l" }, { "rightFoot", "foot_r" },
    };
    const char *path = of_folder("walk.vrm"), *named_path = of_folder("named.glb");
    write_walk(named_path, 0.0254f, true, "", "");
    scene *named = read_scene(named_path, false);
    if (!CHECK(named != NULL)) return;
    for (int version = 0; version < 2; ++version) {
        const char *anim;
        blob        text = { NULL, 0, 0 };
        outputs     o;
        convert_request request = make_walk_request(&anim, "knight.md5mesh");
        anim_source from = { path, KIND_GLTF, NULL, 0 };
        check_scene("VRM %d", version);
        put_format(&text, version == 0 ? "\"extensions\":{\"VRM\":{\"humanoid\":{\"humanBones\":["
                   : "\"extensions\":{\"VRMC_vrm\":{\"humanoid\":{\"humanBones\":{");
        for (int i = 0; i < COUNT(bones); ++i) {
            uint32_t node = 0;
            while (strcmp(named->nodes[node].name, bones[i][1]) != 0) ++node;
            if (i > 0) put_text(&text, ",");
            if (version == 0) put_format(&text, "{\"bone\":\"%s\",\"node\":%u}", bones[i][0], (unsigned)node);
            else put_format(&text, "\"%s\":{\"node\":%u}", bones[i][0], (unsigned)node);
        }
        put_text(&text, version == 0 ? "]}}}," : "}}}},");
        put_byte(&text, 0);
        write_walk(path, 0.0254f, false, "\"asset\"", (const char *)text.data);
        free_blob(&text);

        memset(&o, 0, sizeof o);
        request.sources = &from;
        request.source_count = 1;
        if (CHECK(md5_to_md5(&request, &o))) {
            md5_model *model = read_md5mesh(&o, "knight.md5mesh");
            md5_anim  *own = read_md5anim(&o, "walk.md5anim"), *taken = read_md5anim(&o, "walk_walk.md5anim");
            if (model && own && taken) check_limbs(model, own, taken, 1);
            md5_free_model(model);
            md5_free_anim(own);
            md5_free_anim(taken);
        }
        free_outputs(&o);
    }
    free_scene(named);
}

/* -- Root motion ------------------------------------------------------------------------------- */

/* Returns how far joint 0 moves from the first to the last frame. */
static double root_motion_of(const outputs *o, const char *mesh, const char *name)
{
    md5_xform  first[64], last[64];
    md5_model *model = read_md5mesh(o, mesh);
    md5_anim  *anim = read_md5anim(o, name);
    double     length = 0;
    if (model && anim) {
        pose_model(model, anim, 0, first);
        pose_model(model, anim, (anim->frame_count - 1) / (double)anim->fps, last);
        length = fabs((double)last[0].position[0] - (double)first[0].position[0]);
    }
    md5_free_model(model);
    md5_free_anim(anim);
    return length;
}

/* A walk goes ahead steadily. A knight who falls moves at first, and then lies still. */
static void test_in_place(void)
{
    const char *anims[2] = { of_character("walk.md5anim"), of_character("death1.md5anim") };
    outputs     o;
    convert_request request = make_walk_request(anims, "knight.md5mesh");
    double      before[2];
    anims[1] = of_character("death1.md5anim");
    request.anim_count = 2;
    for (int pass = 0; pass < 2; ++pass) {
        memset(&o, 0, sizeof o);
        request.in_place = pass == 1;
        if (!CHECK(md5_to_md5(&request, &o))) return;
        double walk = root_motion_of(&o, "knight.md5mesh", "walk.md5anim");
        double death = root_motion_of(&o, "knight.md5mesh", "death1.md5anim");
        if (pass == 0) {
            before[0] = walk;
            before[1] = death;
            CHECK(walk > 15);
        } else {
            CHECK_NEAR(walk, 0, 1e-3);
            CHECK_NEAR(death, before[1], 1e-4);
        }
        free_outputs(&o);
    }

    /* A .glb that becomes an MD2 walks in place, too. */
    const char *path = of_folder("in_place.glb");
    write_walk(path, 0.0254f, true, "", "");
    memset(&request, 0, sizeof request);
    memset(&o, 0, sizeof o);
    request.model = path;
    request.model_kind = KIND_GLTF;
    request.output = "tris.md2";
    if (!CHECK(scene_to_md2(&request, &o))) return;
    const blob *file = find_output(&o, "tris.md2");
    md2_model  *model = md2_load_memory(file->data, file->size, NULL, NULL);
    if (CHECK(model != NULL)) {
        const md2_frame *first = &model->frames[0], *last = &model->frames[model->frame_count - 1];
        CHECK_NEAR(first->min[0] + first->max[0], last->min[0] + last->max[0], 6);
        md2_free_model(model);
    }
    free_outputs(&o);
}

/* A knight who turns on the spot has no root motion, although a hand moves along a line that is nearly straight. */
static void test_turn_in_place(void)
{
    md5_model *model = md5_load_model_file(of_character("knight.md5mesh"), NULL, NULL);
    md5_anim  *stand = md5_load_anim_file(of_character("stand.md5anim"), NULL, NULL);
    disguise   d;
    outputs    o;
    const char *turning;
    convert_request request = make_walk_request(&turning, "turning.md5mesh");
    memset(&d, 0, sizeof d);
    memset(&o, 0, sizeof o);
    if (!CHECK(model != NULL) || !CHECK(stand != NULL)) return;
    rename_joints(model, &conventions[1], &d);
    d.size = 1;
    d.axes = diagonal(1);
    d.turn = make_vec3(0, 0, 6);
    d.speed = 0.1;
    turning = of_folder("turning.md5anim");
    request.in_place = true;
    request.model = of_folder("turning.md5mesh");
    write_disguised(model, stand, &d, request.model, turning);
    if (CHECK(md5_to_md5(&request, &o))) {
        md5_anim *before_turn = md5_load_anim_file(turning, NULL, NULL);
        md5_anim *after_turn = read_md5anim(&o, "turning.md5anim");
        if (CHECK(before_turn != NULL) && CHECK(after_turn != NULL)) {
            md5_xform pose[2][MOST_JOINTS];
            pose_model(model, before_turn, 0.8, pose[0]);
            pose_model(model, after_turn, 0.8, pose[1]);
            for (uint32_t i = 0; i < model->joint_count; ++i) {
                CHECK_NEAR(pose[1][i].position[0], pose[0][i].position[0], 1e-3);
                CHECK_NEAR(pose[1][i].position[1], pose[0][i].position[1], 1e-3);
            }
        }
        md5_free_anim(before_turn);
        md5_free_anim(after_turn);
    }
    free_outputs(&o);
    md5_free_model(model);
    md5_free_anim(stand);
}

/* If only the hips of the source move, the root above the hips of the target gets the steady part. A source whose root
   or hips begin far away moves neither joint of the target from its place. */
static void test_root_above_hips(void)
{
    md5_model *model = md5_load_model_file(of_character("knight.md5mesh"), NULL, NULL);
    md5_anim  *anim = md5_load_anim_file(of_character("walk.md5anim"), NULL, NULL);
    disguise   d;
    if (!CHECK(model != NULL) || !CHECK(anim != NULL)) return;
    memset(&d, 0, sizeof d);
    rename_joints(model, &conventions[1], &d);
    d.size = 2;
    d.axes = diagonal(1);
    d.start = make_vec3(300, -200, 0);
    const char *mesh_path = of_folder("rooted.md5mesh"), *anim_path = of_folder("ahead.md5anim"), *own;
    const int   hips = md5_find_joint(model, "hips");
    for (int pass = 0; pass < 2; ++pass) {
        outputs o;
        check_scene("the %s is far away", pass == 0 ? "root" : "hip joint");
        memset(&o, 0, sizeof o);
        d.start_joint = pass == 0 ? 0 : (uint32_t)hips;
        write_disguised(model, anim, &d, mesh_path, anim_path);
        anim_source from = { mesh_path, KIND_MD5_MESH, &anim_path, 1 };
        convert_request request = make_walk_request(&own, "knight.md5mesh");
        request.sources = &from;
        request.source_count = 1;
        if (CHECK(md5_to_md5(&request, &o))) {
            double ahead = root_motion_of(&o, "knight.md5mesh", "ahead.md5anim");
            CHECK_NEAR(ahead, 55 / 3.0 * (SOURCE_FRAMES - 1) / 10, 0.5);

            md5_xform first[MOST_JOINTS];
            md5_anim *got = read_md5anim(&o, "ahead.md5anim");
            if (CHECK(got != NULL)) {
                pose_model(model, got, 0, first);
                for (int k = 0; k < 2; ++k) {
                    CHECK_NEAR(first[hips].position[k], model->joints[hips].bind.position[k], 0.5);
                    CHECK_NEAR(first[0].position[k], model->joints[0].bind.position[k], 0.5);
                }
            }
            md5_free_anim(got);
        }
        free_outputs(&o);
    }
    md5_free_model(model);
    md5_free_anim(anim);
}

/* Without names of a humanoid, joints are matched by their names. A source that begins far away still moves the model
   at its own place. */
static void test_far_names(void)
{
    md5_model  *model = md5_load_model_file(of_character("knight.md5mesh"), NULL, NULL);
    md5_anim   *anim = md5_load_anim_file(of_character("walk.md5anim"), NULL, NULL);
    const char *mesh_path = of_folder("far.md5mesh"), *anim_path = of_folder("ahead.md5anim"), *own;
    disguise    d;
    outputs     o;
    blob        messages = { NULL, 0, 0 };
    if (!CHECK(model != NULL) || !CHECK(anim != NULL)) return;
    memset(&d, 0, sizeof d);
    memset(&o, 0, sizeof o);
    for (uint32_t i = 0; i < model->joint_count; ++i) {
        snprintf(d.room[i], sizeof d.room[i], "part%u", (unsigned)i);
        d.names[i] = d.room[i];
    }
    d.size = 1;
    d.axes = diagonal(1);
    write_disguised(model, anim, &d, of_folder("near.md5mesh"), of_folder("near.md5anim"));
    d.axes = rotation_about(make_vec3(0.3, 1, -0.2));
    d.start = make_vec3(300, -200, 0);
    write_disguised(model, anim, &d, mesh_path, anim_path);

    anim_source     from = { mesh_path, KIND_MD5_MESH, &anim_path, 1 };
    convert_request request = make_walk_request(&own, "near.md5mesh");
    request.model = of_folder("near.md5mesh");
    request.anim_count = 0;
    request.sources = &from;
    request.source_count = 1;
    kept_messages = &messages;
    CHECK(md5_to_md5(&request, &o));
    kept_messages = NULL;
    put_byte(&messages, 0);
    CHECK(strstr((const char *)messages.data, "far.md5mesh: by names") != NULL);
    free_blob(&messages);

    md5_anim *got = read_md5anim(&o, "ahead.md5anim");
    if (got) {
        md5_xform first[MOST_JOINTS];
        pose_model(model, got, 0, first);
        for (int k = 0; k < 2; ++k) CHECK_NEAR(first[0].position[k], model->joints[0].bind.position[k], 0.5);
    }
    md5_free_anim(got);
    free_outputs(&o);
    md5_free_model(model);
    md5_free_anim(anim);
}

/* -- Weapons ----------------------------------------------------------------------------------- */

/* Copies a text and replaces the first `from` by `to`, which is as long. */
static void copy_changed(const char *path, const char *copy, const char *from, const char *to)
{
    blob text = { NULL, 0, 0 };
    if (!CHECK(read_blob(path, &text))) return;
    put_byte(&text, 0);
    char *at = strstr((char *)text.data, from);
    if (CHECK(at != NULL)) memcpy(at, to, strlen(to));
    --text.size;
    save(copy, &text);
}

/* The sword of a .glb is where md5.h would draw it: in the joint "weapon" or, if the model has none, in the joint that
   the sword names. */
static void check_held_weapon(bool has_joint)
{
    const char *anim_path, *sword_path = of_character("weapon.md5mesh"), *joint = has_joint ? "weapon" : "hand_r";
    outputs     o;
    convert_request request = make_walk_request(&anim_path, of_folder("armed.glb"));
    memset(&o, 0, sizeof o);
    check_scene("held by %s", joint);
    if (!has_joint) {
        request.model = of_folder("knight.md5mesh");
        anim_path = of_folder("walk.md5anim");
        sword_path = of_folder("weapon.md5mesh");
        copy_changed(of_character("knight.md5mesh"), request.model, "\"weapon\"", "\"sheath\"");
        copy_changed(of_character("walk.md5anim"), anim_path, "\"weapon\"", "\"sheath\"");
        copy_changed(of_character("weapon.md5mesh"), sword_path, "\"weapon\"", "\"hand_r\"");
    }
    request.weapons = &sword_path;
    request.weapon_count = 1;
    if (!CHECK(md5_to_glb(&request, &o))) return;
    save(request.output, &o.list[0].file);
    free_outputs(&o);
    scene     *s = read_scene(request.output, true);
    md5_model *model = md5_load_model_file(request.model, NULL, NULL);
    md5_model *sword = md5_load_model_file(sword_path, NULL, NULL);
    md5_anim  *anim = md5_load_anim_file(anim_path, NULL, NULL);
    if (!CHECK(s && model && sword && anim)) return;

    const scene_instance *last = &s->instances[s->instance_count - 1];
    uint32_t   count = sword->meshes[0].vertex_count;
    md5_xform  pose[MOST_JOINTS], own[1];
    float     *points = (float *)allocate(3 * (size_t)count, sizeof *points), m[16];
    double    *got = (double *)allocate(6 * (size_t)count, sizeof *got), most = 0;
    CHECK_EQ(last->part->vertex_count, count);
    pose_scene(s, &s->anims[0], 0.3);
    pose_instance(s, last, got, got + 3 * (size_t)count);
    pose_model(model, anim, 0.3, pose);
    md5_pose_matrix(&pose[md5_find_joint(model, joint)], m);
    md5_pose_bind(sword, own);
    md5_pose_to_model_space(sword, own, own);
    md5_pose_vertices(sword, 0, own, points, 0, NULL, 0, NULL, 0);
    for (uint32_t i = 0; i < count; ++i) {
        for (int k = 0; k < 3; ++k) {
            const float *p = points + 3 * (size_t)i;
            double want = (double)(m[k] * p[0] + m[4 + k] * p[1] + m[8 + k] * p[2] + m[12 + k]);
            most = fmax(most, fabs(want - got[3 * (size_t)i + (size_t)(k + 2) % 3] / 0.0254));
        }
    }
    CHECK(most < 0.01);

    /* Next to an .md5mesh, the weapon stays a model of its own. */
    memset(&o, 0, sizeof o);
    request.output = "armed.md5mesh";
    request.scale = 2;
    request.yaw = 90;
    if (CHECK(md5_to_md5(&request, &o))) {
        md5_model *again = read_md5mesh(&o, "weapon.md5mesh");
        if (again) CHECK_NEAR(again->meshes[0].weights[0].position[2], 2 * (double)sword->meshes[0].weights[0].position[2], 1e-4);
        md5_free_model(again);
    }
    free_outputs(&o);
    release(points);
    release(got);
    free_scene(s);
    md5_free_model(model);
    md5_free_model(sword);
    md5_free_anim(anim);
}

static void test_held_weapon(void)
{
    check_held_weapon(true);
    check_held_weapon(false);
}

/* A weapon in another folder brings its picture, even if the model has a picture of the same name. */
static void test_weapon_picture(void)
{
    const char *anim, *sword_path = of_folder("weapon.md5mesh");
    blob        sword = { NULL, 0, 0 }, picture = { NULL, 0, 0 };
    outputs     o;
    convert_request request = make_walk_request(&anim, of_folder("pictures.glb"));
    if (!CHECK(read_blob(of_character("weapon.md5mesh"), &sword))) return;
    if (!CHECK(read_blob(of_character("weapon.png"), &picture))) return;
    put_byte(&sword, 0);
    char *shader = strstr((char *)sword.data, "\"weapon\"\n\n");
    if (!CHECK(shader != NULL)) return;
    memcpy(shader, "\"skin\"  ", 8);
    --sword.size;
    save(sword_path, &sword);
    save(of_folder("skin.png"), &picture);
    if (!CHECK(read_blob(of_character("weapon.png"), &picture))) return;

    memset(&o, 0, sizeof o);
    request.is_bare = false;
    request.weapons = &sword_path;
    request.weapon_count = 1;
    if (CHECK(md5_to_glb(&request, &o))) {
        save(request.output, &o.list[0].file);
        scene *s = read_scene(request.output, true);
        if (CHECK(s && s->picture_count == 2)) {
            uint32_t    material = s->instances[s->instance_count - 1].part->material;
            const blob *copy = &s->pictures[s->materials[material].picture].file;
            CHECK_EQ(copy->size, picture.size);
            CHECK(copy->size == picture.size && memcmp(copy->data, picture.data, picture.size) == 0);
        }
        free_scene(s);
    }
    free_outputs(&o);
    free_blob(&sword);
    free_blob(&picture);
}

/* -- An MD2 as a source ------------------------------------------------------------------------ */

/* The frames of an MD2 move other characters, and keep how far they move. "tris" is not the name of a character. */
static void test_md2_source(void)
{
    anim_source from = { of_character("tris.md2"), KIND_MD2, NULL, 0 };
    md5_model  *model = md5_load_model_file(of_character("knight.md5mesh"), NULL, NULL);
    md5_anim   *walk = md5_load_anim_file(of_character("run.md5anim"), NULL, NULL);
    const char *own;
    outputs     o;
    convert_request request = make_walk_request(&own, "knight.md5mesh");
    if (!CHECK(model != NULL) || !CHECK(walk != NULL)) return;
    own = of_character("run.md5anim");
    memset(&o, 0, sizeof o);
    request.sources = &from;
    request.source_count = 1;
    if (CHECK(md5_to_md5(&request, &o))) {
        /* The joints that were found are not exactly the knight's. */
        md5_anim *got = read_md5anim(&o, "character_run.md5anim");
        if (got) check_limbs(model, walk, got, 12);
        md5_free_anim(got);
    }
    free_outputs(&o);
    md5_free_model(model);
    md5_free_anim(walk);
}

enum { FRAME_BYTES = 16, POINT_COUNT = 24, TRIANGLE_COUNT = 32, FRAME_COUNT = 40, FRAME_OFFSET = 56 };

/* Returns a number of the header of an MD2. */
static uint32_t header_number(const blob *file, size_t at)
{
    const uint8_t *b = file->data + at;
    return b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static void set_header_number(blob *file, size_t at, uint32_t number)
{
    for (int k = 0; k < 4; ++k) file->data[at + (size_t)k] = (uint8_t)(number >> 8 * k);
}

/* Reads the first frames of an MD2 of the knight: stand, run, attack and the three pains. In all frames,
   finding bones takes three times as long. */
static bool read_first_frames(const char *name, blob *file)
{
    enum { FIRST_FRAMES = 66 };
    if (!CHECK(read_blob(of_character(name), file))) return false;
    set_header_number(file, FRAME_COUNT, FIRST_FRAMES);
    return true;
}

/* Rotates the points of the first frame of an MD2 by 90 degrees, seen from above. */
static void rotate_first_frame(uint8_t *file)
{
    uint32_t offset, count;
    float    numbers[6], rotated[6];
    memcpy(&count, file + 24, 4);
    memcpy(&offset, file + 56, 4);
    uint8_t *frame = file + offset;
    memcpy(numbers, frame, sizeof numbers);
    memcpy(rotated, numbers, sizeof rotated);
    rotated[0] = numbers[1];
    rotated[1] = numbers[0];
    rotated[3] = -numbers[4] - 255 * numbers[1];
    rotated[4] = numbers[3];
    memcpy(frame, rotated, sizeof rotated);
    for (uint8_t *p = frame + 40; p < frame + 40 + 4 * (size_t)count; p += 4) {
        uint8_t x = p[0];
        p[0] = (uint8_t)(255 - p[1]);
        p[1] = x;
    }
}

/* Some players stand turned aside in their first frame, which is the bind pose in a .glb. They still walk ahead. */
static void test_turned_frame(void)
{
    const char     *path = of_folder("turned.md2"), *anim = of_character("walk.md5anim");
    anim_source     from = { of_character("knight.md5mesh"), KIND_MD5_MESH, &anim, 1 };
    blob            file = { NULL, 0, 0 };
    outputs         o;
    convert_request request;
    if (!read_first_frames("tris.md2", &file)) return;
    rotate_first_frame(file.data);
    save(path, &file);
    memset(&o, 0, sizeof o);
    memset(&request, 0, sizeof request);
    request.model = path;
    request.model_kind = KIND_MD2;
    request.output = "turned.glb";
    request.is_bare = true;
    request.sources = &from;
    request.source_count = 1;
    if (CHECK(md2_to_skinned_glb(&request, &o))) {
        const char *glb = of_folder("turned.glb");
        save(glb, &o.list[0].file);
        scene *s = read_scene(glb, true);
        if (CHECK(s != NULL)) {
            const scene_anim *walk = &s->anims[s->anim_count - 1];
            uint32_t          hips = 0;
            while (strcmp(s->nodes[hips].name, "hips") != 0) ++hips;
            pose_scene(s, walk, walk->start);
            double first[3] = { s->nodes[hips].world.m[0][3], 0, s->nodes[hips].world.m[2][3] };
            pose_scene(s, walk, walk->end);
            CHECK(s->nodes[hips].world.m[2][3] - first[2] > 10 * 0.0254);
            CHECK_NEAR(s->nodes[hips].world.m[0][3], first[0], 2 * 0.0254);
        }
        free_scene(s);
    }
    free_outputs(&o);
}

/* Checks that the bounds of each frame are those of the body. A skeleton that is found in an MD2 has a bind pose that is
   none of its frames, so vertices with several weights are elsewhere in a scene of glTF. */
static void check_bounds(const outputs *o, const char *mesh, const char *name)
{
    md5_model *model = read_md5mesh(o, mesh);
    md5_anim  *anim = read_md5anim(o, name);
    for (uint32_t f = 0; model && anim && f < anim->frame_count; ++f) {
        md5_xform pose[MOST_JOINTS];
        float     low[3], high[3];
        check_step("frame %u of %s", (unsigned)f, name);
        pose_model(model, anim, f / (double)anim->fps, pose);
        md5_pose_bounds(model, pose, low, high);
        for (int k = 0; k < 3; ++k) {
            CHECK_NEAR(anim->bounds[f].min[k], low[k], 0.01);
            CHECK_NEAR(anim->bounds[f].max[k], high[k], 0.01);
        }
    }
    md5_free_model(model);
    md5_free_anim(anim);
}

/* --only may select an animation of the MD2, also by the start of its name, or an animation of the source. */
static void test_only(void)
{
    const char     *anims[2] = { of_character("run.md5anim"), of_character("walk.md5anim") };
    anim_source     from = { of_character("knight.md5mesh"), KIND_MD5_MESH, anims, 2 };
    char           *only[2];
    blob            file = { NULL, 0, 0 };
    outputs         o;
    convert_request request = make_request(of_folder("first.md2"), "hero.md5mesh");
    if (!read_first_frames("tris.md2", &file)) return;
    save(request.model, &file);
    memset(&o, 0, sizeof o);
    only[0] = copy_text("PAIN");
    only[1] = copy_text("knight_run"); /* the MD2 has a run, although it is not selected */
    request.model_kind = KIND_MD2;
    request.is_bare = true;
    request.sources = &from;
    request.source_count = 1;
    request.only = only;
    request.only_count = 2;
    if (CHECK(md2_to_md5(&request, &o)) && CHECK_EQ(o.count, 3)) {
        check_bounds(&o, "hero.md5mesh", "pain1.md5anim");
        check_bounds(&o, "hero.md5mesh", "knight_run.md5anim");
    }
    free_outputs(&o);
    release(only[0]);
    release(only[1]);
}

/* -- An MD2 keeps its frames ------------------------------------------------------------------- */

/* Adds the reverse of each triangle to an MD2, with the same vertices, as in a cape that is drawn from both sides. */
static void add_linings(blob *file)
{
    enum { TRIANGLE_OFFSET = 52, FILE_END = 64, TRIANGLE_BYTES = 12 };
    uint32_t count = header_number(file, TRIANGLE_COUNT), offset = header_number(file, TRIANGLE_OFFSET);
    uint32_t end = (uint32_t)file->size;
    for (uint32_t i = 0; i < 2 * count; ++i) {
        uint8_t corners[TRIANGLE_BYTES], reversed[TRIANGLE_BYTES];
        memcpy(corners, file->data + offset + TRIANGLE_BYTES * (size_t)(i % count), sizeof corners);
        for (int k = 0; k < 6; ++k) memcpy(reversed + 2 * k, corners + 2 * (3 * (k / 3) + 2 - k % 3), 2);
        put(file, i < count ? corners : reversed, TRIANGLE_BYTES);
    }
    set_header_number(file, TRIANGLE_COUNT, 2 * count);
    set_header_number(file, TRIANGLE_OFFSET, end);
    set_header_number(file, FILE_END, (uint32_t)file->size);
}

/* Gives all points of all frames the same normal, which md2.h repairs when it loads the file. */
static void spoil_normals(blob *file)
{
    uint32_t points = header_number(file, POINT_COUNT), size = header_number(file, FRAME_BYTES);
    for (uint32_t f = 0; f < header_number(file, FRAME_COUNT); ++f) {
        uint8_t *frame = file->data + header_number(file, FRAME_OFFSET) + (size_t)f * size;
        for (uint32_t p = 0; p < points; ++p) frame[40 + 4 * p + 3] = 7;
    }
}

/* Checks that the bytes of the first frames are those of the old file. */
static void check_old_frames(const blob *old, const blob *longer)
{
    uint32_t size = header_number(old, FRAME_BYTES);
    CHECK_EQ(header_number(longer, POINT_COUNT), header_number(old, POINT_COUNT));
    CHECK_EQ(header_number(longer, TRIANGLE_COUNT), header_number(old, TRIANGLE_COUNT));
    CHECK_EQ(header_number(longer, FRAME_BYTES), size);
    for (uint32_t f = 0; f < header_number(old, FRAME_COUNT); ++f) {
        size_t at = (size_t)f * size;
        check_step("frame %u", (unsigned)f);
        CHECK(memcmp(old->data + header_number(old, FRAME_OFFSET) + at,
                     longer->data + header_number(longer, FRAME_OFFSET) + at, size) == 0);
    }
}

/* Checks the new animations. "run" is taken. The names of frames have room for 13 characters of a long name; three
   sources have the same. */
static void check_new_names(const md2_model *old, const md2_model *longer)
{
    static const char *const names[] = { "walk", "knight_run", "a_long_animat", "t_a_long_anim", "t_a_long_ania" };
    uint32_t frames = old->frame_count;
    if (!CHECK_EQ(longer->anim_count, old->anim_count + COUNT(names))) return;
    for (uint32_t i = 0; i < COUNT(names); ++i) {
        const md2_anim *added = &longer->anims[old->anim_count + i];
        CHECK_TEXT(added->name, names[i]);
        frames += added->count;
    }
    CHECK_EQ(longer->frame_count, frames);
}

/* Checks that the body is as high above the ground as in the first animation. */
static void check_ground(const md2_model *model, const md2_anim *anim)
{
    double ground = HUGE_VAL;
    for (uint32_t f = 0; f < model->anims[0].count; ++f) {
        ground = fmin(ground, (double)model->frames[model->anims[0].first + f].min[2]);
    }
    for (uint32_t f = anim->first; f < anim->first + anim->count; ++f) {
        check_step("frame %u", (unsigned)f);
        CHECK_NEAR(model->frames[f].min[2], ground, 2);
        CHECK((double)model->frames[f].max[2] > ground + 45);
    }
}

/* Returns the smallest distance between a vertex of `a` and a vertex of `b` in a frame. */
static double find_gap(const md2_model *a, const md2_model *b, uint32_t frame)
{
    float   *first = (float *)allocate(3 * (size_t)a->vertex_count, sizeof *first);
    float   *second = (float *)allocate(3 * (size_t)b->vertex_count, sizeof *second);
    double   least = HUGE_VAL;
    md2_pose pose = md2_pose_between(frame, frame, 0);
    md2_pose_vertices(a, &pose, first, 0, NULL, 0);
    md2_pose_vertices(b, &pose, second, 0, NULL, 0);
    for (uint32_t i = 0; i < a->vertex_count; ++i) {
        for (uint32_t k = 0; k < b->vertex_count; ++k) {
            const float *p = first + 3 * (size_t)i, *q = second + 3 * (size_t)k;
            vec3 off = make_vec3((double)(p[0] - q[0]), (double)(p[1] - q[1]), (double)(p[2] - q[2]));
            least = fmin(least, length_of(off));
        }
    }
    release(first);
    release(second);
    return least;
}

/* A player whose triangles are drawn from both sides has more vertices in the skeleton than in the MD2. The normals of
   the sword stay, although they fit no face. The sword has fewer frames than the player, and gets the new frames at the
   same numbers. */
static void test_old_frames(void)
{
    enum { SWORD_FRAMES = 50 };
    static const char *const meshes[3] = { "one.md5mesh", "two.md5mesh", "tank.md5mesh" };
    const char     *anims[2] = { of_character("walk.md5anim"), of_character("run.md5anim") };
    const char     *long_anim = of_folder("a_long_animation_name.md5anim"), *sword = of_folder("weapon.md2");
    anim_source     from[4] = { { of_character("knight.md5mesh"), KIND_MD5_MESH, anims, 2 } };
    blob            files[2] = { { NULL, 0, 0 }, { NULL, 0, 0 } };
    outputs         o;
    convert_request request = make_request(of_folder("lined.md2"), "new/tris.md2");
    copy_changed(anims[0], long_anim, "", "");
    for (int i = 0; i < 3; ++i) {
        anim_source other = { of_folder(meshes[i]), KIND_MD5_MESH, &long_anim, 1 };
        copy_changed(from[0].path, other.path, "", "");
        from[1 + i] = other;
    }
    if (!read_first_frames("tris.md2", &files[0]) || !read_first_frames("weapon.md2", &files[1])) return;
    add_linings(&files[0]);
    spoil_normals(&files[1]);
    set_header_number(&files[1], FRAME_COUNT, SWORD_FRAMES);
    CHECK(write_file(request.model, files[0].data, files[0].size));
    CHECK(write_file(sword, files[1].data, files[1].size));

    memset(&o, 0, sizeof o);
    request.model_kind = KIND_MD2;
    request.sources = from;
    request.source_count = COUNT(from);
    request.weapons = &sword;
    request.weapon_count = 1;
    if (!CHECK(md2_to_md2(&request, &o))) return;
    md2_model *old[2] = { md2_load_file(request.model, NULL, NULL), md2_load_file(sword, NULL, NULL) };
    md2_model *longer[2] = { read_md2(&o, "new/tris.md2"), read_md2(&o, "new/weapon.md2") };
    if (CHECK(old[0] && old[1] && longer[0] && longer[1]) && CHECK_EQ(old[1]->frame_count, SWORD_FRAMES)) {
        for (int i = 0; i < 2; ++i) {
            check_scene(i == 0 ? "the player" : "the sword");
            check_old_frames(&files[i], find_output(&o, i == 0 ? "new/tris.md2" : "new/weapon.md2"));
            check_new_names(old[0], longer[i]);
        }
        check_ground(longer[0], md2_find_anim(longer[0], "walk"));
        for (uint32_t f = old[0]->frame_count; f < longer[0]->frame_count; ++f) {
            check_step("frame %u", (unsigned)f);
            CHECK(find_gap(longer[0], longer[1], f) < 1.5);
        }
    }
    for (int i = 0; i < 2; ++i) {
        md2_free_model(old[i]);
        md2_free_model(longer[i]);
        free_blob(&files[i]);
    }
    free_outputs(&o);
}

/* -- Refusals ---------------------------------------------------------------------------------- */

/* Names the joints of the knight like those of a robot on wheels: without a left thigh, and with the head or the
   whole trunk called like the knight's. */
static void rename_as_robot(const md5_model *model, bool has_trunk, disguise *d)
{
    const convention *c = conventions;
    while (strcmp(c->program, "Bitmoji") != 0) ++c;
    memset(d, 0, sizeof *d);
    rename_joints(model, c, d);
    d->size = 2;
    d->axes = diagonal(1);
    for (uint32_t i = 0; i < model->joint_count; ++i) {
        const char *own = model->joints[i].name;
        bool        is_trunk = strcmp(own, "root") == 0 || is_trunk_name(own);
        if (strstr(d->names[i], "L_legUpper")) d->names[i] = "wheel";
        if (has_trunk ? is_trunk : strcmp(own, "head") == 0) d->names[i] = own;
    }
}

static void test_refusals(void)
{
    md5_model *model = md5_load_model_file(of_character("knight.md5mesh"), NULL, NULL);
    md5_anim  *anim = md5_load_anim_file(of_character("walk.md5anim"), NULL, NULL);
    if (!CHECK(model != NULL) || !CHECK(anim != NULL)) return;
    for (int has_trunk = 0; has_trunk < 2; ++has_trunk) {
        const char *mesh_path = of_folder("wheels.md5mesh"), *anim_path = of_folder("wheels.md5anim"), *own;
        anim_source from = { mesh_path, KIND_MD5_MESH, &anim_path, 1 };
        convert_request request = make_walk_request(&own, "knight.md5mesh");
        disguise    d;
        outputs     o;
        blob        messages = { NULL, 0, 0 };
        check_scene(has_trunk ? "the trunk has the names of the knight's" : "the head has the name of the knight's");
        rename_as_robot(model, has_trunk == 1, &d);
        write_disguised(model, anim, &d, mesh_path, anim_path);
        memset(&o, 0, sizeof o);
        request.sources = &from;
        request.source_count = 1;
        kept_messages = &messages;
        CHECK(!md5_to_md5(&request, &o));
        kept_messages = NULL;
        put_byte(&messages, 0);
        CHECK(strstr((const char *)messages.data, "wheels.md5mesh has no ") != NULL);
        CHECK(strstr((const char *)messages.data, "left thigh") != NULL);
        free_blob(&messages);
        free_outputs(&o);
    }
    md5_free_model(model);
    md5_free_anim(anim);
}

/* -- Real pairs -------------------------------------------------------------------------------- */

/* The joints of the roles in a scene as it is posed now, in the axes of the scene. */
static void get_scene_limbs(const scene *s, const uint32_t bones[ROLE_COUNT], vec3 *limbs)
{
    for (int r = 0; r < ROLE_COUNT; ++r) {
        if (bones[r] == NO_BONE) continue;
        const matrix *m = &s->nodes[bones[r]].world;
        limbs[r] = make_vec3(m->m[0][3], m->m[1][3], m->m[2][3]);
    }
}

static void find_limbs(const scene *s, uint32_t bones[ROLE_COUNT])
{
    const char **names = (const char **)allocate(s->node_count, sizeof *names);
    uint32_t    *parents = (uint32_t *)allocate(s->node_count, sizeof *parents);
    bone_tree    tree = { s->node_count, names, parents, NULL };
    for (uint32_t i = 0; i < s->node_count; ++i) {
        names[i] = s->nodes[i].mesh == NO_INDEX ? s->nodes[i].name : "";
        parents[i] = s->nodes[i].parent;
    }
    find_roles(&tree, bones);
    release(names);
    release(parents);
}

/* Returns the rotation from the axes of a scene that rests to those of an MD5. */
static mat3 axes_of(scene *s, const uint32_t bones[ROLE_COUNT])
{
    vec3 *positions = (vec3 *)allocate(s->node_count, sizeof *positions);
    pose_scene(s, NULL, 0);
    for (uint32_t i = 0; i < s->node_count; ++i) {
        const matrix *m = &s->nodes[i].world;
        positions[i] = make_vec3(m->m[0][3], m->m[1][3], m->m[2][3]);
    }
    mat3 axes = find_axes(positions, bones);
    release(positions);
    return axes;
}

/* Returns the largest angle between the same limbs of both while the first animation of the source is
   played, in degrees. */
static double compare_pair(const char *target_path, const char *source_path, scene *source,
                           const uint32_t source_bones[ROLE_COUNT])
{
    static const int limbs[] = { UPPER_ARM, FOREARM, THIGH, SHIN };
    anim_source      from = { source_path, KIND_GLTF, NULL, 0 };
    uint32_t         bones[ROLE_COUNT];
    double           most = 0;
    convert_request  request;
    memset(&request, 0, sizeof request);
    request.model = target_path;
    request.model_kind = KIND_GLTF;
    request.sources = &from;
    request.source_count = 1;
    request.output = "hero.md5mesh";
    scene *s = open_scene(&request);
    if (!CHECK(s != NULL) || !CHECK(s->anim_count > 0)) return 180;
    find_limbs(s, bones);
    mat3        ours = axes_of(s, bones), theirs = axes_of(source, source_bones);
    scene_anim *taken = &s->anims[s->anim_count - source->anim_count];
    for (int t = 0; t <= 10; ++t) {
        vec3   a[ROLE_COUNT], b[ROLE_COUNT];
        double time = taken->start + (taken->end - taken->start) * t / 10;
        double key = floor((time - taken->start) * 30 + 0.5) / 30 + taken->start;
        pose_scene(s, taken, fmin(key, taken->end));
        pose_scene(source, &source->anims[0], fmin(key, taken->end));
        get_scene_limbs(s, bones, a);
        get_scene_limbs(source, source_bones, b);
        for (int i = 0; i < COUNT(limbs) * SIDES; ++i) {
            int  role = limbs[i / SIDES] + i % SIDES, to = role + SIDES;
            vec3 x = rotate(ours, minus(a[to], a[role])), y = rotate(theirs, minus(b[to], b[role]));
            most = fmax(most, atan2(length_of(cross(x, y)), dot(x, y)));
        }
    }
    free_scene(s);
    return most * 180 / 3.14159265358979323846;
}

/* Adds the animations of each file to each other humanoid with triangles, regardless of its bones. */
static void test_real_pairs(void)
{
    const char *folder_path = check_option("--borrow=");
    file_list   list = list_files(folder_path, ".glb");
    uint32_t    pairs = 0;
    for (size_t i = 0; i < list.count; ++i) {
        uint32_t bones[ROLE_COUNT];
        scene   *source = read_scene(list.path[i], false);
        if (!CHECK(source != NULL)) return;
        find_limbs(source, bones);
        for (size_t k = 0; source->anim_count > 0 && k < list.count; ++k) {
            scene *target = read_scene(list.path[k], false);
            bool   is_target = k != i && target && target->instance_count > 0;
            if (target) free_scene(target);
            if (!is_target) continue;
            check_scene("%s with %s", file_name(list.path[k]), file_name(list.path[i]));
            blob messages = { NULL, 0, 0 };
            kept_messages = &messages;
            double angle = compare_pair(list.path[k], list.path[i], source, bones);
            kept_messages = NULL;
            put_byte(&messages, 0);

            /* Bones that are nearly the same get the rotations of the source as they are. Otherwise, the legs may
               rotate by 2.5 degrees, so that the feet do not slide. */
            bool is_copied = strstr((const char *)messages.data, "are copied") != NULL;
            free_blob(&messages);
            CHECK_NEAR(angle, 0, is_copied ? 10 : 3);
            ++pairs;
        }
        free_scene(source);
    }
    CHECK(pairs > 0);
    file_list_free(&list);
}

int main(int argc, char **argv)
{
    check_start(argc, argv, "--character= --folder= --borrow=");
    find_folders();
    is_quiet = !getenv("NOTES");
    check_chapter("retarget");
    RUN(test_bone_names, "the bones of 24 programs are recognized by their names");
    RUN(test_other_bones, "control bones, fingers and tails have no role");
    RUN(test_canonical_pose, "in the canonical pose limbs are straight, hips level and hinges across");
    RUN(test_headings, "the heading of a skeleton is found in a crouch");
    RUN(test_mesh_node, "the node of a skinned mesh does not change the bind pose");
    RUN(test_vrm, "a VRM moves the knight by the bones that it lists");
    RUN(test_in_place, "steady root motion is removed by --in-place, and in an MD2");
    RUN(test_turn_in_place, "a turn on the spot is no root motion");
    RUN(test_root_above_hips, "a root above the hips gets the root motion of the hips");
    RUN(test_far_names, "a source that is matched by names moves the model at its own place");
    RUN(test_held_weapon, "a weapon.md5mesh is held by the joint called weapon, or else by the joint that it names");
    RUN(test_weapon_picture, "the picture of a weapon is next to the weapon");
    RUN(test_md2_source, "the frames of an MD2 move another character");
    RUN(test_only, "--only selects animations of an MD2 and of its source, whose bounds contain the body");
    RUN(test_turned_frame, "a player who is turned aside in the first frame walks ahead");
    RUN(test_disguises, "limbs of a source with other names and another bind pose have one direction");
    RUN(test_feet, "a resting foot moves like the foot of the source, although the legs have other proportions");
    RUN(test_old_frames, "an MD2 and its weapon keep their frames to the last bit, and get new frames behind them");
    RUN(test_refusals, "a source without a thigh is refused, with the reason, whatever its trunk is called");
    if (check_option("--borrow=")) {
        RUN(test_real_pairs, "limbs of real humanoids have the directions of those that they take from");
    }
    return check_finish();
}
