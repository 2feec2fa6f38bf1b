// What the user does on the page: answers, words, keys, the past, other teams. It begins the page.
'use strict';
// Times are the reader's own.
const two = n => String(n).padStart(2, '0');
const span = ms => { const s = Math.max(0, Math.floor(ms / 1000)), h = Math.floor(s / 3600); return (h ? h + ':' + two(Math.floor(s / 60) % 60) : Math.floor(s / 60)) + ':' + two(s % 60); };
const stamp = ms => { const d = new Date(ms); return (d.toDateString() === new Date().toDateString() ? '' : d.toLocaleDateString() + ' ') + [d.getHours(), d.getMinutes(), d.getSeconds()].map(two).join(':'); };
function times(all) {
  const now = Date.now();
  for (const t of (all || document).querySelectorAll('time')) {
    const d = t.dataset, text = d.at ? stamp(+d.at) : d.since ? (at === null ? span(now - d.since) : '') : span(d.until - now);
    if (t.textContent !== text) t.textContent = text;
  }
}
setInterval(() => { if (!document.hidden) times(); }, 1000);

// What the user wants.
async function ask(verb, more) {
  const key = crypto.randomUUID();
  for (let i = 0; i < 3; i++) try {
    const answer = await get('/v/' + verb, {method: 'POST', headers: {authorization: 'Bearer ' + stored('key'), 'content-type': 'application/json'}, body: JSON.stringify({team, key, ...more})});
    const text = await answer.text(); let said; try { said = JSON.parse(text); } catch { said = {why: text.trim()}; }
    if (said.choices) choose(said.choices);
    say(said.why || (said.lines || []).join('\n') || 'done');
    return answer.ok;
  } catch { say('no answer; asking again'); await new Promise(r => setTimeout(r, 500)); }
  return false;
}
const keepDraft = () => { if (team) stored(`draft ${team} ${member}`, $('text').value); };

function choose(groups) {
  const box = $('ask'); box.replaceChildren();
  for (const g of groups) {
    const h = document.createElement('h2'); h.textContent = g.title; box.append(h);
    for (const c of g.choices) {
      const b = document.createElement('button'); b.className = 'row'; b.textContent = (c.is_current ? '* ' : '') + c.text + (c.more ? '\n' + c.more : '');
      b.onclick = () => { box.close(); typed(c.line); };
      box.append(b);
    }
  }
  box.showModal();
}
const typed = line => { const [word, ...words] = line.slice(1).split(/\s+/); return ask(word, {words: line.slice(1 + word.length).trim()}); };

// A new question's buttons are dead for half a second, and no key that was meant for something else answers.
let typedAt = 0, answering = '';
async function answer(button) {
  const card = button.closest('.need-card'), d = button.dataset;
  if (performance.now() - card.dataset.born < 500) return say('The question has just come up: look at it first');
  if (answering === d.request) return;
  let why = '';
  if (d.answer === 'why') { why = prompt('Why not?'); if (why === null) return; }
  answering = d.request;
  await ask('answer', {request: d.request, answer: d.answer, saw: d.saw, ...(why ? {why} : {})});
  answering = '';
}
addEventListener('click', async event => {
  const link = event.target.closest('a[href^="/"]'), button = event.target.closest('button');
  if (link && !event.ctrlKey && !event.metaKey && !event.shiftKey) { event.preventDefault(); return go(link.pathname); }
  const d = button?.dataset || {};
  if (d.verb === 'answer') return answer(button);
  if (d.verb === 'recall') return ask('recall', {mail: d.mail});
  if (d.before) {
    const got = await get(`/h/${see[2]}?${query({before: d.before})}`), old = parse(await got.text()), place = button.parentElement;
    for (const p of old.children) p.dataset.old = 1;
    const high = $('main').scrollHeight; times(old);
    if (see[2] === 'mail') { old.getElementById('mail.head')?.remove(); place.replaceWith(old); }
    else { place.replaceWith(old); $('main').scrollTop += $('main').scrollHeight - high; }
  }
});
document.addEventListener('toggle', async event => {
  const box = event.target, path = box.dataset?.inside;
  if (!path || !box.open || box.querySelector('.inside')) return;
  const got = await get(`${path}?${query()}`);
  box.append(got.ok ? parse(await got.text()) : await got.text());
}, true);
const send = async () => {
  const text = $('text').value.trim();
  if (!text) return;
  const ok = await (text[0] === '/' ? typed(text) : ask('say', {to: member, text}));
  if (ok) { $('text').value = ''; keepDraft(); }
};
$('say').onsubmit = event => { event.preventDefault(); send(); };
$('text').oninput = keepDraft;
$('stop').onclick = () => ask('interrupt', {member});
$('now').onclick = () => past(null);
$('at').onchange = () => past(+$('at').value);
async function past(to) {
  at = to; body.classList.toggle('then', at !== null); $('now').hidden = at === null;
  await Promise.all(see.map(show));
  if (at === null) { $('at').value = $('at').max; $('moment').textContent = 'now'; announce(); return; }
  if (leads) announce();
  const side = await (await get('/j/side?' + query())).json();
  $('moment').textContent = 'PAST ' + stamp(side.now);
}
$('at').onfocus = async () => { if (at === null && team) { const r = await get('/h/side?' + new URLSearchParams({team, at: 1e9})); if (r.ok && at === null) { $('at').max = $('at').value = r.headers.get('x-of'); } } };

// The keys of the full screen, as far as a browser leaves them to a page.
const SCREENS = ['/', '/m/', '/board', '/mail', '/needs', '/cost', '/graph'];
const HELP = 'Alt-1 to Alt-7: screens. n next that needs you, there: y once, a always, p prefix, t tool, n no, w no and why. / prompt. [ ] step in time. Esc leaves, twice interrupts. Enter sends, Shift-Enter begins a line.';
let escaped = 0;
addEventListener('keydown', event => {
  const k = event.key, since = performance.now() - typedAt, card = document.activeElement?.closest?.('.need-card');
  typedAt = performance.now();
  if (event.altKey && SCREENS[k - 1]) { event.preventDefault(); return go(k === '2' ? '/m/' + member : SCREENS[k - 1]); }
  if (event.target === $('text') && k === 'Enter' && !event.shiftKey && !event.isComposing) { event.preventDefault(); return send(); }
  if (k === 'Escape' && !$('ask').open) { if (performance.now() - escaped < 1000) ask('interrupt', {member}); escaped = performance.now(); return $('main').focus(); }
  if (event.altKey || event.ctrlKey || event.metaKey || event.target.matches('input,textarea,select')) return;
  const button = card?.querySelector(`[data-key="${CSS.escape(k)}"]`);
  if (button) { if (since > 250 && !event.repeat) answer(button); return; }
  if (k === 'n') { const cards = [...document.querySelectorAll('.need-card')]; const next = cards[(cards.indexOf(card) + 1) % cards.length]; if (next) { next.tabIndex = -1; next.focus(); next.scrollIntoView({block: 'nearest'}); } }
  if (k === '/') { event.preventDefault(); $('text').focus(); }
  if (k === '?') say(HELP);
  if (k === ']' || k === '[') past(Math.max(0, (at ?? +$('at').max) + (k === ']' ? 1 : -1)));
});

// All teams of the user.
async function teams() {
  const answer = await get('/teams').catch(() => null);
  if (!answer?.ok) { say(answer ? (await answer.text()).trim() : 'the page is not served at the moment'); setTimeout(() => answer?.status === 401 || begin(), 2000); return false; }
  const all = (await answer.json()).filter(t => t.id);
  if (!all.some(t => t.id === team)) team = all[0]?.id || '';
  $('teams').replaceChildren(...all.map(t => new Option(`${t.name}: ${t.workspace} (${t.state.replace('_', ' ')}${t.needs ? ', ' + t.needs + ' need you' : ''})`, t.id, false, t.id === team)));
  sessionStorage.team = team;
  return !!team;
}
$('teams').onchange = () => { keepDraft(); team = sessionStorage.team = $('teams').value; at = null; body.classList.remove('then'); $('side').replaceChildren(); $('needs').replaceChildren(); see = []; member = 'lead'; location.pathname.startsWith('/m/') ? go('/') : open(); };
const begin = async () => { if (await teams()) open(); };
begin();
