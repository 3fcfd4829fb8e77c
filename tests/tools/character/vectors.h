/* Vectors and rotations, in double precision.

   Nothing here depends on the compiler or its library: sine and cosine are polynomials, and no
   multiplication is contracted with an addition. Public domain. */
#ifndef CHARACTER_VECTORS_H_INCLUDED
#define CHARACTER_VECTORS_H_INCLUDED

#include <math.h>

#if defined(__clang__)
  #pragma STDC FP_CONTRACT OFF
#elif defined(__GNUC__)
  #pragma GCC optimize("fp-contract=off")
#endif

typedef struct vec { double x, y, z; } vec;
typedef struct quat { double x, y, z, w; } quat;
typedef struct xform { vec position; quat rotation; } xform;

static inline vec v3(double x, double y, double z)
{
    vec v = { x, y, z };
    return v;
}

static inline vec add(vec a, vec b) { return v3(a.x + b.x, a.y + b.y, a.z + b.z); }
static inline vec sub(vec a, vec b) { return v3(a.x - b.x, a.y - b.y, a.z - b.z); }
static inline vec times(vec a, double s) { return v3(a.x * s, a.y * s, a.z * s); }
static inline vec toward(vec a, vec b, double t) { return add(a, times(sub(b, a), t)); }
static inline double dot(vec a, vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline double length(vec a) { return sqrt(dot(a, a)); }

static inline vec cross(vec a, vec b)
{
    return v3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

static inline vec unit(vec a)
{
    double l = length(a);
    return l > 0 ? times(a, 1 / l) : v3(0, 0, 1);
}

static inline double clamp(double x, double low, double high)
{
    return x < low ? low : x > high ? high : x;
}

static inline double mix(double a, double b, double t) { return a + (b - a) * t; }

static inline double smoothstep(double low, double high, double x)
{
    double t = clamp((x - low) / (high - low), 0, 1);
    return t * t * (3 - 2 * t);
}

/* Sine of an angle in degrees, to the last bits: a Taylor series within 45 degrees of zero. */
static inline double sine(double degrees)
{
    double turns = degrees / 360, x, x2, s, c;
    turns -= floor(turns);
    int quarter = (int)(turns * 4 + 0.5);
    x = (turns - quarter * 0.25) * 6.283185307179586;
    x2 = x * x;
    s = x * (1 - x2 / 6 * (1 - x2 / 20 * (1 - x2 / 42 * (1 - x2 / 72 * (1 - x2 / 110)))));
    c = 1 - x2 / 2 * (1 - x2 / 12 * (1 - x2 / 30 * (1 - x2 / 56 * (1 - x2 / 90 * (1 - x2 / 132)))));
    switch (quarter & 3) {
        case 0: return s;
        case 1: return c;
        case 2: return -s;
        default: return -c;
    }
}

static inline double cosine(double degrees) { return sine(degrees + 90); }

static inline quat quat_of(double x, double y, double z, double w)
{
    double l = sqrt(x * x + y * y + z * z + w * w);
    quat   q = { x / l, y / l, z / l, w / l };
    return q;
}

static inline quat no_turn(void) { return quat_of(0, 0, 0, 1); }
static inline quat inverse(quat q) { return quat_of(-q.x, -q.y, -q.z, q.w); }

static inline quat turn(vec axis, double degrees)
{
    vec a = times(unit(axis), sine(degrees / 2));
    return quat_of(a.x, a.y, a.z, cosine(degrees / 2));
}

static inline quat turn_x(double degrees) { return turn(v3(1, 0, 0), degrees); }
static inline quat turn_y(double degrees) { return turn(v3(0, 1, 0), degrees); }
static inline quat turn_z(double degrees) { return turn(v3(0, 0, 1), degrees); }

static inline quat after(quat a, quat b) /* b first, then a */
{
    return quat_of(a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                   a.w * b.y + a.y * b.w + a.z * b.x - a.x * b.z,
                   a.w * b.z + a.z * b.w + a.x * b.y - a.y * b.x,
                   a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z);
}

static inline vec turned(quat q, vec v)
{
    vec u = v3(q.x, q.y, q.z), t = times(cross(u, v), 2);
    return add(v, add(times(t, q.w), cross(u, t)));
}

/* Part of the way from one rotation to another, along the shorter arc. */
static inline quat turn_toward(quat a, quat b, double t)
{
    double s = a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w < 0 ? -t : t;
    double r = 1 - t;
    return quat_of(a.x * r + b.x * s, a.y * r + b.y * s, a.z * r + b.z * s, a.w * r + b.w * s);
}

static inline quat turn_between(vec from, vec to)
{
    vec a = unit(from), b = unit(to), c = cross(a, b);
    return quat_of(c.x, c.y, c.z, 1.000001 + dot(a, b));
}

/* The rotation that takes X to x, and Z as near to z as it can. */
static inline quat turn_frame(vec x, vec z)
{
    vec  ux = unit(x), uy = unit(cross(z, ux)), uz = cross(ux, uy);
    quat first = turn_between(v3(1, 0, 0), ux);
    vec  up = turned(first, v3(0, 0, 1));
    /* what is left is a turn about x, here by half its angle */
    double c = sqrt(clamp((1 + dot(up, uz)) / 2, 0, 1));
    double s = sqrt(clamp((1 - dot(up, uz)) / 2, 0, 1));
    if (dot(cross(up, uz), ux) < 0) s = -s;
    return after(quat_of(ux.x * s, ux.y * s, ux.z * s, c), first);
}

static inline vec placed(xform t, vec v) { return add(t.position, turned(t.rotation, v)); }

static inline xform below(xform parent, xform local)
{
    xform out = { placed(parent, local.position), after(parent.rotation, local.rotation) };
    return out;
}

#endif /* CHARACTER_VECTORS_H_INCLUDED */
