//===- Activations.td - Activation functions ------------------------------===//
#ifndef TENSORC_IR_LIBRARY_ACTIVATIONS_TD
#define TENSORC_IR_LIBRARY_ACTIVATIONS_TD

include "ir/library/Composite.td"

/// An activation function. `operations`: approximate number of element-wise ops
/// in its expansion.
class Tx_Activation<string mnemonic, int operations, Type type = Tx_FloatTensor>
    : Tx_Composite<mnemonic, [SameOperandsAndResultType]> {
  let arguments = (ins type:$x);
  let results = (outs type:$result);
  let assemblyFormat = "$x attr-dict `:` type($result)";
  let elementwiseOps = operations;
}

/// An activation function with a number as additional operand.
class Tx_ActivationOfNumber<string mnemonic, int operations>
    : Tx_Composite<mnemonic> {
  let results = (outs Tx_FloatTensor:$result);
  let elementwiseOps = operations;
}

def Tx_ReluOp : Tx_Activation<"relu", 1, Tx_NumberTensor> {
  let summary = "Rectified linear unit";
  let description = [{
    max(x, 0); NaN is kept.
    ```mlir
    %0 = tx.relu %x : tensor<4xf32>
    ```
  }];
}

def Tx_SiluOp : Tx_Activation<"silu", 2> {
  let summary = "Sigmoid linear unit";
  let description = [{
    x / (1 + e^-x).
    ```mlir
    %0 = tx.silu %x : tensor<4xf32>
    ```
  }];
}

def Tx_GeluOp : Tx_Activation<"gelu", 9> {
  let summary = "Gaussian error linear unit";
  let description = [{
    x/2 (1 + erf(x / sqrt(2))). With `approximate`, erf is approximated by the
    tanh of a cubic.
    ```mlir
    %0 = tx.gelu %x approximate : tensor<4xf32>
    ```
  }];
  let arguments = (ins Tx_FloatTensor:$x, UnitAttr:$approximate);
  let assemblyFormat = "$x (`approximate` $approximate^)? attr-dict `:` type($result)";
}

def Tx_EluOp : Tx_ActivationOfNumber<"elu", 4> {
  let summary = "Exponential linear unit";
  let description = [{
    x if x >= 0, else alpha (e^x - 1).
    ```mlir
    %0 = tx.elu %x, %alpha : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
    ```
  }];
  let arguments = (ins Tx_FloatTensor:$x, Tx_FloatNumber:$alpha);
  let assemblyFormat = "$x `,` $alpha attr-dict `:` functional-type(operands, $result)";
}

def Tx_LeakyReluOp : Tx_ActivationOfNumber<"leaky_relu", 3> {
  let summary = "Rectified linear unit with a slope below 0";
  let description = [{
    x if x >= 0, else slope * x.
    ```mlir
    %0 = tx.leaky_relu %x, %slope : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
    ```
  }];
  let arguments = (ins Tx_FloatTensor:$x, Tx_FloatNumber:$slope);
  let assemblyFormat = "$x `,` $slope attr-dict `:` functional-type(operands, $result)";
}

def Tx_SoftplusOp : Tx_ActivationOfNumber<"softplus", 8> {
  let summary = "Smooth rectified linear unit";
  let description = [{
    log(1 + e^(beta x)) / beta, without overflow. The default of beta is 1.
    ```mlir
    %0 = tx.softplus %x beta %beta : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
    ```
  }];
  let arguments = (ins Tx_FloatTensor:$x, Optional<Tx_FloatNumber>:$beta);
  let assemblyFormat = "$x (`beta` $beta^)? attr-dict `:` functional-type(operands, $result)";
}

def Tx_MishOp : Tx_Activation<"mish", 8> {
  let summary = "Self-regularized activation";
  let description = [{
    x tanh(log(1 + e^x)).
    ```mlir
    %0 = tx.mish %x : tensor<4xf32>
    ```
  }];
}

def Tx_HardswishOp : Tx_Activation<"hardswish", 4> {
  let summary = "Piecewise approximation of tx.silu";
  let description = [{
    x min(max(x + 3, 0), 6) / 6.
    ```mlir
    %0 = tx.hardswish %x : tensor<4xf32>
    ```
  }];
}

def Tx_SoftsignOp : Tx_Activation<"softsign", 3> {
  let summary = "Smooth sign";
  let description = [{
    x / (1 + |x|).
    ```mlir
    %0 = tx.softsign %x : tensor<4xf32>
    ```
  }];
  let function = 1;
}

def Tx_LogsigmoidOp : Tx_Activation<"logsigmoid", 8> {
  let summary = "Logarithm of the logistic function";
  let description = [{
    log(1 / (1 + e^-x)), without overflow.
    ```mlir
    %0 = tx.logsigmoid %x : tensor<4xf32>
    ```
  }];
  let function = 1;
}

def Tx_CeluOp : Tx_ActivationOfNumber<"celu", 6> {
  let summary = "Continuously differentiable exponential linear unit";
  let description = [{
    x if x >= 0, else alpha (e^(x / alpha) - 1).
    ```mlir
    %0 = tx.celu %x, %alpha : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
    ```
  }];
  let arguments = (ins Tx_FloatTensor:$x, Tx_FloatNumber:$alpha);
  let assemblyFormat = "$x `,` $alpha attr-dict `:` functional-type(operands, $result)";
  let function = 1;
  let defaults = ["1.0"];
}

#endif // TENSORC_IR_LIBRARY_ACTIVATIONS_TD
