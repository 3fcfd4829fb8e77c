/* Models of the tests of OpenGL, which end the program where they do not load. Public domain. */
#include "md2.h"
#include "md5.h"

#include "model_builder_md2.h"
#include "model_builder_md5.h"

/* Both free the bytes. */
md2_model *md2_from_bytes(m2_bytes *bytes, uint32_t flags);
md5_model *md5_from_text(m5_text *text, uint32_t flags);
