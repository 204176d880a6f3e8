//===- Target.h - Interface of targets --------------------------*- C++ -*-===//
//
// After the stage `emit`, a target lowers kernels to a dialect of machine code
// (such as llvm), and then to the bytes that its driver loads. Only the table
// of device kinds (runtime/abi/DeviceKinds.h) names the targets.
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

/// Symbol of the module that contains the kernels: a builtin module if kernels
/// loop over a range of work items, and a gpu.module for SIMT kernels.
constexpr llvm::StringLiteral kKernelsName = "kernels";

/// Parameters of one compilation.
struct CodegenOptions {
  /// The target string, such as "cpu", "cpu:x86-64-v3" or "cuda:sm_90".
  std::string target = "cpu";
  /// 0: no optimization; 1: quick; 2: the default, tuned for compile time; 3:
  /// also removes redundant loads (GVN).
  unsigned optLevel = 2;
  /// Called whenever the machine code of another kernel is done, as far as the
  /// target can tell. If it returns false, compilation ends with an error.
  std::function<bool()> onKernel = nullptr;
  /// Maximum number of threads for code generation. It does not affect the
  /// image.
  unsigned threads = 1;
};

/// A kind of output other than the image. Those that several targets support
/// are listed below. A target may define more.
struct Artefact {
  /// Name in `--emit=NAME`.
  llvm::StringLiteral name;
  /// Suffix of the file's name, including the dot.
  llvm::StringLiteral suffix;
  /// True if the output is text, which may be printed to a terminal.
  bool isText;

  bool operator==(const Artefact &other) const { return name == other.name; }
};
inline constexpr Artefact llvmText{"llvm", ".ll", true};
inline constexpr Artefact assemblyText{"asm", ".s", true};
inline constexpr Artefact objectFile{"object", ".o", false};

/// A kernel written by the user in the device's own language.
struct KernelSource {
  /// One of the names in rt::KernelLanguage.
  llvm::StringRef language;
  /// The kernel as an expression in the language, such as "saxpy" or
  /// "scale<float>".
  llvm::StringRef kernel;
  llvm::StringRef text;
  llvm::SmallVector<std::string> flags;
};

/// A compiled KernelSource, with the properties that launches must respect.
struct CompiledSource {
  ImageBytes image;
  /// The kernel's name in the image.
  std::string kernel;
  /// Size in bytes of each parameter, in order.
  llvm::SmallVector<unsigned> parameters;
  /// Maximum number of threads per block.
  unsigned maxThreads = 1024;
};

/// A kind of device for which kernels are compiled. Targets have no state.
class Target {
public:
  virtual ~Target() = default;

  /// Returns all target strings that this target accepts.
  virtual llvm::ArrayRef<llvm::StringLiteral> getNames() const = 0;
  /// Returns an error if this machine cannot compile for `name`, one of
  /// getNames().
  virtual llvm::Error checkMachine(llvm::StringRef name) const {
    return llvm::Error::success();
  }
  /// Returns the target string for a name that a device reports, which may not
  /// be among getNames().
  virtual std::string getNameFor(llvm::StringRef reported) const {
    return reported.str();
  }
  /// Returns everything but the program on which code for `name` depends, as a
  /// string for cache keys.
  virtual std::string getIdentity(llvm::StringRef name) const {
    return name.str();
  }
  /// Returns the facts of the chip `name`.
  virtual TargetInfo getInfo(llvm::StringRef name) const = 0;
  /// Returns the skeletons for `name`, preferred ones first. The list lives as
  /// long as the process.
  virtual SkeletonList getSkeletons(llvm::StringRef name) const { return {}; }
  /// Returns the chip that `name` simulates, whose skeletons are used; empty if
  /// this is not a simulator.
  virtual llvm::StringRef getSimulatedChip(llvm::StringRef name) const {
    return {};
  }
  /// True if code may call the vendor's library of Fourier transforms.
  virtual bool hasTransforms() const { return false; }
  /// Returns another target whose code also runs on devices of `name`, and
  /// which lacks some of the matrix instructions that code for `name` may
  /// contain. Empty if code for `name` contains none, or if there is no such
  /// target.
  virtual llvm::StringRef getTargetWithoutTiles(llvm::StringRef name) const {
    return {};
  }
  /// Returns the prefix of the LLVM intrinsics that user kernels may call,
  /// besides the generic ones. Empty if there are none.
  virtual llvm::StringRef getIntrinsicPrefix() const { return {}; }
  /// True if user kernels may contain inline assembly.
  virtual bool supportsInlineAssembly() const { return false; }

  /// Registers the dialects that translation to LLVM IR needs.
  virtual void registerDialects(mlir::DialectRegistry &registry) const = 0;
  /// Registers the passes of this target, for tensorc-opt.
  virtual void registerPasses() const = 0;

  /// Appends the passes that lower all ops of kernels. `pm` is anchored on the
  /// program's module.
  virtual void addLowerPasses(mlir::OpPassManager &pm,
                              const CodegenOptions &options) const = 0;
  /// True if the op may remain after addLowerPasses. By default, these are the
  /// ops that can be translated to LLVM IR.
  virtual bool isLowered(mlir::Operation *op) const;

  /// The following functions take the kernels' module after addLowerPasses.
  /// They are thread-safe for modules of different contexts. Errors contain the
  /// tool's own message; if the module verifies, nothing aborts the process.
  virtual llvm::ArrayRef<Artefact> getArtefacts() const = 0;
  /// Emits an artefact, one of getArtefacts().
  virtual llvm::Expected<ImageBytes>
  emit(const Artefact &artefact, mlir::Operation *kernels,
       const CodegenOptions &options) const = 0;
  /// Compiles a source of the user in the device's language. Errors refer to
  /// lines of the source.
  virtual llvm::Expected<CompiledSource>
  compileSource(const KernelSource &source,
                const CodegenOptions &options) const;
  /// Returns an error if an image that compileSource made is not an artefact of
  /// this kind. The error says what the image is; callers append it to the
  /// kernel's name.
  virtual llvm::Error checkCompiled(llvm::StringRef image,
                                    const Artefact &artefact) const;
  /// Compiles to the image that a package contains and the driver loads.
  virtual llvm::Expected<ImageBytes>
  compileToImage(mlir::Operation *kernels,
                 const CodegenOptions &options) const = 0;

  /// Returns the targets that a package contains if only the kind is named, as
  /// in "cuda". Together these targets provide the best kernels for each chip.
  virtual llvm::ArrayRef<llvm::StringLiteral> getVariants() const { return {}; }
};

/// Returns the target that accepts this string, or an error that lists all
/// targets.
llvm::Expected<const Target &> findTarget(llvm::StringRef name);
/// Suffix of a GPU's target string, as in "cuda:sm_90a+fft". Fourier transforms
/// then call the vendor's library, which the device must have.
constexpr llvm::StringLiteral kTransforms = "+fft";
inline bool callsTransforms(llvm::StringRef target) {
  return target.ends_with(kTransforms);
}
inline llvm::StringRef withoutTransforms(llvm::StringRef target) {
  target.consume_back(kTransforms);
  return target;
}
/// Returns the facts for a target string, including the skeletons, or the error
/// of findTarget.
llvm::Expected<TargetInfo> getTargetInfo(llvm::StringRef name);
/// Returns Target::getIdentity for a target string, or the string itself if it
/// is unknown.
std::string getTargetIdentity(llvm::StringRef name);
/// Returns all target strings, as "cpu, cpu:x86-64-v2, ...".
std::string listTargets();
/// Returns the variants of a kind for its name, and any other target unchanged.
llvm::SmallVector<std::string> expandTarget(llvm::StringRef name);

/// Returns one target string for each kind of device, for help texts.
llvm::ArrayRef<llvm::StringRef> listExamples();
/// Returns the artefacts of all targets, without duplicates.
llvm::ArrayRef<Artefact> listArtefacts();
/// Returns the kinds of devices whose kernels may contain inline assembly, as
/// text such as "cuda".
std::string listKindsWithAssembly();

/// Returns the target string for code that runs immediately on a device of this
/// machine. `reported` is the target in the device's properties.
std::string getLocalTarget(llvm::StringRef reported);

/// Return the target of each kind of device. Each is defined in the target's
/// folder.
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
