//===- PrintMetal.cpp - Prints kernels as Metal Shading Language ----------===//
//
// spirv.func @scale(%x: i64, %y: i64) { ... spirv.FMul %a, %b : f32 ... }
// ->
// [[max_total_threads_per_threadgroup(256)]] kernel void
// tx_scale(constant ulong *words [[buffer(0)]],
//          uint3 thread [[thread_position_in_threadgroup]],
//          uint3 block [[threadgroup_position_in_grid]]) {
//   const ulong v0 = words[0];
//   ...
//   const float v9 = v7 * v8;
//
// Functions that emulate f64 by integers come first, as static functions. Every
// value is a constant, and every op is a statement. Pointers are never values:
// their text is inserted where they are read or written. Names of kernels have
// a prefix, because some names are keywords (and, or).
//
//===----------------------------------------------------------------------===//

#include "codegen/targets/spirv/PrintMetal.h"

#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using llvm::find_if;
using llvm::formatv;
using llvm::isAlnum;
using llvm::join;
using llvm::map_range;
using llvm::zip_equal;

namespace tensorc::codegen {
namespace {

constexpr StringLiteral kPrologue = R"(#include <metal_stdlib>
using namespace metal;
#pragma METAL fp math_mode(safe)
#pragma METAL fp contract(off)
)";

/// The form in which an op is printed. Integers have no sign in SPIR-V; they
/// are unsigned types in the text.
enum class Form {
  Unsigned,        // T(a + b)
  Signed,          // as_type<T>(S(as_type<S>(a) / as_type<S>(b)))
  Infix,           // a + b
  SignedCompare,   // as_type<S>(a) < as_type<S>(b)
  Not,             // !(a < b)
  Prefix,          // -(a)
  Call,            // f(a, b)
  SignedCall,      // as_type<T>(f(as_type<S>(a), as_type<S>(b)))
  Convert,         // T(a)
  ConvertSigned,   // T(as_type<S>(a))
  ConvertToSigned, // as_type<T>(S(a))
  Extend,          // as_type<T>(S(as_type<S>(a)))
  Bitcast          // as_type<T>(a)
};

struct Row {
  StringLiteral op;
  Form form;
  StringLiteral text;
};

constexpr Row table[] = {
    {"spirv.IAdd", Form::Unsigned, "+"},
    {"spirv.ISub", Form::Unsigned, "-"},
    {"spirv.IMul", Form::Unsigned, "*"},
    {"spirv.UDiv", Form::Unsigned, "/"},
    {"spirv.UMod", Form::Unsigned, "%"},
    {"spirv.BitwiseAnd", Form::Unsigned, "&"},
    {"spirv.BitwiseOr", Form::Unsigned, "|"},
    {"spirv.BitwiseXor", Form::Unsigned, "^"},
    {"spirv.ShiftLeftLogical", Form::Unsigned, "<<"},
    {"spirv.ShiftRightLogical", Form::Unsigned, ">>"},
    {"spirv.ShiftRightArithmetic", Form::Signed, ">>"},
    {"spirv.SDiv", Form::Signed, "/"},
    {"spirv.SRem", Form::Signed, "%"},
    {"spirv.SNegate", Form::Prefix, "-"},
    {"spirv.Not", Form::Prefix, "~"},
    {"spirv.FAdd", Form::Infix, "+"},
    {"spirv.FSub", Form::Infix, "-"},
    {"spirv.FMul", Form::Infix, "*"},
    {"spirv.FDiv", Form::Infix, "/"},
    {"spirv.FNegate", Form::Prefix, "-"},
    {"spirv.IEqual", Form::Infix, "=="},
    {"spirv.INotEqual", Form::Infix, "!="},
    {"spirv.ULessThan", Form::Infix, "<"},
    {"spirv.ULessThanEqual", Form::Infix, "<="},
    {"spirv.UGreaterThan", Form::Infix, ">"},
    {"spirv.UGreaterThanEqual", Form::Infix, ">="},
    {"spirv.SLessThan", Form::SignedCompare, "<"},
    {"spirv.SLessThanEqual", Form::SignedCompare, "<="},
    {"spirv.SGreaterThan", Form::SignedCompare, ">"},
    {"spirv.SGreaterThanEqual", Form::SignedCompare, ">="},
    {"spirv.FOrdEqual", Form::Infix, "=="},
    {"spirv.FUnordNotEqual", Form::Infix, "!="},
    {"spirv.FOrdLessThan", Form::Infix, "<"},
    {"spirv.FOrdLessThanEqual", Form::Infix, "<="},
    {"spirv.FOrdGreaterThan", Form::Infix, ">"},
    {"spirv.FOrdGreaterThanEqual", Form::Infix, ">="},
    {"spirv.FUnordLessThan", Form::Not, ">="},
    {"spirv.FUnordLessThanEqual", Form::Not, ">"},
    {"spirv.FUnordGreaterThan", Form::Not, "<="},
    {"spirv.FUnordGreaterThanEqual", Form::Not, "<"},
    {"spirv.Ordered", Form::Call, "isordered"},
    {"spirv.Unordered", Form::Call, "isunordered"},
    {"spirv.LogicalAnd", Form::Infix, "&&"},
    {"spirv.LogicalOr", Form::Infix, "||"},
    {"spirv.LogicalEqual", Form::Infix, "=="},
    {"spirv.LogicalNotEqual", Form::Infix, "!="},
    {"spirv.LogicalNot", Form::Prefix, "!"},
    {"spirv.CL.fma", Form::Call, "fma"},
    {"spirv.CL.fabs", Form::Call, "fabs"},
    {"spirv.CL.floor", Form::Call, "floor"},
    {"spirv.CL.ceil", Form::Call, "ceil"},
    {"spirv.CL.rint", Form::Call, "rint"},
    {"spirv.CL.sqrt", Form::Call, "precise::sqrt"},
    {"spirv.CL.u_min", Form::Call, "min"},
    {"spirv.CL.u_max", Form::Call, "max"},
    {"spirv.CL.s_min", Form::SignedCall, "min"},
    {"spirv.CL.s_max", Form::SignedCall, "max"},
    {"spirv.CL.s_abs", Form::SignedCall, "abs"},
    {"spirv.UConvert", Form::Convert, ""},
    {"spirv.ConvertUToF", Form::Convert, ""},
    {"spirv.ConvertFToU", Form::Convert, ""},
    {"spirv.ConvertSToF", Form::ConvertSigned, ""},
    {"spirv.ConvertFToS", Form::ConvertToSigned, ""},
    {"spirv.SConvert", Form::Extend, ""},
    {"spirv.Bitcast", Form::Bitcast, ""},
};

/// Returns the type in the text, or an empty string for a type that Metal does
/// not have.
std::string typeName(Type type, bool isSigned = false) {
  std::string name;
  Type element = getElementTypeOrSelf(type);
  if (element.isF32())
    name = "float";
  else if (element.isInteger(1))
    name = "bool";
  else if (element.isInteger())
    name = llvm::StringSwitch<std::string>(
               std::to_string(element.getIntOrFloatBitWidth()))
               .Case("8", "char")
               .Case("16", "short")
               .Case("32", "int")
               .Case("64", "long")
               .Default("");
  if (!name.empty() && element.isInteger() && !element.isInteger(1) &&
      !isSigned)
    name = "u" + name;
  auto vector = dyn_cast<VectorType>(type);
  if (name.empty() || !vector)
    return name;
  int64_t count = vector.getNumElements();
  return vector.getRank() == 1 && count >= 2 && count <= 4
             ? name + std::to_string(count)
             : "";
}

/// Returns the text of a number.
std::string literal(Attribute value) {
  if (auto number = dyn_cast<FloatAttr>(value)) {
    APFloat x = number.getValue();
    if (!x.isFinite())
      return formatv("as_type<float>({0:x}u)",
                     x.bitcastToAPInt().getZExtValue());
    SmallString<24> text;
    x.toString(text, /*FormatPrecision=*/0, /*FormatMaxPadding=*/0,
               /*TruncateZero=*/false);
    return (text + "f").str();
  }
  auto number = cast<IntegerAttr>(value);
  Type type = number.getType();
  uint64_t bits = number.getValue().getZExtValue();
  if (type.isInteger(1))
    return bits ? "true" : "false";
  if (type.isInteger(32))
    return std::to_string(bits) + "u";
  if (type.isInteger(64))
    return std::to_string(bits) + "ul";
  return typeName(type) + "(" + std::to_string(bits) + ")";
}

class Printer {
public:
  FailureOr<std::string> print(spirv::ModuleOp module) {
    text << kPrologue;
    for (auto variable : module.getOps<spirv::GlobalVariableOp>())
      globals[variable.getSymName()] = variable;
    for (auto mode : module.getOps<spirv::ExecutionModeOp>())
      if (mode.getExecutionMode() == spirv::ExecutionMode::LocalSize)
        threads[mode.getFn()] = cast<IntegerAttr>(mode.getValues()[0]).getInt();
    for (auto function : module.getOps<spirv::FuncOp>())
      if (failed(threads.contains(function.getName()) ? printKernel(function)
                                                      : printHelper(function)))
        return failure();
    return result;
  }

private:
  LogicalResult refuse(Operation *op) {
    return op->emitOpError("cannot be printed as Metal's source text");
  }

  raw_ostream &line() { return text.indent(2 * depth); }

  LogicalResult printKernel(spirv::FuncOp function) {
    names.clear();
    for (char c : function.getName())
      if (!isAlnum(c) && c != '_')
        return refuse(function);
    text << "\n[[max_total_threads_per_threadgroup("
         << threads[function.getName()] << ")]] kernel void\ntx_"
         << function.getName()
         << "(constant ulong *words [[buffer(0)]],\n"
            "    uint3 thread_index [[thread_position_in_threadgroup]],\n"
            "    uint3 block_index [[threadgroup_position_in_grid]]) {\n";
    depth = 1;
    if (failed(declareArrays(function)))
      return failure();
    for (BlockArgument argument : function.getArguments())
      define(argument, "ulong",
             formatv("words[{0}]", argument.getArgNumber()).str());
    if (failed(printOps(function.front())))
      return failure();
    text << "}\n";
    return success();
  }

  /// Prints a function that kernels call, with scalar arguments and a result.
  LogicalResult printHelper(spirv::FuncOp function) {
    names.clear();
    SmallVector<std::string> parameters;
    for (BlockArgument argument : function.getArguments()) {
      names[argument] = "v" + std::to_string(count++);
      parameters.push_back("const " + typeName(argument.getType()) + " " +
                           names[argument]);
    }
    text << "\nstatic " << typeName(function.getResultTypes()[0]) << " "
         << function.getName() << "(" << join(parameters, ", ") << ") {\n";
    depth = 1;
    if (failed(printOps(function.front())))
      return failure();
    text << "}\n";
    return success();
  }

  /// Declares the workgroup memory that a kernel uses.
  LogicalResult declareArrays(spirv::FuncOp function) {
    llvm::SmallDenseSet<Operation *> declared;
    WalkResult walked = function.walk([&](spirv::AddressOfOp op) {
      spirv::GlobalVariableOp variable = globals[op.getVariable()];
      auto type = cast<spirv::PointerType>(variable.getType());
      if (type.getStorageClass() != spirv::StorageClass::Workgroup ||
          !declared.insert(variable).second)
        return WalkResult::advance();
      auto array = dyn_cast<spirv::ArrayType>(type.getPointeeType());
      std::string element = array ? typeName(array.getElementType()) : "";
      if (element.empty()) {
        (void)refuse(op);
        return WalkResult::interrupt();
      }
      line() << "threadgroup " << element << " " << variable.getSymName() << "["
             << array.getNumElements() << "];\n";
      return WalkResult::advance();
    });
    return failure(walked.wasInterrupted());
  }

  void define(Value value, StringRef type, StringRef expression) {
    std::string name = "v" + std::to_string(count++);
    line() << "const " << type << " " << name << " = " << expression << ";\n";
    names[value] = name;
  }

  LogicalResult printOps(Block &block) {
    for (Operation &op : block)
      if (failed(printOp(op)))
        return failure();
    return success();
  }

  LogicalResult printOp(Operation &op) {
    return llvm::TypeSwitch<Operation *, LogicalResult>(&op)
        .Case<spirv::ConstantOp, spirv::VariableOp, spirv::AddressOfOp,
              spirv::ConvertUToPtrOp, spirv::PtrAccessChainOp,
              spirv::AccessChainOp, spirv::StoreOp, spirv::LoopOp,
              spirv::SelectionOp, spirv::ReturnValueOp>(
            [&](auto op) { return printThis(op); })
        // This is the end of a block. Its successor is printed next to it.
        .Case<spirv::BranchOp, spirv::BranchConditionalOp, spirv::MergeOp,
              spirv::ReturnOp>([&](auto) { return success(); })
        .Case([&](spirv::ControlBarrierOp) {
          line() << "threadgroup_barrier(mem_flags::mem_threadgroup | "
                    "mem_flags::mem_device);\n";
          return success();
        })
        .Default([&](Operation *op) {
          std::string type = op->getNumResults() == 1
                                 ? typeName(op->getResult(0).getType())
                                 : "";
          std::string expression = type.empty() ? "" : expressionOf(op, type);
          if (expression.empty())
            return refuse(op);
          define(op->getResult(0), type, expression);
          return success();
        });
  }

  LogicalResult printThis(spirv::ConstantOp op) {
    Attribute value = op.getValue();
    if (isa<spirv::ArrayType>(op.getType())) // it is printed where it is used
      return success();
    auto lanes = dyn_cast<DenseElementsAttr>(value);
    if (!lanes) {
      if (typeName(op.getType()).empty())
        return refuse(op);
      names[op] = literal(value);
      return success();
    }
    std::string type = typeName(op.getType());
    if (type.empty())
      return refuse(op);
    define(op, type, type + "(" + joinLiterals(lanes) + ")");
    return success();
  }

  static std::string joinLiterals(DenseElementsAttr lanes) {
    return join(map_range(lanes.getValues<Attribute>(), literal), ", ");
  }

  LogicalResult printThis(spirv::VariableOp op) {
    std::string name = "v" + std::to_string(count++);
    names[op] = name;
    Type pointee = cast<spirv::PointerType>(op.getType()).getPointeeType();
    auto array = dyn_cast<spirv::ArrayType>(pointee);
    std::string type = typeName(array ? array.getElementType() : pointee);
    if (type.empty())
      return refuse(op);
    raw_ostream &os = line() << type << " " << name;
    if (array)
      os << "[" << array.getNumElements() << "]";
    if (Value value = op.getInitializer()) {
      auto constant = value.getDefiningOp<spirv::ConstantOp>();
      auto lanes =
          constant ? dyn_cast<DenseElementsAttr>(constant.getValue()) : nullptr;
      if (array && lanes)
        os << " = {" << joinLiterals(lanes) << "}";
      else if (array)
        return refuse(op);
      else
        os << " = " << names[value];
    }
    os << ";\n";
    return success();
  }

  LogicalResult printThis(spirv::AddressOfOp op) {
    spirv::GlobalVariableOp variable = globals[op.getVariable()];
    if (std::optional<StringRef> id = variable.getBuiltIn())
      names[op] = *id == "LocalInvocationId" ? "ulong3(thread_index)"
                                             : "ulong3(block_index)";
    else
      names[op] = variable.getSymName().str();
    return success();
  }

  LogicalResult printThis(spirv::ConvertUToPtrOp op) {
    auto type = cast<spirv::PointerType>(op.getType());
    std::string element = typeName(type.getPointeeType());
    if (element.empty())
      return refuse(op);
    names[op] = formatv("reinterpret_cast<device {0} *>({1})", element,
                        names[op.getOperand()])
                    .str();
    return success();
  }
  LogicalResult printThis(spirv::PtrAccessChainOp op) {
    names[op] = names[op.getBasePtr()] + "[" + names[op.getElement()] + "]";
    return success();
  }
  LogicalResult printThis(spirv::AccessChainOp op) {
    if (op.getIndices().size() != 1)
      return refuse(op);
    names[op] = names[op.getBasePtr()] + "[" + names[op.getIndices()[0]] + "]";
    return success();
  }
  LogicalResult printThis(spirv::ReturnValueOp op) {
    line() << "return " << names[op.getValue()] << ";\n";
    return success();
  }
  LogicalResult printThis(spirv::StoreOp op) {
    line() << names[op.getPtr()] << " = " << names[op.getValue()] << ";\n";
    return success();
  }

  /// Prints a loop of ControlToSpirv.cpp, whose blocks are in the order in
  /// which they run. A conditional branch leaves the loop.
  LogicalResult printThis(spirv::LoopOp op) {
    line() << "for (;;) {\n";
    ++depth;
    for (Block &block : op.getBody()) {
      if (failed(printOps(block)))
        return failure();
      if (auto end =
              dyn_cast<spirv::BranchConditionalOp>(block.getTerminator())) {
        if (end.getFalseBlock() != op.getMergeBlock())
          return refuse(end);
        line() << "if (!" << names[end.getCondition()] << ")\n";
        line() << "  break;\n";
      }
    }
    --depth;
    line() << "}\n";
    return success();
  }

  LogicalResult printThis(spirv::SelectionOp op) {
    Block *header = op.getHeaderBlock(), *merge = op.getMergeBlock();
    auto end = dyn_cast<spirv::BranchConditionalOp>(header->getTerminator());
    if (!end)
      return refuse(op);
    if (failed(printOps(*header)))
      return failure();
    line() << "if (" << names[end.getCondition()] << ") {\n";
    auto fill = [&](Block *block) {
      ++depth;
      LogicalResult printed = printOps(*block);
      --depth;
      return printed;
    };
    if (end.getTrueBlock() != merge && failed(fill(end.getTrueBlock())))
      return failure();
    if (end.getFalseBlock() != merge) {
      line() << "} else {\n";
      if (failed(fill(end.getFalseBlock())))
        return failure();
    }
    line() << "}\n";
    return success();
  }

  /// Returns the text of an op, or an empty string if the op is not supported.
  std::string expressionOf(Operation *op, const std::string &type) {
    SmallVector<std::string> values;
    for (Value operand : op->getOperands())
      values.push_back(names[operand]);
    if (isa<spirv::LoadOp>(op))
      return values[0];
    if (auto call = dyn_cast<spirv::FunctionCallOp>(op))
      return (call.getCallee() + "(" + join(values, ", ") + ")").str();
    if (isa<spirv::SelectOp>(op))
      return isa<VectorType>(op->getOperand(0).getType())
                 ? formatv("select({2}, {1}, {0})", values[0], values[1],
                           values[2])
                       .str()
                 : formatv("{0} ? {1} : {2}", values[0], values[1], values[2])
                       .str();
    if (isa<spirv::CompositeConstructOp>(op))
      return type + "(" + join(values, ", ") + ")";
    if (auto extract = dyn_cast<spirv::CompositeExtractOp>(op))
      return formatv("{0}[{1}]", values[0],
                     cast<IntegerAttr>(extract.getIndices()[0]).getInt());
    if (auto shuffle = dyn_cast<spirv::VectorShuffleOp>(op))
      return shuffleText(shuffle, type);
    const Row *row = find_if(table, [&](const Row &row) {
      return row.op == op->getName().getStringRef();
    });
    return row == std::end(table)
               ? ""
               : formText(*row, type, op->getOperandTypes(),
                          op->getResult(0).getType(), values);
  }

  std::string shuffleText(spirv::VectorShuffleOp op, const std::string &type) {
    int64_t first =
        cast<VectorType>(op.getVector1().getType()).getNumElements();
    SmallVector<std::string> lanes;
    for (Attribute component : op.getComponents()) {
      int64_t i = cast<IntegerAttr>(component).getInt();
      bool isFirst = i < first;
      lanes.push_back(
          formatv("{0}[{1}]",
                  names[isFirst ? op.getVector1() : op.getVector2()],
                  isFirst ? i : i - first)
              .str());
    }
    return type + "(" + join(lanes, ", ") + ")";
  }

  static std::string formText(const Row &row, const std::string &type,
                              TypeRange operands, Type result,
                              ArrayRef<std::string> values) {
    SmallVector<std::string> asSigned;
    for (auto [operand, value] : zip_equal(operands, values))
      asSigned.push_back("as_type<" + typeName(operand, true) + ">(" + value +
                         ")");
    std::string text = row.text.str();
    std::string signedType = typeName(result, true);
    auto infix = [&](ArrayRef<std::string> v) {
      return v[0] + " " + text + " " + v[1];
    };
    switch (row.form) {
    case Form::Unsigned: {
      // C++ computes narrow scalars as int, whose overflow is undefined.
      bool isNarrow =
          isa<IntegerType>(result) && result.getIntOrFloatBitWidth() < 32;
      return isNarrow ? type + "(uint(" + values[0] + ") " + text + " uint(" +
                            values[1] + "))"
                      : infix(values);
    }
    case Form::Signed:
      return "as_type<" + type + ">(" + signedType + "(" + infix(asSigned) +
             "))";
    case Form::Infix:
      return infix(values);
    case Form::SignedCompare:
      return infix(asSigned);
    case Form::Not:
      return "!(" + infix(values) + ")";
    case Form::Prefix:
      // Parentheses are needed because the operand may be a negative literal.
      return type + "(" + text + "(" + values[0] + "))";
    case Form::Call:
      return text + "(" + join(values, ", ") + ")";
    case Form::SignedCall:
      return "as_type<" + type + ">(" + signedType + "(" + text + "(" +
             join(asSigned, ", ") + ")))";
    case Form::Convert:
      return type + "(" + values[0] + ")";
    case Form::ConvertSigned:
      return type + "(" + asSigned[0] + ")";
    case Form::ConvertToSigned:
      return "as_type<" + type + ">(" + signedType + "(" + values[0] + "))";
    case Form::Extend:
      return "as_type<" + type + ">(" + signedType + "(" + asSigned[0] + "))";
    case Form::Bitcast:
      return "as_type<" + type + ">(" + values[0] + ")";
    }
    llvm_unreachable("a form");
  }

  std::string result;
  llvm::raw_string_ostream text{result};
  // Text of each value, or of a location in memory.
  llvm::DenseMap<Value, std::string> names;
  llvm::StringMap<spirv::GlobalVariableOp> globals;
  llvm::StringMap<int64_t> threads; // number of threads of a block, by kernel
  unsigned depth = 0;
  unsigned count = 0; // number of names
};

} // namespace

FailureOr<std::string> printMetal(spirv::ModuleOp module) {
  return Printer().print(module);
}

} // namespace tensorc::codegen
