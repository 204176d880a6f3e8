// The network of examples/digits as a function of images alone: the weights become constants of the module.

#images = #tx.dims<[n, 64]>
#scores = #tx.dims<[n, 10]>

func.func @main(
    %images: tensor<?x64xf32, #images> {tx.name = "images"},
    %w1: tensor<64x64xf32> {tx.name = "w1"},
    %b1: tensor<64xf32> {tx.name = "b1"},
    %w2: tensor<64x10xf32> {tx.name = "w2"},
    %b2: tensor<10xf32> {tx.name = "b2"})
    -> (tensor<?x10xf32, #scores> {tx.name = "probabilities"}) {
  %0 = tx.dot_general %images, %w1 batch = [] x [] contracting = [1] x [0]
       : (tensor<?x64xf32, #images>, tensor<64x64xf32>) -> tensor<?x64xf32, #images>
  %1 = tx.broadcast %b1 dims = [1] : tensor<64xf32> -> tensor<?x64xf32, #images>
  %2 = tx.add %0, %1 : tensor<?x64xf32, #images>
  %zero = tx.constant dense<0.0> : tensor<f32>
  %3 = tx.broadcast %zero dims = [] : tensor<f32> -> tensor<?x64xf32, #images>
  %hidden = tx.max %2, %3 : tensor<?x64xf32, #images>
  %4 = tx.dot_general %hidden, %w2 batch = [] x [] contracting = [1] x [0]
       : (tensor<?x64xf32, #images>, tensor<64x10xf32>) -> tensor<?x10xf32, #scores>
  %5 = tx.broadcast %b2 dims = [1] : tensor<10xf32> -> tensor<?x10xf32, #scores>
  %scores = tx.add %4, %5 : tensor<?x10xf32, #scores>
  %probabilities = tx.softmax %scores dim = 1 : tensor<?x10xf32, #scores>
  return %probabilities : tensor<?x10xf32, #scores>
}
