// A sink of JAX only keeps its operand in a module's text.
//
// RUN: %tensorc compile %s --stop-after=import | FileCheck %s
//
// CHECK: func.func @main(%[[X:.*]]: tensor<2xf32>)
// CHECK-NOT: call
// CHECK: return %[[X]]

module @jit_f {
  func.func public @main(%arg0: tensor<2xf32>) -> tensor<2xf32> {
    %0 = stablehlo.add %arg0, %arg0 : tensor<2xf32>
    stablehlo.custom_call @dce_sink(%0) {has_side_effect = true} : (tensor<2xf32>) -> ()
    return %arg0 : tensor<2xf32>
  }
}
