#include "cprof.h"

int main(int argc, char **argv)
{
    return cprof_run(argc, argv);
}
