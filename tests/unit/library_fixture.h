/* Libraries of one object, as rustc and ar write them. */
#ifndef TESTS_LIBRARY_FIXTURE_H
#define TESTS_LIBRARY_FIXTURE_H

#include <string.h>

#include "base/text.h"
#include "memory_file.h"

static inline void library_add_be32(struct text *text, uint32_t number)
{
    for (int shift = 24; shift >= 0; shift -= 8)
        text_add_byte(text, (char)(number >> shift));
}

/* The library's index says that its only object, of any name, defines the symbol; `content` is its bytes. */
static inline struct memory_file library_of(const char *member, const char *symbol, const char *content)
{
    enum { MAGIC = 8, HEADER = 60 };
    SCOPED(text_done) struct text text = {0};
    uint32_t index_bytes = (uint32_t)(4 + 4 + strlen(symbol) + 1 + 1) & ~1U;
    uint32_t names_bytes = (uint32_t)(strlen(member) + 2 + 1) & ~1U;
    uint32_t object = MAGIC + HEADER + index_bytes + HEADER + names_bytes;

    text_format(&text, "!<arch>\n%-16s%-32s%-10u`\n", "/", "0", index_bytes);
    library_add_be32(&text, 1);
    library_add_be32(&text, object);
    text_add_string(&text, symbol);
    text_add_repeated(&text, '\0', MAGIC + HEADER + index_bytes - text.length);
    text_format(&text, "%-16s%-32s%-10u`\n%s/\n", "//", "", names_bytes, member);
    text_add_repeated(&text, '\n', object - text.length);
    text_format(&text, "%-16s%-32s%-10zu`\n%s", "/0", "0", strlen(content), content);
    return memory_file_new(text_slice(&text));
}

#endif
