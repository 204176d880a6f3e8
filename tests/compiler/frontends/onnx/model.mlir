// A model is a program like any other: its names are those of the function's
// arguments and results, and of the places of its ops. What only computes shapes
// is gone.
//
// RUN: %onnx %t.onnx net
// RUN: %tensorc compile %t.onnx --stop-after=import | FileCheck %s
// RUN: %tensorc run %t.onnx --random-inputs --compare=reference | FileCheck %s --check-prefix=RAN
// RUN: %tensorc compile %t.onnx --shape=x:4,3,8,8 --stop-after=import | FileCheck %s --check-prefix=FIXED
// RUN: %tensorc explain %t.onnx | FileCheck %s --check-prefix=EXPLAIN
// RUN: %tensorc explain %t.onnx --json | FileCheck %s --check-prefix=JSON
// RUN: cp %t.onnx %t.bin && %tensorc run %t.bin --random-inputs --compare=reference | FileCheck %s --check-prefix=RAN
// RUN: %tensorc compile %t.onnx -o %t.tcpkg && %tensorc run %t.tcpkg --random-inputs --shape=x:2,3,8,8 | FileCheck %s --check-prefix=PACKAGE
// RUN: %tensorc compile %t.onnx --emit=header -o - | FileCheck %s --check-prefix=HEADER
// RUN: %tensorc bench %t.onnx --iterations=1 | FileCheck %s --check-prefix=BENCH
// RUN: %tensorc run %t.onnx --quantize-weights=i4:8 --random-inputs --compare=reference 2>&1 | FileCheck %s --check-prefix=QUANTIZED

// A model has no lines: a message names the file and the value.
// RUN: not %tensorc compile %t.onnx --shape=x:4,5,8,8 --stop-after=import 2>&1 | FileCheck %s --check-prefix=UNFIT
// UNFIT: model.mlir.tmp.onnx: error: x: --shape of x does not fit its type

// By its content, whatever the file is called, and from stdin.
// RUN: cp %t.onnx %t.model && %tensorc compile %t.model --stop-after=import | FileCheck %s
// RUN: %tensorc compile - --stop-after=import <%t.onnx | FileCheck %s

// External data beyond 4 GB is mapped, so that what is not read costs nothing.
// RUN: mkdir -p %t-large && %onnx %t-large/matrix.onnx matrix && %onnx %t-large/behind.onnx behind
// RUN: %python -c "import struct, sys; f = open(sys.argv[1], 'wb'); f.seek(6400000000); f.write(struct.pack('<3f', 1, 2, 3))" %t-large/w.bin
// RUN: %tensorc explain %t-large/matrix.onnx | FileCheck %s --check-prefix=MATRIX
// RUN: %tensorc run %t-large/behind.onnx --random-inputs | FileCheck %s --check-prefix=BEHIND
// MATRIX: f32[40000, 40000]: 6400320000 bytes
// BEHIND: [1, 2, 3]

// CHECK: func.func @main(%arg0: tensor<?x3x8x8xf32, #tx.dims<[batch, 3, 8, 8]>> {tx.name = "x"})
// CHECK-SAME: -> (tensor<?x2xf32, #tx.dims<[batch, 2]>> {tx.name = "y"})
// CHECK-NEXT: tx.constant dense<{{.*}}> : tensor<1x3x1x1xf32>
// CHECK-NEXT: tx.conv
// CHECK-NEXT: tx.slice {{.*}} strides = [1, 1, 1, -1]
// CHECK-NEXT: tx.relu
// CHECK-NEXT: tx.reshape {{.*}} -> tensor<?x64xf32, #tx.dims<[batch, 64]>>
// CHECK-NEXT: tx.constant dense_resource<v> : tensor<64x2xf32>
// CHECK-NEXT: tx.dot_general
// CHECK-NEXT: return
// FIXED: func.func @main(%arg0: tensor<4x3x8x8xf32> {tx.name = "x"}) -> (tensor<4x2xf32> {tx.name = "y"})
// RAN: y: f32[5,2]
// RAN: compare y: largest error
// EXPLAIN: ops      windows dot_general
// EXPLAIN-NEXT: nodes    /conv{{$}}
// EXPLAIN-NEXT: reads
// EXPLAIN: nodes    /conv /flip /relu /flat /product{{$}}
// JSON: "nodes": [
// JSON: "/product"
// PACKAGE: y: f32[2,2]
// HEADER: int {{.*}}_run(
// BENCH: iterations 1
// QUANTIZED: /conv: w f32[1,3,1,1]: groups of 3, error at most {{.*}} 12 B -> 6 B
// QUANTIZED: /product: v f32[64,2]: groups of 8, error at most {{.*}} 512 B -> 128 B
// QUANTIZED: 2 weights as i4: 524 B -> 134 B
// QUANTIZED: compare y: largest error

//--- net
<opset: 17>
net (float[batch,3,8,8] x) => (float[batch,2] y)
    <float[1,3,1,1] w = {0.5, -1, 2}, float[64,2] v = {0, -1, 1, -1, 0.5, 0.5, 0.5, 0.5, 0, -1, 0.5, -1, 0.5, 0.5, -1, 0.5, 1, 0, -1, 1, -1, -1, -1, -1, 0.5, 0, 0.5, -1, 0, 0.5, 0.5, 0, 1, 0, 0, 0.5, 1, -1, 0.5, -1, 0, 1, -1, 1, 0.5, 0, 1, 1, 0.5, 0.5, -1, 0.5, 0, 0.5, 0.5, 0, 1, 1, -1, 0.5, -1, 0, 0.5, 1, 0.5, -1, 0.5, -1, 1, 0.5, 0, 0, 0, -1, 0, 0, 0.5, 1, 1, 0.5, 1, -1, 0.5, 0, 0, 0.5, -1, 0.5, 1, 0, 0.5, 0.5, 1, 0.5, 1, -1, 1, 0.5, -1, 0, 0, 0, -1, 1, -1, -1, -1, -1, 0.5, -1, 1, 0, 1, -1, 0, 1, 1, -1, 0, 0, 1, 0, 1, 1, 0.5, 1, 0.5, 0.5},
     int64[1] end = {-1}, int64[1] before = {-9223372036854775807}, int64[1] wide = {3}, int64 zero = {0}, int64[1] axes = {0}, int64[1] rest = {-1}> {
  [/conv] c0 = Conv <kernel_shape = [1, 1]> (x, w)
  [/flip] c = Slice(c0, end, before, wide, end)
  [/relu] r = Relu(c)
  s = Shape(r)
  n = Gather(s, zero)
  n1 = Unsqueeze(n, axes)
  shape = Concat <axis = 0> (n1, rest)
  [/flat] f = Reshape(r, shape)
  [/product] y = Gemm(f, v)
}

//--- matrix
<opset: 17>
matrix (float[2,40000] x) => (float[2,40000] y) <float[40000,40000] w = external("w.bin", 0, 6400000000)> {
  y = MatMul(x, w)
}
//--- behind
<opset: 17>
behind (float[3] x) => (float[3] y) <float[3] b = external("w.bin", 6400000000, 12)> {
  zero = Sub(x, x)
  y = Add(zero, b)
}
