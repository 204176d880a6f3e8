// Loops of small values become one kernel, whose loops carry vectors and scalars.
//
// RUN: split-file --leading-lines %s %t
// RUN: %tensorc compile %t/nested.mlir --target=cpu:x86-64-v3 --stop-after=emit | FileCheck %t/nested.mlir
// RUN: %tensorc compile %t/until.mlir --target=cpu:x86-64-v3 --stop-after=emit | FileCheck %t/until.mlir
// RUN: %tensorc compile %t/memory.mlir --target=cpu:x86-64-v3 --stop-after=emit | FileCheck %t/memory.mlir
// RUN: %tensorc compile %t/rows.mlir --target=cpu:x86-64-v3 --stop-after=emit | FileCheck %t/rows.mlir
// RUN: %tensorc compile %t/solve.mlir --target=cpu:x86-64-v3 --stop-after=emit | FileCheck %t/solve.mlir
// RUN: %tensorc compile %t/info.mlir --target=cpu:x86-64-v3 --stop-after=emit | FileCheck %t/info.mlir

// The inner loop carries the vector of the outer one. Only the launch touches memory.
//--- nested.mlir
// CHECK-LABEL: func.func @loop_of_add(
// CHECK-SAME: %[[X:.*]]: memref<?xf32> {llvm.noalias}, %[[Y:.*]]: memref<?xf32> {llvm.noalias}, %[[FROM:.*]]: i64, %[[TO:.*]]: i64,
// CHECK-DAG: %[[FIRST:.*]] = arith.index_cast %[[FROM]]
// CHECK-DAG: %[[LAST:.*]] = arith.index_cast %[[TO]]
// CHECK-DAG: %[[A:.*]] = vector.load %[[X]]
// CHECK: %[[OUTER:.*]] = scf.for %{{.*}} = %[[FIRST]] to %[[LAST]] step %{{.*}} iter_args(%[[B:.*]] = %[[A]]) -> (vector<2xf32>)
// CHECK-NEXT: %[[INNER:.*]] = scf.for %{{.*}} = %c0 to %c3 step %{{.*}} iter_args(%[[C:.*]] = %[[B]]) -> (vector<2xf32>)
// CHECK-NEXT: %[[SUM:.*]] = arith.addf %[[C]], %[[C]] : vector<2xf32>
// CHECK-NEXT: scf.yield %[[SUM]]
// CHECK: scf.yield %[[INNER]]
// CHECK: vector.store %[[OUTER]], %[[Y]]
// CHECK-LABEL: txp.func @main(
// CHECK: txp.launch @kernels::@loop_of_add {{.*}} scalars(%c0_i64, %c8_i64 : i64, i64)
// CHECK-NOT: txp.launch
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = tx.scan <[8]> carried = 1 scanned = 0 (%x) : (tensor<2xf32>) -> tensor<2xf32> {
  ^bb0(%i: tensor<i64>, %a: tensor<2xf32>):
    %1 = tx.scan <[3]> carried = 1 scanned = 0 (%a) : (tensor<2xf32>) -> tensor<2xf32> {
    ^bb1(%j: tensor<i64>, %b: tensor<2xf32>):
      %d = tx.add %b, %b : tensor<2xf32>
      tx.return %d : tensor<2xf32>
    }
    tx.return %1 : tensor<2xf32>
  }
  return %0 : tensor<2xf32>
}

// Both loops stop when a launch has done its number of iterations. An outer
// iteration that the limit interrupted yields the values from before it, and the
// next launch repeats it with a limit twice as large. A tx.switch is a scf.if.
//--- until.mlir
// CHECK-LABEL: func.func @loop_of_lt_1_and_5_more(
// CHECK-SAME: %[[MAX:[^:]*]]: i64, %{{[^:]*}}: index, %{{[^:]*}}: index
// CHECK: %[[LOOP:.*]]:3 = scf.while (%[[A:.*]] = %{{.*}}, %[[N:.*]] = %{{.*}}, %[[DONE:.*]] = %c0_i64)
// CHECK: %[[MORE:.*]] = arith.cmpi slt, %[[N]], %c7_i64
// CHECK: %[[ALLOWED:.*]] = arith.cmpi slt, %[[DONE]], %[[MAX]]
// CHECK: %[[BOTH:.*]] = arith.andi %[[ALLOWED]], %[[MORE]]
// CHECK: scf.condition(%[[BOTH]])
// CHECK: ^bb0(%[[A:.*]]: vector<2xf32>, %[[N:.*]]: i64, %[[DONE:.*]]: i64):
// CHECK: %[[INNER:.*]]:3 = scf.while (%{{.*}} = %[[A]], %{{.*}} = %[[N]], %[[COUNT:.*]] = %[[DONE]])
// CHECK: arith.cmpi slt, %[[COUNT]], %[[MAX]]
// CHECK: %[[CHOSEN:.*]] = scf.if
// CHECK-NEXT: scf.yield %[[INNER]]#0
// CHECK: arith.mulf %[[INNER]]#0, %[[INNER]]#0
// CHECK: %[[STOPPED:.*]] = arith.cmpi sge, %[[INNER]]#2, %[[MAX]]
// CHECK: arith.select %[[STOPPED]], %[[A]], %[[CHOSEN]] : vector<2xf32>
// CHECK: arith.select %[[STOPPED]], %[[N]], %{{.*}} : i64
// CHECK-LABEL: txp.func @main(
// CHECK: scf.while ({{.*}}, %[[LIMIT:.*]] = %c65536_i64)
// CHECK: txp.launch @kernels::@loop_of_lt_1_and_5_more {{.*}} scalars(%[[LIMIT]] : i64)
// CHECK: %[[STATE:.*]] = txp.read_scalar
// CHECK: %[[AGAIN:.*]] = arith.cmpi eq, %[[STATE]], %c3_i64
// CHECK: %[[TWICE:.*]] = arith.muli %[[LIMIT]], %c2_i64
// CHECK: arith.select %[[AGAIN]], %[[TWICE]], %c65536_i64
func.func @main(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<i64>) {
  %start = tx.constant dense<0> : tensor<i64>
  %0:2 = tx.while (%x, %start) : (tensor<2xf32>, tensor<i64>) -> (tensor<2xf32>, tensor<i64>) {
  ^bb0(%a: tensor<2xf32>, %n: tensor<i64>):
    %end = tx.constant dense<7> : tensor<i64>
    %p = tx.lt %n, %end : tensor<i64>
    tx.return %p : tensor<i1>
  } do {
  ^bb0(%a: tensor<2xf32>, %n: tensor<i64>):
    %one = tx.constant dense<1> : tensor<i64>
    %1:2 = tx.while (%a, %n) : (tensor<2xf32>, tensor<i64>) -> (tensor<2xf32>, tensor<i64>) {
    ^bb1(%b: tensor<2xf32>, %j: tensor<i64>):
      %end = tx.constant dense<3> : tensor<i64>
      %p = tx.lt %j, %end : tensor<i64>
      tx.return %p : tensor<i1>
    } do {
    ^bb1(%b: tensor<2xf32>, %j: tensor<i64>):
      %d = tx.add %b, %b : tensor<2xf32>
      %one1 = tx.constant dense<1> : tensor<i64>
      %next = tx.add %j, %one1 : tensor<i64>
      tx.return %d, %next : tensor<2xf32>, tensor<i64>
    }
    %r = tx.switch %n (%1#0) : tensor<i64>, (tensor<2xf32>) -> tensor<2xf32> {
    ^bb1(%b: tensor<2xf32>):
      tx.return %b : tensor<2xf32>
    }, {
    ^bb1(%b: tensor<2xf32>):
      %s = tx.mul %b, %b : tensor<2xf32>
      tx.return %s : tensor<2xf32>
    }
    %m = tx.add %n, %one : tensor<i64>
    tx.return %r, %m : tensor<2xf32>, tensor<i64>
  }
  return %0#0, %0#1 : tensor<2xf32>, tensor<i64>
}

// A matrix of which only rows are read stays in memory: a row is one load, at a
// clamped start. A stacked result is written row by row.
//--- memory.mlir
// CHECK-LABEL: func.func @loop_of_dynamic_slice_and_1_more(
// CHECK-SAME: %{{[^:]*}}: memref<?xf32> {llvm.noalias}, %[[S:[^:]*]]: memref<?xf32> {llvm.noalias}, %[[X:[^:]*]]: memref<?xf32> {llvm.noalias}, %[[SUM:[^:]*]]: memref<?xf32> {llvm.noalias}, %[[ROWS:[^:]*]]: memref<?xf32>
// CHECK-NOT: vector.load
// CHECK: scf.for %[[I:.*]] = %{{.*}} iter_args(%[[A:.*]] = %{{.*}}) -> (f32)
// CHECK: %[[E:.*]] = memref.load %[[S]][%[[I]]]
// CHECK: %[[LOW:.*]] = arith.maxsi %{{.*}}, %c0_i64
// CHECK: %[[CLAMPED:.*]] = arith.minsi %[[LOW]], %c3_i64
// CHECK: %[[START:.*]] = arith.index_cast %[[CLAMPED]]
// CHECK: %[[OFFSET:.*]] = arith.muli %[[START]], %c3
// CHECK: %[[ROW:.*]] = vector.load %[[X]][%[[OFFSET]]] : memref<?xf32>, vector<3xf32>
// CHECK: %[[NEXT:.*]] = arith.mulf %{{.*}}, %[[E]] : f32
// CHECK: %[[AT:.*]] = arith.muli %[[I]], %c3
// CHECK: vector.store %[[ROW]], %[[ROWS]][%[[AT]]]
// CHECK: scf.yield %[[NEXT]] : f32
func.func @main(%x: tensor<4x3xf32>, %s: tensor<4xf32>) -> (tensor<f32>, tensor<4x3xf32>) {
  %zero = tx.constant dense<0.0> : tensor<f32>
  %0:2 = tx.scan <[4]> carried = 1 scanned = 1 (%zero, %s, %x) : (tensor<f32>, tensor<4xf32>, tensor<4x3xf32>) -> (tensor<f32>, tensor<4x3xf32>) {
  ^bb0(%i: tensor<i64>, %a: tensor<f32>, %e: tensor<f32>, %all: tensor<4x3xf32>):
    %o = tx.constant dense<0> : tensor<i64>
    %row = tx.dynamic_slice %all[%i, %o] slice_sizes = [1, 3] : (tensor<4x3xf32>, tensor<i64>, tensor<i64>) -> tensor<1x3xf32>
    %r = tx.reshape %row : tensor<1x3xf32> -> tensor<3xf32>
    %sum = tx.sum %r dims = [0] : tensor<3xf32> -> tensor<f32>
    %n = tx.add %a, %sum : tensor<f32>
    %m = tx.mul %n, %e : tensor<f32>
    tx.return %m, %r : tensor<f32>, tensor<3xf32>
  }
  return %0#0, %0#1 : tensor<f32>, tensor<4x3xf32>
}

// Several rows of a matrix: one load each, at clamped starts, put together.
//--- rows.mlir
// CHECK-LABEL: func.func @loop_of_add_gather_add(
// CHECK: scf.for
// CHECK: arith.minsi %{{.*}}, %c19_i64
// CHECK: vector.load %[[X:.*]][%{{.*}}] : memref<?xf32>, vector<3xf32>
// CHECK: arith.minsi %{{.*}}, %c19_i64
// CHECK: %[[SECOND:.*]] = vector.load %[[X]][%{{.*}}] : memref<?xf32>, vector<3xf32>
// CHECK: %[[WIDE:.*]] = vector.shuffle %[[SECOND]], %[[SECOND]]
// CHECK: %[[ROWS:.*]] = vector.shuffle %{{.*}}, %[[WIDE]] [0, 1, 2, 6, 7, 8]
// CHECK: %[[SUM:.*]] = arith.addf %{{.*}}, %[[ROWS]] : vector<6xf32>
// CHECK: scf.yield %[[SUM]]
func.func @main(%x: tensor<20x3xf32>, %c: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = tx.scan <[25]> carried = 1 scanned = 0 (%c, %x) : (tensor<2x3xf32>, tensor<20x3xf32>) -> tensor<2x3xf32> {
  ^bb0(%i: tensor<i64>, %a: tensor<2x3xf32>, %m: tensor<20x3xf32>):
    %two = tx.constant dense<[[-3], [1]]> : tensor<2x1xi64>
    %ib = tx.broadcast %i dims = [] : tensor<i64> -> tensor<2x1xi64>
    %at = tx.add %two, %ib : tensor<2x1xi64>
    %rows = tx.gather %m, %at offset_dims = [1] collapsed_slice_dims = [0] start_index_map = [0] index_vector_dim = 1 slice_sizes = [1, 3] : (tensor<20x3xf32>, tensor<2x1xi64>) -> tensor<2x3xf32>
    %sum = tx.add %a, %rows : tensor<2x3xf32>
    tx.return %sum : tensor<2x3xf32>
  }
  return %0 : tensor<2x3xf32>
}

// A small factorization consists of scalar operations. Rows are exchanged by selects.
//--- solve.mlir
// CHECK-LABEL: func.func @loop(
// CHECK: scf.for
// CHECK: %[[LARGER:.*]] = arith.cmpf ogt
// CHECK: %[[PIVOT:.*]] = arith.select %[[LARGER]], %{{.*}}, %{{.*}} : f32
// CHECK: arith.divf %{{.*}} : f32
// CHECK: math.fma %{{.*}} : f32
// CHECK: scf.yield
// CHECK-LABEL: txp.func @main(
// CHECK-NOT: txp.custom_call
func.func @main(%x: tensor<5x2x2xf32>, %b: tensor<2x1xf32>) -> tensor<2x1xf32> {
  %0 = tx.scan <[5]> carried = 1 scanned = 1 (%b, %x) : (tensor<2x1xf32>, tensor<5x2x2xf32>) -> tensor<2x1xf32> {
  ^bb0(%i: tensor<i64>, %y: tensor<2x1xf32>, %a: tensor<2x2xf32>):
    %z = tx.solve %a, %y : (tensor<2x2xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    tx.return %z : tensor<2x1xf32>
  }
  return %0 : tensor<2x1xf32>
}

// A call with an option that is not known stays a call, and so does that of a large matrix.
//--- info.mlir
// CHECK-LABEL: txp.func @main(
// CHECK: txp.custom_call "linalg.solve"
// CHECK: txp.custom_call "linalg.lu"
func.func @main(%x: tensor<5x2x2xf32>, %b: tensor<2x1xf32>, %m: tensor<5x5xf32>) -> (tensor<2x1xf32>, tensor<5x5x6xf32>) {
  %0 = tx.scan <[5]> carried = 1 scanned = 1 (%b, %x) : (tensor<2x1xf32>, tensor<5x2x2xf32>) -> tensor<2x1xf32> {
  ^bb0(%i: tensor<i64>, %y: tensor<2x1xf32>, %a: tensor<2x2xf32>):
    %z = tx.custom_call "linalg.solve" (%a, %y) config "info" : (tensor<2x2xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    tx.return %z : tensor<2x1xf32>
  }
  %1:2 = tx.scan <[5]> carried = 1 scanned = 0 (%m) : (tensor<5x5xf32>) -> (tensor<5x5xf32>, tensor<5x5x6xf32>) {
  ^bb0(%i: tensor<i64>, %a: tensor<5x5xf32>):
    %lu = tx.lu %a : (tensor<5x5xf32>) -> tensor<5x6xf32>
    %c = tx.slice %lu offsets = [0, 0] strides = [1, 1] : tensor<5x6xf32> -> tensor<5x5xf32>
    tx.return %c, %lu : tensor<5x5xf32>, tensor<5x6xf32>
  }
  return %0, %1#1 : tensor<2x1xf32>, tensor<5x5x6xf32>
}
