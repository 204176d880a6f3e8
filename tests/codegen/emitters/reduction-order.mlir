// Into how many loops the reduced dims fall follows from what is read, and from which sizes are known. The bits do not:
// a position of the reduced space, in row-major order, has its lane and its block wherever it is computed.
//
// RUN: %tensorc-opt %s --tx-fuse-ops --tx-choose-schedules --tx-emit-program --canonicalize --cse | FileCheck %s
// RUN: rm -rf %t && mkdir %t
// RUN: %tensorc run %s --entry=draw --random-inputs --output-dir=%t
// DEFINE: %{inputs} = --device=cpu --input=a=%t/out0.npy --input=b=%t/out1.npy --input=c=%t/out2.npy --input=d=%t/out3.npy --input=e=%t/out4.npy
// DEFINE: %{ones} = --input=p=%t/out5.npy --input=q=%t/out6.npy --input=r=%t/out7.npy --input=s=%t/out8.npy
// RUN: mkdir %t/alone %t/fused %t/named
// RUN: %tensorc run %s --entry=alone %{inputs} --output-dir=%t/alone
// RUN: %tensorc run %s --entry=fused %{inputs} %{ones} --output-dir=%t/fused
// RUN: %tensorc run %s --entry=named %{inputs} %{ones} --output-dir=%t/named
// RUN: diff -r %t/alone %t/fused
// RUN: diff -r %t/alone %t/named

module attributes {tx.target = "cpu:x86-64-v4"} {
func.func @draw(%a: tensor<3x16x4xf32>, %b: tensor<2x9x7xf32>, %c: tensor<2x300x50xf32>, %d: tensor<40x3x640xf32>,
                %e: tensor<40x20x8xf32>)
    -> (tensor<3x16x4xf32>, tensor<2x9x7xf32>, tensor<2x300x50xf32>, tensor<40x3x640xf32>, tensor<40x20x8xf32>,
        tensor<3x16xf32>, tensor<2x9xf32>, tensor<2x300xf32>, tensor<40xf32>) {
  %t0 = tx.sum %a dims = [2] : tensor<3x16x4xf32> -> tensor<3x16xf32>
  %b0 = tx.eq %t0, %t0 : tensor<3x16xf32>
  %p = tx.convert %b0 : tensor<3x16xi1> -> tensor<3x16xf32>
  %t1 = tx.sum %b dims = [2] : tensor<2x9x7xf32> -> tensor<2x9xf32>
  %b1 = tx.eq %t1, %t1 : tensor<2x9xf32>
  %q = tx.convert %b1 : tensor<2x9xi1> -> tensor<2x9xf32>
  %t2 = tx.sum %c dims = [2] : tensor<2x300x50xf32> -> tensor<2x300xf32>
  %b2 = tx.eq %t2, %t2 : tensor<2x300xf32>
  %r = tx.convert %b2 : tensor<2x300xi1> -> tensor<2x300xf32>
  %t3 = tx.sum %e dims = [1, 2] : tensor<40x20x8xf32> -> tensor<40xf32>
  %b3 = tx.eq %t3, %t3 : tensor<40xf32>
  %s = tx.convert %b3 : tensor<40xi1> -> tensor<40xf32>
  return %a, %b, %c, %d, %e, %p, %q, %r, %s
      : tensor<3x16x4xf32>, tensor<2x9x7xf32>, tensor<2x300x50xf32>, tensor<40x3x640xf32>, tensor<40x20x8xf32>,
        tensor<3x16xf32>, tensor<2x9xf32>, tensor<2x300xf32>, tensor<40xf32>
}

// One loop, and two where the dims are not neighbours.
func.func @alone(%a: tensor<3x16x4xf32> {tx.name = "a"}, %b: tensor<2x9x7xf32> {tx.name = "b"},
                 %c: tensor<2x300x50xf32> {tx.name = "c"}, %d: tensor<40x3x640xf32> {tx.name = "d"},
                 %e: tensor<40x20x8xf32> {tx.name = "e"})
    -> (tensor<3xf32>, tensor<2xf32>, tensor<2xf32>, tensor<3xf32>, tensor<8xf32>) {
  %0 = tx.sum %a dims = [1, 2] : tensor<3x16x4xf32> -> tensor<3xf32>
  %1 = tx.sum %b dims = [1, 2] : tensor<2x9x7xf32> -> tensor<2xf32>
  %2 = tx.sum %c dims = [1, 2] : tensor<2x300x50xf32> -> tensor<2xf32>
  %3 = tx.sum %d dims = [0, 2] : tensor<40x3x640xf32> -> tensor<3xf32>
  %4 = tx.sum %e dims = [0, 1] : tensor<40x20x8xf32> -> tensor<8xf32>
  return %0, %1, %2, %3, %4 : tensor<3xf32>, tensor<2xf32>, tensor<2xf32>, tensor<3xf32>, tensor<8xf32>
}

// Each product with ones, which do not vary along one of the reduced dims: 4 of 32 lanes in one step.
// CHECK-LABEL: func.func @mul_sum(
// CHECK:       scf.for {{.*}} step %c1 iter_args
// CHECK:       arith.remui {{.*}}, %c32
// CHECK:       scf.for {{.*}} step %c32
// CHECK:       vector.maskedload {{.*}} vector<32xf32>
func.func @fused(%a: tensor<3x16x4xf32> {tx.name = "a"}, %b: tensor<2x9x7xf32> {tx.name = "b"},
                 %c: tensor<2x300x50xf32> {tx.name = "c"}, %d: tensor<40x3x640xf32> {tx.name = "d"},
                 %e: tensor<40x20x8xf32> {tx.name = "e"}, %p: tensor<3x16xf32> {tx.name = "p"},
                 %q: tensor<2x9xf32> {tx.name = "q"}, %r: tensor<2x300xf32> {tx.name = "r"},
                 %s: tensor<40xf32> {tx.name = "s"})
    -> (tensor<3xf32>, tensor<2xf32>, tensor<2xf32>, tensor<3xf32>, tensor<8xf32>) {
  %pb = tx.broadcast %p dims = [0, 1] : tensor<3x16xf32> -> tensor<3x16x4xf32>
  %pm = tx.mul %a, %pb : tensor<3x16x4xf32>
  %0 = tx.sum %pm dims = [1, 2] : tensor<3x16x4xf32> -> tensor<3xf32>
  %qb = tx.broadcast %q dims = [0, 1] : tensor<2x9xf32> -> tensor<2x9x7xf32>
  %qm = tx.mul %b, %qb : tensor<2x9x7xf32>
  %1 = tx.sum %qm dims = [1, 2] : tensor<2x9x7xf32> -> tensor<2xf32>
  %rb = tx.broadcast %r dims = [0, 1] : tensor<2x300xf32> -> tensor<2x300x50xf32>
  %rm = tx.mul %c, %rb : tensor<2x300x50xf32>
  %2 = tx.sum %rm dims = [1, 2] : tensor<2x300x50xf32> -> tensor<2xf32>
  %sb = tx.broadcast %s dims = [0] : tensor<40xf32> -> tensor<40x3x640xf32>
  %sm = tx.mul %d, %sb : tensor<40x3x640xf32>
  %3 = tx.sum %sm dims = [0, 2] : tensor<40x3x640xf32> -> tensor<3xf32>
  %tb = tx.broadcast %s dims = [0] : tensor<40xf32> -> tensor<40x20x8xf32>
  %tm = tx.mul %e, %tb : tensor<40x20x8xf32>
  %4 = tx.sum %tm dims = [0, 1] : tensor<40x20x8xf32> -> tensor<8xf32>
  return %0, %1, %2, %3, %4 : tensor<3xf32>, tensor<2xf32>, tensor<2xf32>, tensor<3xf32>, tensor<8xf32>
}

// The same with sizes that are known when it runs.
func.func @named(%a: tensor<3x?x?xf32, #tx.dims<[3, a, b]>> {tx.name = "a"},
                 %b: tensor<2x?x?xf32, #tx.dims<[2, c, d]>> {tx.name = "b"},
                 %c: tensor<2x?x?xf32, #tx.dims<[2, e, f]>> {tx.name = "c"},
                 %d: tensor<?x3x?xf32, #tx.dims<[g, 3, h]>> {tx.name = "d"},
                 %e: tensor<?x?x8xf32, #tx.dims<[g, i, 8]>> {tx.name = "e"},
                 %p: tensor<3x?xf32, #tx.dims<[3, a]>> {tx.name = "p"},
                 %q: tensor<2x?xf32, #tx.dims<[2, c]>> {tx.name = "q"},
                 %r: tensor<2x?xf32, #tx.dims<[2, e]>> {tx.name = "r"},
                 %s: tensor<?xf32, #tx.dims<[g]>> {tx.name = "s"})
    -> (tensor<3xf32>, tensor<2xf32>, tensor<2xf32>, tensor<3xf32>, tensor<8xf32>) {
  %pb = tx.broadcast %p dims = [0, 1] : tensor<3x?xf32, #tx.dims<[3, a]>> -> tensor<3x?x?xf32, #tx.dims<[3, a, b]>>
  %pm = tx.mul %a, %pb : tensor<3x?x?xf32, #tx.dims<[3, a, b]>>
  %0 = tx.sum %pm dims = [1, 2] : tensor<3x?x?xf32, #tx.dims<[3, a, b]>> -> tensor<3xf32>
  %qb = tx.broadcast %q dims = [0, 1] : tensor<2x?xf32, #tx.dims<[2, c]>> -> tensor<2x?x?xf32, #tx.dims<[2, c, d]>>
  %qm = tx.mul %b, %qb : tensor<2x?x?xf32, #tx.dims<[2, c, d]>>
  %1 = tx.sum %qm dims = [1, 2] : tensor<2x?x?xf32, #tx.dims<[2, c, d]>> -> tensor<2xf32>
  %rb = tx.broadcast %r dims = [0, 1] : tensor<2x?xf32, #tx.dims<[2, e]>> -> tensor<2x?x?xf32, #tx.dims<[2, e, f]>>
  %rm = tx.mul %c, %rb : tensor<2x?x?xf32, #tx.dims<[2, e, f]>>
  %2 = tx.sum %rm dims = [1, 2] : tensor<2x?x?xf32, #tx.dims<[2, e, f]>> -> tensor<2xf32>
  %sb = tx.broadcast %s dims = [0] : tensor<?xf32, #tx.dims<[g]>> -> tensor<?x3x?xf32, #tx.dims<[g, 3, h]>>
  %sm = tx.mul %d, %sb : tensor<?x3x?xf32, #tx.dims<[g, 3, h]>>
  %3 = tx.sum %sm dims = [0, 2] : tensor<?x3x?xf32, #tx.dims<[g, 3, h]>> -> tensor<3xf32>
  %tb = tx.broadcast %s dims = [0] : tensor<?xf32, #tx.dims<[g]>> -> tensor<?x?x8xf32, #tx.dims<[g, i, 8]>>
  %tm = tx.mul %e, %tb : tensor<?x?x8xf32, #tx.dims<[g, i, 8]>>
  %4 = tx.sum %tm dims = [0, 1] : tensor<?x?x8xf32, #tx.dims<[g, i, 8]>> -> tensor<8xf32>
  return %0, %1, %2, %3, %4 : tensor<3xf32>, tensor<2xf32>, tensor<2xf32>, tensor<3xf32>, tensor<8xf32>
}
}
