// Large contractions of inputs as they lie in memory take wgmma where the chip is sm_90a, and no other way elsewhere.
//
// RUN: %tensorc compile %s --target=cuda:sm_90a --emit=ptx | FileCheck %s
// RUN: %tensorc compile %s --target=cuda:sm_90 --emit=ptx | FileCheck %s --check-prefix=PORTABLE
// RUN: %tensorc compile %s --target=cuda:sm_90a --stop-after=emit | FileCheck %s --check-prefix=EMIT
// RUN: %tensorc compile %s --target=sim:sm_90a --stop-after=emit | FileCheck %s --check-prefix=EMIT
// RUN: %tensorc explain %s --target=cuda:sm_90a | FileCheck %s --check-prefix=EXPLAIN
// CHECK: .extern .shared .align 1024 .b8 dynamic_shared[];
// CHECK: .param .align 64 .b8 dot_general_param_3[128]
// CHECK: mbarrier.init.shared::cta.b64
// CHECK: fence.mbarrier_init.release.cluster
// CHECK-DAG: setmaxnreg.dec.sync.aligned.u32 40
// CHECK-DAG: mbarrier.try_wait.parity.shared::cta.b64
// CHECK-DAG: cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes
// CHECK-DAG: setmaxnreg.inc.sync.aligned.u32 232
// CHECK-DAG: wgmma.fence.sync.aligned
// CHECK-DAG: wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16
// CHECK-DAG: wgmma.commit_group.sync.aligned
// CHECK-DAG: wgmma.wait_group.sync.aligned 1
// PORTABLE-NOT: wgmma
// PORTABLE: mma.sync.aligned.m16n8k16
// EMIT: gpu.func @dot_general({{.*}}: !txk.tensor_map, {{.*}}: !txk.tensor_map)
// EMIT: txk.nv.wgmma f16
// EMIT: txp.launch @kernels::@dot_general {{.*}} block(384) shared({{[0-9]+}}) {{.*}} maps [#txp.tensor_map<buffer = 0, element = 2, swizzle = 128, box = [64, 128]>, #txp.tensor_map<buffer = 1, element = 2, swizzle = 128, box = [64, 64]>] windows(
// EXPLAIN: schedule wgmma rows=128 columns=128 stages=4
func.func @main(%x: tensor<1024x512xf16>, %y: tensor<512x1024xf16>) -> tensor<1024x1024xf16> {
  %0 = tx.dot_general %x, %y batch = [] x [] contracting = [1] x [0]
      : (tensor<1024x512xf16>, tensor<512x1024xf16>) -> tensor<1024x1024xf16>
  return %0 : tensor<1024x1024xf16>
}
