//===- TxSpecial.td - Special functions -----------------------------------===//
//
// The functions are computed in f64 for all dtypes, and the result is rounded.
// docs/numerics.md gives the measured errors and describes where results lose
// accuracy.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_IR_TX_OPS_TXSPECIAL_TD
#define TENSORC_IR_TX_OPS_TXSPECIAL_TD

include "ir/tx/TxDialect.td"

class Tx_SpecialOp<string mnemonic, string function> : Tx_UnaryOp<mnemonic, Tx_FloatTensor, [Tx_Costly]> {
  let float = function;
}

//===----------------------------------------------------------------------===//
// Error functions and the normal distribution
//===----------------------------------------------------------------------===//

def Tx_ErfcOp : Tx_SpecialOp<"erfc", "erfcFloat"> {
  let summary = "Complementary error function";
  let description = [{
    1 - erf(x), also accurate where it is small.
    ```mlir
    %0 = tx.erfc %x : tensor<4xf32>
    ```
  }];
  let derivatives = ["-g * exp(-x * x) * 1.1283791670955126"];
}

def Tx_ErfcxOp : Tx_SpecialOp<"erfcx", "erfcxFloat"> {
  let summary = "Scaled complementary error function";
  let description = [{
    e^(x^2) erfc(x), by a Chebyshev series in (x - 3.75) / (x + 3.75) (Shepherd and Laframboise).
    ```mlir
    %0 = tx.erfcx %x : tensor<4xf32>
    ```
  }];
  let derivatives = ["g * (2 * x * result - 1.1283791670955126)"];
}

def Tx_ErfinvOp : Tx_SpecialOp<"erfinv", "erfinvFloat"> {
  let summary = "Inverse error function";
  let description = [{
    The y with erf(y) = x, by Wichura's AS 241; infinite at -1 and 1, NaN beyond.
    ```mlir
    %0 = tx.erfinv %x : tensor<4xf32>
    ```
  }];
  let derivatives = ["g * exp(result * result) * 0.886226925452758"];
}

def Tx_NdtrOp : Tx_SpecialOp<"ndtr", "ndtrFloat"> {
  let summary = "Normal distribution function";
  let description = [{
    erfc(-x / sqrt(2)) / 2: the probability of a value below x.
    ```mlir
    %0 = tx.ndtr %x : tensor<4xf32>
    ```
  }];
  let derivatives = ["g * exp(x * x * -0.5) * 0.3989422804014327"];
}

def Tx_LogNdtrOp : Tx_SpecialOp<"log_ndtr", "logNdtrFloat"> {
  let summary = "Logarithm of the normal distribution function";
  let description = [{
    ln(ndtr(x)), without underflow.
    ```mlir
    %0 = tx.log_ndtr %x : tensor<4xf32>
    ```
  }];
  let derivatives = ["select(x < 0, g * 0.7978845608028654 / erfcx(x * -0.7071067811865476), "
                     "g * exp(x * x * -0.5 - result) * 0.3989422804014327)"];
}

def Tx_NdtriOp : Tx_SpecialOp<"ndtri", "ndtriFloat"> {
  let summary = "Quantile of the normal distribution";
  let description = [{
    The y with ndtr(y) = x, by Wichura's AS 241; infinite at 0 and 1, NaN beyond.
    ```mlir
    %0 = tx.ndtri %x : tensor<4xf32>
    ```
  }];
  let derivatives = ["g * exp(result * result * 0.5) * 2.5066282746310002"];
}

//===----------------------------------------------------------------------===//
// Gamma functions
//===----------------------------------------------------------------------===//

def Tx_LgammaOp : Tx_SpecialOp<"lgamma", "lgammaFloat"> {
  let summary = "Logarithm of the gamma function's magnitude";
  let description = [{
    ln |gamma(x)|; inf at 0 and the negative integers. It is computed by Stirling's formula from 8 on, a Chebyshev
    series between 1 and 3, and reflection below 0.
    ```mlir
    %0 = tx.lgamma %x : tensor<4xf32>
    ```
  }];
  let derivatives = ["g * digamma(x)"];
}

def Tx_DigammaOp : Tx_SpecialOp<"digamma", "digammaFloat"> {
  let summary = "Derivative of lgamma";
  let description = [{
    The result is -inf at 0, inf at -0, and NaN at negative integers.
    ```mlir
    %0 = tx.digamma %x : tensor<4xf32>
    ```
  }];
  let derivatives = ["g * polygamma(1, x)"];
}

def Tx_PolygammaOp : Tx_BinaryOp<"polygamma", Tx_FloatTensor, [Tx_Costly]> {
  let summary = "Derivatives of digamma";
  let description = [{
    The n-th derivative of digamma at x, for n = 1, 2, ...: (-1)^(n + 1) n! zeta(n + 1, x), so inf or -inf at x = 0, -1, ...
    For other n the result is NaN.
    ```mlir
    %0 = tx.polygamma %n, %x : tensor<4xf32>
    ```
  }];
  let arguments = (ins Tx_FloatTensor:$n, Tx_FloatTensor:$x);
  let assemblyFormat = "$n `,` $x attr-dict `:` type($result)";
  let float = "polygammaFloat";
  let derivatives = ["no: stop_gradient(n) keeps n fixed", "g * polygamma(n + 1, x)"];
}

def Tx_ZetaOp : Tx_BinaryOp<"zeta", Tx_FloatTensor, [Tx_Costly]> {
  let summary = "Hurwitz zeta function";
  let description = [{
    The sum of 1 / (q + k)^s over k = 0, 1, ..., for s > 1, by the formula of Euler and Maclaurin. The result is inf for
    s = 1 and, if s >= 1, at q = 0, -1, ... For other q < 0 the powers are real only if s is an integer. Elsewhere the
    result is NaN.
    ```mlir
    %0 = tx.zeta %s, %q : tensor<4xf32>
    ```
  }];
  let arguments = (ins Tx_FloatTensor:$s, Tx_FloatTensor:$q);
  let assemblyFormat = "$s `,` $q attr-dict `:` type($result)";
  let float = "zetaFloat";
  let derivatives = ["no: stop_gradient(s) keeps s fixed", "-g * s * zeta(s + 1, q)"];
}

def Tx_GammaincOp : Tx_BinaryOp<"gammainc", Tx_FloatTensor, [Tx_Costly]> {
  let summary = "Regularized lower incomplete gamma function";
  let description = [{
    The integral of t^(a - 1) e^-t from 0 to x, divided by gamma(a). It is computed by a series, a continued fraction
    or, from a = 2000 on, Temme's uniform expansion (DLMF 8.7.1, 8.9.2, 8.12). The result is NaN for negative a or x.
    ```mlir
    %0 = tx.gammainc %a, %x : tensor<4xf32>
    ```
  }];
  let arguments = (ins Tx_FloatTensor:$a, Tx_FloatTensor:$x);
  let assemblyFormat = "$a `,` $x attr-dict `:` type($result)";
  let float = "gammaincFloat";
  let derivatives = ["g * gammainc_slope(a, x)", "g * exp(xlogy(a - 1, x) - x - lgamma(a))"];
}

def Tx_GammainccOp : Tx_BinaryOp<"gammaincc", Tx_FloatTensor, [Tx_Costly]> {
  let summary = "Regularized upper incomplete gamma function";
  let description = [{
    1 - gammainc(a, x), also accurate where it is small.
    ```mlir
    %0 = tx.gammaincc %a, %x : tensor<4xf32>
    ```
  }];
  let arguments = (ins Tx_FloatTensor:$a, Tx_FloatTensor:$x);
  let assemblyFormat = "$a `,` $x attr-dict `:` type($result)";
  let float = "gammainccFloat";
  let derivatives = ["-g * gammainc_slope(a, x)", "-g * exp(xlogy(a - 1, x) - x - lgamma(a))"];
}

def Tx_BetaincOp : Tx_TernaryOp<"betainc", Tx_FloatTensor, [Tx_Costly]> {
  let summary = "Regularized incomplete beta function";
  let description = [{
    The integral of t^(a - 1) (1 - t)^(b - 1) from 0 to x, divided by beta(a, b), computed by a continued fraction (DLMF
    8.17.22). The result is NaN for negative a or b, and for x outside of [0, 1].
    ```mlir
    %0 = tx.betainc %a, %b, %x : tensor<4xf32>
    ```
  }];
  let arguments = (ins Tx_FloatTensor:$a, Tx_FloatTensor:$b, Tx_FloatTensor:$x);
  let assemblyFormat = "$a `,` $b `,` $x attr-dict `:` type($result)";
  let float = "betaincFloat";
  let derivatives = ["g * betainc_slope(a, b, x)", "-g * betainc_slope(b, a, 1 - x)",
                     "g * exp(xlogy(a - 1, x) + xlog1py(b - 1, -x) + lgamma(a + b) - lgamma(a) - lgamma(b))"];
}

//===----------------------------------------------------------------------===//
// Modified Bessel functions of the first kind
//===----------------------------------------------------------------------===//

def Tx_BesselI0Op : Tx_SpecialOp<"bessel_i0", "besselI0Float"> {
  let summary = "Modified Bessel function of order 0";
  let description = [{
    A Chebyshev series in |x| for |x| <= 8, and one in 1 / |x| for larger ones.
    ```mlir
    %0 = tx.bessel_i0 %x : tensor<4xf32>
    ```
  }];
  let derivatives = ["g * bessel_i1(x)"];
}

def Tx_BesselI0eOp : Tx_SpecialOp<"bessel_i0e", "besselI0eFloat"> {
  let summary = "Scaled modified Bessel function of order 0";
  let description = [{
    e^-|x| bessel_i0(x).
    ```mlir
    %0 = tx.bessel_i0e %x : tensor<4xf32>
    ```
  }];
  let derivatives = ["g * (bessel_i1e(x) - sign(x) * result)"];
}

def Tx_BesselI1Op : Tx_SpecialOp<"bessel_i1", "besselI1Float"> {
  let summary = "Modified Bessel function of order 1";
  let description = [{
    A Chebyshev series in |x| for |x| <= 8, and one in 1 / |x| for larger ones.
    ```mlir
    %0 = tx.bessel_i1 %x : tensor<4xf32>
    ```
  }];
  let derivatives = ["g * (bessel_i0(x) - select(x == 0, 0.5, result / select(x == 0, 1, x)))"];
}

def Tx_BesselI1eOp : Tx_SpecialOp<"bessel_i1e", "besselI1eFloat"> {
  let summary = "Scaled modified Bessel function of order 1";
  let description = [{
    e^-|x| bessel_i1(x).
    ```mlir
    %0 = tx.bessel_i1e %x : tensor<4xf32>
    ```
  }];
  let derivatives = ["g * (bessel_i0e(x) - sign(x) * result - select(x == 0, 0.5, result / select(x == 0, 1, x)))"];
}

//===----------------------------------------------------------------------===//
// Functions of logarithms and sines that avoid cancellation
//===----------------------------------------------------------------------===//

def Tx_SincOp : Tx_SpecialOp<"sinc", "sincFloat"> {
  let summary = "Normalized sine over its argument";
  let description = [{
    sin(pi x) / (pi x), 1 at 0.
    ```mlir
    %0 = tx.sinc %x : tensor<4xf32>
    ```
  }];
  // Near 0 the quotient suffers from cancellation, so the series is used.
  // Second derivatives then do not divide by small numbers either.
  let derivatives = ["g * select(abs(x) < 0.05, x * (x * x * (3.246969701133414 - x * x * (1.144510944732505 - "
                     "x * x * 0.20918278254123832)) - 3.289868133696453), (cos(x * 3.141592653589793) - result) / select(abs(x) < 0.05, 1, x))"];
}

def Tx_XlogyOp : Tx_BinaryOp<"xlogy", Tx_FloatTensor, [Tx_Costly]> {
  let summary = "x ln y";
  let description = [{
    The result is 0 for x = 0, unless y is NaN.
    ```mlir
    %0 = tx.xlogy %x, %y : tensor<4xf32>
    ```
  }];
  let float = "xlogyFloat";
  let derivatives = ["g * log(y)", "g * x / y"];
}

def Tx_Xlog1pyOp : Tx_BinaryOp<"xlog1py", Tx_FloatTensor, [Tx_Costly]> {
  let summary = "x ln (1 + y)";
  let description = [{
    The result is accurate for small y. It is 0 for x = 0, unless y is NaN.
    ```mlir
    %0 = tx.xlog1py %x, %y : tensor<4xf32>
    ```
  }];
  let float = "xlog1pyFloat";
  let derivatives = ["g * log1p(y)", "g * x / (1 + y)"];
}

def Tx_Log1mexpOp : Tx_SpecialOp<"log1mexp", "log1mexpFloat"> {
  let summary = "Logarithm of one minus an exponential";
  let description = [{
    ln(1 - e^-x) for x > 0; -inf at 0, NaN below.
    ```mlir
    %0 = tx.log1mexp %x : tensor<4xf32>
    ```
  }];
  let derivatives = ["g / expm1(x)"];
}

def Tx_LogitOp : Tx_SpecialOp<"logit", "logitFloat"> {
  let summary = "Inverse of the logistic function";
  let description = [{
    ln(x / (1 - x)); infinite at 0 and 1, NaN beyond.
    ```mlir
    %0 = tx.logit %x : tensor<4xf32>
    ```
  }];
  let derivatives = ["g / (x * (1 - x))"];
}

def Tx_EntrOp : Tx_SpecialOp<"entr", "entrFloat"> {
  let summary = "Entropy of a probability";
  let description = [{
    -x ln x; 0 at 0, -inf below.
    ```mlir
    %0 = tx.entr %x : tensor<4xf32>
    ```
  }];
  let derivatives = ["-g * (log(x) + 1)"];
}

#endif // TENSORC_IR_TX_OPS_TXSPECIAL_TD
