// Views of the values that a loop stacks are not blocks of an arena: the second loop reads what the first one wrote.
//
// RUN: env TENSORC_CHECK=memory %tensorc run %s --random-inputs --compare=reference

func.func @main_gradient(%arg0: tensor<3xf64> {tx.name = "x"}, %arg1: tensor<3xf64> {tx.name = "y"}) -> (tensor<f64> {tx.name = "out0"}, tensor<3xf64> {tx.name = "grad_x"}, tensor<3xf64> {tx.name = "grad_y"}) {
  %0 = tx.constant dense<0.000000e+00> : tensor<3xf64>
  %1 = tx.constant dense<1.000000e+00> : tensor<3xf64>
  %2:2 = tx.scan <[5]> carried = 1 scanned = 0(%arg0, %arg1) : (tensor<3xf64>, tensor<3xf64>) -> (tensor<3xf64>, tensor<5x3xf64>) {
  ^bb0(%arg2: tensor<i64>, %arg3: tensor<3xf64>, %arg4: tensor<3xf64>):
    %5 = tx.convert %arg2 : tensor<i64> -> tensor<f64>
    %6 = tx.broadcast %5 dims = [] : tensor<f64> -> tensor<3xf64>
    %7 = tx.mul %arg3, %arg4 : tensor<3xf64>
    %8 = tx.sin %7 : tensor<3xf64>
    %9 = tx.add %8, %6 : tensor<3xf64>
    tx.return %9, %arg3 : tensor<3xf64>, tensor<3xf64>
  }
  %3 = tx.sum %2#0 dims = [0] : tensor<3xf64> -> tensor<f64>
  %4:2 = tx.scan <[5]> carried = 2 scanned = 1(%1, %0, %2#1, %arg1) reverse : (tensor<3xf64>, tensor<3xf64>, tensor<5x3xf64>, tensor<3xf64>) -> (tensor<3xf64>, tensor<3xf64>) {
  ^bb0(%arg2: tensor<i64>, %arg3: tensor<3xf64>, %arg4: tensor<3xf64>, %arg5: tensor<3xf64>, %arg6: tensor<3xf64>):
    %5 = tx.mul %arg5, %arg6 : tensor<3xf64>
    %6 = tx.cos %5 : tensor<3xf64>
    %7 = tx.mul %arg3, %6 : tensor<3xf64>
    %8 = tx.mul %7, %arg6 : tensor<3xf64>
    %9 = tx.mul %7, %arg5 : tensor<3xf64>
    %10 = tx.add %arg4, %9 : tensor<3xf64>
    tx.return %8, %10 : tensor<3xf64>, tensor<3xf64>
  }
  return %3, %4#0, %4#1 : tensor<f64>, tensor<3xf64>, tensor<3xf64>
}
