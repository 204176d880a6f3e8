// Columns with a short last dim: it is unrolled, and lanes run along the dim before.
//
// RUN: %tensorc-opt %s --tx-fuse-ops --tx-choose-schedules --tx-emit-program --canonicalize --cse | FileCheck %s
//
// The kernels whose lanes are along the last dim give the same bits, as do other lanes, and two kernels.
// DEFINE: %{same} = env TENSORC_CPU=x86-64-v4 %python %S/../Inputs/same_bits.py %tensorc %s --device=cpu
// RUN: %if x86-64-v4 %{ %{same} --entry=forces -- div_mul_sum_neg_3more:skeleton=columns div_mul_sum_neg_3more:lanes=64 div_mul_sum_neg_3more:lanes=16 div_mul_sum_neg_3more:kernels=2 %}
// RUN: %if x86-64-v4 %{ %{same} --entry=long -- sub_mul_sum:skeleton=columns sub_mul_sum:kernels=1 %}
// RUN: %if x86-64-v4 %{ %{same} --entry=rows -- mul_sum:skeleton=columns %}
// RUN: %if x86-64-v4 %{ %{same} --entry=places -- sub_argmax:skeleton=columns %}
// RUN: %if x86-64-v4 %{ %{same} --entry=most -- sub_mul_reduce_max:skeleton=columns sub_mul_reduce_max:kernels=2 %}
// RUN: env TENSORC_CHECK=memory %tensorc run %s --entry=forces --device=cpu --random-inputs --compare=reference
// RUN: env TENSORC_CHECK=memory %tensorc run %s --entry=rows --device=cpu --random-inputs --compare=reference
// RUN: %tensorc run %s --entry=named --device=cpu --random-inputs --shape=p:37,3 --compare=reference

module attributes {tx.target = "cpu:x86-64-v4"} {
// What is the same along the sums is read before them, and what the components share is computed once.
// CHECK-LABEL: func.func @div_mul_sum_neg_3more(
// CHECK:       vector.{{(masked)?load}} {{.*}} vector<32xf32>
// CHECK:       vector.shuffle
// CHECK:       scf.for
// CHECK:         scf.for {{.*}} -> (vector<32xf32>, vector<32xf32>, vector<32xf32>)
// CHECK-COUNT-1:   arith.divf
// CHECK-NOT:       arith.divf
// CHECK-NOT:       gather
// CHECK:           scf.yield
// CHECK:       return
func.func @forces(%p: tensor<331x3xf32>, %m: tensor<331x331xf32>) -> tensor<331x3xf32> {
  %0 = tx.reshape %p : tensor<331x3xf32> -> tensor<1x331x3xf32>
  %1 = tx.broadcast %0 dims = [0, 1, 2] : tensor<1x331x3xf32> -> tensor<331x331x3xf32>
  %2 = tx.broadcast %p dims = [0, 2] : tensor<331x3xf32> -> tensor<331x331x3xf32>
  %3 = tx.sub %1, %2 : tensor<331x331x3xf32>
  %4 = tx.transpose %m permutation = [1, 0] : tensor<331x331xf32> -> tensor<331x331xf32>
  %one = tx.constant dense<1.0> : tensor<331x331xf32>
  %square = tx.mul %4, %4 : tensor<331x331xf32>
  %5 = tx.add %square, %one : tensor<331x331xf32>
  %6 = tx.div %4, %5 : tensor<331x331xf32>
  %7 = tx.broadcast %6 dims = [0, 1] : tensor<331x331xf32> -> tensor<331x331x3xf32>
  %8 = tx.mul %3, %7 : tensor<331x331x3xf32>
  %9 = tx.sum %8 dims = [1] : tensor<331x331x3xf32> -> tensor<331x3xf32>
  %10 = tx.neg %9 : tensor<331x3xf32>
  return %10 : tensor<331x3xf32>
}

// Few results of long sums: two kernels.
// CHECK-LABEL: func.func @sub_mul_sum_partial(
func.func @long(%p: tensor<40x2xf64>, %q: tensor<5000x2xf64>) -> tensor<40x2xf64> {
  %0 = tx.broadcast %p dims = [0, 2] : tensor<40x2xf64> -> tensor<40x5000x2xf64>
  %1 = tx.broadcast %q dims = [1, 2] : tensor<5000x2xf64> -> tensor<40x5000x2xf64>
  %2 = tx.sub %0, %1 : tensor<40x5000x2xf64>
  %3 = tx.mul %2, %2 : tensor<40x5000x2xf64>
  %4 = tx.sum %3 dims = [1] : tensor<40x5000x2xf64> -> tensor<40x2xf64>
  return %4 : tensor<40x2xf64>
}

// The sums go over the first dim, and rows lie side by side.
// CHECK-LABEL: func.func @mul_sum(
// CHECK:       scf.for {{.*}} -> (vector<32xf32>, vector<32xf32>, vector<32xf32>, vector<32xf32>)
// CHECK-NOT:     gather
// CHECK:       return
func.func @rows(%x: tensor<300x77x4xf32>, %w: tensor<300x77xf32>) -> tensor<77x4xf32> {
  %0 = tx.broadcast %w dims = [0, 1] : tensor<300x77xf32> -> tensor<300x77x4xf32>
  %1 = tx.mul %x, %0 : tensor<300x77x4xf32>
  %2 = tx.sum %1 dims = [0] : tensor<300x77x4xf32> -> tensor<77x4xf32>
  return %2 : tensor<77x4xf32>
}

func.func @places(%p: tensor<50x3xf32>, %q: tensor<70x3xf32>) -> tensor<50x3xi64> {
  %0 = tx.broadcast %p dims = [0, 2] : tensor<50x3xf32> -> tensor<50x70x3xf32>
  %1 = tx.broadcast %q dims = [1, 2] : tensor<70x3xf32> -> tensor<50x70x3xf32>
  %2 = tx.sub %0, %1 : tensor<50x70x3xf32>
  %3 = tx.argmax %2 dims = [1] : tensor<50x70x3xf32> -> tensor<50x3xi64>
  return %3 : tensor<50x3xi64>
}

func.func @most(%p: tensor<50x3xf32>, %q: tensor<700x3xf32>) -> tensor<50x3xf32> {
  %0 = tx.broadcast %p dims = [0, 2] : tensor<50x3xf32> -> tensor<50x700x3xf32>
  %1 = tx.broadcast %q dims = [1, 2] : tensor<700x3xf32> -> tensor<50x700x3xf32>
  %2 = tx.sub %0, %1 : tensor<50x700x3xf32>
  %3 = tx.mul %2, %2 : tensor<50x700x3xf32>
  %4 = tx.reduce_max %3 dims = [1] : tensor<50x700x3xf32> -> tensor<50x3xf32>
  return %4 : tensor<50x3xf32>
}

func.func @named(%p: tensor<?x3xf32, #tx.dims<[n, 3]>> {tx.name = "p"}) -> tensor<?x3xf32, #tx.dims<[n, 3]>> {
  %0 = tx.broadcast %p dims = [0, 2] : tensor<?x3xf32, #tx.dims<[n, 3]>> -> tensor<?x?x3xf32, #tx.dims<[n, n, 3]>>
  %1 = tx.broadcast %p dims = [1, 2] : tensor<?x3xf32, #tx.dims<[n, 3]>> -> tensor<?x?x3xf32, #tx.dims<[n, n, 3]>>
  %2 = tx.sub %0, %1 : tensor<?x?x3xf32, #tx.dims<[n, n, 3]>>
  %3 = tx.mul %2, %2 : tensor<?x?x3xf32, #tx.dims<[n, n, 3]>>
  %4 = tx.sum %3 dims = [1] : tensor<?x?x3xf32, #tx.dims<[n, n, 3]>> -> tensor<?x3xf32, #tx.dims<[n, 3]>>
  return %4 : tensor<?x3xf32, #tx.dims<[n, 3]>>
}

// A row per sum is apart from the next one: lanes would be gathered at each step.
// CHECK-LABEL: func.func @exp_sum(
// CHECK:       scf.for {{.*}} -> (vector<4xf32>)
// CHECK:       vector<4xf32>
func.func @apart(%x: tensor<300x77x3xf32>) -> tensor<300x3xf32> {
  %0 = tx.exp %x : tensor<300x77x3xf32>
  %1 = tx.sum %0 dims = [1] : tensor<300x77x3xf32> -> tensor<300x3xf32>
  return %1 : tensor<300x3xf32>
}
}
