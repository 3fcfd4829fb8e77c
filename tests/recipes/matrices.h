/* matrices.h - the matrices that programs need to draw a model: column-major, for column vectors, as in md2.h, md5.h
   and OpenGL. `out` may be one of the inputs. Public domain. */
#ifndef MATRICES_H_INCLUDED
#define MATRICES_H_INCLUDED

#include <math.h>
#include <string.h>

/* Computes out = a * b: first b, then a. Example: multiply(world, hand, sword) puts a sword in a hand. */
static inline void multiply(const float a[16], const float b[16], float out[16])
{
    float product[16];
    for (int column = 0; column < 16; column += 4) {
        for (int row = 0; row < 4; ++row) {
            float sum = 0;
            for (int k = 0; k < 4; ++k) sum += a[4 * k + row] * b[column + k];
            product[column + row] = sum;
        }
    }
    memcpy(out, product, sizeof product);
}

/* Writes the transform of a character, Z up. The heading is in radians: 0 faces along X, larger values turn left. */
static inline void place_at(float x, float y, float z, float heading, float out[16])
{
    float c = cosf(heading), s = sinf(heading);
    const float m[16] = { c, s, 0, 0,  -s, c, 0, 0,  0, 0, 1, 0,  x, y, z, 1 };
    memcpy(out, m, sizeof m);
}

/* Writes the transform of a character, Y up. Heading 0 faces along Z, like models loaded with MD2_Y_UP or MD5_Y_UP;
   larger values turn left, toward X. */
static inline void place_at_y_up(float x, float y, float z, float heading, float out[16])
{
    float c = cosf(heading), s = sinf(heading);
    const float m[16] = { c, 0, -s, 0,  0, 1, 0, 0,  s, 0, c, 0,  x, y, z, 1 };
    memcpy(out, m, sizeof m);
}

/* Inverts a matrix that only rotates and translates. */
static inline void invert_rigid(const float m[16], float out[16])
{
    float inverse[16];
    for (int i = 0; i < 3; ++i) {
        for (int k = 0; k < 3; ++k) inverse[4 * k + i] = m[4 * i + k];
        inverse[4 * i + 3] = 0;
        inverse[12 + i] = -(m[4 * i] * m[12] + m[4 * i + 1] * m[13] + m[4 * i + 2] * m[14]);
    }
    inverse[15] = 1;
    memcpy(out, inverse, sizeof inverse);
}

/* Writes the view from `eye` toward `target`. `up` is up in the picture, and not parallel to the view. */
static inline void look_at(const float eye[3], const float target[3], const float up[3], float out[16])
{
    float back[3], right[3], above[3];
    for (int k = 0; k < 3; ++k) back[k] = eye[k] - target[k];
    float away = sqrtf(back[0] * back[0] + back[1] * back[1] + back[2] * back[2]);
    for (int k = 0; k < 3; ++k) back[k] /= away;

    right[0] = up[1] * back[2] - up[2] * back[1];
    right[1] = up[2] * back[0] - up[0] * back[2];
    right[2] = up[0] * back[1] - up[1] * back[0];
    float length = sqrtf(right[0] * right[0] + right[1] * right[1] + right[2] * right[2]);
    for (int k = 0; k < 3; ++k) right[k] /= length;

    above[0] = back[1] * right[2] - back[2] * right[1];
    above[1] = back[2] * right[0] - back[0] * right[2];
    above[2] = back[0] * right[1] - back[1] * right[0];

    const float camera[16] = {
        right[0], right[1], right[2], 0,
        above[0], above[1], above[2], 0,
        back[0],  back[1],  back[2],  0,
        eye[0],   eye[1],   eye[2],   1,
    };
    invert_rigid(camera, out);
}

/* Writes a perspective projection. `fov` is the vertical field of view in radians; `aspect` is width / height. Depth
   is -1 at `nearest` and 1 at `farthest`, as in OpenGL. */
static inline void perspective(float fov, float aspect, float nearest, float farthest, float out[16])
{
    float lens = 1 / tanf(fov / 2), range = nearest - farthest;
    memset(out, 0, 16 * sizeof *out);
    out[0] = lens / aspect;
    out[5] = lens;
    out[10] = (nearest + farthest) / range;
    out[11] = -1;
    out[14] = 2 * nearest * farthest / range;
}

/* Writes a perspective projection with depth from 0 to 1, as in Direct3D, Metal, Vulkan and WebGPU. (In Vulkan y
   points down, so also negate out[5].) */
static inline void perspective01(float fov, float aspect, float nearest, float farthest, float out[16])
{
    perspective(fov, aspect, nearest, farthest, out);
    out[10] = farthest / (nearest - farthest);
    out[14] = nearest * farthest / (nearest - farthest);
}

/* Writes the matrix of a planar shadow: it projects points onto the ground, z = `ground`, away from the light. `light`
   is the direction to the light. */
static inline void shadow_matrix(const float light[3], float ground, float out[16])
{
    const float m[16] = {
        1, 0, 0, 0,
        0, 1, 0, 0,
        -light[0] / light[2], -light[1] / light[2], 0, 0,
        ground * light[0] / light[2], ground * light[1] / light[2], ground, 1,
    };
    memcpy(out, m, sizeof m);
}

#endif /* MATRICES_H_INCLUDED */
