/* Threads that each wait in one way and say, as they end, for how many microseconds they did and how often.
 */
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { ROUNDS = 20, ROUND_US = 10000, DEPTH = 300, DEEP_ROUNDS = 3, DEEP_US = 100000 };

static int channel[2];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static uint64_t now_us(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

static void sleep_us(uint64_t us)
{
    struct timespec left = {(time_t)(us / 1000000), (long)(us % 1000000) * 1000};

    while (nanosleep(&left, &left) < 0 && errno == EINTR)
        ;
}

__attribute__((noinline)) static uint64_t sleeps(void)
{
    uint64_t start = now_us();

    for (int i = 0; i < ROUNDS; i++)
        sleep_us(ROUND_US);
    return now_us() - start;
}

__attribute__((noinline)) static uint64_t reads(void)
{
    uint64_t start = now_us();
    char byte = 0;

    for (int i = 0; i < ROUNDS; i++)
        if (read(channel[0], &byte, 1) != 1)
            abort();
    return now_us() - start;
}

__attribute__((noinline)) static uint64_t locks(void)
{
    uint64_t start = now_us();

    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return now_us() - start;
}

__attribute__((noinline)) static uint64_t deepens(int depth)
{
    volatile char room[512] = {0};
    uint64_t us = 0;

    if (depth > 0) {
        us = deepens(depth - 1) + (uint64_t)room[depth];
    } else {
        us = now_us();
        sleep_us(DEEP_US);
        us = now_us() - us;
    }
    return us + (uint64_t)room[1];
}

static uint64_t deepens_often(void)
{
    uint64_t us = 0;

    for (int i = 0; i < DEEP_ROUNDS; i++)
        us += deepens(DEPTH);
    return us;
}

struct part {
    const char *name;
    uint64_t (*wait)(void);
    uint64_t us;
};

static struct part parts[] = {
    {"sleeper", sleeps, 0}, {"reader", reads, 0}, {"locker", locks, 0}, {"deepener", deepens_often, 0}};

enum { PARTS = sizeof(parts) / sizeof(*parts) };

static void *run(void *context)
{
    struct part *part = context;

    pthread_setname_np(pthread_self(), part->name);
    part->us = part->wait();
    return NULL;
}

int main(void)
{
    pthread_t threads[PARTS];

    if (pipe(channel) < 0)
        return 1;
    pthread_mutex_lock(&lock);
    for (int i = 0; i < PARTS; i++)
        pthread_create(&threads[i], NULL, run, &parts[i]);
    for (int i = 0; i < ROUNDS; i++) {
        sleep_us(ROUND_US);
        if (write(channel[1], "", 1) != 1)
            return 1;
    }
    pthread_mutex_unlock(&lock);
    for (int i = 0; i < PARTS; i++) {
        pthread_join(threads[i], NULL);
        printf("%s %llu\n", parts[i].name, (unsigned long long)parts[i].us);
    }
    return 0;
}
