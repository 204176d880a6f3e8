// RUN: split-file --leading-lines %s %t
// DEFINE: %{parts} = 2
// DEFINE: %{split} = %tensorc-opt - --pass-pipeline='builtin.module(func.func(tx-split-batch{parts=%{parts} launch-us=3}))'
// RUN: %tensorc compile %t/wide.mlir --target=cpu:x86-64-v4 --stop-after=fuse | %{split} | FileCheck %t/wide.mlir
// RUN: %tensorc compile %t/wide.mlir --target=cpu:x86-64-v4 --stop-after=fuse | %tensorc-opt - --tx-split-batch --tx-choose-schedules --tx-emit-program | FileCheck %t/wide.mlir --check-prefix=EMIT
// RUN: %tensorc compile %t/images.mlir --target=cpu:x86-64-v4 --stop-after=fuse | %{split} | FileCheck %t/images.mlir
// RUN: %tensorc compile %t/tokens.mlir --target=cpu:x86-64-v4 --stop-after=fuse | %{split} | FileCheck %t/tokens.mlir
// RUN: %tensorc compile %t/unaligned.mlir --target=cpu:x86-64-v4 --stop-after=fuse | %{split} | FileCheck %t/unaligned.mlir
// RUN: %tensorc compile %t/columns.mlir --target=cpu:x86-64-v4 --stop-after=fuse | %{split} | FileCheck %t/columns.mlir
// RUN: %tensorc compile %t/tall.mlir --target=cpu:x86-64-v4 --stop-after=fuse | %{split} | FileCheck %t/tall.mlir
// RUN: %tensorc compile %t/late.mlir --target=cpu:x86-64-v4 --stop-after=fuse | %{split} | FileCheck %t/late.mlir
// RUN: %tensorc compile %t/loop.mlir --target=cpu:x86-64-v4 --stop-after=fuse | %{split} | FileCheck %t/loop.mlir
// RUN: %tensorc compile %t/empty.mlir --target=cpu:x86-64-v4 --stop-after=fuse | %tensorc-opt - --tx-split-batch --tx-choose-schedules --tx-emit-program | FileCheck %t/empty.mlir
// RUN: %exits 1 %tensorc-opt %t/order.mlir --tx-choose-schedules 2>&1 | FileCheck %t/order.mlir

// The wide values are computed in parts. The sum over the batch reads the parts of the result together.
//--- wide.mlir
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:[^:]*]]: tensor<64x16xf32>
// CHECK: %[[X0:.*]] = tx.slice %[[X]] offsets = [0, 0] {{.*}} -> tensor<32x16xf32>
// CHECK: %[[H0:.*]] = tx.fusion "contraction" {{.*}}(%[[X0]], %{{.*}}) {order = #tx.order<"fma">, txp.split = {bytes = 131072 : i64, decision = "split", microseconds = 6.000000e+00 : f64, parts = 2 : i64}} {{.*}} -> tensor<32x1024xf32>
// CHECK: tx.sigmoid {{.*}} : tensor<32x1024xf32>
// CHECK: %[[Y0:.*]] = tx.fusion "contraction" {{.*}}(%[[H0]], {{.*}}order = #tx.order<"fma">} {{.*}} -> tensor<32x16xf32>
// CHECK: %[[X1:.*]] = tx.slice %[[X]] offsets = [32, 0]
// CHECK: %[[H1:.*]] = tx.fusion {{.*}}(%[[X1]], %{{.*}}) {order = #tx.order<"fma">} {{.*}} -> tensor<32x1024xf32>
// CHECK: %[[Y1:.*]] = tx.fusion {{.*}}(%[[H1]],
// CHECK: %[[Y:.*]] = tx.concatenate %[[Y0]], %[[Y1]] dim = 0
// CHECK: tx.fusion {{.*}} "sum"(%[[Y]]) {{.*}}schedule = {{.*}} (tensor<64x16xf32>) -> tensor<16xf32>
// CHECK: return %[[Y]],
// EMIT-LABEL: txp.func @main(
// EMIT-SAME: %[[X:[^:]*]]: !txp.buffer
// EMIT: txp.view %[[X]][%{{.*}}] bytes(%c2048
// EMIT: txp.launch {{.*}} outs(%[[H0:.*]]) {{.*}}txp.fit = {bytes = 131072 : i64, decision = "split"
// EMIT: %[[Y:.*]] = txp.alloc %c4096
// EMIT: %[[Y0:.*]] = txp.view %[[Y]]
// EMIT: txp.launch {{.*}} ins(%[[H0]], %{{.*}}) outs(%[[Y0]])
// EMIT: %[[Y1:.*]] = txp.view %[[Y]]
// EMIT: txp.launch {{.*}} outs(%[[Y1]])
// EMIT: txp.launch {{.*}} ins(%[[Y]])
// EMIT: txp.return %[[Y]],
func.func @main(%x: tensor<64x16xf32>, %w: tensor<16x1024xf32>, %v: tensor<1024x16xf32>) -> (tensor<64x16xf32>, tensor<16xf32>) {
  %h = tx.dot_general %x, %w batch = [] x [] contracting = [1] x [0] : (tensor<64x16xf32>, tensor<16x1024xf32>) -> tensor<64x1024xf32>
  %s = tx.sigmoid %h : tensor<64x1024xf32>
  %y = tx.dot_general %s, %v batch = [] x [] contracting = [1] x [0] : (tensor<64x1024xf32>, tensor<1024x16xf32>) -> tensor<64x16xf32>
  %sum = tx.sum %y dims = [0] : tensor<64x16xf32> -> tensor<16xf32>
  return %y, %sum : tensor<64x16xf32>, tensor<16xf32>
}

// The second dim of the hidden layer belongs to the images, which are split.
//--- images.mlir
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:[^:]*]]: tensor<16x4x32x32xf32>
// CHECK: %[[X0:.*]] = tx.slice %[[X]] offsets = [0, 0, 0, 0] {{.*}} -> tensor<8x4x32x32xf32>
// CHECK: tx.fusion "contraction" {{.*}}order = #tx.order<"fma">{{.*}} -> tensor<32x8x32x32xf32>
// CHECK: tx.windows {{.*}} : tensor<8x4x34x34xf32> -> tensor<8x4x32x32x3x3xf32>
// CHECK: %[[Y0:.*]] = tx.fusion "row" {{.*}} -> tensor<8x4x16x16xf32>
// CHECK: tx.reduce_max
// CHECK: tx.slice %[[X]] offsets = [8, 0, 0, 0]
// CHECK: %[[Y1:.*]] = tx.fusion "row" {{.*}} -> tensor<8x4x16x16xf32>
// CHECK: tx.concatenate %[[Y0]], %[[Y1]] dim = 0
func.func @main(%x: tensor<16x4x32x32xf32> {tx.name = "x"}, %w: tensor<32x4x3x3xf32> {tx.name = "w"}, %v: tensor<4x32x3x3xf32> {tx.name = "v"}) -> (tensor<16x4x16x16xf32> {tx.name = "y"}) {
  %h = tx.conv %x, %w groups = 1 sizes = [3, 3] strides = [1, 1] dilations = [1, 1] low = [1, 1] high = [1, 1] input_dilations = [1, 1] : (tensor<16x4x32x32xf32>, tensor<32x4x3x3xf32>) -> tensor<16x32x32x32xf32>
  %r = tx.relu %h : tensor<16x32x32x32xf32>
  %c = tx.conv %r, %v groups = 1 sizes = [3, 3] strides = [1, 1] dilations = [1, 1] low = [1, 1] high = [1, 1] input_dilations = [1, 1] : (tensor<16x32x32x32xf32>, tensor<4x32x3x3xf32>) -> tensor<16x4x32x32xf32>
  %y = tx.max_pool %c dims = [2, 3] sizes = [2, 2] strides = [2, 2] dilations = [1, 1] low = [0, 0] high = [0, 0] : (tensor<16x4x32x32xf32>) -> tensor<16x4x16x16xf32>
  return %y : tensor<16x4x16x16xf32>
}

// Each part reads the keys of all rows: they are computed before, as a whole.
//--- tokens.mlir
// CHECK-LABEL: func.func @main(
// CHECK: %[[P:.*]] = tx.fusion {{.*}} -> tensor<64x16xf32>
// CHECK: %[[K:.*]] = tx.fusion {{.*}} -> tensor<64x16xf32>
// CHECK: %[[P0:.*]] = tx.slice %[[P]] offsets = [0, 0]
// CHECK: %[[S0:.*]] = tx.fusion {{.*}}(%[[P0]], %[[K]]){{.*}} -> tensor<32x64xf32>
// CHECK: tx.fusion {{.*}}(%[[S0]], %{{.*}} -> tensor<32x16xf32>
// CHECK: %[[P1:.*]] = tx.slice %[[P]] offsets = [32, 0]
// CHECK: %[[S1:.*]] = tx.fusion {{.*}}(%[[P1]], %[[K]]){{.*}} -> tensor<32x64xf32>
// CHECK: tx.concatenate
func.func @main(%x: tensor<64x16xf32>, %w: tensor<16x16xf32>, %u: tensor<16x16xf32>, %v: tensor<64x16xf32>) -> tensor<64x16xf32> {
  %p = tx.dot_general %x, %w batch = [] x [] contracting = [1] x [0] : (tensor<64x16xf32>, tensor<16x16xf32>) -> tensor<64x16xf32>
  %r = tx.dot_general %x, %u batch = [] x [] contracting = [1] x [0] : (tensor<64x16xf32>, tensor<16x16xf32>) -> tensor<64x16xf32>
  %k = tx.sigmoid %r : tensor<64x16xf32>
  %q = tx.dot_general %p, %k batch = [] x [] contracting = [1] x [1] : (tensor<64x16xf32>, tensor<64x16xf32>) -> tensor<64x64xf32>
  %s = tx.sigmoid %q : tensor<64x64xf32>
  %y = tx.dot_general %s, %v batch = [] x [] contracting = [1] x [0] : (tensor<64x64xf32>, tensor<64x16xf32>) -> tensor<64x16xf32>
  return %y : tensor<64x16xf32>
}

// Kernels need buffers at multiples of 64 bytes, which half of the argument and of the result is not: they are copied.
//--- unaligned.mlir
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:[^:]*]]: tensor<10x3xf32>
// CHECK: %[[X0:.*]] = tx.fusion "loop" "slice"(%[[X]]) : (tensor<10x3xf32>) -> tensor<5x3xf32>
// CHECK: tx.slice {{.*}} offsets = [0, 0]
// CHECK: %[[H0:.*]] = tx.fusion "contraction" {{.*}}(%[[X0]], {{.*}} -> tensor<5x1024xf32>
// CHECK: %[[Y0:.*]] = tx.fusion "contraction" {{.*}}(%[[H0]], {{.*}} -> tensor<5x3xf32>
// CHECK: tx.slice {{.*}} offsets = [5, 0]
// CHECK: %[[Y1:.*]] = tx.fusion "contraction" {{.*}} -> tensor<5x3xf32>
// CHECK: %[[Y:.*]] = tx.fusion "loop" "concatenate"(%[[Y0]], %[[Y1]]) : (tensor<5x3xf32>, tensor<5x3xf32>) -> tensor<10x3xf32>
// CHECK: tx.concatenate {{.*}} dim = 0
// CHECK: return %[[Y]]
func.func @main(%x: tensor<10x3xf32>, %w: tensor<3x1024xf32>, %v: tensor<1024x3xf32>) -> tensor<10x3xf32> {
  %h = tx.dot_general %x, %w batch = [] x [] contracting = [1] x [0] : (tensor<10x3xf32>, tensor<3x1024xf32>) -> tensor<10x1024xf32>
  %s = tx.sigmoid %h : tensor<10x1024xf32>
  %y = tx.dot_general %s, %v batch = [] x [] contracting = [1] x [0] : (tensor<10x1024xf32>, tensor<1024x3xf32>) -> tensor<10x3xf32>
  return %y : tensor<10x3xf32>
}

// The examples of a batch are columns.
//--- columns.mlir
// CHECK-LABEL: func.func @main(
// CHECK: %[[X0:.*]] = tx.fusion "loop" "slice"(%{{.*}}) : (tensor<16x64xf32>) -> tensor<16x32xf32>
// CHECK: tx.fusion "contraction" {{.*}}(%{{.*}}, %[[X0]]) {{.*}} -> tensor<1024x32xf32>
// CHECK: tx.fusion "loop" "slice"
// CHECK: tx.slice {{.*}} offsets = [0, 32]
// CHECK: tx.fusion "loop" "concatenate"
// CHECK: tx.concatenate {{.*}} dim = 1
func.func @main(%x: tensor<16x64xf32>, %w: tensor<1024x16xf32>, %v: tensor<16x1024xf32>) -> tensor<16x64xf32> {
  %h = tx.dot_general %w, %x batch = [] x [] contracting = [1] x [0] : (tensor<1024x16xf32>, tensor<16x64xf32>) -> tensor<1024x64xf32>
  %s = tx.sigmoid %h : tensor<1024x64xf32>
  %y = tx.dot_general %v, %s batch = [] x [] contracting = [1] x [0] : (tensor<16x1024xf32>, tensor<1024x64xf32>) -> tensor<16x64xf32>
  return %y : tensor<16x64xf32>
}

// A sum over the rows, and over the other dim, would be split.
//--- tall.mlir
// CHECK-LABEL: func.func @main(
// CHECK-NOT: tx.slice
// CHECK-NOT: txp.split
func.func @main(%x: tensor<64x16xf32>, %w: tensor<16x1024xf32>) -> tensor<1024x1024xf32> {
  %h = tx.dot_general %x, %w batch = [] x [] contracting = [1] x [0] : (tensor<64x16xf32>, tensor<16x1024xf32>) -> tensor<64x1024xf32>
  %s = tx.sigmoid %h : tensor<64x1024xf32>
  %y = tx.dot_general %s, %s batch = [] x [] contracting = [0] x [0] : (tensor<64x1024xf32>, tensor<64x1024xf32>) -> tensor<1024x1024xf32>
  return %y : tensor<1024x1024xf32>
}

// The iterations of a loop are split.
//--- loop.mlir
// CHECK-LABEL: func.func @main(
// CHECK: tx.scan
// CHECK: ^bb0(%{{.*}}: tensor<i64>, %[[H:.*]]: tensor<64x16xf32>,
// CHECK: tx.slice %[[H]] offsets = [0, 0] {{.*}}txp.split
// CHECK: tx.slice %[[H]] offsets = [32, 0] {{.*}}txp.split
// CHECK: %[[Y:.*]] = tx.concatenate {{.*}} -> tensor<64x16xf32>
// CHECK: tx.return %[[Y]]
func.func @main(%x: tensor<64x16xf32>, %w: tensor<4x16x1024xf32>, %v: tensor<4x1024x16xf32>) -> tensor<64x16xf32> {
  %y = tx.scan <[4]> carried = 1 scanned = 2 (%x, %w, %v) : (tensor<64x16xf32>, tensor<4x16x1024xf32>, tensor<4x1024x16xf32>) -> (tensor<64x16xf32>) {
  ^bb0(%i: tensor<i64>, %h: tensor<64x16xf32>, %a: tensor<16x1024xf32>, %b: tensor<1024x16xf32>):
    %u = tx.dot_general %h, %a batch = [] x [] contracting = [1] x [0] : (tensor<64x16xf32>, tensor<16x1024xf32>) -> tensor<64x1024xf32>
    %s = tx.sigmoid %u : tensor<64x1024xf32>
    %z = tx.dot_general %s, %b batch = [] x [] contracting = [1] x [0] : (tensor<64x1024xf32>, tensor<1024x16xf32>) -> tensor<64x16xf32>
    tx.return %z : tensor<64x16xf32>
  }
  return %y : tensor<64x16xf32>
}

// The last product is not split, because its weight would be live while the wide layer is computed. The weight stays after
// the region.
//--- late.mlir
// CHECK-LABEL: func.func @main(
// CHECK: %[[H0:.*]] = tx.fusion "contraction" {{.*}}txp.split = {bytes = 65536 : i64, {{.*}} -> tensor<32x1024xf32>
// CHECK: %[[Y0:.*]] = tx.fusion {{.*}}(%[[H0]],
// CHECK: %[[Y1:.*]] = tx.fusion {{.*}} -> tensor<32x16xf32>
// CHECK: %[[Y:.*]] = tx.concatenate %[[Y0]], %[[Y1]] dim = 0
// CHECK: %[[V:.*]] = tx.fusion {{.*}} -> tensor<16x3072xf32>
// CHECK: tx.fusion {{.*}}(%[[Y]], %[[V]]) {{.*}} -> tensor<64x3072xf32>
func.func @main(%x: tensor<64x16xf32>, %w: tensor<16x1024xf32>, %u: tensor<1024x16xf32>, %p: tensor<16x4xf32>, %q: tensor<4x3072xf32>) -> tensor<64x3072xf32> {
  %h = tx.dot_general %x, %w batch = [] x [] contracting = [1] x [0] : (tensor<64x16xf32>, tensor<16x1024xf32>) -> tensor<64x1024xf32>
  %y = tx.dot_general %h, %u batch = [] x [] contracting = [1] x [0] : (tensor<64x1024xf32>, tensor<1024x16xf32>) -> tensor<64x16xf32>
  %v = tx.dot_general %p, %q batch = [] x [] contracting = [1] x [0] : (tensor<16x4xf32>, tensor<4x3072xf32>) -> tensor<16x3072xf32>
  %z = tx.dot_general %y, %v batch = [] x [] contracting = [1] x [0] : (tensor<64x16xf32>, tensor<16x3072xf32>) -> tensor<64x3072xf32>
  return %z : tensor<64x3072xf32>
}

// Values without elements have no parts.
//--- empty.mlir
// CHECK-LABEL: txp.func @main(
// CHECK-NOT: txp.fit
func.func @main(%x: tensor<64x0xf32>) -> tensor<64x0xf32> {
  %h = tx.dot_general %x, %x batch = [] x [] contracting = [1] x [1] : (tensor<64x0xf32>, tensor<64x0xf32>) -> tensor<64x64xf32>
  %s = tx.softmax %h dim = 1 : tensor<64x64xf32>
  %y = tx.dot_general %s, %x batch = [] x [] contracting = [1] x [0] : (tensor<64x64xf32>, tensor<64x0xf32>) -> tensor<64x0xf32>
  return %y : tensor<64x0xf32>
}

// A part has the order of the whole batch, or is refused.
//--- order.mlir
module attributes {tx.target = "cpu:x86-64-v4"} {
// CHECK: order.mlir:[[#@LINE+2]]:8: error: has the order chains lanes=2 chunk=32, which is not that of its size: fma
func.func @main(%x: tensor<8x16xf32>, %w: tensor<16x32xf32>) -> tensor<8x32xf32> {
  %0 = tx.fusion "contraction" "dot_general"(%x, %w) {order = #tx.order<"chains", lanes = [2], chunk = 32>} : (tensor<8x16xf32>, tensor<16x32xf32>) -> tensor<8x32xf32> {
  ^bb0(%a: tensor<8x16xf32>, %b: tensor<16x32xf32>):
    %d = tx.dot_general %a, %b batch = [] x [] contracting = [1] x [0] : (tensor<8x16xf32>, tensor<16x32xf32>) -> tensor<8x32xf32>
    tx.yield %d : tensor<8x32xf32>
  }
  return %0 : tensor<8x32xf32>
}
}
