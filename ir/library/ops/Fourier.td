//===- Fourier.td - Fourier transforms ------------------------------------===//
#ifndef TENSORC_IR_LIBRARY_OPS_FOURIER_TD
#define TENSORC_IR_LIBRARY_OPS_FOURIER_TD

include "ir/library/Composite.td"

def Tx_FftOp : Tx_Composite<"fft", [SameOperandsAndResultType]> {
  let summary = "Discrete Fourier transforms along the last dimension";
  let description = [{
    x[0, ...] has the real parts of complex numbers and x[1, ...] their imaginary parts. Element k is the sum of x[j]
    exp(-2 pi i j k / length), or exp(+...) if `inverse`; neither is scaled. f16 and bf16 are computed in f32. Any
    length is possible; lengths with a prime factor above 13 use a convolution (Bluestein's algorithm). A non-finite
    element affects all elements of its row.
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
    By default, complex numbers are transformed to complex numbers. With `real`, real numbers are transformed to a half
    spectrum, which has only the first length / 2 + 1 elements along the last of `dims`; the others are the conjugates
    of these. With `hermitian`, a half spectrum is transformed to real numbers. Element k along a dim is the sum of x[j]
    exp(-2 pi i j k / length), or exp(+...) if
    `inverse`. `lengths` are the sizes along `dims` before halving. The norm `backward` divides the inverse
    transform by the product of the lengths, `forward` the forward transform, and `ortho` both by the product's
    square root. Any length is possible. A non-finite element affects all elements of its row.
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
