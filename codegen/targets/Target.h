//===- Target.h - What code generation asks of a target ---------*- C++ -*-===//
//
// A target takes kernels after the stage `emit` to the llvm dialect, and from
// there to the bytes that its driver loads. The table of targets is in
// Target.cpp; nothing outside of codegen/targets names one.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_CODEGEN_TARGETS_TARGET_H
#define TENSORC_CODEGEN_TARGETS_TARGET_H

#include "codegen/kernel/TargetInfo.h"
#include "codegen/native/NativeCode.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"
#include <functional>
#include <optional>
#include <string>

namespace tensorc::codegen {

/// The symbol of the kernels' module: a builtin module for kernels that are
/// given a range, a gpu.module for kernels that are one thread of a block.
constexpr llvm::StringLiteral kKernelsName = "kernels";

/// Parameters of one compilation.
struct CodegenOptions {
  /// A target string: "cpu", "cpu:x86-64-v3", "cuda:sm_90", ...
  std::string target = "cpu";
  /// 0: none, 1: quick, 2: the default, tuned for compile time, 3: all of
  /// LLVM's -O3 pipeline.
  unsigned optLevel = 2;
  /// Called when the machine code of one more kernel is done, as far as the
  /// target can tell. False: ends with an error.
  std::function<bool()> onKernel = nullptr;
  /// Maximum number of threads for code generation. The image does not depend
  /// on it.
  unsigned threads = 1;
};

/// Other outputs of lowered kernels than the image. `--emit` calls them llvm,
/// asm, ptx, object, cubin, hsaco.
enum class Artefact { LLVM, Assembly, PTX, Object, Cubin, HSACO };

std::optional<Artefact> parseArtefact(llvm::StringRef name);
/// Whether it is text, for a terminal.
bool isText(Artefact artefact);

/// A kernel that the user wrote in a language of a device's own.
struct KernelSource {
  /// "cuda" is CUDA C++.
  llvm::StringRef language;
  /// An expression in the language: "saxpy", "scale<float>".
  llvm::StringRef kernel;
  llvm::StringRef text;
  llvm::SmallVector<std::string> flags;
};

/// A compiled source, and the properties that launches must agree with.
struct CompiledSource {
  ImageBytes image;
  /// The kernel's name in the image.
  std::string kernel;
  /// Bytes of each parameter, in order.
  llvm::SmallVector<unsigned> parameters;
  /// The most threads that a block may have.
  unsigned maxThreads = 1024;
};

/// A kind of device that kernels are compiled for; has no state.
class Target {
public:
  virtual ~Target() = default;

  /// Every target string that it takes.
  virtual llvm::ArrayRef<llvm::StringLiteral> getNames() const = 0;
  /// The name to compile for, where a device reports one that may not be
  /// among them.
  virtual std::string getNameFor(llvm::StringRef reported) const {
    return reported.str();
  }
  /// Returns the facts of one of its names.
  virtual TargetInfo getInfo(llvm::StringRef name) const = 0;
  /// The ways to make kernels for one of its names, preferred ones first. They
  /// live as long as the process.
  virtual SkeletonList getSkeletons(llvm::StringRef name) const { return {}; }
  /// The chip that one of its names simulates, whose own target says which
  /// skeletons there are; empty: none.
  virtual llvm::StringRef getSimulatedChip(llvm::StringRef name) const {
    return {};
  }

  /// Registers the dialects that translation to LLVM IR needs.
  virtual void registerDialects(mlir::DialectRegistry &registry) const = 0;
  /// Registers its own passes, for tensorc-opt.
  virtual void registerPasses() const = 0;

  /// Appends the passes that take the kernels to dialects that translate to
  /// LLVM IR. `pm` is anchored on the program's module.
  virtual void addLowerPasses(mlir::OpPassManager &pm,
                              const CodegenOptions &options) const = 0;

  /// The following take the kernels' module after addLowerPasses and are
  /// thread-safe for modules of different contexts. Errors are returned with
  /// the tool's own message; nothing aborts on a verified module.
  virtual llvm::ArrayRef<Artefact> getArtefacts() const = 0;
  virtual llvm::Expected<ImageBytes>
  emit(Artefact artefact, mlir::Operation *kernels,
       const CodegenOptions &options) const = 0;
  /// Compiles what the user wrote, if it is in the device's language. Errors
  /// are in its terms, with its lines.
  virtual llvm::Expected<CompiledSource>
  compileSource(const KernelSource &source,
                const CodegenOptions &options) const;
  /// Returns the image that a package's section holds and its driver loads.
  virtual llvm::Expected<ImageBytes>
  compileToImage(mlir::Operation *kernels,
                 const CodegenOptions &options) const = 0;
};

/// Returns the target of this string, or an error that lists all targets.
llvm::Expected<const Target &> findTarget(llvm::StringRef name);
/// Suffix of a GPU target's name, as in "cuda:sm_90a+fft": Fourier transforms
/// call the vendor's library, which the device must then have.
constexpr llvm::StringLiteral kTransforms = "+fft";
inline bool callsTransforms(llvm::StringRef target) {
  return target.ends_with(kTransforms);
}
inline llvm::StringRef withoutTransforms(llvm::StringRef target) {
  target.consume_back(kTransforms);
  return target;
}
/// Its facts with its skeletons, or that error.
llvm::Expected<TargetInfo> getTargetInfo(llvm::StringRef name);
/// "cpu, cpu:x86-64-v2, ...": every target string.
std::string listTargets();

/// Returns the target for code that runs at once on a device of this machine.
/// `reported` is the target in the device's properties.
std::string getLocalTarget(llvm::StringRef reported);

/// Registers the dialects of all targets.
void registerTargetDialects(mlir::DialectRegistry &registry);
void registerTargetPasses();

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_TARGETS_TARGET_H
