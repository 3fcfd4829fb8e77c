/* test_character FOLDER: compares the two forms of the character there: the MD2 must be the skinned
   MD5, quantised. Public domain. */
#include "check.h"
#include "md2.h"
#include "md5.h"
#include "smooth.h"
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

enum { MOST_VERTICES = 2048, MOST_JOINTS = 64 };

typedef struct pair {                 /* the same thing in both formats */
    const md2_model *baked;
    const md5_model *skinned;
    md5_xform        pose[MOST_JOINTS];
    float            positions[2][3 * MOST_VERTICES], normals[2][3 * MOST_VERTICES];
    double           worst_quanta, worst_normal, worst_eye;
    unsigned long    compared, eyes;
    float           *truth[2];        /* positions and normals of the MD2's vertices, by frame */
} pair;

/* Corner by corner, since the formats weld in their own ways. */
static void compare_frame(pair *p, uint32_t frame)
{
    const md5_mesh *body = &p->skinned->meshes[0];
    const float    *scale = p->baked->frames[frame].scale;
    for (uint32_t i = 0; i < body->index_count; ++i) {
        const float *skinned = p->positions[1] + 3 * body->indices[i];
        const float *baked = p->positions[0] + 3 * p->baked->indices[i];
        const float *a = p->normals[1] + 3 * body->indices[i];
        const float *b = p->normals[0] + 3 * p->baked->indices[i];
        double       cosine = 0;
        size_t       at = 3 * ((size_t)frame * p->baked->vertex_count + p->baked->indices[i]);
        memcpy(p->truth[0] + at, skinned, 3 * sizeof(float));
        memcpy(p->truth[1] + at, a, 3 * sizeof(float));
        for (uint32_t axis = 0; axis < 3; ++axis) {
            double quanta = fabs((double)skinned[axis] - (double)baked[axis]) / (double)scale[axis];
            p->worst_quanta = quanta > p->worst_quanta ? quanta : p->worst_quanta;
            cosine += (double)a[axis] * (double)b[axis];
            ++p->compared;
        }
        p->worst_normal = cosine < p->worst_normal ? cosine : p->worst_normal;
    }
}

static double distance(const float *a, const float *b)
{
    double x = (double)a[0] - (double)b[0], y = (double)a[1] - (double)b[1];
    double z = (double)a[2] - (double)b[2];
    return sqrt(x * x + y * y + z * z);
}

/* An eye that sank into the face, or stood out of it, would change its distance from the middle. */
static void compare_eyes(pair *p)
{
    const md5_mesh  *body = &p->skinned->meshes[0];
    const md5_joint *joints = p->skinned->joints;
    int              middle = md5_find_joint(p->skinned, "brow");
    for (uint32_t i = 0; i < body->vertex_count; ++i) {
        const md5_vertex *v = &body->vertices[i];
        uint32_t joint = body->weights[v->first_weight + v->weight_count - 1].joint;
        double   bound = distance(v->position, joints[middle].bind.position);
        double   now = distance(p->positions[1] + 3 * i, p->pose[middle].position);
        if (strncmp(joints[joint].name, "eye_", 4) != 0) continue;
        p->worst_eye = fmax(p->worst_eye, fabs(now - bound));
        ++p->eyes;
    }
}

/* In a cycle, soles that are down go back at one speed; in a run, both are up twice. */
static void test_soles(pair *p, const md5_anim *anim)
{
    static const char *const toes[2] = { "toes_l", "toes_r" };
    float    x, z, last_x[2] = { 0, 0 }, last_z[2] = { 0, 0 }, speed = 0;
    uint32_t steps = 0, flights = 0;
    for (uint32_t i = 0; i < anim->frame_count; ++i) {
        uint32_t up = 0;
        md5_pose_at(anim, MD5_ONCE, i / 10.0, p->pose);
        md5_pose_to_model_space(p->skinned, p->pose, p->pose);
        for (uint32_t side = 0; side < 2; ++side) {
            x = p->pose[md5_find_joint(p->skinned, toes[side])].position[0];
            z = p->pose[md5_find_joint(p->skinned, toes[side])].position[2];
            if (z < -22.7f && last_z[side] < -22.7f) {
                speed = steps++ ? speed : x - last_x[side];
                CHECK_NEAR(x - last_x[side], speed, 0.05);
            }
            up += z > -21 ? 1u : 0u;
            last_x[side] = x;
            last_z[side] = z;
        }
        flights += up / 2;
    }
    CHECK(steps >= 2);
    CHECK_EQ(flights, strcmp(anim->name, "run") == 0 ? 2 : 0);
}

static void compare_anim(pair *p, const md2_anim *baked, const md5_anim *skinned)
{
    for (uint32_t i = 0; i < baked->count; ++i) {
        md2_pose pose = md2_pose_between(baked->first + i, baked->first + i, 0);
        md5_pose_at(skinned, MD5_ONCE, i / 10.0, p->pose);
        md5_pose_to_model_space(p->skinned, p->pose, p->pose);
        md5_pose_vertices(p->skinned, 0, p->pose, p->positions[1], 0, p->normals[1], 0, NULL, 0);
        md2_pose_vertices(p->baked, &pose, p->positions[0], 0, p->normals[0], 0);
        compare_frame(p, baked->first + i);
        compare_eyes(p);
    }
}

static bool is_cycle(const char *name)
{
    return !strcmp(name, "stand") || !strcmp(name, "run") || !strcmp(name, "crstnd") ||
           !strcmp(name, "crwalk");
}

static void test_anims(pair *p)
{
    uint32_t closed = 0;
    CHECK_EQ(p->baked->anim_count, 20);
    for (uint32_t i = 0; i < p->baked->anim_count; ++i) {
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
        if (anim->closed) test_soles(p, anim);
        closed += anim->closed ? 1u : 0u;
        md5_free_anim(anim);
    }
    check_subject("");
    CHECK_EQ(closed, 4);
}

static void test_texcoords(const pair *p)
{
    const md5_mesh *body = &p->skinned->meshes[0];
    uint32_t        wrong = 0;
    CHECK_EQ(body->index_count, p->baked->index_count);
    for (uint32_t i = 0; i < body->index_count; ++i) {
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

static void test_pair(pair *p)
{
    size_t size = (size_t)p->baked->vertex_count * p->baked->frame_count * 3 * sizeof(float);
    check_section("character");
    p->truth[0] = (float *)malloc_or_abort(size);
    p->truth[1] = (float *)malloc_or_abort(size);
    test_size(p);
    test_texcoords(p);
    test_anims(p);
    printf("MD2 against the skinned MD5: at worst %.4f of a quantum, normals' cosine %.3f\n"
           "eyes, into the face or out of it: at worst %.2f\n",
           p->worst_quanta, p->worst_normal, p->worst_eye);
    CHECK_FLOOR(p->compared, 2000000, "coordinates compared");
    CHECK_FLOOR(p->eyes, 198 * 20, "vertices of eyes");
    CHECK(p->worst_quanta <= 0.501);
    CHECK(p->worst_normal >= 0.97);
    CHECK(p->worst_eye <= 0.4);
    test_smoothing(p->baked, p->truth[0], p->truth[1]);
    free(p->truth[0]);
    free(p->truth[1]);
}

static bool fits(const pair *p)
{
    return p->baked->vertex_count <= MOST_VERTICES && p->skinned->joint_count <= MOST_JOINTS &&
           p->skinned->meshes[0].vertex_count <= MOST_VERTICES;
}

int main(int argc, char **argv)
{
    static pair p;
    md2_model  *tris, *sword;
    md5_model  *robot, *sword_mesh;
    folder = argc > 1 ? argv[1] : ".";
    p.baked = tris = load_md2("tris");
    p.skinned = robot = load_md5("robot");
    p.worst_normal = 1;
    if (tris && robot && CHECK(fits(&p))) test_pair(&p);
    sword = load_md2("weapon");
    sword_mesh = load_md5("weapon");
    CHECK(sword && sword->frame_count == 198);
    CHECK(sword_mesh && sword_mesh->joint_count == 1);
    md2_free_model(tris);
    md2_free_model(sword);
    md5_free_model(robot);
    md5_free_model(sword_mesh);
    return check_finish();
}
