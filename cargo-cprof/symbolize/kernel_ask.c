#include "symbolize/kernel_ask.h"

#include <linux/bpf.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/compiler.h"
#include "base/file.h"
#include "base/scan.h"

/* What we and the program in the kernel share. */
struct exchange {
    uint64_t avma;
    char answer[1016]; /* names have up to 511 bytes */
};

/* The descriptors are -1 and `exchange` NULL until they are there. */
struct inquiry {
    int format_map;   /* one item: the format, which has to be where nobody writes */
    int exchange_map; /* one item: `exchange` */
    int program;
    struct exchange *exchange;
};

static int call_bpf(enum bpf_cmd command, union bpf_attr *attributes)
{
    return (int)syscall(SYS_bpf, command, attributes, sizeof(*attributes));
}

static uint64_t address_of(const void *pointer)
{
    return (uintptr_t)pointer;
}

/* A map of one item; its descriptor or -1. */
static int new_map(uint32_t bytes, uint32_t flags)
{
    union bpf_attr attributes;

    memset(&attributes, 0, sizeof(attributes));
    attributes.map_type = BPF_MAP_TYPE_ARRAY;
    attributes.key_size = sizeof(uint32_t);
    attributes.value_size = bytes;
    attributes.max_entries = 1;
    attributes.map_flags = flags;
    return call_bpf(BPF_MAP_CREATE, &attributes);
}

/* Puts the format into its map and closes that to writers, as formats have to be. */
static bool fill_format_map(int map)
{
    static const char format[8] = "%pS";
    const uint32_t first = 0;
    union bpf_attr attributes;

    memset(&attributes, 0, sizeof(attributes));
    attributes.map_fd = (uint32_t)map;
    attributes.key = address_of(&first);
    attributes.value = address_of(format);
    if (call_bpf(BPF_MAP_UPDATE_ELEM, &attributes) < 0)
        return false;
    memset(&attributes, 0, sizeof(attributes));
    attributes.map_fd = (uint32_t)map;
    return call_bpf(BPF_MAP_FREEZE, &attributes) == 0;
}

/* return bpf_snprintf(exchange->answer, sizeof(exchange->answer), "%pS", &exchange->avma, 8); */
static int load_program(const struct inquiry *inquiry)
{
    /* BPF_IMM and BPF_K, for numbers in the code itself, are 0. */
    enum { SET = BPF_ALU64 | BPF_MOV, SET_ADDRESS = BPF_LD | BPF_DW, ADD = BPF_ALU64 | BPF_ADD };
    const struct bpf_insn code[] = {
        {SET_ADDRESS, BPF_REG_4, BPF_PSEUDO_MAP_VALUE, 0, inquiry->exchange_map},
        {0},
        {SET | BPF_X, BPF_REG_1, BPF_REG_4, 0, 0},
        {ADD, BPF_REG_1, 0, 0, offsetof(struct exchange, answer)},
        {SET, BPF_REG_2, 0, 0, sizeof(inquiry->exchange->answer)},
        {SET_ADDRESS, BPF_REG_3, BPF_PSEUDO_MAP_VALUE, 0, inquiry->format_map},
        {0},
        {SET, BPF_REG_5, 0, 0, sizeof(inquiry->exchange->avma)},
        {BPF_JMP | BPF_CALL, 0, 0, 0, BPF_FUNC_snprintf},
        {BPF_JMP | BPF_EXIT, 0, 0, 0, 0},
    };
    union bpf_attr attributes;

    memset(&attributes, 0, sizeof(attributes));
    attributes.prog_type = BPF_PROG_TYPE_SYSCALL;
    attributes.prog_flags = BPF_F_SLEEPABLE;
    attributes.insns = address_of(code);
    attributes.insn_cnt = ARRAY_COUNT(code);
    attributes.license = address_of("Dual MIT/GPL");
    return call_bpf(BPF_PROG_LOAD, &attributes);
}

static bool open_inquiry(struct inquiry *inquiry)
{
    void *shared = NULL;

    inquiry->format_map = new_map(8, BPF_F_RDONLY_PROG);
    if (inquiry->format_map < 0 || !fill_format_map(inquiry->format_map))
        return false;
    inquiry->exchange_map = new_map(sizeof(struct exchange), BPF_F_MMAPABLE);
    if (inquiry->exchange_map < 0)
        return false;
    shared =
        mmap(NULL, sizeof(struct exchange), PROT_READ | PROT_WRITE, MAP_SHARED, inquiry->exchange_map, 0);
    if (shared == MAP_FAILED)
        return false;
    inquiry->exchange = shared;
    inquiry->program = load_program(inquiry);
    return inquiry->program >= 0;
}

static void close_inquiry(struct inquiry *inquiry)
{
    if (inquiry->exchange)
        munmap(inquiry->exchange, sizeof(*inquiry->exchange));
    file_close_descriptor(&inquiry->program);
    file_close_descriptor(&inquiry->exchange_map);
    file_close_descriptor(&inquiry->format_map);
}

bool kernel_answer_parse(struct slice answer, uint64_t avma, struct kernel_symbol *out)
{
    size_t plus = slice_find_last_byte(answer, '+');
    struct scan scan = scan_of(slice_range(answer, plus, answer.length));
    struct kernel_symbol symbol = {.name = slice_range(answer, 0, plus)};
    uint64_t offset = 0;
    uint64_t size = 0;

    if (symbol.name.length == 0 || !scan_text(&scan, "+0x") || !scan_hex(&scan, &offset) ||
        !scan_text(&scan, "/0x") || !scan_hex(&scan, &size) || offset >= avma)
        return false;
    if (scan_byte(&scan, ' ') && !scan_word(&scan, &symbol.module))
        return false;
    symbol.avma = avma - offset;
    if (!scan_at_end(&scan))
        return false;
    *out = symbol;
    return true;
}

/* Asks for one; its name is copied. */
static bool ask(const struct inquiry *inquiry, uint64_t avma, struct arena *arena, struct kernel_symbol *out)
{
    const struct exchange *exchange = inquiry->exchange;
    union bpf_attr attributes;
    struct slice answer = {exchange->answer, 0};

    memset(&attributes, 0, sizeof(attributes));
    attributes.test.prog_fd = (uint32_t)inquiry->program;
    inquiry->exchange->avma = avma;
    if (call_bpf(BPF_PROG_TEST_RUN, &attributes) < 0)
        return false;
    /* What bpf_snprintf returns counts the NUL at the end. */
    if (attributes.test.retval == 0 || attributes.test.retval > sizeof(exchange->answer))
        return false;
    answer.length = attributes.test.retval - 1;
    answer.data = arena_copy(arena, answer);
    return kernel_answer_parse(answer, avma, out);
}

bool kernel_ask(const uint64_t *avmas, size_t count, struct arena *arena, struct kernel_symbol *out)
{
    SCOPED(close_inquiry) struct inquiry inquiry = {-1, -1, -1, NULL};
    size_t known = 0;

    for (size_t i = 0; i < count; i++)
        out[i] = (struct kernel_symbol){0};
    if (!open_inquiry(&inquiry))
        return false;
    while (known < count && ask(&inquiry, avmas[known], arena, &out[known]))
        known++;
    return known == count;
}
