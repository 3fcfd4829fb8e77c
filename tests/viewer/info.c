/* info [--all] FILE...: tells what is in .md2, .md5mesh and .md5anim files, what loading
   repaired, what is odd and what to do about it, on a screen each. Animations are compared with the
   meshes among the files, else with those beside them. --all lists everything: all animations, the
   joints, and where pictures were looked for. Ends with 1 when a file does not load. Public
   domain. */
#include <stdarg.h>

#define MD2_IMPLEMENTATION
#include "../../md2.h"
#define MD5_IMPLEMENTATION
#include "../../md5.h"
#include "folder.h"
#include "support.h"

typedef struct mesh_file {            /* a .md5mesh that loads */
    const char *path;
    md5_model  *model;
} mesh_file;

static const char *path;              /* of the file that is looked at */
static bool        everything;        /* --all */

enum { MOST_ANIMS = 21, MOST_SKINS = 3 }; /* rows, so that all fits a screen of 40 */

/* -- Output and memory ------------------------------------------------------------------------- */

static void print_row(const char *label, const char *format, ...)
{
    printf("  %-11s ", label);
    va_list values;
    va_start(values, format);
    vprintf(format, values);
    va_end(values);
    printf("\n");
}

static const char *plural(uint32_t count)
{
    return count == 1 ? "" : "s";
}

/* "odd" is what loading left as it is, "repaired" what it has mended. */
static void print_count(const char *label, uint32_t count, const char *thing, const char *rest)
{
    if (count) print_row(label, "%u %s%s %s", count, thing, plural(count), rest);
}

/* How many items of a list are printed: all, or, where they would need more than `most` rows, so
   many that the last row is left to print_rest. */
static uint32_t count_listed(uint32_t count, uint32_t most)
{
    bool fits = everything || count <= most;
    return fits ? count : most - 1;
}

static void print_rest(uint32_t count, uint32_t listed)
{
    if (listed < count) print_row("", "and %u more: --all lists them", count - listed);
}

/* Replaces what a terminal might act upon. Of a long name the end remains, unless all is listed.
   Valid until the next call but one. */
static const char *printable(const char *name, size_t width)
{
    static char texts[2][4096];
    static int  turn;
    turn = 1 - turn;

    char  *text = texts[turn];
    size_t length = strlen(name);
    if (everything || length <= width) {
        snprintf(text, sizeof texts[0], "%s", name);
    } else {
        const char *end = name + length - (width - 3);
        snprintf(text, sizeof texts[0], "...%s", end);
    }

    for (char *c = text; *c; ++c) {
        bool is_control = (unsigned char)*c < 32 || *c == 127;
        if (is_control) *c = '?';
    }
    return text;
}

/* Zeroed memory. */
static void *allocate(size_t count, size_t size)
{
    size_t bytes = count * size + 1;  /* never 0 */
    return memset(malloc_or_abort(bytes), 0, bytes);
}

static void print_size(const float min[3], const float max[3])
{
    print_row("size", "%.4g x %.4g x %.4g, from %.4g %.4g %.4g", (double)(max[0] - min[0]),
              (double)(max[1] - min[1]), (double)(max[2] - min[2]), (double)min[0], (double)min[1],
              (double)min[2]);
}

/* -- Pictures ---------------------------------------------------------------------------------- */

/* For md2_find_skin and md5_find_texture, which call it with each place that they think of. */
static bool is_there(void *user, const char *picture)
{
    (void)user;
    FILE *file = fopen(picture, "rb");
    bool  found = file != NULL;
    if (file) fclose(file);

    if (everything) print_row("", "  %s%s", printable(picture, 80), found ? " (found)" : "");
    return found;
}

/* `name` is the listed one as it is shown; `picture` is where the library finds it, or NULL. */
static void print_picture(const char *label, const char *listed, const char *name,
                          const char *picture)
{
    if (picture) {
        print_row(label, "\"%s\" is %s", name, printable(file_name(picture), 30));
        return;
    }

    char beside[MAX_PATH_LENGTH];
    if (find_picture_beside(path, listed, beside)) {
        print_row(label, "\"%s\": beside it lies %s", name, printable(file_name(beside), 18));
        return;
    }
    print_row(label, "\"%s\"", printable(listed, 60));
    print_row("odd", "no picture is found (--all lists the places): put one beside it");
}

static const char *skin_label(uint32_t index)
{
    return index == 0 ? "skins" : "";
}

static void print_skin(const md2_model *model, uint32_t index, const char *listed)
{
    char        picture[MAX_PATH_LENGTH];
    const char *name = printable(listed, 28);
    bool        found = md2_find_skin(model, path, index, is_there, NULL, picture, sizeof picture);
    print_picture(skin_label(index), listed, name, found ? picture : NULL);
}

static void print_texture(const md5_model *model, uint32_t mesh_index)
{
    char        picture[MAX_PATH_LENGTH];
    const char *listed = model->meshes[mesh_index].shader;
    const char *name = printable(listed, 28);
    bool        found = md5_find_texture(model, path, mesh_index, is_there, NULL, picture,
                                         sizeof picture);
    print_picture(skin_label(mesh_index), listed, name, found ? picture : NULL);
}

/* -- Motion ------------------------------------------------------------------------------------ */

/* How far the points of an animation move: always that of the point that moves farthest. */
typedef struct motion {
    float most;                       /* from the first frame to the farthest one */
    float gap;                        /* from the first frame to the last */
    float way;                        /* from frame to frame, in all */
} motion;

static float farthest(const float *a, const float *b, uint32_t count)
{
    float most = 0;
    for (uint32_t i = 0; i < 3 * count; i += 3) {
        float x = a[i] - b[i];
        float y = a[i + 1] - b[i + 1];
        float z = a[i + 2] - b[i + 2];
        most = fmaxf(most, x * x + y * y + z * z);
    }
    return sqrtf(most);
}

/* `points` are [frame_count][count] of three floats each. */
static motion measure_motion(const float *points, uint32_t frame_count, uint32_t count)
{
    motion       m = { 0, 0, 0 };
    size_t       row = 3 * (size_t)count;
    const float *first = points;
    for (uint32_t i = 1; i < frame_count; ++i) {
        const float *frame = points + i * row;
        const float *previous = frame - row;
        m.gap = farthest(frame, first, count);
        m.most = fmaxf(m.most, m.gap);
        m.way += farthest(frame, previous, count);
    }
    return m;
}

/* Prints the row of an animation, with the points of its frames as in measure_motion. */
static void print_motion(const char *name, const char *range, uint32_t frame_count, double seconds,
                         const float *points, uint32_t count)
{
    /* It closes when the way back from its last frame is a step like the others, or two. */
    motion m = measure_motion(points, frame_count, count);
    bool   is_closed = m.gap * (float)frame_count <= 2 * m.way;

    char end[40] = "stands still";
    if (!is_closed) {
        snprintf(end, sizeof end, "moves %.3g, ends %.3g off", (double)m.most, (double)m.gap);
    } else if (m.most > 0) {
        snprintf(end, sizeof end, "moves %.3g, closes", (double)m.most);
    }

    const char *plural_or_space = frame_count == 1 ? " " : "s";
    printf("    %-14s %-7s %3u frame%s %5.3g s  %s\n", printable(name, 14), range, frame_count,
           plural_or_space, seconds, end);
}

/* -- MD2 --------------------------------------------------------------------------------------- */

/* True if texture coordinates lie beyond the edges of the picture. */
static bool is_outside(float u, float v)
{
    return u < 0 || u > 1 || v < 0 || v > 1;
}

static void print_anim(const md2_model *model, const md2_anim *anim)
{
    size_t row = (size_t)model->vertex_count * 3;
    float *points = allocate(anim->count * row, sizeof(float));
    for (uint32_t i = 0; i < anim->count; ++i) {
        md2_pose pose = md2_pose_between(anim->first + i, 0, 0);
        md2_pose_vertices(model, &pose, points + i * row, 12, NULL, 0);
    }

    char range[32];
    snprintf(range, sizeof range, "%u-%u", anim->first, anim->first + anim->count - 1);
    print_motion(anim->name, range, anim->count, md2_anim_length(anim, MD2_LOOP), points,
                 model->vertex_count);
    free(points);
}

static void print_md2(const md2_model *model)
{
    print_row("MD2", "%u triangle%s, %u point%s, %u frame%s, skins of %u x %u texels",
              model->index_count / 3, plural(model->index_count / 3), model->point_count,
              plural(model->point_count), model->frame_count, plural(model->frame_count),
              model->skin_width, model->skin_height);
    print_size(model->min, model->max);

    uint32_t listed = count_listed(model->skin_count, MOST_SKINS);
    for (uint32_t i = 0; i < listed; ++i) print_skin(model, i, model->skins[i].path);
    print_rest(model->skin_count, listed);
    if (model->skin_count == 0) print_skin(model, 0, ""); /* one may be found all the same */

    double fps = model->anim_count > 0 ? (double)model->anims[0].fps : 0;
    print_row("animations", "%u at %g frames a second", model->anim_count, fps);
    listed = count_listed(model->anim_count, MOST_ANIMS);
    for (uint32_t i = 0; i < listed; ++i) print_anim(model, &model->anims[i]);
    print_rest(model->anim_count, listed);
}

/* What bit 0, bit 1, and so on of a model's defects mean. */
static const struct { const char *label, *text; } md2_defects[] = {
    { "repaired", "normals pointed inwards: turned round" },
    { "repaired", "all normals were the same: computed anew" },
    { "odd", "faces are inside out: turn them, or load with MD2_KEEP_WINDING" },
    { "repaired", "texture coordinates out of range: the last one is used" },
    { "repaired", "broken GL commands: there are no strips, draw the triangles" },
};

static void print_md2_defects(const md2_model *model)
{
    for (int bit = 0; bit < COUNT(md2_defects); ++bit) {
        bool is_set = model->defects >> bit & 1;
        if (is_set) print_row(md2_defects[bit].label, "%s", md2_defects[bit].text);
    }

    /* Quake II's table of normals has 162. */
    uint32_t normals = 0;
    for (uint32_t i = 0; i < model->frame_count; ++i) {
        const md2_point *points = model->frames[i].points;
        for (uint32_t k = 0; k < model->point_count; ++k) {
            if (points[k].normal > 161) ++normals;
        }
    }

    uint32_t outside = 0;
    for (uint32_t i = 0; i < model->vertex_count; ++i) {
        if (is_outside(model->vertices[i].u, model->vertices[i].v)) ++outside;
    }

    print_count("repaired", normals, "normal", "beyond the table: straight up");
    print_count("repaired", model->dropped_triangles, "triangle", "with a bad index: dropped");
    print_count("odd", outside, "texture coordinate", "outside 0 to 1: let the skin repeat");
}

static bool inspect_md2(void)
{
    md2_error  error;
    md2_model *model = md2_load_file(path, NULL, &error);
    if (!model) {
        fprintf(stderr, "%s: %s (%s at byte %lu)\n", path, error.message,
                md2_result_name(error.code), (unsigned long)error.offset);
        return false;
    }

    print_md2(model);
    print_md2_defects(model);
    md2_free_model(model);
    return true;
}

/* -- MD5: meshes and animations ---------------------------------------------------------------- */

static void print_error(const md5_error *error)
{
    fprintf(stderr, "%s: %s (%s at line %u)\n", path, error->message, md5_result_name(error->code),
            error->line);
}

/* How many times the file has the word that an MD5 begins with, followed by anything. */
static uint32_t count_versions(void)
{
    static const char word[] = "MD5Version";
    size_t            length = sizeof word - 1;
    size_t            size = 0;
    uint8_t          *text = read_file(path, &size);
    if (!text) return 0;

    uint32_t count = 0;
    for (size_t i = 0; i + length < size; ++i) {
        if (memcmp(text + i, word, length) == 0) ++count;
    }
    free(text);
    return count;
}

static void check_text(uint32_t defects)
{
    if (defects & MD5_NO_VERSION) print_row("repaired", "there is no line \"MD5Version 10\"");

    /* Exporters that append to their last file leave two in one. */
    uint32_t files = count_versions();
    if (files > 1) print_row("odd", "%u files in one: only the first is read", files);
}

/* Of the joints in the model's space; without a model, each relative to its parent. */
static void print_md5_motion(const md5_model *model, const md5_anim *anim)
{
    size_t     joint_count = anim->joint_count;
    md5_xform *pose = allocate(joint_count, sizeof *pose);
    float     *points = allocate(anim->frame_count * joint_count, 3 * sizeof(float));

    float *point = points;
    for (uint32_t i = 0; i < anim->frame_count; ++i) {
        md5_pose_at(anim, MD5_ONCE, i / (double)anim->fps, pose);
        if (model) md5_pose_to_model_space(model, pose, pose);
        for (size_t k = 0; k < joint_count; ++k) {
            memcpy(point, pose[k].position, 3 * sizeof(float));
            point += 3;
        }
    }
    print_motion(anim->name, "", anim->frame_count, md5_anim_length(anim, MD5_LOOP), points,
                 anim->joint_count);
    free(points);
    free(pose);
}

/* -- MD5 mesh ---------------------------------------------------------------------------------- */

static void print_anims_beside(const md5_model *model)
{
    folder   f = list_beside(path);
    uint32_t most = everything ? UINT32_MAX : MOST_ANIMS - 1;
    uint32_t count = 0;               /* that fit; the first `most` of them are listed */
    for (int i = 0; i < f.count; ++i) {
        if (!has_suffix(f.paths[i], ".md5anim")) continue;

        md5_anim *anim = md5_load_anim_file(f.paths[i], NULL, NULL);
        bool      fits = anim && md5_check_anim(model, anim, NULL) == MD5_OK;
        if (fits && count == 0) print_row("animations", "beside it, of this skeleton");
        if (fits && count < most) print_md5_motion(model, anim);
        if (fits) ++count;
        md5_free_anim(anim);
    }
    free_folder(&f);

    if (count == 0) print_row("animations", "none of this skeleton beside it");
    print_rest(count, most);
}

/* Each is indented by two for each joint above it. */
static void print_joints(const md5_model *model)
{
    print_row("joints", "%u", model->joint_count);
    for (uint32_t i = 0; i < model->joint_count; ++i) {
        const md5_joint *joint = &model->joints[i];
        int              indent = 0;
        for (int32_t k = joint->parent; k >= 0; k = model->joints[k].parent) indent += 2;
        print_row("", "%*s%s", indent, "", printable(joint->name, 60));
    }
}

typedef struct mesh_flaws {
    uint32_t not_one;                 /* vertices whose biases do not sum to 1 */
    float    least, most;             /* of these sums */
    uint32_t outside;                 /* texture coordinates */
    double   volume, hull;            /* of all faces, and as if all looked outwards */
} mesh_flaws;

static void check_vertices(const md5_mesh *mesh, mesh_flaws *flaws)
{
    for (uint32_t i = 0; i < mesh->vertex_count; ++i) {
        const md5_vertex *v = &mesh->vertices[i];
        if (is_outside(v->u, v->v)) ++flaws->outside;

        float sum = 0;
        for (uint32_t k = 0; k < v->weight_count; ++k) {
            sum += mesh->weights[v->first_weight + k].bias;
        }
        flaws->least = fminf(flaws->least, sum);
        flaws->most = fmaxf(flaws->most, sum);
        if (fabsf(sum - 1) > 1e-3f) ++flaws->not_one;
    }
}

/* Six times the volume of the tetrahedron between a face and the origin, by the triple product of
   its corners. Negative if the face looks towards the origin. */
static double signed_volume(double corners[3][3])
{
    const double *a = corners[0], *b = corners[1], *c = corners[2];
    double        cross_x = b[1] * c[2] - b[2] * c[1];
    double        cross_y = b[2] * c[0] - b[0] * c[2];
    double        cross_z = b[0] * c[1] - b[1] * c[0];
    return a[0] * cross_x + a[1] * cross_y + a[2] * cross_z;
}

/* In the bind pose, with the middle of the model as the origin. */
static void measure_faces(const md5_model *model, const md5_mesh *mesh, mesh_flaws *flaws)
{
    for (uint32_t face = 0; face < mesh->index_count; face += 3) {
        double corners[3][3];
        for (uint32_t k = 0; k < 3; ++k) {
            const md5_vertex *vertex = &mesh->vertices[mesh->indices[face + k]];
            for (int axis = 0; axis < 3; ++axis) {
                double middle = 0.5 * (model->min[axis] + model->max[axis]);
                corners[k][axis] = vertex->position[axis] - middle;
            }
        }

        double volume = signed_volume(corners);
        flaws->volume += volume;
        flaws->hull += fabs(volume);
    }
}

static void check_md5mesh(const md5_model *model)
{
    mesh_flaws f = { .least = 1, .most = 1 };
    for (uint32_t i = 0; i < model->mesh_count; ++i) {
        check_vertices(&model->meshes[i], &f);
        measure_faces(model, &model->meshes[i], &f);
    }

    if (f.not_one > 0) {
        print_row("odd", "weights of %u vertices sum to %.3g..%.3g, not 1: normalise them",
                  f.not_one, (double)f.least, (double)f.most);
    }
    print_count("odd", f.outside, "texture coordinate", "outside 0 to 1: let the texture repeat");

    /* Open shapes have no inside: below a third nothing is said of it. */
    bool is_inside_out = f.volume < -0.33 * f.hull;
    if (is_inside_out) {
        print_row("odd", "faces are inside out: turn them, or load with MD5_KEEP_WINDING");
    }
    check_text(model->defects);
}

static void print_md5mesh(const md5_model *model)
{
    uint32_t triangles = 0, vertices = 0;
    uint32_t most_weights = 0;        /* of a vertex */
    for (uint32_t i = 0; i < model->mesh_count; ++i) {
        const md5_mesh *mesh = &model->meshes[i];
        triangles += mesh->index_count / 3;
        vertices += mesh->vertex_count;
        if (mesh->max_influences > most_weights) most_weights = mesh->max_influences;
    }

    const char *meshes = model->mesh_count == 1 ? "mesh" : "meshes";
    print_row("MD5 mesh", "%u triangle%s, %u vertices, %u %s, %u joint%s", triangles,
              plural(triangles), vertices, model->mesh_count, meshes, model->joint_count,
              plural(model->joint_count));
    print_row("weights", "at most %u a vertex", most_weights);
    print_size(model->min, model->max);

    uint32_t listed = count_listed(model->mesh_count, 2 * MOST_SKINS);
    for (uint32_t i = 0; i < listed; ++i) print_texture(model, i);
    print_rest(model->mesh_count, listed);
}

static bool inspect_md5mesh(void)
{
    md5_error  error;
    md5_model *model = md5_load_model_file(path, NULL, &error);
    if (!model) {
        print_error(&error);
        return false;
    }

    print_md5mesh(model);
    print_anims_beside(model);
    if (everything) print_joints(model);
    check_md5mesh(model);
    md5_free_model(model);
    return true;
}

/* -- MD5 animation ----------------------------------------------------------------------------- */

/* True if the file's box of a frame leaves out a hundredth of the model's size, or more. */
static bool is_too_small(const md5_bounds *box, const float min[3], const float max[3])
{
    float size = 0, left_out = 0;
    for (int axis = 0; axis < 3; ++axis) {
        size = fmaxf(size, max[axis] - min[axis]);
        left_out = fmaxf(left_out, box->min[axis] - min[axis]);
        left_out = fmaxf(left_out, max[axis] - box->max[axis]);
    }
    return left_out > size / 100;
}

static void check_bounds(const md5_model *model, const md5_anim *anim)
{
    md5_xform *pose = allocate(model->joint_count, sizeof *pose);
    uint32_t   too_small = 0;
    for (uint32_t i = 0; i < anim->frame_count; ++i) {
        md5_pose_at(anim, MD5_ONCE, i / (double)anim->fps, pose);
        md5_pose_to_model_space(model, pose, pose);

        float min[3], max[3];
        md5_pose_bounds(model, pose, min, max);
        if (is_too_small(&anim->bounds[i], min, max)) ++too_small;
    }
    print_count("odd", too_small, "frame", "with bounds that are too small: do not cull by them");
    free(pose);
}

/* Says why an animation does not fit a mesh, and how far retargeting helps. */
static void print_retargeting(const mesh_file *file, const md5_anim *anim)
{
    md5_error error;
    md5_check_anim(file->model, anim, &error);
    print_row("odd", "does not fit %s:", printable(file->path, 50));
    print_row("", "%.66s", error.message);

    uint32_t  missing = 0;
    md5_anim *fitted = md5_retarget_anim(file->model, NULL, anim, &missing, NULL, NULL);
    print_row("retargeted", "%u of %u joints keep the bind pose", missing,
              file->model->joint_count);
    if (fitted && !missing) check_bounds(file->model, fitted);
    md5_free_anim(fitted);
}

static uint32_t count_shared_joints(const md5_model *model, const md5_anim *anim)
{
    uint32_t shared = 0;
    for (uint32_t i = 0; i < anim->joint_count; ++i) {
        if (md5_find_joint(model, anim->joint_names[i]) >= 0) ++shared;
    }
    return shared;
}

/* Compares with the first mesh that the animation fits, else with the first of those that share
   most joints with it. */
static void compare_meshes(const mesh_file *files, int count, const md5_anim *anim)
{
    const mesh_file *nearest = NULL;
    uint32_t         most_shared = 0;
    for (const mesh_file *file = files; file < files + count; ++file) {
        bool fits = md5_check_anim(file->model, anim, NULL) == MD5_OK;
        if (fits) {
            print_md5_motion(file->model, anim);
            print_row("fits", "%s", printable(file->path, 66));
            check_bounds(file->model, anim);
            return;
        }

        uint32_t shared = count_shared_joints(file->model, anim);
        if (!nearest || shared > most_shared) {
            nearest = file;
            most_shared = shared;
        }
    }

    print_md5_motion(NULL, anim);
    if (nearest) print_retargeting(nearest, anim);
}

/* Says by how much joint 0 turns in a loop, if it does. */
static void print_turn(const md5_anim *anim)
{
    md5_xform motion;
    md5_root_motion(anim, MD5_LOOP, MD5_TURN, 0, md5_anim_length(anim, MD5_LOOP), &motion);
    double degrees = 2 * atan2((double)motion.rotation[2], (double)motion.rotation[3]) * 57.29578;
    if (fabs(degrees) > 0.5) print_row("turn", "%.4g degrees in one loop", degrees);
}

static void print_md5anim(const md5_anim *anim)
{
    print_row("MD5 anim", "%u joint%s, %u frame%s at %g a second", anim->joint_count,
              plural(anim->joint_count), anim->frame_count, plural(anim->frame_count),
              (double)anim->fps);
    print_row("travel", "%.4g %.4g %.4g in one loop", (double)anim->travel[0],
              (double)anim->travel[1], (double)anim->travel[2]);
    print_turn(anim);
    print_row("loop", "%s", anim->closed ? "closed" : "open");

    /* Exporters that compute no bounds write zeros. */
    uint32_t boxless = 0;
    for (uint32_t i = 0; i < anim->frame_count; ++i) {
        const md5_bounds *box = &anim->bounds[i];
        bool              is_point = memcmp(box->min, box->max, sizeof box->min) == 0;
        if (is_point) ++boxless;
    }
    print_count("odd", boxless, "frame", "without bounds: md5_pose_bounds computes them");
    check_text(anim->defects);
}

/* Loads the .md5mesh files among the paths, as far as they load. */
static mesh_file *load_meshes(char **paths, int count, int *found)
{
    mesh_file *files = allocate((size_t)count, sizeof *files);
    *found = 0;
    for (int i = 0; i < count; ++i) {
        if (!has_suffix(paths[i], ".md5mesh")) continue;
        md5_model *model = md5_load_model_file(paths[i], NULL, NULL);
        if (model) files[(*found)++] = (mesh_file){ paths[i], model };
    }
    return files;
}

static void free_meshes(mesh_file *files, int count)
{
    for (int i = 0; i < count; ++i) md5_free_model(files[i].model);
    free(files);
}

static void compare_meshes_beside(const md5_anim *anim)
{
    folder     f = list_beside(path);
    int        count;
    mesh_file *files = load_meshes(f.paths, f.count, &count);
    compare_meshes(files, count, anim);
    free_meshes(files, count);
    free_folder(&f);
}

/* `files` are the meshes of the command line. */
static bool inspect_md5anim(const mesh_file *files, int count)
{
    md5_error error;
    md5_anim *anim = md5_load_anim_file(path, NULL, &error);
    if (!anim) {
        print_error(&error);
        return false;
    }

    print_md5anim(anim);
    if (count > 0) compare_meshes(files, count, anim);
    else compare_meshes_beside(anim);
    md5_free_anim(anim);
    return true;
}

/* -- All files --------------------------------------------------------------------------------- */

/* False, with a line in stderr, if the file does not load. */
static bool inspect_file(const mesh_file *meshes, int count)
{
    printf("%s\n", printable(path, 80));
    fflush(stdout);                   /* before an error's line */

    if (has_suffix(path, ".md2")) return inspect_md2();
    if (has_suffix(path, ".md5anim")) return inspect_md5anim(meshes, count);
    if (has_suffix(path, ".md5mesh")) return inspect_md5mesh();
    fprintf(stderr, "%s: ends with none of .md2 .md5mesh .md5anim\n", path);
    return false;
}

int main(int argc, char **argv)
{
    int        mesh_count;
    mesh_file *meshes = load_meshes(argv, argc, &mesh_count);

    int file_count = 0, broken_count = 0;
    for (int i = 1; i < argc; ++i) {
        path = argv[i];
        if (strcmp(path, "--all") == 0) everything = true;

        bool is_option = strncmp(path, "--", 2) == 0;
        if (is_option) continue;

        if (file_count > 0) printf("\n");
        ++file_count;
        if (!inspect_file(meshes, mesh_count)) ++broken_count;
    }
    free_meshes(meshes, mesh_count);

    if (file_count == 0) fprintf(stderr, "usage: info [--all] FILE...\n");
    bool is_well = file_count > 0 && broken_count == 0;
    return is_well ? EXIT_SUCCESS : EXIT_FAILURE;
}
