// explain --links predicts the step of one of many ranks. The simulator, with
// 16 and 64 devices, makes as many collectives, and each rank sends as many
// bytes.
//
// RUN: %tensorc explain %s --mesh=data=8,model=2 --links=%S/Inputs/links.json | FileCheck %s
// RUN: env TENSORC_SIM_DEVICES=16 %tensorc run %s --mesh=data=8,model=2 --random-inputs=1 --time --devices=sim:0,sim:1,sim:2,sim:3,sim:4,sim:5,sim:6,sim:7,sim:8,sim:9,sim:10,sim:11,sim:12,sim:13,sim:14,sim:15 2>&1 | FileCheck %s --check-prefix=SIM
// RUN: env TENSORC_SIM_DEVICES=64 %tensorc run %s --mesh=data=16,model=4 --random-inputs=1 --time --devices=sim:0,sim:1,sim:2,sim:3,sim:4,sim:5,sim:6,sim:7,sim:8,sim:9,sim:10,sim:11,sim:12,sim:13,sim:14,sim:15,sim:16,sim:17,sim:18,sim:19,sim:20,sim:21,sim:22,sim:23,sim:24,sim:25,sim:26,sim:27,sim:28,sim:29,sim:30,sim:31,sim:32,sim:33,sim:34,sim:35,sim:36,sim:37,sim:38,sim:39,sim:40,sim:41,sim:42,sim:43,sim:44,sim:45,sim:46,sim:47,sim:48,sim:49,sim:50,sim:51,sim:52,sim:53,sim:54,sim:55,sim:56,sim:57,sim:58,sim:59,sim:60,sim:61,sim:62,sim:63 2>&1 | FileCheck %s --check-prefix=SIM64
// RUN: %tensorc explain %s --mesh=data=16,model=4 --links=%S/Inputs/links.json | FileCheck %s --check-prefix=PREDICT64
// RUN: %tensorc explain %s --mesh=data=8,model=2 --links=%S/Inputs/links.json --json | FileCheck %s --check-prefix=JSON
// RUN: %tensorc explain %s --mesh=data=64,model=8 --links=%S/Inputs/links.json | FileCheck %s --check-prefix=MANY
// RUN: %exits 1 %tensorc explain %s --mesh=data=128,model=8 --links=%S/Inputs/links.json 2>&1 | FileCheck %s --check-prefix=FEW
// RUN: %exits 2 %tensorc explain %s --links=%S/Inputs/links.json 2>&1 | FileCheck %s --check-prefix=MESH
// RUN: echo '{"device": {"flops_per_s": 1, "bytes_per_s": 0}, "links": []}' > %t.json
// RUN: %exits 1 %tensorc explain %s --mesh=data=1,model=1 --links=%t.json 2>&1 | FileCheck %s --check-prefix=RATE
// RUN: %exits 1 %tensorc explain %s --entry=other --mesh=data=8,model=2 --links=%S/Inputs/links.json 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: %exits 1 %tensorc explain %s --mesh=data=1,model=1 --links=%t.none 2>&1 | FileCheck %s --check-prefix=NONE

func.func @main(%x: tensor<128x16xf32>, %w: tensor<16x64xf32>, %v: tensor<64x8xf32>) -> (tensor<128x8xf32>, tensor<f32>) {
  %0 = tx.shard %x mesh = [8, 2] dims = [0, -1] : (tensor<128x16xf32>) -> tensor<128x16xf32>
  %1 = tx.shard %w mesh = [8, 2] dims = [-1, 1] : (tensor<16x64xf32>) -> tensor<16x64xf32>
  %2 = tx.dot_general %0, %1 batch = [] x [] contracting = [1] x [0] : (tensor<128x16xf32>, tensor<16x64xf32>) -> tensor<128x64xf32>
  %3 = tx.gelu %2 : tensor<128x64xf32>
  %4 = tx.dot_general %3, %v batch = [] x [] contracting = [1] x [0] : (tensor<128x64xf32>, tensor<64x8xf32>) -> tensor<128x8xf32>
  %5 = tx.sum %4 dims = [0, 1] : tensor<128x8xf32> -> tensor<f32>
  return %4, %5 : tensor<128x8xf32>, tensor<f32>
}

// Ranks 2 d and 2 d + 1 have the same rows. Of the 7 peers along data, 3 are on
// the same board.
// CHECK:      3 collectives, 4103 bytes sent by each rank
// CHECK:      a step of one of 16 ranks, estimated
// CHECK-NEXT:   kernels      {{[0-9.]+}} us
// CHECK-NEXT:   collectives  55.032 us: 3, 4103 bytes sent
// CHECK-NEXT:   time         {{[0-9.]+}} us in order, {{[0-9.]+}} us if collectives overlap with kernels
// CHECK-NEXT:   exposed      {{[0-9.]+}} us of the collectives even then
// CHECK-NEXT:   memory       {{[0-9]+}} bytes (outputs and arena)
// CHECK-NEXT:   board        2051 bytes, 2.051 us (among 8 ranks)
// CHECK-NEXT:   network      2052 bytes, 20.520 us (among 512 ranks)
// CHECK:      4 kernels
// SIM-COUNT-16: rank{{[0-9]+}}: 3 collectives, 4103 bytes sent
// SIM64-COUNT-64: rank{{[0-9]+}}: 3 collectives, 4231 bytes sent
// PREDICT64: 3 collectives, 4231 bytes sent by each rank
// JSON:      "step": {
// JSON:        "bytes_sent": 4103
// JSON:        "collectives": 3
// JSON:        "ranks": 16
// MANY:      3 collectives, 4151 bytes sent by each rank
// MANY:      a step of one of 512 ranks, estimated
// MANY-NEXT:   kernels
// MANY-NEXT:   collectives {{.*}}: 3, 4151 bytes sent
// FEW: links.json: the links connect 512 ranks, the mesh has 1024
// MESH: --links goes with --mesh
// RATE: 'bytes_per_s' is not a positive number
// NONE: No such file or directory

// OTHER: the collective 'all_reduce sum ranks=2 groups=0,99' is not for 16 ranks
func.func @other(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = tx.custom_call "collective"(%x) config "all_reduce sum ranks=2 groups=0,99" : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
