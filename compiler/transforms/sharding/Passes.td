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

#endif // TENSORC_COMPILER_SHARDING_PASSES_TD
