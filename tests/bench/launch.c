/*
 * Runs a command and tells what it cost, for tests/bench/run:
 *
 *     launch REPORT COMMAND ARGUMENTS...
 *
 * writes to the file REPORT the milliseconds it took, the milliseconds of CPU that it and all that it waited
 * for used, and the largest memory of any one of them in KiB; exits as the command does. A program
 * of its own because what a process holds when it starts another counts as that one's memory too:
 * a script's interpreter would be more than what is measured.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
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

static int write_report(const char *path, double wall, const struct rusage *usage)
{
    FILE *report = fopen(path, "we");

    if (!report) {
        fprintf(stderr, "launch: open %s: %s\n", path, strerror(errno));
        return -1;
    }
    fprintf(report, "%.3f %.3f %ld\n", wall,
            milliseconds_of(usage->ru_utime) + milliseconds_of(usage->ru_stime), usage->ru_maxrss);
    return fclose(report);
}

int main(int argc, char **argv)
{
    struct rusage usage;
    double start = milliseconds_now();
    int status = 0;
    pid_t child = 0;

    if (argc < 3) {
        fprintf(stderr, "usage: launch REPORT COMMAND ARGUMENTS...\n");
        return 2;
    }
    child = fork();
    if (child == 0) {
        execvp(argv[2], argv + 2);
        fprintf(stderr, "launch: %s: %s\n", argv[2], strerror(errno));
        _exit(127);
    }
    if (child < 0 || wait4(child, &status, 0, &usage) < 0) {
        fprintf(stderr, "launch: %s\n", strerror(errno));
        return 1;
    }
    if (write_report(argv[1], milliseconds_now() - start, &usage) < 0)
        return 1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
