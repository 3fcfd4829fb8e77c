/* The meshes of the character and of its sword, made of rings around chains of joints. Public domain. */
#include "character.h"

static const part character_parts[] = {
    { PAINT_HEAD, IN_WORLD, 0, 16, 0.06, { HEAD, HEAD, HEAD }, 0, 0, 2, 2, 352, 168, 9,
      { { 7.6 }, { 7.6, 6.2, 6.4 }, { 9.2, 8.4, 8.6 }, { 12.6, 10.3, 10.5 }, { 16.6, 10.9, 11 },
        { 20.4, 10, 10.2 }, { 23.5, 7.7, 7.8 }, { 25.8, 4.3, 4.4 }, { 26.7 } } },
    { PAINT_BODY, IN_WORLD, 0, 12, 0.06, { HIPS, SPINE, CHEST }, 1, 0, 2, 174, 320, 140, 7,
      { { -11, 0, 0, 0, -0.2 }, { -10.4, 4.6, 5 }, { -8.2, 7.6, 8, 0.1, 0.1 },
        { -4.4, 9.1, 9.4, 0.6, 0.3 }, { 0, 9.3, 9.6, 1.2, 0.4 }, { 4, 8.1, 8.6, 1.8, 0.2 },
        { 7, 6, 6.6, 2 } } },
    { PAINT_EAR, IN_EAR, 1, 10, 0, { HEAD, HEAD, HEAD }, 0, 0, 446, 174, 64, 44, 3,
      { { 9.4, 3.5, 3.5 }, { 11.9, 3.3, 3.3 }, { 12.7 } } },
    { PAINT_EYE, IN_EYE, 1, 10, 0, { LOOK, EYE_L, EYE_L }, 0, 0, 450, 122, 60, 44, 3,
      { { 9.9, 3, 2, 0.5 }, { 11, 2.7, 1.8, 0.5 }, { 11.5, 0, 0, 0.5 } } },
    { PAINT_PLUME, IN_WORLD, 0, 6, 0, { PLUME1, PLUME2, PLUME3 }, 0, 0, 392, 318, 118, 130, 6,
      { { 25, 1, 0.9, 0, -0.6, 0, -10 }, { 27.7, 2.1, 1.3, 0, -0.9, 0, -12 },
        { 30.4, 3.2, 1.8, 0.7, -2.5, 0, -36 }, { 32.3, 3.2, 1.8, 1.4, -6.4, 0, -76 },
        { 30.9, 1.7, 1, 2, -11.2, 0, -122 }, { 27.8, 0, 0, 2, -13.8, 0, -130 } } },
    { PAINT_SCARF, IN_WORLD, 0, 10, 0, { CHEST, CHEST, CHEST }, 0, 0, 2, 378, 234, 40, 4,
      { { 5.4, 7, 7.4 }, { 7, 8.2, 8.6, 0, 0.1 }, { 8.6, 6.6, 6.8 }, { 7.4 } } },
    { PAINT_TAIL, IN_TAIL, 0, 4, 0, { CHEST, SCARF1, SCARF2 }, 0, 2, 2, 422, 96, 60, 4,
      { { -0.6, 0.7, 1.1, 0.4 }, { 3, 0.8, 2, 1.1 }, { 7, 0.7, 2.5, 1.8, 0.2 },
        { 10.4, 0.25, 2.2, 2, 0.6 } } },
    { PAINT_SHOULDER, IN_SHOULDER, 1, 10, 0, { CLAVICLE_L, ARM_L, ARM_L }, 0, 1, 326, 270, 130, 44,
      4,
      { { -1.6, 4, 4, 0.45 }, { -1, 4.8, 4.8, 0.45 }, { 1.8, 3.9, 3.9, 0.45 },
        { 3.6, 0, 0, 0.45 } } },
    { PAINT_SLEEVE, IN_ARM, 1, 8, 0, { ARM_L, FOREARM_L, HAND_L }, 0, 0, 240, 318, 64, 96, 4,
      { { -1, 1.9, 1.9 }, { 5.2, 1.9, 1.9, 0.12 }, { 7.2, 2.1, 2.1, 0.5 }, { 10, 1.9, 1.9, 1 } } },
    { PAINT_GAUNTLET, IN_ARM, 1, 8, 0, { FOREARM_L, HAND_L, HAND_L }, 0, 3, 2, 318, 110, 52, 3,
      { { 9, 3.4, 3.4 }, { 11, 3.1, 3.1 }, { 14.6, 2.3, 2.3, 0.25 } } },
    { PAINT_PALM, IN_ARM, 1, 6, 0.25, { FOREARM_L, HAND_L, HAND_L }, 0, 2, 446, 222, 64, 40, 3,
      { { 13.6, 2, 1.7, 0.7 }, { 16.2, 2.9, 2, 1, 0, 0.1 }, { 18.6, 2.6, 1.5, 1, 0, 0.2 } } },
    { PAINT_FINGER, IN_ARM, 1, 5, 0.2, { FINGERS_L, FINGERS_L, FINGERS_L }, 0, 3, 450, 2, 60, 38, 3,
      { { 17.6, 1.7, 1.2, 0, -1, 0.1 }, { 20.6, 1.8, 1.2, 0, -1, 0.5 },
        { 22.4, 1, 0.6, 0, -1, 1.3 } } },
    { PAINT_FINGER, IN_ARM, 1, 5, 0.2, { INDEX_L, INDEX_L, INDEX_L }, 0, 3, 450, 42, 60, 38, 3,
      { { 17.6, 1.1, 1.1, 0, 1.7, 0.1 }, { 20.8, 1.1, 1.1, 0, 1.7, 0.5 },
        { 22.8, 0.5, 0.5, 0, 1.7, 1 } } },
    { PAINT_FINGER, IN_THUMB, 1, 5, 0.1, { THUMB_L, THUMB_L, THUMB_L }, 0, 3, 450, 82, 60, 36, 3,
      { { -0.6, 1, 1 }, { 1.9, 1.25, 1.25 }, { 4, 0.6, 0.6, 0, 0.2 } } },
    { PAINT_LEG, IN_WORLD, 1, 6, 0, { THIGH_L, SHIN_L, FOOT_L }, 0, 0, 308, 318, 80, 88, 4,
      { { -6.4, 2.5, 2.5, 0, 0, 4.4 }, { -12.2, 2.6, 2.6, 0.25, 0, 4.6 },
        { -14.6, 2.6, 2.6, 0.75, 0, 4.7 }, { -19, 2.2, 2.2, 1, 0, 4.9 } } },
    { PAINT_SHAFT, IN_WORLD, 1, 8, 0.1, { SHIN_L, FOOT_L, FOOT_L }, 0, 1, 116, 318, 120, 56, 3,
      { { -16, 4, 3.8, 0, 0, 4.9 }, { -17.8, 3.7, 3.5, 0.2, 0, 4.9 },
        { -21.8, 3.4, 3.2, 1, 0, 4.9 } } },
    { PAINT_FOOT, IN_FOOT, 1, 8, 0.3, { FOOT_L, TOES_L, TOES_L }, 0, 0, 326, 174, 116, 92, 6,
      { { -4.6, 0, 0, 0, 1.8 }, { -3.8, 2.3, 2.4, 0, 2 }, { -1, 3, 3.2, 0, 2.4 },
        { 3.4, 2.8, 3.6, 0.35, 2.3 }, { 7, 2.3, 3.6, 1, 1.9 }, { 9.6, 0, 0, 1, 1.5 } } },
};

static const part sword_parts[] = {
    { PAINT_BLADE, IN_GRIP, 1, 6, 0, { WEAPON, WEAPON, WEAPON }, 0, 0, 4, 4, 112, 500, 5,
      { { 4.2, 2.5, 0.8 }, { 6, 2.5, 0.8 }, { 23, 3, 0.75 }, { 26.5, 2.2, 0.5 }, { 29.5 } } },
    { PAINT_GUARD, IN_GRIP, 1, 8, 0.5, { WEAPON, WEAPON, WEAPON }, 0, 3, 124, 4, 240, 60, 4,
      { { 3.1, 4.4, 1.2 }, { 3.5, 5, 1.5 }, { 4.6, 5, 1.5 }, { 5, 4.4, 1.1 } } },
    { PAINT_GRIP, IN_GRIP, 1, 6, 0, { WEAPON, WEAPON, WEAPON }, 0, 0, 124, 80, 160, 120, 2,
      { { -3.6, 0.8, 0.8 }, { 3.4, 0.8, 0.8 } } },
    { PAINT_POMMEL, IN_GRIP, 1, 6, 0, { WEAPON, WEAPON, WEAPON }, 0, 0, 124, 220, 160, 120, 4,
      { { -5.4 }, { -4.9, 1.2, 1.2 }, { -3.9, 1.4, 1.4 }, { -3.2, 0.7, 0.7 } } },
};

/* Computes the weights of the joints of a chain at a position along it, in millionths that sum to a million: two
   straight lines, or, if `soft`, three parabolas, which bend a wide body without a crease. */
static void chain_weights(double on, int soft, int weight[3])
{
    for (int i = 0; i < 3; ++i) {
        double d = fabs(on - i), w = d < 1 ? 1 - d : 0;
        if (soft) w = d < 0.5 ? 0.75 - d * d : d < 1.5 ? 0.5 * (1.5 - d) * (1.5 - d) : 0;
        if (soft && i == 0 && on < 0.5) w += 0.5 * (0.5 - on) * (0.5 - on);
        if (soft && i == 2 && on > 1.5) w += 0.5 * (on - 1.5) * (on - 1.5);
        weight[i] = (int)to_micro(w);
    }
    weight[weight[1] > weight[0] ? weight[2] > weight[1] ? 2 : 1 : 0] +=
        1000000 - weight[0] - weight[1] - weight[2];
}

static void assign_joints(point *p, const int chain[3], const int weight[3], int right)
{
    for (int i = 0; i < 3; ++i) {
        influence *by = &p->by[p->count];
        if (weight[i] == 0) continue;
        by->joint = right ? mirror_joint(chain[i]) : chain[i];
        by->bias = weight[i];
        by->at = rounded(sub(p->at, joint_bind(by->joint)));
        ++p->count;
    }
}

static int add_point(mesh *m, vec at, const part *of, double on, int right)
{
    int    weight[3];
    point *p = &m->points[m->point_count];
    if (m->point_count == MAX_POINTS) abort();
    memset(p, 0, sizeof *p);
    p->at = at;
    if (right) p->at.y = -p->at.y;
    chain_weights(on, of->soft, weight);
    assign_joints(p, of->chain, weight, right);
    return m->point_count++;
}

static int add_vertex(mesh *m, int at_point, double s, double t)
{
    vertex v = { at_point, (int)floor(s + 0.5), (int)floor(t + 0.5) };
    if (m->vertex_count == MAX_VERTICES) abort();
    m->vertices[m->vertex_count] = v;
    return m->vertex_count++;
}

static void add_triangle(mesh *m, int a, int b, int c)
{
    triangle t = { { a, b, c }, m->part_count };
    if (m->triangle_count == MAX_TRIANGLES) abort();
    m->triangles[m->triangle_count++] = t;
}

/* Returns the point at an angle of a ring, in the part's frame. `square` moves points toward the corners. */
static vec ring_place(const double *r, double degrees, double square)
{
    double c = -cosine(degrees), s = -sine(degrees);
    double most = fabs(c) > fabs(s) ? fabs(c) : fabs(s);
    double grow = 1 + square * (1 / most - 1);
    vec    flat = rotate(rotation_y(r[RING_LEAN]), v3(r[RING_R1] * c * grow, 0, 0));
    return v3(r[RING_X] + flat.x, r[RING_Y] + r[RING_R2] * s * grow, r[RING_Z] + flat.z);
}

static int is_pole(const double *r) { return r[RING_R1] == 0 && r[RING_R2] == 0; }

/* Computes the position of each row of a part on the skin, in texels. */
static void row_heights(const part *p, double height[MAX_ROWS])
{
    double along = 0;
    height[0] = 0;
    for (int i = 1; i < p->rows; ++i) {
        const double *a = p->row[i - 1], *b = p->row[i];
        double      r = (b[RING_R1] + b[RING_R2] - a[RING_R1] - a[RING_R2]) / 2;
        double      x = a[RING_X] - b[RING_X], z = a[RING_Z] - b[RING_Z];
        along += sqrt(r * r + x * x + z * z);
        height[i] = along;
    }
    for (int i = 0; i < p->rows; ++i) {
        double weight = height[i] / along;
        if (p->frame == IN_WORLD) weight = 1 - weight; /* upright parts are also upright on the skin */
        height[i] = p->y + p->h * weight;
    }
}

/* Adds the vertices of a row: one more than it has points, because the skin is cut open at the back; a pole has one
   vertex for each side. Returns the first vertex. */
static int add_row(mesh *m, const part *p, int row, double t, int right)
{
    const double *r = p->row[row];
    int         first_point = m->point_count, first = m->vertex_count, pole = is_pole(r);
    for (int k = 0; k < (pole ? 1 : p->sides); ++k) {
        vec    local = ring_place(r, 360.0 * k / p->sides, p->square);
        vec    at = from_frame(p->frame, local);
        double on = r[RING_ON] + (p->frame == IN_EYE ? local.x / (2 * EYE_HIGH) : 0);
        if (at.z < CHARACTER_FLOOR) at.z = CHARACTER_FLOOR;
        add_point(m, at, p, on, right);
    }
    for (int k = 0; k < p->sides + !pole; ++k)
        add_vertex(m, first_point + (pole ? 0 : k % p->sides),
                   p->x + (k + pole * 0.5) * p->w / p->sides, t);
    return first;
}

static void add_band(mesh *m, int sides, int low, int low_pole, int high, int high_pole)
{
    for (int k = 0; k < sides; ++k) {
        if (!low_pole) add_triangle(m, low + k, low + k + 1, high + k);
        if (!high_pole) add_triangle(m, low + k + !low_pole, high + k + 1, high + k);
    }
}

static void add_cap(mesh *m, int sides, int first, int far_end)
{
    for (int k = 1; k + 1 < sides; ++k)
        add_triangle(m, first, first + k + !far_end, first + k + far_end);
}

vec point_of(const mesh *m, int t, int corner)
{
    return m->points[m->vertices[m->triangles[t].corner[corner]].point].at;
}

/* Computes a sphere around a part. */
static void bound_part(mesh *m, int which)
{
    int    first = 3 * m->first[which], end = 3 * m->first[which + 1];
    double weight = 1.0 / (end - first), *radius = &m->radius[which];
    vec   *middle = &m->middle[which];
    for (int i = first; i < end; ++i)
        *middle = add(*middle, times(point_of(m, i / 3, i % 3), weight));
    for (int i = first; i < end; ++i)
        *radius = fmax(*radius, length(sub(point_of(m, i / 3, i % 3), *middle)));
}

/* Returns six times the volume between the triangles of a part and its center; positive if they are wound
   counter-clockwise. Seen from the center, an open end matters least. */
static double part_volume(const mesh *m, int which)
{
    vec    middle = m->middle[which];
    double sum = 0;
    for (int t = m->first[which]; t < m->first[which + 1]; ++t)
        sum += dot(sub(point_of(m, t, 0), middle), cross(sub(point_of(m, t, 1), middle),
                                                         sub(point_of(m, t, 2), middle)));
    return sum;
}

static void end_part(mesh *m, const part *p, int right)
{
    m->of[m->part_count] = p;
    m->right[m->part_count] = right;
    m->first[++m->part_count] = m->triangle_count;
    bound_part(m, m->part_count - 1);
    if (part_volume(m, m->part_count - 1) < 0) return;
    for (int t = m->first[m->part_count - 1]; t < m->triangle_count; ++t) { /* clockwise, as in both formats */
        int swap = m->triangles[t].corner[1];
        m->triangles[t].corner[1] = m->triangles[t].corner[2];
        m->triangles[t].corner[2] = swap;
    }
}

static void add_part(mesh *m, const part *p, int right)
{
    double height[MAX_ROWS];
    int    below_row = 0, here;
    row_heights(p, height);
    for (int row = 0; row < p->rows; ++row) {
        here = add_row(m, p, row, height[row], right);
        if (row > 0)
            add_band(m, p->sides, below_row, is_pole(p->row[row - 1]), here, is_pole(p->row[row]));
        if (row == 0 && (p->caps & 1)) add_cap(m, p->sides, here, 0);
        if (row == p->rows - 1 && (p->caps & 2)) add_cap(m, p->sides, here, 1);
        below_row = here;
    }
    end_part(m, p, right);
}

/* Adds the visor, which rotates about the ears. Each of its rows is a cross-section, from one ear to the other: heights
   in degrees above the face, as seen from the ear, and distances from the center. */
static void add_brow(mesh *m, const part *p)
{
    enum { ROWS = 11, SIDES = 6 };
    static const double up[SIDES] = { 27, 24, 42, 66, 64, 42 };
    static const double out[SIDES] = { 11.7, 12.9, 13, 12.7, 11.6, 11.7 };
    static const double round[SIDES + 1] = { 0, 0.06, 0.44, 0.82, 0.88, 0.94, 1 }; /* row positions on the skin */
    static const double across[ROWS] = { -79, -67, -52, -36, -18, 0, 18, 36, 52, 67, 79 };
    int first = m->vertex_count, middle = m->point_count;
    for (int row = 0; row < ROWS; ++row) {
        double c = cosine(across[row]), s = sine(across[row]);
        for (int k = 0; k < SIDES; ++k) {
            double dip = k < 2 || k == 5 ? 5 * (1 - fabs(across[row]) / 79) : 0; /* a beak */
            vec    at = v3(c * cosine(up[k] - dip), s, c * sine(up[k] - dip));
            add_point(m, add(joint_bind(BROW), times(at, out[k])), p, 0, 0);
        }
        for (int k = 0; k <= SIDES; ++k)
            add_vertex(m, middle + row * SIDES + k % SIDES, p->x + round[k] * p->w,
                       p->y + (double)row * p->h / (ROWS - 1));
    }
    for (int row = 0; row + 1 < ROWS; ++row)
        add_band(m, SIDES, first + row * (SIDES + 1), 0, first + (row + 1) * (SIDES + 1), 0);
    add_cap(m, SIDES, first, 0);
    add_cap(m, SIDES, first + (ROWS - 1) * (SIDES + 1), 1);
    end_part(m, p, 0);
}

/* Returns the angle between two vectors. It is halved four times, so that a short series is exact enough. */
static double angle_between(vec a, vec b)
{
    double s = length(cross(a, b)), c = dot(a, b), t, t2;
    if (s == 0) return 0;
    t = s / (sqrt(s * s + c * c) + c);
    for (int i = 0; i < 3; ++i) t /= 1 + sqrt(1 + t * t);
    t2 = t * t;
    return 16 * t * (1 - t2 * (1.0 / 3 - t2 * (1.0 / 5 - t2 * (1.0 / 7 - t2 / 9))));
}

/* Computes smooth normals over each part: the normal of a point is the mean of the triangles around it, weighted by
   their angles there. */
static void find_normals(mesh *m)
{
    for (int t = 0; t < m->triangle_count; ++t)
        for (int k = 0; k < 3; ++k) {
            vec    to_last = sub(point_of(m, t, (k + 2) % 3), point_of(m, t, k));
            vec    to_next = sub(point_of(m, t, (k + 1) % 3), point_of(m, t, k));
            point *p = &m->points[m->vertices[m->triangles[t].corner[k]].point];
            p->normal = add(p->normal, times(normalize(cross(to_last, to_next)),
                                             angle_between(to_last, to_next)));
        }
    for (int k = 0; k < m->point_count; ++k) m->points[k].normal = normalize(m->points[k].normal);
}

static const part brow_part = { PAINT_BROW, IN_WORLD, 0, 6, 0, { BROW, BROW, BROW }, 0, 3, 358, 2,
                                88, 168, 1, { { 0, 1, 1 } } };

void build_mesh(mesh *m)
{
    memset(m, 0, sizeof *m);
    for (int i = 0; i < COUNT_OF(character_parts); ++i) {
        add_part(m, &character_parts[i], 0);
        if (character_parts[i].mirrored) add_part(m, &character_parts[i], 1);
    }
    add_brow(m, &brow_part);
    find_normals(m);
}

void build_sword(mesh *m)
{
    memset(m, 0, sizeof *m);
    for (int i = 0; i < COUNT_OF(sword_parts); ++i) add_part(m, &sword_parts[i], 1);
    find_normals(m);
}
