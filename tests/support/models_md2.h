/* MD2 models from nothing: exact ones with known answers, every malformed shape met or imagined,
   and the limits of the format. The tests load them from memory; make_models writes them to files.
   Public domain. */
#ifndef MODELS_MD2_H_INCLUDED
#define MODELS_MD2_H_INCLUDED

#include "md2.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The same bytes on every machine: no multiplication may be fused with an addition. */
#if defined(__clang__)
  #pragma STDC FP_CONTRACT OFF
#elif defined(__GNUC__)
  #pragma GCC optimize("fp-contract=off")
#endif

/* -- A model as plain arrays ---------------------------------------------- */

enum m2_field { /* the 17 words of the header, in file order */
    M2_IDENT,
    M2_VERSION,
    M2_SKIN_WIDTH,
    M2_SKIN_HEIGHT,
    M2_FRAME_SIZE,
    M2_SKINS,
    M2_POINTS,
    M2_ST,
    M2_TRIS,
    M2_WORDS,
    M2_FRAMES,
    M2_OFS_SKINS,
    M2_OFS_ST,
    M2_OFS_TRIS,
    M2_OFS_FRAMES,
    M2_OFS_WORDS,
    M2_END,
    M2_FIELDS
};

enum m2_section {
    M2_SEC_SKINS,
    M2_SEC_ST,
    M2_SEC_TRIS,
    M2_SEC_FRAMES,
    M2_SEC_WORDS,
    M2_SECTIONS
};

#define M2_MAGIC  0x32504449L /* "IDP2" */
#define M2_HEADER 68u

typedef struct m2_frame_head {
    float scale[3], translate[3];
    char name[16];
} m2_frame_head;

typedef struct m2_file {
    int32_t skin_width, skin_height;
    uint32_t skin_count, point_count, st_count, tri_count, word_count, frame_count;
    char *skins;    /* 64 bytes each */
    int16_t *st;    /* s, t */
    uint16_t *tris; /* three points, three st */
    m2_frame_head *frames;
    uint8_t *points; /* frame by frame: x, y, z, normal */
    uint32_t *words; /* GL commands, floats by their bits */
    uint32_t tris_used, words_used;
    uint32_t order[M2_SECTIONS]; /* in which the sections are written */
    uint32_t gap, frame_slack; /* bytes before each section; bytes after the points of each frame */
} m2_file;

typedef struct m2_bytes {
    uint8_t *data;
    size_t size;
} m2_bytes;

static inline void *m2_zeroes(size_t count, size_t size)
{
    void *block = calloc(count ? count : 1, size);
    if (!block) abort();
    return block;
}

static inline void m2_begin(m2_file *f, uint32_t skins, uint32_t points, uint32_t st, uint32_t tris,
                            uint32_t words, uint32_t frames)
{
    uint32_t i;
    memset(f, 0, sizeof *f);
    f->skin_width = f->skin_height = 64;
    f->skin_count = skins;
    f->point_count = points;
    f->st_count = st;
    f->tri_count = tris;
    f->word_count = words;
    f->frame_count = frames;
    f->skins = (char *)m2_zeroes(skins, 64);
    f->st = (int16_t *)m2_zeroes(st, 2 * sizeof(int16_t));
    f->tris = (uint16_t *)m2_zeroes(tris, 6 * sizeof(uint16_t));
    f->words = (uint32_t *)m2_zeroes(words, sizeof(uint32_t));
    f->frames = (m2_frame_head *)m2_zeroes(frames, sizeof(m2_frame_head));
    f->points = (uint8_t *)m2_zeroes((size_t)frames * points, 4);
    for (i = 0; i < M2_SECTIONS; ++i) f->order[i] = i;
}

static inline void m2_end(m2_file *f)
{
    free(f->skins);
    free(f->st);
    free(f->tris);
    free(f->words);
    free(f->frames);
    free(f->points);
    memset(f, 0, sizeof *f);
}

static inline void m2_free(m2_bytes *bytes)
{
    free(bytes->data);
    bytes->data = NULL;
    bytes->size = 0;
}

static inline void m2_skin(m2_file *f, uint32_t skin, const char *path)
{
    size_t length = strlen(path);
    memcpy(f->skins + skin * 64, path, length < 64 ? length : 64);
}

static inline void m2_frame(m2_file *f, uint32_t frame, const char *name, float scale,
                            float translate)
{
    size_t length = strlen(name);
    int i;
    memcpy(f->frames[frame].name, name, length < 16 ? length : 16);
    for (i = 0; i < 3; ++i) {
        f->frames[frame].scale[i] = scale;
        f->frames[frame].translate[i] = translate;
    }
}

static inline uint8_t *m2_point(m2_file *f, uint32_t frame, uint32_t point)
{
    return f->points + ((size_t)frame * f->point_count + point) * 4;
}

static inline void m2_set_point(m2_file *f, uint32_t frame, uint32_t point, int x, int y, int z,
                                int normal)
{
    uint8_t *p = m2_point(f, frame, point);
    p[0] = (uint8_t)x;
    p[1] = (uint8_t)y;
    p[2] = (uint8_t)z;
    p[3] = (uint8_t)normal;
}

static inline void m2_tri(m2_file *f, const uint16_t *points, const uint16_t *st, int a, int b,
                          int c)
{
    uint16_t *t = f->tris + f->tris_used++ * 6;
    t[0] = points[a];
    t[1] = points[b];
    t[2] = points[c];
    t[3] = st[a];
    t[4] = st[b];
    t[5] = st[c];
}

static inline void m2_word(m2_file *f, uint32_t word) { f->words[f->words_used++] = word; }

static inline void m2_float_word(m2_file *f, float value)
{
    uint32_t word;
    memcpy(&word, &value, 4);
    m2_word(f, word);
}

/* One strip or fan: its GL command, and its triangles in the order and winding that the command
   draws. */
static inline void m2_run(m2_file *f, bool fan, int count, const uint16_t *points,
                          const uint16_t *st)
{
    int i;
    m2_word(f, (uint32_t)(fan ? -count : count));
    for (i = 0; i < count; ++i) {
        m2_float_word(f, (float)f->st[st[i] * 2] / (float)f->skin_width);
        m2_float_word(f, (float)f->st[st[i] * 2 + 1] / (float)f->skin_height);
        m2_word(f, points[i]);
    }
    for (i = 0; i + 2 < count; ++i) {
        if (fan)
            m2_tri(f, points, st, 0, i + 1, i + 2);
        else if (i % 2 == 0)
            m2_tri(f, points, st, i, i + 1, i + 2);
        else
            m2_tri(f, points, st, i + 1, i, i + 2);
    }
}

/* -- To bytes, little-endian on every machine ----------------------------- */

static inline void m2_put16(uint8_t *at, uint32_t value)
{
    at[0] = (uint8_t)value;
    at[1] = (uint8_t)(value >> 8);
}

static inline void m2_put32(uint8_t *at, uint32_t value)
{
    m2_put16(at, value);
    m2_put16(at + 2, value >> 16);
}

static inline void m2_put_float(uint8_t *at, float value)
{
    uint32_t word;
    memcpy(&word, &value, 4);
    m2_put32(at, word);
}

static inline uint32_t m2_get16(const uint8_t *at)
{
    return (uint32_t)at[0] | (uint32_t)at[1] << 8;
}

static inline uint32_t m2_get32(const uint8_t *at) { return m2_get16(at) | m2_get16(at + 2) << 16; }

static inline float m2_get_float(const uint8_t *at)
{
    uint32_t word = m2_get32(at);
    float value;
    memcpy(&value, &word, 4);
    return value;
}

static inline int m2_get_s16(const uint8_t *at)
{
    int value = (int)m2_get16(at);
    return value < 32768 ? value : value - 65536;
}

static inline uint32_t m2_field(const m2_bytes *b, int field)
{
    return m2_get32(b->data + 4 * field);
}

static inline void m2_set_field(m2_bytes *b, int field, uint32_t value)
{
    m2_put32(b->data + 4 * field, value);
}

static inline size_t m2_frame_size(const m2_file *f)
{
    return 40u + (size_t)f->point_count * 4u + f->frame_slack;
}

static inline size_t m2_section_size(const m2_file *f, uint32_t section)
{
    switch (section) {
        case M2_SEC_SKINS: return (size_t)f->skin_count * 64;
        case M2_SEC_ST: return (size_t)f->st_count * 4;
        case M2_SEC_TRIS: return (size_t)f->tri_count * 12;
        case M2_SEC_FRAMES: return (size_t)f->frame_count * m2_frame_size(f);
        default: return (size_t)f->word_count * 4;
    }
}

static inline void m2_put_frames(const m2_file *f, uint8_t *at)
{
    uint32_t i, axis;
    for (i = 0; i < f->frame_count; ++i, at += m2_frame_size(f)) {
        for (axis = 0; axis < 3; ++axis) {
            m2_put_float(at + 4 * axis, f->frames[i].scale[axis]);
            m2_put_float(at + 12 + 4 * axis, f->frames[i].translate[axis]);
        }
        memcpy(at + 24, f->frames[i].name, 16);
        memcpy(at + 40, f->points + (size_t)i * f->point_count * 4, (size_t)f->point_count * 4);
        memset(at + 40 + (size_t)f->point_count * 4, 0xEE, f->frame_slack);
    }
}

static inline void m2_put_section(const m2_file *f, uint32_t section, uint8_t *at)
{
    size_t i, size = m2_section_size(f, section);
    switch (section) {
        case M2_SEC_SKINS: memcpy(at, f->skins, size); break;
        case M2_SEC_ST:
            for (i = 0; i < size / 2; ++i) m2_put16(at + 2 * i, (uint32_t)(uint16_t)f->st[i]);
            break;
        case M2_SEC_TRIS:
            for (i = 0; i < size / 2; ++i) m2_put16(at + 2 * i, f->tris[i]);
            break;
        case M2_SEC_FRAMES: m2_put_frames(f, at); break;
        default:
            for (i = 0; i < size / 4; ++i) m2_put32(at + 4 * i, f->words[i]);
            break;
    }
}

static inline void m2_put_header(const m2_file *f, m2_bytes *b)
{
    m2_set_field(b, M2_IDENT, (uint32_t)M2_MAGIC);
    m2_set_field(b, M2_VERSION, 8);
    m2_set_field(b, M2_SKIN_WIDTH, (uint32_t)f->skin_width);
    m2_set_field(b, M2_SKIN_HEIGHT, (uint32_t)f->skin_height);
    m2_set_field(b, M2_FRAME_SIZE, (uint32_t)m2_frame_size(f));
    m2_set_field(b, M2_SKINS, f->skin_count);
    m2_set_field(b, M2_POINTS, f->point_count);
    m2_set_field(b, M2_ST, f->st_count);
    m2_set_field(b, M2_TRIS, f->tri_count);
    m2_set_field(b, M2_WORDS, f->word_count);
    m2_set_field(b, M2_FRAMES, f->frame_count);
    m2_set_field(b, M2_END, (uint32_t)b->size);
}

static inline m2_bytes m2_write(const m2_file *f)
{
    m2_bytes b;
    uint32_t i;
    size_t at = M2_HEADER;
    b.size = M2_HEADER;
    for (i = 0; i < M2_SECTIONS; ++i) b.size += f->gap + m2_section_size(f, i);
    b.data = (uint8_t *)m2_zeroes(b.size, 1);
    m2_put_header(f, &b);
    for (i = 0; i < M2_SECTIONS; ++i) {
        memset(b.data + at, 0xCC, f->gap);
        at += f->gap;
        m2_set_field(&b, M2_OFS_SKINS + (int)f->order[i], (uint32_t)at);
        m2_put_section(f, f->order[i], b.data + at);
        at += m2_section_size(f, f->order[i]);
    }
    return b;
}

static inline void m2_resize(m2_bytes *b, size_t size)
{
    uint8_t *data = (uint8_t *)m2_zeroes(size, 1);
    memcpy(data, b->data, size < b->size ? size : b->size);
    free(b->data);
    b->data = data;
    b->size = size;
}

static inline void m2_append(m2_bytes *b, const void *tail, size_t size)
{
    size_t at = b->size;
    m2_resize(b, at + size);
    memcpy(b->data + at, tail, size);
}

static inline void m2_text(m2_bytes *b, const char *text)
{
    size_t length = strlen(text);
    m2_resize(b, length);
    memcpy(b->data, text, length);
}

static inline uint8_t *m2_section(m2_bytes *b, int field) { return b->data + m2_field(b, field); }

/* -- Whole models --------------------------------------------------------- */

/* A cube from -0.5 to +0.5 on every axis, exact in binary: bytes 0 and 128, scale 1/128. Each face
   is a fan of its own four corners on its own tile of the 64 x 64 skin, so 24 vertices and 12
   triangles come of it. */
#define M2_CUBE_WORDS (6 * (1 + 4 * 3) + 1)

static inline void m2_cube_sides(m2_file *f)
{
    static const uint16_t side[6][4] = {
        /* clockwise seen from outside; corner bits: x = 1, y = 2, z = 4 */
        { 0, 2, 6, 4 }, { 1, 5, 7, 3 }, { 0, 4, 5, 1 },
        { 2, 3, 7, 6 }, { 0, 1, 3, 2 }, { 4, 6, 7, 5 }
    };
    static const int corner[4][2] = { { 0, 0 }, { 16, 0 }, { 16, 16 }, { 0, 16 } };
    uint16_t i, k, st[4];
    for (i = 0; i < 6; ++i) {
        for (k = 0; k < 4; ++k) {
            st[k] = (uint16_t)(i * 4 + k);
            f->st[st[k] * 2] = (int16_t)(i % 3 * 20 + corner[k][0]);
            f->st[st[k] * 2 + 1] = (int16_t)(i / 3 * 20 + corner[k][1]);
        }
        m2_run(f, true, 4, side[i], st);
    }
    m2_word(f, 0);
}

static inline void m2_cube_frame(m2_file *f, uint32_t frame, const char *name, float step,
                                 float low)
{
    static const int normals[8] = { 140, 119, 108, 39, 80, 22, 20, 3 };
    uint32_t i;
    m2_frame(f, frame, name, step, low);
    for (i = 0; i < 8; ++i) {
        m2_set_point(f, frame, i, i & 1 ? 128 : 0, i & 2 ? 128 : 0, i & 4 ? 128 : 0, normals[i]);
    }
}

static inline void m2_build_cubes(m2_file *f, uint32_t frames)
{
    uint32_t i;
    char name[16];
    m2_begin(f, 1, 8, 24, 12, M2_CUBE_WORDS, frames);
    m2_skin(f, 0, "models/cube/cube.pcx");
    m2_cube_sides(f);
    for (i = 0; i < frames; ++i) {
        sprintf(name, "move%u", (unsigned)(i % 100000u) + 1u);
        m2_cube_frame(f, i, name, 1.0f / 128, -0.5f);
        f->frames[i].translate[0] += (float)(i % 512);
    }
}

static inline void m2_build_cube(m2_file *f) { m2_build_cubes(f, 1); }
static inline void m2_build_moving_cube(m2_file *f) { m2_build_cubes(f, 2); }
static inline void m2_build_501_frames(m2_file *f) { m2_build_cubes(f, 501); }

/* The frame names of id's player model, as runs: name, first number, digits, count. */
typedef struct m2_clip {
    const char *name, *format;
    uint32_t first_number, first, count;
} m2_clip;

#define M2_PLAYER_FRAMES 198u
#define M2_PLAYER_CLIPS  20u
static const m2_clip m2_player_clips[M2_PLAYER_CLIPS] = {
    { "stand", "stand%02u", 1, 0, 40 },     { "run", "run%u", 1, 40, 6 },
    { "attack", "attack%u", 1, 46, 8 },     { "pain1", "pain%u", 101, 54, 4 },
    { "pain2", "pain%u", 201, 58, 4 },      { "pain3", "pain%u", 301, 62, 4 },
    { "jump", "jump%u", 1, 66, 6 },         { "flip", "flip%02u", 1, 72, 12 },
    { "salute", "salute%02u", 1, 84, 11 },  { "taunt", "taunt%02u", 1, 95, 17 },
    { "wave", "wave%02u", 1, 112, 11 },     { "point", "point%02u", 1, 123, 12 },
    { "crstnd", "crstnd%02u", 1, 135, 19 }, { "crwalk", "crwalk%u", 1, 154, 6 },
    { "crattak", "crattak%u", 1, 160, 9 },  { "crpain", "crpain%u", 1, 169, 4 },
    { "crdeath", "crdeath%u", 1, 173, 5 },  { "death1", "death%u", 101, 178, 6 },
    { "death2", "death%u", 201, 184, 6 },   { "death3", "death%u", 301, 190, 8 }
};

#if defined(__GNUC__)
  #pragma GCC diagnostic push
  #pragma GCC diagnostic ignored \
      "-Wformat-nonliteral" /* the formats are those of the table above */
#endif
static inline void m2_player_name(uint32_t frame, char name[16])
{
    uint32_t i;
    for (i = 0; i + 1 < M2_PLAYER_CLIPS && m2_player_clips[i + 1].first <= frame; ++i) {}
    sprintf(name, m2_player_clips[i].format,
            (unsigned)(frame - m2_player_clips[i].first + m2_player_clips[i].first_number));
}
#if defined(__GNUC__)
  #pragma GCC diagnostic pop
#endif

/* A cube that turns into something else a little in each of 198 player-named frames. */
static inline void m2_build_player(m2_file *f)
{
    uint32_t i, k;
    char name[16];
    m2_build_cubes(f, M2_PLAYER_FRAMES);
    for (i = 0; i < M2_PLAYER_FRAMES; ++i) {
        m2_player_name(i, name);
        memset(f->frames[i].name, 0, 16);
        m2_cube_frame(f, i, name, 0.25f + 0.001f * (float)(i * 7 % 50),
                      -16.0f + 0.1f * (float)(i * 13 % 40));
        for (k = 0; k < 8; ++k) m2_point(f, i, k)[k % 3] = (uint8_t)(100 + i * (k + 3) % 100);
    }
}

/* A 5 x 4 sheet in strips of even and odd length and a fan, with one point that nothing uses. */
static inline void m2_build_sheet(m2_file *f)
{
    static const uint16_t even[8] = { 0, 5, 1, 6, 2, 7, 3, 8 }, odd[7] = { 5, 10, 6, 11, 7, 12, 8 };
    static const uint16_t longer[10] = { 10, 15, 11, 16, 12, 17, 13, 18, 14, 19 },
                          fan[5] = { 9, 8, 12, 13, 14 };
    static const uint16_t three[3] = { 3, 8, 4 }, five[5] = { 8, 9, 4, 3, 2 };
    uint32_t frame, i;
    m2_begin(f, 2, 21, 20, 6 + 5 + 8 + 3 + 1 + 3, 6 + 3 * (8 + 7 + 10 + 5 + 3 + 5) + 1, 3);
    f->skin_width = 256;
    f->skin_height = 128;
    m2_skin(f, 0, "models/sheet/red.pcx");
    m2_skin(f, 1, "blue.tga");
    for (i = 0; i < 20; ++i) {
        f->st[i * 2] = (int16_t)(i % 5 * 64);
        f->st[i * 2 + 1] = (int16_t)(i / 5 * 42);
    }
    for (frame = 0; frame < 3; ++frame) {
        m2_frame(f, frame, frame == 0 ? "wave1" : frame == 1 ? "wave2" : "wave3", 0.5f, -8.0f);
        for (i = 0; i < 21; ++i) {
            m2_set_point(f, frame, i, (int)(i * (11 + frame) % 200), (int)(i % 5 * 40),
                         (int)(i / 5 * 40), (int)((i * 31 + frame * 17) % 162));
        }
    }
    m2_set_point(f, 1, 20, 255, 255, 255, 0);
    m2_run(f, false, 8, even, even);
    m2_run(f, false, 7, odd, odd);
    m2_run(f, false, 10, longer, longer);
    m2_run(f, true, 5, fan, fan);
    m2_run(f, false, 3, three, three);
    m2_run(f, true, 5, five, five);
    m2_word(f, 0);
}

/* -- Shapes that must load ------------------------------------------------ */

static inline void m2_build_no_skins(m2_file *f)
{
    m2_build_cube(f);
    f->skin_count = 0;
}

static inline void m2_build_40_skins(m2_file *f)
{
    char path[64];
    uint32_t i;
    m2_build_cube(f);
    free(f->skins);
    f->skin_count = 40;
    f->skins = (char *)m2_zeroes(40, 64);
    for (i = 0; i < 40; ++i) {
        sprintf(path, "models/cube/skin%u.pcx", (unsigned)i);
        m2_skin(f, i, path);
    }
}

static inline void m2_build_skin_without_nul(m2_file *f)
{
    m2_build_cube(f);
    memset(f->skins, 's', 64);
}

static inline void m2_build_junk_after_nul(m2_file *f)
{
    m2_build_moving_cube(f);
    memcpy(f->frames[0].name,
           "barrel\0"
           "19\0pain\xFFzz",
           16);
    memcpy(f->frames[1].name, "barrel2\0\x01\x02\x03xyz", 15);
    memset(f->skins + 30, 'j', 34);
}

static inline void m2_build_name_without_nul(m2_file *f)
{
    m2_build_moving_cube(f);
    memcpy(f->frames[0].name, "sixteen_letters1", 16);
    memcpy(f->frames[1].name, "sixteen_letters2", 16);
}

static inline void m2_build_odd_names(m2_file *f)
{
    m2_build_cubes(f, 4);
    memset(f->frames[0].name, 0, 16);
    memcpy(f->frames[1].name, "\xF6l\xE4mp1\0\0\0\0\0\0\0\0\0\0", 16);
    memcpy(f->frames[2].name, "99999999999999999999999", 16);
    memset(f->frames[3].name, ' ', 16);
}

static inline void m2_build_shared_scale(m2_file *f)
{
    uint32_t i;
    m2_build_cubes(f, 30);
    for (i = 0; i < 30; ++i) m2_frame(f, i, "", 0.25f, -10.0f);
}

static inline void m2_build_negative_scale(m2_file *f)
{
    uint32_t i;
    m2_build_moving_cube(f);
    for (i = 0; i < 2; ++i) {
        f->frames[i].scale[0] = -1.0f / 128;
        f->frames[i].translate[0] = 0.5f;
    }
}

/* As far out as a cube can be with every position still finite. */
static inline void m2_build_far_out(m2_file *f)
{
    m2_build_moving_cube(f);
    f->frames[0].translate[0] = 1.7e38f;
    f->frames[1].translate[1] = -1.7e38f;
}

static inline void m2_build_zero_scale(m2_file *f)
{
    uint32_t i;
    m2_build_moving_cube(f);
    for (i = 0; i < 2; ++i) f->frames[i].scale[2] = 0.0f;
}

/* As Blender writes them: one texture coordinate for each corner, though few differ. */
static inline void m2_build_st_per_corner(m2_file *f)
{
    uint32_t i, k;
    m2_file cube;
    m2_build_cube(&cube);
    m2_begin(f, 0, 8, 36, 12, 0, 1);
    m2_cube_frame(f, 0, "cube", 1.0f / 128, -0.5f);
    for (i = 0; i < 12; ++i) {
        for (k = 0; k < 3; ++k) {
            uint32_t corner = i * 3 + k, st = cube.tris[i * 6 + 3 + k];
            f->tris[i * 6 + k] = cube.tris[i * 6 + k];
            f->tris[i * 6 + 3 + k] = (uint16_t)corner;
            f->st[corner * 2] = cube.st[st * 2];
            f->st[corner * 2 + 1] = cube.st[st * 2 + 1];
        }
    }
    m2_end(&cube);
}

static inline void m2_build_few_st(m2_file *f)
{
    uint32_t i;
    m2_build_cube(f);
    f->st_count = 4;
    f->word_count = 0;
    for (i = 0; i < 12 * 6; ++i) {
        if (i % 6 >= 3) f->tris[i] = (uint16_t)(f->tris[i] % 4);
    }
}

static inline void m2_build_st_at_edge(m2_file *f)
{
    m2_build_cube(f);
    f->skin_width = 56;
    f->skin_height = 36;
}

static inline void m2_build_st_negative(m2_file *f)
{
    uint32_t i;
    m2_build_cube(f);
    for (i = 0; i < 48; ++i) f->st[i] = (int16_t)(f->st[i] - 516);
}

static inline void m2_build_st_extreme(m2_file *f)
{
    m2_build_cube(f);
    f->st[0] = 32767;
    f->st[1] = -32768;
}

static inline void m2_build_wide_frames(m2_file *f)
{
    m2_build_moving_cube(f);
    f->frame_slack = 12;
}

static inline void m2_build_odd_wide_frames(m2_file *f)
{
    m2_build_sheet(f);
    f->frame_slack = 3;
}

static inline void m2_build_reversed(m2_file *f)
{
    uint32_t i;
    m2_build_sheet(f);
    for (i = 0; i < M2_SECTIONS; ++i) f->order[i] = M2_SECTIONS - 1 - i;
}

static inline void m2_build_unaligned(m2_file *f)
{
    m2_build_sheet(f);
    f->gap = 1;
}

static inline void m2_build_gaps(m2_file *f)
{
    m2_build_reversed(f);
    f->gap = 100;
}

static inline void m2_build_degenerate(m2_file *f)
{
    m2_build_cube(f);
    f->word_count = 0;
    f->tris[1] = f->tris[0];
    f->tris[4] = f->tris[3];
    f->tris[6] = f->tris[7] = f->tris[8];
}

static inline void m2_build_wide_normals(m2_file *f)
{
    m2_build_cube(f);
    m2_point(f, 0, 0)[3] = 161;
    m2_point(f, 0, 1)[3] = 162;
    m2_point(f, 0, 2)[3] = 255;
    m2_point(f, 0, 3)[3] = 200;
}

static inline void m2_build_bad_point(m2_file *f)
{
    m2_build_cube(f);
    f->tris[0] = 0xFFFF;
    f->tris[6 + 2] = 8;
    f->word_count = 0;
}

static inline void m2_build_bad_st(m2_file *f)
{
    m2_build_cube(f);
    f->tris[12 + 3] = 24;
    f->tris[24 + 5] = 0xFFFF;
    f->tris[36] = 9;
    f->word_count = 0;
}

static inline void m2_build_all_dropped(m2_file *f)
{
    uint32_t i;
    m2_build_cube(f);
    for (i = 0; i < 12; ++i) f->tris[i * 6 + i % 3] = 1000;
}

static inline void m2_build_no_tris(m2_file *f)
{
    m2_build_cube(f);
    f->tri_count = 0;
}

static inline void m2_build_no_st(m2_file *f)
{
    m2_build_cube(f);
    f->st_count = 0;
}

static inline void m2_build_no_words(m2_file *f)
{
    m2_build_cube(f);
    f->word_count = 0;
}

static inline void m2_build_one_point(m2_file *f)
{
    m2_begin(f, 0, 1, 1, 1, 0, 1);
    m2_frame(f, 0, "weapon", 0.0f, 1.0f);
}

static inline void m2_build_65536_points(m2_file *f)
{
    uint32_t i, k;
    m2_begin(f, 0, 65536, 1, 21846, 0, 1);
    m2_frame(f, 0, "huge", 1.0f, -128.0f);
    for (i = 0; i < 65536; ++i) {
        m2_set_point(f, 0, i, (int)(i & 255), (int)(i >> 8), (int)((i * 7) & 255), (int)(i % 162));
    }
    for (i = 0; i < 21846; ++i) {
        for (k = 0; k < 3; ++k) f->tris[i * 6 + k] = (uint16_t)(65535 - (i * 3 + k) % 65536);
    }
}

static inline void m2_build_many_frames(m2_file *f, uint32_t frames)
{
    uint32_t i;
    m2_begin(f, 0, 3, 1, 1, 0, frames);
    f->tris[1] = 1;
    f->tris[2] = 2;
    for (i = 0; i < frames; ++i) {
        m2_frame(f, i, i % 2 ? "left1" : "right1", 1.0f, (float)(i % 100));
        m2_set_point(f, i, 1, 100, 0, 0, 0);
        m2_set_point(f, i, 2, 0, 100, 0, 0);
    }
}

static inline void m2_build_65536_frames(m2_file *f) { m2_build_many_frames(f, 65536); }
static inline void m2_build_65537_frames(m2_file *f) { m2_build_many_frames(f, 65537); }

/* Hostile to chains: every texture coordinate there can be, all on three points, and a fan that
   asks for each of them. */
static inline void m2_build_many_st(m2_file *f)
{
    uint32_t i, k, fan = 65532;
    m2_begin(f, 0, 3, 65536, 65536, 1 + 3 * fan + 1, 1);
    m2_frame(f, 0, "hostile", 1.0f, 0.0f);
    m2_set_point(f, 0, 1, 100, 0, 0, 0);
    m2_set_point(f, 0, 2, 0, 100, 0, 0);
    for (i = 0; i < 65536; ++i) {
        f->st[i * 2] = (int16_t)(i & 255);
        f->st[i * 2 + 1] = (int16_t)(i >> 8);
        for (k = 0; k < 3; ++k) {
            f->tris[i * 6 + k] = (uint16_t)k;
            f->tris[i * 6 + 3 + k] = (uint16_t)i;
        }
    }
    m2_word(f, (uint32_t)-65532);
    for (i = 0; i < fan; ++i) {
        m2_float_word(f, (float)((i * 7919u) & 255) / 64.0f + 0.001f);
        m2_float_word(f, (float)((i * 7919u >> 8) & 255) / 64.0f);
        m2_word(f, i % 3);
    }
    m2_word(f, 0);
}

/* -- What is done to the bytes of a finished file ------------------------- */

static inline void m2_spoil_trailing_zero(m2_bytes *b) { m2_append(b, "", 1); }
static inline void m2_spoil_cut_one(m2_bytes *b) { m2_resize(b, b->size - 1); }
static inline void m2_spoil_cut_half(m2_bytes *b) { m2_resize(b, b->size / 2); }
static inline void m2_spoil_empty(m2_bytes *b) { m2_resize(b, 0); }
static inline void m2_spoil_three_bytes(m2_bytes *b) { m2_resize(b, 3); }
static inline void m2_spoil_ident_only(m2_bytes *b) { m2_resize(b, 4); }
static inline void m2_spoil_67_bytes(m2_bytes *b) { m2_resize(b, 67); }
static inline void m2_spoil_header_only(m2_bytes *b) { m2_resize(b, 68); }
static inline void m2_spoil_md5(m2_bytes *b)
{
    m2_text(b, "MD5Version 10\ncommandline \"\"\n\nnumJoints 1\nnumMeshes 1\n");
}
static inline void m2_spoil_text(m2_bytes *b) { m2_text(b, "# nothing of the kind\nv 0 0 0\n"); }
static inline void m2_spoil_end_beyond(m2_bytes *b)
{
    m2_set_field(b, M2_END, (uint32_t)b->size + 1000);
}
static inline void m2_spoil_end_before(m2_bytes *b)
{
    m2_set_field(b, M2_END, (uint32_t)b->size - 40);
}

static inline void m2_spoil_trailing_text(m2_bytes *b)
{
    static const char text[] = "This model was written by a proud converter, which says so behind "
                               "the data, in every file.";
    m2_append(b, text, sizeof text);
}

/* What git does to a binary that it takes for text: CR LF becomes LF. */
static inline void m2_spoil_text_mode(m2_bytes *b)
{
    m2_section(b, M2_OFS_ST)[0] = '\r';
    m2_section(b, M2_OFS_ST)[1] = '\n';
    memmove(m2_section(b, M2_OFS_ST), m2_section(b, M2_OFS_ST) + 1,
            b->size - m2_field(b, M2_OFS_ST) - 1);
    m2_resize(b, b->size - 1);
}

/* Sections that nothing is read from may say anything. */
static inline void m2_spoil_empty_offsets(m2_bytes *b)
{
    m2_set_field(b, M2_SKINS, 0);
    m2_set_field(b, M2_OFS_SKINS, 0x7FFFFFFFu);
    m2_set_field(b, M2_WORDS, 0);
    m2_set_field(b, M2_OFS_WORDS, 0x80000000u);
}

/* A real one does this: the skin's name is the first texture coordinates. */
static inline void m2_spoil_overlap(m2_bytes *b)
{
    m2_set_field(b, M2_OFS_SKINS, m2_field(b, M2_OFS_ST));
}

static inline void m2_spoil_all_overlap(m2_bytes *b)
{
    int i;
    for (i = M2_OFS_SKINS; i <= M2_OFS_WORDS; ++i) m2_set_field(b, i, M2_HEADER);
    m2_set_field(b, M2_FRAMES, 1);
    memset(b->data + M2_HEADER, 0, b->size - M2_HEADER);
}

static inline void m2_spoil_frame_float(m2_bytes *b, int index, uint32_t word)
{
    m2_put32(m2_section(b, M2_OFS_FRAMES) + 4 * index, word);
}

static inline void m2_spoil_scale_nan(m2_bytes *b) { m2_spoil_frame_float(b, 1, 0x7FC00000u); }
static inline void m2_spoil_scale_inf(m2_bytes *b) { m2_spoil_frame_float(b, 0, 0x7F800000u); }
static inline void m2_spoil_translate_nan(m2_bytes *b) { m2_spoil_frame_float(b, 5, 0xFFC00001u); }
static inline void m2_spoil_translate_inf(m2_bytes *b) { m2_spoil_frame_float(b, 3, 0xFF800000u); }
static inline void m2_spoil_scale_huge(m2_bytes *b) { m2_spoil_frame_float(b, 2, 0x7F7FFFFFu); }

/* 65,536 frames of 65,536 bytes: nothing, in 32 bits. */
static inline void m2_spoil_frames_wrap(m2_bytes *b)
{
    m2_set_field(b, M2_FRAMES, 65536);
    m2_set_field(b, M2_FRAME_SIZE, 65536);
}

static inline void m2_spoil_second_frame(m2_bytes *b)
{
    m2_put32(m2_section(b, M2_OFS_FRAMES) + m2_field(b, M2_FRAME_SIZE) + 4, 0x7F800001u);
}

/* GL commands: the first word is a fan's count, then s, t, point of its first vertex. */
static inline void m2_spoil_word(m2_bytes *b, uint32_t index, uint32_t word)
{
    m2_put32(m2_section(b, M2_OFS_WORDS) + 4 * index, word);
}

static inline void m2_spoil_no_terminator(m2_bytes *b)
{
    m2_set_field(b, M2_WORDS, m2_field(b, M2_WORDS) - 1);
}
static inline void m2_spoil_run_past_end(m2_bytes *b) { m2_spoil_word(b, 0, 1000); }
static inline void m2_spoil_run_int_min(m2_bytes *b) { m2_spoil_word(b, 0, 0x80000000u); }
static inline void m2_spoil_run_int_max(m2_bytes *b) { m2_spoil_word(b, 0, 0x7FFFFFFFu); }
static inline void m2_spoil_run_wraps(m2_bytes *b)
{
    m2_spoil_word(b, 0, 0x55555556u);
} /* times 3 is 2 in 32 bits */
static inline void m2_spoil_word_point(m2_bytes *b) { m2_spoil_word(b, 3, 8); }
static inline void m2_spoil_word_negative(m2_bytes *b) { m2_spoil_word(b, 6, 0xFFFFFFFFu); }
static inline void m2_spoil_word_nan(m2_bytes *b) { m2_spoil_word(b, 1, 0x7FC00000u); }
static inline void m2_spoil_word_inf(m2_bytes *b) { m2_spoil_word(b, 5, 0x7F800000u); }
static inline void m2_spoil_only_terminator(m2_bytes *b)
{
    m2_set_field(b, M2_WORDS, 1);
    m2_spoil_word(b, 0, 0);
}
static inline void m2_spoil_unused_point(m2_bytes *b) { m2_spoil_word(b, 3, 20); }

/* The last fan's count becomes the end: its vertices are then words behind the terminator. */
static inline void m2_spoil_words_after(m2_bytes *b) { m2_spoil_word(b, 5 * 13, 0); }

static inline void m2_spoil_one_word_more(m2_bytes *b)
{
    m2_spoil_word(b, m2_field(b, M2_WORDS) - 1, 3);
}

/* -- The table ------------------------------------------------------------ */

typedef struct m2_case {
    const char *name;
    void (*build)(m2_file *file);
    void (*spoil)(m2_bytes *bytes); /* NULL: as built */
    int field;                      /* header word to overwrite, or M2_FIELDS */
    uint32_t value;
    md2_result result;
    int strips;       /* 1: some, 0: none, -1: either (only when it loads) */
    uint32_t dropped; /* triangles */
    const char *says; /* the message holds this */
} m2_case;

#define M2_NONE                  NULL, M2_FIELDS, 0
#define M2_SET(field, value)     NULL, field, value
#define M2_DO(spoil)             spoil, M2_FIELDS, 0
#define M2_GOOD(strips, dropped) MD2_OK, strips, dropped, NULL
#define M2_BAD(code)             code, 0, 0, NULL
#define M2_SAYS(code, text)      code, 0, 0, text

static const m2_case m2_cases[] = {
    { "cube", m2_build_cube, M2_NONE, M2_GOOD(1, 0) },
    { "moving_cube", m2_build_moving_cube, M2_NONE, M2_GOOD(1, 0) },
    { "player", m2_build_player, M2_NONE, M2_GOOD(1, 0) },
    { "sheet", m2_build_sheet, M2_NONE, M2_GOOD(1, 0) },
    { "501_frames", m2_build_501_frames, M2_NONE, M2_GOOD(1, 0) },
    { "no_skins", m2_build_no_skins, M2_NONE, M2_GOOD(1, 0) },
    { "40_skins", m2_build_40_skins, M2_NONE, M2_GOOD(1, 0) },
    { "skin_without_nul", m2_build_skin_without_nul, M2_NONE, M2_GOOD(1, 0) },
    { "junk_after_nul", m2_build_junk_after_nul, M2_NONE, M2_GOOD(1, 0) },
    { "name_without_nul", m2_build_name_without_nul, M2_NONE, M2_GOOD(1, 0) },
    { "odd_names", m2_build_odd_names, M2_NONE, M2_GOOD(1, 0) },
    { "shared_scale", m2_build_shared_scale, M2_NONE, M2_GOOD(1, 0) },
    { "negative_scale", m2_build_negative_scale, M2_NONE, M2_GOOD(1, 0) },
    { "far_out", m2_build_far_out, M2_NONE, M2_GOOD(1, 0) },
    { "zero_scale", m2_build_zero_scale, M2_NONE, M2_GOOD(1, 0) },
    { "st_per_corner", m2_build_st_per_corner, M2_NONE, M2_GOOD(0, 0) },
    { "few_st", m2_build_few_st, M2_NONE, M2_GOOD(0, 0) },
    { "st_at_edge", m2_build_st_at_edge, M2_NONE, M2_GOOD(1, 0) },
    { "st_negative", m2_build_st_negative, M2_NONE, M2_GOOD(1, 0) },
    { "st_extreme", m2_build_st_extreme, M2_NONE, M2_GOOD(1, 0) },
    { "wide_frames", m2_build_wide_frames, M2_NONE, M2_GOOD(1, 0) },
    { "odd_wide_frames", m2_build_odd_wide_frames, M2_NONE, M2_GOOD(1, 0) },
    { "reversed_sections", m2_build_reversed, M2_NONE, M2_GOOD(1, 0) },
    { "unaligned_sections", m2_build_unaligned, M2_NONE, M2_GOOD(1, 0) },
    { "gaps_between_sections", m2_build_gaps, M2_NONE, M2_GOOD(1, 0) },
    { "degenerate_triangles", m2_build_degenerate, M2_NONE, M2_GOOD(0, 0) },
    { "normal_out_of_range", m2_build_wide_normals, M2_NONE, M2_GOOD(1, 0) },
    { "triangle_point_out_of_range", m2_build_bad_point, M2_NONE, M2_GOOD(0, 2) },
    { "triangle_st_out_of_range", m2_build_bad_st, M2_NONE, M2_GOOD(0, 3) },
    { "all_triangles_dropped", m2_build_all_dropped, M2_NONE, M2_GOOD(0, 12) },
    { "no_triangles", m2_build_no_tris, M2_NONE, M2_GOOD(0, 0) },
    { "no_st", m2_build_no_st, M2_NONE, M2_GOOD(0, 12) },
    { "no_glcmds", m2_build_no_words, M2_NONE, M2_GOOD(0, 0) },
    { "one_point", m2_build_one_point, M2_NONE, M2_GOOD(0, 0) },
    { "65536_points", m2_build_65536_points, M2_NONE, M2_GOOD(0, 0) },
    { "65536_frames", m2_build_65536_frames, M2_NONE, M2_GOOD(0, 0) },
    { "many_st", m2_build_many_st, M2_NONE, M2_GOOD(1, 0) },
    { "skin_size_zero", m2_build_cube, M2_SET(M2_SKIN_WIDTH, 0), M2_GOOD(1, 0) },
    { "skin_height_zero", m2_build_cube, M2_SET(M2_SKIN_HEIGHT, 0), M2_GOOD(1, 0) },
    { "trailing_zero", m2_build_player, M2_DO(m2_spoil_trailing_zero), M2_GOOD(1, 0) },
    { "trailing_text", m2_build_cube, M2_DO(m2_spoil_trailing_text), M2_GOOD(1, 0) },
    { "end_beyond", m2_build_cube, M2_DO(m2_spoil_end_beyond), M2_GOOD(1, 0) },
    { "end_before", m2_build_cube, M2_DO(m2_spoil_end_before), M2_GOOD(1, 0) },
    { "end_zero", m2_build_cube, M2_SET(M2_END, 0), M2_GOOD(1, 0) },
    { "empty_sections_anywhere", m2_build_cube, M2_DO(m2_spoil_empty_offsets), M2_GOOD(0, 0) },
    { "skin_over_st", m2_build_sheet, M2_DO(m2_spoil_overlap), M2_GOOD(1, 0) },
    { "all_sections_overlap", m2_build_player, M2_DO(m2_spoil_all_overlap), M2_GOOD(0, 0) },
    { "glcmds_no_terminator", m2_build_cube, M2_DO(m2_spoil_no_terminator), M2_GOOD(0, 0) },
    { "glcmds_one_more_and_no_terminator", m2_build_cube, M2_DO(m2_spoil_one_word_more),
      M2_GOOD(0, 0) },
    { "glcmds_only_terminator", m2_build_cube, M2_DO(m2_spoil_only_terminator), M2_GOOD(0, 0) },
    { "glcmds_run_past_end", m2_build_cube, M2_DO(m2_spoil_run_past_end), M2_GOOD(0, 0) },
    { "glcmds_run_int_min", m2_build_cube, M2_DO(m2_spoil_run_int_min), M2_GOOD(0, 0) },
    { "glcmds_run_int_max", m2_build_cube, M2_DO(m2_spoil_run_int_max), M2_GOOD(0, 0) },
    { "glcmds_run_wraps", m2_build_cube, M2_DO(m2_spoil_run_wraps), M2_GOOD(0, 0) },
    { "glcmds_point_out_of_range", m2_build_cube, M2_DO(m2_spoil_word_point), M2_GOOD(0, 0) },
    { "glcmds_point_negative", m2_build_cube, M2_DO(m2_spoil_word_negative), M2_GOOD(0, 0) },
    { "glcmds_point_unused", m2_build_sheet, M2_DO(m2_spoil_unused_point), M2_GOOD(0, 0) },
    { "glcmds_nan", m2_build_cube, M2_DO(m2_spoil_word_nan), M2_GOOD(0, 0) },
    { "glcmds_inf", m2_build_cube, M2_DO(m2_spoil_word_inf), M2_GOOD(0, 0) },
    { "glcmds_words_after_terminator", m2_build_cube, M2_DO(m2_spoil_words_after), M2_GOOD(1, 0) },

    { "bad_empty", m2_build_cube, M2_DO(m2_spoil_empty), M2_BAD(MD2_ERROR_NOT_MD2) },
    { "bad_three_bytes", m2_build_cube, M2_DO(m2_spoil_three_bytes), M2_BAD(MD2_ERROR_NOT_MD2) },
    { "bad_md3", m2_build_cube, M2_SET(M2_IDENT, 0x33504449u), M2_SAYS(MD2_ERROR_NOT_MD2, "MD3") },
    { "bad_quake_mdl", m2_build_cube, M2_SET(M2_IDENT, 0x4F504449u),
      M2_SAYS(MD2_ERROR_NOT_MD2, "MDL") },
    { "bad_md5", m2_build_cube, M2_DO(m2_spoil_md5), M2_SAYS(MD2_ERROR_NOT_MD2, "MD5") },
    { "bad_text", m2_build_cube, M2_DO(m2_spoil_text), M2_BAD(MD2_ERROR_NOT_MD2) },
    { "bad_ident_reversed", m2_build_cube, M2_SET(M2_IDENT, 0x49445032u),
      M2_BAD(MD2_ERROR_NOT_MD2) },
    { "bad_version_7", m2_build_cube, M2_SET(M2_VERSION, 7), M2_SAYS(MD2_ERROR_VERSION, "7") },
    { "bad_version_15", m2_build_cube, M2_SET(M2_VERSION, 15), M2_SAYS(MD2_ERROR_VERSION, "15") },
    { "bad_version_big_endian", m2_build_cube, M2_SET(M2_VERSION, 0x08000000u),
      M2_SAYS(MD2_ERROR_VERSION, "134217728") },
    { "bad_version_negative", m2_build_cube, M2_SET(M2_VERSION, 0xFFFFFFF8u),
      M2_BAD(MD2_ERROR_VERSION) },
    { "bad_ident_only", m2_build_cube, M2_DO(m2_spoil_ident_only),
      M2_SAYS(MD2_ERROR_TRUNCATED, "4") },
    { "bad_67_bytes", m2_build_cube, M2_DO(m2_spoil_67_bytes), M2_SAYS(MD2_ERROR_TRUNCATED, "67") },
    { "bad_header_only", m2_build_cube, M2_DO(m2_spoil_header_only),
      M2_SAYS(MD2_ERROR_TRUNCATED, "68") },
    { "bad_cut_by_one", m2_build_cube, M2_DO(m2_spoil_cut_one), M2_BAD(MD2_ERROR_TRUNCATED) },
    { "bad_cut_by_half", m2_build_player, M2_DO(m2_spoil_cut_half), M2_BAD(MD2_ERROR_TRUNCATED) },
    { "bad_text_mode", m2_build_sheet, M2_DO(m2_spoil_text_mode), M2_BAD(MD2_ERROR_TRUNCATED) },
    { "bad_no_points", m2_build_cube, M2_SET(M2_POINTS, 0), M2_BAD(MD2_ERROR_CORRUPT) },
    { "bad_no_frames", m2_build_cube, M2_SET(M2_FRAMES, 0), M2_BAD(MD2_ERROR_CORRUPT) },
    { "bad_negative_skins", m2_build_cube, M2_SET(M2_SKINS, 0xFFFFFFFFu),
      M2_SAYS(MD2_ERROR_CORRUPT, "-1") },
    { "bad_negative_points", m2_build_cube, M2_SET(M2_POINTS, 0xFFFFFFFEu),
      M2_SAYS(MD2_ERROR_CORRUPT, "-2") },
    { "bad_negative_st", m2_build_cube, M2_SET(M2_ST, 0xFFFFFFFDu),
      M2_SAYS(MD2_ERROR_CORRUPT, "-3") },
    { "bad_negative_triangles", m2_build_cube, M2_SET(M2_TRIS, 0x80000000u),
      M2_SAYS(MD2_ERROR_CORRUPT, "-2147483648") },
    { "bad_negative_glcmds", m2_build_cube, M2_SET(M2_WORDS, 0xFFFFFFFBu),
      M2_SAYS(MD2_ERROR_CORRUPT, "-5") },
    { "bad_negative_frames", m2_build_cube, M2_SET(M2_FRAMES, 0xFFFFFFFAu),
      M2_SAYS(MD2_ERROR_CORRUPT, "-6") },
    { "bad_negative_frame_size", m2_build_cube, M2_SET(M2_FRAME_SIZE, 0xFFFFFF00u),
      M2_BAD(MD2_ERROR_CORRUPT) },
    { "bad_frame_size_zero", m2_build_cube, M2_SET(M2_FRAME_SIZE, 0), M2_BAD(MD2_ERROR_CORRUPT) },
    { "bad_frame_size_small", m2_build_cube, M2_SET(M2_FRAME_SIZE, 71),
      M2_SAYS(MD2_ERROR_CORRUPT, "71") },
    { "bad_frame_size_huge", m2_build_moving_cube, M2_SET(M2_FRAME_SIZE, 0x7FFFFFFFu),
      M2_BAD(MD2_ERROR_CORRUPT) },
    { "bad_frames_wrap", m2_build_cube, M2_DO(m2_spoil_frames_wrap), M2_BAD(MD2_ERROR_CORRUPT) },
    { "bad_65537_frames", m2_build_65537_frames, M2_NONE, M2_SAYS(MD2_ERROR_LIMIT, "65537") },
    { "bad_triangles_wrap", m2_build_cube, M2_SET(M2_TRIS, 0x15555556u),
      M2_BAD(MD2_ERROR_CORRUPT) },
    { "bad_skins_wrap", m2_build_cube, M2_SET(M2_SKINS, 0x04000000u), M2_BAD(MD2_ERROR_CORRUPT) },
    { "bad_st_wrap", m2_build_cube, M2_SET(M2_ST, 0x40000001u), M2_BAD(MD2_ERROR_CORRUPT) },
    { "bad_glcmds_wrap", m2_build_cube, M2_SET(M2_WORDS, 0x7FFFFFFFu), M2_BAD(MD2_ERROR_CORRUPT) },
    { "bad_skins_in_header", m2_build_cube, M2_SET(M2_OFS_SKINS, 64),
      M2_SAYS(MD2_ERROR_CORRUPT, "64") },
    { "bad_st_in_header", m2_build_cube, M2_SET(M2_OFS_ST, 0), M2_BAD(MD2_ERROR_CORRUPT) },
    { "bad_triangles_in_header", m2_build_cube, M2_SET(M2_OFS_TRIS, 67),
      M2_SAYS(MD2_ERROR_CORRUPT, "67") },
    { "bad_frames_in_header", m2_build_cube, M2_SET(M2_OFS_FRAMES, 4), M2_BAD(MD2_ERROR_CORRUPT) },
    { "bad_glcmds_in_header", m2_build_cube, M2_SET(M2_OFS_WORDS, 64),
      M2_SAYS(MD2_ERROR_CORRUPT, "64") },
    { "bad_skins_offset_negative", m2_build_cube, M2_SET(M2_OFS_SKINS, 0xFFFFFFC0u),
      M2_BAD(MD2_ERROR_CORRUPT) },
    { "bad_st_offset_huge", m2_build_cube, M2_SET(M2_OFS_ST, 0x7FFFFFFCu),
      M2_BAD(MD2_ERROR_CORRUPT) },
    { "bad_triangles_offset_negative", m2_build_cube, M2_SET(M2_OFS_TRIS, 0xFFFFFF70u),
      M2_BAD(MD2_ERROR_CORRUPT) },
    { "bad_frames_offset_huge", m2_build_cube, M2_SET(M2_OFS_FRAMES, 0x7FFFFFF0u),
      M2_BAD(MD2_ERROR_CORRUPT) },
    { "bad_glcmds_offset_negative", m2_build_cube, M2_SET(M2_OFS_WORDS, 0x80000000u),
      M2_BAD(MD2_ERROR_CORRUPT) },
    { "bad_scale_nan", m2_build_cube, M2_DO(m2_spoil_scale_nan), M2_BAD(MD2_ERROR_CORRUPT) },
    { "bad_scale_inf", m2_build_cube, M2_DO(m2_spoil_scale_inf), M2_BAD(MD2_ERROR_CORRUPT) },
    { "bad_translate_nan", m2_build_cube, M2_DO(m2_spoil_translate_nan),
      M2_BAD(MD2_ERROR_CORRUPT) },
    { "bad_translate_inf", m2_build_cube, M2_DO(m2_spoil_translate_inf),
      M2_BAD(MD2_ERROR_CORRUPT) },
    { "bad_scale_huge", m2_build_cube, M2_DO(m2_spoil_scale_huge), M2_BAD(MD2_ERROR_CORRUPT) },
    { "bad_second_frame_nan", m2_build_moving_cube, M2_DO(m2_spoil_second_frame),
      M2_BAD(MD2_ERROR_CORRUPT) }
};

#define M2_CASES (sizeof m2_cases / sizeof m2_cases[0])

static inline m2_bytes m2_case_bytes(const m2_case *one)
{
    m2_file file;
    m2_bytes bytes;
    one->build(&file);
    bytes = m2_write(&file);
    m2_end(&file);
    if (one->field != M2_FIELDS) m2_set_field(&bytes, one->field, one->value);
    if (one->spoil) one->spoil(&bytes);
    return bytes;
}

static inline m2_bytes m2_named(const char *name)
{
    m2_bytes none = { NULL, 0 };
    size_t i;
    for (i = 0; i < M2_CASES; ++i) {
        if (strcmp(m2_cases[i].name, name) == 0) return m2_case_bytes(&m2_cases[i]);
    }
    printf("there is no model called %s\n", name);
    abort();
    return none;
}

/* A random model that loads: points, frames, triangles over random corners; no GL commands. `seed`
   decides all. */
static inline uint32_t m2_dice(uint32_t *seed, uint32_t sides)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed >> 8) % sides;
}

static inline m2_bytes m2_random(uint32_t seed, uint32_t points, uint32_t tris, uint32_t frames)
{
    m2_file f;
    m2_bytes bytes;
    uint32_t i, k;
    char name[16];
    m2_begin(&f, 1, points, points, tris, 0, frames);
    m2_skin(&f, 0, "random.pcx");
    for (i = 0; i < points * 2; ++i) f.st[i] = (int16_t)m2_dice(&seed, 65);
    for (i = 0; i < tris * 6; ++i) f.tris[i] = (uint16_t)m2_dice(&seed, points);
    for (i = 0; i < frames; ++i) {
        sprintf(name, "step%u", (unsigned)i + 1u);
        m2_frame(&f, i, name, 0.0f, 0.0f);
        for (k = 0; k < 3; ++k) {
            f.frames[i].scale[k] = ((float)m2_dice(&seed, 2000) - 500.0f) / 7000.0f;
            f.frames[i].translate[k] = ((float)m2_dice(&seed, 2000) - 1000.0f) / 37.0f;
        }
        for (k = 0; k < points * 4; ++k) {
            m2_point(&f, i, 0)[k] = (uint8_t)m2_dice(&seed, k % 4 == 3 ? 162 : 256);
        }
    }
    bytes = m2_write(&f);
    m2_end(&f);
    return bytes;
}

/* -- PCX pictures --------------------------------------------------------- */

enum {
    M2_PCX_PLAIN = 0,
    M2_PCX_RUNS = 1,
    M2_PCX_RUNS_ACROSS_LINES = 2
};

static inline uint8_t m2_pcx_index(uint32_t x, uint32_t y)
{
    return (uint8_t)(x / 5 * 37 + y / 3 * 101 + (x * y % 7 == 0 ? 192 : 0));
}

static inline void m2_pcx_colour(uint32_t index, uint8_t rgb[3])
{
    rgb[0] = (uint8_t)(index * 3 + 1);
    rgb[1] = (uint8_t)(255 - index);
    rgb[2] = (uint8_t)(index * 7);
}

/* Runs up to 63 of equal bytes; a single byte of 192 or more needs a run of its own. */
static inline size_t m2_pcx_encode(const uint8_t *line, size_t size, bool runs, uint8_t *out)
{
    size_t i = 0, n, used = 0;
    while (i < size) {
        for (n = 1; runs && n < 63 && i + n < size && line[i + n] == line[i]; ++n) {}
        if (n > 1 || line[i] >= 0xC0) out[used++] = (uint8_t)(0xC0 | n);
        out[used++] = line[i];
        i += n;
    }
    return used;
}

static inline void m2_pcx_header(uint8_t *data, uint32_t width, uint32_t height,
                                 uint32_t bytes_per_line)
{
    data[0] = 10;
    data[1] = 5;
    data[2] = 1;
    data[3] = 8;
    m2_put16(data + 8, width - 1);
    m2_put16(data + 10, height - 1);
    data[65] = 1;
    m2_put16(data + 66, bytes_per_line);
    m2_put16(data + 68, 1);
}

static inline m2_bytes m2_pcx(uint32_t width, uint32_t height, uint32_t bytes_per_line, int style)
{
    m2_bytes b;
    size_t at = 128, count = (size_t)bytes_per_line * height;
    uint8_t *pixels = (uint8_t *)m2_zeroes(count, 1);
    uint32_t x, y, i;
    b.data = (uint8_t *)m2_zeroes(128 + count * 2 + 769, 1);
    m2_pcx_header(b.data, width, height, bytes_per_line);
    for (y = 0; y < height; ++y) {
        for (x = 0; x < bytes_per_line; ++x) {
            pixels[y * bytes_per_line + x] = x < width ? m2_pcx_index(x, y) : (uint8_t)0xEE;
        }
    }
    if (style == M2_PCX_RUNS_ACROSS_LINES) {
        at += m2_pcx_encode(pixels, count, true, b.data + at);
    } else {
        for (y = 0; y < height; ++y) {
            at += m2_pcx_encode(pixels + y * bytes_per_line, bytes_per_line, style == M2_PCX_RUNS,
                                b.data + at);
        }
    }
    b.data[at++] = 0x0C;
    for (i = 0; i < 256; ++i) m2_pcx_colour(i, b.data + at + i * 3);
    b.size = at + 768;
    free(pixels);
    m2_resize(&b, b.size);
    return b;
}

/* -- Files ---------------------------------------------------------------- */

static inline bool m2_save(const char *folder, const char *name, const char *extension,
                           const m2_bytes *bytes)
{
    char path[512];
    FILE *file;
    bool ok;
    if (strlen(folder) + strlen(name) + strlen(extension) + 2 > sizeof path) return false;
    sprintf(path, "%s/%s%s", folder, name, extension);
    file = fopen(path, "wb");
    if (!file) return false;
    ok = fwrite(bytes->data, 1, bytes->size, file) == bytes->size;
    return fclose(file) == 0 && ok;
}

/* Writes every model of the table and two pictures; how many files, or -1 where one
   cannot be written. */
static inline int make_models_md2(const char *folder)
{
    int written = 0;
    size_t i;
    m2_bytes bytes;
    bool ok = true;
    for (i = 0; i < M2_CASES && ok; ++i, ++written) {
        bytes = m2_case_bytes(&m2_cases[i]);
        ok = m2_save(folder, m2_cases[i].name, ".md2", &bytes);
        m2_free(&bytes);
    }
    for (i = 0; i < 2 && ok; ++i, ++written) {
        bytes = i ? m2_pcx(61, 40, 64, M2_PCX_RUNS) : m2_pcx(64, 64, 64, M2_PCX_RUNS);
        ok = m2_save(folder, i ? "padded" : "cube", ".pcx", &bytes);
        m2_free(&bytes);
    }
    return ok ? written : -1;
}

#endif /* MODELS_MD2_H_INCLUDED */
