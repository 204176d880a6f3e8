//===- composites.cpp - Losses of the C++ headers -------------------------===//
//
// Losses are implemented once, in tensorc/losses.hpp.
//
//===----------------------------------------------------------------------===//
#include "core.h"

#include "tensorc/losses.hpp"

namespace tcpy {
namespace {

tensorc::Tensor tensorOf(tensorc_tensor *handle) {
  tensorc_tensor_retain(handle);
  return tensorc::Tensor::take(handle);
}
tensorc::Tensor tensorOf(const Tensor &x) { return tensorOf(x.raw()); }

/// The source line of a call in the user's program, and helpers that convert
/// the call's arguments.
struct Call {
  tensorc_location line = here();
  tensorc::Location at{line.file, line.line};

  tensorc::Arg operator()(const Operand &x) const {
    switch (x.arg.kind) {
    case TENSORC_ARG_TENSOR:
      return {tensorOf(const_cast<tensorc_tensor *>(x.arg.tensor)), line.file,
              line.line};
    case TENSORC_ARG_BOOL:
      return {x.arg.integer != 0, line.file, line.line};
    case TENSORC_ARG_INT:
      return {x.arg.integer, line.file, line.line};
    case TENSORC_ARG_UINT:
      return {static_cast<uint64_t>(x.arg.integer), line.file, line.line};
    case TENSORC_ARG_COMPLEX:
      return {std::complex<double>(x.arg.real, x.arg.imaginary), line.file,
              line.line};
    default:
      return {x.arg.real, line.file, line.line};
    }
  }
};

/// Calls a C++ function and converts its errors to Python exceptions.
template <typename Body> Array made(Body body) {
  try {
    tensorc::Tensor result = body(Call());
    return Array::sharing(result.raw());
  } catch (const tensorc::Error &error) {
    raise(static_cast<tensorc_code>(error.code()), error.what());
  }
}

/// An enum that Python passes by name: how the elements of a loss are reduced.
template <typename Enum> struct ByName {
  Enum value{};
};
using Reduction = ByName<tensorc::LossReduction>;
using KlReduction = ByName<tensorc::KlReduction>;

void read(const std::string &name, tensorc::LossReduction &value) {
  value = name == "mean"  ? tensorc::LossReduction::mean
          : name == "sum" ? tensorc::LossReduction::sum
                          : tensorc::LossReduction::none;
  if (name != "mean" && name != "sum" && name != "none")
    raise(PyExc_ValueError, "no reduction '" + name + "': mean, sum, none");
}
void read(const std::string &name, tensorc::KlReduction &value) {
  value = name == "mean"        ? tensorc::KlReduction::mean
          : name == "sum"       ? tensorc::KlReduction::sum
          : name == "batchmean" ? tensorc::KlReduction::batchmean
                                : tensorc::KlReduction::none;
  if (value == tensorc::KlReduction::none && name != "none")
    raise(PyExc_ValueError,
          "no reduction '" + name + "': batchmean, mean, sum, none");
}

} // namespace
} // namespace tcpy

namespace nanobind::detail {
template <typename Enum> struct type_caster<tcpy::ByName<Enum>> {
  NB_TYPE_CASTER(tcpy::ByName<Enum>, const_name("str"))
  bool from_python(handle src, uint32_t, cleanup_list *) {
    if (!isinstance<str>(src))
      return false;
    tcpy::read(cast<std::string>(src), value.value);
    return true;
  }
};
} // namespace nanobind::detail

namespace tcpy {
namespace {

void addDistances(nb::module_ &m) {
  m.def(
      "mse_loss",
      [](const Operand &x, const Operand &y, Reduction reduction) {
        return made([&](const Call &of) {
          return tensorc::mse_loss(of(x), of(y), reduction.value);
        });
      },
      nb::arg("x"), nb::arg("y"), nb::arg("reduction"));
  m.def(
      "l1_loss",
      [](const Operand &x, const Operand &y, Reduction reduction) {
        return made([&](const Call &of) {
          return tensorc::l1_loss(of(x), of(y), reduction.value);
        });
      },
      nb::arg("x"), nb::arg("y"), nb::arg("reduction"));
  m.def(
      "huber_loss",
      [](const Operand &x, const Operand &y, double delta,
         Reduction reduction) {
        return made([&](const Call &of) {
          return tensorc::huber_loss(of(x), of(y), delta, reduction.value,
                                     of.at);
        });
      },
      nb::arg("x"), nb::arg("y"), nb::arg("delta"), nb::arg("reduction"));
  m.def(
      "smooth_l1_loss",
      [](const Operand &x, const Operand &y, double beta, Reduction reduction) {
        return made([&](const Call &of) {
          return tensorc::smooth_l1_loss(of(x), of(y), beta, reduction.value,
                                         of.at);
        });
      },
      nb::arg("x"), nb::arg("y"), nb::arg("beta"), nb::arg("reduction"));
  m.def(
      "cosine_similarity",
      [](const Tensor &x, const Tensor &y, int64_t axis, double epsilon) {
        return made([&](const Call &of) {
          return tensorc::cosine_similarity(tensorOf(x), tensorOf(y), axis,
                                            epsilon, of.at);
        });
      },
      nb::arg("x"), nb::arg("y"), nb::arg("axis"), nb::arg("epsilon"));
  m.def(
      "cosine_embedding_loss",
      [](const Tensor &x, const Tensor &y, const Tensor &labels, double margin,
         Reduction reduction) {
        return made([&](const Call &of) {
          return tensorc::cosine_embedding_loss(tensorOf(x), tensorOf(y),
                                                tensorOf(labels), margin,
                                                reduction.value, of.at);
        });
      },
      nb::arg("x"), nb::arg("y"), nb::arg("labels"), nb::arg("margin"),
      nb::arg("reduction"));
  m.def(
      "triplet_margin_loss",
      [](const Tensor &anchor, const Tensor &positive, const Tensor &negative,
         double margin, double epsilon, Reduction reduction) {
        return made([&](const Call &of) {
          return tensorc::triplet_margin_loss(
              tensorOf(anchor), tensorOf(positive), tensorOf(negative), margin,
              epsilon, reduction.value, of.at);
        });
      },
      nb::arg("anchor"), nb::arg("positive"), nb::arg("negative"),
      nb::arg("margin"), nb::arg("epsilon"), nb::arg("reduction"));
}

void addEntropies(nb::module_ &m) {
  m.def(
      "kl_div",
      [](const Operand &x, const Tensor &target, KlReduction reduction,
         bool logTarget) {
        return made([&](const Call &of) {
          return tensorc::kl_div(of(x), tensorOf(target), reduction.value,
                                 logTarget);
        });
      },
      nb::arg("x"), nb::arg("target"), nb::arg("reduction"),
      nb::arg("log_target"));
  m.def(
      "soft_cross_entropy",
      [](const Tensor &logits, const Tensor &target, Reduction reduction,
         const OptionalTensor &weight, double smoothing) {
        return made([&](const Call &of) {
          return tensorc::soft_cross_entropy(tensorOf(logits), tensorOf(target),
                                             reduction.value, tensorOf(weight),
                                             smoothing, of.at);
        });
      },
      nb::arg("logits"), nb::arg("target"), nb::arg("reduction"),
      nb::arg("weight").none(), nb::arg("label_smoothing"));
  m.def(
      "nll_loss",
      [](const Tensor &x, const Tensor &labels, Reduction reduction,
         int64_t ignored) {
        return made([&](const Call &of) {
          return tensorc::nll_loss(tensorOf(x), tensorOf(labels),
                                   reduction.value, ignored, of.at);
        });
      },
      nb::arg("x"), nb::arg("labels"), nb::arg("reduction"),
      nb::arg("ignore_index"));
  m.def(
      "binary_cross_entropy",
      [](const Tensor &x, const Tensor &target, Reduction reduction) {
        return made([&](const Call &of) {
          return tensorc::binary_cross_entropy(tensorOf(x), tensorOf(target),
                                               reduction.value, of.at);
        });
      },
      nb::arg("x"), nb::arg("target"), nb::arg("reduction"));
  m.def(
      "binary_cross_entropy_with_logits",
      [](const Tensor &x, const Tensor &target, Reduction reduction,
         const OptionalTensor &weight) {
        return made([&](const Call &of) {
          return tensorc::binary_cross_entropy_with_logits(
              tensorOf(x), tensorOf(target), reduction.value, tensorOf(weight),
              of.at);
        });
      },
      nb::arg("x"), nb::arg("target"), nb::arg("reduction"),
      nb::arg("pos_weight").none());
}
} // namespace

void addComposites(nb::module_ &m) {
  addDistances(m);
  addEntropies(m);
}

} // namespace tcpy
