// Replays a run: stands at a moment of it, and shows what stood there then. Every text becomes a text, never HTML.
'use strict';
const $ = id => document.getElementById(id);
const run = JSON.parse($('run').textContent);
const two = n => String(n).padStart(2, '0');
const stamp = ms => { const d = new Date(ms); return d.toLocaleDateString() + ' ' + [d.getHours(), d.getMinutes(), d.getSeconds()].map(two).join(':'); };
const NAMES = new Set(['span', 'p', 'div', 'b', 'strong', 'em', 's', 'u', 'code', 'pre', 'ul', 'ol', 'li', 'blockquote', 'table', 'tr', 'th', 'td', 'br', 'hr', 'details', 'summary']);
function make(node) {
  if (typeof node === 'string') return document.createTextNode(node);
  if (typeof node === 'number') { const t = document.createElement('time'); t.textContent = stamp(node); return t; }
  const [name, ...classes] = node[0].split('.'), element = document.createElement(NAMES.has(name) ? name : 'span');
  element.className = classes.join(' ');
  if (name === 'pre') element.tabIndex = 0;
  element.append(...node.slice(1).map(make));
  return element;
}

// What stands in a place since the last moment that changed it.
const PLACES = ['state', 'members', 'needs', 'board', 'cost'], shown = {};
function scene(at) {
  for (const place of PLACES) {
    let i = at;
    while (i > 0 && !run.moments[i][1][place]) i--;
    const rows = run.moments[i]?.[1][place] || [];
    if (shown[place] === rows) continue;
    shown[place] = rows;
    $(place).replaceChildren(...(rows.length ? rows.map(row => make(run.rows[row])) : [make(['p.dim', 'none'])]));
  }
}

// Entries until now, each as it was by then; of a long list the end.
const MOST = 400;
function list(box, entries, now) {
  const then = entries.filter(e => e.at <= now), last = then.slice(-MOST);
  const parts = last.map(e => make(e.later.filter(([at]) => at <= now).at(-1)?.[1] || e.shows));
  if (then.length > last.length) parts.unshift(make(['p.dim', `${then.length - last.length} earlier: go back in time`]));
  if (!parts.length) parts.push(make(['p.dim', 'nothing yet']));
  box.replaceChildren(...parts);
}
function show() {
  const at = +$('at').value, now = run.moments[at]?.[0] ?? 0;
  $('moment').textContent = `${at + 1} of ${run.moments.length}, ${stamp(now)}`;
  scene(at);
  list($('story'), run.stories[$('who').value]?.[1] || [], now);
  list($('mail'), run.mail, now);
}

let timer = 0;
function play(on) {
  clearInterval(timer); timer = 0;
  $('play').textContent = on ? 'Pause' : 'Play';
  if (!on) return;
  if ($('at').value === $('at').max) $('at').value = 0;
  timer = setInterval(() => { $('at').value = +$('at').value + 1; show(); if ($('at').value === $('at').max) play(false); }, 250);
}
$('play').onclick = () => play(!timer);
$('at').oninput = () => { play(false); show(); };
$('who').onchange = show;
$('title').append('Team ', make(run.title));
document.title = $('title').textContent;
$('left').append(...run.left_out.map(text => make(['li', text])));
run.stories.forEach(([name], i) => { const lead = name === 'lead'; $('who').append(new Option(name, i, lead, lead)); });
$('at').max = Math.max(0, run.moments.length - 1);
$('at').value = $('at').max;
show();
