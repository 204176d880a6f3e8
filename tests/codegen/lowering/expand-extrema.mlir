// A maximum beside a number that all lanes have is x86's instruction and a sum, a minimum one and an or; of two vectors
// it is vrangeps.
//
// RUN: %tensorc-opt %s --txk-expand-extrema=range --canonicalize --split-input-file | FileCheck %s
// RUN: %tensorc-opt %s --txk-expand-extrema --canonicalize --split-input-file | FileCheck %s --check-prefix=OLD

// CHECK-LABEL: func @above(
// CHECK-DAG:   %[[PLUS:.*]] = arith.constant 0.000000e+00 : f32
// CHECK-DAG:   %[[MINUS:.*]] = arith.constant -0.000000e+00 : f32
// CHECK:       %[[C:.*]] = vector.broadcast %arg1
// CHECK:       %[[MORE:.*]] = arith.cmpf ogt, %[[C]], %arg0
// CHECK:       %[[M:.*]] = arith.select %[[MORE]], %[[C]], %arg0
// CHECK:       %[[NAN:.*]] = arith.cmpf uno, %arg1, %arg1
// CHECK:       %[[ZERO:.*]] = arith.select {{.*}}, %[[PLUS]], %[[MINUS]]
// CHECK:       %[[Z:.*]] = arith.select %[[NAN]], %arg1, %[[ZERO]]
// CHECK:       %[[ADDEND:.*]] = vector.broadcast %[[Z]]
// CHECK:       %[[R:.*]] = arith.addf %[[M]], %[[ADDEND]]
// CHECK:       return %[[R]]
func.func @above(%x: vector<16xf32>, %c: f32) -> vector<16xf32> {
  %v = vector.broadcast %c : f32 to vector<16xf32>
  %r = arith.maximumf %x, %v : vector<16xf32>
  return %r : vector<16xf32>
}

// -----

// CHECK-LABEL: func @below(
// CHECK:       arith.cmpf olt
// CHECK:       arith.select
// CHECK:       arith.ori {{.*}} : vector<4xi64>
func.func @below(%x: vector<4xf64>, %c: f64) -> vector<4xf64> {
  %v = vector.broadcast %c : f64 to vector<4xf64>
  %r = arith.minimumf %v, %x : vector<4xf64>
  return %r : vector<4xf64>
}

// -----

// A constant says what it needs: nothing, or +0 above -0.
// CHECK-LABEL: func @constants(
// CHECK:       arith.cmpf olt
// CHECK-NEXT:  arith.select
// CHECK-NEXT:  arith.cmpf ogt
// CHECK-NEXT:  %[[M:.*]] = arith.select
// CHECK-NEXT:  arith.addf %[[M]], %{{.*}}
// CHECK-NEXT:  return
func.func @constants(%x: vector<8xf32>) -> vector<8xf32> {
  %six = arith.constant dense<6.0> : vector<8xf32>
  %zero = arith.constant dense<0.0> : vector<8xf32>
  %0 = arith.minimumf %x, %six : vector<8xf32>
  %1 = arith.maximumf %0, %zero : vector<8xf32>
  return %1 : vector<8xf32>
}

// -----

// CHECK-LABEL: func @vectors(
// CHECK-DAG:   %[[WHICH:.*]] = arith.constant 5 : i32
// CHECK:       %[[FOUND:.*]] = llvm.call_intrinsic "llvm.x86.avx512.mask.range.ps.512"(%arg0, %arg1, %[[WHICH]]
// CHECK:       %[[NAN:.*]] = arith.cmpf uno, %arg0, %arg1
// CHECK:       %[[SUM:.*]] = arith.addf %arg0, %arg1
// CHECK:       arith.select %[[NAN]], %[[SUM]], %[[FOUND]]
// OLD-LABEL:   func @vectors(
// OLD-NEXT:    arith.maximumf
func.func @vectors(%x: vector<16xf32>, %y: vector<16xf32>) -> vector<16xf32> {
  %r = arith.maximumf %x, %y : vector<16xf32>
  return %r : vector<16xf32>
}

// -----

// CHECK-LABEL: func @scalars(
// CHECK-NEXT:  arith.maximumf
func.func @scalars(%x: f32, %y: f32) -> f32 {
  %r = arith.maximumf %x, %y : f32
  return %r : f32
}
