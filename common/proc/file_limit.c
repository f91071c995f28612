#include "proc/file_limit.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

bool file_limit_raise(void)
{
    struct rlimit limit;
    rlim_t before = 0;

    if (getrlimit(RLIMIT_NOFILE, &limit) < 0)
        return false;
    before = limit.rlim_cur;
    limit.rlim_cur = limit.rlim_max;
    if (before < limit.rlim_max)
        return setrlimit(RLIMIT_NOFILE, &limit) == 0;
    limit.rlim_max *= 2;
    limit.rlim_cur = limit.rlim_max;
    return setrlimit(RLIMIT_NOFILE, &limit) == 0;
}

bool file_limit_is_reached(void)
{
    int descriptor = open("/", O_PATH | O_CLOEXEC);

    if (descriptor < 0)
        return errno == EMFILE;
    close(descriptor);
    return false;
}
