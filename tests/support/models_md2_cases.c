/* The table of shapes of models_md2.h. Public domain. */
#include "models_md2.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- Shapes that must load ------------------------------------------------ */

static void m2_build_no_skins(m2_file *f)
{
    m2_build_cube(f);
    f->skin_count = 0;
}

static void m2_build_40_skins(m2_file *f)
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

static void m2_build_skin_without_nul(m2_file *f)
{
    m2_build_cube(f);
    memset(f->skins, 's', 64);
}

static void m2_build_junk_after_nul(m2_file *f)
{
    m2_build_moving_cube(f);
    memcpy(f->frames[0].name,
           "barrel\0"
           "19\0pain\xFFzz",
           16);
    memcpy(f->frames[1].name, "barrel2\0\x01\x02\x03xyz", 15);
    memset(f->skins + 30, 'j', 34);
}

static void m2_build_name_without_nul(m2_file *f)
{
    m2_build_moving_cube(f);
    memcpy(f->frames[0].name, "sixteen_letters1", 16);
    memcpy(f->frames[1].name, "sixteen_letters2", 16);
}

static void m2_build_odd_names(m2_file *f)
{
    m2_build_cubes(f, 4);
    memset(f->frames[0].name, 0, 16);
    memcpy(f->frames[1].name, "\xF6l\xE4mp1\0\0\0\0\0\0\0\0\0\0", 16);
    memcpy(f->frames[2].name, "99999999999999999999999", 16);
    memset(f->frames[3].name, ' ', 16);
}

static void m2_build_shared_scale(m2_file *f)
{
    uint32_t i;
    m2_build_cubes(f, 30);
    for (i = 0; i < 30; ++i) m2_frame(f, i, "", 0.25f, -10.0f);
}

static void m2_build_negative_scale(m2_file *f)
{
    uint32_t i;
    m2_build_moving_cube(f);
    for (i = 0; i < 2; ++i) {
        f->frames[i].scale[0] = -1.0f / 128;
        f->frames[i].translate[0] = 0.5f;
    }
}

/* As far out as a cube can be with every position still finite. */
static void m2_build_far_out(m2_file *f)
{
    m2_build_moving_cube(f);
    f->frames[0].translate[0] = 1.7e38f;
    f->frames[1].translate[1] = -1.7e38f;
}

static void m2_build_zero_scale(m2_file *f)
{
    uint32_t i;
    m2_build_moving_cube(f);
    for (i = 0; i < 2; ++i) f->frames[i].scale[2] = 0.0f;
}

/* As Blender writes them: one texture coordinate for each corner, though few differ. */
static void m2_build_st_per_corner(m2_file *f)
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

static void m2_build_few_st(m2_file *f)
{
    uint32_t i;
    m2_build_cube(f);
    f->st_count = 4;
    f->word_count = 0;
    for (i = 0; i < 12 * 6; ++i) {
        if (i % 6 >= 3) f->tris[i] = (uint16_t)(f->tris[i] % 4);
    }
}

static void m2_build_st_at_edge(m2_file *f)
{
    m2_build_cube(f);
    f->skin_width = 56;
    f->skin_height = 36;
}

static void m2_build_st_negative(m2_file *f)
{
    uint32_t i;
    m2_build_cube(f);
    for (i = 0; i < 48; ++i) f->st[i] = (int16_t)(f->st[i] - 516);
}

static void m2_build_st_extreme(m2_file *f)
{
    m2_build_cube(f);
    f->st[0] = 32767;
    f->st[1] = -32768;
}

static void m2_build_wide_frames(m2_file *f)
{
    m2_build_moving_cube(f);
    f->frame_slack = 12;
}

static void m2_build_odd_wide_frames(m2_file *f)
{
    m2_build_sheet(f);
    f->frame_slack = 3;
}

static void m2_build_reversed(m2_file *f)
{
    uint32_t i;
    m2_build_sheet(f);
    for (i = 0; i < M2_SECTIONS; ++i) f->order[i] = M2_SECTIONS - 1 - i;
}

static void m2_build_unaligned(m2_file *f)
{
    m2_build_sheet(f);
    f->gap = 1;
}

static void m2_build_gaps(m2_file *f)
{
    m2_build_reversed(f);
    f->gap = 100;
}

static void m2_build_degenerate(m2_file *f)
{
    m2_build_cube(f);
    f->word_count = 0;
    f->tris[1] = f->tris[0];
    f->tris[4] = f->tris[3];
    f->tris[6] = f->tris[7] = f->tris[8];
}

static void m2_build_wide_normals(m2_file *f)
{
    m2_build_cube(f);
    m2_point(f, 0, 0)[3] = 161;
    m2_point(f, 0, 1)[3] = 162;
    m2_point(f, 0, 2)[3] = 255;
    m2_point(f, 0, 3)[3] = 200;
}

static void m2_build_bad_point(m2_file *f)
{
    m2_build_cube(f);
    f->tris[0] = 0xFFFF;
    f->tris[6 + 2] = 8;
    f->word_count = 0;
}

static void m2_build_bad_st(m2_file *f)
{
    m2_build_cube(f);
    f->tris[12 + 3] = 24;
    f->tris[24 + 5] = 0xFFFF;
    f->tris[36] = 9;
    f->word_count = 0;
}

static void m2_build_all_dropped(m2_file *f)
{
    uint32_t i;
    m2_build_cube(f);
    for (i = 0; i < 12; ++i) f->tris[i * 6 + i % 3] = 1000;
}

static void m2_build_no_tris(m2_file *f)
{
    m2_build_cube(f);
    f->tri_count = 0;
}

static void m2_build_no_st(m2_file *f)
{
    m2_build_cube(f);
    f->st_count = 0;
}

static void m2_build_no_words(m2_file *f)
{
    m2_build_cube(f);
    f->word_count = 0;
}

static void m2_build_one_point(m2_file *f)
{
    m2_begin(f, 0, 1, 1, 1, 0, 1);
    m2_frame(f, 0, "weapon", 0.0f, 1.0f);
}

static void m2_build_65536_points(m2_file *f)
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

static void m2_build_many_frames(m2_file *f, uint32_t frames)
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

static void m2_build_65536_frames(m2_file *f) { m2_build_many_frames(f, 65536); }
static void m2_build_65537_frames(m2_file *f) { m2_build_many_frames(f, 65537); }

/* Hostile to chains: every texture coordinate there can be, all on three points, and a fan that
   asks for each of them. */
static void m2_build_many_st(m2_file *f)
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

static void m2_spoil_trailing_zero(m2_bytes *b) { m2_append(b, "", 1); }
static void m2_spoil_cut_one(m2_bytes *b) { m2_resize(b, b->size - 1); }
static void m2_spoil_cut_half(m2_bytes *b) { m2_resize(b, b->size / 2); }
static void m2_spoil_empty(m2_bytes *b) { m2_resize(b, 0); }
static void m2_spoil_three_bytes(m2_bytes *b) { m2_resize(b, 3); }
static void m2_spoil_ident_only(m2_bytes *b) { m2_resize(b, 4); }
static void m2_spoil_67_bytes(m2_bytes *b) { m2_resize(b, 67); }
static void m2_spoil_header_only(m2_bytes *b) { m2_resize(b, 68); }
static void m2_spoil_md5(m2_bytes *b)
{
    m2_text(b, "MD5Version 10\ncommandline \"\"\n\nnumJoints 1\nnumMeshes 1\n");
}
static void m2_spoil_text(m2_bytes *b) { m2_text(b, "# nothing of the kind\nv 0 0 0\n"); }
static void m2_spoil_end_beyond(m2_bytes *b)
{
    m2_set_field(b, M2_END, (uint32_t)b->size + 1000);
}
static void m2_spoil_end_before(m2_bytes *b)
{
    m2_set_field(b, M2_END, (uint32_t)b->size - 40);
}

static void m2_spoil_trailing_text(m2_bytes *b)
{
    static const char text[] = "This model was written by a proud converter, which says so behind "
                               "the data, in every file.";
    m2_append(b, text, sizeof text);
}

/* What git does to a binary that it takes for text: CR LF becomes LF. */
static void m2_spoil_text_mode(m2_bytes *b)
{
    m2_section(b, M2_OFS_ST)[0] = '\r';
    m2_section(b, M2_OFS_ST)[1] = '\n';
    memmove(m2_section(b, M2_OFS_ST), m2_section(b, M2_OFS_ST) + 1,
            b->size - m2_field(b, M2_OFS_ST) - 1);
    m2_resize(b, b->size - 1);
}

/* Sections that nothing is read from may say anything. */
static void m2_spoil_empty_offsets(m2_bytes *b)
{
    m2_set_field(b, M2_SKINS, 0);
    m2_set_field(b, M2_OFS_SKINS, 0x7FFFFFFFu);
    m2_set_field(b, M2_WORDS, 0);
    m2_set_field(b, M2_OFS_WORDS, 0x80000000u);
}

/* A real one does this: the skin's name is the first texture coordinates. */
static void m2_spoil_overlap(m2_bytes *b)
{
    m2_set_field(b, M2_OFS_SKINS, m2_field(b, M2_OFS_ST));
}

static void m2_spoil_all_overlap(m2_bytes *b)
{
    int i;
    for (i = M2_OFS_SKINS; i <= M2_OFS_WORDS; ++i) m2_set_field(b, i, M2_HEADER);
    m2_set_field(b, M2_FRAMES, 1);
    memset(b->data + M2_HEADER, 0, b->size - M2_HEADER);
}

static void m2_spoil_frame_float(m2_bytes *b, int index, uint32_t word)
{
    m2_put32(m2_section(b, M2_OFS_FRAMES) + 4 * index, word);
}

static void m2_spoil_scale_nan(m2_bytes *b) { m2_spoil_frame_float(b, 1, 0x7FC00000u); }
static void m2_spoil_scale_inf(m2_bytes *b) { m2_spoil_frame_float(b, 0, 0x7F800000u); }
static void m2_spoil_translate_nan(m2_bytes *b) { m2_spoil_frame_float(b, 5, 0xFFC00001u); }
static void m2_spoil_translate_inf(m2_bytes *b) { m2_spoil_frame_float(b, 3, 0xFF800000u); }
static void m2_spoil_scale_huge(m2_bytes *b) { m2_spoil_frame_float(b, 2, 0x7F7FFFFFu); }

/* 65,536 frames of 65,536 bytes: nothing, in 32 bits. */
static void m2_spoil_frames_wrap(m2_bytes *b)
{
    m2_set_field(b, M2_FRAMES, 65536);
    m2_set_field(b, M2_FRAME_SIZE, 65536);
}

static void m2_spoil_second_frame(m2_bytes *b)
{
    m2_put32(m2_section(b, M2_OFS_FRAMES) + m2_field(b, M2_FRAME_SIZE) + 4, 0x7F800001u);
}

/* GL commands: the first word is a fan's count, then s, t, point of its first vertex. */
static void m2_spoil_word(m2_bytes *b, uint32_t index, uint32_t word)
{
    m2_put32(m2_section(b, M2_OFS_WORDS) + 4 * index, word);
}

static void m2_spoil_no_terminator(m2_bytes *b)
{
    m2_set_field(b, M2_WORDS, m2_field(b, M2_WORDS) - 1);
}
static void m2_spoil_run_past_end(m2_bytes *b) { m2_spoil_word(b, 0, 1000); }
static void m2_spoil_run_int_min(m2_bytes *b) { m2_spoil_word(b, 0, 0x80000000u); }
static void m2_spoil_run_int_max(m2_bytes *b) { m2_spoil_word(b, 0, 0x7FFFFFFFu); }
static void m2_spoil_run_wraps(m2_bytes *b)
{
    m2_spoil_word(b, 0, 0x55555556u);
} /* times 3 is 2 in 32 bits */
static inline void m2_spoil_word_point(m2_bytes *b) { m2_spoil_word(b, 3, 8); }
static void m2_spoil_word_negative(m2_bytes *b) { m2_spoil_word(b, 6, 0xFFFFFFFFu); }
static void m2_spoil_word_nan(m2_bytes *b) { m2_spoil_word(b, 1, 0x7FC00000u); }
static void m2_spoil_word_inf(m2_bytes *b) { m2_spoil_word(b, 5, 0x7F800000u); }
static void m2_spoil_only_terminator(m2_bytes *b)
{
    m2_set_field(b, M2_WORDS, 1);
    m2_spoil_word(b, 0, 0);
}
static void m2_spoil_unused_point(m2_bytes *b) { m2_spoil_word(b, 3, 20); }

/* The last fan's count becomes the end: its vertices are then words behind the terminator. */
static void m2_spoil_words_after(m2_bytes *b) { m2_spoil_word(b, 5 * 13, 0); }

static void m2_spoil_one_word_more(m2_bytes *b)
{
    m2_spoil_word(b, m2_field(b, M2_WORDS) - 1, 3);
}

/* -- The table ------------------------------------------------------------ */

#define M2_NONE                  NULL, M2_FIELDS, 0
#define M2_SET(field, value)     NULL, field, value
#define M2_DO(spoil)             spoil, M2_FIELDS, 0
#define M2_GOOD(strips, dropped) MD2_OK, strips, dropped, NULL
#define M2_BAD(code)             code, 0, 0, NULL
#define M2_SAYS(code, text)      code, 0, 0, text

const m2_case m2_cases[M2_CASES] = {
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

m2_bytes m2_case_bytes(const m2_case *one)
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

m2_bytes m2_named(const char *name)
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

uint32_t m2_dice(uint32_t *seed, uint32_t sides)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed >> 8) % sides;
}

m2_bytes m2_random(uint32_t seed, uint32_t points, uint32_t tris, uint32_t frames)
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
