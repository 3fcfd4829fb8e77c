/* mock_state.c: the caller's state before and after every call. Public domain. */
#include "mock.h"

static void expect_state(const fake_state *then, const fake_object *array, const char *what)
{
    const char *difference = fake_gl_difference(then);
    const fake_object *now = &fake.object[then->array];
    check_subject(what);
    if (!CHECK(difference == NULL)) printf("    changed: %s\n", difference);
    CHECK_EQ(now->element_buffer, array->element_buffer);
    CHECK(memcmp(now->attribute, array->attribute, sizeof now->attribute) == 0);
    check_subject("");
}

/* Everything that a caller can bind is bound to objects of his; every call leaves it so. */
void test_state(const library *lib, uint32_t unit)
{
    static const char *const versions[3] = { "3.3.0 fake", "OpenGL ES 3.0 fake",
                                             "OpenGL ES 3.0 (WebGL 2.0)" };
    static const uint8_t pixels[4 * 5 * 7] = { 1, 2, 3 };
    const fake_object *image;
    fake_object array;
    fake_state then;
    fixture f;
    uint32_t texture, i, found = 0;
    unsigned own;
    fixture_load(&f, lib, PLAYER, 2);
    begin_context(&f, unit > 0);
    fake.version = versions[unit / 6];
    fake_gl_set_hostile();
    own = fake_gl_live(FAKE_KINDS);
    then = fake.state;
    array = fake.object[then.array];
    f.options.unit = unit;
    create_or_abort(&f);
    expect_state(&then, &array, "create");
    CHECK(upload(&f));
    expect_state(&then, &array, "upload");
    texture = lib->texture(f.gl, pixels, 5, 7);
    image = &fake.object[texture];
    CHECK(texture != 0);
    CHECK_EQ(image->width, 5);
    CHECK_EQ(image->height, 7);
    CHECK(memcmp(image->data, pixels, sizeof pixels) == 0);
    CHECK(fake_is_complete(image));
    CHECK_EQ(image->min_filter, FAKE_LINEAR_MIPMAP_LINEAR);
    CHECK_EQ(image->mag_filter, FAKE_LINEAR);
    CHECK_EQ(image->wrap_s, FAKE_REPEAT);
    CHECK_EQ(image->wrap_t, FAKE_REPEAT);
    expect_state(&then, &array, "texture");
    lib->draw(f.gl, &f.one, texture, &f.who, 2);
    expect_state(&then, &array, "draw");
    for (i = 0; i < lib->units; ++i) found += fake.last.texture[unit + i] == texture;
    CHECK_EQ(found, 1);
    draw(&f, 1);
    expect_state(&then, &array, "draw without a texture");
    CHECK_EQ(fake.draws, 2);
    lib->free_mesh(f.gl, &f.one);
    expect_state(&then, &array, "free_mesh");
    lib->destroy(f.gl);
    f.gl = NULL;
    expect_state(&then, &array, "destroy");
    fake_glDeleteTextures(1, &texture);
    end_context(&f, own);
    fixture_free(&f);
}

/* With leave_state the caller has set what CONVENTIONS of OPENGL asks for. The library asks for
   nothing, and of the textures it changes only those of its own units. */
void test_leave_state(const library *lib)
{
    fake_state then;
    fixture f;
    unsigned i;
    fixture_load(&f, lib, PLAYER, 4000); /* more than a row */
    begin_context(&f, true);
    fake_gl_set_hostile();
    fake.state.unpack_buffer = 0;
    memset(fake.state.unpack, 0, sizeof fake.state.unpack);
    fake.state.unpack[3] = 4;
    memset(fake.state.switches, 0, sizeof fake.state.switches);
    memset(fake.state.sampler + 4, 0, lib->units * sizeof(unsigned));
    then = fake.state;
    f.options.leave_state = true;
    f.options.unit = 4;
    create_or_abort(&f);
    CHECK(upload(&f));
    fake.state = then;
    CHECK(draw(&f, 2));
    CHECK_EQ(fake.draws, 1);
    CHECK_EQ(fake_gl_calls("glGetIntegerv"), 1); /* MAX_TEXTURE_SIZE, once */
    CHECK_EQ(fake_gl_calls("glIsEnabled") + fake_gl_calls("glPixelStorei"), 0);
    for (i = 0; i < FAKE_UNITS; ++i) {
        if (i >= 4 && i < 4 + lib->units) continue;
        CHECK_EQ(fake.state.texture[i], then.texture[i]);
        CHECK_EQ(fake.state.sampler[i], then.sampler[i]);
    }
    CHECK(draw(&f, 2));               /* from the state that it left */
    fake.state = then;
    CHECK(draw(&f, 4000));
    CHECK(fake.draws > 2);
    lib->free_mesh(f.gl, &f.one);
    lib->destroy(f.gl);
    CHECK(counting_is_clean(&f.memory));
    expect_no_mistakes();
    fixture_free(&f);
}
