//===- TxpOps.td - Ops of host programs -----------------------------------===//
#ifndef TENSORC_IR_PROGRAM_TXPOPS_TD
#define TENSORC_IR_PROGRAM_TXPOPS_TD

include "ir/program/TxpDialect.td"
include "mlir/Interfaces/CallInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/FunctionInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/SymbolInterfaces.td"

class Txp_Op<string mnemonic, list<Trait> traits = []>
    : Op<TxpDialect, mnemonic, traits>;

// An op that a queue executes. Queue 0 is the stream given by the caller.
class Txp_QueueOp<string mnemonic, list<Trait> traits = []>
    : Txp_Op<mnemonic, traits>;
defvar Txp_Queue = DefaultValuedOptionalAttr<
    ConfinedAttr<I32Attr, [IntNonNegative, IntMaxValue<255>]>, "0">;

// Number of threads per block; 0 if the kernel takes a range of work items.
defvar Txp_Block = DefaultValuedOptionalAttr<
    ConfinedAttr<I32Attr, [IntNonNegative, IntMaxValue<1024>]>, "0">;

// Number of bytes of dynamic shared memory per block.
defvar Txp_Shared = DefaultValuedOptionalAttr<
    ConfinedAttr<I32Attr, [IntNonNegative]>, "0">;

// This is not a BuildableType, so that the textual form contains the types of
// scalars.
def Txp_Scalar : AnyTypeOf<[I64], "a 64-bit word">;

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

def Txp_FuncOp : Txp_Op<"func", [
    AffineScope, AutomaticAllocationScope, IsolatedFromAbove,
    FunctionOpInterface, OpAsmOpInterface]> {
  let summary = "A host program, or a part that other programs call.";
  let description = [{
    With `inputs` it is an entry of the package: argument i is a `!txp.buffer`
    of `inputs[i]`'s shape, or an i64 word that holds the low bytes of a scalar
    (`tensor<f32>`) or the value of a named dim (`index`). Its results are
    buffers, as `outputs` describes. Without `inputs` it can only be called.
    ```mlir
    txp.func @main(%x: !txp.buffer) -> !txp.buffer
        attributes {inputs = [tensor<4xf32>], outputs = [tensor<4xf32>]} {
      txp.return %x
    }
    ```
  }];
  let arguments = (ins
    SymbolNameAttr:$sym_name, TypeAttrOf<FunctionType>:$function_type,
    OptionalAttr<StrAttr>:$sym_visibility,
    OptionalAttr<TypeArrayAttr>:$inputs, OptionalAttr<StrArrayAttr>:$input_names,
    OptionalAttr<TypeArrayAttr>:$outputs, OptionalAttr<StrArrayAttr>:$output_names,
    OptionalAttr<DictArrayAttr>:$arg_attrs, OptionalAttr<DictArrayAttr>:$res_attrs);
  let regions = (region SizedRegion<1>:$body);
  let skipDefaultBuilders = 1;
  let builders = [OpBuilder<(ins "::llvm::StringRef":$name,
      "::mlir::FunctionType":$type,
      CArg<"::llvm::ArrayRef<::mlir::NamedAttribute>", "{}">:$attrs)>];
  let extraClassDeclaration = [{
    ::mlir::ArrayRef<::mlir::Type> getArgumentTypes() {
      return getFunctionType().getInputs();
    }
    ::mlir::ArrayRef<::mlir::Type> getResultTypes() {
      return getFunctionType().getResults();
    }
    ::mlir::Region *getCallableRegion() { return &getBody(); }
    /// True if the package lists the function as an entry. Other functions are
    /// called only by programs.
    bool isEntry() { return getInputs().has_value(); }
  }];
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

def Txp_ReturnOp : Txp_Op<"return", [
    HasParent<"FuncOp">, Terminator, ReturnLike, Pure, AttrSizedOperandSegments]> {
  let summary = "Ends a program; its buffers become the caller's.";
  let description = [{
    `dims` gives an entry's outputs their dynamic dimensions, all outputs' in
    order. Without it serialize computes them from the names in `outputs`; a
    size that only the program knows needs it. Types may be left out when every
    operand is a buffer.
    ```mlir
    txp.return %y dims(%n)
    ```
  }];
  let arguments = (ins
    Variadic<AnyTypeOf<[Txp_Buffer, I64]>>:$results, Variadic<I64>:$dims);
  let builders = [
    OpBuilder<(ins "::mlir::ValueRange":$results), [{
      build($_builder, $_state, results, ::mlir::ValueRange());
    }]>];
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def Txp_CallOp : Txp_Op<"call", [CallOpInterface, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "Runs another txp.func of the module that is not an entry.";
  let description = [{
    ```mlir
    %b, %n = txp.call @step(%x, %k) : (!txp.buffer, i64) -> (!txp.buffer, i64)
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$callee,
    Variadic<AnyTypeOf<[Txp_Buffer, I64]>>:$args,
    OptionalAttr<DictArrayAttr>:$arg_attrs, OptionalAttr<DictArrayAttr>:$res_attrs);
  let results = (outs Variadic<AnyTypeOf<[Txp_Buffer, I64]>>:$results);
  let assemblyFormat = [{
    $callee `(` $args `)` attr-dict `:` functional-type($args, $results)
  }];
  let extraClassDeclaration = [{
    ::mlir::CallInterfaceCallable getCallableForCallee() {
      return getCalleeAttr();
    }
    void setCalleeFromCallable(::mlir::CallInterfaceCallable callee) {
      setCalleeAttr(::llvm::cast<::mlir::FlatSymbolRefAttr>(
          ::llvm::cast<::mlir::SymbolRefAttr>(callee)));
    }
    ::mlir::Operation::operand_range getArgOperands() { return getArgs(); }
    ::mlir::MutableOperandRange getArgOperandsMutable() {
      return getArgsMutable();
    }
  }];
}

//===----------------------------------------------------------------------===//
// Sizes and checks
//===----------------------------------------------------------------------===//

def Txp_DimOp : Txp_Op<"dim", [Pure]> {
  let summary = "The size of an entry's argument along one dimension.";
  let description = [{
    ```mlir
    %n = txp.dim %x, 0
    ```
  }];
  let arguments = (ins Txp_Buffer:$buffer, ConfinedAttr<I64Attr, [IntNonNegative]>:$index);
  let results = (outs I64:$size);
  let assemblyFormat = "$buffer `,` $index attr-dict";
  let hasVerifier = 1;
}

def Txp_AssertOp : Txp_Op<"assert"> {
  let summary = "Ends the run with an error status unless the condition holds.";
  let description = [{
    ```mlir
    txp.assert %same, "matmul: inner dimensions differ  at app.cpp:41"
    ```
  }];
  let arguments = (ins I1:$condition, StrAttr:$message);
  let assemblyFormat = "$condition `,` $message attr-dict";
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

def Txp_AllocOp : Txp_QueueOp<"alloc"> {
  let summary = "A new buffer of so many bytes, aligned to 64, undefined inside.";
  let description = [{
    A buffer that reaches `txp.return` is a result and belongs to the caller;
    any other is a temporary, and the memory plan puts it into the arena.
    ```mlir
    %b = txp.alloc %bytes
    ```
  }];
  let arguments = (ins I64:$bytes, Txp_Queue:$queue);
  let results = (outs Res<Txp_Buffer, "", [MemAlloc]>:$buffer);
  let assemblyFormat = "$bytes (`queue` `(` $queue^ `)`)? attr-dict";
}

def Txp_ViewOp : Txp_Op<"view", [Pure]> {
  let summary = "A part of a buffer; keeps the whole alive.";
  let description = [{
    ```mlir
    %v = txp.view %arena[%offset] bytes(%n)
    ```
  }];
  let arguments = (ins Txp_Buffer:$source, I64:$offset, I64:$bytes);
  let results = (outs Txp_Buffer:$buffer);
  let assemblyFormat = "$source `[` $offset `]` `bytes` `(` $bytes `)` attr-dict";
}

def Txp_ConstantBufferOp : Txp_Op<"constant_buffer", [Pure]> {
  let summary = "A constant of the package, read-only.";
  let description = [{
    The value is its elements, or the name of a constant that is handed to
    serialize beside the module.
    ```mlir
    %w = txp.constant_buffer dense<[1.0, 2.0]> : tensor<2xf32>
    %v = txp.constant_buffer "weights.0"
    ```
  }];
  let arguments = (ins AnyAttrOf<[ElementsAttr, StrAttr]>:$value);
  let results = (outs Txp_Buffer:$buffer);
  let assemblyFormat = "$value attr-dict";
}

def Txp_CopyOp : Txp_QueueOp<"copy"> {
  let summary = "Copies a whole buffer into another of the same size.";
  let description = [{
    ```mlir
    txp.copy %x to %y
    ```
  }];
  let arguments = (ins Arg<Txp_Buffer, "", [MemRead]>:$source,
    Arg<Txp_Buffer, "", [MemWrite]>:$target, Txp_Queue:$queue);
  let assemblyFormat = "$source `to` $target (`queue` `(` $queue^ `)`)? attr-dict";
}

def Txp_FillOp : Txp_QueueOp<"fill"> {
  let summary = "Repeats the low 1, 2, 4 or 8 bytes of a word over a buffer.";
  let description = [{
    ```mlir
    txp.fill %b with %bits width 4
    ```
  }];
  let arguments = (ins Arg<Txp_Buffer, "", [MemWrite]>:$target, I64:$pattern,
    I32Attr:$width, Txp_Queue:$queue);
  let assemblyFormat = [{
    $target `with` $pattern `width` $width (`queue` `(` $queue^ `)`)? attr-dict
  }];
  let hasVerifier = 1;
}

def Txp_ReadScalarOp : Txp_QueueOp<"read_scalar"> {
  let summary = "Waits for the queue and reads one element into a word.";
  let description = [{
    Integers are extended by their sign (i1 and ui by zero); a float is its
    bits in the low bytes. The offset counts bytes.
    ```mlir
    %go = txp.read_scalar %flag[%c0] : i1
    ```
  }];
  let arguments = (ins Arg<Txp_Buffer, "", [MemRead]>:$buffer, I64:$offset,
    TypeAttr:$element, Txp_Queue:$queue);
  let results = (outs I64:$value);
  let assemblyFormat = [{
    $buffer `[` $offset `]` `:` $element (`queue` `(` $queue^ `)`)? attr-dict
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Work
//===----------------------------------------------------------------------===//

def Txp_TensorMaps : TypedArrayAttrBase<Txp_TensorMap, "list of tensor maps">;

def Txp_LaunchOp : Txp_QueueOp<"launch", [
    AttrSizedOperandSegments, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "Runs a kernel over the work items [0, extent).";
  let description = [{
    The runtime splits the items at multiples of the grain over threads, each
    with its own `scratch` bytes. The kernel's arguments are ins, outs, scalars.
    With `block`, the kernel is code of one thread: `extent` blocks of so many
    threads run it, without a grain (1) or scratch memory. `shared` counts the
    bytes of dynamic shared memory, which `txk.dynamic_shared` of the kernel asks
    for. Each of `maps` is a window on one of the buffers. For each, `windows` has
    the sizes, innermost first, and the strides in bytes of all dims but the
    innermost. The windows are the kernel's last arguments.
    ```mlir
    txp.launch @kernels::@add extent(%n) grain(%g) scratch(%s)
        ins(%x, %y) outs(%z) scalars(%n : i64)
    txp.launch @kernels::@add_simt extent(%blocks) grain(%c1) block(256)
        ins(%x, %y) outs(%z) scalars(%n : i64)
    ```
  }];
  let arguments = (ins SymbolRefAttr:$kernel, I64:$extent, I64:$grain,
    Optional<I64>:$scratch, Arg<Variadic<Txp_Buffer>, "", [MemRead]>:$ins,
    Arg<Variadic<Txp_Buffer>, "", [MemWrite]>:$outs,
    Variadic<Txp_Scalar>:$scalars, Txp_Queue:$queue, Txp_Block:$block,
    Txp_Shared:$shared, OptionalAttr<Txp_TensorMaps>:$maps,
    Variadic<I64>:$windows);
  let extraClassDeclaration = [{
    ::llvm::SmallVector<TensorMapAttr> getTensorMaps() {
      auto maps = getMapsAttr();
      return maps ? ::llvm::to_vector(maps.getAsRange<TensorMapAttr>())
                  : ::llvm::SmallVector<TensorMapAttr>();
    }
  }];
  let assemblyFormat = [{
    $kernel `extent` `(` $extent `)` `grain` `(` $grain `)`
    (`block` `(` $block^ `)`)? (`shared` `(` $shared^ `)`)?
    (`scratch` `(` $scratch^ `)`)? (`ins` `(` $ins^ `)`)?
    (`outs` `(` $outs^ `)`)? (`scalars` `(` $scalars^ `:` type($scalars) `)`)?
    (`maps` $maps^ `windows` `(` $windows `)`)? (`queue` `(` $queue^ `)`)?
    attr-dict
  }];
  let hasVerifier = 1;
}

def Txp_CustomCallOp : Txp_QueueOp<"custom_call", [AttrSizedOperandSegments]> {
  let summary = "Calls a C function that the embedder registered by name.";
  let description = [{
    ```mlir
    txp.custom_call "fft" ins(%x) outs(%y) scalars(%n : i64) config "forward"
    ```
  }];
  let arguments = (ins StrAttr:$callee, Arg<Variadic<Txp_Buffer>, "", [MemRead]>:$ins,
    Arg<Variadic<Txp_Buffer>, "", [MemWrite]>:$outs,
    Variadic<Txp_Scalar>:$scalars, OptionalAttr<StrAttr>:$config, Txp_Queue:$queue);
  let assemblyFormat = [{
    $callee (`ins` `(` $ins^ `)`)? (`outs` `(` $outs^ `)`)?
    (`scalars` `(` $scalars^ `:` type($scalars) `)`)? (`config` $config^)?
    (`queue` `(` $queue^ `)`)? attr-dict
  }];
  let hasVerifier = 1;
}

def Txp_RecordOp : Txp_QueueOp<"record"> {
  let summary = "An event that is reached when the queue's work so far is done.";
  let description = [{
    ```mlir
    %e = txp.record queue(1)
    ```
  }];
  let arguments = (ins Txp_Queue:$queue);
  let results = (outs Txp_Event:$event);
  let assemblyFormat = "(`queue` `(` $queue^ `)`)? attr-dict";
}

def Txp_WaitOp : Txp_QueueOp<"wait"> {
  let summary = "Holds a queue's further work until an event is reached.";
  let description = [{
    ```mlir
    txp.wait %e
    ```
  }];
  let arguments = (ins Txp_Event:$event, Txp_Queue:$queue);
  let assemblyFormat = "$event (`queue` `(` $queue^ `)`)? attr-dict";
}

#endif
