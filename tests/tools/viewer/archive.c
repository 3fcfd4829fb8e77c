/* archive.c - reads the tables of .pak and .zip archives, and files from them. It checks every
   offset and size, because the archive may be damaged. Public domain. */
#include "archive.h"

#include <stdlib.h>
#include <string.h>

static const char no_memory[] = "there is not enough memory";
static const char unread[] = "it cannot be read";

static uint32_t get_16(const uint8_t *bytes)
{
    return (uint32_t)(bytes[0] | bytes[1] << 8);
}

static uint32_t get_32(const uint8_t *bytes)
{
    return get_16(bytes) | get_16(bytes + 2) << 16;
}

/* stb_image reads past the end of a deflate stream. In a .png, the checksum follows the
   stream. Here, zeros follow it. */
#define PADDING 4

/* Returns bytes of the archive followed by PADDING zeros, to be freed. If that fails, returns NULL
   and sets *problem. */
static uint8_t *read_part(const archive_source *source, uint64_t offset, uint64_t size,
                          const char **problem)
{
    *problem = "it ends inside a file: was it cut short?";
    if (offset > source->size || size > source->size - offset) return NULL;

    *problem = no_memory;
    uint8_t *bytes = (uint8_t *)malloc((size_t)size + PADDING);
    if (!bytes) return NULL;
    memset(bytes + size, 0, PADDING);

    *problem = unread;
    if (size == 0 || source->read(source->user, offset, (size_t)size, bytes)) return bytes;
    free(bytes);
    return NULL;
}

/* -- Names ------------------------------------------------------------------------------------- */

/* Returns true for a name that begins with a slash or a drive, or has ".." or control
   characters. */
static bool leads_outside(const char *name)
{
    if (name[0] == '/' || strchr(name, ':')) return true;

    for (const char *part = name; part; part = strchr(part, '/')) {
        if (*part == '/') ++part;
        bool climbs = part[0] == '.' && part[1] == '.' && (part[2] == '/' || part[2] == 0);
        if (climbs) return true;
    }
    for (const char *c = name; *c; ++c) {
        bool is_control = (unsigned char)*c < 32;
        if (is_control) return true;
    }
    return false;
}

/* Adds a file, or leaves it out if its name is unusable. Returns false if there is not enough
   memory. */
static bool add_file(archive *a, archived_file file, const uint8_t *name, size_t length)
{
    char *copy = (char *)malloc(length + 1);
    if (!copy) return false;

    /* Programs for Windows write backslashes. The name of a folder ends with a slash. */
    memcpy(copy, name, length);
    copy[length] = 0;
    for (char *c = copy; *c; ++c) {
        if (*c == '\\') *c = '/';
    }
    size_t text_length = strlen(copy);
    bool   is_folder = text_length == 0 || copy[text_length - 1] == '/';
    if (is_folder || text_length < length || leads_outside(copy)) {
        free(copy);
        return true;
    }

    file.name = copy;
    a->files[a->count++] = file;
    return true;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(((const archived_file *)a)->name, ((const archived_file *)b)->name);
}

static bool allocate_files(archive *a, size_t count)
{
    a->files = (archived_file *)calloc(count + 1, sizeof *a->files);
    return a->files != NULL;
}

/* -- Pak --------------------------------------------------------------------------------------- */

/* Reads the table of a .pak. The header is "PACK" and the offset and size of the table. Each entry
   of the table is a name of 56 bytes, an offset and a size. */
static const char *open_pak(archive *a, const uint8_t header[12])
{
    enum { ENTRY_SIZE = 64, NAME_SIZE = 56 };
    uint32_t table_size = get_32(header + 8);
    if (table_size > MAX_ARCHIVED) return "its table is longer than 64 MB";

    const char *problem;
    uint8_t    *table = read_part(&a->source, get_32(header + 4), table_size, &problem);
    if (!table) return problem;

    size_t count = table_size / ENTRY_SIZE;
    bool   has_memory = allocate_files(a, count);
    for (size_t i = 0; has_memory && i < count; ++i) {
        const uint8_t *entry = table + i * ENTRY_SIZE;
        const uint8_t *end = (const uint8_t *)memchr(entry, 0, NAME_SIZE);
        archived_file  file;
        memset(&file, 0, sizeof file);
        file.offset = get_32(entry + NAME_SIZE);
        file.size = get_32(entry + NAME_SIZE + 4);
        file.packed_size = file.size;
        has_memory = add_file(a, file, entry, end ? (size_t)(end - entry) : (size_t)NAME_SIZE);
    }
    free(table);
    return has_memory ? NULL : no_memory;
}

/* -- Zip --------------------------------------------------------------------------------------- */

enum { LOCAL_SIZE = 30, ENTRY_SIZE = 46, END_SIZE = 22, MAX_COMMENT = 65535 };

typedef struct zip_table {
    uint64_t offset;                  /* of the table in the file */
    uint64_t start;                   /* of the archive in the file: all offsets count from here */
    uint32_t size;                    /* of the table */
} zip_table;

/* Finds the table from the record at the end of the file, which has the position and the size of
   the table. Only a comment can follow the record. */
static const char *find_table(const archive_source *source, zip_table *table)
{
    uint64_t    tail_size = END_SIZE + MAX_COMMENT;
    const char *problem;
    if (tail_size > source->size) tail_size = source->size;
    uint8_t *tail = read_part(source, source->size - tail_size, tail_size, &problem);
    if (!tail) return problem;

    problem = "its table is missing: was it cut short?";
    for (size_t i = (size_t)tail_size + 1 - END_SIZE; tail_size >= END_SIZE && i-- > 0;) {
        const uint8_t *end = tail + i;
        if (get_32(end) != 0x06054b50) continue;

        problem = "zip64 is not supported: pack it as a plain .zip";
        uint32_t size = get_32(end + 12), offset = get_32(end + 16);
        if (get_16(end + 10) == 0xffff || size == 0xffffffff || offset == 0xffffffff) break;

        /* Bytes before the first file, such as a self-extractor, shift all offsets. */
        problem = "its table is outside the file: was it cut short?";
        uint64_t end_offset = source->size - tail_size + i;
        if ((uint64_t)size + offset > end_offset) break;

        table->size = size;
        table->offset = end_offset - size;
        table->start = table->offset - offset;
        problem = NULL;
        break;
    }
    free(tail);
    return problem;
}

/* Returns the size of the table entry at `bytes`; 0 if the `left` bytes of the table do not begin
   with a whole entry. */
static size_t zip_entry_size(const uint8_t *bytes, size_t left)
{
    if (left < ENTRY_SIZE || get_32(bytes) != 0x02014b50) return 0;

    size_t size = ENTRY_SIZE + get_16(bytes + 28) + get_16(bytes + 30) + get_16(bytes + 32);
    return size <= left ? size : 0;
}

static const char *open_zip(archive *a)
{
    zip_table   found = { 0, 0, 0 };
    const char *problem = find_table(&a->source, &found);
    if (problem) return problem;
    if (found.size > MAX_ARCHIVED) return "its table is longer than 64 MB";

    uint8_t *table = read_part(&a->source, found.offset, found.size, &problem);
    if (!table) return problem;

    size_t size, at = 0;
    bool   has_memory = allocate_files(a, found.size / ENTRY_SIZE);
    while (has_memory && (size = zip_entry_size(table + at, found.size - at)) > 0) {
        const uint8_t *entry = table + at;
        archived_file  file;
        memset(&file, 0, sizeof file);
        file.is_encrypted = entry[8] & 1;
        file.method = (uint16_t)get_16(entry + 10);
        file.crc = get_32(entry + 16);
        file.packed_size = get_32(entry + 20);
        file.size = get_32(entry + 24);
        file.offset = found.start + get_32(entry + 42);
        has_memory = add_file(a, file, entry + ENTRY_SIZE, get_16(entry + 28));
        at += size;
    }
    free(table);
    return has_memory ? NULL : no_memory;
}

/* Finds the bytes of a file, which follow its local header. The header has a name and an extra
   field, which may be longer than those in the table. */
static bool find_zip_bytes(const archive *a, const archived_file *file, uint64_t *offset,
                           const char **problem)
{
    uint8_t *local = read_part(&a->source, file->offset, LOCAL_SIZE, problem);
    if (!local) return false;

    *problem = "the archive is damaged: its table has a wrong position for this file";
    bool is_there = get_32(local) == 0x04034b50;
    *offset = file->offset + LOCAL_SIZE + get_16(local + 26) + get_16(local + 28);
    free(local);
    return is_there;
}

static uint8_t *inflate_file(const archive *a, const archived_file *file, uint8_t *packed,
                             const char **problem)
{
    *problem = no_memory;
    uint8_t *bytes = (uint8_t *)malloc((size_t)file->size + 1);
    if (!bytes) return NULL;

    *problem = "it is damaged: it does not unpack to its size";
    int size = a->source.inflate((char *)bytes, (int)file->size, (const char *)packed,
                                 (int)file->packed_size + PADDING);
    if (size >= 0 && (uint32_t)size == file->size) return bytes;
    free(bytes);
    return NULL;
}

/* Computes CRC-32 with the polynomial 0x04C11DB7, lowest bit first. */
static uint32_t compute_crc(const uint8_t *bytes, size_t size)
{
    uint32_t table[256], crc = 0xffffffff;
    for (uint32_t i = 0; i < 256; ++i) {
        table[i] = i;
        for (int bit = 0; bit < 8; ++bit) {
            table[i] = table[i] & 1 ? table[i] >> 1 ^ 0xedb88320 : table[i] >> 1;
        }
    }
    for (size_t i = 0; i < size; ++i) crc = table[(crc ^ bytes[i]) & 255] ^ crc >> 8;
    return ~crc;
}

/* -- Archives of both kinds -------------------------------------------------------------------- */

const char *open_archive(archive *a, const archive_source *source)
{
    memset(a, 0, sizeof *a);
    a->source = *source;

    const char *problem;
    uint8_t    *header = read_part(source, 0, 12, &problem);
    if (!header) return problem;

    a->is_zip = memcmp(header, "PACK", 4) != 0;
    problem = a->is_zip ? open_zip(a) : open_pak(a, header);
    free(header);
    if (!problem) qsort(a->files, (size_t)a->count, sizeof *a->files, compare_names);
    return problem;
}

void close_archive(archive *a)
{
    for (int i = 0; i < a->count; ++i) free(a->files[i].name);
    free(a->files);
    memset(a, 0, sizeof *a);
}

uint8_t *read_archived(const archive *a, const archived_file *file, const char **problem)
{
    *problem = "it is encrypted";
    if (file->is_encrypted) return NULL;
    *problem = "it is larger than 64 MB";
    if (file->size > MAX_ARCHIVED || file->packed_size > MAX_ARCHIVED) return NULL;
    *problem = "its compression is not supported: pack it again with Store or Deflate";
    if (file->method != 0 && file->method != 8) return NULL;
    *problem = "it is damaged: it is stored, but its two sizes differ";
    if (file->method == 0 && file->size != file->packed_size) return NULL;

    uint64_t offset = file->offset;
    if (a->is_zip && !find_zip_bytes(a, file, &offset, problem)) return NULL;

    uint8_t *bytes = read_part(&a->source, offset, file->packed_size, problem);
    if (bytes && file->method == 8) {
        uint8_t *unpacked = inflate_file(a, file, bytes, problem);
        free(bytes);
        bytes = unpacked;
    }
    if (!bytes || !a->is_zip || compute_crc(bytes, file->size) == file->crc) return bytes;

    *problem = "it is damaged: its checksum differs from the archive's table";
    free(bytes);
    return NULL;
}
