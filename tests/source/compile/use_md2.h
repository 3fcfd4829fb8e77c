/* Shared by the programs of the compile matrix. It names every public function, so that a function that is declared
   but not defined is a link error; then it loads and poses a model of one triangle. */
#ifndef USE_MD2_H
#define USE_MD2_H

#if defined(__GNUC__) && defined(__cplusplus)
  #pragma GCC diagnostic ignored "-Wold-style-cast" /* only in this file, not in the header before it */
#endif

#include <string.h>

typedef void (*use_md2_function)(void);

#define USE(function) (use_md2_function)function,
static volatile use_md2_function use_md2_functions[] = {
#include "functions_md2.h" /* written by strict.sh: USE(md2_load_memory) USE(md2_load_reader) ... */
};
#undef USE

static void use_md2_put(unsigned char *at, unsigned long value, int bytes)
{
    for (; bytes > 0; --bytes, value >>= 8) *at++ = (unsigned char)(value & 255u);
}

/* skin 8 x 8, 3 texcoords at 68, 1 triangle at 80, 1 frame of 3 points at 92, 144 bytes in all */
static void use_md2_write(unsigned char file[144])
{
    static const unsigned char header[17] = { 0, 8, 8, 8, 52, 0, 3, 3, 1, 0, 1, 68, 68, 80, 92, 144, 144 };
    unsigned i;
    memset(file, 0, 144);
    for (i = 1; i < 17; ++i) use_md2_put(file + 4 * i, header[i], 4);
    memcpy(file, "IDP2", 4);
    for (i = 0; i < 3; ++i) {
        file[68 + 4 * i + (i & 1u) * 2] = (unsigned char)(4 * i); /* s or t */
        file[80 + 2 * i] = file[86 + 2 * i] = (unsigned char)i;   /* point and texcoord */
        use_md2_put(file + 92 + 4 * i, 0x3F800000ul, 4);          /* scale 1.0f */
        file[132 + 4 * i + i % 3] = 200;
    }
    memcpy(file + 116, "stand01", 7);
}

/* The structs that a user initializes, as each language writes them. */
static int use_md2_initializers(void)
{
    md2_anim walk = { 40, 6, 10.0f, "walk" };
#ifdef __cplusplus
    md2_player player = md2_player();
#else
    md2_player player = { 0 };
#endif
#if !defined(__cplusplus) || __cplusplus > 201703L
    md2_anim run = { .first = 40, .count = 6, .fps = 10.0f, .name = "run" };
    md2_play(&player, &run, MD2_LOOP, 0.0f);
#endif
    md2_play(&player, &walk, MD2_LOOP, 0.0f);
    return player.track_count == 1 ? 0 : 1;
}

static int use_md2_model(const md2_model *model)
{
    const md2_anim *stand = md2_find_anim(model, "stand");
    float positions[9];
    float min[3], max[3];
    md2_player player;
    md2_pose pose;
    memset(&player, 0, sizeof player);
    if (!stand || model->vertex_count != 3 || model->index_count != 3) return 1;
    md2_play(&player, stand, MD2_LOOP, 0.0f);
    (void)md2_advance(&player, 0.25f);
    pose = md2_player_pose(&player);
    md2_pose_vertices(model, &pose, positions, 0, NULL, 0);
    md2_pose_bounds(model, &pose, min, max);
    return max[0] > 199.0f && max[0] < 201.0f && positions[0] >= min[0] && positions[0] <= max[0] ? 0 : 1;
}

static int use_md2(void)
{
    unsigned char file[144];
    md2_error error;
    md2_model *model;
    size_t i;
    int failed;
    for (i = 0; i < sizeof use_md2_functions / sizeof use_md2_functions[0]; ++i) {
        if (!use_md2_functions[i]) return 1;
    }
    if (md2_load_memory("IDPO, of another game", 21, NULL, &error) || error.code != MD2_ERROR_NOT_MD2) return 2;
    if (use_md2_initializers()) return 5;
    use_md2_write(file);
    model = md2_load_memory(file, sizeof file, NULL, &error);
    if (!model) return 3;
    failed = use_md2_model(model);
    md2_free_model(model);
    return failed ? 4 : 0;
}

#endif
