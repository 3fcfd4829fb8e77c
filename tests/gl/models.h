/* models.h: models for the tests of OpenGL. The program ends if a model cannot be loaded. Public domain. */
#include "md2.h"
#include "md5.h"

#include "model_builder_md2.h"
#include "model_builder_md5.h"
#include "support.h"

/* Load a model, and free its bytes or text. */
md2_model *md2_from_bytes(m2_bytes bytes, uint32_t flags);
md5_model *md5_from_text(m5_text *text, uint32_t flags);

/* Returns a random model. A vertex has up to `most_weights` weights; biases may be 0 and need not sum to 1. */
md5_model *md5_random_model(random_source *random, int joints, int vertices, int triangles,
                            int most_weights, uint32_t flags);
