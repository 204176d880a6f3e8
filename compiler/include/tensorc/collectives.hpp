//===- collectives.hpp - one program on several devices -------------------===//
//
//   auto losses = tensorc::spmd({"cpu:0", "cpu:1"}, [&](const auto &rank) {
//     tensorc::Tensor x = batch(rank.rank());        // its part of the data
//     return tensorc::all_reduce(loss(x)) / rank.size();
//   });
//
// Under mpirun each process is a rank: Communicator::mpi, and CommunicatorScope
// for the calls below. docs/distributed.md is the guide.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_COLLECTIVES_HPP
#define TENSORC_COLLECTIVES_HPP

#include "tensorc/communicator.h"
#include "tensorc/tensorc.hpp"

#include <chrono>
#include <exception>
#include <limits>
#include <mutex>
#include <thread>

namespace tensorc {

/// The operation that combines elements of several ranks.
enum class Combiner { sum, product, min, max, bit_and, bit_or };

/// Returns, on each rank, the elements of all ranks combined in the order of
/// the ranks. `groups` lists the ranks of all groups, with `group_size` ranks
/// per group. If it is empty, all ranks are one group.
inline Tensor all_reduce(Arg x, Combiner combiner = Combiner::sum,
                         const Shape &groups = {}, int64_t group_size = 0) {
  tensorc_tensor *out = nullptr;
  auto *status = tensorc_all_reduce(
      x.tensor("all_reduce"), static_cast<tensorc_combiner>(combiner),
      detail::rankOf(groups), groups.data(), group_size, x.at(), &out);
  x.drop();
  return detail::take(status, out, "all_reduce");
}

/// Returns, on rank r, part r of the result of all_reduce along an axis.
inline Tensor reduce_scatter(Arg x, Combiner combiner = Combiner::sum,
                             int64_t axis = 0, const Shape &groups = {},
                             int64_t group_size = 0) {
  tensorc_tensor *out = nullptr;
  auto *status = tensorc_reduce_scatter(
      x.tensor("reduce_scatter"), static_cast<tensorc_combiner>(combiner), axis,
      detail::rankOf(groups), groups.data(), group_size, x.at(), &out);
  x.drop();
  return detail::take(status, out, "reduce_scatter");
}

/// One rank among several. Copies refer to the same rank.
class Communicator {
public:
  /// Returns communicators for ranks of this process, one for each device.
  static std::vector<Communicator> local(const std::vector<Device> &devices,
                                         Location at = Location::current()) {
    std::vector<tensorc_rt_device *> raw;
    for (const Device &device : devices)
      raw.push_back(device.raw(at));
    std::vector<tensorc_rt_communicator *> made(devices.size());
    detail::check(
        tensorc_rt_communicator_create_local(
            raw.data(), static_cast<int32_t>(raw.size()), made.data()),
        at);
    return std::vector<Communicator>(made.begin(), made.end());
  }
  /// Returns the communicator of this process, which is a rank under mpirun.
  static Communicator mpi(const Device &device = {},
                          Location at = Location::current()) {
    tensorc_rt_communicator *made = nullptr;
    detail::check(tensorc_rt_communicator_create_mpi(device.raw(at), &made),
                  at);
    return Communicator(made);
  }

  /// Returns the communicator of this rank, which is a GPU: the vendor's library
  /// (NCCL, RCCL) connects it with those of the other ranks. The ranks meet by a
  /// file that does not exist yet, or under mpirun by MPI.
  static Communicator nccl(const Device &device,
                           Location at = Location::current()) {
    return byNccl(device, nullptr, 0, 1, at);
  }
  static Communicator nccl(const Device &device, const std::string &file,
                           int rank, int size,
                           Location at = Location::current()) {
    return byNccl(device, file.c_str(), rank, size, at);
  }

  int rank() const { return tensorc_rt_communicator_rank(raw()); }
  int size() const { return tensorc_rt_communicator_size(raw()); }
  Device device() const {
    return Device(tensorc_rt_communicator_device(raw()));
  }
  /// Returns the number of collectives that were started, and the bytes that
  /// this rank had to send for them.
  tensorc_rt_communicator_counters counters() const {
    tensorc_rt_communicator_counters counters;
    tensorc_rt_communicator_get_counters(raw(), &counters);
    return counters;
  }
  /// Sets how long this rank waits for the others.
  void set_timeout(std::chrono::milliseconds timeout) const {
    tensorc_rt_communicator_set_timeout(raw(), timeout.count());
  }
  /// Ends the collectives of all ranks with this error.
  void abort(const std::string &message) const {
    tensorc_rt_communicator_abort(raw(), message.c_str());
  }
  tensorc_rt_communicator *raw() const { return handle.get(); }

  /// Takes over a reference.
  explicit Communicator(tensorc_rt_communicator *raw)
      : handle(raw, tensorc_rt_communicator_release) {}

private:
  static Communicator byNccl(const Device &device, const char *file, int rank,
                             int size, Location at) {
    tensorc_rt_communicator *made = nullptr;
    detail::check(tensorc_rt_communicator_create_nccl(device.raw(at), file,
                                                      rank, size, &made),
                  at);
    return Communicator(made);
  }

  std::shared_ptr<tensorc_rt_communicator> handle;
};

/// During the lifetime of this object, the thread's collectives connect these
/// ranks, and new tensors are made on the rank's device.
class CommunicatorScope {
public:
  explicit CommunicatorScope(const Communicator &communicator,
                             Location at = Location::current())
      : guard(communicator.device(), at),
        former(tensorc_rt_thread_communicator()) {
    tensorc_rt_communicator_retain(former);
    detail::check(set(communicator.raw()), at);
  }
  CommunicatorScope(const CommunicatorScope &) = delete;
  ~CommunicatorScope() {
    tensorc_rt_status_free(set(former));
    tensorc_rt_communicator_release(former);
  }

private:
  static tensorc_rt_status *set(tensorc_rt_communicator *communicator) {
    tensorc_rt_run_options options = {sizeof options, nullptr, 0, 0,
                                      communicator};
    return tensorc_rt_set_run_options(&options);
  }
  DeviceGuard guard;
  tensorc_rt_communicator *former;
};

/// A grid of ranks with named axes, in row-major order: neighbouring ranks are
/// along the last axis.
class Mesh {
public:
  struct Axis {
    std::string name;
    int64_t size;
  };
  explicit Mesh(std::vector<Axis> list, Location at = Location::current())
      : axes(std::move(list)) {
    check(at);
  }

  /// Returns the number of all ranks, or of the ranks along an axis.
  int64_t size() const {
    int64_t product = 1;
    for (const Axis &axis : axes)
      product *= axis.size;
    return product;
  }
  int64_t size(const std::string &axis,
               Location at = Location::current()) const {
    return axes[find(axis, at)].size;
  }
  /// Returns a rank's position along an axis.
  int64_t position(const std::string &axis, int64_t rank,
                   Location at = Location::current()) const {
    size_t i = find(axis, at);
    return rank / stride(i) % axes[i].size;
  }
  /// Returns the `groups` of a collective along an axis. The size of the axis
  /// is its `group_size`.
  Shape groups(const std::string &axis,
               Location at = Location::current()) const {
    size_t i = find(axis, at);
    Shape result;
    for (int64_t rank = 0; rank < size(); ++rank)
      if (position(axis, rank) == 0)
        for (int64_t k = 0; k < axes[i].size; ++k)
          result.push_back(rank + k * stride(i));
    return result;
  }

  /// Return the sizes of the mesh's axes, and for each mesh axis the axis of a
  /// tensor that it splits, or -1. `names` has, for each axis of the tensor,
  /// the names of mesh axes, such as "data" or "data,model" in the order of the
  /// mesh, or a null pointer.
  Shape shape() const {
    Shape sizes;
    for (const Axis &axis : axes)
      sizes.push_back(axis.size);
    return sizes;
  }
  Shape dims(const std::vector<const char *> &names, Location at) const {
    Shape result(axes.size(), -1);
    for (size_t dim = 0; dim < names.size(); ++dim) {
      std::string rest = names[dim] ? names[dim] : "";
      size_t first = 0;
      while (!rest.empty()) {
        size_t end = rest.find(','), axis = find(rest.substr(0, end), at);
        if (result[axis] != -1)
          detail::fail("shard", "a mesh axis splits two axes: " + rest, at);
        if (axis < first)
          detail::fail("shard",
                       "'" + std::string(names[dim]) +
                           "' is not in the order of the mesh's axes",
                       at);
        first = axis;
        result[axis] = static_cast<int64_t>(dim);
        rest = end == std::string::npos ? "" : rest.substr(end + 1);
      }
    }
    return result;
  }

  /// Returns the mesh axes with several ranks that do not occur in `names`,
  /// such as "data,model", and the number of ranks along them.
  std::string unnamed(const std::vector<const char *> &names,
                      Location at) const {
    Shape split = dims(names, at);
    std::string others;
    for (size_t i = 0; i < axes.size(); ++i)
      if (split[i] < 0 && axes[i].size > 1)
        others += (others.empty() ? "" : ",") + axes[i].name;
    return others;
  }
  int64_t count(const std::string &names, Location at) const {
    Shape split = dims({names.c_str()}, at);
    int64_t product = 1;
    for (size_t i = 0; i < axes.size(); ++i)
      product *= split[i] < 0 ? 1 : axes[i].size;
    return product;
  }

private:
  void check(Location at) const {
    int64_t left = std::numeric_limits<int64_t>::max();
    for (size_t i = 0; i < axes.size(); ++i) {
      if (axes[i].size < 1)
        detail::fail("Mesh",
                     "the axis '" + axes[i].name + "' has no size " +
                         std::to_string(axes[i].size),
                     at);
      if (find(axes[i].name, at) != i)
        detail::fail("Mesh", "has two axes '" + axes[i].name + "'", at);
      left /= axes[i].size;
    }
    if (!left)
      detail::fail("Mesh", "a mesh has too many ranks", at);
  }
  size_t find(const std::string &name, Location at) const {
    for (size_t i = 0; i < axes.size(); ++i)
      if (axes[i].name == name)
        return i;
    detail::fail("Mesh", "has no axis '" + name + "'", at);
  }
  int64_t stride(size_t axis) const {
    int64_t product = 1;
    for (size_t i = axis + 1; i < axes.size(); ++i)
      product *= axes[i].size;
    return product;
  }
  std::vector<Axis> axes;
};

/// How a tensor is split: the sizes of a mesh's axes, and for each mesh axis
/// the axis of the tensor that it splits, or -1.
struct Sharding {
  Shape mesh, dims;
};

namespace detail {
/// Calls tensorc_shard, tensorc_local_part or tensorc_join_parts.
template <typename Function>
Tensor callWithSharding(Function function, const char *name,
                        const tensorc_tensor *x, const Sharding &split,
                        Location at) {
  tensorc_tensor *out = nullptr;
  auto *status = function(x, rankOf(split.mesh), split.mesh.data(),
                          split.dims.data(), at, &out);
  return take(status, out, name);
}
template <typename Function>
Tensor overMesh(Function function, const char *name, Arg x, const Mesh &mesh,
                const std::vector<const char *> &names) {
  return callWithSharding(function, name, x.tensor(name),
                          {mesh.shape(), mesh.dims(names, x.at())}, x.at());
}
} // namespace detail

/// Splits x over the ranks of the thread's communicator. `names` has, for each
/// axis of x, the mesh axes that split it, such as "data" or "data,model", or a
/// null pointer. The result equals x. Values that are computed from it are
/// split likewise, and collectives are inserted where parts of other ranks are
/// needed. Without a communicator, returns x.
inline Tensor shard(Arg x, const Mesh &mesh,
                    const std::vector<const char *> &names) {
  return detail::overMesh(tensorc_shard, "shard", std::move(x), mesh, names);
}
/// Returns this rank's part of x, which is split as by shard. The result
/// differs between ranks.
inline Tensor local_part(Arg x, const Mesh &mesh,
                         const std::vector<const char *> &names) {
  return detail::overMesh(tensorc_local_part, "local_part", std::move(x), mesh,
                          names);
}
/// Returns the tensor that consists of the ranks' parts. x is this rank's part.
/// The result stays split in the same way.
inline Tensor join_parts(Arg x, const Mesh &mesh,
                         const std::vector<const char *> &names) {
  return detail::overMesh(tensorc_join_parts, "join_parts", std::move(x), mesh,
                          names);
}

/// Returns how x is split over the ranks, each of which holds its part. Returns
/// none if each rank has all of x. Results of shard and join_parts are split,
/// and so are results of element-wise operations on them. Reading such a tensor
/// gathers it, so all ranks must read it.
inline std::optional<Sharding> sharding(const Tensor &x,
                                        Location at = Location::current()) {
  const int64_t *mesh = nullptr, *dims = nullptr;
  int32_t axes =
      tensorc_tensor_sharding(x.operand("sharding", at), &mesh, &dims);
  if (!axes)
    return std::nullopt;
  return Sharding{Shape(mesh, mesh + axes), Shape(dims, dims + axes)};
}

namespace detail {
/// Evaluates a result on its rank's thread, as a whole tensor.
inline void settle(Tensor &result) {
  Location at = Location::current();
  if (auto split = sharding(result, at)) {
    split->dims.assign(split->mesh.size(), -1);
    result = callWithSharding(tensorc_shard, "shard", result.raw(), *split, at);
  }
  result.eval();
}
inline void settle(std::vector<Tensor> &results) {
  for (Tensor &result : results)
    settle(result);
}
template <typename T> void settle(T &) {}

/// Throws if a device that executes its work in order is used for two ranks:
/// the first rank would wait for the second.
inline void checkOnce(const std::vector<Device> &devices, Location at) {
  for (size_t i = 0; i < devices.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      if (devices[i].raw(at) == devices[j].raw(at) &&
          devices[i].type() != "cpu")
        fail("spmd",
             devices[i].name + " is there twice: it does its work in order, so "
                               "its ranks would wait for each other",
             at);
}
} // namespace detail

/// Calls `body(communicator)` once for each device, on threads (the CPU may be
/// named more than once). Returns the results of all ranks, each a Tensor, a
/// std::vector<Tensor>, or any other value. The first exception ends the other
/// ranks' collectives and is thrown.
template <typename Body>
auto spmd(const std::vector<Device> &devices, Body body,
          Location at = Location::current()) {
  using Result = decltype(body(std::declval<const Communicator &>()));
  detail::checkOnce(devices, at);
  std::vector<Communicator> made = Communicator::local(devices, at);
  std::vector<std::optional<Communicator>> ranks(made.begin(), made.end());
  made.clear();
  std::vector<std::optional<Result>> results(ranks.size());
  std::exception_ptr first;
  std::mutex mutex;
  std::vector<std::thread> threads;
  for (size_t i = 0; i < ranks.size(); ++i)
    threads.emplace_back([&, i] {
      try {
        CommunicatorScope scope(*ranks[i], at);
        results[i].emplace(body(*ranks[i]));
        detail::settle(*results[i]);
      } catch (const std::exception &error) {
        {
          std::lock_guard<std::mutex> lock(mutex);
          if (!first)
            first = std::current_exception();
        }
        ranks[i]->abort(error.what());
      }
      ranks[i].reset(); // ranks that wait for this one learn that it has ended
    });
  for (std::thread &thread : threads)
    thread.join();
  if (first)
    std::rethrow_exception(first);
  std::vector<Result> list;
  for (std::optional<Result> &result : results)
    list.push_back(std::move(*result));
  return list;
}

} // namespace tensorc

#endif
