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
    Emitters create ops without a prefix, which have the same semantics on every
    target: the lanes of a subgroup jointly process tiles of 16 x 16 elements,
    and the target decides which lane holds which elements. `txk-expand-tiles`
    replaces them by ops with a target's prefix (`nv.`, `amd.`). Each of those is
    one instruction of a family of chips; its operands are the values of a lane's
    registers.
  }];
  let useDefaultTypePrinterParser = 1;
}

def Txk_Role : I32EnumAttr<"Role", "Role of a tile in sum += left * right", [
    I32EnumAttrCase<"Left", 0, "left">, I32EnumAttrCase<"Right", 1, "right">,
    I32EnumAttrCase<"Sum", 2, "sum">]> {
  let cppNamespace = "::tensorc::txk";
}

def Txk_Fragment : TypeDef<TxkDialect, "Fragment"> {
  let mnemonic = "fragment";
  let summary = "A tile of 16 x 16 elements, held by the lanes of a subgroup.";
  let description = [{
    A `left` fragment, such as `!txk.fragment<left, f16>`, has 16 rows and 16 K
    steps, a `right` one 16 K steps and 16 columns, and a `sum` one 16 rows and
    16 columns.
  }];
  let parameters = (ins EnumParameter<Txk_Role>:$role, "::mlir::Type":$element);
  let assemblyFormat = "`<` $role `,` $element `>`";
}

def Txk_TensorMap : TypeDef<TxkDialect, "TensorMap"> {
  let mnemonic = "tensor_map";
  let summary = "A descriptor of a buffer and of the boxes copied from it.";
}

#endif // TENSORC_CODEGEN_KERNEL_OPS_TXKDIALECT_TD
