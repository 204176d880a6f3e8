/*===- devices.h - where tensors are: the C interface ---------------------===*\
|*
|* A part of tensorc.h's interface, with its conventions. Devices themselves,
|* their properties, memory, streams and events are those of tensorc/runtime.h
|* (tensorc_rt_device_find, ...). docs/gpu.md shows both at work.
|*
|* A tensor belongs to a device from the call on that records it: that of its
|* operands, which must be on the same one, or the current device where there
|* are none. Its value is computed there.
|*
|* Where the current device is "auto", new tensors belong to none: each
|* evaluation chooses the device that will be done soonest, by a model of
|* copies, launches and kernels (docs/gpu.md, Placement). Together with a tensor
|* that does belong to a device, they go there.
|*
\*===----------------------------------------------------------------------===*/
#ifndef TENSORC_DEVICES_H
#define TENSORC_DEVICES_H

#include "tensorc/tensorc.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Not released. NULL for NULL, for a tensor of auto, and where no device could
   be found. */
TENSORC_API tensorc_rt_device *
tensorc_tensor_device(const tensorc_tensor *tensor);
/* The same value on a device: x itself if it is there, else recorded and moved
   when it is needed. */
TENSORC_API tensorc_status *tensorc_to(const tensorc_tensor *x,
                                       tensorc_rt_device *device,
                                       tensorc_location at,
                                       tensorc_tensor **out);

/* The same value, of auto: x itself if it is so already. */
TENSORC_API tensorc_status *tensorc_to_auto(const tensorc_tensor *x,
                                            tensorc_location at,
                                            tensorc_tensor **out);
/* 1 for a tensor of auto, 0 for others and NULL. */
TENSORC_API int32_t tensorc_tensor_is_auto(const tensorc_tensor *tensor);
/* The device that computed the value, or was given it; not released. NULL while
   there is none, and for NULL. */
TENSORC_API tensorc_rt_device *
tensorc_tensor_residence(const tensorc_tensor *tensor);
/* What auto weighs when these tensors are evaluated together, the best device
   first: as text, or for json != 0 as the JSON that `tensorc explain --json`
   prints. Sums have no kernels for what has its value. Measures devices that
   have not been, which takes a moment. Free with tensorc_string_free. */
TENSORC_API tensorc_status *
tensorc_explain_placement(tensorc_tensor *const *tensors, int32_t count,
                          int32_t json, char **out);
/* The figures of a device that auto counts with, as a file for TENSORC_FIGURES;
   measured if need be. Free with tensorc_string_free. */
TENSORC_API tensorc_status *tensorc_device_figures(tensorc_rt_device *device,
                                                   char **out);

/* The device that a name stands for, not released. A kind without an index
   ("cuda", "sim:gfx942") is the calling thread's current device if that is of
   this kind, else the default one if that is, else the first. */
TENSORC_API tensorc_status *tensorc_find_device(const char *name,
                                                tensorc_rt_device **out);
/* Refuses a name that no kind of device has, and what is no index behind it;
   says nothing of whether there is such a device. */
TENSORC_API tensorc_status *tensorc_check_device_name(const char *name);
/* 1 if there is a device of this name that computes, "auto" included, else 0:
   also for NULL and for any word that no kind of device has, such as "mps". */
TENSORC_API int32_t tensorc_is_available(const char *name);
/* The calling thread's current device; tensorc_set_default_device sets that of
   all threads that have none. NULL: none. "auto" is one, too. */
TENSORC_API tensorc_status *tensorc_set_device(const char *name);
/* What tensorc_set_device chose for this thread; "" for none. Free with
   tensorc_string_free. */
TENSORC_API tensorc_status *tensorc_thread_device(char **out);

/* The calling thread's evaluations on a device go to this stream of it; NULL:
   the default stream. A reference is kept. */
TENSORC_API tensorc_status *tensorc_set_stream(tensorc_rt_device *device,
                                               tensorc_rt_stream *stream);
/* That stream, not released; NULL for NULL. */
TENSORC_API tensorc_rt_stream *
tensorc_current_stream(tensorc_rt_device *device);

/* 1 once the value is in memory: evaluation returns before that on devices
   that work asynchronously, and reading waits. */
TENSORC_API int32_t tensorc_tensor_is_ready(const tensorc_tensor *tensor);

/* What a call of a traced function will allocate at most at one time, results
   included and arguments not. */
TENSORC_API tensorc_status *
tensorc_function_memory(const tensorc_function *function, uint64_t *out_bytes);

/* A value that a trace took from outside its arguments: a tensor, or a number
   (then `tensor` is NULL), including literals of the function. Calls do not
   change it. */
typedef struct tensorc_capture {
  const tensorc_tensor *tensor; /* lives as long as the function has it */
  tensorc_dtype dtype;
  double number;
  tensorc_location at; /* where the tensor was made, or the number used */
} tensorc_capture;
/* How many there are; the first `capacity` are written to `out`. They are those
   of the trace: one that tensorc_function_rebind replaced keeps its number and
   its tensor here, which so identifies it. */
TENSORC_API int32_t tensorc_function_captures(const tensorc_function *function,
                                              tensorc_capture *out,
                                              int32_t capacity);

/* Replaces a captured tensor, given by its number among the captures, from the
   next call on. The new value has the same dtype, shape and device, and is
   evaluated. Nothing is traced or compiled again. */
TENSORC_API tensorc_status *tensorc_function_rebind(tensorc_function *function,
                                                    int32_t capture,
                                                    tensorc_tensor *value);

/* The traces of one function, for several shapes. A captured tensor is
   exchanged in all of them, and in those that join later. Thread-safe. */
typedef struct tensorc_trace_group tensorc_trace_group;
TENSORC_API tensorc_status *
tensorc_trace_group_create(tensorc_trace_group **out);
TENSORC_API void tensorc_trace_group_release(tensorc_trace_group *group);
/* The function belongs to the group until one of the two is released. What was
   exchanged so far is exchanged in it, too. */
TENSORC_API tensorc_status *
tensorc_trace_group_add(tensorc_trace_group *group,
                        const tensorc_function *function);
/* From the next call on `value` stands for a tensor that was captured, as in
   tensorc_function_rebind. `captured` is the tensor that the functions
   captured, whatever stands for it now; the same tensor as `value` restores it.
   A tensor that none has captured names the captured one for which it stands;
   it is refused where it stands for several. */
TENSORC_API tensorc_status *
tensorc_trace_group_rebind(tensorc_trace_group *group,
                           const tensorc_tensor *captured,
                           tensorc_tensor *value);

/* An argument for a trace with the dtype, shape and device of a tensor. */
TENSORC_API tensorc_status *
tensorc_trace_argument_like(const tensorc_tensor *tensor, tensorc_location at,
                            tensorc_tensor **out);

#ifdef __cplusplus
}
#endif
#endif
