/*
 * A process whose first thread has ended while another one counts, until its input ends. It says "ended" when
 * that is so: the state of the first thread is then Z.
 */
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static volatile unsigned long sum;

static int first_has_ended(void)
{
    char line[512] = "";
    char path[64];
    FILE *file = NULL;
    const char *state = NULL;

    snprintf(path, sizeof(path), "/proc/self/task/%d/stat", (int)getpid());
    file = fopen(path, "r");
    if (file && fgets(line, sizeof(line), file))
        state = strrchr(line, ')');
    if (file)
        fclose(file);
    return state && state[2] == 'Z';
}

__attribute__((noinline)) static void *count(void *unused)
{
    (void)unused;
    for (;;)
        sum = sum + 1;
}

static void *begin(void *unused)
{
    pthread_t counting;
    char byte = 0;

    while (!first_has_ended())
        usleep(1000);
    pthread_create(&counting, NULL, count, NULL);
    printf("ended\n");
    fflush(stdout);
    while (read(0, &byte, 1) > 0)
        continue;
    _exit(0);
    return unused;
}

int main(void)
{
    pthread_t thread;

    pthread_create(&thread, NULL, begin, NULL);
    pthread_exit(NULL);
}
