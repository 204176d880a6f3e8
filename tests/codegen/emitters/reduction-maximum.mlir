// Maxima and minima of floats among integers, where a target finds those faster: all orders of NaN, zeros and infinities.
//
// RUN: sed s/TARGET/cpu:x86-64-v4/ %s > %t.v4.mlir
// RUN: %tensorc-opt %t.v4.mlir --tx-fuse-ops --tx-choose-schedules --tx-emit-program --canonicalize --cse | FileCheck %s --check-prefixes=CHECK,WIDE
// RUN: sed s/TARGET/cpu:x86-64-v3/ %s > %t.v3.mlir
// RUN: %tensorc-opt %t.v3.mlir --tx-fuse-ops --tx-choose-schedules --tx-emit-program --canonicalize --cse | FileCheck %s --check-prefixes=CHECK,NARROW
// RUN: sed s/TARGET/cpu:aarch64/ %s > %t.arm.mlir
// RUN: %tensorc-opt %t.arm.mlir --tx-fuse-ops --tx-choose-schedules --tx-emit-program --canonicalize --cse | FileCheck %s --check-prefix=ARM

// RUN: %npy %t.x.npy f32 '[[1.0, -0.0, 0.0, -2.5, -inf, inf], [-nan, 1.0, 2.0, 3.0, -1.0, inf], [nan, -1.0, -inf, 0.0, 1.0, 2.0], [-0.0, -1.0, -2.0, -inf, -3.0, -0.0], [0.0, 1.0, 2.0, inf, 0.0, -0.0], [-inf, -inf, -inf, -inf, -inf, -inf], [inf, inf, inf, inf, inf, inf], [-1.5e-45, -1e-40, -2.0, -3.0, -4.0, -5.0]]'
// RUN: %tensorc run %s --entry=all --device=cpu --input=%t.x.npy | FileCheck %s --check-prefix=VALUES
// RUN: %tensorc run %s --entry=all --device=cpu --input=%t.x.npy --compare=reference

module attributes {tx.target = "TARGET"} {
// CHECK-LABEL: func.func @reduce_max_reduce_min(
// CHECK-NOT:   arith.maximumf
// CHECK-DAG:   arith.maxsi {{.*}} : vector<32xi32>
// CHECK-DAG:   arith.minsi {{.*}} : vector<32xi32>
// CHECK:       return
// ARM-LABEL:   func.func @reduce_max_reduce_min(
// ARM-NOT:     maxsi
// ARM-DAG:     arith.maximumf
// ARM-DAG:     arith.minimumf
// ARM:         return
func.func @singles(%x: tensor<8x70xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %0 = tx.reduce_max %x dims = [1] : tensor<8x70xf32> -> tensor<8xf32>
  %1 = tx.reduce_min %x dims = [1] : tensor<8x70xf32> -> tensor<8xf32>
  return %0, %1 : tensor<8xf32>, tensor<8xf32>
}
// Without 512 bits no instruction finds the maximum of wide integers.
// CHECK-LABEL: func.func @reduce_max(
// WIDE-NOT:    arith.maximumf
// WIDE:        arith.maxsi {{.*}} : vector<32xi64>
// NARROW-NOT:  arith.maxsi
// NARROW:      arith.maximumf {{.*}} : vector<32xf64>
// CHECK:       return
func.func @doubles(%x: tensor<8x70xf64>) -> tensor<8xf64> {
  %0 = tx.reduce_max %x dims = [1] : tensor<8x70xf64> -> tensor<8xf64>
  return %0 : tensor<8xf64>
}

// NaN of either sign are found; -0 is below 0.
// VALUES:      max: f32[8]
// VALUES-NEXT: [inf, nan, nan, -0, inf, -inf, inf, -1e-45]
// VALUES-NEXT: min: f32[8]
// VALUES-NEXT: [-inf, nan, nan, -inf, -0, -inf, inf, -5]
// VALUES-NEXT: max_doubles: f64[8]
// VALUES-NEXT: [inf, nan, nan, -0, inf, -inf, inf, -1.4
// VALUES-NEXT: min_halves: bf16[8]
// VALUES-NEXT: [-inf, nan, nan, -inf, -0, -inf, inf, -5]
// VALUES-NEXT: columns: f32[6]
// VALUES-NEXT: [nan, inf, inf, inf, inf, inf]
// VALUES-NEXT: one: f32[]
// VALUES-NEXT: nan
func.func @all(%x: tensor<8x6xf32>) -> (tensor<8xf32> {tx.name = "max"}, tensor<8xf32> {tx.name = "min"},
    tensor<8xf64> {tx.name = "max_doubles"}, tensor<8xbf16> {tx.name = "min_halves"}, tensor<6xf32> {tx.name = "columns"},
    tensor<f32> {tx.name = "one"}) {
  %0 = tx.reduce_max %x dims = [1] : tensor<8x6xf32> -> tensor<8xf32>
  %1 = tx.reduce_min %x dims = [1] : tensor<8x6xf32> -> tensor<8xf32>
  %d = tx.convert %x : tensor<8x6xf32> -> tensor<8x6xf64>
  %2 = tx.reduce_max %d dims = [1] : tensor<8x6xf64> -> tensor<8xf64>
  %h = tx.convert %x : tensor<8x6xf32> -> tensor<8x6xbf16>
  %3 = tx.reduce_min %h dims = [1] : tensor<8x6xbf16> -> tensor<8xbf16>
  %4 = tx.reduce_max %x dims = [0] : tensor<8x6xf32> -> tensor<6xf32>
  %5 = tx.reduce_max %x dims = [0, 1] : tensor<8x6xf32> -> tensor<f32>
  return %0, %1, %2, %3, %4, %5 : tensor<8xf32>, tensor<8xf32>, tensor<8xf64>, tensor<8xbf16>, tensor<6xf32>, tensor<f32>
}
}
