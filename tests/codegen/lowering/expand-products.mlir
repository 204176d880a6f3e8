// Sums of narrow products become the instructions of the processor whose signs and width they have.
//
// RUN: %tensorc-opt %s --txk-expand-products | FileCheck %s

// CHECK-LABEL: func @bytes
// CHECK:       llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%arg2, %arg0, %arg1)
func.func @bytes(%x: vector<64xi8>, %y: vector<64xi8>, %s: vector<16xi32>) -> vector<16xi32> {
  %0 = txk.add_products %x, %y, %s {x_unsigned} : vector<64xi8>, vector<16xi32>
  return %0 : vector<16xi32>
}

// Unsigned ones come first.
// CHECK-LABEL: func @turned
// CHECK:       llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.256"(%arg2, %arg1, %arg0)
func.func @turned(%x: vector<32xi8>, %y: vector<32xi8>, %s: vector<8xi32>) -> vector<8xi32> {
  %0 = txk.add_products %x, %y, %s {y_unsigned} : vector<32xi8>, vector<8xi32>
  return %0 : vector<8xi32>
}

// CHECK-LABEL: func @equal
// CHECK:       llvm.call_intrinsic "llvm.aarch64.neon.sdot.v4i32.v16i8"(%arg2, %arg0, %arg1)
// CHECK:       llvm.call_intrinsic "llvm.aarch64.neon.udot.v4i32.v16i8"(%{{.*}}, %arg0, %arg1)
func.func @equal(%x: vector<16xi8>, %y: vector<16xi8>, %s: vector<4xi32>) -> vector<4xi32> {
  %0 = txk.add_products %x, %y, %s : vector<16xi8>, vector<4xi32>
  %1 = txk.add_products %x, %y, %0 {x_unsigned, y_unsigned} : vector<16xi8>, vector<4xi32>
  return %1 : vector<4xi32>
}

// CHECK-LABEL: func @words
// CHECK:       %[[SUM:.*]] = llvm.call_intrinsic "llvm.x86.avx2.pmadd.wd"(%arg0, %arg1)
// CHECK:       arith.addi %arg2, %[[SUM]]
func.func @words(%x: vector<16xi16>, %y: vector<16xi16>, %s: vector<8xi32>) -> vector<8xi32> {
  %0 = txk.add_products %x, %y, %s : vector<16xi16>, vector<8xi32>
  return %0 : vector<8xi32>
}
