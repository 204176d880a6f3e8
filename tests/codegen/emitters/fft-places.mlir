// What surrounds Fourier transforms for the CPU: complex numbers as pairs, and other dims than the last.
//
// RUN: %tensorc-opt %s --tx-expand-composites --tx-fuse-ops --tx-choose-schedules --tx-emit-program --canonicalize --cse | FileCheck %s
// RUN: %tensorc run %s --entry=pairs --device=cpu --random-inputs --compare=reference
// RUN: %tensorc run %s --entry=both_dims --device=cpu --random-inputs --compare=reference
// RUN: %tensorc run %s --entry=middle --device=cpu --random-inputs --compare=reference

module attributes {tx.target = "cpu:x86-64-v4"} {
// A transform stores pairs itself: one kernel, with whole vectors on both sides.
// CHECK-LABEL: func.func @fft
// CHECK:       vector.shuffle {{.*}} [0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30]
// CHECK:       vector.shuffle {{.*}} [0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23]
// CHECK-NOT:   vector.gather
// CHECK-NOT:   vector.scatter
// CHECK:       return
func.func @pairs(%x: tensor<5x307x2xf32>) -> tensor<5x300x2xf32> {
  %0 = tx.slice %x offsets = [0, 7, 0] strides = [1, 1, 1] : tensor<5x307x2xf32> -> tensor<5x300x2xf32>
  %1 = tx.transpose %0 permutation = [2, 0, 1] : tensor<5x300x2xf32> -> tensor<2x5x300xf32>
  %2 = tx.fft %1 length = 300 : tensor<2x5x300xf32>
  %3 = tx.transpose %2 permutation = [1, 2, 0] : tensor<2x5x300xf32> -> tensor<5x300x2xf32>
  return %3 : tensor<5x300x2xf32>
}

// Along the first dim, vectors hold neighbours from the start: nothing is turned, gathered or scattered.
// CHECK-LABEL: func.func @fft
// CHECK-NOT:   vector.gather
// CHECK-NOT:   vector.scatter
// CHECK-LABEL: func.func @fft
// CHECK-NOT:   vector.gather
// CHECK-NOT:   vector.scatter
// CHECK:       return
func.func @both_dims(%x: tensor<2x300x33xf64>) -> tensor<300x33x2xf64> {
  %0 = tx.fft %x length = 33 : tensor<2x300x33xf64>
  %1 = tx.transpose %0 permutation = [0, 2, 1] : tensor<2x300x33xf64> -> tensor<2x33x300xf64>
  %2 = tx.fft %1 length = 300 : tensor<2x33x300xf64>
  %3 = tx.transpose %2 permutation = [2, 1, 0] : tensor<2x33x300xf64> -> tensor<300x33x2xf64>
  return %3 : tensor<300x33x2xf64>
}

// Of three dims the one between; a row of 7 is no matrix.
func.func @middle(%x: tensor<2x3x7x37xf32>) -> tensor<2x3x7x37xf32> {
  %0 = tx.transpose %x permutation = [0, 1, 3, 2] : tensor<2x3x7x37xf32> -> tensor<2x3x37x7xf32>
  %1 = tx.fft %0 length = 7 inverse : tensor<2x3x37x7xf32>
  %2 = tx.transpose %1 permutation = [0, 1, 3, 2] : tensor<2x3x37x7xf32> -> tensor<2x3x7x37xf32>
  return %2 : tensor<2x3x7x37xf32>
}

// CHECK-LABEL: txp.func @pairs(
// CHECK-COUNT-1: txp.launch
// CHECK-NOT:     txp.launch
// CHECK-LABEL: txp.func @both_dims(
// CHECK-COUNT-2: txp.launch
// CHECK-NOT:     txp.launch
// CHECK-LABEL: txp.func @middle(
// CHECK-COUNT-1: txp.launch
// CHECK-NOT:     txp.launch
}
