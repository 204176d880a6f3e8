//===- Passes.td - Differentiation ----------------------------------------===//
#ifndef TENSORC_COMPILER_AUTODIFF_PASSES_TD
#define TENSORC_COMPILER_AUTODIFF_PASSES_TD

include "mlir/Pass/PassBase.td"

def DifferentiatePass : Pass<"tx-differentiate", "::mlir::ModuleOp"> {
  let summary = "Add a function that also returns the gradients of another's result";
  let description = [{
    `@main` gets `@main_gradient` beside it: the same arguments, the same results
    followed by the gradient of result `of` by each of the arguments `wrt`.
  }];
  let dependentDialects = ["::tensorc::tx::TxDialect"];
  let options = [
    Option<"entry", "entry", "std::string", "\"main\"", "The function">,
    Option<"of", "of", "unsigned", "0", "The result, by its number">,
    ListOption<"wrt", "wrt", "unsigned", "The arguments, by their numbers">];
}

def ExpandGradientsPass : Pass<"tx-expand-gradients", "::mlir::func::FuncOp"> {
  let summary = "Keep only the values of ops that say what a gradient is";
  let description = [{
    `tx.stop_gradient` becomes its operand, and `tx.custom_vjp` its first block.
    A `tx.while` with a bound counts its iterations. Gradients have been taken
    by then.
  }];
  let dependentDialects = ["::tensorc::tx::TxDialect"];
}

#endif // TENSORC_COMPILER_AUTODIFF_PASSES_TD
