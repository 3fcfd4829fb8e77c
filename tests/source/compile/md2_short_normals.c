/* Poses whose normals nearly cancel, and NaN weights, take no longer than others, even on an x87, whose registers
   have more bits than a float, and if the compiler assumes that NaN does not exist. */
#define MD2_IMPLEMENTATION
#include "../../../md2.h"

int main(void)
{
    static md2_point  points[162];
    static md2_vertex vertices[162];
    md2_model         model;
    md2_frame         frame;
    md2_pose          pose;
    float             normals[3 * 162];
    uint32_t          i, step, wrong = 0;
    const uint32_t    shortest = 0x358635f8, nan = 0x7fc00000; /* slightly less than 10^-6 */
    memset(&model, 0, sizeof model);
    memset(&frame, 0, sizeof frame);
    memset(&pose, 0, sizeof pose);
    for (i = 0; i < 162; ++i) {
        vertices[i].point = (uint16_t)i;
        points[i].normal = (uint8_t)i;
    }
    frame.points = points;
    model.frames = &frame;
    model.vertices = vertices;
    model.vertex_count = model.point_count = 162;
    model.frame_count = pose.count = 1;
    for (step = 0; step < 600; ++step) {
        uint32_t bits = shortest + step;
        memcpy(&pose.weight[0], &bits, sizeof bits);
        md2_pose_vertices(&model, &pose, NULL, 0, normals, 0);
        for (i = 0; i < 162; ++i) {
            const float *n = normals + 3 * i;
            float        squared = n[0] * n[0] + n[1] * n[1] + n[2] * n[2];
            wrong += !(squared > 0.999f && squared < 1.001f);
        }
    }
    memcpy(&pose.weight[0], &nan, sizeof nan);
    md2_pose_vertices(&model, &pose, NULL, 0, normals, 0);
    return wrong ? 1 : 0;
}
