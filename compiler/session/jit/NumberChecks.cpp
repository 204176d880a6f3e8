//===- NumberChecks.cpp - Finds the op that produces a NaN or an infinity -===//

#include "compiler/session/jit/NumberChecks.h"

#include "compiler/graph/LiveHandles.h"
#include "compiler/graph/module/Regions.h"
#include "compiler/session/jit/CustomOps.h"
#include "compiler/session/jit/Streams.h"
#include "ir/tx/Kernel.h"
#include "ir/tx/Tx.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"

#include <cstdlib>

namespace tensorc::jit {

using graph::Node;
using graph::OpKind;

namespace {
struct Nonfinite {
  bool nan = false, infinity = false;

  void add(Nonfinite other) {
    nan |= other.nan;
    infinity |= other.infinity;
  }
  bool arisesFrom(Nonfinite operands) const {
    return (nan && !operands.nan) ||
           (infinity && !operands.infinity && !operands.nan);
  }
};

class Search {
public:
  Search(llvm::function_ref<tensorc_rt_buffer *(const Node &)> valueOf)
      : valueOf(valueOf) {}

  void add(const Node &node, tensorc_rt_buffer *value) {
    values[&node] = value;
  }
  /// Returns an error if the node's value has NaNs or infinities that do not
  /// stem from its operands.
  Status check(const Node &node);

private:
  Nonfinite in(const Node &node, Status &status);
  Nonfinite inOperands(const Node &node, Status &status);

  llvm::function_ref<tensorc_rt_buffer *(const Node &)> valueOf;
  llvm::DenseMap<const Node *, tensorc_rt_buffer *> values;
  llvm::DenseMap<const Node *, Nonfinite> known;
};
} // namespace

static Status read(tensorc_rt_buffer *buffer, std::string &bytes) {
  bytes.resize(tensorc_rt_buffer_size(buffer));
  return Status(
      tensorc_rt_buffer_read(buffer, 0, bytes.data(), bytes.size(),
                             currentStream(tensorc_rt_buffer_device(buffer))));
}

static tensorc_rt_array arrayOf(const Node &node, const void *data) {
  return {const_cast<void *>(data), static_cast<tensorc_rt_dtype>(node.dtype()),
          static_cast<int32_t>(node.rank()), node.shape().data()};
}

static Nonfinite scan(const tensorc_rt_array &array) {
  tensorc_rt_nonfinite found;
  Status ignored(tensorc_rt_array_nonfinite(&array, &found));
  return {found.nans > 0, found.infinities > 0};
}

/// Returns the part of a message that describes the op's operands.
static const char *ofOperands(Nonfinite operands) {
  return operands.infinity ? ", of operands with infinities"
                           : ", of finite operands";
}

Nonfinite Search::inOperands(const Node &node, Status &status) {
  Nonfinite result;
  for (const Node *operand : graph::operandsOf(node))
    result.add(in(*operand, status));
  return result;
}

/// Returns the kinds of nonfinite numbers in a node's value. Nodes without a
/// buffer are constants, views or custom calls.
Nonfinite Search::in(const Node &node, Status &status) {
  if (auto it = known.find(&node); it != known.end())
    return it->second;
  Nonfinite result;
  tensorc_rt_buffer *value = values.lookup(&node);
  if (!value && graph::isArgument(node))
    value = valueOf(node);
  if (value) {
    std::string bytes;
    if ((graph::isFloat(node.dtype()) || graph::isComplex(node.dtype())) &&
        !status && !(status = read(value, bytes)))
      result = scan(arrayOf(node, bytes.data()));
  } else if (node.op() == OpKind::Full) {
    tensorc_rt_array array = arrayOf(node, node.words().data());
    array.rank = 0;
    result = scan(array);
  } else {
    result = inOperands(node, status);
  }
  known[&node] = result;
  return result;
}

Status Search::check(const Node &node) {
  Status status;
  Nonfinite found = in(node, status);
  if (status || (!found.nan && !found.infinity))
    return status;
  // A CustomResult's operand is the CustomCall; the operands of the call are
  // checked.
  const Node *op = &node;
  while (op->op() == OpKind::CustomResult && !graph::operandsOf(*op).empty())
    op = graph::operandsOf(*op)[0];
  Nonfinite before = inOperands(*op, status);
  if (status || !found.arisesFrom(before))
    return status;
  std::string bytes;
  if ((status = read(values.lookup(&node), bytes)))
    return status;
  tensorc_rt_array array = arrayOf(node, bytes.data());
  Status text(tensorc_rt_array_check_finite(&array));
  graph::Recorder r(node.location());
  r.fail(graph::traits(op->op()).apiName,
         llvm::Twine(tensorc_rt_status_message(text.get())) +
             ofOperands(before));
  return makeStatus(TENSORC_RT_FAILED_PRECONDITION, r.error);
}

Status
checkNumbers(llvm::ArrayRef<Node *> nodes,
             llvm::ArrayRef<tensorc_rt_output> outputs, CallPlaces customCalls,
             llvm::function_ref<tensorc_rt_buffer *(const Node &)> valueOf) {
  if (!checksNumbers())
    return nullptr;
  std::scoped_lock lock(graph::graphMutex());
  Search search(valueOf);
  for (auto [node, output] : llvm::zip(nodes, outputs))
    search.add(*node, output.buffer);
  Status status;
  for (Node *node : nodes)
    if ((status = search.check(*node)))
      break;
  if (status)
    if (Status found = numbersErrorInBlock(
            tensorc_rt_status_message(status.get()), customCalls))
      status = std::move(found);
  for (const tensorc_rt_output &output : outputs)
    if (status)
      tensorc_rt_buffer_release(output.buffer);
  return status;
}

//===----------------------------------------------------------------------===//
// In blocks
//===----------------------------------------------------------------------===//

static constexpr llvm::StringLiteral checkName = "tensorc.check_numbers";

/// The custom call that checks the result of an op. Its inputs are the op's
/// result and operands; it returns the result. The config contains the number
/// of the surrounding loop, branch or function, and the name of the op.
static tensorc_rt_status *checkMade(const tensorc_rt_op_call *call) {
  tensorc_rt_op_call first = *call;
  first.input_count = 1;
  first.config = "";
  Status text(tensorc_rt_check_numerics(&first));
  if (tensorc_rt_status_code(text.get()) != TENSORC_RT_CUSTOM_CALL)
    return text.release();
  Nonfinite before;
  for (int32_t i = 1; i < call->input_count; ++i)
    before.add(scan(call->inputs[i]));
  if (!scan(call->inputs[0]).arisesFrom(before))
    return nullptr;
  std::string message = call->config;
  message += std::string(": ") + tensorc_rt_status_message(text.get());
  return makeStatus(TENSORC_RT_CUSTOM_CALL, message + ofOperands(before))
      .release();
}

static bool isChecked(mlir::Value value) {
  auto type = dyn_cast<mlir::RankedTensorType>(value.getType());
  return type && isa<mlir::FloatType, mlir::ComplexType>(type.getElementType());
}

/// Returns the op's name in the API.
static std::string nameOf(mlir::Operation *op) {
  if (auto call = dyn_cast<tx::CustomCallOp>(op))
    return call.getName().str();
  if (auto call = dyn_cast<tx::KernelCallOp>(op))
    return call.getKernel().str();
  static const auto *names = [] {
    auto *all = new llvm::StringMap<const char *>;
#define TENSORC_OP(kind, name, apiName, ...) (*all)[name] = apiName;
#include "compiler/graph/OpKinds.inc"
#undef TENSORC_OP
    return all;
  }();
  llvm::StringRef name = op->getName().stripDialect();
  const char *known = names->lookup(name);
  return known ? known : name.str();
}

static void checkResults(mlir::Operation *op, unsigned number) {
  mlir::OpBuilder b(op->getContext());
  b.setInsertionPointAfter(op);
  llvm::SmallVector<mlir::Value> operands =
      llvm::to_vector(llvm::make_filter_range(op->getOperands(), isChecked));
  for (mlir::Value result :
       llvm::make_filter_range(op->getResults(), isChecked)) {
    llvm::SmallVector<mlir::Value> inputs = {result};
    llvm::append_range(inputs, operands);
    auto check = tx::CustomCallOp::create(
        b, op->getLoc(), result.getType(), b.getStringAttr(checkName), inputs,
        b.getStringAttr(std::to_string(number) + " " + nameOf(op)),
        mlir::StringAttr());
    result.replaceAllUsesExcept(check.getResult(0), check);
  }
}

static void checkBlocks(mlir::Operation *op, unsigned number) {
  for (mlir::Region &region : op->getRegions())
    for (mlir::Operation &inner : llvm::make_early_inc_range(region.getOps()))
      if (graph::hasRegions(inner.getName().getStringRef()))
        checkBlocks(&inner, number);
      else if (!isa<tx::ConstantOp>(inner))
        checkResults(&inner, number);
}

bool checksNumbers() {
  static const bool isOn = [] {
    llvm::SmallVector<llvm::StringRef> words;
    if (const char *text = secure_getenv("TENSORC_CHECK"))
      llvm::StringRef(text).split(words, ',');
    if (!llvm::is_contained(words, "nan"))
      return false;
    // The function must be registered before a program that calls it is loaded.
    Status ignored =
        registerCustomOp({checkName.str(), "", checkMade, nullptr, nullptr});
    return true;
  }();
  return isOn;
}

void checkNumbersInBlocks(mlir::ModuleOp module) {
  if (!checksNumbers())
    return;
  auto main = module.lookupSymbol<mlir::func::FuncOp>("main");
  unsigned number = 0;
  for (mlir::Operation &op : main.getOps()) {
    bool hasBlocks = graph::hasRegions(op.getName().getStringRef());
    if (hasBlocks)
      checkBlocks(&op, number);
    if (hasBlocks || isa<tx::CustomCallOp, tx::KernelCallOp>(op))
      ++number;
  }
}

Status numbersErrorInBlock(llvm::StringRef message, CallPlaces customCalls) {
  unsigned number;
  if (!message.consume_front(checkName) || !message.consume_front(": ") ||
      message.consumeInteger(10, number) || number >= customCalls.size())
    return nullptr;
  auto [name, text] = message.ltrim().split(": ");
  graph::Recorder r(customCalls[number].second);
  r.fail(name, text);
  return makeStatus(TENSORC_RT_FAILED_PRECONDITION, r.error);
}

} // namespace tensorc::jit
