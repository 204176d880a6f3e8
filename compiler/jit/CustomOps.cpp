//===- CustomOps.cpp - Functions that the embedder registered -------------===//

#include "compiler/jit/CustomOps.h"

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

  static Registry &get() {
    static auto *registry = new Registry;
    return *registry;
  }
};
} // namespace

Status registerCustomOp(CustomOp op) {
  if (op.name.empty() || !op.function)
    return makeStatus(TENSORC_RT_INVALID_ARGUMENT,
                      "custom_op: needs a name and a function");
  Registry &registry = Registry::get();
  std::scoped_lock lock(registry.mutex);
  // It refuses a name that is taken.
  if (auto *status =
          tensorc_rt_register_op(op.name.c_str(), op.function, op.user))
    return Status(status);
  std::string name = op.name;
  registry.ops.emplace(std::move(name), std::move(op));
  return nullptr;
}

const CustomOp *findCustomOp(const std::string &name) {
  Registry &registry = Registry::get();
  std::scoped_lock lock(registry.mutex);
  auto found = registry.ops.find(name);
  return found == registry.ops.end() ? nullptr : &found->second;
}

namespace {
/// Arrays as a function takes them.
class CallArrays {
public:
  void add(const reference::Array &array) {
    buffers.push_back(reference::pack(array));
    arrays.push_back(
        {buffers.back().data(), static_cast<tensorc_rt_dtype>(array.dtype),
         static_cast<int32_t>(array.shape.size()), array.shape.data()});
  }
  /// What the function has written.
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
    Status status(op->function(&call));
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
  for (auto [name, location] : customCalls) {
    llvm::StringRef rest = message;
    rest.consume_front("compile: ");
    if (!rest.consume_front(name))
      continue;
    // Kernels of one name are told apart by a number.
    if (rest.consume_front("_"))
      rest = rest.drop_while(llvm::isDigit);
    if (!rest.consume_front(": "))
      continue;
    if (rest.contains("  at ")) // of the call, from its compilation
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
