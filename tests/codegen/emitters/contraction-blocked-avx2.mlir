// Tiles of blocks in the 16 registers of AVX2. Eight vectors of columns leave no registers for a row of accumulators, so such tiles are
// not offered.
//
// RUN: %tensorc-opt %s --tx-fuse-ops --tx-choose-schedules | FileCheck %s
// RUN: %tensorc compile %s --entry=floats --target=cpu:x86-64-v3 -o %t.tcpkg

module attributes {tx.target = "cpu:x86-64-v3"} {
// CHECK-LABEL: func.func @floats
// CHECK: #tx.schedule<"blocked"
func.func @floats(%x: tensor<32x65536xf32>, %y: tensor<65536x256xf32>) -> tensor<32x256xf32> {
  %0 = tx.dot_general %x, %y batch = [] x [] contracting = [1] x [0] : (tensor<32x65536xf32>, tensor<65536x256xf32>) -> tensor<32x256xf32>
  return %0 : tensor<32x256xf32>
}

// CHECK-LABEL: func.func @doubles
// CHECK: #tx.schedule<"blocked"
func.func @doubles(%x: tensor<32x65536xf64>, %y: tensor<65536x128xf64>) -> tensor<32x128xf64> {
  %0 = tx.dot_general %x, %y batch = [] x [] contracting = [1] x [0] : (tensor<32x65536xf64>, tensor<65536x128xf64>) -> tensor<32x128xf64>
  return %0 : tensor<32x128xf64>
}
}
