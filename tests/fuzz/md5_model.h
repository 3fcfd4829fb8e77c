/* md5_model.h: checks that every loaded MD5 model and animation must pass, however damaged its text is. Public
   domain. */
#ifndef FUZZ_MD5_MODEL_H_INCLUDED
#define FUZZ_MD5_MODEL_H_INCLUDED

#include "fuzz.h"

#include "md5.h"

FUZZ_UNSEEN_BEGIN

FUZZ_HELPER md5_options fuzz_md5_options(const fuzz_input *input)
{
    md5_options options;
    FUZZ_SET_OPTIONS(options, input, 7u);
    return options;
}

FUZZ_HELPER void fuzz_check_md5_error(const md5_error *error, bool loaded, const fuzz_input *input)
{
    uint32_t lines = 1;
    FUZZ_CHECK_ERROR(MD5, error, loaded);
    for (size_t i = 0; i < input->size; ++i)
        lines += input->data[i] == '\n' || input->data[i] == '\r';
    FUZZ_CHECK(error->line <= lines);
}

FUZZ_HELPER void fuzz_check_unit(const float rotation[4])
{
    double square = 0;
    for (int i = 0; i < 4; ++i) square += (double)rotation[i] * (double)rotation[i];
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
    double square = 0;
    FUZZ_CHECK(vertex->weight_count > 0 && vertex->weight_count <= mesh->max_influences);
    FUZZ_CHECK(vertex->first_weight <= mesh->weight_count);
    FUZZ_CHECK(vertex->weight_count <= mesh->weight_count - vertex->first_weight);
    FUZZ_CHECK(fuzz_is_finite((double)vertex->u) && fuzz_is_finite((double)vertex->v));
    fuzz_check_finite(vertex->position, 3);
    fuzz_check_finite(vertex->normal, 3);
    fuzz_check_finite(vertex->tangent, 4);
    FUZZ_CHECK(vertex->tangent[3] * vertex->tangent[3] == 1.0f);
    for (int axis = 0; axis < 3; ++axis) {
        FUZZ_CHECK(vertex->position[axis] >= model->min[axis] &&
                   vertex->position[axis] <= model->max[axis]);
        square += (double)vertex->normal[axis] * (double)vertex->normal[axis];
    }
    FUZZ_CHECK(square > 0.999 && square < 1.001);
}

static void fuzz_check_md5_mesh(const md5_model *model, const md5_mesh *mesh)
{
    fuzz_check_md5_text(mesh->shader, model, model->bytes);
    FUZZ_CHECK(mesh->index_count % 3 == 0 && mesh->max_influences <= 64);
    FUZZ_CHECK(mesh->vertex_count == 0 || mesh->private_data.skinning != NULL);
    for (uint32_t i = 0; i < mesh->index_count; ++i)
        FUZZ_CHECK(mesh->indices[i] < mesh->vertex_count);
    for (uint32_t i = 0; i < mesh->weight_count; ++i) {
        FUZZ_CHECK(mesh->weights[i].joint < model->joint_count);
        FUZZ_CHECK(fuzz_is_finite((double)mesh->weights[i].bias));
    }
    for (uint32_t i = 0; i < mesh->vertex_count; ++i)
        fuzz_check_md5_vertex(model, mesh, &mesh->vertices[i]);
}

FUZZ_HELPER void fuzz_check_md5_model(const md5_model *model)
{
    FUZZ_CHECK(model->joint_count > 0);
    fuzz_check_md5_text(model->commandline, model, model->bytes);
    fuzz_check_finite(model->min, 3);
    fuzz_check_finite(model->max, 3);
    for (uint32_t i = 0; i < model->joint_count; ++i) {
        const md5_joint *joint = &model->joints[i];
        fuzz_check_md5_text(joint->name, model, model->bytes);
        FUZZ_CHECK(joint->parent >= -1 && joint->parent < (int32_t)i);
        fuzz_check_unit(joint->bind.rotation);
    }
    for (uint32_t i = 0; i < model->mesh_count; ++i) fuzz_check_md5_mesh(model, &model->meshes[i]);
}

FUZZ_HELPER void fuzz_check_md5_anim(const md5_anim *anim)
{
    FUZZ_CHECK(anim->joint_count > 0 && anim->frame_count > 0 && anim->frame_count <= 65536);
    FUZZ_CHECK(anim->fps > 0 && anim->fps <= FLT_MAX);
    fuzz_check_md5_text(anim->name, anim, anim->bytes);
    for (uint32_t i = 0; i < anim->joint_count; ++i) {
        fuzz_check_md5_text(anim->joint_names[i], anim, anim->bytes);
        FUZZ_CHECK(anim->parents[i] >= -1 && anim->parents[i] < (int32_t)i);
        FUZZ_CHECK(anim->slots[i] < anim->moving_count + anim->joint_count);
    }
    if (anim->bounds) FUZZ_INITIALISED(anim->bounds, anim->frame_count * sizeof(md5_bounds));
}

FUZZ_UNSEEN_END

#endif /* FUZZ_MD5_MODEL_H_INCLUDED */
