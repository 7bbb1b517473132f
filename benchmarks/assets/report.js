// SPDX-License-Identifier: Apache-2.0
// What the page cannot do by itself: values under the pointer, sorting, filtering, and
// hidden solvers in the address (#hide=pgs,newton). Without this script the page is whole.
'use strict';
(() => {
  const all = (query, from = document) => [...from.querySelectorAll(query)];
  const boxes = all('.legend input');

  // Hidden solvers. A double click shows one alone, another one all again.
  const hash = () => new URLSearchParams(location.hash.slice(1));
  function readHash() {
    const hide = hash().get('hide');
    if (hide === null) return;
    const names = hide.split(',');
    for (const box of boxes) box.checked = !names.includes(box.dataset.n);
  }
  function writeHash() {
    const hidden = boxes.filter(b => !b.checked).map(b => b.dataset.n);
    const hide = hidden.length ? '#hide=' + hidden.map(encodeURIComponent).join(',') : ' ';
    try { history.replaceState(null, '', hide.trim() || location.pathname); } catch (e) { /* file: */ }
  }
  for (const box of boxes) {
    box.addEventListener('change', writeHash);
    box.parentNode.addEventListener('dblclick', event => {
      event.preventDefault();
      const alone = boxes.every(b => b === box || !b.checked);
      for (const b of boxes) b.checked = alone || b === box;
      writeHash();
    });
  }
  addEventListener('hashchange', readHash);
  readHash();

  // A link to a curve opens what it lies in.
  function openTarget() {
    const target = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    const details = target && target.closest('details');
    if (!details) return;
    details.open = true;
    target.scrollIntoView();
  }
  addEventListener('hashchange', openTarget);
  openTarget();

  // Values under the pointer: pixels of the curves are turned back into numbers.
  const tip = document.getElementById('tip');
  const numbers = text => text.trim().split(/[\s,]+/).map(Number);
  const value = ([log, lo, hi], t) => log ? lo * Math.pow(hi / lo, t) : lo + (hi - lo) * t;
  function digits(v) {
    if (v === 0) return '0';
    const a = Math.abs(v);
    return a >= 1e-3 && a < 1e4 ? String(+v.toPrecision(3)) : v.toExponential(1);
  }
  function heightAt(curve, x) { // y of the curve at x, null outside it
    const p = curve.points_ || (curve.points_ = numbers(curve.getAttribute('points') || ''));
    if (p.length < 2 || x < p[0] - .5 || x > p[p.length - 2] + .5) return null;
    let k = 0;
    while (k + 2 < p.length && p[k + 2] <= x) k += 2;
    if (k + 2 >= p.length || p[k + 2] === p[k]) return p[k + 1];
    return p[k + 1] + (p[k + 3] - p[k + 1]) * Math.max(0, x - p[k]) / (p[k + 2] - p[k]);
  }
  function cursor(svg, x, [, top, , height]) {
    let line = svg.querySelector('.cursor');
    if (!line) {
      line = document.createElementNS('http://www.w3.org/2000/svg', 'path');
      line.setAttribute('class', 'cursor');
      svg.append(line);
    }
    line.setAttribute('d', `M${x} ${top}v${height}`);
    line.style.display = '';
  }
  function leave(svg) {
    tip.hidden = true;
    const line = svg.querySelector('.cursor');
    if (line) line.style.display = 'none';
  }
  function show(svg, event) {
    const view = all('.view', svg).find(v => getComputedStyle(v).display !== 'none');
    if (!view) return;
    const frame = numbers(svg.dataset.frame), [left, top, width, height] = frame;
    const box = svg.getBoundingClientRect();
    const x = (event.clientX - box.left) * svg.viewBox.baseVal.width / box.width;
    if (x < left || x > left + width) return leave(svg);
    const xs = numbers(view.dataset.x), ys = numbers(view.dataset.y);
    const share = !ys[0] && ys[2] === 1;
    const rows = all('.c', view)
      .filter(c => getComputedStyle(c).display !== 'none')
      .map(c => ({ c, y: heightAt(c, x) }))
      .filter(r => r.y !== null)
      .sort((a, b) => a.y - b.y);
    if (!rows.length) return leave(svg);
    cursor(svg, x, frame);
    const table = document.createElement('table');
    for (const { c, y } of rows) {
      const v = value(ys, 1 - (y - top) / height), row = table.insertRow();
      const dash = c.getAttribute('stroke-dasharray');
      row.insertCell().innerHTML = `<svg class="line" viewBox="0 0 26 8"><path class="${
        c.getAttribute('class').replace(/\bs\d+\b/, '')}" d="M0 4h26" stroke-dasharray="${dash}"/></svg>`;
      row.insertCell().textContent = c.dataset.n;
      row.insertCell().textContent = share ? Math.round(v * 1000) / 10 + ' %' : digits(v);
    }
    const head = document.createElement('h5');
    head.textContent = 'at ' + digits(value(xs, (x - left) / width));
    tip.replaceChildren(head, table);
    tip.hidden = false;
    const w = tip.offsetWidth, h = tip.offsetHeight;
    const right = event.clientX + 18 + w < innerWidth;
    tip.style.left = Math.max(4, right ? event.clientX + 18 : event.clientX - 18 - w) + 'px';
    tip.style.top = Math.max(4, Math.min(innerHeight - h - 4, event.clientY - h / 2)) + 'px';
  }
  for (const svg of all('svg.plot')) {
    if (!svg.querySelector('.view')) continue;
    const title = svg.querySelector('title'); // else the browser shows it over ours
    svg.setAttribute('aria-label', title.textContent);
    title.remove();
    svg.addEventListener('pointermove', event => show(svg, event));
    svg.addEventListener('pointerdown', event => show(svg, event));
    svg.addEventListener('pointerleave', () => leave(svg));
  }

  // Sorting: by data-v or the number shown, else by text; cells without a number go last.
  function key(row, column) {
    const cell = row.cells[column];
    if (!cell || cell.classList.contains('none')) return null;
    const v = 'v' in cell.dataset ? cell.dataset.v : cell.textContent.trim();
    return v !== '' && !isNaN(v) ? +v : v;
  }
  function compare(a, b) {
    if (typeof a === typeof b) return typeof a === 'number' ? a - b : a.localeCompare(b, 'en', { numeric: true });
    return typeof a === 'number' ? -1 : 1;
  }
  function sort(table, head, column) {
    const up = head.getAttribute('aria-sort') !== 'ascending';
    for (const other of all('th[aria-sort]', table)) other.removeAttribute('aria-sort');
    head.setAttribute('aria-sort', up ? 'ascending' : 'descending');
    const rows = [...table.tBodies[0].rows].map(row => ({ row, k: key(row, column) }));
    rows.sort((a, b) => (a.k === null) - (b.k === null)
      || (a.k === null ? 0 : up ? compare(a.k, b.k) : compare(b.k, a.k)));
    table.tBodies[0].append(...rows.map(r => r.row));
  }
  for (const table of all('table.sortable')) {
    const heads = [...table.tHead.rows[table.tHead.rows.length - 1].cells];
    const first = table.tHead.rows.length > 1 ? 1 : 0; // the first column spans two rows
    heads.forEach((head, k) => {
      head.setAttribute('role', 'button');
      head.tabIndex = 0;
      head.addEventListener('click', () => sort(table, head, k + first));
      head.addEventListener('keydown', event => { if (event.key === 'Enter') sort(table, head, k + first); });
    });
  }
  for (const input of all('.filter')) {
    const rows = [...input.parentNode.querySelector('table').tBodies[0].rows];
    input.addEventListener('input', () => {
      const words = input.value.toLowerCase().split(/\s+/);
      for (const row of rows) row.hidden = !words.every(w => row.textContent.toLowerCase().includes(w));
    });
  }
})();
