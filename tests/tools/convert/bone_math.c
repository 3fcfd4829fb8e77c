/* bone_math.c - turns and small systems of equations, in doubles. Public domain. */
#include "bone_math.h"

#include <string.h>

/* -- Turns ------------------------------------------------------------------------------------- */

/* Makes element (p, q) of a symmetric matrix 0 by a turn in the plane of both (Jacobi), and turns
   the columns of `vectors` along. */
static void turn_plane(double m[4][4], double vectors[4][4], int p, int q)
{
    double slope = (m[q][q] - m[p][p]) / (2 * m[p][q]);
    double tangent = (slope < 0 ? -1 : 1) / (fabs(slope) + sqrt(slope * slope + 1));
    double cosine = 1 / sqrt(tangent * tangent + 1), sine = tangent * cosine;
    for (int k = 0; k < 4; ++k) {
        double a = m[k][p], b = m[k][q];
        m[k][p] = cosine * a - sine * b;
        m[k][q] = sine * a + cosine * b;
    }
    for (int k = 0; k < 4; ++k) {
        double a = m[p][k], b = m[q][k];
        m[p][k] = cosine * a - sine * b;
        m[q][k] = sine * a + cosine * b;
    }
    for (int k = 0; k < 4; ++k) {
        double a = vectors[k][p], b = vectors[k][q];
        vectors[k][p] = cosine * a - sine * b;
        vectors[k][q] = sine * a + cosine * b;
    }
}

/* Writes the eigenvector of the largest eigenvalue; of equal ones that which begins nearest to the
   first axis. */
static void largest_vector(double m[4][4], double out[4])
{
    enum { MOST_SWEEPS = 12 };
    double vectors[4][4] = { { 1, 0, 0, 0 }, { 0, 1, 0, 0 }, { 0, 0, 1, 0 }, { 0, 0, 0, 1 } };
    double size = 0;
    for (int p = 0; p < 4; ++p) size = fmax(size, fabs(m[p][p]));
    for (int p = 0; p < 4; ++p) {
        for (int q = 0; q < p; ++q) size = fmax(size, fabs(m[p][q]));
    }

    const double little = 1e-14 * size;
    bool         is_diagonal = false;
    for (int sweep = 0; sweep < MOST_SWEEPS && !is_diagonal; ++sweep) {
        is_diagonal = true;
        for (int p = 0; p < 4; ++p) {
            for (int q = p + 1; q < 4; ++q) {
                if (!(fabs(m[p][q]) > little)) continue;
                turn_plane(m, vectors, p, q);
                is_diagonal = false;
            }
        }
    }

    int best = 0;
    for (int p = 1; p < 4; ++p) {
        if (m[p][p] > m[best][best] + 1e-9 * size) best = p;
    }
    for (int k = 0; k < 4; ++k) out[k] = vectors[k][best];
}

static mat3 turn_of(const double q[4])
{
    double x = q[0], y = q[1], z = q[2], w = q[3];
    return make_mat3(
        make_vec3(1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)),
        make_vec3(2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)),
        make_vec3(2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)));
}

/* Horn's: the quaternion is the eigenvector of a matrix of the sum. Seen from the old turn, the new
   one is near to none at all, where the matrix is nearly diagonal. */
mat3 best_turn(mat3 sum, mat3 old)
{
    mat3   s = transposed_times(old, sum);
    double m[4][4], w_first[4];
    m[0][0] = s.x.x + s.y.y + s.z.z;
    m[1][1] = s.x.x - s.y.y - s.z.z;
    m[2][2] = s.y.y - s.x.x - s.z.z;
    m[3][3] = s.z.z - s.x.x - s.y.y;
    m[0][1] = m[1][0] = s.y.z - s.z.y;
    m[0][2] = m[2][0] = s.z.x - s.x.z;
    m[0][3] = m[3][0] = s.x.y - s.y.x;
    m[1][2] = m[2][1] = s.x.y + s.y.x;
    m[1][3] = m[3][1] = s.z.x + s.x.z;
    m[2][3] = m[3][2] = s.y.z + s.z.y;
    largest_vector(m, w_first);

    double q[4] = { w_first[1], w_first[2], w_first[3], w_first[0] };
    double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int k = 0; k < 4; ++k) q[k] /= length;
    return times(old, turn_of(q));
}

mat3 turn_about(vec3 turn)
{
    double angle = length_of(turn);
    double part = angle > 1e-8 ? sin(angle / 2) / angle : 0.5;
    double q[4] = { turn.x * part, turn.y * part, turn.z * part, cos(angle / 2) };
    return turn_of(q);
}

void quaternion_of(mat3 m, double q[4])
{
    double squares[4] = { 1 + m.x.x - m.y.y - m.z.z, 1 - m.x.x + m.y.y - m.z.z,
                          1 - m.x.x - m.y.y + m.z.z, 1 + m.x.x + m.y.y + m.z.z };
    int    most = 3;
    for (int k = 0; k < 3; ++k) {
        if (squares[k] > squares[most]) most = k;
    }

    double twice = sqrt(squares[most]), part = 0.5 / twice;
    double sums[3] = { m.y.z - m.z.y, m.z.x - m.x.z, m.x.y - m.y.x };
    double pairs[3] = { m.y.z + m.z.y, m.z.x + m.x.z, m.x.y + m.y.x };
    q[most] = twice / 2;
    if (most == 3) {
        for (int k = 0; k < 3; ++k) q[k] = sums[k] * part;
        return;
    }
    int next = (most + 1) % 3, last = (most + 2) % 3;
    q[3] = sums[most] * part;
    q[next] = pairs[last] * part;
    q[last] = pairs[next] * part;
}

vec3 axis_of(mat3 turn)
{
    double q[4];
    quaternion_of(turn, q);
    double sign = q[3] < 0 ? -1 : 1;
    vec3   axis = make_vec3(sign * q[0], sign * q[1], sign * q[2]);
    double sine = length_of(axis);
    if (sine < 1e-9) return scaled(axis, 2);
    return scaled(axis, 2 * atan2(sine, sign * q[3]) / sine);
}

double angle_between(mat3 a, mat3 b)
{
    return length_of(axis_of(transposed_times(a, b)));
}

/* -- Equations --------------------------------------------------------------------------------- */

/* Cholesky's, row by row. */
bool factor(double *m, const uint32_t *first, uint32_t n)
{
    for (uint32_t i = 0; i < n; ++i) {
        double *row = m + (size_t)i * n;
        for (uint32_t k = first[i]; k <= i; ++k) {
            const double *other = m + (size_t)k * n;
            uint32_t      from = first[i] > first[k] ? first[i] : first[k];
            double        sum = row[k];
            for (uint32_t c = from; c < k; ++c) sum -= row[c] * other[c];
            if (k < i) {
                row[k] = sum / other[k];
                continue;
            }
            if (!(sum > 0)) return false;
            row[k] = sqrt(sum);
        }
    }
    return true;
}

void solve_lower(const double *m, const uint32_t *first, uint32_t n, uint32_t from, double *b)
{
    for (uint32_t i = from; i < n; ++i) {
        const double *row = m + (size_t)i * n;
        double        sum = b[i];
        for (uint32_t k = first[i] > from ? first[i] : from; k < i; ++k) sum -= row[k] * b[k];
        b[i] = sum / row[i];
    }
}

void solve_upper(const double *m, const uint32_t *first, uint32_t n, double *b)
{
    for (uint32_t i = n; i-- > 0;) {
        const double *row = m + (size_t)i * n;
        b[i] /= row[i];
        for (uint32_t k = first[i]; k < i; ++k) b[k] -= row[k] * b[i];
    }
}

vec3 solve3(mat3 m, vec3 b)
{
    vec3   yz = cross(m.y, m.z);
    double volume = dot(m.x, yz);
    double size = length_of(m.x) * length_of(m.y) * length_of(m.z);
    if (!(fabs(volume) > 1e-14 * size)) return make_vec3(0, 0, 0);
    return scaled(make_vec3(dot(b, yz), dot(m.x, cross(b, m.z)), dot(m.x, cross(m.y, b))),
                  1 / volume);
}
