// Loops whose values have few elements are one kernel each. Carried values stay
// in registers; only what is scanned and stacked is in memory.
//
// RUN: %tensorc compile %s --target=cpu:x86-64-v4 --stop-after=emit | FileCheck %s
// RUN: %tensorc explain %s --target=cpu:x86-64-v4 | FileCheck %s --check-prefix=EXPLAIN
// RUN: %npy %t.npy f32 '[1, 2, 3]'
// RUN: %tensorc run %s --entry=search --input=%t.npy | FileCheck %s --check-prefix=SEARCH
// RUN: %tensorc compile %s --target=sim:sm_80 --stop-after=emit | FileCheck %s --check-prefix=SIM
//
// EXPLAIN: loops, each one function
// EXPLAIN-NEXT: loop_of_{{.*}}: dot_general

// Products in the order of k, by FMAs.
// CHECK: func.func @loop_of_dot_general_{{.*}}(%[[X:.*]]: memref<?xf32> {llvm.noalias}, %[[ZS:.*]]: memref<?xf32> {llvm.noalias}, %[[W:.*]]: memref<?xf32> {llvm.noalias}, %[[LAST:.*]]: memref<?xf32> {llvm.noalias}, %[[YS:.*]]: memref<?xf32> {llvm.noalias}, %{{.*}}: i64, %{{.*}}: i64,
// CHECK:   vector.load %[[X]]{{.*}} vector<8xf32>
// CHECK:   vector.load %[[W]]{{.*}} vector<16xf32>
// CHECK:   scf.for %[[I:.*]] = {{.*}} iter_args(%[[A:.*]] = %{{.*}}) -> (vector<8xf32>)
// CHECK-NOT: vector.load
// CHECK:     %[[Z:.*]] = memref.load %[[ZS]][%[[I]]]
// CHECK-NOT: load
// CHECK-COUNT-4: vector.fma
// CHECK-NOT: scf.for
// CHECK:     memref.store %{{.*}}, %[[YS]][%[[I]]]
// CHECK-NEXT: scf.yield %{{.*}} : vector<8xf32>
// CHECK:   vector.store %{{.*}}, %[[LAST]]

// A tx.while returns to the program after some iterations, and says whether
// it stopped because of that.
// CHECK: func.func @loop_of_{{.*}}(%{{.*}}: memref<?xi32> {llvm.noalias}, %{{.*}}: memref<?xi32> {llvm.noalias}, %[[STATE:.*]]: memref<?xi64> {llvm.noalias}, %[[MAX:.*]]: i64,
// CHECK:   scf.while (%{{.*}} = %{{.*}}, %[[COUNT:.*]] = %{{.*}}) : (i32, i64)
// CHECK:     arith.cmpi slt, %[[COUNT]], %[[MAX]]
// CHECK:     scf.condition
// CHECK:   memref.store %{{.*}}, %[[STATE]]

// What is only read at computed indices stays in memory.
// CHECK: func.func @loop_of_{{.*}}gather{{.*}}(%{{.*}}: memref<?xf32> {llvm.noalias}, %[[TABLE:.*]]: memref<?xf32> {llvm.noalias}, %{{.*}}: memref<?xf32>
// CHECK:   scf.for
// CHECK:     %[[AT:.*]] = arith.minsi
// CHECK:     vector.load %[[TABLE]][%{{.*}}] : memref<?xf32>, vector<4xf32>

// A long loop runs in parts. A kernel is emitted for values of many elements.
// CHECK-LABEL: txp.func @main
// CHECK: txp.launch @kernels::@loop_of_dot_general_{{.*}} extent(%c1_i64) grain(%c1_i64) ins(%arg0, %arg1, %arg2) outs(%{{.*}}, %{{.*}}) scalars(%c0_i64, %c1000_i64 : i64, i64) {txp.calls = ["dot_general{{.*}}txp.updates
// CHECK-LABEL: txp.func @endless
// CHECK: scf.while (%[[A:.*]] = %arg0)
// CHECK:   txp.launch {{.*}} ins(%[[A]])
// CHECK:   txp.read_scalar
// CHECK-LABEL: txp.func @long
// CHECK: scf.for %[[BEGIN:.*]] = %c0_i64 to %c100000000_i64 step
// CHECK:   arith.minsi
// CHECK:   txp.launch {{.*}}@loop_of_{{.*}} scalars(%[[BEGIN]], %{{.*}} : i64, i64)
// CHECK-LABEL: txp.func @many
// CHECK-NOT: loop_of
// CHECK: scf.for
// CHECK:   txp.launch

// SIM-NOT: loop_of

func.func @main(%x: tensor<2x4xf32>, %z: tensor<1000xf32>, %w: tensor<4x4xf32>) -> (tensor<2x4xf32>, tensor<1000xf32>) {
  %0:2 = tx.scan <[1000]> carried = 1 scanned = 1 (%x, %z, %w) : (tensor<2x4xf32>, tensor<1000xf32>, tensor<4x4xf32>) -> (tensor<2x4xf32>, tensor<1000xf32>) {
  ^bb0(%i: tensor<i64>, %a: tensor<2x4xf32>, %b: tensor<f32>, %m: tensor<4x4xf32>):
    %p = tx.dot_general %a, %m batch = [] x [] contracting = [1] x [0] : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
    %c = tx.broadcast %b dims = [] : tensor<f32> -> tensor<2x4xf32>
    %r = tx.add %p, %c : tensor<2x4xf32>
    %s = tx.sum %r dims = [0, 1] : tensor<2x4xf32> -> tensor<f32>
    tx.return %r, %s : tensor<2x4xf32>, tensor<f32>
  }
  return %0#0, %0#1 : tensor<2x4xf32>, tensor<1000xf32>
}

func.func @endless(%x: tensor<i32>) -> tensor<i32> {
  %0 = tx.while (%x) : (tensor<i32>) -> tensor<i32> {
  ^bb0(%a: tensor<i32>):
    %zero = tx.constant dense<0> : tensor<i32>
    %p = tx.ge %a, %zero : tensor<i32>
    tx.return %p : tensor<i1>
  } do {
  ^bb0(%a: tensor<i32>):
    %two = tx.constant dense<2> : tensor<i32>
    %r = tx.div %a, %two : tensor<i32>
    tx.return %r : tensor<i32>
  }
  return %0 : tensor<i32>
}

func.func @long(%x: tensor<f32>) -> tensor<f32> {
  %0 = tx.scan <[100000000]> carried = 1 scanned = 0 (%x) : (tensor<f32>) -> tensor<f32> {
  ^bb0(%i: tensor<i64>, %a: tensor<f32>):
    %r = tx.sin %a : tensor<f32>
    tx.return %r : tensor<f32>
  }
  return %0 : tensor<f32>
}

func.func @many(%x: tensor<100000xf32>) -> tensor<100000xf32> {
  %0 = tx.scan <[10]> carried = 1 scanned = 0 (%x) : (tensor<100000xf32>) -> tensor<100000xf32> {
  ^bb0(%i: tensor<i64>, %a: tensor<100000xf32>):
    %r = tx.sin %a : tensor<100000xf32>
    tx.return %r : tensor<100000xf32>
  }
  return %0 : tensor<100000xf32>
}

// More iterations than one part of a loop has.
func.func @search(%x: tensor<3xf32>) -> (tensor<3xf32>, tensor<i64>) {
  %z = tx.constant dense<0> : tensor<i64>
  %0:2 = tx.while (%x, %z) : (tensor<3xf32>, tensor<i64>) -> (tensor<3xf32>, tensor<i64>) {
  ^bb0(%a: tensor<3xf32>, %n: tensor<i64>):
    %m = tx.constant dense<200001> : tensor<i64>
    %p = tx.lt %n, %m : tensor<i64>
    tx.return %p : tensor<i1>
  } do {
  ^bb0(%a: tensor<3xf32>, %n: tensor<i64>):
    %r = tx.neg %a : tensor<3xf32>
    %one = tx.constant dense<1> : tensor<i64>
    %k = tx.add %n, %one : tensor<i64>
    tx.return %r, %k : tensor<3xf32>, tensor<i64>
  }
  return %0#0, %0#1 : tensor<3xf32>, tensor<i64>
}
// SEARCH: [-1, -2, -3]
// SEARCH: 200001

func.func @table(%x: tensor<4xf32>, %table: tensor<50000x4xf32>) -> tensor<4xf32> {
  %0 = tx.scan <[1000]> carried = 1 scanned = 0 (%x, %table) : (tensor<4xf32>, tensor<50000x4xf32>) -> tensor<4xf32> {
  ^bb0(%i: tensor<i64>, %a: tensor<4xf32>, %t: tensor<50000x4xf32>):
    %seven = tx.constant dense<7> : tensor<i64>
    %j = tx.mul %i, %seven : tensor<i64>
    %r = tx.gather %t, %j offset_dims = [0] collapsed_slice_dims = [0] start_index_map = [0] index_vector_dim = 0 slice_sizes = [1, -1] : (tensor<50000x4xf32>, tensor<i64>) -> tensor<4xf32>
    %s = tx.sub %r, %a : tensor<4xf32>
    tx.return %s : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}
