/* Loading from memory, through readers and from files; arguments, allocators and limits. Public domain. */
#include "test_md5.h"

/* The large text has blanks after its first line. */
static const void *sample(bool large, size_t *size)
{
    enum { BLANKS = 300000 };
    size_t tiny = strlen(tiny_mesh), head = 14;
    *size = large ? BLANKS + tiny : tiny;
    if (!large) return tiny_mesh;
    char *text = (char *)keep_block(*size);
    memset(text, ' ', *size);
    memcpy(text, tiny_mesh, head);
    memcpy(text + BLANKS + head, tiny_mesh + head, tiny - head);
    return text;
}

static void check_sample(const md5_model *model, bool large)
{
    (void)large;
    check_same_model(model, model_from(tiny_mesh));
}

#define load_memory  md5_load_model_memory
#define load_reader  md5_load_model_reader
#define load_file    md5_load_model_file
#define NO_DATA      "no text is given"
#define BAD_SCALE    "options.scale must be a number above 0 and up to 1e9"
#define NOT_MINE     MD5_ERROR_NOT_MD5
#define FILE_NAME    "test_md5.tmp"
#include "tests/both/names_md5.h"
#include "tests/both/loading.h"

/* -- Contents of models and animations ------------------------------------------- */

static void test_model(void)
{
    md5_model *model = model_from(tiny_mesh);
    CHECK_EQ(model->joint_count, 2);
    CHECK_TEXT(model->joints[1].name, "b");
    CHECK_EQ(model->joints[0].parent, -1);
    CHECK_EQ(model->joints[1].parent, 0);
    CHECK_XYZ(model->joints[1].bind.position, 1, 2, 3);
    CHECK_EQ(model->joints[1].bind.scale, 1);

    CHECK_EQ(model->mesh_count, 1);
    const md5_mesh *mesh = &model->meshes[0];
    CHECK_TEXT(mesh->shader, "s");
    CHECK_EQ(mesh->vertex_count, 3);
    CHECK_EQ(mesh->index_count, 3);
    CHECK_EQ(mesh->vertices[1].u, 1);
    CHECK_EQ(mesh->weights[2].joint, 1);
    CHECK_XYZ(mesh->weights[2].position, 0, 1, 0); /* relative to joint b */
    CHECK_XYZ(mesh->vertices[2].position, 1, 3, 3);
}

static void test_anim(void)
{
    md5_anim *anim = anim_from(tiny_anim);
    CHECK_EQ(anim->frame_count, 2);
    CHECK_EQ(anim->fps, 24);
    CHECK_EQ(anim->joint_count, 2);
    CHECK_TEXT(anim->joint_names[1], "b");
    CHECK_EQ(anim->parents[0], -1);
    CHECK_EQ(anim->parents[1], 0);
    CHECK_XYZ(anim->bounds[1].max, 1, 1, 1);

    CHECK_EQ(anim->moving_count, 1); /* the root; joint b never moves */
    CHECK_EQ(anim->slots[0], 0);
    CHECK_XYZ(anim->frames[0].position, 1, 2, 3);
    CHECK_XYZ(anim->frames[1].position, 4, 5, 6);
    CHECK_EQ(anim->slots[1], 1);
    CHECK_XYZ(anim->still[0].position, 1, 0, 0);
}

static void test_most_influences(void)
{
    m5_text *text = new_text();
    CHECK_EQ(mesh_with(12, "vert 1 ( 1 0 ) 1 2")->meshes[0].max_influences, 2);

    put_mesh_head(text, 1, 1, put_chain_joint);
    m5_put_text(text, "mesh { numverts 1 vert 0 ( 0 0 ) 0 64 numweights 64 ");
    for (int i = 0; i < 64; ++i) m5_put(text, "weight %d 0 0.25 ( %d 0 0 ) ", i, i);
    m5_put_text(text, "}");
    const md5_mesh *mesh = &model_of(text, NULL)->meshes[0];
    CHECK_EQ(mesh->max_influences, 64);
    CHECK_EQ(mesh->vertices[0].position[0], 504); /* a quarter of 0 + 1 + ... + 63 */
}

static void test_inverse_bind(void)
{
    /* Joint b is at (1, 2, 3), and its x axis points along y. */
    const md5_joint *b = &mesh_with(6, "\"b\" 0 ( 1 2 3 ) ( 0 0 -0.70710678 )")->joints[1];
    const float position[3] = { 1, 7, 3 };
    double seen[3];
    for (int k = 0; k < 3; ++k) {
        const float *row = b->inverse_bind + 4 * k;
        seen[k] = dot3f(row, position) + (double)row[3];
    }
    CHECK_XYZ(seen, 5, 0, 0);
}

/* -- Animations: their names and loaders ----------------------------------------- */

static void test_anim_names(void)
{
    md5_anim *anim = keep_anim(
        md5_load_anim_memory(tiny_anim, strlen(tiny_anim), "run", NULL, NULL));
    CHECK_TEXT(anim->name, "run");
    anim = keep_anim(md5_load_anim_memory(tiny_anim, strlen(tiny_anim), NULL, NULL, NULL));
    CHECK_TEXT(anim->name, "");

    const char *path = check_path("test_md5.run.md5anim");
    CHECK(write_file(path, tiny_anim, strlen(tiny_anim)));
    anim = keep_anim(md5_load_anim_file(path, NULL, NULL));
    remove_file(path);
    CHECK(anim != NULL);
    CHECK_TEXT(anim->name, "test_md5.run");
}

static void test_anim_reader(void)
{
    feed from = feed_of(tiny_anim, strlen(tiny_anim), 7); /* 7 bytes at once */
    md5_reader reader = { read_feed, &from };
    md5_anim *anim = keep_anim(md5_load_anim_reader(&reader, "run", NULL, NULL));
    CHECK(anim != NULL);
    CHECK_TEXT(anim->name, "run");
    CHECK_XYZ(anim->frames[1].position, 4, 5, 6);
}

static void test_no_file(void)
{
    md5_error error;
    CHECK(!md5_load_anim_file("no such folder/no.md5anim", NULL, &error));
    check_error(&error, MD5_ERROR_OPEN, 0, "cannot open no such folder/no.md5anim");
}

static void test_anim_arguments(void)
{
    md5_options options = options_of(0, -1.0f);
    feed from = feed_of("", 0, 1);
    md5_reader reader = { read_feed, &from }, none = { NULL, NULL };
    md5_error error;

    expect_argument_error(md5_load_anim_memory(NULL, 5, "x", NULL, &error), &error, NO_DATA);
    expect_argument_error(md5_load_anim_reader(NULL, "", NULL, &error), &error,
                          "no reader is given");
    expect_argument_error(md5_load_anim_reader(&none, "", NULL, &error), &error,
                          "no reader is given");
    expect_argument_error(md5_load_anim_file(NULL, NULL, &error), &error, "no path is given");

    expect_argument_error(md5_load_anim_memory(tiny_anim, strlen(tiny_anim), "", &options, &error),
                          &error, BAD_SCALE);
    expect_argument_error(md5_load_anim_reader(&reader, "", &options, &error), &error, BAD_SCALE);
    expect_argument_error(md5_load_anim_file("x.md5anim", &options, &error), &error, BAD_SCALE);

    CHECK(!md5_load_anim_memory("junk", 4, NULL, NULL, NULL));
    md5_free_anim(NULL);
}

/* -- Memory and limits ----------------------------------------------------------- */

static void test_usual_limit(void)
{
    counting_allocator memory;
    md5_options options = counting_options(&memory);
    md5_error error;
    feed from = feed_of("", 0, 1);
    md5_reader reader = { read_feed, &from };
    CHECK(!md5_load_model_reader(&reader, NULL, &error));
    check_error(&error, MD5_ERROR_NOT_MD5, 1,
                "not an MD5: it begins with the end of the text instead of MD5Version");

    from.endless = true;
    CHECK(!md5_load_model_reader(&reader, &options, &error));
    check_error(&error, MD5_ERROR_LIMIT, 0,
                "needs 33619458 more bytes, but max_bytes is 67108864");
    CHECK(memory.peak_bytes <= (size_t)64 << 20);
    CHECK(counting_is_clean(&memory));
}

/* The block of the text has exactly the size of the text, and is freed before the model is. */
static void test_memory(void)
{
    static const size_t kept[2] = { 887, 425 }, most[2] = { 1462, 760 };
    for (int kind = 0; kind < 2; ++kind) {
        const char *text = kind == M5_MESH ? tiny_mesh : tiny_anim;
        counting_allocator memory;
        md5_options options = counting_options(&memory);
        char *exact = (char *)malloc_or_abort(strlen(text));
        check_scene("the smallest %s", kind == M5_MESH ? "mesh" : "animation");
        memcpy(exact, text, strlen(text));
        loaded_text loaded = load_text(kind, exact, strlen(text), &options, NULL);
        free(exact);
        CHECK(loaded.loads);
        CHECK_EQ(memory.live_blocks, 1);
        CHECK_EQ(memory.live_bytes, loaded.bytes);
        CHECK_EQ(memory.peak_blocks, 2);
        if (sizeof(void *) == 8) {
            CHECK_EQ(loaded.bytes, kept[kind]);
            CHECK_EQ(memory.peak_bytes, most[kind]);
        }

        free_text(&loaded);
        CHECK(counting_is_clean(&memory));
    }
}

/* Fills each new block with one byte. */
static void *alloc_filled(void *user, size_t size)
{
    return memset(malloc_or_abort(size), *(const int *)user, size);
}

static void release_filled(void *user, void *block, size_t size)
{
    (void)user;
    (void)size;
    free(block);
}

static md5_model *model_in_filled_memory(const m5_text *text, int *byte)
{
    md5_options options = options_of(0, 0);
    options.allocator.alloc = alloc_filled;
    options.allocator.release = release_filled;
    options.allocator.user = byte;
    return model_of(text, &options);
}

/* Compares all bytes of vertices and indices, because a program copies them to the GPU, and skinned positions.
   Several meshes meet at many joints. Bytes of 0x3F are floats of 0.75, bytes of 1 are small indices, and
   bytes of 255 are the index of nothing. */
static void test_memory_before(void)
{
    static int bytes[5] = { 0, 1, 0x3F, 0xCB, 255 };
    m5_text *text = arm_text(0);
    m5_put_text(text, "mesh { numverts 4 vert 0 ( 0 0 ) 0 2 vert 1 ( 0 1 ) 1 1 vert 2 ( 1 0 ) 2 1 "
                      "vert 3 ( 1 1 ) 0 2 numtris 2 tri 0 0 1 2 tri 1 1 3 2 numweights 3 weight 0 5 "
                      "0.5 ( 0 0 0 ) weight 1 4 0.5 ( 1 0 0 ) weight 2 3 1 ( 0 1 0 ) }");
    md5_model *want = model_in_filled_memory(text, &bytes[0]);
    CHECK_EQ(want->mesh_count, M5_MESHES + 1);
    for (int i = 1; i < 5; ++i) {
        md5_model *model = model_in_filled_memory(text, &bytes[i]);
        md5_xform *pose = posed(model, clip(M5_WAVE), MD5_LOOP, 0.2);
        for (uint32_t m = 0; m < model->mesh_count; ++m) {
            const md5_mesh *a = &model->meshes[m], *b = &want->meshes[m];
            float *posed_a = new_floats(3 * a->vertex_count);
            float *posed_b = new_floats(3 * a->vertex_count);
            check_step("mesh %u in memory filled with the byte %d", (unsigned)m, bytes[i]);
            CHECK(same_bits(a->vertices, b->vertices, a->vertex_count * sizeof(md5_vertex)));
            CHECK(same_bits(a->indices, b->indices, a->index_count * sizeof(uint32_t)));
            md5_pose_vertices(model, m, pose, posed_a, 0, NULL, 0, NULL, 0);
            md5_pose_vertices(want, m, pose, posed_b, 0, NULL, 0, NULL, 0);
            CHECK(same_bits(posed_a, posed_b, 3 * a->vertex_count * sizeof(float)));
        }
    }
}

/* A vertex is 14 numbers of 32 bits. */
static void test_vertex_layout(void)
{
    CHECK_EQ(sizeof(md5_vertex), 56);
    CHECK_EQ(offsetof(md5_vertex, first_weight), 8);
    CHECK_EQ(offsetof(md5_vertex, position), 16);
    CHECK_EQ(offsetof(md5_vertex, tangent), 40);
}

/* The interface states these limits for texts that exporters write. */
static void test_memory_per_byte(void)
{
    const char *mesh_path = check_path("test_peaks.md5mesh");
    const char *anim_path = check_path("test_peaks.md5anim");
    m5_text *mesh = arm_text(0);
    check_scene("the arm");
    CHECK(write_file(mesh_path, mesh->bytes, mesh->size));
    check_peaks(M5_MESH, mesh_path);
    remove_file(mesh_path);

    for (int i = 0; i < M5_CLIPS; ++i) {
        m5_text *anim = clip_text(i, 0);
        check_scene("the arm, %s", m5_clips[i].name);
        CHECK(write_file(anim_path, anim->bytes, anim->size));
        check_peaks(M5_ANIM, anim_path);
        remove_file(anim_path);
    }
}

static md5_anim *load_empty_frames(int count, md5_error *error)
{
    m5_text *text = new_text();
    put_anim_head(text, 1, count, 0, put_chain_joint);
    for (int i = 0; i < count; ++i) m5_put(text, "frame %d {\n}\n", i);
    return keep_anim(md5_load_anim_memory(text->bytes, text->size, NULL, NULL, error));
}

static void test_frame_limit(void)
{
    md5_error error;
    md5_anim *anim = load_empty_frames(65536, &error);
    md5_xform pose;
    CHECK_TEXT(error.message, "");
    CHECK_EQ(anim->frame_count, 65536);
    md5_pose_at(body_of(anim), anim, MD5_LOOP, 1e6, &pose);
    CHECK_EQ(pose.position[2], 7);

    CHECK(!load_empty_frames(65537, &error));
    CHECK_EQ(error.code, MD5_ERROR_LIMIT);
}

/* All joints share the one number of each frame, so the text is short. Blanks make it as long as `length`. */
static md5_anim *load_shared_numbers(int frames, int joints, size_t length, md5_error *error)
{
    m5_text *text = new_text();
    m5_put(text, "MD5Version 10 numFrames %d numJoints %d frameRate 24 "
                 "numAnimatedComponents 1 hierarchy { ", frames, joints);
    for (int i = 0; i < joints; ++i) m5_put(text, "j%d %d 1 0 ", i, i - 1);
    m5_put_text(text, "} baseframe { ");
    for (int i = 0; i < joints; ++i) m5_put_text(text, "( 0 0 0 ) ( 0 0 0 ) ");
    m5_put_text(text, "} ");
    for (int i = 0; i < frames; ++i) m5_put(text, "frame %d { %d } ", i, i);
    while (text->size < length) m5_put_text(text, " ");
    return keep_anim(md5_load_anim_memory(text->bytes, text->size, NULL, NULL, error));
}

/* The transforms take far more memory than such a text. Up to 8 MiB of transforms of 32 bytes always load. A
   larger animation needs a byte of text for each transform. */
static void test_shared_numbers(void)
{
    enum { FRAMES = 4096, JOINTS = 64 };
    md5_error error;
    md5_anim *anim = load_shared_numbers(FRAMES, JOINTS, 0, &error);
    md5_xform pose[JOINTS];
    CHECK_TEXT(error.message, "");
    md5_pose_at(body_of(anim), anim, MD5_ONCE, 1000 / 24.0, pose);
    CHECK_NEAR(pose[JOINTS - 1].position[0], 1000, 1e-3);

    CHECK(load_shared_numbers(FRAMES, JOINTS + 1, FRAMES * (JOINTS + 1), &error));
    CHECK(!load_shared_numbers(FRAMES, JOINTS + 1, FRAMES * (JOINTS + 1) - 1, &error));
    check_error(&error, MD5_ERROR_LIMIT, 0,
                "4096 frames of 65 moving joints need over 8 MiB, and over 32 times the size of "
                "the text");
}

/* A character stands still for 300 frames, so each frame of the text has only its number. An .md5scale shrinks
   the character in the first frame. */
static void test_still_and_scaled(void)
{
    enum { FRAMES = 300, JOINTS = 60 };
    m5_text *text = new_text(), *scales = new_text();
    put_anim_head(text, JOINTS, FRAMES, 0, put_chain_joint);
    for (int i = 0; i < FRAMES; ++i) m5_put(text, "frame %d {\n}\n", i);
    for (int i = 0; i < JOINTS; ++i) {
        m5_put(scales, "%s \"j%d\": { \"0\": 0.5 }", i ? "," : "{", i);
    }
    m5_put_text(scales, " }");

    md5_options options = options_of(0, 0.0f);
    options.joint_scales = scales->bytes;
    options.joint_scales_size = scales->size;
    md5_error error;
    md5_anim *anim = keep_anim(md5_load_anim_memory(text->bytes, text->size, NULL, &options,
                                                    &error));
    md5_xform pose[JOINTS];
    CHECK_TEXT(error.message, "");
    md5_pose_at(body_of(anim), anim, MD5_ONCE, 0, pose);
    CHECK_EQ(pose[JOINTS - 1].scale, 0.5);
    md5_pose_at(body_of(anim), anim, MD5_ONCE, 1, pose);
    CHECK_EQ(pose[JOINTS - 1].scale, 1);
}

void test_loading(void)
{
    RUN(test_model, "a model holds the joints, meshes, vertices and weights of its file");
    RUN(test_anim, "an animation holds its frames, and a joint that never moves only once");
    RUN(test_most_influences, "a vertex has up to 64 weights, and all of them count");
    RUN(test_inverse_bind, "inverse_bind converts a position in the bind pose to the joint's axes");
    RUN(test_version, "the version that was compiled is that of the header");
    RUN(test_result_names, "each result has its own name");
    RUN(test_readers, "a reader returns pieces of any size, but no more than requested");
    RUN(test_files, "files of any size load, under any path in UTF-8");
    RUN(test_paths, "a path that is not UTF-8 opens nothing");
    RUN(test_printed_paths, "a message has the path unchanged, except for control characters");
    RUN(test_missing_arguments, "a missing argument is named");
    RUN(test_copied_model, "a copied struct owns nothing, and neither does a struct that was not loaded");
    RUN(test_refused_options, "every loader refuses invalid options in the same way");
    RUN(test_limits, "max_bytes limits the memory that is allocated at the same time");
    RUN(test_anim_names, "an animation is named as given, or after its file");
    RUN(test_anim_reader, "an animation is read in pieces too");
    RUN(test_no_file, "a file that cannot be opened is named");
    RUN(test_anim_arguments, "a missing argument of the loaders of animations is named");
    RUN(test_memory, "loading allocates two blocks of the exact size, and keeps one");
    RUN(test_memory_before, "the result does not depend on the previous contents of memory");
    RUN(test_vertex_layout, "vertices have no padding");
    RUN(test_memory_per_byte, "loading takes no more memory than the interface states");
    RUN(test_usual_limit, "without max_bytes, loading takes 64 MiB at most");
    RUN(test_frame_limit, "65,536 frames load, one more does not");
    RUN(test_shared_numbers, "a short text expands to 8 MiB at most");
    RUN(test_still_and_scaled, "a long animation that hardly moves loads, however short its text");
}
