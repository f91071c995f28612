/* A file without a name, for code that opens paths. */
#ifndef TESTS_MEMORY_FILE_H
#define TESTS_MEMORY_FILE_H

#include "cmocka_all.h"

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/file.h"

struct memory_file {
    int descriptor;
    char path[32];
};

static inline struct memory_file memory_file_new(struct slice content)
{
    struct memory_file file = {.descriptor = memfd_create("test", MFD_CLOEXEC)};

    assert_true(file.descriptor >= 0);
    assert_int_equal(file_write(file.descriptor, content), 0);
    snprintf(file.path, sizeof(file.path), "/proc/self/fd/%d", file.descriptor);
    return file;
}

static inline void memory_file_done(struct memory_file *file)
{
    close(file->descriptor);
}

#endif
