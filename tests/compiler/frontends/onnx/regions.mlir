// Images read where other inputs say, and lists of tensors that are as long in
// each run.
//
// RUN: %onnx %t.pool.onnx pool
// RUN: %npy %t.r.npy f32 '[[0, 0, 0, 3, 1], [0, 2, 1, 3, 2]]'
// RUN: %tensorc run %t.pool.onnx --input=r=%t.r.npy | FileCheck %s --check-prefix=POOL
// RUN: %onnx %t.align.onnx align
// RUN: %npy %t.a.npy f32 '[[0, 0, 4, 3], [1, 1, 3, 2], [-9, -9, -8, -8]]'
// RUN: %tensorc run %t.align.onnx --input=r=%t.a.npy | FileCheck %s --check-prefix=ALIGN
// RUN: %onnx %t.adaptive.onnx adaptive
// RUN: %exits 1 %tensorc compile %t.adaptive.onnx 2>&1 | FileCheck %s --check-prefix=ADAPTIVE
// RUN: %onnx %t.deform.onnx deform
// RUN: %npy %t.o.npy f32 '[[[[0, 0], [0, 0.5]], [[0, -0.5], [0, 0.5]]]]'
// RUN: %tensorc run %t.deform.onnx --input=o=%t.o.npy | FileCheck %s --check-prefix=DEFORM
// RUN: %onnx %t.list.onnx list
// RUN: %npy %t.x.npy f32 '[[1, 2, 3], [4, 5, 6], [7, 8, 9]]'
// RUN: %tensorc run %t.list.onnx --input=x=%t.x.npy | FileCheck %s --check-prefix=LIST
// RUN: %tensorc compile %t.list.onnx --stop-after=import | FileCheck %s --check-prefix=GONE
// RUN: %onnx %t.outside.onnx outside
// RUN: %exits 1 %tensorc compile %t.outside.onnx 2>&1 | FileCheck %s --check-prefix=OUTSIDE
// RUN: %onnx %t.values.onnx values
// RUN: %exits 1 %tensorc compile %t.values.onnx 2>&1 | FileCheck %s --check-prefix=VALUES
// RUN: %onnx %t.det.onnx det
// RUN: %npy %t.m.npy f32 '[[[2, 2, 0], [2, 4, 0], [0, 0, 2]], [[1, 0, 0], [0, 1, 0], [0, 0, 1]]]'
// RUN: %tensorc run %t.det.onnx --input=x=%t.m.npy | FileCheck %s --check-prefix=DET

// A region ends with its last pixel.
//      POOL: y: f32[2,1,1,2]
// POOL-NEXT: {{\[\[\[\[5, 7\]\]\],}}
// POOL-NEXT: {{\[\[\[10, 11\]\]\]\]}}

// The mean of two times two points in each half; far outside there are zeros.
//      ALIGN: y: f32[3,1,1,2]
// ALIGN-NEXT: {{\[\[\[\[4.5, 6.5\]\]\],}}
// ALIGN-NEXT: {{\[\[\[5, 6\]\]\],}}
// ALIGN-NEXT: {{\[\[\[0, 0\]\]\]\]}}

// ADAPTIVE: y (RoiAlign, opset 16): how many points of a region are read depends on its size (sampling_ratio = 0); export with a number

// Half a pixel to the left, and half a pixel beyond the corner.
//      DEFORM: y: f32[1,1,2,2]
// DEFORM-NEXT: {{\[\[\[\[3, 7.5\],}}
// DEFORM-NEXT: {{\[21, 6.75\]\]\]\]}}

//      LIST: y: f32[3,3]
// LIST-NEXT: {{\[\[7, 8, 9\],}}
// LIST-NEXT: [1, 2, 3],
// LIST-NEXT: [4, 5, 6]]
//      LIST: n: i64[]
// LIST-NEXT: 3
// GONE-NOT: equence

// OUTSIDE: (SequenceAt, opset 17): the sequence 's' lies outside of the graph
// VALUES: the op NonMaxSuppression has results whose sizes depend on values, which tensorc does not have: y

//      DET: y: f32[2]
// DET-NEXT: [8, 1]

//--- pool
<opset: 17>
pool (float[2,5] r) => (float[2,1,1,2] y) <float[1,1,3,4] x = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}> {
  y = MaxRoiPool <pooled_shape = [1, 2]> (x, r)
}
//--- align
<opset: 16>
align (float[3,4] r) => (float[3,1,1,2] y)
  <float[1,1,3,4] x = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, int64[3] b = {0, 0, 0}> {
  y = RoiAlign <output_height = 1, output_width = 2, sampling_ratio = 2> (x, r, b)
}
//--- adaptive
<opset: 16>
adaptive (float[3,4] r) => (float[3,1,1,2] y)
  <float[1,1,3,4] x = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, int64[3] b = {0, 0, 0}> {
  y = RoiAlign <output_height = 1, output_width = 2> (x, r, b)
}
//--- deform
<opset: 19>
deform (float[1,2,2,2] o) => (float[1,1,2,2] y)
  <float[1,1,3,3] x = {1, 2, 3, 4, 5, 6, 7, 8, 9}, float[1,1,1,1] w = {3}> {
  y = DeformConv <kernel_shape = [1, 1], strides = [2, 2]> (x, w, o)
}
//--- list
<opset: 17>
list (float[3,3] x) => (float[3,3] y, int64 n) <int64 last = {-1}, int64 first = {0}, int64 one = {1}> {
  s = SplitToSequence <axis = 0, keepdims = 1> (x)
  a = SequenceAt(s, last)
  t = SequenceErase(s, last)
  u = SequenceInsert(t, a, first)
  n = SequenceLength(u)
  y = ConcatFromSequence <axis = 0> (u)
}
//--- outside
<opset: 17>
outside (float[3] x, int64 n) => (float[3] y) <bool yes = {1}, int64 first = {0}> {
  s = SequenceConstruct(x, x)
  y = Loop <body = graph b (int64 i, bool c, float[3] v) => (bool d, float[3] w) {
    d = Identity(c)
    a = SequenceAt(s, first)
    w = Add(v, a)
  }> (n, yes, x)
}
//--- values
<opset: 17>
values (float[1,4,4] b, float[1,1,4] s) => (int64[k,3] y) {
  y = NonMaxSuppression(b, s)
}
//--- det
<opset: 17>
det (float[2,3,3] x) => (float[2] y) {
  y = Det(x)
}
