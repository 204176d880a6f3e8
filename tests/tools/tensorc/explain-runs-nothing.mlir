// What a package holds is code: to explain it, the tool never maps it. The
// system's loader says what it maps; to run the package it is an image.
// RUN: rm -rf %t && mkdir %t
// RUN: %tensorc compile %s -o %t/p.tcpkg
// RUN: env LD_DEBUG=files LD_DEBUG_OUTPUT=%t/run %tensorc run %t/p.tcpkg --random-inputs
// RUN: cat %t/run.* | grep "/proc/[0-9]*/fd"
// RUN: env LD_DEBUG=files LD_DEBUG_OUTPUT=%t/explain %tensorc explain %t/p.tcpkg | FileCheck %s
// RUN: env LD_DEBUG=files LD_DEBUG_OUTPUT=%t/explain %tensorc explain --json %t/p.tcpkg
// RUN: cat %t/explain.* | grep libtensorc_rt
// RUN: cat %t/explain.* | not grep "/proc/[a-z0-9]*/fd"

// CHECK: main
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = tx.exp %x : tensor<4xf32>
  return %y : tensor<4xf32>
}
