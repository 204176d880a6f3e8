//===- communicators.cpp - Ranks and collectives --------------------------===//
#include "core.h"

#include "tensorc/communicator.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace tcpy {
namespace {

/// A reference to a rank. What describes the rank stays when the reference has
/// been dropped.
struct Communicator {
  tensorc_rt_communicator *raw;
  int32_t rank, size;
  tensorc_rt_device *device;
  const char *backend;
  tensorc_rt_communicator_counters lastCounters = {};

  /// Takes over a reference.
  explicit Communicator(tensorc_rt_communicator *raw)
      : raw(raw), rank(tensorc_rt_communicator_rank(raw)),
        size(tensorc_rt_communicator_size(raw)),
        device(tensorc_rt_communicator_device(raw)),
        backend(tensorc_rt_communicator_backend(raw)) {}
  Communicator(const Communicator &other)
      : raw(other.raw), rank(other.rank), size(other.size),
        device(other.device), backend(other.backend),
        lastCounters(other.lastCounters) {
    tensorc_rt_communicator_retain(raw);
  }
  Communicator &operator=(const Communicator &) = delete;
  ~Communicator() { tensorc_rt_communicator_release(raw); }

  tensorc_rt_communicator_counters counters() const {
    tensorc_rt_communicator_counters now = lastCounters;
    if (raw)
      tensorc_rt_communicator_get_counters(raw, &now);
    return now;
  }
  /// Drops the reference. The other ranks no longer wait for a rank without
  /// references.
  void end() {
    lastCounters = counters();
    tensorc_rt_communicator_release(std::exchange(raw, nullptr));
  }
};

tensorc_rt_device *deviceNamed(const std::string &name) {
  tensorc_rt_device *device = nullptr;
  check(tensorc_find_device(name.c_str(), &device));
  return device;
}

std::vector<Communicator>
connectLocally(const std::vector<std::string> &names) {
  std::vector<tensorc_rt_device *> devices;
  for (const std::string &name : names)
    devices.push_back(deviceNamed(name));
  std::vector<tensorc_rt_communicator *> made(devices.size());
  check(tensorc_rt_communicator_create_local(
      devices.data(), static_cast<int32_t>(devices.size()), made.data()));
  std::vector<Communicator> result;
  result.reserve(made.size());
  for (tensorc_rt_communicator *each : made)
    result.emplace_back(each);
  return result;
}

Communicator connectByMpi(const std::string &name) {
  tensorc_rt_device *device = deviceNamed(name);
  tensorc_rt_communicator *made = nullptr;
  tensorc_rt_status *status;
  {
    nb::gil_scoped_release release; // waits until all processes have joined
    status = tensorc_rt_communicator_create_mpi(device, &made);
  }
  check(status);
  return Communicator(made);
}

Communicator connectByNccl(const std::string &name,
                           const std::optional<std::string> &file, int rank,
                           int size) {
  tensorc_rt_device *device = deviceNamed(name);
  tensorc_rt_communicator *made = nullptr;
  tensorc_rt_status *status;
  {
    nb::gil_scoped_release release; // waits until all ranks have joined
    status = tensorc_rt_communicator_create_nccl(
        device, file ? file->c_str() : nullptr, rank, size, &made);
  }
  check(status);
  return Communicator(made);
}

std::string deviceOf(const Communicator &rank) {
  tensorc_rt_device_properties properties{};
  tensorc_rt_device_get_properties(rank.device, &properties);
  return properties.name;
}
} // namespace

void addCommunicators(nb::module_ &m) {
  nb::class_<Communicator>(
      m, "Communicator",
      "One of the ranks that collectives connect: a device "
      "with its part of the data.")
      .def_static("_local", connectLocally)
      .def_static("_mpi", connectByMpi)
      .def_static("_nccl", connectByNccl, nb::arg(), nb::arg().none(),
                  nb::arg(), nb::arg())
      .def_prop_ro("rank", [](const Communicator &c) { return c.rank; })
      .def_prop_ro(
          "size", [](const Communicator &c) { return c.size; },
          "The number of ranks.")
      .def_prop_ro("_device", deviceOf)
      .def_prop_ro(
          "backend", [](const Communicator &c) { return c.backend; },
          "'local', 'mpi' or 'nccl'")
      .def_prop_ro(
          "counters",
          [](const Communicator &c) {
            tensorc_rt_communicator_counters counters = c.counters();
            nb::dict made;
            made["collectives"] = counters.collectives;
            made["bytes_sent"] = counters.bytes_sent;
            return made;
          },
          "The number of collectives that were started, and the bytes that "
          "this rank had to send for them.")
      .def("_end", &Communicator::end)
      .def("_set_timeout",
           [](const Communicator &c, int64_t milliseconds) {
             tensorc_rt_communicator_set_timeout(c.raw, milliseconds);
           })
      .def(
          "abort",
          [](const Communicator &c, const std::string &message) {
            tensorc_rt_communicator_abort(c.raw, message.c_str());
          },
          nb::arg("message"),
          "Ends the collectives of all ranks with this error: for a rank that "
          "cannot go on.");
  m.def("thread_communicator", [] {
    tensorc_rt_communicator *raw = tensorc_rt_thread_communicator();
    tensorc_rt_communicator_retain(raw);
    return raw ? nb::cast(Communicator(raw)) : nb::none();
  });
  m.def(
      "set_communicator",
      [](const Communicator *communicator) {
        if (communicator && !communicator->raw)
          throw nb::value_error("the communicator has ended");
        tensorc_rt_run_options options = {sizeof options, nullptr, 0, 0,
                                          communicator ? communicator->raw
                                                       : nullptr};
        check(tensorc_rt_set_run_options(&options));
      },
      nb::arg().none());
}

} // namespace tcpy
