/*
 * Runs a command and tells what it cost, for tests/bench/run:
 *
 *     launch [--clock | --timer HZ] REPORT COMMAND ARGUMENTS...
 *
 * writes to the file REPORT the milliseconds it took, the milliseconds of CPU that it and all that it waited
 * for used, and the largest memory of any one of them in KiB; exits as the command does. A program
 * of its own because what a process holds when it starts another counts as that one's memory too:
 * a script's interpreter would be more than what is measured.
 *
 * With --clock the report's fourth number is the milliseconds that the kernel's event cpu-clock counted for
 * them: less than their CPU time, of which the switches from one thread to the next are a part.
 *
 * With --timer the kernel's event cpu-clock interrupts them so many times a second, as for a recorder, and
 * writes nothing: what no recorder that goes by it can do without.
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double milliseconds_now(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static double milliseconds_of(struct timeval time)
{
    return (double)time.tv_sec * 1e3 + (double)time.tv_usec / 1e3;
}

/*
 * Counts for what this process starts from its execve on, and interrupts it so many times a second; 0: never.
 * -1 when the kernel refuses.
 */
static int open_clock(uint64_t frequency_hz)
{
    struct perf_event_attr attr = {
        .size = sizeof(attr),
        .type = PERF_TYPE_SOFTWARE,
        .config = PERF_COUNT_SW_CPU_CLOCK,
        .freq = frequency_hz > 0,
        .sample_freq = frequency_hz,
        .disabled = 1,
        .inherit = 1,
        .enable_on_exec = 1,
    };
    long opened = syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);

    if (opened < 0)
        fprintf(stderr, "launch: count cpu-clock: %s\n", strerror(errno));
    return (int)opened;
}

static int write_clock(FILE *report, int clock)
{
    uint64_t nanoseconds = 0;

    if (read(clock, &nanoseconds, sizeof(nanoseconds)) != sizeof(nanoseconds)) {
        fprintf(stderr, "launch: read cpu-clock: %s\n", strerror(errno));
        return -1;
    }
    fprintf(report, " %.3f", (double)nanoseconds / 1e6);
    return 0;
}

/* `clock` is -1 where it is not asked for. */
static int write_report(const char *path, double wall, const struct rusage *usage, int clock)
{
    FILE *report = fopen(path, "we");
    int status = 0;

    if (!report) {
        fprintf(stderr, "launch: open %s: %s\n", path, strerror(errno));
        return -1;
    }
    fprintf(report, "%.3f %.3f %ld", wall,
            milliseconds_of(usage->ru_utime) + milliseconds_of(usage->ru_stime), usage->ru_maxrss);
    if (clock >= 0)
        status = write_clock(report, clock);
    fprintf(report, "\n");
    return fclose(report) == 0 ? status : -1;
}

/* What the words after the options say, on success with the command's status. */
static int run(char **words, int clock)
{
    struct rusage usage;
    double start = milliseconds_now();
    int status = 0;
    pid_t child = fork();

    if (child == 0) {
        execvp(words[1], words + 1);
        fprintf(stderr, "launch: %s: %s\n", words[1], strerror(errno));
        _exit(127);
    }
    if (child < 0 || wait4(child, &status, 0, &usage) < 0) {
        fprintf(stderr, "launch: %s\n", strerror(errno));
        return 1;
    }
    if (write_report(words[0], milliseconds_now() - start, &usage, clock) < 0)
        return 1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static int usage(void)
{
    fprintf(stderr, "usage: launch [--clock | --timer HZ] REPORT COMMAND ARGUMENTS...\n");
    return 2;
}

int main(int argc, char **argv)
{
    bool has_clock = argc > 1 && strcmp(argv[1], "--clock") == 0;
    bool has_timer = argc > 2 && strcmp(argv[1], "--timer") == 0;
    int options = has_timer ? 2 : has_clock;
    int clock = -1;

    if (argc < 3 + options)
        return usage();
    if (options > 0 && (clock = open_clock(has_timer ? strtoul(argv[2], NULL, 10) : 0)) < 0)
        return 1;
    return run(argv + 1 + options, has_clock ? clock : -1);
}
