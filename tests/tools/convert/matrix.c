/* matrix.c - affine transforms in doubles. Public domain. */
#include "matrix.h"

#include <math.h>
#include <string.h>

matrix identity_matrix(void)
{
    matrix out = { { { 1, 0, 0, 0 }, { 0, 1, 0, 0 }, { 0, 0, 1, 0 } } };
    return out;
}

matrix multiply(const matrix *a, const matrix *b)
{
    matrix out;
    for (int row = 0; row < 3; ++row) {
        for (int column = 0; column < 4; ++column) {
            double sum = column == 3 ? a->m[row][3] : 0;
            for (int k = 0; k < 3; ++k) sum += a->m[row][k] * b->m[k][column];
            out.m[row][column] = sum;
        }
    }
    return out;
}

void transform(const matrix *a, const double p[3], double w, double out[3])
{
    double x = p[0], y = p[1], z = p[2];
    for (int row = 0; row < 3; ++row) {
        const double *m = a->m[row];
        out[row] = m[0] * x + m[1] * y + m[2] * z + m[3] * w;
    }
}

/* Computes the cofactors: the determinants of the matrix without each row and column, with their signs. */
static void set_cofactors(const matrix *a, double out[3][3])
{
    for (int row = 0; row < 3; ++row) {
        for (int k = 0; k < 3; ++k) {
            int r1 = (row + 1) % 3, r2 = (row + 2) % 3, k1 = (k + 1) % 3, k2 = (k + 2) % 3;
            out[row][k] = a->m[r1][k1] * a->m[r2][k2] - a->m[r1][k2] * a->m[r2][k1];
        }
    }
}

double determinant(const matrix *a)
{
    double cofactors[3][3];
    set_cofactors(a, cofactors);
    return a->m[0][0] * cofactors[0][0] + a->m[0][1] * cofactors[0][1] +
           a->m[0][2] * cofactors[0][2];
}

bool is_mirrored(const matrix *a)
{
    return determinant(a) < 0;
}

double largest_number(const matrix *a)
{
    double most = 0;
    for (int row = 0; row < 3; ++row) {
        for (int k = 0; k < 3; ++k) most = fmax(most, fabs(a->m[row][k]));
    }
    return most;
}

bool invert(const matrix *a, matrix *out)
{
    double cofactors[3][3], position[3] = { a->m[0][3], a->m[1][3], a->m[2][3] };
    double size = largest_number(a), volume = determinant(a);
    if (!(fabs(volume) > 1e-12 * size * size * size)) return false;

    set_cofactors(a, cofactors);
    for (int row = 0; row < 3; ++row) {
        for (int k = 0; k < 3; ++k) out->m[row][k] = cofactors[k][row] / volume;
        out->m[row][3] = 0;
    }
    transform(out, position, 0, position);
    for (int row = 0; row < 3; ++row) out->m[row][3] = -position[row];
    return true;
}

void transform_normal(const matrix *a, const double n[3], double out[3])
{
    double cofactors[3][3], x = n[0], y = n[1], z = n[2];
    double sign = is_mirrored(a) ? -1 : 1;
    set_cofactors(a, cofactors);
    for (int row = 0; row < 3; ++row) {
        const double *c = cofactors[row];
        out[row] = sign * (c[0] * x + c[1] * y + c[2] * z);
    }
}

matrix compose(const double position[3], const double rotation[4], const double scale[3])
{
    double q[4] = { rotation[0], rotation[1], rotation[2], rotation[3] };
    normalize_quaternion(q);

    double x = q[0], y = q[1], z = q[2], w = q[3];
    double m[3][3] = { { 1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y) },
                       { 2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x) },
                       { 2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y) } };
    matrix out;
    for (int row = 0; row < 3; ++row) {
        for (int k = 0; k < 3; ++k) out.m[row][k] = m[row][k] * scale[k];
        out.m[row][3] = position[row];
    }
    return out;
}

matrix rigid_matrix(const rigid_pose *r)
{
    const double one[3] = { 1, 1, 1 };
    return compose(r->position, r->rotation, one);
}

/* Converts a rotation matrix to a quaternion. Starts with the largest number of the quaternion, which is at least
   0.5. */
static void set_quaternion(const matrix *a, double q[4])
{
    const double(*m)[4] = a->m;
    double squares[4] = { 1 + m[0][0] - m[1][1] - m[2][2], 1 - m[0][0] + m[1][1] - m[2][2],
                          1 - m[0][0] - m[1][1] + m[2][2], 1 + m[0][0] + m[1][1] + m[2][2] };
    int    most = 0;
    for (int k = 1; k < 4; ++k) {
        if (squares[k] > squares[most]) most = k;
    }

    double s = 2 * sqrt(squares[most]); /* four times the largest number of the quaternion */
    double xy = m[1][0] + m[0][1], xz = m[2][0] + m[0][2], yz = m[2][1] + m[1][2];
    double wx = m[2][1] - m[1][2], wy = m[0][2] - m[2][0], wz = m[1][0] - m[0][1];
    double products[4][4] = { { s * s / 4, xy, xz, wx }, { xy, s * s / 4, yz, wy },
                              { xz, yz, s * s / 4, wz }, { wx, wy, wz, s * s / 4 } };
    for (int k = 0; k < 4; ++k) q[k] = products[most][k] / s;
    normalize_quaternion(q);
}

/* Computes the nearest rotation: each step replaces the matrix by the mean of itself and its inverse transpose, which
   doubles the number of correct digits. */
static bool find_rotation(const matrix *a, matrix *rotation)
{
    enum { MAX_STEPS = 40 };
    double size = largest_number(a);
    memset(rotation, 0, sizeof *rotation);
    if (!(size > 0 && size < HUGE_VAL)) return false;

    double sign = is_mirrored(a) ? -1 : 1;
    for (int row = 0; row < 3; ++row) {
        for (int k = 0; k < 3; ++k) rotation->m[row][k] = sign * a->m[row][k] / size;
    }
    for (int step = 0; step < MAX_STEPS; ++step) {
        matrix inverse;
        double moved = 0;
        if (!invert(rotation, &inverse)) return false;
        for (int row = 0; row < 3; ++row) {
            for (int k = 0; k < 3; ++k) {
                double mean = (rotation->m[row][k] + inverse.m[k][row]) / 2;
                moved = fmax(moved, fabs(mean - rotation->m[row][k]));
                rotation->m[row][k] = mean;
            }
        }
        if (moved < 1e-14) break;
    }
    return true;
}

bool split_rotation(const matrix *a, double rotation[4], double *size, double *uneven)
{
    matrix only_rotation;
    if (!find_rotation(a, &only_rotation)) return false;

    set_quaternion(&only_rotation, rotation);
    double sum = 0, rest = 0;
    for (int row = 0; row < 3; ++row) {
        for (int k = 0; k < 3; ++k) sum += a->m[row][k] * only_rotation.m[row][k];
    }
    *size = sum / 3;
    for (int row = 0; row < 3; ++row) {
        for (int k = 0; k < 3; ++k) {
            double off = a->m[row][k] - *size * only_rotation.m[row][k];
            rest += off * off;
        }
    }
    *uneven = sqrt(rest);
    return true;
}

void normalize_quaternion(double q[4])
{
    double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    bool   is_rotation = length > 0 && length < HUGE_VAL;
    for (int k = 0; k < 4; ++k) {
        if (is_rotation) q[k] /= length;
        else q[k] = k == 3 ? 1 : 0;
    }
}

void multiply_quaternions(const double a[4], const double b[4], double out[4])
{
    double q[4] = { a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
                    a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
                    a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
                    a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2] };
    memcpy(out, q, sizeof q);
}

rigid_pose relative_to(const rigid_pose *parent, const rigid_pose *own)
{
    matrix     above = rigid_matrix(parent), here = rigid_matrix(own), inverse = above;
    rigid_pose out;
    double     size, uneven;
    invert(&above, &inverse);
    here = multiply(&inverse, &here);
    memcpy(out.rotation, own->rotation, sizeof out.rotation);
    split_rotation(&here, out.rotation, &size, &uneven);
    for (int row = 0; row < 3; ++row) out.position[row] = here.m[row][3];
    return out;
}
