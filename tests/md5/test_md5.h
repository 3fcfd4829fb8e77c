/* test_md5.h: helpers that the chapters of test_md5 share. Everything that a test creates through these functions is
   freed when the test ends. Public domain. */
#ifndef TEST_MD5_H_INCLUDED
#define TEST_MD5_H_INCLUDED

#include "md5.h"

#include "check.h"
#include "model_builder_md5.h"
#include "support.h"

/* -- Objects that live until the test ends ---------------------------------- */

void *keep_block(size_t size); /* zeroed; a sanitizer notices an access beyond its size */
md5_model *keep_model(md5_model *model);
md5_anim *keep_anim(md5_anim *anim);
m5_text *new_text(void);
m5_text *text_from(const char *string);
md5_xform *new_pose(size_t count);
float *new_floats(size_t count);

size_t count_kept(void);
void free_kept(size_t from); /* frees what was created since count_kept() returned `from` */

void free_all_kept(void); /* called after each test */

/* -- Models and animations: a test fails if they do not load ------------------ */

md5_model *model_of(const m5_text *text, const md5_options *options);
md5_anim *anim_of(const m5_text *text, const md5_options *options); /* named "own" */
md5_model *model_from(const char *text);
md5_anim *anim_from(const char *text);

m5_text *arm_text(uint32_t style);
m5_text *clip_text(int clip, uint32_t style);
md5_model *arm_with(const md5_options *options);
md5_model *arm(void);
md5_anim *clip_with(int clip, const md5_options *options);
md5_anim *clip(int number);

/* Returns a model that the animation fits, with all joints at 0. */
md5_model *body_of(const md5_anim *anim);

/* Returns a pose in model space, or the bind pose if `anim` is NULL. */
md5_xform *posed(const md5_model *model, const md5_anim *anim, md5_mode mode, double seconds);

md5_options options_of(uint32_t flags, float scale);

/* Clears the allocator, and returns options that use it. */
md5_options counting_options(counting_allocator *memory);

/* -- Texts of either kind, from memory or in pieces -------------------------- */

/* A model if the kind is M5_MESH, an animation if it is M5_ANIM, or neither. The caller frees it with
   free_text. */
typedef struct loaded_text {
    md5_model *model;
    md5_anim *anim;
    bool loads;
    size_t bytes;
} loaded_text;

loaded_text load_text(int kind, const void *bytes, size_t size, const md5_options *options,
                      md5_error *error);
loaded_text load_pieces(int kind, feed *from, const md5_options *options, md5_error *error);
void free_text(const loaded_text *text);

/* Loads a file from memory and by its path. Checks that both take at most the memory per byte of text that
   the interface states. */
void check_peaks(int kind, const char *path);

/* -- Texts ------------------------------------------------------------------ */

extern const char tiny_mesh[], tiny_anim[]; /* the smallest mesh and animation */

/* Replaces a line of tiny_mesh or tiny_anim. If the new line ends with "...", it is the last line of the file. The
   result is a block of exactly its size, so a sanitizer notices an access beyond the end. */
char *edit_line(const char *base, int line, const char *text, size_t *size);
loaded_text load_edited(int kind, int line, const char *text, md5_error *error);

/* Load the edited file, with the new line as the scene. The test fails if it does not load. */
md5_model *mesh_with(int line, const char *text);
md5_anim *anim_with(int line, const char *text);

typedef void (*joint_writer)(m5_text *text, int joint); /* writes: "name" parent */
typedef m5_xform (*pose_function)(int joint, int frame);

void put_chain_joint(m5_text *text, int joint); /* writes for joint 2: "j2" 1 */

/* Writes an animation up to its first frame. All joints have the same flags. */
void put_anim_head(m5_text *text, int joints, int frames, unsigned flags, joint_writer put_joint);

/* Writes a whole animation, with all six components of each joint animated. */
void put_anim(m5_text *text, int joints, int frames, joint_writer put_joint, pose_function pose);
md5_anim *chain_anim(int joints, int frames, pose_function pose);

m5_xform xform_at(double x, double y, double z, double axis_x, double axis_y, double axis_z,
                  double degrees);

/* Writes the beginning of a mesh, and its joints at x = 0, 1, 2 ... */
void put_mesh_head(m5_text *text, int joints, int meshes, joint_writer put_joint);
md5_model *chain_model(int joints);

/* -- Numbers and poses ------------------------------------------------------ */

m5_xform widen(const md5_xform *x);
void keep_worst(double *kept, double value);
double distance3(const double a[3], const double b[3]);
double length3f(const float v[3]);
double dot3f(const float a[3], const float b[3]);
double rotation_distance(const double a[4], const double b[4]); /* radians */

/* Returns true if both are unit vectors at right angles, and w is 1 or -1. */
bool frame_is_right(const float normal[3], const float tangent[4]);

/* Returns a mix of two rotations or transforms, for t from 0 to 1, on the shorter arc between their rotations. */
void     ref_slerp(const double a[4], const double b[4], double t, double out[4]);
m5_xform ref_mix(const m5_xform *a, const m5_xform *b, double t);

/* Returns the larger of the distance of the positions and the angle between the rotations, in radians. */
double xform_distance(const md5_xform *got, const m5_xform *want);
double pose_distance(const md5_xform *a, const md5_xform *b, size_t count);

bool same_bits(const void *a, const void *b, size_t size);
bool same_floats(const float *a, const float *b, size_t count); /* -0 equals 0; a NaN equals nothing */
bool all_finite(const float *values, size_t count);

/* Checks a vector against numbers that were computed by hand. */
#define CHECK_XYZ(got, x, y, z) \
  (CHECK_NEAR((got)[0], x, 1e-6), CHECK_NEAR((got)[1], y, 1e-6), CHECK_NEAR((got)[2], z, 1e-6))

/* -- Equal models and animations -------------------------------------------- */

/* Compare all contents; -0 equals 0. Meshes without vertices are skipped. */
void check_same_model(const md5_model *model, const md5_model *want);
void check_same_anim(const md5_anim *anim, const md5_anim *want);

/* -- Errors ----------------------------------------------------------------- */

void check_error(const md5_error *error, md5_result code, uint32_t line, const char *message);

const md5_xform *anim_xform(const md5_anim *anim, int frame, int joint);

/* -- Chapters --------------------------------------------------------------- */

/* A chapter is a file of the same name. The basic chapters come first, and the slow ones last, because
   mutate.py stops at the first failure. */
#define CHAPTERS(X) \
  X(loading) X(text) X(errors) X(meshes) X(poses) X(player) X(mixing) X(root_motion) X(skeletons) \
  X(vertices) X(scales) X(slices) X(textures) X(numbers) X(work)
#define DECLARE_CHAPTER(name) void test_##name(void);
CHAPTERS(DECLARE_CHAPTER)

#endif /* TEST_MD5_H_INCLUDED */
