/* names_md5.h: md5.h without its prefix, so that tests of both libraries read like a user's code.
   A source file includes it just before such tests. Public domain. */

typedef md5_anim    anim_t;
typedef md5_error   load_error_t; /* POSIX has an error_t and a mode_t */
typedef md5_mode    play_mode_t;
typedef md5_model   model_t;
typedef md5_options options_t;
typedef md5_player  player_t;
typedef md5_reader  reader_t;
typedef md5_result  result_t;
typedef md5_track   track_t;

#define advance         md5_advance
#define anim_length     md5_anim_length
#define crossed         md5_crossed
#define free_model      md5_free_model
#define library_version md5_library_version
#define pause           md5_pause
#define play            md5_play
#define play_in_phase   md5_play_in_phase
#define playing         md5_playing
#define result_name     md5_result_name
#define seek            md5_seek
#define stop            md5_stop

#define LOOP      MD5_LOOP
#define ONCE      MD5_ONCE
#define PING_PONG MD5_PING_PONG
#define FINISHED  MD5_FINISHED
#define LOOPED    MD5_LOOPED

#define FLIP_V          MD5_FLIP_V
#define LIBRARY_VERSION MD5_LIBRARY_VERSION
#define MAX_TRACKS      MD5_MAX_TRACKS

#define OK             MD5_OK
#define ERROR_ARGUMENT MD5_ERROR_ARGUMENT
#define ERROR_CORRUPT  MD5_ERROR_CORRUPT
#define ERROR_GL       MD5_ERROR_GL
#define ERROR_LIMIT    MD5_ERROR_LIMIT
#define ERROR_MEMORY   MD5_ERROR_MEMORY
#define ERROR_OPEN     MD5_ERROR_OPEN
#define ERROR_READ     MD5_ERROR_READ
#define ERROR_VERSION  MD5_ERROR_VERSION

#ifdef MD5_GL
typedef md5_gl          gl_t;
typedef md5_gl_get_proc gl_get_proc_t;
typedef md5_gl_instance gl_instance_t;
typedef md5_gl_mesh     gl_mesh_t;
typedef md5_gl_options  gl_options_t;
typedef md5_gl_scene    gl_scene_t;

  #define gl_create         md5_gl_create
  #define gl_create_texture md5_gl_create_texture
  #define gl_destroy        md5_gl_destroy
  #define gl_draw           md5_gl_draw
  #define gl_free_mesh      md5_gl_free_mesh
  #define gl_last_error     md5_gl_last_error
  #define gl_use_program    md5_gl_use_program
  #define gl_vertex_source  md5_gl_vertex_source
#endif
