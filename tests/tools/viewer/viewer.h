/* The viewer shows Quake II and Doom 3 models with md2.h and md5.h, in a window or as a web page.
       main.c     command line, window, frames       models.c   opens and closes files
       crowd.c    plays, poses, draws characters     stage.c    camera, floor, shadow, lines
       commands.c the commands of the keys           text.c     status, help, title
       input.c    mouse, dropped files, the page     list.c     finds the models in a list
       files.c    reads and lists files
       archive.c  reads .pak and .zip                pictures.c skins and textures
       folder.c   pictures in a model's folder       offscreen.c  OpenGL without a window
       scene_text.c  the scene that --scene describes
       film.c     the scene of the page's film, with the character of tests/recipes/hero.c
   The world has Z up, and its floor at z = 0. Matrices are column-major. Public domain. */
#ifndef VIEWER_H_INCLUDED
#define VIEWER_H_INCLUDED

#include <limits.h>
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
#include "../../../md2.h"
#define MD5_GL
#define MD5_STB_IMAGE
#include "../../../md5.h"
#include "files.h"
#include "offscreen.h"

#define MAX_MODELS      2             /* a model, and its weapon */
#define MAX_CLIPS       1024

typedef struct mesh {                 /* drawn by one call: a whole MD2, or one mesh of an MD5 */
    md2_gl_mesh md2, smooth;          /* `smooth` is uploaded when first needed */
    md5_gl_mesh md5;
    GLuint      texture;              /* 0: white */
} mesh;

typedef struct model {                /* a .md2 or a .md5mesh: the other pointer is NULL */
    char       path[MAX_PATH_LENGTH];
    md2_model *md2;
    md5_model *md5;
    mesh      *meshes;
    uint32_t   mesh_count;
    uint32_t   skin;                  /* index of the MD2's skin */
    char       picture[MAX_PATH_LENGTH]; /* replaces the model's own skin; else "" */
    int       *first_model_joints;    /* per joint: first model's joint of the same name, or -1 */
    md5_xform *pose, *scratch;        /* two halves of one array */
    float     *palettes;              /* [crowd][joint_count * 12] */
} model;

typedef struct clip {                 /* one animation; the bind pose has neither md2 nor md5 */
    const char     *name;
    double          fps;
    const md2_anim *md2;
    md5_anim       *md5;
} clip;

typedef struct player {               /* only the player of the model's format is used */
    md2_player md2;
    md5_player md5;
} player;

typedef struct box {
    float min[3], max[3];
} box;

typedef struct scene {                /* animates and places the characters, and aims the camera */
    void (*play)(int character, float seconds);
    void (*place)(int character, float tint[4], float transform[16]);
    void (*aim_camera)(void);
    /* Optional. Returns the model-space joints of a character that has no player, or NULL. */
    const md5_xform *(*find_pose)(int character);
    float tile;                       /* width of a floor tile; 0: depends on the characters' size */
} scene;

/* Models of one format share the screen: all are MD2, or all MD5. */
extern struct viewer {
    model            models[MAX_MODELS]; /* the first one has the animations and joints */
    int              model_count;
    clip             clips[MAX_CLIPS];
    int              clip_count;      /* at least one: the bind pose, if there is no animation */
    int              clip;            /* index of the current clip */
    int              first_clip;      /* index of the clip at the start */
    int              crowd;           /* characters, once there is a model */
    const scene     *scene;           /* NULL: rows. A new animation ends the scene */
    player          *players;         /* three arrays with an element per character */
    md2_gl_instance *md2_instances;
    md5_gl_instance *md5_instances;
    md2_gl          *md2_gl;
    md5_gl          *md5_gl;
    md2_mode         mode;            /* md5_mode has the same values */
    double           time;            /* seconds in the first character's animation */
    float            speed;
    box              body_box;        /* bounds of the animation at the start, Z up */
    box              motion_box;      /* bounds of the current animations, Z up */
    float            radius;          /* half the diagonal of body_box */
    bool             root_moves_far;  /* so the camera follows the root */
    bool             paused, mixed;   /* mixed: each character plays another animation */
    bool             skeleton, bounds; /* are drawn */
    bool             y_up;            /* in the models */
    bool             smooth;
    bool             solid;           /* transparent parts are not cut out */
    bool             wireframe, untextured; /* edges are drawn; textures are not */
    bool             turntable, plain; /* the camera orbits; floor and sky are not drawn */
    float            night;           /* 1: night, only bright blue parts glow; 0: day */
    enum { NO_TEXT, STATUS, HELP, TEXT_COUNT } text;
    char             error[512], note[256];
} viewer;

/* The eye is distance * zoom behind target + pan, along the view direction. */
extern struct camera {
    float pan[3], zoom, yaw, pitch;   /* set by the user; angles in radians */
    float target[3], distance;        /* computed from viewer.motion_box, like `floor` */
    float floor;                      /* height in the models that is placed at z = 0 */
    float frame[4];                   /* part of the picture that the page does not cover, */
                                      /* 0..1: left, top, right, bottom. Models are framed in it */
    float goal[4];                    /* `frame` moves toward it */
    bool  settled;                    /* false: the camera jumps to its goal */
} camera;

extern struct arguments {             /* the options of the command line */
    const char *shot, *clip, *scene, *keys, *label;
    bool        film;
    double      width, height, crowd, time, yaw, fps, frames;
} arguments;

extern struct timing {
    int    frame;                     /* number of frames drawn */
    double now;                       /* of glfwGetTime */
    double step;                      /* seconds per frame; negative: real time */
    double delta;                     /* seconds since the previous frame */
    double posing_ms;                 /* running mean */
} timing;

extern GLFWwindow *window;            /* NULL for a picture */

/* main.c */
void  die(const char *message, const char *detail);
void *allocate_again(void *old, size_t count, size_t size);   /* zeroed; frees `old` */
int   find_clip(const char *name);    /* dies if there is none */
void  seek_clip(double seconds);
bool  save_picture(const char *path); /* as PNG */

/* list.c: opens files, folders and archives. If there are models, the one at `index` (highest rank
   first) replaces the open models. If there are none, animations and pictures are added */
void        open_files(int count, const char **paths, int index);
int         count_entries(void);      /* number of models, not counting their weapons */
int         shown_entry(void);
const char *entry_name(int index);
const char *entry_path(int index);
void        show_next_entry(int step);
const char *find_in_list(const char *name); /* a file in a folder or an archive, or NULL */
bool        is_model(const char *path);
bool        is_anim(const char *path);

/* pictures.c */
void load_textures(model *m);
void set_skin(model *m, const char *path); /* covers all meshes with one picture */
bool find_named_picture(const model *m, uint32_t mesh_index, char out[MAX_PATH_LENGTH]);

/* models.c */
bool replace_models(int count, const char **paths); /* changes nothing if a model fails to open */
bool open_md5anim(const char *path);
void open_anims_beside(const model *first);
int  choose_clip(void);               /* the animation to begin with */
void release_models(void);            /* frees their OpenGL objects */
void upload_models(void);             /* creates them again */
void smooth_models(void);
void close_models(void);

/* crowd.c */
void   form_crowd(int count);
void   place_crowd(void);
void   follow_root(void);
int    count_characters(void);        /* 0 without a model */
float  crowd_spacing(void);           /* between neighbors */
float  crowd_depth(void);             /* from the first one, in front, to the last row */
float  character_random(int character, unsigned which); /* 0 to 1; `which` is 0 to 3 */
void   choose_tint(unsigned rgb, float tint[4]); /* 0xRRGGBB; 0x80 leaves a color unchanged */
void   choose_character_tint(int character, float tint[4]); /* the first one is unchanged */
double clip_length(const clip *c);    /* seconds in a cycle of viewer.mode */
void   play_clips(bool crossfade);
void   advance_crowd(float seconds);
void   pose_character(int character);
box    pose_box(const player *p);     /* of all models together, in the models' axes */
int    world_axis(int model_axis);    /* depends on viewer.y_up */
void   draw_crowd(const float light[3], const float view_projection[16]);

/* scene_text.c and film.c: each sets viewer.scene */
void open_scene_text(const char *text);
void open_film(void);
void place_on_floor(float x, float y, float heading, float transform[16]); /* in radians */

/* stage.c: between begin_shapes and end_shapes, vertices of triangles or lines are added */
typedef struct shape_vertex {         /* as stb_easy_font writes it */
    float   position[3];
    uint8_t color[4];                 /* red, green, blue, alpha */
} shape_vertex;

void     create_stage(void);
void     reset_camera(double yaw);
void     draw_stage(int width, int height);
void     show_stage(void);
bool     shows_character(void);       /* true if the last frame has a pixel of a character */
uint8_t *read_stage(int *width, int *height); /* RGBA, bottom row first, to be freed */
float    view_height(void);           /* of the whole picture, at the camera's target */
void     begin_shapes(GLenum kind, const float matrix[16]);
void     add_vertex(const float transform[16], const float position[3], uint32_t rgba);
void     end_shapes(void);

/* text.c and input.c */
void        draw_text(int width, int height, float scale);
void        print_keys(void);
const char *window_title(void);       /* an error, or viewer_state */
const char *viewer_state(void);       /* model, animation, crowd and settings */
void        set_callbacks(void);
double      time_in_clip(double length); /* for a cycle of `length` seconds */
void        viewer_zoom(float factor);
void        viewer_anim(int anim);

/* commands.c: the commands of the keys */
void        press_key(int key);       /* a GLFW_KEY_ value */
void        viewer_key(int key);      /* press_key, and clears the error */
bool        key_repeats(int key);
int         count_commands(void);
const char *command_key_name(int index);
const char *command_help(int index);
const char *next_active_flag(int *index); /* name of the next flag that is on; NULL at the end */

#endif
