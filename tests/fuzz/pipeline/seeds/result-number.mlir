#rows = #tx.dims<[n]>
#all = #tx.dims<[2147483647]>
func.func @main(%x: tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2xf32>) {
  %0:2 = tx.composite "relu_and_sum" (%x) : (tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2xf32>) {
  ^bb0(%a: tensor<2x2xf32>):
    %r = tx.composite "relu" (%a) : (tensor<2x2xf32>) -> tensor<2x2xf32> {
    ^bb0(%b: tensor<2x2xf32>):
      %z = tx.constant dense<0.0> : tensor<2x2xf32>
      %m = tx.max %b, %z : tensor<2x2xf32>
      tx.yield %m : tensor<2x2xf32>
    }
    %s = tx.sum %r dims = [2147483647] : tensor<2x2xf32> -> tensor<2xf32>
    tx.yield %0, %s : tensor<2x2xf32>, tensor<2xf32>
  }
  return %0#0, %z#2147483647 : tensor<2x2xf32>, tensor<2xf32>
}
