//===- AutoDevice.h - Chooses the device with the lowest cost -------------===//
#ifndef TENSORC_TOOLS_TENSORC_DEVICE_AUTODEVICE_H
#define TENSORC_TOOLS_TENSORC_DEVICE_AUTODEVICE_H

#include "tools/tensorc/Program.h"

#include "compiler/output/pipelines/Pipelines.h"
#include "compiler/session/placement/Placer.h"
#include "ir/reference/Array.h"
#include "tools/tensorc/Timing.h"
#include "tools/tensorc/device/Device.h"

namespace tensorc::tool {

/// Specializes the function for the sizes of the inputs.
mlir::LogicalResult specializeFor(mlir::func::FuncOp function,
                                  llvm::ArrayRef<reference::Array> inputs);

/// The data by which --device=auto chooses a device.
struct PlacementFacts {
  /// Devices for which the program can be compiled.
  placement::Placer::Candidates candidates;
  std::vector<placement::Sum> sums;

  const placement::Candidate &chosen() const {
    return candidates[placement::rank(sums).front()];
  }
};

/// Chooses a device for a function with static sizes whose operands and results
/// are on the host. Does not change the module. Returns nullopt after an error.
std::optional<PlacementFacts> placeFunction(mlir::func::FuncOp function,
                                            compiler::CompileOptions options);

/// Compiles the program to a package for a target. Returns nullopt after an
/// error.
std::optional<std::string> compileFor(Program &program, llvm::StringRef target,
                                      const Arguments &arguments,
                                      Timing &timing);

/// Sets the performance figures of the device, which are measured if they are
/// unknown. They determine how the module is fitted into a memory limit.
mlir::LogicalResult setFigures(mlir::ModuleOp module,
                               compiler::CompileOptions &options,
                               llvm::StringRef device);

/// Prepares the program for `device`; `auto` is replaced by the chosen device.
/// Null after an error.
std::unique_ptr<Executable> prepareFor(Program &program, std::string &device,
                                       llvm::ArrayRef<reference::Array> inputs,
                                       const Arguments &arguments,
                                       Timing &timing);

} // namespace tensorc::tool

#endif // TENSORC_TOOLS_TENSORC_DEVICE_AUTODEVICE_H
