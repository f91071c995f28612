#include "preload/slots.h"

#include "preload/records.h"
#include "preload/spin_lock.h"
#include "preload/system.h"

/* Of threads that end, about in that order: the first is the first to be gone. */
static struct spin_lock lock;
static uint32_t first_given;
static uint32_t last_given;

static void put_last(uint32_t number)
{
    records_slot(number)->next = 0;
    if (first_given)
        records_slot(last_given)->next = number;
    else
        first_given = number;
    last_given = number;
}

/* One that is not gone yet is looked at again after the others: the first thread of a process may never be.
 */
static uint32_t take_given(void)
{
    uint32_t number = 0;

    spin_lock_take(&lock);
    number = first_given;
    if (number)
        first_given = records_slot(number)->next;
    if (number && !is_thread_gone(records_slot(number)->thread)) {
        put_last(number);
        number = 0;
    }
    spin_lock_give(&lock);
    return number;
}

uint32_t slots_take(void)
{
    uint32_t number = take_given();

    if (!number)
        number = __atomic_add_fetch(&records_shared()->slot_count, 1, __ATOMIC_RELAXED);
    /* Were so many asked for that numbers begin anew, one would have two threads. */
    if (number == 0 || number > HEAP_SLOTS) {
        __atomic_store_n(&records_shared()->slot_count, HEAP_SLOTS + 1, __ATOMIC_RELAXED);
        return 0;
    }
    records_slot(number)->thread = thread_number();
    return number;
}

void slots_give(uint32_t number)
{
    spin_lock_take(&lock);
    put_last(number);
    spin_lock_give(&lock);
}

void slots_begin_child(void)
{
    first_given = 0;
    spin_lock_give(&lock);
}
