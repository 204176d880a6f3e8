//===- LowerBy.h - Conversion patterns from functions ---------------------===//
#ifndef TENSORC_CODEGEN_LOWERING_LLVM_LOWERBY_H
#define TENSORC_CODEGEN_LOWERING_LLVM_LOWERBY_H

#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace tensorc::codegen {

/// A conversion pattern made from a function that lowers an op and cannot fail:
///   Value lower(Op op, Op::Adaptor adaptor, ConversionPatternRewriter &b)
/// The op is replaced by the returned value, or erased if the function returns
/// void.
template <auto Lower> struct LowerBy;

template <typename Result, typename Op, typename Adaptor,
          Result (*Lower)(Op, Adaptor, mlir::ConversionPatternRewriter &)>
struct LowerBy<Lower> : mlir::ConvertOpToLLVMPattern<Op> {
  using mlir::ConvertOpToLLVMPattern<Op>::ConvertOpToLLVMPattern;

  mlir::LogicalResult
  matchAndRewrite(Op op, Adaptor adaptor,
                  mlir::ConversionPatternRewriter &rewriter) const override {
    if constexpr (std::is_void_v<Result>) {
      Lower(op, adaptor, rewriter);
      rewriter.eraseOp(op);
    } else {
      rewriter.replaceOp(op, Lower(op, adaptor, rewriter));
    }
    return mlir::success();
  }
};

/// Lowers an id along x to a read of a 32-bit special register. Ids are below
/// 2^31, so sign and zero extension are the same.
template <typename Op, typename Register>
mlir::Value lowerToRegister(Op op, typename Op::Adaptor,
                            mlir::ConversionPatternRewriter &b) {
  mlir::Value id = Register::create(b, op.getLoc(), b.getI32Type());
  return mlir::LLVM::ZExtOp::create(b, op.getLoc(), b.getI64Type(), id);
}

/// Replaces an op without operands and results by another such op.
template <typename Op, typename Other>
void lowerToOther(Op op, typename Op::Adaptor,
                  mlir::ConversionPatternRewriter &b) {
  Other::create(b, op.getLoc());
}

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_LOWERING_LLVM_LOWERBY_H
