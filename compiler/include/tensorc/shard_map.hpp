//===- shard_map.hpp - applying functions to the parts of split tensors ---===//
//
//   Mesh mesh({{"data", 2}});
//   auto total = shard_map(
//       [](const Tensor &x) { return all_reduce(sum(x)); }, // x is a part
//       mesh, {{"data"}}, {{}});
//   Tensor y = total(x);                                    // x is a whole
//
// docs/distributed.md is the guide.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_SHARD_MAP_HPP
#define TENSORC_SHARD_MAP_HPP

#include "tensorc/collectives.hpp"
#include "tensorc/control.hpp"
#include "tensorc/grad.hpp"

namespace tensorc {

/// For each axis of a tensor, the mesh axes that split it, in the form that
/// shard() takes.
using ShardSpec = std::vector<const char *>;

namespace detail {
/// Returns this rank's part of x. Its gradient is the sum over the ranks that
/// have the same part: x is repeated along a new axis, and each of these ranks
/// has one element of this axis.
inline Tensor partOfArgument(const Tensor &x, const Mesh &mesh,
                             const ShardSpec &spec, Location at) {
  std::string same = mesh.unnamed(spec, at);
  if (same.empty() || !hasDerivatives(x.dtype()))
    return local_part(with(x, at), mesh, spec);
  Shape repeated = x.shape(at);
  repeated.insert(repeated.begin(), mesh.count(same, at));
  ShardSpec all = {same.c_str()};
  all.insert(all.end(), spec.begin(), spec.end());
  return squeeze(local_part(with(broadcast_to(x, repeated), at), mesh, all), 0);
}

/// Joins the ranks' results to one tensor. Its gradient is divided by the
/// number of ranks that have the same result.
inline Tensor joinResult(const Tensor &x, const Mesh &mesh,
                         const ShardSpec &spec, Location at) {
  std::string same = mesh.unnamed(spec, at);
  if (same.empty() || !hasDerivatives(x.dtype()))
    return join_parts(with(x, at), mesh, spec);
  auto count = static_cast<double>(mesh.count(same, at));
  return custom_vjp(
      [=](const Tensor &part) {
        return std::pair(join_parts(with(part, at), mesh, spec),
                         std::tuple<>());
      },
      [=](const std::tuple<> &, const Tensor &g) {
        return partOfArgument(g, mesh, spec, at) / count;
      },
      at)(x);
}

/// See shard_map().
template <typename F> class ShardMap {
public:
  ShardMap(F f, Mesh m, std::vector<ShardSpec> ins, std::vector<ShardSpec> outs,
           Location at)
      : function(std::move(f)), mesh(std::move(m)), in(std::move(ins)),
        out(std::move(outs)), place(at) {}

  template <typename... Args> auto operator()(const Args &...arguments) const {
    check("arguments", sizeof...(arguments), in.size());
    size_t next = 0;
    // A braced list is evaluated in order.
    std::tuple<Owned<Args>...> parts{
        partOfArgument(arguments, mesh, in[next++], place)...};
    return joined(std::apply(function, parts));
  }

private:
  void check(const char *what, size_t given, size_t specs) const {
    if (given != specs)
      fail("shard_map",
           std::to_string(given) + " " + what + ", and specs for " +
               std::to_string(specs),
           place);
  }
  Tensor joined(const Tensor &result) const {
    check("results", 1, out.size());
    return joinResult(result, mesh, out[0], place);
  }
  std::vector<Tensor> joined(const std::vector<Tensor> &results) const {
    check("results", results.size(), out.size());
    std::vector<Tensor> wholes;
    for (size_t i = 0; i < results.size(); ++i)
      wholes.push_back(joinResult(results[i], mesh, out[i], place));
    return wholes;
  }

  F function;
  Mesh mesh;
  std::vector<ShardSpec> in, out;
  Location place;
};
} // namespace detail

/// Returns a function of whole tensors. It calls `function` with this rank's
/// parts of the arguments, which are tensors, and joins the results, a tensor
/// or a vector of tensors. `in` has a spec for each argument, `out` one for
/// each result. Collectives in `function` that connect the ranks along an axis
/// take `mesh.groups("model"), mesh.size("model")`. Ranks along an axis that
/// does not occur in a spec of `out` must have the same result, as after an
/// all_reduce; then gradients are those of the function of whole tensors. To
/// differentiate with respect to a tensor, pass it as an argument: of a tensor
/// that `function` captures, each rank has its own gradient.
template <typename F>
auto shard_map(F function, const Mesh &mesh, std::vector<ShardSpec> in,
               std::vector<ShardSpec> out, Location at = Location::current()) {
  return detail::ShardMap<F>(std::move(function), mesh, std::move(in),
                             std::move(out), at);
}

} // namespace tensorc

#endif
