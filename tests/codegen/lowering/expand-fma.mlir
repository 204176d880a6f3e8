// RUN: %tensorc-opt %s --txk-expand-fma | FileCheck %s

// CHECK-LABEL: func @single
// CHECK: %[[PRODUCT:.*]] = arith.mulf {{.*}} : vector<4xf64>
// CHECK: arith.addf %[[PRODUCT]], {{.*}} : vector<4xf64>
// CHECK: arith.truncf {{.*}} : vector<4xf64> to vector<4xf32>
// CHECK-NOT: fma
func.func @single(%x: vector<4xf32>, %y: vector<4xf32>, %z: vector<4xf32>) -> vector<4xf32> {
  %0 = vector.fma %x, %y, %z : vector<4xf32>
  return %0 : vector<4xf32>
}

// CHECK-LABEL: func @two_roundings_do
// CHECK-NEXT: %[[PRODUCT:.*]] = arith.mulf %arg0, %arg1 : f64
// CHECK-NEXT: arith.addf %[[PRODUCT]], %arg2 : f64
// CHECK-NEXT: return
func.func @two_roundings_do(%x: f64, %y: f64, %z: f64) -> f64 {
  %0 = math.fma %x, %y, %z fastmath<contract> : f64
  return %0 : f64
}

// CHECK-LABEL: func @double
// CHECK-NOT: fma
// CHECK: return
func.func @double(%x: f64, %y: f64, %z: f64) -> f64 {
  %0 = math.fma %x, %y, %z : f64
  return %0 : f64
}

// Products of matrices with fast-math.
// RUN: %tensorc-opt %s --pass-pipeline='builtin.module(builtin.module(builtin.module(txk-expand-fma)))' | FileCheck %s --check-prefix=FAST
module attributes {txk.fast_math} {
  // FAST-LABEL: func @fast
  // FAST-NEXT: %[[PRODUCT:.*]] = arith.mulf %arg0, %arg1 : vector<4xf32>
  // FAST-NEXT: arith.addf %[[PRODUCT]], %arg2 : vector<4xf32>
  module @kernels {
    func.func @fast(%x: vector<4xf32>, %y: vector<4xf32>, %z: vector<4xf32>) -> vector<4xf32> {
      %0 = vector.fma %x, %y, %z : vector<4xf32>
      return %0 : vector<4xf32>
    }
  }
}
