//===- Passes.td - Batching -----------------------------------------------===//
#ifndef TENSORC_COMPILER_BATCHING_PASSES_TD
#define TENSORC_COMPILER_BATCHING_PASSES_TD

include "mlir/Pass/PassBase.td"

def BatchPass : Pass<"tx-batch", "::mlir::ModuleOp"> {
  let summary = "Add a function that does for a batch what another does for one";
  let description = [{
    `@main` gets `@main_batched` beside it. `in` says for each
    argument which dimension is the batch, or `none` if all examples share the
    argument; `out` says it for each result. A list of one number is for all.
  }];
  let dependentDialects = ["::tensorc::tx::TxDialect"];
  let options = [
    Option<"entry", "entry", "std::string", "\"main\"", "The function">,
    Option<"size", "size", "std::string", "\"batch\"", "How many, a number or a name">,
    ListOption<"in", "in", "std::string", "Per argument where the batch is">,
    ListOption<"out", "out", "std::string", "Per result where the batch is">];
}

#endif // TENSORC_COMPILER_BATCHING_PASSES_TD
