//===- TxControl.td - Ops that choose what is computed --------------------===//
#ifndef TENSORC_IR_TX_OPS_TXCONTROL_TD
#define TENSORC_IR_TX_OPS_TXCONTROL_TD

include "ir/tx/structure/TxStructure.td"

/// One of the op's blocks runs, which the first operand chooses. Each takes the
/// other operands and returns the results.
def Tx_Branches : NativeOpTrait<"Branches"> {
  let cppNamespace = "::tensorc::tx";
}

def Tx_IfOp : Tx_StructureOp<"if", [
    Pure, IsolatedFromAbove, SingleBlock, Tx_Branches]> {
  let summary = "One of two blocks, chosen by a value";
  let description = [{
    `predicate` has one element. Both blocks take `inputs`, which are all that
    they read from outside, and return the results. Only the chosen one runs.
    ```mlir
    %0 = tx.if %p (%x) : tensor<i1>, (tensor<4xf32>) -> tensor<4xf32> {
    ^bb0(%a: tensor<4xf32>):
      %r = tx.exp %a : tensor<4xf32>
      tx.return %r : tensor<4xf32>
    } else {
    ^bb0(%a: tensor<4xf32>):
      tx.return %a : tensor<4xf32>
    }
    ```
  }];
  let arguments = (ins Tx_BoolTensor:$predicate, Variadic<AnyType>:$inputs);
  let results = (outs Variadic<Tx_Tensor>:$outputs);
  let regions = (region SizedRegion<1>:$thenBody, SizedRegion<1>:$elseBody);
  let assemblyFormat = [{
    $predicate `(` $inputs `)` attr-dict
    `:` type($predicate) `,` functional-type($inputs, $outputs)
    custom<IsolatedBody>($thenBody) `else` custom<IsolatedBody>($elseBody)
  }];
  let hasVerifier = 1;
  let notDifferentiable = 0;
  let gradientRule = 1;
}

def Tx_SwitchOp : Tx_StructureOp<"switch", [
    Pure, IsolatedFromAbove, SingleBlock, Tx_Branches]> {
  let summary = "One of several blocks, chosen by an integer";
  let description = [{
    `index` has one element. Block 0 runs where it is 0 or negative, block 1
    where it is 1, and the last one where it is too large. All blocks take
    `inputs`, which are all that they read from outside, and return the results.
    ```mlir
    %0 = tx.switch %i (%x) : tensor<i32>, (tensor<4xf32>) -> tensor<4xf32> {
    ^bb0(%a: tensor<4xf32>):
      %r = tx.exp %a : tensor<4xf32>
      tx.return %r : tensor<4xf32>
    }, {
    ^bb0(%a: tensor<4xf32>):
      tx.return %a : tensor<4xf32>
    }, {
    ^bb0(%a: tensor<4xf32>):
      %r = tx.neg %a : tensor<4xf32>
      tx.return %r : tensor<4xf32>
    }
    ```
  }];
  let arguments = (ins Tx_IndexTensor:$index, Variadic<AnyType>:$inputs);
  let results = (outs Variadic<Tx_Tensor>:$outputs);
  let regions = (region VariadicRegion<SizedRegion<1>>:$branches);
  let assemblyFormat = [{
    $index `(` $inputs `)` attr-dict
    `:` type($index) `,` functional-type($inputs, $outputs)
    custom<IsolatedBodies>($branches)
  }];
  let hasVerifier = 1;
  let notDifferentiable = 0;
  let gradientRule = 1;
}

def Tx_WhileOp : Tx_StructureOp<"while", [
    Pure, IsolatedFromAbove, SingleBlock]> {
  let summary = "A block that is repeated while another one says so";
  let description = [{
    The first inputs are carried: as many as there are results, of their types.
    The others are the same in each iteration. Both blocks take all inputs and
    read nothing else. The first returns one element, whether to go on, the
    second what is carried next.
    ```mlir
    %0 = tx.while (%x) : (tensor<i32>) -> tensor<i32> {
    ^bb0(%a: tensor<i32>):
      %zero = tx.constant dense<0> : tensor<i32>
      %p = tx.gt %a, %zero : tensor<i32>
      tx.return %p : tensor<i1>
    } do {
    ^bb0(%a: tensor<i32>):
      %two = tx.constant dense<2> : tensor<i32>
      %r = tx.div %a, %two : tensor<i32>
      tx.return %r : tensor<i32>
    }
    ```
  }];
  let arguments = (ins Variadic<Tx_Tensor>:$inputs);
  let results = (outs Variadic<Tx_Tensor>:$outputs);
  let regions = (region SizedRegion<1>:$condition, SizedRegion<1>:$body);
  let assemblyFormat = [{
    `(` $inputs `)` attr-dict `:` functional-type($inputs, $outputs)
    custom<IsolatedBody>($condition) `do` custom<IsolatedBody>($body)
  }];
  let hasVerifier = 1;
}

def Tx_ScanOp : Tx_StructureOp<"scan", [
    Pure, IsolatedFromAbove, SingleBlock]> {
  let summary = "A block that is repeated for each element of tensors";
  let description = [{
    `carried` inputs go from one iteration to the next. Then come `scanned`
    ones, whose first dim is `length`: iteration i takes their part i. The
    others are the same in each iteration. The block takes i, an i64, what is
    carried, the parts, and the others; it reads nothing else. It returns what
    is carried next and parts of the other results, which are stacked along a
    new first dim. With `reverse` the last part comes first.
    ```mlir
    %0:2 = tx.scan <[8]> carried = 1 scanned = 1 (%x, %y) : (tensor<f32>, tensor<8xf32>) -> (tensor<f32>, tensor<8xf32>) {
    ^bb0(%i: tensor<i64>, %a: tensor<f32>, %b: tensor<f32>):
      %r = tx.add %a, %b : tensor<f32>
      tx.return %r, %a : tensor<f32>, tensor<f32>
    }
    ```
  }];
  let arguments = (ins Tx_DimsAttr:$length, I64Attr:$carried,
    I64Attr:$scanned, Variadic<Tx_Tensor>:$inputs, UnitAttr:$reverse);
  let results = (outs Variadic<Tx_Tensor>:$outputs);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $length `carried` `=` $carried `scanned` `=` $scanned
    `(` $inputs `)` (`reverse` $reverse^)? attr-dict
    `:` functional-type($inputs, $outputs) custom<IsolatedBody>($body)
  }];
  let extraClassDeclaration = [{
    /// The first of them is the number of the iteration.
    ::mlir::Block::BlockArgListType bodyArguments() {
      return getBody().front().getArguments();
    }
    ::tensorc::shape::Dim lengthDim() { return getLength().getDims()[0]; }
  }];
  let hasVerifier = 1;
  let notDifferentiable = 0;
  let gradientRule = 1;
}

def Tx_StopGradientOp : Tx_StructureOp<"stop_gradient", [
    Pure, SameOperandsAndResultType]> {
  let summary = "x, without a gradient";
  let description = [{
    It is x once gradients have been taken.
    ```mlir
    %0 = tx.stop_gradient %x : tensor<4xf32>
    ```
  }];
  let arguments = (ins Tx_Tensor:$x);
  let results = (outs Tx_Tensor:$result);
  let assemblyFormat = "$x attr-dict `:` type($x)";
  let notDifferentiable = 0;
  let gradientRule = 1;
}

def Tx_CustomVjpOp : Tx_StructureOp<"custom_vjp", [
    Pure, IsolatedFromAbove, SingleBlock]> {
  let summary = "A block whose gradient is another block";
  let description = [{
    The first block takes the inputs. It returns `results` results, and behind
    them what the gradient needs. The second block takes the latter, cotangents
    of the results, and the inputs beyond the first `arguments` ones. It returns
    the cotangents of these first inputs; the others have none.
    ```mlir
    %0:2 = tx.custom_vjp arguments = 1 results = 1 (%x) : (tensor<f32>) -> (tensor<f32>, tensor<f32>) {
    ^bb0(%a: tensor<f32>):
      %s = tx.sqrt %a : tensor<f32>
      tx.return %s, %s : tensor<f32>, tensor<f32>
    } gradient {
    ^bb0(%r: tensor<f32>, %g: tensor<f32>):
      %d = tx.div %g, %r : tensor<f32>
      tx.return %d : tensor<f32>
    }
    ```
  }];
  let arguments = (ins I64Attr:$arguments, I64Attr:$returned,
    Variadic<Tx_Tensor>:$inputs);
  let results = (outs Variadic<Tx_Tensor>:$outputs);
  let regions = (region SizedRegion<1>:$forward, SizedRegion<1>:$backward);
  let assemblyFormat = [{
    `arguments` `=` $arguments `results` `=` $returned
    `(` $inputs `)` attr-dict `:` functional-type($inputs, $outputs)
    custom<IsolatedBody>($forward) `gradient` custom<IsolatedBody>($backward)
  }];
  let hasVerifier = 1;
  let notDifferentiable = 0;
  let gradientRule = 1;
}

def Tx_ReturnOp : Tx_StructureOp<"return", [
    Pure, Terminator, ReturnLike,
    ParentOneOf<["IfOp", "SwitchOp", "WhileOp", "ScanOp", "CustomVjpOp"]>]> {
  let summary = "Results of a block of a branch, a loop or tx.custom_vjp";
  let arguments = (ins Variadic<Tx_Tensor>:$values);
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
}

#endif // TENSORC_IR_TX_OPS_TXCONTROL_TD
