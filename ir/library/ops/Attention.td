//===- Attention.td - Scaled dot-product attention ------------------------===//
#ifndef TENSORC_IR_LIBRARY_ATTENTION_TD
#define TENSORC_IR_LIBRARY_ATTENTION_TD

include "ir/library/Composite.td"

def Tx_AttentionOp : Tx_Composite<"attention"> {
  let summary = "Scaled dot-product attention";
  let description = [{
    softmax(q k^T scale + mask) v over the last two dimensions. `groups` neighbours along q's dimension -3 share one of k
    and v. The mask broadcasts to the scores: i1 (true takes part), or added. `causal`: a query sees the keys up to its
    own place. A query that sees nothing gives 0. Scores of f16 and bf16 are f32, weights are rounded.
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
