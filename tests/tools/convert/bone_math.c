/* bone_math.c - rotations and small systems of equations, in doubles. Public domain. */
#include "bone_math.h"

/* -- Rotations --------------------------------------------------------------------------------- */

mat3 mat3_of_quaternion(const double q[4])
{
    double x = q[0], y = q[1], z = q[2], w = q[3];
    return make_mat3(
        make_vec3(1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)),
        make_vec3(2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)),
        make_vec3(2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)));
}

mat3 rotation_about(vec3 angles)
{
    double angle = length_of(angles);
    double part = angle > 1e-8 ? sin(angle / 2) / angle : 0.5;
    double q[4] = { angles.x * part, angles.y * part, angles.z * part, cos(angle / 2) };
    return mat3_of_quaternion(q);
}

/* Rotates `old` in small steps until the sum exerts no torque. Newton's step is used if it leads
   toward the solution. Otherwise the step follows the torque (Mueller and others). */
mat3 best_rotation(mat3 sum, mat3 old)
{
    enum { MOST_STEPS = 40 };
    for (int step = 0; step < MOST_STEPS; ++step) {
        vec3   torque = add(cross(old.x, sum.x), add(cross(old.y, sum.y), cross(old.z, sum.z)));
        double hold = dot(old.x, sum.x) + dot(old.y, sum.y) + dot(old.z, sum.z);
        mat3   now = times(sum, transposed(old));
        mat3   hessian = minus_mat3(diagonal(2.000001 * hold), add_mat3(now, transposed(now)));
        vec3   angles = scaled(solve3(hessian, torque), 2);
        bool   leads_there = dot(angles, torque) > 0 && length_of(angles) < 1;
        if (!leads_there) angles = scaled(torque, 1 / fmax(fabs(hold), 1e-30));
        if (!(length_of(angles) > 1e-9)) break;
        old = times(rotation_about(angles), old);
    }
    return old;
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

mat3 halfway_rotation(mat3 a, mat3 b)
{
    double first[4], second[4], cosine = 0, squares = 0;
    quaternion_of(a, first);
    quaternion_of(b, second);
    for (int k = 0; k < 4; ++k) cosine += first[k] * second[k];
    for (int k = 0; k < 4; ++k) {
        first[k] += cosine < 0 ? -second[k] : second[k];
        squares += first[k] * first[k];
    }
    for (int k = 0; k < 4; ++k) first[k] /= sqrt(squares);
    return mat3_of_quaternion(first);
}

/* -- Equations --------------------------------------------------------------------------------- */

bool solve(double *m, double *b, uint32_t n)
{
    for (uint32_t k = 0; k < n; ++k) {
        if (!(m[k * n + k] > 0)) return false;
        for (uint32_t i = k + 1; i < n; ++i) {
            double part = m[i * n + k] / m[k * n + k];
            for (uint32_t c = k; c < n; ++c) m[i * n + c] -= part * m[k * n + c];
            b[i] -= part * b[k];
        }
    }
    for (uint32_t k = n; k-- > 0;) {
        for (uint32_t c = k + 1; c < n; ++c) b[k] -= m[k * n + c] * b[c];
        b[k] /= m[k * n + k];
    }
    return true;
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
