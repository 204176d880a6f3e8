// Contractions of f32 that are rounded to tf32 in mma.sync m16n8k8, behind kernels that round.
// RUN: %tensorc compile %s --target=cuda:sm_80 --emit=ptx | FileCheck %s
// RUN: %tensorc compile %s --target=cuda:sm_90a --emit=ptx | FileCheck %s
// RUN: %tensorc compile %s --target=cuda:sm_75 --emit=ptx | FileCheck %s --check-prefix=PLAIN
// CHECK: cp.async.cg.shared.global
// CHECK: ldmatrix.sync.aligned.m8n8.x4.shared.b16
// CHECK: mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32
// CHECK-NOT: .local
// PLAIN-NOT: mma.sync
func.func @main(%x: tensor<70x64xf32>, %y: tensor<64x72xf32>) -> tensor<70x72xf32> {
  %x_bits = tx.bitcast %x : tensor<70x64xf32> -> tensor<70x64xui32>
  %x_c13 = tx.constant dense<13> : tensor<70x64xui32>
  %x_c1 = tx.constant dense<1> : tensor<70x64xui32>
  %x_half = tx.constant dense<4095> : tensor<70x64xui32>
  %x_mask = tx.constant dense<4294959104> : tensor<70x64xui32>
  %x_shifted = tx.shr_logical %x_bits, %x_c13 : tensor<70x64xui32>
  %x_last = tx.and %x_shifted, %x_c1 : tensor<70x64xui32>
  %x_up = tx.add %x_last, %x_half : tensor<70x64xui32>
  %x_sum = tx.add %x_bits, %x_up : tensor<70x64xui32>
  %x_kept = tx.and %x_sum, %x_mask : tensor<70x64xui32>
  %x_number = tx.bitcast %x_kept : tensor<70x64xui32> -> tensor<70x64xf32>
  %x_finite = tx.is_finite %x : tensor<70x64xf32>
  %x_quiet = tx.add %x, %x : tensor<70x64xf32>
  %x_r = tx.select %x_finite, %x_number, %x_quiet : tensor<70x64xi1>, tensor<70x64xf32>
  %y_bits = tx.bitcast %y : tensor<64x72xf32> -> tensor<64x72xui32>
  %y_c13 = tx.constant dense<13> : tensor<64x72xui32>
  %y_c1 = tx.constant dense<1> : tensor<64x72xui32>
  %y_half = tx.constant dense<4095> : tensor<64x72xui32>
  %y_mask = tx.constant dense<4294959104> : tensor<64x72xui32>
  %y_shifted = tx.shr_logical %y_bits, %y_c13 : tensor<64x72xui32>
  %y_last = tx.and %y_shifted, %y_c1 : tensor<64x72xui32>
  %y_up = tx.add %y_last, %y_half : tensor<64x72xui32>
  %y_sum = tx.add %y_bits, %y_up : tensor<64x72xui32>
  %y_kept = tx.and %y_sum, %y_mask : tensor<64x72xui32>
  %y_number = tx.bitcast %y_kept : tensor<64x72xui32> -> tensor<64x72xf32>
  %y_finite = tx.is_finite %y : tensor<64x72xf32>
  %y_quiet = tx.add %y, %y : tensor<64x72xf32>
  %y_r = tx.select %y_finite, %y_number, %y_quiet : tensor<64x72xi1>, tensor<64x72xf32>
  %0 = tx.dot_general %x_r, %y_r batch = [] x [] contracting = [1] x [0]
      : (tensor<70x64xf32>, tensor<64x72xf32>) -> tensor<70x72xf32>
  return %0 : tensor<70x72xf32>
}
