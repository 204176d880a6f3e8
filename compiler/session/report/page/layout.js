// Layers of a graph, drawn from top to bottom.

// Returns the part of a model that a kernel belongs to, by which large graphs
// are folded: the folder that its nodes' names share, or its first line.
function scopeOf(kernel) {
  const names = (kernel.nodes || []).map(name => name.split('/').filter(Boolean).slice(0, -1));
  if (names.length && names[0].length) {
    let shared = names[0];
    for (const name of names) {
      let i = 0;
      while (i < shared.length && shared[i] === name[i]) ++i;
      shared = shared.slice(0, i);
    }
    if (shared.length) return shared.join('/');
  }
  if (!kernel.lines.length) return '';
  const [file, line] = kernel.lines[0];
  return file.split('/').pop() + ':' + line;
}

// Returns the nodes and edges to draw: constants are left out, and kernels of
// one scope that is not in `opened` are one node.
function foldGraph(report, folds, opened) {
  const { nodes, edges } = report.graph;
  const shown = [], place = new Array(nodes.length), groups = new Map();
  const counts = new Map();
  if (folds) for (const kernel of report.kernels) counts.set(scopeOf(kernel), (counts.get(scopeOf(kernel)) || 0) + 1);
  nodes.forEach((node, i) => {
    if (node.kind === 'constant') return;
    const scope = node.kind === 'kernel' && folds ? scopeOf(report.kernels[node.kernel]) : '';
    if (!scope || opened.has(scope) || counts.get(scope) < 2) { place[i] = shown.push({ ...node, id: i }) - 1; return; }
    if (!groups.has(scope)) groups.set(scope, shown.push({ kind: 'group', name: scope, kernels: [], id: i }) - 1);
    place[i] = groups.get(scope);
    shown[place[i]].kernels.push(node.kernel);
  });
  const links = new Map();
  for (const edge of edges) {
    const from = place[edge.from], to = place[edge.to];
    if (from === undefined || to === undefined || from === to) continue;
    const key = from + ' ' + to;
    if (links.has(key)) links.get(key).values.push(edge);
    else links.set(key, { from, to, values: [edge] });
  }
  return { nodes: shown, edges: [...links.values()] };
}

// Sets x, y, width and height of the nodes; returns the size of the drawing.
function placeGraph(graph) {
  const { nodes, edges } = graph, gapX = 24, gapY = 44, height = 40;
  const before = nodes.map(() => []), after = nodes.map(() => []);
  for (const { from, to } of edges) { after[from].push(to); before[to].push(from); }
  // What runs later is never higher; an edge to an earlier node closes a loop.
  nodes.forEach((node, i) => { node.layer = Math.max(-1, ...before[i].filter(j => j < i).map(j => nodes[j].layer)) + 1; });
  // Arguments stand right above their first reader.
  nodes.forEach((node, i) => {
    if (node.kind === 'argument' && after[i].length) node.layer = Math.max(0, Math.min(...after[i].map(j => nodes[j].layer)) - 1);
  });
  const first = Math.min(...nodes.map(node => node.layer), 0), layers = [];
  nodes.forEach((node, i) => {
    node.width = Math.max(90, Math.min(240, 7.2 * node.name.length + 20));
    node.height = height;
    (layers[node.layer - first] ||= []).push(i);
  });
  // Orders each layer by the mean place of its neighbours, down and up.
  const rank = new Array(nodes.length).fill(0);
  const number = layer => layer.forEach((i, k) => { rank[i] = k; });
  layers.forEach(number);
  for (let sweep = 0; sweep < 4; ++sweep) {
    const near = sweep % 2 ? after : before, order = sweep % 2 ? [...layers].reverse() : layers;
    for (const layer of order) {
      const mean = new Map(layer.map(i => [i, near[i].length ? near[i].reduce((sum, j) => sum + rank[j], 0) / near[i].length : rank[i]]));
      layer.sort((a, b) => mean.get(a) - mean.get(b));
      number(layer);
    }
  }
  const widths = layers.map(layer => layer.reduce((sum, i) => sum + nodes[i].width + gapX, -gapX));
  const width = Math.max(...widths, 200);
  layers.forEach((layer, k) => {
    let x = (width - widths[k]) / 2;
    for (const i of layer) { nodes[i].x = x; nodes[i].y = k * (height + gapY); x += nodes[i].width + gapX; }
  });
  return { width: width + 24, height: layers.length * (height + gapY) };
}
