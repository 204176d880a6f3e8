// Arguments become constants of a file, whose floats may have another dtype.
//
// RUN: rm -rf %t && mkdir %t
// RUN: %npy %t/x.npy f32 '[1, 2]'
// RUN: %python -c "import numpy as np; np.savez('%t/w.npz', w=np.array([[1, 2], [3, 4]], np.float16), unused=np.zeros(3))"
// RUN: %python -c "import numpy as np; np.savez('%t/bad.npz', w=np.zeros((2, 3), np.float32))"
// RUN: %python -c "import numpy as np; np.savez('%t/none.npz', v=np.zeros(2))"
// RUN: %tensorc run %s --weights=%t/w.npz --input=%t/x.npy | FileCheck %s
// RUN: %tensorc compile %s --weights=%t/w.npz -o %t/bound.tcpkg
// RUN: %tensorc run %t/bound.tcpkg --input=x=%t/x.npy | FileCheck %s
// RUN: not %tensorc run %t/bound.tcpkg --input=w=%t/x.npy 2>&1 | FileCheck %s --check-prefix=GONE
// RUN: not %tensorc compile %s --weights=%t/bad.npz -o %t/no.tcpkg 2>&1 | FileCheck %s --check-prefix=SHAPE
// RUN: not %tensorc compile %s --weights=%t/none.npz -o %t/no.tcpkg 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not %tensorc run %t/bound.tcpkg --weights=%t/w.npz 2>&1 | FileCheck %s --check-prefix=PACKAGE
//
// CHECK: [5, 11]
// GONE: the program has no argument 'w'
// SHAPE: error: the argument w is 'tensor<2x2xf32>', and the weight is f32[2,3]
// NONE: none.npz: no argument is called as a tensor of the file
// PACKAGE: --weights does not apply to the package

func.func @main(%w: tensor<2x2xf32> {tx.name = "w"}, %x: tensor<2xf32> {tx.name = "x"}) -> tensor<2xf32> {
  %0 = tx.dot_general %w, %x batch = [] x [] contracting = [1] x [0] : (tensor<2x2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
