/* For PowerPC under qemu before 8.1: there glibc's sin, cos and atan2 begin with an instruction that
   qemu refuses and every real processor knows. Those of long doubles do without. Public domain. */
#include <math.h>

double sin(double x);
double cos(double x);
double atan2(double y, double x);

double sin(double x) { return (double)sinl(x); }
double cos(double x) { return (double)cosl(x); }
double atan2(double y, double x) { return (double)atan2l(y, x); }
