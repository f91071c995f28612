#include "rust/cxx.h"

#include <libiberty/demangle.h>
#include <setjmp.h>

/*
 * Bytes of a name, mangled: libiberty refuses those of more than 2048 components, and
 * copies of it on the stack must fit. Bytes demangled: substitutions double with each level.
 */
enum { NAME_MAX_BYTES = 16384, DEMANGLED_MAX_BYTES = 1000000 };

struct sink {
    struct text *text;
    size_t start; /* length of the text before */
    jmp_buf too_long;
};

static void take_piece(const char *piece, size_t length, void *opaque)
{
    struct sink *sink = opaque;

    /* The callback form of the demangler owns no memory, so leaving it half way loses none. */
    if (sink->text->length - sink->start + length > DEMANGLED_MAX_BYTES)
        longjmp(sink->too_long, 1); // NOLINT(cert-err52-cpp)
    text_add(sink->text, (struct slice){piece, length});
}

bool cxx_demangle(struct text *text, struct slice name)
{
    char terminated[NAME_MAX_BYTES + 1];
    struct sink sink = {.text = text, .start = text->length};

    if (name.length == 0 || name.length > NAME_MAX_BYTES)
        return false;
    for (size_t i = 0; i < name.length; i++)
        terminated[i] = name.data[i];
    terminated[name.length] = '\0';
    if (setjmp(sink.too_long) == 0 &&
        cplus_demangle_v3_callback(terminated, DMGL_PARAMS | DMGL_ANSI, take_piece, &sink))
        return true;
    text->length = sink.start;
    return false;
}
