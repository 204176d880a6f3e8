/*===- compile.h - functions saved as packages, objects, text -------------===*\
|*
|* A function is recorded as for a trace, and compiled into a file: a package,
|* an object with C functions, a header, or text. Numbers and tensors that the
|* function captures become constants. A program of another framework can be
|* read and compiled in the same way, or called. Included by
|* tensorc/compile.hpp, where tensorc::compile does it all.
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
  /* NULL, or for each dim NULL or the name of a size that is given by each
     call. For a named size, dims[i] is a number of which the size is always a
     multiple; 1 if unknown. */
  const char *const *sizes;
} tensorc_input;

/* Records the function: calls operations on the arguments, and
   tensorc_recording_result for each result. If it returns an error,
   tensorc_program_create returns it. */
typedef tensorc_status *(*tensorc_record_fn)(void *user,
                                             tensorc_tensor *const *arguments,
                                             tensorc_recording *recording);
/* Adds a result; a reference is kept. */
TENSORC_API tensorc_status *
tensorc_recording_result(tensorc_recording *recording,
                         const tensorc_tensor *result);

/* Calls `record` on this thread: once, or with named sizes several times, with
   different sizes. It must record the same operations each time; sizes of
   tensors, starts of slices and numbers may be sums of products of up to two
   named sizes. Captured tensors that still have a handle are evaluated. */
TENSORC_API tensorc_status *
tensorc_program_create(const tensorc_input *inputs, int32_t input_count,
                       tensorc_record_fn record, void *user,
                       tensorc_location at, tensorc_program **out);
/* Reads a program of `size` bytes: StableHLO text, as JAX prints it, tx text,
   or an ONNX model. `name` is its name in messages; external data of an ONNX
   model is searched in the folder of this path. NULL means "program". The
   program must have a function `main`, or only one function. */
TENSORC_API tensorc_status *tensorc_program_read(const char *bytes, size_t size,
                                                 const char *name,
                                                 tensorc_program **out);
/* The same for bytes that a framework in this process made, which may also be a
   portable artifact of StableHLO (VHLO in MLIR's bytecode). Do not pass files
   or bytes of others: MLIR's bytecode reader trusts its input, and damaged
   bytes can end the process. */
TENSORC_API tensorc_status *
tensorc_program_read_artifact(const char *bytes, size_t size, const char *name,
                              tensorc_program **out);
/* Returns 1 if the program declares that this argument is donated, as JAX
   does, and 0 otherwise, or if there is no such argument. */
TENSORC_API int32_t tensorc_program_donates(const tensorc_program *program,
                                            int32_t argument);
/* Returns how an argument or result of a program for several devices is split
   over the ranks, in XLA's notation: "{devices=[2,1]0,1}" for two halves,
   "{replicated}" for the whole. "" if the program is for one device, or has no
   such argument or result. Free it with tensorc_string_free. */
TENSORC_API tensorc_status *
tensorc_program_sharding(const tensorc_program *program, int32_t is_result,
                         int32_t index, char **out);
/* Returns the kind of memory in which the program's source keeps an argument or
   result, in JAX's words: "pinned_host". "" if it declares none, or has no such
   argument or result. The program itself computes on its device: a caller
   copies such arguments and results. Free it with tensorc_string_free. */
TENSORC_API tensorc_status *
tensorc_program_memory_kind(const tensorc_program *program, int32_t is_result,
                            int32_t index, char **out);
/* Returns 1 if the source of the program has no results but calls functions of
   the host, else 0. The program then has one result, a number without
   meaning. */
TENSORC_API int32_t
tensorc_program_returns_effect(const tensorc_program *program);
/* Returns the number of ops that each rank of a program for several devices
   computes as a whole although their operands are split, because no rule splits
   them (docs/distributed.md). 0 before tensorc_program_function. */
TENSORC_API uint64_t tensorc_program_whole_ops(const tensorc_program *program);
/* Returns the collectives that each rank of the program runs on the current
   device, as ops of StableHLO, one a line; "" if there are none. Their operands
   are results of the custom call "tensorc.kernels". Free it with
   tensorc_string_free. */
TENSORC_API tensorc_status *
tensorc_program_collectives(const tensorc_program *program, char **out);
typedef struct tensorc_costs {
  size_t struct_size; /* set by the caller: sizeof(tensorc_costs) */
  double operations;  /* a multiplication with an addition counts as two */
  double bytes;       /* that kernels read and write */
  uint64_t kernels;   /* launches */
} tensorc_costs;
/* Returns the cost of a run of the program, or of one rank of it, on the
   current device. The body of a loop counts once, and a size that is known
   only at run time counts as 0. Fills in the fields that `struct_size`
   covers. */
TENSORC_API tensorc_status *
tensorc_program_costs(const tensorc_program *program, tensorc_costs *out);
TENSORC_API void tensorc_program_release(tensorc_program *program);

typedef struct tensorc_save_options {
  size_t struct_size; /* sizeof(tensorc_save_options) */
  /* "cpu:x86-64-v3", "cuda:sm_90", ... as in `tensorc compile --target`; for a
     package several targets, separated by commas. NULL: "cpu", this machine,
     or "cpu:wasm32" for the kinds "wasm", "js" and "page". */
  const char *target;
  /* "package", "object", "static", "shared", "header", "wasm", "js", "page",
     "llvm", "asm", "ptx", "cubin", "hsaco", "mlir" or "report". NULL: by the
     suffix: .tcpkg, .o, .a, .so, .h, .wasm, .js, .ll, .s, .ptx, .cubin, .hsaco,
     .mlir, .html (a report). The header of a static library is written beside it,
     with the suffix .h, and the module of a script with .wasm and .d.ts. A report
     is a page to look at in a browser: what was fused and why, IR and assembly of
     each kernel, bytes, memory over time. It contains the source files of the
     program. */
  const char *kind;
  /* Names for all inputs and all results that replace the default ones (for
     results out0, out1, ...), or none. */
  const char *const *input_names;
  int32_t input_name_count;
  const char *const *output_names;
  int32_t output_name_count;
  /* Captured tensors that become arguments with these names, after the inputs,
     instead of constants. */
  const tensorc_tensor *const *weights;
  const char *const *weight_names;
  int32_t weight_count;
  /* The name of a file for a package's constants, in the package's folder. NULL
     for none. */
  const char *constants;
  int32_t opt_level; /* 1 to 3; 0: 2 */
  int32_t fast_math;
  /* Values of all named sizes, "n=1024,m=64", for which a package gets plans
     that need less memory (docs/memory.md). They hold for other values, too. A
     run under a memory limit uses the first one that fits. NULL for none. */
  const char *memory_plans;
} tensorc_save_options;

/* Compiles and writes the file, completely or not at all. `options` may be
   NULL. The functions of objects and headers begin with the file's name. */
TENSORC_API tensorc_status *
tensorc_program_save(const tensorc_program *program, const char *path,
                     const tensorc_save_options *options);
/* Makes a function for calls in this process (tensorc_function_call), compiled
   for the current device and for all values of the named sizes. Captured
   tensors are not copied and not constants; tensorc_function_rebind replaces
   them. Free with tensorc_function_release. */
TENSORC_API tensorc_status *
tensorc_program_function(const tensorc_program *program,
                         tensorc_function **out);
/* The same with memory plans (see tensorc_save_options), or NULL for none. */
TENSORC_API tensorc_status *
tensorc_program_function_with(const tensorc_program *program,
                              const char *memory_plans, tensorc_function **out);
/* Returns the dtype and shape of an argument; -1 for each named size.
   tensorc_function_result does so for results. */
TENSORC_API tensorc_status *
tensorc_function_argument(const tensorc_function *function, int32_t index,
                          tensorc_type *out);
/* Replaces each result of a call that has the memory and the shape of an
   argument by a copy in new memory. Queues the copies; does not wait for the
   results. */
TENSORC_API tensorc_status *
tensorc_copy_forwarded(tensorc_tensor *const *arguments, int32_t argument_count,
                       tensorc_tensor **results, int32_t result_count);
/* The program as a tx module. Free with tensorc_string_free. */
TENSORC_API tensorc_status *
tensorc_program_to_mlir(const tensorc_program *program, char **out);

/*===-- Weights ----------------------------------------------------------===*/

/* Evaluates x and declares that it is a weight, the second factor of many
   products. On a cpu, products such as matmul and linear, also in functions
   that capture x, then read a packed copy. The first product makes the copy,
   which lives as long as x. This applies to x of rank 2 and products with a
   multiple of 32 columns; other products, and those that a tape records, are
   computed as before. The bits are the same. */
TENSORC_API tensorc_status *tensorc_constant(tensorc_tensor *x);

#ifdef __cplusplus
}
#endif
#endif
