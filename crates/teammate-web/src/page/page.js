// The page: fetches screens, keeps them up to date by one stream for all tabs of the browser, and asks for what the user wants.
'use strict';
const $ = id => document.getElementById(id), body = document.body, tab = crypto.randomUUID();
const html = self.trustedTypes ? trustedTypes.createPolicy('fragments', {createHTML: s => s}) : {createHTML: s => s};
const stored = (name, value) => { try { if (value === undefined) return localStorage.getItem(name); localStorage.setItem(name, value); } catch { return null; } };
const given = /^#key=([0-9a-f]{64})$/.exec(location.hash);
if (given) { stored('key', given[1]); history.replaceState(null, '', location.pathname); }
let team = sessionStorage.team || '', at = null, number = 0, see = [], member = 'lead', begun = 0;
const say = text => { $('word').textContent = text; };
const get = (path, more) => fetch(path, {headers: {authorization: 'Bearer ' + stored('key')}, ...more});
const parse = text => { const t = document.createElement('template'); t.innerHTML = html.createHTML(text); return t.content; };

// Where things are.
const screen = () => { const [, a, b] = location.pathname.split('/'); return a === 'm' ? 'm:' + b : a || 'team'; };
const shownIn = name => name === 'side' ? $('side') : name === 'needs' ? $('needs') : name === see[2] ? $('main') : null;
const query = more => new URLSearchParams({team, ...(at === null ? {} : {at}), ...more});

// Puts parts in place; what has not changed keeps focus, selection and folds.
function put(box, parts, order) {
  const follows = box === $('main') && box.scrollHeight - box.scrollTop - box.clientHeight < 60;
  for (const id in parts) {
    const part = parse(parts[id]).firstElementChild, old = document.getElementById(id);
    if (part.matches('.need-card') && !old) { part.classList.add('new'); part.dataset.born = performance.now(); }
    if (old) {
      if (old.dataset.born) part.dataset.born = old.dataset.born;
      for (const d of old.querySelectorAll('details[open]')) {
        const same = d.id ? part.querySelector('#' + CSS.escape(d.id)) : part.querySelector('details');
        if (same) { same.open = true; same.append(...d.querySelectorAll(':scope>.inside')); }
      }
      const f = old.contains(document.activeElement) && document.activeElement.dataset;
      old.replaceWith(part);
      if (f && f.answer) part.querySelector(`[data-answer="${f.answer}"]`)?.focus();
    } else box.append(part);
    times(part);
  }
  if (order) {
    const keep = new Set(order);
    for (const child of [...box.children]) if (!keep.has(child.id) && !child.dataset.old) child.remove();
    let last = null;
    for (const id of order) {
      const child = document.getElementById(id);
      if (child && child.previousElementSibling !== last && !(last === null && child.previousElementSibling?.dataset.old)) last ? last.after(child) : box.prepend(child);
      if (child) last = child;
    }
  }
  if (box === $('side')) document.title = (+$('count')?.firstElementChild?.value ? `(${$('count').firstElementChild.value}) ` : '') + ($('state')?.firstElementChild?.textContent || 'teammate');
  if (box === $('main')) {
    if (follows && see[2].startsWith('m:')) box.scrollTop = box.scrollHeight;
    if (see[2] === 'graph' && self.draw) draw();
  }
}
async function show(name) {
  const answer = await get(`/h/${name}?${query()}`), box = shownIn(name);
  if (!answer.ok) { say((await answer.text()).trim()); if (box === $('main')) box.replaceChildren(); return; }
  const parts = {}, order = [];
  for (const p of [...parse(await answer.text()).children]) { parts[p.id] = p.outerHTML; order.push(p.id); }
  number = +answer.headers.get('x-number');
  if (answer.headers.has('x-of')) { $('at').max = answer.headers.get('x-of'); $('at').value = answer.headers.get('x-at'); }
  if (box && shownIn(name) === box) put(box, parts, order);
}
async function open() {
  const name = screen();
  for (const a of document.querySelectorAll('nav a')) a.toggleAttribute('aria-current', a.pathname === location.pathname || (a.pathname[1] === 'm' && a.pathname[2] === '/' && name.startsWith('m:')));
  const main = name === 'needs' ? 'past' : name;
  if (see[2] !== main) $('main').replaceChildren();
  $('main').className = main;
  see = ['side', 'needs', main];
  keepDraft();
  if (name.startsWith('m:')) member = name.slice(2);
  $('to').textContent = member; $('text').value = stored(`draft ${team} ${member}`) || '';
  await Promise.all(see.map(show));
  if (main.startsWith('m:')) $('main').scrollTop = $('main').scrollHeight;
  announce();
}
const go = path => { history.pushState(null, '', path); open(); $('main').focus({preventScroll: true}); };
addEventListener('popstate', open);

// One stream a browser: the tab that holds the lock reads it and tells the others.
const tabs = new BroadcastChannel('live'), wants = new Map();
let stream = null, leads = false, due = 0;
const announce = () => { const want = {tab, team, see: at === null ? see : []}; wants.set(tab, want); tabs.postMessage({want}); if (leads) restart(); };
function restart() { clearTimeout(due); due = setTimeout(() => { stream?.abort(); }, 20); }
tabs.onmessage = ({data}) => {
  if (data.want) { const known = JSON.stringify(wants.get(data.want.tab)); wants.set(data.want.tab, data.want); if (leads && known !== JSON.stringify(data.want)) restart(); }
  if (data.gone) wants.delete(data.gone);
  if (data.who) announce();
  if (data.event) take(data);
};
addEventListener('pagehide', () => { keepDraft(); tabs.postMessage({gone: tab}); });
navigator.locks.request('live', async () => {
  leads = true; tabs.postMessage({who: 1});
  for (let wait = 0; ; wait = Math.min(2000, wait * 2 + 250)) {
    if (wait) await new Promise(r => setTimeout(r, wait));
    while (!team || !see.length) await new Promise(r => setTimeout(r, 50));
    const mine = [...wants.values()].filter(w => w.team === team);
    const all = [...new Set(mine.flatMap(w => w.see))].slice(0, 32);
    stream = new AbortController();
    try {
      const answer = await get(`/live?${new URLSearchParams({team, from: 0, see: all.length ? all : 'side'})}`, {signal: stream.signal});
      if (!answer.ok) { say((await answer.text()).trim()); wait = 1500; continue; }
      wait = 0; relay({event: 'up', team});
      const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
      for (let rest = ''; ;) {
        const {value, done} = await reader.read();
        if (done) break;
        const blocks = (rest + value).split('\n\n'); rest = blocks.pop();
        for (const block of blocks) {
          const line = name => block.split('\n').find(l => l.startsWith(name))?.slice(name.length);
          if (line('event: ')) relay({event: line('event: '), team, id: line('id: '), data: JSON.parse(line('data: '))});
        }
      }
    } catch (e) { if (e.name === 'AbortError') { wait = -125; continue; } }
    relay({event: 'down', team});
  }
});
const relay = event => { tabs.postMessage(event); take(event); };
function take({event, team: of, id, data}) {
  if (of !== team || at !== null) return;
  if (event === 'down') { const s = $('alive'); if (s) { s.textContent = 'the page is not served at the moment'; s.className = 'bad'; } }
  if (event === 'reset' && data.fetch) show(data.fetch);
  if (event === 'patch') { const box = shownIn(data.screen); number = +id; if (box) put(box, data.parts, data.order); }
  if (event === 'piece') $('writing-' + data.m)?.append(data.text);
}

