// A decoder of four layers as a scan: 16 sequences of 32 tokens, 32 features, 4 heads.
module {
  func.func @main(%arg0: tensor<16x32x32xf32> {tx.name = "x"}, %arg1: tensor<4x32x32xf32> {tx.name = "arg1"}, %arg2: tensor<4x32x32xf32> {tx.name = "arg2"}, %arg3: tensor<4x32x32xf32> {tx.name = "arg3"}, %arg4: tensor<4x32x32xf32> {tx.name = "arg4"}, %arg5: tensor<4x32x128xf32> {tx.name = "arg5"}, %arg6: tensor<4x128x32xf32> {tx.name = "arg6"}) -> tensor<16x32x32xf32> {
    %0 = tx.scan <[4]> carried = 1 scanned = 6(%arg0, %arg1, %arg2, %arg3, %arg4, %arg5, %arg6) : (tensor<16x32x32xf32>, tensor<4x32x32xf32>, tensor<4x32x32xf32>, tensor<4x32x32xf32>, tensor<4x32x32xf32>, tensor<4x32x128xf32>, tensor<4x128x32xf32>) -> tensor<16x32x32xf32> {
    ^bb0(%arg7: tensor<i64>, %arg8: tensor<16x32x32xf32>, %arg9: tensor<32x32xf32>, %arg10: tensor<32x32xf32>, %arg11: tensor<32x32xf32>, %arg12: tensor<32x32xf32>, %arg13: tensor<32x128xf32>, %arg14: tensor<128x32xf32>):
      %1 = tx.constant dense<9.99999974E-6> : tensor<f32>
      %2 = tx.layer_norm %arg8, %1 : (tensor<16x32x32xf32>, tensor<f32>) -> tensor<16x32x32xf32>
      %3 = tx.dot_general %2, %arg9 batch = [] x [] contracting = [2] x [0] : (tensor<16x32x32xf32>, tensor<32x32xf32>) -> tensor<16x32x32xf32>
      %4 = tx.reshape %3 : tensor<16x32x32xf32> -> tensor<16x32x4x8xf32>
      %5 = tx.transpose %4 permutation = [0, 2, 1, 3] : tensor<16x32x4x8xf32> -> tensor<16x4x32x8xf32>
      %6 = tx.dot_general %2, %arg10 batch = [] x [] contracting = [2] x [0] : (tensor<16x32x32xf32>, tensor<32x32xf32>) -> tensor<16x32x32xf32>
      %7 = tx.reshape %6 : tensor<16x32x32xf32> -> tensor<16x32x4x8xf32>
      %8 = tx.transpose %7 permutation = [0, 2, 1, 3] : tensor<16x32x4x8xf32> -> tensor<16x4x32x8xf32>
      %9 = tx.dot_general %2, %arg11 batch = [] x [] contracting = [2] x [0] : (tensor<16x32x32xf32>, tensor<32x32xf32>) -> tensor<16x32x32xf32>
      %10 = tx.reshape %9 : tensor<16x32x32xf32> -> tensor<16x32x4x8xf32>
      %11 = tx.transpose %10 permutation = [0, 2, 1, 3] : tensor<16x32x4x8xf32> -> tensor<16x4x32x8xf32>
      %12 = tx.constant dense<0.353553385> : tensor<f32>
      %13 = tx.attention %5, %8, %11, %12 groups = 1 causal : (tensor<16x4x32x8xf32>, tensor<16x4x32x8xf32>, tensor<16x4x32x8xf32>, tensor<f32>) -> tensor<16x4x32x8xf32>
      %14 = tx.transpose %13 permutation = [0, 2, 1, 3] : tensor<16x4x32x8xf32> -> tensor<16x32x4x8xf32>
      %15 = tx.reshape %14 : tensor<16x32x4x8xf32> -> tensor<16x32x32xf32>
      %16 = tx.dot_general %15, %arg12 batch = [] x [] contracting = [2] x [0] : (tensor<16x32x32xf32>, tensor<32x32xf32>) -> tensor<16x32x32xf32>
      %17 = tx.add %arg8, %16 : tensor<16x32x32xf32>
      %18 = tx.constant dense<9.99999974E-6> : tensor<f32>
      %19 = tx.layer_norm %17, %18 : (tensor<16x32x32xf32>, tensor<f32>) -> tensor<16x32x32xf32>
      %20 = tx.dot_general %19, %arg13 batch = [] x [] contracting = [2] x [0] : (tensor<16x32x32xf32>, tensor<32x128xf32>) -> tensor<16x32x128xf32>
      %21 = tx.gelu %20 : tensor<16x32x128xf32>
      %22 = tx.dot_general %21, %arg14 batch = [] x [] contracting = [2] x [0] : (tensor<16x32x128xf32>, tensor<128x32xf32>) -> tensor<16x32x32xf32>
      %23 = tx.add %17, %22 : tensor<16x32x32xf32>
      tx.return %23 : tensor<16x32x32xf32>
    }
    return %0 : tensor<16x32x32xf32>
  }
}


