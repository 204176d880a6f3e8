// The square root of x by Newton's method, in at most 20 steps. The bound lets
// the loop have a gradient.
func.func @main(%x: tensor<f32> {tx.name = "x"}) -> (tensor<f32> {tx.name = "y"}) {
  %a = tx.abs %x : tensor<f32>
  %one = tx.constant dense<1.0> : tensor<f32>
  %0 = tx.while most = 20 (%one, %a) : (tensor<f32>, tensor<f32>) -> tensor<f32> {
  ^bb0(%s: tensor<f32>, %n: tensor<f32>):
    %square = tx.mul %s, %s : tensor<f32>
    %off = tx.sub %square, %n : tensor<f32>
    %error = tx.abs %off : tensor<f32>
    %small = tx.constant dense<1.0e-6> : tensor<f32>
    %tolerance = tx.mul %n, %small : tensor<f32>
    %p = tx.gt %error, %tolerance : tensor<f32>
    tx.return %p : tensor<i1>
  } do {
  ^bb0(%s: tensor<f32>, %n: tensor<f32>):
    %half = tx.constant dense<0.5> : tensor<f32>
    %q = tx.div %n, %s : tensor<f32>
    %t = tx.add %s, %q : tensor<f32>
    %r = tx.mul %t, %half : tensor<f32>
    tx.return %r : tensor<f32>
  }
  return %0 : tensor<f32>
}
