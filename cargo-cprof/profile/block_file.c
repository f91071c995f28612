#include "profile/block_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"

struct block_file {
    int descriptor;
    int failure; /* the errno; 0 while all is well */
    uint64_t length;
};

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

int block_file_open(const char *const *folders, struct block_file **out, struct error *err)
{
    int descriptor = -1;

    for (; *folders && descriptor < 0; folders++) {
        descriptor = open_in(*folders);
        if (descriptor < 0)
            (void)error_set(err, ERROR_IO, "make a file in %s: %s", *folders, strerror(errno));
    }
    if (descriptor < 0)
        return -1;
    *out = memory_new(1, sizeof(**out));
    (*out)->descriptor = descriptor;
    return 0;
}

void block_file_close(struct block_file *file)
{
    if (!file)
        return;
    file_close_descriptor(&file->descriptor);
    free(file);
}

bool block_file_add(struct block_file *file, struct slice bytes, uint64_t *offset)
{
    size_t at = 0;

    while (at < bytes.length && !file->failure) {
        ssize_t written =
            pwrite(file->descriptor, bytes.data + at, bytes.length - at, (off_t)(file->length + at));

        if (written > 0)
            at += (size_t)written;
        else if (written == 0 || errno != EINTR)
            file->failure = written == 0 ? ENOSPC : errno;
    }
    if (file->failure)
        return false;
    *offset = file->length;
    file->length += bytes.length;
    return true;
}

bool block_file_read(const struct block_file *file, uint64_t offset, size_t length, struct text *out)
{
    const size_t before = out->length;
    char *room = text_extend(out, length);
    size_t at = 0;

    while (at < length) {
        ssize_t got = pread(file->descriptor, room + at, length - at, (off_t)(offset + at));

        if (got > 0)
            at += (size_t)got;
        else if (got == 0 || errno != EINTR)
            break;
    }
    if (at < length)
        out->length = before;
    return at == length;
}

const char *block_file_failure(const struct block_file *file)
{
    return file->failure ? strerror(file->failure) : NULL;
}
