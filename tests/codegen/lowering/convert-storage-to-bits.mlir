// RUN: %tensorc-opt %s --txk-convert-storage-to-bits | FileCheck %s

// Buffers, by-value scalars, carried values and constants all become bits; the
// bitcasts to and from bits go.
// CHECK-LABEL: func.func @moves(
// CHECK-SAME:  memref<?xi16>, %{{.*}}: i16
// CHECK-NOT:   bf16
// CHECK:       arith.constant dense<16256> : vector<4xi16>
// CHECK:       scf.for {{.*}} -> (vector<4xi16>)
// CHECK:       vector.maskedload {{.*}} memref<?xi16>
// CHECK:       %[[MORE:.*]] = arith.addi
// CHECK:       scf.yield %[[MORE]]
// CHECK-NOT:   bf16
func.func @moves(%m: memref<?xbf16>, %s: bf16, %begin: index, %end: index, %mask: vector<4xi1>) {
  %one = arith.constant dense<1.0> : vector<4xbf16>
  %splat = vector.broadcast %s : bf16 to vector<4xbf16>
  %c4 = arith.constant 4 : index
  %last = scf.for %i = %begin to %end step %c4 iter_args(%sum = %splat) -> (vector<4xbf16>) {
    %x = vector.maskedload %m[%i], %mask, %one : memref<?xbf16>, vector<4xi1>, vector<4xbf16> into vector<4xbf16>
    %bits = arith.bitcast %x : vector<4xbf16> to vector<4xi16>
    %old = arith.bitcast %sum : vector<4xbf16> to vector<4xi16>
    %more = arith.addi %bits, %old : vector<4xi16>
    %next = arith.bitcast %more : vector<4xi16> to vector<4xbf16>
    scf.yield %next : vector<4xbf16>
  }
  vector.store %last, %m[%begin] : memref<?xbf16>, vector<4xbf16>
  return
}

// CHECK-LABEL: func.func @f8(
// CHECK-SAME:  memref<?xi8>, %{{.*}}: i8
// CHECK:       arith.constant 56 : i8
// CHECK-NOT:   f8E4M3FN
func.func @f8(%m: memref<?xf8E4M3FN>, %s: f8E4M3FN, %i: index, %p: i1) {
  %one = arith.constant 1.0 : f8E4M3FN
  %x = memref.load %m[%i] : memref<?xf8E4M3FN>
  %y = arith.select %p, %x, %one : f8E4M3FN
  memref.store %y, %m[%i] : memref<?xf8E4M3FN>
  return
}
