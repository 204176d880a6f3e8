// One rank of the program on each device: the same inputs, and a module or a package.
//
// RUN: %tensorc run %s --devices=cpu,cpu,cpu,cpu | FileCheck %s
// RUN: %tensorc compile %s -o %t.tcpkg
// RUN: %tensorc run %t.tcpkg --devices=cpu,cpu,cpu,cpu --output-dir=%t
// RUN: ls %t/rank3 | FileCheck %s --check-prefix=FILES
// RUN: env TENSORC_SIM_DEVICES=4 %tensorc run %s --devices=sim:3,sim:2,sim:1,sim:0 | FileCheck %s
// RUN: %exits 1 %tensorc run %s --devices=cpu,cpu 2>&1 | FileCheck %s --check-prefix=RANKS
// RUN: %exits 1 %tensorc run %s 2>&1 | FileCheck %s --check-prefix=ALONE
// RUN: not %tensorc run %s --devices=sim,sim 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: not %tensorc run %s --devices=cpu,nowhere 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not %tensorc run %s --devices=mpi 2>&1 | FileCheck %s --check-prefix=MPI
// RUN: %tensorc run %s --devices=reference,reference,reference,reference | FileCheck %s
// RUN: %tensorc run %s --devices=cpu,cpu,cpu,cpu --compare=reference | FileCheck %s --check-prefix=COMPARE
// RUN: %exits 1 %tensorc run %s --devices=reference,reference 2>&1 | FileCheck %s --check-prefix=TWO

func.func @main() -> (tensor<i64>, tensor<2xi64>) {
  %rank = tx.partition_id ranks = 4 : () -> tensor<i64>
  %sum = tx.all_reduce %rank sum ranks = 2 groups = [0, 2, 1, 3] : (tensor<i64>) -> tensor<i64>
  %one = tx.reshape %rank : tensor<i64> -> tensor<1xi64>
  %both = tx.all_gather %one dim = 0 ranks = 2 groups = [3, 0, 1, 2] : (tensor<1xi64>) -> tensor<2xi64>
  return %sum, %both : tensor<i64>, tensor<2xi64>
}
// CHECK:      rank0.out0: i64[]
// CHECK-NEXT: 2
// CHECK-NEXT: rank0.out1: i64[2]
// CHECK-NEXT: [3, 0]
// CHECK-NEXT: rank1.out0: i64[]
// CHECK-NEXT: 4
// CHECK-NEXT: rank1.out1: i64[2]
// CHECK-NEXT: [1, 2]
// CHECK:      rank2.out1: i64[2]
// CHECK-NEXT: [1, 2]
// CHECK:      rank3.out1: i64[2]
// CHECK-NEXT: [3, 0]
// FILES: out0.npy
// FILES-NEXT: out1.npy
// RANKS: the program is for 4 ranks, the communicator has 2
// ALONE: the program is for 4 ranks, and the run has no communicator
// TWICE: --devices: sim is there twice
// NONE: no device 'nowhere'
// MPI: no MPI: start the program by mpirun
// COMPARE: compare rank0.out0: equal
// COMPARE: compare rank3.out1: equal
// TWO: the program is for 4 ranks, the run has 2
