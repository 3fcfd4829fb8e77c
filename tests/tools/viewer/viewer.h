/* The viewer shows Quake II and Doom 3 models by md2.h and md5.h, in a window or as a web page.
       main.c     command line, window, frames       models.c   opens and closes files
       crowd.c    plays, poses, draws characters     stage.c    camera, floor, shadow, lines
       commands.c what can be done by a key          text.c     status, help, title
       input.c    mouse, dropped files, the page
       files.c    reads and lists files              list.c     which models a list of them holds
       archive.c  .pak and .zip                      pictures.c skins and textures
       folder.c   what lies beside a model           cast.c     a scene, told by --cast
       film.c     the scene of the page's film, in which a character of tests/recipes/hero.c plays
       offscreen.c  OpenGL without a window, for pictures
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
    md2_gl_mesh md2, smooth;          /* `smooth` once it is asked for */
    md5_gl_mesh md5;
    GLuint      texture;              /* 0: white */
} mesh;

typedef struct model {                /* a .md2 or a .md5mesh: the other pointer is NULL */
    char       path[MAX_PATH_LENGTH];
    md2_model *md2;
    md5_model *md5;
    mesh      *meshes;
    uint32_t   mesh_count;
    uint32_t   skin;                  /* which of the MD2's */
    char       picture[MAX_PATH_LENGTH]; /* that covers it instead of its own; else "" */
    bool       is_seen_through;
    int       *leading_joints;        /* for each, the first model's of the same name; else -1 */
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

typedef struct box {
    float min[3], max[3];
} box;

typedef struct scene {                /* says what the characters do, where, and who looks on */
    void (*play)(int character, float seconds);
    void (*place)(int character, float tint[4], float transform[16]);
    void (*aim_camera)(void);
    /* NULL, or returns the joints in model space of a character that has no player, or NULL. */
    const md5_xform *(*find_pose)(int character);
    float tile;                       /* the width of the floor's; 0: by the characters' size */
} scene;

/* Models of one format share the screen: all are MD2, or all MD5. */
extern struct viewer {
    model            models[MAX_MODELS]; /* the first one leads: its animations, its joints */
    int              model_count;
    clip             clips[MAX_CLIPS];
    int              clip_count;      /* at least one: the bind pose, if there is no animation */
    int              clip;            /* which of them plays ... */
    int              first_clip;      /* ... and did at the start */
    int              crowd;           /* characters, once there is a model */
    const scene     *scene;           /* NULL: they stand in rows. Ends with another animation */
    player          *players;         /* three arrays of one for each character */
    md2_gl_instance *md2_instances;
    md5_gl_instance *md5_instances;
    md2_gl          *md2_gl;
    md5_gl          *md5_gl;
    md2_mode         mode;            /* md5_mode has the same values */
    double           time;            /* of the first character in its animation */
    float            speed;
    box              body;            /* of the animation at the start, Z up */
    box              reach;           /* of what plays, Z up */
    float            radius;          /* of the body */
    bool             travels;         /* what plays goes far: the camera follows */
    bool             paused, mixed;   /* mixed: each character plays another animation */
    bool             skeleton, bounds; /* are drawn */
    bool             y_up;            /* in the models */
    bool             smooth;
    bool             solid;           /* what is seen through is not cut out */
    bool             wires, bare;     /* edges are drawn; no texture is */
    bool             turns, plain;    /* as on a turntable; before no floor and sky */
    float            night;           /* 1: dark, but for what glows; 0: day */
    enum { NO_TEXT, STATUS, HELP, TEXT_COUNT } text;
    char             error[512], note[256];
} viewer;

/* Its eye is at target + pan, and back from there along its view by distance * zoom. */
extern struct camera {
    float pan[3], zoom, yaw, pitch;   /* the user's; angles in radians */
    float target[3], distance;        /* these and the floor follow `reach` */
    float floor;                      /* the models' height that stands on z = 0 */
    float frame[4];                   /* what may be seen of the picture, 0..1: left, top, right, */
                                      /* bottom; a page covers some. Models are framed in there */
    float goal[4];                    /* of `frame`, which follows it */
    bool  settled;                    /* false: it is there at once */
} camera;

extern struct arguments {
    const char *shot, *clip, *cast, *keys, *label;
    bool        film;
    double      width, height, crowd, time, yaw, fps, frames;
} arguments;

extern struct timing {
    int    frame;                     /* how many are drawn */
    double now;                       /* of glfwGetTime */
    double step;                      /* seconds a frame; negative: as the clock says */
    double delta;                     /* seconds since the frame before */
    double posing_ms;                 /* a mean of the last frames */
} timing;

extern GLFWwindow *window;            /* NULL for a picture */

/* main.c */
void  die(const char *message, const char *detail);
void *allocate_again(void *old, size_t count, size_t size);   /* zeroed; frees `old` */
int   find_clip(const char *name);    /* dies if there is none */
void  seek_clip(double seconds);
bool  save_picture(const char *path); /* as PNG */

/* list.c: files, folders and archives. A model among them replaces what is shown; of several, the
   one at `index` is shown, the likeliest first. Without one, animations and pictures are added */
void        open_files(int count, const char **paths, int index);
int         count_entries(void);      /* models of the list, each with its weapon */
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
bool replace_models(int count, const char **paths); /* false, and no change, if one fails */
bool open_md5anim(const char *path);
void open_anims_beside(const model *lead);
int  choose_clip(void);               /* the animation to begin with */
void release_models(void);            /* what they have in OpenGL */
void upload_models(void);             /* the same again */
void smooth_models(void);
void close_models(void);

/* crowd.c */
void   form_crowd(int count);
void   place_crowd(void);
void   follow_traveller(void);
int    count_characters(void);        /* 0 without a model */
float  crowd_spacing(void);           /* between neighbors */
float  crowd_depth(void);             /* from the first one, in front, to the last row */
float  choose(int character, unsigned which); /* 0 to 1; each has four such numbers of its own */
void   choose_tint(unsigned rgb, float tint[4]); /* 0xRRGGBB; 0x80 leaves a color as it is */
void   choose_own_tint(int character, float tint[4]); /* the first one stays as it is */
double clip_length(const clip *c);    /* seconds in a cycle of viewer.mode */
void   play_clips(bool crossfade);
void   advance_crowd(float seconds);
void   pose_character(int character);
box    pose_box(const player *p);     /* of all models together, in their own axes */
int    world_axis(int model_axis);    /* by viewer.y_up */
void   draw_crowd(const float light[3], const float view_projection[16]);

/* cast.c and film.c: each sets viewer.scene */
void read_cast(const char *text);
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
bool     shows_character(void);       /* in the last frame, be it one pixel */
uint8_t *read_stage(int *width, int *height); /* RGBA, bottom row first, to be freed */
float    view_height(void);           /* of the whole picture, at the camera's target */
void     begin_shapes(GLenum kind, const float matrix[16]);
void     add_vertex(const float transform[16], const float position[3], uint32_t rgba);
void     end_shapes(void);

/* text.c and input.c */
void        draw_text(int width, int height, float scale);
void        print_keys(void);
const char *window_title(void);       /* what is in view, or an error */
const char *viewer_state(void);       /* what is in view */
void        set_callbacks(void);
double      time_in_clip(double length); /* whose cycle takes so long */
void        viewer_zoom(float factor);
void        viewer_anim(int anim);

/* commands.c: what can be done by a key */
void        press_key(int key);       /* of GLFW */
void        viewer_key(int key);      /* the same; what failed has been read */
bool        key_repeats(int key);
int         count_commands(void);
const char *command_key_name(int index);
const char *command_help(int index);
const char *next_sign(int *index);    /* from *index on, of what is on; NULL at the end */

#endif
