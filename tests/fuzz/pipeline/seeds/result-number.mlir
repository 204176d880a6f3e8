#all = #tx.dims<[2147483647]>
func.func @main(%x: tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2xf32>) {
  %0:2 = tx.fusion "row" "relu_and_sum" (%x) : (tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2xf32>) {
  ^bb0(%a: tensor<2x2xf32>):
    %z = tx.constant dense<0.0> : tensor<2x2xf32>
    %r = tx.max %a, %z : tensor<2x2xf32>
    %s = tx.sum %r dims = [2147483647] : tensor<2x2xf32> -> tensor<2xf32>
    tx.yield %0, %s : tensor<2x2xf32>, tensor<2xf32>
  }
  return %0#0, %z#2147483647 : tensor<2x2xf32>, tensor<2xf32>
}
