/* What the fuzzers begin with. Public domain.

   fuzz_seeds FOLDER              writes small files that reach far into FOLDER/TARGET
   fuzz_seeds pack FOLDER PACK    all files of a folder in one
   fuzz_seeds unpack PACK FOLDER  and back

   A pack is, for each file, its size in two bytes and then its bytes. */
#include "check.h"
#include "fuzz.h"
#include "model_builder_md2.h"
#include "model_builder_md5.h"
#include "support.h"

#define MESH(joints, shader, verts, tris, weights)                        \
  "MD5Version 10\ncommandline \"\"\n" joints "mesh {\n\tshader \"" shader \
  "\"\n" verts tris weights "}\n"

#define ONE_JOINT "numJoints 1\nnumMeshes 1\njoints {\n\t\"a\" -1 ( 0 0 0 ) ( 0 0 0 )\n}\n"
#define TWO_JOINTS                                                                  \
  "numJoints 2\nnumMeshes 1\njoints {\n\t\"origin\"\t-1 ( 0 0 0 ) ( 0 0 0 )\t// \n" \
  "\t\"hand.R\"\t0 ( 1.5 -2 0.25 ) ( 0.5 -0.5 0.5 )\t// origin\n}\n"
#define TRIANGLE_VERTS \
  "\tnumverts 3\n\tvert 0 ( 0 0 ) 0 1\n\tvert 1 ( 1 0 ) 1 2\n\tvert 2 ( 0 1 ) 3 1\n"
#define ONE_TRIANGLE "\tnumtris 1\n\ttri 0 0 2 1\n"
#define FOUR_WEIGHTS                                                       \
  "\tnumweights 4\n\tweight 0 0 1 ( 0 0 0 )\n\tweight 1 0 0.5 ( 4 0 0 )\n" \
  "\tweight 2 1 0.5 ( 1 2 3 )\n\tweight 3 1 1 ( 0 8 0 )\n"

static const char *const fuzz_seed_meshes[] = {
    MESH(ONE_JOINT, "", "\tnumverts 1\n\tvert 0 ( 0 0 ) 0 1\n", "\tnumtris 0\n",
         "\tnumweights 1\n\tweight 0 0 1 ( 0 0 0 )\n"),
    MESH(TWO_JOINTS, "models/imp/imp_local", TRIANGLE_VERTS, ONE_TRIANGLE, FOUR_WEIGHTS),
    "MD5Version 12\n" TWO_JOINTS
    "mesh {\n// meshes: \"a\"\nname \"b { c\"\nflags { 1 { 2 } }\nshader imp\n"
    "numverts 2\nvert 0 ( 0.25 0.75 ) 0 2 ( 0 0 1 ) ( 1 1 1 1 )\nvert 1 ( 1 1 ) 1 1 ( 0 1 0 )\n"
    "numtris 0\nnumweights 2\nweight 0 0 0.5 ( 1 2 3 )\nweight 1 1 0.5 ( 1 2 3 )\n}\n",
    "\xEF\xBB\xBF/* all in one */ md5version 11 NUMJOINTS 1 numMeshes 2 joints{a -1(0 0 0)(1 0 "
    "0)}mesh{numverts 0 "
    "numtris 0 numweights 0}mesh{shader x numverts 1 vert 0(0 0)0 1 numtris 0 numweights 1 weight "
    "0 0 1(1 1 1)}",
    "MD5Version 10\r\nnumJoints 1\r\nnumMeshes 1\r\njoints {\r\n\"a\\b\" -1 ( 1e-3 -.5 2. ) ( "
    "0.70710678 0 0 )\r\n}\r\n"
    "mesh {\r\nnumverts 4\r\nvert 0 ( 0 0 ) 0 1\r\nvert 1 ( 0 1 ) 1 1\r\nvert 2 ( 1 0 ) 2 "
    "1\r\nvert 3 ( 1 1 ) 0 1\r\n"
    "numtris 2\r\ntri 0 0 1 2\r\ntri 1 3 2 1\r\nnumweights 3\r\nweight 0 0 1 ( 0 0 0 )\r\nweight 1 "
    "0 1 ( 0 5 0 )\r\n"
    "weight 2 0 1 ( 5 0 0 )\r\n}\r\nMD5Version 10\r\n",
    "MD5Version 6\nnumbones 1\nbone 0 {\n}\n",
    "MD5Version 10\nnumJoints 1\nnumMeshes 0\njoints {\n\"a\" -1 ( 0 0 0 ) ( 0 0 0 )\n}\n"
};

#define ANIM(frames, joints, components, hierarchy, bounds, base, rest)                         \
  "MD5Version 10\ncommandline \"\"\nnumFrames " frames "\nnumJoints " joints "\nframeRate 24\n" \
  "numAnimatedComponents " components "\nhierarchy {\n" hierarchy "}\nbounds {\n" bounds "}\n"  \
  "baseframe {\n" base "}\n" rest

static const char *const fuzz_seed_anims[] = {
    ANIM("1", "1", "0", "\t\"a\"\t-1 0 0\n", "\t( 0 0 0 ) ( 1 1 1 )\n", "\t( 0 0 0 ) ( 0 0 0 )\n",
         "frame 0 {\n}\n"),
    ANIM("2", "2", "9", "\t\"origin\"\t-1 63 0\t// \n\t\"hand.R\"\t0 56 6\t// origin\n",
         "\t( -1 -1 -1 ) ( 1 1 1 )\n\t( -1 -1 -1 ) ( 2 2 2 )\n",
         "\t( 0 0 0 ) ( 0 0 0 )\n\t( 1.5 -2 0.25 ) ( 0.5 -0.5 0.5 )\n",
         "frame 0 {\n\t1 0 0 0 0 0\n\t0.5 -0.5 0.5\n}\nframe 1 {\n\t2 0 1 0 0 0.1\n\t0.4 -0.5 "
         "0.5\n}\n"),
    ANIM("3", "1", "2", "\t\"a\"\t-1 33 0\n", "", "\t( 0 0 0 ) ( 0 0 0 )\n",
         "frame 5 {\n1 0.1\n}\nframe 6 {\n2 0.2\n}\nframe 4 {\n3 -0.3\n}\n"),
    ANIM("3", "2", "1", "\t\"a\"\t-1 1 0\n\t\"b\" 0 0 0\n",
         "( 0 0 0 ) ( 1 1 1 )\n( 0 0 0 ) ( 1 1 1 )\n",
         "( 0 0 0 ) ( 0 0 0 )\n( 0 0 1 ) ( 0 0 0.5 )\n",
         "frame 0 {\n0\n}\nframe 1 {\n5e-1\n}\nframe 2 {\n0\n}\n"),
    "MD5Version 12 numFrames 1 numJoints 1 frameRate 0 numAnimatedComponents 1 hierarchy{a -1 1 0}"
    "baseframe{(0 0 0)(0 0 0)}frame 0{7}frame 1{8}",
    "MD5Version 10\ncommandline \"\"\nnumFrames 2\nframeRate 24\nnumCuts 0\n"
};

static const char *const fuzz_seed_names[] = {
    "run1\nrun2\nrun3\nstand1\nstand2\n", "pain301\npain302\npain303\npain04\n",
    "stand30\nstand31\nstand1\nstand2\n", "attak1_07.lwo\nattak1_08.lwo\n",
    "Frame 1\nFrame 2\nx\n\n7\n", "abcdefghijklm01\nabcdefghijklm02\nabcdefghijklm1\n",
    "walk000\nwalk001\nwalk100\nwalk101\n", "stand21\nstand21b\nstand22\n",
    "run1\nwalk1\nrun1\nwalk1\nrun1\n", "a 1\na-2\na_3\na.4\na#5\n"
};

static const char *const fuzz_seed_paths[] = {
    "models/imp/imp_local\nbase/imp.md5mesh", "players/male/Grunt.PCX\nplayers/male/tris.md2",
    "C:\\x\\y.tga\na\\b.md2", "..\n../../x.md2", "tris.pcx\ntris.md2", "\ntris.md2", "a\n", ".\n.",
    "a.b.c\n/x/.md2", "imp_d\nIMP.md5mesh"
};

static const char *const fuzz_seed_numbers[] = {
    "0", "-0.5", "1e-45", "3.4028235e38", "16777217", "0.1000000000000000055511151231257827",
    "9007199254740993e-20", "1.17549429e-38", "8388609.5", "-.5e+2", "1.",
    "123456789012345678901234567890e-30"
};

static bool save(const char *folder, const char *target, const char *name, int number,
                 const void *bytes, size_t size)
{
    static const char tail[FUZZ_TAIL];
    char path[512];
    FILE *file;
    bool ok;
    snprintf(path, sizeof path, "%s/%s/seed-%s-%d", folder, target, name, number);
    file = fopen(path, "wb");
    ok = file && fwrite(bytes, 1, size, file) == size &&
         fwrite(tail, 1, FUZZ_TAIL, file) == FUZZ_TAIL;
    if (!file || fclose(file) != 0 || !ok) fprintf(stderr, "cannot write %s\n", path);
    return ok;
}

static bool save_texts(const char *folder, const char *target, const char *name,
                       const char *const *texts, size_t count)
{
    bool ok = true;
    size_t i;
    for (i = 0; i < count && ok; ++i)
        ok = save(folder, target, name, (int)i, texts[i], strlen(texts[i]));
    return ok;
}

/* A mesh and an animation for it, with a NUL between. */
static bool save_pairs(const char *folder)
{
    char both[4096];
    size_t i, k;
    bool ok = true;
    for (i = 0; i < FUZZ_COUNT(fuzz_seed_meshes); ++i) {
        for (k = 0; k < FUZZ_COUNT(fuzz_seed_anims) && ok; ++k) {
            int size =
                snprintf(both, sizeof both, "%s%c%s", fuzz_seed_meshes[i], 0, fuzz_seed_anims[k]);
            ok = save(folder, "everything", "md5", (int)(i * 10 + k), both, (size_t)size);
        }
    }
    return ok;
}

static bool save_models(const char *folder)
{
    bool ok = true;
    size_t i;
    for (i = 0; i < M2_CASES && ok; ++i) {
        m2_bytes bytes = m2_case_bytes(&m2_cases[i]);
        if (bytes.size < 1500)
            ok = save(folder, "md2", m2_cases[i].name, 0, bytes.data, bytes.size);
        if (bytes.size < 1500 && i % 4 == 0)
            ok = ok && save(folder, "everything", m2_cases[i].name, 0, bytes.data, bytes.size);
        m2_free(&bytes);
    }
    for (i = 0; i < 8 && ok; ++i) {
        m2_bytes bytes =
            m2_random((uint32_t)i, 3 + (uint32_t)i, 1 + (uint32_t)i, 1 + (uint32_t)i % 4);
        ok = save(folder, "md2", "random", (int)i, bytes.data, bytes.size) &&
             save(folder, "everything", "random", (int)i, bytes.data, bytes.size);
        m2_free(&bytes);
    }
    for (i = 0; i < 9 && ok; ++i) {
        m2_bytes bytes = m2_pcx(5 + (uint32_t)i, 3, 6 + (uint32_t)i, (int)(i % 3));
        ok = save(folder, "pcx", "picture", (int)i, bytes.data, bytes.size);
        m2_free(&bytes);
    }
    return ok;
}

static int pack(const char *folder, const char *path)
{
    file_list files = list_files(folder, "");
    FILE *out = fopen(path, "wb");
    bool ok = out != NULL;
    size_t i, size, total = 0;
    for (i = 0; i < files.count && ok; ++i) {
        uint8_t *bytes = read_file(files.path[i], &size);
        if (bytes && size < 65536) {
            uint8_t head[2];
            head[0] = (uint8_t)size;
            head[1] = (uint8_t)(size >> 8);
            ok = fwrite(head, 1, 2, out) == 2 && fwrite(bytes, 1, size, out) == size;
            total += size + 2;
        }
        free(bytes);
    }
    if (out && fclose(out) != 0) ok = false;
    printf("%s: %lu files, %lu bytes\n", path, (unsigned long)files.count, (unsigned long)total);
    file_list_free(&files);
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}

static int unpack(const char *path, const char *folder)
{
    size_t size = 0, at = 0, number = 0;
    uint8_t *bytes = read_file(path, &size);
    char name[512];
    bool ok = bytes != NULL;
    while (ok && at + 2 <= size) {
        size_t length = bytes[at] | (size_t)bytes[at + 1] << 8;
        snprintf(name, sizeof name, "%s/kept-%lu", folder, (unsigned long)number++);
        ok = at + 2 + length <= size && write_file(name, bytes + at + 2, length);
        at += 2 + length;
    }
    free(bytes);
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}

static bool seeds(const char *folder)
{
    return save_models(folder) && save_pairs(folder) &&
           save_texts(folder, "md5_mesh", "mesh", fuzz_seed_meshes, FUZZ_COUNT(fuzz_seed_meshes)) &&
           save_texts(folder, "md5_anim", "anim", fuzz_seed_anims, FUZZ_COUNT(fuzz_seed_anims)) &&
           save_texts(folder, "frame_names", "names", fuzz_seed_names,
                      FUZZ_COUNT(fuzz_seed_names)) &&
           save_texts(folder, "paths", "paths", fuzz_seed_paths, FUZZ_COUNT(fuzz_seed_paths)) &&
           save_texts(folder, "numbers", "number", fuzz_seed_numbers,
                      FUZZ_COUNT(fuzz_seed_numbers));
}

int main(int argc, char **argv)
{
    if (argc == 4 && strcmp(argv[1], "pack") == 0) return pack(argv[2], argv[3]);
    if (argc == 4 && strcmp(argv[1], "unpack") == 0) return unpack(argv[2], argv[3]);
    if (argc == 2) return seeds(argv[1]) ? EXIT_SUCCESS : EXIT_FAILURE;
    fprintf(stderr, "usage: %s FOLDER | pack FOLDER PACK | unpack PACK FOLDER\n", argv[0]);
    return EXIT_FAILURE;
}
