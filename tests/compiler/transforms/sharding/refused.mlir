// RUN: not tensorc-opt %s --split-input-file --tx-propagate-shardings 2>&1 | FileCheck %s

// CHECK: dimension 0 of [3,4] has no 2 equal parts: pad it to a multiple, or leave it whole
func.func @uneven(%x: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %0 = tx.shard %x mesh = [2] dims = [0] : (tensor<3x4xf32>) -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}

// -----
// CHECK: dimension 0 of [n] is not known to have 2 equal parts: give it a name of its own, or leave it whole
func.func @both(%x: tensor<?xf32, #tx.dims<[n]>>, %y: tensor<?xf32, #tx.dims<[n + 1]>>) -> tensor<?xf32, #tx.dims<[n]>> {
  %0 = tx.shard %y mesh = [2] dims = [0] : (tensor<?xf32, #tx.dims<[n + 1]>>) -> tensor<?xf32, #tx.dims<[n + 1]>>
  %1 = tx.shard %x mesh = [2] dims = [0] : (tensor<?xf32, #tx.dims<[n]>>) -> tensor<?xf32, #tx.dims<[n]>>
  return %1 : tensor<?xf32, #tx.dims<[n]>>
}

// -----
// CHECK: dimension 0 of [n * 2 + 1] is not known to have 2 equal parts: give it a name of its own, or leave it whole
func.func @never(%x: tensor<?xf32, #tx.dims<[n * 2 + 1]>>, %y: tensor<?xf32, #tx.dims<[n]>>) -> tensor<?xf32, #tx.dims<[n * 2 + 1]>> {
  %0 = tx.shard %x mesh = [2] dims = [0] : (tensor<?xf32, #tx.dims<[n * 2 + 1]>>) -> tensor<?xf32, #tx.dims<[n * 2 + 1]>>
  return %0 : tensor<?xf32, #tx.dims<[n * 2 + 1]>>
}

// -----
// CHECK: dimension 0 of [n + 1] is not known to have 1099511627776 equal parts
func.func @many(%x: tensor<?xf32, #tx.dims<[n + 1]>>) -> tensor<?xf32, #tx.dims<[n + 1]>> {
  %0 = tx.shard %x mesh = [1099511627776] dims = [0] : (tensor<?xf32, #tx.dims<[n + 1]>>) -> tensor<?xf32, #tx.dims<[n + 1]>>
  return %0 : tensor<?xf32, #tx.dims<[n + 1]>>
}

// -----
// CHECK: dimension 0 of [m * n] is not known to have 2 equal parts
func.func @product(%x: tensor<?xf32, #tx.dims<[n * m]>>) -> tensor<?xf32, #tx.dims<[n * m]>> {
  %0 = tx.shard %x mesh = [2] dims = [0] : (tensor<?xf32, #tx.dims<[n * m]>>) -> tensor<?xf32, #tx.dims<[n * m]>>
  return %0 : tensor<?xf32, #tx.dims<[n * m]>>
}

// -----
// CHECK: dimension 2 is out of range for [4,4]
func.func @range(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = tx.shard %x mesh = [2] dims = [2] : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// -----
// CHECK: the mesh has 2 axes, a dimension is given for 1
func.func @axes(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = tx.shard %x mesh = [2, 2] dims = [0] : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// -----
// CHECK: a mesh axis has no size 0
func.func @size(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = tx.shard %x mesh = [0] dims = [0] : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// -----
// CHECK: a mesh has too many ranks
func.func @overflow(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = tx.shard %x mesh = [4294967296, 4294967296] dims = [0, 0] : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// -----
// Axes that split nothing count.
// CHECK: a mesh has too many ranks
func.func @whole(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = tx.shard %x mesh = [4294967296, 4294967296] dims = [-1, -1] : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// -----
// CHECK: has another mesh than the program's first annotation
// CHECK: note: which is here
func.func @two(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = tx.shard %x mesh = [4] dims = [0] : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = tx.shard %0 mesh = [2] dims = [0] : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return %1 : tensor<4x4xf32>
}
