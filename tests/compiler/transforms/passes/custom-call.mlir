// A custom call is never fused; its program passes dtypes, ranks and sizes.
// RUN: %tensorc compile %s --target=cpu:x86-64-v3 --stop-after=fuse | FileCheck %s --check-prefix=FUSE
// RUN: %tensorc compile %s --target=cpu:x86-64-v3 --stop-after=emit | FileCheck %s
// RUN: %tensorc compile %s --target=cpu:x86-64-v3 --stop-after=lower | FileCheck %s --check-prefix=LOWER
// RUN: %tensorc compile %s -o %t.tcpkg
// RUN: not %tensorc run %t.tcpkg --random-inputs 2>&1 | FileCheck %s --check-prefix=MISSING
// RUN: not %tensorc run %s --device=reference --random-inputs 2>&1 | FileCheck %s --check-prefix=REFERENCE
// RUN: %tensorc explain %s | FileCheck %s --check-prefix=EXPLAIN

// The scalar that comes by value is stored for the call.
// FUSE: %[[S:.*]] = tx.fusion "loop" "copy"(%arg1)
// FUSE: %[[M:.*]] = tx.fusion "loop" "mul"
// FUSE: %[[C:.*]]:2 = tx.custom_call "app.f"(%[[M]], %[[S]]) config "k=3" : (tensor<?x4xf32, #tx.dims<[n, 4]>>, tensor<f32>) -> (tensor<?xi64, #tx.dims<[n]>>, tensor<2xf32>)
// FUSE: tx.fusion "loop" "neg"(%[[C]]#0)

// f32 of rank 2, n x 4; f32 of rank 0; i64 of rank 1, n; f32 of rank 1, 2.
// CHECK-DAG: %[[F2:.*]] = arith.constant 524 : i64
// CHECK-DAG: %[[F0:.*]] = arith.constant 12 : i64
// CHECK-DAG: %[[I1:.*]] = arith.constant 261 : i64
// CHECK-DAG: %[[F1:.*]] = arith.constant 268 : i64
// CHECK-DAG: %[[FOUR:.*]] = arith.constant 4 : i64
// CHECK-DAG: %[[TWO:.*]] = arith.constant 2 : i64
// CHECK: %[[N:.*]] = txp.dim %arg0, 0
// CHECK: %[[BYTES:.*]] = arith.muli %[[N]], %{{.*}}
// CHECK: txp.custom_call "app.f" ins(%{{.*}}, %{{.*}}) outs(%{{.*}}, %{{.*}}) scalars(%[[F2]], %[[N]], %[[FOUR]], %[[F0]], %[[I1]], %[[N]], %[[F1]], %[[TWO]] : i64, i64, i64, i64, i64, i64, i64, i64) config "k=3"

// LOWER: txp.custom_call "app.f"
// MISSING: error: {{.*}}it calls 'app.f', which is not registered
// REFERENCE: custom-call.mlir:[[#@LINE+7]]:{{.*}}app.f: is not registered

// EXPLAIN: 3 kernels

func.func @main(%x: tensor<?x4xf32, #tx.dims<[n, 4]>>, %s: tensor<f32> {tx.scalar})
    -> (tensor<?xi64, #tx.dims<[n]>>, tensor<2xf32>) {
  %m = tx.mul %x, %x : tensor<?x4xf32, #tx.dims<[n, 4]>>
  %c:2 = tx.custom_call "app.f"(%m, %s) config "k=3"
      : (tensor<?x4xf32, #tx.dims<[n, 4]>>, tensor<f32>) -> (tensor<?xi64, #tx.dims<[n]>>, tensor<2xf32>)
  %n = tx.neg %c#0 : tensor<?xi64, #tx.dims<[n]>>
  return %n, %c#1 : tensor<?xi64, #tx.dims<[n]>>, tensor<2xf32>
}
