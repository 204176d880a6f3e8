// The same bits on any number of threads: association is fixed by shape.
//
// RUN: rm -rf %t && mkdir %t
// RUN: env TENSORC_NUM_THREADS=1 %tensorc run %s --device=cpu --random-inputs --output-dir=%t/1
// RUN: env TENSORC_NUM_THREADS=2 %tensorc run %s --device=cpu --random-inputs --output-dir=%t/2
// RUN: env TENSORC_NUM_THREADS=3 %tensorc run %s --device=cpu --random-inputs --output-dir=%t/3
// RUN: env TENSORC_NUM_THREADS=8 %tensorc run %s --device=cpu --random-inputs --output-dir=%t/8
// RUN: diff -r %t/1 %t/2
// RUN: diff -r %t/1 %t/3
// RUN: diff -r %t/1 %t/8

func.func @main(%x: tensor<777x1234xf32>, %w: tensor<1234x301xf32>)
    -> (tensor<777xf32>, tensor<1234xf32>, tensor<f32>, tensor<777x301xf32>, tensor<777x1234xf32>) {
  %row = tx.sum %x dims = [1] : tensor<777x1234xf32> -> tensor<777xf32>
  %column = tx.sum %x dims = [0] : tensor<777x1234xf32> -> tensor<1234xf32>
  %all = tx.sum %x dims = [0, 1] : tensor<777x1234xf32> -> tensor<f32>
  %dot = tx.dot_general %x, %w batch = [] x [] contracting = [1] x [0]
         : (tensor<777x1234xf32>, tensor<1234x301xf32>) -> tensor<777x301xf32>
  %b = tx.broadcast %row dims = [0] : tensor<777xf32> -> tensor<777x1234xf32>
  %d = tx.div %x, %b : tensor<777x1234xf32>
  %e = tx.exp %d : tensor<777x1234xf32>
  return %row, %column, %all, %dot, %e
      : tensor<777xf32>, tensor<1234xf32>, tensor<f32>, tensor<777x301xf32>, tensor<777x1234xf32>
}
