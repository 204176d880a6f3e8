//===- Target.h - What code generation asks of a target ---------*- C++ -*-===//
//
// A target takes kernels after the stage `emit` to a dialect of code, and from
// there to the bytes that its driver loads. The table of kinds of devices
// (runtime/abi/DeviceKinds.h) names the targets; no other code does.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_CODEGEN_TARGETS_TARGET_H
#define TENSORC_CODEGEN_TARGETS_TARGET_H

#include "codegen/kernel/TargetInfo.h"
#include "codegen/native/NativeCode.h"
#include "runtime/abi/DeviceKinds.h"

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

/// Another output of lowered kernels than the image. Artefacts of several targets
/// are below; a target defines its own.
struct Artefact {
  /// Name in `--emit=NAME`.
  llvm::StringLiteral name;
  /// Suffix of a file's name, with the dot.
  llvm::StringLiteral suffix;
  /// True if it is text, for a terminal.
  bool isText;

  bool operator==(const Artefact &other) const { return name == other.name; }
};
inline constexpr Artefact llvmText{"llvm", ".ll", true};
inline constexpr Artefact assemblyText{"asm", ".s", true};
inline constexpr Artefact objectFile{"object", ".o", false};

/// A kernel that the user wrote in a language of a device's own.
struct KernelSource {
  /// A name among rt::KernelLanguage.
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

  /// Returns every target string that it takes.
  virtual llvm::ArrayRef<llvm::StringLiteral> getNames() const = 0;
  /// An error if this machine cannot compile for `name`, one of getNames().
  virtual llvm::Error checkMachine(llvm::StringRef name) const {
    return llvm::Error::success();
  }
  /// The name to compile for, where a device reports one that may not be
  /// among them.
  virtual std::string getNameFor(llvm::StringRef reported) const {
    return reported.str();
  }
  /// Returns everything besides the program that code for one of its names
  /// depends on, as text for keys of caches.
  virtual std::string getIdentity(llvm::StringRef name) const {
    return name.str();
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
  /// The vendor has a library of Fourier transforms, which code may call.
  virtual bool hasTransforms() const { return false; }
  /// Returns the prefix of the LLVM intrinsics that user kernels may call,
  /// besides the generic ones; empty: none.
  virtual llvm::StringRef getIntrinsicPrefix() const { return {}; }
  /// Kernels of users may have inline assembly.
  virtual bool takesInlineAssembly() const { return false; }

  /// Registers the dialects that translation to LLVM IR needs.
  virtual void registerDialects(mlir::DialectRegistry &registry) const = 0;
  /// Registers its own passes, for tensorc-opt.
  virtual void registerPasses() const = 0;

  /// Appends the passes after which all ops of kernels are lowered. `pm` is
  /// anchored on the program's module.
  virtual void addLowerPasses(mlir::OpPassManager &pm,
                              const CodegenOptions &options) const = 0;
  /// True if an op may be left by addLowerPasses: by default one that
  /// translates to LLVM IR.
  virtual bool isLowered(mlir::Operation *op) const;

  /// The following take the kernels' module after addLowerPasses and are
  /// thread-safe for modules of different contexts. Errors are returned with
  /// the tool's own message; nothing aborts on a verified module.
  virtual llvm::ArrayRef<Artefact> getArtefacts() const = 0;
  /// Emits one of getArtefacts.
  virtual llvm::Expected<ImageBytes>
  emit(const Artefact &artefact, mlir::Operation *kernels,
       const CodegenOptions &options) const = 0;
  /// Compiles what the user wrote, if it is in the device's language. Errors
  /// are in its terms, with its lines.
  virtual llvm::Expected<CompiledSource>
  compileSource(const KernelSource &source,
                const CodegenOptions &options) const;
  /// Checks that the image made by compileSource is such an artefact. Otherwise
  /// returns an error that says what it is and follows the kernel's name.
  virtual llvm::Error checkCompiled(llvm::StringRef image,
                                    const Artefact &artefact) const;
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
/// Returns the facts of a target with its skeletons, or that error.
llvm::Expected<TargetInfo> getTargetInfo(llvm::StringRef name);
/// Returns its Target::getIdentity, or the name of an unknown target.
std::string getTargetIdentity(llvm::StringRef name);
/// "cpu, cpu:x86-64-v2, ...": every target string.
std::string listTargets();
/// A target string of each kind of device, for help texts.
llvm::ArrayRef<llvm::StringRef> listExamples();
/// The artefacts of all targets, each once.
llvm::ArrayRef<Artefact> listArtefacts();
/// The kinds of devices whose kernels may have inline assembly: "cuda".
std::string listKindsWithAssembly();

/// Returns the target for code that runs at once on a device of this machine.
/// `reported` is the target in the device's properties.
std::string getLocalTarget(llvm::StringRef reported);

/// The target of each kind, defined in its folder: getCpuTarget, ...
#define KIND(kind, driver, target, ...) const Target &get##target##Target();
#define DRIVER_ONLY(kind, driver, ...)
TENSORC_DEVICE_KINDS(KIND, DRIVER_ONLY)
#undef DRIVER_ONLY
#undef KIND

/// Registers the dialects of all targets.
void registerTargetDialects(mlir::DialectRegistry &registry);
void registerTargetPasses();

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_TARGETS_TARGET_H
