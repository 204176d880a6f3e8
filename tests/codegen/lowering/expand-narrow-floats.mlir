// RUN: %tensorc-opt %s --txk-expand-narrow-floats | FileCheck %s
// RUN: %tensorc-opt %s --txk-expand-narrow-floats=f16-converts | FileCheck %s --check-prefix=HW
// RUN: %tensorc-opt %s --txk-expand-narrow-floats=bf16-rounds | FileCheck %s --check-prefix=ROUNDS

// CHECK-LABEL: func @bf16
// CHECK: %[[BITS:.*]] = arith.bitcast %arg0 : vector<16xbf16> to vector<16xi16>
// CHECK: arith.extui %[[BITS]] : vector<16xi16> to vector<16xi32>
// CHECK: arith.shli
// CHECK: arith.addf {{.*}} : vector<16xf32>
// CHECK-NOT: truncf
// CHECK: arith.trunci {{.*}} : vector<16xi32> to vector<16xi16>
// Each operation rounds: the product starts from the rounded sum.
// CHECK: %[[SUM:.*]] = arith.bitcast {{.*}} : vector<16xi16> to vector<16xbf16>
// CHECK: arith.bitcast %[[SUM]] : vector<16xbf16> to vector<16xi16>
// CHECK: arith.mulf {{.*}} : vector<16xf32>
func.func @bf16(%x: vector<16xbf16>, %y: vector<16xbf16>) -> vector<16xbf16> {
  %0 = arith.addf %x, %y : vector<16xbf16>
  %1 = arith.mulf %0, %y : vector<16xbf16>
  return %1 : vector<16xbf16>
}

// CHECK-LABEL: func @f16
// CHECK-NOT: arith.extf
// CHECK: math.exp {{.*}} : f32
// CHECK-NOT: arith.truncf
// CHECK: return
// HW-LABEL: func @f16
// HW-NEXT: %[[WIDE:.*]] = arith.extf %arg0 : f16 to f32
// HW-NEXT: %[[EXP:.*]] = math.exp %[[WIDE]] : f32
// HW-NEXT: arith.truncf %[[EXP]] : f32 to f16
func.func @f16(%x: f16) -> f16 {
  %0 = math.exp %x : f16
  return %0 : f16
}

// CHECK-LABEL: func @sign_and_moves
// CHECK: arith.xori {{.*}} : vector<8xi16>
// CHECK: arith.select {{.*}} vector<8xi16>
// CHECK-NOT: f32
// CHECK: return
func.func @sign_and_moves(%c: vector<8xi1>, %x: vector<8xbf16>) -> vector<8xbf16> {
  %0 = arith.negf %x : vector<8xbf16>
  %1 = arith.select %c, %0, %x : vector<8xi1>, vector<8xbf16>
  return %1 : vector<8xbf16>
}

// The instruction makes one NaN of all, so an input's is narrowed by its bits.
// ROUNDS-LABEL: func @to_bfloat
// ROUNDS:         %[[CVT:.*]] = arith.truncf %arg0 : vector<4xf32> to vector<4xbf16>
// ROUNDS:         %[[ROUNDED:.*]] = arith.bitcast %[[CVT]] : vector<4xbf16> to vector<4xi16>
// ROUNDS:         arith.constant dense<4194304> : vector<4xi32>
// ROUNDS:         %[[QUIET:.*]] = arith.trunci %{{.*}} : vector<4xi32> to vector<4xi16>
// ROUNDS:         %[[NAN:.*]] = arith.cmpf uno, %arg0, %arg0
// ROUNDS:         arith.select %[[NAN]], %[[QUIET]], %[[ROUNDED]]
func.func @to_bfloat(%x: vector<4xf32>) -> vector<4xbf16> {
  %0 = arith.truncf %x : vector<4xf32> to vector<4xbf16>
  return %0 : vector<4xbf16>
}

// ROUNDS-LABEL: func @sum_to_bfloat
// ROUNDS:         %[[SUM:.*]] = arith.addf
// ROUNDS-NEXT:    %[[CVT:.*]] = arith.truncf %[[SUM]] : f32 to bf16
// ROUNDS-NEXT:    %[[BITS:.*]] = arith.bitcast %[[CVT]] : bf16 to i16
// ROUNDS-NEXT:    arith.bitcast %[[BITS]] : i16 to bf16
// ROUNDS-NEXT:    return
func.func @sum_to_bfloat(%x: bf16) -> bf16 {
  %0 = arith.addf %x, %x : bf16
  return %0 : bf16
}

// f64 is rounded to odd in f32 first, so that the second rounding is right.
// HW-LABEL: func @from_f64
// HW: arith.truncf {{.*}} : f64 to f32
// HW: arith.extf {{.*}} : f32 to f64
// HW: arith.truncf {{.*}} : f32 to f16
func.func @from_f64(%x: f64) -> f16 {
  %0 = arith.truncf %x : f64 to f16
  return %0 : f16
}

// f8 by integers of 32 bits: 464, a tie, is the largest that e4m3 keeps.
// CHECK-LABEL: func @f8
// CHECK: arith.bitcast %arg0 : vector<16xf8E5M2> to vector<16xi8>
// CHECK-NOT: arith.extf
// CHECK-NOT: arith.truncf
// CHECK: arith.constant dense<1139277824> : vector<16xi32>
// CHECK: arith.trunci {{.*}} : vector<16xi32> to vector<16xi8>
// CHECK: arith.bitcast {{.*}} : vector<16xi8> to vector<16xf8E4M3FN>
func.func @f8(%x: vector<16xf8E5M2>) -> vector<16xf8E4M3FN> {
  %0 = arith.extf %x : vector<16xf8E5M2> to vector<16xf32>
  %1 = arith.truncf %0 : vector<16xf32> to vector<16xf8E4M3FN>
  return %1 : vector<16xf8E4M3FN>
}

// Not through f16, which would round twice.
// HW-LABEL: func @half_to_f8
// HW: arith.extf %arg0 : f16 to f32
// HW-NOT: f16
// HW: return
func.func @half_to_f8(%x: f16) -> f8E5M2 {
  %0 = arith.truncf %x : f16 to f8E5M2
  return %0 : f8E5M2
}

// bf16 represents all f8, so nothing is rounded: no 0x7fff is added.
// CHECK-LABEL: func @f8_to_bfloat
// CHECK-NOT:     32767
// CHECK:         arith.shrui {{.*}} : i32
// CHECK-NOT:     32767
// CHECK:         arith.bitcast %{{.*}} : i16 to bf16
func.func @f8_to_bfloat(%x: f8E4M3FN) -> bf16 {
  %0 = arith.extf %x : f8E4M3FN to f32
  %1 = arith.truncf %0 : f32 to bf16
  return %1 : bf16
}
