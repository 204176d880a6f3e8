// A row that two tensors fill in turns: an element is read for two lanes, of which one tensor wants the first and the other the
// second, also where the row ends within a vector.
//
// RUN: %tensorc run %s --device=cpu --random-inputs --compare=reference
// RUN: %tensorc run %s --entry=rows --device=cpu --random-inputs --compare=reference

// Nor is there a row after the only one that is asked for.
// RUN: %tensorc run %s --entry=bytes --device=cpu --random-inputs --compare=reference

func.func @main(%x: tensor<17xf64>, %y: tensor<17xf64>) -> tensor<f64> {
  %0 = tx.reshape %x : tensor<17xf64> -> tensor<1x17xf64>
  %1 = tx.reshape %y : tensor<17xf64> -> tensor<1x17xf64>
  %2 = tx.concatenate %0, %1 dim = 0 : (tensor<1x17xf64>, tensor<1x17xf64>) -> tensor<2x17xf64>
  %3 = tx.transpose %2 permutation = [1, 0] : tensor<2x17xf64> -> tensor<17x2xf64>
  %4 = tx.reshape %3 : tensor<17x2xf64> -> tensor<34xf64>
  %5 = tx.sum %4 dims = [0] : tensor<34xf64> -> tensor<f64>
  return %5 : tensor<f64>
}

func.func @rows(%x: tensor<5x35xf32>, %y: tensor<5x35xf32>) -> tensor<5xf32> {
  %0 = tx.reshape %x : tensor<5x35xf32> -> tensor<5x35x1xf32>
  %1 = tx.reshape %y : tensor<5x35xf32> -> tensor<5x35x1xf32>
  %2 = tx.concatenate %0, %1 dim = 2 : (tensor<5x35x1xf32>, tensor<5x35x1xf32>) -> tensor<5x35x2xf32>
  %3 = tx.reshape %2 : tensor<5x35x2xf32> -> tensor<5x70xf32>
  %4 = tx.sum %3 dims = [1] : tensor<5x70xf32> -> tensor<5xf32>
  return %4 : tensor<5xf32>
}

func.func @bytes(%x: tensor<333xi8>) -> tensor<i8> {
  %0 = tx.sum %x dims = [0] : tensor<333xi8> -> tensor<i8>
  return %0 : tensor<i8>
}
