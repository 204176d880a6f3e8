#all = #tx.dims<[n, m]>
func.func @main(%x: tensor<?x?xf32, #all>, %e: tensor<f32>) -> (tensor<?x?xf32, #all>, tensor<?xf32, #tx.dims<[n]>>) {
  %0 = tx.softmax %x dim = 1 : tensor<?x?xf32, #all>
  %1 = tx.layer_norm %0, %e : (tensor<?x?xf32, #all>, tensor<f32>) -> tensor<?x?xf32, #all>
  %2 = tx.mean %1 dims = [1] : (tensor<?x?xf32, #all>) -> tensor<?xf32, #tx.dims<[n]>>
  return %1, %2 : tensor<?x?xf32, #all>, tensor<?xf32, #tx.dims<[n]>>
}
