/* A monster of Quake II's re-release. Next to soldier/tris.md2 is soldier/md5/tris.md5mesh, with one tris.md5anim for
   all frames of the MD2 and often a tris.md5scale, which md5_load_anim_file finds by itself. Only the MD2 has the names
   of the animations, their first frames and the names of the skins; for each skin, the folder md5 has a picture with
   more detail. An update may add joints to only one of .md5mesh and .md5anim: then the animation is retargeted by the
   names of the joints. If there is no MD5, the MD2 is drawn. Public domain.
       cc -I. tests/recipes/rerelease.c -lm && ./a.out soldier/tris.md2
   Without a path, it first makes a monster from the knight; run `mkdir -p soldier/md5` before. */
#include <assert.h>
#define MD2_IMPLEMENTATION
#include "md2.h"
#define MD5_IMPLEMENTATION
#include "md5.h"

enum { MAX_ANIMS = 64, MAX_PATH_SIZE = 512 };

typedef struct monster {
    md2_model *old;                   /* never NULL */
    md5_model *model;                 /* NULL: draw `old` */
    md5_anim  *all;                   /* the animation of all frames */
    md5_anim   anims[MAX_ANIMS];     /* slices of `all`, in the order of old->anims */
    char       skin[MAX_PATH_SIZE];       /* empty = none */
} monster;

/* Writes the path of the MD5 with an extension: soldier/md5/tris.md5mesh for soldier/tris.md2. */
static void write_md5_path(const char *md2_path, const char *extension, char *out)
{
    const char *slash = strrchr(md2_path, '/'), *name = slash ? slash + 1 : md2_path;
    const char *dot = strrchr(name, '.');
    int folder = (int)(name - md2_path), length = dot ? (int)(dot - name) : (int)strlen(name);
    snprintf(out, MAX_PATH_SIZE, "%.*smd5/%.*s.%s", folder, md2_path, length, name, extension);
}

/* Returns the animation, or a copy retargeted to the model's joints; NULL with an error. */
static md5_anim *load_fitting_anim(const char *path, const md5_model *model, md5_error *error)
{
    md5_anim *anim = md5_load_anim_file(path, NULL, error);
    if (!anim || md5_check_anim(model, anim, error) == MD5_OK) return anim;

    fprintf(stderr, "%s: %s\n", path, error->message);      /* has both numbers of joints */
    md5_anim *fitting = md5_retarget_anim(model, NULL, anim, NULL, NULL, error);
    md5_free_anim(anim);
    return fitting;
}

static bool load_md5(monster *m, const char *path)
{
    char mesh[MAX_PATH_SIZE], anim[MAX_PATH_SIZE];
    md5_error error;
    write_md5_path(path, "md5mesh", mesh);
    write_md5_path(path, "md5anim", anim);
    m->model = md5_load_model_file(mesh, NULL, &error);
    m->all = m->model ? load_fitting_anim(anim, m->model, &error) : NULL;
    if (m->all) return true;

    fprintf(stderr, "only the MD2 is drawn: %s\n", error.message);
    md5_free_model(m->model);
    m->model = NULL;
    return false;
}

static bool load_monster(monster *m, const char *path, uint32_t skin, md2_error *error)
{
    memset(m, 0, sizeof *m);
    m->old = md2_load_file(path, NULL, error);
    if (!m->old) return false;

    char beside[MAX_PATH_SIZE];
    write_md5_path(path, "md2", beside);
    if (load_md5(m, path)) {
        for (uint32_t i = 0; i < m->old->anim_count && i < MAX_ANIMS; ++i) {
            const md2_anim *a = &m->old->anims[i];
            m->anims[i] = md5_slice_anim(m->all, a->first, a->count, a->name);
            m->anims[i].fps = a->fps;
        }
        /* md2_find_skin searches the folder of the model, so give it a path in the folder md5. */
        if (md2_find_skin(m->old, beside, skin, NULL, NULL, m->skin, sizeof m->skin)) return true;
    }
    if (!md2_find_skin(m->old, path, skin, NULL, NULL, m->skin, sizeof m->skin)) m->skin[0] = 0;
    return true;
}

static void free_monster(monster *m)
{
    md5_free_anim(m->all);
    md5_free_model(m->model);
    md2_free_model(m->old);
}

/* -- A monster made from the knight, which has a file for each animation ---------------------------- */

static void copy_file(const char *from, const char *to)
{
    FILE *in = fopen(from, "rb"), *out = fopen(to, "wb");
    int   c;
    if (!in || !out) { fprintf(stderr, "cannot copy %s to %s: is there a folder soldier/md5?\n", from, to); exit(1); }
    while ((c = getc(in)) != EOF) putc(c, out);
    fclose(in);
    fclose(out);
}

/* Writes the position and rotation of a joint. A quaternion is stored without w, so its sign is chosen such that w is
   not above 0. */
static void write_joint(FILE *file, const md5_xform *x)
{
    double sign = x->rotation[3] > 0 ? -1 : 1;
    for (int k = 0; k < 3; ++k) fprintf(file, "%.6f ", (double)x->position[k]);
    for (int k = 0; k < 3; ++k) fprintf(file, "%.6f ", sign * (double)x->rotation[k]);
}

/* Writes an animation with `added` joints, which the model does not have, before the joints of the model. */
static void write_anim(const char *path, const md5_model *model, const md5_xform *frames, uint32_t count, int added)
{
    FILE *file = fopen(path, "w");
    if (!file) { perror(path); exit(1); }
    uint32_t joints = model->joint_count, all = joints + (uint32_t)added;
    fprintf(file, "MD5Version 10\ncommandline \"\"\nnumFrames %u\nnumJoints %u\nframeRate 10\n", (unsigned)count,
            (unsigned)all);
    fprintf(file, "numAnimatedComponents %u\nhierarchy {\n", (unsigned)(6 * joints));
    for (int i = 0; i < added; ++i) fprintf(file, "\"added%d\" -1 0 0\n", i);
    for (uint32_t i = 0; i < joints; ++i) {
        int parent = (int)model->joints[i].parent;
        fprintf(file, "\"%s\" %d 63 %u\n", model->joints[i].name, parent < 0 ? -1 : parent + added, (unsigned)(6 * i));
    }
    fprintf(file, "}\nbounds {\n");
    for (uint32_t f = 0; f < count; ++f) fprintf(file, "( 0 0 0 ) ( 0 0 0 )\n");
    fprintf(file, "}\nbaseframe {\n");
    for (uint32_t i = 0; i < all; ++i) fprintf(file, "( 0 0 0 ) ( 0 0 0 )\n");
    fprintf(file, "}\n");
    for (uint32_t f = 0; f < count; ++f) {
        fprintf(file, "frame %u {\n", (unsigned)f);
        for (uint32_t i = 0; i < joints; ++i) write_joint(file, &frames[f * joints + i]);
        fprintf(file, "}\n");
    }
    fclose(file);
}

static void make_monster(int added)
{
    copy_file("knight/tris.md2", "soldier/tris.md2");
    copy_file("knight/skin.png", "soldier/md5/skin.png");
    copy_file("knight/knight.md5mesh", "soldier/md5/tris.md5mesh");
    md2_model *knight_md2 = md2_load_file("soldier/tris.md2", NULL, NULL);
    md5_model *knight_md5 = md5_load_model_file("soldier/md5/tris.md5mesh", NULL, NULL);
    assert(knight_md2 && knight_md5);

    md5_xform *frames = (md5_xform *)malloc(knight_md2->frame_count * knight_md5->joint_count * sizeof *frames);
    for (uint32_t i = 0; i < knight_md2->anim_count; ++i) {
        char path[MAX_PATH_SIZE];
        const md2_anim *a = &knight_md2->anims[i];
        snprintf(path, sizeof path, "knight/%s.md5anim", a->name);
        md5_anim *anim = md5_load_anim_file(path, NULL, NULL);
        assert(md5_check_anim(knight_md5, anim, NULL) == MD5_OK);
        for (uint32_t f = 0; f < a->count; ++f) {
            md5_xform *frame = &frames[(a->first + f) * knight_md5->joint_count];
            md5_pose_at(knight_md5, anim, MD5_ONCE, (double)f / (double)anim->fps, frame);
        }
        md5_free_anim(anim);
    }
    write_anim("soldier/md5/tris.md5anim", knight_md5, frames, knight_md2->frame_count, added);

    /* The thumb is hidden in frame 0. */
    FILE *scales = fopen("soldier/md5/tris.md5scale", "w");
    assert(scales);
    fprintf(scales, "{ \"thumb_l\": { \"0\": 0.0, \"1\": 1.0 } }\n");
    fclose(scales);
    free(frames);
    md5_free_model(knight_md5);
    md2_free_model(knight_md2);
}

/* -- Both models of the knight have the same shape, so their bounds agree in each frame ---------------- */

static float compare_bounds(const monster *m, uint32_t anim, uint32_t frame, md5_xform *pose)
{
    float min[3], max[3], min2[3], max2[3], worst = 0;
    double now = (double)frame / (double)m->anims[anim].fps;
    md5_pose_at(m->model, &m->anims[anim], MD5_ONCE, now, pose);
    md5_pose_to_model_space(m->model, pose, pose);
    md5_pose_bounds(m->model, pose, min, max);
    md2_pose pose2 = md2_pose_at(&m->old->anims[anim], MD2_ONCE, now);
    md2_pose_bounds(m->old, &pose2, min2, max2);
    for (int k = 0; k < 3; ++k) worst = fmaxf(worst, fmaxf(fabsf(min[k] - min2[k]), fabsf(max[k] - max2[k])));
    return worst;
}

static float compare_bodies(const monster *m)
{
    md5_xform *pose = (md5_xform *)malloc(m->model->joint_count * sizeof *pose);
    float      worst = 0;
    for (uint32_t i = 0; i < m->old->anim_count && i < MAX_ANIMS; ++i) {
        for (uint32_t f = 0; f < m->anims[i].frame_count; ++f) worst = fmaxf(worst, compare_bounds(m, i, f, pose));
    }
    free(pose);
    return worst;
}

/* Loads a monster and prints a summary. */
static void show_monster(const char *path, monster *m)
{
    md2_error error;
    if (!load_monster(m, path, 0, &error)) {
        fprintf(stderr, "%s\n", error.message);
        exit(1);
    }
    printf("%u animations, skin \"%s\"", (unsigned)m->old->anim_count, m->skin);
    if (m->model) {
        printf(", %u frames of %u joints; MD2 and MD5 differ by up to %.5f units", (unsigned)m->all->frame_count,
               (unsigned)m->model->joint_count, (double)compare_bodies(m));
    }
    printf("\n");
}

/* Checks the monster made from the knight, after an update that has `added` joints to the animation. */
static void check_knight(int added)
{
    monster m;
    make_monster(added);
    show_monster("soldier/tris.md2", &m);
    assert(m.model && m.old->anim_count == 20 && strcmp(m.skin, "soldier/md5/skin.png") == 0);
    assert(compare_bodies(&m) < 0.001f);

    md5_xform *pose = (md5_xform *)malloc(m.model->joint_count * sizeof *pose);
    md5_pose_at(m.model, m.all, MD5_ONCE, 0, pose);
    assert(pose[md5_find_joint(m.model, "thumb_l")].scale == 0);
    free(pose);
    free_monster(&m);
}

int main(int argc, char **argv)
{
    monster m;
    if (argc > 1) {
        show_monster(argv[1], &m);
        free_monster(&m);
        return 0;
    }
    check_knight(0);
    check_knight(2);
    return 0;
}
