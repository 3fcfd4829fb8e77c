/* md5_model.h: what must hold for every MD5 model and animation that loads, however broken its
   text; and a mutator that changes such a text by its words, lines and lists. Public domain. */
#ifndef FUZZ_MD5_MODEL_H_INCLUDED
#define FUZZ_MD5_MODEL_H_INCLUDED

#include "fuzz.h"

#include "md5.h"

FUZZ_UNSEEN_BEGIN

/* -- What holds ----------------------------------------------------------- */

FUZZ_HELPER md5_options fuzz_md5_options(const fuzz_input *input)
{
    md5_options options;
    memset(&options, 0, sizeof options);
    options.flags = input->flags & 7u;
    options.scale = input->scale;
    options.max_bytes = input->max_bytes;
    options.allocator.alloc = fuzz_alloc;
    options.allocator.release = fuzz_release;
    options.allocator.user = &fuzz_memory;
    return options;
}

FUZZ_HELPER void fuzz_check_md5_error(const md5_error *error, bool loaded, const fuzz_input *input)
{
    size_t i;
    uint32_t lines = 1;
    FUZZ_CHECK(loaded == (error->code == MD5_OK));
    FUZZ_CHECK((unsigned)error->code < MD5_RESULT_COUNT);
    FUZZ_CHECK(memchr(error->message, 0, sizeof error->message) != NULL);
    FUZZ_CHECK(loaded || error->message[0] != 0);
    for (i = 0; i < input->size; ++i) lines += input->data[i] == '\n' || input->data[i] == '\r';
    FUZZ_CHECK(error->line <= lines);
}

FUZZ_HELPER void fuzz_check_unit(const float rotation[4])
{
    double square = 0;
    int i;
    for (i = 0; i < 4; ++i) square += (double)rotation[i] * (double)rotation[i];
    FUZZ_CHECK(square > 0.999 && square < 1.001);
}

static bool fuzz_is_inside(const void *at, const void *block, size_t size)
{
    return (const char *)at >= (const char *)block && (const char *)at < (const char *)block + size;
}

static void fuzz_check_md5_text(const char *text, const void *block, size_t size)
{
    size_t length = strlen(text);
    FUZZ_CHECK(length == 0 ||
               (fuzz_is_inside(text, block, size) && fuzz_is_inside(text + length, block, size)));
}

static void fuzz_check_md5_vertex(const md5_model *model, const md5_mesh *mesh,
                                  const md5_vertex *vertex)
{
    int axis;
    double square = 0;
    FUZZ_CHECK(vertex->weight_count > 0 && vertex->weight_count <= mesh->max_influences);
    FUZZ_CHECK(vertex->first_weight <= mesh->weight_count);
    FUZZ_CHECK(vertex->weight_count <= mesh->weight_count - vertex->first_weight);
    FUZZ_CHECK(fuzz_is_finite((double)vertex->u) && fuzz_is_finite((double)vertex->v));
    fuzz_check_finite(vertex->position, 3);
    fuzz_check_finite(vertex->normal, 3);
    fuzz_check_finite(vertex->tangent, 4);
    FUZZ_CHECK(vertex->tangent[3] * vertex->tangent[3] == 1.0f);
    for (axis = 0; axis < 3; ++axis) {
        FUZZ_CHECK(vertex->position[axis] >= model->min[axis] &&
                   vertex->position[axis] <= model->max[axis]);
        square += (double)vertex->normal[axis] * (double)vertex->normal[axis];
    }
    FUZZ_CHECK(square > 0.999 && square < 1.001);
}

static void fuzz_check_md5_mesh(const md5_model *model, const md5_mesh *mesh)
{
    uint32_t i;
    fuzz_check_md5_text(mesh->shader, model, model->bytes);
    FUZZ_CHECK(mesh->index_count % 3 == 0 && mesh->max_influences <= 64);
    FUZZ_CHECK(mesh->vertex_count == 0 || mesh->skinning != NULL);
    for (i = 0; i < mesh->index_count; ++i) FUZZ_CHECK(mesh->indices[i] < mesh->vertex_count);
    for (i = 0; i < mesh->weight_count; ++i) {
        FUZZ_CHECK(mesh->weights[i].joint < model->joint_count);
        FUZZ_CHECK(fuzz_is_finite((double)mesh->weights[i].bias));
    }
    for (i = 0; i < mesh->vertex_count; ++i) fuzz_check_md5_vertex(model, mesh, &mesh->vertices[i]);
}

FUZZ_HELPER void fuzz_check_md5_model(const md5_model *model)
{
    uint32_t i;
    FUZZ_CHECK(model->joint_count > 0);
    fuzz_check_md5_text(model->commandline, model, model->bytes);
    fuzz_check_finite(model->min, 3);
    fuzz_check_finite(model->max, 3);
    for (i = 0; i < model->joint_count; ++i) {
        const md5_joint *joint = &model->joints[i];
        fuzz_check_md5_text(joint->name, model, model->bytes);
        FUZZ_CHECK(joint->parent >= -1 && joint->parent < (int32_t)i);
        fuzz_check_unit(joint->bind.rotation);
    }
    for (i = 0; i < model->mesh_count; ++i) fuzz_check_md5_mesh(model, &model->meshes[i]);
}

FUZZ_HELPER void fuzz_check_md5_anim(const md5_anim *anim)
{
    uint32_t i;
    FUZZ_CHECK(anim->joint_count > 0 && anim->frame_count > 0 && anim->frame_count <= 65536);
    FUZZ_CHECK(anim->fps > 0 && anim->fps <= FLT_MAX);
    fuzz_check_md5_text(anim->name, anim, anim->bytes);
    for (i = 0; i < anim->joint_count; ++i) {
        fuzz_check_md5_text(anim->joint_names[i], anim, anim->bytes);
        FUZZ_CHECK(anim->parents[i] >= -1 && anim->parents[i] < (int32_t)i);
        FUZZ_CHECK(anim->slots[i] < anim->joint_count);
    }
    FUZZ_INITIALISED(anim->bounds, anim->frame_count * sizeof(md5_bounds));
    FUZZ_INITIALISED(anim->travel, sizeof anim->travel);
}

/* Two loads of one text, all but where they lie. */
FUZZ_HELPER void fuzz_check_same_md5_models(const md5_model *a, const md5_model *b)
{
    uint32_t i;
    FUZZ_CHECK(a->joint_count == b->joint_count && a->mesh_count == b->mesh_count);
    FUZZ_CHECK(a->defects == b->defects && a->defects <= MD5_NO_VERSION);
    FUZZ_CHECK(a->bytes == b->bytes && a->skeleton_hash == b->skeleton_hash);
    FUZZ_CHECK(strcmp(a->commandline, b->commandline) == 0);
    for (i = 0; i < a->joint_count; ++i) {
        FUZZ_CHECK(strcmp(a->joints[i].name, b->joints[i].name) == 0);
        FUZZ_CHECK(fuzz_same(&a->joints[i].bind, &b->joints[i].bind, 1, sizeof(md5_xform)));
    }
    for (i = 0; i < a->mesh_count; ++i) {
        const md5_mesh *one = &a->meshes[i], *two = &b->meshes[i];
        FUZZ_CHECK(strcmp(one->shader, two->shader) == 0);
        FUZZ_CHECK(one->vertex_count == two->vertex_count &&
                   one->weight_count == two->weight_count);
        FUZZ_CHECK(one->index_count == two->index_count);
        FUZZ_CHECK(fuzz_same(one->vertices, two->vertices, one->vertex_count,
                                   sizeof *one->vertices));
        FUZZ_CHECK(
            fuzz_same(one->weights, two->weights, one->weight_count, sizeof *one->weights));
        FUZZ_CHECK(
            fuzz_same(one->indices, two->indices, one->index_count, sizeof *one->indices));
    }
}

FUZZ_HELPER void fuzz_check_same_md5_anims(const md5_anim *a, const md5_anim *b)
{
    FUZZ_CHECK(a->joint_count == b->joint_count && a->frame_count == b->frame_count);
    FUZZ_CHECK(a->bytes == b->bytes && a->skeleton_hash == b->skeleton_hash && a->closed == b->closed);
    FUZZ_CHECK(strcmp(a->name, b->name) == 0 && a->moving_count == b->moving_count);
    FUZZ_CHECK(fuzz_same(a->travel, b->travel, 3, sizeof(float)));
    FUZZ_CHECK(fuzz_same(a->slots, b->slots, a->joint_count, sizeof *a->slots));
    FUZZ_CHECK(fuzz_same(a->still, b->still, a->joint_count - a->moving_count, sizeof *a->still));
    FUZZ_CHECK(fuzz_same(a->frames, b->frames, (size_t)a->frame_count * a->moving_count,
                         sizeof *a->frames));
    FUZZ_CHECK(fuzz_same(a->bounds, b->bounds, a->frame_count, sizeof *a->bounds));
}

/* -- Loading, in every way ------------------------------------------------ */

typedef struct fuzz_md5_loaded {
    md5_model *model;
    md5_anim *anim;
} fuzz_md5_loaded;

static fuzz_md5_loaded fuzz_md5_call(const fuzz_input *input, const md5_options *options,
                                     bool is_anim, bool from_reader, md5_error *error)
{
    fuzz_md5_loaded out = { NULL, NULL };
    fuzz_source source = { input, 0 };
    md5_reader reader;
    reader.read = fuzz_read;
    reader.user = &source;
    if (is_anim && from_reader)
        out.anim = md5_load_anim_reader(&reader, "walk", options, error);
    else if (is_anim)
        out.anim = md5_load_anim_memory(input->data, input->size, "walk", options, error);
    else if (from_reader)
        out.model = md5_load_model_reader(&reader, options, error);
    else
        out.model = md5_load_model_memory(input->data, input->size, options, error);
    return out;
}

static fuzz_md5_loaded fuzz_md5_load(const fuzz_input *input, const md5_options *options,
                                     bool is_anim, bool from_reader)
{
    size_t blocks = fuzz_memory.live_blocks, bytes = fuzz_memory.live_bytes, made;
    fuzz_md5_loaded out;
    md5_error error;
    memset(&error, 0x7F, sizeof error);
    fuzz_measure(fuzz_memory_bound(input->size, from_reader), input->fail_at);
    out = fuzz_md5_call(input, options, is_anim, from_reader, &error);
    fuzz_check_md5_error(&error, out.model || out.anim, input);
    made = out.model ? out.model->bytes : out.anim ? out.anim->bytes : 0;
    fuzz_check_memory(made, blocks, bytes);
    FUZZ_CHECK(!options->max_bytes || fuzz_memory.peak_bytes - bytes <= options->max_bytes);
    if (out.model) fuzz_check_md5_model(out.model);
    if (out.anim) {
        fuzz_check_md5_anim(out.anim);
        fuzz_check_finite((const float *)out.anim->still,
                          8 * (size_t)(out.anim->joint_count - out.anim->moving_count));
        fuzz_check_finite((const float *)out.anim->frames,
                          8 * (size_t)out.anim->frame_count * out.anim->moving_count);
    }
    return out;
}

/* From memory and, as the input's end says, through a reader as well. */
FUZZ_HELPER void fuzz_md5_load_both(const uint8_t *data, size_t size, bool is_anim)
{
    fuzz_input input;
    md5_options options;
    fuzz_md5_loaded first, second;
    fuzz_start_memory(0, 0);
    input = fuzz_open(data, size);
    options = fuzz_md5_options(&input);
    first = fuzz_md5_load(&input, &options, is_anim, false);
    if (input.step) {
        second = fuzz_md5_load(&input, &options, is_anim, true);
        if (first.model && second.model) fuzz_check_same_md5_models(first.model, second.model);
        if (first.anim && second.anim) fuzz_check_same_md5_anims(first.anim, second.anim);
        if (!input.max_bytes && !input.fail_at && input.break_at == SIZE_MAX) {
            FUZZ_CHECK(!first.model == !second.model && !first.anim == !second.anim);
        }
        md5_free_model(second.model);
        md5_free_anim(second.anim);
    }
    md5_free_model(first.model);
    md5_free_anim(first.anim);
    FUZZ_CHECK(fuzz_memory.live_blocks == 0 && fuzz_memory.live_bytes == 0);
}

/* -- Mutator: words, lines, lists ----------------------------------------- */

typedef struct fuzz_text {
    char *bytes;
    size_t size, max;
} fuzz_text;

static const char *const fuzz_md5_integers[] = {
    "0", "1", "-1", "2", "3", "4", "5", "7", "10", "12", "63", "64", "65", "100", "65535", "65536",
    "65537", "2147483647", "2147483648", "-2147483648", "4294967295", "4294967296", "4294967297",
    "99999999999999999999", "18446744073709551617", "00000000001", "+1", "-0", "1.0", "0x10", "1e2"
};

static const char *const fuzz_md5_fractions[] = {
    "0.5", "-0.5", "-0.0", "0.70710678", "-0.7071068", "0.999999", "1.000001", "0.02", "-12.25",
    "1."
};

/* Slow to read, and the target numbers.c has nothing else, so they are seldom here. */
static const char *const fuzz_md5_numbers[] = {
    "1e38", "3.4028235e38", "3.4028236e38", "-3.5e38", "1e-38", "1.17549435e-38", "1e-45", "7e-46",
    "1e-400", "1e400", "nan", "inf", "-1.#IND", "1.#QNAN", "1.", ".5", "-.5e+2", "1e", "1e+", "--1",
    "+.5", ".", "-", "5e-324", "0.1000000000000000055511151231257827",
    "123456789012345678901234567890", "9007199254740993", "16777217", "1e999999999999999999999",
    "0.000000000000000000000000000000000000000000001"
};

static const char *const fuzz_md5_words[] = {
    "MD5Version", "commandline", "numJoints", "numMeshes", "joints", "mesh", "shader", "numverts",
    "vert", "numtris", "tri", "numweights", "weight", "numFrames", "frameRate",
    "numAnimatedComponents", "hierarchy", "bounds", "baseframe", "frame", "numbones", "channel",
    "numCuts", "\"\"", "\"a\"", "\"a b\"", "\"a\\\"", "\"", "{", "}", "(", ")", "//", "/*", "*/",
    "/", "// {\n", "/* \" */", "\n", "\r\n", "\t", "\xEF\xBB\xBF", "name", "{ }", "( 0 0 0 )", "#",
    ","
};

static bool fuzz_is_space(char c) { return (uint8_t)c <= ' '; }

static void fuzz_replace(fuzz_text *text, size_t at, size_t removed, const char *with,
                         size_t length)
{
    text->size =
        fuzz_splice((uint8_t *)text->bytes, text->size, text->max, at, removed, with, length);
}

/* The word at or before a place: what stands between blanks and brackets. */
static size_t fuzz_find_word(const fuzz_text *text, size_t at, size_t *length)
{
    size_t begin = at, end;
    while (begin > 0 && !fuzz_is_space(text->bytes[begin - 1]) &&
           !strchr("(){}", text->bytes[begin - 1]))
        --begin;
    for (end = at;
         end < text->size && !fuzz_is_space(text->bytes[end]) && !strchr("(){}", text->bytes[end]);)
        ++end;
    *length = end - begin;
    return begin;
}

static bool fuzz_starts_number(char c) { return (c >= '0' && c <= '9') || c == '-' || c == '.'; }

/* A number somewhere; its length is 0 where none was found in a few tries. */
static size_t fuzz_find_number(const fuzz_text *text, fuzz_dice *dice, size_t *length)
{
    size_t at = 0;
    int tries;
    *length = 0;
    for (tries = 0; tries < 8 && text->size; ++tries) {
        at = fuzz_find_word(text, fuzz_below(dice, text->size), length);
        if (*length && fuzz_starts_number(text->bytes[at])) return at;
    }
    *length = 0;
    return at;
}

static void fuzz_put_integer(fuzz_text *text, size_t at, size_t removed, long number)
{
    char digits[32];
    int length = snprintf(digits, sizeof digits, "%ld", number);
    fuzz_replace(text, at, removed, digits, (size_t)length);
}

/* The whole number at a place; -1 where there is none. */
static long fuzz_integer_at(const fuzz_text *text, size_t at, size_t *length)
{
    long number = 0;
    for (*length = 0; at + *length < text->size && *length < 9; ++*length) {
        char c = text->bytes[at + *length];
        if (c < '0' || c > '9') break;
        number = number * 10 + (c - '0');
    }
    return *length ? number : -1;
}

static void fuzz_change_number(fuzz_text *text, fuzz_dice *dice)
{
    size_t length, digits, at = fuzz_find_number(text, dice, &length);
    const char *with;
    long number;
    if (!length) return;
    number = fuzz_integer_at(text, at, &digits);
    switch (fuzz_below(dice, 4)) {
    case 0:
    case 1:
        if (digits == length) {
            fuzz_put_integer(text, at, length, fuzz_below(dice, 2) ? number + 1 : number - 1);
            return;
        }
        /* fall through */
    case 2: with = FUZZ_PICK(dice, fuzz_md5_integers); break;
    default:
        with = fuzz_below(dice, 8) ? FUZZ_PICK(dice, fuzz_md5_fractions)
                                   : FUZZ_PICK(dice, fuzz_md5_numbers);
    }
    fuzz_replace(text, at, length, with, strlen(with));
}

static void fuzz_change_word(fuzz_text *text, fuzz_dice *dice)
{
    size_t length, at = fuzz_find_word(text, fuzz_below(dice, text->size), &length);
    const char *with = FUZZ_PICK(dice, fuzz_md5_words);
    switch (fuzz_below(dice, 4)) {
    case 0: fuzz_replace(text, at, length, with, strlen(with)); break;
    case 1: fuzz_replace(text, at, 0, with, strlen(with)); break;
    case 2: fuzz_replace(text, at, length + (at + length < text->size), NULL, 0); break;
    default:
        if (length) text->bytes[at + fuzz_below(dice, length)] ^= (char)(1 << fuzz_below(dice, 8));
    }
}

static size_t fuzz_line_begin(const fuzz_text *text, size_t at)
{
    while (at > 0 && text->bytes[at - 1] != '\n') --at;
    return at;
}

static size_t fuzz_line_end(const fuzz_text *text, size_t at)
{
    while (at < text->size && text->bytes[at] != '\n') ++at;
    return at < text->size ? at + 1 : at;
}

/* A run of lines goes, or is there a second time, here or elsewhere. */
static void fuzz_change_lines(fuzz_text *text, fuzz_dice *dice)
{
    static char copy[1024];
    size_t begin = fuzz_line_begin(text, fuzz_below(dice, text->size)), end = begin, to;
    uint32_t lines = fuzz_below(dice, 3) ? 1 : 1 + fuzz_below(dice, 8),
             action = fuzz_below(dice, 4);
    for (; lines; --lines) end = fuzz_line_end(text, end);
    if (end - begin > sizeof copy) return;
    memcpy(copy, text->bytes + begin, end - begin);
    if (action < 2) fuzz_replace(text, begin, end - begin, NULL, 0);
    if (action == 0 || text->size == 0) return;
    to = action == 3 ? begin : fuzz_line_begin(text, fuzz_below(dice, text->size));
    fuzz_replace(text, to, 0, copy, end - begin);
}

typedef struct fuzz_list {
    const char *count, *item;
    bool block; /* an item ends with a }, not with its line */
} fuzz_list;

static const fuzz_list fuzz_md5_lists[] = { { "numverts", "vert ", false },
                                            { "numtris", "tri ", false },
                                            { "numweights", "weight ", false },
                                            { "numJoints", "\"", false },
                                            { "numFrames", "frame ", true } };

/* Where a text holds a word, beginning the search anywhere; its size where nowhere. */
static size_t fuzz_find_text(const fuzz_text *text, const char *word, size_t from)
{
    size_t length = strlen(word), i, at;
    for (i = 0; text->size > length && i < text->size; ++i) {
        at = (from + i) % text->size;
        if (at + length < text->size && text->bytes[at] == word[0] &&
            memcmp(text->bytes + at, word, length) == 0) {
            return at;
        }
    }
    return text->size;
}

/* The last line of a list that begins behind `at`, up to the } of its block. */
static size_t fuzz_last_item(const fuzz_text *text, const fuzz_list *list, size_t at)
{
    size_t length = strlen(list->item), last = text->size, indent;
    for (at = fuzz_line_end(text, at); at < text->size; at = fuzz_line_end(text, at)) {
        for (indent = at;
             indent < text->size && (text->bytes[indent] == ' ' || text->bytes[indent] == '\t');)
            ++indent;
        if (indent + length < text->size && memcmp(text->bytes + indent, list->item, length) == 0)
            last = at;
        if (text->bytes[indent] == '}' && last < text->size && !list->block) break;
    }
    return last;
}

static size_t fuzz_item_end(const fuzz_text *text, const fuzz_list *list, size_t at)
{
    while (list->block && at < text->size && text->bytes[at] != '}') ++at;
    return fuzz_line_end(text, at);
}

/* An animation has a line more for each joint. */
static void fuzz_add_base_line(fuzz_text *text)
{
    static char copy[256];
    size_t at = fuzz_find_text(text, "baseframe", 0), end;
    if (at == text->size) return;
    at = fuzz_line_end(text, at);
    end = fuzz_line_end(text, at);
    if (end - at > sizeof copy) return;
    memcpy(copy, text->bytes + at, end - at);
    fuzz_replace(text, at, 0, copy, end - at);
}

/* Makes a list longer or shorter by its last item, and sets its count to match. */
static void fuzz_change_list(fuzz_text *text, fuzz_dice *dice)
{
    static char copy[1024];
    const fuzz_list *list = &FUZZ_PICK(dice, fuzz_md5_lists);
    size_t at = fuzz_find_text(text, list->count, fuzz_below(dice, text->size)), count_at, length,
           item, end;
    long count, number;
    count_at = at + strlen(list->count) + 1;
    if (at == text->size || count_at >= text->size) return;
    count = fuzz_integer_at(text, count_at, &length);
    item = fuzz_last_item(text, list, at);
    if (count < 0 || item == text->size) return;
    end = fuzz_item_end(text, list, item);
    if (end - item > sizeof copy) return;
    memcpy(copy, text->bytes + item, end - item);
    if (fuzz_below(dice, 3) == 0 && count > 0) {
        fuzz_replace(text, item, end - item, NULL, 0);
        fuzz_put_integer(text, count_at, length, count - 1);
    } else if (text->size + (end - item) + 40 < text->max) {
        size_t digits, old = fuzz_find_text(text, list->item, item) + strlen(list->item);
        fuzz_replace(text, item, 0, copy, end - item);
        number = fuzz_integer_at(text, old, &digits);
        if (number >= 0) fuzz_put_integer(text, old + (end - item), digits, number + 1);
        if (list->item[0] == '"') fuzz_add_base_line(text);
        fuzz_put_integer(text, count_at, length, count + 1);
    }
}

FUZZ_HELPER size_t fuzz_mutate_md5(uint8_t *data, size_t size, size_t max, fuzz_dice *dice)
{
    fuzz_text text;
    uint32_t edits = 1 + fuzz_below(dice, 4);
    text.bytes = (char *)data;
    text.size = size;
    text.max = max;
    for (; edits && text.size; --edits) {
        switch (fuzz_below(dice, 12)) {
        case 0: text.size = fuzz_mutate_bytes(data, text.size, max, dice); break;
        case 1:
        case 2: fuzz_change_word(&text, dice); break;
        case 3:
        case 4: fuzz_change_lines(&text, dice); break;
        case 5:
        case 6:
        case 7: fuzz_change_list(&text, dice); break;
        default: fuzz_change_number(&text, dice);
        }
    }
    return text.size ? text.size : fuzz_mutate_bytes(data, text.size, max, dice);
}

FUZZ_UNSEEN_END

#endif /* FUZZ_MD5_MODEL_H_INCLUDED */
