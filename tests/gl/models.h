/* Models of the tests of OpenGL, which end the program where they do not load. Public domain. */
#include "md2.h"
#include "md5.h"

#include "model_builder_md2.h"
#include "model_builder_md5.h"
#include "support.h"

/* Both free the bytes. */
md2_model *md2_from_bytes(m2_bytes bytes, uint32_t flags);
md5_model *md5_from_text(m5_text *text, uint32_t flags);

/* Vertices of up to `most_weights` weights whose biases need not sum to 1, some of them 0. */
md5_model *md5_random_model(random_source *random, int joints, int vertices, int triangles,
                            int most_weights, uint32_t flags);
