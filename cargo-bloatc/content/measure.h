/* What one file holds: every byte of a section, given to functions with names and crates. */
#ifndef CONTENT_MEASURE_H
#define CONTENT_MEASURE_H

#include <stdbool.h>
#include <stdint.h>

#include "account/account.h"
#include "base/arena.h"
#include "base/error.h"
#include "base/intern.h"
#include "base/slice.h"
#include "base/vec.h"
#include "size/generics.h"
#include "size/std_copies.h"
#include "size/used/used.h"

/* How the crate of a function is known. */
enum crate_source {
    CRATE_UNKNOWN,          /* nothing tells */
    CRATE_FROM_SYMBOL,      /* the symbol says it */
    CRATE_FROM_UNIT,        /* debug information: the compile unit */
    CRATE_FROM_FILE_SYMBOL, /* the symbol table: the codegen unit that the function stands under */
    CRATE_FROM_RLIB,        /* the only library of this build that has the symbol */
    CRATE_FROM_LINE,        /* debug information: the file that the code's line is in */
    CRATE_INFERRED,         /* from names that leave a doubt; the likelier one */
    CRATE_SOURCES,
};

/* In which sense a function is a crate's, in the order of the choices of --attribute. */
enum attribution {
    ATTRIBUTE_USED,    /* whose codegen unit holds the code: who pays */
    ATTRIBUTE_DEFINED, /* whose source has the function, wherever it was instantiated */
    ATTRIBUTE_LINE,    /* whose source text the code is, through inlining */
};

/* How finely code is cut with ATTRIBUTE_LINE. */
enum measure_grain { GRAIN_FUNCTION, GRAIN_FILE, GRAIN_LINE };

/* What a row of the result stands for. */
enum measured_kind {
    MEASURED_FUNCTION,
    MEASURED_PADDING,
    MEASURED_UNNAMED,
    MEASURED_OF_CRATE, /* with data: what several functions of one crate need */
    MEASURED_REST,     /* with data: bytes of no crate, or of several */
};

/* Strings are in the measurement's arena or constants. */
struct measured {
    struct slice name;    /* demangled, without hashes */
    struct slice symbol;  /* as it stands in the file; empty when it is no function */
    struct slice aliases; /* other symbols of the same code, with blanks between; usually empty */
    struct slice crate;   /* with '_'; empty when unknown */
    struct slice version; /* of the crate; empty when unknown */
    struct slice label;   /* what the crate is called where others have its name; empty: the name will do */
    struct slice file;    /* with GRAIN_FILE and GRAIN_LINE: as it is shown; empty when unknown */
    uint32_t line;        /* with GRAIN_LINE: from 1; 0 when unknown */
    uint64_t size_bytes;
    uint64_t cost[ACCOUNT_KINDS]; /* with data: what size_bytes is made of; else zeros */
    enum measured_kind kind;
    enum crate_source crate_source;
    enum crate_kind crate_kind;     /* as the name tells it; of who defines the function */
    struct slice crate_origin;      /* likewise; as of struct size_crate */
    uint64_t crate_hash;            /* likewise, of v0 names; 0 when unknown */
    bool may_be_stds;               /* likewise, of legacy names: or else one of std's of that name */
    uint32_t crate_index;           /* in the measurement's crates, or SIZE_NO_CRATE */
    uint32_t definer_index;         /* likewise, with tells_definers: the crate that has its source */
    struct generic_definer definer; /* what is known of that */
    bool is_std;                    /* the crate is the standard library's, or one that std was built with */
    bool is_instantiated; /* ATTRIBUTE_DEFINED and _LINE: std's, but in code that another crate pays for */
    bool is_own;          /* the crate is one of the workspace */
};

/* The row of what several crates need. */
#define DATA_SHARED_NAME "[shared by several crates]"

/* One piece of data and who pays for it. */
struct measured_data {
    size_t owner;        /* index of the item: the function, the crate, or [shared…] */
    struct slice name;   /* of its symbol, what a vtable is for, or a string as it reads; may be empty */
    struct slice symbol; /* as it stands in the file; empty without one */
    struct slice section;
    uint64_t svma; /* 0 in what is not linked */
    uint64_t size_bytes;
    enum data_known known;
};

/* Zero-initialised is empty. */
struct measurement {
    struct arena arena;
    VEC(struct measured) items;     /* add up to section_bytes, with data to file_bytes */
    VEC(struct measured_data) data; /* with data: all pieces of it */
    bool lacks_references;  /* with data: there is code that could not be read for what it refers to */
    bool has_no_symbols;    /* with data: the file was stripped, which is no failure then */
    uint64_t damaged_count; /* entries of symbol tables, with data also tables of relocations, that tell
                               nothing as they lead out of the file */
    uint64_t file_bytes;
    uint64_t section_bytes;
    bool is_of_parts;       /* sections named after the one measured are in it: .text.hot beside .text */
    uint64_t unit_bytes;    /* code that debug information gives to a compile unit; */
    bool has_program_units; /* to others than std's, whose own comes with it */
    struct size_crates crates;
    struct std_copies std; /* what names and units told of std's copies of crates */
    struct text
        problem;      /* one line about debug information that could not be used; empty when there is none */
    bool is_stripped; /* set where measuring fails for the want of symbols, */
    bool lacks_lines; /* and of line tables */
};

/* What to measure. All borrowed. */
struct measure_request {
    const char *path;
    const char *relinked_path;            /* the same program with its symbols, linked anew; NULL: none */
    const char *debug_path;               /* a file of its debug information; NULL: looked for */
    const char *section;                  /* and "SECTION.anything" */
    const struct intern *program_crates;  /* the names of all crates cargo built it from; NULL: not known */
    const struct build_package *packages; /* their packages, likewise */
    size_t package_count;
    bool is_other_build;          /* these are of another build than the file, which may be older or newer; */
    struct std_copies *other_std; /* which this is known of then; NULL: none */
    enum attribution attribute;
    enum measure_grain grain;
    bool with_data;        /* the whole file, with what each function and crate needs beside its code */
    bool tells_definers;   /* of functions, also of those that others pay for */
    bool split_std;        /* with data: core, alloc and the others are crates of their own */
    bool accepts_stripped; /* with data: a file without symbols is measured as far as it goes */
};

/*
 * Measures the functions of the section in the file: a program, a library, an object, or all objects of an
 * archive. Returns 0, or -1: ERROR_IO and ERROR_FORMAT when the file cannot be read, is nothing of these or
 * debug_path is of another build,
 * ERROR_MISSING when it has no such section or was stripped of its symbols, or ATTRIBUTE_LINE is
 * asked for and it has no line tables. `out` is to be given
 * to measurement_done either way.
 */
MUST_CHECK int measure_file(const struct measure_request *request, struct measurement *out,
                            struct error *err);

/* Whether measure_file would refuse the file, which is looked at for that alone. Returns as that does. */
MUST_CHECK int measure_check(const struct measure_request *request, struct error *err);

/* Empties the measurement, so that it can be made anew. */
void measurement_done(struct measurement *measurement);

#endif
