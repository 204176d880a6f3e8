/*===- control.h - branches and loops; in control.hpp ---------------------===*\
|*
|* Conventions of tensorc.h. Bodies are recorded from arguments of a trace
|* (tensorc_trace_argument_like, tensorc_trace_part_like). Other tensors that a
|* body reads are computed before it; numbers become part of the body.
|*
\*===----------------------------------------------------------------------===*/
#ifndef TENSORC_CONTROL_H
#define TENSORC_CONTROL_H

#include "tensorc/tensorc.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A recorded function. */
typedef struct tensorc_body {
  tensorc_tensor *const *arguments;
  int32_t argument_count;
  tensorc_tensor *const *results;
  int32_t result_count;
} tensorc_body;

/* Makes an argument for a trace that is like a slice of x along its first
   axis. */
TENSORC_API tensorc_status *tensorc_trace_part_like(const tensorc_tensor *x,
                                                    tensorc_location at,
                                                    tensorc_tensor **out);

/* Runs one of two bodies: the predicate is one i1. Both take the inputs. `out`
   gets one tensor per result of the bodies. After an error all are NULL. */
TENSORC_API tensorc_status *
tensorc_cond(const tensorc_tensor *predicate, tensorc_tensor *const *inputs,
             int32_t input_count, const tensorc_body *then,
             const tensorc_body *otherwise, tensorc_location at,
             tensorc_tensor **out);

/* Runs the body that the index, one integer, names. An index below 0 means the
   first body, one beyond the last means the last. All bodies take the inputs.
   `out` gets one tensor per result of the bodies. After an error all are NULL.
 */
TENSORC_API tensorc_status *
tensorc_switch(const tensorc_tensor *index, tensorc_tensor *const *inputs,
               int32_t input_count, const tensorc_body *branches,
               int32_t branch_count, tensorc_location at, tensorc_tensor **out);

/* The body is repeated while the condition, one i1, is true. Both take the
   carried tensors, and the body returns those of the next iteration. The loop
   ends after `most` iterations at the latest, and then has a gradient; 0 means
   no bound. `out` gets `count` tensors. After an error all are NULL. */
TENSORC_API tensorc_status *
tensorc_while_loop(tensorc_tensor *const *carried, int32_t count,
                   const tensorc_body *condition, const tensorc_body *body,
                   int64_t most, tensorc_location at, tensorc_tensor **out);

/* The body is repeated `length` times. It takes the number of the iteration
   (an i64), the carried tensors, and a slice of each scanned tensor; `length`
   is the first size of the scanned tensors. It returns the carried tensors of
   the next iteration and a slice of each other result. Slices are stacked
   along a new first axis. If `reverse`, iteration starts with the last slice.
   `out` gets one tensor per result of the body. After an error all are
   NULL. */
TENSORC_API tensorc_status *
tensorc_scan_loop(tensorc_tensor *const *carried, int32_t carried_count,
                  tensorc_tensor *const *scanned, int32_t scanned_count,
                  int64_t length, int32_t reverse, const tensorc_body *body,
                  tensorc_location at, tensorc_tensor **out);

/* Used in place of an axis if all examples share the tensor. */
#define TENSORC_NO_AXIS INT64_MIN

/* Applies a body, which was recorded for one example, to many examples at once.
   `values` replace its arguments. `axes` has the axis of each value that
   enumerates the examples, or TENSORC_NO_AXIS. `result_axes` has the same for
   each result; a result without an axis must be the same for all examples.
   Negative axes count from the end. `out` gets one tensor per result of the
   body. After an error all are NULL. */
TENSORC_API tensorc_status *
tensorc_vmap(tensorc_tensor *const *values, const int64_t *axes, int32_t count,
             const tensorc_body *body, const int64_t *result_axes,
             tensorc_location at, tensorc_tensor **out);

#ifdef __cplusplus
}
#endif
#endif
