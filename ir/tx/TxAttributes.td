//===- TxAttributes.td - Attributes of the tx dialect ---------------------===//
#ifndef TENSORC_IR_TX_TXATTRIBUTES_TD
#define TENSORC_IR_TX_TXATTRIBUTES_TD

include "ir/tx/TxDialect.td"
include "mlir/IR/TensorEncoding.td"

def Tx_DimsAttr : AttrDef<Tx_Dialect, "Dims", [
    DeclareAttrInterfaceMethods<VerifiableTensorEncoding>]> {
  let mnemonic = "dims";
  let summary = "Names of a tensor's symbolic dimensions";
  let description = [{
    The encoding of a tensor type with dynamic dimensions: one expression per
    dimension over named sizes, `#tx.dims<[n, 64, n * 2 + m]>`, with
    `+ - * floordiv ceildiv mod min(,) max(,)`. The expressions are of the
    context's own (ir/shape/Dim.h).
  }];
  let parameters = (ins ArrayRefParameter<"::tensorc::shape::Dim">:$dims);
  let hasCustomAssemblyFormat = 1;
}

def Tx_SymbolAttr : AttrDef<Tx_Dialect, "Symbol"> {
  let mnemonic = "symbol";
  let summary = "Facts about a named size";
  let description = [{
    In a function's `tx.symbols` list: bounds (inclusive) and a divisor of a
    named size, `#tx.symbol<"n", min = 1, max = 4096, divisor = 8>`.
  }];
  let parameters = (ins "::mlir::StringAttr":$name,
                        DefaultValuedParameter<"int64_t", "0">:$min,
                        DefaultValuedParameter<"int64_t", "INT64_MAX">:$max,
                        DefaultValuedParameter<"int64_t", "1">:$divisor);
  let assemblyFormat = [{ `<` $name (`,` struct($min, $max, $divisor)^)? `>` }];
}

#endif // TENSORC_IR_TX_TXATTRIBUTES_TD
