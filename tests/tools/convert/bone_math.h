/* bone_math.h - vectors, rotations and small systems of equations, in doubles. Public domain. */
#ifndef BONE_MATH_H_INCLUDED
#define BONE_MATH_H_INCLUDED

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct vec3 {
    double x, y, z;
} vec3;

typedef struct mat3 {                 /* columns: the images of the axes */
    vec3 x, y, z;
} mat3;

static inline vec3 make_vec3(double x, double y, double z)
{
    vec3 v = { x, y, z };
    return v;
}

static inline mat3 make_mat3(vec3 x, vec3 y, vec3 z)
{
    mat3 m = { x, y, z };
    return m;
}

static inline vec3 add(vec3 a, vec3 b)
{
    return make_vec3(a.x + b.x, a.y + b.y, a.z + b.z);
}

static inline vec3 minus(vec3 a, vec3 b)
{
    return make_vec3(a.x - b.x, a.y - b.y, a.z - b.z);
}

static inline vec3 scaled(vec3 a, double by)
{
    return make_vec3(a.x * by, a.y * by, a.z * by);
}

static inline double dot(vec3 a, vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline vec3 cross(vec3 a, vec3 b)
{
    return make_vec3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

static inline double length_of(vec3 a)
{
    return sqrt(dot(a, a));
}

static inline mat3 add_mat3(mat3 a, mat3 b)
{
    return make_mat3(add(a.x, b.x), add(a.y, b.y), add(a.z, b.z));
}

static inline mat3 minus_mat3(mat3 a, mat3 b)
{
    return make_mat3(minus(a.x, b.x), minus(a.y, b.y), minus(a.z, b.z));
}

static inline mat3 scaled_mat3(mat3 m, double by)
{
    return make_mat3(scaled(m.x, by), scaled(m.y, by), scaled(m.z, by));
}

static inline mat3 diagonal(double d)
{
    return make_mat3(make_vec3(d, 0, 0), make_vec3(0, d, 0), make_vec3(0, 0, d));
}

/* a b^T */
static inline mat3 outer(vec3 a, vec3 b)
{
    return make_mat3(scaled(a, b.x), scaled(a, b.y), scaled(a, b.z));
}

static inline vec3 rotate(mat3 m, vec3 v)
{
    return make_vec3(m.x.x * v.x + m.y.x * v.y + m.z.x * v.z,
                     m.x.y * v.x + m.y.y * v.y + m.z.y * v.z,
                     m.x.z * v.x + m.y.z * v.y + m.z.z * v.z);
}

static inline vec3 rotate_back(mat3 m, vec3 v)
{
    return make_vec3(dot(m.x, v), dot(m.y, v), dot(m.z, v));
}

static inline mat3 transposed(mat3 m)
{
    return make_mat3(make_vec3(m.x.x, m.y.x, m.z.x), make_vec3(m.x.y, m.y.y, m.z.y),
                     make_vec3(m.x.z, m.y.z, m.z.z));
}

static inline mat3 times(mat3 a, mat3 b)
{
    return make_mat3(rotate(a, b.x), rotate(a, b.y), rotate(a, b.z));
}

static inline mat3 transposed_times(mat3 a, mat3 b)
{
    return make_mat3(rotate_back(a, b.x), rotate_back(a, b.y), rotate_back(a, b.z));
}

/* Returns the rotation closest to `sum`, the sum of (to) (from)^T of all points. If several are
   equally close, returns the one nearest to `old`. */
mat3 best_rotation(mat3 sum, mat3 old);
/* Returns the rotation about the axis `angles`, whose length is the angle in radians. */
mat3 rotation_about(vec3 angles);
/* Returns the rotation in the middle of the shortest path from one to the other. */
mat3 halfway_rotation(mat3 a, mat3 b);
/* Quaternions are x y z w. */
void quaternion_of(mat3 rotation, double q[4]);
mat3 mat3_of_quaternion(const double q[4]);

/* Solves m x = b in place: `m`, [n][n], is symmetric and positive. Returns false if it is not. */
bool solve(double *m, double *b, uint32_t n);
/* Solves m x = b for three unknowns. Returns 0 if there is no solution. */
vec3 solve3(mat3 m, vec3 b);

#endif /* BONE_MATH_H_INCLUDED */
