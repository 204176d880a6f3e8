// Sums and products that the user wrote may be fused under --fast-math, and nothing else: what a function is made of
// counts on its rounding. Integers have no such flags.
//
// RUN: %tensorc compile %s --target=cpu --fast-math --stop-after=emit | FileCheck %s
// RUN: %tensorc compile %s --target=cpu --stop-after=emit | FileCheck %s --check-prefix=EXACT
// RUN: %tensorc run %s --device=cpu --fast-math --random-inputs --compare=reference

// CHECK-LABEL: func.func @{{.*}}mul
// CHECK-DAG: arith.mulf {{.*}} fastmath<reassoc,contract>
// CHECK-DAG: arith.addf {{.*}} fastmath<reassoc,contract>
// CHECK-NOT: arith.divf {{.*}} fastmath
// CHECK-NOT: arith.addi {{.*}} fastmath
// EXACT-NOT: fastmath
func.func @main(%x: tensor<64xf32>, %y: tensor<64xf32>, %i: tensor<64xi32>) -> (tensor<64xf32>, tensor<64xi32>) {
  %0 = tx.mul %x, %y : tensor<64xf32>
  %1 = tx.add %0, %x : tensor<64xf32>
  %2 = tx.div %1, %y : tensor<64xf32>
  %3 = tx.sqrt %2 : tensor<64xf32>
  %4 = tx.add %i, %i : tensor<64xi32>
  return %3, %4 : tensor<64xf32>, tensor<64xi32>
}
