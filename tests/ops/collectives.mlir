// Ops over several ranks, of which there is one. tests/runtime/core/spmd_test.cpp has four.
//
// RUN: %npy %t.x.npy f32 '[[1, 2], [3, 4]]'
// RUN: %run_op --input=%t.x.npy | FileCheck %s
// RUN: %run_op --entry=types --random-inputs --compare=reference
// RUN: %run_op --entry=types --random-inputs --shape=n:6,5 --compare=reference

func.func @main(%x: tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<i64>) {
  %0 = tx.all_reduce %x sum ranks = 1 : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %1 = tx.all_gather %x dim = 1 ranks = 1 : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %2 = tx.reduce_scatter %x max dim = 1 ranks = 1 : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %3 = tx.all_to_all %x split = 0 concat = 1 ranks = 1 : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %4 = tx.collective_broadcast %x root = 0 ranks = 1 : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %5 = tx.collective_permute %x pairs = [] ranks = 1 : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %6 = tx.partition_id ranks = 1 : () -> tensor<i64>
  return %0, %1, %2, %3, %4, %5, %6 : tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<i64>
}
// CHECK:      out0: f32[2,2]
// CHECK-NEXT: {{\[\[}}1, 2],
// CHECK-NEXT:  [3, 4]]
// CHECK-NEXT: out1: f32[2,2]
// CHECK-NEXT: {{\[\[}}1, 2],
// CHECK-NEXT:  [3, 4]]
// CHECK-NEXT: out2: f32[2,2]
// CHECK-NEXT: {{\[\[}}1, 2],
// CHECK-NEXT:  [3, 4]]
// CHECK-NEXT: out3: f32[2,2]
// CHECK-NEXT: {{\[\[}}1, 2],
// CHECK-NEXT:  [3, 4]]
// CHECK-NEXT: out4: f32[2,2]
// CHECK-NEXT: {{\[\[}}1, 2],
// CHECK-NEXT:  [3, 4]]
// CHECK-NEXT: out5: f32[2,2]
// CHECK-NEXT: {{\[\[}}0, 0],
// CHECK-NEXT:  [0, 0]]
// CHECK-NEXT: out6: i64[]
// CHECK-NEXT: 0

func.func @types(%b: tensor<6xbf16>, %c: tensor<4x3xcomplex<f32>>, %i: tensor<5xi8>, %n: tensor<?x?xf32, #tx.dims<[n, m]>> {tx.name = "n"})
    -> (tensor<6xbf16>, tensor<4x3xcomplex<f32>>, tensor<5xi8>, tensor<?x?xf32, #tx.dims<[n, m]>>) {
  %0 = tx.all_reduce %b product ranks = 1 : (tensor<6xbf16>) -> tensor<6xbf16>
  %1 = tx.reduce_scatter %c sum dim = 1 ranks = 1 : (tensor<4x3xcomplex<f32>>) -> tensor<4x3xcomplex<f32>>
  %2 = tx.all_reduce %i or ranks = 1 : (tensor<5xi8>) -> tensor<5xi8>
  %3 = tx.all_gather %n dim = 1 ranks = 1 : (tensor<?x?xf32, #tx.dims<[n, m]>>) -> tensor<?x?xf32, #tx.dims<[n, m]>>
  return %0, %1, %2, %3 : tensor<6xbf16>, tensor<4x3xcomplex<f32>>, tensor<5xi8>, tensor<?x?xf32, #tx.dims<[n, m]>>
}
