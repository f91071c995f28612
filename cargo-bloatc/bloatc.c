#include "bloatc.h"

#include <stdio.h>

int bloatc_run(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    puts("cargo-bloatc " SUITE_VERSION);
    return 0;
}
