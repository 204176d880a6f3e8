// A layer whose batch is split over the axis `data` of a mesh of devices, and its weights over `model`.
//   tensorc explain examples/sharded.mlir --mesh=data=2,model=2
func.func @main(%x: tensor<8x16xf32> {tx.name = "x"}, %w: tensor<16x12xf32> {tx.name = "w"},
                %v: tensor<12x4xf32> {tx.name = "v"}) -> (tensor<8x4xf32> {tx.name = "y"}) {
  %0 = tx.shard %x mesh = [2, 2] dims = [0, -1] : (tensor<8x16xf32>) -> tensor<8x16xf32>
  %1 = tx.shard %w mesh = [2, 2] dims = [-1, 1] : (tensor<16x12xf32>) -> tensor<16x12xf32>
  %2 = tx.dot_general %0, %1 batch = [] x [] contracting = [1] x [0] : (tensor<8x16xf32>, tensor<16x12xf32>) -> tensor<8x12xf32>
  %3 = tx.relu %2 : tensor<8x12xf32>
  %4 = tx.dot_general %3, %v batch = [] x [] contracting = [1] x [0] : (tensor<8x12xf32>, tensor<12x4xf32>) -> tensor<8x4xf32>
  return %4 : tensor<8x4xf32>
}
