// What a package holds is code: to explain it, the tool never maps it. Code enters memory through a file without a name, so a
// process that may not write files cannot run the package.
// RUN: rm -rf %t && mkdir %t
// RUN: %tensorc compile %s -o %t/p.tcpkg
// RUN: not sh -c 'trap "" XFSZ; ulimit -f 0; exec %tensorc run %t/p.tcpkg --random-inputs' 2>&1 | FileCheck %s --check-prefix=PLACE
// RUN: sh -c 'trap "" XFSZ; ulimit -f 0; exec %tensorc explain %t/p.tcpkg' | FileCheck %s
// RUN: sh -c 'trap "" XFSZ; ulimit -f 0; exec %tensorc explain --json %t/p.tcpkg' | FileCheck %s
// RUN: %tensorc run %t/p.tcpkg --random-inputs

// PLACE: error:
// CHECK: main
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = tx.exp %x : tensor<4xf32>
  return %y : tensor<4xf32>
}
