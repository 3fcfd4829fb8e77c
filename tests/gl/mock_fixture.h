/* mock_fixture.h: a renderer with one mesh, and its model and crowd, for either library. Included by mock_md2.c
   and mock_md5.c, after

       names_md2.h or names_md5.h
       NAME, UNITS, SCENE, SKIN     the library's name, its number of texture units, names of its uniforms
       CALLS                        maximum number of GL calls in a frame with leave_state
       QUERIES                      number of glGetIntegerv calls in a frame without leave_state
       BLOCKS                       number of memory blocks of a mesh
       SHOWN(fixture)               the model or mesh with the vertices and indices that are drawn
       DATA_TEXTURE(mesh)           the mesh's texture of frames or weights
       UPLOAD, LOAD_TEXTURE,        the functions whose arguments or names differ
       LOAD_PIXELS, FREE_PIXELS
       PROGRAM, ANY_PROGRAM         a renderer's program: the one in use; one that draws all poses
       GIVE_FIRST_POSE              gives the first instance the pose that all zeros mean
       MODEL_FILE, PICTURED         the name of a model's file, the model in it,
       PICTURE_FILE                 and the picture next to it
       MISSING_PICTURE, FIRST_TRIED parts of the message if the picture is missing
       GREAT_CROWD                  a number of instances that take over 64 MiB

   Public domain. */

typedef struct fixture {
    counting_allocator memory;
    gl_options_t       options;
    load_error_t       error;
    model_t           *from;
    uint32_t           number;        /* number of the mesh in its model */
    gl_instance_t     *people;
    float             *palettes;
    gl_mesh_t          one;
    gl_t              *gl;
} fixture;

static const gl_scene_t unit_scene = {
    0.5f, { 1, 2, 3 }, { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1 }
};

/* Loads the model SMALL, PLAYER, GRID (its triangles in random order) or TRIANGLES (60,000 triangles, few points). */
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

/* Starts a new GL context, without a renderer. */
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
    f->gl = gl_create(fake_gl_get_proc, &f->options, &f->error);
    if (!f->gl) check_step("create failed: %s; %s", f->error.message, fake.first_mistake);
    CHECK(f->gl != NULL);
    CHECK_EQ(f->error.code, OK);
}

static bool upload(fixture *f)
{
    memset(&f->error, 0x5A, sizeof f->error);
    memset(&f->one, 0x5A, sizeof f->one);
    return UPLOAD(f->gl, f->from, f->number, &f->one, &f->error);
}

static void create_and_upload(fixture *f)
{
    create_or_abort(f);
    bool is_uploaded = upload(f);
    if (!is_uploaded) check_step("upload failed: %s", f->error.message);
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

/* Returns the first instance: all zeros or, if `all_given`, the values that zeros mean. */
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

/* Frees the mesh and the renderer. */
static void free_all(fixture *f)
{
    gl_free_mesh(f->gl, &f->one);
    gl_destroy(f->gl);
    f->gl = NULL;
}

/* Frees the mesh and the renderer; checks that no GL call was a mistake, and that no memory is left. */
static void end_renderer(fixture *f)
{
    expect_no_mistakes("a call of GL");
    free_all(f);
    expect_no_mistakes("free_mesh or destroy");
    check_step("destroyed");
    CHECK_EQ(f->memory.live_bytes, 0);
    CHECK_EQ(f->memory.mistakes, 0);
}

/* Ends the renderer; checks that only the `kept` objects of the test are left in the context. */
static void end_context(fixture *f, unsigned kept)
{
    end_renderer(f);
    if (f->options.leave_state) fake_glUseProgram(0);
    expect_live(kept, "destroy");
}

/* A test that runs once for each of its models, with a crowd of `people` characters. If `ready`, run_test creates the
   context and uploads the mesh; otherwise the test itself begins its contexts. */
typedef struct gl_test {
    const char *name, *description;
    void      (*run)(fixture *f);
    int         models;
    size_t      people;
    bool        ready;
} gl_test;

#define GL_TEST(test, description, models, people, ready) \
    { #test, description, test_##test, models, people, ready }

static const gl_test *current_test;

static void run_test(void)
{
    static const char *const names[4] = { "small", "player", "grid", "triangles" };
    fixture f;
    for (int i = 0; i < 4; ++i) {
        if (!(current_test->models & 1 << i)) continue;
        check_scene("model %s", names[i]);
        fixture_load(&f, 1 << i, current_test->people);
        begin_context(&f, false);
        if (current_test->ready) create_and_upload(&f);
        current_test->run(&f);
        if (current_test->ready) end_context(&f, 0);
        fixture_free(&f);
    }
}

#define RUN_ALL(tests) run_tests(tests, sizeof tests / sizeof tests[0])

static void run_tests(const gl_test *tests, size_t count)
{
    for (current_test = tests; current_test < tests + count; ++current_test)
        check_run(current_test->name, current_test->description, run_test);
}
