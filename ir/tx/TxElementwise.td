//===- TxElementwise.td - Element-wise ops --------------------------------===//
#ifndef TENSORC_IR_TX_TXELEMENTWISE_TD
#define TENSORC_IR_TX_TXELEMENTWISE_TD

include "ir/tx/TxDialect.td"

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

def Tx_AddOp : Tx_BinaryOp<"add"> {
  let summary = "Sum of two tensors";
  let description = [{
    x + y, rounded to the dtype; integers wrap around.
    ```mlir
    %0 = tx.add %x, %y : tensor<4xf32>
    ```
  }];
  let float = "arith::AddFOp";
  let signed = "arith::AddIOp";
  let unsigned = "arith::AddIOp";
  let derivatives = ["g", "g"];
  let hasFolder = 1;
}

def Tx_SubOp : Tx_BinaryOp<"sub"> {
  let summary = "Difference of two tensors";
  let description = [{
    x - y, rounded to the dtype; integers wrap around.
    ```mlir
    %0 = tx.sub %x, %y : tensor<4xf32>
    ```
  }];
  let float = "arith::SubFOp";
  let signed = "arith::SubIOp";
  let unsigned = "arith::SubIOp";
  let derivatives = ["g", "-g"];
  let hasFolder = 1;
}

def Tx_MulOp : Tx_BinaryOp<"mul"> {
  let summary = "Product of two tensors";
  let description = [{
    x * y, rounded to the dtype; integers wrap around.
    ```mlir
    %0 = tx.mul %x, %y : tensor<4xf32>
    ```
  }];
  let float = "arith::MulFOp";
  let signed = "arith::MulIOp";
  let unsigned = "arith::MulIOp";
  let derivatives = ["g * y", "g * x"];
  let hasFolder = 1;
}

def Tx_DivOp : Tx_BinaryOp<"div"> {
  let summary = "Quotient of two tensors";
  let description = [{
    x / y. Floats as IEEE 754; integers truncate toward zero, with the defined
    results of docs/numerics.md for a zero divisor and for the overflow of the
    smallest value by -1.
    ```mlir
    %0 = tx.div %x, %y : tensor<4xf32>
    ```
  }];
  let float = "arith::DivFOp";
  let signed = "safeDivSigned";
  let unsigned = "safeDivUnsigned";
  let derivatives = ["g / y", "-g * result / y"];
  let hasFolder = 1;
}

def Tx_PowOp : Tx_BinaryOp<"pow", Tx_FloatTensor> {
  let summary = "Power";
  let description = [{
    x to the power y, with the special cases of C99 `pow`.
    ```mlir
    %0 = tx.pow %x, %y : tensor<4xf32>
    ```
  }];
  let float = "math::PowFOp";
  let derivatives = ["g * y * pow(x, y - 1)",
                     "select(x == 0, 0, g * result * log(x))"];
}

def Tx_MaxOp : Tx_BinaryOp<"max", Tx_Tensor> {
  let summary = "Larger of two elements";
  let description = [{
    NaN if either element is NaN; max(-0, +0) is +0. On i1: or.
    ```mlir
    %0 = tx.max %x, %y : tensor<4xf32>
    ```
  }];
  let float = "arith::MaximumFOp";
  let signed = "arith::MaxSIOp";
  let unsigned = "arith::MaxUIOp";
  let bool = "arith::OrIOp";
  let derivatives = ["select(x >= y, g, 0)", "select(x >= y, 0, g)"];
}

def Tx_MinOp : Tx_BinaryOp<"min", Tx_Tensor> {
  let summary = "Smaller of two elements";
  let description = [{
    NaN if either element is NaN; min(-0, +0) is -0. On i1: and.
    ```mlir
    %0 = tx.min %x, %y : tensor<4xf32>
    ```
  }];
  let float = "arith::MinimumFOp";
  let signed = "arith::MinSIOp";
  let unsigned = "arith::MinUIOp";
  let bool = "arith::AndIOp";
  let derivatives = ["select(x <= y, g, 0)", "select(x <= y, 0, g)"];
}

def Tx_NegOp : Tx_UnaryOp<"neg"> {
  let summary = "Negation";
  let description = [{
    -x; flips the sign bit of floats, wraps for integers.
    ```mlir
    %0 = tx.neg %x : tensor<4xf32>
    ```
  }];
  let float = "arith::NegFOp";
  let signed = "negateInteger";
  let unsigned = "negateInteger";
  let derivatives = ["-g"];
  let hasFolder = 1;
}

def Tx_AbsOp : Tx_UnaryOp<"abs"> {
  let summary = "Absolute value";
  let description = [{
    Clears the sign bit of floats; the smallest integer stays as it is.
    ```mlir
    %0 = tx.abs %x : tensor<4xf32>
    ```
  }];
  let float = "math::AbsFOp";
  let signed = "math::AbsIOp";
  let unsigned = "identity";
  let derivatives = ["select(x < 0, -g, g)"];
}

def Tx_FloorOp : Tx_UnaryOp<"floor", Tx_FloatTensor> {
  let summary = "Round down";
  let description = [{
    The largest integer that is not above x; keeps -0, inf and NaN.
    ```mlir
    %0 = tx.floor %x : tensor<4xf32>
    ```
  }];
  let float = "math::FloorOp";
  // Constant between its steps.
  let derivatives = [""];
}

def Tx_CeilOp : Tx_UnaryOp<"ceil", Tx_FloatTensor> {
  let summary = "Round up";
  let description = [{
    The smallest integer that is not below x; -0 for -1 < x < 0; keeps inf and NaN.
    ```mlir
    %0 = tx.ceil %x : tensor<4xf32>
    ```
  }];
  let float = "math::CeilOp";
  // Constant between its steps.
  let derivatives = [""];
}

//===----------------------------------------------------------------------===//
// Transcendental functions, within 2 ulp in f32
//===----------------------------------------------------------------------===//

def Tx_ExpOp : Tx_UnaryOp<"exp", Tx_FloatTensor> {
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

def Tx_LogOp : Tx_UnaryOp<"log", Tx_FloatTensor> {
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

def Tx_TanhOp : Tx_UnaryOp<"tanh", Tx_FloatTensor> {
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

def Tx_SqrtOp : Tx_UnaryOp<"sqrt", Tx_FloatTensor> {
  let summary = "Square root";
  let description = [{
    Correctly rounded; NaN below zero, sqrt(-0) is -0.
    ```mlir
    %0 = tx.sqrt %x : tensor<4xf32>
    ```
  }];
  let float = "math::SqrtOp";
  let derivatives = ["g / (2 * result)"];
}

def Tx_RsqrtOp : Tx_UnaryOp<"rsqrt", Tx_FloatTensor> {
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

def Tx_ErfOp : Tx_UnaryOp<"erf", Tx_FloatTensor> {
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

//===----------------------------------------------------------------------===//
// Comparison and selection
//===----------------------------------------------------------------------===//

class Tx_OrderOp<string mnemonic, string op, string symbol>
    : Tx_CompareOp<mnemonic> {
  let summary = "Whether x " # symbol # " y";
  let description = [{Element-wise comparison; floats as IEEE 754: every comparison with NaN is
    false, but `ne` is true.
    ```mlir
    %0 = tx.}] # mnemonic # [{ %x, %y : tensor<4xf32>
    ```
  }];
  let float = "compareFloat<arith::CmpFPredicate::"
      # !if(!eq(op, "ne"), "U", "O") # !toupper(op) # ">";
  let signed = "compareInteger<arith::CmpIPredicate::"
      # !if(!or(!eq(op, "eq"), !eq(op, "ne")), op, "s" # op) # ">";
  let unsigned = "compareInteger<arith::CmpIPredicate::"
      # !if(!or(!eq(op, "eq"), !eq(op, "ne")), op, "u" # op) # ">";
  let bool = "compareInteger<arith::CmpIPredicate::"
      # !if(!or(!eq(op, "eq"), !eq(op, "ne")), op, "u" # op) # ">";
}

def Tx_EqOp : Tx_OrderOp<"eq", "eq", "==">;
def Tx_NeOp : Tx_OrderOp<"ne", "ne", "!=">;
def Tx_LtOp : Tx_OrderOp<"lt", "lt", "<">;
def Tx_LeOp : Tx_OrderOp<"le", "le", "<=">;
def Tx_GtOp : Tx_OrderOp<"gt", "gt", ">">;
def Tx_GeOp : Tx_OrderOp<"ge", "ge", ">=">;

def Tx_SelectOp : Tx_ElementwiseOp<"select", [
    AllTypesMatch<["x", "y", "result"]>]> {
  let summary = "Choice by a condition";
  let description = [{
    x where the predicate is true, y elsewhere.
    ```mlir
    %0 = tx.select %p, %x, %y : tensor<4xi1>, tensor<4xf32>
    ```
  }];
  let arguments = (ins Tx_BoolTensor:$pred, Tx_Tensor:$x, Tx_Tensor:$y);
  let results = (outs Tx_Tensor:$result);
  let assemblyFormat = "$pred `,` $x `,` $y attr-dict `:` type($pred) `,` type($result)";
  let float = "arith::SelectOp";
  let signed = "arith::SelectOp";
  let unsigned = "arith::SelectOp";
  let bool = "arith::SelectOp";
  let derivatives = ["", "select(pred, g, 0)", "select(pred, 0, g)"];
  let hasFolder = 1;
}

def Tx_ConvertOp : Tx_ElementwiseOp<"convert"> {
  let summary = "Change of dtype";
  let description = [{
    Floats round to nearest even; float to integer truncates, saturates, and
    sends NaN to 0; integers wrap; to i1: whether different from zero.
    ```mlir
    %0 = tx.convert %x : tensor<4xf32> -> tensor<4xi32>
    ```
  }];
  let arguments = (ins Tx_Tensor:$x);
  let results = (outs Tx_Tensor:$result);
  let assemblyFormat = "$x attr-dict `:` type($x) `->` type($result)";
  let float = "convertElement";
  let signed = "convertElement";
  let unsigned = "convertElement";
  let bool = "convertElement";
  let derivatives = ["convert(g, dtype(x))"];
  let hasFolder = 1;
}

//===----------------------------------------------------------------------===//
// Logic, bitwise on integers
//===----------------------------------------------------------------------===//

def Tx_AndOp : Tx_BinaryOp<"and", Tx_BitsTensor> {
  let summary = "And, bitwise on integers";
  let description = [{
    ```mlir
    %0 = tx.and %p, %q : tensor<4xi1>
    ```
  }];
  let signed = "arith::AndIOp";
  let unsigned = "arith::AndIOp";
  let bool = "arith::AndIOp";
  let notDifferentiable = 1;
}

def Tx_OrOp : Tx_BinaryOp<"or", Tx_BitsTensor> {
  let summary = "Or, bitwise on integers";
  let description = [{
    ```mlir
    %0 = tx.or %p, %q : tensor<4xi1>
    ```
  }];
  let signed = "arith::OrIOp";
  let unsigned = "arith::OrIOp";
  let bool = "arith::OrIOp";
  let notDifferentiable = 1;
}

def Tx_NotOp : Tx_UnaryOp<"not", Tx_BitsTensor> {
  let summary = "Not, bitwise on integers";
  let description = [{
    ```mlir
    %0 = tx.not %p : tensor<4xi1>
    ```
  }];
  let signed = "complement";
  let unsigned = "complement";
  let bool = "complement";
  let notDifferentiable = 1;
}

#endif // TENSORC_IR_TX_TXELEMENTWISE_TD
