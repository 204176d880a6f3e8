//===- CompileOptions.h - Options of a compilation ------------------------===//
#ifndef TENSORC_PJRT_COMPILEOPTIONS_H
#define TENSORC_PJRT_COMPILEOPTIONS_H

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tensorc::pjrt {

/// The fields of XLA's protocol buffer CompileOptionsProto that the plugin
/// uses. Its other fields control XLA's passes.
struct CompileOptions {
  int64_t replicas = 1;
  int64_t partitions = 1;
  /// The unparsed DeviceAssignmentProto; empty if there is none.
  std::string assignment;
  /// Ids of the devices in the assignment.
  std::vector<int64_t> devices;
  /// True if the caller of each execution selects the device.
  bool isPortable = false;
};

/// Returns false if the bytes are not a valid protocol buffer.
bool readCompileOptions(std::string_view bytes, CompileOptions &options);

/// Returns a DeviceAssignmentProto for these devices: either one replica per
/// device, or one replica with one partition per device.
std::string assignmentOf(const std::vector<int64_t> &devices, bool areReplicas);

} // namespace tensorc::pjrt

#endif // TENSORC_PJRT_COMPILEOPTIONS_H
