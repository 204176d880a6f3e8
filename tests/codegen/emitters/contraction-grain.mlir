// A small product is one grain, which wakes no other thread (docs/design/0003):
// of many rows that is 524288 multiply-adds, of one row 65536.
//
// RUN: %tensorc compile %s --target=cpu:x86-64-v4 --stop-after=emit | FileCheck %s

// CHECK-LABEL: txp.func @small
// CHECK:         txp.launch {{.*}} extent(%c10_i64) grain(%c20_i64)
func.func @small(%x: tensor<64x64xf32>, %y: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %0 = tx.dot_general %x, %y batch = [] x [] contracting = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}

// CHECK-LABEL: txp.func @large
// CHECK:         txp.launch {{.*}} extent(%c160_i64) grain(%c5_i64)
func.func @large(%x: tensor<256x256xf32>, %y: tensor<256x256xf32>) -> tensor<256x256xf32> {
  %0 = tx.dot_general %x, %y batch = [] x [] contracting = [1] x [0] : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
  return %0 : tensor<256x256xf32>
}

// CHECK-LABEL: txp.func @one_row
// CHECK:         txp.launch {{.*}} extent(%c8_i64) grain(%c2_i64)
func.func @one_row(%x: tensor<1x256xf32>, %y: tensor<256x1024xf32>) -> tensor<1x1024xf32> {
  %0 = tx.dot_general %x, %y batch = [] x [] contracting = [1] x [0] : (tensor<1x256xf32>, tensor<256x1024xf32>) -> tensor<1x1024xf32>
  return %0 : tensor<1x1024xf32>
}
