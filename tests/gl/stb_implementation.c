/* Both implementations with OpenGL, and with stb_image, whose code is in libstb. For a browser there is no libstb.
   Public domain. */
#ifdef __EMSCRIPTEN__
    #define STB_IMAGE_IMPLEMENTATION
    #define STB_IMAGE_WRITE_IMPLEMENTATION
    #include <stb/stb_image_write.h>
#endif
#include <stb/stb_image.h>

#define MD2_GL
#define MD2_STB_IMAGE
#define MD2_SMOOTH
#define MD2_IMPLEMENTATION
#include "md2.h"
#define MD5_GL
#define MD5_STB_IMAGE
#define MD5_IMPLEMENTATION
#include "md5.h"
