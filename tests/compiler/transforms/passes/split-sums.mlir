// The product behind an attention sums over its heads and over what each has. One loop over both would divide at each step.
//
// RUN: %tensorc-opt %s --tx-expand-degenerate | FileCheck %s
// RUN: %tensorc-opt %s --canonicalize --tx-expand-degenerate --canonicalize --tx-fuse-ops --tx-choose-schedules --tx-emit-program --canonicalize --cse | FileCheck %s --check-prefix=LOOPS
// RUN: sed s/cpu:x86-64-v4/cuda:sm_80/ %s | %tensorc-opt --tx-expand-degenerate | FileCheck %s --check-prefix=GRID
// RUN: %tensorc run %s --entry=heads --device=cpu --random-inputs --compare=reference
// RUN: %tensorc run %s --entry=turned --device=cpu --random-inputs --compare=reference
// RUN: %tensorc run %s --entry=named --device=cpu --random-inputs --shape=arg0:2,4,33,16 --compare=reference
// RUN: %tensorc run %s --entry=three --device=cpu --random-inputs --compare=reference

module attributes {tx.target = "cpu:x86-64-v4"} {
// CHECK-LABEL: func.func @heads(
// CHECK-SAME:    %[[X:.*]]: tensor<1x4x67x16xf32>, %[[W:.*]]: tensor<64x40xf32>
// CHECK-DAG:     %[[T:.*]] = tx.transpose %[[X]]
// CHECK-DAG:     %[[R:.*]] = tx.reshape %[[T]] : tensor<67x1x4x16xf32> -> tensor<67x4x16xf32>
// CHECK-DAG:     %[[V:.*]] = tx.reshape %[[W]] : tensor<64x40xf32> -> tensor<4x16x40xf32>
// CHECK:         tx.dot_general %[[R]], %[[V]] batch = [] x [] contracting = [1, 2] x [0, 1]
// LOOPS-LABEL: func.func @dot_general
// LOOPS-NOT:     arith.{{div|rem}}ui %{{.*}}, %c16 : index
// LOOPS:         vector.fma
// LOOPS-LABEL: txp.func
func.func @heads(%x: tensor<1x4x67x16xf32>, %w: tensor<64x40xf32>) -> tensor<67x40xf32> {
  %t = tx.transpose %x permutation = [2, 0, 1, 3] : tensor<1x4x67x16xf32> -> tensor<67x1x4x16xf32>
  %r = tx.reshape %t : tensor<67x1x4x16xf32> -> tensor<67x64xf32>
  %d = tx.dot_general %r, %w batch = [] x [] contracting = [1] x [0] : (tensor<67x64xf32>, tensor<64x40xf32>) -> tensor<67x40xf32>
  return %d : tensor<67x40xf32>
}

// CHECK-LABEL: func.func @turned(
// CHECK:         tx.dot_general {{.*}} contracting = [1, 2] x
func.func @turned(%x: tensor<4x67x16xf64>, %w: tensor<40x64xf64>) -> tensor<67x40xf64> {
  %t = tx.transpose %x permutation = [1, 0, 2] : tensor<4x67x16xf64> -> tensor<67x4x16xf64>
  %r = tx.reshape %t : tensor<67x4x16xf64> -> tensor<67x64xf64>
  %d = tx.dot_general %r, %w batch = [] x [] contracting = [1] x [1] : (tensor<67x64xf64>, tensor<40x64xf64>) -> tensor<67x40xf64>
  return %d : tensor<67x40xf64>
}

// Few rows: CPUs have other schedules for them, GPUs would read x with gaps.
// CHECK-LABEL: func.func @few_rows(
// CHECK:         tx.dot_general {{.*}} contracting = [1] x [0]
// GRID-LABEL:  func.func @few_rows(
// GRID:          tx.dot_general {{.*}} contracting = [1, 2] x [0, 1]
func.func @few_rows(%x: tensor<4x32x16xf32>, %w: tensor<64x40xf32>) -> tensor<32x40xf32> {
  %t = tx.transpose %x permutation = [1, 0, 2] : tensor<4x32x16xf32> -> tensor<32x4x16xf32>
  %r = tx.reshape %t : tensor<32x4x16xf32> -> tensor<32x64xf32>
  %d = tx.dot_general %r, %w batch = [] x [] contracting = [1] x [0] : (tensor<32x64xf32>, tensor<64x40xf32>) -> tensor<32x40xf32>
  return %d : tensor<32x40xf32>
}

// Rows of any number may be many.
// CHECK-LABEL: func.func @named(
// CHECK:         tx.dot_general {{.*}} contracting = [2, 3] x [0, 1]
func.func @named(%x: tensor<?x4x?x16xf32, #tx.dims<[n, 4, s, 16]>>, %w: tensor<64x40xf32>) -> tensor<?x?x40xf32, #tx.dims<[n, s, 40]>> {
  %t = tx.transpose %x permutation = [0, 2, 1, 3] : tensor<?x4x?x16xf32, #tx.dims<[n, 4, s, 16]>> -> tensor<?x?x4x16xf32, #tx.dims<[n, s, 4, 16]>>
  %r = tx.reshape %t : tensor<?x?x4x16xf32, #tx.dims<[n, s, 4, 16]>> -> tensor<?x?x64xf32, #tx.dims<[n, s, 64]>>
  %d = tx.dot_general %r, %w batch = [] x [] contracting = [2] x [0] : (tensor<?x?x64xf32, #tx.dims<[n, s, 64]>>, tensor<64x40xf32>) -> tensor<?x?x40xf32, #tx.dims<[n, s, 40]>>
  return %d : tensor<?x?x40xf32, #tx.dims<[n, s, 40]>>
}

// CHECK-LABEL: func.func @three(
// CHECK:         tx.dot_general {{.*}} batch = [0] x [1] contracting = [1, 2, 3] x [0, 2, 3]
func.func @three(%x: tensor<3x70x2x5x4xf32>, %w: tensor<3x2x20x9xf32>) -> tensor<2x70x9xf32> {
  %t = tx.transpose %x permutation = [2, 0, 4, 3, 1] : tensor<3x70x2x5x4xf32> -> tensor<2x3x4x5x70xf32>
  %r = tx.reshape %t : tensor<2x3x4x5x70xf32> -> tensor<2x3x20x70xf32>
  %d = tx.dot_general %r, %w batch = [0] x [1] contracting = [1, 2] x [0, 2] : (tensor<2x3x20x70xf32>, tensor<3x2x20x9xf32>) -> tensor<2x70x9xf32>
  return %d : tensor<2x70x9xf32>
}

// Few rows have other schedules, and what lies side by side is one loop.
// CHECK-LABEL: func.func @few(
// CHECK:         tx.dot_general {{.*}} contracting = [1] x [0]
func.func @few(%x: tensor<4x64x16xf32>, %w: tensor<64x40xf32>) -> tensor<64x40xf32> {
  %t = tx.transpose %x permutation = [1, 0, 2] : tensor<4x64x16xf32> -> tensor<64x4x16xf32>
  %r = tx.reshape %t : tensor<64x4x16xf32> -> tensor<64x64xf32>
  %d = tx.dot_general %r, %w batch = [] x [] contracting = [1] x [0] : (tensor<64x64xf32>, tensor<64x40xf32>) -> tensor<64x40xf32>
  return %d : tensor<64x40xf32>
}

// CHECK-LABEL: func.func @together(
// CHECK:         tx.dot_general {{.*}} contracting = [1] x [0]
func.func @together(%x: tensor<4x1x16x67xf32>, %w: tensor<64x40xf32>) -> tensor<67x40xf32> {
  %t = tx.transpose %x permutation = [3, 1, 0, 2] : tensor<4x1x16x67xf32> -> tensor<67x1x4x16xf32>
  %r = tx.reshape %t : tensor<67x1x4x16xf32> -> tensor<67x64xf32>
  %d = tx.dot_general %r, %w batch = [] x [] contracting = [1] x [0] : (tensor<67x64xf32>, tensor<64x40xf32>) -> tensor<67x40xf32>
  return %d : tensor<67x40xf32>
}

// Integers have their own instructions.
// CHECK-LABEL: func.func @integers(
// CHECK:         tx.dot_general {{.*}} contracting = [1] x [0]
func.func @integers(%x: tensor<4x67x16xi32>, %w: tensor<64x40xi32>) -> tensor<67x40xi32> {
  %t = tx.transpose %x permutation = [1, 0, 2] : tensor<4x67x16xi32> -> tensor<67x4x16xi32>
  %r = tx.reshape %t : tensor<67x4x16xi32> -> tensor<67x64xi32>
  %d = tx.dot_general %r, %w batch = [] x [] contracting = [1] x [0] : (tensor<67x64xi32>, tensor<64x40xi32>) -> tensor<67x40xi32>
  return %d : tensor<67x40xi32>
}
}
