#include "process/pid_namespace.h"

#include <sys/stat.h>

bool pid_namespace_is_first(void)
{
    const ino_t first = 0xEFFFFFFC; /* PID_NS_INIT_INO of newer linux/nsfs.h, and of kernels before it */
    struct stat ours;

    return stat("/proc/self/ns/pid", &ours) < 0 || ours.st_ino == first;
}
