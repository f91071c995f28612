#include "bloatc.h"

int main(int argc, char **argv)
{
    return bloatc_run(argc, argv);
}
