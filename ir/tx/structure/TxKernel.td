//===- TxKernel.td - Calls of kernels written by the user -----------------===//
#ifndef TENSORC_IR_TX_OPS_TXKERNEL_TD
#define TENSORC_IR_TX_OPS_TXKERNEL_TD

include "ir/tx/TxAttributes.td"
include "ir/tx/structure/TxStructure.td"

def Tx_KernelCallOp : Tx_StructureOp<"kernel_call", [Pure]> {
  let summary = "A user-defined GPU kernel (see docs/gpu.md)";
  let description = [{
    `kernel` is a `gpu.module` of the program with one `gpu.func`, or a
    `txp.kernel_source`. It takes the inputs' buffers, the outputs' buffers, and
    then `scalars`. The scalars, the grid (up to three dims) and the bytes of
    `shared` memory are expressions over the named sizes. The kernel must depend
    only on its inputs, and must write all elements of its outputs unless they
    are `zeroed` before. It is never fused.
    ```mlir
    %0 = tx.kernel_call @saxpy(%x, %y) grid <[4]> block [256] scalars <[1000]> : (tensor<1000xf32>, tensor<1000xf32>) -> tensor<1000xf32>
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$kernel, Variadic<Tx_Tensor>:$inputs,
                       Tx_DimsAttr:$grid, OptionalAttr<DenseI32ArrayAttr>:$block,
                       OptionalAttr<Tx_DimsAttr>:$shared,
                       OptionalAttr<Tx_DimsAttr>:$scalars, UnitAttr:$zeroed);
  let results = (outs Variadic<Tx_Tensor>:$outputs);
  let assemblyFormat = [{
    $kernel `(` $inputs `)` `grid` $grid (`block` $block^)? (`shared` $shared^)?
    (`scalars` $scalars^)? (`zeroed` $zeroed^)? attr-dict
    `:` functional-type($inputs, $outputs)
  }];
  let hasVerifier = 1;
}

#endif // TENSORC_IR_TX_OPS_TXKERNEL_TD
