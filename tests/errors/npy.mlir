// Files that claim to be .npy or .npz: nothing but a message comes of them.
//
// RUN: %python %S/Inputs/broken_npy.py %t
// RUN: %exits 1 %tensorc run %s --input=%t.empty.npy 2>&1 | FileCheck %s --check-prefix=MAGIC
// RUN: %exits 1 %tensorc run %s --input=%t.magic.npy 2>&1 | FileCheck %s --check-prefix=MAGIC
// MAGIC: tensorc: error: {{.*}}.npy: not an .npy file
// RUN: %exits 1 %tensorc run %s --input=%t.version.npy 2>&1 | FileCheck %s --check-prefix=VERSION
// VERSION: version.npy: unsupported version 9 of the .npy format
// RUN: %exits 1 %tensorc run %s --input=%t.short.npy 2>&1 | FileCheck %s --check-prefix=HEADER
// RUN: %exits 1 %tensorc run %s --input=%t.header.npy 2>&1 | FileCheck %s --check-prefix=HEADER
// HEADER: truncated header
// RUN: %exits 1 %tensorc run %s --input=%t.noshape.npy 2>&1 | FileCheck %s --check-prefix=MALFORMED
// RUN: %exits 1 %tensorc run %s --input=%t.negative.npy 2>&1 | FileCheck %s --check-prefix=MALFORMED
// RUN: %exits 1 %tensorc run %s --input=%t.garbage.npy 2>&1 | FileCheck %s --check-prefix=MALFORMED
// MALFORMED: malformed header
// RUN: %exits 1 %tensorc run %s --input=%t.elements.npy 2>&1 | FileCheck %s --check-prefix=ELEMENTS
// ELEMENTS: elements.npy: truncated: 11 bytes of elements, but its shape needs 12
// RUN: %exits 1 %tensorc run %s --input=%t.long.npy 2>&1 | FileCheck %s --check-prefix=LONG
// LONG: long.npy: too long: 13 bytes of elements, but its shape needs 12
// RUN: %exits 1 %tensorc run %s --input=%t.object.npy 2>&1 | FileCheck %s --check-prefix=OBJECT
// OBJECT: object.npy: unsupported dtype |O
// RUN: %exits 1 %tensorc run %s --input=%t.fields.npy 2>&1 | FileCheck %s --check-prefix=FIELDS
// FIELDS: fields.npy: unsupported dtype [('a', '<f4')]
// RUN: %exits 1 %tensorc run %s --input=%t.huge.npy 2>&1 | FileCheck %s --check-prefix=HUGE
// RUN: %exits 1 %tensorc run %s --input=%t.zero.npy 2>&1 | FileCheck %s --check-prefix=HUGE
// HUGE: shape overflows
// RUN: %exits 1 %tensorc run %s --input=%t.cut.npz 2>&1 | FileCheck %s --check-prefix=CUT
// CUT: cut.npz: {{(truncated|malformed)}} .npz archive
// RUN: %exits 1 %tensorc run %s --input=%t.flipped.npz 2>&1 | FileCheck %s --check-prefix=FLIPPED
// FLIPPED: flipped.npz: x.npy: {{(corrupt deflated data|checksum differs)}}
// RUN: %exits 1 %tensorc run %s --input=%t.bomb.npz 2>&1 | FileCheck %s --check-prefix=BOMB
// BOMB: bomb.npz: x.npy: malformed .npz archive
// RUN: %exits 1 %tensorc run %s --input=%t.large.npz 2>&1 | FileCheck %s --check-prefix=LARGE
// LARGE: large.npz: x.npy: members of 4 GB and more are not supported
// RUN: %exits 1 %tensorc run %s --input=%t.other.npz 2>&1 | FileCheck %s --check-prefix=OTHER
// OTHER: other.npz: the program has no argument 'y'

// What is right is read: stored, deflated, version 2, spaces, empty.
// RUN: %tensorc run %s --device=reference --input=%t.good.npy | FileCheck %s
// RUN: %tensorc run %s --device=reference --input=%t.version2.npy | FileCheck %s
// RUN: %tensorc run %s --device=reference --input=%t.stored.npz | FileCheck %s
// RUN: %tensorc run %s --device=reference --input=%t.deflated.npz | FileCheck %s
// RUN: %tensorc run %s --device=reference --input=x=%t.deflated.npz | FileCheck %s
// RUN: %tensorc run %s --device=reference --input=%t.endian.npy | FileCheck %s
// RUN: %tensorc run %s --device=reference --entry=matrix --input=%t.fortran.npy | FileCheck %s --check-prefix=FORTRAN
// RUN: %tensorc run %s --device=reference --entry=cube --input=%t.cube.npy | FileCheck %s --check-prefix=CUBE
// FORTRAN:      out0: f32[2,3]
// FORTRAN-NEXT: {{\[\[}}1, 2, 3],
// FORTRAN-NEXT:  [4, 5, 6]]
// CUBE:         {{\[\[\[}}1, 2, 3]],
// CUBE-NEXT:     {{\[\[}}4, 5, -6]]]
// CHECK:      out0: f32[3]
// CHECK-NEXT: [1, 2, 3]

func.func @main(%x: tensor<3xf32> {tx.name = "x"}) -> tensor<3xf32> {
  return %x : tensor<3xf32>
}
func.func @matrix(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  return %x : tensor<2x3xf32>
}
func.func @cube(%x: tensor<2x1x3xi16>) -> tensor<2x1x3xi16> {
  return %x : tensor<2x1x3xi16>
}
