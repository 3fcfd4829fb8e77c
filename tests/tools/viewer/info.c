/* info FILE...: prints what .md2, .md5mesh and .md5anim files contain, what loading repaired, and
   any problems with their remedies. Animations are compared with the meshes of the command line, or
   if it has none, with the meshes in their folder. Exits with 1 if a file does not load. Public
   domain. */
#include <ctype.h>
#include <stdarg.h>

#define MD2_IMPLEMENTATION
#include "../../../md2.h"
#define MD5_IMPLEMENTATION
#include "../../../md5.h"
#include "folder.h"
#include "heading.h"
#include "support.h"

typedef struct mesh_file {            /* a .md5mesh that loads */
    const char *path;
    md5_model  *model;
} mesh_file;

static const char *path;              /* path of the current file */

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

/* Prints text with ? in place of control characters, which a terminal would act on. */
static void print_safely(const char *text, size_t length)
{
    for (size_t i = 0; i < length; ++i) {
        bool is_control = (unsigned char)text[i] < 32 || text[i] == 127;
        putchar(is_control ? '?' : text[i]);
    }
}

/* Prints a row whose text can have any length and any characters. */
static void print_text(const char *label, const char *text)
{
    printf("  %-11s ", label);
    print_safely(text, strlen(text));
    printf("\n");
}

static const char *plural(uint32_t count)
{
    return count == 1 ? "" : "s";
}

/* Prints a row unless `count` is 0. The label "problem" is for anything that loading left
   unchanged, "repaired" for anything that loading repaired. */
static void print_count(const char *label, uint32_t count, const char *thing, const char *rest)
{
    if (count) print_row(label, "%u %s%s %s", count, thing, plural(count), rest);
}

/* Returns formatted text of any length; the caller frees it. */
static char *join(const char *format, ...)
{
    va_list values, copy;
    va_start(values, format);
    va_copy(copy, values);
    size_t size = (size_t)vsnprintf(NULL, 0, format, values) + 1;
    char  *text = malloc_or_abort(size);
    vsnprintf(text, size, format, copy);
    va_end(copy);
    va_end(values);
    return text;
}

/* Returns zeroed memory. */
static void *allocate(size_t count, size_t size)
{
    size_t bytes = count * size + 1;  /* never 0 */
    return memset(malloc_or_abort(bytes), 0, bytes);
}

/* `anim` is the animation whose first frame has this size; or NULL. */
static void print_size(const float min[3], const float max[3], const char *anim)
{
    char *frame = anim ? join(", in the first frame of %s", anim) : join("");
    print_row("size", "%.4g x %.4g x %.4g, from %.4g %.4g %.4g%s", (double)(max[0] - min[0]),
              (double)(max[1] - min[1]), (double)(max[2] - min[2]), (double)min[0], (double)min[1],
              (double)min[2], frame);
    free(frame);
}

/* -- Heading ----------------------------------------------------------------------------------- */

static void print_facing(double x, double y)
{
    static const char *const axes[] = { "X", "Y", "-X", "-Y" };
    heading h = { x, y, 0 };
    int     quarters = quarter_turns(h);
    if (quarters == 0) {
        print_row("faces", "X, the usual direction");
    } else if (quarters > 0) {
        int degrees = 360 - 90 * quarters;
        print_row("problem",
                  "faces %s instead of X: rotate it by %d degrees, or convert it with mdconvert --turn %d",
                  axes[quarters], degrees, degrees);
    }
}

/* -- Pictures ---------------------------------------------------------------------------------- */

/* Returns true if the file exists. md2_find_skin and md5_find_texture call this for each
   candidate. */
static bool file_exists(void *user, const char *picture)
{
    (void)user;
    FILE *file = fopen(picture, "rb");
    bool  found = file != NULL;
    if (file) fclose(file);
    return found;
}

/* Prints the row of a listed picture. `picture` is the path that the library finds for it, or NULL;
   `times` is how often the model lists it. Returns false if no picture is found, not even under
   another name in the model's folder. */
static bool print_picture(const char *label, const char *listed, uint32_t times,
                          const char *picture)
{
    char        beside[MAX_PATH_LENGTH];
    bool        is_beside = !picture && find_picture_beside(path, listed, beside);
    char       *often = times > 1 ? join(", listed %u times", times) : join("");
    const char *name = picture ? file_name(picture) : file_name(beside);

    char *named = *listed ? join("\"%s\"%s", listed, often) : join("no name is listed");

    char *line;
    if (picture) line = join(*listed ? "%s is %s" : "%s, %s is used", named, name);
    else if (is_beside) line = join("%s is not found, %s is used", named, name);
    else line = join("%s", named);
    print_text(label, line);
    free(line);
    free(named);
    free(often);
    return picture || is_beside;
}

/* Prints one row about all missing pictures. */
static void print_missing(uint32_t missing)
{
    if (missing) {
        print_row("problem", "no picture is found: put one into the model's folder");
    }
}

static const char *skin_label(uint32_t index)
{
    return index == 0 ? "skins" : "";
}

static const char *skin_name(const md2_model *model, uint32_t index)
{
    return index < model->skin_count ? model->skins[index].path : "";
}

/* Returns how often the skin at `index` is listed, or 0 if it is also listed at a lower index. */
static uint32_t count_listings(const md2_model *model, uint32_t index)
{
    uint32_t times = 0;
    for (uint32_t i = 0; i < model->skin_count; ++i) {
        if (strcmp(skin_name(model, i), skin_name(model, index)) != 0) continue;
        if (i < index) return 0;
        ++times;
    }
    return times;
}

static void print_skins(const md2_model *model)
{
    /* A picture may be found even if the model lists none. */
    uint32_t count = model->skin_count > 0 ? model->skin_count : 1, missing = 0;
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t times = count_listings(model, i);
        if (model->skin_count > 0 && times == 0) continue;

        char picture[MAX_PATH_LENGTH];
        bool found = md2_find_skin(model, path, i, file_exists, NULL, picture, sizeof picture);
        found = print_picture(skin_label(i), skin_name(model, i), times, found ? picture : NULL);
        if (!found) ++missing;
    }
    print_missing(missing);
}

static void print_textures(const md5_model *model)
{
    uint32_t missing = 0;
    for (uint32_t i = 0; i < model->mesh_count; ++i) {
        char picture[MAX_PATH_LENGTH];
        bool found = md5_find_texture(model, path, i, file_exists, NULL, picture, sizeof picture);
        found = print_picture(skin_label(i), model->meshes[i].shader, 1, found ? picture : NULL);
        if (!found) ++missing;
    }
    print_missing(missing);
}

/* -- Motion ------------------------------------------------------------------------------------ */

/* The movement in an animation. Each distance is measured at the point that moves farthest. To add
   a frame, write its points into `now` and call add_frame. */
typedef struct motion {
    uint32_t frame_count, point_count;
    float   *first, *previous, *now;  /* positions in three frames: [point_count] of three floats */
    double   most;                    /* largest distance from the first frame to any frame */
    double   gap;                     /* distance from the first frame to the last */
    uint32_t most_point, gap_point;   /* the points at these distances */
    double   path_length;             /* sum of the distances from frame to frame */
} motion;

static motion begin_motion(uint32_t point_count)
{
    motion m = { .point_count = point_count };
    m.first = allocate(point_count, 3 * sizeof(float));
    m.previous = allocate(point_count, 3 * sizeof(float));
    m.now = allocate(point_count, 3 * sizeof(float));
    return m;
}

static void free_motion(motion *m)
{
    free(m->first);
    free(m->previous);
    free(m->now);
}

/* Returns the largest distance between a point in `a` and the same point in `b`. Computes in double
   because a file may have points 1e30 apart. */
static double find_largest_movement(const float *a, const float *b, uint32_t count, uint32_t *point)
{
    double most = 0;
    *point = 0;
    for (uint32_t i = 0; i < count; ++i, a += 3, b += 3) {
        double x = (double)a[0] - (double)b[0];
        double y = (double)a[1] - (double)b[1];
        double z = (double)a[2] - (double)b[2];
        double square = x * x + y * y + z * z;
        if (!(square > most)) continue;
        most = square;
        *point = i;
    }
    return sqrt(most);
}

static void add_frame(motion *m)
{
    bool is_first = m->frame_count++ == 0;
    if (is_first) {
        memcpy(m->first, m->now, 3 * sizeof(float) * m->point_count);
    } else {
        uint32_t any;
        m->gap = find_largest_movement(m->now, m->first, m->point_count, &m->gap_point);
        if (m->gap > m->most) {
            m->most = m->gap;
            m->most_point = m->gap_point;
        }
        m->path_length += find_largest_movement(m->now, m->previous, m->point_count, &any);
    }

    float *last = m->previous;
    m->previous = m->now;
    m->now = last;
}

/* Returns true if the step from the last frame back to the first is at most two average steps. */
static bool is_loop(const motion *m)
{
    return m->gap * m->frame_count <= 2 * m->path_length;
}

/* Returns the point whose movement print_motion prints. */
static uint32_t printed_point(const motion *m)
{
    return is_loop(m) ? m->most_point : m->gap_point;
}

/* Prints the row of an animation after all of its frames were added to `m`. `point` is the name of
   printed_point. */
static void print_motion(const char *name, const char *range, double seconds, const motion *m,
                         const char *point)
{
    char end[128] = "no movement";
    if (!is_loop(m)) {
        snprintf(end, sizeof end, "ends %.3g units from its start (%s)", m->gap, point);
    } else if (m->most > 0) {
        snprintf(end, sizeof end, "loops; largest movement of a point: %.3g units (%s)", m->most, point);
    }

    int length = (int)strlen(name), columns = length < 19 ? 19 : length;
    printf("    ");
    print_safely(name, (size_t)length);
    printf("%*s %-8s", columns - length, "", range);
    printf("%3u frame%s %5.3g s  %s\n", m->frame_count, m->frame_count == 1 ? " " : "s", seconds, end);
}

/* -- MD2 --------------------------------------------------------------------------------------- */

/* Prints the direction a player model faces. Prints nothing if the model has no run or walk, or if
   the paths of the points of its legs disagree. */
static void print_md2_facing(const md2_model *model)
{
    const md2_anim *run = md2_find_anim(model, "run");
    if (!run) run = md2_find_anim(model, "walk");
    if (!run || is_weapon(path)) return;

    size_t size = 3 * (size_t)model->vertex_count;
    float *frames = allocate(run->count, size * sizeof *frames);
    for (uint32_t i = 0; i < run->count; ++i) {
        md2_pose pose = md2_pose_between(run->first + i, 0, 0);
        md2_pose_vertices(model, &pose, frames + i * size, 0, NULL, 0);
    }
    heading h = find_heading(frames, run->count, model->vertex_count);
    free(frames);
    if (h.leg_ratio > 2) print_facing(h.x, h.y);
}

/* Returns true if texture coordinates are beyond the edges of the picture. */
static bool is_outside(float u, float v)
{
    return u < 0 || u > 1 || v < 0 || v > 1;
}

static void print_anim(const md2_model *model, const md2_anim *anim)
{
    motion m = begin_motion(model->vertex_count);
    for (uint32_t i = 0; i < anim->count; ++i) {
        md2_pose pose = md2_pose_between(anim->first + i, 0, 0);
        md2_pose_vertices(model, &pose, m.now, 0, NULL, 0);
        add_frame(&m);
    }

    char range[32], point[32];
    snprintf(range, sizeof range, "%u-%u", anim->first, anim->first + anim->count - 1);
    uint32_t shown = model->vertex_count > 0 ? model->vertices[printed_point(&m)].point : 0;
    snprintf(point, sizeof point, "point %u", shown);
    print_motion(anim->name, range, md2_anim_length(anim, MD2_LOOP), &m, point);
    free_motion(&m);
}

/* Returns the animations that one rule finds: MD2_FRAME_NAMES or MD2_QUAKE2_ANIMS. The caller frees
   them. */
static md2_anim *split_anims_by(const md2_model *model, uint32_t rule, uint32_t *count)
{
    const char **names = allocate(model->frame_count, sizeof *names);
    for (uint32_t i = 0; i < model->frame_count; ++i) names[i] = model->frames[i].name;

    md2_options options = { .flags = rule };
    md2_anim   *anims = allocate(model->frame_count, sizeof *anims);
    *count = md2_split_frame_names(names, model->frame_count, &options, anims, model->frame_count);
    free(names);
    return anims;
}

static bool is_split_by(const md2_model *model, uint32_t rule)
{
    uint32_t  count;
    md2_anim *anims = split_anims_by(model, rule, &count);
    bool      same = count == model->anim_count;
    for (uint32_t i = 0; same && i < count; ++i) {
        const md2_anim *a = &anims[i], *b = &model->anims[i];
        same = a->first == b->first && a->count == b->count && strcmp(a->name, b->name) == 0;
    }
    free(anims);
    return same;
}

static bool is_anim_start(const md2_model *model, uint32_t frame)
{
    for (uint32_t i = 0; i < model->anim_count; ++i) {
        if (model->anims[i].first == frame) return true;
    }
    return false;
}

/* Returns true if the frame names contradict Quake II's table: most of the animations that the
   names describe begin inside an animation of the model. Animations of a single frame do not
   count. */
static bool has_contradicting_names(const md2_model *model)
{
    uint32_t  count, here = 0, elsewhere = 0;
    md2_anim *anims = split_anims_by(model, MD2_FRAME_NAMES, &count);
    for (uint32_t i = 1; i < count; ++i) {
        if (anims[i - 1].count == 1 || anims[i].count == 1) continue;
        if (is_anim_start(model, anims[i].first)) ++here;
        else ++elsewhere;
    }
    free(anims);
    return elsewhere > here;
}

static const char *naming_rule(const md2_model *model)
{
    bool by_frames = is_split_by(model, MD2_FRAME_NAMES);
    bool by_table = is_split_by(model, MD2_QUAKE2_ANIMS);
    if (by_frames && by_table) return "split by frame names, which match Quake II's table";
    if (by_frames) return "split by frame names";
    return by_table ? "split by Quake II's player table" : "split by frame names and Quake II's player table";
}

static void print_md2(const md2_model *model)
{
    print_row("MD2", "%u triangle%s, %u point%s, %u frame%s, skins of %u x %u texels",
              model->index_count / 3, plural(model->index_count / 3), model->point_count,
              plural(model->point_count), model->frame_count, plural(model->frame_count),
              model->skin_width, model->skin_height);
    print_size(model->min, model->max, NULL);
    print_md2_facing(model);
    print_skins(model);

    double fps = model->anim_count > 0 ? (double)model->anims[0].fps : 0;
    print_row("animations", "%u at %g frames per second, %s", model->anim_count, fps, naming_rule(model));
    for (uint32_t i = 0; i < model->anim_count; ++i) print_anim(model, &model->anims[i]);
}

/* The meaning of bit 0, bit 1, ... of md2_model.defects. */
static const struct { const char *label, *text; } md2_defects[] = {
    { "repaired", "normals pointed inward: reversed" },
    { "repaired", "normals did not match the faces: computed from the faces" },
    { "problem", "faces are inside out: reverse them, or load with MD2_KEEP_WINDING" },
    { "repaired", "triangles with an invalid texture coordinate: they use the last one" },
    { "repaired", "invalid GL commands: there are no strips, draw the triangles" },
};

static void print_md2_defects(const md2_model *model)
{
    for (int bit = 0; bit < COUNT(md2_defects); ++bit) {
        bool is_set = model->defects >> bit & 1;
        if (is_set) print_row(md2_defects[bit].label, "%s", md2_defects[bit].text);
    }

    /* Quake II's table has 162 normals. */
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

    if (has_contradicting_names(model)) {
        print_row("problem", "frame names contradict Quake II's table: try MD2_FRAME_NAMES");
    }
    print_count("repaired", normals, "normal", "outside Quake II's table: set to straight up");
    print_count("repaired", model->dropped_triangles, "triangle", "with an invalid index: dropped");
    print_count("problem", outside, "texture coordinate", "outside 0 to 1: let the skin repeat");
}

/* Reports a weapon that ends before the frames of the deaths. Many do, because Quake II does not
   draw the weapons of dead players. */
static void check_weapon(const md2_model *model)
{
    if (!is_weapon(path) || !md2_find_anim(model, "run")) return;

    bool has_death = false;
    for (uint32_t i = 0; i < model->anim_count; ++i) {
        if (contains_text(model->anims[i].name, "death")) has_death = true;
    }
    if (!has_death) print_row("problem", "a weapon without death frames: do not draw it for dead players");
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
    check_weapon(model);
    md2_free_model(model);
    return true;
}

/* -- MD5: meshes and animations ---------------------------------------------------------------- */

static void print_error(const md5_error *error)
{
    fprintf(stderr, "%s: %s (%s at line %u)\n", path, error->message, md5_result_name(error->code),
            error->line);
}

/* Returns how often the file contains "MD5Version", the first word of an MD5 file, before its last
   byte. */
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
    if (defects & MD5_NO_VERSION) print_row("repaired", "the line \"MD5Version 10\" is missing: read without it");
    if (defects & MD5_NO_WEIGHTS) print_row("problem", "vertices without weights: placed at joint 0");
    if (defects & MD5_UNUSED_SCALES) {
        print_row("problem", "the .md5scale names joints, frames or keys that do not exist");
    }

    /* Some exporters append to an existing file, which leaves two files in one. */
    uint32_t files = count_versions();
    if (files > 1) print_row("problem", "%u files in one: only the first is read", files);
}

static uint32_t count_vertices(const md5_model *model)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < model->mesh_count; ++i) count += model->meshes[i].vertex_count;
    return count;
}

static void write_vertices(const md5_model *model, const md5_xform *pose, float *points)
{
    for (uint32_t i = 0; i < model->mesh_count; ++i) {
        md5_pose_vertices(model, i, pose, points, 0, NULL, 0, NULL, 0);
        points += 3 * (size_t)model->meshes[i].vertex_count;
    }
}

/* Writes two points for each joint: the ends of two of its axes, each a unit long. If the joint
   moves or rotates, at least one of them moves. */
static void write_axes(const md5_xform *pose, uint32_t joint_count, float *points)
{
    for (uint32_t i = 0; i < joint_count; ++i) {
        float m[16];
        md5_pose_matrix(&pose[i], m);
        for (int axis = 0; axis < 2; ++axis) {
            for (int k = 0; k < 3; ++k) *points++ = m[12 + k] + m[4 * axis + k];
        }
    }
}

/* Writes the name of a point, given its index in the array of write_vertices or write_axes. */
static void name_point(const md5_model *model, uint32_t vertex_count, uint32_t point, char text[64])
{
    uint32_t mesh = 0;
    if (vertex_count == 0) {
        snprintf(text, 64, "joint %u", point / 2);
        return;
    }
    for (; point >= model->meshes[mesh].vertex_count; ++mesh) point -= model->meshes[mesh].vertex_count;
    snprintf(text, 64, "vertex %u of mesh %u", point, mesh);
}

/* Writes the local transforms of a frame. */
static void get_frame(const md5_anim *anim, uint32_t frame, md5_xform *local)
{
    const md5_xform *moving = anim->frames + (size_t)frame * anim->moving_count;
    for (uint32_t i = 0; i < anim->joint_count; ++i) {
        uint32_t slot = anim->slots[i];
        local[i] = slot < anim->moving_count ? moving[slot] : anim->still[slot - anim->moving_count];
    }
}

/* Prints the motion of the vertices, or of the joints if there are no vertices. Without a model,
   the joints move relative to their parents. */
static void print_md5_motion(const md5_model *model, const md5_anim *anim)
{
    uint32_t   vertex_count = model ? count_vertices(model) : 0;
    motion     m = begin_motion(vertex_count > 0 ? vertex_count : 2 * anim->joint_count);
    md5_xform *pose = allocate(anim->joint_count, sizeof *pose);
    for (uint32_t i = 0; i < anim->frame_count; ++i) {
        get_frame(anim, i, pose);
        if (model) md5_pose_to_model_space(model, pose, pose);
        if (vertex_count > 0) write_vertices(model, pose, m.now);
        else write_axes(pose, anim->joint_count, m.now);
        add_frame(&m);
    }

    char point[64];
    name_point(model, vertex_count, printed_point(&m), point);
    print_motion(anim->name, "", md5_anim_length(anim, MD5_LOOP), &m, point);
    free(pose);
    free_motion(&m);
}

/* Reports an animation that is far away from its mesh. Because characters also crouch and lean, it
   must begin at least a third of the mesh's size below the mesh, or its whole size to the side. */
static void check_position(const md5_model *model, const md5_anim *anim)
{
    float      min[3], max[3];
    md5_xform *pose = allocate(model->joint_count, sizeof *pose);
    get_frame(anim, 0, pose);
    md5_pose_to_model_space(model, pose, pose);
    md5_pose_bounds(model, pose, min, max);
    free(pose);

    double size = 0, aside = 0, below = (double)model->min[2] - (double)min[2];
    for (int axis = 0; axis < 3; ++axis) {
        double middle = 0.5 * ((double)min[axis] + (double)max[axis]);
        double usual = 0.5 * ((double)model->min[axis] + (double)model->max[axis]);
        if (axis < 2) aside = fmax(aside, fabs(middle - usual));
        size = fmax(size, (double)model->max[axis] - (double)model->min[axis]);
    }

    bool   is_below = below > size / 3;
    double distance = is_below ? below : aside;
    if (!is_below && aside <= size) return;

    char *line = join("%s begins %.3g units %s its mesh: draw it that much %s", anim->name, distance,
                      is_below ? "below" : "away from", is_below ? "higher" : "nearer");
    print_text("problem", line);
    free(line);
}

/* -- MD5 mesh ---------------------------------------------------------------------------------- */

static void print_anims_beside(const md5_model *model)
{
    folder f = list_beside(path);
    bool   has_any = false;
    for (int i = 0; i < f.count; ++i) {
        if (!has_suffix(f.paths[i], ".md5anim")) continue;

        md5_anim *anim = md5_load_anim_file(f.paths[i], NULL, NULL);
        bool      fits = anim && md5_check_anim(model, anim, NULL) == MD5_OK;
        if (fits) {
            if (!has_any) print_row("animations", "for this skeleton, in the same folder");
            print_md5_motion(model, anim);
            check_position(model, anim);
            has_any = true;
        }
        md5_free_anim(anim);
    }
    free_folder(&f);
    if (!has_any) print_row("animations", "none for this skeleton in the same folder");
}

/* -- Joints ------------------------------------------------------------------------------------ */

/* The joints as a tree. */
typedef struct joint_node {
    int32_t  first_child, next_sibling; /* -1 if there is none */
    uint32_t depth;                   /* indentation of the joint's row */
    bool     is_only_child;
} joint_node;

/* Builds the tree from the last joint to the first, so that each list of children has the order of
   the file. *first_root is the first joint of a walk through the tree. */
static joint_node *build_tree(const md5_model *model, int32_t *first_root)
{
    uint32_t    count = model->joint_count;
    joint_node *nodes = allocate(count, sizeof *nodes);
    for (uint32_t i = 0; i < count; ++i) nodes[i].first_child = -1;

    *first_root = -1;
    for (uint32_t i = count; i-- > 0;) {
        int32_t  parent = model->joints[i].parent;
        int32_t *first = parent < 0 ? first_root : &nodes[parent].first_child;
        nodes[i].next_sibling = *first;
        *first = (int32_t)i;
    }

    for (uint32_t i = 0; i < count; ++i) {
        int32_t parent = model->joints[i].parent;
        if (parent < 0) continue;
        nodes[i].is_only_child = nodes[parent].first_child == (int32_t)i && nodes[i].next_sibling < 0;
        nodes[i].depth = nodes[parent].depth + !nodes[i].is_only_child;
    }
    return nodes;
}

/* Returns the next joint of a walk in which parents come before their children; -1 after the
   last. */
static int32_t next_joint(const md5_model *model, const joint_node *nodes, int32_t joint)
{
    if (nodes[joint].first_child >= 0) return nodes[joint].first_child;
    while (joint >= 0 && nodes[joint].next_sibling < 0) joint = model->joints[joint].parent;
    return joint >= 0 ? nodes[joint].next_sibling : -1;
}

/* Prints the tree. A row has a joint and its child, grandchild and so on, while each is an only
   child. */
static void print_joints(const md5_model *model)
{
    int32_t     first;
    joint_node *nodes = build_tree(model, &first);
    print_row("joints", "%u", model->joint_count);
    for (int32_t i = first; i >= 0; i = next_joint(model, nodes, i)) {
        const char *name = model->joints[i].name;
        if (nodes[i].is_only_child) printf(" > ");
        else printf("%s%*s", i == first ? "" : "\n", 4 + 2 * (int)nodes[i].depth, "");
        print_safely(name, strlen(name));
    }
    if (first >= 0) printf("\n");
    free(nodes);
}

typedef struct mesh_flaws {
    uint32_t not_one;                 /* number of vertices whose biases do not sum to 1 */
    float    least, most;             /* range of these sums */
    uint32_t outside;                 /* number of texture coordinates outside 0 to 1 */
    double   volume, hull;            /* signed volume, and the volume if all faces pointed outward */
    double   opening[3];              /* sum of the faces' normals; 0 for a closed shape */
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

/* Computes the normal of a face. Its length is twice the area of the face. */
static void face_normal(double corners[3][3], double normal[3])
{
    for (int i = 0; i < 3; ++i) {
        int    j = (i + 1) % 3, k = (i + 2) % 3;
        double along_j = corners[1][j] - corners[0][j], along_k = corners[1][k] - corners[0][k];
        normal[i] = along_j * (corners[2][k] - corners[0][k]) -
                    along_k * (corners[2][j] - corners[0][j]);
    }
}

/* Adds the volumes and normals of a mesh's faces in the bind pose. The origin is the model's
   center. */
static void measure_faces(const md5_model *model, const md5_mesh *mesh, mesh_flaws *flaws)
{
    for (uint32_t face = 0; face < mesh->index_count; face += 3) {
        double corners[3][3];
        for (uint32_t k = 0; k < 3; ++k) {
            const md5_vertex *vertex = &mesh->vertices[mesh->indices[face + k]];
            for (int axis = 0; axis < 3; ++axis) {
                double middle = 0.5 * (double)(model->min[axis] + model->max[axis]);
                corners[k][axis] = (double)vertex->position[axis] - middle;
            }
        }

        /* This is six times the volume of the tetrahedron between the face and the origin; it is
           negative if the face points toward the origin. */
        double normal[3], volume = 0;
        face_normal(corners, normal);
        for (int axis = 0; axis < 3; ++axis) {
            volume += normal[axis] * corners[0][axis];
            flaws->opening[axis] += normal[axis];
        }
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
        print_row("problem", "weights of %u vertices sum to %.3g..%.3g, not 1: normalize them",
                  f.not_one, (double)f.least, (double)f.most);
    }
    print_count("problem", f.outside, "texture coordinate", "outside 0 to 1: let the texture repeat");

    /* The center of an open mesh can be on either side of its faces, so the mesh counts as inside
       out only if it is inside out for every origin within the bounds. md2.h has the same limit. */
    double doubt = 0;
    for (int axis = 0; axis < 3; ++axis) {
        doubt += 0.5 * (double)(model->max[axis] - model->min[axis]) * fabs(f.opening[axis]);
    }
    bool is_inside_out = f.volume < -0.09 * f.hull - doubt;
    if (is_inside_out) {
        print_row("problem", "faces are inside out: reverse them, or load with MD5_KEEP_WINDING");
    }
    check_text(model->defects);
}

/* Finds the counterpart of a left joint: "hand_r" for "hand_l", "Rhand" for "Lhand", "right_hand"
   for "left_hand". Returns -1 if there is none. */
static int find_right(const md5_model *model, const char *left)
{
    char *right = join("%s ", left);  /* "right" has one letter more */
    int   joint = -1;
    for (size_t i = 0; left[i] && joint < 0; ++i) {
        if (left[i] != 'l' && left[i] != 'L') continue;
        strcpy(right, left);
        right[i] = left[i] == 'l' ? 'r' : 'R';
        joint = md5_find_joint(model, right);

        bool is_word = tolower(left[i + 1]) == 'e' && tolower(left[i + 2]) == 'f' && tolower(left[i + 3]) == 't';
        if (joint >= 0 || !is_word) continue;
        sprintf(right, "%.*sright%s", (int)i, left, left + i + 4);
        joint = md5_find_joint(model, right);
    }
    free(right);
    return joint;
}

/* Prints the direction a mesh faces: 90 degrees to the right of the direction from its right joints
   to its left joints. Prints nothing if there are fewer than two pairs of joints, or if the pairs
   disagree. */
static void print_md5_facing(const md5_model *model)
{
    double   x = 0, y = 0, all = 0;
    uint32_t pairs = 0;
    for (uint32_t i = 0; i < model->joint_count; ++i) {
        int right = find_right(model, model->joints[i].name);
        if (right < 0) continue;
        const float *a = model->joints[i].bind.position, *b = model->joints[right].bind.position;
        double       apart[3];
        for (int k = 0; k < 3; ++k) apart[k] = (double)a[k] - (double)b[k];
        x += apart[1];
        y -= apart[0];
        all += sqrt(apart[0] * apart[0] + apart[1] * apart[1] + apart[2] * apart[2]);
        ++pairs;
    }
    if (pairs > 1 && sqrt(x * x + y * y) > 0.9 * all) print_facing(x, y);
}

/* Returns the animation "stand" in the folder of the mesh, or else the first animation that fits the
   mesh, or NULL. */
static md5_anim *load_standing_anim(const md5_model *model)
{
    folder    f = list_beside(path);
    md5_anim *best = NULL;
    for (int i = 0; i < f.count; ++i) {
        if (!has_suffix(f.paths[i], ".md5anim")) continue;

        md5_anim *anim = md5_load_anim_file(f.paths[i], NULL, NULL);
        bool      fits = anim && md5_check_anim(model, anim, NULL) == MD5_OK;
        bool      is_better = fits && (!best || strcmp(anim->name, "stand") == 0);
        if (is_better) {
            md5_free_anim(best);
            best = anim;
        } else {
            md5_free_anim(anim);
        }
    }
    free_folder(&f);
    return best;
}

/* Prints the size of the model in the first frame of "stand". In the bind pose, most characters have
   their arms spread. */
static void print_md5_size(const md5_model *model)
{
    md5_anim *anim = load_standing_anim(model);
    if (!anim) {
        print_size(model->min, model->max, NULL);
        return;
    }

    float      min[3], max[3];
    md5_xform *pose = allocate(model->joint_count, sizeof *pose);
    get_frame(anim, 0, pose);
    md5_pose_to_model_space(model, pose, pose);
    md5_pose_bounds(model, pose, min, max);
    print_size(min, max, anim->name);
    free(pose);
    md5_free_anim(anim);
}

static void print_md5mesh(const md5_model *model)
{
    uint32_t triangles = 0, vertices = 0;
    uint32_t most_weights = 0;        /* per vertex */
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
    print_row("weights", "at most %u per vertex", most_weights);
    print_md5_size(model);
    print_md5_facing(model);

    print_textures(model);
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
    print_joints(model);
    print_anims_beside(model);
    check_md5mesh(model);
    md5_free_model(model);
    return true;
}

/* -- MD5 animation ----------------------------------------------------------------------------- */

/* Returns true if the model extends beyond the file's box of a frame by more than a hundredth of
   its size. */
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

/* Returns the number of frames whose box is empty. Exporters that compute no bounds write zeros. */
static uint32_t count_frames_without_bounds(const md5_anim *anim)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < anim->frame_count; ++i) {
        const md5_bounds *box = &anim->bounds[i];
        if (memcmp(box->min, box->max, sizeof box->min) == 0) ++count;
    }
    return count;
}

/* Reports frames whose bounds are too small. If some frames have no bounds, print_md5anim reports
   only that. */
static void check_bounds(const md5_model *model, const md5_anim *anim)
{
    if (count_frames_without_bounds(anim) > 0) return;

    md5_xform *pose = allocate(model->joint_count, sizeof *pose);
    uint32_t   too_small = 0;
    for (uint32_t i = 0; i < anim->frame_count; ++i) {
        get_frame(anim, i, pose);
        md5_pose_to_model_space(model, pose, pose);

        float min[3], max[3];
        md5_pose_bounds(model, pose, min, max);
        if (is_too_small(&anim->bounds[i], min, max)) ++too_small;
    }
    print_count("problem", too_small, "frame", "with bounds that are too small: do not cull with them");
    free(pose);
}

/* Prints why an animation does not fit a mesh, and how many joints retargeting cannot animate. */
static void print_retargeting(const mesh_file *file, const md5_anim *anim)
{
    md5_error error;
    md5_check_anim(file->model, anim, &error);
    char *line = join("does not fit %s: %s", file->path, error.message);
    print_text("problem", line);
    free(line);

    uint32_t  missing = 0;
    md5_anim *fitted = md5_retarget_anim(file->model, NULL, anim, &missing, NULL, NULL);
    print_row("retargeted", "%u of %u joints would keep the bind pose", missing,
              file->model->joint_count);
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

/* Prints which mesh an animation fits, and how many joints match only by number. */
static void print_fit(const mesh_file *file, const md5_anim *anim)
{
    print_text("fits", file->path);

    uint32_t renamed = 0;
    for (uint32_t i = 0; i < anim->joint_count; ++i) {
        if (strcmp(anim->joint_names[i], file->model->joints[i].name) != 0) ++renamed;
    }
    print_count("problem", renamed, "joint", "with a different name in the mesh: joints are matched by number");
}

/* Compares an animation with a mesh: the one that shares the most joint names with it among the
   meshes that it fits, or among all meshes if it fits none. Of equal meshes, takes the first. */
static void compare_meshes(const mesh_file *files, int count, const md5_anim *anim)
{
    const mesh_file *nearest = NULL;
    bool             nearest_fits = false;
    uint32_t         most_shared = 0;
    for (const mesh_file *file = files; file < files + count; ++file) {
        bool     fits = md5_check_anim(file->model, anim, NULL) == MD5_OK;
        uint32_t shared = count_shared_joints(file->model, anim);
        bool     is_nearer = fits == nearest_fits ? shared > most_shared : fits;
        if (!nearest || is_nearer) {
            nearest = file;
            nearest_fits = fits;
            most_shared = shared;
        }
    }

    print_md5_motion(nearest_fits ? nearest->model : NULL, anim);
    if (nearest_fits) {
        print_fit(nearest, anim);
        check_position(nearest->model, anim);
        check_bounds(nearest->model, anim);
    } else if (nearest) {
        print_retargeting(nearest, anim);
    }
}

/* Prints how far joint 0 moves in one loop, and its rotation if there is one. */
static void print_root_motion(const md5_anim *anim)
{
    double    length = md5_anim_length(anim, MD5_LOOP);
    md5_xform travel, turn;
    md5_anim_motion(anim, MD5_LOOP, MD5_TRAVEL, 0, length, &travel);
    print_row("root motion", "%.4g %.4g %.4g in one loop", (double)travel.position[0],
              (double)travel.position[1], (double)travel.position[2]);

    md5_anim_motion(anim, MD5_LOOP, MD5_TURN, 0, length, &turn);
    double degrees = 2 * atan2((double)turn.rotation[2], (double)turn.rotation[3]) * 57.29578;
    if (fabs(degrees) > 0.5) print_row("rotation", "%.4g degrees in one loop", degrees);
}

static void print_md5anim(const md5_anim *anim)
{
    print_row("MD5 anim", "%u joint%s, %u frame%s at %g per second", anim->joint_count,
              plural(anim->joint_count), anim->frame_count, plural(anim->frame_count),
              (double)anim->fps);
    print_root_motion(anim);
    print_row("loop", "%s", anim->closed ? "closed: the last frame repeats the first"
                                         : "open: the last frame continues with the first");

    print_count("problem", count_frames_without_bounds(anim), "frame", "without bounds: md5_pose_bounds computes them");
    check_text(anim->defects);
}

/* Loads the .md5mesh files among the paths and leaves out those that fail to load. */
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

/* Prints a report on an animation. `files` are the meshes of the command line. */
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

/* Prints a report on a file. Returns false, with a line on stderr, if the file does not load. */
static bool inspect_file(const mesh_file *meshes, int count)
{
    print_safely(path, strlen(path));
    printf("\n");
    fflush(stdout);                   /* so that an error on stderr follows the path */

    if (has_suffix(path, ".md2")) return inspect_md2();
    if (has_suffix(path, ".md5anim")) return inspect_md5anim(meshes, count);
    if (has_suffix(path, ".md5mesh")) return inspect_md5mesh();
    fprintf(stderr, "%s: the name must end with .md2, .md5mesh or .md5anim\n", path);
    return false;
}

static const char usage[] =
    "usage: info FILE... prints what .md2, .md5mesh and .md5anim files contain, and their problems\n";

int main(int argc, char **argv)
{
    if (argc == 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
        fputs(usage, stdout);
        return EXIT_SUCCESS;
    }

    int        mesh_count;
    mesh_file *meshes = load_meshes(argv, argc, &mesh_count);

    int failed_count = 0;
    for (int i = 1; i < argc; ++i) {
        path = argv[i];
        if (i > 1) printf("\n");
        if (!inspect_file(meshes, mesh_count)) ++failed_count;
    }
    free_meshes(meshes, mesh_count);

    if (argc < 2) fputs(usage, stderr);
    bool succeeded = argc > 1 && failed_count == 0;
    return succeeded ? EXIT_SUCCESS : EXIT_FAILURE;
}
