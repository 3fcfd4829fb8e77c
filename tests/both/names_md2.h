/* names_md2.h: md2.h without its prefix, so that tests of both libraries read like a user's code.
   A source file includes it just before such tests. Public domain. */

typedef md2_anim    anim_t;
typedef md2_error   load_error_t; /* POSIX has an error_t and a mode_t */
typedef md2_mode    play_mode_t;
typedef md2_model   model_t;
typedef md2_options options_t;
typedef md2_player  player_t;
typedef md2_reader  reader_t;
typedef md2_result  result_t;
typedef md2_track   track_t;

#define advance         md2_advance
#define anim_length     md2_anim_length
#define crossed         md2_crossed
#define free_model      md2_free_model
#define library_version md2_library_version
#define pause           md2_pause
#define play            md2_play
#define play_in_phase   md2_play_in_phase
#define playing         md2_playing
#define result_name     md2_result_name
#define seek            md2_seek
#define stop            md2_stop

#define LOOP      MD2_LOOP
#define ONCE      MD2_ONCE
#define PING_PONG MD2_PING_PONG
#define FINISHED  MD2_FINISHED
#define LOOPED    MD2_LOOPED

#define FLIP_V          MD2_FLIP_V
#define LIBRARY_VERSION MD2_LIBRARY_VERSION
#define MAX_TRACKS      MD2_MAX_TRACKS

#define OK             MD2_OK
#define ERROR_ARGUMENT MD2_ERROR_ARGUMENT
#define ERROR_CORRUPT  MD2_ERROR_CORRUPT
#define ERROR_GL       MD2_ERROR_GL
#define ERROR_LIMIT    MD2_ERROR_LIMIT
#define ERROR_MEMORY   MD2_ERROR_MEMORY
#define ERROR_OPEN     MD2_ERROR_OPEN
#define ERROR_READ     MD2_ERROR_READ
#define ERROR_VERSION  MD2_ERROR_VERSION

#ifdef MD2_GL
typedef md2_gl          gl_t;
typedef md2_gl_get_proc gl_get_proc_t;
typedef md2_gl_instance gl_instance_t;
typedef md2_gl_mesh     gl_mesh_t;
typedef md2_gl_options  gl_options_t;
typedef md2_gl_scene    gl_scene_t;

  #define gl_create         md2_gl_create
  #define gl_create_texture md2_gl_create_texture
  #define gl_destroy        md2_gl_destroy
  #define gl_draw           md2_gl_draw
  #define gl_free_mesh      md2_gl_free_mesh
  #define gl_last_error     md2_gl_last_error
  #define gl_use_program    md2_gl_use_program
  #define gl_vertex_source  md2_gl_vertex_source
#endif
