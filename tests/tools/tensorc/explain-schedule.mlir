// explain says what fixes the bits of each kernel, and how the target computes it.
//
// RUN: %tensorc explain %s --target=cuda:sm_80 | FileCheck %s
// RUN: %tensorc explain %s --target=sim:gfx942 | FileCheck %s --check-prefix=CDNA
// RUN: %tensorc explain %s --target=cuda:sm_75 | FileCheck %s --check-prefix=OLD
// RUN: %tensorc explain %s --target=cuda:sm_80 --json | FileCheck %s --check-prefix=JSON
// RUN: %tensorc explain %s --target=cpu:x86-64-v3 | FileCheck %s --check-prefix=CPU
// RUN: %tensorc compile %s --target=cuda:sm_80 -o %t.tcpkg
// RUN: %tensorc explain %t.tcpkg | FileCheck %s --check-prefix=PACKAGE
// RUN: %tensorc explain %t.tcpkg --json | FileCheck %s --check-prefix=PACKAGE-JSON
// CHECK: order    fma
// CHECK: schedule fma rows=16 columns=16
// CHECK: order    fma
// CHECK: schedule fma rows=64 columns=64
// CHECK: order    fma
// CHECK: schedule fma rows=64 columns=64
// CHECK: order    matrix
// CHECK: schedule mma rows=64 columns=64 threads=128 stages=3
// CDNA:  order    matrix
// CDNA:  schedule mma rows=64 columns=64 threads=128 stages=2
// OLD-NOT: matrix
// JSON:  "order": "matrix",
// JSON:  "schedule": "mma rows=64 columns=64 threads=128 stages=3",
// CPU:   schedule panel outer=1 rows=6 vectors=2 lanes=8
// PACKAGE:      kernel     dot_general
// PACKAGE:        order      matrix
// PACKAGE-NEXT:   schedule   mma rows=64 columns=64 threads=128 stages=3
// PACKAGE-JSON: "order": "matrix",
// PACKAGE-JSON: "schedule": "mma rows=64 columns=64 threads=128 stages=3"
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
