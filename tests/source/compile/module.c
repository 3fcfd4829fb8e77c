/* A C++20 module for a header. gcc 12 cannot re-export names with `export using` yet. */
module;
#include "../../../md2.h"
export module quake;

export unsigned play_nothing()
{
    md2_player player = {};
    md2_play(&player, nullptr, MD2_LOOP, 0.5f);
    md2_stop(&player);
    return md2_advance(&player, 1.0f);
}
