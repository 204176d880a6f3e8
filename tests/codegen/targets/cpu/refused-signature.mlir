// RUN: not %tensorc-opt %s --cpu-convert-kernels-to-llvm --split-input-file 2>&1 | FileCheck %s

// CHECK: error: 'func.func' op is a kernel and needs (arguments..., begin: index, end: index, scratch: memref<?xi8>)
func.func @short(%x: memref<?xf32>) attributes {txk.kernel} {
  return
}

// -----

// CHECK: error: 'func.func' op argument 0 of type 'vector<4xf32>' does not fit a 64-bit word
func.func @vector(%x: vector<4xf32>, %begin: index, %end: index,
                  %scratch: memref<?xi8>) attributes {txk.kernel} {
  return
}
