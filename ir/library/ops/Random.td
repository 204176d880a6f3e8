//===- Random.td - Random distributions -----------------------------------===//
#ifndef TENSORC_IR_LIBRARY_RANDOM_TD
#define TENSORC_IR_LIBRARY_RANDOM_TD

include "ir/library/Composite.td"

def Tx_RandnOp : Tx_Composite<"randn"> {
  let summary = "Normal numbers from random bits";
  let description = [{
    The standard normal quantile of the bits as a uniform number, computed in f32 from ui32 and in f64 from ui64
    (docs/random.md). The results are bitwise equal on every target.
    ```mlir
    %0 = tx.randn %bits : (tensor<4xui32>) -> tensor<4xf32>
    ```
  }];
  let arguments = (ins Tx_WordsOrDoubleWords:$bits);
  let assemblyFormat = [{
    $bits attr-dict `:` functional-type(operands, $result)
  }];
  let shapeRule = "shape::inferSame(bits)";
  let results = (outs Tx_FloatTensor:$result);
  let sameDType = 0;
}

def Tx_DropoutOp : Tx_Composite<"dropout"> {
  let summary = "Zeros at random positions";
  let description = [{
    x * factor where the uniform random number is at least the limit, else 0.
    ```mlir
    %0 = tx.dropout %x, %u, %limit, %factor
        : (tensor<4xf32>, tensor<4xf32>, tensor<f32>, tensor<f32>) -> tensor<4xf32>
    ```
  }];
  let arguments = (ins Tx_FloatTensor:$x, Tx_FloatTensor:$uniform, Tx_FloatNumber:$limit, Tx_FloatNumber:$factor);
  let assemblyFormat = [{
    $x `,` $uniform `,` $limit `,` $factor attr-dict `:` functional-type(operands, $result)
  }];
  let shapeRule = "shape::inferSameAs(x, uniform)";
  let elementwiseOps = 3;
}

#endif // TENSORC_IR_LIBRARY_RANDOM_TD
