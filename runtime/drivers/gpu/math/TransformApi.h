//===- TransformApi.h - a vendor's Fourier transforms -----------*- C++ -*-===//
//
// cuFFT, or hipFFT over rocFFT: the same functions under different names. The
// library is loaded when a program first queries the device's properties; plans
// are made when they are first needed.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_RUNTIME_DRIVERS_GPU_MATH_TRANSFORMAPI_H
#define TENSORC_RUNTIME_DRIVERS_GPU_MATH_TRANSFORMAPI_H

#include "runtime/drivers/gpu/GpuApi.h"

#include <list>
#include <mutex>
#include <string_view>

namespace tensorc::rt::gpu {

/// Suffix of the names of targets whose programs call the library, as in the
/// compiler.
constexpr std::string_view transformsSuffix = "+fft";

/// A plan's handle: an int in cuFFT, a pointer in hipFFT. Both are passed in a
/// 64-bit register, of which cuFFT reads the lower half.
using TransformHandle = intptr_t;
static_assert(sizeof(TransformHandle) == sizeof(void *));

struct TransformNames {
  const char *files[2]; // candidates; the first that exists is used
  const char *prefix;   // prefix of function names
};

/// X(member, name, parameters)
#define TENSORC_TRANSFORM_ENTRY_POINTS(X)                                      \
  X(version, "GetVersion", (int *))                                            \
  X(create, "Create", (TransformHandle *))                                     \
  X(destroy, "Destroy", (TransformHandle))                                     \
  X(allocateItself, "SetAutoAllocation", (TransformHandle, int))               \
  X(makePlan, "MakePlanMany64",                                                \
    (TransformHandle, int rank, long long *n, long long *inEmbed,              \
     long long inStep, long long inDistance, long long *outEmbed,              \
     long long outStep, long long outDistance, int type, long long batch,      \
     size_t *workSize))                                                        \
  X(setWorkArea, "SetWorkArea", (TransformHandle, void *))                     \
  X(setStream, "SetStream", (TransformHandle, Stream_t))                       \
  X(transform, "ExecC2C", (TransformHandle, void *in, void *out, int))         \
  X(transformDouble, "ExecZ2Z", (TransformHandle, void *in, void *out, int))

struct TransformEntryPoints {
#define X(member, name, parameters) int(*member) parameters = nullptr;
  TENSORC_TRANSFORM_ENTRY_POINTS(X)
#undef X
};

/// Values of cufftType and of directions, from cufft.h and hipfft.h.
constexpr int pairsOfFloat = 0x29, pairsOfDouble = 0x69;
constexpr int toFrequencies = -1, fromFrequencies = 1;

/// A plan for transforms of `rows` consecutive rows of complex numbers.
struct TransformPlan {
  int64_t length = 0, rows = 0;
  bool isDouble = false;
  TransformHandle handle = 0;
  size_t workSize = 0;
};

/// The library and its plans for one device. The first call opens it, and it is
/// never closed.
class TransformLibrary {
public:
  /// Returns null if the library is missing, or if TENSORC_GPU_LIBRARIES=0.
  const TransformEntryPoints *open(const TransformNames &names);

  /// Returns the plan for these sizes. Creates it if it is not cached. On
  /// failure returns null and sets `failed` and `function` to the library's
  /// error and function. The device must be current, the lock held, and the
  /// library open.
  const TransformPlan *find(int64_t length, int64_t rows, bool isDouble,
                            int &failed, const char *&function);

  std::mutex mutex; // guards the plans, whose stream and memory each call sets

private:
  std::once_flag asked;
  bool isFound = false;
  TransformEntryPoints call;
  std::list<TransformPlan> plans; // most recently used first
};

} // namespace tensorc::rt::gpu

#endif
