// Shuffles of any type are made of shuffles of i32.
// RUN: %tensorc-opt %s --txk-expand-shuffles | FileCheck %s

// CHECK-LABEL: func.func @word(
func.func @word(%x: i32, %o: i32, %w: i32) -> (i32, i1) {
  // CHECK-NEXT: %[[Y:.*]], %[[V:.*]] = gpu.shuffle xor %{{.*}} : i32
  // CHECK-NEXT: return %[[Y]], %[[V]]
  %y, %v = gpu.shuffle xor %x, %o, %w : i32
  return %y, %v : i32, i1
}

// CHECK-LABEL: func.func @single(
func.func @single(%x: f32, %o: i32, %w: i32) -> f32 {
  // CHECK: %[[B:.*]] = arith.bitcast %{{.*}} : f32 to i32
  // CHECK: %[[Y:.*]], %{{.*}} = gpu.shuffle idx %[[B]], %{{.*}}, %{{.*}} : i32
  // CHECK: arith.bitcast %[[Y]] : i32 to f32
  %y, %v = gpu.shuffle idx %x, %o, %w : f32
  return %y : f32
}

// CHECK-LABEL: func.func @double(
func.func @double(%x: f64, %o: i32, %w: i32) -> f64 {
  // CHECK: %[[B:.*]] = arith.bitcast %{{.*}} : f64 to i64
  // CHECK-COUNT-2: gpu.shuffle xor %{{.*}} : i32
  // CHECK-NOT: gpu.shuffle
  // CHECK: arith.bitcast %{{.*}} : i64 to f64
  %y, %v = gpu.shuffle xor %x, %o, %w : f64
  return %y : f64
}

// CHECK-LABEL: func.func @half(
func.func @half(%x: f16, %o: i32, %w: i32) -> f16 {
  // CHECK: %[[B:.*]] = arith.bitcast %{{.*}} : f16 to i16
  // CHECK: arith.extui %[[B]] : i16 to i32
  // CHECK: gpu.shuffle xor %{{.*}} : i32
  // CHECK: arith.trunci %{{.*}} : i32 to i16
  %y, %v = gpu.shuffle xor %x, %o, %w : f16
  return %y : f16
}

// CHECK-LABEL: func.func @lanes(
func.func @lanes(%x: vector<2xi1>, %o: i32, %w: i32) -> vector<2xi1> {
  // CHECK-COUNT-2: gpu.shuffle xor %{{.*}} : i32
  // CHECK: vector.from_elements %{{.*}}, %{{.*}} : vector<2xi1>
  %y, %v = gpu.shuffle xor %x, %o, %w : vector<2xi1>
  return %y : vector<2xi1>
}
