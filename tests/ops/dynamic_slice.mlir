// A slice whose start is known when it runs; starts are clamped.
//
// RUN: %npy %t.x.npy f32 '[[0, 1, 2], [3, nan, 5], [6, 7, -0.0], [9, 10, 11]]'
// RUN: %npy %t.i.npy i64 '2'
// RUN: %npy %t.j.npy i32 '-7'
// RUN: %run_op --input=%t.x.npy --input=%t.i.npy --input=%t.j.npy | FileCheck %s
// RUN: %run_op --entry=dtypes --random-inputs --compare=reference
// RUN: %run_op --entry=fused --random-inputs --compare=reference
// RUN: %run_op --entry=produced --random-inputs --compare=reference
// RUN: %run_op --entry=edges --random-inputs --compare=reference
// RUN: %run_op --entry=symbolic --random-inputs --shape=x:50,33 --compare=reference
// RUN: %run_op --entry=symbolic --random-inputs --shape=x:3,1 --compare=reference
// RUN: not %run_op --entry=symbolic --random-inputs --shape=x:2,4 2>&1 | FileCheck %s --check-prefix=SMALL

func.func @main(%x: tensor<4x3xf32>, %i: tensor<i64>, %j: tensor<i32>) -> (tensor<2x2xf32>, tensor<1x3xf32>, tensor<4x1xf32>) {
  %0 = tx.dynamic_slice %x[%i, %j] slice_sizes = [2, 2] : (tensor<4x3xf32>, tensor<i64>, tensor<i32>) -> tensor<2x2xf32>
  // Beyond the end; a whole dimension begins at 0.
  %far = tx.constant dense<18446744073709551615> : tensor<ui64>
  %1 = tx.dynamic_slice %x[%far, %far] slice_sizes = [1, -1] : (tensor<4x3xf32>, tensor<ui64>, tensor<ui64>) -> tensor<1x3xf32>
  %2 = tx.dynamic_slice %x[%j, %i] slice_sizes = [4, 1] : (tensor<4x3xf32>, tensor<i32>, tensor<i64>) -> tensor<4x1xf32>
  return %0, %1, %2 : tensor<2x2xf32>, tensor<1x3xf32>, tensor<4x1xf32>
}
// CHECK:      out0: f32[2,2]
// CHECK-NEXT: {{\[\[}}6, 7],
// CHECK-NEXT: [9, 10]]
// CHECK-NEXT: out1: f32[1,3]
// CHECK-NEXT: {{\[\[}}9, 10, 11]]
// CHECK-NEXT: out2: f32[4,1]
// CHECK-NEXT: {{\[\[}}2],
// CHECK-NEXT: [5],
// CHECK-NEXT: [-0],
// CHECK-NEXT: [11]]

func.func @dtypes(%a: tensor<19x37xf64>, %b: tensor<19x37xbf16>, %c: tensor<19x37xi8>, %d: tensor<19x37xi1>,
                  %e: tensor<19x37xf16>, %f: tensor<19x37xui64>, %i: tensor<i8>, %j: tensor<ui8>, %k: tensor<ui16>)
    -> (tensor<5x33xf64>, tensor<5x33xbf16>, tensor<5x33xi8>, tensor<5x33xi1>, tensor<5x33xf16>, tensor<5x33xui64>) {
  %0 = tx.dynamic_slice %a[%i, %j] slice_sizes = [5, 33] : (tensor<19x37xf64>, tensor<i8>, tensor<ui8>) -> tensor<5x33xf64>
  %1 = tx.dynamic_slice %b[%j, %i] slice_sizes = [5, 33] : (tensor<19x37xbf16>, tensor<ui8>, tensor<i8>) -> tensor<5x33xbf16>
  %2 = tx.dynamic_slice %c[%k, %k] slice_sizes = [5, 33] : (tensor<19x37xi8>, tensor<ui16>, tensor<ui16>) -> tensor<5x33xi8>
  %3 = tx.dynamic_slice %d[%k, %i] slice_sizes = [5, 33] : (tensor<19x37xi1>, tensor<ui16>, tensor<i8>) -> tensor<5x33xi1>
  %4 = tx.dynamic_slice %e[%i, %i] slice_sizes = [5, 33] : (tensor<19x37xf16>, tensor<i8>, tensor<i8>) -> tensor<5x33xf16>
  %5 = tx.dynamic_slice %f[%j, %j] slice_sizes = [5, 33] : (tensor<19x37xui64>, tensor<ui8>, tensor<ui8>) -> tensor<5x33xui64>
  return %0, %1, %2, %3, %4, %5
      : tensor<5x33xf64>, tensor<5x33xbf16>, tensor<5x33xi8>, tensor<5x33xi1>, tensor<5x33xf16>, tensor<5x33xui64>
}

// Starts that are computed, results that are used, reduced and multiplied.
func.func @fused(%x: tensor<50x24xf32>, %i: tensor<i64>, %w: tensor<24x8xf32>) -> (tensor<7xf32>, tensor<7x8xf32>) {
  %n = tx.constant dense<11> : tensor<i64>
  %zero = tx.constant dense<0> : tensor<i64>
  %j = tx.mul %i, %n : tensor<i64>
  %g = tx.dynamic_slice %x[%j, %zero] slice_sizes = [7, 24] : (tensor<50x24xf32>, tensor<i64>, tensor<i64>) -> tensor<7x24xf32>
  %e = tx.exp %g : tensor<7x24xf32>
  %s = tx.sum %e dims = [1] : tensor<7x24xf32> -> tensor<7xf32>
  %d = tx.dot_general %g, %w batch = [] x [] contracting = [1] x [0] : (tensor<7x24xf32>, tensor<24x8xf32>) -> tensor<7x8xf32>
  return %s, %d : tensor<7xf32>, tensor<7x8xf32>
}

// What is sliced has to be in memory first.
func.func @produced(%x: tensor<50x24xf32>, %i: tensor<i64>) -> tensor<6x24xf32> {
  %y = tx.tanh %x : tensor<50x24xf32>
  %g = tx.dynamic_slice %y[%i, %i] slice_sizes = [6, 24] : (tensor<50x24xf32>, tensor<i64>, tensor<i64>) -> tensor<6x24xf32>
  %z = tx.add %g, %g : tensor<6x24xf32>
  return %z : tensor<6x24xf32>
}

func.func @edges(%x: tensor<5x3xf32>, %y: tensor<0x3xf32>, %s: tensor<f32>, %i: tensor<i64>)
    -> (tensor<0x3xf32>, tensor<0x2xf32>, tensor<f32>, tensor<5x3xf32>) {
  %0 = tx.dynamic_slice %x[%i, %i] slice_sizes = [0, 3] : (tensor<5x3xf32>, tensor<i64>, tensor<i64>) -> tensor<0x3xf32>
  %1 = tx.dynamic_slice %y[%i, %i] slice_sizes = [0, 2] : (tensor<0x3xf32>, tensor<i64>, tensor<i64>) -> tensor<0x2xf32>
  %2 = tx.dynamic_slice %s[] slice_sizes = [] : (tensor<f32>) -> tensor<f32>
  %3 = tx.dynamic_slice %x[%i, %i] slice_sizes = [5, 3] : (tensor<5x3xf32>, tensor<i64>, tensor<i64>) -> tensor<5x3xf32>
  return %0, %1, %2, %3 : tensor<0x3xf32>, tensor<0x2xf32>, tensor<f32>, tensor<5x3xf32>
}

func.func @symbolic(%x: tensor<?x?xf32, #tx.dims<[n, m]>> {tx.name = "x"}, %i: tensor<i32>) -> tensor<3x?xf32, #tx.dims<[3, m]>> {
  %0 = tx.dynamic_slice %x[%i, %i] slice_sizes = [3, -1]
      : (tensor<?x?xf32, #tx.dims<[n, m]>>, tensor<i32>, tensor<i32>) -> tensor<3x?xf32, #tx.dims<[3, m]>>
  return %0 : tensor<3x?xf32, #tx.dims<[3, m]>>
}
// SMALL: a slice of 3 does not fit into dimension 0
