// explain --mesh lists the buckets of reductions. Those that run next to
// kernels are hidden by them.
//
// RUN: %tensorc explain %s --mesh=data=2 --links=%S/Inputs/links.json --target=cpu:x86-64-v3 | FileCheck %s
// RUN: %tensorc explain %s --mesh=data=2 --links=%S/Inputs/links.json --target=cpu:x86-64-v3 --json | FileCheck %s --check-prefix=JSON
// RUN: %tensorc explain %s --mesh=data=2 --memory-limit=100M --target=cpu:x86-64-v3 | FileCheck %s --check-prefix=LIMIT

// CHECK: 2 collectives, 1064 bytes sent by each rank
// CHECK: 0: all_reduce sum over data of f32[10]
// CHECK: 1: all_reduce sum over data of f32[16,16]
// CHECK: {{^}}bucket 0: 2 x all_reduce sum, 1088 bytes, next to kernels
// CHECK: collectives {{.*}}: 1, 1088 bytes sent
// CHECK: exposed 0.000 us

// The order of a program with a memory limit is chosen for memory.
// LIMIT: 2 collectives
// LIMIT-NOT: bucket 0

// JSON: "buckets": [
// JSON: "bytes": 1088,
// JSON-NEXT: "calls": 2,
// JSON-NEXT: "kind": "all_reduce sum",
// JSON-NEXT: "next_to_kernels": true
func.func @main(%x: tensor<512x512xf32>, %d2: tensor<64x10xf32>, %d1: tensor<64x16x16xf32>, %w2: tensor<10xf32>, %w1: tensor<16x16xf32>)
    -> (tensor<10xf32>, tensor<16x16xf32>, tensor<512x512xf32>) {
  %p2 = tx.shard %d2 mesh = [2] dims = [0] : (tensor<64x10xf32>) -> tensor<64x10xf32>
  %p1 = tx.shard %d1 mesh = [2] dims = [0] : (tensor<64x16x16xf32>) -> tensor<64x16x16xf32>
  %g2 = tx.sum %p2 dims = [0] : tensor<64x10xf32> -> tensor<10xf32>
  %n2 = tx.sub %w2, %g2 : tensor<10xf32>
  %g1 = tx.sum %p1 dims = [0] : tensor<64x16x16xf32> -> tensor<16x16xf32>
  %n1 = tx.sub %w1, %g1 : tensor<16x16xf32>
  %g0 = tx.dot_general %x, %x batch = [] x [] contracting = [1] x [0] : (tensor<512x512xf32>, tensor<512x512xf32>) -> tensor<512x512xf32>
  return %n2, %n1, %g0 : tensor<10xf32>, tensor<16x16xf32>, tensor<512x512xf32>
}
