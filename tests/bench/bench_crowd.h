/* A crowd of both kinds: posed on the CPU, or submitted to a GL that only copies. Public domain. */
#ifndef BENCH_CROWD_H_INCLUDED
#define BENCH_CROWD_H_INCLUDED

#include "fake_gl.h"

/* -- OpenGL -------------------------------------------------------------------------- */

/* The fake GL reads and checks everything, which takes time. These stand in for it where time is
   measured: a driver copies uploads in any case. */
static unsigned char *gl_memory;
enum { GL_MEMORY = 64 << 20 };

#ifdef __GNUC__
  #pragma GCC diagnostic push
  #pragma GCC diagnostic ignored "-Wunused-parameter"
#endif

static void quick_buffer_data(unsigned target, ptrdiff_t size, const void *data, unsigned usage)
{
    if (data && size <= GL_MEMORY) memcpy(gl_memory, data, (size_t)size);
}

/* A texel has four numbers: GL_UNSIGNED_BYTE, GL_UNSIGNED_SHORT, or else GL_FLOAT. */
static ptrdiff_t image_bytes(int width, int height, unsigned type)
{
    return (ptrdiff_t)width * height * (type == 0x1401 ? 4 : type == 0x1403 ? 8 : 16);
}

static void quick_sub_image(unsigned target, int level, int x, int y, int width, int height,
                            unsigned format, unsigned type, const void *data)
{
    quick_buffer_data(target, image_bytes(width, height, type), data, 0);
}

static void quick_image(unsigned target, int level, int storage, int width, int height, int border,
                        unsigned format, unsigned type, const void *data)
{
    quick_buffer_data(target, image_bytes(width, height, type), data, 0);
}

static void quick_draw(unsigned mode, int count, unsigned type, const void *indices, int instances)
{
}

/* The fake calls calls mistakes that the quick functions kept from it. */
static unsigned quick_error(void) { return 0; }

#ifdef __GNUC__
  #pragma GCC diagnostic pop
#endif

static fake_gl_proc get_quick_gl(const char *name)
{
    static const struct { const char *name; fake_gl_proc proc; } quick[] = {
        { "glBufferData", (fake_gl_proc)quick_buffer_data },
        { "glTexImage2D", (fake_gl_proc)quick_image },
        { "glTexSubImage2D", (fake_gl_proc)quick_sub_image },
        { "glGetError", (fake_gl_proc)quick_error },
        { "glDrawElementsInstanced", (fake_gl_proc)quick_draw } };
    size_t i;
    for (i = 0; i < sizeof quick / sizeof quick[0]; ++i) {
        if (strcmp(name, quick[i].name) == 0) return quick[i].proc;
    }
    return fake_gl_get_proc(name);
}

/* -- Crowds ---------------------------------------------------------------------------- */

enum { MOST_INSTANCES = 10000, OUT_FLOATS = 16 << 20 };

static const uint32_t crowd_sizes[] = { 1, 10, 100, 1000, 10000 };
enum { CROWD_SIZES = sizeof crowd_sizes / sizeof crowd_sizes[0] };

static struct crowd {
    uint32_t         count;
    md2_gl          *md2_gl;
    md2_gl_mesh      md2_mesh;
    md2_gl_scene     md2_scene;
    md2_gl_instance  md2_instances[MOST_INSTANCES];
    md2_player       md2_players[MOST_INSTANCES];
    md5_gl          *md5_gl;
    md5_gl_mesh      md5_mesh;
    md5_gl_scene     md5_scene;
    md5_gl_instance  md5_instances[MOST_INSTANCES];
    md5_player       md5_players[MOST_INSTANCES];
    md5_xform       *scratch;
    float           *palettes;
    float           *out; /* as a mapped buffer: written front to back, over and over */
    size_t           out_used;
} crowd;

static void place_instance(float transform[16], uint32_t i)
{
    transform[0] = transform[5] = transform[10] = transform[15] = 1;
    transform[12] = (float)(i % 100) * 40;
    transform[13] = (float)(i / 100) * 40;
}

static void load_crowd(const char *folder)
{
    bench_bytes md2 = bench_read(folder, "tris.md2"), anim = bench_read(folder, "run.md5anim");
    uint32_t    i;
    size_t      palette;
    load_md5(bench_read(folder, "robot.md5mesh"));
    on.md2 = md2_load_memory(md2.data, md2.size, NULL, NULL);
    on.anim = md5_load_anim_memory(anim.data, anim.size, "run", NULL, NULL);
    if (!CHECK(on.md2 && on.anim)) exit(EXIT_FAILURE);
    palette = (size_t)on.md5->joint_count * 12;
    crowd.palettes = zero_floats(palette * MOST_INSTANCES);
    crowd.scratch = (md5_xform *)zeroes(on.md5->joint_count, sizeof(md5_xform));
    crowd.out = zero_floats(OUT_FLOATS);
    gl_memory = (unsigned char *)zeroes(GL_MEMORY, 1);
    for (i = 0; i < MOST_INSTANCES; ++i) {
        md2_play(&crowd.md2_players[i], &on.md2->anims[i % on.md2->anim_count], MD2_LOOP, 0);
        md2_seek(&crowd.md2_players[i], i * 0.0137);
        md5_play(&crowd.md5_players[i], on.anim, MD5_LOOP, 0);
        md5_seek(&crowd.md5_players[i], i * 0.0137);
        place_instance(crowd.md2_instances[i].transform, i);
        place_instance(crowd.md5_instances[i].transform, i);
        crowd.md5_instances[i].palette = crowd.palettes + i * palette;
    }
    bench_free(&md2);
    bench_free(&anim);
}

static void free_crowd(void)
{
    md2_free_model(on.md2);
    md5_free_anim(on.anim);
    free_md5();
    free(crowd.scratch);
    free(crowd.palettes);
    free(crowd.out);
    free(gl_memory);
}

static void start_gl(void)
{
    md2_gl_options md2;
    md5_gl_options md5;
    memset(&md2, 0, sizeof md2);
    memset(&md5, 0, sizeof md5);
    md2.leave_state = md5.leave_state = true;
    fake_gl_reset();
    crowd.md2_gl = md2_gl_create(get_quick_gl, &md2, NULL);
    crowd.md5_gl = md5_gl_create(get_quick_gl, &md5, NULL);
    if (!CHECK(crowd.md2_gl && crowd.md5_gl &&
               md2_gl_upload(crowd.md2_gl, on.md2, &crowd.md2_mesh, NULL) &&
               md5_gl_upload(crowd.md5_gl, on.md5, 0, &crowd.md5_mesh, NULL))) {
        exit(EXIT_FAILURE);
    }
}

static void end_gl(void)
{
    md2_gl_free_mesh(crowd.md2_gl, &crowd.md2_mesh);
    md5_gl_free_mesh(crowd.md5_gl, &crowd.md5_mesh);
    md2_gl_destroy(crowd.md2_gl);
    md5_gl_destroy(crowd.md5_gl);
}

static void draw_md2(void)
{
    md2_gl_draw(crowd.md2_gl, &crowd.md2_mesh, 0, &crowd.md2_scene, crowd.md2_instances,
                crowd.count);
}

static void draw_md5(void)
{
    md5_gl_draw(crowd.md5_gl, &crowd.md5_mesh, 0, &crowd.md5_scene, crowd.md5_instances,
                crowd.count);
}

static void submit_md2(void)
{
    uint32_t i;
    for (i = 0; i < crowd.count; ++i) {
        md2_advance(&crowd.md2_players[i], 1 / 60.0f);
        crowd.md2_instances[i].pose = md2_player_pose(&crowd.md2_players[i]);
    }
    draw_md2();
}

static void submit_md5(void)
{
    uint32_t i;
    for (i = 0; i < crowd.count; ++i) {
        md5_advance(&crowd.md5_players[i], 1 / 60.0f);
        md5_player_pose(on.md5, &crowd.md5_players[i], on.pose, crowd.scratch);
        md5_pose_to_model_space(on.md5, on.pose, on.pose);
        md5_pose_palette(on.md5, on.pose, crowd.palettes + (size_t)i * on.md5->joint_count * 12);
    }
    draw_md5();
}

static float *next_output(size_t floats)
{
    float *out;
    if (crowd.out_used + floats > OUT_FLOATS) crowd.out_used = 0;
    out = crowd.out + crowd.out_used;
    crowd.out_used += floats;
    return out;
}

static void pose_md2_crowd(void)
{
    uint32_t i;
    for (i = 0; i < crowd.count; ++i) {
        md2_pose pose;
        float   *out = next_output((size_t)on.md2->vertex_count * 6);
        md2_advance(&crowd.md2_players[i], 1 / 60.0f);
        pose = md2_player_pose(&crowd.md2_players[i]);
        md2_pose_vertices(on.md2, &pose, out, 0, out + (size_t)on.md2->vertex_count * 3, 0);
    }
}

static void pose_md5_crowd(void)
{
    uint32_t i, mesh;
    for (i = 0; i < crowd.count; ++i) {
        md5_advance(&crowd.md5_players[i], 1 / 60.0f);
        md5_player_pose(on.md5, &crowd.md5_players[i], on.pose, crowd.scratch);
        md5_pose_to_model_space(on.md5, on.pose, on.pose);
        for (mesh = 0; mesh < on.md5->mesh_count; ++mesh) {
            size_t count = on.md5->meshes[mesh].vertex_count;
            float *out = next_output(count * 6);
            md5_pose_vertices(on.md5, mesh, on.pose, out, 0, out + count * 3, 0, NULL, 0);
        }
    }
}

static void crowd_line(const char *what, bench_task frame)
{
    char text[24];
    int  i;
    printf(bench_table.markdown ? "| %s |" : "%-46s", what);
    for (i = 0; i < CROWD_SIZES; ++i) {
        crowd.count = crowd_sizes[i];
        printf(bench_table.markdown ? " %s |" : " %9s", bench_time(bench_measure(frame), text));
        fflush(stdout);
    }
    printf("\n");
    ++bench_table.rows;
}

static void crowd_table(const char *folder)
{
    static const char title[] = "CPU time for one frame of a crowd, one core";
    char what[80];
    load_crowd(folder);
    if (bench_table.markdown) {
        printf("\n### %s\n\n| characters | 1 | 10 | 100 | 1,000 | 10,000 |\n", title);
        printf("|---|---:|---:|---:|---:|---:|\n");
    } else {
        printf("\n%s\n%-46s %9d %9d %9d %9d %9d\n", title, "characters", 1, 10, 100, 1000, 10000);
    }
    snprintf(what, sizeof what, "MD2, %u vertices with normals, %s", (unsigned)on.md2->vertex_count,
             build_name);
    crowd_line(what, pose_md2_crowd);
    snprintf(what, sizeof what, "MD5, %u vertices, %u joints, normals, %s",
             (unsigned)on.md5->meshes[0].vertex_count, (unsigned)on.md5->joint_count, build_name);
    crowd_line(what, pose_md5_crowd);
    start_gl();
    crowd_line("MD2, submitted to the GPU", submit_md2);
    crowd_line("MD5, submitted to the GPU", submit_md5);
    end_gl();
    free_crowd();
}

#endif /* BENCH_CROWD_H_INCLUDED */
