#include "cmocka_all.h"

#include "base/intern.h"
#include "base/scan.h"
#include "base/vec.h"
#include "rust/demangle.h"
#include "rust/symbol_key.h"
#include "rust/symbol_path.h"

#include "packed_fixture.h"

enum { FAILURES_SHOWN = 10 };

/* One name of a fixture and what rustc-demangle makes of it. */
struct expectation {
    struct slice name;
    struct slice short_form;
    struct slice full_form; /* "h": the short one and the name's hash */
};

static bool next_expectation(struct scan *scan, struct expectation *out)
{
    return scan_line(scan, &out->name) && scan_line(scan, &out->short_form) &&
           scan_line(scan, &out->full_form);
}

/* What the full form is written out. */
static struct slice full_form(const struct expectation *expected, struct text *scratch)
{
    size_t end = expected->name.length - 1;

    if (!slice_is(expected->full_form, "h"))
        return expected->full_form;
    text_clear(scratch);
    text_add(scratch, expected->short_form);
    text_add_string(scratch, "::h");
    text_add(scratch, slice_range(expected->name, end - 16, end));
    return text_slice(scratch);
}

static size_t compare(struct symbol *symbol, struct slice name, enum demangle_form form,
                      struct slice expected)
{
    SCOPED(text_done) struct text text = {0};

    demangle_add_name(&text, symbol, name, form);
    if (slice_equal(text_slice(&text), expected))
        return 0;
    print_error("%.*s\n  expected %.*s\n  got      %.*s\n", SLICE_ARGUMENTS(name), SLICE_ARGUMENTS(expected),
                SLICE_ARGUMENTS(text_slice(&text)));
    return 1;
}

/* How many names the fixture has, all of which have both forms of rustc-demangle. */
static size_t check_fixture(const char *path)
{
    SCOPED(text_done) struct text content = {0};
    SCOPED(text_done) struct text scratch = {0};
    struct symbol symbol = {0};
    struct scan scan = {0};
    struct expectation expected = {0};
    size_t count = 0;
    size_t failures = 0;

    read_packed_fixture(path, &content);
    scan = scan_of(text_slice(&content));
    while (next_expectation(&scan, &expected) && failures < FAILURES_SHOWN) {
        failures += compare(&symbol, expected.name, DEMANGLE_SHORT, expected.short_form);
        failures += compare(&symbol, expected.name, DEMANGLE_FULL, full_form(&expected, &scratch));
        count++;
    }
    symbol_done(&symbol);
    assert_int_equal(failures, 0);
    return count;
}

static void names_of_three_programs_read_as_rustc_demangle_writes_them(void **state)
{
    (void)state;
    assert_true(check_fixture(FIXTURES "/symbols/names.txt.zst") > 100000);
}

static void the_names_of_rustc_demangles_tests_read_as_it_writes_them(void **state)
{
    (void)state;
    assert_true(check_fixture(FIXTURES "/symbols/published.txt.zst") > 100);
}

struct pairing {
    struct intern keys;       /* common keys of v0 names */
    VEC(struct slice) crates; /* of each key, as its v0 name says */
    size_t known;
    size_t unknown;
    size_t inferred;
};

static void add_v0(struct pairing *pairing, struct symbol *symbol, struct text *key)
{
    uint32_t id = intern_add(&pairing->keys, text_slice(key));
    struct symbol_owner owner = symbol_defining_crate(symbol);

    assert_int_equal(owner.certainty, SYMBOL_EXACT);
    if (id == pairing->crates.count)
        *vec_add(&pairing->crates) = owner.crate.name;
}

static void find_legacy(struct pairing *pairing, struct symbol *symbol, struct text *key)
{
    uint32_t id = intern_find(&pairing->keys, text_slice(key));
    struct symbol_owner owner = symbol_defining_crate(symbol);

    pairing->inferred += owner.certainty != SYMBOL_EXACT;
    pairing->known += id != INTERN_NONE;
    pairing->unknown += id == INTERN_NONE;
    if (id != INTERN_NONE && owner.certainty == SYMBOL_EXACT &&
        !slice_equal(owner.crate.name, pairing->crates.items[id]))
        fail_msg("%.*s: %.*s, not %.*s", SLICE_ARGUMENTS(text_slice(key)), SLICE_ARGUMENTS(owner.crate.name),
                 SLICE_ARGUMENTS(pairing->crates.items[id]));
}

static void pair(struct pairing *pairing, struct slice content, enum symbol_kind kind,
                 void (*visit)(struct pairing *, struct symbol *, struct text *))
{
    SCOPED(text_done) struct text key = {0};
    struct scan scan = scan_of(content);
    struct symbol symbol = {0};
    struct expectation name = {0};

    while (next_expectation(&scan, &name)) {
        symbol_parse(&symbol, name.name);
        if (symbol.kind != kind)
            continue;
        text_clear(&key);
        symbol_add_key(&key, &symbol, SYMBOL_KEY_COMMON);
        visit(pairing, &symbol, &key);
    }
    symbol_done(&symbol);
}

/* Measured when the fixture was made: 98 % of legacy names find their v0 key, 1 % are inferred. */
static void legacy_and_v0_builds_have_the_same_keys_and_crates(void **state)
{
    SCOPED(text_done) struct text content = {0};
    struct pairing pairing = {0};

    (void)state;
    read_packed_fixture(FIXTURES "/symbols/names.txt.zst", &content);
    pair(&pairing, text_slice(&content), SYMBOL_RUST_V0, add_v0);
    pair(&pairing, text_slice(&content), SYMBOL_RUST_LEGACY, find_legacy);
    print_message("legacy names: %zu with a v0 key, %zu without; %zu crates inferred\n", pairing.known,
                  pairing.unknown, pairing.inferred);
    assert_true(pairing.known > 40000);
    assert_true(pairing.unknown * 40 < pairing.known);
    assert_true(pairing.inferred * 50 < pairing.known);
    vec_done(&pairing.crates);
    intern_done(&pairing.keys);
}

/* The defining crate opens the demangled path, or what is in its "<…>". */
static void the_defining_crate_stands_in_the_demangled_text(void **state)
{
    SCOPED(text_done) struct text content = {0};
    SCOPED(text_done) struct text key = {0};
    struct symbol symbol = {0};
    struct scan scan = {0};
    struct expectation name = {0};

    (void)state;
    read_packed_fixture(FIXTURES "/symbols/names.txt.zst", &content);
    scan = scan_of(text_slice(&content));
    while (next_expectation(&scan, &name)) {
        struct symbol_owner owner = {0};

        symbol_parse(&symbol, name.name);
        if (symbol.kind != SYMBOL_RUST_V0)
            continue;
        owner = symbol_defining_crate(&symbol);
        text_clear(&key);
        symbol_add_key(&key, &symbol, SYMBOL_KEY_EXACT);
        assert_true(owner.crate.name.length > 0);
        assert_true(slice_starts_with(text_slice(&key), owner.crate.name));
        text_clear(&key);
        symbol_add_module(&key, &symbol);
        assert_true(slice_starts_with(text_slice(&key), owner.crate.name));
    }
    symbol_done(&symbol);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_of_three_programs_read_as_rustc_demangle_writes_them),
        cmocka_unit_test(the_names_of_rustc_demangles_tests_read_as_it_writes_them),
        cmocka_unit_test(legacy_and_v0_builds_have_the_same_keys_and_crates),
        cmocka_unit_test(the_defining_crate_stands_in_the_demangled_text),
    };

    return cmocka_run_group_tests_name("symbol fixtures", tests, NULL, NULL);
}
