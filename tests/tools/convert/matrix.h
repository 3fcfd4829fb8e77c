/* matrix.h - affine transforms in doubles. Public domain. */
#ifndef MATRIX_H_INCLUDED
#define MATRIX_H_INCLUDED

#include <stdbool.h>

typedef struct matrix {               /* rows; the last column is the translation */
    double m[3][4];
} matrix;

typedef struct rigid_pose {           /* rotation: x y z w */
    double position[3], rotation[4];
} rigid_pose;

matrix identity_matrix(void);
matrix multiply(const matrix *a, const matrix *b);
/* Transforms a point (w = 1) or a direction (w = 0). `out` may be `p`. */
void   transform(const matrix *a, const double p[3], double w, double out[3]);
double determinant(const matrix *a);
/* Returns true if the determinant is negative: the matrix swaps left and right, and clockwise
   triangles become counter-clockwise. */
bool   is_mirrored(const matrix *a);
double largest_number(const matrix *a); /* largest absolute value, without the translation */
bool   invert(const matrix *a, matrix *out); /* returns false if the matrix is singular */
/* Transforms a normal, correctly even if the matrix scales unevenly. The result may have any
   length. */
void   transform_normal(const matrix *a, const double n[3], double out[3]);

/* `rotation` is x y z w, of any length. */
matrix compose(const double position[3], const double rotation[4], const double scale[3]);
matrix rigid_matrix(const rigid_pose *r);
/* Returns the transform `own` in the space of `parent`. */
rigid_pose relative_to(const rigid_pose *parent, const rigid_pose *own);
/* Finds the rotation and the uniform scale that are nearest to the matrix (polar decomposition).
   The scale of a mirrored matrix is negative. Transformed by the matrix and by
   this rotation and scale, a unit vector differs by at most `uneven`. Returns false and sets
   nothing if the matrix is singular. */
bool   split_rotation(const matrix *a, double rotation[4], double *size, double *uneven);

void   normalize_quaternion(double q[4]);
/* Returns the rotation by `b`, followed by the rotation by `a`. `out` may be `a` or `b`. */
void   multiply_quaternions(const double a[4], const double b[4], double out[4]);

#endif /* MATRIX_H_INCLUDED */
