#include "symbolize/resolve.h"

#include "facts/signal_return.h"
#include "process/machine_code/known.h"

/* A way to find out what stands at an address of the module: true when it has added frames. */
typedef bool resolver(struct symbolizing *work, uint64_t svma);

void symbolizing_done(struct symbolizing *work)
{
    naming_done(&work->naming);
    text_done(&work->scratch);
    text_done(&work->root);
    text_done(&work->name);
    vec_done(&work->frames);
    vec_done(&work->reused);
}

static void add_frame(struct symbolizing *work, uint32_t function)
{
    *vec_add(&work->frames) = (struct profile_frame){.function = function};
}

/* The function's name where debug information has none: that of the symbol, which is the outermost call's. */
static bool name_by_symbol(struct symbolizing *work, uint64_t svma, struct found_name *name)
{
    struct found_symbol symbol;

    if (!module_symbols_find(&work->symbols, svma, &symbol) || symbol.is_near)
        return false;
    name->text = symbol.name;
    name->is_readable = false;
    return true;
}

/* Whether a linkage name of Rust code tells the crate. */
static bool tells_crate(struct slice name)
{
    return slice_starts_with(name, SLICE("_ZN")) || slice_starts_with(name, SLICE("_R"));
}

/* Whether a name of C++ has more than the last part of a path: "long beta::run<int>(int)". */
static bool has_path(struct slice name)
{
    size_t arguments = slice_find_byte(name, '<');
    size_t parameters = slice_find_byte(name, '(');
    size_t end = arguments < parameters ? arguments : parameters;

    return slice_find(slice_range(name, 0, end), SLICE("::")) < end ||
           slice_starts_with(name, SLICE("(anonymous namespace)::"));
}

static bool tells_path(struct symbolizing *work, struct slice symbol)
{
    return slice_starts_with(symbol, SLICE("_Z")) && has_path(naming_readable(&work->naming, symbol));
}

/*
 * Debug information that has lines only calls functions "poll", without module and type, as that of C++ does
 * after -flto and with -g1 where it has no linkage names: the symbol of what was not inlined tells more.
 */
static void prefer_symbol(struct symbolizing *work, uint64_t svma, struct found_name *name)
{
    struct found_name symbol = *name;

    if ((name->is_rust || !has_path(name->text)) && name_by_symbol(work, svma, &symbol) &&
        (name->is_rust ? tells_crate(symbol.text) : tells_path(work, symbol.text)))
        *name = symbol;
}

/* Code of no line has the file of what stood there before it; where the function stands is what counts. */
static bool add_path(const struct debug_info *debug, const struct source_frame *frame, struct text *path)
{
    struct source_frame declared = *frame;

    if (frame->line == 0)
        declared.file = frame->name.file;
    return debug_info_add_path(debug, &declared, path);
}

static void add_unit(struct symbolizing *work, const struct source_frame *frame, struct found_name *name)
{
    text_clear(&work->root);
    unit_add_root_path(debug_info_unit(&work->symbols.debug, frame), &work->root);
    name->unit_root = text_slice(&work->root);
    name->unit_crate = name->is_rust ? module_symbols_unit_crate(&work->symbols, frame)
                                     : module_symbols_local_crate(&work->symbols, frame, name->unit_root);
}

static bool add_source_frame(struct symbolizing *work, uint64_t svma, const struct source_frame *frame)
{
    const struct debug_info *debug = &work->symbols.debug;
    struct found_name name = {
        .text = frame->name.text,
        .is_readable = !frame->name.is_mangled,
        .is_rust = module_symbols_is_rust(&work->symbols, frame),
        .async_fns = frame->name.async_fns,
        .closures = frame->name.closures,
        .module = work->module,
    };

    text_clear(&work->scratch);
    if (add_path(debug, frame, &work->scratch))
        name.file = text_slice(&work->scratch);
    add_unit(work, frame, &name);
    if (name.is_readable && name.text.length > 0 && !frame->is_inlined)
        prefer_symbol(work, svma, &name);
    if (name.text.length == 0 && (frame->is_inlined || !name_by_symbol(work, svma, &name)))
        return false;
    if (!name.is_rust || !tells_crate(name.text)) /* C++ has names like rustc's */
        name.file_crate = module_symbols_local_crate(&work->symbols, frame, name.file);
    *vec_add(&work->frames) = (struct profile_frame){
        .function = naming_function(&work->naming, &name),
        .file = profile_string(work->profile, name.file),
        .line = frame->line,
        .is_inlined = frame->is_inlined,
        .is_future = frame->name.is_future,
    };
    return true;
}

static bool by_debug_info(struct symbolizing *work, uint64_t svma)
{
    size_t count = 0;

    if (!work->symbols.has_debug)
        return false;
    count = debug_info_find(&work->symbols.debug, svma, work->found);
    for (size_t i = 0; i < count; i++)
        add_source_frame(work, svma, &work->found[i]);
    if (work->has_no_inlined && work->frames.count > 1) {
        work->frames.items[0] = work->frames.items[work->frames.count - 1];
        work->frames.count = 1;
    }
    if (work->frames.count > 0)
        work->frames.items[work->frames.count - 1].is_inlined = false;
    return work->frames.count > 0;
}

static bool by_symbol(struct symbolizing *work, uint64_t svma)
{
    struct found_name name = {.module = work->module};

    if (!name_by_symbol(work, svma, &name))
        return false;
    add_frame(work, naming_function(&work->naming, &name));
    return true;
}

/*
 * Where a signal's handler returns to, told by its code: its address on the stack is where it begins, and the
 * byte before, which stands for a caller, is of no function. Called as debuggers do where it has no symbol.
 */
static bool by_signal_return(struct symbolizing *work, uint64_t svma)
{
    struct found_name name = {.text = SLICE(SIGNAL_RETURN_NAME), .is_readable = true, .module = work->module};
    uint64_t start = 0;

    if (!work->symbols.is_open ||
        !known_code_find_signal_return(&work->symbols.image, work->symbols.blocks, svma, &start))
        return false;
    name_by_symbol(work, start, &name);
    add_frame(work, naming_function(&work->naming, &name));
    return true;
}

enum reach { REACH_NO, REACH_MAYBE, REACH_YES };

/*
 * Whether a symbol that does not say its size goes on to the address, as far as the table for unwinding
 * leaves that open: it does in a symbol table that has all, for assembly often says no more of a function
 * than where it starts. Where only some are left functions without a name may lie between, and its code
 * tells.
 */
static bool goes_on(struct symbolizing *work, uint64_t symbol_svma, uint64_t svma)
{
    return work->symbols.symbols.source == SYMBOLS_FULL ||
           stretches_lead(&work->stretches, &work->symbols.image, symbol_svma, svma);
}

/*
 * Whether the symbol, whose size does not reach the address, is all the same what that belongs to. The table
 * for unwinding tells, as far as it goes.
 */
static enum reach reach_of(struct symbolizing *work, const struct found_symbol *symbol, uint64_t svma)
{
    uint64_t symbol_svma = svma - symbol->offset;
    struct stretch stretch;

    if (!stretches_find(&work->stretches, &work->symbols.image, svma, &stretch))
        return symbol->is_unsized && goes_on(work, symbol_svma, svma) ? REACH_YES : REACH_MAYBE;
    if (symbol->is_unsized && stretch.start <= symbol_svma)
        return stretch.is_function || goes_on(work, symbol_svma, svma) ? REACH_YES : REACH_NO;
    return !symbol->is_unsized && stretch.is_function && stretch.start == symbol_svma ? REACH_YES : REACH_NO;
}

/* A symbol whose size does not reach the address names it where it does so all the same, or may. */
static bool by_near_symbol(struct symbolizing *work, uint64_t svma)
{
    struct found_symbol symbol;
    struct found_name name = {.module = work->module};
    enum reach reach = REACH_NO;

    if (!module_symbols_find(&work->symbols, svma, &symbol))
        return false;
    reach = reach_of(work, &symbol, svma);
    if (reach != REACH_MAYBE) {
        name.text = symbol.name;
        if (reach == REACH_YES)
            add_frame(work, naming_function(&work->naming, &name));
        return reach == REACH_YES;
    }
    text_clear(&work->name);
    text_add(&work->name, naming_readable(&work->naming, symbol.name));
    text_format(&work->name, "+0x%llx", (unsigned long long)symbol.offset);
    add_frame(work, naming_unnamed(&work->naming, text_slice(&work->name), work->module,
                                   "no symbol covers it, only one before it is known"));
    return true;
}

/* A stub is called after what it jumps to, as debuggers do. All of a file that tell none have one name. */
static bool by_stub(struct symbolizing *work, uint64_t svma)
{
    struct found_name name = {.is_readable = true, .module = work->module};
    const struct code_slot *slot = NULL;

    if (!work->symbols.is_open || !stubs_are_at(&work->symbols.image, svma))
        return false;
    slot = stubs_find(&work->stubs, &work->symbols.image, svma);
    if (slot && slot->name.length > 0) {
        text_clear(&work->name);
        text_add(&work->name, naming_readable(&work->naming, slot->name));
        text_add_string(&work->name, "@plt");
        name.text = text_slice(&work->name);
        add_frame(work, naming_function(&work->naming, &name));
        return true;
    }
    text_clear(&work->name);
    text_add(&work->name, work->module);
    text_add_string(&work->name, " [plt]");
    add_frame(work, naming_unnamed(&work->naming, text_slice(&work->name), work->module,
                                   "it is a stub that jumps to a library's function"));
    return true;
}

static const char *why_unnamed(struct module_symbols *symbols)
{
    if (symbols->why_not)
        return symbols->why_not;
    return symbols_name_all_functions(&symbols->symbols) ? "no symbol covers it"
                                                         : text_string(&symbols->why_stripped);
}

/*
 * The file and the address where the function starts, or with ".." behind it where an unknown number of them
 * does, or the address itself. Of a file that cannot be read nothing tells which addresses are one function:
 * "[app]" is all of its code.
 */
static bool by_address(struct symbolizing *work, uint64_t svma)
{
    struct stretch stretch = {svma, true};

    text_clear(&work->name);
    if (work->symbols.is_open) {
        stretches_find(&work->stretches, &work->symbols.image, svma, &stretch);
        text_add(&work->name, work->module);
        text_format(&work->name, "+0x%llx%s", (unsigned long long)stretch.start,
                    stretch.is_function ? "" : "..");
    } else {
        text_format(&work->name, slice_starts_with(work->module, SLICE("[")) ? "%.*s" : "[%.*s]",
                    SLICE_ARGUMENTS(work->module));
    }
    add_frame(work,
              naming_unnamed(&work->naming, work->module.length ? text_slice(&work->name) : work->module,
                             work->module, why_unnamed(&work->symbols)));
    return true;
}

void resolve(struct symbolizing *work, uint32_t location)
{
    static resolver *const chain[] = {by_debug_info,    by_symbol,      by_stub,
                                      by_signal_return, by_near_symbol, by_address};
    uint64_t svma = work->profile->locations.items[location].svma;

    work->frames.count = 0;
    for (size_t i = 0; i < ARRAY_COUNT(chain); i++)
        if (chain[i](work, svma))
            break;
    profile_set_frames(work->profile, location, work->frames.items, (uint32_t)work->frames.count);
}
