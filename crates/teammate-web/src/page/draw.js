// Draws who writes to whom, and who did what when. The wheel and + and - make time longer, arrows and dragging move it.
'use strict';
{
  const NS = 'http://www.w3.org/2000/svg', LEFT = 110, HIGH = 26;
  let W = 900;
  const make = (name, attributes, text) => {
    const e = document.createElementNS(NS, name);
    for (const a in attributes) e.setAttribute(a, attributes[a]);
    if (text) e.textContent = text;
    return e;
  };
  const titled = (e, text) => { e.append(make('title', {}, text)); return e; };
  let from = 0, to = 0, follows = true, data = null;
  self.draw = async () => {
    const got = await get('/j/graph?' + query());
    if (!got.ok) return;
    data = await got.json();
    if (follows) { from = data.from; to = Math.max(data.to, data.from + 1000); }
    members(); lanes();
  };
  addEventListener('resize', () => { if (data && see[2] === 'graph') { members(); lanes(); } });

  // Members stand in a circle with their names around it, or in a column where that is too narrow; lines between them are letters,
  // thicker for more, dashed where some are not heard.
  function members() {
    const box = document.getElementById('graph.members');
    if (!box) return;
    const all = ['you', ...data.members.map(m => m.name)], wide = Math.max(300, box.clientWidth || W), r = Math.max(105, all.length * 16 / 2 / Math.PI);
    const isCircle = r + 130 <= wide / 2, isFew = all.length <= 16;
    const H = isCircle ? 2 * r + (isFew ? 110 : 250) : all.length * 24 + 12, column = Math.min(170, wide * .4);
    const svg = make('svg', {viewBox: `0 0 ${wide} ${H}`, role: 'img', 'aria-label': t('Who writes to whom: {letters}', {letters: data.letters.map(l => t('{from} to {to}: {count}', l) + (l.queued ? t(', {queued} not heard', l) : '')).join('; ') || t('no mail yet')})});
    const where = new Map(all.map((name, i) => {
      const a = i / all.length * 2 * Math.PI - Math.PI / 2;
      return [name, isCircle ? [wide / 2 + Math.cos(a) * r * (isFew ? 1.8 : 1), H / 2 - (isFew ? 8 : 0) + Math.sin(a) * r, a] : [column, i * 24 + 18, 0]];
    }));
    for (const l of data.letters) {
      if (!where.has(l.from) || !where.has(l.to)) continue;
      const look = {'stroke-width': 1 + Math.min(6, Math.sqrt(l.count)), class: l.queued ? 'arc wait' : 'arc'}, told = t('{from} to {to}: {count}', l);
      const [x1, y1] = where.get(l.from), [x2, y2] = where.get(l.to), dx = x2 - x1, dy = y2 - y1, d = Math.hypot(dx, dy) || 1, o = 4;
      if (!isCircle) {
        const high = Math.abs(dy) / 2;
        svg.append(titled(make('path', {...look, d: `M${x1 + 8} ${y1}A${Math.min(high, wide - column - 24)} ${high} 0 0 ${dy > 0 ? 1 : 0} ${x2 + 8} ${y2}`}), told));
        continue;
      }
      svg.append(titled(make('line', {...look, x1: x1 - dy / d * o, y1: y1 + dx / d * o, x2: x2 - dy / d * o, y2: y2 + dx / d * o}), told));
      const far = .68, x = x1 - dy / d * o + dx * far, y = y1 + dx / d * o + dy * far;
      if (isFew) svg.append(make('path', {d: `M${x + dx / d * 7} ${y + dy / d * 7}L${x - dy / d * 5} ${y + dx / d * 5}L${x + dy / d * 5} ${y - dx / d * 5}Z`, fill: 'currentColor'}));
    }
    all.forEach(name => {
      const [x, y, a] = where.get(name), m = data.members.find(m => m.name === name), turned = Math.cos(a) < -1e-6, is = isCircle && isFew;
      svg.append(titled(make('circle', {cx: x, cy: y, r: is ? 16 : 6, class: m ? m.state.split(' ')[0] : ''}), m ? `${name} ${m.state}: ${m.text}` : name));
      const place = is ? {x, y: y + 32, 'text-anchor': 'middle'} : !isCircle ? {x: x - 12, y: y + 4, 'text-anchor': 'end'}
        : {x: 12, y: 4, 'text-anchor': turned ? 'end' : 'start', transform: `translate(${x} ${y}) rotate(${a * 180 / Math.PI + (turned ? 180 : 0)})`};
      if (turned && !is && isCircle) place.x = -12;
      svg.append(titled(make('text', place, name === 'you' ? t('you') : name.length > 18 ? name.slice(0, 17) + '…' : name), name));
    });
    const more = (data.more ? t(' ({more} more members are not drawn)', data) : '') + (data.older_letters ? t(', the last ones: {older_letters} older are not counted', data) : '');
    box.replaceChildren(heading(t('Mail between members') + more), svg);
  }

  function heading(text) { const h = document.createElement('h2'); h.textContent = text; return h; }

  function lanes() {
    const box = document.getElementById('graph.time');
    if (!box) return;
    // Before the first fact there is no time.
    if (!data.to) return box.replaceChildren(heading(t('Who did what when')), t('Nothing has happened yet.'));
    const has = box.contains(document.activeElement);
    W = Math.max(300, box.clientWidth || 900);
    const H = data.lanes.length * HIGH + 30, x = when => LEFT + (when - from) / (to - from) * (W - LEFT - 10);
    const svg = make('svg', {viewBox: `0 0 ${W} ${H}`, tabindex: 0, role: 'img', 'aria-label': t('Who worked when: {lanes}', {lanes: data.lanes.map(l => t('{member} {count} turns', {member: l.member, count: l.spans.filter(s => s.kind === 'turn').length})).join(', ')})});
    data.lanes.forEach((lane, i) => {
      const y = i * HIGH;
      for (const s of [...lane.spans].sort((a, b) => (b.kind === 'turn') - (a.kind === 'turn'))) {
        if (s.to < from || s.from > to) continue;
        const a = Math.max(LEFT, x(s.from)), b = Math.min(W - 10, x(s.to)), turn = s.kind === 'turn';
        svg.append(titled(make('rect', {x: a, y: y + (turn ? 4 : 8), width: Math.max(2, b - a), height: turn ? 18 : 10, class: s.kind, rx: 2}), `${lane.member} ${stamp(s.from)} ${span(s.to - s.from)} ${s.text}`));
      }
      const name = make('text', {x: 4, y: y + 17}, lane.member.length > 14 ? lane.member.slice(0, 13) + '…' : lane.member);
      svg.append(titled(name, lane.member + (lane.older ? t(': {older} older pieces are not drawn', lane) : '')));
    });
    const marks = W < 600 ? 2 : 4;
    for (let i = 0; i <= marks; i++) {
      const when = from + (to - from) * i / marks;
      svg.append(make('text', {x: Math.min(x(when), W - 60), y: H - 6, class: 'dimmed'}, stamp(when)));
    }
    const zoom = (factor, middle) => { follows = false; const m = middle ?? (from + to) / 2; from = m - (m - from) * factor; to = m + (to - m) * factor; if (to - from < 50) to = from + 50; lanes(); };
    const move = part => { follows = false; const d = (to - from) * part; from += d; to += d; lanes(); };
    svg.addEventListener('wheel', e => { e.preventDefault(); const b = svg.getBoundingClientRect(), px = (e.clientX - b.left) / b.width * W; zoom(e.deltaY > 0 ? 1.25 : .8, from + (px - LEFT) / (W - LEFT - 10) * (to - from)); }, {passive: false});
    svg.onkeydown = e => {
      const does = {'+': () => zoom(.7), '-': () => zoom(1.4), ArrowLeft: () => move(-.2), ArrowRight: () => move(.2), '0': () => { follows = true; draw(); }}[e.key];
      if (does) { e.preventDefault(); e.stopPropagation(); does(); }
    };
    let at = null;
    svg.onpointerdown = e => { at = e.clientX; };
    svg.onpointerup = e => { if (at !== null && Math.abs(e.clientX - at) > 8) move((at - e.clientX) / svg.getBoundingClientRect().width); at = null; };
    const about = document.createElement('p'); about.className = 'dim';
    const older = data.lanes.reduce((sum, lane) => sum + lane.older, 0);
    about.textContent = t('A band is a turn, what is in it a call: green ran, red failed, dotted was refused; what has the colour of questions waited for you.') + ' ' + (older ? t('{older} older pieces are not drawn.', {older}) + ' ' : '') + t('+ - and the wheel zoom, arrows and dragging move, 0 shows all.');
    box.replaceChildren(heading(t('Who did what when')), svg, about);
    if (has) svg.focus();
  }
}
