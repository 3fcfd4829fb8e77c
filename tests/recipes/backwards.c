/* Playing backward: once from the end to the start, and as a loop. Frame events fire in reverse order. In
   md5.h, the functions begin with md5_ instead. Public domain.
       cc -I. tests/recipes/backwards.c -lm && ./a.out */
#include <assert.h>
#define MD2_IMPLEMENTATION
#include "md2.h"

int main(void)
{
    md2_error error;
    md2_model *knight = md2_load_file("knight/tris.md2", NULL, &error);
    if (!knight) { fprintf(stderr, "%s\n", error.message); return 1; }
    const md2_anim *attack = md2_find_anim(knight, "attack");
    assert(attack);

    /* Once, from the end. md2_play sets the speed to 1, so set the speed after it. */
    md2_player player;
    memset(&player, 0, sizeof player);
    md2_play(&player, attack, MD2_ONCE, 0);
    md2_seek(&player, md2_anim_length(attack, MD2_ONCE));
    player.speed = -1;
    uint32_t expected = attack->count - 1, finished = 0;    /* the last frame is already shown */
    for (int step = 0; step < 120; ++step) {
        finished += (md2_advance(&player, 1 / 60.0f) & MD2_FINISHED) != 0;
        for (uint32_t f = 0; f < attack->count; ++f) {
            if (md2_crossed(&player, attack, f)) {
                printf("%u ", (unsigned)f);
                assert(f == --expected);
            }
        }
    }
    md2_pose pose = md2_player_pose(&player);
    printf("and frame %u stays\n", (unsigned)pose.frame[0]);
    assert(expected == 0 && finished == 1);
    assert(pose.frame[0] == attack->first && pose.weight[0] > 0.999f);

    /* A loop may begin anywhere, and each cycle sets MD2_LOOPED once. */
    md2_play(&player, attack, MD2_LOOP, 0);
    player.speed = -2;
    int rounds = 0;
    double seconds = md2_anim_length(attack, MD2_LOOP) * 3 / 2; /* three cycles at this speed */
    for (int step = 0; step < 100; ++step) {
        rounds += (md2_advance(&player, (float)(seconds * 1.01 / 100)) & MD2_LOOPED) != 0;
    }
    printf("%d cycles backward in %.1f seconds\n", rounds, seconds);
    assert(rounds == 3);
    md2_free_model(knight);
    return 0;
}
