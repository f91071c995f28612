/* Enters the folder argv[1] as its new root, by chroot(2) or, with a second argument, pivot_root(2), and
 * works. */
#define _GNU_SOURCE
#include <sched.h>
#include <stddef.h>
#include <sys/mount.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static volatile unsigned sum;

__attribute__((noinline)) static void confined_work(void)
{
    while (clock() < CLOCKS_PER_SEC / 2)
        for (unsigned i = 0; i < 100000; i++)
            sum += i;
}

static int pivot(const char *folder)
{
    if (unshare(CLONE_NEWNS) < 0 || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 ||
        mount("none", folder, "tmpfs", 0, NULL) < 0 || chdir(folder) < 0)
        return -1;
    return syscall(SYS_pivot_root, ".", ".") < 0 ? -1 : umount2(".", MNT_DETACH);
}

int main(int argc, char **argv)
{
    if ((argc > 2 ? pivot(argv[1]) : chroot(argv[1])) < 0 || chdir("/") < 0)
        return 1;
    confined_work();
    return 0;
}
