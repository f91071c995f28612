#include "proc/pid_namespace.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

bool pid_namespace_is_first(void)
{
    const ino_t first = 0xEFFFFFFC; /* PID_NS_INIT_INO of newer linux/nsfs.h, and of kernels before it */
    struct stat ours;

    return stat("/proc/self/ns/pid", &ours) < 0 || ours.st_ino == first;
}

pid_t pid_namespace_number_in_proc(void)
{
    char number[sizeof("4294967295")] = "";

    return readlink("/proc/self", number, sizeof(number) - 1) < 0 ? 0 : (pid_t)strtol(number, NULL, 10);
}

bool pid_namespace_has_proc(void)
{
    return pid_namespace_number_in_proc() == getpid();
}
