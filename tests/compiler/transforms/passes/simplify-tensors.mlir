// RUN: %tensorc-opt %s --split-input-file --tx-simplify-tensors | FileCheck %s

// CHECK-LABEL: @broadcasts
// CHECK-SAME:  %[[X:.*]]: tensor<3xf32>
// CHECK-NEXT:  tx.broadcast %[[X]] dims = [2] : tensor<3xf32> -> tensor<4x2x3xf32>
func.func @broadcasts(%x: tensor<3xf32>) -> tensor<4x2x3xf32> {
  %0 = tx.broadcast %x dims = [1] : tensor<3xf32> -> tensor<2x3xf32>
  %1 = tx.broadcast %0 dims = [1, 2] : tensor<2x3xf32> -> tensor<4x2x3xf32>
  return %1 : tensor<4x2x3xf32>
}

// -----

// CHECK-LABEL: @slices
// CHECK-NEXT:  tx.slice %{{.*}} offsets = [5] strides = [6] : tensor<20xf32> -> tensor<2xf32>
func.func @slices(%x: tensor<20xf32>) -> tensor<2xf32> {
  %0 = tx.slice %x offsets = [3] strides = [2] : tensor<20xf32> -> tensor<8xf32>
  %1 = tx.slice %0 offsets = [1] strides = [3] : tensor<8xf32> -> tensor<2xf32>
  return %1 : tensor<2xf32>
}

// -----

// A flip's offset may be a value of the run: within x there is only one.
// CHECK-LABEL: @flipped_scan
// CHECK-SAME:  %[[X:.*]]: tensor<3x64xf32>
// CHECK-NEXT:  tx.cumsum %[[X]] dim = 1 reverse : tensor<3x64xf32>
// CHECK-NEXT:  return
func.func @flipped_scan(%x: tensor<3x64xf32>, %o: index) -> tensor<3x64xf32> {
  %0 = tx.slice %x offsets = [0, %o] strides = [1, -1] : tensor<3x64xf32> -> tensor<3x64xf32>
  %1 = tx.cumsum %0 dim = 1 : tensor<3x64xf32>
  %2 = tx.slice %1 offsets = [0, 63] strides = [1, -1] : tensor<3x64xf32> -> tensor<3x64xf32>
  return %2 : tensor<3x64xf32>
}

// -----

// What else stands before the scan is read turned round; along other dims the
// scan keeps its end.
// CHECK-LABEL: @flipped_results
// CHECK:       %[[MUL:.*]] = tx.mul
// CHECK:       %[[ROWS:.*]] = tx.slice %[[MUL]] offsets = [2, 63] strides = [-1, -1]
// CHECK:       tx.cumprod %[[ROWS]] dim = 1 exclusive :
// CHECK:       %[[COLUMNS:.*]] = tx.slice %{{.*}} offsets = [2, 0] strides = [-1, 1]
// CHECK:       tx.cummax %[[COLUMNS]] dim = 1 :
// CHECK-NOT:   tx.slice
func.func @flipped_results(%x: tensor<3x64xf32>, %y: tensor<3x64xf32>) -> (tensor<3x64xf32>, tensor<3x64xf32>) {
  %0 = tx.mul %x, %y : tensor<3x64xf32>
  %1 = tx.cumprod %0 dim = 1 reverse exclusive : tensor<3x64xf32>
  %2 = tx.slice %1 offsets = [2, 63] strides = [-1, -1] : tensor<3x64xf32> -> tensor<3x64xf32>
  %3 = tx.cummax %x dim = 1 : tensor<3x64xf32>
  %4 = tx.slice %3 offsets = [2, 0] strides = [-1, 1] : tensor<3x64xf32> -> tensor<3x64xf32>
  return %2, %4 : tensor<3x64xf32>, tensor<3x64xf32>
}

// -----

// A part stays, and so does a scan that is needed as it is, or whose lanes begin
// elsewhere from the other end; whole numbers have no order.
// CHECK-LABEL: @unflipped
// CHECK:       tx.cumsum %{{.*}} dim = 0 : tensor<64xf32>
// CHECK-NEXT:  tx.slice
// CHECK-NEXT:  tx.cumsum %{{.*}} dim = 0 : tensor<6xf32>
// CHECK-NEXT:  tx.slice
// CHECK-NEXT:  tx.cumsum %{{.*}} dim = 0 : tensor<5xf32>
// CHECK-NEXT:  tx.slice
// CHECK-NEXT:  tx.slice
// CHECK-NEXT:  tx.cumsum %{{.*}} dim = 0 reverse : tensor<5xi32>
// CHECK-NEXT:  return
func.func @unflipped(%x: tensor<64xf32>, %y: tensor<6xf32>, %i: tensor<5xi32>, %z: tensor<5xf32>) -> (tensor<64xf32>, tensor<64xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xi32>) {
  %0 = tx.cumsum %x dim = 0 : tensor<64xf32>
  %1 = tx.slice %0 offsets = [63] strides = [-1] : tensor<64xf32> -> tensor<64xf32>
  %2 = tx.cumsum %y dim = 0 : tensor<6xf32>
  %3 = tx.slice %2 offsets = [4] strides = [-1] : tensor<6xf32> -> tensor<5xf32>
  %4 = tx.cumsum %z dim = 0 : tensor<5xf32>
  %5 = tx.slice %4 offsets = [4] strides = [-1] : tensor<5xf32> -> tensor<5xf32>
  %6 = tx.cumsum %i dim = 0 : tensor<5xi32>
  %7 = tx.slice %6 offsets = [4] strides = [-1] : tensor<5xi32> -> tensor<5xi32>
  return %0, %1, %3, %5, %7 : tensor<64xf32>, tensor<64xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xi32>
}

// -----

// CHECK-LABEL: @transposed_dot
// CHECK-NEXT:  tx.dot_general %{{.*}}, %{{.*}} batch = [] x [] contracting = [0] x [1]
func.func @transposed_dot(%x: tensor<8x4xf32>, %y: tensor<5x8xf32>) -> tensor<4x5xf32> {
  %0 = tx.transpose %x permutation = [1, 0] : tensor<8x4xf32> -> tensor<4x8xf32>
  %1 = tx.transpose %y permutation = [1, 0] : tensor<5x8xf32> -> tensor<8x5xf32>
  %2 = tx.dot_general %0, %1 batch = [] x [] contracting = [1] x [0] : (tensor<4x8xf32>, tensor<8x5xf32>) -> tensor<4x5xf32>
  return %2 : tensor<4x5xf32>
}

// -----

// Free dims that change places make another result: the transpose stays.
// CHECK-LABEL: @reordered_dot
// CHECK:       tx.transpose
func.func @reordered_dot(%x: tensor<3x4x8xf32>, %y: tensor<8x5xf32>) -> tensor<4x3x5xf32> {
  %0 = tx.transpose %x permutation = [1, 0, 2] : tensor<3x4x8xf32> -> tensor<4x3x8xf32>
  %1 = tx.dot_general %0, %y batch = [] x [] contracting = [2] x [0] : (tensor<4x3x8xf32>, tensor<8x5xf32>) -> tensor<4x3x5xf32>
  return %1 : tensor<4x3x5xf32>
}

// -----

// 1/3 is not exact, so only the division by 4 becomes a product.
// CHECK-LABEL: @division
// CHECK:       tx.constant dense<2.500000e-01>
// CHECK:       tx.mul
// CHECK:       tx.div
func.func @division(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %c4 = tx.constant dense<4.0> : tensor<4xf32>
  %c3 = tx.constant dense<3.0> : tensor<4xf32>
  %0 = tx.div %x, %c4 : tensor<4xf32>
  %1 = tx.div %x, %c3 : tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// -----

// pow(x, 0.5) is not sqrt(x) for -0 and -inf: it stays. So does pow(x, 3), as traced functions do not know the number, and have the same bits.
// CHECK-LABEL: @powers
// CHECK:       tx.mul %[[X:.*]], %[[X]]
// CHECK:       tx.pow
func.func @powers(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %c1 = tx.constant dense<1.0> : tensor<4xf32>
  %c2 = tx.constant dense<2.0> : tensor<4xf32>
  %ch = tx.constant dense<0.5> : tensor<4xf32>
  %0 = tx.pow %x, %c1 : tensor<4xf32>
  %1 = tx.pow %x, %c2 : tensor<4xf32>
  %2 = tx.pow %x, %ch : tensor<4xf32>
  return %0, %1, %2 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// -----

// A factor that is dequantized by groups is summed over groups and elements.
// CHECK-LABEL: @groups
// CHECK:       %[[X:.*]] = tx.reshape %arg0 : tensor<?x8xf32, {{.*}}> -> tensor<?x2x4xf32, {{.*}}>
// CHECK:       tx.dot_general %[[X]], %{{.*}} contracting = [1, 2] x [0, 1]
func.func @groups(%x: tensor<?x8xf32, #tx.dims<[n, 8]>>, %q: tensor<2x4x5xi8>, %s: tensor<2x1x5xf32>) -> tensor<?x5xf32, #tx.dims<[n, 5]>> {
  %0 = tx.convert %q : tensor<2x4x5xi8> -> tensor<2x4x5xf32>
  %1 = tx.broadcast %s dims = [0, 1, 2] : tensor<2x1x5xf32> -> tensor<2x4x5xf32>
  %2 = tx.mul %0, %1 : tensor<2x4x5xf32>
  %3 = tx.reshape %2 : tensor<2x4x5xf32> -> tensor<8x5xf32>
  %4 = tx.dot_general %x, %3 batch = [] x [] contracting = [1] x [0] : (tensor<?x8xf32, #tx.dims<[n, 8]>>, tensor<8x5xf32>) -> tensor<?x5xf32, #tx.dims<[n, 5]>>
  return %4 : tensor<?x5xf32, #tx.dims<[n, 5]>>
}

// -----

// The other factor's columns do not form groups: it stays as it is.
// CHECK-LABEL: @columns
// CHECK:       tx.dot_general %arg0, %{{.*}} contracting = [1] x [0]
func.func @columns(%x: tensor<3x8xf32>, %q: tensor<8x2x4xi8>) -> tensor<3x8xf32> {
  %0 = tx.convert %q : tensor<8x2x4xi8> -> tensor<8x2x4xf32>
  %1 = tx.reshape %0 : tensor<8x2x4xf32> -> tensor<8x8xf32>
  %2 = tx.dot_general %x, %1 batch = [] x [] contracting = [1] x [0] : (tensor<3x8xf32>, tensor<8x8xf32>) -> tensor<3x8xf32>
  return %2 : tensor<3x8xf32>
}

// -----

// What is computed from a sum whose dims were kept is computed before they are added.
// CHECK-LABEL: @unit_dims
// CHECK:       %[[S:.*]] = tx.sum
// CHECK:       %[[M:.*]] = tx.mul %[[S]], %{{.*}} : tensor<?xf32, #tx.dims<[n]>>
// CHECK:       %[[MEAN:.*]] = tx.reshape %[[M]]
// CHECK:       tx.add %[[M]], %{{.*}} : tensor<?xf32, #tx.dims<[n]>>
// CHECK:       tx.rsqrt %{{.*}} : tensor<?xf32, #tx.dims<[n]>>
// CHECK:       %[[SCALE:.*]] = tx.reshape
// CHECK:       return %[[MEAN]], %[[SCALE]]
func.func @unit_dims(%x: tensor<?x64xf32, #tx.dims<[n, 64]>>, %eps: tensor<f32>)
    -> (tensor<?x1xf32, #tx.dims<[n, 1]>>, tensor<?x1xf32, #tx.dims<[n, 1]>>) {
  %s = tx.sum %x dims = [1] : tensor<?x64xf32, #tx.dims<[n, 64]>> -> tensor<?xf32, #tx.dims<[n]>>
  %0 = tx.reshape %s : tensor<?xf32, #tx.dims<[n]>> -> tensor<?x1xf32, #tx.dims<[n, 1]>>
  %f = tx.constant dense<0.015625> : tensor<f32>
  %1 = tx.broadcast %f dims = [] : tensor<f32> -> tensor<?x1xf32, #tx.dims<[n, 1]>>
  %mean = tx.mul %0, %1 : tensor<?x1xf32, #tx.dims<[n, 1]>>
  %2 = tx.broadcast %eps dims = [] : tensor<f32> -> tensor<?x1xf32, #tx.dims<[n, 1]>>
  %3 = tx.add %mean, %2 : tensor<?x1xf32, #tx.dims<[n, 1]>>
  %scale = tx.rsqrt %3 : tensor<?x1xf32, #tx.dims<[n, 1]>>
  return %mean, %scale : tensor<?x1xf32, #tx.dims<[n, 1]>>, tensor<?x1xf32, #tx.dims<[n, 1]>>
}

// -----

// Elements that another tensor has in these dims are not looked for.
// CHECK-LABEL: @unit_dims_of_another
// CHECK:       tx.reshape
// CHECK-NEXT:  tx.add
func.func @unit_dims_of_another(%x: tensor<4xf32>, %y: tensor<4x1xf32>) -> tensor<4x1xf32> {
  %0 = tx.reshape %x : tensor<4xf32> -> tensor<4x1xf32>
  %1 = tx.add %0, %y : tensor<4x1xf32>
  return %1 : tensor<4x1xf32>
}

// -----

// An update of the size of the array is the result, wherever it should be placed.
// CHECK-LABEL: @whole_update
// CHECK-SAME:  %{{.*}}: tensor<4x2xf32>, %[[Y:.*]]: tensor<4x2xf32>, %[[PART:.*]]: tensor<4x1xf32>
// CHECK-NEXT:  %[[R:.*]] = tx.dynamic_update_slice %{{.*}}, %[[PART]]
// CHECK-NEXT:  return %[[Y]], %[[R]]
func.func @whole_update(%x: tensor<4x2xf32>, %y: tensor<4x2xf32>, %part: tensor<4x1xf32>, %i: tensor<i32>) -> (tensor<4x2xf32>, tensor<4x2xf32>) {
  %0 = tx.dynamic_update_slice %x, %y[%i, %i] : (tensor<4x2xf32>, tensor<4x2xf32>, tensor<i32>, tensor<i32>) -> tensor<4x2xf32>
  %1 = tx.dynamic_update_slice %x, %part[%i, %i] : (tensor<4x2xf32>, tensor<4x1xf32>, tensor<i32>, tensor<i32>) -> tensor<4x2xf32>
  return %0, %1 : tensor<4x2xf32>, tensor<4x2xf32>
}

// -----

// Unit dims that a result or a branch adds are a view. A kernel that reads the value adds them itself.
// CHECK-LABEL: @unit_dims_in_memory
// CHECK-SAME:  %[[X:.*]]: tensor<2x3xf32>
// CHECK:       tx.reshape %[[X]] : tensor<2x3xf32> -> tensor<2x1x3xf32>
// CHECK:       tx.broadcast %[[X]] dims = [0, 2] : tensor<2x3xf32> -> tensor<2x4x3xf32>
// CHECK:       %[[R:.*]] = tx.broadcast %[[X]] dims = [1, 2] : tensor<2x3xf32> -> tensor<1x2x3xf32>
// CHECK:       tx.exp %[[R]]
func.func @unit_dims_in_memory(%x: tensor<2x3xf32>) -> (tensor<2x1x3xf32>, tensor<2x4x3xf32>, tensor<1x2x3xf32>) {
  %0 = tx.broadcast %x dims = [0, 2] : tensor<2x3xf32> -> tensor<2x1x3xf32>
  %1 = tx.broadcast %x dims = [0, 2] : tensor<2x3xf32> -> tensor<2x4x3xf32>
  %3 = tx.broadcast %x dims = [1, 2] : tensor<2x3xf32> -> tensor<1x2x3xf32>
  %4 = tx.exp %3 : tensor<1x2x3xf32>
  return %0, %1, %4 : tensor<2x1x3xf32>, tensor<2x4x3xf32>, tensor<1x2x3xf32>
}
