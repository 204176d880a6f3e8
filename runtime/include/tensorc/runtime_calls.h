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
   bytes. The function can access the buffers: if the host cannot address the
   device's memory, they are copied before and after the call. Dims and other
   numbers are passed as scalars. The function checks its arguments, and returns
   a status if they do not fit. It runs in stream order; on the cpu, on the
   stream's thread. */
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

/* Registers a function under a name for all modules. It cannot be removed or
   replaced. Modules look up their functions when they are loaded, so register
   first: a package that calls an unknown name is refused with
   TENSORC_RT_NOT_FOUND, except on a device that does not compute. */
TENSORC_RT_API tensorc_rt_status *
tensorc_rt_register_custom_call(const char *name, tensorc_rt_custom_call_fn fn,
                                void *user);

/* A dense, row-major value. */
typedef struct tensorc_rt_array {
  void *data; /* in host memory: the buffer itself or a copy */
  tensorc_rt_dtype dtype;
  int32_t rank;
  const int64_t *dims;
} tensorc_rt_array;

/* The arguments of a function that is an op (tx.custom_call). */
typedef struct tensorc_rt_op_call {
  size_t struct_size; /* larger in newer libraries */
  void *user;
  tensorc_rt_device *device; /* NULL in the reference interpreter */
  int32_t input_count, output_count;
  const tensorc_rt_array *inputs;  /* only to be read */
  const tensorc_rt_array *outputs; /* to be filled; undefined at first */
  const char *config;              /* "" when the program gives none */
} tensorc_rt_op_call;

/* Returns NULL, or a status made by tensorc_rt_status_create. The run's error
   is the function's name and this message. It may be called from any thread,
   and from several at once. A C++ exception becomes a status with its
   what(). */
typedef tensorc_rt_status *(*tensorc_rt_op_fn)(const tensorc_rt_op_call *call);

/* Registers an op's function under a name, like
   tensorc_rt_register_custom_call: it cannot be removed or replaced. Packages
   that call it can be loaded afterwards. */
TENSORC_RT_API tensorc_rt_status *
tensorc_rt_register_op(const char *name, tensorc_rt_op_fn fn, void *user);

/* The functions of three ops that are always registered, as "check_numerics",
   "debug_print" and "x[mask] = values". They return their only input as the
   output. The first fails if an element is a NaN or an infinity; its message
   begins with the config. The second prints the config and the elements on
   stderr. The third fails if its i64 input, the number of true elements of a
   mask, differs from the number in the config, the number of values. */
TENSORC_RT_API tensorc_rt_status *
tensorc_rt_check_numerics(const tensorc_rt_op_call *call);
TENSORC_RT_API tensorc_rt_status *
tensorc_rt_debug_print(const tensorc_rt_op_call *call);
TENSORC_RT_API tensorc_rt_status *
tensorc_rt_check_mask(const tensorc_rt_op_call *call);

/*===-- Elements of arrays in host memory --------------------------------===*/

/* Returns the elements as text, `tensor([[1.0, 2.0]], dtype=f32)`; if there are
   more than 1,000, only those at the ends of each dimension. The text is freed
   with tensorc_rt_string_free. */
TENSORC_RT_API tensorc_rt_status *
tensorc_rt_array_to_string(const tensorc_rt_array *array, char **out);
TENSORC_RT_API void tensorc_rt_string_free(char *text);

/* Returns the element at a row-major index as a double and as a 64-bit integer.
   The integer wraps for ui64, and is 0 for a float out of its range. */
TENSORC_RT_API tensorc_rt_status *
tensorc_rt_array_element(const tensorc_rt_array *array, int64_t index,
                         double *out_number, int64_t *out_integer);

/* Counts of the NaNs and infinities of an array; integers have none. */
typedef struct tensorc_rt_nonfinite {
  int64_t nans, infinities;
  int64_t first; /* row-major index of the first of them; -1: there is none */
} tensorc_rt_nonfinite;
TENSORC_RT_API tensorc_rt_status *
tensorc_rt_array_nonfinite(const tensorc_rt_array *array,
                           tensorc_rt_nonfinite *out);
/* Returns NULL if all elements are finite, else an error such as `3 NaNs and 1
   infinity of 100 elements, the first at [0, 5]`. */
TENSORC_RT_API tensorc_rt_status *
tensorc_rt_array_check_finite(const tensorc_rt_array *array);

#ifdef __cplusplus
}
#endif
#endif
