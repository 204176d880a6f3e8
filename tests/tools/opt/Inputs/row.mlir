// y = softmax(x * s + b), row by row, written as exp(a - m) / sum(exp(a - m)).
// docs/architecture.md follows it through the stages.
//
//   tensorc run examples/softmax.mlir --random-inputs --shape=x:3,64

#all = #tx.dims<[n, 64]>
#rows = #tx.dims<[n]>

func.func @main(%x: tensor<?x64xf32, #all> {tx.name = "x"},
                %s: tensor<f32> {tx.name = "s", tx.scalar},
                %b: tensor<64xf32> {tx.name = "b"})
    -> (tensor<?x64xf32, #all> {tx.name = "y"}) {
  %0 = tx.broadcast %s dims = [] : tensor<f32> -> tensor<?x64xf32, #all>
  %1 = tx.mul %x, %0 : tensor<?x64xf32, #all>
  %2 = tx.broadcast %b dims = [1] : tensor<64xf32> -> tensor<?x64xf32, #all>
  %3 = tx.add %1, %2 : tensor<?x64xf32, #all>
  %y = tx.composite "softmax" with {dims = array<i64: 1>} (%3)
      : (tensor<?x64xf32, #all>) -> tensor<?x64xf32, #all> {
  ^bb0(%a: tensor<?x64xf32, #all>):
    %4 = tx.reduce_max %a dims = [1] : tensor<?x64xf32, #all> -> tensor<?xf32, #rows>
    %m = tx.broadcast %4 dims = [0] : tensor<?xf32, #rows> -> tensor<?x64xf32, #all>
    %5 = tx.sub %a, %m : tensor<?x64xf32, #all>
    %6 = tx.exp %5 : tensor<?x64xf32, #all>
    %7 = tx.sub %a, %m : tensor<?x64xf32, #all>
    %8 = tx.exp %7 : tensor<?x64xf32, #all>
    %9 = tx.sum %8 dims = [1] : tensor<?x64xf32, #all> -> tensor<?xf32, #rows>
    %10 = tx.broadcast %9 dims = [0] : tensor<?xf32, #rows> -> tensor<?x64xf32, #all>
    %11 = tx.div %6, %10 : tensor<?x64xf32, #all>
    tx.yield %11 : tensor<?x64xf32, #all>
  }
  return %y : tensor<?x64xf32, #all>
}
