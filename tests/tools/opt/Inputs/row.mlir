// y = softmax(x * s + b), row by row.
// docs/architecture.md follows it through the stages.
//
//   tensorc run examples/softmax.mlir --random-inputs --shape=x:3,64

#all = #tx.dims<[n, 64]>

func.func @main(%x: tensor<?x64xf32, #all> {tx.name = "x"},
                %s: tensor<f32> {tx.name = "s", tx.scalar},
                %b: tensor<64xf32> {tx.name = "b"})
    -> (tensor<?x64xf32, #all> {tx.name = "y"}) {
  %0 = tx.broadcast %s dims = [] : tensor<f32> -> tensor<?x64xf32, #all>
  %1 = tx.mul %x, %0 : tensor<?x64xf32, #all>
  %2 = tx.broadcast %b dims = [1] : tensor<64xf32> -> tensor<?x64xf32, #all>
  %3 = tx.add %1, %2 : tensor<?x64xf32, #all>
  %y = tx.softmax %3 dim = 1 : tensor<?x64xf32, #all>
  return %y : tensor<?x64xf32, #all>
}
