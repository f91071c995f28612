/*
 * Names a second: bench_symbol FILE, a file of one symbol a line, such as
 * tests/fixtures/symbols/names.txt.zst unpacked. Each task runs over all names until a
 * second of processor time has passed.
 */
#include <stdio.h>
#include <time.h>

#include "base/file.h"
#include "base/scan.h"
#include "base/vec.h"
#include "rust/demangle.h"
#include "rust/symbol_key.h"
#include "rust/symbol_path.h"

enum { FILE_LIMIT = 1 << 28 };

typedef void task_fn(struct text *text, struct symbol *symbol);

static void demangle(struct text *text, struct symbol *symbol)
{
    demangle_add(text, symbol, DEMANGLE_SHORT);
}

static void parse_only(struct text *text, struct symbol *symbol)
{
    text_add_byte(text, (char)symbol->kind);
}

static void add_owner(struct text *text, struct symbol *symbol)
{
    text_add(text, symbol_defining_crate(symbol).crate.name);
}

static void add_exact_key(struct text *text, struct symbol *symbol)
{
    symbol_add_key(text, symbol, SYMBOL_KEY_EXACT);
}

static void add_common_key(struct text *text, struct symbol *symbol)
{
    symbol_add_key(text, symbol, SYMBOL_KEY_COMMON);
}

struct names {
    VEC(struct slice) list;
};

static void run(const char *what, const struct names *names, task_fn *task)
{
    SCOPED(text_done) struct text text = {0};
    struct symbol symbol = {0};
    size_t count = 0;
    size_t bytes = 0;
    double seconds = 0;
    clock_t start = clock();

    while (names->list.count > 0 && seconds < 1) {
        for (size_t i = 0; i < names->list.count; i++) {
            text_clear(&text);
            symbol_parse(&symbol, names->list.items[i]);
            task(&text, &symbol);
            bytes += text.length;
        }
        count += names->list.count;
        seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    }
    symbol_done(&symbol);
    printf("  %-16s %6.2f million names/s, %zu bytes\n", what, (double)count / seconds / 1e6, bytes);
}

static void run_all(const char *mangling, const struct names *names)
{
    printf("%s: %zu names\n", mangling, names->list.count);
    run("parse", names, parse_only);
    run("demangle", names, demangle);
    run("defining crate", names, add_owner);
    run("exact key", names, add_exact_key);
    run("common key", names, add_common_key);
}

int main(int argc, char **argv)
{
    SCOPED(text_done) struct text content = {0};
    struct names v0 = {0};
    struct names legacy = {0};
    struct error err = {0};
    struct scan scan = {0};
    struct slice line = {0};

    if (argc != 2 || file_read(argv[1], FILE_LIMIT, &content, &err) < 0) {
        fprintf(stderr, "%s\n", argc == 2 ? err.message : "usage: bench_symbol FILE");
        return 1;
    }
    scan = scan_of(text_slice(&content));
    while (scan_line(&scan, &line))
        *vec_add(slice_starts_with(line, SLICE("_R")) ? &v0.list : &legacy.list) = line;
    run_all("v0", &v0);
    run_all("legacy and others", &legacy);
    vec_done(&v0.list);
    vec_done(&legacy.list);
    return 0;
}
