//===- FuzzPackage.cpp - any bytes for the loader and the interpreter -----===//
//
// Input that begins like a package is loaded, as it is and then with a hash
// that fits, so that the loader looks further. Any other input is read as the
// code of a program, most of whose operands are in range. What loads also runs;
// kernels do nothing.
//
//===----------------------------------------------------------------------===//
#include "runtime/abi/Format.h"
#include "runtime/core/images/NativeImage.h"
#include "runtime/cts/TestPackage.h"

#include <algorithm>
#include <chrono>
#include <cstring>

using namespace tensorc::rt;
using namespace tensorc::rt::cts;

/// In place of the system's loader, which trusts what it maps.
Status tensorc::rt::loadNativeImage(std::span<const char>,
                                    std::span<const std::string> kernels,
                                    std::unique_ptr<Image> &out) {
  CpuKernel nothing = [](const Word *, int64_t, int64_t, void *) {};
  out = std::make_unique<Image>();
  out->kernels.assign(kernels.size(), reinterpret_cast<const void *>(nothing));
  return Status();
}

//===----------------------------------------------------------------------===//
// Running what was loaded
//===----------------------------------------------------------------------===//

static constexpr uint64_t memoryLimit = uint64_t(4) << 20;
static constexpr size_t largestArgument = size_t(1) << 16;

static void release(std::vector<tensorc_rt_arg> &args) {
  for (tensorc_rt_arg &arg : args)
    tensorc_rt_buffer_release(arg.buffer);
}

/// Makes an argument that fits; false when it would be too large.
static bool makeArgument(tensorc_rt_device *device,
                         const tensorc_rt_value_info &info,
                         std::vector<int64_t> &dims, tensorc_rt_arg &arg) {
  arg = {nullptr, 3, nullptr, 0, TENSORC_RT_NONE};
  if (info.is_scalar)
    return true;
  for (int32_t i = 0; i < info.rank; ++i)
    dims.push_back(info.dims[i] < 0 ? 3 : info.dims[i]);
  arg.dims = dims.data();
  arg.rank = info.rank;
  arg.dtype = info.dtype;
  size_t size = 0;
  tensorc_rt_status *status =
      tensorc_rt_byte_size(info.dtype, info.rank, dims.data(), &size);
  bool fits = !status && size <= largestArgument;
  tensorc_rt_status_free(status);
  if (!fits)
    return false;
  status = tensorc_rt_buffer_allocate(device, size, &arg.buffer);
  tensorc_rt_status_free(status);
  if (arg.buffer)
    std::memset(tensorc_rt_buffer_data(arg.buffer), 1, size);
  return arg.buffer != nullptr;
}

static void runEntry(tensorc_rt_device *device, const tensorc_rt_entry *entry) {
  constexpr int32_t most = 64;
  int32_t inputs = tensorc_rt_entry_input_count(entry);
  int32_t outputs = tensorc_rt_entry_output_count(entry);
  if (inputs > most || outputs > most)
    return;
  std::vector<tensorc_rt_arg> args(static_cast<size_t>(inputs));
  std::vector<std::vector<int64_t>> dims(args.size());
  for (int32_t i = 0; i < inputs; ++i) {
    tensorc_rt_value_info info;
    auto at = static_cast<size_t>(i);
    if (!take(tensorc_rt_entry_input(entry, i, &info)).empty())
      __builtin_trap();
    if (!makeArgument(device, info, dims[at], args[at]))
      return release(args);
  }
  std::vector<tensorc_rt_output> results(static_cast<size_t>(outputs));
  // A loop of launches ends by its deadline only.
  tensorc_rt_run_options options = {};
  options.struct_size = sizeof options;
  auto end = std::chrono::steady_clock::now() + std::chrono::seconds(1);
  options.deadline_ns =
      std::chrono::nanoseconds(end.time_since_epoch()).count();
  tensorc_rt_status *status = tensorc_rt_run_with(
      entry, args.data(), inputs, results.data(), outputs, nullptr, &options);
  for (tensorc_rt_output &result : results) {
    if ((status == nullptr) != (result.buffer != nullptr))
      __builtin_trap();
    tensorc_rt_buffer_release(result.buffer);
  }
  tensorc_rt_status_free(status);
  release(args);
}

static void loadAndRun(tensorc_rt_device *device, std::string_view bytes) {
  tensorc_rt_module *module = nullptr;
  tensorc_rt_status *status =
      tensorc_rt_load_bytes(device, bytes.data(), bytes.size(), TENSORC_RT_COPY,
                            nullptr, nullptr, &module);
  if ((status == nullptr) != (module != nullptr))
    __builtin_trap();
  tensorc_rt_status_free(status);
  if (!module)
    return;
  tensorc_rt_status_free(tensorc_rt_module_verify(module));
  for (int32_t i = 0; i < std::min(tensorc_rt_module_entry_count(module), 8);
       ++i)
    runEntry(device, tensorc_rt_module_entry(module, i));
  tensorc_rt_module_release(module);
  tensorc_rt_memory_stats stats;
  tensorc_rt_device_memory(device, &stats);
  if (stats.allocated)
    __builtin_trap(); // Something was not released.
}

//===----------------------------------------------------------------------===//
// Input
//===----------------------------------------------------------------------===//

namespace {
/// Bytes as numbers; zeros at the end.
struct Reader {
  const uint8_t *next, *end;
  uint8_t byte() { return next < end ? *next++ : 0; }
  /// Mostly in [0, bound), now and then anything.
  uint32_t below(uint32_t bound) {
    uint8_t value = byte();
    return value < 0xf0 ? value % bound : value << (value & 31);
  }
};
} // namespace

static void operand(char kind, Reader &in, std::vector<uint32_t> &out) {
  if (kind != 'i')
    return out.push_back(in.below(4));
  static constexpr uint32_t immediates[] = {
      0, 1, 2, 4, 8, 16, 3, 7, 64, 255, INT32_MAX, UINT32_MAX};
  out.push_back(immediates[in.byte() % std::size(immediates)]);
}

static void tail(Op op, Reader &in, std::vector<uint32_t> &out) {
  if (op == Op::Alloc) // No entry of these has inputs to reuse.
    return;
  if (op == Op::CustomCall) {
    uint32_t counts[3] = {in.byte() % 3u, in.byte() % 3u, in.byte() % 3u};
    out.insert(out.end(), counts, counts + 3);
    for (uint32_t i = 0; i < counts[0] + counts[1] + counts[2]; ++i)
      out.push_back(in.below(4));
    return;
  }
  // The kernels take 1 to 4 arguments; the function takes and gives two.
  uint32_t buffers = op == Op::Call ? 1 : out[0] % 4, words = 1;
  if (op == Op::Launch && out[4] > maxBlockThreads)
    out[4] = 0;
  uint32_t count = op == Op::Call ? 4 : buffers + words;
  out.insert(out.end(), {buffers, words});
  if (op != Op::Call)
    out.push_back(0);
  for (uint32_t i = 0; i < count; ++i)
    out.push_back(in.below(4));
  if (op == Op::Launch) {
    bool hasGrid = in.byte() % 4 == 0;
    out.push_back(hasGrid);
    for (uint32_t i = 0; hasGrid && i < 5; ++i)
      out.push_back(i < 3 ? in.below(4) : 1);
    out.push_back(0);           // tensor maps
    out.push_back(in.below(3)); // 1 + the op
  }
}

/// Instructions up to the end of the input, or of a function.
static std::vector<uint32_t> code(Reader &in, std::vector<uint32_t> last) {
  std::vector<uint32_t> code, heads;
  std::vector<size_t> jumps;
  while (in.next < in.end && *in.next != 0xff && code.size() < 2000) {
    auto op = static_cast<Op>(in.byte() % (numOps + 1));
    if (static_cast<unsigned>(op) == numOps)
      op = Op::Jump;
    std::vector<uint32_t> operands;
    for (const char *kind = opOperands[static_cast<unsigned>(op)]; *kind;
         ++kind) {
      if (*kind == 't')
        jumps.push_back(code.size() + 1 + operands.size());
      *kind == '*' && op != Op::Return ? tail(op, in, operands)
                                       : operand(*kind, in, operands);
    }
    if (op == Op::Return)
      operands = last;
    heads.push_back(static_cast<uint32_t>(code.size()));
    code.push_back(encodeHead(op, 0, static_cast<uint32_t>(operands.size())));
    code.insert(code.end(), operands.begin(), operands.end());
  }
  in.byte();
  heads.push_back(static_cast<uint32_t>(code.size()));
  code.push_back(encodeHead(Op::Return, 0, static_cast<uint32_t>(last.size())));
  code.insert(code.end(), last.begin(), last.end());
  for (size_t jump : jumps)
    code[jump] = heads[code[jump] % heads.size()];
  return code;
}

static std::string packageOf(Reader in) {
  TestPackage package;
  package.kernels = {"k0", "k1", "k2", "k3"};
  package.arities = {1, 2, 3, 4};
  package.strings = {"fuzz.call", "b", "c", "d"};
  package.constants = {std::string(16, '\0'), std::string(64, '\1'), "x", ""};
  package.code = code(in, {0, 0});
  package.inner = code(in, {1, 1, 0, 0});
  return package.bytes();
}

extern "C" int LLVMFuzzerInitialize(int *, char ***) {
  (void)take(tensorc_rt_register_custom_call(
      "fuzz.call",
      [](const tensorc_rt_custom_call *call) -> tensorc_rt_status * {
        for (int32_t i = 0; i < call->output_count; ++i)
          std::memset(call->outputs[i], 2, call->output_sizes[i]);
        return call->scalar_count == 2
                   ? tensorc_rt_status_create(TENSORC_RT_CUSTOM_CALL, "no")
                   : nullptr;
      },
      nullptr));
  tensorc_rt_set_num_threads(1);
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  tensorc_rt_device *devices[2];
  if (!take(tensorc_rt_device_find("cpu", &devices[0])).empty() ||
      !take(tensorc_rt_device_find("null", &devices[1])).empty())
    __builtin_trap();
  bool isPackage = size >= sizeof(PackageHeader) &&
                   !std::memcmp(data, packageMagic, sizeof(packageMagic));
  std::string bytes(reinterpret_cast<const char *>(data), size);
  if (isPackage) {
    loadAndRun(devices[0], bytes);
    PackageHeader header;
    std::memcpy(&header, data, sizeof(header));
    sealPackage(
        bytes.data(), size,
        std::clamp<size_t>(header.tableOffset & -16, sizeof(header), size));
  } else {
    bytes = packageOf({data, data + size});
  }
  for (tensorc_rt_device *device : devices) {
    tensorc_rt_device_set_memory_limit(device, memoryLimit);
    loadAndRun(device, bytes);
  }
  return 0;
}
