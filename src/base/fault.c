/* fault.c - the counters behind fault.h; empty in what is shipped. */
#include "fault.h"

#ifdef RG_FAULTS
#include <stdatomic.h>

static atomic_ulong calls[2], target[2];

void rg_fault_set(rg_fault kind, unsigned long n)
{
    atomic_store(&calls[kind], 0);
    atomic_store(&target[kind], n);
}

bool rg_fault_happened(rg_fault kind)
{
    unsigned long n = atomic_load(&target[kind]);
    return n && atomic_load(&calls[kind]) >= n;
}

bool rg_fault_hit(rg_fault kind)
{
    unsigned long n = atomic_load(&target[kind]);
    return atomic_fetch_add(&calls[kind], 1) + 1 == n;
}

unsigned long rg_fault_calls(rg_fault kind)
{
    return atomic_load(&calls[kind]);
}
#else
typedef int rg_fault_is_off; /* C11 wants a translation unit to declare something */
#endif
