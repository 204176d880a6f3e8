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

/* Makes a tensor that uses the array's memory on its device, the cpu or a GPU.
   Takes ownership of the array, also on failure: its deleter is called exactly
   once, from any thread, as soon as nothing needs the memory. Until then nobody
   may write to it. On the cpu, arrays that kernels cannot read in place are
   copied (tensorc_from_strided_memory); on a GPU memory is used in place.
   `stream` is a stream of the array's device. The elements are written by work
   that was queued on it so far; readers of the tensor wait for that work.
   tensorc_rt_stream_wrap wraps a stream of another library. NULL means that the
   elements are already computed. Refused are a dtype that tensorc does not
   have, more than one lane, a major version above 1, and a device that does not
   exist. */
TENSORC_API tensorc_status *
tensorc_from_dlpack(struct DLManagedTensorVersioned *array,
                    tensorc_rt_stream *stream, tensorc_location at,
                    tensorc_tensor **out);
/* The same for the older struct. */
TENSORC_API tensorc_status *
tensorc_from_dlpack_unversioned(struct DLManagedTensor *array,
                                tensorc_rt_stream *stream, tensorc_location at,
                                tensorc_tensor **out);

/* Evaluates the tensor and returns a read-only array that shares its memory.
   The receiver calls the array's deleter. If `stream` is NULL this waits for
   the value. Otherwise it does not wait: work that is queued on `stream`, a
   stream of the tensor's device, from now on sees the value. After the deleter
   was called, the memory is reused only after the work that was queued on the
   stream until then. So the stream must live until then: a stream of
   tensorc_rt_stream_create is retained, a wrapped one of another library is
   not. If it may be destroyed earlier, pass NULL, and synchronize before the
   deleter. */
TENSORC_API tensorc_status *
tensorc_to_dlpack(tensorc_tensor *tensor, tensorc_rt_stream *stream,
                  struct DLManagedTensorVersioned **out);
/* Returns a copy, which the receiver may write to. */
TENSORC_API tensorc_status *
tensorc_to_dlpack_copied(tensorc_tensor *tensor, tensorc_rt_stream *stream,
                         struct DLManagedTensorVersioned **out);
/* The older struct has no flag for read-only arrays, so this returns a
   copy. */
TENSORC_API tensorc_status *
tensorc_to_dlpack_unversioned(tensorc_tensor *tensor, tensorc_rt_stream *stream,
                              struct DLManagedTensor **out);

/* Finds the device of an array whose DLDevice has this type and id: "cpu:0" for
   host memory, pinned or not. Not released. Refuses the same devices as
   tensorc_from_dlpack. */
TENSORC_API tensorc_status *tensorc_dlpack_find_device(int32_t device_type,
                                                       int32_t device_id,
                                                       tensorc_rt_device **out);
/* Returns DLPack's type and id of a device; 0 and 0 for devices that DLPack
   does not have, such as simulated GPUs, and for NULL. */
TENSORC_API void tensorc_dlpack_device(const tensorc_rt_device *device,
                                       int32_t *out_type, int32_t *out_id);

#ifdef __cplusplus
}
#endif
#endif
