/* positions MODEL [ANIMATION...]: prints the vertex positions of an MD2 or MD5 at several times of its
   animations, computed by md2.h and md5.h, in the axes of glTF and in meters. The output is a JSON object.
   check.mjs and check_blender.py compare it with the vertices that other programs show.

   positions --frames MODEL.md2: prints the corners of all triangles in each frame, as x, z, y (the order of
   three.js) in the units of the file. Public domain. */
#define MD2_IMPLEMENTATION
#define MD5_IMPLEMENTATION
#include "md2.h"
#include "md5.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES = 5 };
static const float meters = 0.0254f;

static void *allocate_zeroed(size_t size)
{
    void *block = calloc(1, size + 1);
    if (!block) exit(EXIT_FAILURE);
    return block;
}

static void print_string(const char *text)
{
    printf("\"");
    for (const char *c = text; *c; ++c) {
        bool is_plain = (unsigned char)*c >= 32 && (unsigned char)*c < 127 && *c != '"' &&
            *c != '\\';
        if (is_plain) printf("%c", *c);
        else printf("\\u%04x", (unsigned char)*c);
    }
    printf("\"");
}

static void print_vertices(const float *positions, uint32_t count)
{
    printf("[");
    for (uint32_t i = 0; i < 3 * count; ++i) printf(i > 0 ? ",%.7g" : "%.7g", (double)positions[i]);
    printf("]");
}

/* Returns true for every second sample, which is at a key. The others are between two keys. */
static bool is_at_key(int sample)
{
    return sample % 2 == 0;
}

static double sample_time(int sample, double length, double fps)
{
    double time = length * (sample * 0.96 / (SAMPLES - 1) + 0.02);
    return is_at_key(sample) ? floor(time * fps) / fps : time;
}

static void begin_sample(int sample, double time)
{
    printf("%s{\"time\":%.9g,\"is_at_key\":%s,\"parts\":[", sample > 0 ? "," : "", time,
           is_at_key(sample) ? "true" : "false");
}

static int print_md2(const char *path)
{
    md2_options options;
    md2_error   error;
    memset(&options, 0, sizeof options);
    options.flags = MD2_Y_UP;
    options.scale = meters;
    md2_model *model = md2_load_file(path, &options, &error);
    if (model && model->defects & MD2_FACES_INWARD) {
        md2_free_model(model);        /* Load it again, like mdconvert: the winding changes the order of vertices. */
        options.flags |= MD2_KEEP_WINDING;
        model = md2_load_file(path, &options, &error);
    }
    if (!model) {
        fprintf(stderr, "positions: %s: %s\n", path, error.message);
        return EXIT_FAILURE;
    }

    float *positions = (float *)allocate_zeroed((size_t)model->vertex_count * 12);
    printf("{\"anims\":[");
    for (uint32_t i = 0; i < model->anim_count; ++i) {
        const md2_anim *anim = &model->anims[i];
        printf("%s\n{\"name\":", i > 0 ? "," : "");
        print_string(anim->name);
        printf(",\"samples\":[");
        for (int k = 0; k < SAMPLES; ++k) {
            double   time = sample_time(k, md2_anim_length(anim, MD2_LOOP), (double)anim->fps);
            md2_pose pose = md2_pose_at(anim, MD2_LOOP, time);
            md2_pose_vertices(model, &pose, positions, 0, NULL, 0);
            begin_sample(k, time);
            print_vertices(positions, model->vertex_count);
            printf("]}");
        }
        printf("]}");
    }
    printf("]}\n");
    free(positions);
    md2_free_model(model);
    return EXIT_SUCCESS;
}

static void print_pose(const md5_model *model, const md5_xform *pose)
{
    for (uint32_t i = 0, printed = 0; i < model->mesh_count; ++i) {
        const md5_mesh *mesh = &model->meshes[i];
        if (mesh->index_count == 0) continue;

        float *positions = (float *)allocate_zeroed((size_t)mesh->vertex_count * 12);
        md5_pose_vertices(model, i, pose, positions, 0, NULL, 0, NULL, 0);
        if (printed++ > 0) printf(",");
        print_vertices(positions, mesh->vertex_count);
        free(positions);
    }
}

/* Returns how many vertices have weights that do not sum to 1. */
static uint32_t count_unnormalized_vertices(const md5_mesh *mesh)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < mesh->vertex_count; ++i) {
        const md5_vertex *vertex = &mesh->vertices[i];
        double            sum = 0;
        for (uint32_t k = 0; k < vertex->weight_count; ++k) {
            sum += (double)mesh->weights[vertex->first_weight + k].bias;
        }
        if (fabs(sum - 1) > 0.001) ++count;
    }
    return count;
}

static int print_md5(int count, char **paths)
{
    md5_options options;
    md5_error   error;
    memset(&options, 0, sizeof options);
    options.flags = MD5_Y_UP;
    options.scale = meters;
    md5_model *model = md5_load_model_file(paths[0], &options, &error);
    if (!model) {
        fprintf(stderr, "positions: %s: %s\n", paths[0], error.message);
        return EXIT_FAILURE;
    }

    uint32_t   influences = 0, uneven = 0;
    md5_xform *pose = (md5_xform *)allocate_zeroed(model->joint_count * sizeof *pose);
    for (uint32_t i = 0; i < model->mesh_count; ++i) {
        uint32_t most = model->meshes[i].max_influences;
        if (most > influences) influences = most;
        uneven += count_unnormalized_vertices(&model->meshes[i]);
    }
    printf("{\"influences\":%u,\"uneven\":%u,\"anims\":[", (unsigned)influences, (unsigned)uneven);
    for (int i = 1, printed = 0; i < count; ++i) {
        md5_anim *anim = md5_load_anim_file(paths[i], &options, NULL);
        if (anim && md5_check_anim(model, anim, NULL) == MD5_OK) {
            printf("%s\n{\"name\":", printed++ > 0 ? "," : "");
            print_string(anim->name);
            printf(",\"samples\":[");
            for (int k = 0; k < SAMPLES; ++k) {
                double time = sample_time(k, md5_anim_length(anim, MD5_ONCE), (double)anim->fps);
                md5_pose_at(model, anim, MD5_ONCE, time, pose);
                md5_pose_to_model_space(model, pose, pose);
                begin_sample(k, time);
                print_pose(model, pose);
                printf("]}");
            }
            printf("]}");
        }
        md5_free_anim(anim);
    }
    printf("]}\n");
    free(pose);
    md5_free_model(model);
    return EXIT_SUCCESS;
}

static int print_frames(const char *path)
{
    md2_options options;
    memset(&options, 0, sizeof options);
    options.flags = MD2_KEEP_WINDING;
    md2_model *model = md2_load_file(path, &options, NULL);
    if (!model) return EXIT_FAILURE;

    float *positions = (float *)allocate_zeroed((size_t)model->vertex_count * 12);
    printf("{\"frames\":[");
    for (uint32_t i = 0; i < model->frame_count; ++i) {
        md2_pose pose = md2_pose_between(i, i, 0);
        md2_pose_vertices(model, &pose, positions, 0, NULL, 0);
        printf("%s{\"name\":", i > 0 ? ",\n" : "");
        print_string(model->frames[i].name);
        printf(",\"corners\":[");
        for (uint32_t k = 0; k < model->index_count; ++k) {
            const float *p = positions + 3 * (size_t)model->indices[k];
            printf("%s%.7g,%.7g,%.7g", k > 0 ? "," : "", (double)p[0], (double)p[2], (double)p[1]);
        }
        printf("]}");
    }
    printf("]}\n");
    free(positions);
    md2_free_model(model);
    return EXIT_SUCCESS;
}

int main(int count, char **arguments)
{
    if (count == 3 && strcmp(arguments[1], "--frames") == 0) return print_frames(arguments[2]);
    if (count < 2) {
        fprintf(stderr, "usage: %s MODEL [ANIMATION...]\n", arguments[0]);
        return EXIT_FAILURE;
    }
    size_t length = strlen(arguments[1]);
    bool   is_md2 = length > 4 && (arguments[1][length - 1] == '2');
    return is_md2 ? print_md2(arguments[1]) : print_md5(count - 1, arguments + 1);
}
