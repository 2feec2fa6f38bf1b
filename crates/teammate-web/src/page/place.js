// Where the reader is: the address names the team, the screen, the moment of the past, and the part that is meant. Back and forward
// go through all of them.
'use strict';
const here = () => new URLSearchParams(location.search);
// The address of a place in this team, at this moment.
const address = path => {
  const to = new URL(path, location.origin), more = query();
  if (!team) more.delete('team');
  return `${to.pathname}${more.size ? '?' + more : ''}${to.hash}`;
};
const settle = () => history.replaceState(null, '', address(location.pathname + location.hash));
const go = path => { history.pushState(null, '', address(path)); open(); $('main').focus({preventScroll: true}); };
async function open() {
  const name = screen(), main = name === 'needs' ? 'past' : name;
  for (const a of document.querySelectorAll('nav a')) {
    if (a.pathname === location.pathname || (a.pathname.startsWith('/m/') && name.startsWith('m:'))) a.setAttribute('aria-current', 'page');
    else a.removeAttribute('aria-current');
  }
  const isNew = see[2] !== main;
  if (isNew) { $('main').replaceChildren(); delete newest[main]; $('find').value = ''; }
  body.dataset.screen = $('main').className = main === 'past' ? 'needs' : main.split(':')[0];
  // A question that has just come into sight takes no answer for a moment.
  if ($('questions').hidden && name === 'needs') for (const card of questions()) card.dataset.born = performance.now();
  $('chart').hidden = name !== 'cost';
  if (isNew) $('chart').replaceChildren();
  $('questions').hidden = name !== 'needs';
  keepDraft();
  see = ['side', 'needs', main];
  if (name.startsWith('m:')) member = name.slice(2);
  $('to').textContent = member; $('text').value = stored(`draft ${team} ${member}`) || '';
  showWishes();
  if (name === 'needs') oneAtATime(location.hash.slice(1));
  await showAll();
  if (isNew && !location.hash) $('middle').scrollTop = main.startsWith('m:') ? $('middle').scrollHeight : 0;
  announce();
  await reveal(decodeURIComponent(location.hash.slice(1)), main);
}
// Shows the part of the screen that the address means, also if it is among the older ones.
async function reveal(id, of) {
  for (const old of document.querySelectorAll('.target')) old.classList.remove('target');
  if (!id || ['main', 'needs'].includes(id) || body.dataset.screen === 'needs') return;
  for (let older; !$(id) && see[2] === of && (older = $('main').querySelector('[data-before]'));) if (!await fetchOlder(older)) break;
  const part = $(id);
  if (!part || see[2] !== of || !$('main').contains(part)) return;
  part.classList.add('target');
  if (part.matches('details')) part.open = true;
  part.scrollIntoView({block: 'center'});
}
// The team and the moment that the address says, where it says them.
async function followAddress() {
  const of = here().get('team') || team, then = here().has('at') ? +here().get('at') : null;
  if (of !== team && [...$('teams').options].some(o => o.value === of)) return toTeam(of, then);
  if (then !== at && !Number.isNaN(then)) return past(then, true);
  return open();
}
addEventListener('popstate', followAddress);
