//===- SimulatedImage.h - Kernels for tests without a GPU -------*- C++ -*-===//
#ifndef TENSORC_COMPILER_OUTPUT_PIPELINES_SIMULATEDIMAGE_H
#define TENSORC_COMPILER_OUTPUT_PIPELINES_SIMULATEDIMAGE_H

#include "compiler/output/pipelines/Pipelines.h"

namespace tensorc::compiler {

/// True if TENSORC_EMBED_SIMULATED=1: images for GPUs then also contain the
/// kernels for the simulator, which tests/runtime/fakes runs instead of a GPU.
bool embedsSimulated();

/// True if TENSORC_SIMULATED_ONLY=1: such images contain no machine code of the
/// GPU. Tests that run many programs on tests/runtime/fakes spare its
/// compilation.
bool holdsOnlySimulated();

/// Compiles the output of stage `emit`, which is for a GPU, for the simulator
/// of its chip. Returns lines of comment to append to the GPU's image; empty
/// for targets without a simulator.
mlir::FailureOr<std::string> simulatedImage(mlir::ModuleOp emitted,
                                            const CompileOptions &options);

} // namespace tensorc::compiler

#endif // TENSORC_COMPILER_OUTPUT_PIPELINES_SIMULATEDIMAGE_H
