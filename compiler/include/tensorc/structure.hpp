//===- structure.hpp - tensors in structs and containers ------------------===//
//
//   struct State {
//     Tensor h, c;
//     std::map<std::string, Tensor> weights;
//     int step = 0;
//   };
//   TENSORC_STRUCT(State, h, c, weights, step)
//
// jit() and eval() accept and return such values: tensors, numbers,
// enumerators, strings, std::vector, array, map, pair, tuple and optional of
// them, and structs whose members are declared by TENSORC_STRUCT.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_STRUCTURE_HPP
#define TENSORC_STRUCTURE_HPP

#include "tensorc/tensor.hpp"

#include <map>
#include <optional>

/// Makes a struct known to transformations. Use it next to the struct, in its
/// namespace, with all members in order. It defines tensorc_members(), which
/// returns a std::tie of the members and can be written by hand instead, and
/// tensorc_member_names(), the names in files (tensorc/module.hpp).
#define TENSORC_STRUCT(Type, ...)                                              \
  [[maybe_unused]] inline const char *tensorc_member_names(const Type &) {     \
    return #__VA_ARGS__;                                                       \
  }                                                                            \
  [[maybe_unused]] inline auto tensorc_members(Type &tensorc_whole) {          \
    auto &[__VA_ARGS__] = tensorc_whole;                                       \
    return ::std::tie(__VA_ARGS__);                                            \
  }                                                                            \
  [[maybe_unused]] inline auto tensorc_members(const Type &tensorc_whole) {    \
    const auto &[__VA_ARGS__] = tensorc_whole;                                 \
    return ::std::tie(__VA_ARGS__);                                            \
  }

namespace tensorc {
namespace detail {

template <typename T, typename = void> struct HasMembers : std::false_type {};
template <typename T>
struct HasMembers<T,
                  std::void_t<decltype(tensorc_members(std::declval<T &>()))>>
    : std::true_type {};

/// Classifies types by their structure.
enum class Kind {
  tensor,
  number,
  text,
  optional,
  list,
  bits,
  map,
  tuple,
  none
};
template <typename T> inline constexpr Kind kindOf = Kind::none;
template <> inline constexpr Kind kindOf<std::string> = Kind::text;
template <typename T>
inline constexpr Kind kindOf<std::optional<T>> = Kind::optional;
template <typename T> inline constexpr Kind kindOf<std::vector<T>> = Kind::list;
template <> inline constexpr Kind kindOf<std::vector<bool>> = Kind::bits;
template <typename T, size_t N>
inline constexpr Kind kindOf<std::array<T, N>> = Kind::list;
template <typename K, typename T, typename Less>
inline constexpr Kind kindOf<std::map<K, T, Less>> = Kind::map;
template <typename A, typename B>
inline constexpr Kind kindOf<std::pair<A, B>> = Kind::tuple;
template <typename... Ts>
inline constexpr Kind kindOf<std::tuple<Ts...>> = Kind::tuple;

/// Converts a number to 64 bits that identify it.
template <typename T> int64_t wordOf(T number) {
  int64_t word = 0;
  if constexpr (std::is_floating_point_v<T>) {
    auto value = static_cast<double>(number);
    std::memcpy(&word, &value, sizeof value);
  } else {
    word = static_cast<int64_t>(number);
  }
  return word;
}

/// Visits the parts of a value in order: visitor.tensor(x) for tensors,
/// visitor.word(n) for numbers and for lengths of lists, visitor.text(s) for
/// strings.
template <typename T, typename Visitor> void walk(T &value, Visitor &visitor) {
  using U = std::remove_const_t<T>;
  constexpr Kind kind = kindOf<U>;
  if constexpr (std::is_base_of_v<Tensor, U>) {
    visitor.tensor(value);
  } else if constexpr (std::is_arithmetic_v<U> || std::is_enum_v<U>) {
    visitor.word(wordOf(value));
  } else if constexpr (kind == Kind::text) {
    visitor.text(value);
  } else if constexpr (kind == Kind::optional) {
    visitor.word(value.has_value());
    if (value)
      walk(*value, visitor);
  } else if constexpr (kind == Kind::list) {
    visitor.word(static_cast<int64_t>(value.size()));
    for (auto &item : value)
      walk(item, visitor);
  } else if constexpr (kind == Kind::bits) {
    visitor.word(static_cast<int64_t>(value.size()));
    for (bool bit : value)
      visitor.word(bit);
  } else if constexpr (kind == Kind::map) {
    visitor.word(static_cast<int64_t>(value.size()));
    for (auto &[key, item] : value) {
      walk(key, visitor);
      walk(item, visitor);
    }
  } else if constexpr (kind == Kind::tuple) {
    std::apply([&](auto &...parts) { (walk(parts, visitor), ...); }, value);
  } else if constexpr (std::is_convertible_v<T &, std::string>) {
    static_assert(HasMembers<T>::value, "pass a text as std::string(\"...\")");
  } else {
    static_assert(HasMembers<T>::value,
                  "name the members of this type with TENSORC_STRUCT(Type, "
                  "members...), see tensorc/structure.hpp");
    std::apply([&](auto &...members) { (walk(members, visitor), ...); },
               tensorc_members(value));
  }
}

/// Calls a function on each tensor.
template <typename Fn> struct TensorVisitor {
  Fn fn;
  template <typename T> void tensor(T &x) { fn(x); }
  void word(int64_t) {}
  void text(const std::string &) {}
};
template <typename Fn> TensorVisitor(Fn) -> TensorVisitor<Fn>;

} // namespace detail

/// Calls fn on each tensor of a value, in order; fn may assign to them.
template <typename T, typename Fn> void for_each_tensor(T &&value, Fn fn) {
  detail::TensorVisitor visitor{std::move(fn)};
  detail::walk(value, visitor);
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

namespace detail {

/// "w, b" -> {"w", "b"}
inline std::vector<std::string> splitNames(const std::string &list) {
  std::vector<std::string> names(1);
  for (char c : list)
    if (c == ',')
      names.emplace_back();
    else if (c != ' ')
      names.back() += c;
  return names;
}

template <typename T, typename = void> struct HasNames : std::false_type {};
template <typename T>
struct HasNames<
    T, std::void_t<decltype(tensorc_member_names(std::declval<const T &>()))>>
    : std::true_type {};

template <typename Fn> class NamedWalk {
public:
  explicit NamedWalk(Fn call) : fn(std::move(call)) {}

  template <typename T> void visit(T &value, const std::string &name) {
    using U = std::remove_const_t<T>;
    constexpr Kind kind = kindOf<U>;
    if constexpr (std::is_base_of_v<Tensor, U>) {
      fn(name, value);
    } else if constexpr (kind == Kind::optional) {
      if (value)
        visit(*value, name);
    } else if constexpr (kind == Kind::list) {
      size_t i = 0;
      for (auto &item : value)
        visit(item, within(name, std::to_string(i++)));
    } else if constexpr (kind == Kind::map) {
      for (auto &[key, item] : value)
        visit(item, within(name, text(key)));
    } else if constexpr (kind == Kind::tuple) {
      std::apply([&](auto &...parts) { visitAll(name, {}, parts...); }, value);
    } else if constexpr (HasMembers<T>::value) {
      std::vector<std::string> names;
      if constexpr (HasNames<U>::value)
        names = splitNames(tensorc_member_names(value));
      std::apply([&](auto &...parts) { visitAll(name, names, parts...); },
                 tensorc_members(value));
    }
  }

private:
  static std::string text(const std::string &key) { return key; }
  template <typename K> static std::string text(const K &key) {
    return std::to_string(key);
  }
  static std::string within(const std::string &name, const std::string &part) {
    return name.empty() ? part : name + "." + part;
  }
  /// A single unnamed part has the name of its container.
  template <typename... Parts>
  void visitAll(const std::string &name, const std::vector<std::string> &names,
                Parts &...parts) {
    [[maybe_unused]] size_t i = 0;
    (
        [&] {
          if (!names.empty())
            visit(parts, within(name, names[i]));
          else if (sizeof...(Parts) == 1)
            visit(parts, name);
          else
            visit(parts, within(name, std::to_string(i)));
          ++i;
        }(),
        ...);
  }

  Fn fn;
};

} // namespace detail

/// Calls fn(name, tensor) for each tensor of a value, in order. Names consist
/// of members, of positions in lists, pairs and tuples, and of keys of maps,
/// separated by dots: "layers.0.w".
template <typename T, typename Fn>
void for_each_named_tensor(T &&value, Fn fn) {
  detail::NamedWalk<Fn>(std::move(fn)).visit(value, "");
}

} // namespace tensorc

#endif
