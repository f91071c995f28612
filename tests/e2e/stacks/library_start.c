/* A library that begins with the function that does all, or else the program that calls it. */
#ifdef LIBRARY

unsigned first(unsigned count);

unsigned first(unsigned count)
{
    unsigned sum = 1;

    for (unsigned i = 0; i < count; i++) {
        sum += sum << 3 ^ i;
        __asm__ volatile("" : "+r"(sum));
    }
    return sum;
}

#else

unsigned first(unsigned count);

__attribute__((noinline)) static unsigned calls_first(void)
{
    return first(400000000) + 1;
}

int main(void)
{
    return calls_first() == 0;
}

#endif
