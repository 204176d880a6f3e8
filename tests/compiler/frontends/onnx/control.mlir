// Branches and loops are those of tx; a branch that the shapes decide is taken
// while the model is read. Functions take the place of their calls.
//
// RUN: %onnx %t.if.onnx branch
// RUN: %npy %t.x.npy f32 '[1, -2, 3]'
// RUN: %npy %t.p.npy i1 'True'
// RUN: %npy %t.n.npy i1 'False'
// RUN: %tensorc run %t.if.onnx --input=x=%t.x.npy --input=p=%t.p.npy | FileCheck %s --check-prefix=THEN
// RUN: %tensorc run %t.if.onnx --input=x=%t.x.npy --input=p=%t.n.npy | FileCheck %s --check-prefix=ELSE
// RUN: %onnx %t.known.onnx known
// RUN: %tensorc compile %t.known.onnx --stop-after=import | FileCheck %s --check-prefix=KNOWN
// RUN: %onnx %t.loop.onnx loop
// RUN: %tensorc run %t.loop.onnx --input=x=%t.x.npy | FileCheck %s --check-prefix=LOOP
// RUN: %onnx %t.open.onnx open
// RUN: %tensorc run %t.open.onnx --input=x=%t.x.npy | FileCheck %s --check-prefix=OPEN
// RUN: %onnx %t.function.onnx function
// RUN: %tensorc run %t.function.onnx --input=x=%t.x.npy | FileCheck %s --check-prefix=FUNCTION

// THEN: [2, -1, 4]
// ELSE: [-1, 2, -3]
// KNOWN: tx.neg
// KNOWN-NOT: tx.if
// LOOP: y: f32[3]
// LOOP-NEXT: [8, -16, 24]
// LOOP: all: f32[3,3]
// LOOP-NEXT: [2, -4, 6]
// OPEN: [16, -32, 48]
// FUNCTION: [3, -6, 9]

//--- branch
<opset: 17>
branch (float[3] x, bool p) => (float[3] y) <float one = {1}> {
  y = If <then_branch = graph a () => (float[3] t) { t = Add(x, one) },
          else_branch = graph b () => (float[3] e) { e = Neg(x) }> (p)
}
//--- known
<opset: 17>
known (float[3] x) => (float[3] y) <int64 three = {3}, int64[1] zero = {0}> {
  s = Shape(x)
  n = Squeeze(s, zero)
  p = Less(n, three)
  y = If <then_branch = graph a () => (float[3] t) { t = Exp(x) },
          else_branch = graph b () => (float[3] e) { e = Neg(x) }> (p)
}
//--- loop
<opset: 17>
loop (float[3] x) => (float[3] y, float[3,3] all) <int64 count = {3}, bool yes = {1}> {
  y, all = Loop <body = graph body (int64 i, bool c, float[3] a) => (bool d, float[3] b, float[3] part)
      { d = Identity(c) b = Add(a, a) part = Identity(b) }> (count, yes, x)
}
//--- open
<opset: 17>
open (float[3] x) => (float[3] y) <bool yes = {1}, float limit = {20}> {
  y = Loop <body = graph body (int64 i, bool c, float[3] a) => (bool d, float[3] b)
      { b = Add(a, a) m = ReduceMax <keepdims = 0> (a) d = Less(m, limit) }> ("", yes, x)
}
//--- function
<opset: 17, opset "local": 1>
function (float[3] x) => (float[3] y) {
  y = local.scaled <factor = 3.0> (x)
}
function local.scaled <factor> (a) => (b) {
  f = Constant <value_float = @factor 1> ()
  b = Mul(a, f)
}
