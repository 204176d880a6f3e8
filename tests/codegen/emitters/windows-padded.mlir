// Windows over a padded value that reads one element for a whole row, and none for a row of padding.
//
// RUN: env TENSORC_CHECK=memory %tensorc run %s --random-inputs --compare=reference
// RUN: env TENSORC_CHECK=memory %tensorc run %s --entry=floats --random-inputs --compare=reference
// RUN: env TENSORC_CHECK=memory %tensorc run %s --entry=empty --random-inputs --compare=reference

func.func @main(%a: tensor<16x1xi32>, %x: tensor<16x3xi32>, %v: tensor<i32>) -> tensor<21x6xi32> {
  %b = tx.broadcast %a dims = [0, 1] : tensor<16x1xi32> -> tensor<16x3xi32>
  %g = tx.gt %b, %x : tensor<16x3xi32>
  %s = tx.add %b, %x : tensor<16x3xi32>
  %e = tx.select %g, %x, %s : tensor<16x3xi1>, tensor<16x3xi32>
  %p = tx.pad %e, %v low = [2, 3] high = [3, 0] interior = [0, 0] : tensor<16x3xi32> -> tensor<21x6xi32>
  %r = tx.reduce_window %p sum dims = [0, 1] sizes = [1, 1] strides = [1, 1] dilations = [1, 1] low = [0, 0] high = [0, 0] : (tensor<21x6xi32>) -> tensor<21x6xi32>
  return %r : tensor<21x6xi32>
}

func.func @floats(%a: tensor<40x1xf32>, %x: tensor<40x33xf32>, %v: tensor<f32>) -> tensor<49x42xf32> {
  %b = tx.broadcast %a dims = [0, 1] : tensor<40x1xf32> -> tensor<40x33xf32>
  %s = tx.mul %b, %x : tensor<40x33xf32>
  %p = tx.pad %s, %v low = [5, 7] high = [6, 4] interior = [0, 0] : tensor<40x33xf32> -> tensor<51x44xf32>
  %r = tx.reduce_window %p max dims = [0, 1] sizes = [3, 3] strides = [1, 1] dilations = [1, 1] low = [0, 0] high = [0, 0] : (tensor<51x44xf32>) -> tensor<49x42xf32>
  return %r : tensor<49x42xf32>
}

func.func @empty(%a: tensor<0x1xf32>, %x: tensor<0x33xf32>, %v: tensor<f32>) -> tensor<9x42xf32> {
  %b = tx.broadcast %a dims = [0, 1] : tensor<0x1xf32> -> tensor<0x33xf32>
  %s = tx.mul %b, %x : tensor<0x33xf32>
  %p = tx.pad %s, %v low = [5, 7] high = [6, 4] interior = [0, 0] : tensor<0x33xf32> -> tensor<11x44xf32>
  %r = tx.reduce_window %p max dims = [0, 1] sizes = [3, 3] strides = [1, 1] dilations = [1, 1] low = [0, 0] high = [0, 0] : (tensor<11x44xf32>) -> tensor<9x42xf32>
  return %r : tensor<9x42xf32>
}
