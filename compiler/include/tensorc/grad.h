/*===- grad.h - gradients of recorded functions; in grad.hpp --------------===*\
|*
|* Conventions of tensorc.h. A function is recorded of arguments that
|* tensorc_trace_argument_like makes; its gradients are expressions like others.
|*
\*===----------------------------------------------------------------------===*/
#ifndef TENSORC_GRAD_H
#define TENSORC_GRAD_H

#include "tensorc/control.h"

#ifdef __cplusplus
extern "C" {
#endif

/* `results` were recorded from `arguments`, and these were made by
   tensorc_trace_argument_like or tensorc_trace_argument. `values` have the
   dtypes and shapes of the arguments. `out_results` gets the results for these
   values. `gradients` gets for each argument the product of the cotangents with
   the derivatives of the results by the argument, or NULL where `wanted` has 0.
   What results and gradients share is computed once.
   `cotangents` has one per result, of its dtype and shape; NULL stands for 0.
   NULL instead of the list: the first result is one float, and its cotangent
   is 1: `gradients` are its gradients.
   Complex numbers count as pairs of floats: a gradient by x + iy is
   d/dx + i d/dy.
   After an error all of both are NULL. */
TENSORC_API tensorc_status *
tensorc_pullback(tensorc_tensor *const *arguments,
                 tensorc_tensor *const *values, const int32_t *wanted,
                 int32_t argument_count, tensorc_tensor *const *results,
                 tensorc_tensor *const *cotangents, int32_t result_count,
                 tensorc_location at, tensorc_tensor **out_results,
                 tensorc_tensor **gradients);

/* x, through which no gradient goes. */
TENSORC_API tensorc_status *tensorc_stop_gradient(const tensorc_tensor *x,
                                                  tensorc_location at,
                                                  tensorc_tensor **out);

/* A function with a gradient of its own. `forward` takes the arguments and has
   `result_count` results, and behind them what `backward` needs. That one takes
   the latter and a cotangent per result, and has a result per argument, its
   cotangent. What the bodies read beside their arguments has no gradient. `out`
   gets `result_count` tensors. After an error all are NULL. */
TENSORC_API tensorc_status *
tensorc_custom_vjp(tensorc_tensor *const *arguments, int32_t argument_count,
                   int32_t result_count, const tensorc_body *forward,
                   const tensorc_body *backward, tensorc_location at,
                   tensorc_tensor **out);

/* The body's results for the arguments. For their gradient only the arguments
   and the tensors that the body captures are kept; everything else is computed
   again. `out` gets one tensor per result of the body. After an error all are
   NULL. */
TENSORC_API tensorc_status *tensorc_checkpoint(tensorc_tensor *const *arguments,
                                               int32_t argument_count,
                                               const tensorc_body *body,
                                               tensorc_location at,
                                               tensorc_tensor **out);

/* Records for gradients while host code reads values and branches on them. From
   its creation on, it records all that the calling thread computes from watched
   tensors, and keeps it until it is released. Only the thread that made a tape
   may use it; any thread may release it. */
typedef struct tensorc_tape tensorc_tape;

TENSORC_API tensorc_status *tensorc_tape_create(tensorc_location at,
                                                tensorc_tape **out);

/* What is made of the tensor, of floats or complex numbers, is recorded from
   now on. */
TENSORC_API tensorc_status *tensorc_tape_watch(tensorc_tape *tape,
                                               const tensorc_tensor *tensor,
                                               tensorc_location at);

/* The derivatives of the target, a float of one element, by the sources:
   watched tensors, or what was made of these. `out` gets one per source, zeros
   where the target does not depend on it. They are expressions like others,
   which other tapes record. May be called any number of times. After an error
   all are NULL. */
TENSORC_API tensorc_status *
tensorc_tape_gradient(tensorc_tape *tape, const tensorc_tensor *target,
                      tensorc_tensor *const *sources, int32_t count,
                      tensorc_location at, tensorc_tensor **out);

TENSORC_API void tensorc_tape_release(tensorc_tape *tape);

#ifdef __cplusplus
}
#endif
#endif
