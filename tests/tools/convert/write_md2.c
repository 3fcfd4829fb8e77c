/* write_md2.c - writes MD2 files. Public domain. */
#include "convert.h"
#include "md2.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The written bytes must be the same on every machine, so multiplications must not be fused with additions. */
#if defined(__clang__)
  #pragma STDC FP_CONTRACT OFF
#elif defined(__GNUC__)
  #pragma GCC optimize("fp-contract=off")
#endif

/* -- Frames ------------------------------------------------------------------------------------ */

uint32_t nearest_normal(const double normal[3])
{
    enum { NORMALS = 162 };
    double   length = sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
    double   rounding = 1e-9 * length; /* smaller differences do not count */
    double   closest = -2 * length;
    uint32_t best = 0;
    for (uint32_t i = 0; i < NORMALS; ++i) {
        const float *entry = md2_normal(i);
        double       dot = normal[0] * (double)entry[0] + normal[1] * (double)entry[1] +
                     normal[2] * (double)entry[2];
        if (dot <= closest + rounding) continue;
        closest = dot;
        best = i;
    }
    return best;
}

static uint8_t to_byte(double position, float scale, float translate)
{
    /* The scale of a flat box is 0, so all its points are byte 0. */
    double steps = scale > 0 ? (position - (double)translate) / (double)scale : 0;
    double rounded = floor(steps + 0.5);
    if (!(rounded > 0)) return 0;
    return rounded < 255 ? (uint8_t)rounded : 255;
}

void quantize_frame(md2_out_frame *frame, const double *positions, const double *normals,
                    uint32_t point_count)
{
    for (uint32_t axis = 0; axis < 3; ++axis) {
        double low = 0, high = 0;
        for (uint32_t i = 0; i < point_count; ++i) {
            double x = positions[3 * i + axis];
            if (i == 0 || x < low) low = x;
            if (i == 0 || x > high) high = x;
        }
        frame->translate[axis] = (float)low;
        frame->scale[axis] = (float)((high - low) / 255);
    }

    frame->points = (uint8_t *)allocate(point_count, 4);
    for (uint32_t i = 0; i < point_count; ++i) {
        uint8_t *point = frame->points + 4 * i;
        for (uint32_t axis = 0; axis < 3; ++axis) {
            point[axis] = to_byte(positions[3 * i + axis], frame->scale[axis],
                                  frame->translate[axis]);
        }
        point[3] = (uint8_t)nearest_normal(normals + 3 * i);
    }
}

/* -- Strips and fans --------------------------------------------------------------------------- */

typedef struct edge {                 /* a side of a triangle, from one vertex to the next */
    uint32_t from, to;
    uint32_t corner;                  /* start of the edge: position in the list of indices */
} edge;

typedef struct strip {                /* a strip or fan of triangles */
    uint32_t *triangles, *vertices;
    uint32_t  count;                  /* number of triangles; there are two more vertices */
    bool      is_fan;
} strip;

typedef struct strip_finder {
    const md2_out *model;
    edge          *edges;             /* sorted */
    uint32_t       first_unused;      /* all triangles before this one are used */
    bool          *is_used;           /* [triangle] */
    strip            tried, best;
} strip_finder;

static int compare_indices(uint32_t a, uint32_t b)
{
    if (a == b) return 0;
    return a < b ? -1 : 1;
}

static int compare_edges(const void *a, const void *b)
{
    const edge *x = (const edge *)a, *y = (const edge *)b;
    int         order = compare_indices(x->from, y->from);
    if (order == 0) order = compare_indices(x->to, y->to);
    return order == 0 ? compare_indices(x->corner, y->corner) : order;
}

static uint32_t next_corner(uint32_t corner)
{
    return corner % 3 == 2 ? corner - 2 : corner + 1;
}

static edge *sort_edges(const md2_out *model)
{
    edge *edges = (edge *)allocate(model->index_count, sizeof(edge));
    for (uint32_t i = 0; i < model->index_count; ++i) {
        edges[i].from = model->indices[i];
        edges[i].to = model->indices[next_corner(i)];
        edges[i].corner = i;
    }
    qsort(edges, model->index_count, sizeof(edge), compare_edges);
    return edges;
}

/* Finds the unused triangle on the other side of the edge a-b, and the vertex that it adds. In this triangle, the edge
   is b-a. Returns false if there is no such triangle. */
static bool cross_edge(const strip_finder *s, uint32_t a, uint32_t b, uint32_t *triangle,
                       uint32_t *added)
{
    /* Find the first edge that is not before b-a. */
    edge     wanted = { b, a, 0 };
    uint32_t low = 0, high = s->model->index_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (compare_edges(&s->edges[middle], &wanted) < 0) low = middle + 1;
        else high = middle;
    }

    for (; low < s->model->index_count; ++low) {
        const edge *e = &s->edges[low];
        if (e->from != b || e->to != a) return false;
        if (s->is_used[e->corner / 3]) continue;
        *triangle = e->corner / 3;
        *added = s->model->indices[next_corner(next_corner(e->corner))];
        return true;
    }
    return false;
}

/* Extends a strip or fan from a triangle while there are unused neighbors. `first` is the corner of the triangle where
   it starts. */
static void extend_strip(strip_finder *s, uint32_t triangle, uint32_t first, bool is_fan, strip *r)
{
    const uint32_t *corners = s->model->indices + (size_t)triangle * 3;
    for (uint32_t k = 0; k < 3; ++k) r->vertices[k] = corners[(first + k) % 3];
    r->count = 0;
    r->is_fan = is_fan;

    for (bool has_next = true; has_next;) {
        s->is_used[triangle] = true;
        r->triangles[r->count++] = triangle;

        /* The next triangle shares the newest edge. In a fan, this edge goes from the newest vertex to the first.
           In a strip, the winding alternates, and so does the direction of the edge. */
        uint32_t newest = r->vertices[r->count + 1];
        uint32_t before = r->vertices[r->count];
        uint32_t from = newest, to = before;
        if (is_fan) {
            to = r->vertices[0];
        } else if (r->count % 2 == 1) {
            from = before;
            to = newest;
        }
        has_next = cross_edge(s, from, to, &triangle, &r->vertices[r->count + 2]);
    }
    for (uint32_t i = 0; i < r->count; ++i) s->is_used[r->triangles[i]] = false;
}

/* Finds the longest strip or fan that starts with the first unused triangle. Returns false if all triangles are
   used. */
static bool find_longest_strip(strip_finder *s)
{
    uint32_t triangle_count = s->model->index_count / 3;
    while (s->first_unused < triangle_count && s->is_used[s->first_unused]) ++s->first_unused;
    if (s->first_unused == triangle_count) return false;

    s->best.count = 0;
    for (uint32_t variant = 0; variant < 6; ++variant) {
        bool is_fan = variant % 2 == 1;
        extend_strip(s, s->first_unused, variant / 2, is_fan, &s->tried);
        if (s->tried.count <= s->best.count) continue;
        strip longer = s->tried;
        s->tried = s->best;
        s->best = longer;
    }
    for (uint32_t i = 0; i < s->best.count; ++i) s->is_used[s->best.triangles[i]] = true;
    return true;
}

static float texture_coordinate(int16_t texel, uint32_t size)
{
    return ((float)texel + 0.5f) / (float)size;
}

static void put_strip(blob *words, const md2_out *model, const strip *r)
{
    uint32_t vertex_count = r->count + 2;
    put_u32(words, r->is_fan ? 0 - vertex_count : vertex_count);
    for (uint32_t i = 0; i < vertex_count; ++i) {
        const md2_out_vertex *vertex = &model->vertices[r->vertices[i]];
        const int16_t        *texel = model->texcoords + 2 * (size_t)vertex->texcoord;
        put_float(words, texture_coordinate(texel[0], model->skin_width));
        put_float(words, texture_coordinate(texel[1], model->skin_height));
        put_u32(words, vertex->point);
    }
}

static strip allocate_strip(uint32_t triangle_count)
{
    strip r;
    memset(&r, 0, sizeof r);
    r.triangles = (uint32_t *)allocate(triangle_count, sizeof(uint32_t));
    r.vertices = (uint32_t *)allocate((size_t)triangle_count + 3, sizeof(uint32_t));
    return r;
}

static void free_strip(strip *r)
{
    release(r->triangles);
    release(r->vertices);
}

static blob make_commands(const md2_out *model)
{
    strip_finder s;
    memset(&s, 0, sizeof s);
    s.model = model;
    s.edges = sort_edges(model);
    s.is_used = (bool *)allocate(model->index_count / 3, sizeof(bool));
    s.tried = allocate_strip(model->index_count / 3);
    s.best = allocate_strip(model->index_count / 3);

    blob words = { NULL, 0, 0 };
    while (find_longest_strip(&s)) put_strip(&words, model, &s.best);
    put_u32(&words, 0);

    release(s.edges);
    release(s.is_used);
    free_strip(&s.tried);
    free_strip(&s.best);
    return words;
}

/* -- The file ---------------------------------------------------------------------------------- */

enum { HEADER_BYTES = 68, SKIN_BYTES = 64, FRAME_BYTES = 40 };

static void put_padded(blob *b, const char *text, size_t size)
{
    char padded[SKIN_BYTES] = { 0 };
    for (size_t i = 0; i + 1 < size && text[i]; ++i) padded[i] = text[i];
    put(b, padded, size);
}

static void put_header(blob *file, const md2_out *model, const blob *commands)
{
    uint32_t frame_size = FRAME_BYTES + 4 * model->point_count;
    uint32_t skins = HEADER_BYTES;
    uint32_t texcoords = skins + SKIN_BYTES * model->skin_count;
    uint32_t triangles = texcoords + 4 * model->texcoord_count;
    uint32_t frames = triangles + 4 * model->index_count;
    uint32_t words = frames + frame_size * model->frame_count;
    uint32_t end = words + (uint32_t)commands->size;

    put_text(file, "IDP2");
    put_u32(file, 8);
    put_u32(file, model->skin_width);
    put_u32(file, model->skin_height);
    put_u32(file, frame_size);
    put_u32(file, model->skin_count);
    put_u32(file, model->point_count);
    put_u32(file, model->texcoord_count);
    put_u32(file, model->index_count / 3);
    put_u32(file, (uint32_t)(commands->size / 4));
    put_u32(file, model->frame_count);
    put_u32(file, skins);
    put_u32(file, texcoords);
    put_u32(file, triangles);
    put_u32(file, frames);
    put_u32(file, words);
    put_u32(file, end);
}

static void put_triangle(blob *file, const md2_out *model, const uint32_t *corners)
{
    for (uint32_t k = 0; k < 3; ++k) put_u16(file, model->vertices[corners[k]].point);
    for (uint32_t k = 0; k < 3; ++k) put_u16(file, model->vertices[corners[k]].texcoord);
}

static void put_frame(blob *file, const md2_out_frame *frame, uint32_t point_count)
{
    for (uint32_t axis = 0; axis < 3; ++axis) put_float(file, frame->scale[axis]);
    for (uint32_t axis = 0; axis < 3; ++axis) put_float(file, frame->translate[axis]);
    put_padded(file, frame->name, MD2_NAME_LENGTH + 1);
    put(file, frame->points, 4 * (size_t)point_count);
}

uint32_t merge_texcoords(int16_t *texcoords, md2_out_vertex *vertices, uint32_t count)
{
    uint32_t  kept = 0, slot_count = 2 * count + 1;
    uint32_t *slots = (uint32_t *)allocate(slot_count, sizeof *slots); /* 1 + index of a pair; 0 = free */
    for (uint32_t i = 0; i < count; ++i) {
        int16_t  s = texcoords[2 * (size_t)i], t = texcoords[2 * (size_t)i + 1];
        uint32_t key = (uint32_t)(uint16_t)s << 16 | (uint16_t)t;
        uint32_t slot = (uint32_t)(((uint64_t)key * 2654435761u >> 8) % slot_count);
        for (; slots[slot]; slot = (slot + 1) % slot_count) {
            const int16_t *known = texcoords + 2 * (size_t)(slots[slot] - 1);
            if (known[0] == s && known[1] == t) break;
        }
        if (!slots[slot]) {
            texcoords[2 * (size_t)kept] = s;
            texcoords[2 * (size_t)kept + 1] = t;
            slots[slot] = ++kept;
        }
        vertices[i].texcoord = slots[slot] - 1;
    }
    release(slots);
    return kept;
}

blob write_md2(const md2_out *model)
{
    blob commands = make_commands(model);
    blob file = { NULL, 0, 0 };
    put_header(&file, model, &commands);
    for (uint32_t i = 0; i < model->skin_count; ++i) {
        put_padded(&file, model->skins[i], SKIN_BYTES);
    }
    for (uint32_t i = 0; i < 2 * model->texcoord_count; ++i) {
        put_u16(&file, (uint16_t)model->texcoords[i]);
    }
    for (uint32_t i = 0; i < model->index_count; i += 3) {
        put_triangle(&file, model, model->indices + i);
    }
    for (uint32_t i = 0; i < model->frame_count; ++i) {
        put_frame(&file, &model->frames[i], model->point_count);
    }
    put(&file, commands.data, commands.size);
    free_blob(&commands);
    return file;
}
