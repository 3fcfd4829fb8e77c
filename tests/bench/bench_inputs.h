/* Models for measuring: files, and a bundle of tubes with its motion, MD5 made of nothing. The same
   bytes on every machine. Public domain. */
#ifndef BENCH_INPUTS_H_INCLUDED
#define BENCH_INPUTS_H_INCLUDED

#include "check.h"
#include "model_builder_md2.h"
#include "model_builder_md5.h"
#include "support.h"

typedef struct bench_bytes {
    unsigned char *data; /* a zero follows, which size does not count */
    size_t         size;
} bench_bytes;

static inline void bench_free(bench_bytes *bytes)
{
    free(bytes->data);
    bytes->data = NULL;
    bytes->size = 0;
}

static inline bench_bytes bench_copy(const void *data, size_t size)
{
    bench_bytes bytes;
    bytes.data = (unsigned char *)malloc_or_abort(size + 1);
    bytes.size = size;
    memcpy(bytes.data, data, size);
    bytes.data[size] = 0;
    return bytes;
}

/* The program ends where there is no such file. */
static inline bench_bytes bench_read(const char *folder, const char *name)
{
    char           path[1024];
    bench_bytes    bytes;
    size_t         size = 0;
    unsigned char *data;
    snprintf(path, sizeof path, "%s%s%s", folder, *folder ? "/" : "", name);
    data = read_file(path, &size);
    if (!data) {
        fprintf(stderr, "%s cannot be read\n", path);
        exit(EXIT_FAILURE);
    }
    bytes = bench_copy(data, size);
    free(data);
    return bytes;
}

/* -- Tubes that bend, as MD5 ----------------------------------------------- */

/* Limbs of eight joints each; each limb hangs on the root of another. */
static inline int bench_parent(uint32_t joint)
{
    return joint % 8 ? (int)joint - 1 : joint ? (int)(joint / 16) : -1;
}

/* Between -1 and 1, with the ten decimals that Doom 3's exporter writes. */
static inline double bench_wobble(uint32_t *seed)
{
    double coarse = (double)m2_dice(seed, 20001) - 10000, fine = (double)m2_dice(seed, 1000000);
    return coarse / 10000 + fine / 1e10;
}

static inline void bench_put_tuple(m5_text *text, uint32_t *seed, double size)
{
    double x = size * bench_wobble(seed), y = size * bench_wobble(seed);
    m5_put(text, "( %.10f %.10f %.10f )", x, y, size * bench_wobble(seed));
}

static inline void bench_put_joints(m5_text *text, uint32_t joints, uint32_t *seed)
{
    uint32_t i;
    m5_put(text, "joints {\n");
    for (i = 0; i < joints; ++i) {
        m5_put(text, "\t\"joint%u\"\t%d ", (unsigned)i, bench_parent(i));
        bench_put_tuple(text, seed, 40);
        bench_put_tuple(text, seed, 0.5);
        m5_put(text, "\t\t// joint%d\n", bench_parent(i) < 0 ? 0 : bench_parent(i));
    }
    m5_put(text, "}\n\n");
}

/* With `weights` 0, one to four a vertex, 2.25 on average, as in a real monster. */
static inline uint32_t bench_weight_count(uint32_t vertex, uint32_t weights)
{
    static const uint8_t usual[8] = { 1, 2, 2, 3, 1, 4, 2, 3 };
    return weights ? weights : usual[vertex / 16 % 8];
}

static inline uint32_t bench_put_vertices(m5_text *text, uint32_t vertices, uint32_t weights)
{
    uint32_t i, first = 0;
    m5_put(text, "\tnumverts %u\n", (unsigned)vertices);
    for (i = 0; i < vertices; ++i) {
        uint32_t count = bench_weight_count(i, weights);
        m5_put(text, "\tvert %u ( %.10f %.10f ) %u %u\n", (unsigned)i, i % 16 / 16.0,
               i / 16 * 0.0371, (unsigned)first, (unsigned)count);
        first += count;
    }
    return first;
}

static inline void bench_put_triangles(m5_text *text, uint32_t vertices)
{
    uint32_t i, count = vertices / 16 > 1 ? (vertices / 16 - 1) * 32 : 0;
    m5_put(text, "\n\tnumtris %u\n", (unsigned)count);
    for (i = 0; i < count; ++i) {
        uint32_t ring = i / 32 * 16, side = i / 2 % 16, next = (side + 1) % 16;
        uint32_t a = i % 2 ? ring + side + 16 : ring + side;
        m5_put(text, "\ttri %u %u %u %u\n", (unsigned)i, (unsigned)a, (unsigned)(ring + next),
               (unsigned)(i % 2 ? ring + next + 16 : ring + side + 16));
    }
}

/* The weights of a ring are those of neighbouring joints. */
static inline void bench_put_weights(m5_text *text, uint32_t vertices, uint32_t joints,
                                     uint32_t weights, uint32_t *seed)
{
    uint32_t vertex, i, number = 0;
    for (vertex = 0; vertex < vertices; ++vertex) {
        uint32_t count = bench_weight_count(vertex, weights);
        uint32_t near = (uint32_t)((uint64_t)vertex * joints / vertices);
        for (i = 0; i < count; ++i) {
            m5_put(text, "\tweight %u %u %.10f ", (unsigned)number++,
                   (unsigned)((near + i) % joints), 1.0 / count);
            bench_put_tuple(text, seed, 8);
            m5_put(text, "\n");
        }
    }
}

static inline void bench_put_head(m5_text *text, uint32_t joints)
{
    m5_put(text, "MD5Version 10\ncommandline \"a bundle of tubes\"\n\n");
    m5_put(text, "numJoints %u\n", (unsigned)joints);
}

static inline bench_bytes bench_end_text(m5_text *text)
{
    bench_bytes bytes = bench_copy(text->bytes, text->size);
    m5_free(text);
    return bytes;
}

static inline bench_bytes bench_tubes(uint32_t vertices, uint32_t joints, uint32_t weights)
{
    m5_text  text = { NULL, 0, 0 };
    uint32_t seed = vertices * 31 + joints, total;
    bench_put_head(&text, joints);
    m5_put(&text, "numMeshes 1\n\n");
    bench_put_joints(&text, joints, &seed);
    m5_put(&text, "mesh {\n\tshader \"models/tubes/tubes\"\n\n");
    total = bench_put_vertices(&text, vertices, weights);
    bench_put_triangles(&text, vertices);
    m5_put(&text, "\n\tnumweights %u\n", (unsigned)total);
    bench_put_weights(&text, vertices, joints, weights, &seed);
    m5_put(&text, "}\n");
    return bench_end_text(&text);
}

/* The root moves and turns, most joints turn, some stand still: as in real animations. */
static inline int bench_channels(uint32_t joint)
{
    return joint == 0 ? 63 : joint % 5 == 4 ? 0 : 56;
}

static inline uint32_t bench_joint_components(uint32_t joint)
{
    return bench_channels(joint) == 63 ? 6 : bench_channels(joint) ? 3 : 0;
}

static inline void bench_put_hierarchy(m5_text *text, uint32_t joints)
{
    uint32_t i, start = 0;
    m5_put(text, "hierarchy {\n");
    for (i = 0; i < joints; ++i) {
        m5_put(text, "\t\"joint%u\"\t%d %d %u\t// ( Qx Qy Qz )\n", (unsigned)i, bench_parent(i),
               bench_channels(i), (unsigned)start);
        start += bench_joint_components(i);
    }
    m5_put(text, "}\n\n");
}

static inline void bench_put_frames(m5_text *text, uint32_t joints, uint32_t frames, uint32_t *seed)
{
    uint32_t frame, i;
    for (frame = 0; frame < frames; ++frame) {
        m5_put(text, "frame %u {\n", (unsigned)frame);
        for (i = 0; i < joints; ++i) {
            if (bench_channels(i) == 0) continue;
            m5_put(text, "\t");
            if (i == 0)
                m5_put(text, "%.10f %.10f %.10f ", frame * 2.5, 0.25, 3 + bench_wobble(seed));
            m5_put(text, "%.10f %.10f ", bench_wobble(seed) / 2, bench_wobble(seed) / 2);
            m5_put(text, "%.10f\n", bench_wobble(seed) / 2);
        }
        m5_put(text, "}\n\n");
    }
}

static inline bench_bytes bench_motion(uint32_t joints, uint32_t frames)
{
    m5_text  text = { NULL, 0, 0 };
    uint32_t seed = joints * 17 + frames, components = 0, i;
    for (i = 0; i < joints; ++i) components += bench_joint_components(i);
    bench_put_head(&text, joints);
    m5_put(&text, "numFrames %u\nframeRate 24\nnumAnimatedComponents %u\n\n", (unsigned)frames,
           (unsigned)components);
    bench_put_hierarchy(&text, joints);
    m5_put(&text, "bounds {\n");
    for (i = 0; i < frames; ++i) {
        m5_put(&text, "\t( -60 -60 -60 ) ( 60.5 60.5 %u )\n", (unsigned)(60 + i % 9));
    }
    m5_put(&text, "}\n\nbaseframe {\n");
    for (i = 0; i < joints; ++i) {
        m5_put(&text, "\t");
        bench_put_tuple(&text, &seed, 12);
        bench_put_tuple(&text, &seed, 0.5);
        m5_put(&text, "\n");
    }
    m5_put(&text, "}\n\n");
    bench_put_frames(&text, joints, frames, &seed);
    return bench_end_text(&text);
}

#endif /* BENCH_INPUTS_H_INCLUDED */
