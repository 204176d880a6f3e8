//===- TxControl.td - Ops that choose what is computed --------------------===//
#ifndef TENSORC_IR_TX_OPS_TXCONTROL_TD
#define TENSORC_IR_TX_OPS_TXCONTROL_TD

include "ir/tx/ops/TxStructure.td"

def Tx_IfOp : Tx_StructureOp<"if", [
    Pure, IsolatedFromAbove, SingleBlock]> {
  let summary = "One of two blocks, chosen by a value";
  let description = [{
    `predicate` has one element. Both blocks take `inputs`, which are all that
    they read from outside, and return the results. Only the chosen one runs.
    ```mlir
    %0 = tx.if %p (%x) : tensor<i1>, (tensor<4xf32>) -> tensor<4xf32> {
    ^bb0(%a: tensor<4xf32>):
      %r = tx.exp %a : tensor<4xf32>
      tx.return %r : tensor<4xf32>
    } else {
    ^bb0(%a: tensor<4xf32>):
      tx.return %a : tensor<4xf32>
    }
    ```
  }];
  let arguments = (ins Tx_BoolTensor:$predicate, Variadic<AnyType>:$inputs);
  let results = (outs Variadic<Tx_Tensor>:$outputs);
  let regions = (region SizedRegion<1>:$thenBody, SizedRegion<1>:$elseBody);
  let assemblyFormat = [{
    $predicate `(` $inputs `)` attr-dict
    `:` type($predicate) `,` functional-type($inputs, $outputs)
    custom<IsolatedBody>($thenBody) `else` custom<IsolatedBody>($elseBody)
  }];
  let hasVerifier = 1;
  let notDifferentiable = 0;
  let gradientRule = 1;
}

def Tx_ReturnOp : Tx_StructureOp<"return", [
    Pure, Terminator, ReturnLike, HasParent<"IfOp">]> {
  let summary = "Results of a block of tx.if";
  let arguments = (ins Variadic<Tx_Tensor>:$values);
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
}

#endif // TENSORC_IR_TX_OPS_TXCONTROL_TD
