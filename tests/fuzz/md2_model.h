/* md2_model.h: what must hold for every MD2 that loads, however broken its file; and a mutator that
   takes such a file apart and puts it together again. Public domain. */
#ifndef FUZZ_MD2_MODEL_H_INCLUDED
#define FUZZ_MD2_MODEL_H_INCLUDED

#include "fuzz.h"

#include "md2.h"

FUZZ_UNSEEN_BEGIN

/* -- What holds ----------------------------------------------------------- */

FUZZ_HELPER md2_options fuzz_md2_options(const fuzz_input *input)
{
    md2_options options;
    memset(&options, 0, sizeof options);
    options.flags = input->flags & 127u;
    options.scale = input->scale;
    options.fps = input->fps;
    options.max_bytes = input->max_bytes;
    options.allocator.alloc = fuzz_alloc;
    options.allocator.release = fuzz_release;
    options.allocator.user = &fuzz_memory;
    return options;
}

FUZZ_HELPER void fuzz_check_md2_error(const md2_error *error, bool loaded, size_t size)
{
    FUZZ_CHECK(loaded == (error->code == MD2_OK));
    FUZZ_CHECK((unsigned)error->code < MD2_RESULT_COUNT);
    FUZZ_CHECK(memchr(error->message, 0, sizeof error->message) != NULL);
    FUZZ_CHECK(loaded || error->message[0] != 0);
    FUZZ_CHECK(error->offset <= size);
}

static void fuzz_check_md2_frame(const md2_model *model, const md2_frame *frame)
{
    uint32_t i, axis;
    FUZZ_CHECK(memchr(frame->name, 0, sizeof frame->name) != NULL);
    fuzz_check_finite(frame->scale, 3);
    fuzz_check_finite(frame->translate, 3);
    fuzz_check_finite(frame->min, 3);
    fuzz_check_finite(frame->max, 3);
    FUZZ_CHECK(fuzz_is_finite((double)frame->radius) && frame->radius >= 0);
    for (axis = 0; axis < 3; ++axis) {
        FUZZ_CHECK(frame->min[axis] >= model->min[axis] && frame->max[axis] <= model->max[axis]);
    }
    for (i = 0; i < model->point_count; ++i) {
        const md2_point *point = &frame->points[i];
        uint8_t bytes[3];
        double square = 0, radius = (double)frame->radius + 2 * (double)FLT_MIN;
        bytes[0] = point->x;
        bytes[1] = point->y;
        bytes[2] = point->z;
        for (axis = 0; axis < 3; ++axis) {
            float at = frame->translate[axis] + (float)bytes[axis] * frame->scale[axis];
            FUZZ_CHECK(at >= frame->min[axis] && at <= frame->max[axis]);
            square += (double)at * (double)at;
        }
        FUZZ_CHECK(square <= radius * radius || frame->radius >= FLT_MAX);
        fuzz_check_finite(md2_normal(point->normal), 3);
    }
}

static void fuzz_check_md2_anims(const md2_model *model)
{
    uint32_t i;
    for (i = 0; i < model->anim_count; ++i) {
        const md2_anim *anim = &model->anims[i];
        FUZZ_CHECK(memchr(anim->name, 0, sizeof anim->name) != NULL && anim->name[0] != 0);
        FUZZ_CHECK(anim->count > 0 && anim->count <= model->frame_count);
        FUZZ_CHECK(anim->first <= model->frame_count - anim->count);
        FUZZ_CHECK(i == 0 || anim->first >= anim[-1].first + anim[-1].count);
        FUZZ_CHECK(anim->fps > 0 && anim->fps <= FLT_MAX);
    }
    for (i = 0; i < model->anim_count && i < 40; ++i) {
        FUZZ_CHECK(md2_find_anim(model, model->anims[i].name) == &model->anims[i]);
    }
}

static void fuzz_check_md2_strips(const md2_model *model)
{
    uint32_t i, sum = 0;
    for (i = 0; i < model->strip_count; ++i) {
        FUZZ_CHECK(model->strips[i].first == sum && model->strips[i].count > 0);
        sum += model->strips[i].count;
    }
    FUZZ_CHECK(sum == model->strip_vertex_count);
    for (i = 0; i < model->strip_vertex_count; ++i) {
        const md2_strip_vertex *vertex = &model->strip_vertices[i];
        FUZZ_CHECK(vertex->vertex < model->vertex_count);
        FUZZ_CHECK(fuzz_is_finite((double)vertex->u) && fuzz_is_finite((double)vertex->v));
    }
}

static void fuzz_check_md2_triangles(const md2_model *model)
{
    uint32_t i;
    FUZZ_CHECK(model->index_count % 3 == 0 && model->vertex_count <= model->index_count);
    for (i = 0; i < model->index_count; ++i) FUZZ_CHECK(model->indices[i] < model->vertex_count);
    for (i = 0; i < model->vertex_count; ++i) {
        FUZZ_CHECK(model->vertices[i].point < model->point_count);
        FUZZ_CHECK(fuzz_is_finite((double)model->vertices[i].u));
        FUZZ_CHECK(fuzz_is_finite((double)model->vertices[i].v));
    }
    FUZZ_INITIALISED(model->vertices, model->vertex_count * sizeof(md2_vertex));
}

/* Repairs leave neither inward nor equal normals, and strips only where the commands are sound. */
static void fuzz_check_md2_defects(const md2_model *model)
{
    FUZZ_CHECK(model->defects < 32);
    FUZZ_CHECK(!(model->defects & MD2_BAD_COMMANDS) || model->strip_count == 0);
    FUZZ_CHECK(!(model->defects & MD2_FACES_INWARD) || !(model->defects & MD2_NORMALS_INWARD));
    FUZZ_CHECK(model->index_count > 0 || !(model->defects & ~(uint32_t)MD2_BAD_COMMANDS));
}

FUZZ_HELPER void fuzz_check_md2(const md2_model *model)
{
    uint32_t i;
    fuzz_check_md2_defects(model);
    FUZZ_CHECK(model->frame_count >= 1 && model->frame_count <= 65536 && model->point_count >= 1);
    for (i = 0; i < model->skin_count; ++i) {
        FUZZ_CHECK(memchr(model->skins[i].path, 0, sizeof model->skins[i].path) != NULL);
    }
    fuzz_check_md2_triangles(model);
    fuzz_check_md2_strips(model);
    fuzz_check_md2_anims(model);
    for (i = 0; i < model->frame_count; ++i) fuzz_check_md2_frame(model, &model->frames[i]);
    FUZZ_CHECK(md2_find_frame(model, model->frames[model->frame_count - 1].name) >= 0);
}

/* Two loads of one file, all but where they lie. */
FUZZ_HELPER void fuzz_check_same_md2(const md2_model *a, const md2_model *b)
{
    uint32_t i;
    FUZZ_CHECK(a->bytes == b->bytes && a->flags == b->flags && a->defects == b->defects);
    FUZZ_CHECK(fuzz_same(&a->skin_width, &b->skin_width, 1, offsetof(md2_model, flags)));
    FUZZ_CHECK(fuzz_same(a->skins, b->skins, a->skin_count, sizeof *a->skins));
    FUZZ_CHECK(fuzz_same(a->vertices, b->vertices, a->vertex_count, sizeof *a->vertices));
    FUZZ_CHECK(fuzz_same(a->indices, b->indices, a->index_count, sizeof *a->indices));
    FUZZ_CHECK(fuzz_same(a->anims, b->anims, a->anim_count, sizeof *a->anims));
    for (i = 0; i < a->strip_vertex_count; ++i) {
        FUZZ_CHECK(a->strip_vertices[i].vertex == b->strip_vertices[i].vertex);
    }
    for (i = 0; i < a->frame_count; ++i) {
        const md2_frame *one = &a->frames[i], *two = &b->frames[i];
        FUZZ_CHECK(fuzz_same(one->name, two->name, 1, sizeof one->name));
        FUZZ_CHECK(
            fuzz_same(one->scale, two->scale, 1,
                      offsetof(md2_frame, points) - offsetof(md2_frame, scale) - sizeof(void *)));
        FUZZ_CHECK(fuzz_same(one->points, two->points, a->point_count, sizeof(md2_point)));
    }
}

/* -- Mutator: a file in its parts ----------------------------------------- */

enum {
    FUZZ_MD2_SKINS,
    FUZZ_MD2_TEXCOORDS,
    FUZZ_MD2_TRIANGLES,
    FUZZ_MD2_FRAMES,
    FUZZ_MD2_COMMANDS,
    FUZZ_MD2_PARTS,
    FUZZ_MD2_HEADER = 68,
    FUZZ_MD2_ROOM = 16384
};

typedef struct fuzz_md2_part {
    uint32_t item, count; /* bytes in one, and how many */
    uint8_t data[FUZZ_MD2_ROOM];
} fuzz_md2_part;

static struct fuzz_md2_file {
    uint32_t header[17];
    fuzz_md2_part part[FUZZ_MD2_PARTS];
} fuzz_md2_file;

/* Where in the header each part's number and place are. */
static const uint8_t fuzz_md2_counts[FUZZ_MD2_PARTS] = { 5, 7, 8, 10, 9 };
static const uint8_t fuzz_md2_offsets[FUZZ_MD2_PARTS] = { 11, 12, 13, 14, 15 };

static uint32_t fuzz_get32(const uint8_t *at)
{
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static void fuzz_put32(uint8_t *at, uint32_t value)
{
    at[0] = (uint8_t)value;
    at[1] = (uint8_t)(value >> 8);
    at[2] = (uint8_t)(value >> 16);
    at[3] = (uint8_t)(value >> 24);
}

static void fuzz_put_float(uint8_t *at, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    fuzz_put32(at, bits);
}

/* What does not lie inside the file counts as not there. */
static bool fuzz_take_md2_apart(const uint8_t *data, size_t size)
{
    struct fuzz_md2_file *file = &fuzz_md2_file;
    uint32_t i;
    if (size < FUZZ_MD2_HEADER || memcmp(data, "IDP2", 4) != 0) return false;
    for (i = 0; i < 17; ++i) file->header[i] = fuzz_get32(data + 4 * i);
    for (i = 0; i < FUZZ_MD2_PARTS; ++i) {
        static const uint8_t items[FUZZ_MD2_PARTS] = { 64, 4, 12, 0, 4 };
        fuzz_md2_part *part = &file->part[i];
        uint64_t offset = file->header[fuzz_md2_offsets[i]], bytes;
        part->item = items[i] ? items[i] : file->header[4];
        part->count = file->header[fuzz_md2_counts[i]];
        bytes = (uint64_t)part->item * part->count;
        if (part->count > FUZZ_MD2_ROOM || bytes > FUZZ_MD2_ROOM || offset + bytes > size) {
            part->count = 0;
            bytes = 0;
        }
        if (bytes) memcpy(part->data, data + offset, (size_t)bytes);
    }
    if (file->part[FUZZ_MD2_FRAMES].item < 44 || file->part[FUZZ_MD2_FRAMES].item > 4096) {
        file->part[FUZZ_MD2_FRAMES].item = 44;
        file->part[FUZZ_MD2_FRAMES].count = 0;
    }
    return true;
}

static size_t fuzz_put_md2_together(uint8_t *data, size_t max, fuzz_dice *dice)
{
    struct fuzz_md2_file *file = &fuzz_md2_file;
    uint32_t i, turn = fuzz_below(dice, 8) ? 0 : fuzz_below(dice, FUZZ_MD2_PARTS);
    size_t at = FUZZ_MD2_HEADER;
    for (i = 0; i < FUZZ_MD2_PARTS; ++i) {
        uint32_t number = (i + turn) % FUZZ_MD2_PARTS;
        fuzz_md2_part *part = &file->part[number];
        size_t bytes = (size_t)part->item * part->count;
        if (at + bytes > max) return 0;
        if (bytes) memcpy(data + at, part->data, bytes);
        file->header[fuzz_md2_counts[number]] = part->count;
        file->header[fuzz_md2_offsets[number]] = (uint32_t)at;
        at += bytes;
    }
    file->header[1] = 8;
    file->header[4] = file->part[FUZZ_MD2_FRAMES].item;
    file->header[16] = (uint32_t)at;
    for (i = 0; i < 17; ++i) fuzz_put32(data + 4 * i, file->header[i]);
    return at;
}

static void fuzz_add_md2_item(fuzz_md2_part *part, fuzz_dice *dice)
{
    size_t bytes = (size_t)part->item * part->count, from;
    if (bytes + part->item > FUZZ_MD2_ROOM) return;
    from = part->count ? (size_t)fuzz_below(dice, part->count) * part->item : 0;
    if (part->count)
        memmove(part->data + from + part->item, part->data + from, bytes - from);
    else
        memset(part->data, 0, part->item);
    ++part->count;
}

static void fuzz_drop_md2_item(fuzz_md2_part *part, fuzz_dice *dice)
{
    size_t from;
    if (part->count == 0) return;
    from = (size_t)fuzz_below(dice, part->count) * part->item;
    --part->count;
    memmove(part->data + from, part->data + from + part->item,
            (size_t)part->item * part->count - from);
}

/* All frames become a point longer or shorter, now and then by any number of bytes. */
static void fuzz_resize_md2_frames(fuzz_dice *dice)
{
    fuzz_md2_part *part = &fuzz_md2_file.part[FUZZ_MD2_FRAMES];
    static uint8_t old[FUZZ_MD2_ROOM];
    uint32_t was = part->item, now = fuzz_below(dice, 2) ? was + 4 : was - 4, i;
    if (fuzz_below(dice, 8) == 0)
        now = was + fuzz_below(dice, 64);
    else
        fuzz_md2_file.header[6] = (now - 40) / 4;
    if (now < 44 || (uint64_t)now * part->count > FUZZ_MD2_ROOM) return;
    memcpy(old, part->data, (size_t)was * part->count);
    part->item = now;
    for (i = 0; i < part->count; ++i) {
        memset(part->data + (size_t)now * i, 0, now);
        memcpy(part->data + (size_t)now * i, old + (size_t)was * i, was < now ? was : now);
    }
}

static void fuzz_edit_md2_frame(uint8_t *frame, fuzz_dice *dice)
{
    static const char *const bases[] = { "run",    "stand",   "pain",   "death",         "x",
                                         "Frame ", "attak1_", "pain30", "abcdefghijklm", "" };
    char name[40] = "";
    switch (fuzz_below(dice, 3)) {
    case 0:
        snprintf(name, sizeof name, "%s%0*u", FUZZ_PICK(dice, bases), 1 + (int)fuzz_below(dice, 3),
                 (unsigned)fuzz_below(dice, fuzz_below(dice, 4) ? 20 : 1000));
        memcpy(frame + 24, name, 16);
        break;
    case 1: fuzz_put_float(frame + 4 * fuzz_below(dice, 6), fuzz_strange_float(fuzz_throw(dice))); break;
    default:
        fuzz_put_float(frame + 4 * fuzz_below(dice, 6),
                       (float)fuzz_below(dice, 2001) / 50.0f - 20.0f);
    }
}

static void fuzz_edit_md2_triangle(uint8_t *triangle, fuzz_dice *dice)
{
    uint32_t corner = fuzz_below(dice, 6), value;
    uint32_t count =
        corner < 3 ? fuzz_md2_file.header[6] : fuzz_md2_file.part[FUZZ_MD2_TEXCOORDS].count;
    value =
        fuzz_below(dice, 12) ? fuzz_below(dice, count ? count : 1) : count - fuzz_below(dice, 2);
    triangle[2 * corner] = (uint8_t)value;
    triangle[2 * corner + 1] = (uint8_t)(value >> 8);
}

/* A strip or a fan of a few corners in the place of all commands, or before them. */
static void fuzz_write_md2_strip(fuzz_dice *dice)
{
    fuzz_md2_part *part = &fuzz_md2_file.part[FUZZ_MD2_COMMANDS];
    uint32_t length = 3 + fuzz_below(dice, 4), words = 1 + 3 * length, i;
    uint32_t points = fuzz_md2_file.header[6],
             triangles = fuzz_md2_file.part[FUZZ_MD2_TRIANGLES].count;
    if (part->count == 0 || fuzz_below(dice, 4) == 0) {
        part->count = 1;
        fuzz_put32(part->data, 0);
    }
    if (4 * (part->count + words) > FUZZ_MD2_ROOM) return;
    memmove(part->data + 4 * words, part->data, 4 * part->count);
    part->count += words;
    fuzz_put32(part->data, fuzz_below(dice, 2) ? length : 0 - length);
    for (i = 0; i < length; ++i) {
        uint8_t *corner = part->data + 4 + 12 * i;
        uint32_t point = fuzz_below(dice, points ? points : 1);
        if (triangles) {
            const uint8_t *from =
                fuzz_md2_file.part[FUZZ_MD2_TRIANGLES].data + 12 * fuzz_below(dice, triangles);
            point = from[2 * (i % 3)] | (uint32_t)from[2 * (i % 3) + 1] << 8;
        }
        fuzz_put_float(corner, (float)fuzz_below(dice, 64) / 64.0f);
        fuzz_put_float(corner + 4, (float)fuzz_below(dice, 64) / 64.0f);
        fuzz_put32(corner + 8, point);
    }
}

static void fuzz_edit_md2_item(fuzz_dice *dice)
{
    uint32_t number = fuzz_below(dice, FUZZ_MD2_PARTS);
    fuzz_md2_part *part = &fuzz_md2_file.part[number];
    uint8_t *item;
    if (part->count == 0) return;
    item = part->data + (size_t)part->item * fuzz_below(dice, part->count);
    if (number == FUZZ_MD2_FRAMES && fuzz_below(dice, 2))
        fuzz_edit_md2_frame(item, dice);
    else if (number == FUZZ_MD2_TRIANGLES && fuzz_below(dice, 2))
        fuzz_edit_md2_triangle(item, dice);
    else
        fuzz_mutate_bytes(item, part->item, part->item, dice);
}

static void fuzz_break_md2_header(uint8_t *data, size_t size, fuzz_dice *dice)
{
    static const uint32_t values[] = { 0,          1,     2,          0x7FFFFFFF, 0x80000000,
                                       0xFFFFFFFF, 65535, 65536,      65537,      67,
                                       68,         44,    0x40000000, 0x15555556 };
    uint8_t *field = data + 4 * fuzz_below(dice, 17);
    switch (fuzz_below(dice, 4)) {
    case 0: fuzz_put32(field, FUZZ_PICK(dice, values)); break;
    case 1: fuzz_put32(field, fuzz_below(dice, size)); break;
    case 2: fuzz_put32(field, fuzz_get32(field) + 1); break;
    default: fuzz_put32(field, fuzz_get32(field) - 1);
    }
}

FUZZ_HELPER size_t fuzz_mutate_md2(uint8_t *data, size_t size, size_t max, fuzz_dice *dice)
{
    uint32_t edits = 1 + fuzz_below(dice, 3);
    size_t made;
    if (fuzz_below(dice, 24) == 0 || !fuzz_take_md2_apart(data, size)) {
        return fuzz_mutate_bytes(data, size, max, dice);
    }
    for (; edits; --edits) {
        fuzz_md2_part *part = &fuzz_md2_file.part[fuzz_below(dice, FUZZ_MD2_PARTS)];
        switch (fuzz_below(dice, 9)) {
        case 0: fuzz_add_md2_item(part, dice); break;
        case 1: fuzz_drop_md2_item(part, dice); break;
        case 2: fuzz_resize_md2_frames(dice); break;
        case 3: fuzz_write_md2_strip(dice); break;
        case 4: fuzz_md2_file.header[2 + fuzz_below(dice, 2)] = fuzz_below(dice, 3) * 64; break;
        default: fuzz_edit_md2_item(dice);
        }
    }
    made = fuzz_put_md2_together(data, max, dice);
    if (made == 0) return fuzz_mutate_bytes(data, size, max, dice);
    if (fuzz_below(dice, 5) == 0) fuzz_break_md2_header(data, made, dice);
    return fuzz_below(dice, 24) ? made : made - fuzz_below(dice, made);
}

FUZZ_UNSEEN_END

#endif /* FUZZ_MD2_MODEL_H_INCLUDED */
