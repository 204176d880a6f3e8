// The instruction is used where the host has it, in any layout of the operands, and not for a baseline.
//
// REQUIRES: avx512_bf16
// RUN: env TENSORC_TEST_CPU=zen5 %tensorc compile %s --emit=asm --target=cpu -o %t.s
// RUN: FileCheck %s < %t.s
// Where it has half the rate of f32's multiply-adds it is not used, and the bits are the same.
// RUN: env TENSORC_TEST_CPU=sapphirerapids %tensorc compile %s --emit=asm --target=cpu -o %t.spr.s
// RUN: not grep vdpbf16ps %t.spr.s
// RUN: rm -rf %t && mkdir %t %t/pairs %t/f32
// RUN: env TENSORC_TEST_CPU=zen5 %tensorc run %s --device=cpu --entry=linear --random-inputs --output-dir=%t/pairs
// RUN: env TENSORC_TEST_CPU=sapphirerapids %tensorc run %s --device=cpu --entry=linear --random-inputs --output-dir=%t/f32
// RUN: cmp %t/pairs/out0.npy %t/f32/out0.npy
// RUN: %tensorc compile %s --emit=asm --target=cpu:x86-64-v4 -o %t.v4.s
// RUN: not grep vdpbf16ps %t.v4.s
// RUN: env TENSORC_TEST_CPU=zen5 %python %S/../Inputs/same_bits.py %tensorc %s --device=cpu --entry=x_turned -- dot_general:tiles=4 dot_general:skeleton=panel
// RUN: env TENSORC_TEST_CPU=zen5 %python %S/../Inputs/same_bits.py %tensorc %s --device=cpu --entry=batched -- dot_general:tiles=4 dot_general:skeleton=panel
// RUN: env TENSORC_TEST_CPU=zen5 %tensorc explain %s --entry=few_steps | FileCheck %s --check-prefix=PANEL
//
// CHECK-COUNT-20: vdpbf16ps
// PANEL: schedule panel

func.func @linear(%x: tensor<64x96xbf16>, %y: tensor<128x96xbf16>) -> tensor<64x128xbf16> {
  %0 = tx.dot_general %x, %y batch = [] x [] contracting = [1] x [1]
      : (tensor<64x96xbf16>, tensor<128x96xbf16>) -> tensor<64x128xbf16>
  return %0 : tensor<64x128xbf16>
}
func.func @few_steps(%x: tensor<64x3xbf16>, %y: tensor<3x128xbf16>) -> tensor<64x128xbf16> {
  %0 = tx.dot_general %x, %y batch = [] x [] contracting = [1] x [0]
      : (tensor<64x3xbf16>, tensor<3x128xbf16>) -> tensor<64x128xbf16>
  return %0 : tensor<64x128xbf16>
}
// Rows of x are turned for several panels at once, of which the last item has fewer.
func.func @x_turned(%x: tensor<71x137xbf16>, %y: tensor<71x301xbf16>) -> tensor<137x301xf32> {
  %0 = tx.dot_general %x, %y batch = [] x [] contracting = [0] x [0]
      : (tensor<71x137xbf16>, tensor<71x301xbf16>) -> tensor<137x301xf32>
  return %0 : tensor<137x301xf32>
}
func.func @batched(%x: tensor<3x97x61xbf16>, %y: tensor<3x331x97xbf16>) -> tensor<3x61x331xf32> {
  %0 = tx.dot_general %x, %y batch = [0] x [0] contracting = [1] x [2]
      : (tensor<3x97x61xbf16>, tensor<3x331x97xbf16>) -> tensor<3x61x331xf32>
  return %0 : tensor<3x61x331xf32>
}
