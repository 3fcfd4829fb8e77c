/* The functions of picture.h, but for files. Public domain. */
#include "picture.h"
#include "support.h"

picture picture_new(uint32_t width, uint32_t height)
{
    picture p;
    p.width = width;
    p.height = height;
    p.rgb = (uint8_t *)malloc_or_abort((size_t)width * height * 3);
    memset(p.rgb, 0, (size_t)width * height * 3);
    return p;
}

void picture_free(picture *p)
{
    free(p->rgb);
    memset(p, 0, sizeof *p);
}

const uint8_t *picture_at(const picture *p, uint32_t x, uint32_t y)
{
    return p->rgb + ((size_t)y * p->width + x) * 3;
}

/* -- How far apart --------------------------------------------------------- */

picture_distance picture_compare(const picture *a, const picture *b)
{
    picture_distance d = { 0, 0, 0 };
    uint32_t i, k;
    d.pixels = a->width * a->height;
    if (a->width != b->width || a->height != b->height) {
        d.over = d.pixels;
        d.worst = 256;
        return d;
    }
    for (i = 0; i < d.pixels; ++i) {
        int worst = 0;
        for (k = 0; k < 3; ++k) {
            int apart = a->rgb[i * 3 + k] - b->rgb[i * 3 + k];
            if (apart < 0) apart = -apart;
            if (apart > worst) worst = apart;
        }
        if (worst > 8) ++d.over;
        if (worst > d.worst) d.worst = worst;
    }
    return d;
}

bool picture_alike(picture_distance d) { return d.over * (uint64_t)1000 <= d.pixels; }
