/* test_md2: the behaviour of md2.h through its public interface, chapter by chapter, against independent
   readings of the same bytes in double precision. With MODELS set to a folder, every model below it is
   read as well. Public domain. */
#include "test_md2.h"

int main(void)
{
    test_loading();
    test_refusals();
    test_vertices();
    test_strips();
    test_poses();
    test_posing();
    test_bounds();
    test_bits();
    test_player();
    test_events();
    test_skins();
    test_pcx();
    test_corpus();
    check_section("");
    CHECK_FLOOR(tests_run, 80, "tests");
    return check_finish();
}
