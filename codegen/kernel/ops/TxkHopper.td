//===- TxkHopper.td - Instructions of NVIDIA's sm_90a ---------------------===//
#ifndef TENSORC_CODEGEN_KERNEL_OPS_TXKHOPPER_TD
#define TENSORC_CODEGEN_KERNEL_OPS_TXKHOPPER_TD

class Txk_NvBarrierOp<string mnemonic, dag more> : Txk_Op<mnemonic> {
  let arguments = !con((ins AnyMemRef:$barriers, Index:$index), more);
}

def Txk_NvMbarrierInitOp : Txk_NvBarrierOp<"nv.mbarrier_init", (ins I32Attr:$arrivals)> {
  let summary = "Makes a barrier in memory of the workgroup, 8 bytes.";
  let description = [{
    A phase is over when as many threads have arrived and all bytes that were
    expected have come; the next one begins.
  }];
  let assemblyFormat = "$barriers `[` $index `]` `arrivals` $arrivals attr-dict `:` type($barriers)";
}

def Txk_NvMbarrierFenceOp : Txk_Op<"nv.mbarrier_fence"> {
  let summary = "Shows barriers that were made to asynchronous copies.";
  let assemblyFormat = "attr-dict";
}

def Txk_NvMbarrierArriveOp : Txk_NvBarrierOp<"nv.mbarrier_arrive",
    (ins DefaultValuedOptionalAttr<I32Attr, "0">:$bytes)> {
  let summary = "Arrives, and has the phase wait for so many bytes of copies.";
  let assemblyFormat = [{
    $barriers `[` $index `]` (`expects` $bytes^)? attr-dict `:` type($barriers)
  }];
}

def Txk_NvMbarrierWaitOp : Txk_NvBarrierOp<"nv.mbarrier_wait", (ins I32:$parity)> {
  let summary = "Waits until the phase of the parity is over.";
  let description = [{
    Phases are counted from 0. Of a barrier that is new, the phase of parity 1
    counts as over.
  }];
  let assemblyFormat = "$barriers `[` $index `]` `parity` $parity attr-dict `:` type($barriers)";
}

def Txk_NvTensorCopyOp : Txk_Op<"nv.tensor_copy"> {
  let summary = "Begins to copy a box of a buffer to memory of the workgroup.";
  let description = [{
    One thread's work. The box begins at the coordinates, innermost first; the
    barrier counts its bytes, zeros beyond the buffer included.
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
  let summary = "A barrier of some of the block's threads; 0 is everyone's.";
  let arguments = (ins ConfinedAttr<I32Attr, [IntMinValue<1>, IntMaxValue<15>]>:$number,
                       I32Attr:$threads);
  let assemblyFormat = "$number `threads` $threads attr-dict";
}

def Txk_NvSetRegistersOp : Txk_Op<"nv.set_registers"> {
  let summary = "Takes or gives back registers, for 128 threads together.";
  let arguments = (ins I32Attr:$count, UnitAttr:$increase);
  let assemblyFormat = "$count (`increase` $increase^)? attr-dict";
}

def Txk_NvSharedAddressOp : Txk_Op<"nv.shared_address", [Pure]> {
  let summary = "Where an element is, as descriptors count.";
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
  let summary = "Begins sum += left * right, 128 threads together.";
  let description = [{
    `wgmma.mma_async` m64nNk16 with a vector of N / 2 sums per thread, `steps`
    times; descriptors advance by so much for each. `fence` comes before, and
    `commit` ends a group of multiplications behind it. An operand is read
    along k, or along its places: rows of left, columns of right. The result
    may be handed on, but holds sums only behind a wait.
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
  let summary = "Waits for all groups of multiplications but the last `pending`.";
  let arguments = (ins Txk_Sums:$sums, I32Attr:$pending);
  let results = (outs Txk_Sums:$result);
  let assemblyFormat = "$sums `pending` $pending attr-dict `:` type($sums)";
}

#endif // TENSORC_CODEGEN_KERNEL_OPS_TXKHOPPER_TD
