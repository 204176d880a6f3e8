//===- CpuTarget.h - From kernels to a loadable ELF image -------*- C++ -*-===//
//
// A module of kernels becomes a position-independent shared object without
// imports, TLS or absolute relocations: bytes that the cpu driver maps.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_CODEGEN_TARGETS_CPU_CPUTARGET_H
#define TENSORC_CODEGEN_TARGETS_CPU_CPUTARGET_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"
#include <string>

namespace tensorc::codegen {

using ImageBytes = llvm::SmallVector<char, 0>;

struct CpuTargetOptions {
  /// "cpu", "cpu:x86-64-v2|v3|v4" or "cpu:aarch64".
  std::string target = "cpu";
  /// 0: none, 1: quick, 2: the default, tuned for compile time, 3: all of
  /// LLVM's -O3 pipeline.
  unsigned optLevel = 2;
};

/// Makes the LLVM dialect translatable in contexts made from `registry`, which
/// the functions below need.
void registerCpuTarget(mlir::DialectRegistry &registry);

/// Appends the passes that take kernels in upstream dialects to the llvm
/// dialect. `pm` is anchored on the kernels' module. Fails for unknown targets.
llvm::Error addCpuLowerPasses(mlir::OpPassManager &pm,
                              const CpuTargetOptions &options);

/// Each takes a module in the llvm dialect, as addCpuLowerPasses leaves it.
/// Thread-safe for modules of different contexts. Errors are returned, with
/// the linker's or LLVM's own message; nothing aborts on a verified module.
llvm::Expected<std::string> emitLLVM(mlir::ModuleOp kernels,
                                     const CpuTargetOptions &options);
llvm::Expected<std::string> emitAsm(mlir::ModuleOp kernels,
                                    const CpuTargetOptions &options);
llvm::Expected<ImageBytes> emitObject(mlir::ModuleOp kernels,
                                      const CpuTargetOptions &options);
llvm::Expected<ImageBytes> compileToImage(mlir::ModuleOp kernels,
                                          const CpuTargetOptions &options);

/// Links one object into an image. Calls are serialized: lld is not
/// re-entrant. An undefined symbol is an error.
llvm::Expected<ImageBytes> linkImage(llvm::ArrayRef<char> object);

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_TARGETS_CPU_CPUTARGET_H
