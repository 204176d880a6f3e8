/*===- grad.h - gradients of recorded functions; in grad.hpp --------------===*\
|*
|* Conventions of tensorc.h. A function is recorded from arguments that
|* tensorc_trace_argument_like makes; its gradients are expressions like others.
|*
\*===----------------------------------------------------------------------===*/
#ifndef TENSORC_GRAD_H
#define TENSORC_GRAD_H

#include "tensorc/control.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Computes results and gradients of a recorded function. `results` were
   recorded from `arguments`, which were made by tensorc_trace_argument_like or
   tensorc_trace_argument. `values` have the dtypes and shapes of the arguments.
   `out_results` gets the results for these values. `gradients` gets for each
   argument the product of the cotangents with the derivatives of the results
   with respect to the argument, or NULL if `wanted` is 0 for it. Shared work is
   done once. `cotangents` has one tensor per result, of its dtype and shape;
   NULL means 0. If the list itself is NULL, the first result must be one float,
   its cotangent is 1, and `gradients` are its gradients. The gradient with
   respect to a complex x + iy is d/dx + i d/dy. After an error all outputs are
   NULL. */
TENSORC_API tensorc_status *
tensorc_pullback(tensorc_tensor *const *arguments,
                 tensorc_tensor *const *values, const int32_t *wanted,
                 int32_t argument_count, tensorc_tensor *const *results,
                 tensorc_tensor *const *cotangents, int32_t result_count,
                 tensorc_location at, tensorc_tensor **out_results,
                 tensorc_tensor **gradients);

/* Returns x as a constant for gradients. */
TENSORC_API tensorc_status *tensorc_stop_gradient(const tensorc_tensor *x,
                                                  tensorc_location at,
                                                  tensorc_tensor **out);

/* Applies a function with a custom gradient. `forward` takes the arguments and
   returns `result_count` results, followed by values for `backward`. `backward`
   takes these values and a cotangent per result, and returns a cotangent per
   argument. Captured values have no gradient. `out` gets `result_count`
   tensors. After an error all are NULL. */
TENSORC_API tensorc_status *
tensorc_custom_vjp(tensorc_tensor *const *arguments, int32_t argument_count,
                   int32_t result_count, const tensorc_body *forward,
                   const tensorc_body *backward, tensorc_location at,
                   tensorc_tensor **out);

/* Applies the body to the arguments. For the gradient only the arguments and
   captured tensors are kept; everything else is recomputed. `out` gets one
   tensor per result of the body. After an error all are NULL. */
TENSORC_API tensorc_status *tensorc_checkpoint(tensorc_tensor *const *arguments,
                                               int32_t argument_count,
                                               const tensorc_body *body,
                                               tensorc_location at,
                                               tensorc_tensor **out);

/* A tape records operations for gradients while host code reads values and
   branches on them. From its creation until its release it records everything
   that the calling thread computes from watched tensors. Only the thread that
   made a tape may use it; any thread may release it. */
typedef struct tensorc_tape tensorc_tape;

TENSORC_API tensorc_status *tensorc_tape_create(tensorc_location at,
                                                tensorc_tape **out);

/* From now on, records values computed from the tensor, which has floats or
   complex numbers. */
TENSORC_API tensorc_status *tensorc_tape_watch(tensorc_tape *tape,
                                               const tensorc_tensor *tensor,
                                               tensorc_location at);

/* Computes the derivatives of the target, a float of one element, with respect
   to the sources: watched tensors, or values computed from them. `out` gets one
   tensor per source, zeros if the target does not depend on it. They are
   ordinary expressions, which outer tapes record. May be called any number of
   times. After an error all are NULL. */
TENSORC_API tensorc_status *
tensorc_tape_gradient(tensorc_tape *tape, const tensorc_tensor *target,
                      tensorc_tensor *const *sources, int32_t count,
                      tensorc_location at, tensorc_tensor **out);

TENSORC_API void tensorc_tape_release(tensorc_tape *tape);

#ifdef __cplusplus
}
#endif
#endif
