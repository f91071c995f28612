#include <elf.h>

#include "cmocka_all.h"

#include "account/account.h"
#include "elf/link_alone.h"

/* Every function of data.s is of one of three groups. */
enum { APP, OTHER, START, GROUPS };

struct fixture {
    struct image image;
    struct symbols symbols;
    struct code_map code;
    struct references references;
    struct data_map data;
    struct account account;
    uint32_t group_of[16];
    uint32_t group_of_symbol[16];
    struct data_groups groups;
    struct error err;
};

static uint32_t group_of_name(struct slice name)
{
    if (slice_find(name, SLICE("other")) < name.length)
        return OTHER;
    return slice_is(name, "_start") ? START : APP;
}

static uint32_t group_of_unit(void *context, struct slice unit)
{
    (void)context;
    (void)unit;
    return OWNER_NONE;
}

static void find_groups(struct fixture *f)
{
    for (size_t i = 0; i < f->code.functions.count; i++)
        f->group_of[i] = group_of_name(f->code.functions.items[i].names[0]->name);
    f->group_of[f->code.functions.count] = START;
    for (size_t i = 0; i < f->data.symbols.functions.count; i++)
        f->group_of_symbol[i] = group_of_name(f->data.symbols.functions.items[i].names[0]->name);
    f->groups =
        (struct data_groups){{f->group_of, (uint32_t)f->code.functions.count + 1}, f->group_of_symbol};
}

static void measure(struct fixture *f, const char *path)
{
    struct account_request request = {.image = &f->image,
                                      .code = &f->code,
                                      .data = &f->data,
                                      .references = &f->references,
                                      .space = &f->groups.space,
                                      .group_of_unit = group_of_unit};

    assert_int_equal(image_open(path, &f->image, &f->err), 0);
    assert_int_equal(link_alone(&f->image, &f->err), 0);
    assert_int_equal(symbols_read(&f->image, &f->symbols, &f->err), 0);
    assert_int_equal(code_map_build(&f->image, &f->symbols, SLICE(".text"), &f->code, &f->err), 0);
    assert_int_equal(references_find(&f->image, &f->symbols, &f->code, &f->references, &f->err), 0);
    assert_int_equal(data_map_build(&f->image, &f->symbols, &f->code, &f->references, &f->data, &f->err), 0);
    find_groups(f);
    assert_int_equal(data_map_find_owners(&f->data, &f->image, &f->references, &f->groups, &f->err), 0);
    assert_int_equal(account_build(&request, &f->account, &f->err), 0);
}

static int begin(void **state)
{
    static struct fixture fixture;

    fixture = (struct fixture){0};
    *state = &fixture;
    return 0;
}

static int end(void **state)
{
    struct fixture *f = *state;

    account_done(&f->account);
    data_map_done(&f->data);
    references_done(&f->references);
    code_map_done(&f->code);
    symbols_done(&f->symbols);
    image_close(&f->image);
    return 0;
}

static uint32_t function_named(const struct fixture *f, const char *part)
{
    for (uint32_t i = 0; i < f->code.functions.count; i++) {
        struct slice name = f->code.functions.items[i].names[0]->name;

        if (slice_find(name, slice_of(part)) < name.length)
            return i;
    }
    fail_msg("no function %s", part);
    return 0;
}

/* The piece that starts with these bytes. */
static const struct data_piece *piece_of(struct fixture *f, const char *start)
{
    for (size_t i = 0; i < f->data.items.count; i++) {
        const struct data_piece *piece = &f->data.items.items[i];
        const struct section *section = &f->image.sections.items[piece->section];
        struct slice bytes;

        assert_int_equal(image_read_section(&f->image, section, &bytes, &f->err), 0);
        bytes = slice_range(bytes, piece->svma - section->svma, bytes.length);
        if (slice_starts_with(slice_range(bytes, 0, piece->size_bytes), slice_of(start)))
            return piece;
    }
    fail_msg("no piece \"%s\"", start);
    return NULL;
}

#define assert_piece(f, start, size, who, how)                                                               \
    do {                                                                                                     \
        const struct data_piece *found = piece_of(f, start);                                                 \
        assert_int_equal(found->size_bytes, size);                                                           \
        assert_int_equal(found->owner, who);                                                                 \
        assert_int_equal(found->known, how);                                                                 \
    } while (0)

static void strings_are_of_the_functions_that_refer_to_them(void **state)
{
    struct fixture *f = *state;
    const struct owner_space *space = &f->groups.space;

    measure(f, FIXTURES "/elf/data");
    assert_piece(f, "only app::main", 14, function_named(f, "app4main"), DATA_FROM_CODE);
    assert_piece(f, "both functions of app", 21, owner_of_group(space, APP), DATA_FROM_CODE);
    assert_piece(f, "every crate", 11, OWNER_SHARED, DATA_FROM_CODE);
    assert_piece(f, "small", 5, function_named(f, "app4help"), DATA_FROM_CODE);
    assert_piece(f, "nothing refers here", 19, OWNER_NONE, DATA_UNKNOWN);
    assert_piece(f, "of _start", 12, function_named(f, "_start"), DATA_FROM_CODE);
}

static void what_data_refers_to_is_paid_for_by_who_pays_for_it(void **state)
{
    struct fixture *f = *state;

    measure(f, FIXTURES "/elf/data");
    assert_piece(f, "one of the list", 15, function_named(f, "app4main"), DATA_FROM_RELOCATION);
    assert_piece(f, "another of the list", 19, function_named(f, "app4main"), DATA_FROM_RELOCATION);
}

static void data_of_an_object_is_whose_it_is_in_the_linked_file(void **state)
{
    struct fixture *f = *state;
    const struct owner_space *space = &f->groups.space;

    measure(f, FIXTURES "/elf/data.o");
    assert_piece(f, "only app::main", 14, function_named(f, "app4main"), DATA_FROM_CODE);
    assert_piece(f, "both functions of app", 21, owner_of_group(space, APP), DATA_FROM_CODE);
    assert_piece(f, "every crate", 11, OWNER_SHARED, DATA_FROM_CODE);
    assert_piece(f, "nothing refers here", 19, OWNER_NONE, DATA_UNKNOWN);
    assert_piece(f, "one of the list", 15, function_named(f, "app4main"), DATA_FROM_RELOCATION);
    assert_piece(f, "another of the list", 19, function_named(f, "app4main"), DATA_FROM_RELOCATION);
    assert_piece(f, "UUUU", 32, owner_of_group(space, OTHER), DATA_FROM_SYMBOL);
}

static void a_symbol_settles_what_would_be_shared_and_what_nothing_refers_to(void **state)
{
    struct fixture *f = *state;
    const struct owner_space *space = &f->groups.space;

    measure(f, FIXTURES "/elf/data");
    assert_piece(f, "UUUU", 32, owner_of_group(space, OTHER), DATA_FROM_SYMBOL);
    assert_piece(f, "ffff", 8, owner_of_group(space, APP), DATA_FROM_SYMBOL);
}

static void zeros_that_nothing_refers_to_are_padding_unless_they_are_relocated(void **state)
{
    struct fixture *f = *state;
    uint64_t padding = 0;

    measure(f, FIXTURES "/elf/data");
    for (size_t i = 0; i < f->data.items.count; i++)
        padding += f->data.items.items[i].owner == OWNER_PADDING ? f->data.items.items[i].size_bytes : 0;
    assert_int_equal(padding, 16);
}

static void arrays_for_the_loader_are_of_the_functions_in_them(void **state)
{
    struct fixture *f = *state;
    const struct section *section = NULL;

    measure(f, FIXTURES "/elf/data");
    section = sections_find(&f->image.sections, SLICE(".init_array"));
    assert_int_equal(data_map_owner_at(&f->data, section->svma), function_named(f, "other3run"));
}

static void with_fixed_addresses_numbers_in_data_are_taken_with_a_doubt(void **state)
{
    struct fixture *f = *state;

    measure(f, FIXTURES "/elf/data-fixed");
    assert_piece(f, "one of the list", 15, function_named(f, "app4main"), DATA_INFERRED);
    assert_piece(f, "only app::main", 14, function_named(f, "app4main"), DATA_FROM_CODE);
}

/* What an owner has of a kind. */
static uint64_t cost_of(const struct fixture *f, uint32_t owner, enum account_kind kind)
{
    uint64_t bytes = 0;

    for (size_t i = 0; i < f->account.entries.count; i++)
        if (f->account.entries.items[i].owner == owner && f->account.entries.items[i].kind == kind)
            bytes += f->account.entries.items[i].size_bytes;
    return bytes;
}

static void functions_pay_for_their_tables(void **state)
{
    struct fixture *f = *state;
    uint32_t app_main = 0;
    uint32_t run = 0;

    measure(f, FIXTURES "/elf/data");
    app_main = function_named(f, "app4main");
    run = function_named(f, "other3run");
    /* FDEs of 24 bytes with an LSDA, 8 bytes to find it, 12 and 20 of LSDA. */
    assert_int_equal(cost_of(f, app_main, ACCOUNT_UNWIND), 24 + 8 + 12);
    assert_int_equal(cost_of(f, run, ACCOUNT_UNWIND), 24 + 8 + 20);
    /* Four pointers in the list and the vtable, one in .init_array. */
    assert_int_equal(cost_of(f, app_main, ACCOUNT_RELOCATIONS), 4 * 24);
    assert_int_equal(cost_of(f, run, ACCOUNT_RELOCATIONS), 24);
    /* An entry of 24 bytes and the name with its end. */
    assert_int_equal(cost_of(f, app_main, ACCOUNT_SYMBOLS), 24 + sizeof("_ZN3app4main17h0123456789abcdefE"));
    assert_int_equal(cost_of(f, run, ACCOUNT_SYMBOLS), 24 + sizeof("_ZN5other3run17h2222222222222222E"));
}

static void the_bytes_before_the_first_table_of_a_function_are_nobodys(void **state)
{
    struct fixture *f = *state;
    uint64_t before = 0;

    measure(f, FIXTURES "/elf/data");
    for (size_t i = 0; i < f->account.entries.count; i++) {
        const struct account_entry *entry = &f->account.entries.items[i];

        if (entry->part->section && slice_is(entry->part->section->name, ".gcc_except_table") &&
            entry->owner == OWNER_NONE)
            before += entry->size_bytes;
    }
    assert_int_equal(before, 4);
}

static void check_sums(struct fixture *f, const char *path)
{
    uint64_t total = 0;
    uint64_t code = 0;

    measure(f, path);
    for (size_t i = 0; i < f->account.entries.count; i++) {
        total += f->account.entries.items[i].size_bytes;
        code += f->account.entries.items[i].kind == ACCOUNT_CODE ? f->account.entries.items[i].size_bytes : 0;
        assert_true(f->account.entries.items[i].size_bytes > 0);
    }
    assert_int_equal(total, f->image.size_bytes);
    assert_int_equal(code, f->code.total_bytes);
}

static void all_bytes_add_up_to_the_file(void **state)
{
    check_sums(*state, FIXTURES "/elf/data");
}

static void all_bytes_add_up_to_a_file_with_fixed_addresses(void **state)
{
    check_sums(*state, FIXTURES "/elf/data-fixed");
}

static void all_bytes_add_up_to_a_stripped_file(void **state)
{
    struct fixture *f = *state;

    check_sums(f, FIXTURES "/elf/data-stripped");
    /* All code is one owner without a name, which has the data that is not padding and referred to. */
    assert_int_equal(f->code.functions.count, 0);
    assert_int_equal(cost_of(f, 0, ACCOUNT_CODE), f->code.total_bytes);
    assert_int_equal(cost_of(f, OWNER_NONE, ACCOUNT_DATA), 19);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(strings_are_of_the_functions_that_refer_to_them),
        TEST(data_of_an_object_is_whose_it_is_in_the_linked_file),
        TEST(what_data_refers_to_is_paid_for_by_who_pays_for_it),
        TEST(a_symbol_settles_what_would_be_shared_and_what_nothing_refers_to),
        TEST(zeros_that_nothing_refers_to_are_padding_unless_they_are_relocated),
        TEST(arrays_for_the_loader_are_of_the_functions_in_them),
        TEST(with_fixed_addresses_numbers_in_data_are_taken_with_a_doubt),
        TEST(functions_pay_for_their_tables),
        TEST(the_bytes_before_the_first_table_of_a_function_are_nobodys),
        TEST(all_bytes_add_up_to_the_file),
        TEST(all_bytes_add_up_to_a_file_with_fixed_addresses),
        TEST(all_bytes_add_up_to_a_stripped_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
