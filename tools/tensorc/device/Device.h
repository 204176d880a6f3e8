//===- Device.h - Programs that are ready to run --------------------------===//
#ifndef TENSORC_TOOLS_TENSORC_DEVICE_DEVICE_H
#define TENSORC_TOOLS_TENSORC_DEVICE_DEVICE_H

#include "tools/tensorc/Program.h"

#include "compiler/output/pipelines/Pipelines.h"
#include "ir/reference/Array.h"

namespace tensorc::tool {

/// A function that is ready to run on a device.
class Executable {
public:
  virtual ~Executable() = default;
  /// Runs the function. Errors are diagnostics or messages on stderr.
  virtual mlir::FailureOr<std::vector<reference::Array>>
  run(llvm::ArrayRef<reference::Array> arguments) = 0;
};

/// Returns `--device`, else TENSORC_DEVICE, else cpu. It may be `auto`, see
/// AutoDevice.h. Nullopt after an error message.
std::optional<std::string> chooseDevice(const Arguments &arguments);

/// Makes a kernel's fault be reported in one line on stderr, without LLVM's
/// handlers, which would report a crash of the compiler.
void reportFaults();

/// Returns the name of the target to compile for.
std::string targetOf(llvm::StringRef device);
/// The same for this program, before which matrix instructions are tested.
std::string targetFor(Program &program, llvm::StringRef device);

/// Compiles the program to a package. Its module is not changed.
mlir::FailureOr<std::string>
compileProgram(Program &program, const compiler::CompileOptions &options);

/// Compiles the program for the device (`reference` needs no compilation). Null
/// after an error. The program's module is not changed.
std::unique_ptr<Executable> prepare(Program &program, llvm::StringRef device,
                                    const compiler::CompileOptions &options);

/// Loads a package with the runtime, from a file or from memory; null after an
/// error message.
std::unique_ptr<Executable> loadPackageFile(const std::string &path,
                                            llvm::StringRef entry,
                                            llvm::StringRef device);
std::unique_ptr<Executable>
loadPackage(std::string bytes, llvm::StringRef entry, llvm::StringRef device);

} // namespace tensorc::tool

#endif // TENSORC_TOOLS_TENSORC_DEVICE_DEVICE_H
