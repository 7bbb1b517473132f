// SPDX-License-Identifier: Apache-2.0
// The page of a run: bodies on a canvas, curves below. The page holds numbers as JSON
// (#data), arrays compressed as base64 (#positions, ...) and all text as text (#names).
'use strict';
(() => {
const $ = id => document.getElementById(id);
const meta = JSON.parse($('data').textContent);
const names = [...$('names').children].map(e => e.textContent);
const { dim, bodies, frames, box, shapes, obstacles } = meta;

// --- arrays -----------------------------------------------------------------------------
// What zlib has compressed [RFC 1950, 1951]. A code is found by looking up as many bits as
// the longest one has: symbol and length stand together at all its continuations.
function codes(lengths) {
  const count = new Uint16Array(16), next = new Uint16Array(16), most = Math.max(...lengths, 1);
  for (const l of lengths) count[l]++;
  count[0] = 0;
  for (let l = 1; l < 16; l++) next[l] = (next[l - 1] + count[l - 1]) << 1;
  const all = new Uint16Array(1 << most);
  lengths.forEach((l, symbol) => {
    if (!l) return;
    let back = 0; // codes come with their first bit first
    for (let k = 0, code = next[l]++; k < l; k++) back |= (code >> k & 1) << (l - 1 - k);
    for (let k = back; k < all.length; k += 1 << l) all[k] = symbol << 4 | l;
  });
  return { all, most };
}
function inflate(from, size) {
  const to = new Uint8Array(size), order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
  let at = 2, held = 0, word = 0, end = 0, last = 0;
  const need = n => { while (held < n) word |= from[at++] << held, held += 8; };
  const drop = n => (word >>>= n, held -= n);
  const bits = n => { need(n); const x = word & (1 << n) - 1; drop(n); return x; };
  const symbol = t => { need(t.most); const x = t.all[word & (1 << t.most) - 1]; drop(x & 15); return x >> 4; };
  const extra = (x, per) => (x < 2 * per ? [x, 0] // numbers in groups of `per`, twice as long each
    : [(per + x % per) << Math.floor(x / per) - 1, Math.floor(x / per) - 1]);
  const grown = (x, per) => { const [least, n] = extra(x, per); return least + bits(n); };
  function lengthsOf(count, t) {
    const all = [];
    while (all.length < count) {
      const x = symbol(t), [what, times] = x < 16 ? [x, 1] : x === 16 ? [all[all.length - 1], 3 + bits(2)]
        : [0, x === 17 ? 3 + bits(3) : 11 + bits(7)];
      for (let k = 0; k < times; k++) all.push(what);
    }
    return all;
  }
  function tables(kind) {
    if (kind === 1) return [codes(Array.from({ length: 288 }, (_, k) => 8 + (k > 143) - (k > 255) - (k > 255 && k < 280))),
      codes(Array(30).fill(5))];
    const literals = bits(5) + 257, distances = bits(5) + 1, few = bits(4) + 4, short = Array(19).fill(0);
    for (let k = 0; k < few; k++) short[order[k]] = bits(3);
    const all = lengthsOf(literals + distances, codes(short));
    return [codes(all.slice(0, literals)), codes(all.slice(literals))];
  }
  while (!last) {
    last = bits(1);
    const kind = bits(2);
    if (!kind) { // as it is
      drop(held & 7);
      const count = bits(16);
      bits(16); // its complement
      for (let k = 0; k < count; k++) to[end++] = bits(8);
      continue;
    }
    const [literal, distance] = tables(kind);
    for (let x = symbol(literal); x !== 256; x = symbol(literal)) {
      if (x < 256) { to[end++] = x; continue; }
      const length = x === 285 ? 258 : 3 + grown(x - 257, 4), back = 1 + grown(symbol(distance), 2);
      for (let k = 0; k < length; k++, end++) to[end] = to[end - back];
    }
  }
  return to;
}
function bytes(id) {
  const text = atob($(id).textContent.trim()), from = new Uint8Array(text.length);
  for (let k = 0; k < text.length; k++) from[k] = text.charCodeAt(k);
  return inflate(from, +$(id).dataset.bytes);
}
const array = (Type, id) => new Type(bytes(id).buffer);
const signed = x => x >>> 1 ^ -(x & 1); // 0, 1, 2, 3, ... stand for 0, -1, 1, -2, ...
// `numbers` numbers for each of counts[f] things in frame f, their bytes apart.
function unpack(Type, id, numbers, counts, size, use) {
  const from = bytes(id), to = new Type(numbers * counts.reduce((a, b) => a + b, 0));
  let at = 0, first = 0;
  for (const count of counts) {
    for (let i = 0; i < numbers; i++, at += count * size)
      for (let k = 0; k < count; k++) {
        let x = 0;
        for (let p = 0; p < size; p++) x |= from[at + p * count + k] << 8 * p;
        to[first + numbers * k + i] = use(x, to, first + numbers * k + i, i, k, count);
      }
    first += numbers * count;
  }
  return to;
}
const every = count => Array(frames).fill(count);
const counted = all => Array.from({ length: frames }, (_, f) => all[f + 1] - all[f]);
const since = numbers => (x, to, at, i, k, count) => signed(x) + (at >= numbers * count ? to[at - numbers * count] : 0);
const radii = array(Float32Array, 'radii'), drives = array(Float32Array, 'drives');
const kinds = array(Uint16Array, 'kinds'), tags = array(Uint16Array, 'tags');
const turnAt = new Int32Array(bodies); // bodies that turn visibly, in the order of `turns`
let turning = 0;
for (let b = 0; b < bodies; b++) turnAt[b] = dim === 2 || kinds[b] ? turning++ : -1;
const angles = dim === 2 ? 1 : 4;
const positions = unpack(Uint16Array, 'positions', dim, every(bodies), 2, since(dim));
const turns = unpack(Int16Array, 'turns', angles, every(turning), 2, since(angles));
const speeds = unpack(Uint8Array, 'speeds', 1, every(bodies), 1, since(1));
const chained = numbers => (x, to, at, i, k) => signed(x) + (i ? to[at - 1] : k ? to[at - numbers] : 0);
const pairs = unpack(Uint32Array, 'pairs', 2, counted(meta.pairs), 4, chained(2));
const pushes = unpack(Uint32Array, 'pushes', 1, counted(meta.pushes), 4, chained(1));
const pushed = unpack(Uint16Array, 'pushed', dim, counted(meta.pushes), 2, x => x);
const pairForce = array(Uint8Array, 'pair-force'), pushForce = array(Uint8Array, 'push-force');
const ABSENT = 65535, FULL = 16383, ORIGIN = 24575; // of 16-bit coordinates

// --- the state of a frame ---------------------------------------------------------------
function fromBox(values, at) {
  const x = [0, 0, 0];
  for (let i = 0; i < dim; i++) x[i] = box[i] + (box[i + 3] - box[i]) * (values[at + i] - ORIGIN) / FULL;
  return x;
}
const isThere = (f, b) => positions[(f * bodies + b) * dim] !== ABSENT;
const centre = (f, b) => fromBox(positions, (f * bodies + b) * dim);
const speed = (f, b) => meta.speed * (speeds[f * bodies + b] / 255) ** 2;

function axes(f, b) { // images of the body's axes
  if (turnAt[b] < 0) return [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
  if (dim === 2) {
    const a = turns[f * turning + turnAt[b]] / 32767 * Math.PI, c = Math.cos(a), s = Math.sin(a);
    return [[c, s, 0], [-s, c, 0], [0, 0, 1]];
  }
  const [a, x, y, z] = turns.subarray(4 * (f * turning + turnAt[b]), 4 * (f * turning + turnAt[b]) + 4)
    .map(k => k).reduce((to, k) => (to.push(k / 32767), to), []);
  return [[1 - 2 * (y * y + z * z), 2 * (x * y + a * z), 2 * (x * z - a * y)],
    [2 * (x * y - a * z), 1 - 2 * (x * x + z * z), 2 * (y * z + a * x)],
    [2 * (x * z + a * y), 2 * (y * z - a * x), 1 - 2 * (x * x + y * y)]];
}
const place = (at, R, p) => [0, 1, 2].map(i => at[i] + R[0][i] * p[0] + R[1][i] * p[1] + R[2][i] * p[2]);

function drive(f, o) { // where an obstacle has been brought: image of the origin, axes
  if (o.moving === undefined) return [[0, 0, 0], [[1, 0, 0], [0, 1, 0], [0, 0, 1]]];
  const d = drives.subarray(12 * (f * meta.moving + o.moving));
  return [[d[0], d[1], d[2]], [[d[3], d[4], d[5]], [d[6], d[7], d[8]], [d[9], d[10], d[11]]]];
}

// --- colours ----------------------------------------------------------------------------
const ramp = [[68, 1, 84], [59, 82, 139], [33, 145, 140], [94, 201, 98], [253, 231, 37]];
const groups = [[0, 114, 178], [213, 94, 0], [0, 158, 115], [204, 121, 167], [230, 159, 0],
  [86, 180, 233], [120, 120, 120]];
const LEVELS = 64;
function level(share) { // of the ramp
  const x = Math.min(Math.max(share, 0), 1) * (ramp.length - 1), k = Math.min(Math.floor(x), ramp.length - 2);
  return ramp[k].map((c, i) => Math.round(c + (ramp[k + 1][i] - c) * (x - k)));
}
const palette = Array.from({ length: LEVELS }, (_, k) => level(k / (LEVELS - 1)))
  .concat(groups);
const css = (c, light = 1) => `rgb(${c.map(x => Math.min(255, Math.round(x * light)))})`;
const style = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

const started = Array.from({ length: bodies }, (_, b) => {
  for (let f = 0; f < frames; f++) if (isThere(f, b)) return f;
  return 0;
});

// --- ways -------------------------------------------------------------------------------
// Displacements count from frame `base`, or from the frame in which a body came.
let base = 0;
const origin = b => centre(Math.max(base, started[b]), b);
const way = (f, b) => { const x = centre(f, b); return origin(b).map((y, i) => x[i] - y); };
const displacement = (f, b) => Math.hypot(...way(f, b));
const movable = f => Array.from({ length: bodies }, (_, b) => b)
  .filter(b => kinds[b] !== ABSENT && isThere(f, b) && f >= Math.max(base, started[b]));

// A x = b for a small symmetric A that is not negative; a direction without extent has x = 0.
function solved(A, b) {
  const n = b.length, rows = A.map((row, i) => [...row, b[i]]), tiny = 1e-12 * Math.max(...A.map((row, i) => row[i]));
  for (let k = 0; k < n; k++) {
    if (!(rows[k][k] > tiny)) { rows.forEach(row => (row[k] = 0)); rows[k].fill(0); rows[k][k] = 1; continue; }
    for (let i = 0; i < n; i++) {
      const share = i === k ? 0 : rows[i][k] / rows[k][k];
      for (let j = k; share && j <= n; j++) rows[i][j] -= share * rows[k][j];
    }
  }
  return rows.map((row, i) => row[n] / row[i]);
}
// Ways less their affine part: w_b - a - B (x_b - x), with a and B by least squares.
function residue(f, all) {
  const n = all.length || 1, x = all.map(origin), w = all.map(b => way(f, b));
  const mean = v => [0, 1, 2].map(i => v.reduce((sum, p) => sum + p[i], 0) / n), xm = mean(x), wm = mean(w);
  const second = (u, v, um, vm) => [0, 1, 2].slice(0, dim).map(i => [0, 1, 2].slice(0, dim)
    .map(j => u.reduce((sum, p, k) => sum + (p[i] - um[i]) * (v[k][j] - vm[j]), 0)));
  const xx = second(x, x, xm, xm), B = second(w, x, wm, xm).map(row => solved(xx, row));
  return w.map((p, k) => p.map((value, i) => value - wm[i]
    - (i < dim ? B[i].reduce((sum, entry, j) => sum + entry * (x[k][j] - xm[j]), 0) : 0)));
}

// Where colours end: the largest value, or what 98 % stay below where few go far beyond.
function most(of) {
  const all = [];
  for (let f = 0; f < frames; f++)
    for (let b = 0; b < bodies; b++) if (isThere(f, b) && kinds[b] !== ABSENT) all.push(of(f, b));
  all.sort((a, b) => a - b);
  const end = all[all.length - 1] || 0, usual = all[Math.floor(0.98 * all.length)] || 0;
  return usual > 0 && end > 4 * usual ? usual : end;
}
const scales = {
  speed: { value: speed, of: share => Math.sqrt(share), most: most(speed) },
  displacement: { value: displacement, of: share => share, most: most(displacement) },
};
function colour(f, b) { // an index of the palette
  const by = $('colour').value, scale = scales[by];
  if (by === 'tag') return LEVELS + tags[b] % groups.length;
  if (!scale) return LEVELS + 5;
  return scale.most > 0 ? Math.round(scale.of(Math.min(1, scale.value(f, b) / scale.most)) * (LEVELS - 1)) : 0;
}

// --- the camera -------------------------------------------------------------------------
const canvas = $('canvas'), pen = canvas.getContext('2d');
const middle = [0, 1, 2].map(i => (box[i] + box[i + 3]) / 2);
const reach = Math.max(1e-300, Math.hypot(box[3] - box[0], box[4] - box[1], box[5] - box[2]) / 2);
const camera = { yaw: 0.6, pitch: 0.3, zoom: 1, x: 0, y: 0 };
let view = {};

function look() { // sizes and directions for this frame
  const ratio = devicePixelRatio || 1, w = canvas.clientWidth, h = canvas.clientHeight;
  if (canvas.width !== Math.round(w * ratio) || canvas.height !== Math.round(h * ratio)) {
    canvas.width = Math.round(w * ratio);
    canvas.height = Math.round(h * ratio);
  }
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.clearRect(0, 0, w, h);
  const cy = Math.cos(camera.yaw), sy = Math.sin(camera.yaw);
  const cp = Math.cos(camera.pitch), sp = Math.sin(camera.pitch);
  const wide = dim === 2 ? box[3] - box[0] : 1.8 * reach, high = dim === 2 ? box[4] - box[1] : 1.8 * reach;
  view = {
    w, h, scale: camera.zoom * 0.94 * Math.min(w / Math.max(wide, 1e-300), h / Math.max(high, 1e-300)),
    right: [sy, -cy, 0], up: [cy * sp, sy * sp, cp], ahead: [cy * cp, sy * cp, -sp], eye: 5 * reach,
  };
}
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

function project(p) { // x, y on the screen, depth, pixels per unit of length there
  const d = [p[0] - middle[0], p[1] - middle[1], p[2] - middle[2]];
  if (dim === 2)
    return [view.w / 2 + camera.x + view.scale * d[0], view.h / 2 + camera.y - view.scale * d[1], 0, view.scale];
  const depth = dot(view.ahead, d), s = view.scale * view.eye / Math.max(view.eye + depth, 0.05 * view.eye);
  return [view.w / 2 + camera.x + s * dot(view.right, d), view.h / 2 + camera.y - s * dot(view.up, d), depth, s];
}

// --- drawing ----------------------------------------------------------------------------
const sprites = new Map(); // a shaded sphere for each colour
function sprite(k) {
  if (sprites.has(k)) return sprites.get(k);
  const ball = document.createElement('canvas'), ink = ball.getContext('2d');
  ball.width = ball.height = 64;
  const light = ink.createRadialGradient(24, 20, 2, 32, 32, 32);
  light.addColorStop(0, css(palette[k].map(c => c + 0.55 * (255 - c))));
  light.addColorStop(0.55, css(palette[k]));
  light.addColorStop(1, css(palette[k], 0.5));
  ink.fillStyle = light;
  ink.beginPath();
  ink.arc(32, 32, 31.5, 0, 7);
  ink.fill();
  sprites.set(k, ball);
  return ball;
}

function outline(points, fill, stroke) {
  pen.beginPath();
  points.forEach((p, k) => (k ? pen.lineTo(p[0], p[1]) : pen.moveTo(p[0], p[1])));
  pen.closePath();
  if (fill) pen.fillStyle = fill, pen.fill();
  if (stroke) pen.strokeStyle = stroke, pen.stroke();
}

function drawDisk(f, b, at, k, ink) {
  const [x, y, , s] = project(at), r = Math.max(radii[b] * s, 1.5), a = axes(f, b)[0];
  pen.beginPath();
  pen.arc(x, y, r, 0, 7);
  pen.fillStyle = css(palette[k]);
  pen.fill();
  if (r < 4) return;
  pen.strokeStyle = ink; // a radius shows how it turns
  pen.moveTo(x, y);
  pen.lineTo(x + r * a[0], y - r * a[1]);
  pen.stroke();
}

function drawMesh(shape, at, R, base, ink) {
  const world = shape.c.map(p => place(at, R, p)), flat = world.map(project);
  if (dim === 2) {
    outline(flat, css(base), ink);
    return;
  }
  for (const face of shape.f) {
    const [p, q, r] = face.map(i => world[i]);
    const u = [q[0] - p[0], q[1] - p[1], q[2] - p[2]], v = [r[0] - q[0], r[1] - q[1], r[2] - q[2]];
    const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    const [a, c, e] = face.map(i => flat[i]); // counterclockwise from outside = towards us
    if ((c[0] - a[0]) * (e[1] - c[1]) - (c[1] - a[1]) * (e[0] - c[0]) >= 0) continue;
    const lit = 0.62 + 0.38 * dot(n, [-0.3, -0.5, 0.81]) / (Math.hypot(...n) || 1);
    outline(face.map(i => flat[i]), css(base, Math.max(lit, 0.35)), ink);
  }
}

// Planes, walls and containers; shapes are drawn among the bodies.
function drawObstacle(f, o) {
  const [at, R] = drive(f, o), move = p => place(at, R, p), turn = p => place([0, 0, 0], R, p);
  const grey = style('--rule'), n = o.n && turn(o.n), point = o.point && move(o.point);
  pen.strokeStyle = style('--soft');
  pen.fillStyle = grey;
  if (o.kind === 'wall') {
    const a = project(point), b = project(move(o.end));
    pen.lineWidth = 3;
    pen.beginPath();
    pen.moveTo(a[0], a[1]);
    pen.lineTo(b[0], b[1]);
    pen.stroke();
    pen.lineWidth = 1;
  } else if (o.kind === 'plane' && dim === 2) {
    const foot = dot([middle[0] - point[0], middle[1] - point[1], 0], n), t = [n[1], -n[0], 0];
    const c = [0, 1, 2].map(i => middle[i] - foot * n[i]), long = 40 * reach;
    const corner = (s, d) => project([0, 1, 2].map(i => c[i] + s * long * t[i] - d * n[i]));
    outline([corner(-1, 0), corner(1, 0), corner(1, long), corner(-1, long)], grey, style('--soft'));
  } else if (o.kind === 'plane') {
    if (dot(n, view.ahead) > -0.05) return; // seen from behind it would hide everything
    const foot = dot([0, 1, 2].map(i => middle[i] - point[i]), n);
    const c = [0, 1, 2].map(i => middle[i] - foot * n[i]), e = Math.abs(n[0]) > 0.9 ? [0, 1, 0] : [1, 0, 0];
    const u = e.map((x, i) => x - dot(e, n) * n[i]), size = Math.hypot(...u), s = u.map(x => x / size);
    const t = [n[1] * s[2] - n[2] * s[1], n[2] * s[0] - n[0] * s[2], n[0] * s[1] - n[1] * s[0]];
    const corner = (x, y) => project([0, 1, 2].map(i => c[i] + 0.75 * reach * (x * s[i] + y * t[i])));
    pen.globalAlpha = 0.5;
    outline([corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)], grey);
    pen.globalAlpha = 1;
  } else if (o.kind === 'container' && dim === 2) {
    const [x, y, , s] = project(point);
    pen.beginPath();
    pen.arc(x, y, o.radius * s, 0, 7);
    pen.stroke();
  } else if (o.kind === 'container') {
    const e = Math.abs(n[0]) > 0.9 ? [0, 1, 0] : [1, 0, 0], u = e.map((x, i) => x - dot(e, n) * n[i]);
    const size = Math.hypot(...u), s = u.map(x => x / size);
    const t = [n[1] * s[2] - n[2] * s[1], n[2] * s[0] - n[0] * s[2], n[0] * s[1] - n[1] * s[0]];
    const along = dot([0, 1, 2].map(i => middle[i] - point[i]), n);
    const extent = Math.abs(n[0]) * (box[3] - box[0]) + Math.abs(n[1]) * (box[4] - box[1]) + Math.abs(n[2]) * (box[5] - box[2]);
    for (const h of [along - extent / 2, along + extent / 2]) {
      const ring = Array.from({ length: 48 }, (_, k) => {
        const c = Math.cos(k * Math.PI / 24), z = Math.sin(k * Math.PI / 24);
        return project([0, 1, 2].map(i => point[i] + h * n[i] + o.radius * (c * s[i] + z * t[i])));
      });
      outline(ring, null, style('--soft'));
    }
  }
}

function forceLine(a, b, force, ink) {
  pen.beginPath();
  pen.lineWidth = Math.max(0.4, 9 * force);
  pen.strokeStyle = ink;
  pen.moveTo(a[0], a[1]);
  pen.lineTo(b[0], b[1]);
  pen.stroke();
}
function drawForces(f) {
  const ink = style('--slip');
  pen.lineCap = 'round';
  for (let k = meta.pairs[f]; k < meta.pairs[f + 1]; k++) {
    const i = pairs[2 * k], j = pairs[2 * k + 1];
    forceLine(project(centre(f, i)), project(centre(f, j)), (pairForce[k] / 255) ** 2, ink);
  }
  for (let k = meta.pushes[f]; k < meta.pushes[f + 1]; k++)
    forceLine(project(centre(f, pushes[k])), project(fromBox(pushed, dim * k)), (pushForce[k] / 255) ** 2, ink);
  pen.lineWidth = 1;
}
// Arrows end where the bodies are. Those less the affine part are made longer: the longest
// of 98 % is then three radii.
function drawWays(f, kind) {
  const all = movable(f), ways = kind === 'way' ? all.map(b => way(f, b)) : residue(f, all);
  const long = ways.map(w => Math.hypot(...w)).sort((a, b) => a - b)[Math.floor(0.98 * ways.length)] || 0;
  const radius = all.reduce((sum, b) => sum + radii[b], 0) / all.length;
  const times = kind === 'way' || !long ? 1 : 3 * radius / long;
  $('ways-scale').textContent = times === 1 ? '' : `${times.toPrecision(2)} times as long`;
  pen.strokeStyle = style('--ink');
  pen.lineCap = 'round';
  pen.lineWidth = 1.4;
  all.forEach((b, k) => {
    const end = centre(f, b), tip = project(end), tail = project(end.map((x, i) => x - times * ways[k][i]));
    const dx = tip[0] - tail[0], dy = tip[1] - tail[1], head = Math.min(0.4, 6 / (Math.hypot(dx, dy) || 1));
    pen.beginPath();
    pen.moveTo(tail[0], tail[1]);
    pen.lineTo(tip[0], tip[1]);
    for (const side of [-0.5, 0.5]) {
      pen.moveTo(tip[0], tip[1]);
      pen.lineTo(tip[0] - head * (dx - side * dy), tip[1] - head * (dy + side * dx));
    }
    pen.stroke();
  });
  pen.lineWidth = 1;
}

let frame = 0, shown = []; // what was drawn where, for the pointer
function draw() {
  look();
  const ink = style('--bg'), items = [], forces = $('forces').checked, ways = $('ways').value;
  obstacles.forEach(o => {
    if (o.kind !== 'shape') return drawObstacle(frame, o);
    const [at, R] = drive(frame, o), p = place(at, R, o.at), turned = o.axes.map(a => place([0, 0, 0], R, a));
    items.push({ depth: project(p)[2], draw: () => drawMesh(shapes[o.shape], p, turned, [150, 155, 160], ink) });
  });
  shown = [];
  for (let b = 0; b < bodies; b++) {
    if (!isThere(frame, b) || kinds[b] === ABSENT) continue;
    const at = centre(frame, b), k = colour(frame, b), p = project(at), r = Math.max(radii[b] * p[3], 2);
    shown.push([p[0], p[1], r, b, p[2]]);
    items.push({ depth: p[2], draw: () => {
      if (kinds[b]) drawMesh(shapes[kinds[b] - 1], at, axes(frame, b), palette[k], ink);
      else if (dim === 2) drawDisk(frame, b, at, k, ink);
      else pen.drawImage(sprite(k), p[0] - r, p[1] - r, 2 * r, 2 * r);
    } });
  }
  items.sort((a, b) => b.depth - a.depth);
  pen.globalAlpha = forces || ways ? 0.45 : 1;
  items.forEach(i => i.draw());
  pen.globalAlpha = 1;
  if (forces) drawForces(frame);
  if (ways) drawWays(frame, ways);
  else $('ways-scale').textContent = '';
}

// --- the player -------------------------------------------------------------------------
const number = x => (x === null || x === undefined ? '–' : x === 0 ? '0'
  : Math.abs(x) >= 1e-3 && Math.abs(x) < 1e5 ? String(+x.toPrecision(4)) : x.toExponential(2));
const charts = [];
function show(f) {
  frame = Math.max(0, Math.min(frames - 1, Math.round(f)));
  $('slider').value = frame;
  $('time').textContent = `t = ${number(meta.t[frame])}`;
  const scale = scales[$('colour').value];
  $('scale').hidden = !scale;
  if (scale) $('scale-most').textContent = number(scale.most);
  document.documentElement.dataset.frame = frame;
  draw();
  charts.forEach(c => c.now(meta.t[frame]));
}
let playing = false, before = 0, exact = 0;
function play(on) {
  playing = on;
  before = 0;
  exact = frame >= frames - 1 ? 0 : frame;
  $('play').textContent = on ? 'Pause' : 'Play';
  if (on) requestAnimationFrame(tick);
}
const LASTS = 10; // seconds for the whole run
function tick(now) {
  if (!playing) return;
  if (before) exact += (now - before) / 1000 * frames / LASTS;
  before = now;
  if (Math.round(exact) !== frame) show(exact);
  if (exact >= frames - 1) play(false);
  else requestAnimationFrame(tick);
}
$('slider').max = frames - 1;
$('slider').addEventListener('input', e => (play(false), show(+e.target.value)));
$('play').addEventListener('click', () => play(!playing));
$('colour').addEventListener('change', () => show(frame));
$('forces').addEventListener('change', () => show(frame));
$('ways').addEventListener('change', () => show(frame));
function startHere(f) { // displacements count from this frame on
  base = Math.max(0, Math.min(frames - 1, Math.round(f)));
  scales.displacement.most = most(displacement);
  $('from').textContent = base ? `from t = ${number(meta.t[base])}` : 'from here';
}
$('from').addEventListener('click', () => (startHere(base ? 0 : frame), show(frame)));
if (!tags.some(t => t)) $('colour').querySelector('[value=tag]').remove();
$('ramp').style.background = `linear-gradient(90deg, ${ramp.map(c => css(c))})`;
addEventListener('keydown', e => {
  if (e.target.closest('input, select, button')) return;
  if (e.key === ' ') e.preventDefault(), play(!playing);
  if (e.key === 'ArrowRight' || e.key === 'ArrowLeft') show(frame + (e.key === 'ArrowRight' ? 1 : -1));
});

// --- the pointer on the canvas ----------------------------------------------------------
const fingers = new Map();
canvas.addEventListener('pointerdown', e => {
  canvas.setPointerCapture(e.pointerId);
  fingers.set(e.pointerId, [e.clientX, e.clientY]);
});
const lift = e => fingers.delete(e.pointerId);
canvas.addEventListener('pointerup', lift);
canvas.addEventListener('pointercancel', lift);
canvas.addEventListener('pointermove', e => {
  const last = fingers.get(e.pointerId);
  if (!last) return tell(e);
  const dx = e.clientX - last[0], dy = e.clientY - last[1];
  if (fingers.size === 2) { // pinch
    const other = [...fingers].find(([id]) => id !== e.pointerId)[1];
    const wide = p => Math.hypot(p[0] - other[0], p[1] - other[1]) || 1;
    camera.zoom *= wide([e.clientX, e.clientY]) / wide(last);
  } else if (dim === 3 && !e.shiftKey) {
    camera.yaw -= 0.01 * dx;
    camera.pitch = Math.max(-1.5, Math.min(1.5, camera.pitch + 0.01 * dy));
  } else {
    camera.x += dx;
    camera.y += dy;
  }
  fingers.set(e.pointerId, [e.clientX, e.clientY]);
  draw();
});
canvas.addEventListener('wheel', e => {
  e.preventDefault();
  camera.zoom *= Math.exp(-0.0015 * e.deltaY);
  draw();
}, { passive: false });
canvas.addEventListener('dblclick', () => {
  Object.assign(camera, { yaw: 0.6, pitch: 0.3, zoom: 1, x: 0, y: 0 });
  draw();
});
function tell(e) { // the body under the pointer, the nearest to the eye
  const edge = canvas.getBoundingClientRect(), x = e.clientX - edge.left, y = e.clientY - edge.top;
  const hit = shown.filter(s => Math.hypot(s[0] - x, s[1] - y) <= s[2]).sort((a, b) => a[4] - b[4])[0];
  $('about-body').hidden = !hit;
  if (hit) $('about-body').textContent = `body ${hit[3]}: speed ${number(speed(frame, hit[3]))}, `
    + `displacement ${number(displacement(frame, hit[3]))}` + (tags[hit[3]] ? `, tag ${tags[hit[3]]}` : '');
}
canvas.addEventListener('pointerleave', () => ($('about-body').hidden = true));

// --- curves -----------------------------------------------------------------------------
const SVG = 'http://www.w3.org/2000/svg';
function add(parent, tag, attributes, text) {
  const e = document.createElementNS(SVG, tag);
  for (const k in attributes) e.setAttribute(k, attributes[k]);
  if (text !== undefined) e.textContent = text;
  parent.append(e);
  return e;
}
function ticks(lo, hi, log) {
  if (log) {
    const a = Math.floor(lo), b = Math.ceil(hi), step = Math.max(1, Math.ceil((b - a) / 6)), all = [];
    // Multiples of a power of ten too, where there is hardly one.
    const times = hi - lo < 0.5 ? [1, 2, 3, 4, 5, 6, 7, 8, 9] : hi - lo < 1.5 ? [1, 2, 5] : [1];
    for (let k = a; k <= b; k += step) all.push(...times.map(m => k + Math.log10(m)));
    return all;
  }
  const raw = (hi - lo) / 5, power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map(k => k * power).find(s => s >= raw), all = [];
  for (let k = Math.ceil(lo / step); k <= hi / step + 1e-9; k++) all.push(k * step);
  return all;
}
function makeChart(curve) {
  const card = document.createElement('div'), keys = document.createElement('div');
  const head = document.createElement('h3'), svg = document.createElementNS(SVG, 'svg');
  const t = meta.curves[0], many = curve.lines.map(k => meta.curves[k]);
  const value = x => (x === null ? null : curve.log ? (x > 0 ? Math.log10(x) : null) : x);
  card.className = 'chart';
  keys.className = 'keys';
  head.textContent = names[curve.title];
  card.append(head, keys, svg);
  $('charts').append(card);
  const label = curve.lines.map((k, i) => {
    const span = document.createElement('span'), read = document.createElement('b');
    span.className = `k${i}`;
    span.append(curve.lines.length > 1 || names[k] !== names[curve.title] ? names[k] + ' ' : '', read);
    keys.append(span);
    return read;
  });
  let x = t => t, line = null, wide = 0;
  const left = 56, right = 8, top = 8, bottom = 22, high = 190;
  function paint() {
    wide = svg.clientWidth || 320;
    svg.replaceChildren();
    svg.setAttribute('viewBox', `0 0 ${wide} ${high}`);
    const all = many.flat().map(value).filter(v => v !== null && isFinite(v));
    let lo = Math.min(...all), hi = Math.max(...all);
    if (!all.length) lo = 0, hi = 1;
    if (!(hi - lo > 1e-12 * Math.max(Math.abs(hi), Math.abs(lo)))) {
      const pad = Math.abs(hi) > 0 ? 0.5 * Math.abs(hi) : 1;
      lo -= pad, hi += pad;
    }
    const t0 = t[0], t1 = t[t.length - 1] > t0 ? t[t.length - 1] : t0 + 1;
    x = v => left + (wide - left - right) * (v - t0) / (t1 - t0);
    const y = v => top + (high - top - bottom) * (hi - v) / (hi - lo);
    for (const v of ticks(lo, hi, curve.log)) {
      if (y(v) < top - 1 || y(v) > high - bottom + 1) continue;
      add(svg, 'line', { class: 'rule', x1: left, x2: wide - right, y1: y(v), y2: y(v) });
      add(svg, 'text', { x: left - 6, y: y(v) + 4, 'text-anchor': 'end' },
        curve.log ? (10 ** v).toExponential(0) : number(+v.toPrecision(6)));
    }
    for (const v of ticks(t0, t1))
      add(svg, 'text', { x: x(v), y: high - 6, 'text-anchor': 'middle' }, number(+v.toPrecision(6)));
    many.forEach((series, i) => {
      let d = '', open = false;
      series.forEach((raw, k) => {
        const v = value(raw);
        if (v === null || !isFinite(v)) open = false;
        else d += `${open ? 'L' : 'M'}${x(t[k]).toFixed(1)} ${y(v).toFixed(1)}`, open = true;
      });
      add(svg, 'path', { class: `k${i}`, d });
    });
    line = add(svg, 'line', { class: 'now', x1: 0, x2: 0, y1: top, y2: high - bottom });
  }
  function now(at) {
    let k = t.findIndex(v => v >= at * (1 - 1e-12));
    if (k < 0) k = t.length - 1;
    line.setAttribute('x1', x(at));
    line.setAttribute('x2', x(at));
    many.forEach((series, i) => (label[i].textContent = number(series[k])));
  }
  const time = e => {
    const edge = svg.getBoundingClientRect();
    return t[0] + (e.clientX - edge.left - left) / (wide - left - right) * (t[t.length - 1] - t[0]);
  };
  svg.addEventListener('pointermove', e => charts.forEach(c => c.now(time(e))));
  svg.addEventListener('pointerleave', () => charts.forEach(c => c.now(meta.t[frame])));
  svg.addEventListener('click', e => {
    const at = time(e);
    let best = 0;
    meta.t.forEach((v, f) => Math.abs(v - at) < Math.abs(meta.t[best] - at) && (best = f));
    play(false);
    show(best);
  });
  paint();
  return { now, paint };
}
meta.charts.forEach(c => charts.push(makeChart(c)));

// --- start ------------------------------------------------------------------------------
const asked = new URLSearchParams(location.hash.slice(1)); // #frame=12&forces&ways=affine&from=3
if (asked.has('forces')) $('forces').checked = true;
if (asked.has('ways')) $('ways').value = asked.get('ways');
if (asked.has('from')) startHere(+asked.get('from'));
if (asked.has('colour')) $('colour').value = asked.get('colour');
// A run that begins without bodies, as a pile does that grows, shows its end first.
const isEmpty = f => !Array.from({ length: bodies }, (_, b) => b)
  .some(b => isThere(f, b) && kinds[b] !== ABSENT);
show(asked.has('frame') ? +asked.get('frame') : isEmpty(0) ? frames - 1 : 0);
addEventListener('resize', () => (charts.forEach(c => c.paint()), show(frame)));
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => show(frame));
document.documentElement.dataset.ready = 'yes';
})();
