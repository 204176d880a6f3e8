/*===- profile.h - counts of the work of kernels on a simulated GPU -------===*\
|*
|* Kernels that `tensorc explain --profile` compiles count what hardware would
|* do for them when a simulated device runs them.
|*
\*===----------------------------------------------------------------------===*/
#ifndef TENSORC_PROFILE_H
#define TENSORC_PROFILE_H

#include "runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Called after each launch of such a kernel, on the thread that made it, with
   the kernel's name and its counts as JSON. Both are alive during the callback
   only. If it throws, the run fails. */
typedef void (*tensorc_rt_profile_hook)(void *user, const char *kernel,
                                        const char *json);
/* Sets the hook of the process; NULL removes it. Without a hook nothing is
   counted. A concurrent launch on another thread may still call the former
   hook. */
TENSORC_RT_API void tensorc_rt_set_profile_hook(tensorc_rt_profile_hook hook,
                                                void *user);

#ifdef __cplusplus
}
#endif

#endif
