/* One renderer with one mesh, and the model and the crowd that the mesh shows: for either library.
   Included by mock_md2.c and mock_md5.c, after

       LIB(name), OPTION(name)      the prefixes of names and of options
       NAME, UNITS, SCENE, SKIN     of the library; its texture units; the uniforms
       CALLS, ASKED                 of GL for a frame, at most, with leave_state; of glGetIntegerv
                                    without
       BLOCKS                       of memory that a mesh has
       SHOWN(fixture)               its vertices and indices
       DATA_TEXTURE(mesh)           its texture of frames or weights
       UPLOAD, LOAD_TEXTURE         the functions whose arguments or names differ
       PROGRAM, ANY_PROGRAM         of a renderer: the one in use; one that draws whatever there is
       GIVE_FIRST_POSE              gives the first instance the pose that zero stands for
       MODEL_FILE, PICTURED         the name of a model's file, the model that lies there,
       PICTURE_FILE                 and its picture beside it
       MISSING_PICTURE, FIRST_TRIED what the message says without it
       GREAT_CROWD                  so many instances take over 64 MiB

   Public domain. */

typedef struct LIB(fixture) {
    counting_allocator memory;
    LIB(gl_options) options;
    LIB(error) said;
    LIB(model) *from;
    uint32_t number;                  /* of the mesh */
    LIB(gl_instance) *people;
    float *palettes;
    LIB(gl_mesh) one;
    LIB(gl) *gl;
} LIB(fixture);

static const LIB(gl_scene) LIB(scene) = {
    0.5f, { 1, 2, 3 }, { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1 }
};

/* A small one, a player, a grid in random order, or triangles and little else. */
static LIB(model) *LIB(load)(int which, uint32_t flags, uint32_t *number);

static void LIB(pose_people)(LIB(fixture) *f, size_t count);

static void LIB(fixture_load)(LIB(fixture) *f, int which, size_t count)
{
    size_t size = (count + 1) * sizeof *f->people;
    memset(f, 0, sizeof *f);
    f->from = LIB(load)(which, 0, &f->number);
    f->people = (LIB(gl_instance) *)memset(malloc_or_abort(size), 0, size);
    for (size_t i = 0; i < count; ++i) {
        for (size_t k = 0; k < 4; ++k) f->people[i].transform[5 * k] = 1;
        f->people[i].transform[12] = (float)i;
        f->people[i].tint[i % 3] = f->people[i].tint[3] = 1;
    }
    LIB(pose_people)(f, count);
}

static void LIB(fixture_free)(LIB(fixture) *f)
{
    free(f->people);
    free(f->palettes);
    LIB(free_model)(f->from);
}

/* A fresh GL context, in which no renderer is yet. */
static void LIB(begin_context)(LIB(fixture) *f, bool es)
{
    fake_gl_reset();
    fake.es = es;
    fake_gl_start_count();
    memset(&f->memory, 0, sizeof f->memory);
    memset(&f->options, 0, sizeof f->options);
    memset(&f->one, 0, sizeof f->one);
    f->options.allocator.alloc = counting_alloc;
    f->options.allocator.release = counting_release;
    f->options.allocator.user = &f->memory;
}

static void LIB(create_or_abort)(LIB(fixture) *f)
{
    f->gl = LIB(gl_create)(fake_gl_get_proc, &f->options, &f->said);
    if (!f->gl) check_step("create says: %s; %s", f->said.message, fake.first_mistake);
    CHECK(f->gl != NULL);
    CHECK_EQ(f->said.code, OPTION(OK));
}

static bool LIB(upload)(LIB(fixture) *f)
{
    memset(&f->said, 0x5A, sizeof f->said);
    memset(&f->one, 0x5A, sizeof f->one);
    return UPLOAD(f->gl, f->from, f->number, &f->one, &f->said);
}

static void LIB(create_and_upload)(LIB(fixture) *f)
{
    LIB(create_or_abort)(f);
    bool is_uploaded = LIB(upload)(f);
    if (!is_uploaded) check_step("upload says: %s", f->said.message);
    CHECK(is_uploaded);
}

static bool LIB(draw_mesh)(LIB(fixture) *f, const LIB(gl_mesh) *one, uint32_t texture, size_t count)
{
    return LIB(gl_draw)(f->gl, one, texture, &LIB(scene), f->people, count);
}

static bool LIB(draw)(LIB(fixture) *f, size_t count)
{
    return LIB(draw_mesh)(f, &f->one, 0, count);
}

/* The first instance, once all of it is zero; or with everything given that zero stands for. */
static LIB(gl_instance) *LIB(first_instance)(LIB(fixture) *f, bool all_given)
{
    LIB(gl_instance) *first = f->people;
    memset(first, 0, sizeof *first);
    if (all_given) {
        for (int i = 0; i < 4; ++i) first->tint[i] = first->transform[5 * i] = 1;
        GIVE_FIRST_POSE(first);
    }
    return first;
}

static void LIB(expect_empty)(const LIB(gl_mesh) *one)
{
    CHECK_EQ(one->vao, 0);
    CHECK_EQ(one->vertex_buffer, 0);
    CHECK_EQ(one->index_buffer, 0);
    CHECK_EQ(DATA_TEXTURE(*one), 0);
}

/* Frees mesh and renderer. */
static void LIB(free_all)(LIB(fixture) *f)
{
    LIB(gl_free_mesh)(f->gl, &f->one);
    LIB(gl_destroy)(f->gl);
    f->gl = NULL;
}

/* And checks that no GL call of theirs was wrong, and that their memory is free. */
static void LIB(end_renderer)(LIB(fixture) *f)
{
    expect_no_mistakes("a call of GL");
    LIB(free_all)(f);
    expect_no_mistakes("free_mesh or destroy");
    check_step("destroyed");
    CHECK_EQ(f->memory.live_bytes, 0);
    CHECK_EQ(f->memory.mistakes, 0);
}

/* `kept` objects are the test's own. */
static void LIB(end_context)(LIB(fixture) *f, unsigned kept)
{
    LIB(end_renderer)(f);
    if (f->options.leave_state) fake_glUseProgram(0);
    expect_live(kept, "destroy");
}

/* A test of one or several models, each with its crowd. `ready`: in a context, with the mesh
   uploaded; else it begins its contexts by itself. */
typedef struct LIB(test) {
    const char *name, *promise;
    void      (*run)(LIB(fixture) *f);
    int         models;
    size_t      people;
    bool        ready;
} LIB(test);

#define GL_TEST(test, promise, models, people, ready) \
    { #test, promise, LIB(test_##test), models, people, ready }

static const LIB(test) *LIB(now); /* the test that runs */

static void LIB(run_test)(void)
{
    static const char *const names[4] = { "small", "player", "grid", "triangles" };
    LIB(fixture) f;
    for (int i = 0; i < 4; ++i) {
        if (!(LIB(now)->models & 1 << i)) continue;
        check_scene("model %s", names[i]);
        LIB(fixture_load)(&f, 1 << i, LIB(now)->people);
        LIB(begin_context)(&f, false);
        if (LIB(now)->ready) LIB(create_and_upload)(&f);
        LIB(now)->run(&f);
        if (LIB(now)->ready) LIB(end_context)(&f, 0);
        LIB(fixture_free)(&f);
    }
}

#define RUN_ALL(tests) LIB(run_tests)(tests, sizeof tests / sizeof tests[0])

static void LIB(run_tests)(const LIB(test) *tests, size_t count)
{
    for (LIB(now) = tests; LIB(now) < tests + count; ++LIB(now))
        check_run(LIB(now)->name, LIB(now)->promise, LIB(run_test));
}
