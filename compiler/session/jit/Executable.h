//===- Executable.h - A compiled expression -------------------------------===//
#ifndef TENSORC_COMPILER_SESSION_JIT_EXECUTABLE_H
#define TENSORC_COMPILER_SESSION_JIT_EXECUTABLE_H

#include "compiler/graph/module/ToModule.h"
#include "runtime/include/tensorc/runtime.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace tensorc::jit {

/// Deleter of a status of the runtime. Null is success.
struct StatusDeleter {
  void operator()(tensorc_rt_status *status) const {
    tensorc_rt_status_free(status);
  }
};
using Status = std::unique_ptr<tensorc_rt_status, StatusDeleter>;
Status makeStatus(tensorc_rt_code code, const std::string &message);

/// Checks whether the thread is interrupted (tensorc/interrupt.h), during one
/// piece of work. Once true, it stays true.
class Interrupted {
public:
  bool operator()();
  /// Returns the work's error if it was interrupted, else the given one.
  Status orElse(tensorc_rt_code code, const std::string &message);

private:
  Status status;
};
inline bool isCancelled(const Status &status) {
  return status && tensorc_rt_status_code(status.get()) == TENSORC_RT_CANCELLED;
}

/// Memory for a run besides what it allocates; see tensorc_rt_run_memory.
struct RunMemory {
  llvm::ArrayRef<uint8_t> donated;             // none, or per argument
  llvm::ArrayRef<tensorc_rt_buffer *> outputs; // none, or per output
};

/// Compiled code. It may run on several threads at once.
class Executable {
public:
  virtual ~Executable() = default;
  /// Runs on the calling thread's stream of its device.
  virtual Status run(llvm::ArrayRef<tensorc_rt_arg> arguments,
                     llvm::MutableArrayRef<tensorc_rt_output> outputs,
                     const RunMemory &memory = {}) const = 0;
  /// Measures the allocations of a run. Only the arguments' shapes matter.
  virtual Status measure(llvm::ArrayRef<tensorc_rt_arg> arguments,
                         tensorc_rt_memory_plan &plan) const = 0;

  /// Names of its kernels, in the order of their launches.
  std::vector<std::string> kernels;
  /// For each kernel the ordinal of an op that it computes, from which an
  /// evaluation finds the user's line; noOp: unknown.
  std::vector<uint32_t> kernelOps;
  static constexpr uint32_t noOp = UINT32_MAX;
  /// Sets the user's line of each kernel, for messages of the runtime.
  virtual void setOrigins(llvm::ArrayRef<graph::SourceLocation> lines) const {
    (void)lines;
  }
  /// Cost of its compilation, if that happened here; see CompileCost.
  uint64_t codeBytes = 0;
  double processorSeconds = 0;
  /// See graph::Program.
  std::vector<uint32_t> boundSizes;
  /// True if its kernels are for all sizes, and not only of element-wise and
  /// shape ops: kernels for one size have shorter loops and other tiles.
  bool isSlowerThanSized = false;
};

/// Called with each stage's name, begin and end in CLOCK_MONOTONIC nanoseconds.
using StageHook = std::function<void(llvm::StringRef, int64_t, int64_t)>;

/// The target that the device's code is compiled for.
std::string targetOf(tensorc_rt_device *device);
/// Returns everything besides the program that the device's code depends on.
std::string targetIdentity(tensorc_rt_device *device);

struct Compilation {
  std::string package;
  uint64_t codeBytes = 0; // see compiler::CompileCost
  double processorSeconds = 0;
  std::vector<std::string> kernels;
  std::vector<uint32_t> kernelOps;
};
/// True if MLIR's verifier runs after passes of the JIT. Tools always verify.
extern const bool verifiesPasses;

/// Compiles a module. The result does not refer to the module or its context.
/// Stops if the thread is interrupted. `schedules` come from
/// Session::tunedSchedules. Returns null after an error, which is in `status`.
std::unique_ptr<Compilation> compileFor(const std::string &target,
                                        mlir::ModuleOp module,
                                        const StageHook &onStage,
                                        Status &status,
                                        llvm::ArrayRef<std::string> schedules);

/// Loads a package in place, until the deleter is called (also on failure).
/// Without a deleter the bytes are copied.
std::shared_ptr<Executable> loadPackage(tensorc_rt_device *device,
                                        llvm::StringRef package,
                                        tensorc_rt_deleter deleter, void *user,
                                        Status &status);

/// Returns an executable of the reference interpreter. It keeps the module and
/// its context alive.
std::shared_ptr<Executable>
interpret(std::shared_ptr<mlir::MLIRContext> context,
          mlir::OwningOpRef<mlir::ModuleOp> module, tensorc_rt_device *device);

} // namespace tensorc::jit

#endif // TENSORC_COMPILER_SESSION_JIT_EXECUTABLE_H
