//===- TxkHopper.td - Instructions of NVIDIA's sm_90a ---------------------===//
#ifndef TENSORC_CODEGEN_KERNEL_OPS_TXKHOPPER_TD
#define TENSORC_CODEGEN_KERNEL_OPS_TXKHOPPER_TD

class Txk_NvBarrierOp<string mnemonic, dag more> : Txk_Op<mnemonic> {
  let arguments = !con((ins AnyMemRef:$barriers, Index:$index), more);
}

def Txk_NvMbarrierInitOp : Txk_NvBarrierOp<"nv.mbarrier_init", (ins I32Attr:$arrivals)> {
  let summary = "Initializes a barrier (8 bytes) in shared memory.";
  let description = [{
    A phase is complete when `arrivals` threads have arrived and all bytes that
    they expected have been copied. The next phase then begins.
  }];
  let assemblyFormat = "$barriers `[` $index `]` `arrivals` $arrivals attr-dict `:` type($barriers)";
}

def Txk_NvMbarrierFenceOp : Txk_Op<"nv.mbarrier_fence"> {
  let summary = "Makes initialized barriers visible to asynchronous copies.";
  let assemblyFormat = "attr-dict";
}

def Txk_NvMbarrierArriveOp : Txk_NvBarrierOp<"nv.mbarrier_arrive",
    (ins DefaultValuedOptionalAttr<I32Attr, "0">:$bytes)> {
  let summary = "Arrives, and adds `bytes` to the bytes that the phase expects.";
  let assemblyFormat = [{
    $barriers `[` $index `]` (`expects` $bytes^)? attr-dict `:` type($barriers)
  }];
}

def Txk_NvMbarrierWaitOp : Txk_NvBarrierOp<"nv.mbarrier_wait", (ins I32:$parity)> {
  let summary = "Waits until the phase with the given parity is complete.";
  let description = [{
    Phases are counted from 0. A wait for parity 1 on a new barrier returns at
    once.
  }];
  let assemblyFormat = "$barriers `[` $index `]` `parity` $parity attr-dict `:` type($barriers)";
}

def Txk_NvTensorCopyOp : Txk_Op<"nv.tensor_copy"> {
  let summary = "Starts an asynchronous copy of a box of a buffer to shared memory.";
  let description = [{
    Executed by one thread. The box begins at the coordinates, innermost first.
    The barrier counts the bytes of the whole box, including the zeros that are
    written for elements beyond the buffer.
    ```mlir
    txk.nv.tensor_copy %map[%k, %row] to %tile[%place] signals %full[%stage]
        : memref<?xf16, 3>, memref<4xi64, 3>
    ```
  }];
  let arguments = (ins Txk_TensorMap:$map, Variadic<Index>:$coordinates,
                       AnyMemRef:$to, Index:$to_index, AnyMemRef:$barriers,
                       Index:$barrier);
  let assemblyFormat = [{
    $map `[` $coordinates `]` `to` $to `[` $to_index `]` `signals`
    $barriers `[` $barrier `]` attr-dict `:` type($to) `,` type($barriers)
  }];
}

def Txk_NvBarrierSyncOp : Txk_Op<"nv.barrier_sync"> {
  let summary = "Synchronizes `threads` threads of the block at a named barrier.";
  let arguments = (ins ConfinedAttr<I32Attr, [IntMinValue<1>, IntMaxValue<15>]>:$number,
                       I32Attr:$threads);
  let assemblyFormat = "$number `threads` $threads attr-dict";
}

def Txk_NvSetRegistersOp : Txk_Op<"nv.set_registers"> {
  let summary = "Sets the number of registers per thread of a warpgroup.";
  let arguments = (ins I32Attr:$count, UnitAttr:$increase);
  let assemblyFormat = "$count (`increase` $increase^)? attr-dict";
}

def Txk_NvSharedAddressOp : Txk_Op<"nv.shared_address", [Pure]> {
  let summary = "Byte address of an element in the shared memory window.";
  let arguments = (ins AnyMemRef:$memory, Index:$index);
  let results = (outs I32:$address);
  let assemblyFormat = "$memory `[` $index `]` attr-dict `:` type($memory)";
}

def Txk_Sums : Type<CPred<[{
    ::llvm::isa<::mlir::VectorType>($_self) &&
    ::llvm::cast<::mlir::VectorType>($_self).getRank() == 1 &&
    ::llvm::cast<::mlir::VectorType>($_self).getElementType().isF32()}]>,
  "a vector of f32">;

def Txk_NvWgmmaOp : Txk_Op<"nv.wgmma", [AllTypesMatch<["sums", "result"]>]> {
  let summary = "Starts sums += left * right, executed by the 128 threads of a warpgroup.";
  let description = [{
    Executes `wgmma.mma_async` m64nNk16 `steps` times, with a vector of N / 2
    sums per thread. After each step, the descriptors advance by `left_advance`
    and `right_advance`. `fence` emits a fence before the first step; `commit`
    closes a group of multiplications after the last one. The contiguous
    dimension of an operand is K, or with `along_places` its other dimension:
    the rows of left, the columns of right. The result must not be read before
    a wait, but can be the operand of further multiplications.
  }];
  let arguments = (ins I64:$left, I64:$right, Txk_Sums:$sums, TypeAttr:$element,
                       I32Attr:$steps, I32Attr:$left_advance,
                       I32Attr:$right_advance, UnitAttr:$left_along_places,
                       UnitAttr:$right_along_places, UnitAttr:$fence,
                       UnitAttr:$commit);
  let results = (outs Txk_Sums:$result);
  let assemblyFormat = [{
    $element $left `by` $left_advance (`along_places` $left_along_places^)? `,`
    $right `by` $right_advance (`along` `places` $right_along_places^)? `,`
    $sums `steps` $steps (`fence` $fence^)? (`commit` $commit^)? attr-dict
    `:` type($sums)
  }];
}

def Txk_NvWgmmaWaitOp : Txk_Op<"nv.wgmma_wait", [AllTypesMatch<["sums", "result"]>]> {
  let summary = "Waits until at most `pending` groups of multiplications are incomplete.";
  let arguments = (ins Txk_Sums:$sums, I32Attr:$pending);
  let results = (outs Txk_Sums:$result);
  let assemblyFormat = "$sums `pending` $pending attr-dict `:` type($sums)";
}

#endif // TENSORC_CODEGEN_KERNEL_OPS_TXKHOPPER_TD
