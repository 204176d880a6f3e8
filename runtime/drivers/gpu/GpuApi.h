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

/// What a vendor's call returns. The numbers below are CUDA's and HIP's; a
/// vendor with other ones translates these, and keeps the rest apart.
using Result = int;
constexpr Result success = 0;
constexpr Result resultOutOfMemory = 2;
constexpr Result resultNotSupported = 801;
constexpr Result resultNotReady = 600;

// Pointers to what is the library's own, or the vendor's around it.
using Stream_t = struct StreamObject *;
using Event_t = struct EventObject *;
using Module_t = struct ModuleObject *;
using Function_t = struct FunctionObject *;
using Graph_t = struct GraphObject *;
using GraphExec_t = struct GraphExecObject *;
using Pool_t = struct PoolObject *;
using Ordinal = int; // which of the library's devices
using HostFunction = void (*)(void *);

/// A name to look up, and where the address goes.
struct EntryPoint {
  const char *name;
  size_t offset; // in the struct of addresses
};

/// Opens the first of the libraries that is there, and finds all names in it.
/// Null when there is none, or when it is too old to have them all.
void *openLibrary(const char *const *names, size_t count);
bool findEntryPoints(void *library, std::span<const EntryPoint> points,
                     void *out);

} // namespace tensorc::rt::gpu

#endif
