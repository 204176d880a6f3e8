//===- EntryPoints.h - the functions of the CUDA driver API -----*- C++ -*-===//
//
// libcuda and libamdhip64 have the same functions under different names.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_RUNTIME_DRIVERS_GPU_CUDALIKE_ENTRYPOINTS_H
#define TENSORC_RUNTIME_DRIVERS_GPU_CUDALIKE_ENTRYPOINTS_H

#include "runtime/drivers/gpu/GpuApi.h"

namespace tensorc::rt::gpu {

/// Size and alignment of CUtensorMap.
constexpr size_t tensorMapBytes = 128, tensorMapAlignment = 128;

// Values of flags, which are the same in CUDA and HIP.
constexpr unsigned streamNonBlocking = 1;
constexpr unsigned hostAllocPortable = 1;
constexpr int captureRelaxed = 2;

/// X(member, name in libcuda, name in libamdhip64, parameters)
#define TENSORC_GPU_ENTRY_POINTS(X)                                            \
  X(init, cuInit, hipInit, (unsigned))                                         \
  X(deviceCount, cuDeviceGetCount, hipGetDeviceCount, (int *))                 \
  X(deviceGet, cuDeviceGet, hipDeviceGet, (Ordinal *, int))                    \
  X(deviceName, cuDeviceGetName, hipDeviceGetName, (char *, int, Ordinal))     \
  X(deviceMemory, cuDeviceTotalMem_v2, hipDeviceTotalMem, (size_t *, Ordinal)) \
  X(deviceAttribute, cuDeviceGetAttribute, hipDeviceGetAttribute,              \
    (int *, int, Ordinal))                                                     \
  X(canAccessPeer, cuDeviceCanAccessPeer, hipDeviceCanAccessPeer,              \
    (int *, Ordinal, Ordinal))                                                 \
  X(memoryInfo, cuMemGetInfo_v2, hipMemGetInfo, (size_t *, size_t *))          \
  X(allocate, cuMemAlloc_v2, hipMalloc, (void **, size_t))                     \
  X(free, cuMemFree_v2, hipFree, (void *))                                     \
  X(allocateAsync, cuMemAllocAsync, hipMallocAsync,                            \
    (void **, size_t, Stream_t))                                               \
  X(freeAsync, cuMemFreeAsync, hipFreeAsync, (void *, Stream_t))               \
  X(defaultPool, cuDeviceGetDefaultMemPool, hipDeviceGetDefaultMemPool,        \
    (Pool_t *, Ordinal))                                                       \
  X(poolTrim, cuMemPoolTrimTo, hipMemPoolTrimTo, (Pool_t, size_t))             \
  X(poolSetAccess, cuMemPoolSetAccess, hipMemPoolSetAccess,                    \
    (Pool_t, const PoolAccess *, size_t))                                      \
  X(hostAllocate, cuMemHostAlloc, hipHostMalloc, (void **, size_t, unsigned))  \
  X(hostFree, cuMemFreeHost, hipHostFree, (void *))                            \
  X(copyToDevice, cuMemcpyHtoDAsync_v2, hipMemcpyHtoDAsync,                    \
    (void *, const void *, size_t, Stream_t))                                  \
  X(copyToHost, cuMemcpyDtoHAsync_v2, hipMemcpyDtoHAsync,                      \
    (void *, const void *, size_t, Stream_t))                                  \
  X(copyOnDevice, cuMemcpyDtoDAsync_v2, hipMemcpyDtoDAsync,                    \
    (void *, const void *, size_t, Stream_t))                                  \
  X(fill8, cuMemsetD8Async, hipMemsetD8Async,                                  \
    (void *, unsigned char, size_t, Stream_t))                                 \
  X(fill16, cuMemsetD16Async, hipMemsetD16Async,                               \
    (void *, unsigned short, size_t, Stream_t))                                \
  X(fill32, cuMemsetD32Async, hipMemsetD32Async,                               \
    (void *, unsigned, size_t, Stream_t))                                      \
  X(streamCreate, cuStreamCreate, hipStreamCreateWithFlags,                    \
    (Stream_t *, unsigned))                                                    \
  X(streamDestroy, cuStreamDestroy_v2, hipStreamDestroy, (Stream_t))           \
  X(streamSynchronize, cuStreamSynchronize, hipStreamSynchronize, (Stream_t))  \
  X(streamQuery, cuStreamQuery, hipStreamQuery, (Stream_t))                    \
  X(streamWaitEvent, cuStreamWaitEvent, hipStreamWaitEvent,                    \
    (Stream_t, Event_t, unsigned))                                             \
  X(hostFunction, cuLaunchHostFunc, hipLaunchHostFunc,                         \
    (Stream_t, HostFunction, void *))                                          \
  X(beginCapture, cuStreamBeginCapture_v2, hipStreamBeginCapture,              \
    (Stream_t, int))                                                           \
  X(endCapture, cuStreamEndCapture, hipStreamEndCapture,                       \
    (Stream_t, Graph_t *))                                                     \
  X(graphInstantiate, cuGraphInstantiateWithFlags,                             \
    hipGraphInstantiateWithFlags,                                              \
    (GraphExec_t *, Graph_t, unsigned long long))                              \
  X(graphLaunch, cuGraphLaunch, hipGraphLaunch, (GraphExec_t, Stream_t))       \
  X(graphDestroy, cuGraphDestroy, hipGraphDestroy, (Graph_t))                  \
  X(graphExecDestroy, cuGraphExecDestroy, hipGraphExecDestroy, (GraphExec_t))  \
  X(eventCreate, cuEventCreate, hipEventCreateWithFlags,                       \
    (Event_t *, unsigned))                                                     \
  X(eventDestroy, cuEventDestroy_v2, hipEventDestroy, (Event_t))               \
  X(eventRecord, cuEventRecord, hipEventRecord, (Event_t, Stream_t))           \
  X(eventQuery, cuEventQuery, hipEventQuery, (Event_t))                        \
  X(eventSynchronize, cuEventSynchronize, hipEventSynchronize, (Event_t))      \
  X(eventElapsed, cuEventElapsedTime, hipEventElapsedTime,                     \
    (float *, Event_t, Event_t))                                               \
  X(moduleUnload, cuModuleUnload, hipModuleUnload, (Module_t))                 \
  X(moduleFunction, cuModuleGetFunction, hipModuleGetFunction,                 \
    (Function_t *, Module_t, const char *))                                    \
  X(launch, cuLaunchKernel, hipModuleLaunchKernel,                             \
    (Function_t, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,   \
     unsigned, Stream_t, void **, void **))

/// CUmemAccessDesc and hipMemAccessDesc: permits a device to read and write a
/// pool.
struct PoolAccess {
  int locationType = 1; // a device
  int location = 0;
  int flags = 3; // read and write
};

struct EntryPoints {
#define X(member, cuda, hip, parameters) Result(*member) parameters = nullptr;
  TENSORC_GPU_ENTRY_POINTS(X)
#undef X
};

} // namespace tensorc::rt::gpu

#endif
