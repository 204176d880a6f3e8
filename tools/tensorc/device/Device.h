//===- Device.h - Executable programs -------------------------------------===//
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
  /// True if the last run failed for lack of memory, or over a memory limit.
  bool ranOutOfMemory() const { return outOfMemory; }

protected:
  bool outOfMemory = false;
};

/// Returns the value of `--device`, or TENSORC_DEVICE, or cpu. It may be
/// `auto`; see AutoDevice.h. Returns nullopt after an error message.
std::optional<std::string> chooseDevice(const Arguments &arguments);

/// Makes a kernel's fault produce one line on stderr. LLVM's handlers are
/// removed, because they would report a crash of the compiler.
void reportFaults();

/// Returns the name of the target to compile for.
std::string targetOf(llvm::StringRef device);
/// Like targetOf, for this program. Matrix instructions are tested first if the
/// program may use them.
std::string targetFor(Program &program, llvm::StringRef device);

/// Compiles the program to a package. The program's module is not changed.
mlir::FailureOr<std::string>
compileProgram(Program &program, const compiler::CompileOptions &options);

/// Interprets the program on several ranks at once, with the same arguments.
/// Returns the outputs of each rank.
mlir::FailureOr<std::vector<std::vector<reference::Array>>>
interpretOnRanks(Program &program, int64_t ranks,
                 llvm::ArrayRef<reference::Array> arguments);

/// Compiles the program for the device (`reference` needs no compilation).
/// Returns null after an error. The program's module is not changed.
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
