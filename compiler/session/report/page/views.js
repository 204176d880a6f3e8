// The other views: a table of kernels, memory over time, stages, a comparison.

class KernelsView {
  constructor(app) { this.app = app; this.sort = app.isMeasured ? 'time' : 'bytes'; }

  draw(root) {
    const { app } = this;
    const columns = [
      ['name', 'kernel', kernel => kernel.name, text => text], ['kind', 'kind', kernel => kernel.kind, text => text],
      ['bytes', 'bytes', kernel => app.bytesOf(kernel), bytesText], ['flops', 'flops', kernel => app.number(kernel.flops), countText],
      ['intensity', 'flops per byte', kernel => app.number(kernel.flops) / app.bytesOf(kernel), ratioText]];
    if (app.isMeasured) columns.push(['time', 'time in a run', app.timeOf, secondsText], ['share', 'of its bound', app.shareOf, value => value ? value.toFixed(2) : '-'], ['bound', 'bound', kernel => kernel.measured?.bound || '-', text => text]);
    const column = columns.find(([key]) => key === this.sort) || columns[0];
    const order = app.report.kernels.map((kernel, i) => i).filter(i => app.matches(app.report.kernels[i]));
    const isText = key => ['name', 'kind', 'bound'].includes(key);
    order.sort((a, b) => {
      const x = column[2](app.report.kernels[a]), y = column[2](app.report.kernels[b]);
      return isText(column[0]) ? String(x).localeCompare(y) : (Number.isFinite(y) ? y : -1) - (Number.isFinite(x) ? x : -1);
    });
    const head = make('tr', {}, columns.map(([key, title]) => make('th', { scope: 'col', class: isText(key) ? undefined : 'number', 'aria-sort': key === this.sort ? (isText(key) ? 'ascending' : 'descending') : undefined },
      make('button', { type: 'button', 'data-focus': 'sort ' + key, onclick: () => { this.sort = key; app.show(); } }, title + (key === this.sort ? ' \u2193' : '')))));
    const drawRow = i => {
      const kernel = app.report.kernels[i], press = () => app.select([i]);
      return make('tr', { tabindex: 0, 'data-kernel': i, onclick: press, onkeydown: event => { if (event.key === 'Enter') press(); } },
        columns.map(([key, , get, text]) => make('td', { class: isText(key) ? undefined : 'number' }, text(get(kernel)))));
    };
    root.append(make('h2', {}, `${order.length} of ${app.report.kernels.length} kernels`), make('div', { class: 'scroll' }, make('table', {}, make('thead', {}, head), this.body = makeRows(order, drawRow))));
    this.order = order;
    this.select();
    this.drawLoops(root);
  }

  // Loops that are compiled to one function, with the kernels that they call.
  drawLoops(root) {
    const { loops } = this.app.report;
    if (loops.length) root.append(make('h3', {}, 'Loops, each one function'));
    for (const loop of loops) {
      root.append(make('h4', {}, loop.name), make('p', {}, 'of', loop.kernels.flatMap(name => [' ', this.app.link(name)]), loop.measured && `: ${this.app.measuredText(loop)}`));
      this.app.showTexts(root, loop);
    }
  }

  select(scrolls) {
    if (scrolls && this.app.selected.size) this.body.drawUpTo(Math.max(...[...this.app.selected].map(i => this.order.indexOf(i))));
    for (const row of this.body.children) {
      const isSelected = this.app.selected.has(Number(row.dataset.kernel));
      row.classList.toggle('selected', isSelected);
      if (isSelected && scrolls) row.scrollIntoView({ block: 'nearest' });
    }
  }
}

class MemoryView {
  constructor(app) { this.app = app; }

  draw(root) {
    const { app } = this, { memory } = app.report;
    this.svg = null;
    root.append(make('h2', {}, 'Memory'));
    if (!memory) { root.append(make('p', {}, 'No plan of the memory is at hand.')); return; }
    root.append(make('dl', {}, ['inputs', 'constants', 'outputs', 'arena', 'peak'].flatMap(key => [make('dt', {}, key === 'peak' ? 'outputs and arena' : key), make('dd', {}, app.quantity(memory[key], bytesText))])));
    // Without launches, the plan has neither steps nor results of kernels.
    const { steps = [], results = [] } = memory;
    const slots = [...memory.temporaries.map(slot => ({ ...slot, what: 'temporary' })), ...results.map(slot => ({ ...slot, what: 'result' }))]
      .map(slot => ({ ...slot, size: app.number(slot.bytes), at: slot.offset === undefined ? NaN : app.number(slot.offset) }));
    if (!slots.length || !steps.length) { root.append(make('p', {}, 'No kernel writes a buffer.')); return; }
    this.drawTimeline(root, slots, steps);
    slots.sort((a, b) => (b.size || 0) - (a.size || 0));
    root.append(make('h3', {}, 'Largest buffers'), make('div', { class: 'scroll' }, make('table', {}, make('thead', {}, make('tr', {}, ['kernel that writes it', 'what', 'bytes', 'steps'].map(title => make('th', { scope: 'col' }, title)))),
      make('tbody', {}, slots.slice(0, 50).map(slot => make('tr', {}, make('td', {}, this.app.link(slot.kernel)), make('td', {}, slot.what), make('td', {}, app.quantity(slot.bytes, bytesText)), make('td', {}, `${slot.first} to ${slot.last}`)))))));
  }

  // Each buffer is a rectangle. The horizontal axis shows steps, the vertical
  // axis shows offsets in the arena. Results and buffers without a known offset
  // are stacked above the arena.
  drawTimeline(root, slots, steps) {
    let top = Math.max(0, ...slots.map(slot => slot.at + slot.size).filter(Number.isFinite));
    for (const slot of slots) if (!Number.isFinite(slot.at) && Number.isFinite(slot.size)) { slot.at = top; top += slot.size; }
    const known = slots.filter(slot => Number.isFinite(slot.at) && Number.isFinite(slot.size));
    if (!known.length || !top) {
      const isUnknown = known.length < slots.length, isNamed = isUnknown && Object.keys(this.app.sizes).length;
      root.append(make('p', { class: 'dim' }, isNamed ? 'Give the sizes of the named dims above to see the timeline.' : isUnknown ? 'The sizes of the buffers are known only during the run.' : 'All buffers are empty.'));
      return;
    }
    // As wide as the view without its scrollbar, but with enough pixels per step to click on a buffer.
    const height = 320, left = 70, width = Math.max(300, root.clientWidth - left - 62, Math.min(3000, steps.length * 6));
    const x = step => left + step / steps.length * width, y = bytes => height + 10 - bytes / top * height;
    const changes = new Float64Array(steps.length + 1);
    for (const slot of known) { changes[slot.first] += slot.size; changes[slot.last + 1] -= slot.size; }
    let sum = 0;
    const live = steps.map((_, step) => sum += changes[step]);
    const peak = live.indexOf(Math.max(...live)), anchor = ['start', 'middle', 'end'][Math.round(2 * peak / steps.length)];
    const svg = make('svg', { width: left + width + 10, height: height + 50, role: 'group', 'aria-label': 'Memory over time' },
      [0, .25, .5, .75, 1].map(part => [make('line', { class: 'axis', x1: left, x2: left + width, y1: y(part * top), y2: y(part * top) }), make('text', { x: left - 6, y: y(part * top) + 4, 'text-anchor': 'end' }, bytesText(part * top))]).flat(),
      known.map((slot, i) => {
        const kernel = this.app.kernelNamed(slot.kernel), label = `${slot.what} of ${slot.kernel || '?'}, ${bytesText(slot.size)}, steps ${slot.first} to ${slot.last}`;
        return make('rect', { class: 'slot', 'data-kernel': kernel, x: x(slot.first), width: Math.max(1, x(slot.last + 1) - x(slot.first)), y: y(slot.at + slot.size), height: Math.max(1, slot.size / top * height), fill: `hsl(${i * 137 % 360} 55% ${slot.what === 'result' ? 40 : 55}%)`,
          role: 'img', 'aria-label': label, onclick: () => kernel >= 0 && this.app.select([kernel]) }, make('title', {}, label));
      }),
      make('line', { x1: x(peak + .5), x2: x(peak + .5), y1: 10, y2: height + 10, stroke: 'var(--bad)', 'stroke-dasharray': '4 3' }),
      make('text', { x: x(peak + .5), y: height + 28, 'text-anchor': anchor }, `most: ${bytesText(live[peak])}`),
      make('text', { x: left, y: height + 44, class: 'sub' }, `steps 0 to ${steps.length - 1}; the most are in use in step ${peak}, ${steps[peak]}`));
    root.append(make('h3', {}, 'Over time'), make('div', { class: 'canvas' }, svg));
    this.svg = svg;
    this.select();
  }

  select() {
    for (const slot of this.svg?.querySelectorAll('.slot') || []) slot.classList.toggle('selected', this.app.selected.has(Number(slot.dataset.kernel)));
  }
}

class StagesView {
  constructor(app) { this.app = app; }

  draw(root) {
    const { stages } = this.app.report, sum = stages.reduce((total, stage) => total + stage.seconds, 0);
    const most = Math.max(...stages.map(stage => stage.seconds));
    root.append(make('h2', {}, `Compilation: ${secondsText(sum)} for ${this.app.report.target}`), make('table', {}, make('tbody', {}, stages.map(stage => make('tr', {}, make('th', { scope: 'row' }, stage.name), make('td', { class: 'number' }, secondsText(stage.seconds)),
      make('td', { style: 'width: 60%' }, make('span', { class: 'bar', style: `width: ${100 * stage.seconds / most}%` })))))));
    const compilations = this.app.report.compilations || [];
    if (!compilations.length) return;
    const titles = ['number in the process', 'why', 'arguments', 'time'];
    root.append(make('h3', {}, compilations.length === 1 ? 'Compiled once so far' : `Compiled ${compilations.length} times`), make('div', { class: 'scroll' }, make('table', { id: 'compilations' }, make('thead', {}, make('tr', {}, titles.map(title => make('th', { scope: 'col' }, title)))),
      make('tbody', {}, compilations.map(each => make('tr', {}, make('td', {}, String(each.number)), make('td', {}, each.reason), make('td', {}, each.arguments), make('td', { class: 'number' }, secondsText(each.seconds))))))));
  }

  select() {}
}

class SeparateView {
  constructor(app) { this.app = app; }

  draw(root) {
    const notes = this.app.report.kernels.flatMap((kernel, i) => kernel.why_not.map(note => [kernel.name, i, note]));
    const drawRow = ([name, i, note]) => make('tr', {}, make('td', {}, make('button', { type: 'button', class: 'link', onclick: () => this.app.select([i]) }, name)), make('td', {}, note));
    root.append(make('h2', {}, 'Why kernels are separate'), notes.length ? make('div', { class: 'scroll' }, make('table', {}, makeRows(notes, drawRow))) : make('p', {}, 'Everything that has a common reader or writer is in one kernel.'));
  }

  select() {}
}

class CompareView {
  constructor(app) { this.app = app; }

  draw(root) {
    const { app } = this, before = app.other, after = app.report;
    root.append(make('h2', {}, 'Comparison'));
    if (!before) { root.append(make('p', {}, 'Choose another report by \u201cCompare with\u2026\u201d. Nothing leaves this page.')); return; }
    // Matches kernels with equal bodies first, then kernels with equal names.
    const rest = new Set(before.kernels), partners = new Map();
    for (const property of ['key', 'name']) {
      const lists = new Map();
      for (const kernel of rest) lists.has(kernel[property]) ? lists.get(kernel[property]).push(kernel) : lists.set(kernel[property], [kernel]);
      for (const kernel of after.kernels) {
        const found = partners.has(kernel) ? undefined : lists.get(kernel[property])?.shift();
        if (found) { rest.delete(found); partners.set(kernel, found); }
      }
    }
    const pairs = [...partners].map(([kernel, partner]) => [partner, kernel]), added = after.kernels.filter(kernel => !partners.has(kernel));
    const areMeasured = app.isMeasured && app.totalTime(before) > 0;
    const total = (report, get) => report.kernels.reduce((sum, kernel) => sum + (get(kernel) || 0), 0);
    const figures = [['kernels', report => report.kernels.length, String], ['bytes', report => total(report, app.bytesOf), bytesText], ['flops', report => total(report, kernel => app.number(kernel.flops)), countText],
      ['outputs and arena', report => app.number(report.memory?.peak ?? '?'), bytesText], ['compilation', report => report.stages.reduce((sum, stage) => sum + stage.seconds, 0), secondsText]];
    if (areMeasured) figures.push(['time of kernels', app.totalTime, secondsText]);
    const change = (x, y) => !Number.isFinite(y / x) || x === y ? make('td', {}, x === y ? 'same' : '') : make('td', { class: y < x ? 'better' : 'worse' }, `${(y / x).toPrecision(3)} \u00d7`);
    const line = (title, x, y, text) => make('tr', {}, make('th', { scope: 'row' }, title), make('td', {}, text(x)), make('td', {}, text(y)), change(x, y));
    const head = make('thead', {}, make('tr', {}, ['', before.program + ' for ' + before.target, after.program + ' for ' + after.target, 'change'].map(title => make('th', { scope: 'col' }, title))));
    root.append(make('table', { id: 'totals' }, head, make('tbody', {}, figures.map(([title, get, text]) => line(title, get(before), get(after), text)))));
    const cost = areMeasured ? app.timeOf : app.bytesOf, costText = areMeasured ? secondsText : bytesText;
    const changed = pairs.filter(([x, y]) => x.key !== y.key || x.schedule !== y.schedule || cost(x) !== cost(y));
    const rows = [...changed.map(([x, y]) => () => line(x.name === y.name ? x.name : `${x.name} \u2192 ${y.name}`, cost(x), cost(y), costText)),
      ...[...rest].map(kernel => () => make('tr', {}, make('th', { scope: 'row' }, kernel.name), make('td', {}, costText(cost(kernel))), make('td', {}, '-'), make('td', {}, 'gone'))),
      ...added.map(kernel => () => make('tr', {}, make('th', { scope: 'row' }, kernel.name), make('td', {}, '-'), make('td', {}, costText(cost(kernel))), make('td', {}, 'new')))];
    root.append(make('h3', {}, 'Kernels'), make('table', { id: 'changes' }, makeRows(rows, draw => draw())));
    root.append(make('p', { class: 'dim' }, `${pairs.length - changed.length} kernels are the same.`));
  }

  select() {}
}
