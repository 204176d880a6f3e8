// Calls of functions of the host: an effect comes after the one before it, and the results wait for the last.
// RUN: %tensorc compile %s --stop-after=import | FileCheck %s

// CHECK-LABEL: func.func @pure
// CHECK: tx.custom_call "tensorc.host"(%{{.*}}) config "3" : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NOT: tensorc.after
func.func public @pure(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.custom_call @tensorc.host(%x) {backend_config = "3"} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @effects
// CHECK: %[[A:.*]] = tx.custom_call "tensorc.host"(%{{.*}}) config "4 0" : (tensor<4xf32>) -> tensor<i8>
// CHECK: %[[B:.*]] = tx.custom_call "tensorc.host"(%[[A]], %{{.*}}) config "4 1" : (tensor<i8>, tensor<4xf32>) -> tensor<i8>
// CHECK: %[[R:.*]] = tx.custom_call "tensorc.after"(%{{.*}}, %[[B]]) : (tensor<4xf32>, tensor<i8>) -> tensor<4xf32>
// CHECK: return %[[R]]
func.func public @effects(%x: tensor<4xf32>) -> tensor<4xf32> {
  stablehlo.custom_call @tensorc.host(%x) {backend_config = "4", has_side_effect = true} : (tensor<4xf32>) -> ()
  stablehlo.custom_call @tensorc.host(%x) {backend_config = "4", has_side_effect = true} : (tensor<4xf32>) -> ()
  return %x : tensor<4xf32>
}

// CHECK-LABEL: func.func @ordered
// CHECK-SAME: (%{{.*}}: tensor<0xi1>, %[[X:.*]]: tensor<f32>) -> (tensor<0xi1>, tensor<f32>)
// CHECK: tx.custom_call "tensorc.host"(%{{.*}}, %[[X]]) config "5 1" : (tensor<i8>, tensor<f32>) -> (tensor<i8>, tensor<f32>)
func.func public @ordered(%t: !stablehlo.token, %x: tensor<f32>) -> (!stablehlo.token, tensor<f32>) {
  %0:2 = stablehlo.custom_call @tensorc.host(%t, %x) {backend_config = "5 ordered", has_side_effect = true}
    : (!stablehlo.token, tensor<f32>) -> (!stablehlo.token, tensor<f32>)
  return %0#0, %0#1 : !stablehlo.token, tensor<f32>
}

// An iteration's effect depends on what the loop carries: it is not hoisted.
// CHECK-LABEL: func.func @loop
// CHECK: ^bb0(%[[C:[a-z0-9]+]]: tensor<i32>
// CHECK: tx.custom_call "tensorc.host"(%{{.*}}) config "6 1" : (tensor<i32>) -> tensor<i8>
// CHECK: tx.custom_call "tensorc.after"
func.func public @loop(%x: tensor<i32>, %limit: tensor<i32>) -> tensor<i32> {
  %0 = stablehlo.while(%i = %x) : tensor<i32>
  cond {
    %1 = stablehlo.compare LT, %i, %limit, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    stablehlo.custom_call @tensorc.host() {backend_config = "6", has_side_effect = true} : () -> ()
    %2 = stablehlo.multiply %i, %i : tensor<i32>
    stablehlo.return %2 : tensor<i32>
  }
  return %0 : tensor<i32>
}

// A program without results gets one that waits for its effects. The call of a branch comes after those before it.
// CHECK-LABEL: func.func @alone
// CHECK-SAME: -> (tensor<i8> {tx.name = "tensorc.effect"})
// CHECK: %[[A:.*]] = tx.custom_call "tensorc.host"(%{{.*}}) config "7 0"
// CHECK: %[[IF:.*]] = tx.if
// CHECK: tx.custom_call "tensorc.host"(%{{.*}}) config "8 1"
// CHECK: %[[TIED:.*]] = tx.custom_call "tensorc.after"
// CHECK: tx.return %[[TIED]]
// CHECK: %[[R:.*]] = tx.custom_call "tensorc.after"(%{{.*}}, %[[IF]]) : (tensor<i8>, tensor<i8>) -> tensor<i8>
// CHECK: return %[[R]]
func.func public @alone(%p: tensor<i1>, %x: tensor<f32>) {
  stablehlo.custom_call @tensorc.host(%x) {backend_config = "7", has_side_effect = true} : (tensor<f32>) -> ()
  "stablehlo.if"(%p) ({
    stablehlo.custom_call @tensorc.host(%x) {backend_config = "8", has_side_effect = true} : (tensor<f32>) -> ()
    stablehlo.return
  }, {
    stablehlo.return
  }) : (tensor<i1>) -> ()
  return
}
