//===- Passes.td - Sharding -----------------------------------------------===//
#ifndef TENSORC_COMPILER_SHARDING_PASSES_TD
#define TENSORC_COMPILER_SHARDING_PASSES_TD

include "mlir/Pass/PassBase.td"

def PropagateShardingsPass : Pass<"tx-propagate-shardings", "::mlir::func::FuncOp"> {
  let summary = "Annotate all values that can be split as the annotated ones are";
  let description = [{
    Composites without a sharding rule are expanded. A function without
    `tx.shard` stays as it is. Values that differ between ranks are not split.
  }];
  let dependentDialects = ["::tensorc::tx::TxDialect"];
}

def PartitionPass : Pass<"tx-partition", "::mlir::func::FuncOp"> {
  let summary = "Make the program of one rank: its parts of annotated values, and collectives";
  let description = [{
    Arguments and results stay whole: each rank has all of them.
  }];
  let dependentDialects = ["::tensorc::tx::TxDialect"];
}

def SplitBatchPass : Pass<"tx-split-batch", "::mlir::func::FuncOp"> {
  let summary = "Compute fusions at the peak of memory use in parts of a batch, one after the other";
  let description = [{
    Runs after tx-choose-schedules, and removes the schedules of the fusions
    that it splits; run that pass again. No reduction is split.
  }];
  let dependentDialects = ["::tensorc::tx::TxDialect"];
  let options = [
    Option<"parts", "parts", "int64_t", "2", "number of parts">,
    Option<"launchMicroseconds", "launch-us", "double", "2", "time of an empty launch">];
}

#endif // TENSORC_COMPILER_SHARDING_PASSES_TD
