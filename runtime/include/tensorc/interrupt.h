/*===- interrupt.h - what a thread asks while it works ----------------------===*\
|*
|* For hosts that must end a long compilation or run from outside of it, as
|* Ctrl-C does. tensorc_rt_run_options (runtime.h) have flags and deadlines of
|* single runs; this is a question, which the working thread asks.
|*
\*===----------------------------------------------------------------------===*/
#ifndef TENSORC_INTERRUPT_H
#define TENSORC_INTERRUPT_H

#include "tensorc/runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Nonzero: end the work. It must not call tensorc, whose locks may be held. */
typedef int32_t (*tensorc_rt_interrupt_fn)(void *user);

/* From now on the calling thread asks `interrupt` about every 20 ms while it
   compiles or runs a program: before a kernel begins, in loops of the program,
   and between steps of a compilation. Nonzero ends that with
   TENSORC_RT_CANCELLED; nothing is kept of it, and the next call begins anew.
   A kernel that has begun ends first. NULL: nobody is asked. */
TENSORC_RT_API void tensorc_rt_set_interrupt(tensorc_rt_interrupt_fn interrupt,
                                             void *user);
/* Asks, where it is time again: NULL to go on, or TENSORC_RT_CANCELLED. For
   long work between calls. */
TENSORC_RT_API tensorc_rt_status *tensorc_rt_check_interrupt(void);

#ifdef __cplusplus
}
#endif

#endif
