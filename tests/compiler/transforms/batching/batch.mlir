// The function of a batch beside the one of an example.
//
// RUN: not tensorc-opt %s --tx-batch="size=n in=0,none,1 out=0,-,none" 2>&1 | FileCheck %s --check-prefix=WORD
// RUN: tensorc-opt %s --tx-batch="size=n in=0,none,1 out=1,0,none" --canonicalize --cse | FileCheck %s
// RUN: tensorc-opt %s --tx-batch="entry=convolve size=7 in=none,0" | FileCheck %s --check-prefix=CONV
// RUN: tensorc-opt %s --tx-batch="entry=convolve size=7 in=0,none" | FileCheck %s --check-prefix=IMAGES
// RUN: tensorc-opt %s --tx-batch="entry=biased size=7 in=none,none,0" | FileCheck %s --check-prefix=BIASED
// RUN: tensorc-opt %s --tx-batch="entry=loop size=7" | FileCheck %s --check-prefix=LOOP
// RUN: tensorc-opt %s --tx-batch="entry=draw size=7" | FileCheck %s --check-prefix=DRAW
// RUN: tensorc-opt %s --tx-batch="entry=choose size=7 in=0,0" | FileCheck %s --check-prefix=CHOOSE
// RUN: tensorc-opt %s --tx-batch="entry=choose size=7 in=none,0" | FileCheck %s --check-prefix=SHARED
// RUN: tensorc-opt %s --tx-batch="entry=exchange size=7 in=0" | FileCheck %s --check-prefix=EXCHANGE
// RUN: not tensorc-opt %s --tx-batch="size=n out=none" 2>&1 | FileCheck %s --check-prefix=DIFFERS
// RUN: not tensorc-opt %s --tx-batch="size=n in=0,3,0" 2>&1 | FileCheck %s --check-prefix=AXIS
// RUN: not tensorc-opt %s --tx-batch="size=n in=0,0" 2>&1 | FileCheck %s --check-prefix=COUNT
// RUN: not tensorc-opt %s --tx-batch="entry=nobody" 2>&1 | FileCheck %s --check-prefix=NOBODY

// WORD: '-' is neither a dimension nor `none`
// DIFFERS: result out0 differs between examples, so it has the batch as one of its dimensions
// AXIS: argument w is 'tensor<4x3xf32>' of one example, so that a batch cannot lie along dimension 3
// COUNT: has 3 arguments, but the place of the batch is given for 2
// NOBODY: has no function nobody

// A contraction stays one contraction; what all examples share is computed once.
func.func @main(%x: tensor<4xf32> {tx.name = "x"}, %w: tensor<4x3xf32> {tx.name = "w"},
                %b: tensor<3xf32> {tx.name = "b"}) -> (tensor<3xf32>, tensor<3xf32>, tensor<4x3xf32>) {
  %0 = tx.exp %w : tensor<4x3xf32>
  %1 = tx.dot_general %x, %0 batch = [] x [] contracting = [0] x [0] : (tensor<4xf32>, tensor<4x3xf32>) -> tensor<3xf32>
  %2 = tx.add %1, %b : tensor<3xf32>
  %3 = tx.softmax %2 dim = 0 : tensor<3xf32>
  return %2, %3, %0 : tensor<3xf32>, tensor<3xf32>, tensor<4x3xf32>
}
// CHECK-LABEL: func.func @main_batched(%arg0: tensor<?x4xf32, #tx.dims<[n, 4]>> {tx.name = "x"}, %arg1: tensor<4x3xf32> {tx.name = "w"},
// CHECK-SAME:    %arg2: tensor<3x?xf32, #tx.dims<[3, n]>> {tx.name = "b"}
// CHECK-DAG:     %[[B:.*]] = tx.transpose %arg2
// CHECK-DAG:     %[[W:.*]] = tx.exp %arg1 : tensor<4x3xf32>
// CHECK:         %[[Y:.*]] = tx.dot_general %arg0, %[[W]] batch = [] x [] contracting = [1] x [0]
// CHECK:         %[[S:.*]] = tx.add %[[Y]], %[[B]]
// CHECK:         %[[P:.*]] = tx.softmax %[[S]] dim = 1
// CHECK:         %[[T:.*]] = tx.transpose %[[S]] permutation = [1, 0]
// CHECK:         return %[[T]], %[[P]], %[[W]]

// Kernels of their own are groups, or more kernels for images that all share.
func.func @convolve(%x: tensor<2x4x9xf32>, %k: tensor<5x4x3xf32>) -> tensor<2x5x9xf32> {
  %0 = tx.conv %x, %k groups = 1 sizes = [3] strides = [1] dilations = [1] low = [1] high = [1] input_dilations = [1]
       : (tensor<2x4x9xf32>, tensor<5x4x3xf32>) -> tensor<2x5x9xf32>
  return %0 : tensor<2x5x9xf32>
}
// CONV-LABEL:   @convolve_batched
// CONV-COUNT-1: tx.conv {{.*}} groups = 1 {{.*}} : (tensor<2x4x9xf32>, tensor<35x4x3xf32>) -> tensor<2x35x9xf32>
// IMAGES-LABEL:   @convolve_batched
// IMAGES-COUNT-1: tx.conv {{.*}} groups = 1 {{.*}} : (tensor<14x4x9xf32>, tensor<5x4x3xf32>) -> tensor<14x5x9xf32>

// Until the last one is done; those that are done keep what they have.
func.func @loop(%x: tensor<f32>) -> tensor<f32> {
  %0 = tx.while (%x) : (tensor<f32>) -> tensor<f32> {
  ^bb0(%a: tensor<f32>):
    %limit = tx.constant dense<10.0> : tensor<f32>
    %p = tx.lt %a, %limit : tensor<f32>
    tx.return %p : tensor<i1>
  } do {
  ^bb0(%a: tensor<f32>):
    %r = tx.add %a, %a : tensor<f32>
    tx.return %r : tensor<f32>
  }
  return %0 : tensor<f32>
}
// LOOP-LABEL: @loop_batched
// LOOP:       tx.while
// LOOP:         %[[P:.*]] = tx.lt {{.*}} : tensor<7xf32>
// LOOP:         %[[ANY:.*]] = tx.any %[[P]] dims = [0]
// LOOP:         tx.return %[[ANY]]
// LOOP:       do
// LOOP:         %[[NEXT:.*]] = tx.add
// LOOP:         %[[MORE:.*]] = tx.lt
// LOOP:         tx.select %[[MORE]], %[[NEXT]], %

// An op without a rule does one example after the other.
func.func @draw(%key: tensor<2xui32>) -> tensor<8xui32> {
  %0 = tx.random_bits %key philox4x32_10 : tensor<2xui32> -> tensor<8xui32>
  return %0 : tensor<8xui32>
}
// DRAW-LABEL: @draw_batched
// DRAW:       tx.scan <[7]> carried = 0 scanned = 1

// The last block, or that of the first number that the index is not above.
func.func @choose(%i: tensor<i32>, %x: tensor<f32>) -> tensor<f32> {
  %0 = tx.switch %i (%x) : tensor<i32>, (tensor<f32>) -> tensor<f32> {
  ^bb0(%a: tensor<f32>):
    tx.return %a : tensor<f32>
  }, {
  ^bb0(%a: tensor<f32>):
    %r = tx.neg %a : tensor<f32>
    tx.return %r : tensor<f32>
  }, {
  ^bb0(%a: tensor<f32>):
    %r = tx.exp %a : tensor<f32>
    tx.return %r : tensor<f32>
  }
  return %0 : tensor<f32>
}
// CHOOSE-LABEL: @choose_batched(%arg0: tensor<7xi32>, %arg1: tensor<7xf32>)
// CHOOSE-NOT:   tx.switch
// CHOOSE:       %[[NEG:.*]] = tx.neg %arg1
// CHOOSE:       %[[EXP:.*]] = tx.exp %arg1
// CHOOSE:       %[[ONE:.*]] = tx.constant dense<1> : tensor<i32>
// CHOOSE:       %[[S:.*]] = tx.select %{{.*}}, %[[NEG]], %[[EXP]]
// CHOOSE:       tx.constant dense<0> : tensor<i32>
// CHOOSE:       tx.select %{{.*}}, %arg1, %[[S]]
// SHARED-LABEL: @choose_batched(%arg0: tensor<i32>, %arg1: tensor<7xf32>)
// SHARED:       tx.switch %arg0(%arg1) : tensor<i32>, (tensor<7xf32>) -> tensor<7xf32> {

// Where only the bias has a batch, the images of all examples are the same.
func.func @biased(%x: tensor<2x4x9xf32>, %k: tensor<6x2x3xf32>, %b: tensor<6xf32>) -> tensor<2x6x7xf32> {
  %0 = tx.conv %x, %k bias %b groups = 2 sizes = [3] strides = [1] dilations = [1] low = [0] high = [0] input_dilations = [1] : (tensor<2x4x9xf32>, tensor<6x2x3xf32>, tensor<6xf32>) -> tensor<2x6x7xf32>
  return %0 : tensor<2x6x7xf32>
}
// BIASED-LABEL: @biased_batched(
// BIASED:       tx.conv %arg0, %arg1 {{.*}} : (tensor<2x4x9xf32>, tensor<6x2x3xf32>) -> tensor<2x6x7xf32>
// BIASED:       return %{{.*}} : tensor<7x2x6x7xf32>

// One call of a collective for all examples.
func.func @exchange(%x: tensor<4x6xf32>) -> tensor<8x3xf32> {
  %0 = tx.shard %x mesh = [2] dims = [1] : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %1 = tx.local_part %0 mesh = [2] dims = [1] : (tensor<4x6xf32>) -> tensor<4x3xf32>
  %2 = tx.all_reduce %1 sum ranks = 2 : (tensor<4x3xf32>) -> tensor<4x3xf32>
  %3 = tx.all_gather %2 dim = 0 ranks = 2 : (tensor<4x3xf32>) -> tensor<8x3xf32>
  %4 = tx.all_to_all %3 split = 0 concat = 1 ranks = 2 : (tensor<8x3xf32>) -> tensor<4x6xf32>
  %5 = tx.reduce_scatter %4 max dim = 1 ranks = 2 : (tensor<4x6xf32>) -> tensor<4x3xf32>
  %6 = tx.collective_permute %5 pairs = [0, 1] ranks = 2 : (tensor<4x3xf32>) -> tensor<4x3xf32>
  %7 = tx.join_parts %6 mesh = [2] dims = [0] : (tensor<4x3xf32>) -> tensor<8x3xf32>
  return %7 : tensor<8x3xf32>
}
// EXCHANGE-LABEL: @exchange_batched(
// EXCHANGE-NEXT:  tx.shard %arg0 mesh = [2] dims = [2] : (tensor<7x4x6xf32>)
// EXCHANGE-NEXT:  tx.local_part {{.*}} dims = [2] : (tensor<7x4x6xf32>) -> tensor<7x4x3xf32>
// EXCHANGE-NEXT:  tx.all_reduce {{.*}} sum ranks = 2 : (tensor<7x4x3xf32>)
// EXCHANGE-NEXT:  tx.all_gather {{.*}} dim = 1 ranks = 2 : (tensor<7x4x3xf32>) -> tensor<7x8x3xf32>
// EXCHANGE-NEXT:  tx.all_to_all {{.*}} split = 1 concat = 2 ranks = 2 : (tensor<7x8x3xf32>) -> tensor<7x4x6xf32>
// EXCHANGE-NEXT:  tx.reduce_scatter {{.*}} max dim = 2 ranks = 2 : (tensor<7x4x6xf32>) -> tensor<7x4x3xf32>
// EXCHANGE-NEXT:  tx.collective_permute {{.*}} : (tensor<7x4x3xf32>)
// EXCHANGE-NEXT:  tx.join_parts {{.*}} dims = [1] : (tensor<7x4x3xf32>) -> tensor<7x8x3xf32>
