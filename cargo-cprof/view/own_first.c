#include "view/own_first.h"

#include <string.h>

#include "base/memory.h"
#include "view/function_rows.h"

size_t own_first_count(const struct rows *rows, size_t self)
{
    size_t count = 0;

    while (count < rows_count(rows) && rows_at(rows, count)[self].number > 0)
        count++;
    return count;
}

static bool is_own(const struct rows *rows, const union cell *row)
{
    return slice_is(row[rows->column_count - 1].text, category_name(CATEGORY_OWN));
}

void own_first_sort(struct rows *rows, size_t self)
{
    size_t first = own_first_count(rows, self);
    size_t count = rows_count(rows);
    size_t cell_count = (count - first) * rows->column_count;
    SCOPED(memory_free_at) union cell *sorted = memory_new(cell_count + 1, sizeof(*sorted));
    union cell *next = sorted;

    for (int wants_own = 1; wants_own >= 0; wants_own--)
        for (size_t i = first; i < count; i++) {
            const union cell *row = rows_at(rows, i);

            if (is_own(rows, row) != wants_own)
                continue;
            memcpy(next, row, rows->column_count * sizeof(*next));
            next += rows->column_count;
        }
    for (size_t i = 0; i < cell_count; i++)
        rows->cells.items[first * rows->column_count + i] = sorted[i];
}
