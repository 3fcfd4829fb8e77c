/* The viewer shows Quake II and Doom 3 models by md2.h and md5.h, in a window or as a web page.
       main.c     command line, window, frames       models.c   opens and closes files
       crowd.c    plays, poses, draws characters     stage.c    camera, floor, shadow, lines
       input.c    keys, mouse, dropped files         text.c     status, help, title
       folder.c   what lies beside a model          cast.c     a scene, told by --cast
   Public domain. */
#ifndef VIEWER_H_INCLUDED
#define VIEWER_H_INCLUDED

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __EMSCRIPTEN__
  #include <GLES3/gl3.h>
  #include <emscripten.h>
  #define ON_THE_WEB 1
#else
  #include <glad/gl.h>
  #define EMSCRIPTEN_KEEPALIVE
  #define ON_THE_WEB 0
#endif
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <stb/stb_image.h>

#define MD2_GL
#define MD2_SMOOTH
#define MD2_STB_IMAGE
#include "../../md2.h"
#define MD5_GL
#define MD5_STB_IMAGE
#include "../../md5.h"
#include "folder.h"

#define MAX_MODELS      8
#define MAX_CLIPS       1024

typedef struct mesh {                 /* drawn by one call: a whole MD2, or one mesh of an MD5 */
    md2_gl_mesh md2, smooth;          /* `smooth` once it is asked for */
    md5_gl_mesh md5;
    GLuint      texture;
} mesh;

typedef struct model {                /* a .md2 or a .md5mesh */
    char       path[MAX_PATH_LENGTH];
    md2_model *md2;
    md5_model *md5;
    mesh      *meshes;
    uint32_t   mesh_count, skin;
    int       *leading_joints;        /* for each joint, the first model's of the same name */
    md5_xform *pose, *scratch;        /* two halves of one array */
    float     *palettes;              /* [crowd][joint_count * 12] */
} model;

typedef struct clip {                 /* one animation; the bind pose has neither */
    const char     *name;
    double          fps;
    const md2_anim *md2;
    md5_anim       *md5;
} clip;

typedef struct player {               /* the one of the first model's format is used */
    md2_player md2;
    md5_player md5;
} player;

typedef struct box { float min[3], max[3]; } box; /* Z up */

extern struct viewer {
    model            models[MAX_MODELS]; /* the first one leads: its animations, its joints */
    clip             clips[MAX_CLIPS]; /* at least one */
    int              model_count, clip_count, clip, first_clip, crowd;
    player          *players;
    md2_gl_instance *md2_instances;
    md5_gl_instance *md5_instances;
    md2_gl          *md2_gl;
    md5_gl          *md5_gl;
    md2_mode         mode;            /* md5_mode has the same values */
    double           time;            /* of the first character in its animation */
    float            speed;
    box              body, reach;     /* of the animation at the start; of what plays */
    float            radius;          /* of the body */
    bool             travels;         /* what plays goes far: the camera follows */
    bool             paused, mixed, skeleton, bounds, y_up, smooth;
    enum { NO_TEXT, STATUS, HELP, TEXT_COUNT } text;
    char             error[512], note[256];
} viewer;

extern struct camera {
    float pan[3], zoom, yaw, pitch;   /* the user's */
    float place[5];                   /* its target, the floor, its distance: follow `reach` */
    bool  settled;                    /* else it is there at once */
} camera;

extern struct arguments {
    const char *shot, *clip, *cast, *keys;
    double      width, height, crowd, time, yaw, fps, frames;
} arguments;

extern struct timing {
    int    frame;                     /* how many are drawn */
    double now, step, delta, posing_ms; /* step: seconds a frame; negative: as the clock says */
} timing;

extern GLFWwindow *window;

/* main.c */
void  die(const char *message, const char *detail);
bool  report_error(const char *path, const char *format, ...); /* the first one stays; false */
void *allocate_again(void *old, size_t count, size_t size);   /* zeroed; frees `old` */
int   find_clip(const char *name);
void  seek_clip(double seconds);
bool  save_picture(const char *path); /* as PNG */

/* models.c */
void        open_files(int count, const char **paths); /* a model among them replaces the others */
void        load_textures(model *m);
void        smooth_models(void);
void        close_models(void);

/* crowd.c */
void   form_crowd(int count);
void   place_crowd(void);
void   follow_traveller(void);
int    crowd_rows(void);
float  crowd_spacing(void);
float  crowd_depth(void);
double clip_length(const clip *c);
void   play_clips(bool crossfade);
void   advance_crowd(float seconds);
void   pose_character(int character);
box    pose_box(const player *p, bool z_up);
void   draw_crowd(const float light[3], const float view_projection[16]);

/* cast.c */
void read_cast(const char *text);
bool has_cast(void);
void play_member(int character);
void place_member(int character, float tint[4], float transform[16]);
void aim_camera(void);

/* stage.c: between begin_shapes and end_shapes, vertices of triangles or lines are added */
typedef struct shape_vertex {         /* as stb_easy_font writes it */
    float   position[3];
    uint8_t color[4];
} shape_vertex;

void     create_stage(void);
void     reset_camera(double yaw);
void     draw_stage(int width, int height);
void     show_stage(void);
bool     shows_character(void);       /* in the last frame, be it one pixel */
uint8_t *read_stage(int *width, int *height); /* RGBA, bottom row first, to be freed */
void     begin_shapes(GLenum kind, const float matrix[16]);
void     add_vertex(const float transform[16], const float position[3], uint32_t rgba);
void     end_shapes(void);

/* text.c and input.c */
void        draw_text(int width, int height, float scale);
void        print_keys(void);
const char *window_title(void);
void        viewer_key(int key);
void        set_callbacks(void);

#endif
