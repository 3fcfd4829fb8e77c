/* bench CHARACTER-FOLDER BUILD-FOLDER: how fast md2.h and md5.h are, each row beside a floor (what
   the machine must do in any case) or a baseline (plain code for the same task) measured in the
   same run. With MODELS=folder, the models there too. FORMAT=markdown prints tables for a page.

   What is measured is checked first: where ours and the baseline do not agree, that is a failure.
   A bar that is missed is none. ONLY=T6,T10 measures only these; there are "players", "names",
   "crowd" and "curves" too. Public domain. */
#define _DEFAULT_SOURCE
#define MD2_GL
#define MD2_IMPLEMENTATION
#define MD5_GL
#define MD5_IMPLEMENTATION
#include "bench_api.h"

#include "bench.h"
#include "bench_inputs.h"
#include "bench_plain.h"
#include "fake_gl.h"

#include <sys/mman.h>

#ifdef BENCH_ASSIMP
  #include <assimp/cimport.h>
  #include <assimp/scene.h>
#endif
#ifdef __SSE2__
  #include <emmintrin.h>
#endif

#if defined(__SSE2__)
static const bench_api usual = BENCH_API("SSE2");
#elif defined(__aarch64__)
static const bench_api usual = BENCH_API("NEON");
#else
static const bench_api usual = BENCH_API("as built");
#endif
static const bench_api *const builds[2] = { &usual, &bench_plain_c };

/* Whether $ONLY, where it is set, has this in it. */
static bool is_wanted(const char *id)
{
    const char *only = getenv("ONLY"), *at = only;
    size_t      size = strlen(id);
    if (!only || !*only) return true;
    while ((at = strstr(at, id)) != NULL) {
        if (at[size] < '0' || at[size] > '9') return true;
        at += size;
    }
    return false;
}

static volatile float sink; /* so that what is measured is not left out */

/* "MD2 load, character, SSE2" */
static const char *label(const char *what, const char *of, const bench_api *api)
{
    static char text[96];
    snprintf(text, sizeof text, "%s, %s%s%s", what, of, api ? ", " : "", api ? api->name : "");
    return text;
}

/* -- Sets of files -------------------------------------------------------------- */

enum { MOST_FILES = 512 };

typedef struct file_set {
    const bench_api *api;
    bench_bytes      files[MOST_FILES];
    size_t           count, bytes;
    md2_options      options;
    void            *models[MOST_FILES];
} file_set;

static void add_bytes(file_set *set, bench_bytes bytes)
{
    if (!bytes.data) return;
    if (set->count == MOST_FILES) {
        bench_free(&bytes);
        return;
    }
    set->files[set->count++] = bytes;
    set->bytes += bytes.size;
}

static void free_set(file_set *set)
{
    while (set->count) bench_free(&set->files[--set->count]);
    set->bytes = 0;
}

static const char *path_in(const char *folder, const char *name)
{
    static char path[1024];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void add_folder(file_set *set, const char *folder, const char *suffix)
{
    file_list list = list_files(folder, suffix);
    size_t     i;
    for (i = 0; i < list.count; ++i) add_bytes(set, bench_read(list.path[i]));
    file_list_free(&list);
}

/* Everything under $MODELS that is one of these and not known to be broken. */
static void add_models(file_set *set, const char *part, const char *suffix)
{
    file_list list = list_models(part, suffix);
    size_t     i;
    for (i = 0; i < list.count; ++i) add_bytes(set, bench_read(list.path[i]));
    file_list_free(&list);
}

static void copy_files(void *data)
{
    file_set *set = (file_set *)data;
    size_t    i;
    for (i = 0; i < set->count; ++i) {
        unsigned char *copy = (unsigned char *)malloc_or_abort(set->files[i].size);
        memcpy(copy, set->files[i].data, set->files[i].size);
        sink = copy[set->files[i].size / 2];
        free(copy);
    }
}

/* -- MD2: loading --------------------------------------------------------------- */

static void load_md2_files(void *data)
{
    file_set *set = (file_set *)data;
    size_t    i;
    for (i = 0; i < set->count; ++i) {
        md2_model *model = set->api->load_md2(set->files[i].data, set->files[i].size,
                                              &set->options, NULL);
        set->api->free_md2(model);
    }
}

static void expand_md2_files(void *data)
{
    file_set *set = (file_set *)data;
    size_t    i;
    for (i = 0; i < set->count; ++i) {
        plain_frames frames = plain_expand(set->files[i].data);
        sink = frames.positions[0] + frames.normals[0];
        free(frames.positions);
        free(frames.normals);
    }
}

/* Leaves only files that load, and whose first frame the baseline decodes to the same. */
static void keep_good_md2(file_set *set)
{
    size_t i, kept = 0;
    set->bytes = 0;
    for (i = 0; i < set->count; ++i) {
        md2_model *model = md2_load_memory(set->files[i].data, set->files[i].size, NULL, NULL);
        if (!model) {
            bench_free(&set->files[i]);
            continue;
        }
        {
            plain_frames frames = plain_expand(set->files[i].data);
            const md2_frame *first = &model->frames[0];
            double reach = 1e-5 * (fabs((double)first->max[0]) + fabs((double)first->min[0]) + 1);
            CHECK_NEAR(frames.positions[0],
                       first->translate[0] + (float)first->points[0].x * first->scale[0], reach);
            free(frames.positions);
            free(frames.normals);
        }
        md2_free_model(model);
        set->bytes += set->files[i].size;
        set->files[kept++] = set->files[i];
    }
    set->count = kept;
}

#ifdef BENCH_ASSIMP
typedef struct assimp_set {
    const file_set *set;
    const char     *kind;
} assimp_set;

static void load_by_assimp(void *data)
{
    const assimp_set *task = (const assimp_set *)data;
    size_t i;
    for (i = 0; i < task->set->count; ++i) {
        const struct aiScene *scene =
            aiImportFileFromMemory((const char *)task->set->files[i].data,
                                   (unsigned)task->set->files[i].size, 0, task->kind);
        if (scene) aiReleaseImport(scene);
    }
}

static void row_against_assimp(const char *id, const char *what, bench_task ours,
                               const file_set *set, const char *kind, double bar)
{
    assimp_set task;
    bench_task other;
    task.set = set;
    task.kind = kind;
    other.run = load_by_assimp;
    other.data = &task;
    bench_row_result(id, what, "assimp, no post-processing", bench_compare(ours, other),
                     (double)set->count, BENCH_AT_LEAST, bar);
}
#endif

static void rows_md2_load(file_set *set, const char *name)
{
    bench_task ours = { load_md2_files, set }, copy = { copy_files, set };
    bench_task expand = { expand_md2_files, set };
    double     files = (double)set->count;
    int        i;
    if (!is_wanted("T1")) return;
    set->options.flags = 0;
    for (i = 0; i < 2; ++i) {
        set->api = builds[i];
        bench_row_result("T1", label("MD2 load", name, set->api),
                         "malloc, memcpy, free of the file", bench_compare(ours, copy), files,
                         BENCH_AT_MOST, i ? 0 : 1.8);
    }
    set->api = &usual;
    bench_row_result("T1", label("MD2 load", name, set->api), "all frames to floats, unchecked",
                     bench_compare(ours, expand), files, BENCH_AT_LEAST, 3.5);
#ifdef BENCH_ASSIMP
    row_against_assimp("T1", label("MD2 load", name, set->api), ours, set, "md2", 1.5);
#endif
    set->options.flags = MD2_BORROW;
    bench_row_result("T3", label("MD2_BORROW", name, set->api), "malloc, memcpy, free of the file",
                     bench_compare(ours, copy), files, BENCH_AT_MOST, 0);
    set->options.flags = 0;
}

/* Memory that nobody has touched yet, as a program meets it that loads and keeps. What is given
   back serves the next that fits, as in any allocator. */
typedef struct fresh_memory {
    unsigned char *base;
    size_t         size, used;
    void          *spare;
    size_t         spare_size;
} fresh_memory;

static void *fresh_alloc(void *user, size_t size)
{
    fresh_memory *memory = (fresh_memory *)user;
    void         *block = memory->spare;
    size = (size + 31) / 16 * 16;
    if (block && memory->spare_size >= size) {
        memory->spare = NULL;
        return block;
    }
    block = memory->base + memory->used;
    memory->used += size;
    return memory->used <= memory->size ? block : NULL;
}

static void fresh_release(void *user, void *block, size_t size)
{
    fresh_memory *memory = (fresh_memory *)user;
    memory->spare = block;
    memory->spare_size = size;
}

static void fresh_begin(fresh_memory *memory, size_t size)
{
    memset(memory, 0, sizeof *memory);
    memory->size = size;
    memory->base = (unsigned char *)mmap(NULL, size, PROT_READ | PROT_WRITE,
                                         MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory->base == MAP_FAILED) abort();
}

static void fresh_end(fresh_memory *memory) { munmap(memory->base, memory->size); }

static void keep_md2(void *data)
{
    file_set    *set = (file_set *)data;
    fresh_memory memory;
    md2_options  options;
    size_t       i;
    fresh_begin(&memory, set->bytes * 2 + ((size_t)16 << 20));
    memset(&options, 0, sizeof options);
    options.flags = MD2_BORROW;
    options.allocator.alloc = fresh_alloc;
    options.allocator.release = fresh_release;
    options.allocator.user = &memory;
    for (i = 0; i < set->count; ++i) {
        set->models[i] = set->api->load_md2(set->files[i].data, set->files[i].size, &options, NULL);
    }
    fresh_end(&memory);
}

static void keep_copies(void *data)
{
    file_set    *set = (file_set *)data;
    fresh_memory memory;
    size_t       i;
    fresh_begin(&memory, set->bytes * 2 + ((size_t)16 << 20));
    for (i = 0; i < set->count; ++i) {
        memcpy(fresh_alloc(&memory, set->files[i].size), set->files[i].data, set->files[i].size);
    }
    fresh_end(&memory);
}

static void figure(const char *id, const char *what, const char *against, double ours, double other,
                   bench_bar kind, double bar)
{
    char a[24], b[24];
    snprintf(a, sizeof a, "%.0f", ours);
    snprintf(b, sizeof b, "%.0f", other);
    bench_row(id, what, against, a, b, kind == BENCH_AT_MOST ? ours / other : other / ours, kind,
              bar);
}

static double borrowed_bytes(const file_set *set)
{
    md2_options options;
    double      bytes = 0;
    size_t      i;
    memset(&options, 0, sizeof options);
    options.flags = MD2_BORROW;
    for (i = 0; i < set->count; ++i) {
        md2_model *model = md2_load_memory(set->files[i].data, set->files[i].size, &options, NULL);
        if (CHECK(model != NULL)) bytes += (double)model->bytes;
        md2_free_model(model);
    }
    return bytes;
}

static void rows_md2_borrow(file_set *set, const char *name)
{
    bench_task ours = { keep_md2, set }, copies = { keep_copies, set };
    if (!is_wanted("T3")) return;
    set->api = &usual;
    bench_row_result("T3", label("MD2_BORROW, load and keep", name, NULL),
                     "copies of the files in fresh memory", bench_compare(ours, copies),
                     (double)set->count, BENCH_AT_LEAST, 2.5);
    figure("T3", label("MD2_BORROW, bytes that stay", name, NULL), "bytes of the files",
           borrowed_bytes(set), (double)set->bytes, BENCH_AT_MOST, 0.12);
}

/* -- Memory ------------------------------------------------------------------------ */

typedef struct memory_use {
    double allocations, kept, peak;
} memory_use;

static void *load_any(const bench_bytes *file, int kind, const md2_options *md2,
                      const md5_options *md5)
{
    if (kind == 0) return md2_load_memory(file->data, file->size, md2, NULL);
    if (kind == 1) return md5_load_model_memory(file->data, file->size, md5, NULL);
    return md5_load_anim_memory(file->data, file->size, NULL, md5, NULL);
}

/* kind: 0 MD2, 1 mesh, 2 animation. The most allocations of any file, the sums of bytes. */
static memory_use measure_memory(const file_set *set, int kind)
{
    memory_use use = { 0, 0, 0 };
    size_t     i;
    for (i = 0; i < set->count; ++i) {
        counting_allocator  memory;
        md2_options   md2;
        md5_options   md5;
        void         *model;
        memset(&memory, 0, sizeof memory);
        memset(&md2, 0, sizeof md2);
        memset(&md5, 0, sizeof md5);
        md2.allocator.alloc = md5.allocator.alloc = counting_alloc;
        md2.allocator.release = md5.allocator.release = counting_release;
        md2.allocator.user = md5.allocator.user = &memory;
        model = load_any(&set->files[i], kind, &md2, &md5);
        CHECK(model != NULL && memory.live_blocks == 1);
        use.allocations = (double)memory.allocations > use.allocations ? (double)memory.allocations
                                                                       : use.allocations;
        use.kept += (double)memory.live_bytes;
        use.peak += (double)memory.peak_bytes;
        if (kind == 0) md2_free_model((md2_model *)model);
        if (kind == 1) md5_free_model((md5_model *)model);
        if (kind == 2) md5_free_anim((md5_anim *)model);
        CHECK(counting_is_clean(&memory));
    }
    return use;
}

static void rows_memory(const file_set *set, int kind, const char *name, double kept_bar)
{
    static const char *const what[3][3] = {
        { "MD2, allocations", "MD2, bytes that stay", "MD2, most bytes in loading" },
        { "md5mesh, allocations", "md5mesh, bytes that stay", "md5mesh, most bytes in loading" },
        { "md5anim, allocations", "md5anim, bytes that stay", "md5anim, most bytes in loading" } };
    memory_use use;
    double     files = (double)set->bytes;
    if (!is_wanted("T4")) return;
    use = measure_memory(set, kind);
    figure("T4", label(what[kind][0], name, NULL), "one that stays", use.allocations, 1,
           BENCH_AT_MOST, 2);
    figure("T4", label(what[kind][1], name, NULL), "bytes of the files", use.kept, files,
           BENCH_AT_MOST, kept_bar);
    figure("T4", label(what[kind][2], name, NULL), "bytes of the files", use.peak, files,
           BENCH_AT_MOST, 0);
}

/* -- OpenGL -------------------------------------------------------------------------- */

/* The fake GL reads and checks all it gets, which takes time. For measuring time, what a driver
   does in any case takes its place: a copy of what is uploaded. */
static unsigned char *gl_memory;
enum { GL_MEMORY = 64 << 20 };

static void quick_buffer_data(unsigned target, ptrdiff_t size, const void *data, unsigned usage)
{
    (void)target;
    (void)usage;
    if (data && size <= GL_MEMORY) memcpy(gl_memory, data, (size_t)size);
}

static void quick_buffer_sub_data(unsigned target, ptrdiff_t offset, ptrdiff_t size,
                                  const void *data)
{
    (void)target;
    if (offset + size <= GL_MEMORY) memcpy(gl_memory + offset, data, (size_t)size);
}

/* Textures here are of floats, four to a texel. */
static void quick_sub_image(unsigned target, int level, int x, int y, int width, int height,
                            unsigned format, unsigned type, const void *data)
{
    size_t size = (size_t)width * (size_t)height * 16;
    (void)target;
    (void)level;
    (void)x;
    (void)y;
    (void)format;
    (void)type;
    if (size <= GL_MEMORY) memcpy(gl_memory, data, size);
}

static void quick_image(unsigned target, int level, int storage, int width, int height, int border,
                        unsigned format, unsigned type, const void *data)
{
    (void)storage;
    (void)border;
    if (data) quick_sub_image(target, level, 0, 0, width, height, format, type, data);
}

static void quick_draw(unsigned mode, int count, unsigned type, const void *indices, int instances)
{
    (void)mode;
    (void)count;
    (void)type;
    (void)indices;
    (void)instances;
}

/* What the quick ones did not tell the fake, it would call mistakes. */
static unsigned quick_error(void) { return 0; }

static bool quick; /* which of both md?_gl_create gets */

static fake_gl_proc get_gl(const char *name)
{
    if (quick && strcmp(name, "glBufferData") == 0) return (fake_gl_proc)quick_buffer_data;
    if (quick && strcmp(name, "glBufferSubData") == 0) return (fake_gl_proc)quick_buffer_sub_data;
    if (quick && strcmp(name, "glTexSubImage2D") == 0) return (fake_gl_proc)quick_sub_image;
    if (quick && strcmp(name, "glGetError") == 0) return (fake_gl_proc)quick_error;
    if (quick && strcmp(name, "glDrawElementsInstanced") == 0) return (fake_gl_proc)quick_draw;
    return fake_gl_get_proc(name);
}

/* The same, after loading is over: textures too. */
static fake_gl_proc get_quick_gl(const char *name)
{
    if (strcmp(name, "glTexImage2D") == 0) return (fake_gl_proc)quick_image;
    return get_gl(name);
}

/* What a model takes, on a GL of its own. */
static size_t gpu_bytes_of(const md2_model *model)
{
    md2_gl_mesh mesh;
    md2_gl     *gl;
    size_t      bytes = 0, before;
    quick = false;
    fake_gl_reset();
    gl = md2_gl_create(get_gl, NULL, NULL);
    before = fake.gpu_bytes;
    if (CHECK(gl && md2_gl_upload(gl, model, &mesh, NULL))) {
        bytes = fake.gpu_bytes - before;
        md2_gl_free_mesh(gl, &mesh);
    }
    md2_gl_destroy(gl);
    return bytes;
}

static void rows_gpu_bytes(const file_set *set, const char *name)
{
    double bytes = 0, tutorial = 0;
    size_t i;
    if (!is_wanted("T5")) return;
    for (i = 0; i < set->count; ++i) {
        md2_model *model = md2_load_memory(set->files[i].data, set->files[i].size, NULL, NULL);
        if (model && model->index_count) {
            bytes += (double)gpu_bytes_of(model);
            tutorial += 32.0 * model->index_count * model->frame_count;
        }
        md2_free_model(model);
    }
    figure("T5", label("MD2 bytes on the GPU", name, NULL), "bytes of the files", bytes,
           (double)set->bytes, BENCH_AT_MOST, 1.5);
    figure("T5", label("MD2 bytes on the GPU", name, NULL), "32 bytes a corner and frame", bytes,
           tutorial, BENCH_AT_LEAST, 12);
}

enum { MOST_INSTANCES = 10000 };

typedef struct crowd {
    const bench_api *api;
    uint32_t         count;
    md2_gl          *md2_gl;
    md2_gl_mesh      md2_mesh;
    md2_gl_scene     md2_scene;
    md2_gl_instance *md2_instances;
    md2_model       *md2;
    md2_player      *md2_players;
    md5_gl          *md5_gl;
    md5_gl_mesh      md5_mesh;
    md5_gl_scene     md5_scene;
    md5_gl_instance *md5_instances;
    md5_model       *md5;
    md5_anim        *anim;
    md5_player      *md5_players;
    float           *palettes;
    md5_xform       *pose, *scratch;
    float           *out;       /* as a mapped buffer: written front to back, over and over */
    size_t           out_size, out_used;
} crowd;

enum { OUT_FLOATS = 16 << 20 };

static bench_bytes must_read(const char *folder, const char *name)
{
    bench_bytes bytes = bench_read(path_in(folder, name));
    CHECK(bytes.data != NULL);
    if (!bytes.data) {
        printf("%s/%s is not there: make it with make_character\n", folder, name);
        exit(EXIT_FAILURE);
    }
    return bytes;
}

static void *zeroes(size_t count, size_t size)
{
    void *block = malloc_or_abort(count * size);
    memset(block, 0, count * size);
    return block;
}

static void place_md2(crowd *all)
{
    uint32_t i;
    all->md2_players = (md2_player *)zeroes(MOST_INSTANCES, sizeof(md2_player));
    all->md2_instances = (md2_gl_instance *)zeroes(MOST_INSTANCES, sizeof(md2_gl_instance));
    for (i = 0; i < MOST_INSTANCES; ++i) {
        float *where = all->md2_instances[i].transform;
        md2_play(&all->md2_players[i], &all->md2->anims[i % all->md2->anim_count], MD2_LOOP, 0);
        md2_seek(&all->md2_players[i], i * 0.0137);
        where[0] = where[5] = where[10] = where[15] = 1;
        where[12] = (float)(i % 100) * 40;
        where[13] = (float)(i / 100) * 40;
    }
}

static void place_md5(crowd *all)
{
    uint32_t i, joints = all->md5->joint_count;
    all->md5_players = (md5_player *)zeroes(MOST_INSTANCES, sizeof(md5_player));
    all->md5_instances = (md5_gl_instance *)zeroes(MOST_INSTANCES, sizeof(md5_gl_instance));
    all->palettes = (float *)zeroes((size_t)MOST_INSTANCES * joints, 12 * sizeof(float));
    all->pose = (md5_xform *)zeroes(joints, sizeof(md5_xform));
    all->scratch = (md5_xform *)zeroes(joints, sizeof(md5_xform));
    for (i = 0; i < MOST_INSTANCES; ++i) {
        float *where = all->md5_instances[i].transform;
        md5_play(&all->md5_players[i], all->anim, MD5_LOOP, 0);
        md5_seek(&all->md5_players[i], i * 0.0137);
        where[0] = where[5] = where[10] = where[15] = 1;
        where[12] = (float)(i % 100) * 40;
        all->md5_instances[i].palette = all->palettes + (size_t)i * joints * 12;
    }
}

static void load_crowd(crowd *all, const char *folder)
{
    bench_bytes md2 = must_read(folder, "tris.md2"), md5 = must_read(folder, "robot.md5mesh");
    bench_bytes anim = must_read(folder, "run.md5anim");
    memset(all, 0, sizeof *all);
    all->api = &usual;
    all->md2 = md2_load_memory(md2.data, md2.size, NULL, NULL);
    all->md5 = md5_load_model_memory(md5.data, md5.size, NULL, NULL);
    all->anim = md5_load_anim_memory(anim.data, anim.size, "run", NULL, NULL);
    CHECK(all->md2 && all->md5 && all->anim);
    if (!all->md2 || !all->md5 || !all->anim) exit(EXIT_FAILURE);
    bench_free(&md2);
    bench_free(&md5);
    bench_free(&anim);
    place_md2(all);
    place_md5(all);
    all->out = (float *)zeroes(OUT_FLOATS, sizeof(float));
    all->out_size = OUT_FLOATS;
}

static void free_crowd(crowd *all)
{
    md2_free_model(all->md2);
    md5_free_model(all->md5);
    md5_free_anim(all->anim);
    free(all->md2_players);
    free(all->md2_instances);
    free(all->md5_players);
    free(all->md5_instances);
    free(all->palettes);
    free(all->pose);
    free(all->scratch);
    free(all->out);
}

/* Uploads by the fake, which must see them; draws by the quick one when time is measured. */
static bool start_gl(crowd *all, bool for_time)
{
    md2_gl_options md2;
    md5_gl_options md5;
    memset(&md2, 0, sizeof md2);
    memset(&md5, 0, sizeof md5);
    md2.leave_state = md5.leave_state = true;
    quick = for_time;
    fake_gl_reset();
    all->md2_gl = md2_gl_create(for_time ? get_quick_gl : get_gl, &md2, NULL);
    all->md5_gl = md5_gl_create(for_time ? get_quick_gl : get_gl, &md5, NULL);
    return all->md2_gl && all->md5_gl &&
           md2_gl_upload(all->md2_gl, all->md2, &all->md2_mesh, NULL) &&
           md5_gl_upload(all->md5_gl, all->md5, 0, &all->md5_mesh, NULL);
}

static void end_gl(crowd *all)
{
    md2_gl_free_mesh(all->md2_gl, &all->md2_mesh);
    md5_gl_free_mesh(all->md5_gl, &all->md5_mesh);
    md2_gl_destroy(all->md2_gl);
    md5_gl_destroy(all->md5_gl);
}

static void draw_md2(void *data)
{
    crowd *all = (crowd *)data;
    md2_gl_draw(all->md2_gl, &all->md2_mesh, 0, &all->md2_scene, all->md2_instances, all->count);
}

static void draw_md5(void *data)
{
    crowd *all = (crowd *)data;
    md5_gl_draw(all->md5_gl, &all->md5_mesh, 0, &all->md5_scene, all->md5_instances, all->count);
}

/* All that our code does for a frame of a crowd that the GPU poses. */
static void frame_md2_gpu(void *data)
{
    crowd   *all = (crowd *)data;
    uint32_t i;
    for (i = 0; i < all->count; ++i) {
        md2_advance(&all->md2_players[i], 1 / 60.0f);
        all->md2_instances[i].pose = md2_player_pose(&all->md2_players[i]);
    }
    draw_md2(all);
}

static void frame_md5_gpu(void *data)
{
    crowd   *all = (crowd *)data;
    uint32_t i;
    for (i = 0; i < all->count; ++i) {
        md5_advance(&all->md5_players[i], 1 / 60.0f);
        md5_player_pose(all->md5, &all->md5_players[i], all->pose, all->scratch);
        md5_pose_to_model_space(all->md5, all->pose, all->pose);
        md5_pose_palette(all->md5, all->pose,
                         all->palettes + (size_t)i * all->md5->joint_count * 12);
    }
    draw_md5(all);
}

static float *next_output(crowd *all, size_t floats)
{
    float *out;
    if (all->out_used + floats > all->out_size) all->out_used = 0;
    out = all->out + all->out_used;
    all->out_used += floats;
    return out;
}

/* The same on the processor alone. */
static void frame_md2_cpu(void *data)
{
    crowd   *all = (crowd *)data;
    uint32_t i;
    for (i = 0; i < all->count; ++i) {
        md2_pose pose;
        float   *out = next_output(all, (size_t)all->md2->vertex_count * 6);
        md2_advance(&all->md2_players[i], 1 / 60.0f);
        pose = md2_player_pose(&all->md2_players[i]);
        all->api->pose_md2(all->md2, &pose, out, 0, out + (size_t)all->md2->vertex_count * 3, 0);
    }
}

static void frame_md5_cpu(void *data)
{
    crowd   *all = (crowd *)data;
    uint32_t i, mesh;
    for (i = 0; i < all->count; ++i) {
        md5_advance(&all->md5_players[i], 1 / 60.0f);
        md5_player_pose(all->md5, &all->md5_players[i], all->pose, all->scratch);
        all->api->to_model_space(all->md5, all->pose, all->pose);
        for (mesh = 0; mesh < all->md5->mesh_count; ++mesh) {
            size_t count = all->md5->meshes[mesh].vertex_count;
            float *out = next_output(all, count * 6);
            all->api->skin(all->md5, mesh, all->pose, out, 0, out + count * 3, 0, NULL, 0);
        }
    }
}

static unsigned long gl_calls_of(crowd *all, bench_task draw, uint32_t count)
{
    all->count = count;
    draw.run(draw.data); /* the first may make room */
    fake_gl_start_count();
    draw.run(draw.data);
    CHECK_EQ(fake.mistakes, 0);
    CHECK_EQ(fake_gl_queries(), 0);
    return fake.calls;
}

static void rows_gl(crowd *all)
{
    static const uint32_t counts[] = { 1, 10, 100, 1000, 10000 };
    bench_task draws[2] = { { draw_md2, NULL }, { draw_md5, NULL } };
    if (!is_wanted("T13")) return;
    unsigned long most[2] = { 0, 0 };
    size_t kind, i;
    draws[0].data = draws[1].data = all;
    frame_md5_cpu(all);
    if (!CHECK(start_gl(all, false))) return;
    for (kind = 0; kind < 2; ++kind) {
        for (i = 0; i < sizeof counts / sizeof counts[0]; ++i) {
            unsigned long calls = gl_calls_of(all, draws[kind], counts[i]);
            if (kind == 1 && counts[i] > 1000)
                continue; /* its palettes take more than one texture */
            most[kind] = calls > most[kind] ? calls : most[kind];
        }
    }
    figure("T13", "GL calls a frame, MD2, 1 to 10,000 characters", "one call", (double)most[0], 1,
           BENCH_AT_MOST, 12);
    figure("T13", "GL calls a frame, MD5, 1 to 1,000 characters", "one call", (double)most[1], 1,
           BENCH_AT_MOST, 12);
    end_gl(all);
}

/* -- MD2: posing ------------------------------------------------------------------ */

typedef struct lerp_task {
    const bench_api *api;
    md2_model       *model;
    md2_pose         pose;
    float           *positions, *normals, *other_positions, *other_normals;
    bool             with_normals, unit;
} lerp_task;

static void lerp_ours(void *data)
{
    lerp_task *task = (lerp_task *)data;
    task->api->pose_md2(task->model, &task->pose, task->positions, 0,
                        task->with_normals ? task->normals : NULL, 0);
}

static void lerp_other(void *data)
{
    lerp_task *task = (lerp_task *)data;
    plain_lerp(task->model, task->pose.frame[0], task->pose.frame[1], task->pose.weight[1],
               task->other_positions);
    if (task->with_normals) {
        plain_lerp_normals(task->model, task->pose.frame[0], task->pose.frame[1],
                           task->pose.weight[1], task->unit, task->other_normals);
    }
}

static void clear_lerp(void *data)
{
    lerp_task *task = (lerp_task *)data;
    memset(task->other_positions, 1, (size_t)task->model->vertex_count * 3 * sizeof(float));
}

static void start_lerp(lerp_task *task, bench_bytes file)
{
    size_t size;
    memset(task, 0, sizeof *task);
    task->api = &usual;
    task->model = md2_load_memory(file.data, file.size, NULL, NULL);
    if (!CHECK(task->model != NULL && task->model->frame_count > 1)) exit(EXIT_FAILURE);
    size = (size_t)task->model->vertex_count * 3;
    task->positions = (float *)zeroes(size, sizeof(float));
    task->normals = (float *)zeroes(size, sizeof(float));
    task->other_positions = (float *)zeroes(size, sizeof(float));
    task->other_normals = (float *)zeroes(size, sizeof(float));
    task->pose = md2_pose_between(0, 1, 0.37f);
    bench_free(&file);
}

static void end_lerp(lerp_task *task)
{
    md2_free_model(task->model);
    free(task->positions);
    free(task->normals);
    free(task->other_positions);
    free(task->other_normals);
}

static double largest_difference(const float *a, const float *b, size_t count)
{
    double largest = 0;
    size_t i;
    for (i = 0; i < count; ++i) {
        double difference = fabs((double)a[i] - (double)b[i]);
        largest = difference > largest || difference != difference ? difference : largest;
    }
    return largest;
}

static void check_lerp(lerp_task *task)
{
    size_t count = (size_t)task->model->vertex_count * 3;
    int    i;
    task->with_normals = task->unit = true;
    for (i = 0; i < 2; ++i) {
        task->api = builds[i];
        lerp_ours(task);
        lerp_other(task);
        CHECK_NEAR(largest_difference(task->positions, task->other_positions, count), 0, 1e-4);
        CHECK_NEAR(largest_difference(task->normals, task->other_normals, count), 0, 1e-5);
    }
}

static void rows_lerp_limit(lerp_task *task, const char *name)
{
    bench_task ours = { lerp_ours, task }, other = { lerp_other, task },
               clear = { clear_lerp, task };
    double     vertices = task->model->vertex_count;
    int        i;
    task->with_normals = false;
    for (i = 0; i < 2; ++i) {
        task->api = builds[i];
        bench_row_result("T6", label("lerp a vertex", name, task->api), "Quake II's loop",
                         bench_compare(ours, other), vertices, BENCH_AT_LEAST, 0);
        bench_row_result("T6", label("lerp a vertex", name, task->api), "memset of the output",
                         bench_compare(ours, clear), vertices, BENCH_AT_MOST, i ? 0 : 2);
    }
}

static void rows_lerp(lerp_task *task, const char *name)
{
    bench_task ours = { lerp_ours, task }, other = { lerp_other, task };
    double     vertices = task->model->vertex_count;
    int        i;
    for (i = 0; i < 2; ++i) {
        task->api = builds[i];
        task->with_normals = false;
        bench_row_result("T6", label("lerp a vertex", name, task->api), "Quake II's loop",
                         bench_compare(ours, other), vertices, BENCH_AT_LEAST, i ? 1.0 : 2.4);
        task->with_normals = true;
        task->unit = false;
        bench_row_result("T7", label("with normals", name, task->api),
                         "the loop, normals left short", bench_compare(ours, other), vertices,
                         BENCH_AT_LEAST, i ? 0 : 2.3);
        task->unit = true;
        bench_row_result("T7", label("with normals", name, task->api), "the loop, unit normals too",
                         bench_compare(ours, other), vertices, BENCH_AT_LEAST, 0);
    }
}

static void rows_lerp_of(bench_bytes file, const char *name, bool at_limit)
{
    lerp_task task;
    start_lerp(&task, file);
    check_lerp(&task);
    if (at_limit) rows_lerp_limit(&task, name);
    else rows_lerp(&task, name);
    end_lerp(&task);
}

/* -- MD5: loading ------------------------------------------------------------------ */

static void load_meshes(void *data)
{
    file_set *set = (file_set *)data;
    size_t    i;
    for (i = 0; i < set->count; ++i) {
        set->api->free_mesh(
            set->api->load_mesh(set->files[i].data, set->files[i].size, NULL, NULL));
    }
}

static void load_meshes_plainly(void *data)
{
    file_set *set = (file_set *)data;
    size_t    i;
    for (i = 0; i < set->count; ++i) {
        plain_mesh mesh = plain_load_mesh((char *)set->files[i].data);
        plain_free_mesh(&mesh);
    }
}

static void prepare_meshes_plainly(void *data)
{
    file_set *set = (file_set *)data;
    size_t    i;
    for (i = 0; i < set->count; ++i) {
        plain_mesh mesh = plain_load_mesh((char *)set->files[i].data);
        sink = plain_prepare(&mesh);
        plain_free_mesh(&mesh);
    }
}

static void load_anims(void *data)
{
    file_set *set = (file_set *)data;
    size_t    i;
    for (i = 0; i < set->count; ++i) {
        set->api->free_anim(
            set->api->load_anim(set->files[i].data, set->files[i].size, NULL, NULL, NULL));
    }
}

static void load_anims_plainly(void *data)
{
    file_set *set = (file_set *)data;
    size_t    i;
    for (i = 0; i < set->count; ++i) {
        plain_anim anim = plain_load_anim((char *)set->files[i].data);
        plain_free_anim(&anim);
    }
}

/* All weights the same, to the bit. */
static bool is_same_mesh(const md5_model *model, const plain_mesh *mesh)
{
    uint32_t i, k;
    if ((int)model->joint_count != mesh->joint_count ||
        (int)model->mesh_count != mesh->parts_read) {
        return false;
    }
    for (i = 0; i < model->mesh_count; ++i) {
        const md5_mesh   *a = &model->meshes[i];
        const plain_part *b = &mesh->parts[i];
        if ((int)a->weight_count != b->weight_count || (int)a->vertex_count != b->vertex_count) {
            return false;
        }
        for (k = 0; k < a->weight_count; ++k) {
            if (memcmp(a->weights[k].position, b->weights[k].position, 3 * sizeof(float)) != 0 ||
                memcmp(&a->weights[k].bias, &b->weights[k].bias, sizeof(float)) != 0) {
                return false;
            }
        }
    }
    return true;
}

static bool is_same_anim(const md5_anim *anim, const plain_anim *plain)
{
    size_t count = (size_t)anim->frame_count * anim->component_count;
    return (int)anim->frame_count == plain->frame_count && plain->base &&
           (int)anim->joint_count == plain->joint_count &&
           (int)anim->component_count == plain->component_count &&
           memcmp(anim->base, plain->base, anim->joint_count * 6 * sizeof(float)) == 0 &&
           (count == 0 || (plain->components && memcmp(anim->components, plain->components,
                                                       count * sizeof(float)) == 0));
}

static bool reads_mesh_alike(const bench_bytes *file)
{
    md5_model *model = md5_load_model_memory(file->data, file->size, NULL, NULL);
    plain_mesh plain;
    bool       same = false;
    if (!model) return false;
    plain = plain_load_mesh((char *)file->data);
    same = is_same_mesh(model, &plain);
    plain_free_mesh(&plain);
    md5_free_model(model);
    return same;
}

static bool reads_anim_alike(const bench_bytes *file)
{
    md5_anim  *anim = md5_load_anim_memory(file->data, file->size, NULL, NULL, NULL);
    plain_anim plain;
    bool       same = false;
    if (!anim) return false;
    plain = plain_load_anim((char *)file->data);
    same = is_same_anim(anim, &plain);
    plain_free_anim(&plain);
    md5_free_anim(anim);
    return same;
}

/* The baseline reads well-formed files only, so others are left out; how many that may be, the
   caller knows. */
static size_t keep_alike(file_set *set, bool (*is_alike)(const bench_bytes *))
{
    size_t i, kept = 0, all = set->count;
    set->bytes = 0;
    for (i = 0; i < set->count; ++i) {
        if (is_alike(&set->files[i])) {
            set->bytes += set->files[i].size;
            set->files[kept++] = set->files[i];
        } else {
            bench_free(&set->files[i]);
        }
    }
    set->count = kept;
    return all - kept;
}

static void rows_mesh_load(file_set *set, const char *name)
{
    bench_task ours = { load_meshes, set }, other = { load_meshes_plainly, set };
    bench_task ready = { prepare_meshes_plainly, set }, copy = { copy_files, set };
    double     files = (double)set->count;
    int        i;
    if (!is_wanted("T8")) return;
    for (i = 0; i < 2; ++i) {
        set->api = builds[i];
        bench_row_result("T8", label("md5mesh load", name, set->api), "tokens by strtof, unchecked",
                         bench_compare(ours, other), files, BENCH_AT_LEAST, 4.5);
        bench_row_result("T8", label("md5mesh load", name, set->api),
                         "the same, then normals and tangents", bench_compare(ours, ready), files,
                         BENCH_AT_LEAST, 0);
    }
    set->api = &usual;
    bench_row_result("T8", label("md5mesh load", name, set->api),
                     "malloc, memcpy, free of the file", bench_compare(ours, copy), files,
                     BENCH_AT_MOST, 0);
#ifdef BENCH_ASSIMP
    if (set->count == 1) { /* of many files, some crash it */
        row_against_assimp("T8", label("md5mesh load", name, set->api), ours, set, "md5mesh", 6);
    }
#endif
}

static void rows_anim_load(file_set *set, const char *name)
{
    bench_task ours = { load_anims, set }, other = { load_anims_plainly, set };
    bench_task copy = { copy_files, set };
    double     files = (double)set->count;
    int        i;
    if (!is_wanted("T9")) return;
    for (i = 0; i < 2; ++i) {
        set->api = builds[i];
        bench_row_result("T9", label("md5anim load", name, set->api), "tokens by strtof, unchecked",
                         bench_compare(ours, other), files, BENCH_AT_LEAST, 6);
    }
    set->api = &usual;
    bench_row_result("T9", label("md5anim load", name, set->api),
                     "malloc, memcpy, free of the file", bench_compare(ours, copy), files,
                     BENCH_AT_MOST, 0);
}

/* -- MD5: posing ---------------------------------------------------------------------- */

typedef struct pose_task {
    const bench_api *api;
    md5_model       *model;
    md5_anim        *anim;
    md5_xform       *pose;
    float           *matrices, *other;
    double           time;
    uint32_t         from, to;
    float            t;
} pose_task;

static void pose_ours(void *data)
{
    pose_task *task = (pose_task *)data;
    uint32_t   i;
    task->api->pose_at(task->anim, MD5_LOOP, task->time, task->pose);
    task->api->to_model_space(task->model, task->pose, task->pose);
    for (i = 0; i < task->model->joint_count; ++i) {
        task->api->matrix(&task->pose[i], task->matrices + 16 * (size_t)i);
    }
}

static void pose_to_palette(void *data)
{
    pose_task *task = (pose_task *)data;
    task->api->pose_at(task->anim, MD5_LOOP, task->time, task->pose);
    task->api->to_model_space(task->model, task->pose, task->pose);
    task->api->palette(task->model, task->pose, task->matrices);
}

static void pose_other(void *data)
{
    pose_task *task = (pose_task *)data;
    plain_pose(task->anim, task->from, task->to, task->t, task->other);
}

static void palette_other(void *data)
{
    pose_task *task = (pose_task *)data;
    uint32_t   i;
    plain_pose(task->anim, task->from, task->to, task->t, task->other);
    for (i = 0; i < task->model->joint_count; ++i) {
        plain_compose(task->other + 12 * (size_t)i, task->model->joints[i].inverse_bind,
                      task->matrices + 12 * (size_t)i);
    }
}

static void start_pose(pose_task *task, bench_bytes mesh, bench_bytes anim)
{
    memset(task, 0, sizeof *task);
    task->api = &usual;
    task->model = md5_load_model_memory(mesh.data, mesh.size, NULL, NULL);
    task->anim = md5_load_anim_memory(anim.data, anim.size, NULL, NULL, NULL);
    if (!CHECK(task->model && task->anim && task->anim->joint_count == task->model->joint_count)) {
        exit(EXIT_FAILURE);
    }
    task->pose = (md5_xform *)zeroes(task->model->joint_count, sizeof(md5_xform));
    task->matrices = (float *)zeroes(task->model->joint_count, 16 * sizeof(float));
    task->other = (float *)zeroes(task->model->joint_count, 12 * sizeof(float));
    task->from = 2;
    task->to = 3;
    task->t = 0.4f;
    task->time = 2.4 / (double)task->anim->fps;
    bench_free(&mesh);
    bench_free(&anim);
}

static void end_pose(pose_task *task)
{
    md5_free_model(task->model);
    md5_free_anim(task->anim);
    free(task->pose);
    free(task->matrices);
    free(task->other);
}

static void check_pose(pose_task *task)
{
    double   largest = 0, reach = 1;
    uint32_t joint, k;
    int      i;
    for (i = 0; i < 2; ++i) {
        task->api = builds[i];
        pose_ours(task);
        pose_other(task);
        for (joint = 0; joint < task->model->joint_count; ++joint) {
            for (k = 0; k < 12; ++k) {
                double a = (double)task->matrices[16 * joint + k % 4 * 4 + k / 4];
                double b = (double)task->other[12 * joint + k], difference = fabs(a - b);
                reach = fabs(b) > reach ? fabs(b) : reach;
                largest = difference > largest || difference != difference ? difference : largest;
            }
        }
        CHECK_NEAR(largest / reach, 0, 2e-5);
    }
}

static void rows_pose(bench_bytes mesh, bench_bytes anim, const char *name)
{
    pose_task  task;
    bench_task ours = { pose_ours, NULL }, other = { pose_other, NULL };
    bench_task palette = { pose_to_palette, NULL }, other_palette = { palette_other, NULL };
    double     joints;
    int        i;
    start_pose(&task, mesh, anim);
    check_pose(&task);
    ours.data = other.data = palette.data = other_palette.data = &task;
    joints = task.model->joint_count;
    for (i = 0; i < 2; ++i) {
        task.api = builds[i];
        bench_row_result("T10", label("pose a joint", name, task.api), "plain slerp, to matrices",
                         bench_compare(ours, other), joints, BENCH_AT_LEAST, 2);
        bench_row_result("T10", label("pose a joint", name, task.api), "plain slerp, to a palette",
                         bench_compare(palette, other_palette), joints, BENCH_AT_LEAST, 0);
    }
    end_pose(&task);
}

/* -- MD5: skinning -------------------------------------------------------------------- */

typedef struct skin_task {
    const bench_api *api;
    md5_model       *model;
    md5_xform       *pose;
    float           *positions, *normals, *tangents, *other;
    unsigned char   *input;      /* 18 bytes a weight, as many as skinning reads */
    size_t           input_size;
    bool             with_normals, with_tangents, article;
} skin_task;

static void skin_ours(void *data)
{
    skin_task *task = (skin_task *)data;
    task->api->skin(task->model, 0, task->pose, task->positions, 0,
                    task->with_normals ? task->normals : NULL, 0,
                    task->with_tangents ? task->tangents : NULL, 0);
}

static void skin_other(void *data)
{
    skin_task *task = (skin_task *)data;
    plain_skin(&task->model->meshes[0], task->pose, task->article, task->other);
}

/* Reads the weights and writes the vertices; the quickest that either can be. */
static void skin_touch(void *data)
{
    skin_task *task = (skin_task *)data;
    size_t     i;
#ifdef __SSE2__
    __m128i sum = _mm_setzero_si128();
    for (i = 0; i + 16 <= task->input_size; i += 16) {
        sum = _mm_xor_si128(sum, _mm_loadu_si128((const __m128i *)(const void *)(task->input + i)));
    }
    sink = (float)_mm_cvtsi128_si32(sum);
#else
    uint64_t sum = 0, word;
    for (i = 0; i + 8 <= task->input_size; i += 8) {
        memcpy(&word, task->input + i, 8);
        sum ^= word;
    }
    sink = (float)sum;
#endif
    memset(task->other, 0, (size_t)task->model->meshes[0].vertex_count * 3 * sizeof(float));
}

static void start_skin(skin_task *task, bench_bytes mesh)
{
    size_t   vertices;
    uint32_t i;
    memset(task, 0, sizeof *task);
    task->api = &usual;
    task->model = md5_load_model_memory(mesh.data, mesh.size, NULL, NULL);
    if (!CHECK(task->model != NULL)) exit(EXIT_FAILURE);
    vertices = task->model->meshes[0].vertex_count;
    task->pose = (md5_xform *)zeroes(task->model->joint_count, sizeof(md5_xform));
    for (i = 0; i < task->model->joint_count; ++i) task->pose[i] = task->model->joints[i].bind;
    task->positions = (float *)zeroes(vertices, 3 * sizeof(float));
    task->normals = (float *)zeroes(vertices, 3 * sizeof(float));
    task->tangents = (float *)zeroes(vertices, 4 * sizeof(float));
    task->other = (float *)zeroes(vertices, 3 * sizeof(float));
    task->input_size = (size_t)task->model->meshes[0].weight_count * 18 + vertices * 8;
    task->input = (unsigned char *)zeroes(task->input_size, 1);
    bench_free(&mesh);
}

static void end_skin(skin_task *task)
{
    md5_free_model(task->model);
    free(task->pose);
    free(task->positions);
    free(task->normals);
    free(task->tangents);
    free(task->other);
    free(task->input);
}

static void check_skin(skin_task *task)
{
    size_t count = (size_t)task->model->meshes[0].vertex_count * 3;
    int    i;
    for (i = 0; i < 2; ++i) {
        task->api = builds[i];
        task->article = i == 1;
        skin_ours(task);
        skin_other(task);
        CHECK_NEAR(largest_difference(task->positions, task->other, count), 0, 2e-4);
    }
}

/* Two baselines: the article that everybody copies makes the quaternion unit for each weight. */
static void rows_skin_build(skin_task *task, const char *name, double bar)
{
    bench_task ours = { skin_ours, task }, other = { skin_other, task };
    double     vertices = task->model->meshes[0].vertex_count;
    task->article = true;
    bench_row_result("T11", label("skin a vertex", name, task->api), "the article's rotations",
                     bench_compare(ours, other), vertices, BENCH_AT_LEAST, bar);
    task->article = false;
    bench_row_result("T11", label("skin a vertex", name, task->api), "rotations, nothing made unit",
                     bench_compare(ours, other), vertices, BENCH_AT_LEAST, 0);
}

static void rows_skin(bench_bytes mesh, const char *name, bool at_limit)
{
    skin_task  task;
    bench_task ours = { skin_ours, NULL }, other = { skin_other, NULL },
               touch = { skin_touch, NULL };
    double     vertices;
    start_skin(&task, mesh);
    check_skin(&task);
    ours.data = other.data = touch.data = &task;
    vertices = task.model->meshes[0].vertex_count;
    task.api = &bench_plain_c;
    rows_skin_build(&task, name, 3.5);
    task.api = &usual;
    rows_skin_build(&task, name, 8);
    bench_row_result("T11", label("skin a vertex", name, task.api), "touching weights and output",
                     bench_compare(ours, touch), vertices, BENCH_AT_MOST, at_limit ? 1.3 : 0);
    task.with_normals = true;
    bench_row_result("T11", label("with normals", name, task.api), "rotations of positions only",
                     bench_compare(ours, other), vertices, BENCH_AT_LEAST, 0);
    task.with_tangents = true;
    bench_row_result("T11", label("with tangents", name, task.api), "rotations of positions only",
                     bench_compare(ours, other), vertices, BENCH_AT_LEAST, 0);
    end_skin(&task);
}

/* -- Players and the splitter ----------------------------------------------------------- */

static void advance_md2(void *data)
{
    crowd   *all = (crowd *)data;
    md2_pose pose;
    md2_advance(all->md2_players, 1 / 60.0f);
    pose = md2_player_pose(all->md2_players);
    sink = pose.weight[0];
}

static void advance_md5(void *data)
{
    crowd *all = (crowd *)data;
    sink = (float)md5_advance(all->md5_players, 1 / 60.0f);
}

/* Two frames and a share, by the remainder of a division. */
static double plain_seconds;
static void advance_plainly(void *data)
{
    crowd *all = (crowd *)data;
    const md2_anim *anim = &all->md2_players[0].track[0].anim;
    double place;
    plain_seconds += 1 / 60.0;
    place = fmod(plain_seconds * 10, (double)anim->count);
    sink = (float)(anim->first + (uint32_t)place) + (float)(place - floor(place));
}

typedef struct split_task {
    const char **names;
    uint32_t     count;
    md2_anim    *anims;
    plain_clip  *clips;
} split_task;

static void split_ours(void *data)
{
    split_task *task = (split_task *)data;
    sink = (float)md2_split_frame_names(task->names, task->count, NULL, task->anims, task->count);
}

static void split_other(void *data)
{
    split_task *task = (split_task *)data;
    sink = (float)plain_split(task->names, task->count, task->clips);
}

static void rows_split(const md2_model *model)
{
    split_task task;
    bench_task ours = { split_ours, NULL }, other = { split_other, NULL };
    uint32_t   i;
    task.count = model->frame_count;
    task.names = (const char **)zeroes(task.count, sizeof(char *));
    task.anims = (md2_anim *)zeroes(task.count, sizeof(md2_anim));
    task.clips = (plain_clip *)zeroes(task.count, sizeof(plain_clip));
    for (i = 0; i < task.count; ++i) task.names[i] = model->frames[i].name;
    ours.data = other.data = &task;
    CHECK_EQ(md2_split_frame_names(task.names, task.count, NULL, task.anims, task.count),
             model->anim_count);
    bench_row_result("", "animations from frame names, a name", "names less their digits",
                     bench_compare(ours, other), task.count, BENCH_AT_LEAST, 0);
    free(task.names);
    free(task.anims);
    free(task.clips);
}

static void rows_players(crowd *all)
{
    bench_task md2 = { advance_md2, NULL }, md5 = { advance_md5, NULL },
               plain = { advance_plainly, NULL };
    md2.data = md5.data = plain.data = all;
    bench_row_result("", "MD2 player: advance and pose", "a remainder and two frames",
                     bench_compare(md2, plain), 1, BENCH_AT_LEAST, 0);
    bench_row_result("", "MD5 player: advance", "a remainder and two frames",
                     bench_compare(md5, plain), 1, BENCH_AT_LEAST, 0);
    md2_play(all->md2_players, &all->md2->anims[1], MD2_LOOP, 1e9f);
    bench_row_result("", "MD2 player in a cross-fade", "a remainder and two frames",
                     bench_compare(md2, plain), 1, BENCH_AT_LEAST, 0);
    md2_play(all->md2_players, &all->md2->anims[0], MD2_LOOP, 0);
}

/* -- Crowds ---------------------------------------------------------------------------- */

static void crowd_line(const char *what, crowd *all, bench_task frame)
{
    static const uint32_t counts[] = { 1, 10, 100, 1000, 10000 };
    size_t i;
    printf(bench_table.markdown ? "| %s |" : "%-46s", what);
    for (i = 0; i < sizeof counts / sizeof counts[0]; ++i) {
        char text[24];
        all->count = counts[i];
        printf(bench_table.markdown ? " %s |" : " %9s", bench_time(bench_measure(frame), text));
        fflush(stdout);
    }
    printf("\n");
    ++bench_table.rows;
}

static void crowd_table(crowd *all)
{
    bench_task tasks[4] = { { frame_md2_cpu, NULL }, { frame_md5_cpu, NULL },
                            { frame_md2_gpu, NULL }, { frame_md5_gpu, NULL } };
    char title[80];
    int  i, build;
    if (bench_table.markdown) {
        printf("\n### CPU time for one frame of a crowd, one core\n\n");
        printf("| characters | 1 | 10 | 100 | 1,000 | 10,000 |\n|---|---:|---:|---:|---:|---:|\n");
    } else {
        printf("\nCPU time for one frame of a crowd, one core\n%-46s %9d %9d %9d %9d %9d\n",
               "characters", 1, 10, 100, 1000, 10000);
    }
    for (i = 0; i < 4; ++i) tasks[i].data = all;
    for (build = 0; build < 2; ++build) {
        all->api = builds[build];
        snprintf(title, sizeof title, "MD2, %u vertices with normals, %s",
                 (unsigned)all->md2->vertex_count, all->api->name);
        crowd_line(title, all, tasks[0]);
        snprintf(title, sizeof title, "MD5, %u vertices, %u joints, normals, %s",
                 (unsigned)all->md5->meshes[0].vertex_count, (unsigned)all->md5->joint_count,
                 all->api->name);
        crowd_line(title, all, tasks[1]);
    }
    all->api = &usual;
    if (!CHECK(start_gl(all, true))) return;
    crowd_line("MD2, submitted to the GPU", all, tasks[2]);
    crowd_line("MD5, submitted to the GPU", all, tasks[3]);
    end_gl(all);
}

/* -- From small to large ---------------------------------------------------------------- */

static double set_seconds(bench_bytes bytes, void (*run)(void *))
{
    file_set  *set = (file_set *)zeroes(1, sizeof(file_set));
    bench_task task = { NULL, NULL };
    double     seconds;
    task.run = run;
    task.data = set;
    set->api = &usual;
    add_bytes(set, bytes);
    seconds = bench_measure(task);
    free_set(set);
    free(set);
    return seconds;
}

static void curve_load_md2(void)
{
    static const struct { uint32_t across, frames; } sizes[] = {
        { 4, 1 }, { 4, 64 }, { 16, 64 }, { 32, 64 }, { 64, 64 }, { 128, 64 }, { 256, 16 },
        { 4, 4096 }, { 4, 65536 } };
    bench_curve curve = bench_begin_curve("MD2 load", "ns a byte");
    size_t      i;
    for (i = 0; i < sizeof sizes / sizeof sizes[0]; ++i) {
        bench_bytes bytes = bench_sheet(sizes[i].across, sizes[i].across, sizes[i].frames, false);
        size_t      size = bytes.size;
        bench_curve_point(&curve, size, set_seconds(bytes, load_md2_files) / (double)size);
    }
    bench_end_curve(&curve);
}

static void curve_load_md5(void)
{
    static const uint32_t vertices[] = { 32, 256, 2048, 16384, 65536 };
    bench_curve curve = bench_begin_curve("md5mesh load", "ns a byte");
    size_t      i;
    for (i = 0; i < sizeof vertices / sizeof vertices[0]; ++i) {
        bench_bytes bytes = bench_tubes(vertices[i], 64, 0);
        size_t      size = bytes.size;
        bench_curve_point(&curve, size, set_seconds(bytes, load_meshes) / (double)size);
    }
    bench_end_curve(&curve);
    curve = bench_begin_curve("md5anim load", "ns a byte");
    for (i = 1; i <= 4096; i *= 8) {
        bench_bytes bytes = bench_motion(64, (uint32_t)i);
        size_t      size = bytes.size;
        bench_curve_point(&curve, size, set_seconds(bytes, load_anims) / (double)size);
    }
    bench_end_curve(&curve);
}

static void curve_lerp(bool with_normals)
{
    static const uint32_t across[] = { 4, 16, 64, 128, 256 };
    bench_curve           curve =
        bench_begin_curve(with_normals ? "MD2 lerp with normals" : "MD2 lerp", "ns a vertex");
    size_t      i;
    for (i = 0; i < 6; ++i) {
        bool      torn = i == 5;
        lerp_task task;
        bench_task ours = { lerp_ours, NULL };
        start_lerp(&task, bench_sheet(torn ? 256 : across[i], torn ? 256 : across[i], 2, torn));
        task.with_normals = with_normals;
        ours.data = &task;
        bench_curve_point(&curve, task.model->vertex_count,
                          bench_measure(ours) / task.model->vertex_count);
        end_lerp(&task);
    }
    bench_end_curve(&curve);
}

static void curve_pose(void)
{
    static const uint32_t joints[] = { 1, 8, 64, 512, 4096, 32768 };
    bench_curve curve = bench_begin_curve("pose to a palette", "ns a joint");
    size_t      i;
    for (i = 0; i < sizeof joints / sizeof joints[0]; ++i) {
        pose_task  task;
        bench_task ours = { pose_to_palette, NULL };
        start_pose(&task, bench_tubes(32, joints[i], 1), bench_motion(joints[i], 6));
        ours.data = &task;
        bench_curve_point(&curve, joints[i], bench_measure(ours) / joints[i]);
        end_pose(&task);
    }
    bench_end_curve(&curve);
}

static void curve_skin(bool with_normals, uint32_t joints)
{
    static const uint32_t vertices[] = { 32, 256, 2048, 16384, 65536, 262144 };
    char        what[64];
    bench_curve curve;
    size_t      i;
    snprintf(what, sizeof what, "skinning%s, %u joints", with_normals ? " with normals" : "",
             (unsigned)joints);
    curve = bench_begin_curve(what, "ns a vertex");
    for (i = 0; i < sizeof vertices / sizeof vertices[0]; ++i) {
        skin_task  task;
        bench_task ours = { skin_ours, NULL };
        start_skin(&task, bench_tubes(vertices[i], joints, 0));
        task.with_normals = with_normals;
        ours.data = &task;
        bench_curve_point(&curve, vertices[i], bench_measure(ours) / vertices[i]);
        end_skin(&task);
    }
    bench_end_curve(&curve);
}

static void curve_draw(crowd *all, void (*draw)(void *), const char *what)
{
    bench_curve curve = bench_begin_curve(what, "ns a character");
    bench_task  task = { NULL, NULL };
    uint32_t    count;
    task.run = draw;
    task.data = all;
    for (count = 1; count <= 10000; count *= 10) {
        all->count = count;
        bench_curve_point(&curve, count, bench_measure(task) / count);
    }
    bench_end_curve(&curve);
}

static void curves(crowd *all)
{
    printf(bench_table.markdown ? "\n### From small to large\n"
                                : "\nFrom small to large (size:cost)\n");
    curve_load_md2();
    curve_load_md5();
    curve_lerp(false);
    curve_lerp(true);
    curve_pose();
    curve_skin(false, 64);
    curve_skin(true, 64);
    curve_skin(false, 256);
    if (!CHECK(start_gl(all, true))) return;
    curve_draw(all, draw_md2, "drawing MD2");
    curve_draw(all, draw_md5, "drawing MD5");
    end_gl(all);
}

/* -- What the headers cost to compile ------------------------------------------------------ */

#ifndef BENCH_CC
  #define BENCH_CC "cc"
#endif

typedef struct compile_task {
    char command[4096], object[1024];
} compile_task;

static void compile(void *data)
{
    const compile_task *task = (const compile_task *)data;
    if (system(task->command) != 0) {
        printf("this failed: %s\n", task->command);
        exit(EXIT_FAILURE);
    }
}

static compile_task plan_compile(const char *folder, const char *name, const char *source)
{
    compile_task task;
    char path[900];
    snprintf(path, sizeof path, "%s/bench_%s.c", folder, name);
    CHECK(write_file(path, source, strlen(source)));
    snprintf(task.object, sizeof task.object, "%s/bench_%s.o", folder, name);
    snprintf(task.command, sizeof task.command, "%s -std=c99 -O2 -w -I. -c -o %s %s", BENCH_CC,
             task.object, path);
    return task;
}

/* Code and constants, as the program `size` has them. */
static double text_bytes(const compile_task *task)
{
    char  command[1100], line[256];
    long  text = 0;
    FILE *pipe;
    snprintf(command, sizeof command, "size %s", task->object);
    pipe = popen(command, "r");
    if (!pipe) return 0;
    while (fgets(line, sizeof line, pipe)) sscanf(line, "%ld", &text);
    pclose(pipe);
    return (double)text;
}

static void rows_cost(const char *folder)
{
    static const double bars[2] = { 0.23, 0.47 };
    static const char *const names[2] = { "md2", "md5" };
    static const char *const sources[2] = {
        "#define MD2_IMPLEMENTATION\n#include \"md2.h\"\n",
        "#define MD5_IMPLEMENTATION\n#include \"md5.h\"\n" };
    compile_task stb = plan_compile(folder, "stb", "#define STB_IMAGE_IMPLEMENTATION\n"
                                                   "#include <stb/stb_image.h>\n");
    bench_task   other = { compile, NULL };
    int          i;
    if (!is_wanted("T14")) return;
    bench_heading("The cost of compiling");
    other.data = &stb;
    for (i = 0; i < 2; ++i) {
        compile_task task = plan_compile(folder, names[i], sources[i]);
        bench_task   ours = { compile, NULL };
        char         what[64];
        bench_result result;
        ours.data = &task;
        result = bench_compare_by(bench_childrens_time, ours, other, 3);
        snprintf(what, sizeof what, "%s.h, compile time at -O2, without GL", names[i]);
        bench_row_result("T14", what, "stb_image.h", result, 1, BENCH_AT_MOST, bars[i]);
        snprintf(what, sizeof what, "%s.h, bytes of code, without GL", names[i]);
        figure("T14", what, "stb_image.h", text_bytes(&task), text_bytes(&stb), BENCH_AT_MOST,
               bars[i]);
    }
}

static struct { unsigned meshes, anims; } left_out; /* files that the baseline reads otherwise */

/* -- All of it --------------------------------------------------------------------------- */

static void own_md2(const char *folder, file_set *set)
{
    bench_heading("MD2: loading and memory");
    add_bytes(set, must_read(folder, "tris.md2"));
    add_bytes(set, must_read(folder, "weapon.md2"));
    keep_good_md2(set);
    CHECK_EQ(set->count, 2);
    rows_md2_load(set, "character");
    rows_md2_borrow(set, "character");
    rows_memory(set, 0, "character", 1.1);
    rows_gpu_bytes(set, "character");
    free_set(set);
    add_bytes(set, bench_sheet(256, 256, 64, false));
    keep_good_md2(set);
    rows_md2_load(set, "17 MB sheet");
    free_set(set);
}

static void mesh_rows(file_set *set, const char *name)
{
    CHECK_EQ(keep_alike(set, reads_mesh_alike), 0);
    rows_mesh_load(set, name);
    rows_memory(set, 1, name, 1.5);
    free_set(set);
}

static void anim_rows(file_set *set, const char *name)
{
    CHECK_EQ(keep_alike(set, reads_anim_alike), 0);
    rows_anim_load(set, name);
    rows_memory(set, 2, name, 0.65);
    free_set(set);
}

static void own_md5(const char *folder, file_set *set)
{
    bench_heading("MD5: loading and memory");
    add_bytes(set, must_read(folder, "robot.md5mesh"));
    mesh_rows(set, "character");
    add_bytes(set, bench_tubes(2272, 80, 0));
    mesh_rows(set, "tubes");
    add_folder(set, folder, ".md5anim");
    CHECK_EQ(set->count, 20);
    anim_rows(set, "character");
    add_bytes(set, bench_motion(80, 60));
    anim_rows(set, "tubes");
}

static void foreign_md2(file_set *set)
{
    add_models(set, "md2", ".md2");
    keep_good_md2(set);
    if (!set->count) return;
    bench_heading("The models in $MODELS");
    rows_md2_load(set, "$MODELS");
    rows_md2_borrow(set, "$MODELS");
    rows_memory(set, 0, "$MODELS", 1.1);
    rows_gpu_bytes(set, "$MODELS");
    free_set(set);
}

static void foreign_md5(file_set *set)
{
    add_models(set, "md5", ".md5mesh");
    left_out.meshes = (unsigned)keep_alike(set, reads_mesh_alike);
    if (set->count) {
        rows_mesh_load(set, "$MODELS");
        rows_memory(set, 1, "$MODELS", 1.5);
    }
    free_set(set);
    add_models(set, "md5", ".md5anim");
    left_out.anims = (unsigned)keep_alike(set, reads_anim_alike);
    if (set->count) {
        rows_anim_load(set, "$MODELS");
        rows_memory(set, 2, "$MODELS", 0.65);
    }
    free_set(set);
}

static void loading(const char *folder)
{
    file_set *set = (file_set *)zeroes(1, sizeof(file_set));
    own_md2(folder, set);
    own_md5(folder, set);
    foreign_md2(set);
    foreign_md5(set);
    free(set);
}

static void posing(const char *folder, crowd *all)
{
    bench_heading("Posing, skinning, drawing");
    if (is_wanted("T6") || is_wanted("T7")) {
        rows_lerp_of(bench_sheet(64, 32, 2, false), "2048", false);
        rows_lerp_of(must_read(folder, "tris.md2"), "character", false);
        rows_lerp_of(bench_sheet(256, 256, 2, true), "390,150", true);
    }
    if (is_wanted("T10")) {
        rows_pose(must_read(folder, "robot.md5mesh"), must_read(folder, "run.md5anim"),
                  "character");
        rows_pose(bench_tubes(64, 80, 0), bench_motion(80, 8), "80 joints");
    }
    if (is_wanted("T11")) {
        rows_skin(must_read(folder, "robot.md5mesh"), "character", false);
        rows_skin(bench_tubes(2272, 80, 0), "2272, 2.25 weights", false);
        rows_skin(bench_tubes(50176, 64, 4), "50,176, 4 weights", true);
    }
    if (is_wanted("players")) rows_players(all);
    if (is_wanted("names")) rows_split(all->md2);
    rows_gl(all);
}

#define BENCH_ROWS 110 /* so many there are without $MODELS */

int main(int argc, char **argv)
{
    static crowd all;
    const char  *format = getenv("FORMAT");
    if (argc != 3) {
        fprintf(stderr, "usage: %s character-folder build-folder\n", argv[0]);
        return EXIT_FAILURE;
    }
    bench_table.markdown = format && strcmp(format, "markdown") == 0;
    gl_memory = (unsigned char *)zeroes(GL_MEMORY, 1);
    load_crowd(&all, argv[1]);
    loading(argv[1]);
    posing(argv[1], &all);
    rows_cost(argv[2]);
    if (is_wanted("crowd")) crowd_table(&all);
    if (is_wanted("curves")) curves(&all);
    free_crowd(&all);
    free(gl_memory);
    printf(
        "\nbar: at most so many times the floor, or at least so many times faster than the other; "
        "%u of %u bars reached\n",
        bench_table.reached, bench_table.bars);
    if (left_out.meshes + left_out.anims) {
        printf("left out, as the baseline does not read them alike: %u md5mesh, %u md5anim\n",
               left_out.meshes, left_out.anims);
    }
    CHECK_FLOOR(bench_table.rows, getenv("ONLY") ? 1 : BENCH_ROWS, "rows");
    return check_finish();
}
