/* The functions of md2.h, for test_nulls. Public domain. */
#include "model_builder_md2.h"
#include "nulls.h"

#define STB_IMAGE_IMPLEMENTATION
#include "tests/readme/recipes/stb_image.h"

#define MD2_GL
#define MD2_SMOOTH
#define MD2_STB_IMAGE
#define MD2_IMPLEMENTATION
#include "md2.h"

/* Arguments of the calls. */
static m2_bytes        player_bytes, pcx;
static const uint8_t  *bytes;
static size_t          byte_count;
static char            model_path[512];
static md2_options     options;
static md2_model      *model;
static const md2_anim *anim;
static uint32_t        last_frame;
static md2_pose        pose;
static md2_gl         *gl;
static md2_gl_mesh     mesh;

static bool upload(md2_gl_mesh *uploaded) { return md2_gl_upload(gl, model, uploaded, NULL); }

#define load_memory     md2_load_memory
#define load_reader     md2_load_reader
#define load_file       md2_load_file
#define find_picture    md2_find_skin
#define gl_load_picture md2_gl_load_skin
#include "tests/both/names_md2.h"
#include "tests/both/nulls_both.h"

/* -- Models and pictures ----------------------------------------------------- */

static void call_md2_smooth_model(void)
{
    done = is_released(md2_smooth_model(REQUIRED(0, model), NULLABLE(1, &options),
                                        NULLABLE(2, &error)));
}

static void call_md2_load_pcx_memory(void)
{
    uint32_t width = 0, height = 0;
    uint8_t *pixels = md2_load_pcx_memory(REQUIRED(0, pcx.data), pcx.size, REQUIRED(1, &width),
                                          REQUIRED(2, &height), NULLABLE(3, &options),
                                          NULLABLE(4, &error));
    md2_free_image(pixels);
    done = pixels != NULL;
}

static void call_md2_load_skin(void)
{
    uint32_t width = 0, height = 0;
    uint8_t *pixels = md2_load_skin(REQUIRED(0, model), REQUIRED(1, model_path), 0,
                                    REQUIRED(2, &width), REQUIRED(3, &height),
                                    NULLABLE(4, &options), NULLABLE(5, &error));
    md2_free_image(pixels);
    done = pixels != NULL;
}

static void call_md2_free_image(void)
{
    uint32_t width, height;
    uint8_t *pixels = md2_load_pcx_memory(pcx.data, pcx.size, &width, &height, &options, NULL);
    size_t before = call_memory.releases;
    md2_free_image(REQUIRED(0, pixels));
    done = call_memory.releases > before;
    if (!done) md2_free_image(pixels);
}

/* -- Animations and poses ---------------------------------------------------- */

static void call_md2_split_frame_names(void)
{
    static const char *const names[2] = { "run1", "run2" };
    md2_anim anims[2];
    done = md2_split_frame_names(REQUIRED(0, names), 2, NULLABLE(1, &options), NULLABLE(2, anims),
                                 2) == 1;
}

static void call_md2_find_anim(void)
{
    done = md2_find_anim(REQUIRED(0, model), REQUIRED(1, "stand")) != NULL;
}

static void call_md2_find_frame(void)
{
    done = md2_find_frame(REQUIRED(0, model), REQUIRED(1, model->frames[0].name)) == 0;
}

static void call_md2_pose_at(void)
{
    done = md2_pose_at(REQUIRED(0, anim), MD2_LOOP, 0.01).count > 0;
}

static void call_md2_pose_vertices(void)
{
    md2_pose_vertices(REQUIRED(0, model), NULLABLE(1, &pose), NULLABLE(2, output[0]), 0,
                      NULLABLE(3, output[1]), 0);
}

static void call_md2_pose_bounds(void)
{
    md2_pose_bounds(REQUIRED(0, model), NULLABLE(1, &pose), REQUIRED(2, output[0]),
                    REQUIRED(3, output[1]));
}

static void call_md2_pose_triangle(void)
{
    done = md2_pose_triangle(REQUIRED(0, model), NULLABLE(1, &pose), 0, REQUIRED(2, output[0]));
}

static void call_md2_player_pose(void)
{
    done = md2_player_pose(REQUIRED(0, &player)).count > 0;
}

/* -- OpenGL ------------------------------------------------------------------ */

static void call_md2_gl_program(void) { done = md2_gl_program(REQUIRED(0, gl), 1) != 0; }

static void call_md2_gl_upload(void)
{
    md2_gl_mesh uploaded;
    done = md2_gl_upload(REQUIRED(0, gl), REQUIRED(1, model), REQUIRED(2, &uploaded),
                         NULLABLE(3, &error));
    if (done) md2_gl_free_mesh(gl, &uploaded);
}

/* -- The table --------------------------------------------------------------- */

static void prepare(const char *folder)
{
    char pcx_path[512];
    player_bytes = m2_named("player");
    bytes = player_bytes.data;
    byte_count = player_bytes.size;
    pcx = m2_pcx(4, 4, 4, M2_PCX_PLAIN);
    snprintf(model_path, sizeof model_path, "%s/nulls.md2", folder);
    snprintf(pcx_path, sizeof pcx_path, "%s/nulls.pcx", folder);
    CHECK(write_file(model_path, bytes, byte_count));
    CHECK(write_file(pcx_path, pcx.data, pcx.size));

    options.allocator.alloc = counting_alloc;
    options.allocator.release = counting_release;
    options.allocator.user = &call_memory;
    model = md2_load_memory(bytes, byte_count, NULL, NULL);
    anim = model->anims;
    last_frame = anim->first + anim->count - 1;
    pose = md2_pose_between(3, 8, 0.25f);

    gl = md2_gl_create(fake_gl_get_proc, NULL, NULL);
    CHECK(upload(&mesh));
}

static void clean_up(void)
{
    md2_gl_free_mesh(gl, &mesh);
    md2_gl_destroy(gl);
    md2_free_model(model);
    m2_free(&player_bytes);
    m2_free(&pcx);
}

static const null_call calls[] = {
    CALLS_OF_BOTH,
    CALL(md2_smooth_model), CALL(md2_load_pcx_memory), CALL(md2_load_skin), CALL(md2_free_image),
    CALL(md2_split_frame_names), CALL(md2_find_anim), CALL(md2_find_frame), CALL(md2_pose_at),
    CALL(md2_pose_vertices), CALL(md2_pose_bounds), CALL(md2_pose_triangle), CALL(md2_player_pose),
    CALL(md2_gl_program), CALL(md2_gl_upload)
};

const null_calls md2_calls = { calls, sizeof calls / sizeof calls[0], prepare, reset_player,
                               clean_up };
