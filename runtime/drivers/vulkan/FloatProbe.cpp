//===- FloatProbe.cpp - tests a driver's arithmetic on floats -------------===//
//
// buildFloatProbe assembles the SPIR-V of this kernel, where T is float or double:
//
// void probe_floats(T *v) {
//   v[6] = fma(v[0], v[1], v[2]);
//   v[7] = v[3] + 0;
//   v[8] = v[4] * 0;
//   v[9] = 0 / v[5];
// }
//
//===----------------------------------------------------------------------===//
#include "runtime/drivers/vulkan/FloatProbe.h"

#include <cmath>
#include <cstring>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <limits>
#include <string_view>

using namespace tensorc::rt;
using namespace tensorc::rt::gpu;
using namespace tensorc::rt::vulkan;

FloatTraits &FloatTraits::operator|=(const FloatTraits &other) {
  roundsFmaTwice |= other.roundsFmaTwice;
  foldsZeros |= other.foldsZeros;
  return *this;
}

static constexpr size_t numOperands = 6, numResults = 4;

//===----------------------------------------------------------------------===//
// The module
//===----------------------------------------------------------------------===//

namespace {
using Words = std::initializer_list<uint32_t>;

/// Appends instructions of SPIR-V. The numbers are those of its specification
/// (SPIR-V 1.6, section 3).
class Assembler {
public:
  /// Appends an instruction without a result.
  void add(uint32_t opcode, Words operands, std::string_view text = {},
           Words more = {}) {
    size_t start = words.size();
    words.push_back(0);
    words.insert(words.end(), operands);
    if (!text.empty()) {
      size_t at = words.size();
      words.resize(at + text.size() / sizeof(uint32_t) + 1);
      std::memcpy(&words[at], text.data(), text.size());
    }
    words.insert(words.end(), more);
    words[start] = static_cast<uint32_t>(words.size() - start) << 16 | opcode;
  }
  /// Appends an instruction whose first operand is its result.
  uint32_t define(uint32_t opcode, Words operands) {
    uint32_t id = newId();
    insert(opcode, id, {}, operands);
    return id;
  }
  /// Appends an instruction whose first operands are its type and its result.
  uint32_t compute(uint32_t opcode, uint32_t type, Words operands) {
    uint32_t id = newId();
    insert(opcode, id, {type}, operands);
    return id;
  }
  uint32_t newId() { return words[bound]++; }

  static constexpr size_t bound = 3; // position of the number of ids
  // Magic number, version 1.5, generator, number of ids, schema
  std::vector<uint32_t> words{0x07230203, 0x00010500, 0, 1, 0};

private:
  void insert(uint32_t opcode, uint32_t id, Words before, Words after) {
    size_t length = 2 + before.size() + after.size();
    words.push_back(static_cast<uint32_t>(length) << 16 | opcode);
    words.insert(words.end(), before);
    words.push_back(id);
    words.insert(words.end(), after);
  }
};

enum Opcode : uint32_t {
  OpExtInst = 12,
  OpMemoryModel = 14,
  OpEntryPoint = 15,
  OpExecutionMode = 16,
  OpCapability = 17,
  OpTypeVoid = 19,
  OpTypeInt = 21,
  OpTypeFloat = 22,
  OpTypeRuntimeArray = 29,
  OpTypeStruct = 30,
  OpTypePointer = 32,
  OpTypeFunction = 33,
  OpConstant = 43,
  OpFunction = 54,
  OpFunctionEnd = 56,
  OpVariable = 59,
  OpLoad = 61,
  OpStore = 62,
  OpAccessChain = 65,
  OpDecorate = 71,
  OpMemberDecorate = 72,
  OpConvertUToPtr = 120,
  OpFAdd = 129,
  OpFMul = 133,
  OpFDiv = 136,
  OpLabel = 248,
  OpReturn = 253,
};
constexpr uint32_t opExtInstImport = 11, glslFma = 50;
enum Capability : uint32_t {
  Shader = 1,
  Float64 = 10,
  Int64 = 11,
  SignedZeroInfNanPreserve = 4466,
  PhysicalStorageBufferAddresses = 5347,
};
enum StorageClass : uint32_t { PushConstant = 9, PhysicalStorageBuffer = 5349 };
enum Decoration : uint32_t {
  Block = 2,
  ArrayStride = 6,
  Offset = 35,
  NoContraction = 42
};
constexpr uint32_t physicalStorageBuffer64 = 5348, glsl450 = 1, glCompute = 5,
                   localSize = 17, keepSpecials = 4461, aligned = 2;

} // namespace

std::vector<uint32_t> tensorc::rt::vulkan::buildFloatProbe(uint32_t bits) {
  Assembler a;
  const uint32_t bytes = bits / 8;
  const uint32_t glsl = a.newId(), entry = a.newId(), arguments = a.newId(),
                 pushed = a.newId(), array = a.newId(), data = a.newId();
  for (uint32_t each : {Shader, Int64, PhysicalStorageBufferAddresses,
                        SignedZeroInfNanPreserve})
    a.add(OpCapability, {each});
  if (bits == 64)
    a.add(OpCapability, {Float64});
  a.add(opExtInstImport, {glsl}, "GLSL.std.450");
  a.add(OpMemoryModel, {physicalStorageBuffer64, glsl450});
  a.add(OpEntryPoint, {glCompute, entry}, floatProbeName, {arguments});
  a.add(OpExecutionMode, {entry, localSize, 1, 1, 1});
  a.add(OpExecutionMode, {entry, keepSpecials, bits});

  // Ids of results that are decorated
  const uint32_t fma = a.newId(), sum = a.newId(), product = a.newId(),
                 quotient = a.newId();
  for (uint32_t block : {pushed, data}) {
    a.add(OpDecorate, {block, Block});
    a.add(OpMemberDecorate, {block, 0, Offset, 0});
  }
  a.add(OpDecorate, {array, ArrayStride, bytes});
  for (uint32_t result : {fma, sum, product, quotient})
    a.add(OpDecorate, {result, NoContraction});

  const uint32_t nothing = a.define(OpTypeVoid, {});
  const uint32_t index = a.define(OpTypeInt, {32, 0});
  const uint32_t word = a.define(OpTypeInt, {64, 0});
  const uint32_t number = a.define(OpTypeFloat, {bits});
  a.add(OpTypeRuntimeArray, {array, number});
  a.add(OpTypeStruct, {data, array});
  a.add(OpTypeStruct, {pushed, word});
  const uint32_t buffer =
      a.define(OpTypePointer, {PhysicalStorageBuffer, data});
  const uint32_t element =
      a.define(OpTypePointer, {PhysicalStorageBuffer, number});
  const uint32_t block = a.define(OpTypePointer, {PushConstant, pushed});
  const uint32_t argument = a.define(OpTypePointer, {PushConstant, word});
  const uint32_t function = a.define(OpTypeFunction, {nothing});
  uint32_t positions[numOperands + numResults];
  for (uint32_t i = 0; i < std::size(positions); ++i)
    positions[i] = a.compute(OpConstant, index, {i});
  const uint32_t zero = bits == 64 ? a.compute(OpConstant, number, {0, 0})
                                   : a.compute(OpConstant, number, {0});
  a.add(OpVariable, {block, arguments, PushConstant});

  a.add(OpFunction, {nothing, entry, 0, function});
  (void)a.define(OpLabel, {});
  const uint32_t at =
      a.compute(OpAccessChain, argument, {arguments, positions[0]});
  const uint32_t address = a.compute(OpLoad, word, {at});
  const uint32_t base = a.compute(OpConvertUToPtr, buffer, {address});
  auto place = [&](uint32_t i) {
    return a.compute(OpAccessChain, element,
                     {base, positions[0], positions[i]});
  };
  uint32_t x[numOperands];
  for (uint32_t i = 0; i < numOperands; ++i)
    x[i] = a.compute(OpLoad, number, {place(i), aligned, bytes});
  a.add(OpExtInst, {number, fma, glsl, glslFma, x[0], x[1], x[2]});
  a.add(OpFAdd, {number, sum, x[3], zero});
  a.add(OpFMul, {number, product, x[4], zero});
  a.add(OpFDiv, {number, quotient, zero, x[5]});
  uint32_t next = numOperands;
  for (uint32_t result : {fma, sum, product, quotient})
    a.add(OpStore, {place(next++), result, aligned, bytes});
  a.add(OpReturn, {});
  a.add(OpFunctionEnd, {});
  return std::move(a.words);
}

//===----------------------------------------------------------------------===//
// The operands and results of the probe
//===----------------------------------------------------------------------===//

/// (1 + e) * (1 + e) - (1 + 2 * e), where e * e is at most half a unit in the
/// last place, so it is lost if the product is rounded. The other operands are
/// -0, infinity and 0.
template <typename T> static void fillOperands(T *v) {
  constexpr int digits = std::numeric_limits<T>::digits; // 24 or 53
  const T e = std::ldexp(T(1), -((digits + 1) / 2));
  v[0] = v[1] = 1 + e;
  v[2] = -(1 + 2 * e);
  v[3] = T(-0.0);
  v[4] = std::numeric_limits<T>::infinity();
  v[5] = 0;
}

template <typename T> static FloatTraits judge(const T *results) {
  FloatTraits traits;
  traits.roundsFmaTwice = results[0] == 0;
  traits.foldsZeros = std::signbit(results[1]) || !std::isnan(results[2]) ||
                      !std::isnan(results[3]);
  return traits;
}

//===----------------------------------------------------------------------===//
// The run
//===----------------------------------------------------------------------===//

namespace {
/// Objects of a driver that live until the probe has run.
struct ProbeObjects {
  explicit ProbeObjects(const ProbeApi &api) : api(api) {}
  ProbeObjects(const ProbeObjects &) = delete;
  ~ProbeObjects() {
    // If a step failed, an earlier copy or launch may still run.
    if (stream)
      (void)api.streams.drain(stream);
    if (module)
      (void)api.kernels.unload(module);
    if (stream)
      (void)api.streams.destroy(stream);
    if (data)
      (void)api.memory.free(data, MemoryKind::Device);
  }

  const ProbeApi &api;
  Stream_t stream = nullptr;
  Module_t module = nullptr;
  Function_t kernel = nullptr;
  void *data = nullptr;
};
} // namespace

template <typename T>
static Result run(const ProbeApi &api, void *host, FloatTraits &traits) {
  ProbeObjects probe(api);
  constexpr size_t bytes = (numOperands + numResults) * sizeof(T);
  std::vector<uint32_t> words = buildFloatProbe(8 * sizeof(T));
  std::string image(reinterpret_cast<const char *>(words.data()),
                    words.size() * sizeof(words[0]));
  std::string log;
  Word address = 0;
  const char *part = nullptr;
  auto *values = static_cast<T *>(host);
  fillOperands(values);
  auto launch = [&] {
    address = reinterpret_cast<Word>(probe.data);
    Launch one = {};
    one.name = floatProbeName;
    one.args = &address;
    one.arity = one.buffers = 1;
    one.extent = one.grain = one.block = 1;
    return api.kernels.launch(probe.kernel, one, probe.stream, part);
  };
  for (auto &step : std::initializer_list<std::function<Result()>>{
           [&] { return api.memory.allocate({}, probe.data, bytes); },
           [&] { return api.streams.create({}, probe.stream); },
           [&] { return api.kernels.load({}, image, probe.module, log); },
           [&] {
             uint32_t sharedBytes = 0;
             return api.kernels.find(probe.module, floatProbeName, probe.kernel,
                                     sharedBytes);
           },
           [&] {
             return api.copies.toDevice(probe.data, host, bytes, probe.stream);
           },
           launch,
           [&] {
             return api.copies.toHost(host, probe.data, bytes, probe.stream);
           },
           [&] { return api.streams.synchronize(probe.stream); }})
    if (Result result = step(); result != success)
      return result;
  traits |= judge(values + numOperands);
  return success;
}

Result FloatProbe::find(const ProbeApi &api, VulkanMemory &host,
                        bool hasDoubles, FloatTraits &out) {
  std::lock_guard lock(mutex);
  if (!found) {
    void *memory = nullptr;
    Result result =
        host.allocate((numOperands + numResults) * sizeof(double), memory);
    if (result != success)
      return result;
    FloatTraits traits;
    result = run<float>(api, memory, traits);
    if (result == success && hasDoubles)
      result = run<double>(api, memory, traits);
    host.free(memory);
    if (result != success)
      return result;
    found = traits;
  }
  out = *found;
  return success;
}
