//===- Program.h - A program to compile ahead of time -----------*- C++ -*-===//
#ifndef TENSORC_COMPILER_SESSION_EXPORT_PROGRAM_H
#define TENSORC_COMPILER_SESSION_EXPORT_PROGRAM_H

#include "compiler/session/jit/Function.h"

#include "mlir/IR/BuiltinOps.h"

namespace tensorc::exporting {

/// Names of a program's inputs, outputs and weights.
struct Naming {
  /// Names that replace the names of inputs, and the names outN of outputs.
  std::vector<std::string> inputs, outputs;
  /// Captured values that remain arguments, after the inputs.
  std::vector<std::pair<std::string, graph::Node *>> weights;
};

/// A function `main` that can be compiled and saved. It was recorded, or read
/// from a file.
class Program {
public:
  virtual ~Program() = default;

  /// Compiles for the current device, for calls in this process. Captured
  /// values are not copied. `memoryPlans` are values of named sizes for which
  /// plans are made, as for SaveOptions. Returns null on failure: see status.
  virtual std::unique_ptr<jit::Function>
  function(llvm::StringRef memoryPlans, jit::Status &status) const = 0;

  /// True if the program declares that callers donate this argument.
  virtual bool donates(unsigned) const { return false; }

  /// True if the only result is an effect (tx::effectName).
  virtual bool returnsEffect() const { return false; }

  /// The operations and bytes of a run of the program, or of one rank of it.
  struct Costs {
    double operations = 0, bytes = 0;
    uint64_t kernels = 0;
  };
  Costs costs(jit::Status &status) const;

  /// Returns the collectives that each rank runs, as ops of StableHLO, one a
  /// line. Their operands are results of `tensorc.kernels`.
  std::string collectives(jit::Status &status) const;

  /// Returns the number of ops that each rank computes as a whole although their
  /// operands are split, once `function` has compiled the program.
  virtual uint64_t wholeOps() const { return 0; }

  /// If the program is for several ranks, returns how an argument or result is
  /// split, in XLA's notation; else "".
  virtual std::string sharding(bool isResult, unsigned) const { return ""; }

  /// Returns the kind of memory in which callers keep an argument or result, in
  /// JAX's words, or "" if the program does not declare one.
  virtual std::string memoryKind(bool isResult, unsigned) const { return ""; }

  /// True if locations refer to source lines of this process, and false if they
  /// refer to lines of the file from which the program was read.
  virtual bool hasOwnLines() const { return false; }

  /// Calls `use` with a temporary module. Runs within Session::compileAlone.
  using Use = llvm::function_ref<jit::Status(mlir::ModuleOp)>;
  virtual jit::Status withModule(const Naming &naming, Use use) const = 0;

  /// Records in the module for which sizes plans are made: "n=1024,m=64". Errors
  /// begin with the name of the call.
  static jit::Status setPlans(mlir::ModuleOp module,
                              llvm::StringRef memoryPlans,
                              llvm::StringRef call);

protected:
  /// Return null on failure: see status.
  std::unique_ptr<jit::Compilation> compileFor(tensorc_rt_device *device,
                                               const Naming &naming,
                                               llvm::StringRef memoryPlans,
                                               jit::Status &status) const;
  static std::shared_ptr<const jit::Executable>
  load(tensorc_rt_device *device, const jit::Compilation &compiled,
       jit::Status &status);
};

} // namespace tensorc::exporting

#endif // TENSORC_COMPILER_SESSION_EXPORT_PROGRAM_H
