// Sizes with names: what the model needs to be equal is compared in a run, and
// slices and parts begin at sizes.
//
// RUN: %onnx %t.bert.onnx bert
// RUN: %tensorc compile %t.bert.onnx --stop-after=import | FileCheck %s --check-prefix=BERT
// RUN: %tensorc run %t.bert.onnx --random-inputs --shape=x:2,7,4 --shape=mask:2,7 --compare=reference
// RUN: %tensorc compile %t.bert.onnx -o %t.bert.tcpkg
// RUN: %tensorc run %t.bert.tcpkg --random-inputs --shape=x:2,8,4 --shape=mask:2,8 | FileCheck %s --check-prefix=RAN
// RUN: not %tensorc run %t.bert.tcpkg --random-inputs --shape=x:2,9,4 --shape=mask:2,9 2>&1 | FileCheck %s --check-prefix=LONG
// RUN: not %tensorc run %t.bert.tcpkg --random-inputs --shape=x:2,7,4 --shape=mask:2,6 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: not %tensorc run %t.bert.tcpkg --random-inputs --shape=x:2,7,4 --shape=mask:7,2 2>&1 | FileCheck %s --check-prefix=SWAPPED
// RUN: not %tensorc run %t.bert.onnx --random-inputs --shape=x:2,7,4 --shape=mask:2,6 2>&1 | FileCheck %s --check-prefix=FIXED
// RUN: not %tensorc run %t.bert.onnx --random-inputs --shape=x:2,s,5 2>&1 | FileCheck %s --check-prefix=WIDE
// BERT: tx.reshape {{.*}}tensor<{{.*}}[1, min(8, seq), 4]{{.*}} -> tensor<{{.*}}[1, seq, 4]
// RAN: y: f32[2,8,4]
// LONG: cannot reshape [1,min(8, seq),4] to [1,seq,4], in /add
// OTHER: cannot reshape [batch,seq2,1] to [batch,seq,1], in /masked
// SWAPPED: cannot reshape {{.*}}, in /masked
// FIXED: do not broadcast: 7 and 6 differ
// WIDE: x: --shape of x does not fit its type

// RUN: %onnx %t.parts.onnx parts
// RUN: %npy %t.x.npy f32 '[[0, 1], [2, 3], [4, 5], [6, 7], [8, 9]]'
// RUN: %tensorc compile %t.parts.onnx -o %t.parts.tcpkg
// RUN: %tensorc run %t.parts.tcpkg --input=x=%t.x.npy | FileCheck %s --check-prefix=PARTS
// RUN: %tensorc run %t.parts.onnx --input=x=%t.x.npy --compare=reference
// PARTS: tail: f32[3,2]
// PARTS-NEXT: {{\[\[}}4, 5],
// PARTS-NEXT: [6, 7],
// PARTS-NEXT: [8, 9]]
// PARTS-NEXT: odd: f32[2,2]
// PARTS-NEXT: {{\[\[}}4, 5],
// PARTS-NEXT: [8, 9]]
// PARTS-NEXT: first: f32[3,2]
// PARTS-NEXT: {{\[\[}}0, 1],
// PARTS-NEXT: [2, 3],
// PARTS-NEXT: [4, 5]]
// PARTS-NEXT: second: f32[2,2]
// PARTS-NEXT: {{\[\[}}6, 7],
// PARTS-NEXT: [8, 9]]

// Powers of integers are exact modulo 2^n; a power below 0 leaves 1, -1 or 0.
// RUN: %onnx %t.powers.onnx powers
// RUN: %npy %t.a.npy i64 '[3, -3, 2, 7, -1, -1, 0, 10]'
// RUN: %npy %t.b.npy i64 '[39, 3, 63, 0, -3, -2, 0, -1]'
// RUN: %tensorc run %t.powers.onnx --input=x=%t.a.npy --input=y=%t.b.npy | FileCheck %s --check-prefix=POWERS
// POWERS: z: i64[8]
// POWERS-NEXT: [4052555153018976267, -27, -9223372036854775808, 1, -1, 1, 1, 0]
// POWERS: cube: i64[8]
// POWERS-NEXT: [27, -27, 8, 343, -1, -1, 0, 1000]

// Outputs that nobody reads need not be there, and a size of -1 is any.
// RUN: %onnx %t.unused.onnx unused
// RUN: %tensorc run %t.unused.onnx --random-inputs --compare=reference | FileCheck %s --check-prefix=UNUSED
// RUN: %onnx %t.read.onnx read
// RUN: not %tensorc compile %t.read.onnx 2>&1 | FileCheck %s --check-prefix=READ
// UNUSED: y: f32[2,5,4]
// READ: error: z (Neg, opset 17): the output 'mean' of /norm (SkipLayerNormalization) is not supported

// Images of named sizes are those of the same numbers.
// RUN: %onnx %t.images.onnx images
// RUN: %npy %t.image.npy f32 '[[[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]]]'
// RUN: %npy %t.like.npy f32 '[[0, 0], [0, 0], [0, 0], [0, 0]]'
// RUN: %tensorc compile %t.images.onnx -o %t.images.tcpkg
// RUN: %tensorc run %t.images.tcpkg --input=x=%t.image.npy --input=like=%t.like.npy > %t.named.txt
// RUN: %tensorc run %t.images.onnx --shape=x:1,1,3,4 --shape=like:4,2 --input=x=%t.image.npy --input=like=%t.like.npy > %t.fixed.txt
// RUN: diff %t.named.txt %t.fixed.txt
// RUN: FileCheck %s --check-prefix=IMAGES < %t.named.txt
// RUN: %tensorc run %t.images.onnx --random-inputs --shape=x:2,1,10,5 --shape=like:3,9 --compare=reference | FileCheck %s --check-prefix=SEVEN
// IMAGES: twice: f32[1,1,6,8]
// IMAGES-NEXT: {{\[\[\[\[}}0, 0, 1, 1, 2, 2, 3, 3],
// IMAGES: near: f32[1,1,4,2]
// IMAGES-NEXT: {{\[\[\[\[}}0, 2],
// SEVEN: part: f32[2,1,7,5]

//--- bert
<opset: 17>
bert (float[batch,seq,4] x, float[batch2,seq2] mask) => (float[batch,seq,4] y)
    <float[1,8,4] table = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31},
     int64 one = {1}, int64[1] axis = {0}, int64[1] begin = {0}, int64[1] along = {1}, int64[1] last = {2}> {
  s = Shape(x)
  n = Gather(s, one)
  end = Unsqueeze(n, axis)
  [/positions] p = Slice(table, begin, end, along)
  [/add] a = Add(x, p)
  m = Unsqueeze(mask, last)
  [/masked] y = Mul(a, m)
}
//--- parts
<opset: 18>
parts (float[n,2] x) => (float[a,2] tail, float[b,2] odd, float[c,2] first, float[d,2] second)
    <int64 zero = {0}, int64[1] axis = {0}, int64[1] two = {2}, int64[1] most = {9223372036854775807}> {
  s = Shape(x)
  n0 = Gather(s, zero)
  n = Unsqueeze(n0, axis)
  half = Div(n, two)
  tail = Slice(x, half, most, axis)
  odd = Slice(x, half, most, axis, two)
  first, second = Split <axis = 0, num_outputs = 2> (x)
}
//--- powers
<opset: 15>
powers (int64[k] x, int64[k] y) => (int64[k] z, int64[k] cube) <float three = {3}> {
  z = Pow(x, y)
  cube = Pow(x, three)
}
//--- unused
<opset: 17, opset "com.microsoft": 1>
unused (float[2,-1,4] x) => (float[2,s,4] y) <float[4] g = {1, 2, 3, 4}> {
  y, mean, spread, sum = com.microsoft.SkipLayerNormalization(x, x, g, g)
}
//--- read
<opset: 17, opset "com.microsoft": 1>
read (float[2,-1,4] x) => (float[2,s,4] y, float[2,s,1] z) <float[4] g = {1, 2, 3, 4}> {
  [/norm] y, mean = com.microsoft.SkipLayerNormalization(x, x, g, g)
  z = Neg(mean)
}
//--- images
<opset: 17>
images (float[n,1,h,w] x, float[p,q] like) => (float[n,1,a,b] twice, float[n,1,c,d] part, float[n,1,p,q] fit, float[n,1,p,q] near)
    <float[4] scales = {1, 1, 2, 2}, float[4] less = {1, 1, 0.7, 1}, int64[1] begin = {0}, int64[1] two = {2}> {
  twice = Resize <mode = "nearest", coordinate_transformation_mode = "asymmetric", nearest_mode = "floor"> (x, "", scales)
  part = Resize <mode = "linear"> (x, "", less)
  s = Shape(x)
  front = Slice(s, begin, two)
  back = Shape(like)
  sizes = Concat <axis = 0> (front, back)
  fit = Resize <mode = "linear"> (x, "", "", sizes)
  near = Resize <mode = "nearest", coordinate_transformation_mode = "half_pixel"> (x, "", "", sizes)
}
