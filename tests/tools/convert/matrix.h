/* matrix.h - matrices that turn, scale and move; in doubles. Public domain. */
#ifndef MATRIX_H_INCLUDED
#define MATRIX_H_INCLUDED

#include <stdbool.h>

typedef struct matrix {               /* three rows of four: turn and scale, and the place */
    double m[3][4];
} matrix;

typedef struct rigid {                /* without scale; turn: x y z w */
    double place[3], turn[4];
} rigid;

matrix identity_matrix(void);
matrix multiply(const matrix *a, const matrix *b);
/* Of a point with w = 1, of a direction with w = 0. `out` may be `p`. */
void   transform(const matrix *a, const double p[3], double w, double out[3]);
double determinant(const matrix *a);
bool   is_mirrored(const matrix *a);  /* left becomes right, and clockwise counter-clockwise */
bool   invert(const matrix *a, matrix *out); /* false if it flattens things */
/* What turns normals as the matrix turns surfaces, however it scales them; not of length 1. */
void   transform_normal(const matrix *a, const double n[3], double out[3]);

/* `turn` is x y z w, of any length. */
matrix compose(const double place[3], const double turn[4], const double scale[3]);
matrix rigid_matrix(const rigid *r);
/* Returns a rigid transform in the space of another one. */
rigid  relative_to(const rigid *parent, const rigid *own);
/* The turn that is nearest to what the matrix does to directions, and the size that is nearest
   to it then, which is negative where it mirrors. `uneven` is how far from that the matrix takes a
   vector of length 1. False, with nothing set, if it flattens things. */
bool   split_turn(const matrix *a, double turn[4], double *size, double *uneven);

void   normalize_turn(double q[4]);
/* What turns by `b`, then by `a`. `out` may be either. */
void   multiply_turns(const double a[4], const double b[4], double out[4]);

#endif /* MATRIX_H_INCLUDED */
