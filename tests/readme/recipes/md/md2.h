#include "../../../../md2.h"
