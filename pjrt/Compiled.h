//===- Compiled.h - A compiled program ------------------------------------===//
#ifndef TENSORC_PJRT_COMPILED_H
#define TENSORC_PJRT_COMPILED_H

#include "pjrt/CompileOptions.h"
#include "pjrt/Objects.h"

#include "tensorc/compile.h"

#include <string_view>

namespace tensorc::pjrt {

/// A host's request to compile a program.
struct Request {
  Device *device = nullptr;
  std::string options;     // the bytes that the host passed
  std::string assignment;  // a DeviceAssignmentProto
  std::string fingerprint; // of the program and its options
};

/// The types of arguments and results, in arrays that the host can read.
struct Signature {
  std::vector<uint8_t> donated; // for each argument
  std::vector<std::vector<int64_t>> resultDims;
  std::vector<ElementType> resultTypes;
  std::vector<int64_t> flatDims; // of all results
  std::vector<size_t> resultRanks;
  // Memory kinds. The length is the larger of the numbers of arguments and
  // results.
  std::vector<const char *> memoryKinds;
  std::vector<size_t> memoryKindSizes;
  int64_t resultBytes = 0;

  Error *addResult(tensorc_dtype dtype, std::vector<int64_t> dims);
  /// Sets the memory kinds. Must be called after all arguments and results are
  /// known.
  void setMemoryKind(const std::string &kind);
};

/// A program for one device: compiled in this process, or loaded from a package
/// that an earlier process made.
struct Compiled {
  Compiled() = default;
  Compiled(const Compiled &) = delete;
  Compiled &operator=(const Compiled &) = delete;
  ~Compiled();

  Request request;
  Signature signature;
  std::string name = "main";
  bool callsHost = false; // calls functions of this process
  int64_t temporaryBytes = 0;

  Error *compile(std::string_view code);
  Error *load(std::string_view bytes);
  /// Runs the program and releases the arguments. Arguments in `donated` may be
  /// overwritten.
  Error *run(std::vector<tensorc_tensor *> &arguments,
             const std::vector<uint8_t> &donated,
             std::vector<tensorc_tensor *> &outputs) const;
  Error *serialize(std::string &bytes) const;

private:
  Error *describeFunction();
  Error *describeEntry();

  // Either the program and its function are set, or the members of a loaded
  // package.
  tensorc_program *program = nullptr;
  tensorc_function *function = nullptr;
  std::string package;
  tensorc_rt_module *module = nullptr;
  const tensorc_rt_entry *entry = nullptr;
};

} // namespace tensorc::pjrt

#endif // TENSORC_PJRT_COMPILED_H
