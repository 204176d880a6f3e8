//===- TxControl.td - Branches, loops, and custom gradients ---------------===//
#ifndef TENSORC_IR_TX_OPS_TXCONTROL_TD
#define TENSORC_IR_TX_OPS_TXCONTROL_TD

include "ir/tx/structure/TxStructure.td"

/// Trait of branches: the first operand selects which of the op's blocks runs.
/// Each block takes the other operands and returns the op's results.
def Tx_Branches : NativeOpTrait<"Branches"> {
  let cppNamespace = "::tensorc::tx";
}

def Tx_IfOp : Tx_StructureOp<"if", [
    Pure, IsolatedFromAbove, SingleBlock, Tx_Branches]> {
  let summary = "One of two blocks, chosen by a value";
  let description = [{
    `predicate` has one element. Both blocks take `inputs` and return the
    results; they cannot use other values from outside. Only the chosen block
    runs.
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
    `index` has one element. Block 0 runs if the index is 0 or negative, block 1 if it is 1, and so on; the last block
    also runs if the index is too large. All blocks take `inputs` and return the results; they cannot use other values
    from outside.
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
  let summary = "A block that is repeated while another block returns true";
  let description = [{
    The first n inputs are carried, where n is the number of results; they have the results'
    types. The others are the same in each iteration. Both blocks take all inputs and cannot use
    other values. The first block returns one element, which is true while the loop continues. The
    second block returns the carried values of the next iteration. The bound `most` limits the
    number of iterations; a loop with a bound has a gradient.
    ```mlir
    %0 = tx.while most = 40 (%x) : (tensor<i32>) -> tensor<i32> {
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
  let arguments = (ins Variadic<Tx_Tensor>:$inputs,
    OptionalAttr<I64Attr>:$most);
  let results = (outs Variadic<Tx_Tensor>:$outputs);
  let regions = (region SizedRegion<1>:$condition, SizedRegion<1>:$body);
  let assemblyFormat = [{
    (`most` `=` $most^)? `(` $inputs `)` attr-dict
    `:` functional-type($inputs, $outputs)
    custom<IsolatedBody>($condition) `do` custom<IsolatedBody>($body)
  }];
  let hasVerifier = 1;
  let notDifferentiable = 0;
  let gradientRule = 1;
}

def Tx_ScanOp : Tx_StructureOp<"scan", [
    Pure, IsolatedFromAbove, SingleBlock]> {
  let summary = "A block that is repeated for each element of tensors";
  let description = [{
    The first `carried` inputs go from one iteration to the next. The next
    `scanned` inputs have `length` as their first dim, and iteration i takes
    their i-th slices. All other inputs are the same in each iteration. The
    block takes i (an i64), the carried values, the slices, and the other
    inputs; it cannot use other values. It returns the carried values of the
    next iteration and a slice of each other result; slices are stacked along a
    new first dim. With `reverse`, i counts down from `length` - 1, so the last
    slice is taken first. Results are still stacked at position i.
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
    /// The first argument is the iteration number.
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
    The op is replaced by x after gradients have been derived.
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
    The first block takes the inputs. It returns `results` results, followed by
    the residuals that the gradient needs. The second block takes the residuals,
    the cotangents of the results, and all inputs but the first `arguments`. It
    returns the cotangents of the first `arguments` inputs; the other inputs have
    none.
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
