//===- TxMath.td - Transcendental functions -------------------------------===//
//
// Errors are within 2 ulp in f32; docs/numerics.md gives the measured errors.
// Special values follow C99 annex F. For complex numbers, special values and
// branch cuts follow annex G.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_IR_TX_OPS_TXMATH_TD
#define TENSORC_IR_TX_OPS_TXMATH_TD

include "ir/tx/TxDialect.td"

//===----------------------------------------------------------------------===//
// Powers, exponentials and logarithms
//===----------------------------------------------------------------------===//

def Tx_ExpOp : Tx_UnaryOp<"exp", Tx_FloatOrComplexTensor, [Tx_Costly]> {
  let summary = "Exponential";
  let description = [{
    e to the power x.
    ```mlir
    %0 = tx.exp %x : tensor<4xf32>
    ```
  }];
  let float = "math::ExpOp";
  let derivatives = ["g * result"];
}

def Tx_Exp2Op : Tx_UnaryOp<"exp2", Tx_FloatTensor, [Tx_Costly]> {
  let summary = "Power of two";
  let description = [{
    2 to the power x.
    ```mlir
    %0 = tx.exp2 %x : tensor<4xf32>
    ```
  }];
  let float = "math::Exp2Op";
  let derivatives = ["g * result * 0.6931471805599453"];
}

def Tx_Expm1Op : Tx_UnaryOp<"expm1", Tx_FloatOrComplexTensor, [Tx_Costly]> {
  let summary = "Exponential minus one";
  let description = [{
    e^x - 1, accurate near 0.
    ```mlir
    %0 = tx.expm1 %x : tensor<4xf32>
    ```
  }];
  let float = "math::ExpM1Op";
  let derivatives = ["g * (result + 1)"];
}

def Tx_LogOp : Tx_UnaryOp<"log", Tx_FloatOrComplexTensor, [Tx_Costly]> {
  let summary = "Natural logarithm";
  let description = [{
    ln x; -inf at zero, NaN below.
    ```mlir
    %0 = tx.log %x : tensor<4xf32>
    ```
  }];
  let float = "math::LogOp";
  let derivatives = ["g / x"];
}

def Tx_Log2Op : Tx_UnaryOp<"log2", Tx_FloatOrComplexTensor, [Tx_Costly]> {
  let summary = "Binary logarithm";
  let description = [{
    -inf at zero, NaN below.
    ```mlir
    %0 = tx.log2 %x : tensor<4xf32>
    ```
  }];
  let float = "math::Log2Op";
  let derivatives = ["g / (x * 0.6931471805599453)"];
}

def Tx_Log10Op : Tx_UnaryOp<"log10", Tx_FloatOrComplexTensor, [Tx_Costly]> {
  let summary = "Decimal logarithm";
  let description = [{
    -inf at zero, NaN below.
    ```mlir
    %0 = tx.log10 %x : tensor<4xf32>
    ```
  }];
  let float = "math::Log10Op";
  let derivatives = ["g / (x * 2.302585092994046)"];
}

def Tx_Log1pOp : Tx_UnaryOp<"log1p", Tx_FloatOrComplexTensor, [Tx_Costly]> {
  let summary = "Logarithm of one plus x";
  let description = [{
    ln(1 + x), accurate near 0; -inf at -1, NaN below.
    ```mlir
    %0 = tx.log1p %x : tensor<4xf32>
    ```
  }];
  let float = "math::Log1pOp";
  let derivatives = ["g / (1 + x)"];
}

def Tx_PowOp : Tx_BinaryOp<"pow", Tx_FloatOrComplexTensor, [Tx_Costly]> {
  let summary = "Power";
  let description = [{
    x to the power y, with the special cases of C99 `pow`.
    ```mlir
    %0 = tx.pow %x, %y : tensor<4xf32>
    ```
  }];
  let float = "math::PowFOp";
  let derivatives = ["select(y == 0, 0, g * y * pow(x, y - 1))",
                     "select(x == 0, 0, g * result * log(x))"];
}

def Tx_SqrtOp : Tx_UnaryOp<"sqrt", Tx_FloatOrComplexTensor> {
  let summary = "Square root";
  let description = [{
    The result is correctly rounded. It is NaN below zero, and sqrt(-0) is -0.
    ```mlir
    %0 = tx.sqrt %x : tensor<4xf32>
    ```
  }];
  let float = "math::SqrtOp";
  let derivatives = ["g / (2 * result)"];
}

def Tx_RsqrtOp : Tx_UnaryOp<"rsqrt", Tx_FloatOrComplexTensor> {
  let summary = "Reciprocal square root";
  let description = [{
    1 / sqrt(x).
    ```mlir
    %0 = tx.rsqrt %x : tensor<4xf32>
    ```
  }];
  let float = "math::RsqrtOp";
  let derivatives = ["g * result * result * result * -0.5"];
}

def Tx_CbrtOp : Tx_UnaryOp<"cbrt", Tx_FloatTensor, [Tx_Costly]> {
  let summary = "Cube root";
  let description = [{
    It is also defined for negative numbers.
    ```mlir
    %0 = tx.cbrt %x : tensor<4xf32>
    ```
  }];
  let float = "math::CbrtOp";
  let derivatives = ["g / (3 * result * result)"];
}

def Tx_HypotOp : Tx_BinaryOp<"hypot", Tx_FloatTensor, [Tx_Costly]> {
  let summary = "Length of a vector";
  let description = [{
    sqrt(x^2 + y^2) without intermediate overflow; inf if either is infinite.
    ```mlir
    %0 = tx.hypot %x, %y : tensor<4xf32>
    ```
  }];
  let float = "hypotFloat";
  // The gradient at the origin is 0, which is one of the subgradients.
  let derivatives = ["g * x / select(result == 0, 1, result)", "g * y / select(result == 0, 1, result)"];
}

def Tx_LogaddexpOp : Tx_BinaryOp<"logaddexp", Tx_FloatTensor, [Tx_Costly]> {
  let summary = "Logarithm of a sum of exponentials";
  let description = [{
    ln(e^x + e^y) without intermediate overflow.
    ```mlir
    %0 = tx.logaddexp %x, %y : tensor<4xf32>
    ```
  }];
  let float = "logAddExpFloat";
  // The factor is 1 for an infinite operand, because the difference between the
  // operand and the result would be NaN.
  let derivatives = ["g * exp(select(x == result, 0, x - result))",
                     "g * exp(select(y == result, 0, y - result))"];
}

//===----------------------------------------------------------------------===//
// Trigonometric functions, in radians
//===----------------------------------------------------------------------===//

def Tx_SinOp : Tx_UnaryOp<"sin", Tx_FloatOrComplexTensor, [Tx_Costly]> {
  let summary = "Sine";
  let description = [{
    The result is NaN for an infinite x.
    ```mlir
    %0 = tx.sin %x : tensor<4xf32>
    ```
  }];
  let float = "math::SinOp";
  let derivatives = ["g * cos(x)"];
}

def Tx_CosOp : Tx_UnaryOp<"cos", Tx_FloatOrComplexTensor, [Tx_Costly]> {
  let summary = "Cosine";
  let description = [{
    The result is NaN for an infinite x.
    ```mlir
    %0 = tx.cos %x : tensor<4xf32>
    ```
  }];
  let float = "math::CosOp";
  let derivatives = ["-g * sin(x)"];
}

def Tx_TanOp : Tx_UnaryOp<"tan", Tx_FloatOrComplexTensor, [Tx_Costly]> {
  let summary = "Tangent";
  let description = [{
    The result is NaN for an infinite x.
    ```mlir
    %0 = tx.tan %x : tensor<4xf32>
    ```
  }];
  let float = "math::TanOp";
  let derivatives = ["g * (1 + result * result)"];
}

def Tx_AsinOp : Tx_UnaryOp<"asin", Tx_FloatOrComplexTensor, [Tx_Costly]> {
  let summary = "Inverse sine";
  let description = [{
    From -pi/2 to pi/2; NaN outside of [-1, 1].
    ```mlir
    %0 = tx.asin %x : tensor<4xf32>
    ```
  }];
  let float = "math::AsinOp";
  let derivatives = ["g / sqrt(1 - x * x)"];
}

def Tx_AcosOp : Tx_UnaryOp<"acos", Tx_FloatOrComplexTensor, [Tx_Costly]> {
  let summary = "Inverse cosine";
  let description = [{
    From 0 to pi; NaN outside of [-1, 1].
    ```mlir
    %0 = tx.acos %x : tensor<4xf32>
    ```
  }];
  let float = "math::AcosOp";
  let derivatives = ["-g / sqrt(1 - x * x)"];
}

def Tx_AtanOp : Tx_UnaryOp<"atan", Tx_FloatOrComplexTensor, [Tx_Costly]> {
  let summary = "Inverse tangent";
  let description = [{
    From -pi/2 to pi/2.
    ```mlir
    %0 = tx.atan %x : tensor<4xf32>
    ```
  }];
  let float = "math::AtanOp";
  let derivatives = ["g / (1 + x * x)"];
}

def Tx_Atan2Op : Tx_BinaryOp<"atan2", Tx_FloatTensor, [Tx_Costly]> {
  let summary = "Angle of a point";
  let description = [{
    The angle of the point with abscissa y and ordinate x, from -pi to pi. The signs
    of both, also of zeros, select the quadrant.
    ```mlir
    %0 = tx.atan2 %x, %y : tensor<4xf32>
    ```
  }];
  let float = "math::Atan2Op";
  // The gradient is 0 at (0, 0), where the angle is not defined.
  let derivatives = ["g * y / select(x * x + y * y == 0, 1, x * x + y * y)",
                     "-g * x / select(x * x + y * y == 0, 1, x * x + y * y)"];
}

//===----------------------------------------------------------------------===//
// Hyperbolic functions, the logistic and the error function
//===----------------------------------------------------------------------===//

def Tx_SinhOp : Tx_UnaryOp<"sinh", Tx_FloatOrComplexTensor, [Tx_Costly]> {
  let summary = "Hyperbolic sine";
  let description = [{
    (e^x - e^-x) / 2.
    ```mlir
    %0 = tx.sinh %x : tensor<4xf32>
    ```
  }];
  let float = "math::SinhOp";
  let derivatives = ["g * cosh(x)"];
}

def Tx_CoshOp : Tx_UnaryOp<"cosh", Tx_FloatOrComplexTensor, [Tx_Costly]> {
  let summary = "Hyperbolic cosine";
  let description = [{
    (e^x + e^-x) / 2.
    ```mlir
    %0 = tx.cosh %x : tensor<4xf32>
    ```
  }];
  let float = "math::CoshOp";
  let derivatives = ["g * sinh(x)"];
}

def Tx_TanhOp : Tx_UnaryOp<"tanh", Tx_FloatOrComplexTensor, [Tx_Costly]> {
  let summary = "Hyperbolic tangent";
  let description = [{
    (e^x - e^-x) / (e^x + e^-x).
    ```mlir
    %0 = tx.tanh %x : tensor<4xf32>
    ```
  }];
  let float = "math::TanhOp";
  let derivatives = ["g * (1 - result * result)"];
}

def Tx_AsinhOp : Tx_UnaryOp<"asinh", Tx_FloatOrComplexTensor, [Tx_Costly]> {
  let summary = "Inverse hyperbolic sine";
  let description = [{
    ln(x + sqrt(x^2 + 1)).
    ```mlir
    %0 = tx.asinh %x : tensor<4xf32>
    ```
  }];
  let float = "math::AsinhOp";
  let derivatives = ["g / sqrt(x * x + 1)"];
}

def Tx_AcoshOp : Tx_UnaryOp<"acosh", Tx_FloatOrComplexTensor, [Tx_Costly]> {
  let summary = "Inverse hyperbolic cosine";
  let description = [{
    ln(x + sqrt(x^2 - 1)); NaN below 1.
    ```mlir
    %0 = tx.acosh %x : tensor<4xf32>
    ```
  }];
  let float = "math::AcoshOp";
  let derivatives = ["g / sqrt(x * x - 1)"];
}

def Tx_AtanhOp : Tx_UnaryOp<"atanh", Tx_FloatOrComplexTensor, [Tx_Costly]> {
  let summary = "Inverse hyperbolic tangent";
  let description = [{
    ln((1 + x) / (1 - x)) / 2; infinite at -1 and 1, NaN beyond.
    ```mlir
    %0 = tx.atanh %x : tensor<4xf32>
    ```
  }];
  let float = "math::AtanhOp";
  let derivatives = ["g / (1 - x * x)"];
}

def Tx_SigmoidOp : Tx_UnaryOp<"sigmoid", Tx_FloatTensor, [Tx_Costly]> {
  let summary = "Logistic function";
  let description = [{
    1 / (1 + e^-x), also accurate where it is small.
    ```mlir
    %0 = tx.sigmoid %x : tensor<4xf32>
    ```
  }];
  let float = "sigmoidFloat";
  let derivatives = ["g * result * (1 - result)"];
}

def Tx_ErfOp : Tx_UnaryOp<"erf", Tx_FloatTensor, [Tx_Costly]> {
  let summary = "Error function";
  let description = [{
    2/sqrt(pi) times the integral of e^(-t^2) from 0 to x.
    ```mlir
    %0 = tx.erf %x : tensor<4xf32>
    ```
  }];
  let float = "math::ErfOp";
  let derivatives = ["g * exp(-x * x) * 1.1283791670955126"];
}

#endif // TENSORC_IR_TX_OPS_TXMATH_TD
