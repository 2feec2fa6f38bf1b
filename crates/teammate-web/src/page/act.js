// What the user does on the page with a finger or at the prompt: words, folds, the past, other teams. It begins the page.
'use strict';
// What the user wants. A request that got no answer is made again with the same key, and counts once.
async function ask(verb, more) {
  if (at !== null) { say(t('This is the past: go to now first')); return false; }
  // What was said before is older than what comes of this.
  say('');
  const key = crypto.randomUUID();
  for (let i = 0; i < 3; i++) try {
    const answer = await get('/v/' + verb, {method: 'POST', headers: {authorization: 'Bearer ' + stored('key'), 'content-type': 'application/json'}, body: JSON.stringify({team, key, ...more})});
    const text = await answer.text(); let said; try { said = JSON.parse(text); } catch { said = {why: text.trim()}; }
    if (said.choices) choose(said.choices);
    say(said.why || (said.lines || []).join('\n') || t('done'));
    return answer.ok;
  } catch { say(t('no answer; asking again')); await pause(500); }
  say(t('no answer: the page is not served at the moment'));
  return false;
}
const keepDraft = () => { if (team && see.length) stored(`draft ${team} ${member}`, $('text').value); };
// A command as it is typed. One that answers is bound to what is shown of its request.
function typed(line) {
  const word = line.slice(1).split(/\s/, 1)[0], words = line.slice(1 + word.length).trim();
  const id = /^(?:req_)?0*(\d+)/.exec(words)?.[1] || '', button = document.querySelector(`[data-request="req_${id.padStart(6, 0)}"]`);
  return ask(word, {words, ...(/^(approve|deny)$/.test(word) && button ? {saw: button.dataset.saw} : {})});
}
const send = async () => {
  const text = $('text').value.trim();
  if (!text) return;
  showOffers([]);
  const words = text[0] !== '/', ok = await (words ? ask('say', {to: member, text}) : typed(text));
  if (ok && words && $('word').textContent === t('done')) say(t('Sent to {member}; /recall takes it back until it is heard', {member}));
  if (ok && $('text').value.trim() === text) { $('text').value = ''; keepDraft(); }
};
$('say').onsubmit = event => { event.preventDefault(); send(); };
$('text').addEventListener('input', keepDraft);
$('stop').onclick = () => ask('interrupt', {member});

addEventListener('click', async event => {
  const link = event.target.closest('a[href^="/"]'), button = event.target.closest('button');
  if (link && !event.ctrlKey && !event.metaKey && !event.shiftKey) { event.preventDefault(); return go(link.pathname + link.hash); }
  const d = button?.dataset || {};
  if (d.verb === 'answer') return answer(button);
  if (d.verb === 'recall') return ask('recall', {mail: d.mail});
  if (d.wish) return wish(d.wish, d.of);
  if (d.before) fetchOlder(button);
});
// Puts what is older in place of the button that asks for it; false if it did not come.
async function fetchOlder(button) {
  const of = see[2], got = await get(`/h/${of}?${query({before: button.dataset.before})}`), text = await got.text();
  if (!got.ok) { say(text.trim()); return false; }
  if (of !== see[2] || !button.isConnected) return false;
  const old = parse(text), has = button === document.activeElement;
  for (const p of old.children) p.dataset.old = 1;
  const box = $('middle'), high = box.scrollHeight; times(old); showPictures(old);
  old.querySelector('[id="mail.head"]')?.remove();
  const first = old.querySelector('a,summary,button');
  button.parentElement.replaceWith(old); narrow();
  if (has) first?.focus({preventScroll: true});
  if (of.startsWith('m:')) box.scrollTop += box.scrollHeight - high;
  return true;
}
document.addEventListener('toggle', async event => {
  const box = event.target, path = box.dataset?.inside;
  if (!path || !box.open) return;
  const inside = document.createElement('div');
  inside.className = 'inside';
  try {
    const got = await get(`${path}?${query()}`), text = await got.text();
    inside.append(got.ok ? parse(text) : text); times(inside);
  } catch (error) { inside.append(t('It could not be fetched; close it and open it again. {error}', {error})); }
  box.querySelectorAll(':scope>.inside').forEach(old => old.remove());
  box.append(inside); reviewAll(box);
}, true);

// The past.
$('now').onclick = () => past(null);
// How far it goes is known once it was read: until then the slider has a part of it, and keeps that part.
const reach = to => { const s = $('at'), part = s.value / s.max; s.max = to; s.value = Math.round(part * to); };
async function readPast() {
  if (at !== null || !team) return true;
  const r = await get('/h/side?' + new URLSearchParams({team, at: 1e9}));
  if (!r.ok) { say((await r.text()).trim()); return false; }
  if (at === null) reach(+r.headers.get('x-of'));
  return true;
}
$('at').onchange = async () => { if (await readPast()) past(+$('at').value); };
const step = async by => { if (await readPast()) past(Math.max(0, (at ?? +$('at').max) + by), true); };
// Goes to a moment. The address keeps it: as a place of its own, unless it is one step from the last.
async function past(to, isStep) {
  at = to; body.classList.toggle('then', at !== null); $('now').hidden = at === null;
  history[isStep ? 'replaceState' : 'pushState'](null, '', address(location.pathname + location.hash));
  for (const name in newest) delete newest[name];
  if (at === null) { $('at').value = $('at').max; $('moment').textContent = t('now'); }
  await open();
  if (at !== to || at === null) return;
  const side = await (await get('/j/side?' + query())).json();
  if (at === to) $('moment').textContent = t('PAST {when}, {at} of {all}', {when: side.now ? stamp(side.now) : t('the beginning'), at, all: $('at').max});
}
$('past-on').onclick = () => { const on = body.classList.toggle('timed'); $('past-on').setAttribute('aria-pressed', on); if (on) readPast(); };

let isBegun = false;
async function begin() {
  // The team that was looked at last is shown while the list of all is on its way.
  const guess = isBegun || here().has('at') ? '' : here().get('team') || team;
  if (guess) { team = guess; open(); }
  if (!await teams() || isBegun) return;
  isBegun = true;
  follow();
  const then = here().has('at') ? +here().get('at') : NaN;
  if (!Number.isNaN(then)) return past(then, true);
  settle();
  if (team !== guess) { say(''); await open(); } else announce();
}
begin();
