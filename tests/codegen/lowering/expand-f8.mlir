// 64 numbers of 8 bits become floats by two tables of bytes.
//
// RUN: %tensorc-opt %s --txk-expand-f8 --canonicalize | FileCheck %s

// CHECK-LABEL: func @beside(
// CHECK-DAG:   %[[LOW:.*]] = arith.constant dense<[0, 0, -128, {{.*}}]> : vector<64xi8>
// CHECK:       %[[F8:.*]] = vector.load %arg0[%{{.*}}] : memref<?xf8E4M3FN>, vector<64xf8E4M3FN>
// CHECK-NEXT:  %[[V:.*]] = arith.bitcast %[[F8]] : vector<64xf8E4M3FN> to vector<64xi8>
// CHECK-NEXT:  %[[SIGN:.*]] = arith.andi %[[V]], %{{.*}}
// CHECK-NEXT:  %[[L:.*]] = llvm.call_intrinsic "llvm.x86.avx512.vpermi2var.qi.512"(%[[LOW]], %[[V]], %{{.*}})
// CHECK-NEXT:  %[[M:.*]] = llvm.call_intrinsic "llvm.x86.avx512.vpermi2var.qi.512"(%{{.*}}, %[[V]], %{{.*}})
// CHECK-NEXT:  %[[H:.*]] = arith.ori %[[M]], %[[SIGN]]
// CHECK-NEXT:  %[[P:.*]] = vector.shuffle %[[L]], %[[H]] [0, 64, 16, 80, 1, 65, 17, 81, {{.*}}] : vector<64xi8>, vector<64xi8>
// CHECK-NEXT:  %[[W:.*]] = vector.bitcast %[[P]] : vector<64xi8> to vector<16xi32>
// CHECK-NEXT:  arith.shli %[[W]]
// CHECK-NEXT:  arith.andi %[[W]]
// CHECK-NOT:   arith.extf
// CHECK:       return
func.func @beside(%m: memref<?xf8E4M3FN>, %i: index, %k: index)
    -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>) {
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %c48 = arith.constant 48 : index
  %i1 = arith.addi %i, %c16 : index
  %i2 = arith.addi %i, %c32 : index
  %i3 = arith.addi %i, %c48 : index
  %k0 = arith.addi %i, %k : index
  %k1 = arith.addi %i1, %k : index
  %k2 = arith.addi %i2, %k : index
  %k3 = arith.addi %i3, %k : index
  %0 = vector.load %m[%k0] : memref<?xf8E4M3FN>, vector<16xf8E4M3FN>
  %1 = arith.extf %0 : vector<16xf8E4M3FN> to vector<16xf32>
  %2 = vector.load %m[%k1] : memref<?xf8E4M3FN>, vector<16xf8E4M3FN>
  %3 = arith.extf %2 : vector<16xf8E4M3FN> to vector<16xf32>
  %4 = vector.load %m[%k2] : memref<?xf8E4M3FN>, vector<16xf8E4M3FN>
  %5 = arith.extf %4 : vector<16xf8E4M3FN> to vector<16xf32>
  %6 = vector.load %m[%k3] : memref<?xf8E4M3FN>, vector<16xf8E4M3FN>
  %7 = arith.extf %6 : vector<16xf8E4M3FN> to vector<16xf32>
  return %1, %3, %5, %7 : vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>
}

// Bytes of words: a lane's four are behind each other.
// CHECK-LABEL: func @words(
// CHECK:       %[[V:.*]] = vector.bitcast %arg0 : vector<16xi32> to vector<64xi8>
// CHECK:       vector.shuffle {{.*}} [0, 64, 1, 65, 4, 68, 5, 69, {{.*}}] : vector<64xi8>, vector<64xi8>
// CHECK:       vector.shuffle {{.*}} [2, 66, 3, 67, 6, 70, 7, 71, {{.*}}] : vector<64xi8>, vector<64xi8>
// CHECK-NOT:   arith.extf
// CHECK:       return
func.func @words(%w: vector<16xi32>)
    -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>) {
  %c8 = arith.constant dense<8> : vector<16xi32>
  %c16 = arith.constant dense<16> : vector<16xi32>
  %c24 = arith.constant dense<24> : vector<16xi32>
  %w1 = arith.shrui %w, %c8 : vector<16xi32>
  %w2 = arith.shrui %w, %c16 : vector<16xi32>
  %w3 = arith.shrui %w, %c24 : vector<16xi32>
  %b0 = arith.trunci %w : vector<16xi32> to vector<16xi8>
  %b1 = arith.trunci %w1 : vector<16xi32> to vector<16xi8>
  %b2 = arith.trunci %w2 : vector<16xi32> to vector<16xi8>
  %b3 = arith.trunci %w3 : vector<16xi32> to vector<16xi8>
  %f0 = arith.bitcast %b0 : vector<16xi8> to vector<16xf8E5M2>
  %f1 = arith.bitcast %b1 : vector<16xi8> to vector<16xf8E5M2>
  %f2 = arith.bitcast %b2 : vector<16xi8> to vector<16xf8E5M2>
  %f3 = arith.bitcast %b3 : vector<16xi8> to vector<16xf8E5M2>
  %0 = arith.extf %f0 : vector<16xf8E5M2> to vector<16xf32>
  %1 = arith.extf %f1 : vector<16xf8E5M2> to vector<16xf32>
  %2 = arith.extf %f2 : vector<16xf8E5M2> to vector<16xf32>
  %3 = arith.extf %f3 : vector<16xf8E5M2> to vector<16xf32>
  return %0, %1, %2, %3 : vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>
}

// Memory is written between the reads, or there is a gap.
// CHECK-LABEL: func @others(
// CHECK-NOT:   llvm.call_intrinsic
// CHECK-COUNT-8: arith.extf
func.func @others(%m: memref<?xf8E4M3FN>, %out: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %c48 = arith.constant 48 : index
  %c64 = arith.constant 64 : index
  %0 = vector.load %m[%c0] : memref<?xf8E4M3FN>, vector<16xf8E4M3FN>
  %1 = arith.extf %0 : vector<16xf8E4M3FN> to vector<16xf32>
  %2 = vector.load %m[%c16] : memref<?xf8E4M3FN>, vector<16xf8E4M3FN>
  %3 = arith.extf %2 : vector<16xf8E4M3FN> to vector<16xf32>
  vector.store %1, %out[%c0] : memref<?xf32>, vector<16xf32>
  vector.store %3, %out[%c16] : memref<?xf32>, vector<16xf32>
  %4 = vector.load %m[%c32] : memref<?xf8E4M3FN>, vector<16xf8E4M3FN>
  %5 = arith.extf %4 : vector<16xf8E4M3FN> to vector<16xf32>
  %6 = vector.load %m[%c48] : memref<?xf8E4M3FN>, vector<16xf8E4M3FN>
  %7 = arith.extf %6 : vector<16xf8E4M3FN> to vector<16xf32>
  vector.store %5, %out[%c32] : memref<?xf32>, vector<16xf32>
  vector.store %7, %out[%c48] : memref<?xf32>, vector<16xf32>
  %8 = vector.load %m[%c0] : memref<?xf8E4M3FN>, vector<16xf8E4M3FN>
  %9 = arith.extf %8 : vector<16xf8E4M3FN> to vector<16xf32>
  %10 = vector.load %m[%c16] : memref<?xf8E4M3FN>, vector<16xf8E4M3FN>
  %11 = arith.extf %10 : vector<16xf8E4M3FN> to vector<16xf32>
  %12 = vector.load %m[%c32] : memref<?xf8E4M3FN>, vector<16xf8E4M3FN>
  %13 = arith.extf %12 : vector<16xf8E4M3FN> to vector<16xf32>
  %14 = vector.load %m[%c64] : memref<?xf8E4M3FN>, vector<16xf8E4M3FN>
  %15 = arith.extf %14 : vector<16xf8E4M3FN> to vector<16xf32>
  vector.store %9, %out[%c0] : memref<?xf32>, vector<16xf32>
  vector.store %11, %out[%c16] : memref<?xf32>, vector<16xf32>
  vector.store %13, %out[%c32] : memref<?xf32>, vector<16xf32>
  vector.store %15, %out[%c48] : memref<?xf32>, vector<16xf32>
  return
}
