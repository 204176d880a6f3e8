// What surrounds Fourier transforms for the CPU: complex numbers as pairs, and other dims than the last.
//
// RUN: %tensorc-opt %s --tx-expand-complex --canonicalize --tx-expand-composites --tx-fuse-ops --tx-choose-schedules --tx-emit-program --canonicalize --cse | FileCheck %s
// RUN: %tensorc run %s --entry=pairs --device=cpu --random-inputs --compare=reference
// RUN: %tensorc run %s --entry=both_dims --device=cpu --random-inputs --compare=reference
// RUN: %tensorc run %s --entry=middle --device=cpu --random-inputs --compare=reference
// RUN: %tensorc run %s --entry=half --device=cpu --random-inputs --compare=reference
// RUN: %tensorc run %s --entry=half_short --device=cpu --random-inputs --compare=reference
// RUN: %tensorc run %s --entry=back --device=cpu --random-inputs --compare=reference
// RUN: %tensorc run %s --entry=back_short --device=cpu --random-inputs --compare=reference
// RUN: %tensorc run %s --entry=filter --device=cpu --random-inputs --compare=reference
// RUN: %tensorc run %s --entry=complex_filter --device=cpu --random-inputs --compare=reference
// RUN: %tensorc run %s --entry=shifted --device=cpu --random-inputs --compare=reference
// RUN: %tensorc run %s --entry=shifted_short --device=cpu --random-inputs --compare=reference

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

// Of three dims the one between; a row of 7 is not a matrix.
// CHECK-LABEL: func.func @fft
func.func @middle(%x: tensor<2x3x7x37xf32>) -> tensor<2x3x7x37xf32> {
  %0 = tx.transpose %x permutation = [0, 1, 3, 2] : tensor<2x3x7x37xf32> -> tensor<2x3x37x7xf32>
  %1 = tx.fft %0 length = 7 inverse : tensor<2x3x37x7xf32>
  %2 = tx.transpose %1 permutation = [0, 1, 3, 2] : tensor<2x3x37x7xf32> -> tensor<2x3x7x37xf32>
  return %2 : tensor<2x3x7x37xf32>
}

// Real rows are transformed as half as many pairs. What is made of these and of their mirror image reads the row in scratch,
// where the first element is behind the last one, too.
// CHECK-LABEL: func.func @fft
// CHECK-NOT:   vector.gather
// CHECK:       vector.shuffle {{.*}} [15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0]
// CHECK-NOT:   vector.gather
// CHECK:       return
func.func @half(%x: tensor<5x1000xf32>) -> tensor<5x501xcomplex<f32>> {
  %0 = tx.fourier %x real lengths = [1000] dims = [1] norm = backward : tensor<5x1000xf32> -> tensor<5x501xcomplex<f32>>
  return %0 : tensor<5x501xcomplex<f32>>
}

// CHECK-LABEL: func.func @fft
func.func @half_short(%x: tensor<37x64xf64>) -> tensor<37x33xcomplex<f64>> {
  %0 = tx.fourier %x real inverse lengths = [64] dims = [1] norm = ortho : tensor<37x64xf64> -> tensor<37x33xcomplex<f64>>
  return %0 : tensor<37x33xcomplex<f64>>
}

// The way back reads both ends of the half spectrum in pairs, and puts the parts side by side from the row in scratch.
// CHECK-LABEL: func.func @fft
// CHECK-NOT:   vector.gather
// CHECK:       vector.interleave
// CHECK-NOT:   vector.scatter
// CHECK:       return
func.func @back(%x: tensor<5x501xcomplex<f32>>) -> tensor<5x1000xf32> {
  %0 = tx.fourier %x hermitian inverse lengths = [1000] dims = [1] norm = backward : tensor<5x501xcomplex<f32>> -> tensor<5x1000xf32>
  return %0 : tensor<5x1000xf32>
}

func.func @back_short(%x: tensor<37x10xcomplex<f64>>) -> tensor<37x18xf64> {
  %0 = tx.fourier %x hermitian lengths = [18] dims = [1] norm = ortho : tensor<37x10xcomplex<f64>> -> tensor<37x18xf64>
  return %0 : tensor<37x18xf64>
}

// What is made of both ends of one spectrum is not made of it again by the second transform, which would need it at both ends.
func.func @filter(%x: tensor<5x1000xf32>, %h: tensor<5x501xcomplex<f32>>) -> tensor<5x1000xf32> {
  %0 = tx.fourier %x real lengths = [1000] dims = [1] norm = backward : tensor<5x1000xf32> -> tensor<5x501xcomplex<f32>>
  %1 = tx.mul %0, %h : tensor<5x501xcomplex<f32>>
  %2 = tx.fourier %1 hermitian inverse lengths = [1000] dims = [1] norm = backward : tensor<5x501xcomplex<f32>> -> tensor<5x1000xf32>
  return %2 : tensor<5x1000xf32>
}

// Both parts of one place are no two places: the second transform makes what is between itself.
func.func @complex_filter(%x: tensor<5x1000xcomplex<f32>>, %h: tensor<1000xcomplex<f32>>) -> tensor<5x1000xcomplex<f32>> {
  %0 = tx.fourier %x complex lengths = [1000] dims = [1] norm = backward : tensor<5x1000xcomplex<f32>> -> tensor<5x1000xcomplex<f32>>
  %b = tx.broadcast %h dims = [1] : tensor<1000xcomplex<f32>> -> tensor<5x1000xcomplex<f32>>
  %1 = tx.mul %0, %b : tensor<5x1000xcomplex<f32>>
  %2 = tx.fourier %1 complex inverse lengths = [1000] dims = [1] norm = backward : tensor<5x1000xcomplex<f32>> -> tensor<5x1000xcomplex<f32>>
  return %2 : tensor<5x1000xcomplex<f32>>
}

// Halves that change places, backwards, behind an inverse: one kernel.
func.func @shifted(%x: tensor<2x5x1000xf32>) -> tensor<2x5x901xf32> {
  %0 = tx.fft %x length = 1000 inverse : tensor<2x5x1000xf32>
  %1 = tx.slice %0 offsets = [0, 0, 499] strides = [1, 1, -1] : tensor<2x5x1000xf32> -> tensor<2x5x500xf32>
  %2 = tx.slice %0 offsets = [0, 0, 500] strides = [1, 1, 1] : tensor<2x5x1000xf32> -> tensor<2x5x401xf32>
  %3 = tx.concatenate %1, %2 dim = 2 : (tensor<2x5x500xf32>, tensor<2x5x401xf32>) -> tensor<2x5x901xf32>
  return %3 : tensor<2x5x901xf32>
}

func.func @shifted_short(%x: tensor<2x37x20xf64>) -> tensor<2x37x31xf64> {
  %0 = tx.fft %x length = 20 inverse : tensor<2x37x20xf64>
  %z = tx.constant dense<2.0> : tensor<f64>
  %1 = tx.pad %0, %z low = [0, 0, 4] high = [0, 0, 7] interior = [0, 0, 0] : tensor<2x37x20xf64> -> tensor<2x37x31xf64>
  return %1 : tensor<2x37x31xf64>
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
// CHECK-LABEL: txp.func @half(
// CHECK-COUNT-1: txp.launch
// CHECK-NOT:     txp.launch
// CHECK-LABEL: txp.func @half_short(
// CHECK-COUNT-1: txp.launch
// CHECK-NOT:     txp.launch
// CHECK-LABEL: txp.func @back(
// CHECK-COUNT-1: txp.launch
// CHECK-NOT:     txp.launch
// CHECK-LABEL: txp.func @back_short(
// CHECK-COUNT-1: txp.launch
// CHECK-NOT:     txp.launch
// CHECK-LABEL: txp.func @filter(
// CHECK-COUNT-3: txp.launch
// CHECK-NOT:     txp.launch
// CHECK-LABEL: txp.func @complex_filter(
// CHECK-COUNT-2: txp.launch
// CHECK-NOT:     txp.launch
// CHECK-LABEL: txp.func @shifted(
// CHECK-COUNT-1: txp.launch
// CHECK-NOT:     txp.launch
// CHECK-LABEL: txp.func @shifted_short(
// CHECK-COUNT-1: txp.launch
// CHECK-NOT:     txp.launch
}
