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

/* A tensor over the array's memory, on its device: cpu, or a GPU. The array
   is taken over, also when this fails: its deleter is called exactly once, as
   soon as nothing needs the memory, from any thread. Nobody may write there
   meanwhile. On the cpu what kernels cannot read in place is copied
   (tensorc_from_strided_memory); on a GPU memory is used as it is.
   `stream` is a stream of the array's device. The elements are written by the
   work that it has been given so far; whatever reads them waits by itself.
   tensorc_rt_stream_wrap wraps a stream of another library. NULL: the elements
   are there.
   Refused are a dtype that tensorc does not have, more than one lane, a major
   version above 1, and a device that does not exist. */
TENSORC_API tensorc_status *
tensorc_from_dlpack(struct DLManagedTensorVersioned *array,
                    tensorc_rt_stream *stream, tensorc_location at,
                    tensorc_tensor **out);
/* The same of the older struct. */
TENSORC_API tensorc_status *
tensorc_from_dlpack_unversioned(struct DLManagedTensor *array,
                                tensorc_rt_stream *stream, tensorc_location at,
                                tensorc_tensor **out);

/* Evaluates, and gives an array over the value's memory, which is marked as
   read-only. The receiver calls its deleter.
   With NULL this waits for the value. Else it does not: work that `stream`, of
   the tensor's device, is given from now on finds the value. It stays until the
   deleter is called: whoever gets the memory then uses it behind the work that
   the stream was given meanwhile. So the stream must live until then: one of
   tensorc_rt_stream_create is held, one of another library (wrapped) is not.
   Where it may end sooner, pass NULL, and synchronize before the deleter. */
TENSORC_API tensorc_status *
tensorc_to_dlpack(tensorc_tensor *tensor, tensorc_rt_stream *stream,
                  struct DLManagedTensorVersioned **out);
/* A copy, which the receiver may write to. */
TENSORC_API tensorc_status *
tensorc_to_dlpack_copied(tensorc_tensor *tensor, tensorc_rt_stream *stream,
                         struct DLManagedTensorVersioned **out);
/* The older struct cannot say that an array is read-only, so it has a copy. */
TENSORC_API tensorc_status *
tensorc_to_dlpack_unversioned(tensorc_tensor *tensor, tensorc_rt_stream *stream,
                              struct DLManagedTensor **out);

/* The device of an array whose DLDevice has this type and id; "cpu:0" of memory
   of the host, pinned or not. Not released. Refused as by tensorc_from_dlpack.
 */
TENSORC_API tensorc_status *tensorc_dlpack_find_device(int32_t device_type,
                                                       int32_t device_id,
                                                       tensorc_rt_device **out);
/* DLPack's type and id of a device; 0 and 0 of one that DLPack does not have,
   such as a simulated GPU, and of NULL. */
TENSORC_API void tensorc_dlpack_device(const tensorc_rt_device *device,
                                       int32_t *out_type, int32_t *out_id);

#ifdef __cplusplus
}
#endif
#endif
