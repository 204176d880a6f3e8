/*===- devices.h - where tensors are: the C interface
-----------------------===*\
|*
|* A part of tensorc.h's interface, with its conventions. Devices themselves,
|* their properties, memory, streams and events are those of tensorc/runtime.h
|* (tensorc_rt_device_find, ...). docs/gpu.md shows both at work.
|*
|* A tensor belongs to a device from the call on that records it: that of its
|* operands, which must be on the same one, or the current device where there
|* are none. Its value is computed there.
|*
\*===-------------------------------------------------------------------------===*/
#ifndef TENSORC_DEVICES_H
#define TENSORC_DEVICES_H

#include "tensorc/tensorc.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Not released. NULL for NULL, and where no device could be found. */
TENSORC_API tensorc_rt_device *
tensorc_tensor_device(const tensorc_tensor *tensor);
/* The same value on a device: x itself if it is there, else recorded and moved
   when it is needed. */
TENSORC_API tensorc_status *tensorc_to(const tensorc_tensor *x,
                                       tensorc_rt_device *device,
                                       tensorc_location at,
                                       tensorc_tensor **out);

/* The calling thread's current device; tensorc_set_default_device sets that of
   all threads that have none. NULL: none. */
TENSORC_API tensorc_status *tensorc_set_device(const char *name);
/* What tensorc_set_device chose for this thread; "" for none. Free with
   tensorc_string_free. */
TENSORC_API tensorc_status *tensorc_thread_device(char **out);

/* An argument for a trace with the dtype, shape and device of a tensor. */
TENSORC_API tensorc_status *
tensorc_trace_argument_like(const tensorc_tensor *tensor, tensorc_location at,
                            tensorc_tensor **out);

#ifdef __cplusplus
}
#endif
#endif
