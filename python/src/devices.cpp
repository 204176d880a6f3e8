//===- devices.cpp - Devices, streams, events and memory ------------------===//
#include "core.h"

#include "tensorc/memory.h"
#include "tensorc/progress.h"
#include "tensorc/tune.h"

#include <nanobind/stl/unique_ptr.h>

namespace tcpy {
namespace {

struct Device {
  tensorc_rt_device *raw; // NULL: auto
  tensorc_rt_device_properties properties() const {
    tensorc_rt_device_properties result{};
    if (raw)
      tensorc_rt_device_get_properties(raw, &result);
    return result;
  }
  std::string name() const { return raw ? properties().name : "auto"; }
};

Device found(const std::string &name) {
  if (name == "auto")
    return {nullptr};
  tensorc_rt_device *raw = nullptr;
  check(tensorc_find_device(name.c_str(), &raw));
  return {raw};
}
Device deviceOf(nb::handle value) {
  Device *device;
  if (nb::try_cast<Device *>(value, device) && device)
    return *device;
  if (!nb::isinstance<nb::str>(value))
    raise(PyExc_TypeError,
          "a device is a name, such as 'cpu' and 'sim:0', or a Device");
  return found(nb::cast<std::string>(value));
}

struct Stream {
  Device device;
  tensorc_rt_stream *raw = nullptr;
  Stream(Device device, tensorc_rt_stream *raw) : device(device), raw(raw) {}
  Stream(const Stream &other) : device(other.device), raw(other.raw) {
    tensorc_rt_stream_retain(raw);
  }
  Stream &operator=(const Stream &) = delete;
  ~Stream() { tensorc_rt_stream_release(raw); }
};
struct Event {
  tensorc_rt_event *raw = nullptr;
  Event() = default;
  Event(const Event &) = delete;
  ~Event() { tensorc_rt_event_release(raw); }
};

template <typename Call> void unlocked(Call call) {
  tensorc_rt_status *status;
  {
    nb::gil_scoped_release release;
    status = call();
  }
  check(status);
}

Device current() {
  Text name;
  check(tensorc_thread_device(&name.text));
  if (*name.text)
    return found(name.text);
  Text fallback;
  check(tensorc_default_device(&fallback.text));
  return found(fallback.text);
}

nb::dict propertiesOf(const Device &d) {
  nb::dict result;
  tensorc_rt_device_properties p = d.properties();
  result["threads"] = p.threads;
  result["computes"] = p.computes != 0;
  result["memory"] = p.memory;
  result["multiprocessors"] = p.multiprocessors;
  result["subgroup"] = p.subgroup;
  result["max_block"] = p.max_block;
  result["shared_memory"] = p.shared_memory;
  return result;
}

nb::dict memoryOf(const Device &d) {
  tensorc_rt_memory_stats s{};
  if (d.raw)
    tensorc_rt_device_memory(d.raw, &s);
  nb::dict result;
  result["allocated"] = s.allocated;
  result["peak"] = s.peak;
  result["cached"] = s.cached;
  result["limit"] = s.limit;
  result["allocations"] = s.allocations;
  result["cache_hits"] = s.cache_hits;
  result["free"] = s.free;
  result["total"] = s.total;
  return result;
}

nb::class_<Device> addDevice(nb::module_ &m) {
  nb::class_<Device> device(m, "Device", "A place where arrays are.");
  device
      .def("__init__",
           [](Device *self, nb::handle name) {
             new (self) Device(deviceOf(name));
           })
      .def_prop_ro("name", &Device::name, "'cpu:0'")
      .def_prop_ro("kind",
                   [](const Device &d) {
                     return d.name().substr(0, d.name().find(':'));
                   })
      .def_prop_ro("index",
                   [](const Device &d) {
                     std::string name = d.name();
                     return name.rfind(':') == std::string::npos
                                ? 0
                                : std::atoi(name.c_str() + name.rfind(':') + 1);
                   })
      .def_prop_ro(
          "description",
          [](const Device &d) {
            return std::string(d.raw ? d.properties().description : "");
          },
          "The hardware's own name.")
      .def_prop_ro(
          "target",
          [](const Device &d) {
            return std::string(d.raw ? d.properties().target : "");
          },
          "The best target that it takes.")
      .def_prop_ro("properties", propertiesOf, "What the hardware has, a dict.")
      .def(
          "synchronize",
          [](const Device &d) {
            if (d.raw)
              unlocked([&] { return tensorc_rt_device_synchronize(d.raw); });
          },
          "Waits for all work of the device.")
      .def("memory_stats", memoryOf,
           "Bytes in use, at most in use, kept, and free: a dict.")
      .def(
          "record_memory",
          [](const Device &d, uint32_t blocks) {
            check(tensorc_rt_device_record_memory(d.raw, blocks));
          },
          "Records the last released blocks for memory_snapshot; 0 ends it.")
      .def(
          "_memory_snapshot",
          [](const Device &d) {
            char *text = nullptr;
            check(tensorc_rt_device_memory_snapshot(d.raw, &text));
            std::string json = text;
            tensorc_rt_string_free(text);
            return json;
          },
          "The device's memory as JSON.")
      .def("reset_peak",
           [](const Device &d) { tensorc_rt_device_reset_peak(d.raw); })
      .def(
          "set_memory_limit",
          [](const Device &d, uint64_t bytes) {
            tensorc_rt_device_set_memory_limit(d.raw, bytes);
          },
          "Allocations beyond it are a MemoryError; 0 takes it away.")
      .def(
          "trim", [](const Device &d) { tensorc_rt_device_trim(d.raw); },
          "Gives what is kept back to the system.")
      .def(
          "_set_stream",
          [](const Device &d, const Stream *stream) {
            check(tensorc_set_stream(d.raw, stream ? stream->raw : nullptr));
          },
          nb::arg().none());
  return device;
}

void addComparisons(nb::class_<Device> &device) {
  device
      .def("__repr__",
           [](const Device &d) { return "device('" + d.name() + "')"; })
      .def("__str__", &Device::name)
      .def("__hash__",
           [](const Device &d) {
             return reinterpret_cast<intptr_t>(d.raw) >> 4;
           })
      .def(
          "__eq__",
          [](const Device &d, nb::handle other) {
            Device *device;
            if (nb::try_cast<Device *>(other, device) && device)
              return d.raw == device->raw;
            return nb::isinstance<nb::str>(other) &&
                   d.name() == nb::cast<std::string>(other);
          },
          nb::arg().none())
      .def("__reduce__", [](const Device &d) {
        return nb::make_tuple(nb::type<Device>(), nb::make_tuple(d.name()));
      });
}

void addPlacement(nb::module_ &m) {
  m.def("devices", [] {
    nb::list all;
    for (int32_t i = 0; i < tensorc_rt_device_count(); ++i)
      all.append(nb::cast(Device{tensorc_rt_device_get(i)}));
    return all;
  });
  m.def("is_available", [](nb::handle name) {
    return tensorc_is_available(nb::isinstance<nb::str>(name)
                                    ? nb::cast<std::string>(name).c_str()
                                    : deviceOf(name).name().c_str()) != 0;
  });
  m.def("current_device", current);
  m.def("thread_device", [] {
    Text name;
    check(tensorc_thread_device(&name.text));
    return std::string(name.text);
  });
  m.def(
      "set_device",
      [](nb::handle name) {
        check(tensorc_set_device(
            name.is_none() ? nullptr : deviceOf(name).name().c_str()));
      },
      nb::arg().none());
  m.def("set_default_device", [](nb::handle name) {
    check(tensorc_set_default_device(deviceOf(name).name().c_str()));
  });
  m.def("default_device", [] {
    Text name;
    check(tensorc_default_device(&name.text));
    return found(name.text);
  });
  m.def("residence", [](const Array &x) {
    tensorc_tensor *raw = x.held();
    evaluate(&raw, 1);
    return Device{tensorc_tensor_residence(raw)};
  });
  m.def("sharding", [](const Array &x) -> nb::object {
    const int64_t *mesh = nullptr, *dims = nullptr;
    int32_t axes = tensorc_tensor_sharding(x.held(), &mesh, &dims);
    if (!axes)
      return nb::none();
    nb::list sizes, split;
    for (int32_t i = 0; i < axes; ++i) {
      sizes.append(mesh[i]);
      split.append(dims[i]);
    }
    return nb::make_tuple(nb::tuple(sizes), nb::tuple(split));
  });
  m.def("explain_placement", [](const Array &x) {
    tensorc_tensor *raw = x.held();
    Text text;
    check(tensorc_explain_placement(&raw, 1, false, &text.text));
    return std::string(text.text);
  });
  m.def("device_figures", [](nb::handle device) {
    Text text;
    Device of = deviceOf(device);
    if (!of.raw)
      raise(PyExc_ValueError, "'auto' is not a single device; name one");
    check(tensorc_device_figures(of.raw, &text.text));
    return std::string(text.text);
  });
  m.def("device_of", [](const Array &x) {
    return tensorc_tensor_is_auto(x.held())
               ? Device{nullptr}
               : Device{tensorc_tensor_device(x.held())};
  });
  m.def("to_device", [](const Tensor &x, nb::handle device) {
    Device to = deviceOf(device);
    tensorc_tensor *out = nullptr;
    tensorc_status *status = to.raw ? tensorc_to(x.raw(), to.raw, here(), &out)
                                    : tensorc_to_auto(x.raw(), here(), &out);
    return taken(status, out);
  });
}

void addStreams(nb::module_ &m) {
  nb::class_<Stream>(
      m, "Stream",
      "Work that is done in its order, beside that of other streams.")
      .def(
          "__init__",
          [](Stream *self, nb::handle device) {
            Device on = device.is_none() ? current() : deviceOf(device);
            tensorc_rt_stream *raw = nullptr;
            check(tensorc_rt_stream_create(on.raw, &raw));
            new (self) Stream(on, raw);
          },
          nb::arg("device") = nb::none())
      .def_prop_ro("device", [](const Stream &s) { return s.device; })
      .def(
          "synchronize",
          [](const Stream &s) {
            unlocked([&] { return tensorc_rt_stream_synchronize(s.raw); });
          },
          "Waits until the stream is idle.")
      .def(
          "query",
          [](const Stream &s) { return tensorc_rt_stream_query(s.raw) != 0; },
          "Whether its work is done.")
      .def(
          "wait",
          [](const Stream &s, const Event &e) {
            check(tensorc_rt_stream_wait(s.raw, e.raw));
          },
          "What is given to the stream from now on waits for the event.");
  m.def("current_stream", [](nb::handle device) {
    Device on = device.is_none() ? current() : deviceOf(device);
    if (!on.raw)
      raise(PyExc_ValueError, "'auto' is not a single device; name one");
    tensorc_rt_stream *raw = tensorc_current_stream(on.raw);
    tensorc_rt_stream_retain(raw);
    return std::make_unique<Stream>(on, raw);
  });
  nb::class_<Event>(m, "Event", "A place in the work of a stream.")
      .def(
          "__init__",
          [](Event *self, nb::handle device) {
            auto event = new (self) Event();
            check(tensorc_rt_event_create(
                (device.is_none() ? current() : deviceOf(device)).raw,
                &event->raw));
          },
          nb::arg("device") = nb::none())
      .def(
          "record",
          [](const Event &e, const Stream *stream) {
            check(tensorc_rt_event_record(
                e.raw,
                stream ? stream->raw : tensorc_current_stream(current().raw)));
          },
          nb::arg("stream") = nb::none(),
          "Marks the place: behind what the stream was given so far.")
      .def(
          "query",
          [](const Event &e) { return tensorc_rt_event_query(e.raw) != 0; },
          "Whether the stream has come to the place.")
      .def("synchronize",
           [](const Event &e) {
             unlocked([&] { return tensorc_rt_event_synchronize(e.raw); });
           })
      .def(
          "elapsed",
          [](const Event &start, const Event &end) {
            int64_t nanoseconds = 0;
            check(tensorc_rt_event_elapsed(start.raw, end.raw, &nanoseconds));
            return static_cast<double>(nanoseconds) * 1e-9;
          },
          "Seconds from this event to another.");
}

/// Adds functions for tuned schedules and the disk cache.
void addTuning(nb::module_ &m) {
  m.def("set_tuning", [](const std::string &path) {
    check(tensorc_set_tuning(path.c_str()));
  });
  m.def("tune", [](const Arrays &arrays, double seconds,
                   const std::string &path) {
    tensorc_tune_options options{sizeof options, seconds, path.c_str()};
    tensorc_tuned tuned{};
    tuned.struct_size = sizeof tuned;
    tensorc_status *status;
    {
      nb::gil_scoped_release release;
      status = tensorc_tune(arrays.data(), arrays.count(), &options, &tuned);
    }
    check(status);
    nb::dict result;
    result["kernels"] = tuned.kernels;
    result["faster"] = tuned.faster;
    result["usual_seconds"] = tuned.usual_seconds;
    result["seconds"] = tuned.seconds;
    return result;
  });
  m.def("set_disk_cache", [](const std::string &folder,
                             const std::string &readOnly, uint64_t limit) {
    tensorc_disk_cache_options options{sizeof options, folder.c_str(),
                                       readOnly.c_str(), limit};
    check(tensorc_set_disk_cache(&options));
  });
  m.def("disk_cache_folder", [] {
    Text text;
    check(tensorc_disk_cache_folder(&text.text));
    return std::string(text.text);
  });
}

void addStatistics(nb::module_ &m) {
  m.def(
      "compile_stats",
      [] {
        tensorc_compile_stats s{};
        s.struct_size = sizeof(s);
        tensorc_get_compile_stats(&s);
        nb::dict result;
        result["compilations"] = s.compilations;
        result["hits"] = s.hits;
        result["seconds"] = s.seconds;
        result["new_structure"] = s.new_structure;
        result["second_size"] = s.second_size;
        result["sizes_not_expressible"] = s.sizes_not_expressible;
        result["symbolic_failed"] = s.symbolic_failed;
        result["frequent_sizes"] = s.frequent_sizes;
        result["disk_hits"] = s.disk_hits;
        result["disk_misses"] = s.disk_misses;
        result["kernels"] = s.kernels;
        result["code_bytes"] = s.code_bytes;
        result["processor_seconds"] = s.processor_seconds;
        return result;
      },
      "What has been compiled in this process, why, and what it came to: a "
      "dict.");
  m.def(
      "reset_compile_stats",
      [](bool forget) { tensorc_reset_compile_stats(forget); },
      nb::arg("forget_kernels") = false);
  m.def("set_progress", [](bool on) { tensorc_set_progress(on); });
  m.def("set_progress_file",
        [](int descriptor) { tensorc_set_progress_file(descriptor); });
  m.def(
      "set_op_by_op", [](bool on) { tensorc_set_op_by_op(on); },
      "Whether each operation is computed when it is recorded: for debuggers.");
  m.def("default_dtype", [] { return dtypeObject(tensorc_default_dtype()); });
  m.def("set_default_dtype",
        [](DTypeLike dtype) { check(tensorc_set_default_dtype(dtype.value)); });
  m.def("thread_dtype", []() -> nb::object {
    tensorc_dtype dtype = tensorc_thread_dtype();
    return dtype ? dtypeObject(dtype) : nb::none();
  });
  m.def(
      "set_thread_dtype",
      [](nb::handle dtype) {
        check(tensorc_set_thread_dtype(dtype.is_none() ? tensorc_dtype{}
                                                       : asDType(dtype)));
      },
      nb::arg("dtype").none());
  m.def("set_matmul_precision", [](const std::string &name) {
    check(tensorc_set_matmul_precision(name.c_str()));
  });
  m.def("current_matmul_precision",
        [] { return std::string(tensorc_matmul_precision()); });
  m.def("set_store_intermediates",
        [](bool on) { tensorc_set_store_intermediates(on); });
  m.def("last_kernels", [] {
    Text text;
    check(tensorc_last_kernels(&text.text));
    return std::string(text.text);
  });
  m.def("version", [] { return std::string(tensorc_version()); });
}

} // namespace

void addDevices(nb::module_ &m) {
  nb::class_<Device> device = addDevice(m);
  addComparisons(device);
  addPlacement(m);
  addStreams(m);
  addStatistics(m);
  addTuning(m);
}

} // namespace tcpy
