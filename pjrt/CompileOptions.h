//===- CompileOptions.h - Options of a compilation ------------------------===//
#ifndef TENSORC_PJRT_COMPILEOPTIONS_H
#define TENSORC_PJRT_COMPILEOPTIONS_H

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tensorc::pjrt {

/// What a host asks for in XLA's protocol buffer CompileOptionsProto, of which
/// only these fields are read. Others are about XLA's own passes.
struct CompileOptions {
  int64_t replicas = 1;
  int64_t partitions = 1;
  /// The DeviceAssignmentProto as it came; empty: none.
  std::string assignment;
  /// Ids of its devices.
  std::vector<int64_t> devices;
  /// The caller of an execution says which device runs it.
  bool isPortable = false;
};

/// Returns false if these are no bytes of a protocol buffer.
bool readCompileOptions(std::string_view bytes, CompileOptions &options);

/// A DeviceAssignmentProto of one device.
std::string assignmentOf(int64_t device);

} // namespace tensorc::pjrt

#endif // TENSORC_PJRT_COMPILEOPTIONS_H
