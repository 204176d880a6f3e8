// Integers of 4 bits that share bytes along 16 lanes become floats by a table, those of the same half by a float's mantissa.
//
// RUN: %tensorc-opt %s --txk-expand-nibbles --canonicalize | FileCheck %s

// CHECK-LABEL: func @signs(
// CHECK-DAG:   %[[TABLE:.*]] = arith.constant dense<[0.000000e+00, 1.000000e+00, {{.*}} 7.000000e+00, -8.000000e+00, {{.*}} -1.000000e+00]>
// CHECK-DAG:   %[[TIMES:.*]] = arith.constant dense<268439553> : vector<8xi64>
// CHECK-NEXT:  %[[WIDE:.*]] = arith.extui %arg0 : vector<8xi8> to vector<8xi64>
// CHECK-NEXT:  %[[SPREAD:.*]] = arith.muli %[[WIDE]], %[[TIMES]]
// CHECK-NEXT:  %[[PLACES:.*]] = vector.bitcast %[[SPREAD]] : vector<8xi64> to vector<16xi32>
// CHECK-NEXT:  %[[FOUND:.*]] = llvm.call_intrinsic "llvm.x86.avx512.permvar.sf.512"(%[[TABLE]], %[[PLACES]])
// CHECK-NEXT:  return %[[FOUND]]
func.func @signs(%v: vector<8xi8>) -> vector<16xf32> {
  %c = arith.constant dense<[4, 0, 4, 0, 4, 0, 4, 0, 4, 0, 4, 0, 4, 0, 4, 0]> : vector<16xi8>
  %four = arith.constant dense<4> : vector<16xi8>
  %t = vector.shuffle %v, %v [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7] : vector<8xi8>, vector<8xi8>
  %l = arith.shli %t, %c : vector<16xi8>
  %i = arith.shrsi %l, %four : vector<16xi8>
  %r = arith.sitofp %i : vector<16xi8> to vector<16xf32>
  return %r : vector<16xf32>
}

// CHECK-LABEL: func @no_signs(
// CHECK:       arith.constant dense<[0.000000e+00, 1.000000e+00, {{.*}} 8.000000e+00, {{.*}} 1.500000e+01]>
// CHECK:       llvm.call_intrinsic
// CHECK-NOT:   arith.uitofp
func.func @no_signs(%v: vector<8xi8>) -> vector<16xf32> {
  %c = arith.constant dense<[4, 0, 4, 0, 4, 0, 4, 0, 4, 0, 4, 0, 4, 0, 4, 0]> : vector<16xi8>
  %four = arith.constant dense<4> : vector<16xi8>
  %t = vector.shuffle %v, %v [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7] : vector<8xi8>, vector<8xi8>
  %l = arith.shli %t, %c : vector<16xi8>
  %i = arith.shrui %l, %four : vector<16xi8>
  %r = arith.uitofp %i : vector<16xi8> to vector<16xf32>
  return %r : vector<16xf32>
}

// The signs of the shift and of the conversion differ, the order of the halves does, or the lanes are fewer.
// CHECK-LABEL: func @others(
// CHECK-NOT:   llvm.call_intrinsic
// CHECK-COUNT-3: itofp
func.func @others(%v: vector<8xi8>, %h: vector<4xi8>) -> (vector<16xf32>, vector<16xf32>, vector<8xf32>) {
  %c = arith.constant dense<[4, 0, 4, 0, 4, 0, 4, 0, 4, 0, 4, 0, 4, 0, 4, 0]> : vector<16xi8>
  %d = arith.constant dense<[0, 4, 0, 4, 0, 4, 0, 4, 0, 4, 0, 4, 0, 4, 0, 4]> : vector<16xi8>
  %e = arith.constant dense<[4, 0, 4, 0, 4, 0, 4, 0]> : vector<8xi8>
  %four = arith.constant dense<4> : vector<16xi8>
  %fours = arith.constant dense<4> : vector<8xi8>
  %t = vector.shuffle %v, %v [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7] : vector<8xi8>, vector<8xi8>
  %l = arith.shli %t, %c : vector<16xi8>
  %i = arith.shrui %l, %four : vector<16xi8>
  %r = arith.sitofp %i : vector<16xi8> to vector<16xf32>
  %m = arith.shli %t, %d : vector<16xi8>
  %n = arith.shrsi %m, %four : vector<16xi8>
  %s = arith.sitofp %n : vector<16xi8> to vector<16xf32>
  %u = vector.shuffle %h, %h [0, 0, 1, 1, 2, 2, 3, 3] : vector<4xi8>, vector<4xi8>
  %w = arith.shli %u, %e : vector<8xi8>
  %x = arith.shrsi %w, %fours : vector<8xi8>
  %y = arith.sitofp %x : vector<8xi8> to vector<8xf32>
  return %r, %s, %y : vector<16xf32>, vector<16xf32>, vector<8xf32>
}

// 0x4b000008 are the bits of 2^23 + 8, and 0x49000080 those of 2^19 + 8.
// CHECK-LABEL: func @halves(
// CHECK-DAG:   %[[LOW:.*]] = arith.constant dense<15> : vector<16xi32>
// CHECK-DAG:   %[[LOWBITS:.*]] = arith.constant dense<1258291208> : vector<16xi32>
// CHECK-DAG:   %[[LOWZERO:.*]] = arith.constant dense<0x4B000008> : vector<16xf32>
// CHECK-DAG:   %[[HIGH:.*]] = arith.constant dense<240> : vector<16xi32>
// CHECK-DAG:   %[[HIGHBITS:.*]] = arith.constant dense<1224736896> : vector<16xi32>
// CHECK-DAG:   %[[HIGHZERO:.*]] = arith.constant dense<5.242960e+05> : vector<16xf32>
// CHECK:       %[[WIDE:.*]] = arith.extui %arg0 : vector<16xi8> to vector<16xi32>
// CHECK:       arith.andi %{{.*}}, %[[LOW]]
// CHECK-NEXT:  arith.xori %{{.*}}, %[[LOWBITS]]
// CHECK-NEXT:  arith.bitcast
// CHECK-NEXT:  arith.subf %{{.*}}, %[[LOWZERO]]
// CHECK:       arith.andi %{{.*}}, %[[HIGH]]
// CHECK-NEXT:  arith.xori %{{.*}}, %[[HIGHBITS]]
// CHECK-NEXT:  arith.bitcast
// CHECK-NEXT:  arith.subf %{{.*}}, %[[HIGHZERO]]
func.func @halves(%v: vector<16xi8>) -> (vector<16xf32>, vector<16xf32>) {
  %four = arith.constant dense<4> : vector<16xi8>
  %l = arith.shli %v, %four : vector<16xi8>
  %i = arith.shrsi %l, %four : vector<16xi8>
  %r = arith.sitofp %i : vector<16xi8> to vector<16xf32>
  %j = arith.shrsi %v, %four : vector<16xi8>
  %s = arith.sitofp %j : vector<16xi8> to vector<16xf32>
  return %r, %s : vector<16xf32>, vector<16xf32>
}

// LLVM shifts words as such.
// CHECK-LABEL: func @of_words(
// CHECK-NOT:   arith.subf
// CHECK:       arith.uitofp
func.func @of_words(%v: vector<16xi32>) -> vector<16xf32> {
  %four = arith.constant dense<4> : vector<16xi8>
  %t = arith.trunci %v : vector<16xi32> to vector<16xi8>
  %i = arith.shrui %t, %four : vector<16xi8>
  %r = arith.uitofp %i : vector<16xi8> to vector<16xf32>
  return %r : vector<16xf32>
}

// Of several tables' worth of lanes each has its own 8 bytes, and where all lanes are multiplied by one number, it is the table that is.
// CHECK-LABEL: func @scaled(
// CHECK-DAG:   %[[TABLE:.*]] = arith.constant dense<[0.000000e+00, 1.000000e+00, {{.*}} 7.000000e+00, -8.000000e+00, {{.*}} -1.000000e+00]>
// CHECK:       %[[SCALE:.*]] = vector.broadcast %arg1 : f32 to vector<16xf32>
// CHECK-NEXT:  %[[PRODUCTS:.*]] = arith.mulf %[[SCALE]], %[[TABLE]] : vector<16xf32>
// CHECK:       vector.shuffle %arg0, %arg0 [0, 1, 2, 3, 4, 5, 6, 7]
// CHECK:       %[[FIRST:.*]] = llvm.call_intrinsic "llvm.x86.avx512.permvar.sf.512"(%[[PRODUCTS]], %{{.*}})
// CHECK:       vector.shuffle %arg0, %arg0 [8, 9, 10, 11, 12, 13, 14, 15]
// CHECK:       %[[SECOND:.*]] = llvm.call_intrinsic "llvm.x86.avx512.permvar.sf.512"(%[[PRODUCTS]], %{{.*}})
// CHECK:       vector.shuffle %[[FIRST]], %[[SECOND]] [0, 1, {{.*}}, 31] : vector<16xf32>, vector<16xf32>
// CHECK-NOT:   arith.mulf
func.func @scaled(%v: vector<16xi8>, %s: f32) -> vector<32xf32> {
  %c = arith.constant dense<[4, 0, 4, 0, 4, 0, 4, 0, 4, 0, 4, 0, 4, 0, 4, 0, 4, 0, 4, 0, 4, 0, 4, 0, 4, 0, 4, 0, 4, 0, 4, 0]> : vector<32xi8>
  %four = arith.constant dense<4> : vector<32xi8>
  %t = vector.shuffle %v, %v [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13, 14, 14, 15, 15] : vector<16xi8>, vector<16xi8>
  %l = arith.shli %t, %c : vector<32xi8>
  %i = arith.shrsi %l, %four : vector<32xi8>
  %r = arith.sitofp %i : vector<32xi8> to vector<32xf32>
  %b = vector.broadcast %s : f32 to vector<32xf32>
  %p = arith.mulf %r, %b : vector<32xf32>
  return %p : vector<32xf32>
}
