//===- on_host.hpp - optimizer state in the memory of the host ------------===//
//
//   tensorc::OnHost<tensorc::Adam> adam(tensorc::Adam(1e-3));
//   auto state = adam.init(model);
//   auto [loss, gradient] = step(model, x, y); // of value_and_grad
//   std::tie(model, state) = adam.update(model, gradient, state);
//
// Adam's state is twice as large as the parameters. docs/memory.md describes
// when this helps.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_ON_HOST_HPP
#define TENSORC_ON_HOST_HPP

#include "tensorc/optim.hpp"
#include "tensorc/streams.hpp"

namespace tensorc {

/// An optimizer whose state is kept in the memory of the host. The results have
/// the bits of the optimizer alone.
///
/// update() updates one parameter after the other: a second stream of the device
/// copies the state of the next `ahead` parameters while the device computes
/// gradients and earlier updates, and the next states go back to the host while
/// it computes later ones. So only `ahead` + 2 states are on the device. update()
/// is not for functions of jit(), as it evaluates; the gradients may come from
/// one.
template <typename Optimizer> class OnHost {
public:
  explicit OnHost(Optimizer given, size_t ahead_of_use = 1)
      : optimizer(std::move(given)), ahead(ahead_of_use) {}

  /// Returns the state before the first step, which takes the device's memory
  /// for one parameter at a time.
  template <typename P>
  auto init(const P &parameters, Location at = Location::current()) const {
    auto state = optimizer.init(parameters, at);
    std::apply(
        [&](Tensor &, auto &...parts) {
          (for_each_tensor(parts,
                           [&](Tensor &x) { x = moved(x, Device("cpu"), at); }),
           ...);
        },
        tensorc_members(state));
    return state;
  }

  /// Returns the next parameters and the next state.
  template <typename P, typename State>
  std::pair<P, State> update(P parameters, P gradients, State state,
                             Location at = Location::current()) const {
    std::apply(
        [&](Tensor &step, auto &...parts) {
          std::array lists{detail::tensorsOf(parameters),
                           detail::tensorsOf(gradients),
                           detail::tensorsOf(parts)...};
          detail::checkLists("on_host", lists, at);
          Updates<decltype(lists)>(*this, lists, step, at).run();
        },
        tensorc_members(state));
    return {std::move(parameters), std::move(state)};
  }

private:
  using List = std::vector<Tensor>;
  static constexpr size_t numLeading = 2; // parameters and gradients

  /// Returns the value on a device. A copy to a device with streams of its own
  /// returns before it is done.
  static Tensor moved(const Tensor &x, const Device &device, Location at) {
    return x.defined() ? x.to(device, at).eval(at) : x;
  }

  /// One step of the optimizer for all parameters. `Lists` has the parameters,
  /// the gradients, and the parts of the state.
  template <typename Lists> class Updates {
  public:
    Updates(const OnHost &given, const Lists &all, Tensor &count, Location call)
        : host(given), lists(all), step(count), at(call) {
      for (size_t i = 0; i < lists[0].size(); ++i)
        if (detail::isTrained(*lists[0][i]) && lists[1][i]->defined())
          trained.push_back(i);
    }

    void run() {
      if (trained.empty()) {
        step = step + 1;
        return;
      }
      Device device = lists[0][trained[0]]->device(at);
      Stream copies(device, at);
      List wanted;
      for (size_t i : trained)
        wanted.push_back(*lists[1][i]);
      // Starts the computation of the gradients.
      eval(wanted);
      Tensor next;
      size_t loaded = 0;
      for (size_t position = 0; position < trained.size(); ++position) {
        size_t end = std::min(trained.size(), position + host.ahead + 1);
        for (; loaded < end; ++loaded)
          move(trained[loaded], device, copies);
        next = compute(trained[position]);
        if (position > 0)
          store(trained[position - 1], copies);
      }
      store(trained.back(), copies);
      step = next;
    }

  private:
    void move(size_t i, const Device &to, const Stream &copies) {
      StreamGuard guard(copies, at);
      for (size_t part = numLeading; part < lists.size(); ++part)
        *lists[part][i] = moved(*lists[part][i], to, at);
    }
    void store(size_t i, const Stream &copies) {
      move(i, Device("cpu"), copies);
      // The device has the next update to do meanwhile. Without waiting, all
      // states would be on it.
      copies.synchronize(at);
    }
    /// Updates one parameter and its state, and returns the next count of
    /// steps.
    Tensor compute(size_t i) {
      auto own = host.optimizer.init(List(), at);
      auto forEachPart = [&](auto &state, auto each) {
        std::apply(
            [&](Tensor &, auto &...parts) {
              size_t part = numLeading;
              (each(parts, *lists[part++][i]), ...);
            },
            tensorc_members(state));
      };
      forEachPart(own, [](List &part, Tensor &x) { part = {std::move(x)}; });
      std::get<0>(tensorc_members(own)) = step;
      auto made =
          host.optimizer.update(List{std::move(*lists[0][i])},
                                List{*lists[1][i]}, std::move(own), at);
      eval(made.first, made.second);
      *lists[0][i] = std::move(made.first[0]);
      forEachPart(made.second,
                  [](List &part, Tensor &x) { x = std::move(part[0]); });
      return std::get<0>(tensorc_members(made.second));
    }

    const OnHost &host;
    const Lists &lists;
    Tensor &step;
    Location at;
    /// The parameters that are updated.
    std::vector<size_t> trained;
  };

  Optimizer optimizer;
  size_t ahead;
};

} // namespace tensorc

#endif
