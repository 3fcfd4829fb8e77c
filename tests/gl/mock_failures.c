/* mock_failures.c: allocations that fail, a context that is lost, a GPU that is full, and models
   that are too large for it. Public domain. */
#include "mock.h"

static const uint8_t pixels[4] = { 9, 9, 9, 9 };

/* Create, upload and draw, with the n-th allocation failing, for every n. */
void test_no_memory(const library *lib, int which)
{
    size_t n, failures = 0;
    bool done = false;
    fixture f;
    fixture_load(&f, lib, which, 50000); /* more than fits in the memory that the upload took */
    for (n = 1; n < 100 && !done; ++n) {
        begin_context(&f, false);
        f.memory.fail_at = n;
        f.gl = lib->create(fake_gl_get_proc, &f.options, &f.said);
        if (!f.gl) {
            CHECK_TEXT(f.said.code, "ERROR_MEMORY");
        } else if (!upload(&f)) {
            CHECK_TEXT(f.said.code, "ERROR_MEMORY");
            expect_empty(&f.one);
        } else {
            CHECK_TEXT(f.said.code, "OK");
            done = draw(&f, 50000);
            CHECK_EQ(done, f.memory.allocations < n);
            CHECK_EQ(fake.draws, done ? 1 : 0); /* without memory nothing is drawn */
            lib->last_error(f.gl, &f.said);
            CHECK_TEXT(f.said.code, done ? "OK" : "ERROR_MEMORY");
        }
        failures += !done;
        end_context(&f, 0);
    }
    CHECK(done);
    CHECK_FLOOR(failures, 3, "allocations made to fail");
    fixture_free(&f);
}

/* After the memory is there again, the same objects work. */
void test_memory_comes_back(const library *lib)
{
    model big = lib->load(GRID, 0);
    fixture f;
    mesh two;
    fixture_load(&f, lib, PLAYER, 50000);
    begin_context(&f, false);
    create_and_upload(&f);
    f.memory.fail_at = 1;
    draw(&f, 50000);
    CHECK_EQ(fake.draws, 0);
    if (!lib->upload(f.gl, &big, &two, &f.said)) CHECK_TEXT(f.said.code, "ERROR_MEMORY");
    lib->free_mesh(f.gl, &two);
    f.memory.fail_at = 0;
    draw(&f, 50000);
    CHECK_EQ(fake.draws, 1);
    CHECK(lib->upload(f.gl, &big, &two, &f.said));
    CHECK_TEXT(f.said.code, "OK");
    CHECK_TEXT(f.said.message, "");
    lib->free_mesh(f.gl, &two);
    end_context(&f, 0);
    fixture_free(&f);
    lib->free_model(&big);
}

/* A lost context answers nothing. Whenever it is lost, no call crashes, and no memory stays. */
void test_lost_context(const library *lib)
{
    mesh two;
    fixture f;
    int when;
    fixture_load(&f, lib, PLAYER, 20);
    for (when = 0; when < 4; ++when) {
        begin_context(&f, false);
        fake.lost = when == 0;
        f.gl = lib->create(fake_gl_get_proc, &f.options, &f.said);
        if (!f.gl) CHECK_TEXT(f.said.code, "ERROR_GL");
        CHECK(f.gl != NULL || when == 0);
        if (f.gl) {
            fake.lost = fake.lost || when == 1;
            upload(&f);
            fake.lost = fake.lost || when == 2;
            CHECK(draw(&f, 20) == !fake.lost);
            if (fake.lost) CHECK_EQ(lib->texture(f.gl, pixels, 1, 1), 0);
            fake.lost = true;
            CHECK(!draw(&f, 20) && !lib->use_program(f.gl, 0));
            CHECK(!lib->upload(f.gl, &f.from, &two, &f.said));
            lib->last_error(f.gl, &f.said);
            CHECK_TEXT(f.said.message, "the OpenGL context is lost or not current");
            CHECK(!lib->draw(f.gl, &two, 0, &f.who, 20));
            lib->free_mesh(f.gl, &two);
            lib->free_mesh(f.gl, &f.one);
            lib->free_mesh(f.gl, &f.one);
            lib->destroy(f.gl);
        }
        CHECK(counting_is_clean(&f.memory));
        expect_no_mistakes();
        begin_context(&f, false);     /* another context, and all is well */
        create_and_upload(&f);
        CHECK(draw(&f, 20));
        end_context(&f, 0);
    }
    fixture_free(&f);
}

/* A draw that GL refuses says so, and the next one sends all of it again. */
void test_refused_draws(const library *lib)
{
    fixture f;
    unsigned at, refused = 0;
    bool ok = false;
    fixture_load(&f, lib, PLAYER, 200);
    for (at = 1; at < 4; ++at) {
        begin_context(&f, false);
        create_and_upload(&f);
        CHECK(draw(&f, 2));
        fake.gpu_requests = 0;
        fake.gpu_fail_at = at;
        ok = draw(&f, 200);
        refused += !ok;
        lib->last_error(f.gl, &f.said);
        CHECK_TEXT(f.said.message, ok ? "" : "the GPU has no memory left");
        fake.gpu_fail_at = 0;
        fake_gl_start_count();
        CHECK(draw(&f, 200));
        if (!ok) CHECK_EQ(fake_gl_calls("glTexImage2D"), lib->units - 2);
        lib->last_error(f.gl, &f.said);
        CHECK_TEXT(f.said.code, "OK");
        end_context(&f, 0);
    }
    CHECK(ok && refused == lib->units - 1); /* the instances, and the palettes of MD5 */
    fixture_free(&f);
}

static void expect_full(const fixture *f, bool ok, const fake_state *then)
{
    CHECK_TEXT(f->said.code, ok ? "OK" : "ERROR_MEMORY");
    CHECK_TEXT(f->said.message, ok ? "" : "the GPU has no memory left");
    CHECK(fake_gl_difference(then) == NULL);
}

/* The GPU's memory runs out at each place in turn: an error, nothing left behind, all as before. */
void test_full_gpu(const library *lib)
{
    fixture f;
    fake_state then;
    unsigned long at, refused = 0;
    unsigned callers, own;
    uint32_t texture;
    bool ok = false;
    fixture_load(&f, lib, PLAYER, 1);
    for (at = 1; !ok && at < 9; ++at) {
        begin_context(&f, false);
        fake_gl_set_hostile();
        callers = fake_gl_live(FAKE_KINDS);
        then = fake.state;
        fake.gpu_fail_at = at;
        f.gl = lib->create(fake_gl_get_proc, &f.options, &f.said);
        ok = f.gl != NULL;
        refused += !ok;
        expect_full(&f, ok, &then);
        end_context(&f, callers);
    }
    CHECK(refused >= 1);
    for (at = 1, ok = false; !ok && at < 9; ++at) {
        begin_context(&f, false);
        fake_gl_set_hostile();
        callers = fake_gl_live(FAKE_KINDS);
        then = fake.state;
        create_or_abort(&f);
        own = fake_gl_live(FAKE_KINDS);
        fake.error = FAKE_INVALID_OPERATION; /* somebody else's */
        fake.gpu_requests = 0;
        fake.gpu_fail_at = at;
        ok = upload(&f);
        expect_full(&f, ok, &then);
        if (!ok) expect_empty(&f.one);
        if (!ok) CHECK_EQ(fake_gl_live(FAKE_KINDS), own);
        end_context(&f, callers);
    }
    CHECK_EQ(at, 5); /* a texture, vertices and indices; the fourth time all is well */
    begin_context(&f, false);
    create_or_abort(&f);
    fake.error = FAKE_INVALID_OPERATION;
    texture = lib->texture(f.gl, pixels, 1, 1);
    CHECK(texture != 0);
    fake_glDeleteTextures(1, &texture);
    fake.gpu_requests = 0;
    fake.gpu_fail_at = 1;
    CHECK_EQ(lib->texture(f.gl, pixels, 1, 1), 0);
    fake.gpu_error = FAKE_INVALID_OPERATION;
    CHECK_EQ(lib->texture(f.gl, pixels, 1, 1), 0);
    CHECK(!upload(&f));
    CHECK_TEXT(f.said.code, "ERROR_GL");
    CHECK_TEXT(f.said.message, "OpenGL reports error 1282");
    end_context(&f, 0);
    fixture_free(&f);
}

/* A model or a picture that no texture of the context can hold is refused. */
void test_limits(const library *lib)
{
    static uint8_t row[65 * 4];
    fixture f;
    uint32_t texture;
    int i;
    fixture_load(&f, lib, GRID, 1);
    begin_context(&f, false);
    fake.max_texture_size = 3;        /* less than OpenGL allows */
    create_or_abort(&f);
    CHECK(!upload(&f));
    CHECK_TEXT(f.said.code, "ERROR_GL");
    CHECK(strstr(f.said.message, " texels, more than a texture of 3 rows holds") != NULL);
    expect_empty(&f.one);
    end_context(&f, 0);
    begin_context(&f, false);
    fake.max_texture_size = 64;
    create_or_abort(&f);
    for (i = 0; i < 2; ++i) {
        texture = lib->texture(f.gl, row, i ? 1 : 64, i ? 64 : 1);
        CHECK(texture != 0);
        fake_glDeleteTextures(1, &texture);
        CHECK_EQ(lib->texture(f.gl, row, i ? 1 : 65, i ? 65 : 1), 0);
    }
    CHECK_EQ(lib->texture(f.gl, row, 0xFFFFFFFFu, 1), 0);
    end_context(&f, 0);
    fixture_free(&f);
}
