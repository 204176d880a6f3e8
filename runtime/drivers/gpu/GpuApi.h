//===- GpuApi.h - handles, results and libraries of a vendor ----*- C++ -*-===//
//
// What the shared queue code and the vendors speak in. Libraries are looked up
// when they are there; no header of theirs is needed.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_RUNTIME_DRIVERS_GPU_GPUAPI_H
#define TENSORC_RUNTIME_DRIVERS_GPU_GPUAPI_H

#include <cstddef>
#include <cstdint>
#include <span>

namespace tensorc::rt::gpu {

/// Result of a vendor's call. The numbers below are those of CUDA and HIP. A
/// vendor with other numbers translates these, and maps its other errors to
/// numbers outside of them.
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
using Ordinal = int; // which of the library's devices
using HostFunction = void (*)(void *);

/// A function name to look up, and the pointer that receives its address.
struct EntryPoint {
  const char *name;
  size_t offset; // in the struct of addresses
};

/// Opens the first library that exists, and looks up all names in it. Returns
/// null if there is none, or if it is too old to have all of them.
void *openLibrary(const char *const *names, size_t count);
bool findEntryPoints(void *library, std::span<const EntryPoint> points,
                     void *out);

} // namespace tensorc::rt::gpu

#endif
