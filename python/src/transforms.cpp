//===- transforms.cpp - Gradients, control flow, programs -----------------===//
//
// The Python part (tensorc/transforms.py) records Python functions and passes
// lists of arrays.
//
//===----------------------------------------------------------------------===//
#include "core.h"
#include "recording.h"

#include "tensorc/compile.h"
#include "tensorc/control.h"
#include "tensorc/grad.h"

#include <memory>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>
#include <set>
#include <utility>

namespace tcpy {
namespace {

tensorc_body bodyOf(const Arrays &arguments, const Arrays &results) {
  return {arguments.data(), arguments.count(), results.data(), results.count()};
}
template <typename Call> nb::list made(size_t count, Call call) {
  std::vector<tensorc_tensor *> out(count);
  check(call(out.data()));
  return toList(out);
}

struct Function {
  tensorc_function *raw = nullptr;
  Function() = default;
  Function(const Function &) = delete;
  ~Function() { tensorc_function_release(raw); }
};

struct Program {
  tensorc_program *raw = nullptr;
  Program() = default;
  Program(const Program &) = delete;
  ~Program() { tensorc_program_release(raw); }
};

struct Tape {
  tensorc_tape *raw = nullptr;
  Tape() { check(tensorc_tape_create(here(), &raw)); }
  Tape(const Tape &) = delete;
  ~Tape() { release(); }
  void release() { tensorc_tape_release(std::exchange(raw, nullptr)); }
};

/// While an object of this class exists, errors name this transformation as the
/// one that traces.
class TracerScope {
public:
  explicit TracerScope(const std::string &name)
      : former(tensorc_set_tracer(kept(name))) {}
  TracerScope(const TracerScope &) = delete;
  ~TracerScope() { tensorc_set_tracer(former); }

private:
  /// Returns a copy of the name that is never freed, because the library does
  /// not copy the name. There are few names.
  static const char *kept(const std::string &name) {
    static auto *names = new std::set<std::string>;
    return names->insert(name).first->c_str();
  }
  const char *former;
};

struct Recorder {
  nb::object function;
  size_t arguments;
};
tensorc_status *record(void *user, tensorc_tensor *const *arguments,
                       tensorc_recording *recording) {
  auto *recorder = static_cast<Recorder *>(user);
  try {
    nb::list list;
    for (size_t i = 0; i < recorder->arguments; ++i)
      list.append(nb::cast(Array::sharing(arguments[i])));
    RecordingScope scope;
    nb::object value = recorder->function(list);
    Arrays results = asArrays(value);
    for (tensorc_tensor *result : results.raw)
      if (tensorc_status *status = tensorc_recording_result(recording, result))
        return status;
    return nullptr;
  } catch (nb::python_error &error) {
    error.restore();
  } catch (std::exception &error) {
    PyErr_SetString(PyExc_RuntimeError, error.what());
  }
  return reinterpret_cast<tensorc_status *>(
      tensorc_rt_status_create(TENSORC_RT_CUSTOM_CALL, "raised"));
}

std::vector<const char *> texts(const std::vector<std::string> &from) {
  std::vector<const char *> result;
  for (const std::string &text : from)
    result.push_back(text.c_str());
  return result;
}
const char *orNull(const std::optional<std::string> &text) {
  return text ? text->c_str() : nullptr;
}

void saveProgram(const Program &p, const std::string &path,
                 const std::optional<std::string> &target,
                 const std::optional<std::string> &kind,
                 const std::vector<std::string> &inputs,
                 const std::vector<std::string> &outputs,
                 const std::optional<std::string> &constants, int opt,
                 bool fast, const std::string &memoryPlans) {
  std::vector<const char *> in = texts(inputs), out = texts(outputs);
  tensorc_save_options options{};
  options.struct_size = sizeof(options);
  options.target = orNull(target);
  options.kind = orNull(kind);
  options.input_names = in.data();
  options.input_name_count = static_cast<int32_t>(in.size());
  options.output_names = out.data();
  options.output_name_count = static_cast<int32_t>(out.size());
  options.constants = orNull(constants);
  options.opt_level = opt;
  options.fast_math = fast;
  options.memory_plans = memoryPlans.c_str();
  tensorc_status *status;
  {
    nb::gil_scoped_release release;
    status = tensorc_program_save(p.raw, path.c_str(), &options);
  }
  check(status);
}

// Each of `inputs` is (name or None, dtype, sizes, names of sizes or None for
// each).
std::unique_ptr<Program> recordProgram(nb::list inputs, nb::object function) {
  struct Input {
    std::string name;
    std::vector<int64_t> dims;
    std::vector<std::string> names;
    std::vector<const char *> sizes;
  };
  std::vector<std::unique_ptr<Input>> kept;
  std::vector<tensorc_input> raw;
  for (nb::handle one : inputs) {
    nb::tuple parts = nb::tuple(one);
    auto input = std::make_unique<Input>();
    tensorc_input to{};
    if (!parts[0].is_none()) {
      input->name = nb::cast<std::string>(parts[0]);
      to.name = input->name.c_str();
    }
    to.dtype = asDType(nb::object(parts[1]));
    input->dims = nb::cast<std::vector<int64_t>>(parts[2]);
    for (nb::handle name : nb::list(parts[3]))
      input->names.push_back(name.is_none() ? "" : nb::cast<std::string>(name));
    for (const std::string &name : input->names)
      input->sizes.push_back(name.empty() ? nullptr : name.c_str());
    to.rank = static_cast<int32_t>(input->dims.size());
    to.dims = input->dims.data();
    to.sizes = input->sizes.data();
    raw.push_back(to);
    kept.push_back(std::move(input));
  }
  Recorder recorder{std::move(function), raw.size()};
  auto program = std::make_unique<Program>();
  check(tensorc_program_create(raw.data(), static_cast<int32_t>(raw.size()),
                               record, &recorder, here(), &program->raw));
  return program;
}

void addGradients(nb::module_ &m) {
  m.def("trace_argument_like", [](const Tensor &x) {
    tensorc_tensor *out = nullptr;
    tensorc_status *status = tensorc_trace_argument_like(x.raw(), here(), &out);
    return taken(status, out);
  });
  m.def("trace_part_like", [](const Tensor &x) {
    tensorc_tensor *out = nullptr;
    tensorc_status *status = tensorc_trace_part_like(x.raw(), here(), &out);
    return taken(status, out);
  });
  m.def(
      "line", [] { return line(here()); }, "FILE:LINE of the user's program.");
  m.def("constant", [](const Tensor &x) { check(tensorc_constant(x.raw())); });
  m.def("stop_gradient", [](const Tensor &x) {
    tensorc_tensor *out = nullptr;
    tensorc_status *status = tensorc_stop_gradient(x.raw(), here(), &out);
    return taken(status, out);
  });
  m.def(
      "pullback",
      [](const Arrays &arguments, const Arrays &values,
         const std::vector<int32_t> &wanted, const Arrays &results,
         nb::handle cotangents) {
        std::vector<Array> kept;
        std::vector<tensorc_tensor *> seeds;
        if (!cotangents.is_none())
          for (nb::handle one : cotangents) {
            if (one.is_none()) {
              seeds.push_back(nullptr);
              continue;
            }
            kept.push_back(asArray(one));
            seeds.push_back(kept.back().raw());
          }
        std::vector<tensorc_tensor *> out(results.raw.size()),
            gradients(arguments.raw.size());
        tensorc_location at = here();
        check(tensorc_pullback(
            arguments.data(), values.data(), wanted.data(), arguments.count(),
            results.data(), cotangents.is_none() ? nullptr : seeds.data(),
            results.count(), at, out.data(), gradients.data()));
        nb::list first = toList(out);
        return nb::make_tuple(first, toList(gradients));
      },
      nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg().none());
  m.def("checkpoint",
        [](const Arrays &arguments, const Arrays &taken, const Arrays &given) {
          tensorc_body body = bodyOf(taken, given);
          return made(given.raw.size(), [&](tensorc_tensor **out) {
            return tensorc_checkpoint(arguments.data(), arguments.count(),
                                      &body, here(), out);
          });
        });
  m.def("custom_vjp", [](const Arrays &arguments, int32_t results,
                         const Arrays &taken, const Arrays &given,
                         const Arrays &backTaken, const Arrays &backGiven) {
    tensorc_body forward = bodyOf(taken, given),
                 backward = bodyOf(backTaken, backGiven);
    return made(static_cast<size_t>(results), [&](tensorc_tensor **out) {
      return tensorc_custom_vjp(arguments.data(), arguments.count(), results,
                                &forward, &backward, here(), out);
    });
  });
}

void addTape(nb::module_ &m) {
  nb::class_<Tape>(m, "Tape")
      .def(nb::init<>())
      .def("watch",
           [](Tape &tape, const Arrays &arrays) {
             for (tensorc_tensor *x : arrays.raw)
               check(tensorc_tape_watch(tape.raw, x, here()));
           })
      .def("gradient",
           [](Tape &tape, const Tensor &target, const Arrays &sources) {
             return made(sources.raw.size(), [&](tensorc_tensor **out) {
               return tensorc_tape_gradient(tape.raw, target.raw(),
                                            sources.data(), sources.count(),
                                            here(), out);
             });
           })
      .def("release", &Tape::release);
}

void addControlFlow(nb::module_ &m) {
  m.def("cond", [](const Tensor &predicate, const Arrays &inputs,
                   const Arrays &thenTaken, const Arrays &thenGiven,
                   const Arrays &elseTaken, const Arrays &elseGiven) {
    tensorc_body then = bodyOf(thenTaken, thenGiven),
                 otherwise = bodyOf(elseTaken, elseGiven);
    return made(thenGiven.raw.size(), [&](tensorc_tensor **out) {
      return tensorc_cond(predicate.raw(), inputs.data(), inputs.count(), &then,
                          &otherwise, here(), out);
    });
  });
  m.def("switch", [](const Tensor &index, const Arrays &inputs,
                     const std::vector<Arrays> &taken,
                     const std::vector<Arrays> &given) {
    std::vector<tensorc_body> branches;
    for (size_t i = 0; i < taken.size(); ++i)
      branches.push_back(bodyOf(taken[i], given[i]));
    return made(given.empty() ? 0 : given[0].raw.size(),
                [&](tensorc_tensor **out) {
                  return tensorc_switch(index.raw(), inputs.data(),
                                        inputs.count(), branches.data(),
                                        static_cast<int32_t>(branches.size()),
                                        here(), out);
                });
  });
  m.def("while_loop", [](const Arrays &carried, const Arrays &testTaken,
                         const Arrays &testGiven, const Arrays &bodyTaken,
                         const Arrays &bodyGiven, int64_t most) {
    tensorc_body test = bodyOf(testTaken, testGiven),
                 body = bodyOf(bodyTaken, bodyGiven);
    return made(carried.raw.size(), [&](tensorc_tensor **out) {
      return tensorc_while_loop(carried.data(), carried.count(), &test, &body,
                                most, here(), out);
    });
  });
  m.def("scan_loop",
        [](const Arrays &carried, const Arrays &scanned, int64_t length,
           bool reverse, const Arrays &taken, const Arrays &given) {
          tensorc_body body = bodyOf(taken, given);
          return made(given.raw.size(), [&](tensorc_tensor **out) {
            return tensorc_scan_loop(carried.data(), carried.count(),
                                     scanned.data(), scanned.count(), length,
                                     reverse, &body, here(), out);
          });
        });

  // Each of `axes` is an integer, or None if all examples share the array.
  m.def("vmap", [](const Arrays &values, nb::list axes, const Arrays &taken,
                   const Arrays &given, nb::list resultAxes) {
    auto numbers = [](nb::list from) {
      std::vector<int64_t> result;
      for (nb::handle one : from)
        result.push_back(one.is_none() ? TENSORC_NO_AXIS
                                       : nb::cast<int64_t>(one));
      return result;
    };
    std::vector<int64_t> in = numbers(axes), out = numbers(resultAxes);
    if (in.size() != values.raw.size() || out.size() != given.raw.size())
      raise(PyExc_ValueError, "vmap: an axis for each array is expected");
    tensorc_body body = bodyOf(taken, given);
    return made(given.raw.size(), [&](tensorc_tensor **results) {
      return tensorc_vmap(values.data(), in.data(), values.count(), &body,
                          out.data(), here(), results);
    });
  });
}

void addPrograms(nb::module_ &m) {
  nb::class_<Function>(m, "Function")
      .def("__call__", [](const Function &f, const Arrays &arguments) {
        std::vector<tensorc_tensor *> out(
            static_cast<size_t>(tensorc_function_result_count(f.raw)));
        int32_t count = tensorc_function_argument_count(f.raw);
        if (arguments.count() != count)
          raise(PyExc_TypeError, "the function takes " + std::to_string(count) +
                                     " arrays, not " +
                                     std::to_string(arguments.count()));
        tensorc_status *status;
        {
          nb::gil_scoped_release release;
          status = tensorc_function_call(f.raw, arguments.data(), out.data());
        }
        check(status);
        return toList(out);
      });
  nb::class_<Program>(m, "Program")
      .def("save", saveProgram, nb::arg("path"),
           nb::arg("target").none() = nb::none(),
           nb::arg("kind").none() = nb::none(),
           nb::arg("input_names") = nb::list(),
           nb::arg("output_names") = nb::list(),
           nb::arg("constants").none() = nb::none(), nb::arg("opt_level") = 0,
           nb::arg("fast_math") = false, nb::arg("memory_plans") = "")
      .def("to_mlir",
           [](const Program &p) {
             Text text;
             check(tensorc_program_to_mlir(p.raw, &text.text));
             return std::string(text.text);
           })
      .def(
          "function",
          [](const Program &p, const std::string &memoryPlans) {
            auto function = std::make_unique<Function>();
            tensorc_status *status;
            {
              nb::gil_scoped_release release;
              status = tensorc_program_function_with(p.raw, memoryPlans.c_str(),
                                                     &function->raw);
            }
            check(status);
            return function;
          },
          nb::arg("memory_plans") = "");
  m.def("record_program", recordProgram);
  m.def("read_program", [](nb::bytes bytes, const std::string &name) {
    auto program = std::make_unique<Program>();
    tensorc_status *status;
    {
      nb::gil_scoped_release release;
      status = tensorc_program_read(bytes.c_str(), bytes.size(), name.c_str(),
                                    &program->raw);
    }
    check(status);
    return program;
  });
}

} // namespace

void addTransforms(nb::module_ &m) {
  m.def("call_recorded", [](const nb::object &function, nb::handle arguments,
                            const std::string &tracer) {
    RecordingScope scope;
    TracerScope named(tracer);
    return function(*nb::tuple(arguments));
  });
  addGradients(m);
  addTape(m);
  addControlFlow(m);
  addPrograms(m);
}

} // namespace tcpy
