/* compare_pictures A B [PERCENT]: how far two pictures of one size are apart. Prints one line, like
       12 of 1024000 pixels (0.0012 %) differ by more than 8, the worst by 31
   and ends with 0 where these are at most PERCENT (else 0.1) of all, 1 where they are more, 2 where
   a picture cannot be read or the sizes differ. Reads what stb_image reads. Public domain. */
#define STB_IMAGE_IMPLEMENTATION
#include <stb/stb_image.h>

#include "picture.h"

static bool read_picture(const char *path, picture *p)
{
    int width = 0, height = 0;
    p->rgb = stbi_load(path, &width, &height, NULL, 3);
    p->width = (uint32_t)width;
    p->height = (uint32_t)height;
    if (!p->rgb) {
        fprintf(stderr, "compare_pictures: %s: %s\n", path, stbi_failure_reason());
    }
    return p->rgb != NULL;
}

static int compare(const picture *a, const picture *b, double limit)
{
    picture_distance d;
    double           percent;
    if (a->width != b->width || a->height != b->height) {
        printf("%ux%u and %ux%u\n", (unsigned)a->width, (unsigned)a->height, (unsigned)b->width,
               (unsigned)b->height);
        return 2;
    }
    d = picture_compare(a, b);
    percent = 100.0 * d.over / d.pixels;
    printf("%u of %u pixels (%.4f %%) differ by more than 8, the worst by %d\n", (unsigned)d.over,
           (unsigned)d.pixels, percent, d.worst);
    return percent > limit;
}

int main(int argc, char **argv)
{
    picture a = { 0, 0, NULL }, b = { 0, 0, NULL };
    int     result = 2;
    if (argc != 3 && argc != 4) {
        fprintf(stderr, "usage: compare_pictures A B [PERCENT]\n");
        return 2;
    }
    if (read_picture(argv[1], &a) && read_picture(argv[2], &b)) {
        result = compare(&a, &b, argc == 4 ? strtod(argv[3], NULL) : 0.1);
    }
    picture_free(&a);
    picture_free(&b);
    return result;
}
