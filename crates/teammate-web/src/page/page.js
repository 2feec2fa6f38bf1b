// The page: fetches screens, keeps them in place, and knows where it is. What comes by the stream is in live.js.
'use strict';
const $ = id => document.getElementById(id), body = document.body, tab = crypto.randomUUID();
const html = self.trustedTypes ? trustedTypes.createPolicy('fragments', {createHTML: s => s}) : {createHTML: s => s};
const stored = (name, value) => { try { if (value === undefined) return localStorage.getItem(name); localStorage.setItem(name, value); } catch { return null; } };
const given = /^#key=([0-9a-f]{64})$/.exec(location.hash);
if (given) { stored('key', given[1]); history.replaceState(null, '', location.pathname + location.search); }
// The team, the moment of the past (null is now), the screens that are seen, and the member that the prompt speaks to.
let team = sessionStorage.team || '', at = null, see = [], member = 'lead';
// Lines in columns keep them.
const say = text => { const p = $('word'); p.textContent = text; p.className = /\S {2,}\S/.test(text) && text.includes('\n') ? 'table' : ''; };
const pause = ms => new Promise(r => setTimeout(r, ms));
const fetchOnce = (path, more) => fetch(path, {headers: {authorization: 'Bearer ' + stored('key')}, ...more});
// What only looks is asked for again when a connection broke: an idle one may be closed just as it is used.
const get = (path, more) => fetchOnce(path, more).catch(error => {
  if (more?.method || more?.signal?.aborted) throw error;
  return pause(300).then(() => fetchOnce(path, more));
});
const isKeyBad = answer => answer?.status === 401 || answer?.status === 429;
// The page was opened with another key.
addEventListener('storage', event => { if (event.key === 'key') location.reload(); });
const parse = text => { const template = document.createElement('template'); template.innerHTML = html.createHTML(text); return template.content; };

// Times are the reader's own.
const two = n => String(n).padStart(2, '0');
const span = ms => { const s = Math.max(0, Math.floor(ms / 1000)), h = Math.floor(s / 3600); return (h ? h + ':' + two(Math.floor(s / 60) % 60) : Math.floor(s / 60)) + ':' + two(s % 60); };
const stamp = ms => { const d = new Date(ms); return (d.toDateString() === new Date().toDateString() ? '' : d.toLocaleDateString() + ' ') + [d.getHours(), d.getMinutes(), d.getSeconds()].map(two).join(':'); };
function times(all) {
  const now = Date.now();
  for (const time of (all || document).querySelectorAll('time')) {
    const d = time.dataset, text = d.at ? stamp(+d.at) : d.since ? (at === null ? span(now - d.since) : '') : at === null ? span(d.until - now) : t('at {time}', {time: stamp(+d.until)});
    if (time.textContent !== text) time.textContent = text;
  }
}
setInterval(() => { if (!document.hidden) times(); }, 1000);

// Where things are.
const screen = () => { const [, a, b] = location.pathname.split('/'); return a === 'm' ? 'm:' + decodeURIComponent(b) : a || 'team'; };
const shownIn = name => name === 'side' ? $('side') : name === 'needs' ? $('needs') : name === see[2] ? $('main') : null;
const query = more => new URLSearchParams({team, ...(at === null ? {} : {at}), ...more});
const isAtEnd = box => box.scrollHeight - box.scrollTop - box.clientHeight < 60;

// Puts parts in place; what has not changed keeps focus, selection and folds.
// Where things stand is asked only of stories and cards: each such question has the browser lay out all that has changed.
function put(box, parts, order) {
  const cards = () => [...box.querySelectorAll(':scope>.need-card')], tops = new Map(cards().map(c => [c.id, c.offsetTop]));
  const isMain = box === $('main'), roll = $('middle'), follows = isMain && see[2].startsWith('m:') && isAtEnd(roll);
  for (const id in parts) {
    const part = parse(parts[id]).firstElementChild, old = $(id);
    if (part.matches('.need-card') && !old) part.classList.add('new');
    if (old) {
      if (old.dataset.born) part.dataset.born = old.dataset.born;
      const folds = keepFolds(old, part);
      const f = old.contains(document.activeElement) && document.activeElement.dataset;
      const is = old === document.activeElement;
      old.replaceWith(part);
      // An element tells that it opens only when it is in the page.
      for (const fold of folds) fold.open = true;
      for (const kept of ['target', 'current', 'off']) if (old.matches('.' + kept)) part.classList.add(kept);
      if (is) { part.tabIndex = -1; part.focus({preventScroll: true}); }
      if (f && f.answer) part.querySelector(`[data-answer="${f.answer}"]`)?.focus({preventScroll: true});
    } else box.append(part);
    times(part); reviewAll(part); showPictures(part);
  }
  if (order) arrange(box, order);
  if (box === $('needs')) oneAtATime();
  // What moved under a finger takes no answer for a moment.
  for (const c of cards()) if (tops.get(c.id) !== c.offsetTop) c.dataset.born = performance.now();
  if (box === $('side')) { down($('alive')?.dataset.lost || ''); resting(); }
  else if (box === $('needs')) bar();
  if (box === $('side')) document.title = (+$('count')?.firstElementChild?.value ? `(${$('count').firstElementChild.value}) ` : '') + ($('state')?.firstElementChild?.textContent || 'teammate');
  if (isMain) narrow();
  if (follows) roll.scrollTop = roll.scrollHeight;
  if (isMain && see[2] === 'graph') draw();
}
// Nobody takes an answer: it is said at the top and over the questions, and their buttons are dead. The text says why.
function down(why) { const p = $('down'); p.hidden = !why; if (p.textContent !== why) p.textContent = why; bar(); }
const bar = () => { for (const b of document.querySelectorAll('.need-card .answers button')) b.disabled = !$('down').hidden; };
// What is open in the old part, as it is in the new one. Their insides are fetched anew when they open again, and stay until then.
function keepFolds(old, part) {
  const folds = part => [part, ...part.querySelectorAll('details')].filter(d => d.matches('details')), anew = folds(part), opened = [];
  for (const [number, d] of folds(old).entries()) {
    const key = d => d.id || d.dataset.inside, same = d.open && (key(d) ? anew.find(n => key(n) === key(d)) : anew[number]);
    if (same) { same.append(...d.querySelectorAll(':scope>.inside')); opened.push(same); }
  }
  return opened;
}
function arrange(box, order) {
  const keep = new Set(order);
  for (const child of [...box.children]) {
    if (keep.has(child.id) || child.dataset.old) continue;
    const is = child.contains(document.activeElement);
    child.remove();
    if (is) $('main').focus({preventScroll: true});
  }
  let last = null;
  for (const id of order) {
    const child = $(id);
    if (child && child.previousElementSibling !== last && !(last === null && child.previousElementSibling?.dataset.old)) last ? last.after(child) : box.prepend(child);
    if (child) last = child;
  }
}

// Fetches a screen. What came by the stream meanwhile is newer and stays.
const newest = {};
async function show(name) {
  const of = team, moment = at, answer = await get(`/h/${name}?${query()}`), text = await answer.text(), box = shownIn(name);
  if (of !== team || moment !== at || !box) return;
  if (!answer.ok) { say(text.trim()); box.replaceChildren(); return; }
  const number = +answer.headers.get('x-number');
  if (at === null && number < newest[name]) return;
  if (at === null) newest[name] = number;
  if (answer.headers.has('x-of')) { $('at').max = answer.headers.get('x-of'); $('at').value = answer.headers.get('x-at'); }
  const parts = {}, order = [];
  for (const p of [...parse(text).children]) { parts[p.id] = p.outerHTML; order.push(p.id); }
  put(box, parts, order);
}
const showAll = () => Promise.all(see.map(show)).catch(() => say(UNSERVED));
