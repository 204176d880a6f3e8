//===- TxSize.td - Sizes as values ----------------------------------------===//
#ifndef TENSORC_IR_TX_OPS_TXSIZE_TD
#define TENSORC_IR_TX_OPS_TXSIZE_TD

include "ir/tx/TxAttributes.td"

def Tx_SizeOp : Tx_Op<"size", [Pure]> {
  let category = "shape";
  let summary = "A size as a number";
  let description = [{
    `size` is an expression over named sizes. Its value is converted to the dtype and may be rounded to nearest.
    ```mlir
    %0 = tx.exp %x : tensor<?x64xf32, #tx.dims<[n, 64]>>
    %1 = tx.size <[n * 64]> : tensor<f32>
    ```
  }];
  let arguments = (ins Tx_DimsAttr:$size);
  let results = (outs Tx_NumberTensor:$result);
  let assemblyFormat = "$size attr-dict `:` type($result)";
  let hasFolder = 1;
  let hasVerifier = 1;
  let notDifferentiable = 1;
  let inApi = 0;
}

#endif // TENSORC_IR_TX_OPS_TXSIZE_TD
