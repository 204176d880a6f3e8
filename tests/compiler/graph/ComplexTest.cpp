//===- ComplexTest.cpp - Complex numbers in the C++ interface -------------===//

#include "tensorc/derivatives.hpp"
#include "tensorc/tape.hpp"
#include "tests/compiler/graph/ErrorOf.h"
#include "tests/compiler/graph/Printed.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace tensorc;
using C64 = std::complex<float>;
using C128 = std::complex<double>;

namespace {
constexpr float inf = INFINITY;
} // namespace

TEST(Complex, InAndOut) {
  std::vector<C64> values{{1, 2}, {-0.0f, 0.5f}, {inf, -3}};
  Tensor x = tensor(values);
  EXPECT_EQ(x.dtype(), c64);
  EXPECT_EQ(x.to_vector<C64>(), values);
  EXPECT_EQ(printed(x), "tensor([1+2j, -0+0.5j, inf-3j], dtype=c64)");
  EXPECT_EQ(tensor({C128(0.1, -2)}).dtype(), c128);
  EXPECT_EQ(printed(tensor({C128(0.1, -2)})), "tensor([0.1-2j], dtype=c128)");
  EXPECT_EQ(x.to_bytes().size(), 24u);
  EXPECT_EQ(from_data(values.data(), {3, 1}).shape(), (Shape{3, 1}));
}

TEST(Complex, Parts) {
  Tensor z = complex(tensor({1.0f, inf}), tensor({NAN, -0.0f}));
  EXPECT_EQ(z.dtype(), c64);
  EXPECT_EQ(printed(z), "tensor([1+nanj, inf-0j], dtype=c64)");
  EXPECT_EQ(real(z).dtype(), f32);
  EXPECT_EQ(printed(z.imag()), "tensor([nan, -0.0], dtype=f32)");
  EXPECT_EQ(complex(tensor({1.0}), 2).dtype(), c128);
  EXPECT_EQ(conj(tensor({C64(1, 2)})).item<C64>(), C64(1, -2));
  EXPECT_EQ(conj(tensor({3, 4})).dtype(), i32);
  EXPECT_EQ(imag(tensor({3.0, 4.0})).to_vector<double>(),
            (std::vector<double>{0, 0}));
  EXPECT_FLOAT_EQ(angle(tensor({C64(0, 2)})).item<float>(), 1.5707964f);
  EXPECT_EQ(angle(tensor({-2.0, -0.0})).to_vector<double>(),
            (std::vector<double>{M_PI, 0}));
  EXPECT_EQ(abs(tensor({C64(3, -4)})).to_vector<float>(),
            std::vector<float>{5});
  auto turned = polar(tensor({2.0}), tensor({M_PI / 2})).item<C128>();
  EXPECT_NEAR(turned.real(), 0, 1e-15);
  EXPECT_NEAR(turned.imag(), 2, 1e-15);
}

TEST(Complex, Promotion) {
  Tensor z = tensor({C64(1, 2)});
  EXPECT_EQ((z + tensor({1.0})).dtype(), c128);
  EXPECT_EQ((z + tensor({1.0f})).dtype(), c64);
  EXPECT_EQ((z * tensor({3})).item<C64>(), C64(3, 6));
  EXPECT_EQ((z * 2.5).dtype(), c64);
  EXPECT_EQ((tensor({1.0f}) * C128(0, 1)).dtype(), c64);
  EXPECT_EQ((tensor({1.0}) * C64(0, 1)).dtype(), c128);
  EXPECT_EQ((tensor({2}) + C64(0, 1)).item<C64>(), C64(2, 1));
  EXPECT_EQ(promote(c64, bf16), c64);
  EXPECT_EQ(promote(f64, c64), c128);
  EXPECT_EQ(tensor({true}).astype(c64).item<C64>(), C64(1, 0));
  EXPECT_EQ(z.astype(i1).item<bool>(), true);
  EXPECT_EQ(full({2}, C64(1, -1), c128).to_vector<C128>(),
            (std::vector<C128>{{1, -1}, {1, -1}}));
}

TEST(Complex, Computes) {
  Tensor z = tensor({C128(1, 2), C128(3, -4)});
  EXPECT_EQ((z * z).to_vector<C128>(), (std::vector<C128>{{-3, 4}, {-7, -24}}));
  EXPECT_EQ((z / z).to_vector<C128>(), (std::vector<C128>{1, 1}));
  EXPECT_EQ(sum(z).item<C128>(), C128(4, -2));
  EXPECT_EQ(prod(z).item<C128>(), C128(11, 2));
  EXPECT_EQ(mean(z).item<C128>(), C128(2, -1));
  EXPECT_EQ(cumsum(z, 0).to_vector<C128>(),
            (std::vector<C128>{{1, 2}, {4, -2}}));
  EXPECT_EQ(matmul(z, conj(z)).item<C128>(), C128(30, 0));
  EXPECT_EQ((z == tensor({C128(1, 2), C128(3, 4)})).to_vector<bool>(),
            (std::vector<bool>{true, false}));
  EXPECT_EQ(any(z).item<bool>(), true);
  EXPECT_EQ(count_nonzero(tensor({C64(0, 0), C64(0, 1)})).item<int64_t>(), 1);
  Tensor root = sqrt(tensor({C128(-4, 0.0), C128(-4, -0.0)}));
  EXPECT_EQ(root.to_vector<C128>(), (std::vector<C128>{{0, 2}, {0, -2}}));
  EXPECT_NEAR(std::abs(exp(tensor({C128(0, M_PI)})).item<C128>() + 1.0), 0,
              1e-15);
  EXPECT_EQ(where(tensor({true, false}), z, C128(0, 1)).to_vector<C128>(),
            (std::vector<C128>{{1, 2}, {0, 1}}));
  EXPECT_EQ(flip(z).to_vector<C128>(), (std::vector<C128>{{3, -4}, {1, 2}}));
  EXPECT_EQ(z[1].item<C128>(), C128(3, -4));
}

/// d/dx + i d/dy of a real function of x + i y, as PyTorch's.
TEST(Complex, Gradients) {
  Tensor z = tensor({C128(1, 2), C128(3, -4)});
  auto square = [](const Tensor &z) { return sum(real(z * conj(z))); };
  EXPECT_EQ(grad(square)(z).to_vector<C128>(),
            (std::vector<C128>{{2, 4}, {6, -8}}));
  // Re z^2 has the gradient 2 conj(z).
  auto re = [](const Tensor &z) { return sum(real(z * z)); };
  EXPECT_EQ(grad(re)(z).to_vector<C128>(),
            (std::vector<C128>{{2, -4}, {6, 8}}));
  // Through complex numbers between real ones: |x + i|.
  auto length = [](const Tensor &x) { return sum(abs(complex(x, 1))); };
  EXPECT_NEAR(grad(length)(tensor({1.0})).item<double>(), std::sqrt(0.5),
              1e-15);
  // The length of 0 has the derivative 0.
  auto lengths = [](const Tensor &z) { return sum(abs(z)); };
  EXPECT_EQ(grad(lengths)(tensor({C128(0, 2), C128(0, 0)})).to_vector<C128>(),
            (std::vector<C128>{{0, 1}, {0, 0}}));
  tensorc::Tape tape;
  tape.watch(z);
  EXPECT_EQ(tape.gradient(square(z * 2), z).to_vector<C128>(),
            (std::vector<C128>{{8, 16}, {24, -32}}));
}

TEST(Complex, Derivatives) {
  Tensor x = tensor({1.0, 2.0});
  auto turn = [](const Tensor &x) { return complex(square(x), x); };
  EXPECT_EQ(jacobian(turn, x).to_vector<C128>(),
            (std::vector<C128>{{2, 1}, 0, 0, {4, 1}}));
  EXPECT_EQ(jvp(turn, x, tensor({1.0, 10.0})).second.to_vector<C128>(),
            (std::vector<C128>{{2, 1}, {40, 10}}));
  Tensor z = tensor({C128(1, 2)});
  auto length = [](const Tensor &z) { return sum(square(abs(z))); };
  EXPECT_EQ(hvp(length, z, z).to_vector<C128>(), (std::vector<C128>{{2, 4}}));
  EXPECT_NE(errorOf([&] { jacobian(length, z); }).find("by its two parts"),
            std::string::npos);
  EXPECT_NE(errorOf([&] { hessian(length, z); }).find("hessian: the argument"),
            std::string::npos);
}

TEST(Complex, Refused) {
  Tensor z = tensor({C64(1, 2)});
  EXPECT_NE(errorOf([&] { z.astype(f32); }).find("take real(x)"),
            std::string::npos);
  EXPECT_NE(errorOf([&] { (void)(z < z); }).find("not c64; take real(x)"),
            std::string::npos);
  EXPECT_NE(errorOf([&] { max(z); }).find("max: dtype must be"),
            std::string::npos);
  EXPECT_NE(errorOf([&] { sort(z); }).find("sort: dtype must be"),
            std::string::npos);
  EXPECT_NE(errorOf([&] { relu(z); }), "no error");
  EXPECT_NE(errorOf([&] { floor(z); }).find("floor: dtype must be a float"),
            std::string::npos);
  EXPECT_NE(errorOf([&] { z.item<float>(); }).find("take std::complex"),
            std::string::npos);
}
