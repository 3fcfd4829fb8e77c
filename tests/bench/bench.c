/* bench CHARACTER-FOLDER BUILD-FOLDER: how fast md2.h and md5.h are, each row beside a floor (what
   the machine must do in any case) or a baseline (plain code for the same task) measured in the
   same run. With MODELS=folder, the models there too. FORMAT=markdown prints tables for a page.

   Results are compared with the baseline's before they are timed: a difference is a failure, a bar
   that is missed is none. ONLY=T6,T10 measures only these rows; "crowd" is one more. Public domain. */
#define _DEFAULT_SOURCE
#define MD2_GL
#define MD2_IMPLEMENTATION
#define MD5_GL
#define MD5_IMPLEMENTATION
#include "bench_api.h"

#include "bench_crowd.h"
#include "bench_plain.h"

#ifdef BENCH_ASSIMP
  #include <assimp/cimport.h>
  #include <assimp/scene.h>
#endif

/* -- Loading: tasks ---------------------------------------------------------------- */

static void copy_files(void)
{
    size_t i;
    for (i = 0; i < on.count; ++i) {
        unsigned char *copy = (unsigned char *)malloc_or_abort(on.files[i].size);
        memcpy(copy, on.files[i].data, on.files[i].size);
        sink = copy[on.files[i].size / 2];
        free(copy);
    }
}

static void load_md2_as(uint32_t flags)
{
    md2_options options;
    size_t      i;
    memset(&options, 0, sizeof options);
    options.flags = flags;
    for (i = 0; i < on.count; ++i) {
        on.api->free_md2(on.api->load_md2(on.files[i].data, on.files[i].size, &options, NULL));
    }
}

static void load_md2(void) { load_md2_as(0); }

static void borrow_md2(void) { load_md2_as(MD2_BORROW); }

static void expand_md2(void)
{
    size_t i;
    for (i = 0; i < on.count; ++i) {
        plain_frames frames = plain_expand(on.files[i].data);
        sink = frames.positions[0] + frames.normals[0];
        plain_free_frames(&frames);
    }
}

static void load_meshes(void)
{
    size_t i;
    for (i = 0; i < on.count; ++i) {
        on.api->free_mesh(on.api->load_mesh(on.files[i].data, on.files[i].size, NULL, NULL));
    }
}

static void load_meshes_plainly(void)
{
    size_t i;
    for (i = 0; i < on.count; ++i) {
        plain_mesh mesh = plain_load_mesh((char *)on.files[i].data);
        plain_free_mesh(&mesh);
    }
}

static void load_anims(void)
{
    size_t i;
    for (i = 0; i < on.count; ++i) {
        on.api->free_anim(on.api->load_anim(on.files[i].data, on.files[i].size, NULL, NULL, NULL));
    }
}

static void load_anims_plainly(void)
{
    size_t i;
    for (i = 0; i < on.count; ++i) {
        plain_anim anim = plain_load_anim((char *)on.files[i].data);
        plain_free_anim(&anim);
    }
}

#ifdef BENCH_ASSIMP
static void load_by_assimp(const char *kind)
{
    size_t i;
    for (i = 0; i < on.count; ++i) {
        const struct aiScene *scene = aiImportFileFromMemory(
            (const char *)on.files[i].data, (unsigned)on.files[i].size, 0, kind);
        if (scene) aiReleaseImport(scene);
    }
}

static void load_md2_by_assimp(void) { load_by_assimp("md2"); }

static void load_meshes_by_assimp(void) { load_by_assimp("md5mesh"); }
#endif

/* -- Loading: the same results as the baseline -------------------------------------- */

/* The baseline decodes the first frame to the same. */
static bool checks_md2(const bench_bytes *file)
{
    md2_model   *model = md2_load_memory(file->data, file->size, NULL, NULL);
    plain_frames frames;
    if (!model) return false;
    frames = plain_expand(file->data);
    CHECK_NEAR(frames.positions[0],
               model->frames[0].translate[0] +
                   (float)model->frames[0].points[0].x * model->frames[0].scale[0],
               1e-5 * (fabs((double)model->frames[0].max[0]) +
                       fabs((double)model->frames[0].min[0]) + 1));
    plain_free_frames(&frames);
    md2_free_model(model);
    return true;
}

/* All weights are the same, to the bit. */
static bool is_same_part(const md5_mesh *a, const plain_part *b)
{
    uint32_t i;
    bool     same = (int)a->weight_count == b->weights.count &&
                (int)a->vertex_count == b->vertices.count;
    for (i = 0; same && i < a->weight_count; ++i) {
        const plain_cell *weight = b->weights.cells + 5 * (size_t)i;
        same = memcmp(a->weights[i].position, weight + 2, 3 * sizeof(float)) == 0 &&
               memcmp(&a->weights[i].bias, weight + 1, sizeof(float)) == 0;
    }
    return same;
}

static bool reads_mesh_alike(const bench_bytes *file)
{
    md5_model *model = md5_load_model_memory(file->data, file->size, NULL, NULL);
    plain_mesh plain;
    bool       same;
    uint32_t   i;
    if (!model) return false;
    plain = plain_load_mesh((char *)file->data);
    same = (int)model->joint_count == plain.joint_count &&
           (int)model->mesh_count == plain.parts_read;
    for (i = 0; same && i < model->mesh_count; ++i) {
        same = is_same_part(&model->meshes[i], &plain.parts[i]);
    }
    plain_free_mesh(&plain);
    md5_free_model(model);
    return same;
}

static bool reads_anim_alike(const bench_bytes *file)
{
    md5_anim  *anim = md5_load_anim_memory(file->data, file->size, NULL, NULL, NULL);
    plain_anim plain;
    bool       same;
    uint32_t   frame, joint, axis;
    if (!anim) return false;
    plain = plain_load_anim((char *)file->data);
    same = (int)anim->frame_count == plain.frame_count && plain.base.cells &&
           (int)anim->joint_count == plain.joint_count;
    for (frame = 0; same && frame < anim->frame_count; ++frame) {
        for (joint = 0; joint < anim->joint_count; ++joint) {
            const plain_cell *track = &plain.tracks.cells[3 * joint];
            const plain_cell *next = &plain.components[(int)frame * plain.component_count +
                                                       track[2].i];
            const md5_xform  *got = plain_find_joint(anim, joint, frame);
            for (axis = 0; axis < 3; ++axis) {
                float want = track[1].i >> axis & 1 ? next++->f : plain.base.cells[6 * joint + axis].f;
                same = same && !(got->position[axis] < want) && !(got->position[axis] > want);
            }
        }
    }
    plain_free_anim(&plain);
    md5_free_anim(anim);
    return same;
}

/* -- Loading: rows ---------------------------------------------------------------------- */

static const row md2_rows[] = {
    { "T1", "MD2 load", "malloc, memcpy, free of the file", load_md2, copy_files, BENCH_AT_MOST,
      { 1.8, 0 }, 2 },
    { "T1", "MD2 load", "all frames to floats, unchecked", load_md2, expand_md2, BENCH_AT_LEAST,
      { 3.5, 0 }, 1 },
#ifdef BENCH_ASSIMP
    { "T1", "MD2 load", "assimp, no post-processing", load_md2, load_md2_by_assimp, BENCH_AT_LEAST,
      { 1.5, 0 }, 1 },
#endif
    { "T3", "MD2_BORROW", "malloc, memcpy, free of the file", borrow_md2, copy_files, BENCH_AT_MOST,
      { 0, 0 }, 1 },
    { "T3", "MD2_BORROW", "the load that copies", borrow_md2, load_md2, BENCH_AT_MOST, { 0.7, 0 },
      1 },
};

static const row mesh_rows[] = {
    { "T8", "md5mesh load", "tokens by strtof, no normals", load_meshes, load_meshes_plainly,
      BENCH_AT_LEAST, { 3.2, 1.6 }, 2 },
};

/* Of the models in $MODELS some crash it. */
#ifdef BENCH_ASSIMP
static const row mesh_row_of_assimp[] = {
    { "T8", "md5mesh load", "assimp, no post-processing", load_meshes, load_meshes_by_assimp,
      BENCH_AT_LEAST, { 6, 0 }, 1 },
};
#endif

static const row anim_rows[] = {
    { "T9", "md5anim load", "tokens by strtof, unchecked", load_anims, load_anims_plainly,
      BENCH_AT_LEAST, { 6, 6 }, 2 },
};

typedef struct file_kind {
    const char *name, *part, *suffix; /* part: its folder in $MODELS */
    bool (*is_good)(const bench_bytes *file);
    const row *rows;
    size_t     row_count;
} file_kind;

static const file_kind md2_files = { "MD2", "md2", ".md2", checks_md2, ROWS(md2_rows) };
static const file_kind mesh_files = { "md5mesh", "md5", ".md5mesh", reads_mesh_alike,
                                      ROWS(mesh_rows) };
static const file_kind anim_files = { "md5anim", "md5", ".md5anim", reads_anim_alike,
                                      ROWS(anim_rows) };

static void add_file(bench_bytes file)
{
    if (on.count == MOST_FILES) abort();
    on.files[on.count++] = file;
    on.bytes += file.size;
}

static void free_files(void)
{
    while (on.count) bench_free(&on.files[--on.count]);
    on.bytes = 0;
}

/* Returns the number of files that the kind leaves out. */
static size_t add_list(file_list list, const file_kind *kind)
{
    size_t i, left_out = 0;
    for (i = 0; i < list.count && on.count < MOST_FILES; ++i) {
        bench_bytes file = bench_read("", list.path[i]);
        if (kind->is_good(&file)) {
            add_file(file);
        } else {
            bench_free(&file);
            ++left_out;
        }
    }
    file_list_free(&list);
    return left_out;
}

static void memory_row(const char *subject)
{
    counting_allocator memory;
    md2_options        options;
    double             peak = 0;
    size_t             i;
    if (!is_wanted("T4")) return;
    memset(&options, 0, sizeof options);
    options.allocator.alloc = counting_alloc;
    options.allocator.release = counting_release;
    options.allocator.user = &memory;
    for (i = 0; i < on.count; ++i) {
        memset(&memory, 0, sizeof memory);
        md2_free_model(md2_load_memory(on.files[i].data, on.files[i].size, &options, NULL));
        CHECK(memory.allocations > 0 && counting_is_clean(&memory));
        peak += (double)memory.peak_bytes;
    }
    row_of_figures("T4", "MD2, most bytes in loading", subject, "bytes of the files", peak,
                   (double)on.bytes, BENCH_AT_MOST, 0);
}

/* -- OpenGL -------------------------------------------------------------------------- */

static double gpu_bytes_of(const md2_model *model)
{
    md2_gl_mesh mesh;
    md2_gl     *gl;
    size_t      bytes = 0, before;
    fake_gl_reset();
    gl = md2_gl_create(fake_gl_get_proc, NULL, NULL);
    before = fake.gpu_bytes;
    if (CHECK(gl && md2_gl_upload(gl, model, &mesh, NULL))) {
        bytes = fake.gpu_bytes - before;
        md2_gl_free_mesh(gl, &mesh);
    }
    md2_gl_destroy(gl);
    return (double)bytes;
}

static void gpu_rows(const char *subject)
{
    double bytes = 0, tutorial = 0;
    size_t i;
    if (!is_wanted("T5")) return;
    for (i = 0; i < on.count; ++i) {
        md2_model *model = md2_load_memory(on.files[i].data, on.files[i].size, NULL, NULL);
        if (model && model->index_count) {
            bytes += gpu_bytes_of(model);
            tutorial += 32.0 * model->index_count * model->frame_count;
        }
        md2_free_model(model);
    }
    row_of_figures("T5", "MD2 bytes on the GPU", subject, "bytes of the files", bytes,
                   (double)on.bytes, BENCH_AT_MOST, 1.5);
    row_of_figures("T5", "MD2 bytes on the GPU", subject, "32 bytes a corner and frame", bytes,
                   tutorial, BENCH_AT_LEAST, 12);
}

/* -- MD2: posing ------------------------------------------------------------------ */

static void lerp(void)
{
    on.api->pose_md2(on.md2, &on.md2_pose, on.positions, 0, NULL, 0);
}

static void lerp_with_normals(void)
{
    on.api->pose_md2(on.md2, &on.md2_pose, on.positions, 0, on.normals, 0);
}

static void lerp_plainly(void)
{
    plain_lerp(on.md2, on.md2_pose.frame[0], on.md2_pose.frame[1], on.md2_pose.weight[1],
               on.other_positions);
}

static void lerp_plain_normals(void)
{
    lerp_plainly();
    plain_lerp_normals(on.md2, on.md2_pose.frame[0], on.md2_pose.frame[1], on.md2_pose.weight[1],
                       on.other_normals);
}

static const row lerp_rows[] = {
    { "T6", "lerp a vertex", "Quake II's loop", lerp, lerp_plainly, BENCH_AT_LEAST, { 2.4, 1.0 },
      2 },
    { "T7", "with normals", "the loop, unit normals too", lerp_with_normals, lerp_plain_normals,
      BENCH_AT_LEAST, { 0, 0 }, 2 },
};

static void free_results(void)
{
    free(on.positions);
    free(on.normals);
    free(on.tangents);
    free(on.other_positions);
    free(on.other_normals);
    on.positions = on.normals = on.tangents = on.other_positions = on.other_normals = NULL;
}

static void measure_lerp(const char *subject, bench_bytes file)
{
    size_t floats;
    int    i;
    on.md2 = md2_load_memory(file.data, file.size, NULL, NULL);
    if (!CHECK(on.md2 != NULL && on.md2->frame_count > 1)) exit(EXIT_FAILURE);
    floats = (size_t)on.md2->vertex_count * 3;
    on.positions = zero_floats(floats);
    on.normals = zero_floats(floats);
    on.other_positions = zero_floats(floats);
    on.other_normals = zero_floats(floats);
    on.md2_pose = md2_pose_between(0, 1, 0.37f);
    for (i = 0; i < 2; ++i) {
        on.api = builds[i];
        lerp_with_normals();
        lerp_plain_normals();
        CHECK_NEAR(largest_difference(on.positions, on.other_positions, floats), 0, 1e-4);
        CHECK_NEAR(largest_difference(on.normals, on.other_normals, floats), 0, 1e-5);
    }
    measure_rows(subject, on.md2->vertex_count, ROWS(lerp_rows));
    free_results();
    md2_free_model(on.md2);
    bench_free(&file);
}

/* -- MD5: posing ---------------------------------------------------------------------- */

static void pose_to_matrices(void)
{
    uint32_t i;
    on.api->pose_at(on.anim, MD5_LOOP, 2.4 / (double)on.anim->fps, on.pose);
    on.api->to_model_space(on.md5, on.pose, on.pose);
    for (i = 0; i < on.md5->joint_count; ++i) {
        on.api->matrix(&on.pose[i], on.matrices + 16 * (size_t)i);
    }
}

static void pose_plainly(void) { plain_pose(on.anim, 2, 3, 0.4f, on.other_matrices); }

static const row pose_rows[] = {
    { "T10", "pose a joint", "plain slerp, to matrices", pose_to_matrices, pose_plainly,
      BENCH_AT_LEAST, { 2, 2 }, 2 },
};

static void check_pose(void)
{
    double   largest = 0, bound = 1;
    uint32_t i;
    pose_to_matrices();
    pose_plainly();
    for (i = 0; i < on.md5->joint_count * 12; ++i) {
        double a = (double)on.matrices[16 * (i / 12) + i % 4 * 4 + i % 12 / 4];
        double b = (double)on.other_matrices[i], difference = fabs(a - b);
        bound = fabs(b) > bound ? fabs(b) : bound;
        largest = difference > largest || difference != difference ? difference : largest;
    }
    CHECK_NEAR(largest / bound, 0, 2e-5);
}

static void measure_pose(const char *subject, bench_bytes mesh, bench_bytes anim)
{
    int i;
    load_md5(mesh);
    on.anim = md5_load_anim_memory(anim.data, anim.size, NULL, NULL, NULL);
    if (!CHECK(on.anim && on.anim->joint_count == on.md5->joint_count)) exit(EXIT_FAILURE);
    on.matrices = zero_floats(on.md5->joint_count * (size_t)16);
    on.other_matrices = zero_floats(on.md5->joint_count * (size_t)12);
    for (i = 0; i < 2; ++i) {
        on.api = builds[i];
        check_pose();
    }
    measure_rows(subject, on.md5->joint_count, ROWS(pose_rows));
    free(on.matrices);
    free(on.other_matrices);
    md5_free_anim(on.anim);
    free_md5();
    bench_free(&anim);
}

/* -- MD5: skinning -------------------------------------------------------------------- */

static void skin(void)
{
    on.api->skin(on.md5, 0, on.pose, on.positions, 0, NULL, 0, NULL, 0);
}

static void skin_with_normals(void)
{
    on.api->skin(on.md5, 0, on.pose, on.positions, 0, on.normals, 0, NULL, 0);
}

static void skin_with_tangents(void)
{
    on.api->skin(on.md5, 0, on.pose, on.positions, 0, on.normals, 0, on.tangents, 0);
}

static void skin_plainly(void) { plain_skin(&on.md5->meshes[0], on.pose, on.other_positions); }

static const row skin_rows[] = {
    { "T11", "skin a vertex", "the article's rotations", skin, skin_plainly, BENCH_AT_LEAST,
      { 8, 3.5 }, 2 },
    { "T11", "with normals", "the same rotations of positions", skin_with_normals, skin_plainly,
      BENCH_AT_LEAST, { 0, 0 }, 1 },
    { "T11", "with tangents", "the same rotations of positions", skin_with_tangents, skin_plainly,
      BENCH_AT_LEAST, { 0, 0 }, 1 },
};

static void measure_skin(const char *subject, bench_bytes mesh)
{
    size_t vertices;
    int    i;
    load_md5(mesh);
    vertices = on.md5->meshes[0].vertex_count;
    on.positions = zero_floats(vertices * 3);
    on.normals = zero_floats(vertices * 3);
    on.tangents = zero_floats(vertices * 4);
    on.other_positions = zero_floats(vertices * 3);
    for (i = 0; i < 2; ++i) {
        on.api = builds[i];
        skin();
        skin_plainly();
        CHECK_NEAR(largest_difference(on.positions, on.other_positions, vertices * 3), 0, 2e-4);
    }
    measure_rows(subject, (double)vertices, ROWS(skin_rows));
    free_results();
    free_md5();
}

/* -- The cost of compiling ------------------------------------------------------------------ */

#ifndef BENCH_CC
  #define BENCH_CC "cc"
#endif

static struct compile_command {
    char text[4096], object[1024];
} md_command, stb_command;

static void run_command(const struct compile_command *command)
{
    if (system(command->text) != 0) {
        printf("this failed: %s\n", command->text);
        exit(EXIT_FAILURE);
    }
}

static void compile_md(void) { run_command(&md_command); }

static void compile_stb(void) { run_command(&stb_command); }

static void write_command(struct compile_command *command, const char *folder, const char *name,
                          const char *source)
{
    char path[900];
    snprintf(path, sizeof path, "%s/bench_%s.c", folder, name);
    CHECK(write_file(path, source, strlen(source)));
    snprintf(command->object, sizeof command->object, "%s/bench_%s.o", folder, name);
    snprintf(command->text, sizeof command->text, "%s -std=c99 -O2 -w -I. -c -o %s %s", BENCH_CC,
             command->object, path);
}

/* Code and constants, as the program `size` prints them. */
static double text_bytes(const struct compile_command *command)
{
    char  line[1100];
    long  text = 0;
    FILE *pipe;
    snprintf(line, sizeof line, "size %s", command->object);
    pipe = popen(line, "r");
    if (!pipe) return 0;
    while (fgets(line, sizeof line, pipe)) sscanf(line, "%ld", &text);
    pclose(pipe);
    return (double)text;
}

static void cost_rows(const char *folder)
{
    static const struct { const char *name, *source; double bar; } headers[2] = {
        { "md2", "#define MD2_IMPLEMENTATION\n#include \"md2.h\"\n", 0.23 },
        { "md5", "#define MD5_IMPLEMENTATION\n#include \"md5.h\"\n", 0.47 } };
    char what[64];
    int  i;
    if (!is_wanted("T14")) return;
    bench_heading("The cost of compiling");
    write_command(&stb_command, folder, "stb",
                  "#define STB_IMAGE_IMPLEMENTATION\n#include <stb/stb_image.h>\n");
    for (i = 0; i < 2; ++i) {
        write_command(&md_command, folder, headers[i].name, headers[i].source);
        snprintf(what, sizeof what, "%s.h, compile time at -O2, without GL", headers[i].name);
        bench_row_times("T14", what, "stb_image.h",
                        bench_compare_by(bench_childrens_time, compile_md, compile_stb, 3), 1,
                        BENCH_AT_MOST, headers[i].bar);
        snprintf(what, sizeof what, "%s.h, bytes of code, without GL", headers[i].name);
        bench_row_figures("T14", what, "stb_image.h", text_bytes(&md_command),
                          text_bytes(&stb_command), BENCH_AT_MOST, headers[i].bar);
    }
}

/* -- All of it --------------------------------------------------------------------------- */

static void own_files(const char *subject, const file_kind *kind, size_t wanted)
{
    size_t i;
    CHECK_EQ(on.count, wanted);
    for (i = 0; i < on.count; ++i) CHECK(kind->is_good(&on.files[i]));
    measure_rows(subject, (double)on.count, kind->rows, kind->row_count);
}

static void own_md2_rows(const char *folder)
{
    bench_heading("MD2: loading and memory");
    add_file(bench_read(folder, "tris.md2"));
    add_file(bench_read(folder, "weapon.md2"));
    own_files("character", &md2_files, 2);
    memory_row("character");
    gpu_rows("character");
    free_files();
    add_file(bench_sheet(256, 256, 64, false));
    own_files("17 MB sheet", &md2_files, 1);
    free_files();
}

static void own_mesh_rows(const char *subject, bench_bytes file)
{
    add_file(file);
    own_files(subject, &mesh_files, 1);
#ifdef BENCH_ASSIMP
    measure_rows(subject, 1, ROWS(mesh_row_of_assimp));
#endif
    free_files();
}

static void own_md5_rows(const char *folder)
{
    bench_heading("MD5: loading and memory");
    own_mesh_rows("character", bench_read(folder, "robot.md5mesh"));
    own_mesh_rows("tubes", bench_tubes(2272, 80, 0));
    CHECK_EQ(add_list(list_files(folder, ".md5anim"), &anim_files), 0);
    own_files("character", &anim_files, 20);
    free_files();
    add_file(bench_motion(80, 60));
    own_files("tubes", &anim_files, 1);
    free_files();
}

/* The baselines read well-formed files only. */
static void foreign_rows(const file_kind *kind)
{
    size_t left_out = add_list(list_models(kind->part, kind->suffix), kind);
    char   title[64];
    if (on.count) {
        snprintf(title, sizeof title, "The %s files in $MODELS", kind->name);
        bench_heading(title);
        measure_rows("$MODELS", (double)on.count, kind->rows, kind->row_count);
        if (left_out) printf("left out: %u files\n", (unsigned)left_out);
    }
    free_files();
}

static void posing_rows(const char *folder)
{
    bench_heading("Posing, skinning, drawing");
    if (is_wanted("T6") || is_wanted("T7")) {
        measure_lerp("2048", bench_sheet(64, 32, 2, false));
        measure_lerp("character", bench_read(folder, "tris.md2"));
        measure_lerp("390,150", bench_sheet(256, 256, 2, true));
    }
    if (is_wanted("T10")) {
        measure_pose("character", bench_read(folder, "robot.md5mesh"),
                     bench_read(folder, "run.md5anim"));
        measure_pose("80 joints", bench_tubes(64, 80, 0), bench_motion(80, 8));
    }
    if (is_wanted("T11")) {
        measure_skin("character", bench_read(folder, "robot.md5mesh"));
        measure_skin("2272, 2.25 weights", bench_tubes(2272, 80, 0));
        measure_skin("50,176, 4 weights", bench_tubes(50176, 64, 4));
    }
}

#define BENCH_ROWS 63 /* without $MODELS and assimp */

int main(int argc, char **argv)
{
    const char *format = getenv("FORMAT");
    if (argc != 3) {
        fprintf(stderr, "usage: %s character-folder build-folder\n", argv[0]);
        return EXIT_FAILURE;
    }
    bench_table.markdown = format && strcmp(format, "markdown") == 0;
    on.api = &usual;
    gl_memory = (unsigned char *)zeroes(GL_MEMORY, 1);
    own_md2_rows(argv[1]);
    own_md5_rows(argv[1]);
    foreign_rows(&md2_files);
    foreign_rows(&mesh_files);
    foreign_rows(&anim_files);
    posing_rows(argv[1]);
    load_crowd(argv[1]);
    cost_rows(argv[2]);
    call_rows();
    if (is_wanted("crowd")) crowd_table();
    free_crowd();
    free(gl_memory);
    printf("\nbar: at most so many times the floor, or at least so many times faster than the "
           "other; %u of %u bars reached\n", bench_table.reached, bench_table.bars);
    CHECK_FLOOR(bench_table.rows, getenv("ONLY") ? 1 : BENCH_ROWS, "rows");
    return check_finish();
}
