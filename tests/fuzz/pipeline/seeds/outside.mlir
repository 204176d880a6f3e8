  %y = tx.neg %y : tensor<4611686018427387904xi16>
