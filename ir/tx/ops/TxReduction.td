//===- TxReduction.td - Reductions and contractions -----------------------===//
#ifndef TENSORC_IR_TX_OPS_TXREDUCTION_TD
#define TENSORC_IR_TX_OPS_TXREDUCTION_TD

include "ir/tx/ops/TxElementwise.td"

def Tx_Reduction : NativeOpTrait<"Reduction"> {
  let cppNamespace = "::tensorc::tx";
}

/// A reduction, which combines the elements along `dims`. The result does not
/// have these dims.
class Tx_ReductionOp<string mnemonic, Type type, Type resultType = type>
    : Tx_Op<mnemonic, [Pure, Tx_Reduction]> {
  let category = "reduction";
  let sharedAttributes = "Reduction";
  let shapeRule = "shape::inferReduction(x, a.dims, /*chooses=*/false)";
  let arguments = (ins type:$x, DenseI64ArrayAttr:$dims);
  let results = (outs resultType:$result);
  let assemblyFormat = "$x `dims` `=` $dims attr-dict `:` type($x) `->` type($result)";
  let hasVerifier = 1;
  let extraClassDefinition = [{
    ::llvm::LogicalResult $cppClass::verify() {
      return ::tensorc::tx::verifyReduction(getOperation(), }] #
      !if(!eq(!cast<string>(type), !cast<string>(resultType)), "true", "false") # [{);
    }
  }];
}

/// A reduction whose result is the index of one of the elements.
class Tx_ChoosingOp<string mnemonic, string element>
    : Tx_ReductionOp<mnemonic, Tx_ComputeTensor, Tx_IndexTensor> {
  let shapeRule = "shape::inferReduction(x, a.dims, /*chooses=*/true)";
  string neutral = element;
  let notDifferentiable = 1;
}

def Tx_SumOp : Tx_ReductionOp<"sum", Tx_NumberOrComplexTensor>, Tx_Combining<Tx_AddOp, "Zero"> {
  let summary = "Sum over dimensions";
  let description = [{
    The sum of no elements is 0. f16 and bf16 accumulate in f32.
    ```mlir
    %0 = tx.sum %x dims = [1] : tensor<2x3xf32> -> tensor<2xf32>
    ```
  }];
  let gradientRule = 1;
}

def Tx_ProdOp : Tx_ReductionOp<"prod", Tx_NumberOrComplexTensor>, Tx_Combining<Tx_MulOp, "One"> {
  let summary = "Product over dimensions";
  let description = [{
    The product of no elements is 1. f16 and bf16 accumulate in f32.
    ```mlir
    %0 = tx.prod %x dims = [1] : tensor<2x3xf32> -> tensor<2xf32>
    ```
  }];
  let gradientRule = 1;
}

def Tx_ReduceMaxOp : Tx_ReductionOp<"reduce_max", Tx_ComputeTensor>, Tx_Combining<Tx_MaxOp, "Lowest"> {
  let summary = "Largest element over dimensions";
  let description = [{
    The result is NaN if any element is NaN. For no elements it is the smallest value of the dtype (-inf for floats).
    ```mlir
    %0 = tx.reduce_max %x dims = [1] : tensor<2x3xf32> -> tensor<2xf32>
    ```
  }];
  let gradientRule = 1;
}

def Tx_ReduceMinOp : Tx_ReductionOp<"reduce_min", Tx_ComputeTensor>, Tx_Combining<Tx_MinOp, "Highest"> {
  let summary = "Smallest element over dimensions";
  let description = [{
    The result is NaN if any element is NaN. For no elements it is the largest value of the dtype (+inf for floats).
    ```mlir
    %0 = tx.reduce_min %x dims = [1] : tensor<2x3xf32> -> tensor<2xf32>
    ```
  }];
  let gradientRule = 1;
}

def Tx_AnyOp : Tx_ReductionOp<"any", Tx_BoolTensor>, Tx_Combining<Tx_OrOp, "Zero"> {
  let summary = "Whether any element is true";
  let description = [{
    The result is false if there are no elements.
    ```mlir
    %0 = tx.any %p dims = [0] : tensor<4xi1> -> tensor<i1>
    ```
  }];
  let notDifferentiable = 1;
}

def Tx_AllOp : Tx_ReductionOp<"all", Tx_BoolTensor>, Tx_Combining<Tx_AndOp, "One"> {
  let summary = "Whether all elements are true";
  let description = [{
    The result is true if there are no elements.
    ```mlir
    %0 = tx.all %p dims = [0] : tensor<4xi1> -> tensor<i1>
    ```
  }];
  let notDifferentiable = 1;
}

def Tx_CountNonzeroOp : Tx_ReductionOp<"count_nonzero", Tx_ComputeOrComplexTensor, Tx_I64Tensor>,
                        Tx_Combining<Tx_AddOp, "Zero"> {
  let summary = "Number of elements that are not 0";
  let description = [{
    The result is an i64. NaN counts as nonzero, -0 as zero.
    ```mlir
    %0 = tx.count_nonzero %x dims = [1] : tensor<2x3xf32> -> tensor<2xi64>
    ```
  }];
  let notDifferentiable = 1;
}

def Tx_ArgmaxOp : Tx_ChoosingOp<"argmax", "Lowest"> {
  let summary = "Index of the largest element";
  let description = [{
    The row-major index of the first largest element, as i32 or i64; several
    reduced dimensions count as one. The first NaN counts as the largest. A
    reduction over no elements is refused.
    ```mlir
    %0 = tx.argmax %x dims = [1] : tensor<2x3xf32> -> tensor<2xi64>
    ```
  }];
}

def Tx_ArgminOp : Tx_ChoosingOp<"argmin", "Highest"> {
  let summary = "Index of the smallest element";
  let description = [{
    The row-major index of the first smallest element, as i32 or i64; several
    reduced dimensions count as one. The first NaN counts as the smallest. A
    reduction over no elements is refused.
    ```mlir
    %0 = tx.argmin %x dims = [1] : tensor<2x3xf32> -> tensor<2xi64>
    ```
  }];
}

def Tx_DotGeneralOp : Tx_Op<"dot_general", [Pure]> {
  let category = "contraction";
  let summary = "Contraction of two tensors with batch dimensions";
  let description = [{
    The sum of x * y over the contracting dimensions. The result's dimensions are the
    batch dimensions, the remaining ones of x, and the remaining ones of y. Sums run over
    the contracting dimensions in row-major order with fused multiply-add; f16, bf16 and f8
    accumulate in f32. Operands have the same dtype, except that f8E4M3FN and f8E5M2 may be
    combined. The result has their dtype; it may be f32 for f16 and bf16, and is f32 for f8.
    ```mlir
    %0 = tx.dot_general %x, %y batch = [] x [] contracting = [1] x [0]
         : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
    ```
  }];
  let arguments = (ins Tx_FactorTensor:$x, Tx_FactorTensor:$y,
                       DenseI64ArrayAttr:$x_batch, DenseI64ArrayAttr:$y_batch,
                       DenseI64ArrayAttr:$x_contracting,
                       DenseI64ArrayAttr:$y_contracting);
  let results = (outs Tx_NumberOrComplexTensor:$result);
  let assemblyFormat = [{
    $x `,` $y `batch` `=` $x_batch `x` $y_batch
    `contracting` `=` $x_contracting `x` $y_contracting attr-dict
    `:` functional-type(operands, $result)
  }];
  let hasVerifier = 1;
  let shapeRule = "shape::inferDot(x, y, {a.xBatch, a.yBatch, a.xContracting, a.yContracting})";
  let gradientRule = 1;
}

#endif // TENSORC_IR_TX_OPS_TXREDUCTION_TD
