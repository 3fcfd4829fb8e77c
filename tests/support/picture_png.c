/* The functions of picture.h that read and write PNG, by stb_image. Public domain. */
#include "picture.h"

#include <stb/stb_image.h>
#include <stb/stb_image_write.h>

bool picture_write_png(const char *path, const picture *p)
{
    return stbi_write_png(path, (int)p->width, (int)p->height, 3, p->rgb, (int)p->width * 3) != 0;
}

bool picture_read_png(const char *path, picture *p)
{
    int width = 0, height = 0;
    p->rgb = stbi_load(path, &width, &height, NULL, 3);
    p->width = (uint32_t)width;
    p->height = (uint32_t)height;
    return p->rgb != NULL;
}
