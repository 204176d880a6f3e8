//===- optimizers.cpp - Steps of the optimizers of the C++ headers --------===//
//
// Applies tensorc/optim.hpp, precision.hpp and lbfgs.hpp to lists of arrays.
// The Python part flattens structures and stores states as dicts; the formulas
// are in C++.
//
//===----------------------------------------------------------------------===//
#include "core.h"
#include "recording.h"

#include "tensorc/lbfgs.hpp"
#include "tensorc/precision.hpp"

namespace tcpy {
namespace {

using List = std::vector<tensorc::Tensor>;
using tensorc::Schedule;

tensorc::Location place() {
  tensorc_location at = here();
  return {at.file, at.line};
}

/// Returns an undefined tensor for None.
tensorc::Tensor tensorOf(nb::handle value) {
  if (value.is_none())
    return {};
  Array array = asArray(value);
  array.held();
  return tensorc::Tensor::take(array.release());
}
nb::object objectOf(tensorc::Tensor x) {
  return x.defined() ? nb::cast(Array(x.release())) : nb::none();
}
List listOf(nb::handle values) {
  List list;
  for (nb::handle value : values)
    list.push_back(tensorOf(value));
  return list;
}
nb::list objectsOf(List list) {
  nb::list objects;
  for (tensorc::Tensor &x : list)
    objects.append(objectOf(std::move(x)));
  return objects;
}

/// Calls a function and translates C++ exceptions to the corresponding Python
/// exceptions.
template <typename Call> auto translated(Call call) {
  try {
    return call();
  } catch (const tensorc::Error &error) {
    if (error.code() == TENSORC_CANCELLED)
      PyErr_CheckSignals();
    raise(static_cast<tensorc_code>(error.code()), error.what());
  }
}

/// Makes a schedule from a number, or from an array that holds the rate of this
/// step.
Schedule scheduleOf(nb::handle rate) {
  if (arrayIn(rate))
    return Schedule(
        [now = tensorOf(rate)](const tensorc::Tensor &) { return now; });
  double number = PyFloat_AsDouble(rate.ptr());
  if (number == -1 && PyErr_Occurred())
    throw nb::python_error();
  return number;
}

/// Makes a state from its members: `step`, followed by lists.
template <typename State> State stateOf(nb::handle parts) {
  State state;
  size_t next = 0;
  auto part = [&] { return nb::object(parts[next++]); };
  std::apply(
      [&](tensorc::Tensor &step, auto &...lists) {
        step = tensorOf(part());
        ((lists = listOf(part())), ...);
      },
      tensorc_members(state));
  return state;
}
template <typename State> nb::tuple partsOf(State state) {
  return std::apply(
      [](tensorc::Tensor &step, auto &...lists) {
        return nb::make_tuple(objectOf(std::move(step)),
                              objectsOf(std::move(lists))...);
      },
      tensorc_members(state));
}

/// Adds NAME_init(parameters, options...) and NAME_update(parameters,
/// gradients, state, rate, options...).
template <typename Optimizer, typename... Options>
void add(nb::module_ &m, const std::string &name,
         Optimizer (*make)(Schedule, Options...)) {
  m.def((name + "_init").c_str(), [make](nb::handle parameters,
                                         Options... options) {
    return translated([&] {
      return partsOf(make(0.0, options...).init(listOf(parameters), place()));
    });
  });
  m.def((name + "_update").c_str(),
        [make](nb::handle parameters, nb::handle gradients, nb::handle parts,
               nb::handle rate, Options... options) {
          return translated([&] {
            Optimizer optimizer = make(scheduleOf(rate), options...);
            using State = decltype(optimizer.init(List()));
            auto [next, state] =
                optimizer.update(listOf(parameters), listOf(gradients),
                                 stateOf<State>(parts), place());
            return nb::make_tuple(objectsOf(std::move(next)),
                                  partsOf(std::move(state)));
          });
        });
}

tensorc::Sgd makeSgd(Schedule rate, double momentum, double dampening,
                     double weightDecay, bool nesterov) {
  return tensorc::Sgd(std::move(rate),
                      {momentum, dampening, weightDecay, nesterov});
}
template <typename Optimizer>
Optimizer makeAdam(Schedule rate, double beta1, double beta2, double epsilon,
                   double weightDecay) {
  return Optimizer(std::move(rate), {beta1, beta2, epsilon, weightDecay});
}
tensorc::Lion makeLion(Schedule rate, double beta1, double beta2,
                       double weightDecay) {
  return tensorc::Lion(std::move(rate), {beta1, beta2, weightDecay});
}
tensorc::Adafactor makeAdafactor(Schedule rate, double decay, double epsilon,
                                 double scale, double clip,
                                 double weightDecay) {
  return tensorc::Adafactor(std::move(rate),
                            {decay, epsilon, scale, clip, weightDecay});
}

template <typename... Numbers>
void addSchedule(nb::module_ &m, const char *name,
                 Schedule (*make)(Numbers...)) {
  m.def(name, [make](nb::handle step, Numbers... numbers) {
    return translated(
        [&] { return objectOf(make(numbers...).at(tensorOf(step), place())); });
  });
}

void addClipping(nb::module_ &m) {
  m.def("global_norm", [](nb::handle gradients) {
    return translated([&] {
      return objectOf(tensorc::global_norm(listOf(gradients), place()));
    });
  });
  m.def("clip_by_norm", [](nb::handle gradients, double most) {
    return translated([&] {
      return objectsOf(tensorc::clip_by_norm(listOf(gradients), most, place()));
    });
  });
  m.def("clip_by_value", [](nb::handle gradients, double most) {
    return translated([&] {
      return objectsOf(
          tensorc::clip_by_value(listOf(gradients), most, place()));
    });
  });
}

void addScaling(nb::module_ &m) {
  using tensorc::LossScale;
  using tensorc::LossScaler;
  auto stateOf = [](nb::handle scale, nb::handle good) {
    return LossScale{tensorOf(scale), tensorOf(good)};
  };
  auto parts = [](LossScale state) {
    return nb::make_tuple(objectOf(std::move(state.scale)),
                          objectOf(std::move(state.good)));
  };
  m.def("loss_scale_init", [=](double initial) {
    return translated(
        [&] { return parts(LossScaler({initial}).init(place())); });
  });
  m.def("loss_scale", [=](nb::handle loss, nb::handle scale, nb::handle good) {
    return translated([&] {
      return objectOf(
          LossScaler().scale(tensorOf(loss), stateOf(scale, good), place()));
    });
  });
  m.def("loss_unscale",
        [=](nb::handle gradients, nb::handle scale, nb::handle good) {
          return translated([&] {
            return objectsOf(LossScaler().unscale(
                listOf(gradients), stateOf(scale, good), place()));
          });
        });
  m.def("all_finite", [](nb::handle gradients) {
    return translated([&] {
      return objectOf(LossScaler::all_finite(listOf(gradients), place()));
    });
  });
  m.def("choose_finite",
        [](nb::handle isGood, nb::handle made, nb::handle before) {
          return translated([&] {
            return objectsOf(LossScaler::choose(tensorOf(isGood), listOf(made),
                                                listOf(before), place()));
          });
        });
  m.def("loss_scale_after", [=](nb::handle isGood, nb::handle scale,
                                nb::handle good, double growth, double backoff,
                                int32_t interval) {
    return translated([&] {
      return parts(LossScaler({1, growth, backoff, interval})
                       .after(tensorOf(isGood), stateOf(scale, good), place()));
    });
  });
}

nb::tuple lbfgs(const nb::object &function, nb::handle start, int history,
                int maxIterations, double gradient, double change) {
  auto loss = [&](const List &parameters) {
    nb::gil_scoped_acquire hold;
    RecordingScope scope;
    return tensorOf(function(objectsOf(parameters)));
  };
  return translated([&] {
    List first = listOf(start);
    tensorc::Location at = place();
    tensorc::LbfgsResult<List> found;
    {
      nb::gil_scoped_release release; // the function acquires the GIL itself
      found = tensorc::lbfgs(loss, first,
                             {history, maxIterations, gradient, change}, at);
    }
    return nb::make_tuple(objectsOf(std::move(found.parameters)), found.loss,
                          found.iterations, found.evaluations, found.converged);
  });
}

} // namespace

void addOptimizers(nb::module_ &m) {
  add(m, "sgd", makeSgd);
  add(m, "adam", makeAdam<tensorc::Adam>);
  add(m, "adamw", makeAdam<tensorc::AdamW>);
  add(m, "lion", makeLion);
  add(m, "adafactor", makeAdafactor);
  addSchedule(m, "step_schedule", tensorc::step_schedule);
  addSchedule(m, "exponential_schedule", tensorc::exponential_schedule);
  addSchedule(m, "linear_schedule", tensorc::linear_schedule);
  addSchedule(m, "cosine_schedule", tensorc::cosine_schedule);
  addClipping(m);
  addScaling(m);
  m.def("lbfgs", lbfgs);
}

} // namespace tcpy
