//===- GpuApi.h - handles, results and libraries of a vendor ----*- C++ -*-===//
//
// Types that the shared queue code and the vendors' drivers use. Libraries are
// loaded if they are installed; their headers are not needed.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_RUNTIME_DRIVERS_GPU_GPUAPI_H
#define TENSORC_RUNTIME_DRIVERS_GPU_GPUAPI_H

#include <cstddef>
#include <cstdint>
#include <span>

namespace tensorc::rt::gpu {

/// Result of a vendor's call. The numbers below are those of CUDA and HIP. A
/// vendor with other numbers translates its own to these, and maps its other
/// errors to numbers that these do not use.
using Result = int;
constexpr Result success = 0;
constexpr Result resultOutOfMemory = 2;
constexpr Result resultNotSupported = 801;
constexpr Result resultNotReady = 600;

// Opaque handles of the vendor's library, or of the Vendor class that wraps it.
using Stream_t = struct StreamObject *;
using Event_t = struct EventObject *;
using Module_t = struct ModuleObject *;
using Function_t = struct FunctionObject *;
using Graph_t = struct GraphObject *;
using GraphExec_t = struct GraphExecObject *;
using Pool_t = struct PoolObject *;
using Ordinal = int; // number of a device in the library
using HostFunction = void (*)(void *);

/// The name of a function to look up, and where its address is stored.
struct EntryPoint {
  const char *name;
  size_t offset; // in the struct of function pointers
};

/// openLibrary opens the first library that exists; findEntryPoints looks up
/// all names in it. They return null and false if no library exists, or if it
/// is too old to have all functions.
void *openLibrary(const char *const *names, size_t count);
bool findEntryPoints(void *library, std::span<const EntryPoint> points,
                     void *out);

} // namespace tensorc::rt::gpu

#endif
