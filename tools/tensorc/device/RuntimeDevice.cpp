//===- RuntimeDevice.cpp - Runs packages with the runtime -----------------===//

#include "tools/tensorc/device/Device.h"
#include "tools/tensorc/device/RuntimeHandles.h"

#include <cstring>

using namespace mlir;
using tensorc::reference::Array;

namespace tensorc::tool {

namespace {
class RuntimeExecutable final : public Executable {
public:
  explicit RuntimeExecutable(tensorc_rt_device *device) : device(device) {}

  bool loadFile(const std::string &path, StringRef entryName);
  bool loadBytes(StringRef bytes, StringRef entryName);
  FailureOr<std::vector<Array>> run(ArrayRef<Array> arguments) override;

private:
  tensorc_rt_device *device;
  ModuleHandle module;
  const tensorc_rt_entry *entry = nullptr;
  /// The arguments' buffers, which are kept between runs.
  std::vector<BufferHandle> buffers;

  bool take(tensorc_rt_module *loaded, StringRef entryName);
  bool bind(ArrayRef<Array> arguments, std::vector<tensorc_rt_arg> &args);
  FailureOr<Array> fetch(const tensorc_rt_output &output);
  /// Like `ok`, for the calls of a run.
  bool succeeds(tensorc_rt_status *status);
};
} // namespace

bool RuntimeExecutable::succeeds(tensorc_rt_status *status) {
  outOfMemory =
      status && tensorc_rt_status_code(status) == TENSORC_RT_OUT_OF_MEMORY;
  return ok(status);
}

bool RuntimeExecutable::loadFile(const std::string &path, StringRef entryName) {
  tensorc_rt_module *loaded;
  return ok(tensorc_rt_load(device, path.c_str(), &loaded)) &&
         take(loaded, entryName);
}

bool RuntimeExecutable::loadBytes(StringRef bytes, StringRef entryName) {
  tensorc_rt_module *loaded;
  return ok(tensorc_rt_load_bytes(device, bytes.data(), bytes.size(),
                                  TENSORC_RT_COPY, nullptr, nullptr,
                                  &loaded)) &&
         take(loaded, entryName);
}

bool RuntimeExecutable::take(tensorc_rt_module *loaded, StringRef entryName) {
  module.reset(loaded);
  std::string name = entryName.str();
  return ok(tensorc_rt_module_find(
      loaded, name.empty() ? nullptr : name.c_str(), &entry));
}

/// Copies the arguments to the device. A buffer that is large enough is reused.
bool RuntimeExecutable::bind(ArrayRef<Array> arguments,
                             std::vector<tensorc_rt_arg> &args) {
  buffers.resize(arguments.size());
  for (auto [i, array] : llvm::enumerate(arguments)) {
    tensorc_rt_value_info info;
    if (!succeeds(tensorc_rt_entry_input(entry, i, &info)))
      return false;
    tensorc_rt_arg arg = {};
    if (info.is_scalar) {
      std::memcpy(&arg.word, array.bytes.data(), array.bytes.size());
    } else {
      BufferHandle &buffer = buffers[i];
      std::vector<uint8_t> packed;
      if (tx::isPacked(array.dtype))
        packed = reference::pack(array);
      ArrayRef<uint8_t> bytes =
          tx::isPacked(array.dtype) ? packed : array.bytes;
      if (!buffer || tensorc_rt_buffer_size(buffer.get()) < bytes.size()) {
        tensorc_rt_buffer *fresh;
        if (!succeeds(tensorc_rt_buffer_allocate(device, bytes.size(), &fresh)))
          return false;
        buffer.reset(fresh);
      }
      if (!succeeds(tensorc_rt_buffer_write(buffer.get(), 0, bytes.data(),
                                            bytes.size(), nullptr)))
        return false;
      arg.buffer = buffer.get();
      arg.dims = array.shape.data();
      arg.rank = array.shape.size();
      arg.dtype = toRuntime(array.dtype);
    }
    args.push_back(arg);
  }
  return true;
}

FailureOr<Array> RuntimeExecutable::fetch(const tensorc_rt_output &output) {
  std::optional<Array> array = Array::create(
      fromRuntime(output.dtype), ArrayRef<int64_t>(output.dims, output.rank));
  if (!array)
    return refuse("not enough memory for an output"), failure();
  std::vector<uint8_t> packed;
  bool isPacked = tx::isPacked(array->dtype);
  if (isPacked)
    packed.resize(tx::bytesOf(array->dtype, array->size()));
  MutableArrayRef<uint8_t> bytes = isPacked ? packed : array->bytes;
  if (!succeeds(tensorc_rt_buffer_read(output.buffer, 0, bytes.data(),
                                       bytes.size(), nullptr)))
    return failure();
  if (isPacked)
    reference::unpack(*array, packed.data());
  return std::move(*array);
}

FailureOr<std::vector<Array>>
RuntimeExecutable::run(ArrayRef<Array> arguments) {
  std::vector<tensorc_rt_arg> args;
  if (!bind(arguments, args))
    return failure();
  std::vector<tensorc_rt_output> outputs(tensorc_rt_entry_output_count(entry));
  if (!succeeds(tensorc_rt_run(entry, args.data(), args.size(), outputs.data(),
                               outputs.size(), nullptr)))
    return failure();
  std::vector<BufferHandle> owned;
  for (tensorc_rt_output &output : outputs)
    owned.emplace_back(output.buffer);
  std::vector<Array> arrays;
  for (const tensorc_rt_output &output : outputs) {
    FailureOr<Array> array = fetch(output);
    if (failed(array))
      return failure();
    arrays.push_back(std::move(*array));
  }
  return arrays;
}

template <typename Load>
static std::unique_ptr<Executable> loadOn(StringRef deviceName, Load load) {
  tensorc_rt_device *device;
  if (!ok(tensorc_rt_device_find(deviceName.str().c_str(), &device)))
    return nullptr;
  auto executable = std::make_unique<RuntimeExecutable>(device);
  if (!load(*executable))
    return nullptr;
  return executable;
}

std::unique_ptr<Executable> loadPackageFile(const std::string &path,
                                            StringRef entry, StringRef device) {
  return loadOn(device, [&](RuntimeExecutable &executable) {
    return executable.loadFile(path, entry);
  });
}

std::unique_ptr<Executable> loadPackage(std::string bytes, StringRef entry,
                                        StringRef device) {
  return loadOn(device, [&](RuntimeExecutable &executable) {
    return executable.loadBytes(bytes, entry);
  });
}

} // namespace tensorc::tool
