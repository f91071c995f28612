/*
 * The system, which is asked without the C library: that sets errno, which free() is to leave alone. Results
 * are the kernel's: of a failure its errno, below 0.
 */
#ifndef PRELOAD_SYSTEM_H
#define PRELOAD_SYSTEM_H

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>

enum { SYSTEM_ARGUMENTS = 6 };

#if defined(__aarch64__)
static inline long ask_system(long number, const long given[SYSTEM_ARGUMENTS])
{
    register long x8 __asm__("x8") = number;
    register long x0 __asm__("x0") = given[0];
    register long x1 __asm__("x1") = given[1];
    register long x2 __asm__("x2") = given[2];
    register long x3 __asm__("x3") = given[3];
    register long x4 __asm__("x4") = given[4];
    register long x5 __asm__("x5") = given[5];

    __asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5) : "memory");
    return x0;
}
#else
static inline long ask_system(long number, const long given[SYSTEM_ARGUMENTS])
{
    register long r10 __asm__("r10") = given[3];
    register long r8 __asm__("r8") = given[4];
    register long r9 __asm__("r9") = given[5];
    long result = number;

    __asm__ volatile("syscall"
                     : "+a"(result)
                     : "D"(given[0]), "S"(given[1]), "d"(given[2]), "r"(r10), "r"(r8), "r"(r9)
                     : "rcx", "r11", "memory");
    return result;
}
#endif

#define SYSTEM_CALL(number, ...) ask_system(number, (const long[SYSTEM_ARGUMENTS]){__VA_ARGS__})

static inline bool is_failure(long result)
{
    return result < 0 && result > -4096;
}

static inline void sleep_us(long us)
{
    struct timespec time = {0, us * 1000};

    SYSTEM_CALL(SYS_nanosleep, (long)&time);
}

static inline bool is_gone(int process)
{
    return SYSTEM_CALL(SYS_kill, process) == -ESRCH;
}

static inline uint32_t thread_number(void)
{
    return (uint32_t)SYSTEM_CALL(SYS_gettid, 0);
}

static inline uint32_t process_number(void)
{
    return (uint32_t)SYSTEM_CALL(SYS_getpid, 0);
}

/* A thread of this process. */
static inline bool is_thread_gone(uint32_t thread)
{
    return SYSTEM_CALL(SYS_tgkill, (long)process_number(), (long)thread) == -ESRCH;
}

/* 0: it is not to be seen. */
static inline uint64_t inode_of(const char *path)
{
    struct stat status = {0};

    return SYSTEM_CALL(SYS_newfstatat, AT_FDCWD, (long)path, (long)&status) == 0 ? (uint64_t)status.st_ino
                                                                                 : 0;
}

static inline uint64_t now_ns(void)
{
    struct timespec time = {0};

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * UINT64_C(1000000000) + (uint64_t)time.tv_nsec;
}

static inline void *pointer_to(uintptr_t address)
{
    void *pointer = NULL;

    memcpy(&pointer, &address, sizeof(pointer));
    return pointer;
}

#endif
