/* long_life.c: a player of 10^9 seconds; a thousand models that are loaded, posed, drawn and freed in any
   order while memory, the GPU and the context fail; and what the renderer keeps of large things that are gone.
   Public domain. */
#include "support.h"

/* In the place of stb_image: every file is a picture of 64 MiB. */
enum { SKIN_SIDE = 4096, CROWD = 10000, FRAMES = 1000 };

#define STBI_INCLUDE_STB_IMAGE_H
static unsigned char *stbi_load_from_memory(const unsigned char *data, int size, int *width, int *height,
                                            int *channels, int wanted)
{
    size_t bytes = (size_t)SKIN_SIDE * SKIN_SIDE * 4;
    (void)data;
    (void)size;
    *width = *height = SKIN_SIDE;
    *channels = wanted;
    return (unsigned char *)memset(malloc_or_abort(bytes), 99, bytes);
}

static void stbi_image_free(void *pixels) { free(pixels); }

#define MD2_GL
#define MD2_STB_IMAGE
#define MD2_IMPLEMENTATION
#define MD5_GL
#define MD5_STB_IMAGE
#define MD5_IMPLEMENTATION
#include "check.h"
#include "fake_gl.h"
#include "md2.h"
#include "md5.h"
#include "model_builder_md2.h"
#include "model_builder_md5.h"

static random_source dice = { 1 };
static const char   *folder;          /* where files may be written */

/* -- Players --------------------------------------------------------------- */

/* Cycles of 0.8 s: 10^9 s are a whole number of them. */
static const md2_anim run = { 4, 8, 10.0f, "run" }, back = { 4, 5, 10.0f, "back" };

/* The weight of frames [first, end). */
static float weight_of(const md2_pose *pose, uint32_t first, uint32_t end)
{
    float weight = 0;
    for (uint32_t i = 0; i < pose->count && i < 8; ++i)
        weight += pose->frame[i] >= first && pose->frame[i] < end ? pose->weight[i] : 0;
    return weight;
}

static md2_player play(const md2_anim *anim, md2_mode mode)
{
    md2_player player;
    memset(&player, 0, sizeof player);
    md2_play(&player, anim, mode, 0);
    return player;
}

/* Returns how many footsteps are heard, which are frame 7. */
static double grow_old(md2_player *player, float step, uint32_t steps)
{
    double heard = 0;
    check_step("advanced %u times by %g s", (unsigned)steps, (double)step);
    for (uint32_t i = 0; i < steps; ++i) {
        md2_advance(player, step);
        heard += md2_crossed(player, 7);
    }
    CHECK_EQ(player->track_count, 1);
    CHECK(player->track[0].time > 0.999e9);
    return heard;
}

static void expect_like_young(md2_player *old, md2_player *young)
{
    check_step("a million steps of 1 to 40 ms later, beside a player that is so old only");
    md2_seek(old, 1e9);
    for (uint32_t i = 0; i < 1000000; ++i) {
        float seconds = (float)(1 + i % 40) / 1000;
        md2_advance(old, seconds);
        md2_advance(young, seconds);
    }
    for (uint32_t i = run.first; i < run.first + run.count; ++i) {
        md2_pose a = md2_player_pose(old), b = md2_player_pose(young);
        float of_old = weight_of(&a, i, i + 1), of_young = weight_of(&b, i, i + 1);
        CHECK_NEAR(of_old, of_young, 0.02);
    }
}

static void test_old_loop(void)
{
    md2_player old = play(&run, MD2_LOOP), young = old;
    double heard = grow_old(&old, 100.1f, 10000000);
    CHECK_EQ(heard, floor((old.track[0].time - 0.3) / 0.8) + 1);
    expect_like_young(&old, &young);
}

/* There and back again: twice in each cycle. */
static void test_old_ping_pong(void)
{
    md2_player old = play(&back, MD2_PING_PONG), young = old;
    double heard = grow_old(&old, 3333.3f, 300001), seconds = old.track[0].time;
    CHECK_EQ(heard, floor((seconds - 0.3) / 0.8) + floor((seconds - 0.5) / 0.8) + 2);
    expect_like_young(&old, &young);
}

/* -- A crowd that comes and goes ------------------------------------------- */

enum { PLACES = 1000, ACTS = 200000 };
typedef struct place { md2_model *md2; md5_model *md5; md5_anim *anim; } place;

static counting_allocator memory;
static const md2_options options2 = { 0, 0, 0, 0, { counting_alloc, counting_release, &memory } };
static const md5_options options5 = { 0, 0, 0, NULL, 0, { counting_alloc, counting_release, &memory } };
static place places[PLACES];
static unsigned long loads, refusals, draws, losses;

static void load_place(place *p)
{
    m2_bytes bytes = m2_case_bytes(&m2_cases[random_below(&dice, M2_CASES)]);
    m5_text mesh = { NULL, 0, 0 }, anim = { NULL, 0, 0 };
    if (random_below(&dice, 4) && bytes.size < 50000) {
        p->md2 = md2_load_memory(bytes.data, bytes.size, &options2, NULL);
    } else {
        m5_arm_mesh(&mesh, 0);
        m5_arm_anim(&anim, (int)random_below(&dice, M5_CLIPS), 0);
        p->md5 = md5_load_model_memory(mesh.bytes, mesh.size, &options5, NULL);
        p->anim = md5_load_anim_memory(anim.bytes, anim.size, NULL, &options5, NULL);
        m5_free(&mesh);
        m5_free(&anim);
    }
    m2_free(&bytes);
    *(p->md2 || p->md5 || p->anim ? &loads : &refusals) += 1;
}

static void free_place(place *p)
{
    md2_free_model(p->md2);
    md5_free_model(p->md5);
    md5_free_anim(p->anim);
    memset(p, 0, sizeof *p);
}

static void draw_md2(md2_gl *gl, const md2_model *model)
{
    md2_gl_instance instance;
    md2_gl_scene scene;
    md2_gl_mesh mesh;
    memset(&scene, 0, sizeof scene);
    memset(&instance, 0, sizeof instance);
    instance.pose = md2_pose_between(random_below(&dice, model->frame_count), 0, 0.5f);
    if (!md2_gl_upload(gl, model, &mesh, NULL)) return;
    draws += md2_gl_draw(gl, &mesh, 0, &scene, &instance, 1);
    md2_gl_free_mesh(gl, &mesh);
}

static void draw_md5(md5_gl *gl, const place *p)
{
    md5_xform pose[M5_JOINTS];
    float palette[12 * M5_JOINTS];
    md5_gl_instance instance;
    md5_gl_scene scene;
    md5_gl_mesh mesh;
    memset(&scene, 0, sizeof scene);
    memset(&instance, 0, sizeof instance);
    md5_pose_bind(p->md5, pose);
    if (p->anim) md5_pose_at(p->anim, MD5_LOOP, random_unit(&dice) * 1e9, pose);
    md5_pose_to_model_space(p->md5, pose, pose);
    md5_pose_palette(p->md5, pose, palette);
    instance.palette = palette;
    if (!md5_gl_upload(gl, p->md5, 0, &mesh, NULL)) return;
    draws += md5_gl_draw(gl, &mesh, 0, &scene, &instance, 1);
    md5_gl_free_mesh(gl, &mesh);
}

static void test_crowd(void)
{
    md2_gl *gl2 = NULL;
    md5_gl *gl5 = NULL;
    for (uint32_t i = 0; i < ACTS; ++i) {
        place *p = &places[random_below(&dice, PLACES)];
        check_step("act %u, at place %u", (unsigned)i, (unsigned)(p - places));
        memory.fail_at = random_below(&dice, 8) ? 0 : memory.allocations + 1 + random_below(&dice, 4);
        fake.gpu_fail_at = random_below(&dice, 8) ? 0 : fake.gpu_requests + 1 + random_below(&dice, 4);
        if (i == 0 || fake.names > FAKE_OBJECTS - 40 || random_below(&dice, 500) == 0) {
            fake.lost = random_below(&dice, 2) != 0;
            md2_gl_destroy(gl2);
            md5_gl_destroy(gl5);
            CHECK(fake.lost || fake_gl_live(FAKE_KINDS) == 0);
            fake_gl_reset();
            gl2 = md2_gl_create(fake_gl_get_proc, NULL, NULL);
            gl5 = md5_gl_create(fake_gl_get_proc, NULL, NULL);
            ++losses;
        }
        if (!p->md2 && !p->md5 && !p->anim) load_place(p);
        else if (random_below(&dice, 4) == 0) free_place(p);
        else if (p->md2) draw_md2(gl2, p->md2);
        else if (p->md5) draw_md5(gl5, p);
    }
    for (uint32_t i = 0; i < PLACES; ++i) free_place(&places[(i * 607) % PLACES]);
    md2_gl_destroy(gl2);
    md5_gl_destroy(gl5);
    check_step("after all acts");
    CHECK(counting_is_clean(&memory));
    CHECK_EQ(fake_gl_live(FAKE_KINDS), 0);
    CHECK_FLOOR(loads, 20000, "models loaded");
    CHECK_FLOOR(refusals, 2000, "loads without memory");
    CHECK_FLOOR(draws, 20000, "draws");
    CHECK_FLOOR(losses, 100, "contexts lost or closed");
}

/* -- Large things that are gone -------------------------------------------- */

static md2_model *small_md2(void)
{
    m2_bytes bytes = m2_named("cube");
    md2_model *model = md2_load_memory(bytes.data, bytes.size, NULL, NULL);
    m2_free(&bytes);
    return model;
}

static md5_model *small_md5(void)
{
    m5_text text = { NULL, 0, 0 };
    m5_arm_mesh(&text, 0);
    md5_model *model = md5_load_model_memory(text.bytes, text.size, NULL, NULL);
    m5_free(&text);
    return model;
}

#define LIB(name)    md2_##name
#define NAME         "md2"
#define SMALL_MODEL  small_md2
#define ALLOCATOR    options2.allocator
#define UPLOAD(gl, model, mesh) md2_gl_upload(gl, model, mesh, NULL)
#define LOAD_TEXTURE md2_gl_load_skin
#include "long_life.h"

#define LIB(name)    md5_##name
#define NAME         "md5"
#define SMALL_MODEL  small_md5
#define ALLOCATOR    options5.allocator
#define UPLOAD(gl, model, mesh) md5_gl_upload(gl, model, 0, mesh, NULL)
#define LOAD_TEXTURE md5_gl_load_texture
#include "long_life.h"

int main(int argc, char **argv)
{
    check_start(argc, argv, "--folder=");
    folder = check_option("--folder=");
    if (!folder) folder = "build";
    RUN(test_old_loop, "a loop of 10^9 s has lost no footstep, and its poses are exact");
    RUN(test_old_ping_pong, "an animation to and fro has lost none either, and is as exact");
    RUN(md2_test_gone, "a renderer keeps nothing of a skin of 4,096 squared, nor of a crowd that is gone");
    RUN(md5_test_gone, "the same for MD5");
    RUN(test_crowd, "a crowd comes and goes while memory and the GPU fail; nothing leaks");
    return check_finish();
}
