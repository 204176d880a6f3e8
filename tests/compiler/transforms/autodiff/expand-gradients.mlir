// What says how gradients are taken is gone once they are.
//
// RUN: tensorc-opt %s --tx-expand-gradients | FileCheck %s
// RUN: tensorc-opt %s --tx-differentiate=wrt=0 --tx-expand-gradients --canonicalize | FileCheck %s --check-prefix=GRADIENT
// RUN: %tensorc run %s --device=reference --random-inputs --compare=reference
// RUN: %tensorc run %s --random-inputs --compare=reference

// CHECK-LABEL: @main
// CHECK-NEXT:  %[[S:.*]] = tx.sqrt %arg0
// CHECK-NEXT:  %[[M:.*]] = tx.mul %[[S]], %arg0
// CHECK-NEXT:  return %[[M]]

// By the second block, and not through the factor.
// GRADIENT-LABEL: @main_gradient
// GRADIENT:       %[[D:.*]] = tx.div %{{.*}}, %{{.*}} : tensor<f32>
// GRADIENT-NEXT:  return %{{.*}}, %[[D]]
func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %0:2 = tx.custom_vjp arguments = 1 results = 1 (%x) : (tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  ^bb0(%a: tensor<f32>):
    %s = tx.sqrt %a : tensor<f32>
    tx.return %s, %s : tensor<f32>, tensor<f32>
  } gradient {
  ^bb0(%r: tensor<f32>, %g: tensor<f32>):
    %d = tx.div %g, %r : tensor<f32>
    tx.return %d : tensor<f32>
  }
  %1 = tx.stop_gradient %x : tensor<f32>
  %2 = tx.mul %0#0, %1 : tensor<f32>
  return %2 : tensor<f32>
}
