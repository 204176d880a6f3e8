//===- TxComplex.td - Complex numbers and their parts ---------------------===//
#ifndef TENSORC_IR_TX_OPS_TXCOMPLEX_TD
#define TENSORC_IR_TX_OPS_TXCOMPLEX_TD

include "ir/tx/TxDialect.td"

def Tx_ComplexOp : Tx_ElementwiseOp<"complex", [SameTypeOperands]> {
  let summary = "Complex number of a real and an imaginary part";
  let description = [{
    re + i im. The parts are stored without arithmetic, so infinities, NaN and
    the signs of zeros are kept. docs/numerics.md describes how other ops treat
    complex numbers.
    ```mlir
    %0 = tx.complex %x, %y : tensor<4xf32> -> tensor<4xcomplex<f32>>
    ```
  }];
  let arguments = (ins Tx_PlaneTensor:$re, Tx_PlaneTensor:$im);
  let results = (outs Tx_ComplexTensor:$result);
  let assemblyFormat = "$re `,` $im attr-dict `:` type($re) `->` type($result)";
  let ofComplex = 1;
  let extraClassDefinition = "";
}

class Tx_PartOp<string mnemonic> : Tx_ElementwiseOp<mnemonic> {
  let arguments = (ins Tx_ComplexTensor:$x);
  let results = (outs Tx_PlaneTensor:$result);
  let assemblyFormat = "$x attr-dict `:` type($x) `->` type($result)";
  let ofComplex = 1;
  let extraClassDefinition = "";
}

def Tx_RealOp : Tx_PartOp<"real"> {
  let summary = "Real part";
  let description = [{
    ```mlir
    %0 = tx.real %x : tensor<4xcomplex<f32>> -> tensor<4xf32>
    ```
  }];
}

def Tx_ImagOp : Tx_PartOp<"imag"> {
  let summary = "Imaginary part";
  let description = [{
    ```mlir
    %0 = tx.imag %x : tensor<4xcomplex<f32>> -> tensor<4xf32>
    ```
  }];
}

#endif // TENSORC_IR_TX_OPS_TXCOMPLEX_TD
