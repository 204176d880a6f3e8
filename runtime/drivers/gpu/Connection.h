//===- Connection.h - a device of a vendor's library ------------*- C++ -*-===//
#ifndef TENSORC_RUNTIME_DRIVERS_GPU_CONNECTION_H
#define TENSORC_RUNTIME_DRIVERS_GPU_CONNECTION_H

#include "runtime/core/Status.h"
#include "runtime/core/threads/Fork.h"
#include "runtime/drivers/gpu/EventPool.h"
#include "runtime/drivers/gpu/StreamRecords.h"

#include <atomic>
#include <mutex>
#include <string>

namespace tensorc::rt::gpu {

/// Whether a library call waits for queued work. If it does, its error may be
/// due to any earlier kernel, and the error message names the kernels.
enum class Call { Returns, Waits };

/// Converts results of library calls to errors. Thread-safe.
class DeviceErrors {
public:
  DeviceErrors(const char *name, const VendorLibrary &library,
               StreamRegistry &streams)
      : name(name), library(library), streams(streams) {}
  /// See Connection::check.
  Status check(Result result, const char *doing, Call call);
  /// True if the device cannot be used any more by this process.
  bool isFinal() const { return isLost || generation != forkGeneration(); }
  /// Returns the error that ended all work, if any.
  Status health();

private:
  std::string nameSuspects();

  const char *const name;
  const VendorLibrary &library;
  StreamRegistry &streams;
  const uint32_t generation = forkGeneration();
  std::mutex mutex; // guards `lost`; never held while waiting for work
  std::atomic<bool> isLost{false};
  std::string lost; // why
};

/// What a device is, queried once.
struct DeviceIdentity {
  DeviceIdentity(const DeviceApi &devices, const char *kind, Ordinal ordinal);

  DeviceFacts facts;
  /// The target's name without and with the suffix for the library of
  /// transforms.
  std::string target, targetWithTransforms;
};

/// A device of a vendor's library, and what all calls for it share.
struct Connection {
  /// `name` lives as long as this object.
  Connection(const char *name, VendorLibrary library, const char *kind,
             Ordinal ordinal)
      : name(name), library(std::move(library)),
        identity(this->library.devices, kind, ordinal),
        handle{ordinal, nullptr}, events(this->library.events, handle),
        errors(name, this->library, streams) {}

  /// Converts the result of a library call to an error. An error that ends all
  /// work is stored, with the kernels that may have caused it. The caller must
  /// not hold the lock of a stream.
  Status check(Result result, const char *doing, Call call = Call::Returns) {
    return result == success ? Status() : errors.check(result, doing, call);
  }

  const char *const name;
  const VendorLibrary library;
  const DeviceIdentity identity;
  Handle handle;
  EventPool events;
  StreamRegistry streams;
  DeviceErrors errors;
};

} // namespace tensorc::rt::gpu

#endif
