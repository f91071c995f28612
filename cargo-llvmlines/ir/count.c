#include "ir/count.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/scan.h"
#include "ir/lines.h"
#include "ir/sources.h"

enum {
    READ_BYTES = 128 * 1024,      /* what stays in a processor's nearest caches */
    HEAD_BYTES_MAX = 1024 * 1024, /* kept of a line: more than any function's return type takes */
};

void ir_counter_init(struct ir_counter *counter, const char *name, const struct ir_visitor *visitor)
{
    *counter = (struct ir_counter){.name = name, .visitor = *visitor};
}

void ir_counter_done(struct ir_counter *counter)
{
    text_done(&counter->head);
    text_done(&counter->symbol);
    text_done(&counter->scratch);
}

/* An error at the line that is being taken. */
static int bad_line(const struct ir_counter *counter, const char *what, struct error *err)
{
    return error_set(err, ERROR_FORMAT, "%s:%llu: %s", counter->name, (unsigned long long)counter->line + 1,
                     what);
}

static int begin_function(struct ir_counter *counter, struct slice line, struct error *err)
{
    if (!ir_name_of_function(line, &counter->symbol))
        return bad_line(counter, "not LLVM IR: a define without a name", err);
    counter->in_function = true;
    counter->is_ir = true;
    counter->function_line = counter->line + 1;
    counter->function = (struct ir_function){.attributes = IR_NO_ATTRIBUTES};
    if (counter->visitor.attributes)
        counter->function.attributes = ir_attributes_of_function(line);
    return 0;
}

/*
 * "CRATE.HASH-cgu.N": the hash is rustc's StableCrateId, in hexadecimal digits without leading zeros.
 * Compilers before 1.52 have eight of something else there.
 */
static uint64_t disambiguator_of(struct slice module)
{
    enum { DIGITS_MIN = 9, DIGITS_MAX = 16 };
    size_t dot = slice_find_byte(module, '.');
    struct slice hash = slice_range(module, dot + 1, slice_find(module, SLICE("-cgu.")));
    struct scan scan = scan_of(hash);
    uint64_t number = 0;

    return hash.length >= DIGITS_MIN && hash.length <= DIGITS_MAX && scan_hex(&scan, &number) &&
                   scan_at_end(&scan)
               ? number
               : 0;
}

/* "; ModuleID = 'CRATE.HASH-cgu.N'" */
static void see_comment(struct ir_counter *counter, struct slice line)
{
    static const struct slice start = SLICE("; ModuleID = '");
    struct slice crate = slice_range(line, start.length, line.length);

    if (counter->is_rustcs || !slice_starts_with(line, start) || !slice_has(line, SLICE("-cgu.")))
        return;
    counter->is_rustcs = true;
    if (counter->visitor.crate)
        counter->visitor.crate(counter->visitor.context, slice_range(crate, 0, slice_find_byte(crate, '.')),
                               disambiguator_of(crate));
}

/* How lines outside functions begin (LLVM Language Reference, "High Level Structure"). */
static bool begins_entity(struct slice line)
{
    static const char *const words[] = {
        "source_filename", "target ", "declare ", "attributes ", "module asm ", "uselistorder",
    };

    /* Globals, types, metadata, comdats, summary entries. */
    if (strchr("@%!$^", line.data[0]))
        return true;
    return slice_starts_with_any(line, words, ARRAY_COUNT(words));
}

static void visit_references(struct ir_counter *counter, struct slice lines)
{
    struct scan scan = scan_of(lines);
    struct slice name;

    while (ir_next_reference(&scan, &counter->scratch, &name))
        counter->visitor.reference(counter->visitor.context, name);
}

static bool is_external(struct slice behind_name)
{
    return slice_starts_with(behind_name, SLICE(" = external ")) ||
           slice_starts_with(behind_name, SLICE(" = extern_weak "));
}

/* "@NAME = …": what its initialiser refers to, then itself. */
static void visit_global(struct ir_counter *counter, struct slice line)
{
    struct scan scan = scan_of(line);
    struct slice name;

    if (!ir_next_reference(&scan, &counter->scratch, &name))
        return;
    /* Where it was unquoted it stands in the scratch, which the references need. */
    text_clear(&counter->symbol);
    text_add(&counter->symbol, name);
    if (is_external(scan.rest)) {
        counter->visitor.declaration(counter->visitor.context, text_slice(&counter->symbol));
        return;
    }
    visit_references(counter, scan.rest);
    counter->visitor.global(counter->visitor.context, text_slice(&counter->symbol));
}

/* "target triple = "x86_64-unknown-linux-gnu"" */
static void visit_triple(struct ir_counter *counter, struct slice line)
{
    static const struct slice start = SLICE("target triple = \"");
    struct slice triple = slice_range(line, start.length, line.length);

    if (slice_starts_with(line, start))
        (void)made_for_read_triple(slice_range(triple, 0, slice_find_byte(triple, '"')),
                                   &counter->visitor.sources->made_for);
}

/* Hands on what those need who want to know more than lines. */
static void visit_entity(struct ir_counter *counter, struct slice line)
{
    const struct ir_visitor *visitor = &counter->visitor;
    struct ir_sources *sources = visitor->sources;
    uint32_t number = 0;
    enum ir_inlining inlining = IR_INLINE_AS_LIKED;

    if (line.data[0] == '!') {
        if (sources)
            ir_sources_see(sources, line);
    } else if (visitor->global && line.data[0] == '@')
        visit_global(counter, line);
    else if (sources && line.data[0] == 't')
        visit_triple(counter, line);
    else if (visitor->declaration && slice_starts_with(line, SLICE("declare ")) &&
             ir_name_of_function(line, &counter->symbol))
        visitor->declaration(visitor->context, text_slice(&counter->symbol));
    else if (visitor->attributes && ir_attributes_read(line, &number, &inlining))
        visitor->attributes(visitor->context, number, inlining);
    if (sources && slice_starts_with(line, SLICE("attributes ")) && slice_has(line, SLICE(" norecurse ")))
        sources->is_optimised = true;
}

#define HINT_BITCODE                                                                                         \
    "turn it into text with llvm-dis of an LLVM as new as rustc's, or have rustc write text: cargo rustc "   \
    "-- "                                                                                                    \
    "--emit=llvm-ir; without a file cargo llvmlines has it written by itself"
#define HINT_IR_FILES "name .ll files, or no file: cargo llvmlines then builds the package and counts its IR"

/* What else the compiler and its tools write; the first line of a file, as far as it is known, starts so. */
static const struct {
    struct slice magic;
    const char *what;
    const char *hint;
} other_formats[] = {
    {SLICE("BC\xc0\xde"), "LLVM bitcode, not LLVM IR in text form", HINT_BITCODE},
    {SLICE("\xde\xc0\x17\x0b"), "LLVM bitcode in a wrapper, not LLVM IR in text form", HINT_BITCODE},
    {SLICE("\x7f"
           "ELF"),
     "a program, library or object (ELF), not LLVM IR", HINT_IR_FILES},
    {SLICE("!<arch>"), "an archive (an rlib or a static library), not LLVM IR", HINT_IR_FILES},
};

/* Leaves alone what may be IR. */
static int refuse_other_format(const struct ir_counter *counter, struct slice line, struct error *err)
{
    for (size_t i = 0; counter->line == 0 && i < ARRAY_COUNT(other_formats); i++) {
        if (!slice_starts_with(line, other_formats[i].magic))
            continue;
        error_hint(err, "%s", other_formats[i].hint);
        return error_set(err, ERROR_FORMAT, "%s: %s", counter->name, other_formats[i].what);
    }
    return 0;
}

/* A source file, assembly, another tool's result: where nothing of it was IR, another file is meant. */
static int not_ir(const struct ir_counter *counter, struct error *err)
{
    if (!counter->is_ir)
        error_hint(err, HINT_IR_FILES);
    return bad_line(counter, "not LLVM IR", err);
}

static int refuse_nul(struct ir_counter *counter, struct slice line_start, struct error *err)
{
    if (refuse_other_format(counter, line_start, err) < 0)
        return -1;
    return counter->is_ir ? bad_line(counter, "a NUL byte, which LLVM IR does not have", err)
                          : not_ir(counter, err);
}

static int take_outside(struct ir_counter *counter, struct slice line, struct error *err)
{
    if (refuse_other_format(counter, line, err) < 0)
        return -1;
    if (slice_starts_with(line, SLICE("define ")))
        return begin_function(counter, line, err);
    /* Comments and empty lines stand in other texts too and prove nothing. */
    if (line.length == 0 || line.data[0] == ';') {
        see_comment(counter, line);
        return 0;
    }
    if (begins_entity(line)) {
        counter->is_ir = true;
        counter->has_metadata = counter->has_metadata || slice_starts_with(line, SLICE("!llvm."));
        visit_entity(counter, line);
        return 0;
    }
    /* Written by hand, a type or an initialiser may go over several lines. */
    if (counter->is_ir && strchr(" \t]})>", line.data[0]))
        return 0;
    return not_ir(counter, err);
}

static int nested_function(const struct ir_counter *counter, struct error *err)
{
    return error_set(err, ERROR_FORMAT,
                     "%s:%llu: truncated: the function that begins at line %llu has no end", counter->name,
                     (unsigned long long)counter->line + 1, (unsigned long long)counter->function_line);
}

static void end_function(struct ir_counter *counter)
{
    counter->in_function = false;
    counter->function.symbol = text_slice(&counter->symbol);
    counter->visitor.function(counter->visitor.context, &counter->function);
}

static void take_body_line(struct ir_counter *counter, struct slice line)
{
    counter->function.lines += ir_line_counts(line);
    counter->function.switches += ir_line_ends_switch(line);
    if (counter->visitor.reference)
        visit_references(counter, line);
}

/* One line without its "\n", or, when the line is longer than what is kept, its start. */
static int take_line(struct ir_counter *counter, struct slice line, struct error *err)
{
    int result = 0;

    if (line.length > 0 && line.data[line.length - 1] == '\r')
        line.length--;
    if (!counter->in_function)
        result = take_outside(counter, line, err);
    else if (slice_is(line, "}"))
        end_function(counter);
    else if (slice_starts_with(line, SLICE("define ")))
        result = nested_function(counter, err);
    else
        take_body_line(counter, line);
    counter->line++;
    return result;
}

/* Takes from `bytes` most of what is left of the body. */
static struct slice take_body(struct ir_counter *counter, struct slice bytes)
{
    struct ir_lines lines = {0};
    size_t taken = ir_lines_take(bytes, &lines);

    counter->line += lines.all;
    counter->function.lines += lines.counted;
    counter->function.switches += lines.switches;
    if (counter->visitor.reference)
        visit_references(counter, slice_range(bytes, 0, taken));
    return slice_range(bytes, taken, bytes.length);
}

/* Keeps bytes of a line whose end is not there yet. What the line says stands in its first megabyte. */
static void keep_head(struct ir_counter *counter, struct slice bytes)
{
    size_t room = HEAD_BYTES_MAX - counter->head.length;

    text_add(&counter->head, slice_range(bytes, 0, room));
}

/* The line that `head` began ends with `rest`. */
static int take_continued(struct ir_counter *counter, struct slice rest, struct error *err)
{
    int result = 0;

    keep_head(counter, rest);
    result = take_line(counter, text_slice(&counter->head), err);
    text_clear(&counter->head);
    return result;
}

int ir_counter_feed(struct ir_counter *counter, struct slice bytes, struct error *err)
{
    while (bytes.length > 0) {
        size_t length = 0;
        struct slice line;

        if (counter->in_function && counter->head.length == 0)
            bytes = take_body(counter, bytes);
        length = ir_line_length(bytes);
        line = slice_range(bytes, 0, length);
        if (length < bytes.length && bytes.data[length] == '\0') {
            keep_head(counter, line);
            return refuse_nul(counter, text_slice(&counter->head), err);
        }
        if (length == bytes.length) {
            keep_head(counter, line);
            return 0;
        }
        if ((counter->head.length > 0 ? take_continued(counter, line, err) : take_line(counter, line, err)) <
            0)
            return -1;
        bytes = slice_range(bytes, length + 1, bytes.length);
    }
    return 0;
}

int ir_counter_finish(struct ir_counter *counter, struct error *err)
{
    if (counter->head.length > 0 && take_continued(counter, (struct slice){0}, err) < 0)
        return -1;
    if (counter->in_function)
        return error_set(
            err, ERROR_FORMAT, "%s:%llu: truncated: ends inside the function that begins at line %llu",
            counter->name, (unsigned long long)counter->line, (unsigned long long)counter->function_line);
    if (!counter->is_ir)
        return error_set(err, ERROR_FORMAT, "%s: not LLVM IR: nothing in it", counter->name);
    /* rustc names itself in "!llvm.ident", always: what is cut off between functions lacks that. */
    if (counter->is_rustcs && !counter->has_metadata)
        return error_set(err, ERROR_FORMAT, "%s:%llu: truncated: ends before the module's metadata",
                         counter->name, (unsigned long long)counter->line);
    return 0;
}

static int count_all(struct ir_counter *counter, int descriptor, char *buffer, struct error *err)
{
    for (;;) {
        ssize_t got = read(descriptor, buffer, READ_BYTES);

        if (got == 0)
            return ir_counter_finish(counter, err);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return error_set(err, ERROR_IO, "read %s: %s", counter->name, strerror(errno));
        if (ir_counter_feed(counter, (struct slice){buffer, (size_t)got}, err) < 0)
            return -1;
    }
}

int ir_count_descriptor(int descriptor, const char *name, const struct ir_visitor *visitor, struct error *err)
{
    SCOPED(memory_free_at) char *buffer = memory_new(READ_BYTES, 1);
    SCOPED(ir_counter_done) struct ir_counter counter;

    ir_counter_init(&counter, name, visitor);
    return count_all(&counter, descriptor, buffer, err);
}

int ir_count_file(const char *path, const struct ir_visitor *visitor, struct error *err)
{
    SCOPED(file_close_descriptor) int descriptor = open(path, O_RDONLY | O_CLOEXEC);

    if (descriptor < 0)
        return error_set(err, ERROR_IO, "open %s: %s", path, strerror(errno));
    return ir_count_descriptor(descriptor, path, visitor, err);
}

static void ignore(void *context, const struct ir_function *function)
{
    (void)context;
    (void)function;
}

static int check_start(struct ir_counter *counter, int descriptor, char *buffer, struct error *err)
{
    while (!counter->is_ir) {
        ssize_t got = read(descriptor, buffer, READ_BYTES);

        if (got < 0 && errno == EINTR)
            continue;
        /* Reading it all tells what is wrong. */
        if (got < 0)
            return 0;
        if (got == 0)
            return ir_counter_finish(counter, err);
        if (ir_counter_feed(counter, (struct slice){buffer, (size_t)got}, err) < 0)
            return -1;
    }
    return 0;
}

int ir_count_check(const char *path, struct error *err)
{
    SCOPED(file_close_descriptor) int descriptor = -1;
    SCOPED(memory_free_at) char *buffer = memory_new(READ_BYTES, 1);
    SCOPED(ir_counter_done) struct ir_counter counter;
    const struct ir_visitor visitor = {.function = ignore};
    struct stat status;

    ir_counter_init(&counter, path, &visitor);
    /* A pipe gives what it has once. */
    if (stat(path, &status) < 0 || !S_ISREG(status.st_mode))
        return 0;
    descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
        return error_set(err, ERROR_IO, "open %s: %s", path, strerror(errno));
    return check_start(&counter, descriptor, buffer, err);
}
