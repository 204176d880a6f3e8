/*===- tensorc.h - record, compile and run: the C interface ---------------===*\
|*
|* Operations record; nothing runs before a value is needed (tensorc_eval,
|* tensorc_read, tensorc_to_string). C99; tensorc.hpp wraps it for C++.
|* docs/embedding.md shows it at work.
|*
|* libtensorc links the runtime, whose interface (tensorc/runtime.h) completes
|* this one: devices and their properties, memory statistics, streams, events,
|* threads, and packages (tensorc_rt_load). Values pass between the two without
|* a copy: tensorc_tensor_buffer, tensorc_from_buffer, tensorc_call.
|*
|* Errors.  A function that can fail returns a status that the caller owns: NULL
|* is success, anything else is freed with tensorc_status_free. On failure out
|* parameters are set to NULL or 0. Shape, dtype and axis errors come from the
|* call that records the operation, and name its location. NULL where a comment
|* does not allow it (a tensor, an out parameter, a list that is not empty) is
|* refused with TENSORC_INVALID_ARGUMENT, as are negative counts and unknown
|* enumerators; functions without a status then do nothing and return 0.
|*
|* Ownership.  A tensor is an immutable value behind a counted handle. Functions
|* that make one give a handle through `out`; the caller releases it. They
|* retain the arguments that they need. An evaluation also stores intermediate
|* tensors that still have a handle, except cheap ones
|* (tensorc_set_store_intermediates), so release handles that are not needed.
|* Texts and arrays that are passed are copied unless a comment says otherwise.
|*
|* Threads.  Every function may be called from any thread at any time, on the
|* same tensors, too. docs/embedding.md says what a forked child may do.
|*
|* Structs that may grow begin with struct_size, which the caller sets to the
|* sizeof that it was compiled with: older callers and newer libraries agree.
|*
|* Shapes are counted in elements, row-major; a rank is at most 16. Axes may be
|* negative, counting from the end. `at` is the location of the call in the
|* user's program; `at.file` must live as long as the process (a string
|* literal) or be NULL.
|*
\*===----------------------------------------------------------------------===*/
#ifndef TENSORC_TENSORC_H
#define TENSORC_TENSORC_H

#include "tensorc/runtime.h"

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define TENSORC_API __attribute__((visibility("default")))
#else
#define TENSORC_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tensorc_tensor tensorc_tensor;
typedef struct tensorc_function tensorc_function;

/*===-- Status -----------------------------------------------------------===*/

/* The library's version, "0.3.0". Static. */
TENSORC_API const char *tensorc_version(void);

/* The runtime's statuses. */
typedef struct tensorc_rt_status tensorc_status;

typedef enum tensorc_code {
  TENSORC_OK = 0,
  TENSORC_INVALID_ARGUMENT = 1,
  TENSORC_INVALID_PACKAGE = 2,
  TENSORC_NOT_FOUND = 3,
  TENSORC_OUT_OF_MEMORY = 4,
  TENSORC_FAILED_PRECONDITION = 5,
  TENSORC_UNSUPPORTED = 6,
  TENSORC_DEVICE_ERROR = 7,
  TENSORC_CUSTOM_CALL = 8,
  TENSORC_CANCELLED = 9,
  TENSORC_DEADLINE_EXCEEDED = 10,
  TENSORC_RESOURCE_EXHAUSTED = 11,
  TENSORC_UNTRUSTED = 12
} tensorc_code;

/* TENSORC_OK for NULL. */
TENSORC_API tensorc_code tensorc_status_code(const tensorc_status *status);
/* Alive as long as the status; "" for NULL. */
TENSORC_API const char *tensorc_status_message(const tensorc_status *status);
TENSORC_API void tensorc_status_free(tensorc_status *status);

/* Frees a text that a function returned through a `char **`. Accepts NULL. */
TENSORC_API void tensorc_string_free(char *text);

/*===-- Types ------------------------------------------------------------===*/

/* The values equal those of tensorc_rt_dtype. */
typedef enum tensorc_dtype {
  TENSORC_I1 = 1, /* one byte, 0 or 1 */
  TENSORC_I8 = 2,
  TENSORC_I16 = 3,
  TENSORC_I32 = 4,
  TENSORC_I64 = 5,
  TENSORC_UI8 = 6,
  TENSORC_UI16 = 7,
  TENSORC_UI32 = 8,
  TENSORC_UI64 = 9,
  TENSORC_F16 = 10,
  TENSORC_BF16 = 11,
  TENSORC_F32 = 12,
  TENSORC_F64 = 13,
  /* Storage dtypes: these four can be moved and converted, but not computed
     with. */
  TENSORC_I4 = 14, /* two to a byte, the low nibble first */
  TENSORC_UI4 = 15,
  TENSORC_F8E4M3FN = 16, /* without infinities: beyond 464 is NaN */
  TENSORC_F8E5M2 = 17,
  /* Complex numbers: real part, then imaginary part, as in C99. */
  TENSORC_C64 = 18, /* of f32 */
  TENSORC_C128 = 19
} tensorc_dtype;

/* "f32", "ui8", ...; static. */
TENSORC_API const char *tensorc_dtype_name(tensorc_dtype dtype);
/* The size of one element in bytes; 1 also for i4 and ui4. */
TENSORC_API int64_t tensorc_dtype_size(tensorc_dtype dtype);
/* The dtype of an operation on two dtypes, by the array API's table. In cases
   that the table leaves open, an integer and a float give the float dtype, and
   i1 and a number give the number's dtype. 0 if there is none, as for i4, ui4
   and f8. */
TENSORC_API tensorc_dtype tensorc_promote(tensorc_dtype a, tensorc_dtype b);

typedef struct tensorc_location {
  const char *file;
  uint32_t line;
} tensorc_location;

typedef enum tensorc_arg_kind {
  TENSORC_ARG_TENSOR = 0,
  TENSORC_ARG_BOOL = 1,
  TENSORC_ARG_INT = 2,
  TENSORC_ARG_FLOAT = 3,
  TENSORC_ARG_UINT = 4, /* above INT64_MAX; below it as TENSORC_ARG_INT */
  TENSORC_ARG_COMPLEX = 5
} tensorc_arg_kind;

/* A tensor, or a number that takes the dtype of the tensors that it is
   combined with. (A float with integers gives the default dtype; with i1, an
   integer gives i32. A complex number turns f64 into c128, and other real
   dtypes into c64.) `kind` determines which fields are used. Functions take
   its address and do not keep it, so every language that can call C can pass
   one. */
typedef struct tensorc_arg {
  tensorc_arg_kind kind;
  const tensorc_tensor *tensor;
  int64_t integer; /* a bool is 0 or 1; TENSORC_ARG_UINT has its 64 bits here */
  double real;     /* a float's value, or the real part */
  double imaginary;
} tensorc_arg;

static inline tensorc_arg tensorc_tensor_arg(const tensorc_tensor *tensor) {
  tensorc_arg arg = {TENSORC_ARG_TENSOR, tensor, 0, 0, 0};
  return arg;
}
static inline tensorc_arg tensorc_int_arg(int64_t value) {
  tensorc_arg arg = {TENSORC_ARG_INT, NULL, value, 0, 0};
  return arg;
}
static inline tensorc_arg tensorc_uint_arg(uint64_t value) {
  tensorc_arg arg = {TENSORC_ARG_UINT, NULL, (int64_t)value, 0, 0};
  return arg;
}
static inline tensorc_arg tensorc_bool_arg(int value) {
  tensorc_arg arg = {TENSORC_ARG_BOOL, NULL, value != 0, 0, 0};
  return arg;
}
static inline tensorc_arg tensorc_float_arg(double value) {
  tensorc_arg arg = {TENSORC_ARG_FLOAT, NULL, 0, value, 0};
  return arg;
}
static inline tensorc_arg tensorc_complex_arg(double re, double im) {
  tensorc_arg arg = {TENSORC_ARG_COMPLEX, NULL, 0, re, im};
  return arg;
}

#ifndef __cplusplus
/* The address of an argument that lives as long as the block around it, of a
   tensor or a real number: tensorc_mul(TENSORC_ARG(x), TENSORC_ARG(2), ...). */
#define TENSORC_ARG(x)                                                         \
  ((const tensorc_arg[1]){__extension__ _Generic((x),                          \
                              tensorc_tensor *: tensorc_tensor_arg,            \
                              const tensorc_tensor *: tensorc_tensor_arg,      \
                              _Bool: tensorc_bool_arg,                         \
                              float: tensorc_float_arg,                        \
                              double: tensorc_float_arg,                       \
                              unsigned long: tensorc_uint_arg,                 \
                              unsigned long long: tensorc_uint_arg,            \
                              default: tensorc_int_arg)(x)})
#endif

/*===-- Tensors ----------------------------------------------------------===*/

/* Add and drop a reference to the tensor. Both accept NULL. */
TENSORC_API void tensorc_tensor_retain(tensorc_tensor *tensor);
TENSORC_API void tensorc_tensor_release(tensorc_tensor *tensor);
/* Return facts that are known without evaluation; 0 or NULL for NULL. */
TENSORC_API tensorc_dtype tensorc_tensor_dtype(const tensorc_tensor *tensor);
TENSORC_API int32_t tensorc_tensor_rank(const tensorc_tensor *tensor);
/* Reads the number of elements of x[mask] or nonzero(x), which otherwise
   happens when the sizes are needed. Does nothing for other tensors, whose
   sizes are known. If it fails, the sizes below are 0, and evaluations fail in
   the same way. */
TENSORC_API tensorc_status *tensorc_tensor_settle(tensorc_tensor *tensor);
/* `rank` sizes, alive as long as the tensor. */
TENSORC_API const int64_t *tensorc_tensor_dims(const tensorc_tensor *tensor);
/* The location at which the tensor was recorded. */
TENSORC_API tensorc_location
tensorc_tensor_location(const tensorc_tensor *tensor);
/* Returns 1 if the value has been computed. */
TENSORC_API int32_t tensorc_tensor_is_evaluated(const tensorc_tensor *tensor);
/* Returns 1 for an argument of a function that is being traced. */
TENSORC_API int32_t tensorc_tensor_is_traced(const tensorc_tensor *tensor);
/* Returns 1 while a tape of the calling thread records (grad.h). A tape cannot
   record the operations of a compiled function, so perform these operations
   instead of calling it. */
TENSORC_API int32_t tensorc_tape_is_recording(void);

/* Copies the data. `strides` are in elements and may be negative; NULL means
   dense. */
TENSORC_API tensorc_status *
tensorc_from_data(tensorc_dtype dtype, int32_t rank, const int64_t *dims,
                  const void *data, const int64_t *strides, tensorc_location at,
                  tensorc_tensor **out);

typedef void (*tensorc_deleter)(void *user, void *data);
/* Uses memory in place until it calls `deleter` (NULL: none), from any thread;
   until then the memory must not be modified. On failure the deleter is not
   called. `strides` are in elements and may be negative or 0; NULL means
   dense. The memory is copied, and the deleter called before this returns, if
   it is not aligned to its elements, if the device has separate memory, for
   4-bit integers, if elements overlap such that a stride is not a multiple of
   the next smaller one, or if it has gaps and less than 1 MiB. */
TENSORC_API tensorc_status *
tensorc_from_strided_memory(tensorc_dtype dtype, int32_t rank,
                            const int64_t *dims, const int64_t *strides,
                            void *data, tensorc_deleter deleter, void *user,
                            tensorc_location at, tensorc_tensor **out);
/* The same for dense memory. */
TENSORC_API tensorc_status *
tensorc_from_memory(tensorc_dtype dtype, int32_t rank, const int64_t *dims,
                    void *data, tensorc_deleter deleter, void *user,
                    tensorc_location at, tensorc_tensor **out);

/* Operations are in tensorc/functions.h, which this includes, and in
   tensorc/ops.h: the element-wise ones. TENSORC_NONE stands for an absent
   start, stop or axis. */
#define TENSORC_NONE INT64_MIN

/*===-- Functions of the program as operations ---------------------------===*/

typedef struct tensorc_type {
  tensorc_dtype dtype;
  int32_t rank;
  int64_t dims[TENSORC_RT_MAX_RANK];
} tensorc_type;

/* Sets the `output_count` output types. Returns NULL, or a status made by
   tensorc_rt_status_create. Called by tensorc_custom_call, on its thread. */
typedef tensorc_status *(*tensorc_shape_rule)(
    void *user, const tensorc_type *inputs, int32_t input_count,
    const char *config, tensorc_type *outputs, int32_t output_count);

typedef struct tensorc_custom_op {
  size_t struct_size; /* sizeof(tensorc_custom_op) */
  const char *name;   /* for the process; as "app.smooth" */
  /* Computes the outputs (tensorc/runtime.h). The result must depend on inputs
     and config only: equal calls may be merged, and unused ones removed. It may
     run on any thread, on several at once, and must not evaluate tensors. */
  tensorc_rt_op_fn function;
  tensorc_shape_rule shape_rule; /* NULL: each call gives its output types */
  void *user;                    /* passed to both; never freed */
  /* The name of the custom op that computes the gradients: it takes the inputs,
     the outputs and the outputs' gradients, and returns a gradient per input.
     NULL: the op has no gradient. */
  const char *derivative;
} tensorc_custom_op;
/* Registers a function for expressions, and for packages that are loaded from
   now on. The registration is permanent, and a name can be registered only
   once. Strings are copied. */
TENSORC_API tensorc_status *
tensorc_register_custom_op(const tensorc_custom_op *op);
/* Records a call. `output_types` may be NULL if the op has a shape rule.
   `config` (NULL: "") is passed to the function and is part of the cache key:
   another config compiles again. `results` gets `output_count` handles. An
   error of the function comes from the evaluation, with its own message and the
   location `at`. */
TENSORC_API tensorc_status *
tensorc_custom_call(const char *name, const tensorc_tensor *const *inputs,
                    int32_t input_count, const tensorc_type *output_types,
                    int32_t output_count, const char *config,
                    tensorc_location at, tensorc_tensor **results);

/* Returns x unchanged. An evaluation that computes the result fails if an
   element is NaN or infinite. The error has the text (NULL: ""), the number of
   such elements, the index of the first, and `at`. The check is also performed
   in compiled functions and packages, but only if its result is used. It ends a
   fusion. */
TENSORC_API tensorc_status *tensorc_check_numerics(const tensorc_tensor *x,
                                                   const char *text,
                                                   tensorc_location at,
                                                   tensorc_tensor **out);
/* Returns x unchanged. An evaluation that computes the result prints the text
   and the elements on stderr. Otherwise like tensorc_check_numerics. */
TENSORC_API tensorc_status *tensorc_debug_print(const tensorc_tensor *x,
                                                const char *text,
                                                tensorc_location at,
                                                tensorc_tensor **out);

/*===-- Values -----------------------------------------------------------===*/

/* Computes the values of all tensors; shared work is done once. On failure
   some values may have been computed. */
TENSORC_API tensorc_status *tensorc_eval(tensorc_tensor *const *tensors,
                                         int32_t count);
/* Evaluates and copies; `size` must be the tensor's size in bytes. */
TENSORC_API tensorc_status *tensorc_read(tensorc_tensor *tensor, void *data,
                                         size_t size);
/* Returns the only element, both as a float and as an integer. */
TENSORC_API tensorc_status *tensorc_item(tensorc_tensor *tensor, double *out_f,
                                         int64_t *out_i);
/* Evaluates the tensor and returns a text such as `tensor([[1, 2], [3, 4]],
   dtype=i32)`: abridged if it is large, and with `, device=sim:0` if it is not
   on the current device. */
TENSORC_API tensorc_status *tensorc_to_string(tensorc_tensor *tensor,
                                              char **out);
/* Returns a tx module that computes only this tensor, with names for sizes if
   `symbolic`. Nothing is evaluated. */
TENSORC_API tensorc_status *tensorc_to_mlir(tensorc_tensor *tensor,
                                            int32_t symbolic, char **out);

/*===-- Tensors and the runtime ------------------------------------------===*/

/* Returns the runtime's device on which tensors of the current device are.
   Load packages for this device. Not released. */
TENSORC_API tensorc_status *tensorc_runtime_device(tensorc_rt_device **out);
/* Evaluates the tensor and returns a reference to its memory, which must not be
   modified. */
TENSORC_API tensorc_status *tensorc_tensor_buffer(tensorc_tensor *tensor,
                                                  tensorc_rt_buffer **out);
/* Makes a tensor from a buffer, on its device. The buffer is dense and at
   least as large as the shape needs. Adds a reference. The buffer must not be
   modified from now on. */
TENSORC_API tensorc_status *
tensorc_from_buffer(tensorc_dtype dtype, int32_t rank, const int64_t *dims,
                    tensorc_rt_buffer *buffer, tensorc_location at,
                    tensorc_tensor **out);
/* Runs an entry of a loaded package (tensorc_rt_load, tensorc_rt_module_find)
   with one argument per input. The arguments are evaluated first. A number may
   be passed for a scalar or an input of rank 0. `results` gets one handle per
   output. Errors name the entry and the call's location. */
TENSORC_API tensorc_status *tensorc_call(const tensorc_rt_entry *entry,
                                         const tensorc_arg *arguments,
                                         int32_t count, tensorc_location at,
                                         tensorc_tensor **results,
                                         int32_t result_count);

/*===-- Functions traced once --------------------------------------------===*/

/* Sets the name of the function for which this thread traces, such as "vmap" or
   "grad". Errors about values that are unknown while tracing contain it. The
   default and NULL mean "jit". The name is not copied. Returns the previous
   name. */
TENSORC_API const char *tensorc_set_tracer(const char *name);
TENSORC_API const char *tensorc_tracer(void);
/* Makes an argument for a trace. */
TENSORC_API tensorc_status *
tensorc_trace_argument(tensorc_dtype dtype, int32_t rank, const int64_t *dims,
                       tensorc_location at, tensorc_tensor **out);
/* Makes a function from results that were recorded from arguments. Numbers and
   other tensors that the results depend on are fixed from now on. */
TENSORC_API tensorc_status *
tensorc_function_create(tensorc_tensor *const *arguments,
                        int32_t argument_count, tensorc_tensor *const *results,
                        int32_t result_count, tensorc_function **out);
TENSORC_API void tensorc_function_release(tensorc_function *function);
/* Returns 1 if dtypes and shapes match those of the trace. */
TENSORC_API int32_t tensorc_function_accepts(const tensorc_function *function,
                                             tensorc_tensor *const *arguments,
                                             int32_t count);
/* The number of arguments and of results; 0 for NULL. */
TENSORC_API int32_t
tensorc_function_argument_count(const tensorc_function *function);
TENSORC_API int32_t
tensorc_function_result_count(const tensorc_function *function);
/* Runs the function immediately. The arguments must be accepted by it.
   `results` receives one handle per result. */
TENSORC_API tensorc_status *
tensorc_function_call(const tensorc_function *function,
                      tensorc_tensor *const *arguments,
                      tensorc_tensor **results);

/* Returns the dtype and shape of a result; -1 for each named size. */
TENSORC_API tensorc_status *
tensorc_function_result(const tensorc_function *function, int32_t index,
                        tensorc_type *out);
typedef struct tensorc_call_options {
  size_t struct_size; /* sizeof(tensorc_call_options) */
  /* NULL, or for each argument whether the call takes ownership of its handle.
     It then releases the handle, even on failure, and may compute a result in
     its memory if nothing else holds the value. */
  const uint8_t *donated;
  /* NULL, or for each result NULL or a buffer for its value: on the function's
     device, as large as the value, and not overlapping arguments or other such
     buffers. The result shares the buffer, so write to it only when nothing
     holds the result. */
  tensorc_rt_buffer *const *outputs;
} tensorc_call_options;
/* tensorc_function_call into memory of the caller. `options` may be NULL, and
   so may `results` if only the buffers are wanted. */
TENSORC_API tensorc_status *tensorc_function_call_into(
    const tensorc_function *function, tensorc_tensor *const *arguments,
    const tensorc_call_options *options, tensorc_tensor **results);

/*===-- Devices and counters ---------------------------------------------===*/

/* Sets the default device: "cpu", "cuda:0", "reference"; see devices.h.
   Initially it is TENSORC_DEVICE of the environment, or "cpu". */
TENSORC_API tensorc_status *tensorc_set_default_device(const char *name);
TENSORC_API tensorc_status *tensorc_default_device(char **out);

typedef struct tensorc_compile_stats {
  size_t struct_size; /* set by the caller: sizeof(tensorc_compile_stats) */
  uint64_t compilations;
  uint64_t hits;  /* evaluations that found their kernels in memory */
  double seconds; /* spent in compilations */
  /* Why the compilations: */
  uint64_t new_structure;         /* nothing of this structure was known */
  uint64_t second_size;           /* compiled for all sizes */
  uint64_t sizes_not_expressible; /* compiled for single sizes */
  uint64_t symbolic_failed;       /* the same, after a failure for all sizes */
  /* Counts of the disk cache, which is searched before each compilation if it
     is on: */
  uint64_t disk_hits;
  uint64_t disk_misses;
  /* A further reason: the same sizes occurred often, so kernels were compiled
     for these sizes, which are faster than those for all sizes. */
  uint64_t frequent_sizes;
  /* The number of compiled kernels, and the bytes of their machine code (0 for
     targets whose images do not contain it, such as PTX). */
  uint64_t kernels;
  uint64_t code_bytes;
  double processor_seconds; /* of all threads that worked on them */
} tensorc_compile_stats;
/* Fills in the fields that `struct_size` covers. */
TENSORC_API void tensorc_get_compile_stats(tensorc_compile_stats *out);
/* Sets the counters to 0; with `forget_kernels`, also empties the cache. */
TENSORC_API void tensorc_reset_compile_stats(int32_t forget_kernels);
typedef struct tensorc_disk_cache_options {
  size_t struct_size; /* sizeof(tensorc_disk_cache_options) */
  /* The folder of the cache. It is created if it is missing, and other users
     must not be able to write to it. NULL or "": none; "auto": tensorc in the
     user's cache folder ($XDG_CACHE_HOME or ~/.cache). */
  const char *folder;
  /* A folder that is searched after `folder` and never written to, for entries
     that an application ships with. NULL or "": none. */
  const char *read_only_folder;
  /* The maximum size of `folder` in bytes, beyond which the least recently used
     entries are removed. 0: 512 MiB; UINT64_MAX: no limit. */
  uint64_t size_limit;
} tensorc_disk_cache_options;
/* Compilations of other processes, kept in files (docs/embedding.md). Initially
   off, unless TENSORC_CACHE_DIR, TENSORC_CACHE_READ_DIR and TENSORC_CACHE_SIZE
   of the environment set it. NULL turns it off. The texts are copied. A folder
   that cannot be used is not an error: see tensorc_disk_cache_folder. */
TENSORC_API tensorc_status *
tensorc_set_disk_cache(const tensorc_disk_cache_options *options);
/* The folder that is written to; "" when there is none or it is unusable. Free
   with tensorc_string_free. */
TENSORC_API tensorc_status *tensorc_disk_cache_folder(char **out);
/* If on, a compilation that takes longer than a second shows its progress in a
   line on stderr, if that is a terminal. Initially on, unless TENSORC_PROGRESS
   is "off". */
TENSORC_API void tensorc_set_progress(int32_t on);
/* If on, an evaluation stores the value of every intermediate tensor that the
   program still holds. Initially off, unless TENSORC_STORE_INTERMEDIATES is
   "1". When it is off, the first evaluation that reaches a held tensor does not
   store it if it is cheap: at most 16 element-wise and shape operations lead
   from stored values to it, and these values together are not larger. */
TENSORC_API void tensorc_set_store_intermediates(int32_t on);
/* If on, each operation is evaluated when it is recorded, as a separate kernel,
   so that a debugger can step through values and an error names the line of the
   operation. Initially off, unless TENSORC_OP_BY_OP is "1". Functions that are
   being traced are compiled as always. */
TENSORC_API void tensorc_set_op_by_op(int32_t on);
/* For host languages with a global lock, such as Python's GIL. Recording an
   operation may evaluate: with tensorc_set_op_by_op, or for a path of 8,192
   operations that were never read. From now on, in every thread, `leave` is
   called before such an evaluation, and `enter` after it with the result of
   `leave`. Both run on the recording thread while it holds no lock of tensorc.
   Pass both or neither; NULL, the initial state, calls nothing. */
typedef void *(*tensorc_leave_fn)(void);
typedef void (*tensorc_enter_fn)(void *left);
TENSORC_API tensorc_status *tensorc_set_host_lock(tensorc_leave_fn leave,
                                                  tensorc_enter_fn enter);
/* Sets the precision to which the calling thread's products of f32 matrices
   (matmul, dot_general, tensordot, einsum) round their operands: "highest", the
   initial one, does not round, "tf32" keeps 10 fraction bits, "bf16" 7.
   Products are then exact, and sums are f32. Other dtypes and layers such as
   conv and attention are not affected. NULL means "highest". */
TENSORC_API tensorc_status *tensorc_set_matmul_precision(const char *name);
/* Returns the name of the precision. The string lives as long as the
   process. */
TENSORC_API const char *tensorc_matmul_precision(void);
/* Sets the default dtype of floats: TENSORC_F32, the initial one, or
   TENSORC_F64. It is used by C++ and Python functions that make tensors without
   a dtype, and for floats of the host language combined with integers; complex
   numbers get the corresponding complex dtype. It applies to all threads that
   have not called tensorc_set_thread_dtype. */
TENSORC_API tensorc_status *tensorc_set_default_dtype(tensorc_dtype dtype);
/* Sets the default dtype of the calling thread; 0 returns to the process's. */
TENSORC_API tensorc_status *tensorc_set_thread_dtype(tensorc_dtype dtype);
/* Returns the default dtype of the calling thread. */
TENSORC_API tensorc_dtype tensorc_default_dtype(void);
/* Returns the dtype that tensorc_set_thread_dtype set for this thread; 0 for
   none. */
TENSORC_API tensorc_dtype tensorc_thread_dtype(void);
/* Returns the names of the kernels of the last run, one per line. */
TENSORC_API tensorc_status *tensorc_last_kernels(char **out);

#ifdef __cplusplus
}
#endif

#include "tensorc/functions.h"
#endif
