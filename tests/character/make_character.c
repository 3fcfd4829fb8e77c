/* Writes the character of character.h to files. Public domain. */
#include "make_character.h"

#include "character.h"
#include "model_builder_md2.h"

#include <stdio.h>

/* -- Output ------------------------------------------------------------------------------------ */

typedef struct bytes {
    unsigned char *data;
    size_t         size, room;
} bytes;

static void put(bytes *b, const void *data, size_t size)
{
    if (b->size + size > b->room) {
        b->room = (b->size + size) * 2;
        b->data = (unsigned char *)realloc(b->data, b->room);
        if (!b->data) abort();
    }
    if (size) memcpy(b->data + b->size, data, size);
    b->size += size;
}

static void put_byte(bytes *b, uint32_t x)
{
    unsigned char byte = (unsigned char)(x & 255);
    put(b, &byte, 1);
}

static FILE *create_file(const char *folder, const char *name, const char *suffix)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s%s", folder, name, suffix);
    FILE *out = fopen(path, "wb");
    if (!out) {
        fprintf(stderr, "make_character: cannot write %s\n", path);
        exit(EXIT_FAILURE);
    }
    return out;
}

static void close_file(FILE *out)
{
    if (!ferror(out) && fclose(out) == 0) return;
    fprintf(stderr, "make_character: cannot write: is there no more room?\n");
    exit(EXIT_FAILURE);
}

static void save(const char *folder, const char *name, const char *suffix, const void *data,
                 size_t size)
{
    FILE *out = create_file(folder, name, suffix);
    fwrite(data, 1, size, out);
    close_file(out);
}

/* -- MD5 --------------------------------------------------------------------------------------- */

#define MD5_HEAD "MD5Version 10\ncommandline \"make_character\"\n\n"

/* Millionths as a decimal number, by whole numbers only: no C library gets to round. Valid until
   the eighth call from this one. */
static const char *micro_text(double micro)
{
    static char texts[8][40];
    static int  next;
    char *text = texts[next++ % 8];
    long  n = (long)floor(micro + 0.5), size = n < 0 ? -n : n;
    int   length = snprintf(text, 20, "%s%ld", n < 0 ? "-" : "", size / 1000000);
    if (size % 1000000) snprintf(text + length, 20, ".%06ld", size % 1000000);
    return text;
}

static const char *exact_text(double x) { return micro_text(x * CHARACTER_MICRO); }

static void put_vec(FILE *out, vec v)
{
    fprintf(out, "( %s %s %s ) ", exact_text(v.x), exact_text(v.y), exact_text(v.z));
}

static void put_joints(FILE *out, int from, int count)
{
    fputs("joints {\n", out);
    for (int i = from; i < from + count; ++i) {
        const joint_row *j = &character_joints[i];
        fprintf(out, "\t\"%s\" %d ", j->name, count == 1 ? -1 : j->parent);
        put_vec(out, count == 1 ? v3(0, 0, 0) : joint_bind(i));
        fputs("( 0 0 0 )", out);
        if (count > 1 && j->parent >= 0) fprintf(out, " // %s", character_joints[j->parent].name);
        fputs("\n", out);
    }
    fputs("}\n\n", out);
}

static void put_vertices(FILE *out, const mesh *m)
{
    int weight = 0;
    fprintf(out, "\tnumverts %d\n", m->vertex_count);
    for (int i = 0; i < m->vertex_count; ++i) {
        const vertex *v = &m->vertices[i];
        fprintf(out, "\tvert %d ( %s %s ) %d %d\n", i, exact_text((v->s + 0.5) / CHARACTER_SKIN),
                exact_text((v->t + 0.5) / CHARACTER_SKIN), weight, m->points[v->point].count);
        weight += m->points[v->point].count;
    }
}

static void put_weights(FILE *out, const mesh *m, int first_joint)
{
    int weight = 0, total = 0;
    for (int i = 0; i < m->vertex_count; ++i) total += m->points[m->vertices[i].point].count;
    fprintf(out, "\n\tnumweights %d\n", total);
    for (int i = 0; i < m->vertex_count; ++i) {
        const point *p = &m->points[m->vertices[i].point];
        for (int k = 0; k < p->count; ++k) {
            fprintf(out, "\tweight %d %d %s ", weight++, p->by[k].joint - first_joint,
                    micro_text(p->by[k].bias));
            put_vec(out, p->by[k].at);
            fputs("\n", out);
        }
    }
}

static void save_md5mesh(const char *folder, const char *name, const mesh *m, int from, int joints,
                         const char *shader)
{
    FILE *out = create_file(folder, name, ".md5mesh");
    fprintf(out, MD5_HEAD "numJoints %d\nnumMeshes 1\n\n", joints);
    put_joints(out, from, joints);
    fprintf(out, "mesh {\n\tshader \"%s\"\n\n", shader);
    put_vertices(out, m);
    fprintf(out, "\n\tnumtris %d\n", m->triangle_count);
    for (int i = 0; i < m->triangle_count; ++i) {
        const int *corner = m->triangles[i].corner;
        fprintf(out, "\ttri %d %d %d %d\n", i, corner[0], corner[1], corner[2]);
    }
    put_weights(out, m, from);
    fputs("}\n", out);
    close_file(out);
}

/* Which of its six numbers a joint changes in the course of a move. */
static unsigned moving_parts(const character *c, int first, int frames, int joint)
{
    unsigned flags = 0;
    for (int f = first + 1; f < first + frames; ++f)
        for (int k = 0; k < 6; ++k)
            if (c->frames[f][joint].part[k] != c->frames[first][joint].part[k]) flags |= 1u << k;
    return flags;
}

static void skinned_bounds(const mesh *m, const xform world[JOINTS], vec *low, vec *high)
{
    *low = *high = skinned(&m->points[0], world);
    for (int i = 1; i < m->point_count; ++i) {
        vec p = skinned(&m->points[i], world);
        *low = v3(fmin(p.x, low->x), fmin(p.y, low->y), fmin(p.z, low->z));
        *high = v3(fmax(p.x, high->x), fmax(p.y, high->y), fmax(p.z, high->z));
    }
}

static void put_bounds(FILE *out, const character *c, int first, const move *m, int frames)
{
    fputs("bounds {\n", out);
    for (int f = 0; f < frames; ++f) {
        xform world[JOINTS];
        vec   low, high;
        frame_pose(c, first + f % stored_frames(m), world);
        skinned_bounds(&c->body, world, &low, &high);
        fputs("\t", out);
        put_vec(out, low);
        put_vec(out, high);
        fputs("\n", out);
    }
    fputs("}\n\n", out);
}

static void put_base(FILE *out, const baked_joint *joints)
{
    fputs("baseframe {\n", out);
    for (int i = 0; i < JOINTS; ++i) {
        const int32_t *p = joints[i].part;
        fprintf(out, "\t( %s %s %s ) ( %s %s %s )\n", micro_text(p[0]), micro_text(p[1]),
                micro_text(p[2]), micro_text(p[3]), micro_text(p[4]), micro_text(p[5]));
    }
    fputs("}\n\n", out);
}

static void put_frame(FILE *out, const baked_joint *joints, const unsigned *flags, int number)
{
    fprintf(out, "frame %d {\n", number);
    for (int i = 0; i < JOINTS; ++i) {
        if (!flags[i]) continue;
        fputs("\t", out);
        for (int k = 0; k < 6; ++k)
            if (flags[i] >> k & 1) fprintf(out, "%s ", micro_text(joints[i].part[k]));
        fputs("\n", out);
    }
    fputs("}\n\n", out);
}

/* A loop ends on its first frame again, as id's own do. */
static void save_md5anim(const char *folder, const character *c, const move *m, int first)
{
    FILE    *out = create_file(folder, m->name, ".md5anim");
    unsigned flags[JOINTS];
    int      start[JOINTS], total = 0, frames = m->frames + m->loops;
    for (int i = 0; i < JOINTS; ++i) {
        flags[i] = moving_parts(c, first, stored_frames(m), i);
        start[i] = flags[i] ? total : 0;
        for (int k = 0; k < 6; ++k) total += (int)(flags[i] >> k & 1);
    }
    fprintf(out, MD5_HEAD "numFrames %d\nnumJoints %d\nframeRate %d\nnumAnimatedComponents %d\n\n"
            "hierarchy {\n", frames, (int)JOINTS, CHARACTER_FPS, total);
    for (int i = 0; i < JOINTS; ++i) {
        const joint_row *j = &character_joints[i];
        fprintf(out, "\t\"%s\" %d %u %d\n", j->name, j->parent, flags[i], start[i]);
    }
    fputs("}\n\n", out);
    put_bounds(out, c, first, m, frames);
    put_base(out, c->frames[first]);
    for (int i = 0; i < frames; ++i) put_frame(out, c->frames[first + i % stored_frames(m)], flags, i);
    close_file(out);
}

/* -- Strips and fans --------------------------------------------------------------------------- */

typedef struct run {                    /* a strip or fan of triangles, and its vertices */
    int triangles[MAX_TRIANGLES], vertices[MAX_TRIANGLES + 2];
    int count;
} run;

/* The unused triangle on the other side of the edge a-b, which has the edge b-a; -1 if none. */
static int across_edge(const mesh *m, const unsigned char *used, int a, int b, int *third)
{
    for (int t = 0; t < m->triangle_count; ++t) {
        const int *corner = m->triangles[t].corner;
        for (int k = 0; k < 3 && !used[t]; ++k)
            if (corner[k] == b && corner[(k + 1) % 3] == a) {
                *third = corner[(k + 2) % 3];
                return t;
            }
    }
    return -1;
}

/* Goes on from a triangle, begun at a corner, for as long as there are neighbours. */
static void grow_run(const mesh *m, unsigned char *used, int t, int turn, int fan, run *r)
{
    const int *corner = m->triangles[t].corner;
    int        third = 0;
    for (int k = 0; k < 3; ++k) r->vertices[k] = corner[(turn + k) % 3];
    for (r->count = 0; t >= 0;) {
        int last = r->count + 2, *v = r->vertices;
        used[t] = 1;
        r->triangles[r->count++] = t;
        if (fan) t = across_edge(m, used, v[last], v[0], &third);
        else if (r->count & 1) t = across_edge(m, used, v[last - 1], v[last], &third);
        else t = across_edge(m, used, v[last], v[last - 1], &third);
        if (t >= 0) v[last + 1] = third;
    }
    for (int k = 0; k < r->count; ++k) used[r->triangles[k]] = 0;
}

/* The longest run that starts with the first triangle not yet used; false when there is none. */
static int best_run(const mesh *m, unsigned char *used, run *best, int *best_fan)
{
    static run r; /* large; this program has one thread */
    int        t;
    for (t = 0; t < m->triangle_count && used[t]; ++t) {}
    best->count = 0;
    for (int turn = 0; turn < 3 && t < m->triangle_count; ++turn)
        for (int fan = 0; fan < 2; ++fan) {
            grow_run(m, used, t, turn, fan, &r);
            if (r.count <= best->count) continue;
            *best = r;
            *best_fan = fan;
        }
    for (t = 0; t < best->count; ++t) used[best->triangles[t]] = 1;
    return best->count > 0;
}

static void put_commands(m2_file *f, const mesh *m)
{
    static run    r;
    unsigned char used[MAX_TRIANGLES];
    int           fan = 0;
    memset(used, 0, sizeof used);
    while (best_run(m, used, &r, &fan)) {
        m2_word(f, (uint32_t)(fan ? -(r.count + 2) : r.count + 2));
        for (int i = 0; i < r.count + 2; ++i) {
            const vertex *v = &m->vertices[r.vertices[i]];
            m2_float_word(f, ((float)v->s + 0.5f) / CHARACTER_SKIN);
            m2_float_word(f, ((float)v->t + 0.5f) / CHARACTER_SKIN);
            m2_word(f, (uint32_t)v->point);
        }
    }
    m2_word(f, 0);
    f->word_count = f->words_used;
}

/* -- MD2 --------------------------------------------------------------------------------------- */

static unsigned nearest_normal(vec n)
{
    unsigned best = 0;
    double   closest = -2;
    for (unsigned i = 0; i < 162; ++i) {
        const float *t = md2_normal(i);
        double       d = n.x * (double)t[0] + n.y * (double)t[1] + n.z * (double)t[2];
        if (d > closest + 1e-9) closest = d, best = i; /* of equals the first, on every machine */
    }
    return best;
}

static vec skinned_normal(const point *p, const xform world[JOINTS])
{
    vec n = v3(0, 0, 0);
    for (int i = 0; i < p->count; ++i)
        n = add(n, times(turned(world[p->by[i].joint].rotation, p->normal), p->by[i].bias));
    return n;
}

static double axis(vec v, int k) { return k == 0 ? v.x : k == 1 ? v.y : v.z; }

/* The lowest and highest point of the frame are bytes 0 and 255 on each axis. */
static void put_md2_frame(m2_file *f, uint32_t frame, const mesh *m, const xform world[JOINTS])
{
    m2_frame_head *head = &f->frames[frame];
    vec            low, high;
    skinned_bounds(m, world, &low, &high);
    for (int k = 0; k < 3; ++k) {
        head->translate[k] = (float)axis(low, k);
        head->scale[k] = (float)((axis(high, k) - axis(low, k)) / 255);
    }
    for (int i = 0; i < m->point_count; ++i) {
        vec      at = skinned(&m->points[i], world);
        uint8_t *byte = m2_point(f, frame, (uint32_t)i);
        for (int k = 0; k < 3; ++k) {
            double steps = (axis(at, k) - (double)head->translate[k]) / (double)head->scale[k];
            byte[k] = (uint8_t)clamp(floor(steps + 0.5), 0, 255);
        }
        byte[3] = (uint8_t)nearest_normal(skinned_normal(&m->points[i], world));
    }
}

/* As Quake II has them: stand01, run1, pain101 (the first of pain1). */
static void frame_name(const move *m, int frame, char *name, size_t size)
{
    size_t l = strlen(m->name);
    int    numbered = m->name[l - 1] >= '0' && m->name[l - 1] <= '9';
    snprintf(name, size, numbered || m->frames > 9 ? "%s%02d" : "%s%d", m->name, frame + 1);
}

static void put_md2_frames(m2_file *file, const character *c, const mesh *m)
{
    uint32_t at = 0;
    for (int i = 0; i < CHARACTER_MOVES; ++i)
        for (int f = 0; f < character_moves[i].frames; ++f, ++at) {
            xform world[JOINTS];
            frame_pose(c, (int)at, world);
            frame_name(&character_moves[i], f, file->frames[at].name, sizeof file->frames[at].name);
            put_md2_frame(file, at, m, world);
        }
}

static void save_md2(const char *folder, const char *name, const character *c, const mesh *m,
                     const char *skin)
{
    uint32_t tris = (uint32_t)m->triangle_count, most_words = 10 * tris + 1;
    m2_file  f;
    m2_begin(&f, 1, (uint32_t)m->point_count, (uint32_t)m->vertex_count, tris, most_words,
             CHARACTER_FRAMES);
    f.skin_width = f.skin_height = CHARACTER_SKIN;
    m2_skin(&f, 0, skin);
    for (int i = 0; i < m->vertex_count; ++i) {
        f.st[2 * i] = (int16_t)m->vertices[i].s;
        f.st[2 * i + 1] = (int16_t)m->vertices[i].t;
    }
    for (uint32_t i = 0; i < 3 * tris; ++i) {
        int corner = m->triangles[i / 3].corner[i % 3];
        f.tris[i / 3 * 6 + i % 3] = (uint16_t)m->vertices[corner].point;
        f.tris[i / 3 * 6 + 3 + i % 3] = (uint16_t)corner;
    }
    put_md2_frames(&f, c, m);
    put_commands(&f, m);
    m2_bytes written = m2_write(&f);
    save(folder, name, ".md2", written.data, written.size);
    m2_free(&written);
}

/* -- PNG, uncompressed -------------------------------------------------------------------------- */

/* Blocks of a deflate stream that are stored as they are; the last one says so. */
static void put_stored(bytes *b, const unsigned char *data, size_t size)
{
    for (size_t at = 0, count; at < size; at += count) {
        count = size - at < 65535 ? size - at : 65535;
        uint32_t sizes = (uint32_t)count | ~(uint32_t)count << 16;
        put_byte(b, at + count == size);
        for (int shift = 0; shift < 32; shift += 8) put_byte(b, sizes >> shift);
        put(b, data + at, count);
    }
}

static void put_u32_big(bytes *b, uint32_t x)
{
    for (int shift = 24; shift >= 0; shift -= 8) put_byte(b, x >> shift);
}

static uint32_t crc32_of(const unsigned char *data, size_t size)
{
    uint32_t crc = 0xffffffffu;
    for (; size; --size) {
        crc ^= *data++;
        for (int k = 0; k < 8; ++k) crc = crc & 1 ? crc >> 1 ^ 0xedb88320u : crc >> 1;
    }
    return ~crc;
}

static uint32_t adler32_of(const unsigned char *data, size_t size)
{
    uint32_t a = 1, b = 0;
    for (; size; --size) {
        a = (a + *data++) % 65521;
        b = (b + a) % 65521;
    }
    return b << 16 | a;
}

static void put_chunk(bytes *b, const char *type, const bytes *content)
{
    size_t start = b->size + 4;
    put_u32_big(b, (uint32_t)content->size);
    put(b, type, 4);
    put(b, content->data, content->size);
    put_u32_big(b, crc32_of(b->data + start, b->size - start));
}

static void save_skin(const char *folder, const char *name, const mesh *m)
{
    bytes   file = { NULL, 0, 0 }, chunk = { NULL, 0, 0 }, rows = { NULL, 0, 0 };
    canvas *image = paint_skin(m);
    for (int y = 0; y < CHARACTER_SKIN; ++y) {
        put_byte(&rows, 0);
        put(&rows, image->rgb[y * CHARACTER_SKIN], CHARACTER_SKIN * 3);
    }
    put(&file, "\x89PNG\r\n\x1a\n", 8);
    put_u32_big(&chunk, CHARACTER_SKIN);
    put_u32_big(&chunk, CHARACTER_SKIN);
    put(&chunk, "\x08\x02\0\0\0", 5);  /* eight bits, red green blue */
    put_chunk(&file, "IHDR", &chunk);
    chunk.size = 0;
    put(&chunk, "\x78\x01", 2);
    put_stored(&chunk, rows.data, rows.size);
    put_u32_big(&chunk, adler32_of(rows.data, rows.size));
    put_chunk(&file, "IDAT", &chunk);
    chunk.size = 0;
    put_chunk(&file, "IEND", &chunk);
    save(folder, name, ".png", file.data, file.size);
    free(file.data);
    free(rows.data);
    free(chunk.data);
    free(image);
}

void make_character(const char *folder)
{
    character *c = build_character();
    int        first = 0;
    save_md5mesh(folder, "robot", &c->body, 0, JOINTS, "skin");
    save_md5mesh(folder, "weapon", &c->sword, WEAPON, 1, "weapon");
    for (int i = 0; i < COUNT_OF(character_moves); ++i) {
        save_md5anim(folder, c, &character_moves[i], first);
        first += stored_frames(&character_moves[i]);
    }
    save_md2(folder, "tris", c, &c->body, "skin.png");
    save_md2(folder, "weapon", c, &c->sword, "weapon.png");
    save_skin(folder, "skin", &c->body);
    save_skin(folder, "weapon", &c->sword);
    printf("character: %d triangles, %d points, %d joints, %d frames\n", c->body.triangle_count,
           c->body.point_count, (int)JOINTS, first);
    free(c);
}
