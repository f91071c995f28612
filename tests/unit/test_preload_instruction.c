#include "cmocka_all.h"

#include <link.h>
#include <stdbool.h>
#include <string.h>

#include "base/compiler.h"
#include "base/slice.h"
#include "code/zydis.h"
#include "preload/linked/instruction.h"

static void assert_length(const char *bytes, size_t size, unsigned length, enum instruction_relative relative)
{
    struct instruction found = instruction_read((const uint8_t *)bytes, size);

    assert_int_equal(found.length, length);
    assert_int_equal(found.relative, relative);
}

static void assert_placeless(struct slice bytes)
{
    assert_length(bytes.data, bytes.length, (unsigned)bytes.length, INSTRUCTION_PLACELESS);
}

static void assert_unknown(struct slice bytes)
{
    assert_length(bytes.data, bytes.length, 0, INSTRUCTION_PLACELESS);
}

static void instructions_are_as_long_as_their_parts(void **state)
{
    static const struct slice whole[] = {
        SLICE("\x55"),                           /* push rbp */
        SLICE("\x48\x89\xe5"),                   /* mov rbp, rsp */
        SLICE("\x48\x81\xff\0\x10\0\0"),         /* cmp rdi, 0x1000 */
        SLICE("\x66\x81\xff\0\x10"),             /* cmp di, 0x1000 */
        SLICE("\xf3\x0f\x1e\xfa"),               /* endbr64 */
        SLICE("\x64\x48\x8b\x04\x25\x28\0\0\0"), /* mov rax, fs:0x28 */
        SLICE("\x48\xb8\1\2\3\4\5\6\7\x08"),     /* movabs rax, ... */
        SLICE("\xf6\x07\1"),                     /* test byte [rdi], 1 */
        SLICE("\xf7\xc7\1\0\0\0"),               /* test edi, 1 */
        SLICE("\xf7\xdf"),                       /* neg edi */
        SLICE("\xc8\x10\0\0"),                   /* enter 16, 0 */
        SLICE("\x62\xf1\x7c\x48\x10\x47\1"),     /* vmovups zmm0, [rdi + 64] */
        SLICE("\xc5\xf8\x77"),                   /* vzeroupper */
        SLICE("\xc4\xe3\x79\x0f\xc1\4"),         /* vpalignr xmm0, xmm0, xmm1, 4 */
        SLICE("\x66\x0f\x3a\x0f\xc1\4"),         /* palignr xmm0, xmm1, 4 */
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(whole); i++) {
        assert_placeless(whole[i]);
        assert_unknown((struct slice){whole[i].data, whole[i].length - 1});
    }
}

static void what_is_told_from_where_it_stands_is_found(void **state)
{
    static const uint8_t load[] = {0x48, 0x8b, 0x05, 0x10, 0, 0, 0};
    static const uint8_t loop[] = {0x75, 0xfe};
    struct instruction found = instruction_read(load, sizeof(load));

    (void)state;
    assert_int_equal(found.relative, INSTRUCTION_DATA);
    assert_int_equal(found.distance_at, 3);
    assert_int_equal(instruction_distance(&found, load), 16);
    found = instruction_read(loop, sizeof(loop));
    assert_int_equal(found.relative, INSTRUCTION_SHORT_JUMP);
    assert_int_equal(instruction_distance(&found, loop), -2);
    assert_length("\xe8\0\0\0\0", 5, 5, INSTRUCTION_CALL);
    assert_length("\xe9\0\0\0\0", 5, 5, INSTRUCTION_JUMP);
    assert_length("\x0f\x84\0\0\0\0", 6, 6, INSTRUCTION_JUMP);
    assert_length("\xeb\0", 2, 2, INSTRUCTION_SHORT_JUMP);
    assert_length("\x48\x8b\x04\x25\0\0\0\0", 8, 8, INSTRUCTION_PLACELESS); /* [disp32], not of rip */
}

static void what_is_no_instruction_or_a_rare_one_is_unknown(void **state)
{
    static const struct slice unknown[] = {
        SLICE(""),
        SLICE("\x06"),                     /* push es */
        SLICE("\x48\x48\x89\xe5"),         /* two REX prefixes */
        SLICE("\x66\xe9\0\0\0\0"),         /* as long as the maker has it */
        SLICE("\xc7\xf8\0\0\0\0"),         /* xbegin */
        SLICE("\x8f\xe8\x78\x97\xd1\x20"), /* XOP */
        SLICE("\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x90"), /* 16 bytes */
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(unknown); i++)
        assert_unknown(unknown[i]);
}

/* --- Beside another decoder ---------------------------------------------------------------------------- */

struct comparison {
    ZydisDecoder decoder;
    size_t equal_count;
    size_t relative_count;
    size_t unknown_count;
};

static void compare_at(struct comparison *comparison, const uint8_t *code, size_t size,
                       const ZydisDecodedInstruction *theirs)
{
    struct instruction ours = instruction_read(code, size);
    bool is_relative = theirs->attributes & ZYDIS_ATTRIB_IS_RELATIVE;

    if (ours.length == 0) {
        comparison->unknown_count++;
        return;
    }
    assert_int_equal(ours.length, theirs->length);
    assert_int_equal(ours.relative != INSTRUCTION_PLACELESS, is_relative);
    comparison->equal_count++;
    comparison->relative_count += is_relative;
    if (is_relative)
        assert_int_equal(instruction_distance(&ours, code),
                         theirs->raw.disp.size ? theirs->raw.disp.value : theirs->raw.imm[0].value.s);
}

static int compare_code(struct dl_phdr_info *object, size_t size, void *data)
{
    enum { MOST_BYTES = 1 << 20 };
    struct comparison *comparison = data;

    (void)size;
    for (size_t i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
        uintptr_t start = object->dlpi_addr + segment->p_vaddr;
        const uint8_t *code = NULL;
        size_t length = segment->p_memsz < MOST_BYTES ? segment->p_memsz : MOST_BYTES;
        ZydisDecodedInstruction theirs;

        if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_X) || object->dlpi_name[0] == '[')
            continue;
        memcpy(&code, &start, sizeof(start));
        for (size_t at = 0; at < length;) {
            struct slice rest = {(const char *)code + at, length - at};

            if (!zydis_read_info(&comparison->decoder, rest, &theirs)) {
                at++;
                continue;
            }
            compare_at(comparison, code + at, length - at, &theirs);
            at += theirs.length;
        }
    }
    return 0;
}

/* Of all libraries that this program has. */
static void all_lengths_of_real_code_are_those_of_zydis(void **state)
{
    struct comparison comparison = {.equal_count = 0};
    struct error err = {0};

    (void)state;
    assert_int_equal(zydis_load(&err), 0);
    comparison.decoder = zydis_decoder();
    dl_iterate_phdr(compare_code, &comparison);
    assert_in_range(comparison.equal_count, 100000, SIZE_MAX);
    assert_in_range(comparison.relative_count, 10000, SIZE_MAX);
    assert_in_range(comparison.unknown_count, 0, comparison.equal_count / 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(instructions_are_as_long_as_their_parts),
        cmocka_unit_test(what_is_told_from_where_it_stands_is_found),
        cmocka_unit_test(what_is_no_instruction_or_a_rare_one_is_unknown),
#if defined(__x86_64__)
        cmocka_unit_test(all_lengths_of_real_code_are_those_of_zydis),
#endif
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
