/* One renderer with one mesh, and the model and the crowd that the mesh shows: for either library.
   Included by mock_md2.c and mock_md5.c, after

       LIB(name), OPTION(name)      the prefixes of names and of options
       NAME, UNITS, SCENE           of the library; its texture units; the uniform
       CALLS, ASKED                 of GL for a frame, at most, with leave_state; of glGetIntegerv
                                    without
       SHOWN(fixture)               its vertices and indices
       DATA_TEXTURE(mesh)           its texture of frames or weights
       UPLOAD, LOAD_TEXTURE         the functions whose arguments or names differ
       PROGRAM, GIVE_FIRST_POSE     gives the first instance the pose that zero stands for
       MODEL_FILE, PICTURED         the name of a model's file, the model that lies there,
       PICTURE_FILE                 and its picture beside it
       MISSING_PICTURE, FIRST_TRIED what the message says without it

   Public domain. */

typedef struct LIB(crowd) {
    LIB(gl_instance) *instances;
    float *palettes;
} LIB(crowd);

typedef struct LIB(fixture) {
    counting_allocator memory;
    LIB(gl_options) options;
    LIB(error) said;
    LIB(model) *from;
    uint32_t number;                  /* of the mesh */
    LIB(crowd) who;
    LIB(gl_mesh) one;
    LIB(gl) *gl;
} LIB(fixture);

static const LIB(gl_scene) LIB(scene) = {
    0.5f, { 1, 2, 3 }, { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1 }
};

/* A small one, a player, a grid in random order, triangles and little else. */
static LIB(model) *LIB(load)(int which, uint32_t flags, uint32_t *number);

static LIB(crowd) LIB(people)(const LIB(model) *from, size_t count);

static void LIB(free_people)(LIB(crowd) *who)
{
    free(who->instances);
    free(who->palettes);
}

static void LIB(fixture_load)(LIB(fixture) *f, int which, size_t people)
{
    memset(f, 0, sizeof *f);
    f->from = LIB(load)(which, 0, &f->number);
    f->who = LIB(people)(f->from, people);
}

static void LIB(fixture_free)(LIB(fixture) *f)
{
    LIB(free_people)(&f->who);
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
    if (!CHECK(f->gl != NULL)) {
        printf("    %s; %s\n", f->said.message, fake.first_mistake);
        exit(check_finish());
    }
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
    CHECK(LIB(upload)(f));
}

static bool LIB(draw_mesh)(LIB(fixture) *f, const LIB(gl_mesh) *one, uint32_t texture, size_t count)
{
    return LIB(gl_draw)(f->gl, one, texture, &LIB(scene), f->who.instances, count);
}

static bool LIB(draw)(LIB(fixture) *f, size_t count)
{
    return LIB(draw_mesh)(f, &f->one, 0, count);
}

static void LIB(draw_lit)(LIB(fixture) *f, const lighting *light)
{
    LIB(gl_scene) scene;
    scene.ambient = light->ambient;
    memcpy(scene.light_direction, light->light, sizeof light->light);
    memcpy(scene.view_projection, light->projection, sizeof light->projection);
    LIB(gl_draw)(f->gl, &f->one, 0, &scene, f->who.instances, 1);
}

/* The first instance, once all of it is zero; or with everything given that zero stands for. */
static LIB(gl_instance) *LIB(first_instance)(LIB(fixture) *f, bool all_given)
{
    LIB(gl_instance) *first = f->who.instances;
    int i;
    memset(first, 0, sizeof *first);
    if (all_given) {
        for (i = 0; i < 4; ++i) first->tint[i] = first->transform[5 * i] = 1;
        GIVE_FIRST_POSE(first);
    }
    return first;
}

static void LIB(expect_empty)(const LIB(gl_mesh) *one)
{
    CHECK(!one->vao && !one->vertex_buffer && !one->index_buffer && !DATA_TEXTURE(*one));
}

/* Frees mesh and renderer; `kept` objects are the test's own. */
static void LIB(end_context)(LIB(fixture) *f, unsigned kept)
{
    LIB(gl_free_mesh)(f->gl, &f->one);
    LIB(gl_destroy)(f->gl);
    f->gl = NULL;
    if (f->options.leave_state) fake_glUseProgram(0);
    expect_no_mistakes();
    CHECK_EQ(fake_gl_live(FAKE_KINDS), kept);
    CHECK(counting_is_clean(&f->memory));
}

static void LIB(draw_nothing)(LIB(gl) *gl, const LIB(gl_mesh) *uploaded)
{
    LIB(gl_mesh) none;
    LIB(gl_instance) who;
    memset(&who, 0, sizeof who);
    memset(&none, 0, sizeof none);
    CHECK(LIB(gl_draw)(gl, uploaded, 0, &LIB(scene), &who, 0));
    CHECK(!LIB(gl_draw)(gl, uploaded, 0, &LIB(scene), NULL, 1));
    CHECK(!LIB(gl_draw)(gl, uploaded, 0, NULL, &who, 1));
    CHECK(!LIB(gl_draw)(gl, NULL, 0, &LIB(scene), &who, 1));
    CHECK(!LIB(gl_draw)(gl, &none, 0, &LIB(scene), &who, 1));
    CHECK_TEXT(LIB(gl_last_error)(gl)->message, "no mesh, scene or instances are given");
    CHECK(!LIB(gl_draw)(gl, uploaded, 0, &LIB(scene), &who, INT32_MAX));
    CHECK_TEXT(LIB(gl_last_error)(gl)->message, "2147483647 instances are too many for one draw");
    CHECK(!LIB(gl_draw)(NULL, uploaded, 0, &LIB(scene), &who, 1));
    CHECK(LIB(gl_last_error)(NULL) == NULL);
}
