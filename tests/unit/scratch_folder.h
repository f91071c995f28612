/* A folder of its own for each test, and files in it. */
#ifndef TESTS_SCRATCH_FOLDER_H
#define TESTS_SCRATCH_FOLDER_H

#include "cmocka_all.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/remove.h"

/* It is the working folder while the test runs. */
struct fixture {
    char folder[64];
    int before; /* the working folder before */
};

static inline int enter_folder(void **state)
{
    struct fixture *f = calloc(1, sizeof(*f));

    strcpy(f->folder, "/tmp/test_file.XXXXXX");
    f->before = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    *state = f;
    return f->before < 0 || !mkdtemp(f->folder) || chdir(f->folder) < 0;
}

static inline int leave_folder(void **state)
{
    struct fixture *f = *state;
    struct error err = {0};
    int failed = fchdir(f->before) < 0 || remove_all(f->folder, NULL, &err) < 0;

    close(f->before);
    free(f);
    return failed;
}

/* Whether the working folder holds `name` and nothing else. */
static inline bool holds_only(const char *name)
{
    DIR *folder = opendir(".");
    struct dirent *entry = NULL;
    int named = 0;
    int others = 0;

    while ((entry = readdir(folder)))
        if (strcmp(entry->d_name, name) == 0)
            named++;
        else if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            others++;
    closedir(folder);
    return named == 1 && others == 0;
}

static inline void write_file(const char *path, const char *content)
{
    FILE *file = fopen(path, "we");

    assert_non_null(file);
    assert_true(fputs(content, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static inline void assert_content(const char *path, const char *expected)
{
    SCOPED(text_done) struct text content = {0};
    struct error err = {0};

    assert_int_equal(file_read(path, 1000000, &content, &err), 0);
    assert_string_equal(text_string(&content), expected);
}

#endif
