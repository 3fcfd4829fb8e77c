/* work.h: work that grows with the size alone, however a file is made. Included by the chapters that
   count steps, see count_steps.h. Public domain. */
#ifndef BOTH_WORK_H_INCLUDED
#define BOTH_WORK_H_INCLUDED

/* Steps a byte, or another unit, that the file number `which` of those made to hurt takes, at about
   `size` of them. It may name the file as the scene. */
typedef double (*hurt_work)(int which, size_t size);

/* No unit costs more than `most` steps, and none more than `growth` times as much plus `slack` in a
   file of four times the size. */
static void check_linear_work(hurt_work work, int hurts, size_t size, double most,
                              double growth, double slack)
{
    double hardest = 0.0, largest_growth = 0.0;
    for (int i = 0; i < hurts; ++i) {
        check_scene("made to hurt, number %d", i);
        double steps = work(i, size), steps_of_more = work(i, size * 4);
        check_step("%.3f steps each, and %.3f in four times the size: at most %g and %.3f are wanted",
                   steps, steps_of_more, most, growth * steps + slack);
        CHECK(steps_of_more < most);
        CHECK(steps_of_more < growth * steps + slack);
        hardest = fmax(hardest, steps_of_more);
        largest_growth = fmax(largest_growth, steps_of_more / (steps + slack));
    }
    printf("    the hardest takes %.2f steps each; four times the size, %.2f times as many\n",
           hardest, largest_growth);
}

#endif /* BOTH_WORK_H_INCLUDED */
