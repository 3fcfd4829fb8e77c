/* vectors.h: vectors and rotations, in double precision. The results do not depend on the compiler or its library: sine
   and cosine are polynomials, and no multiplication is fused with an addition. Public domain. */
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
static inline vec lerp(vec a, vec b, double t) { return add(a, times(sub(b, a), t)); }
static inline double dot(vec a, vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline double length(vec a) { return sqrt(dot(a, a)); }

static inline vec cross(vec a, vec b)
{
    return v3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

static inline vec normalize(vec a)
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

/* Returns the sine of an angle in degrees, exact to the last bits: a Taylor series within 45 degrees of zero. */
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

static inline quat no_rotation(void) { return quat_of(0, 0, 0, 1); }
static inline quat inverse(quat q) { return quat_of(-q.x, -q.y, -q.z, q.w); }

static inline quat rotation_about(vec axis, double degrees)
{
    vec a = times(normalize(axis), sine(degrees / 2));
    return quat_of(a.x, a.y, a.z, cosine(degrees / 2));
}

static inline quat rotation_x(double degrees) { return rotation_about(v3(1, 0, 0), degrees); }
static inline quat rotation_y(double degrees) { return rotation_about(v3(0, 1, 0), degrees); }
static inline quat rotation_z(double degrees) { return rotation_about(v3(0, 0, 1), degrees); }

static inline quat multiply(quat a, quat b) /* b first, then a */
{
    return quat_of(a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                   a.w * b.y + a.y * b.w + a.z * b.x - a.x * b.z,
                   a.w * b.z + a.z * b.w + a.x * b.y - a.y * b.x,
                   a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z);
}

static inline vec rotate(quat q, vec v)
{
    vec u = v3(q.x, q.y, q.z), t = times(cross(u, v), 2);
    return add(v, add(times(t, q.w), cross(u, t)));
}

/* Interpolates between two rotations along the shorter arc (nlerp). */
static inline quat nlerp(quat a, quat b, double t)
{
    double s = a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w < 0 ? -t : t;
    double r = 1 - t;
    return quat_of(a.x * r + b.x * s, a.y * r + b.y * s, a.z * r + b.z * s, a.w * r + b.w * s);
}

static inline quat rotation_between(vec from, vec to)
{
    vec a = normalize(from), b = normalize(to), c = cross(a, b);
    return quat_of(c.x, c.y, c.z, 1.000001 + dot(a, b));
}

/* Returns the rotation that takes X to x, and Z as near to z as possible. */
static inline quat rotation_to_axes(vec x, vec z)
{
    vec  ux = normalize(x), uy = normalize(cross(z, ux)), uz = cross(ux, uy);
    quat first = rotation_between(v3(1, 0, 0), ux);
    vec  up = rotate(first, v3(0, 0, 1));
    /* The rest is a rotation about x; c and s are the cosine and sine of half its angle. */
    double c = sqrt(clamp((1 + dot(up, uz)) / 2, 0, 1));
    double s = sqrt(clamp((1 - dot(up, uz)) / 2, 0, 1));
    if (dot(cross(up, uz), ux) < 0) s = -s;
    return multiply(quat_of(ux.x * s, ux.y * s, ux.z * s, c), first);
}

static inline vec transform_point(xform t, vec v) { return add(t.position, rotate(t.rotation, v)); }

static inline xform compose(xform parent, xform local)
{
    xform out = { transform_point(parent, local.position), multiply(parent.rotation, local.rotation) };
    return out;
}

#endif /* CHARACTER_VECTORS_H_INCLUDED */
