#include "page/treemap_places.h"

#include "base/hash.h"

void treemap_places_done(struct treemap_places *places)
{
    vec_done(&places->items);
    vec_done(&places->nodes);
}

static int compare_places(const void *left, const void *right)
{
    const struct treemap_place *a = left;
    const struct treemap_place *b = right;
    int order = slice_compare(a->crate, b->crate);

    if (order == 0)
        order = slice_compare(a->module, b->module);
    if (order == 0 && a->weight != b->weight)
        order = a->weight > b->weight ? -1 : 1;
    return order ? order : slice_compare(a->name, b->name);
}

/* One crate has one shade in every picture. */
static uint32_t shade_of(struct slice name)
{
    return hash_fnv1a_32(name) >> 8;
}

static size_t open_box(struct treemap_places *places, uint32_t depth, struct slice name,
                       const struct treemap_place *place)
{
    *vec_add(&places->nodes) = (struct treemap_node){
        .name = name, .depth = depth, .shade = shade_of(place->crate), .hue = place->hue};
    return places->nodes.count - 1;
}

void treemap_places_arrange(struct treemap_places *places, struct treemap_node whole)
{
    const struct treemap_place *last = NULL;
    size_t crate = 0;
    size_t module = 0;

    vec_sort(&places->items, compare_places);
    whole.weight = 0;
    *vec_add(&places->nodes) = whole;
    for (size_t i = 0; i < places->items.count; i++) {
        const struct treemap_place *place = &places->items.items[i];
        bool is_new_crate = !last || !slice_equal(place->crate, last->crate);
        size_t own = 0;

        if (is_new_crate)
            crate = open_box(places, 1, place->crate, place);
        if (is_new_crate || !slice_equal(place->module, last->module))
            module = place->module.length > 0 ? open_box(places, 2, place->module, place) : crate;
        places->nodes.items[0].weight += place->weight;
        places->nodes.items[crate].weight += place->weight;
        if (module != crate)
            places->nodes.items[module].weight += place->weight;
        last = place;
        if (place->is_bare)
            continue;
        own = open_box(places, module == crate ? 2 : 3, place->name, place);
        places->nodes.items[own].weight = place->weight;
    }
}
