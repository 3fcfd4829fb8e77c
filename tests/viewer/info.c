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
static bool        everything;

enum { MOST_ANIMS = 21, MOST_SKINS = 3 }; /* rows, so that all fits a screen of 40 */

/* -- Output and memory ------------------------------------------------------------------------- */

static void print_row(const char *label, const char *format, ...)
{
    va_list values;
    printf("  %-11s ", label);
    va_start(values, format);
    vprintf(format, values);
    va_end(values);
    printf("\n");
}

static const char *plural(uint32_t count) { return count == 1 ? "" : "s"; }

/* "odd" is what loading left as it is, "repaired" what it has mended. */
static void print_count(const char *label, uint32_t count, const char *thing, const char *rest)
{
    if (count) print_row(label, "%u %s%s %s", count, thing, plural(count), rest);
}

/* True while a list of so many rows goes on; its last row says how many are missing. */
static bool list_goes_on(uint32_t row, uint32_t count, uint32_t most)
{
    if (row < count && row + 1 == most && count > most && !everything) {
        print_row("", "and %u more: --all lists them", count - row);
        return false;
    }
    return row < count;
}

/* Without what a terminal might act upon. Of a long one the end, unless all is listed. Valid until
   the next call but one. */
static const char *printable(const char *name, size_t width)
{
    static char text[2][4096];
    static int  turn;
    char       *out = text[turn ^= 1];
    size_t      length = strlen(name);
    if (everything || length <= width) snprintf(out, sizeof text[0], "%s", name);
    else snprintf(out, sizeof text[0], "...%s", name + length - (width - 3));
    for (char *c = out; *c; ++c) *c = (unsigned char)*c < 32 || *c == 127 ? '?' : *c;
    return out;
}

/* Zeroed memory. */
static void *allocate(size_t count, size_t size)
{
    return memset(malloc_or_abort(count * size + 1), 0, count * size + 1);
}

static void print_size(const float min[3], const float max[3])
{
    print_row("size", "%.4g x %.4g x %.4g, from %.4g %.4g %.4g", (double)(max[0] - min[0]),
              (double)(max[1] - min[1]), (double)(max[2] - min[2]), (double)min[0], (double)min[1],
              (double)min[2]);
}

/* -- Pictures ---------------------------------------------------------------------------------- */

static bool is_there(void *user, const char *picture)
{
    FILE *file = fopen(picture, "rb");
    (void)user;
    if (everything) print_row("", "  %s%s", printable(picture, 80), file ? " (found)" : "");
    if (file) fclose(file);
    return file != NULL;
}

/* One of the two models is NULL. */
static void print_skin(const md2_model *md2, const md5_model *md5, uint32_t index,
                       const char *listed)
{
    char        picture[MAX_PATH_LENGTH];
    const char *label = index ? "" : "skins", *name = printable(listed, 28);
    size_t      size = sizeof picture;
    if (md2 ? md2_find_skin(md2, path, index, is_there, NULL, picture, size)
            : md5_find_texture(md5, path, index, is_there, NULL, picture, size)) {
        print_row(label, "\"%s\" is %s", name, printable(file_name(picture), 30));
    } else if (find_picture_beside(path, listed, picture)) {
        print_row(label, "\"%s\": beside it lies %s", name, printable(file_name(picture), 18));
    } else {
        print_row(label, "\"%s\"", printable(listed, 60));
        print_row("odd", "no picture is found (--all lists the places): put one beside it");
    }
}

/* -- Motion: how far an animation moves its points, and whether its end meets its beginning ---- */

static float farthest(const float *a, const float *b, uint32_t count)
{
    float most = 0;
    for (uint32_t i = 0; i < 3 * count; i += 3) {
        float x = a[i] - b[i], y = a[i + 1] - b[i + 1], z = a[i + 2] - b[i + 2];
        most = fmaxf(most, x * x + y * y + z * z);
    }
    return sqrtf(most);
}

/* From [frames][count] points, which it frees. It closes when the way back from its last frame is a
   step like the others, or two. */
static void print_motion(const char *name, const char *range, uint32_t frames, double seconds,
                         float *points, uint32_t count)
{
    char  end[40] = "stands still";
    float most = 0, gap = 0, way = 0;
    for (uint32_t i = 1; i < frames; ++i) {
        const float *frame = points + 3 * (size_t)count * i;
        gap = farthest(frame, points, count);
        most = fmaxf(most, gap);
        way += farthest(frame, frame - 3 * (size_t)count, count);
    }
    if (most > 0) snprintf(end, sizeof end, "moves %.3g, closes", (double)most);
    if (gap * (float)frames > 2 * way) {
        snprintf(end, sizeof end, "moves %.3g, ends %.3g off", (double)most, (double)gap);
    }
    printf("    %-14s %-7s %3u frame%s %5.3g s  %s\n", printable(name, 14), range, frames,
           frames == 1 ? " " : "s", seconds, end);
    free(points);
}

/* -- MD2 --------------------------------------------------------------------------------------- */

static bool is_outside(float u, float v) { return u < 0 || u > 1 || v < 0 || v > 1; }

static void print_anim(const md2_model *model, const md2_anim *anim)
{
    size_t row = (size_t)model->vertex_count * 3;
    float *points = allocate(anim->count * row, sizeof(float));
    char   range[32];
    for (uint32_t i = 0; i < anim->count; ++i) {
        md2_pose pose = md2_pose_between(anim->first + i, 0, 0);
        md2_pose_vertices(model, &pose, points + i * row, 12, NULL, 0);
    }
    snprintf(range, sizeof range, "%u-%u", anim->first, anim->first + anim->count - 1);
    print_motion(anim->name, range, anim->count, md2_anim_length(anim, MD2_LOOP), points,
                 model->vertex_count);
}

static void print_md2(const md2_model *model)
{
    print_row("MD2", "%u triangle%s, %u point%s, %u frame%s, skins of %u x %u texels",
              model->index_count / 3, plural(model->index_count / 3), model->point_count,
              plural(model->point_count), model->frame_count, plural(model->frame_count),
              model->skin_width, model->skin_height);
    print_size(model->min, model->max);
    for (uint32_t i = 0; list_goes_on(i, model->skin_count, MOST_SKINS); ++i) {
        print_skin(model, NULL, i, model->skins[i].path);
    }
    if (!model->skin_count) print_skin(model, NULL, 0, "");
    print_row("animations", "%u at %g frames a second", model->anim_count,
              model->anim_count ? (double)model->anims[0].fps : 0);
    for (uint32_t i = 0; list_goes_on(i, model->anim_count, MOST_ANIMS); ++i) {
        print_anim(model, model->anims + i);
    }
}

/* Each with the bit that says so. */
static const struct { const char *label, *text; } md2_defects[] = {
    { "repaired", "normals pointed inwards: turned round" },
    { "repaired", "all normals were the same: computed anew" },
    { "odd", "faces are inside out: turn them, or load with MD2_KEEP_WINDING" },
    { "repaired", "texture coordinates out of range: the last one is used" },
    { "repaired", "broken GL commands: there are no strips, draw the triangles" },
};

static void print_md2_defects(const md2_model *model)
{
    uint32_t normals = 0, outside = 0;
    for (uint32_t i = 0; i < sizeof md2_defects / sizeof *md2_defects; ++i) {
        if (model->defects >> i & 1) print_row(md2_defects[i].label, "%s", md2_defects[i].text);
    }
    for (uint32_t i = 0; i < model->frame_count; ++i) {
        const md2_point *points = model->frames[i].points;
        for (uint32_t k = 0; k < model->point_count; ++k) normals += points[k].normal > 161;
    }
    for (uint32_t i = 0; i < model->vertex_count; ++i) {
        outside += is_outside(model->vertices[i].u, model->vertices[i].v);
    }
    print_count("repaired", normals, "normal", "beyond the table: straight up");
    print_count("repaired", model->dropped_triangles, "triangle", "with a bad index: dropped");
    print_count("odd", outside, "texture coordinate", "outside 0 to 1: let the skin repeat");
}

static bool inspect_md2(void)
{
    md2_error  error;
    md2_model *model = md2_load_file(path, NULL, &error);
    if (model) {
        print_md2(model);
        print_md2_defects(model);
    } else {
        fprintf(stderr, "%s: %s (%s at byte %lu)\n", path, error.message,
                md2_result_name(error.code), (unsigned long)error.offset);
    }
    md2_free_model(model);
    return model != NULL;
}

/* -- MD5 mesh ---------------------------------------------------------------------------------- */

static bool print_error(const md5_error *error)
{
    fprintf(stderr, "%s: %s (%s at line %u)\n", path, error->message, md5_result_name(error->code),
            error->line);
    return false;
}

/* Exporters that append to their last file leave two in one. */
static void check_text(uint32_t defects)
{
    static const char word[] = "MD5Version";
    size_t   size = 0;
    uint32_t found = 0;
    uint8_t *text = read_file(path, &size);
    for (size_t i = 0; text && i + sizeof word <= size; ++i) {
        found += memcmp(text + i, word, sizeof word - 1) == 0;
    }
    if (defects & MD5_NO_VERSION) print_row("repaired", "there is no line \"MD5Version 10\"");
    if (found > 1) print_row("odd", "%u files in one: only the first is read", found);
    free(text);
}

/* Of the joints in the model's space; without a mesh, each relative to its parent. */
static void print_md5_motion(const md5_model *model, const md5_anim *anim)
{
    size_t     count = anim->joint_count;
    md5_xform *pose = allocate(count, sizeof *pose);
    float     *points = allocate(anim->frame_count * count, 3 * sizeof(float));
    for (uint32_t i = 0; i < anim->frame_count; ++i) {
        md5_pose_at(anim, MD5_ONCE, i / (double)anim->fps, pose);
        if (model) md5_pose_to_model_space(model, pose, pose);
        for (size_t k = 0; k < count; ++k) {
            memcpy(points + 3 * (i * count + k), pose[k].position, 3 * sizeof(float));
        }
    }
    print_motion(anim->name, "", anim->frame_count, md5_anim_length(anim, MD5_LOOP), points,
                 anim->joint_count);
    free(pose);
}

static void print_anims_beside(const md5_model *model)
{
    folder   f = list_beside(path);
    uint32_t most = everything ? UINT32_MAX : MOST_ANIMS - 1, count = 0;
    for (int i = 0; i < f.count; ++i) {
        md5_anim *anim = has_suffix(f.paths[i], ".md5anim")
                           ? md5_load_anim_file(f.paths[i], NULL, NULL) : NULL;
        if (anim && md5_check_anim(model, anim, NULL) == MD5_OK) {
            if (!count++) print_row("animations", "beside it, of this skeleton");
            if (count <= most) print_md5_motion(model, anim);
        }
        md5_free_anim(anim);
    }
    if (!count) print_row("animations", "none of this skeleton beside it");
    if (count > most) print_row("", "and %u more: --all lists them", count - most);
    free_folder(&f);
}

/* Each below its parent. */
static void print_joints(const md5_model *model)
{
    print_row("joints", "%u", model->joint_count);
    for (uint32_t i = 0; i < model->joint_count; ++i) {
        int depth = 0;
        for (int32_t k = (int32_t)i; (k = model->joints[k].parent) >= 0;) depth += 2;
        print_row("", "%*s%s", depth, "", printable(model->joints[i].name, 60));
    }
}

typedef struct mesh_flaws {
    uint32_t sums, outside;
    float    least, most;             /* sums of biases */
    double   volume, hull;            /* of all faces, and as if all looked outwards */
} mesh_flaws;

static void check_vertices(const md5_mesh *mesh, mesh_flaws *flaws)
{
    for (uint32_t i = 0; i < mesh->vertex_count; ++i) {
        const md5_vertex *v = mesh->vertices + i;
        float             sum = 0;
        for (uint32_t k = 0; k < v->weight_count; ++k) {
            sum += mesh->weights[v->first_weight + k].bias;
        }
        flaws->least = fminf(flaws->least, sum);
        flaws->most = fmaxf(flaws->most, sum);
        flaws->sums += fabsf(sum - 1) > 1e-3f;
        flaws->outside += is_outside(v->u, v->v);
    }
}

/* In the bind pose: the volume between each face and the middle. */
static void measure_faces(const md5_model *model, const md5_mesh *mesh, mesh_flaws *flaws)
{
    for (uint32_t i = 0; i < mesh->index_count; i += 3) {
        double p[3][3], volume = 0;
        for (int k = 0; k < 9; ++k) {
            const float *corner = mesh->vertices[mesh->indices[i + (uint32_t)k / 3]].position;
            p[k / 3][k % 3] = corner[k % 3] - 0.5 * (model->min[k % 3] + model->max[k % 3]);
        }
        for (int x = 0, y = 1, z = 2; x < 3; ++x, y = (x + 1) % 3, z = (x + 2) % 3) {
            volume += p[0][x] * (p[1][y] * p[2][z] - p[1][z] * p[2][y]);
        }
        flaws->volume += volume;
        flaws->hull += fabs(volume);
    }
}

/* Open shapes have no inside: below a third nothing is said of it. */
static void check_md5mesh(const md5_model *model)
{
    mesh_flaws f = { 0, 0, 1, 1, 0, 0 };
    for (uint32_t i = 0; i < model->mesh_count; ++i) {
        check_vertices(model->meshes + i, &f);
        measure_faces(model, model->meshes + i, &f);
    }
    if (f.sums) {
        print_row("odd", "weights of %u vertices sum to %.3g..%.3g, not 1: normalise them", f.sums,
                  (double)f.least, (double)f.most);
    }
    print_count("odd", f.outside, "texture coordinate", "outside 0 to 1: let the texture repeat");
    if (f.volume < -0.33 * f.hull) {
        print_row("odd", "faces are inside out: turn them, or load with MD5_KEEP_WINDING");
    }
    check_text(model->defects);
}

static void print_md5mesh(const md5_model *model)
{
    uint32_t triangles = 0, vertices = 0, weights = 0;
    for (uint32_t i = 0; i < model->mesh_count; ++i) {
        const md5_mesh *mesh = model->meshes + i;
        triangles += mesh->index_count / 3;
        vertices += mesh->vertex_count;
        weights = mesh->max_influences > weights ? mesh->max_influences : weights;
    }
    print_row("MD5 mesh", "%u triangle%s, %u vertices, %u mesh%s, %u joint%s", triangles,
              plural(triangles), vertices, model->mesh_count, model->mesh_count == 1 ? "" : "es",
              model->joint_count, plural(model->joint_count));
    print_row("weights", "at most %u a vertex", weights);
    print_size(model->min, model->max);
    for (uint32_t i = 0; list_goes_on(i, model->mesh_count, 2 * MOST_SKINS); ++i) {
        print_skin(NULL, model, i, model->meshes[i].shader);
    }
}

static bool inspect_md5mesh(void)
{
    md5_error  error;
    md5_model *model = md5_load_model_file(path, NULL, &error);
    if (!model) return print_error(&error);
    print_md5mesh(model);
    print_anims_beside(model);
    if (everything) print_joints(model);
    check_md5mesh(model);
    md5_free_model(model);
    return true;
}

/* -- MD5 animation ----------------------------------------------------------------------------- */

/* Counts frames whose box in the file leaves out a hundredth of the model's size, or more. */
static void check_bounds(const md5_model *model, const md5_anim *anim)
{
    md5_xform *pose = allocate(model->joint_count, sizeof *pose);
    uint32_t   narrow = 0;
    for (uint32_t i = 0; i < anim->frame_count; ++i) {
        const md5_bounds *box = anim->bounds + i;
        float             min[3], max[3], size = 0, out = 0;
        md5_pose_at(anim, MD5_ONCE, i / (double)anim->fps, pose);
        md5_pose_to_model_space(model, pose, pose);
        md5_pose_bounds(model, pose, min, max);
        for (int k = 0; k < 3; ++k) {
            size = fmaxf(size, max[k] - min[k]);
            out = fmaxf(out, fmaxf(box->min[k] - min[k], max[k] - box->max[k]));
        }
        narrow += out > size / 100;
    }
    print_count("odd", narrow, "frame", "with bounds that are too small: do not cull by them");
    free(pose);
}

static void print_retargeting(const mesh_file *file, const md5_anim *anim)
{
    md5_error error;
    uint32_t  missing = 0;
    md5_anim *fitted = md5_retarget_anim(file->model, anim, &missing, NULL, NULL);
    md5_check_anim(file->model, anim, &error);
    print_row("odd", "does not fit %s:", printable(file->path, 50));
    print_row("", "%.66s", error.message);
    print_row("retargeted", "%u of %u joints keep the bind pose", missing,
              file->model->joint_count);
    if (fitted && !missing) check_bounds(file->model, fitted);
    md5_free_anim(fitted);
}

/* With the first mesh that it fits, else with the one that shares most joints. */
static void compare_meshes(const mesh_file *files, int count, const md5_anim *anim)
{
    const mesh_file *nearest = NULL;
    uint32_t         most = 0;
    for (const mesh_file *file = files; file < files + count; ++file) {
        uint32_t shared = 1;
        for (uint32_t i = 0; i < anim->joint_count; ++i) {
            shared += md5_find_joint(file->model, anim->joint_names[i]) >= 0;
        }
        if (md5_check_anim(file->model, anim, NULL) == MD5_OK) {
            print_md5_motion(file->model, anim);
            print_row("fits", "%s", printable(file->path, 66));
            check_bounds(file->model, anim);
            return;
        }
        nearest = shared > most ? file : nearest;
        most = shared > most ? shared : most;
    }
    print_md5_motion(NULL, anim);
    if (nearest) print_retargeting(nearest, anim);
}

static void print_md5anim(const md5_anim *anim)
{
    uint32_t boxless = 0;
    for (uint32_t i = 0; i < anim->frame_count; ++i) {
        const md5_bounds *box = anim->bounds + i;
        boxless += memcmp(box->min, box->max, sizeof box->min) == 0;
    }
    print_row("MD5 anim", "%u joint%s, %u frame%s at %g a second", anim->joint_count,
              plural(anim->joint_count), anim->frame_count, plural(anim->frame_count),
              (double)anim->fps);
    print_row("travel", "%.4g %.4g %.4g in one loop", (double)anim->travel[0],
              (double)anim->travel[1], (double)anim->travel[2]);
    print_row("loop", "%s", anim->closed ? "the last frame repeats the first"
                                         : "from the last frame to the first");
    print_count("odd", boxless, "frame", "without bounds: md5_pose_bounds computes them");
    check_text(anim->defects);
}

static mesh_file *load_meshes(char **paths, int count, int *found)
{
    mesh_file *files = allocate((size_t)count, sizeof *files);
    *found = 0;
    for (int i = 0; i < count; ++i) {
        mesh_file file = { paths[i], NULL };
        if (has_suffix(paths[i], ".md5mesh")) file.model = md5_load_model_file(paths[i], NULL, NULL);
        if (file.model) files[(*found)++] = file;
    }
    return files;
}

static void free_meshes(mesh_file *files, int count)
{
    for (int i = 0; i < count; ++i) md5_free_model(files[i].model);
    free(files);
}

static bool inspect_md5anim(const mesh_file *files, int count)
{
    md5_error  error;
    md5_anim  *anim = md5_load_anim_file(path, NULL, &error);
    folder     f = count ? list_folder("") : list_beside(path);
    int        found;
    mesh_file *beside = load_meshes(f.paths, f.count, &found);
    if (anim) print_md5anim(anim);
    else print_error(&error);
    if (anim) compare_meshes(count ? files : beside, count ? count : found, anim);
    free_meshes(beside, found);
    free_folder(&f);
    md5_free_anim(anim);
    return anim != NULL;
}

/* -- All files --------------------------------------------------------------------------------- */

static bool inspect_file(const mesh_file *meshes, int count)
{
    printf("%s\n", printable(path, 80));
    fflush(stdout);
    if (has_suffix(path, ".md2")) return inspect_md2();
    if (has_suffix(path, ".md5anim")) return inspect_md5anim(meshes, count);
    if (has_suffix(path, ".md5mesh")) return inspect_md5mesh();
    fprintf(stderr, "%s: ends with none of .md2 .md5mesh .md5anim\n", path);
    return false;
}

int main(int argc, char **argv)
{
    int        files = 0, broken = 0, mesh_count;
    mesh_file *meshes = load_meshes(argv, argc, &mesh_count);
    for (int i = 1; i < argc; ++i) {
        path = argv[i];
        if (strcmp(path, "--all") == 0) everything = true;
        if (strncmp(path, "--", 2) == 0) continue;
        if (files++) printf("\n");
        broken += !inspect_file(meshes, mesh_count);
    }
    if (!files) fprintf(stderr, "usage: info [--all] FILE...\n");
    free_meshes(meshes, mesh_count);
    return broken || !files ? EXIT_FAILURE : EXIT_SUCCESS;
}
