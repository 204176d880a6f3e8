//===- CpuTarget.h - From kernels to a loadable ELF image -------*- C++ -*-===//
//
// A module of kernels becomes a position-independent shared object without
// imports, TLS or absolute relocations: bytes that the cpu driver maps.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_CODEGEN_TARGETS_CPU_CPUTARGET_H
#define TENSORC_CODEGEN_TARGETS_CPU_CPUTARGET_H

#include "codegen/targets/Target.h"

namespace tensorc::codegen {

const Target &getCpuTarget();

/// The facts of one of its names.
TargetInfo getCpuInfo(llvm::StringRef target);

/// Appends the passes that take kernels in upstream dialects to the llvm
/// dialect. `pm` is anchored on the kernels' module. Fails for unknown targets.
llvm::Error addCpuLowerPasses(mlir::OpPassManager &pm,
                              const CodegenOptions &options);

/// Each takes a module in the llvm dialect, as addCpuLowerPasses leaves it.
/// Thread-safe for modules of different contexts. Errors are returned, with
/// the linker's or LLVM's own message; nothing aborts on a verified module.
llvm::Expected<std::string> emitLLVM(mlir::ModuleOp kernels,
                                     const CodegenOptions &options);
llvm::Expected<std::string> emitAsm(mlir::ModuleOp kernels,
                                    const CodegenOptions &options);
llvm::Expected<ImageBytes> emitObject(mlir::ModuleOp kernels,
                                      const CodegenOptions &options);
llvm::Expected<ImageBytes> compileToImage(mlir::ModuleOp kernels,
                                          const CodegenOptions &options);

/// Links one object into an image. Calls are serialized: lld is not
/// re-entrant. An undefined symbol is an error.
llvm::Expected<ImageBytes> linkImage(llvm::ArrayRef<char> object);

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_TARGETS_CPU_CPUTARGET_H
