//===- calls.hpp - arguments of calls, and their lines --------------------===//
#ifndef TENSORC_CALLS_HPP
#define TENSORC_CALLS_HPP

#include "tensorc/communicator.h"
#include "tensorc/devices.hpp"
#include "tensorc/structure.hpp"

#include <unordered_map>

namespace tensorc {
namespace detail {

/// The type of a returned value: an Element (x[i]) becomes a Tensor.
template <typename R>
using Owned = std::conditional_t<std::is_base_of_v<Tensor, std::decay_t<R>>,
                                 Tensor, std::decay_t<R>>;

/// Calls a user's function. During the call, default Location arguments stand
/// for the location of the call.
template <typename F, typename... Parts>
decltype(auto) applied(F &f, const std::tuple<Parts...> &parts, Location at) {
  CalledAt called(at);
  return std::apply(
      [&](const auto &...part) -> decltype(auto) { return f(part...); }, parts);
}

/// Returns the index of the first argument that is an undefined tensor, or -1.
template <typename... Args> int firstUndefined(const Args &...arguments) {
  int i = 0, found = -1;
  auto look = [&](const auto &argument) {
    if constexpr (std::is_base_of_v<Tensor, std::decay_t<decltype(argument)>>)
      if (found < 0 && !argument.defined())
        found = i;
    ++i;
  };
  (look(arguments), ...);
  return found;
}

/// Returns the location of a call. If it is in the standard library
/// (std::function), returns the location where the function was made.
inline Location lineOf(Location call, Location made) {
  return call.file && !std::strstr(call.file, "/c++/") ? call : made;
}

/// D as a dependent type, because it is incomplete here.
template <typename D, typename...> struct Dependent {
  using Type = D;
};

/// Passes the line of the call to `Derived::call(at, arguments...)`. A default
/// argument cannot follow a parameter pack, so calls with few arguments have an
/// overload per count. Calls with more arguments use the line that made the
/// function.
template <typename Derived> class Callable {
  template <typename... Args>
  using ResultFor = typename Dependent<
      Derived, Args...>::Type::template ResultOf<std::decay_t<Args>...>;

public:
  template <typename... None>
  ResultFor<None...> operator()(Location at = Location::current()) const {
    return derived().call(at);
  }
  template <typename A>
  ResultFor<A> operator()(A &&a, Location at = Location::current()) const {
    return derived().call(at, std::forward<A>(a));
  }
  template <typename A, typename B>
  ResultFor<A, B> operator()(A &&a, B &&b,
                             Location at = Location::current()) const {
    return derived().call(at, std::forward<A>(a), std::forward<B>(b));
  }
  template <typename A, typename B, typename C>
  ResultFor<A, B, C> operator()(A &&a, B &&b, C &&c,
                                Location at = Location::current()) const {
    return derived().call(at, std::forward<A>(a), std::forward<B>(b),
                          std::forward<C>(c));
  }
  template <typename A, typename B, typename C, typename D>
  ResultFor<A, B, C, D> operator()(A &&a, B &&b, C &&c, D &&d,
                                   Location at = Location::current()) const {
    return derived().call(at, std::forward<A>(a), std::forward<B>(b),
                          std::forward<C>(c), std::forward<D>(d));
  }
  template <typename A, typename B, typename C, typename D, typename E>
  ResultFor<A, B, C, D, E> operator()(A &&a, B &&b, C &&c, D &&d, E &&e,
                                      Location at = Location::current()) const {
    return derived().call(at, std::forward<A>(a), std::forward<B>(b),
                          std::forward<C>(c), std::forward<D>(d),
                          std::forward<E>(e));
  }
  template <typename A, typename B, typename C, typename D, typename E,
            typename F>
  ResultFor<A, B, C, D, E, F>
  operator()(A &&a, B &&b, C &&c, D &&d, E &&e, F &&f,
             Location at = Location::current()) const {
    return derived().call(at, std::forward<A>(a), std::forward<B>(b),
                          std::forward<C>(c), std::forward<D>(d),
                          std::forward<E>(e), std::forward<F>(f));
  }
  template <typename... Args,
            typename = std::enable_if_t<(sizeof...(Args) > 6)>>
  ResultFor<Args...> operator()(Args &&...arguments) const {
    return derived().call({nullptr, 0}, std::forward<Args>(arguments)...);
  }

private:
  const Derived &derived() const { return static_cast<const Derived &>(*this); }
};

/// The arguments of a call: their types, tensors, and everything else that a
/// trace depends on.
class Call {
public:
  template <typename... Args> static Call of(const Args &...arguments) {
    return ofGiven<Args...>({}, arguments...);
  }
  /// If given[i] is set, the call may take ownership of the tensors of argument
  /// i.
  template <typename... Args>
  static Call ofGiven(const std::array<bool, sizeof...(Args)> &given,
                      const Args &...arguments) {
    static constexpr char type = 0;
    Call call(&type);
    size_t i = 0;
    ((call.isGiven = given[i++], walk(arguments, call)), ...);
    // The positions of undefined tensors come last. The words before them are
    // self-delimiting, so a position cannot be mistaken for an argument that is
    // a number.
    for (int64_t position : call.undefined)
      call.word(-position);
    // Operations without operands are recorded for the current device.
    if (call.count == 0)
      call.text(current_device().name);
    // Matrix products are recorded with the thread's precision.
    if (char precision = tensorc_matmul_precision()[0]; precision != 'h')
      call.word(precision);
    // Floats for which no dtype is given are recorded with the thread's default
    // dtype.
    if (default_dtype() != f32)
      call.word(static_cast<int64_t>(default_dtype()));
    // Collectives are recorded for the ranks of the thread's communicator, and
    // for the way in which the tensors are split over them. Their sharding is
    // found by a walk over their operations unless they have values, which the
    // call needs anyway.
    if (auto *communicator = tensorc_rt_thread_communicator()) {
      call.word(int64_t(tensorc_rt_communicator_size(communicator)) << 32);
      if (!call.isTraced)
        check(tensorc_eval(call.handles(), static_cast<int32_t>(call.count)));
      for (size_t of = 0; of < call.count && !call.isTraced; ++of)
        call.sharding(call.handles()[of]);
    }
    return call;
  }

  void tensor(const Tensor &x) {
    ++position;
    if (!x.defined())
      return undefined.push_back(position);
    isTraced |= tensorc_tensor_is_traced(x.raw()) != 0;
    if (isGiven) {
      given.emplace_back(count, const_cast<Tensor *>(&x));
    }
    if (count < few.size())
      few[count] = x.raw();
    else if (count == few.size())
      many.assign(few.begin(), few.end());
    if (count++ >= few.size())
      many.push_back(x.raw());
  }
  void sharding(const tensorc_tensor *x) {
    const int64_t *mesh = nullptr, *dims = nullptr;
    int32_t axes = tensorc_tensor_sharding(x, &mesh, &dims);
    // Without axes, a mesh means that each rank has a value of its own.
    word(mesh && !axes ? -1 : axes);
    words.insert(words.end(), mesh, mesh + axes);
    words.insert(words.end(), dims, dims + axes);
  }
  void word(int64_t number) { words.push_back(number); }
  void text(const std::string &text) {
    word(static_cast<int64_t>(text.size()));
    words.insert(words.end(), text.begin(), text.end());
  }

  tensorc_tensor *const *handles() const {
    return count > few.size() ? many.data() : few.data();
  }
  int32_t size() const { return static_cast<int32_t>(count); }
  /// Returns the flags for tensorc_function_call_into, which takes ownership of
  /// the flagged handles; null if there are none.
  const uint8_t *take(Location at) {
    if (given.empty())
      return nullptr;
    donated.resize(count);
    // If several handles refer to a value, the first handle is given up, and
    // the others keep the value.
    std::unordered_map<const tensorc_tensor *, size_t> first;
    for (auto [argument, x] : given) {
      bool isFirst = given.size() == 1 ||
                     first.emplace(handles()[argument], argument).second;
      if (isFirst)
        donated[argument] = x->giveUp(at) != nullptr;
      else
        kept.push_back(Tensor::take(x->giveUp(at)));
    }
    return donated.data();
  }
  bool gives() const { return !given.empty(); }
  bool is_traced() const { return isTraced; }
  /// True if the arguments other than tensors match the signature.
  bool matches(const std::vector<int64_t> &signature) const {
    return signature[0] == typeWord() &&
           signature[1] == static_cast<int64_t>(words.size()) &&
           std::equal(words.begin(), words.end(), signature.begin() + 2);
  }
  /// The type, the words, and the dtype, device, rank and dims of each tensor.
  std::vector<int64_t> signature() const {
    std::vector<int64_t> all{typeWord(), static_cast<int64_t>(words.size())};
    all.insert(all.end(), words.begin(), words.end());
    for (size_t i = 0; i < count; ++i) {
      const tensorc_tensor *x = handles()[i];
      const int64_t *dims = tensorc_tensor_dims(x);
      int32_t rank = tensorc_tensor_rank(x);
      all.insert(all.end(),
                 {tensorc_tensor_dtype(x),
                  reinterpret_cast<intptr_t>(tensorc_tensor_device(x)), rank});
      all.insert(all.end(), dims, dims + rank);
    }
    return all;
  }

private:
  explicit Call(const char *of) : type(of) {}
  int64_t typeWord() const { return reinterpret_cast<intptr_t>(type); }

  const char *type;                      // address, unique per list of types
  std::vector<int64_t> words, undefined; // `undefined`: positions of tensors
  std::array<tensorc_tensor *, 8> few;
  std::vector<tensorc_tensor *> many;
  std::vector<uint8_t> donated; // flags, up to the last donated tensor
  std::vector<std::pair<size_t, Tensor *>> given; // moved tensors by position
  std::vector<Tensor> kept; // further handles of moved values
  size_t count = 0;
  int64_t position = 0;
  bool isTraced = false, isGiven = false;
};

} // namespace detail
} // namespace tensorc

#endif
