/* Builds MD2 models: exact models with known answers, each kind of malformed file, and files at the limits
   of the format. The tests load them from memory; make_models writes them to files. Public domain. */
#ifndef MODEL_BUILDER_MD2_H_INCLUDED
#define MODEL_BUILDER_MD2_H_INCLUDED

#include "md2.h"

/* No multiplication may be fused with an addition, so that the bytes are the same on every machine. */
#if defined(__clang__)
  #pragma STDC FP_CONTRACT OFF
#elif defined(__GNUC__)
  #pragma GCC optimize("fp-contract=off")
#endif

/* -- A model as plain arrays ---------------------------------------------- */

enum m2_field { /* the 17 words of the header, in file order */
    M2_IDENT, M2_VERSION, M2_SKIN_WIDTH, M2_SKIN_HEIGHT, M2_FRAME_SIZE, M2_SKINS, M2_POINTS, M2_ST,
        M2_TRIS,
    M2_WORDS, M2_FRAMES, M2_OFS_SKINS, M2_OFS_ST, M2_OFS_TRIS, M2_OFS_FRAMES, M2_OFS_WORDS, M2_END,
        M2_FIELDS
};

enum m2_section { M2_SEC_SKINS, M2_SEC_ST, M2_SEC_TRIS, M2_SEC_FRAMES, M2_SEC_WORDS, M2_SECTIONS };

#define M2_MAGIC  0x32504449L /* "IDP2" */
#define M2_HEADER 68u

typedef struct m2_frame_head {
    float scale[3], translate[3];
    char  name[16];
} m2_frame_head;

typedef struct m2_file {
    int32_t        skin_width, skin_height;
    uint32_t       skin_count, point_count, st_count, tri_count, word_count, frame_count;
    char          *skins; /* 64 bytes each */
    int16_t       *st;    /* s, t */
    uint16_t      *tris;  /* three points, three st */
    m2_frame_head *frames;
    uint8_t       *points; /* frame by frame: x, y, z, normal */
    uint32_t      *words;  /* GL commands, floats by their bits */
    uint32_t       tris_used, words_used;
    uint32_t       order[M2_SECTIONS]; /* order in which the sections are written */
    uint32_t       gap;         /* bytes before each section */
    uint32_t       frame_slack; /* bytes after the points of each frame */
} m2_file;

typedef struct m2_bytes {
    uint8_t *data;
    size_t   size;
} m2_bytes;

void    *m2_zeroes(size_t count, size_t size);
void     m2_begin(m2_file *f, uint32_t skins, uint32_t points, uint32_t st, uint32_t tris,
                  uint32_t words,
                  uint32_t frames);
void     m2_end(m2_file *f);
void     m2_free(m2_bytes *bytes);
void     m2_skin(m2_file *f, uint32_t skin, const char *path);
void     m2_frame(m2_file *f, uint32_t frame, const char *name, float scale, float translate);
uint8_t *m2_point(m2_file *f, uint32_t frame, uint32_t point);
void     m2_set_point(m2_file *f, uint32_t frame, uint32_t point, int x, int y, int z, int normal);
void     m2_word(m2_file *f, uint32_t word);
uint32_t m2_bits(float value);
void     m2_float_word(m2_file *f, float value);

/* -- To bytes, little-endian on every machine ----------------------------- */

void     m2_put16(uint8_t *at, uint32_t value);
void     m2_put32(uint8_t *at, uint32_t value);
void     m2_put_float(uint8_t *at, float value);
uint32_t m2_get16(const uint8_t *at);
uint32_t m2_get32(const uint8_t *at);
float    m2_get_float(const uint8_t *at);
uint32_t m2_field(const m2_bytes *b, int field);
void     m2_set_field(m2_bytes *b, int field, uint32_t value);
m2_bytes m2_write(m2_file *f); /* also frees `f` */
void     m2_resize(m2_bytes *b, size_t size);
void     m2_append(m2_bytes *b, const void *tail, size_t size);
uint8_t *m2_section(m2_bytes *b, int field);

/* -- Whole models --------------------------------------------------------- */

void m2_cube_frame(m2_file *f, uint32_t frame, const char *name, float step, float low);
void m2_build_cubes(m2_file *f, uint32_t frames);
void m2_build_cube(m2_file *f);
void m2_build_moving_cube(m2_file *f);

typedef struct m2_clip {
    const char *name;
    uint32_t    first, count;
} m2_clip;

#define M2_PLAYER_FRAMES 198u
#define M2_PLAYER_CLIPS  20u
extern const m2_clip m2_player_clips[M2_PLAYER_CLIPS];

/* A cube that changes shape a little in each of 198 frames, whose names are the player's. */
void m2_build_player(m2_file *f);

/* A 5 x 4 sheet in strips of even and odd length and a fan, with one point that no triangle uses. */
void m2_build_sheet(m2_file *f);

/* -- The table ------------------------------------------------------------ */

enum m2_edit_kind { M2_NONE, M2_FIELD, M2_KEEP, M2_WORD, M2_CALL };

/* M2_FIELD: word `at` of the header becomes `value`. M2_KEEP: only the first `value` bytes remain.
   M2_WORD: GL command word `at` becomes `value`. M2_CALL: `call` changes the bytes. */
typedef struct m2_edit {
    int      kind;
    uint32_t at, value;
    void (*call)(m2_bytes *bytes);
} m2_edit;

typedef struct m2_case {
    const char *name;
    void (*build)(m2_file *file);
    m2_edit     edit; /* change of the finished bytes */
    md2_result  result;
    int         strips;  /* 1: has strips, 0: has none (only if it loads) */
    uint32_t    dropped; /* triangles */
} m2_case;

#define M2_CASES 68u
extern const m2_case m2_cases[M2_CASES];

m2_bytes m2_case_bytes(const m2_case *model);
m2_bytes m2_named(const char *name);

uint32_t m2_dice(uint32_t *seed, uint32_t sides);

/* A random model that loads: points, frames, and triangles with random corners, without GL commands.
   The same seed gives the same model. */
m2_bytes m2_random(uint32_t seed, uint32_t points, uint32_t tris, uint32_t frames);

/* -- PCX pictures --------------------------------------------------------- */

enum { M2_PCX_PLAIN = 0, M2_PCX_RUNS = 1, M2_PCX_RUNS_ACROSS_LINES = 2 };

uint8_t  m2_pcx_index(uint32_t x, uint32_t y);
void     m2_pcx_color(uint32_t index, uint8_t rgb[3]);
m2_bytes m2_pcx(uint32_t width, uint32_t height, uint32_t bytes_per_line, int style);

#endif /* MODEL_BUILDER_MD2_H_INCLUDED */
