//===- TxkAmx.td - The txk dialect: tile registers of AMX -----------------===//
//
// Tile registers are numbers 0 to 7 in these ops. LLVM does not allocate them,
// and no instruction but these changes them.
//
// Few sources use these ops, so that they have a header of their own (Amx.h)
// and are no part of precompiled headers.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_CODEGEN_KERNEL_OPS_TXKAMX_TD
#define TENSORC_CODEGEN_KERNEL_OPS_TXKAMX_TD

include "codegen/kernel/ops/TxkDialect.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Txk_AmxOp<string mnemonic> : Op<TxkDialect, "amx." # mnemonic>;

def Txk_AmxConfigureOp : Txk_AmxOp<"configure"> {
  let summary = "Makes each tile register 16 rows of 64 bytes of zeros.";
  let description = [{
    The op writes the configuration into `memory`, a buffer of 64 bytes on the
    stack, from which the instruction loads it.
  }];
  let arguments = (ins AnyMemRef:$memory);
  let assemblyFormat = "$memory attr-dict `:` type($memory)";
}

def Txk_AmxReleaseOp : Txk_AmxOp<"release"> {
  let summary = "Returns the tile registers to their initial state.";
  let description = [{
    The system then need not save them when it switches threads.
  }];
  let assemblyFormat = "attr-dict";
}

def Txk_AmxZeroOp : Txk_AmxOp<"zero"> {
  let summary = "Sets a tile register to zeros.";
  let arguments = (ins I64Attr:$tile);
  let assemblyFormat = "$tile attr-dict";
}

def Txk_AmxLoadOp : Txk_AmxOp<"load"> {
  let summary = "Loads 16 rows of 64 bytes into a tile register.";
  let description = [{
    Row r begins `r * stride` bytes after the element at `index`. With `once`,
    the data replaces as little as possible in L1.
    ```mlir
    txk.amx.load 4, %x[%i] stride %c64 : memref<?xi32>
    ```
  }];
  let arguments = (ins I64Attr:$tile, AnyMemRef:$memory, Index:$index,
                       Index:$stride, UnitAttr:$once);
  let assemblyFormat = [{
    $tile `,` $memory `[` $index `]` `stride` $stride (`once` $once^)? attr-dict
    `:` type($memory)
  }];
}

def Txk_AmxStoreOp : Txk_AmxOp<"store"> {
  let summary = "Stores a tile register as 16 rows of 64 bytes.";
  let arguments = (ins I64Attr:$tile, AnyMemRef:$memory, Index:$index,
                       Index:$stride);
  let assemblyFormat = [{
    $tile `,` $memory `[` $index `]` `stride` $stride attr-dict
    `:` type($memory)
  }];
}

def Txk_AmxDotOp : Txk_AmxOp<"dot"> {
  let summary = "sum += x * y, for tile registers.";
  let description = [{
    Word [r, c] of `sum` adds, for each w, the products of the elements in word
    [r, w] of `x` and word [w, c] of `y`: four of i8, or two of bf16. Bytes are
    signed, except that `x_unsigned` and `y_unsigned` mark unsigned ones.
    ```mlir
    txk.amx.dot 0, 4, 6 of i8 {x_unsigned}
    ```
  }];
  let arguments = (ins I64Attr:$sum, I64Attr:$x, I64Attr:$y,
                       TypeAttr:$element, UnitAttr:$x_unsigned,
                       UnitAttr:$y_unsigned);
  let assemblyFormat = "$sum `,` $x `,` $y `of` $element attr-dict";
}

#endif // TENSORC_CODEGEN_KERNEL_OPS_TXKAMX_TD
