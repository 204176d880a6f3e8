// Products of narrow integers: groups of steps in a lane's 32 bits, x packed once for several tiles, the same bits as in tiles of i32.
//
// RUN: %tensorc-opt %s --tx-fuse-ops --tx-choose-schedules --tx-emit-program --canonicalize --cse | FileCheck %s
// RUN: sed 's/x86-64-v4/aarch64/' %s | %tensorc-opt - --tx-fuse-ops --tx-choose-schedules | FileCheck %s --check-prefix=OTHER
// RUN: rm -rf %t && mkdir %t %t.other
// RUN: env TENSORC_CHECK=memory %tensorc run %s --entry=odd --device=cpu --random-inputs --output-dir=%t
// DEFINE: %{same} = env TENSORC_CPU=x86-64-v4 %python %S/../Inputs/same_bits.py %tensorc %s --device=cpu
// RUN: %if x86-64-v4 %{ %{same} --entry=odd -- dot_general:skeleton=panel dot_general:tiles=2,vectors=1,rows=29 %}
// RUN: env TENSORC_CHECK=memory %tensorc run %s --entry=turned --device=cpu --random-inputs --compare=reference

// Those of packages for older processors.
// RUN: %tensorc compile %s --entry=odd --target=cpu:x86-64-v2 -o %t.tcpkg
// RUN: %tensorc run %t.tcpkg --entry=odd --device=cpu --random-inputs --output-dir=%t.other
// RUN: cmp %t/out0.npy %t.other/out0.npy

// OTHER-COUNT-2: #tx.schedule<"panel"
// OTHER-NOT:     #tx.schedule<"groups"

module attributes {tx.target = "cpu:x86-64-v4"} {
// Baselines have no instruction for bytes: pairs of i16.
// CHECK-LABEL: func.func @dot_general(
// CHECK:       vector.interleave {{.*}} : vector<16xi16> -> vector<32xi16>
// CHECK:       txk.add_products {{.*}} : vector<32xi16>, vector<16xi32>
// CHECK-NOT:   arith.muli {{.*}} : vector<16xi32>
// CHECK-LABEL: func.func @dot_general_0(
func.func @odd(%x: tensor<45x71xi8>, %y: tensor<71x83xui8>) -> tensor<45x83xi32> {
  %a = tx.convert %x : tensor<45x71xi8> -> tensor<45x71xi32>
  %b = tx.convert %y : tensor<71x83xui8> -> tensor<71x83xi32>
  %0 = tx.dot_general %a, %b batch = [] x [] contracting = [1] x [0] : (tensor<45x71xi32>, tensor<71x83xi32>) -> tensor<45x83xi32>
  return %0 : tensor<45x83xi32>
}

// Steps that lie side by side are turned as words of i32.
// CHECK:       vector.load {{.*}} : memref<?xi8>, vector<32xi8>
// CHECK:       vector.shuffle {{.*}} : vector<16xi32>, vector<16xi32>
// CHECK:       txk.add_products {{.*}} : vector<32xi16>, vector<16xi32>
func.func @turned(%x: tensor<45x131xi8>, %y: tensor<83x131xi8>) -> tensor<45x83xi32> {
  %a = tx.convert %x : tensor<45x131xi8> -> tensor<45x131xi32>
  %b = tx.convert %y : tensor<83x131xi8> -> tensor<83x131xi32>
  %0 = tx.dot_general %a, %b batch = [] x [] contracting = [1] x [1] : (tensor<45x131xi32>, tensor<83x131xi32>) -> tensor<45x83xi32>
  return %0 : tensor<45x83xi32>
}
}
