/* info [--quiet] FILE...: prints the contents of .md2, .md5mesh and .md5anim files, and everything
   that is odd about them. An animation is also compared with the meshes among the files. --quiet
   prints only the oddities, one a line behind the file's name. Ends with 1 when a file does not
   load. Public domain. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MD2_IMPLEMENTATION
#include "../../md2.h"
#define MD5_IMPLEMENTATION
#include "../../md5.h"
#include "support.h"

typedef struct input {
    const char *path;
    md5_model  *mesh;                 /* NULL unless it is a .md5mesh that loads */
    md5_error   error;                /* of that */
} input;

static const char *path;              /* of the file that is looked at */
static bool        quiet;

/* -- Output and memory ------------------------------------------------------------------------- */

static void print_row(const char *label, const char *format, ...)
{
    va_list values;
    if (quiet) return;
    printf("  %-12s ", label);
    va_start(values, format);
    vprintf(format, values);
    va_end(values);
    printf("\n");
}

static void print_oddity(const char *format, ...)
{
    va_list values;
    if (quiet) printf("%s: ", path);
    else printf("  %-12s ", "odd");
    va_start(values, format);
    vprintf(format, values);
    va_end(values);
    printf("\n");
}

static void count_oddity(uint32_t count, const char *thing, const char *rest)
{
    if (count) print_oddity("%u %s%s %s", count, thing, count == 1 ? "" : "s", rest);
}

/* Characters that a terminal might act upon become '?'. Valid until the next call but one. */
static const char *printable(const char *name)
{
    static char text[2][128];
    static int  turn;
    char       *out = text[turn ^= 1];
    snprintf(out, sizeof text[0], "%s", name);
    for (char *c = out; *c; ++c) *c = (unsigned char)*c < 32 || *c == 127 ? '?' : *c;
    return out;
}

/* Zeroed memory. */
static void *allocate(size_t count, size_t size)
{
    return memset(malloc_or_abort(count * size), 0, count * size);
}

static void print_bounds(const float min[3], const float max[3])
{
    print_row("bounds", "%.2f %.2f %.2f to %.2f %.2f %.2f", (double)min[0], (double)min[1],
              (double)min[2], (double)max[0], (double)max[1], (double)max[2]);
}

/* Prints a place where a picture may lie; true where it does. */
static bool print_candidate(const char *picture)
{
    FILE *file = fopen(picture, "rb");
    print_row("", "  %s%s", printable(picture), file ? "  (found)" : "");
    if (file) fclose(file);
    return file != NULL;
}

/* -- MD2: flaws that loading repairs silently -------------------------------------------------- */

enum { FRAME_SIZE = 16, COMMAND_COUNT = 36, SKINS_AT = 44, FRAMES_AT = 56, END_AT = 64 };

static uint32_t read_u32(const uint8_t *bytes, uint32_t at)
{
    const uint8_t *b = bytes + at;
    return b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

/* Names of a fixed size: those that fill it, and those with other bytes behind their end. */
static void check_names(const uint8_t *name, uint32_t count, size_t stride, size_t size,
                        const char *thing)
{
    uint32_t endless = 0, dirty = 0;
    for (uint32_t i = 0; i < count; ++i, name += stride) {
        size_t length = 0, end = size;
        while (length < size && name[length]) ++length;
        while (end > length && !name[end - 1]) --end;
        endless += length == size;
        dirty += end > length;
    }
    count_oddity(endless, thing, "without an end");
    count_oddity(dirty, thing, "with other bytes behind the end");
}

static void check_bytes(const uint8_t *bytes, size_t size, const md2_model *model)
{
    uint32_t end = read_u32(bytes, END_AT), stride = read_u32(bytes, FRAME_SIZE);
    check_names(bytes + read_u32(bytes, SKINS_AT), model->skin_count, 64, 64, "skin name");
    check_names(bytes + read_u32(bytes, FRAMES_AT) + 24, model->frame_count, stride, 16,
                "frame name");
    if (stride != 40 + 4 * model->point_count) print_oddity("frames lie %u bytes apart", stride);
    if (size > end) count_oddity((uint32_t)(size - end), "byte", "behind the end");
    if (size < end) count_oddity(end - (uint32_t)size, "byte", "missing at the end");
    if (!model->strip_count && read_u32(bytes, COMMAND_COUNT) > 1) {
        print_oddity("the GL commands are broken");
    }
}

/* -- MD2: triangles and GL commands ------------------------------------------------------------ */

typedef struct triangle_list {        /* three points each, from the lowest on; sorted */
    uint64_t *keys;
    uint32_t  count;
} triangle_list;

static uint64_t triangle_key(uint64_t a, uint64_t b, uint64_t c)
{
    if (a < b && a < c) return a << 32 | b << 16 | c;
    if (b < c) return b << 32 | c << 16 | a;
    return c << 32 | a << 16 | b;
}

/* Triangles with two corners in one point are lines: strips are full of them. */
static void add_triangle(triangle_list *list, const md2_model *model, uint32_t a, uint32_t b,
                         uint32_t c)
{
    a = model->vertices[a].point;
    b = model->vertices[b].point;
    c = model->vertices[c].point;
    if (a != b && b != c && c != a) list->keys[list->count++] = triangle_key(a, b, c);
}

static int compare_keys(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static triangle_list list_triangles(const md2_model *model, bool of_strips)
{
    uint32_t      most = of_strips ? model->strip_vertex_count : model->index_count;
    triangle_list list = { (uint64_t *)allocate(most, sizeof(uint64_t)), 0 };
    for (uint32_t i = 0; !of_strips && i < model->index_count; i += 3) {
        const uint32_t *corner = model->indices + i;
        add_triangle(&list, model, corner[0], corner[1], corner[2]);
    }
    for (uint32_t s = 0; of_strips && s < model->strip_count; ++s) {
        const md2_strip        *strip = model->strips + s;
        const md2_strip_vertex *v = model->strip_vertices + strip->first;
        for (uint32_t i = 2; i < strip->count; ++i) {
            uint32_t a = strip->fan ? 0 : i - 2 + i % 2, b = strip->fan ? i - 1 : i - 1 - i % 2;
            add_triangle(&list, model, v[a].vertex, v[b].vertex, v[i].vertex);
        }
    }
    qsort(list.keys, list.count, sizeof *list.keys, compare_keys);
    return list;
}

/* Counts the triangles of `a` that `b` lacks; *turned counts those that `b` has turned over. */
static uint32_t count_missing(triangle_list a, triangle_list b, uint32_t *turned)
{
    uint32_t missing = 0;
    for (uint32_t i = 0, k = 0; i < a.count; ++i) {
        uint64_t key = a.keys[i], other = triangle_key(key >> 32, key & 0xFFFF, key >> 16 & 0xFFFF);
        while (k < b.count && b.keys[k] < key) ++k;
        if (k < b.count && b.keys[k] == key) {
            ++k;
        } else {
            ++missing;
            *turned += bsearch(&other, b.keys, b.count, sizeof other, compare_keys) != NULL;
        }
    }
    return missing;
}

static void check_commands(const md2_model *model, triangle_list triangles)
{
    triangle_list strips = list_triangles(model, true);
    uint32_t      turned = 0, unused = 0, away = 0;
    uint32_t      missing = count_missing(triangles, strips, &turned);
    uint32_t      extra = count_missing(strips, triangles, &unused);
    for (uint32_t i = 0; i < model->strip_vertex_count; ++i) {
        const md2_strip_vertex *v = model->strip_vertices + i;
        const md2_vertex       *vertex = model->vertices + v->vertex;
        away += fabsf(v->u - vertex->u) * (float)model->skin_width > 2 ||
                fabsf(v->v - vertex->v) * (float)model->skin_height > 2;
    }
    if (missing || extra) {
        print_oddity("the GL commands lack %u triangles (%u of these are turned over) and have %u "
                     "others", missing, turned, extra);
    }
    count_oddity(away, "GL corner", "more than 2 texels off the triangles'");
    free(strips.keys);
}

static bool is_outside(float u, float v) { return u < 0 || u > 1 || v < 0 || v > 1; }

static void check_triangles(const md2_model *model)
{
    uint8_t      *used = (uint8_t *)allocate(model->point_count, 1);
    uint32_t      unused = model->point_count, outside = 0;
    triangle_list triangles = list_triangles(model, false);
    for (uint32_t i = 0; i < model->vertex_count; ++i) {
        const md2_vertex *vertex = model->vertices + i;
        outside += is_outside(vertex->u, vertex->v);
        unused -= !used[vertex->point];
        used[vertex->point] = 1;
    }
    count_oddity(model->dropped_triangles, "triangle", "with a bad index, dropped");
    count_oddity(model->index_count / 3 - triangles.count, "triangle",
                 "with two corners in one point");
    count_oddity(unused, "point", "that no triangle uses");
    count_oddity(outside, "texture coordinate", "outside 0 to 1");
    if (model->strip_count) check_commands(model, triangles);
    free(triangles.keys);
    free(used);
}

static void check_frames(const md2_model *model)
{
    uint32_t negative = 0, flat = 0, normals = 0;
    for (uint32_t i = 0; i < model->frame_count; ++i) {
        const md2_frame *frame = model->frames + i;
        const float     *scale = frame->scale;
        negative += scale[0] < 0 || scale[1] < 0 || scale[2] < 0;
        flat += scale[0] == 0 || scale[1] == 0 || scale[2] == 0;
        for (uint32_t k = 0; k < model->point_count; ++k) normals += frame->points[k].normal > 161;
    }
    count_oddity(negative, "frame", "of negative scale");
    count_oddity(flat, "frame", "of zero scale");
    count_oddity(normals, "normal", "beyond the table");
}

/* -- MD2 --------------------------------------------------------------------------------------- */

static void print_skin(const md2_model *model, uint32_t skin)
{
    char     picture[512];
    uint32_t at;
    for (at = 0; md2_skin_path(model, path, skin, at, picture, sizeof picture); ++at) {
        if (print_candidate(picture)) return;
    }
    print_oddity("skin %u is at none of the %u places where it may be", skin, at);
}

static void print_md2(const md2_model *model, size_t size)
{
    print_row("model", "%u triangles, %u points, %u vertices, %u frames, %lu bytes",
              model->index_count / 3, model->point_count, model->vertex_count, model->frame_count,
              (unsigned long)size);
    print_bounds(model->min, model->max);
    print_row("GL commands", "%u strips and fans, %u vertices", model->strip_count,
              model->strip_vertex_count);
    print_row("animations", "%u", model->anim_count);
    for (uint32_t i = 0; i < model->anim_count; ++i) {
        const md2_anim *anim = model->anims + i;
        print_row("", "%-18s %4u - %-4u %4u frame%s %6.2f s at %g fps", printable(anim->name),
                  anim->first, anim->first + anim->count - 1, anim->count,
                  anim->count == 1 ? " " : "s", md2_anim_length(anim, MD2_LOOP), (double)anim->fps);
    }
    print_row("skins", "%u for %u x %u texels", model->skin_count, model->skin_width,
              model->skin_height);
    for (uint32_t i = 0; i < model->skin_count; ++i) {
        print_row("", "\"%s\"", printable(model->skins[i].path));
        print_skin(model, i);
    }
    if (!model->skin_count) print_skin(model, 0);
}

static bool inspect_md2(void)
{
    md2_error  error;
    md2_model *model = md2_load_file(path, NULL, &error);
    size_t     size = 0;
    uint8_t   *bytes = model ? read_file(path, &size) : NULL;
    if (bytes) {
        print_md2(model, size);
        check_bytes(bytes, size, model);
        check_triangles(model);
        check_frames(model);
    } else {
        fprintf(stderr, "%s: %s (%s at byte %lu)\n", path, error.message,
                md2_result_name(error.code), (unsigned long)error.offset);
    }
    free(bytes);
    md2_free_model(model);
    return bytes != NULL;
}

/* -- MD5 mesh ---------------------------------------------------------------------------------- */

static bool print_error(const md5_error *error)
{
    fprintf(stderr, "%s: %s (%s at line %u)\n", path, error->message, md5_result_name(error->code),
            error->line);
    return false;
}

/* Exporters that append to their last file leave two in one. */
static void check_second_file(void)
{
    static const char word[] = "MD5Version";
    size_t   size = 0;
    uint32_t found = 0;
    uint8_t *text = read_file(path, &size);
    for (size_t i = 0; text && i + sizeof word <= size; ++i) {
        found += memcmp(text + i, word, sizeof word - 1) == 0;
    }
    if (found > 1) print_oddity("%u files in one: only the first is read", found);
    free(text);
}

static void print_branch(const md5_model *model, const uint32_t *weights, int32_t parent, int depth)
{
    for (int32_t i = parent + 1; depth < 100 && i < (int32_t)model->joint_count; ++i) {
        if (model->joints[i].parent != parent) continue;
        print_row("", "%5u weights  %*s%s", weights[i], depth * 2, "",
                  printable(model->joints[i].name));
        print_branch(model, weights, i, depth + 1);
    }
}

static void inspect_joints(const md5_model *model)
{
    uint32_t *weights = (uint32_t *)allocate(model->joint_count, sizeof *weights), idle = 0;
    for (uint32_t m = 0; m < model->mesh_count; ++m) {
        const md5_mesh *mesh = model->meshes + m;
        for (uint32_t i = 0; i < mesh->weight_count; ++i) ++weights[mesh->weights[i].joint];
    }
    print_row("joints", "%u", model->joint_count);
    print_branch(model, weights, -1, 0);
    for (uint32_t i = model->joint_count; i-- > 0;) {
        int32_t parent = model->joints[i].parent;
        if (!weights[i]) ++idle;
        else if (parent >= 0) weights[parent] = 1;
    }
    count_oddity(idle, "joint", "with no weight, nor any on a joint below");
    free(weights);
}

static void print_mesh(const md5_model *model, uint32_t index)
{
    const md5_mesh *mesh = model->meshes + index;
    char            picture[512];
    uint32_t        at;
    print_row(index ? "" : "meshes",
              "\"%s\" %u triangles, %u vertices, %u weights, up to %u a vertex",
              printable(mesh->shader), mesh->index_count / 3, mesh->vertex_count,
              mesh->weight_count, mesh->max_influences);
    if (!mesh->index_count) print_oddity("mesh %u has no triangles", index);
    for (at = 0; md5_texture_path(model, path, index, at, picture, sizeof picture); ++at) {
        if (print_candidate(picture)) return;
    }
    print_oddity("the texture of mesh %u is at none of the %u places where it may be", index, at);
}

typedef struct mesh_flaws {
    uint32_t sums, zeros, crowded, outside, unused_weights, unused_vertices, degenerate;
    float    least, most;             /* sums of biases */
} mesh_flaws;

/* Marks the vertices that it uses. */
static void check_triangle(const md5_mesh *mesh, const uint32_t corner[3], uint8_t *drawn,
                           mesh_flaws *flaws)
{
    bool same = false;
    for (int i = 0; i < 3; ++i) {
        const float *a = mesh->vertices[corner[i]].position;
        const float *b = mesh->vertices[corner[(i + 1) % 3]].position;
        same = same || memcmp(a, b, 3 * sizeof(float)) == 0;
        drawn[corner[i]] = 1;
    }
    flaws->degenerate += same;
}

static void check_mesh(const md5_mesh *mesh, mesh_flaws *flaws)
{
    uint8_t *drawn = (uint8_t *)allocate((size_t)mesh->vertex_count + mesh->weight_count, 1);
    uint8_t *weighs = drawn + mesh->vertex_count;
    for (uint32_t i = 0; i < mesh->index_count; i += 3) {
        check_triangle(mesh, mesh->indices + i, drawn, flaws);
    }
    for (uint32_t i = 0; i < mesh->vertex_count; ++i) {
        const md5_vertex *v = mesh->vertices + i;
        float             sum = 0;
        for (uint32_t k = 0; k < v->weight_count; ++k) {
            sum += mesh->weights[v->first_weight + k].bias;
        }
        flaws->least = fminf(flaws->least, sum);
        flaws->most = fmaxf(flaws->most, sum);
        flaws->sums += fabsf(sum - 1) > 1e-3f;
        flaws->crowded += v->weight_count > 4;
        flaws->outside += is_outside(v->u, v->v);
        flaws->unused_vertices += !drawn[i];
        memset(weighs + v->first_weight, 1, v->weight_count);
    }
    for (uint32_t i = 0; i < mesh->weight_count; ++i) {
        flaws->zeros += mesh->weights[i].bias == 0;
        flaws->unused_weights += !weighs[i];
    }
    free(drawn);
}

static bool inspect_md5mesh(const md5_model *model, const md5_error *error)
{
    mesh_flaws f = { 0, 0, 0, 0, 0, 0, 0, 1, 1 };
    if (!model) return print_error(error);
    print_bounds(model->min, model->max);
    for (uint32_t i = 0; i < model->mesh_count; ++i) print_mesh(model, i);
    inspect_joints(model);
    for (uint32_t i = 0; i < model->mesh_count; ++i) check_mesh(model->meshes + i, &f);
    if (f.sums) {
        print_oddity("%u vertices have weights that do not sum to 1: %g to %g", f.sums,
                     (double)f.least, (double)f.most);
    }
    count_oddity(f.zeros, "weight", "of zero");
    count_oddity(f.crowded, "place", "with more than 4 weights");
    count_oddity(f.unused_weights, "weight", "that no vertex uses");
    count_oddity(f.unused_vertices, "corner", "that no triangle uses");
    count_oddity(f.degenerate, "triangle", "with two corners in one place");
    count_oddity(f.outside, "texture coordinate", "outside 0 to 1");
    check_second_file();
    return true;
}

/* -- MD5 animation ----------------------------------------------------------------------------- */

/* Counts frames whose box in the file leaves out a hundredth of the model's size, or more. */
static void check_bounds(const md5_model *model, const md5_anim *anim)
{
    md5_xform *pose = (md5_xform *)allocate(model->joint_count, sizeof *pose);
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
    count_oddity(narrow, "frame", "with bounds that do not hold the model");
    free(pose);
}

static bool has_joint(const md5_anim *anim, const char *name)
{
    for (uint32_t i = 0; i < anim->joint_count; ++i) {
        if (strcmp(anim->joint_names[i], name) == 0) return true;
    }
    return false;
}

static void print_retargeting(const input *in, const md5_anim *anim)
{
    const md5_model *model = in->mesh;
    md5_error        error;
    uint32_t         missing = 0;
    md5_anim        *fitted = md5_retarget_anim(model, anim, &missing, NULL, NULL);
    md5_check_anim(model, anim, &error);
    print_oddity("does not fit %s: %s", in->path, error.message);
    print_row("retargeted", "%u of %u joints keep the bind pose", missing, model->joint_count);
    for (uint32_t i = 0; missing < model->joint_count && i < model->joint_count; ++i) {
        const char *name = model->joints[i].name;
        if (!has_joint(anim, name)) print_row("", "  %s", printable(name));
    }
    if (fitted && !missing) check_bounds(model, fitted);
    md5_free_anim(fitted);
}

/* With each mesh that it fits, else with the one that shares most joints. */
static void compare_meshes(const input *inputs, int count, const md5_anim *anim)
{
    const input *nearest = NULL;
    uint32_t     most = 0, fits = 0;
    for (const input *in = inputs; in < inputs + count; ++in) {
        uint32_t shared = 1;
        if (!in->mesh) continue;
        for (uint32_t i = 0; i < in->mesh->joint_count; ++i) {
            shared += has_joint(anim, in->mesh->joints[i].name);
        }
        nearest = shared > most ? in : nearest;
        most = shared > most ? shared : most;
        if (md5_check_anim(in->mesh, anim, NULL) != MD5_OK) continue;
        ++fits;
        print_row("fits", "%s", in->path);
        check_bounds(in->mesh, anim);
    }
    if (nearest && !fits) print_retargeting(nearest, anim);
}

static bool inspect_md5anim(const input *inputs, int count)
{
    md5_error error;
    md5_anim *anim = md5_load_anim_file(path, NULL, &error);
    uint32_t  boxless = 0;
    if (!anim) return print_error(&error);
    for (uint32_t i = 0; i < anim->frame_count; ++i) {
        const md5_bounds *box = anim->bounds + i;
        boxless += memcmp(box->min, box->max, sizeof box->min) == 0;
    }
    print_row("animation", "%u frame%s at %g a second, %.2f s, %s", anim->frame_count,
              anim->frame_count == 1 ? "" : "s", (double)anim->fps, md5_anim_length(anim, MD5_LOOP),
              anim->closed ? "closed: the last repeats the first" : "the last leads to the first");
    print_row("travel", "%.2f %.2f %.2f", (double)anim->travel[0], (double)anim->travel[1],
              (double)anim->travel[2]);
    print_row("joints", "%u, %u of them move", anim->joint_count, anim->moving_count);
    count_oddity(boxless, "frame", "without bounds");
    check_second_file();
    compare_meshes(inputs, count, anim);
    md5_free_anim(anim);
    return true;
}

/* -- All files --------------------------------------------------------------------------------- */

static bool inspect_file(const input *inputs, int count, const input *in)
{
    path = in->path;
    if (!quiet) printf("%s%s\n", in == inputs ? "" : "\n", path);
    fflush(stdout);
    if (has_suffix(path, ".md2")) return inspect_md2();
    if (has_suffix(path, ".md5anim")) return inspect_md5anim(inputs, count);
    if (has_suffix(path, ".md5mesh")) return inspect_md5mesh(in->mesh, &in->error);
    fprintf(stderr, "%s: ends with none of .md2 .md5mesh .md5anim\n", path);
    return false;
}

int main(int argc, char **argv)
{
    input *inputs = (input *)allocate((size_t)argc, sizeof *inputs);
    int    count = 0, broken = 0;
    quiet = argc > 1 && strcmp(argv[1], "--quiet") == 0;
    for (int i = quiet ? 2 : 1; i < argc; ++i) {
        input *in = inputs + count++;
        in->path = argv[i];
        if (!has_suffix(in->path, ".md5mesh")) continue;
        in->mesh = md5_load_model_file(in->path, NULL, &in->error);
    }
    if (!count) fprintf(stderr, "usage: info [--quiet] FILE...\n");
    for (int i = 0; i < count; ++i) broken += !inspect_file(inputs, count, inputs + i);
    for (int i = 0; i < count; ++i) md5_free_model(inputs[i].mesh);
    free(inputs);
    return broken || !count ? EXIT_FAILURE : EXIT_SUCCESS;
}
