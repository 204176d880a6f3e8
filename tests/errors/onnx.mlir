// Models that are refused: status 1, and a message for each thing that is missing.
//
// RUN: %onnx %t.missing.onnx missing
// RUN: %exits 1 %tensorc compile %t.missing.onnx 2>&1 | FileCheck %s --check-prefix=MISSING
// RUN: %onnx %t.shapes.onnx shapes
// RUN: %exits 1 %tensorc compile %t.shapes.onnx 2>&1 | FileCheck %s --check-prefix=SHAPES
// RUN: %onnx %t.order.onnx order
// RUN: %exits 1 %tensorc compile %t.order.onnx 2>&1 | FileCheck %s --check-prefix=ORDER
// RUN: %onnx %t.twice.onnx twice
// RUN: %exits 1 %tensorc compile %t.twice.onnx 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: %onnx %t.away.onnx away
// RUN: %exits 1 %tensorc compile %t.away.onnx 2>&1 | FileCheck %s --check-prefix=AWAY
// RUN: %onnx %t.huge.onnx huge
// RUN: %exits 1 %tensorc compile %t.huge.onnx 2>&1 | FileCheck %s --check-prefix=HUGE
// RUN: %onnx %t.itself.onnx itself
// RUN: %exits 1 %tensorc compile %t.itself.onnx 2>&1 | FileCheck %s --check-prefix=ITSELF
// RUN: %onnx %t.newer.onnx newer
// RUN: %exits 1 %tensorc compile %t.newer.onnx 2>&1 | FileCheck %s --check-prefix=NEWER
// RUN: %onnx %t.ranks.onnx ranks
// RUN: %exits 1 %tensorc compile %t.ranks.onnx 2>&1 | FileCheck %s --check-prefix=RANKS
// RUN: %onnx %t.conditions.onnx conditions
// RUN: %exits 1 %tensorc compile %t.conditions.onnx 2>&1 | FileCheck %s --check-prefix=CONDITIONS
// RUN: head -c 60 %t.missing.onnx > %t.cut.onnx
// RUN: %exits 1 %tensorc compile %t.cut.onnx 2>&1 | FileCheck %s --check-prefix=CUT
// RUN: cp /dev/null %t.empty.onnx
// RUN: %exits 1 %tensorc compile %t.empty.onnx 2>&1 | FileCheck %s --check-prefix=EMPTY

// MISSING-DAG: error: the op NonMaxSuppression has results whose sizes depend on values, which tensorc does not have: /boxes
// MISSING-DAG: error: the op StringConcat works on strings, which tensorc does not have: s
// MISSING-DAG: error: the op vendor.Thing has no version: the model imports no operator set of the domain vendor (opset_import): t
// SHAPES-DAG: error: /scaled (Mul, opset 17): the shapes [2,3] and [4] do not broadcast: 3 and 4 differ
// SHAPES-DAG: error: /flat (Reshape, opset 17): the shape must follow from the sizes of the inputs, and it depends on the contents of 'where'
// ORDER: error: y (Add, opset 17): 'z' is made by no node before this one: nodes are in order, without cycles
// TWICE: error: y (Exp, opset 17): 'y' has two definitions
// AWAY-DAG: error: a (Add, opset 17): the initializer 'w' external data in '../../etc/passwd': the path must not leave the model's folder
// AWAY-DAG: error: b (Add, opset 17): the initializer 'v' external data in '/etc/passwd': the path must be relative to the model
// HUGE: error: {{.*}} has the impossible shape [9223372036854775807,9223372036854775807]
// ITSELF: error: y/b (local.f, opset 1): the function calls itself
// NEWER: error: is for opset 1000; the newest that is supported is 28
// RANKS-DAG: error: y (RNN, opset 17): the bias has rank 1, not 2
// RANKS-DAG: error: v (MatMulInteger, opset 17): a tensor of rank 0 has no dim 0
// RANKS-DAG: error: u (com.microsoft.Attention, opset 1): takes an input of rank 3 and weights of rank 2
// RANKS-DAG: error: t (ConvTranspose, opset 17): padding must be below 2^31, not [-9223372036854775807,0]
// CONDITIONS-DAG: error: a (If, opset 17): cannot reshape [2] to []
// CONDITIONS-DAG: error: b (If, opset 17): the condition is not of BOOL
// CONDITIONS-DAG: error: c (Loop, opset 17): the count of iterations is not of INT64
// CONDITIONS-DAG: error: d (Loop, opset 17): the condition is not of BOOL
// CUT: error: is not an ONNX model: its bytes are not a message of protobuf
// EMPTY: error: is not an ONNX model: it has no graph

//--- ranks
<opset: 17, opset "com.microsoft": 1>
net (float[4,1,2] x, float[3] b, uint8 a, uint8[2] z, float[1,1,4,4] image) => (float[4,1,1,2] y, int32[2] v, float[3] u, float[1,1,4,4] t)
    <float[1,1,1,1] kernel = {1}, float[1,2,2] w = {1, 2, 3, 4}, float[1,2,2] r = {1, 2, 3, 4}> {
  y = RNN <hidden_size = 2> (x, w, r, b)
  v = MatMulInteger (a, a, z)
  u = com.microsoft.Attention <num_heads = 1> (b, b)
  t = ConvTranspose <pads = [9223372036854775807, 0, 0, 0]> (image, kernel)
}

//--- missing
<opset: 17>
missing (float[4] x) => (float[4] t) {
  [/boxes] n = NonMaxSuppression(x, x)
  s = StringConcat(x, x)
  t = vendor.Thing(x)
}
//--- shapes
<opset: 17>
shapes (float[2,3] x, int64[1] where) => (float[2,3] y, float[6] z) <float[4] w = {1, 2, 3, 4}> {
  [/scaled] y = Mul(x, w)
  [/flat] z = Reshape(x, where)
}
//--- order
<opset: 17>
order (float[3] x) => (float[3] z) {
  y = Add(x, z)
  z = Neg(y)
}
//--- twice
<opset: 17>
twice (float[3] x) => (float[3] y) {
  y = Neg(x)
  y = Exp(x)
}
//--- away
<opset: 17>
away (float[3] x) => (float[3] b) <float[3] w = external("../../etc/passwd", 0, 12), float[3] v = external("/etc/passwd", 0, 12)> {
  a = Add(x, w)
  b = Add(x, v)
}
//--- huge
<opset: 17>
huge (float[3] x) => (float[3] y) <float[9223372036854775807,9223372036854775807] w = {1}> {
  y = Add(x, w)
}
//--- itself
<opset: 17, opset "local": 1>
itself (float[3] x) => (float[3] y) {
  y = local.f(x)
}
function local.f (a) => (b) {
  b = local.f(a)
}
//--- newer
<opset: 1000>
newer (float[3] x) => (float[3] y) {
  y = Neg(x)
}
//--- conditions
<opset: 17>
conditions (float[3] x, bool[2] two, float real, int32 few, int64 many) => (float[3] a, float[3] b, float[3] c, float[3] d) {
  a = If <then_branch = graph t () => (float[3] u) { u = Exp(x) }, else_branch = graph e () => (float[3] v) { v = Neg(x) }> (two)
  b = If <then_branch = graph t () => (float[3] u) { u = Exp(x) }, else_branch = graph e () => (float[3] v) { v = Neg(x) }> (real)
  c = Loop <body = graph body (int64 i, bool g, float[3] y) => (bool h, float[3] z) { h = Identity(g) z = Add(y, y) }> (few, "", x)
  d = Loop <body = graph body (int64 i, bool g, float[3] y) => (float h, float[3] z) { h = ReduceMax <keepdims = 0> (y) z = Add(y, y) }> (many, "", x)
}
