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
|* enumerators; functions without a status do nothing with it and give 0.
|*
|* Ownership.  A tensor is an immutable value behind a counted handle. Functions
|* that make one give a handle through `out`; the caller releases it. They keep
|* what they need of their arguments. An evaluation also stores intermediate
|* tensors that still have a handle, except cheap ones
|* (tensorc_set_store_intermediates), so release handles that are not needed.
|* Texts and arrays that are passed are copied unless a comment says otherwise.
|*
|* Threads.  Every function may be called from any thread at any time, on the
|* same tensors too. A forked child may go on as docs/embedding.md says.
|*
|* Structs that may grow begin with struct_size, which the caller sets to the
|* sizeof that it was compiled with: older callers and newer libraries agree.
|*
|* Shapes are counted in elements, row-major; a rank is at most 16. Axes may be
|* negative, counting from the end. `at` is where the user's program made the
|* call; `at.file` must live as long as the process (a string literal) or be
|* NULL.
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

/* Frees the text that a function gave through a `char **`. Accepts NULL. */
TENSORC_API void tensorc_string_free(char *text);

/*===-- Types ------------------------------------------------------------===*/

/* The numbers are tensorc_rt_dtype's. */
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
  /* Storage: these four are moved and converted, not computed with. */
  TENSORC_I4 = 14, /* two to a byte, the low nibble first */
  TENSORC_UI4 = 15,
  TENSORC_F8E4M3FN = 16, /* without infinities: beyond 464 is NaN */
  TENSORC_F8E5M2 = 17,
  /* Complex numbers: a real and behind it an imaginary part, as C99's. */
  TENSORC_C64 = 18, /* of f32 */
  TENSORC_C128 = 19
} tensorc_dtype;

/* "f32", "ui8", ...; static. */
TENSORC_API const char *tensorc_dtype_name(tensorc_dtype dtype);
/* Bytes that hold one element: of i4 and ui4, too, one. */
TENSORC_API int64_t tensorc_dtype_size(tensorc_dtype dtype);
/* The dtype of an operation on two: the array API's table; beyond it an integer
   takes the dtype of a float, and i1 that of a number. 0 when there is none, as
   with i4, ui4 and f8. */
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

/* A tensor, or a number that takes the dtype of the tensors it meets (unless
   they are integers and it is a float: then f32; or they are i1 and it is not a
   bool: then i32).
   A complex number makes f64 c128, and other real dtypes c64.
   `kind` says which fields count. Functions take its address and keep nothing
   of it, so every language that can call C can pass one. */
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

/* Adds a reference to the tensor, and drops one. Both accept NULL. */
TENSORC_API void tensorc_tensor_retain(tensorc_tensor *tensor);
TENSORC_API void tensorc_tensor_release(tensorc_tensor *tensor);
/* What is known without evaluating; 0 or NULL for NULL. */
TENSORC_API tensorc_dtype tensorc_tensor_dtype(const tensorc_tensor *tensor);
TENSORC_API int32_t tensorc_tensor_rank(const tensorc_tensor *tensor);
/* Reads how many elements there are of x[mask] and nonzero(x), which nothing
   else asks for before it needs the sizes. Those of other tensors are known.
   Where this fails, the sizes below are 0, and evaluations fail like this. */
TENSORC_API tensorc_status *tensorc_tensor_settle(tensorc_tensor *tensor);
/* `rank` sizes, alive as long as the tensor. */
TENSORC_API const int64_t *tensorc_tensor_dims(const tensorc_tensor *tensor);
/* Where it was recorded. */
TENSORC_API tensorc_location
tensorc_tensor_location(const tensorc_tensor *tensor);
/* 1 once there is a value. */
TENSORC_API int32_t tensorc_tensor_is_evaluated(const tensorc_tensor *tensor);
/* 1 for an argument of a function that is being traced. */
TENSORC_API int32_t tensorc_tensor_is_traced(const tensorc_tensor *tensor);
/* 1 while a tape of the calling thread records (grad.h). It cannot see into
   what is compiled: instead of calling that, do what it does. */
TENSORC_API int32_t tensorc_tape_is_recording(void);

/* Copies. `strides` in elements, negative ones too; NULL: dense. */
TENSORC_API tensorc_status *
tensorc_from_data(tensorc_dtype dtype, int32_t rank, const int64_t *dims,
                  const void *data, const int64_t *strides, tensorc_location at,
                  tensorc_tensor **out);

typedef void (*tensorc_deleter)(void *user, void *data);
/* Uses memory in place until it calls `deleter` (NULL: none), from any thread;
   nobody may write there meanwhile. What is not aligned to its elements, or for
   a device with memory of its own, is copied, and the deleter called before
   this returns. Not called when this fails. `strides` in elements, negative
   ones and 0 too; NULL: dense. Also copied is what overlaps, where no stride is
   a multiple of the next smaller one, 4-bit integers, and less than 1 MiB with
   gaps in it. */
TENSORC_API tensorc_status *
tensorc_from_strided_memory(tensorc_dtype dtype, int32_t rank,
                            const int64_t *dims, const int64_t *strides,
                            void *data, tensorc_deleter deleter, void *user,
                            tensorc_location at, tensorc_tensor **out);
/* The same of dense memory. */
TENSORC_API tensorc_status *
tensorc_from_memory(tensorc_dtype dtype, int32_t rank, const int64_t *dims,
                    void *data, tensorc_deleter deleter, void *user,
                    tensorc_location at, tensorc_tensor **out);

/* Operations are in tensorc/functions.h, which this includes, and in
   tensorc/ops.h: the element-wise ones. This stands for an absent start, stop
   or axis. */
#define TENSORC_NONE INT64_MIN

/*===-- Functions of the program as operations ---------------------------===*/

typedef struct tensorc_type {
  tensorc_dtype dtype;
  int32_t rank;
  int64_t dims[TENSORC_RT_MAX_RANK];
} tensorc_type;

/* Sets the `output_count` output types; NULL, or a status made by
   tensorc_rt_status_create. Called by tensorc_custom_call, on its thread. */
typedef tensorc_status *(*tensorc_shape_rule)(
    void *user, const tensorc_type *inputs, int32_t input_count,
    const char *config, tensorc_type *outputs, int32_t output_count);

typedef struct tensorc_custom_op {
  size_t struct_size; /* sizeof(tensorc_custom_op) */
  const char *name;   /* for the process; as "app.smooth" */
  /* Computes the outputs (tensorc/runtime.h). It depends on inputs and config
     only: equal calls may become one, and unused ones none. It runs on any
     thread, on several at once, and must not evaluate tensors. */
  tensorc_rt_op_fn function;
  tensorc_shape_rule shape_rule; /* NULL: each call gives its output types */
  void *user;                    /* passed to both; lives for good */
  /* The name of the custom op that computes the gradients: it takes the inputs,
     the outputs and the outputs' gradients, and returns a gradient per input.
     NULL: the op has no gradient. */
  const char *derivative;
} tensorc_custom_op;
/* Makes a function known to expressions, and to packages that are loaded from
   now on, for good. A name can be taken once. Texts are copied. */
TENSORC_API tensorc_status *
tensorc_register_custom_op(const tensorc_custom_op *op);
/* Records a call. `output_types` may be NULL where the op has a shape rule.
   `config` (NULL: "") is passed to the function and is part of the kernel's
   identity: a changing one compiles again. `results` gets `output_count`
   handles. An error of the function comes from the evaluation, with its own
   message and the location `at`. */
TENSORC_API tensorc_status *
tensorc_custom_call(const char *name, const tensorc_tensor *const *inputs,
                    int32_t input_count, const tensorc_type *output_types,
                    int32_t output_count, const char *config,
                    tensorc_location at, tensorc_tensor **results);

/* x, unchanged. Where an evaluation computes the result, it fails if an
   element is a NaN or an infinity: the error has the text (NULL: ""), how many
   there are, the index of the first, and `at`. The check is part of compiled
   functions and of packages, ends a fusion, and must have its result used. */
TENSORC_API tensorc_status *tensorc_check_numerics(const tensorc_tensor *x,
                                                   const char *text,
                                                   tensorc_location at,
                                                   tensorc_tensor **out);
/* x, unchanged. Where an evaluation computes the result, the text and the
   elements are printed on stderr. Otherwise as tensorc_check_numerics. */
TENSORC_API tensorc_status *tensorc_debug_print(const tensorc_tensor *x,
                                                const char *text,
                                                tensorc_location at,
                                                tensorc_tensor **out);

/*===-- Values -----------------------------------------------------------===*/

/* Computes the values of all; what they share is computed once. On failure
   some may have been computed. */
TENSORC_API tensorc_status *tensorc_eval(tensorc_tensor *const *tensors,
                                         int32_t count);
/* Evaluates and copies; `size` must be the tensor's size in bytes. */
TENSORC_API tensorc_status *tensorc_read(tensorc_tensor *tensor, void *data,
                                         size_t size);
/* The only element, as both kinds of number. */
TENSORC_API tensorc_status *tensorc_item(tensorc_tensor *tensor, double *out_f,
                                         int64_t *out_i);
/* Evaluates; `tensor([[1, 2], [3, 4]], dtype=i32)`, abridged when large, with
   `, device=sim:0` where it is not on the current device. */
TENSORC_API tensorc_status *tensorc_to_string(tensorc_tensor *tensor,
                                              char **out);
/* A tx module that computes this tensor alone, with names for sizes if
   `symbolic`. Nothing runs. */
TENSORC_API tensorc_status *tensorc_to_mlir(tensorc_tensor *tensor,
                                            int32_t symbolic, char **out);

/*===-- Tensors and the runtime ------------------------------------------===*/

/* The runtime's device that holds the tensors of the current device; load
   packages for it. Not released. */
TENSORC_API tensorc_status *tensorc_runtime_device(tensorc_rt_device **out);
/* Evaluates; gives a reference to the tensor's memory, which must not be
   changed. */
TENSORC_API tensorc_status *tensorc_tensor_buffer(tensorc_tensor *tensor,
                                                  tensorc_rt_buffer **out);
/* A tensor over a buffer, on its device, dense and at least as large as the
   shape needs; adds a reference. Nobody may write to it from now on. */
TENSORC_API tensorc_status *
tensorc_from_buffer(tensorc_dtype dtype, int32_t rank, const int64_t *dims,
                    tensorc_rt_buffer *buffer, tensorc_location at,
                    tensorc_tensor **out);
/* Runs an entry of a loaded package (tensorc_rt_load, tensorc_rt_module_find)
   with one argument per input, evaluated first; a number serves where the entry
   takes a scalar or rank 0. `results` gets one handle per output. Errors name
   the entry and the call's location. */
TENSORC_API tensorc_status *tensorc_call(const tensorc_rt_entry *entry,
                                         const tensorc_arg *arguments,
                                         int32_t count, tensorc_location at,
                                         tensorc_tensor **results,
                                         int32_t result_count);

/*===-- Functions traced once --------------------------------------------===*/

/* What this thread traces a function for: "vmap", "grad". Errors name it where
   a value is asked for that is not known meanwhile. The name, "jit" unless it
   is told, is not copied; NULL is "jit". Returns the former one. */
TENSORC_API const char *tensorc_set_tracer(const char *name);
TENSORC_API const char *tensorc_tracer(void);
/* An argument for a trace. */
TENSORC_API tensorc_status *
tensorc_trace_argument(tensorc_dtype dtype, int32_t rank, const int64_t *dims,
                       tensorc_location at, tensorc_tensor **out);
/* What the results are of the arguments. Numbers and other tensors that went
   into the results are fixed from now on. */
TENSORC_API tensorc_status *
tensorc_function_create(tensorc_tensor *const *arguments,
                        int32_t argument_count, tensorc_tensor *const *results,
                        int32_t result_count, tensorc_function **out);
TENSORC_API void tensorc_function_release(tensorc_function *function);
/* 1 if dtypes and shapes are those of the trace. */
TENSORC_API int32_t tensorc_function_accepts(const tensorc_function *function,
                                             tensorc_tensor *const *arguments,
                                             int32_t count);
/* How many arguments and results a call has; 0 for NULL. */
TENSORC_API int32_t
tensorc_function_argument_count(const tensorc_function *function);
TENSORC_API int32_t
tensorc_function_result_count(const tensorc_function *function);
/* Runs at once. The arguments must be accepted; `results` gets one handle per
   result. */
TENSORC_API tensorc_status *
tensorc_function_call(const tensorc_function *function,
                      tensorc_tensor *const *arguments,
                      tensorc_tensor **results);

/* The dtype and shape of a result; where sizes have names, -1 for each. */
TENSORC_API tensorc_status *
tensorc_function_result(const tensorc_function *function, int32_t index,
                        tensorc_type *out);
typedef struct tensorc_call_options {
  size_t struct_size; /* sizeof(tensorc_call_options) */
  /* NULL, or for each argument whether the call takes over its handle: it
     releases it, also if it fails, and may compute a result in its memory where
     nobody else has the value. */
  const uint8_t *donated;
  /* NULL, or for each result NULL or a buffer that takes its value: on the
     function's device, as large as the value, and apart from the arguments and
     the others. Whoever holds the result then shares it, so write there only
     when nobody does. */
  tensorc_rt_buffer *const *outputs;
} tensorc_call_options;
/* tensorc_function_call in memory of the caller; `options` may be NULL, and
   `results` where only the buffers are wanted. */
TENSORC_API tensorc_status *tensorc_function_call_into(
    const tensorc_function *function, tensorc_tensor *const *arguments,
    const tensorc_call_options *options, tensorc_tensor **results);

/*===-- Devices and counters ---------------------------------------------===*/

/* "cpu", "cuda:0", "reference"; see devices.h. At first TENSORC_DEVICE of the
   environment, or "cpu". */
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
  /* The disk cache, asked before each compilation while it is on: */
  uint64_t disk_hits;
  uint64_t disk_misses;
  /* Another reason: the same sizes came often, and kernels for one size are
     faster for this expression; compiled for these sizes. */
  uint64_t frequent_sizes;
  /* What the compilations made: kernels, and bytes of their machine code (0 of
     targets whose images do not say it, as those of PTX). */
  uint64_t kernels;
  uint64_t code_bytes;
  double processor_seconds; /* of all threads that worked on them */
} tensorc_compile_stats;
/* Fills in as much as `struct_size` says the caller knows. */
TENSORC_API void tensorc_get_compile_stats(tensorc_compile_stats *out);
/* Sets the counters to 0; with `forget_kernels` empties the cache too. */
TENSORC_API void tensorc_reset_compile_stats(int32_t forget_kernels);
typedef struct tensorc_disk_cache_options {
  size_t struct_size; /* sizeof(tensorc_disk_cache_options) */
  /* Where compilations are kept: a folder that is made when it is missing and
     that nobody else may write to. NULL or "": nowhere; "auto": tensorc in the
     user's cache folder ($XDG_CACHE_HOME or ~/.cache). */
  const char *folder;
  /* Asked when `folder` has no entry and never written to: what an application
     ships with. NULL or "": none. */
  const char *read_only_folder;
  /* Bytes that `folder` may hold before the least recently used entries go.
     0: 512 MiB; UINT64_MAX: no limit. */
  uint64_t size_limit;
} tensorc_disk_cache_options;
/* Compilations of other processes, kept in files (docs/embedding.md). Off at
   first, unless TENSORC_CACHE_DIR, TENSORC_CACHE_READ_DIR and
   TENSORC_CACHE_SIZE of the environment say otherwise. NULL turns it off. The
   texts are copied. A folder that cannot be used is not an error: see
   tensorc_disk_cache_folder. */
TENSORC_API tensorc_status *
tensorc_set_disk_cache(const tensorc_disk_cache_options *options);
/* The folder that is written to; "" when there is none or it is unusable. Free
   with tensorc_string_free. */
TENSORC_API tensorc_status *tensorc_disk_cache_folder(char **out);
/* Whether a compilation that takes longer than a second says so in a line on
   stderr, when that is a terminal. On at first, unless TENSORC_PROGRESS is
   "off". */
TENSORC_API void tensorc_set_progress(int32_t on);
/* Whether an evaluation stores the value of every intermediate tensor that the
   program still holds. Off at first, unless TENSORC_STORE_INTERMEDIATES is
   "1". When it is off, the first evaluation that reaches a held tensor does not
   store it if it is cheap: at most 16 element-wise and shape operations lead
   from stored values to it, and these values together are not larger. */
TENSORC_API void tensorc_set_store_intermediates(int32_t on);
/* Whether each operation is evaluated when it is recorded, as a kernel of its
   own, so that a debugger steps through values and an error names the line of
   the operation. Off at first, unless TENSORC_OP_BY_OP is "1". Functions that
   are being traced are compiled as always. */
TENSORC_API void tensorc_set_op_by_op(int32_t on);
/* For a host with a lock of its own that its threads wait for, as Python has.
   An operation may evaluate while it is recorded: see tensorc_set_op_by_op, and
   a path of 8,192 operations that nobody has read is one, too. From now on, in
   every thread, `leave` is called before such an evaluation, and `enter` after
   it with what `leave` returned: on the recording thread, which holds no lock
   of tensorc then. Both or neither; NULL: nothing is called, as at first. */
typedef void *(*tensorc_leave_fn)(void);
typedef void (*tensorc_enter_fn)(void *left);
TENSORC_API tensorc_status *tensorc_set_host_lock(tensorc_leave_fn leave,
                                                  tensorc_enter_fn enter);
/* What the calling thread's products of f32 matrices (matmul, dot_general,
   tensordot, einsum) round their operands to from now on: "highest", as at
   first, nothing; "tf32" 10 bits after the point, "bf16" 7.
   Products are then exact, and sums f32. Other dtypes and layers such as conv
   and attention stay as they are. NULL: "highest". */
TENSORC_API tensorc_status *tensorc_set_matmul_precision(const char *name);
/* That name, for the life of the process. */
TENSORC_API const char *tensorc_matmul_precision(void);
/* The dtype of floats that have none: of functions of C++ and Python that make
   tensors without a dtype, and of a number of the host language beside
   integers, whose complex numbers become complex numbers of this dtype.
   TENSORC_F32, as at first, or TENSORC_F64, in all threads that have called no
   tensorc_set_thread_dtype. */
TENSORC_API tensorc_status *tensorc_set_default_dtype(tensorc_dtype dtype);
/* The calling thread's own; 0: the process's again. */
TENSORC_API tensorc_status *tensorc_set_thread_dtype(tensorc_dtype dtype);
/* The default dtype of the calling thread. */
TENSORC_API tensorc_dtype tensorc_default_dtype(void);
/* What tensorc_set_thread_dtype chose for this thread; 0 for nothing. */
TENSORC_API tensorc_dtype tensorc_thread_dtype(void);
/* The kernels of the last run, one per line. */
TENSORC_API tensorc_status *tensorc_last_kernels(char **out);

#ifdef __cplusplus
}
#endif

#include "tensorc/functions.h"
#endif
