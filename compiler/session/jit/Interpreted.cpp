//===- Interpreted.cpp - Expressions run by the reference interpreter -----===//

#include "compiler/session/jit/CustomOps.h"
#include "compiler/session/jit/Executable.h"

#include "ir/reference/Interpreter.h"

#include "mlir/IR/Diagnostics.h"

#include <cstring>
#include <mutex>

using namespace mlir;

namespace tensorc::jit {

namespace {
class InterpretedExecutable : public Executable {
public:
  InterpretedExecutable(std::shared_ptr<MLIRContext> context,
                        OwningOpRef<ModuleOp> module, tensorc_rt_device *device)
      : context(std::move(context)), module(std::move(module)), device(device) {
    kernels.push_back("reference");
  }

  Status run(llvm::ArrayRef<tensorc_rt_arg> arguments,
             llvm::MutableArrayRef<tensorc_rt_output> outputs,
             const RunMemory &memory) const override;

  Status measure(llvm::ArrayRef<tensorc_rt_arg>,
                 tensorc_rt_memory_plan &) const override {
    return makeStatus(TENSORC_RT_UNSUPPORTED,
                      "the reference interpreter plans no memory");
  }

private:
  Status store(const reference::Array &array, tensorc_rt_buffer *given,
               tensorc_rt_output &output) const;

  std::shared_ptr<MLIRContext> context;
  mutable OwningOpRef<ModuleOp> module;
  tensorc_rt_device *device;
  mutable std::mutex mutex; // guards the context, whose diagnostics are shared
};
} // namespace

static reference::Array toArray(const tensorc_rt_arg &argument, Type type) {
  reference::Array array;
  if (!argument.buffer) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    array.dtype = tensor ? *reference::dtypeOf(tensor.getElementType())
                         : reference::DType::I64;
    array.bytes.resize(reference::byteWidth(array.dtype));
    std::memcpy(array.bytes.data(), &argument.word, array.bytes.size());
    return array;
  }
  array.dtype = static_cast<reference::DType>(argument.dtype);
  array.shape.assign(argument.dims, argument.dims + argument.rank);
  const auto *data =
      static_cast<const uint8_t *>(tensorc_rt_buffer_data(argument.buffer));
  int64_t bytes = reference::byteWidth(array.dtype);
  for (int64_t dim : array.shape)
    bytes *= dim;
  array.bytes.resize(bytes);
  reference::unpack(array, data);
  return array;
}

Status InterpretedExecutable::store(const reference::Array &array,
                                    tensorc_rt_buffer *given,
                                    tensorc_rt_output &output) const {
  output = {};
  std::vector<uint8_t> bytes = reference::pack(array);
  if (given)
    tensorc_rt_buffer_retain(output.buffer = given);
  else if (Status status{tensorc_rt_buffer_allocate(device, bytes.size(),
                                                    &output.buffer)})
    return status;
  // Arrays without elements have no memory.
  if (Status status{tensorc_rt_buffer_write(output.buffer, 0, bytes.data(),
                                            bytes.size(), nullptr)})
    return status;
  output.dtype = static_cast<tensorc_rt_dtype>(array.dtype);
  output.rank = array.shape.size();
  llvm::copy(array.shape, output.dims);
  return nullptr;
}

Status
InterpretedExecutable::run(llvm::ArrayRef<tensorc_rt_arg> arguments,
                           llvm::MutableArrayRef<tensorc_rt_output> outputs,
                           const RunMemory &memory) const {
  // Runs on other streams of the thread may still be computing the arguments.
  for (const tensorc_rt_arg &argument : arguments)
    if (argument.buffer)
      if (Status status{tensorc_rt_buffer_synchronize(argument.buffer)})
        return status;
  std::scoped_lock lock(mutex);
  auto function = *module->getOps<func::FuncOp>().begin();
  std::vector<reference::Array> inputs;
  for (auto [argument, type] :
       llvm::zip(arguments, function.getArgumentTypes()))
    inputs.push_back(toArray(argument, type));
  std::string messages;
  ScopedDiagnosticHandler handler(context.get(), [&](Diagnostic &diagnostic) {
    messages += diagnostic.str();
    return success();
  });
  FailureOr<std::vector<reference::Array>> results =
      reference::evaluate(function, inputs, callCustomOp);
  if (failed(results))
    return makeStatus(TENSORC_RT_FAILED_PRECONDITION, messages);
  for (auto [i, array, output] : llvm::enumerate(*results, outputs))
    if (Status status =
            store(array, memory.outputs.empty() ? nullptr : memory.outputs[i],
                  output)) {
      for (tensorc_rt_output &done : outputs)
        tensorc_rt_buffer_release(std::exchange(done.buffer, nullptr));
      return status;
    }
  return nullptr;
}

std::shared_ptr<Executable> interpret(std::shared_ptr<MLIRContext> context,
                                      OwningOpRef<ModuleOp> module,
                                      tensorc_rt_device *device) {
  return std::make_shared<InterpretedExecutable>(std::move(context),
                                                 std::move(module), device);
}

} // namespace tensorc::jit
