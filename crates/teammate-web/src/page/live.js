// What comes by the stream. A browser has one for each team: the tab that holds the team's lock reads it, and tells the others.
// Browsers allow six connections to one address, so four teams at most have a stream; the pages of more look again and again.
'use strict';
const STREAMS_MAX = 4, LOOK_AGAIN = 5000, KEY_AGAIN = 60000;
const UNSERVED = t('the page is not served at the moment'), wants = new Map();
let tabs = null, stream = null, leads = false, due = 0, leave = null;
const announce = () => { const want = {tab, see: at === null ? see : []}; wants.set(tab, want); tabs?.postMessage({want}); if (leads) restart(); };
const restart = () => { clearTimeout(due); due = setTimeout(() => stream?.abort(), 20); };
const relay = event => { tabs?.postMessage(event); take(event); };

// Goes on with the team that is chosen.
function follow() {
  tabs?.postMessage({gone: tab});
  leave?.abort(); stream?.abort(); tabs?.close();
  wants.clear(); leads = false; tabs = null;
  for (const name in newest) delete newest[name];
  if (!team) return;
  const of = team, ends = leave = new AbortController();
  tabs = new BroadcastChannel('live ' + of);
  tabs.onmessage = ({data}) => {
    if (data.want) { const known = JSON.stringify(wants.get(data.want.tab)); wants.set(data.want.tab, data.want); if (leads && known !== JSON.stringify(data.want)) restart(); }
    if (data.gone) wants.delete(data.gone);
    if (data.who) announce();
    if (data.event) take(data);
  };
  announce();
  navigator.locks.request('live ' + of, {signal: ends.signal}, () => lead(of, ends.signal)).catch(() => {});
}
addEventListener('pagehide', () => { keepDraft(); tabs?.postMessage({gone: tab}); });

// Reads the team's stream, again and again, until another team is chosen.
async function lead(of, left) {
  leads = true; tabs.postMessage({who: 1});
  for (let wait = 0; !left.aborted;) {
    await pause(wait);
    if (left.aborted) return;
    const end = await inSlot(0, () => read(of, left));
    if (end === 'full') { relay({event: 'look'}); wait = LOOK_AGAIN; }
    else wait = end === 'again' ? 125 : end === 'key' ? KEY_AGAIN : Math.min(2000, wait * 2 + 250);
  }
}
const inSlot = (slot, run) => slot === STREAMS_MAX ? 'full' : navigator.locks.request('stream ' + slot, {ifAvailable: true}, lock => lock ? run() : inSlot(slot + 1, run));
async function read(of, left) {
  const all = [...new Set([...wants.values()].flatMap(w => w.see))].slice(0, 32);
  const mine = stream = new AbortController();
  try {
    const answer = await get(`/live?${new URLSearchParams({team: of, from: 0, list, see: all.length ? all : 'side'})}`, {signal: mine.signal});
    if (!answer.ok) { say((await answer.text()).trim()); return isKeyBad(answer) ? 'key' : 'refused'; }
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let rest = ''; ;) {
      const {value, done} = await reader.read();
      if (done) break;
      const blocks = (rest + value).split('\n\n'); rest = blocks.pop();
      for (const block of blocks) {
        const line = name => block.split('\n').find(l => l.startsWith(name))?.slice(name.length);
        if (line('event: ')) relay({event: line('event: '), id: line('id: '), data: JSON.parse(line('data: '))});
      }
    }
  } catch { if (mine.signal.aborted) return 'again'; }
  if (!left.aborted) relay({event: 'down'});
  return 'down';
}
function take({event, id, data}) {
  if (event === 'teams') again();
  if (at !== null) return;
  if (event === 'look') showAll();
  if (event === 'down') { const s = $('alive'); if (s) { s.textContent = UNSERVED; s.className = 'bad'; delete s.dataset.lost; } down(UNSERVED); }
  if (event === 'reset' && data.fetch) show(data.fetch);
  if (event === 'patch') { const box = shownIn(data.screen); newest[data.screen] = +id; if (box) put(box, data.parts, data.order); }
  if (event === 'piece') {
    const box = $('middle'), follows = isAtEnd(box);
    $('writing-' + data.m)?.append(data.text);
    if (follows && see[2] === 'm:' + data.m) box.scrollTop = box.scrollHeight;
  }
}
