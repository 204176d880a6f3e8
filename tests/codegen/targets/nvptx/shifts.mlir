// A shift by the width or more is 0: a comparison and a select. For 32 bits, LLVM folds them into PTX's instructions,
// which are defined to clamp the amount.
// RUN: %tensorc compile %s --target=cuda:sm_80 --emit=llvm | FileCheck %s --check-prefix=LLVM
// RUN: %tensorc compile %s --target=cuda:sm_80 --emit=ptx | FileCheck %s --check-prefix=PTX
// LLVM: %[[SHIFTED:.*]] = shl <{{.*}} x i32> %{{.*}}, %[[BY:.*]]
// LLVM: %[[FITS:.*]] = icmp ult <{{.*}} x i32> %[[BY]], splat (i32 32)
// LLVM: select <{{.*}} x i1> %[[FITS]], <{{.*}} x i32> %[[SHIFTED]], <{{.*}} x i32> zeroinitializer
// PTX-NOT: selp
// PTX: shl.b32
// PTX-NOT: selp
func.func @main(%x: tensor<1024xi32>, %y: tensor<1024xi32>) -> tensor<1024xi32> {
  %0 = tx.shl %x, %y : tensor<1024xi32>
  return %0 : tensor<1024xi32>
}
