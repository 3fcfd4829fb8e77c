/* scales.c: joints that grow and shrink, by hand and through an .md5scale. Public domain. */
#include "reference.h"

/* Three frames of a root that moves and of a child that does not. */
static const char walk_text[] =
    "MD5Version 10 numFrames 3 numJoints 2 frameRate 24 numAnimatedComponents 1 "
    "hierarchy { \"root\" -1 1 0 \"head\" 0 0 0 } "
    "baseframe { ( 0 0 0 ) ( 0 0 0 ) ( 2 4 0 ) ( 0 0 0 ) } frame 0 { 1 } frame 1 { 2 } frame 2 { 3 }";

static md5_anim *scaled_walk(const char *scales, md5_error *error)
{
    md5_options options = options_of(0, 0.0f);
    options.joint_scales = scales;
    options.joint_scales_size = strlen(scales);
    return keep_anim(md5_load_anim_memory(walk_text, strlen(walk_text), "walk", &options, error));
}

static void test_scale_texts(void)
{
    static const struct {
        const char *text;
        double scale[3], x[3]; /* of the head */
    } cases[] = {
        { "", { 1, 1, 1 }, { 2, 2, 2 } },
        { " \n\t", { 1, 1, 1 }, { 2, 2, 2 } },
        { "{}", { 1, 1, 1 }, { 2, 2, 2 } },
        { "{ \"head\": {} }", { 1, 1, 1 }, { 2, 2, 2 } },
        { "{ \"head\": { \"1\": 0.5 } }", { 1, 0.5, 1 }, { 2, 2, 2 } },
        { "{\"head\":{\"2\":1e-1,\"0\":0}}", { 0, 1, 0.1 }, { 2, 2, 2 } },
        /* a flag that folds, with its place */
        { "{ \"head\": { \"1\": 0.5, \"scale_positions\": true, \"2\": 3 } }",
          { 1, 0.5, 3 }, { 2, 1, 6 } },
        { "{ \"head\": { \"scale_positions\": false, \"1\": 0.5 } }", { 1, 0.5, 1 }, { 2, 2, 2 } },
        /* the last of duplicates wins, also against their scale_positions */
        { "{ \"head\": { \"1\": 7, \"1\": 5 } }", { 1, 5, 1 }, { 2, 2, 2 } },
        { "{ \"head\": { \"scale_positions\": true, \"1\": 7 }, \"head\": { \"2\": 4 } }",
          { 1, 1, 4 }, { 2, 2, 2 } },
        { "{ \"head\": { \"1\": 7 }, \"head\": {} }", { 1, 1, 1 }, { 2, 2, 2 } },
        /* what does not exist is ignored */
        { "{ \"hat\": { \"1\": 7 }, \"head\": { \"3\": 9, \"99999999999\": 9, \"-1\": 9, \"\": 9,"
          " \"1x\": 9, \"2\": 2 } }", { 1, 1, 2 }, { 2, 2, 2 } },
        { "{ \"head\": { \"note\": \"}\", \"list\": [1, {\"a\": []}, null], \"0\": 4 } }",
          { 4, 1, 1 }, { 2, 2, 2 } }
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        md5_anim *anim = scaled_walk(cases[i].text, NULL);
        check_subject(cases[i].text);
        for (size_t f = 0; CHECK(anim != NULL) && f < 3; ++f) {
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
        { "{ \"head\":\n{ \"1\": -1 } }", 2, "a scale is from 0 to 1e9, found -1" },
        { "{ \"head\":\n\n{ \"1\": 1e39 } }", 3,
          "the number 1e39 is too large: none may exceed 1e9" },
        { "{ \"hat\": { \"1\": -1 } }", 1, "a scale is from 0 to 1e9, found -1" },
        { "{ \"head\": { \"1\": 1 x", 1, "expected a comma or }, found x" },
        { "{ \"head\": { \"1\": 1,", 1, "expected a name in quotes, found the end of the text" },
        { "{ \"head\": { \"1\": 1, } }", 1, "expected a name in quotes, found }" },
        { "{ \"head\" { \"1\": 1 } }", 1, "expected :, found {" },
        { "{ \"head\": 1 }", 1, "expected {, found 1" },
        { "{ head: { } }", 1, "expected a name in quotes, found head" },
        { "{ \"head\": { \"a\": } }", 1, "expected a value, found }" },
        { "{ \"head\": { \"a\": [\"x", 1, "the quotes before x never end" },
        { "{ \"head\": { } } x", 1, "expected the end of the text, found x" },
        { "[ ]", 1, "expected {, found [" }
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        md5_error error;
        char message[200];
        check_subject(cases[i].text);
        CHECK(!scaled_walk(cases[i].text, &error));
        CHECK(error.code == MD5_ERROR_SYNTAX || error.code == MD5_ERROR_CORRUPT);
        CHECK_EQ(error.line, cases[i].line);
        snprintf(message, sizeof message, "%s in walk.md5scale", cases[i].message);
        CHECK_TEXT(error.message, message);
    }
}

/* The file beside the animation is read; what the options say comes before it. */
static void test_scale_file(void)
{
    static const char grows[] = "{ \"head\": { \"1\": 6 } }", shrinks[] = "{\"head\":{\"1\":0.5}}";
    md5_options options = options_of(0, 0.0f);
    md5_error error;
    CHECK(write_file("test_scale.md5anim", walk_text, strlen(walk_text)));
    CHECK(write_file("test_scale.md5scale", grows, strlen(grows)));
    md5_anim *anim = keep_anim(md5_load_anim_file("test_scale.md5anim", NULL, NULL));
    if (CHECK(anim != NULL)) CHECK_EQ(anim_xform(anim, 1, 1)->scale, 6);
    options.joint_scales = shrinks;
    options.joint_scales_size = strlen(shrinks);
    anim = keep_anim(md5_load_anim_file("test_scale.md5anim", &options, NULL));
    if (CHECK(anim != NULL)) CHECK_EQ(anim_xform(anim, 1, 1)->scale, 0.5);
    CHECK(write_file("test_scale.md5scale", "{", 1));
    CHECK(!md5_load_anim_file("test_scale.md5anim", NULL, &error));
    CHECK_TEXT(error.message,
               "expected a name in quotes, found the end of the text in test_scale.md5scale");
    CHECK(write_file("test_empty.md5scale", grows, strlen(grows)));
    CHECK(write_file("test_empty.md5anim", "", 0));
    CHECK(!md5_load_anim_file("test_empty.md5anim", NULL, &error));
    CHECK_TEXT(error.message, "not an MD5: it begins with the end of the text instead of MD5Version");
    remove("test_empty.md5anim");
    remove("test_empty.md5scale");
    remove("test_scale.md5scale");
    anim = keep_anim(md5_load_anim_file("test_scale.md5anim", NULL, &error));
    if (CHECK(anim != NULL)) CHECK_EQ(anim_xform(anim, 1, 1)->scale, 1);
    CHECK_EQ(error.code, MD5_OK);
    remove("test_scale.md5anim");
}

/* Beside an animation whose path is too long for the loader, no .md5scale is looked for. Where the system does not
   open such a path, nothing is tested. */
static void test_scale_of_long_path(void)
{
    static const char grows[] = "{ \"head\": { \"1\": 6 } }", name[] = "test_scale.md5anim";
    char path[1201];                   /* "." and "/" take turns: an even number of them */
    CHECK(write_file(name, walk_text, strlen(walk_text)));
    CHECK(write_file("test_scale.md5scale", grows, strlen(grows)));

    /* "./././ ... ./test_scale.md5anim" */
    size_t length = sizeof path - sizeof name;
    for (size_t i = 0; i < length; ++i) path[i] = i % 2 ? '/' : '.';
    memcpy(path + length, name, sizeof name);

    md5_error error;
    md5_anim *anim = keep_anim(md5_load_anim_file(path, NULL, &error));
    if (anim) CHECK_EQ(anim_xform(anim, 1, 1)->scale, 1);
    else CHECK_EQ(error.code, MD5_ERROR_OPEN);
    remove("test_scale.md5scale");
    remove(name);
}

/* Two joints that share all six numbers need far more memory as transforms. */
static void test_shared_numbers(void)
{
    m5_text *text = new_text();
    md5_error error;
    m5_put_text(text, "MD5Version 10 numFrames 400 numJoints 100 frameRate 24 "
                      "numAnimatedComponents 6 hierarchy { ");
    for (int i = 0; i < 100; ++i) m5_put(text, "j%d %d 63 0 ", i, i - 1);
    m5_put_text(text, "} baseframe { ");
    for (int i = 0; i < 100; ++i) m5_put_text(text, "( 0 0 0 ) ( 0 0 0 ) ");
    m5_put_text(text, "} ");
    for (int i = 0; i < 400; ++i) m5_put(text, "frame %d { 0 0 0 0 0 0 } ", i);
    CHECK(!md5_load_anim_memory(text->bytes, text->size, NULL, NULL, &error));
    CHECK_EQ(error.code, MD5_ERROR_LIMIT);
}

/* The head pops off: at frame 1.5 it is half as large, and only what hangs on it. */
static void test_scale_between_frames(void)
{
    md5_anim *anim = scaled_walk("{ \"head\": { \"1\": 0 } }", NULL);
    md5_xform pose[2];
    md5_pose_at(anim, MD5_ONCE, 1.5 / 24.0, pose);
    CHECK_NEAR(pose[1].scale, 0.5, 1e-6);
    CHECK_EQ(pose[0].scale, 1);
    CHECK(!anim->closed || anim_xform(anim, 2, 1)->scale == 1);
    anim = scaled_walk("{ \"head\": { \"2\": 1.5 } }", NULL);
    CHECK(!anim->closed); /* its last frame does not repeat the first */
}

static void test_scale_arithmetic(void)
{
    md5_xform a[3], b[3], out[3];
    float matrix[16];
    memset(a, 0, sizeof a);
    for (int i = 0; i < 3; ++i) a[i].rotation[3] = a[i].scale = 1;
    memcpy(b, a, sizeof b);
    b[0].scale = 3;
    b[1].scale = 0;
    md5_pose_mix(a, b, 0.25f, NULL, 3, out);
    CHECK_EQ(out[0].scale, 1.5);
    CHECK_EQ(out[1].scale, 0.75);
    CHECK_EQ(out[2].scale, 1);
    md5_pose_add(b, b, a, 0.5f, NULL, 3, out); /* base + t * (pose - reference) */
    CHECK_EQ(out[0].scale, 4);
    CHECK_EQ(out[1].scale, -0.5);
    CHECK_EQ(out[2].scale, 1);
    b[0].position[1] = 5;
    md5_pose_matrix(&b[0], matrix);
    CHECK_EQ(matrix[0], 3);
    CHECK_EQ(matrix[10], 3);
    CHECK_EQ(matrix[13], 5);
    CHECK(matrix[3] == 0 && matrix[7] == 0 && matrix[11] == 0 && matrix[15] == 1);
}

/* Each vertex against what the matrices of its joints make of its weights, with random scales, some
   of them 0. A child keeps its place when its parent grows. */
static void test_scaled_skin(void)
{
    md5_model *model = arm();
    md5_xform *local = posed(model, NULL, MD5_LOOP, 0), *pose = new_pose(model->joint_count);
    random_source random = { 16 };
    uint32_t vertices = 0;
    for (uint32_t round = 0; round < 20; ++round) {
        const uint32_t m = round % model->mesh_count;
        const md5_mesh *mesh = &model->meshes[m];
        float *positions = new_floats(3 * mesh->vertex_count);
        float *normals = new_floats(3 * mesh->vertex_count);
        md5_pose_at(clip(M5_WAVE), MD5_LOOP, 0.03 * round, local);
        md5_pose_to_model_space(model, local, pose);
        for (uint32_t i = 0; i < model->joint_count; ++i) {
            float was[3];
            memcpy(was, pose[i].position, sizeof was);
            local[i].scale = random_below(&random, 4) ? (float)random_below(&random, 300) / 100 : 0;
            md5_pose_to_model_space(model, local, pose);
            CHECK(same_bits(was, pose[i].position, sizeof was));
        }
        md5_pose_vertices(model, m, pose, positions, 0, normals, 0, NULL, 0);
        for (uint32_t i = 0; i < mesh->vertex_count; ++i, ++vertices) {
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
            for (uint32_t k = 0; k < 3; ++k) CHECK_NEAR(positions[3 * i + k], want[k], 1e-4);
            CHECK_NEAR(length3f(normals + 3 * i), 1, 1e-5);
        }
    }
    CHECK_FLOOR(vertices, 500, "vertices of scaled joints");
}

void test_scales(void)
{
    run_test("texts of .md5scale", test_scale_texts);
    run_test("refused texts of .md5scale", test_scale_refusals);
    run_test("the .md5scale beside", test_scale_file);
    run_test("the .md5scale beside a long path", test_scale_of_long_path);
    run_test("joints that share numbers", test_shared_numbers);
    run_test("scales between frames", test_scale_between_frames);
    run_test("arithmetic with scales", test_scale_arithmetic);
    run_test("scaled skins", test_scaled_skin);
}
