// explain says how a GPU multiplies, and why so.
//
// RUN: %tensorc explain %s --target=cuda:sm_80 | FileCheck %s
// RUN: %tensorc explain %s --target=sim:gfx942 | FileCheck %s
// RUN: %tensorc explain %s --target=cuda:sm_75 | FileCheck %s --check-prefix=OLD
// RUN: %tensorc explain %s --target=cuda:sm_80 --json | FileCheck %s --check-prefix=JSON
// RUN: %tensorc explain %s --target=cpu | FileCheck %s --check-prefix=CPU
// CHECK: route    one by one: fewer than 16 rows and columns
// CHECK: route    one by one: fewer than 16 steps
// CHECK: route    one by one: no matrix instructions for f32
// CHECK: route    tiles of f16
// OLD:   route    one by one: no matrix instructions for f16
// JSON:  "route": "tiles of f16",
// CPU-NOT: route
func.func @main(%x: tensor<64x32xf16>, %y: tensor<32x64xf16>, %z: tensor<64x64xf32>, %u: tensor<64x8xf16>, %v: tensor<8x64xf16>)
    -> (tensor<64x64xf16>, tensor<64x64xf32>, tensor<64x64xf16>, tensor<8x8xf16>) {
  %0 = tx.dot_general %x, %y batch = [] x [] contracting = [1] x [0]
       : (tensor<64x32xf16>, tensor<32x64xf16>) -> tensor<64x64xf16>
  %1 = tx.dot_general %z, %z batch = [] x [] contracting = [1] x [0]
       : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %2 = tx.dot_general %u, %v batch = [] x [] contracting = [1] x [0]
       : (tensor<64x8xf16>, tensor<8x64xf16>) -> tensor<64x64xf16>
  %3 = tx.dot_general %v, %u batch = [] x [] contracting = [1] x [0]
       : (tensor<8x64xf16>, tensor<64x8xf16>) -> tensor<8x8xf16>
  return %0, %1, %2, %3 : tensor<64x64xf16>, tensor<64x64xf32>, tensor<64x64xf16>, tensor<8x8xf16>
}
