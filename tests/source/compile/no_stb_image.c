/* Must not compile: MD2_STB_IMAGE without stb_image.h. The error must name stb_image.h. */
#define MD2_GL
#define MD2_STB_IMAGE
#define MD2_IMPLEMENTATION
#include "../../../md2.h"
