#rows = #tx.dims<[n]>
#all = #tx.dims<[n, m]>
func.func @main(%x: tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2xf32>) {
  %0:2 = tx.composite "relu_and_sum" (%x) : (tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2xf32>) {
  ^bb0(%a: tensor<2x2xf32>):
    %r = tx.composite "relu" (%a) : (tensor<2x2xf32>) -> tensor<2x2xf32> {
    ^bb0(%b: tensor<2x2xf32>):
      %z = tx.constant dense<0.0> : tensor<2x2xf32>
      %m = tx.max %b, %z : tensor<2x2xf32>
      tx.yield %m : tensor<2x2xf32>
    }
    %s = tx.sum %r dims = [1] : tensor<2x2xf32> -> tensor<2xf32>
    tx.yield %r, %s : tensor<2x2xf32>, tensor<2xf32>
  }
  return %0#0, %0#1 : tensor<2x2xf32>, tensor<2xf32>
}
