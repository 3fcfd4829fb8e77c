/* What a renderer holds in memory after large things are gone. Included by long_life.c once a library, after

       LIB(name), NAME         the prefix of names
       SMALL_MODEL, ALLOCATOR  a model to draw; options that count
       UPLOAD, LOAD_TEXTURE    the functions whose arguments or names differ

   Public domain. */

static void LIB(draw_frames)(LIB(gl) *gl, const LIB(gl_mesh) *mesh, size_t people, int frames)
{
    static LIB(gl_instance) crowd[CROWD];
    static LIB(gl_scene)    scene;
    for (int i = 0; i < frames; ++i) CHECK(LIB(gl_draw)(gl, mesh, 0, &scene, crowd, people));
}

static void LIB(test_gone)(void)
{
    LIB(model) *model = SMALL_MODEL();
    LIB(gl_options) options;
    LIB(gl_mesh) mesh;
    memset(&options, 0, sizeof options);
    memset(&memory, 0, sizeof memory);
    options.allocator = ALLOCATOR;
    fake_gl_reset();
    LIB(gl) *gl = LIB(gl_create)(fake_gl_get_proc, &options, NULL);
    CHECK(gl && UPLOAD(gl, model, &mesh));
    LIB(draw_frames)(gl, &mesh, 1, 1);
    size_t with_one = memory.live_bytes;

    check_step("a skin of %d x %d", SKIN_SIDE, SKIN_SIDE);
    char path[600];
    snprintf(path, sizeof path, "%s/long_life.tga", folder);
    CHECK(write_file(path, "x", 1));
    CHECK(LOAD_TEXTURE(gl, model, path, 0, NULL) != 0); /* the model's own name goes for its skin */
    size_t with_skin = memory.live_bytes;
    CHECK_EQ(with_skin, with_one);
    remove(path);

    check_step("a draw of %d characters, then %d of one", CROWD, FRAMES);
    LIB(draw_frames)(gl, &mesh, CROWD, 1);
    size_t with_crowd = memory.live_bytes;
    LIB(draw_frames)(gl, &mesh, 1, FRAMES);
    size_t later = memory.live_bytes;
    printf("    " NAME ".h holds %lu bytes to draw one, %lu after a skin of %d x %d, %lu after a draw "
           "of %d, %lu after %d more of one\n", (unsigned long)with_one, (unsigned long)with_skin,
           SKIN_SIDE, SKIN_SIDE, (unsigned long)with_crowd, CROWD, (unsigned long)later, FRAMES);
    CHECK(with_crowd > 100 * with_one);
    CHECK(later <= 4 * with_one);

    LIB(gl_free_mesh)(gl, &mesh);
    LIB(gl_destroy)(gl);
    LIB(free_model)(model);
    fake_gl_reset();
    CHECK(counting_is_clean(&memory));
}

#undef LIB
#undef NAME
#undef SMALL_MODEL
#undef ALLOCATOR
#undef UPLOAD
#undef LOAD_TEXTURE
