/* The functions of model_builder_md5.h, except for the unusual models. Public domain. */
#include "model_builder_md5.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- Text ------------------------------------------------------------------ */

void m5_free(m5_text *text)
{
    free(text->bytes);
    memset(text, 0, sizeof *text);
}

void m5_put_bytes(m5_text *text, const char *bytes, size_t size)
{
    if (text->size + size + 1 > text->room) {
        text->room = (text->size + size + 1) * 2;
        text->bytes = (char *)realloc(text->bytes, text->room);
        if (!text->bytes) abort();
    }
    if (size) memcpy(text->bytes + text->size, bytes, size);
    text->size += size;
    text->bytes[text->size] = '\0';
}

void m5_put_text(m5_text *text, const char *string)
{
    m5_put_bytes(text, string, strlen(string));
}

void m5_put(m5_text *text, const char *format, ...)
{
    char    buffer[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(buffer, sizeof buffer, format, arguments);
    va_end(arguments);
    m5_put_text(text, buffer);
}

/* -- Rigid transforms in double precision ---------------------------------- */

static void m5_multiply(const double a[4], const double b[4], double out[4])
{
    double q[4];
    q[0] = a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1];
    q[1] = a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0];
    q[2] = a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3];
    q[3] = a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2];
    memcpy(out, q, sizeof q);
}

static void m5_conjugate(const double q[4], double out[4])
{
    for (int k = 0; k < 3; k++) out[k] = -q[k];
    out[3] = q[3];
}

void m5_rotate(const double q[4], const double v[3], double out[3])
{
    double p[4] = { v[0], v[1], v[2], 0.0 }, c[4], r[4];
    m5_conjugate(q, c);
    m5_multiply(q, p, r);
    m5_multiply(r, c, r);
    memcpy(out, r, 3 * sizeof *out);
}

void m5_transform(const m5_xform *x, const double v[3], double out[3])
{
    m5_rotate(x->q, v, out);
    for (int k = 0; k < 3; k++) out[k] += x->p[k];
}

m5_xform m5_compose(const m5_xform *a, const m5_xform *b)
{
    m5_xform out;
    m5_transform(a, b->p, out.p);
    m5_multiply(a->q, b->q, out.q);
    return out;
}

m5_xform m5_inverse(const m5_xform *x)
{
    m5_xform out;
    double   minus[3] = { -x->p[0], -x->p[1], -x->p[2] };
    m5_conjugate(x->q, out.q);
    m5_rotate(out.q, minus, out.p);
    return out;
}

void m5_normalize(double *v, int count)
{
    double sum = 0.0;
    for (int k = 0; k < count; k++) sum += v[k] * v[k];
    if (sum <= 0.0) return;
    for (int k = 0; k < count; k++) v[k] /= sqrt(sum);
}

void m5_complete(double q[4])
{
    double rest = 1.0 - q[0] * q[0] - q[1] * q[1] - q[2] * q[2];
    q[3] = rest > 0.0 ? -sqrt(rest) : 0.0;
    m5_normalize(q, 4);
}

void m5_axis_angle(double x, double y, double z, double degrees, double out[4])
{
    double half = degrees * (3.14159265358979323846 / 360.0), axis[3] = { x, y, z };
    m5_normalize(axis, 3);
    for (int k = 0; k < 3; k++) out[k] = axis[k] * sin(half);
    out[3] = cos(half);
}

/* Rounds to six decimals, so that the value does not depend on how many digits an exporter prints. */
static double m5_round6(double x)
{
    double r = floor(x * 1e6 + 0.5) / 1e6;
    return r == 0.0 ? 0.0 : r;
}

/* Rounds a rotation to what a file can hold: x y z of the quaternion with w <= 0, in six decimals. */
static void m5_store(double q[4])
{
    for (int k = 0; k < 3; k++) q[k] = m5_round6(q[3] > 0.0 ? -q[k] : q[k]);
    m5_complete(q);
}

/* -- The arm --------------------------------------------------------------- */

const m5_arm_joint m5_arm[M5_JOINTS] = {
    { "origin", -1, { 0.0, 0.0, 0.0 }, { 0.0, 0.0, 1.0 }, 0.0, 7 },
    { "upper arm", 0, { 4.0, 0.0, 1.0 }, { 0.0, 0.0, 1.0 }, 30.0, 32 },
    { "lower.L", 1, { M5_UPPER_LENGTH, 0.0, 0.0 }, { 0.0, 0.0, 1.0 }, -50.0, 32 },
    { "hand", 2, { M5_LOWER_LENGTH, 0.0, 0.0 }, { 0.0, 0.0, 1.0 }, 20.0, 63 },
    { "thumb", 3, { 1.5, 1.0, 0.25 }, { 1.0, 2.0, -1.0 }, 75.0, 0 },
    { "finger_01", 3, { 2.0, -0.5, 0.25 }, { -1.0, 0.5, 2.0 }, 130.0, 56 }
};

static m5_xform m5_arm_bind_local(int joint)
{
    m5_xform            x;
    const m5_arm_joint *j = &m5_arm[joint];
    memcpy(x.p, j->offset, sizeof x.p);
    m5_axis_angle(j->axis[0], j->axis[1], j->axis[2], j->degrees, x.q);
    return x;
}

/* Computes the bind pose as the mesh file stores it: in model space, with six decimals. */
static void m5_arm_bind(m5_xform out[M5_JOINTS])
{
    m5_xform exact[M5_JOINTS];
    for (int j = 0; j < M5_JOINTS; j++) {
        m5_xform local = m5_arm_bind_local(j);
        exact[j] = j == 0 ? local : m5_compose(&exact[m5_arm[j].parent], &local);
        out[j] = exact[j];
        for (int k = 0; k < 3; k++) out[j].p[k] = m5_round6(out[j].p[k]);
        m5_store(out[j].q);
    }
}

/* -- Animations of the arm ------------------------------------------------- */

const m5_clip m5_clips[M5_CLIPS] = { { "wave", 13, true, 24.0, 35.0, 0.0 },
                                            { "walk", 9, true, 12.0, 25.0, 3.0 },
                                            { "reach", 8, false, 30.0, 60.0, 0.0 },
                                            { "still", 1, false, 24.0, 10.0, 0.0 },
                                            { "nod", 2, false, 10.0, 40.0, 0.0 } };

static double m5_wave_at(const m5_clip *clip, int frame, double phase)
{
    int    steps = clip->repeats ? clip->frames - 1 : clip->frames;
    double turn = 6.28318530717958647692 * ((double)(frame % steps) / steps + phase);
    return sin(turn);
}

/* Returns the angle of one of the three bones about z at a frame, in degrees. */
static double m5_bend(const m5_clip *clip, int joint, int frame)
{
    static const double share[M5_JOINTS] = { 0.0, 1.0, -0.75, 0.5, 0.0, 0.0 };
    return share[joint] * clip->swing * m5_wave_at(clip, frame, 0.1 * joint);
}

m5_xform m5_arm_local(const m5_clip *clip, int joint, int frame)
{
    m5_xform x = m5_arm_bind_local(joint);
    if (joint == M5_ORIGIN) {
        x.p[0] = clip->travel * frame;
        x.p[2] = 0.5 + 0.5 * m5_wave_at(clip, frame, 0.3);
    } else if (joint <= M5_HAND) {
        m5_axis_angle(0.0, 0.0, 1.0, m5_bend(clip, joint, frame), x.q);
        if (joint == M5_HAND) x.p[0] += 0.25 * m5_wave_at(clip, frame, 0.6);
    } else if (joint == M5_FINGER) {
        m5_axis_angle(-1.0, 0.5, 2.0, 130.0 + 0.5 * clip->swing * m5_wave_at(clip, frame, 0.2),
                      x.q);
    }
    for (int k = 0; k < 3; k++) x.p[k] = m5_round6(x.p[k]);
    m5_store(x.q);
    return x;
}

/* Returns the number of animated components of the joints before this joint. */
static int m5_first_component(int joint)
{
    int count = 0;
    while (joint-- > 0) {
        for (unsigned flags = m5_arm[joint].flags; flags; flags >>= 1) count += (int)(flags & 1);
    }
    return count;
}

/* -- Spellings ------------------------------------------------------------- */

const m5_style m5_styles[] = {
    { "plain", 0 },
    { "maya_id", M5_TABS | M5_CRLF | M5_TEN_DIGITS | M5_JOINT_COMMENTS },
    { "blender_io_scene", M5_TABS | M5_VERSION_COMMENT | M5_TEN_DIGITS | M5_ONE_A_LINE },
    { "blender_katsbits", M5_TABS | M5_JOINT_COMMENTS | M5_MINUS_ZERO | M5_TRAILING_BLANKS },
    { "maya_mel", M5_NUL_END | M5_TRIMMED | M5_EXTRA_BOUNDS },
    { "darkradiant_11", M5_VERSION_11 | M5_NAME_FLAGS },
    { "darkradiant_12", M5_VERSION_12 | M5_NAME_FLAGS | M5_TABS },
    { "hand_disabled", M5_DISABLED | M5_NAME_FLAGS | M5_CRLF },
    { "appended", M5_APPENDED },
    { "appended_unended", M5_APPENDED | M5_NO_NEWLINE | M5_CRLF },
    { "stray_end", M5_STRAY_END },
    { "empty_meshes", M5_EMPTY_MESH },
    { "wild_comments", M5_WILD_COMMENTS | M5_VERSION_COMMENT | M5_JOINT_COMMENTS },
    { "wild_comments_crlf", M5_WILD_COMMENTS | M5_CRLF | M5_NO_NEWLINE },
    { "bom", M5_BOM | M5_CRLF },
    { "odd_case", M5_ODD_CASE },
    { "odd_case_12", M5_ODD_CASE | M5_VERSION_12 | M5_NAME_FLAGS | M5_DISABLED },
    { "frames_from_8", M5_FROM_8 },
    { "glued", M5_GLUED },
    { "glued_trimmed", M5_GLUED | M5_TRIMMED | M5_CRLF },
    { "brace_below", M5_BRACE_BELOW | M5_TABS },
    { "one_line", M5_ONE_LINE },
    { "one_line_glued", M5_ONE_LINE | M5_GLUED | M5_TRIMMED | M5_NO_NEWLINE },
    { "long_lines", M5_LONG_LINES },
    { "no_newline", M5_NO_NEWLINE },
    { "no_commandline", M5_NO_COMMANDLINE },
    { "exponents", M5_EXPONENTS },
    { "bare_points", M5_BARE_POINTS },
    { "minus_zero", M5_MINUS_ZERO | M5_TRIMMED },
    { "all_at_once", M5_TABS | M5_CRLF | M5_JOINT_COMMENTS | M5_VERSION_COMMENT | M5_WILD_COMMENTS |
                         M5_LONG_LINES | M5_NAME_FLAGS | M5_DISABLED | M5_EMPTY_MESH | M5_BOM |
                         M5_NUL_END | M5_ODD_CASE | M5_FROM_8 | M5_APPENDED | M5_BRACE_BELOW |
                         M5_TRAILING_BLANKS | M5_EXTRA_BOUNDS | M5_EXPONENTS }
};

/* Does not compile if M5_STYLES is wrong. */
extern int m5_styles_are_counted[sizeof m5_styles / sizeof m5_styles[0] == M5_STYLES ? 1 : -1];

static void m5_trim(char *digits)
{
    char *end = digits + strlen(digits);
    while (end[-1] == '0') *--end = '\0';
    if (end[-1] == '.') *--end = '\0';
    if (strcmp(digits, "-0") == 0) strcpy(digits, "0");
}

/* Shortens a number: .5 for 0.5, 1. for 1. Adds a plus sign if there is no minus sign. */
static void m5_bare(char *digits)
{
    char        bare[64];
    const char *d = digits, *sign = *d == '-' ? "-" : "+";
    m5_trim(digits);
    d += *d == '-';
    d += d[0] == '0' && d[1] == '.';
    snprintf(bare, sizeof bare, "%s%s%s", sign, d, strchr(d, '.') ? "" : ".");
    strcpy(digits, bare);
}

static void m5_put_number(m5_text *text, double x, uint32_t style)
{
    char digits[48];
    snprintf(digits, sizeof digits,
             style & M5_EXPONENTS ? "%.8e" : style & M5_TEN_DIGITS ? "%.10f" : "%.6f", x);
    if (style & M5_BARE_POINTS) m5_bare(digits);
    else if (style & M5_TRIMMED) m5_trim(digits);
    if ((style & M5_MINUS_ZERO) && x == 0.0) m5_put_text(text, "-");
    m5_put_text(text, digits);
}

static void m5_put_tuple(m5_text *text, const double *v, int count, uint32_t style)
{
    m5_put_text(text, "( ");
    for (int k = 0; k < count; k++) {
        m5_put_number(text, v[k], style);
        m5_put_text(text, " ");
    }
    m5_put_text(text, ")");
}

/* Writes an indented line: %d is an integer, %s a text, %f a number, %3 three numbers in parentheses
   (also %2 and %4). */
static void m5_put_line(m5_text *text, uint32_t style, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    m5_put_text(text, style & M5_TABS ? "\t" : "  ");
    for (; *format; format++) {
        if (*format != '%') {
            m5_put_bytes(text, format, 1);
            continue;
        }
        switch (*++format) {
        case 'd': m5_put(text, "%d", va_arg(arguments, int)); break;
        case 's': m5_put_text(text, va_arg(arguments, const char *)); break;
        case 'f': m5_put_number(text, va_arg(arguments, double), style); break;
        default: m5_put_tuple(text, va_arg(arguments, const double *), *format - '0', style);
        }
    }
    m5_put_text(text, "\n");
    va_end(arguments);
}

/* Changes the spelling without changing the meaning: case of keywords and numbers, spaces next to
   brackets, line ends. */
static void m5_respell_char(m5_text *out, char c, uint32_t style, size_t at)
{
    if ((style & M5_ODD_CASE) && isalpha((unsigned char)c))
        c = (char)(at % 3 ? toupper((unsigned char)c) : tolower((unsigned char)c));
    if ((style & M5_BRACE_BELOW) && c == '{') m5_put_text(out, "\n");
    m5_put_bytes(out, &c, 1);
}

static void m5_respell_line_end(m5_text *out, uint32_t style)
{
    if (style & M5_WILD_COMMENTS)
        m5_put_text(out, " //\" } ( mesh { numJoints 99 \"// ) joints { frame 0 {");
    if (style & M5_TRAILING_BLANKS) m5_put_text(out, " \t ");
    m5_put_text(out, style & M5_ONE_LINE ? " " : style & M5_CRLF ? "\r\n" : "\n");
}

static bool m5_is_bracket(char c) { return c != '\0' && strchr("(){}", c) != NULL; }

static void m5_respell(const m5_text *in, uint32_t style, m5_text *out)
{
    bool   quoted = false, comment = false;
    for (size_t i = 0; i < in->size; i++) {
        char c = in->bytes[i];
        if (c == '\n') {
            m5_respell_line_end(out, style);
            comment = false;
            continue;
        }
        if (c == '"' && !comment) quoted = !quoted;
        if (c == '/' && !quoted && in->bytes[i + 1] == '/') comment = true;
        if (quoted || comment)
            m5_put_bytes(out, &c, 1);
        else if ((style & M5_GLUED) && c == ' ' &&
                 (m5_is_bracket(in->bytes[i + 1]) || m5_is_bracket(in->bytes[i - 1])))
            continue;
        else
            m5_respell_char(out, c, style, i);
    }
}

/* -- Writing the mesh ------------------------------------------------------ */

typedef struct m5_influence {
    int    joint;
    double bias;
} m5_influence;

/* The weights of each ring of the sleeve; a joint of -1 ends a ring. Ring 9 has six weights, two of them zero. */
static const m5_influence m5_rings[M5_RINGS][7] = {
    { { M5_UPPER, 1.0 }, { -1, 0.0 } },
    { { M5_UPPER, 1.0 }, { -1, 0.0 } },
    { { M5_UPPER, 0.875 }, { M5_LOWER, 0.125 }, { -1, 0.0 } },
    { { M5_UPPER, 0.75 }, { M5_LOWER, 0.25 }, { -1, 0.0 } },
    { { M5_UPPER, 0.5 }, { M5_LOWER, 0.5 }, { -1, 0.0 } },
    { { M5_LOWER, 0.75 }, { M5_UPPER, 0.25 }, { -1, 0.0 } },
    { { M5_LOWER, 1.0 }, { -1, 0.0 } },
    { { M5_LOWER, 0.75 }, { M5_HAND, 0.25 }, { -1, 0.0 } },
    { { M5_LOWER, 0.25 }, { M5_HAND, 0.5 }, { M5_FINGER, 0.25 }, { -1, 0.0 } },
    { { M5_HAND, 0.4 }, { M5_FINGER, 0.3 }, { M5_THUMB, 0.2 }, { M5_LOWER, 0.1 },
      { M5_ORIGIN, 0.0 }, { M5_UPPER, 0.0 }, { -1, 0.0 } },
    { { M5_HAND, 1.0 }, { -1, 0.0 } }
};

static int m5_ring_weights(int ring)
{
    int n = 0;
    while (m5_rings[ring][n].joint >= 0) n++;
    return n;
}

/* Computes a corner of the sleeve in the bind pose. The sleeve is 2 units wide, with a ring every 2 units
   along the bones. The fifth corner is the first again, at the seam of the texture. */
static void m5_ring_point(const m5_xform bind[M5_JOINTS], int ring, int corner, double out[3])
{
    static const double square[M5_CORNERS][2] = {
        { 1, 1 }, { -1, 1 }, { -1, -1 }, { 1, -1 }, { 1, 1 }
    };
    double elbow = M5_UPPER_LENGTH, wrist = elbow + M5_LOWER_LENGTH, along = 2.0 * ring;
    int    joint = along < elbow ? M5_UPPER : along < wrist ? M5_LOWER : M5_HAND;
    double start = joint == M5_UPPER ? 0 : joint == M5_LOWER ? elbow : wrist;
    double local[3] = { along - start, square[corner][0], square[corner][1] };
    m5_transform(&bind[joint], local, out);
}

static void m5_put_vert(m5_text *text, int number, double u, double v, int first, int count,
                        uint32_t style)
{
    static const double normal[3] = { 0.0, 0.0, 1.0 }, color[4] = { 1.0, 0.5, 0.25, 1.0 };
    const double        uv[2] = { u, v };
    m5_put_line(text, style,
                style & M5_VERSION_12   ? "vert %d %2 %d %d %3 %4"
                : style & M5_VERSION_11 ? "vert %d %2 %d %d %3"
                                        : "vert %d %2 %d %d",
                number, uv, first, count, normal, color);
}

static void m5_put_count(m5_text *text, const char *keyword, int count, uint32_t style)
{
    m5_put_text(text, "\n");
    m5_put_line(text, style, "%s %d", keyword, count);
}

static void m5_open_mesh(m5_text *text, const char *shader, const char *comment,
                         uint32_t style)
{
    m5_put_text(text, "mesh {\n");
    if (!(style & M5_ONE_LINE)) m5_put_line(text, style, "// meshes: %s", comment);
    else m5_put_text(text, style & M5_TABS ? "\t" : "  ");
    if (style & M5_NAME_FLAGS) {
        m5_put_line(text, style, "name \"a name // with { odd ( characters\"");
        m5_put_line(text, style, "flags { \"shadow\" { nested 1 } two 3.5 }");
    }
    m5_put_line(text, style, "shader \"%s\"", shader);
}

static void m5_close_mesh(m5_text *text, int vertices, uint32_t style)
{
    if (style & M5_VERSION_12) {
        m5_put_count(text, "numvertexcolors", vertices, style);
        for (int i = 0; i < vertices; i++)
            m5_put_line(text, style, "vertexcolor %d ( 1.0 0.0 0.5 1.0 )", i);
    }
    m5_put_text(text, "}\n\n");
}

static void m5_put_sleeve_weights(m5_text *text, const m5_xform bind[M5_JOINTS],
                                  uint32_t style)
{
    int number = 0;
    for (int ring = 0; ring < M5_RINGS; ring++) {
        for (int corner = 0; corner < M5_CORNERS; corner++) {
            double point[3], local[3];
            m5_ring_point(bind, ring, corner, point);
            for (int i = 0; m5_rings[ring][i].joint >= 0; i++) {
                m5_xform inverse = m5_inverse(&bind[m5_rings[ring][i].joint]);
                m5_transform(&inverse, point, local);
                for (int k = 0; k < 3; k++) local[k] = m5_round6(local[k]);
                m5_put_line(text, style, "weight %d %d %f %3", number++, m5_rings[ring][i].joint,
                            m5_rings[ring][i].bias, local);
            }
        }
    }
}

static void m5_put_sleeve(m5_text *text, const m5_xform bind[M5_JOINTS], uint32_t style)
{
    int first = 0, number = 0;
    m5_open_mesh(text, "models/arm/sleeve", "sleeve, \"left\" (a) {", style);
    m5_put_count(text, "numverts", M5_RINGS * M5_CORNERS, style);
    for (int ring = 0; ring < M5_RINGS; ring++) {
        for (int corner = 0; corner < M5_CORNERS; corner++) {
            m5_put_vert(text, ring * M5_CORNERS + corner, 0.25 * corner, 0.125 * ring, first,
                        m5_ring_weights(ring), style);
            first += m5_ring_weights(ring);
        }
    }
    m5_put_count(text, "numtris", (M5_RINGS - 1) * (M5_CORNERS - 1) * 2, style);
    for (int ring = 0; ring < M5_RINGS - 1; ring++) {
        for (int corner = 0; corner < M5_CORNERS - 1; corner++) {
            int a = ring * M5_CORNERS + corner, b = a + M5_CORNERS;
            m5_put_line(text, style, "tri %d %d %d %d", number++, a, b + 1, a + 1);
            m5_put_line(text, style, "tri %d %d %d %d", number++, a, b, b + 1);
        }
    }
    m5_put_count(text, "numweights", first, style);
    m5_put_sleeve_weights(text, bind, style);
    m5_close_mesh(text, M5_RINGS * M5_CORNERS, style);
}

void m5_box_corner(int side, int corner, double p[3])
{
    static const double a[4] = { -1, 1, 1, -1 }, b[4] = { -1, -1, 1, 1 };
    int                 axis = side / 2;
    double              sign = side % 2 ? 1.0 : -1.0;
    p[axis] = sign;
    p[(axis + 1) % 3] = a[corner] * sign;
    p[(axis + 2) % 3] = b[corner];
}

static void m5_put_box(m5_text *text, uint32_t style)
{
    static const double u[4] = { 0, 1, 1, 0 }, v[4] = { 0, 0, 1, 1 };
    m5_open_mesh(text, "f:\\models\\arm\\glove_local.tga", "glove", style);
    m5_put_count(text, "numverts", M5_BOX_VERTICES, style);
    for (int i = 0; i < M5_BOX_VERTICES; i++)
        m5_put_vert(text, i, i / 4 == 5 ? 1.0 - u[i % 4] : u[i % 4], v[i % 4], i, 1, style);
    m5_put_count(text, "numtris", 12, style);
    for (int i = 0; i < 6; i++) {
        int odd = i % 2; /* the square is divided along the other diagonal */
        m5_put_line(text, style, "tri %d %d %d %d", 2 * i, 4 * i, 4 * i + 2 + odd, 4 * i + 1);
        m5_put_line(text, style, "tri %d %d %d %d", 2 * i + 1, 4 * i + odd, 4 * i + 3, 4 * i + 2);
    }
    m5_put_count(text, "numweights", M5_BOX_VERTICES, style);
    for (int i = 0; i < M5_BOX_VERTICES; i++) {
        double p[3];
        m5_box_corner(i / 4, i % 4, p);
        m5_put_line(text, style, "weight %d %d %f %3", i, M5_THUMB, 1.0, p);
    }
    m5_close_mesh(text, M5_BOX_VERTICES, style);
}

/* Writes a mesh of unusual data: shared weights, overlapping ranges, sums of 0.5, 1.5 and 3, one joint
   twice, an unused vertex and weight, a degenerate triangle, an empty shader. */
static void m5_put_unusual_mesh(m5_text *text, uint32_t style)
{
    static const double p[5][3] = {
        { 1, 2, 3 }, { -2, 0.5, 1 }, { 0.25, -3, 2 }, { 4, 1, -1 }, { 9, 9, 9 }
    };
    static const double bias[5] = { 0.5, 1.0, 1.5, 0.5, 1.0 };
    static const int    joint[5] = { M5_LOWER, M5_HAND, M5_HAND, M5_ORIGIN, M5_ORIGIN };
    m5_open_mesh(text, "", "odd", style);
    m5_put_count(text, "numverts", M5_ODD_VERTICES, style);
    m5_put_vert(text, 0, -3.5, 0.0, 0, 1, style);
    m5_put_vert(text, 1, 2.0, 7.25, 0, 2, style);
    m5_put_vert(text, 2, 0.0, -1.0, 0, 3, style);
    m5_put_vert(text, 3, 1.0, 1.0, 1, 3, style);
    m5_put_count(text, "numtris", 2, style);
    m5_put_line(text, style, "tri %d %d %d %d", 0, 0, 1, 2);
    m5_put_line(text, style, "tri %d %d %d %d", 1, 1, 1, 2);
    m5_put_count(text, "numweights", 5, style);
    for (int i = 0; i < 5; i++)
        m5_put_line(text, style, "weight %d %d %f %3", i, joint[i], bias[i], p[i]);
    m5_close_mesh(text, M5_ODD_VERTICES, style);
}

static void m5_put_head(m5_text *text, const char *what, uint32_t style)
{
    m5_put(text, "MD5Version %d", style & M5_VERSION_12 ? 12 : style & M5_VERSION_11 ? 11 : 10);
    if (style & M5_VERSION_COMMENT)
        m5_put_text(text, " // Parameters used during export: Reorient: False; Scale: 1.0");
    m5_put_text(text, "\n");
    if (!(style & M5_NO_COMMANDLINE)) {
        m5_put(text, "commandline \"%s models/arm/arm.mb -dest models/arm -game Doom", what);
        if (style & M5_LONG_LINES)
            for (int i = 0; i < 600; i++) m5_put(text, " -keep%d", i);
        m5_put_text(text, "\"\n");
    }
    m5_put_text(text, "\n");
}

static const char *m5_parent_name(int joint)
{
    return joint ? m5_arm[m5_arm[joint].parent].name : "";
}

static void m5_put_joints(m5_text *text, const m5_xform bind[M5_JOINTS], uint32_t style)
{
    m5_put_text(text, "joints {\n");
    for (int j = 0; j < M5_JOINTS; j++) {
        m5_put_line(text, style,
                    style & M5_JOINT_COMMENTS ? "\"%s\" %d %3 %3\t\t// %s" : "\"%s\" %d %3 %3",
                    m5_arm[j].name, m5_arm[j].parent, bind[j].p, bind[j].q, m5_parent_name(j));
    }
    m5_put_text(text, "}\n\n");
}

static void m5_put_mesh_body(m5_text *text, uint32_t style)
{
    m5_xform bind[M5_JOINTS];
    int      meshes = M5_MESHES + (style & M5_EMPTY_MESH ? 2 : 0);
    m5_arm_bind(bind);
    m5_put_head(text, "mesh", style);
    m5_put(text, "numJoints %d\nnumMeshes %d\n\n", M5_JOINTS, meshes);
    m5_put_joints(text, bind, style);
    m5_put_sleeve(text, bind, style);
    if (style & M5_DISABLED)
        m5_put_text(text, "meshDisabled {\n  shader \"}\"\n  numverts 1\n"
                          "  vert 0 ( 0 0 ) 0 1 { { } }\n}\n\n");
    if (style & M5_EMPTY_MESH)
        m5_put_text(text,
                    "mesh {\n  shader \"nothing\"\n  numverts 0\n  numtris 0\n  numweights 0\n}\n");
    m5_put_box(text, style);
    m5_put_unusual_mesh(text, style);
    if (style & M5_EMPTY_MESH)
        m5_put_text(text, "mesh {\n  shader \"\"\n\n  numverts 0\n\n  numtris 0\n\n"
                          "  numweights 0\n}\n\n");
}

/* -- Writing an animation -------------------------------------------------- */

static void m5_put_hierarchy(m5_text *text, uint32_t style)
{
    m5_put_text(text, "hierarchy {\n");
    for (int j = 0; j < M5_JOINTS; j++) {
        m5_put_line(text, style,
                    style & M5_JOINT_COMMENTS ? "\"%s\" %d %d %d\t// %s ( Tx Ty Tz Qx Qy Qz )"
                                              : "\"%s\" %d %d %d",
                    m5_arm[j].name, m5_arm[j].parent, (int)m5_arm[j].flags,
                    m5_arm[j].flags ? m5_first_component(j) : 0, m5_parent_name(j));
    }
    m5_put_text(text, "}\n\n");
}

static void m5_put_bounds(m5_text *text, const m5_clip *clip, uint32_t style)
{
    int count = clip->frames + (style & M5_EXTRA_BOUNDS ? 2 : 0);
    m5_put_text(text, "bounds {\n");
    for (int i = 0; i < count; i++) {
        double low[3] = { -30.5 - i, -30.5 - i, -30.5 - i };
        double high[3] = { 40.25 + i, 40.25 + i, 40.25 + i };
        m5_put_line(text, style, "%3 %3", low, high);
    }
    m5_put_text(text, "}\n\n");
}

/* Gives animated components a separate base frame, far from all frames, so that a test detects a reader
   that uses the wrong values. */
static void m5_put_baseframe(m5_text *text, const m5_clip *clip, uint32_t style)
{
    m5_put_text(text, "baseframe {\n");
    for (int j = 0; j < M5_JOINTS; j++) {
        m5_xform x = m5_arm_local(clip, j, 0);
        for (int k = 0; k < 3; k++) {
            if (m5_arm[j].flags >> k & 1) x.p[k] = 77.0 + k;
            if (m5_arm[j].flags >> (k + 3) & 1) x.q[k] = 0.5;
        }
        m5_put_line(text, style, "%3 %3", x.p, x.q);
    }
    m5_put_text(text, "}\n\n");
}

static void m5_put_frame(m5_text *text, const m5_clip *clip, int frame, uint32_t style)
{
    m5_put(text, "frame %d {\n", frame + (style & M5_FROM_8 ? 8 : 0));
    for (int j = 0; j < M5_JOINTS; j++) {
        m5_xform x = m5_arm_local(clip, j, frame);
        bool     any = false;
        for (int k = 0; k < 6; k++) {
            if (!(m5_arm[j].flags >> k & 1)) continue;
            m5_put_text(text, !any || (style & M5_ONE_A_LINE) ? "\t" : " ");
            m5_put_number(text, k < 3 ? x.p[k] : x.q[k - 3], style);
            if (style & M5_ONE_A_LINE) m5_put_text(text, "\n");
            any = true;
        }
        if (any && !(style & M5_ONE_A_LINE)) m5_put_text(text, "\n");
    }
    m5_put_text(text, "}\n\n");
}

static void m5_put_anim_body(m5_text *text, const m5_clip *clip, uint32_t style)
{
    m5_put_head(text, "anim", style);
    m5_put(text, "numFrames %d\nnumJoints %d\nframeRate %d\n", clip->frames, M5_JOINTS,
           (int)clip->rate);
    m5_put(text, "numAnimatedComponents %d\n\n", m5_first_component(M5_JOINTS));
    m5_put_hierarchy(text, style);
    m5_put_bounds(text, clip, style);
    m5_put_baseframe(text, clip, style);
    for (int i = 0; i < clip->frames; i++)
        m5_put_frame(text, clip, i, style);
}

/* -- Whole files ----------------------------------------------------------- */

static void m5_finish(m5_text *body, uint32_t style, m5_text *out)
{
    m5_text second = { NULL, 0, 0 };
    if (style & M5_BOM) m5_put_text(out, "\xEF\xBB\xBF");
    if (style & M5_STRAY_END)
        m5_put_text(body, "0.189587 0.981864\n}\n\n11 5.09 ( 1 \"2\" }\n0\n}\n");
    if (style & M5_APPENDED) m5_put_bytes(&second, body->bytes, body->size);
    m5_put_bytes(body, second.bytes, second.size);
    if (style & (M5_NO_NEWLINE | M5_NUL_END))
        while (isspace((unsigned char)body->bytes[body->size - 1]))
            body->bytes[--body->size] = '\0';
    m5_respell(body, style, out);
    if (style & M5_NUL_END) m5_put_bytes(out, "\0", 1);
    m5_free(&second);
    m5_free(body);
}

void m5_arm_mesh(m5_text *out, uint32_t style)
{
    m5_text body = { NULL, 0, 0 };
    m5_put_mesh_body(&body, style);
    m5_finish(&body, style, out);
}

void m5_arm_anim(m5_text *out, int clip, uint32_t style)
{
    m5_text body = { NULL, 0, 0 };
    m5_put_anim_body(&body, &m5_clips[clip], style);
    m5_finish(&body, style, out);
}

/* -- A tree whose joints are listed in any order --------------------------- */

void m5_list_in_order(int listed[M5_TREE_JOINTS])
{
    for (int i = 0; i < M5_TREE_JOINTS; i++) listed[i] = i;
}

void m5_list_root_last(int listed[M5_TREE_JOINTS])
{
    for (int i = 0; i < M5_TREE_JOINTS; i++) listed[i] = (i + 1) % M5_TREE_JOINTS;
}

static void m5_find_places(const int listed[M5_TREE_JOINTS], int places[M5_TREE_JOINTS])
{
    for (int i = 0; i < M5_TREE_JOINTS; i++) places[listed[i]] = i;
}

static int m5_tree_parent(const int places[M5_TREE_JOINTS], int joint)
{
    return joint > 0 ? places[(joint - 1) / 2] : -1;
}

static m5_xform m5_tree_local(int joint, int frame)
{
    m5_xform x = { { joint > 0 ? 2.0 : 3.0 * frame, 0.25 * (joint % 4), joint % 2 ? 0.5 : -0.5 },
                   { 0.0, 0.0, 0.0, 1.0 } };
    m5_axis_angle(1.0, joint % 3, 0.5 * (joint % 5), 7.0 * joint + 11.0 * (frame % 4), x.q);
    m5_store(x.q);
    return x;
}

void m5_tree_mesh(m5_text *out, const int listed[M5_TREE_JOINTS])
{
    m5_xform bind[M5_TREE_JOINTS];
    int      places[M5_TREE_JOINTS];
    m5_find_places(listed, places);
    m5_put_head(out, "mesh", 0);
    m5_put(out, "numJoints %d\nnumMeshes 1\n\njoints {\n", M5_TREE_JOINTS);
    for (int k = 0; k < M5_TREE_JOINTS; k++) {
        m5_xform local = m5_tree_local(k, 0);
        bind[k] = k ? m5_compose(&bind[(k - 1) / 2], &local) : local;
        m5_store(bind[k].q);
    }
    for (int i = 0; i < M5_TREE_JOINTS; i++) {
        m5_put(out, "\t\"t%d\" %d", listed[i], m5_tree_parent(places, listed[i]));
        m5_put_line(out, 0, "%3 %3", bind[listed[i]].p, bind[listed[i]].q);
    }
    m5_put_text(out, "}\n\n");

    /* Two vertices for each joint except the root: one is its own, one is shared with its parent. */
    m5_open_mesh(out, "models/tree/bark", "bark", 0);
    m5_put_count(out, "numverts", 2 * M5_TREE_JOINTS - 2, 0);
    for (int i = 0; i < 2 * M5_TREE_JOINTS - 2; i++) {
        m5_put_vert(out, i, 0.125 * (i % 7), 0.0625 * (i % 11), i / 2 * 3 + i % 2, 1 + i % 2, 0);
    }
    m5_put_count(out, "numtris", 2 * M5_TREE_JOINTS - 4, 0);
    for (int i = 0; i < 2 * M5_TREE_JOINTS - 4; i++) {
        m5_put_line(out, 0, "tri %d %d %d %d", i, i, i + 1, i + 2);
    }
    m5_put_count(out, "numweights", 3 * M5_TREE_JOINTS - 3, 0);
    for (int i = 0; i < 3 * M5_TREE_JOINTS - 3; i++) {
        int    joint = i / 3 + 1;
        double p[3] = { 0.5 * (i % 2), 0.25 * (i % 5), 1.0 * (i % 3) };
        m5_put_line(out, 0, "weight %d %d %f %3", i,
                    i % 3 == 2 ? m5_tree_parent(places, joint) : places[joint],
                    i % 3 ? 0.5 : 1.0, p);
    }
    m5_close_mesh(out, 2 * M5_TREE_JOINTS - 2, 0);
}

void m5_tree_anim(m5_text *out, const int listed[M5_TREE_JOINTS])
{
    int places[M5_TREE_JOINTS];
    m5_find_places(listed, places);
    m5_put_head(out, "anim", 0);
    m5_put(out, "numFrames %d\nnumJoints %d\nframeRate 10\nnumAnimatedComponents %d\n\n",
           M5_TREE_FRAMES, M5_TREE_JOINTS, M5_TREE_JOINTS + 2);

    /* The position of the root and one component of each other rotation; every fifth joint is not animated. */
    m5_put_text(out, "hierarchy {\n");
    for (int i = 0; i < M5_TREE_JOINTS; i++) {
        int joint = listed[i];
        m5_put(out, "\t\"t%d\" %d %d %d\n", joint, m5_tree_parent(places, joint),
               joint == 0 ? 7 : joint % 5 ? 8 : 0, joint == 0 ? 0 : joint + 2);
    }
    m5_put_text(out, "}\n\nbaseframe {\n");
    for (int i = 0; i < M5_TREE_JOINTS; i++) {
        m5_xform x = m5_tree_local(listed[i], 0);
        m5_put_line(out, 0, "%3 %3", x.p, x.q);
    }
    m5_put_text(out, "}\n\n");
    for (int frame = 0; frame < M5_TREE_FRAMES; frame++) {
        m5_put(out, "frame %d {\n", frame);
        for (int joint = 0; joint < M5_TREE_JOINTS; joint++) {
            m5_xform x = m5_tree_local(joint, frame);
            if (joint == 0) m5_put_line(out, 0, "%f %f %f", x.p[0], x.p[1], x.p[2]);
            else m5_put_line(out, 0, "%f", x.q[0]);
        }
        m5_put_text(out, "}\n\n");
    }
}
