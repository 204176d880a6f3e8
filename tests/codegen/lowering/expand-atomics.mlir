// Atomics that no hardware has become compare-and-swap loops, which leave NaN and narrow floats right.
// RUN: %tensorc-opt %s --txk-expand-atomics | FileCheck %s
// RUN: %tensorc-opt %s --txk-expand-atomics --txk-expand-narrow-floats --txk-convert-storage-to-bits | FileCheck %s --check-prefix=BITS

// CHECK-LABEL: func.func @native(
func.func @native(%m: memref<?xf32>, %k: memref<?xi64>, %i: index, %x: f32, %n: i64) {
  // CHECK-COUNT-2: memref.atomic_rmw
  // CHECK-NOT: generic
  %0 = memref.atomic_rmw addf %x, %m[%i] : (f32, memref<?xf32>) -> f32
  %1 = memref.atomic_rmw mins %n, %k[%i] : (i64, memref<?xi64>) -> i64
  return
}

// CHECK-LABEL: func.func @maximum(
// CHECK-SAME: %[[M:.*]]: memref<?xf32>, %[[I:.*]]: index, %[[X:.*]]: f32)
func.func @maximum(%m: memref<?xf32>, %i: index, %x: f32) -> f32 {
  // CHECK: %[[OLD:.*]] = memref.generic_atomic_rmw %[[M]][%[[I]]] : memref<?xf32> {
  // CHECK: ^bb0(%[[NOW:.*]]: f32):
  // CHECK:   %[[NEW:.*]] = arith.maximumf %[[NOW]], %[[X]] : f32
  // CHECK:   memref.atomic_yield %[[NEW]] : f32
  // CHECK: return %[[OLD]]
  %0 = memref.atomic_rmw maximumf %x, %m[%i] : (f32, memref<?xf32>) -> f32
  return %0 : f32
}

// Computed in f32, exchanged as bits.
// BITS-LABEL: func.func @narrow(
// BITS-SAME: %[[M:.*]]: memref<?xi16>, %{{.*}}: index, %{{.*}}: i16)
func.func @narrow(%m: memref<?xbf16>, %i: index, %x: bf16) {
  // BITS: memref.generic_atomic_rmw %[[M]][%{{.*}}] : memref<?xi16> {
  // BITS: ^bb0(%{{.*}}: i16):
  // BITS:   arith.addf %{{.*}}, %{{.*}} : f32
  // BITS:   memref.atomic_yield %{{.*}} : i16
  %0 = memref.atomic_rmw addf %x, %m[%i] : (bf16, memref<?xbf16>) -> bf16
  return
}

// CHECK-LABEL: func.func @byte(
func.func @byte(%m: memref<?xi8>, %i: index, %x: i8) {
  // CHECK: memref.generic_atomic_rmw %{{.*}} : memref<?xi8> {
  // CHECK: arith.ori %{{.*}}, %{{.*}} : i8
  %0 = memref.atomic_rmw ori %x, %m[%i] : (i8, memref<?xi8>) -> i8
  return
}
