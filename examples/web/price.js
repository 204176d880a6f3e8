"use strict";
// The sliders. At each movement of one, the whole curve is computed again.

async function start(load) {
  const program = await load();
  const sliders = [...document.querySelectorAll("input")];
  const spots = Float64Array.from({ length: 101 }, (_, i) => 50 + i);

  function show() {
    const market = Object.fromEntries(sliders.map((slider) => [slider.id, Number(slider.value)]));
    const { prices, deltas } = program.run({ spots, ...market, n: spots.length });
    document.getElementById("curve").setAttribute("points", Array.from(prices, (price, i) => `${spots[i]},${100 - price}`).join(" "));
    document.getElementById("price").value = prices[50].toFixed(4);
    document.getElementById("delta").value = deltas[50].toFixed(4);
    for (const slider of sliders)
      slider.nextElementSibling.value = slider.value;
  }

  for (const slider of sliders)
    slider.addEventListener("input", show);
  show();
  document.body.dataset.ready = "yes";
}
