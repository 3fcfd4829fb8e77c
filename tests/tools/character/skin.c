/* The skin of the character: the color of each texel is computed from the position of the texel on the surface of the
   bind pose, in inches. Public domain. */
#include "character.h"

typedef struct spot {                  /* the data of a texel */
    int    paint;
    vec    at, normal;
    double shade;                      /* light from the sky: 1 = open, 0 = in a corner */
    double texel;                      /* size of a texel */
    double u, v;                       /* position around the part and along it, 0 to 1 */
} spot;

static const vec CREAM = { 0.95, 0.9, 0.8 }, RED = { 0.87, 0.27, 0.15 };
static const vec BRASS = { 0.9, 0.68, 0.28 }, STEEL = { 0.62, 0.67, 0.74 };
static const vec SLATE = { 0.27, 0.33, 0.42 };
static const vec RUBBER = { 0.2, 0.22, 0.28 }, LEATHER = { 0.3, 0.19, 0.13 };
static const vec GLOW = { 0.35, 0.93, 1 }, TEAL = { 0.1, 0.47, 0.53 }, NIGHT = { 0.05, 0.07, 0.12 };
static const vec WHITE = { 1, 1, 1 }, BLACK = { 0, 0, 0 }, SEAM = { 0.12, 0.1, 0.12 };

static double random_at(int x, int y, int z)
{
    uint32_t h = (uint32_t)x * 0x8da6b343u ^ (uint32_t)y * 0xd8163841u ^ (uint32_t)z * 0xcb1ab31fu;
    h = (h ^ (h >> 15)) * 0x2c1b3c6du;
    h = (h ^ (h >> 12)) * 0x297a2d39u;
    return (double)((h ^ (h >> 15)) & 0xffff) / 65535;
}

static double noise(vec p, double scale)
{
    double fx = floor(p.x * scale), fy = floor(p.y * scale), fz = floor(p.z * scale), sum = 0;
    vec    t = v3(p.x * scale - fx, p.y * scale - fy, p.z * scale - fz);
    t = v3(smoothstep(0, 1, t.x), smoothstep(0, 1, t.y), smoothstep(0, 1, t.z));
    for (int k = 0; k < 8; ++k)
        sum += (k & 1 ? t.x : 1 - t.x) * (k & 2 ? t.y : 1 - t.y) * (k & 4 ? t.z : 1 - t.z) *
               random_at((int)fx + (k & 1), (int)fy + (k >> 1 & 1), (int)fz + (k >> 2));
    return sum;
}

/* These return the distance of a point (x, y) from an outline. The distance is negative inside. */
static double box(double x, double y, double w, double h, double round)
{
    double dx = fabs(x) - w + round, dy = fabs(y) - h + round;
    double ox = dx > 0 ? dx : 0, oy = dy > 0 ? dy : 0, in = dx > dy ? dx : dy;
    return sqrt(ox * ox + oy * oy) + (in < 0 ? in : 0) - round;
}

static double line(double x, double y, double x0, double y0, double x1, double y1)
{
    double dx = x1 - x0, dy = y1 - y0;
    double t = clamp(((x - x0) * dx + (y - y0) * dy) / (dx * dx + dy * dy), 0, 1);
    return sqrt((x - x0 - t * dx) * (x - x0 - t * dx) + (y - y0 - t * dy) * (y - y0 - t * dy));
}

static double disc(double x, double y, double radius)
{
    return sqrt(x * x + y * y) - radius;
}

/* Returns how much of a texel is inside an outline, 0 to 1. */
static double coverage(const spot *s, double distance)
{
    return clamp(0.5 - distance / s->texel, 0, 1);
}

static void blend(vec *under, vec color, double amount)
{
    *under = lerp(*under, color, amount);
}

static void fill(vec *under, const spot *s, double distance, vec color)
{
    blend(under, color, coverage(s, distance));
}

/* Draws a line between two panels: dark, with light on the edge below it. */
static void groove(vec *under, const spot *s, double distance)
{
    blend(under, WHITE, 0.35 * coverage(s, fabs(distance + 0.28) - 0.1));
    blend(under, SEAM, 0.75 * coverage(s, fabs(distance) - 0.14));
}

static void rivet(vec *under, const spot *s, double x, double y, vec color)
{
    double d = disc(x, y, 0);
    blend(under, BLACK, 0.45 * (1 - smoothstep(0.4, 0.75, d)));
    fill(under, s, d - 0.42, lerp(color, BLACK, clamp(0.2 - y * 0.6, 0, 1)));
    blend(under, WHITE, 0.8 * (1 - smoothstep(0, 0.24, disc(x + 0.1, y - 0.14, 0))));
}

/* Draws rivets in a ring around the Z axis, or around any axis to which x and y are perpendicular. */
static void rivet_ring(vec *under, const spot *s, double x, double y, double high, int count)
{
    for (int k = 0; k < count; ++k) {
        double c = cosine(360.0 * (k + 0.5) / count), n = sine(360.0 * (k + 0.5) / count);
        if (x * c + y * n > 0) rivet(under, s, y * c - x * n, high, BRASS);
    }
}

/* Draws flecks of worn paint near edges. `edge` is the distance from the edge. */
static void wear(vec *under, const spot *s, double edge)
{
    double fleck = noise(s->at, 2.6) * 0.6 + noise(s->at, 6) * 0.4;
    double worn = smoothstep(0.62, 0.7, fleck - 0.12 * clamp(edge, 0, 4) + 0.06);
    blend(under, lerp(STEEL, WHITE, 0.2), 0.55 * worn);
    blend(under, BLACK, 0.07 * smoothstep(0.5, 0.8, noise(s->at, 0.5)));
}

/* Paints the glass of the face: glowing eyes, blushing cheeks, a smile, and a reflection. */
static vec paint_glass(const spot *s, double y, double z)
{
    double eye = disc(y - 3.9, (z - 15.5) * 0.75, 0), cheek = disc((y - 6.1) * 0.72, z - 12.6, 0);
    double smile = fabs(disc(y, z - 14.2, 3.1)) - 0.26, streak = s->at.y + z * 0.5;
    vec    glass = lerp(v3(0.09, 0.13, 0.22), NIGHT, smoothstep(10, 19, z));
    blend(&glass, v3(0.16, 0.5, 0.62), 0.5 * (1 - smoothstep(1.5, 4.6, eye)));
    blend(&glass, v3(1, 0.42, 0.45), 0.55 * (1 - smoothstep(0.5, 1.5, cheek)));
    if (z < 12) fill(&glass, s, smile > y - 1.9 ? smile : y - 1.9, lerp(GLOW, WHITE, 0.3));
    blend(&glass, WHITE, 0.16 * coverage(s, fabs(streak - 4.4) - 0.9));
    blend(&glass, WHITE, 0.1 * coverage(s, fabs(streak - 6.4) - 0.35));
    return glass;
}

static void paint_face(vec *c, const spot *s, double y, double z)
{
    double d = box(y, z - 15.4, 8.6, 5.2, 4.4);
    fill(c, s, d - 1, lerp(BRASS, BLACK, clamp(0.2 - (z - 15.4) * 0.05, 0, 0.5)));
    blend(c, WHITE, 0.4 * coverage(s, fabs(d - 0.7) - 0.12));
    groove(c, s, d - 1.1);
    fill(c, s, d, paint_glass(s, fabs(y), z));
    blend(c, BLACK, 0.6 * coverage(s, d) * smoothstep(-1.4, 0, d));
}

static vec paint_head(const spot *s)
{
    double y = s->at.y, z = s->at.z;
    double stripe = s->at.x > 0 && z < 18 ? 9 : fabs(y) - 2.1;
    vec    c = CREAM;
    fill(&c, s, stripe, RED);
    groove(&c, s, stripe);
    groove(&c, s, z - 22.2);
    if (s->at.x < 3) groove(&c, s, z - 11.4);
    rivet_ring(&c, s, s->at.x, y, z - 21.3, 14);
    wear(&c, s, fabs(z - 22.2));
    if (s->at.x < 0) return c;
    for (int k = -2; k <= 2; ++k) fill(&c, s, box(y - k * 1.25, z - 8.5, 0.34, 0.85, 0.3), NIGHT);
    paint_face(&c, s, y, z);
    return c;
}

/* Returns the distance to the number on his back, 25, seen from behind. */
static double number_25(double x, double y)
{
    static const double at[][2] = {
        { -3.4, 2 }, { -2.6, 2.7 }, { -1.5, 2.7 }, { -0.8, 1.9 }, { -0.9, 0.9 }, { -3.4, -2.6 },
        { -0.7, -2.6 }, { 3.3, 2.7 }, { 1.1, 2.7 }, { 0.9, 0.4 }, { 2.4, 0.6 }, { 3.4, -0.4 },
        { 3.2, -1.8 }, { 2.2, -2.6 }, { 0.8, -2.3 },
    };
    double best = 9;
    for (int k = 1; k < COUNT_OF(at); ++k) /* the 5 begins at point 7 */
        if (k != 7) best = fmin(best, line(x, y, at[k - 1][0], at[k - 1][1], at[k][0], at[k][1]));
    return best - 0.55;
}

static void paint_chest(vec *c, const spot *s, double y, double z)
{
    double plate = box(y, z - 0.6, 6.4, 4.2, 2), core = disc(y, z - 0.9, 0);
    fill(c, s, plate, lerp(CREAM, WHITE, 0.35));
    groove(c, s, plate);
    fill(c, s, box(fabs(y) - 4.6, z + 0.6, 0.9, 0.28, 0.25), RED);
    fill(c, s, box(fabs(y) - 4.6, z - 0.6, 0.9, 0.28, 0.25), SLATE);
    rivet(c, s, fabs(y) - 5.2, z - 3.4, BRASS);
    rivet(c, s, fabs(y) - 5.2, z + 2.2, BRASS);
    blend(c, BLACK, 0.4 * (1 - smoothstep(2.6, 3.4, core)));
    fill(c, s, core - 2.7, lerp(BRASS, BLACK, clamp(0.15 - (z - 0.9) * 0.12, 0, 0.5)));
    fill(c, s, core - 1.95, NIGHT);
    fill(c, s, core - 1.6, lerp(WHITE, v3(0.1, 0.72, 0.9), smoothstep(0.1, 1.6, core)));
}

static vec paint_body(const spot *s)
{
    double y = s->at.y, z = s->at.z;
    vec    c = CREAM;
    groove(&c, s, fabs(s->at.x) < 4 ? s->at.x : 4);
    if (s->at.x > 0) paint_chest(&c, s, y, z);
    if (s->at.x < 0) fill(&c, s, number_25(-y, z - 0.8), RED);
    wear(&c, s, fabs(s->at.x));
    fill(&c, s, z + 6.8, SLATE);
    fill(&c, s, fabs(z + 5.6) - 1.3, LEATHER);
    groove(&c, s, fabs(z + 5.6) - 1.4);
    rivet_ring(&c, s, s->at.x, y, z + 5.6, 16);
    if (s->at.x > 0) {
        vec buckle = lerp(BRASS, BLACK, clamp(-(z + 5.6) * 0.2, 0, 0.4));
        fill(&c, s, box(y, z + 5.6, 2.3, 1.7, 0.6), buckle);
        fill(&c, s, fabs(box(y, z + 5.6, 1.3, 0.85, 0.3)) - 0.2, LEATHER);
    }
    return c;
}

static vec paint_brow(const spot *s)
{
    double high = (s->u - 0.44) * 11.8, side = fabs(s->v - 0.5) * 33; /* inches on the outer side */
    vec    c = lerp(STEEL, WHITE, 0.3 * noise(v3(high * 5, side * 0.4, 0), 1));
    blend(&c, WHITE, 0.45 * smoothstep(-1, 4, high) * (1 - smoothstep(0, 10, side)));
    fill(&c, s, side - 1.1, RED);
    groove(&c, s, side - 1.3);
    fill(&c, s, box(side - 6, high + 0.2, 2.8, 0.6, 0.5), NIGHT);
    blend(&c, WHITE, 0.5 * coverage(s, box(side - 6, high + 1, 2.6, 0.12, 0.1)));
    rivet(&c, s, side - 10.4, high + 0.2, BRASS);
    rivet(&c, s, side - 13.2, high + 0.2, BRASS);
    wear(&c, s, 3.4 - fabs(high));
    fill(&c, s, 3.6 - fabs(high), lerp(BRASS, BLACK, 0.06));
    groove(&c, s, 3.5 - fabs(high));
    return c;
}

static vec paint_eye(const spot *s)
{
    double d = s->v < 0.45 ? 1 : 1 - (s->v - 0.45) / 0.55;
    vec    c = lerp(WHITE, GLOW, smoothstep(0.1, 0.75, d));
    c = lerp(c, v3(0.05, 0.45, 0.6), 0.9 * smoothstep(0.8, 1, d));
    fill(&c, s, disc(s->at.y - 3.7, s->at.z - 16.9, 0.45), WHITE);
    return c;
}

static vec paint_plume(const spot *s)
{
    double hair = noise(v3(s->u * 46, s->v * 3, 0), 1);
    vec    c = lerp(RED, v3(0.5, 0.08, 0.08), 0.75 * hair * hair);
    blend(&c, v3(1, 0.62, 0.2), 0.75 * smoothstep(0.45, 1, s->v + 0.2 * (hair - 0.5)));
    if (s->v < 0.16) c = lerp(BRASS, BLACK, 0.1);
    return c;
}

static vec paint_scarf(const spot *s)
{
    double knit = 0.5 + 0.5 * sine(s->u * 360 * 36) * (s->paint == PAINT_TAIL ? 0.4 : 1);
    vec    c = lerp(TEAL, v3(0.03, 0.25, 0.32), 0.5 * knit);
    if (s->paint == PAINT_TAIL && fabs(s->v - 0.74) < 0.07) c = CREAM;
    if (s->paint == PAINT_TAIL && s->v > 0.92) c = lerp(CREAM, TEAL, 0.6 * knit);
    return c;
}

static vec paint_shoulder(const spot *s)
{
    double d = 1 - s->v;
    vec    c = lerp(RED, WHITE, 0.12 * d);
    fill(&c, s, (fabs(d - 0.38) - 0.055) * 6, CREAM);
    wear(&c, s, 8 * fabs(d - 0.6));
    if (d > 0.66) c = lerp(BRASS, BLACK, smoothstep(0.7, 1, d) * 0.4);
    blend(&c, BLACK, 0.5 * coverage(s, (fabs(d - 0.66) - 0.02) * 6));
    if (d < 0.13) c = lerp(WHITE, BRASS, smoothstep(0, 0.07, d));
    return c;
}

/* Paints rubber in folds. */
static vec paint_folds(const spot *s)
{
    double wave = sine(s->v * 360 * (s->paint == PAINT_LEG ? 8 : 9));
    vec    c = lerp(RUBBER, BLACK, 0.45 * clamp(-wave, 0, 1));
    return lerp(c, v3(0.5, 0.56, 0.68), 0.3 * clamp(wave, 0, 1));
}

static vec paint_gauntlet(const spot *s)
{
    vec c = CREAM;
    fill(&c, s, (fabs(s->v - 0.62) - 0.08) * 7, RED);
    blend(&c, SEAM, 0.7 * coverage(s, (fabs(fabs(s->v - 0.62) - 0.1) - 0.015) * 7));
    wear(&c, s, 6 * fabs(s->v - 0.3));
    if (s->v < 0.3) c = lerp(BRASS, BLACK, s->v < 0.12 ? 0.6 : 0.05);
    return c;
}

static vec paint_glove(const spot *s)
{
    vec c = lerp(RED, WHITE, 0.1 * noise(s->at, 1));
    if (s->paint == PAINT_PALM)
        fill(&c, s, box((s->u - 0.5) * 14, (s->v - 0.6) * 5, 1.5, 0.7, 0.4), CREAM);
    else
        blend(&c, v3(0.3, 0.05, 0.05), 0.7 * coverage(s, (fabs(s->v - 0.42) - 0.04) * 6));
    wear(&c, s, 2);
    return c;
}

static vec paint_boot(const spot *s)
{
    double z = s->at.z - CHARACTER_FLOOR;
    vec    c = RED;
    if (s->paint == PAINT_SHAFT) {
        if (s->v < 0.42) c = CREAM;
        blend(&c, SEAM, 0.7 * coverage(s, (fabs(s->v - 0.42) - 0.02) * 8));
        wear(&c, s, 8 * fabs(s->v - 0.45));
        return c;
    }
    fill(&c, s, 6.2 - s->at.x, CREAM);
    groove(&c, s, 6.1 - s->at.x);
    rivet(&c, s, s->at.x - 5.2, fabs(s->at.y - 4.9) - 2.2, BRASS);
    wear(&c, s, 1.6);
    fill(&c, s, z - 1.1, RUBBER);
    blend(&c, WHITE, 0.2 * coverage(s, fabs(z - 1.2) - 0.12));
    blend(&c, BLACK, 0.5 * coverage(s, z - 0.1));
    return c;
}

static vec paint_blade(const spot *s)
{
    double x = s->at.x, across = fabs(s->u * 2 - 1) * 2; /* 0 and 2 are the edges */
    double middle = fabs(across - 1);
    vec    c = lerp(STEEL, WHITE, 0.25 + 0.5 * smoothstep(0.4, 1, middle));
    blend(&c, WHITE, 0.2 * noise(v3(x * 0.4, across * 14, 0), 1));
    if (x < 20) blend(&c, v3(0.1, 0.5, 0.62), 1 - smoothstep(0.2, 0.28, middle));
    if (x < 19.6) blend(&c, lerp(GLOW, WHITE, 0.5 - middle * 2), 1 - smoothstep(0.12, 0.2, middle));
    blend(&c, BLACK, 0.3 * coverage(s, fabs(middle - 0.46) * 4 - 0.05));
    wear(&c, s, 3 - 3 * middle);
    return c;
}

static vec paint_hilt(const spot *s)
{
    double wrap = sine((s->u + s->v * 5) * 360);
    if (s->paint == PAINT_GRIP) return lerp(LEATHER, BLACK, 0.4 * clamp(wrap, 0, 1));
    if (s->paint == PAINT_POMMEL) return s->v < 0.22 ? RED : lerp(BRASS, BLACK, 0.15);
    return lerp(BRASS, s->v > 0.3 && s->v < 0.7 ? WHITE : BLACK, 0.18);
}

static vec paint_ear(const spot *s)
{
    vec c = s->v < 0.5 ? lerp(STEEL, BLACK, 0.1) : BRASS;
    if (s->v > 0.66) c = lerp(RED, BLACK, 0.3 * (1 - s->v));
    if (s->v > 0.86) c = BRASS;
    blend(&c, BLACK, 0.5 * coverage(s, (fabs(s->v - 0.66) - 0.02) * 6));
    return c;
}

/* The painters, in the order of enum paint. */
static vec (*const painters[])(const spot *s) = {
    paint_head, paint_body, paint_brow, paint_ear, paint_eye, paint_plume, paint_scarf, paint_scarf,
    paint_shoulder, paint_folds, paint_gauntlet, paint_glove, paint_glove, paint_folds, paint_boot,
    paint_boot, paint_blade, paint_hilt, paint_hilt, paint_hilt
};

/* Paints a texel. Glowing parts stay bright in corners. */
static vec painted(const spot *s)
{
    vec    c = painters[s->paint](s);
    double shade = 0.52 + 0.5 * s->shade, sky = 0.97 + 0.07 * s->normal.z;
    if (s->paint == PAINT_EYE || s->paint == PAINT_BLADE) return c;
    sky *= 0.96 + 0.08 * noise(s->at, 0.35);
    return v3(c.x * shade * sky, c.y * shade * sky, c.z * (shade * 0.96 + 0.04) * sky);
}

/* -- Ambient occlusion: the fraction of the sky that each point sees ---------------------------- */

enum { RAYS = 40 };

static int ray_hits(vec from, vec direction, vec a, vec b, vec c, double far)
{
    vec    e1 = sub(b, a), e2 = sub(c, a), p = cross(direction, e2), to = sub(from, a), q;
    double det = dot(e1, p), u, v, t;
    if (fabs(det) < 1e-9) return 0;
    u = dot(to, p) / det;
    if (u < 0 || u > 1) return 0;
    q = cross(to, e1);
    v = dot(direction, q) / det;
    if (v < 0 || u + v > 1) return 0;
    t = dot(e2, q) / det;
    return t > 0 && t < far;
}

static int ray_blocked(const mesh *m, vec from, vec direction)
{
    const double far = 9;
    for (int i = 0; i < m->part_count; ++i) {
        vec    to = sub(m->middle[i], from);
        double along = dot(to, direction), off = dot(to, to) - along * along, radius = m->radius[i];
        if (off > radius * radius || along < -radius || along > radius + far) continue;
        for (int t = m->first[i]; t < m->first[i + 1]; ++t)
            if (ray_hits(from, direction, point_of(m, t, 0), point_of(m, t, 1), point_of(m, t, 2), far))
                return 1;
    }
    return 0;
}

static double visible_sky(const mesh *m, const point *p)
{
    vec    from = add(p->at, times(p->normal, 0.08));
    double seen = 0, all = 0;
    for (int k = 0; k < RAYS; ++k) {
        double z = 1 - (2 * k + 1.0) / (double)RAYS, r = sqrt(1 - z * z), turns = k * 222.492236;
        vec    direction = v3(r * cosine(turns), r * sine(turns), z);
        double facing = dot(direction, p->normal);
        if (facing < 0.05) continue;
        all += facing;
        if (!ray_blocked(m, from, direction)) seen += facing;
    }
    return all > 0 ? seen / all : 1;
}

/* -- From triangles to texels ------------------------------------------------------------------ */

/* Rounds up from slightly more than a half: exactly half could be rounded differently by different compilers. */
static unsigned char to_byte(double x)
{
    return (unsigned char)floor(clamp(x, 0, 1) * 255 + 0.4997);
}

static void paint_texel(canvas *to, int x, int y, const spot *s)
{
    vec            c = painted(s);
    unsigned char *rgb = to->rgb[y * CHARACTER_SKIN + x];
    rgb[0] = to_byte(c.x);
    rgb[1] = to_byte(c.y);
    rgb[2] = to_byte(c.z);
    to->covered[y * CHARACTER_SKIN + x] = 1;
}

/* Interpolates the data of a texel; b has barycentric coordinates. */
static spot spot_at(const mesh *m, int t, const double b[3], const double *sky, double x, double y)
{
    const part *p = m->of[m->triangles[t].part];
    spot s = { p->paint, { 0, 0, 0 }, { 0, 0, 0 }, 0, 0, (x - p->x) / p->w, (y - p->y) / p->h };
    for (int k = 0; k < 3; ++k) {
        int at = m->vertices[m->triangles[t].corner[k]].point;
        s.at = add(s.at, times(m->points[at].at, b[k]));
        s.normal = add(s.normal, times(m->points[at].normal, b[k]));
        s.shade += sky[at] * b[k];
    }
    if (p->frame == IN_WORLD) s.v = 1 - s.v;
    return s;
}

static int least(int a, int b, int c) { return a < b ? (a < c ? a : c) : (b < c ? b : c); }
static int most(int a, int b, int c) { return -least(-a, -b, -c); }

/* Returns the size of a texel in inches, the mean over a triangle. `area` is twice its area in texels. */
static double texel_size(const mesh *m, int t, double area)
{
    vec a = point_of(m, t, 0);
    vec across = cross(sub(point_of(m, t, 1), a), sub(point_of(m, t, 2), a));
    return sqrt(length(across) / fabs(area));
}

static void paint_triangle(canvas *to, const mesh *m, int t, const double *sky)
{
    const int    *corner = m->triangles[t].corner;
    const vertex *a = &m->vertices[corner[0]], *b = &m->vertices[corner[1]];
    const vertex *c = &m->vertices[corner[2]];
    double us = b->s - a->s, ut = b->t - a->t, vs = c->s - a->s, vt = c->t - a->t;
    double area = us * vt - ut * vs;
    int    x1 = most(a->s, b->s, c->s), y1 = most(a->t, b->t, c->t);
    if (area == 0) return;
    for (int y = least(a->t, b->t, c->t); y < y1; ++y)
        for (int x = least(a->s, b->s, c->s); x < x1; ++x) {
            double px = x, py = y, weight[3]; /* the texel's corner, because vertices are at corners of texels */
            weight[1] = ((px - a->s) * vt - (py - a->t) * vs) / area;
            weight[2] = (us * (py - a->t) - ut * (px - a->s)) / area;
            weight[0] = 1 - weight[1] - weight[2];
            if (weight[0] < -1e-9 || weight[1] < -1e-9 || weight[2] < -1e-9) continue;
            spot s = spot_at(m, t, weight, sky, px, py);
            s.texel = texel_size(m, t, area) * 1.2;
            paint_texel(to, x, y, &s);
        }
}

/* Extends the painted areas by one texel, so that seams stay invisible when the skin is scaled down. */
static void extend_areas(canvas *to)
{
    static const int dx[4] = { -1, 1, 0, 0 }, dy[4] = { 0, 0, -1, 1 };
    for (int y = 0; y < CHARACTER_SKIN; ++y)
        for (int x = 0; x < CHARACTER_SKIN; ++x) {
            int here = y * CHARACTER_SKIN + x;
            for (int k = 0; k < 4 && !to->covered[here]; ++k) {
                int nx = x + dx[k], ny = y + dy[k], there = ny * CHARACTER_SKIN + nx;
                if (nx < 0 || ny < 0 || nx >= CHARACTER_SKIN || ny >= CHARACTER_SKIN) continue;
                if (to->covered[there] != 1) continue;
                memcpy(to->rgb[here], to->rgb[there], 3);
                to->covered[here] = 2;
            }
        }
    for (int k = 0; k < CHARACTER_SKIN * CHARACTER_SKIN; ++k) to->covered[k] = to->covered[k] != 0;
}

canvas *paint_skin(const mesh *m)
{
    canvas *to = (canvas *)calloc(1, sizeof *to);
    double  sky[MAX_POINTS];
    if (!to) abort();
    for (int i = 0; i < m->point_count; ++i) sky[i] = visible_sky(m, &m->points[i]);
    for (int i = 0; i < CHARACTER_SKIN * CHARACTER_SKIN; ++i) memset(to->rgb[i], 58, 3);
    for (int i = 0; i < m->triangle_count; ++i)
        if (!m->right[m->triangles[i].part] || m->of[m->triangles[i].part]->frame == IN_GRIP)
            paint_triangle(to, m, i, sky);
    for (int i = 0; i < 8; ++i) extend_areas(to);
    return to;
}
