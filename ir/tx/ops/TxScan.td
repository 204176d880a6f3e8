//===- TxScan.td - Scans and sorts along one dimension --------------------===//
#ifndef TENSORC_IR_TX_OPS_TXSCAN_TD
#define TENSORC_IR_TX_OPS_TXSCAN_TD

include "ir/tx/ops/TxMath.td"

def Tx_Scan : NativeOpTrait<"Scan"> {
  let cppNamespace = "::tensorc::tx";
}

/// A scan, which combines the elements up to each position along `dim`.
class Tx_ScanOp<string mnemonic, Type type>
    : Tx_ShapedOp<mnemonic, [Pure, SameOperandsAndResultType, Tx_Scan]> {
  let category = "scan";
  let sharedAttributes = "Scan";
  let shapeRule = "shape::inferAlong(x, a.dim)";
  let arguments = (ins type:$x, I64Attr:$dim, UnitAttr:$reverse, UnitAttr:$exclusive);
  let results = (outs type:$result);
  let assemblyFormat = [{
    $x `dim` `=` $dim (`reverse` $reverse^)? (`exclusive` $exclusive^)? attr-dict `:` type($result)
  }];
}

def Tx_CumsumOp : Tx_ScanOp<"cumsum", Tx_NumberOrComplexTensor>, Tx_Combining<Tx_AddOp, "Zero"> {
  let summary = "Cumulative sums along a dimension";
  let description = [{
    With `reverse`, the scan begins at the end. With `exclusive`, each sum excludes the element at its position,
    so the first is 0. f16 and bf16 accumulate in f32, integers wrap.
    ```mlir
    %0 = tx.cumsum %x dim = 1 : tensor<2x3xf32>
    ```
  }];
  let gradientRule = 1;
}

def Tx_CumprodOp : Tx_ScanOp<"cumprod", Tx_NumberOrComplexTensor>, Tx_Combining<Tx_MulOp, "One"> {
  let summary = "Cumulative products along a dimension";
  let description = [{
    With `reverse`, the scan begins at the end. With `exclusive`, each product excludes the element at its
    position, so the first is 1. f16 and bf16 accumulate in f32, integers wrap.
    ```mlir
    %0 = tx.cumprod %x dim = 0 reverse : tensor<2x3xf32>
    ```
  }];
  let gradientRule = 1;
}

def Tx_CummaxOp : Tx_ScanOp<"cummax", Tx_ComputeTensor>, Tx_Combining<Tx_MaxOp, "Lowest"> {
  let summary = "Cumulative maxima along a dimension";
  let description = [{
    From the first NaN on, the results are NaN. With `reverse`, the scan begins at the end. With `exclusive`, each
    maximum excludes the element at its position, so the first is the smallest value of the dtype (-inf for floats).
    ```mlir
    %0 = tx.cummax %x dim = 1 exclusive : tensor<2x3xf32>
    ```
  }];
  let gradientRule = 1;
}

def Tx_CumminOp : Tx_ScanOp<"cummin", Tx_ComputeTensor>, Tx_Combining<Tx_MinOp, "Highest"> {
  let summary = "Cumulative minima along a dimension";
  let description = [{
    From the first NaN on, the results are NaN. With `reverse`, the scan begins at the end. With `exclusive`, each
    minimum excludes the element at its position, so the first is the largest value of the dtype (+inf for floats).
    ```mlir
    %0 = tx.cummin %x dim = 1 reverse exclusive : tensor<2x3xf32>
    ```
  }];
  let gradientRule = 1;
}

def Tx_LogcumsumexpOp : Tx_ScanOp<"logcumsumexp", Tx_FloatTensor>, Tx_Combining<Tx_LogaddexpOp, "Lowest"> {
  let summary = "Cumulative logarithms of sums of exponentials along a dimension";
  let description = [{
    Intermediate results do not overflow. With `reverse`, the scan begins at the end. With `exclusive`, each sum
    excludes the element at its position, so the first result is -inf. f16 and bf16 accumulate in f32.
    ```mlir
    %0 = tx.logcumsumexp %x dim = 1 : tensor<2x3xf32>
    ```
  }];
  let gradientRule = 1;
}

//===----------------------------------------------------------------------===//
// Sorting
//===----------------------------------------------------------------------===//

def Tx_Sort : NativeOpTrait<"Sort"> {
  let cppNamespace = "::tensorc::tx";
}

class Tx_SortingOp<string mnemonic, list<Trait> traits>
    : Tx_ShapedOp<mnemonic, !listconcat([Pure, Tx_Sort], traits)> {
  let category = "scan";
  let sharedAttributes = "Sort";
  let shapeRule = "shape::inferAlong(x, a.dim)";
  let arguments = (ins Tx_ComputeTensor:$x, I64Attr:$dim, UnitAttr:$descending);
}

def Tx_SortOp : Tx_SortingOp<"sort", [SameOperandsAndResultType]> {
  let summary = "Elements in order along a dimension";
  let description = [{
    The sort is stable. NaN is above all numbers, so it comes last, or first if `descending`; -0 equals 0. A sort
    and an argsort of the same tensor become one kernel.
    ```mlir
    %0 = tx.sort %x dim = 1 descending : tensor<2x3xf32>
    ```
  }];
  let results = (outs Tx_ComputeTensor:$result);
  let assemblyFormat = "$x `dim` `=` $dim (`descending` $descending^)? attr-dict `:` type($result)";
  let gradientRule = 1;
}

def Tx_ArgsortOp : Tx_SortingOp<"argsort", [InferTypeOpAdaptor]> {
  let summary = "Indices that sort the elements along a dimension";
  let description = [{
    The indices along the dimension, as i64, of the elements in the order of tx.sort; equal elements keep their
    order.
    ```mlir
    %0 = tx.argsort %x dim = 1 : tensor<2x3xf32>
    ```
  }];
  let results = (outs Tx_I64Tensor:$result);
  let assemblyFormat = "$x `dim` `=` $dim (`descending` $descending^)? attr-dict `:` type($x)";
  let notDifferentiable = 1;
  let extraClassDefinition = [{
    ::llvm::LogicalResult $cppClass::verify() {
      return ::tensorc::tx::verifyShape(getOperation());
    }
    ::llvm::LogicalResult $cppClass::inferReturnTypes(
        ::mlir::MLIRContext *context, ::std::optional<::mlir::Location>,
        Adaptor adaptor, ::llvm::SmallVectorImpl<::mlir::Type> &types) {
      types.push_back(::tensorc::tx::withElementType(
          adaptor.getX().getType(), ::mlir::IntegerType::get(context, 64)));
      return ::mlir::success();
    }
  }];
}

#endif // TENSORC_IR_TX_OPS_TXSCAN_TD
