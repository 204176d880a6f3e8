// Twice the mean of four ranks' x, plus the number of the rank; each rank's part of all x.
func.func @main(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<32xf32>) {
  %two = tx.constant dense<2.0> : tensor<8xf32>
  %quarter = tx.constant dense<0.25> : tensor<8xf32>
  %twice = tx.mul %x, %two : tensor<8xf32>
  %sum = tx.all_reduce %twice sum ranks = 4 : (tensor<8xf32>) -> tensor<8xf32>
  %rank = tx.partition_id ranks = 4 : () -> tensor<i64>
  %number = tx.convert %rank : tensor<i64> -> tensor<f32>
  %numbers = tx.broadcast %number dims = [] : tensor<f32> -> tensor<8xf32>
  %mean = tx.mul %sum, %quarter : tensor<8xf32>
  %0 = tx.add %mean, %numbers : tensor<8xf32>
  %1 = tx.all_gather %x dim = 0 ranks = 4 : (tensor<8xf32>) -> tensor<32xf32>
  return %0, %1 : tensor<8xf32>, tensor<32xf32>
}
