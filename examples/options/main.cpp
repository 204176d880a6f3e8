//===- main.cpp - Prices of options over strikes and volatilities ---------===//
//
//   build/bin/options OUT.ppm
//
// Computes the Black-Scholes price of a European call and its derivative by the
// volatility (vega), for 320 strikes x 240 volatilities. Writes two heat maps
// side by side, in which strikes increase to the right and volatilities upward.
// TENSORC_DEVICE selects the device.
//
//===----------------------------------------------------------------------===//

#include "examples/pictures/Picture.h"

#include <cmath>
#include <iostream>

using namespace tensorc;

namespace {
struct Market {
  double spot = 100, rate = 0.03, years = 1;
};
struct Call {
  Tensor price, vega;
};
} // namespace

/// The cumulative normal distribution and its density.
static Tensor distribution(const Tensor &x) {
  return 0.5 + 0.5 * erf(x / std::sqrt(2.0));
}
static Tensor density(const Tensor &x) {
  return exp(-0.5 * x * x) / std::sqrt(2 * M_PI);
}

/// Prices calls for strikes and volatilities, which broadcast against each
/// other.
static Call priceCall(const Market &market, const Tensor &strike,
                      const Tensor &volatility) {
  double root = std::sqrt(market.years);
  Tensor spread = volatility * root;
  Tensor drift = (market.rate + 0.5 * volatility * volatility) * market.years;
  Tensor d1 = (log(market.spot / strike) + drift) / spread;
  Tensor d2 = d1 - spread;
  double discount = std::exp(-market.rate * market.years);
  return {market.spot * distribution(d1) - discount * strike * distribution(d2),
          market.spot * root * density(d1)};
}

static void run(const std::string &path) {
  constexpr int64_t strikes = 320, volatilities = 240;
  Tensor strike = expand_dims(linspace(50, 150, strikes, f64), 0);
  Tensor volatility = expand_dims(linspace(0.8, 0.02, volatilities, f64), 1);
  Call call = priceCall(Market(), strike, volatility);

  auto heatMap = [](const Tensor &values) {
    return pictures::colours(astype(values / max(values), f32));
  };
  pictures::write(path,
                  concatenate({heatMap(call.price), heatMap(call.vega)}, 1));

  Call one = priceCall(Market(), tensor({100.0}), tensor({0.2}));
  std::cout << "wrote " << path << "; at strike 100 and volatility 0.2 a call"
            << " costs " << one.price.item<double>() << ", its vega is "
            << one.vega.item<double>() << "\n";
}

int main(int argc, char **argv) {
  if (argc != 2) {
    std::cerr << "usage: options OUT.ppm\n";
    return 2;
  }
  try {
    run(argv[1]);
    return 0;
  } catch (const std::exception &error) {
    std::cerr << "options: " << error.what() << "\n";
    return 1;
  }
}
