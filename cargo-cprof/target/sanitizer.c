#include "target/sanitizer.h"

#include <string.h>

#include "base/compiler.h"
#include "elf/image.h"

static const struct {
    const char *library;
    const char *name;
} sanitizers[] = {
    {"libasan.so", "address"},
    {"libhwasan.so", "hwaddress"},
    {"liblsan.so", "leak"},
    {"libtsan.so", "thread"},
};

/* Names of libraries are in .dynstr, each behind the end of another one. */
static const char *sanitizer_in(struct slice names)
{
    for (size_t i = 0; i < ARRAY_COUNT(sanitizers); i++) {
        struct slice library = {sanitizers[i].library, strlen(sanitizers[i].library)};
        size_t at = slice_find(names, library);

        if (at > 0 && at < names.length && names.data[at - 1] == '\0')
            return sanitizers[i].name;
    }
    return NULL;
}

int sanitizer_check(const char *program, struct error *err)
{
    SCOPED(image_close) struct image image = {0};
    const struct section *section = NULL;
    const char *name = NULL;
    struct slice names = {0};
    struct error unread = {0};

    if (!strchr(program, '/') || image_open(program, &image, &unread) < 0)
        return 0;
    section = sections_find(&image.sections, SLICE(".dynstr"));
    if (!section || image_read_section(&image, section, &names, &unread) < 0)
        return 0;
    name = sanitizer_in(names);
    if (!name)
        return 0;
    error_hint(err, "build it without -fsanitize=%s to see its memory", name);
    return error_set(err, ERROR_USAGE,
                     "%s: the sanitizer that it is linked with does not start behind the library that tells "
                     "of memory",
                     program);
}
