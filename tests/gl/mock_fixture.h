/* One renderer with one mesh, and the model and the crowd that the mesh shows: for either library.
   Included by mock_md2.c and mock_md5.c, after

       names_md2.h or names_md5.h
       NAME, UNITS, SCENE, SKIN     of the library; its texture units; the uniforms
       CALLS, ASKED                 of GL for a frame, at most, with leave_state; of glGetIntegerv
                                    without
       BLOCKS                       of memory that a mesh has
       SHOWN(fixture)               its vertices and indices
       DATA_TEXTURE(mesh)           its texture of frames or weights
       UPLOAD, LOAD_TEXTURE,        the functions whose arguments or names differ
       LOAD_PIXELS, FREE_PIXELS
       PROGRAM, ANY_PROGRAM         of a renderer: the one in use; one that draws whatever there is
       GIVE_FIRST_POSE              gives the first instance the pose that zero stands for
       MODEL_FILE, PICTURED         the name of a model's file, the model that lies there,
       PICTURE_FILE                 and its picture beside it
       MISSING_PICTURE, FIRST_TRIED what the message says without it
       GREAT_CROWD                  so many instances take over 64 MiB

   Public domain. */

typedef struct fixture {
    counting_allocator memory;
    gl_options_t       options;
    load_error_t       said;
    model_t           *from;
    uint32_t           number;        /* of the mesh */
    gl_instance_t     *people;
    float             *palettes;
    gl_mesh_t          one;
    gl_t              *gl;
} fixture;

static const gl_scene_t unit_scene = {
    0.5f, { 1, 2, 3 }, { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1 }
};

/* A small one, a player, a grid in random order, or triangles and little else. */
static model_t *load(int which, uint32_t flags, uint32_t *number);

static void pose_people(fixture *f, size_t count);

static void fixture_load(fixture *f, int which, size_t count)
{
    size_t size = (count + 1) * sizeof *f->people;
    memset(f, 0, sizeof *f);
    f->from = load(which, 0, &f->number);
    f->people = (gl_instance_t *)memset(malloc_or_abort(size), 0, size);
    for (size_t i = 0; i < count; ++i) {
        for (size_t k = 0; k < 4; ++k) f->people[i].transform[5 * k] = 1;
        f->people[i].transform[12] = (float)i;
        f->people[i].tint[i % 3] = f->people[i].tint[3] = 1;
    }
    pose_people(f, count);
}

static void fixture_free(fixture *f)
{
    free(f->people);
    free(f->palettes);
    free_model(f->from);
}

/* A fresh GL context, in which no renderer is yet. */
static void begin_context(fixture *f, bool es)
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

static void create_or_abort(fixture *f)
{
    f->gl = gl_create(fake_gl_get_proc, &f->options, &f->said);
    if (!f->gl) check_step("create says: %s; %s", f->said.message, fake.first_mistake);
    CHECK(f->gl != NULL);
    CHECK_EQ(f->said.code, OK);
}

static bool upload(fixture *f)
{
    memset(&f->said, 0x5A, sizeof f->said);
    memset(&f->one, 0x5A, sizeof f->one);
    return UPLOAD(f->gl, f->from, f->number, &f->one, &f->said);
}

static void create_and_upload(fixture *f)
{
    create_or_abort(f);
    bool is_uploaded = upload(f);
    if (!is_uploaded) check_step("upload says: %s", f->said.message);
    CHECK(is_uploaded);
}

static bool draw_mesh(fixture *f, const gl_mesh_t *one, uint32_t texture, size_t count)
{
    return gl_draw(f->gl, one, texture, &unit_scene, f->people, count);
}

static bool draw(fixture *f, size_t count)
{
    return draw_mesh(f, &f->one, 0, count);
}

/* The first instance, once all of it is zero; or with everything given that zero stands for. */
static gl_instance_t *first_instance(fixture *f, bool all_given)
{
    gl_instance_t *first = f->people;
    memset(first, 0, sizeof *first);
    if (all_given) {
        for (int i = 0; i < 4; ++i) first->tint[i] = first->transform[5 * i] = 1;
        GIVE_FIRST_POSE(first);
    }
    return first;
}

static void expect_empty(const gl_mesh_t *one)
{
    CHECK_EQ(one->vao, 0);
    CHECK_EQ(one->vertex_buffer, 0);
    CHECK_EQ(one->index_buffer, 0);
    CHECK_EQ(DATA_TEXTURE(*one), 0);
}

/* Frees mesh and renderer. */
static void free_all(fixture *f)
{
    gl_free_mesh(f->gl, &f->one);
    gl_destroy(f->gl);
    f->gl = NULL;
}

/* And checks that no GL call of theirs was wrong, and that their memory is free. */
static void end_renderer(fixture *f)
{
    expect_no_mistakes("a call of GL");
    free_all(f);
    expect_no_mistakes("free_mesh or destroy");
    check_step("destroyed");
    CHECK_EQ(f->memory.live_bytes, 0);
    CHECK_EQ(f->memory.mistakes, 0);
}

/* `kept` objects are the test's own. */
static void end_context(fixture *f, unsigned kept)
{
    end_renderer(f);
    if (f->options.leave_state) fake_glUseProgram(0);
    expect_live(kept, "destroy");
}

/* A test of one or several models, each with its crowd. `ready`: in a context, with the mesh
   uploaded; else it begins its contexts by itself. */
typedef struct gl_test {
    const char *name, *description;
    void      (*run)(fixture *f);
    int         models;
    size_t      people;
    bool        ready;
} gl_test;

#define GL_TEST(test, description, models, people, ready) \
    { #test, description, test_##test, models, people, ready }

static const gl_test *now; /* the test that runs */

static void run_test(void)
{
    static const char *const names[4] = { "small", "player", "grid", "triangles" };
    fixture f;
    for (int i = 0; i < 4; ++i) {
        if (!(now->models & 1 << i)) continue;
        check_scene("model %s", names[i]);
        fixture_load(&f, 1 << i, now->people);
        begin_context(&f, false);
        if (now->ready) create_and_upload(&f);
        now->run(&f);
        if (now->ready) end_context(&f, 0);
        fixture_free(&f);
    }
}

#define RUN_ALL(tests) run_tests(tests, sizeof tests / sizeof tests[0])

static void run_tests(const gl_test *tests, size_t count)
{
    for (now = tests; now < tests + count; ++now)
        check_run(now->name, now->description, run_test);
}
