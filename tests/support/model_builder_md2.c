/* The functions of model_builder_md2.h, except for the table of cases. Public domain. */
#include "model_builder_md2.h"
#include "support.h"

/* -- A model as plain arrays ---------------------------------------------- */

void *m2_zeroes(size_t count, size_t size)
{
    return memset(malloc_or_abort(count * size), 0, count * size);
}

void m2_begin(m2_file *f, uint32_t skins, uint32_t points, uint32_t st, uint32_t tris,
              uint32_t words, uint32_t frames)
{
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
    for (uint32_t i = 0; i < M2_SECTIONS; ++i) f->order[i] = i;
}

void m2_end(m2_file *f)
{
    free(f->skins);
    free(f->st);
    free(f->tris);
    free(f->words);
    free(f->frames);
    free(f->points);
    memset(f, 0, sizeof *f);
}

void m2_free(m2_bytes *bytes)
{
    free(bytes->data);
    bytes->data = NULL;
    bytes->size = 0;
}

void m2_skin(m2_file *f, uint32_t skin, const char *path)
{
    size_t length = strlen(path);
    memcpy(f->skins + skin * 64, path, length < 64 ? length : 64);
}

void m2_frame(m2_file *f, uint32_t frame, const char *name, float scale, float translate)
{
    size_t length = strlen(name);
    memcpy(f->frames[frame].name, name, length < 16 ? length : 16);
    for (int i = 0; i < 3; ++i) {
        f->frames[frame].scale[i] = scale;
        f->frames[frame].translate[i] = translate;
    }
}

uint8_t *m2_point(m2_file *f, uint32_t frame, uint32_t point)
{
    return f->points + ((size_t)frame * f->point_count + point) * 4;
}

void m2_set_point(m2_file *f, uint32_t frame, uint32_t point, int x, int y, int z, int normal)
{
    uint8_t *p = m2_point(f, frame, point);
    p[0] = (uint8_t)x;
    p[1] = (uint8_t)y;
    p[2] = (uint8_t)z;
    p[3] = (uint8_t)normal;
}

static void m2_tri(m2_file *f, const uint16_t *points, const uint16_t *st, int a, int b, int c)
{
    const int corner[3] = { a, b, c };
    uint16_t *t = f->tris + f->tris_used++ * 6;
    for (int i = 0; i < 3; ++i) {
        t[i] = points[corner[i]];
        t[3 + i] = st[corner[i]];
    }
}

void m2_word(m2_file *f, uint32_t word) { f->words[f->words_used++] = word; }

uint32_t m2_bits(float value)
{
    uint32_t word;
    memcpy(&word, &value, 4);
    return word;
}

void m2_float_word(m2_file *f, float value) { m2_word(f, m2_bits(value)); }

/* Adds a strip or fan: its GL command, and its triangles in the order and winding in which the command
   draws them. */
static void m2_run(m2_file *f, bool fan, int count, const uint16_t *points, const uint16_t *st)
{
    m2_word(f, (uint32_t)(fan ? -count : count));
    for (int i = 0; i < count; ++i) {
        m2_float_word(f, (float)f->st[st[i] * 2] / (float)f->skin_width);
        m2_float_word(f, (float)f->st[st[i] * 2 + 1] / (float)f->skin_height);
        m2_word(f, points[i]);
    }
    for (int i = 0; i + 2 < count; ++i) {
        if (fan)
            m2_tri(f, points, st, 0, i + 1, i + 2);
        else if (i % 2 == 0)
            m2_tri(f, points, st, i, i + 1, i + 2);
        else
            m2_tri(f, points, st, i + 1, i, i + 2);
    }
}

/* -- To bytes, little-endian on every machine ----------------------------- */

void m2_put16(uint8_t *at, uint32_t value)
{
    at[0] = (uint8_t)value;
    at[1] = (uint8_t)(value >> 8);
}

void m2_put32(uint8_t *at, uint32_t value)
{
    m2_put16(at, value);
    m2_put16(at + 2, value >> 16);
}

void m2_put_float(uint8_t *at, float value) { m2_put32(at, m2_bits(value)); }

uint32_t m2_get16(const uint8_t *at)
{
    return (uint32_t)at[0] | (uint32_t)at[1] << 8;
}

uint32_t m2_get32(const uint8_t *at) { return m2_get16(at) | m2_get16(at + 2) << 16; }

float m2_get_float(const uint8_t *at)
{
    uint32_t word = m2_get32(at);
    float value;
    memcpy(&value, &word, 4);
    return value;
}

uint32_t m2_field(const m2_bytes *b, int field)
{
    return m2_get32(b->data + 4 * field);
}

void m2_set_field(m2_bytes *b, int field, uint32_t value)
{
    m2_put32(b->data + 4 * field, value);
}

static size_t m2_frame_size(const m2_file *f)
{
    return 40u + (size_t)f->point_count * 4u + f->frame_slack;
}

static size_t m2_section_size(const m2_file *f, uint32_t section)
{
    switch (section) {
        case M2_SEC_SKINS: return (size_t)f->skin_count * 64;
        case M2_SEC_ST: return (size_t)f->st_count * 4;
        case M2_SEC_TRIS: return (size_t)f->tri_count * 12;
        case M2_SEC_FRAMES: return (size_t)f->frame_count * m2_frame_size(f);
        default: return (size_t)f->word_count * 4;
    }
}

static void m2_put_frames(const m2_file *f, uint8_t *at)
{
    for (uint32_t i = 0; i < f->frame_count; ++i, at += m2_frame_size(f)) {
        for (uint32_t axis = 0; axis < 3; ++axis) {
            m2_put_float(at + 4 * axis, f->frames[i].scale[axis]);
            m2_put_float(at + 12 + 4 * axis, f->frames[i].translate[axis]);
        }
        memcpy(at + 24, f->frames[i].name, 16);
        memcpy(at + 40, f->points + (size_t)i * f->point_count * 4, (size_t)f->point_count * 4);
        memset(at + 40 + (size_t)f->point_count * 4, 0xEE, f->frame_slack);
    }
}

static void m2_put_section(const m2_file *f, uint32_t section, uint8_t *at)
{
    size_t size = m2_section_size(f, section);
    switch (section) {
        case M2_SEC_SKINS: memcpy(at, f->skins, size); break;
        case M2_SEC_ST:
            for (size_t i = 0; i < size / 2; ++i)
                m2_put16(at + 2 * i, (uint32_t)(uint16_t)f->st[i]);
            break;
        case M2_SEC_TRIS:
            for (size_t i = 0; i < size / 2; ++i) m2_put16(at + 2 * i, f->tris[i]);
            break;
        case M2_SEC_FRAMES: m2_put_frames(f, at); break;
        default:
            for (size_t i = 0; i < size / 4; ++i) m2_put32(at + 4 * i, f->words[i]);
            break;
    }
}

m2_bytes m2_write(m2_file *f)
{
    const uint32_t words[M2_OFS_SKINS] = {
        (uint32_t)M2_MAGIC, 8, (uint32_t)f->skin_width, (uint32_t)f->skin_height,
        (uint32_t)m2_frame_size(f), f->skin_count, f->point_count, f->st_count, f->tri_count,
        f->word_count, f->frame_count
    };
    m2_bytes b;
    size_t at = M2_HEADER;
    b.size = M2_HEADER;
    for (uint32_t i = 0; i < M2_SECTIONS; ++i) b.size += f->gap + m2_section_size(f, i);
    b.data = (uint8_t *)m2_zeroes(b.size, 1);
    for (int i = 0; i < M2_OFS_SKINS; ++i) m2_set_field(&b, i, words[i]);
    m2_set_field(&b, M2_END, (uint32_t)b.size);
    for (uint32_t i = 0; i < M2_SECTIONS; ++i) {
        memset(b.data + at, 0xCC, f->gap);
        at += f->gap;
        m2_set_field(&b, M2_OFS_SKINS + (int)f->order[i], (uint32_t)at);
        m2_put_section(f, f->order[i], b.data + at);
        at += m2_section_size(f, f->order[i]);
    }
    m2_end(f);
    return b;
}

void m2_resize(m2_bytes *b, size_t size)
{
    uint8_t *data = (uint8_t *)m2_zeroes(size, 1);
    memcpy(data, b->data, size < b->size ? size : b->size);
    free(b->data);
    b->data = data;
    b->size = size;
}

void m2_append(m2_bytes *b, const void *tail, size_t size)
{
    size_t at = b->size;
    m2_resize(b, at + size);
    memcpy(b->data + at, tail, size);
}

uint8_t *m2_section(m2_bytes *b, int field) { return b->data + m2_field(b, field); }

/* -- Whole models --------------------------------------------------------- */

/* A cube from -0.5 to +0.5 on every axis, exact in binary: bytes 0 and 128, scale 1/128. Each side is a
   fan of four corners with its own tile of the 64 x 64 skin, so there are 24 vertices and 12 triangles. */
#define M2_CUBE_WORDS (6 * (1 + 4 * 3) + 1)

static void m2_cube_sides(m2_file *f)
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

void m2_cube_frame(m2_file *f, uint32_t frame, const char *name, float step, float low)
{
    static const int normals[8] = { 159, 99, 156, 73, 125, 138, 17, 45 }; /* outward */
    m2_frame(f, frame, name, step, low);
    for (uint32_t i = 0; i < 8; ++i)
        m2_set_point(f, frame, i, i & 1 ? 128 : 0, i & 2 ? 128 : 0, i & 4 ? 128 : 0, normals[i]);
}

void m2_build_cubes(m2_file *f, uint32_t frames)
{
    char name[16];
    m2_begin(f, 1, 8, 24, 12, M2_CUBE_WORDS, frames);
    m2_skin(f, 0, "models/cube/cube.pcx");
    m2_cube_sides(f);
    for (uint32_t i = 0; i < frames; ++i) {
        sprintf(name, "move%u", (unsigned)(i % 100000u) + 1u);
        m2_cube_frame(f, i, name, 1.0f / 128, -0.5f);
        f->frames[i].translate[0] += (float)(i % 512);
    }
}

void m2_build_cube(m2_file *f) { m2_build_cubes(f, 1); }
void m2_build_moving_cube(m2_file *f) { m2_build_cubes(f, 2); }

const m2_clip m2_player_clips[M2_PLAYER_CLIPS] = {
    { "stand", 0, 40 },   { "run", 40, 6 },      { "attack", 46, 8 },   { "pain1", 54, 4 },
    { "pain2", 58, 4 },   { "pain3", 62, 4 },    { "jump", 66, 6 },     { "flip", 72, 12 },
    { "salute", 84, 11 }, { "taunt", 95, 17 },   { "wave", 112, 11 },   { "point", 123, 12 },
    { "crstnd", 135, 19 }, { "crwalk", 154, 6 }, { "crattak", 160, 9 }, { "crpain", 169, 4 },
    { "crdeath", 173, 5 }, { "death1", 178, 6 }, { "death2", 184, 6 },  { "death3", 190, 8 }
};

/* Writes a player's frame name: "stand01", "run1", or "pain101" of the animation pain1. */
static void m2_player_name(uint32_t frame, char name[16])
{
    uint32_t       i;
    unsigned       hundreds = 0;
    for (i = 0; i + 1 < M2_PLAYER_CLIPS && m2_player_clips[i + 1].first <= frame; ++i) {}
    const m2_clip *clip = &m2_player_clips[i];
    size_t letters = strcspn(clip->name, "123");
    if (clip->name[letters]) hundreds = 100u * (unsigned)(clip->name[letters] - '0');
    sprintf(name, "%.*s%0*u", (int)letters, clip->name, clip->count > 9 ? 2 : 1,
            hundreds + 1u + (unsigned)(frame - clip->first));
}

void m2_build_player(m2_file *f)
{
    char name[16];
    m2_build_cubes(f, M2_PLAYER_FRAMES);
    for (uint32_t i = 0; i < M2_PLAYER_FRAMES; ++i) {
        m2_player_name(i, name);
        memset(f->frames[i].name, 0, 16);
        m2_cube_frame(f, i, name, 0.25f + 0.001f * (float)(i * 7 % 50),
                      -16.0f + 0.1f * (float)(i * 13 % 40));
        for (uint32_t k = 0; k < 8; ++k)
            m2_point(f, i, k)[k % 3] = (uint8_t)(100 + i * (k + 3) % 100);
    }
}

void m2_build_sheet(m2_file *f)
{
    static const uint16_t even[8] = { 0, 5, 1, 6, 2, 7, 3, 8 }, odd[7] = { 5, 10, 6, 11, 7, 12, 8 };
    static const uint16_t longer[10] = { 10, 15, 11, 16, 12, 17, 13, 18, 14, 19 },
                          fan[5] = { 9, 8, 12, 13, 14 };
    static const uint16_t three[3] = { 3, 8, 4 }, five[5] = { 8, 9, 4, 3, 2 };
    m2_begin(f, 2, 21, 20, 6 + 5 + 8 + 3 + 1 + 3, 6 + 3 * (8 + 7 + 10 + 5 + 3 + 5) + 1, 3);
    f->skin_width = 256;
    f->skin_height = 128;
    m2_skin(f, 0, "models/sheet/red.pcx");
    m2_skin(f, 1, "blue.tga");
    for (uint32_t i = 0; i < 20; ++i) {
        f->st[i * 2] = (int16_t)(i % 5 * 64);
        f->st[i * 2 + 1] = (int16_t)(i / 5 * 42);
    }
    for (uint32_t frame = 0; frame < 3; ++frame) {
        m2_frame(f, frame, frame == 0 ? "wave1" : frame == 1 ? "wave2" : "wave3", 0.5f, -8.0f);
        for (uint32_t i = 0; i < 21; ++i) {
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

/* -- PCX pictures --------------------------------------------------------- */

uint8_t m2_pcx_index(uint32_t x, uint32_t y)
{
    return (uint8_t)(x / 5 * 37 + y / 3 * 101 + (x * y % 7 == 0 ? 192 : 0));
}

void m2_pcx_color(uint32_t index, uint8_t rgb[3])
{
    rgb[0] = (uint8_t)(index * 3 + 1);
    rgb[1] = (uint8_t)(255 - index);
    rgb[2] = (uint8_t)(index * 7);
}

/* Encodes a line: up to 63 equal bytes become a run. A byte of 192 or more is a run even if it is single. */
static size_t m2_pcx_encode(const uint8_t *line, size_t size, bool runs, uint8_t *out)
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

static void m2_pcx_header(uint8_t *data, uint32_t width, uint32_t height, uint32_t bytes_per_line)
{
    static const uint8_t start[4] = { 10, 5, 1, 8 };
    memcpy(data, start, sizeof start);
    m2_put16(data + 8, width - 1);
    m2_put16(data + 10, height - 1);
    data[65] = 1;
    m2_put16(data + 66, bytes_per_line);
    m2_put16(data + 68, 1);
}

m2_bytes m2_pcx(uint32_t width, uint32_t height, uint32_t bytes_per_line, int style)
{
    m2_bytes b;
    size_t at = 128, count = (size_t)bytes_per_line * height;
    uint8_t *pixels = (uint8_t *)m2_zeroes(count, 1);
    b.data = (uint8_t *)m2_zeroes(128 + count * 2 + 769, 1);
    m2_pcx_header(b.data, width, height, bytes_per_line);
    for (uint32_t y = 0; y < height; ++y) {
        for (uint32_t x = 0; x < bytes_per_line; ++x)
            pixels[y * bytes_per_line + x] = x < width ? m2_pcx_index(x, y) : (uint8_t)0xEE;
    }
    if (style == M2_PCX_RUNS_ACROSS_LINES) {
        at += m2_pcx_encode(pixels, count, true, b.data + at);
    } else {
        for (uint32_t y = 0; y < height; ++y) {
            at += m2_pcx_encode(pixels + y * bytes_per_line, bytes_per_line, style == M2_PCX_RUNS,
                                b.data + at);
        }
    }
    b.data[at++] = 0x0C;
    for (uint32_t i = 0; i < 256; ++i) m2_pcx_color(i, b.data + at + i * 3);
    b.size = at + 768;
    free(pixels);
    m2_resize(&b, b.size);
    return b;
}
