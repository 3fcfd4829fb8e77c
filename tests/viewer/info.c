/* info [--quiet] FILE...: what .md2, .md5mesh and .md5anim files hold, and what is odd about them.
   An animation is also compared with the meshes named beside it. --quiet prints the oddities alone,
   one a line behind the file's name. Ends with 1 when a file does not load. Public domain. */
#define MD2_IMPLEMENTATION
#include "../../md2.h"
#define MD5_IMPLEMENTATION
#include "../../md5.h"
#include "check.h"

#include <stdarg.h>

static struct report {
    const char *path;                 /* of the file that is looked at */
    bool        quiet;
} report;

/* -- Output ------------------------------------------------------------------------------------ */

#ifdef __GNUC__
__attribute__((format(printf, 2, 3)))
#endif
static void row(const char *label, const char *format, ...)
{
    va_list arguments;
    if (report.quiet) return;
    printf("  %-12s ", label);
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    printf("\n");
}

#ifdef __GNUC__
__attribute__((format(printf, 1, 2)))
#endif
static void odd(const char *format, ...)
{
    va_list arguments;
    if (report.quiet) printf("%s: ", report.path);
    else printf("  %-12s ", "odd");
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    printf("\n");
}

/* An oddity that is counted: the end of a plural is left out for one. */
static void odd_count(uint32_t count, const char *thing, const char *what)
{
    if (count) odd("%u %s%s %s", count, thing, count == 1 ? "" : "s", what);
}

/* Names come from files: what a terminal might act upon is shown as '?'. Good for two at once. */
static const char *shown(const char *name)
{
    static char text[2][128];
    static int  turn;
    char       *out = text[turn ^= 1];
    size_t      i;
    for (i = 0; name[i] && i + 1 < sizeof text[0]; ++i) {
        out[i] = (unsigned char)name[i] < 32 || name[i] == 127 ? '?' : name[i];
    }
    out[i] = '\0';
    return out;
}

static void show_bounds(const float min[3], const float max[3])
{
    row("bounds", "%.2f %.2f %.2f to %.2f %.2f %.2f", (double)min[0], (double)min[1],
        (double)min[2], (double)max[0], (double)max[1], (double)max[2]);
}

/* One of the places where a picture may lie; true where it does. */
static bool show_guess(const char *path)
{
    FILE *file = fopen(path, "rb");
    row("", "  %s%s", shown(path), file ? "  (found)" : "");
    if (file) fclose(file);
    return file != NULL;
}

/* -- MD2: the bytes, for what loading mends without a word ------------------------------------- */

enum { FRAME_SIZE = 16, COMMAND_COUNT = 36, SKINS_AT = 44, FRAMES_AT = 56, END_AT = 64 };

static uint32_t field(const uint8_t *bytes, uint32_t at)
{
    const uint8_t *b = bytes + at;
    return b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

/* Names with a fixed room: how many fill all of it, how many have other bytes behind their end. */
static void raw_names(const uint8_t *name, uint32_t count, size_t stride, size_t room,
                      const char *thing)
{
    uint32_t endless = 0, dirty = 0, i;
    for (i = 0; i < count; ++i, name += stride) {
        size_t length = 0, end = room;
        while (length < room && name[length]) ++length;
        while (end > length && !name[end - 1]) --end;
        endless += length == room;
        dirty += end > length;
    }
    odd_count(endless, thing, "without an end");
    odd_count(dirty, thing, "with other bytes behind the end");
}

static void raw_flaws(const uint8_t *bytes, size_t size, const md2_model *model)
{
    uint32_t end = field(bytes, END_AT), stride = field(bytes, FRAME_SIZE);
    raw_names(bytes + field(bytes, SKINS_AT), model->skin_count, 64, 64, "skin name");
    raw_names(bytes + field(bytes, FRAMES_AT) + 24, model->frame_count, stride, 16, "frame name");
    if (stride != 40 + 4 * model->point_count) odd("frames lie %u bytes apart", stride);
    if (size > end) odd_count((uint32_t)(size - end), "byte", "behind the end");
    if (size < end) odd_count(end - (uint32_t)size, "byte", "missing at the end");
    if (!model->strip_count && field(bytes, COMMAND_COUNT) > 1) odd("the GL commands are broken");
}

/* -- MD2: the triangles and the GL commands ---------------------------------------------------- */

typedef struct triangle_list {
    uint64_t *key;                    /* three points, the lowest first; sorted */
    uint32_t  count;
} triangle_list;

static uint64_t triangle_key(uint64_t a, uint64_t b, uint64_t c)
{
    if (a < b && a < c) return a << 32 | b << 16 | c;
    if (b < c) return b << 32 | c << 16 | a;
    return c << 32 | a << 16 | b;
}

/* Those that two corners share are lines: strips are full of them. */
static void add_triangle(triangle_list *list, const md2_model *model, uint32_t a, uint32_t b,
                         uint32_t c)
{
    a = model->vertices[a].point;
    b = model->vertices[b].point;
    c = model->vertices[c].point;
    if (a != b && b != c && c != a) list->key[list->count++] = triangle_key(a, b, c);
}

static int compare_keys(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static triangle_list indexed_triangles(const md2_model *model)
{
    triangle_list list = { NULL, 0 };
    uint32_t      i;
    list.key = (uint64_t *)check_malloc(model->index_count * sizeof *list.key);
    for (i = 0; i + 2 < model->index_count; i += 3) {
        const uint32_t *corner = model->indices + i;
        add_triangle(&list, model, corner[0], corner[1], corner[2]);
    }
    qsort(list.key, list.count, sizeof *list.key, compare_keys);
    return list;
}

static triangle_list strip_triangles(const md2_model *model)
{
    triangle_list list = { NULL, 0 };
    uint32_t      s, i;
    list.key = (uint64_t *)check_malloc(model->strip_vertex_count * sizeof *list.key);
    for (s = 0; s < model->strip_count; ++s) {
        const md2_strip        *strip = model->strips + s;
        const md2_strip_vertex *v = model->strip_vertices + strip->first;
        for (i = 2; i < strip->count; ++i) {
            uint32_t a = strip->fan ? 0 : i - 2 + i % 2, b = strip->fan ? i - 1 : i - 1 - i % 2;
            add_triangle(&list, model, v[a].vertex, v[b].vertex, v[i].vertex);
        }
    }
    qsort(list.key, list.count, sizeof *list.key, compare_keys);
    return list;
}

/* How many of `a` are not in `b`; *turned: how many of these `b` has with the other side out. */
static uint32_t count_missing(triangle_list a, triangle_list b, uint32_t *turned)
{
    uint32_t missing = 0, i, k = 0;
    for (i = 0; i < a.count; ++i) {
        uint64_t key = a.key[i], other = triangle_key(key >> 32, key & 0xFFFF, key >> 16 & 0xFFFF);
        while (k < b.count && b.key[k] < key) ++k;
        if (k < b.count && b.key[k] == key) {
            ++k;
        } else {
            ++missing;
            *turned += bsearch(&other, b.key, b.count, sizeof other, compare_keys) != NULL;
        }
    }
    return missing;
}

static void compare_commands(const md2_model *model)
{
    triangle_list list = indexed_triangles(model), strips = strip_triangles(model);
    uint32_t      turned = 0, unused = 0, away = 0, i;
    uint32_t      lacking = count_missing(list, strips, &turned);
    uint32_t      extra = count_missing(strips, list, &unused);
    for (i = 0; i < model->strip_vertex_count; ++i) {
        const md2_strip_vertex *at = model->strip_vertices + i;
        const md2_vertex       *vertex = model->vertices + at->vertex;
        away += fabsf(at->u - vertex->u) * (float)model->skin_width > 2 ||
                fabsf(at->v - vertex->v) * (float)model->skin_height > 2;
    }
    if (lacking || extra) {
        odd("the GL commands lack %u triangles (%u of these are turned over) and have %u others",
            lacking, turned, extra);
    }
    odd_count(away, "GL corner", "more than 2 texels off the triangles'");
    free(list.key);
    free(strips.key);
}

/* -- MD2: what it holds ------------------------------------------------------------------------ */

static void show_skin(const md2_model *model, uint32_t skin)
{
    char     path[512];
    uint32_t at;
    for (at = 0; md2_skin_path(model, report.path, skin, at, path, sizeof path); ++at) {
        if (show_guess(path)) return;
    }
    odd("skin %u is at none of the %u places where it may be", skin, at);
}

static void show_skins(const md2_model *model)
{
    uint32_t i;
    row("skins", "%u for %u x %u texels", model->skin_count, model->skin_width, model->skin_height);
    for (i = 0; i < model->skin_count; ++i) {
        row("", "\"%s\"", shown(model->skins[i].path));
        show_skin(model, i);
    }
    if (!model->skin_count) show_skin(model, 0);
}

static void show_anims(const md2_model *model)
{
    uint32_t i;
    row("animations", "%u", model->anim_count);
    for (i = 0; i < model->anim_count; ++i) {
        const md2_anim *anim = model->anims + i;
        row("", "%-18s %4u - %-4u %4u frame%s %6.2f s at %g fps", shown(anim->name), anim->first,
            anim->first + anim->count - 1, anim->count, anim->count == 1 ? " " : "s",
            md2_anim_length(anim, MD2_LOOP), (double)anim->fps);
    }
}

static void frame_flaws(const md2_model *model)
{
    uint32_t negative = 0, flat = 0, normals = 0, i, k;
    for (i = 0; i < model->frame_count; ++i) {
        const md2_frame *frame = model->frames + i;
        negative += frame->scale[0] < 0 || frame->scale[1] < 0 || frame->scale[2] < 0;
        flat += frame->scale[0] == 0 || frame->scale[1] == 0 || frame->scale[2] == 0;
        for (k = 0; k < model->point_count; ++k) normals += frame->points[k].normal > 161;
    }
    odd_count(negative, "frame", "of negative scale");
    odd_count(flat, "frame", "of zero scale");
    odd_count(normals, "normal", "beyond the table");
}

static bool is_outside(float u, float v) { return u < 0 || u > 1 || v < 0 || v > 1; }

static void triangle_flaws(const md2_model *model)
{
    uint8_t      *used = (uint8_t *)check_malloc(model->point_count);
    uint32_t      unused = model->point_count, outside = 0, i;
    triangle_list list = indexed_triangles(model);
    memset(used, 0, model->point_count);
    for (i = 0; i < model->vertex_count; ++i) {
        const md2_vertex *vertex = model->vertices + i;
        outside += is_outside(vertex->u, vertex->v);
        unused -= !used[vertex->point];
        used[vertex->point] = 1;
    }
    odd_count(model->dropped_triangles, "triangle", "with a bad index, dropped");
    odd_count(model->index_count / 3 - list.count, "triangle", "with two corners in one point");
    odd_count(unused, "point", "that no triangle uses");
    odd_count(outside, "texture coordinate", "outside 0 to 1");
    free(list.key);
    free(used);
}

static bool show_md2(void)
{
    md2_error  error;
    md2_model *model = md2_load_file(report.path, NULL, &error);
    size_t     size = 0;
    uint8_t   *bytes = model ? check_read_file(report.path, &size) : NULL;
    if (!bytes) {
        fprintf(stderr, "%s: %s (%s at byte %lu)\n", report.path, error.message,
                md2_result_name(error.code), (unsigned long)error.offset);
        md2_free_model(model);
        return false;
    }
    row("model", "%u triangles, %u points, %u vertices, %u frames, %lu bytes",
        model->index_count / 3, model->point_count, model->vertex_count, model->frame_count,
        (unsigned long)size);
    show_bounds(model->min, model->max);
    row("GL commands", "%u strips and fans, %u vertices", model->strip_count,
        model->strip_vertex_count);
    show_anims(model);
    show_skins(model);
    raw_flaws(bytes, size, model);
    triangle_flaws(model);
    frame_flaws(model);
    if (model->strip_count) compare_commands(model);
    free(bytes);
    md2_free_model(model);
    return true;
}

/* -- MD5 mesh ---------------------------------------------------------------------------------- */

static void count_weights(const md5_model *model, uint32_t *weights)
{
    uint32_t m, i;
    memset(weights, 0, model->joint_count * sizeof *weights);
    for (m = 0; m < model->mesh_count; ++m) {
        const md5_mesh *mesh = model->meshes + m;
        for (i = 0; i < mesh->weight_count; ++i) ++weights[mesh->weights[i].joint];
    }
}

static void show_branch(const md5_model *model, const uint32_t *weights, int32_t parent, int depth)
{
    int32_t joint;
    for (joint = parent + 1; depth < 100 && joint < (int32_t)model->joint_count; ++joint) {
        if (model->joints[joint].parent != parent) continue;
        row("", "%5u weights  %*s%s", weights[joint], depth * 2, "",
            shown(model->joints[joint].name));
        show_branch(model, weights, joint, depth + 1);
    }
}

static void show_joints(const md5_model *model)
{
    uint32_t *weights = (uint32_t *)check_malloc(model->joint_count * sizeof *weights), idle = 0, i;
    count_weights(model, weights);
    row("joints", "%u", model->joint_count);
    show_branch(model, weights, -1, 0);
    for (i = model->joint_count; i-- > 0;) {
        int32_t parent = model->joints[i].parent;
        if (!weights[i]) ++idle;
        else if (parent >= 0) weights[parent] = 1;
    }
    odd_count(idle, "joint", "with no weight, nor any on a joint below");
    free(weights);
}

static void show_mesh(const md5_model *model, uint32_t index)
{
    const md5_mesh *mesh = model->meshes + index;
    char            path[512];
    uint32_t        at;
    row(index ? "" : "meshes", "\"%s\" %u triangles, %u vertices, %u weights, up to %u a vertex",
        shown(mesh->shader), mesh->index_count / 3, mesh->vertex_count, mesh->weight_count,
        mesh->max_influences);
    if (!mesh->index_count) odd("mesh %u has no triangles", index);
    for (at = 0; md5_texture_path(model, report.path, index, at, path, sizeof path); ++at) {
        if (show_guess(path)) return;
    }
    odd("the texture of mesh %u is at none of the %u places where it may be", index, at);
}

typedef struct mesh_flaws {
    uint32_t sums, zeros, crowded, outside, unused_weights, unused_vertices, degenerate;
    float    least, most;             /* sums of biases */
} mesh_flaws;

static void vertex_flaws(const md5_mesh *mesh, const md5_vertex *vertex, mesh_flaws *flaws)
{
    float    sum = 0;
    uint32_t i;
    for (i = 0; i < vertex->weight_count; ++i) sum += mesh->weights[vertex->first_weight + i].bias;
    flaws->least = fminf(flaws->least, sum);
    flaws->most = fmaxf(flaws->most, sum);
    flaws->sums += fabsf(sum - 1) > 1e-3f;
    flaws->crowded += vertex->weight_count > 4;
    flaws->outside += is_outside(vertex->u, vertex->v);
}

static bool same_place(const md5_vertex *a, const md5_vertex *b)
{
    return memcmp(a->position, b->position, sizeof a->position) == 0;
}

static void count_triangle_flaws(const md5_mesh *mesh, uint8_t *drawn, mesh_flaws *flaws)
{
    uint32_t i;
    for (i = 0; i + 2 < mesh->index_count; i += 3) {
        const uint32_t   *corner = mesh->indices + i;
        const md5_vertex *a = mesh->vertices + corner[0];
        const md5_vertex *b = mesh->vertices + corner[1];
        const md5_vertex *c = mesh->vertices + corner[2];
        flaws->degenerate += same_place(a, b) || same_place(b, c) || same_place(c, a);
        drawn[corner[0]] = drawn[corner[1]] = drawn[corner[2]] = 1;
    }
}

static void count_mesh_flaws(const md5_mesh *mesh, mesh_flaws *flaws)
{
    size_t   size = (size_t)mesh->vertex_count + mesh->weight_count;
    uint8_t *drawn = (uint8_t *)check_malloc(size), *weighs = drawn + mesh->vertex_count;
    uint32_t i;
    memset(drawn, 0, size);
    count_triangle_flaws(mesh, drawn, flaws);
    for (i = 0; i < mesh->vertex_count; ++i) {
        const md5_vertex *vertex = mesh->vertices + i;
        vertex_flaws(mesh, vertex, flaws);
        memset(weighs + vertex->first_weight, 1, vertex->weight_count);
        flaws->unused_vertices += !drawn[i];
    }
    for (i = 0; i < mesh->weight_count; ++i) {
        flaws->zeros += mesh->weights[i].bias == 0;
        flaws->unused_weights += !weighs[i];
    }
    free(drawn);
}

static void show_mesh_flaws(const md5_model *model)
{
    mesh_flaws f;
    uint32_t   i;
    memset(&f, 0, sizeof f);
    f.least = f.most = 1;
    for (i = 0; i < model->mesh_count; ++i) count_mesh_flaws(model->meshes + i, &f);
    if (f.sums) {
        odd("%u vertices have weights that do not sum to 1: %g to %g", f.sums, (double)f.least,
            (double)f.most);
    }
    odd_count(f.zeros, "weight", "of zero");
    odd_count(f.crowded, "place", "with more than 4 weights");
    odd_count(f.unused_weights, "weight", "that no vertex uses");
    odd_count(f.unused_vertices, "corner", "that no triangle uses");
    odd_count(f.degenerate, "triangle", "with two corners in one place");
    odd_count(f.outside, "texture coordinate", "outside 0 to 1");
}

static bool complain(const md5_error *error)
{
    fprintf(stderr, "%s: %s (%s at line %u)\n", report.path, error->message,
            md5_result_name(error->code), error->line);
    return false;
}

/* Exporters that append to their last file leave two in one; only the first is read. */
static void second_file(void)
{
    static const char word[] = "MD5Version";
    size_t   size = 0, i;
    uint32_t found = 0;
    uint8_t *text = check_read_file(report.path, &size);
    for (i = 0; text && i + sizeof word <= size; ++i) {
        found += memcmp(text + i, word, sizeof word - 1) == 0;
    }
    if (found > 1) odd("%u files in one: only the first is read", found);
    free(text);
}

static bool show_md5mesh(const md5_model *model, const md5_error *error)
{
    uint32_t i;
    if (!model) return complain(error);
    show_bounds(model->min, model->max);
    for (i = 0; i < model->mesh_count; ++i) show_mesh(model, i);
    show_joints(model);
    show_mesh_flaws(model);
    second_file();
    return true;
}

/* -- MD5 animation ----------------------------------------------------------------------------- */

typedef struct input {
    const char *path;
    md5_model  *model;                /* of a mesh, NULL where it does not load */
    md5_error   error;
} input;

/* Frames whose box in the file leaves out a hundredth of the model's size, or more. */
static void compare_bounds(const md5_model *model, const md5_anim *anim)
{
    md5_xform *pose = (md5_xform *)check_malloc(model->joint_count * sizeof *pose);
    uint32_t   narrow = 0, f, k;
    for (f = 0; f < anim->frame_count; ++f) {
        const md5_bounds *box = anim->bounds + f;
        float             min[3], max[3], size = 0, out = 0;
        md5_pose_at(anim, MD5_ONCE, f / (double)anim->fps, pose);
        md5_pose_to_model_space(model, pose, pose);
        md5_pose_bounds(model, pose, min, max);
        for (k = 0; k < 3; ++k) {
            size = fmaxf(size, max[k] - min[k]);
            out = fmaxf(out, fmaxf(box->min[k] - min[k], max[k] - box->max[k]));
        }
        narrow += out > size / 100;
    }
    odd_count(narrow, "frame", "with bounds that do not hold the model");
    free(pose);
}

static bool has_joint(const md5_anim *anim, const char *name)
{
    uint32_t j;
    for (j = 0; j < anim->joint_count; ++j) {
        if (strcmp(anim->joint_names[j], name) == 0) return true;
    }
    return false;
}

static void show_misfit(const input *mesh, const md5_anim *anim)
{
    const md5_model *model = mesh->model;
    md5_error        error;
    uint32_t         missing = 0, j;
    md5_anim        *fitted = md5_retarget_anim(model, anim, &missing, NULL, NULL);
    md5_check_anim(model, anim, &error);
    odd("does not fit %s: %s", mesh->path, error.message);
    row("retargeted", "%u of %u joints keep the bind pose", missing, model->joint_count);
    for (j = 0; missing < model->joint_count && j < model->joint_count; ++j) {
        if (!has_joint(anim, model->joints[j].name)) row("", "  %s", shown(model->joints[j].name));
    }
    if (fitted && !missing) compare_bounds(model, fitted);
    md5_free_anim(fitted);
}

/* With each mesh that it fits; where there is none, with the one that shares most joints. */
static void compare_meshes(const input *inputs, int count, const md5_anim *anim)
{
    const input *nearest = NULL;
    uint32_t     most = 0, fits = 0, j;
    int          i;
    for (i = 0; i < count; ++i) {
        const md5_model *model = inputs[i].model;
        uint32_t         shared = 1;
        for (j = 0; model && j < model->joint_count; ++j) {
            shared += has_joint(anim, model->joints[j].name);
        }
        if (model && shared > most) nearest = inputs + i;
        if (model && shared > most) most = shared;
        if (!model || md5_check_anim(model, anim, NULL) != MD5_OK) continue;
        ++fits;
        row("fits", "%s", inputs[i].path);
        compare_bounds(model, anim);
    }
    if (nearest && !fits) show_misfit(nearest, anim);
}

static bool show_md5anim(const input *inputs, int count)
{
    md5_error error;
    md5_anim *anim = md5_load_anim_file(report.path, NULL, &error);
    uint32_t  animated = 0, boxless = 0, i;
    if (!anim) return complain(&error);
    for (i = 0; i < anim->joint_count; ++i) animated += anim->joint_flags[i] != 0;
    for (i = 0; i < anim->frame_count; ++i) {
        const md5_bounds *box = anim->bounds + i;
        boxless += memcmp(box->min, box->max, sizeof box->min) == 0;
    }
    row("animation", "%u frame%s at %g a second, %.2f s, %s", anim->frame_count,
        anim->frame_count == 1 ? "" : "s", (double)anim->fps, md5_anim_length(anim, MD5_LOOP),
        anim->closed ? "closed: the last repeats the first" : "the last leads to the first");
    row("travel", "%.2f %.2f %.2f", (double)anim->travel[0], (double)anim->travel[1],
        (double)anim->travel[2]);
    row("joints", "%u, %u of them animated by %u numbers a frame", anim->joint_count, animated,
        anim->component_count);
    odd_count(boxless, "frame", "without bounds");
    second_file();
    compare_meshes(inputs, count, anim);
    md5_free_anim(anim);
    return true;
}

/* -- All files --------------------------------------------------------------------------------- */

static bool show_file(const input *inputs, int count, int index)
{
    report.path = inputs[index].path;
    if (!report.quiet) printf("%s%s\n", index ? "\n" : "", report.path);
    fflush(stdout);
    if (check_has_suffix(report.path, ".md2")) return show_md2();
    if (check_has_suffix(report.path, ".md5anim")) return show_md5anim(inputs, count);
    if (check_has_suffix(report.path, ".md5mesh")) {
        return show_md5mesh(inputs[index].model, &inputs[index].error);
    }
    fprintf(stderr, "%s: ends with none of .md2 .md5mesh .md5anim\n", report.path);
    return false;
}

int main(int argc, char **argv)
{
    input *inputs = (input *)check_malloc((size_t)argc * sizeof *inputs);
    int    count = 0, broken = 0, i;
    report.quiet = argc > 1 && strcmp(argv[1], "--quiet") == 0;
    memset(inputs, 0, (size_t)argc * sizeof *inputs);
    for (i = report.quiet ? 2 : 1; i < argc; ++i) {
        input *in = inputs + count++;
        in->path = argv[i];
        if (check_has_suffix(argv[i], ".md5mesh")) {
            in->model = md5_load_model_file(argv[i], NULL, &in->error);
        }
    }
    if (!count) fprintf(stderr, "usage: info [--quiet] FILE...\n");
    for (i = 0; i < count; ++i) broken += !show_file(inputs, count, i);
    for (i = 0; i < count; ++i) md5_free_model(inputs[i].model);
    free(inputs);
    return broken || !count ? EXIT_FAILURE : EXIT_SUCCESS;
}
