/*===- tune.h - schedules chosen by measurement -----------------------------===*\
|*
|* Conventions of tensorc.h. A schedule says how a kernel shares out its work.
|* It never changes a bit of the results. docs/performance.md says what tuning
|* gains.
|*
\*===----------------------------------------------------------------------===*/
#ifndef TENSORC_TUNE_H
#define TENSORC_TUNE_H

#include "tensorc/tensorc.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tensorc_tune_options {
  size_t struct_size; /* sizeof(tensorc_tune_options) */
  /* How long to search, about. 0: 60. */
  double seconds;
  /* A tuning file, which is made or added to. NULL or "": none. */
  const char *path;
} tensorc_tune_options;

typedef struct tensorc_tuned {
  size_t struct_size; /* sizeof(tensorc_tuned), set by the caller */
  int64_t kernels;    /* that were measured; equal ones count once */
  int64_t faster;     /* of these, by another schedule than the usual one */
  /* One launch of each kernel, in seconds: by the usual schedules, and by those
     that were found. */
  double usual_seconds;
  double seconds;
} tensorc_tuned;

/* Measures the schedules of the kernels that an evaluation of these recorded
   tensors would run on the cpu, for their sizes, and computes none of them.
   Kernels run alone, on drawn values. From then on the process compiles by what
   is fastest, beside what tensorc_set_tuning has given; its other tuning stays.
   What was compiled before is compiled anew. Compilations of other threads
   wait. `options` may be NULL, and `out` too.
   An interrupt (interrupt.h) ends the search with TENSORC_RT_CANCELLED; what
   was found by then is kept. A file that is not a tuning file, or cannot be
   written, and another current device than the cpu are errors. */
TENSORC_API tensorc_status *tensorc_tune(tensorc_tensor *const *tensors,
                                         int32_t count,
                                         const tensorc_tune_options *options,
                                         tensorc_tuned *out);

/* Compiles from now on by the schedules in a file of tensorc_tune or of the
   tool `tensorc tune`, where they were measured on such a machine: target, kind
   of CPU, number of threads. At first it is the file that TENSORC_TUNING names.
   NULL or "": by none. What was compiled before is compiled anew. A file that
   cannot be read is an error, and changes nothing. */
TENSORC_API tensorc_status *tensorc_set_tuning(const char *path);

#ifdef __cplusplus
}
#endif

#endif /* TENSORC_TUNE_H */
