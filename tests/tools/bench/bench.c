/* bench CHARACTER-FOLDER BUILD-FOLDER: measures how fast md2.h and md5.h are on the character. Each row compares a task
   with plain code for the same task, in the same run; the output is a Markdown table. To build it without SIMD, use
   CPPFLAGS='-DMD2_NO_SIMD -DMD5_NO_SIMD'.

   Before a row is timed, its results are compared with those of the plain code; a difference is a failure. With MODELS
   there are also rows for these models. ONLY='skin|pose' measures only the rows with one of these words; for the table
   of crowds, the word is "crowd". Public domain. */
#define _DEFAULT_SOURCE
#define MD2_GL
#define MD2_IMPLEMENTATION
#define MD5_GL
#define MD5_IMPLEMENTATION
#include "md2.h"
#include "md5.h"

#include "bench.h"
#include "bench_inputs.h"
#include "bench_plain.h"

#if defined(MD2_NO_SIMD)
static const char build_name[] = "plain C";
#elif defined(__SSE2__)
static const char build_name[] = "SSE2";
#elif defined(__aarch64__)
static const char build_name[] = "NEON";
#else
static const char build_name[] = "as built";
#endif

enum { MAX_FILES = 512, MAX_FLOATS = 4 * 4096, MAX_JOINTS = 256 };

/* The inputs of the tasks: the files of the current rows, and the character. */
static struct inputs {
    const char *name;
    bench_bytes files[MAX_FILES];
    size_t      count, bytes;
    md2_model  *md2;
    md2_pose    md2_pose;
    md5_model  *md5;
    md5_anim   *anim;
    md5_xform   pose[MAX_JOINTS];
    float       positions[MAX_FLOATS], normals[MAX_FLOATS], tangents[MAX_FLOATS];
    float       other_positions[MAX_FLOATS], other_normals[MAX_FLOATS];
    float       matrices[16 * MAX_JOINTS], other_matrices[12 * MAX_JOINTS];
} inputs;

static volatile float sink; /* keeps the compiler from removing work whose results are not used */

static void load_character(const char *folder)
{
    bench_bytes md2 = bench_read(folder, "tris.md2"), mesh = bench_read(folder, "knight.md5mesh");
    bench_bytes anim = bench_read(folder, "run.md5anim");
    inputs.name = "";
    inputs.md2 = md2_load_memory(md2.data, md2.size, NULL, NULL);
    inputs.md5 = md5_load_model_memory(mesh.data, mesh.size, NULL, NULL);
    inputs.anim = md5_load_anim_memory(anim.data, anim.size, "run", NULL, NULL);
    if (!CHECK(inputs.md2 && inputs.md2->frame_count > 1 && inputs.md2->vertex_count * 4 <= MAX_FLOATS) ||
        !CHECK(inputs.md5 && inputs.md5->meshes[0].vertex_count * 4 <= MAX_FLOATS) ||
        !CHECK(inputs.md5->joint_count <= MAX_JOINTS && inputs.anim) ||
        !CHECK(inputs.md5->joint_count == inputs.anim->joint_count)) {
        exit(EXIT_FAILURE);
    }
    inputs.md2_pose = md2_pose_between(0, 1, 0.37f);
    free(md2.data);
    free(mesh.data);
    free(anim.data);
}

#include "bench_crowd.h"

#define TASK(name, call) static void name(void) { call; }

/* -- Rows ------------------------------------------------------------------------ */

typedef struct row {
    const char *what, *against;
    bench_task  ours, other;
} row;

#define MEASURE(items, list) measure_rows((double)(items), list, sizeof(list) / sizeof(list)[0])

/* Returns the words of $ONLY, or NULL if all rows are wanted. */
static const char *wanted_words(void)
{
    const char *only = getenv("ONLY");
    return only && *only ? only : NULL;
}

static bool is_wanted(const char *what)
{
    const char *only = wanted_words();
    return !only || check_wanted(only, what, "");
}

/* Measures rows and prints their times per item. A task of these rows processes `items` items. */
static void measure_rows(double items, const row *rows, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        char what[96];
        snprintf(what, sizeof what, "%s%s%s", rows[i].what, *inputs.name ? ", " : "", inputs.name);
        if (!is_wanted(what)) continue;
        bench_row_times(what, rows[i].against,
                        bench_compare(bench_own_time, rows[i].ours, rows[i].other, 0), items);
    }
}

static double largest_difference(const float *a, const float *b, size_t count)
{
    double largest = 0;
    for (size_t i = 0; i < count; ++i) {
        double difference = fabs((double)a[i] - (double)b[i]);
        largest = difference > largest || difference != difference ? difference : largest;
    }
    return largest;
}

/* -- Loading: tasks ---------------------------------------------------------------- */

/* Defines a task that does `action` for each `file`. */
#define FILE_TASK(name, action)                                                                \
    TASK(name, for (const bench_bytes *file = inputs.files; file < inputs.files + inputs.count; ++file) { \
        action;                                                                                \
    })

FILE_TASK(load_md2, md2_free_model(md2_load_memory(file->data, file->size, NULL, NULL)))
FILE_TASK(load_meshes, md5_free_model(md5_load_model_memory(file->data, file->size, NULL, NULL)))
FILE_TASK(load_anims, md5_free_anim(md5_load_anim_memory(file->data, file->size, NULL, NULL, NULL)))

FILE_TASK(expand_md2, {
    plain_frames frames = plain_expand(file->data);
    sink = frames.positions[0] + frames.normals[0];
    plain_free_frames(&frames);
})

FILE_TASK(load_md5_plainly, {
    plain_md5 md5 = plain_load((char *)file->data);
    plain_free(&md5);
})

/* -- Loading: comparing results with the plain code ---------------------------------- */

/* Returns true if the file is an MD2. Checks that the plain code decodes the first coordinate of its first frame to the
   same number. */
static bool reads_equal_md2(const bench_bytes *file)
{
    md2_model   *model = md2_load_memory(file->data, file->size, NULL, NULL);
    if (!model) return false;
    plain_frames frames = plain_expand(file->data);
    const md2_frame *first = &model->frames[0];
    CHECK_NEAR(frames.positions[0],
               first->translate[0] + (float)first->points[0].x * first->scale[0],
               1e-5 * (fabs((double)first->max[0]) + fabs((double)first->min[0]) + 1));
    plain_free_frames(&frames);
    md2_free_model(model);
    return true;
}

/* Returns true if all weights have the same bits. */
static bool has_equal_weights(const md5_mesh *a, const plain_part *b)
{
    bool     same = (int)a->weight_count == b->weights.count &&
                (int)a->vertex_count == b->vertices.count;
    for (uint32_t i = 0; same && i < a->weight_count; ++i) {
        const plain_cell *weight = b->weights.cells + 5 * (size_t)i;
        same = memcmp(a->weights[i].position, weight + 2, 3 * sizeof(float)) == 0 &&
               memcmp(&a->weights[i].bias, weight + 1, sizeof(float)) == 0;
    }
    return same;
}

/* Returns true if the plain code reads the same joints, meshes and weights from a .md5mesh. */
static bool reads_equal_mesh(const bench_bytes *file)
{
    md5_model *model = md5_load_model_memory(file->data, file->size, NULL, NULL);
    if (!model) return false;
    plain_md5 plain = plain_load((char *)file->data);
    bool same = (int)model->joint_count == plain.joint_count.i &&
                (int)model->mesh_count == plain.part_count;
    for (uint32_t i = 0; same && i < model->mesh_count; ++i)
        same = has_equal_weights(&model->meshes[i], &plain.parts[i + 1]);
    plain_free(&plain);
    md5_free_model(model);
    return same;
}

/* Returns true if the plain code reads the same positions of all joints in all frames from a .md5anim. */
static bool reads_equal_anim(const bench_bytes *file)
{
    md5_anim *anim = md5_load_anim_memory(file->data, file->size, NULL, NULL, NULL);
    if (!anim) return false;
    plain_md5 plain = plain_load((char *)file->data);
    bool same = (int)anim->frame_count == plain.frame_count.i && plain.base.cells &&
                (int)anim->joint_count == plain.joint_count.i;
    for (uint32_t i = 0; same && i < anim->frame_count * anim->joint_count; ++i) {
        uint32_t          frame = i / anim->joint_count, joint = i % anim->joint_count;
        const plain_cell *track = &plain.tracks.cells[3 * joint];
        const plain_cell *next = plain.components + (int)frame * plain.component_count.i + track[2].i;
        const md5_xform  *got = plain_find_joint(anim, joint, frame);
        for (uint32_t axis = 0; axis < 3; ++axis) {
            float want = track[1].i >> axis & 1 ? next++->f : plain.base.cells[6 * joint + axis].f;
            same = same && !(got->position[axis] < want) && !(got->position[axis] > want);
        }
    }
    plain_free(&plain);
    md5_free_anim(anim);
    return same;
}

/* -- Loading: rows ---------------------------------------------------------------------- */

static const row md2_rows[] = {
    { "load an MD2", "every frame to floats, unchecked", load_md2, expand_md2 },
};

static const row mesh_rows[] = {
    { "load an MD5 mesh", "tokens by strtof, no normals", load_meshes, load_md5_plainly },
};

static const row anim_rows[] = {
    { "load an MD5 animation", "tokens by strtof, unchecked", load_anims, load_md5_plainly },
};

static void add_file(bench_bytes file, bool (*is_good)(const bench_bytes *file))
{
    if (!CHECK(inputs.count < MAX_FILES) || !CHECK(is_good(&file))) exit(EXIT_FAILURE);
    inputs.files[inputs.count++] = file;
    inputs.bytes += file.size;
}

static void free_files(void)
{
    while (inputs.count) free(inputs.files[--inputs.count].data);
    inputs.bytes = 0;
}

/* Measures a row for the files in $MODELS, all together. Leaves out files that the library or the plain code cannot
   read. */
static void measure_given_files(const char *suffix, bool (*is_good)(const bench_bytes *file),
                                const row *rows)
{
    file_list files = list_models(suffix);
    for (size_t i = 0; i < files.count; ++i) {
        bench_bytes file = bench_read("", files.path[i]);
        if (is_good(&file)) add_file(file, is_good);
        else free(file.data);
    }
    inputs.name = "all given";
    if (inputs.count) measure_rows((double)inputs.count, rows, 1);
    inputs.name = "";
    free_files();
    file_list_free(&files);
}

/* -- MD2: posing ------------------------------------------------------------------ */

TASK(lerp_with_normals, md2_pose_vertices(inputs.md2, &inputs.md2_pose, inputs.positions, 0, inputs.normals, 0))
TASK(lerp_plainly, plain_lerp(inputs.md2, inputs.md2_pose.frame[0], inputs.md2_pose.frame[1],
                              inputs.md2_pose.weight[1], inputs.other_positions))

static void lerp_plain_normals(void)
{
    lerp_plainly();
    plain_lerp_normals(inputs.md2, inputs.md2_pose.frame[0], inputs.md2_pose.frame[1], inputs.md2_pose.weight[1],
                       inputs.other_normals);
}

static const row lerp_rows[] = {
    { "blend two MD2 frames with unit normals, a vertex", "Quake II's loop, unit normals too", lerp_with_normals,
      lerp_plain_normals },
};

static void measure_lerp(void)
{
    size_t floats = (size_t)inputs.md2->vertex_count * 3;
    lerp_with_normals();
    lerp_plain_normals();
    CHECK_NEAR(largest_difference(inputs.positions, inputs.other_positions, floats), 0, 1e-4);
    CHECK_NEAR(largest_difference(inputs.normals, inputs.other_normals, floats), 0, 1e-5);
    MEASURE(inputs.md2->vertex_count, lerp_rows);
}

/* -- MD5: posing ---------------------------------------------------------------------- */

static void pose_to_matrices(void)
{
    md5_pose_at(inputs.md5, inputs.anim, MD5_LOOP, 2.4 / (double)inputs.anim->fps, inputs.pose);
    md5_pose_to_model_space(inputs.md5, inputs.pose, inputs.pose);
    for (uint32_t i = 0; i < inputs.md5->joint_count; ++i)
        md5_pose_matrix(&inputs.pose[i], inputs.matrices + 16 * (size_t)i);
}

TASK(pose_plainly, plain_pose(inputs.anim, 2, 3, 0.4f, inputs.other_matrices))

static const row pose_rows[] = {
    { "pose an MD5 skeleton, a joint", "the loop with sines, to matrices", pose_to_matrices, pose_plainly },
};

static void measure_pose(void)
{
    float    rows[12 * MAX_JOINTS], bound = 1;
    uint32_t floats = inputs.md5->joint_count * 12;
    pose_to_matrices();
    pose_plainly();
    for (uint32_t i = 0; i < floats; ++i) {
        rows[i] = inputs.matrices[16 * (i / 12) + i % 4 * 4 + i % 12 / 4];
        bound = fmaxf(bound, fabsf(inputs.other_matrices[i]));
    }
    CHECK_NEAR(largest_difference(rows, inputs.other_matrices, floats) / (double)bound, 0, 2e-5);
    MEASURE(inputs.md5->joint_count, pose_rows);
}

/* -- MD5: skinning -------------------------------------------------------------------- */

TASK(skin, md5_pose_vertices(inputs.md5, 0, inputs.pose, inputs.positions, 0, NULL, 0, NULL, 0))
TASK(skin_plainly, plain_skin(&inputs.md5->meshes[0], inputs.pose, inputs.other_positions))

static const row skin_rows[] = {
    { "skin an MD5 vertex", "the article's rotations", skin, skin_plainly },
};

static void measure_skin(void)
{
    size_t vertices = inputs.md5->meshes[0].vertex_count;
    for (uint32_t i = 0; i < inputs.md5->joint_count; ++i) inputs.pose[i] = inputs.md5->joints[i].bind;
    skin();
    skin_plainly();
    CHECK_NEAR(largest_difference(inputs.positions, inputs.other_positions, vertices * 3), 0, 2e-4);
    MEASURE(vertices, skin_rows);
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
        printf("this command failed: %s\n", command->text);
        exit(EXIT_FAILURE);
    }
}

TASK(compile_md, run_command(&md_command))
TASK(compile_stb, run_command(&stb_command))

static void write_command(struct compile_command *command, const char *folder, const char *name,
                          const char *flags, const char *source)
{
    char path[900];
    snprintf(path, sizeof path, "%s/bench_%s.c", folder, name);
    CHECK(write_file(path, source, strlen(source)));
    snprintf(command->object, sizeof command->object, "%s/bench_%s.o", folder, name);
    snprintf(command->text, sizeof command->text, "%s -std=c99 %s -w -I. -c -o %s %s", BENCH_CC,
             flags, command->object, path);
}

/* Returns the size of code and constants, as the program `size` prints it. */
static double text_bytes(const struct compile_command *command)
{
    char  line[1100];
    long  text = 0;
    snprintf(line, sizeof line, "size %s", command->object);
    FILE *pipe = popen(line, "r");
    if (!pipe) return 0;
    while (fgets(line, sizeof line, pipe)) sscanf(line, "%ld", &text);
    pclose(pipe);
    return (double)text;
}

static const char stb_source[] = "#define STB_IMAGE_IMPLEMENTATION\n#include <stb/stb_image.h>\n";

static const struct { const char *name, *source; } cost_headers[2] = {
    { "md2", "#define MD2_IMPLEMENTATION\n#include \"md2.h\"\n" },
    { "md5", "#define MD5_IMPLEMENTATION\n#include \"md5.h\"\n" }
};

static void time_rows(const char *folder)
{
    char what[64];
    write_command(&stb_command, folder, "stb", "-O2", stb_source);
    run_command(&stb_command);
    for (int i = 0; i < 2; ++i) {
        write_command(&md_command, folder, cost_headers[i].name, "-O2", cost_headers[i].source);
        snprintf(what, sizeof what, "compile %s.h at -O2, without GL", cost_headers[i].name);
        if (!is_wanted(what)) continue;
        bench_row_times(what, "stb_image.h", bench_compare(bench_child_time, compile_md, compile_stb, 5), 1);
    }
}

static void size_rows(const char *folder)
{
    char what[64];
    for (int i = 0; i < 2; ++i) {
        snprintf(what, sizeof what, "bytes of code of %s.h, -O2", cost_headers[i].name);
        if (!is_wanted(what)) continue;
        write_command(&md_command, folder, cost_headers[i].name, "-O2", cost_headers[i].source);
        run_command(&md_command);
        bench_row_figures(what, "stb_image.h", text_bytes(&md_command), text_bytes(&stb_command));
    }
}

/* -- The main program --------------------------------------------------------------------- */

static void loading_rows(const char *folder)
{
    file_list anims = list_files(folder, ".md5anim");
    add_file(bench_read(folder, "tris.md2"), reads_equal_md2);
    add_file(bench_read(folder, "weapon.md2"), reads_equal_md2);
    MEASURE(inputs.count, md2_rows);
    free_files();
    add_file(bench_read(folder, "knight.md5mesh"), reads_equal_mesh);
    MEASURE(inputs.count, mesh_rows);
    free_files();
    for (size_t i = 0; i < anims.count; ++i)
        add_file(bench_read("", anims.path[i]), reads_equal_anim);
    CHECK(inputs.count >= 20);
    MEASURE(inputs.count, anim_rows);
    free_files();
    file_list_free(&anims);
    measure_given_files(".md2", reads_equal_md2, md2_rows);
    measure_given_files(".md5mesh", reads_equal_mesh, mesh_rows);
    measure_given_files(".md5anim", reads_equal_anim, anim_rows);
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: %s character-folder build-folder\n", argv[0]);
        return EXIT_FAILURE;
    }
    load_character(argv[1]);
    printf("## md2.h and md5.h, %s\n\n", build_name);
    bench_heading();
    loading_rows(argv[1]);
    measure_lerp();
    measure_pose();
    measure_skin();
    time_rows(argv[2]);
    size_rows(argv[2]);
    if (is_wanted("crowd")) crowd_table();
    md2_free_model(inputs.md2);
    md5_free_model(inputs.md5);
    md5_free_anim(inputs.anim);
    bench_summary();
    CHECK(rows_measured > 0);
    return check_finish();
}
