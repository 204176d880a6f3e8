// RUN: %tensorc-opt %s --split-input-file --verify-diagnostics --pass-pipeline="builtin.module(gpu.module(txk-expand-doubles))" | FileCheck %s
// RUN: %tensorc-opt %s --split-input-file --verify-diagnostics --pass-pipeline="builtin.module(gpu.module(txk-expand-doubles, txk-convert-storage-to-bits{f64}))" | FileCheck %s --check-prefix=BITS

// One function for each operation, on the bits. Signs and comparisons need none.
// CHECK-LABEL: gpu.module @arithmetic
// CHECK-DAG: func.func private @double_multiply(%{{.*}}: i64, %{{.*}}: i64) -> i64
// CHECK-DAG: func.func private @double_add(%{{.*}}: i64, %{{.*}}: i64) -> i64
// CHECK: gpu.func @arithmetic
// CHECK: %[[X:.*]] = arith.bitcast %{{.*}} : f64 to i64
// CHECK: func.call @double_multiply(%[[X]], %{{.*}}) : (i64, i64) -> i64
// CHECK: func.call @double_multiply
// CHECK: %[[MINUS:.*]] = arith.xori
// CHECK: func.call @double_add(%{{.*}}, %[[MINUS]])
// CHECK-NOT: func.call
// CHECK: arith.cmpi slt
// CHECK-NOT: {{mulf|subf|cmpf}}
// BITS-LABEL: gpu.module @arithmetic
// BITS-NOT: f64
// BITS: gpu.func @arithmetic(%{{.*}}: memref<?xi64>)
// BITS: memref.load %{{.*}} : memref<?xi64>
// BITS-NOT: bitcast
// BITS: arith.constant 4613937818241073152 : i64
// BITS-NOT: f64
gpu.module @arithmetic {
  gpu.func @arithmetic(%x: memref<?xf64>) kernel {
    %i = gpu.thread_id x
    %0 = memref.load %x[%i] : memref<?xf64>
    %1 = arith.mulf %0, %0 : f64
    %three = arith.constant 3.0 : f64
    %2 = arith.mulf %1, %three : f64
    %3 = arith.subf %2, %0 : f64
    %less = arith.cmpf olt, %3, %0 : f64
    %4 = arith.select %less, %3, %0 : f64
    memref.store %4, %x[%i] : memref<?xf64>
    gpu.return
  }
}

// -----

// Vectors are computed element by element, sums in their order.
// CHECK-LABEL: gpu.module @vectors
// CHECK: gpu.func @vectors
// CHECK-COUNT-2: func.call @double_fma
// CHECK: vector.from_elements
// CHECK-COUNT-2: func.call @double_add
// CHECK-NOT: func.call
// BITS-LABEL: gpu.module @vectors
// BITS: vector<2xi64>
gpu.module @vectors {
  gpu.func @vectors(%x: memref<?xf64>) kernel {
    %i = gpu.thread_id x
    %0 = vector.load %x[%i] : memref<?xf64>, vector<2xf64>
    %1 = vector.fma %0, %0, %0 : vector<2xf64>
    %start = arith.constant 1.0 : f64
    %2 = vector.reduction <add>, %1, %start : vector<2xf64> into f64
    memref.store %2, %x[%i] : memref<?xf64>
    gpu.return
  }
}

// -----

// Series become loops over tables: Horner's rule, and Clenshaw's recurrence, whose last two values are used behind it.
// CHECK-LABEL: gpu.module @series
// CHECK: gpu.func @series
// CHECK: %[[HORNER:.*]] = arith.constant dense<[2.000000e+00, 3.000000e+00, 4.000000e+00]> : vector<3xf64>
// CHECK: %[[SUM:.*]] = scf.for %[[I:.*]] = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%[[LAST:.*]] = %{{.*}}) -> (f64) {
// CHECK: %[[C:.*]] = vector.extract %[[HORNER]][%[[I]]] : f64 from vector<3xf64>
// CHECK: func.call @double_fma
// CHECK: scf.yield
// CHECK: %[[CLENSHAW:.*]] = arith.constant dense<[5.000000e+00, 6.000000e+00, 7.000000e+00]> : vector<3xf64>
// CHECK: %[[PAIR:.*]]:2 = scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %[[BEFORE:.*]] = %{{.*}}) -> (f64, f64) {
// CHECK: func.call @double_add
// CHECK: %[[NEXT:.*]] = func.call @double_fma
// CHECK: scf.yield
// CHECK: arith.bitcast %[[PAIR]]#1
// CHECK: arith.bitcast %[[PAIR]]#0
// CHECK: gpu.return
gpu.module @series {
  gpu.func @series(%x: memref<?xf64>) kernel {
    %i = gpu.thread_id x
    %0 = memref.load %x[%i] : memref<?xf64>
    %c1 = arith.constant 1.0 : f64
    %c2 = arith.constant 2.0 : f64
    %c3 = arith.constant 3.0 : f64
    %c4 = arith.constant 4.0 : f64
    %1 = math.fma %c1, %0, %c2 : f64
    %2 = math.fma %1, %0, %c3 : f64
    %3 = math.fma %2, %0, %c4 : f64
    %c5 = arith.constant 5.0 : f64
    %c6 = arith.constant 6.0 : f64
    %c7 = arith.constant 7.0 : f64
    %4 = arith.subf %c5, %c4 : f64
    %5 = math.fma %0, %3, %4 : f64
    %6 = arith.subf %c6, %3 : f64
    %7 = math.fma %0, %5, %6 : f64
    %8 = arith.subf %c7, %5 : f64
    %9 = math.fma %0, %7, %8 : f64
    %10 = arith.mulf %7, %9 : f64
    memref.store %10, %x[%i] : memref<?xf64>
    gpu.return
  }
}

// -----

// A value that is used elsewhere ends a series. What remains is too short.
// CHECK-LABEL: gpu.module @used
// CHECK-NOT: scf.for
// CHECK: gpu.func @used
// CHECK-NOT: scf.for
// CHECK: gpu.return
gpu.module @used {
  gpu.func @used(%x: memref<?xf64>) kernel {
    %i = gpu.thread_id x
    %0 = memref.load %x[%i] : memref<?xf64>
    %c = arith.constant 2.0 : f64
    %1 = math.fma %c, %0, %c : f64
    %2 = math.fma %1, %0, %c : f64
    %3 = math.fma %2, %0, %c : f64
    %4 = math.fma %3, %0, %c : f64
    %5 = arith.mulf %2, %4 : f64
    memref.store %5, %x[%i] : memref<?xf64>
    gpu.return
  }
}

// -----

gpu.module @others {
  gpu.func @others(%x: memref<?xf64>) kernel {
    %i = gpu.thread_id x
    %0 = memref.load %x[%i] : memref<?xf64>
    // expected-error @+1 {{'math.exp' op is f64, which the target does not have}}
    %1 = math.exp %0 : f64
    memref.store %1, %x[%i] : memref<?xf64>
    gpu.return
  }
}

// -----

gpu.module @atomics {
  gpu.func @atomics(%x: memref<?xf64>) kernel {
    %i = gpu.thread_id x
    %one = arith.constant 1.0 : f64
    // expected-error @+1 {{on elements of f64 needs 64-bit atomics, which the target does not have}}
    %0 = memref.atomic_rmw addf %one, %x[%i] : (f64, memref<?xf64>) -> f64
    gpu.return
  }
}
