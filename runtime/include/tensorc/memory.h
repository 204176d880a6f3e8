/*===- memory.h - what the memory of a device is used for -----------------===*\
|*
|* A snapshot lists the blocks of a device with the lines of the user's program
|* that allocated them. If releases are recorded, it lists earlier blocks, too.
|*
\*===----------------------------------------------------------------------===*/
#ifndef TENSORC_MEMORY_H
#define TENSORC_MEMORY_H

#include "runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Records the times of allocations from now on, and keeps the last `blocks`
   (at most 1048576) of these blocks that were released. 0 stops recording and
   forgets them. Without a record no clock is read. */
TENSORC_RT_API tensorc_rt_status *
tensorc_rt_device_record_memory(tensorc_rt_device *device, uint32_t blocks);

/* Returns the device's memory as JSON. The text is freed with
   tensorc_rt_string_free.

   "allocated", "peak", "cached" and "limit" are those of
   tensorc_rt_device_memory. "blocks" are the blocks in use and the cached ones,
   each with its bytes, and for blocks in use the bytes that were requested and
   the line, if known. A cached block is "pending" while streams still use it.
   "rounding" are the bytes in use that nobody requested. "fragmentation" is the
   part of the cached bytes that is not in the largest cached block. "timeline"
   has the recorded blocks in the order of release, then those in use: times in
   nanoseconds of the monotonic clock; blocks in use have no end. */
TENSORC_RT_API tensorc_rt_status *
tensorc_rt_device_memory_snapshot(tensorc_rt_device *device, char **out);

#ifdef __cplusplus
}
#endif

#endif
