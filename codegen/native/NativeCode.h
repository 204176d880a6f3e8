//===- NativeCode.h - From the llvm dialect to a loadable image -*- C++ -*-===//
//
// A module for the host, or for another cpu, becomes a position-independent
// shared object without imports, TLS or absolute relocations: bytes that a
// driver maps. The cpu target and the simulator share it.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_CODEGEN_NATIVE_NATIVECODE_H
#define TENSORC_CODEGEN_NATIVE_NATIVECODE_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"
#include <functional>
#include <string>

namespace tensorc::codegen {

struct CpuModel;

using ImageBytes = llvm::SmallVector<char, 0>;

struct NativeOptions {
  /// A cpu, as getCpuModel takes it.
  std::string target = "cpu";
  /// 0 to 3: CodegenOptions.
  unsigned optLevel = 2;
  /// Called on the caller's thread.
  std::function<bool()> onKernel = nullptr;
  /// How many threads may make an image's machine code.
  unsigned threads = 1;
};

/// What contexts need before modules are translated to LLVM IR.
void registerNativeTranslations(mlir::DialectRegistry &registry);

/// Appends the passes that leave of narrow floats and of math only what the
/// cpu has instructions for.
void addNativeExpandPasses(mlir::OpPassManager &pm, const CpuModel &cpu);

/// Each takes a module in the llvm dialect.
/// Thread-safe for modules of different contexts. Errors are returned, with
/// the linker's or LLVM's own message; nothing aborts on a verified module.
llvm::Expected<std::string> emitLLVM(mlir::ModuleOp kernels,
                                     const NativeOptions &options);
llvm::Expected<std::string> emitAsm(mlir::ModuleOp kernels,
                                    const NativeOptions &options);
llvm::Expected<ImageBytes> emitObject(mlir::ModuleOp kernels,
                                      const NativeOptions &options);
llvm::Expected<ImageBytes> compileToImage(mlir::ModuleOp kernels,
                                          const NativeOptions &options);

/// Processor time of the calling thread, with that of threads which made
/// machine code for it.
int64_t processorNanoseconds();

/// Bytes of machine code in a target's image; 0 where it is no ELF file.
uint64_t codeBytes(llvm::StringRef image);

/// Links one object into an image. Calls are serialized: lld is not
/// re-entrant. An undefined symbol is an error. `soname` is what programs that
/// link with it ask for; empty: the path they linked with.
llvm::Expected<ImageBytes> linkImage(llvm::ArrayRef<char> object,
                                     llvm::StringRef soname = "");

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_NATIVE_NATIVECODE_H
