/* bench_crowd.h: crowds of MD2 and MD5 characters, posed on the CPU or submitted to a GL that only copies data. Public
   domain. */
#ifndef BENCH_CROWD_H_INCLUDED
#define BENCH_CROWD_H_INCLUDED

/* -- OpenGL -------------------------------------------------------------------------- */

/* The fake GL reads and checks everything, which takes time. These functions replace it for measuring; they copy
   uploads, as any driver does. */
static unsigned char *gl_memory;
enum { GL_MEMORY = 64 << 20 };

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"

static void quick_buffer_data(unsigned target, ptrdiff_t size, const void *data, unsigned usage)
{
    if (data && size <= GL_MEMORY) memcpy(gl_memory, data, (size_t)size);
}

/* Returns the bytes of an image of four numbers per texel: GL_UNSIGNED_BYTE, GL_UNSIGNED_SHORT, or GL_FLOAT. */
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

/* Returns no error; the fake GL would report mistakes because it has not seen the calls of the quick functions. */
static unsigned quick_error(void) { return 0; }

#pragma GCC diagnostic pop

static fake_gl_proc get_quick_gl(const char *name)
{
    static const struct { const char *name; fake_gl_proc proc; } quick[] = {
        { "glBufferData", (fake_gl_proc)quick_buffer_data },
        { "glTexImage2D", (fake_gl_proc)quick_image },
        { "glTexSubImage2D", (fake_gl_proc)quick_sub_image },
        { "glGetError", (fake_gl_proc)quick_error },
        { "glDrawElementsInstanced", (fake_gl_proc)quick_draw } };
    for (size_t i = 0; i < sizeof quick / sizeof quick[0]; ++i) {
        if (strcmp(name, quick[i].name) == 0) return quick[i].proc;
    }
    return fake_gl_get_proc(name);
}

/* -- Crowds ---------------------------------------------------------------------------- */

enum { OUT_FLOATS = 16 << 20 };

static const uint32_t crowd_sizes[] = { 1, 10, 100, 1000, 10000 };
enum { CROWD_SIZES = sizeof crowd_sizes / sizeof crowd_sizes[0] };

static struct crowd_poses {
    md2_player md2_players[MAX_INSTANCES];
    md5_player md5_players[MAX_INSTANCES];
    md5_xform  scratch[MAX_JOINTS];
    float     *palettes;
    float     *out; /* output, like a mapped buffer: written from front to back, again and again */
    size_t     out_used;
} poses;

static void place_instance(float transform[16], uint32_t i)
{
    transform[0] = transform[5] = transform[10] = transform[15] = 1;
    transform[12] = (float)(i % 100) * 40;
    transform[13] = (float)(i / 100) * 40;
}

static void *zeroes(size_t size) { return memset(malloc_or_abort(size), 0, size); }

static void start_crowd(void)
{
    size_t palette = (size_t)inputs.md5->joint_count * 12;
    poses.palettes = (float *)zeroes(palette * MAX_INSTANCES * sizeof(float));
    poses.out = (float *)zeroes(OUT_FLOATS * sizeof(float));
    gl_memory = (unsigned char *)zeroes(GL_MEMORY);
    for (uint32_t i = 0; i < MAX_INSTANCES; ++i) {
        md2_play(&poses.md2_players[i], &inputs.md2->anims[i % inputs.md2->anim_count], MD2_LOOP, 0);
        md2_seek(&poses.md2_players[i], i * 0.0137);
        md5_play(&poses.md5_players[i], inputs.anim, MD5_LOOP, 0);
        md5_seek(&poses.md5_players[i], i * 0.0137);
        place_instance(crowd.md2_instances[i].transform, i);
        place_instance(crowd.md5_instances[i].transform, i);
        crowd.md5_instances[i].palette = poses.palettes + i * palette;
    }
}

static md2_pose advance_md2(uint32_t i)
{
    md2_advance(&poses.md2_players[i], 1 / 60.0f);
    return md2_player_pose(&poses.md2_players[i]);
}

/* Advances a player and writes its pose to inputs.pose. */
static void advance_md5(uint32_t i)
{
    md5_advance(&poses.md5_players[i], 1 / 60.0f);
    md5_player_pose(inputs.md5, &poses.md5_players[i], inputs.pose, poses.scratch);
    md5_pose_to_model_space(inputs.md5, inputs.pose, inputs.pose);
}

static void submit_md2(void)
{
    for (uint32_t i = 0; i < crowd.count; ++i) crowd.md2_instances[i].pose = advance_md2(i);
    draw_md2();
}

static void submit_md5(void)
{
    for (uint32_t i = 0; i < crowd.count; ++i) {
        advance_md5(i);
        md5_pose_palette(inputs.md5, inputs.pose, poses.palettes + (size_t)i * inputs.md5->joint_count * 12);
    }
    draw_md5();
}

static float *next_output(size_t floats)
{
    if (poses.out_used + floats > OUT_FLOATS) poses.out_used = 0;
    float *out = poses.out + poses.out_used;
    poses.out_used += floats;
    return out;
}

static void pose_md2_crowd(void)
{
    size_t floats = (size_t)inputs.md2->vertex_count * 3;
    for (uint32_t i = 0; i < crowd.count; ++i) {
        md2_pose pose = advance_md2(i);
        float   *out = next_output(floats * 2);
        md2_pose_vertices(inputs.md2, &pose, out, 0, out + floats, 0);
    }
}

static void pose_md5_crowd(void)
{
    for (uint32_t i = 0; i < crowd.count; ++i) {
        advance_md5(i);
        for (uint32_t mesh = 0; mesh < inputs.md5->mesh_count; ++mesh) {
            size_t floats = (size_t)inputs.md5->meshes[mesh].vertex_count * 3;
            float *out = next_output(floats * 2);
            md5_pose_vertices(inputs.md5, mesh, inputs.pose, out, 0, out + floats, 0, NULL, 0);
        }
    }
}

/* These functions do the same with plain code. For MD2, it is Quake II's loop with unit normals. For MD5, it is the
   code of the well-known article for a pose and for the rotation of each weight, without normals. */
static void pose_md2_crowd_plainly(void)
{
    size_t floats = (size_t)inputs.md2->vertex_count * 3;
    for (uint32_t i = 0; i < crowd.count; ++i) {
        md2_pose pose = advance_md2(i);
        float   *out = next_output(floats * 2);
        plain_lerp(inputs.md2, pose.frame[0], pose.frame[1], pose.weight[1], out);
        plain_lerp_normals(inputs.md2, pose.frame[0], pose.frame[1], pose.weight[1], out + floats);
    }
}

static void pose_md5_crowd_plainly(void)
{
    for (uint32_t i = 0; i < crowd.count; ++i) {
        uint32_t frame = i % (inputs.anim->frame_count - 1);
        plain_pose(inputs.anim, frame, frame + 1, 0.4f, inputs.other_matrices);
        for (uint32_t mesh = 0; mesh < inputs.md5->mesh_count; ++mesh) {
            float *out = next_output((size_t)inputs.md5->meshes[mesh].vertex_count * 3);
            plain_skin(&inputs.md5->meshes[mesh], inputs.pose, out);
        }
    }
}

/* Returns how many characters one core animates in a sixtieth of a second. */
static double count_animated(bench_task frame)
{
    crowd.count = 1000;
    return crowd.count / 60.0 / bench_measure(frame);
}

/* Returns how many characters two cores animate at the same time; the second core runs another process. */
static double count_animated_by_two(bench_task frame)
{
    double other = 0;
    int    ends[2];
    if (!CHECK(pipe(ends) == 0)) return 0;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        other = count_animated(frame);
        _exit(write(ends[1], &other, sizeof other) == sizeof other ? 0 : 1);
    }
    double own = count_animated(frame);
    CHECK(child > 0 && read(ends[0], &other, sizeof other) == sizeof other);
    waitpid(child, NULL, 0);
    close(ends[0]);
    close(ends[1]);
    return own + other;
}

static void animated_line(const char *what, bench_task frame, bench_task plain)
{
    printf("| %-46s | %9.0f | %9.0f | %9.0f |\n", what, count_animated(frame), count_animated_by_two(frame),
           count_animated(plain));
    ++rows_measured;
}

static void animated_table(void)
{
    printf("\n### Characters that are animated in 1/60 s, with normals\n\n"
           "| %-46s | %9s | %9s | %9s |\n|---|---:|---:|---:|\n", "", "one core", "two cores", "plainly");
    animated_line("MD2 in 1/60 s; plainly: Quake II's loop", pose_md2_crowd, pose_md2_crowd_plainly);
    animated_line("MD5 in 1/60 s; plainly: the article, no normals", pose_md5_crowd, pose_md5_crowd_plainly);
}

static void crowd_line(const char *what, bench_task frame)
{
    char text[24];
    printf("| %-46s |", what);
    for (int i = 0; i < CROWD_SIZES; ++i) {
        crowd.count = crowd_sizes[i];
        printf(" %9s |", bench_format_time(bench_measure(frame), text));
        fflush(stdout);
    }
    printf("\n");
    ++rows_measured;
}

static void crowd_table(void)
{
    char what[80];
    start_crowd();
    printf("\n### CPU time for one frame of a crowd, one core\n\n"
           "| %-46s | %9d | %9d | %9d | %9s | %9s |\n|---|---:|---:|---:|---:|---:|\n",
           "characters", 1, 10, 100, "1,000", "10,000");
    snprintf(what, sizeof what, "MD2, %u vertices with normals, %s", (unsigned)inputs.md2->vertex_count,
             build_name);
    crowd_line(what, pose_md2_crowd);
    snprintf(what, sizeof what, "MD5, %u vertices, %u joints, normals, %s",
             (unsigned)inputs.md5->meshes[0].vertex_count, (unsigned)inputs.md5->joint_count, build_name);
    crowd_line(what, pose_md5_crowd);
    start_gl(get_quick_gl, inputs.md2, inputs.md5);
    crowd_line("MD2, submitted to the GPU", submit_md2);
    crowd_line("MD5, submitted to the GPU", submit_md5);
    end_gl();
    animated_table();
    free(poses.palettes);
    free(poses.out);
    free(gl_memory);
}

#endif /* BENCH_CROWD_H_INCLUDED */
