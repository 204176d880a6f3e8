// Ops on tile registers become intrinsics that name the registers: LLVM neither allocates nor configures them.
//
// RUN: %tensorc-opt %s --cpu-convert-kernels-to-llvm | FileCheck %s
// CHECK-LABEL: llvm.func @kernel(
// CHECK:       llvm.store %{{.*}}, %[[MEMORY:.*]] {alignment = 64 : i64} : vector<64xi8>, !llvm.ptr
// CHECK:       llvm.call_intrinsic "llvm.x86.ldtilecfg"(%[[MEMORY]])
// CHECK:       llvm.call_intrinsic "llvm.x86.tilezero"(%{{.*}}) : (i8)
// CHECK:       llvm.call_intrinsic "llvm.x86.tileloadd64"(%{{.*}}, %{{.*}}, %{{.*}}) : (i8, !llvm.ptr, i64)
// CHECK:       llvm.call_intrinsic "llvm.x86.tileloaddt164"(%{{.*}}, %{{.*}}, %{{.*}}) : (i8, !llvm.ptr, i64)
// CHECK:       llvm.call_intrinsic "llvm.x86.tdpbssd"(
// CHECK:       llvm.call_intrinsic "llvm.x86.tdpbsud"(
// CHECK:       llvm.call_intrinsic "llvm.x86.tdpbusd"(
// CHECK:       llvm.call_intrinsic "llvm.x86.tdpbuud"(
// CHECK:       llvm.call_intrinsic "llvm.x86.tdpbf16ps"(
// CHECK:       llvm.call_intrinsic "llvm.x86.tilestored64"(
// CHECK:       llvm.call_intrinsic "llvm.x86.tilerelease"()
func.func @kernel(%x: memref<?xi32>, %begin: index, %end: index, %scratch: memref<?xi8>) attributes {txk.kernel} {
  %memory = memref.alloca() {alignment = 64 : i64} : memref<64xi8>
  %stride = arith.constant 64 : index
  txk.amx.configure %memory : memref<64xi8>
  txk.amx.zero 0
  txk.amx.load 4, %x[%begin] stride %stride : memref<?xi32>
  txk.amx.load 6, %x[%begin] stride %stride once : memref<?xi32>
  txk.amx.dot 0, 4, 6 of i8
  txk.amx.dot 0, 4, 6 of i8 {y_unsigned}
  txk.amx.dot 0, 4, 6 of i8 {x_unsigned}
  txk.amx.dot 0, 4, 6 of i8 {x_unsigned, y_unsigned}
  txk.amx.dot 0, 4, 6 of bf16
  txk.amx.store 0, %x[%begin] stride %stride : memref<?xi32>
  txk.amx.release
  return
}
