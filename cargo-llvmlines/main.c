#include "llvmlines.h"

int main(int argc, char **argv)
{
    return llvmlines_run(argc, argv);
}
