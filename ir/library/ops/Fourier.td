//===- Fourier.td - Fourier transforms -------------------------------------===//
#ifndef TENSORC_IR_LIBRARY_OPS_FOURIER_TD
#define TENSORC_IR_LIBRARY_OPS_FOURIER_TD

include "ir/library/Composite.td"

def Tx_FftOp : Tx_Composite<"fft", [SameOperandsAndResultType]> {
  let summary = "Discrete Fourier transforms along the last dimension";
  let description = [{
    Of complex numbers, whose real parts are x[0, ...] and whose imaginary parts are x[1, ...]: element k is the sum of
    x[j] exp(-2 pi i j k / length), or exp(+...) if `inverse`; neither is scaled. Halves are computed in f32. Any length; one with a
    prime factor above 13 by a convolution (Bluestein). What is not finite spreads over its row.
    ```mlir
    %0 = tx.fft %x length = 8 inverse : tensor<2x3x8xf32>
    ```
  }];
  let arguments = (ins Tx_FloatTensor:$x, I64Attr:$length, UnitAttr:$inverse);
  let results = (outs Tx_FloatTensor:$result);
  let assemblyFormat = "$x `length` `=` $length (`inverse` $inverse^)? attr-dict `:` type($result)";
  let shapeRule = "shape::inferFft(x, a.length)";
}

#endif // TENSORC_IR_LIBRARY_OPS_FOURIER_TD
