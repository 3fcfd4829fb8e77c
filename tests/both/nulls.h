/* The functions that are the same for md2.h and md5.h. Included by test_nulls.c once a library,
   after LIB(name), LOAD(from), OPTION(name) and VAR(name), the prefixes and the suffix of its
   variables, UPLOAD for the first arguments of gl_upload, and EITHER for names that differ.
   Public domain. */

static bool LIB(release)(LIB(model) *model)
{
    LIB(free_model)(model);
    return model != NULL;
}

static void LIB(call_shared)(void)
{
    CALL(LOAD(memory), "12")
        done = LIB(release)(LOAD(memory)(P(0, VAR(bytes).data), VAR(bytes).size,
                                         P(1, &VAR(options)), P(2, &VAR(error))));
    CALL(LOAD(reader), "12") {
        feed from = feed_of(VAR(bytes).data, VAR(bytes).size, 0);
        LIB(reader) reader = { read_feed, NULL };
        reader.user = &from;
        done = LIB(release)(LOAD(reader)(P(0, &reader), P(1, &VAR(options)), P(2, &VAR(error))));
    }
    CALL(LOAD(file), "12")
        done = LIB(release)(LOAD(file)(P(0, VAR(file)), P(1, &VAR(options)), P(2, &VAR(error))));
    CALL(LIB(free_model), "") {
        LIB(model) *model = LOAD(memory)(VAR(bytes).data, VAR(bytes).size, &VAR(options), NULL);
        size_t before = memory.releases;
        LIB(free_model)(P(0, model));
        done = memory.releases > before;
        if (!done) LIB(free_model)(model);
    }
    CALL(EITHER(md2_find_skin, md5_find_texture), "123")
        done = EITHER(md2_find_skin, md5_find_texture)(
            P(0, VAR(model)), P(1, VAR(file)), 0, P(2, accept_path), P(3, &bytes2),
            P(4, out_path), sizeof out_path);
    CALL(EITHER(md2_gl_load_skin, md5_gl_load_texture), "3")
        done = EITHER(md2_gl_load_skin, md5_gl_load_texture)(
                   P(0, VAR(gl)), P(1, VAR(model)), P(2, VAR(file)), 0, P(3, &VAR(error))) != 0;
    CALL(LIB(anim_length), "") done = LIB(anim_length)(P(0, VAR(anim)), OPTION(LOOP)) > 0;
    CALL(LIB(play), "1") {
        memset(&VAR(player), 0, sizeof VAR(player));
        LIB(play)(P(0, &VAR(player)), P(1, VAR(anim)), OPTION(LOOP), 0);
        done = VAR(player).track_count == 1;
    }
    CALL(LIB(play_in_phase), "1") {
        LIB(play_in_phase)(P(0, &VAR(player)), P(1, VAR(anim)), 0);
        done = VAR(player).track[0].mode == OPTION(LOOP);
    }
    CALL(LIB(advance), "") done = LIB(advance)(P(0, &VAR(player)), 1) == OPTION(FINISHED);
    CALL(LIB(crossed), "") {
        LIB(advance)(&VAR(player), 1);
        done = LIB(crossed)(P(0, &VAR(player)), P(1, VAR(anim)), VAR(last_frame)) == 1;
    }
    CALL(LIB(playing), "") done = LIB(playing)(P(0, &VAR(player)), P(1, VAR(anim)));
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
    CALL(LIB(gl_upload), "3") {
        LIB(gl_mesh) mesh;
        done = LIB(gl_upload)(UPLOAD(P(0, VAR(gl)), P(1, VAR(model))), P(2, &mesh),
                              P(3, &VAR(error)));
        if (done) LIB(gl_free_mesh)(VAR(gl), &mesh);
    }
    CALL(LIB(gl_free_mesh), "") {
        LIB(gl_mesh) mesh;
        CHECK(LIB(gl_upload)(UPLOAD(VAR(gl), VAR(model)), &mesh, NULL));
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
#undef LOAD
#undef EITHER
#undef OPTION
#undef VAR
#undef UPLOAD
