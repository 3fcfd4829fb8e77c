/* test_files.c - tests files.c and archive.c: reading and listing files, in folders and in
   archives. Public domain. */
#define _XOPEN_SOURCE 700             /* alarm, truncate, utimensat */
#include "archive.h"
#include "files.h"

#include "check.h"
#include "support.h"
#include "trees.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/* -- Functions that the viewer provides -------------------------------------------------------- */

static char last_error[512];

bool report_error(const char *path, const char *format, ...)
{
    va_list values;
    (void)path;
    va_start(values, format);
    vsnprintf(last_error, sizeof last_error, format, values);
    va_end(values);
    return false;
}

/* Reads a deflate stream of blocks without compression. Returns -1 if it has any other block. */
int inflate_stream(char *out, int out_size, const char *in, int in_size)
{
    const uint8_t *bytes = (const uint8_t *)in;
    int            at = 0, written = 0;
    bool           is_last = false;
    while (!is_last) {
        if (in_size - at < 5 || bytes[at] > 1) return -1;
        is_last = bytes[at] == 1;
        int size = bytes[at + 1] | bytes[at + 2] << 8, not_size = bytes[at + 3] | bytes[at + 4] << 8;
        at += 5;
        if ((size ^ not_size) != 0xffff || size > in_size - at || size > out_size - written) return -1;
        memcpy(out + written, in + at, (size_t)size);
        at += size;
        written += size;
    }
    return written;
}

/* -- Archives ---------------------------------------------------------------------------------- */

typedef struct bytes {
    uint8_t data[4096];
    size_t  size;
} bytes;

static void put_number(bytes *b, uint32_t x, int size)
{
    for (int i = 0; i < size; ++i) b->data[b->size++] = (uint8_t)(x >> 8 * i);
}

static void put_string(bytes *b, const char *text)
{
    memcpy(b->data + b->size, text, strlen(text));
    b->size += strlen(text);
}

/* Describes a .zip with the file "a.txt". */
typedef struct zip_case {
    const char *what, *content;       /* text that is packed; if deflated, in one block */
    int         method, flags;
    uint32_t    crc;
    uint32_t    size;                 /* of the unpacked bytes, according to the table */
    int         local_extra, table_extra; /* bytes */
    int         cut;                  /* number of bytes by which the packed size is too small */
    const char *problem;              /* part of the expected error; "": "hello" is read */
} zip_case;

#define HELLO 0x3610a686u             /* CRC-32 of "hello" */

static const zip_case zip_cases[] = {
    { "stored", "hello", 0, 0, HELLO, 5, 0, 0, 0, "" },
    { "deflated", "hello", 8, 0, HELLO, 5, 0, 0, 0, "" },
    { "more in the local header", "hello", 0, 0, HELLO, 5, 28, 0, 0, "" },
    { "more in the table", "hello", 8, 0, HELLO, 5, 0, 24, 0, "" },
    { "more in both", "hello", 8, 0, HELLO, 5, 28, 24, 0, "" },
    { "other bytes", "hallo", 0, 0, HELLO, 5, 0, 0, 0, "its checksum" },
    { "other bytes, deflated", "hallo", 8, 0, HELLO, 5, 0, 0, 0, "its checksum" },
    { "no checksum", "hello", 8, 0, 0, 5, 0, 0, 0, "its checksum" },
    { "ends early", "hell", 8, 0, HELLO, 5, 0, 0, 0, "does not unpack" },
    { "goes on", "hello!", 8, 0, HELLO, 5, 0, 0, 0, "does not unpack" },
    { "is cut", "hello", 8, 0, HELLO, 5, 0, 0, 2, "its checksum" },
    { "two sizes", "hello", 0, 0, HELLO, 4, 0, 0, 0, "its two sizes differ" },
    { "encrypted", "hello", 0, 1, HELLO, 5, 0, 0, 0, "encrypted" },
    { "another method", "hello", 9, 0, HELLO, 5, 0, 0, 0, "Store or Deflate" },
    { "too large", "hello", 8, 0, HELLO, 1u << 30, 0, 0, 0, "larger than 64 MB" },
};

static void put_zeros(bytes *b, int count)
{
    while (count-- > 0) put_number(b, 0, 1);
}

static void write_zip(const char *path, const zip_case *c)
{
    static const char name[] = "a.txt";
    const uint32_t    name_size = sizeof name - 1;
    bytes             zip, packed;
    zip.size = packed.size = 0;
    uint32_t content_size = (uint32_t)strlen(c->content);
    if (c->method == 8) {
        put_number(&packed, 1, 1);
        put_number(&packed, content_size, 2);
        put_number(&packed, ~content_size, 2);
    }
    put_string(&packed, c->content);

    put_number(&zip, 0x04034b50, 4);
    put_zeros(&zip, 22);
    put_number(&zip, name_size, 2);
    put_number(&zip, (uint32_t)c->local_extra, 2);
    put_string(&zip, name);
    put_zeros(&zip, c->local_extra);
    memcpy(zip.data + zip.size, packed.data, packed.size);
    zip.size += packed.size;

    uint32_t table = (uint32_t)zip.size;
    put_number(&zip, 0x02014b50, 4);
    put_zeros(&zip, 4);
    put_number(&zip, (uint32_t)c->flags, 2);
    put_number(&zip, (uint32_t)c->method, 2);
    put_zeros(&zip, 4);
    put_number(&zip, c->crc, 4);
    put_number(&zip, (uint32_t)packed.size - (uint32_t)c->cut, 4);
    put_number(&zip, c->size, 4);
    put_number(&zip, name_size, 2);
    put_number(&zip, (uint32_t)c->table_extra, 2);
    put_zeros(&zip, 14);
    put_string(&zip, name);
    put_zeros(&zip, c->table_extra);

    uint32_t table_size = (uint32_t)zip.size - table;
    put_number(&zip, 0x06054b50, 4);
    put_zeros(&zip, 4);
    put_number(&zip, 1, 2);
    put_number(&zip, 1, 2);
    put_number(&zip, table_size, 4);
    put_number(&zip, table, 4);
    put_zeros(&zip, 2);
    CHECK(write_file(path, zip.data, zip.size));
}

/* Returns the content of a file as a text, which is valid until the next call; NULL if the file
   cannot be read. */
static const char *content_of(const char *path)
{
    static char text[64];
    size_t      size = 0;
    last_error[0] = 0;
    uint8_t *content = read_bytes(path, &size);
    if (!content) return NULL;
    snprintf(text, sizeof text, "%.*s", (int)size, (const char *)content);
    free(content);
    return text;
}

static void test_zips(void)
{
    char path[512], inside[520];
    snprintf(path, sizeof path, "%s", check_path("zips.zip"));
    snprintf(inside, sizeof inside, "%s/A.TXT", path);
    for (int i = 0; i < COUNT(zip_cases); ++i) {
        const zip_case *c = &zip_cases[i];
        check_scene("%s", c->what);
        remove(path);
        write_zip(path, c);
        const char *content = content_of(inside);
        CHECK((content != NULL) == !c->problem[0]);
        if (content) CHECK_TEXT(content, "hello");
        CHECK(strstr(last_error, c->problem) != NULL);
    }
    remove(path);
}

static void write_pak(const char *path, const char *content)
{
    bytes  pak;
    size_t size = strlen(content);
    pak.size = 0;
    put_string(&pak, "PACK");
    put_number(&pak, (uint32_t)(12 + size), 4);
    put_number(&pak, 64, 4);
    put_string(&pak, content);
    put_string(&pak, "a.txt");
    put_zeros(&pak, 56 - 5);
    put_number(&pak, 12, 4);
    put_number(&pak, (uint32_t)size, 4);
    CHECK(write_file(path, pak.data, pak.size));
}

static void set_time(const char *path, long seconds)
{
    struct timespec times[2] = { { 1000000000, 0 }, { 1000000000, 0 } };
    times[0].tv_sec += seconds;
    times[1].tv_sec += seconds;
    CHECK(utimensat(AT_FDCWD, path, times, 0) == 0);
}

/* While an archive is open, another program overwrites it, or replaces it by another file. */
static void test_changed_archive(void)
{
    char path[512], other[512], inside[520];
    snprintf(path, sizeof path, "%s", check_path("changed.pak"));
    snprintf(other, sizeof other, "%s", check_path("other.pak"));
    snprintf(inside, sizeof inside, "%s/a.txt", path);
    write_pak(path, "first");
    set_time(path, 0);
    CHECK_TEXT(content_of(inside), "first");

    check_step("another time");
    write_pak(path, "other");
    set_time(path, 1);
    CHECK_TEXT(content_of(inside), "other");

    check_step("another size, at the same time");
    write_pak(path, "third one");
    set_time(path, 1);
    CHECK_TEXT(content_of(inside), "third one");

    check_step("another file, of the same size and time");
    write_pak(other, "thirdly, ");
    set_time(other, 1);
    CHECK(rename(other, path) == 0);
    CHECK_TEXT(content_of(inside), "thirdly, ");

    check_step("no file");
    remove(path);
    CHECK(content_of(inside) == NULL);
}

/* -- Pipes, and files that are too large ------------------------------------------------------- */

static void test_pipes(void)
{
    char path[512], pipe[530];
    snprintf(path, sizeof path, "%s", check_path("tree"));
    snprintf(pipe, sizeof pipe, "%s/pipe.md2", path);
    make_tree(path, "pipe.md2| x.zip| folder.md2/");
    alarm(20);
    CHECK(content_of(pipe) == NULL);
    CHECK(!file_exists(pipe));
    folder f = { NULL, 0 };
    CHECK(list_tree(&f, path));
    CHECK_EQ(f.count, 0);
    alarm(0);
    free_folder(&f);
    snprintf(pipe, sizeof pipe, "%s/folder.md2", path);
    CHECK(!file_exists(pipe));
    CHECK(content_of(pipe) == NULL);
    remove_tree(path);
}

static void test_large_file(void)
{
    /* The file is sparse: it takes no space on the disk. */
    char path[512];
    snprintf(path, sizeof path, "%s", check_path("large.md2"));
    CHECK(write_file(path, "", 0));
    CHECK_TEXT(content_of(path), "");
    if (truncate(path, (off_t)1 << 42) == 0) {
        CHECK(file_exists(path));
        CHECK(content_of(path) == NULL);
        CHECK_TEXT(last_error, "it is larger than 256 MB");
    }
    remove(path);
}

/* -- Folders ----------------------------------------------------------------------------------- */

static const struct { const char *tree, *files; } trees[] = {
    { "a=1 b/ b/c=2 .hidden=3", "a b/c" },
    { "a=1 l>a", "a l" },
    { "b/ b/c=1 d>b", "b/c" },
    { "a>z z/ z/c=1", "z/c" },

    /* links that lead back to a folder above them */
    { "a=1 b/ b/c>.. b/d>../b b/e>.", "a" },
    { "1>. 2>. 3>. 4>. 5>. 6>. 7>. 8>. a=1", "a" },
    { "a/ b/ a/1>../b a/2>../b b/1>../a b/2>../a b/f=1", "b/f" },

    /* links to files that do not exist */
    { "a=1 l>lost m>l", "a" },
};

static void test_trees(void)
{
    char path[512];
    snprintf(path, sizeof path, "%s", check_path("tree"));
    for (int i = 0; i < COUNT(trees); ++i) {
        char   text[512] = "";
        folder f = { NULL, 0 };
        check_scene("%s", trees[i].tree);
        make_tree(path, trees[i].tree);
        CHECK(list_tree(&f, path));
        for (int k = 0; k < f.count; ++k) {
            size_t used = strlen(text);
            snprintf(text + used, sizeof text - used, "%s%s", used > 0 ? " " : "", f.paths[k] + strlen(path) + 1);
        }
        CHECK_TEXT(text, trees[i].files);
        free_folder(&f);
    }
    remove_tree(path);
}

int main(int argc, char **argv)
{
    check_start(argc, argv, "");
    check_chapter("archives");
    RUN(test_zips, "damaged files in a .zip are refused");
    RUN(test_changed_archive, "an archive that has changed on disk is opened again");
    check_chapter("files");
    RUN(test_pipes, "a pipe is never read");
    RUN(test_large_file, "a file that is too large is refused");
    RUN(test_trees, "each folder is listed once, even if links lead back to it");
    return check_finish();
}
