"""Programs of which processes, threads, libraries and code come and go."""

# Each step waits for the one before: some three cycles on any processor, where counting in memory takes one or five.
LOOP = """{
    unsigned long power = 3;

    for (unsigned long left = COUNT; left > 0; left--) {
        power *= power;
        __asm__ volatile("" : "+r"(power));
    }
}
"""

# A function of this name burns some tenths of a second of CPU time.
SPIN = "__attribute__((noinline)) void NAME(void)\n" + LOOP.replace("COUNT", "250000000UL")

PLUGIN = SPIN.replace("NAME", "SPIN")

RELOAD = """
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

/* PATH FUNCTION COMMAND ...: loads, runs, unloads, runs the command. */
int main(int argc, char **argv)
{
    for (int i = 1; i + 2 < argc; i += 3) {
        void *library = dlopen(argv[i], RTLD_NOW);
        void (*function)(void) = library ? (void (*)(void))dlsym(library, argv[i + 1]) : NULL;

        if (!function)
            return 9;
        function();
        printf("%p\\n", (void *)function);
        fflush(stdout);
        dlclose(library);
        if (system(argv[i + 2]) != 0)
            return 8;
    }
    return 0;
}
"""

KEPT = """
#include <dlfcn.h>
#include <stdlib.h>

/* PATH FUNCTION BEFORE AFTER: loads, runs a command, the function, and another command. */
int main(int argc, char **argv)
{
    void *library = argc == 5 ? dlopen(argv[1], RTLD_NOW) : NULL;
    void (*function)(void) = library ? (void (*)(void))dlsym(library, argv[2]) : NULL;

    if (!function || system(argv[3]) != 0)
        return 9;
    function();
    return system(argv[4]) != 0;
}
"""

HELPED = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static void (*function)(void);

static int load(void *arguments)
{
    char **argv = arguments;
    void *library = dlopen(argv[1], RTLD_NOW);

    function = library ? (void (*)(void))dlsym(library, argv[2]) : NULL;
    if (argv[4] && argv[4][0] == 'l')
        pause();
    return 0;
}

/* PATH FUNCTION COMMAND [lives | unreaped]: a process that shares the memory loads, and ends or not; then it runs here, and COMMAND. */
int main(int argc, char **argv)
{
    static char stack[1 << 20] __attribute__((aligned(16)));
    siginfo_t ended;
    int child = clone(load, stack + sizeof(stack), CLONE_VM | SIGCHLD, argv);

    while (argc > 4 && !*(void (*volatile *)(void))&function)
        usleep(1000);
    if (argc == 4 || argv[4][0] == 'u')
        waitid(P_PID, child, &ended, WEXITED | (argc == 4 ? 0 : WNOWAIT));
    if (!function)
        return 9;
    function();
    if (system(argv[3]) != 0)
        return 8;
    return kill(child, SIGKILL) < 0 && argc > 4;
}
"""

HELPING = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

static void (*volatile function)(void);
static volatile int is_done;

static int run(void *unused)
{
    prctl(PR_SET_NAME, "child");
    while (!function)
        usleep(1000);
    function();
    is_done = 1;
    return pause();
}

/* PATH FUNCTION COMMAND: loads for a process that shares the memory, which runs it, then runs it itself. */
int main(int argc, char **argv)
{
    static char stack[1 << 20] __attribute__((aligned(16)));
    int child = clone(run, stack + sizeof(stack), CLONE_VM | SIGCHLD, NULL);
    void *library = argc == 4 ? dlopen(argv[1], RTLD_NOW) : NULL;
    int result = 9;

    function = library ? (void (*)(void))dlsym(library, argv[2]) : NULL;
    if (function) {
        while (!is_done)
            usleep(1000);
        function();
        result = system(argv[3]) != 0;
    }
    kill(child, SIGKILL);
    return result;
}
"""

THREADS = (
    "#define _GNU_SOURCE\n#include <pthread.h>\n"
    + SPIN.replace("NAME", "spin_alpha")
    + SPIN.replace("NAME", "spin_beta")
    + """
static void *alpha(void *unused) { pthread_setname_np(pthread_self(), "alpha"); spin_alpha(); return unused; }
static void *beta(void *unused) { pthread_setname_np(pthread_self(), "beta"); spin_beta(); return unused; }

int main(void)
{
    pthread_t threads[2];

    pthread_create(&threads[0], NULL, alpha, NULL);
    pthread_create(&threads[1], NULL, beta, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
"""
)

# A worker that is called after what it works at, three times each.
JOBS = (
    "#include <sys/prctl.h>\n"
    + SPIN.replace("NAME", "spin_index")
    + SPIN.replace("NAME", "spin_query")
    + """
int main(void)
{
    for (int i = 0; i < 3; i++) {
        prctl(PR_SET_NAME, "index");
        spin_index();
        prctl(PR_SET_NAME, "query");
        spin_query();
    }
    prctl(PR_SET_NAME, "idle");
    return 0;
}
"""
)

# As much work between short children as after them, all on one processor.
PARENT = (
    """
#define _GNU_SOURCE
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CHILDREN = 1500, STEPS = 100000 };

__attribute__((noinline)) static void spin_between(unsigned long steps)
"""
    + LOOP.replace("COUNT", "steps")
    + "__attribute__((noinline)) static void spin_after(unsigned long steps)\n"
    + LOOP.replace("COUNT", "steps")
    + """
int main(void)
{
    cpu_set_t here;

    CPU_ZERO(&here);
    CPU_SET(sched_getcpu(), &here);
    sched_setaffinity(0, sizeof(here), &here);
    for (int i = 0; i < CHILDREN; i++) {
        spin_between(STEPS);
        if (fork() == 0)
            _exit(0);
        wait(NULL);
    }
    spin_after(CHILDREN * (unsigned long)STEPS);
    return 0;
}
"""
)

# Of its child's time nobody tells: the system waits for it.
UNHEARD = """
#include <errno.h>
#include <signal.h>
#include <unistd.h>
#include <sys/wait.h>

int main(int argc, char **argv)
{
    (void)argc;
    signal(SIGCHLD, SIG_IGN);
    if (fork() == 0) {
        execv(argv[1], argv + 1);
        _exit(9);
    }
    while (wait(NULL) > 0 || errno != ECHILD)
        ;
    return 0;
}
"""

# The child spins when its parent is gone: the pipe's other end is closed by its end.
ORPHAN = (
    "#include <unistd.h>\n"
    + SPIN.replace("NAME", "spin_orphan")
    + """
int main(void)
{
    int ends[2];
    char byte;

    if (pipe(ends) < 0)
        return 9;
    if (fork() > 0)
        return 5;
    close(ends[1]);
    if (read(ends[0], &byte, 1) != 0)
        return 9;
    spin_orphan();
    return 0;
}
"""
)

BEFORE_EXEC = (
    "#include <unistd.h>\n"
    + SPIN.replace("NAME", "spin_before")
    + """
int main(int argc, char **argv)
{
    (void)argc;
    spin_before();
    execv(argv[1], argv + 1);
    return 9;
}
"""
)

AFTER_EXEC = SPIN.replace("NAME", "spin_after") + "int main(void) { spin_after(); return 0; }\n"

# Is called something else when most of its work is done.
RENAMED = (
    "#include <sys/prctl.h>\n#include <unistd.h>\n#include <sys/wait.h>\n"
    + SPIN.replace("NAME", "spin_before")
    + SPIN.replace("NAME", "spin_after")
    + """
int main(void)
{
    if (fork() == 0) {
        spin_before();
        prctl(PR_SET_NAME, "ending");
        spin_after();
        return 0;
    }
    wait(0);
    return 0;
}
"""
)

# Waits for what a command waits for, and removes itself.
REMOVED = (
    "#include <stdlib.h>\n#include <unistd.h>\n"
    + SPIN.replace("NAME", "spin_lost")
    + "int main(int argc, char **argv) { spin_lost(); return system(argv[argc - 1]) || unlink(argv[0]); }\n"
)

# Runs a copy of a program that is in memory alone.
NAMELESS = """
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    char bytes[65536];
    int from = open(argv[argc - 1], O_RDONLY);
    int to = memfd_create("hidden", 0);

    for (ssize_t count; (count = read(from, bytes, sizeof(bytes))) > 0;)
        if (write(to, bytes, count) != count)
            return 8;
    fexecve(to, argv, environ);
    return 9;
}
"""

CLOCK = """
#include <time.h>

int main(void)
{
    struct timespec now;

    for (int i = 0; i < 6000000; i++)
        clock_gettime(CLOCK_MONOTONIC, &now);
    return 0;
}
"""

# Code made at run time, at one address in both processes, that only the processes can name.
JIT = """
import ctypes, mmap, os

memory = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
code = bytes([0x48, 0xFF, 0xCF, 0x75, 0xFB, 0xC3])  # dec %rdi; jnz; ret
memory.write(code)
address = ctypes.addressof(ctypes.c_char.from_buffer(memory))
spin = ctypes.CFUNCTYPE(None, ctypes.c_ulong)(address)

def tell(name):
    with open(f"/tmp/perf-{os.getpid()}.map", "w") as file:
        file.write(f"{address:x} {len(code):x} {name}\\n")

def work(name):
    tell(name)
    spin(600000000)

child = os.fork()
work("made by the child" if child == 0 else "made by the parent")
if child:
    os.waitpid(child, 0)
    print(os.getpid(), child)
"""

# Each thread ends before its first sample is due.
SHORT_THREADS = """
#include <pthread.h>
#include <time.h>
static void *work(void *unused)
{
    struct timespec now;
    (void)unused;
    do {
        for (volatile int i = 0; i < 2000; i++)
            ;
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    } while (now.tv_nsec < 400000);
    return 0;
}
int main(void)
{
    for (int i = 0; i < 2400; i++) {
        pthread_t thread;
        pthread_create(&thread, 0, work, 0);
        pthread_join(thread, 0);
    }
    return 0;
}
"""

# Each thread has four faults: its memory is taken before it starts.
FEW_FAULTS = """
#include <pthread.h>
#include <sys/mman.h>
static void *work(void *memory)
{
    for (int page = 0; page < 4; page++)
        ((volatile char *)memory)[page * 4096] = 1;
    return 0;
}
int main(void)
{
    char *memory = mmap(0, 1000 * 16384, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    madvise(memory, 1000 * 16384, MADV_NOHUGEPAGE);
    for (int i = 0; i < 1000; i++) {
        pthread_t thread;
        pthread_create(&thread, 0, work, memory + i * 16384);
        pthread_join(thread, 0);
    }
    return 0;
}
"""
