#include "base/unnamed_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"

/* Not every file system knows files without a name: one may lose its name at once. -1 with errno. */
static int open_in(const char *folder)
{
    SCOPED(text_done) struct text path = {0};
    int descriptor = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

    if (descriptor >= 0)
        return descriptor;
    text_format(&path, "%s/.cprof.XXXXXX", folder);
    text_string(&path);
    descriptor = mkostemp(path.data, O_CLOEXEC);
    if (descriptor >= 0)
        unlink(path.data);
    return descriptor;
}

int unnamed_file_open(const char *const *folders, int *out, struct error *err)
{
    struct error last = {0};

    for (; *folders; folders++) {
        int descriptor = open_in(*folders);

        if (descriptor >= 0) {
            *out = descriptor;
            return 0;
        }
        (void)error_set(&last, ERROR_IO, "make a file in %s: %s", *folders, strerror(errno));
    }
    *err = last;
    return -1;
}

int unnamed_file_open_temporary(int *out, struct error *err)
{
    const char *chosen = getenv("TMPDIR");
    const char *const folders[] = {chosen, "/var/tmp", "/tmp", NULL};

    return unnamed_file_open(chosen && chosen[0] ? folders : folders + 1, out, err);
}
