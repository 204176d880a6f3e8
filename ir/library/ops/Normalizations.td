//===- Normalizations.td - Softmax, means, norms and normalizations -------===//
#ifndef TENSORC_IR_LIBRARY_NORMALIZATIONS_TD
#define TENSORC_IR_LIBRARY_NORMALIZATIONS_TD

include "ir/library/Composite.td"

class Tx_FloatComposite<string mnemonic, list<Trait> traits = []> : Tx_Composite<mnemonic, traits> {
  let results = (outs Tx_FloatTensor:$result);
}

//===----------------------------------------------------------------------===//
// Softmax and reductions
//===----------------------------------------------------------------------===//

class Tx_AlongDim<string mnemonic> : Tx_FloatComposite<mnemonic, [SameOperandsAndResultType]> {
  let arguments = (ins Tx_FloatTensor:$x, I64Attr:$dim);
  let assemblyFormat = "$x `dim` `=` $dim attr-dict `:` type($result)";
  let shapeRule = "shape::inferAlong(x, a.dim)";
  let sharedAttributes = "AlongDim";
}

def Tx_SoftmaxOp : Tx_AlongDim<"softmax"> {
  let summary = "Exponentials divided by their sum along a dimension";
  let description = [{
    e^x divided by the sum of e^x along `dim`, without overflow.
    ```mlir
    %0 = tx.softmax %x dim = 1 : tensor<2x3xf32>
    ```
  }];
}

def Tx_LogSoftmaxOp : Tx_AlongDim<"log_softmax"> {
  let summary = "Logarithm of tx.softmax";
  let description = [{
    x minus the logarithm of the sum of e^x along `dim`, without overflow.
    ```mlir
    %0 = tx.log_softmax %x dim = 1 : tensor<2x3xf32>
    ```
  }];
}

/// A reduction of floats. If `keepdims` is set, the reduced dims stay with size
/// 1; otherwise they are removed. Sums of f16 and bf16 are computed in f32.
class Tx_FloatReduction<string mnemonic> : Tx_FloatComposite<mnemonic> {
  let arguments = (ins Tx_FloatTensor:$x, DenseI64ArrayAttr:$dims, UnitAttr:$keepdims);
  let assemblyFormat = [{
    $x `dims` `=` $dims (`keepdims` $keepdims^)? attr-dict `:` functional-type(operands, $result)
  }];
  let shapeRule = "shape::inferKeptReduction(x, a.dims, a.keepdims)";
  let sharedAttributes = "FloatReduction";
}

def Tx_LogsumexpOp : Tx_FloatReduction<"logsumexp"> {
  let summary = "Logarithm of the sum of exponentials over dimensions";
  let description = [{
    Intermediate results do not overflow; the result for no elements is -inf. With `keepdims`, the reduced dims
    remain with size 1.
    ```mlir
    %0 = tx.logsumexp %x dims = [1] : (tensor<2x3xf32>) -> tensor<2xf32>
    ```
  }];
}

def Tx_MeanOp : Tx_FloatReduction<"mean"> {
  let summary = "Mean over dimensions";
  let description = [{
    The sum divided by the number of elements. With `keepdims`, the reduced dims
    remain with size 1.
    ```mlir
    %0 = tx.mean %x dims = [1] keepdims : (tensor<2x3xf32>) -> tensor<2x1xf32>
    ```
  }];
}

def Tx_VarOp : Tx_FloatReduction<"var"> {
  let summary = "Variance over dimensions";
  let description = [{
    The sum of the squared distances from the mean, divided by the number of elements minus `correction`, or by 0
    if that is negative.
    ```mlir
    %0 = tx.var %x, %correction dims = [1] : (tensor<2x3xf32>, tensor<f64>) -> tensor<2xf32>
    ```
  }];
  let arguments = (ins Tx_FloatTensor:$x, Tx_FloatNumber:$correction, DenseI64ArrayAttr:$dims, UnitAttr:$keepdims);
  let assemblyFormat = [{
    $x `,` $correction `dims` `=` $dims (`keepdims` $keepdims^)? attr-dict `:` functional-type(operands, $result)
  }];
}

def Tx_StdOp : Tx_FloatReduction<"std"> {
  let summary = "Standard deviation over dimensions";
  let description = [{
    The square root of tx.var.
    ```mlir
    %0 = tx.std %x, %correction dims = [1] : (tensor<2x3xf32>, tensor<f64>) -> tensor<2xf32>
    ```
  }];
  let arguments = (ins Tx_FloatTensor:$x, Tx_FloatNumber:$correction, DenseI64ArrayAttr:$dims, UnitAttr:$keepdims);
  let assemblyFormat = [{
    $x `,` $correction `dims` `=` $dims (`keepdims` $keepdims^)? attr-dict `:` functional-type(operands, $result)
  }];
}

def Tx_NormOp : Tx_FloatReduction<"norm"> {
  let summary = "Vector norm over dimensions";
  let description = [{
    The norm is computed from the absolute values. It is the number of nonzero ones (`count`), their sum, the root of
    the sum of their squares (`euclidean`), the largest, the smallest, or (sum of x^`order`)^(1 / `order`).
    ```mlir
    %0 = tx.norm %x euclidean dims = [1] : (tensor<2x3xf32>) -> tensor<2xf32>
    ```
  }];
  let arguments = (ins Tx_FloatTensor:$x, Optional<Tx_FloatNumber>:$order,
                       Tx_NormKind:$kind, DenseI64ArrayAttr:$dims, UnitAttr:$keepdims);
  let assemblyFormat = [{
    $x $kind (`order` $order^)? `dims` `=` $dims (`keepdims` $keepdims^)? attr-dict
    `:` functional-type(operands, $result)
  }];
  let sharedAttributes = "";
  let extraVerification = "verifyNorm(*this)";
}

//===----------------------------------------------------------------------===//
// Normalizations
//===----------------------------------------------------------------------===//

def Tx_LayerNormOp : Tx_FloatComposite<"layer_norm", [AttrSizedOperandSegments]> {
  let summary = "Normalization along the last dimension";
  let description = [{
    (x - mean) / sqrt(variance + epsilon) * scale + bias. The mean and the variance are those along the last dimension;
    scale and bias have one element per position along it.
    ```mlir
    %0 = tx.layer_norm %x, %epsilon scale %s bias %b
        : (tensor<2x3xf32>, tensor<f32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
    ```
  }];
  let arguments = (ins Tx_FloatTensor:$x, Tx_FloatNumber:$epsilon,
                       Optional<Tx_FloatTensor>:$scale, Optional<Tx_FloatTensor>:$bias);
  let assemblyFormat = [{
    $x `,` $epsilon (`scale` $scale^)? (`bias` $bias^)? attr-dict `:` functional-type(operands, $result)
  }];
  let shapeRule = "shape::inferLayerNorm(x, scale, bias)";
}

def Tx_RmsNormOp : Tx_FloatComposite<"rms_norm"> {
  let summary = "Normalization by the root mean square along the last dimension";
  let description = [{
    x / sqrt(mean of x^2 + epsilon) * scale.
    ```mlir
    %0 = tx.rms_norm %x, %epsilon scale %s : (tensor<2x3xf32>, tensor<f32>, tensor<3xf32>) -> tensor<2x3xf32>
    ```
  }];
  let arguments = (ins Tx_FloatTensor:$x, Tx_FloatNumber:$epsilon, Optional<Tx_FloatTensor>:$scale);
  let assemblyFormat = [{
    $x `,` $epsilon (`scale` $scale^)? attr-dict `:` functional-type(operands, $result)
  }];
  let shapeRule = "shape::inferRmsNorm(x, scale)";
}

def Tx_GroupNormOp : Tx_FloatComposite<"group_norm", [AttrSizedOperandSegments]> {
  let summary = "Normalization of groups of channels";
  let description = [{
    Channels are dimension 1 and are divided into `groups` groups of equal size. The elements of each image and group
    are normalized together, as by tx.layer_norm. Scale and bias have one number per channel.
    ```mlir
    %0 = tx.group_norm %x, %epsilon groups = 2 : (tensor<2x4x5xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    ```
  }];
  let arguments = (ins Tx_FloatTensor:$x, Tx_FloatNumber:$epsilon, Optional<Tx_FloatTensor>:$scale,
                       Optional<Tx_FloatTensor>:$bias, I64Attr:$groups);
  let assemblyFormat = [{
    $x `,` $epsilon (`scale` $scale^)? (`bias` $bias^)? `groups` `=` $groups attr-dict
    `:` functional-type(operands, $result)
  }];
  let shapeRule = "shape::inferGroupNorm(x, scale, bias, a.groups)";
}

def Tx_BatchNormOp : Tx_FloatComposite<"batch_norm", [AttrSizedOperandSegments]> {
  let summary = "Normalization with given statistics";
  let description = [{
    (x - mean) / sqrt(variance + epsilon) * scale + bias. Mean, variance, scale and bias have one number per channel;
    channels lie along `dim`.
    ```mlir
    %0 = tx.batch_norm %x, %mean, %variance, %epsilon dim = 1
        : (tensor<2x4x5xf32>, tensor<4xf32>, tensor<4xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    ```
  }];
  let arguments = (ins Tx_FloatTensor:$x, Tx_FloatTensor:$mean, Tx_FloatTensor:$variance,
                       Tx_FloatNumber:$epsilon, Optional<Tx_FloatTensor>:$scale,
                       Optional<Tx_FloatTensor>:$bias, I64Attr:$dim);
  let assemblyFormat = [{
    $x `,` $mean `,` $variance `,` $epsilon (`scale` $scale^)? (`bias` $bias^)? `dim` `=` $dim attr-dict
    `:` functional-type(operands, $result)
  }];
  let shapeRule = "shape::inferBatchNorm(x, {mean, variance, scale, bias}, a.dim)";
}

#endif // TENSORC_IR_LIBRARY_NORMALIZATIONS_TD
