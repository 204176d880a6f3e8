// RUN: %tensorc-opt %s | %tensorc-opt | FileCheck %s
// RUN: %tensorc-opt %s --mlir-print-op-generic | %tensorc-opt | FileCheck %s

module @kernels {
  func.func @multiply_add(%a: memref<?xf32>, %out: memref<?xf32>, %n: i64, %lr: f32,
                          %begin: index, %end: index, %scratch: memref<?xi8>)
      attributes {txk.kernel} { return }
}

gpu.module @simt {
  gpu.func @thread(%out: memref<?xf32>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>, txk.kernel} { gpu.return }
}

// CHECK-LABEL: txp.func @main(
// CHECK-SAME: %[[X:.*]]: !txp.buffer, %[[LR:.*]]: i64, %[[K:.*]]: i64) -> !txp.buffer
// CHECK-SAME: input_names = ["x", "lr", "k"]
// CHECK-SAME: outputs = [tensor<?x10xf32>]
txp.func @main(%x: !txp.buffer, %lr: i64, %k: i64) -> !txp.buffer
    attributes {inputs = [tensor<?x64xf32>, tensor<f32>, index], input_names = ["x", "lr", "k"],
                outputs = [tensor<?x10xf32>], output_names = ["y"]} {
  %c0 = arith.constant 0 : i64
  %c4 = arith.constant 4 : i64
  // CHECK: %[[N:.*]] = txp.dim %[[X]], 0
  %n = txp.dim %x, 0
  %c = arith.cmpi eq, %n, %k : i64
  // CHECK: txp.assert %{{.*}}, "dimension n differs"
  txp.assert %c, "dimension n differs"
  // CHECK: %[[B:.*]] = txp.alloc %[[N]]{{$}}
  %b = txp.alloc %n
  // CHECK: txp.alloc %{{.*}} queue(2)
  %d = txp.alloc %n queue(2)
  // CHECK: txp.constant_buffer dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
  %w = txp.constant_buffer dense<[1.0, 2.0]> : tensor<2xf32>
  // CHECK: txp.constant_buffer "weights.0"
  %v = txp.constant_buffer "weights.0"
  // CHECK: %[[V:.*]] = txp.view %[[B]][%{{.*}}] bytes(%{{.*}})
  %p = txp.view %b[%c0] bytes(%c4)
  // CHECK: txp.fill %[[V]] with %[[N]] width 4
  txp.fill %p with %n width 4
  // CHECK: txp.copy %[[X]] to %[[B]] queue(1)
  txp.copy %x to %b queue(1)
  // CHECK: txp.read_scalar %[[B]][%{{.*}}] : i32
  %s = txp.read_scalar %b[%c0] : i32
  // CHECK: %[[E:.*]] = txp.record queue(1)
  %e = txp.record queue(1)
  // CHECK: txp.wait %[[E]]
  txp.wait %e
  // CHECK: %[[H:.*]] = txp.spill %[[B]] queue(1)
  %h = txp.spill %b queue(1)
  // CHECK: txp.restore %[[H]] to %[[B]]{{$}}
  txp.restore %h to %b
  // CHECK: txp.launch @kernels::@multiply_add extent(%[[N]]) grain(%{{.*}}) scratch(%{{.*}}) ins(%[[X]]) outs(%[[B]]) scalars(%[[N]], %[[LR]] : i64, i64)
  txp.launch @kernels::@multiply_add extent(%n) grain(%c4) scratch(%s)
      ins(%x) outs(%b) scalars(%n, %lr : i64, i64)
  // CHECK: txp.launch @simt::@thread extent(%[[N]]) grain(%{{.*}}) block(256) outs(%[[B]])
  txp.launch @simt::@thread extent(%n) grain(%c4) block(256) outs(%b)
  // CHECK: txp.custom_call "fft" ins(%[[X]]) outs(%[[B]]) scalars(%[[N]] : i64) config "forward"
  txp.custom_call "fft" ins(%x) outs(%b) scalars(%n : i64) config "forward"
  // CHECK: txp.call @step(%[[B]], %{{.*}}) : (!txp.buffer, i64) -> (!txp.buffer, i64)
  %q, %r = txp.call @step(%b, %s) : (!txp.buffer, i64) -> (!txp.buffer, i64)
  // CHECK: txp.return %{{.*}} dims(%[[N]])
  txp.return %q dims(%n)
}

// CHECK: txp.func private @step
txp.func private @step(%a: !txp.buffer, %b: i64) -> (!txp.buffer, i64) {
  // CHECK: txp.return %{{.*}}, %{{.*}} : !txp.buffer, i64
  txp.return %a, %b : !txp.buffer, i64
}
