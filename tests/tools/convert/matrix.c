/* matrix.c - matrices that turn, scale and move. Public domain. */
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

/* Each number is the determinant of the matrix without its row and its column, with its sign. */
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

static double largest_number(const matrix *a)
{
    double most = 0;
    for (int row = 0; row < 3; ++row) {
        for (int k = 0; k < 3; ++k) most = fmax(most, fabs(a->m[row][k]));
    }
    return most;
}

bool invert(const matrix *a, matrix *out)
{
    double cofactors[3][3], place[3] = { a->m[0][3], a->m[1][3], a->m[2][3] };
    double size = largest_number(a), volume = determinant(a);
    if (!(fabs(volume) > 1e-12 * size * size * size)) return false;

    set_cofactors(a, cofactors);
    for (int row = 0; row < 3; ++row) {
        for (int k = 0; k < 3; ++k) out->m[row][k] = cofactors[k][row] / volume;
        out->m[row][3] = 0;
    }
    transform(out, place, 0, place);
    for (int row = 0; row < 3; ++row) out->m[row][3] = -place[row];
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

matrix compose(const double place[3], const double turn[4], const double scale[3])
{
    double q[4] = { turn[0], turn[1], turn[2], turn[3] };
    normalize_turn(q);

    double x = q[0], y = q[1], z = q[2], w = q[3];
    double m[3][3] = { { 1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y) },
                       { 2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x) },
                       { 2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y) } };
    matrix out;
    for (int row = 0; row < 3; ++row) {
        for (int k = 0; k < 3; ++k) out.m[row][k] = m[row][k] * scale[k];
        out.m[row][3] = place[row];
    }
    return out;
}

matrix rigid_matrix(const rigid *r)
{
    const double one[3] = { 1, 1, 1 };
    return compose(r->place, r->turn, one);
}

/* The quaternion of a matrix that only turns; of its numbers the largest is not small. */
static void set_turn(const matrix *a, double q[4])
{
    const double(*m)[4] = a->m;
    double squares[4] = { 1 + m[0][0] - m[1][1] - m[2][2], 1 - m[0][0] + m[1][1] - m[2][2],
                          1 - m[0][0] - m[1][1] + m[2][2], 1 + m[0][0] + m[1][1] + m[2][2] };
    int    most = 0;
    for (int k = 1; k < 4; ++k) {
        if (squares[k] > squares[most]) most = k;
    }

    double s = 2 * sqrt(squares[most]); /* four times the largest */
    double xy = m[1][0] + m[0][1], xz = m[2][0] + m[0][2], yz = m[2][1] + m[1][2];
    double wx = m[2][1] - m[1][2], wy = m[0][2] - m[2][0], wz = m[1][0] - m[0][1];
    double products[4][4] = { { s * s / 4, xy, xz, wx }, { xy, s * s / 4, yz, wy },
                              { xz, yz, s * s / 4, wz }, { wx, wy, wz, s * s / 4 } };
    for (int k = 0; k < 4; ++k) q[k] = products[most][k] / s;
    normalize_turn(q);
}

/* The mean of a matrix and what turns normals like it comes nearer to the turn, and the mean of
   that again: each time twice as many digits are right. */
static bool find_turn(const matrix *a, matrix *turn)
{
    enum { MOST_STEPS = 40 };
    double size = largest_number(a);
    memset(turn, 0, sizeof *turn);
    if (!(size > 0 && size < HUGE_VAL)) return false;

    double sign = is_mirrored(a) ? -1 : 1;
    for (int row = 0; row < 3; ++row) {
        for (int k = 0; k < 3; ++k) turn->m[row][k] = sign * a->m[row][k] / size;
    }
    for (int step = 0; step < MOST_STEPS; ++step) {
        matrix inverse;
        double moved = 0;
        if (!invert(turn, &inverse)) return false;
        for (int row = 0; row < 3; ++row) {
            for (int k = 0; k < 3; ++k) {
                double mean = (turn->m[row][k] + inverse.m[k][row]) / 2;
                moved = fmax(moved, fabs(mean - turn->m[row][k]));
                turn->m[row][k] = mean;
            }
        }
        if (moved < 1e-14) break;
    }
    return true;
}

bool split_turn(const matrix *a, double turn[4], double *size, double *uneven)
{
    matrix only_turn;
    if (!find_turn(a, &only_turn)) return false;

    set_turn(&only_turn, turn);
    double sum = 0, rest = 0;
    for (int row = 0; row < 3; ++row) {
        for (int k = 0; k < 3; ++k) sum += a->m[row][k] * only_turn.m[row][k];
    }
    *size = sum / 3;
    for (int row = 0; row < 3; ++row) {
        for (int k = 0; k < 3; ++k) {
            double off = a->m[row][k] - *size * only_turn.m[row][k];
            rest += off * off;
        }
    }
    *uneven = sqrt(rest);
    return true;
}

void normalize_turn(double q[4])
{
    double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    bool   is_turn = length > 0 && length < HUGE_VAL;
    for (int k = 0; k < 4; ++k) {
        if (is_turn) q[k] /= length;
        else q[k] = k == 3 ? 1 : 0;
    }
}

void multiply_turns(const double a[4], const double b[4], double out[4])
{
    double q[4] = { a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
                    a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
                    a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
                    a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2] };
    memcpy(out, q, sizeof q);
}

rigid relative_to(const rigid *parent, const rigid *own)
{
    matrix above = rigid_matrix(parent), here = rigid_matrix(own), inverse = above;
    rigid  out;
    double size, uneven;
    invert(&above, &inverse);
    here = multiply(&inverse, &here);
    memcpy(out.turn, own->turn, sizeof out.turn);
    split_turn(&here, out.turn, &size, &uneven);
    for (int row = 0; row < 3; ++row) out.place[row] = here.m[row][3];
    return out;
}
