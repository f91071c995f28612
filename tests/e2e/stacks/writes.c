/* Two words, each written by a function of its own; says where the first word and the second function are. */
#include <stdio.h>

static volatile long words[2];

__attribute__((noinline)) static void first(long value)
{
    words[0] = value;
}

__attribute__((noinline)) static void second(long value)
{
    words[1] = value;
}

int main(void)
{
    for (long i = 0; i < 300; i++) {
        first(i);
        second(i);
    }
    printf("%p %p\n", (void *)&words[0], (void *)second);
    return 0;
}
