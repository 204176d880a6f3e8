// The mean cross entropy of a linear layer's logits, over a batch of n samples.
//   tensorc differentiate loss.mlir --of=loss --wrt=w,b -o step.mlir
func.func @main(%x: tensor<?x10xf32, #tx.dims<[n, 10]>> {tx.name = "x"}, %w: tensor<10x3xf32> {tx.name = "w"},
                %b: tensor<3xf32> {tx.name = "b"}, %target: tensor<?x3xf32, #tx.dims<[n, 3]>> {tx.name = "target"})
    -> (tensor<f32> {tx.name = "loss"}) {
  %0 = tx.dot_general %x, %w batch = [] x [] contracting = [1] x [0]
       : (tensor<?x10xf32, #tx.dims<[n, 10]>>, tensor<10x3xf32>) -> tensor<?x3xf32, #tx.dims<[n, 3]>>
  %1 = tx.broadcast %b dims = [1] : tensor<3xf32> -> tensor<?x3xf32, #tx.dims<[n, 3]>>
  %2 = tx.add %0, %1 : tensor<?x3xf32, #tx.dims<[n, 3]>>
  %3 = tx.log_softmax %2 dim = 1 : tensor<?x3xf32, #tx.dims<[n, 3]>>
  %4 = tx.mul %3, %target : tensor<?x3xf32, #tx.dims<[n, 3]>>
  %5 = tx.neg %4 : tensor<?x3xf32, #tx.dims<[n, 3]>>
  %6 = tx.sum %5 dims = [1] : tensor<?x3xf32, #tx.dims<[n, 3]>> -> tensor<?xf32, #tx.dims<[n]>>
  %loss = tx.mean %6 dims = [0] : (tensor<?xf32, #tx.dims<[n]>>) -> tensor<f32>
  return %loss : tensor<f32>
}
