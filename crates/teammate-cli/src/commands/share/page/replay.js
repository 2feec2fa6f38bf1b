// Replays a run: stands at a moment of it, and shows what stood there then. Every text becomes a text, never HTML.
'use strict';
const $ = id => document.getElementById(id);
const run = JSON.parse($('run').textContent);
// t('{count} more', {count: 3}): each text by the English one, in the language of who made the file.
const t = (text, holes = {}) => (run.texts?.[text] ?? text).replace(/\{(\w+)\}/g, (hole, name) => holes[name] ?? hole);
// Times and dates are the reader's own; a date is said once a day.
const stamp = ms => new Date(ms).toLocaleTimeString();
const day = ms => new Date(ms).toLocaleDateString(undefined, {weekday: 'short', year: 'numeric', month: 'long', day: 'numeric'});
const NAMES = new Set(['span', 'p', 'div', 'b', 'strong', 'em', 's', 'u', 'code', 'pre', 'ul', 'ol', 'li', 'blockquote', 'table', 'tr', 'th', 'td', 'br', 'hr', 'details', 'summary']);
function make(node) {
  if (typeof node === 'string') return document.createTextNode(node);
  if (typeof node === 'number') { const time = document.createElement('time'); time.textContent = stamp(node); return time; }
  const [name, ...classes] = node[0].split('.'), element = document.createElement(NAMES.has(name) ? name : 'span');
  element.className = classes.join(' ');
  if (name === 'pre') element.tabIndex = 0;
  element.append(...node.slice(1).map(make));
  return element;
}

// What stands in a place since the last moment that changed it.
const PLACES = ['state', 'members', 'needs', 'ready', 'hand', 'waits', 'done', 'cost'], shown = {};
function scene(at) {
  for (const place of PLACES) {
    let i = at;
    while (i > 0 && !run.moments[i][1][place]) i--;
    const rows = run.moments[i]?.[1][place] || [];
    if (shown[place] === rows) continue;
    shown[place] = rows;
    $(place).replaceChildren(...(rows.length ? rows.map(row => make(run.rows[row])) : [make(['p.dim', t('none')])]));
  }
}

// Entries until now, each as it was by then; of a long list the end.
const MOST = 400;
function list(box, entries, now) {
  const then = entries.filter(e => e.at <= now), last = then.slice(-MOST);
  const parts = [];
  last.forEach((e, i) => {
    const date = day(e.at);
    if (i === 0 || day(last[i - 1].at) !== date) parts.push(make(['p.day', date]));
    parts.push(make(e.later.filter(([at]) => at <= now).at(-1)?.[1] || e.shows));
  });
  if (then.length > last.length) parts.unshift(make(['p.dim', t('{count} earlier: go back in time', {count: then.length - last.length})]));
  if (!parts.length) parts.push(make(['p.dim', t('nothing yet')]));
  box.replaceChildren(...parts);
}
function show() {
  const at = +$('at').value, now = run.moments[at]?.[0] ?? 0;
  $('moment').textContent = t('{time}, {number} of {count}', {time: stamp(now), number: at + 1, count: run.moments.length});
  $('moment').title = day(now);
  scene(at);
  list($('story'), run.stories[$('who').value]?.[1] || [], now);
  list($('mail'), run.mail, now);
  draw(now);
}

// The time of each member as a line, drawn as far as it has come; a touch goes there.
const LEFT = 108, HIGH = 22;
const begins = run.moments[0]?.[0] ?? 0, length = Math.max(1, (run.moments.at(-1)?.[0] ?? 0) - begins);
function draw(now) {
  const box = $('lanes'), wide = box.clientWidth, high = run.lanes.length * HIGH + 8, scale = devicePixelRatio || 1, pen = box.getContext('2d');
  $('graph').hidden = !run.lanes.length;
  if (!wide || !run.lanes.length) return;
  box.width = wide * scale; box.height = high * scale;
  pen.scale(scale, scale); pen.font = '12px system-ui, sans-serif'; pen.textBaseline = 'middle';
  const style = getComputedStyle(box), probe = make(['span']); box.before(probe);
  const ink = name => { probe.className = name; return getComputedStyle(probe).color; };
  const ink_of = {turn: ink('dim'), tool: ink('good'), failed: ink('bad'), refused: ink('dim'), waits: ink('need')};
  probe.remove();
  const x = ms => LEFT + (ms - begins) / length * (wide - LEFT - 8);
  run.lanes.forEach(([name, spans], i) => {
    const y = i * HIGH + 4;
    pen.globalAlpha = 1; pen.fillStyle = style.color; pen.fillText(name.length > 14 ? name.slice(0, 13) + '…' : name, 8, y + HIGH / 2, LEFT - 16);
    for (const [from, to, kind] of spans) {
      if (from > now) continue;
      const turn = kind === 'turn', a = Math.max(LEFT, x(from));
      pen.globalAlpha = turn ? .25 : 1; pen.fillStyle = ink_of[kind] || ink_of.turn;
      pen.fillRect(a, y + (turn ? 3 : 7), Math.max(2, x(Math.min(to, now)) - a), turn ? HIGH - 6 : HIGH - 14);
    }
  });
  pen.globalAlpha = 1; pen.fillStyle = style.color; pen.fillRect(x(now), 0, 1.5, high);
}
$('lanes').onclick = event => {
  const box = $('lanes').getBoundingClientRect(), ms = begins + Math.max(0, event.clientX - box.left - LEFT) / (box.width - LEFT - 8) * length;
  play(false); goTo(run.moments.findLastIndex(([at]) => at <= ms));
};

// The run goes on by its own clock, so many times as fast; where nothing happened for long it goes to what comes next.
const PAUSE_MAX = 1500;
let timer = 0;
const last = Math.max(0, run.moments.length - 1);
const goTo = at => { $('at').value = Math.min(last, Math.max(0, at)); show(); };
function play(on) {
  clearTimeout(timer); timer = 0;
  $('play').textContent = on ? t('Pause') : t('Play');
  if (!on) return;
  if (+$('at').value === last) goTo(0);
  step();
}
function step() {
  const at = +$('at').value;
  if (at >= last) return play(false);
  const wait = (run.moments[at + 1][0] - run.moments[at][0]) / $('speed').value;
  timer = setTimeout(() => { goTo(at + 1); step(); }, Math.min(PAUSE_MAX, Math.max(16, wait)));
}
$('play').onclick = () => play(!timer);
$('at').oninput = () => { play(false); show(); };
$('before').onclick = () => { play(false); goTo(+$('at').value - 1); };
$('after').onclick = () => { play(false); goTo(+$('at').value + 1); };
addEventListener('resize', show);
$('who').onchange = show;
$('title').append(t('Team') + ' ', make(run.title));
document.title = $('title').textContent;
$('left').append(...run.left_out.map(text => make(['li', text])));
run.stories.forEach(([name], i) => { const lead = name === 'lead'; $('who').append(new Option(name, i, lead, lead)); });
$('summary').append(...run.summary.map(make));
$('at').max = last;
$('at').value = 0;
show();
