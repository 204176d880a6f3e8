//===- Losses.td - Cross entropy ------------------------------------------===//
#ifndef TENSORC_IR_LIBRARY_LOSSES_TD
#define TENSORC_IR_LIBRARY_LOSSES_TD

include "ir/library/Composite.td"

def Tx_CrossEntropyOp : Tx_Composite<"cross_entropy", [AttrSizedOperandSegments]> {
  let summary = "Loss of classifiers";
  let description = [{
    Minus the logarithm of the probability that the logits assign to each label. Classes are along dimension 1, or
    dimension 0 of a vector. Labels equal to `ignore_index` are excluded. Any other label that is not a class yields
    NaN. `weight` has a factor per class. A fraction `smoothing` of the loss is spread evenly over all classes. `mean`
    divides the sum by the sum of the weights.
    ```mlir
    %0 = tx.cross_entropy %x, %labels, %ignore mean : (tensor<4x3xf32>, tensor<4xi64>, tensor<i64>) -> tensor<f32>
    ```
  }];
  let arguments = (ins Tx_FloatTensor:$logits, Tx_IntTensor:$labels, Tx_IntNumber:$ignore_index,
                       Optional<Tx_FloatTensor>:$weight, Optional<Tx_FloatNumber>:$smoothing,
                       Tx_LossReduction:$reduction);
  let assemblyFormat = [{
    $logits `,` $labels `,` $ignore_index (`weight` $weight^)? (`smoothing` $smoothing^)? $reduction attr-dict
    `:` functional-type(operands, $result)
  }];
  let shapeRule = "shape::inferCrossEntropy(logits, labels, weight, a.reduction != LossReduction::None)";
}

#endif // TENSORC_IR_LIBRARY_LOSSES_TD
