//===- TxkTiles.td - The txk dialect: tiles in registers, bytes, wmma -----===//
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

//===----------------------------------------------------------------------===//
// Tiles as registers
//===----------------------------------------------------------------------===//

class Txk_TileOf<string role, string name> : Type<And<[
    CPred<"::llvm::isa<::tensorc::txk::FragmentType>($_self)">,
    CPred<"::llvm::cast<::tensorc::txk::FragmentType>($_self).getRole() == "
          "::tensorc::txk::Role::" # role>]>, name>;
def Txk_LeftTile : Txk_TileOf<"Left", "a left fragment">;
def Txk_SumTile : Txk_TileOf<"Sum", "a fragment of sums">;

def Txk_TileElementsOp : Op<TxkDialect, "tile_elements", [Pure]> {
  let summary = "The elements of a tile of sums that a lane holds.";
  let description = [{
    Only for units with the layout of codegen/kernel/SumLayout.h.
    ```mlir
    %e = txk.tile_elements %s : !txk.fragment<sum, f32> -> vector<8xf32>
    ```
  }];
  let arguments = (ins Txk_SumTile:$tile);
  let results = (outs AnyVectorOfNonZeroRank:$elements);
  let assemblyFormat = "$tile attr-dict `:` type($tile) `->` type($elements)";
}

def Txk_TileOfElementsOp : Op<TxkDialect, "tile_of_elements", [Pure]> {
  let summary = "The tile of sums of which a lane holds these elements.";
  let arguments = (ins AnyVectorOfNonZeroRank:$elements);
  let results = (outs Txk_SumTile:$tile);
  let assemblyFormat = "$elements attr-dict `:` type($elements) `->` type($tile)";
}

def Txk_TileNarrowOp : Op<TxkDialect, "tile_narrow", [Pure]> {
  let summary = "The left tile of these elements, rounded to nearest even.";
  let description = [{
    A lane holds the elements as it holds those of a tile of sums.
    ```mlir
    %l = txk.tile_narrow %e : vector<8xf32> -> !txk.fragment<left, bf16>
    ```
  }];
  let arguments = (ins AnyVectorOfNonZeroRank:$elements);
  let results = (outs Txk_LeftTile:$tile);
  let assemblyFormat = "$elements attr-dict `:` type($elements) `->` type($tile)";
}

def Txk_FastExp2Op : Op<TxkDialect, "fast_exp2", [Pure,
    AllTypesMatch<["x", "result"]>]> {
  let summary = "2^x with a relative error of 2^-22; results below 2^-126 are 0.";
  let description = [{
    For f32, on chips with an instruction for it.
  }];
  let arguments = (ins AnyType:$x);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$x attr-dict `:` type($x)";
}

def Txk_NvNarrowOp : Op<TxkDialect, "nv.narrow", [Pure]> {
  let summary = "cvt of pairs of f32 to f16 or bf16, rounded to nearest even.";
  let arguments = (ins AnyVectorOfNonZeroRank:$elements, TypeAttr:$element);
  let results = (outs Txk_FourWords:$result);
  let assemblyFormat = "$element $elements attr-dict `:` type($elements)";
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

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
