/* A counts file of any content, as it is and with the header and the hash that let it pass further. */
#include <stdlib.h>

#include "base/text.h"
#include "counts/counts.h"

/* What can be read can be written, and is the same then. */
static void check(struct slice content)
{
    SCOPED(unit_counts_done) struct unit_counts counts = {0};
    SCOPED(unit_counts_done) struct unit_counts again = {0};
    SCOPED(text_done) struct text written = {0};
    struct error err = {0};

    if (counts_decode(content, "input", SLICE("a"), &counts, &err) < 0) {
        if (err.kind != ERROR_FORMAT)
            abort();
        return;
    }
    counts_encode(&counts, &written);
    if (counts_decode(text_slice(&written), "again", SLICE("a"), &again, &err) < 0 ||
        again.nodes.count != counts.nodes.count || again.uses.count != counts.uses.count ||
        again.symbols.count != counts.symbols.count ||
        unit_counts_lines(&again) != unit_counts_lines(&counts))
        abort();
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

    check(input);
    text_add(&content, SLICE("cargo-llvmlines counts 3\n\001a\0\0\0\0\0\0\0\0"));
    text_add(&content, input);
    add_hash(&content);
    check(text_slice(&content));
    return 0;
}
