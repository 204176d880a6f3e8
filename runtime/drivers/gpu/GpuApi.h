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
#include <string>
#include <vector>

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
  size_t offset; // offset in the struct of function pointers
};

/// Opens the first library that exists. Returns null if there is none. If a
/// library exists but does not load, the reason is added to `refused`.
void *openLibrary(const char *const *names, size_t count,
                  std::vector<std::string> *refused = nullptr);
/// Looks up the functions of a library. Returns the name of the first function
/// that the library lacks, or null.
const char *findEntryPoints(void *library, std::span<const EntryPoint> points,
                            void *out);
/// Returns the path from which a library was loaded.
std::string getLibraryPath(void *library);

/// Calls a function that returns the version, such as cuDriverGetVersion.
/// Returns 0 if the library lacks it.
int askVersion(void *library, const char *function);

/// Reads an environment variable that is 0 or 1. Reports other values on stderr
/// and ignores them.
bool readSwitch(const char *variable, bool usual);

} // namespace tensorc::rt::gpu

#endif
