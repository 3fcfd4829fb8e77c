/* check_outputs.c - checks that md2.h and md5.h can load the results of a conversion. Public domain. */
#include "mdconvert.h"
#include "../viewer/folder.h"

#include <stdio.h>
#include <string.h>

enum { MAX_BYTES = 1 << 30 };

/* Prints a note: with its default options, the header refuses to load the file. */
static void note_limit(const output *one, const char *header)
{
    note("%s loads %s only if options.max_bytes allows more than 64 MiB", header,
         file_name(one->path));
}

static bool refuse(const convert_request *request, const output *one, const char *header, const char *message)
{
    return fail(request->model, "%s would be rejected by %s: %s", file_name(one->path), header, message);
}

static bool check_md2(const convert_request *request, const output *one, double size[3])
{
    md2_options options;
    md2_error   error;
    memset(&options, 0, sizeof options);
    options.allocator.alloc = allocate_if_there;
    options.allocator.release = release_sized;
    md2_model *model = md2_load_memory(one->file.data, one->file.size, &options, &error);
    if (!model && error.code == MD2_ERROR_LIMIT) {
        note_limit(one, "md2.h");
        options.max_bytes = MAX_BYTES;
        model = md2_load_memory(one->file.data, one->file.size, &options, &error);
    }
    if (!model) return refuse(request, one, "md2.h", error.message);

    for (int k = 0; k < 3; ++k) {
        size[k] = (double)model->frames[0].max[k] - (double)model->frames[0].min[k];
    }
    bool has_triangles = model->index_count > 0;
    md2_free_model(model);
    return has_triangles || fail(request->model, "the model has no triangles");
}

/* Returns NULL and reports an error if the header rejects the file. */
static md5_model *check_md5mesh(const convert_request *request, const output *one, double size[3])
{
    md5_options options = make_md5_options(0, 1);
    md5_error   error;
    options.max_bytes = 0;
    md5_model *model = md5_load_model_memory(one->file.data, one->file.size, &options, &error);
    if (!model && error.code == MD5_ERROR_LIMIT) {
        note_limit(one, "md5.h");
        options.max_bytes = MAX_BYTES;
        model = md5_load_model_memory(one->file.data, one->file.size, &options, &error);
    }
    if (!model) {
        refuse(request, one, "md5.h", error.message);
        return NULL;
    }
    for (int k = 0; k < 3; ++k) size[k] = (double)model->max[k] - (double)model->min[k];
    return model;
}

/* Measures a character in the first frame of an animation. */
static void measure_first_frame(const md5_model *model, const md5_anim *anim, double size[3])
{
    float      min[3], max[3];
    md5_xform *pose = (md5_xform *)allocate(model->joint_count, sizeof *pose);
    md5_pose_at(model, anim, MD5_ONCE, 0, pose);
    md5_pose_to_model_space(model, pose, pose);
    md5_pose_bounds(model, pose, min, max);
    for (int k = 0; k < 3; ++k) size[k] = (double)max[k] - (double)min[k];
    release(pose);
}

/* If `size` is not NULL, also measures the character in the first frame. */
static bool check_md5anim(const convert_request *request, const output *one, const md5_model *model,
                          double *size)
{
    md5_options options = make_md5_options(0, 1);
    md5_error   error;
    options.max_bytes = 0;
    md5_anim *anim = md5_load_anim_memory(one->file.data, one->file.size, "", &options, &error);
    if (!anim && error.code == MD5_ERROR_LIMIT) {
        note_limit(one, "md5.h");
        options.max_bytes = MAX_BYTES;
        anim = md5_load_anim_memory(one->file.data, one->file.size, "", &options, &error);
    }
    if (!anim) return refuse(request, one, "md5.h", error.message);

    bool fits = !model || md5_check_anim(model, anim, &error) == MD5_OK;
    if (fits && model && size) measure_first_frame(model, anim, size);
    md5_free_anim(anim);
    return fits || refuse(request, one, "md5.h", error.message);
}

bool check_outputs(const convert_request *request, outputs *o)
{
    md5_model *character = NULL;
    bool       is_good = true;
    for (uint32_t i = 0; i < o->count && is_good; ++i) {
        const output *one = &o->list[i];
        bool          is_named = strcmp(one->path, request->output) == 0;
        double        size[3] = { 0, 0, 0 };
        if (has_extension(one->path, ".md2")) {
            is_good = check_md2(request, one, size);
        } else if (has_extension(one->path, ".md5mesh")) {
            md5_model *model = check_md5mesh(request, one, size);
            is_good = model != NULL;
            if (is_named) character = model;
            else md5_free_model(model);
        }

        /* The size of a .glb is already known. */
        bool is_measured = size[0] > 0 || size[1] > 0 || size[2] > 0;
        if (is_named && is_measured) memcpy(o->size, size, sizeof size);
    }

    /* Animations must fit the .md5mesh that the command line names; a weapon has a separate skeleton. The size is
       that of a character that stands, because the bind pose of most characters has the arms spread. */
    bool is_first = true;
    for (uint32_t i = 0; i < o->count && is_good; ++i) {
        const output *one = &o->list[i];
        if (!has_extension(one->path, ".md5anim")) continue;
        char *name = stem_of(one->path);
        bool  shows_size = is_first || strcmp(name, "stand") == 0;
        is_good = check_md5anim(request, one, character, shows_size ? o->size : NULL);
        is_first = false;
        release(name);
    }
    md5_free_model(character);
    return is_good;
}
