//===- ExpandDoubles.cpp - Emulates f64 by integers -----------------------===//
//
// %r = arith.mulf %x, %y : f64
// ->
// %a = arith.bitcast %x : f64 to i64
// %b = arith.bitcast %y : f64 to i64
// %p = func.call @double_multiply(%a, %b) : (i64, i64) -> i64
// %r = arith.bitcast %p : i64 to f64
//
// For targets without f64. ConvertStorageToBits.cpp then replaces the type,
// and with it the casts. Vectors are computed element by element.
//
//===----------------------------------------------------------------------===//

#include "codegen/lowering/Passes.h"
#include "codegen/lowering/math/RollSeries.h"
#include "codegen/lowering/math/SoftDouble.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tensorc::codegen {
#define GEN_PASS_DEF_EXPANDDOUBLESPASS
#include "codegen/lowering/Passes.h.inc"

namespace {

bool isDouble(Type type) { return getElementTypeOrSelf(type).isF64(); }

bool hasDouble(Operation *op) {
  return llvm::any_of(op->getOperandTypes(), isDouble) ||
         llvm::any_of(op->getResultTypes(), isDouble);
}

/// True if the op computes with f64, rather than only moves values.
bool isDoubleArithmetic(Operation *op) {
  if (isa<arith::ConstantOp, arith::BitcastOp, arith::SelectOp>(op))
    return false;
  return (isa<arith::ArithDialect, math::MathDialect>(op->getDialect()) ||
          isa<vector::FMAOp, vector::ReductionOp>(op)) &&
         hasDouble(op);
}

/// True if the op is an atomic on f64, which would need atomics on 64 bits.
bool isDoubleAtomic(Operation *op) {
  return isa<memref::AtomicRMWOp, memref::GenericAtomicRMWOp>(op) &&
         llvm::any_of(op->getOperandTypes(), isDouble);
}

class DoubleExpansion {
public:
  explicit DoubleExpansion(Operation *module) : symbols(module) {}

  LogicalResult run(Operation *op) {
    if (isa<vector::ReductionOp>(op) ||
        llvm::any_of(op->getOperandTypes(), llvm::IsaPred<VectorType>))
      return unroll(op);
    Word::Builder b(op->getLoc(), op);
    Value result = expand(b, op);
    if (!result)
      return op->emitOpError("is f64, which the target does not have");
    op->replaceAllUsesWith(ValueRange{result});
    op->erase();
    return success();
  }

private:
  using Emitter = llvm::function_ref<Word(ArrayRef<Word>)>;

  static Word toWord(Word::Builder &b, Value x) {
    return {b, arith::BitcastOp::create(b, b.getI64Type(), x)};
  }
  static Value fromWord(Word::Builder &b, const Word &x) {
    return arith::BitcastOp::create(b, b.getF64Type(), x.get());
  }

  /// Calls a function on words, which `emit` defines on its first use.
  Word call(Word::Builder &b, StringRef name, ArrayRef<Word> operands,
            Emitter emit) {
    func::FuncOp &function = functions[name];
    if (!function) {
      SmallVector<Type> types(operands.size(), b.getI64Type());
      function = func::FuncOp::create(b.getLoc(), name,
                                      b.getFunctionType(types, b.getI64Type()));
      function.setPrivate();
      Block &body = *function.addEntryBlock();
      Word::Builder inside(b.getLoc(), b.getContext());
      inside.setInsertionPointToStart(&body);
      SmallVector<Word> arguments;
      for (BlockArgument argument : body.getArguments())
        arguments.push_back({inside, argument});
      func::ReturnOp::create(inside, emit(arguments).get());
      Operation *module = symbols.getOp();
      symbols.insert(function, module->getRegion(0).front().begin());
    }
    SmallVector<Value> values;
    for (const Word &operand : operands)
      values.push_back(operand.get());
    return {b, func::CallOp::create(b, function, values).getResult(0)};
  }

  /// Calls a function of one of soft's types.
  Word call(Word::Builder &b, StringRef name, Word (*fn)(const Word &),
            const Word &x) {
    return call(b, name, x, [&](ArrayRef<Word> v) { return fn(v[0]); });
  }
  Word call(Word::Builder &b, StringRef name,
            Word (*fn)(const Word &, const Word &), const Word &x,
            const Word &y) {
    return call(b, name, {x, y},
                [&](ArrayRef<Word> v) { return fn(v[0], v[1]); });
  }

  /// Returns the result of a scalar op, or null if the op is not supported.
  Value expand(Word::Builder &b, Operation *op) {
    constexpr uint64_t sign = uint64_t(1) << 63;
    if (auto compared = dyn_cast<arith::CmpFOp>(op))
      return compare(compared.getPredicate(), toWord(b, compared.getLhs()),
                     toWord(b, compared.getRhs()))
          .get();
    if (isa<arith::SIToFPOp, arith::UIToFPOp>(op))
      return fromInteger(b, op->getOperand(0), isa<arith::SIToFPOp>(op));
    if (auto widened = dyn_cast<arith::ExtFOp>(op))
      return fromSingle(b, widened.getIn());
    Word x = toWord(b, op->getOperand(0));
    if (isa<arith::FPToSIOp, arith::FPToUIOp>(op))
      return toInteger(b, x, op->getResult(0).getType(),
                       isa<arith::FPToSIOp>(op));
    if (isa<arith::TruncFOp>(op))
      return op->getResult(0).getType().isF32() ? toSingle(b, x) : Value();
    SmallVector<Word, 3> v;
    for (Value operand : op->getOperands()) {
      if (!operand.getType().isF64())
        return {};
      v.push_back(toWord(b, operand));
    }
    using soft::Direction;
    auto round = [&](StringRef name, Direction direction) {
      return call(b, name, x, [&](ArrayRef<Word> v) {
        return soft::roundToInteger(v[0], direction);
      });
    };
    std::optional<Word> result =
        llvm::TypeSwitch<Operation *, std::optional<Word>>(op)
            .Case([&](arith::NegFOp) { return x ^ sign; })
            .Case([&](math::AbsFOp) { return x & ~sign; })
            .Case([&](math::CopySignOp) { return (x & ~sign) | (v[1] & sign); })
            .Case([&](arith::AddFOp) {
              return call(b, "double_add", soft::add, x, v[1]);
            })
            .Case([&](arith::SubFOp) {
              return call(b, "double_add", soft::add, x, v[1] ^ sign);
            })
            .Case([&](arith::MulFOp) {
              return call(b, "double_multiply", soft::multiply, x, v[1]);
            })
            .Case([&](arith::DivFOp) {
              return call(b, "double_divide", soft::divide, x, v[1]);
            })
            .Case([&](arith::MaximumFOp) {
              return call(b, "double_maximum", soft::maximum, x, v[1]);
            })
            .Case([&](arith::MinimumFOp) {
              return call(b, "double_minimum", soft::minimum, x, v[1]);
            })
            .Case([&](math::SqrtOp) {
              return call(b, "double_root", soft::squareRoot, x);
            })
            .Case([&](math::FmaOp) {
              return call(b, "double_fma", v, [](ArrayRef<Word> v) {
                return soft::multiplyAdd(v[0], v[1], v[2]);
              });
            })
            .Case([&](math::TruncOp) {
              return round("double_trunc", Direction::Zero);
            })
            .Case([&](math::FloorOp) {
              return round("double_floor", Direction::Down);
            })
            .Case([&](math::CeilOp) {
              return round("double_ceil", Direction::Up);
            })
            .Case([&](math::RoundEvenOp) {
              return round("double_round", Direction::NearestEven);
            })
            .Default([](Operation *) { return std::nullopt; });
    return result ? fromWord(b, *result) : Value();
  }

  static Word compare(arith::CmpFPredicate predicate, const Word &x,
                      const Word &y) {
    using arith::CmpFPredicate;
    auto isOrdered = [&] { return !(soft::isNaN(x) | soft::isNaN(y)); };
    auto atMost = [](const Word &x, const Word &y) {
      return soft::isLess(x, y) | soft::isEqual(x, y);
    };
    switch (predicate) {
    case CmpFPredicate::AlwaysFalse:
    case CmpFPredicate::AlwaysTrue:
      return isOrdered().constant(predicate == CmpFPredicate::AlwaysTrue);
    case CmpFPredicate::OEQ:
      return soft::isEqual(x, y);
    case CmpFPredicate::UNE:
      return !soft::isEqual(x, y);
    case CmpFPredicate::OLT:
      return soft::isLess(x, y);
    case CmpFPredicate::UGE:
      return !soft::isLess(x, y);
    case CmpFPredicate::OGT:
      return soft::isLess(y, x);
    case CmpFPredicate::ULE:
      return !soft::isLess(y, x);
    case CmpFPredicate::OLE:
      return atMost(x, y);
    case CmpFPredicate::UGT:
      return !atMost(x, y);
    case CmpFPredicate::OGE:
      return atMost(y, x);
    case CmpFPredicate::ULT:
      return !atMost(y, x);
    case CmpFPredicate::ONE:
      return soft::isLess(x, y) | soft::isLess(y, x);
    case CmpFPredicate::UEQ:
      return !(soft::isLess(x, y) | soft::isLess(y, x));
    case CmpFPredicate::ORD:
      return isOrdered();
    case CmpFPredicate::UNO:
      return !isOrdered();
    }
    llvm_unreachable("a predicate");
  }

  Value fromInteger(Word::Builder &b, Value x, bool isSigned) {
    if (!x.getType().isInteger(64)) {
      Type word = b.getI64Type();
      x = isSigned ? arith::ExtSIOp::create(b, word, x).getResult()
                   : arith::ExtUIOp::create(b, word, x).getResult();
    }
    StringRef name = isSigned ? "double_from_signed" : "double_from_unsigned";
    return fromWord(b, call(b, name, Word(b, x), [&](ArrayRef<Word> v) {
                      return soft::fromInteger(v[0], isSigned);
                    }));
  }

  Value toInteger(Word::Builder &b, const Word &x, Type type, bool isSigned) {
    StringRef name = isSigned ? "double_to_signed" : "double_to_unsigned";
    Value word = call(b, name, x, [&](ArrayRef<Word> v) {
                   return soft::toInteger(v[0], isSigned);
                 }).get();
    return type.isInteger(64) ? word : arith::TruncIOp::create(b, type, word);
  }

  Value fromSingle(Word::Builder &b, Value x) {
    Value bits = arith::BitcastOp::create(b, b.getI32Type(), x);
    Word word(b, arith::ExtUIOp::create(b, b.getI64Type(), bits));
    return fromWord(b, call(b, "double_from_single", soft::fromSingle, word));
  }

  Value toSingle(Word::Builder &b, const Word &x) {
    Word bits = call(b, "double_to_single", soft::toSingle, x);
    Value half = arith::TruncIOp::create(b, b.getI32Type(), bits.get());
    return arith::BitcastOp::create(b, b.getF32Type(), half);
  }

  /// Replaces an op on vectors by ops on their elements.
  LogicalResult unroll(Operation *op) {
    auto type = cast<VectorType>(op->getOperand(0).getType());
    if (type.getRank() != 1 || type.isScalable())
      return op->emitOpError("is f64, which the target does not have");
    Word::Builder b(op->getLoc(), op);
    SmallVector<Operation *> made;
    Value result;
    if (auto reduction = dyn_cast<vector::ReductionOp>(op)) {
      result = reduction.getAcc();
      for (int64_t i = 0; i < type.getNumElements(); ++i) {
        Value lane = vector::ExtractOp::create(b, reduction.getVector(), i);
        result = result ? vector::makeArithReduction(
                              b, b.getLoc(), reduction.getKind(), result, lane)
                        : lane;
        if (isDoubleArithmetic(result.getDefiningOp()))
          made.push_back(result.getDefiningOp());
      }
    } else {
      SmallVector<Value> lanes;
      for (int64_t i = 0; i < type.getNumElements(); ++i) {
        SmallVector<Value> operands;
        for (Value operand : op->getOperands())
          operands.push_back(vector::ExtractOp::create(b, operand, i));
        made.push_back(cloneForLane(b, op, operands));
        lanes.push_back(made.back()->getResult(0));
      }
      result = vector::FromElementsOp::create(
          b, cast<VectorType>(op->getResult(0).getType()), lanes);
    }
    op->replaceAllUsesWith(ValueRange{result});
    op->erase();
    for (Operation *lane : made)
      if (failed(run(lane)))
        return failure();
    return success();
  }

  static Operation *cloneForLane(Word::Builder &b, Operation *op,
                                 ValueRange operands) {
    if (isa<vector::FMAOp>(op))
      return math::FmaOp::create(b, operands[0], operands[1], operands[2]);
    OperationState state(op->getLoc(), op->getName(), operands,
                         getElementTypeOrSelf(op->getResult(0).getType()),
                         op->getAttrs());
    return b.create(state);
  }

  SymbolTable symbols;
  llvm::StringMap<func::FuncOp> functions;
};

struct ExpandDoubles : impl::ExpandDoublesPassBase<ExpandDoubles> {
  using ExpandDoublesPassBase::ExpandDoublesPassBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    ExpandDoublesPassBase::getDependentDialects(registry);
    registry.insert<scf::SCFDialect>(); // of rollSeries
  }

  void runOnOperation() override {
    rollSeries(getOperation());
    SmallVector<Operation *> ops;
    WalkResult walked = getOperation()->walk([&](Operation *op) {
      if (isDoubleAtomic(op)) {
        (void)op->emitOpError("on elements of f64 needs 64-bit atomics, which "
                              "the target does not have");
        return WalkResult::interrupt();
      }
      if (isDoubleArithmetic(op))
        ops.push_back(op);
      return WalkResult::advance();
    });
    if (walked.wasInterrupted())
      return signalPassFailure();
    DoubleExpansion expansion(getOperation());
    for (Operation *op : ops)
      if (failed(expansion.run(op)))
        return signalPassFailure();
  }
};

} // namespace
} // namespace tensorc::codegen
