//===- TxpKernels.td - Ops for kernels written by the user ----------------===//
#ifndef TENSORC_IR_PROGRAM_TXPKERNELS_TD
#define TENSORC_IR_PROGRAM_TXPKERNELS_TD

include "ir/program/TxpOps.td"

def Txp_KernelSourceOp : Txp_Op<"kernel_source", [Symbol]> {
  let summary = "A kernel of the user's own in a GPU's language.";
  let description = [{
    In CUDA C++, `kernel` is a name as the language has it: `saxpy`,
    `scale<float>`. The stage `lower` compiles it to a `txp.image`.
    ```mlir
    txp.kernel_source @saxpy "cuda" kernel "saxpy" flags ["-DN=4"] source "..."
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, StrAttr:$language,
    StrAttr:$kernel, OptionalAttr<StrArrayAttr>:$flags, StrAttr:$source);
  let assemblyFormat = [{
    $sym_name $language `kernel` $kernel (`flags` $flags^)? `source` $source
    attr-dict
  }];
}

def Txp_ImageOp : Txp_Op<"image", [Symbol]> {
  let summary = "The image of one kernel, beside that of the emitted ones.";
  let description = [{
    What the target's driver loads, and the kernel's name in it.
    ```mlir
    txp.image @saxpy kernel "saxpy" bytes ".version 8.0 ..."
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, StrAttr:$kernel, StrAttr:$bytes);
  let assemblyFormat = "$sym_name `kernel` $kernel `bytes` $bytes attr-dict";
}

def Txp_LaunchGridOp : Txp_QueueOp<"launch_grid", [
    AttrSizedOperandSegments, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "Runs a kernel of a txp.kernel_source or txp.image.";
  let description = [{
    Over a grid and with blocks of up to three dims; `shared` counts the bytes
    of its dynamic shared memory.
    ```mlir
    txp.launch_grid @saxpy grid(%n) block [256] shared(%bytes)
        ins(%x) outs(%y) scalars(%n : i64)
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$kernel, Variadic<I64>:$grid,
    DenseI32ArrayAttr:$block, Optional<I64>:$shared,
    Arg<Variadic<Txp_Buffer>, "", [MemRead]>:$ins,
    Arg<Variadic<Txp_Buffer>, "", [MemWrite]>:$outs,
    Variadic<Txp_Scalar>:$scalars, Txp_Queue:$queue);
  let assemblyFormat = [{
    $kernel `grid` `(` $grid `)` `block` $block (`shared` `(` $shared^ `)`)?
    (`ins` `(` $ins^ `)`)? (`outs` `(` $outs^ `)`)?
    (`scalars` `(` $scalars^ `:` type($scalars) `)`)?
    (`queue` `(` $queue^ `)`)? attr-dict
  }];
  let hasVerifier = 1;
}

#endif
