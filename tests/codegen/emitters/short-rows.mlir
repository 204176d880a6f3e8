// Rows of two to four elements, of which lanes have one each: whole vectors are read and taken apart in registers.
//
// RUN: %tensorc-opt %s --tx-fuse-ops --tx-choose-schedules --tx-emit-program --canonicalize --cse | FileCheck %s
// RUN: %tensorc run %s --entry=three --device=cpu --random-inputs --compare=reference
// RUN: %tensorc run %s --entry=backwards --device=cpu --random-inputs --compare=reference
// RUN: %tensorc run %s --entry=four --device=cpu --random-inputs --compare=reference
// RUN: %tensorc run %s --entry=bytes --device=cpu --random-inputs --compare=reference
// RUN: %tensorc run %s --entry=one --device=cpu --random-inputs --compare=reference
// RUN: env TENSORC_CHECK=memory %tensorc run %s --entry=three --device=cpu --random-inputs --compare=reference
// RUN: env TENSORC_CHECK=memory %tensorc run %s --entry=backwards --device=cpu --random-inputs --compare=reference
// RUN: env TENSORC_CHECK=memory %tensorc run %s --entry=one --device=cpu --random-inputs --compare=reference
//
// A short sum has the bits that it has in a kernel of rows, the sign of zero included.
// RUN: rm -rf %t && mkdir -p %t/alone %t/rows
// RUN: %npy %t/x.npy f32 '[[-0.0, -0.0, -0.0], [1e8, 1.0, -1e8], [1.0, 1e8, -1e8], [-1e8, 3.0, 1e8], [0.1, 0.2, 0.3]]'
// RUN: %tensorc run %s --entry=alone --device=cpu --input=%t/x.npy --output-dir=%t/alone
// RUN: %tensorc run %s --entry=rows --device=cpu --input=%t/x.npy --output-dir=%t/rows
// RUN: cmp %t/alone/out0.npy %t/rows/out0.npy

module attributes {tx.target = "cpu:x86-64-v4"} {
// CHECK-LABEL: func.func @mul_add(
// CHECK:       scf.for
// CHECK:         vector.{{(masked)?load}} {{.*}} vector<16xf32>
// CHECK:         vector.{{(masked)?load}} {{.*}} vector<16xf32>
// CHECK:         vector.{{(masked)?load}} {{.*}} vector<16xf32>
// CHECK-COUNT-6: vector.shuffle
// CHECK-NOT:     gather
// CHECK:       return
func.func @three(%x: tensor<1003x3xf32>) -> tensor<1003xf32> {
  %0 = tx.slice %x offsets = [0, 0] strides = [1, 1] : tensor<1003x3xf32> -> tensor<1003x1xf32>
  %1 = tx.slice %x offsets = [0, 1] strides = [1, 1] : tensor<1003x3xf32> -> tensor<1003x1xf32>
  %2 = tx.slice %x offsets = [0, 2] strides = [1, 1] : tensor<1003x3xf32> -> tensor<1003x1xf32>
  %3 = tx.mul %0, %1 : tensor<1003x1xf32>
  %4 = tx.add %3, %2 : tensor<1003x1xf32>
  %5 = tx.reshape %4 : tensor<1003x1xf32> -> tensor<1003xf32>
  return %5 : tensor<1003xf32>
}

// CHECK-LABEL: func.func @sub(
// CHECK-NOT:     gather
// CHECK:       return
func.func @backwards(%x: tensor<1003x3xf32>) -> tensor<1003xf32> {
  %0 = tx.slice %x offsets = [1002, 0] strides = [-1, 1] : tensor<1003x3xf32> -> tensor<1003x1xf32>
  %1 = tx.slice %x offsets = [1002, 2] strides = [-1, 1] : tensor<1003x3xf32> -> tensor<1003x1xf32>
  %2 = tx.sub %0, %1 : tensor<1003x1xf32>
  %3 = tx.reshape %2 : tensor<1003x1xf32> -> tensor<1003xf32>
  return %3 : tensor<1003xf32>
}

func.func @four(%x: tensor<7x301x4xf64>) -> tensor<7x301xf64> {
  %0 = tx.slice %x offsets = [0, 0, 3] strides = [1, 1, 1] : tensor<7x301x4xf64> -> tensor<7x301x1xf64>
  %1 = tx.slice %x offsets = [0, 0, 1] strides = [1, 1, 1] : tensor<7x301x4xf64> -> tensor<7x301x1xf64>
  %2 = tx.max %0, %1 : tensor<7x301x1xf64>
  %3 = tx.reshape %2 : tensor<7x301x1xf64> -> tensor<7x301xf64>
  return %3 : tensor<7x301xf64>
}

// Pixels to grey.
func.func @bytes(%x: tensor<61x67x3xui8>) -> tensor<61x67xf32> {
  %0 = tx.convert %x : tensor<61x67x3xui8> -> tensor<61x67x3xf32>
  %1 = tx.slice %0 offsets = [0, 0, 0] strides = [1, 1, 1] : tensor<61x67x3xf32> -> tensor<61x67x1xf32>
  %2 = tx.slice %0 offsets = [0, 0, 1] strides = [1, 1, 1] : tensor<61x67x3xf32> -> tensor<61x67x1xf32>
  %3 = tx.slice %0 offsets = [0, 0, 2] strides = [1, 1, 1] : tensor<61x67x3xf32> -> tensor<61x67x1xf32>
  %4 = tx.add %1, %2 : tensor<61x67x1xf32>
  %5 = tx.add %4, %3 : tensor<61x67x1xf32>
  %6 = tx.reshape %5 : tensor<61x67x1xf32> -> tensor<61x67xf32>
  return %6 : tensor<61x67xf32>
}

// What is read alone: nothing behind its lanes.
func.func @one(%x: tensor<37x3xi32>) -> tensor<37xi32> {
  %0 = tx.slice %x offsets = [0, 2] strides = [1, 1] : tensor<37x3xi32> -> tensor<37x1xi32>
  %1 = tx.reshape %0 : tensor<37x1xi32> -> tensor<37xi32>
  %2 = tx.neg %1 : tensor<37xi32>
  return %2 : tensor<37xi32>
}

func.func @alone(%x: tensor<5x3xf32>) -> tensor<5xf32> {
  %0 = tx.sum %x dims = [1] : tensor<5x3xf32> -> tensor<5xf32>
  return %0 : tensor<5xf32>
}
func.func @rows(%x: tensor<5x3xf32>) -> (tensor<5xf32>, tensor<5x3xf32>) {
  %0 = tx.sum %x dims = [1] : tensor<5x3xf32> -> tensor<5xf32>
  %1 = tx.broadcast %0 dims = [0] : tensor<5xf32> -> tensor<5x3xf32>
  %2 = tx.sub %x, %1 : tensor<5x3xf32>
  return %0, %2 : tensor<5xf32>, tensor<5x3xf32>
}
}
