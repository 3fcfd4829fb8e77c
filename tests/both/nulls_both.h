/* nulls_both.h: calls of the functions that both libraries have. Include it after

       nulls.h and names_md2.h or names_md5.h
       load_memory, load_reader, load_file   the loaders of models
       find_picture, gl_load_picture         the search for a skin or texture, and its upload
       model, anim, last_frame, options, gl, mesh     arguments of the calls
       bytes, byte_count, model_path         the file of the model, with a picture next to it
       bool upload(gl_mesh_t *mesh)          gl_upload of the model

   It defines `player`, and CALLS_OF_BOTH, the rows of a table. Public domain. */

static load_error_t error;
static player_t     player;
static char         out_path[512];

/* Plays the animation, and moves the player just before its end. */
static void reset_player(void)
{
    memset(&player, 0, sizeof player);
    play(&player, anim, ONCE, 0);
    seek(&player, anim_length(anim, ONCE) - 0.01);
}

/* -- Models ------------------------------------------------------------------ */

static bool is_released(model_t *loaded)
{
    free_model(loaded);
    return loaded != NULL;
}

static void call_load_memory(void)
{
    done = is_released(load_memory(REQUIRED(0, bytes), byte_count, NULLABLE(1, &options),
                                   NULLABLE(2, &error)));
}

static void call_load_reader(void)
{
    feed from = feed_of(bytes, byte_count, 0);
    reader_t reader = { read_feed, NULL };
    reader.user = &from;
    done = is_released(load_reader(REQUIRED(0, &reader), NULLABLE(1, &options),
                                   NULLABLE(2, &error)));
}

static void call_load_file(void)
{
    done = is_released(load_file(REQUIRED(0, model_path), NULLABLE(1, &options),
                                 NULLABLE(2, &error)));
}

static void call_free_model(void)
{
    model_t *loaded = load_memory(bytes, byte_count, &options, NULL);
    size_t before = call_memory.releases;
    free_model(REQUIRED(0, loaded));
    done = call_memory.releases > before;
    if (!done) free_model(loaded);
}

static void call_find_picture(void)
{
    static float user;
    out_path[0] = 0;
    done = find_picture(REQUIRED(0, model), NULLABLE(1, model_path), 0, NULLABLE(2, accept_path),
                        NULLABLE(3, &user), REQUIRED(4, out_path), sizeof out_path) ||
           out_path[0] != 0;
}

/* -- The player -------------------------------------------------------------- */

static void call_anim_length(void) { done = anim_length(REQUIRED(0, anim), LOOP) > 0; }

static void call_play(void)
{
    memset(&player, 0, sizeof player);
    play(REQUIRED(0, &player), NULLABLE(1, anim), LOOP, 0);
    done = player.track_count == 1;
}

static void call_play_in_phase(void)
{
    play_in_phase(REQUIRED(0, &player), NULLABLE(1, anim), 0);
    done = player.track[0].mode == LOOP;
}

static void call_advance(void) { done = advance(REQUIRED(0, &player), 1) == FINISHED; }

static void call_crossed(void)
{
    advance(&player, 1);
    done = crossed(REQUIRED(0, &player), REQUIRED(1, anim), last_frame) == 1;
}

static void call_playing(void) { done = playing(REQUIRED(0, &player), REQUIRED(1, anim)); }

static void call_pause(void)
{
    pause(REQUIRED(0, &player), true);
    done = player.paused;
}

static void call_stop(void)
{
    stop(REQUIRED(0, &player));
    done = player.paused;
}

static void call_seek(void)
{
    seek(REQUIRED(0, &player), 0);
    done = !(player.track[0].time > 0);
}

/* -- OpenGL ------------------------------------------------------------------ */

static void call_gl_create(void)
{
    gl_options_t with;
    memset(&with, 0, sizeof with);
    gl_t *created = gl_create(REQUIRED(0, fake_gl_get_proc), NULLABLE(1, &with),
                              NULLABLE(2, &error));
    gl_destroy(created);
    done = created != NULL;
}

static void call_gl_destroy(void)
{
    gl_t *created = gl_create(fake_gl_get_proc, NULL, NULL);
    unsigned before = fake_gl_live(FAKE_PROGRAM);
    gl_destroy(REQUIRED(0, created));
    done = fake_gl_live(FAKE_PROGRAM) < before;
    if (!done) gl_destroy(created);
}

static void call_gl_last_error(void) { done = gl_last_error(REQUIRED(0, gl)) != NULL; }

static void call_gl_use_program(void) { done = gl_use_program(REQUIRED(0, gl), 0); }

static void call_gl_load_picture(void)
{
    done = gl_load_picture(REQUIRED(0, gl), REQUIRED(1, model), REQUIRED(2, model_path), 0,
                           NULLABLE(3, &error)) != 0;
}

static void call_gl_free_mesh(void)
{
    gl_mesh_t uploaded;
    CHECK(upload(&uploaded));
    gl_free_mesh(REQUIRED(0, gl), REQUIRED(1, &uploaded));
    done = uploaded.vao == 0;
    gl_free_mesh(gl, &uploaded);
}

static void call_gl_create_texture(void)
{
    static const uint8_t texel[4] = { 1, 2, 3, 4 };
    done = gl_create_texture(REQUIRED(0, gl), REQUIRED(1, texel), 1, 1) != 0;
}

static void call_gl_draw(void)
{
    gl_scene_t scene;
    gl_instance_t instance;
    unsigned long before = fake.draws;
    memset(&scene, 0, sizeof scene);
    memset(&instance, 0, sizeof instance);
    gl_draw(REQUIRED(0, gl), REQUIRED(1, &mesh), 0, REQUIRED(2, &scene), REQUIRED(3, &instance), 1);
    done = fake.draws > before;
}

#define CALLS_OF_BOTH \
  CALL(load_memory), CALL(load_reader), CALL(load_file), CALL(free_model), CALL(find_picture), \
  CALL(anim_length), CALL(play), CALL(play_in_phase), CALL(advance), CALL(crossed), CALL(playing), \
  CALL(pause), CALL(stop), CALL(seek), CALL(gl_create), CALL(gl_destroy), CALL(gl_last_error), \
  CALL(gl_use_program), CALL(gl_load_picture), CALL(gl_free_mesh), CALL(gl_create_texture), \
  CALL(gl_draw)
