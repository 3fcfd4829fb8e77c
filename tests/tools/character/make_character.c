/* Writes the character of character.h to files. Public domain. */
#include "make_character.h"

#include "character.h"
#include "tests/tools/convert/convert.h"

#include <stdio.h>

/* -- Output ------------------------------------------------------------------------------------ */

static void save(const char *folder, const char *name, const char *suffix, blob *file)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s%s", folder, name, suffix);
    FILE *out = fopen(path, "wb");
    if (!out) {
        fprintf(stderr, "make_character: cannot write %s\n", path);
        exit(EXIT_FAILURE);
    }

    fwrite(file->data, 1, file->size, out);
    bool is_written = !ferror(out);
    if (fclose(out) != 0 || !is_written) {
        fprintf(stderr, "make_character: cannot write: is the disk full?\n");
        exit(EXIT_FAILURE);
    }
    free_blob(file);
}

/* -- MD5 --------------------------------------------------------------------------------------- */

#define COMMANDLINE "make_character"

static double from_micro(double micro) { return floor(micro + 0.5) / CHARACTER_MICRO; }

static double rounded_number(double x) { return from_micro(x * CHARACTER_MICRO); }

static void set_numbers(double *numbers, vec v)
{
    numbers[0] = rounded_number(v.x);
    numbers[1] = rounded_number(v.y);
    numbers[2] = rounded_number(v.z);
}

/* Lists joints from `first` on. A single joint becomes a root at the origin. */
static md5_out_joint *list_joints(int first, int count)
{
    md5_out_joint *joints = (md5_out_joint *)allocate((size_t)count, sizeof *joints);
    for (int i = 0; i < count; ++i) {
        const joint_row *row = &character_joints[first + i];
        joints[i].name = row->name;
        joints[i].parent = count == 1 ? -1 : row->parent;
        joints[i].rotation[3] = 1;
        set_numbers(joints[i].position, count == 1 ? v3(0, 0, 0) : joint_bind(first + i));
    }
    return joints;
}

/* Lists vertices; each has its own weights. */
static void list_vertices(const mesh *m, int first_joint, md5_out_vertex *vertices,
                          md5_out_weight *weights)
{
    uint32_t weight_count = 0;
    for (int i = 0; i < m->vertex_count; ++i) {
        const vertex *v = &m->vertices[i];
        const point  *p = &m->points[v->point];
        vertices[i].u = rounded_number((v->s + 0.5) / CHARACTER_SKIN);
        vertices[i].v = rounded_number((v->t + 0.5) / CHARACTER_SKIN);
        vertices[i].first_weight = weight_count;
        vertices[i].weight_count = (uint32_t)p->count;
        for (int k = 0; k < p->count; ++k) {
            md5_out_weight *weight = &weights[weight_count++];
            weight->joint = (uint32_t)(p->by[k].joint - first_joint);
            weight->bias = from_micro(p->by[k].bias);
            set_numbers(weight->position, p->by[k].at);
        }
    }
}

static uint32_t *list_indices(const mesh *m)
{
    uint32_t *indices = (uint32_t *)allocate((size_t)m->triangle_count * 3, sizeof *indices);
    for (int i = 0; i < 3 * m->triangle_count; ++i) {
        indices[i] = (uint32_t)m->triangles[i / 3].corner[i % 3];
    }
    return indices;
}

static void save_md5mesh(const char *folder, const char *name, const mesh *m, int first_joint,
                         int joint_count, const char *shader)
{
    size_t          vertex_count = (size_t)m->vertex_count;
    md5_out_joint  *joints = list_joints(first_joint, joint_count);
    md5_out_vertex *vertices = (md5_out_vertex *)allocate(vertex_count, sizeof *vertices);
    md5_out_weight *weights =
        (md5_out_weight *)allocate(vertex_count * INFLUENCES, sizeof *weights);
    uint32_t       *indices = list_indices(m);
    list_vertices(m, first_joint, vertices, weights);

    const md5_out_vertex *last = &vertices[vertex_count - 1];
    md5_out_mesh          out;
    out.shader = shader;
    out.vertex_count = (uint32_t)vertex_count;
    out.weight_count = last->first_weight + last->weight_count;
    out.index_count = (uint32_t)m->triangle_count * 3;
    out.vertices = vertices;
    out.weights = weights;
    out.indices = indices;
    blob file = write_md5mesh(COMMANDLINE, joints, (uint32_t)joint_count, &out, 1);
    save(folder, name, ".md5mesh", &file);

    release(joints);
    release(vertices);
    release(weights);
    release(indices);
}

static void skinned_bounds(const mesh *m, const xform world[JOINTS], vec *low, vec *high)
{
    *low = *high = skin_point(&m->points[0], world);
    for (int i = 1; i < m->point_count; ++i) {
        vec p = skin_point(&m->points[i], world);
        *low = v3(fmin(p.x, low->x), fmin(p.y, low->y), fmin(p.z, low->z));
        *high = v3(fmax(p.x, high->x), fmax(p.y, high->y), fmax(p.z, high->z));
    }
}

static void set_bounds(double bounds[6], const character *c, int frame)
{
    xform world[JOINTS];
    vec   low, high;
    frame_pose(c, frame, world);
    skinned_bounds(&c->body, world, &low, &high);
    set_numbers(bounds, low);
    set_numbers(bounds + 3, high);
}

/* A loop ends with its first frame, as the loops of Doom 3 do. */
static void save_md5anim(const char *folder, const character *c, const animation *m, int first)
{
    size_t         frame_count = (size_t)(m->frames + m->loops);
    md5_out_joint *joints = list_joints(0, JOINTS);
    md5_out_part  *parts = (md5_out_part *)allocate(frame_count * JOINTS, sizeof *parts);
    double        *bounds = (double *)allocate(frame_count * 6, sizeof *bounds);
    for (size_t i = 0; i < frame_count; ++i) {
        int frame = first + (int)i % stored_frames(m);
        for (int k = 0; k < JOINTS * 6; ++k) {
            double micro = c->frames[frame][k / 6].part[k % 6];
            parts[i * JOINTS + (size_t)k / 6].number[k % 6] = micro / CHARACTER_MICRO;
        }
        set_bounds(bounds + i * 6, c, frame);
    }

    md5_out_anim anim;
    anim.frame_count = (uint32_t)frame_count;
    anim.joint_count = JOINTS;
    anim.fps = CHARACTER_FPS;
    anim.joints = joints;
    anim.parts = parts;
    anim.bounds = bounds;
    blob file = write_md5anim(COMMANDLINE, &anim);
    save(folder, m->name, ".md5anim", &file);

    release(joints);
    release(parts);
    release(bounds);
}

/* -- MD2 --------------------------------------------------------------------------------------- */

static vec skinned_normal(const point *p, const xform world[JOINTS])
{
    vec n = v3(0, 0, 0);
    for (int i = 0; i < p->count; ++i)
        n = add(n, times(rotate(world[p->by[i].joint].rotation, p->normal), p->by[i].bias));
    return n;
}

static void set_vec(double *numbers, vec v)
{
    numbers[0] = v.x;
    numbers[1] = v.y;
    numbers[2] = v.z;
}

static void set_frame(md2_out_frame *frame, const mesh *m, const xform world[JOINTS])
{
    static double positions[3 * MAX_POINTS], normals[3 * MAX_POINTS]; /* static is safe: there is one thread */
    for (int i = 0; i < m->point_count; ++i) {
        set_vec(&positions[3 * i], skin_point(&m->points[i], world));
        set_vec(&normals[3 * i], skinned_normal(&m->points[i], world));
    }
    quantize_frame(frame, positions, normals, (uint32_t)m->point_count);
}

/* Names frames as in Quake II: stand01, run1, pain101 (the first frame of pain1). */
static void set_frame_name(md2_out_frame *frame, const animation *m, int number)
{
    size_t l = strlen(m->name);
    int    numbered = m->name[l - 1] >= '0' && m->name[l - 1] <= '9';
    snprintf(frame->name, sizeof frame->name, numbered || m->frames > 9 ? "%s%02d" : "%s%d",
             m->name, number + 1);
}

static md2_out_frame *list_frames(const character *c, const mesh *m)
{
    md2_out_frame *frames = (md2_out_frame *)allocate(CHARACTER_FRAMES, sizeof *frames);
    int            at = 0;
    for (int i = 0; i < CHARACTER_ANIMS; ++i)
        for (int f = 0; f < character_anims[i].frames; ++f, ++at) {
            xform world[JOINTS];
            frame_pose(c, at, world);
            set_frame_name(&frames[at], &character_anims[i], f);
            set_frame(&frames[at], m, world);
        }
    return frames;
}

static void save_md2(const char *folder, const char *name, const character *c, const mesh *m,
                     const char *skin)
{
    int16_t        *texcoords = (int16_t *)allocate(MAX_VERTICES * 2, sizeof *texcoords);
    md2_out_vertex *vertices = (md2_out_vertex *)allocate(MAX_VERTICES, sizeof *vertices);
    for (int i = 0; i < m->vertex_count; ++i) {
        texcoords[2 * i] = (int16_t)m->vertices[i].s;
        texcoords[2 * i + 1] = (int16_t)m->vertices[i].t;
        vertices[i].point = (uint32_t)m->vertices[i].point;
        vertices[i].texcoord = (uint32_t)i;
    }
    uint32_t      *indices = list_indices(m);
    md2_out_frame *frames = list_frames(c, m);

    md2_out out;
    out.skin_width = out.skin_height = CHARACTER_SKIN;
    out.skin_count = 1;
    out.point_count = (uint32_t)m->point_count;
    out.texcoord_count = out.vertex_count = (uint32_t)m->vertex_count;
    out.index_count = (uint32_t)m->triangle_count * 3;
    out.frame_count = CHARACTER_FRAMES;
    out.skins = &skin;
    out.texcoords = texcoords;
    out.vertices = vertices;
    out.indices = indices;
    out.frames = frames;
    blob file = write_md2(&out);
    save(folder, name, ".md2", &file);

    for (int i = 0; i < CHARACTER_FRAMES; ++i) release(frames[i].points);
    release(frames);
    release(indices);
    release(vertices);
    release(texcoords);
}

/* -- Skins: PNG with a palette, not compressed, so that archives compress it best ---------------- */

static void put_chunk(blob *file, const char *type, const blob *content)
{
    put_u32_big(file, (uint32_t)content->size);
    size_t start = file->size;
    put(file, type, 4);
    put(file, content->data, content->size);

    uint32_t crc = 0xffffffffu;
    for (size_t i = start; i < file->size; ++i) {
        crc ^= file->data[i];
        for (int bit = 0; bit < 8; ++bit) crc = crc & 1 ? crc >> 1 ^ 0xedb88320u : crc >> 1;
    }
    put_u32_big(file, ~crc);
}

/* Stores each row as an uncompressed block: a byte that is 1 for the last block, the size, and the complement of the
   size. The first byte of a row is 0: no filter. */
static blob store_rows(const palette *p)
{
    const uint32_t size = 1 + CHARACTER_SKIN;
    blob           rows = { NULL, 0, 0 };
    uint32_t       a = 1, b = 0;       /* Adler-32 checksum */
    put(&rows, "\x78\x01", 2);
    for (int y = 0; y < CHARACTER_SKIN; ++y) {
        const uint8_t *row = p->texels + y * CHARACTER_SKIN;
        put_byte(&rows, y == CHARACTER_SKIN - 1);
        put_u16(&rows, size);
        put_u16(&rows, ~size);
        put_byte(&rows, 0);
        put(&rows, row, CHARACTER_SKIN);

        b = (b + a) % 65521;
        for (int x = 0; x < CHARACTER_SKIN; ++x) {
            a = (a + row[x]) % 65521;
            b = (b + a) % 65521;
        }
    }
    put_u32_big(&rows, b << 16 | a);
    return rows;
}

static blob write_skin(const palette *p)
{
    blob header = { NULL, 0, 0 }, colors = { NULL, 0, 0 }, end = { NULL, 0, 0 };
    put_u32_big(&header, CHARACTER_SKIN);
    put_u32_big(&header, CHARACTER_SKIN);
    put(&header, "\x08\x03\0\0\0", 5); /* 8 bits, palette, deflate, filters, not interlaced */
    put(&colors, p->rgb, 3 * (size_t)p->count);
    blob rows = store_rows(p);

    blob file = { NULL, 0, 0 };
    put(&file, "\x89PNG\r\n\x1a\n", 8);
    put_chunk(&file, "IHDR", &header);
    put_chunk(&file, "PLTE", &colors);
    put_chunk(&file, "IDAT", &rows);
    put_chunk(&file, "IEND", &end);
    free_blob(&header);
    free_blob(&colors);
    free_blob(&rows);
    return file;
}

static void save_skin(const char *folder, const char *name, const mesh *m)
{
    palette *p = (palette *)allocate(1, sizeof *p);
    canvas  *image = paint_skin(m);
    choose_palette(image, p);
    blob file = write_skin(p);
    save(folder, name, ".png", &file);
    free(image);
    release(p);
}

void make_character(const char *folder)
{
    character *c = build_character();
    int        first = 0;
    save_md5mesh(folder, "knight", &c->body, 0, JOINTS, "skin");
    save_md5mesh(folder, "weapon", &c->sword, WEAPON, 1, "weapon");
    for (int i = 0; i < COUNT_OF(character_anims); ++i) {
        save_md5anim(folder, c, &character_anims[i], first);
        first += stored_frames(&character_anims[i]);
    }
    save_md2(folder, "tris", c, &c->body, "skin.png");
    save_md2(folder, "weapon", c, &c->sword, "weapon.png");
    save_skin(folder, "skin", &c->body);
    save_skin(folder, "weapon", &c->sword);
    printf("character: %d triangles, %d points, %d joints, %d frames\n", c->body.triangle_count,
           c->body.point_count, (int)JOINTS, first);
    free(c);
}
