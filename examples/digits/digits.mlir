// Reads n images of handwritten digits and says how many it reads rightly.
//
//   tensorc run examples/digits/digits.mlir
//     --input=images=examples/digits/data/test_images.npy
//     --input=labels=examples/digits/data/test_labels.npy
//     --input=w1=examples/digits/weights/w1.npy  (and b1, w2, b2)
//
// n is a symbolic dimension: one compilation serves any number of images.

#images = #tx.dims<[n, 64]>
#scores = #tx.dims<[n, 10]>
#n = #tx.dims<[n]>

func.func @main(
    %images: tensor<?x64xf32, #images> {tx.name = "images"},
    %labels: tensor<?xi32, #n> {tx.name = "labels"},
    %w1: tensor<64x64xf32> {tx.name = "w1"},
    %b1: tensor<64xf32> {tx.name = "b1"},
    %w2: tensor<64x10xf32> {tx.name = "w2"},
    %b2: tensor<10xf32> {tx.name = "b2"})
    -> (tensor<f32> {tx.name = "accuracy"},
        tensor<?xi32, #n> {tx.name = "digits"}) {
  // hidden = relu(images w1 + b1)
  %0 = tx.dot_general %images, %w1 batch = [] x [] contracting = [1] x [0]
       : (tensor<?x64xf32, #images>, tensor<64x64xf32>) -> tensor<?x64xf32, #images>
  %1 = tx.broadcast %b1 dims = [1] : tensor<64xf32> -> tensor<?x64xf32, #images>
  %2 = tx.add %0, %1 : tensor<?x64xf32, #images>
  %zero = tx.constant dense<0.0> : tensor<f32>
  %3 = tx.broadcast %zero dims = [] : tensor<f32> -> tensor<?x64xf32, #images>
  %hidden = tx.max %2, %3 : tensor<?x64xf32, #images>

  // digits = argmax(hidden w2 + b2)
  %4 = tx.dot_general %hidden, %w2 batch = [] x [] contracting = [1] x [0]
       : (tensor<?x64xf32, #images>, tensor<64x10xf32>) -> tensor<?x10xf32, #scores>
  %5 = tx.broadcast %b2 dims = [1] : tensor<10xf32> -> tensor<?x10xf32, #scores>
  %scores = tx.add %4, %5 : tensor<?x10xf32, #scores>
  %digits = tx.argmax %scores dims = [1] : tensor<?x10xf32, #scores> -> tensor<?xi32, #n>

  // accuracy = mean(digits == labels)
  %6 = tx.eq %digits, %labels : tensor<?xi32, #n>
  %7 = tx.convert %6 : tensor<?xi1, #n> -> tensor<?xf32, #n>
  %right = tx.sum %7 dims = [0] : tensor<?xf32, #n> -> tensor<f32>
  %one = tx.constant dense<1.0> : tensor<f32>
  %8 = tx.broadcast %one dims = [] : tensor<f32> -> tensor<?xf32, #n>
  %all = tx.sum %8 dims = [0] : tensor<?xf32, #n> -> tensor<f32>
  %accuracy = tx.div %right, %all : tensor<f32>
  return %accuracy, %digits : tensor<f32>, tensor<?xi32, #n>
}
