/* matrix.h - matrices that rotate, scale and translate; in doubles. Public domain. */
#ifndef MATRIX_H_INCLUDED
#define MATRIX_H_INCLUDED

#include <stdbool.h>

typedef struct matrix {               /* three rows of four: rotation and scale, and the position */
    double m[3][4];
} matrix;

typedef struct rigid_pose {           /* without scale; rotation: x y z w */
    double position[3], rotation[4];
} rigid_pose;

matrix identity_matrix(void);
matrix multiply(const matrix *a, const matrix *b);
/* Of a point with w = 1, of a direction with w = 0. `out` may be `p`. */
void   transform(const matrix *a, const double p[3], double w, double out[3]);
double determinant(const matrix *a);
bool   is_mirrored(const matrix *a);  /* left becomes right, and clockwise counter-clockwise */
bool   invert(const matrix *a, matrix *out); /* false if it flattens things */
/* What turns normals as the matrix turns surfaces, however it scales them; not of length 1. */
void   transform_normal(const matrix *a, const double n[3], double out[3]);

/* `rotation` is x y z w, of any length. */
matrix compose(const double position[3], const double rotation[4], const double scale[3]);
matrix rigid_matrix(const rigid_pose *r);
/* Returns a rigid transform in the space of another one. */
rigid_pose relative_to(const rigid_pose *parent, const rigid_pose *own);
/* The rotation that is nearest to what the matrix does to directions, and the size that is nearest
   to it then, which is negative where it mirrors. `uneven` is how far from that the matrix takes a
   vector of length 1. False, with nothing set, if it flattens things. */
bool   split_rotation(const matrix *a, double rotation[4], double *size, double *uneven);

void   normalize_quaternion(double q[4]);
/* What turns by `b`, then by `a`. `out` may be either. */
void   multiply_quaternions(const double a[4], const double b[4], double out[4]);

#endif /* MATRIX_H_INCLUDED */
