/* archive.c: reads an archive as the viewer does, and the files in it. */
#include "fuzz.h"

#include "tests/tools/viewer/archive.h"

FUZZ_UNSEEN_BEGIN

static bool fuzz_read_archive(void *user, uint64_t offset, size_t size, void *out)
{
    const fuzz_input *input = (const fuzz_input *)user;
    FUZZ_CHECK(offset <= input->size && size <= input->size - offset);
    memcpy(out, input->data + offset, size);
    return true;
}

/* Replaces the decompressor of stb_image: copies the compressed bytes. */
static int fuzz_inflate(char *out, int out_size, const char *in, int in_size)
{
    FUZZ_CHECK(out_size >= 0 && in_size >= 0 && out_size <= MAX_ARCHIVED);
    int size = in_size < out_size ? in_size : out_size;
    memcpy(out, in, (size_t)size);
    return size;
}

/* The name must not lead out of the archive, whatever its separators are. */
static void fuzz_check_name(const char *name)
{
    FUZZ_CHECK(name[0] != 0 && name[0] != '/' && !strchr(name, '\\') && !strchr(name, ':'));
    FUZZ_CHECK(strncmp(name, "../", 3) != 0 && !strstr(name, "/../"));
    size_t length = strlen(name);
    FUZZ_CHECK(length < 3 || strcmp(name + length - 3, "/..") != 0);
    FUZZ_CHECK(strcmp(name, "..") != 0);
}

static void fuzz_archive(fuzz_input *input)
{
    enum { MOST_READ = 8 };
    archive_source source = { fuzz_read_archive, input, input->size, fuzz_inflate };
    archive a;
    const char *problem = open_archive(&a, &source);
    for (int i = 0; i < a.count; ++i) {
        fuzz_check_name(a.files[i].name);
        if (i >= MOST_READ || a.files[i].size > 1 << 20) continue;

        const char *unread;
        uint8_t *bytes = read_archived(&a, &a.files[i], &unread);
        if (!bytes) FUZZ_CHECK(unread[0] != 0);
        else fuzz_memory.loads += !problem;
        free(bytes);
    }
    close_archive(&a);
}

FUZZ_UNSEEN_END

FUZZ_ENTRY(archive, fuzz_mutate_bytes)
