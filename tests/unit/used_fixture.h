/* Functions whose crates are looked for. */
#ifndef TESTS_USED_FIXTURE_H
#define TESTS_USED_FIXTURE_H

#include "cmocka_all.h"

#include <elf.h>

#include "size/used/used.h"

#define APP_MAIN "_ZN3app4main17h0123456789abcdefE"
#define DEP_RUN "_ZN3dep3run17h0123456789abcdefE"

enum { FUNCTIONS_MAX = 6, FUNCTION_BYTES = 16 };

struct fixture {
    struct elf_symbol items[FUNCTIONS_MAX];
    const struct elf_symbol *names[FUNCTIONS_MAX];
    struct slice units[3];
    struct symbols symbols;
    struct code_map map;
    struct used_request request;
    struct size_crates crates;
    struct used out[FUNCTIONS_MAX];
};

static inline int set_up(void **state)
{
    static struct fixture fixture;

    fixture = (struct fixture){.request = {.map = &fixture.map, .symbols = &fixture.symbols}};
    fixture.symbols.units = fixture.units;
    *state = &fixture;
    return 0;
}

static inline int tear_down(void **state)
{
    struct fixture *f = *state;

    vec_done(&f->map.functions);
    vec_done(&f->map.ranges);
    size_crates_done(&f->crates);
    return 0;
}

/* Functions stand one behind the other, in this order; `unit` is a place in `units`, or SYMBOL_NO_UNIT. */
static inline void add(struct fixture *f, const char *symbol, uint32_t unit)
{
    uint32_t at = (uint32_t)f->map.functions.count;

    f->items[at] = (struct elf_symbol){.name = slice_of(symbol), .unit = unit};
    f->names[at] = &f->items[at];
    *vec_add(&f->map.functions) =
        (struct code_function){.names = &f->names[at], .name_count = 1, .size_bytes = FUNCTION_BYTES};
    *vec_add(&f->map.ranges) = (struct code_range){(uint64_t)at * FUNCTION_BYTES, FUNCTION_BYTES, 1, at};
}

/* A function of C under the STT_FILE symbol of its source. */
static inline struct elf_symbol *add_of_c(struct fixture *f, const char *name, uint32_t unit)
{
    struct elf_symbol *symbol = &f->items[f->map.functions.count];

    add(f, name, unit);
    symbol->type = STT_FUNC;
    return symbol;
}

static inline void add_unit(struct fixture *f, const char *name)
{
    f->units[f->symbols.unit_count++] = slice_of(name);
}

static inline void assert_used(const struct fixture *f, size_t function, const char *crate,
                               enum used_source source)
{
    assert_int_equal(f->out[function].source, source);
    if (!crate) {
        assert_int_equal(f->out[function].crate, SIZE_NO_CRATE);
        return;
    }
    assert_int_not_equal(f->out[function].crate, SIZE_NO_CRATE);
    assert_true(slice_is(f->crates.items.items[f->out[function].crate].name, crate));
}

#endif
