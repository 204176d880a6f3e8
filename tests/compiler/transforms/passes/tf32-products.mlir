// Contractions of f32 whose operands are rounded to tf32 are marked for targets with instructions for it. The rounding stays.
//
// RUN: sed s/TARGET/cuda:sm_80/ %s | %tensorc-opt --tx-expand-degenerate | FileCheck %s --check-prefixes=CHECK,MARKED
// RUN: sed s/TARGET/cuda:sm_75/ %s | %tensorc-opt --tx-expand-degenerate | FileCheck %s --check-prefixes=CHECK,PLAIN
// RUN: sed s/TARGET/rocm:gfx1100/ %s | %tensorc-opt --tx-expand-degenerate | FileCheck %s --check-prefixes=CHECK,PLAIN
// RUN: sed s/TARGET/cpu:x86-64-v3/ %s | %tensorc-opt --tx-expand-degenerate | FileCheck %s --check-prefixes=CHECK,PLAIN
//
// Rounding is a kernel of its own, whose result is copied asynchronously.
// RUN: sed s/TARGET/cuda:sm_80/ %s > %t.mlir
// RUN: %tensorc compile %t.mlir --entry=rounded --target=cuda:sm_80 --stop-after=emit | FileCheck %s --check-prefix=TILES
// TILES: txk.copy_async {{.*}} memref<?xf32> to memref<{{.*}}xf32
// TILES: txk.copy_async {{.*}} memref<?xf32> to memref<{{.*}}xf32
// TILES: txk.tile_mma {{.*}} !txk.fragment<left, tf32>, !txk.fragment<right, tf32>, !txk.fragment<sum, f32>

module attributes {tx.target = "TARGET"} {
// CHECK-LABEL: func.func @rounded(
// CHECK:       tx.and
// MARKED:      tx.dot_general {{.*}} {tx.tf32}
// PLAIN-NOT:   tx.tf32
func.func @rounded(%x: tensor<64x64xf32>, %y: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %x_bits = tx.bitcast %x : tensor<64x64xf32> -> tensor<64x64xui32>
  %x_c13 = tx.constant dense<13> : tensor<64x64xui32>
  %x_c1 = tx.constant dense<1> : tensor<64x64xui32>
  %x_half = tx.constant dense<4095> : tensor<64x64xui32>
  %x_mask = tx.constant dense<4294959104> : tensor<64x64xui32>
  %x_shifted = tx.shr_logical %x_bits, %x_c13 : tensor<64x64xui32>
  %x_last = tx.and %x_shifted, %x_c1 : tensor<64x64xui32>
  %x_up = tx.add %x_last, %x_half : tensor<64x64xui32>
  %x_sum = tx.add %x_bits, %x_up : tensor<64x64xui32>
  %x_kept = tx.and %x_sum, %x_mask : tensor<64x64xui32>
  %x_number = tx.bitcast %x_kept : tensor<64x64xui32> -> tensor<64x64xf32>
  %x_finite = tx.is_finite %x : tensor<64x64xf32>
  %x_quiet = tx.add %x, %x : tensor<64x64xf32>
  %x_r = tx.select %x_finite, %x_number, %x_quiet : tensor<64x64xi1>, tensor<64x64xf32>
  %y_bits = tx.bitcast %y : tensor<64x64xf32> -> tensor<64x64xui32>
  %y_c13 = tx.constant dense<13> : tensor<64x64xui32>
  %y_c1 = tx.constant dense<1> : tensor<64x64xui32>
  %y_half = tx.constant dense<4095> : tensor<64x64xui32>
  %y_mask = tx.constant dense<4294959104> : tensor<64x64xui32>
  %y_shifted = tx.shr_logical %y_bits, %y_c13 : tensor<64x64xui32>
  %y_last = tx.and %y_shifted, %y_c1 : tensor<64x64xui32>
  %y_up = tx.add %y_last, %y_half : tensor<64x64xui32>
  %y_sum = tx.add %y_bits, %y_up : tensor<64x64xui32>
  %y_kept = tx.and %y_sum, %y_mask : tensor<64x64xui32>
  %y_number = tx.bitcast %y_kept : tensor<64x64xui32> -> tensor<64x64xf32>
  %y_finite = tx.is_finite %y : tensor<64x64xf32>
  %y_quiet = tx.add %y, %y : tensor<64x64xf32>
  %y_r = tx.select %y_finite, %y_number, %y_quiet : tensor<64x64xi1>, tensor<64x64xf32>
  %t = tx.transpose %y_r permutation = [1, 0] : tensor<64x64xf32> -> tensor<64x64xf32>
  %0 = tx.dot_general %x_r, %t batch = [] x [] contracting = [1] x [0]
      : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}

// One operand has all bits.
// CHECK-LABEL: func.func @half(
// CHECK-NOT:   tx.tf32
func.func @half(%x: tensor<64x64xf32>, %y: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %x_bits = tx.bitcast %x : tensor<64x64xf32> -> tensor<64x64xui32>
  %x_c13 = tx.constant dense<13> : tensor<64x64xui32>
  %x_c1 = tx.constant dense<1> : tensor<64x64xui32>
  %x_half = tx.constant dense<4095> : tensor<64x64xui32>
  %x_mask = tx.constant dense<4294959104> : tensor<64x64xui32>
  %x_shifted = tx.shr_logical %x_bits, %x_c13 : tensor<64x64xui32>
  %x_last = tx.and %x_shifted, %x_c1 : tensor<64x64xui32>
  %x_up = tx.add %x_last, %x_half : tensor<64x64xui32>
  %x_sum = tx.add %x_bits, %x_up : tensor<64x64xui32>
  %x_kept = tx.and %x_sum, %x_mask : tensor<64x64xui32>
  %x_number = tx.bitcast %x_kept : tensor<64x64xui32> -> tensor<64x64xf32>
  %x_finite = tx.is_finite %x : tensor<64x64xf32>
  %x_quiet = tx.add %x, %x : tensor<64x64xf32>
  %x_r = tx.select %x_finite, %x_number, %x_quiet : tensor<64x64xi1>, tensor<64x64xf32>
  %0 = tx.dot_general %x_r, %y batch = [] x [] contracting = [1] x [0]
      : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}

// A NaN of %x may have no bits of tf32.
// CHECK-LABEL: func.func @signaling(
// CHECK-NOT:   tx.tf32
func.func @signaling(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %bits = tx.bitcast %x : tensor<64x64xf32> -> tensor<64x64xui32>
  %mask = tx.constant dense<4294959104> : tensor<64x64xui32>
  %kept = tx.and %bits, %mask : tensor<64x64xui32>
  %number = tx.bitcast %kept : tensor<64x64xui32> -> tensor<64x64xf32>
  %finite = tx.is_finite %x : tensor<64x64xf32>
  %r = tx.select %finite, %number, %x : tensor<64x64xi1>, tensor<64x64xf32>
  %0 = tx.dot_general %r, %r batch = [] x [] contracting = [1] x [0]
      : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}

// Nobody rounds.
// CHECK-LABEL: func.func @narrow(
// CHECK-NOT:   tx.tf32
func.func @narrow(%x: tensor<64x64xf16>, %y: tensor<64x64xf16>) -> tensor<64x64xf32> {
  %a = tx.convert %x : tensor<64x64xf16> -> tensor<64x64xf32>
  %b = tx.convert %y : tensor<64x64xf16> -> tensor<64x64xf32>
  %0 = tx.dot_general %a, %b batch = [] x [] contracting = [1] x [0]
      : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}

// The target decides whether operands are rounded: one without instructions for tf32 multiplies in f32.
// CHECK-LABEL: func.func @left_to_target(
// MARKED:      %[[BITS:.*]] = tx.bitcast %{{.*}} : tensor<64x64xf32> -> tensor<64x64xi32>
// MARKED:      %[[KEPT:.*]] = tx.and
// MARKED:      %[[QUIET:.*]] = tx.add %arg0, %arg0
// MARKED:      %[[R:.*]] = tx.select %{{.*}}, %{{.*}}, %[[QUIET]]
// MARKED-NOT:  tx.bitcast
// MARKED:      tx.dot_general %[[R]], %[[R]] {{.*}} {tx.tf32}
// PLAIN-NEXT:  tx.dot_general %arg0, %arg0 batch = [] x [] contracting = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
func.func @left_to_target(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %0 = tx.dot_general %x, %x batch = [] x [] contracting = [1] x [0] {tx.rounds_to_tf32}
      : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}
}
