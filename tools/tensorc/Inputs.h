//===- Inputs.h - Arguments of a program, from files or drawn -------------===//
#ifndef TENSORC_TOOLS_TENSORC_INPUTS_H
#define TENSORC_TOOLS_TENSORC_INPUTS_H

#include "ir/reference/Symbols.h"
#include "tools/tensorc/Module.h"

namespace tensorc::tool {

/// `--input`, `--random-inputs` and `--shape`.
struct InputOptions {
  llvm::ArrayRef<std::string> files; // of the arguments they were parsed from
  std::vector<ShapeSpec> shapes;
  /// Set if missing inputs are drawn at random, and the seed for them.
  bool draw = false;
  uint64_t seed = 0;

  /// Returns nullopt after reporting bad usage.
  static std::optional<InputOptions> parse(const Arguments &arguments);
};

/// Returns one array per argument of the function, checked against its types as
/// specialized by `--shape`. Errors go to stderr.
mlir::FailureOr<std::vector<reference::Array>>
gatherInputs(mlir::func::FuncOp function, const InputOptions &options);

/// Draws the missing arguments, from the seed. Names of dims without a size get
/// one: primes from 5 on, in the order of the names, adjusted to the function's
/// tx.symbols.
mlir::LogicalResult
drawInputs(mlir::func::FuncOp function, uint64_t seed,
           reference::Symbols &symbols,
           std::vector<std::optional<reference::Array>> &arrays);

} // namespace tensorc::tool

#endif // TENSORC_TOOLS_TENSORC_INPUTS_H
