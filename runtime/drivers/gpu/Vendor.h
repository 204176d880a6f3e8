//===- Vendor.h - what the libraries of two vendors differ in ---*- C++ -*-===//
#ifndef TENSORC_RUNTIME_DRIVERS_GPU_VENDOR_H
#define TENSORC_RUNTIME_DRIVERS_GPU_VENDOR_H

#include "runtime/core/Driver.h"
#include "runtime/drivers/gpu/GpuApi.h"
#include "runtime/drivers/gpu/math/MathApi.h"
#include "runtime/drivers/gpu/math/TransformApi.h"

#include <string>

namespace tensorc::rt::gpu {

/// A device to the library: its number, and a context where it has such.
struct Handle {
  Ordinal ordinal = 0;
  void *context = nullptr;
};

/// The library's numbers for what a device can be asked.
struct Attributes {
  int maxBlock, subgroup, multiprocessors, threadsPerMultiprocessor, major,
      minor, memoryPools, sharedPerBlock;
};

/// The library of a vendor, once it is loaded. Lives as long as the process.
class Vendor {
public:
  explicit Vendor(const Attributes &attributes) : attributes(attributes) {}
  virtual ~Vendor() = default;

  EntryPoints call;

  /// Readies the device for this process; costs memory on it.
  virtual Result open(Handle &device) = 0;
  /// Makes the device the calling thread's; `leave` restores what was.
  virtual Result enter(const Handle &device, void *&former) = 0;
  virtual void leave(void *former) = 0;
  /// Loads an image that ends in a zero byte; says why not in `log`.
  virtual Result load(const char *image, Module_t &out, std::string &log) = 0;
  virtual Result copyPeer(const Handle &to, void *target, const Handle &from,
                          const void *source, size_t size, Stream_t on) = 0;
  /// Lets the current device reach the peer's memory.
  virtual Result enablePeer(const Handle &peer) = 0;
  /// Lets a kernel be launched with more dynamic shared memory than usual.
  virtual Result allowShared(Function_t kernel, uint32_t bytes) = 0;
  /// What a kernel takes for a tensor map, 128 bytes aligned to 64.
  virtual Result encodeMap(const TensorMap &map, void *buffer, void *out) = 0;
  /// "an illegal memory access was encountered (CUDA_ERROR_ILLEGAL_ADDRESS)"
  virtual std::string describe(Result result) const = 0;

  /// Its linear algebra, which need not be there.
  virtual const MathLibraries &mathLibraries() const = 0;
  /// And its Fourier transforms.
  virtual const TransformNames &transformLibrary() const = 0;

  /// "cuda:sm_90a": what to compile for the device.
  virtual std::string target(Ordinal device) const = 0;
  /// How well a device of one target runs code for another; 0: not.
  virtual int32_t accepts(const std::string &own, const char *target) const = 0;

  const Attributes attributes;
};

} // namespace tensorc::rt::gpu

#endif
