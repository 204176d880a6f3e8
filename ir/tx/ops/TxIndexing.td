//===- TxIndexing.td - Ops whose indices are tensors ----------------------===//
#ifndef TENSORC_IR_TX_OPS_TXINDEXING_TD
#define TENSORC_IR_TX_OPS_TXINDEXING_TD

include "ir/tx/TxAttributes.td"
include "mlir/IR/EnumAttr.td"

def Tx_UpdateKind : I32EnumAttr<"UpdateKind", "What an update does to the element in its place", [
    I32EnumAttrCase<"Set", 0, "set">, I32EnumAttrCase<"Add", 1, "add">, I32EnumAttrCase<"Mul", 2, "mul">,
    I32EnumAttrCase<"Min", 3, "min">, I32EnumAttrCase<"Max", 4, "max">]> {
  let cppNamespace = "::tensorc::tx";
  let genSpecializedAttr = 0;
}

/// Update kinds are printed in quotes.
def Tx_UpdateKindAttr : EnumAttr<Tx_Dialect, Tx_UpdateKind, "update_kind"> {
  let assemblyFormat = ?;
  let hasCustomAssemblyFormat = 1;
}

def Tx_GatherOp : Tx_Op<"gather", [Pure]> {
  let category = "shape";
  let summary = "Slices of x at indices in a tensor";
  let description = [{
    The semantics are those of StableHLO's gather. Dimension `index_vector_dim` of the indices contains the index
    vectors; if it equals the rank of the indices, each element is a vector of one. The dims of the result that are not
    in `offset_dims` enumerate these vectors. Component k of a vector is the start of the slice along dimension
    `start_index_map[k]` of x; the other starts are 0. The `offset_dims` of the result are the dims of the slice
    except `collapsed_slice_dims`, which have size 1. A slice size of -1 means the whole dimension. Starts are
    clamped, so that every slice lies inside x.
    ```mlir
    %0 = tx.gather %x, %i offset_dims = [1] collapsed_slice_dims = [0] start_index_map = [0] index_vector_dim = 1
        slice_sizes = [1, 8] : (tensor<100x8xf32>, tensor<5xi64>) -> tensor<5x8xf32>
    ```
  }];
  let arguments = (ins Tx_Tensor:$x, Tx_IntTensor:$indices, DenseI64ArrayAttr:$offset_dims,
                       DenseI64ArrayAttr:$collapsed_slice_dims, DenseI64ArrayAttr:$start_index_map,
                       I64Attr:$index_vector_dim, DenseI64ArrayAttr:$slice_sizes);
  let results = (outs Tx_Tensor:$result);
  let assemblyFormat = [{
    $x `,` $indices `offset_dims` `=` $offset_dims `collapsed_slice_dims` `=` $collapsed_slice_dims
    `start_index_map` `=` $start_index_map `index_vector_dim` `=` $index_vector_dim
    `slice_sizes` `=` $slice_sizes attr-dict `:` functional-type(operands, results)
  }];
  let shapeRule = [{shape::inferGather(
      x, indices, {a.offsetDims, a.collapsedSliceDims, a.startIndexMap, a.indexVectorDim}, a.sliceSizes)}];
  let gradientRule = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Returns the dims of the result along which index vectors run, in order.
    ::llvm::SmallVector<int64_t> getBatchDims();
    /// Returns for each dim of x the dim of the result along its slice, or -1
    /// if there is none.
    ::llvm::SmallVector<int64_t> getOffsetDimOfX();
    /// Returns the number of components of an index vector.
    int64_t getVectorSize() { return getStartIndexMap().size(); }
  }];
}

def Tx_DynamicSliceOp : Tx_Op<"dynamic_slice", [Pure]> {
  let category = "shape";
  let summary = "A slice of x at a computed start";
  let description = [{
    The semantics are those of StableHLO's dynamic_slice. `starts` has a scalar per dimension. `slice_sizes` are the
    sizes; -1 means the whole dimension. Starts are clamped, so that the slice lies inside x.
    ```mlir
    %0 = tx.dynamic_slice %x[%i, %j] slice_sizes = [1, 8] : (tensor<100x8xf32>, tensor<i64>, tensor<i64>) -> tensor<1x8xf32>
    ```
  }];
  let arguments = (ins Tx_Tensor:$x, Variadic<Tx_IntTensor>:$starts, DenseI64ArrayAttr:$slice_sizes);
  let results = (outs Tx_Tensor:$result);
  let assemblyFormat = [{
    $x `[` $starts `]` `slice_sizes` `=` $slice_sizes attr-dict `:` functional-type(operands, results)
  }];
  let shapeRule = "shape::inferDynamicSlice(x, a.sliceSizes)";
  let gradientRule = 1;
  let hasVerifier = 1;
}

def Tx_DynamicUpdateSliceOp : Tx_Op<"dynamic_update_slice", [Pure]> {
  let category = "shape";
  let summary = "x with a slice replaced at a computed start";
  let description = [{
    The semantics are those of StableHLO's dynamic_update_slice. `starts` has a scalar per dimension. Starts are
    clamped, so that the update lies inside x.
    ```mlir
    %0 = tx.dynamic_update_slice %x, %u[%i, %j]
        : (tensor<100x8xf32>, tensor<1x8xf32>, tensor<i64>, tensor<i64>) -> tensor<100x8xf32>
    ```
  }];
  let arguments = (ins Tx_Tensor:$x, Tx_Tensor:$update, Variadic<Tx_IntTensor>:$starts);
  let results = (outs Tx_Tensor:$result);
  let assemblyFormat = "$x `,` $update `[` $starts `]` attr-dict `:` functional-type(operands, results)";
  let shapeRule = "shape::inferDynamicUpdateSlice(x, update)";
  let gradientRule = 1;
  let hasVerifier = 1;
}

def Tx_ScatterOp : Tx_Op<"scatter", [Pure]> {
  let category = "shape";
  let summary = "x with slices updated at indices in a tensor";
  let description = [{
    The semantics are those of StableHLO's scatter. `kind` is `set`, `add`, `mul`, `min` or `max`; i1 does not support
    `add` and `mul`. Dimension `index_vector_dim` of the indices contains the index vectors; if it equals the rank of
    the indices, each element is a vector of one. The dims of the updates that are not in `update_window_dims` enumerate
    these vectors. Component k of a vector is the start of the window along dimension `scatter_dims_to_operand_dims[k]`
    of x; the other starts are 0. The `update_window_dims` are the dims of x except `inserted_window_dims`, along which
    a window has size 1. Updates outside of x are dropped. Where windows overlap, updates are applied in the order of
    their index vectors, and each result is rounded; with `set` the last one remains.
    ```mlir
    %0 = tx.scatter "add" %x, %i, %u update_window_dims = [1] inserted_window_dims = [0]
        scatter_dims_to_operand_dims = [0] index_vector_dim = 1
        : (tensor<100x8xf32>, tensor<5xi64>, tensor<5x8xf32>) -> tensor<100x8xf32>
    ```
  }];
  let arguments = (ins Tx_Tensor:$x, Tx_IntTensor:$indices, Tx_Tensor:$updates, Tx_UpdateKindAttr:$kind,
                       DenseI64ArrayAttr:$update_window_dims, DenseI64ArrayAttr:$inserted_window_dims,
                       DenseI64ArrayAttr:$scatter_dims_to_operand_dims, I64Attr:$index_vector_dim);
  let results = (outs Tx_Tensor:$result);
  let assemblyFormat = [{
    $kind $x `,` $indices `,` $updates `update_window_dims` `=` $update_window_dims
    `inserted_window_dims` `=` $inserted_window_dims
    `scatter_dims_to_operand_dims` `=` $scatter_dims_to_operand_dims
    `index_vector_dim` `=` $index_vector_dim attr-dict `:` functional-type(operands, results)
  }];
  let shapeRule = [{shape::inferScatter(
      x, indices, updates,
      {a.updateWindowDims, a.insertedWindowDims, a.scatterDimsToOperandDims, a.indexVectorDim})}];
  let gradientRule = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Returns the dims of the updates along which index vectors run, in order.
    ::llvm::SmallVector<int64_t> getBatchDims();
    /// Returns for each dim of x the dim of the updates along its window, or -1
    /// if there is none.
    ::llvm::SmallVector<int64_t> getWindowDimOfX();
    /// Returns the number of components of an index vector.
    int64_t getVectorSize() { return getScatterDimsToOperandDims().size(); }
  }];
}

def Tx_SearchsortedOp : Tx_ShapedOp<"searchsorted", [Pure, SameOperandsElementType]> {
  let category = "shape";
  let summary = "Positions of values in a sorted sequence";
  let description = [{
    `sorted` is in order along its last dimension. The result for each value is the number of elements below it; with
    `right`, equal elements count, too. There is one sequence for all values, or one per position along the values'
    other dimensions. NaN is above all numbers, as in tx.sort. If `sorted` is not in order, the result is the position
    that a binary search finds, which is the same on every target.
    ```mlir
    %0 = tx.searchsorted %sorted, %x right : (tensor<8xf32>, tensor<2x3xf32>) -> tensor<2x3xi64>
    ```
  }];
  let arguments = (ins Tx_ComputeTensor:$sorted, Tx_ComputeTensor:$x, UnitAttr:$right);
  let results = (outs Tx_I64Tensor:$result);
  let assemblyFormat = "$sorted `,` $x (`right` $right^)? attr-dict `:` functional-type(operands, results)";
  let shapeRule = [{[&] {
    shape::InferredShape rule = shape::inferSame(x);
    auto text = [&] {
      return "the sorted sequences are " + shape::shapeText(sorted) + ", which are not one or those of " +
             shape::shapeText(x);
    };
    if (sorted.empty() || (sorted.size() > 1 && sorted.size() != x.size()))
      rule.refuse(text());
    else if (sorted.size() > 1)
      rule.requireAllEqual(sorted.drop_back(), x.drop_back(), text);
    return rule;
  }()}];
  let notDifferentiable = 1;
}

#endif // TENSORC_IR_TX_OPS_TXINDEXING_TD
