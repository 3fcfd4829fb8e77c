/* Numbers are read as strtof reads them, in any locale. A number near the middle between two floats may be read
   as either float. A text that is not a number is refused. Public domain. */
#include "test_md5.h"

#include <locale.h>

enum { NUMBERS_PER_FRAME = 300, NUMBERS_AT_ONCE = 300 * 300 };

/* Spellings of numbers, each ended by a NUL. */
typedef struct spellings {
    m5_text *text;
    size_t count, near_middle; /* near_middle: spellings that may be read as either of two floats */
} spellings;

static spellings no_spellings(void)
{
    spellings none = { new_text(), 0, 0 };
    return none;
}

static void add_spelling(spellings *list, const char *digits, size_t size)
{
    m5_put_bytes(list->text, digits, size);
    m5_put_bytes(list->text, "", 1);
    ++list->count;
}

static void put_root(m5_text *text, int joint) { m5_put(text, "\"j%d\" -1", joint); }

/* Writes an animation whose frames have the spellings as positions, because positions are stored unchanged. */
static void put_numbers(m5_text *out, const spellings *list)
{
    const char *digits = list->text->bytes;
    size_t frames = (list->count + NUMBERS_PER_FRAME - 1) / NUMBERS_PER_FRAME;
    put_anim_head(out, NUMBERS_PER_FRAME / 3, (int)frames, 7, put_root);
    for (size_t i = 0; i < frames * NUMBERS_PER_FRAME; ++i) {
        if (i % NUMBERS_PER_FRAME == 0) {
            m5_put(out, "%sframe %u {\n", i ? "}\n" : "", (unsigned)(i / NUMBERS_PER_FRAME));
        }
        m5_put_text(out, i < list->count ? digits : "0");
        m5_put_bytes(out, i % 6 == 5 ? "\n" : " ", 1);
        if (i < list->count) digits += strlen(digits) + 1;
    }
    m5_put_text(out, "}\n");
}

/* Returns a locale in which 1.5 is written 1,5: German, if the machine has it. */
static const char *comma_locale(void)
{
    static const char *const names[4] = { "de_DE.UTF-8", "de_DE.utf8", "de_DE",
                                          "German_Germany.1252" };
    for (int i = 0; i < 4; ++i) {
        bool has = setlocale(LC_ALL, names[i]) != NULL && localeconv()->decimal_point[0] == ',';
        setlocale(LC_ALL, "C");
        if (has) return names[i];
    }
    return "C";
}

/* Returns whether a number is so near to the middle between two floats that either may be read. */
static bool is_near_middle(const char *digits, float nearest)
{
    const double near_enough = ldexp(1, -50);
    double exact = fabs(strtod(digits, NULL)), value = fabs((double)nearest);
    double up = (double)nextafterf((float)value, HUGE_VALF);
    double down = (double)nextafterf((float)value, 0.0f);
    return fabs(exact - (value + up) / 2) <= exact * near_enough ||
           fabs(exact - (value + down) / 2) <= exact * near_enough;
}

/* Reads all spellings of the list in a locale, compares them with strtof, and empties the list. */
static void expect_as_strtof(spellings *list, const char *locale, bool middles_may_differ)
{
    size_t mark = count_kept();
    const char *digits = list->text->bytes;
    m5_text *text = new_text();
    if (list->count == 0) return;

    put_numbers(text, list);
    setlocale(LC_ALL, locale);
    md5_anim *anim = keep_anim(md5_load_anim_memory(text->bytes, text->size, NULL, NULL, NULL));
    setlocale(LC_ALL, "C");
    CHECK(anim != NULL);

    for (size_t i = 0; i < list->count; ++i) {
        float got = anim->frames[i / 3].position[i % 3], want = strtof(digits, NULL);
        if (middles_may_differ && is_near_middle(digits, want)) {
            want = nextafterf(want, got);
            ++list->near_middle;
        }
        if (!same_bits(&got, &want, sizeof got)) {
            check_step("%s is read as %.9g", digits, (double)got);
            CHECK_EQ(got, want);
            CHECK(same_bits(&got, &want, sizeof got)); /* the sign of zero */
        }
        digits += strlen(digits) + 1;
    }
    list->count = 0;
    list->text->size = 0;
    free_kept(mark);
}

static void expect_numbers_read(const char *const *numbers, size_t count, const char *locale,
                                bool middles_may_differ)
{
    spellings list = no_spellings();
    for (size_t i = 0; i < count; ++i) add_spelling(&list, numbers[i], strlen(numbers[i]));
    expect_as_strtof(&list, locale, middles_may_differ);
}

/* -- Random numbers ----------------------------------------------------------- */

/* Adds the middle between two floats, a number just above the middle, or the double nearest to it. */
static void add_middle(spellings *list, random_source *random)
{
    char digits[256];
    uint32_t bits = random_next(random) & 0x7FFFFFFFu, next, kind = random_below(random, 3);
    float low, high;
    if (random_below(random, 2)) bits = 0x3A000000u + bits % 0x0C000000u;
    bits %= 0x4E000000u; /* 5e8 */
    next = bits + 1;
    memcpy(&low, &bits, sizeof low);
    memcpy(&high, &next, sizeof high);
    double middle = ((double)low + (double)high) / 2.0;
    snprintf(digits, sizeof digits, "%.*e", kind == 2 ? 17 : 120, middle);
    if (kind == 1) strchr(digits, 'e')[-1] = '1';
    add_spelling(list, digits, strlen(digits));
}

/* Adds a random number below the limit. Sign, point, exponent and many zeros are optional; there are up to 30
   other digits. */
static void add_digits(spellings *list, random_source *random)
{
    char digits[400];
    uint32_t count = 1 + random_below(random, 30), zeros = random_below(random, 16) ? 0 : 130;
    uint32_t point = random_below(random, 40), zero = random_below(random, count), whole = 0;
    uint32_t sign = random_below(random, 3), size = 0;
    if (sign) digits[size++] = sign == 1 ? '-' : '+';
    for (uint32_t i = 0; i < count + zeros; ++i) {
        if (i == point) digits[size++] = '.';
        whole += i < point;
        digits[size++] = i - zero < zeros ? '0' : (char)('0' + random_below(random, 10));
    }
    if (whole > 9 || random_below(random, 2)) {
        size += (uint32_t)snprintf(digits + size, 16, "%c%+d", random_below(random, 2) ? 'e' : 'E',
                                   9 - (int)(whole + random_below(random, 60)));
    }
    add_spelling(list, digits, size);
}

static void test_random_numbers(void)
{
    size_t count = 100000;
    random_source random = { 20 };
    spellings list = no_spellings();
    check_scene("seed %u", 20u);
    for (size_t i = 0; i < count; ++i) {
        if (random_below(&random, 4)) add_digits(&list, &random);
        else add_middle(&list, &random);
        if (list.count == NUMBERS_AT_ONCE) expect_as_strtof(&list, comma_locale(), true);
    }
    expect_as_strtof(&list, comma_locale(), true);
    CHECK(count > list.near_middle);
}

/* -- Numbers by hand ---------------------------------------------------------- */

static const char *const usual_numbers[] = {
    "0", "-0", "+0", "0.0", "-0.000000", "00", "007", "1", "-1", "+1", "1.", ".5", "-.5", "+.5",
    "0.5", "00.50", "1e0", "1E0", "1e+0", "1e-0", "1.5e3", "1.5E+03", "-1.5e-3", "1e-05", "1e5",
    "5e-1", ".5e1", "5.e1", "1e-45", "1e-46", "1.4e-45", "-1e-99", "1e-400", "1e-99999", "0e99999",
    "0e-99999", "0.0000000000000000000000000000000000000000000000000000001e55",
    "1000000000000000000000000000000000000000e-38", "1e9", "-1e9", "1000000000", "999999999.99",
    "-1000000000.0", "0000000000000001.5", "123456789012345678901234567890e-21", "1.17549435e-38",
    "1.17549429e-38", "16777215", "16777216", "16777219", "0.1", "0.2", "0.3", "0.7", "1.1",
    "3.14159265358979323846264338327950288",
    "0.000000000000000000000000000000000000011754942807573643", "0.123456789012345678901234567890"
};

#define HALF_OF_THE_LEAST \
    "0.000000000000000000000000000000000000000000000" \
    "700649232162408535461864791644958065640130970938257885878534141944895541342930300743319094" \
    "181060791015625"

static const char *const middle_numbers[] = {
    "7e-46", "7.1e-46", "16777217", "33554433", "536870944", "900719979.1611905",
    "1.00000005960464477539062500000", "1.00000005960464477539062500001",
    "1.00000005960464477539062499999", "0.999999970197677612304687500",
    "0.999999970197677612304687501", "2.00000011920928955078125", "8388608.5", "8388609.5",
    "8388608.5000000000000000000000000000001", HALF_OF_THE_LEAST, HALF_OF_THE_LEAST "01",
    "9.86734914779663", "11.42974328994751",
    "0.809077113866806", "0.948319822549820", "9.535510540008545", "9.492678165435791"
};

static const char *const no_numbers[] = {
    "nan", "NaN", "-nan", "inf", "-inf", "+infinity", "1.#IND", "-1.#IND", "1.#QNAN", "1.#INF",
    "1000000064", "-1000000064", "1.1e9", "10000000000", "18446744073709551616", "1e22", "1e23",
    "3.4028235e38", "-3.4e38", "1e39", "-1e39", "3.4028236e38", "1e400", "1e99999999999999999999",
    "1000000000000000000000000000000000000000", "0x10", "0x1p3", "1,5", "1.5f", "1.5.5", "--1",
    "+-1", "-+1", "-", "+", ".", "-.", "e5", "E5", ".e5", "1e", "1e+", "1e-", "1e+-5", "1e5.5",
    "1_000", "1'000", "1 e5", "1-", "1+1", "abc", "1a", "#", "1/2", "\xD9\xA1", "\"1\"x"
};

enum {
    USUAL = sizeof usual_numbers / sizeof usual_numbers[0],
    MIDDLES = sizeof middle_numbers / sizeof middle_numbers[0],
    NONE = sizeof no_numbers / sizeof no_numbers[0]
};

static void test_usual_numbers(void) { expect_numbers_read(usual_numbers, USUAL, "C", false); }

static void test_locale(void)
{
    printf("    locale: %s\n", comma_locale());
    expect_numbers_read(usual_numbers, USUAL, comma_locale(), false);
}

static void test_middles(void) { expect_numbers_read(middle_numbers, MIDDLES, "C", true); }

static void test_no_numbers(void)
{
    for (size_t i = 0; i < NONE; ++i) {
        char text[100];
        md5_error error;
        snprintf(text, sizeof text, "\"b\" 0 ( %s 2 3 ) ( 0 0 0 )", no_numbers[i]);
        check_scene("the number is %s", no_numbers[i]);
        CHECK(!load_edited(M5_MESH, 6, text, &error).loads);
        CHECK(error.code == MD5_ERROR_SYNTAX || error.code == MD5_ERROR_CORRUPT);
        CHECK_EQ(error.line, 6);
    }
}

static void test_largest_number(void)
{
    md5_error error;
    CHECK_EQ(mesh_with(6, "\"b\" 0 ( 1e9 2 3 ) ( 0 0 0 )")->joints[1].bind.position[0], 1e9);
    CHECK_EQ(mesh_with(6, "\"b\" 0 ( -1e9 2 3 ) ( 0 0 0 )")->joints[1].bind.position[0], -1e9);
    CHECK(!load_edited(M5_MESH, 6, "\"b\" 0 ( 1000000064 2 3 ) ( 0 0 0 )", &error).loads);
    check_error(&error, MD5_ERROR_CORRUPT, 6,
                "the number 1000000064 is too large: the limit is 1e9");
}

static void test_thousands_of_digits(void)
{
    for (int count = 300; count < 4900; count += 200) {
        m5_text *text = new_text();
        m5_put_text(text, "\"b\" 0 ( 9");
        for (int i = 0; i < count; ++i) m5_put_text(text, "7");
        m5_put(text, "e-%d 2 3 ) ( 0 0 0 )", count);
        md5_model *model = mesh_with(6, text->bytes);
        check_scene("9 and %d times 7", count);
        CHECK_NEAR(model->joints[1].bind.position[0], 9.7777777, 1e-5);
    }
}

/* One vertex has 64 weights. */
static void test_largest_numbers(void)
{
    md5_options options = options_of(0, 1e9f);
    m5_text *mesh = new_text(), *clip = new_text();
    float out[40];
    m5_put_text(mesh, "MD5Version 10 numJoints 9 numMeshes 1 joints { ");
    for (int i = 0; i < 9; ++i) m5_put(mesh, "j %d ( 1e9 1e9 1e9 ) ( -1e9 1e9 1e9 ) ", i - 1);
    m5_put_text(mesh, "} mesh { numverts 4 vert 0 ( 1e9 -1e9 ) 0 64 vert 1 ( 1e9 1e9 ) 1 64 "
                      "vert 2 ( -1e9 0 ) 2 64 vert 3 ( 0 0 ) 66 1 numtris 2 tri 0 0 1 2 tri 1 0 1 "
                      "3 numweights 67 ");
    for (int i = 0; i < 67; ++i) {
        m5_put(mesh, "weight %d %d 1e9 ( 1e9 %de8 -1e9 ) ", i, i % 9, i % 11);
    }
    m5_put_text(mesh, "}");
    m5_put_text(clip, "MD5Version 10 numFrames 2 numJoints 9 frameRate 1 numAnimatedComponents 6 "
                      "hierarchy { ");
    for (int i = 0; i < 9; ++i) m5_put(clip, "j %d 63 0 ", i - 1);
    m5_put_text(clip, "} baseframe { ");
    for (int i = 0; i < 9; ++i) m5_put_text(clip, "( 0 0 0 ) ( 0 0 0 ) ");
    m5_put_text(clip, "} frame 0 { 1e9 1e9 1e9 1e9 0 -1e9 } frame 1 { -1e9 1e9 1e9 1e9 1e9 1e9 }");
    md5_model *model = model_of(mesh, &options);
    md5_anim *anim = anim_of(clip, &options);
    md5_xform motion;
    md5_anim_motion(anim, MD5_LOOP, MD5_TRAVEL, 0, md5_anim_length(anim, MD5_LOOP), &motion);
    CHECK(all_finite(motion.position, 3));

    for (int i = 0; i < 8; ++i) {
        check_step("%s at %g s", i ? "posed" : "in the bind pose", 0.3 * i);
        md5_xform *pose = posed(model, i ? anim : NULL, MD5_LOOP, 0.3 * i);
        md5_pose_vertices(model, 0, pose, out, 0, out + 12, 0, out + 24, 0);
        CHECK(all_finite(out, 40));
        md5_pose_bounds(model, pose, out, out + 3);
        CHECK(all_finite(out, 6));
        CHECK(all_finite(pose[8].position, 3));
        CHECK(all_finite(pose[8].rotation, 4));
    }

    options.scale = 1.1e9f;
    CHECK(!md5_load_model_memory(mesh->bytes, mesh->size, &options, NULL));
}

void test_numbers(void)
{
    RUN(test_usual_numbers, "every usual spelling of a number is read as strtof reads it");
    RUN(test_locale, "numbers are read the same in a locale that writes 1,5");
    RUN(test_largest_number, "numbers reach from -1e9 to 1e9");
    RUN(test_no_numbers, "text that is not a number, or is too large, is refused");
    RUN(test_middles, "a number in the middle between two floats is read as one of them");
    RUN(test_thousands_of_digits, "of thousands of digits, only the first matter");
    RUN(test_largest_numbers, "if every number is 1e9, nothing overflows");
    RUN(test_random_numbers, "random spellings are read as strtof reads them");
}
