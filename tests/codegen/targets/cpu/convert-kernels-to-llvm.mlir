// RUN: %tensorc-opt %s --cpu-convert-kernels-to-llvm --split-input-file | FileCheck %s

// Arguments are 64-bit words; memrefs are bare pointers.
// CHECK-LABEL: llvm.func @words
// CHECK-SAME: (%[[ARGS:.*]]: !llvm.ptr {llvm.noalias, llvm.readonly}, %[[BEGIN:.*]]: i64, %[[END:.*]]: i64, %[[SCRATCH:.*]]: !llvm.ptr {llvm.noalias})
// CHECK-SAME: passthrough = {{\[\[}}"txk-noalias", "0"]]
// CHECK: %[[X:.*]] = llvm.load %{{.*}} invariant {{.*}} -> !llvm.ptr
// CHECK: %[[BYTE:.*]] = llvm.load {{.*}} -> i8
// CHECK: llvm.trunc %[[BYTE]] : i8 to i1
// CHECK: llvm.load {{.*}} -> bf16
// CHECK: llvm.load {{.*}} -> f64
// CHECK: %[[P:.*]] = llvm.getelementptr inbounds %[[X]][%[[BEGIN]]]
// CHECK: llvm.load %[[P]] {alignment = 64 : i64, nontemporal} : !llvm.ptr -> vector<16xf32>
// CHECK: llvm.getelementptr inbounds %[[SCRATCH]]
// CHECK: llvm.store {{.*}} {alignment = 4 : i64}
// CHECK-NOT: unrealized
func.func @words(%x: memref<?xf32> {llvm.noalias}, %p: i1, %s: bf16, %d: f64,
                 %begin: index, %end: index, %scratch: memref<?xi8>)
    attributes {txk.kernel} {
  %c64 = arith.constant 64 : index
  %v = vector.load %x[%begin] {alignment = 64, nontemporal = true} : memref<?xf32>, vector<16xf32>
  %t = memref.view %scratch[%c64][%end] : memref<?xi8> to memref<?xf32>
  vector.store %v, %t[%end] : memref<?xf32>, vector<16xf32>
  return
}

// -----

// i1 is a byte in memory; a mask needs 32-bit lanes only.
// CHECK-LABEL: llvm.func @bools
// CHECK: llvm.intr.smin
// CHECK: llvm.icmp "slt" {{.*}} : vector<16xi32>
// CHECK: %[[BYTES:.*]] = llvm.intr.masked.load {{.*}} -> vector<16xi8>
// CHECK: llvm.trunc %[[BYTES]] : vector<16xi8> to vector<16xi1>
// CHECK: llvm.zext {{.*}} : vector<16xi1> to vector<16xi8>
// CHECK: llvm.intr.masked.store
func.func @bools(%x: memref<?xi1>, %begin: index, %end: index,
                 %scratch: memref<?xi8>) attributes {txk.kernel} {
  %none = arith.constant dense<false> : vector<16xi1>
  %mask = vector.create_mask %end : vector<16xi1>
  %v = vector.maskedload %x[%begin], %mask, %none : memref<?xi1>, vector<16xi1>, vector<16xi1> into vector<16xi1>
  vector.maskedstore %x[%begin], %mask, %v : memref<?xi1>, vector<16xi1>, vector<16xi1>
  return
}

// -----

// A function that is not a kernel is an internal helper.
// CHECK-LABEL: llvm.func internal @helper(%arg0: f32) -> f32
func.func @helper(%x: f32) -> f32 {
  return %x : f32
}

// -----

// CHECK-LABEL: llvm.func internal @constant_mask
// CHECK: llvm.mlir.constant(dense<[true, true, false, false]> : vector<4xi1>)
func.func @constant_mask() -> vector<4xi1> {
  %0 = vector.constant_mask [2] : vector<4xi1>
  return %0 : vector<4xi1>
}

// -----

// Rounds once; fmuladd may round twice.
// CHECK-LABEL: llvm.func internal @fma
// CHECK: llvm.intr.fma(
func.func @fma(%x: vector<16xf32>, %y: vector<16xf32>, %z: vector<16xf32>) -> vector<16xf32> {
  %0 = vector.fma %x, %y, %z : vector<16xf32>
  return %0 : vector<16xf32>
}
