#include "process/machine_code/made.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "process/machine_code/return_rule.h"
#include "process/remote.h"

void made_code_done(struct made_code *made)
{
    free(made->rules);
    free(made->pages);
    *made = (struct made_code){0};
}

static bool open_reader(struct made_code *made)
{
#ifdef __x86_64__
    struct error unread = {0};

    if (!made->is_open && !made->is_absent)
        made->is_open = x86_64_load(&made->reader, &unread) == 0;
#endif
    made->is_absent = !made->is_open;
    return made->is_open;
}

/* Fibonacci hashing, as of unwind/rule_cache.c. */
static size_t place_of(uint64_t avma, uint32_t pid, unsigned bits)
{
    return (size_t)((avma + ((uint64_t)pid << 48)) * UINT64_C(0x9e3779b97f4a7c15) >> (64 - bits));
}

/* As it is by now; where that cannot be read, as it was last. NULL: that is not known. Until the next call.
 */
static const struct made_page *read_page(struct made_code *made, uint32_t pid, uint64_t page_avma)
{
    struct made_page *page = &made->pages[place_of(page_avma, pid, MADE_CODE_PAGE_BITS)];
    char bytes[MADE_CODE_PAGE_BYTES];

    if (remote_read(pid, page_avma, sizeof(bytes), bytes) == sizeof(bytes)) {
        *page = (struct made_page){.avma = page_avma, .pid = pid};
        memcpy(page->bytes, bytes, sizeof(bytes));
    }
    return page->pid == pid && page->avma == page_avma ? page : NULL;
}

/* Code around an address, as far as it can be read. */
struct around {
    char bytes[RETURN_PATH_MOST_BYTES];
    struct code_bytes code;
};

static uint64_t page_of(uint64_t avma)
{
    return avma - avma % MADE_CODE_PAGE_BYTES;
}

/* The page of the address, one before and those behind that there is room for. */
static void read_around(struct made_code *made, uint32_t pid, const struct mapping *mapping, uint64_t avma,
                        struct around *out)
{
    uint64_t own = page_of(avma);
    uint64_t start = own > mapping->start_avma ? own - MADE_CODE_PAGE_BYTES : own;
    uint64_t at = start;
    const struct made_page *page = NULL;

    for (; at < mapping->end_avma && at - start < sizeof(out->bytes); at += MADE_CODE_PAGE_BYTES) {
        page = read_page(made, pid, at);
        if (!page && at >= own)
            break;
        if (!page)
            start = own;
        else
            memcpy(out->bytes + (at - start), page->bytes, sizeof(page->bytes));
    }
    out->code = (struct code_bytes){{out->bytes, at - start}, start};
}

static struct cfi_row read_row(struct made_code *made, uint32_t pid, const struct mapping *mapping,
                               uint64_t avma)
{
    struct around around;
    struct cfi_row row = {0};

    read_around(made, pid, mapping, avma, &around);
    return_rule_find(&made->reader, &around.code, avma, &row);
    return row;
}

/* What the code is at the address, as far as its page goes. False where that is not known. */
static bool read_mark(struct made_code *made, uint32_t pid, uint64_t avma, char mark[MADE_CODE_MARK_BYTES])
{
    const struct made_page *page = read_page(made, pid, page_of(avma));
    size_t offset = avma % MADE_CODE_PAGE_BYTES;
    size_t length = MADE_CODE_PAGE_BYTES - offset;

    memset(mark, 0, MADE_CODE_MARK_BYTES);
    if (page)
        memcpy(mark, page->bytes + offset, length < MADE_CODE_MARK_BYTES ? length : MADE_CODE_MARK_BYTES);
    return page != NULL;
}

static void make_room(struct made_code *made)
{
    if (made->rules)
        return;
    made->rules = memory_new(1 << MADE_CODE_RULE_BITS, sizeof(*made->rules));
    made->pages = memory_new(1 << MADE_CODE_PAGE_BITS, sizeof(*made->pages));
}

const struct cfi_row *made_code_rule(struct made_code *made, const struct process_space *process,
                                     const struct mapping *mapping, uint64_t avma)
{
    uint32_t pid = process->pid;
    char mark[MADE_CODE_MARK_BYTES];
    struct made_rule *rule = NULL;

    if (process->is_past || process->is_denied || !open_reader(made))
        return NULL;
    make_room(made);
    if (!read_mark(made, pid, avma, mark))
        return NULL;
    rule = &made->rules[place_of(avma, pid, MADE_CODE_RULE_BITS)];
    if (rule->avma != avma || rule->pid != pid || memcmp(rule->mark, mark, sizeof(mark)) != 0) {
        *rule = (struct made_rule){.avma = avma, .pid = pid, .row = read_row(made, pid, mapping, avma)};
        memcpy(rule->mark, mark, sizeof(mark));
    }
    return rule->row.cfa_rule == CFI_CFA_NONE ? NULL : &rule->row;
}
