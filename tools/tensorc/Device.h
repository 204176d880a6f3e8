//===- Device.h - Programs that are ready to run --------------------------===//
#ifndef TENSORC_TOOLS_TENSORC_DEVICE_H
#define TENSORC_TOOLS_TENSORC_DEVICE_H

#include "tools/tensorc/Module.h"

#include "compiler/pipelines/Pipelines.h"
#include "ir/reference/Array.h"

namespace tensorc::tool {

/// A function of a module, made ready for a device.
class Executable {
public:
  virtual ~Executable() = default;
  /// Errors are diagnostics or messages on stderr.
  virtual mlir::FailureOr<std::vector<reference::Array>>
  run(llvm::ArrayRef<reference::Array> arguments) = 0;
};

/// Whether a device of this name exists in this build.
bool isDevice(llvm::StringRef name);
/// Names of the devices, for messages and `tensorc devices`.
std::vector<std::string> deviceNames();
/// `--device`, else TENSORC_DEVICE, else cpu; none after a message to stderr.
std::optional<std::string> chooseDevice(const Arguments &arguments);

/// Compiles the function for the device (or not at all for `reference`); null
/// after an error. The module is left as it is.
std::unique_ptr<Executable> prepare(mlir::func::FuncOp function,
                                    llvm::StringRef device,
                                    const compiler::CompileOptions &options);

} // namespace tensorc::tool

#endif // TENSORC_TOOLS_TENSORC_DEVICE_H
