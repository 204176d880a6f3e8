// An attention in blocks of queries and keys: lanes of the scores are queries, k and v are read as they lie, no scores in memory.
//
// RUN: %tensorc compile %s --entry=causal --target=cpu:x86-64-v4 --stop-after=emit | FileCheck %s
// RUN: %tensorc compile %s --entry=plain --target=cpu:x86-64-v4 --stop-after=emit | FileCheck %s --check-prefix=PLAIN
// RUN: %tensorc compile %s --entry=grouped --target=cpu:x86-64-v4 --stop-after=emit | FileCheck %s --check-prefix=GROUPED
// RUN: %tensorc explain %s --entry=few --target=cpu:x86-64-v4 | FileCheck %s --check-prefix=FEW
// RUN: %tensorc explain %s --entry=along_keys --target=cpu:x86-64-v4 | FileCheck %s --check-prefix=ALONG
// RUN: %tensorc explain %s --entry=computed --target=cpu:x86-64-v4 | FileCheck %s --check-prefix=COMPUTED
// RUN: %tensorc run %s --device=cpu --entry=causal --random-inputs --compare=reference
// RUN: %tensorc run %s --device=cpu --entry=plain --random-inputs --compare=reference
// RUN: %tensorc run %s --device=cpu --entry=few --random-inputs --compare=reference
// RUN: %tensorc run %s --device=cpu --entry=along_keys --random-inputs --compare=reference
// RUN: %tensorc run %s --device=cpu --entry=computed --random-inputs --compare=reference
// RUN: %tensorc run %s --device=cpu --entry=grouped --random-inputs --compare=reference
// RUN: %tensorc run %s --device=cpu --entry=named --random-inputs --shape=q:3,130,17 --shape=k:3,70,17 --shape=v:3,70,33 --compare=reference
// RUN: %tensorc run %s --device=cpu --entry=named --random-inputs --shape=q:1,9,17 --shape=k:1,200,17 --shape=v:1,200,33 --compare=reference
// RUN: %tensorc run %s --device=cpu --entry=named --random-inputs --shape=q:2,1,17 --shape=k:2,1,17 --shape=v:2,1,33 --compare=reference
// RUN: %tensorc run %s --device=cpu --entry=named --random-inputs --shape=q:2,5,17 --shape=k:2,0,17 --shape=v:2,0,33 --compare=reference
// RUN: %tensorc run %s --device=cpu --entry=named --random-inputs --shape=q:0,5,17 --shape=k:0,3,17 --shape=v:0,3,33 --compare=reference
//
// The last of 150 values is NaN and another infinite: 0 times them is NaN in all rows, whether they see them or not.
// RUN: %npy %t.q.npy f32 '[[[0.0] * 16] * 150]'
// RUN: %npy %t.v.npy f32 '[[[1.0] * 16] * 149 + [[nan] + [1.0] * 14 + [inf]]]'
// RUN: %tensorc run %s --device=cpu --entry=hidden --input=%t.q.npy --input=%t.v.npy | FileCheck %s --check-prefix=HIDDEN
// Nor does a schedule change bits.
// DEFINE: %{same} = env TENSORC_CPU=x86-64-v4 %python %S/../Inputs/same_bits.py %tensorc %s --device=cpu
// RUN: %if x86-64-v4 %{ %{same} --entry=causal -- attention:rows=32 %}

module attributes {tx.target = "cpu:x86-64-v4"} {
// Squares of q are turned; keys that a block does not see are 0 times v, which is added up once.
// CHECK-LABEL: func.func @attention(
// CHECK-COUNT-64: vector.shuffle
// CHECK:       scf.for
// CHECK:         arith.cmpi ugt
// CHECK-NEXT:    scf.if
// CHECK:           scf.for {{.*}} iter_args
// CHECK-COUNT-4:     vector.fma
// CHECK-NOT:         vector.fma
// CHECK:         } else {
// CHECK:           scf.for {{.*}} iter_args
// CHECK-COUNT-24:    vector.fma
// CHECK-NOT:         vector.fma
// CHECK:           arith.maximumf
// CHECK:           math.exp
// CHECK:           math.exp
// CHECK:           scf.for {{.*}} iter_args
// CHECK-COUNT-24:    vector.fma
// CHECK-NOT:         vector.fma
func.func @causal(%q: tensor<2x192x64xf32>, %k: tensor<2x192x64xf32>, %v: tensor<2x192x64xf32>) -> tensor<2x192x64xf32> {
  %s = tx.constant dense<0.125> : tensor<f32>
  %0 = tx.attention %q, %k, %v, %s groups = 1 causal
      : (tensor<2x192x64xf32>, tensor<2x192x64xf32>, tensor<2x192x64xf32>, tensor<f32>) -> tensor<2x192x64xf32>
  return %0 : tensor<2x192x64xf32>
}
// Nothing is hidden. 80 columns are five vectors, in tiles of three; 50 queries and 70 keys fill no blocks.
// PLAIN-LABEL: func.func @attention(
// PLAIN:       scf.for {{.*}} iter_args
// PLAIN-COUNT-24: vector.fma
// PLAIN-NOT:   vector.fma
// PLAIN:       math.exp
// PLAIN:       scf.for {{.*}} iter_args
// PLAIN-COUNT-24: vector.fma
// PLAIN-NOT:   vector.fma
func.func @plain(%q: tensor<50x64xf32>, %k: tensor<70x64xf32>, %v: tensor<70x80xf32>, %mask: tensor<50x70xi1>) -> tensor<50x80xf32> {
  %s = tx.constant dense<0.125> : tensor<f32>
  %0 = tx.attention %q, %k, %v, %s mask %mask groups = 1
      : (tensor<50x64xf32>, tensor<70x64xf32>, tensor<70x80xf32>, tensor<f32>, tensor<50x70xi1>) -> tensor<50x80xf32>
  return %0 : tensor<50x80xf32>
}
// FEW: (row)
// FEW: an attention of few queries runs faster as contractions
func.func @few(%q: tensor<2x1x64xf32>, %k: tensor<2x96x64xf32>, %v: tensor<2x96x64xf32>) -> tensor<2x1x64xf32> {
  %s = tx.constant dense<0.125> : tensor<f32>
  %p = tx.dot_general %q, %k batch = [0] x [0] contracting = [2] x [2]
      : (tensor<2x1x64xf32>, tensor<2x96x64xf32>) -> tensor<2x1x96xf32>
  %w = tx.softmax %p dim = 2 : tensor<2x1x96xf32>
  %0 = tx.dot_general %w, %v batch = [0] x [0] contracting = [2] x [1]
      : (tensor<2x1x96xf32>, tensor<2x96x64xf32>) -> tensor<2x1x64xf32>
  return %0 : tensor<2x1x64xf32>
}
// ALONG: (row)
// ALONG: an attention's v lies along keys
func.func @along_keys(%q: tensor<2x40x64xf32>, %k: tensor<2x96x64xf32>, %v: tensor<2x64x96xf32>) -> tensor<2x40x64xf32> {
  %p = tx.dot_general %q, %k batch = [0] x [0] contracting = [2] x [2]
      : (tensor<2x40x64xf32>, tensor<2x96x64xf32>) -> tensor<2x40x96xf32>
  %w = tx.softmax %p dim = 2 : tensor<2x40x96xf32>
  %0 = tx.dot_general %w, %v batch = [0] x [0] contracting = [2] x [2]
      : (tensor<2x40x96xf32>, tensor<2x64x96xf32>) -> tensor<2x40x64xf32>
  return %0 : tensor<2x40x64xf32>
}
// What computes k is a kernel of its own; what computes q is not.
// COMPUTED: 2 kernels
// COMPUTED: it would be computed again for every block of queries
func.func @computed(%q: tensor<2x40x64xf32>, %k: tensor<2x96x64xf32>, %v: tensor<2x96x64xf32>) -> tensor<2x40x64xf32> {
  %s = tx.constant dense<0.125> : tensor<f32>
  %k2 = tx.mul %k, %k : tensor<2x96x64xf32>
  %q2 = tx.mul %q, %q : tensor<2x40x64xf32>
  %0 = tx.attention %q2, %k2, %v, %s groups = 1
      : (tensor<2x40x64xf32>, tensor<2x96x64xf32>, tensor<2x96x64xf32>, tensor<f32>) -> tensor<2x40x64xf32>
  return %0 : tensor<2x40x64xf32>
}
// Queries of heads that share keys are rows of one product: a place in the head is no row then.
// Two heads of 100 queries share keys. A block of 64 rows hides the keys after the last position of its queries within a head, which is 99 if
// it ends in the second one.
// GROUPED-LABEL: func.func @attention(
// GROUPED:       %[[IN_HEAD:.*]] = arith.remui %[[FIRST:.*]], %c100
// GROUPED:       %[[END:.*]] = arith.addi %[[IN_HEAD]],
// GROUPED-NEXT:  %[[LAST:.*]] = arith.minui %[[END]], %c100
// GROUPED:       arith.cmpi ugt, {{.*}}
// GROUPED-NEXT:  scf.if
func.func @grouped(%q: tensor<4x100x24xf32>, %k: tensor<2x100x24xf32>, %v: tensor<2x100x24xf32>) -> tensor<4x100x24xf32> {
  %s = tx.constant dense<0.125> : tensor<f32>
  %0 = tx.attention %q, %k, %v, %s groups = 2 causal
      : (tensor<4x100x24xf32>, tensor<2x100x24xf32>, tensor<2x100x24xf32>, tensor<f32>) -> tensor<4x100x24xf32>
  return %0 : tensor<4x100x24xf32>
}
func.func @named(%q: tensor<?x?x17xf32, #tx.dims<[b, n, 17]>> {tx.name = "q"}, %k: tensor<?x?x17xf32, #tx.dims<[b, m, 17]>> {tx.name = "k"},
                 %v: tensor<?x?x33xf32, #tx.dims<[b, m, 33]>> {tx.name = "v"}) -> tensor<?x?x33xf32, #tx.dims<[b, n, 33]>> {
  %s = tx.constant dense<0.125> : tensor<f32>
  %0 = tx.attention %q, %k, %v, %s groups = 1 causal
      : (tensor<?x?x17xf32, #tx.dims<[b, n, 17]>>, tensor<?x?x17xf32, #tx.dims<[b, m, 17]>>,
         tensor<?x?x33xf32, #tx.dims<[b, m, 33]>>, tensor<f32>) -> tensor<?x?x33xf32, #tx.dims<[b, n, 33]>>
  return %0 : tensor<?x?x33xf32, #tx.dims<[b, n, 33]>>
}
// HIDDEN: nan, 1, 1
// HIDDEN-SAME: 1, nan]
func.func @hidden(%q: tensor<1x150x16xf32>, %v: tensor<1x150x16xf32>) -> tensor<16xf32> {
  %s = tx.constant dense<0.125> : tensor<f32>
  %0 = tx.attention %q, %q, %v, %s groups = 1 causal
      : (tensor<1x150x16xf32>, tensor<1x150x16xf32>, tensor<1x150x16xf32>, tensor<f32>) -> tensor<1x150x16xf32>
  %1 = tx.slice %0 offsets = [0, 0, 0] strides = [1, 1, 1] : tensor<1x150x16xf32> -> tensor<1x1x16xf32>
  %2 = tx.reshape %1 : tensor<1x1x16xf32> -> tensor<16xf32>
  return %2 : tensor<16xf32>
}
}
