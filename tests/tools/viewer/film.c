/* film.c - the film of the page, which loops: the character of tests/recipes/hero.c walks past a
   crowd, runs, and walks again. He strikes twice and looks at the camera; the camera moves back
   over the crowd, and it is night for a while. Public domain. */
#include "viewer.h"

/* hero.c includes the implementation of md5.h. */
#define main hero_main
#include "../../recipes/hero.c"
#undef main

#define FOLDER      "build/character/"
#define SECONDS     7.0
#define WALK        18.3f             /* units per second; the feet do not slide */
#define RUN         110.8f            /* units per second; the film ends with the first pose of the legs */
#define RUNNING     2.6f              /* seconds, including half of the time to speed up and slow down */
#define PATH_LENGTH         (WALK * (float)SECONDS + (RUN - WALK) * RUNNING)
#define PERIOD      5                 /* number of columns after which the crowd repeats */
#define SPACING     (PATH_LENGTH / PERIOD)    /* so the last frame matches the first */
#define COLUMNS     22                /* number of columns at the same time */
#define BEHIND      15                /* number of columns behind the hero */
#define ROWS        5
#define STEP        (1 / 30.0)        /* seconds of a step of the hero, at any frame rate */
#define RIGHT_ANGLE 1.5707963f
#define FULL_TURN   6.2831853f

static struct film {
    hero_kind kind;
    hero      hero;
    double    time;
} film;

/* Returns 0 before `start`, 1 after `end`, and a smooth transition between them. */
static float ease(double time, double start, double end)
{
    float t = (float)fmin(fmax((time - start) / (end - start), 0), 1);
    return t * t * (3 - 2 * t);
}

static float mix(float a, float b, float t)
{
    return a + t * (b - a);
}

/* Returns 1 from `up` to `falls`, 0 before `rises` and after `down`, with smooth transitions. */
static float pulse(double time, double rises, double up, double falls, double down)
{
    return ease(time, rises, up) - ease(time, falls, down);
}

/* -- The camera -------------------------------------------------------------------------------- */

static double film_time(void)
{
    return fmod(film.time, SECONDS);
}

/* Returns 0 while the camera is near the hero, 1 while it is above the crowd. */
static float camera_retreat(void)
{
    return pulse(film_time(), 2.0, 3.2, 3.9, 5.1);
}

static void aim_camera(void)
{
    float far = camera_retreat();
    camera.target[0] = film.hero.x + mix(-8, -30, far);
    camera.target[1] = film.hero.y - mix(0, 90, far);
    camera.target[2] = mix(25, 20, far);
    camera.yaw = mix(0.62f, 1.05f, far) + 0.05f * sinf(FULL_TURN * (float)(film_time() / SECONDS));
    camera.pitch = mix(0.12f, 0.34f, far);
    camera.distance = mix(112, 320, far);
    viewer.night = pulse(film_time(), 2.3, 3.3, 5.8, 6.8);
}

static void find_eye(float eye[3])
{
    float away = camera.distance * cosf(camera.pitch);
    eye[0] = camera.target[0] + away * cosf(camera.yaw);
    eye[1] = camera.target[1] + away * sinf(camera.yaw);
    eye[2] = camera.target[2] + camera.distance * sinf(camera.pitch);
}

/* -- Playing ----------------------------------------------------------------------------------- */

/* Sets the gaze without smoothing, because the target itself moves smoothly. */
static void set_gaze(const float target[3])
{
    float offset[3] = { target[0] - film.hero.x, target[1] - film.hero.y, target[2] };
    float away = sqrtf(offset[0] * offset[0] + offset[1] * offset[1] + offset[2] * offset[2]);
    for (int i = 0; i < 3; ++i) film.hero.gaze[i] = offset[i] / away;
}

/* Advances the hero by a step. His legs, his arms and his head are three layers. */
static void step_film(void)
{
    double time = film_time();
    float  speed = mix(WALK, RUN, pulse(time, 1.9, 2.5, 4.5, 5.1));
    float  looks_at_camera = pulse(time, 0.2, 0.6, 1.8, 2.2) + pulse(time, 4.6, 5.1, 6.2, 6.6);
    float  eye[3], target[3];
    aim_camera();
    find_eye(eye);
    float ahead[3] = { film.hero.x + 200, film.hero.y, 14 };
    for (int i = 0; i < 3; ++i) target[i] = mix(ahead[i], eye[i], looks_at_camera);
    set_gaze(target);

    bool strikes = fabs(time - 0.9) < STEP / 2 || fabs(time - 5.4) < STEP / 2;
    step_hero(&film.hero, (float)STEP, speed, strikes, target);
    film.time += STEP;

    /* The hero and the crowd are where they were at the beginning. */
    if (film_time() < STEP / 2) film.hero.x = 0;
}

static int column_of(int character)
{
    return (int)floorf(film.hero.x / SPACING) + (character - 1) % COLUMNS - BEHIND;
}

static int row_of(int character)
{
    return (character - 1) / COLUMNS;
}

/* Returns a seed for a character's random numbers. Seeds repeat after PERIOD columns, and so does
   the crowd. */
static int crowd_seed(int character)
{
    int column = (column_of(character) % PERIOD + PERIOD) % PERIOD;
    return 1 + row_of(character) * PERIOD + column;
}

/* Plays an animation of the crowd a whole number of times per film. */
static void play_in_crowd(int character)
{
    int         seed = crowd_seed(character);
    const clip *c = &viewer.clips[seed * 5 % viewer.clip_count];
    double      cycles = fmax(1, floor(SECONDS / clip_length(c) + 0.5));
    double      time = character_random(seed, 0) + fmod(viewer.time, SECONDS) / SECONDS * cycles;
    md5_play(&viewer.players[character].md5, c->md5, MD5_LOOP, 0);
    md5_seek(&viewer.players[character].md5, time * clip_length(c));
}

static void play_character(int character, float seconds)
{
    (void)seconds;
    if (character != 0) {
        play_in_crowd(character);
        return;
    }
    while (film.time + STEP / 2 < viewer.time) step_film();
}

static const md5_xform *find_hero_pose(int character)
{
    return character == 0 ? film.hero.pose : NULL;
}

/* -- Placing ----------------------------------------------------------------------------------- */

/* Places a character of the crowd to the right of the hero, slightly out of line, facing the
   camera. */
static void place_in_crowd(int character, float transform[16])
{
    int   seed = crowd_seed(character);
    float shift = row_of(character) % 2 ? 0.5f : 0; /* rows alternate, so nobody is hidden */

    float along = (float)column_of(character) + shift + 0.4f * (character_random(seed, 0) - 0.5f);
    float away = (float)row_of(character) + 1.1f + 0.4f * (character_random(seed, 1) - 0.5f);
    float heading = RIGHT_ANGLE - 0.5f + 0.8f * (character_random(seed, 2) - 0.5f);
    place_on_floor(along * SPACING, -away * SPACING, heading, transform);
}

static void place_character(int character, float tint[4], float transform[16])
{
    choose_character_tint(character == 0 ? 0 : crowd_seed(character), tint);
    if (character > 0) place_in_crowd(character, transform);
    else place_on_floor(film.hero.x, film.hero.y, film.hero.heading, transform);
}

/* Opens the models of the film in place of the open ones. */
void open_film(void)
{
    static const scene film_scene = { play_character, place_character, aim_camera, find_hero_pose,
                                      SPACING / 4 };
    static const char *files[] = {
        FOLDER "knight.md5mesh",  FOLDER "weapon.md5mesh",  FOLDER "stand.md5anim",
        FOLDER "wave.md5anim",    FOLDER "salute.md5anim",  FOLDER "jump.md5anim",
        FOLDER "taunt.md5anim",   FOLDER "point.md5anim",   FOLDER "attack.md5anim",
    };
    open_files(COUNT(files), files, 0);

    md5_error error;
    free_hero(&film.hero);            /* the hero of an earlier film */
    free_hero_kind(&film.kind);
    memset(&film, 0, sizeof film);
    if (!load_hero_kind(&film.kind, FOLDER, &error)) die("--film: ", error.message);
    make_hero(&film.hero, &film.kind);

    viewer.mixed = true;
    form_crowd(1 + COLUMNS * ROWS);
    viewer.scene = &film_scene;
    viewer.time = 0;
    step_film();
}
