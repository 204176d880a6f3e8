// Registers of CUDA's chips are those of the cubin that ptxas makes.
// REQUIRES: ptxas
//
// RUN: %tensorc compile %s --target=cuda:sm_80 --emit=ptx -o %t.80
// RUN: ptxas -v -O2 -arch=sm_80 %t.80 -o /dev/null > %t.txt 2>&1
// RUN: %tensorc explain %s --profile --target=cuda:sm_80 >> %t.txt
// RUN: FileCheck %s --input-file=%t.txt
// RUN: %tensorc compile %s --target=cuda:sm_90a --emit=ptx -o %t.90a
// RUN: ptxas -v -O2 -arch=sm_90a %t.90a -o /dev/null > %t.txt 2>&1
// RUN: %tensorc explain %s --profile --target=cuda:sm_90a >> %t.txt
// RUN: FileCheck %s --input-file=%t.txt
// CHECK: Used [[N:[0-9]+]] registers
// CHECK: occupancy {{.*}}; registers [[N]], workgroup memory
func.func @main(%x: tensor<64x64xf32>, %y: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %0 = tx.dot_general %x, %y batch = [] x [] contracting = [1] x [0]
      : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}
