// Tokens and money over time, and how much that is at the rate of the last minutes: read from the past when somebody asks for it.
'use strict';
{
  // So many moments are read, and the rate is that of the last tenth of them.
  const MOMENTS = 24, LAST = 3;
  const number = text => parseFloat((text || '').replace(/[^\d.]/g, '')) || 0;
  const short = n => n >= 1e6 ? (n / 1e6).toFixed(1) + 'M' : n >= 1e4 ? Math.round(n / 1e3) + 'k' : String(Math.round(n));
  async function moment(of) {
    const [cost, side] = await Promise.all(['cost', 'side'].map(async name => {
      const got = await get(`/j/${name}?` + new URLSearchParams({team, ...(of === null ? {} : {at: of})}));
      if (!got.ok) throw new Error((await got.text()).trim());
      return got.json();
    }));
    return {when: side.now, tokens: (cost.all.tokens_in || 0) + (cost.all.tokens_out || 0), money: number(cost.all.money), unit: /[A-Z]{3}|\p{Sc}/u.exec(cost.all.money || '')?.[0] || ''};
  }
  self.overTime = async button => {
    button.disabled = true;
    try {
      if (!await readPast()) return;
      const end = at ?? +$('at').max, points = [];
      for (let i = 1; i <= MOMENTS && see[2] === 'cost'; i++) points.push(await moment(Math.round(end * i / MOMENTS)));
      if (see[2] === 'cost') draw(points.filter(p => p.when));
    } catch (error) { say(String(error.message)); }
    finally { button.disabled = false; }
  };
  function draw(points) {
    const box = $('chart'), what = points.some(p => p.money) ? 'money' : 'tokens', last = points.at(-1), head = document.createElement('h2');
    head.textContent = t('Over time');
    if (points.length < 2 || last.when === points[0].when) return box.replaceChildren(head, t('Nothing has been spent over time yet.'));
    const W = Math.max(300, box.clientWidth), H = 200, LEFT = 64, most = last[what] || 1, from = points[0].when;
    const x = p => LEFT + (p.when - from) / (last.when - from) * (W - LEFT - 16), y = n => H - 28 - n / most * (H - 52);
    const svg = shape('svg', {viewBox: `0 0 ${W} ${H}`, role: 'img', 'aria-label': t('{what} from {from} to {to}: {points}', {what: {money: t('money'), tokens: t('tokens')}[what], from: stamp(from), to: stamp(last.when), points: points.map(p => p[what]).join(', ')})});
    for (const part of [0, .5, 1]) {
      svg.append(shape('line', {x1: LEFT, x2: W - 16, y1: y(most * part), y2: y(most * part), class: 'grid'}));
      svg.append(shape('text', {x: LEFT - 8, y: y(most * part) + 4, 'text-anchor': 'end', class: 'dimmed'}, what === 'money' ? (most * part).toFixed(2) : short(most * part)));
    }
    const line = points.map(p => `${x(p).toFixed(1)} ${y(p[what]).toFixed(1)}`).join('L');
    svg.append(shape('path', {d: `M${line}L${x(last)} ${y(0)}L${x(points[0])} ${y(0)}Z`, class: 'area'}), shape('path', {d: 'M' + line, class: 'spent'}));
    svg.append(shape('text', {x: LEFT, y: H - 8, class: 'dimmed'}, stamp(from)), shape('text', {x: W - 16, y: H - 8, 'text-anchor': 'end', class: 'dimmed'}, stamp(last.when)));
    const before = points.at(-1 - Math.min(LAST, points.length - 1)), minutes = (last.when - before.when) / 60000 || 1, rate = document.createElement('p');
    const tokens = (last.tokens - before.tokens) / minutes, money = (last.money - before.money) / minutes * 60;
    rate.textContent = t('At the rate of the last {time}: {tokens} tokens a minute', {time: span(last.when - before.when), tokens: short(tokens)}) + (last.unit ? t(', {money} {unit} an hour', {money: money.toFixed(2), unit: last.unit}) : '');
    box.replaceChildren(head, rate, svg);
  }
  function shape(name, attributes, text) {
    const e = document.createElementNS('http://www.w3.org/2000/svg', name);
    for (const a in attributes) e.setAttribute(a, attributes[a]);
    if (text) e.textContent = text;
    return e;
  }
}
