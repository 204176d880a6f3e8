// 4-bit integers are packed at a program's edges and bytes between them.
//
// RUN: %tensorc-opt %s --tx-expand-packed-integers | FileCheck %s

// Of an even last dimension each row is whole bytes: shifted left by 4 and 0,
// then right by 4.
// CHECK-LABEL: func.func @unpack
// CHECK-SAME:  %[[X:.*]]: tensor<3x6xi4>
// CHECK:       %[[BYTES:.*]] = tx.reinterpret %[[X]] : tensor<3x6xi4> -> tensor<3x3xi8>
// CHECK:       %[[TWICE:.*]] = tx.broadcast %[[BYTES]] dims = [0, 1] : tensor<3x3xi8> -> tensor<3x3x2xi8>
// CHECK:       %[[SECOND:.*]] = tx.iota dim = 0 : tensor<2xi8>
// CHECK:       %[[LESS:.*]] = tx.shl %[[SECOND]]
// CHECK:       %[[BITS:.*]] = tx.sub {{.*}}, %[[LESS]] : tensor<2xi8>
// CHECK:       %[[LEFT:.*]] = tx.broadcast %[[BITS]] dims = [2]
// CHECK:       tx.shl %[[TWICE]], %[[LEFT]]
// CHECK:       tx.shr_arith
// CHECK:       %[[FLAT:.*]] = tx.reshape {{.*}} : tensor<3x3x2xi8> -> tensor<3x6xi8>
// CHECK:       tx.convert %[[FLAT]] : tensor<3x6xi8> -> tensor<3x6xf32>
func.func @unpack(%x: tensor<3x6xi4>) -> tensor<3x6xf32> {
  %0 = tx.convert %x : tensor<3x6xi4> -> tensor<3x6xf32>
  return %0 : tensor<3x6xf32>
}

// An odd number: a nibble is left over, and is not read.
// CHECK-LABEL: func.func @odd
// CHECK:       tx.reinterpret {{.*}} : tensor<3x5xui4> -> tensor<8xui8>
// CHECK:       tx.shr_logical
// CHECK:       tx.slice {{.*}} : tensor<16xui8> -> tensor<15xui8>
// CHECK:       tx.reshape {{.*}} : tensor<15xui8> -> tensor<3x5xui8>
func.func @odd(%x: tensor<3x5xui4>) -> tensor<3x5xi32> {
  %0 = tx.convert %x : tensor<3x5xui4> -> tensor<3x5xi32>
  return %0 : tensor<3x5xi32>
}

// A float saturates. Two elements become a byte, the first one low; of an odd
// number the last has a zero beside it.
// CHECK-LABEL: func.func @pack
// CHECK:       tx.convert {{.*}} : tensor<5xf32> -> tensor<5xi8>
// CHECK:       tx.min
// CHECK:       %[[FITS:.*]] = tx.max
// CHECK:       %[[EVEN:.*]] = tx.pad %[[FITS]]
// CHECK:       %[[LOW:.*]] = tx.slice %[[EVEN]] offsets = [0] strides = [2] : tensor<6xi8> -> tensor<3xi8>
// CHECK:       %[[HIGH:.*]] = tx.slice %[[EVEN]] offsets = [1] strides = [2] : tensor<6xi8> -> tensor<3xi8>
// CHECK:       tx.and %[[LOW]]
// CHECK:       tx.shl %[[HIGH]]
// CHECK:       %[[BYTES:.*]] = tx.or
// CHECK:       %[[Y:.*]] = tx.reinterpret %[[BYTES]] : tensor<3xi8> -> tensor<5xi4>
// CHECK:       return %[[Y]] : tensor<5xi4>
func.func @pack(%x: tensor<5xf32>) -> tensor<5xi4> {
  %0 = tx.convert %x : tensor<5xf32> -> tensor<5xi4>
  return %0 : tensor<5xi4>
}

// An integer wraps.
// CHECK-LABEL: func.func @wrap
// CHECK:       tx.convert {{.*}} : tensor<4xi32> -> tensor<4xi8>
// CHECK:       tx.shl
// CHECK:       tx.shr_arith
func.func @wrap(%x: tensor<4xi32>) -> tensor<4xi4> {
  %0 = tx.convert %x : tensor<4xi32> -> tensor<4xi4>
  return %0 : tensor<4xi4>
}

// Named sizes.
// CHECK-LABEL: func.func @symbolic
// CHECK:       tx.reinterpret {{.*}} -> tensor<?xi8, #tx.dims<[(m * n + 1) floordiv 2]>>
// CHECK:       tx.transpose {{.*}} -> tensor<?x?xi8, #tx.dims<[m, n]>>
// CHECK:       tx.reinterpret {{.*}} -> tensor<?x?xi4, #tx.dims<[m, n]>>
func.func @symbolic(%x: tensor<?x?xi4, #tx.dims<[n, m]>>) -> tensor<?x?xi4, #tx.dims<[m, n]>> {
  %0 = tx.transpose %x permutation = [1, 0] : tensor<?x?xi4, #tx.dims<[n, m]>> -> tensor<?x?xi4, #tx.dims<[m, n]>>
  return %0 : tensor<?x?xi4, #tx.dims<[m, n]>>
}

// Small constants are bytes; blocks of branches, too.
// CHECK-LABEL: func.func @constants
// CHECK:       tx.constant dense<[-8, 7, 3]> : tensor<3xi8>
// CHECK:       tx.if
// CHECK-NEXT:  ^bb0(%{{.*}}: tensor<3xi8>):
// CHECK-NEXT:  tx.concatenate {{.*}} -> tensor<6xi8>
func.func @constants(%p: tensor<i1>) -> tensor<6xi4> {
  %0 = tx.constant dense<[-8, 7, 3]> : tensor<3xi4>
  %1 = tx.if %p (%0) : tensor<i1>, (tensor<3xi4>) -> tensor<6xi4> {
  ^bb0(%x: tensor<3xi4>):
    %2 = tx.concatenate %x, %x dim = 0 : (tensor<3xi4>, tensor<3xi4>) -> tensor<6xi4>
    tx.return %2 : tensor<6xi4>
  } else {
  ^bb0(%x: tensor<3xi4>):
    %2 = tx.concatenate %x, %x dim = 0 : (tensor<3xi4>, tensor<3xi4>) -> tensor<6xi4>
    tx.return %2 : tensor<6xi4>
  }
  return %1 : tensor<6xi4>
}

// Functions of the embedder see memory as it is.
// CHECK-LABEL: func.func @outside
// CHECK:       %[[Y:.*]] = tx.custom_call "app.f"(%arg0) : (tensor<4xi4>) -> tensor<4xi4>
// CHECK-NEXT:  return %[[Y]]
func.func @outside(%x: tensor<4xi4>) -> tensor<4xi4> {
  %0 = tx.custom_call "app.f" (%x) : (tensor<4xi4>) -> tensor<4xi4>
  return %0 : tensor<4xi4>
}
