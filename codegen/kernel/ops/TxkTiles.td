//===- TxkTiles.td - The txk dialect: products of bytes, and wmma ---------===//
//
// Few sources use these ops, so they have a header of their own
// (TileInstructions.h) and are no part of precompiled headers.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_CODEGEN_KERNEL_OPS_TXKTILES_TD
#define TENSORC_CODEGEN_KERNEL_OPS_TXKTILES_TD

include "codegen/kernel/ops/TxkDialect.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Txk_TileInstruction<string mnemonic>
    : Op<TxkDialect, mnemonic, [AllTypesMatch<["sum", "result"]>]>;

class Txk_Words<int count> : Type<
    CPred<"$_self == ::mlir::VectorType::get({" # count # "}, "
          "::mlir::IntegerType::get($_self.getContext(), 32))">,
    "" # count # " registers">,
  BuildableType<"::mlir::VectorType::get({" # count # "}, "
                "::mlir::IntegerType::get($_builder.getContext(), 32))">;
def Txk_TwoWords : Txk_Words<2>;
def Txk_FourWords : Txk_Words<4>;

def Txk_NvMmaBytesOp : Txk_TileInstruction<"nv.mma_bytes"> {
  let summary = "mma.sync m16n8k32 of i8 or ui8, with sums in i32 that wrap.";
  let arguments = (ins Txk_FourWords:$left, Txk_TwoWords:$right,
                       Txk_FourWords:$sum, UnitAttr:$left_unsigned,
                       UnitAttr:$right_unsigned);
  let results = (outs Txk_FourWords:$result);
  let assemblyFormat = "$left `,` $right `,` $sum attr-dict";
}

def Txk_AmdMfmaI8Op : Txk_TileInstruction<"amd.mfma_i8"> {
  let summary = "mfma 16x16x32 of i8, with sums in i32 that wrap.";
  let description = [{
    gfx90a multiplies 16 K steps at a time, in two instructions.
  }];
  let arguments = (ins Txk_TwoWords:$left, Txk_TwoWords:$right,
                       Txk_FourWords:$sum);
  let results = (outs Txk_FourWords:$result);
  let assemblyFormat = "$left `,` $right `,` $sum attr-dict";
}

def Txk_AmdWmmaOp : Txk_TileInstruction<"amd.wmma"> {
  let summary = "wmma 16x16x16 of f16 or bf16 with sums in f32, or of bytes with sums in i32.";
  let description = [{
    A lane's registers hold a row or half of a row of the left matrix, and as
    much of a column of the right one, which their number tells.
  }];
  let arguments = (ins AnyVectorOfNonZeroRank:$left,
                       AnyVectorOfNonZeroRank:$right,
                       AnyVectorOfNonZeroRank:$sum, TypeAttr:$element,
                       UnitAttr:$left_unsigned, UnitAttr:$right_unsigned);
  let results = (outs AnyVectorOfNonZeroRank:$result);
  let assemblyFormat = [{
    $element $left `,` $right `,` $sum attr-dict
    `:` type($left) `,` type($right) `,` type($sum)
  }];
}

#endif // TENSORC_CODEGEN_KERNEL_OPS_TXKTILES_TD
