// The brightness of colour images, whose channels come before rows and columns.
func.func @main(%image: tensor<?x3x?x?xf32, #tx.dims<[n, 3, h, w]>> {tx.name = "image"})
    -> (tensor<?x1x?x?xf32, #tx.dims<[n, 1, h, w]>> {tx.name = "grey"}) {
  %weights = tx.constant dense<[[[[0.299]], [[0.587]], [[0.114]]]]> : tensor<1x3x1x1xf32>
  %grey = tx.conv %image, %weights groups = 1 sizes = [1, 1] strides = [1, 1] dilations = [1, 1] low = [0, 0] high = [0, 0] input_dilations = [1, 1]
      : (tensor<?x3x?x?xf32, #tx.dims<[n, 3, h, w]>>, tensor<1x3x1x1xf32>) -> tensor<?x1x?x?xf32, #tx.dims<[n, 1, h, w]>>
  return %grey : tensor<?x1x?x?xf32, #tx.dims<[n, 1, h, w]>>
}
