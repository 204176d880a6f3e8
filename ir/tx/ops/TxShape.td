//===- TxShape.td - Ops that create, move and index elements --------------===//
#ifndef TENSORC_IR_TX_OPS_TXSHAPE_TD
#define TENSORC_IR_TX_OPS_TXSHAPE_TD

include "ir/tx/TxDialect.td"

class Tx_ShapeOp<string mnemonic, list<Trait> traits = []>
    : Tx_Op<mnemonic, !listconcat([Pure], traits)> {
  let category = "shape";
  let hasVerifier = 1;
}

def Tx_ConstantOp : Tx_ShapeOp<"constant", [ConstantLike, AllTypesMatch<["value", "result"]>]> {
  let summary = "Constant tensor";
  let description = [{
    ```mlir
    %0 = tx.constant dense<[1.0, 2.0]> : tensor<2xf32>
    ```
  }];
  let arguments = (ins ElementsAttr:$value);
  let results = (outs Tx_Tensor:$result);
  let assemblyFormat = "attr-dict $value";
  let hasFolder = 1;
  let notDifferentiable = 1;
  let inApi = 0;
}

def Tx_IotaOp : Tx_ShapeOp<"iota"> {
  let summary = "Index along one dimension";
  let description = [{
    Each element is its own index along `dim`, converted to the dtype.
    ```mlir
    %0 = tx.iota dim = 1 : tensor<2x3xi32>
    ```
  }];
  let arguments = (ins I64Attr:$dim);
  let results = (outs Tx_NumberTensor:$result);
  let assemblyFormat = "`dim` `=` $dim attr-dict `:` type($result)";
  let ownsShape = 1;
  let notDifferentiable = 1;
}

def Tx_BroadcastOp : Tx_ShapeOp<"broadcast"> {
  let summary = "Repetition along new or unit dimensions";
  let description = [{
    Dimension i of x becomes dimension `dims[i]` of the result; it has the same
    size or is 1. `dims` increases strictly.
    ```mlir
    %0 = tx.broadcast %x dims = [1] : tensor<3xf32> -> tensor<2x3xf32>
    ```
  }];
  let arguments = (ins Tx_Tensor:$x, DenseI64ArrayAttr:$dims);
  let results = (outs Tx_Tensor:$result);
  let assemblyFormat = "$x `dims` `=` $dims attr-dict `:` type($x) `->` type($result)";
  let shapeRule = "shape::inferBroadcast(x, a.dims, result)";
  let ownsShape = 1;
  let gradientRule = 1;
  let hasFolder = 1;
}

def Tx_ReshapeOp : Tx_ShapeOp<"reshape"> {
  let summary = "The same elements in row-major order, with another shape";
  let description = [{
    ```mlir
    %0 = tx.reshape %x : tensor<2x3xf32> -> tensor<6xf32>
    ```
  }];
  let arguments = (ins Tx_Tensor:$x);
  let results = (outs Tx_Tensor:$result);
  let assemblyFormat = "$x attr-dict `:` type($x) `->` type($result)";
  let shapeRule = "shape::inferReshape(x, result)";
  let ownsShape = 1;
  let gradientRule = 1;
  let hasFolder = 1;
}

def Tx_TransposeOp : Tx_ShapeOp<"transpose"> {
  let summary = "Permutation of dimensions";
  let description = [{
    Dimension i of the result is dimension `permutation[i]` of x.
    ```mlir
    %0 = tx.transpose %x permutation = [1, 0] : tensor<2x3xf32> -> tensor<3x2xf32>
    ```
  }];
  let arguments = (ins Tx_Tensor:$x, DenseI64ArrayAttr:$permutation);
  let results = (outs Tx_Tensor:$result);
  let assemblyFormat = "$x `permutation` `=` $permutation attr-dict `:` type($x) `->` type($result)";
  let shapeRule = "shape::inferTranspose(x, a.permutation)";
  let gradientRule = 1;
  let hasFolder = 1;
}

def Tx_SliceOp : Tx_ShapeOp<"slice"> {
  let summary = "Every stride-th element from an offset";
  let description = [{
    Element i along a dimension is element offset + i * stride of x; the sizes
    are the result's. Offsets are constants or index values; a change of an
    index value needs no recompilation. Strides are constants; they may be
    negative, but not 0. All elements that are read must lie inside x.
    ```mlir
    %0 = tx.slice %x offsets = [0, 2] strides = [1, 2] : tensor<4x9xf32> -> tensor<4x3xf32>
    ```
  }];
  let arguments = (ins Tx_Tensor:$x, Variadic<Index>:$offsets,
                       DenseI64ArrayAttr:$static_offsets,
                       DenseI64ArrayAttr:$strides);
  let results = (outs Tx_Tensor:$result);
  let assemblyFormat = [{
    $x `offsets` `=` custom<DynamicIndexList>($offsets, $static_offsets)
    `strides` `=` $strides attr-dict `:` type($x) `->` type($result)
  }];
  let shapeRule = "shape::inferSlice(x, a.staticOffsets, a.strides, result)";
  let ownsShape = 1;
  let gradientRule = 1;
  let hasFolder = 1;
}

def Tx_WindowsOp : Tx_ShapeOp<"windows"> {
  let summary = "Windows that slide over dimensions";
  let description = [{
    Dimension `dims[i]` of the result enumerates the windows along that dimension of x, which begin
    `strides[i]` apart. Dimension rank + i enumerates the `sizes[i]` elements of a window, which are
    `dilations[i]` apart. Only whole windows are included: floor((n - (size - 1) * dilation - 1) / stride)
    + 1 of them. A reduction over the last dimensions is a pooling, a contraction over them a convolution;
    both read x in place. For padding use tx.pad.
    ```mlir
    %0 = tx.windows %x dims = [1] sizes = [3] strides = [2] dilations = [1] : tensor<2x9xf32> -> tensor<2x4x3xf32>
    ```
  }];
  let arguments = (ins Tx_Tensor:$x, DenseI64ArrayAttr:$dims, DenseI64ArrayAttr:$sizes,
                       DenseI64ArrayAttr:$strides, DenseI64ArrayAttr:$dilations);
  let results = (outs Tx_Tensor:$result);
  let assemblyFormat = [{
    $x `dims` `=` $dims `sizes` `=` $sizes `strides` `=` $strides `dilations` `=` $dilations attr-dict
    `:` type($x) `->` type($result)
  }];
  let shapeRule = "shape::inferWindows(x, {a.dims, a.sizes, a.strides, a.dilations})";
  let gradientRule = 1;
}

def Tx_PadOp : Tx_ShapeOp<"pad"> {
  let summary = "Padding with a value at the edges and between elements";
  let description = [{
    The op inserts copies of the rank-0 `value`: `low` before and `high` after the elements of
    each dimension, and `interior` between neighbours. Negative edge padding removes
    elements.
    ```mlir
    %0 = tx.pad %x, %v low = [1] high = [2] interior = [0] : tensor<3xf32> -> tensor<6xf32>
    ```
  }];
  let arguments = (ins Tx_Tensor:$x, Tx_Tensor:$value, DenseI64ArrayAttr:$low,
                       DenseI64ArrayAttr:$high, DenseI64ArrayAttr:$interior);
  let results = (outs Tx_Tensor:$result);
  let assemblyFormat = [{
    $x `,` $value `low` `=` $low `high` `=` $high `interior` `=` $interior attr-dict
    `:` type($x) `->` type($result) custom<PadValueType>(ref(type($x)), type($value))
  }];
  let shapeRule = "shape::inferPad(x, {a.low, a.high, a.interior})";
  let gradientRule = 1;
}

def Tx_ConcatenateOp : Tx_ShapeOp<"concatenate"> {
  let summary = "Tensors joined along a dimension";
  let description = [{
    ```mlir
    %0 = tx.concatenate %x, %y dim = 0 : (tensor<2x3xf32>, tensor<4x3xf32>) -> tensor<6x3xf32>
    ```
  }];
  let arguments = (ins Variadic<Tx_Tensor>:$inputs, I64Attr:$dim);
  let results = (outs Tx_Tensor:$result);
  let assemblyFormat = "$inputs `dim` `=` $dim attr-dict `:` functional-type($inputs, $result)";
  let shapeRule = "shape::inferConcatenate(inputs, a.dim)";
  let gradientRule = 1;
  let hasFolder = 1;
}

#endif // TENSORC_IR_TX_OPS_TXSHAPE_TD
