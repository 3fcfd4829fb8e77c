/* Joints that grow and shrink, set by a program and by an .md5scale. Public domain. */
#include "test_md5.h"

/* Three frames at 24 frames per second. The root moves, its child does not. */
static const char walk_text[] =
    "MD5Version 10 numFrames 3 numJoints 2 frameRate 24 numAnimatedComponents 1 "
    "hierarchy { \"root\" -1 1 0 \"head\" 0 0 0 } "
    "baseframe { ( 0 0 0 ) ( 0 0 0 ) ( 2 4 0 ) ( 0 0 0 ) } "
    "frame 0 { 1 } frame 1 { 2 } frame 2 { 3 }";

static md5_anim *scaled_walk(const char *scales, md5_error *error)
{
    md5_options options = options_of(0, 0.0f);
    options.joint_scales = scales;
    options.joint_scales_size = strlen(scales);
    return keep_anim(md5_load_anim_memory(walk_text, strlen(walk_text), "walk", &options, error));
}

static void expect_scales(const md5_anim *anim, double first, double second, double third)
{
    CHECK(anim != NULL);
    CHECK_NEAR(anim_xform(anim, 0, 1)->scale, first, 1e-6);
    CHECK_NEAR(anim_xform(anim, 1, 1)->scale, second, 1e-6);
    CHECK_NEAR(anim_xform(anim, 2, 1)->scale, third, 1e-6);
}

static void test_scale_by_frame(void)
{
    md5_anim *anim = scaled_walk("{ \"head\": { \"1\": 0.5, \"2\": 3 } }", NULL);
    expect_scales(anim, 1, 0.5, 3);
    CHECK_EQ(anim_xform(anim, 1, 0)->scale, 1); /* the root */
    CHECK_EQ(anim_xform(anim, 1, 1)->position[0], 2);
}

static void test_scale_positions(void)
{
    md5_anim *anim = scaled_walk("{ \"head\": { \"scale_positions\": true, \"2\": 3 } }", NULL);
    expect_scales(anim, 1, 1, 3);
    CHECK_XYZ(anim_xform(anim, 1, 1)->position, 2, 4, 0);
    CHECK_XYZ(anim_xform(anim, 2, 1)->position, 6, 12, 0);
}

static void test_scale_between_frames(void)
{
    md5_anim *anim = scaled_walk("{ \"head\": { \"1\": 0 } }", NULL);
    md5_xform pose[2];
    md5_pose_at(body_of(anim), anim, MD5_ONCE, 1.5 / 24.0, pose); /* between frame 1, scale 0, and frame 2, scale 1 */
    CHECK_NEAR(pose[1].scale, 0.5, 1e-6);
    CHECK_EQ(pose[0].scale, 1);
}

/* Except for the root, all frames have the same pose. Only the scale of the head keeps the loop open. */
static void test_scaled_last_frame(void)
{
    CHECK(scaled_walk("{ \"head\": { \"1\": 1.5 } }", NULL)->closed);
    CHECK(!scaled_walk("{ \"head\": { \"2\": 1.5 } }", NULL)->closed);
}

static void test_children(void)
{
    md5_model *model = chain_model(2); /* joints at 0 and 1 */
    md5_xform pose[2];
    md5_pose_bind(model, pose);
    pose[0].scale = 3;
    md5_pose_to_model_space(model, pose, pose);
    CHECK_EQ(pose[0].scale, 3);
    CHECK_EQ(pose[1].scale, 1);
    CHECK_XYZ(pose[1].position, 1, 0, 0);
}

/* The vertex is 1 above joint b, which is at (1, 2, 3). */
static void test_scaled_vertex(void)
{
    md5_model *model = model_from(tiny_mesh);
    md5_xform *pose = posed(model, NULL, MD5_LOOP, 0);
    float positions[9], matrix[16];
    pose[1].scale = 3;
    md5_pose_vertices(model, 0, pose, positions, 0, NULL, 0, NULL, 0);
    CHECK_XYZ(positions + 3, 1, 0, 0); /* the vertex of joint a */
    CHECK_XYZ(positions + 6, 1, 5, 3);

    md5_pose_matrix(&pose[1], matrix);
    CHECK_XYZ(matrix, 3, 0, 0);
    CHECK_XYZ(matrix + 4, 0, 3, 0);
    CHECK_XYZ(matrix + 8, 0, 0, 3);
    CHECK_XYZ(matrix + 12, 1, 2, 3);
}

static void test_blended_scales(void)
{
    md5_xform a[3], b[3], out[3];
    memset(a, 0, sizeof a);
    for (int i = 0; i < 3; ++i) a[i].rotation[3] = a[i].scale = 1;
    memcpy(b, a, sizeof b);
    b[0].scale = 3;
    b[1].scale = 0;
    md5_pose_mix(a, b, 0.25f, NULL, 3, out);
    CHECK_EQ(out[0].scale, 1.5); /* a quarter of the way from 1 to 3 */
    CHECK_EQ(out[1].scale, 0.75);
    CHECK_EQ(out[2].scale, 1);

    md5_pose_add(b, b, a, 0.5f, NULL, 3, out); /* base + t * (pose - reference) */
    CHECK_EQ(out[0].scale, 4);
    CHECK_EQ(out[1].scale, -0.5);
    CHECK_EQ(out[2].scale, 1);
}

/* -- The file next to the animation -------------------------------------------- */

static const char grows[] = "{ \"head\": { \"1\": 6 } }";

static void write_walk(const char *scales)
{
    CHECK(write_file(check_path("test_scale.md5anim"), walk_text, strlen(walk_text)));
    CHECK(write_file(check_path("test_scale.md5scale"), scales, strlen(scales)));
}

static md5_anim *load_walk(const md5_options *options, md5_error *error)
{
    const char *path = check_path("test_scale.md5anim");
    md5_anim   *anim = keep_anim(md5_load_anim_file(path, options, error));
    remove_file(check_path("test_scale.md5anim"));
    remove_file(check_path("test_scale.md5scale"));
    return anim;
}

static void test_scale_file(void)
{
    md5_error error;
    write_walk(grows);
    expect_scales(load_walk(NULL, NULL), 1, 6, 1);

    write_walk(grows);
    remove_file(check_path("test_scale.md5scale"));
    expect_scales(load_walk(NULL, &error), 1, 1, 1);
    CHECK_EQ(error.code, MD5_OK);

    write_walk("{");
    CHECK(!load_walk(NULL, &error));
    CHECK_TEXT(error.message,
               "expected a name in quotes, found the end of the text in test_scale.md5scale");
}

static void test_scales_in_options(void)
{
    static const char shrinks[] = "{\"head\":{\"1\":0.5}}";
    md5_options options = options_of(0, 0.0f);
    options.joint_scales = shrinks;
    options.joint_scales_size = strlen(shrinks);
    write_walk(grows);
    expect_scales(load_walk(&options, NULL), 1, 0.5, 1);

    options.joint_scales = ""; /* not NULL: no file is read */
    options.joint_scales_size = 0;
    write_walk(grows);
    expect_scales(load_walk(&options, NULL), 1, 1, 1);
}

/* The error is about the animation, which is read first. */
static void test_scales_of_no_animation(void)
{
    md5_error error;
    write_walk(grows);
    CHECK(write_file(check_path("test_scale.md5anim"), "", 0));
    CHECK(!load_walk(NULL, &error));
    check_error(&error, MD5_ERROR_NOT_MD5, 1,
                "not an MD5: it begins with the end of the text instead of MD5Version");
}

/* Each allocation fails in turn, also the allocation of the path. No animation may load without its scales. */
static void test_scale_file_without_memory(void)
{
    size_t failures = 0;
    bool   is_loaded = false;
    while (!is_loaded) {
        counting_allocator memory;
        md5_options        options = counting_options(&memory);
        md5_error          error;
        memory.fail_at = failures + 1;
        check_step("allocation %lu", (unsigned long)memory.fail_at);
        write_walk(grows);
        md5_anim *anim = md5_load_anim_file(check_path("test_scale.md5anim"), &options, &error);
        is_loaded = anim != NULL;
        if (is_loaded) CHECK_EQ(anim_xform(anim, 1, 1)->scale, 6);
        else CHECK_EQ(error.code, MD5_ERROR_MEMORY);
        failures += !is_loaded;
        md5_free_anim(anim);
        CHECK(counting_is_clean(&memory));
    }
    CHECK(failures >= 3);
    load_walk(NULL, NULL); /* removes the files */
}

/* An .md5scale is found for any path that the system can open. If the system cannot open such a long path, nothing
   is tested. */
static void test_scale_of_long_path(void)
{
    static const char name[] = "test_scale.md5anim";
    char path[2400];
    write_walk(grows);

    /* "FOLDER/./././ ... ./test_scale.md5anim" */
    strcpy(path, check_path(""));
    while (strlen(path) < 1200) strcat(path, "./");
    strcat(path, name);

    md5_error error;
    md5_anim *anim = keep_anim(md5_load_anim_file(path, NULL, &error));
    load_walk(NULL, NULL);
    if (anim) CHECK_EQ(anim_xform(anim, 1, 1)->scale, 6);
    else CHECK_EQ(error.code, MD5_ERROR_OPEN);
}

/* -- Texts and skins --------------------------------------------------------------- */

static void test_scale_texts(void)
{
    static const struct {
        const char *text;
        double scale[3], x[3]; /* the head in three frames */
    } cases[] = {
        { "", { 1, 1, 1 }, { 2, 2, 2 } },
        { " \n\t", { 1, 1, 1 }, { 2, 2, 2 } },
        { "\xEF\xBB\xBF", { 1, 1, 1 }, { 2, 2, 2 } },
        { "\xEF\xBB\xBF{ \"head\": { \"1\": 0.5 } }", { 1, 0.5, 1 }, { 2, 2, 2 } },
        { "// none before frame 12", { 1, 1, 1 }, { 2, 2, 2 } },
        { "{}", { 1, 1, 1 }, { 2, 2, 2 } },
        { "{ \"head\": {} }", { 1, 1, 1 }, { 2, 2, 2 } },
        { "{\"head\":{\"2\":1e-1,\"0\":0}}", { 0, 1, 0.1 }, { 2, 2, 2 } },
        { "{ \"head\": { \"1\": 0.5, \"scale_positions\": true } }", { 1, 0.5, 1 },
          { 2, 1, 2 } },
        { "{ \"head\": { \"scale_positions\": false, \"1\": 0.5 } }", { 1, 0.5, 1 }, { 2, 2, 2 } },
        /* The last of two equal keys counts, and the last scale_positions. */
        { "{ \"head\": { \"1\": 7, \"1\": 5 } }", { 1, 5, 1 }, { 2, 2, 2 } },
        { "{ \"head\": { \"scale_positions\": true, \"1\": 7 }, \"head\": { \"2\": 4 } }",
          { 1, 1, 4 }, { 2, 2, 2 } },
        { "{ \"head\": { \"1\": 7 }, \"head\": {} }", { 1, 1, 1 }, { 2, 2, 2 } },
        /* Joints and frames that do not exist change nothing. */
        { "{ \"hat\": { \"1\": 7 }, \"head\": { \"3\": 9, \"99999999999\": 9, \"-1\": 9, \"\": 9,"
          " \"1x\": 9, \"2\": 2 } }", { 1, 1, 2 }, { 2, 2, 2 } },
        { "{ \"head\": { \"note\": \"}\", \"list\": [1, {\"a\": []}, null], \"0\": 4 } }",
          { 4, 1, 1 }, { 2, 2, 2 } }
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        check_scene(".md5scale %s", cases[i].text);
        md5_anim *anim = scaled_walk(cases[i].text, NULL);
        CHECK(anim != NULL);
        for (size_t f = 0; f < 3; ++f) {
            check_step("frame %d", (int)f);
            const md5_xform *head = anim_xform(anim, (int)f, 1);
            CHECK_EQ(head->scale, (float)cases[i].scale[f]);
            CHECK_EQ(head->position[0], cases[i].x[f]);
            CHECK_EQ(anim_xform(anim, (int)f, 0)->scale, 1);
            CHECK_EQ(anim_xform(anim, (int)f, 0)->position[0], f + 1);
        }
    }
}

static void test_scale_refusals(void)
{
    static const struct {
        const char *text;
        uint32_t    line;
        const char *message;
    } cases[] = {
        { "{ \"head\": { \"1\": } }", 1, "expected a number, found }" },
        { "{ \"head\": { \"1\": nan } }", 1, "expected a number, found nan" },
        { "{ \"head\":\n{ \"1\": -1 } }", 2, "a scale must be from 0 to 1e9, found -1" },
        { "{ \"head\":\n\n{ \"1\": 1e39 } }", 3,
          "the number 1e39 is too large: the limit is 1e9" },
        { "{ \"hat\": { \"1\": -1 } }", 1, "a scale must be from 0 to 1e9, found -1" },
        { "{ \"head\": { \"1\": 1 x", 1, "expected a comma or }, found x" },
        { "{ \"head\": { \"1\": 1,", 1, "expected a name in quotes, found the end of the text" },
        { "{ \"head\": { \"1\": 1, } }", 1, "expected a name in quotes, found }" },
        { "{ \"head\" { \"1\": 1 } }", 1, "expected :, found {" },
        { "{ \"head\": 1 }", 1, "expected {, found 1" },
        { "{ head: { } }", 1, "expected a name in quotes, found head" },
        { "{ \"head\": { \"a\": } }", 1, "expected a value, found }" },
        { "{ \"head\": { \"a\": [\"x", 1, "the quotes before x never end" },
        { "{ \"head\": { } } x", 1, "expected the end of the text, found x" },
        { "{ \"head\": { } } 5", 1, "expected the end of the text, found 5" },
        { "[ ]", 1, "expected {, found [" },
        { "0.5", 1, "expected {, found 0.5" },
        { "// half as large\n0.5 \n", 2, "expected {, found 0.5" },
        { "-", 1, "expected {, found -" }
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        md5_error error;
        char message[200];
        check_scene(".md5scale %s", cases[i].text);
        CHECK(!scaled_walk(cases[i].text, &error));
        CHECK(error.code == MD5_ERROR_SYNTAX || error.code == MD5_ERROR_CORRUPT);
        CHECK_EQ(error.line, cases[i].line);
        snprintf(message, sizeof message, "%s in walk.md5scale", cases[i].message);
        CHECK_TEXT(error.message, message);
    }
}

/* Each text has one unused name. A text without the third frame has no defect. */
static void test_unused_scales(void)
{
    static const struct { const char *text; bool is_unused; } cases[] = {
        { "{ \"head\": { \"scale_positions\": false, \"2\": 1 } }", false },
        { "{ \"hat\": {} }", true },
        { "{ \"HEAD\": {} }", true },
        { "{ \"head\": { \"3\": 1 } }", true },
        { "{ \"head\": { \"99999999999999999999\": 1 } }", true },
        { "{ \"head\": { \"-1\": 1 } }", true },
        { "{ \"head\": { \"scale\": 1 } }", true }
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        check_scene(".md5scale %s", cases[i].text);
        md5_anim *anim = scaled_walk(cases[i].text, NULL);
        CHECK(anim != NULL);
        CHECK_EQ(anim->defects, cases[i].is_unused ? MD5_UNUSED_SCALES : 0);
    }
}

/* Checks that a key of an .md5scale is found as the name of a joint. */
static void expect_key(const char *name, const char *key)
{
    m5_text *text = new_text(), *scales = new_text();
    check_scene("\"%s\" is joint %s", key, name);
    m5_put(text, "MD5Version 10 numFrames 1 numJoints 1 numAnimatedComponents 0 hierarchy { "
                 "\"%s\" -1 0 0 } baseframe { ( 0 0 0 ) ( 0 0 0 ) } frame 0 { }", name);
    m5_put(scales, "{ \"%s\": { \"\\u0030\": 7 } }", key);
    md5_options options = options_of(0, 0);
    options.joint_scales = scales->bytes;
    options.joint_scales_size = scales->size;
    md5_anim *anim = anim_of(text, &options);
    CHECK_EQ(anim->defects, 0);
    CHECK_EQ(anim_xform(anim, 0, 0)->scale, 7);
}

static void test_escaped_keys(void)
{
    expect_key("root", "\\u0072oot");
    expect_key("ro/ot", "ro\\/\\u006F\\u0074");
    expect_key("a\\b", "a\\\\b");
    expect_key("a\tb\b\f", "a\\tb\\b\\f");
    expect_key("", "");
    expect_key("\xC3\xA9t\xC3\xA9", "\\u00e9t\\u00E9");
    expect_key("\xE2\x82\xAC", "\\u20aC");
    expect_key("\xF0\x9F\x98\x80!", "\\ud83d\\ude00!");
    expect_key("\xED\xA0\xBDx", "\\ud83dx"); /* half of a surrogate pair */
    expect_key("\xED\xA0\xBD\xC3\xA9", "\\ud83d\\u00e9");
    expect_key("\xED\xA0\xBD\t", "\\ud83d\\t");
    expect_key("u12", "\\u12"); /* fewer than four digits */
    expect_key("u12g4", "\\u12g4");
    expect_key("u12:4", "\\u12:4");
    expect_key("u", "\\u");
}

/* Unknown keys may have strings, such as a note. */
static void test_quotes_in_scales(void)
{
    expect_scales(scaled_walk("{ \"a \\\"hat\\\"\": {}, \"head\": { \"1\": 3, \"note\": \"\\\\\", "
                              "\"by\": \"\\\" }\" } }", NULL), 1, 3, 1);
}

static void test_scales_of_a_model(void)
{
    static const char scales[] = "{}";
    md5_options options = options_of(0, 0);
    md5_error error;
    options.joint_scales = scales;
    options.joint_scales_size = 2;
    CHECK(!md5_load_model_memory(tiny_mesh, strlen(tiny_mesh), &options, &error));
    check_error(&error, MD5_ERROR_ARGUMENT, 0,
                "options.joint_scales are for animations only, not for models");
}

/* Some scales are 0. A child keeps its position when its parent grows. */
static void test_scaled_skin(void)
{
    md5_model *model = arm();
    md5_xform *local = posed(model, NULL, MD5_LOOP, 0), *pose = new_pose(model->joint_count);
    random_source random = { 16 };
    for (uint32_t round = 0; round < 20; ++round) {
        const uint32_t m = round % model->mesh_count;
        const md5_mesh *mesh = &model->meshes[m];
        float *positions = new_floats(3 * mesh->vertex_count);
        float *normals = new_floats(3 * mesh->vertex_count);
        check_scene("seed %u, round %u, mesh %u", 16u, (unsigned)round, (unsigned)m);
        md5_pose_at(model, clip(M5_WAVE), MD5_LOOP, 0.03 * round, local);
        md5_pose_to_model_space(model, local, pose);
        for (uint32_t i = 0; i < model->joint_count; ++i) {
            float was[3];
            memcpy(was, pose[i].position, sizeof was);
            local[i].scale = random_below(&random, 4) ? (float)random_below(&random, 300) / 100 : 0;
            md5_pose_to_model_space(model, local, pose);
            CHECK(same_bits(was, pose[i].position, sizeof was));
        }
        md5_pose_vertices(model, m, pose, positions, 0, normals, 0, NULL, 0);
        for (uint32_t i = 0; i < mesh->vertex_count; ++i) {
            const md5_vertex *vertex = &mesh->vertices[i];
            double want[3] = { 0, 0, 0 };
            for (uint32_t w = 0; w < vertex->weight_count; ++w) {
                const md5_weight *weight = &mesh->weights[vertex->first_weight + w];
                float matrix[16];
                md5_pose_matrix(&pose[weight->joint], matrix);
                for (int k = 0; k < 3; ++k) {
                    const float row[3] = { matrix[k], matrix[4 + k], matrix[8 + k] };
                    want[k] += (double)weight->bias *
                               (dot3f(row, weight->position) + (double)matrix[12 + k]);
                }
            }
            check_step("vertex %u", (unsigned)i);
            for (uint32_t k = 0; k < 3; ++k) CHECK_NEAR(positions[3 * i + k], want[k], 1e-4);
            CHECK_NEAR(length3f(normals + 3 * i), 1, 1e-5);
        }
    }
}

void test_scales(void)
{
    RUN(test_scale_by_frame, "an .md5scale has each joint's scale, frame by frame");
    RUN(test_scale_positions, "scale_positions also scales the position of the joint");
    RUN(test_scale_between_frames, "between two frames a scale is in between");
    RUN(test_scaled_last_frame, "a scale of only the last frame opens the loop");
    RUN(test_children, "children do not inherit a scale");
    RUN(test_scaled_vertex, "vertices of a joint are scaled about it");
    RUN(test_blended_scales, "blends mix scales linearly");
    RUN(test_scale_file, "the .md5scale next to the animation is read; without one, scales are 1");
    RUN(test_scales_in_options, "options.joint_scales take precedence over the .md5scale file");
    RUN(test_scales_of_no_animation, "an empty animation with an .md5scale next to it is refused");
    RUN(test_scale_file_without_memory, "if memory runs out, an animation is refused, not loaded without its scales");
    RUN(test_scale_of_long_path, "an .md5scale is found next to an animation with a long path");
    RUN(test_scale_texts, "an .md5scale may be empty, repeat itself and name joints that do not exist");
    RUN(test_unused_scales, "names in an .md5scale that do not exist are reported");
    RUN(test_escaped_keys, "the keys of an .md5scale may have the escapes of JSON");
    RUN(test_quotes_in_scales, "a string of an .md5scale may have quotes in it");
    RUN(test_scales_of_a_model, "a model has no scales");
    RUN(test_scale_refusals, "an invalid .md5scale is refused, and the error has its line and file");
    RUN(test_scaled_skin, "scaled vertices agree with the matrices of their joints");
}
