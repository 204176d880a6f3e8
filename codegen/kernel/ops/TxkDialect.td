//===- TxkDialect.td - The txk dialect of kernels: types ------------------===//
#ifndef TENSORC_CODEGEN_KERNEL_OPS_TXKDIALECT_TD
#define TENSORC_CODEGEN_KERNEL_OPS_TXKDIALECT_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"

def TxkDialect : Dialect {
  let name = "txk";
  let cppNamespace = "::tensorc::txk";
  let summary = "Tiles and asynchronous copies in the kernels of a grid.";
  let description = [{
    Ops without a prefix are for emitters and mean the same on every target: a
    subgroup works on tiles of 16 x 16 elements together, and the target decides
    which lane holds which elements. `txk-expand-tiles` replaces them by ops with
    a prefix. Each of those is one instruction of a family of chips and names its
    registers.
  }];
  let useDefaultTypePrinterParser = 1;
}

def Txk_Role : I32EnumAttr<"Role", "What a tile is in sum += left * right", [
    I32EnumAttrCase<"Left", 0, "left">, I32EnumAttrCase<"Right", 1, "right">,
    I32EnumAttrCase<"Sum", 2, "sum">]> {
  let cppNamespace = "::tensorc::txk";
}

def Txk_Fragment : TypeDef<TxkDialect, "Fragment"> {
  let mnemonic = "fragment";
  let summary = "A tile of 16 x 16 elements, held by the lanes of a subgroup.";
  let description = [{
    `!txk.fragment<left, f16>` is 16 rows by 16 steps of k, `right` 16 steps of k
    by 16 columns, `sum` 16 rows by 16 columns.
  }];
  let parameters = (ins EnumParameter<Txk_Role>:$role, "::mlir::Type":$element);
  let assemblyFormat = "`<` $role `,` $element `>`";
}

def Txk_TensorMap : TypeDef<TxkDialect, "TensorMap"> {
  let mnemonic = "tensor_map";
  let summary = "A window on a buffer, as the device wants it described.";
}

#endif // TENSORC_CODEGEN_KERNEL_OPS_TXKDIALECT_TD
