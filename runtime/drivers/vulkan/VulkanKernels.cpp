//===- VulkanKernels.cpp - modules and kernels of Vulkan ------------------===//
#include "runtime/drivers/vulkan/VulkanKernels.h"

#include "runtime/abi/Bytecode.h"
#include "runtime/drivers/vulkan/SpirvModule.h"

#include <algorithm>
#include <array>
#include <deque>
#include <iterator>

using namespace tensorc::rt;
using namespace tensorc::rt::gpu;
using namespace tensorc::rt::vulkan;

namespace {
struct LoadedKernel {
  Pipeline pipeline = 0;
  std::array<uint32_t, 3> block = {};
};

struct LoadedModule {
  SpirvModule text;
  ShaderModule module = 0;
  std::deque<LoadedKernel> kernels;
};
} // namespace

Result VulkanKernels::load(const Handle &, const std::string &image,
                           Module_t &out, std::string &log) {
  std::optional<SpirvModule> text = readModule(image);
  if (!text) {
    log = "the image is not a module of SPIR-V";
    return vkInitializationFailed;
  }
  const Functions &call = device.opened.call;
  auto module = std::make_unique<LoadedModule>();
  module->text = std::move(*text);
  ShaderModuleCreateInfo info;
  info.size = module->text.words.size() * sizeof(uint32_t);
  info.code = module->text.words.data();
  int32_t code = call.CreateShaderModule(device.opened.device, &info, nullptr,
                                         &module->module);
  if (code == vkSuccess)
    out = reinterpret_cast<Module_t>(module.release());
  return translate(code);
}

Result VulkanKernels::unload(Module_t module) {
  std::unique_ptr<LoadedModule> loaded(
      reinterpret_cast<LoadedModule *>(module));
  const Functions &call = device.opened.call;
  for (LoadedKernel &kernel : loaded->kernels)
    call.DestroyPipeline(device.opened.device, kernel.pipeline, nullptr);
  call.DestroyShaderModule(device.opened.device, loaded->module, nullptr);
  return success;
}

Result VulkanKernels::find(Module_t module, const char *name, Function_t &out,
                           uint32_t &) {
  auto &loaded = *reinterpret_cast<LoadedModule *>(module);
  auto found = loaded.text.kernels.find(name);
  if (found == loaded.text.kernels.end())
    return vkInitializationFailed;
  ComputePipelineCreateInfo info;
  info.stage.module = loaded.module;
  info.stage.name = name;
  FloatTraits driver;
  if (loaded.text.hasSpecConstants)
    if (Result result = floats.find(
            {memory, copies, streams, *this}, device.host,
            device.traits.features.basic.has[shaderFloat64], driver);
        result != success)
      return result;
  // Specialization constants of our modules, see KeepFloats.cpp. They make
  // kernels hide operations that the driver would fold wrongly, check their
  // loops, and compute fma from sums and products.
  const uint32_t distrust[] = {
      driver.foldsZeros || device.traits.controls.driver == mesaLlvmpipe,
      driver.roundsFmaTwice};
  constexpr SpecializationEntry entries[] = {
      {0, 0, sizeof(uint32_t)}, {1, sizeof(uint32_t), sizeof(uint32_t)}};
  SpecializationInfo constants = {std::size(entries), entries, sizeof(distrust),
                                  distrust};
  info.stage.specialization = &constants;
  info.layout = device.layout;
  LoadedKernel kernel;
  kernel.block = found->second;
  if (int32_t code = device.opened.call.CreateComputePipelines(
          device.opened.device, 0, 1, &info, nullptr, &kernel.pipeline))
    return translate(code);
  loaded.kernels.push_back(kernel);
  out = reinterpret_cast<Function_t>(&loaded.kernels.back());
  return success;
}

Result VulkanKernels::launch(Function_t function, const Launch &launch,
                             Stream_t on, const char *&part) {
  auto &kernel = *reinterpret_cast<LoadedKernel *>(function);
  const LaunchShape &shape = launch.shape;
  std::array<uint32_t, 3> block = {launch.block, shape.blockY, shape.blockZ};
  if (shape.sharedBytes)
    part = "asking for dynamic shared memory";
  else if (!launch.maps.empty())
    part = "encoding a tensor map";
  else if (block != kernel.block)
    part = "launching another number of threads than the kernel declares";
  if (part)
    return resultNotSupported;
  std::vector<Word> words(launch.args, launch.args + launch.arity);
  words.push_back(
      device.host.deviceAddress(device.loops.wordOf(launch.site())));
  auto dispatch = [this, &kernel, words = std::move(words),
                   blocks = launch.extent, y = shape.gridY,
                   z = shape.gridZ](Slot &slot) -> Result {
    const Word *pushed = words.data();
    auto count = static_cast<uint32_t>(words.size());
    Word address = 0;
    if (count > maxPushed) {
      if (!slot.arguments) {
        Result result = device.host.allocate(
            (maxKernelArity + 1) * sizeof(Word), slot.arguments);
        if (result != success)
          return result;
      }
      std::memcpy(slot.arguments, words.data(), count * sizeof(Word));
      address = device.host.deviceAddress(slot.arguments);
      pushed = &address;
      count = 1;
    }
    const Functions &call = device.opened.call;
    call.CmdBindPipeline(slot.commands, computePoint, kernel.pipeline);
    call.CmdPushConstants(slot.commands, device.layout, computeStage, 0,
                          count * sizeof(Word), pushed);
    // A device may limit the number of blocks along x, to 65,535 or more, so
    // this dispatches several times.
    int64_t most = device.traits.get<uint32_t>(maxGroupsOffset);
    for (int64_t first = 0; first < blocks; first += most)
      call.CmdDispatchBase(
          slot.commands, static_cast<uint32_t>(first), 0, 0,
          static_cast<uint32_t>(std::min(most, blocks - first)), y, z);
    return success;
  };
  return streamOf(on).enqueue(std::move(dispatch));
}
