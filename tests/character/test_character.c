/* test_character FOLDER: compares the two forms of the character there: the MD2 must be the skinned
   MD5, quantised. Public domain. */
#include "check.h"
#include "md2.h"
#include "md5.h"
#include "support.h"

enum { MOST_PATH = 1024 };

static const char *folder;

static const char *path_of(const char *name, const char *extension)
{
    static char path[MOST_PATH];
    snprintf(path, sizeof path, "%s/%s%s", folder, name, extension);
    return path;
}

static md2_model *load_md2(const char *name)
{
    md2_error  error;
    md2_model *model = md2_load_file(path_of(name, ".md2"), NULL, &error);
    if (!model) printf("%s.md2: %s\n", name, error.message);
    CHECK(model != NULL);
    return model;
}

static md5_model *load_md5(const char *name)
{
    md5_error  error;
    md5_model *model = md5_load_model_file(path_of(name, ".md5mesh"), NULL, &error);
    if (!model) printf("%s.md5mesh: line %u: %s\n", name, (unsigned)error.line, error.message);
    CHECK(model != NULL);
    return model;
}

typedef struct pair {                 /* the same thing in both formats */
    const md2_model *baked;
    const md5_model *skinned;
    md5_xform       *pose;
    float           *positions[2], *normals[2];
    double           worst_quanta, worst_normal;
    unsigned long    compared;
} pair;

static float *floats(size_t count)
{
    return (float *)malloc_or_abort(count * sizeof(float));
}

/* Corner by corner, since the formats weld in their own ways. */
static void compare_frame(pair *p, uint32_t frame)
{
    const md5_mesh *body = &p->skinned->meshes[0];
    const float    *scale = p->baked->frames[frame].scale;
    uint32_t        i, axis;
    for (i = 0; i < body->index_count; ++i) {
        const float *skinned = p->positions[1] + 3 * body->indices[i];
        const float *baked = p->positions[0] + 3 * p->baked->indices[i];
        const float *a = p->normals[1] + 3 * body->indices[i];
        const float *b = p->normals[0] + 3 * p->baked->indices[i];
        double       cosine = 0;
        for (axis = 0; axis < 3; ++axis) {
            double quanta = fabs((double)skinned[axis] - (double)baked[axis]) / (double)scale[axis];
            p->worst_quanta = quanta > p->worst_quanta ? quanta : p->worst_quanta;
            cosine += (double)a[axis] * (double)b[axis];
            ++p->compared;
        }
        p->worst_normal = cosine < p->worst_normal ? cosine : p->worst_normal;
    }
}

static void compare_anim(pair *p, const md2_anim *baked, const md5_anim *skinned)
{
    uint32_t i;
    for (i = 0; i < baked->count; ++i) {
        md2_pose pose = md2_pose_between(baked->first + i, baked->first + i, 0);
        md5_pose_at(skinned, MD5_ONCE, i / 10.0, p->pose);
        md5_pose_to_model_space(p->skinned, p->pose, p->pose);
        md5_pose_vertices(p->skinned, 0, p->pose, p->positions[1], 0, p->normals[1], 0, NULL, 0);
        md2_pose_vertices(p->baked, &pose, p->positions[0], 0, p->normals[0], 0);
        compare_frame(p, baked->first + i);
    }
}

static bool is_cycle(const char *name)
{
    return !strcmp(name, "stand") || !strcmp(name, "run") || !strcmp(name, "crstnd") ||
           !strcmp(name, "crwalk");
}

static void test_anims(pair *p)
{
    uint32_t i, closed = 0;
    CHECK_EQ(p->baked->anim_count, 20);
    for (i = 0; i < p->baked->anim_count; ++i) {
        const md2_anim *baked = &p->baked->anims[i];
        md5_error       error;
        md5_anim *anim = md5_load_anim_file(path_of(baked->name, ".md5anim"), NULL, &error);
        check_subject(baked->name);
        if (!anim) printf("%s: line %u: %s\n", baked->name, (unsigned)error.line, error.message);
        if (!CHECK(anim != NULL)) continue;
        CHECK(md5_check_anim(p->skinned, anim, &error) == MD5_OK);
        CHECK(anim->closed == is_cycle(baked->name));
        CHECK_NEAR(md5_anim_length(anim, anim->closed ? MD5_LOOP : MD5_ONCE),
                   md2_anim_length(baked, anim->closed ? MD2_LOOP : MD2_ONCE), 1e-6);
        compare_anim(p, baked, anim);
        closed += anim->closed ? 1u : 0u;
        md5_free_anim(anim);
    }
    check_subject("");
    CHECK_EQ(closed, 4);
}

static void test_texcoords(const pair *p)
{
    const md5_mesh *body = &p->skinned->meshes[0];
    uint32_t        i, wrong = 0;
    CHECK_EQ(body->index_count, p->baked->index_count);
    for (i = 0; i < body->index_count; ++i) {
        const md5_vertex *a = &body->vertices[body->indices[i]];
        const md2_vertex *b = &p->baked->vertices[p->baked->indices[i]];
        double off = fabs((double)a->u - (double)b->u) + fabs((double)a->v - (double)b->v);
        wrong += off > 1e-5 ? 1u : 0u;
    }
    CHECK_EQ(wrong, 0);
}

static void test_size(const pair *p)
{
    CHECK(p->baked->index_count / 3 >= 600 && p->baked->index_count / 3 <= 1500);
    CHECK(p->skinned->joint_count >= 20);
    CHECK_EQ(p->baked->frame_count, 198);
    CHECK_EQ(p->baked->dropped_triangles, 0);
    CHECK(p->baked->strip_count > 0);
    CHECK_EQ(p->baked->skin_count, 1);
}

static void test_weapon(void)
{
    md2_model *baked = load_md2("weapon");
    md5_model *skinned = load_md5("weapon");
    check_section("weapon");
    if (baked) CHECK_EQ(baked->frame_count, 198);
    if (skinned) CHECK_EQ(skinned->joint_count, 1);
    md2_free_model(baked);
    md5_free_model(skinned);
}

static void test_pair(pair *p)
{
    size_t baked = p->baked->vertex_count * 3u;
    size_t skinned = p->skinned->meshes[0].vertex_count * 3u;
    p->worst_normal = 1;
    p->pose = (md5_xform *)malloc_or_abort(p->skinned->joint_count * sizeof(md5_xform));
    p->positions[0] = floats(baked);
    p->normals[0] = floats(baked);
    p->positions[1] = floats(skinned);
    p->normals[1] = floats(skinned);
    check_section("character");
    test_size(p);
    test_texcoords(p);
    test_anims(p);
    printf("MD2 against the skinned MD5: at worst %.4f of a quantum, normals' cosine %.3f\n",
           p->worst_quanta, p->worst_normal);
    CHECK_FLOOR(p->compared, 2000000, "coordinates compared");
    CHECK(p->worst_quanta <= 0.501);
    CHECK(p->worst_normal >= 0.97);
    free(p->pose);
    free(p->positions[0]);
    free(p->normals[0]);
    free(p->positions[1]);
    free(p->normals[1]);
}

int main(int argc, char **argv)
{
    md2_model *baked;
    md5_model *skinned;
    pair       p;
    folder = argc > 1 ? argv[1] : ".";
    memset(&p, 0, sizeof p);
    p.baked = baked = load_md2("tris");
    p.skinned = skinned = load_md5("robot");
    if (baked && skinned) {
        test_pair(&p);
    }
    test_weapon();
    md2_free_model(baked);
    md5_free_model(skinned);
    return check_finish();
}
