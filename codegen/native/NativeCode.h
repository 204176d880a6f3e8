//===- NativeCode.h - Compiles the llvm dialect to images -------*- C++ -*-===//
//
// Compiles a module, for the host or for another CPU, to a position-independent
// shared object that a driver maps. It has no imports, no TLS and no absolute
// relocations. The cpu target and the simulator use it.
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
  /// The target string of the CPU; see getCpuModel.
  std::string target = "cpu";
  /// Optimization level from 0 to 3; see CodegenOptions.
  unsigned optLevel = 2;
  /// Called on the caller's thread when the machine code of a kernel is done;
  /// see CodegenOptions.
  std::function<bool()> onKernel = nullptr;
  /// Maximum number of threads for code generation.
  unsigned threads = 1;
};

/// Registers the translations to LLVM IR that contexts need.
void registerNativeTranslations(mlir::DialectRegistry &registry);

/// Appends passes that expand narrow floats and math functions to instructions
/// of the CPU.
void addNativeExpandPasses(mlir::OpPassManager &pm, const CpuModel &cpu);

/// Emit a module in the llvm dialect. Thread-safe for modules of different
/// contexts. Errors contain the message of the linker or of LLVM; if the module
/// verifies, nothing aborts the process.
llvm::Expected<std::string> emitLLVM(mlir::ModuleOp kernels,
                                     const NativeOptions &options);
llvm::Expected<std::string> emitAsm(mlir::ModuleOp kernels,
                                    const NativeOptions &options);
llvm::Expected<ImageBytes> emitObject(mlir::ModuleOp kernels,
                                      const NativeOptions &options);
llvm::Expected<ImageBytes> compileToImage(mlir::ModuleOp kernels,
                                          const NativeOptions &options);

/// Returns the CPU time of the calling thread plus that of finished threads
/// that generated machine code for it.
int64_t processorNanoseconds();

/// Returns the number of bytes of machine code in an image, or 0 if it is not
/// an ELF file.
uint64_t codeBytes(llvm::StringRef image);

/// Links an object into an image. Undefined symbols are errors. Calls are
/// serialized, because lld is not re-entrant. `soname` is the name by which
/// programs that link with the image load it. If it is empty, they load it by
/// the path that they were linked with.
llvm::Expected<ImageBytes> linkImage(llvm::ArrayRef<char> object,
                                     llvm::StringRef soname = "");

/// Links an object for WebAssembly into a module without imports; see Link.h.
llvm::Expected<ImageBytes>
linkWasmModule(llvm::ArrayRef<char> object,
               llvm::ArrayRef<std::string> functions);

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_NATIVE_NATIVECODE_H
