// A program that is split over devices computes what it computes on one.
//
// RUN: %tensorc run %s --devices=cpu,cpu,cpu,cpu --random-inputs=1 --compare=reference | FileCheck %s
// RUN: %tensorc run %s --mesh=data=2,model=1 --devices=cpu,cpu --random-inputs=1 --compare=reference | FileCheck %s --check-prefix=TWO
// RUN: %tensorc run %s --mesh=data=1,model=1 --random-inputs=1 --compare=reference | FileCheck %s --check-prefix=ONE
// RUN: %tensorc explain %s --mesh=data=2,model=4 | FileCheck %s --check-prefix=EXPLAIN
// RUN: %tensorc explain %s --mesh=data=2,model=4 --json | FileCheck %s --check-prefix=JSON
// RUN: %exits 1 %tensorc run %s --random-inputs 2>&1 | FileCheck %s --check-prefix=ALONE
// RUN: %exits 1 %tensorc run %s --mesh=data=4 2>&1 | FileCheck %s --check-prefix=AXES
// RUN: %exits 1 %tensorc run %s --mesh=data=3,model=1 2>&1 | FileCheck %s --check-prefix=UNEVEN
// RUN: %exits 2 %tensorc run %s --mesh=data 2>&1 | FileCheck %s --check-prefix=FORM
// RUN: %exits 1 %tensorc run %S/run-devices.mlir --mesh=data=2 2>&1 | FileCheck %s --check-prefix=NONE

func.func @main(%x: tensor<8x16xf32>, %w: tensor<16x12xf32>, %v: tensor<12x4xf32>) -> (tensor<8x4xf32>, tensor<8x16xf32>) {
  %0 = tx.shard %x mesh = [2, 2] dims = [0, -1] : (tensor<8x16xf32>) -> tensor<8x16xf32>
  %1 = tx.shard %w mesh = [2, 2] dims = [-1, 1] : (tensor<16x12xf32>) -> tensor<16x12xf32>
  %2 = tx.dot_general %0, %1 batch = [] x [] contracting = [1] x [0] : (tensor<8x16xf32>, tensor<16x12xf32>) -> tensor<8x12xf32>
  %3 = tx.gelu %2 : tensor<8x12xf32>
  %4 = tx.dot_general %3, %v batch = [] x [] contracting = [1] x [0] : (tensor<8x12xf32>, tensor<12x4xf32>) -> tensor<8x4xf32>
  %5 = tx.softmax %0 dim = 1 : tensor<8x16xf32>
  return %4, %5 : tensor<8x4xf32>, tensor<8x16xf32>
}
// CHECK:      compare rank0.out0: {{.*}}
// CHECK:      compare rank3.out0: {{.*}}
// CHECK-NEXT: compare rank3.out1: {{.*}}
// TWO:        compare rank1.out1: {{.*}}
// ONE:        compare out0:
// EXPLAIN:      3 collectives, {{[0-9]+}} bytes sent by each rank
// EXPLAIN:      0: all_reduce sum over model of f32[4,4]: 96 bytes
// EXPLAIN-NEXT:   why      tx.dot_general reduces a dimension that model splits
// EXPLAIN-NEXT:   without  leave that dimension of its operands whole
// EXPLAIN-NEXT:   for      {{.*}}run-mesh.mlir:
// EXPLAIN:      1: all_gather over data of f32[4,4]: 64 bytes
// EXPLAIN-NEXT:   why      result 0 is whole on each rank
// EXPLAIN:      kernels
// JSON: "collectives": [
// JSON: "remedy": "leave that dimension of its operands whole"
// ALONE: the program is for 4 ranks, and the run has no communicator (--devices names a device for each rank)
// AXES: has a mesh of 2 axes, --mesh has 1
// UNEVEN: dimension 0 of [8,16] has no 3 equal parts: pad it to a multiple, or leave it whole
// FORM: 'data' is not of the form --mesh=data=2,model=4
// NONE: --mesh: the program has no tx.shard, so nothing is split
