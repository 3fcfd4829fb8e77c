/* read_scene.c - from glTF to MD5 and MD2, by assimp where it was there when this was built. Public
   domain. */
#define _XOPEN_SOURCE 700             /* fork */
#include "mdconvert.h"
#include "../viewer/folder.h"

/* assimp's headers ask for C, or C++11. */
#if !defined(MDCONVERT_ASSIMP) || (defined(__cplusplus) && __cplusplus < 201103L)

static bool fail_without_assimp(const job *j)
{
    return fail(j->model, "this mdconvert reads no glTF: install assimp (Debian: apt-get install "
                "libassimp-dev), then make convert builds one that does");
}

bool scene_to_md5(const job *j, outputs *o)
{
    (void)o;
    return fail_without_assimp(j);
}

bool scene_to_md2(const job *j, outputs *o)
{
    (void)o;
    return fail_without_assimp(j);
}

#else

#include <assimp/cimport.h>
#include <assimp/material.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifndef _WIN32
  #include <sys/wait.h>
  #include <unistd.h>
#endif

/* -- Matrices ---------------------------------------------------------------------------------- */

typedef struct matrix {               /* three rows of four: turn and scale, and the place */
    double m[3][4];
} matrix;

static const matrix identity = { { { 1, 0, 0, 0 }, { 0, 1, 0, 0 }, { 0, 0, 1, 0 } } };

static matrix multiply(const matrix *a, const matrix *b)
{
    matrix out;
    for (int row = 0; row < 3; ++row) {
        for (int column = 0; column < 4; ++column) {
            double sum = column == 3 ? a->m[row][3] : 0;
            for (int k = 0; k < 3; ++k) sum += a->m[row][k] * b->m[k][column];
            out.m[row][column] = sum;
        }
    }
    return out;
}

static void transform(const matrix *a, const double p[3], double w, double out[3])
{
    for (int row = 0; row < 3; ++row) {
        out[row] = a->m[row][0] * p[0] + a->m[row][1] * p[1] + a->m[row][2] * p[2] +
            a->m[row][3] * w;
    }
}

static matrix from_assimp(const struct aiMatrix4x4 *a)
{
    matrix out = { { { (double)a->a1, (double)a->a2, (double)a->a3, (double)a->a4 },
                     { (double)a->b1, (double)a->b2, (double)a->b3, (double)a->b4 },
                     { (double)a->c1, (double)a->c2, (double)a->c3, (double)a->c4 } } };
    return out;
}

/* `q` is x y z w. */
static matrix compose(const double place[3], const double q[4], const double scale[3])
{
    double x = q[0], y = q[1], z = q[2], w = q[3];
    double turn[3][3] = { { 1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y) },
                          { 2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x) },
                          { 2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y) } };
    matrix out;
    for (int row = 0; row < 3; ++row) {
        for (int k = 0; k < 3; ++k) out.m[row][k] = turn[row][k] * scale[k];
        out.m[row][3] = place[row];
    }
    return out;
}

/* From the axes of glTF (Z forward, X left, Y up) and metres to those of the output: (x, y, z)
   becomes (z, x, y) times the scale, on both sides of the matrix. */
static matrix to_output(const matrix *a, double scale)
{
    matrix out;
    for (int row = 0; row < 3; ++row) {
        for (int k = 0; k < 3; ++k) out.m[row][k] = a->m[(row + 2) % 3][(k + 2) % 3];
        out.m[row][3] = a->m[(row + 2) % 3][3] * scale;
    }
    return out;
}

typedef struct rigid {                /* without scale */
    double place[3], turn[4];
} rigid;

/* The quaternion of the matrix whose largest number is not small. */
static void set_turn(double m[3][3], double q[4])
{
    double squares[4] = { 1 + m[0][0] - m[1][1] - m[2][2], 1 - m[0][0] + m[1][1] - m[2][2],
                          1 - m[0][0] - m[1][1] + m[2][2], 1 + m[0][0] + m[1][1] + m[2][2] };
    int    most = 0;
    for (int k = 1; k < 4; ++k) {
        if (squares[k] > squares[most]) most = k;
    }

    double s = 2 * sqrt(squares[most]); /* four times the largest */
    double xy = m[1][0] + m[0][1], xz = m[2][0] + m[0][2], yz = m[2][1] + m[1][2];
    double wx = m[2][1] - m[1][2], wy = m[0][2] - m[2][0], wz = m[1][0] - m[0][1];
    double products[4][4] = { { s * s / 4, xy, xz, wx }, { xy, s * s / 4, yz, wy },
                              { xz, yz, s * s / 4, wz }, { wx, wy, wz, s * s / 4 } };
    for (int k = 0; k < 4; ++k) q[k] = products[most][k] / s;
}

/* Whether left becomes right, and clockwise counter-clockwise. */
static bool is_mirrored(const matrix *a)
{
    const double(*m)[4] = a->m;
    double determinant = m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) +
                         m[0][1] * (m[1][2] * m[2][0] - m[1][0] * m[2][2]) +
                         m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
    return determinant < 0;
}

/* Splits off the scale, which is the same way along each axis in most files. Where it mirrors, it is
   negative along all three: what is left is a turn. */
static rigid split_scale(const matrix *a, double scale[3])
{
    rigid  out;
    double turn[3][3], sign = is_mirrored(a) ? -1 : 1;
    for (int k = 0; k < 3; ++k) {
        double length = sqrt(a->m[0][k] * a->m[0][k] + a->m[1][k] * a->m[1][k] +
                             a->m[2][k] * a->m[2][k]);
        scale[k] = sign * length;
        for (int row = 0; row < 3; ++row) {
            turn[row][k] = length > 0 ? a->m[row][k] / scale[k] : (row == k ? 1.0 : 0.0);
        }
        out.place[k] = a->m[k][3];
    }
    set_turn(turn, out.turn);
    return out;
}

static matrix to_matrix(const rigid *r)
{
    const double one[3] = { 1, 1, 1 };
    return compose(r->place, r->turn, one);
}

static matrix invert_rigid(const matrix *a)
{
    matrix out;
    for (int row = 0; row < 3; ++row) {
        for (int k = 0; k < 3; ++k) out.m[row][k] = a->m[k][row];
        out.m[row][3] = -(a->m[0][row] * a->m[0][3] + a->m[1][row] * a->m[1][3] +
                          a->m[2][row] * a->m[2][3]);
    }
    return out;
}

/* -- Nodes ------------------------------------------------------------------------------------- */

typedef struct node {                 /* in an order in which parents come first */
    const struct aiNode     *source;
    const struct aiNodeAnim *channel; /* of the current animation; NULL: it stands still */
    int32_t                  parent;
    int32_t                  joint;   /* -1: it only passes its place on */
    matrix                   world;
} node;

typedef struct scene {
    const struct aiScene *source;
    node                 *nodes;
    uint32_t              node_count, joint_count;
    uint32_t             *joints;     /* [joint_count] nodes */
    double                scale;
    bool                  is_scaled;  /* by an animation, which MD5 cannot */
} scene;

static uint32_t count_nodes(const struct aiNode *n)
{
    uint32_t count = 1;
    for (unsigned i = 0; i < n->mNumChildren; ++i) count += count_nodes(n->mChildren[i]);
    return count;
}

static void add_nodes(scene *s, const struct aiNode *n, int32_t parent)
{
    int32_t number = (int32_t)s->node_count++;
    node   *added = &s->nodes[number];
    added->source = n;
    added->channel = NULL;
    added->parent = parent;
    added->joint = -1;
    for (unsigned i = 0; i < n->mNumChildren; ++i) add_nodes(s, n->mChildren[i], number);
}

/* -1 if there is none. */
static int32_t find_node(const scene *s, const char *name)
{
    for (uint32_t i = 0; i < s->node_count; ++i) {
        if (strcmp(s->nodes[i].source->mName.data, name) == 0) return (int32_t)i;
    }
    return -1;
}

static void mark_joint(scene *s, int32_t number)
{
    if (number >= 0) s->nodes[number].joint = 0;
}

/* Joints are the bones, what animations move, and what carries a mesh without bones. */
static void find_joints(scene *s)
{
    for (unsigned i = 0; i < s->source->mNumMeshes; ++i) {
        const struct aiMesh *mesh = s->source->mMeshes[i];
        for (unsigned k = 0; k < mesh->mNumBones; ++k) {
            mark_joint(s, find_node(s, mesh->mBones[k]->mName.data));
        }
    }
    for (unsigned i = 0; i < s->source->mNumAnimations; ++i) {
        const struct aiAnimation *anim = s->source->mAnimations[i];
        for (unsigned k = 0; k < anim->mNumChannels; ++k) {
            mark_joint(s, find_node(s, anim->mChannels[k]->mNodeName.data));
        }
    }
    for (uint32_t i = 0; i < s->node_count; ++i) {
        const struct aiNode *n = s->nodes[i].source;
        for (unsigned k = 0; k < n->mNumMeshes; ++k) {
            if (s->source->mMeshes[n->mMeshes[k]]->mNumBones == 0) mark_joint(s, (int32_t)i);
        }
    }

    s->joints = (uint32_t *)allocate(s->node_count, sizeof(uint32_t));
    for (uint32_t i = 0; i < s->node_count; ++i) {
        if (s->nodes[i].joint < 0) continue;
        s->nodes[i].joint = (int32_t)s->joint_count;
        s->joints[s->joint_count++] = i;
    }
}

/* The joint above; -1 for a root. */
static int32_t parent_joint(const scene *s, uint32_t joint)
{
    int32_t n = s->nodes[s->joints[joint]].parent;
    while (n >= 0 && s->nodes[n].joint < 0) n = s->nodes[n].parent;
    return n < 0 ? -1 : s->nodes[n].joint;
}

static const struct aiScene *import(const char *path)
{
    return aiImportFile(path, aiProcess_Triangulate | aiProcess_SortByPType |
                        aiProcess_GenSmoothNormals);
}

/* Some damaged files crash assimp (5.2.5). So another process reads the file first, where there are
   such processes: if that one is still there at the end, this one reads it too. */
static bool survives_import(const char *path)
{
#ifndef _WIN32
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        FILE *quiet = freopen("/dev/null", "w", stderr);
        import(path);
        _exit(quiet ? EXIT_SUCCESS : EXIT_FAILURE);
    }

    int status = 0;
    if (child > 0 && waitpid(child, &status, 0) == child) {
        return WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SUCCESS;
    }
#endif
    (void)path;
    return true;
}

static bool open_scene(const job *j, scene *s)
{
    memset(s, 0, sizeof *s);
    if (!survives_import(j->model)) {
        return fail(j->model, "it is damaged, and assimp crashes on it");
    }
    s->source = import(j->model);
    if (!s->source) return fail(j->model, "%s", aiGetErrorString());

    s->scale = (j->scale > 0 ? (double)j->scale : 1) / (double)METRES_PER_UNIT;
    s->nodes = (node *)allocate(count_nodes(s->source->mRootNode), sizeof(node));
    add_nodes(s, s->source->mRootNode, -1);
    find_joints(s);
    return true;
}

static void close_scene(scene *s)
{
    free(s->nodes);
    free(s->joints);
    aiReleaseImport(s->source);
}

static bool has_triangles(const struct aiMesh *mesh)
{
    return mesh->mNumFaces > 0 && mesh->mFaces[0].mNumIndices == 3;
}

/* -- Animations: places at times --------------------------------------------------------------- */

/* The key before a time and the one after it; returns how far between them. The keys are structs of
   `size` bytes that begin with their time. */
static double find_keys(const void *keys, size_t size, uint32_t count, double time, uint32_t *from,
                        uint32_t *to)
{
    const char *first = (const char *)keys;
    double      before = 0, after = 0;
    *to = 0;
    while (*to < count) {
        memcpy(&after, first + *to * size, sizeof after);
        if (after > time) break;
        before = after;
        ++*to;
    }
    *from = *to > 0 ? *to - 1 : 0;
    if (*to == 0 || *to == count) {
        *to = *from;
        return 0;
    }
    return after > before ? (time - before) / (after - before) : 0;
}

static void mix_vectors(const struct aiVectorKey *keys, uint32_t count, double time, double out[3])
{
    uint32_t from, to;
    double   t = find_keys(keys, sizeof *keys, count, time, &from, &to);
    const struct aiVector3D *a = &keys[from].mValue, *b = &keys[to].mValue;
    out[0] = (double)a->x + t * ((double)b->x - (double)a->x);
    out[1] = (double)a->y + t * ((double)b->y - (double)a->y);
    out[2] = (double)a->z + t * ((double)b->z - (double)a->z);
}

static void normalize(double q[4])
{
    double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int k = 0; k < 4; ++k) q[k] = length > 0 ? q[k] / length : (k == 3 ? 1.0 : 0.0);
}

/* The shorter way, at an even pace. */
static void mix_turns(const struct aiQuatKey *keys, uint32_t count, double time, double out[4])
{
    uint32_t from, to;
    double   t = find_keys(keys, sizeof *keys, count, time, &from, &to);
    const struct aiQuaternion *x = &keys[from].mValue, *y = &keys[to].mValue;
    double a[4] = { (double)x->x, (double)x->y, (double)x->z, (double)x->w };
    double b[4] = { (double)y->x, (double)y->y, (double)y->z, (double)y->w };
    normalize(a);
    normalize(b);

    double dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
    double sign = dot < 0 ? -1 : 1;
    double angle = acos(dot * sign < 1 ? dot * sign : 1);
    double share_a = 1 - t, share_b = t;
    if (angle > 1e-6) {
        share_a = sin((1 - t) * angle) / sin(angle);
        share_b = sin(t * angle) / sin(angle);
    }
    for (int k = 0; k < 4; ++k) out[k] = share_a * a[k] + share_b * sign * b[k];
    normalize(out);
}

static matrix local_matrix(const node *n, double time)
{
    const struct aiNodeAnim *c = n->channel;
    bool is_moved = c && c->mNumPositionKeys > 0 && c->mNumRotationKeys > 0 &&
        c->mNumScalingKeys > 0;
    if (!is_moved) return from_assimp(&n->source->mTransformation);

    double place[3], turn[4], scale[3];
    mix_vectors(c->mPositionKeys, c->mNumPositionKeys, time, place);
    mix_turns(c->mRotationKeys, c->mNumRotationKeys, time, turn);
    mix_vectors(c->mScalingKeys, c->mNumScalingKeys, time, scale);
    return compose(place, turn, scale);
}

/* Sets the channels of an animation; NULL for none. */
static void choose_anim(scene *s, const struct aiAnimation *anim)
{
    for (uint32_t i = 0; i < s->node_count; ++i) s->nodes[i].channel = NULL;
    for (unsigned i = 0; anim && i < anim->mNumChannels; ++i) {
        int32_t n = find_node(s, anim->mChannels[i]->mNodeName.data);
        if (n >= 0) s->nodes[n].channel = anim->mChannels[i];
    }
}

/* `time` is in the ticks of the animation. */
static void place_nodes(scene *s, double time)
{
    for (uint32_t i = 0; i < s->node_count; ++i) {
        node  *n = &s->nodes[i];
        matrix local = local_matrix(n, time);
        n->world = n->parent < 0 ? local : multiply(&s->nodes[n->parent].world, &local);
    }
}

/* Sums of rounded numbers have digits that mean nothing. */
static double to_millionths(double x)
{
    return floor(x * 1000000 + 0.5) / 1000000;
}

/* An MD5 stores no w: readers take what x y z leave of 1. Near a half turn, where w is near 0, that
   is the rounding of x y z, up to a fiftieth of a degree. So there each of them in turn, the
   largest first, moves by some of its last digits until they leave what w should be. They get ten
   decimals, which say the same to readers of floats and of doubles. */
static void round_turn(double q[4])
{
    const double near_half = 0.02, least = 0.001;
    double       wanted = 1 - q[3] * q[3];
    bool         is_exact = fabs(q[3]) > near_half, is_done[3] = { false, false, false };
    for (int k = 0; k < 3; ++k) q[k] = (double)(float)q[k];
    for (int turn = 0; turn < 3 && !is_exact; ++turn) {
        int largest = -1;
        for (int k = 0; k < 3; ++k) {
            if (!is_done[k] && (largest < 0 || fabs(q[k]) > fabs(q[largest]))) largest = k;
        }
        is_done[largest] = true;
        if (fabs(q[largest]) < least) break;
        double rest = wanted - (q[0] * q[0] + q[1] * q[1] + q[2] * q[2]);
        q[largest] = (double)(float)(q[largest] + rest / (2 * q[largest]));
    }
    for (int k = 0; k < 3 && !is_exact; ++k) q[k] = floor(q[k] * 1e10 + 0.5) / 1e10;
}

static void round_place(rigid *r)
{
    for (int k = 0; k < 3; ++k) r->place[k] = to_millionths(r->place[k]);
    round_turn(r->turn);
}

static rigid joint_place(const scene *s, uint32_t joint, double scale[3])
{
    matrix turned = to_output(&s->nodes[s->joints[joint]].world, s->scale);
    return split_scale(&turned, scale);
}

/* -- Animations: names, lengths, rates --------------------------------------------------------- */

/* Blender's "Armature|walk" is walk. */
static const char *short_name(const struct aiAnimation *anim)
{
    const char *bar = strrchr(anim->mName.data, '|');
    if (bar && bar[1]) return bar + 1;
    return anim->mName.data[0] ? anim->mName.data : "anim";
}

/* One that can be the name of a file. */
static char *file_stem(const struct aiAnimation *anim)
{
    const char *name = short_name(anim);
    char       *stem = (char *)allocate(strlen(name) + 1, 1);
    for (size_t i = 0; name[i]; ++i) {
        bool is_bad = strchr("/\\:*?\"<>|", name[i]) || (unsigned char)name[i] < 32;
        stem[i] = is_bad ? '_' : name[i];
    }
    if (stem[0] == '.') stem[0] = '_';
    return stem;
}

static double ticks_of(const struct aiAnimation *anim)
{
    const double usual = 1000;        /* those of glTF */
    return anim->mTicksPerSecond > 0 ? anim->mTicksPerSecond : usual;
}

/* The time of the first key, a struct that begins with it, if that is earlier than `start`. A key
   alone only says where a node stands; assimp adds one at 0 to those that have none. */
static double earlier_start(double start, const void *keys, uint32_t count)
{
    double first;
    if (count < 2) return start;
    memcpy(&first, keys, sizeof first);
    return first < start ? first : start;
}

/* Blender's animations begin with frame 1, and so some time after 0, in which nothing moves. */
static double start_of(const struct aiAnimation *anim)
{
    double start = anim->mDuration;
    for (unsigned i = 0; i < anim->mNumChannels; ++i) {
        const struct aiNodeAnim *c = anim->mChannels[i];
        start = earlier_start(start, c->mPositionKeys, c->mNumPositionKeys);
        start = earlier_start(start, c->mRotationKeys, c->mNumRotationKeys);
        start = earlier_start(start, c->mScalingKeys, c->mNumScalingKeys);
    }
    for (unsigned i = 0; i < anim->mNumMorphMeshChannels; ++i) {
        const struct aiMeshMorphAnim *c = anim->mMorphMeshChannels[i];
        start = earlier_start(start, c->mKeys, c->mNumKeys);
    }
    return start < anim->mDuration ? start : 0;
}

/* Frames a second: of the smallest step between two keys, if that is a whole number; else 30. */
static double find_rate(const struct aiAnimation *anim)
{
    enum { MOST = 120, USUAL = 30 };
    double least = 0;
    for (unsigned i = 0; i < anim->mNumChannels; ++i) {
        const struct aiNodeAnim *c = anim->mChannels[i];
        for (unsigned k = 1; k < c->mNumRotationKeys; ++k) {
            double step = c->mRotationKeys[k].mTime - c->mRotationKeys[k - 1].mTime;
            if (step > 0 && (least <= 0 || step < least)) least = step;
        }
        for (unsigned k = 1; k < c->mNumPositionKeys; ++k) {
            double step = c->mPositionKeys[k].mTime - c->mPositionKeys[k - 1].mTime;
            if (step > 0 && (least <= 0 || step < least)) least = step;
        }
    }
    if (!(least > 0)) return USUAL;
    double rate = ticks_of(anim) / least, whole = floor(rate + 0.5);
    bool   is_whole = whole >= 1 && whole <= MOST && fabs(rate - whole) < 0.02 * whole;
    return is_whole ? whole : USUAL;
}

static bool check_only_scene(const job *j, const scene *s)
{
    unsigned     count = s->source->mNumAnimations;
    const char **names = (const char **)allocate(count, sizeof *names);
    for (unsigned i = 0; i < count; ++i) names[i] = short_name(s->source->mAnimations[i]);
    bool is_good = check_only(j, names, count);
    free(names);
    return is_good;
}

/* -- Pictures ---------------------------------------------------------------------------------- */

typedef struct picture {
    char    name[256];                /* without extension: the shader of an MD5 */
    char    extension[16];
    blob    file;                     /* empty if it is not in the .glb and not beside it */
    bool    is_plain;                 /* the material has no picture, but a colour */
    uint8_t colour[3];
    float   u;                        /* where a shared picture shows it; 0 if it is not shared */
} picture;

static void set_stem(picture *p, const char *path)
{
    const char *name = file_name(path);
    const char *dot = strrchr(name, '.');
    int         length = dot ? (int)(dot - name) : (int)strlen(name);
    snprintf(p->name, sizeof p->name, "%.*s", length, name);
}

/* Blender numbers names that are there already: Material.001. The number is no extension. */
static void set_material_name(picture *p, const char *name)
{
    const char *dot = strrchr(name, '.');
    bool        is_number = dot && dot[1] && strspn(dot + 1, "0123456789") == strlen(dot + 1);
    set_stem(p, name[0] ? name : "skin");
    if (!is_number) return;
    size_t length = strlen(p->name);
    snprintf(p->name + length, sizeof p->name - length, "_%s", dot + 1);
}

/* Materials have linear colours, pictures those of sRGB. */
static uint8_t to_srgb(float linear)
{
    double x = (double)linear;
    if (!(x > 0)) return 0;
    if (x >= 1) return 255;
    double srgb = x <= 0.0031308 ? 12.92 * x : 1.055 * pow(x, 1 / 2.4) - 0.055;
    return (uint8_t)floor(srgb * 255 + 0.5);
}

static void set_plain_colour(const struct aiMaterial *material, picture *p)
{
    struct aiColor4D colour = { 1, 1, 1, 1 };
    aiGetMaterialColor(material, AI_MATKEY_COLOR_DIFFUSE, &colour);
    p->is_plain = true;
    p->colour[0] = to_srgb(colour.r);
    p->colour[1] = to_srgb(colour.g);
    p->colour[2] = to_srgb(colour.b);
}

/* A picture of colours side by side, three bytes each. */
static blob draw_colours(const uint8_t *colours, uint32_t count)
{
    enum { SIZE = 8 };                /* pixels of each, both ways */
    uint32_t width = SIZE * count;
    uint8_t *pixels = (uint8_t *)allocate((size_t)width * SIZE, 3);
    for (uint32_t i = 0; i < width * SIZE; ++i) {
        memcpy(pixels + 3 * (size_t)i, colours + 3 * (i % width / SIZE), 3);
    }
    blob file = write_png(pixels, width, SIZE, 3);
    free(pixels);
    return file;
}

/* What a material shows: a picture inside the file, one beside it, or a colour. */
static void read_material(const job *j, const scene *s, unsigned index, picture *p)
{
    memset(p, 0, sizeof *p);
    const struct aiMaterial *material = s->source->mMaterials[index];
    struct aiString          name, path;
    path.data[0] = 0;
    bool has_name = aiGetMaterialString(material, AI_MATKEY_NAME, &name) == aiReturn_SUCCESS;
    set_material_name(p, has_name ? name.data : "");
    bool has_picture = aiGetMaterialTexture(material, aiTextureType_DIFFUSE, 0, &path, NULL, NULL,
                                            NULL, NULL, NULL, NULL) == aiReturn_SUCCESS;
    if (!has_picture) {
        set_plain_colour(material, p);
        return;
    }

    const struct aiTexture *inside = NULL;
    unsigned                number = (unsigned)strtoul(path.data + (path.data[0] == '*'), NULL, 10);
    if (path.data[0] == '*' && number < s->source->mNumTextures)
        inside = s->source->mTextures[number];
    if (inside && inside->mHeight == 0) {
        if (inside->mFilename.data[0]) set_stem(p, inside->mFilename.data);
        snprintf(p->extension, sizeof p->extension, ".%s", inside->achFormatHint);
        put(&p->file, inside->pcData, inside->mWidth);
    } else if (!inside) {
        char *beside = join_path(j->model, path.data, "");
        set_stem(p, path.data);
        const char *dot = strrchr(file_name(path.data), '.');
        snprintf(p->extension, sizeof p->extension, "%s", dot ? dot : "");
        if (!read_blob(beside, &p->file)) note("the picture %s is not there", beside);
        free(beside);
    }
}

static picture *read_materials(const job *j, const scene *s)
{
    picture *pictures = (picture *)allocate(s->source->mNumMaterials, sizeof *pictures);
    for (unsigned i = 0; i < s->source->mNumMaterials; ++i) {
        bool is_used = false;
        for (unsigned k = 0; k < s->source->mNumMeshes; ++k) {
            if (s->source->mMeshes[k]->mMaterialIndex == i) is_used = true;
        }
        if (is_used) read_material(j, s, i, &pictures[i]);
    }
    return pictures;
}

/* Texture coordinates of a vertex: u and v, with v = 0 at the top, where assimp has 1. */
static void get_texcoord(const picture *p, const struct aiMesh *in, uint32_t vertex, float uv[2])
{
    uv[0] = uv[1] = 0;
    if (p->u > 0) {
        uv[0] = p->u;
        uv[1] = 0.5f;
    } else if (in->mTextureCoords[0]) {
        uv[0] = in->mTextureCoords[0][vertex].x;
        uv[1] = 1 - in->mTextureCoords[0][vertex].y;
    }
}

static void free_materials(const scene *s, picture *pictures)
{
    for (unsigned i = 0; i < s->source->mNumMaterials; ++i) free_blob(&pictures[i].file);
    free(pictures);
}

/* -- MD5: the meshes --------------------------------------------------------------------------- */

typedef struct md5_text {             /* an MD5 as it is made */
    md5_out_joint *joints;
    md5_out_mesh  *meshes;
    uint32_t     **indices;           /* [mesh_count] */
    uint32_t       mesh_count;
    double       (*scales)[3];        /* [joint_count] of the joints without animation */
} md5_text;

static void set_rest_joints(scene *s, md5_text *text)
{
    text->joints = (md5_out_joint *)allocate(s->joint_count, sizeof *text->joints);
    text->scales = (double (*)[3])allocate(s->joint_count, sizeof *text->scales);
    choose_anim(s, NULL);
    place_nodes(s, 0);
    for (uint32_t i = 0; i < s->joint_count; ++i) {
        rigid place = joint_place(s, i, text->scales[i]);
        round_place(&place);
        text->joints[i].name = s->nodes[s->joints[i]].source->mName.data;
        text->joints[i].parent = parent_joint(s, i);
        memcpy(text->joints[i].position, place.place, sizeof place.place);
        memcpy(text->joints[i].rotation, place.turn, sizeof place.turn);
    }
}

/* A point of a mesh as a weight has it: in the axes of its joint, whose scale it takes. `to_joint`
   is in the axes of glTF. */
static void set_weight(const scene *s, const md5_text *text, uint32_t joint, const matrix *to_joint,
                       const struct aiVector3D *point, double bias, md5_out_weight *weight)
{
    double p[3] = { (double)point->x, (double)point->y, (double)point->z }, local[3];
    transform(to_joint, p, 1, local);
    weight->joint = joint;
    weight->bias = bias;
    for (int k = 0; k < 3; ++k) {
        weight->position[k] = to_millionths(local[(k + 2) % 3] * s->scale * text->scales[joint][k]);
    }
}

/* Fills the weights of a mesh with bones, those of each vertex in one run. */
static void set_bone_weights(const scene *s, const md5_text *text, const struct aiMesh *in,
                             md5_out_mesh *out)
{
    size_t total = in->mNumVertices;  /* room for one of a vertex that has none */
    for (unsigned i = 0; i < in->mNumBones; ++i) total += in->mBones[i]->mNumWeights;
    out->weights = (md5_out_weight *)allocate(total, sizeof *out->weights);

    for (unsigned i = 0; i < in->mNumBones; ++i) {
        for (unsigned k = 0; k < in->mBones[i]->mNumWeights; ++k) {
            const struct aiVertexWeight *w = &in->mBones[i]->mWeights[k];
            bool counts = w->mVertexId < in->mNumVertices && w->mWeight > 0;
            if (counts) ++out->vertices[w->mVertexId].weight_count;
        }
    }
    for (uint32_t i = 0; i < in->mNumVertices; ++i) {
        out->vertices[i].first_weight = out->weight_count;
        out->weight_count += out->vertices[i].weight_count > 0 ? out->vertices[i].weight_count : 1;
        if (out->vertices[i].weight_count == 0) {
            set_weight(s, text, 0, &identity, &in->mVertices[i], 1,
                       &out->weights[out->vertices[i].first_weight]);
            out->vertices[i].weight_count = 1;
        } else {
            out->vertices[i].weight_count = 0; /* counted again as they are filled in */
        }
    }
    for (unsigned i = 0; i < in->mNumBones; ++i) {
        const struct aiBone *bone = in->mBones[i];
        int32_t              n = find_node(s, bone->mName.data);
        uint32_t             joint = n < 0 ? 0 : (uint32_t)s->nodes[n].joint;
        matrix               to_joint = from_assimp(&bone->mOffsetMatrix);
        for (unsigned k = 0; k < bone->mNumWeights; ++k) {
            const struct aiVertexWeight *w = &bone->mWeights[k];
            if (!(w->mVertexId < in->mNumVertices && w->mWeight > 0)) continue;
            md5_out_vertex *vertex = &out->vertices[w->mVertexId];
            set_weight(s, text, joint, &to_joint, &in->mVertices[w->mVertexId], (double)w->mWeight,
                       &out->weights[vertex->first_weight + vertex->weight_count++]);
        }
    }
}

/* All of it hangs on the joint. */
static void set_stiff_weights(const scene *s, const md5_text *text, const struct aiMesh *in,
                              uint32_t joint, md5_out_mesh *out)
{
    out->weights = (md5_out_weight *)allocate(in->mNumVertices, sizeof *out->weights);
    out->weight_count = in->mNumVertices;
    for (uint32_t i = 0; i < in->mNumVertices; ++i) {
        out->vertices[i].first_weight = i;
        out->vertices[i].weight_count = 1;
        set_weight(s, text, joint, &identity, &in->mVertices[i], 1, &out->weights[i]);
    }
}

/* Counter-clockwise triangles become clockwise ones, as mirrored ones are already. */
static uint32_t *list_indices(const struct aiMesh *in, bool mirrored)
{
    uint32_t *indices = (uint32_t *)allocate(3 * (size_t)in->mNumFaces, sizeof *indices);
    for (unsigned i = 0; i < in->mNumFaces; ++i) {
        for (unsigned k = 0; k < 3; ++k) {
            indices[3 * i + k] = in->mFaces[i].mIndices[mirrored ? k : (3 - k) % 3];
        }
    }
    return indices;
}

/* Whether a mesh is mirrored: by its bones, of which the first tells, or by the joint that it hangs
   on. */
static bool is_mirrored_mesh(const scene *s, const struct aiMesh *in, int32_t joint)
{
    if (in->mNumBones == 0) return is_mirrored(&s->nodes[s->joints[joint]].world);

    matrix  to_joint = from_assimp(&in->mBones[0]->mOffsetMatrix);
    int32_t n = find_node(s, in->mBones[0]->mName.data);
    return n >= 0 && is_mirrored(&to_joint) != is_mirrored(&s->nodes[n].world);
}

static void add_mesh(const scene *s, const picture *pictures, const struct aiMesh *in,
                     int32_t joint, md5_text *text)
{
    md5_out_mesh *out = &text->meshes[text->mesh_count];
    memset(out, 0, sizeof *out);
    text->indices[text->mesh_count++] = list_indices(in, is_mirrored_mesh(s, in, joint));
    out->shader = pictures[in->mMaterialIndex].name;
    out->vertex_count = in->mNumVertices;
    out->index_count = 3 * in->mNumFaces;
    out->indices = text->indices[text->mesh_count - 1];
    out->vertices = (md5_out_vertex *)allocate(in->mNumVertices, sizeof *out->vertices);
    for (uint32_t i = 0; i < in->mNumVertices; ++i) {
        float uv[2];
        get_texcoord(&pictures[in->mMaterialIndex], in, i, uv);
        out->vertices[i].u = (double)uv[0];
        out->vertices[i].v = (double)uv[1];
    }
    if (in->mNumBones > 0) set_bone_weights(s, text, in, out);
    else set_stiff_weights(s, text, in, (uint32_t)joint, out);
    if (in->mNumAnimMeshes > 0) {
        note("mesh \"%s\": its shape keys (morph targets) are left out, as an MD5 moves by joints "
             "alone; an MD2 keeps them", in->mName.data);
    }
}

static void add_meshes(const scene *s, const picture *pictures, md5_text *text)
{
    uint32_t room = 0;
    for (uint32_t i = 0; i < s->node_count; ++i) room += s->nodes[i].source->mNumMeshes;
    text->meshes = (md5_out_mesh *)allocate(room, sizeof *text->meshes);
    text->indices = (uint32_t **)allocate(room, sizeof *text->indices);
    for (uint32_t i = 0; i < s->node_count; ++i) {
        const struct aiNode *n = s->nodes[i].source;
        for (unsigned k = 0; k < n->mNumMeshes; ++k) {
            const struct aiMesh *mesh = s->source->mMeshes[n->mMeshes[k]];
            if (has_triangles(mesh)) add_mesh(s, pictures, mesh, s->nodes[i].joint, text);
            else note("mesh \"%s\" has no triangles: left out", mesh->mName.data);
        }
    }
}

static void free_text(md5_text *text)
{
    for (uint32_t i = 0; i < text->mesh_count; ++i) {
        free(text->indices[i]);
        free(text->meshes[i].vertices);
        free(text->meshes[i].weights);
    }
    free(text->meshes);
    free(text->indices);
    free(text->joints);
    free(text->scales);
}

/* -- MD5: the animations ----------------------------------------------------------------------- */

static void set_frame(scene *s, const md5_text *text, md5_out_part *parts, double low[3],
                      double high[3])
{
    rigid *places = (rigid *)allocate(s->joint_count, sizeof *places);
    for (uint32_t i = 0; i < s->joint_count; ++i) {
        double scale[3];
        places[i] = joint_place(s, i, scale);
        for (int k = 0; k < 3; ++k) {
            double rest = text->scales[i][k];
            bool   is_changed = fabs(scale[k] - rest) > 0.001 * fabs(rest);
            if (is_changed) s->is_scaled = true;
            if (i == 0 || places[i].place[k] < low[k]) low[k] = places[i].place[k];
            if (i == 0 || places[i].place[k] > high[k]) high[k] = places[i].place[k];
        }

        rigid local = places[i];
        if (text->joints[i].parent >= 0) {
            matrix parent = to_matrix(&places[text->joints[i].parent]), own = to_matrix(&places[i]);
            matrix inverse = invert_rigid(&parent);
            matrix relative = multiply(&inverse, &own);
            local = split_scale(&relative, scale);
        }
        round_place(&local);
        memcpy(parts[i].number, local.place, sizeof local.place);
        md5_stored_rotation(local.turn, parts[i].number + 3);
    }
    free(places);
}

/* Bounds are those of the joints, with room for the flesh around them. */
static void make_room(double *bounds, const md5_text *text)
{
    double most = 0;
    for (uint32_t i = 0; i < text->mesh_count; ++i) {
        for (uint32_t k = 0; k < text->meshes[i].weight_count; ++k) {
            const double *p = text->meshes[i].weights[k].position;
            most = fmax(most, p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
        }
    }
    for (int k = 0; k < 3; ++k) {
        bounds[k] = to_millionths(bounds[k] - sqrt(most));
        bounds[3 + k] = to_millionths(bounds[3 + k] + sqrt(most));
    }
}

static blob make_anim_text(const job *j, scene *s, const md5_text *text,
                           const struct aiAnimation *anim)
{
    double        fps = j->fps > 0 ? (double)j->fps : find_rate(anim);
    double        ticks = ticks_of(anim), start = start_of(anim);
    double        length = (anim->mDuration - start) / ticks;
    uint32_t      count = (uint32_t)fmin(floor(length * fps + 0.5), 65000) + 1;
    md5_out_part *parts = (md5_out_part *)allocate((size_t)count * s->joint_count, sizeof *parts);
    double       *bounds = (double *)allocate(6 * (size_t)count, sizeof *bounds);
    choose_anim(s, anim);
    s->is_scaled = false;
    for (uint32_t i = 0; i < count; ++i) {
        place_nodes(s, fmin(start + i / fps * ticks, anim->mDuration));
        set_frame(s, text, parts + (size_t)i * s->joint_count, bounds + 6 * i, bounds + 6 * i + 3);
        make_room(bounds + 6 * i, text);
    }
    if (s->is_scaled) {
        note("%s: joints change their size, which an .md5anim does not tell: they keep it",
             short_name(anim));
    }

    md5_out_anim out;
    out.frame_count = count;
    out.joint_count = s->joint_count;
    out.fps = fps;
    out.joints = text->joints;
    out.parts = parts;
    out.bounds = bounds;
    blob file = write_md5anim("mdconvert", &out);
    free(parts);
    free(bounds);
    return file;
}

/* What assimp lets pass, and what this program counts on. */
static bool is_sound(const scene *s, const struct aiMesh *mesh)
{
    if (mesh->mMaterialIndex >= s->source->mNumMaterials || !mesh->mNormals) return false;
    for (unsigned i = 0; i < mesh->mNumAnimMeshes; ++i) {
        if (mesh->mAnimMeshes[i]->mNumVertices != mesh->mNumVertices) return false;
    }
    for (unsigned i = 0; i < mesh->mNumFaces; ++i) {
        const struct aiFace *face = &mesh->mFaces[i];
        for (unsigned k = 0; k < 3; ++k) {
            if (face->mNumIndices != 3 || face->mIndices[k] >= mesh->mNumVertices) return false;
        }
    }
    return true;
}

static bool is_sound_scene(const scene *s)
{
    for (unsigned i = 0; i < s->source->mNumMeshes; ++i) {
        const struct aiMesh *mesh = s->source->mMeshes[i];
        if (has_triangles(mesh) && !is_sound(s, mesh)) return false;
    }
    return true;
}

static bool has_scene_triangles(const scene *s)
{
    for (unsigned i = 0; i < s->source->mNumMeshes; ++i) {
        if (has_triangles(s->source->mMeshes[i])) return true;
    }
    return false;
}

static bool begin_scene(const job *j, scene *s)
{
    if (!open_scene(j, s)) return false;
    bool is_good = check_only_scene(j, s);
    if (is_good && !is_sound_scene(s)) is_good = fail(j->model, "it is damaged: a bad index");
    if (is_good && !has_scene_triangles(s)) is_good = fail(j->model, "it has no triangles");
    if (!is_good) close_scene(s);
    return is_good;
}

static void add_picture_files(const job *j, const scene *s, picture *pictures, outputs *o)
{
    for (unsigned i = 0; i < s->source->mNumMaterials; ++i) {
        if (pictures[i].file.size == 0) continue;
        char *path = join_path(j->output, pictures[i].name, pictures[i].extension);
        add_picture_file(o, path, &pictures[i].file);
        free(path);
    }
}

/* Each colour is a picture of its own. */
static void draw_plain_materials(const scene *s, picture *pictures)
{
    for (unsigned i = 0; i < s->source->mNumMaterials; ++i) {
        picture *p = &pictures[i];
        if (!p->is_plain) continue;
        p->file = draw_colours(p->colour, 1);
        snprintf(p->extension, sizeof p->extension, ".png");
    }
}

/* The .md5mesh first, then an .md5anim for each animation. */
static void make_texts(const job *j, scene *s, const picture *pictures, outputs *o)
{
    md5_text text;
    memset(&text, 0, sizeof text);
    set_rest_joints(s, &text);
    add_meshes(s, pictures, &text);
    blob file = write_md5mesh("mdconvert", text.joints, s->joint_count, text.meshes,
                              text.mesh_count);
    add_output(o, j->output, &file);
    for (unsigned i = 0; i < s->source->mNumAnimations; ++i) {
        const struct aiAnimation *anim = s->source->mAnimations[i];
        if (!is_wanted(j, short_name(anim))) continue;
        progress("animations", i, s->source->mNumAnimations);
        char *stem = file_stem(anim), *path = join_path(j->output, stem, ".md5anim");
        file = make_anim_text(j, s, &text, anim);
        add_output(o, path, &file);
        free(stem);
        free(path);
    }
    free_text(&text);
}

/* Reads what make_texts wrote. Of a file with numbers that are none, that cannot be. */
static bool load_texts(const job *j, const outputs *texts, cast *c)
{
    md5_options options;
    md5_error   error;
    memset(&options, 0, sizeof options);
    memset(c, 0, sizeof *c);
    options.flags = MD5_KEEP_WINDING;
    options.max_bytes = (size_t)1 << 30;
    c->model = md5_load_model_memory(texts->list[0].file.data, texts->list[0].file.size, &options,
                                     &error);
    if (!c->model) return fail(j->model, "%s", error.message);

    c->anims = (md5_anim **)allocate(texts->count, sizeof *c->anims);
    for (uint32_t i = 1; i < texts->count; ++i) {
        const output *text = &texts->list[i];
        char         *name = stem_of(text->path);
        md5_anim     *anim = md5_load_anim_memory(text->file.data, text->file.size, name, &options,
                                                  &error);
        free(name);
        if (!anim) return fail(j->model, "%s", error.message);
        c->anims[c->anim_count++] = anim;
    }
    return true;
}

bool scene_to_md5(const job *j, outputs *o)
{
    scene s;
    cast  c;
    if (!begin_scene(j, &s)) return false;

    picture *pictures = read_materials(j, &s);
    draw_plain_materials(&s, pictures);
    make_texts(j, &s, pictures, o);
    bool is_good = load_texts(j, o, &c);
    if (is_good) add_picture_files(j, &s, pictures, o);
    free_cast(&c);
    free_materials(&s, pictures);
    close_scene(&s);
    return is_good;
}

/* -- MD2: morph targets ------------------------------------------------------------------------ */

typedef struct morph_mesh {           /* a mesh where a node shows it */
    const struct aiMesh *source;
    const char          *node;
    matrix               world;       /* in the axes of the output */
    const struct aiMeshMorphAnim *channel; /* of the animation that is looked at, or NULL */
    double              *weights;     /* [mNumAnimMeshes] */
} morph_mesh;

typedef struct morph {                /* what a source of morph targets poses */
    const job   *j;
    const scene *s;
    morph_mesh  *meshes;
    uint32_t     mesh_count;
    unsigned    *anims;               /* of the source, those that are wanted */
} morph;

static bool is_morphed(const scene *s)
{
    bool has_targets = false;
    for (unsigned i = 0; i < s->source->mNumMeshes; ++i) {
        if (s->source->mMeshes[i]->mNumBones > 0) return false;
        if (s->source->mMeshes[i]->mNumAnimMeshes > 0) has_targets = true;
    }
    return has_targets;
}

/* Named after the mesh or its node; a file with one mesh has one. */
static const struct aiMeshMorphAnim *find_channel(const struct aiAnimation *anim,
                                                  const morph_mesh *m)
{
    for (unsigned i = 0; i < anim->mNumMorphMeshChannels; ++i) {
        const struct aiMeshMorphAnim *c = anim->mMorphMeshChannels[i];
        bool is_its = strcmp(c->mName.data, m->node) == 0 ||
                      strcmp(c->mName.data, m->source->mName.data) == 0;
        if (is_its) return c;
    }
    return NULL;
}

static void add_weights(const struct aiMeshMorphKey *key, double share, morph_mesh *m)
{
    for (unsigned i = 0; i < key->mNumValuesAndWeights; ++i) {
        unsigned target = key->mValues[i];
        if (target < m->source->mNumAnimMeshes) m->weights[target] += share * key->mWeights[i];
    }
}

static void pose_morph(void *user, uint32_t index, double seconds)
{
    morph                    *all = (morph *)user;
    const struct aiAnimation *anim = NULL;
    if (index != FLAT_REST) anim = all->s->source->mAnimations[all->anims[index]];
    for (uint32_t i = 0; i < all->mesh_count; ++i) {
        morph_mesh *m = &all->meshes[i];
        memset(m->weights, 0, m->source->mNumAnimMeshes * sizeof *m->weights);
        const struct aiMeshMorphAnim *c = anim ? find_channel(anim, m) : NULL;
        if (!c || c->mNumKeys == 0) continue;

        uint32_t from, to;
        double   time = start_of(anim) + seconds * ticks_of(anim);
        double   t = find_keys(c->mKeys, sizeof *c->mKeys, c->mNumKeys, time, &from, &to);
        add_weights(&c->mKeys[from], 1 - t, m);
        add_weights(&c->mKeys[to], t, m);
    }
}

/* What the targets make of a vector of the base; `w` is 1 for a place and 0 for a direction. */
static void get_morphed(const morph_mesh *m, uint32_t vertex, double w, float out[3])
{
    bool                     is_place = w > 0;
    const struct aiVector3D *base = is_place ? m->source->mVertices : m->source->mNormals;
    double p[3] = { (double)base[vertex].x, (double)base[vertex].y, (double)base[vertex].z };
    double sum[3] = { p[0], p[1], p[2] }, moved[3];
    for (unsigned i = 0; i < m->source->mNumAnimMeshes; ++i) {
        const struct aiAnimMesh *target = m->source->mAnimMeshes[i];
        const struct aiVector3D *v = is_place ? target->mVertices : target->mNormals;
        if (!v || !(m->weights[i] > 0 || m->weights[i] < 0)) continue;
        sum[0] += m->weights[i] * ((double)v[vertex].x - p[0]);
        sum[1] += m->weights[i] * ((double)v[vertex].y - p[1]);
        sum[2] += m->weights[i] * ((double)v[vertex].z - p[2]);
    }

    double turned[3] = { sum[2], sum[0], sum[1] };
    transform(&m->world, turned, w, moved);
    for (int k = 0; k < 3; ++k) out[k] = (float)moved[k];
}

static void get_morph_vertices(void *user, uint32_t mesh, float *positions, float *normals)
{
    const morph_mesh *m = &((morph *)user)->meshes[mesh];
    for (uint32_t i = 0; i < m->source->mNumVertices; ++i) {
        get_morphed(m, i, 1, positions + 3 * i);
        get_morphed(m, i, 0, normals + 3 * i);
    }
}

/* Vertices that are at one place in all targets are so always. */
static flat_mesh make_flat_mesh(const morph_mesh *m, const picture *p)
{
    const struct aiMesh *in = m->source;
    flat_mesh            out;
    out.vertex_count = in->mNumVertices;
    out.index_count = 3 * in->mNumFaces;
    out.indices = list_indices(in, is_mirrored(&m->world));
    out.texcoords = (float *)allocate(2 * (size_t)in->mNumVertices, sizeof(float));
    out.normals = (float *)allocate(3 * (size_t)in->mNumVertices, sizeof(float));
    out.ways = (uint64_t *)allocate(in->mNumVertices, sizeof(uint64_t));
    for (uint32_t i = 0; i < in->mNumVertices; ++i) {
        get_texcoord(p, in, i, out.texcoords + 2 * (size_t)i);
        get_morphed(m, i, 0, out.normals + 3 * i);
        out.ways[i] = hash_more(1, &in->mVertices[i], sizeof in->mVertices[i]);
        for (unsigned k = 0; k < in->mNumAnimMeshes; ++k) {
            const struct aiVector3D *v = in->mAnimMeshes[k]->mVertices;
            if (v) out.ways[i] = hash_more(out.ways[i], &v[i], sizeof v[i]);
        }
    }
    return out;
}

static void add_morph_meshes(scene *s, const picture *pictures, morph *all, flat_source *source)
{
    uint32_t room = 0;
    for (uint32_t i = 0; i < s->node_count; ++i) room += s->nodes[i].source->mNumMeshes;
    all->meshes = (morph_mesh *)allocate(room, sizeof *all->meshes);
    source->meshes = (flat_mesh *)allocate(room, sizeof *source->meshes);
    choose_anim(s, NULL);
    place_nodes(s, 0);
    for (uint32_t i = 0; i < s->node_count; ++i) {
        const struct aiNode *n = s->nodes[i].source;
        for (unsigned k = 0; k < n->mNumMeshes; ++k) {
            const struct aiMesh *in = s->source->mMeshes[n->mMeshes[k]];
            if (!has_triangles(in)) continue;
            morph_mesh *m = &all->meshes[all->mesh_count];
            m->source = in;
            m->node = n->mName.data;
            m->world = to_output(&s->nodes[i].world, s->scale);
            for (int row = 0; row < 3; ++row) {
                for (int column = 0; column < 3; ++column) m->world.m[row][column] *= s->scale;
            }
            m->weights = (double *)allocate(in->mNumAnimMeshes, sizeof *m->weights);
            source->meshes[all->mesh_count++] = make_flat_mesh(m, &pictures[in->mMaterialIndex]);
        }
    }
    source->mesh_count = all->mesh_count;
}

/* The last key is the first once more. */
static bool is_loop(const struct aiMeshMorphAnim *c)
{
    if (c->mNumKeys < 2) return false;
    const struct aiMeshMorphKey *a = &c->mKeys[0], *b = &c->mKeys[c->mNumKeys - 1];
    if (a->mNumValuesAndWeights != b->mNumValuesAndWeights) return false;
    for (unsigned i = 0; i < a->mNumValuesAndWeights; ++i) {
        bool is_same = a->mValues[i] == b->mValues[i] &&
            fabs(a->mWeights[i] - b->mWeights[i]) < 1e-6;
        if (!is_same) return false;
    }
    return true;
}

static void add_morph_anims(const job *j, const scene *s, morph *all, flat_source *source)
{
    all->anims = (unsigned *)allocate(s->source->mNumAnimations, sizeof *all->anims);
    source->anims = (flat_anim *)allocate(s->source->mNumAnimations, sizeof *source->anims);
    for (unsigned i = 0; i < s->source->mNumAnimations; ++i) {
        const struct aiAnimation *anim = s->source->mAnimations[i];
        if (!is_wanted(j, short_name(anim))) continue;
        flat_anim *out = &source->anims[source->anim_count];
        out->name = short_name(anim);
        out->length = (anim->mDuration - start_of(anim)) / ticks_of(anim);
        out->loops = anim->mNumMorphMeshChannels > 0;
        for (unsigned k = 0; k < anim->mNumMorphMeshChannels; ++k) {
            if (!is_loop(anim->mMorphMeshChannels[k])) out->loops = false;
        }
        all->anims[source->anim_count++] = i;
    }
}

static bool flatten_morph(const job *j, scene *s, const picture *pictures, flat_source *source,
                          outputs *o)
{
    morph all;
    memset(&all, 0, sizeof all);
    all.j = j;
    all.s = s;
    add_morph_meshes(s, pictures, &all, source);
    add_morph_anims(j, s, &all, source);
    source->user = &all;
    source->pose = pose_morph;
    source->get_vertices = get_morph_vertices;
    bool is_good = flatten(j, source, o);

    for (uint32_t i = 0; i < all.mesh_count; ++i) {
        free_flat_mesh(&source->meshes[i]);
        free(all.meshes[i].weights);
    }
    free(source->meshes);
    free(source->anims);
    free(all.meshes);
    free(all.anims);
    return is_good;
}

/* -- MD2: skeletons, by way of an MD5 in memory ------------------------------------------------ */

static bool flatten_skeleton(const job *j, scene *s, const picture *pictures, flat_source *source,
                             outputs *o)
{
    outputs texts = { NULL, 0 };
    cast    c;
    make_texts(j, s, pictures, &texts);
    bool is_good = load_texts(j, &texts, &c);
    if (is_good) {
        begin_md5_source(&c, source);
        is_good = flatten(j, source, o);
        end_md5_source(source);
    }
    free_cast(&c);
    free_outputs(&texts);
    return is_good;
}

/* One picture has the colours of all plain materials, and each vertex shows its own. */
static void share_colours(const scene *s, picture *pictures)
{
    uint32_t count = 0;
    picture *first = NULL;
    uint8_t *colours = (uint8_t *)allocate(s->source->mNumMaterials, 3);
    for (unsigned i = 0; i < s->source->mNumMaterials; ++i) {
        if (!pictures[i].is_plain) continue;
        if (!first) first = &pictures[i];
        memcpy(colours + 3 * (size_t)count++, pictures[i].colour, 3);
    }
    for (unsigned i = 0, place = 0; i < s->source->mNumMaterials; ++i) {
        if (pictures[i].is_plain) pictures[i].u = ((float)place++ + 0.5f) / (float)count;
    }
    if (first) {
        first->file = draw_colours(colours, count);
        snprintf(first->extension, sizeof first->extension, ".png");
        if (count > 1) snprintf(first->name, sizeof first->name, "skin");
    }
    free(colours);
}

/* Of the first material that has one. */
static picture *find_picture(const scene *s, picture *pictures)
{
    for (unsigned i = 0; i < s->source->mNumMaterials; ++i) {
        if (pictures[i].file.size > 0) return &pictures[i];
    }
    return NULL;
}

/* Takes the first picture, or, where no material has one, a picture of all their colours. */
static void take_skin(const scene *s, picture *pictures, flat_source *source)
{
    enum { UNKNOWN_SIZE = 256 };
    source->skin_width = source->skin_height = UNKNOWN_SIZE;
    if (!find_picture(s, pictures)) share_colours(s, pictures);
    const picture *skin = find_picture(s, pictures);
    if (!skin) return;

    measure_picture(&skin->file, &source->skin_width, &source->skin_height);
    source->skin_name = join_path(skin->name, skin->name, skin->extension);
    source->skin_file = skin->file;
    for (unsigned i = 0; i < s->source->mNumMaterials; ++i) {
        const picture *p = &pictures[i];
        bool           is_left_out = p != skin && p->u <= 0 && (p->file.size > 0 || p->is_plain);
        if (is_left_out) {
            note("an MD2 has one skin: %s is left out, its mesh shows %s", p->name,
                 source->skin_name);
        }
    }
}

bool scene_to_md2(const job *j, outputs *o)
{
    scene       s;
    flat_source source;
    if (!begin_scene(j, &s)) return false;

    memset(&source, 0, sizeof source);
    picture *pictures = read_materials(j, &s);
    take_skin(&s, pictures, &source);
    bool is_good = is_morphed(&s) ? flatten_morph(j, &s, pictures, &source, o)
                                  : flatten_skeleton(j, &s, pictures, &source, o);
    free(source.skin_name);
    free_materials(&s, pictures);
    close_scene(&s);
    return is_good;
}

#endif
