#include "code/capstone.h"

#include "base/library.h"

/* The headers' version says which library has these functions and structs. */
#define TEXT_OF(number) #number
#define VERSION_TEXT(number) TEXT_OF(number)
#define SONAME "libcapstone.so." VERSION_TEXT(CS_API_MAJOR)
#define PACKAGE "libcapstone" VERSION_TEXT(CS_API_MAJOR)

/* Of the process, as the library is. */
static struct capstone loaded;

int capstone_load(const struct capstone **out, struct error *err)
{
    const struct library_symbol symbols[] = {
        {"cs_open", (void **)&loaded.open},
        {"cs_close", (void **)&loaded.close},
        {"cs_option", (void **)&loaded.option},
        {"cs_malloc", (void **)&loaded.new_instruction},
        {"cs_free", (void **)&loaded.free_instructions},
        {"cs_disasm_iter", (void **)&loaded.next},
    };

    if (!loaded.next && library_load(SONAME, PACKAGE, symbols, ARRAY_COUNT(symbols), err) < 0) {
        loaded = (struct capstone){0};
        return -1;
    }
    *out = &loaded;
    return 0;
}
