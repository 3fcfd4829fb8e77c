/* paths.c: passes two lines, the name of a picture that a model lists and the path of the model, to md2_find_skin
   and md5_find_texture. */
#include "fuzz.h"

#include "md2_model.h"
#include "md5_model.h"

FUZZ_UNSEEN_BEGIN

enum { FUZZ_GUESSES = 200, FUZZ_PATH = 600 };

typedef struct fuzz_namer {
    const md2_model *md2;
    const md5_model *md5;
    const char *model_path;
    fuzz_dice *dice;
    uint32_t tried;
    size_t room;                      /* largest size of a path that is tried */
} fuzz_namer;

/* Checks that a path is in the model's folder and has a file name. */
static void fuzz_check_guess(const fuzz_namer *namer, const char *guess)
{
    const char *path = namer->model_path, *name = path, *p;
    for (p = path; *p; ++p) {
        if (*p == '/' || *p == '\\' || *p == ':') name = p + 1;
    }
    size_t folder = (size_t)(name - path);
    FUZZ_CHECK(strncmp(guess, path, folder) == 0);
    FUZZ_CHECK(strpbrk(guess + folder, "/\\:") == NULL && guess[folder] != 0);
    FUZZ_CHECK(strcmp(guess + folder, ".") != 0 && strcmp(guess + folder, "..") != 0);
}

/* Pretends that one path in a hundred is a file. */
static bool fuzz_is_found(void *user, const char *path)
{
    fuzz_namer *namer = (fuzz_namer *)user;
    FUZZ_CHECK(++namer->tried <= FUZZ_GUESSES && strlen(path) < namer->room);
    fuzz_check_guess(namer, path);
    return fuzz_below(namer->dice, 100) == 0;
}

/* Searches with result buffers of any size. */
static void fuzz_search(fuzz_namer *namer, fuzz_dice *dice)
{
    namer->dice = dice;
    namer->tried = 0;
    namer->room = fuzz_below(dice, 4) ? (size_t)FUZZ_PATH : fuzz_below(dice, FUZZ_PATH / 8);
    char *out = (char *)fuzz_take(namer->room, 0);
    bool found = namer->md2 ? md2_find_skin(namer->md2, namer->model_path, 0, fuzz_is_found, namer,
                                            out, namer->room)
                            : md5_find_texture(namer->md5, namer->model_path, 0, fuzz_is_found,
                                               namer, out, namer->room);
    FUZZ_CHECK(!found || namer->tried > 0);
    bool has_path = namer->room > 0 && namer->tried > 0 && (found || out[0]);
    if (has_path) fuzz_check_guess(namer, out);
}

static char *fuzz_take_line(const fuzz_input *input, size_t begin, size_t *end)
{
    size_t stop = begin;
    while (stop < input->size && stop - begin < FUZZ_PATH / 4 && input->data[stop] &&
           input->data[stop] != '\n')
        ++stop;
    char *line = (char *)fuzz_take(stop - begin + 1, 0);
    memcpy(line, input->data + begin, stop - begin);
    line[stop - begin] = 0;
    *end = stop < input->size ? stop + 1 : stop;
    return line;
}

static void fuzz_paths(fuzz_input *input)
{
    md2_model md2;
    md5_model md5;
    md5_mesh mesh;
    size_t end;
    char *listed = fuzz_take_line(input, 0, &end), *path = fuzz_take_line(input, end, &end);
    fuzz_namer md2_namer = { &md2, NULL, path, NULL, 0, 0 };
    fuzz_namer md5_namer = { NULL, &md5, path, NULL, 0, 0 };
    md2_skin *skin = (md2_skin *)memset(fuzz_take(sizeof *skin, 0), 0, sizeof *skin);
    memset(&md2, 0, sizeof md2);
    memset(&md5, 0, sizeof md5);
    memset(&mesh, 0, sizeof mesh);
    memcpy(skin->path, listed, strlen(listed) < 64 ? strlen(listed) : 64);
    mesh.shader = listed;
    md2.skins = skin;
    md5.meshes = &mesh;
    md2.skin_count = md5.mesh_count = input->choice & 1u ? 0 : 1;
    fuzz_search(&md2_namer, &input->dice);
    fuzz_search(&md5_namer, &input->dice);
}

FUZZ_UNSEEN_END

FUZZ_ENTRY(paths, fuzz_mutate_bytes)
