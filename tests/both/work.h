/* work.h: checks that the work for a file is proportional to its size, whatever is in the file. Included by
   test chapters that count steps; see count_steps.h. Public domain. */
#ifndef BOTH_WORK_H_INCLUDED
#define BOTH_WORK_H_INCLUDED

/* Returns the steps per byte, or per another unit, for worst-case file number `which` of about this size. It
   may set the file as the scene. */
typedef double (*worst_case_work)(int which, size_t size);

/* Checks that no unit takes more than `most` steps, and in a file of four times the size not more than
   `growth` times as many plus `slack`. */
static void check_linear_work(worst_case_work work, int cases, size_t size, double most,
                              double growth, double slack)
{
    double most_steps = 0.0, largest_growth = 0.0;
    for (int i = 0; i < cases; ++i) {
        check_scene("worst case number %d", i);
        double steps = work(i, size), steps_of_more = work(i, size * 4);
        check_step("%.3f steps per unit, %.3f in a file of four times the size; allowed are %g and %.3f",
                   steps, steps_of_more, most, growth * steps + slack);
        CHECK(steps_of_more < most);
        CHECK(steps_of_more < growth * steps + slack);
        most_steps = fmax(most_steps, steps_of_more);
        largest_growth = fmax(largest_growth, steps_of_more / (steps + slack));
    }
    printf("    at most %.2f steps per unit; at four times the size, at most %.2f times as many\n",
           most_steps, largest_growth);
}

#endif /* BOTH_WORK_H_INCLUDED */
