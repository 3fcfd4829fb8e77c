/* make_models FOLDER: writes all models that model_builder_md2.h and model_builder_md5.h build, so that
   other programs can be tested with them. Public domain. */
#include "model_builder_md2.h"
#include "model_builder_md5.h"
#include "support.h"

static const char *folder;

static void save_file(const char *name, const char *suffix, const void *data, size_t size)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s.%s", folder, name, suffix);
    if (!write_file(path, data, size)) {
        fprintf(stderr, "make_models: cannot write %s\n", path);
        exit(EXIT_FAILURE);
    }
}

static void save_bytes(const char *name, const char *suffix, m2_bytes bytes)
{
    save_file(name, suffix, bytes.data, bytes.size);
    m2_free(&bytes);
}

int main(int argc, char **argv)
{
    static const char bad[] = "MD5Version 10\nnumJoints 1\n";
    if (argc != 2) {
        fprintf(stderr, "usage: %s folder\n", argv[0]);
        return EXIT_FAILURE;
    }
    folder = argv[1];
    for (uint32_t i = 0; i < M2_CASES; ++i)
        save_bytes(m2_cases[i].name, "md2", m2_case_bytes(&m2_cases[i]));
    save_bytes("cube", "pcx", m2_pcx(64, 64, 64, M2_PCX_RUNS));
    save_bytes("padded", "pcx", m2_pcx(61, 40, 64, M2_PCX_RUNS));
    save_file("bad", "md5mesh", bad, sizeof bad - 1);
    save_file("bad", "md5anim", bad, sizeof bad - 1);
    for (int i = 0; i < M5_MODELS; ++i) {
        m5_text text = { NULL, 0, 0 };
        m5_entry entry = m5_make(i, &text);
        save_file(entry.name, entry.kind == M5_MESH ? "md5mesh" : "md5anim", text.bytes, text.size);
        m5_free(&text);
    }
    printf("%d models written to %s\n", (int)M2_CASES + 4 + M5_MODELS, folder);
    return EXIT_SUCCESS;
}
