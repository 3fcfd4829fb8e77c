/* The name of a picture, as a model lists it, and the model's own path, in two lines, through
   md2_skin_path and md5_texture_path. */
#include "fuzz.h"

#include "md2_model.h"
#include "md5_model.h"

FUZZ_UNSEEN_BEGIN

enum { FUZZ_GUESSES = 202, FUZZ_PATH = 600 };

typedef struct fuzz_namer {
    const md2_model *md2;
    const md5_model *md5;
    const char *model_path;
} fuzz_namer;

static bool fuzz_guess(const fuzz_namer *namer, uint32_t attempt, char *out, size_t size)
{
    return namer->md2 ? md2_skin_path(namer->md2, namer->model_path, 0, attempt, out, size)
                      : md5_texture_path(namer->md5, namer->model_path, 0, attempt, out, size);
}

/* In the model's folder, and a name in it. */
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

/* Into memory of any size: a guess that does not fit is none. */
static void fuzz_try_room(const fuzz_namer *namer, uint32_t attempt, const char *guess,
                          fuzz_dice *dice)
{
    size_t length = strlen(guess), room = fuzz_below(dice, length + 3);
    char *out = (char *)fuzz_take(room, 0);
    bool fits = fuzz_guess(namer, attempt, out, room);
    FUZZ_CHECK(fits == (room > length) && (!fits || strcmp(out, guess) == 0));
}

/* A few of all guesses, in their order, up to the first that is not there. */
static void fuzz_try_guesses(const fuzz_namer *namer, fuzz_dice *dice)
{
    char guess[FUZZ_PATH];
    uint32_t attempt = 0;
    while (fuzz_guess(namer, attempt, guess, FUZZ_PATH)) {
        FUZZ_CHECK(attempt < FUZZ_GUESSES);
        fuzz_check_guess(namer, guess);
        if (fuzz_below(dice, 4) == 0) fuzz_try_room(namer, attempt, guess, dice);
        attempt += 1 + fuzz_below(dice, attempt < 4 ? 4 : 200);
    }
    FUZZ_CHECK(!fuzz_guess(namer, attempt + 1 + fuzz_below(dice, 3), guess, FUZZ_PATH));
    FUZZ_CHECK(!fuzz_guess(namer, UINT32_MAX, guess, FUZZ_PATH));
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
    fuzz_namer md2_namer = { &md2, NULL, path }, md5_namer = { NULL, &md5, path };
    md2_skin *skin = (md2_skin *)memset(fuzz_take(sizeof *skin, 0), 0, sizeof *skin);
    memset(&md2, 0, sizeof md2);
    memset(&md5, 0, sizeof md5);
    memset(&mesh, 0, sizeof mesh);
    memcpy(skin->path, listed, strlen(listed) < 64 ? strlen(listed) : 64);
    mesh.shader = listed;
    md2.skins = skin;
    md5.meshes = &mesh;
    md2.skin_count = md5.mesh_count = input->choice & 1u ? 0 : 1;
    fuzz_try_guesses(&md2_namer, &input->dice);
    fuzz_try_guesses(&md5_namer, &input->dice);
}

FUZZ_UNSEEN_END

FUZZ_ENTRY(paths, fuzz_mutate_bytes)
