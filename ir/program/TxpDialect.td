//===- TxpDialect.td - Dialect and types of host programs -----------------===//
#ifndef TENSORC_IR_PROGRAM_TXPDIALECT_TD
#define TENSORC_IR_PROGRAM_TXPDIALECT_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/OpBase.td"

def TxpDialect : Dialect {
  let name = "txp";
  let cppNamespace = "::tensorc::txp";
  let summary = "The host program: allocate, transfer, launch.";
  let description = [{
    One `txp.func` is what the runtime interprets: i64 arithmetic (upstream
    `arith`), structured control flow (upstream `scf`) and the ops below.
    Buffers are flat runs of bytes; only an entry's arguments have dimensions.
    Arithmetic in a `txp.func` is size arithmetic: an overflow is an error at
    run time, not a wrapped value.
  }];
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
}

class Txp_Type<string typeName, string mnem> : TypeDef<TxpDialect, typeName> {
  let mnemonic = mnem;
}

def Txp_Buffer : Txp_Type<"Buffer", "buffer">,
    BuildableType<"$_builder.getType<::tensorc::txp::BufferType>()"> {
  let summary = "A run of bytes on the program's device, reference-counted.";
}

def Txp_Event : Txp_Type<"Event", "event">,
    BuildableType<"$_builder.getType<::tensorc::txp::EventType>()"> {
  let summary = "A point in a queue that another queue can wait for.";
}

def Txp_TensorMap : AttrDef<TxpDialect, "TensorMap"> {
  let mnemonic = "tensor_map";
  let summary = "A window on one of a launch's buffers; the kernel copies boxes of it.";
  let description = [{
    `element` and `swizzle` count bytes; `box` has the sides of a box, innermost first.
  }];
  let parameters = (ins "int32_t":$buffer, "int32_t":$element, "int32_t":$swizzle,
                        ArrayRefParameter<"int32_t">:$box);
  let assemblyFormat = [{
    `<` `buffer` `=` $buffer `,` `element` `=` $element `,` `swizzle` `=` $swizzle `,` `box` `=` `[` $box `]` `>`
  }];
  let genVerifyDecl = 1;
}

#endif
