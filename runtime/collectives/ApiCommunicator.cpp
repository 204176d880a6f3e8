//===- ApiCommunicator.cpp - C interface: collectives ---------------------===//
#include "runtime/collectives/Communicator.h"
#include "runtime/core/Api.h"

using namespace tensorc::rt;

tensorc_rt_status *
tensorc_rt_communicator_create_local(tensorc_rt_device *const *devices,
                                     int32_t count,
                                     tensorc_rt_communicator **out) {
  return guardOut(out, [&]() -> Status {
    TENSORC_RT_TRY(needs(devices && count >= 1, "no devices"));
    for (int32_t rank = 0; rank < count; ++rank)
      TENSORC_RT_TRY(needs(devices[rank], "a device is NULL"));
    std::vector<std::shared_ptr<Channel>> channels = connectLocally(count);
    std::vector<std::unique_ptr<Communicator>> made;
    for (int32_t rank = 0; rank < count; ++rank)
      made.push_back(std::make_unique<Communicator>(
          std::move(channels[rank]), *unwrap(devices[rank]), rank, count));
    for (int32_t rank = 0; rank < count; ++rank)
      out[rank] = made[rank].release();
    return Status();
  });
}

tensorc_rt_status *
tensorc_rt_communicator_create_mpi(tensorc_rt_device *device,
                                   tensorc_rt_communicator **out) {
  return guardOut(out, [&]() -> Status {
    TENSORC_RT_TRY(needs(device, "no device"));
    std::shared_ptr<Channel> channel;
    int32_t rank = 0, size = 0;
    TENSORC_RT_TRY(connectByMpi(channel, rank, size));
    *out = new Communicator(std::move(channel), *unwrap(device), rank, size);
    return Status();
  });
}

tensorc_rt_status *
tensorc_rt_communicator_create_nccl(tensorc_rt_device *device, const char *file,
                                    int32_t rank, int32_t size,
                                    tensorc_rt_communicator **out) {
  return guardOut(out, [&]() -> Status {
    TENSORC_RT_TRY(needs(device, "no device"));
    if (file && (*file != '/' || rank < 0 || rank >= size))
      return error(TENSORC_RT_INVALID_ARGUMENT,
                   "NCCL: rank %d of %d by the file '%s', which must have an "
                   "absolute path",
                   rank, size, file);
    std::shared_ptr<Channel> channel;
    TENSORC_RT_TRY(connectByNccl(*unwrap(device), file, rank, size, channel));
    *out = new Communicator(std::move(channel), *unwrap(device), rank, size);
    return Status();
  });
}

void tensorc_rt_communicator_retain(tensorc_rt_communicator *communicator) {
  if (communicator)
    unwrap(communicator)->retain();
}

void tensorc_rt_communicator_release(tensorc_rt_communicator *communicator) {
  if (communicator)
    unwrap(communicator)->release();
}

int32_t
tensorc_rt_communicator_rank(const tensorc_rt_communicator *communicator) {
  return communicator ? unwrap(communicator)->rank : 0;
}

int32_t
tensorc_rt_communicator_size(const tensorc_rt_communicator *communicator) {
  return communicator ? unwrap(communicator)->size : 0;
}

tensorc_rt_device *
tensorc_rt_communicator_device(const tensorc_rt_communicator *communicator) {
  return communicator ? &unwrap(communicator)->device : nullptr;
}

const char *
tensorc_rt_communicator_backend(const tensorc_rt_communicator *communicator) {
  return communicator ? unwrap(communicator)->backend() : "";
}

void tensorc_rt_communicator_get_counters(
    const tensorc_rt_communicator *communicator,
    tensorc_rt_communicator_counters *out) {
  if (out)
    *out = communicator ? unwrap(communicator)->counters()
                        : tensorc_rt_communicator_counters{};
}

void tensorc_rt_communicator_set_timeout(tensorc_rt_communicator *communicator,
                                         int64_t milliseconds) {
  if (communicator)
    unwrap(communicator)->setTimeout(milliseconds);
}

void tensorc_rt_communicator_abort(tensorc_rt_communicator *communicator,
                                   const char *message) try {
  if (communicator)
    unwrap(communicator)
        ->abort(error(TENSORC_RT_CANCELLED, "%s", message ? message : ""));
} catch (const std::exception &) {
  unwrap(communicator)->abort(outOfMemory());
}

tensorc_rt_status *
tensorc_rt_communicate(tensorc_rt_communicator *communicator,
                       const tensorc_rt_collective *collective,
                       tensorc_rt_stream *stream) {
  return guard([&]() -> Status {
    TENSORC_RT_TRY(
        needs(communicator && collective, "no communicator or no collective"));
    Stream *on = nullptr;
    TENSORC_RT_TRY(chooseStream(stream, unwrap(communicator)->device, on));
    return unwrap(communicator)->start(*collective, *on);
  });
}
