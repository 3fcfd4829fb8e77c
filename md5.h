/* md5.h - 1.0.0 - load, animate, blend and skin Doom 3 models (MD5). One file, no dependencies.
   MIT license or public domain, your choice: both texts are at the end of the file.

   DO THIS in exactly one C or C++ file (not on the command line). Other files only include md5.h:

       #define MD5_IMPLEMENTATION
       #include "md5.h"

   Compile that file with -O2, even in debug builds: at -O0, posing is 20 to 70 times slower. For
   SIMD with emcc, add -msimd128 -msse2.

   EXAMPLE: load a knight, play its run, pass the vertices to any renderer

       md5_error  error;
       md5_model *knight = md5_load_model_file("knight/knight.md5mesh", NULL, &error);
       md5_anim  *run = knight ? md5_load_anim_file("knight/run.md5anim", NULL, &error) : NULL;
       if (!run || md5_check_anim(knight, run, &error) != MD5_OK) {
           fprintf(stderr, "knight: %s (line %u)\n", error.message, (unsigned)error.line);
           return 1;
       }

       md5_xform *pose    = malloc(knight->joint_count * sizeof(md5_xform));
       md5_xform *scratch = malloc(knight->joint_count * sizeof(md5_xform));
       float *positions = malloc(knight->meshes[0].vertex_count * 3 * sizeof(float));
       float *normals   = malloc(knight->meshes[0].vertex_count * 3 * sizeof(float));
       static md5_player player;                  (one per character, all zero)
       md5_play(&player, run, MD5_LOOP, 0.2f);

       while (running) {
           md5_advance(&player, delta_seconds);
           if (md5_crossed(&player, run, 0)) play_footstep();  (the first frame of the run)
           md5_player_pose(knight, &player, pose, scratch);
           md5_pose_to_model_space(knight, pose, pose);
           md5_pose_vertices(knight, 0, pose, positions, 0, normals, 0, NULL, 0);
           draw(positions, normals, &knight->meshes[0]);
       }
       md5_free_anim(run);
       md5_free_model(knight);

   THE PIECES
   model    meshes and joints, plain data in one block of memory, read-only after loading. Read its
            arrays directly: u, v and indices go to the renderer once, the output of
            md5_pose_vertices every frame.
   anim     the frames of one .md5anim as transforms; joints that never move are stored once. An
            animation fits a model with the same number of joints and the same parents:
            md5_check_anim compares them, and md5_retarget_anim makes a copy that fits.
            md5_slice_anim cuts an animation out of a file that has several; its comment also
            explains how to build an animation in code.
   pose     an array of joint_count transforms that you own. Poses are local (each joint relative to
            its parent) while you sample, mix, mask and add them, so bones keep their length.
            md5_pose_to_model_space prepares a pose for skinning and attachments.
   player   a plain struct, one per character; all zero is ready for use. It keeps the time, does
            crossfades and reports frame events: footsteps, gun shots.

   RECIPES
   attach a weapon      hand = md5_find_joint(model, "hand_r");    (-1 if there is none)
                        md5_pose_matrix(&pose[hand], matrix);
   walk or run          if (!md5_playing(&legs, gait)) md5_play_in_phase(&legs, gait, 0.25f);
   attack with the      memset(mask, 0, joint_count * sizeof(float));
   upper body while     md5_mask_branch(model, md5_find_joint(model, "spine"), 1, mask);
   the legs run         md5_play_once(&arms, attack, 0.15f, 0.2f);
                        md5_player_pose(model, &legs, pose, scratch);
                        md5_player_pose_over(model, &arms, 1, mask, pose, scratch);
   root motion          player.root_motion = MD5_TRAVEL | MD5_TURN;      (once; then, each frame)
                        md5_player_motion(&player, &step);
                        md5_pose_matrix(&step, matrix);  (transform = transform * matrix)
   look at, aim         md5_pose_aim(model, pose, head, NULL, target, 1.2f, 1);
                        (the pose is local: before md5_pose_to_model_space)
   skin in a shader     md5_pose_palette(model, pose, matrices); a vertex is the sum, over its
                        weights, of bias * matrices[joint] * p, where p is the weight's position in
                        the bind pose (joints[joint].bind applied to weight.position)

   OPENGL 3.3, ES 3.0, WEBGL 2: #define MD5_GL before each #include; no GL header, no loader

       md5_gl  *gl = md5_gl_create(glfwGetProcAddress, NULL, &error);
       bool     ok = md5_gl_upload(gl, knight, 0, &mesh, &error);
       uint32_t skin = md5_gl_load_texture(gl, knight, "knight/knight.md5mesh", 0, &error);

       memcpy(scene.view_projection, camera, 16 * sizeof(float)); (all zero draws nothing)
       md5_pose_palette(knight, pose, matrices);                  (in each frame)
       instance.palette = matrices;
       md5_gl_draw(gl, &mesh, skin, &scene, &instance, 1);        (or a crowd of 1,000 in one)

   The vertex shader uses all weights and joints. md5_gl_load_texture needs MD5_STB_IMAGE, and
   stb_image.h included first. Do not call stbi_set_flip_vertically_on_load(1): textures would be
   upside down.
   state    a draw restores the state that it changes: program (unless you deleted it while in
            use), vertex array, array buffer, active texture, 2D textures and samplers of the units
            it uses, primitive restart, rasterizer discard; an upload restores pixel unpacking.
            With leave_state nothing is restored. Then keep restart and discard off, pixel unpacking
            as in a new context, and no sampler bound to these units. (A sampler overrides a
            texture's filters: a sampler that needs mipmaps shows a skin without mipmaps in black.)
   shading  options.fragment_source replaces the fragment shader. It receives: in vec3 v_position,
            v_normal (world space); in vec2 v_texcoord; in vec4 v_tint, v_tangent (w is the
            bitangent's sign); flat in vec4 v_light (direction, ambient); uniform sampler2D diffuse;
            and your own uniforms, set on md5_gl_program. It has no #version line. Colors are not
            converted: no sRGB, no gamma.
   cut_out  draws only texels whose alpha is 0.5 or more. If a pixel of a distant surface covers
            several texels, for example 30 % of them solid, 30 % of such pixels are drawn, in a fine
            pattern that is fixed to the surface. For this, your own textures need mipmaps, and
            alpha near 0 or 1.

   WHAT IT DOES NOT DO
   It reads no other model formats (the MD5 of Doom 3's alpha, .md5camera), no Doom material files
   and no images. It has no inverse kinematics, physics or scene graph.

   OPTIONS, defined before the #include
   MD5_IMPLEMENTATION   in one file: compile the code
   MD5_STATIC           make everything static: for plug-ins, or two copies in one program
   MD5_API              your own linkage, such as __declspec(dllexport)
   MD5_NO_STDIO         no <stdio.h>, md5_load_model_file, md5_load_anim_file, md5_load_texture,
                        md5_gl_load_texture
   MD5_MALLOC(size)     with MD5_FREE(ptr): used if options.allocator is all zero (default: malloc)
   MD5_NO_SIMD          plain C only; the results are the same, bit for bit
   MD5_GL               the OpenGL renderer
   MD5_STB_IMAGE        md5_load_texture and md5_gl_load_texture; include stb_image.h first

   CONVENTIONS
   axes       as in the file: X forward, Y left, Z up, right-handed. MD5_Y_UP: Z forward, X left,
              Y up (glTF). Load a model and its animations with the same flags and scale.
   rotations  unit quaternions x y z w; a rotated vector is q v q*
   winding    counter-clockwise from outside. For a left-handed engine (Unity, Unreal):
              MD5_KEEP_WINDING; negate one axis of positions, normals and tangents, and tangent[3].
   texture    v = 0 is the top row, for images uploaded top row first (stb_image loads them so).
              MD5_FLIP_V is for images uploaded bottom row first. u and v are often outside 0..1, so
              textures need repeat wrapping.
   scale      the scale of a joint is 1, unless your program sets it, or an .md5scale next to the
              .md5anim does (as in Quake II's re-release). Child joints do not inherit the scale.
              Blends mix scales linearly.
   normals    the text has no normals. The normal of a vertex is the sum of the normals of the faces
              around it, weighted by their angles. All vertices at one position share one normal, so
              no seam shows, and no edge is sharp. Exception: if a face and its reverse are at the
              same positions (a cape and its lining), each side has its own normals.
   tangents   for normal maps: bitangent = tangent[3] * cross(normal, tangent), toward larger v
   time       seconds. A loop of n frames takes n steps: its last frame blends into its first. If
              the last frame repeats the first (anim->closed; id's exporter writes loops so), the
              loop takes n - 1 steps. Loading sets `closed` if the two frames differ by less than
              a quarter of the mean of the first and the last step, or only by rounding; root motion
              does not count. If the result is wrong, set `closed` yourself.
   numbers    read to within one unit in the last place; the numbers of real files equal strtof's.
              Numbers beyond 1e9 are rejected, so that no pose overflows unless an .md5scale is that
              large.
   NULL       never crashes, and neither does a bad index: without a required argument, a call
              returns NULL, 0, -1, false, an error or an empty slice, or does nothing. Options, the
              error and optional outputs may be NULL.
   strides    in bytes, any number; 0 means tightly packed
   matrices   column-major, column vectors; palettes and inverse_bind are three rows of four. In
              GLSL, declare a palette as `uniform mat3x4 bones[]`: vec4(p, 1) * bones[joint]
   threads    any number of threads may read models and animations; there are no globals
   memory     one block per model or animation; posing and playing allocate nothing. The allocator
              must align as malloc does. Loading uses one more block, and up to three while that
              block grows. Loading frees them after it has allocated the result, so an arena that
              can only free its newest block does not get them back. The most memory that loading
              holds at the same time, including the result, as a multiple of the text's size:
                  2.9                   a mesh; 3.9 from a file
                  2                     an animation; 3 from a file
                  3 more, plus 200 KB   if it is read by a reader, or has an .md5scale file
                  32                    a text whose numbers have fewer digits than exporters write
              If the joints of an animation share numbers, or move only by an .md5scale, its frames
              may take, in addition, 8 MiB or 32 times the text's size, whichever is more.
   results    the same bits on every machine and compiler, except with -ffast-math, with clang's
              -ffp-contract=fast, or on an x87
   traps      loading, posing and drawing raise no floating-point exception that a program would
              trap (division by 0, overflow, invalid), up to coordinates of 1e9. With clang, only
              if -ftrapping-math is set.
   -lm        needed for sqrtf with MD5_NO_SIMD, with tcc, and without SSE2 or 64-bit NEON

   MALFORMED FILES are repaired if the repair is safe. Other malformed files are rejected, and
   error->message and error->line say what is wrong and where. A loaded model needs no further
   checks: its counts, indices and numbers are valid. The file's size limits memory and time.
   Accepted: comments anywhere, keywords in any case, unknown keywords, strings of several lines, a
   second file after the first, a missing version, biases that do not sum to 1, frame numbers that
   begin with any number, fewer or more meshes than announced, joints before their parents, vertices
   without weights.

   VERSION HISTORY
   1.0.0  the first release: every 1.x keeps this interface */

#if !defined(__cplusplus) && !defined(_MSC_VER) && \
    (!defined(__STDC_VERSION__) || __STDC_VERSION__ < 199901L)
  #error "md5.h needs C99 or C++98: compile with -std=c99 or later"
  #define MD5_LIBRARY_H               /* prevents further messages */
  #define MD5_GL_INCLUDED
  #define MD5_IMPLEMENTATION_ONCE
#endif

#if defined(__cplusplus) && !defined(__STDC_LIMIT_MACROS)
  #define __STDC_LIMIT_MACROS         /* without it, C++98 has no UINT32_MAX on old systems */
#endif
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef MD5_LIBRARY_H
#define MD5_LIBRARY_H

#define MD5_LIBRARY_VERSION 10000     /* major * 10000 + minor * 100 + patch */

#ifndef MD5_API
  #if defined(MD5_STATIC) && defined(__GNUC__)
    #define MD5_API static __attribute__((unused))
  #elif defined(MD5_STATIC)
    #define MD5_API static
  #else
    #define MD5_API extern
  #endif
#endif

/* -- Results -------------------------------------------------------------- */

typedef enum md5_result {
    MD5_OK = 0,                       /* nothing failed */
    MD5_ERROR_ARGUMENT,               /* a NULL or invalid argument */
    MD5_ERROR_OPEN,                   /* the file could not be opened */
    MD5_ERROR_READ,                   /* the file or the reader failed */
    MD5_ERROR_MEMORY,                 /* the allocator returned NULL, or the GPU is out of memory */
    MD5_ERROR_LIMIT,                  /* more than max_bytes, 65,536 frames or OpenGL allow, or
                                         frames that take more than "memory" above allows */
    MD5_ERROR_NOT_MD5,                /* does not begin with MD5Version, commandline, numJoints or
                                         numFrames */
    MD5_ERROR_VERSION,                /* not version 10, 11 or 12, or the syntax of the alpha */
    MD5_ERROR_SYNTAX,                 /* an unexpected token */
    MD5_ERROR_CORRUPT,                /* a count, index or number that is never valid */
    MD5_ERROR_MISMATCH,               /* the animation has another skeleton, scale or axes */
    MD5_ERROR_GL                      /* a missing function, a shader error or another GL error */
} md5_result;

typedef struct md5_error {
    uint32_t   line;                  /* line of the text where the error was found, from 1; or 0 */
    md5_result code;                  /* MD5_OK if nothing failed */
    char       message[240];          /* one sentence, with the names and numbers */
} md5_error;

MD5_API const char *md5_result_name(md5_result result); /* "MD5_ERROR_CORRUPT" */

/* Returns MD5_LIBRARY_VERSION, for programs in other languages: they cannot see the macro. */
MD5_API uint32_t md5_library_version(void);

/* -- Options (zero means the default, everywhere) ------------------------- */

typedef struct md5_allocator {
    void *(*alloc)(void *user, size_t size);            /* returns NULL on failure */
    void  (*release)(void *user, void *ptr, size_t size); /* size: as passed to alloc */
    void   *user;                                       /* your data: an arena, for example */
} md5_allocator;

typedef struct md5_reader {
    /* Writes up to `size` bytes to dst. Returns their number; 0 at the end; SIZE_MAX on failure. */
    size_t (*read)(void *user, void *dst, size_t size);
    void    *user;                                      /* your data: an open file, for example */
} md5_reader;

enum {
    MD5_Y_UP          = 1 << 0,       /* (x, y, z) becomes (y, z, x) */
    MD5_KEEP_WINDING  = 1 << 1,       /* keep triangles clockwise, as stored */
    MD5_FLIP_V        = 1 << 2        /* texture origin bottom-left instead of top-left */
};

typedef struct md5_options {
    uint32_t      flags;              /* MD5_Y_UP | ... */
    float         scale;              /* multiplies all positions; above 0, up to 1e9; 0 = 1.
                                         Triangles with sides above 4e9 or below 1e-9 have no
                                         normals */
    size_t        max_bytes;          /* loading fails if it needs more memory; 0 = 64 MiB */
    const char   *joint_scales;       /* text of an .md5scale for an animation. NULL = none;
                                         md5_load_anim_file then looks for the file next to the
                                         animation. An error for a model */
    size_t        joint_scales_size;  /* in bytes */
    md5_allocator allocator;          /* zero = MD5_MALLOC and MD5_FREE */
} md5_options;

/* -- Model: plain data, one block, read-only after loading ---------------- */

typedef struct md5_xform {            /* a transform: scale, rotate, then move */
    float position[3];                /* added last */
    float scale;                      /* of vertices and attachments, not of child joints */
    float rotation[4];                /* unit quaternion x y z w */
} md5_xform;

typedef struct md5_joint {            /* the start of a bone */
    const char *name;                 /* any length */
    int32_t     parent;               /* -1 for a root; always less than the joint's own index */
    md5_xform   bind;                 /* model space */
    float       inverse_bind[12];     /* three rows of four */
    struct {
        uint32_t branch_first, branch_size; /* see md5_mask_branch */
    } private_data;
} md5_joint;

typedef struct md5_weight {           /* biases as stored: they need not sum to 1 */
    uint32_t joint;                   /* index into the model's joints */
    float    bias, position[3];       /* position: relative to the joint */
} md5_weight;

typedef struct md5_vertex {           /* no padding: copy the array into a vertex buffer */
    float    u, v;                    /* texture coordinates, often outside 0..1 */
    uint32_t first_weight, weight_count; /* range of the mesh's weights; vertices may share them */
    float    position[3], normal[3];  /* in the bind pose */
    float    tangent[4];              /* tangent[3]: the bitangent's sign */
} md5_vertex;

typedef struct md5_mesh {
    const char       *shader;         /* Doom 3's material name; see md5_find_texture */
    uint32_t          vertex_count, weight_count, index_count; /* array lengths */
    const md5_vertex *vertices;       /* indices and md5_pose_vertices refer to these */
    const md5_weight *weights;        /* vertex->first_weight and so on */
    const uint32_t   *indices;        /* three per triangle, ready for an index buffer; up to 65,535
                                         vertices fit 16 bits */
    uint32_t          max_influences; /* most weights of any vertex, up to 64; all are used */
    struct {
        const void   *skinning;       /* the same weights, laid out for speed */
    } private_data;
} md5_mesh;

enum {                                /* defects of a text that loads anyway */
    MD5_NO_VERSION    = 1 << 0,       /* the first line, "MD5Version 10", is missing */
    MD5_NO_WEIGHTS    = 1 << 1,       /* a vertex has no weights: it is at joint 0 */
    MD5_UNUSED_SCALES = 1 << 2        /* the .md5scale names an unknown joint, frame or key */
};

typedef struct md5_model {
    uint32_t         joint_count, mesh_count; /* array lengths */
    const md5_joint *joints;          /* in the order of the file, except that parents come before
                                         their children */
    const md5_mesh  *meshes;          /* one material each */
    float            min[3], max[3];  /* bounds of the bind pose */
    uint32_t         flags;           /* from md5_options */
    uint32_t         defects;         /* MD5_NO_VERSION | ... */
    float            scale;           /* from md5_options */
    const char      *commandline;     /* the exporter's note */
    md5_allocator    allocator;       /* md5_free_model releases the block with it */
    size_t           bytes;           /* size of the block, which begins with this struct */
    struct {
        const void  *self;            /* address of this struct; a copy of it owns nothing */
        uint64_t     skeleton_hash;   /* a hash of the joints' parents */
    } private_data;
} md5_model;

typedef struct md5_bounds {
    float min[3], max[3];             /* in the animation's axes and scale */
} md5_bounds;

typedef struct md5_anim {             /* to build one in code, see md5_slice_anim */
    const char        *name;          /* file name without extension, or the argument `name` */
    uint32_t           frame_count, joint_count, moving_count; /* lengths of the arrays below */
    float              fps;           /* frames per second; you may change it; 0 or less = 24 */
    bool               closed;        /* the last frame repeats the first; you may change it */
    uint32_t           flags;         /* from md5_options */
    uint32_t           defects;       /* MD5_NO_VERSION | ... */
    float              scale;         /* from md5_options; 0 = 1 */
    const char *const *joint_names;   /* [joint_count] NULL = none */
    const int32_t     *parents;       /* [joint_count] -1 for a root; parents first; NULL = the
                                         parents of any model with joint_count joints */
    const md5_xform   *frames;        /* [frame_count][moving_count] local, joints that move */
    const md5_xform   *still;         /* local, joints that do not move */
    const uint32_t    *slots;         /* [joint_count] the joint is item s of each frame if
                                         s < moving_count, else still[s - moving_count]; NULL =
                                         every joint moves */
    const md5_bounds  *bounds;        /* [frame_count] from the file, where they are often wrong */
    md5_allocator      allocator;     /* md5_free_anim releases the block with it */
    size_t             bytes;         /* size of the block, which begins with this struct */
    struct {
        const void    *self;          /* address of this struct, as in a model */
        uint64_t       skeleton_hash; /* a hash of the joints' parents */
        bool           has_paths;     /* true: the two arrays below describe the path of joint 0,
                                         without MD5_TURN in [0] and with it in [1] */
        uint32_t       net_motion[2]; /* MD5_TRAVEL | MD5_TURN: parts that do not return to their
                                         start within a loop */
        double         mean_step[2][4]; /* mean motion per frame: x, y, cosine, sine */
    } private_data;
} md5_anim;

/* -- Loading -------------------------------------------------------------- */

/* Loads a model or an animation. On failure, returns NULL and fills *error; on success, error->code
   is MD5_OK. The text needs no NUL at its end, and may be freed after the call. `name` may be
   NULL. */
MD5_API md5_model *md5_load_model_memory(const void *text, size_t size, const md5_options *options,
                                         md5_error *error);
MD5_API md5_model *md5_load_model_reader(const md5_reader *reader, const md5_options *options,
                                         md5_error *error);
MD5_API md5_anim  *md5_load_anim_memory(const void *text, size_t size, const char *name,
                                        const md5_options *options, md5_error *error);
MD5_API md5_anim  *md5_load_anim_reader(const md5_reader *reader, const char *name,
                                        const md5_options *options, md5_error *error);
#ifndef MD5_NO_STDIO
MD5_API md5_model *md5_load_model_file(const char *path, const md5_options *options,
                                       md5_error *error); /* path in UTF-8, also on Windows */
MD5_API md5_anim  *md5_load_anim_file(const char *path, const md5_options *options,
                                      md5_error *error);
#endif
/* Frees a model or an animation, with the allocator that loaded it. A copy of the struct and a
   slice own nothing. */
MD5_API void md5_free_model(md5_model *model);
MD5_API void md5_free_anim(md5_anim *anim);

/* -- Textures: paths ------------------------------------------------------ */

/* Finds the diffuse texture of a mesh: tries paths in the folder of `model_path`, the most likely
   path first, until one of them is a file, and writes this path to `out`. Returns false if none is
   a file; then `out` has the first path, for a message. Tries at most 200 paths, and skips a path
   that does not fit into `out`.

   `is_found`, unless NULL, decides instead of the file system. It gets each path, with `user`,
   until it returns true. It may look into an archive, or read the file immediately. (With
   MD5_NO_STDIO, a NULL finds nothing.)

   The names, in this order:

       shader "models/imp/imp_local"       imp_d, imp_diffuse, imp, imp_local
       shader "models/imp/imp", "imp.pcx"  imp, imp_d, imp_diffuse
       any shader                          imp_00_00, as in Quake's re-release
       always                              the name of the model's file

   Each name is tried as written, and as imp, Imp and IMP, with the extensions .tga .png .jpg .jpeg
   .bmp .TGA .PNG .JPG. */
MD5_API bool md5_find_texture(const md5_model *model, const char *model_path, uint32_t mesh,
                              bool (*is_found)(void *user, const char *path), void *user,
                              char *out, size_t out_size);

/* -- Skeletons: check and retarget ---------------------------------------- */

/* Returns MD5_OK if the animation fits the model: it has frames, the same number of joints, each
   with the same parent, and the same scale and axes. As in id's engines, names are not compared,
   because many models have renamed joints. An animation built in code needs parents before their
   children, as in a model. The call overwrites *error, so check the error of loading first. */
MD5_API md5_result md5_check_anim(const md5_model *model, const md5_anim *anim, md5_error *error);
/* Returns a copy of the animation for the model's joints. A joint is matched with the animation's
   joint of the same name, ignoring case. A joint that is left over is matched with the left-over
   joint of the same index, if their parents match. With a source, only roots are matched by index,
   because joint 12 of another character may be anything.

   `source` is the model that the animation was made for, and that it must fit. With a source, the
   model keeps its own bones: in model space, each joint rotates away from its bind pose as the
   matched joint rotates away from the bind pose of `source`; translations are multiplied by the
   ratio of the bones' lengths. So bones may have other lengths and axes, and joints between them
   may be missing. If `source` is NULL, local transforms are copied unchanged, including the bones'
   lengths.

   Joints that the animation lacks keep the bind pose; unless the call fails, *missing receives
   their number. The copy has no bounds, and is closed if the animation is. Only the options
   allocator and max_bytes are used. Release the copy with md5_free_anim. */
MD5_API md5_anim  *md5_retarget_anim(const md5_model *model, const md5_model *source,
                                     const md5_anim *anim, uint32_t *missing,
                                     const md5_options *options, md5_error *error);
/* Returns the joint of this name, or the first whose name differs only in case, or -1. */
MD5_API int        md5_find_joint(const md5_model *model, const char *name);

/* -- Poses: arrays of joint_count transforms that you own ----------------- */

typedef enum md5_mode {
    MD5_LOOP = 0,                     /* starts again after each cycle */
    MD5_ONCE,                         /* stops at its last frame */
    MD5_PING_PONG                     /* plays forward, then backward, and so on */
} md5_mode;

MD5_API double md5_anim_length(const md5_anim *anim, md5_mode mode); /* seconds per cycle */
/* Returns a slice: an animation of `count` frames of another animation, from frame `first` on. The
   slice points into the other animation, which must outlive it; do not free the slice. It has its
   own `closed`, and its frame 0 is `first`. `first` and `count` are limited to the existing frames;
   a count of 0 has the effect of 1. NULL for `name` keeps the other animation's name.

   To build an animation in code, zero a struct, set joint_count, frame_count, fps and frames (with
   all joints), and play the struct. Set MD5_Y_UP and scale as in the model, and `closed` if the
   last frame repeats the first. To edit an animation, copy its struct, set frames to your own,
   moving_count to 0 and slots to NULL, and play a slice of the copy. */
MD5_API md5_anim md5_slice_anim(const md5_anim *anim, uint32_t first, uint32_t count,
                                const char *name);
/* Write a local pose of model->joint_count transforms: the bind pose (T-pose), or the animation at
   a time. An animation that does not fit the model (see md5_check_anim) gives the bind pose. */
MD5_API void   md5_pose_bind(const md5_model *model, md5_xform *local);
MD5_API void   md5_pose_at(const md5_model *model, const md5_anim *anim, md5_mode mode,
                           double seconds, md5_xform *local);
/* Blends two poses: a at t <= 0, b at t >= 1; rotations by slerp along the shorter arc. `mask`, if
   not NULL, has a factor for t per joint. Here and below, `out` may be one of the inputs. */
MD5_API void   md5_pose_mix(const md5_xform *a, const md5_xform *b, float t, const float *mask,
                            size_t count, md5_xform *out);
/* Additive blending: out = base + t * (pose - reference) for each joint, t from 0 to 1. Positions
   and scales are added component by component. The rotation from the reference to the pose is
   applied in the parent's axes, like positions. */
MD5_API void   md5_pose_add(const md5_xform *base, const md5_xform *pose,
                            const md5_xform *reference, float t, const float *mask, size_t count,
                            md5_xform *out);
/* Sets the mask of a joint and all its descendants; other joints keep theirs. Here and below, a
   joint of -1 (not found) or beyond the last joint changes nothing. */
MD5_API void   md5_mask_branch(const md5_model *model, int joint, float value, float *mask);
/* Rotates a joint of a local pose, and with it all its descendants, about an axis in model space.
   The axis may have any length from 1e-18 to 1e18. */
MD5_API void   md5_pose_turn(const md5_model *model, md5_xform *local, int joint,
                             const float axis[3], float radians);
/* Aims a joint of a local pose: rotates it along the shortest arc until `axis`, a direction in the
   joint's axes (NULL = the direction that faced forward in the bind pose), points at `target`. t
   from 0 to 1 is the fraction of the rotation. The target is a point in model space, which does not
   include the character's position and heading; a target that jumps is not smoothed.

   The joint rotates by at most `limit` radians. For a target beyond the limit, the rotation
   decreases again, and is zero if the target is straight behind, so that a head never flips from
   one shoulder to the other. A limit of pi or more means no limit, for a turret. */
MD5_API void   md5_pose_aim(const md5_model *model, md5_xform *local, int joint,
                            const float axis[3], const float target[3], float limit, float t);

enum {                                /* root motion: parts of the motion of joint 0 */
    MD5_TRAVEL        = 1 << 0,       /* translation over the ground */
    MD5_TURN          = 1 << 1        /* rotation about the up axis */
};

/* Computes the root motion between two times, including all cycles in between: new transform of the
   character = old transform * *out. Only joint 0 counts: if only a child of joint 0 moves, there is
   no root motion. Motion that is not in `flags` stays in the pose. Without MD5_TURN, out->rotation
   is the identity; out->position has no height.

   Example: an open loop of 4 frames, whose root is at x = 0, 6, 12 and 18. It has 4 steps, but no
   frame for the end of the last one. The last step is the mean of the others, 6, so that a cycle
   moves 24 units: (last - first) * n / (n - 1). If the root returns, as in a loop that sways, the
   last step leads back to the start instead. The root counts as returning if its net distance is
   at most 5/8 of the length of its path. (With MD5_TURN, both are measured in axes that rotate with
   joint 0, so a root that walks in a circle does not return.) Rotations follow the same rule. */
MD5_API void   md5_anim_motion(const md5_anim *anim, md5_mode mode, uint32_t flags, double from,
                               double to, md5_xform *out);
/* Writes the pose of md5_pose_at without its root motion. If you apply the root motion since time 0
   to this pose, the result is the pose of md5_pose_at. Other joints without a parent move with
   joint 0. */
MD5_API void   md5_pose_in_place(const md5_model *model, const md5_anim *anim, md5_mode mode,
                                 uint32_t flags, double seconds, md5_xform *local);

/* Converts a local pose (relative to parents) to model space. */
MD5_API void   md5_pose_to_model_space(const md5_model *model, const md5_xform *local,
                                       md5_xform *out);
/* Converts a pose in model space to a local pose, for engines that have a tree of bones. */
MD5_API void   md5_pose_to_local(const md5_model *model, const md5_xform *model_space,
                                 md5_xform *out);
/* Writes the matrix of one joint, to attach a sword or a lamp. */
MD5_API void   md5_pose_matrix(const md5_xform *model_space, float out[16]);
/* Writes joint_count matrices of three rows of four, from the bind pose to this pose. */
MD5_API void   md5_pose_palette(const md5_model *model, const md5_xform *model_space,
                                float *out12);
/* Writes mesh->vertex_count positions and unit normals, three floats each, and tangents, four
   floats each. Any of them may be NULL. If the biases of a vertex cancel, the vertex keeps the
   normal and tangent of the bind pose. Pass the result of md5_pose_to_model_space: a local pose
   would collapse the mesh. */
MD5_API void   md5_pose_vertices(const md5_model *model, uint32_t mesh,
                                 const md5_xform *model_space,
                                 float *positions, size_t position_stride,
                                 float *normals,   size_t normal_stride,
                                 float *tangents,  size_t tangent_stride);
MD5_API void   md5_pose_bounds(const md5_model *model, const md5_xform *model_space,
                               float min[3], float max[3]); /* exact: for culling */
/* Writes the `count` heaviest joints of a vertex, heaviest first, with weights that sum to 1: for
   engines that skin with a fixed number of joints per vertex, such as 4. Unused entries are joint 0
   with weight 0. Returns false if there is no such vertex. */
MD5_API bool   md5_vertex_joints(const md5_model *model, uint32_t mesh, uint32_t vertex,
                                 uint32_t count, uint32_t *joints, float *weights);

/* -- Playback: a plain struct you own, one per character ------------------ */

/* [twin: events] written by "make twins" from md2.h: edit it there */
enum {                                /* events returned by md5_advance */
    MD5_LOOPED   = 1,                 /* the animation passed its start again */
    MD5_FINISHED = 2                  /* MD5_ONCE arrived at its end (played backward: its start);
                                         not repeated while it stays there */
};

enum { MD5_MAX_TRACKS = 5 };          /* most tracks of a player */
/* [/twin: events] */

typedef struct md5_track {            /* a playing animation; newer tracks fade in over it */
    double          time;             /* position in seconds; a loop does not wrap it around */
    double          previous_time;    /* `time` before the last md5_advance */
    float           speed;            /* negative plays backward; newest track: player.speed */
    float           fade, fade_length; /* fade-in: seconds elapsed, seconds in total */
    float           fade_out;         /* from md5_play_once: seconds of fade-out at the end of the
                                         animation, in a layer; 0 = no fade-out */
    md5_mode        mode;             /* from md5_play */
    bool            in_phase;         /* from md5_play_in_phase: in step with the newest of the
                                         older tracks that loops more than one frame */
    const md5_anim *anim;             /* must outlive the track; NULL = bind pose */
} md5_track;

/* Start with all zero: nothing plays, and the bind pose shows. Forgetting this is detected only if
   track_count happens to be above MD5_MAX_TRACKS; then the first use zeroes the player. */
typedef struct md5_player {
    uint32_t  track_count;            /* newest last; a fully faded-in track removes older tracks */
    float     speed;                  /* speed of the newest track; md5_play sets it to 1 */
    bool      paused;                 /* time stops and no frames are passed; md5_play ends it */
    bool      finished;               /* MD5_ONCE is at its end (played backward: its start) */
    uint32_t  root_motion;            /* MD5_TRAVEL | MD5_TURN: removed from the pose and returned
                                         by md5_player_motion; md5_play does not change it */
    md5_track track[MD5_MAX_TRACKS];  /* four show; a fifth waits until the oldest is removed */
    struct {
        bool      begun;              /* the newest track's time has changed since md5_play or
                                         md5_stop, or md5_seek was called; md5_play_in_phase copies
                                         this from the older loop */
        bool      passed_start;       /* the last md5_advance has set `begun` */
        md5_xform motion;             /* root motion of the last md5_advance; scale 0 = none */
    } private_data;
} md5_player;

/* Crossfades to the start of an animation in `fade_seconds`. Call it once, not every frame:
   if (!md5_playing(&player, run)) md5_play(&player, run, MD5_LOOP, 0.2f). The older tracks keep
   their speeds. The animation must outlive its track: see md5_replace_anim. If anim is NULL or has
   no frames, the bind pose shows; in a layer, the pose below.

   The first animation of an empty player shows immediately, whatever its fade; in a layer it fades
   in over the pose below. After that, weights never jump, except in md5_stop and if a fade is 0,
   which removes the other tracks.

   Four tracks show. A fifth is invisible until the oldest is removed. Meanwhile, fades that are
   longer than the fade of the fifth track are sped up, so the fifth track waits at most as long as
   its own fade takes. A sixth track replaces the fifth.

   Between the rotations of two tracks, a joint takes the shorter arc. If the rotations move more
   than half a turn apart, the shorter arc changes to the other side, and the joint jumps. */
MD5_API void     md5_play(md5_player *player, const md5_anim *anim, md5_mode mode,
                          float fade_seconds);
/* Plays an animation once in a layer, such as an attack of the upper body: fades it in and, in the
   last `fade_out` seconds of the animation, fades it out to the pose below. With a fade_out of 0 it
   shows fully until its end and then disappears. No call is needed when it is over. Only
   md5_player_pose_over fades it out: in md5_player_pose its last frame stays, as with MD5_ONCE. */
MD5_API void     md5_play_once(md5_player *player, const md5_anim *anim, float fade_in,
                               float fade_out);
/* Fades a layer out to the pose below: md5_play(player, NULL, MD5_LOOP, fade_seconds). */
MD5_API void     md5_fade_out(md5_player *player, float fade_seconds);
/* Replaces `old` with `anim` in each track that plays it. Call this for all players before you free
   `old`. A loop continues at the same fraction of its cycle; MD5_ONCE continues at the same time
   or, if it was at its end, at the new end. No frames are passed, and fades, phases and speeds
   stay. NULL for anim has the same effect as in md5_play. */
MD5_API void     md5_replace_anim(md5_player *player, const md5_anim *old, const md5_anim *anim);
/* Returns true if the newest track plays `anim`, even if the track is finished, paused or
   waiting. Compares pointers. With NULL, or an animation without frames, returns true if nothing
   plays. To get the current animation, or NULL:
   anim = player.track_count ? player.track[player.track_count - 1].anim : NULL; */
MD5_API bool     md5_playing(const md5_player *player, const md5_anim *anim);
/* [twin: player] written by "make twins" from md2.h: edit it there */
/* Crossfades between gaits, with the same foot forward. The new loop starts at the newest loop's
   position in its cycle, and both cycles take the same time while both show. For example, from a
   walk of 1.2 s to a run of 0.6 s: a cycle of both takes 1.2 s at the start of the fade, 0.8 s (the
   mean of 0.83 and 1.67 cycles a second) halfway, and 0.6 s at the end. Do not use it between a
   stand of 4 seconds and a run of 0.6: the stand would speed up to the pace of the run.

   Unless both are loops of more than one frame, this call is the same as md5_play with MD5_LOOP.
   After md5_seek, the loops are no longer in step. If the two speeds have opposite signs, both
   loops change direction during the fade. If that happens within a step, md5_crossed counts only
   the frames between the positions at the start and at the end of the step. */
MD5_API void     md5_play_in_phase(md5_player *player, const md5_anim *anim, float fade_seconds);
/* Advances by any step, even a negative one, and returns the events. A step of 0 has no events.
   Times, fades and events do not depend on how a second is divided into steps (except while loops
   in phase change direction: see md5_play_in_phase). Only the newest track has events, even while
   it is invisible because it waits. If another animation fades in over an attack, the MD5_FINISHED
   of the attack is never returned. */
MD5_API uint32_t md5_advance(md5_player *player, float delta_seconds);
/* Returns how often the last md5_advance passed a frame, counted from the animation's first frame.
   The frame at which the animation starts counts as well. Returns 0 if the newest track plays
   another animation, and for NULL. */
MD5_API int      md5_crossed(const md5_player *player, const md5_anim *anim, uint32_t frame);
MD5_API void     md5_pause(md5_player *player, bool paused);  /* true: pause, false: continue */
MD5_API void     md5_stop(md5_player *player);      /* pauses and rewinds, without a fade */
/* Jumps to a time, without events or a change of weights. When playback continues from there, the
   frame at that time does not count as crossed. */
MD5_API void     md5_seek(md5_player *player, double seconds);
/* [/twin: player] */
/* Writes the root motion of the last md5_advance, limited to the flags in player->root_motion: new
   transform of the character = old transform * *step. In a crossfade, *step is the mean of the
   motions of the tracks, by weight; one step of 0.3 s and 64 short ones differ by less than 1 % of
   the distance. With layers, use the player of the lowest layer.

   An animation with root motion snaps back in each cycle unless MD5_TRAVEL is set. Set it even if
   your game moves the character itself and ignores *step. */
MD5_API void     md5_player_motion(const md5_player *player, md5_xform *step);
/* Writes a local pose of model->joint_count transforms. `scratch` has room for the same number and
   must not be `local`, or the pose is wrong. A track whose animation does not fit the model shows
   the bind pose. */
MD5_API void     md5_player_pose(const md5_model *model, const md5_player *player,
                                 md5_xform *local, md5_xform *scratch);
/* Mixes the player as a layer over the pose in `local`, for example attacking arms over running
   legs. The player's fraction of a joint is weight * mask[joint] * the fades of the tracks; each
   factor is 0 to 1 (mask NULL = 1). The pose below shows through during the first fade-in,
   md5_fade_out and the end of md5_play_once, and in place of an animation that does not fit the
   model. */
MD5_API void     md5_player_pose_over(const md5_model *model, const md5_player *player,
                                      float weight, const float *mask, md5_xform *local,
                                      md5_xform *scratch);

#endif /* MD5_LIBRARY_H */

/* -- Textures: pictures (only with MD5_STB_IMAGE defined) ------------------ */

/* Has its own guard: a later include may define MD5_STB_IMAGE. Include stb_image.h first. */
#if defined(MD5_STB_IMAGE) && !defined(MD5_NO_STDIO)
#ifndef MD5_LOAD_TEXTURE_INCLUDED
#define MD5_LOAD_TEXTURE_INCLUDED

/* Loads the diffuse texture of a mesh for your own renderer, as RGBA pixels, top row first. Tries
   the paths of md5_find_texture, and decodes with stb_image. Returns NULL and an error if no file
   is a picture. options->max_bytes limits the pixels and the file; the file is also limited to
   64 MiB. Release the pixels with md5_free_image. */
MD5_API uint8_t *md5_load_texture(const md5_model *model, const char *model_path, uint32_t mesh,
                                  uint32_t *width, uint32_t *height, const md5_options *options,
                                  md5_error *error);
MD5_API void     md5_free_image(uint8_t *pixels); /* with the allocator of the load; not free() */

#endif /* MD5_LOAD_TEXTURE_INCLUDED */
#endif /* MD5_STB_IMAGE */

/* -- OpenGL 3.3, ES 3.0, WebGL 2 (only with MD5_GL defined) --------------- */

/* Has its own guard, because a later include may define MD5_GL. */
#if defined(MD5_GL) && !defined(MD5_GL_INCLUDED)
#define MD5_GL_INCLUDED

typedef void (*md5_gl_proc)(void);
typedef md5_gl_proc (*md5_gl_get_proc)(const char *name); /* glfwGetProcAddress needs no cast */

typedef struct md5_gl md5_gl;         /* the renderer; one per GL context */

typedef struct md5_gl_options {
    const char   *version_line;       /* NULL = "#version 330 core" or "#version 300 es" */
    const char   *fragment_source;    /* NULL = built-in: textured and lit; has no #version line */
    uint32_t      texture_unit;       /* first of the three units that a draw uses */
    bool          leave_state;        /* do not query and restore the GL state: see OPENGL */
    bool          cut_out;            /* alpha test, for leaves and fences: see OPENGL */
    md5_allocator allocator;          /* zero = MD5_MALLOC and MD5_FREE */
} md5_gl_options;

typedef struct md5_gl_mesh {          /* plain GL names, which your own program can bind */
    uint32_t vao, vertex_buffer, index_buffer; /* vertices and triangles of the mesh */
    uint32_t weight_texture;          /* weights of the mesh */
    uint32_t index_count, joint_count, weight_count; /* as in the model */
} md5_gl_mesh;

typedef struct md5_gl_scene {
    float ambient;                    /* zero = 0.25; below 0 = none */
    float light_direction[3];         /* toward the light; zero = from the camera (set it for a
                                         mirrored orthographic view) */
    float view_projection[16];        /* column-major, depth -1..1; all zero draws nothing */
} md5_gl_scene;

typedef struct md5_gl_instance {      /* all zero = bind pose, white, at the origin */
    const float *palette;             /* from md5_pose_palette: joint_count * 12; NULL = bind */
    float        tint[4];             /* all zero = white */
    float        transform[16];       /* column-major, affine; [15] == 0 means identity */
} md5_gl_instance;

/* Creates a renderer in the current context. Returns NULL on failure; the error names the missing
   function or feature. Clears pending GL errors, as uploads and new textures do. */
MD5_API md5_gl *md5_gl_create(md5_gl_get_proc get_proc, const md5_gl_options *options,
                              md5_error *error);
MD5_API void    md5_gl_destroy(md5_gl *gl); /* free the meshes first */
/* Returns the error of the last call with this renderer; its code is MD5_OK if the call succeeded.
   This function, md5_gl_program and md5_gl_free_mesh do not change the error. */
MD5_API const md5_error *md5_gl_last_error(const md5_gl *gl);
/* Returns the GL name of the program, for the uniforms of your own fragment_source. */
MD5_API uint32_t md5_gl_program(const md5_gl *gl);
/* Returns the source of the vertex shader, for your own programs. Put a #version line before it.
   Its comments describe its inputs and outputs. */
MD5_API const char *md5_gl_vertex_source(void);
/* Makes the following draws use your own program, which contains this vertex shader; 0 = the
   built-in program again. Returns false, and changes nothing, if the program is not linked. Call it
   again after you link the program again. You delete the program when it is no longer used. */
MD5_API bool    md5_gl_use_program(md5_gl *gl, uint32_t program);
/* Copies a mesh to the GPU; you may free the model afterward. Fails if the weights or joints exceed
   one texture or the GPU's memory; then *out is all zero. Does not free the old contents of
   *out. */
MD5_API bool md5_gl_upload(md5_gl *gl, const md5_model *model, uint32_t mesh, md5_gl_mesh *out,
                           md5_error *error);
MD5_API void md5_gl_free_mesh(md5_gl *gl, md5_gl_mesh *mesh); /* may be called twice */
/* Creates a mipmapped, repeating texture from RGBA pixels, top row first; 0 on failure. Delete it
   with glDeleteTextures. Drawing also takes any other GL texture. */
MD5_API uint32_t md5_gl_create_texture(md5_gl *gl, const uint8_t *rgba, uint32_t width,
                                       uint32_t height);
/* Draws all instances of a mesh in one draw call. The palettes must fit into one texture: a texture
   of 16,384 rows has room for 93,000 characters of 60 joints. `diffuse_texture` 0 = plain white.
   Depth test, blending and culling are yours to set. Consecutive draws of meshes with the same
   palettes upload the palettes once. Returns false on failure: see md5_gl_last_error; the next draw
   tries again. A count of 0 draws nothing and succeeds.

   Checking for GL errors is slow, so a draw checks for them only if it uploads more than all draws
   before it. Such a draw clears pending errors first. */
MD5_API bool md5_gl_draw(md5_gl *gl, const md5_gl_mesh *mesh, uint32_t diffuse_texture,
                         const md5_gl_scene *scene, const md5_gl_instance *instances,
                         size_t count);
/* Draws the instances with all meshes of a model. `diffuse_textures` has a texture for each mesh,
   or is NULL. */
MD5_API bool md5_gl_draw_meshes(md5_gl *gl, const md5_gl_mesh *meshes,
                                const uint32_t *diffuse_textures, size_t mesh_count,
                                const md5_gl_scene *scene, const md5_gl_instance *instances,
                                size_t count);

#endif /* MD5_GL_INCLUDED */

/* Has its own guard: a later include may define MD5_STB_IMAGE. Include stb_image.h first. */
#if defined(MD5_GL) && defined(MD5_STB_IMAGE) && !defined(MD5_NO_STDIO)
#ifndef MD5_GL_LOAD_TEXTURE_INCLUDED
#define MD5_GL_LOAD_TEXTURE_INCLUDED

/* Loads a diffuse texture. Tries the paths of md5_find_texture, and decodes with stb_image. Returns
   0 and an error if no file becomes a texture. The limits are 64 MiB for a file, and the size of
   the largest texture. Delete the texture with glDeleteTextures. */
MD5_API uint32_t md5_gl_load_texture(md5_gl *gl, const md5_model *model, const char *model_path,
                                     uint32_t mesh, md5_error *error);

#endif /* MD5_GL_LOAD_TEXTURE_INCLUDED */
#endif /* MD5_STB_IMAGE */

#ifdef __cplusplus
}
#endif

/* End of the interface. The implementation follows. "make twins" copies the code between the "twin"
   marks from md2.h, and the files of shaders/ between the "shader" marks. */

#if defined(MD5_IMPLEMENTATION) && !defined(MD5_IMPLEMENTATION_ONCE)
#define MD5_IMPLEMENTATION_ONCE

/* [twin: common] written by "make twins" from md2.h: edit it there */
/* -- Platform ------------------------------------------------------------- */

#include <float.h>
#include <math.h>
#include <string.h>
#ifndef MD5_NO_STDIO
  #include <stdio.h>
#endif
#if defined(MD5_MALLOC) != defined(MD5_FREE)
  #error "define both MD5_MALLOC and MD5_FREE, or neither"
#elif !defined(MD5_MALLOC)
  #include <stdlib.h>
  #define MD5_MALLOC(size) malloc(size)
  #define MD5_FREE(ptr) free(ptr)
#endif
#if defined(MD5_STB_IMAGE) && !defined(MD5_NO_STDIO) && !defined(STBI_INCLUDE_STB_IMAGE_H)
  #error "with MD5_STB_IMAGE, include stb_image.h before md5.h"
#endif

#if defined(MD5_NO_SIMD)
#elif defined(__SSE2__) || defined(_M_X64) || (defined(_M_IX86_FP) && _M_IX86_FP >= 2)
  #include <emmintrin.h>
  #define MD5__SSE2
#elif defined(__aarch64__) && defined(__ARM_NEON) && !defined(__AARCH64EB__) /* no big-endian */
  #include <arm_neon.h>
  #define MD5__NEON
#endif

/* A fused multiply-add rounds once, but a multiplication and an addition round twice. Contraction
   into fused multiply-adds would change the last bit on machines that have the instruction, so it
   is off in this file. The end of the file restores the old setting. A clang without float_control
   restores what the command line asks for. With MSVC, contraction stays off, because MSVC cannot
   restore it. */
#if defined(__clang__)
  #pragma clang diagnostic push
  #pragma clang diagnostic ignored "-Wpragmas"
  #pragma clang diagnostic ignored "-Wold-style-cast" /* this is C, even when compiled as C++ */
  #pragma float_control(push)
  #pragma STDC FP_CONTRACT OFF
#elif defined(__GNUC__)
  #pragma GCC push_options
  /* The code is smaller if unlikely blocks are not split off from their functions. */
  #pragma GCC optimize("fp-contract=off", "no-reorder-blocks-and-partition")
  #pragma GCC diagnostic push
  #ifdef __cplusplus
    #pragma GCC diagnostic ignored "-Wold-style-cast"
    #pragma GCC diagnostic ignored "-Wuseless-cast"
  #endif
#elif defined(_MSC_VER)
  #pragma fp_contract(off)
#endif

#if defined(__GNUC__) && defined(__OPTIMIZE__) /* debuggers should step into functions */
  #define MD5__FORCE_INLINE static inline __attribute__((always_inline))
  #define MD5__NOINLINE     static __attribute__((noinline))
  #define MD5__COLD         static __attribute__((noinline, cold))
#elif defined(_MSC_VER)
  #define MD5__FORCE_INLINE static __forceinline
  #define MD5__NOINLINE     static __declspec(noinline)
  #define MD5__COLD         static __declspec(noinline)
#else
  #define MD5__FORCE_INLINE static inline
  #define MD5__NOINLINE     static
  #define MD5__COLD         static
#endif

/* In plain C, code for four floats is four times as large, so with -Os the compiler decides what to
   inline. */
#if defined(__OPTIMIZE_SIZE__) && !defined(MD5__SSE2) && !defined(MD5__NEON)
  #undef MD5__FORCE_INLINE
  #define MD5__FORCE_INLINE static inline
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* -- Numbers and vectors -------------------------------------------------- */

static float md5__sqrt(float x)
{
#if defined(MD5__SSE2)
    return _mm_cvtss_f32(_mm_sqrt_ss(_mm_set_ss(x)));
#elif defined(MD5__NEON)
    return vget_lane_f32(vsqrt_f32(vdup_n_f32(x)), 0);
#else
    return sqrtf(x);
#endif
}

static float md5__vec3_dot(const float a[3], const float b[3])
{
    return (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2];
}

/* Returns true if a vector has a direction. It has none if its squared length is NaN, or underflows
   or overflows a float. */
static inline bool md5__can_normalize(float length_squared)
{
    return length_squared > FLT_MIN && length_squared <= FLT_MAX;
}

/* Normalizes a vector and returns its old length. A vector without a direction becomes 0, and the
   function returns 0: a division by the length would stop a program that has set a floating-point
   trap. */
MD5__NOINLINE float md5__vec3_normalize(float v[3])
{
    float squared = md5__vec3_dot(v, v);
    if (!md5__can_normalize(squared)) {
        memset(v, 0, 3 * sizeof *v);
        return 0;
    }

    float length = md5__sqrt(squared);
    v[0] /= length;
    v[1] /= length;
    v[2] /= length;
    return length;
}

/* Computes floor() without libm. Doubles from 2^52 on have no fraction. */
static double md5__floor(double x)
{
    if (!(x > -4503599627370496.0 && x < 4503599627370496.0)) {
        return x; /* also for NaN */
    }

    /* The conversion truncates, so it rounds negative numbers up. */
    double whole = (double)(int64_t)x;
    return whole > x ? whole - 1 : whole;
}

/* Returns true if a number is neither infinite nor NaN. Tests the bits, because a comparison with
   NaN is an invalid operation, for which a program may have set a trap. */
static bool md5__is_finite(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);

    uint64_t exponent = bits >> 52 & 0x7ff; /* all ones: infinite, or NaN */
    return exponent != 0x7ff;
}

static float md5__clamp01(float x)
{
    if (!(x > 0)) {
        return 0; /* also for NaN */
    }
    return x < 1 ? x : 1.0f;
}

/* Four floats in SSE2, NEON or plain C, with the same bits in all three. NEON and plain C follow
   the rules of SSE2: if either operand is NaN, minimum and maximum return the second. */
#if defined(MD5__SSE2)
typedef __m128 md5__f4;

static inline md5__f4 md5__f4_load(const float *p) { return _mm_loadu_ps(p); }
static inline md5__f4 md5__f4_splat(float x) { return _mm_set1_ps(x); }
static inline md5__f4 md5__f4_add(md5__f4 a, md5__f4 b) { return _mm_add_ps(a, b); }
static inline md5__f4 md5__f4_sub(md5__f4 a, md5__f4 b) { return _mm_sub_ps(a, b); }
static inline md5__f4 md5__f4_mul(md5__f4 a, md5__f4 b) { return _mm_mul_ps(a, b); }
static inline md5__f4 md5__f4_div(md5__f4 a, md5__f4 b) { return _mm_div_ps(a, b); }
static inline md5__f4 md5__f4_min(md5__f4 a, md5__f4 b) { return _mm_min_ps(a, b); }
static inline md5__f4 md5__f4_max(md5__f4 a, md5__f4 b) { return _mm_max_ps(a, b); }
static inline md5__f4 md5__f4_sqrt(md5__f4 a) { return _mm_sqrt_ps(a); }
static inline void    md5__f4_store(float *p, md5__f4 a) { _mm_storeu_ps(p, a); }
static inline void    md5__f4_transpose(md5__f4 r[4]) { _MM_TRANSPOSE4_PS(r[0], r[1], r[2], r[3]); }

/* Writes three floats to any address, and nothing after them. */
static inline void md5__f4_store3(void *p, md5__f4 a)
{
    float z = _mm_cvtss_f32(_mm_movehl_ps(a, a));
    _mm_storel_pi((__m64 *)p, a);
    memcpy((char *)p + 2 * sizeof z, &z, sizeof z);
}
#elif defined(MD5__NEON)
typedef float32x4_t md5__f4;

static inline md5__f4 md5__f4_load(const float *p) { return vld1q_f32(p); }
static inline md5__f4 md5__f4_splat(float x) { return vdupq_n_f32(x); }
static inline md5__f4 md5__f4_add(md5__f4 a, md5__f4 b) { return vaddq_f32(a, b); }
static inline md5__f4 md5__f4_sub(md5__f4 a, md5__f4 b) { return vsubq_f32(a, b); }
static inline md5__f4 md5__f4_mul(md5__f4 a, md5__f4 b) { return vmulq_f32(a, b); }
static inline md5__f4 md5__f4_div(md5__f4 a, md5__f4 b) { return vdivq_f32(a, b); }
static inline md5__f4 md5__f4_sqrt(md5__f4 a) { return vsqrtq_f32(a); }
static inline md5__f4 md5__f4_min(md5__f4 a, md5__f4 b) { return vbslq_f32(vcltq_f32(a, b), a, b); }
static inline md5__f4 md5__f4_max(md5__f4 a, md5__f4 b) { return vbslq_f32(vcgtq_f32(a, b), a, b); }
static inline void    md5__f4_store(float *p, md5__f4 a) { vst1q_f32(p, a); }

static inline void md5__f4_transpose(md5__f4 rows[4])
{
    /* `even` holds x0 x2 y0 y2 and z0 z2 w0 w2, and `odd` the same for rows 1 and 3. Interleaving
       the two gives x0 x1 x2 x3, and so on. */
    float32x4x2_t even = vzipq_f32(rows[0], rows[2]);
    float32x4x2_t odd = vzipq_f32(rows[1], rows[3]);
    float32x4x2_t xy = vzipq_f32(even.val[0], odd.val[0]);
    float32x4x2_t zw = vzipq_f32(even.val[1], odd.val[1]);

    rows[0] = xy.val[0];
    rows[1] = xy.val[1];
    rows[2] = zw.val[0];
    rows[3] = zw.val[1];
}

static inline void md5__f4_store3(void *p, md5__f4 a)
{
    float lanes[4];
    vst1q_f32(lanes, a);
    memcpy(p, lanes, 3 * sizeof(float));
}
#else
typedef struct md5__f4 {
    float x, y, z, w;
} md5__f4;

static inline md5__f4 md5__f4_make(float x, float y, float z, float w)
{
    md5__f4 v = { x, y, z, w };
    return v;
}

static inline md5__f4 md5__f4_load(const float *p) { return md5__f4_make(p[0], p[1], p[2], p[3]); }
static inline md5__f4 md5__f4_splat(float x) { return md5__f4_make(x, x, x, x); }

static inline void md5__f4_store(float *p, md5__f4 a)
{
    p[0] = a.x;
    p[1] = a.y;
    p[2] = a.z;
    p[3] = a.w;
}

#define MD5__F4_OPERATOR(name, sign)                                                   \
    static inline md5__f4 name(md5__f4 a, md5__f4 b)                                   \
    {                                                                                  \
        return md5__f4_make(a.x sign b.x, a.y sign b.y, a.z sign b.z, a.w sign b.w);   \
    }
MD5__F4_OPERATOR(md5__f4_add, +)
MD5__F4_OPERATOR(md5__f4_sub, -)
MD5__F4_OPERATOR(md5__f4_mul, *)
MD5__F4_OPERATOR(md5__f4_div, /)
#undef MD5__F4_OPERATOR

static inline md5__f4 md5__f4_min(md5__f4 a, md5__f4 b)
{
    return md5__f4_make(a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y, a.z < b.z ? a.z : b.z,
                        a.w < b.w ? a.w : b.w);
}

static inline md5__f4 md5__f4_max(md5__f4 a, md5__f4 b)
{
    return md5__f4_make(a.x > b.x ? a.x : b.x, a.y > b.y ? a.y : b.y, a.z > b.z ? a.z : b.z,
                        a.w > b.w ? a.w : b.w);
}

static inline md5__f4 md5__f4_sqrt(md5__f4 a)
{
    return md5__f4_make(md5__sqrt(a.x), md5__sqrt(a.y), md5__sqrt(a.z), md5__sqrt(a.w));
}

static inline void md5__f4_transpose(md5__f4 rows[4])
{
    md5__f4 a = rows[0], b = rows[1], c = rows[2], d = rows[3];
    rows[0] = md5__f4_make(a.x, b.x, c.x, d.x);
    rows[1] = md5__f4_make(a.y, b.y, c.y, d.y);
    rows[2] = md5__f4_make(a.z, b.z, c.z, d.z);
    rows[3] = md5__f4_make(a.w, b.w, c.w, d.w);
}

static inline void md5__f4_store3(void *p, md5__f4 a)
{
    memcpy(p, &a.x, sizeof(float));
    memcpy((char *)p + sizeof(float), &a.y, sizeof(float));
    memcpy((char *)p + 2 * sizeof(float), &a.z, sizeof(float));
}
#endif

/* Returns the squared lengths of four vectors: axes[0] holds the four x, axes[1] the y, axes[2] the
   z. */
static inline md5__f4 md5__f4_length_squared(const md5__f4 axes[3])
{
    md5__f4 x_squared = md5__f4_mul(axes[0], axes[0]);
    md5__f4 y_squared = md5__f4_mul(axes[1], axes[1]);
    md5__f4 z_squared = md5__f4_mul(axes[2], axes[2]);

    return md5__f4_add(md5__f4_add(x_squared, y_squared), z_squared);
}

/* -- Text ----------------------------------------------------------------- */

static bool md5__is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static char md5__to_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static char md5__to_upper(char c)
{
    return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
}

static bool md5__equals_ignoring_case(const char *a, const char *b)
{
    while (*a && md5__to_lower(*a) == md5__to_lower(*b)) {
        ++a;
        ++b;
    }
    return md5__to_lower(*a) == md5__to_lower(*b); /* equal if both texts end here */
}

/* Returns true if text begins with a word, ignoring case. `word` is lowercase, with a NUL at its
   end. */
static bool md5__begins_with(const char *text, size_t length, const char *word)
{
    size_t i = 0;
    while (i < length && word[i] && md5__to_lower(text[i]) == word[i]) {
        ++i;
    }
    return word[i] == 0;
}

/* Writes text at `offset`, as much as fits before the NUL that the caller adds. Returns the offset
   after the text. A newline becomes a space. Any other control character becomes a question mark,
   because it could control a terminal. */
static size_t md5__append_text(char *out, size_t offset, size_t size, const char *text)
{
    for (; text && *text && offset + 1 < size; ++text) {
        bool is_control = (unsigned char)*text < 32 || *text == 127;
        char shown = is_control ? '?' : *text;
        out[offset++] = *text == '\n' ? ' ' : shown;
    }
    return offset;
}

MD5__COLD size_t md5__append_number(char *out, size_t offset, size_t size, uint64_t number)
{
    char   digits[21]; /* the largest number has 20 digits */
    size_t first = sizeof digits - 1;
    digits[first] = 0;

    do { /* from the last digit to the first; 0 also has a digit */
        digits[--first] = (char)('0' + number % 10);
        number /= 10;
    } while (number);

    return md5__append_text(out, offset, size, digits + first);
}

/* -- Paths to try --------------------------------------------------------- */

typedef struct md5__file_name {       /* the last two parts of "models/knight/tris.md5" */
    const char *text;                 /* "tris.md5" */
    size_t      length, stem_length;  /* 8 for "tris.md5", and 4 for "tris" */
    const char *folder;               /* "knight/tris.md5" */
    size_t      folder_length;        /* 6, for "knight" */
} md5__file_name;

/* Splits a path at slashes, backslashes and colons. If the last part of the path is empty, "." or
   "..", the lengths of the name are 0, so that the name never leads to another folder. */
MD5__COLD md5__file_name md5__parse_file_name(const char *path)
{
    const char    *p = path ? path : "";
    md5__file_name name = { p, 0, 0, p, 0 };

    /* At each separator, the part before it becomes the folder, and the rest the name. */
    for (; *p; ++p) {
        if (*p == '/' || *p == '\\' || *p == ':') {
            name.folder = name.text;
            name.folder_length = (size_t)(p - name.text);
            name.text = p + 1;
        }
    }
    if (strcmp(name.text, ".") == 0 || strcmp(name.text, "..") == 0) {
        return name;
    }
    name.length = (size_t)(p - name.text);

    /* ".profile" has no extension: all of it is the stem. */
    const char *dot = strrchr(name.text, '.');
    bool        has_extension = dot && dot > name.text;
    name.stem_length = has_extension ? (size_t)(dot - name.text) : name.length;
    return name;
}

enum {                                /* spellings of a name, the most likely first */
    MD5__AS_WRITTEN, MD5__LOWER_CASE, MD5__CAPITALIZED, MD5__UPPER_CASE, MD5__SPELLING_COUNT,
    MD5__MAX_CANDIDATES = 6 * MD5__SPELLING_COUNT
};

typedef struct md5__candidate {       /* a possible name of a file, without extension */
    const char *name, *suffix;        /* the suffix follows the name, and ends in a NUL */
    size_t      name_length;
    uint32_t    spelling;
} md5__candidate;

typedef struct md5__candidate_list {  /* candidates, all spelled differently */
    uint32_t       count;
    md5__candidate items[MD5__MAX_CANDIDATES];
} md5__candidate_list;

static char md5__candidate_char(const md5__candidate *candidate, size_t i)
{
    size_t length = candidate->name_length;
    char   c = i < length ? candidate->name[i] : candidate->suffix[i - length];

    switch (candidate->spelling) {
    case MD5__LOWER_CASE: return md5__to_lower(c);
    case MD5__CAPITALIZED: return i == 0 ? md5__to_upper(c) : md5__to_lower(c);
    case MD5__UPPER_CASE: return md5__to_upper(c);
    default: return c;
    }
}

static bool md5__is_same_candidate(const md5__candidate *a, const md5__candidate *b)
{
    for (size_t i = 0;; ++i) {
        char c = md5__candidate_char(a, i);
        if (c != md5__candidate_char(b, i)) {
            return false;
        }
        if (c == 0) {
            return true;
        }
    }
}

static bool md5__has_candidate(const md5__candidate_list *list, const md5__candidate *candidate)
{
    for (uint32_t i = 0; i < list->count; ++i) {
        if (md5__is_same_candidate(&list->items[i], candidate)) {
            return true;
        }
    }
    return false;
}

/* Returns true for the number of a port, 1 to 9. Windows also accepts the superscripts 1, 2 and 3,
   here in UTF-8, as digits. */
static bool md5__is_port_number(const char *text, size_t length)
{
    if (length == 1) {
        return text[0] >= '1' && text[0] <= '9';
    }
    return length == 2 && text[0] == '\xc2' &&
           (text[1] == '\xb9' || text[1] == '\xb2' || text[1] == '\xb3');
}

/* Returns true if Windows opens a device instead of a file with this name, whatever its extension
   and case: "nul", "Con.v2", "COM1 .tga". Reading from "con" would never end. */
MD5__COLD bool md5__is_device(const char *name, size_t name_length)
{
    static const char devices[][8] = { "con", "conin$", "conout$", "prn", "aux", "nul" };
    static const char ports[][4] = { "com", "lpt" };

    size_t length = 0; /* up to the first dot, without the spaces before it */
    while (length < name_length && name[length] != '.') {
        ++length;
    }
    while (length > 0 && name[length - 1] == ' ') {
        --length;
    }

    for (size_t i = 0; i < sizeof devices / sizeof devices[0]; ++i) {
        if (length == strlen(devices[i]) && md5__begins_with(name, length, devices[i])) {
            return true;
        }
    }
    for (size_t i = 0; i < sizeof ports / sizeof ports[0]; ++i) {
        if (md5__begins_with(name, length, ports[i]) && md5__is_port_number(name + 3, length - 3)) {
            return true;
        }
    }
    return false;
}

/* Adds all spellings of a name that are not in the list yet, unless the name is empty or a device.
   The suffix is spelled like the name, and ends in a NUL. */
MD5__COLD void md5__add_candidates(md5__candidate_list *list, const char *name, size_t name_length,
                                   const char *suffix)
{
    if (name_length == 0 || md5__is_device(name, name_length)) {
        return;
    }

    for (uint32_t spelling = 0; spelling < MD5__SPELLING_COUNT; ++spelling) {
        md5__candidate candidate = { name, suffix, name_length, spelling };
        if (!md5__has_candidate(list, &candidate)) {
            list->items[list->count++] = candidate;
        }
    }
}

typedef struct md5__path_search {     /* a search for the picture of a model */
    const char *model_path;
    bool      (*is_found)(void *user, const char *path);
    void       *user;
    char       *out;                  /* receives each path before it is tried */
    size_t      out_size;             /* at least 1 */
} md5__path_search;

/* Writes the path of a candidate: the folder of the model, the name, the extension and a NUL.
   Returns false if `out` has no room for it. */
static bool md5__write_candidate(const md5__path_search *search, const md5__candidate *candidate,
                                 const char *extension)
{
    size_t length = candidate->name_length + strlen(candidate->suffix);
    size_t end_size = strlen(extension) + 1;
    size_t folder_length = 0;
    if (search->model_path) {
        md5__file_name model = md5__parse_file_name(search->model_path);
        folder_length = (size_t)(model.text - search->model_path);
    }
    if (folder_length + length + end_size > search->out_size) {
        return false;
    }

    if (folder_length) {
        memcpy(search->out, search->model_path, folder_length);
    }
    for (size_t i = 0; i < length; ++i) {
        search->out[folder_length + i] = md5__candidate_char(candidate, i);
    }
    memcpy(search->out + folder_length + length, extension, end_size);
    return true;
}

/* Tries all extensions of a name before the next name. Extension `first` is tried first, then the
   extensions after it, then those before it. */
static bool md5__try_candidates(const md5__path_search *search, const md5__candidate_list *list,
                                const char (*extensions)[6], uint32_t extension_count,
                                uint32_t first)
{
    for (uint32_t i = 0; i < list->count; ++i) {
        for (uint32_t k = 0; k < extension_count; ++k) {
            const char *extension = extensions[(first + k) % extension_count];
            if (md5__write_candidate(search, &list->items[i], extension) &&
                search->is_found(search->user, search->out)) {
                return true;
            }
        }
    }

    /* If no file is found, the caller's message names the first path. */
    search->out[0] = 0;
    if (list->count > 0) {
        md5__write_candidate(search, &list->items[0], extensions[first]);
    }
    return false;
}

/* -- Memory and errors ---------------------------------------------------- */

typedef struct md5__context {         /* memory and error of one call, or of one renderer */
    md5_allocator allocator;
    size_t        max_bytes;
    size_t        used_bytes;         /* at most max_bytes */
    md5_error     error;
} md5__context;

typedef struct md5__buffer {          /* an array of bytes that grows */
    uint8_t *data;                    /* NULL while capacity is 0 */
    size_t   size;                    /* bytes in use */
    size_t   capacity;                /* bytes allocated */
} md5__buffer;

/* Stores an error and its message. Each $ in the format becomes the text, the first # the number,
   and every later # the next number. Always returns false, so that callers can return the result.
   All errors pass through this function, so it is a good place for a breakpoint. */
MD5__COLD bool md5__fail_numbers(md5__context *context, md5_result code, const char *format,
                                 const char *text, uint64_t number, uint64_t next_number)
{
    char  *message = context->error.message;
    size_t size = sizeof context->error.message;
    size_t length = 0;

    for (; *format; ++format) {
        if (*format == '$') {
            length = md5__append_text(message, length, size, text);
        } else if (*format == '#') {
            length = md5__append_number(message, length, size, number);
            number = next_number;
        } else {
            char literal[2] = { *format, 0 };
            length = md5__append_text(message, length, size, literal);
        }
    }
    message[length] = 0;

    context->error.code = code;
    return false;
}

MD5__COLD bool md5__fail_text(md5__context *context, md5_result code, const char *format,
                              const char *text)
{
    return md5__fail_numbers(context, code, format, text, 0, 0);
}

MD5__COLD bool md5__fail(md5__context *context, md5_result code, const char *message)
{
    return md5__fail_text(context, code, message, NULL);
}

/* Appends text to the message of an error. */
static inline void md5__append_to_message(md5_error *error, const char *text)
{
    size_t size = sizeof error->message;
    size_t length = md5__append_text(error->message, strlen(error->message), size, text);
    error->message[length] = 0;
}

static void md5__report_error(const md5__context *context, md5_error *error)
{
    if (error) {
        *error = context->error;
    }
}

static void *md5__default_alloc(void *user, size_t size)
{
    (void)user;
    return MD5_MALLOC(size);
}

static void md5__default_release(void *user, void *ptr, size_t size)
{
    (void)user;
    (void)size;
    MD5_FREE(ptr);
}

static bool md5__init_context(md5__context *context, const md5_allocator *allocator,
                              size_t max_bytes)
{
    memset(context, 0, sizeof *context);
    context->max_bytes = max_bytes ? max_bytes : (size_t)64 << 20; /* 64 MiB */
    if (allocator) {
        context->allocator = *allocator;
    }

    if (!context->allocator.alloc != !context->allocator.release) {
        return md5__fail(context, MD5_ERROR_ARGUMENT, "an allocator needs both alloc and release");
    }
    if (!context->allocator.alloc) {
        context->allocator.alloc = md5__default_alloc;
        context->allocator.release = md5__default_release;
    }
    return true;
}

/* Allocates memory within the limit. Sizes have 64 bits everywhere, so that no product of counts
   from a file overflows before it is compared with the limit. */
static void *md5__alloc(md5__context *context, uint64_t size)
{
    if (size > context->max_bytes - context->used_bytes) {
        md5__fail_numbers(context, MD5_ERROR_LIMIT, "needs # more bytes, but max_bytes is #",
                          NULL, size, context->max_bytes);
        return NULL;
    }

    void *ptr = context->allocator.alloc(context->allocator.user, (size_t)size);
    if (!ptr) {
        md5__fail_numbers(context, MD5_ERROR_MEMORY, "no memory for # bytes", NULL, size, 0);
        return NULL;
    }

    context->used_bytes += (size_t)size;
    return ptr;
}

static void md5__release(md5__context *context, void *ptr, size_t size)
{
    if (ptr) {
        context->allocator.release(context->allocator.user, ptr, size);
        context->used_bytes -= size;
    }
}

/* Makes room for `required` more bytes. A new block gets up to `preferred` bytes in addition, if
   the limit allows. The bytes in use are copied to the new block. */
static bool md5__reserve_bytes(md5__context *context, md5__buffer *buffer, uint64_t required,
                               uint64_t preferred)
{
    if (buffer->capacity - buffer->size >= required) {
        return true;
    }

    /* The old block counts against the limit, because it is freed only after its bytes are
       copied. */
    uint64_t capacity = buffer->size + required;
    uint64_t available = context->max_bytes - context->used_bytes;
    if (capacity < available) {
        uint64_t spare = available - capacity;
        capacity += preferred < spare ? preferred : spare;
    }

    uint8_t *data = (uint8_t *)md5__alloc(context, capacity);
    if (!data) {
        return false;
    }
    if (buffer->size) { /* otherwise there is no old block, and memcpy must not get NULL */
        memcpy(data, buffer->data, buffer->size);
    }
    md5__release(context, buffer->data, buffer->capacity);
    buffer->data = data;
    buffer->capacity = (size_t)capacity;
    return true;
}

/* Returns the next array of a block, aligned to 16 bytes, which suits any type. *total is the size
   of the block so far. If the block is NULL, only adds to the total, so the same code measures a
   block and, once the block is allocated, lays it out. */
static void *md5__place_array(uint8_t *block, uint64_t *total, uint64_t count, uint64_t item_size)
{
    uint64_t offset = (*total + 15) / 16 * 16;

    *total = offset + count * item_size;
    return block ? block + (size_t)offset : NULL;
}

/* -- Equal keys ----------------------------------------------------------- */

#define MD5__NONE UINT32_MAX          /* no index */

typedef struct md5__key_node {
    uint32_t key[3];
    uint32_t branches[2];             /* next nodes if the next bit is 0 or 1; or MD5__NONE */
} md5__key_node;

/* A hash table of keys of three words. A crafted file could put all its keys into one slot, and if
   slots held lists, each lookup would walk past all of the keys. So a slot holds a digital search
   tree (Knuth, volume 3, section 6.3): each node holds a key, and at level n, the search goes left
   or right by bit n of the key it looks for. All keys in a subtree at level n agree in their first
   n bits, so no tree has more than 96 levels, whatever the keys are. */
typedef struct md5__key_table {
    md5__key_node *nodes;             /* in the order of their numbers; has room for all keys */
    uint32_t      *slots;             /* root of the tree of each slot, or MD5__NONE */
    uint32_t       count;
} md5__key_table;

/* Sets an array of indices to MD5__NONE, whose bytes are all 255. */
static void md5__clear_indices(uint32_t *indices, uint64_t count)
{
    memset(indices, 255, (size_t)count * sizeof *indices);
}

/* Hashes a word so that all its bits affect the high bits (Fibonacci hashing). The factor is odd,
   so different words stay different. */
static inline uint32_t md5__spread_bits(uint32_t word)
{
    return word * 0x9e3779b1u;
}

/* Returns the link to the node of a key. If the table does not have the key, the link is MD5__NONE,
   and a new node can be linked there. `slot` is any function of the key. */
static uint32_t *md5__find_key(const md5__key_table *table, uint32_t slot, const uint32_t key[3])
{
    uint32_t *link = &table->slots[slot];

    for (uint32_t level = 0; *link != MD5__NONE; ++level) {
        md5__key_node *node = &table->nodes[*link];
        if (node->key[0] == key[0] && node->key[1] == key[1] && node->key[2] == key[2]) {
            return link;
        }

        /* The keys differ, so `level` is below 96. The high bits are used first. */
        uint32_t bits = md5__spread_bits(key[level / 32]);
        link = &node->branches[bits >> (31 - level % 32) & 1];
    }
    return link;
}

/* Returns the number of a key, and adds the key if it is new. Keys are numbered from 0 in the order
   in which they first appear. */
static uint32_t md5__number_key(md5__key_table *table, uint32_t slot, const uint32_t key[3])
{
    uint32_t *link = md5__find_key(table, slot, key);
    if (*link != MD5__NONE) {
        return *link;
    }

    uint32_t       number = table->count++;
    md5__key_node *added = &table->nodes[number];
    added->key[0] = key[0];
    added->key[1] = key[1];
    added->key[2] = key[2];
    md5__clear_indices(added->branches, 2);
    *link = number;
    return number;
}

/* -- Files ---------------------------------------------------------------- */

/* Reads to the end, into a buffer that doubles when it is full. */
MD5__COLD bool md5__read_stream(md5__context *context, const md5_reader *reader,
                                md5__buffer *buffer)
{
    if (!reader || !reader->read) {
        return md5__fail(context, MD5_ERROR_ARGUMENT, "no reader is given");
    }

    for (;;) {
        /* A full buffer grows to twice its size plus 64 KiB (an empty one counts as full). */
        if (!md5__reserve_bytes(context, buffer, 1, (uint64_t)buffer->size + 65536)) {
            return false;
        }

        size_t available = buffer->capacity - buffer->size;
        size_t bytes_read = reader->read(reader->user, buffer->data + buffer->size, available);
        if (bytes_read == 0) {
            return true;
        }
        if (bytes_read > available) { /* SIZE_MAX, or nonsense from a broken reader */
            return md5__fail_numbers(context, MD5_ERROR_READ, "reading failed after # bytes", NULL,
                                     buffer->size, 0);
        }
        buffer->size += bytes_read;
    }
}

#ifndef MD5_NO_STDIO
#ifdef _WIN32                         /* as in <windows.h> */
__declspec(dllimport) int __stdcall MultiByteToWideChar(unsigned, unsigned long, const char *, int,
                                                        wchar_t *, int);
#endif

/* Opens a file for reading. Paths are UTF-8 everywhere, but Windows needs UTF-16: 65001 is the code
   page of UTF-8, flag 8 rejects malformed text, and -1 means that the text ends at a NUL. */
static FILE *md5__open_utf8_file(const char *path)
{
#ifdef _WIN32
    wchar_t utf16[1024];
    bool    ok = MultiByteToWideChar(65001, 8, path, -1, utf16, 1024) > 0;
  #ifdef _MSC_VER
    FILE *file = NULL;
    return ok && _wfopen_s(&file, utf16, L"rb") == 0 ? file : NULL;
  #else
    return ok ? _wfopen(utf16, L"rb") : NULL;
  #endif
#else
    return fopen(path, "rb");
#endif
}

/* Returns true if a picture can be read at this path. Some systems open a folder like a file, but
   reading from it fails. */
static bool md5__is_file(void *user, const char *path)
{
    (void)user;
    FILE *file = md5__open_utf8_file(path);
    bool  is_file = file && fgetc(file) != EOF;
    if (file) {
        fclose(file);
    }
    return is_file;
}

static size_t md5__read_stdio_file(void *user, void *dst, size_t size)
{
    FILE  *file = (FILE *)user;
    size_t bytes_read = fread(dst, 1, size, file);
    return bytes_read == 0 && ferror(file) ? (size_t)-1 : bytes_read;
}

MD5__COLD bool md5__read_file(md5__context *context, const char *path, md5__buffer *buffer)
{
    if (!path) {
        return md5__fail(context, MD5_ERROR_ARGUMENT, "no path is given");
    }
    FILE *file = md5__open_utf8_file(path);
    if (!file) {
        return md5__fail_text(context, MD5_ERROR_OPEN, "cannot open $", path);
    }

    /* With the size of the file, the buffer need not grow. But the size is only a hint: a pipe has
       no size, and a folder may report a size that does not fit into memory. One byte more lets the
       last read find the end. */
    long size = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : 0;
    if (size < 0 || (uint64_t)size > context->max_bytes || (uint64_t)size >= SIZE_MAX / 2) {
        size = 0;
    }
    rewind(file);

    md5_reader reader = { md5__read_stdio_file, file };
    bool       ok = md5__reserve_bytes(context, buffer, 1, (uint64_t)size);
    ok = ok && md5__read_stream(context, &reader, buffer);
    fclose(file);

    /* Some systems open a folder like a file, and the first read fails. */
    if (!ok && buffer->size == 0 && context->error.code == MD5_ERROR_READ) {
        md5__fail_text(context, MD5_ERROR_READ, "cannot read $: is it a folder?", path);
    }
    return ok;
}
#else
static bool md5__is_file(void *user, const char *path)
{
    (void)user;
    (void)path;
    return false;
}
#endif

/* -- Time ----------------------------------------------------------------- */

/* A step goes from one frame to the next. For example, an animation of four frames, 0 to 3, has a
   cycle of

   3 steps in MD5_ONCE        0 1 2 3
   4 steps in MD5_LOOP        0 1 2 3, and back to 0
   6 steps in MD5_PING_PONG   0 1 2 3 2 1, and back to 0 */

/* Returns the number of steps in a cycle. last_blends_into_first is false for a loop whose last
   frame repeats the first, as in many MD5 files: no step leads from the last frame to the first. */
static double md5__count_cycle_steps(uint32_t frame_count, md5_mode mode,
                                     bool last_blends_into_first)
{
    double steps = frame_count > 1 ? (double)frame_count - 1 : 0;

    switch (mode) {
    case MD5_LOOP: return last_blends_into_first && frame_count > 0 ? steps + 1 : steps;
    case MD5_PING_PONG: return 2 * steps;
    default: return steps;
    }
}

/* Returns the number of steps after some seconds at `rate` frames a second. This is any number in a
   mode that repeats its cycle, and 0 to cycle_steps in MD5_ONCE, even for an infinite time. Returns
   0 for NaN. */
static double md5__count_steps(double seconds, double rate, double cycle_steps, md5_mode mode)
{
    double steps = seconds * rate;
    bool   repeats = mode == MD5_LOOP || mode == MD5_PING_PONG;

    if (repeats) {
        return md5__is_finite(steps) ? steps : 0;
    }

    /* A caller that asks for the end, at cycle_steps / rate seconds, must get the end. Because of
       rounding, this quotient times the rate may be slightly less than cycle_steps, even in the
       longer registers of an x87. */
    if (steps >= cycle_steps * (1 - 2 * DBL_EPSILON)) {
        return cycle_steps;
    }
    return steps > 0 ? steps : 0;
}

/* Converts a result of md5__count_steps to a position in frames, counted from the first frame of
   the animation: 2.25 is a quarter of the step from frame 2 to frame 3. */
MD5__NOINLINE double md5__compute_frame_position(double steps, double cycle_steps, md5_mode mode)
{
    bool repeats = mode == MD5_LOOP || mode == MD5_PING_PONG;
    if (!repeats) {
        return steps;
    }
    if (!(cycle_steps > 0)) {
        return 0; /* a single frame has no steps */
    }

    /* Take the steps since the last whole cycle. Before the start, steps are negative, and floor
       subtracts a cycle more. Rounding may return cycle_steps itself, or a little less than 0: both
       are the start of a cycle. */
    double position = steps - cycle_steps * md5__floor(steps / cycle_steps);
    if (!(position >= 0 && position < cycle_steps)) {
        position = 0;
    }

    /* The second half of a ping-pong cycle goes backward. */
    if (mode == MD5_PING_PONG && position > cycle_steps / 2) {
        return cycle_steps - position;
    }
    return position;
}
/* [/twin: common] */

/* -- Tokens --------------------------------------------------------------- */

typedef struct md5__string {          /* part of a text, not terminated by NUL */
    const char *text;
    size_t      size;
} md5__string;

typedef struct md5__loader {
    md5__context    context;
    uint32_t        flags;
    float           scale;
    const char     *text, *end;       /* text being read, without blanks at its end */
    const char     *symbols;          /* characters that are tokens by themselves */
    bool            reads_scales;     /* true while an .md5scale is read */
    uint64_t        claimed_bytes;    /* bytes that the counts so far need at least */
    md5__buffer     buffer;           /* the file if md5.h reads it, then scratch memory */
    md5__string     anim_name;
    uint32_t        defects;          /* MD5_NO_VERSION | ... */
    const char     *joint_scales;     /* text of an .md5scale, or NULL */
    size_t          joint_scales_size; /* 0 if there is no .md5scale */
    char           *key_memory;       /* [joint_scales_size] for a key: see md5__read_key */
    size_t          joint_scales_offset; /* position in the buffer, 0 if not in it */
    size_t          text_bytes;       /* size of all texts whose reading has begun */
    md5_model      *model;            /* result of loading a model */
    md5_anim       *anim;             /* result of loading an animation */
} md5__loader;

/* Converts a C string; NULL counts as the empty text. */
static md5__string md5__string_from_text(const char *text)
{
    md5__string string;
    string.text = text ? text : "";
    string.size = strlen(string.text);
    return string;
}

/* Adds a word to a hash, which is 0 before the first word. Works like FNV-1a: xor, then multiply by
   a prime. */
static uint64_t md5__hash_word(uint64_t hash, uint32_t word)
{
    return (hash ^ word) * 0x100000001b3u;
}

/* Returns the value of a digit, and 10 or more for any other character. */
static uint32_t md5__digit_of(char c)
{
    return (uint32_t)c - '0';
}

/* Begins to read a text, without the blanks at its end. Adds its whole size to text_bytes, because
   an .md5scale is a second text. */
static void md5__begin_text(md5__loader *loader, const void *text, size_t size)
{
    loader->text = loader->end = (const char *)text;
    if (!text) {
        md5__fail(&loader->context, MD5_ERROR_ARGUMENT, "no text is given");
        return;
    }

    loader->end += size;
    loader->text_bytes += size;
    while (loader->end > loader->text && (uint8_t)loader->end[-1] <= ' ') {
        --loader->end;
    }
}

/* The functions below take a position in the text, from `text` to `end`. A function that reads or
   skips something returns the position after it. Functions named md5__read_ first skip blanks and
   comments. On failure they write the message and return NULL. Functions that read symbols, tuples
   and numbers also accept such a NULL and return it, so several calls in a row need only one check
   at the end; the other functions must not be given NULL. */

/* Returns true if a comment begins at `at`, which is before the end of the text. */
static bool md5__is_comment_start(const md5__loader *loader, const char *at)
{
    return at[0] == '/' && loader->end - at > 1 && (at[1] == '/' || at[1] == '*');
}

/* Skips the comment that starts at `at`: to the end of its line, to a star and a slash, or to the
   end of the text. Each step checks for the end, because a comment may end in any character. As
   in Doom 3, the star that opens a comment may also be the star that closes it. */
MD5__NOINLINE const char *md5__skip_comment(const md5__loader *loader, const char *at)
{
    bool ends_with_line = at[1] == '/';

    for (at += 2; at < loader->end; ++at) {
        bool is_line_end = *at == '\n' || *at == '\r';
        bool is_closed = *at == '/' && at[-1] == '*';
        if (ends_with_line ? is_line_end : is_closed) {
            return at + 1;
        }
    }
    return at;
}

/* Skips blanks and comments. Returns the start of the next token, or the end of the text. Control
   characters count as blanks. */
static inline const char *md5__find_token(const md5__loader *loader, const char *at)
{
    while (at < loader->end) {
        if ((uint8_t)*at <= ' ') {
            ++at;
        } else if (md5__is_comment_start(loader, at)) {
            at = md5__skip_comment(loader, at);
        } else {
            break;
        }
    }
    return at;
}

static bool md5__has_char(const md5__loader *loader, const char *at, char c)
{
    return at < loader->end && *at == c;
}

/* Values for loader->symbols: for .md5mesh and .md5anim, and for .md5scale, which is JSON. */
static const char md5__md5_symbols[] = "(){}", md5__json_symbols[] = "{}[],:";

/* Returns true at the end of the text and before a blank, a symbol, quotes or a comment. */
static inline bool md5__is_word_end(const md5__loader *loader, const char *at)
{
    /* Check for blanks first: NUL is a blank, and strchr would find it at the end of `symbols`. */
    if (at == loader->end || (uint8_t)*at <= ' ') {
        return true;
    }
    return strchr(loader->symbols, *at) || *at == '"' || md5__is_comment_start(loader, at);
}

static const char *md5__find_word_end(const md5__loader *loader, const char *at)
{
    while (!md5__is_word_end(loader, at)) {
        ++at;
    }
    return at;
}

/* Copies as much of the string as fits, followed by a NUL. */
static void md5__copy_string(char *out, size_t out_size, md5__string string)
{
    size_t size = string.size < out_size ? string.size : out_size - 1;

    memcpy(out, string.text, size);
    out[size] = 0;
}

/* Returns the line number of a position, from 1. Lines end in LF, CR LF or CR. */
static uint32_t md5__count_lines(const md5__loader *loader, const char *at)
{
    uint32_t line = 1;

    for (const char *p = loader->text; p < at; ++p) {
        /* CR LF counts once, at its LF. The text does not end in CR, so p[1] exists. */
        if (*p == '\n' || (*p == '\r' && p[1] != '\n')) {
            ++line;
        }
    }
    return line;
}

/* Returns the quotes that close the string that begins at `at`, which is after the opening quotes.
   Returns NULL if the string never ends. A string may extend over several lines, as in Quake. But
   if the last quotes of such a string touch a name, they open the next string, and the closing
   quotes of this string are missing. */
static const char *md5__find_closing_quotes(const md5__loader *loader, const char *at)
{
    bool has_lines = false;

    /* A string may contain any character, so each step checks for the end. In JSON, a backslash
       escapes the next character, which may be quotes. */
    while (at < loader->end && *at != '"') {
        if (*at == '\\' && loader->reads_scales && at + 1 < loader->end) {
            ++at;
        }
        has_lines = has_lines || *at == '\n' || *at == '\r';
        ++at;
    }
    if (at == loader->end) {
        return NULL;
    }

    bool touches_name = !md5__is_word_end(loader, at + 1) || md5__has_char(loader, at + 1, '"');
    return has_lines && touches_name ? NULL : at;
}

/* Returns the start of a comment that never ends, or NULL. */
MD5__COLD const char *md5__find_open_comment(const md5__loader *loader)
{
    const char *at = loader->text;
    while (at < loader->end) {
        if (md5__is_comment_start(loader, at)) {
            const char *start = at;
            at = md5__skip_comment(loader, at);
            bool is_closed = at[-1] == '/' && at[-2] == '*';
            if (start[1] == '*' && !is_closed) {
                return start;
            }
        } else if (*at == '"') { /* a string contains no comments */
            at = md5__find_closing_quotes(loader, at + 1);
            if (!at) {
                return NULL;
            }
            ++at;
        } else {
            ++at;
        }
    }
    return NULL;
}

/* Returns the word or symbol at `at`, to be shown in a message. */
static md5__string md5__get_shown_token(const md5__loader *loader, const char *at)
{
    if (at >= loader->end) {
        return md5__string_from_text("the end of the text");
    }

    md5__string token;
    token.text = at;
    token.size = (size_t)(md5__find_word_end(loader, at) - at);
    if (token.size == 0) {
        token.size = 1; /* a symbol, or quotes */
    }
    return token;
}

/* Writes the message for a mistake at a position in the text, and the line number. In the format, $
   stands for the token at the position, the first # for `number` and the second # for
   `next_number`. Always returns NULL, so that a caller can return the result. */
MD5__COLD const char *md5__fail_at_numbers(md5__loader *loader, md5_result code, const char *at,
                                           const char *format, uint64_t number,
                                           uint64_t next_number)
{
    /* A token that is missing at the end of the text may be part of a comment that never ends. */
    const char *open_comment = at == loader->end ? md5__find_open_comment(loader) : NULL;
    if (open_comment) {
        at = open_comment;
        code = MD5_ERROR_SYNTAX;
        format = "the comment that begins here never ends";
    }

    char shown[48];
    md5__copy_string(shown, sizeof shown, md5__get_shown_token(loader, at));
    md5__fail_numbers(&loader->context, code, format, shown, number, next_number);
    loader->context.error.line = md5__count_lines(loader, at);

    if (loader->reads_scales) {
        /* The mistake is in the .md5scale, which has the same name as the animation. */
        md5__copy_string(shown, sizeof shown, loader->anim_name);
        md5__append_to_message(&loader->context.error, " in ");
        md5__append_to_message(&loader->context.error, shown);
        md5__append_to_message(&loader->context.error, ".md5scale");
    }
    return NULL;
}

MD5__COLD const char *md5__fail_at(md5__loader *loader, md5_result code, const char *at,
                                   const char *format)
{
    return md5__fail_at_numbers(loader, code, at, format, 0, 0);
}

/* Fails because of an unexpected token. `expectation` names the expected token: "a number", "}". */
MD5__COLD const char *md5__fail_expected(md5__loader *loader, const char *at,
                                         const char *expectation)
{
    char   format[64];
    size_t size = md5__append_text(format, 0, sizeof format, "expected ");
    size = md5__append_text(format, size, sizeof format, expectation);
    size = md5__append_text(format, size, sizeof format, ", found $");
    format[size] = 0;
    return md5__fail_at(loader, MD5_ERROR_SYNTAX, at, format);
}

/* Returns the position after the word if the text at `at` is this word, in upper or lower case.
   Otherwise returns NULL, which is not a failure. */
static const char *md5__match_word(const md5__loader *loader, const char *at, const char *word)
{
    for (; *word; ++word, ++at) {
        if (at == loader->end || (*at != *word && md5__to_lower(*at) != md5__to_lower(*word))) {
            return NULL;
        }
    }
    return md5__is_word_end(loader, at) ? at : NULL;
}

/* Moves `at` to the position after the word if the text at `at` is this word. */
static bool md5__accept_word(const md5__loader *loader, const char **at, const char *word)
{
    const char *after = md5__match_word(loader, *at, word);

    if (!after) {
        return false;
    }
    *at = after;
    return true;
}

/* Reads a symbol. `symbol` is a string of one character, so that a message can show it. */
static const char *md5__read_symbol(md5__loader *loader, const char *at, const char *symbol)
{
    if (!at) {
        return NULL;
    }

    at = md5__find_token(loader, at);
    if (!md5__has_char(loader, at, *symbol)) {
        return md5__fail_expected(loader, at, symbol);
    }
    return at + 1;
}

static const char *md5__read_keyword(md5__loader *loader, const char *at, const char *keyword)
{
    at = md5__find_token(loader, at);
    const char *after = md5__match_word(loader, at, keyword);
    return after ? after : md5__fail_expected(loader, at, keyword);
}

/* Reads a word or a string in quotes, which may be empty. */
static const char *md5__read_string(md5__loader *loader, const char *at, md5__string *out)
{
    at = md5__find_token(loader, at);

    if (!md5__has_char(loader, at, '"')) {
        const char *after = md5__find_word_end(loader, at);
        out->text = at;
        out->size = (size_t)(after - at);
        if (out->size == 0) {
            return md5__fail_expected(loader, at, "a name");
        }
        return after;
    }

    const char *first = at + 1;
    const char *quotes = md5__find_closing_quotes(loader, first);
    if (!quotes) {
        return md5__fail_at(loader, MD5_ERROR_SYNTAX, first, "the quotes before $ never end");
    }
    out->text = first;
    out->size = (size_t)(quotes - first);
    return quotes + 1;
}

/* Reads a sign, if there is one. */
static inline const char *md5__parse_sign(const char *at, const char *end, bool *is_negative)
{
    char sign = at < end ? *at : 0;
    *is_negative = sign == '-';
    return sign == '-' || sign == '+' ? at + 1 : at;
}

/* Reads digits. Keeps the first 18 digits after leading zeros and counts the rest: a value below
   10^17, which is 1 and 17 zeros, has room for one more digit. */
static inline const char *md5__parse_digits(const char *at, const char *end, uint64_t *digits,
                                            int64_t *dropped)
{
    for (; at < end && md5__digit_of(*at) < 10; ++at) {
        if (*digits < 100000000000000000u) {
            *digits = *digits * 10 + md5__digit_of(*at);
        } else {
            ++*dropped;
        }
    }
    return at;
}

/* Reads a whole number from `least` to below `limit`. After a failure, *out is `least`. `format` is
   the message for a number out of this range: $ is the token and # is `number`. */
MD5__NOINLINE const char *md5__read_integer(md5__loader *loader, const char *at, int64_t least,
                                            int64_t limit, const char *format, uint64_t number,
                                            int64_t *out)
{
    *out = least;
    if (!at) {
        return NULL;
    }

    const char *token = md5__find_token(loader, at);
    bool        is_negative;
    const char *first_digit = md5__parse_sign(token, loader->end, &is_negative);

    /* A number with dropped digits is above all limits. */
    uint64_t digits = 0;
    int64_t  dropped = 0;
    at = md5__parse_digits(first_digit, loader->end, &digits, &dropped);
    if (at == first_digit || !md5__is_word_end(loader, at)) {
        return md5__fail_expected(loader, token, "a whole number");
    }

    int64_t value = is_negative ? -(int64_t)digits : (int64_t)digits;
    if (value < least || value >= limit) {
        return md5__fail_at_numbers(loader, MD5_ERROR_CORRUPT, token, format, number, 0);
    }
    *out = value;
    return at;
}

/* Reads an index below `limit`. After a failure, *out is 0. `format` is the message for an index
   out of range: $ is the token and # is the limit. */
static const char *md5__read_index(md5__loader *loader, const char *at, uint32_t limit,
                                   const char *format, uint32_t *out)
{
    int64_t value;
    at = md5__read_integer(loader, at, 0, limit, format, limit, &value);
    *out = (uint32_t)value;
    return at;
}

/* Reads the number of items that follow, each of which takes at least `item_bytes` of the text. A
   count that needs more text than there is fails before anything is allocated, so the size of the
   text bounds the memory. */
static const char *md5__read_count(md5__loader *loader, const char *at, uint32_t item_bytes,
                                   uint32_t *out)
{
    int64_t     value;
    const char *after = md5__read_integer(loader, at, 0, (int64_t)INT32_MAX + 1,
                                          "$ is not a possible count", 0, &value);
    if (!after) {
        return NULL;
    }

    /* The items of all counts so far, whether read yet or not, must fit into the whole text. */
    uint64_t text_bytes = (uint64_t)(loader->end - loader->text);
    loader->claimed_bytes += (uint64_t)value * item_bytes;
    if (loader->claimed_bytes > text_bytes) {
        return md5__fail_at_numbers(loader, MD5_ERROR_CORRUPT, md5__find_token(loader, at),
                                    "a count of $ is too high for a text of # bytes: cut short?",
                                    text_bytes, 0);
    }
    *out = (uint32_t)value;
    return after;
}

/* EXACTNESS OF NUMBERS. A number is read as digits * 10^exponent, computed in double, and nearly
   all callers round the result to float. These steps change the number, each by at most this part
   of its value:

       a digit after the 18th is dropped          10^-17, below 2^-56
       18 digits become a double                  2^-53
       multiplication or division by a power      2^-53 each; the powers in the table are exact
       of ten, at most 3 times

   Together the change is less than 2^-50 of the value. Two neighboring floats differ by at least
   2^-24 of their value, so rounding to float nearly always hides the change: the result is the
   float nearest to the number, as from strtof. Only for a number within 2^-50 of the middle between
   two floats can the result be the other of the two. For random numbers, the probability of this is
   at most 1 in 2^25. Rounding such numbers correctly as well would take integers of hundreds of
   bits, and no real file has needed it. */

/* The limit for each number in a text and for options.scale, so that no pose overflows. */
static const float md5__max_number = 1e9f;

/* All are exact in double: 10^22 is 2^22 * 5^22, and 5^22 has 52 bits. 10^23 is not exact. */
static const double md5__powers_of_ten[23] = {
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22
};

/* Returns digits * 10^exponent for at most 18 digits. */
static double md5__scale_by_ten(uint64_t digits, int64_t exponent)
{
    /* The digits are below 2^60 and fit into int64_t, which processors convert faster than
       uint64_t. */
    double value = (double)(int64_t)digits;

    /* This is the usual case: most numbers have a few digits after the point. */
    if (exponent <= 0 && exponent >= -22) {
        return value / md5__powers_of_ten[-exponent];
    }
    /* The value is below 10^18 * 10^-64 = 10^-46, less than half of the least float (1.4e-45). */
    if (digits == 0 || exponent < -63) {
        return 0;
    }
    /* The value is at least 10^23, above md5__max_number, so the caller reports it. */
    if (exponent > 22) {
        return (double)FLT_MAX;
    }
    if (exponent > 0) {
        return value * md5__powers_of_ten[exponent];
    }

    /* This loop runs at most twice: -63 becomes -41, then -19. */
    while (exponent < -22) {
        value /= 1e22;
        exponent += 22;
    }
    return value / md5__powers_of_ten[-exponent];
}

/* Reads the whole number after an "e". Returns NULL if there is no whole number. */
MD5__COLD const char *md5__parse_exponent(const char *at, const char *end, int64_t *exponent)
{
    bool is_negative;
    at = md5__parse_sign(at, end, &is_negative);

    /* If digits are dropped, the kept digits are enough: the number is 0 or too large. */
    uint64_t    digits = 0;
    int64_t     dropped = 0;
    const char *first = at;
    at = md5__parse_digits(at, end, &digits, &dropped);
    *exponent += is_negative ? -(int64_t)digits : (int64_t)digits;
    return at > first ? at : NULL;
}

/* Parses a decimal number as strtof does in the C locale, but without nan, inf and 0x10. Returns
   NULL if there is no number. */
static inline const char *md5__parse_number(const char *at, const char *end, double *out)
{
    bool is_negative;
    at = md5__parse_sign(at, end, &is_negative);

    /* Each digit that is dropped before the point raises the exponent. */
    uint64_t    digits = 0;
    int64_t     exponent = 0, dropped = 0;
    const char *first = at;
    at = md5__parse_digits(at, end, &digits, &exponent);
    bool has_digits = at > first;

    /* Each digit that is kept after the point lowers the exponent. */
    if (at < end && *at == '.') {
        first = ++at;
        at = md5__parse_digits(at, end, &digits, &dropped);
        exponent -= at - first - dropped;
        has_digits = has_digits || at > first;
    }
    if (!has_digits) {
        return NULL;
    }

    if (at < end && (*at == 'e' || *at == 'E')) {
        at = md5__parse_exponent(at + 1, end, &exponent);
    }

    double value = md5__scale_by_ten(digits, exponent);
    *out = is_negative ? -value : value;
    return at;
}

static inline const char *md5__read_number(md5__loader *loader, const char *at, double *out)
{
    if (!at) {
        return NULL;
    }

    const char *token = md5__find_token(loader, at);
    const char *after = md5__parse_number(token, loader->end, out);
    if (!after || !md5__is_word_end(loader, after)) {
        return md5__fail_expected(loader, token, "a number");
    }
    if ((float)*out > md5__max_number || (float)*out < -md5__max_number) {
        return md5__fail_at(loader, MD5_ERROR_CORRUPT, token,
                            "the number $ is too large: the limit is 1e9");
    }
    return after;
}

/* Reads a number and rounds it to float. *out is also set after a failure. */
MD5__NOINLINE const char *md5__read_float(md5__loader *loader, const char *at, float *out)
{
    double number = 0;
    at = md5__read_number(loader, at, &number);
    *out = (float)number;
    return at;
}

/* Reads `count` numbers in parentheses. */
MD5__NOINLINE const char *md5__read_tuple(md5__loader *loader, const char *at, double *out,
                                          uint32_t count)
{
    at = md5__read_symbol(loader, at, "(");
    for (uint32_t i = 0; i < count; ++i) {
        at = md5__read_number(loader, at, &out[i]);
    }
    return md5__read_symbol(loader, at, ")");
}

/* Skips one token, or a whole block if the token is an opening brace or, in JSON, an opening
   bracket. Braces and brackets in the block are only counted, so a brace may close a bracket. Fails
   at the end of the text, and at a string that never ends. */
static const char *md5__skip_item(md5__loader *loader, const char *at)
{
    const char *token = md5__find_token(loader, at);
    uint32_t    depth = 0;

    at = token;
    do {
        at = md5__find_token(loader, at);
        if (at == loader->end && (depth == 0 || md5__find_open_comment(loader))) {
            return md5__fail_expected(loader, at, "}");
        }
        if (at == loader->end) {
            return md5__fail_at(loader, MD5_ERROR_SYNTAX, token,
                                "the block that begins with $ never ends");
        }

        if (strchr(loader->symbols, *at)) {
            if (*at == '{' || *at == '[') {
                ++depth;
            } else if ((*at == '}' || *at == ']') && depth > 0) {
                --depth;
            }
            ++at;
        } else {
            md5__string string;
            at = md5__read_string(loader, at, &string);
        }
    } while (at && depth > 0);
    return at;
}

/* -- Quaternions and transforms ------------------------------------------- */

/* More functions of md5__f4, whose lanes are x y z w:

       splat_x(a)     x x x x; also splat_y and splat_z
       yzx(a)         y z x w
       zxy(a)         z x y w
       yxwz(a)        y x w z
       zwxy(a)        z w x y
       sum3(a, b, c)  the sum of a's four lanes in x, of b's in y, of c's in z. All variants add
                      (x + z) + (y + w), so the results have the same bits. Do not use w: it
                      differs between the variants.
       greater(a, b)  a mask for select, lane by lane; false where a or b is NaN. Only select may
                      read it: with vectors, true is all bits 1; in plain C, it is the number 1. */
#if defined(MD5__SSE2)
static md5__f4 md5__f4_splat_x(md5__f4 a)
{
    return _mm_shuffle_ps(a, a, _MM_SHUFFLE(0, 0, 0, 0));
}

static md5__f4 md5__f4_splat_y(md5__f4 a)
{
    return _mm_shuffle_ps(a, a, _MM_SHUFFLE(1, 1, 1, 1));
}

static md5__f4 md5__f4_splat_z(md5__f4 a)
{
    return _mm_shuffle_ps(a, a, _MM_SHUFFLE(2, 2, 2, 2));
}

static md5__f4 md5__f4_yzx(md5__f4 a) { return _mm_shuffle_ps(a, a, _MM_SHUFFLE(3, 0, 2, 1)); }
static md5__f4 md5__f4_zxy(md5__f4 a) { return _mm_shuffle_ps(a, a, _MM_SHUFFLE(3, 1, 0, 2)); }
static md5__f4 md5__f4_yxwz(md5__f4 a) { return _mm_shuffle_ps(a, a, _MM_SHUFFLE(2, 3, 0, 1)); }
static md5__f4 md5__f4_zwxy(md5__f4 a) { return _mm_shuffle_ps(a, a, _MM_SHUFFLE(1, 0, 3, 2)); }
static md5__f4 md5__f4_greater(md5__f4 a, md5__f4 b) { return _mm_cmpgt_ps(a, b); }

static md5__f4 md5__f4_select(md5__f4 mask, md5__f4 if_true, md5__f4 if_false)
{
    return _mm_or_ps(_mm_and_ps(mask, if_true), _mm_andnot_ps(mask, if_false));
}

static md5__f4 md5__f4_sum3(md5__f4 a, md5__f4 b, md5__f4 c)
{
    /* ab: a.x + a.z, b.x + b.z, a.y + a.w, b.y + b.w. cc: c.x + c.z, c.y + c.w, and two more. */
    md5__f4 ab = _mm_add_ps(_mm_unpacklo_ps(a, b), _mm_unpackhi_ps(a, b));
    md5__f4 cc = _mm_add_ps(c, _mm_movehl_ps(c, c));

    return _mm_add_ps(_mm_movelh_ps(ab, cc), _mm_shuffle_ps(ab, cc, _MM_SHUFFLE(1, 1, 3, 2)));
}
#elif defined(MD5__NEON)
static md5__f4 md5__f4_splat_x(md5__f4 a) { return vdupq_laneq_f32(a, 0); }
static md5__f4 md5__f4_splat_y(md5__f4 a) { return vdupq_laneq_f32(a, 1); }
static md5__f4 md5__f4_splat_z(md5__f4 a) { return vdupq_laneq_f32(a, 2); }
static md5__f4 md5__f4_yxwz(md5__f4 a) { return vrev64q_f32(a); }
static md5__f4 md5__f4_zwxy(md5__f4 a) { return vextq_f32(a, a, 2); }
static md5__f4 md5__f4_greater(md5__f4 a, md5__f4 b) { return (md5__f4)vcgtq_f32(a, b); }

static md5__f4 md5__f4_select(md5__f4 mask, md5__f4 if_true, md5__f4 if_false)
{
    return vbslq_f32((uint32x4_t)mask, if_true, if_false);
}

static md5__f4 md5__f4_yzx(md5__f4 a)
{
    md5__f4 yzwx = vextq_f32(a, a, 1);
    md5__f4 yzxx = vsetq_lane_f32(vgetq_lane_f32(a, 0), yzwx, 2);

    return vsetq_lane_f32(vgetq_lane_f32(a, 3), yzxx, 3);
}

static md5__f4 md5__f4_zxy(md5__f4 a) { return md5__f4_yzx(md5__f4_yzx(a)); }

static md5__f4 md5__f4_sum3(md5__f4 a, md5__f4 b, md5__f4 c)
{
    /* Add x + z and y + w in each vector. vpadd then adds the two sums. */
    float32x2_t aa = vadd_f32(vget_low_f32(a), vget_high_f32(a));
    float32x2_t bb = vadd_f32(vget_low_f32(b), vget_high_f32(b));
    float32x2_t cc = vadd_f32(vget_low_f32(c), vget_high_f32(c));

    return vcombine_f32(vpadd_f32(aa, bb), vpadd_f32(cc, cc));
}
#else
static md5__f4 md5__f4_splat_x(md5__f4 a) { return md5__f4_splat(a.x); }
static md5__f4 md5__f4_splat_y(md5__f4 a) { return md5__f4_splat(a.y); }
static md5__f4 md5__f4_splat_z(md5__f4 a) { return md5__f4_splat(a.z); }
static md5__f4 md5__f4_yzx(md5__f4 a) { return md5__f4_make(a.y, a.z, a.x, a.w); }
static md5__f4 md5__f4_zxy(md5__f4 a) { return md5__f4_make(a.z, a.x, a.y, a.w); }
static md5__f4 md5__f4_yxwz(md5__f4 a) { return md5__f4_make(a.y, a.x, a.w, a.z); }
static md5__f4 md5__f4_zwxy(md5__f4 a) { return md5__f4_make(a.z, a.w, a.x, a.y); }

static md5__f4 md5__f4_greater(md5__f4 a, md5__f4 b)
{
    return md5__f4_make(a.x > b.x ? 1.0f : 0.0f, a.y > b.y ? 1.0f : 0.0f, a.z > b.z ? 1.0f : 0.0f,
                        a.w > b.w ? 1.0f : 0.0f);
}

static md5__f4 md5__f4_select(md5__f4 mask, md5__f4 if_true, md5__f4 if_false)
{
    return md5__f4_make(mask.x > 0 ? if_true.x : if_false.x, mask.y > 0 ? if_true.y : if_false.y,
                        mask.z > 0 ? if_true.z : if_false.z, mask.w > 0 ? if_true.w : if_false.w);
}

static md5__f4 md5__f4_sum3(md5__f4 a, md5__f4 b, md5__f4 c)
{
    return md5__f4_make((a.x + a.z) + (a.y + a.w), (b.x + b.z) + (b.y + b.w),
                        (c.x + c.z) + (c.y + c.w), 0);
}
#endif

/* Returns a x b in the first three lanes and 0 in the fourth. The difference below is the cross
   product in the order z x y, and the last yzx sorts it. This takes three shuffles; the textbook's
   formula takes four. */
static md5__f4 md5__cross_product(md5__f4 a, md5__f4 b)
{
    md5__f4 zxy = md5__f4_sub(md5__f4_mul(a, md5__f4_yzx(b)), md5__f4_mul(md5__f4_yzx(a), b));

    return md5__f4_yzx(zxy);
}

static const md5_xform md5__identity = { { 0, 0, 0 }, 1, { 0, 0, 0, 1 } }; /* changes nothing */

/* Returns Hamilton's product a * b, which rotates by b first, then by a.

       x = aw bx + ax bw + ay bz - az by
       y = aw by - ax bz + ay bw + az bx
       z = aw bz + ax by - ay bx + az bw
       w = aw bw - ax bx - ay by - az bz

   Each column is one component of a times the components of b in a different order, with these
   signs. */
MD5__FORCE_INLINE md5__f4 md5__quat_product(const float a[4], const float b[4])
{
    static const float signs[3][4] = { { 1, -1, 1, -1 }, { 1, 1, -1, -1 }, { -1, 1, 1, -1 } };

    md5__f4 xyzw = md5__f4_load(b);
    md5__f4 zwxy = md5__f4_zwxy(xyzw);
    md5__f4 wzyx = md5__f4_yxwz(zwxy);
    md5__f4 yxwz = md5__f4_yxwz(xyzw);

    md5__f4 w_column = md5__f4_mul(md5__f4_splat(a[3]), xyzw);
    md5__f4 x_column = md5__f4_mul(md5__f4_splat(a[0]),
                                   md5__f4_mul(wzyx, md5__f4_load(signs[0])));
    md5__f4 y_column = md5__f4_mul(md5__f4_splat(a[1]),
                                   md5__f4_mul(zwxy, md5__f4_load(signs[1])));
    md5__f4 z_column = md5__f4_mul(md5__f4_splat(a[2]),
                                   md5__f4_mul(yxwz, md5__f4_load(signs[2])));
    return md5__f4_add(md5__f4_add(w_column, x_column), md5__f4_add(y_column, z_column));
}

/* Writes the product a * b. This version is not inlined, for callers that do not loop over joints.
   `out` may be a or b. */
MD5__NOINLINE void md5__quat_multiply(const float a[4], const float b[4], float out[4])
{
    md5__f4_store(out, md5__quat_product(a, b));
}

/* Writes the inverse of a unit quaternion. */
static void md5__quat_conjugate(const float q[4], float out[4])
{
    static const float signs[4] = { -1, -1, -1, 1 };

    md5__f4_store(out, md5__f4_mul(md5__f4_load(q), md5__f4_load(signs)));
}

/* Rotates the first three lanes by a unit quaternion; the fourth is unchanged. If the axis q.xyz is
   a, the result is v + w * 2(a x v) + a x 2(a x v), which is less work than q * v * conjugate(q)
   (see blog.molecular-matters.com, A faster quaternion-vector multiplication). */
static md5__f4 md5__quat_rotate(const float q[4], md5__f4 v)
{
    md5__f4 axis = md5__f4_load(q);
    md5__f4 cross = md5__cross_product(axis, v);
    md5__f4 doubled = md5__f4_add(cross, cross);

    return md5__f4_add(md5__f4_add(v, md5__f4_mul(md5__f4_splat(q[3]), doubled)),
                       md5__cross_product(axis, doubled));
}

/* Applies the child, then the parent: converts a transform relative to the parent into the space
   that the parent's transform is in. A child does not inherit scale, neither for its size nor for
   its position. `out` may be `parent` or `child`. */
MD5__FORCE_INLINE void md5__xform_product(const md5_xform *parent, const md5_xform *child,
                                          md5_xform *out)
{
    static const float xyz[4] = { 1, 1, 1, 0 };

    /* A position is loaded and stored together with the scale after it. The parent's scale is set
       to 0 and rotating keeps the child's scale, so the sum has the child's scale. */
    md5__f4 origin = md5__f4_mul(md5__f4_load(parent->position), md5__f4_load(xyz));
    md5__f4 rotated = md5__quat_rotate(parent->rotation, md5__f4_load(child->position));

    md5__f4_store(out->rotation, md5__quat_product(parent->rotation, child->rotation));
    md5__f4_store(out->position, md5__f4_add(origin, rotated));
}

/* Applies the child, then the parent. This version is not inlined, for callers that do not loop
   over joints. */
MD5__NOINLINE void md5__xform_compose(const md5_xform *parent, const md5_xform *child,
                                      md5_xform *out)
{
    md5__xform_product(parent, child, out);
}

/* Inverts md5__xform_compose: `out` is the child that md5__xform_compose combines with the parent
   `from` into `to`. `out` may be `from` or `to`. */
MD5__NOINLINE void md5__xform_delta(const md5_xform *from, const md5_xform *to, md5_xform *out)
{
    float   inverse[4];
    md5__f4 offset = md5__f4_sub(md5__f4_load(to->position), md5__f4_load(from->position));

    md5__quat_conjugate(from->rotation, inverse);
    md5__f4_store3(out->position, md5__quat_rotate(inverse, offset));
    md5__quat_multiply(inverse, to->rotation, out->rotation);
    out->scale = to->scale;
}

/* Computes the three rows of a rotation matrix times the transform's scale, with the numbers of
   `fourth` in the fourth column. The quaternion is the transform's, with its w replaced by `w`. Do
   not use rows[3].

   With the products of the quaternion doubled, so that xy is 2 * q.x * q.y, the rotation matrix is

       1 - (yy + zz)     xy - wz           xz + wy
       xy + wz           1 - (zz + xx)     yz - wx
       xz - wy           yz + wx           1 - (xx + yy)

   Its diagonal, the three sums and the three differences are one vector each. */
MD5__FORCE_INLINE void md5__compute_rotation_rows(const md5_xform *xform, float w, md5__f4 fourth,
                                                  md5__f4 rows[4])
{
    md5__f4 scale = md5__f4_splat(xform->scale), one = md5__f4_splat(1);
    md5__f4 q = md5__f4_load(xform->rotation);
    md5__f4 doubled = md5__f4_add(q, q);

    md5__f4 xx_yy_zz = md5__f4_mul(q, doubled);
    md5__f4 yz_xz_xy = md5__f4_mul(md5__f4_yzx(q), md5__f4_zxy(doubled));
    md5__f4 wx_wy_wz = md5__f4_mul(md5__f4_splat(w), doubled);

    md5__f4 diagonal = md5__f4_add(md5__f4_yzx(xx_yy_zz), md5__f4_zxy(xx_yy_zz));
    diagonal = md5__f4_mul(md5__f4_sub(one, diagonal), scale);
    md5__f4 sums = md5__f4_mul(md5__f4_add(yz_xz_xy, wx_wy_wz), scale);
    md5__f4 differences = md5__f4_mul(md5__f4_sub(yz_xz_xy, wx_wy_wz), scale);

    /* From its number on the diagonal, each row continues with a difference and then a sum, if the
       first column follows the third. So transposing the three vectors in this order gives the
       rows, each beginning at the diagonal; the shuffles at the end rotate them to begin at the
       first column. */
    rows[0] = diagonal;
    rows[1] = md5__f4_zxy(differences);
    rows[2] = md5__f4_yzx(sums);
    rows[3] = fourth;
    md5__f4_transpose(rows);

    rows[1] = md5__f4_zxy(rows[1]);
    rows[2] = md5__f4_yzx(rows[2]);
}

/* Computes the matrix of a transform as three rows of four: the rotation times the scale, and the
   position in the fourth column. Do not use rows[3]. */
MD5__FORCE_INLINE void md5__compute_matrix_rows(const md5_xform *xform, md5__f4 rows[4])
{
    md5__compute_rotation_rows(xform, xform->rotation[3], md5__f4_load(xform->position), rows);
}

/* Writes the matrix of md5__compute_matrix_rows. */
static void md5__write_matrix_rows(const md5_xform *xform, float out[12])
{
    md5__f4 rows[4];
    md5__compute_matrix_rows(xform, rows);

    md5__f4_store(out, rows[0]);
    md5__f4_store(out + 4, rows[1]);
    md5__f4_store(out + 8, rows[2]);
}

/* Computes a unit quaternion from the x y z that a file stores. In this format w is never positive;
   a positive w would rotate in the opposite direction. If rounding has made x y z longer than 1,
   they are normalized and w is 0.

   Near half a turn w is small, and 1 - length_squared keeps few digits of it. So this function
   takes x y z with all digits of the file: if they were rounded to float, the rotation would be off
   by up to 6e-4 radians. */
static void md5__quat_from_xyz(const double xyz[3], float out[4])
{
    double length_squared = xyz[0] * xyz[0] + xyz[1] * xyz[1] + xyz[2] * xyz[2];
    double w_squared = length_squared < 1 ? 1 - length_squared : 0;
    float  length = length_squared > 1 ? md5__sqrt((float)length_squared) : 1.0f;

    out[0] = (float)xyz[0] / length;
    out[1] = (float)xyz[1] / length;
    out[2] = (float)xyz[2] / length;
    out[3] = -md5__sqrt((float)w_squared);
}

static float md5__f4_x(md5__f4 a)
{
    float lanes[4];

    md5__f4_store(lanes, a);
    return lanes[0];
}

/* Normalizes a quaternion. A quaternion of length 0 is unchanged. */
static void md5__quat_normalize(float q[4])
{
    float length_squared = (q[0] * q[0] + q[1] * q[1]) + (q[2] * q[2] + q[3] * q[3]);
    if (!md5__can_normalize(length_squared)) {
        return;
    }

    float length = md5__sqrt(length_squared);
    for (uint32_t k = 0; k < 4; ++k) {
        q[k] /= length;
    }
}

/* Stores bounds. If no point was added to them, their low ends are still above their high ends, and
   the stored bounds are the origin. The fourth lanes are not used. */
static void md5__store_bounds(md5__f4 low, md5__f4 high, float min[3], float max[3])
{
    bool is_empty = md5__f4_x(low) > md5__f4_x(high);

    md5__f4_store3(min, is_empty ? md5__f4_splat(0) : low);
    md5__f4_store3(max, is_empty ? md5__f4_splat(0) : high);
}

/* -- Skinning ------------------------------------------------------------- */

/* LAYOUT OF A MESH FOR SKINNING. The position of a vertex in a pose is the sum over its weights of

       bias * matrix of the joint * position of the weight in the bind pose

   where the matrix transforms from the bind pose to the pose. All vertices of a joint share its
   matrix, so the matrices are computed first, into an array called the palette. A model may have
   any number of joints, but md5_pose_vertices only gets a pose and may not allocate. So the palette
   is on the stack and has MD5__PALETTE_SIZE slots, each with room for one matrix: 12 floats, three
   rows of four.

   While loading, md5__order_vertices sorts the vertices by the number of their weights, then by the
   joint of their first weight, and md5__plan_runs divides them into runs. All vertices of a run
   have the same number of weights. While posing, a run first adds matrices to the palette: the
   matrices of joints that its vertices need and that are not in the palette yet. Then the vertices
   of the run are skinned. If there is no room in the palette for the joints of the next vertex, a
   new run begins: its matrices are stored from slot 0 on and replace all previous matrices.

   For example, five vertices with weights of the joints 7, 8 and 9:

       vertex                     0    1    2     3     4
       joints of its weights      7    8    7 8   8 9   8

                                  run 0        run 1
       refs, by vertex            0  1  4      2      3
       matrix_offsets             0 12 12      0 12  12 24     a slot times 12
       joints                     7  8         9               added to the palette
       first_slot, joint_count    0, 2         2, 1
       the palette then           7  8         7  8  9         joint by slot

   A matrix offset is the position in the palette, in floats, at which the matrix of a weight
   begins. All of these lists store one run after the other. The weights themselves stay in the
   order of the mesh: a ref has the index of its vertex's first weight, and the other weights follow
   it. */

/* The joints of a vertex with MD5__MAX_INFLUENCES weights must fit into an empty palette. */
enum { MD5__MAX_INFLUENCES = 64, MD5__PALETTE_SIZE = 128 };

typedef struct md5__vertex_ref {      /* indices of a vertex and its first weight in the mesh */
    uint32_t vertex, first_weight;
} md5__vertex_ref;

typedef struct md5__run {             /* vertices with the same number of weights */
    uint32_t ref_count, influence_count; /* vertices, and weights per vertex */
    uint32_t joint_count, first_slot; /* joints to add to the palette, from first_slot on */
    bool     has_unit_biases;         /* each vertex has one weight, with the bias 1 */
} md5__run;

typedef struct md5__skinning {        /* a mesh, laid out for skinning */
    uint32_t        run_count;
    const md5__run *runs;             /* the fewest weights first */
    const uint32_t *joints;           /* run by run: [joint_count], to be added to the palette */
    const md5__vertex_ref *refs;      /* run by run: [ref_count], [vertex_count] in all */
    const uint16_t *matrix_offsets;   /* run by run: [ref_count][influence_count], 12 * a slot */
    const float    *scaled_weights;   /* [weight_count][4] position in the bind pose * bias, bias */
} md5__skinning;

/* Returns a row of the product of two matrices, without the first matrix's translation: the sum of
   the second matrix's rows, each times one number of the first matrix's row. */
MD5__FORCE_INLINE md5__f4 md5__multiply_row(md5__f4 row, const md5__f4 rows[3])
{
    md5__f4 x = md5__f4_mul(rows[0], md5__f4_splat_x(row));
    md5__f4 y = md5__f4_mul(rows[1], md5__f4_splat_y(row));
    md5__f4 z = md5__f4_mul(rows[2], md5__f4_splat_z(row));

    return md5__f4_add(md5__f4_add(x, y), z);
}

/* Writes the matrix that transforms a joint's vertices from the bind pose to a pose: the joint's
   matrix in the pose times the inverse of its matrix in the bind pose. */
MD5__FORCE_INLINE void md5__compute_skin_matrix(const md5_joint *joint, const md5_xform *posed,
                                                float out[12])
{
    md5__f4 inverse[3], rows[4];
    inverse[0] = md5__f4_load(joint->inverse_bind);
    inverse[1] = md5__f4_load(joint->inverse_bind + 4);
    inverse[2] = md5__f4_load(joint->inverse_bind + 8);

    md5__compute_matrix_rows(posed, rows);
    md5__f4_store(out, md5__multiply_row(rows[0], inverse));
    md5__f4_store(out + 4, md5__multiply_row(rows[1], inverse));
    md5__f4_store(out + 8, md5__multiply_row(rows[2], inverse));

    /* The fourth row of the inverse is 0 0 0 1 and is not stored, so the translation is only added
       to the fourth column. */
    out[3] += posed->position[0];
    out[7] += posed->position[1];
    out[11] += posed->position[2];
}

/* Writes `count` skin matrices, one after another: of the joints in `list`, or of the first joints
   of the model if `list` is NULL. */
static void md5__compute_palette(const md5_joint *joints, const md5_xform *pose,
                                 const uint32_t *list, uint32_t count, float *out12)
{
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t joint = list ? list[i] : i;
        md5__compute_skin_matrix(&joints[joint], &pose[joint], out12 + 12 * (size_t)i);
    }
}

typedef struct md5__matrix_rows {
    md5__f4 x, y, z;
} md5__matrix_rows;

/* Multiplies the four numbers of each row by the four factors. */
MD5__FORCE_INLINE md5__matrix_rows md5__scale_rows(const float *matrix, md5__f4 factors)
{
    md5__matrix_rows rows;
    rows.x = md5__f4_mul(md5__f4_load(matrix), factors);
    rows.y = md5__f4_mul(md5__f4_load(matrix + 4), factors);
    rows.z = md5__f4_mul(md5__f4_load(matrix + 8), factors);
    return rows;
}

MD5__FORCE_INLINE void md5__add_scaled_rows(md5__matrix_rows *sum, const float *matrix,
                                            md5__f4 factors)
{
    md5__matrix_rows rows = md5__scale_rows(matrix, factors);
    sum->x = md5__f4_add(sum->x, rows.x);
    sum->y = md5__f4_add(sum->y, rows.y);
    sum->z = md5__f4_add(sum->z, rows.z);
}

/* Returns the position of a vertex: the sum of bias * matrix * position over its weights. `offsets`
   are the positions of their matrices in `palette`; `weights` has four numbers per weight: x y z
   times the bias, and the bias. `blended`, if not NULL, receives the sum of bias * matrix, which
   rotates the normal.

   A row times a position is a sum of four products; the last is the translation times the bias.
   Each product is summed over the weights in its own lane, and the four lanes are added once, at
   the end. */
MD5__FORCE_INLINE md5__f4 md5__skin_vertex(const float *palette, const uint16_t *offsets,
                                           const float *weights, uint32_t influence_count,
                                           md5__matrix_rows *blended)
{
    md5__matrix_rows sum = md5__scale_rows(palette + offsets[0], md5__f4_load(weights));
    if (blended) {
        *blended = md5__scale_rows(palette + offsets[0], md5__f4_splat(weights[3]));
    }

    for (uint32_t i = 1; i < influence_count; ++i) {
        weights += 4;
        md5__add_scaled_rows(&sum, palette + offsets[i], md5__f4_load(weights));
        if (blended) {
            md5__add_scaled_rows(blended, palette + offsets[i], md5__f4_splat(weights[3]));
        }
    }
    return md5__f4_sum3(sum.x, sum.y, sum.z);
}

/* Four vectors "by axis" are stored in three md5__f4: x of all four, y of all four and z of all
   four. So one instruction works on four vectors. md5__f4_transpose converts from four vectors and
   back. */

/* Normalizes four vectors by axis. Returns 1 in the lane of each vector that now has length 1.
   Returns 0 in the lane of a vector whose squared length was not above both `min_length_squared`
   and FLT_MIN, or was infinite or NaN: do not use this vector. */
static md5__f4 md5__normalize_four(md5__f4 axes[3], md5__f4 min_length_squared)
{
    md5__f4 one = md5__f4_splat(1), zero = md5__f4_splat(0);
    md5__f4 squared = md5__f4_length_squared(axes);

    /* If min_length_squared is NaN, the maximum is its second operand, FLT_MIN. A vector of length
       0 must not divide by 0: the program may have enabled floating-point traps. */
    md5__f4 least = md5__f4_max(min_length_squared, md5__f4_splat(FLT_MIN));
    md5__f4 divisor = md5__f4_sqrt(md5__f4_max(squared, least));
    md5__f4 inverse_length = md5__f4_div(one, divisor);
    axes[0] = md5__f4_mul(axes[0], inverse_length);
    axes[1] = md5__f4_mul(axes[1], inverse_length);
    axes[2] = md5__f4_mul(axes[2], inverse_length);

    md5__f4 is_long_enough = md5__f4_greater(squared, least);
    md5__f4 is_too_long = md5__f4_greater(squared, md5__f4_splat(FLT_MAX));
    return md5__f4_select(is_too_long, zero, md5__f4_select(is_long_enough, one, zero));
}

/* Makes four vectors by axis perpendicular to unit normals and normalizes them (Gram-Schmidt):
   subtracts the component along the normal. Returns 1 in the lanes that succeeded, and 0 in a lane
   where at most a millionth of the squared length was left, because so little is rounding error and
   not a direction. If a little more is left, it is a direction with a large rounding error, which a
   second pass removes. */
static md5__f4 md5__orthonormalize_four(md5__f4 v[3], const md5__f4 normals[3], int passes)
{
    md5__f4 min_ratio = md5__f4_splat(1e-6f), valid = md5__f4_splat(1);
    md5__f4 min_length_squared = md5__f4_mul(md5__f4_length_squared(v), min_ratio);

    for (int pass = 0; pass < passes; ++pass) {
        md5__f4 projection = md5__f4_add(md5__f4_mul(v[0], normals[0]),
                                         md5__f4_mul(v[1], normals[1]));
        projection = md5__f4_add(projection, md5__f4_mul(v[2], normals[2]));
        v[0] = md5__f4_sub(v[0], md5__f4_mul(normals[0], projection));
        v[1] = md5__f4_sub(v[1], md5__f4_mul(normals[1], projection));
        v[2] = md5__f4_sub(v[2], md5__f4_mul(normals[2], projection));

        valid = md5__f4_mul(valid, md5__normalize_four(v, min_length_squared));
        min_length_squared = min_ratio; /* the vectors now have length 1 */
    }
    return valid;
}

/* Replaces the tangents whose lane of `valid` is 0: takes the axis x, y or z that is farthest from
   the normal and makes it a unit vector perpendicular to the normal. All vectors are given by
   axis. */
static void md5__replace_lost_tangents(md5__f4 tangents[3], const md5__f4 normals[3], md5__f4 valid)
{
    md5__f4 one = md5__f4_splat(1), zero = md5__f4_splat(0);
    float   is_valid[4];

    /* Usually no tangent is lost. */
    md5__f4_store(is_valid, valid);
    if (is_valid[0] > 0 && is_valid[1] > 0 && is_valid[2] > 0 && is_valid[3] > 0) {
        return;
    }

    /* The farthest axis is the axis along which the normal has the smallest component: z if its
       component is smaller than both others; otherwise the smaller of x and y, and x if they are
       equal. */
    md5__f4 x_squared = md5__f4_mul(normals[0], normals[0]);
    md5__f4 y_squared = md5__f4_mul(normals[1], normals[1]);
    md5__f4 z_squared = md5__f4_mul(normals[2], normals[2]);
    md5__f4 y_wins = md5__f4_greater(x_squared, y_squared);
    md5__f4 z_wins = md5__f4_greater(md5__f4_min(x_squared, y_squared), z_squared);

    md5__f4 axes[3];
    axes[0] = md5__f4_select(z_wins, zero, md5__f4_select(y_wins, zero, one));
    axes[1] = md5__f4_select(z_wins, zero, md5__f4_select(y_wins, one, zero));
    axes[2] = md5__f4_select(z_wins, one, zero);
    md5__orthonormalize_four(axes, normals, 2);

    md5__f4 is_kept = md5__f4_greater(valid, zero);
    tangents[0] = md5__f4_select(is_kept, tangents[0], axes[0]);
    tangents[1] = md5__f4_select(is_kept, tangents[1], axes[1]);
    tangents[2] = md5__f4_select(is_kept, tangents[2], axes[2]);
}

/* Makes four tangents unit vectors perpendicular to unit normals. The tangents are given as four
   vectors x y z w, the normals by axis. */
static void md5__straighten_four_tangents(md5__f4 tangents[4], const md5__f4 normals[3],
                                          int passes)
{
    md5__f4_transpose(tangents);
    md5__f4 valid = md5__orthonormalize_four(tangents, normals, passes);
    md5__replace_lost_tangents(tangents, normals, valid);
    md5__f4_transpose(tangents);
}

typedef struct md5__skinner {         /* a mesh in a pose */
    const md5_vertex      *vertices;  /* of the mesh, in the bind pose */
    const float           *weights;   /* scaled_weights of the mesh */
    const md5__vertex_ref *refs;      /* refs of the current run */
    const uint16_t        *matrix_offsets; /* offsets of the current run */
    const float           *palette;
    uint8_t *positions, *normals, *tangents; /* output; each may be NULL */
    size_t   position_stride, normal_stride, tangent_stride; /* in bytes */
    md5__f4  min, max;                /* bounds so far, if there is no output */
} md5__skinner;

/* Writes the positions of a run's vertices. */
static void md5__skin_positions(const md5__skinner *skinner, const md5__run *run)
{
    const md5__vertex_ref *ref = skinner->refs, *end = ref + run->ref_count;
    uint32_t               influence_count = run->influence_count;
    const uint16_t        *offsets = skinner->matrix_offsets;
    const float           *weights = skinner->weights, *palette = skinner->palette;
    uint8_t               *out = skinner->positions;
    size_t                 stride = skinner->position_stride;

    for (; ref < end; ++ref, offsets += influence_count) {
        md5__f4 position = md5__skin_vertex(palette, offsets,
                                            weights + 4 * (size_t)ref->first_weight,
                                            influence_count, NULL);
        md5__f4_store3(out + ref->vertex * stride, position);
    }
}

/* Adds the positions of a run's vertices to the bounds, without writing positions. */
static void md5__add_run_to_bounds(md5__skinner *skinner, const md5__run *run)
{
    const uint16_t *offsets = skinner->matrix_offsets;
    md5__f4         min = skinner->min, max = skinner->max;

    for (uint32_t i = 0; i < run->ref_count; ++i, offsets += run->influence_count) {
        const float *weights = skinner->weights + 4 * (size_t)skinner->refs[i].first_weight;
        md5__f4      position = md5__skin_vertex(skinner->palette, offsets, weights,
                                                 run->influence_count, NULL);
        min = md5__f4_min(position, min);
        max = md5__f4_max(position, max);
    }
    skinner->min = min;
    skinner->max = max;
}

/* Rotates a direction by a matrix, without its translation. The number after the direction in
   memory is loaded as well and multiplied by 0. */
static inline md5__f4 md5__rotate_direction(const md5__matrix_rows *matrix, const float *direction)
{
    static const float xyz[4] = { 1, 1, 1, 0 };
    md5__f4            v = md5__f4_mul(md5__f4_load(direction), md5__f4_load(xyz));

    return md5__f4_sum3(md5__f4_mul(matrix->x, v), md5__f4_mul(matrix->y, v),
                        md5__f4_mul(matrix->z, v));
}

/* Writes the normal and the tangent, if requested. The sign in tangent[3] is copied from the bind
   pose. */
static inline void md5__write_directions(const md5__skinner *skinner, uint32_t vertex,
                                         md5__f4 normal, md5__f4 tangent)
{
    if (skinner->normals) {
        md5__f4_store3(skinner->normals + vertex * skinner->normal_stride, normal);
    }
    if (skinner->tangents) {
        uint8_t *out = skinner->tangents + vertex * skinner->tangent_stride;
        md5__f4_store3(out, tangent);
        memcpy(out + 3 * sizeof(float), &skinner->vertices[vertex].tangent[3], sizeof(float));
    }
}

/* Returns matrix * v + translation for a matrix given by its columns. Adds in the order of
   md5__f4_sum3, so positions have the same bits as the positions of md5__skin_vertex. */
MD5__FORCE_INLINE md5__f4 md5__transform_by_columns(const md5__f4 columns[3], md5__f4 translation,
                                                    const float *v)
{
    md5__f4 x = md5__f4_mul(md5__f4_splat(v[0]), columns[0]);
    md5__f4 y = md5__f4_mul(md5__f4_splat(v[1]), columns[1]);
    md5__f4 z = md5__f4_mul(md5__f4_splat(v[2]), columns[2]);

    return md5__f4_add(md5__f4_add(x, z), md5__f4_add(y, translation));
}

/* Skins a run of vertices that have one weight of bias 1: a single matrix transforms each vertex
   from the bind pose. Directions, if requested, are rotated and not normalized: see
   md5__keeps_length. This saves a third of the instructions for a typical mesh. */
MD5__FORCE_INLINE void md5__skin_rigidly(const md5__skinner *mesh, uint32_t ref_count,
                                         bool has_directions)
{
    /* Work on a copy: the compiler can then prove that no write below changes it, and does not read
       it again after each write. This saves 4 % of the instructions. */
    md5__skinner skinner = *mesh;
    md5__f4      columns[4], zero = md5__f4_splat(0);
    uint32_t     i = 0;

    while (i < ref_count) {
        /* The vertices are sorted by joint, so a matrix is loaded once for many vertices. */
        uint32_t     offset = skinner.matrix_offsets[i];
        const float *matrix = skinner.palette + offset;
        columns[0] = md5__f4_load(matrix);
        columns[1] = md5__f4_load(matrix + 4);
        columns[2] = md5__f4_load(matrix + 8);
        columns[3] = zero;
        md5__f4_transpose(columns);

        for (; i < ref_count && skinner.matrix_offsets[i] == offset; ++i) {
            uint32_t          vertex = skinner.refs[i].vertex;
            const md5_vertex *bind = &skinner.vertices[vertex];
            if (skinner.positions) {
                md5__f4_store3(skinner.positions + vertex * skinner.position_stride,
                               md5__transform_by_columns(columns, columns[3], bind->position));
            }
            if (has_directions) {
                md5__write_directions(&skinner, vertex,
                                      md5__transform_by_columns(columns, zero, bind->normal),
                                      md5__transform_by_columns(columns, zero, bind->tangent));
            }
        }
    }
}

/* Number of vertices in a block, a multiple of four. Each step processes the whole block before the
   next step begins, so that the processor can start on a group of four while it still computes the
   square root and the division of the previous groups. Blocks of four take 40 % longer. */
enum { MD5__BLOCK = 32 };

typedef struct md5__directions {      /* normals and tangents of a block, in a pose */
    md5__f4 normals[MD5__BLOCK], tangents[MD5__BLOCK];
    float   is_valid[MD5__BLOCK];     /* 0 if the normal has no length */
} md5__directions;

/* Writes the positions of the first `count` vertices, if requested. Their directions, rotated by
   the blended matrix and not normalized, are stored in the block. */
static void md5__blend_block(const md5__skinner *skinner, uint32_t count,
                             uint32_t influence_count, md5__directions *block)
{
    const uint16_t *offsets = skinner->matrix_offsets;

    for (uint32_t i = 0; i < count; ++i, offsets += influence_count) {
        uint32_t          vertex = skinner->refs[i].vertex;
        const md5_vertex *bind = &skinner->vertices[vertex];
        const float      *weights = skinner->weights + 4 * (size_t)skinner->refs[i].first_weight;
        md5__matrix_rows  blended;
        md5__f4           position = md5__skin_vertex(skinner->palette, offsets, weights,
                                                      influence_count, &blended);

        block->normals[i] = md5__rotate_direction(&blended, bind->normal);
        if (skinner->tangents) {
            block->tangents[i] = md5__rotate_direction(&blended, bind->tangent);
        }
        if (skinner->positions) {
            md5__f4_store3(skinner->positions + vertex * skinner->position_stride, position);
        }
    }
}

/* Makes the directions of a block perpendicular unit vectors, four at a time. The entries between
   `count` and the next multiple of four are left from an earlier block, or 0, and are not used. */
static void md5__normalize_block(md5__directions *block, uint32_t count, bool has_tangents)
{
    /* A normal is lost if its length, which was 1, is now at most a thousandth. */
    md5__f4 min_length_squared = md5__f4_splat(1e-6f);
    for (uint32_t i = 0; i < count; i += 4) {
        md5__f4_transpose(block->normals + i);
        md5__f4_store(block->is_valid + i,
                      md5__normalize_four(block->normals + i, min_length_squared));
    }

    for (uint32_t i = 0; i < count; i += 4) {
        if (has_tangents) {
            md5__straighten_four_tangents(block->tangents + i, block->normals + i, 1);
        }
        md5__f4_transpose(block->normals + i);
    }
}

/* Writes the directions of the first `count` vertices. If the blend has canceled a normal, because
   biases cancel or joints rotate in opposite directions, the vertex gets its normal and tangent of
   the bind pose, as in the vertex shader. */
static void md5__write_block(const md5__skinner *skinner, uint32_t count,
                             const md5__directions *block)
{
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t          vertex = skinner->refs[i].vertex;
        const md5_vertex *bind = &skinner->vertices[vertex];
        md5__f4           normal = block->normals[i], tangent = block->tangents[i];

        if (!(block->is_valid[i] > 0)) {
            normal = md5__f4_load(bind->normal);
            tangent = md5__f4_load(bind->tangent);
        }
        md5__write_directions(skinner, vertex, normal, tangent);
    }
}

/* Skins a run whose normals and tangents must be normalized, block by block. */
static void md5__skin_directions(const md5__skinner *mesh, const md5__run *run)
{
    md5__skinner    skinner = *mesh; /* advances through the run */
    md5__directions block;
    uint32_t        remaining = run->ref_count;

    memset(&block, 0, sizeof block);
    while (remaining > 0) {
        uint32_t count = remaining < MD5__BLOCK ? remaining : (uint32_t)MD5__BLOCK;
        md5__blend_block(&skinner, count, run->influence_count, &block);
        md5__normalize_block(&block, count, skinner.tangents != NULL);
        md5__write_block(&skinner, count, &block);

        skinner.refs += count;
        skinner.matrix_offsets += (size_t)count * run->influence_count;
        remaining -= count;
    }
}

/* Returns true if normals and tangents keep their length: each vertex of the run has one weight of
   bias 1, of a joint with scale 1. `joints` are the joints that the run adds to the palette. These
   are all joints of the run, because runs with one weight come first, and each of them begins with
   an empty palette. */
static bool md5__keeps_length(const md5__run *run, const uint32_t *joints, const md5_xform *pose)
{
    if (!run->has_unit_biases) {
        return false;
    }
    for (uint32_t i = 0; i < run->joint_count; ++i) {
        if (pose[joints[i]].scale != 1) {
            return false;
        }
    }
    return true;
}

/* Skins one run, whose matrices are in the palette. If there is no output, updates the bounds. */
static void md5__skin_run(md5__skinner *skinner, const md5__run *run, const uint32_t *joints,
                          const md5_xform *pose)
{
    bool has_directions = skinner->normals || skinner->tangents;

    if (has_directions && md5__keeps_length(run, joints, pose)) {
        md5__skin_rigidly(skinner, run->ref_count, true);
        return;
    }
    if (has_directions) {
        md5__skin_directions(skinner, run);
        return;
    }
    if (!skinner->positions) {
        md5__add_run_to_bounds(skinner, run);
        return;
    }
    if (run->has_unit_biases) {
        md5__skin_rigidly(skinner, run->ref_count, false);
        return;
    }

    md5__skin_positions(skinner, run);
}

/* Skins a mesh, run by run: see LAYOUT OF A MESH FOR SKINNING. The caller has set the output of the
   skinner, or its bounds. */
static void md5__skin_mesh(md5__skinner *skinner, const md5_model *model, const md5_mesh *mesh,
                           const md5_xform *pose)
{
    const md5__skinning *skinning = (const md5__skinning *)mesh->private_data.skinning;
    const uint32_t      *joints = skinning->joints;
    float                palette[12 * MD5__PALETTE_SIZE];

    skinner->palette = palette;
    skinner->vertices = mesh->vertices;
    skinner->weights = skinning->scaled_weights;
    skinner->refs = skinning->refs;
    skinner->matrix_offsets = skinning->matrix_offsets;

    for (uint32_t i = 0; i < skinning->run_count; ++i) {
        const md5__run *run = &skinning->runs[i];
        md5__compute_palette(model->joints, pose, joints, run->joint_count,
                             palette + 12 * (size_t)run->first_slot);
        md5__skin_run(skinner, run, joints, pose);

        /* Advance to the lists of the next run. */
        joints += run->joint_count;
        skinner->refs += run->ref_count;
        skinner->matrix_offsets += (size_t)run->ref_count * run->influence_count;
    }
}

/* -- Loading: the text ---------------------------------------------------- */

/* One pass over the text converts its meshes to lists in scratch memory. Only then is the size of
   the model's block known: the block is allocated, and the lists are copied into it. */

enum {
    MD5__MAX_FRAMES = 65536,

    /* These are the smallest sizes of items in the text. A count that needs more than the text
       fails before memory is reserved for it. */
    MD5__JOINT_BYTES = 17,            /* ""0(0 0 0)(0 0 0) */
    MD5__MESH_BYTES = 16,             /* mesh{numverts 0} */
    MD5__HIERARCHY_BYTES = 20,        /* one joint, in hierarchy and baseframe */
    MD5__FRAME_BYTES = 9,             /* frame 0{} */

    MD5__USUAL_FRAME_BYTES = 8 << 20  /* 1,000 frames of 262 joints */
};

typedef struct md5__vertex_text {     /* vertex in the text */
    uint32_t first_weight;            /* must be the first field: see md5__read_list */
    uint32_t weight_count;
    float    uv[2];
} md5__vertex_text;

enum { MD5__VERTICES, MD5__TRIANGLES, MD5__WEIGHTS, MD5__LIST_COUNT };

static const struct {                 /* lists of a mesh */
    char     count_keyword[12], item_keyword[8];
    uint32_t text_bytes;              /* size of the shortest item in the text, shown below */
    uint32_t item_bytes;              /* size of an item in scratch memory */
    char     range_message[44], twice_message[28];
} md5__lists[MD5__LIST_COUNT] = {
    /* "vert 0(0 0)0 1 " */
    { "numverts", "vert", 15, sizeof(md5__vertex_text), "vertex $ is out of range: there are #",
      "vertex # is given twice" },
    /* "tri 0 0 0 0 " */
    { "numtris", "tri", 12, 3 * sizeof(uint32_t), "triangle $ is out of range: there are #",
      "triangle # is given twice" },
    /* "weight 0 0 0(0 0 0)" */
    { "numweights", "weight", 19, sizeof(md5_weight), "weight $ is out of range: there are #",
      "weight # is given twice" }
};

typedef struct md5__mesh_text {       /* mesh in the text */
    md5__string shader;
    uint32_t    counts[MD5__LIST_COUNT]; /* items in each list */
    bool        has_loose_vertices;   /* vertices without weights, which get a weight of joint 0 */
    uint64_t    influence_count;      /* sum of weight_count, at least 1 each */
    void       *lists[MD5__LIST_COUNT]; /* scratch memory; NULL if not in the text */
} md5__mesh_text;

typedef struct md5__model_text {      /* model in the text */
    uint32_t        joint_count;      /* numJoints */
    uint32_t        mesh_count;       /* read so far */
    uint32_t        announced_meshes; /* numMeshes; UINT32_MAX = not found */
    size_t          commandline;      /* offset of the note; 0 = not found */
    size_t          joint_list;       /* offset of the brace before the joints; 0 = not found */
    uint64_t        string_bytes;     /* names and shaders, each with a NUL */
    int32_t        *parents;          /* [joint_count] in scratch memory */
    uint32_t       *numbers;          /* [joint_count] indices in the model: see JOINTS IN ORDER */
    md5__mesh_text *meshes;           /* scratch memory; NULL before the first list */
    uint8_t        *next_list;        /* memory for the next list */
} md5__model_text;

/* Returns `bytes` of scratch memory, or NULL. If the loader has read the text into its buffer,
   scratch memory follows the text. Growing the buffer moves both, and `at` is moved with the text.
   If the text is not in the buffer, `at` may be NULL. */
static uint8_t *md5__reserve_scratch(md5__loader *loader, uint64_t bytes, const char **at)
{
    bool   text_may_move = at && loader->buffer.size > 0;
    size_t offset = text_may_move ? (size_t)(*at - loader->text) : 0;
    size_t text_size = text_may_move ? (size_t)(loader->end - loader->text) : 0;

    /* Up to 15 more bytes align the memory after the text to 16. */
    if (!md5__reserve_bytes(&loader->context, &loader->buffer, bytes + 15, 0)) {
        return NULL;
    }

    if (text_may_move) {
        loader->text = (const char *)loader->buffer.data;
        loader->end = loader->text + text_size;
        *at = loader->text + offset;
    }
    return loader->buffer.data + (loader->buffer.size + 15) / 16 * 16;
}

/* Keywords outside all blocks that identify other file types. */
static const struct {
    char       keyword[12];
    md5_result code;
    char       message[64];
} md5__foreign_keywords[] = {
    { "numbones", MD5_ERROR_VERSION, "$: Doom 3's alpha format is not supported" },
    { "bone", MD5_ERROR_VERSION, "$: Doom 3's alpha format is not supported" },
    { "numchannels", MD5_ERROR_VERSION, "$: Doom 3's alpha format is not supported" },
    { "channel", MD5_ERROR_VERSION, "$: Doom 3's alpha format is not supported" },
    { "numCuts", MD5_ERROR_SYNTAX, "$: this is a camera, not a model or an animation" },
    { "hierarchy", MD5_ERROR_SYNTAX, "$: this is an animation, not a model" },
    { "joints", MD5_ERROR_SYNTAX, "$: this is a model, not an animation" }
};

/* Skips an unknown keyword, or fails if it identifies another file type. Values after the keyword
   are skipped as unknown items. */
static const char *md5__skip_unknown_item(md5__loader *loader, const char *at)
{
    for (size_t i = 0; i < sizeof md5__foreign_keywords / sizeof md5__foreign_keywords[0]; ++i) {
        if (md5__match_word(loader, at, md5__foreign_keywords[i].keyword)) {
            return md5__fail_at(loader, md5__foreign_keywords[i].code, at,
                                md5__foreign_keywords[i].message);
        }
    }
    return md5__skip_item(loader, at);
}

/* Returns the first token. Some editors begin a file with UTF-8's byte order mark, which is
   skipped. */
static const char *md5__find_first_token(const md5__loader *loader)
{
    const char *at = loader->text;
    if (loader->end - at >= 3 && memcmp(at, "\xEF\xBB\xBF", 3) == 0) {
        at += 3;
    }
    return md5__find_token(loader, at);
}

/* Reads the first line, "MD5Version 10". */
static const char *md5__read_version(md5__loader *loader)
{
    const char *at = md5__find_first_token(loader);

    /* A text that begins with a later keyword is only missing its version line, so it is
       accepted. */
    if (md5__match_word(loader, at, "commandline") || md5__match_word(loader, at, "numJoints") ||
        md5__match_word(loader, at, "numFrames")) {
        loader->defects = MD5_NO_VERSION;
        return at;
    }
    if (!md5__accept_word(loader, &at, "MD5Version")) {
        return md5__fail_at(loader, MD5_ERROR_NOT_MD5, at,
                            "not an MD5: it begins with $ instead of MD5Version");
    }

    /* There are no limits, so there is no message for a number out of range. */
    int64_t     version;
    const char *after = md5__read_integer(loader, at, INT64_MIN, INT64_MAX, NULL, 0, &version);
    if (!after) {
        return NULL;
    }
    if (version < 10 || version > 12) {
        return md5__fail_at(loader, MD5_ERROR_VERSION, md5__find_token(loader, at),
                            version == 6 ? "MD5Version $ is from Doom 3's alpha, not 10, 11 or 12"
                                         : "MD5Version $ is not 10, 11 or 12");
    }
    return after;
}

/* Skips any number of tuples, such as the normal and the color that versions 11 and 12 append to
   each vertex. */
static const char *md5__skip_tuples(md5__loader *loader, const char *at)
{
    bool is_inside = false; /* between "(" and ")" */
    while (at) {
        at = md5__find_token(loader, at);
        if (at == loader->end || (!is_inside && *at != '(')) {
            break;
        }
        is_inside = *at != ')';
        at = md5__skip_item(loader, at);
    }
    return at;
}

/* JOINTS IN ORDER. A file may list a joint before its parent. While its text is read, joints keep
   the indices of the text, also in weights. The model or the animation has new indices, in which
   parents come before their children. The new indices depend only on the parents, so a model and
   its animations get the same ones. If the text is in order, its indices do not change. */

/* Numbers the joints in the order of the text. Ancestors that have no number yet are numbered
   before their descendants. So joint 0 is the root of the text's joint 0. Returns MD5__NONE, or a
   joint that is its own ancestor. */
static uint32_t md5__number_joints(const int32_t *parents, uint32_t count, uint32_t *numbers)
{
    uint32_t numbered = 0;

    md5__clear_indices(numbers, count);
    for (uint32_t i = 0; i < count; ++i) {
        /* Walk up to a root, or to a joint that has a number. */
        uint32_t length = 0;
        for (int32_t k = (int32_t)i; k >= 0 && numbers[k] == MD5__NONE; k = parents[k]) {
            if (length == count) {
                return (uint32_t)k;
            }
            ++length;
        }

        numbered += length;
        uint32_t number = numbered;
        for (int32_t k = (int32_t)i; k >= 0 && numbers[k] == MD5__NONE; k = parents[k]) {
            numbers[k] = --number;
        }
    }
    return MD5__NONE;
}

/* Returns the new index of a parent. */
static int32_t md5__renumber_parent(const uint32_t *numbers, int32_t parent)
{
    return parent >= 0 ? (int32_t)numbers[parent] : -1;
}

/* Reads a parent: -1, or the index of any joint. */
static const char *md5__read_parent_index(md5__loader *loader, const char *at, uint32_t joint,
                                          uint32_t joint_count, int32_t *out)
{
    int64_t parent;
    at = md5__read_integer(loader, at, -1, joint_count,
                           "joint # has the parent $, which does not exist", joint, &parent);
    *out = (int32_t)parent;
    return at;
}

/* Checks that a list of joints does not end before this joint. */
static const char *md5__check_joint_is_listed(md5__loader *loader, const char *at, uint32_t joint,
                                              uint32_t joint_count)
{
    at = md5__find_token(loader, at);
    if (md5__has_char(loader, at, '}')) {
        return md5__fail_at_numbers(loader, MD5_ERROR_SYNTAX, at,
                                    "numJoints is #, but the list ends after #", joint_count,
                                    joint);
    }
    return at;
}

/* Fails with the line of a joint that is its own ancestor. `list` is the position of the brace
   before a list that has been read. In each line of the list, `item_count` items come before any
   tuples. */
MD5__COLD const char *md5__fail_joint_loop(md5__loader *loader, const char *list,
                                           uint32_t item_count, uint32_t joint)
{
    const char *at = md5__read_symbol(loader, list, "{");
    for (uint32_t i = 0; i < joint; ++i) {
        for (uint32_t k = 0; k < item_count; ++k) {
            at = md5__skip_item(loader, at);
        }
        at = md5__skip_tuples(loader, at);
    }
    return md5__fail_at_numbers(loader, MD5_ERROR_CORRUPT, md5__find_token(loader, at),
                                "joint # is its own ancestor", joint, 0);
}

typedef struct md5__joint_line {
    md5__string name;
    int32_t     parent;
    double      position[3], rotation[3]; /* model space; x y z of a unit quaternion */
} md5__joint_line;

/* Reads a line such as "hand" 4 ( 0 12 30 ) ( 0 0 0.7 ). */
static const char *md5__read_joint_line(md5__loader *loader, const char *at, uint32_t joint,
                                        uint32_t joint_count, md5__joint_line *out)
{
    at = md5__read_string(loader, at, &out->name);
    at = md5__read_parent_index(loader, at, joint, joint_count, &out->parent);
    at = md5__read_tuple(loader, at, out->position, 3);
    return md5__read_tuple(loader, at, out->rotation, 3);
}

/* Checks the list of joints, which begins at its keyword, numbers the joints, and adds up the bytes
   of their names. md5__fill_joints reads the list again after a block is allocated. */
static const char *md5__read_joints(md5__loader *loader, const char *at, md5__model_text *text)
{
    if (text->joint_list) {
        return md5__fail_at(loader, MD5_ERROR_SYNTAX, at, "a second list of $");
    }
    if (text->joint_count == 0) {
        return md5__fail_at(loader, MD5_ERROR_SYNTAX, at,
                            "$ needs a numJoints of 1 or more before the first list");
    }

    uint32_t count = text->joint_count;
    text->parents = (int32_t *)(void *)text->next_list;
    text->numbers = (uint32_t *)(void *)(text->next_list + count * sizeof *text->parents);
    text->next_list += count * (sizeof *text->parents + sizeof *text->numbers);

    md5__accept_word(loader, &at, "joints");
    const char *list = at;
    text->joint_list = (size_t)(list - loader->text);
    at = md5__read_symbol(loader, at, "{");
    for (uint32_t i = 0; at && i < count; ++i) {
        md5__joint_line line;
        at = md5__check_joint_is_listed(loader, at, i, count);
        if (!at) {
            return NULL;
        }
        at = md5__read_joint_line(loader, at, i, count, &line);
        text->parents[i] = line.parent;
        text->string_bytes += line.name.size + 1;
    }

    at = md5__read_symbol(loader, at, "}");
    if (!at) {
        return NULL;
    }

    uint32_t looped = md5__number_joints(text->parents, count, text->numbers);
    if (looped != MD5__NONE) {
        return md5__fail_joint_loop(loader, list, 2, looped); /* the name and the parent */
    }
    return at;
}

/* Copies a string and a NUL to the cursor, and moves the cursor after the NUL. */
static const char *md5__store_string(char **cursor, md5__string string)
{
    char *text = *cursor;
    memcpy(text, string.text, string.size);
    text[string.size] = 0;
    *cursor += string.size + 1;
    return text;
}

/* Scales a vector and converts its axes. Files have X forward, Y left, Z up. With MD5_Y_UP the
   file's X becomes z, its Y becomes x and its Z becomes y: Z forward, X left, Y up. */
static void md5__convert_axes(const md5__loader *loader, const double in[3], float scale,
                              float out[3])
{
    if (loader->flags & MD5_Y_UP) {
        out[0] = (float)in[1] * scale;
        out[1] = (float)in[2] * scale;
        out[2] = (float)in[0] * scale;
    } else {
        out[0] = (float)in[0] * scale;
        out[1] = (float)in[1] * scale;
        out[2] = (float)in[2] * scale;
    }
}

/* Converts the position and the rotation of a joint to the loaded axes and scale. x y z of a
   quaternion are along the rotation axis: they change with the axes, but not with the scale. */
static void md5__convert_joint(const md5__loader *loader, const double position[3],
                               const double rotation[3], md5_xform *out)
{
    float unit[4];
    md5__quat_from_xyz(rotation, unit);

    double axis[3] = { (double)unit[0], (double)unit[1], (double)unit[2] };
    md5__convert_axes(loader, axis, 1, out->rotation);
    md5__convert_axes(loader, position, loader->scale, out->position);
    out->rotation[3] = unit[3];
    out->scale = 1;
}

/* Reads the line "vert 7 ( 0.5 0.25 ) 12 3" after its index: u, v, the first weight and the number
   of weights. */
static const char *md5__read_vertex(md5__loader *loader, const char *at, md5__vertex_text *out)
{
    double uv[2] = { 0, 0 };
    at = md5__read_tuple(loader, at, uv, 2);
    out->uv[0] = (float)uv[0];
    out->uv[1] = (float)uv[1];
    at = md5__read_index(loader, at, INT32_MAX, "$ is not a possible first weight",
                         &out->first_weight);

    at = md5__read_index(loader, at, MD5__MAX_INFLUENCES + 1,
                         "a vertex has $ weights: at most 64 are possible", &out->weight_count);
    return md5__skip_tuples(loader, at);
}

/* Reads the line "tri 4 0 1 2" after its index: three vertices. */
static const char *md5__read_triangle(md5__loader *loader, const char *at, uint32_t vertex_count,
                                      uint32_t *out)
{
    for (uint32_t k = 0; k < 3; ++k) {
        at = md5__read_index(loader, at, vertex_count,
                             "a triangle has vertex $, but the mesh has # vertices", &out[k]);
    }

    /* The file's triangles are clockwise seen from outside. Exchanging two vertices makes them
       counterclockwise. */
    if (!(loader->flags & MD5_KEEP_WINDING)) {
        uint32_t second = out[1];
        out[1] = out[2];
        out[2] = second;
    }
    return at;
}

/* Reads the line "weight 9 4 0.75 ( 1 0 2 )" after its index: the joint, the bias and the position
   relative to the joint. */
static const char *md5__read_weight(md5__loader *loader, const char *at, uint32_t joint_count,
                                    md5_weight *out)
{
    double position[3];
    at = md5__read_index(loader, at, joint_count,
                         "a weight has joint $, but the model has # joints", &out->joint);
    at = md5__read_float(loader, at, &out->bias);
    at = md5__read_tuple(loader, at, position, 3);
    if (at) {
        md5__convert_axes(loader, position, loader->scale, out->position);
    }
    return at;
}

/* Reads one list of a mesh from its count on, such as "2 tri 0 0 1 2 tri 1 2 1 3". Items may be in
   any order. There are as many items as indices, and no index may appear twice, so no item can be
   missing. */
static const char *md5__read_list(md5__loader *loader, const char *at, uint32_t kind,
                                  md5__model_text *text, md5__mesh_text *mesh)
{
    uint8_t *items = text->next_list;
    uint32_t item_bytes = md5__lists[kind].item_bytes;
    uint32_t count = 0;

    at = md5__read_count(loader, at, md5__lists[kind].text_bytes, &count);
    if (!at) {
        return NULL;
    }

    /* The first field of an item is the index of a weight, a vertex or a joint, and is never
       MD5__NONE. So MD5__NONE marks the items that have not been read yet. */
    memset(items, 0xff, (size_t)count * item_bytes);

    for (uint32_t i = 0; i < count; ++i) {
        uint32_t index = 0;
        at = md5__read_keyword(loader, at, md5__lists[kind].item_keyword);
        at = md5__read_index(loader, at, count, md5__lists[kind].range_message, &index);
        if (!at) {
            return NULL;
        }

        void *item = items + (size_t)index * item_bytes;
        if (*(uint32_t *)item != MD5__NONE) {
            return md5__fail_at_numbers(loader, MD5_ERROR_CORRUPT, at,
                                        md5__lists[kind].twice_message, index, 0);
        }

        if (kind == MD5__VERTICES) {
            at = md5__read_vertex(loader, at, (md5__vertex_text *)item);
        } else if (kind == MD5__TRIANGLES) {
            at = md5__read_triangle(loader, at, mesh->counts[MD5__VERTICES], (uint32_t *)item);
        } else {
            at = md5__read_weight(loader, at, text->joint_count, (md5_weight *)item);
        }
        if (!at) {
            return NULL;
        }
    }

    mesh->counts[kind] = count;
    mesh->lists[kind] = items;
    text->next_list += (size_t)count * item_bytes;
    return at;
}

/* Returns the start of a vertex's line, for a message. `list` is the position after "numverts"; its
   items have already been read. */
static const char *md5__find_vertex_line(md5__loader *loader, const char *list, uint32_t vertex)
{
    const char *at = md5__skip_item(loader, list); /* the count */

    for (;;) {
        const char *line = md5__find_token(loader, at);
        uint32_t    index = MD5__NONE;
        at = md5__read_index(loader, line + strlen("vert"), INT32_MAX, "$", &index);
        if (index == vertex) {
            return line;
        }

        at = md5__skip_tuples(loader, at); /* u, v */
        at = md5__skip_item(loader, at);   /* the first weight */
        at = md5__skip_item(loader, at);   /* the number of weights */
        at = md5__skip_tuples(loader, at); /* tuples of versions 11 and 12 */
    }
}

/* Checks that the weights of each vertex exist in the mesh, and counts them. A vertex without
   weights gets a weight from md5__fill_mesh. Weights come after the vertices, so this is checked at
   the end of the mesh, `at`. */
static const char *md5__check_weight_ranges(md5__loader *loader, const char *at,
                                            md5__mesh_text *mesh, const char *vertex_list)
{
    const md5__vertex_text *vertices = (const md5__vertex_text *)mesh->lists[MD5__VERTICES];
    uint32_t                weight_count = mesh->counts[MD5__WEIGHTS];

    for (uint32_t i = 0; i < mesh->counts[MD5__VERTICES]; ++i) {
        if (vertices[i].weight_count == 0) {
            mesh->has_loose_vertices = true;
            ++mesh->influence_count;
            continue;
        }

        uint64_t weight_end = (uint64_t)vertices[i].first_weight + vertices[i].weight_count;
        if (weight_end > weight_count) {
            return md5__fail_at_numbers(loader, MD5_ERROR_CORRUPT,
                                        md5__find_vertex_line(loader, vertex_list, i),
                                        "vertex # has weights beyond the # of its mesh", i,
                                        weight_count);
        }
        mesh->influence_count += vertices[i].weight_count;
    }
    return at;
}

/* Returns the list whose count keyword is at `at`, or MD5__LIST_COUNT. */
static uint32_t md5__find_list_kind(const md5__loader *loader, const char *at)
{
    uint32_t kind = 0;
    while (kind < MD5__LIST_COUNT &&
           !md5__match_word(loader, at, md5__lists[kind].count_keyword)) {
        ++kind;
    }
    return kind;
}

/* Reads a mesh after its keyword: "{ shader ... numverts ... numtris ... numweights ... }". Only
   numverts is required. */
static const char *md5__read_mesh(md5__loader *loader, const char *at, md5__model_text *text)
{
    md5__mesh_text *mesh = &text->meshes[text->mesh_count++];
    const char     *vertex_list = NULL;

    memset(mesh, 0, sizeof *mesh);
    mesh->shader = md5__string_from_text("");

    at = md5__read_symbol(loader, at, "{");
    if (!at) {
        return NULL;
    }

    at = md5__find_token(loader, at);
    while (!md5__has_char(loader, at, '}')) {
        uint32_t kind = md5__find_list_kind(loader, at);

        if (kind < MD5__LIST_COUNT) {
            if (mesh->lists[kind]) {
                return md5__fail_at(loader, MD5_ERROR_SYNTAX, at, "a second $ in one mesh");
            }
            at += strlen(md5__lists[kind].count_keyword);
            if (kind == MD5__VERTICES) {
                vertex_list = at;
            }
            at = md5__read_list(loader, at, kind, text, mesh);
        } else if (md5__accept_word(loader, &at, "shader")) {
            at = md5__read_string(loader, at, &mesh->shader);
        } else if (md5__match_word(loader, at, "vert") || md5__match_word(loader, at, "tri") ||
                   md5__match_word(loader, at, "weight")) {
            return md5__fail_at(loader, MD5_ERROR_SYNTAX, at,
                                "one $ more than the count of its list");
        } else {
            at = md5__skip_item(loader, at);
        }

        if (!at) {
            return NULL;
        }
        at = md5__find_token(loader, at);
    }

    if (!mesh->lists[MD5__VERTICES]) {
        return md5__fail_expected(loader, at, "numverts");
    }
    text->string_bytes += mesh->shader.size + 1;

    at = md5__check_weight_ranges(loader, at + 1, mesh, vertex_list);
    if (mesh->has_loose_vertices) {
        loader->defects |= MD5_NO_WEIGHTS;
    }
    return at;
}

/* Returns the maximum number of meshes in the rest of the text. Each mesh has a brace, except for a
   mesh that the end of the text cuts short. */
static uint64_t md5__count_possible_meshes(const md5__loader *loader, const char *at)
{
    uint64_t most = (uint64_t)(loader->end - at) / MD5__MESH_BYTES + 1, count = 1;
    while (count < most) {
        at = (const char *)memchr(at, '{', (size_t)(loader->end - at));
        if (!at) {
            break;
        }
        ++at;
        ++count;
    }
    return count;
}

/* Reserves scratch memory at the first list, for the joints, all meshes and their lists. Returns
   the new position, because the text may move. */
static const char *md5__reserve_lists(md5__loader *loader, const char *at, md5__model_text *text)
{
    if (text->meshes) {
        return at;
    }

    /* An item of 15 bytes in the text takes at most 16 bytes: less than an eighth more. */
    size_t   text_bytes = (size_t)(loader->end - loader->text);
    uint64_t mesh_bytes = md5__count_possible_meshes(loader, at) * sizeof(md5__mesh_text);
    uint64_t list_bytes = (uint64_t)text_bytes + text_bytes / 8;
    uint8_t *scratch = md5__reserve_scratch(loader, mesh_bytes + list_bytes, &at);
    if (!scratch) {
        return NULL;
    }
    text->meshes = (md5__mesh_text *)(void *)scratch;
    text->next_list = scratch + (size_t)mesh_bytes;
    return at;
}

/* Reads one item outside all blocks: a mesh, the joints, a count, the note or an unknown item. */
static const char *md5__read_model_item(md5__loader *loader, const char *at, md5__model_text *text)
{
    if (md5__accept_word(loader, &at, "mesh")) {
        at = md5__reserve_lists(loader, at, text);
        return at ? md5__read_mesh(loader, at, text) : NULL;
    }

    if (md5__match_word(loader, at, "joints")) {
        at = md5__reserve_lists(loader, at, text);
        return at ? md5__read_joints(loader, at, text) : NULL;
    }

    if (md5__accept_word(loader, &at, "numJoints")) {
        uint32_t count = 0;
        at = md5__read_count(loader, at, MD5__JOINT_BYTES, &count);

        /* Joints and weights that have been read were checked against the first count, so it is
           kept. */
        if (at && !text->meshes) {
            text->joint_count = count;
        }
        return at;
    }

    if (md5__accept_word(loader, &at, "numMeshes")) {
        return md5__read_count(loader, at, 0, &text->announced_meshes);
    }

    if (md5__accept_word(loader, &at, "commandline")) {
        md5__string commandline;
        text->commandline = (size_t)(at - loader->text);
        return md5__read_string(loader, at, &commandline);
    }
    return md5__skip_unknown_item(loader, at);
}

/* Reads the text after its version. More or fewer meshes than announced are not an error. */
static bool md5__read_model_text(md5__loader *loader, const char *at, md5__model_text *text)
{
    memset(text, 0, sizeof *text);
    text->announced_meshes = UINT32_MAX;

    at = md5__find_token(loader, at);
    while (at < loader->end) {
        /* A second file may follow, which begins with its version. After the announced meshes, the
           last part of a different file may follow. */
        bool is_complete = text->joint_list && text->mesh_count >= text->announced_meshes;
        if (md5__match_word(loader, at, "MD5Version") ||
            (is_complete && !md5__match_word(loader, at, "mesh"))) {
            break;
        }

        at = md5__read_model_item(loader, at, text);
        if (!at) {
            return false;
        }
        at = md5__find_token(loader, at);
    }

    if (!text->joint_list) {
        md5__fail_at(loader, MD5_ERROR_SYNTAX, loader->end, "the model has no joints");
        return false;
    }

    /* Fewer meshes than announced are accepted, but not if a comment that never ends hides the
       rest. */
    if (text->mesh_count < text->announced_meshes && md5__find_open_comment(loader)) {
        md5__fail_expected(loader, loader->end, "mesh");
        return false;
    }
    return true;
}

/* -- Loading: building the model ------------------------------------------ */

/* Adds the next array to `total` and returns its address in `block`: both are names in the calling
   function. If `block` is NULL, the layout functions only measure. */
#define MD5__PLACE(type, count) (type *)md5__place_array(block, &total, count, sizeof(type))

/* The arrays in the block of a model: their lengths and addresses. While the block is being filled,
   a copy of this struct is the cursor: its pointers advance past the written elements. */
typedef struct md5__model_arrays {
    uint64_t         joint_count, mesh_count;
    uint64_t         vertex_count, weight_count, index_count; /* sums over all meshes */
    uint64_t         influence_count; /* see md5__mesh_text */
    uint64_t         run_count, palette_joint_count; /* upper limits: see md5__count_arrays */
    uint64_t         string_bytes;    /* names, shaders and the note */
    md5_model       *model;
    md5_joint       *joints;
    md5_mesh        *meshes;
    md5_vertex      *vertices;
    md5_weight      *weights;
    uint32_t        *indices;
    md5__skinning   *skinnings;       /* [mesh_count] */
    md5__run        *runs;
    uint32_t        *palette_joints;
    md5__vertex_ref *refs;            /* [vertex_count] */
    float           *scaled_weights;  /* [weight_count][4] */
    uint16_t        *matrix_offsets;  /* [influence_count] */
    char            *strings;
} md5__model_arrays;

typedef float md5__sum[4];

typedef struct md5__scratch {         /* used while loading; [vertex_count]: of all meshes */
    float     *bind_matrices;         /* [joint_count][12] */
    md5__vertex_ref *refs;            /* [vertex_count] of one mesh, while sorting */
    uint8_t   *sort_keys;             /* [vertex_count] of one mesh: keys to sort by, or sides */
    md5__key_table point_keys;        /* [vertex_count] nodes and slots: positions, numbered */
    md5__key_table seam_keys;         /* [vertex_count] point and hash of weights, numbered */
    uint32_t  *latest;                /* [vertex_count] by point: first vertex of the latest mesh */
    uint32_t  *welded;                /* [vertex_count] mesh's first vertex at the same point */
    uint32_t  *seams;                 /* [vertex_count] seam of vertex i, if welded[i] == i */
    uint16_t  *palette_slots;         /* [joint_count] possible slots: see md5__add_joints */
    md5__sum  *seam_sums;             /* [vertex_count] by seam: sum of the normals of all meshes */
    md5__key_table faces;             /* [2 * vertex_count] of one mesh: triangles, by the welded
                                         vertices of their corners */
    uint32_t  *face_starts;           /* [2 * vertex_count] by face: first index of its triangle */
    md5__sum  *normal_sums;           /* [vertex_count] sums over triangles, weighted by angle */
    md5__sum  *tangent_sums;          /* [vertex_count] */
    md5__sum  *signed_tangent_sums;   /* [vertex_count] sums of tangent * sign; w: of signs */
    uint64_t   vertex_count;          /* also the number of slots for points */
    uint64_t   face_slot_count;
    const md5_vertex *vertices;       /* vertices of all meshes */
    md5__f4    min, max;              /* bounds of all vertices */
    float      winding_sign;          /* -1 if triangles stay clockwise */
} md5__scratch;

/* Returns the size of the scratch memory for building. If there is a block, sets the pointers. */
static uint64_t md5__lay_out_scratch(uint64_t joints, uint64_t vertices, uint8_t *block,
                                     md5__scratch *scratch)
{
    uint64_t total = 0;
    scratch->bind_matrices = MD5__PLACE(float, 12 * joints);
    scratch->refs = MD5__PLACE(md5__vertex_ref, vertices);
    scratch->sort_keys = MD5__PLACE(uint8_t, vertices);
    scratch->welded = MD5__PLACE(uint32_t, vertices);
    scratch->palette_slots = MD5__PLACE(uint16_t, joints);
    scratch->seam_sums = MD5__PLACE(md5__sum, vertices);
    scratch->point_keys.slots = MD5__PLACE(uint32_t, vertices);
    scratch->seam_keys.slots = MD5__PLACE(uint32_t, vertices);

    /* Faces are listed after all meshes are welded, so the list of faces can use the memory of four
       arrays for welding. */
    scratch->face_starts = MD5__PLACE(uint32_t, 2 * vertices);
    scratch->faces.nodes = MD5__PLACE(md5__key_node, 2 * vertices);
    scratch->faces.slots = scratch->point_keys.slots;
    if (block) {
        scratch->latest = scratch->face_starts;
        scratch->seams = scratch->face_starts + vertices;
        scratch->point_keys.nodes = scratch->faces.nodes;
        scratch->seam_keys.nodes = scratch->faces.nodes + vertices;
    }
    scratch->normal_sums = MD5__PLACE(md5__sum, vertices);
    scratch->tangent_sums = MD5__PLACE(md5__sum, vertices);
    scratch->signed_tangent_sums = MD5__PLACE(md5__sum, vertices);
    return total;
}

/* Sorts refs by keys[vertex], with a counting sort. It is stable: refs with the same key keep their
   order. */
static void md5__sort_vertex_refs(const md5__vertex_ref *from, md5__vertex_ref *to, uint32_t count,
                                  const uint8_t *keys)
{
    if (count == 0) {
        return; /* otherwise many empty meshes would be slow */
    }

    uint32_t starts[257] = { 0 };     /* index of the first ref with each key */

    /* Count each key one entry later, so that each sum counts the refs of all smaller keys. */
    for (uint32_t i = 0; i < count; ++i) {
        ++starts[keys[from[i].vertex] + 1];
    }
    for (uint32_t key = 1; key < 257; ++key) {
        starts[key] += starts[key - 1];
    }

    for (uint32_t i = 0; i < count; ++i) {
        to[starts[keys[from[i].vertex]]++] = from[i];
    }
}

/* Sorts the vertices by the number of their weights, then by the joint of their first weight. */
static void md5__order_vertices(const md5_mesh *mesh, md5__scratch *scratch,
                                md5__vertex_ref *refs)
{
    uint8_t *keys = scratch->sort_keys;

    /* The last sort has priority: vertices with equal keys keep the order of the first sort. The
       last byte of a joint's index is enough: few models have more than 256 joints. */
    for (uint32_t i = 0; i < mesh->vertex_count; ++i) {
        refs[i].vertex = i;
        refs[i].first_weight = mesh->vertices[i].first_weight;
        keys[i] = (uint8_t)(mesh->weights[refs[i].first_weight].joint & 255);
    }
    md5__sort_vertex_refs(refs, scratch->refs, mesh->vertex_count, keys);

    for (uint32_t i = 0; i < mesh->vertex_count; ++i) {
        keys[i] = (uint8_t)mesh->vertices[i].weight_count; /* at most 64 */
    }
    md5__sort_vertex_refs(scratch->refs, refs, mesh->vertex_count, keys);
}

/* Runs, slots and palettes: see LAYOUT OF A MESH FOR SKINNING. */

/* Adds the joints of a vertex to a palette that already has `used` joints, except those that are
   already in it. Returns the new number of joints.

   `slots` holds the possible position of each joint in the palette. Palette and slots are a sparse
   set (Briggs and Torczon): `slots` need not be cleared for the next palette, because an entry is
   only valid if the palette has the same joint at its position. */
static uint32_t md5__add_joints(const md5_weight *weights, uint32_t count, uint32_t *palette,
                                uint16_t *slots, uint32_t used)
{
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t joint = weights[i].joint;
        bool     is_in_palette = slots[joint] < used && palette[slots[joint]] == joint;
        if (!is_in_palette) {
            slots[joint] = (uint16_t)used;
            palette[used++] = joint;
        }
    }
    return used;
}

/* Divides a mesh's sorted vertices, skinning->refs, into runs. `slots` has one entry for each joint
   of the model, with any value. */
static void md5__plan_runs(const md5_mesh *mesh, md5__skinning *skinning, uint16_t *slots,
                           md5__model_arrays *cursor)
{
    uint32_t *palette = cursor->palette_joints; /* joint in each slot */
    uint32_t  used = 0;                         /* number of slots in use */
    uint16_t *offset = cursor->matrix_offsets;
    md5__run *run = NULL;

    for (uint32_t i = 0; i < mesh->vertex_count; ++i) {
        const md5__vertex_ref *ref = &skinning->refs[i];
        const md5_weight      *weights = mesh->weights + ref->first_weight;
        uint32_t               count = mesh->vertices[ref->vertex].weight_count;

        /* If the palette has no room, the vertex begins the next palette, which follows this
           one. */
        uint32_t needed = md5__add_joints(weights, count, palette, slots, used);
        bool     is_full = needed > MD5__PALETTE_SIZE;
        if (is_full) {
            palette += used;
            used = 0;
            needed = md5__add_joints(weights, count, palette, slots, used);
        }

        if (!run || is_full || run->influence_count != count) {
            run = cursor->runs++;
            memset(run, 0, sizeof *run);
            run->influence_count = count;
            run->first_slot = used;
            run->has_unit_biases = count == 1; /* until a vertex has a different bias */
        }
        ++run->ref_count;
        run->joint_count += needed - used;
        used = needed;
        if (weights->bias != 1) {
            run->has_unit_biases = false;
        }

        for (uint32_t k = 0; k < count; ++k) {
            *offset++ = (uint16_t)(12 * slots[weights[k].joint]);
        }
    }

    cursor->matrix_offsets = offset;
    cursor->palette_joints = palette + used;
    skinning->run_count = (uint32_t)(cursor->runs - skinning->runs);
}

/* Writes four floats for each weight: its position in the bind pose in model space, times its bias;
   and the bias. */
static void md5__scale_weights(const md5_mesh *mesh, const float *bind_matrices, float *out)
{
    for (uint32_t i = 0; i < mesh->weight_count; ++i) {
        const md5_weight *weight = &mesh->weights[i];
        const float      *matrix = bind_matrices + 12 * (size_t)weight->joint;
        float            *scaled = out + 4 * (size_t)i;

        for (uint32_t axis = 0; axis < 3; ++axis) {
            const float *row = matrix + 4 * axis;
            scaled[axis] = (md5__vec3_dot(row, weight->position) + row[3]) * weight->bias;
        }
        scaled[3] = weight->bias;
    }
}

/* Builds the layout of a mesh for skinning at the cursor, and moves the cursor past it. */
static void md5__build_skinning(md5_mesh *mesh, md5__scratch *scratch, md5__model_arrays *cursor)
{
    md5__skinning *skinning = cursor->skinnings++;
    skinning->runs = cursor->runs;
    skinning->joints = cursor->palette_joints;
    skinning->refs = cursor->refs;
    skinning->matrix_offsets = cursor->matrix_offsets;
    skinning->scaled_weights = cursor->scaled_weights;
    mesh->private_data.skinning = skinning;

    md5__order_vertices(mesh, scratch, cursor->refs);
    cursor->refs += mesh->vertex_count;

    md5__plan_runs(mesh, skinning, scratch->palette_slots, cursor);

    md5__scale_weights(mesh, scratch->bind_matrices, cursor->scaled_weights);
    cursor->scaled_weights += 4 * (size_t)mesh->weight_count;
}

/* Returns one of `count` slots for a key. The factors make the hashes of (1, 2, 3) and (3, 2, 1)
   different. */
static uint32_t md5__find_slot(uint64_t count, const uint32_t key[3])
{
    uint32_t hash = md5__spread_bits(key[0] + 3 * key[1] + 5 * key[2]);
    return (uint32_t)(hash * count >> 32);
}

/* Points are the different positions of the vertices of all meshes. Returns the number of the point
   at a position; points are numbered in the order in which they first appear. */
static uint32_t md5__number_point(md5__scratch *scratch, const float position[3])
{
    uint32_t key[3];
    for (uint32_t axis = 0; axis < 3; ++axis) {
        float coordinate = position[axis] + 0.0f; /* -0 becomes 0, the same position */
        memcpy(&key[axis], &coordinate, sizeof coordinate);
    }

    return md5__number_key(&scratch->point_keys, md5__find_slot(scratch->vertex_count, key), key);
}

/* Returns the number of the seam of a vertex. All vertices with the same point and the same weights
   are one seam: they stay together in every pose. The weights are compared by a hash; a file
   crafted to have different weights with the same hash only gets wrong normals. */
static uint32_t md5__number_seam(md5__scratch *scratch, uint32_t point, const md5_weight *weights,
                                 uint32_t count)
{
    uint64_t hash = 0;
    for (size_t i = 0; i < count * sizeof *weights; i += sizeof(uint32_t)) {
        uint32_t word;
        memcpy(&word, (const uint8_t *)weights + i, sizeof word);
        hash = md5__hash_word(hash, word);
    }

    uint32_t key[3] = { (uint32_t)hash, (uint32_t)(hash >> 32), point };
    return md5__number_key(&scratch->seam_keys, point, key);
}

/* Welds the vertices of a mesh, whose first vertex is number `first` in the model. The welded
   vertex of a vertex is the first vertex of the mesh at the same point, often the vertex itself.
   Only welded vertices have a seam. */
static void md5__weld_vertices(const md5_mesh *mesh, md5__scratch *scratch, uint32_t first)
{
    for (uint32_t i = first; i < first + mesh->vertex_count; ++i) {
        const md5_vertex *vertex = &scratch->vertices[i];
        uint32_t          point = md5__number_point(scratch, vertex->position);
        uint32_t         *latest = &scratch->latest[point];

        if (*latest == MD5__NONE || *latest < first) {
            *latest = i;
            scratch->seams[i] = md5__number_seam(
                scratch, point, mesh->weights + vertex->first_weight, vertex->weight_count);
        }
        scratch->welded[i] = *latest;
    }
}

/* NORMALS AND TANGENTS. A normal is the sum of the normals of all triangles that meet at a point of
   the mesh, each weighted by its angle there (Thurmer and Wuthrich 1998, Computing Vertex Normals
   from Polygonal Facets). A tangent is the same kind of sum, made perpendicular to the normal. The
   bitangent is sign * cross(normal, tangent), as in MikkTSpace (mikktspace.com), the convention for
   which most tools bake normal maps. MikkTSpace's tangents differ from these in three ways:

   - MikkTSpace makes each triangle's tangent, and the edges of the angle, perpendicular to the
     vertex normal before it adds them up. Here only the sum is made perpendicular.
   - MikkTSpace adds up over the vertices with the same position, normal and texture coordinates.
     Here each vertex of the file has a separate sum.
   - In MikkTSpace, a vertex between a texture and its mirror image gets a tangent for each side.
     Here vertices are not duplicated, so the side with the larger angles decides. */

typedef struct md5__triangle_basis {
    md5__f4 normal;                   /* unit */
    md5__f4 tangent;                  /* unit, w is 1; all 0 if the texture has no area here */
    float   corner_angle[4];          /* radians; the fourth is not used */
    float   bitangent_sign;           /* 1 or -1 */
} md5__triangle_basis;

/* Returns the angles of y >= 0 and x in radians: 0 to pi, and 0 if both are 0. The polynomial is
   formula 4.4.47 in Abramowitz and Stegun, found by Hastings: arctan within 1.15e-5 from 0 to 1.
   With the rounding of floats the angles are within 1.2e-5, more than enough for weights, and have
   the same bits on every machine, unlike the results of libm. */
static md5__f4 md5__f4_atan2(md5__f4 y, md5__f4 x)
{
    md5__f4 zero = md5__f4_splat(0);
    md5__f4 abs_x = md5__f4_max(x, md5__f4_sub(zero, x));
    md5__f4 larger = md5__f4_max(md5__f4_max(y, abs_x), md5__f4_splat(FLT_MIN));
    md5__f4 ratio = md5__f4_div(md5__f4_min(y, abs_x), larger);
    md5__f4 squared = md5__f4_mul(ratio, ratio);

    md5__f4 angle = md5__f4_splat(0.0208351f);
    angle = md5__f4_add(md5__f4_mul(angle, squared), md5__f4_splat(-0.0851330f));
    angle = md5__f4_add(md5__f4_mul(angle, squared), md5__f4_splat(0.1801410f));
    angle = md5__f4_add(md5__f4_mul(angle, squared), md5__f4_splat(-0.3302995f));
    angle = md5__f4_add(md5__f4_mul(angle, squared), md5__f4_splat(0.9998660f));
    angle = md5__f4_mul(angle, ratio);

    /* Above 45 degrees the ratio was x / y, so the angle is measured from the y axis. For negative
       x, the angle was computed from |x|. */
    md5__f4 from_y_axis = md5__f4_sub(md5__f4_splat(1.57079633f), angle);
    angle = md5__f4_select(md5__f4_greater(y, abs_x), from_y_axis, angle);
    md5__f4 mirrored = md5__f4_sub(md5__f4_splat(3.14159265f), angle);
    return md5__f4_select(md5__f4_greater(zero, x), mirrored, angle);
}

/* Returns the dot product in the first three lanes. The fourth lane of a or b must be 0. */
static md5__f4 md5__f4_dot3(md5__f4 a, md5__f4 b)
{
    md5__f4 products = md5__f4_mul(a, b);
    return md5__f4_sum3(products, products, products);
}

/* Computes a triangle's normal, tangent and angles. Returns false for a triangle without area,
   which adds nothing to the normals. */
static bool md5__compute_triangle_basis(const md5_vertex *corner[3], md5__triangle_basis *out,
                                        float winding_sign)
{
    /* A position is loaded together with the number after it, normal[0], which is 0 until all
       normals are written: so the fourth lanes are 0. */
    md5__f4 a = md5__f4_load(corner[0]->position);
    md5__f4 b = md5__f4_load(corner[1]->position);
    md5__f4 c = md5__f4_load(corner[2]->position);
    md5__f4 ab = md5__f4_sub(b, a);
    md5__f4 ac = md5__f4_sub(c, a);
    md5__f4 bc = md5__f4_sub(c, b);

    /* The length of the cross product is twice the area. */
    md5__f4 cross = md5__cross_product(ab, ac);
    md5__f4 cross_squared = md5__f4_dot3(cross, cross);
    float   length_squared = md5__f4_x(cross_squared);
    if (!md5__can_normalize(length_squared)) {
        return false;
    }
    out->normal = md5__f4_mul(cross, md5__f4_splat(winding_sign / md5__sqrt(length_squared)));

    /* The dot product of the two edges at a corner is the product of their lengths times the cosine
       of the angle: ab * ac at a, ba * bc at b, ca * cb at c. The product of their lengths times
       the sine is the length of the cross product, which is the same at each corner. */
    static const float signs[4] = { 1, -1, 1, 1 }; /* because ba is -ab */
    md5__f4 cosines = md5__f4_sum3(md5__f4_mul(ab, ac), md5__f4_mul(ab, bc), md5__f4_mul(ac, bc));
    md5__f4 sines = md5__f4_sqrt(cross_squared);
    cosines = md5__f4_mul(cosines, md5__f4_load(signs));
    md5__f4_store(out->corner_angle, md5__f4_atan2(sines, cosines));

    /* The edges are ab = du1 * T + dv1 * B and ac = du2 * T + dv2 * B, if T and B are the
       directions in which u and v grow. So dv2 * ab - dv1 * ac = area * T (Lengyel 2001, Computing
       Tangent Space Basis Vectors for an Arbitrary Mesh). */
    float   du1 = corner[1]->u - corner[0]->u, dv1 = corner[1]->v - corner[0]->v;
    float   du2 = corner[2]->u - corner[0]->u, dv2 = corner[2]->v - corner[0]->v;
    float   area = du1 * dv2 - du2 * dv1; /* twice the area in the texture; negative if mirrored */
    float   sign = area < 0 ? -1.0f : 1.0f;
    md5__f4 tangent = md5__f4_sub(md5__f4_mul(ab, md5__f4_splat(dv2)),
                                  md5__f4_mul(ac, md5__f4_splat(dv1)));
    length_squared = md5__f4_x(md5__f4_dot3(tangent, tangent));
    out->bitangent_sign = sign * winding_sign;
    out->tangent = md5__f4_splat(0);
    if (area * area > 0 && md5__can_normalize(length_squared)) {
        static const float unit_w[4] = { 0, 0, 0, 1 };
        tangent = md5__f4_mul(tangent, md5__f4_splat(sign / md5__sqrt(length_squared)));
        out->tangent = md5__f4_add(tangent, md5__f4_load(unit_w));
    }
    return true;
}

static void md5__vec4_add_scaled(float sum[4], md5__f4 v, float factor)
{
    md5__f4 product = md5__f4_mul(v, md5__f4_splat(factor));
    md5__f4_store(sum, md5__f4_add(md5__f4_load(sum), product));
}

/* Adds the normals and tangents of a mesh's triangles to the sums of their vertices. `first` is the
   index of the mesh's first vertex in the scratch arrays, which are for all meshes. */
static void md5__sum_triangle_bases(const md5_mesh *mesh, uint32_t first, md5__scratch *scratch)
{
    for (uint32_t i = 0; i < mesh->index_count; i += 3) {
        const uint32_t   *index = mesh->indices + i;
        const md5_vertex *corner[3];
        for (uint32_t k = 0; k < 3; ++k) {
            corner[k] = &mesh->vertices[index[k]];
        }

        md5__triangle_basis triangle;
        if (!md5__compute_triangle_basis(corner, &triangle, scratch->winding_sign)) {
            continue;
        }

        /* Normals are added up by position, so a seam of the texture is not visible in the shading.
           Tangents may differ at a seam and are added up by vertex, in two sums: plain, and times
           the sign. md5__write_four_bases computes the sum for one sign from the two. */
        for (uint32_t k = 0; k < 3; ++k) {
            uint32_t vertex = first + index[k];
            float    angle = triangle.corner_angle[k];
            md5__vec4_add_scaled(scratch->normal_sums[scratch->welded[vertex]], triangle.normal,
                                 angle);
            md5__vec4_add_scaled(scratch->tangent_sums[vertex], triangle.tangent, angle);
            md5__vec4_add_scaled(scratch->signed_tangent_sums[vertex], triangle.tangent,
                                 angle * triangle.bitangent_sign);
        }
    }
}

/* Adds up the normals of different meshes where they meet in a seam, such as head and body, so that
   the seam is not visible. Only welded vertices have a seam and a sum of normals. */
static void md5__join_seam_normals(md5__scratch *scratch, uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i) {
        if (scratch->welded[i] == i) {
            md5__vec4_add_scaled(scratch->seam_sums[scratch->seams[i]],
                                 md5__f4_load(scratch->normal_sums[i]), 1);
        }
    }

    for (uint32_t i = 0; i < count; ++i) {
        if (scratch->welded[i] != i) {
            continue;
        }

        /* If at most half of the mesh's own normal is left in the sum, the meshes face opposite
           directions, like the two sides of a cloak. Then the mesh keeps its own sum. */
        float *own = scratch->normal_sums[i];
        float *all = scratch->seam_sums[scratch->seams[i]];
        if (2 * md5__vec3_dot(own, all) > md5__vec3_dot(own, own)) {
            memcpy(own, all, sizeof *scratch->seam_sums);
        }
    }
}

/* TWO-SIDED CLOTH. A cloak may have an outer layer and a lining: pairs of triangles with the same
   three points, in reverse order. If all normals at a point were added up, the normals of the two
   sides would cancel. So a vertex that only one side uses gets the sum without the triangles of the
   other side. All other vertices keep the whole sum, including a vertex that both sides use. */

enum { MD5__WHOLE_SUM, MD5__BOTH_SIDES, MD5__FRONT, MD5__BACK }; /* values in scratch->sort_keys */

/* Writes the welded vertices of a triangle's corners in ascending order. Returns true if sorting
   reverses the direction in which the triangle faces. */
static bool md5__sort_corners(const uint32_t *welded, const uint32_t *index, uint32_t key[3])
{
    uint32_t a = welded[index[0]], b = welded[index[1]], c = welded[index[2]];
    uint32_t low = a < b ? a : b, high = a < b ? b : a;

    key[0] = c < low ? c : low;
    key[1] = c < low ? low : (c < high ? c : high);
    key[2] = c < high ? high : c;
    bool is_swapped = (a > b) != (a > c);
    return is_swapped != (b > c); /* true if an odd number of pairs is out of order */
}

/* Writes a key for a triangle. The two sides of a face have different keys: in one of them, the
   last two of the sorted corners are exchanged. */
static void md5__get_side_key(const uint32_t *welded, const uint32_t *index, uint32_t key[3])
{
    if (md5__sort_corners(welded, index, key)) {
        uint32_t last = key[2];
        key[2] = key[1];
        key[1] = last;
    }
}

/* Returns the number of the face that is the other side of this face, or MD5__NONE. */
static uint32_t md5__find_other_side(const md5__scratch *scratch, const uint32_t side_key[3])
{
    uint32_t other[3] = { side_key[0], side_key[2], side_key[1] };
    return *md5__find_key(&scratch->faces, md5__find_slot(scratch->face_slot_count, other), other);
}

/* Adds a face to the table, if there is room. Returns its number if it is already in the table, or
   MD5__NONE if it is new. */
static uint32_t md5__list_face(md5__scratch *scratch, const uint32_t key[3], uint32_t start)
{
    /* The table has room for two triangles per vertex of the model. A surface rarely has more: it
       would need several holes through it, like a pretzel. A triangle that does not fit is never
       found as the other side of a face. */
    uint32_t count = scratch->faces.count;
    if (count == 2 * scratch->vertex_count) {
        return MD5__NONE;
    }

    uint32_t slot = md5__find_slot(scratch->face_slot_count, key);
    uint32_t face = md5__number_key(&scratch->faces, slot, key);
    if (face < count) {
        return face;
    }
    scratch->face_starts[face] = start;
    return MD5__NONE;
}

/* Empties the table of faces. The table uses only as many slots as the mesh has vertices, so that
   emptying it for each of many small meshes is fast. */
static void md5__clear_faces(md5__scratch *scratch, const md5_mesh *mesh)
{
    scratch->faces.count = 0;
    scratch->face_slot_count = mesh->vertex_count;
    md5__clear_indices(scratch->faces.slots, mesh->vertex_count);
}

/* Marks the vertices that share their point with another vertex of the mesh. Returns false if there
   are none. */
static bool md5__mark_shared_points(const uint32_t *welded, uint32_t first, uint32_t vertex_count,
                                    uint8_t *is_shared)
{
    bool any_shared = false;

    memset(is_shared, 0, vertex_count);
    for (uint32_t i = 0; i < vertex_count; ++i) {
        uint32_t welded_vertex = welded[i] - first;
        if (welded_vertex != i) {
            is_shared[welded_vertex] = is_shared[i] = 1;
            any_shared = true;
        }
    }
    return any_shared;
}

/* Returns true if a face of the mesh has two sides with different vertices: at least one of its
   corners is at a point with several vertices. Nearly all meshes have no such face. */
static bool md5__has_two_sides(const md5_mesh *mesh, uint32_t first, md5__scratch *scratch)
{
    const uint32_t *welded = scratch->welded + first;
    uint8_t        *is_shared = scratch->sort_keys;
    if (!md5__mark_shared_points(welded, first, mesh->vertex_count, is_shared)) {
        return false;
    }

    md5__clear_faces(scratch, mesh);
    for (uint32_t i = 0; i < mesh->index_count; i += 3) {
        const uint32_t *index = mesh->indices + i;
        if (!(is_shared[index[0]] | is_shared[index[1]] | is_shared[index[2]])) {
            continue;
        }

        /* The first face with these points may be the other side, or a copy of the same side. */
        uint32_t key[3], other_key[3];
        bool     is_reversed = md5__sort_corners(welded, index, key);
        bool     has_area = key[0] != key[1] && key[1] != key[2];
        uint32_t face = md5__list_face(scratch, key, i);
        if (face != MD5__NONE && has_area) {
            const uint32_t *other = mesh->indices + scratch->face_starts[face];
            if (md5__sort_corners(welded, other, other_key) != is_reversed) {
                return true;
            }
        }
    }
    return false;
}

static void md5__list_sides(const md5_mesh *mesh, uint32_t first, md5__scratch *scratch)
{
    md5__clear_faces(scratch, mesh);
    for (uint32_t i = 0; i < mesh->index_count; i += 3) {
        uint32_t key[3];
        md5__get_side_key(scratch->welded + first, mesh->indices + i, key);
        md5__list_face(scratch, key, i);
    }
}

static bool md5__get_face_basis(const md5_mesh *mesh, const md5__scratch *scratch, uint32_t start,
                                md5__triangle_basis *basis)
{
    const uint32_t   *index = mesh->indices + start;
    const md5_vertex *corner[3];
    for (uint32_t k = 0; k < 3; ++k) {
        corner[k] = &mesh->vertices[index[k]];
    }
    return md5__compute_triangle_basis(corner, basis, scratch->winding_sign);
}

/* Finds the vertices that only one side uses, and marks them MD5__FRONT until md5__choose_sides.
   For each vertex, adds up the normals of the two-sided triangles that use it. */
static void md5__find_one_sided_vertices(const md5_mesh *mesh, uint32_t first,
                                         md5__scratch *scratch)
{
    memset(scratch->sort_keys, MD5__WHOLE_SUM, mesh->vertex_count);
    memset(scratch->seam_sums, 0, mesh->vertex_count * sizeof *scratch->seam_sums);

    for (uint32_t i = 0; i < mesh->index_count; i += 3) {
        const uint32_t     *index = mesh->indices + i;
        uint32_t            key[3];
        md5__triangle_basis triangle;
        md5__get_side_key(scratch->welded + first, index, key);
        uint32_t other = md5__find_other_side(scratch, key);
        if (other == MD5__NONE || !md5__get_face_basis(mesh, scratch, i, &triangle)) {
            continue;
        }

        const uint32_t *others = mesh->indices + scratch->face_starts[other];
        for (uint32_t k = 0; k < 3; ++k) {
            uint32_t vertex = index[k];
            uint8_t *side = &scratch->sort_keys[vertex];
            if (vertex == others[0] || vertex == others[1] || vertex == others[2]) {
                *side = MD5__BOTH_SIDES;
            } else if (*side == MD5__WHOLE_SUM) {
                *side = MD5__FRONT;
            }
            md5__vec4_add_scaled(scratch->seam_sums[vertex], triangle.normal,
                                 triangle.corner_angle[k]);
        }
    }
}

/* Divides the one-sided vertices at each point into fronts and backs, by the direction of their own
   normals. fronts[w] and backs[w] become the first vertex of each side at the point of the welded
   vertex w, or MD5__NONE. */
static void md5__choose_sides(const md5_mesh *mesh, uint32_t first, md5__scratch *scratch,
                              uint32_t *fronts, uint32_t *backs)
{
    md5__clear_indices(fronts, mesh->vertex_count);
    md5__clear_indices(backs, mesh->vertex_count);

    for (uint32_t i = 0; i < mesh->vertex_count; ++i) {
        uint32_t welded = scratch->welded[first + i] - first;
        if (scratch->sort_keys[i] != MD5__FRONT) {
            continue;
        }
        if (fronts[welded] == MD5__NONE) {
            fronts[welded] = i;
        }

        const float *front_normal = scratch->seam_sums[fronts[welded]];
        if (md5__vec3_dot(scratch->seam_sums[i], front_normal) < 0) {
            scratch->sort_keys[i] = MD5__BACK;
            backs[welded] = backs[welded] == MD5__NONE ? i : backs[welded];
        }
    }
}

/* Adds up the normals of each side in the sum of its first vertex: the triangles of this side and
   the triangles that have no other side. */
static void md5__sum_sides(const md5_mesh *mesh, uint32_t first, md5__scratch *scratch,
                           const uint32_t *fronts, const uint32_t *backs)
{
    memset(scratch->seam_sums, 0, mesh->vertex_count * sizeof *scratch->seam_sums);

    for (uint32_t i = 0; i < mesh->index_count; i += 3) {
        const uint32_t     *index = mesh->indices + i;
        uint32_t            key[3];
        md5__triangle_basis triangle;
        if (!md5__get_face_basis(mesh, scratch, i, &triangle)) {
            continue;
        }

        md5__get_side_key(scratch->welded + first, index, key);
        bool has_other_side = md5__find_other_side(scratch, key) != MD5__NONE;
        for (uint32_t k = 0; k < 3; ++k) {
            uint32_t welded = scratch->welded[first + index[k]] - first;
            uint8_t  side = scratch->sort_keys[index[k]];
            bool     is_front = !has_other_side || side == MD5__FRONT;
            bool     is_back = !has_other_side || side == MD5__BACK;
            float    angle = triangle.corner_angle[k];
            if (is_front && fronts[welded] != MD5__NONE) {
                md5__vec4_add_scaled(scratch->seam_sums[fronts[welded]], triangle.normal, angle);
            }
            if (is_back && backs[welded] != MD5__NONE) {
                md5__vec4_add_scaled(scratch->seam_sums[backs[welded]], triangle.normal, angle);
            }
        }
    }
}

/* Writes the sums of two-sided cloth in a mesh: each vertex gets the sum of its side. This comes
   after the seams are joined, so that the normals of other meshes do not change. */
static void md5__separate_sides(const md5_mesh *mesh, uint32_t first, md5__scratch *scratch)
{
    if (!md5__has_two_sides(mesh, first, scratch)) {
        return;
    }
    md5__list_sides(mesh, first, scratch);

    /* These arrays use the memory of face_starts, which is no longer needed when they are
       written. */
    uint32_t *fronts = scratch->latest, *backs = scratch->seams;
    md5__find_one_sided_vertices(mesh, first, scratch);
    md5__choose_sides(mesh, first, scratch, fronts, backs);
    md5__sum_sides(mesh, first, scratch, fronts, backs);

    /* Each vertex at a point with two sides gets a separate sum. The welded vertex has the whole
       sum, which the other vertices at its point may need, so it comes last: its index is the
       lowest. */
    for (uint32_t i = mesh->vertex_count; i-- > 0;) {
        uint32_t welded = scratch->welded[first + i] - first;
        if (fronts[welded] == MD5__NONE) {
            continue;
        }

        const float *sum = scratch->normal_sums[first + welded];
        if (scratch->sort_keys[i] == MD5__FRONT) {
            sum = scratch->seam_sums[fronts[welded]];
        } else if (scratch->sort_keys[i] == MD5__BACK) {
            sum = scratch->seam_sums[backs[welded]];
        }
        md5__f4_store(scratch->normal_sums[first + i], md5__f4_load(sum));
        scratch->welded[first + i] = first + i;
    }
}

/* Computes the normals and tangents of up to four vertices, from `first` to at most `last`, from
   their sums. Four vertices use all lanes. A normal whose sum has no direction becomes `up`. */
static void md5__write_four_bases(md5_vertex *vertices, const md5__scratch *scratch,
                                  uint32_t first, uint32_t last, const float up[4])
{
    md5__f4  normals[4], tangents[4];
    uint32_t index[4];
    float    bitangent_sign[4];

    for (uint32_t i = 0; i < 4; ++i) {
        /* At the end, lanes without a vertex write the last vertex again, with the same values. */
        index[i] = last - first < i ? last : first + i;

        const float *normal_sum = scratch->normal_sums[scratch->welded[index[i]]];
        float        length_squared = md5__vec3_dot(normal_sum, normal_sum);
        normals[i] = md5__f4_load(md5__can_normalize(length_squared) ? normal_sum : up);

        /* w is the sum of the signs, weighted by angle, so its sign s is the prevailing sign.
           Adding tangent + s * sign * tangent counts the tangents with this sign twice and all
           others not at all. */
        const float *signed_sum = scratch->signed_tangent_sums[index[i]];
        bitangent_sign[i] = signed_sum[3] < 0 ? -1.0f : 1.0f;
        tangents[i] = md5__f4_add(md5__f4_load(scratch->tangent_sums[index[i]]),
                                  md5__f4_mul(md5__f4_splat(bitangent_sign[i]),
                                              md5__f4_load(signed_sum)));
    }

    /* The functions below take vectors by axis. md5__straighten_four_tangents also replaces
       tangents without a direction. */
    md5__f4_transpose(normals);
    md5__normalize_four(normals, md5__f4_splat(0));
    md5__straighten_four_tangents(tangents, normals, 2);
    md5__f4_transpose(normals);

    for (uint32_t i = 0; i < 4; ++i) {
        md5_vertex *vertex = &vertices[index[i]];
        md5__f4_store3(vertex->normal, normals[i]);
        md5__f4_store3(vertex->tangent, tangents[i]);
        vertex->tangent[3] = bitangent_sign[i];
    }
}

/* Computes the positions of a mesh's vertices in the bind pose, and adds them to the bounds.
   `first` is the mesh's first vertex in the arrays of all meshes. */
static void md5__compute_bind_positions(const md5_mesh *mesh, const float *scaled_weights,
                                        md5_vertex *all_vertices, uint32_t first,
                                        md5__scratch *scratch)
{
    for (uint32_t i = 0; i < mesh->vertex_count; ++i) {
        md5_vertex  *vertex = &all_vertices[first + i];
        const float *weight = scaled_weights + 4 * (size_t)vertex->first_weight;

        /* A vertex has at least one weight. The fourth lane, the sum of biases, is not used. */
        md5__f4 position = md5__f4_load(weight);
        for (uint32_t k = 1; k < vertex->weight_count; ++k) {
            position = md5__f4_add(position, md5__f4_load(weight + 4 * k));
        }
        md5__f4_store3(vertex->position, position);
        scratch->min = md5__f4_min(position, scratch->min);
        scratch->max = md5__f4_max(position, scratch->max);
    }
}

/* Builds the skinning layout of a mesh, computes the positions of its vertices and adds up its
   normals and tangents, which are written when the sums of all meshes are known. `first` is the
   index of its first vertex in the model. */
static void md5__build_mesh(md5_mesh *mesh, md5__model_arrays *cursor, md5__scratch *scratch,
                            uint32_t first)
{
    const float *scaled_weights = cursor->scaled_weights;
    md5__build_skinning(mesh, scratch, cursor);
    md5__compute_bind_positions(mesh, scaled_weights, cursor->vertices, first, scratch);
    md5__weld_vertices(mesh, scratch, first);
    md5__sum_triangle_bases(mesh, first, scratch);
}

/* Computes the data that is not in the text: layouts for skinning, positions, normals, tangents,
   bounds. */
static void md5__build_meshes(md5_model *model, const md5__model_arrays *arrays,
                              md5__scratch *scratch)
{
    scratch->vertices = arrays->vertices;
    scratch->vertex_count = arrays->vertex_count;
    scratch->winding_sign = model->flags & MD5_KEEP_WINDING ? -1.0f : 1.0f;
    scratch->min = md5__f4_splat(FLT_MAX);
    scratch->max = md5__f4_splat(-FLT_MAX);
    for (uint32_t i = 0; i < model->joint_count; ++i) {
        md5__write_matrix_rows(&arrays->joints[i].bind, scratch->bind_matrices + 12 * (size_t)i);
    }

    md5__model_arrays cursor = *arrays;
    uint32_t          vertex_count = 0;
    for (uint32_t i = 0; i < model->mesh_count; ++i) {
        md5__build_mesh(&arrays->meshes[i], &cursor, scratch, vertex_count);
        vertex_count += arrays->meshes[i].vertex_count;
    }
    if (model->mesh_count > 1) {
        md5__join_seam_normals(scratch, vertex_count);
    }

    uint32_t first = 0;
    for (uint32_t i = 0; i < model->mesh_count; ++i) {
        md5__separate_sides(&arrays->meshes[i], first, scratch);
        first += arrays->meshes[i].vertex_count;
    }

    static const float y_axis[4] = { 0, 1, 0, 0 }, z_axis[4] = { 0, 0, 1, 0 };
    const float       *up = model->flags & MD5_Y_UP ? y_axis : z_axis;
    for (uint32_t i = 0; i < vertex_count; i += 4) {
        md5__write_four_bases(arrays->vertices, scratch, i, vertex_count - 1, up);
    }
    md5__store_bounds(scratch->min, scratch->max, model->min, model->max);
}

/* Returns the size of a model's block. If there is a block, sets the pointers of `arrays`. */
static uint64_t md5__lay_out_model(uint8_t *block, md5__model_arrays *arrays)
{
    uint64_t total = 0;
    arrays->model = MD5__PLACE(md5_model, 1);
    arrays->joints = MD5__PLACE(md5_joint, arrays->joint_count);
    arrays->meshes = MD5__PLACE(md5_mesh, arrays->mesh_count);
    arrays->vertices = MD5__PLACE(md5_vertex, arrays->vertex_count);
    arrays->weights = MD5__PLACE(md5_weight, arrays->weight_count);
    arrays->indices = MD5__PLACE(uint32_t, arrays->index_count);
    arrays->skinnings = MD5__PLACE(md5__skinning, arrays->mesh_count);
    arrays->runs = MD5__PLACE(md5__run, arrays->run_count);
    arrays->palette_joints = MD5__PLACE(uint32_t, arrays->palette_joint_count);
    arrays->refs = MD5__PLACE(md5__vertex_ref, arrays->vertex_count);
    arrays->scaled_weights = MD5__PLACE(float, 4 * arrays->weight_count);
    arrays->matrix_offsets = MD5__PLACE(uint16_t, arrays->influence_count);
    arrays->strings = MD5__PLACE(char, arrays->string_bytes);
    return total;
}

/* Writes the inverse of a transform with scale 1, as three rows of four. A transform rotates by R,
   then translates by p. Its inverse rotates by transpose(R) and translates by -transpose(R) * p. */
static void md5__invert_bind(const md5_xform *bind, float out[12])
{
    md5_xform inverse = md5__identity;
    md5__quat_conjugate(bind->rotation, inverse.rotation);
    md5__write_matrix_rows(&inverse, out);

    for (uint32_t i = 0; i < 3; ++i) {
        float *row = out + 4 * i;
        row[3] = -md5__vec3_dot(row, bind->position);
    }
}

/* Reads the joints a second time, from the brace before them on. Nothing can fail, because
   md5__read_joints has already checked the list. */
static void md5__fill_joints(md5__loader *loader, const md5__model_text *text,
                             md5__model_arrays *cursor)
{
    const char *at = md5__read_symbol(loader, loader->text + text->joint_list, "{");
    for (uint32_t i = 0; i < text->joint_count; ++i) {
        md5__joint_line line;
        at = md5__read_joint_line(loader, at, i, text->joint_count, &line);

        md5_joint *joint = &cursor->joints[text->numbers[i]];
        joint->name = md5__store_string(&cursor->strings, line.name);
        joint->parent = md5__renumber_parent(text->numbers, line.parent);

        md5__convert_joint(loader, line.position, line.rotation, &joint->bind);
        md5__invert_bind(&joint->bind, joint->inverse_bind);
    }
}

/* Numbers the joints so that each branch has consecutive numbers: branch_size numbers from the
   branch_first of its joint on. Children come after their parents, so no stack is needed. */
static void md5__number_branches(md5_joint *joints, uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i) {
        joints[i].private_data.branch_size = 1;
    }

    /* From the leaves to the roots: a branch begins after the numbers that its parent's branch has
       so far. */
    uint32_t size_of_roots = 0;
    for (uint32_t i = count; i-- > 0;) {
        int32_t   parent = joints[i].parent;
        uint32_t *size = parent >= 0 ? &joints[parent].private_data.branch_size : &size_of_roots;
        joints[i].private_data.branch_first = *size;
        *size += joints[i].private_data.branch_size;
    }

    /* From the roots to the leaves: a number relative to the parent's number becomes an absolute
       number. */
    for (uint32_t i = 0; i < count; ++i) {
        if (joints[i].parent >= 0) {
            const md5_joint *parent = &joints[joints[i].parent];
            joints[i].private_data.branch_first += parent->private_data.branch_first;
        }
    }
}

/* Copies a mesh of the text into the block and moves the cursor past it. `numbers` are the indices
   of the joints in the model. */
static void md5__fill_mesh(const md5__mesh_text *text, const uint32_t *numbers, md5_mesh *mesh,
                           md5__model_arrays *cursor)
{
    memset(mesh, 0, sizeof *mesh);
    mesh->shader = md5__store_string(&cursor->strings, text->shader);
    mesh->vertex_count = text->counts[MD5__VERTICES];
    mesh->index_count = 3 * text->counts[MD5__TRIANGLES];
    mesh->weight_count = text->counts[MD5__WEIGHTS];
    mesh->vertices = cursor->vertices;
    mesh->indices = cursor->indices;
    mesh->weights = cursor->weights;

    const md5__vertex_text *vertices = (const md5__vertex_text *)text->lists[MD5__VERTICES];
    bool                    flip_v = (cursor->model->flags & MD5_FLIP_V) != 0;
    for (uint32_t i = 0; i < mesh->vertex_count; ++i) {
        md5_vertex *vertex = &cursor->vertices[i];
        vertex->u = vertices[i].uv[0];
        vertex->v = flip_v ? 1 - vertices[i].uv[1] : vertices[i].uv[1];
        vertex->first_weight = vertices[i].first_weight;
        vertex->weight_count = vertices[i].weight_count;
        if (vertex->weight_count == 0) { /* use the weight after the weights of the text */
            vertex->first_weight = mesh->weight_count;
            vertex->weight_count = 1;
        }
        if (vertex->weight_count > mesh->max_influences) {
            mesh->max_influences = vertex->weight_count;
        }
    }

    /* A list that is not in the text is NULL, which must not be passed to memcpy. */
    if (mesh->index_count) {
        memcpy(cursor->indices, text->lists[MD5__TRIANGLES], mesh->index_count * sizeof(uint32_t));
    }
    if (mesh->weight_count) {
        memcpy(cursor->weights, text->lists[MD5__WEIGHTS], mesh->weight_count * sizeof(md5_weight));
    }
    for (uint32_t i = 0; i < mesh->weight_count; ++i) {
        cursor->weights[i].joint = numbers[cursor->weights[i].joint];
    }

    if (text->has_loose_vertices) {
        md5_weight *weight = &cursor->weights[mesh->weight_count++];
        memset(weight, 0, sizeof *weight); /* at the position of joint 0 */
        weight->bias = 1;
    }

    cursor->vertices += mesh->vertex_count;
    cursor->indices += mesh->index_count;
    cursor->weights += mesh->weight_count;
}

/* A new palette begins if there is no room for the joints of the next vertex, which are at most
   MD5__MAX_INFLUENCES. So at this moment, more than MD5__MIN_PALETTE slots are in use. */
enum { MD5__MIN_PALETTE = MD5__PALETTE_SIZE - MD5__MAX_INFLUENCES };

/* Computes the lengths of all arrays in the block, except the strings. Runs and the joints of
   palettes are not planned yet; their lengths are upper limits. */
static void md5__count_arrays(const md5__model_text *text, md5__model_arrays *arrays)
{
    memset(arrays, 0, sizeof *arrays);
    arrays->joint_count = text->joint_count;
    arrays->mesh_count = text->mesh_count;

    for (uint32_t i = 0; i < text->mesh_count; ++i) {
        const md5__mesh_text *mesh = &text->meshes[i];
        uint64_t              vertices = mesh->counts[MD5__VERTICES];
        arrays->vertex_count += vertices;
        arrays->index_count += 3 * (uint64_t)mesh->counts[MD5__TRIANGLES];
        arrays->weight_count += mesh->counts[MD5__WEIGHTS] + (mesh->has_loose_vertices ? 1 : 0);
        arrays->influence_count += mesh->influence_count;

        /* There is one run for each number of weights that vertices have, 1 to MD5__MAX_INFLUENCES,
           and one more for each new palette. Each slot in use takes at least one weight. */
        uint64_t groups = MD5__MAX_INFLUENCES;
        if (vertices < groups) {
            groups = vertices;
        }
        arrays->run_count += groups + mesh->influence_count / MD5__MIN_PALETTE;

        /* So there are at most as many slots as weights. A model with few joints needs only one
           palette, in which each joint appears at most once. */
        uint64_t palette_joints = mesh->influence_count;
        if (text->joint_count <= MD5__PALETTE_SIZE && text->joint_count < palette_joints) {
            palette_joints = text->joint_count;
        }
        arrays->palette_joint_count += palette_joints;
    }
}

/* Allocates the model's block, with all vertices 0, and sets `arrays`. */
static bool md5__alloc_model(md5__loader *loader, md5__model_arrays *arrays)
{
    uint64_t bytes = md5__lay_out_model(NULL, arrays);
    uint8_t *block = (uint8_t *)md5__alloc(&loader->context, bytes);
    if (!block) {
        return false;
    }

    md5__lay_out_model(block, arrays);
    memset(arrays->model, 0, sizeof *arrays->model);
    memset(arrays->vertices, 0, (size_t)arrays->vertex_count * sizeof(md5_vertex));
    arrays->model->bytes = (size_t)bytes;
    return true;
}

/* Allocates the block and copies the lists into it. */
static bool md5__fill_model(md5__loader *loader, const md5__model_text *text,
                            md5__model_arrays *arrays)
{
    md5__string commandline = md5__string_from_text("");
    if (text->commandline) {
        md5__read_string(loader, loader->text + text->commandline, &commandline);
    }

    md5__count_arrays(text, arrays);
    arrays->string_bytes = text->string_bytes + commandline.size + 1;
    if (!md5__alloc_model(loader, arrays)) {
        return false;
    }

    md5__model_arrays cursor = *arrays;
    md5_model        *model = arrays->model;
    model->flags = loader->flags;
    model->joint_count = text->joint_count;
    model->mesh_count = text->mesh_count;
    model->joints = arrays->joints;
    model->meshes = arrays->meshes;
    model->commandline = md5__store_string(&cursor.strings, commandline);
    md5__fill_joints(loader, text, &cursor);
    md5__number_branches(arrays->joints, model->joint_count);
    for (uint32_t i = 0; i < text->mesh_count; ++i) {
        md5__fill_mesh(&text->meshes[i], text->numbers, &arrays->meshes[i], &cursor);
    }
    return true;
}

/* Replaces the text and its lists, which have been copied into the block, by scratch memory for
   building. */
static bool md5__alloc_build_scratch(md5__loader *loader, const md5__model_arrays *arrays,
                                     md5__scratch *scratch)
{
    uint64_t bytes = md5__lay_out_scratch(arrays->joint_count, arrays->vertex_count, NULL, scratch);

    /* A buffer that has to grow is released first, so that only one of the two exists at a time. */
    loader->buffer.size = 0;
    if (loader->buffer.capacity < bytes + 15) {
        md5__release(&loader->context, loader->buffer.data, loader->buffer.capacity);
        memset(&loader->buffer, 0, sizeof loader->buffer);
    }

    uint8_t *block = md5__reserve_scratch(loader, bytes, NULL);
    if (!block) {
        return false;
    }

    /* No points are known yet, and all sums are 0. */
    memset(block, 0, (size_t)bytes);
    md5__lay_out_scratch(arrays->joint_count, arrays->vertex_count, block, scratch);
    md5__clear_indices(scratch->point_keys.slots, arrays->vertex_count);
    md5__clear_indices(scratch->seam_keys.slots, arrays->vertex_count);
    md5__clear_indices(scratch->latest, arrays->vertex_count);
    scratch->point_keys.count = scratch->seam_keys.count = 0;
    return true;
}

/* Loads the model: sets loader->model, or the loader's error. */
static void md5__build_model(md5__loader *loader)
{
    if (loader->joint_scales) {
        md5__fail(&loader->context, MD5_ERROR_ARGUMENT,
                  "options.joint_scales are for animations only, not for models");
        return;
    }

    const char       *body = md5__read_version(loader);
    md5__model_text   text;
    md5__model_arrays arrays;
    if (!body || !md5__read_model_text(loader, body, &text) ||
        !md5__fill_model(loader, &text, &arrays)) {
        return;
    }

    md5_model   *model = arrays.model;
    md5__scratch scratch;
    if (!md5__alloc_build_scratch(loader, &arrays, &scratch)) {
        md5__release(&loader->context, model, model->bytes);
        return;
    }
    md5__build_meshes(model, &arrays, &scratch);

    uint64_t hash = 0;
    for (uint32_t i = 0; i < model->joint_count; ++i) {
        hash = md5__hash_word(hash, (uint32_t)model->joints[i].parent);
    }
    model->private_data.skeleton_hash = hash;
    model->defects = loader->defects;
    model->scale = loader->scale;
    model->allocator = loader->context.allocator;
    model->private_data.self = model;
    loader->model = model;
}

/* -- Loading: the text of an animation ------------------------------------ */

/* The text has six numbers for each joint: x y z of its position and x y z of its rotation, both
   relative to the parent. The list "baseframe" has all of them, once. The list "hierarchy" states
   which numbers are animated. Each list "frame" has only the animated numbers, of all joints in a
   row, called components. The list "bounds" has two corners for each frame.

   Counts come before the lists, so the size of scratch memory for all lists is known at the first
   list. The animation's block is allocated when it is known which joints move. */

typedef struct md5__anim_text {       /* animation in the text */
    uint32_t      joint_count;        /* numJoints; 0 if not found */
    uint32_t      frame_count;        /* numFrames; 0 if not found */
    uint32_t      component_count;    /* per frame; UINT32_MAX if not found */
    float         fps;                /* frameRate; 0 if not found */
    md5__string  *names;              /* [joint_count]; NULL before the first list */
    int32_t      *parents;            /* [joint_count] */
    uint32_t     *numbers;            /* [joint_count] new indices: see JOINTS IN ORDER */
    uint8_t      *flags;              /* [joint_count] bit k is set if number k is animated */
    uint32_t     *starts;             /* [joint_count] index of the first component */
    double       *base;               /* [joint_count][6] */
    double       *components;         /* [frame_count][component_count] */
    md5_bounds   *bounds;             /* [frame_count] */
    const char  **scales;             /* [joint_count] object in the .md5scale, or NULL */
    uint32_t     *name_table;         /* [2][joint_count] for md5__joint_table */
    char         *key_memory;         /* for the loader */
    uint32_t      frames_read;        /* number of frames */
    uint32_t      next_frame;         /* number that the next frame must have */
    bool          has_hierarchy, has_base;
} md5__anim_text;

/* The arrays in the block of an animation: see md5__lay_out_anim. */
typedef struct md5__anim_arrays {
    uint64_t     string_bytes;        /* the names of the animation and its joints, with NULs */
    uint64_t     bounds_count;        /* one for each frame, or none */
    md5_anim    *anim;
    const char **joint_names;         /* [joint_count] */
    int32_t     *parents;             /* [joint_count] */
    uint32_t    *slots;               /* [joint_count] */
    md5_xform   *frames;              /* [frame_count][moving_count] */
    md5_xform   *still;               /* [joints that do not move] */
    md5_bounds  *bounds;              /* [bounds_count] */
    char        *strings;
} md5__anim_arrays;

/* Returns the size of the scratch memory for the lists. Sets the pointers, or sets them to NULL if
   there is no block yet. */
static uint64_t md5__lay_out_anim_text(md5__anim_text *text, uint64_t joint_scales_size,
                                       uint8_t *block)
{
    uint64_t total = 0, joints = text->joint_count, frames = text->frame_count;
    text->names = MD5__PLACE(md5__string, joints);
    text->parents = MD5__PLACE(int32_t, joints);
    text->numbers = MD5__PLACE(uint32_t, joints);
    text->flags = MD5__PLACE(uint8_t, joints);
    text->starts = MD5__PLACE(uint32_t, joints);
    text->base = MD5__PLACE(double, 6 * joints);
    text->components = MD5__PLACE(double, frames * text->component_count);
    text->bounds = MD5__PLACE(md5_bounds, frames);
    text->scales = MD5__PLACE(const char *, joints);
    text->name_table = MD5__PLACE(uint32_t, 2 * joints);
    text->key_memory = MD5__PLACE(char, joint_scales_size);
    return total;
}

/* Checks at the first list that the counts have been read, and that the text is long enough for the
   numbers of all frames. Returns `at`, or NULL. */
static const char *md5__check_anim_counts(md5__loader *loader, const char *at,
                                          const md5__anim_text *text)
{
    if (text->joint_count == 0) {
        return md5__fail_at(loader, MD5_ERROR_SYNTAX, at,
                            "$ needs a numJoints of 1 or more before the first list");
    }
    if (text->frame_count == 0) {
        return md5__fail_at(loader, MD5_ERROR_SYNTAX, at,
                            "$ needs a numFrames of 1 or more before the first list");
    }
    if (text->component_count == UINT32_MAX) {
        return md5__fail_at(loader, MD5_ERROR_SYNTAX, at,
                            "$ needs numAnimatedComponents before the first list");
    }
    if (text->frame_count > MD5__MAX_FRAMES) {
        return md5__fail_at_numbers(loader, MD5_ERROR_LIMIT, at,
                                    "# frames are more than the limit of #",
                                    text->frame_count, MD5__MAX_FRAMES);
    }

    /* A number takes at least two bytes: a digit and a blank. */
    uint64_t text_bytes = (uint64_t)(loader->end - loader->text);
    if (2 * (uint64_t)text->frame_count * text->component_count > text_bytes) {
        return md5__fail_at_numbers(loader, MD5_ERROR_CORRUPT, at,
                                    "# frames of # numbers are too many for this text",
                                    text->frame_count, text->component_count);
    }
    return at;
}

/* Reserves scratch memory at the first list, for all lists. Returns the new position, because the
   text may move. */
static const char *md5__reserve_anim_text(md5__loader *loader, const char *at, md5__anim_text *text)
{
    if (!md5__check_anim_counts(loader, at, text)) {
        return NULL;
    }

    uint64_t bytes = md5__lay_out_anim_text(text, loader->joint_scales_size, NULL);
    uint8_t *scratch = md5__reserve_scratch(loader, bytes, &at);
    if (!scratch) {
        return NULL;
    }
    md5__lay_out_anim_text(text, loader->joint_scales_size, scratch);

    /* Bounds and an .md5scale may be missing. The other arrays are filled by lists that are
       required. */
    memset(text->bounds, 0, text->frame_count * sizeof(md5_bounds));
    memset(text->scales, 0, text->joint_count * sizeof(char *));
    return at;
}

/* Counts the components of a joint: the bits of its flags. */
static uint32_t md5__count_components(uint32_t flags)
{
    uint32_t count = 0;
    for (uint32_t k = 0; k < 6; ++k) {
        count += flags >> k & 1;
    }
    return count;
}

/* Reads a line such as "hand" 4 56 12: the name, the parent, the flags and the first component. The
   flags 56 are 32 + 16 + 8: the rotation is animated, so it is the components 12, 13 and 14 of each
   frame. */
static const char *md5__read_hierarchy_line(md5__loader *loader, const char *at, uint32_t joint,
                                            md5__anim_text *text)
{
    at = md5__read_string(loader, at, &text->names[joint]);
    at = md5__read_parent_index(loader, at, joint, text->joint_count, &text->parents[joint]);

    /* Six numbers may be animated, so flags are below 1 << 6. */
    uint32_t flags = 0;
    at = md5__read_index(loader, at, 64, "the flags $ must be below #", &flags);

    /* The joint's last component must also be in the frame: start + n <= component_count, and the
       limit is one more than the largest start. Without components, the start is not used. */
    int64_t least = INT64_MIN, limit = INT64_MAX;
    if (flags) {
        least = 0;
        limit = (int64_t)text->component_count - md5__count_components(flags) + 1;
    }
    int64_t start;
    at = md5__read_integer(loader, at, least, limit,
                           "the numbers from $ on are not among the # animated ones",
                           text->component_count, &start);

    text->flags[joint] = (uint8_t)flags;
    text->starts[joint] = flags ? (uint32_t)start : 0;
    return at;
}

/* Reads a line for each joint, in braces, and numbers the joints. */
static const char *md5__read_hierarchy(md5__loader *loader, const char *at, md5__anim_text *text)
{
    if (text->has_hierarchy) {
        return md5__fail_at(loader, MD5_ERROR_SYNTAX, at, "a second hierarchy");
    }
    text->has_hierarchy = true;

    const char *list = at;
    at = md5__read_symbol(loader, at, "{");
    for (uint32_t i = 0; at && i < text->joint_count; ++i) {
        at = md5__check_joint_is_listed(loader, at, i, text->joint_count);
        if (!at) {
            return NULL;
        }
        at = md5__read_hierarchy_line(loader, at, i, text);
    }

    at = md5__read_symbol(loader, at, "}");
    if (!at) {
        return NULL;
    }

    uint32_t looped = md5__number_joints(text->parents, text->joint_count, text->numbers);
    if (looped != MD5__NONE) {
        return md5__fail_joint_loop(loader, list, 4, looped); /* the whole line */
    }
    return at;
}

/* Reads lines such as ( -20 -8 0 ) ( 16 8 56 ): the least and the greatest corner of each frame's
   bounds, in the order of the frames. The library itself does not use them, so they need not be
   complete: missing bounds stay 0, and bounds beyond the last frame are dropped. */
static const char *md5__read_frame_bounds(md5__loader *loader, const char *at,
                                          md5__anim_text *text)
{
    const char *list = at;
    at = md5__read_symbol(loader, at, "{");
    if (!at) {
        return NULL;
    }

    at = md5__find_token(loader, at);
    for (uint32_t i = 0; md5__has_char(loader, at, '('); ++i) {
        double min[3], max[3];
        at = md5__read_tuple(loader, at, min, 3);
        at = md5__read_tuple(loader, at, max, 3);
        if (!at) {
            return NULL;
        }

        if (i < text->frame_count) {
            md5__convert_axes(loader, min, loader->scale, text->bounds[i].min);
            md5__convert_axes(loader, max, loader->scale, text->bounds[i].max);
        }
        at = md5__find_token(loader, at);
    }

    /* At anything except a corner, skip the whole list from its brace on. */
    if (!md5__has_char(loader, at, '}')) {
        return md5__skip_item(loader, list);
    }
    return at + 1;
}

/* Reads a line such as ( 0 12 30 ) ( 0 0 0.7 ) for each joint: its position and rotation. A second
   base frame replaces the first. */
static const char *md5__read_base_frame(md5__loader *loader, const char *at, md5__anim_text *text)
{
    text->has_base = true;
    at = md5__read_symbol(loader, at, "{");
    for (uint32_t i = 0; at && i < text->joint_count; ++i) {
        at = md5__check_joint_is_listed(loader, at, i, text->joint_count);
        double *base = text->base + 6 * (size_t)i;
        at = md5__read_tuple(loader, at, base, 3);
        at = md5__read_tuple(loader, at, base + 3, 3);
    }
    return md5__read_symbol(loader, at, "}");
}

/* Reads a frame from its number on, such as 12 { 0.5 -3 0 }. The first frame may have any number;
   the numbers of the next frames are consecutive. */
static const char *md5__read_frame(md5__loader *loader, const char *at, md5__anim_text *text)
{
    const char *number = at;
    uint32_t    frame = 0;
    at = md5__read_index(loader, at, INT32_MAX, "frame $ is out of range", &frame);
    if (!at) {
        return NULL;
    }

    if (text->frames_read > 0 && frame != text->next_frame) {
        return md5__fail_at_numbers(loader, MD5_ERROR_CORRUPT, md5__find_token(loader, number),
                                    "expected frame #, found frame $", text->next_frame, 0);
    }
    if (text->frames_read == text->frame_count) {
        return md5__fail_at_numbers(loader, MD5_ERROR_CORRUPT, md5__find_token(loader, number),
                                    "numFrames is #, but there is also frame $", text->frame_count,
                                    0);
    }

    double *components = text->components + (size_t)text->frames_read * text->component_count;
    ++text->frames_read;
    text->next_frame = frame + 1;

    at = md5__read_symbol(loader, at, "{");
    for (uint32_t i = 0; at && i < text->component_count; ++i) {
        at = md5__read_number(loader, at, &components[i]);
    }
    return md5__read_symbol(loader, at, "}");
}

/* Reads the frames per second; a rate of 0 or less counts as missing. A rate just above 0 must be a
   mistake, because the animation would never end. */
static const char *md5__read_frame_rate(md5__loader *loader, const char *at, float *out)
{
    const char *number = at;
    at = md5__read_float(loader, at, out);
    if (at && *out > 0 && *out < 0.001f) {
        return md5__fail_at(loader, MD5_ERROR_CORRUPT, md5__find_token(loader, number),
                            "a frameRate must be 0.001 or more, found $");
    }
    return at;
}

/* Reads one item outside all blocks: a list, a count, the frame rate or an unknown item. */
static const char *md5__read_anim_item(md5__loader *loader, const char *at, md5__anim_text *text)
{
    static const struct {             /* most items are frames, so they are first */
        char keyword[12];
        const char *(*read)(md5__loader *loader, const char *at, md5__anim_text *text);
    } lists[] = { { "frame", md5__read_frame }, { "hierarchy", md5__read_hierarchy },
                  { "baseframe", md5__read_base_frame }, { "bounds", md5__read_frame_bounds } };

    bool has_scratch = text->names != NULL;
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; ++i) {
        if (md5__match_word(loader, at, lists[i].keyword)) {
            if (!has_scratch) {
                at = md5__reserve_anim_text(loader, at, text);
                if (!at) {
                    return NULL;
                }
            }
            return lists[i].read(loader, at + strlen(lists[i].keyword), text);
        }
    }

    /* The size of scratch memory depends on the counts, so counts after the first list are
       skipped. */
    if (!has_scratch && md5__accept_word(loader, &at, "numFrames")) {
        return md5__read_count(loader, at, MD5__FRAME_BYTES, &text->frame_count);
    }
    if (!has_scratch && md5__accept_word(loader, &at, "numJoints")) {
        return md5__read_count(loader, at, MD5__HIERARCHY_BYTES, &text->joint_count);
    }
    if (!has_scratch && md5__accept_word(loader, &at, "numAnimatedComponents")) {
        return md5__read_count(loader, at, 0, &text->component_count);
    }

    if (md5__accept_word(loader, &at, "frameRate")) {
        return md5__read_frame_rate(loader, at, &text->fps);
    }
    return md5__skip_unknown_item(loader, at);
}

/* Returns the keyword of a missing list, for a message. */
static const char *md5__find_missing_list(const md5__anim_text *text)
{
    if (!text->has_hierarchy) {
        return "hierarchy";
    }
    return text->has_base ? "frame" : "baseframe";
}

/* Reads the text after its version, up to the last announced frame. */
static bool md5__read_anim_text(md5__loader *loader, const char *at, md5__anim_text *text)
{
    memset(text, 0, sizeof *text);
    text->component_count = UINT32_MAX;

    for (;;) {
        /* The last part of a different file may follow the announced frames. */
        bool has_all_frames = text->frames_read == text->frame_count;
        if (text->has_hierarchy && text->has_base && has_all_frames) {
            return true;
        }

        /* A second file may follow, which begins with its version. */
        at = md5__find_token(loader, at);
        if (at == loader->end || md5__match_word(loader, at, "MD5Version")) {
            md5__fail_expected(loader, at, md5__find_missing_list(text));
            return false;
        }

        at = md5__read_anim_item(loader, at, text);
        if (!at) {
            return false;
        }
    }
}

typedef struct md5__joint_table {     /* joints by name */
    const md5__string *names;         /* [count] by joint */
    const uint32_t    *sorted;        /* [count] joints, in the order of their names */
    uint32_t           count;
} md5__joint_table;

/* Compares two strings in lower case. Returns a number below, equal to or above 0, like strcmp. If
   a longer string begins with a shorter one, the shorter one comes first. */
static int md5__compare_ignoring_case(md5__string a, md5__string b)
{
    for (size_t i = 0; i < a.size && i < b.size; ++i) {
        int order = (uint8_t)md5__to_lower(a.text[i]) - (uint8_t)md5__to_lower(b.text[i]);
        if (order != 0) {
            return order;
        }
    }
    return (a.size > b.size ? 1 : 0) - (a.size < b.size ? 1 : 0);
}

/* Compares two strings in lower case. Strings that differ only in case are ordered by their
   bytes. */
MD5__NOINLINE int md5__compare_strings(md5__string a, md5__string b)
{
    int order = md5__compare_ignoring_case(a, b);
    return order != 0 ? order : memcmp(a.text, b.text, a.size);
}

/* Returns the first joint in the table's order whose name is equal to `name` by `compare`, or
   MD5__NONE. */
MD5__NOINLINE uint32_t md5__look_up_joint(const md5__joint_table *table, md5__string name,
                                          int (*compare)(md5__string a, md5__string b))
{
    /* Find the first entry that does not come before the name (binary search). */
    uint32_t first = 0, end = table->count;
    while (first < end) {
        uint32_t middle = first + (end - first) / 2;
        if (compare(table->names[table->sorted[middle]], name) < 0) {
            first = middle + 1;
        } else {
            end = middle;
        }
    }

    if (first == table->count) {
        return MD5__NONE; /* all names come before this name */
    }
    uint32_t joint = table->sorted[first];
    return compare(table->names[joint], name) == 0 ? joint : MD5__NONE;
}

/* Merges two sorted runs, [first, middle) and [middle, end) of `from`, to [first, end) of `to`.
   Among equal names, the name of the first run comes first. */
static void md5__merge_joint_runs(const md5__string *names, const uint32_t *from, uint32_t first,
                                  uint32_t middle, uint32_t end, uint32_t *to)
{
    uint32_t a = first, b = middle;
    for (uint32_t i = first; i < end; ++i) {
        bool takes_a = a < middle;
        if (a < middle && b < end) {
            takes_a = md5__compare_strings(names[from[a]], names[from[b]]) <= 0;
        }
        to[i] = takes_a ? from[a++] : from[b++];
    }
}

/* Sorts the joints by name; `memory` has room for 2 * count joints. The merge sort keeps joints of
   the same name in their order and is not slower for a crafted file. A hash table such as that of
   md5__number_key would not work: its keys have a fixed size, and a crafted file could give all
   names the same hash. */
static void md5__build_joint_table(md5__joint_table *table, const md5__string *names,
                                   uint32_t count, uint32_t *memory)
{
    uint32_t *from = memory;
    uint32_t *to = memory + count;
    for (uint32_t i = 0; i < count; ++i) {
        from[i] = i;
    }

    /* Runs of 1 become runs of 2, then of 4, and so on. The last run may be shorter. */
    for (uint32_t run = 1; run < count; run *= 2) {
        for (uint32_t first = 0; first < count; first += 2 * run) {
            uint32_t middle = count - first < run ? count : first + run;
            uint32_t end = count - middle < run ? count : middle + run;
            md5__merge_joint_runs(names, from, first, middle, end, to);
        }
        uint32_t *sorted = to;
        to = from;
        from = sorted;
    }

    table->names = names;
    table->count = count;
    table->sorted = from;
}

/* -- Loading: the text of an .md5scale ------------------------------------ */

/* An .md5scale is JSON: { "joint": { "scale_positions": true, "12": 0.5, ... }, ... }. The object
   of a joint contains the joint's scale in some frames, counted from 0. In all other frames the
   scale is 1. If scale_positions is true, the position of the joint in each frame is also
   multiplied by its scale.

   The first pass checks the text and finds the objects of the joints. The second pass applies the
   objects, after the frames have been stored in their block. Joints, frames and keys that do not
   exist are a defect. */

/* Returns the value of four hexadecimal digits; UINT32_MAX if there are fewer. */
static uint32_t md5__parse_hex(const char *text, size_t size)
{
    uint32_t value = 0;
    if (size < 4) {
        return UINT32_MAX;
    }

    for (size_t i = 0; i < 4; ++i) {
        char     c = md5__to_lower(text[i]);
        uint32_t digit = md5__is_digit(c) ? (uint32_t)(c - '0') : (uint32_t)c - 'a' + 10;
        if (digit > 15) {
            return UINT32_MAX;
        }
        value = 16 * value + digit;
    }
    return value;
}

/* Writes a character in UTF-8 and returns the position after it. */
static char *md5__write_utf8(char *out, uint32_t code)
{
    if (code < 0x80) {
        *out++ = (char)code;
        return out;
    }

    /* The first byte contains the number of bytes that follow, each with six bits. */
    uint32_t rest = code < 0x800 ? 1 : 2;
    if (code >= 0x10000) {
        rest = 3;
    }
    *out++ = (char)((0xff00 >> (rest + 1) & 0xff) | code >> 6 * rest);
    for (; rest > 0; --rest) {
        *out++ = (char)(0x80 | (code >> 6 * (rest - 1) & 0x3f));
    }
    return out;
}

/* Writes the character of the escape after a backslash to *out, and advances *out. Returns the
   length of the escape in the text, without the backslash. */
static size_t md5__decode_escape(const char *text, size_t size, char **out)
{
    static const char letters[] = "bfnrt", meanings[] = "\b\f\n\r\t";

    uint32_t code = *text == 'u' ? md5__parse_hex(text + 1, size - 1) : UINT32_MAX;
    if (code == UINT32_MAX) {
        const char *letter = (const char *)memchr(letters, *text, sizeof letters - 1);
        *(*out)++ = letter ? meanings[letter - letters] : *text;
        return 1;
    }

    /* A character above U+FFFF is two escapes, a surrogate pair: \ud83d\ude00. */
    size_t length = 5;
    bool   is_half = code >= 0xd800 && code < 0xdc00;
    if (is_half && size > 6 && text[5] == '\\' && text[6] == 'u') {
        uint32_t other = md5__parse_hex(text + 7, size - 7);
        if (other >= 0xdc00 && other < 0xe000) {
            code = 0x10000 + ((code - 0xd800) << 10) + (other - 0xdc00);
            length = 11;
        }
    }
    *out = md5__write_utf8(*out, code);
    return length;
}

/* Writes a JSON string to `memory`, with its escapes, such as \u0072, replaced. The result is never
   longer than the text. */
static md5__string md5__decode_json_string(md5__string string, char *memory)
{
    char *out = memory;
    for (size_t i = 0; i < string.size;) {
        char c = string.text[i++];
        if (c == '\\') { /* never the last character: see md5__find_closing_quotes */
            i += md5__decode_escape(string.text + i, string.size - i, &out);
        } else {
            *out++ = c;
        }
    }
    string.text = memory;
    string.size = (size_t)(out - memory);
    return string;
}

/* Reads a key and its colon. The key is stored in key_memory until the next key is read. */
static const char *md5__read_key(md5__loader *loader, const char *at, md5__string *key)
{
    at = md5__find_token(loader, at);
    if (!md5__has_char(loader, at, '"')) {
        return md5__fail_expected(loader, at, "a name in quotes");
    }
    at = md5__read_string(loader, at, key);
    if (!at) {
        return NULL;
    }
    *key = md5__decode_json_string(*key, loader->key_memory);
    return md5__read_symbol(loader, at, ":");
}

/* Reads the brace before an object and the first key. If the object is empty, reads it to its end,
   and key->text is NULL. */
static const char *md5__read_first_key(md5__loader *loader, const char *at, md5__string *key)
{
    key->text = NULL;
    at = md5__read_symbol(loader, at, "{");
    if (!at) {
        return NULL;
    }

    at = md5__find_token(loader, at);
    if (md5__has_char(loader, at, '}')) {
        return at + 1;
    }
    return md5__read_key(loader, at, key);
}

/* Reads the comma after a value and the next key. After the last value, reads the object to its
   end, and key->text is NULL. */
static const char *md5__read_next_key(md5__loader *loader, const char *at, md5__string *key)
{
    key->text = NULL;
    at = md5__find_token(loader, at);
    if (md5__has_char(loader, at, '}')) {
        return at + 1;
    }
    if (!md5__has_char(loader, at, ',')) {
        return md5__fail_expected(loader, at, "a comma or }");
    }
    return md5__read_key(loader, at + 1, key);
}

/* Returns the frame number of a key such as "12", or SIZE_MAX for any other key, including an empty
   key. The number may be above the number of frames. */
static size_t md5__parse_frame_key(md5__string key)
{
    size_t frame = 0;
    if (key.size == 0) {
        return SIZE_MAX;
    }

    /* Once the number is beyond all frames, no further digit is accepted, so the number cannot
       overflow. */
    for (size_t i = 0; i < key.size; ++i) {
        if (frame >= MD5__MAX_FRAMES || !md5__is_digit(key.text[i])) {
            return SIZE_MAX;
        }
        frame = frame * 10 + (size_t)(key.text[i] - '0');
    }
    return frame;
}

/* Reads the scale of a joint in one frame. */
static const char *md5__read_frame_scale(md5__loader *loader, const char *at, float *out)
{
    const char *number = at;
    at = md5__read_float(loader, at, out);
    if (at && *out < 0) {
        return md5__fail_at(loader, MD5_ERROR_CORRUPT, md5__find_token(loader, number),
                            "a scale must be from 0 to 1e9, found $");
    }
    return at;
}

/* Reads the value of a key that is not a frame: scale_positions, or an unknown key. */
static const char *md5__read_scale_option(md5__loader *loader, const char *at, md5__string key,
                                          bool *scales_positions)
{
    static const md5__string scale_positions = { "scale_positions", 15 };

    /* A value is a word, a string, an object or an array. */
    const char *value = md5__find_token(loader, at);
    if (value < loader->end && strchr("}],:", *value)) {
        return md5__fail_expected(loader, value, "a value");
    }

    if (md5__compare_strings(key, scale_positions) == 0) {
        *scales_positions = md5__match_word(loader, value, "true") != NULL;
    } else {
        loader->defects |= MD5_UNUSED_SCALES;
    }
    return md5__skip_item(loader, value);
}

/* Reads the object of a joint and applies it to the joint's transforms: the transform of frame f is
   xforms[f * stride]. If `xforms` is NULL, only checks the object. */
static const char *md5__read_joint_scales(md5__loader *loader, const char *at, md5_xform *xforms,
                                          size_t stride, size_t frame_count)
{
    bool        scales_positions = false;
    md5__string key;
    at = md5__read_first_key(loader, at, &key);
    while (at && key.text) {
        size_t frame = md5__parse_frame_key(key);
        if (frame == SIZE_MAX) {
            at = md5__read_scale_option(loader, at, key, &scales_positions);
        } else {
            float scale = 1;
            at = md5__read_frame_scale(loader, at, &scale);
            if (frame >= frame_count) {
                loader->defects |= MD5_UNUSED_SCALES;
            } else if (at && xforms) {
                xforms[frame * stride].scale = scale;
            }
        }

        if (!at) {
            return NULL;
        }
        at = md5__read_next_key(loader, at, &key);
    }

    /* The scales of all frames are only known here. */
    if (scales_positions && xforms) {
        for (size_t frame = 0; frame < frame_count; ++frame) {
            md5_xform *xform = &xforms[frame * stride];
            for (size_t axis = 0; axis < 3; ++axis) {
                xform->position[axis] *= xform->scale;
            }
        }
    }
    return at;
}

/* Reads the object of all joints, and stores the position of each joint's object. */
static const char *md5__read_all_joint_scales(md5__loader *loader, const char *at,
                                              md5__anim_text *text)
{
    md5__joint_table table;
    md5__build_joint_table(&table, text->names, text->joint_count, text->name_table);
    loader->key_memory = text->key_memory;

    md5__string key;
    at = md5__read_first_key(loader, at, &key);
    while (at && key.text) {
        uint32_t joint = md5__look_up_joint(&table, key, md5__compare_strings);
        if (joint != MD5__NONE) {
            text->scales[joint] = at; /* the last object, if a joint has several */
        } else {
            loader->defects |= MD5_UNUSED_SCALES;
        }

        at = md5__read_joint_scales(loader, at, NULL, 0, text->frame_count);
        if (!at) {
            return NULL;
        }
        at = md5__read_next_key(loader, at, &key);
    }
    return at;
}

/* Checks an .md5scale, if there is one, and stores the positions of the joints' objects. From here
   on, the .md5scale is the loader's text, and errors are in that file. The animation's text has
   been read but is kept, because the names of the joints point into it. */
static bool md5__find_joint_scales(md5__loader *loader, md5__anim_text *text)
{
    /* An .md5scale from a file follows the text in the buffer. Its address is only known here,
       because the buffer may have moved when scratch memory was reserved. */
    if (loader->joint_scales_offset) {
        loader->joint_scales = (const char *)loader->buffer.data + loader->joint_scales_offset;
    }
    if (!loader->joint_scales) {
        return true;
    }

    loader->symbols = md5__json_symbols;
    loader->reads_scales = true;
    md5__begin_text(loader, loader->joint_scales, loader->joint_scales_size);

    /* An empty .md5scale counts as none. */
    const char *at = md5__find_first_token(loader);
    if (at == loader->end) {
        return true;
    }
    at = md5__read_all_joint_scales(loader, at, text);
    if (!at) {
        return false;
    }

    /* Nothing may follow the object. */
    at = md5__find_token(loader, at);
    if (at != loader->end) {
        md5__fail_expected(loader, at, "the end of the text");
        return false;
    }
    return true;
}

/* Applies the objects of the joints, which have been checked. A joint that has an object also has a
   moving slot, so its transform in the next frame is moving_count transforms further on. */
static void md5__apply_joint_scales(md5__loader *loader, const md5__anim_text *text,
                                    const md5_anim *anim, const md5__anim_arrays *arrays)
{
    for (uint32_t i = 0; i < anim->joint_count; ++i) {
        if (text->scales[i]) {
            md5_xform *first = arrays->frames + arrays->slots[text->numbers[i]];
            md5__read_joint_scales(loader, text->scales[i], first, anim->moving_count,
                                   anim->frame_count);
        }
    }
}

/* -- Frames of an animation ----------------------------------------------- */

/* Returns the number of joints in each frame. An animation built in code may leave moving_count and
   slots 0: then all joints move. */
static uint32_t md5__count_moving_joints(const md5_anim *anim)
{
    bool moves_all = anim->moving_count == 0 && !anim->slots;
    return moves_all ? anim->joint_count : anim->moving_count;
}

/* Returns true if a joint has no parent. If an animation built in code has no parents, only joint 0
   is a root. */
static bool md5__is_root(const md5_anim *anim, uint32_t joint)
{
    return anim->parents ? anim->parents[joint] < 0 : joint == 0;
}

static float md5__get_anim_scale(const md5_anim *anim)
{
    return anim->scale > 0 ? anim->scale : 1;
}

/* Returns a joint's slot: below moving_count if the joint moves. An animation built in code may
   have no slots; then all its joints move. */
static uint32_t md5__get_anim_slot(const md5_anim *anim, uint32_t joint)
{
    return anim->slots ? anim->slots[joint] : joint;
}

/* Returns a joint's local transform in a frame. A joint that does not move has one transform for
   all frames. */
static const md5_xform *md5__anim_xform(const md5_anim *anim, uint32_t frame, uint32_t joint)
{
    uint32_t slot = md5__get_anim_slot(anim, joint), moving_count = md5__count_moving_joints(anim);
    if (slot < moving_count) {
        return anim->frames + (size_t)frame * moving_count + slot;
    }
    return anim->still + (slot - moving_count);
}

/* -- Root motion over the ground ------------------------------------------ */

/* P(frame) is the transform of joint 0 in a frame, projected onto the ground. C is the transform
   from each cycle of a loop to the next. A product applies its right factor first; ^-1 is the
   inverse. After a number of whole cycles, the transform of joint 0 on the ground is

       G(time) = C^cycles * P(frame)

   A pose without root motion keeps joint 0 at P(0). So between two times the character moves by

       motion = P(0) * G(from)^-1 * G(to) * P(0)^-1

   P(frame)   md5__get_ground_xform; between two frames, md5__find_root_at_point
   C          md5__find_cycle_motion
   motion     md5__find_root_motion */

/* A rotation about the up axis, followed by a translation along the ground. The numbers are doubles
   because root motion adds up over hours. The rotation is a complex number of length 1, so no angle
   is needed. */
typedef struct md5__ground_xform {
    double cosine, sine;              /* rotation about the up axis */
    double x, y;                      /* translation along the two ground axes */
} md5__ground_xform;

static const md5__ground_xform md5__ground_identity = { 1, 0, 0, 0 };

static uint32_t md5__get_up_axis(const md5_anim *anim)
{
    return anim->flags & MD5_Y_UP ? 1 : 2;
}

/* Returns the square root of a double in float precision. Values above FLT_MAX count as FLT_MAX. */
MD5__NOINLINE float md5__sqrt_of_double(double squared)
{
    return md5__sqrt(squared < (double)FLT_MAX ? (float)squared : FLT_MAX);
}

/* Normalizes a complex number and sets the rotation to it. If the number is NaN, or too short or
   too long to normalize, the rotation does not change. */
static void md5__set_ground_rotation(md5__ground_xform *xform, double cosine, double sine)
{
    double squared = cosine * cosine + sine * sine;
    float  rounded = (float)squared;
    if (!md5__can_normalize(rounded)) {
        return;
    }

    /* The float square root has an error of 1e-7. One Newton step reduces the error of its inverse
       to about 1e-14. */
    double inverse = 1 / (double)md5__sqrt(rounded);
    inverse *= 1.5 - 0.5 * squared * inverse * inverse;
    xform->cosine = cosine * inverse;
    xform->sine = sine * inverse;
}

/* Returns a * b + c * d. This is a separate function because gcc 12 contracts a sum of products
   next to a difference of products into fused multiply-add instructions, even if contraction is
   turned off. */
MD5__NOINLINE double md5__sum_products(double a, double b, double c, double d)
{
    return a * b + c * d;
}

/* Applies the child, then the parent. */
static md5__ground_xform md5__ground_compose(const md5__ground_xform *parent,
                                             const md5__ground_xform *child)
{
    double            c = parent->cosine, s = parent->sine;
    md5__ground_xform out = *parent;
    out.x += md5__sum_products(c, child->x, -s, child->y);
    out.y += md5__sum_products(s, child->x, c, child->y);

    double cosine = md5__sum_products(c, child->cosine, -s, child->sine);
    double sine = md5__sum_products(s, child->cosine, c, child->sine);

    /* Over many products, rounding would change the length of the rotation, so normalize it. This
       close to 1, the tangent line of 1 / sqrt(x), 1.5 - 0.5 * x, is as exact as the root. */
    double inverse = 1.5 - 0.5 * md5__sum_products(cosine, cosine, sine, sine);
    out.cosine = cosine * inverse;
    out.sine = sine * inverse;
    return out;
}

/* Returns from^-1 * to: the child that md5__ground_compose combines with the parent `from` into
   `to`. */
static md5__ground_xform md5__ground_delta(const md5__ground_xform *from,
                                           const md5__ground_xform *to)
{
    double            c = from->cosine, s = from->sine;
    double            x = to->x - from->x, y = to->y - from->y;
    md5__ground_xform out;
    out.cosine = md5__sum_products(c, to->cosine, s, to->sine);
    out.sine = md5__sum_products(c, to->sine, -s, to->cosine);
    out.x = md5__sum_products(c, x, s, y);
    out.y = md5__sum_products(c, y, -s, x);
    return out;
}

/* Interpolates from a to b: the translation linearly, the rotation along the shorter arc. */
static md5__ground_xform md5__ground_mix(const md5__ground_xform *a, const md5__ground_xform *b,
                                         double t)
{
    md5__ground_xform out = *a; /* keeps a's rotation if b's is opposite and t is 0.5 */
    out.x += (b->x - a->x) * t;
    out.y += (b->y - a->y) * t;
    md5__set_ground_rotation(&out, a->cosine + (b->cosine - a->cosine) * t,
                             a->sine + (b->sine - a->sine) * t);
    return out;
}

/* Returns `base` to the power of a whole number; a negative count uses the inverse of `base`. */
static md5__ground_xform md5__ground_power(md5__ground_xform base, double count)
{
    if (count < 0) {
        base = md5__ground_delta(&base, &md5__ground_identity);
        count = -count;
    }

    /* Exponentiation by squaring, from the lowest bit of the count to the highest. */
    md5__ground_xform result = md5__ground_identity;
    while (count >= 1) {
        double half = md5__floor(count / 2);
        if (count > 2 * half) {
            result = md5__ground_compose(&result, &base);
        }
        base = md5__ground_compose(&base, &base);
        count = half;
    }
    return result;
}

static md5_xform md5__ground_to_xform(const md5_anim *anim, const md5__ground_xform *ground)
{
    uint32_t  up = md5__get_up_axis(anim);
    md5_xform out = md5__identity;

    double coordinates[2] = { ground->x, ground->y };
    for (uint32_t i = 0; i < 2; ++i) {
        double x = coordinates[i] < (double)FLT_MAX ? coordinates[i] : (double)FLT_MAX;
        out.position[(up + 1 + i) % 3] = x > -(double)FLT_MAX ? (float)x : -FLT_MAX;
    }

    /* A quaternion holds the cosine and the sine of half the angle. Compute the larger of the two
       first and divide by it to get the other. */
    float w, sine;
    if (ground->cosine > 0) {
        w = md5__sqrt_of_double((1 + ground->cosine) / 2);
        sine = (float)ground->sine / (2 * w);
    } else {
        sine = md5__sqrt_of_double((1 - ground->cosine) / 2);
        sine = ground->sine < 0 ? -sine : sine;
        w = (float)ground->sine / (2 * sine);
    }
    out.rotation[up] = sine;
    out.rotation[3] = w;
    return out;
}

/* Projects the transform of joint 0 in a frame onto the ground. With MD5_TRAVEL, the result has the
   joint's position. With MD5_TURN, the result has the joint's rotation about the up axis since
   frame 0. */
static md5__ground_xform md5__get_ground_xform(const md5_anim *anim, uint32_t flags,
                                               uint32_t frame)
{
    uint32_t          up = md5__get_up_axis(anim);
    const md5_xform  *first = md5__anim_xform(anim, 0, 0);
    const md5_xform  *root = md5__anim_xform(anim, frame, 0);
    md5__ground_xform ground = md5__ground_identity;

    if (flags & MD5_TRAVEL) {
        ground.x = (double)root->position[(up + 1) % 3];
        ground.y = (double)root->position[(up + 2) % 3];
    }

    /* Extract the twist about the up axis from the rotation since frame 0 (swing-twist
       decomposition). The complex number w + i * up component has half the angle of the twist, so
       its square has the full angle. */
    if (flags & MD5_TURN && root != first) {
        float inverse[4], rotation[4];
        md5__quat_conjugate(first->rotation, inverse);
        md5__f4_store(rotation, md5__quat_product(root->rotation, inverse));
        double w = (double)rotation[3], sine = (double)rotation[up];
        md5__set_ground_rotation(&ground, md5__sum_products(w, w, -sine, sine), 2 * w * sine);
    }
    return ground;
}

/* Returns the inverse of the root motion since frame 0. It moves joint 0 from `ground` back to its
   transform in frame 0. */
static md5_xform md5__invert_root_motion(const md5_anim *anim, uint32_t flags,
                                         const md5__ground_xform *ground)
{
    md5__ground_xform first = md5__get_ground_xform(anim, flags, 0);
    md5__ground_xform inverse = md5__ground_delta(ground, &md5__ground_identity);
    inverse = md5__ground_compose(&first, &inverse);
    return md5__ground_to_xform(anim, &inverse);
}

typedef struct md5__root_path {       /* path of joint 0 from the first frame to the last */
    md5__ground_xform mean_step;      /* mean motion per frame, in the axes of joint 0 */
    uint32_t          net_motion;     /* MD5_TRAVEL | MD5_TURN: parts that do not return to their
                                         start within the loop */
} md5__root_path;

/* Returns true if a path does not return to its start: its net length is more than 5/8 of the sum
   of its steps. */
static bool md5__has_net_length(double net, double steps)
{
    return net > 0.625 * steps;
}

/* Measures the path over all frames. The flags select the axes of its steps: with MD5_TURN they
   rotate with joint 0, without it they are fixed. */
static md5__root_path md5__measure_root_path(const md5_anim *anim, uint32_t flags)
{
    md5__ground_xform previous = md5__get_ground_xform(anim, flags, 0);
    double            cosines = 0, sines = 0, x = 0, y = 0;               /* sums of the steps */
    double            net_rotation = 0, total_rotation = 0, distance = 0; /* sums of lengths */
    for (uint32_t i = 1; i < anim->frame_count; ++i) {
        md5__ground_xform next = md5__get_ground_xform(anim, flags, i);
        md5__ground_xform step = md5__ground_delta(&previous, &next);
        previous = next;

        x += step.x;
        y += step.y;
        distance += (double)md5__sqrt_of_double(step.x * step.x + step.y * step.y);

        /* The length of a rotation is its chord, from (1, 0) to (cosine, sine), not its angle. */
        double drop = 1 - step.cosine;
        double chord = (double)md5__sqrt_of_double(drop * drop + step.sine * step.sine);
        cosines += step.cosine;
        sines += step.sine;
        net_rotation += step.sine < 0 ? -chord : chord;
        total_rotation += chord;
    }

    md5__root_path path;
    double         count = anim->frame_count > 1 ? (double)anim->frame_count - 1 : 1;
    path.mean_step = md5__ground_identity;
    path.mean_step.x = x / count;
    path.mean_step.y = y / count;
    md5__set_ground_rotation(&path.mean_step, cosines, sines);
    path.net_motion = 0;
    if (md5__has_net_length((double)md5__sqrt_of_double(x * x + y * y), distance)) {
        path.net_motion |= MD5_TRAVEL;
    }
    if (md5__has_net_length(net_rotation < 0 ? -net_rotation : net_rotation, total_rotation)) {
        path.net_motion |= MD5_TURN;
    }
    return path;
}

/* Measures the path once, so that no pose needs to. The translation differs with and without
   MD5_TURN: a circle is a straight line in axes that rotate with joint 0, but not in fixed axes. So
   both paths are measured. The rotation is the same with and without MD5_TRAVEL, so MD5_TURN by
   itself needs no third path. */
static void md5__store_root_paths(md5_anim *anim)
{
    for (uint32_t turns = 0; turns < 2; ++turns) {
        uint32_t       flags = turns ? MD5_TRAVEL | MD5_TURN : MD5_TRAVEL;
        md5__root_path path = md5__measure_root_path(anim, flags);
        memcpy(anim->private_data.mean_step[turns], &path.mean_step, sizeof path.mean_step);
        anim->private_data.net_motion[turns] = path.net_motion;
    }
    anim->private_data.has_paths = true;
}

static md5__root_path md5__get_root_path(const md5_anim *anim, uint32_t flags)
{
    if (!anim->private_data.has_paths) {
        /* The animation was built by a program and has not been through md5_slice_anim. */
        return md5__measure_root_path(anim, flags);
    }

    uint32_t       turns = flags & MD5_TURN ? 1 : 0;
    md5__root_path path;
    memcpy(&path.mean_step, anim->private_data.mean_step[turns], sizeof path.mean_step);
    if (!(flags & MD5_TRAVEL)) {
        path.mean_step.x = path.mean_step.y = 0;
    }
    path.net_motion = flags & anim->private_data.net_motion[turns];
    return path;
}

/* Returns which parts of the root motion do not return to their start within a loop:
   MD5_TRAVEL | MD5_TURN. */
static uint32_t md5__find_net_motion(const md5_anim *anim)
{
    return md5__get_root_path(anim, MD5_TRAVEL | MD5_TURN).net_motion;
}

/* Returns the ground transform of joint 0 at the end of a loop, where the next cycle starts. Parts
   of the motion that return to their start within the loop end exactly where they began. */
static md5__ground_xform md5__find_loop_end(const md5_anim *anim, uint32_t flags)
{
    md5__ground_xform first = md5__get_ground_xform(anim, flags, 0);
    md5__ground_xform last = md5__get_ground_xform(anim, flags, anim->frame_count - 1);
    md5__ground_xform end = first;

    /* A closed loop ends with its last frame. An open loop of n frames has n steps, but shows only
       n - 1 of them: the missing step is the mean of the others. */
    uint32_t net_motion;
    if (anim->closed) {
        net_motion = md5__find_net_motion(anim);
    } else {
        md5__root_path path = md5__get_root_path(anim, flags);
        last = md5__ground_compose(&last, &path.mean_step);
        net_motion = path.net_motion;
    }
    if (net_motion & MD5_TRAVEL) {
        end.x = last.x;
        end.y = last.y;
    }
    if (net_motion & MD5_TURN) {
        end.cosine = last.cosine;
        end.sine = last.sine;
    }
    return end;
}

/* Returns the ground transform from each cycle of a loop to the next. */
static md5__ground_xform md5__find_cycle_motion(const md5_anim *anim, uint32_t flags)
{
    md5__ground_xform first = md5__get_ground_xform(anim, flags, 0);
    md5__ground_xform end = md5__find_loop_end(anim, flags);
    md5__ground_xform inverse = md5__ground_delta(&first, &md5__ground_identity);
    return md5__ground_compose(&end, &inverse);
}

/* -- Loops ---------------------------------------------------------------- */

typedef struct md5__joint_difference {    /* squared differences of a joint between two frames */
    double rotation;                  /* (4 * sin(angle / 4))^2, close to the squared angle */
    double scale, position;
} md5__joint_difference;

/* Returns a joint's local transform in a frame. The parts of the root motion in `flags` are removed
   from joints without a parent. */
static md5_xform md5__get_xform_in_place(const md5_anim *anim, uint32_t flags, uint32_t frame,
                                         uint32_t joint)
{
    md5_xform xform = *md5__anim_xform(anim, frame, joint);
    if (flags == 0 || !md5__is_root(anim, joint)) {
        return xform;
    }

    md5__ground_xform ground = md5__get_ground_xform(anim, flags, frame);
    md5_xform         inverse = md5__invert_root_motion(anim, flags, &ground);
    md5__xform_product(&inverse, &xform, &xform);
    return xform;
}

static md5__joint_difference md5__compare_joint(const md5_anim *anim, uint32_t flags,
                                                uint32_t frame_a, uint32_t frame_b,
                                                uint32_t joint)
{
    md5_xform             a = md5__get_xform_in_place(anim, flags, frame_a, joint);
    md5_xform             b = md5__get_xform_in_place(anim, flags, frame_b, joint);
    md5__joint_difference result;

    /* The angle between two unit quaternions is half the angle between their rotations. q and -q
       are the same rotation, so use b or -b, whichever is closer to a. */
    double difference = 0, negated_difference = 0;
    for (uint32_t k = 0; k < 4; ++k) {
        double p = (double)a.rotation[k], q = (double)b.rotation[k];
        difference += (p - q) * (p - q);
        negated_difference += (p + q) * (p + q);
    }
    result.rotation = 4 * (difference < negated_difference ? difference : negated_difference);

    double growth = (double)b.scale - (double)a.scale;
    result.scale = growth * growth;

    result.position = 0;
    for (uint32_t k = 0; k < 3; ++k) {
        double offset = (double)b.position[k] - (double)a.position[k];
        result.position += offset * offset;
    }
    return result;
}

typedef struct md5__bone_lengths {    /* distances of joints from their parents in frame 0 */
    double mean;                      /* 1 if there are no bones, or all have length 0 */
    double sum_of_squares;
} md5__bone_lengths;

static md5__bone_lengths md5__measure_bone_lengths(const md5_anim *anim)
{
    md5__bone_lengths bones = { 0, 0 };
    double            count = 0;
    for (uint32_t i = 0; i < anim->joint_count; ++i) {
        if (md5__is_root(anim, i)) {
            continue; /* its position is in model space, so it is not a bone */
        }
        const float *p = md5__anim_xform(anim, 0, i)->position;
        double       x = (double)p[0], y = (double)p[1], z = (double)p[2];
        double       squared = x * x + y * y + z * z;
        bones.mean += (double)md5__sqrt_of_double(squared);
        bones.sum_of_squares += squared;
        count += 1;
    }
    bones.mean = bones.mean > 0 ? bones.mean / count : 1;
    return bones;
}

/* Returns the distance between two frames: the root of the sum of all squared differences. The
   differences of rotation and scale are multiplied by the bone length, which makes them distances
   as well. */
static double md5__measure_frame_distance(const md5_anim *anim, uint32_t flags, uint32_t frame_a,
                                          uint32_t frame_b, double bone_length)
{
    double sum = 0;
    for (uint32_t i = 0; i < anim->joint_count; ++i) {
        md5__joint_difference joint = md5__compare_joint(anim, flags, frame_a, frame_b, i);
        sum += joint.position + (joint.rotation + joint.scale) * bone_length * bone_length;
    }
    return (double)md5__sqrt_of_double(sum);
}

/* Returns true if two frames differ only by rounding. Each joint may differ by 0.002 rad, by 0.0002
   in its scale, and by 0.028 % of the skeleton's size in its position. The size of a skeleton is
   the root of the sum of its squared bone lengths. */
static bool md5__are_frames_equal(const md5_anim *anim, uint32_t flags, uint32_t frame_a,
                                  uint32_t frame_b, double size_squared)
{
    for (uint32_t i = 0; i < anim->joint_count; ++i) {
        md5__joint_difference joint = md5__compare_joint(anim, flags, frame_a, frame_b, i);
        bool                  is_same = joint.rotation <= 4e-6 && joint.scale <= 4e-8 &&
                                        joint.position <= 8e-8 * size_squared;
        if (!is_same) {
            return false;
        }
    }
    return true;
}

/* Returns true if the last frame repeats the first, as in many MD5 loops. Reads the paths of joint
   0, so call md5__store_root_paths first. */
static bool md5__is_loop_closed(const md5_anim *anim)
{
    if (anim->frame_count < 2) {
        return false;
    }

    /* Frames are compared without root motion, because a root with net motion never returns to its
       first position. But if nothing else moves, as in a door, root motion is the whole animation,
       so it is kept. */
    uint32_t          last = anim->frame_count - 1, flags = md5__find_net_motion(anim);
    md5__bone_lengths bones = md5__measure_bone_lengths(anim);
    double            steps = md5__measure_frame_distance(anim, flags, 0, 1, bones.mean) +
                              md5__measure_frame_distance(anim, flags, last - 1, last, bones.mean);
    if (flags != 0) {
        double with_root = md5__measure_frame_distance(anim, 0, 0, 1, bones.mean) +
                           md5__measure_frame_distance(anim, 0, last - 1, last, bones.mean);
        if (steps < 0.001 * with_root) {
            flags = 0;
            steps = with_root;
        }
    }

    /* The noise of an exporter is less than a quarter of a step (the mean of the first step and the
       last step). In an animation that hardly moves, noise may exceed a step, so compare with
       fixed limits as well. */
    double seam = md5__measure_frame_distance(anim, flags, last, 0, bones.mean);
    return seam < steps / 8 || md5__are_frames_equal(anim, flags, last, 0, bones.sum_of_squares);
}

/* Sets everything that is derived from the frames of a loop. The order matters: `closed` depends on
   the path of joint 0. */
static void md5__measure_loop(md5_anim *anim)
{
    md5__store_root_paths(anim);
    anim->closed = md5__is_loop_closed(anim);
}

/* -- Loading: building the animation -------------------------------------- */

/* Returns the size of an animation's block. If there is a block, sets the pointers of `arrays`. */
static uint64_t md5__lay_out_anim(const md5_anim *anim, uint8_t *block, md5__anim_arrays *arrays)
{
    uint64_t total = 0, joints = anim->joint_count, frames = anim->frame_count;
    arrays->anim = MD5__PLACE(md5_anim, 1);
    arrays->joint_names = MD5__PLACE(const char *, joints);
    arrays->parents = MD5__PLACE(int32_t, joints);
    arrays->slots = MD5__PLACE(uint32_t, joints);
    arrays->frames = MD5__PLACE(md5_xform, frames * anim->moving_count);
    arrays->still = MD5__PLACE(md5_xform, joints - anim->moving_count);
    arrays->bounds = MD5__PLACE(md5_bounds, arrays->bounds_count);
    arrays->strings = MD5__PLACE(char, arrays->string_bytes);
    return total;
}

/* Allocates the block of an animation, and sets the pointers of `arrays`. The caller has set the
   counts of `anim`, and string_bytes and bounds_count of `arrays`. md5__finish_anim copies `anim`
   itself into the block. */
static bool md5__alloc_anim(md5__loader *loader, md5_anim *anim, md5__anim_arrays *arrays)
{
    uint64_t bytes = md5__lay_out_anim(anim, NULL, arrays);
    uint8_t *block = (uint8_t *)md5__alloc(&loader->context, bytes);
    if (!block) {
        return false;
    }

    md5__lay_out_anim(anim, block, arrays);
    anim->bytes = (size_t)bytes;
    return true;
}

static uint64_t md5__hash_anim_parents(const md5_anim *anim)
{
    uint64_t hash = 0;
    for (uint32_t i = 0; anim->parents && i < anim->joint_count; ++i) {
        hash = md5__hash_word(hash, (uint32_t)anim->parents[i]);
    }
    return hash;
}

/* Sets the fields that depend on the filled arrays and the loader, and copies `anim` to the
   beginning of its block. Returns the copy. */
static md5_anim *md5__finish_anim(const md5__loader *loader, md5_anim *anim,
                                  const md5__anim_arrays *arrays)
{
    anim->joint_names = arrays->joint_names;
    anim->parents = arrays->parents;
    anim->slots = arrays->slots;
    anim->frames = arrays->frames;
    anim->still = arrays->still;
    anim->bounds = arrays->bounds_count ? arrays->bounds : NULL;
    anim->allocator = loader->context.allocator;
    anim->defects = loader->defects;
    anim->flags = loader->flags;
    anim->scale = loader->scale;
    anim->fps = anim->fps > 0 ? anim->fps : 24.0f;

    anim->private_data.skeleton_hash = md5__hash_anim_parents(anim);

    anim->private_data.self = arrays->anim;
    *arrays->anim = *anim;
    return arrays->anim;
}

/* Computes a joint's local transform in a frame, in the loaded axes and scale. */
static void md5__decode_joint(const md5__loader *loader, const md5__anim_text *text, size_t frame,
                              uint32_t joint, md5_xform *out)
{
    const double *base = text->base + 6 * (size_t)joint;
    const double *components = text->components + frame * text->component_count;
    const double *animated = components + text->starts[joint];
    uint32_t      flags = text->flags[joint];

    /* The animated numbers of a joint are consecutive components; the other numbers are from the
       base. */
    double numbers[6];
    for (uint32_t k = 0; k < 6; ++k) {
        if (flags >> k & 1) {
            numbers[k] = *animated;
            ++animated;
        } else {
            numbers[k] = base[k];
        }
    }
    md5__convert_joint(loader, numbers, numbers + 3, out);
}

/* Fills the frames and the still transforms of the block. The slots are already set. */
static void md5__decode_frames(const md5__loader *loader, const md5__anim_text *text,
                               uint32_t moving_count, const md5__anim_arrays *arrays)
{
    for (uint32_t frame = 0; frame < text->frame_count; ++frame) {
        md5_xform *xforms = arrays->frames + (size_t)frame * moving_count;
        for (uint32_t joint = 0; joint < text->joint_count; ++joint) {
            uint32_t slot = arrays->slots[text->numbers[joint]];
            if (slot < moving_count) {
                md5__decode_joint(loader, text, frame, joint, &xforms[slot]);
            } else if (frame == 0) {
                md5__decode_joint(loader, text, frame, joint, &arrays->still[slot - moving_count]);
            }
        }
    }
}

/* Limits the memory for frames to 32 times the size of the text or to 8 MiB, whichever is more. An
   animation with few movements has a short text, and may need the 8 MiB. Without a limit, a crafted
   file could request any amount, because joints may share components, or move only by an .md5scale.
   If each joint has its own component, 16 times the size is enough: a transform takes 32 bytes, and
   a component at least two bytes of the text. */
static bool md5__check_anim_size(md5__loader *loader, const md5_anim *anim)
{
    uint64_t limit = 32 * (uint64_t)loader->text_bytes;
    if (limit < MD5__USUAL_FRAME_BYTES) {
        limit = MD5__USUAL_FRAME_BYTES;
    }

    uint64_t frame_bytes = (uint64_t)anim->frame_count * anim->moving_count * sizeof(md5_xform);
    if (frame_bytes > limit) {
        return md5__fail_numbers(&loader->context, MD5_ERROR_LIMIT,
                                 "# frames of # moving joints need over 8 MiB, and over 32 times "
                                 "the size of the text", NULL, anim->frame_count,
                                 anim->moving_count);
    }
    return true;
}

/* Returns true if a joint has a transform in each frame: it has components, or an object in the
   .md5scale. */
static bool md5__has_moving_slot(const md5__anim_text *text, uint32_t joint)
{
    return text->flags[joint] || text->scales[joint];
}

/* Copies the joints' names and parents into the block, and assigns slots to the joints: joints that
   move get the first slots. */
static void md5__fill_anim_joints(const md5__anim_text *text, uint32_t moving_count,
                                  md5__anim_arrays *arrays, char **strings)
{
    uint32_t moving_slot = 0, still_slot = moving_count;
    for (uint32_t i = 0; i < text->joint_count; ++i) {
        uint32_t number = text->numbers[i];
        arrays->joint_names[number] = md5__store_string(strings, text->names[i]);
        arrays->parents[number] = md5__renumber_parent(text->numbers, text->parents[i]);
        arrays->slots[number] = md5__has_moving_slot(text, i) ? moving_slot++ : still_slot++;
    }
}

/* Converts an animation in the text to a block. Returns NULL after a failure. */
static md5_anim *md5__build_anim_block(md5__loader *loader, const md5__anim_text *text)
{
    md5__anim_arrays arrays;
    md5_anim         anim;
    memset(&arrays, 0, sizeof arrays);
    memset(&anim, 0, sizeof anim);

    anim.joint_count = text->joint_count;
    anim.frame_count = text->frame_count;
    anim.fps = text->fps;
    arrays.bounds_count = anim.frame_count;
    arrays.string_bytes = (uint64_t)loader->anim_name.size + 1;
    for (uint32_t i = 0; i < text->joint_count; ++i) {
        arrays.string_bytes += (uint64_t)text->names[i].size + 1;
        if (md5__has_moving_slot(text, i)) {
            ++anim.moving_count;
        }
    }

    if (!md5__check_anim_size(loader, &anim) || !md5__alloc_anim(loader, &anim, &arrays)) {
        return NULL;
    }

    char *strings = arrays.strings;
    anim.name = md5__store_string(&strings, loader->anim_name);
    md5__fill_anim_joints(text, anim.moving_count, &arrays, &strings);
    memcpy(arrays.bounds, text->bounds, anim.frame_count * sizeof(md5_bounds));
    md5__decode_frames(loader, text, anim.moving_count, &arrays);
    md5__apply_joint_scales(loader, text, &anim, &arrays);
    return md5__finish_anim(loader, &anim, &arrays);
}

/* Loads the animation: sets loader->anim, or the loader's error. */
static void md5__build_anim(md5__loader *loader)
{
    const char    *body = md5__read_version(loader);
    md5__anim_text text;
    if (body && md5__read_anim_text(loader, body, &text) &&
        md5__find_joint_scales(loader, &text)) {
        loader->anim = md5__build_anim_block(loader, &text);
    }
    if (loader->anim) {
        md5__measure_loop(loader->anim);
    }
}

/* -- Loading: memory, reader, file ---------------------------------------- */

static const char md5__result_names[MD5_ERROR_GL + 1][24] = {
    "MD5_OK", "MD5_ERROR_ARGUMENT", "MD5_ERROR_OPEN", "MD5_ERROR_READ", "MD5_ERROR_MEMORY",
    "MD5_ERROR_LIMIT", "MD5_ERROR_NOT_MD5", "MD5_ERROR_VERSION", "MD5_ERROR_SYNTAX",
    "MD5_ERROR_CORRUPT", "MD5_ERROR_MISMATCH", "MD5_ERROR_GL"
};

MD5_API const char *md5_result_name(md5_result result)
{
    return (unsigned)result <= MD5_ERROR_GL ? md5__result_names[result] : "MD5_ERROR_UNKNOWN";
}

MD5_API uint32_t md5_library_version(void)
{
    return MD5_LIBRARY_VERSION;
}

/* Initializes the loader, which owns no memory yet. A failure is stored in its context, so that
   md5__finish_loading builds nothing and reports the failure. */
static bool md5__init_loader(md5__loader *loader, const char *name, const md5_options *options)
{
    md5_options defaults;
    if (!options) {
        memset(&defaults, 0, sizeof defaults);
        options = &defaults;
    }

    memset(loader, 0, sizeof *loader);
    if (!md5__init_context(&loader->context, &options->allocator, options->max_bytes)) {
        return false;
    }

    loader->symbols = md5__md5_symbols;
    loader->anim_name = md5__string_from_text(name);
    loader->flags = options->flags;
    loader->scale = options->scale > 0 ? options->scale : 1.0f;
    loader->joint_scales = options->joint_scales;
    loader->joint_scales_size = options->joint_scales ? options->joint_scales_size : 0;

    bool is_valid_scale = options->scale >= 0 && options->scale <= md5__max_number; /* no NaN */
    if (!is_valid_scale) {
        return md5__fail(&loader->context, MD5_ERROR_ARGUMENT,
                         "options.scale must be a number above 0 and up to 1e9");
    }
    return true;
}

/* Builds the result, unless there is already an error. Then reports the error, if any, and releases
   all memory except the result. If the text is in the loader's buffer, calls md5__begin_text for
   it; for a text in memory, the caller has already done this. */
static void md5__finish_loading(md5__loader *loader, void (*build)(md5__loader *loader),
                                md5_error *error)
{
    if (loader->buffer.data) {
        /* If an .md5scale was read, it follows the text, which ends at joint_scales_offset. */
        size_t text_size = loader->buffer.size;
        if (loader->joint_scales_offset) {
            text_size = loader->joint_scales_offset;
        }
        md5__begin_text(loader, loader->buffer.data, text_size);
    }

    if (loader->context.error.code == MD5_OK) {
        build(loader);
    }
    md5__release(&loader->context, loader->buffer.data, loader->buffer.capacity);
    md5__report_error(&loader->context, error);
}

MD5_API md5_model *md5_load_model_memory(const void *text, size_t size, const md5_options *options,
                                         md5_error *error)
{
    md5__loader loader;
    md5__init_loader(&loader, NULL, options);
    md5__begin_text(&loader, text, size);
    md5__finish_loading(&loader, md5__build_model, error);
    return loader.model;
}

MD5_API md5_anim *md5_load_anim_memory(const void *text, size_t size, const char *name,
                                       const md5_options *options, md5_error *error)
{
    md5__loader loader;
    md5__init_loader(&loader, name, options);
    md5__begin_text(&loader, text, size);
    md5__finish_loading(&loader, md5__build_anim, error);
    return loader.anim;
}

MD5_API md5_model *md5_load_model_reader(const md5_reader *reader, const md5_options *options,
                                         md5_error *error)
{
    md5__loader loader;
    if (md5__init_loader(&loader, NULL, options)) {
        md5__read_stream(&loader.context, reader, &loader.buffer);
    }
    md5__finish_loading(&loader, md5__build_model, error);
    return loader.model;
}

MD5_API md5_anim *md5_load_anim_reader(const md5_reader *reader, const char *name,
                                       const md5_options *options, md5_error *error)
{
    md5__loader loader;
    if (md5__init_loader(&loader, name, options)) {
        md5__read_stream(&loader.context, reader, &loader.buffer);
    }
    md5__finish_loading(&loader, md5__build_anim, error);
    return loader.anim;
}

#ifndef MD5_NO_STDIO
MD5_API md5_model *md5_load_model_file(const char *path, const md5_options *options,
                                       md5_error *error)
{
    md5__loader loader;
    if (md5__init_loader(&loader, NULL, options)) {
        md5__read_file(&loader.context, path, &loader.buffer);
    }
    md5__finish_loading(&loader, md5__build_model, error);
    return loader.model;
}

/* Reads the .md5scale next to the animation, if there is one, and appends it to the text in the
   buffer. `stem_end` is the length of the path without its extension. */
static void md5__read_scales_file(md5__loader *loader, const char *path, size_t stem_end)
{
    size_t text_size = loader->buffer.size;
    if (loader->joint_scales || text_size == 0) {
        return; /* the options already have scales, or there is no text */
    }

    static const char extension[] = ".md5scale";
    size_t            path_size = stem_end + sizeof extension; /* with its NUL */
    char             *scales_path = (char *)md5__alloc(&loader->context, path_size);
    if (!scales_path) {
        return;
    }
    memcpy(scales_path, path, stem_end);
    memcpy(scales_path + stem_end, extension, sizeof extension);

    if (md5__read_file(&loader->context, scales_path, &loader->buffer)) {
        loader->joint_scales_offset = text_size;
        loader->joint_scales_size = loader->buffer.size - text_size;
    } else if (loader->context.error.code == MD5_ERROR_OPEN) {
        memset(&loader->context.error, 0, sizeof loader->context.error); /* there is no .md5scale */
    }
    md5__release(&loader->context, scales_path, path_size);
}

MD5_API md5_anim *md5_load_anim_file(const char *path, const md5_options *options,
                                     md5_error *error)
{
    md5__loader    loader;
    md5__file_name name = md5__parse_file_name(path);
    if (md5__init_loader(&loader, NULL, options) &&
        md5__read_file(&loader.context, path, &loader.buffer)) {
        size_t folder_length = (size_t)(name.text - path);
        md5__read_scales_file(&loader, path, folder_length + name.stem_length);
    }

    loader.anim_name.text = name.text;
    loader.anim_name.size = name.stem_length;
    md5__finish_loading(&loader, md5__build_anim, error);
    return loader.anim;
}
#endif

/* The struct is in the block to be released, so its allocator is copied first. */

MD5_API void md5_free_model(md5_model *model)
{
    if (model && model->private_data.self == model) {
        md5_allocator allocator = model->allocator;
        allocator.release(allocator.user, model, model->bytes);
    }
}

MD5_API void md5_free_anim(md5_anim *anim)
{
    if (anim && anim->private_data.self == anim) {
        md5_allocator allocator = anim->allocator;
        allocator.release(allocator.user, anim, anim->bytes);
    }
}

/* -- Skeletons: find and check -------------------------------------------- */

/* Writes the bind pose of a joint relative to its parent. */
static void md5__get_local_bind(const md5_model *model, uint32_t joint, md5_xform *out)
{
    const md5_joint *child = &model->joints[joint];
    if (child->parent >= 0) {
        md5__xform_delta(&model->joints[child->parent].bind, &child->bind, out);
    } else {
        *out = child->bind;
    }
}

MD5_API int md5_find_joint(const md5_model *model, const char *name)
{
    int first_ignoring_case = -1;
    if (!model || !name) {
        return -1;
    }

    for (uint32_t i = 0; i < model->joint_count; ++i) {
        if (strcmp(model->joints[i].name, name) == 0) {
            return (int)i;
        }
        if (first_ignoring_case < 0 &&
            md5__equals_ignoring_case(model->joints[i].name, name)) {
            first_ignoring_case = (int)i;
        }
    }
    return first_ignoring_case;
}

/* Compares the joints: their number, and the parent of each. */
static bool md5__check_same_skeleton(md5__context *context, const md5_model *model,
                                     const md5_anim *anim)
{
    if (anim->joint_count != model->joint_count) {
        return md5__fail_numbers(context, MD5_ERROR_MISMATCH,
                                 "the animation has # joints, the model has #: "
                                 "md5_retarget_anim makes a copy that fits", NULL,
                                 anim->joint_count, model->joint_count);
    }

    for (uint32_t i = 0; anim->parents && i < model->joint_count; ++i) {
        if (model->joints[i].parent != anim->parents[i]) {
            const char *joint = anim->joint_names ? anim->joint_names[i] : model->joints[i].name;
            char        name[80]; /* the beginning of a long name, so that the rest fits */
            size_t      size = md5__append_text(name, 0, sizeof name, joint);
            name[size] = 0;
            return md5__fail_numbers(context, MD5_ERROR_MISMATCH,
                                     "joint # \"$\" has a different parent than in the model: "
                                     "md5_retarget_anim makes a copy that fits", name, i, 0);
        }
    }
    return true;
}

/* Checks that the model and the animation are not NULL, that the animation has frames, and that
   both have the same axes and scale. */
MD5__COLD bool md5__check_same_space(md5__context *context, const md5_model *model,
                                     const md5_anim *anim)
{
    if (!model || !anim) {
        return md5__fail(context, MD5_ERROR_ARGUMENT, "no model or no animation is given");
    }
    if (anim->frame_count == 0) {
        return md5__fail(context, MD5_ERROR_ARGUMENT, "the animation has no frames");
    }
    if ((model->flags ^ anim->flags) & MD5_Y_UP) {
        return md5__fail(context, MD5_ERROR_MISMATCH,
                         "only one of model and animation was loaded with MD5_Y_UP");
    }
    if (model->scale != md5__get_anim_scale(anim)) {
        return md5__fail(context, MD5_ERROR_MISMATCH,
                         "the animation was loaded with a different options.scale than the model");
    }
    return true;
}

MD5_API md5_result md5_check_anim(const md5_model *model, const md5_anim *anim, md5_error *error)
{
    md5__context context;
    memset(&context, 0, sizeof context);
    if (md5__check_same_space(&context, model, anim)) {
        md5__check_same_skeleton(&context, model, anim);
    }
    md5__report_error(&context, error);
    return context.error.code;
}

/* Returns true if md5_check_anim finds no error. The model must not be NULL. */
static bool md5__anim_fits_model(const md5_model *model, const md5_anim *anim)
{
    /* If the hashes are equal, the parents need not be compared. */
    bool is_known_to_fit = anim && anim->joint_count == model->joint_count &&
                           anim->private_data.skeleton_hash == model->private_data.skeleton_hash &&
                           anim->scale == model->scale && anim->frame_count > 0 &&
                           ((model->flags ^ anim->flags) & MD5_Y_UP) == 0;
    return is_known_to_fit || md5_check_anim(model, anim, NULL) == MD5_OK;
}

/* -- Skeletons: retarget -------------------------------------------------- */

/* If a joint of the model has a match in the animation, the joint follows the match: in model
   space, it rotates away from its bind pose as the match rotates away from the bind pose of the
   source. Let G be rotations of the animation in model space, and B the rotations in the bind poses
   of the source and of the model. Then

       G of the joint = G of the match * (B of the match)^-1 * B of the joint

   Between the joint and its nearest ancestor that also has a match, the animation only contains

       change = (G of the ancestor's match)^-1 * G of the match

   The joint's parent is this ancestor, or has no match and moves rigidly with the ancestor. So
   relative to the parent,

       rotation = before * change * after
       before   = (B of the parent)^-1 * B of the ancestor's match
       after    = (B of the match)^-1 * B of the joint

   The position of the joint is its position in the bind pose plus an offset. The offset comes from
   the source: it is how far the match has moved from its position in the bind pose, seen from the
   ancestor's match. `before` rotates the offset into the parent's axes, and `ratio` scales it. */

typedef struct md5__follower {        /* joint of the copy */
    uint32_t  match;                  /* joint of the animation to follow, or MD5__NONE */
    uint32_t  ancestor;               /* nearest ancestor with a match, or MD5__NONE */
    uint32_t  base;                   /* match of `ancestor`, or MD5__NONE */
    float     before[4], after[4];    /* see the formulas above */
    float     source_offset[3];       /* bind pose: position of the match relative to `base` */
    float     ratio;                  /* distances in the copy / distances in the animation */
    md5_xform bind;                   /* bind pose of the joint relative to its parent */
} md5__follower;

typedef struct md5__retargeting {
    const md5_model *model, *source;  /* source: if NULL, transforms are copied unchanged */
    const md5_anim  *anim;
    md5__follower   *followers;       /* [model->joint_count] */
    md5_xform       *pose;            /* [anim->joint_count] one frame, model space */
    md5__string     *names;           /* [anim->joint_count] */
    uint8_t         *is_matched;      /* [anim->joint_count] true if it is matched by name */
    uint32_t        *name_table;      /* [2][anim->joint_count] for md5__joint_table */
} md5__retargeting;

/* Returns the size of the scratch memory to retarget. If there is a block, sets the pointers. */
static uint64_t md5__lay_out_retargeting(md5__retargeting *task, uint8_t *block)
{
    uint64_t total = 0, joints = task->anim->joint_count;
    task->followers = MD5__PLACE(md5__follower, task->model->joint_count);
    task->pose = MD5__PLACE(md5_xform, joints);
    task->names = MD5__PLACE(md5__string, joints);
    task->is_matched = MD5__PLACE(uint8_t, joints);
    task->name_table = MD5__PLACE(uint32_t, 2 * joints);
    return total;
}

/* Returns the animation's joint named `name`, for the model's joint `index`: the joint with the
   same index if it has the name; otherwise the first joint that has the name; otherwise a joint
   whose name differs only in case; otherwise MD5__NONE. */
static uint32_t md5__match_joint(const md5__joint_table *table, md5__string name, uint32_t index)
{
    if (index < table->count && md5__compare_strings(table->names[index], name) == 0) {
        return index;
    }
    uint32_t exact = md5__look_up_joint(table, name, md5__compare_strings);
    return exact != MD5__NONE ? exact
                              : md5__look_up_joint(table, name, md5__compare_ignoring_case);
}

/* Matches joints that have the same name, and marks these joints of the animation. */
static void md5__match_joints_by_name(md5__retargeting *task)
{
    const md5_anim *anim = task->anim;
    uint32_t        name_count = anim->joint_names ? anim->joint_count : 0;
    for (uint32_t i = 0; i < name_count; ++i) {
        task->names[i] = md5__string_from_text(anim->joint_names[i]);
    }
    md5__joint_table table;
    md5__build_joint_table(&table, task->names, name_count, task->name_table);

    memset(task->is_matched, 0, anim->joint_count);
    for (uint32_t i = 0; i < task->model->joint_count; ++i) {
        md5__string name = md5__string_from_text(task->model->joints[i].name);
        uint32_t    match = md5__match_joint(&table, name, i);
        task->followers[i].match = match;
        if (match != MD5__NONE) {
            task->is_matched[match] = 1;
        }
    }
}

/* Returns the parent of a joint of the animation. If the animation has no parents, returns the
   parent in the model that the animation was made for. */
static int32_t md5__get_anim_parent(const md5__retargeting *task, uint32_t joint)
{
    const md5_model *base = task->source ? task->source : task->model;
    return task->anim->parents ? task->anim->parents[joint] : base->joints[joint].parent;
}

/* Matches the other joints by index. Joint i of the model is matched with joint i of the animation
   if neither has a match yet, and if their parents match each other or both have no parent. With a
   source, the models have different bones, so only roots are matched. */
static void md5__match_joints_by_index(md5__retargeting *task)
{
    const md5_model *model = task->model;
    const md5_anim  *anim = task->anim;
    for (uint32_t i = 0; i < model->joint_count && i < anim->joint_count; ++i) {
        if (task->followers[i].match != MD5__NONE || task->is_matched[i]) {
            continue;
        }

        int32_t parent = model->joints[i].parent, anim_parent = md5__get_anim_parent(task, i);
        bool    is_same = parent < 0 && anim_parent < 0;
        if (parent >= 0 && anim_parent >= 0 && !task->source) {
            is_same = task->followers[parent].match == (uint32_t)anim_parent;
        }
        if (is_same) {
            task->followers[i].match = i;
        }
    }
}

/* Finds the match of each joint, and of its nearest ancestor that has a match. Returns the number
   of joints that the animation lacks. */
static uint32_t md5__match_joints(md5__retargeting *task)
{
    md5__match_joints_by_name(task);
    md5__match_joints_by_index(task);

    uint32_t missing_count = 0;
    for (uint32_t i = 0; i < task->model->joint_count; ++i) {
        const md5_joint *joint = &task->model->joints[i];
        md5__follower   *follower = &task->followers[i];
        missing_count += follower->match == MD5__NONE ? 1 : 0;

        follower->ancestor = follower->base = MD5__NONE;
        if (joint->parent >= 0) {
            const md5__follower *parent = &task->followers[joint->parent];
            bool                 is_nearest = parent->match != MD5__NONE;
            follower->ancestor = is_nearest ? (uint32_t)joint->parent : parent->ancestor;
            follower->base = is_nearest ? parent->match : parent->base;
        }
    }
    return missing_count;
}

static float md5__measure_distance(const float a[3], const float b[3])
{
    float offset[3];
    for (uint32_t k = 0; k < 3; ++k) {
        offset[k] = b[k] - a[k];
    }
    return md5__sqrt(md5__vec3_dot(offset, offset));
}

/* Returns the diagonal of the bounding box of all joints that have a match, or with `of_source`, of
   their matches. */
static float md5__measure_skeleton(const md5__retargeting *task, bool of_source)
{
    md5__f4 low = md5__f4_splat(FLT_MAX), high = md5__f4_splat(-FLT_MAX);
    for (uint32_t i = 0; i < task->model->joint_count; ++i) {
        uint32_t match = task->followers[i].match;
        if (match == MD5__NONE) {
            continue;
        }
        const md5_joint *joint = of_source ? &task->source->joints[match] : &task->model->joints[i];
        md5__f4          position = md5__f4_load(joint->bind.position);
        low = md5__f4_min(low, position);
        high = md5__f4_max(high, position);
    }

    float min[3], max[3];
    md5__store_bounds(low, high, min, max);
    return md5__measure_distance(min, max);
}

/* Returns the ratio of the lengths of two bones. If one of them is at most 0.001 of its skeleton's
   size, returns the ratio of the skeletons' sizes instead, because such a length may be a rounding
   error. Returns 1 if the source has no size or is so small that the ratio would exceed 1e9. */
static float md5__find_ratio(float bone, float size, float source_bone, float source_size)
{
    bool  have_length = bone > 0.001f * size && source_bone > 0.001f * source_size;
    float ratio = have_length ? bone / source_bone : size / source_size;
    return ratio <= md5__max_number ? ratio : 1.0f; /* false for NaN */
}

/* Returns the bind pose of a joint, or the identity for MD5__NONE. A root's parent, -1, becomes
   MD5__NONE when it is converted to uint32_t. */
static const md5_xform *md5__find_bind(const md5_model *model, uint32_t joint)
{
    return joint != MD5__NONE ? &model->joints[joint].bind : &md5__identity;
}

/* Computes the constants with which joints follow their matches. */
static void md5__plan_followers(md5__retargeting *task)
{
    const md5_model *model = task->model, *source = task->source;
    float            size = md5__measure_skeleton(task, false);
    float            source_size = md5__measure_skeleton(task, true);

    for (uint32_t i = 0; i < model->joint_count; ++i) {
        md5__follower   *follower = &task->followers[i];
        const md5_joint *joint = &model->joints[i];
        if (follower->match == MD5__NONE) {
            continue;
        }
        const md5_xform *parent = md5__find_bind(model, (uint32_t)joint->parent);
        const md5_xform *ancestor = md5__find_bind(model, follower->ancestor);
        const md5_xform *base = md5__find_bind(source, follower->base);
        const md5_xform *match = md5__find_bind(source, follower->match);

        md5_xform offset;
        float     inverse[4];
        md5__quat_conjugate(parent->rotation, inverse);
        md5__quat_multiply(inverse, base->rotation, follower->before);
        md5__quat_conjugate(match->rotation, inverse);
        md5__quat_multiply(inverse, joint->bind.rotation, follower->after);
        md5__xform_delta(base, match, &offset);
        memcpy(follower->source_offset, offset.position, sizeof follower->source_offset);

        /* The bone begins at the nearest ancestor that has a match. A root has no bone. */
        float bone = 0, source_bone = 0;
        if (follower->base != MD5__NONE) {
            bone = md5__measure_distance(ancestor->position, joint->bind.position);
            source_bone = md5__measure_distance(base->position, match->position);
        }
        follower->ratio = md5__find_ratio(bone, size, source_bone, source_size);
    }
}

/* Returns true if the animation stores the transform of the match relative to `base`, as the copy
   needs it, or if there is no source and transforms are copied. */
static bool md5__is_match_child_of_base(const md5__retargeting *task, const md5__follower *follower)
{
    return !task->source ||
           (uint32_t)task->source->joints[follower->match].parent == follower->base;
}

/* Writes the transform of a joint in a frame. If md5__is_match_child_of_base is false for the
   joint, task->pose must contain this frame. */
static void md5__follow(const md5__retargeting *task, const md5__follower *follower,
                        uint32_t frame, md5_xform *out)
{
    if (follower->match == MD5__NONE) {
        *out = follower->bind;
        return;
    }

    *out = *md5__anim_xform(task->anim, frame, follower->match);
    if (!task->source) {
        return;
    }

    if (!md5__is_match_child_of_base(task, follower)) {
        *out = task->pose[follower->match];
        if (follower->base != MD5__NONE) {
            md5__xform_delta(&task->pose[follower->base], out, out);
        }
    }

    md5__quat_multiply(follower->before, out->rotation, out->rotation);
    md5__quat_multiply(out->rotation, follower->after, out->rotation);

    float offset[4] = { 0, 0, 0, 0 };
    for (uint32_t k = 0; k < 3; ++k) {
        offset[k] = out->position[k] - follower->source_offset[k];
    }
    md5__f4_store(offset, md5__quat_rotate(follower->before, md5__f4_load(offset)));
    for (uint32_t k = 0; k < 3; ++k) {
        out->position[k] = follower->bind.position[k] + follower->ratio * offset[k];
    }
}

/* Writes a frame to task->pose, in model space. The animation fits the source. */
static void md5__pose_source(const md5__retargeting *task, uint32_t frame)
{
    for (uint32_t i = 0; i < task->anim->joint_count; ++i) {
        task->pose[i] = *md5__anim_xform(task->anim, frame, i);
    }
    md5_pose_to_model_space(task->source, task->pose, task->pose);
}

/* Returns true if a joint has a transform in each frame of the copy. */
static bool md5__is_moving_follower(const md5__retargeting *task, const md5__follower *follower)
{
    if (follower->match == MD5__NONE) {
        return false;
    }
    return !md5__is_match_child_of_base(task, follower) ||
           md5__get_anim_slot(task->anim, follower->match) < md5__count_moving_joints(task->anim);
}

/* Fills the joints of the block, and assigns their slots: joints that move get the first slots. */
static void md5__fill_retargeted_joints(const md5__retargeting *task, uint32_t moving_count,
                                        md5__anim_arrays *arrays, char **strings)
{
    uint32_t moving_slot = 0, still_slot = moving_count;
    for (uint32_t i = 0; i < task->model->joint_count; ++i) {
        const md5_joint *joint = &task->model->joints[i];
        arrays->joint_names[i] = md5__store_string(strings, md5__string_from_text(joint->name));
        arrays->parents[i] = joint->parent;
        bool moves = md5__is_moving_follower(task, &task->followers[i]);
        arrays->slots[i] = moves ? moving_slot++ : still_slot++;
    }
}

/* Fills the frames and the still transforms of the block. The slots are already set. */
static void md5__fill_retargeted_frames(const md5__retargeting *task, uint32_t moving_count,
                                        const md5__anim_arrays *arrays)
{
    for (uint32_t frame = 0; frame < task->anim->frame_count; ++frame) {
        if (task->source) {
            md5__pose_source(task, frame);
        }
        md5_xform *xforms = arrays->frames + (size_t)frame * moving_count;
        for (uint32_t i = 0; i < task->model->joint_count; ++i) {
            uint32_t slot = arrays->slots[i];
            if (slot < moving_count) {
                md5__follow(task, &task->followers[i], frame, &xforms[slot]);
            } else if (frame == 0) {
                md5__follow(task, &task->followers[i], 0, &arrays->still[slot - moving_count]);
            }
        }
    }
}

/* Builds the copy. Returns NULL if there is not enough memory for it. */
static md5_anim *md5__build_retargeted_anim(md5__loader *loader, const md5__retargeting *task)
{
    md5__string      name = md5__string_from_text(task->anim->name);
    md5_anim         copy = *task->anim;
    md5__anim_arrays arrays;
    memset(&arrays, 0, sizeof arrays);
    copy.joint_count = task->model->joint_count;
    copy.moving_count = 0;
    arrays.string_bytes = (uint64_t)name.size + 1;
    for (uint32_t i = 0; i < copy.joint_count; ++i) {
        arrays.string_bytes += strlen(task->model->joints[i].name) + 1;
        if (md5__is_moving_follower(task, &task->followers[i])) {
            ++copy.moving_count;
        }
    }

    if (!md5__alloc_anim(loader, &copy, &arrays)) {
        return NULL;
    }

    char *strings = arrays.strings;
    copy.name = md5__store_string(&strings, name);
    md5__fill_retargeted_joints(task, copy.moving_count, &arrays, &strings);
    md5__fill_retargeted_frames(task, copy.moving_count, &arrays);

    /* `closed` is copied, even if the copy lacks the joints that determined it. */
    md5_anim *finished = md5__finish_anim(loader, &copy, &arrays);
    md5__store_root_paths(finished);
    return finished;
}

/* Matches the joints in scratch memory, and builds the copy. Returns NULL on failure. */
static md5_anim *md5__retarget_joints(md5__loader *loader, md5__retargeting *task,
                                      uint32_t *missing)
{
    uint64_t bytes = md5__lay_out_retargeting(task, NULL);
    uint8_t *block = md5__reserve_scratch(loader, bytes, NULL);
    if (!block) {
        return NULL;
    }
    md5__lay_out_retargeting(task, block);

    uint32_t missing_count = md5__match_joints(task);
    for (uint32_t i = 0; i < task->model->joint_count; ++i) {
        md5__get_local_bind(task->model, i, &task->followers[i].bind);
    }
    if (task->source) {
        md5__plan_followers(task);
    }
    md5_anim *result = md5__build_retargeted_anim(loader, task);
    if (result && missing) {
        *missing = missing_count;
    }
    return result;
}

/* Checks the arguments: the animation must have the axes and scale of the model, and must fit the
   source, if there is one. */
MD5__COLD bool md5__check_retargeting(md5__context *context, const md5__retargeting *task)
{
    if (!md5__check_same_space(context, task->model, task->anim)) {
        return false;
    }
    if (!task->source) {
        return true;
    }
    if (!md5__check_same_space(context, task->source, task->anim)) {
        return false;
    }
    return md5__check_same_skeleton(context, task->source, task->anim) ||
           md5__fail(context, MD5_ERROR_MISMATCH,
                     "the source is not the model that the animation was made for");
}

MD5_API md5_anim *md5_retarget_anim(const md5_model *model, const md5_model *source,
                                    const md5_anim *anim, uint32_t *missing,
                                    const md5_options *options, md5_error *error)
{
    md5__loader loader;
    memset(&loader, 0, sizeof loader);
    const md5_allocator *allocator = options ? &options->allocator : NULL;
    bool                 is_ready = md5__init_context(&loader.context, allocator,
                                                      options ? options->max_bytes : 0);

    md5__retargeting task;
    memset(&task, 0, sizeof task);
    task.model = model;
    task.source = source;
    task.anim = anim;

    md5_anim *result = NULL;
    if (is_ready && md5__check_retargeting(&loader.context, &task)) {
        loader.defects = anim->defects;
        loader.flags = anim->flags;
        loader.scale = md5__get_anim_scale(anim);
        result = md5__retarget_joints(&loader, &task, missing);
    }
    md5__release(&loader.context, loader.buffer.data, loader.buffer.capacity); /* scratch memory */
    md5__report_error(&loader.context, error);
    return result;
}

/* -- Textures: paths ------------------------------------------------------ */

enum { MD5__EXTENSION_COUNT = 8 };

/* On case-sensitive file systems, extensions in upper case are different files. */
static const char md5__image_extensions[MD5__EXTENSION_COUNT][6] = {
    ".tga", ".png", ".jpg", ".jpeg", ".bmp", ".TGA", ".PNG", ".JPG"
};

/* Returns true if a name is longer than the suffix and ends with it, ignoring case. The suffix must
   be in lower case. */
static bool md5__has_suffix(const char *name, size_t length, const char *suffix)
{
    size_t suffix_length = strlen(suffix);
    return length > suffix_length &&
           md5__begins_with(name + (length - suffix_length), suffix_length, suffix);
}

/* Returns the length of a name without the suffix for the kind of texture: _d or _diffuse
   (diffuse), _local (normal map), _h (height), _s (specular). */
static size_t md5__base_name_length(md5__file_name name)
{
    static const char suffixes[][9] = { "_d", "_diffuse", "_local", "_h", "_s" };
    for (size_t i = 0; i < sizeof suffixes / sizeof suffixes[0]; ++i) {
        if (md5__has_suffix(name.text, name.stem_length, suffixes[i])) {
            return name.stem_length - strlen(suffixes[i]);
        }
    }
    return name.stem_length;
}

/* Returns the name of a shader. Only the extension of a picture is removed: "arm.v2" is a name. */
static md5__file_name md5__parse_shader_name(const char *shader)
{
    static const char extensions[][6] = {
        ".tga", ".png", ".jpg", ".jpeg", ".bmp", ".pcx", ".dds", ".wal", ".lmp", ".webp"
    };

    md5__file_name name = md5__parse_file_name(shader);
    for (size_t i = 0; i < sizeof extensions / sizeof extensions[0]; ++i) {
        if (md5__equals_ignoring_case(name.text + name.stem_length, extensions[i])) {
            return name;
        }
    }
    name.stem_length = name.length;
    return name;
}

/* Lists the possible names of a diffuse texture, the most likely first: the name of the shader, and
   names derived from it. A name that is already in the list is not added again. */
static void md5__list_texture_names(md5__candidate_list *list, md5__file_name shader)
{
    size_t length = md5__base_name_length(shader);
    bool   has_suffix = length < shader.stem_length;

    /* "imp_local" names a different kind of texture, so the full name comes last. Among the
       suffixes, only those of a diffuse texture have a d after the underscore at `length`. */
    if (!has_suffix || md5__to_lower(shader.text[length + 1]) == 'd') {
        md5__add_candidates(list, shader.text, shader.stem_length, "");
    }
    md5__add_candidates(list, shader.text, length, "_d");
    md5__add_candidates(list, shader.text, length, "_diffuse");
    md5__add_candidates(list, shader.text, length, "");
    md5__add_candidates(list, shader.text, shader.stem_length, "");

    /* "ogre_00_00" is the first picture of the first skin of the shader "ogre" in Quake's
       re-release. */
    md5__add_candidates(list, shader.text, length, "_00_00");
}

MD5_API bool md5_find_texture(const md5_model *model, const char *model_path, uint32_t mesh,
                              bool (*is_found)(void *user, const char *path), void *user,
                              char *out, size_t out_size)
{
    if (!model || mesh >= model->mesh_count || !out || out_size == 0) {
        return false;
    }

    md5__candidate_list list;
    list.count = 0;
    md5__list_texture_names(&list, md5__parse_shader_name(model->meshes[mesh].shader));

    md5__file_name model_name = md5__parse_file_name(model_path);
    md5__add_candidates(&list, model_name.text, model_name.stem_length, "");

    md5__path_search search = { model_path, is_found, user, out, out_size };
    if (!is_found) {
        search.is_found = md5__is_file;
    }
    return md5__try_candidates(&search, &list, md5__image_extensions, MD5__EXTENSION_COUNT, 0);
}

/* -- Textures: pictures ---------------------------------------------------- */

/* Fails if the model has no mesh of this number. The function is inline because nothing calls it
   without textures and OpenGL. */
static inline bool md5__check_mesh_number(md5__context *context, const md5_model *model,
                                          uint32_t mesh)
{
    if (mesh >= model->mesh_count) {
        return md5__fail_numbers(context, MD5_ERROR_ARGUMENT,
                                 "there is no mesh #: the model has #, counted from 0", NULL, mesh,
                                 model->mesh_count);
    }
    return true;
}

#if defined(MD5_STB_IMAGE) && !defined(MD5_NO_STDIO)

/* [twin: images] */
/* A header before the pixels of an image, with the data that is needed to release both. */
typedef struct md5__image_header {
    md5_allocator allocator;
    size_t        size;               /* of the block: this header and the pixels */
} md5__image_header;

/* Rounded up, so that the pixels have the alignment of the block. */
enum { MD5__IMAGE_HEADER_BYTES = (sizeof(md5__image_header) + 15) / 16 * 16 };

/* Returns memory for the pixels of an image; NULL and an error if there is not enough. */
static uint8_t *md5__alloc_image(md5__context *context, uint32_t width, uint32_t height)
{
    uint64_t size = MD5__IMAGE_HEADER_BYTES + (uint64_t)width * height * 4;
    uint8_t *block = (uint8_t *)md5__alloc(context, size);
    if (!block) {
        return NULL;
    }

    md5__image_header header = { context->allocator, (size_t)size };
    memcpy(block, &header, sizeof header);
    return block + MD5__IMAGE_HEADER_BYTES;
}

MD5_API void md5_free_image(uint8_t *pixels)
{
    if (!pixels) {
        return;
    }

    /* Copy the header, because it is in the block that is released. */
    uint8_t          *block = pixels - MD5__IMAGE_HEADER_BYTES;
    md5__image_header header;
    memcpy(&header, block, sizeof header);
    header.allocator.release(header.allocator.user, block, header.size);
}
/* [/twin: images] */

/* [twin: pictures] */
typedef struct md5__picture_search {  /* a search for the picture of a model */
    md5__context context;             /* allocates the path and pixels; holds the error */
    char        *path;                /* the path to try; if no file is found, the first path */
    size_t       path_size;
    uint8_t     *pixels;              /* RGBA, top row first; NULL if no picture is found */
    uint32_t     width, height;
} md5__picture_search;

/* Decodes a file to search->pixels. On failure, the message contains the path of the file. The two
   headers define this function differently, after the code that they share. */
static void md5__decode_picture(md5__picture_search *search, const md5__buffer *file);

static void md5__append_path(md5__picture_search *search)
{
    md5__append_to_message(&search->context.error, ": ");
    md5__append_to_message(&search->context.error, search->path);
}

static void md5__decode_with_stb(md5__picture_search *search, const md5__buffer *file)
{
    /* The 4 requests RGBA, for any number of channels in the file. */
    int      width, height, channels;
    uint8_t *decoded = stbi_load_from_memory(file->data, (int)file->size, &width, &height,
                                             &channels, 4);
    if (!decoded) {
        /* A build of stb_image may lack the format, and may also lack the texts of its errors. */
        const char *reason = stbi_failure_reason();
        md5__fail_text(&search->context, MD5_ERROR_CORRUPT, "stb_image cannot read $",
                       search->path);
        if (reason) {
            md5__append_to_message(&search->context.error, ": ");
            md5__append_to_message(&search->context.error, reason);
        }
        return;
    }

    search->width = (uint32_t)width;
    search->height = (uint32_t)height;
    search->pixels = md5__alloc_image(&search->context, search->width, search->height);
    if (search->pixels) {
        memcpy(search->pixels, decoded, (size_t)search->width * search->height * 4);
    } else {
        md5__append_path(search);
    }
    stbi_image_free(decoded);
}

/* Returns true if a file can be decoded. If a file cannot be opened or read, this is not an error,
   because the next path may be the right one. If a file is too large or is not a picture, this is
   an error, unless a later file is a picture. */
static bool md5__is_picture(void *user, const char *path)
{
    md5__picture_search *search = (md5__picture_search *)user;
    md5__context        *context = &search->context;

    /* The file may have up to 64 MiB, the default limit, even if max_bytes is more. */
    md5__context file_context;
    md5__init_context(&file_context, &context->allocator, 0);
    if (file_context.max_bytes > context->max_bytes) {
        file_context.max_bytes = context->max_bytes;
    }

    md5__buffer file = { NULL, 0, 0 };
    if (md5__read_file(&file_context, path, &file)) {
        md5__decode_picture(search, &file);
    } else if (file_context.error.code == MD5_ERROR_LIMIT) {
        md5__fail_numbers(context, MD5_ERROR_LIMIT, "$ is too large: # bytes or more", path,
                          file_context.max_bytes, 0);
    } else if (file_context.error.code == MD5_ERROR_MEMORY) {
        context->error = file_context.error;
        md5__append_path(search);
    }
    md5__release(&file_context, file.data, file.capacity);
    return search->pixels != NULL;
}

/* Allocates the path, with room for every path to a picture: a folder, a name from `model_path` or
   `listed`, and an extension. */
static bool md5__begin_picture_search(md5__picture_search *search, const md5_options *options,
                                      const char *model_path, const char *listed)
{
    memset(search, 0, sizeof *search);
    if (!md5__init_context(&search->context, options ? &options->allocator : NULL,
                           options ? options->max_bytes : 0)) {
        return false;
    }

    search->path_size = 2 * (model_path ? strlen(model_path) : 0) + strlen(listed) + 64;
    search->path = (char *)md5__alloc(&search->context, search->path_size);
    if (!search->path) {
        return false;
    }
    search->path[0] = 0;
    return true;
}

/* Sets the error. If no file was found, the message is `format` with `text` or `number`, which
   names the part of the model that has no picture, followed by the first path that was tried. */
static void md5__end_picture_search(md5__picture_search *search, const char *format,
                                    const char *text, uint32_t number)
{
    if (search->pixels) {
        memset(&search->context.error, 0, sizeof search->context.error); /* from an earlier path */
    } else if (search->context.error.code == MD5_OK) {
        md5__fail_numbers(&search->context, MD5_ERROR_OPEN, format, text, number, 0);
        md5__append_to_message(&search->context.error, search->path);
    }
}

/* Returns the pixels and reports the error of a search that has ended. */
static uint8_t *md5__report_picture(md5__picture_search *search, uint32_t *width, uint32_t *height,
                                    md5_error *error)
{
    if (search->pixels) {
        *width = search->width;
        *height = search->height;
    }
    md5__release(&search->context, search->path, search->path_size);
    md5__report_error(&search->context, error);
    return search->pixels;
}
/* [/twin: pictures] */

static void md5__decode_picture(md5__picture_search *search, const md5__buffer *file)
{
    md5__decode_with_stb(search, file);
}

/* Searches for the picture of a mesh. The caller releases search->path. */
static void md5__search_texture(md5__picture_search *search, const md5_model *model,
                                const char *model_path, uint32_t mesh, const md5_options *options)
{
    const char *shader = mesh < model->mesh_count ? model->meshes[mesh].shader : "";
    if (!md5__begin_picture_search(search, options, model_path, shader) ||
        !md5__check_mesh_number(&search->context, model, mesh)) {
        return;
    }

    md5_find_texture(model, model_path, mesh, md5__is_picture, search, search->path,
                     search->path_size);
    md5__end_picture_search(search, "no picture for mesh #, $; first tried: ", shader, mesh);
}

MD5_API uint8_t *md5_load_texture(const md5_model *model, const char *model_path, uint32_t mesh,
                                  uint32_t *width, uint32_t *height, const md5_options *options,
                                  md5_error *error)
{
    if (!model || !width || !height) {
        md5__context context;
        md5__init_context(&context, NULL, 0);
        md5__fail(&context, MD5_ERROR_ARGUMENT, "no model, width or height is given");
        md5__report_error(&context, error);
        return NULL;
    }

    md5__picture_search search;
    md5__search_texture(&search, model, model_path, mesh, options);
    return md5__report_picture(&search, width, height, error);
}

#endif

/* -- Poses ---------------------------------------------------------------- */

static bool md5__has_poses(const md5_anim *anim)
{
    return anim && anim->frame_count > 0 && anim->joint_count > 0;
}

static double md5__anim_frame_rate(const md5_anim *anim)
{
    return anim->fps > 0 ? (double)anim->fps : 24.0;
}

static double md5__anim_cycle_steps(const md5_anim *anim, md5_mode mode)
{
    return md5__count_cycle_steps(anim->frame_count, mode, !anim->closed);
}

MD5_API double md5_anim_length(const md5_anim *anim, md5_mode mode)
{
    return anim ? md5__anim_cycle_steps(anim, mode) / md5__anim_frame_rate(anim) : 0;
}

MD5_API md5_anim md5_slice_anim(const md5_anim *anim, uint32_t first, uint32_t count,
                                const char *name)
{
    md5_anim slice;
    memset(&slice, 0, sizeof slice);
    if (!md5__has_poses(anim)) {
        return slice;
    }

    /* A slice has at least one frame, and only frames of the animation. */
    uint32_t last_frame = anim->frame_count - 1;
    first = first < last_frame ? first : last_frame;
    uint32_t most = anim->frame_count - first;
    count = count < most ? count : most;
    count = count > 0 ? count : 1;

    slice = *anim;
    slice.name = name ? name : anim->name;
    slice.frame_count = count;
    if (slice.frames) { /* NULL if no joint moves */
        slice.frames += (size_t)first * md5__count_moving_joints(anim);
    }
    slice.bounds = anim->bounds ? anim->bounds + first : NULL;
    slice.private_data.skeleton_hash = md5__hash_anim_parents(anim);
    md5__measure_loop(&slice);

    /* A slice owns no block. */
    memset(&slice.allocator, 0, sizeof slice.allocator);
    slice.bytes = 0;
    slice.private_data.self = NULL;
    return slice;
}

typedef struct md5__sample_point {    /* time, as a point between two frames */
    uint32_t frame, next_frame;
    float    t;                       /* 0 at frame, below 1; 1 would be next_frame */
    bool     wraps;                   /* true if next_frame is frame 0 of the next cycle */
    double   cycle;                   /* completed cycles of a loop, otherwise 0 */
} md5__sample_point;

static md5__sample_point md5__find_sample_point(const md5_anim *anim, md5_mode mode, double seconds)
{
    double cycle_steps = md5__anim_cycle_steps(anim, mode);
    double steps = md5__count_steps(seconds, md5__anim_frame_rate(anim), cycle_steps, mode);
    double position = md5__compute_frame_position(steps, cycle_steps, mode);

    /* The last step of a loop ends at frame 0, even if the loop is closed, because its last frame
       may differ slightly from frame 0. */
    md5__sample_point point;
    point.frame = (uint32_t)position;
    point.wraps = mode == MD5_LOOP && (double)point.frame + 1 >= cycle_steps;
    point.next_frame = point.wraps ? 0 : point.frame + 1;
    if (point.next_frame == anim->frame_count) {
        point.next_frame = point.frame;
    }
    point.t = (float)(position - point.frame);

    /* The number of cycles is computed from the steps minus the position, because rounding may have
       moved the position to the start of the next cycle. Beyond 2^53 not every whole number is a
       double. */
    const double most = 9007199254740992.0;
    point.cycle = 0;
    if (mode == MD5_LOOP && cycle_steps > 0) {
        double cycle = md5__floor((steps - position) / cycle_steps + 0.5);
        cycle = cycle < most ? cycle : most;
        point.cycle = cycle > -most ? cycle : -most;
    }
    return point;
}

/* The functions below take four quaternions as four vectors: all x, all y, all z and all w. */

MD5__FORCE_INLINE md5__f4 md5__quat4_dot(const md5__f4 a[4], const md5__f4 b[4])
{
    return md5__f4_add(md5__f4_add(md5__f4_mul(a[0], b[0]), md5__f4_mul(a[1], b[1])),
                       md5__f4_add(md5__f4_mul(a[2], b[2]), md5__f4_mul(a[3], b[3])));
}

/* Evaluates a series from its last term to its first, one term per call. Returns

       1 + (x_squared - square) * y * factor * rest */
MD5__FORCE_INLINE md5__f4 md5__slerp_term(md5__f4 rest, md5__f4 x_squared, md5__f4 y, float square,
                                         float factor)
{
    md5__f4 term = md5__f4_mul(md5__f4_sub(x_squared, md5__f4_splat(square)),
                               md5__f4_mul(y, md5__f4_splat(factor)));
    return md5__f4_add(md5__f4_splat(1), md5__f4_mul(term, rest));
}

/* Computes the factors of a and b in a slerp. Let 2 h be the angle between a and b, at most a
   quarter of a turn. The factors are sin((1 - t) 2 h) / sin(2 h) and sin(t 2 h) / sin(2 h).
   `cosine` is cos(h).

   No sine or arc cosine is needed. With x = 1 - 2 t, the sum of the factors is cos(x h) / cos(h)
   and their difference is sin(x h) / sin(h). Both have a hypergeometric series in y = cos(h) - 1:

   cos(x h)          =      1 + (x^2 - 0) y / 1 * (1 + (x^2 - 1) y / 6 * (1 + (x^2 - 4) y / 15 * ...
   sin(x h) / sin(h) = x * (1 + (x^2 - 1) y / 3 * (1 + (x^2 - 4) y / 10 * (1 + ...

   y is -0.293 to 0, so the series converge quickly. The last of four terms is multiplied by 1.11
   and 1.14 to replace all terms after it. This reduces the error of a factor from 6e-6 to 5e-7, so
   a rotation is off by at most 0.00007 degrees. At t = 0 and t = 1 the factors are exact. The
   second series, and the idea of correcting its last term, are from Eberly 2011, A Fast and
   Accurate Algorithm for Computing SLERP. */
MD5__FORCE_INLINE void md5__slerp_factors(md5__f4 cosine, md5__f4 t, md5__f4 *factor_a,
                                         md5__f4 *factor_b)
{
    md5__f4 one = md5__f4_splat(1);
    md5__f4 half = md5__f4_splat(0.5f);
    md5__f4 y = md5__f4_sub(cosine, one);
    md5__f4 x = md5__f4_sub(one, md5__f4_add(t, t));
    md5__f4 x_squared = md5__f4_mul(x, x);

    md5__f4 sum = one;
    sum = md5__slerp_term(sum, x_squared, y, 9, 1.11f / 28);
    sum = md5__slerp_term(sum, x_squared, y, 4, 1.0f / 15);
    sum = md5__slerp_term(sum, x_squared, y, 1, 1.0f / 6);
    sum = md5__slerp_term(sum, x_squared, y, 0, 1);
    sum = md5__f4_div(sum, cosine);

    md5__f4 difference = one;
    difference = md5__slerp_term(difference, x_squared, y, 16, 1.14f / 36);
    difference = md5__slerp_term(difference, x_squared, y, 9, 1.0f / 21);
    difference = md5__slerp_term(difference, x_squared, y, 4, 1.0f / 10);
    difference = md5__slerp_term(difference, x_squared, y, 1, 1.0f / 3);
    difference = md5__f4_mul(x, difference);

    *factor_a = md5__f4_mul(half, md5__f4_add(sum, difference));
    *factor_b = md5__f4_mul(half, md5__f4_sub(sum, difference));
}

/* With SIMD a slerp is inlined, so that two of them overlap. In plain C, where md5__f4 takes four
   registers, there are not enough registers for two. */
#if defined(MD5__SSE2) || defined(MD5__NEON)
  #define MD5__SLERP_INLINE MD5__FORCE_INLINE
#else
  #define MD5__SLERP_INLINE static
#endif

/* Interpolates four quaternions from a toward b by spherical linear interpolation (slerp). */
MD5__SLERP_INLINE void md5__slerp_four(md5__f4 a[4], const md5__f4 b[4], md5__f4 t)
{
    md5__f4 half = md5__f4_splat(0.5f);
    md5__f4 one = md5__f4_splat(1);
    md5__f4 zero = md5__f4_splat(0);

    /* b and -b are the same rotation; the arc to the one with a positive dot product is shorter. */
    md5__f4 dot = md5__quat4_dot(a, b);
    md5__f4 sign = md5__f4_select(md5__f4_greater(zero, dot), md5__f4_splat(-1), one);
    dot = md5__f4_min(md5__f4_mul(dot, sign), one);

    /* Get the cosine of half the angle between them: cos(h)^2 = (1 + cos(2 h)) / 2. */
    md5__f4 cosine = md5__f4_sqrt(md5__f4_add(half, md5__f4_mul(half, dot)));
    md5__f4 factor_a, factor_b;
    md5__slerp_factors(cosine, t, &factor_a, &factor_b);
    factor_b = md5__f4_mul(factor_b, sign);

    /* Here and below, loops over the four would take 12 % longer, because gcc does not unroll
       them. */
    a[0] = md5__f4_add(md5__f4_mul(a[0], factor_a), md5__f4_mul(b[0], factor_b));
    a[1] = md5__f4_add(md5__f4_mul(a[1], factor_a), md5__f4_mul(b[1], factor_b));
    a[2] = md5__f4_add(md5__f4_mul(a[2], factor_a), md5__f4_mul(b[2], factor_b));
    a[3] = md5__f4_add(md5__f4_mul(a[3], factor_a), md5__f4_mul(b[3], factor_b));

    /* The length is nearly 1. There, the tangent line of 1 / sqrt(x), 1.5 - 0.5 * x, is as exact as
       the root itself. */
    md5__f4 length_squared = md5__quat4_dot(a, a);
    md5__f4 inverse_length = md5__f4_sub(md5__f4_splat(1.5f), md5__f4_mul(half, length_squared));
    a[0] = md5__f4_mul(a[0], inverse_length);
    a[1] = md5__f4_mul(a[1], inverse_length);
    a[2] = md5__f4_mul(a[2], inverse_length);
    a[3] = md5__f4_mul(a[3], inverse_length);
}

/* Rotations are collected in a batch and mixed eight at a time, as two slerps of four. The steps of
   a slerp depend on each other and include a square root and a division: while one slerp waits, the
   steps of the other are executed. This makes a pose a fifth faster. */
enum { MD5__MIX_BATCH = 8 };

typedef struct md5__mix_batch {
    const md5_xform *a[MD5__MIX_BATCH], *b[MD5__MIX_BATCH];
    md5_xform       *out[MD5__MIX_BATCH];
    float            t[MD5__MIX_BATCH];
    uint32_t         count;
} md5__mix_batch;

/* Loads the rotations of four transforms as four vectors: all x, all y, all z and all w. */
MD5__FORCE_INLINE void md5__load_four_quats(const md5_xform *const xforms[4], md5__f4 lanes[4])
{
    lanes[0] = md5__f4_load(xforms[0]->rotation);
    lanes[1] = md5__f4_load(xforms[1]->rotation);
    lanes[2] = md5__f4_load(xforms[2]->rotation);
    lanes[3] = md5__f4_load(xforms[3]->rotation);
    md5__f4_transpose(lanes);
}

/* Mixes the rotations of a batch that is not empty, and writes them. */
MD5__NOINLINE void md5__flush_mix(md5__mix_batch *batch)
{
    /* An incomplete batch repeats its first rotation. */
    for (uint32_t i = batch->count; i < MD5__MIX_BATCH; ++i) {
        batch->a[i] = batch->a[0];
        batch->b[i] = batch->b[0];
        batch->t[i] = batch->t[0];
    }

    md5__f4 a[MD5__MIX_BATCH], b[MD5__MIX_BATCH];
    md5__load_four_quats(batch->a, a);
    md5__load_four_quats(batch->b, b);
    md5__load_four_quats(batch->a + 4, a + 4);
    md5__load_four_quats(batch->b + 4, b + 4);
    md5__slerp_four(a, b, md5__f4_load(batch->t));
    md5__slerp_four(a + 4, b + 4, md5__f4_load(batch->t + 4));

    /* The results are written last, because the output may be one of the inputs. */
    md5__f4_transpose(a);
    md5__f4_transpose(a + 4);
    for (uint32_t i = 0; i < batch->count; ++i) {
        md5__f4_store(batch->out[i]->rotation, a[i]);
    }
    batch->count = 0;
}
#undef MD5__SLERP_INLINE

/* Mixes a joint. Its rotation may stay in the batch until the caller calls md5__end_mix. At t <= 0
   the result is a copy of a, and at t >= 1 a copy of b, bit for bit. If a and b are the same
   address, the joint is copied. */
static inline void md5__mix_joint(md5__mix_batch *batch, const md5_xform *a, const md5_xform *b,
                                  float t, md5_xform *out)
{
    bool needs_mixing = t > 0 && t < 1 && a != b;
    if (!needs_mixing) {
        *out = t < 1 ? *a : *b;
        return;
    }

    /* Positions and scales are interpolated linearly, rotations along the shorter arc. */
    md5__f4 from = md5__f4_load(a->position);
    md5__f4 offset = md5__f4_sub(md5__f4_load(b->position), from);
    md5__f4_store(out->position, md5__f4_add(from, md5__f4_mul(offset, md5__f4_splat(t))));

    batch->a[batch->count] = a;
    batch->b[batch->count] = b;
    batch->t[batch->count] = t;
    batch->out[batch->count] = out;
    batch->count += 1;
    if (batch->count == MD5__MIX_BATCH) {
        md5__flush_mix(batch);
    }
}

/* Mixes the rotations that are left in the batch. */
static void md5__end_mix(md5__mix_batch *batch)
{
    if (batch->count > 0) {
        md5__flush_mix(batch);
    }
}

/* Interpolates one rotation like the rotation of a joint. `out` may be a or b. */
static void md5__mix_rotation(const float a[4], const float b[4], float t, float out[4])
{
    md5_xform from = md5__identity, to = md5__identity;
    memcpy(from.rotation, a, sizeof from.rotation);
    memcpy(to.rotation, b, sizeof to.rotation);

    md5_pose_mix(&from, &to, t, NULL, 1, &from);
    memcpy(out, from.rotation, sizeof from.rotation);
}

static void md5__pose_at_point(const md5_anim *anim, const md5__sample_point *point,
                               md5_xform *local)
{
    /* With a copy, the compiler need not read the struct again after each write of a transform. */
    const md5_anim          copy = *anim;
    const md5__sample_point at = *point;
    uint32_t                moving_count = md5__count_moving_joints(anim);
    size_t                  frame = (size_t)at.frame * moving_count;
    size_t                  next_frame = (size_t)at.next_frame * moving_count;

    md5__mix_batch batch;
    batch.count = 0;
    for (uint32_t i = 0; i < copy.joint_count; ++i) {
        uint32_t slot = md5__get_anim_slot(&copy, i);
        if (slot < moving_count) {
            md5__mix_joint(&batch, &copy.frames[frame + slot], &copy.frames[next_frame + slot],
                           at.t, &local[i]);
        } else {
            local[i] = copy.still[slot - moving_count];
        }
    }
    md5__end_mix(&batch);
}

/* Writes the pose at a point. In the step from one cycle of a loop to the next, the parts of the
   root motion in `flags` continue into the next cycle, and the other parts return to frame 0. If
   the loop is closed, all parts continue: the step ends at the transform of the last frame. */
static void md5__pose_across_cycles(const md5_model *model, const md5_anim *anim, uint32_t flags,
                                    const md5__sample_point *point, md5_xform *local)
{
    md5__pose_at_point(anim, point, local);
    if (!point->wraps) {
        return;
    }
    if (anim->closed) {
        flags = md5__find_net_motion(anim);
    }
    if (flags == 0) {
        return;
    }

    /* The step ends at the transforms that joints without a parent have in the next cycle. */
    md5__ground_xform motion = md5__find_cycle_motion(anim, flags);
    md5_xform         cycle_motion = md5__ground_to_xform(anim, &motion);
    for (uint32_t i = 0; i < model->joint_count; ++i) {
        if (model->joints[i].parent < 0) {
            md5_xform next = *md5__anim_xform(anim, 0, i);
            md5__xform_compose(&cycle_motion, &next, &next);
            md5_pose_mix(md5__anim_xform(anim, point->frame, i), &next, point->t, NULL, 1,
                         &local[i]);
        }
    }
}

MD5_API void md5_pose_bind(const md5_model *model, md5_xform *local)
{
    if (!model || !local) {
        return;
    }

    for (uint32_t i = 0; i < model->joint_count; ++i) {
        md5__get_local_bind(model, i, &local[i]);
    }
}

MD5_API void md5_pose_at(const md5_model *model, const md5_anim *anim, md5_mode mode,
                         double seconds, md5_xform *local)
{
    md5_pose_in_place(model, anim, mode, 0, seconds, local);
}

/* Returns the factor t with which a joint is mixed, 0 to 1. */
static float md5__get_masked_t(float t, const float *mask, size_t joint)
{
    return md5__clamp01(mask ? t * mask[joint] : t);
}

MD5_API void md5_pose_mix(const md5_xform *a, const md5_xform *b, float t, const float *mask,
                          size_t count, md5_xform *out)
{
    if (!a || !b || !out) {
        return;
    }

    md5__mix_batch batch;
    batch.count = 0;
    for (size_t i = 0; i < count; ++i) {
        md5__mix_joint(&batch, &a[i], &b[i], md5__get_masked_t(t, mask, i), &out[i]);
    }
    md5__end_mix(&batch);
}

/* Writes the differences of position and scale, and the rotation from `from` to `to` in the
   parent's axes. */
static void md5__find_difference(const md5_xform *from, const md5_xform *to, md5_xform *out)
{
    float inverse[4];
    md5__quat_conjugate(from->rotation, inverse);
    md5__quat_multiply(to->rotation, inverse, out->rotation);

    for (uint32_t k = 0; k < 3; ++k) {
        out->position[k] = to->position[k] - from->position[k];
    }
    out->scale = to->scale - from->scale;
}

/* Adds a difference of md5__find_difference to a transform. `out` may be `base`. */
static void md5__add_difference(const md5_xform *base, const md5_xform *difference, md5_xform *out)
{
    md5__quat_multiply(difference->rotation, base->rotation, out->rotation);
    md5__quat_normalize(out->rotation);

    for (uint32_t k = 0; k < 3; ++k) {
        out->position[k] = base->position[k] + difference->position[k];
    }
    out->scale = base->scale + difference->scale;
}

MD5_API void md5_pose_add(const md5_xform *base, const md5_xform *pose, const md5_xform *reference,
                          float t, const float *mask, size_t count, md5_xform *out)
{
    if (!base || !pose || !reference || !out) {
        return;
    }

    /* The differences need memory, so the joints are processed in chunks. An empty difference has
       the scale 0, because scales are added, not multiplied. */
    enum { MD5__CHUNK = 16 };
    md5_xform none[MD5__CHUNK], delta[MD5__CHUNK];
    memset(none, 0, sizeof none);
    for (size_t i = 0; i < MD5__CHUNK; ++i) {
        none[i].rotation[3] = 1;
    }

    for (size_t first = 0; first < count; first += MD5__CHUNK) {
        size_t remaining = count - first;
        size_t chunk = remaining < MD5__CHUNK ? remaining : (size_t)MD5__CHUNK;

        /* Find the difference from the reference to the pose. */
        for (size_t i = 0; i < chunk; ++i) {
            md5__find_difference(&reference[first + i], &pose[first + i], &delta[i]);
        }

        /* Take the part t of the difference. */
        md5_pose_mix(none, delta, t, mask ? mask + first : NULL, chunk, delta);

        /* Add this part to the base. If t is 0, the base is copied bit for bit. */
        for (size_t i = 0; i < chunk; ++i) {
            if (md5__get_masked_t(t, mask, first + i) > 0) {
                md5__add_difference(&base[first + i], &delta[i], &out[first + i]);
            } else {
                out[first + i] = base[first + i];
            }
        }
    }
}

/* Returns true if the model has a joint with this index; md5_find_joint returns -1 for no joint. */
static bool md5__has_joint(const md5_model *model, int joint)
{
    return joint >= 0 && (uint32_t)joint < model->joint_count;
}

MD5_API void md5_mask_branch(const md5_model *model, int joint, float value, float *mask)
{
    if (!model || !mask || !md5__has_joint(model, joint)) {
        return;
    }

    uint32_t first = model->joints[joint].private_data.branch_first;
    uint32_t size = model->joints[joint].private_data.branch_size;
    for (uint32_t i = (uint32_t)joint; i < model->joint_count; ++i) {
        uint32_t number = model->joints[i].private_data.branch_first;
        if (number >= first && number - first < size) {
            mask[i] = value;
        }
    }
}

/* Computes the rotation of a joint in model space from a local pose. */
static void md5__find_model_rotation(const md5_model *model, const md5_xform *local, int joint,
                                     float rotation[4])
{
    memcpy(rotation, md5__identity.rotation, sizeof md5__identity.rotation);
    for (; joint >= 0; joint = model->joints[joint].parent) {
        md5__quat_multiply(local[joint].rotation, rotation, rotation);
    }
}

/* Rotates a joint by a rotation in model space. The rotation is converted to the parent's axes and
   applied after the joint's own rotation. */
static void md5__rotate_joint(const md5_model *model, md5_xform *local, int joint,
                              const float rotation[4])
{
    float parent[4], inverse[4], local_rotation[4];
    md5__find_model_rotation(model, local, model->joints[joint].parent, parent);
    md5__quat_conjugate(parent, inverse);
    md5__quat_multiply(rotation, parent, local_rotation);
    md5__quat_multiply(inverse, local_rotation, local_rotation);

    md5__quat_multiply(local_rotation, local[joint].rotation, local[joint].rotation);
    md5__quat_normalize(local[joint].rotation);
}

MD5_API void md5_pose_turn(const md5_model *model, md5_xform *local, int joint,
                           const float axis[3], float radians)
{
    if (!model || !local || !axis || !md5__has_joint(model, joint) ||
        !md5__is_finite((double)radians)) {
        return;
    }

    float half_turn[4] = { axis[0], axis[1], axis[2], 0 };
    if (!(md5__vec3_normalize(half_turn) > 0)) {
        return;
    }

    /* Remove whole turns, which change nothing. The rest is a fraction of half a turn in either
       direction. */
    double turns = (double)radians / 6.283185307179586;
    turns -= md5__floor(turns + 0.5);
    if (turns < 0) {
        md5__quat_conjugate(half_turn, half_turn);
        turns = -turns;
    }

    float rotation[4];
    md5__mix_rotation(md5__identity.rotation, half_turn, (float)(2 * turns), rotation);
    md5__rotate_joint(model, local, joint, rotation);
}

/* Writes the direction in model space in which a joint points: its local `axis`, or if `axis`
   is NULL, the direction that was forward in the bind pose. Returns false if the axis has no
   direction. */
static bool md5__find_aim(const md5_model *model, const md5_xform *local, int joint,
                          const float axis[3], float out[4])
{
    float forward[3] = { 1, 0, 0 }, inverse[4], rotation[4];
    md5__find_model_rotation(model, local, joint, rotation);
    if (!axis) {
        if (model->flags & MD5_Y_UP) {
            forward[0] = 0;
            forward[2] = 1;
        }
        md5__quat_conjugate(model->joints[joint].bind.rotation, inverse);
        md5__quat_multiply(rotation, inverse, rotation);
        axis = forward;
    }

    float local_axis[4] = { axis[0], axis[1], axis[2], 0 };
    md5__f4_store(out, md5__quat_rotate(rotation, md5__f4_load(local_axis)));
    out[3] = 0;
    return md5__vec3_normalize(out) > 0;
}

/* Writes the direction in model space from a joint to a point. Returns false if both have the same
   position. */
static bool md5__find_direction_to(const md5_model *model, const md5_xform *local, int joint,
                                   const float target[3], float out[4])
{
    md5_xform xform = local[joint];
    for (int32_t i = model->joints[joint].parent; i >= 0; i = model->joints[i].parent) {
        md5__xform_compose(&local[i], &xform, &xform);
    }
    for (uint32_t k = 0; k < 3; ++k) {
        out[k] = target[k] - xform.position[k];
    }
    out[3] = 0;
    return md5__vec3_normalize(out) > 0;
}

/* Computes the shortest rotation from one unit vector to another. From a direction to its opposite,
   all arcs are equally long: then the rotation is about the up axis or, between up and down, about
   the first axis. */
static void md5__find_shortest_rotation(const md5_model *model, const float from[4],
                                        const float to[4], float out[4])
{
    /* The cross product has the length sin(a) = 2 sin(a / 2) cos(a / 2), and w is
       1 + cos(a) = 2 cos(a / 2)^2. So normalizing gives the rotation: sin(a / 2) along the axis,
       and cos(a / 2). */
    float cosine = md5__vec3_dot(from, to);
    md5__f4_store(out, md5__cross_product(md5__f4_load(from), md5__f4_load(to)));
    out[3] = 1 + cosine;
    if (md5__vec3_dot(out, out) + out[3] * out[3] > 1e-10f) {
        md5__quat_normalize(out);
        return;
    }

    uint32_t up = model->flags & MD5_Y_UP ? 1 : 2;
    float    axis[4] = { 0, 0, 0, 0 };
    float    level = 1 - from[up] * from[up];
    axis[level > 0.0001f ? up : 0] = 1;

    /* Keep the part of the axis that is perpendicular to the direction. */
    float along = md5__vec3_dot(axis, from);
    for (uint32_t k = 0; k < 3; ++k) {
        axis[k] -= along * from[k];
    }
    md5__vec3_normalize(axis);
    memcpy(out, axis, sizeof axis);
}

/* Returns the angle between two unit vectors, in radians. */
static float md5__measure_angle(const float a[4], const float b[4])
{
    float cross[4];
    md5__f4_store(cross, md5__cross_product(md5__f4_load(a), md5__f4_load(b)));

    float   sine = md5__sqrt(md5__vec3_dot(cross, cross));
    md5__f4 cosine = md5__f4_splat(md5__vec3_dot(a, b));
    return md5__f4_x(md5__f4_atan2(md5__f4_splat(sine), cosine));
}

/* Returns the fraction of a rotation by `angle` to apply: 1 up to the limit, then less and less,
   and 0 at half a turn. */
static float md5__limit_rotation(float angle, float limit)
{
    const float pi = 3.14159265f;
    if (angle <= limit || limit >= pi) {
        return 1;
    }

    /* Beyond the limit, the applied angle falls from the limit to 0 at half a turn. */
    float left = angle < pi ? (pi - angle) / (pi - limit) : 0;
    return limit > 0 ? limit * left / angle : 0;
}

MD5_API void md5_pose_aim(const md5_model *model, md5_xform *local, int joint,
                          const float axis[3], const float target[3], float limit, float t)
{
    float from[4], to[4];
    if (!model || !local || !target || !md5__has_joint(model, joint) ||
        !md5__find_aim(model, local, joint, axis, from) ||
        !md5__find_direction_to(model, local, joint, target, to)) {
        return;
    }

    float shortest[4];
    float fraction = md5__clamp01(t) * md5__limit_rotation(md5__measure_angle(from, to), limit);
    md5__find_shortest_rotation(model, from, to, shortest);
    md5__mix_rotation(md5__identity.rotation, shortest, fraction, shortest);
    md5__rotate_joint(model, local, joint, shortest);
}

/* Returns the ground transform of joint 0 at a point within a cycle. */
static md5__ground_xform md5__find_root_at_point(const md5_anim *anim, uint32_t flags,
                                                 const md5__sample_point *point)
{
    md5__ground_xform a = md5__get_ground_xform(anim, flags, point->frame);
    md5__ground_xform b = point->wraps ? md5__find_loop_end(anim, flags)
                                       : md5__get_ground_xform(anim, flags, point->next_frame);
    return md5__ground_mix(&a, &b, (double)point->t);
}

/* Returns the root motion between two times. Only the difference of their cycles matters, because
   (C^m * P)^-1 * C^n is P^-1 * C^(n - m). */
static md5__ground_xform md5__find_root_motion(const md5_anim *anim, md5_mode mode, uint32_t flags,
                                               double from, double to)
{
    md5__sample_point start = md5__find_sample_point(anim, mode, from);
    md5__sample_point end = md5__find_sample_point(anim, mode, to);
    md5__ground_xform before = md5__find_root_at_point(anim, flags, &start);
    md5__ground_xform after = md5__find_root_at_point(anim, flags, &end);
    if (end.cycle < start.cycle || end.cycle > start.cycle) {
        md5__ground_xform cycle = md5__find_cycle_motion(anim, flags);
        cycle = md5__ground_power(cycle, end.cycle - start.cycle);
        after = md5__ground_compose(&cycle, &after);
    }

    md5__ground_xform first = md5__get_ground_xform(anim, flags, 0);
    md5__ground_xform inverse = md5__ground_delta(&first, &md5__ground_identity);
    md5__ground_xform step = md5__ground_delta(&before, &after);
    step = md5__ground_compose(&step, &inverse);
    return md5__ground_compose(&first, &step);
}

MD5_API void md5_anim_motion(const md5_anim *anim, md5_mode mode, uint32_t flags, double from,
                             double to, md5_xform *out)
{
    if (!out) {
        return;
    }

    *out = md5__identity;
    if (md5__has_poses(anim)) {
        md5__ground_xform motion = md5__find_root_motion(anim, mode, flags, from, to);
        *out = md5__ground_to_xform(anim, &motion);
    }
}

MD5_API void md5_pose_in_place(const md5_model *model, const md5_anim *anim, md5_mode mode,
                               uint32_t flags, double seconds, md5_xform *local)
{
    if (!model || !local) {
        return;
    }
    if (!md5__anim_fits_model(model, anim)) {
        md5_pose_bind(model, local);
        return;
    }

    md5__sample_point point = md5__find_sample_point(anim, mode, seconds);
    md5__pose_across_cycles(model, anim, flags, &point, local);
    if (flags == 0) {
        return;
    }

    /* Apply the same inverse to every joint without a parent; all other joints are their
       descendants. */
    md5__ground_xform ground = md5__find_root_at_point(anim, flags, &point);
    md5_xform         inverse_motion = md5__invert_root_motion(anim, flags, &ground);
    for (uint32_t i = 0; i < model->joint_count; ++i) {
        if (model->joints[i].parent < 0) {
            md5__xform_compose(&inverse_motion, &local[i], &local[i]);
        }
    }
}

MD5_API void md5_pose_to_model_space(const md5_model *model, const md5_xform *local,
                                     md5_xform *out)
{
    if (!model || !local || !out) {
        return;
    }

    /* Parents come before their children, so out[parent] is complete, even if `out` is `local`. */
    for (uint32_t i = 0; i < model->joint_count; ++i) {
        int32_t parent = model->joints[i].parent;
        if (parent >= 0) {
            md5__xform_product(&out[parent], &local[i], &out[i]);
        } else {
            out[i] = local[i];
        }
    }
}

MD5_API void md5_pose_to_local(const md5_model *model, const md5_xform *model_space,
                               md5_xform *out)
{
    if (!model || !model_space || !out) {
        return;
    }

    /* Children come before their parents, so the parents are still in model space, even if `out` is
       `model_space`. */
    for (uint32_t i = model->joint_count; i-- > 0;) {
        int32_t parent = model->joints[i].parent;
        if (parent >= 0) {
            md5__xform_delta(&model_space[parent], &model_space[i], &out[i]);
        } else {
            out[i] = model_space[i];
        }
    }
}

MD5_API void md5_pose_matrix(const md5_xform *model_space, float out[16])
{
    if (!model_space || !out) {
        return;
    }

    /* The columns of a rotation matrix are the rows of the inverse matrix. The quaternion of the
       inverse has the opposite w. */
    md5__f4 columns[4];
    md5__compute_rotation_rows(model_space, -model_space->rotation[3], md5__f4_splat(0), columns);

    md5__f4_store(out, columns[0]);
    md5__f4_store(out + 4, columns[1]);
    md5__f4_store(out + 8, columns[2]);
    md5__f4_store3(out + 12, md5__f4_load(model_space->position));
    out[15] = 1;
}

MD5_API void md5_pose_palette(const md5_model *model, const md5_xform *model_space, float *out12)
{
    if (model && model_space && out12) {
        md5__compute_palette(model->joints, model_space, NULL, model->joint_count, out12);
    }
}

MD5_API void md5_pose_vertices(const md5_model *model, uint32_t mesh, const md5_xform *model_space,
                               float *positions, size_t position_stride,
                               float *normals,   size_t normal_stride,
                               float *tangents,  size_t tangent_stride)
{
    if (!model || !model_space || mesh >= model->mesh_count) {
        return;
    }
    if (!positions && !normals && !tangents) {
        return; /* without output, skinning would compute bounds */
    }

    md5__skinner skinner;
    skinner.positions = (uint8_t *)positions;
    skinner.normals = (uint8_t *)normals;
    skinner.tangents = (uint8_t *)tangents;
    skinner.position_stride = position_stride ? position_stride : 3 * sizeof(float);
    skinner.normal_stride = normal_stride ? normal_stride : 3 * sizeof(float);
    skinner.tangent_stride = tangent_stride ? tangent_stride : 4 * sizeof(float);
    md5__skin_mesh(&skinner, model, &model->meshes[mesh], model_space);
}

MD5_API void md5_pose_bounds(const md5_model *model, const md5_xform *model_space, float min[3],
                             float max[3])
{
    if (!model || !model_space || !min || !max) {
        return;
    }

    /* Without output, skinning computes the bounds. */
    md5__skinner skinner;
    skinner.positions = skinner.normals = skinner.tangents = NULL;
    skinner.min = md5__f4_splat(FLT_MAX);
    skinner.max = md5__f4_splat(-FLT_MAX);
    for (uint32_t i = 0; i < model->mesh_count; ++i) {
        md5__skin_mesh(&skinner, model, &model->meshes[i], model_space);
    }
    md5__store_bounds(skinner.min, skinner.max, min, max);
}

/* Adds up the biases of each joint. The sum is stored at the joint's first weight, and 0 at its
   other weights. */
static void md5__sum_biases(const md5_weight *weights, uint32_t count, float *sums)
{
    for (uint32_t i = 0; i < count; ++i) {
        sums[i] = 0;

        uint32_t same_joint = 0; /* the joint's first weight, possibly weight i */
        while (weights[same_joint].joint != weights[i].joint) {
            ++same_joint;
        }
        sums[same_joint] += weights[i].bias;
    }
}

/* Returns the index of the largest number; among equal numbers, the first. */
static uint32_t md5__find_largest(const float *numbers, uint32_t count)
{
    uint32_t largest = 0;
    for (uint32_t i = 1; i < count; ++i) {
        if (numbers[i] > numbers[largest]) {
            largest = i;
        }
    }
    return largest;
}

MD5_API bool md5_vertex_joints(const md5_model *model, uint32_t mesh, uint32_t vertex,
                               uint32_t count, uint32_t *joints, float *weights)
{
    if (!model || !joints || !weights || mesh >= model->mesh_count ||
        vertex >= model->meshes[mesh].vertex_count) {
        return false;
    }

    const md5_vertex *v = &model->meshes[mesh].vertices[vertex];
    const md5_weight *stored = model->meshes[mesh].weights + v->first_weight;
    float             sums[MD5__MAX_INFLUENCES];
    md5__sum_biases(stored, v->weight_count, sums);

    float total = 0;
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t heaviest = md5__find_largest(sums, v->weight_count);
        bool     is_used = sums[heaviest] > 0;
        weights[i] = is_used ? sums[heaviest] : 0;

        /* If no bias is positive, only the first joint counts. */
        if (!is_used && i == 0) {
            weights[i] = 1;
            is_used = true;
        }

        joints[i] = is_used ? stored[heaviest].joint : 0;
        total += weights[i];
        sums[heaviest] = 0;
    }

    for (uint32_t i = 0; i < count; ++i) {
        weights[i] /= total;
    }
    return true;
}

/* -- Playback ------------------------------------------------------------- */

/* Returns a track at its start. An animation without frames counts as NULL. */
static md5_track md5__make_track(const md5_anim *anim, md5_mode mode)
{
    md5_track track;
    memset(&track, 0, sizeof track);
    track.mode = mode;
    if (anim && anim->frame_count > 0) {
        track.anim = anim;
    }
    return track;
}

static uint32_t md5__track_frame_count(const md5_track *track)
{
    return track->anim ? track->anim->frame_count : 0;
}

static double md5__track_frame_rate(const md5_track *track)
{
    return track->anim ? md5__anim_frame_rate(track->anim) : 24.0;
}

static double md5__track_cycle_steps(const md5_track *track)
{
    return track->anim ? md5__anim_cycle_steps(track->anim, track->mode) : 0;
}

static bool md5__track_plays(const md5_track *track, const md5_anim *anim)
{
    return track->anim == anim;
}

/* [twin: playback] written by "make twins" from md2.h: edit it there */
/* A track is an animation that plays. Tracks are in the order of md5_play, the newest last. A track
   fades in over the older tracks, which are removed when it has faded in completely. The first four
   tracks show. The fifth plays, invisible, until an older track is removed. Only the newest track
   has events and passes frames.

   Each track has its own speed: md5_advance(delta) changes its `time` by delta * speed seconds, and
   a negative speed plays backward. The newest track has the speed of the player, which the user can
   set. Fades do not depend on speeds: `fade` grows by the absolute value of delta.

   Passed frames are counted in steps: time * frame rate. In MD5_LOOP and MD5_PING_PONG, cycles of
   `cycle_steps` repeat without end, before time 0 as well as after it. The time is never wrapped
   around, so it shows how many cycles a long advance has passed. MD5_ONCE has a single cycle: its
   time stops at 0 and at the length of the cycle. */

enum { MD5__SHOWN_TRACKS = MD5_MAX_TRACKS - 1 }; /* at most; the last track waits */

/* Returns the number of tracks: 0 if there is no player. A player that was not zeroed usually has a
   track_count that no player can have, and then also counts as empty. */
static uint32_t md5__count_tracks(const md5_player *player)
{
    bool is_player = player && player->track_count <= MD5_MAX_TRACKS;
    return is_player ? player->track_count : 0;
}

/* Zeroes a player if the user has not done so. Returns false if there is no player. */
static bool md5__prepare_player(md5_player *player)
{
    if (player && player->track_count > MD5_MAX_TRACKS) {
        memset(player, 0, sizeof *player);
    }
    return player != NULL;
}

static uint32_t md5__count_shown_tracks(const md5_player *player)
{
    if (player->track_count > MD5__SHOWN_TRACKS) {
        return MD5__SHOWN_TRACKS;
    }
    return player->track_count;
}

/* Returns the completed fraction of a track's fade, 0 to 1. */
static float md5__track_fade_progress(const md5_track *track)
{
    if (!(track->fade_length > 0)) {
        return 1; /* no fade */
    }
    return md5__clamp01(track->fade / track->fade_length);
}

/* Writes the weight of each track in the pose; the weights add up to 1. A waiting track has weight
   0. */
static void md5__get_track_weights(const md5_player *player, float weights[MD5_MAX_TRACKS])
{
    memset(weights, 0, MD5_MAX_TRACKS * sizeof(float));
    if (md5__count_tracks(player) == 0) {
        return;
    }

    /* The newest track that shows takes its weight first. Each older track takes a fraction of the
       weight that the newer tracks have left. */
    float remaining = 1;
    for (uint32_t i = md5__count_shown_tracks(player) - 1; i > 0; --i) {
        weights[i] = remaining * md5__track_fade_progress(&player->track[i]);
        remaining -= weights[i];
    }

    /* The oldest track takes all of the remaining weight. */
    weights[0] = remaining;
}

/* Returns the speed at which a track fades in; 1 is normal. While a track waits, fades that are
   longer than the fade of the waiting track are sped up to take the same time. So a track waits at
   most as long as its own fade lasts. */
static double md5__compute_fade_speed(const md5_player *player, const md5_track *track)
{
    if (player->track_count <= MD5__SHOWN_TRACKS) {
        return 1;
    }

    /* The user may have set the fade to 0 or less. Then use the shortest fade above 0. */
    const md5_track *waiting = &player->track[MD5__SHOWN_TRACKS];
    float            shortest = waiting->fade_length > FLT_MIN ? waiting->fade_length : FLT_MIN;
    if (!(shortest < track->fade_length)) {
        return 1;
    }
    return (double)track->fade_length / (double)shortest;
}

/* Returns the seconds until the next fade is complete, which hides older tracks; at most
   `seconds`. */
static double md5__find_fade_end(const md5_player *player, double seconds)
{
    uint32_t shown_count = md5__count_shown_tracks(player);

    /* The oldest track, at index 0, hides no other. */
    for (uint32_t i = 1; i < shown_count; ++i) {
        const md5_track *track = &player->track[i];
        double           fade_left = (double)track->fade_length - (double)track->fade;
        double           seconds_left = fade_left / md5__compute_fade_speed(player, track);

        if (seconds_left < seconds) {
            seconds = seconds_left;
        }
    }
    return seconds > 0 ? seconds : 0;
}

/* Fades in the tracks that show, for `seconds`. A waiting track begins to fade in when it shows. */
static void md5__advance_fades(md5_player *player, double seconds)
{
    uint32_t shown_count = md5__count_shown_tracks(player);

    for (uint32_t i = 0; i < shown_count; ++i) {
        md5_track *track = &player->track[i];
        double     speed = md5__compute_fade_speed(player, track);
        double     fade = (double)track->fade + seconds * speed;

        track->fade = fade < (double)track->fade_length ? (float)fade : track->fade_length;
    }
}

/* Removes all tracks that are hidden by a newer track that has faded in completely. */
static void md5__remove_hidden_tracks(md5_player *player)
{
    /* If there are several such tracks, the newest hides the most. Index 0 hides none. */
    for (uint32_t i = md5__count_shown_tracks(player) - 1; i > 0; --i) {
        if (md5__track_fade_progress(&player->track[i]) >= 1) {
            player->track_count -= i;
            memmove(player->track, player->track + i, player->track_count * sizeof(md5_track));
            return;
        }
    }
}

/* Returns the track of the last md5_play, or NULL if there is none. */
static const md5_track *md5__find_newest_track(const md5_player *player)
{
    uint32_t count = md5__count_tracks(player);
    return count > 0 ? &player->track[count - 1] : NULL;
}

/* Copies the speed of the player, which the user can set, to the newest track. The player has a
   track. */
static void md5__set_newest_speed(md5_player *player)
{
    player->track[player->track_count - 1].speed = player->speed;
}

/* Sets the time of a track, in seconds. Infinity and NaN become 0. */
static void md5__set_track_time(md5_track *track, double time)
{
    /* MD5_ONCE stops at its two ends, even for an infinite time. So if playback changes direction,
       it leaves the end immediately, however long it has been there. */
    if (track->mode == MD5_ONCE) {
        double length = md5__track_cycle_steps(track) / md5__track_frame_rate(track);
        if (time <= 0) {
            time = 0;
        } else if (time > length) {
            time = length;
        }
    }
    track->time = md5__is_finite(time) ? time : 0;
}

/* Returns the speed of a track. The user may have set it to infinity or NaN, which count as 0. */
static double md5__get_own_speed(const md5_track *track)
{
    return md5__is_finite((double)track->speed) ? (double)track->speed : 0;
}

/* Returns the seconds of one cycle of a loop. Returns 0 for other tracks, and for a loop of one
   frame, because a step from a frame to itself is no cycle to keep in phase with. */
MD5__NOINLINE double md5__compute_loop_length(const md5_track *track)
{
    if (track->mode != MD5_LOOP || md5__track_frame_count(track) < 2) {
        return 0;
    }
    return md5__track_cycle_steps(track) / md5__track_frame_rate(track);
}

/* Returns the index of the newest loop of more than one frame among the first `count` tracks, or
   MD5__NONE. */
static uint32_t md5__find_newest_loop(const md5_player *player, uint32_t count)
{
    for (uint32_t i = count; i > 0; --i) {
        if (md5__compute_loop_length(&player->track[i - 1]) > 0) {
            return i - 1;
        }
    }
    return MD5__NONE;
}

/* Returns the position of a loop in its cycle, from 0 at the start to 1 at the end. The cycle has
   more than one frame. */
static double md5__find_phase(const md5_track *track)
{
    double cycle_steps = md5__track_cycle_steps(track);
    double rate = md5__track_frame_rate(track);
    double steps = md5__count_steps(track->time, rate, cycle_steps, track->mode);
    return md5__compute_frame_position(steps, cycle_steps, track->mode) / cycle_steps;
}

/* Writes the group of each track: the index of the oldest track in the group, or MD5__NONE for a
   track without a group. A track of md5_play_in_phase is in the group of the newest older loop of
   more than one frame. */
static void md5__find_groups(const md5_player *player, uint32_t groups[MD5_MAX_TRACKS])
{
    uint32_t loop = MD5__NONE;        /* the newest loop so far */

    for (uint32_t i = 0; i < player->track_count; ++i) {
        const md5_track *track = &player->track[i];
        groups[i] = MD5__NONE;
        if (!(md5__compute_loop_length(track) > 0)) {
            continue;
        }

        if (track->in_phase && loop != MD5__NONE) {
            groups[loop] = groups[loop] != MD5__NONE ? groups[loop] : loop;
            groups[i] = groups[loop];
        }
        loop = i;
    }
}

/* Returns the pace of a group in cycles per second. For example, a walk of 1.2 s makes 0.83 cycles
   a second, and a run of 0.6 s makes 1.67. When the run has faded in by half, both make 1.25, so
   the walk plays at 1.5 times its speed, and the run at 0.75 times its speed.

   The pace begins with the oldest track's own pace. Each newer track of the group moves the pace
   toward the newer track's own pace, in proportion to the fade of the newer track. If a track
   outside the group is between two tracks of the group, it hides the older of the two, so the fade
   of the track outside also moves the pace toward the newer of the two. */
static double md5__compute_group_pace(const md5_player *player,
                                      const uint32_t groups[MD5_MAX_TRACKS], uint32_t group,
                                      const double progress[MD5_MAX_TRACKS])
{
    double pace = 0;
    double shown = 0;                 /* fraction of the older tracks that shows */

    for (uint32_t i = group; i < player->track_count; ++i) {
        shown *= 1 - progress[i];
        if (groups[i] == group) {
            const md5_track *track = &player->track[i];
            double own_pace = md5__get_own_speed(track) / md5__compute_loop_length(track);
            pace = own_pace + (pace - own_pace) * shown;
            shown = 1;
        }
    }
    return pace;
}

/* Returns true if a track plays in phase with an older track. */
static bool md5__has_group(const md5_player *player)
{
    for (uint32_t i = 1; i < player->track_count; ++i) {
        if (player->track[i].in_phase) {
            return true;
        }
    }
    return false;
}

/* Writes the completed fraction of each track's fade; 0 for a track that waits. */
static void md5__get_fade_progress(const md5_player *player, double progress[MD5_MAX_TRACKS])
{
    uint32_t shown_count = md5__count_shown_tracks(player);

    for (uint32_t i = 0; i < MD5_MAX_TRACKS; ++i) {
        progress[i] = i < shown_count ? (double)md5__track_fade_progress(&player->track[i]) : 0;
    }
}

/* Fades in the tracks for `seconds`, and writes the mean speeds of the tracks in a group, whose
   cycles all advance by the same fraction. All fades advance evenly, and the fade of the oldest
   track does not matter. So the pace is a polynomial in time of degree 3 at most, and Simpson's
   rule computes its mean exactly. */
static void md5__advance_fades_in_phase(md5_player *player, double seconds,
                                        double speeds[MD5_MAX_TRACKS])
{
    double before[MD5_MAX_TRACKS], middle[MD5_MAX_TRACKS], after[MD5_MAX_TRACKS];
    md5__get_fade_progress(player, before);
    md5__advance_fades(player, seconds);
    md5__get_fade_progress(player, after);
    for (uint32_t i = 0; i < MD5_MAX_TRACKS; ++i) {
        middle[i] = (before[i] + after[i]) / 2;
    }

    uint32_t groups[MD5_MAX_TRACKS];
    double   paces[MD5_MAX_TRACKS];   /* [group] in cycles per second */
    md5__find_groups(player, groups);
    for (uint32_t i = 0; i < player->track_count; ++i) {
        uint32_t group = groups[i];
        if (group == MD5__NONE) {
            continue;
        }
        if (group == i) {
            paces[group] = (md5__compute_group_pace(player, groups, group, before) +
                            md5__compute_group_pace(player, groups, group, middle) * 4 +
                            md5__compute_group_pace(player, groups, group, after)) / 6;
        }
        speeds[i] = paces[group] * md5__compute_loop_length(&player->track[i]);
    }
}

/* Advances all tracks by a part of a step of `seconds`, which is above 0. `direction` is 1, or -1
   to play backward. Returns the seconds of this part. The part ends with the step, or earlier when
   a fade is complete and hides older tracks, which the caller must then remove. So all fades
   advance evenly within a part. The player has a track. */
static double md5__advance_part(md5_player *player, double seconds, double direction)
{
    double speeds[MD5_MAX_TRACKS];
    for (uint32_t i = 0; i < player->track_count; ++i) {
        speeds[i] = md5__get_own_speed(&player->track[i]);
    }

    double part = md5__find_fade_end(player, seconds);
    if (md5__has_group(player)) {
        md5__advance_fades_in_phase(player, part, speeds);
    } else {
        md5__advance_fades(player, part);
    }

    for (uint32_t i = 0; i < player->track_count; ++i) {
        md5_track *track = &player->track[i];
        md5__set_track_time(track, track->time + part * direction * speeds[i]);
    }
    return part;
}

/* Counts how often a track passed a position between its previous time and its time. The position
   is `event` steps after the start of each cycle. Forward, the range is (before, after]; backward,
   it is [after, before). The position at which an advance begins does not count, and the position
   at which it ends does. So a position where one advance ends and the next begins counts once. */
static double md5__count_event_crossings(const md5_track *track, double event)
{
    md5_mode mode = track->mode;
    double   rate = md5__track_frame_rate(track);
    double   cycle_steps = md5__track_cycle_steps(track);

    /* Measure steps from the event in the cycle that begins at time 0: before the event, they are
       negative. */
    double before = md5__count_steps(track->previous_time, rate, cycle_steps, mode) - event;
    double after = md5__count_steps(track->time, rate, cycle_steps, mode) - event;

    /* Going backward from 5 to 2 passes as many positions as going forward from -5 to -2. */
    if (after < before) {
        before = -before;
        after = -after;
    }

    /* In a single cycle, or in a cycle without steps, the event is only at 0. */
    if (mode == MD5_ONCE || !(cycle_steps > 0)) {
        return before < 0 && after >= 0 ? 1 : 0;
    }

    /* Otherwise there is an event at each multiple of cycle_steps, and floor(x / cycle_steps) is
       the number of the last event up to x. */
    return md5__floor(after / cycle_steps) - md5__floor(before / cycle_steps);
}

/* Counts how often a track passed a frame of its animation. */
static double md5__count_frame_crossings(const md5_track *track, uint32_t frame)
{
    double cycle_steps = md5__track_cycle_steps(track);
    double event = (double)frame;     /* in steps: each step leads to the next frame */
    double count = md5__count_event_crossings(track, event);

    /* The second half of a ping-pong cycle passes the same frames backward, except the first frame
       and the last, where playback turns around. They occur once in a cycle. */
    if (track->mode == MD5_PING_PONG && event > 0 && event < cycle_steps / 2) {
        count += md5__count_event_crossings(track, cycle_steps - event);
    }
    return count;
}

MD5_API int md5_crossed(const md5_player *player, const md5_anim *anim, uint32_t frame)
{
    const md5_track *track = md5__find_newest_track(player);
    if (!track || !md5__track_plays(track, anim) || frame >= md5__track_frame_count(track)) {
        return 0;
    }

    /* The first change of time after md5_play or md5_stop starts at frame 0, and counts as passing
       it. */
    double count = md5__count_frame_crossings(track, frame);
    if (player->private_data.passed_start && frame == 0) {
        count += 1;
    }
    return count < 2147483647.0 ? (int)count : 2147483647;
}

/* Starts a step, in which no frame has been passed yet. Returns its seconds, negative to play
   backward, or 0 if time does not change. The player has a track. */
static double md5__begin_step(md5_player *player, float delta_seconds)
{
    /* md5_crossed counts the frames between previous_time and time, so it counts none while they
       are equal. */
    for (uint32_t i = 0; i < player->track_count; ++i) {
        player->track[i].previous_time = player->track[i].time;
    }
    player->private_data.passed_start = false;

    md5__set_newest_speed(player);
    if (player->paused || !md5__is_finite((double)delta_seconds)) {
        return 0;
    }
    return (double)delta_seconds;
}

/* Returns MD5_FINISHED if the newest track, in MD5_ONCE, arrives at the end in its direction, and 0
   while it stays there. Sets player->finished. */
static uint32_t md5__detect_finish(md5_player *player, const md5_track *track, bool forward)
{
    double           rate = md5__track_frame_rate(track);
    double           cycle_steps = md5__track_cycle_steps(track);
    md5_mode         mode = track->mode;
    double           before = md5__count_steps(track->previous_time, rate, cycle_steps, mode);
    double           steps = md5__count_steps(track->time, rate, cycle_steps, mode);

    /* A single step can go from one end to the other. */
    bool stays = player->finished && !(steps < before || steps > before);

    player->finished = forward ? steps >= cycle_steps : steps <= 0;
    return player->finished && !stays ? MD5_FINISHED : 0;
}

/* Ends a step of `seconds`, and returns the events of the newest track. The player has a track. */
static uint32_t md5__end_step(md5_player *player, double seconds)
{
    const md5_track *track = &player->track[player->track_count - 1];
    double           change = seconds * md5__get_own_speed(track); /* negative = backward */

    /* A track that plays in phase advances even at a speed of 0, because it keeps the pace of the
       older loop. */
    bool changes = change < 0 || change > 0 || track->time < track->previous_time ||
                 track->time > track->previous_time;

    /* Fades advance even at a speed of 0, but a track does not begin until its time changes. */
    if (changes) {
        player->private_data.passed_start = !player->private_data.begun;
        player->private_data.begun = true;
    }
    if (track->mode == MD5_ONCE) {
        return changes ? md5__detect_finish(player, track, change > 0) : 0;
    }

    /* Every cycle begins at step 0. A track without an animation shows one pose and does not
       loop. */
    bool has_anim = md5__track_frame_count(track) > 0;
    bool has_looped = has_anim && md5__count_event_crossings(track, 0) > 0;
    return has_looped ? MD5_LOOPED : 0;
}

MD5_API void md5_pause(md5_player *player, bool paused)
{
    if (md5__prepare_player(player)) {
        player->paused = paused;
    }
}

MD5_API void md5_stop(md5_player *player)
{
    md5_pause(player, true);
    if (md5__count_tracks(player) == 0) {
        return;
    }

    /* Keep only the newest track, completely faded in. */
    player->track[0] = *md5__find_newest_track(player);
    player->track[0].fade = player->track[0].fade_length;
    player->track_count = 1;

    /* The next change of time passes the first frame, as it does after md5_play. */
    md5_seek(player, 0);
    player->private_data.begun = false;
}

MD5_API void md5_seek(md5_player *player, double seconds)
{
    if (!md5__prepare_player(player) || player->track_count == 0) {
        return;
    }

    md5_track *track = &player->track[player->track_count - 1];
    md5__set_track_time(track, seconds);
    track->in_phase = false;

    /* A jump passes no frames. The next step counts frames from here, without the frame at this
       time. */
    track->previous_time = track->time;
    player->finished = false;
    player->private_data.begun = true;
    player->private_data.passed_start = false;
}

/* Returns the length of a fade: 0 for negative numbers and NaN, FLT_MAX for infinity, which would
   make weights NaN. */
static float md5__limit_fade(float seconds)
{
    if (!(seconds > 0)) {
        return 0;
    }
    return seconds < FLT_MAX ? seconds : FLT_MAX;
}

/* Returns the index of a new track, which is also the number of tracks that stay. */
static uint32_t md5__find_track_index(const md5_player *player, float fade_seconds)
{
    /* Without a fade, the new track replaces all others. With a fade, it is added to the tracks
       that show: a fifth track waits, and a sixth replaces the fifth. */
    return fade_seconds > 0 ? md5__count_shown_tracks(player) : 0;
}

MD5_API void md5_play(md5_player *player, const md5_anim *anim, md5_mode mode, float fade_seconds)
{
    if (!md5__prepare_player(player)) {
        return;
    }

    /* Make the new track first, because *anim may be in a track that is replaced. */
    md5_track track = md5__make_track(anim, mode);
    track.speed = 1;
    track.fade_length = md5__limit_fade(fade_seconds);

    /* From here on, player->speed is the speed of the new track. */
    if (player->track_count > 0) {
        md5__set_newest_speed(player);
    }

    uint32_t index = md5__find_track_index(player, fade_seconds);
    player->track[index] = track;
    player->track_count = index + 1;
    player->speed = track.speed;
    player->paused = false;
    player->finished = false;
    player->private_data.begun = false;
    player->private_data.passed_start = false;
}

/* Returns true if the time of a track has changed since md5_play or md5_stop. */
static bool md5__has_begun(const md5_player *player, uint32_t index)
{
    if (index + 1 == player->track_count) {
        return player->private_data.begun;
    }

    /* An older track has left its start, unless md5_play was called again before the first step. */
    double time = player->track[index].time;
    return time < 0 || time > 0;
}

MD5_API void md5_play_in_phase(md5_player *player, const md5_anim *anim, float fade_seconds)
{
    if (!md5__prepare_player(player)) {
        return;
    }

    /* The partner is the newest loop of the tracks that stay; if none stay, of all tracks. */
    uint32_t stay_count = md5__find_track_index(player, fade_seconds);
    uint32_t partner = md5__find_newest_loop(player, stay_count ? stay_count : player->track_count);
    double   cycles = 0;              /* position in the cycle, 0 to 1 */
    bool     has_begun = true;
    if (partner != MD5__NONE) {
        cycles = md5__find_phase(&player->track[partner]);
        has_begun = md5__has_begun(player, partner);
    }

    md5_play(player, anim, MD5_LOOP, fade_seconds);
    md5_track *track = &player->track[player->track_count - 1];
    double     length = md5__compute_loop_length(track);
    if (partner == MD5__NONE || !(length > 0)) {
        return;
    }

    /* The new loop starts in the middle of its cycle, and the next step does not pass its start,
       unless the partner is still at its own start. */
    track->in_phase = true;
    track->time = cycles * length;
    track->previous_time = track->time;
    player->private_data.begun = has_begun;
}
/* [/twin: playback] */

MD5_API bool md5_playing(const md5_player *player, const md5_anim *anim)
{
    const md5_track *track = md5__find_newest_track(player);
    if (!track || !track->anim) {
        return player && (!anim || anim->frame_count == 0);
    }
    return md5__track_plays(track, anim);
}

/* Returns the rotation by half the angle of a motion, without translation. */
static md5__ground_xform md5__halve_rotation(const md5__ground_xform *motion)
{
    md5__ground_xform half = md5__ground_identity;
    md5__set_ground_rotation(&half, 1 + motion->cosine, motion->sine);
    return half;
}

/* Returns the root motion of a track since the time `before`. A track without an animation has no
   root motion. */
static md5__ground_xform md5__find_track_motion(const md5_track *track, double before,
                                                uint32_t flags)
{
    if (!md5__has_poses(track->anim)) {
        return md5__ground_identity;
    }
    return md5__find_root_motion(track->anim, track->mode, flags, before, track->time);
}

/* Returns the root motion of a player from `before` to `after`: the mean motion of its tracks,
   weighted by the mean of their weights before and after. Translations are averaged in the axes
   halfway through each rotation, so that small steps along a bend differ little from large
   steps. */
static md5__ground_xform md5__find_mean_motion(const md5_player *before, const md5_player *after)
{
    float weights[MD5_MAX_TRACKS], weights_after[MD5_MAX_TRACKS];
    md5__get_track_weights(before, weights);
    md5__get_track_weights(after, weights_after);

    double            cosine = 0, sine = 0;
    md5__ground_xform mean = md5__ground_identity, translation = md5__ground_identity;
    for (uint32_t i = 0; i < after->track_count; ++i) {
        double            weight = ((double)weights[i] + (double)weights_after[i]) / 2;
        md5__ground_xform motion = md5__find_track_motion(&after->track[i], before->track[i].time,
                                                          after->root_motion);
        md5__ground_xform half = md5__halve_rotation(&motion);
        md5__ground_xform second_half = md5__ground_delta(&half, &motion);
        translation.x += weight * second_half.x;
        translation.y += weight * second_half.y;
        cosine += weight * motion.cosine;
        sine += weight * motion.sine;
    }

    md5__set_ground_rotation(&mean, cosine, sine);
    md5__ground_xform half = md5__halve_rotation(&mean);
    translation = md5__ground_compose(&half, &translation);
    mean.x = translation.x;
    mean.y = translation.y;
    return mean;
}

/* Returns the length in seconds of the next part of a step with root motion. In a fade, a long step
   is divided into parts, because each part multiplies mean weights by motions, and the product is
   exact only if the motions are steady. From a steady walk into an uneven one, a single part of 0.3
   seconds was off by up to 44 %, and parts of 0.04 seconds by 0.6 %. The step of a typical frame is
   not divided. A part is at least a 16th of the rest, so that even a step of FLT_MAX seconds has at
   most about 1,400 parts. */
static double md5__limit_fading_part(const md5_player *player, double seconds)
{
    if (player->track_count < 2) {
        return seconds; /* no fade */
    }

    double limit = seconds / 16;
    if (limit < 0.04) {
        limit = 0.04;
    }
    return seconds > limit ? limit : seconds;
}

/* Advances by a part, like md5__advance_part, and adds its root motion to the sum. */
static double md5__advance_part_and_root(md5_player *player, double seconds, double direction,
                                         md5__ground_xform *sum)
{
    md5_player before = *player;
    double     limited = md5__limit_fading_part(player, seconds);
    double     part = md5__advance_part(player, limited, direction);

    md5__ground_xform motion = md5__find_mean_motion(&before, player);
    *sum = md5__ground_compose(sum, &motion);
    return part;
}

/* Returns the animation of the newest track that has one: its axes are the axes of the player.
   Returns NULL if no track has an animation. */
static const md5_anim *md5__find_newest_anim(const md5_player *player)
{
    for (uint32_t i = player->track_count; i-- > 0;) {
        if (player->track[i].anim) {
            return player->track[i].anim;
        }
    }
    return NULL;
}

MD5_API uint32_t md5_advance(md5_player *player, float delta_seconds)
{
    if (!md5__prepare_player(player) || player->track_count == 0) {
        return 0;
    }

    const md5_anim   *anim = md5__find_newest_anim(player);
    md5__ground_xform motion = md5__ground_identity;
    double step = md5__begin_step(player, delta_seconds);
    double direction = step < 0 ? -1 : 1;
    double seconds_left = step < 0 ? -step : step;
    while (seconds_left > 0) {
        if (player->root_motion) {
            seconds_left -= md5__advance_part_and_root(player, seconds_left, direction, &motion);
        } else {
            seconds_left -= md5__advance_part(player, seconds_left, direction);
        }
        md5__remove_hidden_tracks(player);
    }

    player->private_data.motion.scale = 0;
    if (player->root_motion && anim) {
        player->private_data.motion = md5__ground_to_xform(anim, &motion);
    }
    return md5__end_step(player, step);
}

MD5_API void md5_player_motion(const md5_player *player, md5_xform *step)
{
    if (!step) {
        return;
    }

    *step = md5__identity;
    if (md5__count_tracks(player) > 0 && player->private_data.motion.scale > 0) {
        *step = player->private_data.motion;
    }
}

MD5_API void md5_play_once(md5_player *player, const md5_anim *anim, float fade_in, float fade_out)
{
    if (!player) {
        return;
    }

    /* A fade_out of 0 would mean that the track stays, so a fade without length becomes the
       shortest possible fade. */
    md5_play(player, anim, MD5_ONCE, fade_in);
    float length = md5__limit_fade(fade_out);
    player->track[player->track_count - 1].fade_out = length > FLT_MIN ? length : FLT_MIN;
}

MD5_API void md5_fade_out(md5_player *player, float fade_seconds)
{
    md5_play(player, NULL, MD5_LOOP, fade_seconds);
}

/* Replaces the animation of a track, which keeps its position. */
static void md5__replace_track_anim(md5_player *player, uint32_t index, const md5_anim *anim)
{
    md5_track *track = &player->track[index];
    double     old_length = md5_anim_length(track->anim, track->mode);
    bool       is_at_end = md5__has_begun(player, index) && track->time >= old_length;

    track->anim = anim && anim->frame_count > 0 ? anim : NULL;
    double length = md5_anim_length(track->anim, track->mode);

    double time = track->time;
    if (track->mode == MD5_ONCE) {
        time = is_at_end ? length : time;
    } else if (old_length > 0 && length > 0) {
        time *= length / old_length;
    }
    md5__set_track_time(track, time);
    track->previous_time = track->time;
}

MD5_API void md5_replace_anim(md5_player *player, const md5_anim *old, const md5_anim *anim)
{
    uint32_t count = old ? md5__count_tracks(player) : 0;
    for (uint32_t i = 0; i < count; ++i) {
        if (player->track[i].anim != old) {
            continue;
        }
        md5__replace_track_anim(player, i, anim);
        if (i + 1 == count) {
            player->private_data.passed_start = false; /* the newest track has not passed a start */
        }
    }
}

/* Returns the visible fraction of a track of md5_play_once: 1, falling to 0 during the fade_out
   before its end. All other tracks return 1. The track must have an animation. */
static float md5__compute_fade_out(const md5_track *track)
{
    if (!(track->fade_out > 0)) {
        return 1;
    }

    double seconds_left = md5_anim_length(track->anim, track->mode) - track->time;
    if (!(seconds_left > 0)) {
        return 0;
    }
    if (seconds_left >= (double)track->fade_out) {
        return 1;
    }
    return (float)(seconds_left / (double)track->fade_out);
}

/* Returns the fraction of a track's weight that shows in a layer, 0 to 1. The rest belongs to the
   pose below. */
static float md5__compute_layer_factor(const md5_model *model, const md5_player *player,
                                       uint32_t index)
{
    const md5_track *track = &player->track[index];
    if (!md5__anim_fits_model(model, track->anim)) {
        return 0; /* also if anim is NULL */
    }

    /* The oldest track fades in over the pose below, just as the other tracks fade in over older
       tracks. */
    float progress = index == 0 ? md5__track_fade_progress(track) : 1.0f;
    return progress * md5__compute_fade_out(track);
}

/* Mixes the tracks into the pose in `local`, one after the other. Example: a track has the weight
   0.25 and a newer track 0.75, nothing of the pose below shows (`below` is 0), and there is no
   mask. The first track is mixed with t = 0.25 / 0.25 = 1, so it replaces the pose in `local`. The
   second is mixed with t = 0.75 / (0.25 + 0.75).

   In general, let m be layer_weight * mask[joint]. In the result, track k has the weight m *
   weights[k], and the pose in `local` has the rest, 1 - m + m * below. Tracks are mixed one at a
   time, so t is the weight of the track divided by the total weight so far:

       t = m * weights[k] / (1 - m + m * sum),  sum = below + weights[0] + ... + weights[k] */
static void md5__mix_tracks(const md5_model *model, const md5_player *player,
                            const float weights[MD5_MAX_TRACKS], float below, float layer_weight,
                            const float *mask, md5_xform *local, md5_xform *scratch)
{
    md5__mix_batch batch;
    float          sum = below;
    batch.count = 0;
    for (uint32_t i = 0; i < MD5__SHOWN_TRACKS; ++i) { /* a fifth track waits and is not visible */
        if (!(weights[i] > 0)) {
            continue;
        }
        const md5_track *track = &player->track[i];
        md5_pose_in_place(model, track->anim, track->mode, player->root_motion, track->time,
                          scratch);
        sum += weights[i];

        for (uint32_t joint = 0; joint < model->joint_count; ++joint) {
            float m = mask ? layer_weight * md5__clamp01(mask[joint]) : layer_weight;
            float t = weights[i] * m / ((1 - m) + m * sum);
            md5__mix_joint(&batch, &local[joint], &scratch[joint], t, &local[joint]);
        }
        md5__end_mix(&batch); /* the next track mixes into the same joints */
    }
}

MD5_API void md5_player_pose(const md5_model *model, const md5_player *player, md5_xform *local,
                             md5_xform *scratch)
{
    if (!model || !player || !local || !scratch) {
        return;
    }
    if (md5__count_tracks(player) == 0) {
        md5_pose_bind(model, local);
    }

    float weights[MD5_MAX_TRACKS];
    md5__get_track_weights(player, weights);
    md5__mix_tracks(model, player, weights, 0, 1, NULL, local, scratch);
}

MD5_API void md5_player_pose_over(const md5_model *model, const md5_player *player, float weight,
                                  const float *mask, md5_xform *local, md5_xform *scratch)
{
    if (!model || !player || !local || !scratch) {
        return;
    }

    float weights[MD5_MAX_TRACKS];
    float below = 0;                  /* sum of the weights that the tracks do not show */
    md5__get_track_weights(player, weights);
    for (uint32_t i = 0; i < MD5__SHOWN_TRACKS; ++i) {
        float shown = weights[i] > 0 ? weights[i] * md5__compute_layer_factor(model, player, i) : 0;
        below += weights[i] - shown;
        weights[i] = shown;
    }
    md5__mix_tracks(model, player, weights, below, md5__clamp01(weight), mask, local, scratch);
}

#ifdef MD5_GL

/* -- OpenGL: shaders ------------------------------------------------------ */

/* These constants configure the shared OpenGL code: texture units for weights, palettes and
   diffuse; textures for white and palettes; staging buffers for instances and palettes. */
enum {
    MD5__GL_UNIT_COUNT = 3, MD5__GL_TEXTURE_COUNT = 2, MD5__GL_STAGING_COUNT = 2,
    MD5__GL_PROGRAM_COUNT = 1, MD5__GL_SCENE_VECTORS = 5
};

static const char *const md5__gl_vertex_defines[MD5__GL_PROGRAM_COUNT] = { "" };

typedef struct md5__gl_record {       /* uploaded data of an instance */
    float    tint[4], rows[3][4];
    uint32_t first_joint_texel;       /* of the instance, in the palette texture */
} md5__gl_record;

static void md5__gl_set_static_uniforms(const md5_gl *gl, uint32_t program);

/* [shader: md5.vert] */
static const char md5__gl_vertex_source[] =
    "// Skins vertices with any number of weights. md5.h adds the \"#version\" line.\n"
    "layout(location = 0) in vec2 texcoord;     // this and the next three: per vertex\n"
    "layout(location = 1) in uvec2 weights;     // index of the first; count\n"
    "layout(location = 2) in vec3 normal;       // in the bind pose\n"
    "layout(location = 3) in vec4 tangent;      // w: sign of the bitangent\n"
    "layout(location = 4) in vec4 tint;         // this and all below: per instance\n"
    "layout(location = 5) in vec4 row0;         // transform\n"
    "layout(location = 6) in vec4 row1;\n"
    "layout(location = 7) in vec4 row2;\n"
    "layout(location = 8) in uint joints;       // the instance's first texel in the palette\n"
    "\n"
    "uniform highp sampler2D md5_weights;       // two texels each: bias * position, bias; joint\n"
    "uniform highp sampler2D md5_palette;       // three texels per matrix: its rows\n"
    "uniform vec4 md5_scene[5];                 // view_projection; light, ambient\n"
    "out vec3 v_position;                       // in world space\n"
    "out vec3 v_normal;\n"
    "out vec4 v_tangent;                        // w: sign of the bitangent\n"
    "out vec2 v_texcoord;\n"
    "out vec4 v_tint;\n"
    "flat out vec4 v_light;                     // direction toward the light; ambient\n"
    "\n"
    "// Textures have rows of 1,024 texels.\n"
    "vec4 fetch(highp sampler2D data, int index)\n"
    "{\n"
    "    return texelFetch(data, ivec2(index & 1023, index >> 10), 0);\n"
    "}\n"
    "\n"
    "void main()\n"
    "{\n"
    "    vec3 position = vec3(0.0);\n"
    "    vec3 rotation0 = vec3(0.0), rotation1 = vec3(0.0), rotation2 = vec3(0.0);\n"
    "    int first = int(weights.x), count = int(weights.y);\n"
    "    for (int i = first; i < first + count; ++i) {\n"
    "        vec4 weight = fetch(md5_weights, 2 * i);\n"
    "        int row = int(joints) + 3 * int(fetch(md5_weights, 2 * i + 1).x);\n"
    "        vec4 x = fetch(md5_palette, row);\n"
    "        vec4 y = fetch(md5_palette, row + 1);\n"
    "        vec4 z = fetch(md5_palette, row + 2);\n"
    "        position += vec3(dot(x, weight), dot(y, weight), dot(z, weight));\n"
    "        rotation0 += x.xyz * weight.w;\n"
    "        rotation1 += y.xyz * weight.w;\n"
    "        rotation2 += z.xyz * weight.w;\n"
    "    }\n"
    "    vec3 n = vec3(dot(rotation0, normal), dot(rotation1, normal), dot(rotation2, normal));\n"
    "    vec3 t = vec3(dot(rotation0, tangent.xyz), dot(rotation1, tangent.xyz),\n"
    "                  dot(rotation2, tangent.xyz));\n"
    "    // If the blended normals cancel, use the normal and tangent of the bind pose.\n"
    "    float n_squared = dot(n, n), t_squared = dot(t, t);\n"
    "    if (!(n_squared > 1e-6)) {\n"
    "        n = normal;\n"
    "        t = tangent.xyz;\n"
    "    } else {\n"
    "        t -= n * (dot(n, t) / n_squared);\n"
    "        // If t is along the normal, use the axis farthest from the normal.\n"
    "        if (!(dot(t, t) > max(1e-6 * t_squared, 1e-37))) {\n"
    "            vec3 squares = n * n;\n"
    "            t = min(squares.x, squares.y) > squares.z ? vec3(0.0, 0.0, 1.0)\n"
    "                : squares.x > squares.y ? vec3(0.0, 1.0, 0.0) : vec3(1.0, 0.0, 0.0);\n"
    "            t -= n * (dot(n, t) / n_squared);\n"
    "        }\n"
    "    }\n"
    "    vec4 local = vec4(position, 1.0);\n"
    "    v_position = vec3(dot(row0, local), dot(row1, local), dot(row2, local));\n"
    "    // The cofactor matrix keeps normals perpendicular under any scale and mirror.\n"
    "    mat3 cofactors = mat3(cross(row1.xyz, row2.xyz), cross(row2.xyz, row0.xyz),\n"
    "                          cross(row0.xyz, row1.xyz));\n"
    "    float mirrored = dot(row0.xyz, cofactors[0]) < 0.0 ? -1.0 : 1.0;\n"
    "    vec3 world_normal = n * cofactors;\n"
    "    float size = length(world_normal);\n"
    "    v_normal = size > 0.0 ? world_normal * (mirrored / size) : vec3(0.0, 0.0, 1.0);\n"
    "    vec3 world_tangent = vec3(dot(row0.xyz, t), dot(row1.xyz, t), dot(row2.xyz, t));\n"
    "    size = length(world_tangent);\n"
    "    v_tangent = vec4(size > 0.0 ? world_tangent / size : vec3(1.0, 0.0, 0.0),\n"
    "                     tangent.w * mirrored);\n"
    "    v_texcoord = texcoord;\n"
    "    v_tint = tint;\n"
    "    v_light = md5_scene[4];\n"
    "    gl_Position = mat4(md5_scene[0], md5_scene[1], md5_scene[2], md5_scene[3]) *\n"
    "                  vec4(v_position, 1.0);\n"
    "}\n";
/* [/shader] */

/* [shader: md5.frag] */
static const char md5__gl_fragment_source[] =
    "// Directional and ambient light. md5.h adds the \"#version\" line.\n"
    "in vec3 v_normal;\n"
    "in vec2 v_texcoord;\n"
    "in vec4 v_tint;\n"
    "flat in vec4 v_light;                      // direction toward the light; ambient\n"
    "uniform sampler2D diffuse;\n"
    "out vec4 color;\n"
    "\n"
    "void main()\n"
    "{\n"
    "    float lit = max(dot(normalize(v_normal), v_light.xyz), 0.0);\n"
    "    color = texture(diffuse, v_texcoord);\n"
    "#ifdef CUT_OUT\n"
    "    // If a pixel covers several texels, mipmaps mix solid and empty ones, and alpha is the\n"
    "    // fraction of solid texels. Keep the same fraction of pixels: compare alpha with a\n"
    "    // threshold that differs from cell to cell, with all values in every small area (the R2\n"
    "    // sequence of Roberts 2018). Cells are about as large as a pixel, and are fixed to the\n"
    "    // surface, so they move with it.\n"
    "    vec2 texel = v_texcoord * vec2(textureSize(diffuse, 0));\n"
    "    vec2 right = dFdx(texel), up = dFdy(texel), width = max(abs(right), abs(up));\n"
    "    float mixed = clamp(max(length(right), length(up)) - 1.0, 0.0, 1.0);\n"
    "    vec2 cell = floor(texel / exp2(floor(log2(max(width, 1.0)))));\n"
    "    float noise = max(fract(dot(cell, vec2(0.75487767, 0.56984029))), 0.002);\n"
    "    if (color.a < mix(0.5, noise, mixed)) {\n"
    "        discard;\n"
    "    }\n"
    "    color.a = mix(color.a, 1.0, mixed);\n"
    "#endif\n"
    "    color *= v_tint;\n"
    "    color.rgb *= mix(lit, 1.0, v_light.w);\n"
    "}\n";
/* [/shader] */

/* [twin: opengl] written by "make twins" from md2.h: edit it there */
/* -- OpenGL: functions ---------------------------------------------------- */

/* On 32-bit Windows, OpenGL and C have different calling conventions. */
#if defined(_WIN32) && !defined(_WIN64)
  #define MD5__GL_CALL __stdcall
#else
  #define MD5__GL_CALL
#endif

/* The functions of OpenGL that the renderer calls: result, name, parameters. */
#define MD5__GL_FUNCTIONS(X) \
    X(void, ActiveTexture, (unsigned unit)) \
    X(void, AttachShader, (unsigned program, unsigned shader)) \
    X(void, BindBuffer, (unsigned target, unsigned buffer)) \
    X(void, BindSampler, (unsigned unit, unsigned sampler)) \
    X(void, BindTexture, (unsigned target, unsigned texture)) \
    X(void, BindVertexArray, (unsigned array)) \
    X(void, BufferData, (unsigned target, ptrdiff_t size, const void *data, unsigned usage)) \
    X(void, CompileShader, (unsigned shader)) \
    X(unsigned, CreateProgram, (void)) \
    X(unsigned, CreateShader, (unsigned type)) \
    X(void, DeleteBuffers, (int count, const unsigned *buffers)) \
    X(void, DeleteProgram, (unsigned program)) \
    X(void, DeleteShader, (unsigned shader)) \
    X(void, DeleteTextures, (int count, const unsigned *textures)) \
    X(void, DeleteVertexArrays, (int count, const unsigned *arrays)) \
    X(void, Disable, (unsigned capability)) \
    X(void, DrawElementsInstanced, (unsigned mode, int count, unsigned type, const void *indices, \
                                    int instances)) \
    X(void, Enable, (unsigned capability)) \
    X(void, EnableVertexAttribArray, (unsigned index)) \
    X(void, GenBuffers, (int count, unsigned *buffers)) \
    X(void, GenTextures, (int count, unsigned *textures)) \
    X(void, GenVertexArrays, (int count, unsigned *arrays)) \
    X(void, GenerateMipmap, (unsigned target)) \
    X(unsigned, GetError, (void)) \
    X(void, GetIntegerv, (unsigned name, int *values)) \
    X(void, GetProgramInfoLog, (unsigned program, int size, int *length, char *log)) \
    X(void, GetProgramiv, (unsigned program, unsigned name, int *value)) \
    X(void, GetShaderInfoLog, (unsigned shader, int size, int *length, char *log)) \
    X(void, GetShaderiv, (unsigned shader, unsigned name, int *value)) \
    X(const unsigned char *, GetString, (unsigned name)) \
    X(int, GetUniformLocation, (unsigned program, const char *name)) \
    X(unsigned char, IsEnabled, (unsigned capability)) \
    X(unsigned char, IsProgram, (unsigned program)) \
    X(void, LinkProgram, (unsigned program)) \
    X(void, PixelStorei, (unsigned name, int value)) \
    X(void, ShaderSource, (unsigned shader, int count, const char *const *text, const int *sizes)) \
    X(void, TexImage2D, (unsigned target, int level, int storage, int width, int height, \
                         int border, unsigned format, unsigned type, const void *pixels)) \
    X(void, TexParameteri, (unsigned target, unsigned name, int value)) \
    X(void, TexSubImage2D, (unsigned target, int level, int x, int y, int width, int height, \
                            unsigned format, unsigned type, const void *pixels)) \
    X(void, Uniform1i, (int location, int value)) \
    X(void, Uniform4fv, (int location, int count, const float *values)) \
    X(void, UseProgram, (unsigned program)) \
    X(void, VertexAttribDivisor, (unsigned index, unsigned divisor)) \
    X(void, VertexAttribIPointer, (unsigned index, int size, unsigned type, int stride, \
                                   const void *offset)) \
    X(void, VertexAttribPointer, (unsigned index, int size, unsigned type, unsigned char scaled, \
                                  int stride, const void *offset))

#define MD5__GL_DEFINE_FIELD(result, name, parameters) result(MD5__GL_CALL *name) parameters;

enum {                                /* equal in OpenGL, ES and WebGL */
    MD5__GL_TRIANGLES = 0x0004, MD5__GL_UNSIGNED_BYTE = 0x1401, MD5__GL_UNSIGNED_SHORT = 0x1403,
    MD5__GL_UNSIGNED_INT = 0x1405, MD5__GL_FLOAT = 0x1406, MD5__GL_RGBA = 0x1908,
    MD5__GL_RASTERIZER_DISCARD = 0x8C89, MD5__GL_PRIMITIVE_RESTART = 0x8F9D,
    MD5__GL_VERSION = 0x1F02, MD5__GL_NEAREST = 0x2600, MD5__GL_LINEAR = 0x2601,
    MD5__GL_LINEAR_MIPMAP_LINEAR = 0x2703, MD5__GL_MAG_FILTER = 0x2800,
    MD5__GL_MIN_FILTER = 0x2801, MD5__GL_RGBA8 = 0x8058, MD5__GL_TEXTURE_2D = 0x0DE1,
    MD5__GL_MAX_TEXTURE_SIZE = 0x0D33, MD5__GL_TEXTURE0 = 0x84C0, MD5__GL_ACTIVE_TEXTURE = 0x84E0,
    MD5__GL_TEXTURE_BINDING_2D = 0x8069, MD5__GL_SAMPLER_BINDING = 0x8919,
    MD5__GL_VERTEX_ARRAY_BINDING = 0x85B5, MD5__GL_ARRAY_BUFFER = 0x8892,
    MD5__GL_ELEMENT_ARRAY_BUFFER = 0x8893, MD5__GL_ARRAY_BUFFER_BINDING = 0x8894,
    MD5__GL_PIXEL_UNPACK_BUFFER = 0x88EC, MD5__GL_PIXEL_UNPACK_BUFFER_BINDING = 0x88EF,
    MD5__GL_STREAM_DRAW = 0x88E0, MD5__GL_STATIC_DRAW = 0x88E4, MD5__GL_FRAGMENT_SHADER = 0x8B30,
    MD5__GL_VERTEX_SHADER = 0x8B31, MD5__GL_COMPILE_STATUS = 0x8B81, MD5__GL_LINK_STATUS = 0x8B82,
    MD5__GL_CURRENT_PROGRAM = 0x8B8D, MD5__GL_OUT_OF_MEMORY = 0x0505
};

/* -- OpenGL: state -------------------------------------------------------- */

enum {
    MD5__GL_ROW_TEXELS     = 1024,    /* width of the textures with data for the shaders */
    MD5__GL_TRIM_DRAWS     = 400,     /* small draws in a row after which memory is released */
    MD5__GL_UNPACK_COUNT   = 7,
    MD5__GL_CUSTOM_PROGRAM = MD5__GL_PROGRAM_COUNT /* index for md5_gl_use_program */
};

typedef struct md5__gl_unpack_setting {
    unsigned name;
    int      value;                   /* OpenGL's default, set for uploads */
} md5__gl_unpack_setting;

/* Settings that define where OpenGL finds the rows of an image in memory (pixel unpacking). These
   values are for rows without gaps, because every texel used here takes a multiple of 4 bytes.
   Settings that are not listed affect only bitmaps and textures of three dimensions. */
static const md5__gl_unpack_setting md5__gl_unpack_settings[MD5__GL_UNPACK_COUNT] = {
    { 0x9240, 0 },                    /* flip y: only in WebGL */
    { 0x9241, 0 },                    /* premultiply alpha: only in WebGL */
    { 0x0CF2, 0 },                    /* row length in pixels; 0 = the width of the image */
    { 0x0CF3, 0 },                    /* skip rows */
    { 0x0CF4, 0 },                    /* skip pixels */
    { 0x0CF5, 4 },                    /* alignment: a row begins at a multiple of 4 bytes */
    { 0x0CF0, 0 }                     /* swap bytes: not in ES and WebGL */
};

typedef struct md5__gl_state {        /* the caller's state, restored at the end of a call */
    int  program, vertex_array, array_buffer, active_unit;
    int  textures[MD5__GL_UNIT_COUNT], samplers[MD5__GL_UNIT_COUNT];
    bool discard, restart;
    bool has_unpacking;               /* the next two are saved as well; only uploads change them */
    int  unpack_buffer, unpack_values[MD5__GL_UNPACK_COUNT];
} md5__gl_state;

typedef struct md5__gl_staging {      /* data of a draw, before it is copied to the GPU */
    md5__buffer buffer;
    uint32_t    draw_count;           /* draws since the size of the buffer was last checked */
    size_t      most_bytes;           /* most bytes that any of these draws has needed */
} md5__gl_staging;

struct md5_gl {
    struct {
        MD5__GL_FUNCTIONS(MD5__GL_DEFINE_FIELD)
    } fn;
    md5__context      context;        /* memory and errors; not an OpenGL context */
    md5__gl_staging   staging[MD5__GL_STAGING_COUNT];
    uint32_t          programs[MD5__GL_PROGRAM_COUNT + 1]; /* the last is the user's, or 0 */
    int               scene_locations[MD5__GL_PROGRAM_COUNT + 1]; /* of md5_scene, by program */
    md5_gl_options    options;
    uint32_t          instance_buffer;
    uint32_t          first_unpack, end_unpack; /* the unpack settings that this OpenGL has */
    uint32_t          textures[MD5__GL_TEXTURE_COUNT]; /* the first is plain white */
    uint64_t          largest_draw;   /* bytes of the largest draw without errors */
    int               max_texture_size; /* 0 until all functions are loaded */
    bool              is_es;          /* OpenGL ES or WebGL */
    bool              is_webgl;
};

/* Decides whether a call checks for OpenGL errors at its end. A check may wait for the GPU, so only
   calls that allocate GPU memory check: uploads, and draws that are larger than all draws before
   them. */
typedef enum md5__gl_error_check { MD5__GL_SKIP_ERRORS, MD5__GL_CHECK_ERRORS } md5__gl_error_check;

static const char md5__gl_no_context[] = "the OpenGL context is lost or not current";

/* Clears the error of the previous call. Every call that can fail begins with this. */
static void md5__gl_clear_error(md5_gl *gl)
{
    memset(&gl->context.error, 0, sizeof gl->context.error);
}

/* Reads and clears all errors of OpenGL. Returns the most informative: OUT_OF_MEMORY if it is among
   them, because the others may follow from it, or else the first. Returns 0 if there are none. */
static unsigned md5__gl_drain_errors(const md5_gl *gl)
{
    unsigned found = 0;

    /* OpenGL may store several errors, and each call returns one of them. A lost context returns
       errors forever, so their number is limited. */
    for (uint32_t i = 0; i < 16; ++i) {
        unsigned code = gl->fn.GetError();
        if (code == 0) {
            break;
        }
        if (found == 0 || code == MD5__GL_OUT_OF_MEMORY) {
            found = code;
        }
    }
    return found;
}

/* Queries the state that every call changes. The caller must have saved the active unit, because
   this function changes it. */
static void md5__gl_query_state(const md5_gl *gl, md5__gl_state *state)
{
    gl->fn.GetIntegerv(MD5__GL_CURRENT_PROGRAM, &state->program);
    gl->fn.GetIntegerv(MD5__GL_VERTEX_ARRAY_BINDING, &state->vertex_array);
    gl->fn.GetIntegerv(MD5__GL_ARRAY_BUFFER_BINDING, &state->array_buffer);

    /* OpenGL returns the texture and the sampler of the active unit. The renderer's units begin at
       options.texture_unit. */
    for (uint32_t i = 0; i < MD5__GL_UNIT_COUNT; ++i) {
        gl->fn.ActiveTexture(MD5__GL_TEXTURE0 + gl->options.texture_unit + i);
        gl->fn.GetIntegerv(MD5__GL_TEXTURE_BINDING_2D, &state->textures[i]);
        gl->fn.GetIntegerv(MD5__GL_SAMPLER_BINDING, &state->samplers[i]);
    }

    state->discard = gl->fn.IsEnabled(MD5__GL_RASTERIZER_DISCARD) != 0;
    if (!gl->is_es) {
        state->restart = gl->fn.IsEnabled(MD5__GL_PRIMITIVE_RESTART) != 0;
    }
}

/* Turns off any state of the caller that would spoil a draw. */
static void md5__gl_reset_state(const md5_gl *gl)
{
    /* A sampler overrides the filters of the texture in its unit. Integer textures, and float
       textures of 32 bits in ES, have no linear filter: with a sampler that filters linearly, such
       a texture is "incomplete" and reads as black. */
    for (uint32_t i = 0; i < MD5__GL_UNIT_COUNT; ++i) {
        gl->fn.BindSampler(gl->options.texture_unit + i, 0);
    }

    /* GL_RASTERIZER_DISCARD drops all triangles. */
    gl->fn.Disable(MD5__GL_RASTERIZER_DISCARD);

    /* With GL_PRIMITIVE_RESTART, an index that the caller has chosen restarts the primitives
       instead of naming a vertex. ES only has a variant whose index is the largest number of 32
       bits, which is not in any mesh. */
    if (!gl->is_es) {
        gl->fn.Disable(MD5__GL_PRIMITIVE_RESTART);
    }
}

/* Begins a call: clears the error of the renderer, saves the state that every call changes, and
   turns off any state that would spoil a draw. Fails if the context is lost. */
static bool md5__gl_begin_call(md5_gl *gl, md5__gl_state *state, md5__gl_error_check error_check)
{
    memset(state, 0, sizeof *state);
    md5__gl_clear_error(gl);
    if (error_check == MD5__GL_CHECK_ERRORS) {
        md5__gl_drain_errors(gl); /* from earlier calls, including the caller's */
    }

    /* Queries are slow in browsers and some drivers. With leave_state there are no queries: the
       caller sets all state again for its own draws, and has turned off any state that would spoil
       a draw. */
    if (gl->options.leave_state) {
        return true;
    }

    /* In a lost context, a query does not change this 0, while a real unit is at least
       GL_TEXTURE0. */
    gl->fn.GetIntegerv(MD5__GL_ACTIVE_TEXTURE, &state->active_unit);
    if (state->active_unit == 0) {
        return md5__fail(&gl->context, MD5_ERROR_GL, md5__gl_no_context);
    }

    md5__gl_query_state(gl, state);
    md5__gl_reset_state(gl);
    return true;
}

/* Decides whether a draw checks for errors. If an earlier draw was at least as large, its memory is
   still available, so the check is skipped. */
static md5__gl_error_check md5__gl_choose_error_check(const md5_gl *gl, uint64_t bytes)
{
    return bytes > gl->largest_draw ? MD5__GL_CHECK_ERRORS : MD5__GL_SKIP_ERRORS;
}

/* Saves the settings of pixel unpacking, and sets them for tightly packed pixels in memory. Does
   nothing if this call has already saved them, because they are no longer the caller's settings. */
static void md5__gl_save_pixel_unpacking(const md5_gl *gl, md5__gl_state *state)
{
    if (gl->options.leave_state || state->has_unpacking) {
        return;
    }
    state->has_unpacking = true;

    /* While an unpack buffer is bound, OpenGL takes a pointer to pixels as an offset in that
       buffer. */
    gl->fn.GetIntegerv(MD5__GL_PIXEL_UNPACK_BUFFER_BINDING, &state->unpack_buffer);
    gl->fn.BindBuffer(MD5__GL_PIXEL_UNPACK_BUFFER, 0);

    for (uint32_t i = gl->first_unpack; i < gl->end_unpack; ++i) {
        const md5__gl_unpack_setting *setting = &md5__gl_unpack_settings[i];
        gl->fn.GetIntegerv(setting->name, &state->unpack_values[i]);
        gl->fn.PixelStorei(setting->name, setting->value);
    }
}

/* Restores the settings of pixel unpacking. */
static void md5__gl_restore_pixel_unpacking(const md5_gl *gl, const md5__gl_state *state)
{
    for (uint32_t i = gl->first_unpack; i < gl->end_unpack; ++i) {
        gl->fn.PixelStorei(md5__gl_unpack_settings[i].name, state->unpack_values[i]);
    }
    gl->fn.BindBuffer(MD5__GL_PIXEL_UNPACK_BUFFER, (unsigned)state->unpack_buffer);
}

/* Binds a texture to one of the renderer's units, counted from 0. The unit stays active. */
static void md5__gl_bind_unit_texture(const md5_gl *gl, uint32_t unit, uint32_t texture)
{
    gl->fn.ActiveTexture(MD5__GL_TEXTURE0 + gl->options.texture_unit + unit);
    gl->fn.BindTexture(MD5__GL_TEXTURE_2D, texture);
}

/* Makes the caller's program current again. If the caller had deleted this program while it was in
   use, OpenGL removed it when the renderer used another program. Then no program is made current.
   (WebGL does not return the name of such a program, and is slow to answer.) */
static void md5__gl_restore_program(const md5_gl *gl, unsigned program)
{
    bool has_ended = program != 0 && !gl->is_webgl && !gl->fn.IsProgram(program);

    gl->fn.UseProgram(has_ended ? 0 : program);
}

/* Ends a call: restores the state that md5__gl_begin_call has saved. */
static void md5__gl_end_call(const md5_gl *gl, const md5__gl_state *state)
{
    if (gl->options.leave_state) {
        return;
    }
    if (state->has_unpacking) {
        md5__gl_restore_pixel_unpacking(gl, state);
    }
    if (state->discard) {
        gl->fn.Enable(MD5__GL_RASTERIZER_DISCARD);
    }
    if (state->restart) {
        gl->fn.Enable(MD5__GL_PRIMITIVE_RESTART);
    }

    for (uint32_t i = 0; i < MD5__GL_UNIT_COUNT; ++i) {
        md5__gl_bind_unit_texture(gl, i, (uint32_t)state->textures[i]);
        gl->fn.BindSampler(gl->options.texture_unit + i, (unsigned)state->samplers[i]);
    }
    gl->fn.ActiveTexture((unsigned)state->active_unit); /* after the loop, which changes the unit */
    gl->fn.BindBuffer(MD5__GL_ARRAY_BUFFER, (unsigned)state->array_buffer);
    gl->fn.BindVertexArray((unsigned)state->vertex_array);
    md5__gl_restore_program(gl, (unsigned)state->program);
}

static void md5__gl_release_staging(md5_gl *gl, md5__gl_staging *staging)
{
    md5__release(&gl->context, staging->buffer.data, staging->buffer.capacity);
    memset(staging, 0, sizeof *staging);
}

/* Counts a draw. After every MD5__GL_TRIM_DRAWS draws, releases the buffer if it is more than four
   times as large as the largest of these draws needed, because it grew for a crowd that is no
   longer drawn. */
static void md5__gl_trim_staging(md5_gl *gl, md5__gl_staging *staging, size_t bytes)
{
    staging->most_bytes = bytes > staging->most_bytes ? bytes : staging->most_bytes;
    ++staging->draw_count;
    if (staging->draw_count < MD5__GL_TRIM_DRAWS) {
        return;
    }

    if (staging->buffer.capacity / 4 > staging->most_bytes) {
        md5__gl_release_staging(gl, staging);
    }
    staging->most_bytes = 0;
    staging->draw_count = 0;
}

/* Returns a staging buffer with room for the bytes of a draw, or NULL if there is no memory. The
   bytes in use stay, unless the buffer was trimmed. A buffer that is too small grows to twice the
   size, because crowds often grow by one instance at a time. */
static void *md5__gl_reserve_staging(md5_gl *gl, uint32_t index, uint64_t bytes)
{
    md5__gl_staging *staging = &gl->staging[index];
    md5__buffer     *buffer = &staging->buffer;

    md5__gl_trim_staging(gl, staging, (size_t)bytes);
    uint64_t missing = bytes > buffer->size ? bytes - buffer->size : 0;
    if (!md5__reserve_bytes(&gl->context, buffer, missing, bytes)) {
        return NULL;
    }
    return buffer->data;
}

/* -- OpenGL: textures ----------------------------------------------------- */

/* Fails if this call has failed, or if OpenGL has an error. The error comes from this call, because
   md5__gl_begin_call has cleared earlier errors. Leaves no error in OpenGL, because the caller
   would take it for an error of its own calls. */
static bool md5__gl_check_errors(md5_gl *gl)
{
    unsigned code = md5__gl_drain_errors(gl);

    if (gl->context.error.code != MD5_OK) {
        return false; /* its message is more informative than OpenGL's error */
    }
    if (code == MD5__GL_OUT_OF_MEMORY) {
        return md5__fail(&gl->context, MD5_ERROR_MEMORY, "the GPU has no memory left");
    }
    if (code != 0) {
        return md5__fail_numbers(&gl->context, MD5_ERROR_GL, "OpenGL reports error #", NULL, code,
                                 0);
    }
    return true;
}

/* Creates a texture without an image, and leaves it bound to the first unit. The filters must be
   set, because the default filter needs mipmaps. The default wrapping, which repeats, stays. */
static uint32_t md5__gl_create_empty_texture(const md5_gl *gl, int min_filter, int mag_filter)
{
    unsigned texture = 0;

    gl->fn.GenTextures(1, &texture);
    md5__gl_bind_unit_texture(gl, 0, texture);
    gl->fn.TexParameteri(MD5__GL_TEXTURE_2D, MD5__GL_MIN_FILTER, min_filter);
    gl->fn.TexParameteri(MD5__GL_TEXTURE_2D, MD5__GL_MAG_FILTER, mag_filter);
    return texture;
}

/* Returns the number of rows for some texels of data; the last row may be partly used. A row has
   1,024 texels, because every OpenGL has textures of that width. Shaders find texel i in column i &
   1023 of row i >> 10. */
static uint32_t md5__gl_count_texture_rows(uint64_t texels)
{
    return (uint32_t)((texels + MD5__GL_ROW_TEXELS - 1) / MD5__GL_ROW_TEXELS);
}

/* Fails if the texels need more rows than a texture may have. `content` names them in the
   message. */
static bool md5__gl_check_texture_size(md5_gl *gl, uint64_t texels, const char *content)
{
    uint32_t max_rows = (uint32_t)gl->max_texture_size;

    if (texels > (uint64_t)max_rows * MD5__GL_ROW_TEXELS) {
        return md5__fail_numbers(&gl->context, MD5_ERROR_LIMIT,
                                 "the $ take # texels, more than a texture of # rows holds",
                                 content, texels, max_rows);
    }
    return true;
}

typedef struct md5__gl_data_format {  /* arguments of TexImage2D and TexSubImage2D */
    unsigned storage, format, type;
    size_t   texel_bytes;
} md5__gl_data_format;

/* Replaces the image of the bound texture with `rows` complete rows. */
static void md5__gl_fill_data_texture(const md5_gl *gl, const md5__gl_data_format *data,
                                      uint32_t rows, const uint8_t *texels)
{
    const uint32_t piece_rows = 64;
    bool           is_one_piece = rows <= piece_rows;

    /* Create a new image each time. OpenGL can allocate new memory for it, while earlier draws
       still read the old image. Writing to the old image would have to wait for those draws. */
    gl->fn.TexImage2D(MD5__GL_TEXTURE_2D, 0, (int)data->storage, MD5__GL_ROW_TEXELS, (int)rows, 0,
                      data->format, data->type, is_one_piece ? texels : NULL);
    if (is_one_piece) {
        return;
    }

    /* The image has no texels yet. OpenGL must not read the renderer's memory after a call, so
       drivers copy what they receive, and smaller pieces mean smaller copies. 64 rows are 1 MiB of
       floats, which fits in the cache of most processors, and a texture of 16,384 rows takes 256
       calls. */
    for (uint32_t row = 0; row < rows; row += piece_rows) {
        uint32_t       rows_left = rows - row;
        uint32_t       row_count = rows_left < piece_rows ? rows_left : piece_rows;
        const uint8_t *piece = texels + row * MD5__GL_ROW_TEXELS * data->texel_bytes;
        gl->fn.TexSubImage2D(MD5__GL_TEXTURE_2D, 0, 0, (int)row, MD5__GL_ROW_TEXELS,
                             (int)row_count, data->format, data->type, piece);
    }
}

/* Creates a texture with data for the shaders. They fetch single texels, so nothing is filtered.
   Integer texels must not be filtered: see md5__gl_reset_state. */
static uint32_t md5__gl_create_data_texture(const md5_gl *gl, const md5__gl_data_format *data,
                                            uint32_t rows, const uint8_t *texels)
{
    uint32_t texture = md5__gl_create_empty_texture(gl, MD5__GL_NEAREST, MD5__GL_NEAREST);

    md5__gl_fill_data_texture(gl, data, rows, texels);
    return texture;
}

static void md5__gl_set_image(const md5_gl *gl, const uint8_t *rgba, uint32_t width,
                              uint32_t height)
{
    gl->fn.TexImage2D(MD5__GL_TEXTURE_2D, 0, MD5__GL_RGBA8, (int)width, (int)height, 0,
                      MD5__GL_RGBA, MD5__GL_UNSIGNED_BYTE, rgba);
}

/* Creates the mipmaps of a texture with holes. A mipmap is an average, and its alpha must be the
   fraction of the texels that the alpha test keeps, so the alpha of each texel counts as 0 or 1.
   Fails if there is no memory. */
static bool md5__gl_make_cut_out_mipmaps(md5_gl *gl, const uint8_t *rgba, uint32_t width,
                                         uint32_t height)
{
    size_t   bytes = (size_t)width * height * 4;
    uint8_t *tested = (uint8_t *)md5__alloc(&gl->context, bytes);

    if (!tested) {
        return false;
    }
    memcpy(tested, rgba, bytes);
    for (size_t i = 3; i < bytes; i += 4) {
        tested[i] = tested[i] < 128 ? 0 : 255;
    }
    md5__gl_set_image(gl, tested, width, height);
    gl->fn.GenerateMipmap(MD5__GL_TEXTURE_2D);
    md5__release(&gl->context, tested, bytes);
    return true;
}

/* Creates a texture with mipmaps. With cut_out, this may fail and set the error of the renderer,
   because it needs memory. */
static uint32_t md5__gl_upload_image_pixels(md5_gl *gl, const uint8_t *rgba, uint32_t width,
                                            uint32_t height)
{
    uint32_t texture = md5__gl_create_empty_texture(gl, MD5__GL_LINEAR_MIPMAP_LINEAR,
                                                    MD5__GL_LINEAR);

    if (!gl->options.cut_out) {
        md5__gl_set_image(gl, rgba, width, height);
        gl->fn.GenerateMipmap(MD5__GL_TEXTURE_2D);
        return texture;
    }

    /* For a close view, keep the original alpha: between two texels, it defines where the edge
       is. */
    if (md5__gl_make_cut_out_mipmaps(gl, rgba, width, height)) {
        gl->fn.TexSubImage2D(MD5__GL_TEXTURE_2D, 0, 0, 0, (int)width, (int)height, MD5__GL_RGBA,
                             MD5__GL_UNSIGNED_BYTE, rgba);
    }
    return texture;
}

static bool md5__gl_check_image(md5_gl *gl, const uint8_t *rgba, uint32_t width, uint32_t height)
{
    uint32_t limit = (uint32_t)gl->max_texture_size;
    uint32_t largest = width > height ? width : height;

    if (!rgba || width == 0 || height == 0) {
        return md5__fail_numbers(&gl->context, MD5_ERROR_ARGUMENT,
                                 "no pixels are given for a texture of # x #", NULL, width, height);
    }
    if (largest > limit) {
        return md5__fail_numbers(&gl->context, MD5_ERROR_LIMIT,
                                 "the image has a side of # pixels, but a texture has at most #",
                                 NULL, largest, limit);
    }
    return true;
}

MD5_API uint32_t md5_gl_create_texture(md5_gl *gl, const uint8_t *rgba, uint32_t width,
                                       uint32_t height)
{
    if (!gl) {
        return 0;
    }
    md5__gl_clear_error(gl);
    if (!md5__gl_check_image(gl, rgba, width, height)) {
        return 0;
    }

    md5__gl_state state;
    if (!md5__gl_begin_call(gl, &state, MD5__GL_CHECK_ERRORS)) {
        return 0;
    }
    md5__gl_save_pixel_unpacking(gl, &state);
    uint32_t texture = md5__gl_upload_image_pixels(gl, rgba, width, height);
    md5__gl_end_call(gl, &state);

    if (!md5__gl_check_errors(gl)) {
        gl->fn.DeleteTextures(1, &texture);
        return 0;
    }
    return texture;
}

/* -- OpenGL: the program and the renderer --------------------------------- */

/* Compiles a shader and attaches it to a program. If the compilation fails, linking fails as
   well. */
static unsigned md5__gl_attach_shader(const md5_gl *gl, unsigned program, unsigned type,
                                      const char *defines, const char *source)
{
    const char *version = gl->options.version_line;
    const char *precision = "";
    unsigned    shader = gl->fn.CreateShader(type);

    /* In ES, floats in fragment shaders and usampler2D in all shaders have no default precision.
       The default precision of sampler2D is low: too low for the textures with positions or
       matrices that vertex shaders read. */
    if (strstr(version, " es")) {
        precision = "precision highp float;\nprecision highp int;\n"
                    "precision highp sampler2D;\nprecision highp usampler2D;\n";
    }

    /* "#version" must be on the first line. After "#line 1", error messages count the lines of
       `source`. */
    const char *parts[6] = { version, "\n", precision, defines, "#line 1\n", source };
    gl->fn.ShaderSource(shader, 6, parts, NULL);
    gl->fn.CompileShader(shader);
    gl->fn.AttachShader(program, shader);
    return shader;
}

static bool md5__gl_is_compiled(const md5_gl *gl, unsigned shader)
{
    int compiled = 1;                 /* stays 1 in a lost context, which is no shader's fault */

    gl->fn.GetShaderiv(shader, MD5__GL_COMPILE_STATUS, &compiled);
    return compiled != 0;
}

/* Returns the first line of the log that reports an error, or the first line if there is none, and
   ends the log after this line. Drivers write "0:12(3): error: ..." or "ERROR: 0:12: ...", possibly
   after warnings. */
static const char *md5__gl_find_error_line(char *log)
{
    char *line = strstr(log, "error");

    if (!line) {
        line = strstr(log, "ERROR");
    }
    if (!line) {
        line = log;
    }
    while (line > log && line[-1] != '\n') {
        --line;
    }
    line[strcspn(line, "\n")] = 0;
    return line;
}

/* Fails with the first error of the vertex shader, or else of the fragment shader. If both
   compiled, fails with the error of linking. */
static void md5__gl_fail_shader_program(md5_gl *gl, unsigned program, const unsigned shaders[2])
{
    char        log[2048] = "";
    const char *format = "linking the shaders: $";

    if (!md5__gl_is_compiled(gl, shaders[0])) {
        format = "vertex shader: $";
        gl->fn.GetShaderInfoLog(shaders[0], (int)sizeof log, NULL, log);
    } else if (!md5__gl_is_compiled(gl, shaders[1])) {
        format = "fragment shader: $";
        gl->fn.GetShaderInfoLog(shaders[1], (int)sizeof log, NULL, log);
    } else {
        gl->fn.GetProgramInfoLog(program, (int)sizeof log, NULL, log);
    }
    md5__fail_text(&gl->context, MD5_ERROR_GL, format, md5__gl_find_error_line(log));
}

/* Stores a linked program in the renderer, sets its constant uniforms, and makes it current. At
   index MD5__GL_CUSTOM_PROGRAM, the program may be 0, to use the built-in programs again. */
static void md5__gl_init_shader_program(md5_gl *gl, uint32_t index, unsigned program)
{
    gl->programs[index] = program;
    if (program) {
        gl->fn.UseProgram(program);
        gl->scene_locations[index] = gl->fn.GetUniformLocation(program, "md5_scene");
        md5__gl_set_static_uniforms(gl, program);
    }
}

static void md5__gl_build_shader_program(md5_gl *gl, uint32_t index)
{
    const char *fragment_source = gl->options.fragment_source;
    const char *fragment_defines = gl->options.cut_out ? "#define CUT_OUT\n" : "";
    unsigned    program = gl->fn.CreateProgram();
    unsigned    shaders[2];

    if (!fragment_source) {
        fragment_source = md5__gl_fragment_source;
    }
    shaders[0] = md5__gl_attach_shader(gl, program, MD5__GL_VERTEX_SHADER,
                                       md5__gl_vertex_defines[index], md5__gl_vertex_source);
    shaders[1] = md5__gl_attach_shader(gl, program, MD5__GL_FRAGMENT_SHADER, fragment_defines,
                                       fragment_source);

    int linked = 0;
    gl->fn.LinkProgram(program);
    gl->fn.GetProgramiv(program, MD5__GL_LINK_STATUS, &linked);
    if (linked) {
        md5__gl_init_shader_program(gl, index, program);
    } else {
        md5__gl_fail_shader_program(gl, program, shaders);
        gl->fn.DeleteProgram(program);
    }

    /* A deleted shader exists as long as it is attached to a program. */
    gl->fn.DeleteShader(shaders[0]);
    gl->fn.DeleteShader(shaders[1]);
}

/* Creates the objects that all meshes share: textures of one white texel, the instance buffer, and
   the programs. */
static bool md5__gl_create_shared_objects(md5_gl *gl)
{
    static const uint8_t white[4] = { 255, 255, 255, 255 };
    md5__gl_state        state;

    if (!md5__gl_begin_call(gl, &state, MD5__GL_CHECK_ERRORS)) {
        return false;
    }
    md5__gl_save_pixel_unpacking(gl, &state);
    for (uint32_t i = 0; i < MD5__GL_TEXTURE_COUNT; ++i) {
        gl->textures[i] = md5__gl_create_empty_texture(gl, MD5__GL_NEAREST, MD5__GL_NEAREST);
        gl->fn.TexImage2D(MD5__GL_TEXTURE_2D, 0, MD5__GL_RGBA8, 1, 1, 0, MD5__GL_RGBA,
                          MD5__GL_UNSIGNED_BYTE, white);
    }
    gl->fn.GenBuffers(1, &gl->instance_buffer);
    for (uint32_t i = 0; i < MD5__GL_PROGRAM_COUNT && gl->context.error.code == MD5_OK; ++i) {
        md5__gl_build_shader_program(gl, i);
    }
    md5__gl_end_call(gl, &state);
    return md5__gl_check_errors(gl);
}

/* Loads all functions. Returns the name of a missing function, or NULL. */
static const char *md5__gl_load_functions(md5_gl *gl, md5_gl_get_proc get_proc)
{
    const char *missing = NULL;

#define MD5__GL_LOAD_FUNCTION(result, name, parameters) \
    gl->fn.name = (result(MD5__GL_CALL *) parameters)get_proc("gl" #name); \
    if (!gl->fn.name) { \
        missing = "gl" #name; \
    }
    MD5__GL_FUNCTIONS(MD5__GL_LOAD_FUNCTION)

    return missing;
}

/* Returns true if a version such as "3.2.0 NVIDIA 535.1" is older than major.minor. */
static bool md5__gl_is_older(const char *version, uint32_t major, uint32_t minor)
{
    uint32_t numbers[2] = { 0, 0 };

    for (uint32_t i = 0; i < 2; ++i) {
        for (; *version >= '0' && *version <= '9'; ++version) {
            numbers[i] = 10 * numbers[i] + (uint32_t)(*version - '0');
        }
        if (*version == '.') {
            ++version;
        }
    }
    return numbers[0] < major || (numbers[0] == major && numbers[1] < minor);
}

/* Fails if OpenGL is older than 3.3, or ES is older than 3.0. A version string is "3.3.0 NVIDIA
   535.1" or similar, "OpenGL ES 3.2 Mesa" in ES, and "OpenGL ES 3.0 (WebGL 2.0)" in a browser. */
static bool md5__gl_check_version(md5_gl *gl, const char *version)
{
    const char *number = strpbrk(version, "0123456789");

    if (number && gl->is_es && md5__gl_is_older(number, 3, 0)) {
        return md5__fail_text(&gl->context, MD5_ERROR_GL, "needs OpenGL ES 3.0, but this is $",
                              number);
    }
    if (number && !gl->is_es && md5__gl_is_older(number, 3, 3)) {
        return md5__fail_text(&gl->context, MD5_ERROR_GL, "needs OpenGL 3.3, but this is $",
                              number);
    }
    return true;
}

static bool md5__gl_init_renderer(md5_gl *gl, md5_gl_get_proc get_proc)
{
    const char *missing = md5__gl_load_functions(gl, get_proc);
    const char *version = NULL;

    /* Check the version first, because this error is more helpful than the name of a function that
       is missing in an older version. Without a context there is no version. */
    if (gl->fn.GetString) {
        version = (const char *)gl->fn.GetString(MD5__GL_VERSION);
    }
    gl->is_es = version && strstr(version, "OpenGL ES");
    if (version && !md5__gl_check_version(gl, version)) {
        return false;
    }
    if (missing) {
        return md5__fail_text(&gl->context, MD5_ERROR_GL, "$ is missing: is the context current?",
                              missing);
    }

    /* The first two settings exist only in WebGL; the last is missing in ES and WebGL. */
    gl->is_webgl = version && strstr(version, "WebGL");
    gl->first_unpack = gl->is_webgl ? 0 : 2;
    gl->end_unpack = gl->is_es ? MD5__GL_UNPACK_COUNT - 1 : MD5__GL_UNPACK_COUNT;

    gl->fn.GetIntegerv(MD5__GL_MAX_TEXTURE_SIZE, &gl->max_texture_size);
    if (gl->max_texture_size == 0) {
        return md5__fail(&gl->context, MD5_ERROR_GL, md5__gl_no_context);
    }
    if (!gl->options.version_line) {
        gl->options.version_line = gl->is_es ? "#version 300 es" : "#version 330 core";
    }
    return md5__gl_create_shared_objects(gl);
}

/* Returns a renderer with a context and options, otherwise all zero; NULL if there is no memory. */
static md5_gl *md5__gl_alloc_renderer(md5__context *context, const md5_gl_options *options)
{
    md5_gl *gl = (md5_gl *)md5__alloc(context, sizeof *gl);

    if (!gl) {
        return NULL;
    }
    memset(gl, 0, sizeof *gl);
    gl->context = *context;
    if (options) {
        gl->options = *options;
    }
    return gl;
}

MD5_API md5_gl *md5_gl_create(md5_gl_get_proc get_proc, const md5_gl_options *options,
                              md5_error *error)
{
    const md5_allocator *allocator = options ? &options->allocator : NULL;
    md5__context         context;
    md5_gl              *gl = NULL;

    if (md5__init_context(&context, allocator, SIZE_MAX)) { /* no limit */
        if (get_proc) {
            gl = md5__gl_alloc_renderer(&context, options);
        } else {
            md5__fail(&context, MD5_ERROR_ARGUMENT, "no GetProcAddress is given");
        }
    }

    /* If creation fails halfway, OpenGL may already have objects, and md5_gl_destroy deletes them.
       Copy the error before the renderer is freed. */
    if (gl && !md5__gl_init_renderer(gl, get_proc)) {
        context.error = gl->context.error;
        md5_gl_destroy(gl);
        gl = NULL;
    }
    md5__report_error(&context, error);
    return gl;
}

MD5_API void md5_gl_destroy(md5_gl *gl)
{
    if (!gl) {
        return;
    }

    /* If the texture size is 0, some functions were not loaded. Then no objects exist yet, and they
       could not be deleted. */
    if (gl->max_texture_size) {
        for (uint32_t i = 0; i < MD5__GL_PROGRAM_COUNT; ++i) {
            gl->fn.DeleteProgram(gl->programs[i]); /* the last is the caller's */
        }
        gl->fn.DeleteBuffers(1, &gl->instance_buffer);
        gl->fn.DeleteTextures(MD5__GL_TEXTURE_COUNT, gl->textures);
    }

    for (uint32_t i = 0; i < MD5__GL_STAGING_COUNT; ++i) {
        md5__gl_release_staging(gl, &gl->staging[i]);
    }

    /* The renderer contains its own allocator, so use a copy to release it. */
    md5__context context = gl->context;
    md5__release(&context, gl, sizeof *gl);
}

MD5_API const md5_error *md5_gl_last_error(const md5_gl *gl)
{
    return gl ? &gl->context.error : NULL;
}

MD5_API const char *md5_gl_vertex_source(void)
{
    return md5__gl_vertex_source;
}

/* Fails if `program` is not a linked program. Checks first that it is a program at all: otherwise
   asking OpenGL for its link status would leave a pending GL error. */
static bool md5__gl_check_program(md5_gl *gl, uint32_t program)
{
    int linked = 0;

    if (gl->fn.IsProgram(program)) {
        gl->fn.GetProgramiv(program, MD5__GL_LINK_STATUS, &linked);
    }
    if (!linked) {
        return md5__fail_numbers(&gl->context, MD5_ERROR_ARGUMENT,
                                 "# is not a linked OpenGL program", NULL, program, 0);
    }
    return true;
}

MD5_API bool md5_gl_use_program(md5_gl *gl, uint32_t program)
{
    md5__gl_state state;

    if (!gl || !md5__gl_begin_call(gl, &state, MD5__GL_SKIP_ERRORS)) {
        return false;
    }
    bool ok = program == 0 || md5__gl_check_program(gl, program);
    if (ok) {
        md5__gl_init_shader_program(gl, MD5__GL_CUSTOM_PROGRAM, program);
    }
    md5__gl_end_call(gl, &state);
    return ok;
}

/* Reports a missing argument. If the renderer itself is not missing, it also stores the error.
   Always returns false. */
static bool md5__gl_fail_missing_argument(md5_gl *gl, md5_error *error)
{
    md5__context  fallback;
    md5__context *context = &fallback;

    md5__init_context(&fallback, NULL, 0);
    if (gl) {
        context = &gl->context;
    }
    md5__fail(context, MD5_ERROR_ARGUMENT, "no renderer, model or mesh is given");
    md5__report_error(context, error);
    return false;
}

/* -- OpenGL: triangle order ----------------------------------------------- */

/* A GPU caches the results of the vertex shader for the last 16 to 32 vertices, and runs the shader
   again for any other vertex. So triangles that share vertices should be close to each other.
   Tipsify (Sander, Nehab, Barczak 2007) finds such an order in a time linear in the number of
   triangles: it writes a fan, which is all triangles around a vertex, and continues with a fan
   around a vertex that is still in the cache. This shorter version does not simulate the cache as
   the paper does, and its results are within 0.6 percent of the paper's. */
typedef struct md5__gl_fans {
    const uint32_t *indices;          /* [corner] vertex; triangle t has corners 3t to 3t + 2 */
    uint32_t       *triangles_left;   /* [vertex] number of triangles that are not written yet */
    uint32_t       *first_corner;     /* [vertex] first in a list of its corners */
    uint32_t       *next_corner;      /* [corner] next in the list of its vertex */
    uint32_t       *is_written;       /* [triangle] 1 if it is written, otherwise 0 */
    uint32_t       *output;           /* the indices in the new order */
    uint32_t        output_count;     /* number of indices written */
} md5__gl_fans;

/* Counts the triangles at each vertex, and lists their corners. MD5__NONE ends a list. */
static void md5__gl_list_corners(md5__gl_fans *fans, uint32_t index_count, uint32_t vertex_count)
{
    md5__clear_indices(fans->first_corner, vertex_count);
    for (uint32_t corner = 0; corner < index_count; ++corner) {
        uint32_t vertex = fans->indices[corner];
        ++fans->triangles_left[vertex];
        fans->next_corner[corner] = fans->first_corner[vertex];
        fans->first_corner[vertex] = corner;
    }
}

/* Returns the center of the next fan: one of the vertices of the last 20 corners, which are
   probably in the cache, or `fallback` if none of these has triangles left. */
static uint32_t md5__gl_choose_fan_center(const md5__gl_fans *fans, uint32_t fallback)
{
    uint32_t first = fans->output_count > 20 ? fans->output_count - 20 : 0;
    uint32_t center = fallback;

    for (uint32_t i = first; i < fans->output_count; ++i) {
        uint32_t vertex = fans->output[i];
        uint32_t left = fans->triangles_left[vertex];

        /* Prefer the oldest vertex with one or two triangles left. It is about to leave the cache,
           and would have to be loaded again for so few triangles. */
        if (left == 1 || left == 2) {
            return vertex;
        }

        /* Otherwise take the newest, which stays in the cache during a large fan. */
        if (left > 0) {
            center = vertex;
        }
    }
    return center;
}

/* Writes a triangle if it is not written yet. (It is in the lists of three vertices.) */
static void md5__gl_write_triangle(md5__gl_fans *fans, uint32_t triangle)
{
    if (fans->is_written[triangle]) {
        return;
    }
    fans->is_written[triangle] = 1;
    for (uint32_t i = 0; i < 3; ++i) {
        uint32_t vertex = fans->indices[3 * triangle + i];
        fans->output[fans->output_count] = vertex;
        ++fans->output_count;
        --fans->triangles_left[vertex];
    }
}

/* Writes all triangles around a vertex. */
static void md5__gl_write_fan(md5__gl_fans *fans, uint32_t center)
{
    uint32_t corner = fans->first_corner[center];

    while (corner != MD5__NONE) {
        md5__gl_write_triangle(fans, corner / 3);
        corner = fans->next_corner[corner];
    }
}

/* Writes the indices to fans.output, with the triangles in an order for the cache. `arrays` is all
   zero, and has two numbers for each vertex, two for each corner, and one for each triangle. */
static void md5__gl_order_triangle_fans(md5__gl_fans *fans, const uint32_t *indices,
                                        uint32_t index_count, uint32_t vertex_count,
                                        uint32_t *arrays)
{
    fans->indices = indices;
    fans->triangles_left = arrays;
    fans->first_corner = fans->triangles_left + vertex_count;
    fans->next_corner = fans->first_corner + vertex_count;
    fans->output = fans->next_corner + index_count;
    fans->is_written = fans->output + index_count;
    fans->output_count = 0;
    md5__gl_list_corners(fans, index_count, vertex_count);

    /* If no vertex in the cache has triangles left, continue with the first vertex that has any.
       Vertices before it never get new triangles, so the whole search visits each vertex once. */
    uint32_t first_unfinished = 0;
    while (fans->output_count < index_count) {
        while (fans->triangles_left[first_unfinished] == 0) {
            ++first_unfinished;
        }
        md5__gl_write_fan(fans, md5__gl_choose_fan_center(fans, first_unfinished));
    }
}

/* Fills the index buffer of the bound vertex array, with triangles in an order for the cache. Fails
   if there is no memory. */
static bool md5__gl_upload_indices(md5_gl *gl, const uint32_t *indices, uint32_t index_count,
                                   uint32_t vertex_count)
{
    uint64_t count = 2 * (uint64_t)vertex_count + 2 * (uint64_t)index_count + index_count / 3;
    uint64_t bytes = (count + 1) * sizeof(uint32_t); /* + 1: never 0, even if the mesh is empty */

    uint32_t *arrays = (uint32_t *)md5__alloc(&gl->context, bytes);
    if (!arrays) {
        return false;
    }
    memset(arrays, 0, (size_t)bytes);

    md5__gl_fans fans;
    md5__gl_order_triangle_fans(&fans, indices, index_count, vertex_count, arrays);
    gl->fn.BufferData(MD5__GL_ELEMENT_ARRAY_BUFFER, (ptrdiff_t)(index_count * sizeof(uint32_t)),
                      fans.output, MD5__GL_STATIC_DRAW);
    md5__release(&gl->context, arrays, (size_t)bytes);
    return true;
}

/* -- OpenGL: attributes and instances ------------------------------------- */

/* Sets `count` attributes with locations from `first` on. The bound array buffer has an item of
   `stride` bytes for each vertex (divisor 0) or each instance (divisor 1). In an item, the first
   attribute begins at byte `offset`, and the others follow; each has `size` components of 4 bytes.
   (A single attribute may have shorter components.) The bound vertex array stores the attributes
   and the buffer. */
static void md5__gl_set_attributes(const md5_gl *gl, unsigned first, unsigned count, unsigned type,
                                   int size, size_t stride, size_t offset, unsigned divisor)
{
    for (unsigned i = 0; i < count; ++i) {
        unsigned    location = first + i;
        const void *start = (const void *)(offset + i * (size_t)size * sizeof(float));

        /* Integers need their own call, because VertexAttribPointer converts them to floats. */
        gl->fn.EnableVertexAttribArray(location);
        if (type == MD5__GL_FLOAT) {
            gl->fn.VertexAttribPointer(location, size, type, 0, (int)stride, start);
        } else {
            gl->fn.VertexAttribIPointer(location, size, type, (int)stride, start);
        }
        gl->fn.VertexAttribDivisor(location, divisor);
    }
}

/* Returns true if a tint is set: all 0 means that it is not. */
static bool md5__gl_is_tint_set(const float tint[4])
{
    for (uint32_t i = 0; i < 4; ++i) {
        if (tint[i] < 0 || tint[i] > 0) {
            return true;
        }
    }
    return false;
}

/* Writes the tint and the rows of the transform. */
static void md5__gl_write_tint_and_transform(const float tint[4], const float transform[16],
                                             md5__gl_record *record)
{
    static const float white[4] = { 1, 1, 1, 1 };
    static const float identity[16] = { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1 };
    md5__f4            rows[4];

    /* The last number of an affine transform is 1, so 0 means that no transform is set. */
    bool         is_given = transform[15] < 0 || transform[15] > 0;
    const float *columns = is_given ? transform : identity;
    for (uint32_t i = 0; i < 4; ++i) {
        rows[i] = md5__f4_load(columns + 4 * i);
    }
    md5__f4_transpose(rows);

    /* The fourth row of an affine transform is 0 0 0 1, so the shader does not need it. */
    for (uint32_t i = 0; i < 3; ++i) {
        md5__f4_store(record->rows[i], rows[i]);
    }
    memcpy(record->tint, md5__gl_is_tint_set(tint) ? tint : white, sizeof record->tint);
}

/* Writes the unit vector along the first three numbers of a row, 0 to 3, of a column-major matrix.
   This is the direction in which the result of the row grows fastest. Returns false if there is no
   direction. */
static bool md5__gl_write_row_direction(const float matrix[16], uint32_t row, float direction[3])
{
    for (uint32_t i = 0; i < 3; ++i) {
        direction[i] = matrix[4 * i + row];
    }
    return md5__vec3_normalize(direction) > 0;
}

/* Writes the direction toward the light, or toward the camera if the scene has no light
   direction. */
static void md5__gl_write_light_direction(const md5_gl_scene *scene, float direction[3])
{
    memcpy(direction, scene->light_direction, sizeof scene->light_direction);
    if (md5__vec3_normalize(direction) > 0) {
        return;
    }

    /* In perspective, w, which row 3 computes, grows with the distance from the camera. */
    float away[3];
    if (md5__gl_write_row_direction(scene->view_projection, 3, away)) {
        for (uint32_t i = 0; i < 3; ++i) {
            direction[i] = -away[i];
        }
        return;
    }

    /* In an orthographic view, w is 1 everywhere. x and y stay the same along a line of sight, and
       since x points right and y points up, x cross y points toward the camera. (z is not used,
       because it grows away from the camera with normal depth, but toward the camera with reversed
       depth.) A view in which x or y has no direction shows nothing. */
    float right[3], up[3];
    md5__gl_write_row_direction(scene->view_projection, 0, right);
    md5__gl_write_row_direction(scene->view_projection, 1, up);
    for (uint32_t i = 0; i < 3; ++i) {
        uint32_t next = (i + 1) % 3, last = (i + 2) % 3;
        direction[i] = right[next] * up[last] - right[last] * up[next];
    }
    md5__vec3_normalize(direction);
}

/* Writes the first 20 values of the uniform md5_scene: 0 to 15 are the matrix of the camera, 16 to
   18 are the direction toward the light, and 19 is the ambient light. */
static void md5__gl_write_scene(const md5_gl_scene *scene, float values[20])
{
    memcpy(values, scene->view_projection, sizeof scene->view_projection);
    md5__gl_write_light_direction(scene, values + 16);

    /* NaN counts as 0. */
    bool is_set = scene->ambient < 0 || scene->ambient > 0;
    values[19] = is_set ? scene->ambient : 0.25f;
    if (values[19] < 0) {
        values[19] = 0;
    }
}

/* Clears the error of the renderer and checks the arguments of a draw. The records of all instances
   must be smaller than 2 GiB. */
static bool md5__gl_check_draw_input(md5_gl *gl, const md5_gl_mesh *mesh, const md5_gl_scene *scene,
                                     const md5_gl_instance *instances, size_t count)
{
    if (!gl) {
        return false;
    }
    md5__gl_clear_error(gl);

    if (!mesh || !mesh->vao || !scene || (!instances && count > 0)) {
        return md5__fail(&gl->context, MD5_ERROR_ARGUMENT, "no mesh, scene or instances are given");
    }
    if (count > INT32_MAX / sizeof(md5__gl_record)) {
        return md5__fail_numbers(&gl->context, MD5_ERROR_LIMIT,
                                 "# instances are too many for one draw", NULL, count, 0);
    }
    return true;
}

/* Draws the records in the first staging buffer, with the caller's program if there is one. `bytes`
   is the size of all data that this draw copies to the GPU. */
static bool md5__gl_draw_instances(md5_gl *gl, uint32_t program_index, const md5_gl_mesh *mesh,
                                   const float *scene, size_t count, uint64_t bytes)
{
    if (gl->programs[MD5__GL_CUSTOM_PROGRAM]) {
        program_index = MD5__GL_CUSTOM_PROGRAM;
    }
    gl->fn.UseProgram(gl->programs[program_index]);
    gl->fn.Uniform4fv(gl->scene_locations[program_index], MD5__GL_SCENE_VECTORS, scene);
    gl->fn.BindVertexArray(mesh->vao);

    /* BufferData "orphans" the old contents: the buffer gets new memory, while earlier draws still
       read the old memory. BufferSubData would have to wait for those draws. */
    gl->fn.BindBuffer(MD5__GL_ARRAY_BUFFER, gl->instance_buffer);
    gl->fn.BufferData(MD5__GL_ARRAY_BUFFER, (ptrdiff_t)(count * sizeof(md5__gl_record)),
                      gl->staging[0].buffer.data, MD5__GL_STREAM_DRAW);

    /* If the GPU has no memory, largest_draw stays, so the next draw checks for errors again. */
    if (md5__gl_choose_error_check(gl, bytes) == MD5__GL_CHECK_ERRORS) {
        if (!md5__gl_check_errors(gl)) {
            return false;
        }
        gl->largest_draw = bytes;
    }
    gl->fn.DrawElementsInstanced(MD5__GL_TRIANGLES, (int)mesh->index_count, MD5__GL_UNSIGNED_INT,
                                 NULL, (int)count);
    return true;
}

/* -- OpenGL: images from files -------------------------------------------- */

#if defined(MD5_STB_IMAGE) && !defined(MD5_NO_STDIO)

/* Flips a picture vertically. */
static void md5__gl_flip_image(uint8_t *pixels, uint32_t width, uint32_t height)
{
    size_t row_bytes = (size_t)width * 4;

    for (uint32_t row = 0; row < height / 2; ++row) {
        uint8_t *upper = pixels + row * row_bytes;
        uint8_t *lower = pixels + (height - 1 - row) * row_bytes;
        for (size_t i = 0; i < row_bytes; ++i) {
            uint8_t byte = upper[i];
            upper[i] = lower[i];
            lower[i] = byte;
        }
    }
}

/* Returns the options of a picture search for a renderer. The pixels may take 2 GiB, which is the
   most that stb_image decodes; the real limit is the largest texture of the GPU. */
static md5_options md5__gl_make_picture_options(const md5_gl *gl)
{
    md5_options options;
    memset(&options, 0, sizeof options);
    options.allocator = gl->context.allocator;
    options.max_bytes = (size_t)1 << 31;
    return options;
}

/* Creates the texture of a search that has ended, and frees the pixels. `flip`, for a model with
   MD5_FLIP_V, makes the bottom row the first row of the texture, in place. */
static uint32_t md5__gl_create_picture_texture(md5_gl *gl, md5__picture_search *search, bool flip,
                                               md5_error *error)
{
    uint32_t texture = 0;

    if (!search->pixels) {
        gl->context.error = search->context.error;
    } else {
        if (flip) {
            md5__gl_flip_image(search->pixels, search->width, search->height);
        }
        texture = md5_gl_create_texture(gl, search->pixels, search->width, search->height);
        if (!texture) {
            md5__append_to_message(&gl->context.error, ": ");
            md5__append_to_message(&gl->context.error, search->path);
        }
        md5_free_image(search->pixels);
    }
    md5__release(&search->context, search->path, search->path_size);
    md5__report_error(&gl->context, error);
    return texture;
}

#endif
/* [/twin: opengl] */

/* -- OpenGL: weights, palettes and drawing -------------------------------- */

MD5_API uint32_t md5_gl_program(const md5_gl *gl)
{
    return gl ? gl->programs[0] : 0;
}

static void md5__gl_set_static_uniforms(const md5_gl *gl, uint32_t program)
{
    int unit = (int)gl->options.texture_unit;
    gl->fn.Uniform1i(gl->fn.GetUniformLocation(program, "md5_weights"), unit);
    gl->fn.Uniform1i(gl->fn.GetUniformLocation(program, "md5_palette"), unit + 1);
    gl->fn.Uniform1i(gl->fn.GetUniformLocation(program, "diffuse"), unit + 2);
}

enum { MD5__GL_PALETTE_STAGING = 1, MD5__GL_TEXELS_PER_WEIGHT = 2, MD5__GL_TEXELS_PER_JOINT = 3,
       MD5__GL_TEXEL_BYTES = 16, MD5__GL_ROW_BYTES = MD5__GL_ROW_TEXELS * MD5__GL_TEXEL_BYTES };

static const md5__gl_data_format md5__gl_floats = {
    0x8814 /* RGBA32F */, MD5__GL_RGBA, MD5__GL_FLOAT, MD5__GL_TEXEL_BYTES
};

/* Uploads two texels per weight: its position in the bind pose times its bias, and the bias; and
   its joint. */
static bool md5__gl_upload_weight_texture(md5_gl *gl, const md5_model *model, const md5_mesh *mesh,
                                          md5_gl_mesh *out)
{
    uint64_t weight_texels = (uint64_t)MD5__GL_TEXELS_PER_WEIGHT * mesh->weight_count;
    uint64_t joint_texels = (uint64_t)MD5__GL_TEXELS_PER_JOINT * model->joint_count;
    if (!md5__gl_check_texture_size(gl, weight_texels, "weights")) {
        return false;
    }
    if (!md5__gl_check_texture_size(gl, joint_texels, "joints")) {
        return false; /* otherwise not even one instance could be drawn */
    }

    uint32_t rows = md5__gl_count_texture_rows(weight_texels > 0 ? weight_texels : 1);
    size_t   bytes = rows * (size_t)MD5__GL_ROW_BYTES;
    float   *staged = (float *)md5__alloc(&gl->context, bytes);
    if (!staged) {
        return false;
    }

    const md5__skinning *skinning = (const md5__skinning *)mesh->private_data.skinning;
    memset(staged, 0, bytes);
    for (size_t i = 0; i < mesh->weight_count; ++i) {
        float *texels = staged + 4 * MD5__GL_TEXELS_PER_WEIGHT * i;
        memcpy(texels, skinning->scaled_weights + 4 * i, 4 * sizeof(float));
        texels[4] = (float)mesh->weights[i].joint;
    }
    out->weight_texture = md5__gl_create_data_texture(gl, &md5__gl_floats, rows,
                                                      (const uint8_t *)staged);
    md5__release(&gl->context, staged, bytes);
    return true;
}

/* Creates the buffers of a mesh, and a vertex array with the source of each attribute. */
static bool md5__gl_upload_mesh_buffers(md5_gl *gl, const md5_mesh *mesh, md5_gl_mesh *out)
{
    gl->fn.GenVertexArrays(1, &out->vao);
    gl->fn.GenBuffers(1, &out->vertex_buffer);
    gl->fn.GenBuffers(1, &out->index_buffer);

    const size_t    vertex_size = sizeof(md5_vertex);
    const ptrdiff_t vertex_bytes = (ptrdiff_t)(mesh->vertex_count * vertex_size);
    gl->fn.BindVertexArray(out->vao);
    gl->fn.BindBuffer(MD5__GL_ARRAY_BUFFER, out->vertex_buffer);
    gl->fn.BufferData(MD5__GL_ARRAY_BUFFER, vertex_bytes, mesh->vertices, MD5__GL_STATIC_DRAW);
    gl->fn.BindBuffer(MD5__GL_ELEMENT_ARRAY_BUFFER, out->index_buffer);
    bool ok = md5__gl_upload_indices(gl, mesh->indices, mesh->index_count, mesh->vertex_count);

    /* Attributes per vertex, at the locations declared in the shader. There is no position: the
       shader computes it from the weights. */
    md5__gl_set_attributes(gl, 0, 1, MD5__GL_FLOAT, 2, vertex_size, offsetof(md5_vertex, u), 0);
    md5__gl_set_attributes(gl, 1, 1, MD5__GL_UNSIGNED_INT, 2, vertex_size,
                           offsetof(md5_vertex, first_weight), 0);
    md5__gl_set_attributes(gl, 2, 1, MD5__GL_FLOAT, 3, vertex_size, offsetof(md5_vertex, normal),
                           0);
    md5__gl_set_attributes(gl, 3, 1, MD5__GL_FLOAT, 4, vertex_size, offsetof(md5_vertex, tangent),
                           0);

    /* Attributes per instance: the tint and the three rows of its transform, then its palette. */
    const size_t record_size = sizeof(md5__gl_record);
    gl->fn.BindBuffer(MD5__GL_ARRAY_BUFFER, gl->instance_buffer);
    md5__gl_set_attributes(gl, 4, 4, MD5__GL_FLOAT, 4, record_size, offsetof(md5__gl_record, tint),
                           1);
    md5__gl_set_attributes(gl, 8, 1, MD5__GL_UNSIGNED_INT, 1, record_size,
                           offsetof(md5__gl_record, first_joint_texel), 1);
    gl->fn.BindVertexArray(0);
    return ok;
}

static bool md5__gl_upload_mesh(md5_gl *gl, const md5_model *model, const md5_mesh *mesh,
                                md5_gl_mesh *out)
{
    md5__gl_state state;
    if (!md5__gl_begin_call(gl, &state, MD5__GL_CHECK_ERRORS)) {
        return false;
    }
    md5__gl_save_pixel_unpacking(gl, &state);

    bool ok = md5__gl_upload_weight_texture(gl, model, mesh, out);
    ok = ok && md5__gl_upload_mesh_buffers(gl, mesh, out);
    ok = md5__gl_check_errors(gl) && ok;

    md5__gl_end_call(gl, &state);
    return ok;
}

MD5_API bool md5_gl_upload(md5_gl *gl, const md5_model *model, uint32_t mesh, md5_gl_mesh *out,
                           md5_error *error)
{
    if (!gl || !model || !out) {
        return md5__gl_fail_missing_argument(gl, error);
    }
    memset(out, 0, sizeof *out);
    if (!md5__check_mesh_number(&gl->context, model, mesh)) {
        md5__report_error(&gl->context, error);
        return false;
    }

    out->index_count = model->meshes[mesh].index_count;
    out->weight_count = model->meshes[mesh].weight_count;
    out->joint_count = model->joint_count;

    bool ok = md5__gl_upload_mesh(gl, model, &model->meshes[mesh], out);
    if (!ok) {
        md5_gl_free_mesh(gl, out);
    }
    md5__report_error(&gl->context, error);
    return ok;
}

MD5_API void md5_gl_free_mesh(md5_gl *gl, md5_gl_mesh *mesh)
{
    if (gl && mesh) {
        gl->fn.DeleteVertexArrays(1, &mesh->vao);
        gl->fn.DeleteBuffers(1, &mesh->vertex_buffer);
        gl->fn.DeleteBuffers(1, &mesh->index_buffer);
        gl->fn.DeleteTextures(1, &mesh->weight_texture);
        memset(mesh, 0, sizeof *mesh);
    }
}

/* Copies the palettes of the instances to their staging buffer, one after the other. Returns false
   if the previous draw had the same palettes, which are already on the GPU: the meshes of a model
   are drawn one after the other with the same palettes. */
static bool md5__gl_gather_palettes(md5_gl *gl, const md5_gl_mesh *mesh,
                                    const md5_gl_instance *instances, size_t count)
{
    static const float identity[12] = { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0 };
    size_t             palette_bytes = mesh->joint_count * sizeof identity;
    md5__buffer       *buffer = &gl->staging[MD5__GL_PALETTE_STAGING].buffer;
    uint8_t           *staged = buffer->data;
    bool               has_changed = buffer->size != palette_bytes * count;

    /* The size of the staging buffer is the size of the previous draw's palettes. Up to the first
       difference, palettes are only compared; from there on, they are only copied. */
    for (size_t i = 0; i < count; ++i) {
        /* Without a palette, the identity is copied for each joint: the bind pose. */
        const float *palette = instances[i].palette ? instances[i].palette : identity;
        size_t       part_bytes = instances[i].palette ? palette_bytes : sizeof identity;
        for (size_t at = 0; at < palette_bytes; at += part_bytes) {
            if (has_changed || memcmp(staged + at, palette, part_bytes) != 0) {
                memcpy(staged + at, palette, part_bytes);
                has_changed = true;
            }
        }
        staged += palette_bytes;
    }
    buffer->size = palette_bytes * count;
    return has_changed;
}

/* Binds the palettes of the instances as a texture. Returns false if there is not enough memory. */
static bool md5__gl_upload_palettes(md5_gl *gl, const md5_gl_mesh *mesh,
                                    const md5_gl_instance *instances, size_t count,
                                    uint64_t texels, md5__gl_state *state)
{
    /* Whole rows are uploaded. Reserving keeps the previous draw's palettes, the first `size` bytes
       of the buffer. */
    uint32_t rows = md5__gl_count_texture_rows(texels);
    size_t   bytes = rows * (size_t)MD5__GL_ROW_BYTES;
    if (!md5__gl_reserve_staging(gl, MD5__GL_PALETTE_STAGING, bytes)) {
        return false;
    }

    md5__gl_bind_unit_texture(gl, 1, gl->textures[1]);
    if (md5__gl_gather_palettes(gl, mesh, instances, count)) {
        md5__buffer *buffer = &gl->staging[MD5__GL_PALETTE_STAGING].buffer;
        memset(buffer->data + buffer->size, 0, bytes - buffer->size); /* rest of the last row */
        md5__gl_save_pixel_unpacking(gl, state);
        md5__gl_fill_data_texture(gl, &md5__gl_floats, rows, buffer->data);
    }
    return true;
}

MD5_API bool md5_gl_draw(md5_gl *gl, const md5_gl_mesh *mesh, uint32_t diffuse_texture,
                         const md5_gl_scene *scene, const md5_gl_instance *instances,
                         size_t count)
{
    if (!md5__gl_check_draw_input(gl, mesh, scene, instances, count)) {
        return false;
    }
    if (count == 0) {
        return true;
    }

    uint64_t        record_bytes = (uint64_t)count * sizeof(md5__gl_record);
    md5__gl_record *records = (md5__gl_record *)md5__gl_reserve_staging(gl, 0, record_bytes);
    if (!records) {
        return false;
    }
    uint64_t palette_texels = (uint64_t)MD5__GL_TEXELS_PER_JOINT * mesh->joint_count;
    uint64_t texels = count * palette_texels;
    if (!md5__gl_check_texture_size(gl, texels, "joints of all instances")) {
        return false;
    }

    for (size_t i = 0; i < count; ++i) {
        md5__gl_write_tint_and_transform(instances[i].tint, instances[i].transform, &records[i]);
        records[i].first_joint_texel = (uint32_t)(palette_texels * i);
    }
    float scene_values[4 * MD5__GL_SCENE_VECTORS];
    md5__gl_write_scene(scene, scene_values);

    md5__gl_state state;
    uint64_t      bytes = record_bytes + texels * MD5__GL_TEXEL_BYTES;
    if (!md5__gl_begin_call(gl, &state, md5__gl_choose_error_check(gl, bytes))) {
        return false;
    }
    md5__gl_bind_unit_texture(gl, 0, mesh->weight_texture);
    md5__gl_bind_unit_texture(gl, 2, diffuse_texture ? diffuse_texture : gl->textures[0]);

    bool ok = md5__gl_upload_palettes(gl, mesh, instances, count, texels, &state);
    ok = ok && md5__gl_draw_instances(gl, 0, mesh, scene_values, count, bytes);
    if (!ok) {
        /* The next draw uploads the palettes again. */
        gl->staging[MD5__GL_PALETTE_STAGING].buffer.size = 0;
    }
    md5__gl_end_call(gl, &state);
    return ok;
}

MD5_API bool md5_gl_draw_meshes(md5_gl *gl, const md5_gl_mesh *meshes,
                                const uint32_t *diffuse_textures, size_t mesh_count,
                                const md5_gl_scene *scene, const md5_gl_instance *instances,
                                size_t count)
{
    if (!gl) {
        return false;
    }
    md5__gl_clear_error(gl);
    if (!meshes && mesh_count > 0) {
        return md5__fail(&gl->context, MD5_ERROR_ARGUMENT, "no meshes are given");
    }

    for (size_t i = 0; i < mesh_count; ++i) {
        uint32_t texture = diffuse_textures ? diffuse_textures[i] : 0;
        if (!md5_gl_draw(gl, &meshes[i], texture, scene, instances, count)) {
            return false;
        }
    }
    return true;
}

/* -- OpenGL: textures of a mesh ------------------------------------------- */

#if defined(MD5_STB_IMAGE) && !defined(MD5_NO_STDIO)

MD5_API uint32_t md5_gl_load_texture(md5_gl *gl, const md5_model *model, const char *model_path,
                                     uint32_t mesh, md5_error *error)
{
    if (!gl || !model) {
        return md5__gl_fail_missing_argument(gl, error);
    }

    md5__picture_search search;
    md5_options         options = md5__gl_make_picture_options(gl);
    md5__search_texture(&search, model, model_path, mesh, &options);
    return md5__gl_create_picture_texture(gl, &search, (model->flags & MD5_FLIP_V) != 0, error);
}

#endif

#endif /* MD5_GL */

#undef MD5__PLACE

/* [twin: end] written by "make twins" from md2.h: edit it there */
#ifdef __cplusplus
}
#endif

#if defined(__clang__)
  #pragma STDC FP_CONTRACT DEFAULT
  #pragma float_control(pop)
  #pragma clang diagnostic pop
#elif defined(__GNUC__)
  #pragma GCC diagnostic pop
  #pragma GCC pop_options
#endif

#undef MD5__GL_CALL
#undef MD5__GL_FUNCTIONS
#undef MD5__GL_DEFINE_FIELD
#undef MD5__GL_LOAD_FUNCTION
#undef MD5__SSE2
#undef MD5__NEON
#undef MD5__FORCE_INLINE
#undef MD5__NOINLINE
#undef MD5__COLD
#undef MD5__NONE
/* [/twin: end] */

#endif /* MD5_IMPLEMENTATION */

/* [twin: license] written by "make twins" from md2.h: edit it there */
/* -- License ---------------------------------------------------------------

   Choose either of these two licenses.

   A. MIT

   Copyright (c) 2026 the md2.h and md5.h authors

   Permission is hereby granted, free of charge, to any person obtaining a copy of this software
   and associated documentation files (the "Software"), to deal in the Software without
   restriction, including without limitation the rights to use, copy, modify, merge, publish,
   distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the
   Software is furnished to do so, subject to the following conditions:

   The above copyright notice and this permission notice shall be included in all copies or
   substantial portions of the Software.

   THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING
   BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND
   NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM,
   DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
   OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.

   B. Public domain (unlicense.org)

   This is free and unencumbered software released into the public domain.

   Anyone is free to copy, modify, publish, use, compile, sell, or distribute this software,
   either in source code form or as a compiled binary, for any purpose, commercial or non-
   commercial, and by any means.

   In jurisdictions that recognize copyright laws, the author or authors of this software dedicate
   any and all copyright interest in the software to the public domain. We make this dedication
   for the benefit of the public at large and to the detriment of our heirs and successors. We
   intend this dedication to be an overt act of relinquishment in perpetuity of all present and
   future rights to this software under copyright law.

   THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING
   BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND
   NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
   LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN
   CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE. */
/* [/twin: license] */
