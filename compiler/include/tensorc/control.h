/*===- control.h - branches and loops; in control.hpp ---------------------===*\
|*
|* Conventions of tensorc.h. Bodies are recorded of arguments of a trace
|* (tensorc_trace_argument_like, tensorc_trace_part_like). What a body reads
|* beside them is computed before; numbers are part of it.
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

/* An argument for a trace that is like a part of x along its first axis. */
TENSORC_API tensorc_status *tensorc_trace_part_like(const tensorc_tensor *x,
                                                    tensorc_location at,
                                                    tensorc_tensor **out);

/* One of two bodies, which take the inputs; the predicate is one i1. `out` gets
   as many tensors as the bodies have results. After an error all are NULL. */
TENSORC_API tensorc_status *
tensorc_cond(const tensorc_tensor *predicate, tensorc_tensor *const *inputs,
             int32_t input_count, const tensorc_body *then,
             const tensorc_body *otherwise, tensorc_location at,
             tensorc_tensor **out);

/* The body of the index, one integer; below 0 the first one, beyond the last
   the last. All take the inputs. `out` gets as many tensors as the bodies have
   results. After an error all are NULL. */
TENSORC_API tensorc_status *
tensorc_switch(const tensorc_tensor *index, tensorc_tensor *const *inputs,
               int32_t input_count, const tensorc_body *branches,
               int32_t branch_count, tensorc_location at, tensorc_tensor **out);

/* The body is repeated while the condition, one i1, holds. Both take what is
   carried, of which the body gives the next. `out` gets `count` tensors. */
TENSORC_API tensorc_status *
tensorc_while_loop(tensorc_tensor *const *carried, int32_t count,
                   const tensorc_body *condition, const tensorc_body *body,
                   tensorc_location at, tensorc_tensor **out);

/* The body is repeated `length` times. It takes the number of the iteration, an
   i64, what is carried, and parts of what is scanned, whose first size is the
   length; it gives what is carried next, and parts of the other results, which
   are stacked. `reverse`: the last part comes first. `out` gets as many tensors
   as the body has results. */
TENSORC_API tensorc_status *
tensorc_scan_loop(tensorc_tensor *const *carried, int32_t carried_count,
                  tensorc_tensor *const *scanned, int32_t scanned_count,
                  int64_t length, int32_t reverse, const tensorc_body *body,
                  tensorc_location at, tensorc_tensor **out);

/* In the place of an axis: all examples share the tensor. */
#define TENSORC_NO_AXIS INT64_MIN

/* What a body, which was recorded of one example, does for many at once.
   `values` take the places of its arguments; `axes` says along which axis of
   each its examples lie, or TENSORC_NO_AXIS. `result_axes` says the same of the
   results, of which `out` gets as many as the body has; without an axis they
   must be the same for all examples. Negative axes count from the end. After an
   error all are NULL. */
TENSORC_API tensorc_status *
tensorc_vmap(tensorc_tensor *const *values, const int64_t *axes, int32_t count,
             const tensorc_body *body, const int64_t *result_axes,
             tensorc_location at, tensorc_tensor **out);

#ifdef __cplusplus
}
#endif
#endif
