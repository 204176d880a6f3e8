// TENSORC_CPU: CPU devices compile for less than the processor has.
//
// REQUIRES: x86-64
// RUN: rm -rf %t && mkdir %t
// RUN: %tensorc run %s --random-inputs --shape=x:5,19 --dump=%t/host --compare=reference | FileCheck %s --check-prefix=SAME
// SAME: compare out0: largest error
// RUN: grep -h tx.target %t/host/* | FileCheck %s --check-prefix=HOST
// HOST: tx.target = "cpu"
// RUN: env TENSORC_CPU=x86-64-v2 %tensorc run %s --random-inputs --shape=x:5,19 --dump=%t/v2 --compare=reference | FileCheck %s --check-prefix=SAME
// RUN: grep -h tx.target %t/v2/* | FileCheck %s --check-prefix=LEVEL
// LEVEL-NOT: tx.target = "cpu"
// LEVEL: tx.target = "cpu:x86-64-v2"

// A package's code is chosen as on such a machine.
// RUN: %tensorc compile %s --target=cpu:x86-64-v4,cpu:x86-64-v3 -o %t/p.tcpkg
// RUN: %exits 1 env TENSORC_CPU=x86-64-v2 %tensorc run %t/p.tcpkg --random-inputs --shape=x:5,19 2>&1 | FileCheck %s --check-prefix=PACKAGE
// PACKAGE: it holds code for cpu:x86-64-v4, cpu:x86-64-v3, none of which this device runs

#xy = #tx.dims<[n, m]>

func.func @main(%x: tensor<?x?xf32, #xy> {tx.name = "x"}) -> tensor<?x?xf32, #xy> {
  %0 = tx.softmax %x dim = 1 : tensor<?x?xf32, #xy>
  return %0 : tensor<?x?xf32, #xy>
}
