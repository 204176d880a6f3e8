// What fits in 32 bits is computed in 32 bits; shifts by more keep their width.
//
// RUN: %tensorc-opt %s --txk-lower-integer-width | FileCheck %s

// CHECK-LABEL: func @products
// CHECK: arith.muli {{.*}} : i32
// CHECK-NOT: arith.muli {{.*}} : index
// CHECK: return
func.func @products() -> index {
  %c64 = arith.constant 64 : index
  %x = gpu.thread_id x upper_bound 256
  %0 = arith.muli %x, %c64 : index
  return %0 : index
}

// CHECK-LABEL: func @shifts
// CHECK: arith.shrui {{.*}} : i32
// CHECK: arith.shrui {{.*}} : i64
// CHECK: return
func.func @shifts() -> (i64, i64) {
  %c3 = arith.constant 3 : i64
  %c32 = arith.constant 32 : i64
  %x = gpu.thread_id x upper_bound 256
  %i = arith.index_cast %x : index to i64
  %0 = arith.shrui %i, %c3 : i64
  %1 = arith.shrui %i, %c32 : i64
  return %0, %1 : i64, i64
}

// A loop that starts from a constant of another type has ranges, too.
//
// CHECK-LABEL: func @carried
// CHECK: scf.for
// CHECK: arith.muli {{.*}} : i32
// CHECK-NOT: arith.muli {{.*}} : index
// CHECK: return
func.func @carried(%m: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %r = scf.for %i = %c0 to %c64 step %c4 iter_args(%sum = %zero) -> (f32) {
    %0 = arith.muli %i, %c4 : index
    %1 = memref.load %m[%0] : memref<?xf32>
    %2 = arith.addf %sum, %1 : f32
    scf.yield %2 : f32
  }
  return %r : f32
}

// Nothing is known about the index of a loop without constant bounds.
//
// CHECK-LABEL: func @unknown
// CHECK: affine.for
// CHECK: arith.muli {{.*}} : index
func.func @unknown(%m: memref<?xf32>, %n: index) {
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to %n {
    %0 = arith.muli %i, %c4 : index
    memref.store %zero, %m[%0] : memref<?xf32>
  }
  return
}
