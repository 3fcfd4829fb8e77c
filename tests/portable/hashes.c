/* hashes: computes the results of both libraries, and compares a hash of each kind of result with a table. All machines
   and compilers must give the same bits.

   hashes                  compares all rows of the table
   hashes md2.player       compares one row
   hashes --print          prints the table; see `make record WHAT=hashes`
   hashes --print-models   prints a hash for each file under $MODELS; see `make record WHAT=models`
     --table=FILE          the table, if not tests/golden/hashes.txt
     --folder=FOLDER       the folder of the knight's files, if not build/character; it must exist, and the files are
                           written if they are missing

   Integers are hashed as 64 bits, floats and doubles by their bits, texts and files by their bytes, always with the low
   byte first. Addresses and sizes of memory are not hashed. Messages and paths, which need no arithmetic, are left to
   the tests of each library.

   With glibc and gcc on x86, floating-point traps are enabled while the models load and while each
   row is computed: a division by 0, an overflow or an invalid operation ends the program and reports
   its row. Public domain. */
#include "hashes.h"

#include "tests/tools/character/make_character.h"

#if defined(__GLIBC__) && defined(__SSE2__) && !defined(__clang__)
  #include <fenv.h>
  #define HAS_TRAPS
#endif

/* -- Rows ------------------------------------------------------------------ */

static void hash_character_files(void);

static row character_rows[] = {
    { "character.files", "the files of the knight", hash_character_files, 0 },
    { NULL, NULL, NULL, 0 }
};

static row *const tables[] = { character_rows, md2_rows, md5_rows, gl_rows };

enum { TABLES = sizeof tables / sizeof *tables };

#define EACH_ROW(r) \
    (int table_ = 0; table_ < TABLES; ++table_) for (row *r = tables[table_]; r->name; ++r)

static uint64_t hash;                 /* the current hash, FNV-1a */
static size_t   hashed_bytes;

void hash_bytes(const void *data, size_t size)
{
    const uint8_t *bytes = (const uint8_t *)data;
    const uint64_t prime = ((uint64_t)0x100u << 32) | 0x1B3u;
    for (size_t i = 0; i < size; ++i) hash = (hash ^ bytes[i]) * prime;
    hashed_bytes += size;
}

void hash_word(uint64_t word, int size)
{
    uint8_t bytes[8];
    for (int i = 0; i < size; ++i) bytes[i] = (uint8_t)(word >> 8 * i);
    hash_bytes(bytes, (size_t)size);
}

void hash_int(int64_t x) { hash_word((uint64_t)x, 8); }

/* Processors make different NaNs, so no result may be NaN. */
void hash_float(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    CHECK(x == x);
    hash_word(bits, 4);
}

void hash_floats(const float *x, size_t count)
{
    for (size_t i = 0; i < count; ++i) hash_float(x[i]);
}

void hash_double(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    CHECK(x == x);
    hash_word(bits, 8);
}

static void hash_text(const char *text)
{
    if (text) hash_bytes(text, strlen(text) + 1);
    else hash_int(-1);
}

void hash_values(const char *kinds, ...)
{
    va_list values;
    va_start(values, kinds);
    for (; *kinds; ++kinds) {
        if (*kinds == 'u') hash_int(va_arg(values, unsigned));
        if (*kinds == 'd') hash_int(va_arg(values, int));
        if (*kinds == 'f') hash_float((float)va_arg(values, double));
        if (*kinds == 's') hash_text(va_arg(values, const char *));
    }
    va_end(values);
}

/* Enables or disables the traps. clang computes both sides of some branches, and would need
   -ftrapping-math. */
void set_traps(bool enabled)
{
#ifdef HAS_TRAPS
    extern int feenableexcept(int), fedisableexcept(int); /* <fenv.h> hides them in standard C */
    int traps = FE_DIVBYZERO | FE_OVERFLOW | FE_INVALID;
    feclearexcept(traps);
    if (enabled) feenableexcept(traps);
    else fedisableexcept(traps);
#else
    (void)enabled;
#endif
}

void begin_hash(void)
{
    hash = ((uint64_t)0xCBF29CE4u << 32) | 0x84222325u;
    hashed_bytes = 0;
}

uint64_t end_hash(void) { return hash; }

/* Computes the hash of a row, which does not depend on other rows. */
static void hash_row(row *r)
{
    dice.state = 1996;
    begin_hash();
    r->hash_all();
}

/* -- Random numbers ------------------------------------------------------------ */

random_source dice;

float dice_between(float low, float high)
{
    return low + (high - low) * ((float)random_below(&dice, 1u << 20) / 1048576.0f);
}

double random_seconds(int turn)
{
    return (double)(int32_t)random_next(&dice) / (turn % 4 ? 1e9 : 3.0);
}

/* -- The knight ------------------------------------------------------------------ */

static const char *folder;

unsigned char *read_character(const char *name, const char *suffix, size_t *size)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s%s", folder, name, suffix);
    check_scene("%s", path);
    unsigned char *bytes = read_file(path, size);
    CHECK(bytes != NULL);
    return bytes;
}

/* Making the knight takes longer than all rows, so its files are kept. */
static void make_character_once(void)
{
    size_t size;
    char   path[1024];
    snprintf(path, sizeof path, "%s/tris.md2", folder);
    unsigned char *bytes = read_file(path, &size);
    if (!bytes) make_character(folder);
    free(bytes);
}

static void hash_character_file(const char *name, const char *suffix)
{
    size_t         size;
    unsigned char *bytes = read_character(name, suffix, &size);
    hash_bytes(bytes, size);
    free(bytes);
}

static void hash_character_files(void)
{
    hash_character_file("skin", ".png");
    hash_character_file("weapon", ".png");
    hash_character_file("tris", ".md2");
    hash_character_file("weapon", ".md2");
    hash_character_file("knight", ".md5mesh");
    hash_character_file("walk", ".md5anim");
    hash_character_file("turn", ".md5anim");
    for (int i = 0; i < KNIGHT_ANIMS; ++i) hash_character_file(knight_anims[i]->name, ".md5anim");
}

/* -- The table ------------------------------------------------------------------------------ */

static void print_table(void)
{
    for EACH_ROW(r) {
        hash_row(r);
        printf("%-20s %08lx%08lx\n", r->name, (unsigned long)(hash >> 32),
               (unsigned long)(hash & 0xFFFFFFFFu));
    }
}

static row *find_row(const char *name)
{
    for EACH_ROW(r) {
        if (strcmp(r->name, name) == 0) return r;
    }
    return NULL;
}

static void read_table(void)
{
    const char *path = check_option("--table=");
    if (!path) path = "tests/golden/hashes.txt";
    FILE *table = fopen(path, "r");
    char name[64];
    unsigned long high, low;
    check_scene("%s", path);
    if (!CHECK(table != NULL)) return;

    while (fscanf(table, "%63s %8lx%8lx", name, &high, &low) == 3) {
        row *r = find_row(name);
        check_step("the row %s is not computed", name);
        if (CHECK(r != NULL)) r->recorded = (uint64_t)high << 32 | low;
    }
    check_step("a line that is not a row");
    CHECK(feof(table));
    fclose(table);
}

static row *tested;

static void test_row(void)
{
    set_traps(true);
    hash_row(tested);
    set_traps(false);
    if (hash != tested->recorded) printf("    %s differs\n", tested->name);
    check_scene("if the change is intended: make record WHAT=hashes");
    CHECK(hashed_bytes > 0);
    CHECK(hash == tested->recorded);
}

int main(int argc, char **argv)
{
    char description[120];
    int  status = EXIT_SUCCESS;
    check_start(argc, argv, "--folder= --table= --print --print-models");
    if (check_option("--print-models")) {
        print_models();
        return EXIT_SUCCESS;
    }

    folder = check_option("--folder=");
    if (!folder) folder = "build/character";
    make_character_once();

    set_traps(true);
    load_md2_models();
    load_md5_models();
    set_traps(false);

    if (check_option("--print")) {
        print_table();
    } else {
        read_table();
        for EACH_ROW(r) {
            tested = r;
            snprintf(description, sizeof description, "%s are as recorded", tested->what);
            check_run(tested->name, description, test_row);
        }
        test_given_models();
        status = check_finish();
    }
    free_md2_models();
    free_md5_models();
    return status;
}
