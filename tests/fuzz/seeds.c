/* The inputs that a fuzzer begins with, all in one file: a pack is, for each input, its size in two
   bytes and then its bytes. Public domain.

   fuzz_seeds pack FOLDER PACK
   fuzz_seeds unpack PACK FOLDER */
#include "support.h"

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

int main(int argc, char **argv)
{
    if (argc == 4 && strcmp(argv[1], "pack") == 0) return pack(argv[2], argv[3]);
    if (argc == 4 && strcmp(argv[1], "unpack") == 0) return unpack(argv[2], argv[3]);
    fprintf(stderr, "usage: %s pack FOLDER PACK | unpack PACK FOLDER\n", argv[0]);
    return EXIT_FAILURE;
}
