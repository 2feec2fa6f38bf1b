// A team that does nothing as a whole: it is paused, or nobody runs it. The page says why, and how it goes on.
'use strict';
// Why a team that is shown as it is now does nothing, and how it goes on.
function resting() {
  const held = at === null && $('held'), closed = at === null && $('alive')?.dataset.closed, bar = $('rest');
  bar.hidden = !held && !closed;
  if (closed) bar.replaceChildren(closed);
  else if (held && !bar.querySelector('button')) bar.replaceChildren(held.cloneNode(true), make('button', t('Continue'), {onclick: () => ask('continue', {})}));
  else if (held) bar.firstElementChild.replaceWith(held.cloneNode(true));
  bar.firstElementChild?.removeAttribute('id');
  if (see.length && body.dataset.screen === 'team') showWishes();
}
