// TENSORC_TEST_CODE: what LLVM makes of equal IR is read from a folder. The bytes are the same.
//
// RUN: rm -rf %t && mkdir -p %t/code %t/plain %t/stored
// RUN: %tensorc compile %s --target=cpu:x86-64-v3 --emit=object -o %t/plain/f.o
// RUN: %tensorc compile %s --target=cuda:sm_80 --emit=ptx -o %t/plain/f.ptx
// RUN: %tensorc compile %s --target=cpu:x86-64-v3 --emit=llvm -o %t/plain/f.ll
// RUN: env TENSORC_TEST_CODE=%t/code %tensorc compile %s --target=cpu:x86-64-v3 --emit=object -o %t/stored/f.o
// RUN: env TENSORC_TEST_CODE=%t/code %tensorc compile %s --target=cuda:sm_80 --emit=ptx -o %t/stored/f.ptx
// RUN: env TENSORC_TEST_CODE=%t/code %tensorc compile %s --target=cpu:x86-64-v3 --emit=llvm -o %t/stored/f.ll
// RUN: diff -r %t/plain %t/stored
// RUN: %python -c "import os; print(len(os.listdir('%t/code')), 'files')" | FileCheck %s --check-prefix=FILES
// FILES: 2 files
//
// The second time they come from there, and another level is another output.
// RUN: rm -r %t/stored && mkdir %t/stored
// RUN: env TENSORC_TEST_CODE=%t/code %tensorc compile %s --target=cpu:x86-64-v3 --emit=object -o %t/stored/f.o
// RUN: env TENSORC_TEST_CODE=%t/code %tensorc compile %s --target=cuda:sm_80 --emit=ptx -o %t/stored/f.ptx
// RUN: env TENSORC_TEST_CODE=%t/code %tensorc compile %s --target=cpu:x86-64-v3 --emit=llvm -o %t/stored/f.ll
// RUN: diff -r %t/plain %t/stored
// RUN: %python -c "import os; [open('%t/code/' + name, 'w').write('as stored') for name in os.listdir('%t/code')]"
// RUN: env TENSORC_TEST_CODE=%t/code %tensorc compile %s --target=cuda:sm_80 --emit=ptx -o - | FileCheck %s --check-prefix=READ
// RUN: env TENSORC_TEST_CODE=fill:%t/code %tensorc compile %s --target=cuda:sm_80 --emit=ptx -o - | FileCheck %s --check-prefix=PTX
// RUN: env TENSORC_TEST_CODE=%t/code %tensorc compile %s --target=cuda:sm_80 --emit=ptx -O1 -o - | FileCheck %s --check-prefix=PTX
// RUN: env TENSORC_TEST_CODE=%t/code %tensorc compile %s --target=cuda:sm_80 --emit=ptx -o - | FileCheck %s --check-prefix=PTX
// READ: as stored
// PTX:  .visible .entry
//
// A folder that is not there is no error.
// RUN: env TENSORC_TEST_CODE=%t/nowhere %tensorc compile %s --target=cuda:sm_80 --emit=ptx -o - | FileCheck %s --check-prefix=PTX
func.func @main(%x: tensor<7x33xf32>) -> tensor<7xf32> {
  %0 = tx.exp %x : tensor<7x33xf32>
  %1 = tx.sum %0 dims = [1] : tensor<7x33xf32> -> tensor<7xf32>
  return %1 : tensor<7xf32>
}
