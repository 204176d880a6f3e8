//===- Windows.td - Convolutions and pooling ------------------------------===//
#ifndef TENSORC_IR_LIBRARY_WINDOWS_TD
#define TENSORC_IR_LIBRARY_WINDOWS_TD

include "ir/library/Composite.td"

class Tx_Convolution<string mnemonic, string transposed> : Tx_Composite<mnemonic> {
  let arguments = (ins Tx_NumberTensor:$x, Tx_NumberTensor:$kernel, Optional<Tx_NumberTensor>:$bias,
                       UnitAttr:$channels_last, I64Attr:$groups, DenseI64ArrayAttr:$sizes,
                       DenseI64ArrayAttr:$strides, DenseI64ArrayAttr:$dilations, DenseI64ArrayAttr:$low,
                       DenseI64ArrayAttr:$high, DenseI64ArrayAttr:$input_dilations);
  let results = (outs Tx_NumberTensor:$result);
  let assemblyFormat = [{
    $x `,` $kernel (`bias` $bias^)? (`channels_last` $channels_last^)? `groups` `=` $groups `sizes` `=` $sizes
    `strides` `=` $strides `dilations` `=` $dilations `low` `=` $low `high` `=` $high
    `input_dilations` `=` $input_dilations attr-dict `:` functional-type(operands, $result)
  }];
  let sharedAttributes = "Convolution";
  let extraVerification = "verifyConvolution(*this)";
  let shapeRule = "shape::inferConvolution(x, kernel, bias, {a.channelsLast, " # transposed # ", a.groups, a.sizes, a.strides, a.dilations, a.low, a.high, a.inputDilations})";
}

def Tx_ConvOp : Tx_Convolution<"conv", "false"> {
  let summary = "Convolution";
  let description = [{
    The dims of images are N, C, spatial, and those of kernels O, C, spatial. With `channels_last` they are N, spatial,
    C, and spatial, C, O. The image is padded with `low` and `high` zeros at its edges and `input_dilations` - 1 between
    its elements. Each of the `groups` convolves its part of the channels. `sizes` are the spatial sizes of the kernel.
    ```mlir
    %0 = tx.conv %x, %k groups = 1 sizes = [3] strides = [1] dilations = [1] low = [1] high = [1] input_dilations = [1]
        : (tensor<2x4x9xf32>, tensor<5x4x3xf32>) -> tensor<2x5x9xf32>
    ```
  }];
}

def Tx_ConvTransposeOp : Tx_Convolution<"conv_transpose", "true"> {
  let summary = "Transposed convolution";
  let description = [{
    The op is like tx.conv with a mirrored kernel. The kernel's dims are [C, O, spatial], or [spatial, C, O]
    with `channels_last`.
    ```mlir
    %0 = tx.conv_transpose %x, %k groups = 1 sizes = [3] strides = [1] dilations = [1] low = [2] high = [2]
        input_dilations = [2] : (tensor<2x4x9xf32>, tensor<4x5x3xf32>) -> tensor<2x5x19xf32>
    ```
  }];
}

/// Windows of `sizes` elements, `dilations` apart, which slide over the padded
/// `dims`.
class Tx_WindowsOf<string mnemonic> : Tx_Composite<mnemonic> {
  let arguments = (ins Tx_NumberTensor:$x, DenseI64ArrayAttr:$dims, DenseI64ArrayAttr:$sizes,
                       DenseI64ArrayAttr:$strides, DenseI64ArrayAttr:$dilations, DenseI64ArrayAttr:$low,
                       DenseI64ArrayAttr:$high);
  let results = (outs Tx_NumberTensor:$result);
  let assemblyFormat = [{
    $x `dims` `=` $dims `sizes` `=` $sizes `strides` `=` $strides `dilations` `=` $dilations
    `low` `=` $low `high` `=` $high attr-dict `:` functional-type(operands, $result)
  }];
  let shapeRule = "shape::inferPooling(x, {a.dims, a.sizes, a.strides, a.dilations, a.low, a.high})";
}

def Tx_MaxPoolOp : Tx_WindowsOf<"max_pool"> {
  let summary = "Largest elements of windows";
  let description = [{
    Padding counts as smaller than all elements.
    ```mlir
    %0 = tx.max_pool %x dims = [2] sizes = [3] strides = [2] dilations = [1] low = [1] high = [1]
        : (tensor<2x4x9xf32>) -> tensor<2x4x5xf32>
    ```
  }];
  let sharedAttributes = "Window";
}

def Tx_AvgPoolOp : Tx_WindowsOf<"avg_pool"> {
  let summary = "Means of windows";
  let description = [{
    Padding is 0 and counts as elements of the mean; at the end of a dimension only the first `counted_high` zeros
    count. With `exclude_padding`, only elements of x count.
    ```mlir
    %0 = tx.avg_pool %x dims = [2] sizes = [3] strides = [2] dilations = [1] low = [1] high = [1] counted_high = [1]
        exclude_padding : (tensor<2x4x9xf32>) -> tensor<2x4x5xf32>
    ```
  }];
  let arguments = (ins Tx_FloatTensor:$x, DenseI64ArrayAttr:$dims, DenseI64ArrayAttr:$sizes,
                       DenseI64ArrayAttr:$strides, DenseI64ArrayAttr:$dilations, DenseI64ArrayAttr:$low,
                       DenseI64ArrayAttr:$high, DenseI64ArrayAttr:$counted_high, UnitAttr:$exclude_padding);
  let assemblyFormat = [{
    $x `dims` `=` $dims `sizes` `=` $sizes `strides` `=` $strides `dilations` `=` $dilations
    `low` `=` $low `high` `=` $high `counted_high` `=` $counted_high (`exclude_padding` $exclude_padding^)? attr-dict
    `:` functional-type(operands, $result)
  }];
  let extraVerification = "verifyAvgPool(*this)";
}

def Tx_ReduceWindowOp : Tx_WindowsOf<"reduce_window"> {
  let summary = "Reduction of windows";
  let description = [{
    Padding does not change the result, except that a mean includes it as zeros.
    ```mlir
    %0 = tx.reduce_window %x sum dims = [1] sizes = [3] strides = [2] dilations = [1] low = [1] high = [1]
        : (tensor<2x9xf32>) -> tensor<2x5xf32>
    ```
  }];
  let arguments = (ins Tx_NumberTensor:$x, Tx_WindowReduction:$kind, DenseI64ArrayAttr:$dims,
                       DenseI64ArrayAttr:$sizes, DenseI64ArrayAttr:$strides, DenseI64ArrayAttr:$dilations,
                       DenseI64ArrayAttr:$low, DenseI64ArrayAttr:$high);
  let assemblyFormat = [{
    $x $kind `dims` `=` $dims `sizes` `=` $sizes `strides` `=` $strides `dilations` `=` $dilations
    `low` `=` $low `high` `=` $high attr-dict `:` functional-type(operands, $result)
  }];
  let extraVerification = "verifyReduceWindow(*this)";
}

#endif // TENSORC_IR_LIBRARY_WINDOWS_TD
