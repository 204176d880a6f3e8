//===- TxIndexing.td - Ops whose indices are tensors ----------------------===//
#ifndef TENSORC_IR_TX_TXINDEXING_TD
#define TENSORC_IR_TX_TXINDEXING_TD

include "ir/tx/TxDialect.td"

def Tx_GatherOp : Tx_Op<"gather", [Pure]> {
  let category = "shape";
  let summary = "Slices of x at indices that are a tensor";
  let description = [{
    StableHLO's gather. The dims of the result that are not in `offset_dims` run over the index vectors, which lie
    along dimension `index_vector_dim` of the indices (its rank: every element is a vector of one). Component k of
    a vector is the start of the slice along dimension `start_index_map[k]` of x; the other starts are 0. The
    dims of the slice without `collapsed_slice_dims`, which have size 1, are the `offset_dims` of the result. A
    slice size of -1 is the whole dimension. Starts are clamped, so that every slice lies inside x.
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
  let derivatives = ["scatter_add(zeros(shape(x)), indices, g)", ""];
  let inApi = 0;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Dims of the result that run over the index vectors, in order.
    ::llvm::SmallVector<int64_t> getBatchDims();
    /// Per dim of x the dim of the result that runs over its slice; -1: none.
    ::llvm::SmallVector<int64_t> getOffsetDimOfX();
    /// Components of an index vector.
    int64_t getVectorSize() { return getStartIndexMap().size(); }
  }];
}

#endif // TENSORC_IR_TX_TXINDEXING_TD
