/*===- interrupt.h - a callback that may end long work --------------------===*\
|*
|* For embedders that must stop a long compilation or run, for example on
|* Ctrl-C. A callback is polled by the thread that does the work.
|* tensorc_rt_run_options (runtime.h) offer cancellation and deadlines for
|* single runs instead.
|*
\*===----------------------------------------------------------------------===*/
#ifndef TENSORC_INTERRUPT_H
#define TENSORC_INTERRUPT_H

#include "tensorc/runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Returns nonzero to end the work. It must not call tensorc, because the
   calling thread may hold locks of the library. */
typedef int32_t (*tensorc_rt_interrupt_fn)(void *user);

/* Sets the callback of the calling thread; NULL removes it. The thread calls
   `interrupt` about every 20 ms while it compiles or runs a program: before a
   kernel begins, in loops of the program, and between steps of a compilation.
   If it returns nonzero, the compilation or run fails with
   TENSORC_RT_CANCELLED, without partial results, and can be repeated. A running
   kernel is completed first. */
TENSORC_RT_API void tensorc_rt_set_interrupt(tensorc_rt_interrupt_fn interrupt,
                                             void *user);
/* Calls the thread's callback if enough time has passed since the last call.
   Returns NULL to continue, or a TENSORC_RT_CANCELLED status. For long-running
   code of the embedder. */
TENSORC_RT_API tensorc_rt_status *tensorc_rt_check_interrupt(void);

#ifdef __cplusplus
}
#endif

#endif
