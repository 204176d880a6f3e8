//===- ExpandProducts.cpp - Expands dot products of narrow integers -------===//
//
// %r = txk.add_products %x, %y, %s {x_unsigned} : vector<64xi8>, vector<16xi32>
// ->
// %r = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%s, %x, %y)
//
// Emitters create only forms that the target has as an instruction: products of
// bytes of equal signedness on Armv8, and products of bytes of mixed signedness
// and of words on x86. Products of words are added by a separate op, which LLVM
// merges where possible.
//
//===----------------------------------------------------------------------===//

#include "codegen/kernel/ops/Txk.h"
#include "codegen/lowering/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace tensorc::codegen {
#define GEN_PASS_DEF_EXPANDPRODUCTSPASS
#include "codegen/lowering/Passes.h.inc"

namespace {

Value expand(OpBuilder &b, txk::AddProductsOp op) {
  Location loc = op.getLoc();
  auto type = cast<VectorType>(op.getSum().getType());
  auto call = [&](const Twine &name, ValueRange arguments) -> Value {
    return LLVM::CallIntrinsicOp::create(b, loc, type, b.getStringAttr(name),
                                         arguments)
        .getResults();
  };
  Value x = op.getX(), y = op.getY(), sum = op.getSum();
  int64_t bits = type.getNumElements() * 32;
  if (getElementTypeOrSelf(x.getType()).isInteger(16)) {
    StringRef name = bits == 512   ? "llvm.x86.avx512.pmaddw.d.512"
                     : bits == 256 ? "llvm.x86.avx2.pmadd.wd"
                                   : "llvm.x86.sse2.pmadd.wd";
    return arith::AddIOp::create(b, loc, sum, call(name, {x, y}));
  }
  if (op.getXUnsigned() == op.getYUnsigned())
    return call(op.getXUnsigned() ? "llvm.aarch64.neon.udot.v4i32.v16i8"
                                  : "llvm.aarch64.neon.sdot.v4i32.v16i8",
                {sum, x, y});
  if (op.getYUnsigned())
    std::swap(x, y);
  return call("llvm.x86.avx512.vpdpbusd." + Twine(bits), {sum, x, y});
}

struct ExpandProducts : impl::ExpandProductsPassBase<ExpandProducts> {
  void runOnOperation() override {
    SmallVector<txk::AddProductsOp> ops;
    getOperation()->walk([&](txk::AddProductsOp op) { ops.push_back(op); });
    for (txk::AddProductsOp op : ops) {
      OpBuilder b(op);
      op.replaceAllUsesWith(expand(b, op));
      op.erase();
    }
  }
};

} // namespace

} // namespace tensorc::codegen
