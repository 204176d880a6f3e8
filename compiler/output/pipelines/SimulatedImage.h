//===- SimulatedImage.h - Kernels for tests without a GPU -------*- C++ -*-===//
#ifndef TENSORC_COMPILER_OUTPUT_PIPELINES_SIMULATEDIMAGE_H
#define TENSORC_COMPILER_OUTPUT_PIPELINES_SIMULATEDIMAGE_H

#include "compiler/output/pipelines/Pipelines.h"

namespace tensorc::compiler {

/// Whether TENSORC_EMBED_SIMULATED=1 asks for it: images for GPUs then carry
/// the same kernels for the simulator, which tests/runtime/fakes runs in place
/// of the GPU's.
bool embedsSimulated();

/// Compiles what the stage `emit` made for a GPU for the simulator of its chip,
/// as lines of comment that go behind the image. Empty for other targets.
mlir::FailureOr<std::string> simulatedImage(mlir::ModuleOp emitted,
                                            const CompileOptions &options);

} // namespace tensorc::compiler

#endif // TENSORC_COMPILER_OUTPUT_PIPELINES_SIMULATEDIMAGE_H
