/* md2.h - 1.0.0 - load, animate and pose Quake II models (MD2). One file, no dependencies.
   MIT license or public domain, your choice: both texts are at the end of the file.

   DO THIS in exactly one C or C++ file (not on the command line). Other files only include md2.h:

       #define MD2_IMPLEMENTATION
       #include "md2.h"

   Compile that file with -O2, even in debug builds: at -O0, posing is 20 to 70 times slower. For
   SIMD with emcc, add -msimd128 -msse2.

   EXAMPLE: load a knight, play its run, pass the vertices to any renderer

       md2_error  error;
       md2_model *knight = md2_load_file("knight/tris.md2", NULL, &error);
       if (!knight) { fprintf(stderr, "knight: %s\n", error.message); return 1; }

       float *positions = malloc(knight->vertex_count * 3 * sizeof(float));
       float *normals   = malloc(knight->vertex_count * 3 * sizeof(float));
       const md2_anim *run = md2_find_anim(knight, "run");     (NULL if it has none)
       static md2_player player;                  (one per character, all zero)
       md2_play(&player, run, MD2_LOOP, 0.2f);

       while (running) {
           md2_advance(&player, delta_seconds);
           if (md2_crossed(&player, run, 0)) play_footstep();  (the first frame of the run)
           md2_pose pose = md2_player_pose(&player);
           md2_pose_vertices(knight, &pose, positions, 0, normals, 0);
           draw(positions, normals, knight->vertices, knight->indices, knight->index_count);
       }
       md2_free_model(knight);

   THE PIECES
   model    plain data in one block of memory, read-only after loading. Read its arrays directly:
            vertices (u, v) and indices go to the renderer once, positions and normals every frame.
   anims    found from the frame names: "run1" "run2" ... become "run". If the frame names do not
            help, the model gets the 20 animations of a Quake II player: stand run attack pain1
            pain2 pain3 jump flip salute taunt wave point crstnd crwalk crattak crpain crdeath
            death1 death2 death3. Each begins at the same frame as in Quake II, or, if the frame
            names begin an animation up to three frames earlier or later, at the frame that the
            names show. The file stores no frame rate: the default is 10 frames a second.
   pose     a value: up to eight frames with weights. md2_pose_at interpolates an animation,
            md2_pose_mix blends two poses, md2_pose_vertices computes positions and normals.
   player   a plain struct, one per character; all zero is ready for use. It keeps the time, does
            crossfades and reports frame events: footsteps, gun shots.

   OPENGL 3.3, ES 3.0, WEBGL 2: #define MD2_GL before each #include; no GL header, no loader

       md2_gl  *gl = md2_gl_create(glfwGetProcAddress, NULL, &error);
       bool     ok = md2_gl_upload(gl, knight, &mesh, &error);
       uint32_t skin = md2_gl_load_skin(gl, knight, "knight/tris.md2", 0, &error);

       memcpy(scene.view_projection, camera, 16 * sizeof(float)); (all zero draws nothing)
       instance.pose = md2_player_pose(&player);                  (in each frame)
       md2_gl_draw(gl, &mesh, skin, &scene, &instance, 1);        (or 10,000 instances in one draw)

   The frames stay on the GPU: four bytes per point, eight if smoothed. md2_gl_load_skin needs
   MD2_STB_IMAGE, and stb_image.h included first. Do not call stbi_set_flip_vertically_on_load(1):
   skins would be upside down.
   state    a draw restores the state that it changes: program (unless you deleted it while in
            use), vertex array, array buffer, active texture, 2D textures and samplers of the units
            it uses, primitive restart, rasterizer discard; an upload restores pixel unpacking.
            With leave_state nothing is restored. Then keep restart and discard off, pixel unpacking
            as in a new context, and no sampler bound to these units. (A sampler overrides a
            texture's filters: a sampler that needs mipmaps shows a skin without mipmaps in black.)
   shading  options.fragment_source replaces the fragment shader. It receives: in vec3 v_position,
            v_normal (world space); in vec2 v_texcoord; in vec4 v_tint; flat in vec4 v_light
            (direction, ambient); uniform sampler2D skin; and your own uniforms, set on
            md2_gl_program. It has no #version line. Colors are not converted: no sRGB, no gamma.
   cut_out  draws only texels whose alpha is 0.5 or more. A pixel of a distant surface may cover
            several texels. If 30 % of these texels are solid, 30 % of such pixels are drawn, in a
            fine pattern that is fixed to the surface. For this pattern, your own textures need
            mipmaps, and alpha near 0 or 1.

   WHAT IT DOES NOT DO
   It reads no other model formats (MD3, MDL, Anachronox's variant of MD2) and no images except PCX.
   It has no materials, physics or scene graph. MD2 is vertex animation: it has no bones, so no
   masks, root motion or inverse kinematics. MD2 stores a position in three bytes, so models jitter
   a little in every viewer; md2_smooth_model removes most of the jitter.

   OPTIONS, defined before the #include
   MD2_IMPLEMENTATION   in one file: compile the code
   MD2_STATIC           make everything static: for plug-ins, or two copies in one program
   MD2_API              your own linkage, such as __declspec(dllexport)
   MD2_NO_STDIO         no <stdio.h>, md2_load_file, md2_load_skin, md2_gl_load_skin
   MD2_MALLOC(size)     with MD2_FREE(ptr): used if options.allocator is all zero (default: malloc)
   MD2_NO_SIMD          plain C only; the results are the same, bit for bit
   MD2_SMOOTH           md2_smooth_model, which removes jitter, and poses of smoothed models;
                        needs md2_smooth.h next to md2.h
   MD2_GL               the OpenGL renderer
   MD2_STB_IMAGE        md2_load_skin and md2_gl_load_skin; include stb_image.h first

   CONVENTIONS
   axes       as in the file: X forward, Y left, Z up, right-handed. MD2_Y_UP: Z forward, X left,
              Y up (glTF). A player is about 56 units tall, its feet at -24.
   winding    counter-clockwise from outside. For a left-handed engine (Unity, Unreal):
              MD2_KEEP_WINDING, and negate one axis of positions and normals.
   texture    u = (s + 0.5) / width, v = (t + 0.5) / height; v = 0 is the top row, for images
              uploaded top row first (stb_image loads them so). MD2_FLIP_V is for images uploaded
              bottom row first.
   time       seconds. A loop of n frames takes n steps: its last frame blends into its first.
   NULL       never crashes: without a required argument, a call returns NULL, 0, -1, false or an
              empty pose, or does nothing. Options, the error and optional outputs may be NULL.
   strides    in bytes, any number; 0 means tightly packed
   matrices   column-major, column vectors
   threads    any number of threads may read a model; there are no globals
   memory     one block per model; posing and playing allocate nothing. The allocator must align as
              malloc does. Loading uses one more block, and two while that block grows. Loading
              frees them after it has allocated the model, so an arena that can only free its newest
              block does not get them back. The most memory that loading holds at the same time,
              including the model, as a multiple of the file's size:
                  1.3 to 3              a file of 100 frames or more
                  14, plus 1 KB         a file of a single frame; 15 with md2_load_file
                  16, plus 64 KB        the same file with md2_load_reader
                  28                    a crafted file whose sections overlap
   results    the same bits on every machine and compiler, except with -ffast-math, with clang's
              -ffp-contract=fast, or on an x87
   traps      loading, posing and drawing raise no floating-point exception that a program would
              trap (division by 0, overflow, invalid), up to coordinates of 1e9. With clang, this is
              true only if -ftrapping-math is set.
   -lm        needed for sqrtf with MD2_NO_SIMD, with tcc, and without SSE2 or 64-bit NEON

   MALFORMED FILES are repaired if a repair is safe (see model->defects). Other malformed files are
   rejected, and error->message says what is wrong and where. A loaded model needs no further
   checks: its counts, offsets and indices are valid. The file's size limits memory and time.

   VERSION HISTORY
   1.0.0  the first release: every 1.x keeps this interface */

#if !defined(__cplusplus) && !defined(_MSC_VER) && \
    (!defined(__STDC_VERSION__) || __STDC_VERSION__ < 199901L)
  #error "md2.h needs C99 or C++98: compile with -std=c99 or later"
  #define MD2_LIBRARY_H               /* prevents further messages */
  #define MD2_GL_INCLUDED
  #define MD2_IMPLEMENTATION_ONCE
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

#ifndef MD2_LIBRARY_H
#define MD2_LIBRARY_H

#define MD2_LIBRARY_VERSION 10000     /* major * 10000 + minor * 100 + patch */

#ifndef MD2_API
  #if defined(MD2_STATIC) && defined(__GNUC__)
    #define MD2_API static __attribute__((unused))
  #elif defined(MD2_STATIC)
    #define MD2_API static
  #else
    #define MD2_API extern
  #endif
#endif

/* -- Results -------------------------------------------------------------- */

typedef enum md2_result {
    MD2_OK = 0,                       /* nothing failed */
    MD2_ERROR_ARGUMENT,               /* a NULL or invalid argument */
    MD2_ERROR_OPEN,                   /* the file could not be opened */
    MD2_ERROR_READ,                   /* the file or the reader failed */
    MD2_ERROR_MEMORY,                 /* the allocator returned NULL, or the GPU is out of memory */
    MD2_ERROR_LIMIT,                  /* more than max_bytes, 65,536 frames or OpenGL allow */
    MD2_ERROR_NOT_MD2,                /* not an MD2 or PCX; the message may name the format */
    MD2_ERROR_VERSION,                /* "IDP2" but not version 8; an unsupported kind of PCX */
    MD2_ERROR_TRUNCATED,              /* the file was cut short: it ends inside a section */
    MD2_ERROR_CORRUPT,                /* a count, offset or number that is never valid */
    MD2_ERROR_GL                      /* a missing function, a shader error or another GL error */
} md2_result;

typedef struct md2_error {
    size_t     offset;                /* byte of the file where the error was found; or 0 */
    md2_result code;                  /* MD2_OK if nothing failed */
    char       message[240];          /* one sentence, with the numbers */
} md2_error;

MD2_API const char *md2_result_name(md2_result result); /* "MD2_ERROR_CORRUPT" */

/* Returns MD2_LIBRARY_VERSION, for programs in other languages: they cannot see the macro. */
MD2_API uint32_t md2_library_version(void);

/* -- Options (zero means the default, everywhere) ------------------------- */

typedef struct md2_allocator {
    void *(*alloc)(void *user, size_t size);            /* returns NULL on failure */
    void  (*release)(void *user, void *ptr, size_t size); /* size: as passed to alloc */
    void   *user;                                       /* your data: an arena, for example */
} md2_allocator;

typedef struct md2_reader {
    /* Writes up to `size` bytes to dst. Returns their number; 0 at the end; SIZE_MAX on failure. */
    size_t (*read)(void *user, void *dst, size_t size);
    void    *user;                                      /* your data: an open file, for example */
} md2_reader;

enum {
    MD2_Y_UP          = 1 << 0,       /* (x, y, z) becomes (y, z, x) */
    MD2_KEEP_WINDING  = 1 << 1,       /* keep triangles clockwise, as stored */
    MD2_FLIP_V        = 1 << 2,       /* texture origin bottom-left instead of top-left */
    MD2_FRAME_NAMES   = 1 << 3,       /* animations from frame names only */
    MD2_QUAKE2_ANIMS  = 1 << 4        /* animations of a Quake II player; names only for other
                                         frames. Without either flag, loading chooses the better
                                         of the two */
};

typedef struct md2_options {
    uint32_t      flags;              /* MD2_Y_UP | ... */
    float         scale;              /* multiplies all positions; 0 = 1.0; below 0 is an error */
    float         fps;                /* frame rate of every animation; 0 = 10, as in Quake II;
                                         below 0 is an error */
    size_t        max_bytes;          /* loading fails if it needs more memory; 0 = 64 MiB */
    md2_allocator allocator;          /* zero = MD2_MALLOC and MD2_FREE */
} md2_options;

/* -- Model: plain data, one block, read-only after loading ---------------- */

typedef struct md2_skin {
    char path[65];                    /* as stored: "players/male/grunt.pcx"; see md2_find_skin */
} md2_skin;

typedef struct md2_point {            /* as in the file: position = translate + byte * scale */
    uint8_t x, y, z, normal;          /* normal: an index for md2_normal */
} md2_point;

typedef struct md2_fine {             /* a smoothed point; high bytes: the bytes of the file */
    uint16_t position[3];             /* translate + (position - 128) / 256 * scale */
    uint16_t normal;                  /* octahedral: 128 + x in the low byte, 128 + y in the high */
} md2_fine;

typedef struct md2_frame {
    char             name[17];        /* "run3" */
    float            scale[3], translate[3]; /* decode this frame's points */
    float            min[3], max[3];  /* exact bounds of this frame's points */
    const md2_point *points;          /* [model->point_count]; the points of all frames are one
                                         array, which begins at frames[0].points */
    const md2_fine  *fine;            /* the same for the fine points; NULL if not smoothed */
} md2_frame;

typedef struct md2_anim {             /* you can make one: { 40, 6, 10.0f, "walk" } */
    uint32_t first, count;            /* frames [first, first + count) */
    float    fps;                     /* 0 or less = 10. To change it, play a copy of the animation.
                                         To change it while it plays, set player.speed instead */
    char     name[28];                /* "run"; of two called "run", the shorter is "run#2" */
} md2_anim;

typedef struct md2_strip {            /* one of the file's "GL commands", for glBegin */
    uint32_t first, count;            /* strip_vertices [first, first + count) */
    bool     fan;                     /* true: a triangle fan; false: a triangle strip */
} md2_strip;

typedef struct md2_strip_vertex {     /* same winding as the triangles */
    uint32_t vertex;                  /* index into vertices and the output of md2_pose_vertices */
    float    u, v;                    /* stored in the strip itself */
} md2_strip_vertex;

typedef struct md2_vertex {           /* a unique (point, texture coordinate) pair; the padding is
                                         0, so the array can be copied into a GPU buffer */
    uint16_t point;                   /* index into frame->points */
    float    u, v;                    /* texture coordinates; see CONVENTIONS */
} md2_vertex;

enum {                                /* defects of a file that loads anyway */
    MD2_NORMALS_INWARD = 1 << 0,      /* the normals of a frame pointed inward: they are negated */
    MD2_NORMALS_WRONG  = 1 << 1,      /* the normals of a frame did not fit its faces (all normals
                                         were equal, for example): computed from the faces */
    MD2_FACES_INWARD   = 1 << 2,      /* the faces in the file are inside out, and not repaired. To
                                         flip them, load again with MD2_KEEP_WINDING, or without it
                                         if it was set. The flipped model also has this bit */
    MD2_BAD_TEXCOORDS  = 1 << 3,      /* an index was out of range: the last coordinate is used */
    MD2_BAD_COMMANDS   = 1 << 4       /* the GL commands are invalid: there are no strips */
};

typedef struct md2_model {
    uint32_t          skin_width, skin_height;          /* in texels; 0 = unknown */
    /* Array lengths. strip_count is 0 if the file has no valid GL commands. */
    uint32_t          skin_count, point_count, vertex_count, index_count, frame_count, anim_count;
    uint32_t          strip_count, strip_vertex_count;
    uint32_t          dropped_triangles;                /* dropped: a point was out of range */
    uint32_t          defects;                          /* MD2_NORMALS_INWARD | ... */
    uint32_t          flags;                            /* from md2_options */
    const md2_skin   *skins;          /* paths of the skins; often there are none */
    const md2_vertex *vertices;       /* indices and md2_pose_vertices refer to these */
    const uint32_t   *indices;        /* three per triangle; up to 65,535 vertices fit 16 bits */
    const md2_frame  *frames;         /* of all animations */
    const md2_anim   *anims;          /* in the file's order */
    const md2_strip  *strips;         /* the same triangles, for glBegin */
    const md2_strip_vertex *strip_vertices; /* of all strips */
    float             min[3], max[3]; /* bounds of all frames together */
    md2_allocator     allocator;      /* md2_free_model releases the block with it */
    size_t            bytes;          /* size of the block, which begins with this struct */
    struct {
        const void   *self;           /* address of this struct; a copy of it owns nothing */
    } private_data;
} md2_model;

/* -- Loading -------------------------------------------------------------- */

/* Loads a model. On failure, returns NULL and fills *error; on success, error->code is MD2_OK. The
   input may be freed after the call.

   A model with the frame count of a Quake II player (198 to 256) or its weapon (173 to 175) gets
   the player's animations, unless its frame names clearly define others. If your model has such a
   count by chance (idle1 to idle100 and walk1 to walk98, for example), use MD2_FRAME_NAMES. */
MD2_API md2_model *md2_load_memory(const void *data, size_t size, const md2_options *options,
                                   md2_error *error);
MD2_API md2_model *md2_load_reader(const md2_reader *reader, const md2_options *options,
                                   md2_error *error);
#ifndef MD2_NO_STDIO
MD2_API md2_model *md2_load_file(const char *path, const md2_options *options,
                                 md2_error *error); /* path in UTF-8, on Windows too */
#endif
/* Frees a model, with the allocator that loaded it. A copy of the struct owns nothing. */
MD2_API void md2_free_model(md2_model *model);

#if defined(MD2_SMOOTH) || !defined(MD2_STATIC) /* a later include may define MD2_SMOOTH */
/* Returns a copy with less jitter, or NULL on failure. In the file, each coordinate is rounded to a
   byte. The copy has the most likely coordinates before the rounding; they round to the same bytes.
   Equal things stay equal: points that coincide in all frames, equal frames, points that do not
   move in an animation. Normals rotate with the faces. If the stored normals of a point differ from
   the normals of its faces by more than rounding explains, the copy keeps their mean difference. If
   faces cancel each other (two-sided parts), the stored normals stay. A single frame keeps its
   points, and its normals to within 0.7 degrees.

   500 points in 200 frames take about 0.1 s and, during the call, 13 bytes per point and frame in
   addition to the copy. Only the options max_bytes and allocator are used. Free both models, in any
   order. */
MD2_API md2_model *md2_smooth_model(const md2_model *model, const md2_options *options,
                                    md2_error *error);
#endif

/* Returns the unit vector of a normal index, in the file's axes (with MD2_Y_UP, loading changes the
   indices to match). Indices above 161 occur only in broken files, and return straight up. */
MD2_API const float *md2_normal(uint32_t index);

/* -- Skins ---------------------------------------------------------------- */

/* Finds the picture of a skin: tries paths in the folder of `model_path`, the most likely path
   first, until one of them is a file, and writes this path to `out`. Returns false if none is a
   file; then `out` has the first path, for a message. Tries at most 200 paths, and skips a path
   that does not fit into `out`.

   `is_found`, unless NULL, decides instead of the file system. It gets each path, with `user`,
   until it returns true. It may look into an archive, or read the file immediately. (With
   MD2_NO_STDIO, a NULL finds nothing.)

   The names, in this order, for a players/male/tris.md2 that lists "players/male/grunt.pcx":

       grunt     the listed skin's name. (Exception: a weapon may list "skin" or "base" in another
                 folder, or without a folder. This is the skin of the weapon on the ground, so it
                 comes after "weapon".)
       tris      the model's name
       tris0     the model's name and a 0
       weapon    only for weapon.md2, w_*.md2 and a_*.md2
       skin
       male      the folder's name; not for a weapon that lists a skin

   Each name is tried as written, and as tris, Tris and TRIS, with the extensions .pcx .png .tga
   .jpg .jpeg .bmp .PCX .PNG .TGA .JPG, beginning with the listed skin's own. Names of Windows
   devices ("nul", "com1") are skipped. */
MD2_API bool md2_find_skin(const md2_model *model, const char *model_path, uint32_t skin,
                           bool (*is_found)(void *user, const char *path), void *user, char *out,
                           size_t out_size);

/* Decodes an 8-bit PCX, the format of Quake II's skins, which stb_image does not read. Returns RGBA
   pixels, top row first, or NULL on failure. Release them with md2_free_image. */
MD2_API uint8_t *md2_load_pcx_memory(const void *data, size_t size, uint32_t *width,
                                     uint32_t *height, const md2_options *options,
                                     md2_error *error);
MD2_API void md2_free_image(uint8_t *pixels); /* with the allocator of the load; not free() */

/* -- Animations by name --------------------------------------------------- */

/* Finds the animations in any list of frame names, as loading does. Writes at most `capacity`
   animations, and returns their total number. If the capacity is too small, a name may lack its
   "#2", because only the written names are compared. Only the options fps, MD2_FRAME_NAMES and
   MD2_QUAKE2_ANIMS are used. */
MD2_API uint32_t md2_split_frame_names(const char *const *names, uint32_t name_count,
                                       const md2_options *options, md2_anim *out,
                                       uint32_t capacity);
/* Find an animation or a frame by name, ignoring case; NULL or -1 if there is none.

       call                              returns
       md2_find_anim(model, "Run")       the animation "run"
       md2_find_anim(model, "pain")      "pain1", if no animation is called "pain": of pain1, pain2,
                                         ..., the animation with the lowest number
       md2_find_anim(model, "walk")      "flip", if the model has the animations of a Quake II
                                         player, and its file calls the frames of the flip walk1,
                                         walk2, ...; with MD2_FRAME_NAMES, exactly these frames

   md2_find_frame, md2_pose_between and pose.frame count the frames of the model; md2_crossed counts
   the frames of an animation. */
MD2_API const md2_anim *md2_find_anim(const md2_model *model, const char *name);
MD2_API int             md2_find_frame(const md2_model *model, const char *name);

/* -- Poses: a weighted set of at most eight frames ------------------------ */

enum { MD2_MAX_POSE_FRAMES = 8 };     /* a crossfade of four tracks needs eight */

/* In every pose that the library returns, unused entries are 0, so a pose can be copied into a GPU
   buffer. */
typedef struct md2_pose {
    uint32_t count;                   /* number of entries in use; 0 means frame 0 */
    uint16_t frame[MD2_MAX_POSE_FRAMES]; /* clamped to the model's last frame */
    float    weight[MD2_MAX_POSE_FRAMES]; /* weight of frame[i]; the weights add up to 1 */
} md2_pose;

typedef enum md2_mode {
    MD2_LOOP = 0,                     /* starts again after each cycle */
    MD2_ONCE,                         /* stops at its last frame */
    MD2_PING_PONG                     /* plays forward, then backward, and so on */
} md2_mode;

MD2_API double   md2_anim_length(const md2_anim *anim, md2_mode mode); /* seconds per cycle */
/* Return the pose of an animation after any number of seconds, even a negative one; and the pose
   between two frames of the model. */
MD2_API md2_pose md2_pose_at(const md2_anim *anim, md2_mode mode, double seconds);
MD2_API md2_pose md2_pose_between(uint32_t frame_a, uint32_t frame_b, float t); /* a at t = 0 */
/* Blends two poses: a at t = 0, b at t = 1. If there are more than eight frames, the lightest are
   dropped and the others share their weight; then the result can jump as t changes. */
MD2_API md2_pose md2_pose_mix(md2_pose a, md2_pose b, float t);
/* Returns the `count` heaviest frames of a pose, at least one, with weights that add up to 1: for
   shaders with room for two or four frames. An animation shows two frames, a crossfade four. */
MD2_API md2_pose md2_pose_reduce(md2_pose pose, uint32_t count);

/* Writes model->vertex_count positions and unit normals, three floats each. Either may be NULL. */
MD2_API void md2_pose_vertices(const md2_model *model, const md2_pose *pose,
                               float *positions, size_t position_stride,
                               float *normals,   size_t normal_stride);
/* Computes the exact bounds of all points, for culling, even of points that no triangle uses. */
MD2_API void md2_pose_bounds(const md2_model *model, const md2_pose *pose,
                             float min[3], float max[3]);
/* Computes the matrix of a triangle (indices[3 * triangle] ...), to attach a hat or a gun: origin
   at its centroid, x along its first edge, z along its outward normal; orthonormal. Returns false
   if the triangle has almost no area; then the origin is right, and the axes are 0. */
MD2_API bool md2_pose_triangle(const md2_model *model, const md2_pose *pose, uint32_t triangle,
                               float out[16]);

/* -- Playback: a plain struct you own, one per character ------------------ */

/* [twin: events] "make twins" copies this into md5.h */
enum {                                /* events returned by md2_advance */
    MD2_LOOPED   = 1,                 /* the animation passed its start again */
    MD2_FINISHED = 2                  /* MD2_ONCE arrived at its end (played backward: its start);
                                         not repeated while it stays there */
};

enum { MD2_MAX_TRACKS = 5 };          /* most tracks of a player */
/* [/twin: events] */

typedef struct md2_track {            /* a playing animation; newer tracks fade in over it */
    double          time;             /* position in seconds; a loop does not wrap it around */
    double          previous_time;    /* `time` before the last md2_advance */
    float           speed;            /* negative plays backward; newest track: player.speed */
    float           fade, fade_length; /* fade-in: seconds elapsed, seconds in total */
    md2_mode        mode;             /* from md2_play */
    bool            in_phase;         /* from md2_play_in_phase: in step with the newest older
                                         track that is a loop of more than one frame */
    md2_anim        anim;             /* a copy; count 0 if there is no animation to show */
} md2_track;

/* Start with all zero: nothing plays, and frame 0 shows. Forgetting this is detected only if
   track_count happens to be above MD2_MAX_TRACKS; then the first use zeroes the player. */
typedef struct md2_player {
    uint32_t  track_count;            /* newest last; a fully faded-in track removes older tracks */
    float     speed;                  /* speed of the newest track; md2_play sets it to 1 */
    bool      paused;                 /* time stops and no frames are passed; md2_play ends it */
    bool      finished;               /* MD2_ONCE is at its end (played backward: its start) */
    md2_track track[MD2_MAX_TRACKS];  /* four show; a fifth waits until the oldest is removed */
    struct {
        bool  begun;                  /* the newest track's time has changed since md2_play or
                                         md2_stop, or md2_seek was called; md2_play_in_phase copies
                                         this from the older loop */
        bool  passed_start;           /* the last md2_advance has set `begun` */
    } private_data;
} md2_player;

/* Starts an animation at its beginning, and crossfades to it in `fade_seconds`. Call it once, not
   in every frame:

       if (!md2_playing(&player, run)) md2_play(&player, run, MD2_LOOP, 0.2f);

   The older tracks keep their speeds. The player copies the animation, so you may free or reload
   the model while it plays. If anim is NULL or has no frames, frame 0 shows.

   The first animation of an empty player shows immediately, whatever its fade. After that, weights
   never jump, except in md2_stop and if a fade is 0, which removes the other tracks.

   Four tracks show. A fifth is invisible until the oldest is removed. Meanwhile, fades that are
   longer than the fade of the fifth track are sped up, so the fifth track waits at most as long as
   its own fade takes. A sixth track replaces the fifth. */
MD2_API void     md2_play(md2_player *player, const md2_anim *anim, md2_mode mode,
                          float fade_seconds);
/* Returns true if the newest track plays `anim`, even if the track is finished, paused or waiting.
   Compares the frames and the rate, not the name (md2_crossed compares only the frames). With NULL,
   or an animation without frames, returns true if nothing plays. To get the current animation:
   if (player.track_count) anim = player.track[player.track_count - 1].anim; */
MD2_API bool     md2_playing(const md2_player *player, const md2_anim *anim);
/* [twin: player] "make twins" copies this into md5.h */
/* Crossfades between gaits, with the same foot forward. The new loop starts at the newest loop's
   position in its cycle, and both cycles take the same time while both show. For example, from a
   walk of 1.2 s to a run of 0.6 s: a cycle of both takes 1.2 s at the start of the fade, 0.8 s (the
   mean of 0.83 and 1.67 cycles a second) halfway, and 0.6 s at the end. Do not use it between a
   stand of 4 seconds and a run of 0.6: the stand would speed up to the pace of the run.

   Unless both are loops of more than one frame, this call is the same as md2_play with MD2_LOOP.
   After md2_seek, the loops are no longer in step. If the two speeds have opposite signs, both
   loops change direction during the fade. If that happens within a step, md2_crossed counts only
   the frames between the positions at the start and at the end of the step. */
MD2_API void     md2_play_in_phase(md2_player *player, const md2_anim *anim, float fade_seconds);
/* Advances by any step, even a negative one, and returns the events. A step of 0 has no events.
   Times, fades and events do not depend on how a second is divided into steps (except while loops
   in phase change direction: see md2_play_in_phase). Only the newest track has events, even while
   it is invisible because it waits. If another animation fades in over an attack, the MD2_FINISHED
   of the attack is never returned. */
MD2_API uint32_t md2_advance(md2_player *player, float delta_seconds);
/* Returns how often the last md2_advance passed a frame, counted from the animation's first frame.
   The frame at which the animation starts counts as well. Returns 0 if the newest track plays
   another animation, and for NULL. */
MD2_API int      md2_crossed(const md2_player *player, const md2_anim *anim, uint32_t frame);
MD2_API void     md2_pause(md2_player *player, bool paused);  /* true: pause, false: continue */
MD2_API void     md2_stop(md2_player *player);      /* pauses and rewinds, without a fade */
/* Jumps to a time, without events or a change of weights. When playback continues from there, the
   frame at that time does not count as crossed. */
MD2_API void     md2_seek(md2_player *player, double seconds);
/* [/twin: player] */
MD2_API md2_pose md2_player_pose(const md2_player *player);    /* current frames, fades */

#endif /* MD2_LIBRARY_H */

/* -- Skins: pictures (only with MD2_STB_IMAGE defined) --------------------- */

/* Has its own guard: a later include may define MD2_STB_IMAGE. Include stb_image.h first. */
#if defined(MD2_STB_IMAGE) && !defined(MD2_NO_STDIO)
#ifndef MD2_LOAD_SKIN_INCLUDED
#define MD2_LOAD_SKIN_INCLUDED

/* Loads a skin for your own renderer, as RGBA pixels, top row first. Tries the paths of
   md2_find_skin; decodes PCX itself, and other formats with stb_image. Returns NULL and an error if
   no file is a picture. options->max_bytes limits the pixels and the file; the file is also limited
   to 64 MiB. Release the pixels with md2_free_image. */
MD2_API uint8_t *md2_load_skin(const md2_model *model, const char *model_path, uint32_t skin,
                               uint32_t *width, uint32_t *height, const md2_options *options,
                               md2_error *error);

#endif /* MD2_LOAD_SKIN_INCLUDED */
#endif /* MD2_STB_IMAGE */

/* -- OpenGL 3.3, ES 3.0, WebGL 2 (only with MD2_GL defined) --------------- */

/* Has its own guard, because a later include may define MD2_GL. */
#if defined(MD2_GL) && !defined(MD2_GL_INCLUDED)
#define MD2_GL_INCLUDED

typedef void (*md2_gl_proc)(void);
typedef md2_gl_proc (*md2_gl_get_proc)(const char *name); /* glfwGetProcAddress needs no cast */

typedef struct md2_gl md2_gl;         /* the renderer; one per GL context */

typedef struct md2_gl_options {
    const char   *version_line;       /* NULL = "#version 330 core" or "#version 300 es" */
    const char   *fragment_source;    /* NULL = built-in: textured and lit; has no #version line */
    uint32_t      texture_unit;       /* first of the two units that a draw uses */
    bool          leave_state;        /* do not query and restore the GL state: see OPENGL */
    bool          cut_out;            /* alpha test, for leaves and fences: see OPENGL */
    md2_allocator allocator;          /* zero = MD2_MALLOC and MD2_FREE */
} md2_gl_options;

typedef struct md2_gl_mesh {          /* plain GL names, which your own program can bind */
    uint32_t vao, vertex_buffer, index_buffer; /* vertices: u, v and point; indices: triangles */
    uint32_t frame_texture;           /* frame by frame; RGBA8UI points or RGBA16UI fine points */
    uint32_t index_count, point_count, frame_count, flags; /* as in the model */
    float    (*frames)[2][4];         /* for each frame { step, 1 } and { origin, 0 }: a coordinate
                                         is origin + the texel's number * step */
} md2_gl_mesh;

typedef struct md2_gl_scene {
    float ambient;                    /* zero = 0.25; below 0 = none */
    float light_direction[3];         /* toward the light; zero = from the camera (set it for a
                                         mirrored orthographic view) */
    float view_projection[16];        /* column-major, depth -1..1; all zero draws nothing */
} md2_gl_scene;

typedef struct md2_gl_instance {      /* all zero = frame 0, white, at the origin */
    float    tint[4];                 /* all zero = white */
    float    transform[16];           /* column-major, affine; [15] == 0 means identity */
    md2_pose pose;                    /* from md2_player_pose, or any other pose */
} md2_gl_instance;

/* Creates a renderer in the current context. Returns NULL on failure; the error names the missing
   function or feature. Clears pending GL errors, as uploads and new textures do. */
MD2_API md2_gl *md2_gl_create(md2_gl_get_proc get_proc, const md2_gl_options *options,
                              md2_error *error);
MD2_API void    md2_gl_destroy(md2_gl *gl); /* free the meshes first */
/* Returns the error of the last call with this renderer; its code is MD2_OK if the call succeeded.
   This function, md2_gl_program and md2_gl_free_mesh do not change the error. */
MD2_API const md2_error *md2_gl_last_error(const md2_gl *gl);
/* Returns the GL name of a program, for the uniforms of your own fragment_source. Program 0 draws
   poses of up to two frames, program 1 poses of up to eight. */
MD2_API uint32_t md2_gl_program(const md2_gl *gl, uint32_t index);
/* Returns the source of the vertex shader, for your own programs. Put
   "#version ...\n#define FRAMES 8\n" before it. Its comments describe its inputs and outputs. */
MD2_API const char *md2_gl_vertex_source(void);
/* Makes the following draws use your own program, which contains the source of
   md2_gl_vertex_source; 0 = the built-in programs again. Returns false, and changes nothing, if the
   program is not linked. Call it again after you link the program again. You delete the program
   when it is no longer used. */
MD2_API bool    md2_gl_use_program(md2_gl *gl, uint32_t program);
/* Copies a model to the GPU; you may free the model afterward. Fails if the frames exceed one
   texture or the GPU's memory; then *out is all zero. Does not free the old contents of *out. */
MD2_API bool md2_gl_upload(md2_gl *gl, const md2_model *model, md2_gl_mesh *out, md2_error *error);
MD2_API void md2_gl_free_mesh(md2_gl *gl, md2_gl_mesh *mesh); /* may be called twice */
/* Creates a mipmapped, repeating texture from RGBA pixels, top row first; 0 on failure. Delete it
   with glDeleteTextures. Drawing takes any other GL texture too. */
MD2_API uint32_t md2_gl_create_texture(md2_gl *gl, const uint8_t *rgba, uint32_t width,
                                       uint32_t height);
/* Draws up to 10 million instances of one model in one draw call, faster if no pose has more than
   two frames. `skin_texture` 0 = plain white. Depth test, blending and culling are yours to set.
   Returns false on failure: see md2_gl_last_error; the next draw tries again. A count of 0 draws
   nothing and succeeds.

   Checking for GL errors is slow, so a draw checks for them only if it has more instances than all
   draws before it. Such a draw clears pending errors first. */
MD2_API bool md2_gl_draw(md2_gl *gl, const md2_gl_mesh *mesh, uint32_t skin_texture,
                         const md2_gl_scene *scene, const md2_gl_instance *instances,
                         size_t count);

#endif /* MD2_GL_INCLUDED */

/* Has its own guard, because a later include may define MD2_STB_IMAGE. Include stb_image.h
   first. */
#if defined(MD2_GL) && defined(MD2_STB_IMAGE) && !defined(MD2_NO_STDIO)
#ifndef MD2_GL_LOAD_SKIN_INCLUDED
#define MD2_GL_LOAD_SKIN_INCLUDED

/* Loads a skin as a texture. Tries the paths of md2_find_skin; decodes PCX itself, and other
   formats with stb_image. Returns 0 and an error if no file becomes a texture. The limits are
   64 MiB for a file, and the size of the largest texture. Delete the texture with
   glDeleteTextures. */
MD2_API uint32_t md2_gl_load_skin(md2_gl *gl, const md2_model *model, const char *model_path,
                                  uint32_t skin, md2_error *error);

#endif /* MD2_GL_LOAD_SKIN_INCLUDED */
#endif /* MD2_STB_IMAGE */

#ifdef __cplusplus
}
#endif

/* End of the interface. The implementation follows. "make twins" copies the code between the "twin"
   marks into md5.h, and the files of shaders/ between the "shader" marks. */

#if defined(MD2_IMPLEMENTATION) && !defined(MD2_IMPLEMENTATION_ONCE)
#define MD2_IMPLEMENTATION_ONCE

/* [twin: common] "make twins" copies this into md5.h */
/* -- Platform ------------------------------------------------------------- */

#include <float.h>
#include <math.h>
#include <string.h>
#ifndef MD2_NO_STDIO
  #include <stdio.h>
#endif
#if defined(MD2_MALLOC) != defined(MD2_FREE)
  #error "define both MD2_MALLOC and MD2_FREE, or neither"
#elif !defined(MD2_MALLOC)
  #include <stdlib.h>
  #define MD2_MALLOC(size) malloc(size)
  #define MD2_FREE(ptr) free(ptr)
#endif
#if defined(MD2_STB_IMAGE) && !defined(MD2_NO_STDIO) && !defined(STBI_INCLUDE_STB_IMAGE_H)
  #error "with MD2_STB_IMAGE, include stb_image.h before md2.h"
#endif

#if defined(MD2_NO_SIMD)
#elif defined(__SSE2__) || defined(_M_X64) || (defined(_M_IX86_FP) && _M_IX86_FP >= 2)
  #include <emmintrin.h>
  #define MD2__SSE2
#elif defined(__aarch64__) && defined(__ARM_NEON) && !defined(__AARCH64EB__) /* no big-endian */
  #include <arm_neon.h>
  #define MD2__NEON
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
  #define MD2__FORCE_INLINE static inline __attribute__((always_inline))
  #define MD2__NOINLINE     static __attribute__((noinline))
  #define MD2__COLD         static __attribute__((noinline, cold))
#elif defined(_MSC_VER)
  #define MD2__FORCE_INLINE static __forceinline
  #define MD2__NOINLINE     static __declspec(noinline)
  #define MD2__COLD         static __declspec(noinline)
#else
  #define MD2__FORCE_INLINE static inline
  #define MD2__NOINLINE     static
  #define MD2__COLD         static
#endif

/* In plain C, code for four floats is four times as large, so with -Os the compiler decides what to
   inline. */
#if defined(__OPTIMIZE_SIZE__) && !defined(MD2__SSE2) && !defined(MD2__NEON)
  #undef MD2__FORCE_INLINE
  #define MD2__FORCE_INLINE static inline
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* -- Numbers and vectors -------------------------------------------------- */

static float md2__sqrt(float x)
{
#if defined(MD2__SSE2)
    return _mm_cvtss_f32(_mm_sqrt_ss(_mm_set_ss(x)));
#elif defined(MD2__NEON)
    return vget_lane_f32(vsqrt_f32(vdup_n_f32(x)), 0);
#else
    return sqrtf(x);
#endif
}

static float md2__vec3_dot(const float a[3], const float b[3])
{
    return (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2];
}

/* Returns true if a vector has a direction. It has none if its squared length is NaN, or underflows
   or overflows a float. */
static inline bool md2__can_normalize(float length_squared)
{
    return length_squared > FLT_MIN && length_squared <= FLT_MAX;
}

/* Normalizes a vector and returns its old length. A vector without a direction becomes 0, and the
   function returns 0: a division by the length would stop a program that has set a floating-point
   trap. */
MD2__NOINLINE float md2__vec3_normalize(float v[3])
{
    float squared = md2__vec3_dot(v, v);
    if (!md2__can_normalize(squared)) {
        memset(v, 0, 3 * sizeof *v);
        return 0;
    }

    float length = md2__sqrt(squared);
    v[0] /= length;
    v[1] /= length;
    v[2] /= length;
    return length;
}

/* Computes floor() without libm. Doubles from 2^52 on have no fraction. */
static double md2__floor(double x)
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
static bool md2__is_finite(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);

    uint64_t exponent = bits >> 52 & 0x7ff; /* all ones: infinite, or NaN */
    return exponent != 0x7ff;
}

static float md2__clamp01(float x)
{
    if (!(x > 0)) {
        return 0; /* also for NaN */
    }
    return x < 1 ? x : 1.0f;
}

/* Four floats in SSE2, NEON or plain C, with the same bits in all three. NEON and plain C follow
   the rules of SSE2: if either operand is NaN, minimum and maximum return the second. */
#if defined(MD2__SSE2)
typedef __m128 md2__f4;

static inline md2__f4 md2__f4_load(const float *p) { return _mm_loadu_ps(p); }
static inline md2__f4 md2__f4_splat(float x) { return _mm_set1_ps(x); }
static inline md2__f4 md2__f4_add(md2__f4 a, md2__f4 b) { return _mm_add_ps(a, b); }
static inline md2__f4 md2__f4_sub(md2__f4 a, md2__f4 b) { return _mm_sub_ps(a, b); }
static inline md2__f4 md2__f4_mul(md2__f4 a, md2__f4 b) { return _mm_mul_ps(a, b); }
static inline md2__f4 md2__f4_div(md2__f4 a, md2__f4 b) { return _mm_div_ps(a, b); }
static inline md2__f4 md2__f4_min(md2__f4 a, md2__f4 b) { return _mm_min_ps(a, b); }
static inline md2__f4 md2__f4_max(md2__f4 a, md2__f4 b) { return _mm_max_ps(a, b); }
static inline md2__f4 md2__f4_sqrt(md2__f4 a) { return _mm_sqrt_ps(a); }
static inline void    md2__f4_store(float *p, md2__f4 a) { _mm_storeu_ps(p, a); }
static inline void    md2__f4_transpose(md2__f4 r[4]) { _MM_TRANSPOSE4_PS(r[0], r[1], r[2], r[3]); }

/* Writes three floats to any address, and nothing after them. */
static inline void md2__f4_store3(void *p, md2__f4 a)
{
    float z = _mm_cvtss_f32(_mm_movehl_ps(a, a));
    _mm_storel_pi((__m64 *)p, a);
    memcpy((char *)p + 2 * sizeof z, &z, sizeof z);
}
#elif defined(MD2__NEON)
typedef float32x4_t md2__f4;

static inline md2__f4 md2__f4_load(const float *p) { return vld1q_f32(p); }
static inline md2__f4 md2__f4_splat(float x) { return vdupq_n_f32(x); }
static inline md2__f4 md2__f4_add(md2__f4 a, md2__f4 b) { return vaddq_f32(a, b); }
static inline md2__f4 md2__f4_sub(md2__f4 a, md2__f4 b) { return vsubq_f32(a, b); }
static inline md2__f4 md2__f4_mul(md2__f4 a, md2__f4 b) { return vmulq_f32(a, b); }
static inline md2__f4 md2__f4_div(md2__f4 a, md2__f4 b) { return vdivq_f32(a, b); }
static inline md2__f4 md2__f4_sqrt(md2__f4 a) { return vsqrtq_f32(a); }
static inline md2__f4 md2__f4_min(md2__f4 a, md2__f4 b) { return vbslq_f32(vcltq_f32(a, b), a, b); }
static inline md2__f4 md2__f4_max(md2__f4 a, md2__f4 b) { return vbslq_f32(vcgtq_f32(a, b), a, b); }
static inline void    md2__f4_store(float *p, md2__f4 a) { vst1q_f32(p, a); }

static inline void md2__f4_transpose(md2__f4 rows[4])
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

static inline void md2__f4_store3(void *p, md2__f4 a)
{
    float lanes[4];
    vst1q_f32(lanes, a);
    memcpy(p, lanes, 3 * sizeof(float));
}
#else
typedef struct md2__f4 {
    float x, y, z, w;
} md2__f4;

static inline md2__f4 md2__f4_make(float x, float y, float z, float w)
{
    md2__f4 v = { x, y, z, w };
    return v;
}

static inline md2__f4 md2__f4_load(const float *p) { return md2__f4_make(p[0], p[1], p[2], p[3]); }
static inline md2__f4 md2__f4_splat(float x) { return md2__f4_make(x, x, x, x); }

static inline void md2__f4_store(float *p, md2__f4 a)
{
    p[0] = a.x;
    p[1] = a.y;
    p[2] = a.z;
    p[3] = a.w;
}

#define MD2__F4_OPERATOR(name, sign)                                                   \
    static inline md2__f4 name(md2__f4 a, md2__f4 b)                                   \
    {                                                                                  \
        return md2__f4_make(a.x sign b.x, a.y sign b.y, a.z sign b.z, a.w sign b.w);   \
    }
MD2__F4_OPERATOR(md2__f4_add, +)
MD2__F4_OPERATOR(md2__f4_sub, -)
MD2__F4_OPERATOR(md2__f4_mul, *)
MD2__F4_OPERATOR(md2__f4_div, /)
#undef MD2__F4_OPERATOR

static inline md2__f4 md2__f4_min(md2__f4 a, md2__f4 b)
{
    return md2__f4_make(a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y, a.z < b.z ? a.z : b.z,
                        a.w < b.w ? a.w : b.w);
}

static inline md2__f4 md2__f4_max(md2__f4 a, md2__f4 b)
{
    return md2__f4_make(a.x > b.x ? a.x : b.x, a.y > b.y ? a.y : b.y, a.z > b.z ? a.z : b.z,
                        a.w > b.w ? a.w : b.w);
}

static inline md2__f4 md2__f4_sqrt(md2__f4 a)
{
    return md2__f4_make(md2__sqrt(a.x), md2__sqrt(a.y), md2__sqrt(a.z), md2__sqrt(a.w));
}

static inline void md2__f4_transpose(md2__f4 rows[4])
{
    md2__f4 a = rows[0], b = rows[1], c = rows[2], d = rows[3];
    rows[0] = md2__f4_make(a.x, b.x, c.x, d.x);
    rows[1] = md2__f4_make(a.y, b.y, c.y, d.y);
    rows[2] = md2__f4_make(a.z, b.z, c.z, d.z);
    rows[3] = md2__f4_make(a.w, b.w, c.w, d.w);
}

static inline void md2__f4_store3(void *p, md2__f4 a)
{
    memcpy(p, &a.x, sizeof(float));
    memcpy((char *)p + sizeof(float), &a.y, sizeof(float));
    memcpy((char *)p + 2 * sizeof(float), &a.z, sizeof(float));
}
#endif

/* Returns the squared lengths of four vectors: axes[0] holds the four x, axes[1] the y, axes[2] the
   z. */
static inline md2__f4 md2__f4_length_squared(const md2__f4 axes[3])
{
    md2__f4 x_squared = md2__f4_mul(axes[0], axes[0]);
    md2__f4 y_squared = md2__f4_mul(axes[1], axes[1]);
    md2__f4 z_squared = md2__f4_mul(axes[2], axes[2]);

    return md2__f4_add(md2__f4_add(x_squared, y_squared), z_squared);
}

/* -- Text ----------------------------------------------------------------- */

static bool md2__is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static char md2__to_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static char md2__to_upper(char c)
{
    return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
}

static bool md2__equals_ignoring_case(const char *a, const char *b)
{
    while (*a && md2__to_lower(*a) == md2__to_lower(*b)) {
        ++a;
        ++b;
    }
    return md2__to_lower(*a) == md2__to_lower(*b); /* equal if both texts end here */
}

/* Returns true if text begins with a word, ignoring case. `word` is lowercase, with a NUL at its
   end. */
static bool md2__begins_with(const char *text, size_t length, const char *word)
{
    size_t i = 0;
    while (i < length && word[i] && md2__to_lower(text[i]) == word[i]) {
        ++i;
    }
    return word[i] == 0;
}

/* Writes text at `offset`, as much as fits before the NUL that the caller adds. Returns the offset
   after the text. A newline becomes a space. Any other control character becomes a question mark,
   because it could control a terminal. */
static size_t md2__append_text(char *out, size_t offset, size_t size, const char *text)
{
    for (; text && *text && offset + 1 < size; ++text) {
        bool is_control = (unsigned char)*text < 32 || *text == 127;
        char shown = is_control ? '?' : *text;
        out[offset++] = *text == '\n' ? ' ' : shown;
    }
    return offset;
}

MD2__COLD size_t md2__append_number(char *out, size_t offset, size_t size, uint64_t number)
{
    char   digits[21]; /* the largest number has 20 digits */
    size_t first = sizeof digits - 1;
    digits[first] = 0;

    do { /* from the last digit to the first; 0 also has a digit */
        digits[--first] = (char)('0' + number % 10);
        number /= 10;
    } while (number);

    return md2__append_text(out, offset, size, digits + first);
}

/* -- Paths to try --------------------------------------------------------- */

typedef struct md2__file_name {       /* the last two parts of "models/knight/tris.md2" */
    const char *text;                 /* "tris.md2" */
    size_t      length, stem_length;  /* 8 for "tris.md2", and 4 for "tris" */
    const char *folder;               /* "knight/tris.md2" */
    size_t      folder_length;        /* 6, for "knight" */
} md2__file_name;

/* Splits a path at slashes, backslashes and colons. If the last part of the path is empty, "." or
   "..", the lengths of the name are 0, so that the name never leads to another folder. */
MD2__COLD md2__file_name md2__parse_file_name(const char *path)
{
    const char    *p = path ? path : "";
    md2__file_name name = { p, 0, 0, p, 0 };

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
    MD2__AS_WRITTEN, MD2__LOWER_CASE, MD2__CAPITALIZED, MD2__UPPER_CASE, MD2__SPELLING_COUNT,
    MD2__MAX_CANDIDATES = 6 * MD2__SPELLING_COUNT
};

typedef struct md2__candidate {       /* a possible name of a file, without extension */
    const char *name, *suffix;        /* the suffix follows the name, and ends in a NUL */
    size_t      name_length;
    uint32_t    spelling;
} md2__candidate;

typedef struct md2__candidate_list {  /* candidates, all spelled differently */
    uint32_t       count;
    md2__candidate items[MD2__MAX_CANDIDATES];
} md2__candidate_list;

static char md2__candidate_char(const md2__candidate *candidate, size_t i)
{
    size_t length = candidate->name_length;
    char   c = i < length ? candidate->name[i] : candidate->suffix[i - length];

    switch (candidate->spelling) {
    case MD2__LOWER_CASE: return md2__to_lower(c);
    case MD2__CAPITALIZED: return i == 0 ? md2__to_upper(c) : md2__to_lower(c);
    case MD2__UPPER_CASE: return md2__to_upper(c);
    default: return c;
    }
}

static bool md2__is_same_candidate(const md2__candidate *a, const md2__candidate *b)
{
    for (size_t i = 0;; ++i) {
        char c = md2__candidate_char(a, i);
        if (c != md2__candidate_char(b, i)) {
            return false;
        }
        if (c == 0) {
            return true;
        }
    }
}

static bool md2__has_candidate(const md2__candidate_list *list, const md2__candidate *candidate)
{
    for (uint32_t i = 0; i < list->count; ++i) {
        if (md2__is_same_candidate(&list->items[i], candidate)) {
            return true;
        }
    }
    return false;
}

/* Returns true for the number of a port, 1 to 9. Windows also accepts the superscripts 1, 2 and 3,
   here in UTF-8, as digits. */
static bool md2__is_port_number(const char *text, size_t length)
{
    if (length == 1) {
        return text[0] >= '1' && text[0] <= '9';
    }
    return length == 2 && text[0] == '\xc2' &&
           (text[1] == '\xb9' || text[1] == '\xb2' || text[1] == '\xb3');
}

/* Returns true if Windows opens a device instead of a file with this name, whatever its extension
   and case: "nul", "Con.v2", "COM1 .tga". Reading from "con" would never end. */
MD2__COLD bool md2__is_device(const char *name, size_t name_length)
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
        if (length == strlen(devices[i]) && md2__begins_with(name, length, devices[i])) {
            return true;
        }
    }
    for (size_t i = 0; i < sizeof ports / sizeof ports[0]; ++i) {
        if (md2__begins_with(name, length, ports[i]) && md2__is_port_number(name + 3, length - 3)) {
            return true;
        }
    }
    return false;
}

/* Adds all spellings of a name that are not in the list yet, unless the name is empty or a device.
   The suffix is spelled like the name, and ends in a NUL. */
MD2__COLD void md2__add_candidates(md2__candidate_list *list, const char *name, size_t name_length,
                                   const char *suffix)
{
    if (name_length == 0 || md2__is_device(name, name_length)) {
        return;
    }

    for (uint32_t spelling = 0; spelling < MD2__SPELLING_COUNT; ++spelling) {
        md2__candidate candidate = { name, suffix, name_length, spelling };
        if (!md2__has_candidate(list, &candidate)) {
            list->items[list->count++] = candidate;
        }
    }
}

typedef struct md2__path_search {     /* a search for the picture of a model */
    const char *model_path;
    bool      (*is_found)(void *user, const char *path);
    void       *user;
    char       *out;                  /* receives each path before it is tried */
    size_t      out_size;             /* at least 1 */
} md2__path_search;

/* Writes the path of a candidate: the folder of the model, the name, the extension and a NUL.
   Returns false if `out` has no room for it. */
static bool md2__write_candidate(const md2__path_search *search, const md2__candidate *candidate,
                                 const char *extension)
{
    size_t length = candidate->name_length + strlen(candidate->suffix);
    size_t end_size = strlen(extension) + 1;
    size_t folder_length = 0;
    if (search->model_path) {
        md2__file_name model = md2__parse_file_name(search->model_path);
        folder_length = (size_t)(model.text - search->model_path);
    }
    if (folder_length + length + end_size > search->out_size) {
        return false;
    }

    if (folder_length) {
        memcpy(search->out, search->model_path, folder_length);
    }
    for (size_t i = 0; i < length; ++i) {
        search->out[folder_length + i] = md2__candidate_char(candidate, i);
    }
    memcpy(search->out + folder_length + length, extension, end_size);
    return true;
}

/* Tries all extensions of a name before the next name. Extension `first` is tried first, then the
   extensions after it, then those before it. */
static bool md2__try_candidates(const md2__path_search *search, const md2__candidate_list *list,
                                const char (*extensions)[6], uint32_t extension_count,
                                uint32_t first)
{
    for (uint32_t i = 0; i < list->count; ++i) {
        for (uint32_t k = 0; k < extension_count; ++k) {
            const char *extension = extensions[(first + k) % extension_count];
            if (md2__write_candidate(search, &list->items[i], extension) &&
                search->is_found(search->user, search->out)) {
                return true;
            }
        }
    }

    /* If no file is found, the caller's message names the first path. */
    search->out[0] = 0;
    if (list->count > 0) {
        md2__write_candidate(search, &list->items[0], extensions[first]);
    }
    return false;
}

/* -- Memory and errors ---------------------------------------------------- */

typedef struct md2__context {         /* memory and error of one call, or of one renderer */
    md2_allocator allocator;
    size_t        max_bytes;
    size_t        used_bytes;         /* at most max_bytes */
    md2_error     error;
} md2__context;

typedef struct md2__buffer {          /* an array of bytes that grows */
    uint8_t *data;                    /* NULL while capacity is 0 */
    size_t   size;                    /* bytes in use */
    size_t   capacity;                /* bytes allocated */
} md2__buffer;

/* Stores an error and its message. Each $ in the format becomes the text, the first # the number,
   and every later # the next number. Always returns false, so that callers can return the result.
   All errors pass through this function, so it is a good place for a breakpoint. */
MD2__COLD bool md2__fail_numbers(md2__context *context, md2_result code, const char *format,
                                 const char *text, uint64_t number, uint64_t next_number)
{
    char  *message = context->error.message;
    size_t size = sizeof context->error.message;
    size_t length = 0;

    for (; *format; ++format) {
        if (*format == '$') {
            length = md2__append_text(message, length, size, text);
        } else if (*format == '#') {
            length = md2__append_number(message, length, size, number);
            number = next_number;
        } else {
            char literal[2] = { *format, 0 };
            length = md2__append_text(message, length, size, literal);
        }
    }
    message[length] = 0;

    context->error.code = code;
    return false;
}

MD2__COLD bool md2__fail_text(md2__context *context, md2_result code, const char *format,
                              const char *text)
{
    return md2__fail_numbers(context, code, format, text, 0, 0);
}

MD2__COLD bool md2__fail(md2__context *context, md2_result code, const char *message)
{
    return md2__fail_text(context, code, message, NULL);
}

/* Appends text to the message of an error. */
static inline void md2__append_to_message(md2_error *error, const char *text)
{
    size_t size = sizeof error->message;
    size_t length = md2__append_text(error->message, strlen(error->message), size, text);
    error->message[length] = 0;
}

static void md2__report_error(const md2__context *context, md2_error *error)
{
    if (error) {
        *error = context->error;
    }
}

static void *md2__default_alloc(void *user, size_t size)
{
    (void)user;
    return MD2_MALLOC(size);
}

static void md2__default_release(void *user, void *ptr, size_t size)
{
    (void)user;
    (void)size;
    MD2_FREE(ptr);
}

static bool md2__init_context(md2__context *context, const md2_allocator *allocator,
                              size_t max_bytes)
{
    memset(context, 0, sizeof *context);
    context->max_bytes = max_bytes ? max_bytes : (size_t)64 << 20; /* 64 MiB */
    if (allocator) {
        context->allocator = *allocator;
    }

    if (!context->allocator.alloc != !context->allocator.release) {
        return md2__fail(context, MD2_ERROR_ARGUMENT, "an allocator needs both alloc and release");
    }
    if (!context->allocator.alloc) {
        context->allocator.alloc = md2__default_alloc;
        context->allocator.release = md2__default_release;
    }
    return true;
}

/* Allocates memory within the limit. Sizes have 64 bits everywhere, so that no product of counts
   from a file overflows before it is compared with the limit. */
static void *md2__alloc(md2__context *context, uint64_t size)
{
    if (size > context->max_bytes - context->used_bytes) {
        md2__fail_numbers(context, MD2_ERROR_LIMIT, "needs # more bytes, but max_bytes is #",
                          NULL, size, context->max_bytes);
        return NULL;
    }

    void *ptr = context->allocator.alloc(context->allocator.user, (size_t)size);
    if (!ptr) {
        md2__fail_numbers(context, MD2_ERROR_MEMORY, "no memory for # bytes", NULL, size, 0);
        return NULL;
    }

    context->used_bytes += (size_t)size;
    return ptr;
}

static void md2__release(md2__context *context, void *ptr, size_t size)
{
    if (ptr) {
        context->allocator.release(context->allocator.user, ptr, size);
        context->used_bytes -= size;
    }
}

/* Makes room for `required` more bytes. A new block gets up to `preferred` bytes in addition, if
   the limit allows. The bytes in use are copied to the new block. */
static bool md2__reserve_bytes(md2__context *context, md2__buffer *buffer, uint64_t required,
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

    uint8_t *data = (uint8_t *)md2__alloc(context, capacity);
    if (!data) {
        return false;
    }
    if (buffer->size) { /* otherwise there is no old block, and memcpy must not get NULL */
        memcpy(data, buffer->data, buffer->size);
    }
    md2__release(context, buffer->data, buffer->capacity);
    buffer->data = data;
    buffer->capacity = (size_t)capacity;
    return true;
}

/* Returns the next array of a block, aligned to 16 bytes, which suits any type. *total is the size
   of the block so far. If the block is NULL, only adds to the total, so the same code measures a
   block and, once the block is allocated, lays it out. */
static void *md2__place_array(uint8_t *block, uint64_t *total, uint64_t count, uint64_t item_size)
{
    uint64_t offset = (*total + 15) / 16 * 16;

    *total = offset + count * item_size;
    return block ? block + (size_t)offset : NULL;
}

/* -- Equal keys ----------------------------------------------------------- */

#define MD2__NONE UINT32_MAX          /* no index */

typedef struct md2__key_node {
    uint32_t key[3];
    uint32_t branches[2];             /* next nodes if the next bit is 0 or 1; or MD2__NONE */
} md2__key_node;

/* A hash table of keys of three words. A crafted file could put all its keys into one slot, and if
   slots held lists, each lookup would walk past all of the keys. So a slot holds a digital search
   tree (Knuth, volume 3, section 6.3): each node holds a key, and at level n, the search goes left
   or right by bit n of the key it looks for. All keys in a subtree at level n agree in their first
   n bits, so no tree has more than 96 levels, whatever the keys are. */
typedef struct md2__key_table {
    md2__key_node *nodes;             /* in the order of their numbers; has room for all keys */
    uint32_t      *slots;             /* root of the tree of each slot, or MD2__NONE */
    uint32_t       count;
} md2__key_table;

/* Sets an array of indices to MD2__NONE, whose bytes are all 255. */
static void md2__clear_indices(uint32_t *indices, uint64_t count)
{
    memset(indices, 255, (size_t)count * sizeof *indices);
}

/* Hashes a word so that all its bits affect the high bits (Fibonacci hashing). The factor is odd,
   so different words stay different. */
static inline uint32_t md2__spread_bits(uint32_t word)
{
    return word * 0x9e3779b1u;
}

/* Returns the link to the node of a key. If the table does not have the key, the link is MD2__NONE,
   and a new node can be linked there. `slot` is any function of the key. */
static uint32_t *md2__find_key(const md2__key_table *table, uint32_t slot, const uint32_t key[3])
{
    uint32_t *link = &table->slots[slot];

    for (uint32_t level = 0; *link != MD2__NONE; ++level) {
        md2__key_node *node = &table->nodes[*link];
        if (node->key[0] == key[0] && node->key[1] == key[1] && node->key[2] == key[2]) {
            return link;
        }

        /* The keys differ, so `level` is below 96. The high bits are used first. */
        uint32_t bits = md2__spread_bits(key[level / 32]);
        link = &node->branches[bits >> (31 - level % 32) & 1];
    }
    return link;
}

/* Returns the number of a key, and adds the key if it is new. Keys are numbered from 0 in the order
   in which they first appear. */
static uint32_t md2__number_key(md2__key_table *table, uint32_t slot, const uint32_t key[3])
{
    uint32_t *link = md2__find_key(table, slot, key);
    if (*link != MD2__NONE) {
        return *link;
    }

    uint32_t       number = table->count++;
    md2__key_node *added = &table->nodes[number];
    added->key[0] = key[0];
    added->key[1] = key[1];
    added->key[2] = key[2];
    md2__clear_indices(added->branches, 2);
    *link = number;
    return number;
}

/* -- Files ---------------------------------------------------------------- */

/* Reads to the end, into a buffer that doubles when it is full. */
MD2__COLD bool md2__read_stream(md2__context *context, const md2_reader *reader,
                                md2__buffer *buffer)
{
    if (!reader || !reader->read) {
        return md2__fail(context, MD2_ERROR_ARGUMENT, "no reader is given");
    }

    for (;;) {
        /* A full buffer grows to twice its size plus 64 KiB (an empty one counts as full). */
        if (!md2__reserve_bytes(context, buffer, 1, (uint64_t)buffer->size + 65536)) {
            return false;
        }

        size_t available = buffer->capacity - buffer->size;
        size_t bytes_read = reader->read(reader->user, buffer->data + buffer->size, available);
        if (bytes_read == 0) {
            return true;
        }
        if (bytes_read > available) { /* SIZE_MAX, or nonsense from a broken reader */
            return md2__fail_numbers(context, MD2_ERROR_READ, "reading failed after # bytes", NULL,
                                     buffer->size, 0);
        }
        buffer->size += bytes_read;
    }
}

#ifndef MD2_NO_STDIO
#ifdef _WIN32                         /* as in <windows.h> */
__declspec(dllimport) int __stdcall MultiByteToWideChar(unsigned, unsigned long, const char *, int,
                                                        wchar_t *, int);
#endif

/* Opens a file for reading. Paths are UTF-8 everywhere, but Windows needs UTF-16: 65001 is the code
   page of UTF-8, flag 8 rejects malformed text, and -1 means that the text ends at a NUL. */
static FILE *md2__open_utf8_file(const char *path)
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
static bool md2__is_file(void *user, const char *path)
{
    (void)user;
    FILE *file = md2__open_utf8_file(path);
    bool  is_file = file && fgetc(file) != EOF;
    if (file) {
        fclose(file);
    }
    return is_file;
}

static size_t md2__read_stdio_file(void *user, void *dst, size_t size)
{
    FILE  *file = (FILE *)user;
    size_t bytes_read = fread(dst, 1, size, file);
    return bytes_read == 0 && ferror(file) ? (size_t)-1 : bytes_read;
}

MD2__COLD bool md2__read_file(md2__context *context, const char *path, md2__buffer *buffer)
{
    if (!path) {
        return md2__fail(context, MD2_ERROR_ARGUMENT, "no path is given");
    }
    FILE *file = md2__open_utf8_file(path);
    if (!file) {
        return md2__fail_text(context, MD2_ERROR_OPEN, "cannot open $", path);
    }

    /* With the size of the file, the buffer need not grow. But the size is only a hint: a pipe has
       no size, and a folder may report a size that does not fit into memory. One byte more lets the
       last read find the end. */
    long size = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : 0;
    if (size < 0 || (uint64_t)size > context->max_bytes || (uint64_t)size >= SIZE_MAX / 2) {
        size = 0;
    }
    rewind(file);

    md2_reader reader = { md2__read_stdio_file, file };
    bool       ok = md2__reserve_bytes(context, buffer, 1, (uint64_t)size);
    ok = ok && md2__read_stream(context, &reader, buffer);
    fclose(file);

    /* Some systems open a folder like a file, and the first read fails. */
    if (!ok && buffer->size == 0 && context->error.code == MD2_ERROR_READ) {
        md2__fail_text(context, MD2_ERROR_READ, "cannot read $: is it a folder?", path);
    }
    return ok;
}
#else
static bool md2__is_file(void *user, const char *path)
{
    (void)user;
    (void)path;
    return false;
}
#endif

/* -- Time ----------------------------------------------------------------- */

/* A step goes from one frame to the next. For example, an animation of four frames, 0 to 3, has a
   cycle of

   3 steps in MD2_ONCE        0 1 2 3
   4 steps in MD2_LOOP        0 1 2 3, and back to 0
   6 steps in MD2_PING_PONG   0 1 2 3 2 1, and back to 0 */

/* Returns the number of steps in a cycle. last_blends_into_first is false for a loop whose last
   frame repeats the first, as in many MD5 files: no step leads from the last frame to the first. */
static double md2__count_cycle_steps(uint32_t frame_count, md2_mode mode,
                                     bool last_blends_into_first)
{
    double steps = frame_count > 1 ? (double)frame_count - 1 : 0;

    switch (mode) {
    case MD2_LOOP: return last_blends_into_first && frame_count > 0 ? steps + 1 : steps;
    case MD2_PING_PONG: return 2 * steps;
    default: return steps;
    }
}

/* Returns the number of steps after some seconds at `rate` frames a second. This is any number in a
   mode that repeats its cycle, and 0 to cycle_steps in MD2_ONCE, even for an infinite time. Returns
   0 for NaN. */
static double md2__count_steps(double seconds, double rate, double cycle_steps, md2_mode mode)
{
    double steps = seconds * rate;
    bool   repeats = mode == MD2_LOOP || mode == MD2_PING_PONG;

    if (repeats) {
        return md2__is_finite(steps) ? steps : 0;
    }

    /* A caller that asks for the end, at cycle_steps / rate seconds, must get the end. Because of
       rounding, this quotient times the rate may be slightly less than cycle_steps, even in the
       longer registers of an x87. */
    if (steps >= cycle_steps * (1 - 2 * DBL_EPSILON)) {
        return cycle_steps;
    }
    return steps > 0 ? steps : 0;
}

/* Converts a result of md2__count_steps to a position in frames, counted from the first frame of
   the animation: 2.25 is a quarter of the step from frame 2 to frame 3. */
MD2__NOINLINE double md2__compute_frame_position(double steps, double cycle_steps, md2_mode mode)
{
    bool repeats = mode == MD2_LOOP || mode == MD2_PING_PONG;
    if (!repeats) {
        return steps;
    }
    if (!(cycle_steps > 0)) {
        return 0; /* a single frame has no steps */
    }

    /* Take the steps since the last whole cycle. Before the start, steps are negative, and floor
       subtracts a cycle more. Rounding may return cycle_steps itself, or a little less than 0: both
       are the start of a cycle. */
    double position = steps - cycle_steps * md2__floor(steps / cycle_steps);
    if (!(position >= 0 && position < cycle_steps)) {
        position = 0;
    }

    /* The second half of a ping-pong cycle goes backward. */
    if (mode == MD2_PING_PONG && position > cycle_steps / 2) {
        return cycle_steps - position;
    }
    return position;
}
/* [/twin: common] */

/* -- Errors and bytes ------------------------------------------------------ */

static const char md2__result_names[MD2_ERROR_GL + 1][24] = {
    "MD2_OK", "MD2_ERROR_ARGUMENT", "MD2_ERROR_OPEN", "MD2_ERROR_READ", "MD2_ERROR_MEMORY",
    "MD2_ERROR_LIMIT", "MD2_ERROR_NOT_MD2", "MD2_ERROR_VERSION", "MD2_ERROR_TRUNCATED",
    "MD2_ERROR_CORRUPT", "MD2_ERROR_GL"
};

MD2_API const char *md2_result_name(md2_result result)
{
    return (unsigned)result <= MD2_ERROR_GL ? md2__result_names[result] : "MD2_ERROR_UNKNOWN";
}

MD2_API uint32_t md2_library_version(void)
{
    return MD2_LIBRARY_VERSION;
}

/* Stores an error like md2__fail_numbers, with the byte of the file where it was found. */
MD2__COLD bool md2__fail_at(md2__context *context, md2_result code, size_t offset,
                            const char *format, const char *text, uint64_t number,
                            uint64_t next_number)
{
    context->error.offset = offset;
    return md2__fail_numbers(context, code, format, text, number, next_number);
}

/* Numbers in an MD2 are little-endian, and may have any alignment. */
static uint32_t md2__read_u16(const uint8_t *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8;
}

static uint32_t md2__read_u32(const uint8_t *p)
{
    return md2__read_u16(p) | md2__read_u16(p + 2) << 16;
}

static float md2__read_f32(const uint8_t *p)
{
    uint32_t bits = md2__read_u32(p);
    float    value;

    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Converts a texture coordinate: a signed number of 16 bits, in texels. Flipping the sign bit adds
   0x8000, so the subtraction gives -0x8000 to 0x7fff without a conversion that C leaves to the
   implementation. */
static float md2__decode_texcoord(uint32_t bits)
{
    return (float)((int32_t)(bits ^ 0x8000u) - 0x8000);
}

/* Returns the length of a name in a field of `size` bytes. A name that fills its field has no
   NUL. */
static size_t md2__find_name_length(const char *name, size_t size)
{
    size_t length = 0;
    while (length < size && name[length]) {
        ++length;
    }
    return length;
}

/* Copies a name from a field of `size` bytes, without the junk that may follow its NUL. Writes size
   + 1 bytes, so that a name that fills its field also gets a NUL. */
static void md2__copy_name_field(char *out, const uint8_t *name, size_t size)
{
    memset(out, 0, size + 1);
    memcpy(out, name, md2__find_name_length((const char *)name, size));
}

/* -- Normals table --------------------------------------------------------- */

enum { MD2__NORMAL_COUNT = 162 };

#define MD2__TEN_UP {0, 0, 1}, {0, 0, 1}, {0, 0, 1}, {0, 0, 1}, {0, 0, 1}, \
                    {0, 0, 1}, {0, 0, 1}, {0, 0, 1}, {0, 0, 1}, {0, 0, 1}

/* Quake's 162 directions, in id's order: the corners of an icosahedron whose edges are divided into
   four. Only broken files have indices from 162 on. The normals of these indices point straight up,
   so that any byte is a valid index. A normal has four floats because four are loaded as one
   vector. */
static const float md2__normals[256][4] = {
    {-.525731f, 0, .850651f}, {-.442863f, .238856f, .864188f}, {-.295242f, 0, .955423f},
    {-.309017f, .5f, .809017f}, {-.16246f, .262866f, .951056f}, {0, 0, 1},
    {0, .850651f, .525731f}, {-.147621f, .716567f, .681718f}, {.147621f, .716567f, .681718f},
    {0, .525731f, .850651f}, {.309017f, .5f, .809017f}, {.525731f, 0, .850651f},
    {.295242f, 0, .955423f}, {.442863f, .238856f, .864188f}, {.16246f, .262866f, .951056f},
    {-.681718f, .147621f, .716567f}, {-.809017f, .309017f, .5f}, {-.587785f, .425325f, .688191f},
    {-.850651f, .525731f, 0}, {-.864188f, .442863f, .238856f}, {-.716567f, .681718f, .147621f},
    {-.688191f, .587785f, .425325f}, {-.5f, .809017f, .309017f}, {-.238856f, .864188f, .442863f},
    {-.425325f, .688191f, .587785f}, {-.716567f, .681718f, -.147621f}, {-.5f, .809017f, -.309017f},
    {-.525731f, .850651f, 0}, {0, .850651f, -.525731f}, {-.238856f, .864188f, -.442863f},
    {0, .955423f, -.295242f}, {-.262866f, .951056f, -.16246f}, {0, 1, 0},
    {0, .955423f, .295242f}, {-.262866f, .951056f, .16246f}, {.238856f, .864188f, .442863f},
    {.262866f, .951056f, .16246f}, {.5f, .809017f, .309017f}, {.238856f, .864188f, -.442863f},
    {.262866f, .951056f, -.16246f}, {.5f, .809017f, -.309017f}, {.850651f, .525731f, 0},
    {.716567f, .681718f, .147621f}, {.716567f, .681718f, -.147621f}, {.525731f, .850651f, 0},
    {.425325f, .688191f, .587785f}, {.864188f, .442863f, .238856f}, {.688191f, .587785f, .425325f},
    {.809017f, .309017f, .5f}, {.681718f, .147621f, .716567f}, {.587785f, .425325f, .688191f},
    {.955423f, .295242f, 0}, {1, 0, 0}, {.951056f, .16246f, .262866f},
    {.850651f, -.525731f, 0}, {.955423f, -.295242f, 0}, {.864188f, -.442863f, .238856f},
    {.951056f, -.16246f, .262866f}, {.809017f, -.309017f, .5f}, {.681718f, -.147621f, .716567f},
    {.850651f, 0, .525731f}, {.864188f, .442863f, -.238856f}, {.809017f, .309017f, -.5f},
    {.951056f, .16246f, -.262866f}, {.525731f, 0, -.850651f}, {.681718f, .147621f, -.716567f},
    {.681718f, -.147621f, -.716567f}, {.850651f, 0, -.525731f}, {.809017f, -.309017f, -.5f},
    {.864188f, -.442863f, -.238856f}, {.951056f, -.16246f, -.262866f},
    {.147621f, .716567f, -.681718f}, {.309017f, .5f, -.809017f}, {.425325f, .688191f, -.587785f},
    {.442863f, .238856f, -.864188f}, {.587785f, .425325f, -.688191f},
    {.688191f, .587785f, -.425325f}, {-.147621f, .716567f, -.681718f}, {-.309017f, .5f, -.809017f},
    {0, .525731f, -.850651f}, {-.525731f, 0, -.850651f}, {-.442863f, .238856f, -.864188f},
    {-.295242f, 0, -.955423f}, {-.16246f, .262866f, -.951056f}, {0, 0, -1},
    {.295242f, 0, -.955423f}, {.16246f, .262866f, -.951056f}, {-.442863f, -.238856f, -.864188f},
    {-.309017f, -.5f, -.809017f}, {-.16246f, -.262866f, -.951056f}, {0, -.850651f, -.525731f},
    {-.147621f, -.716567f, -.681718f}, {.147621f, -.716567f, -.681718f}, {0, -.525731f, -.850651f},
    {.309017f, -.5f, -.809017f}, {.442863f, -.238856f, -.864188f}, {.16246f, -.262866f, -.951056f},
    {.238856f, -.864188f, -.442863f}, {.5f, -.809017f, -.309017f}, {.425325f, -.688191f, -.587785f},
    {.716567f, -.681718f, -.147621f}, {.688191f, -.587785f, -.425325f},
    {.587785f, -.425325f, -.688191f}, {0, -.955423f, -.295242f}, {0, -1, 0},
    {.262866f, -.951056f, -.16246f}, {0, -.850651f, .525731f}, {0, -.955423f, .295242f},
    {.238856f, -.864188f, .442863f}, {.262866f, -.951056f, .16246f}, {.5f, -.809017f, .309017f},
    {.716567f, -.681718f, .147621f}, {.525731f, -.850651f, 0}, {-.238856f, -.864188f, -.442863f},
    {-.5f, -.809017f, -.309017f}, {-.262866f, -.951056f, -.16246f}, {-.850651f, -.525731f, 0},
    {-.716567f, -.681718f, -.147621f}, {-.716567f, -.681718f, .147621f}, {-.525731f, -.850651f, 0},
    {-.5f, -.809017f, .309017f}, {-.238856f, -.864188f, .442863f}, {-.262866f, -.951056f, .16246f},
    {-.864188f, -.442863f, .238856f}, {-.809017f, -.309017f, .5f}, {-.688191f, -.587785f, .425325f},
    {-.681718f, -.147621f, .716567f}, {-.442863f, -.238856f, .864188f},
    {-.587785f, -.425325f, .688191f}, {-.309017f, -.5f, .809017f}, {-.147621f, -.716567f, .681718f},
    {-.425325f, -.688191f, .587785f}, {-.16246f, -.262866f, .951056f},
    {.442863f, -.238856f, .864188f}, {.16246f, -.262866f, .951056f}, {.309017f, -.5f, .809017f},
    {.147621f, -.716567f, .681718f}, {0, -.525731f, .850651f}, {.425325f, -.688191f, .587785f},
    {.587785f, -.425325f, .688191f}, {.688191f, -.587785f, .425325f}, {-.955423f, .295242f, 0},
    {-.951056f, .16246f, .262866f}, {-1, 0, 0}, {-.850651f, 0, .525731f},
    {-.955423f, -.295242f, 0}, {-.951056f, -.16246f, .262866f}, {-.864188f, .442863f, -.238856f},
    {-.951056f, .16246f, -.262866f}, {-.809017f, .309017f, -.5f}, {-.864188f, -.442863f, -.238856f},
    {-.951056f, -.16246f, -.262866f}, {-.809017f, -.309017f, -.5f},
    {-.681718f, .147621f, -.716567f}, {-.681718f, -.147621f, -.716567f}, {-.850651f, 0, -.525731f},
    {-.688191f, .587785f, -.425325f}, {-.587785f, .425325f, -.688191f},
    {-.425325f, .688191f, -.587785f}, {-.425325f, -.688191f, -.587785f},
    {-.587785f, -.425325f, -.688191f}, {-.688191f, -.587785f, -.425325f},
    MD2__TEN_UP, MD2__TEN_UP, MD2__TEN_UP, MD2__TEN_UP, MD2__TEN_UP, MD2__TEN_UP, MD2__TEN_UP,
    MD2__TEN_UP, MD2__TEN_UP, {0, 0, 1}, {0, 0, 1}, {0, 0, 1}, {0, 0, 1}
};

MD2_API const float *md2_normal(uint32_t index)
{
    return md2__normals[index < 256 ? index : 255];
}

/* -- Points ---------------------------------------------------------------- */

typedef struct md2__point_bounds {    /* minimum and maximum of some points, as stored */
    md2_point low, high;
} md2__point_bounds;

#if defined(MD2__SSE2)
  #define MD2__SIMD

/* Loads x, y, z and the index of the normal as floats. */
static inline md2__f4 md2__f4_load_point(const md2_point *point)
{
    int bits;
    memcpy(&bits, point, sizeof bits);

    /* Interleave with zeros: first 8 bits become 16, then 16 become 32. */
    __m128i zero = _mm_setzero_si128();
    __m128i words = _mm_unpacklo_epi8(_mm_cvtsi32_si128(bits), zero);
    return _mm_cvtepi32_ps(_mm_unpacklo_epi16(words, zero));
}

static inline bool md2__f4_all_greater(md2__f4 a, md2__f4 b)
{
    return _mm_movemask_ps(_mm_cmpgt_ps(a, b)) == 15;
}

/* Four points, 16 bytes. A shift drops the first one or two points; the bytes shifted in at the end
   are never used. */
typedef __m128i md2__p4;

static inline md2__p4 md2__p4_load(const void *p) { return _mm_loadu_si128((const __m128i *)p); }
static inline md2__p4 md2__p4_min(md2__p4 a, md2__p4 b) { return _mm_min_epu8(a, b); }
static inline md2__p4 md2__p4_max(md2__p4 a, md2__p4 b) { return _mm_max_epu8(a, b); }
static inline md2__p4 md2__p4_shift_two(md2__p4 a) { return _mm_srli_si128(a, 8); }
static inline md2__p4 md2__p4_shift_one(md2__p4 a) { return _mm_srli_si128(a, 4); }
static inline int md2__p4_first(md2__p4 a) { return _mm_cvtsi128_si32(a); }
#elif defined(MD2__NEON)
  #define MD2__SIMD

static inline md2__f4 md2__f4_load_point(const md2_point *point)
{
    uint32_t bits;
    memcpy(&bits, point, sizeof bits);

    return vcvtq_f32_u32(vmovl_u16(vget_low_u16(vmovl_u8(vcreate_u8(bits)))));
}

static inline bool md2__f4_all_greater(md2__f4 a, md2__f4 b)
{
    return vminvq_u32(vcgtq_f32(a, b)) != 0;
}

typedef uint8x16_t md2__p4;

static inline md2__p4 md2__p4_load(const void *p) { return vld1q_u8((const uint8_t *)p); }
static inline md2__p4 md2__p4_min(md2__p4 a, md2__p4 b) { return vminq_u8(a, b); }
static inline md2__p4 md2__p4_max(md2__p4 a, md2__p4 b) { return vmaxq_u8(a, b); }
static inline md2__p4 md2__p4_shift_two(md2__p4 a) { return vextq_u8(a, a, 8); }
static inline md2__p4 md2__p4_shift_one(md2__p4 a) { return vextq_u8(a, a, 4); }
static inline int md2__p4_first(md2__p4 a) { return vgetq_lane_s32(vreinterpretq_s32_u8(a), 0); }
#else
static inline md2__f4 md2__f4_load_point(const md2_point *point)
{
    return md2__f4_make((float)point->x, (float)point->y, (float)point->z, (float)point->normal);
}

static inline bool md2__f4_all_greater(md2__f4 a, md2__f4 b)
{
    return a.x > b.x && a.y > b.y && a.z > b.z && a.w > b.w;
}
#endif

/* -- Vectors and their nearest normals ------------------------------------- */

MD2__NOINLINE void md2__vec3_cross(const float a[3], const float b[3], float out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static float md2__absolute(float x)
{
    return x > -x ? x : -x;
}

/* Returns the index of the table's normal that is nearest to a direction of any length: the normal
   with the largest dot product, or the first of several. */
static uint8_t md2__find_nearest_normal(const float direction[3])
{
    float  largest = -FLT_MAX;
    size_t nearest = 0;

    for (size_t i = 0; i < MD2__NORMAL_COUNT; ++i) {
        float product = md2__vec3_dot(md2__normals[i], direction);
        if (product > largest) {
            largest = product;
            nearest = i;
        }
    }
    return (uint8_t)nearest;
}

/* Returns a number from 0 to 639 that is different for each normal of the table (a perfect hash).
   The factors were found by trial. */
static size_t md2__hash_normal(float x, float y, float z)
{
    return (size_t)(int)(x * 273 - y * 20 + z * 113 + 320.5f);
}

/* Maps the index of each normal to the index of the opposite normal (sign -1, rotation 0), or to
   the index of the normal with Y up, which is (y, z, x) for (x, y, z) (sign 1, rotation 1). Both
   are in the table, because it contains each of its normals with all signs and in all rotations. */
static void md2__map_normals(float sign, size_t rotation, uint8_t map[256])
{
    uint8_t indices[640];
    for (size_t i = 0; i < MD2__NORMAL_COUNT; ++i) {
        const float *n = md2__normals[i];
        indices[md2__hash_normal(n[0], n[1], n[2])] = (uint8_t)i;
    }

    for (size_t i = 0; i < 256; ++i) {
        float x = sign * md2__normals[i][rotation];
        float y = sign * md2__normals[i][(1 + rotation) % 3];
        float z = sign * md2__normals[i][(2 + rotation) % 3];
        map[i] = indices[md2__hash_normal(x, y, z)];
    }
}

/* -- Animations by name ---------------------------------------------------- */

/* Five rules turn the names of frames into animations. Case is ignored.

   1. A name is a base and a number: "run3" is "run" and 3. Separators and brackets around the
   number, a file extension after it, and a number before the base are ignored: "pain 301", "Walk
   (2)", "attak1_07.lwo", "038man_stand38". If nothing is left for the base, it is "anim".

   2. Consecutive frames with the same base are a run if their numbers

       stay the same, or are missing
       count up, or skip numbers of the same hundred     wave03 wave06
       count down; but the first step down to 0, 1,      pain204 pain203
       100, 101, 200, ... starts a new run
       lost their first digits                           pain302 pain03
       lost their last digit, because the field of       shotgun_crstnd9 shotgun_crstnd1
       the file cuts off a long name

   3. A run is an animation, with two exceptions. A cycle that was saved from its middle is one
   animation (stand30 to stand50, then stand1 to stand29). A run that was interrupted by a few
   frames of another name is also one animation, if its numbers also count those frames (body73,
   then female0 to female6, then body81).

   4. The base becomes the name of the animation, followed by a number if the frames count from a
   multiple of a hundred or a thousand, or from the number after it: pain301 to pain304 are "pain3".
   If several animations have the same name, the longest keeps it, and the others become "run#2",
   "run#3" and so on.

   5. Quake II never reads frame names. It has a table of 20 animations for all player models, and
   uses the first 16 for the player's weapon. So a model with as many frames as a player or its
   weapon gets the animations of the table, unless most of its names start animations at other
   frames. A model with more frames than any player gets the table only if its names agree. A single
   frame before the table may be a reference pose. Each animation begins at the frame in the table,
   or at a frame up to three away if the names start an animation there. */

typedef struct md2__name_list {
    const char *const *texts;         /* [count] names, each of which may be NULL; or NULL */
    const char        *fields;        /* if texts is NULL: first name, 16 bytes */
    size_t             stride;        /* if texts is NULL: bytes from name to name */
    uint32_t           count;         /* number of frames */
} md2__name_list;

/* -- Animations by name: rule 1, names -------------------------------------- */

typedef struct md2__frame_name {
    const char *base;                 /* not terminated */
    uint32_t    base_length;          /* at least 1; 0 for the frame after the last */
    uint32_t    number;               /* 0 if the name has none */
    bool        has_number;
    bool        fills_field;          /* fills the field of the file: digits may be cut off */
} md2__frame_name;

static bool md2__is_white_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static bool md2__is_name_separator(char c)
{
    return c == '_' || c == '-' || c == '.' || c == '#' || c == '(' || c == ' ';
}

/* Skips a number at the beginning, which some exporters add to sort the frames: "007stand07",
   "038man_stand38". If nothing follows the number, it is not skipped. */
static const char *md2__skip_leading_number(const char *begin, const char *end)
{
    if (begin == end || !md2__is_digit(*begin)) {
        return begin;
    }

    const char *rest = begin;
    while (rest < end && (md2__is_digit(*rest) || md2__is_name_separator(*rest) || *rest == ')')) {
        ++rest;
    }
    return rest < end ? rest : begin;
}

/* Returns the end of a name without its file extension, if the extension follows a number or its
   bracket. Some exporters name frames after files: "run1.bmp", "attak1_07.lwo". */
static const char *md2__trim_extension(const char *begin, const char *end)
{
    const char *extension = end; /* after the last dot */
    while (extension > begin && extension[-1] != '.') {
        --extension;
    }
    if (extension - begin < 2 || (!md2__is_digit(extension[-2]) && extension[-2] != ')')) {
        return end;
    }

    /* The extension may be cut off by the field of the file, even to nothing. Digits after the dot
       are a number, as in "run1.001". */
    bool is_short = end - extension <= 3;
    bool is_number = extension < end && md2__is_digit(*extension) && md2__is_digit(end[-1]);
    return is_short && !is_number ? extension - 1 : end;
}

/* Returns the end of a name without its number and the separators before the number. If there are
   more than nine digits, only the last nine are the number, so that number + 1 also fits in 32
   bits. */
static const char *md2__trim_trailing_number(const char *begin, const char *end, uint32_t *number)
{
    *number = 0;
    for (uint32_t place_value = 1;
         end > begin && md2__is_digit(end[-1]) && place_value < 1000000000; place_value *= 10) {
        --end;
        *number += (uint32_t)(*end - '0') * place_value;
    }

    while (end > begin && md2__is_name_separator(end[-1])) {
        --end;
    }
    return end;
}

static md2__frame_name md2__parse_frame_name(const char *text, size_t length)
{
    md2__frame_name name;
    const char     *begin = text, *end = text + length;
    while (begin < end && md2__is_white_space(*begin)) {
        ++begin;
    }
    while (end > begin && md2__is_white_space(end[-1])) {
        --end;
    }

    begin = md2__skip_leading_number(begin, end);
    end = md2__trim_extension(begin, end);
    if (end - begin >= 2 && end[-1] == ')' && md2__is_digit(end[-2])) {
        --end;
    }

    name.has_number = end > begin && md2__is_digit(end[-1]);
    end = md2__trim_trailing_number(begin, end, &name.number);
    name.base = end > begin ? begin : "anim";
    name.base_length = end > begin ? (uint32_t)(end - begin) : 4;

    /* A field has 16 bytes, and the last may be a NUL. Longer names do not come from a file. */
    name.fills_field = length == 15 || length == 16;
    return name;
}

/* Returns the name of a frame; an empty one for the frame after the last. */
static md2__frame_name md2__read_frame_name(const md2__name_list *names, uint32_t frame)
{
    if (frame == names->count) {
        md2__frame_name none = { NULL, 0, 0, false, false };
        return none;
    }
    if (names->texts) {
        const char *text = names->texts[frame] ? names->texts[frame] : "";
        return md2__parse_frame_name(text, strlen(text));
    }

    const char *field = names->fields + frame * names->stride; /* may have no NUL */
    return md2__parse_frame_name(field, md2__find_name_length(field, 16));
}

/* -- Animations by name: rule 2, runs --------------------------------------- */

typedef struct md2__name_run {
    uint32_t        begin, end;       /* frames [begin, end); empty after the last frame */
    md2__frame_name first, last;      /* names of the first and the last frame */
    bool            falls;            /* the last number is lower than the previous number */
} md2__name_run;

/* Returns true if two names have the same base, ignoring case. */
static bool md2__has_same_base(const md2__frame_name *a, const md2__frame_name *b)
{
    if (a->base_length != b->base_length) {
        return false;
    }
    for (uint32_t i = 0; i < a->base_length; ++i) {
        if (md2__to_lower(a->base[i]) != md2__to_lower(b->base[i])) {
            return false;
        }
    }
    return true;
}

/* Returns the number of `next` with the digits that its name has lost. `previous` is the name
   before it, with the same base. Only a number lower than the previous number can have lost
   digits. */
static uint32_t md2__restore_number(const md2__frame_name *previous, const md2__frame_name *next)
{
    uint32_t number = next->number;
    uint32_t expected = previous->number + 1;
    if (number >= previous->number) {
        return number;
    }

    /* The first digits may be lost: pain03 after pain302 is 303. But 0 and 1 start a new run. */
    if (number > 1 && number == expected % 100) {
        return expected;
    }

    /* The end of the field may cut off the last digit: shotgun_crstnd1 after shotgun_crstnd9 is
       10. */
    if (next->fills_field && number == expected / 10) {
        return expected;
    }
    return number;
}

/* Returns true if a frame continues the run before it. The frame has the same base, and the lost
   digits of its number are restored. */
static bool md2__continues_run(const md2__name_run *run, const md2__frame_name *next)
{
    uint32_t previous = run->last.number;
    if (!next->has_number) {
        return true;
    }

    /* Numbers of the same hundred may be skipped: wave03 wave06. */
    if (next->number >= previous) {
        return next->number <= previous + 1 || next->number / 100 == previous / 100;
    }

    /* Numbers may count down: pain204 pain203. But run0 after run1 starts a new run. */
    bool counts_down = next->number + 1 == previous;
    bool starts_again = next->number % 100 <= 1 && !run->falls;
    return counts_down && !starts_again;
}

/* Returns the run that begins at a frame; an empty run after the last frame. */
static md2__name_run md2__read_run(const md2__name_list *names, uint32_t begin)
{
    md2__name_run run;
    run.begin = begin;
    run.end = begin;
    run.first = md2__read_frame_name(names, begin);
    run.last = run.first;
    run.falls = false;

    while (run.end < names->count) {
        run.end += 1;
        md2__frame_name next = md2__read_frame_name(names, run.end);
        if (!md2__has_same_base(&run.last, &next)) {
            break;
        }
        next.number = md2__restore_number(&run.last, &next);
        if (!md2__continues_run(&run, &next)) {
            break;
        }
        run.falls = next.number < run.last.number;
        run.last = next;
    }
    return run;
}

/* -- Animations by name: rules 3 and 4, animations and their names ---------- */

/* Returns true if `next` is the first part of a cycle that was saved from its middle. Two of Quake
   II's own models do this: boss2 has stand30 to stand50, then stand1 to stand29; insane has walk27
   to walk39, then walk1 to walk26. */
static bool md2__completes_cycle(const md2__name_run *run, const md2__name_run *next)
{
    /* A completed cycle ends below its first number, so nothing can complete it again. */
    bool run_begins_later = run->first.number > 1 && run->first.number <= run->last.number;
    bool next_begins_first = next->first.number <= 1;
    bool next_ends_before_run = next->last.number + 1 == run->first.number;
    return run_begins_later && next_begins_first && next_ends_before_run &&
           md2__has_same_base(&run->last, &next->first);
}

/* Returns true if `next`, a few frames of another name, only interrupts a run, which continues with
   the frame `after` them. The numbers of the run also count the frames of `next`. For example,
   `run` ends with body73, `next` is female0 to female6, and `after` is body81. */
static bool md2__resumes_after(const md2__name_run *run, const md2__name_run *next,
                               const md2__frame_name *after)
{
    uint32_t next_count = next->end - next->begin;

    /* If the file numbers all its frames in sequence, the next run is another animation: run41
       after stand40. */
    bool continues_numbers = next->first.number == run->last.number + 1;
    return !continues_numbers && after->number == run->last.number + 1 + next_count &&
           md2__has_same_base(&run->last, after);
}

/* Returns the number in the name of an animation: 3 for pain301 to pain304; 0 for none. */
static uint32_t md2__find_anim_number(const md2__name_run *run)
{
    uint32_t first = run->first.number, last = run->last.number;

    /* pain301 to pain304 count from a hundred, plus 0 or 1, and pain3001 to pain3004 from a
       thousand. The numbers must stay below the next hundred or thousand, unlike the numbers of
       walk100 to walk249. */
    uint32_t unit = first >= 1000 && first % 1000 <= 1 ? 1000 : 100;
    bool     begins_unit = first % unit <= 1;
    bool     stays_in_unit = first <= last && first / unit == last / unit;
    return begins_unit && stays_in_unit ? first / unit : 0;
}

/* Writes the base and the number of an animation, such as "pain" and "3". `name` is all zero. At
   most 16 of its 28 characters are written, because "#4294967295" and a NUL need 12. */
MD2__COLD void md2__write_anim_name(char *name, const md2__name_run *run)
{
    char     digits[12] = "";
    uint32_t number = md2__find_anim_number(run);
    size_t   digit_count = number ? md2__append_number(digits, 0, sizeof digits, number) : 0;

    size_t room = 16 - digit_count;
    size_t length = run->first.base_length < room ? run->first.base_length : room;
    memcpy(name, run->first.base, length);
    memcpy(name + length, digits, digit_count);
}

/* Returns the animation that begins with the non-empty run `next`, and sets `next` to the run after
   the animation. The caller sets the frame rate. */
static md2_anim md2__read_anim(const md2__name_list *names, md2__name_run *next)
{
    md2__name_run run = *next;
    md2_anim      anim = { 0, 0, 0, "" };

    for (;;) {
        *next = md2__read_run(names, run.end);
        if (!md2__completes_cycle(&run, next)) {
            /* The next run may be a few other frames, after which this run continues. */
            md2__frame_name after = md2__read_frame_name(names, next->end);
            if (!md2__resumes_after(&run, next, &after)) {
                break;
            }
            *next = md2__read_run(names, next->end);
        }
        run.end = next->end;
        run.last = next->last;
    }

    anim.first = run.begin;
    anim.count = run.end - run.begin;
    md2__write_anim_name(anim.name, &run);
    return anim;
}

static void md2__append_duplicate_number(md2_anim *anim, uint32_t number)
{
    size_t length = md2__append_text(anim->name, strlen(anim->name), sizeof anim->name, "#");
    md2__append_number(anim->name, length, sizeof anim->name, number);
}

/* Renames the animations after anims[index] that have the same name to "run#2", "run#3" and so on.
   The longest animation keeps the name; of equally long ones, the first. */
static void md2__number_equal_names(md2_anim *anims, uint32_t count, uint32_t index)
{
    md2_anim *longest = &anims[index];
    uint32_t  number = 1;

    for (uint32_t i = index + 1; i < count; ++i) {
        md2_anim *shorter = &anims[i];
        if (!md2__equals_ignoring_case(longest->name, shorter->name)) {
            continue;
        }

        if (shorter->count > longest->count) {
            md2_anim *longer = shorter;
            shorter = longest;
            longest = longer;
        }
        ++number;
        md2__append_duplicate_number(shorter, number);
    }
}

/* Makes all names different. In a crafted file, comparing all pairs would take too long. Real
   models have fewer than 512 animations, so the animations after the first 512 just get their
   position as a number: "run#513". */
static void md2__number_duplicate_names(md2_anim *anims, uint32_t count)
{
    uint32_t compared_count = count < 512 ? count : 512;
    for (uint32_t i = 0; i < compared_count; ++i) {
        md2__number_equal_names(anims, compared_count, i);
    }
    for (uint32_t i = compared_count; i < count; ++i) {
        md2__append_duplicate_number(&anims[i], i + 1);
    }
}

/* -- Animations by name: rule 5, players ------------------------------------ */

enum {
    MD2__TABLE_ANIM_COUNT = 20,
    MD2__TABLE_FRAME_COUNT = 198,
    MD2__WEAPON_FRAME_COUNT = 173,    /* a player's weapon: no crdeath, no deaths */
    MD2__MIN_TABLE_MATCHES = 7,       /* a third of the animations of a player */
    MD2__MAX_CUT_SHIFT = 3,           /* frames; less than the shortest animation in the table */
    MD2__MAX_PLAYER_FRAMES = 256      /* a longer model is a player only if its names agree */
};

/* The first frames of the animations of a player in Quake II. */
static const struct { uint8_t first; char name[8]; } md2__quake2_anims[MD2__TABLE_ANIM_COUNT] = {
    { 0, "stand" },    { 40, "run" },     { 46, "attack" },  { 54, "pain1" },    { 58, "pain2" },
    { 62, "pain3" },   { 66, "jump" },    { 72, "flip" },    { 84, "salute" },   { 95, "taunt" },
    { 112, "wave" },   { 123, "point" },  { 135, "crstnd" }, { 154, "crwalk" },  { 160, "crattak" },
    { 169, "crpain" }, { 173, "crdeath" }, { 178, "death1" }, { 184, "death2" }, { 190, "death3" }
};

/* Quake II's table of animations, placed over the frames [first, first + count) of a model. A cut
   is a frame where the names start an animation. */
typedef struct md2__quake2_table {
    uint32_t first, count;            /* count is 0 if the model is not a player */
    uint32_t max_count;               /* frames to the end of the model, at most count + 3 */
    uint32_t anim_count;              /* number of the table's animations that begin in the range */
    uint32_t begins[MD2__TABLE_ANIM_COUNT + 1]; /* first frames; then the end of the last */
    uint32_t matches;                 /* animations that begin at a cut */
    uint32_t long_cuts;               /* cuts between two animations of several frames each */
    bool     is_cut[MD2__TABLE_FRAME_COUNT + MD2__MAX_CUT_SHIFT + 1]; /* [frame - first] */
} md2__quake2_table;

/* Puts the animations where the table has them, and counts those that begin at a cut. */
static void md2__plan_table_anims(md2__quake2_table *table)
{
    uint32_t i = 0;
    for (; i < MD2__TABLE_ANIM_COUNT && md2__quake2_anims[i].first < table->count; ++i) {
        table->begins[i] = md2__quake2_anims[i].first;
        if (table->is_cut[table->begins[i]]) {
            table->matches += 1;
        }
    }
    table->begins[i] = table->count;
    table->anim_count = i;
}

/* Places the table over `count` frames from `first` on, without moving its animations. */
static md2__quake2_table md2__place_table(const md2__name_list *names, uint32_t first,
                                          uint32_t count)
{
    md2__quake2_table table;
    memset(&table, 0, sizeof table);
    table.first = first;
    table.count = count;

    /* The last animation may end up to three frames later than in the table. */
    md2__name_list range = *names;
    if (range.count > first + count + MD2__MAX_CUT_SHIFT) {
        range.count = first + count + MD2__MAX_CUT_SHIFT;
    }
    table.max_count = range.count - first;

    md2__name_run run = md2__read_run(&range, first);
    uint32_t      previous_count = md2__read_anim(&range, &run).count;
    while (run.begin < range.count) {
        md2_anim anim = md2__read_anim(&range, &run);
        uint32_t cut = anim.first - first;
        table.is_cut[cut] = true;
        if (cut < count && previous_count > 1 && anim.count > 1) {
            table.long_cuts += 1;
        }
        previous_count = anim.count;
    }

    /* The end of the model also counts as a cut, if the last animation happens to end there. */
    if (range.count == names->count) {
        table.is_cut[table.max_count] = true;
    }
    md2__plan_table_anims(&table);
    return table;
}

/* Returns the first cut after `previous`, the beginning of the previous animation, if the cut is
   within three frames of `planned` and is not the end of the model. Otherwise returns
   `expected`. */
static uint32_t md2__find_near_cut(const md2__quake2_table *table, uint32_t previous,
                                   uint32_t planned, uint32_t expected)
{
    uint32_t cut = previous + 1;
    while (cut < planned + MD2__MAX_CUT_SHIFT && !table->is_cut[cut]) {
        ++cut;
    }

    bool is_near = table->is_cut[cut] && cut + MD2__MAX_CUT_SHIFT >= planned;
    return is_near && cut < table->max_count ? cut : expected;
}

/* Moves the animations of the table to cuts, by up to three frames. In many models, an animation
   has a frame more or less than in Quake II, and the names show which. For example, if a run has
   seven frames instead of six:

                   stand   run   attack   pain1   pain2   pain3   jump
      planned          0    40       46      54      58      62     66
      cuts             0    40       47      55       -       -     67
      begins           0    40       47      55      59      63     67

   An animation without a cut nearby (pain2 and pain3 above, if the names are pain1 to pain12) moves
   as far as the animation before it, so that the animation before it keeps the length that it has
   in the table. Counts the matches again: an animation matches if there is a cut where the table
   begins it, or where it would begin after the earlier animations have moved. */
static void md2__move_table_anims(md2__quake2_table *table)
{
    uint32_t planned_before = 0;
    table->matches = 0;

    for (uint32_t i = 1; i <= table->anim_count; ++i) {
        uint32_t previous = table->begins[i - 1];
        uint32_t planned = table->begins[i];
        uint32_t expected = previous + (planned - planned_before); /* from the table's length */

        bool is_expected = table->is_cut[expected];
        bool is_planned = table->is_cut[planned];
        if ((is_expected || is_planned) && i < table->anim_count) {
            table->matches += 1;
        }

        if (is_expected) {
            table->begins[i] = expected;
        } else if (!is_planned) {
            table->begins[i] = md2__find_near_cut(table, previous, planned, expected);
        }
        planned_before = planned;
    }

    uint32_t *end = &table->begins[table->anim_count];
    if (*end > table->max_count) {
        *end = table->max_count;
    }
    table->count = *end;
}

/* Returns how many frames the table names in a model of `name_count` frames. */
static uint32_t md2__count_table_frames(uint32_t name_count, uint32_t flags)
{
    if (name_count >= MD2__TABLE_FRAME_COUNT) {
        return MD2__TABLE_FRAME_COUNT;
    }
    if (flags & MD2_QUAKE2_ANIMS) {
        return name_count;
    }

    /* This is a player's weapon. Some exporters add a frame or two. */
    if (name_count >= MD2__WEAPON_FRAME_COUNT && name_count <= MD2__WEAPON_FRAME_COUNT + 2) {
        return MD2__WEAPON_FRAME_COUNT;
    }
    return 0;
}

/* Returns the table, placed over the frames that it names. If the model is not a player, the range
   of the table is empty and after all frames, so that names decide for every frame. Five examples:

                       frames  names
      Duke's weapon       173  stand run attack pain ...   agree: the table
      Squidge             198  run begins at 39, not 40    agree, moved: the table, moved
      Beep's weapon       208  gun000 to gun207            show nothing: the table
      Hover               198  stand flip salute taunt ... disagree: the names
      Protoman's weapon   262  all are "skin"              show nothing, but no player is so
                                                           long: the names */
static md2__quake2_table md2__find_quake2_table(const md2__name_list *names, uint32_t flags)
{
    md2__quake2_table none;
    memset(&none, 0, sizeof none);
    none.first = names->count;

    uint32_t count = md2__count_table_frames(names->count, flags);
    if (flags & MD2_FRAME_NAMES || count == 0) {
        return none;
    }

    /* The table begins at the first frame, unless the names show that this frame is a reference
       pose. */
    md2__quake2_table table = md2__place_table(names, 0, count);
    if (names->count > count && table.is_cut[1]) {
        md2__quake2_table after_pose = md2__place_table(names, 1, count);
        bool              names_agree = after_pose.matches >= MD2__MIN_TABLE_MATCHES;
        if (names_agree && after_pose.matches > table.matches) {
            table = after_pose;
        }
    }
    if (flags & MD2_QUAKE2_ANIMS) {
        return table;
    }

    /* The names agree if they start animations where a third of the table's animations begin. */
    md2__quake2_table moved = table;
    md2__move_table_anims(&moved);
    if (moved.matches >= MD2__MIN_TABLE_MATCHES) {
        return moved;
    }

    /* No player has this many frames, so a model whose names do not agree is not a player. */
    if (names->count > MD2__MAX_PLAYER_FRAMES) {
        return none;
    }

    /* The names disagree if they have more than twice as many cuts as matches. Only cuts between
       animations of several frames count, because the name of a single frame ("Frame 1", "NewName",
       a word of the author) shows nothing. In a model with exactly the frames of the table, or one
       more, one or two of these cuts may be mistakes. */
    bool most_differ = table.long_cuts > table.matches * 2;
    bool may_be_slips = table.long_cuts < 3 && names->count <= count + 1;
    return most_differ && !may_be_slips ? none : table;
}

/* -- Animations by name: lists and models ----------------------------------- */

/* Returns the frame rate of an animation. The default is Quake II's rate. */
static double md2__frame_rate(float fps)
{
    return fps > 0 && fps <= FLT_MAX ? (double)fps : 10.0;
}

typedef struct md2__anim_list {
    md2_anim *anims;                  /* [capacity] */
    uint32_t  capacity;
    uint32_t  count;                  /* includes animations that found no room */
    float     fps;                    /* frame rate of all animations */
} md2__anim_list;

static void md2__add_anim(md2__anim_list *list, const md2_anim *anim)
{
    if (list->count < list->capacity) {
        list->anims[list->count] = *anim;
        list->anims[list->count].fps = list->fps;
    }
    list->count += 1;
}

/* Adds the animations that result from the names of all frames from `first` on. */
static void md2__add_named_anims(md2__anim_list *list, const md2__name_list *names, uint32_t first)
{
    md2__name_run run = md2__read_run(names, first);
    while (run.begin < names->count) {
        md2_anim anim = md2__read_anim(names, &run);
        md2__add_anim(list, &anim);
    }
}

static void md2__add_table_anims(md2__anim_list *list, const md2__quake2_table *table)
{
    for (uint32_t i = 0; i < table->anim_count; ++i) {
        md2_anim anim = { 0, 0, 0, "" };
        anim.first = table->first + table->begins[i];
        anim.count = table->begins[i + 1] - table->begins[i];
        memcpy(anim.name, md2__quake2_anims[i].name, sizeof md2__quake2_anims[i].name);
        md2__add_anim(list, &anim);
    }
}

/* Finds the animations of frame names. Writes at most `capacity` animations, none if `out` is NULL,
   and returns their total number. Every frame belongs to exactly one animation. */
static uint32_t md2__split_name_list(const md2__name_list *names, const md2_options *options,
                                     md2_anim *out, uint32_t capacity)
{
    md2__quake2_table table = md2__find_quake2_table(names, options ? options->flags : 0);
    md2__name_list    names_before = *names;
    names_before.count = table.first;

    md2__anim_list list;
    list.anims = out;
    list.capacity = out ? capacity : 0;
    list.count = 0;
    list.fps = (float)md2__frame_rate(options ? options->fps : 0);

    md2__add_named_anims(&list, &names_before, 0);
    md2__add_table_anims(&list, &table);
    md2__add_named_anims(&list, names, table.first + table.count);

    uint32_t written_count = list.count < list.capacity ? list.count : list.capacity;
    md2__number_duplicate_names(out, written_count);
    return list.count;
}

MD2_API uint32_t md2_split_frame_names(const char *const *names, uint32_t name_count,
                                       const md2_options *options, md2_anim *out,
                                       uint32_t capacity)
{
    md2__name_list list = { names, NULL, 0, name_count };
    return names ? md2__split_name_list(&list, options, out, capacity) : 0;
}

/* Splits the frames of `anim` by the names in the file. Returns the number of frames in the longest
   of these animations that is called `name`; 0 if there is none. */
static uint32_t md2__count_frames_named(const md2_model *model, const md2_anim *anim,
                                        const char *name)
{
    md2__name_list names = { NULL, model->frames[0].name, sizeof(md2_frame),
                             anim->first + anim->count };
    uint32_t       longest = 0;

    md2__name_run run = md2__read_run(&names, anim->first);
    while (run.begin < names.count) {
        md2_anim named = md2__read_anim(&names, &run);
        if (named.count > longest && md2__equals_ignoring_case(named.name, name)) {
            longest = named.count;
        }
    }
    return longest;
}

/* Reads the number of a family member: 3 from "pain3" in the family "pain". Returns false if the
   text is not the name followed by digits only. */
static bool md2__read_family_number(const char *text, const char *name, uint64_t *number)
{
    while (*name && md2__to_lower(*text) == md2__to_lower(*name)) {
        ++text;
        ++name;
    }
    if (*name || !*text) {
        return false;
    }

    *number = 0;
    for (; md2__is_digit(*text) && *number < UINT32_MAX; ++text) {
        *number = *number * 10 + (uint64_t)(*text - '0');
    }
    return *text == 0;
}

/* Returns the animation with the lowest number in a family, such as pain1 in "pain"; NULL if there
   is none. A name that ends in a digit has no family: pain11 does not belong to pain1. */
static const md2_anim *md2__find_family(const md2_model *model, const char *name)
{
    size_t length = strlen(name);
    if (length == 0 || md2__is_digit(name[length - 1])) {
        return NULL;
    }

    const md2_anim *found = NULL;
    uint64_t        number, lowest = 0;
    for (uint32_t i = 0; i < model->anim_count; ++i) {
        bool belongs = md2__read_family_number(model->anims[i].name, name, &number);
        if (belongs && (!found || number < lowest)) {
            lowest = number;
            found = &model->anims[i];
        }
    }
    return found;
}

MD2_API const md2_anim *md2_find_anim(const md2_model *model, const char *name)
{
    if (!model || !name) {
        return NULL;
    }
    for (uint32_t i = 0; i < model->anim_count; ++i) {
        if (md2__equals_ignoring_case(model->anims[i].name, name)) {
            return &model->anims[i];
        }
    }

    const md2_anim *found = md2__find_family(model, name);
    if (found) {
        return found;
    }

    /* The table's names may differ from the file's names: the file may call the table's flip
       "walk". */
    uint32_t longest = 0;
    for (uint32_t i = 0; i < model->anim_count; ++i) {
        uint32_t count = md2__count_frames_named(model, &model->anims[i], name);
        if (count > longest) {
            longest = count;
            found = &model->anims[i];
        }
    }
    return found;
}

MD2_API int md2_find_frame(const md2_model *model, const char *name)
{
    if (!model || !name) {
        return -1;
    }
    for (uint32_t i = 0; i < model->frame_count; ++i) {
        if (md2__equals_ignoring_case(model->frames[i].name, name)) {
            return (int)i;
        }
    }
    return -1;
}

/* -- Loading: the file and its ranges -------------------------------------- */

/* The header has 17 fields of 32 bits, listed in the order of the file. NUM_ is a number of items,
   except NUM_COMMANDS: it counts words of 32 bits. OFS_ is the byte of the file where a section
   begins. */
enum {
    MD2__IDENT, MD2__FORMAT_VERSION, MD2__SKIN_WIDTH, MD2__SKIN_HEIGHT, MD2__FRAME_SIZE,
    MD2__NUM_SKINS, MD2__NUM_POINTS, MD2__NUM_TEXCOORDS, MD2__NUM_TRIANGLES, MD2__NUM_COMMANDS,
    MD2__NUM_FRAMES, MD2__OFS_SKINS, MD2__OFS_TEXCOORDS, MD2__OFS_TRIANGLES, MD2__OFS_FRAMES,
    MD2__OFS_COMMANDS, MD2__OFS_END, MD2__HEADER_FIELD_COUNT
};

enum {
    MD2__HEADER_BYTES = 4 * MD2__HEADER_FIELD_COUNT,
    MD2__SKIN_BYTES = 64,             /* a path */
    MD2__TEXCOORD_BYTES = 4,          /* s and t, 16 bits each */
    MD2__TRIANGLE_BYTES = 12,         /* three points, then three texcoords, 16 bits each */
    MD2__COMMAND_BYTES = 4,
    MD2__STRIP_VERTEX_BYTES = 12,     /* u, v and a point: three commands */

    /* A frame has a scale and a translation, three floats each, a name of 16 bytes, and then
       points. */
    MD2__FRAME_NAME_OFFSET = 24,
    MD2__FRAME_POINTS_OFFSET = 40,
    MD2__MAX_FRAMES = 65536           /* a pose stores the index of a frame in 16 bits */
};

typedef struct md2__loader {
    md2__context      context;
    md2_options       options;        /* a scale of 0 is replaced by 1 */
    const uint8_t    *data;           /* the file */
    size_t            size;
    md2__buffer       buffer;         /* the file, unless the caller owns it; after the file, the
                                         scratch memory */
    uint32_t          header[MD2__HEADER_FIELD_COUNT];
    uint8_t           normal_map[256]; /* for MD2_Y_UP */
    uint8_t           opposites[256]; /* indices of opposite normals; all 0 until one is needed */

    /* The model and its arrays, in scratch memory. The end of loading copies them to the model's
       block. */
    md2_model         model;
    md2_skin         *skins;
    md2_vertex       *vertices;       /* [corners] */
    uint32_t         *indices;        /* [corners] */
    md2_anim         *anims;          /* [frames] */
    md2_strip        *strips;         /* [commands / 4] */
    md2_strip_vertex *strip_vertices; /* [commands / 2] */

    /* Arrays that only loading needs, also in scratch memory. normal_sums overlaps all other
       arrays: when normals are repaired, the model already has its block, with copies of what it
       needs. */
    md2__key_table    vertex_keys;    /* [corners] nodes, [points] slots; a number is a vertex */
    uint32_t         *latest;         /* [points] latest vertex of each point, or MD2__NONE */
    uint32_t         *previous;       /* [corners] the point's vertex before this vertex */
    float            *normal_sums;    /* [3 * points] x, y, z; see md2__sum_face_normals */
} md2__loader;

typedef struct md2__section {
    char    name[20];
    uint8_t count_field, offset_field; /* indices into the header */
    uint8_t item_bytes;               /* 0 = the frame size in the header */
} md2__section;

enum { MD2__COMMAND_SECTION = 4 };    /* the last section; only this one may be invalid */

static const md2__section md2__sections[MD2__COMMAND_SECTION + 1] = {
    { "skins", MD2__NUM_SKINS, MD2__OFS_SKINS, MD2__SKIN_BYTES },
    { "texture coordinates", MD2__NUM_TEXCOORDS, MD2__OFS_TEXCOORDS, MD2__TEXCOORD_BYTES },
    { "triangles", MD2__NUM_TRIANGLES, MD2__OFS_TRIANGLES, MD2__TRIANGLE_BYTES },
    { "frames", MD2__NUM_FRAMES, MD2__OFS_FRAMES, 0 },
    { "GL commands", MD2__NUM_COMMANDS, MD2__OFS_COMMANDS, MD2__COMMAND_BYTES }
};

/* Other formats, recognized by their first four bytes. */
static const struct { char ident[5], name[36]; } md2__known_formats[] = {
    { "IDP3", "an MD3 (Quake III) model" },
    { "IDPO", "an MDL (Quake) model" },
    { "IDST", "an MDL (Half-Life) model" },
    { "IDPX", "an MDX (Kingpin) model" },
    { "IDS2", "an SP2 (Quake II) sprite" },
    { "DKMD", "a DKM (Daikatana) model" },
    { "MD5V", "an MD5 (Doom 3) text, for md5.h" },
    { "glTF", "a glTF model" }
};

/* Fails because the file does not begin with "IDP2", and names its format if it is known. Always
   returns false. */
MD2__COLD bool md2__fail_format(md2__loader *loader)
{
    if (loader->size == 0) {
        return md2__fail(&loader->context, MD2_ERROR_NOT_MD2, "the file is empty");
    }

    char ident[5];
    md2__copy_name_field(ident, loader->data, loader->size < 4 ? loader->size : 4);
    for (size_t i = 0; i < sizeof md2__known_formats / sizeof md2__known_formats[0]; ++i) {
        if (strcmp(ident, md2__known_formats[i].ident) == 0) {
            return md2__fail_text(&loader->context, MD2_ERROR_NOT_MD2, "this is $, not an MD2",
                                  md2__known_formats[i].name);
        }
    }
    return md2__fail_numbers(&loader->context, MD2_ERROR_NOT_MD2,
                             "not an MD2: its # bytes begin with \"$\", not with \"IDP2\"",
                             ident, loader->size, 0);
}

/* Decodes the header. Checks only its first two fields; md2__check_frames and md2__check_sections
   check the others. */
static bool md2__read_header(md2__loader *loader)
{
    if (loader->size < 4 || memcmp(loader->data, "IDP2", 4) != 0) {
        return md2__fail_format(loader);
    }
    if (loader->size < MD2__HEADER_BYTES) {
        return md2__fail_at(&loader->context, MD2_ERROR_TRUNCATED, loader->size,
                            "the header has # bytes, but the file has #", NULL, MD2__HEADER_BYTES,
                            loader->size);
    }
    for (size_t i = 0; i < MD2__HEADER_FIELD_COUNT; ++i) {
        loader->header[i] = md2__read_u32(loader->data + 4 * i);
    }

    uint32_t version = loader->header[MD2__FORMAT_VERSION];
    if (version != 8) {
        /* Anachronox stores 14 or 15 in the low 16 bits, and its own data in the high bits. */
        bool is_anachronox = (version & 0xfffe) == 14;
        return md2__fail_at(&loader->context, MD2_ERROR_VERSION, 4 * MD2__FORMAT_VERSION,
                            "version #, not 8$",
                            is_anachronox ? ": Anachronox's variant of MD2" : "", version, 0);
    }
    return true;
}

/* Checks that a count in the header is in [1, INT32_MAX], because Quake II reads it as a signed
   int. `name` is the plural of the things it counts. */
static bool md2__check_count(md2__loader *loader, uint32_t field, const char *name)
{
    uint32_t count = loader->header[field];
    size_t   error_offset = 4 * (size_t)field;
    if (count == 0) {
        return md2__fail_at(&loader->context, MD2_ERROR_CORRUPT, error_offset,
                            "the model has no $", name, 0, 0);
    }
    if (count > INT32_MAX) {
        return md2__fail_at(&loader->context, MD2_ERROR_CORRUPT, error_offset,
                            "the number of $ is negative: -#", name, 0 - count, 0);
    }
    return true;
}

/* Checks that a section is empty, or inside the file and after the header. */
static bool md2__check_section_range(md2__loader *loader, const md2__section *section)
{
    const uint32_t *header = loader->header;
    uint64_t        count = header[section->count_field];
    if (count == 0) {
        return true;
    }
    if (!md2__check_count(loader, section->count_field, section->name)) {
        return false;
    }

    uint64_t offset = header[section->offset_field];
    size_t   error_offset = 4 * (size_t)section->offset_field;
    if (offset < MD2__HEADER_BYTES || offset > INT32_MAX) {
        return md2__fail_at(&loader->context, MD2_ERROR_CORRUPT, error_offset,
                            "the $ begin at byte #, outside the file or inside its header",
                            section->name, offset, 0);
    }

    /* With any header, the end fits in 64 bits. OFS_END is the size that the file should have. A
       section that ends at OFS_END or before was cut off; a section that ends after it never was in
       the file. */
    uint64_t item_size = section->item_bytes ? section->item_bytes : header[MD2__FRAME_SIZE];
    uint64_t end = offset + count * item_size;
    if (end > loader->size) {
        bool was_cut_off = end <= header[MD2__OFS_END];
        return md2__fail_at(&loader->context,
                            was_cut_off ? MD2_ERROR_TRUNCATED : MD2_ERROR_CORRUPT, error_offset,
                            "the $ end at byte #, but the file has # bytes", section->name, end,
                            loader->size);
    }
    return true;
}

/* Checks that there are points and frames, and that the frame size has room for the points. */
static bool md2__check_frames(md2__loader *loader)
{
    if (!md2__check_count(loader, MD2__NUM_POINTS, "points") ||
        !md2__check_count(loader, MD2__NUM_FRAMES, "frames")) {
        return false;
    }

    uint64_t frame_size = loader->header[MD2__FRAME_SIZE];
    uint64_t points = loader->header[MD2__NUM_POINTS];
    if (frame_size < MD2__FRAME_POINTS_OFFSET + points * sizeof(md2_point)) {
        return md2__fail_at(&loader->context, MD2_ERROR_CORRUPT, 4 * MD2__FRAME_SIZE,
                            "a frame of # bytes cannot hold # points", NULL, frame_size, points);
    }
    return md2__check_count(loader, MD2__FRAME_SIZE, "bytes in a frame");
}

/* Checks that all sections are inside the file, and that there are not too many frames.
   md2__check_frames has checked the size of a frame. */
static bool md2__check_sections(md2__loader *loader)
{
    for (size_t i = 0; i < MD2__COMMAND_SECTION; ++i) {
        if (!md2__check_section_range(loader, &md2__sections[i])) {
            return false;
        }
    }

    /* A model works without GL commands. But if the file was cut short, other bytes may be missing
       too. */
    if (!md2__check_section_range(loader, &md2__sections[MD2__COMMAND_SECTION])) {
        if (loader->context.error.code == MD2_ERROR_TRUNCATED) {
            return false;
        }
        /* Continue without commands, and without the error. */
        memset(&loader->context.error, 0, sizeof loader->context.error);
        loader->header[MD2__NUM_COMMANDS] = 0;
        loader->model.defects |= MD2_BAD_COMMANDS;
    }

    if (loader->header[MD2__NUM_FRAMES] > MD2__MAX_FRAMES) {
        return md2__fail_at(&loader->context, MD2_ERROR_LIMIT, 4 * MD2__NUM_FRAMES,
                            "# frames are more than the # that a pose can number", NULL,
                            loader->header[MD2__NUM_FRAMES], MD2__MAX_FRAMES);
    }
    return true;
}

/* -- Loading: building the model ------------------------------------------- */

/* Return the next array of `block`, or a copy of `array` there. Both add to `total`, the number of
   bytes used so far; if block is NULL, they do nothing else. See md2__place_array. */
#define MD2__PLACE(type, count) (type *)md2__place_array(block, &total, count, sizeof(type))
#define MD2__PLACE_COPY(type, array, count) \
    (type *)md2__place_copy(block, &total, array, count, sizeof(type))

MD2__NOINLINE void *md2__place_copy(uint8_t *block, uint64_t *total, const void *array,
                                    uint64_t count, uint64_t item_size)
{
    void *copy = md2__place_array(block, total, count, item_size);
    if (copy && array) {
        memcpy(copy, array, (size_t)(count * item_size));
    }
    return copy;
}

/* Copies the arrays of a model to a block, and returns the size of the block. The points, and
   arrays that are NULL in `model`, only get room: the caller writes the frames through *frames and
   the points through *points. If `block` is NULL, only measures. */
static uint64_t md2__lay_out_model(const md2_model *model, uint8_t *block, md2_model *copy,
                                   md2_frame **frames, md2_point **points)
{
    uint64_t total = 0;
    uint64_t point_count = (uint64_t)model->frame_count * model->point_count;

    /* The block begins with the model itself, which is copied there last. */
    *copy = *model;
    (void)MD2__PLACE(md2_model, 1);

    copy->skins = MD2__PLACE_COPY(md2_skin, model->skins, model->skin_count);
    copy->vertices = MD2__PLACE_COPY(md2_vertex, model->vertices, model->vertex_count);
    copy->indices = MD2__PLACE_COPY(uint32_t, model->indices, model->index_count);
    *frames = MD2__PLACE_COPY(md2_frame, model->frames, model->frame_count);
    copy->frames = *frames;
    copy->anims = MD2__PLACE_COPY(md2_anim, model->anims, model->anim_count);
    copy->strips = MD2__PLACE_COPY(md2_strip, model->strips, model->strip_count);
    copy->strip_vertices = MD2__PLACE_COPY(md2_strip_vertex, model->strip_vertices,
                                           model->strip_vertex_count);

    *points = MD2__PLACE(md2_point, point_count);
    return total;
}

/* Lays out the scratch memory in the loader's buffer, after the file if the buffer holds it.
   Returns the size of both together. With block NULL, only measures. */
static uint64_t md2__lay_out_scratch(md2__loader *loader, uint8_t *block)
{
    const uint32_t *header = loader->header;
    md2_model      *model = &loader->model;
    uint64_t        total = loader->buffer.size;
    uint64_t        corners = (uint64_t)header[MD2__NUM_TRIANGLES] * 3;
    uint64_t        points = header[MD2__NUM_POINTS];

    /* The arrays that the model keeps are complete before its block is allocated, so the block fits
       them exactly. Their size here is the most that the file can need: a vertex for each corner,
       and an animation for each frame. A strip of n vertices takes 1 + 3 * n commands (the length,
       and u, v and point of each vertex), at least 4, and becomes at most n + 1 vertices (see
       md2__map_strip_index). So there are at most half as many vertices as commands. */
    loader->skins = MD2__PLACE(md2_skin, header[MD2__NUM_SKINS]);
    loader->vertices = MD2__PLACE(md2_vertex, corners);
    loader->indices = MD2__PLACE(uint32_t, corners);
    loader->anims = MD2__PLACE(md2_anim, header[MD2__NUM_FRAMES]);
    loader->strips = MD2__PLACE(md2_strip, header[MD2__NUM_COMMANDS] / 4);
    loader->strip_vertices = MD2__PLACE(md2_strip_vertex, header[MD2__NUM_COMMANDS] / 2);

    loader->vertex_keys.nodes = MD2__PLACE(md2__key_node, corners);
    loader->vertex_keys.slots = MD2__PLACE(uint32_t, points);
    loader->latest = MD2__PLACE(uint32_t, points);
    loader->previous = MD2__PLACE(uint32_t, corners);

    uint64_t total_of_others = total;
    total = loader->buffer.size;
    loader->normal_sums = MD2__PLACE(float, 3 * points);

    /* The loader writes through its own pointers, because those of the model are const. */
    model->skins = loader->skins;
    model->vertices = loader->vertices;
    model->indices = loader->indices;
    model->anims = loader->anims;
    model->strips = loader->strips;
    model->strip_vertices = loader->strip_vertices;
    return total > total_of_others ? total : total_of_others;
}

/* Reserves the scratch memory. If the loader has read the file, the scratch memory is in the same
   block as the file. */
static bool md2__reserve_scratch(md2__loader *loader)
{
    md2__buffer *buffer = &loader->buffer;
    uint64_t     bytes = md2__lay_out_scratch(loader, NULL) - buffer->size;

    if (!md2__reserve_bytes(&loader->context, buffer, bytes, 0)) {
        return false;
    }

    /* If the buffer contains the file, the buffer may have moved. If the buffer is empty, the file
       is in the caller's memory, which has not moved. */
    if (buffer->size > 0) {
        loader->data = buffer->data;
    }
    md2__lay_out_scratch(loader, buffer->data);
    md2__clear_indices(loader->vertex_keys.slots, loader->header[MD2__NUM_POINTS]);
    md2__clear_indices(loader->latest, loader->header[MD2__NUM_POINTS]);
    return true;
}

/* Returns the beginning of a section. The offset of an empty section may be any number, so it is
   not added to the pointer: the sum could overflow. */
static const uint8_t *md2__find_section(const md2__loader *loader, uint32_t count_field,
                                        uint32_t offset_field)
{
    bool is_empty = loader->header[count_field] == 0;
    return loader->data + (is_empty ? 0 : loader->header[offset_field]);
}

static void md2__build_skins(md2__loader *loader)
{
    const uint8_t *bytes = md2__find_section(loader, MD2__NUM_SKINS, MD2__OFS_SKINS);

    for (size_t i = 0; i < loader->model.skin_count; ++i) {
        md2__copy_name_field(loader->skins[i].path, bytes + i * MD2__SKIN_BYTES, MD2__SKIN_BYTES);
    }
}

/* Returns s in the low 16 bits and t in the high 16 bits. An index out of range reads the last
   texture coordinate, because a wrong color is better than a hole. */
static uint32_t md2__read_texcoord(md2__loader *loader, uint32_t index)
{
    uint32_t count = loader->header[MD2__NUM_TEXCOORDS];
    if (index >= count) {
        loader->model.defects |= MD2_BAD_TEXCOORDS;
        index = count - 1;
    }
    if (count == 0) {
        return 0;
    }

    const uint8_t *bytes = loader->data + loader->header[MD2__OFS_TEXCOORDS];
    return md2__read_u32(bytes + (size_t)index * MD2__TEXCOORD_BYTES);
}

/* Builds a vertex from a point and a result of md2__read_texcoord. */
static void md2__build_vertex(const md2__loader *loader, uint32_t point, uint32_t texcoord,
                              md2_vertex *out)
{
    const md2_model *model = &loader->model;
    float            s = md2__decode_texcoord(texcoord & 0xffff);
    float            t = md2__decode_texcoord(texcoord >> 16);

    /* s and t count texels, and the texture coordinate is the center of the texel. A skin of
       unknown size counts as 1 x 1. */
    float width = model->skin_width ? (float)model->skin_width : 1.0f;
    float height = model->skin_height ? (float)model->skin_height : 1.0f;

    memset(out, 0, sizeof *out); /* includes the padding, which goes to the GPU */
    out->point = (uint16_t)point;
    out->u = (s + 0.5f) / width;
    out->v = (t + 0.5f) / height;
    if (model->flags & MD2_FLIP_V) {
        out->v = 1 - out->v;
    }
}

/* Returns the vertex with this point and texture coordinate, and adds it if it is new. */
static uint32_t md2__weld_vertex(md2__loader *loader, uint32_t point, uint32_t texcoord)
{
    /* The slot is the point, so the keys in a slot differ only in the texture coordinate, which is
       therefore first. */
    uint32_t key[3] = { texcoord, point, 0 };
    uint32_t vertex = md2__number_key(&loader->vertex_keys, point, key);

    if (vertex == loader->model.vertex_count) {
        md2__build_vertex(loader, point, texcoord, &loader->vertices[vertex]);
        loader->previous[vertex] = loader->latest[point];
        loader->latest[point] = vertex;
        ++loader->model.vertex_count;
    }
    return vertex;
}

/* Builds the vertices and indices. Drops triangles that use a point that does not exist. */
static void md2__build_triangles(md2__loader *loader)
{
    const uint8_t *triangle = md2__find_section(loader, MD2__NUM_TRIANGLES, MD2__OFS_TRIANGLES);
    const uint8_t *end = triangle + (size_t)loader->header[MD2__NUM_TRIANGLES] *
                                        MD2__TRIANGLE_BYTES;
    uint32_t       point_count = loader->header[MD2__NUM_POINTS];
    uint32_t      *index = loader->indices;

    /* Triangles in the file are clockwise when seen from outside. Swapping the last two corners
       makes them counter-clockwise. */
    bool   keep_winding = (loader->model.flags & MD2_KEEP_WINDING) != 0;
    size_t order[3] = { 0, keep_winding ? 1u : 2u, keep_winding ? 2u : 1u };

    for (; triangle < end; triangle += MD2__TRIANGLE_BYTES) {
        uint32_t points[3];
        points[0] = md2__read_u16(triangle);
        points[1] = md2__read_u16(triangle + 2);
        points[2] = md2__read_u16(triangle + 4);
        if (points[0] >= point_count || points[1] >= point_count || points[2] >= point_count) {
            ++loader->model.dropped_triangles;
            continue;
        }

        /* The three points are followed by three texture coordinates. */
        for (uint32_t k = 0; k < 3; ++k) {
            size_t   stored_corner = order[k];
            uint32_t texcoord_index = md2__read_u16(triangle + 6 + 2 * stored_corner);
            uint32_t texcoord = md2__read_texcoord(loader, texcoord_index);
            *index++ = md2__weld_vertex(loader, points[stored_corner], texcoord);
        }
    }
    loader->model.index_count = (uint32_t)(index - loader->indices);
}

/* Returns the vertex of a point with the nearest texture coordinates. The point has at least one
   vertex; if it has more than 16, the latest 16 are compared. */
static uint32_t md2__find_nearest_vertex(const md2__loader *loader, uint32_t point, float u,
                                         float v)
{
    enum { MD2__MAX_VISITED_VERTICES = 16 }; /* limits the time that a crafted file can take */
    uint32_t vertex = loader->latest[point], nearest = vertex;
    float    nearest_distance = FLT_MAX; /* squared */

    for (uint32_t i = 0; i < MD2__MAX_VISITED_VERTICES && vertex != MD2__NONE; ++i) {
        float du = loader->vertices[vertex].u - u, dv = loader->vertices[vertex].v - v;
        float distance = du * du + dv * dv;

        if (!(distance > 0)) {
            return vertex; /* equal */
        }
        if (distance < nearest_distance) {
            nearest = vertex;
            nearest_distance = distance;
        }
        vertex = loader->previous[vertex];
    }
    return nearest;
}

/* Returns which of `length` stored vertices becomes vertex i of a strip or fan. Triangles are
   stored clockwise, so each must be flipped, unless the winding is kept. */
static uint32_t md2__map_strip_index(uint32_t i, uint32_t length, bool fan, bool keep_winding)
{
    if (keep_winding) {
        return i;
    }

    /* A fan keeps its center, vertex 0, and visits its rim in reverse. */
    if (fan) {
        return i > 0 ? length - i : 0;
    }

    /* In a strip, every second triangle is stored with the opposite winding. If the number of
       vertices is odd, reversing them flips all triangles, because the last triangle, which is
       stored clockwise, becomes the first. */
    if (length % 2 == 1) {
        return length - 1 - i;
    }

    /* If the number is even, reversing would flip no triangle. Instead, repeat the first vertex:
       this adds an empty triangle at the front, shifts all others by one, and so flips them. */
    return i > 0 ? i - 1 : 0;
}

/* Adds a strip or fan of `length` stored vertices, each a float u, a float v and a point. Returns
   false if no triangle uses one of the points, or if a texture coordinate is not finite. */
static bool md2__build_strip(md2__loader *loader, const uint8_t *bytes, uint32_t length, bool fan)
{
    md2_model *model = &loader->model;
    bool       keep_winding = (model->flags & MD2_KEEP_WINDING) != 0;
    bool       repeats_first = !keep_winding && !fan && length % 2 == 0;

    md2_strip *strip = &loader->strips[model->strip_count++];
    memset(strip, 0, sizeof *strip); /* includes the padding */
    strip->first = model->strip_vertex_count;
    strip->count = repeats_first ? length + 1 : length;
    strip->fan = fan;

    for (uint32_t i = 0; i < strip->count; ++i) {
        uint32_t       stored_index = md2__map_strip_index(i, length, fan, keep_winding);
        const uint8_t *stored = bytes + (size_t)stored_index * MD2__STRIP_VERTEX_BYTES;
        float          u = md2__read_f32(stored);
        float          v = md2__read_f32(stored + 4);
        uint32_t       point = md2__read_u32(stored + 8);

        if (!md2__is_finite((double)u) || !md2__is_finite((double)v)) {
            return false;
        }
        if (point >= model->point_count || loader->latest[point] == MD2__NONE) {
            return false;
        }
        if (model->flags & MD2_FLIP_V) {
            v = 1 - v;
        }

        /* u and v were written by a different tool than the texture coordinates of the triangles,
           and may differ from them a little. */
        md2_strip_vertex *vertex = &loader->strip_vertices[model->strip_vertex_count++];
        vertex->u = u;
        vertex->v = v;
        vertex->vertex = md2__find_nearest_vertex(loader, point, u, v);
    }
    return true;
}

/* Builds all strips. If a strip is invalid, or no command 0 ends the list, builds none. A strip
   begins with its number of vertices, and a fan with the negated number. */
static void md2__build_strips(md2__loader *loader)
{
    uint32_t       command_count = loader->header[MD2__NUM_COMMANDS];
    const uint8_t *bytes = md2__find_section(loader, MD2__NUM_COMMANDS, MD2__OFS_COMMANDS);
    const uint8_t *end = bytes + (size_t)command_count * MD2__COMMAND_BYTES;

    while (bytes < end) {
        uint32_t command = md2__read_u32(bytes);
        bool     fan = command > INT32_MAX; /* negative */
        uint32_t vertex_count = fan ? 0 - command : command;
        bytes += MD2__COMMAND_BYTES;
        if (vertex_count == 0) {
            return; /* all strips are valid */
        }

        bool fits = vertex_count <= (size_t)(end - bytes) / MD2__STRIP_VERTEX_BYTES;
        if (!fits || !md2__build_strip(loader, bytes, vertex_count, fan)) {
            break;
        }
        bytes += (size_t)vertex_count * MD2__STRIP_VERTEX_BYTES;
    }

    /* A strip is invalid, or the command 0 is missing. A file without commands also gets here, but
       has no defect. */
    loader->model.strip_count = 0;
    loader->model.strip_vertex_count = 0;
    if (command_count > 0) {
        loader->model.defects |= MD2_BAD_COMMANDS;
    }
}

/* Finds the animations from the names of the frames in the file. */
static void md2__build_anims(md2__loader *loader)
{
    const uint8_t *frame = loader->data + loader->header[MD2__OFS_FRAMES];
    uint32_t       frames = loader->model.frame_count;
    md2__name_list names = { NULL, (const char *)frame + MD2__FRAME_NAME_OFFSET,
                             loader->header[MD2__FRAME_SIZE], frames };

    loader->model.anim_count =
        md2__split_name_list(&names, &loader->options, loader->anims, frames);
}

/* Returns the bounds of `count` stored points, at least one: the minimum and maximum of x, of y, of
   z and of the normal's index. */
static md2__point_bounds md2__find_point_bounds(const md2_point *points, size_t count)
{
    md2__point_bounds bounds;

#if defined(MD2__SIMD)
    if (count >= 4) {
        /* Read four points at a time, beginning with the last four, because the number of points
           may not be a multiple of four. A point that is read twice does not change the bounds. */
        md2__p4 packed = md2__p4_load(points + count - 4);
        md2__p4 min = packed, max = packed;
        for (size_t i = 0; i + 4 < count; i += 4) {
            packed = md2__p4_load(points + i);
            min = md2__p4_min(min, packed);
            max = md2__p4_max(max, packed);
        }

        /* Reduce four points to two, and two to one. */
        min = md2__p4_min(min, md2__p4_shift_two(min));
        max = md2__p4_max(max, md2__p4_shift_two(max));
        min = md2__p4_min(min, md2__p4_shift_one(min));
        max = md2__p4_max(max, md2__p4_shift_one(max));

        int32_t low_and_high[2];
        low_and_high[0] = md2__p4_first(min);
        low_and_high[1] = md2__p4_first(max);
        memcpy(&bounds, low_and_high, sizeof bounds);
        return bounds;
    }
#endif

    bounds.low = points[0];
    bounds.high = points[0];
    for (size_t i = 1; i < count; ++i) {
        md2_point point = points[i];
        bounds.low.x = point.x < bounds.low.x ? point.x : bounds.low.x;
        bounds.low.y = point.y < bounds.low.y ? point.y : bounds.low.y;
        bounds.low.z = point.z < bounds.low.z ? point.z : bounds.low.z;
        bounds.low.normal = point.normal < bounds.low.normal ? point.normal : bounds.low.normal;

        bounds.high.x = point.x > bounds.high.x ? point.x : bounds.high.x;
        bounds.high.y = point.y > bounds.high.y ? point.y : bounds.high.y;
        bounds.high.z = point.z > bounds.high.z ? point.z : bounds.high.z;
        bounds.high.normal = point.normal > bounds.high.normal ? point.normal : bounds.high.normal;
    }
    return bounds;
}

/* Decodes the bounds of one axis. Decoding is monotonic, so all positions are between the decoded
   minimum and maximum. Returns false if either is not finite. */
MD2__NOINLINE bool md2__decode_axis_bounds(md2_frame *frame, size_t axis, uint8_t stored_low,
                                           uint8_t stored_high)
{
    float low = frame->translate[axis] + (float)stored_low * frame->scale[axis];
    float high = frame->translate[axis] + (float)stored_high * frame->scale[axis];

    /* A negative scale swaps low and high. */
    frame->min[axis] = low < high ? low : high;
    frame->max[axis] = low > high ? low : high;
    return md2__is_finite((double)low) && md2__is_finite((double)high);
}

/* Decodes the bounds of a frame. Returns false if a bound is not finite. */
static bool md2__decode_frame_bounds(const md2__point_bounds *stored, md2_frame *frame)
{
    return md2__decode_axis_bounds(frame, 0, stored->low.x, stored->high.x) &&
           md2__decode_axis_bounds(frame, 1, stored->low.y, stored->high.y) &&
           md2__decode_axis_bounds(frame, 2, stored->low.z, stored->high.z);
}

/* Rotates points from (x, y, z) to (y, z, x), and their normals with them. */
static void md2__convert_points_y_up(const md2__loader *loader, md2_point *points, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        md2_point from = points[i];
        md2_point to = { from.y, from.z, from.x, loader->normal_map[from.normal] };
        points[i] = to;
    }
}

/* Reads the beginning of a stored frame: three floats of scale, three of translation, and a name of
   16 characters. */
static void md2__read_frame_header(const md2__loader *loader, const uint8_t *bytes,
                                   md2_frame *frame)
{
    /* With MD2_Y_UP, the model's x, y and z are the file's y, z and x. */
    size_t rotation = loader->model.flags & MD2_Y_UP ? 1 : 0;

    for (size_t axis = 0; axis < 3; ++axis) {
        size_t stored_axis = (axis + rotation) % 3;
        float  scale = md2__read_f32(bytes + 4 * stored_axis);
        float  translate = md2__read_f32(bytes + 12 + 4 * stored_axis);
        frame->scale[axis] = scale * loader->options.scale;
        frame->translate[axis] = translate * loader->options.scale;
    }
    md2__copy_name_field(frame->name, bytes + MD2__FRAME_NAME_OFFSET, 16);
}

/* Fails because a position of a frame is not finite. If all positions are finite without
   options.scale, the message blames that option, otherwise the file. Always returns false. */
MD2__COLD bool md2__fail_frame(md2__loader *loader, const md2__point_bounds *bounds,
                               md2_frame *frame, size_t index)
{
    uint64_t count = loader->model.frame_count;
    size_t   offset = loader->header[MD2__OFS_FRAMES] + index * loader->header[MD2__FRAME_SIZE];

    loader->options.scale = 1;
    md2__read_frame_header(loader, loader->data + offset, frame);
    if (md2__decode_frame_bounds(bounds, frame)) {
        return md2__fail_numbers(&loader->context, MD2_ERROR_ARGUMENT,
                                 "options.scale is too large for frame # of #: a position is not "
                                 "finite", NULL, index, count);
    }
    return md2__fail_at(&loader->context, MD2_ERROR_CORRUPT, offset,
                        "frame # of # has a scale or a position that is not finite", NULL, index,
                        count);
}

/* Builds frame `index`, with its points in `points`. Returns false if a position is not finite. */
static bool md2__build_frame(md2__loader *loader, md2_frame *frame, md2_point *points, size_t index)
{
    md2_model       *model = &loader->model;
    size_t           offset = loader->header[MD2__OFS_FRAMES] +
                              index * loader->header[MD2__FRAME_SIZE];
    const uint8_t   *bytes = loader->data + offset;
    const md2_point *stored = (const md2_point *)(bytes + MD2__FRAME_POINTS_OFFSET);

    memset(frame, 0, sizeof *frame); /* fine = NULL; includes the padding */
    md2__read_frame_header(loader, bytes, frame);
    memcpy(points, stored, model->point_count * sizeof *points);
    frame->points = points;

    /* The bounds of the rotated points are the rotated bounds of the points. */
    md2__point_bounds bounds = md2__find_point_bounds(stored, model->point_count);
    if (model->flags & MD2_Y_UP) {
        md2__convert_points_y_up(loader, points, model->point_count);
        md2__convert_points_y_up(loader, &bounds.low, 1);
        md2__convert_points_y_up(loader, &bounds.high, 1);
    }
    if (!md2__decode_frame_bounds(&bounds, frame)) {
        return md2__fail_frame(loader, &bounds, frame, index);
    }
    return true;
}

/* Computes the union of the bounds of all frames. */
static void md2__compute_model_bounds(md2_model *model)
{
    for (size_t i = 0; i < model->frame_count; ++i) {
        const md2_frame *frame = &model->frames[i];
        for (size_t axis = 0; axis < 3; ++axis) {
            if (i == 0 || frame->min[axis] < model->min[axis]) {
                model->min[axis] = frame->min[axis];
            }
            if (i == 0 || frame->max[axis] > model->max[axis]) {
                model->max[axis] = frame->max[axis];
            }
        }
    }
}

/* -- Loading: directions of faces and normals ------------------------------- */

/* Some files store a model inside out, and some store wrong normals. The first frame shows whether
   the faces are inside out (md2__detect_inward_faces). Then the faces show whether the normals are
   wrong, in each frame separately. If the normals of a frame point inward, they are negated. If
   they are unrelated to the faces, because they were never written or belong to other points, they
   are computed again (md2__repair_normals).

   Both defects are rare, and the search for them must not slow down the loading of good models. So
   each frame is first checked with a few faces, and with all of its faces only if a doubt remains
   (md2__check_normals_quickly). */

/* Returns true if the corners of triangles are clockwise when seen from outside. This is the case
   if either MD2_KEEP_WINDING is set or the file has the opposite winding, but not both. */
static bool md2__are_triangles_clockwise(const md2_model *model)
{
    bool keep_winding = (model->flags & MD2_KEEP_WINDING) != 0;
    bool inside_out = (model->defects & MD2_FACES_INWARD) != 0;
    return keep_winding != inside_out;
}

/* Converts a cross product of stored edges to model units, with the sign that makes it point
   outward. (Before md2__detect_inward_faces, the file's winding is taken as correct.) */
static void md2__convert_face_normal(const md2__loader *loader, const md2_frame *frame,
                                     float normal[3])
{
    float sign = md2__are_triangles_clockwise(&loader->model) ? -1.0f : 1.0f;

    /* Each axis of a cross product is computed from the other two axes, so both of their scales
       apply. */
    normal[0] *= sign * frame->scale[1] * frame->scale[2];
    normal[1] *= sign * frame->scale[2] * frame->scale[0];
    normal[2] *= sign * frame->scale[0] * frame->scale[1];
}

/* Returns true if all triangles may be visited in every frame. A file stores its triangles only
   once, so the number of visits, triangles times frames, can be much larger than the file: with
   many triangles, and many frames of few points, a crafted file of 6 MB would load for a minute.

   So there may be at most two triangles for each byte of a frame. Then the number of visits is at
   most twice the number of bytes of all frames, and the time is linear in the size of the file. A
   real mesh needs a quarter of the limit: a closed surface has about two triangles for each point,
   and a point takes four bytes of a frame. */
static bool md2__may_visit_faces_per_frame(const md2_model *model)
{
    uint64_t triangle_count = model->index_count / 3;
    uint64_t frame_bytes = 4 * (uint64_t)model->point_count + MD2__FRAME_POINTS_OFFSET;

    return triangle_count / 2 <= frame_bytes;
}

/* Computes the cross product of two edges of a face, from a to b and from a to c. The product is
   exact, because it is computed from the stored bytes. Its length is twice the area of the face, in
   stored units; md2__convert_face_normal applies the sign and the scale. */
static void md2__cross_stored_edges(md2_point a, md2_point b, md2_point c, float normal[3])
{
    normal[0] = (float)((b.y - a.y) * (c.z - a.z) - (b.z - a.z) * (c.y - a.y));
    normal[1] = (float)((b.z - a.z) * (c.x - a.x) - (b.x - a.x) * (c.z - a.z));
    normal[2] = (float)((b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x));
}

/* Adds up the normals of the faces around each point of a frame, in model units. The length of a
   normal is twice the area of its face, so larger faces weigh more. */
static void md2__sum_face_normals(md2__loader *loader, const md2_frame *frame)
{
    const md2_model *model = &loader->model;
    float           *sums = loader->normal_sums;

    memset(sums, 0, 3 * model->point_count * sizeof *sums);
    for (size_t i = 0; i < model->index_count; i += 3) {
        size_t a = model->vertices[model->indices[i]].point;
        size_t b = model->vertices[model->indices[i + 1]].point;
        size_t c = model->vertices[model->indices[i + 2]].point;

        float normal[3];
        md2__cross_stored_edges(frame->points[a], frame->points[b], frame->points[c], normal);
        for (size_t axis = 0; axis < 3; ++axis) {
            sums[3 * a + axis] += normal[axis];
            sums[3 * b + axis] += normal[axis];
            sums[3 * c + axis] += normal[axis];
        }
    }

    for (size_t i = 0; i < model->point_count; ++i) {
        md2__convert_face_normal(loader, frame, sums + 3 * i);
    }
}

/* Sums over faces of a frame, which show whether the faces or the normals point inward. */
typedef struct md2__facing {
    float area;                       /* twice the area of the faces */
    float agreement;                  /* if all corners have the normals of their faces, 3 * area;
                                         if they all have the opposite normals, -3 * area */
    float volume;                     /* six times the volume of the pyramids from the faces to the
                                         center; a face that faces the center counts as negative */
    float unsigned_volume;            /* the same, but every face counts as positive */
    float opening[3];                 /* sum of the normals of the faces, each as long as twice the
                                         face's area; 0 for a closed mesh */
} md2__facing;

/* Adds a face to the sums. `indices` are its three vertices. */
static void md2__add_facing(const md2__loader *loader, const md2_frame *frame,
                            const uint32_t *indices, md2__facing *sum)
{
    const md2_vertex *vertices = loader->model.vertices;
    md2_point         a = frame->points[vertices[indices[0]].point];
    md2_point         b = frame->points[vertices[indices[1]].point];
    md2_point         c = frame->points[vertices[indices[2]].point];

    float normal[3];
    md2__cross_stored_edges(a, b, c, normal);
    md2__convert_face_normal(loader, frame, normal);
    sum->area += md2__sqrt(md2__vec3_dot(normal, normal));

    /* A stored normal is a unit vector, so each product is the cosine of its angle to the normal of
       the face, times the length of the face's normal. */
    sum->agreement += md2__vec3_dot(md2__normals[a.normal], normal);
    sum->agreement += md2__vec3_dot(md2__normals[b.normal], normal);
    sum->agreement += md2__vec3_dot(md2__normals[c.normal], normal);

    /* The dot product of the face's normal and a vector from the center to a corner, here a, is six
       times the volume of the pyramid. */
    uint8_t stored_a[3] = { a.x, a.y, a.z };
    float   volume = 0;
    for (size_t axis = 0; axis < 3; ++axis) {
        float center = frame->min[axis] / 2 + frame->max[axis] / 2 - frame->translate[axis];
        volume += ((float)stored_a[axis] * frame->scale[axis] - center) * normal[axis];
        sum->opening[axis] += normal[axis];
    }
    sum->volume += volume;
    sum->unsigned_volume += md2__absolute(volume);
}

/* Measures up to 64 faces, spread over the mesh, then up to 64 others, and so on, until the faces
   that were measured look right. So a good model takes one pass of 64 faces, and a doubtful model
   is measured completely. */
static md2__facing md2__measure_facing(const md2__loader *loader, const md2_frame *frame)
{
    size_t      triangle_count = loader->model.index_count / 3;
    size_t      step = triangle_count / 64 + 1;
    md2__facing sum = { 0, 0, 0, 0, { 0, 0, 0 } };

    for (size_t first = 0; first < step; ++first) {
        for (size_t i = first; i < triangle_count; i += step) {
            md2__add_facing(loader, frame, loader->model.indices + 3 * i, &sum);
        }

        /* 0.9 times the area means an average cosine of 0.3. */
        if (sum.agreement > 0.9f * sum.area && sum.volume >= 0) {
            break;
        }
    }
    return sum;
}

/* Returns the largest possible increase of the volume if the pyramids reach to any point of the
   frame's bounds, instead of the center of the bounds. */
static float md2__measure_volume_growth(const md2_frame *frame, const md2__facing *sum)
{
    float growth = 0;
    for (size_t axis = 0; axis < 3; ++axis) {
        float reach = frame->max[axis] / 2 - frame->min[axis] / 2;
        growth += reach * md2__absolute(sum->opening[axis]);
    }
    return growth;
}

/* Sets MD2_FACES_INWARD if the faces of the first frame point inward.

   The pyramids of a closed mesh add up to the volume of the mesh (divergence theorem), which is
   negative if the mesh is inside out. The point to which the pyramids reach does not matter. For an
   open mesh, such as a bowl, the point matters, because it may be on either side of the faces: the
   mesh is inside out only if its volume is negative for every point of the bounds. A flat mesh has
   almost no volume, with either sign. In models that are right, or two-sided, the volume is above
   -0.05 times the unsigned volume; in models that are inside out, it is below -0.12 times the
   unsigned volume. */
static void md2__detect_inward_faces(md2__loader *loader)
{
    const md2_frame *frame = &loader->model.frames[0];
    md2__facing      sum = md2__measure_facing(loader, frame);
    float            most_growth = md2__measure_volume_growth(frame, &sum);

    if (sum.volume < -0.09f * sum.unsigned_volume - most_growth) {
        loader->model.defects |= MD2_FACES_INWARD;
    }
}

/* Returns the mean cosine of the angle between the stored normal of a point and the sum of its
   faces' normals, for the frame that md2__sum_face_normals has summed. Points with larger faces
   weigh more; points whose faces cancel each other do not count. */
static float md2__measure_normals(const md2__loader *loader, const md2_frame *frame)
{
    float cosines = 0, weights = 0;

    for (size_t i = 0; i < loader->model.point_count; ++i) {
        const float *sum = loader->normal_sums + 3 * i;
        cosines += md2__vec3_dot(sum, md2__normals[frame->points[i].normal]);
        weights += md2__sqrt(md2__vec3_dot(sum, sum));
    }
    return weights > 0 ? cosines / weights : 1.0f;
}

/* Returns true if all points of a frame have the same normal. */
static bool md2__has_equal_normals(const md2_model *model, const md2_frame *frame)
{
    for (size_t i = 1; i < model->point_count; ++i) {
        if (frame->points[i].normal != frame->points[0].normal) {
            return false;
        }
    }
    return true;
}

typedef enum md2__verdict { MD2__RIGHT, MD2__INWARD, MD2__WRONG, MD2__DOUBTFUL } md2__verdict;

/* Judges the normals of a frame by the mean cosine. In real models it is 0.6 and more if the
   normals are right, below -0.6 if they point inward, and from -0.2 to 0.5 if they were never
   written or belong to other points. If all normals are equal, most of them are wrong in any
   case. */
static md2__verdict md2__judge_normals(const md2__loader *loader, const md2_frame *frame)
{
    float cosine = md2__measure_normals(loader, frame);
    bool  is_unrelated = cosine > -0.5f && cosine < 0.5f;
    if (is_unrelated || md2__has_equal_normals(&loader->model, frame)) {
        return MD2__WRONG;
    }
    return cosine < 0 ? MD2__INWARD : MD2__RIGHT;
}

/* Returns true if the normals of a frame are similar to those of the previous frame: for eight
   points, spread over the mesh, they differ by less than 60 degrees on average. */
static bool md2__is_like_previous_frame(const md2_model *model, size_t index)
{
    const md2_point *points = model->frames[index].points;
    const md2_point *before = model->frames[index - 1].points;
    float            cosines = 0;

    for (size_t i = 0; i < 8; ++i) {
        size_t point = i * model->point_count / 8;
        cosines += md2__vec3_dot(md2__normals[points[point].normal],
                                 md2__normals[before[point].normal]);
    }
    return cosines > 4;
}

/* Judges the normals of a frame by sixteen faces, spread over the mesh. Normals similar to those of
   the previous frame count as right without visiting a face, unless a frame with inward normals has
   been found. */
static md2__verdict md2__check_normals_quickly(const md2__loader *loader, size_t index)
{
    const md2_model *model = &loader->model;
    const md2_frame *frame = &model->frames[index];
    if (md2__has_equal_normals(model, frame)) {
        return MD2__DOUBTFUL;
    }
    bool may_compare = index > 0 && !(model->defects & MD2_NORMALS_INWARD);
    if (may_compare && md2__is_like_previous_frame(model, index)) {
        return MD2__RIGHT;
    }

    size_t      triangle_count = model->index_count / 3;
    md2__facing sum = { 0, 0, 0, 0, { 0, 0, 0 } };
    for (size_t i = 0; i < triangle_count; i += triangle_count / 16 + 1) {
        md2__add_facing(loader, frame, model->indices + 3 * i, &sum);
    }

    /* 1.5 times the area means an average cosine of 0.5. */
    if (sum.agreement > 1.5f * sum.area) {
        return MD2__RIGHT;
    }
    return sum.agreement < -1.5f * sum.area ? MD2__INWARD : MD2__DOUBTFUL;
}

/* Replaces the normals of a frame's points with the opposite normals. */
static void md2__negate_normals(md2__loader *loader, md2_point *points)
{
    loader->model.defects |= MD2_NORMALS_INWARD;

    if (loader->opposites[0] == 0) { /* not filled yet: normal 0 is not its own opposite */
        md2__map_normals(-1, 0, loader->opposites);
    }
    for (size_t i = 0; i < loader->model.point_count; ++i) {
        points[i].normal = loader->opposites[points[i].normal];
    }
}

/* Computes the normals of a frame's points from the sums of the faces' normals. A point without
   faces, or whose faces cancel each other, keeps its normal. Sets MD2_NORMALS_WRONG if a normal
   changes; the normals of a flat mesh may all stay the same. */
static void md2__compute_normals(md2__loader *loader, md2_point *points)
{
    for (size_t i = 0; i < loader->model.point_count; ++i) {
        const float *sum = loader->normal_sums + 3 * i;
        if (!(md2__vec3_dot(sum, sum) > 0)) {
            continue;
        }

        uint8_t normal = md2__find_nearest_normal(sum);
        if (normal != points[i].normal) {
            loader->model.defects |= MD2_NORMALS_WRONG;
            points[i].normal = normal;
        }
    }
}

/* Judges and repairs the normals of each frame, and records the defects. If `is_thorough`, all
   faces of each frame are visited; otherwise only a few, unless they leave a doubt. `points` are
   the points of all frames. */
static void md2__repair_frames(md2__loader *loader, md2_point *points, bool is_thorough)
{
    const md2_model *model = &loader->model;

    for (size_t i = 0; i < model->frame_count; ++i) {
        md2__verdict verdict = is_thorough ? MD2__DOUBTFUL : md2__check_normals_quickly(loader, i);
        if (verdict == MD2__DOUBTFUL) {
            md2__sum_face_normals(loader, &model->frames[i]);
            verdict = md2__judge_normals(loader, &model->frames[i]);
        }
        if (verdict == MD2__INWARD) {
            md2__negate_normals(loader, points + i * model->point_count);
        } else if (verdict == MD2__WRONG) {
            md2__compute_normals(loader, points + i * model->point_count);
        }
    }
}

/* Finds the frames whose normals do not fit their faces, and repairs them, in up to three passes.
   `points` are the points of all frames.

       first pass                       a few faces of a frame, or none if its normals are similar
                                        to those of the frame before
       if a frame had inward normals    a few faces of every frame: if the model turns around from
                                        one frame to the next, inward normals are similar to the
                                        right normals of the frame before
       if a frame had wrong normals     all faces of every frame: a few faces may fit wrong normals
                                        by chance */
static void md2__repair_normals(md2__loader *loader, md2_point *points)
{
    if (!md2__may_visit_faces_per_frame(&loader->model)) {
        return;
    }

    md2__repair_frames(loader, points, false);
    if (loader->model.defects & MD2_NORMALS_INWARD) {
        md2__repair_frames(loader, points, false);
    }
    if (loader->model.defects & MD2_NORMALS_WRONG) {
        md2__repair_frames(loader, points, true);
    }
}

/* Allocates the block of the model, copies the arrays to it, and builds the frames there. Returns
   NULL on failure. */
static md2_model *md2__build_model(md2__loader *loader)
{
    md2_model *model = &loader->model;
    md2_model  layout;
    md2_frame *frames;
    md2_point *points;

    uint64_t bytes = md2__lay_out_model(model, NULL, &layout, &frames, &points);
    uint8_t *block = (uint8_t *)md2__alloc(&loader->context, bytes);
    if (!block) {
        return NULL;
    }
    md2__lay_out_model(model, block, &layout, &frames, &points);
    *model = layout;
    model->bytes = (size_t)bytes;

    for (size_t i = 0; i < model->frame_count; ++i) {
        if (!md2__build_frame(loader, &frames[i], points + i * model->point_count, i)) {
            md2__release(&loader->context, block, model->bytes);
            return NULL;
        }
    }
    md2__compute_model_bounds(model);
    md2__detect_inward_faces(loader);
    md2__repair_normals(loader, points);
    model->private_data.self = block;
    return (md2_model *)memcpy(block, model, sizeof *model);
}

/* -- Loading: memory, reader, file ----------------------------------------- */

/* Prepares the loader and checks the options. */
static bool md2__init_loader(md2__loader *loader, const md2_options *options)
{
    memset(loader, 0, sizeof *loader);
    if (options) {
        loader->options = *options;
    }
    if (!md2__init_context(&loader->context, &loader->options.allocator,
                           loader->options.max_bytes)) {
        return false;
    }

    float scale = loader->options.scale;
    if (!(scale >= 0) || !md2__is_finite((double)scale)) { /* NaN also fails */
        return md2__fail(&loader->context, MD2_ERROR_ARGUMENT,
                         "options.scale is not a finite number above 0");
    }
    if (!(scale > 0)) {
        loader->options.scale = 1;
    }

    float fps = loader->options.fps;
    if (!(fps >= 0) || !md2__is_finite((double)fps)) {
        return md2__fail(&loader->context, MD2_ERROR_ARGUMENT,
                         "options.fps is not a finite number above 0");
    }

    uint32_t flags = loader->options.flags;
    if (flags & MD2_FRAME_NAMES && flags & MD2_QUAKE2_ANIMS) {
        return md2__fail(&loader->context, MD2_ERROR_ARGUMENT,
                         "MD2_FRAME_NAMES and MD2_QUAKE2_ANIMS exclude each other");
    }
    return true;
}

/* Sets the fields of the model that come from the header and the options. */
static void md2__init_model(md2__loader *loader)
{
    const uint32_t *header = loader->header;
    md2_model      *model = &loader->model;

    /* A negative size counts as unknown. */
    model->skin_width = header[MD2__SKIN_WIDTH] <= INT32_MAX ? header[MD2__SKIN_WIDTH] : 0;
    model->skin_height = header[MD2__SKIN_HEIGHT] <= INT32_MAX ? header[MD2__SKIN_HEIGHT] : 0;
    model->skin_count = header[MD2__NUM_SKINS];
    model->point_count = header[MD2__NUM_POINTS];
    model->frame_count = header[MD2__NUM_FRAMES];
    model->flags = loader->options.flags;
    model->allocator = loader->context.allocator;

    if (model->flags & MD2_Y_UP) {
        md2__map_normals(1, 1, loader->normal_map);
    }
}

/* Loads the model if there is input, releases all memory except the model's, and reports the
   error. */
static md2_model *md2__load_model(md2__loader *loader, bool has_input, const void *data,
                                  size_t size, md2_error *error)
{
    md2_model *model = NULL;
    loader->data = (const uint8_t *)data;
    loader->size = size;

    bool is_valid = has_input && md2__read_header(loader) && md2__check_frames(loader) &&
                    md2__check_sections(loader);
    if (is_valid && md2__reserve_scratch(loader)) {
        md2__init_model(loader);
        md2__build_skins(loader);
        md2__build_triangles(loader);
        md2__build_strips(loader);
        md2__build_anims(loader);
        model = md2__build_model(loader);
    }

    md2__release(&loader->context, loader->buffer.data, loader->buffer.capacity);
    md2__report_error(&loader->context, error);
    return model;
}

MD2_API md2_model *md2_load_memory(const void *data, size_t size, const md2_options *options,
                                   md2_error *error)
{
    md2__loader loader;
    bool        has_input = md2__init_loader(&loader, options);

    if (has_input && !data) {
        has_input = md2__fail(&loader.context, MD2_ERROR_ARGUMENT, "no data is given");
    }
    return md2__load_model(&loader, has_input, data, size, error);
}

MD2_API md2_model *md2_load_reader(const md2_reader *reader, const md2_options *options,
                                   md2_error *error)
{
    md2__loader loader;
    bool        has_input = md2__init_loader(&loader, options) &&
                            md2__read_stream(&loader.context, reader, &loader.buffer);

    return md2__load_model(&loader, has_input, loader.buffer.data, loader.buffer.size, error);
}

#ifndef MD2_NO_STDIO
MD2_API md2_model *md2_load_file(const char *path, const md2_options *options, md2_error *error)
{
    md2__loader loader;
    bool        has_input = md2__init_loader(&loader, options) &&
                            md2__read_file(&loader.context, path, &loader.buffer);

    return md2__load_model(&loader, has_input, loader.buffer.data, loader.buffer.size, error);
}
#endif

MD2_API void md2_free_model(md2_model *model)
{
    if (model && model->private_data.self == model) {
        md2_allocator allocator = model->allocator; /* a copy, because the block is released */
        allocator.release(allocator.user, model, model->bytes);
    }
}

/* -- Skins: paths ---------------------------------------------------------- */

enum { MD2__EXTENSION_COUNT = 10 };

/* The most likely extension first; lowercase before uppercase. */
static const char md2__image_extensions[MD2__EXTENSION_COUNT][6] = {
    ".pcx", ".png", ".tga", ".jpg", ".jpeg", ".bmp", ".PCX", ".PNG", ".TGA", ".JPG"
};

/* Returns the index of an extension. Prefers the same spelling, otherwise ignores case. Returns 0,
   the most likely extension, if none matches. */
static uint32_t md2__find_image_extension(const char *extension)
{
    for (uint32_t i = 0; i < MD2__EXTENSION_COUNT; ++i) {
        if (strcmp(extension, md2__image_extensions[i]) == 0) {
            return i;
        }
    }
    for (uint32_t i = 0; i < MD2__EXTENSION_COUNT; ++i) {
        if (md2__equals_ignoring_case(extension, md2__image_extensions[i])) {
            return i;
        }
    }
    return 0;
}

/* Returns true for a player's weapon ("weapon.md2", "w_railgun.md2") or ammunition
   ("a_grenades.md2"). */
static bool md2__is_weapon(md2__file_name model)
{
    char first = md2__to_lower(model.text[0]);
    bool has_prefix = (first == 'w' || first == 'a') && model.text[1] == '_';

    return has_prefix || md2__equals_ignoring_case(model.text, "weapon.md2");
}

/* Returns true if a player's weapon lists a skin such as "models/weapons/g_bfg/skin.pcx". That is
   the skin of the weapon on the ground, which has its own folder. In the player's folder, a picture
   with this name is the player's skin. */
static bool md2__is_skin_of_ground_weapon(md2__file_name listed, md2__file_name model)
{
    bool is_generic = listed.stem_length == 4 && (md2__begins_with(listed.text, 4, "skin") ||
                                                  md2__begins_with(listed.text, 4, "base"));
    bool is_same_folder = listed.folder_length == model.folder_length;
    for (size_t i = 0; is_same_folder && i < model.folder_length; ++i) {
        is_same_folder = md2__to_lower(listed.folder[i]) == md2__to_lower(model.folder[i]);
    }
    return is_generic && (listed.folder_length == 0 || !is_same_folder);
}

/* Lists the names that skins have in real folders, the most likely first. There are at most six,
   for which MD2__MAX_CANDIDATES has room. */
static void md2__list_skin_names(md2__candidate_list *list, md2__file_name listed,
                                 md2__file_name model)
{
    bool is_weapon = md2__is_weapon(model);
    bool is_ground_skin = is_weapon && md2__is_skin_of_ground_weapon(listed, model);

    if (!is_ground_skin) {
        md2__add_candidates(list, listed.text, listed.stem_length, "");
    }
    md2__add_candidates(list, model.text, model.stem_length, "");
    md2__add_candidates(list, model.text, model.stem_length, "0");

    /* A player's folder also contains the player's weapons, and these share a picture. */
    if (is_weapon) {
        md2__add_candidates(list, "weapon", 6, "");
    }
    md2__add_candidates(list, listed.text, listed.stem_length, "");
    md2__add_candidates(list, "skin", 4, "");

    /* A picture with the folder's name is the player's skin. A weapon that lists its own skin does
       not use that picture. A weapon that lists no skin may be the only model in a folder that is
       named after it. */
    bool has_own_skin = listed.length > 0;
    if (!is_weapon || !has_own_skin) {
        md2__add_candidates(list, model.folder, model.folder_length, "");
    }
}

MD2_API bool md2_find_skin(const md2_model *model, const char *model_path, uint32_t skin,
                           bool (*is_found)(void *user, const char *path), void *user, char *out,
                           size_t out_size)
{
    if (!model || !out || out_size == 0) {
        return false;
    }

    const char         *path = skin < model->skin_count ? model->skins[skin].path : "";
    md2__file_name      listed = md2__parse_file_name(path);
    md2__candidate_list list;
    list.count = 0;
    md2__list_skin_names(&list, listed, md2__parse_file_name(model_path));

    uint32_t         first = md2__find_image_extension(listed.text + listed.stem_length);
    md2__path_search search = { model_path, is_found, user, out, out_size };
    if (!is_found) {
        search.is_found = md2__is_file;
    }
    return md2__try_candidates(&search, &list, md2__image_extensions, MD2__EXTENSION_COUNT, first);
}

/* -- Skins: PCX ------------------------------------------------------------ */

/* A PCX is a header, packed pixels, and a palette of 256 colors, three bytes each, at the end. */
enum { MD2__PCX_HEADER_BYTES = 128, MD2__PCX_PALETTE_BYTES = 768 };

enum {                                /* offsets of fields of one byte in the header */
    MD2__PCX_MANUFACTURER = 0, MD2__PCX_ENCODING = 2, MD2__PCX_BITS_PER_PIXEL = 3,
    MD2__PCX_PLANES = 65,
    /* offsets of fields of two bytes */
    MD2__PCX_X_MIN = 4, MD2__PCX_Y_MIN = 6, MD2__PCX_X_MAX = 8, MD2__PCX_Y_MAX = 10,
    MD2__PCX_BYTES_PER_LINE = 66
};

typedef struct md2__pcx_image {
    const uint8_t *data;              /* the file */
    size_t         size;
    uint32_t       width, height;     /* in pixels, each at most 65,536 */
    uint32_t       row_bytes;         /* may be more than the width */
} md2__pcx_image;

MD2__COLD bool md2__read_pcx_header(md2__context *context, md2__pcx_image *pcx)
{
    const uint8_t *data = pcx->data;
    if (pcx->size < 4 || data[MD2__PCX_MANUFACTURER] != 10) { /* 10 = ZSoft */
        return md2__fail(context, MD2_ERROR_NOT_MD2, "not a PCX picture");
    }
    if (pcx->size < MD2__PCX_HEADER_BYTES + MD2__PCX_PALETTE_BYTES) {
        return md2__fail_at(context, MD2_ERROR_TRUNCATED, pcx->size,
                            "# bytes are too few for a PCX with a palette", NULL, pcx->size, 0);
    }

    /* Encoding 1 packs runs of equal pixels. Encoding 0, without packing, is almost never used. */
    if (data[MD2__PCX_ENCODING] != 1) {
        return md2__fail_at(context, MD2_ERROR_VERSION, MD2__PCX_ENCODING,
                            "a PCX with encoding #, not 1 (packed runs)", NULL,
                            data[MD2__PCX_ENCODING], 0);
    }

    /* One plane of eight bits holds indices of colors. */
    if (data[MD2__PCX_BITS_PER_PIXEL] != 8 || data[MD2__PCX_PLANES] != 1) {
        return md2__fail_at(context, MD2_ERROR_VERSION, MD2__PCX_BITS_PER_PIXEL,
                            "a PCX with # planes of # bits, not 1 plane of 8 bits", NULL,
                            data[MD2__PCX_PLANES], data[MD2__PCX_BITS_PER_PIXEL]);
    }

    /* The picture includes both the minimum and the maximum. */
    uint32_t x_min = md2__read_u16(data + MD2__PCX_X_MIN);
    uint32_t y_min = md2__read_u16(data + MD2__PCX_Y_MIN);
    uint32_t x_max = md2__read_u16(data + MD2__PCX_X_MAX);
    uint32_t y_max = md2__read_u16(data + MD2__PCX_Y_MAX);
    if (x_min > x_max) {
        return md2__fail_at(context, MD2_ERROR_CORRUPT, MD2__PCX_X_MIN,
                            "a PCX that begins at column # and ends at column #", NULL, x_min,
                            x_max);
    }
    if (y_min > y_max) {
        return md2__fail_at(context, MD2_ERROR_CORRUPT, MD2__PCX_Y_MIN,
                            "a PCX that begins at row # and ends at row #", NULL, y_min, y_max);
    }

    pcx->width = x_max - x_min + 1;
    pcx->height = y_max - y_min + 1;
    pcx->row_bytes = md2__read_u16(data + MD2__PCX_BYTES_PER_LINE);
    if (pcx->row_bytes < pcx->width) {
        return md2__fail_at(context, MD2_ERROR_CORRUPT, MD2__PCX_BYTES_PER_LINE,
                            "a PCX with rows of # bytes for # pixels", NULL, pcx->row_bytes,
                            pcx->width);
    }
    return true;
}

/* Reads a run: a color, and the number of pixels that have it. Returns the start of the next run,
   or NULL if this run ends after `end`. */
static const uint8_t *md2__read_pcx_run(const uint8_t *bytes, const uint8_t *end,
                                        uint8_t *color_index, uint32_t *run_length)
{
    /* A byte with its two highest bits set is a number, 0 to 63, and the next byte is the color.
       Any other byte is the color of one pixel. */
    *run_length = 1;
    if (bytes < end && *bytes >= 0xc0) {
        *run_length = *bytes & 0x3fu;
        ++bytes;
    }
    if (bytes == end) {
        return NULL;
    }
    *color_index = *bytes;
    return bytes + 1;
}

/* Writes the pixels as red, green, blue and alpha. Returns the end of the packed pixels, or NULL if
   they are truncated. */
static const uint8_t *md2__decode_pcx_pixels(const md2__pcx_image *pcx, uint8_t *pixels)
{
    const uint8_t *palette = pcx->data + pcx->size - MD2__PCX_PALETTE_BYTES;
    const uint8_t *bytes = pcx->data + MD2__PCX_HEADER_BYTES;
    uint32_t       run_length = 0; /* pixels left in the run; a run may continue in the next row */
    uint8_t        color_index = 0;

    for (uint32_t y = 0; y < pcx->height; ++y) {
        for (uint32_t x = 0; x < pcx->row_bytes; ++x) {
            while (run_length == 0) { /* a run may have length 0 */
                bytes = md2__read_pcx_run(bytes, palette, &color_index, &run_length);
                if (!bytes) {
                    return NULL;
                }
            }
            --run_length;

            if (x < pcx->width) {
                memcpy(pixels, palette + 3 * (size_t)color_index, 3);
                pixels[3] = 255;
                pixels += 4;
            }
        }
    }
    return bytes;
}

/* Reports that the pixels of a PCX are truncated. Always returns NULL. */
MD2__COLD uint8_t *md2__fail_pcx_pixels(md2__context *context, const md2__pcx_image *pcx)
{
    md2__fail_at(context, MD2_ERROR_TRUNCATED, pcx->size - MD2__PCX_PALETTE_BYTES,
                 "the PCX ends before its # x # pixels are complete", NULL, pcx->width,
                 pcx->height);
    return NULL;
}

/* [twin: images] "make twins" copies this into md5.h */
/* A header before the pixels of an image, with the data that is needed to release both. */
typedef struct md2__image_header {
    md2_allocator allocator;
    size_t        size;               /* of the block: this header and the pixels */
} md2__image_header;

/* Rounded up, so that the pixels have the alignment of the block. */
enum { MD2__IMAGE_HEADER_BYTES = (sizeof(md2__image_header) + 15) / 16 * 16 };

/* Returns memory for the pixels of an image; NULL and an error if there is not enough. */
static uint8_t *md2__alloc_image(md2__context *context, uint32_t width, uint32_t height)
{
    uint64_t size = MD2__IMAGE_HEADER_BYTES + (uint64_t)width * height * 4;
    uint8_t *block = (uint8_t *)md2__alloc(context, size);
    if (!block) {
        return NULL;
    }

    md2__image_header header = { context->allocator, (size_t)size };
    memcpy(block, &header, sizeof header);
    return block + MD2__IMAGE_HEADER_BYTES;
}

MD2_API void md2_free_image(uint8_t *pixels)
{
    if (!pixels) {
        return;
    }

    /* Copy the header, because it is in the block that is released. */
    uint8_t          *block = pixels - MD2__IMAGE_HEADER_BYTES;
    md2__image_header header;
    memcpy(&header, block, sizeof header);
    header.allocator.release(header.allocator.user, block, header.size);
}
/* [/twin: images] */

MD2__COLD uint8_t *md2__load_pcx_pixels(md2__context *context, const md2__pcx_image *pcx)
{
    /* Two bytes encode at most 63 pixels, and a last single byte encodes one. If the header claims
       more pixels, fail before any memory is allocated for them. */
    uint64_t packed_size = pcx->size - MD2__PCX_HEADER_BYTES - MD2__PCX_PALETTE_BYTES;
    uint64_t most_pixels = packed_size / 2 * 63 + 1;
    if ((uint64_t)pcx->row_bytes * pcx->height > most_pixels) {
        return md2__fail_pcx_pixels(context, pcx);
    }

    uint8_t *pixels = md2__alloc_image(context, pcx->width, pcx->height);
    if (!pixels) {
        return NULL;
    }
    const uint8_t *pixels_end = md2__decode_pcx_pixels(pcx, pixels);
    if (!pixels_end) {
        md2_free_image(pixels);
        return md2__fail_pcx_pixels(context, pcx);
    }

    /* A byte of 12 should come between the pixels and the palette. In real files, this byte may
       have another value, or be missing. But if the pixels end where the last 768 bytes begin, and
       the first of these bytes is 12, then it is the byte before the palette: only 767 bytes of the
       palette are left, so the last byte of the file is missing. */
    const uint8_t *palette = pcx->data + pcx->size - MD2__PCX_PALETTE_BYTES;
    if (pixels_end == palette && *palette == 12) {
        md2_free_image(pixels);
        md2__fail_at(context, MD2_ERROR_TRUNCATED, pcx->size,
                     "the last byte of the PCX, a part of its palette, is missing", NULL, 0, 0);
        return NULL;
    }
    return pixels;
}

MD2_API uint8_t *md2_load_pcx_memory(const void *data, size_t size, uint32_t *width,
                                     uint32_t *height, const md2_options *options,
                                     md2_error *error)
{
    md2__context   context;
    md2__pcx_image pcx = { (const uint8_t *)data, size, 0, 0, 0 };
    uint8_t       *pixels = NULL;

    bool has_input = md2__init_context(&context, options ? &options->allocator : NULL,
                                       options ? options->max_bytes : 0);
    if (has_input && (!data || !width || !height)) {
        has_input = md2__fail(&context, MD2_ERROR_ARGUMENT, "no data, width or height is given");
    }
    if (has_input && md2__read_pcx_header(&context, &pcx)) {
        pixels = md2__load_pcx_pixels(&context, &pcx);
    }

    if (pixels) {
        *width = pcx.width;
        *height = pcx.height;
    }
    md2__report_error(&context, error);
    return pixels;
}

/* -- Skins: pictures ------------------------------------------------------- */

#if defined(MD2_STB_IMAGE) && !defined(MD2_NO_STDIO)

/* [twin: pictures] "make twins" copies this into md5.h */
typedef struct md2__picture_search {  /* a search for the picture of a model */
    md2__context context;             /* allocates the path and pixels; holds the error */
    char        *path;                /* the path to try; if no file is found, the first path */
    size_t       path_size;
    uint8_t     *pixels;              /* RGBA, top row first; NULL if no picture is found */
    uint32_t     width, height;
} md2__picture_search;

/* Decodes a file to search->pixels. On failure, the message contains the path of the file. The two
   headers define this function differently, after the code that they share. */
static void md2__decode_picture(md2__picture_search *search, const md2__buffer *file);

static void md2__append_path(md2__picture_search *search)
{
    md2__append_to_message(&search->context.error, ": ");
    md2__append_to_message(&search->context.error, search->path);
}

static void md2__decode_with_stb(md2__picture_search *search, const md2__buffer *file)
{
    /* The 4 requests RGBA, for any number of channels in the file. */
    int      width, height, channels;
    uint8_t *decoded = stbi_load_from_memory(file->data, (int)file->size, &width, &height,
                                             &channels, 4);
    if (!decoded) {
        /* A build of stb_image may lack the format, and may also lack the texts of its errors. */
        const char *reason = stbi_failure_reason();
        md2__fail_text(&search->context, MD2_ERROR_CORRUPT, "stb_image cannot read $",
                       search->path);
        if (reason) {
            md2__append_to_message(&search->context.error, ": ");
            md2__append_to_message(&search->context.error, reason);
        }
        return;
    }

    search->width = (uint32_t)width;
    search->height = (uint32_t)height;
    search->pixels = md2__alloc_image(&search->context, search->width, search->height);
    if (search->pixels) {
        memcpy(search->pixels, decoded, (size_t)search->width * search->height * 4);
    } else {
        md2__append_path(search);
    }
    stbi_image_free(decoded);
}

/* Returns true if a file can be decoded. If a file cannot be opened or read, this is not an error,
   because the next path may be the right one. If a file is too large or is not a picture, this is
   an error, unless a later file is a picture. */
static bool md2__is_picture(void *user, const char *path)
{
    md2__picture_search *search = (md2__picture_search *)user;
    md2__context        *context = &search->context;

    /* The file may have up to 64 MiB, the default limit, even if max_bytes is more. */
    md2__context file_context;
    md2__init_context(&file_context, &context->allocator, 0);
    if (file_context.max_bytes > context->max_bytes) {
        file_context.max_bytes = context->max_bytes;
    }

    md2__buffer file = { NULL, 0, 0 };
    if (md2__read_file(&file_context, path, &file)) {
        md2__decode_picture(search, &file);
    } else if (file_context.error.code == MD2_ERROR_LIMIT) {
        md2__fail_numbers(context, MD2_ERROR_LIMIT, "$ is too large: # bytes or more", path,
                          file_context.max_bytes, 0);
    } else if (file_context.error.code == MD2_ERROR_MEMORY) {
        context->error = file_context.error;
        md2__append_path(search);
    }
    md2__release(&file_context, file.data, file.capacity);
    return search->pixels != NULL;
}

/* Allocates the path, with room for every path to a picture: a folder, a name from `model_path` or
   `listed`, and an extension. */
static bool md2__begin_picture_search(md2__picture_search *search, const md2_options *options,
                                      const char *model_path, const char *listed)
{
    memset(search, 0, sizeof *search);
    if (!md2__init_context(&search->context, options ? &options->allocator : NULL,
                           options ? options->max_bytes : 0)) {
        return false;
    }

    search->path_size = 2 * (model_path ? strlen(model_path) : 0) + strlen(listed) + 64;
    search->path = (char *)md2__alloc(&search->context, search->path_size);
    if (!search->path) {
        return false;
    }
    search->path[0] = 0;
    return true;
}

/* Sets the error. If no file was found, the message is `format` with `text` or `number`, which
   names the part of the model that has no picture, followed by the first path that was tried. */
static void md2__end_picture_search(md2__picture_search *search, const char *format,
                                    const char *text, uint32_t number)
{
    if (search->pixels) {
        memset(&search->context.error, 0, sizeof search->context.error); /* from an earlier path */
    } else if (search->context.error.code == MD2_OK) {
        md2__fail_numbers(&search->context, MD2_ERROR_OPEN, format, text, number, 0);
        md2__append_to_message(&search->context.error, search->path);
    }
}

/* Returns the pixels and reports the error of a search that has ended. */
static uint8_t *md2__report_picture(md2__picture_search *search, uint32_t *width, uint32_t *height,
                                    md2_error *error)
{
    if (search->pixels) {
        *width = search->width;
        *height = search->height;
    }
    md2__release(&search->context, search->path, search->path_size);
    md2__report_error(&search->context, error);
    return search->pixels;
}
/* [/twin: pictures] */

/* Decodes a PCX directly, and all other formats with stb_image. */
static void md2__decode_picture(md2__picture_search *search, const md2__buffer *file)
{
    md2_options options;
    md2_error   pcx_error;
    memset(&options, 0, sizeof options);
    options.allocator = search->context.allocator;
    options.max_bytes = search->context.max_bytes;
    search->pixels = md2_load_pcx_memory(file->data, file->size, &search->width, &search->height,
                                         &options, &pcx_error);
    if (search->pixels) {
        return;
    }

    /* If stb_image also fails to read a PCX, the first error is more helpful. */
    md2__decode_with_stb(search, file);
    if (!search->pixels && pcx_error.code != MD2_ERROR_NOT_MD2) {
        search->context.error = pcx_error;
        md2__append_path(search);
    }
}

/* Searches for the picture of a skin. The caller must release search->path. */
static void md2__search_skin(md2__picture_search *search, const md2_model *model,
                             const char *model_path, uint32_t skin, const md2_options *options)
{
    const char *listed = skin < model->skin_count ? model->skins[skin].path : "";
    if (!md2__begin_picture_search(search, options, model_path, listed)) {
        return;
    }

    md2_find_skin(model, model_path, skin, md2__is_picture, search, search->path,
                  search->path_size);
    if (skin >= model->skin_count) {
        listed = "of a model that lists none";
    }
    md2__end_picture_search(search, "no picture for the skin $; first tried: ", listed, 0);
}

MD2_API uint8_t *md2_load_skin(const md2_model *model, const char *model_path, uint32_t skin,
                               uint32_t *width, uint32_t *height, const md2_options *options,
                               md2_error *error)
{
    if (!model || !width || !height) {
        md2__context context;
        md2__init_context(&context, NULL, 0);
        md2__fail(&context, MD2_ERROR_ARGUMENT, "no model, width or height is given");
        md2__report_error(&context, error);
        return NULL;
    }

    md2__picture_search search;
    md2__search_skin(&search, model, model_path, skin, options);
    return md2__report_picture(&search, width, height, error);
}

#endif

/* -- Poses ----------------------------------------------------------------- */

MD2_API double md2_anim_length(const md2_anim *anim, md2_mode mode)
{
    if (!anim) {
        return 0;
    }
    return md2__count_cycle_steps(anim->count, mode, true) / md2__frame_rate(anim->fps);
}

/* A weighted sum of different frames, before it is reduced to the eight frames of a pose. It never
   gets more than 16 frames: md2_pose_mix adds 8 from each of 2 poses, a player 2 from each of 4
   tracks. */
typedef struct md2__pose_blend {
    uint32_t count;                   /* number of entries in use */
    uint16_t frames[2 * MD2_MAX_POSE_FRAMES]; /* indices in the model */
    float    weights[2 * MD2_MAX_POSE_FRAMES]; /* above 0, with any sum */
} md2__pose_blend;

/* Adds a frame of the model to a blend. If the blend already has the frame, adds to its weight. */
static void md2__accumulate_frame(md2__pose_blend *blend, uint32_t index, float weight)
{
    /* A pose has 16 bits for the index of a frame. Larger indices become the largest, which
       decoding clamps to the last frame of the model. */
    uint16_t frame = (uint16_t)(index < UINT16_MAX ? index : UINT16_MAX);

    if (!(weight > 0)) {
        return; /* also for NaN */
    }

    for (uint32_t i = 0; i < blend->count; ++i) {
        if (blend->frames[i] == frame) {
            blend->weights[i] += weight;
            return;
        }
    }

    blend->frames[blend->count] = frame;
    blend->weights[blend->count] = weight;
    ++blend->count;
}

/* the pose that a count of 0 means */
static const md2_pose md2__first_frame = { 1, { 0 }, { 1 } };

/* Adds the frames of a pose, with their weights multiplied by `weight`. */
static void md2__accumulate_pose(md2__pose_blend *blend, const md2_pose *pose, float weight)
{
    if (pose->count == 0) {
        pose = &md2__first_frame;
    }
    for (uint32_t i = 0; i < pose->count && i < MD2_MAX_POSE_FRAMES; ++i) {
        md2__accumulate_frame(blend, pose->frame[i], pose->weight[i] * weight);
    }
}

/* Adds the pose of an animation after `seconds`: the two frames around that time share `weight`. */
static void md2__accumulate_anim(md2__pose_blend *blend, const md2_anim *anim, md2_mode mode,
                                 double seconds, float weight)
{
    uint32_t frame_count = anim->count ? anim->count : 1; /* an empty one shows its first frame */
    double   cycle_steps = md2__count_cycle_steps(frame_count, mode, true);
    double   steps = md2__count_steps(seconds, md2__frame_rate(anim->fps), cycle_steps, mode);
    double   position = md2__compute_frame_position(steps, cycle_steps, mode);

    /* Position 2.25 is between frames 2 and 3, counted from the first frame of the animation. After
       the last frame, frame_count - 1, a loop continues with the first frame; the other modes
       stay. */
    uint32_t frame = (uint32_t)position;
    uint32_t next = frame + 1;
    if (next >= frame_count) {
        next = mode == MD2_LOOP ? 0 : frame;
    }

    /* t is the fraction of the next frame, 0.25 at position 2.25. */
    float t = next != frame ? (float)(position - frame) : 0.0f;
    md2__accumulate_frame(blend, anim->first + frame, (1 - t) * weight);
    md2__accumulate_frame(blend, anim->first + next, t * weight);
}

/* Removes the frame with the least weight, or the first of several. The last frame moves to its
   index. */
static void md2__remove_lightest_frame(md2__pose_blend *blend)
{
    uint32_t last = blend->count - 1;
    uint32_t lightest = 0;

    for (uint32_t i = 1; i <= last; ++i) {
        if (blend->weights[i] < blend->weights[lightest]) {
            lightest = i;
        }
    }

    blend->frames[lightest] = blend->frames[last];
    blend->weights[lightest] = blend->weights[last];
    blend->count = last;
}

/* Returns the sum of all weights. The weights of a pose from the user may be infinite, or add up to
   more than a float can hold. Then all weights are divided by the same number first. */
static float md2__sum_weights(md2__pose_blend *blend)
{
    float sum = 0;
    for (uint32_t i = 0; i < blend->count; ++i) {
        sum += blend->weights[i];
    }
    if (sum <= FLT_MAX) {
        return sum;
    }

    sum = 0;
    for (uint32_t i = 0; i < blend->count; ++i) {
        float weight = blend->weights[i] < FLT_MAX ? blend->weights[i] : FLT_MAX;
        blend->weights[i] = weight / (2 * MD2_MAX_POSE_FRAMES);
        sum += blend->weights[i];
    }
    return sum;
}

/* Returns a pose of the heaviest frames, at most `most`, with weights that add up to 1. If the
   blend is empty, the pose has no frames. */
static md2_pose md2__reduce_pose_blend(md2__pose_blend *blend, uint32_t most)
{
    while (blend->count > most) {
        md2__remove_lightest_frame(blend);
    }

    float    weight_sum = md2__sum_weights(blend);
    md2_pose pose;
    memset(&pose, 0, sizeof pose);
    pose.count = blend->count;
    for (uint32_t i = 0; i < pose.count; ++i) {
        pose.frame[i] = blend->frames[i];
        pose.weight[i] = blend->weights[i] / weight_sum;
    }
    return pose;
}

MD2_API md2_pose md2_pose_at(const md2_anim *anim, md2_mode mode, double seconds)
{
    md2__pose_blend blend;

    blend.count = 0;
    if (anim) {
        md2__accumulate_anim(&blend, anim, mode, seconds, 1);
    }
    return md2__reduce_pose_blend(&blend, MD2_MAX_POSE_FRAMES);
}

MD2_API md2_pose md2_pose_between(uint32_t frame_a, uint32_t frame_b, float t)
{
    md2__pose_blend blend;

    blend.count = 0;
    t = md2__clamp01(t);
    md2__accumulate_frame(&blend, frame_a, 1 - t);
    md2__accumulate_frame(&blend, frame_b, t);
    return md2__reduce_pose_blend(&blend, MD2_MAX_POSE_FRAMES);
}

MD2_API md2_pose md2_pose_mix(md2_pose a, md2_pose b, float t)
{
    md2__pose_blend blend;

    blend.count = 0;
    t = md2__clamp01(t);
    md2__accumulate_pose(&blend, &a, 1 - t);
    md2__accumulate_pose(&blend, &b, t);
    return md2__reduce_pose_blend(&blend, MD2_MAX_POSE_FRAMES);
}

MD2_API md2_pose md2_pose_reduce(md2_pose pose, uint32_t count)
{
    md2__pose_blend blend;

    blend.count = 0;
    md2__accumulate_pose(&blend, &pose, 1);
    if (blend.count == 0) {
        return md2__first_frame; /* no weight is above 0 */
    }
    return md2__reduce_pose_blend(&blend, count > 0 ? count : 1);
}

/* The square of 1e-6. A shorter sum of normals has no direction, because the normals cancel each
   other. */
static const float md2__min_normal_squared = 1e-12f;

/* A pose of a model, prepared to decode its points. Each frame stores positions as whole numbers,
   on its own grid. A coordinate in the pose is origin[axis] plus, for each frame, the number stored
   in the frame * scales[frame][axis]. The origin and the scales include the weights of the
   frames. */
typedef struct md2__decoder {
    uint32_t         count;           /* number of frames, 1 to 8 */
    bool             is_lerp;         /* linear interpolation of one or two frames, not smoothed */
    const md2_point *points[MD2_MAX_POSE_FRAMES]; /* [frame][point] */
    const md2_fine  *fine[MD2_MAX_POSE_FRAMES]; /* replaces points in a smoothed model; else NULL */
    float            scales[MD2_MAX_POSE_FRAMES][4]; /* [frame][axis]; the fourth axis is 0 */
    float            weights[MD2_MAX_POSE_FRAMES]; /* for normals, which are not on a grid */
    float            origin[4];       /* weighted sum of the grids' origins; the fourth axis is 0 */
    float            fallback_normal[4]; /* straight up, used if normals cancel each other */
} md2__decoder;

/* Finds the grid of a frame's points: coordinate = origin + number * step. Returns the origin,
   which is the coordinate of number 0. */
static float md2__find_point_grid(const md2_frame *frame, size_t axis, float *step)
{
    if (frame->fine) {
        /* Each byte of the file is divided into 256 numbers. The middle one, 256 * byte + 128, has
           the coordinate of the byte, translate + byte * scale. */
        *step = frame->scale[axis] / 256;
        return frame->translate[axis] - 128 * *step;
    }

    *step = frame->scale[axis];
    return frame->translate[axis];
}

/* Prepares to decode a pose. `pose` may be NULL. Frames after the last frame of the model become
   the last frame. */
static void md2__init_decoder(md2__decoder *decoder, const md2_model *model, const md2_pose *pose)
{
    if (!pose || pose->count == 0) {
        pose = &md2__first_frame;
    }

    memset(decoder, 0, sizeof *decoder);
    decoder->count = pose->count;
    if (decoder->count > MD2_MAX_POSE_FRAMES) {
        decoder->count = MD2_MAX_POSE_FRAMES;
    }
    decoder->fallback_normal[model->flags & MD2_Y_UP ? 1 : 2] = 1;

    uint32_t last_frame = model->frame_count - 1;
    for (uint32_t i = 0; i < decoder->count; ++i) {
        uint32_t         index = pose->frame[i] < last_frame ? pose->frame[i] : last_frame;
        const md2_frame *frame = &model->frames[index];

        decoder->points[i] = frame->points;
        decoder->fine[i] = frame->fine;
        decoder->weights[i] = pose->weight[i];
        for (uint32_t axis = 0; axis < 3; ++axis) {
            float step;
            float origin = md2__find_point_grid(frame, axis, &step);
            decoder->scales[i][axis] = step * pose->weight[i];
            decoder->origin[axis] += origin * pose->weight[i];
        }
    }

    /* Most poses are a lerp, which has faster code. Either all frames of a model are smoothed, or
       none. */
    decoder->is_lerp = decoder->count <= 2 && !decoder->fine[0];

    /* The faster code always adds two frames. In a pose of one frame, it adds the same points
       again, with weights[1] and scales[1], which are 0. */
    if (decoder->count == 1) {
        decoder->points[1] = decoder->points[0];
    }
}

/* -- Smoothing: decoding --------------------------------------------------- */

/* Loads the three numbers of a position, 0 to 65,535 each; see md2__find_point_grid. The fourth
   lane may hold anything, because it is multiplied by a scale of 0. */
MD2__FORCE_INLINE md2__f4 md2__load_fine_position(const md2_fine *fine)
{
#if defined(MD2__SSE2)
    __m128i words = _mm_loadl_epi64((const __m128i *)(const void *)fine); /* includes the normal */
    return _mm_cvtepi32_ps(_mm_unpacklo_epi16(words, _mm_setzero_si128()));
#else
    float numbers[4] = { (float)fine->position[0], (float)fine->position[1],
                         (float)fine->position[2], 0 };
    return md2__f4_load(numbers);
#endif
}

/* Decodes the octahedral map of md2__encode_normal (Meyer and others 2010, On Floating-Point Normal
   Vectors). The normal has any length. */
MD2__FORCE_INLINE md2__f4 md2__load_fine_normal(const md2_fine *fine)
{
    /* The stored x and y belong to a point on the octahedron |x| + |y| + |z| = 127. */
    int x = (fine->normal & 0xff) - 128;
    int y = (fine->normal >> 8) - 128;
    int z = 127 - (x < 0 ? -x : x) - (y < 0 ? -y : y);

    /* The lower half is folded outward: |z| was added to both |x| and |y|. So the stored |x| + |y|
       is 127 + |z|, and the z computed above, 127 minus this sum, is -|z|, which is right in the
       lower half as well. */
    int fold = z < 0 ? -z : 0;
    x = x < 0 ? x + fold : x - fold;
    y = y < 0 ? y + fold : y - fold;

#if defined(MD2__SSE2)
    return _mm_cvtepi32_ps(_mm_setr_epi32(x, y, z, 0));
#else
    float values[4] = { (float)x, (float)y, (float)z, 0 };
    return md2__f4_load(values);
#endif
}

/* -- Poses: decoding ------------------------------------------------------- */

/* Adds a frame of the pose to a position or a normal. Callers pass constants for `fine` and
   `normals`, so that no branch is left in their loops. */
MD2__FORCE_INLINE md2__f4 md2__add_frame(const md2__decoder *decoder, uint32_t frame, bool fine,
                                         bool normals, size_t point, md2__f4 sum)
{
    const md2_point *points = decoder->points[frame];
    const md2_fine  *fine_points = decoder->fine[frame];

    if (normals) {
        md2__f4 normal = fine ? md2__load_fine_normal(&fine_points[point])
                              : md2__f4_load(md2__normals[points[point].normal]);
        return md2__f4_add(sum, md2__f4_mul(normal, md2__f4_splat(decoder->weights[frame])));
    }

    /* The fourth number is the normal's, which a fourth scale of 0 removes. */
    md2__f4 numbers = fine ? md2__load_fine_position(&fine_points[point])
                           : md2__f4_load_point(&points[point]);
    return md2__f4_add(sum, md2__f4_mul(numbers, md2__f4_load(decoder->scales[frame])));
}

/* Decodes a position, or a normal of any length, from a pose that is a lerp. */
MD2__FORCE_INLINE md2__f4 md2__decode_lerp_vector(const md2__decoder *decoder, bool normals,
                                                  size_t point)
{
    md2__f4 sum = normals ? md2__f4_splat(0) : md2__f4_load(decoder->origin);

    sum = md2__add_frame(decoder, 0, false, normals, point, sum);
    return md2__add_frame(decoder, 1, false, normals, point, sum);
}

/* Decodes four positions, or four normals of any length, from any pose. The four are written out
   here and below because gcc's code for loops has 20 % to 50 % more instructions. */
MD2__FORCE_INLINE void md2__add_frames_x4(const md2__decoder *decoder, bool fine, bool normals,
                                          const size_t points[4], md2__f4 out[4])
{
    md2__f4 start = normals ? md2__f4_splat(0) : md2__f4_load(decoder->origin);
    md2__f4 sums[4]; /* not `out`: a compiler must assume that it overlaps the decoder */

    sums[0] = start;
    sums[1] = start;
    sums[2] = start;
    sums[3] = start;
    for (uint32_t i = 0; i < decoder->count; ++i) {
        sums[0] = md2__add_frame(decoder, i, fine, normals, points[0], sums[0]);
        sums[1] = md2__add_frame(decoder, i, fine, normals, points[1], sums[1]);
        sums[2] = md2__add_frame(decoder, i, fine, normals, points[2], sums[2]);
        sums[3] = md2__add_frame(decoder, i, fine, normals, points[3], sums[3]);
    }
    memcpy(out, sums, sizeof sums);
}

/* Normalizes four normals with one square root and one division. Returns false, and changes
   nothing, if any of them has no direction. */
MD2__FORCE_INLINE bool md2__normalize_vectors_x4(md2__f4 normals[4])
{
    /* After the transposition, axes[0] has the x of all four normals, axes[1] the y, axes[2] the
       z. */
    md2__f4 axes[4];
    memcpy(axes, normals, sizeof axes);
    md2__f4_transpose(axes);

    md2__f4 squares = md2__f4_length_squared(axes);
    if (!md2__f4_all_greater(squares, md2__f4_splat(md2__min_normal_squared))) {
        return false;
    }

    /* Each row holds 1 / length of normals 0, 1, 2, 3. After the transposition, all of row i
       is the factor of normal i. */
    md2__f4 factors[4];
    factors[0] = md2__f4_div(md2__f4_splat(1), md2__f4_sqrt(squares));
    factors[1] = factors[0];
    factors[2] = factors[0];
    factors[3] = factors[0];
    md2__f4_transpose(factors);

    normals[0] = md2__f4_mul(normals[0], factors[0]);
    normals[1] = md2__f4_mul(normals[1], factors[1]);
    normals[2] = md2__f4_mul(normals[2], factors[2]);
    normals[3] = md2__f4_mul(normals[3], factors[3]);
    return true;
}

/* Normalizes each normal separately. Normals without a direction become the fallback normal. */
MD2__COLD void md2__normalize_or_replace_x4(const md2__decoder *decoder, md2__f4 normals[4])
{
    for (int i = 0; i < 4; ++i) {
        float normal[4];
        md2__f4_store(normal, normals[i]);

        float squared = md2__vec3_dot(normal, normal);
        if (squared > md2__min_normal_squared) {
            normals[i] = md2__f4_mul(normals[i], md2__f4_splat(1 / md2__sqrt(squared)));
        } else {
            normals[i] = md2__f4_load(decoder->fallback_normal);
        }
    }
}

/* Decodes four positions, or four unit normals, from any pose. */
MD2__NOINLINE void md2__decode_vectors_x4(const md2__decoder *decoder, bool normals,
                                          const size_t points[4], md2__f4 out[4])
{
#ifdef MD2_SMOOTH
    bool fine = decoder->fine[0] != NULL;
#else
    bool fine = false; /* no md2_smooth_model, so the compiler drops two of the loops */
#endif

    /* Each call compiles to a separate loop, in which the conditions are constants. */
    if (fine && normals) {
        md2__add_frames_x4(decoder, true, true, points, out);
    } else if (fine) {
        md2__add_frames_x4(decoder, true, false, points, out);
    } else if (normals) {
        md2__add_frames_x4(decoder, false, true, points, out);
    } else {
        md2__add_frames_x4(decoder, false, false, points, out);
    }

    if (normals && !md2__normalize_vectors_x4(out)) {
        md2__normalize_or_replace_x4(decoder, out);
    }
}

/* Stores the first three floats of four vectors, `stride` bytes apart. */
static inline void md2__store_float3_x4(uint8_t *out, size_t stride, const md2__f4 values[4])
{
#if defined(MD2__SIMD)
    /* Storing four floats at a time is faster. In a packed array, the fourth float belongs to the
       next vector, and the next store overwrites it. Of the last vector, only three floats are
       stored, because the array may end there. */
    if (stride == 3 * sizeof(float)) {
        float *floats = (float *)(void *)out;
        md2__f4_store(floats, values[0]);
        md2__f4_store(floats + 3, values[1]);
        md2__f4_store(floats + 6, values[2]);
        md2__f4_store3(floats + 9, values[3]);
        return;
    }
#endif
    md2__f4_store3(out, values[0]);
    md2__f4_store3(out + stride, values[1]);
    md2__f4_store3(out + 2 * stride, values[2]);
    md2__f4_store3(out + 3 * stride, values[3]);
}

/* Writes the positions or normals of `count` vertices in any pose. */
MD2__NOINLINE void md2__write_vertices(const md2__decoder *decoder, bool normals, size_t count,
                                       const md2_vertex *vertices, uint8_t *out, size_t stride)
{
    md2__f4 values[4];
    size_t  points[4];

    while (count >= 4) {
        for (size_t i = 0; i < 4; ++i) {
            points[i] = vertices[i].point;
        }
        md2__decode_vectors_x4(decoder, normals, points, values);
        md2__store_float3_x4(out, stride, values);

        vertices += 4;
        out += 4 * stride;
        count -= 4;
    }
    if (count == 0) {
        return;
    }

    /* One to three vertices are left. The first of them fills the missing entries. */
    for (size_t i = 0; i < 4; ++i) {
        points[i] = vertices[i < count ? i : 0].point;
    }
    md2__decode_vectors_x4(decoder, normals, points, values);
    for (size_t i = 0; i < count; ++i) {
        md2__f4_store3(out + i * stride, values[i]);
    }
}

/* Writes the positions or normals of all vertices; nothing if `floats` is NULL. */
MD2__FORCE_INLINE void md2__write_model(const md2__decoder *decoder, bool normals,
                                        const md2_model *model, float *floats, size_t stride)
{
    const md2_vertex *vertices = model->vertices;
    uint8_t          *out = (uint8_t *)floats;
    size_t            count = model->vertex_count;

    if (!out) {
        return;
    }
    stride = stride ? stride : 3 * sizeof(float);

    /* The faster code writes four vertices at a time. It stops at four normals if any of them has
       no direction. */
    while (decoder->is_lerp && count >= 4) {
        md2__f4 values[4];
        values[0] = md2__decode_lerp_vector(decoder, normals, vertices[0].point);
        values[1] = md2__decode_lerp_vector(decoder, normals, vertices[1].point);
        values[2] = md2__decode_lerp_vector(decoder, normals, vertices[2].point);
        values[3] = md2__decode_lerp_vector(decoder, normals, vertices[3].point);
        if (normals && !md2__normalize_vectors_x4(values)) {
            break;
        }
        md2__store_float3_x4(out, stride, values);

        vertices += 4;
        out += 4 * stride;
        count -= 4;
    }

    /* Write the vertices that are left: all of them if the pose is not a lerp. */
    md2__write_vertices(decoder, normals, count, vertices, out, stride);
}

MD2_API void md2_pose_vertices(const md2_model *model, const md2_pose *pose,
                               float *positions, size_t position_stride,
                               float *normals,   size_t normal_stride)
{
    md2__decoder decoder;

    if (model) {
        md2__init_decoder(&decoder, model, pose);
        md2__write_model(&decoder, false, model, positions, position_stride);
        md2__write_model(&decoder, true, model, normals, normal_stride);
    }
}

/* Computes the bounds of `count` points, at least one. */
static void md2__bound_points(const md2__decoder *decoder, size_t count, float *min, float *max)
{
    size_t  points[4] = { 0, 0, 0, 0 };
    md2__f4 v[4];
    md2__decode_vectors_x4(decoder, false, points, v); /* decodes point 0 four times */
    md2__f4 low = v[0], high = v[0];

    /* The faster code handles one point at a time. */
    size_t i = 0;
    for (; decoder->is_lerp && i < count; ++i) {
        md2__f4 position = md2__decode_lerp_vector(decoder, false, i);
        low = md2__f4_min(position, low);
        high = md2__f4_max(position, high);
    }

    /* Decode the points that are left, four at a time: all of them if the pose is not a lerp. */
    for (; i < count; i += 4) {
        /* Up to three of the last four may be missing. The first of the four fills their
           entries. */
        for (size_t k = 0; k < 4; ++k) {
            points[k] = i + k < count ? i + k : i;
        }
        md2__decode_vectors_x4(decoder, false, points, v);
        low = md2__f4_min(md2__f4_min(md2__f4_min(v[0], v[1]), md2__f4_min(v[2], v[3])), low);
        high = md2__f4_max(md2__f4_max(md2__f4_max(v[0], v[1]), md2__f4_max(v[2], v[3])), high);
    }

    md2__f4_store3(min, low);
    md2__f4_store3(max, high);
}

MD2_API void md2_pose_bounds(const md2_model *model, const md2_pose *pose, float min[3],
                             float max[3])
{
    md2__decoder decoder;

    if (model && min && max) {
        md2__init_decoder(&decoder, model, pose);
        md2__bound_points(&decoder, model->point_count, min, max);
    }
}

/* Computes the outward normal of a triangle. `to_second` and `to_third` are unit vectors from its
   first corner to the others; `clockwise` is the order of the corners when seen from outside.
   Returns false if the two vectors are almost parallel. */
static bool md2__find_outward_normal(const float to_second[3], const float to_third[3],
                                     bool clockwise, float normal[3])
{
    if (clockwise) {
        md2__vec3_cross(to_third, to_second, normal);
    } else {
        md2__vec3_cross(to_second, to_third, normal);
    }

    /* The length of the cross product is the sine of the angle between the vectors. */
    return md2__vec3_normalize(normal) > 1e-6f;
}

MD2_API bool md2_pose_triangle(const md2_model *model, const md2_pose *pose, uint32_t triangle,
                               float out[16])
{
    if (!model || !out || triangle >= model->index_count / 3) {
        return false;
    }

    size_t points[4] = { 0, 0, 0, 0 }; /* the fourth is not used */
    for (uint32_t i = 0; i < 3; ++i) {
        points[i] = model->vertices[model->indices[3 * triangle + i]].point;
    }

    md2__decoder decoder;
    md2__f4      corner[4];
    md2__init_decoder(&decoder, model, pose);
    md2__decode_vectors_x4(&decoder, false, points, corner);

    /* The columns of the matrix are x at out[0], y at out[4], z at out[8], and the origin, which is
       the mean of the corners, at out[12]. If no axes are found, only the origin is set. */
    memset(out, 0, 16 * sizeof(float));
    md2__f4 centroid = md2__f4_splat(0);
    for (uint32_t i = 0; i < 3; ++i) {
        centroid = md2__f4_add(centroid, md2__f4_div(corner[i], md2__f4_splat(3)));
    }
    md2__f4_store3(out + 12, centroid);
    out[15] = 1;

    float to_second[3], to_third[3], normal[3];
    md2__f4_store3(to_second, md2__f4_sub(corner[1], corner[0]));
    md2__f4_store3(to_third, md2__f4_sub(corner[2], corner[0]));
    float second_length = md2__vec3_normalize(to_second);
    float third_length = md2__vec3_normalize(to_third);
    if (!(second_length > 0 && third_length > 0)) {
        return false;
    }
    bool clockwise = md2__are_triangles_clockwise(model);
    if (!md2__find_outward_normal(to_second, to_third, clockwise, normal)) {
        return false;
    }

    /* x is the first edge, y is normal cross x, and z is x cross y. This z is the normal again, but
       exactly perpendicular to x: rounding leaves the normal of a thin triangle slightly
       oblique. */
    memcpy(out, to_second, sizeof to_second);
    md2__vec3_cross(normal, out, out + 4);
    md2__vec3_normalize(out + 4);
    md2__vec3_cross(out, out + 4, out + 8);
    return true;
}

#ifdef MD2_SMOOTH
  #include "md2_smooth.h"
#endif

/* -- Playback -------------------------------------------------------------- */

/* Returns a track at its start. An animation without frames counts as no animation. */
static md2_track md2__make_track(const md2_anim *anim, md2_mode mode)
{
    md2_track track;
    memset(&track, 0, sizeof track);
    track.mode = mode;
    if (anim && anim->count > 0) {
        track.anim = *anim;
    }
    return track;
}

static uint32_t md2__track_frame_count(const md2_track *track)
{
    return track->anim.count;
}

/* Returns the frame rate of a track, in frames per second. */
static double md2__track_frame_rate(const md2_track *track)
{
    return md2__frame_rate(track->anim.fps);
}

/* Returns the number of steps from frame to frame in one cycle. */
static double md2__track_cycle_steps(const md2_track *track)
{
    return md2__count_cycle_steps(track->anim.count, track->mode, true);
}

/* Returns true if a track plays the frames of an animation, at any rate. */
static bool md2__track_plays(const md2_track *track, const md2_anim *anim)
{
    return anim && track->anim.first == anim->first && track->anim.count == anim->count;
}

/* [twin: playback] "make twins" copies this into md5.h */
/* A track is an animation that plays. Tracks are in the order of md2_play, the newest last. A track
   fades in over the older tracks, which are removed when it has faded in completely. The first four
   tracks show. The fifth plays, invisible, until an older track is removed. Only the newest track
   has events and passes frames.

   Each track has its own speed: md2_advance(delta) changes its `time` by delta * speed seconds, and
   a negative speed plays backward. The newest track has the speed of the player, which the user can
   set. Fades do not depend on speeds: `fade` grows by the absolute value of delta.

   Passed frames are counted in steps: time * frame rate. In MD2_LOOP and MD2_PING_PONG, cycles of
   `cycle_steps` repeat without end, before time 0 as well as after it. The time is never wrapped
   around, so it shows how many cycles a long advance has passed. MD2_ONCE has a single cycle: its
   time stops at 0 and at the length of the cycle. */

enum { MD2__SHOWN_TRACKS = MD2_MAX_TRACKS - 1 }; /* at most; the last track waits */

/* Returns the number of tracks: 0 if there is no player. A player that was not zeroed usually has a
   track_count that no player can have, and then also counts as empty. */
static uint32_t md2__count_tracks(const md2_player *player)
{
    bool is_player = player && player->track_count <= MD2_MAX_TRACKS;
    return is_player ? player->track_count : 0;
}

/* Zeroes a player if the user has not done so. Returns false if there is no player. */
static bool md2__prepare_player(md2_player *player)
{
    if (player && player->track_count > MD2_MAX_TRACKS) {
        memset(player, 0, sizeof *player);
    }
    return player != NULL;
}

static uint32_t md2__count_shown_tracks(const md2_player *player)
{
    if (player->track_count > MD2__SHOWN_TRACKS) {
        return MD2__SHOWN_TRACKS;
    }
    return player->track_count;
}

/* Returns the completed fraction of a track's fade, 0 to 1. */
static float md2__track_fade_progress(const md2_track *track)
{
    if (!(track->fade_length > 0)) {
        return 1; /* no fade */
    }
    return md2__clamp01(track->fade / track->fade_length);
}

/* Writes the weight of each track in the pose; the weights add up to 1. A waiting track has weight
   0. */
static void md2__get_track_weights(const md2_player *player, float weights[MD2_MAX_TRACKS])
{
    memset(weights, 0, MD2_MAX_TRACKS * sizeof(float));
    if (md2__count_tracks(player) == 0) {
        return;
    }

    /* The newest track that shows takes its weight first. Each older track takes a fraction of the
       weight that the newer tracks have left. */
    float remaining = 1;
    for (uint32_t i = md2__count_shown_tracks(player) - 1; i > 0; --i) {
        weights[i] = remaining * md2__track_fade_progress(&player->track[i]);
        remaining -= weights[i];
    }

    /* The oldest track takes all of the remaining weight. */
    weights[0] = remaining;
}

/* Returns the speed at which a track fades in; 1 is normal. While a track waits, fades that are
   longer than the fade of the waiting track are sped up to take the same time. So a track waits at
   most as long as its own fade lasts. */
static double md2__compute_fade_speed(const md2_player *player, const md2_track *track)
{
    if (player->track_count <= MD2__SHOWN_TRACKS) {
        return 1;
    }

    /* The user may have set the fade to 0 or less. Then use the shortest fade above 0. */
    const md2_track *waiting = &player->track[MD2__SHOWN_TRACKS];
    float            shortest = waiting->fade_length > FLT_MIN ? waiting->fade_length : FLT_MIN;
    if (!(shortest < track->fade_length)) {
        return 1;
    }
    return (double)track->fade_length / (double)shortest;
}

/* Returns the seconds until the next fade is complete, which hides older tracks; at most
   `seconds`. */
static double md2__find_fade_end(const md2_player *player, double seconds)
{
    uint32_t shown_count = md2__count_shown_tracks(player);

    /* The oldest track, at index 0, hides no other. */
    for (uint32_t i = 1; i < shown_count; ++i) {
        const md2_track *track = &player->track[i];
        double           fade_left = (double)track->fade_length - (double)track->fade;
        double           seconds_left = fade_left / md2__compute_fade_speed(player, track);

        if (seconds_left < seconds) {
            seconds = seconds_left;
        }
    }
    return seconds > 0 ? seconds : 0;
}

/* Fades in the tracks that show, for `seconds`. A waiting track begins to fade in when it shows. */
static void md2__advance_fades(md2_player *player, double seconds)
{
    uint32_t shown_count = md2__count_shown_tracks(player);

    for (uint32_t i = 0; i < shown_count; ++i) {
        md2_track *track = &player->track[i];
        double     speed = md2__compute_fade_speed(player, track);
        double     fade = (double)track->fade + seconds * speed;

        track->fade = fade < (double)track->fade_length ? (float)fade : track->fade_length;
    }
}

/* Removes all tracks that are hidden by a newer track that has faded in completely. */
static void md2__remove_hidden_tracks(md2_player *player)
{
    /* If there are several such tracks, the newest hides the most. Index 0 hides none. */
    for (uint32_t i = md2__count_shown_tracks(player) - 1; i > 0; --i) {
        if (md2__track_fade_progress(&player->track[i]) >= 1) {
            player->track_count -= i;
            memmove(player->track, player->track + i, player->track_count * sizeof(md2_track));
            return;
        }
    }
}

/* Returns the track of the last md2_play, or NULL if there is none. */
static const md2_track *md2__find_newest_track(const md2_player *player)
{
    uint32_t count = md2__count_tracks(player);
    return count > 0 ? &player->track[count - 1] : NULL;
}

/* Copies the speed of the player, which the user can set, to the newest track. The player has a
   track. */
static void md2__set_newest_speed(md2_player *player)
{
    player->track[player->track_count - 1].speed = player->speed;
}

/* Sets the time of a track, in seconds. Infinity and NaN become 0. */
static void md2__set_track_time(md2_track *track, double time)
{
    /* MD2_ONCE stops at its two ends, even for an infinite time. So if playback changes direction,
       it leaves the end immediately, however long it has been there. */
    if (track->mode == MD2_ONCE) {
        double length = md2__track_cycle_steps(track) / md2__track_frame_rate(track);
        if (time <= 0) {
            time = 0;
        } else if (time > length) {
            time = length;
        }
    }
    track->time = md2__is_finite(time) ? time : 0;
}

/* Returns the speed of a track. The user may have set it to infinity or NaN, which count as 0. */
static double md2__get_own_speed(const md2_track *track)
{
    return md2__is_finite((double)track->speed) ? (double)track->speed : 0;
}

/* Returns the seconds of one cycle of a loop. Returns 0 for other tracks, and for a loop of one
   frame, because a step from a frame to itself is no cycle to keep in phase with. */
MD2__NOINLINE double md2__compute_loop_length(const md2_track *track)
{
    if (track->mode != MD2_LOOP || md2__track_frame_count(track) < 2) {
        return 0;
    }
    return md2__track_cycle_steps(track) / md2__track_frame_rate(track);
}

/* Returns the index of the newest loop of more than one frame among the first `count` tracks, or
   MD2__NONE. */
static uint32_t md2__find_newest_loop(const md2_player *player, uint32_t count)
{
    for (uint32_t i = count; i > 0; --i) {
        if (md2__compute_loop_length(&player->track[i - 1]) > 0) {
            return i - 1;
        }
    }
    return MD2__NONE;
}

/* Returns the position of a loop in its cycle, from 0 at the start to 1 at the end. The cycle has
   more than one frame. */
static double md2__find_phase(const md2_track *track)
{
    double cycle_steps = md2__track_cycle_steps(track);
    double rate = md2__track_frame_rate(track);
    double steps = md2__count_steps(track->time, rate, cycle_steps, track->mode);
    return md2__compute_frame_position(steps, cycle_steps, track->mode) / cycle_steps;
}

/* Writes the group of each track: the index of the oldest track in the group, or MD2__NONE for a
   track without a group. A track of md2_play_in_phase is in the group of the newest older loop of
   more than one frame. */
static void md2__find_groups(const md2_player *player, uint32_t groups[MD2_MAX_TRACKS])
{
    uint32_t loop = MD2__NONE;        /* the newest loop so far */

    for (uint32_t i = 0; i < player->track_count; ++i) {
        const md2_track *track = &player->track[i];
        groups[i] = MD2__NONE;
        if (!(md2__compute_loop_length(track) > 0)) {
            continue;
        }

        if (track->in_phase && loop != MD2__NONE) {
            groups[loop] = groups[loop] != MD2__NONE ? groups[loop] : loop;
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
static double md2__compute_group_pace(const md2_player *player,
                                      const uint32_t groups[MD2_MAX_TRACKS], uint32_t group,
                                      const double progress[MD2_MAX_TRACKS])
{
    double pace = 0;
    double shown = 0;                 /* fraction of the older tracks that shows */

    for (uint32_t i = group; i < player->track_count; ++i) {
        shown *= 1 - progress[i];
        if (groups[i] == group) {
            const md2_track *track = &player->track[i];
            double own_pace = md2__get_own_speed(track) / md2__compute_loop_length(track);
            pace = own_pace + (pace - own_pace) * shown;
            shown = 1;
        }
    }
    return pace;
}

/* Returns true if a track plays in phase with an older track. */
static bool md2__has_group(const md2_player *player)
{
    for (uint32_t i = 1; i < player->track_count; ++i) {
        if (player->track[i].in_phase) {
            return true;
        }
    }
    return false;
}

/* Writes the completed fraction of each track's fade; 0 for a track that waits. */
static void md2__get_fade_progress(const md2_player *player, double progress[MD2_MAX_TRACKS])
{
    uint32_t shown_count = md2__count_shown_tracks(player);

    for (uint32_t i = 0; i < MD2_MAX_TRACKS; ++i) {
        progress[i] = i < shown_count ? (double)md2__track_fade_progress(&player->track[i]) : 0;
    }
}

/* Fades in the tracks for `seconds`, and writes the mean speeds of the tracks in a group, whose
   cycles all advance by the same fraction. All fades advance evenly, and the fade of the oldest
   track does not matter. So the pace is a polynomial in time of degree 3 at most, and Simpson's
   rule computes its mean exactly. */
static void md2__advance_fades_in_phase(md2_player *player, double seconds,
                                        double speeds[MD2_MAX_TRACKS])
{
    double before[MD2_MAX_TRACKS], middle[MD2_MAX_TRACKS], after[MD2_MAX_TRACKS];
    md2__get_fade_progress(player, before);
    md2__advance_fades(player, seconds);
    md2__get_fade_progress(player, after);
    for (uint32_t i = 0; i < MD2_MAX_TRACKS; ++i) {
        middle[i] = (before[i] + after[i]) / 2;
    }

    uint32_t groups[MD2_MAX_TRACKS];
    double   paces[MD2_MAX_TRACKS];   /* [group] in cycles per second */
    md2__find_groups(player, groups);
    for (uint32_t i = 0; i < player->track_count; ++i) {
        uint32_t group = groups[i];
        if (group == MD2__NONE) {
            continue;
        }
        if (group == i) {
            paces[group] = (md2__compute_group_pace(player, groups, group, before) +
                            md2__compute_group_pace(player, groups, group, middle) * 4 +
                            md2__compute_group_pace(player, groups, group, after)) / 6;
        }
        speeds[i] = paces[group] * md2__compute_loop_length(&player->track[i]);
    }
}

/* Advances all tracks by a part of a step of `seconds`, which is above 0. `direction` is 1, or -1
   to play backward. Returns the seconds of this part. The part ends with the step, or earlier when
   a fade is complete and hides older tracks, which the caller must then remove. So all fades
   advance evenly within a part. The player has a track. */
static double md2__advance_part(md2_player *player, double seconds, double direction)
{
    double speeds[MD2_MAX_TRACKS];
    for (uint32_t i = 0; i < player->track_count; ++i) {
        speeds[i] = md2__get_own_speed(&player->track[i]);
    }

    double part = md2__find_fade_end(player, seconds);
    if (md2__has_group(player)) {
        md2__advance_fades_in_phase(player, part, speeds);
    } else {
        md2__advance_fades(player, part);
    }

    for (uint32_t i = 0; i < player->track_count; ++i) {
        md2_track *track = &player->track[i];
        md2__set_track_time(track, track->time + part * direction * speeds[i]);
    }
    return part;
}

/* Counts how often a track passed a position between its previous time and its time. The position
   is `event` steps after the start of each cycle. Forward, the range is (before, after]; backward,
   it is [after, before). The position at which an advance begins does not count, and the position
   at which it ends does. So a position where one advance ends and the next begins counts once. */
static double md2__count_event_crossings(const md2_track *track, double event)
{
    md2_mode mode = track->mode;
    double   rate = md2__track_frame_rate(track);
    double   cycle_steps = md2__track_cycle_steps(track);

    /* Measure steps from the event in the cycle that begins at time 0: before the event, they are
       negative. */
    double before = md2__count_steps(track->previous_time, rate, cycle_steps, mode) - event;
    double after = md2__count_steps(track->time, rate, cycle_steps, mode) - event;

    /* Going backward from 5 to 2 passes as many positions as going forward from -5 to -2. */
    if (after < before) {
        before = -before;
        after = -after;
    }

    /* In a single cycle, or in a cycle without steps, the event is only at 0. */
    if (mode == MD2_ONCE || !(cycle_steps > 0)) {
        return before < 0 && after >= 0 ? 1 : 0;
    }

    /* Otherwise there is an event at each multiple of cycle_steps, and floor(x / cycle_steps) is
       the number of the last event up to x. */
    return md2__floor(after / cycle_steps) - md2__floor(before / cycle_steps);
}

/* Counts how often a track passed a frame of its animation. */
static double md2__count_frame_crossings(const md2_track *track, uint32_t frame)
{
    double cycle_steps = md2__track_cycle_steps(track);
    double event = (double)frame;     /* in steps: each step leads to the next frame */
    double count = md2__count_event_crossings(track, event);

    /* The second half of a ping-pong cycle passes the same frames backward, except the first frame
       and the last, where playback turns around. They occur once in a cycle. */
    if (track->mode == MD2_PING_PONG && event > 0 && event < cycle_steps / 2) {
        count += md2__count_event_crossings(track, cycle_steps - event);
    }
    return count;
}

MD2_API int md2_crossed(const md2_player *player, const md2_anim *anim, uint32_t frame)
{
    const md2_track *track = md2__find_newest_track(player);
    if (!track || !md2__track_plays(track, anim) || frame >= md2__track_frame_count(track)) {
        return 0;
    }

    /* The first change of time after md2_play or md2_stop starts at frame 0, and counts as passing
       it. */
    double count = md2__count_frame_crossings(track, frame);
    if (player->private_data.passed_start && frame == 0) {
        count += 1;
    }
    return count < 2147483647.0 ? (int)count : 2147483647;
}

/* Starts a step, in which no frame has been passed yet. Returns its seconds, negative to play
   backward, or 0 if time does not change. The player has a track. */
static double md2__begin_step(md2_player *player, float delta_seconds)
{
    /* md2_crossed counts the frames between previous_time and time, so it counts none while they
       are equal. */
    for (uint32_t i = 0; i < player->track_count; ++i) {
        player->track[i].previous_time = player->track[i].time;
    }
    player->private_data.passed_start = false;

    md2__set_newest_speed(player);
    if (player->paused || !md2__is_finite((double)delta_seconds)) {
        return 0;
    }
    return (double)delta_seconds;
}

/* Returns MD2_FINISHED if the newest track, in MD2_ONCE, arrives at the end in its direction, and 0
   while it stays there. Sets player->finished. */
static uint32_t md2__detect_finish(md2_player *player, const md2_track *track, bool forward)
{
    double           rate = md2__track_frame_rate(track);
    double           cycle_steps = md2__track_cycle_steps(track);
    md2_mode         mode = track->mode;
    double           before = md2__count_steps(track->previous_time, rate, cycle_steps, mode);
    double           steps = md2__count_steps(track->time, rate, cycle_steps, mode);

    /* A single step can go from one end to the other. */
    bool stays = player->finished && !(steps < before || steps > before);

    player->finished = forward ? steps >= cycle_steps : steps <= 0;
    return player->finished && !stays ? MD2_FINISHED : 0;
}

/* Ends a step of `seconds`, and returns the events of the newest track. The player has a track. */
static uint32_t md2__end_step(md2_player *player, double seconds)
{
    const md2_track *track = &player->track[player->track_count - 1];
    double           change = seconds * md2__get_own_speed(track); /* negative = backward */

    /* A track that plays in phase advances even at a speed of 0, because it keeps the pace of the
       older loop. */
    bool changes = change < 0 || change > 0 || track->time < track->previous_time ||
                 track->time > track->previous_time;

    /* Fades advance even at a speed of 0, but a track does not begin until its time changes. */
    if (changes) {
        player->private_data.passed_start = !player->private_data.begun;
        player->private_data.begun = true;
    }
    if (track->mode == MD2_ONCE) {
        return changes ? md2__detect_finish(player, track, change > 0) : 0;
    }

    /* Every cycle begins at step 0. A track without an animation shows one pose and does not
       loop. */
    bool has_anim = md2__track_frame_count(track) > 0;
    bool has_looped = has_anim && md2__count_event_crossings(track, 0) > 0;
    return has_looped ? MD2_LOOPED : 0;
}

MD2_API void md2_pause(md2_player *player, bool paused)
{
    if (md2__prepare_player(player)) {
        player->paused = paused;
    }
}

MD2_API void md2_stop(md2_player *player)
{
    md2_pause(player, true);
    if (md2__count_tracks(player) == 0) {
        return;
    }

    /* Keep only the newest track, completely faded in. */
    player->track[0] = *md2__find_newest_track(player);
    player->track[0].fade = player->track[0].fade_length;
    player->track_count = 1;

    /* The next change of time passes the first frame, as it does after md2_play. */
    md2_seek(player, 0);
    player->private_data.begun = false;
}

MD2_API void md2_seek(md2_player *player, double seconds)
{
    if (!md2__prepare_player(player) || player->track_count == 0) {
        return;
    }

    md2_track *track = &player->track[player->track_count - 1];
    md2__set_track_time(track, seconds);
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
static float md2__limit_fade(float seconds)
{
    if (!(seconds > 0)) {
        return 0;
    }
    return seconds < FLT_MAX ? seconds : FLT_MAX;
}

/* Returns the index of a new track, which is also the number of tracks that stay. */
static uint32_t md2__find_track_index(const md2_player *player, float fade_seconds)
{
    /* Without a fade, the new track replaces all others. With a fade, it is added to the tracks
       that show: a fifth track waits, and a sixth replaces the fifth. */
    return fade_seconds > 0 ? md2__count_shown_tracks(player) : 0;
}

MD2_API void md2_play(md2_player *player, const md2_anim *anim, md2_mode mode, float fade_seconds)
{
    if (!md2__prepare_player(player)) {
        return;
    }

    /* Make the new track first, because *anim may be in a track that is replaced. */
    md2_track track = md2__make_track(anim, mode);
    track.speed = 1;
    track.fade_length = md2__limit_fade(fade_seconds);

    /* From here on, player->speed is the speed of the new track. */
    if (player->track_count > 0) {
        md2__set_newest_speed(player);
    }

    uint32_t index = md2__find_track_index(player, fade_seconds);
    player->track[index] = track;
    player->track_count = index + 1;
    player->speed = track.speed;
    player->paused = false;
    player->finished = false;
    player->private_data.begun = false;
    player->private_data.passed_start = false;
}

/* Returns true if the time of a track has changed since md2_play or md2_stop. */
static bool md2__has_begun(const md2_player *player, uint32_t index)
{
    if (index + 1 == player->track_count) {
        return player->private_data.begun;
    }

    /* An older track has left its start, unless md2_play was called again before the first step. */
    double time = player->track[index].time;
    return time < 0 || time > 0;
}

MD2_API void md2_play_in_phase(md2_player *player, const md2_anim *anim, float fade_seconds)
{
    if (!md2__prepare_player(player)) {
        return;
    }

    /* The partner is the newest loop of the tracks that stay; if none stay, of all tracks. */
    uint32_t stay_count = md2__find_track_index(player, fade_seconds);
    uint32_t partner = md2__find_newest_loop(player, stay_count ? stay_count : player->track_count);
    double   cycles = 0;              /* position in the cycle, 0 to 1 */
    bool     has_begun = true;
    if (partner != MD2__NONE) {
        cycles = md2__find_phase(&player->track[partner]);
        has_begun = md2__has_begun(player, partner);
    }

    md2_play(player, anim, MD2_LOOP, fade_seconds);
    md2_track *track = &player->track[player->track_count - 1];
    double     length = md2__compute_loop_length(track);
    if (partner == MD2__NONE || !(length > 0)) {
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

MD2_API bool md2_playing(const md2_player *player, const md2_anim *anim)
{
    const md2_track *track = md2__find_newest_track(player);
    if (!track || track->anim.count == 0) {
        return player && (!anim || anim->count == 0);
    }
    if (!md2__track_plays(track, anim)) {
        return false;
    }

    double rate = md2__track_frame_rate(track);
    double other_rate = md2__frame_rate(anim->fps);
    return !(rate < other_rate || rate > other_rate);
}

MD2_API uint32_t md2_advance(md2_player *player, float delta_seconds)
{
    if (!md2__prepare_player(player) || player->track_count == 0) {
        return 0;
    }

    double step = md2__begin_step(player, delta_seconds);
    double direction = step < 0 ? -1 : 1;
    double seconds_left = step < 0 ? -step : step;
    while (seconds_left > 0) {
        seconds_left -= md2__advance_part(player, seconds_left, direction);
        md2__remove_hidden_tracks(player);
    }
    return md2__end_step(player, step);
}

MD2_API md2_pose md2_player_pose(const md2_player *player)
{
    md2__pose_blend blend;
    float           weights[MD2_MAX_TRACKS];

    blend.count = 0;
    md2__get_track_weights(player, weights);
    for (uint32_t i = 0; i < md2__count_tracks(player); ++i) {
        const md2_track *track = &player->track[i];
        md2__accumulate_anim(&blend, &track->anim, track->mode, track->time, weights[i]);
    }
    return md2__reduce_pose_blend(&blend, MD2_MAX_POSE_FRAMES);
}

#ifdef MD2_GL

/* -- OpenGL: shaders ------------------------------------------------------- */

/* Sizes for the OpenGL code below, which both headers share. There are two programs, because a
   program for poses of up to two frames is much faster than a program for up to eight. */
enum {
    MD2__GL_UNIT_COUNT    = 2,        /* texture units: frames, skin */
    MD2__GL_TEXTURE_COUNT = 1,        /* plain white, owned by the renderer */
    MD2__GL_STAGING_COUNT = 1,
    MD2__GL_PROGRAM_COUNT = 2,        /* for poses of up to two frames, and of up to eight */
    MD2__GL_SCENE_VECTORS = 6         /* length of md2_scene in the vertex shader */
};

static const char *const md2__gl_vertex_defines[MD2__GL_PROGRAM_COUNT] = {
    "#define FRAMES 2\n", "#define FRAMES 8\n"
};

typedef struct md2__gl_record {       /* an instance for the GPU: attributes 2 to 14 */
    float    tint[4];
    float    rows[3][4];              /* the transform, shifted by the origins of the frames */
    uint32_t frames[4];               /* two frames in each, the first in the lower 16 bits */
    float    steps[MD2_MAX_POSE_FRAMES][4]; /* scale times weight (x, y, z), weight */
} md2__gl_record;

/* Defined below the code that both headers share, which calls it. */
static void md2__gl_set_static_uniforms(const md2_gl *gl, uint32_t program);

/* [shader: md2.vert] */
static const char md2__gl_vertex_source[] =
    "// Blends the frames of a pose. Needs a #version line and FRAMES (2 or 8) before it.\n"
    "layout(location = 0) in uint point;        // per vertex: index of its point\n"
    "layout(location = 1) in vec2 texcoord;\n"
    "layout(location = 2) in vec4 tint;         // this and all below: per instance\n"
    "layout(location = 3) in vec4 row0;         // transform, shifted by the frames' origins\n"
    "layout(location = 4) in vec4 row1;\n"
    "layout(location = 5) in vec4 row2;\n"
    "layout(location = 6) in uvec4 frames;      // eight of 16 bits, the first in x's low bits\n"
    "#if FRAMES == 2\n"
    "layout(location = 7) in mat2x4 steps;      // per frame: scale * weight; weight\n"
    "#define STEP(i) steps[i]\n"
    "#else\n"
    "layout(location = 7) in mat4 steps;        // the frames end at a weight of 0\n"
    "layout(location = 11) in mat4 more_steps;\n"
    "#define STEP(i) (i < 4 ? steps[i] : more_steps[i - 4])\n"
    "#endif\n"
    "uniform highp usampler2D md2_frames;       // points, frame by frame, in rows of 1,024\n"
    "uniform vec4 md2_normals[163];\n"
    "uniform vec4 md2_scene[6];                 // view_projection; light, ambient; points, Y up\n"
    "out vec3 v_position;                       // in world space\n"
    "out vec3 v_normal;\n"
    "out vec2 v_texcoord;\n"
    "out vec4 v_tint;\n"
    "flat out vec4 v_light;                     // direction toward the light; ambient\n"
    "\n"
    "// A number below 256 is an index of the table; others are octahedral normals.\n"
    "vec3 decode_normal(uint number)\n"
    "{\n"
    "    if (number < 256u) {\n"
    "        return md2_normals[min(number, 162u)].xyz;\n"
    "    }\n"
    "    vec2 side = vec2(number & 255u, number >> 8) - 128.0;\n"
    "    float height = 127.0 - abs(side.x) - abs(side.y), fold = min(height, 0.0);\n"
    "    return vec3(side.x < 0.0 ? side.x - fold : side.x + fold,\n"
    "                side.y < 0.0 ? side.y - fold : side.y + fold, height);\n"
    "}\n"
    "\n"
    "void main()\n"
    "{\n"
    "    int stride = int(md2_scene[5].x);\n"
    "    vec3 position = vec3(0.0), normal = vec3(0.0);\n"
    "    for (int i = 0; i < FRAMES; ++i) {\n"
    "        vec4 step = STEP(i);\n"
    "        if (FRAMES > 2 && step.w == 0.0) {\n"
    "            break;\n"
    "        }\n"
    "        int index = int(frames[i / 2] >> 16 * (i & 1) & 0xffffu) * stride + int(point);\n"
    "        uvec4 stored = texelFetch(md2_frames, ivec2(index & 1023, index >> 10), 0);\n"
    "        position += vec3(stored.xyz) * step.xyz;\n"
    "        normal += decode_normal(stored.w) * step.w;\n"
    "    }\n"
    "    if (dot(normal, normal) < 1e-12) {\n"
    "        normal = vec3(0.0, md2_scene[5].y, 1.0 - md2_scene[5].y);\n"
    "    }\n"
    "    vec4 local = vec4(position, 1.0);\n"
    "    v_position = vec3(dot(row0, local), dot(row1, local), dot(row2, local));\n"
    "    // The cofactor matrix keeps normals perpendicular under any scale and mirror.\n"
    "    mat3 cofactors = mat3(cross(row1.xyz, row2.xyz), cross(row2.xyz, row0.xyz),\n"
    "                          cross(row0.xyz, row1.xyz));\n"
    "    float mirrored = dot(row0.xyz, cofactors[0]) < 0.0 ? -1.0 : 1.0;\n"
    "    vec3 world_normal = normal * cofactors;\n"
    "    float size = length(world_normal);\n"
    "    v_normal = size > 0.0 ? world_normal * (mirrored / size) : vec3(0.0, 0.0, 1.0);\n"
    "    v_texcoord = texcoord;\n"
    "    v_tint = tint;\n"
    "    v_light = md2_scene[4];\n"
    "    gl_Position = mat4(md2_scene[0], md2_scene[1], md2_scene[2], md2_scene[3]) *\n"
    "                  vec4(v_position, 1.0);\n"
    "}\n";
/* [/shader] */

/* [shader: md2.frag] */
static const char md2__gl_fragment_source[] =
    "// Directional and ambient light. md2.h adds the \"#version\" line.\n"
    "in vec3 v_normal;\n"
    "in vec2 v_texcoord;\n"
    "in vec4 v_tint;\n"
    "flat in vec4 v_light;                      // direction toward the light; ambient\n"
    "uniform sampler2D skin;\n"
    "out vec4 color;\n"
    "\n"
    "void main()\n"
    "{\n"
    "    float lit = max(dot(normalize(v_normal), v_light.xyz), 0.0);\n"
    "    color = texture(skin, v_texcoord);\n"
    "#ifdef CUT_OUT\n"
    "    // If a pixel covers several texels, mipmaps mix solid and empty ones, and alpha is the\n"
    "    // fraction of solid texels. Keep the same fraction of pixels: compare alpha with a\n"
    "    // threshold that differs from cell to cell, with all values in every small area (the R2\n"
    "    // sequence of Roberts 2018). Cells are about as large as a pixel, and are fixed to the\n"
    "    // surface, so they move with it.\n"
    "    vec2 texel = v_texcoord * vec2(textureSize(skin, 0));\n"
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

/* [twin: opengl] "make twins" copies this into md5.h */
/* -- OpenGL: functions ---------------------------------------------------- */

/* On 32-bit Windows, OpenGL and C have different calling conventions. */
#if defined(_WIN32) && !defined(_WIN64)
  #define MD2__GL_CALL __stdcall
#else
  #define MD2__GL_CALL
#endif

/* The functions of OpenGL that the renderer calls: result, name, parameters. */
#define MD2__GL_FUNCTIONS(X) \
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

#define MD2__GL_DEFINE_FIELD(result, name, parameters) result(MD2__GL_CALL *name) parameters;

enum {                                /* equal in OpenGL, ES and WebGL */
    MD2__GL_TRIANGLES = 0x0004, MD2__GL_UNSIGNED_BYTE = 0x1401, MD2__GL_UNSIGNED_SHORT = 0x1403,
    MD2__GL_UNSIGNED_INT = 0x1405, MD2__GL_FLOAT = 0x1406, MD2__GL_RGBA = 0x1908,
    MD2__GL_RASTERIZER_DISCARD = 0x8C89, MD2__GL_PRIMITIVE_RESTART = 0x8F9D,
    MD2__GL_VERSION = 0x1F02, MD2__GL_NEAREST = 0x2600, MD2__GL_LINEAR = 0x2601,
    MD2__GL_LINEAR_MIPMAP_LINEAR = 0x2703, MD2__GL_MAG_FILTER = 0x2800,
    MD2__GL_MIN_FILTER = 0x2801, MD2__GL_RGBA8 = 0x8058, MD2__GL_TEXTURE_2D = 0x0DE1,
    MD2__GL_MAX_TEXTURE_SIZE = 0x0D33, MD2__GL_TEXTURE0 = 0x84C0, MD2__GL_ACTIVE_TEXTURE = 0x84E0,
    MD2__GL_TEXTURE_BINDING_2D = 0x8069, MD2__GL_SAMPLER_BINDING = 0x8919,
    MD2__GL_VERTEX_ARRAY_BINDING = 0x85B5, MD2__GL_ARRAY_BUFFER = 0x8892,
    MD2__GL_ELEMENT_ARRAY_BUFFER = 0x8893, MD2__GL_ARRAY_BUFFER_BINDING = 0x8894,
    MD2__GL_PIXEL_UNPACK_BUFFER = 0x88EC, MD2__GL_PIXEL_UNPACK_BUFFER_BINDING = 0x88EF,
    MD2__GL_STREAM_DRAW = 0x88E0, MD2__GL_STATIC_DRAW = 0x88E4, MD2__GL_FRAGMENT_SHADER = 0x8B30,
    MD2__GL_VERTEX_SHADER = 0x8B31, MD2__GL_COMPILE_STATUS = 0x8B81, MD2__GL_LINK_STATUS = 0x8B82,
    MD2__GL_CURRENT_PROGRAM = 0x8B8D, MD2__GL_OUT_OF_MEMORY = 0x0505
};

/* -- OpenGL: state -------------------------------------------------------- */

enum {
    MD2__GL_ROW_TEXELS     = 1024,    /* width of the textures with data for the shaders */
    MD2__GL_TRIM_DRAWS     = 400,     /* small draws in a row after which memory is released */
    MD2__GL_UNPACK_COUNT   = 7,
    MD2__GL_CUSTOM_PROGRAM = MD2__GL_PROGRAM_COUNT /* index for md2_gl_use_program */
};

typedef struct md2__gl_unpack_setting {
    unsigned name;
    int      value;                   /* OpenGL's default, set for uploads */
} md2__gl_unpack_setting;

/* Settings that define where OpenGL finds the rows of an image in memory (pixel unpacking). These
   values are for rows without gaps, because every texel used here takes a multiple of 4 bytes.
   Settings that are not listed affect only bitmaps and textures of three dimensions. */
static const md2__gl_unpack_setting md2__gl_unpack_settings[MD2__GL_UNPACK_COUNT] = {
    { 0x9240, 0 },                    /* flip y: only in WebGL */
    { 0x9241, 0 },                    /* premultiply alpha: only in WebGL */
    { 0x0CF2, 0 },                    /* row length in pixels; 0 = the width of the image */
    { 0x0CF3, 0 },                    /* skip rows */
    { 0x0CF4, 0 },                    /* skip pixels */
    { 0x0CF5, 4 },                    /* alignment: a row begins at a multiple of 4 bytes */
    { 0x0CF0, 0 }                     /* swap bytes: not in ES and WebGL */
};

typedef struct md2__gl_state {        /* the caller's state, restored at the end of a call */
    int  program, vertex_array, array_buffer, active_unit;
    int  textures[MD2__GL_UNIT_COUNT], samplers[MD2__GL_UNIT_COUNT];
    bool discard, restart;
    bool has_unpacking;               /* the next two are saved as well; only uploads change them */
    int  unpack_buffer, unpack_values[MD2__GL_UNPACK_COUNT];
} md2__gl_state;

typedef struct md2__gl_staging {      /* data of a draw, before it is copied to the GPU */
    md2__buffer buffer;
    uint32_t    draw_count;           /* draws since the size of the buffer was last checked */
    size_t      most_bytes;           /* most bytes that any of these draws has needed */
} md2__gl_staging;

struct md2_gl {
    struct {
        MD2__GL_FUNCTIONS(MD2__GL_DEFINE_FIELD)
    } fn;
    md2__context      context;        /* memory and errors; not an OpenGL context */
    md2__gl_staging   staging[MD2__GL_STAGING_COUNT];
    uint32_t          programs[MD2__GL_PROGRAM_COUNT + 1]; /* the last is the user's, or 0 */
    int               scene_locations[MD2__GL_PROGRAM_COUNT + 1]; /* of md2_scene, by program */
    md2_gl_options    options;
    uint32_t          instance_buffer;
    uint32_t          first_unpack, end_unpack; /* the unpack settings that this OpenGL has */
    uint32_t          textures[MD2__GL_TEXTURE_COUNT]; /* the first is plain white */
    uint64_t          largest_draw;   /* bytes of the largest draw without errors */
    int               max_texture_size; /* 0 until all functions are loaded */
    bool              is_es;          /* OpenGL ES or WebGL */
    bool              is_webgl;
};

/* Decides whether a call checks for OpenGL errors at its end. A check may wait for the GPU, so only
   calls that allocate GPU memory check: uploads, and draws that are larger than all draws before
   them. */
typedef enum md2__gl_error_check { MD2__GL_SKIP_ERRORS, MD2__GL_CHECK_ERRORS } md2__gl_error_check;

static const char md2__gl_no_context[] = "the OpenGL context is lost or not current";

/* Clears the error of the previous call. Every call that can fail begins with this. */
static void md2__gl_clear_error(md2_gl *gl)
{
    memset(&gl->context.error, 0, sizeof gl->context.error);
}

/* Reads and clears all errors of OpenGL. Returns the most informative: OUT_OF_MEMORY if it is among
   them, because the others may follow from it, or else the first. Returns 0 if there are none. */
static unsigned md2__gl_drain_errors(const md2_gl *gl)
{
    unsigned found = 0;

    /* OpenGL may store several errors, and each call returns one of them. A lost context returns
       errors forever, so their number is limited. */
    for (uint32_t i = 0; i < 16; ++i) {
        unsigned code = gl->fn.GetError();
        if (code == 0) {
            break;
        }
        if (found == 0 || code == MD2__GL_OUT_OF_MEMORY) {
            found = code;
        }
    }
    return found;
}

/* Queries the state that every call changes. The caller must have saved the active unit, because
   this function changes it. */
static void md2__gl_query_state(const md2_gl *gl, md2__gl_state *state)
{
    gl->fn.GetIntegerv(MD2__GL_CURRENT_PROGRAM, &state->program);
    gl->fn.GetIntegerv(MD2__GL_VERTEX_ARRAY_BINDING, &state->vertex_array);
    gl->fn.GetIntegerv(MD2__GL_ARRAY_BUFFER_BINDING, &state->array_buffer);

    /* OpenGL returns the texture and the sampler of the active unit. The renderer's units begin at
       options.texture_unit. */
    for (uint32_t i = 0; i < MD2__GL_UNIT_COUNT; ++i) {
        gl->fn.ActiveTexture(MD2__GL_TEXTURE0 + gl->options.texture_unit + i);
        gl->fn.GetIntegerv(MD2__GL_TEXTURE_BINDING_2D, &state->textures[i]);
        gl->fn.GetIntegerv(MD2__GL_SAMPLER_BINDING, &state->samplers[i]);
    }

    state->discard = gl->fn.IsEnabled(MD2__GL_RASTERIZER_DISCARD) != 0;
    if (!gl->is_es) {
        state->restart = gl->fn.IsEnabled(MD2__GL_PRIMITIVE_RESTART) != 0;
    }
}

/* Turns off any state of the caller that would spoil a draw. */
static void md2__gl_reset_state(const md2_gl *gl)
{
    /* A sampler overrides the filters of the texture in its unit. Integer textures, and float
       textures of 32 bits in ES, have no linear filter: with a sampler that filters linearly, such
       a texture is "incomplete" and reads as black. */
    for (uint32_t i = 0; i < MD2__GL_UNIT_COUNT; ++i) {
        gl->fn.BindSampler(gl->options.texture_unit + i, 0);
    }

    /* GL_RASTERIZER_DISCARD drops all triangles. */
    gl->fn.Disable(MD2__GL_RASTERIZER_DISCARD);

    /* With GL_PRIMITIVE_RESTART, an index that the caller has chosen restarts the primitives
       instead of naming a vertex. ES only has a variant whose index is the largest number of 32
       bits, which is not in any mesh. */
    if (!gl->is_es) {
        gl->fn.Disable(MD2__GL_PRIMITIVE_RESTART);
    }
}

/* Begins a call: clears the error of the renderer, saves the state that every call changes, and
   turns off any state that would spoil a draw. Fails if the context is lost. */
static bool md2__gl_begin_call(md2_gl *gl, md2__gl_state *state, md2__gl_error_check error_check)
{
    memset(state, 0, sizeof *state);
    md2__gl_clear_error(gl);
    if (error_check == MD2__GL_CHECK_ERRORS) {
        md2__gl_drain_errors(gl); /* from earlier calls, including the caller's */
    }

    /* Queries are slow in browsers and some drivers. With leave_state there are no queries: the
       caller sets all state again for its own draws, and has turned off any state that would spoil
       a draw. */
    if (gl->options.leave_state) {
        return true;
    }

    /* In a lost context, a query does not change this 0, while a real unit is at least
       GL_TEXTURE0. */
    gl->fn.GetIntegerv(MD2__GL_ACTIVE_TEXTURE, &state->active_unit);
    if (state->active_unit == 0) {
        return md2__fail(&gl->context, MD2_ERROR_GL, md2__gl_no_context);
    }

    md2__gl_query_state(gl, state);
    md2__gl_reset_state(gl);
    return true;
}

/* Decides whether a draw checks for errors. If an earlier draw was at least as large, its memory is
   still available, so the check is skipped. */
static md2__gl_error_check md2__gl_choose_error_check(const md2_gl *gl, uint64_t bytes)
{
    return bytes > gl->largest_draw ? MD2__GL_CHECK_ERRORS : MD2__GL_SKIP_ERRORS;
}

/* Saves the settings of pixel unpacking, and sets them for tightly packed pixels in memory. Does
   nothing if this call has already saved them, because they are no longer the caller's settings. */
static void md2__gl_save_pixel_unpacking(const md2_gl *gl, md2__gl_state *state)
{
    if (gl->options.leave_state || state->has_unpacking) {
        return;
    }
    state->has_unpacking = true;

    /* While an unpack buffer is bound, OpenGL takes a pointer to pixels as an offset in that
       buffer. */
    gl->fn.GetIntegerv(MD2__GL_PIXEL_UNPACK_BUFFER_BINDING, &state->unpack_buffer);
    gl->fn.BindBuffer(MD2__GL_PIXEL_UNPACK_BUFFER, 0);

    for (uint32_t i = gl->first_unpack; i < gl->end_unpack; ++i) {
        const md2__gl_unpack_setting *setting = &md2__gl_unpack_settings[i];
        gl->fn.GetIntegerv(setting->name, &state->unpack_values[i]);
        gl->fn.PixelStorei(setting->name, setting->value);
    }
}

/* Restores the settings of pixel unpacking. */
static void md2__gl_restore_pixel_unpacking(const md2_gl *gl, const md2__gl_state *state)
{
    for (uint32_t i = gl->first_unpack; i < gl->end_unpack; ++i) {
        gl->fn.PixelStorei(md2__gl_unpack_settings[i].name, state->unpack_values[i]);
    }
    gl->fn.BindBuffer(MD2__GL_PIXEL_UNPACK_BUFFER, (unsigned)state->unpack_buffer);
}

/* Binds a texture to one of the renderer's units, counted from 0. The unit stays active. */
static void md2__gl_bind_unit_texture(const md2_gl *gl, uint32_t unit, uint32_t texture)
{
    gl->fn.ActiveTexture(MD2__GL_TEXTURE0 + gl->options.texture_unit + unit);
    gl->fn.BindTexture(MD2__GL_TEXTURE_2D, texture);
}

/* Makes the caller's program current again. If the caller had deleted this program while it was in
   use, OpenGL removed it when the renderer used another program. Then no program is made current.
   (WebGL does not return the name of such a program, and is slow to answer.) */
static void md2__gl_restore_program(const md2_gl *gl, unsigned program)
{
    bool has_ended = program != 0 && !gl->is_webgl && !gl->fn.IsProgram(program);

    gl->fn.UseProgram(has_ended ? 0 : program);
}

/* Ends a call: restores the state that md2__gl_begin_call has saved. */
static void md2__gl_end_call(const md2_gl *gl, const md2__gl_state *state)
{
    if (gl->options.leave_state) {
        return;
    }
    if (state->has_unpacking) {
        md2__gl_restore_pixel_unpacking(gl, state);
    }
    if (state->discard) {
        gl->fn.Enable(MD2__GL_RASTERIZER_DISCARD);
    }
    if (state->restart) {
        gl->fn.Enable(MD2__GL_PRIMITIVE_RESTART);
    }

    for (uint32_t i = 0; i < MD2__GL_UNIT_COUNT; ++i) {
        md2__gl_bind_unit_texture(gl, i, (uint32_t)state->textures[i]);
        gl->fn.BindSampler(gl->options.texture_unit + i, (unsigned)state->samplers[i]);
    }
    gl->fn.ActiveTexture((unsigned)state->active_unit); /* after the loop, which changes the unit */
    gl->fn.BindBuffer(MD2__GL_ARRAY_BUFFER, (unsigned)state->array_buffer);
    gl->fn.BindVertexArray((unsigned)state->vertex_array);
    md2__gl_restore_program(gl, (unsigned)state->program);
}

static void md2__gl_release_staging(md2_gl *gl, md2__gl_staging *staging)
{
    md2__release(&gl->context, staging->buffer.data, staging->buffer.capacity);
    memset(staging, 0, sizeof *staging);
}

/* Counts a draw. After every MD2__GL_TRIM_DRAWS draws, releases the buffer if it is more than four
   times as large as the largest of these draws needed, because it grew for a crowd that is no
   longer drawn. */
static void md2__gl_trim_staging(md2_gl *gl, md2__gl_staging *staging, size_t bytes)
{
    staging->most_bytes = bytes > staging->most_bytes ? bytes : staging->most_bytes;
    ++staging->draw_count;
    if (staging->draw_count < MD2__GL_TRIM_DRAWS) {
        return;
    }

    if (staging->buffer.capacity / 4 > staging->most_bytes) {
        md2__gl_release_staging(gl, staging);
    }
    staging->most_bytes = 0;
    staging->draw_count = 0;
}

/* Returns a staging buffer with room for the bytes of a draw, or NULL if there is no memory. The
   bytes in use stay, unless the buffer was trimmed. A buffer that is too small grows to twice the
   size, because crowds often grow by one instance at a time. */
static void *md2__gl_reserve_staging(md2_gl *gl, uint32_t index, uint64_t bytes)
{
    md2__gl_staging *staging = &gl->staging[index];
    md2__buffer     *buffer = &staging->buffer;

    md2__gl_trim_staging(gl, staging, (size_t)bytes);
    uint64_t missing = bytes > buffer->size ? bytes - buffer->size : 0;
    if (!md2__reserve_bytes(&gl->context, buffer, missing, bytes)) {
        return NULL;
    }
    return buffer->data;
}

/* -- OpenGL: textures ----------------------------------------------------- */

/* Fails if this call has failed, or if OpenGL has an error. The error comes from this call, because
   md2__gl_begin_call has cleared earlier errors. Leaves no error in OpenGL, because the caller
   would take it for an error of its own calls. */
static bool md2__gl_check_errors(md2_gl *gl)
{
    unsigned code = md2__gl_drain_errors(gl);

    if (gl->context.error.code != MD2_OK) {
        return false; /* its message is more informative than OpenGL's error */
    }
    if (code == MD2__GL_OUT_OF_MEMORY) {
        return md2__fail(&gl->context, MD2_ERROR_MEMORY, "the GPU has no memory left");
    }
    if (code != 0) {
        return md2__fail_numbers(&gl->context, MD2_ERROR_GL, "OpenGL reports error #", NULL, code,
                                 0);
    }
    return true;
}

/* Creates a texture without an image, and leaves it bound to the first unit. The filters must be
   set, because the default filter needs mipmaps. The default wrapping, which repeats, stays. */
static uint32_t md2__gl_create_empty_texture(const md2_gl *gl, int min_filter, int mag_filter)
{
    unsigned texture = 0;

    gl->fn.GenTextures(1, &texture);
    md2__gl_bind_unit_texture(gl, 0, texture);
    gl->fn.TexParameteri(MD2__GL_TEXTURE_2D, MD2__GL_MIN_FILTER, min_filter);
    gl->fn.TexParameteri(MD2__GL_TEXTURE_2D, MD2__GL_MAG_FILTER, mag_filter);
    return texture;
}

/* Returns the number of rows for some texels of data; the last row may be partly used. A row has
   1,024 texels, because every OpenGL has textures of that width. Shaders find texel i in column i &
   1023 of row i >> 10. */
static uint32_t md2__gl_count_texture_rows(uint64_t texels)
{
    return (uint32_t)((texels + MD2__GL_ROW_TEXELS - 1) / MD2__GL_ROW_TEXELS);
}

/* Fails if the texels need more rows than a texture may have. `content` names them in the
   message. */
static bool md2__gl_check_texture_size(md2_gl *gl, uint64_t texels, const char *content)
{
    uint32_t max_rows = (uint32_t)gl->max_texture_size;

    if (texels > (uint64_t)max_rows * MD2__GL_ROW_TEXELS) {
        return md2__fail_numbers(&gl->context, MD2_ERROR_LIMIT,
                                 "the $ take # texels, more than a texture of # rows holds",
                                 content, texels, max_rows);
    }
    return true;
}

typedef struct md2__gl_data_format {  /* arguments of TexImage2D and TexSubImage2D */
    unsigned storage, format, type;
    size_t   texel_bytes;
} md2__gl_data_format;

/* Replaces the image of the bound texture with `rows` complete rows. */
static void md2__gl_fill_data_texture(const md2_gl *gl, const md2__gl_data_format *data,
                                      uint32_t rows, const uint8_t *texels)
{
    const uint32_t piece_rows = 64;
    bool           is_one_piece = rows <= piece_rows;

    /* Create a new image each time. OpenGL can allocate new memory for it, while earlier draws
       still read the old image. Writing to the old image would have to wait for those draws. */
    gl->fn.TexImage2D(MD2__GL_TEXTURE_2D, 0, (int)data->storage, MD2__GL_ROW_TEXELS, (int)rows, 0,
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
        const uint8_t *piece = texels + row * MD2__GL_ROW_TEXELS * data->texel_bytes;
        gl->fn.TexSubImage2D(MD2__GL_TEXTURE_2D, 0, 0, (int)row, MD2__GL_ROW_TEXELS,
                             (int)row_count, data->format, data->type, piece);
    }
}

/* Creates a texture with data for the shaders. They fetch single texels, so nothing is filtered.
   Integer texels must not be filtered: see md2__gl_reset_state. */
static uint32_t md2__gl_create_data_texture(const md2_gl *gl, const md2__gl_data_format *data,
                                            uint32_t rows, const uint8_t *texels)
{
    uint32_t texture = md2__gl_create_empty_texture(gl, MD2__GL_NEAREST, MD2__GL_NEAREST);

    md2__gl_fill_data_texture(gl, data, rows, texels);
    return texture;
}

static void md2__gl_set_image(const md2_gl *gl, const uint8_t *rgba, uint32_t width,
                              uint32_t height)
{
    gl->fn.TexImage2D(MD2__GL_TEXTURE_2D, 0, MD2__GL_RGBA8, (int)width, (int)height, 0,
                      MD2__GL_RGBA, MD2__GL_UNSIGNED_BYTE, rgba);
}

/* Creates the mipmaps of a texture with holes. A mipmap is an average, and its alpha must be the
   fraction of the texels that the alpha test keeps, so the alpha of each texel counts as 0 or 1.
   Fails if there is no memory. */
static bool md2__gl_make_cut_out_mipmaps(md2_gl *gl, const uint8_t *rgba, uint32_t width,
                                         uint32_t height)
{
    size_t   bytes = (size_t)width * height * 4;
    uint8_t *tested = (uint8_t *)md2__alloc(&gl->context, bytes);

    if (!tested) {
        return false;
    }
    memcpy(tested, rgba, bytes);
    for (size_t i = 3; i < bytes; i += 4) {
        tested[i] = tested[i] < 128 ? 0 : 255;
    }
    md2__gl_set_image(gl, tested, width, height);
    gl->fn.GenerateMipmap(MD2__GL_TEXTURE_2D);
    md2__release(&gl->context, tested, bytes);
    return true;
}

/* Creates a texture with mipmaps. With cut_out, this may fail and set the error of the renderer,
   because it needs memory. */
static uint32_t md2__gl_upload_image_pixels(md2_gl *gl, const uint8_t *rgba, uint32_t width,
                                            uint32_t height)
{
    uint32_t texture = md2__gl_create_empty_texture(gl, MD2__GL_LINEAR_MIPMAP_LINEAR,
                                                    MD2__GL_LINEAR);

    if (!gl->options.cut_out) {
        md2__gl_set_image(gl, rgba, width, height);
        gl->fn.GenerateMipmap(MD2__GL_TEXTURE_2D);
        return texture;
    }

    /* For a close view, keep the original alpha: between two texels, it defines where the edge
       is. */
    if (md2__gl_make_cut_out_mipmaps(gl, rgba, width, height)) {
        gl->fn.TexSubImage2D(MD2__GL_TEXTURE_2D, 0, 0, 0, (int)width, (int)height, MD2__GL_RGBA,
                             MD2__GL_UNSIGNED_BYTE, rgba);
    }
    return texture;
}

static bool md2__gl_check_image(md2_gl *gl, const uint8_t *rgba, uint32_t width, uint32_t height)
{
    uint32_t limit = (uint32_t)gl->max_texture_size;
    uint32_t largest = width > height ? width : height;

    if (!rgba || width == 0 || height == 0) {
        return md2__fail_numbers(&gl->context, MD2_ERROR_ARGUMENT,
                                 "no pixels are given for a texture of # x #", NULL, width, height);
    }
    if (largest > limit) {
        return md2__fail_numbers(&gl->context, MD2_ERROR_LIMIT,
                                 "the image has a side of # pixels, but a texture has at most #",
                                 NULL, largest, limit);
    }
    return true;
}

MD2_API uint32_t md2_gl_create_texture(md2_gl *gl, const uint8_t *rgba, uint32_t width,
                                       uint32_t height)
{
    if (!gl) {
        return 0;
    }
    md2__gl_clear_error(gl);
    if (!md2__gl_check_image(gl, rgba, width, height)) {
        return 0;
    }

    md2__gl_state state;
    if (!md2__gl_begin_call(gl, &state, MD2__GL_CHECK_ERRORS)) {
        return 0;
    }
    md2__gl_save_pixel_unpacking(gl, &state);
    uint32_t texture = md2__gl_upload_image_pixels(gl, rgba, width, height);
    md2__gl_end_call(gl, &state);

    if (!md2__gl_check_errors(gl)) {
        gl->fn.DeleteTextures(1, &texture);
        return 0;
    }
    return texture;
}

/* -- OpenGL: the program and the renderer --------------------------------- */

/* Compiles a shader and attaches it to a program. If the compilation fails, linking fails as
   well. */
static unsigned md2__gl_attach_shader(const md2_gl *gl, unsigned program, unsigned type,
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

static bool md2__gl_is_compiled(const md2_gl *gl, unsigned shader)
{
    int compiled = 1;                 /* stays 1 in a lost context, which is no shader's fault */

    gl->fn.GetShaderiv(shader, MD2__GL_COMPILE_STATUS, &compiled);
    return compiled != 0;
}

/* Returns the first line of the log that reports an error, or the first line if there is none, and
   ends the log after this line. Drivers write "0:12(3): error: ..." or "ERROR: 0:12: ...", possibly
   after warnings. */
static const char *md2__gl_find_error_line(char *log)
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
static void md2__gl_fail_shader_program(md2_gl *gl, unsigned program, const unsigned shaders[2])
{
    char        log[2048] = "";
    const char *format = "linking the shaders: $";

    if (!md2__gl_is_compiled(gl, shaders[0])) {
        format = "vertex shader: $";
        gl->fn.GetShaderInfoLog(shaders[0], (int)sizeof log, NULL, log);
    } else if (!md2__gl_is_compiled(gl, shaders[1])) {
        format = "fragment shader: $";
        gl->fn.GetShaderInfoLog(shaders[1], (int)sizeof log, NULL, log);
    } else {
        gl->fn.GetProgramInfoLog(program, (int)sizeof log, NULL, log);
    }
    md2__fail_text(&gl->context, MD2_ERROR_GL, format, md2__gl_find_error_line(log));
}

/* Stores a linked program in the renderer, sets its constant uniforms, and makes it current. At
   index MD2__GL_CUSTOM_PROGRAM, the program may be 0, to use the built-in programs again. */
static void md2__gl_init_shader_program(md2_gl *gl, uint32_t index, unsigned program)
{
    gl->programs[index] = program;
    if (program) {
        gl->fn.UseProgram(program);
        gl->scene_locations[index] = gl->fn.GetUniformLocation(program, "md2_scene");
        md2__gl_set_static_uniforms(gl, program);
    }
}

static void md2__gl_build_shader_program(md2_gl *gl, uint32_t index)
{
    const char *fragment_source = gl->options.fragment_source;
    const char *fragment_defines = gl->options.cut_out ? "#define CUT_OUT\n" : "";
    unsigned    program = gl->fn.CreateProgram();
    unsigned    shaders[2];

    if (!fragment_source) {
        fragment_source = md2__gl_fragment_source;
    }
    shaders[0] = md2__gl_attach_shader(gl, program, MD2__GL_VERTEX_SHADER,
                                       md2__gl_vertex_defines[index], md2__gl_vertex_source);
    shaders[1] = md2__gl_attach_shader(gl, program, MD2__GL_FRAGMENT_SHADER, fragment_defines,
                                       fragment_source);

    int linked = 0;
    gl->fn.LinkProgram(program);
    gl->fn.GetProgramiv(program, MD2__GL_LINK_STATUS, &linked);
    if (linked) {
        md2__gl_init_shader_program(gl, index, program);
    } else {
        md2__gl_fail_shader_program(gl, program, shaders);
        gl->fn.DeleteProgram(program);
    }

    /* A deleted shader exists as long as it is attached to a program. */
    gl->fn.DeleteShader(shaders[0]);
    gl->fn.DeleteShader(shaders[1]);
}

/* Creates the objects that all meshes share: textures of one white texel, the instance buffer, and
   the programs. */
static bool md2__gl_create_shared_objects(md2_gl *gl)
{
    static const uint8_t white[4] = { 255, 255, 255, 255 };
    md2__gl_state        state;

    if (!md2__gl_begin_call(gl, &state, MD2__GL_CHECK_ERRORS)) {
        return false;
    }
    md2__gl_save_pixel_unpacking(gl, &state);
    for (uint32_t i = 0; i < MD2__GL_TEXTURE_COUNT; ++i) {
        gl->textures[i] = md2__gl_create_empty_texture(gl, MD2__GL_NEAREST, MD2__GL_NEAREST);
        gl->fn.TexImage2D(MD2__GL_TEXTURE_2D, 0, MD2__GL_RGBA8, 1, 1, 0, MD2__GL_RGBA,
                          MD2__GL_UNSIGNED_BYTE, white);
    }
    gl->fn.GenBuffers(1, &gl->instance_buffer);
    for (uint32_t i = 0; i < MD2__GL_PROGRAM_COUNT && gl->context.error.code == MD2_OK; ++i) {
        md2__gl_build_shader_program(gl, i);
    }
    md2__gl_end_call(gl, &state);
    return md2__gl_check_errors(gl);
}

/* Loads all functions. Returns the name of a missing function, or NULL. */
static const char *md2__gl_load_functions(md2_gl *gl, md2_gl_get_proc get_proc)
{
    const char *missing = NULL;

#define MD2__GL_LOAD_FUNCTION(result, name, parameters) \
    gl->fn.name = (result(MD2__GL_CALL *) parameters)get_proc("gl" #name); \
    if (!gl->fn.name) { \
        missing = "gl" #name; \
    }
    MD2__GL_FUNCTIONS(MD2__GL_LOAD_FUNCTION)

    return missing;
}

/* Returns true if a version such as "3.2.0 NVIDIA 535.1" is older than major.minor. */
static bool md2__gl_is_older(const char *version, uint32_t major, uint32_t minor)
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
static bool md2__gl_check_version(md2_gl *gl, const char *version)
{
    const char *number = strpbrk(version, "0123456789");

    if (number && gl->is_es && md2__gl_is_older(number, 3, 0)) {
        return md2__fail_text(&gl->context, MD2_ERROR_GL, "needs OpenGL ES 3.0, but this is $",
                              number);
    }
    if (number && !gl->is_es && md2__gl_is_older(number, 3, 3)) {
        return md2__fail_text(&gl->context, MD2_ERROR_GL, "needs OpenGL 3.3, but this is $",
                              number);
    }
    return true;
}

static bool md2__gl_init_renderer(md2_gl *gl, md2_gl_get_proc get_proc)
{
    const char *missing = md2__gl_load_functions(gl, get_proc);
    const char *version = NULL;

    /* Check the version first, because this error is more helpful than the name of a function that
       is missing in an older version. Without a context there is no version. */
    if (gl->fn.GetString) {
        version = (const char *)gl->fn.GetString(MD2__GL_VERSION);
    }
    gl->is_es = version && strstr(version, "OpenGL ES");
    if (version && !md2__gl_check_version(gl, version)) {
        return false;
    }
    if (missing) {
        return md2__fail_text(&gl->context, MD2_ERROR_GL, "$ is missing: is the context current?",
                              missing);
    }

    /* The first two settings exist only in WebGL; the last is missing in ES and WebGL. */
    gl->is_webgl = version && strstr(version, "WebGL");
    gl->first_unpack = gl->is_webgl ? 0 : 2;
    gl->end_unpack = gl->is_es ? MD2__GL_UNPACK_COUNT - 1 : MD2__GL_UNPACK_COUNT;

    gl->fn.GetIntegerv(MD2__GL_MAX_TEXTURE_SIZE, &gl->max_texture_size);
    if (gl->max_texture_size == 0) {
        return md2__fail(&gl->context, MD2_ERROR_GL, md2__gl_no_context);
    }
    if (!gl->options.version_line) {
        gl->options.version_line = gl->is_es ? "#version 300 es" : "#version 330 core";
    }
    return md2__gl_create_shared_objects(gl);
}

/* Returns a renderer with a context and options, otherwise all zero; NULL if there is no memory. */
static md2_gl *md2__gl_alloc_renderer(md2__context *context, const md2_gl_options *options)
{
    md2_gl *gl = (md2_gl *)md2__alloc(context, sizeof *gl);

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

MD2_API md2_gl *md2_gl_create(md2_gl_get_proc get_proc, const md2_gl_options *options,
                              md2_error *error)
{
    const md2_allocator *allocator = options ? &options->allocator : NULL;
    md2__context         context;
    md2_gl              *gl = NULL;

    if (md2__init_context(&context, allocator, SIZE_MAX)) { /* no limit */
        if (get_proc) {
            gl = md2__gl_alloc_renderer(&context, options);
        } else {
            md2__fail(&context, MD2_ERROR_ARGUMENT, "no GetProcAddress is given");
        }
    }

    /* If creation fails halfway, OpenGL may already have objects, and md2_gl_destroy deletes them.
       Copy the error before the renderer is freed. */
    if (gl && !md2__gl_init_renderer(gl, get_proc)) {
        context.error = gl->context.error;
        md2_gl_destroy(gl);
        gl = NULL;
    }
    md2__report_error(&context, error);
    return gl;
}

MD2_API void md2_gl_destroy(md2_gl *gl)
{
    if (!gl) {
        return;
    }

    /* If the texture size is 0, some functions were not loaded. Then no objects exist yet, and they
       could not be deleted. */
    if (gl->max_texture_size) {
        for (uint32_t i = 0; i < MD2__GL_PROGRAM_COUNT; ++i) {
            gl->fn.DeleteProgram(gl->programs[i]); /* the last is the caller's */
        }
        gl->fn.DeleteBuffers(1, &gl->instance_buffer);
        gl->fn.DeleteTextures(MD2__GL_TEXTURE_COUNT, gl->textures);
    }

    for (uint32_t i = 0; i < MD2__GL_STAGING_COUNT; ++i) {
        md2__gl_release_staging(gl, &gl->staging[i]);
    }

    /* The renderer contains its own allocator, so use a copy to release it. */
    md2__context context = gl->context;
    md2__release(&context, gl, sizeof *gl);
}

MD2_API const md2_error *md2_gl_last_error(const md2_gl *gl)
{
    return gl ? &gl->context.error : NULL;
}

MD2_API const char *md2_gl_vertex_source(void)
{
    return md2__gl_vertex_source;
}

/* Fails if `program` is not a linked program. Checks first that it is a program at all: otherwise
   asking OpenGL for its link status would leave a pending GL error. */
static bool md2__gl_check_program(md2_gl *gl, uint32_t program)
{
    int linked = 0;

    if (gl->fn.IsProgram(program)) {
        gl->fn.GetProgramiv(program, MD2__GL_LINK_STATUS, &linked);
    }
    if (!linked) {
        return md2__fail_numbers(&gl->context, MD2_ERROR_ARGUMENT,
                                 "# is not a linked OpenGL program", NULL, program, 0);
    }
    return true;
}

MD2_API bool md2_gl_use_program(md2_gl *gl, uint32_t program)
{
    md2__gl_state state;

    if (!gl || !md2__gl_begin_call(gl, &state, MD2__GL_SKIP_ERRORS)) {
        return false;
    }
    bool ok = program == 0 || md2__gl_check_program(gl, program);
    if (ok) {
        md2__gl_init_shader_program(gl, MD2__GL_CUSTOM_PROGRAM, program);
    }
    md2__gl_end_call(gl, &state);
    return ok;
}

/* Reports a missing argument. If the renderer itself is not missing, it also stores the error.
   Always returns false. */
static bool md2__gl_fail_missing_argument(md2_gl *gl, md2_error *error)
{
    md2__context  fallback;
    md2__context *context = &fallback;

    md2__init_context(&fallback, NULL, 0);
    if (gl) {
        context = &gl->context;
    }
    md2__fail(context, MD2_ERROR_ARGUMENT, "no renderer, model or mesh is given");
    md2__report_error(context, error);
    return false;
}

/* -- OpenGL: triangle order ----------------------------------------------- */

/* A GPU caches the results of the vertex shader for the last 16 to 32 vertices, and runs the shader
   again for any other vertex. So triangles that share vertices should be close to each other.
   Tipsify (Sander, Nehab, Barczak 2007) finds such an order in a time linear in the number of
   triangles: it writes a fan, which is all triangles around a vertex, and continues with a fan
   around a vertex that is still in the cache. This shorter version does not simulate the cache as
   the paper does, and its results are within 0.6 percent of the paper's. */
typedef struct md2__gl_fans {
    const uint32_t *indices;          /* [corner] vertex; triangle t has corners 3t to 3t + 2 */
    uint32_t       *triangles_left;   /* [vertex] number of triangles that are not written yet */
    uint32_t       *first_corner;     /* [vertex] first in a list of its corners */
    uint32_t       *next_corner;      /* [corner] next in the list of its vertex */
    uint32_t       *is_written;       /* [triangle] 1 if it is written, otherwise 0 */
    uint32_t       *output;           /* the indices in the new order */
    uint32_t        output_count;     /* number of indices written */
} md2__gl_fans;

/* Counts the triangles at each vertex, and lists their corners. MD2__NONE ends a list. */
static void md2__gl_list_corners(md2__gl_fans *fans, uint32_t index_count, uint32_t vertex_count)
{
    md2__clear_indices(fans->first_corner, vertex_count);
    for (uint32_t corner = 0; corner < index_count; ++corner) {
        uint32_t vertex = fans->indices[corner];
        ++fans->triangles_left[vertex];
        fans->next_corner[corner] = fans->first_corner[vertex];
        fans->first_corner[vertex] = corner;
    }
}

/* Returns the center of the next fan: one of the vertices of the last 20 corners, which are
   probably in the cache, or `fallback` if none of these has triangles left. */
static uint32_t md2__gl_choose_fan_center(const md2__gl_fans *fans, uint32_t fallback)
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
static void md2__gl_write_triangle(md2__gl_fans *fans, uint32_t triangle)
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
static void md2__gl_write_fan(md2__gl_fans *fans, uint32_t center)
{
    uint32_t corner = fans->first_corner[center];

    while (corner != MD2__NONE) {
        md2__gl_write_triangle(fans, corner / 3);
        corner = fans->next_corner[corner];
    }
}

/* Writes the indices to fans.output, with the triangles in an order for the cache. `arrays` is all
   zero, and has two numbers for each vertex, two for each corner, and one for each triangle. */
static void md2__gl_order_triangle_fans(md2__gl_fans *fans, const uint32_t *indices,
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
    md2__gl_list_corners(fans, index_count, vertex_count);

    /* If no vertex in the cache has triangles left, continue with the first vertex that has any.
       Vertices before it never get new triangles, so the whole search visits each vertex once. */
    uint32_t first_unfinished = 0;
    while (fans->output_count < index_count) {
        while (fans->triangles_left[first_unfinished] == 0) {
            ++first_unfinished;
        }
        md2__gl_write_fan(fans, md2__gl_choose_fan_center(fans, first_unfinished));
    }
}

/* Fills the index buffer of the bound vertex array, with triangles in an order for the cache. Fails
   if there is no memory. */
static bool md2__gl_upload_indices(md2_gl *gl, const uint32_t *indices, uint32_t index_count,
                                   uint32_t vertex_count)
{
    uint64_t count = 2 * (uint64_t)vertex_count + 2 * (uint64_t)index_count + index_count / 3;
    uint64_t bytes = (count + 1) * sizeof(uint32_t); /* + 1: never 0, even if the mesh is empty */

    uint32_t *arrays = (uint32_t *)md2__alloc(&gl->context, bytes);
    if (!arrays) {
        return false;
    }
    memset(arrays, 0, (size_t)bytes);

    md2__gl_fans fans;
    md2__gl_order_triangle_fans(&fans, indices, index_count, vertex_count, arrays);
    gl->fn.BufferData(MD2__GL_ELEMENT_ARRAY_BUFFER, (ptrdiff_t)(index_count * sizeof(uint32_t)),
                      fans.output, MD2__GL_STATIC_DRAW);
    md2__release(&gl->context, arrays, (size_t)bytes);
    return true;
}

/* -- OpenGL: attributes and instances ------------------------------------- */

/* Sets `count` attributes with locations from `first` on. The bound array buffer has an item of
   `stride` bytes for each vertex (divisor 0) or each instance (divisor 1). In an item, the first
   attribute begins at byte `offset`, and the others follow; each has `size` components of 4 bytes.
   (A single attribute may have shorter components.) The bound vertex array stores the attributes
   and the buffer. */
static void md2__gl_set_attributes(const md2_gl *gl, unsigned first, unsigned count, unsigned type,
                                   int size, size_t stride, size_t offset, unsigned divisor)
{
    for (unsigned i = 0; i < count; ++i) {
        unsigned    location = first + i;
        const void *start = (const void *)(offset + i * (size_t)size * sizeof(float));

        /* Integers need their own call, because VertexAttribPointer converts them to floats. */
        gl->fn.EnableVertexAttribArray(location);
        if (type == MD2__GL_FLOAT) {
            gl->fn.VertexAttribPointer(location, size, type, 0, (int)stride, start);
        } else {
            gl->fn.VertexAttribIPointer(location, size, type, (int)stride, start);
        }
        gl->fn.VertexAttribDivisor(location, divisor);
    }
}

/* Returns true if a tint is set: all 0 means that it is not. */
static bool md2__gl_is_tint_set(const float tint[4])
{
    for (uint32_t i = 0; i < 4; ++i) {
        if (tint[i] < 0 || tint[i] > 0) {
            return true;
        }
    }
    return false;
}

/* Writes the tint and the rows of the transform. */
static void md2__gl_write_tint_and_transform(const float tint[4], const float transform[16],
                                             md2__gl_record *record)
{
    static const float white[4] = { 1, 1, 1, 1 };
    static const float identity[16] = { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1 };
    md2__f4            rows[4];

    /* The last number of an affine transform is 1, so 0 means that no transform is set. */
    bool         is_given = transform[15] < 0 || transform[15] > 0;
    const float *columns = is_given ? transform : identity;
    for (uint32_t i = 0; i < 4; ++i) {
        rows[i] = md2__f4_load(columns + 4 * i);
    }
    md2__f4_transpose(rows);

    /* The fourth row of an affine transform is 0 0 0 1, so the shader does not need it. */
    for (uint32_t i = 0; i < 3; ++i) {
        md2__f4_store(record->rows[i], rows[i]);
    }
    memcpy(record->tint, md2__gl_is_tint_set(tint) ? tint : white, sizeof record->tint);
}

/* Writes the unit vector along the first three numbers of a row, 0 to 3, of a column-major matrix.
   This is the direction in which the result of the row grows fastest. Returns false if there is no
   direction. */
static bool md2__gl_write_row_direction(const float matrix[16], uint32_t row, float direction[3])
{
    for (uint32_t i = 0; i < 3; ++i) {
        direction[i] = matrix[4 * i + row];
    }
    return md2__vec3_normalize(direction) > 0;
}

/* Writes the direction toward the light, or toward the camera if the scene has no light
   direction. */
static void md2__gl_write_light_direction(const md2_gl_scene *scene, float direction[3])
{
    memcpy(direction, scene->light_direction, sizeof scene->light_direction);
    if (md2__vec3_normalize(direction) > 0) {
        return;
    }

    /* In perspective, w, which row 3 computes, grows with the distance from the camera. */
    float away[3];
    if (md2__gl_write_row_direction(scene->view_projection, 3, away)) {
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
    md2__gl_write_row_direction(scene->view_projection, 0, right);
    md2__gl_write_row_direction(scene->view_projection, 1, up);
    for (uint32_t i = 0; i < 3; ++i) {
        uint32_t next = (i + 1) % 3, last = (i + 2) % 3;
        direction[i] = right[next] * up[last] - right[last] * up[next];
    }
    md2__vec3_normalize(direction);
}

/* Writes the first 20 values of the uniform md2_scene: 0 to 15 are the matrix of the camera, 16 to
   18 are the direction toward the light, and 19 is the ambient light. */
static void md2__gl_write_scene(const md2_gl_scene *scene, float values[20])
{
    memcpy(values, scene->view_projection, sizeof scene->view_projection);
    md2__gl_write_light_direction(scene, values + 16);

    /* NaN counts as 0. */
    bool is_set = scene->ambient < 0 || scene->ambient > 0;
    values[19] = is_set ? scene->ambient : 0.25f;
    if (values[19] < 0) {
        values[19] = 0;
    }
}

/* Clears the error of the renderer and checks the arguments of a draw. The records of all instances
   must be smaller than 2 GiB. */
static bool md2__gl_check_draw_input(md2_gl *gl, const md2_gl_mesh *mesh, const md2_gl_scene *scene,
                                     const md2_gl_instance *instances, size_t count)
{
    if (!gl) {
        return false;
    }
    md2__gl_clear_error(gl);

    if (!mesh || !mesh->vao || !scene || (!instances && count > 0)) {
        return md2__fail(&gl->context, MD2_ERROR_ARGUMENT, "no mesh, scene or instances are given");
    }
    if (count > INT32_MAX / sizeof(md2__gl_record)) {
        return md2__fail_numbers(&gl->context, MD2_ERROR_LIMIT,
                                 "# instances are too many for one draw", NULL, count, 0);
    }
    return true;
}

/* Draws the records in the first staging buffer, with the caller's program if there is one. `bytes`
   is the size of all data that this draw copies to the GPU. */
static bool md2__gl_draw_instances(md2_gl *gl, uint32_t program_index, const md2_gl_mesh *mesh,
                                   const float *scene, size_t count, uint64_t bytes)
{
    if (gl->programs[MD2__GL_CUSTOM_PROGRAM]) {
        program_index = MD2__GL_CUSTOM_PROGRAM;
    }
    gl->fn.UseProgram(gl->programs[program_index]);
    gl->fn.Uniform4fv(gl->scene_locations[program_index], MD2__GL_SCENE_VECTORS, scene);
    gl->fn.BindVertexArray(mesh->vao);

    /* BufferData "orphans" the old contents: the buffer gets new memory, while earlier draws still
       read the old memory. BufferSubData would have to wait for those draws. */
    gl->fn.BindBuffer(MD2__GL_ARRAY_BUFFER, gl->instance_buffer);
    gl->fn.BufferData(MD2__GL_ARRAY_BUFFER, (ptrdiff_t)(count * sizeof(md2__gl_record)),
                      gl->staging[0].buffer.data, MD2__GL_STREAM_DRAW);

    /* If the GPU has no memory, largest_draw stays, so the next draw checks for errors again. */
    if (md2__gl_choose_error_check(gl, bytes) == MD2__GL_CHECK_ERRORS) {
        if (!md2__gl_check_errors(gl)) {
            return false;
        }
        gl->largest_draw = bytes;
    }
    gl->fn.DrawElementsInstanced(MD2__GL_TRIANGLES, (int)mesh->index_count, MD2__GL_UNSIGNED_INT,
                                 NULL, (int)count);
    return true;
}

/* -- OpenGL: images from files -------------------------------------------- */

#if defined(MD2_STB_IMAGE) && !defined(MD2_NO_STDIO)

/* Flips a picture vertically. */
static void md2__gl_flip_image(uint8_t *pixels, uint32_t width, uint32_t height)
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
static md2_options md2__gl_make_picture_options(const md2_gl *gl)
{
    md2_options options;
    memset(&options, 0, sizeof options);
    options.allocator = gl->context.allocator;
    options.max_bytes = (size_t)1 << 31;
    return options;
}

/* Creates the texture of a search that has ended, and frees the pixels. `flip`, for a model with
   MD2_FLIP_V, makes the bottom row the first row of the texture, in place. */
static uint32_t md2__gl_create_picture_texture(md2_gl *gl, md2__picture_search *search, bool flip,
                                               md2_error *error)
{
    uint32_t texture = 0;

    if (!search->pixels) {
        gl->context.error = search->context.error;
    } else {
        if (flip) {
            md2__gl_flip_image(search->pixels, search->width, search->height);
        }
        texture = md2_gl_create_texture(gl, search->pixels, search->width, search->height);
        if (!texture) {
            md2__append_to_message(&gl->context.error, ": ");
            md2__append_to_message(&gl->context.error, search->path);
        }
        md2_free_image(search->pixels);
    }
    md2__release(&search->context, search->path, search->path_size);
    md2__report_error(&gl->context, error);
    return texture;
}

#endif
/* [/twin: opengl] */

/* -- OpenGL: frames, upload and drawing ------------------------------------ */

MD2_API uint32_t md2_gl_program(const md2_gl *gl, uint32_t index)
{
    return gl && index < MD2__GL_PROGRAM_COUNT ? gl->programs[index] : 0;
}

/* Sets the uniforms that stay the same in all draws: the units of the textures, and the normals. */
static void md2__gl_set_static_uniforms(const md2_gl *gl, uint32_t program)
{
    int unit = (int)gl->options.texture_unit;

    gl->fn.Uniform1i(gl->fn.GetUniformLocation(program, "md2_frames"), unit);
    gl->fn.Uniform1i(gl->fn.GetUniformLocation(program, "skin"), unit + 1);

    /* One more than Quake II has: the last normal points straight up, for indices out of the
       table. */
    gl->fn.Uniform4fv(gl->fn.GetUniformLocation(program, "md2_normals"), MD2__NORMAL_COUNT + 1,
                      &md2__normals[0][0]);
}

/* Copies a frame's points unchanged, one texel each, and writes the scale and the origin that
   decode them: coordinate = number * scale + origin. */
static void md2__gl_write_frame(const md2_frame *frame, float scale[4], float origin[4],
                                uint8_t *texels, size_t bytes)
{
    for (uint32_t axis = 0; axis < 3; ++axis) {
        origin[axis] = md2__find_point_grid(frame, axis, &scale[axis]);
    }
    scale[3] = 1;                     /* becomes the frame's weight, for the normal */
    origin[3] = 0;
    memcpy(texels, frame->fine ? (const void *)frame->fine : frame->points, bytes);
}

/* Uploads the points of all frames as a texture, frame by frame. The scale and the origin of each
   frame stay in memory, because every draw multiplies them by the weights of its poses. */
static bool md2__gl_upload_frame_texture(md2_gl *gl, const md2_model *model, md2_gl_mesh *mesh)
{
    /* A texel is a complete md2_point or md2_fine, with position and normal. */
    static const md2__gl_data_format point_format = {
        0x8D7C /* RGBA8UI */, 0x8D99 /* RGBA_INTEGER */, MD2__GL_UNSIGNED_BYTE, 4
    };
    static const md2__gl_data_format fine_format = {
        0x8D76 /* RGBA16UI */, 0x8D99 /* RGBA_INTEGER */, MD2__GL_UNSIGNED_SHORT, 8
    };
    const md2__gl_data_format *format = model->frames[0].fine ? &fine_format : &point_format;

    uint64_t texel_count = (uint64_t)mesh->point_count * mesh->frame_count;
    if (!md2__gl_check_texture_size(gl, texel_count, "frames")) {
        return false;
    }

    uint32_t rows = md2__gl_count_texture_rows(texel_count);
    size_t   bytes = rows * format->texel_bytes * MD2__GL_ROW_TEXELS;
    uint64_t frames_bytes = mesh->frame_count * sizeof *mesh->frames;
    mesh->frames = (float(*)[2][4])md2__alloc(&gl->context, frames_bytes);
    if (!mesh->frames) {
        return false;
    }
    uint8_t *texels = (uint8_t *)md2__alloc(&gl->context, bytes);
    if (!texels) {
        return false;
    }

    size_t frame_bytes = format->texel_bytes * mesh->point_count;
    for (uint32_t i = 0; i < mesh->frame_count; ++i) {
        md2__gl_write_frame(&model->frames[i], mesh->frames[i][0], mesh->frames[i][1],
                            texels + i * frame_bytes, frame_bytes);
    }

    /* Complete rows are uploaded, so the rest of the last row is cleared. */
    size_t used_bytes = mesh->frame_count * frame_bytes;
    memset(texels + used_bytes, 0, bytes - used_bytes);
    mesh->frame_texture = md2__gl_create_data_texture(gl, format, rows, texels);
    md2__release(&gl->context, texels, bytes);
    return true;
}

/* Creates the buffers of a mesh, and a vertex array that describes the source of each attribute. */
static bool md2__gl_upload_mesh_buffers(md2_gl *gl, const md2_model *model, md2_gl_mesh *mesh)
{
    const size_t vertex_size = sizeof(md2_vertex), record_size = sizeof(md2__gl_record);

    gl->fn.GenVertexArrays(1, &mesh->vao);
    gl->fn.GenBuffers(1, &mesh->vertex_buffer);
    gl->fn.GenBuffers(1, &mesh->index_buffer);

    /* Bind the vertex array first, because it stores the binding of the index buffer. */
    gl->fn.BindVertexArray(mesh->vao);
    gl->fn.BindBuffer(MD2__GL_ARRAY_BUFFER, mesh->vertex_buffer);
    gl->fn.BufferData(MD2__GL_ARRAY_BUFFER, (ptrdiff_t)(model->vertex_count * vertex_size),
                      model->vertices, MD2__GL_STATIC_DRAW);
    gl->fn.BindBuffer(MD2__GL_ELEMENT_ARRAY_BUFFER, mesh->index_buffer);
    bool ok = md2__gl_upload_indices(gl, model->indices, model->index_count, model->vertex_count);

    /* Attributes per vertex: point and texcoord. */
    md2__gl_set_attributes(gl, 0, 1, MD2__GL_UNSIGNED_SHORT, 1, vertex_size,
                           offsetof(md2_vertex, point), 0);
    md2__gl_set_attributes(gl, 1, 1, MD2__GL_FLOAT, 2, vertex_size, offsetof(md2_vertex, u), 0);

    /* Attributes per instance, from the buffer that is bound next: the tint and the three rows of
       the transform; the frames; and eight steps, of which the program for two frames reads two. */
    gl->fn.BindBuffer(MD2__GL_ARRAY_BUFFER, gl->instance_buffer);
    md2__gl_set_attributes(gl, 2, 4, MD2__GL_FLOAT, 4, record_size, offsetof(md2__gl_record, tint),
                           1);
    md2__gl_set_attributes(gl, 6, 1, MD2__GL_UNSIGNED_INT, 4, record_size,
                           offsetof(md2__gl_record, frames), 1);
    md2__gl_set_attributes(gl, 7, 8, MD2__GL_FLOAT, 4, record_size,
                           offsetof(md2__gl_record, steps), 1);

    /* Unbind the vertex array, so that index buffers that are bound later do not change it. */
    gl->fn.BindVertexArray(0);
    return ok;
}

MD2_API bool md2_gl_upload(md2_gl *gl, const md2_model *model, md2_gl_mesh *out, md2_error *error)
{
    if (!gl || !model || !out) {
        return md2__gl_fail_missing_argument(gl, error);
    }
    memset(out, 0, sizeof *out);
    out->index_count = model->index_count;
    out->point_count = model->point_count;
    out->frame_count = model->frame_count;
    out->flags = model->flags;

    md2__gl_state state;
    bool          ok = md2__gl_begin_call(gl, &state, MD2__GL_CHECK_ERRORS);
    if (ok) {
        md2__gl_save_pixel_unpacking(gl, &state);
        ok = md2__gl_upload_frame_texture(gl, model, out) &&
             md2__gl_upload_mesh_buffers(gl, model, out);
        ok = md2__gl_check_errors(gl) && ok;
        md2__gl_end_call(gl, &state);
    }

    if (!ok) {
        md2_gl_free_mesh(gl, out);
    }
    md2__report_error(&gl->context, error);
    return ok;
}

/* OpenGL ignores names that are 0, so the mesh may be incomplete, or freed already. */
MD2_API void md2_gl_free_mesh(md2_gl *gl, md2_gl_mesh *mesh)
{
    if (gl && mesh) {
        gl->fn.DeleteVertexArrays(1, &mesh->vao);
        gl->fn.DeleteBuffers(1, &mesh->vertex_buffer);
        gl->fn.DeleteBuffers(1, &mesh->index_buffer);
        gl->fn.DeleteTextures(1, &mesh->frame_texture);
        md2__release(&gl->context, mesh->frames, mesh->frame_count * sizeof *mesh->frames);
        memset(mesh, 0, sizeof *mesh);
    }
}

/* Writes an instance in the format of the shader, and returns the number of its frames. */
static uint32_t md2__gl_write_instance_record(const md2_gl_mesh *mesh,
                                              const md2_gl_instance *instance,
                                              md2__gl_record *record)
{
    const md2_pose *pose = instance->pose.count ? &instance->pose : &md2__first_frame;
    const uint32_t  last_frame = mesh->frame_count - 1;
    md2__f4         origin = md2__f4_splat(0);
    uint32_t        slot = 0;

    memset(record, 0, sizeof *record);
    md2__gl_write_tint_and_transform(instance->tint, instance->transform, record);

    for (uint32_t i = 0; i < pose->count && i < MD2_MAX_POSE_FRAMES; ++i) {
        /* The shader stops at the first weight of 0, so frames without weight are skipped. */
        if (!(pose->weight[i] < 0 || pose->weight[i] > 0)) {
            continue;
        }
        uint32_t frame = pose->frame[i] < last_frame ? pose->frame[i] : last_frame;
        md2__f4  frame_scale = md2__f4_load(mesh->frames[frame][0]);
        md2__f4  frame_origin = md2__f4_load(mesh->frames[frame][1]);
        md2__f4  weight = md2__f4_splat(pose->weight[i]);
        md2__f4_store(record->steps[slot], md2__f4_mul(frame_scale, weight));
        origin = md2__f4_add(origin, md2__f4_mul(frame_origin, weight));
        record->frames[slot / 2] |= frame << 16 * (slot & 1); /* even slot: the lower half */
        ++slot;
    }

    /* The shader adds up the numbers of a point times their steps. The sum of the weighted origins
       must be added as well. It is the same for all points, so it is added to the translation of
       the transform M: M (point + origin) + translation = M point + (M origin + translation). */
    float offset[4];
    md2__f4_store(offset, origin);
    for (uint32_t i = 0; i < 3; ++i) {
        record->rows[i][3] += md2__vec3_dot(record->rows[i], offset);
    }
    return slot;
}

MD2_API bool md2_gl_draw(md2_gl *gl, const md2_gl_mesh *mesh, uint32_t skin_texture,
                         const md2_gl_scene *scene, const md2_gl_instance *instances,
                         size_t count)
{
    if (!md2__gl_check_draw_input(gl, mesh, scene, instances, count)) {
        return false;
    }
    if (count == 0) {
        return true;
    }

    md2__gl_state   state;
    uint64_t        bytes = (uint64_t)count * sizeof(md2__gl_record);
    md2__gl_record *records = (md2__gl_record *)md2__gl_reserve_staging(gl, 0, bytes);
    if (!records || !md2__gl_begin_call(gl, &state, md2__gl_choose_error_check(gl, bytes))) {
        return false;
    }

    uint32_t most_frames = 0;
    for (size_t i = 0; i < count; ++i) {
        uint32_t frames = md2__gl_write_instance_record(mesh, &instances[i], &records[i]);
        most_frames = frames > most_frames ? frames : most_frames;
    }

    /* md2_scene[5] holds the number of texels in a frame, and 1 if Y is up. */
    float values[4 * MD2__GL_SCENE_VECTORS] = { 0 };
    md2__gl_write_scene(scene, values);
    values[20] = (float)mesh->point_count;
    values[21] = mesh->flags & MD2_Y_UP ? 1.0f : 0.0f;

    uint32_t program_index = most_frames > 2 ? 1 : 0;
    md2__gl_bind_unit_texture(gl, 0, mesh->frame_texture);
    md2__gl_bind_unit_texture(gl, 1, skin_texture ? skin_texture : gl->textures[0]);
    bool ok = md2__gl_draw_instances(gl, program_index, mesh, values, count, bytes);
    md2__gl_end_call(gl, &state);
    return ok;
}

/* -- OpenGL: skins --------------------------------------------------------- */

#if defined(MD2_STB_IMAGE) && !defined(MD2_NO_STDIO)

MD2_API uint32_t md2_gl_load_skin(md2_gl *gl, const md2_model *model, const char *model_path,
                                  uint32_t skin, md2_error *error)
{
    if (!gl || !model) {
        return md2__gl_fail_missing_argument(gl, error);
    }

    md2__picture_search search;
    md2_options         options = md2__gl_make_picture_options(gl);
    md2__search_skin(&search, model, model_path, skin, &options);
    return md2__gl_create_picture_texture(gl, &search, (model->flags & MD2_FLIP_V) != 0, error);
}

#endif

#endif /* MD2_GL */
#undef MD2__PLACE
#undef MD2__PLACE_COPY
#undef MD2__TEN_UP
#undef MD2__SIMD

/* [twin: end] "make twins" copies this into md5.h */
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

#undef MD2__GL_CALL
#undef MD2__GL_FUNCTIONS
#undef MD2__GL_DEFINE_FIELD
#undef MD2__GL_LOAD_FUNCTION
#undef MD2__SSE2
#undef MD2__NEON
#undef MD2__FORCE_INLINE
#undef MD2__NOINLINE
#undef MD2__COLD
#undef MD2__NONE
/* [/twin: end] */

#endif /* MD2_IMPLEMENTATION */

/* [twin: license] "make twins" copies this into md5.h */
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
