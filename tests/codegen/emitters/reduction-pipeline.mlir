// Rows from memory that are reduced and then scaled: one loop stores a row, reduces the next one, and reads the one behind it.
//
// RUN: %tensorc-opt %s --tx-fuse-ops --tx-choose-schedules --tx-emit-program --canonicalize --cse | FileCheck %s
//
// Pass after pass gives the same bits, as do other distances ahead.
// DEFINE: %{same} = %python %S/../Inputs/same_bits.py %tensorc %s --device=cpu
// RUN: %{same} --entry=softmax -- softmax:skeleton=rows
// RUN: %{same} --entry=held -- mul_sum_div_add:skeleton=rows
// RUN: %{same} --entry=layer_norm -- add_rsqrt_mul_add_6more:skeleton=rows add_rsqrt_mul_add_6more:ahead=4096
// RUN: env TENSORC_CHECK=memory TENSORC_NUM_THREADS=1 %tensorc run %s --entry=held --device=cpu --random-inputs > /dev/null

module attributes {tx.target = "cpu:x86-64-v4"} {
// Before the first row a loop of two steps does what comes before it.
// CHECK-LABEL: func.func @softmax(
// CHECK:       scf.for {{.*}} = %c0 to %c2
// CHECK:         scf.for {{.*}} to %c3072
// CHECK:           math.exp
// CHECK:           vector.store {{.*}}, %[[KEPT:.*]][
// CHECK-NOT:       vector.store
// CHECK:           memref.prefetch {{.*}}, read, locality<3>
// CHECK:           arith.maxsi
// CHECK:       scf.for {{.*}} = %arg2 to %arg3
// CHECK:         scf.for {{.*}} to %c3072
// CHECK:           vector.load %[[KEPT]]
// CHECK:           arith.mulf
// CHECK:           vector.store {{.*}}, %arg1{{.*}} nontemporal
// CHECK:           math.exp
// CHECK:           vector.store {{.*}}, %[[KEPT]][
// CHECK:           memref.prefetch {{.*}}, read, locality<3>
// CHECK:           arith.maxsi
// CHECK-NOT:       scf.for
// CHECK:       return
func.func @softmax(%x: tensor<1367x3072xf32>) -> tensor<1367x3072xf32> {
  %0 = tx.softmax %x dim = 1 : tensor<1367x3072xf32>
  return %0 : tensor<1367x3072xf32>
}

// A row of two blocks, what is reduced is a result, too, and the last pass reads one more input.
func.func @held(%x: tensor<2x257x8224xf32>, %y: tensor<257x8224xf32>) -> (tensor<2x257xf32>, tensor<2x257x8224xf32>) {
  %0 = tx.mul %x, %x : tensor<2x257x8224xf32>
  %1 = tx.sum %0 dims = [2] : tensor<2x257x8224xf32> -> tensor<2x257xf32>
  %2 = tx.broadcast %1 dims = [0, 1] : tensor<2x257xf32> -> tensor<2x257x8224xf32>
  %3 = tx.div %x, %2 : tensor<2x257x8224xf32>
  %4 = tx.broadcast %y dims = [1, 2] : tensor<257x8224xf32> -> tensor<2x257x8224xf32>
  %5 = tx.add %3, %4 : tensor<2x257x8224xf32>
  return %1, %5 : tensor<2x257xf32>, tensor<2x257x8224xf32>
}

func.func @layer_norm(%x: tensor<4097x1024xf32>, %e: tensor<f32>, %s: tensor<1024xf32>, %b: tensor<1024xf32>) -> tensor<4097x1024xf32> {
  %0 = tx.layer_norm %x, %e scale %s bias %b : (tensor<4097x1024xf32>, tensor<f32>, tensor<1024xf32>, tensor<1024xf32>) -> tensor<4097x1024xf32>
  return %0 : tensor<4097x1024xf32>
}

// What caches hold, rows with a rest, and those of which the second cache gives too many, pass after pass.
// CHECK-LABEL: txp.func @apart
// CHECK-COUNT-3: #tx.schedule<"rows"
func.func @apart(%x: tensor<101x320xf32>, %y: tensor<4099x4097xf32>, %z: tensor<8192x4096xf32>, %e: tensor<f32>, %s: tensor<4096xf32>, %b: tensor<4096xf32>)
    -> (tensor<101x320xf32>, tensor<4099x4097xf32>, tensor<8192x4096xf32>) {
  %0 = tx.softmax %x dim = 1 : tensor<101x320xf32>
  %1 = tx.softmax %y dim = 1 : tensor<4099x4097xf32>
  %2 = tx.layer_norm %z, %e scale %s bias %b : (tensor<8192x4096xf32>, tensor<f32>, tensor<4096xf32>, tensor<4096xf32>) -> tensor<8192x4096xf32>
  return %0, %1, %2 : tensor<101x320xf32>, tensor<4099x4097xf32>, tensor<8192x4096xf32>
}
}
