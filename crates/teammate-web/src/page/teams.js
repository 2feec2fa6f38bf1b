// All teams of the user: the list at the top, and going from one to another.
'use strict';
const STATES = {running: t('running'), paused: t('paused'), not_running: t('not running'), unusable: t('unusable')};
// All teams of the user, and the number of the list that is shown.
let list = 0;
async function teams() {
  const answer = await get('/teams').catch(() => null);
  if (!answer?.ok) { say(answer ? (await answer.text()).trim() : UNSERVED); if (!isKeyBad(answer)) setTimeout(begin, 2000); return false; }
  list = +answer.headers.get('x-number');
  const all = await answer.json(), usable = all.filter(one => one.id);
  // The address says which, where one was given.
  if (!isBegun && usable.some(one => one.id === here().get('team'))) team = here().get('team');
  if (!usable.some(one => one.id === team)) team = usable[0]?.id || '';
  if (!team) say(t('there is no team yet'));
  $('teams').replaceChildren(...all.map(one => {
    const waits = one.needs ? ', ' + t(one.needs === 1 ? '{count} needs you' : '{count} need you', {count: one.needs}) : '';
    const o = new Option(`${one.name}: ${one.workspace} (${one.why || STATES[one.state]}${waits})`, one.id || '', false, one.id === team);
    o.disabled = !one.id; return o;
  }));
  sessionStorage.team = team;
  listOthers(all); tellWaiting(all);
  return !!team;
}
// Goes to another team, to the screen that the address names.
async function toTeam(id, then) {
  keepDraft();
  team = sessionStorage.team = $('teams').value = id; at = then; see = []; member = 'lead'; shown = '';
  body.classList.toggle('then', at !== null); $('now').hidden = at === null; $('moment').textContent = t('now');
  for (const name of ['side', 'needs', 'main']) $(name).replaceChildren();
  follow();
  await (at === null ? open() : past(at, true));
  teams();
}
$('teams').onchange = () => {
  const id = $('teams').value, path = location.pathname.startsWith('/m/') ? '/' : location.pathname;
  history.pushState(null, '', `${path}?${new URLSearchParams({team: id})}`);
  toTeam(id, null);
};
addEventListener('visibilitychange', () => { if (!document.hidden && isBegun) again(); });
// The stream tells when the list of teams has changed, of any of them.
let teamsDue = 0;
const again = () => { clearTimeout(teamsDue); teamsDue = setTimeout(() => { if (team && document.activeElement !== $('teams')) teams(); }, 50); };
