//===- shapes.hpp - shapes of the plane -----------------------------------===//
//
//   Circle c(2);
//
// Lengths are < 10.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <functional>

namespace tensorc {
namespace detail {
/// Not part of the interface.
template <typename T> struct Base {};
int hidden();
} // namespace detail

/// Sides of a triangle.
struct Sides {
  double a = 0, b = 0;
  /// The longest one.
  double c = 0;
};

/// A circle, which `area` measures.
class Circle : detail::Base<Circle> {
public:
  Circle(double radius = 1);
  ~Circle();
  /// Applies the function if a < b.
  template <typename F, typename = std::enable_if_t<(sizeof(F) > 3)>>
  void apply(const std::function<void(Circle &)> &f, F *more) const;
  void apply(int times);

private:
  double secret = 0;
};

/// Returns the area.
double area(const Sides &sides);
/// The same for a circle.
double area(const Circle &circle);
} // namespace tensorc
