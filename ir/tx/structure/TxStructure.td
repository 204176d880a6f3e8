//===- TxStructure.td - Fusions and calls ---------------------------------===//
#ifndef TENSORC_IR_TX_OPS_TXSTRUCTURE_TD
#define TENSORC_IR_TX_OPS_TXSTRUCTURE_TD

include "ir/tx/TxDialect.td"
include "ir/tx/TxSchedule.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"

class Tx_StructureOp<string mnemonic, list<Trait> traits = []>
    : Tx_Op<mnemonic, traits> {
  let category = "structure";
  let notDifferentiable = 1;
  let inApi = 0;
}

def Tx_FusionOp : Tx_StructureOp<"fusion", [
    Pure, IsolatedFromAbove, SingleBlock]> {
  let summary = "Ops that become one kernel";
  let description = [{
    `kind` names the rule that grouped the ops. `notes` are the reasons why
    neighbouring ops are not included. `order` states the order of evaluation on
    which the results' bits depend, where the ops do not determine it.
    `schedule` names the skeleton that will emit the kernel, and its parameters.
    `order` and `schedule` are set at the end of the stage `fuse`.
    ```mlir
    %0 = tx.fusion "loop" "add" (%x, %y) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> {
    ^bb0(%a: tensor<4xf32>, %b: tensor<4xf32>):
      %s = tx.add %a, %b : tensor<4xf32>
      tx.yield %s : tensor<4xf32>
    }
    ```
  }];
  let arguments = (ins StrAttr:$kind, StrAttr:$name, Variadic<AnyType>:$inputs,
                       OptionalAttr<StrArrayAttr>:$notes,
                       OptionalAttr<Tx_OrderAttr>:$order,
                       OptionalAttr<Tx_ScheduleAttr>:$schedule);
  let results = (outs Variadic<Tx_Tensor>:$outputs);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $kind $name `(` $inputs `)` attr-dict
    `:` functional-type($inputs, $outputs) custom<IsolatedBody>($body)
  }];
  let hasVerifier = 1;
}

def Tx_ReinterpretOp : Tx_StructureOp<"reinterpret", [Pure]> {
  let summary = "The same memory with another dtype and shape";
  let description = [{
    The compiler inserts it at inputs and outputs of a program, to convert between i4 or ui4 and bytes. Two
    elements share a byte, the low nibble first. It is never fused, and copies nothing.
    ```mlir
    %0 = tx.reinterpret %x : tensor<5xi4> -> tensor<3xi8>
    ```
  }];
  let arguments = (ins Tx_Tensor:$x);
  let results = (outs Tx_Tensor:$result);
  let assemblyFormat = "$x attr-dict `:` type($x) `->` type($result)";
  let hasVerifier = 1;
}

def Tx_CustomCallOp : Tx_StructureOp<"custom_call", [Pure]> {
  let summary = "A function of the embedder, called by name"
                " (see docs/embedding.md)";
  let description = [{
    The process that runs the program registers the function under its name. The
    function receives the dtypes, sizes and memory of the inputs and outputs,
    and `config`. It must depend on nothing else, because equal calls may become
    one. `derivative` names the function that computes the gradients: it takes
    the inputs, the outputs and the outputs' gradients, and returns a gradient
    per input. The op is never fused.
    ```mlir
    %0 = tx.custom_call "app.smooth" (%x) config "3" : (tensor<4xf32>) -> tensor<4xf32>
    ```
  }];
  let arguments = (ins StrAttr:$name, Variadic<Tx_Tensor>:$inputs,
                       OptionalAttr<StrAttr>:$config,
                       OptionalAttr<StrAttr>:$derivative);
  let results = (outs Variadic<Tx_Tensor>:$outputs);
  let assemblyFormat = [{
    $name `(` $inputs `)` (`config` $config^)? (`derivative` $derivative^)?
    attr-dict `:` functional-type($inputs, $outputs)
  }];
  let hasVerifier = 1;
  let notDifferentiable = 0;
  let gradientRule = 1;
}

def Tx_YieldOp : Tx_StructureOp<"yield", [
    Pure, Terminator, ReturnLike, ParentOneOf<["FusionOp"]>]> {
  let summary = "Results of a fusion body";
  let arguments = (ins Variadic<Tx_Tensor>:$values);
  let assemblyFormat = "$values attr-dict `:` type($values)";
}

#endif // TENSORC_IR_TX_OPS_TXSTRUCTURE_TD
