/*===- devices.h - where tensors are: the C interface ---------------------===*\
|*
|* A part of tensorc.h's interface, with its conventions. Devices themselves,
|* their properties, memory, streams and events are those of tensorc/runtime.h
|* (tensorc_rt_device_find, ...). docs/gpu.md shows both at work.
|*
|* A tensor belongs to a device from the call on that records it: the device of
|* its operands, which must all be on one device, or the current device if it
|* has no operands. Its value is computed there.
|*
|* While the current device is "auto", new tensors belong to no device: each
|* evaluation chooses the device that will be done soonest, by a model of
|* copies, launches and kernels (docs/gpu.md, Placement). Combined with a tensor
|* that belongs to a device, they are computed on that device.
|*
\*===----------------------------------------------------------------------===*/
#ifndef TENSORC_DEVICES_H
#define TENSORC_DEVICES_H

#include "tensorc/tensorc.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Returns the device of a tensor, which is not released. NULL for NULL, for a
   tensor of auto, and if no device could be found. */
TENSORC_API tensorc_rt_device *
tensorc_tensor_device(const tensorc_tensor *tensor);
/* Returns the same value on a device: x itself if it is there, else a recorded
   transfer, performed when the value is needed. */
TENSORC_API tensorc_status *tensorc_to(const tensorc_tensor *x,
                                       tensorc_rt_device *device,
                                       tensorc_location at,
                                       tensorc_tensor **out);

/* Returns the same value as a tensor of auto: x itself if it is one already. */
TENSORC_API tensorc_status *tensorc_to_auto(const tensorc_tensor *x,
                                            tensorc_location at,
                                            tensorc_tensor **out);
/* Returns 1 for a tensor of auto, 0 for others and NULL. */
TENSORC_API int32_t tensorc_tensor_is_auto(const tensorc_tensor *tensor);
/* Returns the device that has the value, which is not released. NULL if there
   is no value yet, and for NULL. */
TENSORC_API tensorc_rt_device *
tensorc_tensor_residence(const tensorc_tensor *tensor);
/* Returns how a tensor is split over the ranks of a mesh: the number of the
   mesh's axes, their sizes, and for each mesh axis the axis of the tensor that
   it splits, or -1. Each rank then holds its part, until the tensor is read,
   which gathers it: all ranks must read it. The lists live as long as the
   process. 0 if each rank has the whole tensor, and for NULL. The lists are then
   NULL, unless the tensor may differ between ranks. See tensorc_shard and
   docs/distributed.md. */
TENSORC_API int32_t tensorc_tensor_sharding(const tensorc_tensor *tensor,
                                            const int64_t **mesh,
                                            const int64_t **dims);
/* Returns the costs that auto compares when these tensors are evaluated
   together, the best device first, as text. If json is not 0, returns them as
   the JSON that `tensorc explain --json` prints. Tensors that have a value
   cost no kernels. Measures devices that have not been measured yet, which
   takes a moment. Free with tensorc_string_free. */
TENSORC_API tensorc_status *
tensorc_explain_placement(tensorc_tensor *const *tensors, int32_t count,
                          int32_t json, char **out);
/* Returns the figures of a device that auto uses, in the format of
   TENSORC_FIGURES. Measures them if necessary. Free with
   tensorc_string_free. */
TENSORC_API tensorc_status *tensorc_device_figures(tensorc_rt_device *device,
                                                   char **out);

/* Finds a device by name; not released. A kind without an index ("cuda",
   "sim:gfx942") means the calling thread's current device if that is of this
   kind, else the default device if that is, else the first. */
TENSORC_API tensorc_status *tensorc_find_device(const char *name,
                                                tensorc_rt_device **out);
/* Refuses names with an unknown kind or an invalid index. Does not check
   whether the device exists. */
TENSORC_API tensorc_status *tensorc_check_device_name(const char *name);
/* Returns 1 if a device of this name exists and computes, also for "auto",
   else 0. Returns 0 for NULL and for unknown names, too. "xpu" means an Intel
   GPU through OpenCL, "mps" an Apple GPU through Vulkan. */
TENSORC_API int32_t tensorc_is_available(const char *name);
/* Sets the calling thread's current device; NULL unsets it.
   tensorc_set_default_device applies to all threads without one. "auto" is
   allowed. */
TENSORC_API tensorc_status *tensorc_set_device(const char *name);
/* Returns the device that tensorc_set_device set for this thread; "" for none.
   Free with tensorc_string_free. */
TENSORC_API tensorc_status *tensorc_thread_device(char **out);

/* Sets the stream of a device that the calling thread's evaluations use; NULL
   means the default stream. A reference is kept. */
TENSORC_API tensorc_status *tensorc_set_stream(tensorc_rt_device *device,
                                               tensorc_rt_stream *stream);
/* Returns the stream of the calling thread, without a new reference, or NULL
   if `device` is NULL. */
TENSORC_API tensorc_rt_stream *
tensorc_current_stream(tensorc_rt_device *device);

/* Returns 1 if the value has been computed. On asynchronous devices evaluation
   returns earlier, and reading waits. */
TENSORC_API int32_t tensorc_tensor_is_ready(const tensorc_tensor *tensor);

/* Returns the peak number of bytes that a call of a traced function allocates,
   including results but not arguments. */
TENSORC_API tensorc_status *
tensorc_function_memory(const tensorc_function *function, uint64_t *out_bytes);

/* A value that a trace captured: a tensor, or a number (then `tensor` is NULL),
   including literals of the function. It is the same in all calls. */
typedef struct tensorc_capture {
  const tensorc_tensor *tensor; /* lives as long as the function has it */
  tensorc_dtype dtype;
  double number;
  tensorc_location at; /* where the tensor was made, or the number used */
} tensorc_capture;
/* Returns the number of captures and writes the first `capacity` to `out`. A
   capture that tensorc_function_rebind replaced still has its index and its
   original tensor here, because these identify it. */
TENSORC_API int32_t tensorc_function_captures(const tensorc_function *function,
                                              tensorc_capture *out,
                                              int32_t capacity);

/* Replaces a captured tensor, given by its index among the captures, from the
   next call on. The new value has the same dtype, shape and device, and is
   evaluated. Nothing is traced or compiled again. */
TENSORC_API tensorc_status *tensorc_function_rebind(tensorc_function *function,
                                                    int32_t capture,
                                                    tensorc_tensor *value);

/* The traces of one function for several shapes. Replacements of captured
   tensors apply to all of them, and to traces that are added later.
   Thread-safe. */
typedef struct tensorc_trace_group tensorc_trace_group;
TENSORC_API tensorc_status *
tensorc_trace_group_create(tensorc_trace_group **out);
TENSORC_API void tensorc_trace_group_release(tensorc_trace_group *group);
/* Adds a function to the group until one of the two is released. Replacements
   made so far apply to it, too. */
TENSORC_API tensorc_status *
tensorc_trace_group_add(tensorc_trace_group *group,
                        const tensorc_function *function);
/* Replaces a captured tensor by `value` from the next call on, as in
   tensorc_function_rebind. `captured` is the tensor that the functions captured
   originally, even if it was replaced since; the same tensor as `value`
   restores it. It may also be a tensor that currently replaces a captured one,
   unless it replaces several. */
TENSORC_API tensorc_status *
tensorc_trace_group_rebind(tensorc_trace_group *group,
                           const tensorc_tensor *captured,
                           tensorc_tensor *value);

/* Makes an argument of a trace with the dtype, shape and device of a tensor. */
TENSORC_API tensorc_status *
tensorc_trace_argument_like(const tensorc_tensor *tensor, tensorc_location at,
                            tensorc_tensor **out);

#ifdef __cplusplus
}
#endif
#endif
