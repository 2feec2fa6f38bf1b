// Finding things: the filter of the screen that is shown, and what can stand at the prompt, offered while one types.
'use strict';
// Leaves the parts that have all words of the filter.
function narrow() {
  const words = $('find').value.toLowerCase().split(/\s+/).filter(Boolean);
  const all = $('main').querySelectorAll(':scope>.entry,:scope>.mail,.row,.card,.file');
  if (!words.length) { for (const part of $('main').querySelectorAll('.off')) part.classList.remove('off'); $('found').textContent = ''; return; }
  let count = 0;
  for (const part of all) {
    const text = part.textContent.toLowerCase(), is = words.every(word => text.includes(word));
    part.classList.toggle('off', !is); count += is;
  }
  $('found').textContent = t('{number} of {count}', {number: count, count: all.length});
}
$('find').oninput = narrow;
$('find').onkeydown = event => { if (event.key === 'Escape') { event.stopPropagation(); event.preventDefault(); $('find').value = ''; narrow(); $('main').focus(); } };

// What is offered for the word before the cursor, and which of it is chosen.
let offers = [], chosen = 0, asked = '', offeredFor = '';
const before = () => $('text').value.slice(0, $('text').selectionStart);
async function offer() {
  const text = asked = before();
  if (!/^\/\S*$|(^|\s)@\S*$/.test(text) || at !== null) return showOffers([]);
  const got = await get('/j/words?' + new URLSearchParams({team, before: text})).catch(() => null);
  const found = got?.ok ? await got.json() : [];
  if (asked === text && before() === text && document.activeElement === $('text')) showOffers(found);
}
function showOffers(found) {
  offers = found; chosen = 0; offeredFor = before();
  const list = $('offered'); list.hidden = !found.length; list.dataset.of = offeredFor;
  list.replaceChildren(...found.map(([text, about], i) => {
    const li = make('li', '', {id: 'offer-' + i, onmousedown: event => { event.preventDefault(); takeOffer(i); }});
    li.setAttribute('role', 'option'); li.append(make('b', text), make('span', about, {className: 'dim'})); return li;
  }));
  mark();
}
function mark() {
  [...$('offered').children].forEach((li, i) => li.setAttribute('aria-selected', i === chosen));
  if (offers.length) $('text').setAttribute('aria-activedescendant', 'offer-' + chosen); else $('text').removeAttribute('aria-activedescendant');
}
// Puts an offered word in place of the typed one.
function takeOffer(i) {
  const box = $('text'), end = box.selectionStart, begin = end - before().match(/\S*$/)[0].length, text = offers[i][0];
  box.setRangeText(text + (/\s$|\/$/.test(text) ? '' : ' '), begin, end, 'end');
  keepDraft(); showOffers([]);
  if (text.endsWith('/')) offer();
}
// Whether a key was for what is offered.
function offerTakes(event) {
  if (!offers.length || event.isComposing) return false;
  const k = event.key;
  // Who types faster than the list comes still completes by Tab what it has.
  if (offeredFor !== before()) {
    const word = before().match(/\S*$/)[0], still = offers.findIndex(([text]) => word && text.startsWith(word));
    if (k !== 'Tab' || still < 0) return false;
    chosen = still;
  }
  if (k === 'ArrowDown' || k === 'ArrowUp') { chosen = (chosen + (k === 'ArrowDown' ? 1 : -1) + offers.length) % offers.length; mark(); return true; }
  if (k === 'Tab' || (k === 'Enter' && offers[chosen][0].trim() !== before().trim())) { takeOffer(chosen); return true; }
  if (k === 'Escape') { showOffers([]); return true; }
  return false;
}
$('text').addEventListener('input', offer);
$('text').addEventListener('blur', () => showOffers([]));
