/*===- runtime_calls.h - functions of the embedder that programs call ----===*\
|*
|* A part of tensorc/runtime.h, which includes it; its rules hold here, too.
|*
\*===----------------------------------------------------------------------===*/
#ifndef TENSORC_RUNTIME_CALLS_H
#define TENSORC_RUNTIME_CALLS_H

#include "runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

/*===-- Custom calls -----------------------------------------------------===*/

/* The arguments of a custom call. Buffers are dense and row-major; sizes are in
   bytes. The function can address the buffers: if the host cannot address the
   device's memory, they are copied before and after. Dims and other numbers are
   passed as scalars. The function checks its arguments, and returns a status if
   they do not fit. It runs in stream order, for a cpu stream on its thread. */
typedef struct tensorc_rt_custom_call {
  void *user;
  tensorc_rt_device *device;
  int32_t input_count, output_count, scalar_count;
  const void *const *inputs;
  const size_t *input_sizes;
  void *const *outputs;
  const size_t *output_sizes;
  const uint64_t *scalars;
  const char *config; /* "" when the program gives none */
} tensorc_rt_custom_call;

/* Returns NULL, or a status made by tensorc_rt_status_create. */
typedef tensorc_rt_status *(*tensorc_rt_custom_call_fn)(
    const tensorc_rt_custom_call *call);

/* Makes a function known under a name to all modules, for good: a name can be
   registered once. Modules find their functions when they are loaded, so
   register first: a package that calls a missing name is refused with
   TENSORC_RT_NOT_FOUND, except on a device that does not compute. */
TENSORC_RT_API tensorc_rt_status *
tensorc_rt_register_custom_call(const char *name, tensorc_rt_custom_call_fn fn,
                                void *user);

/* A dense, row-major value. */
typedef struct tensorc_rt_array {
  void *data; /* as above, of the host or a copy there */
  tensorc_rt_dtype dtype;
  int32_t rank;
  const int64_t *dims;
} tensorc_rt_array;

/* The arguments of a function that is an op (tx.custom_call). */
typedef struct tensorc_rt_op_call {
  size_t struct_size; /* of the library that calls; it only grows */
  void *user;
  tensorc_rt_device *device; /* NULL under the reference interpreter */
  int32_t input_count, output_count;
  const tensorc_rt_array *inputs;  /* only to be read */
  const tensorc_rt_array *outputs; /* to be filled; undefined at first */
  const char *config;              /* "" when the program gives none */
} tensorc_rt_op_call;

/* Returns NULL, or a status made by tensorc_rt_status_create. The run's error
   is the function's name and this message. It may be called from any thread, on
   several at once. A C++ exception becomes a status with its what(). */
typedef tensorc_rt_status *(*tensorc_rt_op_fn)(const tensorc_rt_op_call *call);

/* Makes a function known under a name, as tensorc_rt_register_custom_call does:
   for good, and once. A package that calls it can be loaded from then on. */
TENSORC_RT_API tensorc_rt_status *
tensorc_rt_register_op(const char *name, tensorc_rt_op_fn fn, void *user);

/* The functions of three ops that are always registered, as "check_numerics",
   "debug_print" and "x[mask] = values". They take one input and give it as
   their output. The first fails where an element is a NaN or an infinity; its
   message begins with the config. The second prints the config and the elements
   on stderr. The third fails where its i64 input, how many places a mask has,
   is not the number in the config, how many values there are. */
TENSORC_RT_API tensorc_rt_status *
tensorc_rt_check_numerics(const tensorc_rt_op_call *call);
TENSORC_RT_API tensorc_rt_status *
tensorc_rt_debug_print(const tensorc_rt_op_call *call);
TENSORC_RT_API tensorc_rt_status *
tensorc_rt_check_mask(const tensorc_rt_op_call *call);

/*===-- Elements of arrays in host memory --------------------------------===*/

/* `tensor([[1.0, 2.0]], dtype=f32)`: the elements as text; of more than 1,000
   only those at the ends of each dimension. Free with tensorc_rt_string_free.
 */
TENSORC_RT_API tensorc_rt_status *
tensorc_rt_array_to_string(const tensorc_rt_array *array, char **out);
TENSORC_RT_API void tensorc_rt_string_free(char *text);

/* The element at a row-major index, as a double and as a 64-bit integer. That
   wraps for ui64, and is 0 for a float that does not fit. */
TENSORC_RT_API tensorc_rt_status *
tensorc_rt_array_element(const tensorc_rt_array *array, int64_t index,
                         double *out_number, int64_t *out_integer);

/* The NaNs and infinities of an array; integers have none. */
typedef struct tensorc_rt_nonfinite {
  int64_t nans, infinities;
  int64_t first; /* the first one's row-major index; -1: there is none */
} tensorc_rt_nonfinite;
TENSORC_RT_API tensorc_rt_status *
tensorc_rt_array_nonfinite(const tensorc_rt_array *array,
                           tensorc_rt_nonfinite *out);
/* NULL where all elements are finite, else an error:
   `3 NaNs and 1 infinity of 100 elements, the first at [0, 5]`. */
TENSORC_RT_API tensorc_rt_status *
tensorc_rt_array_check_finite(const tensorc_rt_array *array);

#ifdef __cplusplus
}
#endif
#endif
