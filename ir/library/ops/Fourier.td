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

def Tx_FourierOp : Tx_Composite<"fourier"> {
  let summary = "Discrete Fourier transforms along dimensions";
  let description = [{
    Of complex numbers; `real`: of real numbers, of whose results along the last of `dims` only the first length / 2 + 1 are
    kept, which the others mirror; `hermitian`: of such a half, to real numbers. Element k along a dim is the sum of
    x[j] exp(-2 pi i j k / length), or exp(+...) if `inverse`. `lengths` are those along `dims` of what is not halved. The norm
    `backward` divides the inverse by their product, `forward` the other direction, `ortho` each by the product's square
    root. Any length. What is not finite spreads over its row.
    ```mlir
    %0 = tx.fourier %x real lengths = [8] dims = [1] norm = backward : tensor<3x8xf32> -> tensor<3x5xcomplex<f32>>
    ```
  }];
  let arguments = (ins Tx_FloatOrComplexTensor:$x, Tx_FourierKind:$kind, UnitAttr:$inverse, DenseI64ArrayAttr:$lengths,
                       DenseI64ArrayAttr:$dims, Tx_FourierNorm:$norm);
  let results = (outs Tx_FloatOrComplexTensor:$result);
  let assemblyFormat = [{
    $x $kind (`inverse` $inverse^)? `lengths` `=` $lengths `dims` `=` $dims `norm` `=` $norm attr-dict
    `:` type($x) `->` type($result)
  }];
  let sameDType = 0;
  let shapeRule = [{shape::inferFourier(x, a.lengths, a.dims, a.kind == FourierKind::Real, a.kind == FourierKind::Hermitian)}];
  let extraVerification = "verifyFourier(*this)";
}

#endif // TENSORC_IR_LIBRARY_OPS_FOURIER_TD
