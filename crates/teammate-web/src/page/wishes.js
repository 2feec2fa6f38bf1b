// Buttons for what is usually wished: of tasks, of members, of the team. Each asks a few words, and is a command of the prompt then.
'use strict';
// A text as one word of a command. There both kinds of quotation marks are never in one word.
function word(text) {
  if (text.includes('"') && text.includes("'")) throw new Error(t('Use one kind of quotation marks in a text'));
  return text.includes('"') ? `'${text}'` : `"${text}"`;
}
const flag = (name, text) => text ? ` --${name} ${word(text)}` : '';
const members = () => [...document.querySelectorAll('#side a[href^="/m/"]')].map(a => a.textContent);
// Fields: a name, a label, and what is entered there: a line, a text, or one of a list; `!` must be there.
const SUBJECT = ['subject', t('What to do, in one line'), 'line!'], CHECK = ['check', t('A command that must exit 0 before it is done'), 'line'], ABOUT = ['description', t('Everything that its owner must know'), 'text'];
const WHO = ['who', t('Member'), 'member!'], WHY = ['why', t('Why'), 'line'];
const WISHES = {
  add: {label: t('New task'), title: () => t('New task'), fields: [SUBJECT, ABOUT, ['after', t('After these tasks: 1, 2'), 'line'], CHECK, ['who', t('For'), 'member']],
    line: (_, v) => `/tasks add ${word(v.subject)}${flag('description', v.description)}${flag('blocked-by', v.after.replace(/[\s#]/g, ''))}${flag('check', v.check)}${flag('owner', v.who)}`},
  edit: {label: t('Edit'), key: 'e', title: id => t('Edit task #{id}; what stays empty is left as it is', {id}), fields: [['subject', SUBJECT[1], 'line'], ABOUT, CHECK],
    line: (id, v) => `/tasks edit ${id}${flag('subject', v.subject)}${flag('description', v.description)}${flag('check', v.check)}`},
  assign: {label: t('Assign'), key: 'm', title: id => t('Assign task #{id}: its owner begins with it as soon as it can', {id}), fields: [WHO], line: (id, v) => `/tasks assign ${id} ${v.who}`},
  reopen: {label: t('Reopen'), key: 'o', title: id => t('Have task #{id} done again', {id}), fields: [WHY], line: (id, v) => `/tasks reopen ${id}${flag('because', v.why)}`},
  complete: {label: t('Complete'), key: 'c', title: id => t('Mark task #{id} completed', {id}), fields: [['result', t('The result, for those who go on with it'), 'text']], line: (id, v) => `/tasks complete ${id}${flag('result', v.result)}`},
  fail: {label: t('Fail'), key: 'x', title: id => t('Mark task #{id} failed', {id}), fields: [['why', t('Why'), 'line!']], line: (id, v) => `/tasks fail ${id}${flag('because', v.why)}`},
  spawn: {label: t('New member'), title: () => t('Ask the lead for a new member'), fields: [['name', t('Name'), 'line!'], ['role', t('Role'), 'line!'], ['work', t('What it begins with'), 'text!']],
    words: v => `Spawn a teammate ${v.name} with the role ${v.role}. It begins with: ${v.work}`},
  halt: {label: t('Interrupt all'), title: () => t('End the turns of all members? A message lets them go on'), fields: [], verb: () => ['interrupt', {}]},
  pause: {label: t('Pause'), title: () => t('Pause the team? Nobody asks a model until it goes on; what was asked for before is done, and mail waits'), fields: [], verb: () => ['pause', {}]},
  stop: {label: t('Stop'), title: name => t('Stop {name}: it finishes its step, its task goes back to the board', {name}), fields: [], line: name => `/shutdown ${name}`},
  wake: {label: t('Wake'), title: name => t('Have the lead wake {name}', {name}), fields: [['work', t('What it goes on with'), 'text!']], words: (v, name) => `Wake ${name}. It goes on with: ${v.work}`},
  plan: {label: t('Plan first'), title: name => t('{name} may only read until its plan is approved', {name}), fields: [['about', t('What the plan is for'), 'line!']], line: (name, v) => `/plan ${name} ${v.about}`},
  compact: {label: t('Compact'), title: name => t('Summarize the conversation of {name}', {name}), fields: [['focus', t('What the summary keeps above all'), 'line']], line: (name, v) => `/compact ${name} ${v.focus}`},
};
// What each screen offers; the first one is what one mostly comes for.
const OFFERED = {team: ['spawn', 'pause', 'halt'], board: ['add'], m: ['stop', 'wake', 'plan', 'compact']};
const wishButton = (name, of) => { const b = make('button', WISHES[name].label, {type: 'button'}); b.dataset.wish = name; b.dataset.of = of; return b; };
function showWishes() {
  const all = (OFFERED[body.dataset.screen] || []).filter(name => member !== 'lead' || !['stop', 'wake', 'plan'].includes(name) || body.dataset.screen !== 'm')
    .filter(name => name !== 'pause' || ($('alive')?.matches('.good') && !$('held')));
  if (body.dataset.screen === 'cost') { const b = make('button', t('Over time'), {className: 'first', onclick: () => overTime(b)}); return $('wishes').replaceChildren(b); }
  $('wishes').replaceChildren(...all.map((name, i) => { const b = wishButton(name, member); if (i === 0 && ['spawn', 'add'].includes(name)) b.className = 'first'; return b; }));
}
// Asks for the words of a wish, and has it done. `given` are words that are known already.
function wish(name, of, given = {}) {
  if (at !== null) return say(t('This is the past: go to now first'));
  const w = WISHES[name], box = $('ask'), form = make('form', ''), why = make('p', '', {className: 'bad'});
  why.setAttribute('role', 'alert');
  form.append(make('h2', w.title(of)));
  for (const [field, label, kind] of w.fields) {
    const id = 'field-' + field, entry = make(/^(member|pick)/.test(kind) ? 'select' : kind.startsWith('text') ? 'textarea' : 'input', '', {id, name: field, required: kind.endsWith('!')});
    if (entry.matches('select')) entry.append(...(kind.endsWith('!') ? [] : [new Option(t('anybody'), '')]), ...(given.options || members()).map(o => new Option(o)));
    else { entry.maxLength = 8000; entry.autocomplete = 'off'; entry.dir = 'auto'; }
    if (field in given) entry.value = given[field];
    form.append(make('label', label, {htmlFor: id}), entry);
  }
  const acts = make('div', '', {className: 'acts'}), back = make('button', t('Back'), {type: 'button', onclick: () => box.close()});
  acts.append(make('button', w.label, {className: 'first'}), back);
  form.append(why, acts);
  box.onclose?.(); box.onclose = null;
  // One that is still open would keep the focus where it was.
  if (box.open) box.close();
  box.replaceChildren(form); box.showModal();
  form.onsubmit = async event => {
    event.preventDefault();
    const v = Object.fromEntries([...new FormData(form)].map(([field, text]) => [field, text.trim()]));
    let done; why.textContent = '';
    try { done = await (w.words ? ask('say', {to: w.to?.(of) || 'lead', text: w.words(v, of)}) : w.verb ? ask(...w.verb(of)) : typed(w.line(of, v))); }
    catch (error) { why.textContent = error.message; return; }
    if (!done) why.textContent = $('word').textContent;
    else if (form.isConnected) box.close();
  };
}
// A card that is dropped in another column is to become what stands there.
const DROPS = {'board.hand': 'assign', 'board.done': 'complete', 'board.ready': 'reopen'};
const numberOf = card => card.id.replace('task-', '');
document.addEventListener('dragstart', event => { const card = event.target.closest?.('.card'); if (card) event.dataTransfer.setData('text/x-task', numberOf(card)); });
const column = event => at === null && event.target.closest?.('.column');
document.addEventListener('dragover', event => { const c = column(event); if (c && DROPS[c.id]) { event.preventDefault(); over(c); } });
document.addEventListener('drop', event => { const c = column(event), id = event.dataTransfer.getData('text/x-task'); over(); if (c && DROPS[c.id] && /^\d+$/.test(id)) { event.preventDefault(); if ($('task-' + id)?.parentElement !== c) wish(DROPS[c.id], id); } });
document.addEventListener('dragend', () => over());
function over(c) { for (const other of document.querySelectorAll('.column')) other.classList.toggle('over', other === c); }
