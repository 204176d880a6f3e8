//===- CudaLike.cpp - a library with the functions of CUDA ----------------===//
#include "runtime/drivers/gpu/cudalike/CudaLike.h"

#include "runtime/abi/Bytecode.h"

#include <algorithm>
#include <iterator>

using namespace tensorc::rt;
using namespace tensorc::rt::gpu;

static int askAttribute(const EntryPoints &call, int attribute,
                        Ordinal device) {
  int value = 0;
  (void)call.deviceAttribute(&value, attribute, device);
  return value;
}

int CudaLikeDevices::ask(int attribute, Ordinal device) const {
  return askAttribute(call, attribute, device);
}

std::vector<Ordinal> CudaLikeDevices::list() const {
  std::vector<Ordinal> list;
  int count = 0;
  if (call.deviceCount(&count) != success)
    return list;
  for (int i = 0; i < count; ++i) {
    Ordinal device = 0;
    if (call.deviceGet(&device, i) == success)
      list.push_back(device);
  }
  return list;
}

DeviceFacts CudaLikeDevices::describe(Ordinal device) const {
  DeviceFacts facts;
  char text[256] = "";
  (void)call.deviceName(text, sizeof(text) - 1, device);
  facts.name = text;
  size_t bytes = 0;
  (void)call.deviceMemory(&bytes, device);
  facts.memory = bytes;
  const Attributes &what = attributes;
  facts.multiprocessors = ask(what.multiprocessors, device);
  facts.threadsPerMultiprocessor = ask(what.threadsPerMultiprocessor, device);
  facts.subgroup = ask(what.subgroup, device);
  facts.grid.maxBlock = ask(what.maxBlock, device);
  facts.major = ask(what.major, device);
  facts.minor = ask(what.minor, device);
  facts.grid.maxShared =
      static_cast<uint32_t>(std::max(0, ask(what.sharedPerBlock, device)));
  return facts;
}

bool CudaLikeDevices::endsAllWork(Result result) const {
  static constexpr Result codes[] = {
      214,                          // an ECC error
      220,                          // NVLink
      226,                          // a contained error
      700,                          // an illegal address
      702,                          // launch timeout
      709,                          // the context was destroyed
      710,                          // an assertion
      714, 715, 716, 717, 718, 719, // stack, instruction, alignment, ...
      721, 999};
  return std::find(std::begin(codes), std::end(codes), result) !=
         std::end(codes);
}

Result CudaLikeMemory::openPool(const Handle &device, Pool_t &out) {
  return askAttribute(call, attributes.memoryPools, device.ordinal)
             ? call.defaultPool(&out, device.ordinal)
             : resultNotSupported;
}

/// If the device cannot access the peer's memory, copies go through the host.
void CudaLikePeers::open(const Handle &device, const Handle &peer,
                         Pool_t peerPool) {
  int reachable = 0;
  if (call.canAccessPeer(&reachable, device.ordinal, peer.ordinal) != success ||
      !reachable)
    return;
  (void)enable(peer);
  PoolAccess access;
  access.location = device.ordinal;
  if (peerPool)
    (void)call.poolSetAccess(peerPool, &access, 1);
}

Result CudaLikeCopies::fill(void *target, uint32_t word, uint32_t unit,
                            size_t count, Stream_t on) {
  if (unit == 1)
    return call.fill8(target, static_cast<uint8_t>(word), count, on);
  if (unit == 2)
    return call.fill16(target, static_cast<uint16_t>(word), count, on);
  return call.fill32(target, word, count, on);
}

Result CudaLikeKernels::launch(Function_t kernel, const Launch &launch,
                               Stream_t on, const char *&part) {
  void *parameters[maxKernelArity + maxTensorMaps];
  for (uint32_t i = 0; i < launch.arity; ++i)
    parameters[i] = const_cast<Word *>(&launch.args[i]);
  alignas(tensorMapAlignment) char maps[maxTensorMaps][tensorMapBytes];
  for (size_t i = 0; i < launch.maps.size(); ++i) {
    const TensorMap &map = launch.maps[i];
    Result encoded = encodeMap(
        map, reinterpret_cast<void *>(launch.args[map.buffer]), maps[i]);
    if (encoded != success) {
      part = "encoding a tensor map";
      return encoded;
    }
    parameters[launch.arity + i] = maps[i];
  }
  const LaunchShape &shape = launch.shape;
  return call.launch(kernel, static_cast<unsigned>(launch.extent), shape.gridY,
                     shape.gridZ, launch.block, shape.blockY, shape.blockZ,
                     shape.sharedBytes, on, parameters, nullptr);
}
