// TENSORC_TEST_CPU: "cpu" is another processor, with its caches and as much of its instructions as the host has. Columns of 12 MB
// are swept where they are larger than eight L2 caches: of 1 MiB, but not of 2.
//
// REQUIRES: x86-64-v4
// RUN: env TENSORC_TEST_CPU=zen5 %tensorc explain %s | FileCheck %s --check-prefix=SWEEP
// RUN: env TENSORC_TEST_CPU=skylake-avx512 %tensorc explain %s | FileCheck %s --check-prefix=SWEEP
// RUN: env TENSORC_TEST_CPU=sapphirerapids %tensorc explain %s | FileCheck %s --check-prefix=COLUMNS
// SWEEP: schedule sweep
// COLUMNS: schedule columns
//
// RUN: env TENSORC_TEST_CPU=skylake-avx512 %tensorc compile %s --emit=asm -o - | FileCheck %s --check-prefix=ZMM
// RUN: env TENSORC_TEST_CPU=haswell %tensorc compile %s --emit=asm -o - | FileCheck %s --check-prefix=YMM --implicit-check-not=zmm
// RUN: env TENSORC_TEST_CPU=generic %tensorc compile %s --emit=asm -o - | FileCheck %s --check-prefix=XMM --implicit-check-not=ymm --implicit-check-not=zmm
// ZMM: vaddps {{.*}}%zmm
// YMM: vaddps {{.*}}%ymm
// XMM: addps {{.*}}%xmm
//
// What runs is the same.
// RUN: env TENSORC_TEST_CPU=generic %tensorc run %s --device=cpu --random-inputs --compare=reference
// RUN: env TENSORC_TEST_CPU=sapphirerapids %tensorc run %s --device=cpu --random-inputs --compare=reference
// Baselines do not depend on it.
// RUN: env TENSORC_TEST_CPU=haswell %tensorc compile %s --emit=asm --target=cpu:x86-64-v4 -o %t.haswell.s
// RUN: env TENSORC_TEST_CPU=sapphirerapids %tensorc compile %s --emit=asm --target=cpu:x86-64-v4 -o %t.rapids.s
// RUN: cmp %t.haswell.s %t.rapids.s

func.func @main(%x: tensor<192x16384xf32>) -> tensor<16384xf32> {
  %0 = tx.sum %x dims = [0] : tensor<192x16384xf32> -> tensor<16384xf32>
  return %0 : tensor<16384xf32>
}
