// A collective is a call between kernels. The ops before it are in the kernel that writes its operand, and those behind it
// in the kernels that read its result, so a scale, a bias or a cast is no pass of its own.
//
// RUN: %tensorc compile %s --entry=mean --target=cpu --stop-after=fuse | FileCheck %s --check-prefix=MEAN
// RUN: %tensorc compile %s --entry=update --target=cpu --stop-after=fuse | FileCheck %s --check-prefix=UPDATE
// RUN: %tensorc compile %s --entry=layer --target=cpu --stop-after=fuse | FileCheck %s --check-prefix=LAYER
// RUN: %tensorc compile %s --entry=layer --target=cuda:sm_80 --stop-after=fuse | FileCheck %s --check-prefix=LAYER
// RUN: %tensorc compile %s --entry=parts --target=cpu --stop-after=fuse | FileCheck %s --check-prefix=PARTS
// RUN: %tensorc run %s --entry=mean --devices=cpu,cpu --random-inputs=1 --compare=reference | FileCheck %s --check-prefix=EQUAL
// RUN: %tensorc run %s --entry=update --devices=cpu,cpu --random-inputs=2 --compare=reference | FileCheck %s --check-prefix=EQUAL
// RUN: %tensorc run %s --entry=layer --devices=cpu,cpu --random-inputs=3 --compare=reference | FileCheck %s --check-prefix=EQUAL
// RUN: %tensorc run %s --entry=parts --devices=cpu,cpu --random-inputs=4 --compare=reference | FileCheck %s --check-prefix=EQUAL
// EQUAL-COUNT-2: compare rank{{[01]}}.out0: {{equal|largest error}}

// The mean over the ranks, communicated in bf16: scaled and cast in the kernel of exp, cast back and divided (times 0.5) in that of tanh.
// MEAN-LABEL: func.func @mean
// MEAN: tx.fusion "loop"
// MEAN: tx.exp
// MEAN: tx.mul
// MEAN: tx.convert
// MEAN-NOT: tx.fusion
// MEAN: tx.custom_call "collective"{{.*}} config "all_reduce sum ranks=2"
// MEAN: tx.fusion "loop"
// MEAN: tx.convert
// MEAN: tx.mul
// MEAN: tx.tanh
// MEAN-NOT: tx.fusion
// MEAN: return
func.func @mean(%x: tensor<64x32xf32>) -> tensor<64x32xf32> {
  %half = tx.constant dense<0.5> : tensor<64x32xf32>
  %two = tx.constant dense<2.0> : tensor<64x32xf32>
  %0 = tx.exp %x : tensor<64x32xf32>
  %1 = tx.mul %0, %half : tensor<64x32xf32>
  %2 = tx.convert %1 : tensor<64x32xf32> -> tensor<64x32xbf16>
  %3 = tx.all_reduce %2 sum ranks = 2 : (tensor<64x32xbf16>) -> tensor<64x32xbf16>
  %4 = tx.convert %3 : tensor<64x32xbf16> -> tensor<64x32xf32>
  %5 = tx.div %4, %two : tensor<64x32xf32>
  %6 = tx.tanh %5 : tensor<64x32xf32>
  return %6 : tensor<64x32xf32>
}

// A step of data-parallel training: the product of the gradient casts it, and the update of the weights casts back.
// UPDATE-LABEL: func.func @update
// UPDATE: tx.fusion "contraction"
// UPDATE: tx.dot_general
// UPDATE: tx.convert
// UPDATE-NOT: tx.fusion
// UPDATE: tx.custom_call "collective"{{.*}} config "all_reduce sum ranks=2"
// UPDATE: tx.fusion "loop"
// UPDATE: tx.convert
// UPDATE: tx.mul
// UPDATE: tx.sub
// UPDATE-NOT: tx.fusion
// UPDATE: return
func.func @update(%w: tensor<32x16xf32>, %x: tensor<64x32xf32>, %dy: tensor<64x16xf32>) -> tensor<32x16xf32> {
  %rate = tx.constant dense<0.05> : tensor<32x16xf32>
  %0 = tx.dot_general %x, %dy batch = [] x [] contracting = [0] x [0] : (tensor<64x32xf32>, tensor<64x16xf32>) -> tensor<32x16xf32>
  %1 = tx.convert %0 : tensor<32x16xf32> -> tensor<32x16xbf16>
  %2 = tx.all_reduce %1 sum ranks = 2 : (tensor<32x16xbf16>) -> tensor<32x16xbf16>
  %3 = tx.convert %2 : tensor<32x16xbf16> -> tensor<32x16xf32>
  %4 = tx.mul %3, %rate : tensor<32x16xf32>
  %5 = tx.sub %w, %4 : tensor<32x16xf32>
  return %5 : tensor<32x16xf32>
}

// Two tensor-parallel layers: the sum over the ranks, then bias and activation as the prologue of the next product.
// LAYER-LABEL: func.func @layer
// LAYER: tx.fusion "contraction"
// LAYER: tx.dot_general
// LAYER-NOT: tx.fusion
// LAYER: tx.custom_call "collective"{{.*}} config "all_reduce sum ranks=2"
// LAYER: tx.fusion "contraction"
// LAYER: tx.add
// LAYER: tx.max
// LAYER: tx.dot_general
// LAYER-NOT: tx.fusion
// LAYER: return
func.func @layer(%x: tensor<64x32xf32>, %w: tensor<32x64xf32>, %b: tensor<64xf32>, %v: tensor<64x16xf32>) -> tensor<64x16xf32> {
  %zero = tx.constant dense<0.0> : tensor<64x64xf32>
  %0 = tx.dot_general %x, %w batch = [] x [] contracting = [1] x [0] : (tensor<64x32xf32>, tensor<32x64xf32>) -> tensor<64x64xf32>
  %1 = tx.all_reduce %0 sum ranks = 2 : (tensor<64x64xf32>) -> tensor<64x64xf32>
  %2 = tx.broadcast %b dims = [1] : tensor<64xf32> -> tensor<64x64xf32>
  %3 = tx.add %1, %2 : tensor<64x64xf32>
  %4 = tx.max %3, %zero : tensor<64x64xf32>
  %5 = tx.dot_general %4, %v batch = [] x [] contracting = [1] x [0] : (tensor<64x64xf32>, tensor<64x16xf32>) -> tensor<64x16xf32>
  return %5 : tensor<64x16xf32>
}

// The transposes that put the ranks' parts first are part of the kernels on both sides, too.
// PARTS-LABEL: func.func @parts
// PARTS: tx.fusion
// PARTS: tx.exp
// PARTS: tx.transpose
// PARTS-NOT: tx.fusion
// PARTS: tx.custom_call "collective"{{.*}} config "reduce_scatter sum ranks=2"
// PARTS: tx.fusion "loop"
// PARTS-NOT: tx.fusion
// PARTS: tx.custom_call "collective"{{.*}} config "all_gather ranks=2"
// PARTS: tx.fusion
// PARTS: tx.transpose
// PARTS: tx.tanh
// PARTS-NOT: tx.fusion
// PARTS: return
func.func @parts(%x: tensor<64x32xf32>) -> tensor<64x32xf32> {
  %half = tx.constant dense<0.5> : tensor<64x16xf32>
  %0 = tx.exp %x : tensor<64x32xf32>
  %1 = tx.reduce_scatter %0 sum dim = 1 ranks = 2 : (tensor<64x32xf32>) -> tensor<64x16xf32>
  %2 = tx.mul %1, %half : tensor<64x16xf32>
  %3 = tx.all_gather %2 dim = 1 ranks = 2 : (tensor<64x16xf32>) -> tensor<64x32xf32>
  %4 = tx.tanh %3 : tensor<64x32xf32>
  return %4 : tensor<64x32xf32>
}
