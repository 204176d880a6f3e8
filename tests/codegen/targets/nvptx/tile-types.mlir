// Contractions of bytes in mma.sync m16n8k32. Operands that are contiguous along K are copied asynchronously and read by ldmatrix.
// RUN: %tensorc compile %s --target=cuda:sm_80 --emit=ptx | FileCheck %s
// RUN: %tensorc compile %s --target=cuda:sm_90a --emit=ptx | FileCheck %s
// CHECK: cp.async.cg.shared.global
// CHECK: ldmatrix.sync.aligned.m8n8.x4.shared.b16
// CHECK: mma.sync.aligned.m16n8k32.row.col.s32.s8.u8.s32
// CHECK-NOT: .local
func.func @main(%x: tensor<70x128xi8>, %y: tensor<72x128xui8>) -> tensor<70x72xi32> {
  %a = tx.convert %x : tensor<70x128xi8> -> tensor<70x128xi32>
  %b = tx.convert %y : tensor<72x128xui8> -> tensor<72x128xi32>
  %0 = tx.dot_general %a, %b batch = [] x [] contracting = [1] x [1]
       : (tensor<70x128xi32>, tensor<72x128xi32>) -> tensor<70x72xi32>
  return %0 : tensor<70x72xi32>
}
