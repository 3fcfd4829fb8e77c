/* archive.h - reads files from a Quake .pak, or from a .zip, .pk3 or .pk4, through a callback. It
   loads only the table and the requested files. Damaged archives are safe to read. Public
   domain. */
#ifndef ARCHIVE_H_INCLUDED
#define ARCHIVE_H_INCLUDED

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MAX_ARCHIVED (64 << 20)       /* bytes of one file, and of a table */

typedef struct archive_source {
    /* Reads `size` bytes at `offset` into `out`. Returns false if that fails. */
    bool    (*read)(void *user, uint64_t offset, size_t size, void *out);
    void     *user;
    uint64_t  size;                   /* of the whole archive */
    /* Decompresses a deflate stream without a header. Returns the number of decompressed bytes, or
       -1 if it fails, like stbi_zlib_decode_noheader_buffer. */
    int     (*inflate)(char *out, int out_size, const char *in, int in_size);
} archive_source;

typedef struct archived_file {
    char    *name;                    /* "models/imp/imp.md5mesh"; never outside the archive */
    uint64_t offset;                  /* of the bytes; in a zip, of the local header */
    uint32_t size, packed_size;
    uint32_t crc;                     /* zip only: CRC-32 of the unpacked bytes */
    uint16_t method;                  /* zip only: 0 = stored, 8 = deflated */
    bool     is_encrypted;
} archived_file;

typedef struct archive {
    archive_source source;
    bool           is_zip;
    archived_file *files;             /* sorted by name */
    int            count;
} archive;

/* Returns NULL, or the reason why the archive cannot be opened. Close the archive in either
   case. */
const char *open_archive(archive *a, const archive_source *source);
void        close_archive(archive *a);

/* Returns the bytes of a file, to be freed. If that fails, returns NULL and sets *problem. */
uint8_t *read_archived(const archive *a, const archived_file *file, const char **problem);

#endif
