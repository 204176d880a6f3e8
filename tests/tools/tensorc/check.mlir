// TENSORC_CHECK: a list of words, of which an unknown one is refused.
//
// RUN: env TENSORC_CHECK=memory %tensorc run %s --random-inputs --compare=reference | FileCheck %s
// RUN: env TENSORC_CHECK=memory,memory, %tensorc run %s --device=sim --random-inputs --compare=reference | FileCheck %s
// RUN: env TENSORC_CHECK=memory,speed %exits 2 %tensorc run %s --random-inputs 2>&1 | FileCheck %s --check-prefix=WORD
//
// Kernels that once wrote outside of their outputs.
// RUN: env TENSORC_CHECK=memory %tensorc run %root/tests/ops/outputs.mlir --random-inputs --compare=reference
// RUN: env TENSORC_CHECK=memory %tensorc run %root/tests/ops/convolution.mlir --entry=strided_first --random-inputs --compare=reference

// CHECK: compare out0: equal
// WORD: TENSORC_CHECK: 'speed' is not a check; there are: memory, nan
func.func @main(%x: tensor<37xi32>) -> tensor<37xi32> {
  %0 = tx.add %x, %x : tensor<37xi32>
  return %0 : tensor<37xi32>
}
