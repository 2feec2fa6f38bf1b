// Keys, and answers to what needs the user. The keys are those of the full screen, as far as a browser leaves them to a page.
'use strict';
const SCREENS = ['/', '/m/', '/board', '/mail', '/needs', '/cost', '/graph'];
const HELP = 'Alt-1 to Alt-7: screens. j and k: the next and the one before that needs you; there y once, a always, p prefix, t tool, n no, w no and why. / prompt. [ and ] step in time. Esc leaves, twice interrupts. Enter sends, Shift-Enter begins a line. /help lists commands.';

// A button that has just come up or moved is dead for half a second, and no key that was meant for something else answers.
let typedAt = 0, answering = '', escaped = 0;
// Those that ask exactly the same are answered with it.
const alike = button => { const all = button.parentElement.dataset.alike; return all ? {alike: JSON.parse(all)} : {}; };
async function answer(button) {
  if (button.disabled) return say($('down').textContent);
  const card = button.closest('.need-card'), d = {...button.dataset};
  if (performance.now() - card.dataset.born < 500) return say('The question has just come up: look at it first');
  if (answering === d.request) return;
  answering = d.request;
  const why = d.answer === 'why' ? await reason() : '';
  if (why !== null) await ask('answer', {request: d.request, answer: d.answer, saw: d.saw, ...(why ? {why} : {}), ...alike(button)});
  answering = '';
}
const make = (name, text, more) => Object.assign(document.createElement(name), {textContent: text, ...more});
// Why not; null if the user stays with the question.
function reason() {
  const box = $('ask'), label = make('label', 'Why not? ', {htmlFor: 'why'}), input = make('input', '', {id: 'why', maxLength: 4000});
  const no = make('button', 'No'), back = make('button', 'Back', {type: 'button'}), form = make('form', '');
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
  box.append(make('button', 'Back', {className: 'row', onclick: () => box.close()}));
  box.showModal();
}
function goToNeed(card, by) {
  const cards = [...document.querySelectorAll('.need-card')], next = cards[(cards.indexOf(card) + by + cards.length) % cards.length] || cards[0];
  if (next) { next.tabIndex = -1; next.focus(); next.scrollIntoView({block: 'nearest'}); }
}
addEventListener('keydown', event => {
  const k = event.key, since = performance.now() - typedAt, card = document.activeElement?.closest?.('.need-card');
  typedAt = performance.now();
  if ($('ask').open) return;
  if (event.altKey && SCREENS[k - 1]) { event.preventDefault(); return go(k === '2' ? '/m/' + member : SCREENS[k - 1]); }
  if (event.target === $('text') && k === 'Enter' && !event.shiftKey && !event.isComposing) { event.preventDefault(); return send(); }
  if (k === 'Escape') { if (performance.now() - escaped < 1000) ask('interrupt', {member}); escaped = performance.now(); return $('main').focus(); }
  if (event.altKey || event.ctrlKey || event.metaKey || event.target.matches('input,textarea,select')) return;
  const button = card?.querySelector(`[data-key="${CSS.escape(k)}"]`);
  if (button) { event.preventDefault(); if (since > 250 && !event.repeat) answer(button); return; }
  if (k === 'j') goToNeed(card, 1);
  if (k === 'k') goToNeed(card, card ? -1 : 0);
  if (k === '/') { event.preventDefault(); $('text').focus(); }
  if (k === '?') say(HELP);
  if (k === ']' || k === '[') step(k === ']' ? 1 : -1);
});
