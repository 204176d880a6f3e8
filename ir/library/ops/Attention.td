//===- Attention.td - Scaled dot-product attention ------------------------===//
#ifndef TENSORC_IR_LIBRARY_ATTENTION_TD
#define TENSORC_IR_LIBRARY_ATTENTION_TD

include "ir/library/Composite.td"

def Tx_AttentionOp : Tx_Composite<"attention"> {
  let summary = "Scaled dot-product attention";
  let description = [{
    softmax(q k^T scale + mask) v over the last two dimensions. Each key and value head is shared by `groups` adjacent
    query heads (dimension -3). The mask broadcasts to the scores: an i1 mask is true for keys that take part, other
    masks are added. With `causal`, a query attends only to keys up to its own position. A query that attends to no key
    yields 0. For f16 and bf16 the scores are f32, and the weights are rounded.
    ```mlir
    %0 = tx.attention %q, %k, %v, %scale groups = 1 causal
        : (tensor<2x3x4xf32>, tensor<2x5x4xf32>, tensor<2x5x4xf32>, tensor<f32>) -> tensor<2x3x4xf32>
    ```
  }];
  let arguments = (ins Tx_FloatTensor:$q, Tx_FloatTensor:$k, Tx_FloatTensor:$v, Tx_FloatNumber:$scale,
                       Optional<Tx_ComputeTensor>:$mask, I64Attr:$groups, UnitAttr:$causal);
  let assemblyFormat = [{
    $q `,` $k `,` $v `,` $scale (`mask` $mask^)? `groups` `=` $groups (`causal` $causal^)? attr-dict
    `:` functional-type(operands, $result)
  }];
  let extraVerification = "verifyAttention(*this)";
  let shapeRule = "shape::inferAttention(q, k, v, mask, a.groups)";
}

#endif // TENSORC_IR_LIBRARY_ATTENTION_TD
