/* film.c - the film of the page: a character of tests/recipes/hero.c, which the first lines of that
   file describe, wakes up, walks and runs past a crowd, strikes meanwhile, and turns to who looks on.
   Then the camera moves back over the crowd. Public domain. */
#include "viewer.h"

/* With it comes the implementation of md5.h. */
#define main hero_main
#include "../recipes/hero.c"
#undef main

#define COLUMNS     14                /* of the crowd */
#define ROWS        6
#define SPACING     80.0f             /* units */
#define STEP        (1 / 30.0)        /* he goes in steps of this, whatever the frame rate is */
#define RIGHT_ANGLE 1.5707963f

typedef struct moment {               /* from here on, until the next one */
    double start;
    float  speed;                     /* units a second */
    float  heading;                   /* degrees, towards which he turns */
    float  looks_here;                /* 1: at the camera, 0: ahead */
    bool   attacks;
} moment;

static const moment moments[] = {
    { 0.00, 0, 12, 1, false },  { 0.40, 18, 8, 1, false },  { 1.10, 110, 0, 0, false },
    { 1.65, 110, 0, 0, true },  { 1.70, 110, 0, 0, false }, { 2.35, 110, 10, 1, false },
    { 2.75, 18, 60, 1, false }, { 3.05, 0, 62, 1, false },  { 3.35, 0, 62, 1, true },
    { 3.40, 0, 62, 1, false },
};

static struct film {
    hero_kind kind;
    hero   hero;
    double time;
    float  speed, looks_here;
    float  yaw, pitch, distance;      /* of the camera */
    float  back;                      /* 1 once it has moved back over the crowd */
} film;

/* 0 before `start`, 1 after `end`, and in between a smooth way from one to the other. */
static float ease(double time, double start, double end)
{
    float t = (float)fmin(fmax((time - start) / (end - start), 0), 1);
    return t * t * (3 - 2 * t);
}

static float mix(float a, float b, float t)
{
    return a + t * (b - a);
}

/* -- Playing ----------------------------------------------------------------------------------- */

static void find_eye(float eye[3])
{
    eye[0] = film.hero.x + film.distance * cosf(film.pitch) * cosf(film.yaw);
    eye[1] = film.hero.y + film.distance * cosf(film.pitch) * sinf(film.yaw);
    eye[2] = film.distance * sinf(film.pitch);
}

static void move_camera(void)
{
    float back = ease(film.time, 2.9, 4.1);
    film.yaw = mix(mix(0.95f, 1.15f, ease(film.time, 0.4, 2)), 1.3f, back);
    film.pitch = mix(0.2f, 0.4f, back);
    film.distance = mix(mix(128, 150, ease(film.time, 0.5, 1.6)), 330, back);
    film.back = back;
}

/* At once: where he should look moves smoothly itself. */
static void look_there(const float target[3])
{
    float way[3] = { target[0] - film.hero.x, target[1] - film.hero.y, target[2] };
    float away = sqrtf(way[0] * way[0] + way[1] * way[1] + way[2] * way[2]);
    for (int i = 0; i < 3; ++i) film.hero.gaze[i] = way[i] / away;
}

static void step_film(float seconds)
{
    const moment *now = moments;
    while (now + 1 < moments + COUNT(moments) && now[1].start <= film.time) ++now;

    /* Wishes change at once, he does not. */
    float share = 1 - expf(-8 * seconds);
    film.speed += share * (now->speed - film.speed);
    film.looks_here += share * (now->looks_here - film.looks_here);
    film.hero.heading += share * (now->heading * 0.0174533f - film.hero.heading);

    float eye[3], target[3];
    find_eye(eye);
    float ahead[3] = { film.hero.x + 200 * cosf(film.hero.heading),
                       film.hero.y + 200 * sinf(film.hero.heading), 14 };
    for (int i = 0; i < 3; ++i) target[i] = mix(ahead[i], eye[i], film.looks_here);
    look_there(target);

    bool begins = film.time - now->start < (double)seconds;
    step_hero(&film.hero, seconds, film.speed, now->attacks && begins, target);
    film.time += (double)seconds;
    move_camera();
}

/* Character 0 is the hero; the others play an animation each, over and over. */
static void play_character(int character, float seconds)
{
    if (character != 0) {
        md5_advance(&viewer.players[character].md5, seconds);
        return;
    }
    while (film.time + STEP / 2 < viewer.time) step_film((float)STEP);
}

static const md5_xform *find_hero_pose(int character)
{
    return character == 0 ? film.hero.pose : NULL;
}

/* -- Placing ----------------------------------------------------------------------------------- */

/* The crowd stands in a wide field behind him, a little out of line, and faces who looks on. */
static void place_in_crowd(int character, float transform[16])
{
    int   row = (character - 1) / COLUMNS;
    int   column = (character - 1) % COLUMNS;
    float shift = row % 2 ? 0.5f : 0; /* nobody stands behind somebody */

    float along = (float)column - 5 + shift + 0.4f * (choose(character, 0) - 0.5f);
    float away = (float)row + 1.25f + 0.4f * (choose(character, 1) - 0.5f);
    float heading = RIGHT_ANGLE - 0.35f + 0.8f * (choose(character, 2) - 0.5f);
    place_on_floor(along * SPACING, -away * SPACING, heading, transform);
}

static void place_character(int character, float tint[4], float transform[16])
{
    choose_own_tint(character, tint);
    if (character > 0) place_in_crowd(character, transform);
    else place_on_floor(film.hero.x, film.hero.y, film.hero.heading, transform);
}

static void aim_camera(void)
{
    camera.target[0] = film.hero.x;
    camera.target[1] = film.hero.y - 70 * film.back;
    camera.target[2] = 27;
    camera.yaw = film.yaw;
    camera.pitch = film.pitch;
    camera.distance = film.distance;
}

void open_film(void)
{
    static const scene film_scene = { play_character, place_character, aim_camera,
                                      find_hero_pose };
    md5_error error;
    if (!load_hero_kind(&film.kind, "build/character", &error)) die("--film: ", error.message);
    make_hero(&film.hero, &film.kind);
    film.looks_here = 1;
    film.hero.heading = moments[0].heading * 0.0174533f;
    move_camera();

    viewer.mixed = true;
    form_crowd(1 + COLUMNS * ROWS);
    viewer.scene = &film_scene;
}
