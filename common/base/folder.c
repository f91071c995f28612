#include "base/folder.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "base/text.h"

static int fail(const char *path, int cause, struct error *err)
{
    return error_set(err, ERROR_IO, "make the folder %s: %s", path, strerror(cause));
}

int folder_make(const char *path, struct error *err)
{
    SCOPED(text_done) struct text part = {0};
    struct stat about;

    for (const char *at = path; *at; at++) {
        text_add_byte(&part, *at);
        if ((at[1] == '/' || at[1] == '\0') && mkdir(text_string(&part), 0777) < 0 && errno != EEXIST)
            return fail(text_string(&part), errno, err);
    }
    if (stat(path, &about) == 0 && !S_ISDIR(about.st_mode))
        return fail(path, ENOTDIR, err);
    return 0;
}

void folder_close(DIR **folder)
{
    if (*folder)
        closedir(*folder);
}
