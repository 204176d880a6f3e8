//===- Target.h - Interface of targets --------------------------*- C++ -*-===//
//
// A target lowers kernels, after the stage `emit`, to a dialect of code and
// then to the bytes that its driver loads. Only the table of kinds of devices
// (runtime/abi/DeviceKinds.h) names the targets.
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

/// Symbol of the kernels' module: a builtin module for kernels over a range of
/// work items, a gpu.module for kernels of one thread of a block.
constexpr llvm::StringLiteral kKernelsName = "kernels";

/// Parameters of one compilation.
struct CodegenOptions {
  /// A target string: "cpu", "cpu:x86-64-v3", "cuda:sm_90", ...
  std::string target = "cpu";
  /// 0: none, 1: quick, 2: the default, tuned for compile time, 3: also removes
  /// redundant loads (GVN).
  unsigned optLevel = 2;
  /// Called when the machine code of a kernel is done, as far as the target can
  /// tell. If it returns false, compilation ends with an error.
  std::function<bool()> onKernel = nullptr;
  /// Maximum number of threads for code generation. The image does not depend
  /// on it.
  unsigned threads = 1;
};

/// An output of lowered kernels other than the image. Artefacts that several
/// targets have are below; a target may define more.
struct Artefact {
  /// Name in `--emit=NAME`.
  llvm::StringLiteral name;
  /// Suffix of the file's name, with the dot.
  llvm::StringLiteral suffix;
  /// True if it is text that may be printed to a terminal.
  bool isText;

  bool operator==(const Artefact &other) const { return name == other.name; }
};
inline constexpr Artefact llvmText{"llvm", ".ll", true};
inline constexpr Artefact assemblyText{"asm", ".s", true};
inline constexpr Artefact objectFile{"object", ".o", false};

/// A kernel that the user wrote in a device's own language.
struct KernelSource {
  /// One of the names in rt::KernelLanguage.
  llvm::StringRef language;
  /// Names the kernel, as an expression in the language: "saxpy",
  /// "scale<float>".
  llvm::StringRef kernel;
  llvm::StringRef text;
  llvm::SmallVector<std::string> flags;
};

/// A compiled source, and properties that launches must agree with.
struct CompiledSource {
  ImageBytes image;
  /// The kernel's name in the image.
  std::string kernel;
  /// Size in bytes of each parameter, in order.
  llvm::SmallVector<unsigned> parameters;
  /// Maximum number of threads per block.
  unsigned maxThreads = 1024;
};

/// A kind of device that kernels are compiled for. Stateless.
class Target {
public:
  virtual ~Target() = default;

  /// Returns every target string that this target accepts.
  virtual llvm::ArrayRef<llvm::StringLiteral> getNames() const = 0;
  /// Returns an error if this machine cannot compile for `name`, one of getNames().
  virtual llvm::Error checkMachine(llvm::StringRef name) const {
    return llvm::Error::success();
  }
  /// Returns the name to compile for, given one that a device reports, which
  /// may not be among getNames.
  virtual std::string getNameFor(llvm::StringRef reported) const {
    return reported.str();
  }
  /// Returns everything besides the program that code for `name` depends on, as
  /// text for cache keys.
  virtual std::string getIdentity(llvm::StringRef name) const {
    return name.str();
  }
  /// Returns the facts of `name`.
  virtual TargetInfo getInfo(llvm::StringRef name) const = 0;
  /// Returns the skeletons for `name`, preferred ones first. They live as long
  /// as the process.
  virtual SkeletonList getSkeletons(llvm::StringRef name) const { return {}; }
  /// Returns the chip that `name` simulates, whose own target lists the
  /// skeletons; empty if it is not a simulator.
  virtual llvm::StringRef getSimulatedChip(llvm::StringRef name) const {
    return {};
  }
  /// True if code may call the vendor's library of Fourier transforms.
  virtual bool hasTransforms() const { return false; }
  /// Returns the prefix of the LLVM intrinsics that user kernels may call,
  /// besides the generic ones; empty: none.
  virtual llvm::StringRef getIntrinsicPrefix() const { return {}; }
  /// True if user kernels may contain inline assembly.
  virtual bool takesInlineAssembly() const { return false; }

  /// Registers the dialects that translation to LLVM IR needs.
  virtual void registerDialects(mlir::DialectRegistry &registry) const = 0;
  /// Registers the target's own passes, for tensorc-opt.
  virtual void registerPasses() const = 0;

  /// Appends the passes that lower all ops of kernels. `pm` is anchored on the
  /// program's module.
  virtual void addLowerPasses(mlir::OpPassManager &pm,
                              const CodegenOptions &options) const = 0;
  /// True if an op may remain after addLowerPasses: by default one that can be
  /// translated to LLVM IR.
  virtual bool isLowered(mlir::Operation *op) const;

  /// The following functions take the kernels' module after addLowerPasses.
  /// They are thread-safe for modules of different contexts. Errors are
  /// returned with the tool's own message; nothing aborts on a verified module.
  virtual llvm::ArrayRef<Artefact> getArtefacts() const = 0;
  /// Emits one of getArtefacts.
  virtual llvm::Expected<ImageBytes>
  emit(const Artefact &artefact, mlir::Operation *kernels,
       const CodegenOptions &options) const = 0;
  /// Compiles a user's source in the device's language. Errors refer to its
  /// lines.
  virtual llvm::Expected<CompiledSource>
  compileSource(const KernelSource &source,
                const CodegenOptions &options) const;
  /// Returns an error unless the image made by compileSource is such an
  /// artefact. The error says what the image is and is appended to the kernel's
  /// name.
  virtual llvm::Error checkCompiled(llvm::StringRef image,
                                    const Artefact &artefact) const;
  /// Returns the image for a package's section, which the driver loads.
  virtual llvm::Expected<ImageBytes>
  compileToImage(mlir::Operation *kernels,
                 const CodegenOptions &options) const = 0;
};

/// Returns the target of this string, or an error that lists all targets.
llvm::Expected<const Target &> findTarget(llvm::StringRef name);
/// Suffix of a GPU target's name, as in "cuda:sm_90a+fft": Fourier transforms
/// call the vendor's library, which the device must have.
constexpr llvm::StringLiteral kTransforms = "+fft";
inline bool callsTransforms(llvm::StringRef target) {
  return target.ends_with(kTransforms);
}
inline llvm::StringRef withoutTransforms(llvm::StringRef target) {
  target.consume_back(kTransforms);
  return target;
}
/// Returns the facts of a target, with its skeletons, or the error of
/// findTarget.
llvm::Expected<TargetInfo> getTargetInfo(llvm::StringRef name);
/// Returns Target::getIdentity of a target, or the name itself if it is
/// unknown.
std::string getTargetIdentity(llvm::StringRef name);
/// Returns every target string: "cpu, cpu:x86-64-v2, ...".
std::string listTargets();
/// Returns a target string of each kind of device, for help texts.
llvm::ArrayRef<llvm::StringRef> listExamples();
/// Returns the artefacts of all targets, each once.
llvm::ArrayRef<Artefact> listArtefacts();
/// Returns the kinds of devices whose kernels may contain inline assembly:
/// "cuda".
std::string listKindsWithAssembly();

/// Returns the target for code that runs immediately on a device of this
/// machine. `reported` is the target in the device's properties.
std::string getLocalTarget(llvm::StringRef reported);

/// Return the target of each kind, defined in its folder: getCpuTarget, ...
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
