//===- CustomOps.cpp - Functions that the embedder registered -------------===//

#include "compiler/session/jit/CustomOps.h"

#include "compiler/session/jit/NumberChecks.h"

#include "runtime/include/tensorc/communicator.h"

#include "llvm/ADT/StringExtras.h"

#include <deque>
#include <exception>
#include <map>
#include <mutex>

namespace tensorc::jit {

namespace {
struct Registry {
  std::mutex mutex;
  std::map<std::string, CustomOp> ops; // nodes never move

  /// The runtime already has its built-in ops.
  Registry() {
    add({"check_numerics", "", tensorc_rt_check_numerics, nullptr, nullptr});
    add({"collective", "", tensorc_rt_collective_op, nullptr, nullptr});
    add({"debug_print", "", tensorc_rt_debug_print, nullptr, nullptr});
    add({"x[mask] = values", "", tensorc_rt_check_mask, nullptr, nullptr});
  }
  void add(CustomOp op) {
    std::string name = op.name;
    ops.emplace(std::move(name), std::move(op));
  }

  static Registry &get() {
    static auto *registry = new Registry;
    return *registry;
  }
};
} // namespace

/// The op whose function the thread is running.
static thread_local const CustomOp *running = nullptr;

static tensorc_rt_status *callFunction(const CustomOp &op,
                                       tensorc_rt_op_call call) {
  struct Running {
    const CustomOp *outer;
    explicit Running(const CustomOp &op) : outer(std::exchange(running, &op)) {}
    ~Running() { running = outer; }
  } scope(op);
  call.user = op.user;
  return op.function(&call);
}

Status checkOutsideCustomOp() {
  if (!running)
    return nullptr;
  return makeStatus(TENSORC_RT_FAILED_PRECONDITION,
                    "eval: the function of '" + running->name +
                        "' cannot evaluate tensors; pass them as inputs");
}

Status registerCustomOp(CustomOp op) {
  if (op.name.empty() || !op.function)
    return makeStatus(TENSORC_RT_INVALID_ARGUMENT,
                      "custom_op: needs a name and a function");
  Registry &registry = Registry::get();
  std::scoped_lock lock(registry.mutex);
  auto [entry, isNew] = registry.ops.try_emplace(op.name, op);
  auto call = [](const tensorc_rt_op_call *call) {
    return callFunction(*static_cast<const CustomOp *>(call->user), *call);
  };
  // The runtime refuses a name that is already registered.
  Status status(tensorc_rt_register_op(op.name.c_str(), call, &entry->second));
  if (status && isNew)
    registry.ops.erase(entry);
  return status;
}

const CustomOp *findCustomOp(const std::string &name) {
  Registry &registry = Registry::get();
  std::scoped_lock lock(registry.mutex);
  auto found = registry.ops.find(name);
  return found == registry.ops.end() ? nullptr : &found->second;
}

namespace {
/// Arrays in the form in which a function takes them.
class CallArrays {
public:
  void add(const reference::Array &array) {
    buffers.push_back(reference::pack(array));
    arrays.push_back(
        {buffers.back().data(), static_cast<tensorc_rt_dtype>(array.dtype),
         static_cast<int32_t>(array.shape.size()), array.shape.data()});
  }
  /// Copies the outputs that the function has written.
  void copyTo(llvm::MutableArrayRef<reference::Array> outputs) {
    for (auto [output, buffer] : llvm::zip(outputs, buffers))
      reference::unpack(output, buffer.data());
  }

  llvm::SmallVector<tensorc_rt_array> arrays;

private:
  std::deque<std::vector<uint8_t>> buffers;
};
} // namespace

bool callCustomOp(llvm::StringRef name, llvm::StringRef config,
                  llvm::ArrayRef<reference::Array> inputs,
                  llvm::MutableArrayRef<reference::Array> outputs,
                  std::string &message) {
  const CustomOp *op = findCustomOp(name.str());
  if (!op) {
    message = "is not registered";
    return false;
  }
  CallArrays in, out;
  for (const reference::Array &array : inputs)
    in.add(array);
  for (const reference::Array &array : outputs)
    out.add(array);
  std::string text = config.str();
  tensorc_rt_op_call call = {sizeof call,
                             op->user,
                             nullptr,
                             static_cast<int32_t>(inputs.size()),
                             static_cast<int32_t>(outputs.size()),
                             in.arrays.data(),
                             out.arrays.data(),
                             text.c_str()};
  try {
    Status status(callFunction(*op, call));
    if (status)
      message = tensorc_rt_status_message(status.get());
    else
      out.copyTo(outputs);
    return !status;
  } catch (const std::exception &exception) {
    message = exception.what();
  } catch (...) {
    message = "an unknown exception";
  }
  return false;
}

Status located(
    Status status,
    llvm::ArrayRef<std::pair<const char *, graph::SourceLocation>> customCalls,
    graph::SourceLocation otherwise) {
  llvm::StringRef message = tensorc_rt_status_message(status.get());
  if (Status found = numbersErrorInBlock(message, customCalls))
    return found;
  for (auto [name, location] : customCalls) {
    llvm::StringRef rest = message;
    rest.consume_front("compile: ");
    if (!rest.consume_front(name))
      continue;
    // Kernels with the same name are distinguished by a number.
    if (rest.consume_front("_"))
      rest = rest.drop_while(llvm::isDigit);
    if (!rest.consume_front(": "))
      continue;
    // Source location of the call, recorded at compile time.
    if (rest.contains("  at "))
      return makeStatus(tensorc_rt_status_code(status.get()),
                        (llvm::Twine(name) + ": " + rest).str());
    graph::Recorder r(location);
    r.fail(name, rest);
    return makeStatus(tensorc_rt_status_code(status.get()), r.error);
  }
  graph::Recorder r(otherwise);
  r.fail("eval", message);
  return makeStatus(tensorc_rt_status_code(status.get()), r.error);
}

} // namespace tensorc::jit
