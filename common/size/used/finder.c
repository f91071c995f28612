#include "size/used/finder.h"

struct used used_finder_of_symbol(struct used_finder *finder, struct symbol_crate crate,
                                  enum used_source source)
{
    bool is_sure = false;
    struct crate_fact fact = {
        .name = crate.name,
        .id = crate.disambiguator,
        .kind = std_copies_kind(finder->std, crate, finder->symbol.kind == SYMBOL_RUST_V0, &is_sure),
    };

    return (struct used){size_crates_add(finder->crates, &fact), is_sure ? source : USED_INFERRED};
}

uint32_t used_finder_last(const struct used_finder *finder)
{
    if (finder->last != SIZE_NO_CRATE)
        return finder->last;
    return finder->program != SIZE_NO_CRATE ? finder->program : finder->exporting;
}
