/* Two words, each written by a function of its own; says where the first word and the second function are. */
#include <stdio.h>

static long words[2];

__attribute__((noinline)) static void first(void)
{
    ++*(volatile long *)&words[0];
}

__attribute__((noinline)) static void second(void)
{
    ++*(volatile long *)&words[1];
}

int main(void)
{
    for (int i = 0; i < 300; i++) {
        first();
        second();
    }
    printf("%p %p\n", (void *)&words[0], (void *)second);
    return 0;
}
