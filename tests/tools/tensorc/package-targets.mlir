// One package for several targets: a section each, constants once; what runs
// is what fits the machine best.
//
// RUN: rm -rf %t && mkdir %t
// RUN: %tensorc compile %s --target=cpu:x86-64-v2,cpu:aarch64 -o %t/two.tcpkg
// RUN: %tensorc compile %s --target=cpu:x86-64-v2 -o %t/one.tcpkg
// RUN: %tensorc explain %t/two.tcpkg | FileCheck %s
// CHECK: constants {{.*}}512 bytes
// CHECK: cpu:x86-64-v2
// CHECK: cpu:aarch64
// RUN: %tensorc run %t/one.tcpkg --random-inputs=3 >%t/one
// RUN: %tensorc run %t/two.tcpkg --random-inputs=3 | diff - %t/one

// The stages of each target are dumped apart.
// RUN: %tensorc compile %s --target=cpu:x86-64-v2,cpu:aarch64 --dump=%t/dump -o %t/two.tcpkg
// RUN: ls %t/dump/cpu-x86-64-v2/04-lower.mlir %t/dump/cpu-aarch64/04-lower.mlir

// A package for other machines says so.
// RUN: %tensorc compile %s --target=cpu:aarch64 -o %t/other.tcpkg
// RUN: %exits 1 %tensorc run %t/other.tcpkg --random-inputs 2>&1 | FileCheck %s --check-prefix=OTHER
// OTHER: package: it holds code for cpu:aarch64, none of which this device runs

// RUN: %exits 2 %tensorc compile %s --target=cpu,cpu -o %t/x 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: %exits 1 %tensorc compile %s --target=cpu,,cpu:aarch64 -o %t/x 2>&1 | FileCheck %s --check-prefix=EMPTY
// RUN: %exits 2 %tensorc compile %s --target=cpu,cpu:aarch64 --emit=object -o %t/x 2>&1 | FileCheck %s --check-prefix=OBJECT
// RUN: %exits 2 %tensorc compile %s --target=cpu,cpu:aarch64 --stop-after=fuse -o %t/x 2>&1 | FileCheck %s --check-prefix=OBJECT
// TWICE: --target names cpu twice
// EMPTY: unknown target ''
// OBJECT: only a package is for several targets

// What is lowered is for one target, and names it itself.
// RUN: %tensorc compile %s --target=cpu:x86-64-v2 --stop-after=lower -o %t/lowered.mlir
// RUN: %tensorc compile %t/lowered.mlir --start-from=lower -o %t/later.tcpkg
// RUN: %tensorc run %t/later.tcpkg --random-inputs=3 | diff - %t/one
// RUN: %exits 1 %tensorc compile %t/lowered.mlir --start-from=lower --target=cpu:aarch64 -o %t/x 2>&1 | FileCheck %s --check-prefix=LOWERED
// LOWERED: error: has kernels for "cpu:x86-64-v2" only: compile for other targets from an earlier stage
// RUN: not ls %t/x

func.func @main(%x: tensor<128xf32>) -> tensor<128xf32> {
  %w = tx.constant dense<[0.0, 2.3125, 4.625, 0.625, 2.9375, 5.25, 1.25, 3.5625, 5.875, 1.875, 4.1875, 0.1875, 2.5, 4.8125, 0.8125, 3.125, 5.4375, 1.4375, 3.75, 6.0625, 2.0625, 4.375, 0.375, 2.6875, 5.0, 1.0, 3.3125, 5.625, 1.625, 3.9375, 6.25, 2.25, 4.5625, 0.5625, 2.875, 5.1875, 1.1875, 3.5, 5.8125, 1.8125, 4.125, 0.125, 2.4375, 4.75, 0.75, 3.0625, 5.375, 1.375, 3.6875, 6.0, 2.0, 4.3125, 0.3125, 2.625, 4.9375, 0.9375, 3.25, 5.5625, 1.5625, 3.875, 6.1875, 2.1875, 4.5, 0.5, 2.8125, 5.125, 1.125, 3.4375, 5.75, 1.75, 4.0625, 0.0625, 2.375, 4.6875, 0.6875, 3.0, 5.3125, 1.3125, 3.625, 5.9375, 1.9375, 4.25, 0.25, 2.5625, 4.875, 0.875, 3.1875, 5.5, 1.5, 3.8125, 6.125, 2.125, 4.4375, 0.4375, 2.75, 5.0625, 1.0625, 3.375, 5.6875, 1.6875, 4.0, 0.0, 2.3125, 4.625, 0.625, 2.9375, 5.25, 1.25, 3.5625, 5.875, 1.875, 4.1875, 0.1875, 2.5, 4.8125, 0.8125, 3.125, 5.4375, 1.4375, 3.75, 6.0625, 2.0625, 4.375, 0.375, 2.6875, 5.0, 1.0, 3.3125]> : tensor<128xf32>
  %1 = tx.mul %x, %w : tensor<128xf32>
  return %1 : tensor<128xf32>
}
