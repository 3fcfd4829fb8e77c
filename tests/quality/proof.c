/* proof.c: what Frama-C's WP proves of the headers, for every input there is: see proof.sh.

   The contracts stand behind the headers, which know nothing of them; what must stand inside of a function is in
   proof.sed. Taken for granted, with a contract and no proof: md2__fail_at, md5__fail_at, md5__fail_at_numbers and
   md5__fail_expected note the error; the allocator gives as many bytes as it was asked for; a literal ends in a NUL;
   and what proof.sed calls in the place of memset, memcpy, memcmp, strchr and casts, and md2__clear_indices, which
   is a memset: one vertex, triangle or weight stands for those of a list, of which the proof is that all their bytes
   lie inside of the list, and the lists inside of what was reserved. So are md5__find_vertex_line, which finds again
   what was read before; that functions are called with what they require; that a search in a tree of keys takes the
   bits of a key as the axioms below say; and that the triangles of an MD2 have fewer than 2^32 corners (16 GiB of
   file). Two floats compare either way; a frame is decoded, cleared and copied, and its normals computed, within its
   arrays. Not proved, but tested and fuzzed: of an MD2 the triangles, which call the proved welding, the runs of
   names, the normals, and where the arrays of the model and of scratch memory lie; of an MD5, that the meshes fit
   and how scratch memory is laid out, the hierarchy, bounds and frames of an animation, .md5scale, and what fills
   the model; and all that is done with a model. proof.sh prints how many lines that leaves. */
#define BLANK(c) (0 <= (c) <= 32)
/* What a text ends with after md5__begin_text: no blank, and nothing of a number. */
#define ENDS(c)  (!BLANK(c) && !('0' <= (c) <= '9') && (c) != '+' && (c) != '-' && (c) != '.' && (c) != 'e' && (c) != 'E')
/* WP compares only pointers into one block. */
#define LE(p, q) (\base_addr(p) == \base_addr(q) && (p) <= (q))
#define LT(p, q) (\base_addr(p) == \base_addr(q) && (p) < (q))
#define WITHIN(from, end, ...) loop invariant LE(from, at) && LE(at, end); loop assigns __VA_ARGS__; loop variant (end) - at;
#define BELOW(from, end, ...)  loop invariant LE(from, at) && LT(at, end); loop assigns __VA_ARGS__; loop variant (end) - at;
#define PASSED                 loop invariant at == \null || (\at(at, Pre) != \null && LE(loader->text, at) && LE(at, loader->end));
#define TRIM(begin, most)      loop invariant LE(begin, end) && LE(end, most);
#define MOST_DIGITS 720575940379279369 /* 2^56 * 10 + 9: what md5__read_integer can reach */

/* So many commands were read that the strips made of them fit into their arrays. */
#define COMMAND_COUNT loader->header[MD2__NUM_COMMANDS]
#define COMMANDS      (loader->data + (COMMAND_COUNT == 0 ? 0 : loader->header[MD2__OFS_COMMANDS]))
#define FITS(bytes)   (16 * loader->model.strip_count <= (bytes) && 8 * loader->model.strip_vertex_count <= (bytes))
#define STRIPS        loader->model.strip_count, loader->model.strip_vertex_count, loader->strips[0 .. proof_strips - 1], \
                      loader->strip_vertices[0 .. proof_strip_vertices - 1]

/* What a vertex of a mesh names are weights of its mesh. */
#define RANGED(count) (\forall integer j; 0 <= j < (count) ==> \
                           proof_vertices[j].first_weight + proof_vertices[j].weight_count <= mesh->counts[2])

/* What the trees of keys keep: slots and branches name nodes; the key of a node below another one agrees with that in as
   many bits as the other one's level, and has the branch for the next. proof_levels are the levels of the nodes. */
#define MISSING(number) ((number) == 0xffffffff)
#define NODE(number)    (MISSING(number) || (number) < table->count)
#define BRANCH(k, b)    table->nodes[k].branches[b]
#define KEY_BIT(one, i) key_bit((one)[0], (one)[1], (one)[2], i)
#define ALIKE(one, other, bits) alike((one)[0], (one)[1], (one)[2], (other)[0], (other)[1], (other)[2], bits)
#define BELONGS(one, node, b)   (ALIKE(one, table->nodes[node].key, proof_levels[node]) && \
                                 KEY_BIT(one, proof_levels[node]) == (b))
#define SLOTS (\forall integer p; 0 <= p < proof_slots ==> NODE(table->slots[p])) && \
              (\forall integer p; 0 <= p < proof_slots && !MISSING(table->slots[p]) ==> proof_levels[table->slots[p]] == 0)
#define TREES (\forall integer k, b; 0 <= k < table->count && 0 <= b < 2 ==> NODE(BRANCH(k, b))) && \
              (\forall integer k, b; 0 <= k < table->count && 0 <= b < 2 && !MISSING(BRANCH(k, b)) ==> \
                   proof_levels[BRANCH(k, b)] == proof_levels[k] + 1) && \
              (\forall integer k, b; 0 <= k < table->count && 0 <= b < 2 && !MISSING(BRANCH(k, b)) ==> \
                   BELONGS(table->nodes[BRANCH(k, b)].key, k, b))

/* What welding keeps: the latest and the previous of each name vertices, and each vertex a point. */
#define CORNERS  (3 * loader->header[MD2__NUM_TRIANGLES])
#define POINTS   loader->header[MD2__NUM_POINTS]
#define VERTICES loader->model.vertex_count
#define VERTEX(number) (MISSING(number) || (number) < VERTICES)
#define KEYS     proof_levels[0 .. CORNERS - 1], loader->vertex_keys.nodes[0 .. CORNERS - 1], loader->vertex_keys.slots[0 .. POINTS - 1]
#define LINKS    loader->latest[0 .. POINTS - 1], loader->previous[0 .. CORNERS - 1]
#define WELDED_MEMORY \valid(loader) && CORNERS <= 0xffffffff && VERTICES <= CORNERS && \
                      \valid(loader->vertices + (0 .. CORNERS - 1)) && \valid(loader->previous + (0 .. CORNERS - 1)) && \
                      \valid(loader->latest + (0 .. POINTS - 1)) && \
                      \separated(loader, loader->vertices + (0 .. CORNERS - 1), loader->previous + (0 .. CORNERS - 1), \
                                 loader->latest + (0 .. POINTS - 1))
#define KEY_MEMORY    loader->vertex_keys.count == VERTICES && proof_keys == CORNERS && proof_slots == POINTS && \
                      \valid(loader->vertex_keys.nodes + (0 .. CORNERS - 1)) && \
                      \valid(loader->vertex_keys.slots + (0 .. POINTS - 1)) && \
                      \valid(proof_levels + (0 .. CORNERS - 1)) && \
                      \separated(loader, &proof_levels, &proof_keys, &proof_slots, proof_levels + (0 .. CORNERS - 1), \
                                 loader->vertices + (0 .. CORNERS - 1), loader->previous + (0 .. CORNERS - 1), \
                                 loader->latest + (0 .. POINTS - 1), loader->vertex_keys.nodes + (0 .. CORNERS - 1), \
                                 loader->vertex_keys.slots + (0 .. POINTS - 1))
#define LATEST   (\forall integer p; 0 <= p < POINTS ==> VERTEX(loader->latest[p]))
#define PREVIOUS (\forall integer k; 0 <= k < VERTICES ==> VERTEX(loader->previous[k]))
#define PLACES   (\forall integer k; 0 <= k < VERTICES ==> loader->vertices[k].point < POINTS)

/* The faces of a model, and what its frames are made of. */
#define MESH_READ \valid_read(loader) && \valid_read(loader->indices + (0 .. loader->model.index_count - 1)) && \
                  \valid_read(loader->vertices + (0 .. VERTICES - 1)) && NAMED(loader->model.index_count) && \
                  (\forall integer k; 0 <= k < VERTICES ==> loader->vertices[k].point < loader->model.point_count)
#define NAMED(n)  (\forall integer j; 0 <= j < (n) ==> loader->indices[j] < VERTICES)
#define FRAME_BYTES loader->header[MD2__FRAME_SIZE]
/* The solvers need to be told how large a byte is. */
#define BYTES(points, n) \valid_read((points) + (0 .. (n) - 1)) && \
                         (\forall integer k; 0 <= k < (n) ==> (points)[k].x <= 255 && (points)[k].y <= 255 && \
                                                              (points)[k].z <= 255 && (points)[k].normal <= 255)

/* The bits of a key, in the order in which md2__number_key takes them; alike is that the first so many of two keys are
   equal. These are axioms: two keys of which all 96 are equal are one, for an odd factor maps no two words to one. */
/*@ axiomatic bits_of_keys {
        logic integer key_bit(integer a, integer b, integer c, integer i);
        predicate alike(integer a, integer b, integer c, integer d, integer e, integer f, integer bits);
        axiom none: \forall integer a, b, c, d, e, f; alike(a, b, c, d, e, f, 0);
        axiom next: \forall integer a, b, c, d, e, f, n; alike(a, b, c, d, e, f, n) &&
                        key_bit(a, b, c, n) == key_bit(d, e, f, n) ==> alike(a, b, c, d, e, f, n + 1);
        axiom both: \forall integer a, b, c, d, e, f, g, h, i, n; alike(a, b, c, d, e, f, n) &&
                        alike(g, h, i, d, e, f, n) ==> alike(a, b, c, g, h, i, n);
        axiom all:  \forall integer a, b, c, d, e, f;
                        0 <= a <= 0xffffffff && 0 <= b <= 0xffffffff && 0 <= c <= 0xffffffff &&
                        0 <= d <= 0xffffffff && 0 <= e <= 0xffffffff && 0 <= f <= 0xffffffff &&
                        alike(a, b, c, d, e, f, 96) ==> a == d && b == e && c == f;
    } */

#define MD2_NO_SIMD
#define MD5_NO_SIMD
#define MD2_IMPLEMENTATION
#define MD5_IMPLEMENTATION
#include "md2.h"
#include "md5.h"

/* -- Numbers of several bytes: bit k of the number is bit k % 8 of byte k / 8 -------------------------- */

#define BIT(k)  (((\result >> (k)) & 1) == ((p[(k) / 8] >> ((k) % 8)) & 1))
#define BYTE(i) (BIT(8 * (i)) && BIT(8 * (i) + 1) && BIT(8 * (i) + 2) && BIT(8 * (i) + 3) && \
                 BIT(8 * (i) + 4) && BIT(8 * (i) + 5) && BIT(8 * (i) + 6) && BIT(8 * (i) + 7))

/*@ requires \valid_read(p + (0 .. 1));
    assigns \nothing;
    ensures low:  BYTE(0);
    ensures high: BYTE(1); */
static uint32_t md2__read_u16(const uint8_t *p);

/*@ requires \valid_read(p + (0 .. 3));
    assigns \nothing;
    ensures first:  BYTE(0);
    ensures second: BYTE(1);
    ensures third:  BYTE(2);
    ensures fourth: BYTE(3); */
static uint32_t md2__read_u32(const uint8_t *p);

/* -- Which part of the file may be read ------------------------------------------------------------------ */

/*@ assigns context->error;
    ensures \result == \false; */
static bool md2__fail_at(md2__context *context, md2_result code, size_t offset, const char *format,
                         const char *text, uint64_t number, uint64_t next_number);

/*@ assigns loader->context.error; */
static void md2__forget_error(md2__loader *loader);

/*@ requires \valid(loader) && field < MD2__HEADER_FIELD_COUNT;
    assigns loader->context.error;
    ensures \result <==> 0 < loader->header[field] <= 0x7fffffff; */
static bool md2__check_count(md2__loader *loader, uint32_t field, const char *name);

/*@ lemma product: \forall integer a, b; 0 <= a <= 0xffffffff && 0 <= b <= 0xffffffff ==>
        0 <= a * b <= 0xfffffffe00000001; */

/* The numbers here are those without an end: that the sums of the header do not overflow is part of it. Macros,
   as the solvers do not look into predicates. */
#define INSIDE(count, offset, item)                                                                        \
    (loader->header[count] == 0 ||                                                                         \
     (loader->header[count] <= 0x7fffffff && MD2__HEADER_BYTES <= loader->header[offset] <= 0x7fffffff &&  \
      loader->header[offset] + loader->header[count] * (item) <= loader->size))
#define ITEM_BYTES (section->item_bytes == 0 ? loader->header[MD2__FRAME_SIZE] : section->item_bytes)

/*@ requires \valid(loader) && \valid_read(section) && \separated(loader, section);
    requires section->count_field < MD2__HEADER_FIELD_COUNT && section->offset_field < MD2__HEADER_FIELD_COUNT;
    assigns loader->context.error;
    ensures sound:    \result ==> INSIDE(section->count_field, section->offset_field, ITEM_BYTES);
    ensures complete: INSIDE(section->count_field, section->offset_field, ITEM_BYTES) ==> \result; */
static bool md2__check_section_range(md2__loader *loader, const md2__section *section);

/* Each frame holds its points. */
/*@ requires \valid(loader);
    assigns loader->context.error;
    ensures \result ==> 0 < loader->header[MD2__NUM_POINTS] && 0 < loader->header[MD2__NUM_FRAMES] <= 0x7fffffff;
    ensures \result ==> MD2__FRAME_POINTS_OFFSET + 4 * loader->header[MD2__NUM_POINTS] <=
                        loader->header[MD2__FRAME_SIZE] <= 0x7fffffff; */
static bool md2__check_frames(md2__loader *loader);

/*@ requires \valid_read(bytes + (0 .. 3)); assigns \nothing; */
static bool md2__has_ident(const uint8_t *bytes);
/*@ requires \valid_read(loader); requires \valid_read(loader->data + (0 .. loader->size - 1)); assigns loader->context.error;
    ensures \result == \false; */
static bool md2__fail_format(md2__loader *loader);
/*@ requires \valid(loader) && \valid_read(loader->data + (0 .. loader->size - 1));
    requires \separated(loader, loader->data + (0 .. loader->size - 1));
    assigns loader->header[0 .. 16], loader->context.error;
    ensures \result ==> loader->size >= MD2__HEADER_BYTES; */
static bool md2__read_header(md2__loader *loader);

/* All sections lie inside of the file; the commands may have been given up. */
/*@ requires \valid(loader) && \separated(loader, &md2__sections[0 .. 4]);
    assigns loader->context.error, loader->header[MD2__NUM_COMMANDS], loader->model.defects;
    ensures skins:     \result ==> INSIDE(MD2__NUM_SKINS, MD2__OFS_SKINS, 64);
    ensures texcoords: \result ==> INSIDE(MD2__NUM_TEXCOORDS, MD2__OFS_TEXCOORDS, 4);
    ensures triangles: \result ==> INSIDE(MD2__NUM_TRIANGLES, MD2__OFS_TRIANGLES, 12);
    ensures frames:    \result ==> INSIDE(MD2__NUM_FRAMES, MD2__OFS_FRAMES, loader->header[MD2__FRAME_SIZE]);
    ensures commands:  \result ==> INSIDE(MD2__NUM_COMMANDS, MD2__OFS_COMMANDS, 4);
    ensures few:       \result ==> loader->header[MD2__NUM_FRAMES] <= 65536; */
static bool md2__check_sections(md2__loader *loader);

/* -- What is read of the sections -------------------------------------------------------------------------- */

/*@ requires \valid_read(loader) && count_field < MD2__HEADER_FIELD_COUNT && offset_field < MD2__HEADER_FIELD_COUNT;
    assigns \nothing;
    ensures \result == loader->data + (loader->header[count_field] == 0 ? 0 : loader->header[offset_field]); */
static const uint8_t *md2__find_section(const md2__loader *loader, uint32_t count_field, uint32_t offset_field);

/* Whatever a triangle names, what is read lies inside of the file. */
/*@ requires \valid(loader) && \valid_read(loader->data + (0 .. loader->size - 1));
    requires \separated(loader, loader->data + (0 .. loader->size - 1));
    requires INSIDE(MD2__NUM_TEXCOORDS, MD2__OFS_TEXCOORDS, 4);
    assigns loader->model.defects; */
static uint32_t md2__read_texcoord(md2__loader *loader, uint32_t index);

/* No vertex of a strip lies behind its last one. */
/*@ requires 1 <= length <= 0x7fffffff && i <= length;
    requires i < length || (!keep_winding && !fan && length % 2 == 0);
    assigns \nothing;
    ensures \result < length; */
static uint32_t md2__map_strip_index(uint32_t i, uint32_t length, bool fan, bool keep_winding);

/*@ assigns \nothing; */
static bool md2__is_finite(double x);
/*@ requires \valid_read(p + (0 .. 3)); assigns \nothing; */
static float md2__read_f32(const uint8_t *p);

/* -- Welding: whatever the keys are, all that names a vertex names one, and each vertex a point -------------- */

/*@ requires \valid(indices + (0 .. count - 1));
    assigns indices[0 .. count - 1];
    ensures \forall integer k; 0 <= k < count ==> indices[k] == 0xffffffff; */
static void md2__clear_indices(uint32_t *indices, uint64_t count);
/*@ assigns \nothing; */
static inline uint32_t md2__spread_bits(uint32_t word);
/*@ requires \valid_read(key + (0 .. 2)) && level < 96; assigns \nothing;
    ensures \result < 2 && \result == KEY_BIT(key, level); */
static uint32_t md2__pick_bit(const uint32_t key[3], uint32_t level, uint32_t bits);
/*@ requires \valid(table) && \valid_read(key + (0 .. 2)) && table->count < proof_keys <= 0xffffffff && slot < proof_slots;
    requires \valid(table->nodes + (0 .. proof_keys - 1)) && \valid(table->slots + (0 .. proof_slots - 1));
    requires \valid(proof_levels + (0 .. proof_keys - 1));
    requires \separated(table, key + (0 .. 2), &proof_levels, &proof_keys, &proof_slots, proof_levels + (0 .. proof_keys - 1),
                        table->nodes + (0 .. proof_keys - 1), table->slots + (0 .. proof_slots - 1));
    requires SLOTS && TREES;
    assigns table->count, table->nodes[0 .. proof_keys - 1], table->slots[0 .. proof_slots - 1],
            proof_levels[0 .. proof_keys - 1];
    ensures number: (\result < \old(table->count) && table->count == \old(table->count)) ||
                    (\result == \old(table->count) && table->count == \old(table->count) + 1);
    ensures slots:  SLOTS;
    ensures trees:  TREES; */
static uint32_t md2__number_key(md2__key_table *table, uint32_t slot, const uint32_t key[3]);

/*@ requires bits <= 0xffff; assigns \nothing; */
static float md2__decode_texcoord(uint32_t bits);
/*@ requires \valid_read(loader) && \valid(out) && point <= 0xffff; assigns *out; ensures out->point == point; */
static void md2__build_vertex(const md2__loader *loader, uint32_t point, uint32_t texcoord, md2_vertex *out);
#define WELDED_KEYS \let table = &loader->vertex_keys; SLOTS && TREES
/*@ requires WELDED_MEMORY && KEY_MEMORY && VERTICES < CORNERS && point < POINTS && point <= 0xffff;
    requires LATEST && PREVIOUS && PLACES;
    requires WELDED_KEYS;
    assigns VERTICES, loader->vertex_keys.count, loader->vertices[0 .. CORNERS - 1], KEYS, LINKS;
    ensures count:    \result < VERTICES && \old(VERTICES) <= VERTICES <= \old(VERTICES) + 1;
    ensures numbers:  loader->vertex_keys.count == VERTICES;
    ensures keys:     WELDED_KEYS;
    ensures latest:   LATEST;
    ensures previous: PREVIOUS;
    ensures places:   PLACES; */
static uint32_t md2__weld_vertex(md2__loader *loader, uint32_t point, uint32_t texcoord);

/*@ assigns \nothing; */
static bool md2__is_above(float a, float b);
/*@ requires WELDED_MEMORY;
    requires LATEST;
    requires PREVIOUS;
    requires point < POINTS && !MISSING(loader->latest[point]);
    assigns \nothing; ensures \result < VERTICES; */
static uint32_t md2__find_nearest_vertex(const md2__loader *loader, uint32_t point, float u, float v);

#define STRIP_MEMORY  proof_strips == COMMAND_COUNT / 4 && proof_strip_vertices == COMMAND_COUNT / 2 && \
                      \valid(loader) && \valid(loader->strips + (0 .. proof_strips - 1)) && \
                      \valid(loader->strip_vertices + (0 .. proof_strip_vertices - 1)) && \
                      WELDED_MEMORY && LATEST && PREVIOUS && loader->model.point_count == POINTS && \
                      \separated(loader, loader->strips + (0 .. proof_strips - 1), \
                                 loader->strip_vertices + (0 .. proof_strip_vertices - 1), \
                                 loader->previous + (0 .. CORNERS - 1), loader->latest + (0 .. POINTS - 1))
/*@ requires STRIP_MEMORY && COMMAND_COUNT <= 0x7fffffff && 1 <= length <= 0x7fffffff / 3;
    requires \valid_read(bytes + (0 .. length * 12 - 1)) && \separated(loader, bytes + (0 .. length * 12 - 1));
    requires LE(COMMANDS + 4, bytes) && bytes - COMMANDS + length * 12 <= 4 * COMMAND_COUNT && FITS(bytes - COMMANDS - 4);
    assigns STRIPS;
    ensures FITS(bytes + length * 12 - COMMANDS); */
static bool md2__build_strip(md2__loader *loader, const uint8_t *bytes, uint32_t length, bool fan);
/*@ requires STRIP_MEMORY && INSIDE(MD2__NUM_COMMANDS, MD2__OFS_COMMANDS, 4);
    requires \valid_read(loader->data + (0 .. loader->size - 1)) && \separated(loader, loader->data + (0 .. loader->size - 1));
    requires loader->model.strip_count == 0 && loader->model.strip_vertex_count == 0;
    assigns STRIPS, loader->model.defects; */
static void md2__build_strips(md2__loader *loader);

/* -- Skins, frames and faces: they read their points and nothing else ---------------------------------------- */

/*@ requires \valid(out + (0 .. size)) && \valid_read(name + (0 .. size - 1)) && size <= 64; assigns out[0 .. size]; */
static void md2__copy_name_field(char *out, const uint8_t *name, size_t size);
/*@ requires \valid_read(loader) && \valid_read(loader->data + (0 .. loader->size - 1));
    requires loader->model.skin_count == loader->header[MD2__NUM_SKINS] && INSIDE(MD2__NUM_SKINS, MD2__OFS_SKINS, 64);
    requires \valid(loader->skins + (0 .. loader->model.skin_count - 1));
    requires \separated(loader, loader->skins + (0 .. loader->model.skin_count - 1));
    assigns loader->skins[0 .. loader->model.skin_count - 1]; */
static void md2__build_skins(md2__loader *loader);

/*@ requires count >= 1 && \valid_read(points + (0 .. count - 1)); assigns \nothing; */
static md2__point_bounds md2__find_point_bounds(const md2_point *points, size_t count);
/*@ requires \valid_read(loader) && \valid(points + (0 .. count - 1)); requires \separated(loader, points + (0 .. count - 1));
    assigns points[0 .. count - 1]; */
static void md2__convert_points_y_up(const md2__loader *loader, md2_point *points, size_t count);
/*@ requires \valid_read(loader) && \valid_read(frame) && \valid(normal + (0 .. 2)); assigns normal[0 .. 2]; */
static void md2__convert_face_normal(const md2__loader *loader, const md2_frame *frame, float normal[3]);

/*@ requires \valid_read(a + (0 .. 2)) && \valid_read(b + (0 .. 2)); assigns \nothing; */
static float md2__vec3_dot(const float a[3], const float b[3]);
/*@ assigns \nothing; */
static float md2__sqrt(float x);

/*@ requires -255 <= a <= 255 && -255 <= b <= 255; assigns \nothing; ensures -65025 <= \result <= 65025; */
static int md2__multiply(int a, int b);
/*@ requires MESH_READ && \valid(sum) && \separated(sum, loader);
    requires \valid_read(loader->model.frames) && BYTES(loader->model.frames->points, loader->model.point_count);
    requires \valid_read(indices + (0 .. 2)) && indices[0] < VERTICES && indices[1] < VERTICES && indices[2] < VERTICES;
    assigns *sum; */
static void md2__add_facing(const md2__loader *loader, const uint32_t *indices, md2__facing *sum);

#define FACES MESH_READ && loader->model.frame_count <= 65536 && \valid_read(loader->model.frames) && \
              BYTES(loader->model.frames->points, loader->model.point_count)
/*@ requires FACES; assigns \nothing; */
static md2__facing md2__measure_facing(const md2__loader *loader);
/*@ requires \valid_read(frame) && \valid_read(sum); assigns \nothing; */
static float md2__measure_doubt(const md2_frame *frame, const md2__facing *sum);
/*@ requires \valid(loader);
    requires FACES;
    assigns loader->model.defects; */
static void md2__detect_inward_facing(md2__loader *loader);
/*@ requires \valid(finder) && \valid(map + (0 .. 255)); assigns *finder, map[0 .. 255]; */
static void md2__map_normals_negated(md2__normal_finder *finder, uint8_t map[256]);
/*@ assigns \nothing; ensures \result == proof_points; */
static size_t md2__count_points(const md2_model *model);
/*@ requires \valid(loader) && proof_points <= 0x1000000000000 && \valid(points + (0 .. proof_points - 1));
    requires \separated(loader, points + (0 .. proof_points - 1));
    assigns loader->normal_finder, points[0 .. proof_points - 1].normal; */
static void md2__negate_normals(md2__loader *loader, md2_point *points);

/*@ requires \valid_read(frame); assigns \nothing; */
static float md2__compute_frame_radius(const md2_frame *frame);
/*@ requires \valid(model) && \valid_read(model->frames + (0 .. model->frame_count - 1));
    requires \separated(model, model->frames + (0 .. model->frame_count - 1));
    assigns model->min[0 .. 2], model->max[0 .. 2]; */
static void md2__compute_model_bounds(md2_model *model);

/* A frame, and the lemma that it lies within all of them. */
/*@ lemma product_grows: \forall integer a, b, c; 0 <= a <= b && 0 <= c ==> a * c <= b * c; */
/*@ requires \valid_read(bytes + (0 .. 4 * count - 1)); assigns \nothing; ensures \valid_read(\result + (0 .. count - 1)); */
static const md2_point *md2__points_at(const uint8_t *bytes, uint32_t count);
/*@ requires \valid(to + (0 .. count - 1)) && \valid_read(from + (0 .. count - 1)); assigns to[0 .. count - 1]; */
static void md2__copy_points(md2_point *to, const md2_point *from, uint32_t count);
/*@ requires \valid(frame); assigns *frame; */
static void md2__clear_frame(md2_frame *frame);
/*@ assigns \nothing; */
static md2_point md2__convert_point(md2_point point);
/*@ requires \valid(frame); assigns frame->min[0 .. 2], frame->max[0 .. 2], frame->radius; */
static bool md2__decode_bounds(md2__point_bounds stored, md2_frame *frame);
/*@ requires \valid_read(model); assigns \nothing; */
static bool md2__may_visit_faces_per_frame(const md2_model *model);
/*@ requires \valid(loader) && \valid_read(frame) && loader->model.point_count >= 1;
    requires \valid_read(frame->points + (0 .. loader->model.point_count - 1));
    requires points == \null || \valid(points + (0 .. loader->model.point_count - 1));
    assigns loader->normal_finder, loader->model.defects, loader->equal_normals, loader->normal_sum_count;
    assigns points[0 .. loader->model.point_count - 1].normal; */
static void md2__add_equal_normals(md2__loader *loader, const md2_frame *frame, md2_point *points);
/*@ requires \valid_read(loader) && \valid_read(bytes + (0 .. 39)) && \valid(frame);
    requires \separated(frame, loader, bytes + (0 .. 39));
    assigns frame->scale[0 .. 2], frame->translate[0 .. 2], frame->name[0 .. 16]; */
static void md2__read_frame_header(const md2__loader *loader, const uint8_t *bytes, md2_frame *frame);
/*@ requires \valid(loader) && \valid(frame) && \separated(loader, frame);
    requires \valid_read(loader->data + (0 .. loader->size - 1)) && \separated(loader, loader->data + (0 .. loader->size - 1));
    requires index < loader->header[MD2__NUM_FRAMES] <= 65536 && 1 <= POINTS <= 0x7fffffff;
    requires INSIDE(MD2__NUM_FRAMES, MD2__OFS_FRAMES, loader->header[MD2__FRAME_SIZE]);
    requires 40 + 4 * POINTS <= loader->header[MD2__FRAME_SIZE] <= 0x7fffffff && loader->model.point_count == POINTS;
    requires points == \null || \valid(points + (0 .. POINTS - 1));
    requires \separated(loader, frame, points + (0 .. POINTS - 1));
    requires \separated(frame, loader->data + (0 .. loader->size - 1));
    requires (loader->model.flags & MD2_Y_UP) != 0 ==> points != \null;
    assigns *frame, points[0 .. POINTS - 1], loader->context.error, loader->normal_finder, loader->model.defects;
    assigns loader->equal_normals, loader->normal_sum_count; */
static bool md2__build_frame(md2__loader *loader, md2_frame *frame, md2_point *points, size_t index);

/* -- Where the parts of a block lie ------------------------------------------------------------------------ */

/* What it is called with: fewer than 2^32 items, each below 2^32 bytes, and no more than 2^62 bytes before. */
/*@ requires \valid(total) && block == \null;
    requires *total <= 0x4000000000000000 && count <= 0xffffffff && item_size <= 0x7fffffff;
    assigns *total;
    ensures \old(*total) + count * item_size <= *total < \old(*total) + 16 + count * item_size;
    ensures (*total - count * item_size) % 16 == 0; */
static void *md2__place_array(uint8_t *block, uint64_t *total, uint64_t count, uint64_t item_size);

/*@ requires \valid(total) && block == \null;
    requires *total <= 0x4000000000000000 && count <= 0xffffffff && item_size <= 0x7fffffff;
    assigns *total;
    ensures \old(*total) + count * item_size <= *total < \old(*total) + 16 + count * item_size;
    ensures (*total - count * item_size) % 16 == 0; */
static void *md5__place_array(uint8_t *block, uint64_t *total, uint64_t count, uint64_t item_size);

/* -- Names of frames: whatever they are, what is taken of them lies inside -------------------------------- */

#define NAME requires LE(begin, end) && end - begin <= 0x7fffffff && \valid_read(begin + (0 .. end - begin - 1));

/*@ assigns \nothing; ensures \result <==> '0' <= c <= '9'; */
static bool md2__is_digit(char c);
/*@ assigns \nothing; */
static bool md2__is_letter(char c);
/*@ assigns \nothing; */
static bool md2__is_capital(char c);
/*@ assigns \nothing; */
static char md2__to_lower(char c);
/*@ assigns \nothing; */
static bool md2__is_white_space(char c);
/*@ assigns \nothing; */
static bool md2__is_name_separator(char c);

/*@ requires \valid_read(name + (0 .. size - 1)); assigns \nothing; ensures \result <= size; */
static size_t md2__find_name_length(const char *name, size_t size);
/*@ NAME assigns \nothing; ensures LE(begin, \result) && LE(\result, end); */
static const char *md2__trim_trailing_letters(const char *begin, const char *end);
/*@ NAME assigns \nothing; ensures LE(begin, \result) && LE(\result, end); */
static const char *md2__trim_trailing_capitals(const char *begin, const char *end);
/*@ requires \valid(number); NAME assigns *number; ensures LE(begin, \result) && LE(\result, end); */
static const char *md2__trim_trailing_number(const char *begin, const char *end, uint32_t *number);
/*@ NAME assigns \nothing; ensures \result ==> end - begin > 4; */
static bool md2__has_lwo_extension(const char *begin, const char *end);
/*@ NAME assigns \nothing; ensures LE(begin, \result) && LE(\result, end); */
static const char *md2__skip_leading_number(const char *begin, const char *end);
/*@ requires length <= 0x7fffffff && \valid_read(text + (0 .. length - 1));
    assigns \nothing;
    ensures (LE(text, \result.base) && LE(\result.base + \result.base_length, text + length)) ||
            \result.base_length == 4; */
static md2__frame_name md2__parse_frame_name(const char *text, size_t length);

/* -- Memory that grows: what is promised is there, and no more is copied than fits ------------------------- */

/*@ requires \valid(context) && context->used_bytes <= context->max_bytes;
    assigns context->used_bytes, context->error;
    ensures \result == \null || \valid(\result + (0 .. size - 1));
    ensures context->used_bytes <= context->max_bytes; */
static uint8_t *md2__alloc_bytes(md2__context *context, uint64_t size);

/*@ assigns context->used_bytes; */
static void md2__release(md2__context *context, void *ptr, size_t size);

/*@ requires \valid(to + (0 .. size - 1)) && \valid_read(from + (0 .. size - 1));
    assigns \nothing; */
static void md2__copy_bytes(uint8_t *to, const uint8_t *from, size_t size);

/*@ requires \valid(context) && context->used_bytes <= context->max_bytes && \valid(buffer) && \separated(context, buffer);
    requires buffer->size <= buffer->capacity <= 0x4000000000000000 && required <= 0x4000000000000000;
    requires \valid_read(buffer->data + (0 .. buffer->size - 1));
    assigns *buffer, context->used_bytes, context->error;
    ensures \result ==> buffer->size == \old(buffer->size) && buffer->capacity - buffer->size >= required;
    ensures !\result ==> *buffer == \old(*buffer); */
static bool md2__reserve_bytes(md2__context *context, md2__buffer *buffer, uint64_t required, uint64_t preferred);

/* -- The token reader: no byte outside of the text is read, whatever it holds, and each loop ends ------------ */

#define LAST(from, end) (\forall char *p; LE(from, p) && (end) - p == 1 ==> ENDS(*p))
#define TEXT (\valid(loader) && LE(loader->text, loader->end) && loader->end - loader->text <= 0x100000000000000 && \
              \valid_read(loader->text + (0 .. loader->end - loader->text - 1)) && \
              LAST(loader->text, loader->end) && valid_read_string(loader->symbols))
#define AT     (LE(loader->text, at) && LE(at, loader->end))
#define AFTER  (LE(at, \result) && LE(\result, loader->end))
#define BEHIND (\result == \null || (at != \null && LE(loader->text, \result) && LE(\result, loader->end)))
#define OUT    (\valid(out) && \separated(out, loader))
#define LOOKS  requires TEXT && AT; assigns \nothing;
#define READS  requires TEXT && proof_end == loader->end && (at == \null || AT); assigns loader->text_error
#define FAILS  assigns loader->text_error; ensures \result == \null;

/* What all others rely on is made here. */
/*@ requires \valid(loader) && (text == \null || \valid_read((char *)text + (0 .. size - 1)));
    requires size <= 0x100000000000000 && loader->text_bytes <= 0x100000000000000;
    assigns loader->text, loader->end, loader->text_bytes, loader->context.error;
    ensures text != \null ==> LE(loader->text, loader->end) && LE(loader->end, (char *)text + size);
    ensures text != \null ==> LAST(loader->text, loader->end); */
static void md5__begin_text(md5__loader *loader, const void *text, size_t size);

/*@ assigns context->error; */
static bool md5__fail(md5__context *context, md5_result code, const char *message);
/*@ assigns \nothing;
    ensures \result <==> '0' <= c <= '9' || c == '+' || c == '-' || c == '.' || c == 'e' || c == 'E'; */
static bool md5__is_number_char(char c);
/*@ assigns \nothing; ensures \result <==> '0' <= c <= '9'; */
static bool md5__is_digit(char c);
/*@ assigns \nothing; ensures \result <==> BLANK(c); */
static bool md5__is_blank(char c);
/*@ assigns \nothing; ensures \result < 10 <==> '0' <= c <= '9'; */
static uint32_t md5__digit_of(char c);

/*@ LOOKS ensures AFTER && (\result == loader->end || !BLANK(*\result)); */
static inline const char *md5__skip_blanks(const md5__loader *loader, const char *at);
/*@ LOOKS ensures \result ==> LE(at + 2, loader->end); */
static bool md5__is_comment_start(const md5__loader *loader, const char *at);
/*@ requires LE(at + 2, loader->end); LOOKS ensures LE(at + 2, \result) && LE(\result, loader->end); */
static const char *md5__skip_comment(const md5__loader *loader, const char *at);
/*@ LOOKS ensures AFTER && (\result == loader->end || !BLANK(*\result)); */
static inline const char *md5__find_token(const md5__loader *loader, const char *at);
/*@ LOOKS ensures \result ==> LT(at, loader->end) && *at == c; */
static bool md5__has_char(const md5__loader *loader, const char *at, char c);
/*@ LOOKS ensures !\result ==> LT(at, loader->end); */
static bool md5__is_word_end(const md5__loader *loader, const char *at);
/*@ LOOKS ensures AFTER; */
static const char *md5__find_word_end(const md5__loader *loader, const char *at);

/*@ FAILS */
static const char *md5__fail_at(md5__loader *loader, md5_result code, const char *at, const char *format);
/*@ FAILS */
static const char *md5__fail_at_numbers(md5__loader *loader, md5_result code, const char *at, const char *format,
                                        uint64_t number, uint64_t next_number);
/*@ FAILS */
static const char *md5__fail_expected(md5__loader *loader, const char *at, const char *expectation);

/*@ assigns \nothing; */
static char md5__to_lower(char c);
/* A word stands there if as many bytes do as it has, so `at` stays inside of the text. */
/*@ requires valid_read_string(word); LOOKS
    ensures \result == \null || (LE(\result, loader->end) && \result == at + strlen(word)); */
static const char *md5__match_word(const md5__loader *loader, const char *at, const char *word);
/*@ requires TEXT && \valid(at) && \separated(at, loader) && valid_read_string(word);
    requires LE(loader->text, *at) && LE(*at, loader->end);
    assigns *at;
    ensures LE(\old(*at), *at) && LE(*at, loader->end); */
static bool md5__accept_word(const md5__loader *loader, const char **at, const char *word);
/*@ requires \valid_read(a + (0 .. size - 1)) && \valid_read(b + (0 .. size - 1)); assigns \nothing; */
static int md5__compare_bytes(const char *a, const char *b, size_t size);
/*@ requires at != \null && valid_read_string(keyword); READS; ensures BEHIND; */
static inline const char *md5__read_keyword(md5__loader *loader, const char *at, const char *keyword);
/* A literal in the code ends in a NUL. */
/*@ assigns \nothing; ensures valid_read_string(\result); */
static const char *md5__literal(const char *word);
/* What the counts so far need of the text never exceeds it, which bounds the memory. */
/*@ requires OUT && at != \null && (item_bytes == 0 || item_bytes == 9 || item_bytes == 12 || item_bytes == 15 ||
             item_bytes == 17 || item_bytes == 19 || item_bytes == 20) && loader->claimed_bytes <= 0x100000000000000;
    READS, loader->claimed_bytes, *out;
    ensures BEHIND && (*out <= 0x7fffffff || *out == \old(*out));
    ensures \result != \null ==> loader->claimed_bytes == \old(loader->claimed_bytes) + *out * item_bytes;
    ensures \result != \null ==> loader->claimed_bytes <= loader->end - loader->text; */
static const char *md5__read_count(md5__loader *loader, const char *at, uint32_t item_bytes, uint32_t *out);

/*@ requires \valid_read(symbol); READS; ensures BEHIND; */
static const char *md5__read_symbol(md5__loader *loader, const char *at, const char *symbol);
/*@ requires OUT && at != \null; READS, *out; ensures BEHIND; */
static const char *md5__read_string(md5__loader *loader, const char *at, md5__string *out);
/*@ requires OUT; READS, *out; ensures BEHIND;
    ensures least <= *out && (*out < limit || (\result == \null && *out == least)); */
static const char *md5__read_integer(md5__loader *loader, const char *at, int64_t least, int64_t limit,
                                     const char *format, uint64_t number, int64_t *out);
/* The index that a fill function is given lies below the limit; without one it is 0, or stays. */
#define BELOW_LIMIT(other) (*out < limit || (\result == \null && *out == (other)))
/*@ requires OUT; READS, *out; ensures BEHIND; ensures BELOW_LIMIT(0); */
static const char *md5__read_index_slow(md5__loader *loader, const char *at, uint32_t limit, const char *format,
                                        uint32_t *out);
/*@ requires OUT; READS, *out; ensures BEHIND; ensures BELOW_LIMIT(0) || BELOW_LIMIT(\old(*out)); */
static const char *md5__read_index(md5__loader *loader, const char *at, uint32_t limit, const char *format,
                                   uint32_t *out);
/*@ requires at != \null; READS; ensures BEHIND; */
static const char *md5__skip_item(md5__loader *loader, const char *at);

/* Numbers stop before the end, which their readers are not told, and take no power of ten behind the table. */
#define NUMBER requires LT(at, proof_end) && proof_end - at <= 0x100000000000000 && \valid(out); \
               requires \valid_read(at + (0 .. proof_end - at - 1)) && LAST(at, proof_end); \
               assigns *out; \
               ensures \result == \null || (LE(at, \result) && LT(\result, proof_end));

/*@ assigns \nothing; */
static double md5__scale_by_ten(uint64_t digits, int64_t exponent);
/*@ NUMBER */
static const char *md5__parse_number(const char *at, double *out);
/*@ NUMBER */
static inline const char *md5__parse_number_fast(const char *at, double *out);
/*@ requires \valid(out) && at != \null; READS, *out; ensures BEHIND; */
static const char *md5__read_number_slow(md5__loader *loader, const char *at, double *out);
/*@ requires \valid(out); READS, *out; ensures BEHIND; */
static inline const char *md5__read_number(md5__loader *loader, const char *at, double *out);
/*@ requires \valid(out); READS, *out; ensures BEHIND; */
static const char *md5__read_float(md5__loader *loader, const char *at, float *out);
/*@ requires \valid(out + (0 .. count - 1)); READS, out[0 .. count - 1]; ensures BEHIND; */
static const char *md5__read_tuple(md5__loader *loader, const char *at, float *out, uint32_t count);
/*@ requires \valid(out + (0 .. 2)); READS, out[0 .. 2]; ensures BEHIND; */
static const char *md5__read_triple(md5__loader *loader, const char *at, double out[3]);

/* -- What the fill functions write: only what is theirs, and indices below their limit ------------------------- */

/*@ requires \valid_read(loader) && \valid_read(in + (0 .. 2)) && \valid(out + (0 .. 2));
    assigns out[0 .. 2]; */
static void md5__convert_axes(const md5__loader *loader, const float in[3], float scale, float out[3]);
/*@ requires OUT && joint <= 0x7fffffff; READS, *out; ensures BEHIND;
    ensures *out == -1 || 0 <= *out < joint; */
static const char *md5__read_parent_index(md5__loader *loader, const char *at, uint32_t joint, int32_t *out);
/*@ requires OUT && at != \null && joint <= 0x7fffffff; READS, *out; ensures BEHIND;
    ensures out->parent == -1 || 0 <= out->parent < joint; */
static const char *md5__read_joint_line(md5__loader *loader, const char *at, uint32_t joint, md5__joint_line *out);
/*@ READS; ensures BEHIND; */
static const char *md5__skip_tuples(md5__loader *loader, const char *at);
/*@ requires OUT; READS, *out; ensures BEHIND;
    ensures \result != \null ==> out->first_weight < 0x7fffffff && 1 <= out->weight_count <= MD5__MAX_INFLUENCES; */
static const char *md5__read_vertex(md5__loader *loader, const char *at, uint32_t index, md5__vertex_text *out);
/*@ requires \valid(out + (0 .. 2)) && \separated(out + (0 .. 2), loader); READS, out[0 .. 2]; ensures BEHIND;
    ensures \result != \null ==> out[0] < vertex_count && out[1] < vertex_count && out[2] < vertex_count; */
static const char *md5__read_triangle(md5__loader *loader, const char *at, uint32_t vertex_count, uint32_t *out);
/*@ requires OUT; READS, *out; ensures BEHIND; ensures \result != \null ==> out->joint < joint_count; */
static const char *md5__read_weight(md5__loader *loader, const char *at, uint32_t joint_count, md5_weight *out);

/* The lists of all meshes lie in bytes that are an eighth more than the text. */
/*@ requires \valid(bytes + (0 .. count * size - 1)); assigns bytes[0 .. count * size - 1]; */
static void md5__fill_bytes(uint8_t *bytes, size_t count, size_t size);
/*@ requires \valid(item + (0 .. size - 1)); assigns \nothing; */
static bool md5__is_missing(const uint8_t *item, size_t size);
#define ITEM(type) requires \valid(item + (0 .. sizeof(type) - 1)); assigns \nothing;
/*@ ITEM(md5__vertex_text) ensures \result == &proof_vertex; */
static md5__vertex_text *md5__vertex_at(uint8_t *item);
/*@ ITEM(uint32_t[3]) ensures \result == (uint32_t *)proof_triangle; */
static uint32_t *md5__triangle_at(uint8_t *item);
/*@ ITEM(md5_weight) ensures \result == &proof_weight; */
static md5_weight *md5__weight_at(uint8_t *item);

#define USED (text->free_lists - proof_lists)
#define LISTS (\base_addr(text->free_lists) == \base_addr(proof_lists) && \valid(proof_lists + (0 .. proof_room - 1)) && \
               proof_room == (loader->end - loader->text) + (loader->end - loader->text) / 8 && \
               0 <= 8 * USED <= 9 * loader->claimed_bytes)
/*@ requires \valid(text) && \valid(mesh) && at != \null && (kind == 0 || kind == 1 || kind == 2) && LISTS;
    requires \separated(loader, text, mesh, &proof_vertex, proof_triangle + (0 .. 2), &proof_weight, &proof_lists,
                        &proof_room, proof_lists + (0 .. proof_room - 1));
    requires loader->claimed_bytes <= loader->end - loader->text;
    READS, loader->claimed_bytes, text->free_lists, mesh->counts[kind], mesh->lists[kind], proof_vertex,
           proof_triangle[0 .. 2], proof_weight, proof_lists[0 .. proof_room - 1];
    ensures BEHIND;
    ensures \result != \null ==> LISTS; */
static const char *md5__read_list(md5__loader *loader, const char *at, uint32_t kind, md5__model_text *text,
                                  md5__mesh_text *mesh);

/*@ requires \valid_read(mesh);
    assigns \nothing; ensures \result == proof_vertices && \valid_read(\result + (0 .. mesh->counts[0] - 1)); */
static const md5__vertex_text *md5__vertices_of(const md5__mesh_text *mesh);
/*@ assigns loader->text_error; */
static const char *md5__find_vertex_line(md5__loader *loader, const char *list, uint32_t vertex);
/*@ requires at != \null && \valid(mesh) && \separated(loader, mesh, proof_vertices + (0 .. mesh->counts[0] - 1));
    READS, mesh->influence_count; ensures BEHIND;
    ensures \result != \null ==> RANGED(mesh->counts[0]); */
static const char *md5__check_weight_ranges(md5__loader *loader, const char *at, md5__mesh_text *mesh,
                                            const char *vertex_list);

/*@ requires index < 7; assigns \nothing; ensures valid_read_string(\result); */
static const char *md5__foreign_keyword(size_t index);
/*@ requires at != \null; READS; ensures BEHIND; */
static const char *md5__skip_unknown_item(md5__loader *loader, const char *at);

/* The lists of an animation: whatever the text holds, no more is written than the counts before it announced. */
#define ARRAY(name, count) \valid(text->name + (0 .. (count) - 1)) && \separated(loader, text, text->name + (0 .. (count) - 1))
#define LISTED requires \valid(text) && \separated(text, loader) && at != \null; requires text->joint_count <= 0x7fffffff;

/*@ LISTED requires ARRAY(base, 6 * text->joint_count);
    READS, text->has_base, text->base[0 .. 6 * text->joint_count - 1]; ensures BEHIND; */
static const char *md5__read_base_frame(md5__loader *loader, const char *at, md5__anim_text *text);
