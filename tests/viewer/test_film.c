/* test_film FILM FOLDER: whether the film of the README shows what viewer draws now, by the
   frames that film.sh drew into FOLDER. Public domain. */
#define STB_IMAGE_IMPLEMENTATION
#include <stb/stb_image.h>
#include <webp/demux.h>

#include "picture.h"

enum { WIDTH = 720, HEIGHT = 320, FRAMES = 24, MILLISECONDS = 50, MOST_BYTES = 500000, BLOCK = 16 };

static picture read_frame(const char *folder, uint32_t frame)
{
    picture p = { 0, 0, NULL };
    char    path[1024];
    int     width = 0, height = 0;
    snprintf(path, sizeof path, "%s/frame%04u.png", folder, (unsigned)frame);
    p.rgb = stbi_load(path, &width, &height, NULL, 3);
    p.width = (uint32_t)width;
    p.height = (uint32_t)height;
    if (!CHECK(p.rgb != NULL)) p = picture_new(WIDTH, HEIGHT);
    return p;
}

static picture from_rgba(const uint8_t *rgba)
{
    picture  p = picture_new(WIDTH, HEIGHT);
    uint32_t i;
    for (i = 0; i < WIDTH * HEIGHT; ++i) memcpy(p.rgb + i * 3, rgba + i * 4, 3);
    return p;
}

/* The mean of each square of BLOCK pixels: what compression leaves of a picture. */
static picture shrunk(const picture *p)
{
    picture  small = picture_new(p->width / BLOCK, p->height / BLOCK);
    uint32_t x, y, k, i;
    for (y = 0; y < small.height; ++y) {
        for (x = 0; x < small.width; ++x) {
            for (k = 0; k < 3; ++k) {
                uint32_t sum = 0;
                for (i = 0; i < BLOCK * BLOCK; ++i) {
                    sum += picture_at(p, x * BLOCK + i % BLOCK, y * BLOCK + i / BLOCK)[k];
                }
                small.rgb[(y * small.width + x) * 3 + k] = (uint8_t)(sum / (BLOCK * BLOCK));
            }
        }
    }
    return small;
}

static picture_distance distance(const picture *a, const picture *b)
{
    picture          small_a = shrunk(a), small_b = shrunk(b);
    picture_distance d = picture_compare(&small_a, &small_b);
    picture_free(&small_a);
    picture_free(&small_b);
    return d;
}

/* Like the frame of its number, and unlike the one that follows it. */
static void check_frame(const char *folder, uint32_t number, const uint8_t *rgba)
{
    picture shown = from_rgba(rgba), drawn = read_frame(folder, number);
    picture next = read_frame(folder, number + 1);
    char    subject[32];
    snprintf(subject, sizeof subject, "frame %u", (unsigned)number);
    check_subject(subject);
    CHECK_EQ(drawn.width, WIDTH);
    CHECK_EQ(drawn.height, HEIGHT);
    CHECK(picture_alike(distance(&shown, &drawn)));
    CHECK(!picture_alike(distance(&shown, &next)));
    picture_free(&shown);
    picture_free(&drawn);
    picture_free(&next);
}

static void check_film(const char *folder, WebPAnimDecoder *film)
{
    uint8_t *rgba;
    int      time = 0;
    uint32_t number = 0;
    while (WebPAnimDecoderHasMoreFrames(film) && WebPAnimDecoderGetNext(film, &rgba, &time)) {
        check_frame(folder, ++number, rgba);
        CHECK_EQ(time, number * MILLISECONDS);
    }
    check_subject("");
    CHECK_FLOOR(number, FRAMES, "frames of the film");
}

/* The frame behind the last is the first again. */
static void check_loop(const char *folder)
{
    picture first = read_frame(folder, 1), again = read_frame(folder, FRAMES + 1);
    CHECK(picture_alike(picture_compare(&first, &again)));
    picture_free(&first);
    picture_free(&again);
}

int main(int argc, char **argv)
{
    WebPData         data = { NULL, 0 };
    WebPAnimDecoder *film;
    WebPAnimInfo     info;
    uint8_t         *bytes;
    if (argc != 3) {
        fprintf(stderr, "usage: test_film FILM FOLDER\n");
        return 2;
    }
    check_section("film");
    data.bytes = bytes = check_read_file(argv[1], &data.size);
    film = bytes ? WebPAnimDecoderNew(&data, NULL) : NULL;
    if (CHECK(film && WebPAnimDecoderGetInfo(film, &info))) {
        printf("%s: %u x %u, %u frames, %lu bytes\n", argv[1], (unsigned)info.canvas_width,
               (unsigned)info.canvas_height, (unsigned)info.frame_count, (unsigned long)data.size);
        CHECK(data.size <= MOST_BYTES);
        CHECK_EQ(info.frame_count, FRAMES);
        CHECK_EQ(info.loop_count, 0);
        if (CHECK(info.canvas_width == WIDTH && info.canvas_height == HEIGHT)) {
            check_film(argv[2], film);
            check_loop(argv[2]);
        }
    }
    WebPAnimDecoderDelete(film);
    free(bytes);
    return check_finish();
}
