//===- TxDft.td - Fourier transforms that become kernels ------------------===//
#ifndef TENSORC_IR_TX_STRUCTURE_TXDFT_TD
#define TENSORC_IR_TX_STRUCTURE_TXDFT_TD

include "ir/tx/TxDialect.td"

def Tx_DftOp : Tx_Op<"dft", [Pure, AllTypesMatch<["x", "result"]>]> {
  let category = "structure";
  let summary = "Fourier transforms of rows, by a table of roots";
  let description = [{
    The compiler makes it from a tx.fft that a kernel of its own computes. Its operands are the real parts and the imaginary
    parts of rows, and the table that ir/fourier/Plan.h makes for their length.
    ```mlir
    %0 = tx.dft %x, %table inverse : tensor<2x3x2xf32>, tensor<2xf32>
    ```
  }];
  let arguments = (ins RankedTensorOf<[F32, F64]>:$x, RankedTensorOf<[F32, F64]>:$table, UnitAttr:$inverse);
  let results = (outs RankedTensorOf<[F32, F64]>:$result);
  let assemblyFormat = "$x `,` $table (`inverse` $inverse^)? attr-dict `:` type($x) `,` type($table)";
  let hasVerifier = 1;
  let notDifferentiable = 1;
  let inApi = 0;
}

#endif // TENSORC_IR_TX_STRUCTURE_TXDFT_TD
