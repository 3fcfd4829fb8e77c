/* write_md5.c - writes .md5mesh and .md5anim texts. Public domain. */
#include "convert.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBERS = 6 };                 /* numbers of a joint in a frame */

double round_to_millionths(double x)
{
    return floor(x * 1e6 + 0.5) / 1e6;
}

void md5_stored_rotation(const double rotation[4], double xyz[3])
{
    double length = sqrt(rotation[0] * rotation[0] + rotation[1] * rotation[1] +
                         rotation[2] * rotation[2] + rotation[3] * rotation[3]);

    /* Keep every bit of a quaternion that already has the length 1. */
    double factor = length > 0 ? 1 / length : 0;
    if (fabs(length - 1) < 1e-6) factor = 1;
    if (rotation[3] > 0) factor = -factor;
    for (int k = 0; k < 3; ++k) xyz[k] = rotation[k] * factor;
}

/* -- Text -------------------------------------------------------------------------------------- */

/* Writes a name in quotes. Replaces quotation marks and control characters, for which the format has no escape. */
static void put_name(blob *b, const char *name)
{
    put_text(b, "\"");
    for (const char *c = name; *c; ++c) {
        bool is_control = (unsigned char)*c < 32 || *c == 127;
        bool is_allowed = *c != '"' && !is_control;
        put_byte(b, is_allowed ? (unsigned char)*c : '_');
    }
    put_text(b, "\"");
}

static void put_numbers(blob *b, const double *numbers, int count)
{
    put_text(b, "( ");
    for (int i = 0; i < count; ++i) {
        put_number(b, numbers[i]);
        put_text(b, " ");
    }
    put_text(b, ")");
}

static void put_head(blob *b, const char *commandline)
{
    put_text(b, "MD5Version 10\ncommandline ");
    put_name(b, commandline);
    put_text(b, "\n\n");
}

/* -- Meshes ------------------------------------------------------------------------------------ */

static void put_joint(blob *b, const md5_out_joint *joints, uint32_t index)
{
    const md5_out_joint *joint = &joints[index];
    double               xyz[3];
    md5_stored_rotation(joint->rotation, xyz);

    put_text(b, "\t");
    put_name(b, joint->name);
    put_format(b, " %d ", (int)joint->parent);
    put_numbers(b, joint->position, 3);
    put_text(b, " ");
    put_numbers(b, xyz, 3);

    /* Write the name of the parent as a // comment. It has no line breaks, because put_name replaces them. */
    if (joint->parent >= 0) {
        blob parent = { NULL, 0, 0 };
        put_name(&parent, joints[joint->parent].name);
        put_text(b, " // ");
        put(b, parent.data + 1, parent.size - 2);
        free_blob(&parent);
    }
    put_text(b, "\n");
}

static void put_mesh(blob *b, const md5_out_mesh *mesh)
{
    put_text(b, "mesh {\n\tshader ");
    put_name(b, mesh->shader);

    put_format(b, "\n\n\tnumverts %u\n", (unsigned)mesh->vertex_count);
    for (uint32_t i = 0; i < mesh->vertex_count; ++i) {
        const md5_out_vertex *vertex = &mesh->vertices[i];
        double                uv[2] = { vertex->u, vertex->v };
        put_format(b, "\tvert %u ", (unsigned)i);
        put_numbers(b, uv, 2);
        put_format(b, " %u %u\n", (unsigned)vertex->first_weight, (unsigned)vertex->weight_count);
    }

    put_format(b, "\n\tnumtris %u\n", (unsigned)(mesh->index_count / 3));
    for (uint32_t i = 0; i < mesh->index_count; i += 3) {
        put_format(b, "\ttri %u %u %u %u\n", (unsigned)(i / 3), (unsigned)mesh->indices[i],
                   (unsigned)mesh->indices[i + 1], (unsigned)mesh->indices[i + 2]);
    }

    put_format(b, "\n\tnumweights %u\n", (unsigned)mesh->weight_count);
    for (uint32_t i = 0; i < mesh->weight_count; ++i) {
        const md5_out_weight *weight = &mesh->weights[i];
        put_format(b, "\tweight %u %u ", (unsigned)i, (unsigned)weight->joint);
        put_number(b, weight->bias);
        put_text(b, " ");
        put_numbers(b, weight->position, 3);
        put_text(b, " \n");
    }
    put_text(b, "}\n");
}

blob write_md5mesh(const char *commandline, const md5_out_joint *joints, uint32_t joint_count,
                    const md5_out_mesh *meshes, uint32_t mesh_count)
{
    blob file = { NULL, 0, 0 };
    put_head(&file, commandline);
    put_format(&file, "numJoints %u\nnumMeshes %u\n\njoints {\n", (unsigned)joint_count,
               (unsigned)mesh_count);
    for (uint32_t i = 0; i < joint_count; ++i) put_joint(&file, joints, i);
    put_text(&file, "}\n\n");

    for (uint32_t i = 0; i < mesh_count; ++i) {
        if (i > 0) put_text(&file, "\n");
        put_mesh(&file, &meshes[i]);
    }
    return file;
}

/* -- Animations -------------------------------------------------------------------------------- */

static const double *numbers_of(const md5_out_anim *anim, uint32_t frame, uint32_t joint)
{
    return anim->parts[(size_t)frame * anim->joint_count + joint].number;
}

/* Returns which of the six numbers of a joint change, one bit per number. */
static uint32_t find_moving_numbers(const md5_out_anim *anim, uint32_t joint)
{
    const double *base = numbers_of(anim, 0, joint);
    uint32_t      flags = 0;
    for (uint32_t frame = 1; frame < anim->frame_count; ++frame) {
        const double *numbers = numbers_of(anim, frame, joint);
        for (int k = 0; k < NUMBERS; ++k) {
            bool differs = numbers[k] < base[k] || numbers[k] > base[k];
            if (differs) flags |= 1u << k;
        }
    }
    return flags;
}

static uint32_t count_bits(uint32_t flags)
{
    uint32_t count = 0;
    for (; flags; flags >>= 1) count += flags & 1;
    return count;
}

static void put_hierarchy(blob *b, const md5_out_anim *anim, const uint32_t *flags)
{
    uint32_t start = 0;
    put_text(b, "hierarchy {\n");
    for (uint32_t i = 0; i < anim->joint_count; ++i) {
        put_text(b, "\t");
        put_name(b, anim->joints[i].name);
        put_format(b, " %d %u %u\n", (int)anim->joints[i].parent, (unsigned)flags[i],
                   (unsigned)(flags[i] ? start : 0));
        start += count_bits(flags[i]);
    }
    put_text(b, "}\n\n");
}

static void put_bounds(blob *b, const md5_out_anim *anim)
{
    put_text(b, "bounds {\n");
    for (uint32_t i = 0; i < anim->frame_count; ++i) {
        put_text(b, "\t");
        put_numbers(b, anim->bounds + 6 * (size_t)i, 3);
        put_text(b, " ");
        put_numbers(b, anim->bounds + 6 * (size_t)i + 3, 3);
        put_text(b, " \n");
    }
    put_text(b, "}\n\n");
}

static void put_base(blob *b, const md5_out_anim *anim)
{
    put_text(b, "baseframe {\n");
    for (uint32_t i = 0; i < anim->joint_count; ++i) {
        const double *numbers = numbers_of(anim, 0, i);
        put_text(b, "\t");
        put_numbers(b, numbers, 3);
        put_text(b, " ");
        put_numbers(b, numbers + 3, 3);
        put_text(b, "\n");
    }
    put_text(b, "}\n\n");
}

static void put_frame(blob *b, const md5_out_anim *anim, const uint32_t *flags, uint32_t frame)
{
    put_format(b, "frame %u {\n", (unsigned)frame);
    for (uint32_t i = 0; i < anim->joint_count; ++i) {
        if (!flags[i]) continue;

        const double *numbers = numbers_of(anim, frame, i);
        put_text(b, "\t");
        for (int k = 0; k < NUMBERS; ++k) {
            if (!(flags[i] >> k & 1)) continue;
            put_number(b, numbers[k]);
            put_text(b, " ");
        }
        put_text(b, "\n");
    }
    put_text(b, "}\n\n");
}

blob write_md5anim(const char *commandline, const md5_out_anim *anim)
{
    uint32_t *flags = (uint32_t *)allocate(anim->joint_count, sizeof(uint32_t));
    uint32_t  moving = 0;
    for (uint32_t i = 0; i < anim->joint_count; ++i) {
        flags[i] = find_moving_numbers(anim, i);
        moving += count_bits(flags[i]);
    }

    blob file = { NULL, 0, 0 };
    put_head(&file, commandline);
    put_format(&file, "numFrames %u\nnumJoints %u\nframeRate ", (unsigned)anim->frame_count,
               (unsigned)anim->joint_count);
    put_number(&file, anim->fps);
    put_format(&file, "\nnumAnimatedComponents %u\n\n", (unsigned)moving);
    put_hierarchy(&file, anim, flags);
    put_bounds(&file, anim);
    put_base(&file, anim);
    for (uint32_t i = 0; i < anim->frame_count; ++i) put_frame(&file, anim, flags, i);
    release(flags);
    return file;
}
