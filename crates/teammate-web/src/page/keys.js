// Keys, and answers to what needs the user. The keys are those of the full screen, as far as a browser leaves them to a page.
'use strict';
const SCREENS = ['/', '/m/', '/board', '/mail', '/needs', '/cost', '/graph', '/changes'];
const KEYS = [
  ['Alt-1 … Alt-8', t('a screen')], ['j  k', t('the next thing that needs you, the one before')], ['y  a  p  t', t('there: once, always, always with this prefix, this tool')],
  ['n  w', t('there: no, no and why')], ['f', t('filter the screen')], ['/', t('the prompt; Enter sends, Shift-Enter begins a line')], ['Tab  ↓  ↑', t('there: take what is offered, choose')],
  ['Esc', t('leaves the prompt; twice interrupts the member')], ['[  ]', t('a step back, a step on in time')], ['e  m  o  c  x', t('on a card of the board: edit, move to a member, open again, complete, fail')],
  ['+  -  0  ←  →', t('in the graph of time: closer, wider, all; earlier, later')], ['?', t('this')],
];

// A button that has just come up or moved is dead for half a second, and no key that was meant for something else answers.
let typedAt = 0, answering = '', escaped = 0, soon = null;
// An answer by a key is given after this time, unless another letter comes before: then that was a word. The terminal does the same.
const TAKEN_BACK = 300;
function answerSoon(button) { soon = setTimeout(() => { soon = null; answer(button); }, TAKEN_BACK); }
function takeBack() {
  if (soon === null) return false;
  clearTimeout(soon); soon = null;
  return true;
}
// Those that ask exactly the same are answered with it.
const alike = button => { const all = button.parentElement.dataset.alike; return all ? {alike: JSON.parse(all)} : {}; };
async function answer(button) {
  takeBack();
  if (button.disabled) return say($('down').textContent);
  const card = button.closest('.need-card'), d = {...button.dataset};
  if (performance.now() - card.dataset.born < 500) return say(t('The question has just come up: look at it first'));
  if (answering === d.request) return;
  answering = d.request;
  const why = d.answer === 'why' ? await reason() : '';
  if (why !== null) await ask('answer', {request: d.request, answer: d.answer, saw: d.saw, ...(why ? {why} : {}), ...alike(button)});
  answering = '';
}
const make = (name, text, more) => Object.assign(document.createElement(name), {textContent: text, ...more});
// Why not; null if the user stays with the question.
function reason() {
  const box = $('ask'), label = make('label', t('Why not?') + ' ', {htmlFor: 'why'}), input = make('input', '', {id: 'why', maxLength: 4000});
  const no = make('button', t('No')), back = make('button', t('Back'), {type: 'button'}), form = make('form', '');
  form.append(label, input, no, back); box.replaceChildren(form); box.showModal();
  return new Promise(done => {
    form.onsubmit = event => { event.preventDefault(); done(input.value); box.close(); };
    back.onclick = () => box.close();
    box.onclose = () => done(null);
  });
}
// What a command offers to choose from. A reason that was being given in the same place is not given then.
function choose(groups) {
  const box = $('ask'); box.onclose?.(); box.onclose = null; box.replaceChildren();
  for (const g of groups) {
    box.append(make('h2', g.title));
    for (const c of g.choices) box.append(make('button', (c.is_current ? '* ' : '') + c.text + (c.more ? '\n' + c.more : ''), {className: 'row', onclick: () => { box.close(); typed(c.line); }}));
  }
  box.append(make('button', t('Back'), {className: 'row', onclick: () => box.close()}));
  box.showModal();
}
// A list of pairs, the first of each as it is typed.
function pairs(all, name) {
  const list = make('dl', '');
  for (const [one, other] of all) { const dt = make('dt', ''); dt.append(...one.split('  ').flatMap((text, i) => [...(i ? [' '] : []), make(name, text)])); list.append(dt, make('dd', other)); }
  return list;
}
function openBox(...inside) {
  const box = $('ask'); box.onclose?.(); box.onclose = null;
  box.replaceChildren(...inside, make('div', '', {className: 'acts'})); box.lastChild.append(make('button', t('Back'), {onclick: () => box.close()}));
  if (!box.open) box.showModal();
}
async function help() {
  const got = await get('/j/words?' + new URLSearchParams({team, before: ''})).catch(() => null), commands = got?.ok ? await got.json() : [];
  openBox(make('h2', t('Keys')), pairs(KEYS, 'kbd'), make('h2', t('Commands at the prompt')), pairs(commands, 'code'));
}
$('help').onclick = help;
// How the page looks here, and whether it may call.
const look = () => { for (const name of ['theme', 'rows']) document.documentElement.dataset[name] = stored(name) || ''; };
look();
function settings() {
  const pick = (name, label, all) => { const s = make('select', '', {id: 'set-' + name, onchange: () => { stored(name, s.value); look(); if (name === 'notify') allow(s); }}); s.append(...all.map(([value, text]) => new Option(text, value, false, value === (stored(name) || '')))); return [make('label', label, {htmlFor: s.id}), s]; };
  openBox(make('h2', t('Settings of this browser')), ...pick('theme', t('Theme'), [['', t('as the system')], ['light', t('light')], ['dark', t('dark')]]), ...pick('rows', t('Rows'), [['', t('roomy')], ['compact', t('compact')]]),
    ...pick('notify', t('Call me when a question waits and the page is not in sight'), [['', t('no')], ['yes', t('yes')]]));
}
$('settings').onclick = settings;
async function allow(select) {
  if (select.value !== 'yes' || (self.Notification && await Notification.requestPermission() === 'granted')) return;
  stored('notify', ''); select.value = ''; say(t('The browser does not let this page call: its settings say for which pages it may'));
}
addEventListener('keydown', event => {
  const k = event.key, since = performance.now() - typedAt, card = document.activeElement?.closest?.('.need-card');
  typedAt = performance.now();
  if (k.length === 1 && takeBack()) { event.preventDefault(); return say(t('Not answered: you were typing; press the key once more')); }
  if ($('ask').open) return;
  if (event.altKey && SCREENS[k - 1]) { event.preventDefault(); return go(k === '2' ? '/m/' + member : SCREENS[k - 1]); }
  if (event.target === $('text') && offerTakes(event)) { event.preventDefault(); return; }
  if (event.target === $('text') && k === 'Enter' && !event.shiftKey && !event.isComposing) { event.preventDefault(); return send(); }
  if (k === 'Escape') { if (performance.now() - escaped < 1000) ask('interrupt', {member}); escaped = performance.now(); return $('main').focus(); }
  if (event.altKey || event.ctrlKey || event.metaKey || event.target.matches('input,textarea,select')) return;
  const button = card?.querySelector(`[data-key="${CSS.escape(k)}"]`);
  if (button) { event.preventDefault(); if (since > 250 && !event.repeat) button.dataset.answer === 'why' ? answer(button) : answerSoon(button); return; }
  if (k === 'j') goToNeed(card, 1);
  if (k === 'k') goToNeed(card, card ? -1 : 0);
  if (k === '/') { event.preventDefault(); $('text').focus(); }
  if (k === 'f') { event.preventDefault(); $('find').focus(); }
  if (k === '?') help();
  const task = event.target.closest?.('.card'), does = task && event.target.matches('summary') && Object.keys(WISHES).find(name => WISHES[name].key === k);
  if (does) { event.preventDefault(); return wish(does, numberOf(task)); }
  if (k === ']' || k === '[') step(k === ']' ? 1 : -1);
});
