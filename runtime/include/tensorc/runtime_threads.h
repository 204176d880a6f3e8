/*===- runtime_threads.h - threads of the cpu, and hooks on runs ---------===*\
|*
|* A part of tensorc/runtime.h, which includes it; its rules hold here, too.
|*
\*===----------------------------------------------------------------------===*/
#ifndef TENSORC_RUNTIME_THREADS_H
#define TENSORC_RUNTIME_THREADS_H

#include "runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

/*===-- Threads ----------------------------------------------------------===*/

/* Sets how many threads a launch on the cpu may use. The default is the
   environment variable TENSORC_NUM_THREADS, or else the number of processors
   that this process may use. A count below 1 restores the default. If the
   variable is not a number from 1 to 4096, it is ignored with a warning on
   stderr. */
TENSORC_RT_API void tensorc_rt_set_num_threads(int32_t count);
TENSORC_RT_API int32_t tensorc_rt_num_threads(void);

/* Must call task(context, i) once for every i in [0, count), on any threads and
   in any order, and return when all are done. If it has no threads, or throws,
   the calling thread does the remaining tasks afterwards. It must not return
   while a task is running. */
typedef void (*tensorc_rt_parallel_for_fn)(void *user, int64_t count,
                                           void (*task)(void *context,
                                                        int64_t index),
                                           void *context);
/* Uses the embedder's threads instead of oneTBB's; NULL restores oneTBB's. It
   must not be called during a run. */
TENSORC_RT_API void tensorc_rt_set_parallel_for(tensorc_rt_parallel_for_fn fn,
                                                void *user);

/* Processes the items [begin, end). Concurrent calls have different slots. */
typedef void (*tensorc_rt_range_fn)(void *context, int64_t begin, int64_t end,
                                    int32_t slot);
/* Calls the body for parts of [0, extent), each item once, and returns when all
   are done. Parts begin at multiples of the grain (at least 1). Slots are in
   [0, slots), so `slots` also limits the number of threads: pass
   tensorc_rt_num_threads, or the number of scratch areas. Compiled objects call
   this function. It cannot fail: without threads or memory for them the calling
   thread does the work. */
TENSORC_RT_API void tensorc_rt_parallel_for(int64_t extent, int64_t grain,
                                            int32_t slots,
                                            tensorc_rt_range_fn body,
                                            void *context);

/*===-- Watching ---------------------------------------------------------===*/

typedef struct tensorc_rt_launch_record {
  const char *kernel; /* alive during the callback only, like `device` */
  const char *device;
  int64_t begin_ns, end_ns; /* CLOCK_MONOTONIC */
  int64_t extent, grain;
  int32_t threads;
  uint32_t line;    /* of the user's program that needs the kernel; with */
  const char *file; /* NULL: not known. Alive as long as `kernel`. */
  int64_t cpu_ns;   /* processor time of all threads of the process from begin
                       to end, which other processes do not lengthen */
} tensorc_rt_launch_record;

/* Called after each launch, on the thread that made it. If it throws, the run
   fails. */
typedef void (*tensorc_rt_launch_hook)(void *user,
                                       const tensorc_rt_launch_record *record);
/* Sets the hook of the process; NULL removes it. A concurrent launch on another
   thread may still call the former hook. */
TENSORC_RT_API void tensorc_rt_set_launch_hook(tensorc_rt_launch_hook hook,
                                               void *user);

/* Installs handlers that report a SIGSEGV, SIGBUS, SIGFPE or SIGILL that a
   kernel causes on the cpu or a simulated device on stderr, with the kernel's
   name and, if known, the user's line. Then the previous handler is called; the
   default one ends the process. For tools: the library installs no handlers
   unless this is called or TENSORC_CHECK=memory is set. */
TENSORC_RT_API void tensorc_rt_report_faults(void);

typedef struct tensorc_rt_run_stats {
  uint64_t runs, launches, copies, copied_bytes, custom_calls;
} tensorc_rt_run_stats;

/* Returns counts of the work of runs on this device since the process
   began. */
TENSORC_RT_API void
tensorc_rt_device_run_stats(const tensorc_rt_device *device,
                            tensorc_rt_run_stats *out_stats);

#ifdef __cplusplus
}
#endif
#endif
