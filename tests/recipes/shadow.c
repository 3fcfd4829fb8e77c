/* A planar shadow: the same model is drawn again in the same pose, with a transform that flattens it onto the ground
   and a black tint. Draw it with md2_gl_draw or md5_gl_draw_meshes, before or after its model, with the skin 0, as
   engines/sokol.c does. Public domain.
       cc -I. -Itests/recipes tests/recipes/shadow.c -lm && ./a.out */
#include <assert.h>
#define MD2_GL
#define MD2_IMPLEMENTATION
#include "md2.h"
#define MD5_GL
#define MD5_IMPLEMENTATION
#include "md5.h"
#include "matrices.h"

/* Returns the instance that draws the shadow. `flat` is the shadow_matrix of a light and a height slightly above the
   ground. */
static md2_gl_instance shadow_of_md2(const md2_gl_instance *instance, const float flat[16])
{
    md2_gl_instance shadow = *instance;
    multiply(flat, instance->transform, shadow.transform);
    memset(shadow.tint, 0, sizeof shadow.tint);
    shadow.tint[3] = 1;                                     /* a tint of all zeros would mean white */
    return shadow;
}

static md5_gl_instance shadow_of_md5(const md5_gl_instance *instance, const float flat[16])
{
    md5_gl_instance shadow = *instance;
    multiply(flat, instance->transform, shadow.transform);
    memset(shadow.tint, 0, sizeof shadow.tint);
    shadow.tint[3] = 1;
    return shadow;
}

static void move_point(const float m[16], const float *p, float out[3])
{
    for (int k = 0; k < 3; ++k) out[k] = m[k] * p[0] + m[4 + k] * p[1] + m[8 + k] * p[2] + m[12 + k];
}

/* Checks that each point of the shadow is on the ground, on the line from the light through the model's point. Returns
   how far the shadow extends from the origin. */
static float check_shadow(const float *positions, uint32_t count, const float transform[16], const float shadow[16],
                          const float light[3], float ground)
{
    float reach = 0;
    for (uint32_t i = 0; i < count; ++i) {
        float body[3], dark[3];
        move_point(transform, positions + 3 * i, body);
        move_point(shadow, positions + 3 * i, dark);
        float distance = (body[2] - ground) / light[2];
        assert(fabsf(dark[2] - ground) < 0.001f);
        assert(fabsf(body[0] - distance * light[0] - dark[0]) < 0.001f);
        assert(fabsf(body[1] - distance * light[1] - dark[1]) < 0.001f);
        reach = fmaxf(reach, -dark[0]);
    }
    return reach;
}

int main(void)
{
    static const float light[3] = { 0.8f, 0.2f, 0.5f };     /* direction to the light: low, in front */
    md2_error error;
    md5_error error5;
    md2_model *knight_md2 = md2_load_file("knight/tris.md2", NULL, &error);
    if (!knight_md2) { fprintf(stderr, "%s\n", error.message); return 1; }
    md5_model *knight_md5 = md5_load_model_file("knight/knight.md5mesh", NULL, &error5);
    md5_anim *wave = knight_md5 ? md5_load_anim_file("knight/wave.md5anim", NULL, &error5) : NULL;
    if (!wave) { fprintf(stderr, "%s\n", error5.message); return 1; }
    md2_gl_instance instance2;
    md5_gl_instance instance5;
    memset(&instance2, 0, sizeof instance2);
    memset(&instance5, 0, sizeof instance5);
    place_at(0, 0, 24, 0.3f, instance2.transform);          /* the feet, at -24, are on the ground */
    place_at(0, 0, 24, 0.3f, instance5.transform);
    instance2.pose = md2_pose_at(md2_find_anim(knight_md2, "wave"), MD2_LOOP, 0.5);

    float flat[16];
    shadow_matrix(light, 0.1f, flat);
    md2_gl_instance shadow2 = shadow_of_md2(&instance2, flat);
    md5_gl_instance shadow5 = shadow_of_md5(&instance5, flat);

    /* Compute the positions as the GPU would. */
    const md5_mesh *mesh = &knight_md5->meshes[0];
    uint32_t most = knight_md2->vertex_count > mesh->vertex_count ? knight_md2->vertex_count : mesh->vertex_count;
    md5_xform *pose = (md5_xform *)malloc(knight_md5->joint_count * sizeof *pose);
    float *positions = (float *)malloc(most * 3 * sizeof *positions);
    md2_pose_vertices(knight_md2, &shadow2.pose, positions, 0, NULL, 0);
    float reach = check_shadow(positions, knight_md2->vertex_count, instance2.transform, shadow2.transform, light,
                               0.1f);
    md5_pose_at(knight_md5, wave, MD5_LOOP, 0.5, pose);
    md5_pose_to_model_space(knight_md5, pose, pose);
    md5_pose_vertices(knight_md5, 0, pose, positions, 0, NULL, 0, NULL, 0);
    float reach5 = check_shadow(positions, mesh->vertex_count, instance5.transform, shadow5.transform, light, 0.1f);
    printf("the shadow extends %.1f units behind the knight (MD2), %.1f (MD5)\n", (double)reach, (double)reach5);
    assert(reach > 80 && fabsf(reach - reach5) < 1);
    free(positions);
    free(pose);
    md5_free_anim(wave);
    md5_free_model(knight_md5);
    md2_free_model(knight_md2);
    return 0;
}
