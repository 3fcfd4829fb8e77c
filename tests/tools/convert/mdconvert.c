/* mdconvert MODEL [ANIMATION...] -o OUTPUT: converts between MD2, MD5 and glTF. The file extensions select the
   conversion, and `mdconvert --help` lists all of them. If the conversion fails, the exit status is 1 and no
   file is written. Public domain. */
#define MD2_IMPLEMENTATION
#define MD5_IMPLEMENTATION
#include "mdconvert.h"
#include "../viewer/folder.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "usage: mdconvert MODEL [ANIMATION...] -o OUTPUT [options]\n"
    "\n"
    "The extensions of the files select the conversion:\n"
    "\n"
    "  mdconvert tris.md2 -o hero.glb\n"
    "      frames become morph targets; with --skeleton, bones are found instead\n"
    "  mdconvert tris.md2 weapon.md2 -o hero.md5mesh\n"
    "      finds bones, one to hold the weapon; writes an .md5anim per animation\n"
    "  mdconvert tris.md2 -o new.md2\n"
    "      repairs an MD2\n"
    "  mdconvert knight.md5mesh walk.md5anim run.md5anim -o hero.glb\n"
    "      skeleton, weights, animations\n"
    "  mdconvert knight.md5mesh *.md5anim -o tris.md2\n"
    "      frames run1 run2 ..., 10 per second\n"
    "  mdconvert old.md5mesh *.md5anim -o new.md5mesh\n"
    "      writes an MD5 again, with the options below\n"
    "  mdconvert hero.glb -o hero.md5mesh\n"
    "      also from .gltf and .vrm, and to .md2\n"
    "\n"
    "More models on the command line add their animations:\n"
    "\n"
    "  mdconvert hero.glb run.glb walk.glb -o tris.md2\n"
    "      animations of the same skeleton, or of any humanoid\n"
    "  mdconvert tris.md2 dance.glb -o new/tris.md2\n"
    "      new frames after the old frames, also in its weapon.md2\n"
    "  mdconvert a.md2 b.md5mesh *.md5anim -o a.md5mesh\n"
    "      also from an MD2 or MD5\n"
    "  mdconvert knight.md5mesh weapon.md5mesh dance.glb -o hero.glb\n"
    "      the joint called weapon holds the weapon\n"
    "\n"
    "  --scale NUMBER   multiplies sizes; without it, a unit is an inch, and a .glb\n"
    "                   is in meters\n"
    "  --skeleton       finds bones for the .glb of an MD2\n"
    "  --y-up           rotates a model that lies on its back: Y is up in the MD2 or\n"
    "                   MD5, or Z is up in the .glb\n"
    "  --turn DEGREES   rotates the model by 90, 180 or 270, counter-clockwise, seen\n"
    "                   from above\n"
    "  --fps NUMBER     frames per second of the output, or of an input that has none\n"
    "  --in-place       removes steady root motion (always for an MD2)\n"
    "  --only NAME      converts only this animation; may be repeated\n"
    "  --name OLD=NEW   renames an animation; may be repeated\n"
    "  --without NAME   leaves out a mesh of an MD5, or a node, a mesh or a material\n"
    "                   of a .glb; may be repeated\n"
    "  --anyway         writes the skeleton of an MD2 even if it fits badly\n"
    "  --force          replaces files that exist\n";

/* -- The command line -------------------------------------------------------------------------- */

static bool read_number(const char *option, const char *text, const char *least, float *out)
{
    char  *end = NULL;
    double number = text ? strtod(text, &end) : 0;
    bool   is_number = text && end != text && *end == 0;
    if (!is_number || !(number >= strtod(least, NULL) && number <= 1e6)) {
        return fail(option, "needs a number from %s to 1,000,000", least);
    }
    *out = (float)number;
    return true;
}

/* Reads OLD=NEW and splits the text in place. */
static bool read_name(char *text, convert_request *request)
{
    char *mark = text ? strchr(text, '=') : NULL;
    if (!mark || mark == text || !mark[1]) return fail("--name", "needs OLD=NEW, for example Armature_1=walk");

    *mark = 0;
    char *good = name_for_file(mark + 1, "");
    bool  is_name = strcmp(good, mark + 1) == 0;
    if (!is_name) fail("--name", "%s cannot be used as a file name, but %s can", mark + 1, good);
    release(good);
    request->old_names[request->name_count] = text;
    request->new_names[request->name_count++] = mark + 1;
    return is_name;
}

static bool read_yaw(const char *text, int *out)
{
    for (*out = 90; *out <= 270; *out += 90) {
        char number[16];
        snprintf(number, sizeof number, "%d", *out);
        if (text && strcmp(text, number) == 0) return true;
    }
    return fail("--turn", "needs 90, 180 or 270: degrees, counter-clockwise from above");
}

/* Adds an input file. The first model is the one that is converted; each later model is a source of animations
   or a weapon. An .md5anim belongs to the last .md5mesh before it that is not a weapon. */
static bool add_input(convert_request *request, const char *path, int most_anims)
{
    kind is = kind_of(path);
    if (!file_exists(path)) return fail(path, "does not exist");
    if (!is_file(path)) return fail(path, "is not a regular file");
    if (is == KIND_MD5_ANIM) {
        anim_source *mesh = NULL;
        for (int i = 0; i < request->source_count; ++i) {
            bool is_mesh = request->sources[i].is == KIND_MD5_MESH && !is_weapon(request->sources[i].path);
            if (is_mesh) mesh = &request->sources[i];
        }
        if (mesh) mesh->anims[mesh->anim_count++] = path;
        else request->anims[request->anim_count++] = path;
        return true;
    }
    if (is == KIND_FBX) {
        return fail(path, "FBX is not supported: import the file into Blender and export a .glb");
    }
    if (is == KIND_OTHER) {
        return fail(path, "is not an .md2, .md5mesh, .md5anim, .glb, .gltf or .vrm");
    }
    if (request->model) {
        anim_source *added = &request->sources[request->source_count++];
        added->path = path;
        added->is = is;
        added->anims = (const char **)allocate((size_t)most_anims, sizeof *added->anims);
        return true;
    }
    request->model = path;
    request->model_kind = is;
    return true;
}

static bool read_arguments(int count, char **arguments, convert_request *request)
{
    for (int i = 1; i < count; ++i) {
        const char *word = arguments[i];
        const char *value = i + 1 < count ? arguments[i + 1] : NULL;
        bool        is_good = true, takes_value = false;
        if (strcmp(word, "--force") == 0) {
            request->force = true;
        } else if (strcmp(word, "--anyway") == 0) {
            request->anyway = true;
        } else if (strcmp(word, "--y-up") == 0) {
            request->y_up = true;
        } else if (strcmp(word, "--in-place") == 0) {
            request->in_place = true;
        } else if (strcmp(word, "--skeleton") == 0) {
            request->skeleton = true;
        } else if (strcmp(word, "-o") == 0) {
            takes_value = true;
            request->output = value;
            if (!value) is_good = fail(word, "needs a file name");
        } else if (strcmp(word, "--only") == 0) {
            takes_value = true;
            if (value) request->only[request->only_count++] = copy_text(value);
            else is_good = fail(word, "needs the name of an animation");
        } else if (strcmp(word, "--name") == 0) {
            takes_value = true;
            is_good = read_name(i + 1 < count ? arguments[i + 1] : NULL, request);
        } else if (strcmp(word, "--without") == 0) {
            takes_value = true;
            if (value) request->without[request->without_count++] = value;
            else is_good = fail(word, "needs the name of a part");
        } else if (strcmp(word, "--scale") == 0) {
            takes_value = true;
            is_good = read_number(word, value, "0.000001", &request->scale);
        } else if (strcmp(word, "--fps") == 0) {
            takes_value = true;
            is_good = read_number(word, value, "0.001", &request->fps);
        } else if (strcmp(word, "--turn") == 0) {
            takes_value = true;
            is_good = read_yaw(value, &request->yaw);
        } else if (word[0] == '-') {
            is_good = fail(word, "unknown option; --help lists the options");
        } else {
            is_good = add_input(request, word, count);
        }
        if (!is_good) return false;
        if (takes_value) ++i;
    }
    return true;
}

typedef bool (*conversion)(const convert_request *request, outputs *o);

static const struct { kind from; const char *to; conversion convert; } conversions[] = {
    { KIND_MD2, ".glb", md2_to_glb },          { KIND_MD2, ".md2", md2_to_md2 },
    { KIND_MD2, ".md5mesh", md2_to_md5 },      { KIND_MD5_MESH, ".glb", md5_to_glb },
    { KIND_MD5_MESH, ".md2", md5_to_md2 },     { KIND_MD5_MESH, ".md5mesh", md5_to_md5 },
    { KIND_GLTF, ".md5mesh", scene_to_md5 },   { KIND_GLTF, ".md2", scene_to_md2 },
};

/* Returns the conversion for the extensions of the model and the output. An MD2 that gets animations from other
   files needs a skeleton, even in a .glb. */
static conversion find_conversion(const convert_request *request)
{
    bool to_glb = has_extension(request->output, ".glb");
    bool needs_bones = request->skeleton || request->source_count > 0;
    if (needs_bones && request->model_kind == KIND_MD2 && to_glb) return md2_to_skinned_glb;
    for (int i = 0; i < COUNT(conversions); ++i) {
        if (request->model_kind != conversions[i].from) continue;
        if (has_extension(request->output, conversions[i].to)) return conversions[i].convert;
    }

    fail(request->output, "cannot be made from %s; --help lists the conversions",
         file_name(request->model));
    return NULL;
}

/* Returns true if a source is held by the model: a file of the model's format whose name is the name of a weapon, or
   which is not a humanoid. An .md5mesh with animations is a source. */
static bool is_held(const convert_request *request, const anim_source *from)
{
    if (from->is != request->model_kind) return false;
    if (from->is == KIND_MD2) return is_weapon(from->path) || !is_md2_humanoid(from->path);
    bool has_anims = from->anim_count > 0;
    return from->is == KIND_MD5_MESH && !has_anims && (is_weapon(from->path) || !is_md5_humanoid(from->path));
}

/* Moves the weapons from the sources to request->weapons. */
static void find_weapons(convert_request *request)
{
    int kept = 0;
    for (int i = 0; i < request->source_count; ++i) {
        anim_source from = request->sources[i];
        if (is_held(request, &from)) request->weapons[request->weapon_count++] = from.path;
        else request->sources[kept++] = from;
    }
    request->source_count = kept;
}

typedef struct run {
    convert_request *request;
    bool             is_good;
} run;

/* Prints the size of the model. If the model is much smaller or larger than most models, also prints the
   --scale that would give it a usual size. */
static void print_size(const convert_request *request, const double size[3])
{
    const bool   is_glb = has_extension(request->output, ".glb");
    const double unit = is_glb ? (double)METERS_PER_UNIT : 1;
    const double smallest = 5 * unit, largest = 1000 * unit, usual = 60 * unit;
    double       most = fmax(fmax(size[0], size[1]), size[2]);
    if (is_quiet || !(most > 0)) return;

    int digits = most < 10 ? 2 : 0;
    printf("size: %.*f %s long, %.*f wide and %.*f high", digits, size[0],
           is_glb ? "meters" : "units", digits, size[1], digits, size[2]);
    if (most < smallest || most > largest) {
        double power = pow(10, floor(log10(usual / most) + 0.5));
        double scale = power * (request->scale > 0 ? (double)request->scale : unit);
        printf(": --scale %g would make it %.*f", scale, most * power < 10 ? 2 : 0, most * power);
    }
    printf("\n");
}

static bool run_conversion(const convert_request *request, outputs *o)
{
    conversion convert = find_conversion(request);
    if (!convert) return false;
    bool finds_bones = convert == md2_to_md5 || convert == md2_to_skinned_glb;
    if (request->skeleton && !finds_bones) {
        return fail("--skeleton", "only applies to converting an .md2 to a .glb");
    }
    bool gets_frames = convert == md2_to_md2 && request->source_count > 0;
    if (request->weapon_count > 0 && request->model_kind == KIND_MD2 && !finds_bones && !gets_frames) {
        return fail(request->weapons[0], "a weapon needs joints: use -o hero.md5mesh, or -o hero.glb --skeleton");
    }
    return convert(request, o);
}

static void convert_and_write(void *user)
{
    run    *r = (run *)user;
    outputs o;
    memset(&o, 0, sizeof o);
    find_weapons(r->request);
    r->is_good = run_conversion(r->request, &o) && check_outputs(r->request, &o) &&
                 write_outputs(&o, r->request->force);
    if (r->is_good) print_size(r->request, o.size);
    free_outputs(&o);
}

static bool run_request(convert_request *request)
{
    enum { MAX_MEMORY = 960 };       /* MiB; the limit exists because a damaged file may ask for any amount of
                                         memory */
    if (request->anim_count > 0 && request->model_kind != KIND_MD5_MESH) {
        return fail(request->anims[0], "an .md5anim needs its .md5mesh: name the .md5mesh before it");
    }
    if (!request->model) return fail("MODEL", "is missing; --help shows the usage");
    if (!request->output) return fail("-o", "is missing: name the output, for example -o hero.glb");
    if (request->without_count > 0 && request->model_kind == KIND_MD2) {
        return fail("--without", "an .md2 is one mesh, so no part of it can be left out");
    }

    /* Check this before the work instead of after it. */
    if (!request->force && file_exists(request->output)) {
        return fail(request->output, "already exists; --force replaces it");
    }

    run r = { request, false };
    if (within_memory((size_t)MAX_MEMORY << 20, convert_and_write, &r)) return r.is_good;
    return fail(request->model, "converting it needs more than %d MiB of memory", (int)MAX_MEMORY);
}

int main(int count, char **arguments)
{
    for (int i = 1; i < count; ++i) {
        bool asks = strcmp(arguments[i], "--help") == 0 || strcmp(arguments[i], "-h") == 0;
        if (!asks) continue;
        fputs(usage, stdout);
        return EXIT_SUCCESS;
    }
    if (count == 1) {
        fputs(usage, stderr);
        return EXIT_FAILURE;
    }

    convert_request request;
    memset(&request, 0, sizeof request);
    request.anims = (const char **)allocate((size_t)count, sizeof *request.anims);
    request.sources = (anim_source *)allocate((size_t)count, sizeof *request.sources);
    request.weapons = (const char **)allocate((size_t)count, sizeof *request.weapons);
    request.only = (char **)allocate((size_t)count, sizeof *request.only);
    request.old_names = (const char **)allocate((size_t)count, sizeof *request.old_names);
    request.new_names = (const char **)allocate((size_t)count, sizeof *request.new_names);
    request.without = (const char **)allocate((size_t)count, sizeof *request.without);
    bool is_good = read_arguments(count, arguments, &request) && run_request(&request);
    release(request.anims);
    for (int i = 0; i < request.source_count; ++i) release(request.sources[i].anims);
    release(request.sources);
    release(request.weapons);
    for (int i = 0; i < request.only_count; ++i) release(request.only[i]);
    release(request.only);
    release(request.old_names);
    release(request.new_names);
    release(request.without);
    return is_good ? EXIT_SUCCESS : EXIT_FAILURE;
}
