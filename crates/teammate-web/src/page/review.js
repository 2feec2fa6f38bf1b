// Looking over changes: the syntax in colours, both sides beside each other, and comments on lines, which go to the member as mail.
'use strict';
const WORDS = new Set(('as async await break case catch class const continue def default do else enum export extends fn for from func function go if impl import in interface let loop match mod '
  + 'mut new None null package pass private pub public raise return self Self static struct super switch then this throw trait true True try type undefined use var void where while with yield false False elif end and or not').split(' '));
const TOKEN = /(\/\/.*|\/\*.*?\*\/|(?:^|\s)#(?![![]).*)|("(?:\\.|[^"\\])*"|`(?:\\.|[^`\\])*`|'(?:\\.|[^'\\<>&()]){0,80}')|\b(\d[\w.]*)|([A-Za-z_]\w*)/g;
// A line of a change: its mark, and the rest in colours.
function colour(line) {
  const text = line.textContent, parts = [make('i', text.slice(0, 1))];
  let last = 1;
  for (const found of text.matchAll(TOKEN)) {
    const [all, note, string, number, name] = found, kind = note ? 'note' : string ? 'string' : number ? 'number' : WORDS.has(name) ? 'key' : '';
    if (!kind || found.index < last) continue;
    parts.push(text.slice(last, found.index), make('span', all, {className: 't-' + kind})); last = found.index + all.length;
  }
  line.replaceChildren(...parts, text.slice(last));
}
const linesOf = pre => [...pre.querySelectorAll(':scope>span')];
// The same change in two columns: what was, and what is.
function sides(pre) {
  const rows = [], box = make('div', '', {className: 'sides', tabIndex: 0});
  let del = [], add = [];
  const flush = () => { for (let i = 0; i < Math.max(del.length, add.length); i++) rows.push([del[i], add[i]]); del = []; add = []; };
  for (const line of linesOf(pre)) {
    if (line.matches('.del')) del.push(line);
    else if (line.matches('.add')) add.push(line);
    else { flush(); rows.push([line, line]); }
  }
  flush();
  box.setAttribute('role', 'group'); box.setAttribute('aria-label', t('Before and after'));
  for (const [a, b] of rows) box.append(...half(a, 'old'), ...half(b, 'new'));
  return box;
}
function half(line, which) {
  const text = make('span', '', {className: line?.className || 'none'});
  if (line) { text.append(...[...line.cloneNode(true).childNodes].filter(n => n.nodeName !== 'I')); if (line.matches('.dim')) text.textContent = line.textContent; }
  return [make('b', line?.dataset[which] || ''), text];
}
// Both sides, where the reader chose so, or chose nothing and a question has the room for it.
const WIDE = 1100;
const isBoth = pre => stored('sides') ? stored('sides') === 'yes' : !!pre.closest('.need-card') && $('middle').clientWidth >= WIDE;
// Gives a change what one needs to look it over. Those in stories stay short.
function reviewable(pre) {
  if (pre.dataset.lit) return;
  pre.dataset.lit = 1; pre.classList.add('lit');
  linesOf(pre).filter(line => !line.matches('.dim')).forEach(colour);
  const bar = make('div', '', {className: 'acts bar'}), both = make('button', t('Side by side'), {type: 'button', className: 'quiet'}), change = pre.closest('.change');
  const show = () => {
    const on = isBoth(pre);
    both.setAttribute('aria-pressed', on); pre.hidden = on;
    pre.parentElement.querySelector(':scope>.sides')?.remove();
    if (on) pre.after(sides(pre));
  };
  both.onclick = () => { stored('sides', isBoth(pre) ? 'no' : 'yes'); show(); };
  pre.showSides = show;
  bar.append(both);
  if (change) {
    const of = change.dataset;
    bar.append(...['comment', 'accept', 'back'].map(name => make('button', WISHES[name].label, {type: 'button', className: name === 'accept' ? 'first' : '', onclick: () => comment(name, of, pre)})));
    pre.addEventListener('click', event => { const line = event.target.closest('.diff>span'); if (line && getSelection().isCollapsed) comment('comment', of, pre, line); });
  }
  pre.before(bar);
  show();
}
function comment(name, of, pre, line) {
  const options = linesOf(pre).filter(l => !l.matches('.dim')).map(told);
  wish(name, of, {options, ...(line ? {line: told(line)} : {})});
}
const told = line => `${line.dataset.new || line.dataset.old || ''} ${line.textContent.trimEnd()}`.slice(0, 300);
Object.assign(WISHES, {
  comment: {label: t('Comment'), title: of => t('Comment on {path}, to {member}', of), fields: [['line', t('Line'), 'pick!'], ['text', t('What about it'), 'text!']], to: of => of.member,
    words: (v, of) => `About your change of ${of.path}, line ${v.line}\n${v.text}`},
  accept: {label: t('Accept'), title: of => t('Tell {member} that the change of {path} is good', of), fields: [], to: of => of.member, words: (_, of) => `I have looked over your change of ${of.path}: it is accepted.`},
  back: {label: t('Send back'), title: of => t('Send the change of {path} back to {member}', of), fields: [['why', t('What is to be different'), 'text!']], to: of => of.member, words: (v, of) => `I send your change of ${of.path} back: ${v.why}`},
});
const reviewAll = box => box.querySelectorAll('.need-card .diff,.inside .diff').forEach(reviewable);
let isWide = null;
new ResizeObserver(() => {
  const is = $('middle').clientWidth >= WIDE;
  if (is !== isWide) for (const pre of document.querySelectorAll('.need-card .diff.lit')) pre.showSides();
  isWide = is;
}).observe($('middle'));
