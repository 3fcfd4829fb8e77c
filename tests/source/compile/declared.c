/* Only declarations: no code, no data, nothing to link. */
#include "../../../md2.h"

static md2_player player;

int main(void)
{
    return (int)player.track_count + (int)MD2_OK;
}
