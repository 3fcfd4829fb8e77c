/* Public domain. */
#ifndef SMOOTH_H_INCLUDED
#define SMOOTH_H_INCLUDED

#include "md2.h"

/* Compares a model, as it is and smoothed, with the true positions and normals of its vertices,
   frame by frame. */
void test_smoothing(const md2_model *stored, const float *truth, const float *true_normals);

#endif /* SMOOTH_H_INCLUDED */
