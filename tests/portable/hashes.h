/* hashes.h: hashing and models, shared by the files of the program hashes. Public domain. */
#ifndef HASHES_H_INCLUDED
#define HASHES_H_INCLUDED

#include "md2.h"
#include "md5.h"

#include "check.h"
#include "model_builder_md2.h"        /* also forbids fused multiplication and addition in these files */
#include "support.h"

/* -- Rows of the table: each has its own hash ------------------------------ */

typedef struct row {
    const char *name, *what;          /* what is hashed, in words */
    void (*hash_all)(void);
    uint64_t recorded;                /* 0 if the table lacks the row */
} row;

extern row md2_rows[], md5_rows[], gl_rows[]; /* each ends with an empty row */

/* Add to the current hash. */

void hash_bytes(const void *data, size_t size);
void hash_word(uint64_t word, int size);
void hash_int(int64_t x);
void hash_float(float x);
void hash_floats(const float *x, size_t count);
void hash_double(double x);

/* Adds values to the current hash: %u, %d, %s, and %f for a float. The format is that of printf, so compilers check the
   arguments. */
#ifdef __GNUC__
__attribute__((format(printf, 1, 2)))
#endif
void hash_values(const char *kinds, ...);

/* Begin a hash, and return the hash of everything that was added since. */
void     begin_hash(void);
uint64_t end_hash(void);

/* Print the hashes of the files under $MODELS, and test the files. They do nothing if MODELS is not set. */
void print_models(void);
void test_given_models(void);

/* Enables floating-point traps, or disables them. They are enabled while a row is computed. */
void set_traps(bool enabled);

/* -- Random numbers: each row begins with the same seed -------------------- */

/* Each random number has a separate statement, because compilers evaluate arguments in different orders. */
extern random_source dice;

float  dice_between(float low, float high);
double random_seconds(int turn);

/* Calls random functions of a player, advances it, and hashes its state and whether one of the first 20 frames of
   `newest` was crossed. `md` is md2 or md5; `anim` is an expression that contains the index anim_. */
#define HASH_PLAYER(md, MODE, player, i, anim, count, newest)                                     \
    do {                                                                                          \
        uint32_t chance_ = random_below(&dice, 40);                                               \
        if (chance_ < 2) {                                                                        \
            uint32_t anim_ = random_below(&dice, count), mode_ = random_below(&dice, 3);          \
            md##_play(player, anim, (MODE)mode_, dice_between(-0.1f, 0.6f));                      \
        }                                                                                         \
        if (chance_ == 2) (player)->speed = dice_between(-2, 3);                                  \
        if (chance_ == 3) md##_seek(player, (double)dice_between(-5, 20));                        \
        if (chance_ == 4) md##_pause(player, !(player)->paused);                                  \
        if (chance_ == 5) md##_stop(player);                                                      \
        if (chance_ == 6) md##_play(player, NULL, (MODE)0, 0.2f);                                 \
        uint32_t anim_ = (uint32_t)i % count;                                                     \
        if (chance_ == 7) md##_play_in_phase(player, anim, 0.4f);                                 \
        hash_int(md##_advance(player, dice_between(i % 9 ? 0 : -0.3f, i % 5 ? 0.05f : 0.9f)));    \
        hash_int(md##_crossed(player, newest, random_below(&dice, 20)));                          \
        hash_values("%u %d", (player)->track_count, (player)->finished);                          \
        hash_double((player)->track_count                                                         \
                        ? (player)->track[(player)->track_count - 1].time : -1);                  \
    } while (0)

/* -- The models of the tests, and the knight ------------------------------- */

enum { KNIGHT_ANIMS = 20 };

extern md2_model *md2_models[];       /* these lists end with NULL */
extern md5_model *md5_models[];
extern md5_anim  *md5_anims[];
extern md5_model *knight;             /* one of md5_models */
extern md5_anim  *knight_anims[KNIGHT_ANIMS];

void load_md2_models(void);
void load_md5_models(void);
void free_md2_models(void);
void free_md5_models(void);

/* Reads a file of the knight. */
unsigned char *read_character(const char *name, const char *suffix, size_t *size);

md2_pose random_md2_pose(const md2_model *m, int frames);

#endif /* HASHES_H_INCLUDED */
