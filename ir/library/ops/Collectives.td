//===- Collectives.td - Ops over several ranks ----------------------------===//
//
// A program runs on `ranks` devices, each with its own values (docs/design/0106-many-devices.md).
// All ranks run the same collectives in the same order. Each op expands to a call of the runtime's
// communicator. A gradient is that of the sum of all ranks' losses.
//
// `groups` splits the ranks of the program into groups of `ranks` each, group after group; a collective
// connects the ranks of a group, in the order of the list. Without it all ranks are one group.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_IR_LIBRARY_COLLECTIVES_TD
#define TENSORC_IR_LIBRARY_COLLECTIVES_TD

include "ir/library/Composite.td"

class Tx_Collective<string mnemonic, Type type = Tx_Tensor> : Tx_Composite<mnemonic> {
  let arguments = (ins type:$x, I64Attr:$ranks);
  let results = (outs type:$result);
}

def Tx_AllReduceOp : Tx_Collective<"all_reduce", Tx_ComputeOrComplexTensor> {
  let summary = "Reduction over the ranks, with the result on each rank";
  let description = [{
    Elements are combined in the order of the ranks; f16 and bf16 accumulate in f32. `and` and `or` of bits are for integers
    and i1, which have no other combiners than these, `min` and `max`; complex numbers have `sum` and `product`.
    ```mlir
    %0 = tx.all_reduce %x sum ranks = 1 : (tensor<2x3xf32>) -> tensor<2x3xf32>
    ```
  }];
  let arguments = (ins Tx_ComputeOrComplexTensor:$x, Tx_Combiner:$combiner, I64Attr:$ranks, DenseI64ArrayAttr:$groups);
  let assemblyFormat = "$x $combiner `ranks` `=` $ranks custom<Groups>($groups) attr-dict `:` functional-type(operands, $result)";
  let shapeRule = "shape::inferOverRanks(x, a.ranks, a.groups)";
  let extraVerification = "verifyCombiner(*this, getCombiner())";
}

def Tx_AllGatherOp : Tx_Collective<"all_gather"> {
  let summary = "Values of all ranks, one after another along a dimension";
  let description = [{
    The values are in the order of the ranks, on each rank.
    ```mlir
    %0 = tx.all_gather %x dim = 1 ranks = 1 : (tensor<2x3xf32>) -> tensor<2x3xf32>
    ```
  }];
  let arguments = (ins Tx_Tensor:$x, I64Attr:$dim, I64Attr:$ranks, DenseI64ArrayAttr:$groups);
  let assemblyFormat = "$x `dim` `=` $dim `ranks` `=` $ranks custom<Groups>($groups) attr-dict `:` functional-type(operands, $result)";
  let shapeRule = "shape::inferAllGather(x, a.dim, a.ranks, a.groups)";
}

def Tx_ReduceScatterOp : Tx_Collective<"reduce_scatter", Tx_ComputeOrComplexTensor> {
  let summary = "A rank's part of the combined elements of all ranks";
  let description = [{
    Elements are combined as by tx.all_reduce. Rank r gets part r along the dimension, whose size is a multiple of the
    number of ranks.
    ```mlir
    %0 = tx.reduce_scatter %x sum dim = 0 ranks = 1 : (tensor<4x3xf32>) -> tensor<4x3xf32>
    ```
  }];
  let arguments = (ins Tx_ComputeOrComplexTensor:$x, Tx_Combiner:$combiner, I64Attr:$dim, I64Attr:$ranks, DenseI64ArrayAttr:$groups);
  let assemblyFormat = "$x $combiner `dim` `=` $dim `ranks` `=` $ranks custom<Groups>($groups) attr-dict `:` functional-type(operands, $result)";
  let shapeRule = "shape::inferReduceScatter(x, a.dim, a.ranks, a.groups)";
  let extraVerification = "verifyCombiner(*this, getCombiner())";
}

def Tx_AllToAllOp : Tx_Collective<"all_to_all"> {
  let summary = "Parts that the ranks exchange";
  let description = [{
    Each rank's x is split into one part for each rank along `split`; rank r gets part r of all ranks, in the order of the
    ranks along `concat`.
    ```mlir
    %0 = tx.all_to_all %x split = 0 concat = 1 ranks = 1 : (tensor<4x3xf32>) -> tensor<4x3xf32>
    ```
  }];
  let arguments = (ins Tx_Tensor:$x, I64Attr:$split, I64Attr:$concat, I64Attr:$ranks, DenseI64ArrayAttr:$groups);
  let assemblyFormat = "$x `split` `=` $split `concat` `=` $concat `ranks` `=` $ranks custom<Groups>($groups) attr-dict `:` functional-type(operands, $result)";
  let shapeRule = "shape::inferAllToAll(x, a.split, a.concat, a.ranks, a.groups)";
}

def Tx_CollectiveBroadcastOp : Tx_Collective<"collective_broadcast"> {
  let summary = "Value of one rank, on all ranks";
  let description = [{
    `root` is a position in the group.
    ```mlir
    %0 = tx.collective_broadcast %x root = 0 ranks = 1 : (tensor<2x3xf32>) -> tensor<2x3xf32>
    ```
  }];
  let arguments = (ins Tx_Tensor:$x, I64Attr:$root, I64Attr:$ranks, DenseI64ArrayAttr:$groups);
  let assemblyFormat = "$x `root` `=` $root `ranks` `=` $ranks custom<Groups>($groups) attr-dict `:` functional-type(operands, $result)";
  let shapeRule = "shape::inferFromRank(x, a.root, a.ranks, a.groups)";
}

def Tx_CollectivePermuteOp : Tx_Collective<"collective_permute"> {
  let summary = "Value of the rank that sends to this one";
  let description = [{
    `pairs` lists source, target, source, target, and so on. No rank is a source or a target twice; a rank that is no
    target has zeros.
    ```mlir
    %0 = tx.collective_permute %x pairs = [0, 0] ranks = 1 : (tensor<2x3xf32>) -> tensor<2x3xf32>
    ```
  }];
  let arguments = (ins Tx_Tensor:$x, DenseI64ArrayAttr:$pairs, I64Attr:$ranks);
  let assemblyFormat = "$x `pairs` `=` $pairs `ranks` `=` $ranks attr-dict `:` functional-type(operands, $result)";
  let shapeRule = "shape::inferPermute(x, a.pairs, a.ranks)";
}

def Tx_PartitionIdOp : Tx_Composite<"partition_id"> {
  let summary = "Number of this rank, from 0";
  let description = [{
    ```mlir
    %0 = tx.partition_id ranks = 1 : () -> tensor<i64>
    ```
  }];
  let arguments = (ins I64Attr:$ranks);
  let results = (outs Tx_I64Tensor:$result);
  let assemblyFormat = "`ranks` `=` $ranks attr-dict `:` functional-type(operands, $result)";
  let shapeRule = "shape::inferOverRanks({}, a.ranks, {})";
  let sameDType = 0;
}

//===----------------------------------------------------------------------===//
// Sharding
//===----------------------------------------------------------------------===//

def Tx_ShardOp : Tx_Composite<"shard"> {
  let summary = "x, split over the devices of a mesh";
  let description = [{
    A mesh is a grid of ranks in row-major order; `mesh` has its sizes. Axis a of the mesh splits dimension `dims[a]` of
    x, or none if `dims[a]` is -1. If several axes split one dimension, the first is the outermost. The result equals x;
    the op only states how x is split. The compiler splits the values around it, and inserts collectives
    (`tx-partition`).
    ```mlir
    %0 = tx.shard %x mesh = [1, 1] dims = [0, -1] : (tensor<4x3xf32>) -> tensor<4x3xf32>
    ```
  }];
  let arguments = (ins Tx_Tensor:$x, DenseI64ArrayAttr:$mesh, DenseI64ArrayAttr:$dims);
  let results = (outs Tx_Tensor:$result);
  let assemblyFormat = "$x `mesh` `=` $mesh `dims` `=` $dims attr-dict `:` functional-type(operands, $result)";
  let shapeRule = "shape::inferShard(x, a.mesh, a.dims)";
}

def Tx_LocalPartOp : Tx_Composite<"local_part"> {
  let summary = "A rank's part of x";
  let description = [{
    `mesh` and `dims` have the same meaning as in tx.shard. The result differs between the ranks.
    ```mlir
    %0 = tx.local_part %x mesh = [1] dims = [0] : (tensor<4x3xf32>) -> tensor<4x3xf32>
    ```
  }];
  let arguments = (ins Tx_Tensor:$x, DenseI64ArrayAttr:$mesh, DenseI64ArrayAttr:$dims);
  let results = (outs Tx_Tensor:$result);
  let assemblyFormat = "$x `mesh` `=` $mesh `dims` `=` $dims attr-dict `:` functional-type(operands, $result)";
  let shapeRule = "shape::inferLocalPart(x, a.mesh, a.dims)";
}

def Tx_JoinPartsOp : Tx_Composite<"join_parts"> {
  let summary = "The tensor that consists of the ranks' parts";
  let description = [{
    The reverse of tx.local_part. x is this rank's part; the result stays split in the same way.
    ```mlir
    %0 = tx.join_parts %x mesh = [1] dims = [0] : (tensor<4x3xf32>) -> tensor<4x3xf32>
    ```
  }];
  let arguments = (ins Tx_Tensor:$x, DenseI64ArrayAttr:$mesh, DenseI64ArrayAttr:$dims);
  let results = (outs Tx_Tensor:$result);
  let assemblyFormat = "$x `mesh` `=` $mesh `dims` `=` $dims attr-dict `:` functional-type(operands, $result)";
  let shapeRule = "shape::inferJoinParts(x, a.mesh, a.dims)";
}

#endif // TENSORC_IR_LIBRARY_COLLECTIVES_TD
