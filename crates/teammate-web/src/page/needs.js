// Questions one at a time, with the list of all of them beside every screen, and word of new ones where the reader is not looking.
'use strict';
// The question that is shown, and where it stands in the list.
let shown = '', place = 0;
const questions = () => [...$('needs').querySelectorAll(':scope>.need-card')];
// Shows the wished one, else the one that was shown, else the one that has taken its place.
function oneAtATime(wish) {
  const all = questions(), is = id => all.findIndex(card => card.id === id);
  let number = is(wish);
  if (number < 0) number = is(shown);
  if (number < 0) number = Math.min(place, all.length - 1);
  place = Math.max(0, number);
  const card = all[number];
  if (card && card.id !== shown) card.dataset.born = performance.now();
  shown = card?.id || '';
  all.forEach(other => other.classList.toggle('current', other === card));
  $('turn').classList.toggle('one', all.length < 2);
  const waiting = all.length + +(/^\d+/.exec($('need.more')?.textContent)?.[0] || 0);
  $('count-of').textContent = t('{number} of {count}', {number: place + 1, count: waiting});
  $('badge').hidden = !waiting; $('badge').textContent = waiting;
  listAsks(all, card, waiting);
}
// The list: who asks for what, in two lines each.
function listAsks(all, current, waiting) {
  const rows = all.map((card, number) => {
    const a = make('a', '', {href: '/needs#' + card.id}), title = card.querySelector('h3').cloneNode(true), b = make('b', ''), li = make('li', '', {className: card === current ? 'current' : ''});
    title.querySelector('time')?.remove();
    b.append(make('span', title.textContent.trim()));
    if (card === current && all.length > 1) b.append(make('span', t('{number} of {count}', {number: number + 1, count: waiting}), {className: 'many'}));
    a.append(b, make('span', brief(card)));
    if (card === current && see[2] === 'past') a.setAttribute('aria-current', 'true');
    li.append(a); return li;
  });
  if (!rows.length) rows.push(make('li', ''));
  if (!all.length) rows[0].append(make('p', $('need.none')?.textContent || ''));
  const list = $('asks'), has = list.contains(document.activeElement) && document.activeElement.hash;
  const same = list.children.length === rows.length && rows.every((row, i) => row.isEqualNode(list.children[i]));
  if (same) return;
  list.replaceChildren(...rows);
  if (has) [...list.querySelectorAll('a')].find(a => a.hash === has)?.focus({preventScroll: true});
}
// What is asked, in a line, where the title does not say it: of a change its first changed line.
const brief = card => {
  const asked = card.querySelector('.diff .add,.diff .del') || card.querySelector('pre');
  const line = asked?.textContent.trim().split('\n', 1)[0].slice(0, 200) || '';
  return card.querySelector('h3').textContent.includes(line) ? '' : line;
};
function goToNeed(card, by) {
  const all = questions();
  if (!all.length) return say(t('Nothing needs you'));
  const at = all.findIndex(other => other.id === shown), next = all[((card ? at + by : at) + all.length) % all.length] || all[0];
  if (see[2] !== 'past') { history.pushState(null, '', address('/needs')); open(); }
  oneAtATime(next.id);
  next.tabIndex = -1; next.focus({preventScroll: true}); next.scrollIntoView({block: 'nearest'});
}
$('before').onclick = () => turn(-1);
$('after').onclick = () => turn(1);
function turn(by) {
  const all = questions();
  if (all.length) oneAtATime(all[(place + by + all.length) % all.length].id);
}

// Word of more questions, of any team, where the reader has allowed it and looks elsewhere.
let waited = null;
function tellWaiting(all) {
  const count = all.reduce((sum, one) => sum + one.needs, 0), more = waited !== null && count > waited;
  waited = count;
  navigator.setAppBadge?.(count).catch(() => {});
  if (!more || !document.hidden || stored('notify') !== 'yes' || self.Notification?.permission !== 'granted') return;
  const word = new Notification(count === 1 ? t('A question waits for you') : t('{count} questions wait for you', {count}), {body: all.filter(one => one.needs).map(one => `${one.name}: ${one.needs}`).join(', '), tag: 'teammate'});
  word.onclick = () => { focus(); go('/needs'); word.close(); };
}
// Other teams that wait, beside the list of this one.
function listOthers(all) {
  const others = all.filter(one => one.id && one.id !== team && one.needs);
  $('others').hidden = !others.length;
  $('others').replaceChildren(make('h2', t('Other teams that need you')), ...others.map(one => {
    const a = make('a', '', {href: `/needs?team=${one.id}`});
    a.append(make('span', one.name), make('b', `${one.needs}`));
    a.onclick = event => { event.preventDefault(); event.stopPropagation(); history.pushState(null, '', a.pathname + a.search); followAddress(); };
    return a;
  }));
}
