"use strict";
// The drawing area. The digit is classified again at each movement of the
// pointer.

/** Side of the square that is counted, and of the blocks in it: as the images that the network was trained on were made. */
const side = 32, block = 4;

/** The strokes as an image of 8 x 8 grey values from 0 to 1. They are moved to the middle, with a margin of a block. */
function imageOf(strokes) {
  const points = strokes.flat();
  const [left, right, top, bottom] = [Math.min(...points.map(([x]) => x)), Math.max(...points.map(([x]) => x)),
                                      Math.min(...points.map(([, y]) => y)), Math.max(...points.map(([, y]) => y))];
  const scale = (side - 2 * block) / Math.max(bottom - top, right - left, 1);
  const place = ([x, y]) => [side / 2 + (x - (left + right) / 2) * scale, side / 2 + (y - (top + bottom) / 2) * scale];
  const canvas = new OffscreenCanvas(side, side), ink = canvas.getContext("2d");
  drawOn(ink, strokes.map((stroke) => stroke.map(place)), block);
  const { data } = ink.getImageData(0, 0, side, side);
  const image = new Float32Array((side / block) ** 2);
  for (let y = 0; y < side; ++y)
    for (let x = 0; x < side; ++x)
      if (data[4 * (y * side + x) + 3] > 127)
        image[Math.floor(y / block) * (side / block) + Math.floor(x / block)] += 1 / block ** 2;
  return image;
}

function drawOn(ink, strokes, width) {
  ink.lineWidth = width;
  ink.lineCap = ink.lineJoin = "round";
  ink.strokeStyle = "#888";
  for (const stroke of strokes) {
    ink.beginPath();
    ink.moveTo(...stroke[0]);
    for (const point of stroke)
      ink.lineTo(...point);
    ink.stroke();
  }
}

async function start(load) {
  const program = await load();
  const paper = document.getElementById("paper"), ink = paper.getContext("2d");
  const bars = Array.from({ length: 10 }, (_, digit) => {
    const line = document.createElement("div"), bar = document.createElement("meter");
    bar.setAttribute("aria-label", `Probability of ${digit}`);
    line.append(`${digit} `, bar);
    document.getElementById("bars").append(line);
    return bar;
  });
  let strokes = [];

  function show() {
    ink.clearRect(0, 0, paper.width, paper.height);
    drawOn(ink, strokes, 24);
    const { probabilities } = strokes.length
      ? program.run({ images: imageOf(strokes), n: 1 }) : { probabilities: new Float32Array(10) };
    bars.forEach((bar, digit) => (bar.value = probabilities[digit]));
    document.getElementById("digit").value = strokes.length ? probabilities.indexOf(Math.max(...probabilities)) : "?";
  }

  const pointOf = (event) => [event.offsetX * paper.width / paper.clientWidth, event.offsetY * paper.height / paper.clientHeight];
  paper.addEventListener("pointerdown", (event) => {
    strokes.push([pointOf(event)]);
    show();
  });
  paper.addEventListener("pointermove", (event) => {
    if (event.buttons && strokes.length) {
      strokes.at(-1).push(pointOf(event));
      show();
    }
  });
  document.getElementById("clear").addEventListener("click", () => {
    strokes = [];
    show();
  });
  show();
  document.body.dataset.ready = "yes";
}
