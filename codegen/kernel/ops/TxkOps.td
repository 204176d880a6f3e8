//===- TxkOps.td - The txk dialect of kernels: ops ------------------------===//
#ifndef TENSORC_CODEGEN_KERNEL_OPS_TXKOPS_TD
#define TENSORC_CODEGEN_KERNEL_OPS_TXKOPS_TD

include "codegen/kernel/ops/TxkDialect.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Txk_Op<string mnemonic, list<Trait> traits = []>
    : Op<TxkDialect, mnemonic, traits>;

class Txk_FragmentOf<string role, string name> : Type<And<[
    CPred<"::llvm::isa<::tensorc::txk::FragmentType>($_self)">,
    CPred<"::llvm::cast<::tensorc::txk::FragmentType>($_self).getRole() == "
          "::tensorc::txk::Role::" # role>]>, name>;
def Txk_Left : Txk_FragmentOf<"Left", "a left fragment">;
def Txk_Right : Txk_FragmentOf<"Right", "a right fragment">;
def Txk_Sum : Txk_FragmentOf<"Sum", "a fragment of sums">;

class Txk_Registers<int count, string element, string more> : Type<
    CPred<"$_self == ::mlir::VectorType::get({" # count # "}, "
          "::mlir::" # element # "::get($_self.getContext()" # more # "))">,
    "" # count # " registers">,
  BuildableType<"::mlir::VectorType::get({" # count # "}, "
                "::mlir::" # element # "::get($_builder.getContext()" # more # "))">;
def Txk_2xI32 : Txk_Registers<2, "IntegerType", ", 32">;
def Txk_4xI32 : Txk_Registers<4, "IntegerType", ", 32">;
def Txk_4xF32 : Txk_Registers<4, "Float32Type", "">;

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

def Txk_TileZeroOp : Txk_Op<"tile_zero", [Pure]> {
  let summary = "A tile of zeros.";
  let results = (outs Txk_Sum:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
}

def Txk_TileLoadOp : Txk_Op<"tile_load"> {
  let summary = "Loads a left or right tile from shared memory.";
  let description = [{
    The element at K step k of row p (of a left tile) or column p (of a right
    one) is loaded from `index + p * stride + k`, or with `along_places` from
    `index + k * stride + p`. Index and stride are multiples of 8 elements. All
    lanes of the subgroup execute the op with the same index.
    ```mlir
    %l = txk.tile_load %m[%i] stride 40
        : memref<5120xf16, #gpu.address_space<workgroup>> -> !txk.fragment<left, f16>
    ```
  }];
  let arguments = (ins Arg<AnyMemRef, "", [MemRead]>:$memory, Index:$index,
                       I64Attr:$stride, UnitAttr:$along_places);
  let results = (outs AnyTypeOf<[Txk_Left, Txk_Right]>:$result);
  let assemblyFormat = [{
    $memory `[` $index `]` `stride` $stride (`along_places` $along_places^)?
    attr-dict `:` type($memory) `->` type($result)
  }];
}

def Txk_TileMmaOp : Txk_Op<"tile_mma", [Pure, AllTypesMatch<["sum", "result"]>]> {
  let summary = "sum + left * right, with 16 K steps.";
  let description = [{
    Products are exact. They are added in f32, in an order that depends on the
    target.
  }];
  let arguments = (ins Txk_Left:$left, Txk_Right:$right, Txk_Sum:$sum);
  let results = (outs Txk_Sum:$result);
  let assemblyFormat = [{
    $left `,` $right `,` $sum attr-dict
    `:` type($left) `,` type($right) `,` type($sum)
  }];
}

def Txk_TileScaleOp : Txk_Op<"tile_scale", [AllTypesMatch<["sum", "result"]>]> {
  let summary = "Multiplies each row of a tile of sums by a factor of its own.";
  let description = [{
    Row r is multiplied by the element at `index + r`. The index is a multiple
    of 16. All lanes of the subgroup execute the op with the same index.
    ```mlir
    %t = txk.tile_scale %s, %m[%i]
        : !txk.fragment<sum, f32>, memref<64xf32, #gpu.address_space<workgroup>>
    ```
  }];
  let arguments = (ins Txk_Sum:$sum, Arg<AnyMemRef, "", [MemRead]>:$memory,
                       Index:$index);
  let results = (outs Txk_Sum:$result);
  let assemblyFormat = [{
    $sum `,` $memory `[` $index `]` attr-dict `:` type($sum) `,` type($memory)
  }];
}

def Txk_TileStoreOp : Txk_Op<"tile_store"> {
  let summary = "Stores a tile of sums to shared memory.";
  let description = [{
    The sum of row r and column c is stored at `index + r * stride + c`. Index
    and stride are even.
  }];
  let arguments = (ins Txk_Sum:$sum, Arg<AnyMemRef, "", [MemWrite]>:$memory,
                       Index:$index, I64Attr:$stride);
  let assemblyFormat = [{
    $sum `,` $memory `[` $index `]` `stride` $stride attr-dict
    `:` type($sum) `,` type($memory)
  }];
}

//===----------------------------------------------------------------------===//
// Products of narrow integers
//===----------------------------------------------------------------------===//

def Txk_AddProductsOp : Txk_Op<"add_products", [Pure,
    AllTypesMatch<["x", "y"]>, AllTypesMatch<["sum", "result"]>]> {
  let summary = "sum + x * y, with several narrow products added to each 32-bit lane.";
  let description = [{
    Lane l adds the products of the elements in its 32 bits: four of i8, or two
    of i16. Sums wrap. Elements are signed, except that `x_unsigned` and
    `y_unsigned` mark operands of unsigned bytes.
    ```mlir
    %r = txk.add_products %x, %y, %s {x_unsigned} : vector<64xi8>, vector<16xi32>
    ```
  }];
  let arguments = (ins AnyVectorOfNonZeroRank:$x, AnyVectorOfNonZeroRank:$y,
                       AnyVectorOfNonZeroRank:$sum, UnitAttr:$x_unsigned,
                       UnitAttr:$y_unsigned);
  let results = (outs AnyVectorOfNonZeroRank:$result);
  let assemblyFormat = [{
    $x `,` $y `,` $sum attr-dict `:` type($x) `,` type($sum)
  }];
}

//===----------------------------------------------------------------------===//
// Asynchronous copies
//===----------------------------------------------------------------------===//

def Txk_CopyAsyncOp : Txk_Op<"copy_async"> {
  let summary = "Starts an asynchronous copy of 16 bytes to shared memory.";
  let description = [{
    Both addresses are multiples of 16 bytes. If `inside` is false, zeros are
    written and nothing is read. The copy belongs to the group that the thread's
    next `copy_commit` closes.
    ```mlir
    txk.copy_async %x[%i] to %m[%j] if %inside
        : memref<?xf16> to memref<5120xf16, #gpu.address_space<workgroup>>
    ```
  }];
  let arguments = (ins AnyMemRef:$from, Index:$from_index, AnyMemRef:$to,
                       Index:$to_index, Optional<I1>:$inside);
  let assemblyFormat = [{
    $from `[` $from_index `]` `to` $to `[` $to_index `]` (`if` $inside^)?
    attr-dict `:` type($from) `to` type($to)
  }];
}

def Txk_CopyCommitOp : Txk_Op<"copy_commit"> {
  let summary = "Closes a group: the thread's copies since its previous group.";
  let assemblyFormat = "attr-dict";
}

def Txk_CopyWaitOp : Txk_Op<"copy_wait"> {
  let summary = "Waits until at most `pending` of the thread's groups are incomplete.";
  let description = [{
    Other threads see the copied elements only after a barrier that follows.
  }];
  let arguments = (ins I32Attr:$pending);
  let assemblyFormat = "$pending attr-dict";
}

//===----------------------------------------------------------------------===//
// Instructions of NVIDIA's chips
//===----------------------------------------------------------------------===//

def Txk_NvLdmatrixOp : Txk_Op<"nv.ldmatrix"> {
  let summary = "Loads four 8 x 8 matrices of 16-bit elements, one per register.";
  let description = [{
    Lane i provides the address of row i mod 8 of matrix i / 8. For each matrix,
    it receives a register with elements 2 (i mod 4) and 2 (i mod 4) + 1 of row
    i / 4, or with `trans` of column i / 4.
  }];
  let arguments = (ins AnyMemRef:$memory, Index:$index, UnitAttr:$trans);
  let results = (outs Txk_4xI32:$result);
  let assemblyFormat = [{
    $memory `[` $index `]` (`trans` $trans^)? attr-dict
    `:` type($memory)
  }];
}

def Txk_NvMmaOp : Txk_Op<"nv.mma"> {
  let summary = "mma.sync m16n8k16 of f16 or bf16, with sums in f32.";
  let arguments = (ins Txk_4xI32:$left,
                       Txk_2xI32:$right,
                       Txk_4xF32:$sum,
                       TypeAttr:$element);
  let results = (outs Txk_4xF32:$result);
  let assemblyFormat = "$element $left `,` $right `,` $sum attr-dict";
}

//===----------------------------------------------------------------------===//
// Instructions of AMD's chips
//===----------------------------------------------------------------------===//

def Txk_AmdMfmaOp : Txk_Op<"amd.mfma"> {
  let summary = "mfma 16x16x16 of f16 or bf16, with sums in f32.";
  let arguments = (ins Txk_2xI32:$left,
                       Txk_2xI32:$right,
                       Txk_4xF32:$sum,
                       TypeAttr:$element);
  let results = (outs Txk_4xF32:$result);
  let assemblyFormat = "$element $left `,` $right `,` $sum attr-dict";
}

include "codegen/kernel/ops/TxkHopper.td"

#endif // TENSORC_CODEGEN_KERNEL_OPS_TXKOPS_TD
