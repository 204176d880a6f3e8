/*===- compile.h - functions saved as packages, objects, text -------------===*\
|*
|* A function is recorded as for a trace, and what it computes is compiled into
|* a file: a package, an object with C functions, a header, or text. Numbers and
|* tensors that it takes from outside its arguments become constants. A program
|* of another framework is read instead, and then compiled in the same way, or
|* called. Included by tensorc/compile.hpp, where tensorc::compile does it all.
|*
\*===----------------------------------------------------------------------===*/
#ifndef TENSORC_COMPILE_H
#define TENSORC_COMPILE_H

#include "tensorc/tensorc.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tensorc_program tensorc_program;
typedef struct tensorc_recording tensorc_recording;

/* An argument of a program. */
typedef struct tensorc_input {
  const char *name; /* NULL: arg0, arg1, ... */
  tensorc_dtype dtype;
  int32_t rank;
  const int64_t *dims;
  /* NULL, or per dim NULL or the name of a size that calls give. Then dims[i]
     is what the size is a multiple of: 1 where nothing is known. */
  const char *const *sizes;
} tensorc_input;

/* Records the function: calls operations on the arguments, and
   tensorc_recording_result for each result. An error that it returns is that
   of tensorc_program_create. */
typedef tensorc_status *(*tensorc_record_fn)(void *user,
                                             tensorc_tensor *const *arguments,
                                             tensorc_recording *recording);
/* Adds a result; a reference is kept. */
TENSORC_API tensorc_status *
tensorc_recording_result(tensorc_recording *recording,
                         const tensorc_tensor *result);

/* Calls `record` on this thread: once, or with named sizes several times, with
   sizes that differ. What it makes of them must be the same operations with
   other sizes; sizes of tensors, starts of slices and numbers may be sums of
   products of up to two named sizes. Tensors from outside that are still held
   are evaluated. */
TENSORC_API tensorc_status *
tensorc_program_create(const tensorc_input *inputs, int32_t input_count,
                       tensorc_record_fn record, void *user,
                       tensorc_location at, tensorc_program **out);
/* Reads a program: text of StableHLO, as JAX prints it, or of tx, or an ONNX
   model, `size` bytes. `name` is what messages call it, and data outside of an
   ONNX model lie beside it; NULL: "program". It has a function `main`, or only
   one. */
TENSORC_API tensorc_status *tensorc_program_read(const char *bytes, size_t size,
                                                 const char *name,
                                                 tensorc_program **out);
/* The same of bytes that a framework in this process made, which may also be a
   portable artifact of StableHLO (VHLO in MLIR's bytecode). Not for files or
   bytes of others: MLIR's reader of bytecode trusts its input, and damaged
   bytes can end the process. */
TENSORC_API tensorc_status *
tensorc_program_read_artifact(const char *bytes, size_t size, const char *name,
                              tensorc_program **out);
/* 1 if the program says that callers give this argument up: what JAX writes of
   donated arguments. 0 of others, and of what is no argument. */
TENSORC_API int32_t tensorc_program_donates(const tensorc_program *program,
                                            int32_t argument);
TENSORC_API void tensorc_program_release(tensorc_program *program);

typedef struct tensorc_save_options {
  size_t struct_size; /* sizeof(tensorc_save_options) */
  /* "cpu:x86-64-v3", "cuda:sm_90", ... as `tensorc compile --target`; for a
     package several with commas between them. NULL: "cpu", this machine. */
  const char *target;
  /* "package", "object", "static", "shared", "header", "llvm", "asm", "ptx",
     "cubin", "hsaco" or "mlir". NULL: by the suffix: .tcpkg, .o, .a, .so, .h,
     .ll, .s, .ptx, .cubin, .hsaco, .mlir. The header of a static library is
     written beside it, with the suffix .h. */
  const char *kind;
  /* Names instead of the inputs' own, and of the results (out0, out1, ...). As
     many as there are, or none. */
  const char *const *input_names;
  int32_t input_name_count;
  const char *const *output_names;
  int32_t output_name_count;
  /* Captured tensors that become arguments with these names, behind the inputs,
     instead of constants. */
  const tensorc_tensor *const *weights;
  const char *const *weight_names;
  int32_t weight_count;
  /* The name of a file beside a package that takes its constants. NULL: none.
   */
  const char *constants;
  int32_t opt_level; /* 1 to 3; 0: 2 */
  int32_t fast_math;
} tensorc_save_options;

/* Compiles, and writes the file: whole, or not at all. `options` may be NULL.
   The functions of objects and headers begin with the file's name. */
TENSORC_API tensorc_status *
tensorc_program_save(const tensorc_program *program, const char *path,
                     const tensorc_save_options *options);
/* The program as a function for calls in this process (tensorc_function_call),
   compiled for the current device and for all sizes that have names. Tensors
   that it captures are neither constants nor copies; tensorc_function_rebind
   exchanges them. Free with tensorc_function_release. */
TENSORC_API tensorc_status *
tensorc_program_function(const tensorc_program *program,
                         tensorc_function **out);
/* The program as a tx module. Free with tensorc_string_free. */
TENSORC_API tensorc_status *
tensorc_program_to_mlir(const tensorc_program *program, char **out);

/*===-- Weights ----------------------------------------------------------===*/

/* Evaluates x, and says that its value is a weight: many products will have it
   as their second factor. On a cpu a product of matmul, linear and their like,
   also in a function that captures x, then reads a packed copy, which the
   first one makes and which lives as long as x. x is of rank 2 with a multiple
   of 32 columns of the product; other values, and products that a tape
   records, are computed as before. The bits are the same. */
TENSORC_API tensorc_status *tensorc_constant(tensorc_tensor *x);

#ifdef __cplusplus
}
#endif
#endif
