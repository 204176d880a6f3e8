//===- Module.h - a package that is ready to run ----------------*- C++ -*-===//
#ifndef TENSORC_RUNTIME_PROGRAM_MODULE_H
#define TENSORC_RUNTIME_PROGRAM_MODULE_H

#include "runtime/core/Driver.h"
#include "runtime/program/Program.h"
#include "runtime/program/calls/CustomCalls.h"

#include <algorithm>

struct tensorc_rt_module {};

namespace tensorc::rt {

/// The bytes of a package, and the object that releases them.
struct PackageBytes {
  std::span<const char> bytes;
  std::shared_ptr<const void> owner; // its deleter releases the bytes
  /// Opens a file in the package's folder. Null if the package was not loaded
  /// from a file.
  std::function<Status(const std::string &name, PackageBytes &out)> beside;
};

class Module final : public tensorc_rt_module,
                     public std::enable_shared_from_this<Module> {
public:
  using TileTester = decltype(SectionChooser::test);
  /// Loads the section that fits the device best, of those whose matrix
  /// instructions pass the test.
  static Status load(Device &device, PackageBytes package,
                     const TileTester &test, std::shared_ptr<Module> &out);
  explicit Module(Device &device) : device(device) {}
  ~Module();

  Device &device;
  Program program;
  std::vector<std::unique_ptr<Image>> images;
  std::vector<const void *> kernels; // handles of the driver
  /// One reference each. Null for a constant that is not kept on the device.
  std::vector<Buffer *> constants;
  bool isConstant(const Buffer &buffer) const {
    return std::find(constants.begin(), constants.end(), &buffer) !=
           constants.end();
  }
  /// Returns the source line of an op: that of the package, or else the one that
  /// the caller gives. `op` is 1 + the op's number, or 0 for none.
  tensorc_rt_line lineOf(uint32_t op,
                         std::span<const tensorc_rt_line> given) const {
    std::span<const tensorc_rt_line> lines = given;
    if (!program.lines.empty())
      lines = program.lines;
    return op && op <= lines.size() ? lines[op - 1] : tensorc_rt_line{};
  }
  /// For each string of the program, the custom call with that name. Null if no
  /// instruction calls it, or if it is missing and the device computes nothing.
  std::vector<const CustomCall *> customCalls;
  bool hasCollectives = false;

  /// Number of references through the C interface. Releasing the last one
  /// resets `self`.
  std::atomic<uint32_t> refs{1};
  std::shared_ptr<Module> self;

private:
  Status openConstants(const std::string &name, std::span<const char> &out);
  Status loadImages();
  Status loadConstants();
  Status findCustomCalls();
  PackageBytes package;
  PackageBytes constantsFile; // empty if constants are in the package
};

inline Module *unwrap(tensorc_rt_module *module) {
  return static_cast<Module *>(module);
}
inline const Module *unwrap(const tensorc_rt_module *module) {
  return static_cast<const Module *>(module);
}

} // namespace tensorc::rt

#endif
