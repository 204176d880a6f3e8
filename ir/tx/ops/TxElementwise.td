//===- TxElementwise.td - Element-wise ops --------------------------------===//
#ifndef TENSORC_IR_TX_OPS_TXELEMENTWISE_TD
#define TENSORC_IR_TX_OPS_TXELEMENTWISE_TD

include "ir/tx/TxDialect.td"

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

def Tx_AddOp : Tx_BinaryOp<"add", Tx_NumberOrComplexTensor> {
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

def Tx_SubOp : Tx_BinaryOp<"sub", Tx_NumberOrComplexTensor> {
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

def Tx_MulOp : Tx_BinaryOp<"mul", Tx_NumberOrComplexTensor> {
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

def Tx_DivOp : Tx_BinaryOp<"div", Tx_NumberOrComplexTensor> {
  let summary = "Quotient of two tensors";
  let description = [{
    x / y. Floats follow IEEE 754. Integers truncate toward zero;
    docs/numerics.md defines the results for a zero divisor, and for the
    smallest value divided by -1.
    ```mlir
    %0 = tx.div %x, %y : tensor<4xf32>
    ```
  }];
  let float = "arith::DivFOp";
  let signed = "safely<safeDivSigned>";
  let unsigned = "safely<safeDivUnsigned>";
  let derivatives = ["g / y", "-g * result / y"];
  let hasFolder = 1;
}

def Tx_MaxOp : Tx_BinaryOp<"max", Tx_ComputeTensor> {
  let summary = "Larger of two elements";
  let description = [{
    The result is NaN if either element is NaN; max(-0, +0) is +0. On i1 the op is a logical or.
    ```mlir
    %0 = tx.max %x, %y : tensor<4xf32>
    ```
  }];
  let float = "arith::MaximumFOp";
  let signed = "arith::MaxSIOp";
  let unsigned = "arith::MaxUIOp";
  let bool = "arith::OrIOp";
  let derivatives = ["select(x > y, g, select(x == y, g * 0.5, 0))",
                     "select(x < y, g, select(x == y, g * 0.5, 0))"];
}

def Tx_MinOp : Tx_BinaryOp<"min", Tx_ComputeTensor> {
  let summary = "Smaller of two elements";
  let description = [{
    The result is NaN if either element is NaN; min(-0, +0) is -0. On i1 the op is a logical and.
    ```mlir
    %0 = tx.min %x, %y : tensor<4xf32>
    ```
  }];
  let float = "arith::MinimumFOp";
  let signed = "arith::MinSIOp";
  let unsigned = "arith::MinUIOp";
  let bool = "arith::AndIOp";
  let derivatives = ["select(x < y, g, select(x == y, g * 0.5, 0))",
                     "select(x > y, g, select(x == y, g * 0.5, 0))"];
}

def Tx_NegOp : Tx_UnaryOp<"neg", Tx_NumberOrComplexTensor> {
  let summary = "Negation";
  let description = [{
    -x. The sign bit of floats is flipped; integers wrap around.
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
    The sign bit of floats is cleared; the smallest integer is unchanged.
    ```mlir
    %0 = tx.abs %x : tensor<4xf32>
    ```
  }];
  let float = "math::AbsFOp";
  let signed = "math::AbsIOp";
  let unsigned = "identity";
  let derivatives = ["g * sign(x)"];
}

def Tx_FloorOp : Tx_UnaryOp<"floor", Tx_FloatTensor> {
  let summary = "Round down";
  let description = [{
    The largest integer that is at most x; keeps -0, inf and NaN.
    ```mlir
    %0 = tx.floor %x : tensor<4xf32>
    ```
  }];
  let float = "math::FloorOp";
  // The function is constant between its steps.
  let derivatives = [""];
}

def Tx_CeilOp : Tx_UnaryOp<"ceil", Tx_FloatTensor> {
  let summary = "Round up";
  let description = [{
    The smallest integer that is at least x; -0 for -1 < x < 0; keeps inf and NaN.
    ```mlir
    %0 = tx.ceil %x : tensor<4xf32>
    ```
  }];
  let float = "math::CeilOp";
  // The function is constant between its steps.
  let derivatives = [""];
}

def Tx_TruncOp : Tx_UnaryOp<"trunc", Tx_FloatTensor> {
  let summary = "Round toward zero";
  let description = [{
    x without its fraction; keeps -0, inf and NaN.
    ```mlir
    %0 = tx.trunc %x : tensor<4xf32>
    ```
  }];
  let float = "math::TruncOp";
  // The function is constant between its steps.
  let derivatives = [""];
}

def Tx_RoundEvenOp : Tx_UnaryOp<"round_even", Tx_FloatTensor> {
  let summary = "Round to the nearest integer";
  let description = [{
    The nearest integer; a half rounds to the even one. Keeps -0, inf and NaN.
    ```mlir
    %0 = tx.round_even %x : tensor<4xf32>
    ```
  }];
  let float = "math::RoundEvenOp";
  // The function is constant between its steps.
  let derivatives = [""];
}

def Tx_SignOp : Tx_UnaryOp<"sign", Tx_NumberOrComplexTensor> {
  let summary = "Sign";
  let description = [{
    -1, 0 or 1; keeps both zeros and NaN.
    ```mlir
    %0 = tx.sign %x : tensor<4xf32>
    ```
  }];
  let float = "signFloat";
  let signed = "signInteger";
  let unsigned = "signInteger";
  // The function is constant between its steps.
  let derivatives = [""];
}

def Tx_FloorDivOp : Tx_BinaryOp<"floor_div"> {
  let summary = "Quotient rounded down";
  let description = [{
    The largest integer that is at most x / y: Python's `//`. It is computed from
    the remainder, so that x = y * floor_div(x, y) + mod(x, y) up to rounding. If
    y is 0, the result is x / y for floats and 0 for integers.
    ```mlir
    %0 = tx.floor_div %x, %y : tensor<4xf32>
    ```
  }];
  let float = "floorDivFloat";
  let signed = "floorDivSigned";
  let unsigned = "safely<safeDivUnsigned>";
  let derivatives = ["", ""];
}

def Tx_RemOp : Tx_BinaryOp<"rem"> {
  let summary = "Remainder with the sign of x";
  let description = [{
    x - y * trunc(x / y), exactly: C's `fmod` and `%`. Integers: rem(x, 0) is x.
    ```mlir
    %0 = tx.rem %x, %y : tensor<4xf32>
    ```
  }];
  let float = "arith::RemFOp";
  let signed = "safely<safeRemSigned>";
  let unsigned = "safely<safeRemUnsigned>";
  let derivatives = ["g", "-g * trunc(x / y)"];
}

def Tx_ModOp : Tx_BinaryOp<"mod"> {
  let summary = "Remainder with the sign of y";
  let description = [{
    x - y * floor(x / y): Python's `%`. Integers: mod(x, 0) is x.
    ```mlir
    %0 = tx.mod %x, %y : tensor<4xf32>
    ```
  }];
  let float = "modFloat";
  let signed = "modSigned";
  let unsigned = "safely<safeRemUnsigned>";
  let derivatives = ["g", "-g * floor_div(x, y)"];
}

def Tx_GcdOp : Tx_BinaryOp<"gcd", Tx_IntTensor, [Tx_Costly]> {
  let summary = "Greatest common divisor";
  let description = [{
    The largest integer that divides x and y; gcd(x, 0) is |x|. Signs are ignored. If the result would be the magnitude
    of the dtype's smallest value, it wraps to that value, as in NumPy.
    ```mlir
    %0 = tx.gcd %x, %y : tensor<4xi32>
    ```
  }];
  let signed = "gcdSigned";
  let unsigned = "gcdUnsigned";
  let notDifferentiable = 1;
}

def Tx_LcmOp : Tx_BinaryOp<"lcm", Tx_IntTensor, [Tx_Costly]> {
  let summary = "Least common multiple";
  let description = [{
    The smallest positive integer that x and y divide; lcm(x, 0) is 0. Signs are ignored. A multiple that is too large
    wraps, as in NumPy.
    ```mlir
    %0 = tx.lcm %x, %y : tensor<4xi32>
    ```
  }];
  let signed = "lcmSigned";
  let unsigned = "lcmUnsigned";
  let notDifferentiable = 1;
}

def Tx_CopysignOp : Tx_BinaryOp<"copysign", Tx_FloatTensor> {
  let summary = "A magnitude with another sign";
  let description = [{
    |x| with the sign of y, also if y is a zero or NaN.
    ```mlir
    %0 = tx.copysign %x, %y : tensor<4xf32>
    ```
  }];
  let float = "math::CopySignOp";
  // As in PyTorch, the derivative at x = 0 is 0. The sign of y is also used if
  // y is 0.
  let derivatives = ["g * sign(x) * copysign(1, y)", ""];
}

def Tx_NextafterOp : Tx_BinaryOp<"nextafter", Tx_FloatTensor> {
  let summary = "Next representable number toward another";
  let description = [{
    The next representable number after x in the direction of y, like C's `nextafter`. It may be subnormal. If x ==
    y, it is y, so nextafter(0, -0) is -0. After the largest number comes inf. The result is NaN if x or y is NaN.
    ```mlir
    %0 = tx.nextafter %x, %y : tensor<4xf32>
    ```
  }];
  let float = "nextAfterFloat";
  // The function is a step function between neighbouring floats, so it has no
  // useful derivative. PyTorch and JAX reject it, too.
  let notDifferentiable = 1;
}

def Tx_ClampOp : Tx_TernaryOp<"clamp"> {
  let summary = "Limit to a range";
  let description = [{
    min(max(x, low), high); NaN if any operand is NaN.
    ```mlir
    %0 = tx.clamp %low, %x, %high : tensor<4xf32>
    ```
  }];
  let arguments = (ins Tx_NumberTensor:$low, Tx_NumberTensor:$x, Tx_NumberTensor:$high);
  let assemblyFormat = "$low `,` $x `,` $high attr-dict `:` type($result)";
  let float = "clampFloat";
  let signed = "clampSigned";
  let unsigned = "clampUnsigned";
  // If low > high, the result is high for all x.
  let derivatives = ["select((x < low) & (low <= high), g, 0)", "select((x >= low) & (x <= high), g, 0)",
                     "select(low > high, g, select(x > high, g, 0))"];
}

def Tx_FmaOp : Tx_TernaryOp<"fma", Tx_FloatTensor> {
  let summary = "Fused multiply-add";
  let description = [{
    x * y + z, rounded once; f16 and bf16 are computed in f32.
    ```mlir
    %0 = tx.fma %x, %y, %z : tensor<4xf32>
    ```
  }];
  let arguments = (ins Tx_FloatTensor:$x, Tx_FloatTensor:$y, Tx_FloatTensor:$z);
  let assemblyFormat = "$x `,` $y `,` $z attr-dict `:` type($result)";
  let float = "math::FmaOp";
  let derivatives = ["g * y", "g * x", "g"];
}

//===----------------------------------------------------------------------===//
// Comparison and selection
//===----------------------------------------------------------------------===//

class Tx_OrderOp<string mnemonic, string op, string symbol, Type type = Tx_ComputeTensor>
    : Tx_CompareOp<mnemonic, type> {
  let summary = "True where x " # symbol # " y";
  let description = [{Element-wise comparison. Floats follow IEEE 754: all comparisons with NaN are
    false, except `ne`, which is true.
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

def Tx_EqOp : Tx_OrderOp<"eq", "eq", "==", Tx_ComputeOrComplexTensor>;
def Tx_NeOp : Tx_OrderOp<"ne", "ne", "!=", Tx_ComputeOrComplexTensor>;
def Tx_LtOp : Tx_OrderOp<"lt", "lt", "<">;
def Tx_LeOp : Tx_OrderOp<"le", "le", "<=">;
def Tx_GtOp : Tx_OrderOp<"gt", "gt", ">">;
def Tx_GeOp : Tx_OrderOp<"ge", "ge", ">=">;

def Tx_IsNanOp : Tx_TestOp<"is_nan"> {
  let summary = "True where x is NaN";
  let description = [{
    The result is false for integers and i1.
    ```mlir
    %0 = tx.is_nan %x : tensor<4xf32>
    ```
  }];
  let float = "isNaN";
  let signed = "never";
  let unsigned = "never";
  let bool = "never";
}

def Tx_IsInfOp : Tx_TestOp<"is_inf"> {
  let summary = "True where x is infinite";
  let description = [{
    The result is false for integers and i1.
    ```mlir
    %0 = tx.is_inf %x : tensor<4xf32>
    ```
  }];
  let float = "isInfinite";
  let signed = "never";
  let unsigned = "never";
  let bool = "never";
}

def Tx_IsFiniteOp : Tx_TestOp<"is_finite"> {
  let summary = "True where x is neither infinite nor NaN";
  let description = [{
    The result is true for integers and i1.
    ```mlir
    %0 = tx.is_finite %x : tensor<4xf32>
    ```
  }];
  let float = "isFinite";
  let signed = "always";
  let unsigned = "always";
  let bool = "always";
}

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
    Conversions to floats round to nearest even. Conversions from floats to
    integers truncate and saturate, and NaN becomes 0. Integers wrap. A conversion to i1 gives true for nonzero
    elements.
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
  let extraClassDefinition = "";
}

def Tx_BitcastOp : Tx_ElementwiseOp<"bitcast"> {
  let summary = "The same bits as another dtype";
  let description = [{
    Both dtypes have the same width; bits of NaN are kept. i1 is not supported: use tx.convert.
    ```mlir
    %0 = tx.bitcast %x : tensor<4xf32> -> tensor<4xui32>
    ```
  }];
  let arguments = (ins Tx_StoredNumberTensor:$x);
  let results = (outs Tx_StoredNumberTensor:$result);
  let assemblyFormat = "$x attr-dict `:` type($x) `->` type($result)";
  let float = "bitcastElement";
  let signed = "bitcastElement";
  let unsigned = "bitcastElement";
  let notDifferentiable = 1;
  let hasFolder = 1;
  let extraClassDefinition = "";
}

//===----------------------------------------------------------------------===//
// Logical ops, which are bitwise on integers
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

def Tx_XorOp : Tx_BinaryOp<"xor", Tx_BitsTensor> {
  let summary = "Exclusive or, bitwise on integers";
  let description = [{
    ```mlir
    %0 = tx.xor %p, %q : tensor<4xi1>
    ```
  }];
  let signed = "arith::XOrIOp";
  let unsigned = "arith::XOrIOp";
  let bool = "arith::XOrIOp";
  let notDifferentiable = 1;
}

def Tx_ShlOp : Tx_BinaryOp<"shl", Tx_IntTensor> {
  let summary = "Shift to the left";
  let description = [{
    x * 2^y without the bits beyond the dtype. y is read as unsigned; if it is
    at least the width, the result is 0.
    ```mlir
    %0 = tx.shl %x, %y : tensor<4xi32>
    ```
  }];
  let signed = "safely<safeShiftLeft>";
  let unsigned = "safely<safeShiftLeft>";
  let notDifferentiable = 1;
}

def Tx_ShrArithOp : Tx_BinaryOp<"shr_arith", Tx_IntTensor> {
  let summary = "Arithmetic shift to the right";
  let description = [{
    The vacated bits are copies of the highest bit, for unsigned dtypes, too. y is read as
    unsigned.
    ```mlir
    %0 = tx.shr_arith %x, %y : tensor<4xi32>
    ```
  }];
  let signed = "safely<safeShiftRightSigned>";
  let unsigned = "safely<safeShiftRightSigned>";
  let notDifferentiable = 1;
}

def Tx_ShrLogicalOp : Tx_BinaryOp<"shr_logical", Tx_IntTensor> {
  let summary = "Logical shift to the right";
  let description = [{
    The vacated bits are 0. y is read as unsigned; if it is at least the width, the
    result is 0.
    ```mlir
    %0 = tx.shr_logical %x, %y : tensor<4xi32>
    ```
  }];
  let signed = "safely<safeShiftRightUnsigned>";
  let unsigned = "safely<safeShiftRightUnsigned>";
  let notDifferentiable = 1;
}

def Tx_PopcountOp : Tx_UnaryOp<"popcount", Tx_IntTensor> {
  let summary = "Number of bits that are set";
  let description = [{
    ```mlir
    %0 = tx.popcount %x : tensor<4xi32>
    ```
  }];
  let signed = "math::CtPopOp";
  let unsigned = "math::CtPopOp";
  let notDifferentiable = 1;
}

def Tx_ClzOp : Tx_UnaryOp<"clz", Tx_IntTensor> {
  let summary = "Number of leading zero bits";
  let description = [{
    For 0 it is the width of the dtype.
    ```mlir
    %0 = tx.clz %x : tensor<4xi32>
    ```
  }];
  let signed = "math::CountLeadingZerosOp";
  let unsigned = "math::CountLeadingZerosOp";
  let notDifferentiable = 1;
}

#endif // TENSORC_IR_TX_OPS_TXELEMENTWISE_TD
