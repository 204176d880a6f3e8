/*===- dlpack.h - tensors from and for other frameworks -------------------===*\
|*
|* DLPack (https://dmlc.github.io/dlpack) is how frameworks pass arrays to each
|* other without a copy. Its structs are declared in dlpack/dlpack.h, which each
|* framework has; this header only names them, and works with or without it.
|*
\*===----------------------------------------------------------------------===*/
#ifndef TENSORC_DLPACK_H
#define TENSORC_DLPACK_H

#include "tensorc/tensorc.h"

#ifdef __cplusplus
extern "C" {
#endif

struct DLManagedTensor;
struct DLManagedTensorVersioned;

/* A tensor over the array's memory, on its device: cpu, cuda or rocm. The array
   is taken over, also when this fails: its deleter is called exactly once, as
   soon as nothing needs the memory, from any thread. Nobody may write there
   meanwhile. On the cpu what kernels cannot read in place is copied
   (tensorc_from_strided_memory); on a GPU memory is used as it is. Work of the
   producer on a GPU must be done, or ordered before the current stream's. A
   dtype that tensorc has not, more than one lane, and a newer major version
   than 1 are refused. */
TENSORC_API tensorc_status *
tensorc_from_dlpack(struct DLManagedTensorVersioned *array, tensorc_location at,
                    tensorc_tensor **out);
/* The same of the older struct. */
TENSORC_API tensorc_status *
tensorc_from_dlpack_unversioned(struct DLManagedTensor *array,
                                tensorc_location at, tensorc_tensor **out);

/* Evaluates, waits for the value, and gives an array over its memory, which is
   marked as read-only. The receiver calls its deleter. */
TENSORC_API tensorc_status *
tensorc_to_dlpack(tensorc_tensor *tensor,
                  struct DLManagedTensorVersioned **out);
/* The older struct cannot say that an array is read-only, so it has a copy. */
TENSORC_API tensorc_status *
tensorc_to_dlpack_unversioned(tensorc_tensor *tensor,
                              struct DLManagedTensor **out);

#ifdef __cplusplus
}
#endif
#endif
