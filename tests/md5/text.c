/* Different spellings of the same text, and harmless flaws that are repaired. Public domain. */
#include "test_md5.h"

static void test_comments(void)
{
    static const char *const threes[5] = { "( 1 2/* */3 )", "( 1 2//\n3 )", "( 1 2 /*/ 3 )",
                                           "( 1 2 /***/+3. )", "( 1 2 /*\n//*/ 30e-1 )" };
    char text[60];
    for (int i = 0; i < 5; ++i) {
        snprintf(text, sizeof text, "\"b\" 0 %s ( 0 0 0 )", threes[i]);
        CHECK_EQ(mesh_with(6, text)->joints[1].bind.position[2], 3);
    }
    CHECK_TEXT(mesh_with(9, "/**/shader s")->meshes[0].shader, "s");
}

static void test_any_case(void)
{
    CHECK_EQ(mesh_with(1, "md5VERSION 10")->defects, 0);
    CHECK_EQ(mesh_with(10, "NUMVERTS 3")->meshes[0].vertex_count, 3);
    CHECK_EQ(anim_with(4, "framerate 30")->fps, 30);
}

static void test_unknown_words(void)
{
    CHECK_EQ(mesh_with(3, "numMeshes 1 colour \"}\" red")->mesh_count, 1);
    CHECK_EQ(mesh_with(9, "flags { numverts 9 }")->meshes[0].vertex_count, 3);
    CHECK_EQ(mesh_with(10, "xnumverts 9 numverts 3")->meshes[0].vertex_count, 3);
    CHECK_EQ(anim_with(9, "} notes { numFrames 9 }")->frame_count, 2);
}

static void test_second_file(void)
{
    CHECK_EQ(mesh_with(7, "}\nMD5Version 10")->mesh_count, 0); /* the mesh is in the second file */
    CHECK_EQ(mesh_with(20, "} MD5Version 10 numMeshes 9 mesh { oh")->mesh_count, 1);
    CHECK_EQ(anim_with(23, "} MD5Version 10 numFrames 9")->frame_count, 2);
}

static void test_no_version(void)
{
    CHECK_EQ(mesh_with(1, "MD5Version 10")->defects, 0);
    CHECK_EQ(mesh_with(1, "")->defects, MD5_NO_VERSION);
    CHECK_EQ(mesh_with(1, "commandline \"\"")->defects, MD5_NO_VERSION);
    CHECK_EQ(anim_with(1, "MD5Version 10")->defects, 0);
    CHECK_EQ(anim_with(1, "")->defects, MD5_NO_VERSION);
    CHECK_EQ(anim_with(1, "commandline \"\"")->defects, MD5_NO_VERSION);
}

/* Vertices 1 and 3 of the first mesh have no weights, nor has the vertex of the second mesh, which has no list
   of weights at all. These vertices are at joint b, the root, in any pose. The third mesh is normal. */
static void test_loose_vertices(void)
{
    md5_model *model = model_from(
        "MD5Version 10 numJoints 2 numMeshes 3 joints { a 1 ( 1 0 0 ) ( 0 0 0 ) "
        "b -1 ( 5 6 7 ) ( 0 0 0.5 ) } "
        "mesh { numverts 4 vert 0 ( 0 0 ) 0 1 vert 1 ( 0 0 ) 99 0 vert 2 ( 0 0 ) 0 1 "
        "vert 3 ( 0 0 ) 0 0 numtris 1 tri 0 0 1 2 numweights 1 weight 0 0 1 ( 2 0 0 ) } "
        "mesh { numverts 1 vert 0 ( 0 0 ) 0 0 } "
        "mesh { numverts 1 vert 0 ( 0 0 ) 0 1 numweights 1 weight 0 0 1 ( 0 0 0 ) }");
    static const uint32_t weights[3] = { 2, 1, 1 };
    md5_xform *pose = posed(model, NULL, MD5_LOOP, 0);
    float positions[12];
    CHECK_EQ(model->defects, MD5_NO_WEIGHTS);
    for (int i = 0; i < 3; ++i) CHECK_EQ(model->meshes[i].weight_count, weights[i]);
    CHECK_EQ(model->meshes[1].max_influences, 1);
    CHECK_XYZ(model->meshes[0].vertices[1].position, 5, 6, 7);
    CHECK_XYZ(model->meshes[0].vertices[3].position, 5, 6, 7);
    CHECK_XYZ(model->meshes[1].vertices[0].position, 5, 6, 7);

    pose[0].position[0] = 50;
    md5_pose_vertices(model, 0, pose, positions, 0, NULL, 0, NULL, 0);
    CHECK_XYZ(positions, 3, 0, 0);
    CHECK_XYZ(positions + 3, 50, 6, 7);
    CHECK_XYZ(positions + 9, 50, 6, 7);
}

static void test_biases(void)
{
    const md5_mesh *mesh = &mesh_with(18, "weight 1 0 0.25 ( 4 0 0 )")->meshes[0];
    CHECK_EQ(mesh->weights[1].bias, 0.25);
    CHECK_EQ(mesh->vertices[1].position[0], 1);
}

static void test_frame_numbers(void)
{
    md5_anim *anim = anim_with(18, "frame 7 { 4 5 6 } frame 8 { 1 2 3 }...");
    CHECK_EQ(anim->frame_count, 2);
    CHECK_EQ(anim_xform(anim, 0, 0)->position[0], 4);
    CHECK_EQ(anim_xform(anim, 1, 0)->position[0], 1);
}

static void test_mesh_counts(void)
{
    CHECK_EQ(mesh_with(3, "numMeshes 5")->mesh_count, 1);
    CHECK_EQ(mesh_with(8, "mesh { numverts 0 } mesh {")->mesh_count, 2); /* numMeshes is 1 */
    CHECK_EQ(mesh_with(3, "numMeshes 0")->mesh_count, 1);
    CHECK_EQ(mesh_with(20, "} mesh { numverts 0 } } mesh { numverts 0 }")->mesh_count, 2);
        /* the third mesh comes after a brace too many, so it belongs to another file */
    CHECK_EQ(mesh_with(3, "numMeshes 2 mesh { numverts 0 }")->mesh_count, 2);
}

/* The number of an item is its index in the array, wherever it is in the text. */
static void test_items_in_any_order(void)
{
    #define MESH_HEAD "MD5Version 10 numJoints 2 numMeshes 1 joints { a -1 ( 0 0 0 ) ( 0 0 0 ) " \
                      "b 0 ( 1 2 3 ) ( 0 0 0 ) } mesh { "
    md5_model *sorted = model_from(
        MESH_HEAD "numverts 3 vert 0 ( 0 0.5 ) 0 1 vert 1 ( 1 0.25 ) 1 1 vert 2 ( 0 1 ) 2 2 "
        "numtris 2 tri 0 0 1 2 tri 1 2 1 0 numweights 4 weight 0 0 1 ( 1 2 3 ) "
        "weight 1 1 1 ( 4 5 6 ) weight 2 0 0.4 ( 7 8 9 ) weight 3 1 0.6 ( 0 1 2 ) }");
    md5_model *model = model_from(
        MESH_HEAD "numverts 3 vert 2 ( 0 1 ) 2 2 vert 0 ( 0 0.5 ) 0 1 vert 1 ( 1 0.25 ) 1 1 "
        "numtris 2 tri 1 2 1 0 tri 0 0 1 2 numweights 4 weight 3 1 0.6 ( 0 1 2 ) "
        "weight 1 1 1 ( 4 5 6 ) weight 0 0 1 ( 1 2 3 ) weight 2 0 0.4 ( 7 8 9 ) }");
    #undef MESH_HEAD
    const md5_mesh *mesh = &sorted->meshes[0];
    CHECK_EQ(mesh->vertices[1].u, 1);
    CHECK_EQ(mesh->vertices[1].v, 0.25);
    CHECK_EQ(mesh->weights[3].joint, 1);
    CHECK_NEAR(mesh->weights[3].bias, 0.6, 1e-7);
    CHECK_XYZ(mesh->weights[2].position, 7, 8, 9);
    CHECK_EQ(mesh->indices[3], 2);
    CHECK_EQ(mesh->indices[4], 0); /* swapped with the next index, so the triangle is counter-clockwise */
    check_same_model(model, sorted);
}

/* -- Joints before their parents ------------------------------------------------ */

static md5_model *tree(const int listed[M5_TREE_JOINTS])
{
    m5_text *text = new_text();
    m5_tree_mesh(text, listed);
    return model_of(text, NULL);
}

static md5_anim *tree_anim(const int listed[M5_TREE_JOINTS])
{
    m5_text *text = new_text();
    m5_tree_anim(text, listed);
    return anim_of(text, NULL);
}

/* An animation of Quake's ogre has 55 joints, and the first is a child of the last. The last joint of the text
   becomes joint 0, and the others keep their order, as if the text had them in this order. */
static void test_root_last(void)
{
    int listed[M5_TREE_JOINTS];
    m5_list_in_order(listed);
    md5_model *sorted = tree(listed);
    md5_anim *walk = tree_anim(listed);
    m5_list_root_last(listed);
    md5_model *model = tree(listed);
    md5_anim *anim = tree_anim(listed);

    for (uint32_t i = 0; i < M5_TREE_JOINTS; ++i) {
        check_step("joint %u", (unsigned)i);
        CHECK_TEXT(model->joints[i].name, sorted->joints[i].name);
        CHECK_TEXT(anim->joint_names[i], sorted->joints[i].name);
        CHECK_EQ(model->joints[i].parent, sorted->joints[i].parent);
        CHECK(same_bits(&model->joints[i].bind, &sorted->joints[i].bind, sizeof(md5_xform)));
    }
    CHECK_EQ(md5_check_anim(sorted, anim, NULL), MD5_OK);
    CHECK_EQ(md5_check_anim(model, walk, NULL), MD5_OK);
    CHECK(same_bits(model->meshes[0].vertices, sorted->meshes[0].vertices,
                    sorted->meshes[0].vertex_count * sizeof(md5_vertex)));
}

/* Compares joints, vertices and root motion at a time with those of the sorted text. Joints are matched by
   name. */
static void check_listed_tree(const int listed[M5_TREE_JOINTS], const md5_model *sorted,
                              const md5_anim *walk, double seconds)
{
    md5_model *model = tree(listed);
    md5_anim *anim = tree_anim(listed);
    CHECK_EQ(md5_check_anim(model, anim, NULL), MD5_OK);
    CHECK_TEXT(model->joints[0].name, "t0");

    md5_xform *pose = posed(model, anim, MD5_LOOP, seconds);
    md5_xform *want = posed(sorted, walk, MD5_LOOP, seconds);
    for (uint32_t i = 0; i < M5_TREE_JOINTS; ++i) {
        int joint = md5_find_joint(model, sorted->joints[i].name);
        check_step("joint %u, listed as number %d", (unsigned)i, joint);
        CHECK(same_bits(&pose[joint], &want[i], sizeof *pose));
        CHECK(same_bits(&model->joints[joint].bind, &sorted->joints[i].bind, sizeof(md5_xform)));
    }

    uint32_t count = sorted->meshes[0].vertex_count;
    float *positions = new_floats(3 * count), *wanted = new_floats(3 * count);
    md5_pose_vertices(model, 0, pose, positions, 0, NULL, 0, NULL, 0);
    md5_pose_vertices(sorted, 0, want, wanted, 0, NULL, 0, NULL, 0);
    CHECK(same_bits(positions, wanted, 3 * count * sizeof *positions));

    md5_xform motion, wanted_motion;
    md5_anim_motion(anim, MD5_LOOP, MD5_TRAVEL | MD5_TURN, 0, seconds, &motion);
    md5_anim_motion(walk, MD5_LOOP, MD5_TRAVEL | MD5_TURN, 0, seconds, &wanted_motion);
    CHECK(same_bits(&motion, &wanted_motion, sizeof motion));
}

static void test_listed_anyhow(void)
{
    random_source random = { 56 };
    int listed[M5_TREE_JOINTS];
    m5_list_in_order(listed);
    md5_model *sorted = tree(listed);
    md5_anim *walk = tree_anim(listed);
    for (int round = 0; round < 40; ++round) {
        check_scene("order %d", round);
        size_t mark = count_kept();
        for (uint32_t i = M5_TREE_JOINTS - 1; i > 0; --i) {
            uint32_t other = random_below(&random, i + 1);
            int joint = listed[i];
            listed[i] = listed[other];
            listed[other] = joint;
        }
        check_listed_tree(listed, sorted, walk, 0.37 * round);
        free_kept(mark);
    }
}

/* The first joint of the text belongs to body, so body becomes joint 0, which has the root motion. The root gun
   comes before body in the text. */
static void test_roots(void)
{
    md5_model *model = model_from(
        "MD5Version 10 numJoints 4 numMeshes 0 joints { hand 2 ( 0 0 0 ) ( 0 0 0 ) "
        "gun -1 ( 0 0 0 ) ( 0 0 0 ) body -1 ( 0 0 0 ) ( 0 0 0 ) barrel 1 ( 0 0 0 ) ( 0 0 0 ) }");
    static const char *const names[4] = { "body", "hand", "gun", "barrel" };
    for (int i = 0; i < 4; ++i) CHECK_TEXT(model->joints[i].name, names[i]);
    CHECK_EQ(model->joints[1].parent, 0);
    CHECK_EQ(model->joints[3].parent, 2);
}

static void test_scaled_listed(void)
{
    static const char scales[] = "{ \"t7\": { \"1\": 3 } }";
    int listed[M5_TREE_JOINTS];
    m5_text *text = new_text();
    m5_list_root_last(listed);
    m5_tree_anim(text, listed);
    md5_options options = options_of(0, 0);
    options.joint_scales = scales;
    options.joint_scales_size = sizeof scales - 1;
    md5_anim *anim = anim_of(text, &options);
    for (int i = 0; i < M5_TREE_JOINTS; ++i) {
        check_step("joint %d", i);
        CHECK_EQ(anim_xform(anim, 1, i)->scale, i == 7 ? 3 : 1);
    }
}

static void test_frame_rate(void)
{
    CHECK_NEAR(anim_with(4, "frameRate 29.97")->fps, 29.97, 1e-5);
    CHECK_EQ(anim_with(4, "frameRate 0")->fps, 24);
    CHECK_EQ(anim_with(4, "frameRate -30")->fps, 24);
    CHECK_EQ(anim_with(4, "")->fps, 24);
}

/* Counts may come anywhere before their lists. */
static void test_order(void)
{
    CHECK_EQ(mesh_with(7, "}\nnumJoints 9")->joint_count, 2);
    CHECK_TEXT(mesh_with(9, "shader \"s\" shader \"t\"")->meshes[0].shader, "t");
    CHECK_TEXT(mesh_with(3, "numMeshes 2 commandline \"x y\"")->commandline, "x y");
    CHECK_TEXT(mesh_with(3, "commandline \"x\r\n// y\"")->commandline, "x\r\n// y");
    md5_anim *anim = anim_from(
        "MD5Version 10 numJoints 2 numAnimatedComponents 3 numFrames 2 baseframe { ( 0 0 0 ) "
        "( 0 0 0 ) ( 1 0 0 ) ( 0 0 0 ) } numFrames 9 frame 0 { 4 5 6 } numJoints 3 frameRate 12 "
        "hierarchy { a -1 7 0 b 0 0 0 } frame 1 { 1 2 3 }");
    CHECK_EQ(anim->joint_count, 2);
    CHECK_EQ(anim->frame_count, 2);
    CHECK_EQ(anim->fps, 12);
    CHECK_TEXT(anim->joint_names[1], "b");
}

static void test_missing_lists(void)
{
    md5_model *model =
        model_from("MD5Version 10 numJoints 1 numMeshes 1 joints { a -1 ( 0 0 0 ) ( 0 0 0 ) } "
                   "mesh { numverts 1 vert 0 ( 0 0 ) 0 1 numweights 1 weight 0 0 1 ( 0 0 0 ) }");
    CHECK_EQ(model->meshes[0].index_count, 0);
    CHECK(model->meshes[0].indices != NULL);

    model = mesh_with(3, "numMeshes 2 mesh { numverts 0 }");
    CHECK_EQ(model->meshes[0].vertex_count, 0);
    CHECK(model->meshes[0].vertices != NULL);
    CHECK(model->meshes[0].weights != NULL);
    CHECK(model->meshes[0].indices != NULL);
}

static void test_missing_bounds(void)
{
    static const float none[6] = { 0 };
    static const char text[] =
        "MD5Version 10 numFrames 2 numJoints 1 numAnimatedComponents 0 hierarchy { a -1 0 0 } "
        "bounds { ( 1 2 3 ) ( 4 5 6 ) } baseframe { ( 0 0 0 ) ( 0 0 0 ) } frame 0 { } "
        "frame 1 { }";
    counting_allocator memory;
    md5_options options = counting_options(&memory);
    md5_anim *anim = md5_load_anim_memory(text, sizeof text - 1, NULL, &options, NULL);
    CHECK(anim != NULL);
    CHECK_EQ(anim->bounds[0].max[2], 6);
    CHECK(same_bits(&anim->bounds[1], none, sizeof none));
    md5_free_anim(anim);
    CHECK(counting_is_clean(&memory));
}

static void test_second_base_frame(void)
{
    md5_anim *anim = anim_from(
        "MD5Version 10 numFrames 1 numJoints 1 numAnimatedComponents 0 hierarchy { a -1 0 0 } "
        "baseframe { ( 1 2 3 ) ( 0 0 0 ) } baseframe { ( 4 5 6 ) ( 0 0 0 ) } frame 0 { }");
    CHECK_XYZ(anim_xform(anim, 0, 0)->position, 4, 5, 6);
}

/* A joint without animated components may have any start, and the text may go on after the last frame. */
static void test_useless_numbers(void)
{
    md5_anim *plain = anim_from(tiny_anim);
    check_same_anim(anim_with(8, "\"b\" 0 0 4000"), plain);
    check_same_anim(anim_with(23, "} }}} \" frame 0 { 1 }"), plain);
}

/* The shortest possible number is a digit and a blank, and most of this text is such numbers. */
static void test_short_numbers(void)
{
    enum { NUMBERS = 600 };
    m5_text *text = new_text();
    m5_put(text, "MD5Version 10 numFrames 1 numJoints 1 numAnimatedComponents %d hierarchy "
                 "{ a -1 7 597 } baseframe { ( 0 0 0 ) ( 0 0 0 ) } frame 0 { ", NUMBERS);
    for (int i = 0; i < NUMBERS; ++i) m5_put(text, "%d ", i % 10);
    m5_put_text(text, "}");
    CHECK(3 * NUMBERS > text->size);
    CHECK_XYZ(anim_xform(anim_of(text, NULL), 0, 0)->position, 7, 8, 9);
}

static void test_long_names(void)
{
    enum { LENGTH = 9000 };
    static char name[LENGTH + 1];
    m5_text *text = new_text();
    memset(name, 'n', LENGTH);
    m5_put_text(text, "MD5Version 10 numJoints 1 numMeshes 1 joints { \"");
    m5_put_text(text, name);
    m5_put_text(text, "\" -1 ( 0 0 0 ) ( 0 0 0 ) } mesh { shader \"");
    m5_put_text(text, name);
    m5_put_text(text, "\" numverts 0 numtris 0 numweights 0 }");
    md5_model *model = model_of(text, NULL);
    CHECK_TEXT(model->joints[0].name, name);
    CHECK_TEXT(model->meshes[0].shader, name);
    CHECK_TEXT(model->commandline, "");
    CHECK_EQ(md5_find_joint(model, name), 0);
    name[LENGTH - 1] = '\0';
    CHECK_EQ(md5_find_joint(model, name), -1);
}

static void test_exporters(void)
{
    md5_model *plain = arm();
    md5_anim *wave = clip(M5_WAVE);
    for (int i = 0; i < M5_STYLES; ++i) {
        uint32_t style = m5_styles[i].flags;
        check_scene("in the style %s", m5_styles[i].name);
        check_step("mesh");
        md5_model *model = model_of(arm_text(style), NULL);
        check_same_model(model, plain);
        CHECK_EQ(model->mesh_count, M5_MESHES + (style & M5_EMPTY_MESH ? 2 : 0));

        check_step("animation");
        check_same_anim(anim_of(clip_text(M5_WAVE, style), NULL), wave);
    }
}

void test_text(void)
{
    RUN(test_comments, "comments may be anywhere");
    RUN(test_any_case, "keywords may be in any case");
    RUN(test_unknown_words, "unknown words and blocks are skipped");
    RUN(test_second_file, "a second file after the first is not read");
    RUN(test_no_version, "a text without its version loads, with the defect MD5_NO_VERSION");
    RUN(test_loose_vertices, "vertices without weights are at joint 0, with the defect MD5_NO_WEIGHTS");
    RUN(test_biases, "biases whose sum is not 1 stay unchanged");
    RUN(test_frame_numbers, "the first frame may have any number");
    RUN(test_mesh_counts, "a model may have fewer or more meshes than numMeshes, and empty meshes");
    RUN(test_items_in_any_order, "vertices, triangles and weights may be in any order");
    RUN(test_root_last, "a root that is the last joint of its text becomes joint 0");
    RUN(test_listed_anyhow, "joints may come before their parents, in any order");
    RUN(test_roots, "of several roots, the root of the first joint becomes joint 0");
    RUN(test_scaled_listed, "an .md5scale finds its joints in any order");
    RUN(test_frame_rate, "without a frame rate above 0, the rate is 24 frames per second");
    RUN(test_order, "counts and lists come in any order, and the last of two equal keywords counts");
    RUN(test_missing_lists, "a mesh without lists has empty arrays, like a mesh with empty lists");
    RUN(test_second_base_frame, "a second base frame replaces the first");
    RUN(test_missing_bounds, "bounds that are missing from an animation are zero");
    RUN(test_useless_numbers, "unused numbers, and text after the last frame, change nothing");
    RUN(test_short_numbers, "an animation may consist of numbers of one digit");
    RUN(test_long_names, "names may have any length");
    RUN(test_exporters, "the text of any exporter gives the same model and animation");
}
