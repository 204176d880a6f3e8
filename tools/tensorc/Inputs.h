//===- Inputs.h - Program arguments from files or random numbers ----------===//
#ifndef TENSORC_TOOLS_TENSORC_INPUTS_H
#define TENSORC_TOOLS_TENSORC_INPUTS_H

#include "ir/reference/Symbols.h"
#include "tools/tensorc/Module.h"

namespace tensorc::tool {

/// The options `--input`, `--random-inputs` and `--shape`.
struct InputOptions {
  // These texts are owned by the Arguments from which they were parsed.
  llvm::ArrayRef<std::string> files;
  std::vector<ShapeSpec> shapes;
  /// Set if missing inputs are random numbers. `seed` is the seed for them.
  bool draw = false;
  uint64_t seed = 0;

  /// Returns nullopt after reporting bad usage.
  static std::optional<InputOptions> parse(const Arguments &arguments);
};

/// Returns one array per argument of the function, checked against its types as
/// specialized by `--shape`. Errors go to stderr.
mlir::FailureOr<std::vector<reference::Array>>
gatherInputs(mlir::func::FuncOp function, const InputOptions &options);

/// Fills the missing arguments with random numbers from the seed. Named dims
/// without a size get one: primes from 5 on, in the order of the names,
/// adjusted to the function's tx.symbols.
mlir::LogicalResult
drawInputs(mlir::func::FuncOp function, uint64_t seed,
           reference::Symbols &symbols,
           std::vector<std::optional<reference::Array>> &arrays);

} // namespace tensorc::tool

#endif // TENSORC_TOOLS_TENSORC_INPUTS_H
