// A tile may be wider than y has columns, by whole vectors: what is not there is not read either.
//
// RUN: env TENSORC_CHECK=memory %tensorc run %s --device=cpu --random-inputs --compare=reference

func.func @main(%x: tensor<16x17x5xf32>, %w: tensor<16x40xf32>, %few: tensor<3x40xf32>)
    -> (tensor<17x16x16xf32>, tensor<3x16xf32>) {
  %0 = tx.dot_general %x, %x batch = [1] x [1] contracting = [2] x [2]
      : (tensor<16x17x5xf32>, tensor<16x17x5xf32>) -> tensor<17x16x16xf32>
  %1 = tx.dot_general %few, %w batch = [] x [] contracting = [1] x [1]
      : (tensor<3x40xf32>, tensor<16x40xf32>) -> tensor<3x16xf32>
  return %0, %1 : tensor<17x16x16xf32>, tensor<3x16xf32>
}
