//===- CompileOptions.h - Options of a compilation ------------------------===//
#ifndef TENSORC_PJRT_COMPILEOPTIONS_H
#define TENSORC_PJRT_COMPILEOPTIONS_H

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tensorc::pjrt {

/// A compiler option that the user has set, such as
/// `jax.jit(f, compiler_options={"xla_dump_to": "folder"})`.
struct CompilerOption {
  std::string name;
  std::string text;    // of a string or an integer; else empty
  bool isBool = false; // the value is true or false
};

/// The fields of XLA's protocol buffer CompileOptionsProto that the plugin
/// uses. Its other fields control XLA's passes.
struct CompileOptions {
  int64_t replicas = 1;
  int64_t partitions = 1;
  /// The unparsed DeviceAssignmentProto; empty if there is none.
  std::string assignment;
  /// Ids of the devices in the assignment.
  std::vector<int64_t> devices;
  std::vector<CompilerOption> overrides;
};

/// Returns false if the bytes are not a valid protocol buffer.
bool readCompileOptions(std::string_view bytes, CompileOptions &options);

/// Returns the reason why an option is refused; empty if it is accepted. The
/// options of XLA are accepted and have no effect, so that programs that set
/// them run unchanged.
std::string refusalOf(const CompilerOption &option);

/// Returns a DeviceAssignmentProto for these devices: either one replica per
/// device, or one replica with one partition per device.
std::string assignmentOf(const std::vector<int64_t> &devices, bool areReplicas);

} // namespace tensorc::pjrt

#endif // TENSORC_PJRT_COMPILEOPTIONS_H
