//===- NativeCode.h - From the llvm dialect to a loadable image -*- C++ -*-===//
//
// Compiles a module for the host, or for another CPU, to a position-independent
// shared object without imports, TLS or absolute relocations: bytes that a
// driver maps. The CPU target and the simulator share it.
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
  /// The CPU, as getCpuModel takes it.
  std::string target = "cpu";
  /// Optimization level, 0 to 3; see CodegenOptions.
  unsigned optLevel = 2;
  /// Called on the caller's thread.
  std::function<bool()> onKernel = nullptr;
  /// Maximum number of threads that generate machine code.
  unsigned threads = 1;
};

/// Registers what contexts need to translate modules to LLVM IR.
void registerNativeTranslations(mlir::DialectRegistry &registry);

/// Appends passes that expand narrow floats and math to what the CPU has
/// instructions for.
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

/// Returns the CPU time of the calling thread and of threads that generated
/// machine code for it.
int64_t processorNanoseconds();

/// Returns the bytes of machine code in a target's image; 0 if it is not an ELF
/// file.
uint64_t codeBytes(llvm::StringRef image);

/// Links one object into an image. Calls are serialized, as lld is not
/// re-entrant. Undefined symbols are errors. `soname` is the name under which
/// programs that link with it load it; if empty, the path they were linked
/// with.
llvm::Expected<ImageBytes> linkImage(llvm::ArrayRef<char> object,
                                     llvm::StringRef soname = "");

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_NATIVE_NATIVECODE_H
