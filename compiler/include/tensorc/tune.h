/*===- tune.h - schedules chosen by measurement -----------------------------===*\
|*
|* Conventions of tensorc.h. A schedule determines how a kernel divides its
|* work. It never changes a bit of the results. docs/performance.md lists the
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
  /* Approximate duration of the search; 0 means 60. */
  double seconds;
  /* Path of a tuning file to create or extend. NULL or "": none. */
  const char *path;
} tensorc_tune_options;

typedef struct tensorc_tuned {
  size_t struct_size; /* sizeof(tensorc_tuned), set by the caller */
  int64_t kernels;    /* measured ones; equal kernels count once */
  int64_t faster;     /* kernels with a faster schedule than the default */
  /* Seconds that one launch of each kernel takes in total: with the default
     schedules, and with the fastest ones. */
  double usual_seconds;
  double seconds;
} tensorc_tuned;

/* Measures the schedules of the kernels that an evaluation of these recorded
   tensors would run on the cpu, without computing the tensors. Kernels run
   alone, on random values. From then on the process compiles with the fastest
   schedules, in addition to those of tensorc_set_tuning. Existing kernels are
   compiled again. Compilations of other threads wait. `options` and `out` may
   be NULL. An interrupt (interrupt.h) ends the search with
   TENSORC_RT_CANCELLED; the results so far are kept. A file that is not a
   tuning file, or cannot be written, and another current device than the cpu
   are errors. */
TENSORC_API tensorc_status *tensorc_tune(tensorc_tensor *const *tensors,
                                         int32_t count,
                                         const tensorc_tune_options *options,
                                         tensorc_tuned *out);

/* Compiles from now on with the schedules in a file of tensorc_tune or of the
   tool `tensorc tune`, if they were measured with the same target, kind of CPU
   and number of threads. Initially it is the file that TENSORC_TUNING names.
   NULL or "": none. Existing kernels are compiled again. A file that cannot be
   read is an error, and changes nothing. */
TENSORC_API tensorc_status *tensorc_set_tuning(const char *path);

#ifdef __cplusplus
}
#endif

#endif /* TENSORC_TUNE_H */
