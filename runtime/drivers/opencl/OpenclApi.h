//===- OpenclApi.h - the functions of OpenCL that we call -------*- C++ -*-===//
//
// Declared here, so that no header of OpenCL is needed. The OpenCL loader,
// libOpenCL.so.1, exports all of them; for a driver that lacks one, it returns
// an error.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_RUNTIME_DRIVERS_OPENCL_OPENCLAPI_H
#define TENSORC_RUNTIME_DRIVERS_OPENCL_OPENCLAPI_H

#include <cstddef>
#include <cstdint>

namespace tensorc::rt::opencl {

using Platform = struct _cl_platform_id *;
using DeviceId = struct _cl_device_id *;
using Context = struct _cl_context *;
using CommandQueue = struct _cl_command_queue *;
using Program = struct _cl_program *;
using ClKernel = struct _cl_kernel *;
using Event = struct _cl_event *;

// Numbers from cl.h and cl_ext.h.
constexpr uint32_t platformName = 0x0902;
constexpr uint64_t anyDeviceType = 0xffffffff, cpuDeviceType = 1 << 1;
constexpr uint32_t deviceType = 0x1000, vendorId = 0x1001,
                   driverVersion = 0x102d, maxComputeUnits = 0x1002,
                   maxWorkGroupSize = 0x1004, maxMemAllocSize = 0x1010,
                   globalMemSize = 0x101f, localMemSize = 0x1023,
                   deviceAvailable = 0x1027, deviceName = 0x102b,
                   deviceVersion = 0x102f, deviceExtensions = 0x1030,
                   addressBits = 0x100d, svmCapabilities = 0x1053,
                   ilVersion = 0x105b;
constexpr uint64_t svmCoarseGrainBuffer = 1, memReadWrite = 1;
constexpr uint64_t queueProperties = 0x1093, profilingEnable = 1 << 1;
constexpr uint32_t programBuildLog = 0x1183;
constexpr uint32_t kernelSvmPointers = 0x11b6;
constexpr uint32_t eventStatus = 0x11d3, profilingEnd = 0x1283;
constexpr int32_t complete = 0; // a status of events
constexpr uint32_t no = 0, yes = 1;

// Errors
constexpr int32_t memObjectAllocationFailure = -4, outOfHostMemory = -6;

/// X(name, result, parameters); the member is the name without "cl".
#define TENSORC_OPENCL_FUNCTIONS(X)                                            \
  X(GetPlatformIDs, int32_t, (uint32_t, Platform *, uint32_t *))               \
  X(GetPlatformInfo, int32_t, (Platform, uint32_t, size_t, void *, size_t *))  \
  X(GetDeviceIDs, int32_t,                                                     \
    (Platform, uint64_t, uint32_t, DeviceId *, uint32_t *))                    \
  X(GetDeviceInfo, int32_t, (DeviceId, uint32_t, size_t, void *, size_t *))    \
  X(CreateContext, Context,                                                    \
    (const intptr_t *, uint32_t, const DeviceId *, void *, void *, int32_t *)) \
  X(CreateCommandQueueWithProperties, CommandQueue,                            \
    (Context, DeviceId, const uint64_t *, int32_t *))                          \
  X(ReleaseCommandQueue, int32_t, (CommandQueue))                              \
  X(Flush, int32_t, (CommandQueue))                                            \
  X(Finish, int32_t, (CommandQueue))                                           \
  X(CreateProgramWithIL, Program, (Context, const void *, size_t, int32_t *))  \
  X(BuildProgram, int32_t,                                                     \
    (Program, uint32_t, const DeviceId *, const char *, void *, void *))       \
  X(GetProgramBuildInfo, int32_t,                                              \
    (Program, DeviceId, uint32_t, size_t, void *, size_t *))                   \
  X(ReleaseProgram, int32_t, (Program))                                        \
  X(CreateKernel, ClKernel, (Program, const char *, int32_t *))                \
  X(ReleaseKernel, int32_t, (ClKernel))                                        \
  X(SetKernelArg, int32_t, (ClKernel, uint32_t, size_t, const void *))         \
  X(SetKernelExecInfo, int32_t, (ClKernel, uint32_t, size_t, const void *))    \
  X(EnqueueNDRangeKernel, int32_t,                                             \
    (CommandQueue, ClKernel, uint32_t, const size_t *, const size_t *,         \
     const size_t *, uint32_t, const Event *, Event *))                        \
  X(SVMAlloc, void *, (Context, uint64_t, size_t, uint32_t))                   \
  X(SVMFree, void, (Context, void *))                                          \
  X(EnqueueSVMFree, int32_t,                                                   \
    (CommandQueue, uint32_t, void **, void *, void *, uint32_t, const Event *, \
     Event *))                                                                 \
  X(EnqueueSVMMemcpy, int32_t,                                                 \
    (CommandQueue, uint32_t, void *, const void *, size_t, uint32_t,           \
     const Event *, Event *))                                                  \
  X(EnqueueSVMMemFill, int32_t,                                                \
    (CommandQueue, void *, const void *, size_t, size_t, uint32_t,             \
     const Event *, Event *))                                                  \
  X(EnqueueMarkerWithWaitList, int32_t,                                        \
    (CommandQueue, uint32_t, const Event *, Event *))                          \
  X(EnqueueBarrierWithWaitList, int32_t,                                       \
    (CommandQueue, uint32_t, const Event *, Event *))                          \
  X(CreateUserEvent, Event, (Context, int32_t *))                              \
  X(SetUserEventStatus, int32_t, (Event, int32_t))                             \
  X(WaitForEvents, int32_t, (uint32_t, const Event *))                         \
  X(GetEventInfo, int32_t, (Event, uint32_t, size_t, void *, size_t *))        \
  X(GetEventProfilingInfo, int32_t,                                            \
    (Event, uint32_t, size_t, void *, size_t *))                               \
  X(ReleaseEvent, int32_t, (Event))

struct Functions {
#define X(name, result, parameters) result(*name) parameters = nullptr;
  TENSORC_OPENCL_FUNCTIONS(X)
#undef X
};

/// Returns the name of an error, such as "CL_INVALID_VALUE" for -30, or the
/// number.
const char *errorName(int32_t code);

} // namespace tensorc::rt::opencl

#endif
