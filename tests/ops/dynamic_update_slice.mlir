// A slice replaced whose start is known when it runs; starts are clamped.
//
// RUN: %npy %t.x.npy f32 '[[0, 1, 2], [3, nan, 5], [6, 7, -0.0], [9, 10, 11]]'
// RUN: %npy %t.u.npy f32 '[[-1, -2], [-3, -4]]'
// RUN: %npy %t.i.npy i64 '9'
// RUN: %npy %t.j.npy i32 '-7'
// RUN: %run_op --input=%t.x.npy --input=%t.u.npy --input=%t.i.npy --input=%t.j.npy | FileCheck %s
// RUN: %run_op --entry=dtypes --random-inputs --compare=reference
// RUN: %run_op --entry=fused --random-inputs --compare=reference
// RUN: %run_op --entry=rows --random-inputs --compare=reference
// RUN: %run_op --entry=edges --random-inputs --compare=reference
// RUN: %run_op --entry=symbolic --random-inputs --shape=x:50,33 --shape=u:7,33 --compare=reference
// RUN: %run_op --entry=symbolic --random-inputs --shape=x:3,1 --shape=u:3,1 --compare=reference
// RUN: %run_op --entry=chosen_start --random-inputs --shape=c:1 --compare=reference
// RUN: %run_op --entry=chosen_start --random-inputs --shape=c:7 --compare=reference
// RUN: not %run_op --entry=symbolic --random-inputs --shape=x:2,4 --shape=u:3,4 2>&1 | FileCheck %s --check-prefix=LARGE

func.func @main(%x: tensor<4x3xf32>, %u: tensor<2x2xf32>, %i: tensor<i64>, %j: tensor<i32>) -> (tensor<4x3xf32>, tensor<4x3xf32>) {
  %0 = tx.dynamic_update_slice %x, %u[%i, %j] : (tensor<4x3xf32>, tensor<2x2xf32>, tensor<i64>, tensor<i32>) -> tensor<4x3xf32>
  %one = tx.constant dense<1> : tensor<ui8>
  %1 = tx.dynamic_update_slice %x, %u[%one, %one] : (tensor<4x3xf32>, tensor<2x2xf32>, tensor<ui8>, tensor<ui8>) -> tensor<4x3xf32>
  return %0, %1 : tensor<4x3xf32>, tensor<4x3xf32>
}
// CHECK:      out0: f32[4,3]
// CHECK-NEXT: {{\[\[}}0, 1, 2],
// CHECK-NEXT: [3, nan, 5],
// CHECK-NEXT: [-1, -2, -0],
// CHECK-NEXT: [-3, -4, 11]]
// CHECK-NEXT: out1: f32[4,3]
// CHECK-NEXT: {{\[\[}}0, 1, 2],
// CHECK-NEXT: [3, -1, -2],
// CHECK-NEXT: [6, -3, -4],
// CHECK-NEXT: [9, 10, 11]]

func.func @dtypes(%a: tensor<19x37xf64>, %b: tensor<19x37xbf16>, %c: tensor<19x37xi8>, %d: tensor<19x37xi1>,
                  %e: tensor<19x37xf16>, %f: tensor<19x37xui64>, %ua: tensor<3x9xf64>, %ub: tensor<3x9xbf16>,
                  %uc: tensor<3x9xi8>, %ud: tensor<3x9xi1>, %ue: tensor<3x9xf16>, %uf: tensor<3x9xui64>,
                  %i: tensor<i8>, %j: tensor<ui8>, %k: tensor<ui16>)
    -> (tensor<19x37xf64>, tensor<19x37xbf16>, tensor<19x37xi8>, tensor<19x37xi1>, tensor<19x37xf16>, tensor<19x37xui64>) {
  %0 = tx.dynamic_update_slice %a, %ua[%i, %j] : (tensor<19x37xf64>, tensor<3x9xf64>, tensor<i8>, tensor<ui8>) -> tensor<19x37xf64>
  %1 = tx.dynamic_update_slice %b, %ub[%j, %i] : (tensor<19x37xbf16>, tensor<3x9xbf16>, tensor<ui8>, tensor<i8>) -> tensor<19x37xbf16>
  %2 = tx.dynamic_update_slice %c, %uc[%k, %k] : (tensor<19x37xi8>, tensor<3x9xi8>, tensor<ui16>, tensor<ui16>) -> tensor<19x37xi8>
  %3 = tx.dynamic_update_slice %d, %ud[%k, %i] : (tensor<19x37xi1>, tensor<3x9xi1>, tensor<ui16>, tensor<i8>) -> tensor<19x37xi1>
  %4 = tx.dynamic_update_slice %e, %ue[%i, %i] : (tensor<19x37xf16>, tensor<3x9xf16>, tensor<i8>, tensor<i8>) -> tensor<19x37xf16>
  %5 = tx.dynamic_update_slice %f, %uf[%j, %j] : (tensor<19x37xui64>, tensor<3x9xui64>, tensor<ui8>, tensor<ui8>) -> tensor<19x37xui64>
  return %0, %1, %2, %3, %4, %5
      : tensor<19x37xf64>, tensor<19x37xbf16>, tensor<19x37xi8>, tensor<19x37xi1>, tensor<19x37xf16>, tensor<19x37xui64>
}

// Computed operands and starts, results that are used, reduced and multiplied.
func.func @fused(%x: tensor<50x24xf32>, %u: tensor<6x24xf32>, %i: tensor<i64>, %w: tensor<24x8xf32>)
    -> (tensor<50xf32>, tensor<50x8xf32>) {
  %n = tx.constant dense<5> : tensor<i64>
  %j = tx.mul %i, %n : tensor<i64>
  %y = tx.neg %x : tensor<50x24xf32>
  %v = tx.tanh %u : tensor<6x24xf32>
  %g = tx.dynamic_update_slice %y, %v[%j, %j] : (tensor<50x24xf32>, tensor<6x24xf32>, tensor<i64>, tensor<i64>) -> tensor<50x24xf32>
  %e = tx.exp %g : tensor<50x24xf32>
  %s = tx.sum %e dims = [1] : tensor<50x24xf32> -> tensor<50xf32>
  %d = tx.dot_general %g, %w batch = [] x [] contracting = [1] x [0] : (tensor<50x24xf32>, tensor<24x8xf32>) -> tensor<50x8xf32>
  return %s, %d : tensor<50xf32>, tensor<50x8xf32>
}

// Whole rows, as of a cache of keys: dims along which the update is whole are not asked about.
func.func @rows(%x: tensor<2x31x4x16xf32>, %u: tensor<2x1x4x16xf32>, %i: tensor<i64>) -> tensor<2x31x4x16xf32> {
  %z = tx.constant dense<0> : tensor<i64>
  %0 = tx.dynamic_update_slice %x, %u[%z, %i, %z, %z]
      : (tensor<2x31x4x16xf32>, tensor<2x1x4x16xf32>, tensor<i64>, tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<2x31x4x16xf32>
  return %0 : tensor<2x31x4x16xf32>
}

func.func @edges(%x: tensor<5x3xf32>, %none: tensor<0x3xf32>, %s: tensor<f32>, %t: tensor<f32>, %i: tensor<i64>)
    -> (tensor<5x3xf32>, tensor<0x3xf32>, tensor<f32>, tensor<5x3xf32>) {
  %0 = tx.dynamic_update_slice %x, %none[%i, %i] : (tensor<5x3xf32>, tensor<0x3xf32>, tensor<i64>, tensor<i64>) -> tensor<5x3xf32>
  %1 = tx.dynamic_update_slice %none, %none[%i, %i] : (tensor<0x3xf32>, tensor<0x3xf32>, tensor<i64>, tensor<i64>) -> tensor<0x3xf32>
  %2 = tx.dynamic_update_slice %s, %t[] : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %3 = tx.dynamic_update_slice %x, %x[%i, %i] : (tensor<5x3xf32>, tensor<5x3xf32>, tensor<i64>, tensor<i64>) -> tensor<5x3xf32>
  return %0, %1, %2, %3 : tensor<5x3xf32>, tensor<0x3xf32>, tensor<f32>, tensor<5x3xf32>
}

// The start comes out of a branch, which gives it once per lane.
func.func @chosen_start(%c: tensor<?xi16, #tx.dims<[n]>> {tx.name = "c"}, %d: tensor<3xi16>, %x: tensor<3x5xf32>,
                        %u: tensor<2x4xf32>) -> (tensor<3x5xf32>, tensor<2x4xf32>) {
  %0 = tx.concatenate %c, %d dim = 0 : (tensor<?xi16, #tx.dims<[n]>>, tensor<3xi16>) -> tensor<?xi16, #tx.dims<[n + 3]>>
  %1 = tx.slice %0 offsets = [2] strides = [1] : tensor<?xi16, #tx.dims<[n + 3]>> -> tensor<1xi16>
  %i = tx.reshape %1 : tensor<1xi16> -> tensor<i16>
  %2 = tx.dynamic_update_slice %x, %u[%i, %i] : (tensor<3x5xf32>, tensor<2x4xf32>, tensor<i16>, tensor<i16>) -> tensor<3x5xf32>
  %3 = tx.abs %2 : tensor<3x5xf32>
  %4 = tx.dynamic_slice %x[%i, %i] slice_sizes = [2, 4] : (tensor<3x5xf32>, tensor<i16>, tensor<i16>) -> tensor<2x4xf32>
  %5 = tx.abs %4 : tensor<2x4xf32>
  return %3, %5 : tensor<3x5xf32>, tensor<2x4xf32>
}

func.func @symbolic(%x: tensor<?x?xf32, #tx.dims<[n, m]>> {tx.name = "x"}, %u: tensor<?x?xf32, #tx.dims<[k, m]>> {tx.name = "u"},
                    %i: tensor<i32>) -> tensor<?x?xf32, #tx.dims<[n, m]>> {
  %0 = tx.dynamic_update_slice %x, %u[%i, %i]
      : (tensor<?x?xf32, #tx.dims<[n, m]>>, tensor<?x?xf32, #tx.dims<[k, m]>>, tensor<i32>, tensor<i32>)
      -> tensor<?x?xf32, #tx.dims<[n, m]>>
  return %0 : tensor<?x?xf32, #tx.dims<[n, m]>>
}
// LARGE: a slice of {{.*}} does not fit into dimension 0
