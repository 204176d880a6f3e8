//===- Quantization.td - Quantization to narrow integers ------------------===//
#ifndef TENSORC_IR_LIBRARY_QUANTIZATION_TD
#define TENSORC_IR_LIBRARY_QUANTIZATION_TD

include "ir/library/Composite.td"

defvar Tx_Quantized = [I8, UI8, I16, UI16, I32, I<4>, UI<4>, F8E4M3FN, F8E5M2];
def Tx_QuantizedTensor : Type<RankedTensorOf<Tx_Quantized>.predicate,
                              "ranked tensor of i4, ui4, i8, ui8, i16, ui16, i32 or f8", "::mlir::RankedTensorType">;

def Tx_QuantizeOp : Tx_Composite<"quantize"> {
  let summary = "Quantization: floats to narrow numbers, with a scale";
  let description = [{
    x / scale, rounded to nearest even, plus the zero point, saturated. The scale is of rank 0, or of x's rank with dims
    that divide those of x: a dim of 1 means one scale along the whole dim, x's own size one scale per element, and
    another size one scale per group of neighbours. The zero point has the scale's shape and the result's dtype; its
    default is 0. f8 has no zero point and saturates to its largest finite value.
    ```mlir
    %0 = tx.quantize %x, %scale zero_point %z : (tensor<4x8xf32>, tensor<1x2xf32>, tensor<1x2xi8>) -> tensor<4x8xi8>
    ```
  }];
  let arguments = (ins Tx_FloatTensor:$x, Tx_FloatTensor:$scale, Optional<Tx_QuantizedTensor>:$zero_point);
  let results = (outs Tx_QuantizedTensor:$result);
  let assemblyFormat = "$x `,` $scale (`zero_point` $zero_point^)? attr-dict `:` functional-type(operands, $result)";
  let shapeRule = "shape::inferScaled(x, scale, zeroPoint)";
  let sameDType = 0;
  let elementwiseOps = 6;
}

def Tx_DequantizeOp : Tx_Composite<"dequantize"> {
  let summary = "Dequantization: floats from narrow numbers and a scale";
  let description = [{
    (x - zero_point) * scale, in the scale's dtype; the difference is exact. Shapes are as for tx.quantize.
    ```mlir
    %0 = tx.dequantize %x, %scale zero_point %z : (tensor<4x8xi8>, tensor<4x1xf32>, tensor<4x1xi8>) -> tensor<4x8xf32>
    ```
  }];
  let arguments = (ins Tx_QuantizedTensor:$x, Tx_FloatTensor:$scale, Optional<Tx_QuantizedTensor>:$zero_point);
  let results = (outs Tx_FloatTensor:$result);
  let assemblyFormat = "$x `,` $scale (`zero_point` $zero_point^)? attr-dict `:` functional-type(operands, $result)";
  let shapeRule = "shape::inferScaled(x, scale, zeroPoint)";
  let sameDType = 0;
  let elementwiseOps = 3;
}

#endif // TENSORC_IR_LIBRARY_QUANTIZATION_TD
