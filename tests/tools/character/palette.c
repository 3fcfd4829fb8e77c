/* Reduces a skin to a palette of 256 colors (median cut and k-means): boxes of colors are divided, the box with the
   largest deviation first; then each color of the palette moves to the mean of the colors that it replaces. Only
   integers are used, so that the palette is the same on every machine. Public domain. */
#include "character.h"

typedef struct shade {                 /* a color of the skin */
    unsigned char rgb[3];
    int           count;               /* number of its texels */
    int           color;               /* its color of the palette */
} shade;

typedef struct box {                   /* some of the shades */
    shade  **shades;
    int      count;
    int      axis;                     /* the component (red, green or blue) with the largest deviation */
    uint64_t deviation;                /* sum of squared differences of this component */
    uint64_t mean;                     /* mean of this component */
} box;

enum { TEXELS = CHARACTER_SKIN * CHARACTER_SKIN, ROUNDS = 4 };

/* -- Counting ---------------------------------------------------------------------------------- */

static int compare_colors(const void *a, const void *b)
{
    return memcmp(((const shade *)a)->rgb, ((const shade *)b)->rgb, 3);
}

/* Writes the different colors of a skin to `shades`, sorted, and returns their number. */
static int count_shades(const canvas *skin, shade *shades)
{
    for (int i = 0; i < TEXELS; ++i) {
        memcpy(shades[i].rgb, skin->rgb[i], 3);
        shades[i].count = 1;
    }
    qsort(shades, TEXELS, sizeof *shades, compare_colors);

    int last = 0;
    for (int i = 1; i < TEXELS; ++i) {
        if (compare_colors(&shades[i], &shades[last]) == 0) ++shades[last].count;
        else shades[++last] = shades[i];
    }
    return last + 1;
}

/* -- Boxes ------------------------------------------------------------------------------------- */

static box measure_box(shade **shades, int count)
{
    box      b = { shades, count, 0, 0, 0 };
    uint64_t texels = 0, sum[3] = { 0, 0, 0 }, squares[3] = { 0, 0, 0 };
    for (int i = 0; i < count; ++i) {
        uint64_t times = (uint64_t)shades[i]->count;
        texels += times;
        for (int k = 0; k < 3; ++k) {
            uint64_t x = shades[i]->rgb[k];
            sum[k] += times * x;
            squares[k] += times * x * x;
        }
    }

    for (int k = 0; k < 3; ++k) {
        uint64_t deviation = squares[k] - sum[k] * sum[k] / texels;
        if (k > 0 && deviation <= b.deviation) continue;
        b.axis = k;
        b.deviation = deviation;
        b.mean = sum[k] / texels;
    }
    return b;
}

/* Moves the shades up to the mean to the front, and returns their number. */
static int divide_box(const box *b)
{
    int low = 0;
    for (int i = 0; i < b->count; ++i) {
        shade *s = b->shades[i];
        if (s->rgb[b->axis] > b->mean) continue;
        b->shades[i] = b->shades[low];
        b->shades[low++] = s;
    }
    return low;
}

/* Divides the shades into boxes, and returns the number of boxes. */
static int halve_boxes(shade *shades, int shade_count)
{
    box     boxes[PALETTE];
    int     count = 1;
    shade **order = (shade **)malloc((size_t)shade_count * sizeof *order);
    if (!order) abort();
    for (int i = 0; i < shade_count; ++i) order[i] = &shades[i];
    boxes[0] = measure_box(order, shade_count);

    while (count < PALETTE) {
        box *widest = boxes;
        for (box *b = boxes; b < boxes + count; ++b)
            if (b->deviation > widest->deviation) widest = b;
        if (widest->deviation == 0) break;

        box whole = *widest;
        int low = divide_box(&whole);
        *widest = measure_box(whole.shades, low);
        boxes[count++] = measure_box(whole.shades + low, whole.count - low);
    }

    for (int i = 0; i < count; ++i)
        for (int k = 0; k < boxes[i].count; ++k) boxes[i].shades[k]->color = i;
    free(order);
    return count;
}

/* -- The palette ------------------------------------------------------------------------------- */

/* Moves each color of the palette to the mean of its texels. */
static void center_colors(palette *p, const shade *shades, int shade_count)
{
    int64_t sums[PALETTE][3], texels[PALETTE];
    memset(sums, 0, sizeof sums);
    memset(texels, 0, sizeof texels);
    for (const shade *s = shades; s < shades + shade_count; ++s) {
        texels[s->color] += s->count;
        for (int k = 0; k < 3; ++k) sums[s->color][k] += (int64_t)s->count * s->rgb[k];
    }

    for (int i = 0; i < p->count; ++i)
        for (int k = 0; k < 3 && texels[i] > 0; ++k)
            p->rgb[i][k] = (unsigned char)((sums[i][k] + texels[i] / 2) / texels[i]);
}

static int nearest_color(const palette *p, const shade *s)
{
    int nearest = 0, least = 3 * 255 * 255 + 1;
    for (int i = 0; i < p->count; ++i) {
        int r = p->rgb[i][0] - s->rgb[0], g = p->rgb[i][1] - s->rgb[1];
        int b = p->rgb[i][2] - s->rgb[2], distance = r * r + g * g + b * b;
        if (distance >= least) continue;
        least = distance;
        nearest = i;
    }
    return nearest;
}

void choose_palette(const canvas *skin, palette *p)
{
    shade *shades = (shade *)malloc(TEXELS * sizeof *shades);
    if (!shades) abort();
    int shade_count = count_shades(skin, shades);
    p->count = halve_boxes(shades, shade_count);

    for (int round = 0; round < ROUNDS; ++round) {
        center_colors(p, shades, shade_count);
        for (int i = 0; i < shade_count; ++i) shades[i].color = nearest_color(p, &shades[i]);
    }

    for (int i = 0; i < TEXELS; ++i) {
        shade wanted;
        memcpy(wanted.rgb, skin->rgb[i], 3);
        const shade *found = (const shade *)bsearch(&wanted, shades, (size_t)shade_count,
                                                    sizeof *shades, compare_colors);
        p->texels[i] = (unsigned char)found->color;
    }
    free(shades);
}
