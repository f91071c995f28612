/* A counts file of any content, as it is and with the header and the hash that let it pass further. */
#include <stdlib.h>

#include "base/text.h"
#include "counts.h"

static void see(void *context, struct slice symbol, uint64_t lines)
{
    uint64_t *sum = context;

    for (size_t i = 0; i < symbol.length; i++)
        *sum += (unsigned char)symbol.data[i] + (lines & 1);
}

static void add_hash(struct text *content)
{
    uint64_t hash = 0xcbf29ce484222325U;

    for (size_t i = 0; i < content->length; i++)
        hash = (hash ^ (unsigned char)content->data[i]) * 0x100000001b3U;
    for (int i = 0; i < 8; i++)
        text_add_byte(content, (char)(hash >> (8 * i)));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    SCOPED(text_done) struct text content = {0};
    struct slice input = {(const char *)data, size};
    struct error err = {0};
    uint64_t sum = 0;

    if (counts_parse(input, "input", SLICE("a"), see, &sum, &err) < 0 && err.kind != ERROR_FORMAT)
        abort();
    text_add_string(&content, "cargo-llvmlines counts 1\n\001a");
    text_add(&content, input);
    add_hash(&content);
    if (counts_parse(text_slice(&content), "input", SLICE("a"), see, &sum, &err) < 0 &&
        err.kind != ERROR_FORMAT)
        abort();
    return 0;
}
