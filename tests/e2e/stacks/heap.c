/*
 * A program that knows what memory it asks for:
 *
 *     heap few         ten blocks, of which it gives back six; 1,000 bytes that two functions down
 *                      are asked for
 *     heap many        by four threads 400,000 small ones, given back at once but for the last 100 of each
 *     heap fork        a child that asks for 5,000 bytes, and another program (itself, "few") that it becomes
 *     heap herd        40,000 small ones, and then 2,000 in each of eight children, "child 0" and so on
 *     heap heir        a child that asks for 3,000 blocks of 1,000 bytes, gives back its parent's 20,000
 *     heap borrower    asks for 5,000 bytes, and a child of vfork in the same memory for 7,000
 *     heap parts       200,000 blocks of 200 bytes, and 50,000 of 24 that another function asks for
 *     heap deep        asks 100 calls deep, in frames of 512 bytes
 *     heap coroutine   asks on a stack of its own
 *     heap together    eight threads have 1,000,000 bytes each at one time
 *     heap outlived    a thread gives back 5,000,000 bytes after the first one has ended
 *     heap requests    1,000,000 blocks of 5,000 bytes, given back at once, and 100,000 of 1 byte, kept
 *     heap sizes       64,000 small ones; keeps 1,500,000 bytes, in blocks of all kinds of sizes
 *     heap refused     is refused more than there is, and keeps 2,000,000 bytes
 *     heap scribbles   asks for 100 bytes, and writes what is no record where the recorder reads
 *     heap foresees    writes there a record of the future, and asks for 1,000,000 blocks
 *     heap cuts        asks for 100 bytes, and cuts off what the recorder reads
 *     heap endless     eight threads ask for 1,000,000 bytes and give them back, again and again
 *     heap idle        32 threads, given 2,000 of 64 bytes each, of which they keep 100, wait at _exit; it
 *                      says that they were given
 *     heap threads     1,000 one after the other are given 40 blocks each
 *     heap waiting     as idle, and it does not end
 */
#include <fcntl.h>
#include <linux/perf_event.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

enum {
    THREADS = 4,
    EACH = 100000,
    KEPT = 100,
    SMALL_BYTES = 64,
    DEPTH = 100,
    STACK_BYTES = 64 << 10,
    IDLE_THREADS = 32,
    IDLE_EACH = 2000
};

static void *volatile kept[THREADS * KEPT];
static ucontext_t outside;
static ucontext_t inside;

__attribute__((noinline)) static void *asks(size_t size)
{
    void *volatile block = malloc(size);

    return block;
}

__attribute__((noinline)) static void few(void)
{
    void *blocks[10];

    for (size_t i = 0; i < 10; i++)
        blocks[i] = asks(1000 * (i + 1));
    blocks[0] = realloc(blocks[0], 3000);
    for (size_t i = 0; i < 6; i++)
        free(blocks[i]);
    for (size_t i = 6; i < 10; i++)
        kept[i] = blocks[i];
}

static void *many(void *number)
{
    void *volatile *own = kept + (size_t)(char *)number - (size_t)(char *)0;

    for (size_t i = 0; i < EACH; i++) {
        void *block = asks(SMALL_BYTES);

        free(own[i % KEPT]);
        own[i % KEPT] = block;
    }
    return NULL;
}

static void run_threads(void)
{
    pthread_t threads[THREADS];

    for (size_t i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, many, (char *)0 + i * KEPT);
    for (size_t i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
}

static void fork_one(const char *self)
{
    pid_t child = fork();

    if (child == 0) {
        kept[0] = asks(5000);
        execl(self, self, "few", (char *)NULL);
        _exit(1);
    }
    waitpid(child, NULL, 0);
}

static void ask_and_free(size_t times)
{
    for (size_t i = 0; i < times; i++)
        free(asks(SMALL_BYTES));
}

static void fork_herd(void)
{
    ask_and_free(40000);
    for (int i = 0; i < 8; i++) {
        pid_t child = fork();
        char name[16];

        if (child == 0) {
            snprintf(name, sizeof(name), "child %d", i);
            prctl(PR_SET_NAME, name);
            ask_and_free(2000);
            exit(0);
        }
        waitpid(child, NULL, 0);
    }
}

__attribute__((noinline)) static void *asks_as_heir(size_t size)
{
    void *volatile block = malloc(size);

    return block;
}

static void run_heir(void)
{
    static void *blocks[20000];
    void *volatile own = NULL;
    pid_t child = 0;

    for (size_t i = 0; i < 20000; i++)
        blocks[i] = asks(1000);
    child = fork();
    if (child == 0) {
        for (size_t i = 0; i < 3000; i++)
            own = asks_as_heir(1000);
        for (size_t i = 0; i < 20000; i++)
            free(blocks[i]);
        _exit(own == NULL);
    }
    waitpid(child, NULL, 0);
}

static void borrow(void)
{
    kept[0] = asks(5000);
    if (vfork() == 0) {
        kept[1] = asks(7000);
        _exit(0);
    }
}

static void ask_in_parts(void)
{
    for (size_t i = 0; i < 200000; i++) {
        free(asks(200));
        if (i % 4 == 0)
            free(asks_as_heir(24));
    }
}

__attribute__((noinline)) static void deep(int depth)
{
    volatile char frame[512];

    memset((char *)frame, depth, sizeof(frame));
    if (depth > 0)
        deep(depth - 1);
    else
        kept[0] = asks(123456);
    frame[0] = 1;
}

static void on_own_stack(void)
{
    kept[0] = asks(54321);
}

static void run_coroutine(void)
{
    char *stack = mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    getcontext(&inside);
    inside.uc_stack.ss_sp = stack;
    inside.uc_stack.ss_size = STACK_BYTES;
    inside.uc_link = &outside;
    makecontext(&inside, on_own_stack, 0);
    swapcontext(&outside, &inside);
}

static pthread_barrier_t barrier;

static void *have_together(void *ignored)
{
    void *block = asks(1000000);

    pthread_barrier_wait(&barrier);
    free(block);
    return ignored;
}

static void run_together(void)
{
    pthread_t threads[8];

    pthread_barrier_init(&barrier, NULL, 8);
    for (size_t i = 0; i < 8; i++)
        pthread_create(&threads[i], NULL, have_together, NULL);
    for (size_t i = 0; i < 8; i++)
        pthread_join(threads[i], NULL);
}

static void *ask_for_ever(void *ignored)
{
    for (;;)
        free(asks(1000000));
    return ignored;
}

static void run_for_ever(void)
{
    pthread_t threads[8];

    for (size_t i = 0; i < 8; i++)
        pthread_create(&threads[i], NULL, ask_for_ever, NULL);
    for (size_t i = 0; i < 8; i++)
        pthread_join(threads[i], NULL);
}

static void *wait_for_ever(void *own)
{
    void **blocks = own;

    for (size_t i = 0; i < IDLE_EACH; i++) {
        void *block = asks(SMALL_BYTES);

        free(blocks[i % KEPT]);
        blocks[i % KEPT] = block;
    }
    pthread_barrier_wait(&barrier);
    for (;;)
        pause();
}

static void *give_some(void *ignored)
{
    for (size_t i = 0; i < 40; i++)
        free(asks(SMALL_BYTES));
    return ignored;
}

static void run_one_by_one(void)
{
    pthread_t thread;

    for (size_t i = 0; i < 1000; i++) {
        pthread_create(&thread, NULL, give_some, NULL);
        pthread_join(thread, NULL);
    }
}

static void run_idle(int ends)
{
    static void *blocks[IDLE_THREADS][KEPT];
    pthread_t thread;

    pthread_barrier_init(&barrier, NULL, IDLE_THREADS + 1);
    for (size_t i = 0; i < IDLE_THREADS; i++)
        pthread_create(&thread, NULL, wait_for_ever, blocks[i]);
    pthread_barrier_wait(&barrier);
    if (write(1, "given\n", 6) != 6 || ends)
        _exit(0);
    for (;;)
        pause();
}

static void *free_late(void *main_thread)
{
    pthread_join(*(pthread_t *)main_thread, NULL);
    free(kept[0]);
    exit(0);
}

static void outlive(void)
{
    static pthread_t self;
    pthread_t thread;

    self = pthread_self();
    kept[0] = asks(5000000);
    pthread_create(&thread, NULL, free_late, &self);
    pthread_exit(NULL);
}

__attribute__((noinline)) static void *keeps(size_t size)
{
    void *volatile block = malloc(size);

    return block;
}

static void serve(void)
{
    for (size_t i = 0; i < 1000000; i++) {
        free(asks(5000));
        if (i % 10 == 0)
            kept[0] = keeps(1);
    }
}

/* Given in all of 1 to 300 bytes, of pages and more, aligned, grown and shrunk. */
static void keep_all_sizes(void)
{
    size_t left = 1500000 - 301 * 150 - 200001 - 300000 - 1000 - 100 - 129;
    void *block = NULL;

    ask_and_free(64000);
    for (size_t i = 1; i <= 300; i++)
        kept[i] = keeps(i);
    kept[0] = keeps(200001);
    kept[0] = aligned_alloc(4096, 300000);
    kept[0] = realloc(keeps(500000), 1000);
    kept[0] = realloc(keeps(5000), 100);
    block = realloc(keeps(7), 129);
    for (size_t i = 4097; i < 9000; i++)
        free(keeps(i));
    kept[0] = block;
    kept[0] = calloc(left, 1);
}

static void be_refused(void)
{
    volatile size_t much = (size_t)1 << 60;
    void *block = asks(2000000);
    void *more = realloc(block, much);

    kept[0] = more ? more : block;
}

static void scribble(void)
{
    int file = open(getenv("CARGO_CPROF_HEAP"), O_RDWR);
    struct perf_event_mmap_page *page =
        mmap(NULL, sizeof(*page), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);

    kept[0] = asks(100);
    page->data_head += 64;
}

/* A record of a century from now, and then more than fits beside it. */
static void foresee(void)
{
    enum { DATA = 8192, FREED = 1001, WORDS = 6, TIME = 3 };
    int file = open(getenv("CARGO_CPROF_HEAP"), O_RDWR);
    struct perf_event_mmap_page *page =
        mmap(NULL, DATA + (1 << 20), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    uint64_t record[WORDS] = {[TIME] = UINT64_C(1) << 62};
    const struct perf_event_header header = {FREED, PERF_RECORD_MISC_USER, sizeof(record)};

    kept[0] = asks(100);
    memcpy(record, &header, sizeof(header));
    memcpy((char *)page + DATA + page->data_head, record, sizeof(record));
    page->data_head += sizeof(record);
    for (size_t i = 0; i < 1000000; i++)
        free(asks(SMALL_BYTES));
}

static void cut(void)
{
    kept[0] = asks(100);
    _exit(truncate(getenv("CARGO_CPROF_HEAP"), 0) < 0);
}

int main(int count, char **arguments)
{
    const char *what = count > 1 ? arguments[1] : "few";

    if (strcmp(what, "many") == 0)
        run_threads();
    else if (strcmp(what, "fork") == 0)
        fork_one(arguments[0]);
    else if (strcmp(what, "herd") == 0)
        fork_herd();
    else if (strcmp(what, "borrower") == 0)
        borrow();
    else if (strcmp(what, "parts") == 0)
        ask_in_parts();
    else if (strcmp(what, "heir") == 0)
        run_heir();
    else if (strcmp(what, "deep") == 0)
        deep(DEPTH);
    else if (strcmp(what, "coroutine") == 0)
        run_coroutine();
    else if (strcmp(what, "together") == 0)
        run_together();
    else if (strcmp(what, "outlived") == 0)
        outlive();
    else if (strcmp(what, "idle") == 0)
        run_idle(1);
    else if (strcmp(what, "threads") == 0)
        run_one_by_one();
    else if (strcmp(what, "waiting") == 0)
        run_idle(0);
    else if (strcmp(what, "requests") == 0)
        serve();
    else if (strcmp(what, "sizes") == 0)
        keep_all_sizes();
    else if (strcmp(what, "refused") == 0)
        be_refused();
    else if (strcmp(what, "scribbles") == 0)
        scribble();
    else if (strcmp(what, "foresees") == 0)
        foresee();
    else if (strcmp(what, "cuts") == 0)
        cut();
    else if (strcmp(what, "endless") == 0)
        run_for_ever();
    else
        few();
    return 0;
}
