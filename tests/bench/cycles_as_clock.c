/*
 * Where processors do not count cycles for us, as in most virtual machines, samply 0.13 records nothing: it
 * asks for cycles and for nothing else. Loaded before it (LD_PRELOAD), this asks for the processor's clock
 * instead, so that tests/bench/recording.py can measure it there.
 */
#include <dlfcn.h>
#include <linux/perf_event.h>
#include <stdarg.h>
#include <string.h>
#include <sys/syscall.h>

enum { ARGUMENTS = 6 };

typedef long syscall_fn(long number, ...);

static void ask_for_clock(struct perf_event_attr *attributes)
{
    if (attributes->type != PERF_TYPE_HARDWARE || attributes->config != PERF_COUNT_HW_CPU_CYCLES)
        return;
    attributes->type = PERF_TYPE_SOFTWARE;
    attributes->config = PERF_COUNT_SW_CPU_CLOCK;
}

long syscall(long number, ...)
{
    static syscall_fn *next;
    long argument[ARGUMENTS];
    va_list arguments;

    if (!next) {
        void *found = dlsym(RTLD_NEXT, "syscall");

        memcpy(&next, &found, sizeof(next));
    }
    va_start(arguments, number);
    for (int i = 0; i < ARGUMENTS; i++)
        argument[i] = va_arg(arguments, long);
    va_end(arguments);
    if (number == SYS_perf_event_open)
        ask_for_clock((struct perf_event_attr *)argument[0]);
    return next(number, argument[0], argument[1], argument[2], argument[3], argument[4], argument[5]);
}
