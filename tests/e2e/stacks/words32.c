/* Works in inner(), without a C library: gcc -m32 -nostdlib -static. */
static volatile unsigned sum;

__attribute__((noinline)) static void inner(void)
{
    for (unsigned i = 0; i < 200000000U; i++)
        sum += i;
}

void _start(void);

void _start(void)
{
    inner();
    __asm__ volatile("int $0x80" : : "a"(1), "b"(0)); /* exit(0) */
}
