/* Reloading animations while they play, because an artist saved a file (stat returns its time) or a new level begins.
   An MD2 needs none of this, because its players have copies of their animations. Public domain.
       cc -I. tests/recipes/reload.c -lm && ./a.out */
#include <assert.h>
#define MD5_IMPLEMENTATION
#include "md5.h"

enum { PLAYERS = 2 };

typedef struct game {
    md5_model *model;
    md5_anim  *run, *attack;
    md5_anim   swing;                 /* the first frames of the attack */
    md5_player players[PLAYERS];      /* all players: the legs, and the arms as a layer over them */
    md5_xform *pose, *scratch;        /* one transform per joint of the model */
} game;

/* Replaces an animation in every player before it frees the old one. If `fresh` is NULL, its tracks are removed. */
static void replace(game *g, md5_anim **anim, md5_anim *fresh)
{
    for (int i = 0; i < PLAYERS; ++i) md5_replace_anim(&g->players[i], *anim, fresh);
    md5_free_anim(*anim);
    *anim = fresh;
}

/* Loads an animation again. A file that is only half written, or made for another model, changes nothing. If the
   animation is retargeted to the model, the players have the retargeted copy, so replace that copy. */
static bool reload_anim(game *g, md5_anim **anim, const char *path)
{
    md5_error error;
    md5_anim *fresh = md5_load_anim_file(path, NULL, &error);
    if (!fresh || md5_check_anim(g->model, fresh, &error) != MD5_OK) {
        printf("%s stays as it was: %s\n", path, error.message);
        md5_free_anim(fresh);
        return false;
    }
    replace(g, anim, fresh);
    return true;
}

/* Loads the attack again and makes its slice again in the same variable. Players keep playing the slice, because they
   have its address. */
static bool reload_attack(game *g, const char *path)
{
    if (!reload_anim(g, &g->attack, path)) return false;
    g->swing = md5_slice_anim(g->attack, 0, 4, "swing");
    return true;
}

/* Loads the model again. The new model can have a different number of joints, so the poses get a new size. An animation
   that does not fit it shows the bind pose. */
static bool reload_model(game *g, const char *path)
{
    md5_error error;
    md5_model *fresh = md5_load_model_file(path, NULL, &error);
    if (!fresh) { printf("%s stays as it was: %s\n", path, error.message); return false; }
    md5_free_model(g->model);
    g->model = fresh;
    free(g->pose);
    g->pose = (md5_xform *)malloc(2 * fresh->joint_count * sizeof *g->pose);
    assert(g->pose);
    g->scratch = g->pose + fresh->joint_count;
    return true;
}

static void step(game *g)
{
    for (int i = 0; i < PLAYERS; ++i) md5_advance(&g->players[i], 1 / 60.0f);
    md5_player_pose(g->model, &g->players[0], g->pose, g->scratch);
    md5_player_pose_over(g->model, &g->players[1], 1, NULL, g->pose, g->scratch);
}

static void end_level(game *g)
{
    replace(g, &g->run, NULL);
    replace(g, &g->attack, NULL);
    for (int i = 0; i < PLAYERS; ++i) md5_replace_anim(&g->players[i], &g->swing, NULL);
    md5_free_model(g->model);
    free(g->pose);
    g->model = NULL;
    g->pose = g->scratch = NULL;
}

/* -- An artist saves a file, and the game once reads it half written -------------------------------------------- */

static void save(const char *from, const char *to, long bytes)
{
    FILE *in = fopen(from, "rb"), *out = fopen(to, "wb");
    assert(in && out);
    for (int c = getc(in); c != EOF && bytes != 0; c = getc(in), --bytes) putc(c, out);
    fclose(in);
    fclose(out);
}

static double find_cycle(const md5_track *track)
{
    double cycles = track->time / md5_anim_length(track->anim, track->mode);
    return cycles - floor(cycles);
}

int main(void)
{
    static game g;
    const char *saved = "saved.md5anim";
    bool loads = reload_model(&g, "knight/knight.md5mesh") &&
                 reload_anim(&g, &g.run, "knight/run.md5anim") &&
                 reload_attack(&g, "knight/attack.md5anim");
    if (!loads) return 1;

    /* The knight runs and begins to swing; then the file of the run is replaced with a walk. */
    md5_player *legs = &g.players[0], *arms = &g.players[1];
    md5_play(legs, &g.swing, MD5_LOOP, 0);
    md5_play(legs, g.run, MD5_LOOP, 0.5f);
    md5_play_once(arms, &g.swing, 0.1f, 0.1f);
    for (int frame = 0; frame < 12; ++frame) step(&g);
    double cycle = find_cycle(&legs->track[1]), seconds = arms->track[0].time;
    save("knight/walk.md5anim", saved, 2000);
    bool half = reload_anim(&g, &g.run, saved);
    save("knight/walk.md5anim", saved, -1);
    bool whole = reload_anim(&g, &g.run, saved);
    bool attack = reload_attack(&g, "knight/wave.md5anim");
    assert(!half && whole && attack);
    remove(saved);

    /* Every track continues at its position, even in the middle of the fade. */
    assert(md5_playing(legs, g.run) && legs->track_count == 2 && md5_playing(arms, &g.swing));
    assert(fabs(find_cycle(&legs->track[1]) - cycle) < 1e-9);
    assert(!(arms->track[0].time < seconds) && !(arms->track[0].time > seconds));
    for (int frame = 0; frame < 60; ++frame) step(&g);
    printf("the run became a walk at %.2f of a cycle; the walk is at %.2f now\n", cycle,
           find_cycle(&legs->track[0]));

    /* The sword has different joints. */
    bool sword = reload_model(&g, "knight/weapon.md5mesh");
    assert(sword);
    step(&g);
    md5_pose_bind(g.model, g.scratch);
    assert(memcmp(g.pose, g.scratch, g.model->joint_count * sizeof *g.pose) == 0);

    end_level(&g);
    assert(md5_playing(legs, NULL) && md5_playing(arms, NULL));
    return 0;
}
