// OUTPUT: 4950 4950 200
// LIBRARY: library_work.c
#include "kind.h"
