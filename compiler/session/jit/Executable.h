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

/// Checks whether the thread is interrupted (tensorc/interrupt.h) during one
/// piece of work. Once it returns true, it keeps returning true.
class Interrupted {
public:
  bool operator()();
  /// Returns the error for interrupted work if the work was interrupted,
  /// otherwise the given error.
  Status orElse(tensorc_rt_code code, const std::string &message);

private:
  Status status;
};
inline bool isCancelled(const Status &status) {
  return status && tensorc_rt_status_code(status.get()) == TENSORC_RT_CANCELLED;
}

inline bool isOutOfMemory(const Status &status) {
  return status &&
         tensorc_rt_status_code(status.get()) == TENSORC_RT_OUT_OF_MEMORY;
}

/// Memory that the caller provides for a run; see tensorc_rt_run_memory.
struct RunMemory {
  // Empty, or one flag per argument.
  llvm::ArrayRef<uint8_t> donated;
  // Empty, or one buffer per output.
  llvm::ArrayRef<tensorc_rt_buffer *> outputs;
  llvm::ArrayRef<tensorc_rt_line> lines; // empty, or one line per op
};

/// Bytes of the device that runs of a program need, with inputs and results:
/// the limit into which the program was fitted, its needs before and after that,
/// and the smallest limit if it was refused. Zeros if it was not fitted, if it has
/// plans, or if a size is known only during a run.
struct MemoryFit {
  uint64_t limit = 0, natural = 0, needed = 0;

  /// Returns the fit of a program with plans, which serves any limit: each run
  /// chooses among the plans. Runs without plans need `natural` bytes.
  static MemoryFit ofPlans(uint64_t natural) {
    return {UINT64_MAX / 2, natural, 0};
  }
};

/// Compiled code. It may run on several threads at once.
class Executable {
public:
  virtual ~Executable() = default;
  /// Runs on the calling thread's current stream of the executable's device.
  virtual Status run(llvm::ArrayRef<tensorc_rt_arg> arguments,
                     llvm::MutableArrayRef<tensorc_rt_output> outputs,
                     const RunMemory &memory = {}) const = 0;
  /// Measures the allocations of a run with arguments of these shapes.
  virtual Status measure(llvm::ArrayRef<tensorc_rt_arg> arguments,
                         tensorc_rt_memory_plan &plan) const = 0;

  /// Names of the kernels, in the order of their launches.
  std::vector<std::string> kernels;
  /// Size and CPU time of the compilation, if this process performed it; see
  /// CompileCost.
  uint64_t codeBytes = 0;
  double processorSeconds = 0;
  /// Sizes that are passed as arguments; see graph::Program.
  std::vector<uint32_t> boundSizes;
  /// True if the kernels are for all sizes and compute more than element-wise
  /// and shape ops. Kernels for one size are then faster, as they have shorter
  /// loops and other tiles.
  bool isSlowerThanSized = false;
  MemoryFit fit;
};

/// Called with each stage's name, begin and end in CLOCK_MONOTONIC nanoseconds.
using StageHook = std::function<void(llvm::StringRef, int64_t, int64_t)>;

/// The target that the device's code is compiled for.
std::string targetOf(tensorc_rt_device *device);
/// Returns everything other than the program that the device's code depends on.
std::string targetIdentity(tensorc_rt_device *device);
/// True if the device's code multiplies tiles of bytes, or of bf16, with the
/// tile registers of a CPU.
bool multipliesTiles(tensorc_rt_device *device, bool isBf16);

struct Compilation {
  std::string package;
  uint64_t codeBytes = 0, wholeOps = 0; // see compiler::CompileCost
  double processorSeconds = 0;
  std::vector<std::string> kernels;
};
/// True if MLIR's verifier runs after passes of the JIT. Tools always verify.
extern const bool verifiesPasses;

/// Compiles a module. The result does not refer to the module or its context.
/// Stops if the thread is interrupted. `schedules` come from
/// Session::tunedSchedules. Returns null after an error, which is in `status`.
/// A program with static sizes needs at most `fit->limit` bytes of the device, if
/// `fit` is given, which then tells what it needs, also after an error.
std::unique_ptr<Compilation>
compileFor(const std::string &target, mlir::ModuleOp module,
           const StageHook &onStage, Status &status,
           llvm::ArrayRef<std::string> schedules, MemoryFit *fit = nullptr);

/// Loads a package without copying its bytes. The loaded module uses the bytes
/// until it calls the deleter (also called on failure). If there is no deleter,
/// the bytes are copied.
std::shared_ptr<Executable> loadPackage(tensorc_rt_device *device,
                                        llvm::StringRef package,
                                        tensorc_rt_deleter deleter, void *user,
                                        Status &status);

/// Returns an executable that the reference interpreter runs. It keeps the
/// module and its context alive.
std::shared_ptr<Executable>
interpret(std::shared_ptr<mlir::MLIRContext> context,
          mlir::OwningOpRef<mlir::ModuleOp> module, tensorc_rt_device *device);

} // namespace tensorc::jit

#endif // TENSORC_COMPILER_SESSION_JIT_EXECUTABLE_H
