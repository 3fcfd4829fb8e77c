/* The table of cases of model_builder_md2.h. Public domain. */
#include "model_builder_md2.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- Builders of models that must load -------------------------------------------------- */

/* Defines a builder that changes the model of another builder. */
#define BUILD(name, base, change)        \
    static void build_##name(m2_file *f) \
    {                                    \
        uint32_t i = 0;                  \
        (void)i;                         \
        base(f);                         \
        change;                          \
    }
BUILD(no_skins, m2_build_cube, f->skin_count = 0)
BUILD(wide_frames, m2_build_moving_cube, f->frame_slack = 12)
BUILD(odd_wide_frames, m2_build_sheet, f->frame_slack = 3)
BUILD(unaligned, m2_build_sheet, f->gap = 1)
BUILD(no_tris, m2_build_cube, f->tri_count = 0)
BUILD(no_st, m2_build_cube, f->st_count = 0)
BUILD(no_words, m2_build_cube, f->word_count = 0)
BUILD(skin_without_nul, m2_build_cube, memset(f->skins, 's', 64))

static void build_501_frames(m2_file *f) { m2_build_cubes(f, 501); }

static void build_40_skins(m2_file *f)
{
    char path[64];
    m2_build_cube(f);
    free(f->skins);
    f->skin_count = 40;
    f->skins = (char *)m2_zeroes(40, 64);
    for (uint32_t i = 0; i < 40; ++i) {
        sprintf(path, "models/cube/skin%u.pcx", (unsigned)i);
        m2_skin(f, i, path);
    }
}

BUILD(junk_after_nul, m2_build_moving_cube, {
    memcpy(f->frames[0].name,
           "barrel\0"
           "19\0pain\xFFzz",
           16);
    memcpy(f->frames[1].name, "barrel2\0\x01\x02\x03xyz", 15);
    memset(f->skins + 30, 'j', 34);
})
BUILD(name_without_nul, m2_build_moving_cube, {
    memcpy(f->frames[0].name, "sixteen_letters1", 16);
    memcpy(f->frames[1].name, "sixteen_letters2", 16);
})

static void build_odd_names(m2_file *f)
{
    m2_build_cubes(f, 4);
    memset(f->frames[0].name, 0, 16);
    memcpy(f->frames[1].name, "\xF6l\xE4mp1\0\0\0\0\0\0\0\0\0\0", 16);
    memcpy(f->frames[2].name, "99999999999999999999999", 16);
    memset(f->frames[3].name, ' ', 16);
}

static void build_shared_scale(m2_file *f)
{
    m2_build_cubes(f, 30);
    for (uint32_t i = 0; i < 30; ++i) m2_frame(f, i, "", 0.25f, -10.0f);
}

BUILD(negative_scale, m2_build_moving_cube, {
    for (i = 0; i < 2; ++i) {
        f->frames[i].scale[0] = -1.0f / 128;
        f->frames[i].translate[0] = 0.5f;
    }
})

/* A cube as far from the origin as possible with all positions finite. */
BUILD(far_out, m2_build_moving_cube, {
    f->frames[0].translate[0] = 1.7e38f;
    f->frames[1].translate[1] = -1.7e38f;
})
BUILD(zero_scale, m2_build_moving_cube, {
    for (i = 0; i < 2; ++i) f->frames[i].scale[2] = 0.0f;
})

/* A cube as Blender's exporter writes it: a texture coordinate for each corner, most of them equal. */
static void build_st_per_corner(m2_file *f)
{
    m2_file cube;
    m2_build_cube(&cube);
    m2_begin(f, 0, 8, 36, 12, 0, 1);
    m2_cube_frame(f, 0, "cube", 1.0f / 128, -0.5f);
    for (uint32_t i = 0; i < 12; ++i) {
        for (uint32_t k = 0; k < 3; ++k) {
            uint32_t corner = i * 3 + k, st = cube.tris[i * 6 + 3 + k];
            f->tris[i * 6 + k] = cube.tris[i * 6 + k];
            f->tris[i * 6 + 3 + k] = (uint16_t)corner;
            f->st[corner * 2] = cube.st[st * 2];
            f->st[corner * 2 + 1] = cube.st[st * 2 + 1];
        }
    }
    m2_end(&cube);
}

BUILD(few_st, m2_build_cube, {
    f->st_count = 4;
    f->word_count = 0;
    for (i = 0; i < 12 * 6; ++i) {
        if (i % 6 >= 3) f->tris[i] = (uint16_t)(f->tris[i] % 4);
    }
})
BUILD(st_at_edge, m2_build_cube, {
    f->skin_width = 56;
    f->skin_height = 36;
})
BUILD(st_negative, m2_build_cube, {
    for (i = 0; i < 48; ++i) f->st[i] = (int16_t)(f->st[i] - 516);
})
BUILD(st_extreme, m2_build_cube, {
    f->st[0] = 32767;
    f->st[1] = -32768;
})
BUILD(reversed, m2_build_sheet, {
    for (i = 0; i < M2_SECTIONS; ++i) f->order[i] = M2_SECTIONS - 1 - i;
})
BUILD(gaps, build_reversed, f->gap = 100)

BUILD(degenerate, m2_build_cube, {
    f->word_count = 0;
    f->tris[1] = f->tris[0];
    f->tris[4] = f->tris[3];
    f->tris[6] = f->tris[7] = f->tris[8];
})
BUILD(wide_normals, m2_build_cube, {
    m2_point(f, 0, 0)[3] = 161;
    m2_point(f, 0, 1)[3] = 162;
    m2_point(f, 0, 2)[3] = 255;
    m2_point(f, 0, 3)[3] = 200;
})
BUILD(bad_point, m2_build_cube, {
    f->tris[0] = 0xFFFF;
    f->tris[6 + 2] = 8;
    f->word_count = 0;
})
BUILD(bad_st, m2_build_cube, {
    f->tris[12 + 3] = 24;
    f->tris[24 + 5] = 0xFFFF;
    f->tris[36] = 9;
    f->word_count = 0;
})
BUILD(all_dropped, m2_build_cube, {
    for (i = 0; i < 12; ++i) f->tris[i * 6 + i % 3] = 1000;
})

static void build_one_point(m2_file *f)
{
    m2_begin(f, 0, 1, 1, 1, 0, 1);
    m2_frame(f, 0, "weapon", 0.0f, 1.0f);
}

static void build_65536_points(m2_file *f)
{
    m2_begin(f, 0, 65536, 1, 21846, 0, 1);
    m2_frame(f, 0, "huge", 1.0f, -128.0f);
    for (uint32_t i = 0; i < 65536; ++i)
        m2_set_point(f, 0, i, (int)(i & 255), (int)(i >> 8), (int)((i * 7) & 255), (int)(i % 162));
    for (uint32_t i = 0; i < 21846; ++i) {
        for (uint32_t k = 0; k < 3; ++k)
            f->tris[i * 6 + k] = (uint16_t)(65535 - (i * 3 + k) % 65536);
    }
}

static void build_many_frames(m2_file *f, uint32_t frames)
{
    m2_begin(f, 0, 3, 1, 1, 0, frames);
    f->tris[1] = 1;
    f->tris[2] = 2;
    for (uint32_t i = 0; i < frames; ++i) {
        m2_frame(f, i, i % 2 ? "left1" : "right1", 1.0f, (float)(i % 100));
        m2_set_point(f, i, 1, 100, 0, 0, 0);
        m2_set_point(f, i, 2, 0, 100, 0, 0);
    }
}

static void build_65536_frames(m2_file *f) { build_many_frames(f, 65536); }
static void build_65537_frames(m2_file *f) { build_many_frames(f, 65537); }

/* A worst case for chains of vertices: all possible texture coordinates, all on three points, and a fan
   that uses each of them. */
static void build_many_st(m2_file *f)
{
    uint32_t fan = 65532;
    m2_begin(f, 0, 3, 65536, 65536, 1 + 3 * fan + 1, 1);
    m2_frame(f, 0, "hostile", 1.0f, 0.0f);
    m2_set_point(f, 0, 1, 100, 0, 0, 0);
    m2_set_point(f, 0, 2, 0, 100, 0, 0);
    for (uint32_t i = 0; i < 65536; ++i) {
        f->st[i * 2] = (int16_t)(i & 255);
        f->st[i * 2 + 1] = (int16_t)(i >> 8);
        for (uint32_t k = 0; k < 3; ++k) {
            f->tris[i * 6 + k] = (uint16_t)k;
            f->tris[i * 6 + 3 + k] = (uint16_t)i;
        }
    }
    m2_word(f, (uint32_t)-65532);
    for (uint32_t i = 0; i < fan; ++i) {
        m2_float_word(f, (float)((i * 7919u) & 255) / 64.0f + 0.001f);
        m2_float_word(f, (float)((i * 7919u >> 8) & 255) / 64.0f);
        m2_word(f, i % 3);
    }
    m2_word(f, 0);
}

/* -- Edits of a finished file --------------------------------------------- */

static void trailing_zero(m2_bytes *b) { m2_append(b, "", 1); }

static void trailing_text(m2_bytes *b)
{
    static const char text[] = "This model was written by a proud converter, which says so behind "
                               "the data, in every file.";
    m2_append(b, text, sizeof text);
}

/* Offsets of empty sections may have any value. */
static void empty_offsets(m2_bytes *b)
{
    m2_set_field(b, M2_SKINS, 0);
    m2_set_field(b, M2_OFS_SKINS, 0x7FFFFFFFu);
    m2_set_field(b, M2_WORDS, 0);
    m2_set_field(b, M2_OFS_WORDS, 0x80000000u);
}

static void all_overlap(m2_bytes *b)
{
    for (int i = M2_OFS_SKINS; i <= M2_OFS_WORDS; ++i) m2_set_field(b, i, M2_HEADER);
    m2_set_field(b, M2_FRAMES, 1);
    memset(b->data + M2_HEADER, 0, b->size - M2_HEADER);
}

static void only_terminator(m2_bytes *b)
{
    m2_set_field(b, M2_WORDS, 1);
    m2_put32(m2_section(b, M2_OFS_WORDS), 0);
}

static void apply_edit(const m2_edit *edit, m2_bytes *b)
{
    switch (edit->kind) {
        case M2_FIELD: m2_set_field(b, (int)edit->at, edit->value); break;
        case M2_KEEP: m2_resize(b, edit->value); break;
        case M2_WORD: m2_put32(m2_section(b, M2_OFS_WORDS) + 4 * edit->at, edit->value); break;
        case M2_CALL: edit->call(b); break;
        default: break;
    }
}

/* -- The table ------------------------------------------------------------ */

#define AS_BUILT              { M2_NONE, 0, 0, NULL }
#define FIELD(at, value)      { M2_FIELD, at, value, NULL }
#define KEEP(bytes)           { M2_KEEP, 0, bytes, NULL }
#define WORD(at, value)       { M2_WORD, at, value, NULL }
#define CALL(function)        { M2_CALL, 0, 0, function }
#define GOOD(strips, dropped) MD2_OK, strips, dropped
#define BAD(code)             MD2_ERROR_##code, 0, 0

/* The cube ends with 79 words of GL commands at byte 760: six fans of 13 words, and 0. A count of
   0x55555556 vertices would be 2 words in 32 bits. If the last count is 0, there are words after the end.
   "skin_over_st" is like a real model, whose skin overlaps the first texture coordinates; those of the
   sheet begin at byte 196. */
const m2_case m2_cases[] = {
    { "cube", m2_build_cube, AS_BUILT, GOOD(1, 0) },
    { "moving_cube", m2_build_moving_cube, AS_BUILT, GOOD(1, 0) },
    { "player", m2_build_player, AS_BUILT, GOOD(1, 0) },
    { "sheet", m2_build_sheet, AS_BUILT, GOOD(1, 0) },
    { "501_frames", build_501_frames, AS_BUILT, GOOD(1, 0) },
    { "no_skins", build_no_skins, AS_BUILT, GOOD(1, 0) },
    { "40_skins", build_40_skins, AS_BUILT, GOOD(1, 0) },
    { "skin_without_nul", build_skin_without_nul, AS_BUILT, GOOD(1, 0) },
    { "junk_after_nul", build_junk_after_nul, AS_BUILT, GOOD(1, 0) },
    { "name_without_nul", build_name_without_nul, AS_BUILT, GOOD(1, 0) },
    { "odd_names", build_odd_names, AS_BUILT, GOOD(1, 0) },
    { "shared_scale", build_shared_scale, AS_BUILT, GOOD(1, 0) },
    { "negative_scale", build_negative_scale, AS_BUILT, GOOD(1, 0) },
    { "far_out", build_far_out, AS_BUILT, GOOD(1, 0) },
    { "zero_scale", build_zero_scale, AS_BUILT, GOOD(1, 0) },
    { "st_per_corner", build_st_per_corner, AS_BUILT, GOOD(0, 0) },
    { "few_st", build_few_st, AS_BUILT, GOOD(0, 0) },
    { "st_at_edge", build_st_at_edge, AS_BUILT, GOOD(1, 0) },
    { "st_negative", build_st_negative, AS_BUILT, GOOD(1, 0) },
    { "st_extreme", build_st_extreme, AS_BUILT, GOOD(1, 0) },
    { "wide_frames", build_wide_frames, AS_BUILT, GOOD(1, 0) },
    { "odd_wide_frames", build_odd_wide_frames, AS_BUILT, GOOD(1, 0) },
    { "reversed_sections", build_reversed, AS_BUILT, GOOD(1, 0) },
    { "unaligned_sections", build_unaligned, AS_BUILT, GOOD(1, 0) },
    { "gaps_between_sections", build_gaps, AS_BUILT, GOOD(1, 0) },
    { "degenerate_triangles", build_degenerate, AS_BUILT, GOOD(0, 0) },
    { "normal_out_of_range", build_wide_normals, AS_BUILT, GOOD(1, 0) },
    { "triangle_point_out_of_range", build_bad_point, AS_BUILT, GOOD(0, 2) },
    { "triangle_st_out_of_range", build_bad_st, AS_BUILT, GOOD(0, 1) },
    { "all_triangles_dropped", build_all_dropped, AS_BUILT, GOOD(0, 12) },
    { "no_triangles", build_no_tris, AS_BUILT, GOOD(0, 0) },
    { "no_st", build_no_st, AS_BUILT, GOOD(1, 0) },
    { "no_glcmds", build_no_words, AS_BUILT, GOOD(0, 0) },
    { "one_point", build_one_point, AS_BUILT, GOOD(0, 0) },
    { "65536_points", build_65536_points, AS_BUILT, GOOD(0, 0) },
    { "65536_frames", build_65536_frames, AS_BUILT, GOOD(0, 0) },
    { "many_st", build_many_st, AS_BUILT, GOOD(1, 0) },
    { "skin_size_zero", m2_build_cube, FIELD(M2_SKIN_WIDTH, 0), GOOD(1, 0) },
    { "skin_height_zero", m2_build_cube, FIELD(M2_SKIN_HEIGHT, 0), GOOD(1, 0) },
    { "trailing_zero", m2_build_player, CALL(trailing_zero), GOOD(1, 0) },
    { "trailing_text", m2_build_cube, CALL(trailing_text), GOOD(1, 0) },
    { "end_beyond", m2_build_cube, FIELD(M2_END, 1760), GOOD(1, 0) },
    { "end_before", m2_build_cube, FIELD(M2_END, 720), GOOD(1, 0) },
    { "end_zero", m2_build_cube, FIELD(M2_END, 0), GOOD(1, 0) },
    { "empty_sections_anywhere", m2_build_cube, CALL(empty_offsets), GOOD(0, 0) },
    { "skin_over_st", m2_build_sheet, FIELD(M2_OFS_SKINS, 196), GOOD(1, 0) },
    { "all_sections_overlap", m2_build_player, CALL(all_overlap), GOOD(0, 0) },
    { "glcmds_no_terminator", m2_build_cube, FIELD(M2_WORDS, 78), GOOD(0, 0) },
    { "glcmds_one_more_and_no_terminator", m2_build_cube, WORD(78, 3), GOOD(0, 0) },
    { "glcmds_only_terminator", m2_build_cube, CALL(only_terminator), GOOD(0, 0) },
    { "glcmds_run_past_end", m2_build_cube, WORD(0, 1000), GOOD(0, 0) },
    { "glcmds_run_int_min", m2_build_cube, WORD(0, 0x80000000), GOOD(0, 0) },
    { "glcmds_run_int_max", m2_build_cube, WORD(0, 0x7FFFFFFF), GOOD(0, 0) },
    { "glcmds_run_wraps", m2_build_cube, WORD(0, 0x55555556), GOOD(0, 0) },
    { "glcmds_point_out_of_range", m2_build_cube, WORD(3, 8), GOOD(0, 0) },
    { "glcmds_point_negative", m2_build_cube, WORD(6, 0xFFFFFFFF), GOOD(0, 0) },
    { "glcmds_point_unused", m2_build_sheet, WORD(3, 20), GOOD(0, 0) },
    { "glcmds_nan", m2_build_cube, WORD(1, 0x7FC00000), GOOD(0, 0) },
    { "glcmds_inf", m2_build_cube, WORD(5, 0x7F800000), GOOD(0, 0) },
    { "glcmds_words_after_terminator", m2_build_cube, WORD(5 * 13, 0), GOOD(1, 0) },
    { "glcmds_count_negative", m2_build_cube, FIELD(M2_WORDS, 0xFFFFFFFB), GOOD(0, 0) },
    { "glcmds_count_too_large", m2_build_cube, FIELD(M2_WORDS, 0x7FFFFFFF), GOOD(0, 0) },
    { "glcmds_in_header", m2_build_cube, FIELD(M2_OFS_WORDS, 64), GOOD(0, 0) },
    { "glcmds_offset_negative", m2_build_cube, FIELD(M2_OFS_WORDS, 0x80000000), GOOD(0, 0) },
    /* One file of each kind that is refused; md2/errors.c has the others. */
    { "bad_md3", m2_build_cube, FIELD(M2_IDENT, 0x33504449), BAD(NOT_MD2) },
    { "bad_no_points", m2_build_cube, FIELD(M2_POINTS, 0), BAD(CORRUPT) },
    { "bad_cut_by_half", m2_build_player, KEEP(7472), BAD(TRUNCATED) },
    { "bad_65537_frames", build_65537_frames, AS_BUILT, BAD(LIMIT) }
};

/* Does not compile if M2_CASES is wrong. */
extern int m2_cases_are_counted[sizeof m2_cases / sizeof m2_cases[0] == M2_CASES ? 1 : -1];

m2_bytes m2_case_bytes(const m2_case *model)
{
    m2_file file;
    model->build(&file);
    m2_bytes bytes = m2_write(&file);
    apply_edit(&model->edit, &bytes);
    return bytes;
}

m2_bytes m2_named(const char *name)
{
    m2_bytes none = { NULL, 0 };
    for (size_t i = 0; i < M2_CASES; ++i) {
        if (strcmp(m2_cases[i].name, name) == 0) return m2_case_bytes(&m2_cases[i]);
    }
    printf("there is no model called %s\n", name);
    abort();
    return none;
}

uint32_t m2_dice(uint32_t *seed, uint32_t sides)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed >> 8) % sides;
}

m2_bytes m2_random(uint32_t seed, uint32_t points, uint32_t tris, uint32_t frames)
{
    m2_file f;
    char name[16];
    m2_begin(&f, 1, points, points, tris, 0, frames);
    m2_skin(&f, 0, "random.pcx");
    for (uint32_t i = 0; i < points * 2; ++i) f.st[i] = (int16_t)m2_dice(&seed, 65);
    for (uint32_t i = 0; i < tris * 6; ++i) f.tris[i] = (uint16_t)m2_dice(&seed, points);
    for (uint32_t i = 0; i < frames; ++i) {
        sprintf(name, "step%u", (unsigned)i + 1u);
        m2_frame(&f, i, name, 0.0f, 0.0f);
        for (uint32_t k = 0; k < 3; ++k) {
            f.frames[i].scale[k] = ((float)m2_dice(&seed, 2000) - 500.0f) / 7000.0f;
            f.frames[i].translate[k] = ((float)m2_dice(&seed, 2000) - 1000.0f) / 37.0f;
        }
        for (uint32_t k = 0; k < points * 4; ++k)
            m2_point(&f, i, 0)[k] = (uint8_t)m2_dice(&seed, k % 4 == 3 ? 162 : 256);
    }
    return m2_write(&f);
}
