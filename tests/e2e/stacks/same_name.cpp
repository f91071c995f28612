// Two functions of one name in two namespaces, whose argument is a lambda: debug information has no linkage
// names for them.
#include <ctime>

static volatile unsigned long sink;

namespace first {
template <class Step> __attribute__((noinline)) void run(Step step)
{
    while (clock() < 0.3 * CLOCKS_PER_SEC)
        for (unsigned long i = 0; i < 1000000; i++)
            sink = step(i);
}
}

namespace second {
template <class Step> __attribute__((noinline)) void run(Step step)
{
    while (clock() < 0.6 * CLOCKS_PER_SEC)
        for (unsigned long i = 0; i < 1000000; i++)
            sink = step(i) + 1;
}
}

int main(int argc, char **)
{
    auto step = [argc](unsigned long i) { return i * 7 + argc; };

    first::run(step);
    second::run(step);
    return 0;
}
