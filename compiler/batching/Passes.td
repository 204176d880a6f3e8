//===- Passes.td - Batching -----------------------------------------------===//
#ifndef TENSORC_COMPILER_BATCHING_PASSES_TD
#define TENSORC_COMPILER_BATCHING_PASSES_TD

include "mlir/Pass/PassBase.td"

def BatchPass : Pass<"tx-batch", "::mlir::ModuleOp"> {
  let summary = "Add a function that does for a batch what another does for one";
  let description = [{
    `@main` gets `@main_batched` beside it. Its arguments have the batch as the
    dimension that `in` says, a number per argument, or `none` for arguments
    that all share; its results as `out` says. A list of one is for all.
  }];
  let dependentDialects = ["::tensorc::tx::TxDialect"];
  let options = [
    Option<"entry", "entry", "std::string", "\"main\"", "The function">,
    Option<"size", "size", "std::string", "\"batch\"", "How many, a number or a name">,
    ListOption<"in", "in", "std::string", "Per argument where the batch is">,
    ListOption<"out", "out", "std::string", "Per result where the batch is">];
}

#endif // TENSORC_COMPILER_BATCHING_PASSES_TD
