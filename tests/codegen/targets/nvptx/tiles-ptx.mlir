// The instructions of a contraction in tiles: asynchronous copies that fill up with zeros, ldmatrix, mma.sync.
// RUN: %tensorc compile %s --target=cuda:sm_80 --emit=ptx | FileCheck %s
// RUN: %tensorc compile %s --target=cuda:sm_90a --emit=ptx | FileCheck %s
// CHECK: .shared .align 64 .b8 dot_general_shared0
// CHECK: cp.async.cg.shared.global [%{{.*}}], [%{{.*}}], 16, %r{{[0-9]+}};
// CHECK: cp.async.commit_group;
// CHECK: cp.async.wait_group 1;
// CHECK: bar.sync 0;
// CHECK: ldmatrix.sync.aligned.m8n8.x4.shared.b16
// CHECK: ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16
// CHECK: mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32
// CHECK-NOT: .local
// RUN: %tensorc compile %s --target=cuda:sm_80 --emit=ptx | FileCheck %s --check-prefix=HALF
// HALF: mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
func.func @main(%x: tensor<70x64xbf16>, %y: tensor<64x72xbf16>, %z: tensor<70x64xf16>) -> (tensor<70x72xbf16>, tensor<70x70xf16>) {
  %0 = tx.dot_general %x, %y batch = [] x [] contracting = [1] x [0]
       : (tensor<70x64xbf16>, tensor<64x72xbf16>) -> tensor<70x72xbf16>
  %1 = tx.dot_general %z, %z batch = [] x [] contracting = [1] x [1]
       : (tensor<70x64xf16>, tensor<70x64xf16>) -> tensor<70x70xf16>
  return %0, %1 : tensor<70x72xbf16>, tensor<70x70xf16>
}
