/* md2_model.h: checks that every loaded MD2 must pass, however damaged its file is. Public domain. */
#ifndef FUZZ_MD2_MODEL_H_INCLUDED
#define FUZZ_MD2_MODEL_H_INCLUDED

#include "fuzz.h"

#include "md2.h"

FUZZ_UNSEEN_BEGIN

FUZZ_HELPER md2_options fuzz_md2_options(const fuzz_input *input)
{
    md2_options options;
    FUZZ_SET_OPTIONS(options, input, 63u);
    options.fps = input->fps;
    return options;
}

FUZZ_HELPER void fuzz_check_md2_error(const md2_error *error, bool loaded, const fuzz_input *input)
{
    FUZZ_CHECK_ERROR(MD2, error, loaded);
    FUZZ_CHECK(error->offset <= input->size);
}

static void fuzz_check_md2_frame(const md2_model *model, const md2_frame *frame)
{
    FUZZ_CHECK(memchr(frame->name, 0, sizeof frame->name) != NULL);
    fuzz_check_finite(frame->scale, 3);
    fuzz_check_finite(frame->translate, 3);
    fuzz_check_finite(frame->min, 3);
    fuzz_check_finite(frame->max, 3);
    for (uint32_t axis = 0; axis < 3; ++axis) {
        FUZZ_CHECK(frame->min[axis] >= model->min[axis] && frame->max[axis] <= model->max[axis]);
    }
    for (uint32_t i = 0; i < model->point_count; ++i) {
        const md2_point *point = &frame->points[i];
        uint8_t bytes[3];
        bytes[0] = point->x;
        bytes[1] = point->y;
        bytes[2] = point->z;
        for (uint32_t axis = 0; axis < 3; ++axis) {
            float at = frame->translate[axis] + (float)bytes[axis] * frame->scale[axis];
            FUZZ_CHECK(at >= frame->min[axis] && at <= frame->max[axis]);
        }
        fuzz_check_finite(md2_normal(point->normal), 3);
    }
}

static void fuzz_check_md2_anims(const md2_model *model)
{
    for (uint32_t i = 0; i < model->anim_count; ++i) {
        const md2_anim *anim = &model->anims[i];
        FUZZ_CHECK(memchr(anim->name, 0, sizeof anim->name) != NULL && anim->name[0] != 0);
        FUZZ_CHECK(anim->count > 0 && anim->count <= model->frame_count);
        FUZZ_CHECK(anim->first <= model->frame_count - anim->count);
        FUZZ_CHECK(i == 0 || anim->first >= anim[-1].first + anim[-1].count);
        FUZZ_CHECK(anim->fps > 0 && anim->fps <= FLT_MAX);
    }
    for (uint32_t i = 0; i < model->anim_count && i < 40; ++i) {
        FUZZ_CHECK(md2_find_anim(model, model->anims[i].name) == &model->anims[i]);
    }
}

static void fuzz_check_md2_strips(const md2_model *model)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < model->strip_count; ++i) {
        FUZZ_CHECK(model->strips[i].first == sum && model->strips[i].count > 0);
        sum += model->strips[i].count;
    }
    FUZZ_CHECK(sum == model->strip_vertex_count);
    for (uint32_t i = 0; i < model->strip_vertex_count; ++i) {
        const md2_strip_vertex *vertex = &model->strip_vertices[i];
        FUZZ_CHECK(vertex->vertex < model->vertex_count);
        FUZZ_CHECK(fuzz_is_finite((double)vertex->u) && fuzz_is_finite((double)vertex->v));
    }
}

static void fuzz_check_md2_triangles(const md2_model *model)
{
    FUZZ_CHECK(model->index_count % 3 == 0 && model->vertex_count <= model->index_count);
    for (uint32_t i = 0; i < model->index_count; ++i)
        FUZZ_CHECK(model->indices[i] < model->vertex_count);
    for (uint32_t i = 0; i < model->vertex_count; ++i) {
        FUZZ_CHECK(model->vertices[i].point < model->point_count);
        FUZZ_CHECK(fuzz_is_finite((double)model->vertices[i].u));
        FUZZ_CHECK(fuzz_is_finite((double)model->vertices[i].v));
    }
    FUZZ_INITIALISED(model->vertices, model->vertex_count * sizeof(md2_vertex));
}

/* Checks that there are strips only if the GL commands are valid, and repairs only if there are triangles. */
static void fuzz_check_md2_defects(const md2_model *model)
{
    FUZZ_CHECK(model->defects < 32);
    FUZZ_CHECK(!(model->defects & MD2_BAD_COMMANDS) || model->strip_count == 0);
    FUZZ_CHECK(model->index_count > 0 || !(model->defects & ~(uint32_t)MD2_BAD_COMMANDS));
}

FUZZ_HELPER void fuzz_check_md2(const md2_model *model)
{
    fuzz_check_md2_defects(model);
    FUZZ_CHECK(model->frame_count >= 1 && model->frame_count <= 65536 && model->point_count >= 1);
    for (uint32_t i = 0; i < model->skin_count; ++i) {
        FUZZ_CHECK(memchr(model->skins[i].path, 0, sizeof model->skins[i].path) != NULL);
    }
    fuzz_check_md2_triangles(model);
    fuzz_check_md2_strips(model);
    fuzz_check_md2_anims(model);
    for (uint32_t i = 0; i < model->frame_count; ++i)
        fuzz_check_md2_frame(model, &model->frames[i]);
    FUZZ_CHECK(md2_find_frame(model, model->frames[model->frame_count - 1].name) >= 0);
}

FUZZ_UNSEEN_END

#endif /* FUZZ_MD2_MODEL_H_INCLUDED */
