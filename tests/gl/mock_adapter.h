/* The OpenGL interface of md2.h or md5.h as functions of `library` in mock.h. Included once for
   each, after

       LIB(name)                   the prefix
       MEMBER                      its part of mesh, model and crowd
       PLACE                       the field of its error that names a place in a file
       DATA_TEXTURE(mesh)          its texture of frames or weights
       UPLOAD, LOAD_TEXTURE        the functions whose arguments or names differ
       CREATE_TEXTURE, PROGRAM
       GIVE_FIRST_POSE             gives the first instance the pose that zero stands for

   Public domain. */

static void LIB(report)(const LIB(error) *from, report *to)
{
    if (!to) return;
    CHECK_EQ(from->PLACE, 0);         /* no file is to blame */
    snprintf(to->code, sizeof to->code, "%s", LIB(result_name)(from->code) + 4);
    snprintf(to->message, sizeof to->message, "%s", from->message);
}

static void *LIB(try_create)(fake_gl_proc (*get_proc)(const char *), const choice *from, report *to)
{
    LIB(gl_options) options;
    LIB(error) error;
    LIB(gl) *gl;
    memset(&options, 0, sizeof options);
    memset(&error, 0x5A, sizeof error);
    if (from) {
        options.version_line = from->version_line;
        options.fragment_source = from->fragment_source;
        options.texture_unit = from->unit;
        options.leave_state = from->leave_state;
        options.keep_zeros = from->keep_zeros;
        options.cut_out = from->cut_out;
        if (from->memory) {
            options.allocator.alloc = counting_alloc;
            options.allocator.release = from->half_an_allocator ? NULL : counting_release;
            options.allocator.user = from->memory;
        }
    }
    gl = LIB(gl_create)(get_proc, from ? &options : NULL, to ? &error : NULL);
    if (to) LIB(report)(&error, to);
    return gl;
}

static void LIB(try_destroy)(void *gl) { LIB(gl_destroy)((LIB(gl) *)gl); }
static uint32_t LIB(try_program)(const void *gl) { return PROGRAM((const LIB(gl) *)gl); }

static bool LIB(use_program)(void *gl, uint32_t program)
{
    return LIB(gl_use_program)((LIB(gl) *)gl, program);
}

static void LIB(last_error)(const void *gl, report *to)
{
    LIB(report)(LIB(gl_last_error)((const LIB(gl) *)gl), to);
}

static bool LIB(try_upload)(void *gl, const model *from, mesh *to, report *said)
{
    LIB(error) error;
    bool ok;
    memset(&error, 0x5A, sizeof error);
    memset(to, 0x5A, sizeof *to);
    ok = UPLOAD((LIB(gl) *)gl, from, &to->MEMBER, said ? &error : NULL);
    if (said) LIB(report)(&error, said);
    to->vao = to->MEMBER.vao;
    to->vertex_buffer = to->MEMBER.vertex_buffer;
    to->index_buffer = to->MEMBER.index_buffer;
    to->data_texture = DATA_TEXTURE(to->MEMBER);
    to->index_count = to->MEMBER.index_count;
    return ok;
}

static bool LIB(try_upload_to_null)(void *gl, const model *from, report *said)
{
    LIB(error) error;
    bool ok = UPLOAD((LIB(gl) *)gl, from, NULL, &error);
    LIB(report)(&error, said);
    return ok;
}

static void LIB(try_free_mesh)(void *gl, mesh *one)
{
    LIB(gl_free_mesh)((LIB(gl) *)gl, one ? &one->MEMBER : NULL);
}

static uint32_t LIB(try_texture)(void *gl, const uint8_t *rgba, uint32_t width, uint32_t height)
{
    return CREATE_TEXTURE((LIB(gl) *)gl, rgba, width, height);
}

static uint32_t LIB(try_load_texture)(void *gl, const model *from, const char *path,
                                      uint32_t number, report *said)
{
    LIB(error) error;
    uint32_t texture;
    memset(&error, 0x5A, sizeof error);
    texture = LOAD_TEXTURE((LIB(gl) *)gl, from ? from->MEMBER : NULL, path, number,
                           said ? &error : NULL);
    LIB(report)(&error, said);
    return texture;
}

static const LIB(gl_scene) LIB(scene) = {
    0.5f, { 1, 2, 3 }, { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1 }
};

static bool LIB(try_draw)(void *gl, const mesh *one, uint32_t texture, const crowd *who,
                          size_t count)
{
    return LIB(gl_draw)((LIB(gl) *)gl, &one->MEMBER, texture, &LIB(scene), who->MEMBER, count);
}

static void LIB(draw_lit)(void *gl, const mesh *one, const lighting *light, const crowd *who)
{
    LIB(gl_scene) scene;
    scene.ambient = light->ambient;
    memcpy(scene.light_direction, light->light, sizeof light->light);
    memcpy(scene.view_projection, light->projection, sizeof light->projection);
    LIB(gl_draw)((LIB(gl) *)gl, &one->MEMBER, 0, &scene, who->MEMBER, 1);
}

static void LIB(draw_nothing)(void *gl, const mesh *one)
{
    const LIB(gl_mesh) *uploaded = &one->MEMBER;
    LIB(gl_mesh) none;
    LIB(gl_instance) who;
    memset(&who, 0, sizeof who);
    memset(&none, 0, sizeof none);
    CHECK(LIB(gl_draw)((LIB(gl) *)gl, uploaded, 0, &LIB(scene), &who, 0));
    CHECK(!LIB(gl_draw)((LIB(gl) *)gl, uploaded, 0, &LIB(scene), NULL, 1));
    CHECK(!LIB(gl_draw)((LIB(gl) *)gl, uploaded, 0, NULL, &who, 1));
    CHECK(!LIB(gl_draw)((LIB(gl) *)gl, NULL, 0, &LIB(scene), &who, 1));
    CHECK(!LIB(gl_draw)((LIB(gl) *)gl, &none, 0, &LIB(scene), &who, 1));
    CHECK_TEXT(LIB(gl_last_error)((LIB(gl) *)gl)->message, "no mesh, scene or instances are given");
    CHECK(!LIB(gl_draw)((LIB(gl) *)gl, uploaded, 0, &LIB(scene), &who, INT32_MAX));
    CHECK_TEXT(LIB(gl_last_error)((LIB(gl) *)gl)->message,
               "2147483647 instances are too many for one draw");
    CHECK(!LIB(gl_draw)(NULL, uploaded, 0, &LIB(scene), &who, 1));
    CHECK(LIB(gl_last_error)(NULL) == NULL);
}

static void LIB(try_free_model)(model *one) { LIB(free_model)(one->MEMBER); }

static void LIB(free_people)(crowd *who)
{
    free(who->MEMBER);
    free(who->palettes);
}

static float *LIB(first_transform)(crowd *who, bool all_given)
{
    LIB(gl_instance) *first = &who->MEMBER[0];
    int i;
    memset(first, 0, sizeof *first);
    if (all_given) {
        for (i = 0; i < 4; ++i) first->tint[i] = first->transform[5 * i] = 1;
        GIVE_FIRST_POSE(who);
    }
    return first->transform;
}

static float *LIB(first_tint)(crowd *who) { return who->MEMBER[0].tint; }

#undef LIB
#undef MEMBER
#undef PLACE
#undef DATA_TEXTURE
#undef UPLOAD
#undef LOAD_TEXTURE
#undef CREATE_TEXTURE
#undef PROGRAM
#undef GIVE_FIRST_POSE
