//===- Module.h - a package that is ready to run ----------------*- C++ -*-===//
#ifndef TENSORC_RUNTIME_PROGRAM_MODULE_H
#define TENSORC_RUNTIME_PROGRAM_MODULE_H

#include "runtime/core/Driver.h"
#include "runtime/program/Program.h"
#include "runtime/program/calls/CustomCalls.h"

#include <algorithm>

struct tensorc_rt_module {};

namespace tensorc::rt {

/// The bytes of a package, and how to release them.
struct PackageBytes {
  std::span<const char> bytes;
  std::shared_ptr<const void> owner; // its deleter gives the bytes back
  /// Opens a file in the package's folder; empty if the package has no folder.
  std::function<Status(const std::string &name, PackageBytes &out)> beside;
};

/// Location of a kernel in the user's program. The text lives as long as the
/// module or the process. Set while other threads run.
struct KernelOrigin {
  std::atomic<const char *> file{nullptr};
  std::atomic<uint32_t> line{0};
};

class Module final : public tensorc_rt_module,
                     public std::enable_shared_from_this<Module> {
public:
  static Status load(Device &device, PackageBytes package,
                     std::shared_ptr<Module> &out);
  explicit Module(Device &device) : device(device) {}
  ~Module();

  Device &device;
  Program program;
  std::vector<std::unique_ptr<Image>> images;
  std::vector<const void *> kernels; // the driver's handles
  std::vector<Buffer *> constants;   // one reference each
  std::vector<KernelOrigin> origins; // one for each kernel
  bool isConstant(const Buffer &buffer) const {
    return std::find(constants.begin(), constants.end(), &buffer) !=
           constants.end();
  }
  /// For each string, the custom call of that name; null if none is called, or
  /// if it is missing on a device that computes nothing.
  std::vector<const CustomCall *> customCalls;

  /// References counted by the C interface. The last one drops `self`.
  std::atomic<uint32_t> refs{1};
  std::shared_ptr<Module> self;

private:
  Status openConstants(const std::string &name, std::span<const char> &out);
  Status loadImages();
  Status loadConstants();
  Status findCustomCalls();
  PackageBytes package;
  PackageBytes constantsFile; // empty: they are in the package
};

inline Module *unwrap(tensorc_rt_module *module) {
  return static_cast<Module *>(module);
}
inline const Module *unwrap(const tensorc_rt_module *module) {
  return static_cast<const Module *>(module);
}

} // namespace tensorc::rt

#endif
