/*===- kernel.h - kernels of the program (docs/gpu.md) --------------------===*\
|*
|* Conventions of tensorc.h.
|*
\*===----------------------------------------------------------------------===*/
#ifndef TENSORC_KERNEL_H
#define TENSORC_KERNEL_H

#include "tensorc/tensorc.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Dims are expressions over named sizes, with + - * floordiv ceildiv mod and
   parentheses: "n, 64", "n * 2 + 1". */
typedef struct tensorc_kernel_value {
  tensorc_dtype dtype;
  const char *dims;
} tensorc_kernel_value;

typedef struct tensorc_kernel_options {
  size_t struct_size; /* sizeof(tensorc_kernel_options) */
  /* An input dim that is only a name defines this name. */
  const tensorc_kernel_value *inputs;
  int32_t input_count;
  const tensorc_kernel_value *outputs; /* at least one */
  int32_t output_count;
  const char *grid; /* blocks, up to three dims: "n ceildiv 256, m" */
  /* Threads of a block: up to three dims; unused ones are 0. All may be 0 in
     gpu_kernel if the text has known_block_size. */
  int32_t block[3];
  const char *shared;  /* CUDA: bytes of dynamic shared memory; NULL: none */
  const char *scalars; /* integers after the buffers: "n, m"; NULL: none */
  /* If set, outputs are zeroed before the launch. Otherwise the kernel must
     write all elements. */
  int32_t zeroed;
  const char *const *flags; /* CUDA: options of NVRTC; -arch=sm_90 makes code
                               for that GPU only, instead of PTX */
  int32_t flag_count;
} tensorc_kernel_options;

/* A kernel lives as long as the process; equal descriptions give the same
   kernel. */
typedef struct tensorc_kernel tensorc_kernel;
/* A kernel in CUDA C++, compiled by NVRTC when a value is first needed on a
   cuda device: `name` is that of a __global__ function, "scale<float>" of a
   template. Its parameters are the inputs' pointers, the outputs' pointers,
   and then the scalars, of any integer type. */
TENSORC_API tensorc_status *
tensorc_cuda_kernel(const char *source, const char *name,
                    const tensorc_kernel_options *options, tensorc_location at,
                    tensorc_kernel **out);
/* A kernel for any GPU: the text of a gpu.module with one gpu.func. The
   function takes a memref<?xT> for each input and each output, and then the
   scalars. */
TENSORC_API tensorc_status *
tensorc_gpu_kernel(const char *text, const char *name,
                   const tensorc_kernel_options *options, tensorc_location at,
                   tensorc_kernel **out);
/* Records a call. `results` receives one handle per output. */
TENSORC_API tensorc_status *
tensorc_kernel_call(const tensorc_kernel *kernel,
                    const tensorc_tensor *const *inputs, int32_t input_count,
                    tensorc_location at, tensorc_tensor **results);

#ifdef __cplusplus
}
#endif

#endif
