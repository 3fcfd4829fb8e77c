/* test_support.c - paths, requests and outputs for test_convert and test_retarget. Public domain. */
#include "test_convert.h"

static const char *character, *folder;

void find_folders(void)
{
    character = check_option("--character=");
    folder = check_option("--folder=");
    if (!character) character = "build/character";
    if (!folder) folder = "build/convert";
}

static const char *path_in(const char *parent, const char *name)
{
    static char paths[32][512];
    static int  next;
    char       *path = paths[next++ % 32];
    snprintf(path, sizeof paths[0], "%s/%s", parent, name);
    return path;
}

const char *of_character(const char *name)
{
    return path_in(character, name);
}

const char *of_folder(const char *name)
{
    return path_in(folder, name);
}

convert_request make_request(const char *model, const char *output)
{
    convert_request request;
    memset(&request, 0, sizeof request);
    request.model = model;
    request.output = output;
    return request;
}

const blob *find_output(const outputs *o, const char *path)
{
    for (uint32_t i = 0; i < o->count; ++i) {
        if (strcmp(o->list[i].path, path) == 0) return &o->list[i].file;
    }
    return NULL;
}

md2_model *read_md2(const outputs *o, const char *path)
{
    const blob *file = find_output(o, path);
    md2_error    error;
    if (!CHECK(file != NULL)) return NULL;
    md2_model *model = md2_load_memory(file->data, file->size, NULL, &error);
    CHECK_TEXT(error.message, "");
    return model;
}

md5_model *read_md5mesh(const outputs *o, const char *path)
{
    const blob *file = find_output(o, path);
    md5_error   error;
    if (!CHECK(file != NULL)) return NULL;
    md5_model *model = md5_load_model_memory(file->data, file->size, NULL, &error);
    CHECK_TEXT(error.message, "");
    return model;
}

md5_anim *read_md5anim(const outputs *o, const char *path)
{
    const blob *file = find_output(o, path);
    md5_error   error;
    if (!CHECK(file != NULL)) return NULL;
    md5_anim *anim = md5_load_anim_memory(file->data, file->size, path, NULL, &error);
    CHECK_TEXT(error.message, "");
    return anim;
}

void write_text(const char *path, const char *text)
{
    CHECK(write_file(path, text, strlen(text)));
}

void save(const char *path, blob *file)
{
    CHECK(write_file(path, file->data, file->size));
    free_blob(file);
}
