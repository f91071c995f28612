/*
 * What V8 calls code that it makes, "JS:*f /src/a.js:3:14": a word of what it is, the compiler that made it
 * (CodeKindToMarker in its src/objects/code-kind.cc), then the function and where that begins.
 */
#ifndef SYMBOLIZE_JIT_V8_NAME_H
#define SYMBOLIZE_JIT_V8_NAME_H

#include <stdint.h>

#include "base/slice.h"

enum v8_compiler {
    V8_COMPILER_UNKNOWN, /* none of these, or the name is not V8's */
    V8_BASELINE,         /* "^": Sparkplug, which inlines nothing */
    V8_MAGLEV,           /* "+", which inlines, */
    V8_TURBOFAN,         /* "*", and so does this */
};

/* Slices are borrowed from the name. */
struct v8_name {
    enum v8_compiler compiler;
    struct slice function; /* with its place, which tells it from all others: "f /src/a.js:3:14" */
    struct slice script;   /* what ends with the script's name, "JS:*f /src/a.js"; empty: no place is told */
    uint32_t line;         /* from 1; 0: none is told */
    uint32_t column;
};

struct v8_name v8_name_of(struct slice name);

#endif
