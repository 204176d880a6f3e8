// Black and Scholes' price of a European call, and its derivative by the spot (delta), for n spots.

#n = #tx.dims<[n]>

func.func @main(
    %spots: tensor<?xf64, #n> {tx.name = "spots"},
    %strike: tensor<f64> {tx.name = "strike", tx.scalar},
    %rate: tensor<f64> {tx.name = "rate", tx.scalar},
    %volatility: tensor<f64> {tx.name = "volatility", tx.scalar},
    %years: tensor<f64> {tx.name = "years", tx.scalar})
    -> (tensor<?xf64, #n> {tx.name = "prices"},
        tensor<?xf64, #n> {tx.name = "deltas"}) {
  %strike_n = tx.broadcast %strike dims = [] : tensor<f64> -> tensor<?xf64, #n>
  %rate_n = tx.broadcast %rate dims = [] : tensor<f64> -> tensor<?xf64, #n>
  %volatility_n = tx.broadcast %volatility dims = [] : tensor<f64> -> tensor<?xf64, #n>
  %years_n = tx.broadcast %years dims = [] : tensor<f64> -> tensor<?xf64, #n>
  %half = tx.constant dense<0.5> : tensor<f64>
  %half_n = tx.broadcast %half dims = [] : tensor<f64> -> tensor<?xf64, #n>
  %root = tx.constant dense<0.70710678118654757> : tensor<f64>
  %root_n = tx.broadcast %root dims = [] : tensor<f64> -> tensor<?xf64, #n>
  %zero = tx.constant dense<0.0> : tensor<f64>
  %zero_n = tx.broadcast %zero dims = [] : tensor<f64> -> tensor<?xf64, #n>
  %time = tx.sqrt %years_n : tensor<?xf64, #n>
  %spread = tx.mul %volatility_n, %time : tensor<?xf64, #n>
  %square = tx.mul %volatility_n, %volatility_n : tensor<?xf64, #n>
  %halfSquare = tx.mul %square, %half_n : tensor<?xf64, #n>
  %growth = tx.add %rate_n, %halfSquare : tensor<?xf64, #n>
  %drift = tx.mul %growth, %years_n : tensor<?xf64, #n>
  %ratio = tx.div %spots, %strike_n : tensor<?xf64, #n>
  %logarithm = tx.log %ratio : tensor<?xf64, #n>
  %distance = tx.add %logarithm, %drift : tensor<?xf64, #n>
  %d1 = tx.div %distance, %spread : tensor<?xf64, #n>
  %d2 = tx.sub %d1, %spread : tensor<?xf64, #n>
  %scaled1 = tx.mul %d1, %root_n : tensor<?xf64, #n>
  %erf1 = tx.erf %scaled1 : tensor<?xf64, #n>
  %part1 = tx.mul %erf1, %half_n : tensor<?xf64, #n>
  %N1 = tx.add %part1, %half_n : tensor<?xf64, #n>
  %scaled2 = tx.mul %d2, %root_n : tensor<?xf64, #n>
  %erf2 = tx.erf %scaled2 : tensor<?xf64, #n>
  %part2 = tx.mul %erf2, %half_n : tensor<?xf64, #n>
  %N2 = tx.add %part2, %half_n : tensor<?xf64, #n>
  %interest = tx.mul %rate_n, %years_n : tensor<?xf64, #n>
  %negative = tx.sub %zero_n, %interest : tensor<?xf64, #n>
  %discount = tx.exp %negative : tensor<?xf64, #n>
  %debt = tx.mul %discount, %strike_n : tensor<?xf64, #n>
  %gain = tx.mul %spots, %N1 : tensor<?xf64, #n>
  %cost = tx.mul %debt, %N2 : tensor<?xf64, #n>
  %prices = tx.sub %gain, %cost : tensor<?xf64, #n>
  return %prices, %N1 : tensor<?xf64, #n>, tensor<?xf64, #n>
}
