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

def BucketReductionsPass : Pass<"tx-bucket-reductions", "::mlir::func::FuncOp"> {
  let summary = "Combine the operands of several all_reduce calls in one call";
  let description = [{
    Runs on fusions. A bucket holds operands that are results of fusions and do
    not depend on each other's sums. They are written to one buffer, and the
    sums are views of another one, so nothing is copied. Each element is reduced
    as before.
  }];
  let dependentDialects = ["::tensorc::tx::TxDialect"];
  let options = [
    Option<"bytes", "bytes", "int64_t", "4 << 20", "maximum size of a bucket">];
}

def OverlapReductionsPass : Pass<"tx-overlap-reductions", "::mlir::func::FuncOp"> {
  let summary = "Run reductions over the ranks on a second queue, next to kernels that do not need them";
  let description = [{
    Runs on fusions. Ops that need the result of a reduction are moved behind
    the ops that don't, unless they are more work.
  }];
  let dependentDialects = ["::tensorc::tx::TxDialect"];
}

#endif // TENSORC_COMPILER_SHARDING_PASSES_TD
