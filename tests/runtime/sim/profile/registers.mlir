// Registers are those of the code for the chip itself, and limit the occupancy.
//
// RUN: %tensorc compile %s --target=rocm:gfx942 --emit=asm -o %t.s
// RUN: %tensorc explain %s --profile --target=rocm:gfx942 > %t.txt
// RUN: cat %t.s %t.txt | FileCheck %s --check-prefix=AMD
// AMD: .vgpr_count: [[N:[0-9]+]]
// AMD: occupancy {{.*}}; registers [[N]], workgroup memory
//
// RUN: %tensorc explain %s --profile --target=sim:gfx942 | FileCheck %s --check-prefix=NONE
// NONE: registers not known
//
// RUN: %tensorc explain %s --profile --target=rocm:gfx1100 --json | FileCheck %s --check-prefix=JSON
// JSON: "registers": {{[1-9]}}
func.func @main(%x: tensor<64x64xf32>, %y: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %0 = tx.dot_general %x, %y batch = [] x [] contracting = [1] x [0]
      : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}
