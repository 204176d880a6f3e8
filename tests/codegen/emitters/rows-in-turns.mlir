// Lanes that take turns between rows, as the phases of a transposed convolution and the channels of larger pixels do: a part of each row is read, and nothing is gathered.
//
// RUN: %tensorc-opt %s --tx-fuse-ops --tx-choose-schedules --tx-emit-program --canonicalize --cse | FileCheck %s
// RUN: %tensorc run %s --entry=phases --device=cpu --random-inputs --compare=reference
// RUN: %tensorc run %s --entry=padded --device=cpu --random-inputs --compare=reference
// RUN: %tensorc run %s --entry=ends --device=cpu --random-inputs --compare=reference
// RUN: %tensorc run %s --entry=larger_pixels --device=cpu --random-inputs --compare=reference
// RUN: env TENSORC_CHECK=memory %tensorc run %s --entry=phases --device=cpu --random-inputs --compare=reference
// RUN: env TENSORC_CHECK=memory %tensorc run %s --entry=ends --device=cpu --random-inputs --compare=reference
// RUN: env TENSORC_CHECK=memory %tensorc run %s --entry=larger_pixels --device=cpu --random-inputs --compare=reference

module attributes {tx.target = "cpu:x86-64-v4"} {
// CHECK-LABEL: func.func @concatenate(
// CHECK-NOT:     gather
// CHECK:         %[[EVEN:.*]] = vector.load {{.*}} vector<8xf32>
// CHECK:         %[[ODD:.*]] = vector.load {{.*}} vector<8xf32>
// CHECK:         vector.interleave %[[EVEN]], %[[ODD]] : vector<8xf32> -> vector<16xf32>
// CHECK-NOT:     gather
// CHECK:         return
func.func @phases(%x: tensor<8x2x2x24x24xf32>, %s: tensor<8x48x48xf32>) -> tensor<16x48x48xf32> {
  %t = tx.transpose %x permutation = [0, 3, 1, 4, 2] : tensor<8x2x2x24x24xf32> -> tensor<8x24x2x24x2xf32>
  %r = tx.reshape %t : tensor<8x24x2x24x2xf32> -> tensor<8x48x48xf32>
  %c = tx.concatenate %s, %r dim = 0 : (tensor<8x48x48xf32>, tensor<8x48x48xf32>) -> tensor<16x48x48xf32>
  return %c : tensor<16x48x48xf32>
}

// CHECK-LABEL: func.func @concatenate_pad(
// CHECK-NOT:     gather
// CHECK:         vector.interleave
// CHECK-NOT:     gather
// CHECK:         return
func.func @padded(%x: tensor<8x2x2x24x24xf32>, %s: tensor<8x48x48xf32>, %z: tensor<f32>) -> tensor<16x50x50xf32> {
  %t = tx.transpose %x permutation = [0, 3, 1, 4, 2] : tensor<8x2x2x24x24xf32> -> tensor<8x24x2x24x2xf32>
  %r = tx.reshape %t : tensor<8x24x2x24x2xf32> -> tensor<8x48x48xf32>
  %c = tx.concatenate %s, %r dim = 0 : (tensor<8x48x48xf32>, tensor<8x48x48xf32>) -> tensor<16x48x48xf32>
  %p = tx.pad %c, %z low = [0, 1, 1] high = [0, 1, 1] interior = [0, 0, 0] : tensor<16x48x48xf32> -> tensor<16x50x50xf32>
  return %p : tensor<16x50x50xf32>
}

// The last vector of a row has a mask, of which each row has every other lane.
// CHECK-LABEL: func.func @exp(
// CHECK-NOT:     gather
// CHECK:         vector.maskedload {{.*}} vector<4xf64>
// CHECK:         vector.interleave
// CHECK:         return
func.func @ends(%x: tensor<5x2x2x11x11xf64>) -> tensor<5x22x22xf64> {
  %t = tx.transpose %x permutation = [0, 3, 1, 4, 2] : tensor<5x2x2x11x11xf64> -> tensor<5x11x2x11x2xf64>
  %r = tx.reshape %t : tensor<5x11x2x11x2xf64> -> tensor<5x22x22xf64>
  %e = tx.exp %r : tensor<5x22x22xf64>
  return %e : tensor<5x22x22xf64>
}

// CHECK-LABEL: func.func @neg(
// CHECK-NOT:     gather
// CHECK-COUNT-4: vector.{{(masked)?load}} {{.*}} vector<4xf32>
// CHECK-COUNT-3: vector.interleave
// CHECK:         return
func.func @larger_pixels(%x: tensor<3x4x4x9x13xf32>) -> tensor<3x36x52xf32> {
  %t = tx.transpose %x permutation = [0, 3, 1, 4, 2] : tensor<3x4x4x9x13xf32> -> tensor<3x9x4x13x4xf32>
  %r = tx.reshape %t : tensor<3x9x4x13x4xf32> -> tensor<3x36x52xf32>
  %n = tx.neg %r : tensor<3x36x52xf32>
  return %n : tensor<3x36x52xf32>
}
}
