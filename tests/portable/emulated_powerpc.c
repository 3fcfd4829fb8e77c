/* For PowerPC in qemu before 8.1, which lacks an instruction that glibc's sin, cos and atan2 use. Their variants for
   long double do not use it. Public domain. */
#include <math.h>

double sin(double x);
double cos(double x);
double atan2(double y, double x);

double sin(double x) { return (double)sinl(x); }
double cos(double x) { return (double)cosl(x); }
double atan2(double y, double x) { return (double)atan2l(y, x); }
