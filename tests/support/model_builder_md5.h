/* Builds MD5 models: a jointed arm with closed-form poses, spelled as all known exporters write it, and
   unusual models that still load. The tests load them from memory; make_models writes them to files.
   Public domain. */
#ifndef MODEL_BUILDER_MD5_H_INCLUDED
#define MODEL_BUILDER_MD5_H_INCLUDED

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* No multiplication may be fused with an addition, so that the bytes are the same on every machine. */
#if defined(__clang__)
  #pragma STDC FP_CONTRACT OFF
#elif defined(__GNUC__)
  #pragma GCC optimize("fp-contract=off")
#endif

/* -- Text ------------------------------------------------------------------ */

typedef struct m5_text {
    char  *bytes; /* always NUL-terminated, the NUL not counted */
    size_t size, room;
} m5_text;

void m5_free(m5_text *text);
void m5_put_bytes(m5_text *text, const char *bytes, size_t size);
void m5_put_text(m5_text *text, const char *string);
#ifdef __GNUC__
__attribute__((format(printf, 2, 3)))
#endif
void m5_put(m5_text *text, const char *format, ...);

/* -- Rigid transforms in double precision ---------------------------------- */

typedef struct m5_xform {
    double p[3], q[4];
} m5_xform;

void m5_rotate(const double q[4], const double v[3], double out[3]);
void m5_transform(const m5_xform *x, const double v[3], double out[3]);
m5_xform m5_compose(const m5_xform *a, const m5_xform *b);
m5_xform m5_inverse(const m5_xform *x);
void m5_normalize(double *v, int count);

/* Computes w of a rotation whose x y z are stored in a file. w is never positive; it is 0, for a half turn,
   if x y z is longer than 1. */
void m5_complete(double q[4]);

void m5_axis_angle(double x, double y, double z, double degrees, double out[4]);

/* -- The arm --------------------------------------------------------------- */

enum { M5_ORIGIN, M5_UPPER, M5_LOWER, M5_HAND, M5_THUMB, M5_FINGER, M5_JOINTS };

#define M5_UPPER_LENGTH 10.0
#define M5_LOWER_LENGTH 8.0

typedef struct m5_arm_joint {
    const char *name;
    int         parent;
    double      offset[3];        /* position relative to the parent */
    double      axis[3], degrees; /* bind rotation, parent space */
    unsigned    flags;            /* the components that the animations move */
} m5_arm_joint;

extern const m5_arm_joint m5_arm[M5_JOINTS];

/* -- Animations of the arm ------------------------------------------------- */

typedef struct m5_clip {
    const char *name;
    int         frames;
    bool        repeats; /* the last frame equals the first, except for the root motion */
    double      rate;
    double      swing;  /* degrees */
    double      travel; /* distance that the root moves along x per frame */
} m5_clip;

enum { M5_WAVE, M5_WALK, M5_REACH, M5_STILL, M5_NOD, M5_CLIPS };

extern const m5_clip m5_clips[M5_CLIPS];

/* Returns the pose of a joint at a frame, in parent space, rounded to the file's six decimals. */
m5_xform m5_arm_local(const m5_clip *clip, int joint, int frame);

/* -- Spellings ------------------------------------------------------------- */

enum {
    M5_TABS = 1 << 0,
    M5_CRLF = 1 << 1,
    M5_TEN_DIGITS = 1 << 2,
    M5_TRIMMED = 1 << 3,     /* `0` and `0.5` */
    M5_EXPONENTS = 1 << 4,   /* 5.00000000e-01 */
    M5_BARE_POINTS = 1 << 5, /* `.5`, `1.` and `+` */
    M5_MINUS_ZERO = 1 << 6,
    M5_JOINT_COMMENTS = 1 << 7, /* // parentname, as id's exporter writes */
    M5_VERSION_COMMENT = 1 << 8,
    M5_WILD_COMMENTS = 1 << 9, /* comments on every line, with quotes, braces and keywords */
    M5_NO_COMMANDLINE = 1 << 10,
    M5_LONG_LINES = 1 << 11,
    M5_NAME_FLAGS = 1 << 12, /* name "..." and flags { ... } in a mesh */
    M5_DISABLED = 1 << 13,   /* meshDisabled { } blocks */
    M5_EMPTY_MESH = 1 << 14,
    M5_VERSION_11 = 1 << 15,
    M5_VERSION_12 = 1 << 16,
    M5_BOM = 1 << 17,
    M5_NUL_END = 1 << 18,
    M5_ODD_CASE = 1 << 19,
    M5_FROM_8 = 1 << 20,   /* the first frame has the number 8 */
    M5_APPENDED = 1 << 21, /* a second file follows the first */
    M5_GLUED = 1 << 22,    /* no space next to braces and parentheses */
    M5_BRACE_BELOW = 1 << 23,
    M5_ONE_LINE = 1 << 24,
    M5_NO_NEWLINE = 1 << 25,
    M5_TRAILING_BLANKS = 1 << 26,
    M5_EXTRA_BOUNDS = 1 << 27,
    M5_STRAY_END = 1 << 28, /* the end of an older, longer file follows */
    M5_ONE_A_LINE = 1 << 29 /* one value on each line of a frame */
};

typedef struct m5_style {
    const char *name;
    uint32_t    flags;
} m5_style;

enum { M5_STYLES = 30 };

extern const m5_style m5_styles[M5_STYLES];

/* -- Writing the mesh ------------------------------------------------------ */

enum { M5_RINGS = 11, M5_CORNERS = 5, M5_BOX_VERTICES = 24, M5_ODD_VERTICES = 4, M5_MESHES = 3 };

/* Returns a corner of a cube around the thumb. The cube is 2 units wide and has four vertices per side.
   Side s faces along axis s / 2; the texture of the last side is mirrored. */
void m5_box_corner(int side, int corner, double p[3]);

/* -- Whole files ----------------------------------------------------------- */

void m5_arm_mesh(m5_text *out, uint32_t style);
void m5_arm_anim(m5_text *out, int clip, uint32_t style);

/* -- A tree whose joints are listed in any order --------------------------- */

/* Joint 7 is called "t7". Joint k is a child of joint (k - 1) / 2; joint 0 is the root, and it moves. */
enum { M5_TREE_JOINTS = 55, M5_TREE_FRAMES = 5 };

/* Writes the joints in this order: listed[0] first. */
void m5_tree_mesh(m5_text *out, const int listed[M5_TREE_JOINTS]);
void m5_tree_anim(m5_text *out, const int listed[M5_TREE_JOINTS]);

/* The first function lists the joints by number. The second function lists the root after all others. */
void m5_list_in_order(int listed[M5_TREE_JOINTS]);
void m5_list_root_last(int listed[M5_TREE_JOINTS]);

/* -- Unusual models that load ---------------------------------------------- */

enum { M5_MESH, M5_ANIM };

/* A change of the arm or of its wave. The line that begins with `key` becomes the replacement. Without a
   key, the replacement is appended; without a replacement, the file ends before the line. */
typedef struct m5_flaw {
    const char *name;
    int         kind;
    const char *key, *replacement;
} m5_flaw;

enum { M5_FLAWS = 26 };

extern const m5_flaw m5_flaws[M5_FLAWS];

void m5_flawed(const m5_flaw *flaw, m5_text *out);

/* -- All models, by number ------------------------------------------------- */

enum {
    M5_WHOLE_MODELS = M5_STYLES + M5_STYLES + M5_CLIPS,
    M5_ARMS = M5_WHOLE_MODELS + M5_FLAWS,
    M5_MODELS = M5_ARMS + 2 /* the tree with its root last, a mesh and an animation */
};

typedef struct m5_entry {
    char name[64];
    int kind; /* M5_MESH or M5_ANIM */
} m5_entry;

m5_entry m5_make(int index, m5_text *out);

#endif /* MODEL_BUILDER_MD5_H_INCLUDED */
