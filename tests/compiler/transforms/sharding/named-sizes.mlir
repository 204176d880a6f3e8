// A named size is split into equal parts, which the types state.
// RUN: split-file --leading-lines %s %t
// RUN: %tensorc-opt %t/rows.mlir --tx-propagate-shardings | FileCheck %t/rows.mlir --check-prefix=SHARD
// RUN: %tensorc-opt %t/rows.mlir --tx-propagate-shardings --tx-partition --canonicalize --cse | FileCheck %t/rows.mlir
// RUN: %tensorc run %t/rows.mlir --mesh=data=2 --devices=cpu,cpu --random-inputs=1 --shape=arg0:6,4 --compare=reference | FileCheck %t/rows.mlir --check-prefix=BOTH
// RUN: env TENSORC_SIM_DEVICES=2 %tensorc run %t/rows.mlir --mesh=data=2 --devices=sim:0,sim:1 --random-inputs=1 --shape=arg0:10,4 --compare=reference | FileCheck %t/rows.mlir --check-prefix=BOTH
// RUN: %tensorc compile %t/rows.mlir --mesh=data=2 -o %t.tcpkg
// RUN: %tensorc run %t.tcpkg --devices=cpu,cpu --random-inputs=1 --shape=arg0:2,4 | FileCheck %t/rows.mlir --check-prefix=SMALL
// RUN: %tensorc run %t.tcpkg --devices=cpu,cpu --random-inputs=1 --shape=arg0:64,4 | FileCheck %t/rows.mlir --check-prefix=LARGE
// RUN: %exits 1 %tensorc run %t.tcpkg --devices=cpu,cpu --random-inputs=1 --shape=arg0:5,4 2>&1 | FileCheck %t/rows.mlir --check-prefix=ODD
// RUN: %exits 1 %tensorc run %t/rows.mlir --mesh=data=2 --devices=cpu,cpu --random-inputs=1 --shape=arg0:5,4 2>&1 | FileCheck %t/rows.mlir --check-prefix=RANKS
// RUN: %tensorc run %t/parts.mlir --devices=cpu,cpu --random-inputs=1 --shape=arg0:6 | FileCheck %t/parts.mlir
// RUN: %exits 1 %tensorc run %t/parts.mlir --devices=cpu,cpu --random-inputs=1 --shape=arg0:7 2>&1 | FileCheck %t/parts.mlir --check-prefix=ODD
// RUN: %tensorc run %t/sum.mlir --devices=cpu,cpu,cpu,cpu --random-inputs=1 --shape=arg0:7 --compare=reference | FileCheck %t/sum.mlir
// RUN: %exits 1 %tensorc run %t/sum.mlir --devices=cpu,cpu,cpu,cpu --random-inputs=1 --shape=arg0:8 2>&1 | FileCheck %t/sum.mlir --check-prefix=ODD
// RUN: %tensorc explain %t/rows.mlir --mesh=data=2 | FileCheck %t/rows.mlir --check-prefix=EXPLAIN
// RUN: %tensorc run %t/loop.mlir --mesh=data=2,model=2 --devices=cpu,cpu,cpu,cpu --random-inputs=1 --shape=arg0:8,4 --compare=reference | FileCheck %t/loop.mlir

// The batch of a layer; the mean over it is a sum over the ranks.
//--- rows.mlir
// SHARD-LABEL: func.func @main(
// SHARD-SAME: tx.symbols = [#tx.symbol<"n", divisor = 2>]
// SHARD: tx.reshape %arg0 : tensor<?x4xf32, #tx.dims<[n, 4]>> -> tensor<?x4xf32, #tx.dims<[(n floordiv 2) * 2, 4]>>
// SHARD: tx.dot_general
// SHARD-NEXT: tx.shard {{.*}} mesh = [2] dims = [0] {propagated}

// CHECK-LABEL: func.func @main(
// CHECK: tx.dynamic_slice {{.*}} slice_sizes = [1, -1, -1]
// CHECK: tx.dot_general {{.*}} -> tensor<?x8xf32, #tx.dims<[n floordiv 2, 8]>>
// CHECK: %[[SUM:.*]] = tx.sum {{.*}} -> tensor<8xf32>
// CHECK: tx.all_reduce %[[SUM]] sum ranks = 2
// CHECK: tx.all_gather {{.*}} dim = 0 ranks = 2

// BOTH-COUNT-4: compare rank{{[01]}}.out{{[01]: (equal|largest error)}}
// SMALL: rank1.out0: f32[2,8]
// LARGE: rank1.out0: f32[64,8]
// Each rank's error is whole, in their order.
// RANKS: rank0: {{.*}}n is not a multiple of 2: tx.shard splits it at rows.mlir:
// RANKS-NEXT: rank1: {{.*}}n is not a multiple of 2: tx.shard splits it at rows.mlir:
// ODD: n is not a multiple of 2: tx.shard splits it at rows.mlir:[[#@LINE+5]]
// EXPLAIN: 2 collectives, more than 32 bytes sent by each rank
// EXPLAIN: all_reduce sum over data of f32[8]: 32 bytes
// EXPLAIN: all_gather over data of f32[n floordiv 2,8]: a run's number of bytes
func.func @main(%x: tensor<?x4xf32, #tx.dims<[n, 4]>>, %w: tensor<4x8xf32>) -> (tensor<?x8xf32, #tx.dims<[n, 8]>>, tensor<8xf32>) {
  %0 = tx.shard %x mesh = [2] dims = [0] : (tensor<?x4xf32, #tx.dims<[n, 4]>>) -> tensor<?x4xf32, #tx.dims<[n, 4]>>
  %1 = tx.dot_general %0, %w batch = [] x [] contracting = [1] x [0] : (tensor<?x4xf32, #tx.dims<[n, 4]>>, tensor<4x8xf32>) -> tensor<?x8xf32, #tx.dims<[n, 8]>>
  %2 = tx.relu %1 : tensor<?x8xf32, #tx.dims<[n, 8]>>
  %3 = tx.sum %2 dims = [0] : tensor<?x8xf32, #tx.dims<[n, 8]>> -> tensor<8xf32>
  return %2, %3 : tensor<?x8xf32, #tx.dims<[n, 8]>>, tensor<8xf32>
}

// Rows and columns are split, reshaped, and split in another way.
//--- loop.mlir
// CHECK-COUNT-12: compare rank{{[0-3].out[0-2]: (equal|largest error 0 )}}
func.func @main(%x: tensor<?x4xi32, #tx.dims<[n, 4]>>) -> (tensor<?x4xi32, #tx.dims<[n, 4]>>, tensor<?xi32, #tx.dims<[n * 4]>>, tensor<4x?xi32, #tx.dims<[4, n]>>) {
  %0 = tx.shard %x mesh = [2, 2] dims = [0, 1] : (tensor<?x4xi32, #tx.dims<[n, 4]>>) -> tensor<?x4xi32, #tx.dims<[n, 4]>>
  %1 = tx.add %0, %0 : tensor<?x4xi32, #tx.dims<[n, 4]>>
  %2 = tx.shard %1 mesh = [2, 2] dims = [0, 0] : (tensor<?x4xi32, #tx.dims<[n, 4]>>) -> tensor<?x4xi32, #tx.dims<[n, 4]>>
  %3 = tx.reshape %2 : tensor<?x4xi32, #tx.dims<[n, 4]>> -> tensor<?xi32, #tx.dims<[n * 4]>>
  %4 = tx.mul %3, %3 : tensor<?xi32, #tx.dims<[n * 4]>>
  %5 = tx.transpose %1 permutation = [1, 0] : tensor<?x4xi32, #tx.dims<[n, 4]>> -> tensor<4x?xi32, #tx.dims<[4, n]>>
  %6 = tx.shard %5 mesh = [2, 2] dims = [1, -1] : (tensor<4x?xi32, #tx.dims<[4, n]>>) -> tensor<4x?xi32, #tx.dims<[4, n]>>
  %7 = tx.neg %6 : tensor<4x?xi32, #tx.dims<[4, n]>>
  return %1, %4, %7 : tensor<?x4xi32, #tx.dims<[n, 4]>>, tensor<?xi32, #tx.dims<[n * 4]>>, tensor<4x?xi32, #tx.dims<[4, n]>>
}

// The parts of a named size, and the value that parts of a named size form.
//--- parts.mlir
// CHECK-DAG: rank0.out0: i32[3]
// CHECK-DAG: rank1.out0: i32[3]
// CHECK-DAG: rank0.out1: i32[12]
// CHECK-DAG: rank1.out1: i32[12]
// ODD: x is not a multiple of 2: tx.local_part splits it at parts.mlir:[[#@LINE+2]]
func.func @main(%x: tensor<?xi32, #tx.dims<[x]>>) -> (tensor<?xi32, #tx.dims<[x floordiv 2]>>, tensor<?xi32, #tx.dims<[x * 2]>>) {
  %0 = tx.local_part %x mesh = [2] dims = [0] : (tensor<?xi32, #tx.dims<[x]>>) -> tensor<?xi32, #tx.dims<[x floordiv 2]>>
  %1 = tx.neg %x : tensor<?xi32, #tx.dims<[x]>>
  %2 = tx.join_parts %1 mesh = [2] dims = [0] : (tensor<?xi32, #tx.dims<[x]>>) -> tensor<?xi32, #tx.dims<[x * 2]>>
  %3 = tx.abs %2 : tensor<?xi32, #tx.dims<[x * 2]>>
  return %0, %3 : tensor<?xi32, #tx.dims<[x floordiv 2]>>, tensor<?xi32, #tx.dims<[x * 2]>>
}

// Four divides x + 1, and so 3 * x + 3, if x is 3 more than a multiple of 4.
//--- sum.mlir
// CHECK-COUNT-8: compare rank{{[0-3].out[01]: (equal|largest error 0 )}}
// ODD: x + 1 is not a multiple of 2: tx.shard splits it at sum.mlir:
func.func @main(%x: tensor<?xi32, #tx.dims<[x]>>) -> (tensor<?xi32, #tx.dims<[x + 1]>>, tensor<?xi32, #tx.dims<[x * 3 + 3]>>) {
  %one = tx.constant dense<1> : tensor<1xi32>
  %0 = tx.concatenate %x, %one dim = 0 : (tensor<?xi32, #tx.dims<[x]>>, tensor<1xi32>) -> tensor<?xi32, #tx.dims<[x + 1]>>
  %1 = tx.shard %0 mesh = [2, 2] dims = [0, -1] : (tensor<?xi32, #tx.dims<[x + 1]>>) -> tensor<?xi32, #tx.dims<[x + 1]>>
  %2 = tx.neg %1 : tensor<?xi32, #tx.dims<[x + 1]>>
  %3 = tx.concatenate %2, %2, %2 dim = 0 : (tensor<?xi32, #tx.dims<[x + 1]>>, tensor<?xi32, #tx.dims<[x + 1]>>, tensor<?xi32, #tx.dims<[x + 1]>>) -> tensor<?xi32, #tx.dims<[x * 3 + 3]>>
  %4 = tx.shard %3 mesh = [2, 2] dims = [0, 0] : (tensor<?xi32, #tx.dims<[x * 3 + 3]>>) -> tensor<?xi32, #tx.dims<[x * 3 + 3]>>
  %5 = tx.abs %4 : tensor<?xi32, #tx.dims<[x * 3 + 3]>>
  return %2, %5 : tensor<?xi32, #tx.dims<[x + 1]>>, tensor<?xi32, #tx.dims<[x * 3 + 3]>>
}
