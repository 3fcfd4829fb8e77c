/* The functions that are the same for md2.h and md5.h. Included by test_nulls.c once a library,
   after LIB(name), OPTION(name) and VAR(name), the prefixes and the suffix of its variables, and
   UPLOAD. Public domain. */

static void LIB(call_shared)(void)
{
    CALL(LIB(anim_length), "") done = LIB(anim_length)(P(0, VAR(anim)), OPTION(LOOP)) > 0;
    CALL(LIB(play), "1") {
        memset(&VAR(player), 0, sizeof VAR(player));
        LIB(play)(P(0, &VAR(player)), P(1, VAR(anim)), OPTION(LOOP), 0);
        done = VAR(player).track_count == 1;
    }
    CALL(LIB(advance), "") done = LIB(advance)(P(0, &VAR(player)), 1) == OPTION(FINISHED);
    CALL(LIB(crossed), "") {
        LIB(advance)(&VAR(player), 1);
        done = LIB(crossed)(P(0, &VAR(player)), VAR(last_frame)) == 1;
    }
    CALL(LIB(playing), "") done = LIB(playing)(P(0, &VAR(player))) != NULL;
    CALL(LIB(track_weights), "") {
        float weights[5] = { 0, 0, 0, 0, 0 };
        LIB(track_weights)(P(0, &VAR(player)), P(1, weights));
        done = weights[0] > 0;
    }
    CALL(LIB(pause), "") {
        LIB(pause)(P(0, &VAR(player)), true);
        done = VAR(player).paused;
    }
    CALL(LIB(stop), "") {
        LIB(stop)(P(0, &VAR(player)));
        done = VAR(player).paused;
    }
    CALL(LIB(seek), "") {
        LIB(seek)(P(0, &VAR(player)), 0);
        done = !(VAR(player).track[0].time > 0);
    }
    CALL(LIB(gl_create), "12") {
        LIB(gl_options) options;
        LIB(gl) *gl;
        memset(&options, 0, sizeof options);
        gl = LIB(gl_create)(P(0, fake_gl_get_proc), P(1, &options), P(2, &VAR(error)));
        LIB(gl_destroy)(gl);
        done = gl != NULL;
    }
    CALL(LIB(gl_destroy), "") {
        LIB(gl) *gl = LIB(gl_create)(fake_gl_get_proc, NULL, NULL);
        unsigned before = fake_gl_live(FAKE_PROGRAM);
        LIB(gl_destroy)(P(0, gl));
        done = fake_gl_live(FAKE_PROGRAM) < before;
        if (!done) LIB(gl_destroy)(gl);
    }
    CALL(LIB(gl_last_error), "") done = LIB(gl_last_error)(P(0, VAR(gl))) != NULL;
    CALL(LIB(gl_use_program), "") done = LIB(gl_use_program)(P(0, VAR(gl)), 0);
    CALL(LIB(gl_free_mesh), "") {
        LIB(gl_mesh) mesh;
        CHECK(UPLOAD(VAR(gl), VAR(model), &mesh, NULL));
        LIB(gl_free_mesh)(P(0, VAR(gl)), P(1, &mesh));
        done = mesh.vao == 0;
        LIB(gl_free_mesh)(VAR(gl), &mesh);
    }
    CALL(LIB(gl_create_texture), "") {
        static const uint8_t texel[4] = { 1, 2, 3, 4 };
        done = LIB(gl_create_texture)(P(0, VAR(gl)), P(1, texel), 1, 1) != 0;
    }
    CALL(LIB(gl_draw), "") {
        LIB(gl_scene) scene;
        LIB(gl_instance) one;
        unsigned long before = fake.draws;
        memset(&scene, 0, sizeof scene);
        memset(&one, 0, sizeof one);
        LIB(gl_draw)(P(0, VAR(gl)), P(1, &VAR(mesh)), 0, P(2, &scene), P(3, &one), 1);
        done = fake.draws > before;
    }
}

#undef LIB
#undef OPTION
#undef VAR
#undef UPLOAD
