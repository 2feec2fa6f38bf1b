// What a hand does to the page at random: keys, clicks, pastes, folds, selections, moves of the slider and of the wheel, as the
// events that a browser makes of them. It stands beside the page's scripts and reads what they know (`member`, `at`, `answering`).
//
// It gives no answer, by the page's own rules: a key answers only in the card of a question, and only some time after the key before
// it, so each key in a card is the second one of one moment. Buttons that answer are not clicked, nor what leaves the page or ends
// the turn that asks.
'use strict';
self.monkey = (() => {
  // Whose question stays open, in the team that is named like this.
  const ASKS = 'alice', TEAM = 'default:';
  const KEYS = [
    ...'ynapwtjkjk/?[][]0+-123x中 ', 'Enter', 'Escape', 'Tab', 'ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End', 'PageUp',
    'PageDown', 'Backspace', 'Delete', 'F5', 'Shift', 'Dead', 'Unidentified', 'Process',
  ];
  const WORDS = [
    '', 'x', '中文 e\u0301 👨\u200d👩\u200d👧 🇩🇪', 'a\nb\n\n\tc', '@bob \u001b[2J', '# A *list*\n\n- [x](javascript:x)\n- `y`\n\n| a |\n|---|\n| 中 |',
    '/tasks', '/help', '/cost', '/team', '/needs', '/resume', '/nothing', '/tasks reopen 99', '/', '/approve', '/deny 99', '<b>&amp;',
    '\u202e\u200d\u0301', 'long '.repeat(2000), '\ud800',
  ];
  // Xorshift: the same seed makes the same choices.
  let state = 1;
  const below = end => {
    state ^= state << 13; state ^= state >>> 17; state ^= state << 5;
    return (state >>> 0) % end;
  };
  const one = all => all[below(all.length)];
  const wait = ms => new Promise(done => setTimeout(done, ms));
  const dialog = () => document.getElementById('ask');
  // What can be reached now: below an open dialog nothing can.
  const all = selector => [...(dialog().open ? dialog() : document).querySelectorAll(selector)].filter(e => e.checkVisibility());
  const inCard = () => !!document.activeElement?.closest('.need-card');

  // Whether a click on it is no answer, and stays here.
  function mayTouch(e) {
    const button = e.closest('button'), link = e.closest('a');
    if (button?.closest('.answers')) return button.dataset.answer === 'why';
    if (button?.closest('#ask')) return button.textContent === 'Back';
    if (button?.id === 'stop') return member !== ASKS;
    return !link || /^[/#]/.test(link.getAttribute('href'));
  }
  // A second Escape within a second interrupts.
  const mayEscape = () => member !== ASKS || performance.now() - escaped > 1000;
  // Whether the driver may press this key, which does all that keys do in a browser.
  function mayPress(key) {
    const e = document.activeElement;
    if (key === 'Escape') return mayEscape();
    if (dialog().open || e?.matches('select')) return key === 'Tab';
    if (inCard()) return ['Tab', 'j', 'k', '?'].includes(key);
    return !e || !['Enter', ' '].includes(key) || mayTouch(e);
  }

  function insert(box, text) {
    box.setRangeText(text, box.selectionStart, box.selectionEnd, 'end');
    box.dispatchEvent(new InputEvent('input', {data: text, inputType: 'insertText', bubbles: true}));
  }
  const isField = e => e?.matches('textarea, input:not([type=range])');
  function press(key, more) {
    const e = document.activeElement || document.body, of = {key, bubbles: true, cancelable: true, ...more};
    const goesOn = e.dispatchEvent(new KeyboardEvent('keydown', of));
    e.dispatchEvent(new KeyboardEvent('keyup', of));
    if (!goesOn || of.altKey || of.ctrlKey || document.activeElement !== e) return;
    if (isField(e)) { if (key.length === 1) insert(e, key); }
    else if (/^(Enter| )$/.test(key) && e.matches('button,a,summary') && mayTouch(e)) e.click();
  }
  function key() {
    const key = one(KEYS), held = () => below(8) === 0, digit = key >= '0' && key <= '9';
    if (key === 'Escape' && !mayEscape()) return 'no Escape';
    const more = {altKey: digit ? below(2) === 0 : held(), ctrlKey: held(), shiftKey: held(), repeat: held()}, now = performance.now();
    performance.now = () => now;
    try {
      if (inCard()) press('Shift', {shiftKey: true});
      press(key, more);
    } finally { delete performance.now; }
    return `${key} ${Object.keys(more).filter(name => more[name])}`;
  }
  const named = e => `${e.tagName}#${e.id}.${e.getAttribute('class') || ''}`;
  function click(e) {
    if (!e || !mayTouch(e)) return 'nothing';
    const at = {bubbles: true, cancelable: true, clientX: below(innerWidth), clientY: below(innerHeight)};
    for (const kind of ['pointerdown', 'mousedown', 'pointerup', 'mouseup']) e.dispatchEvent(new MouseEvent(kind, at));
    if (e.click) e.click(); else e.dispatchEvent(new MouseEvent('click', at));
    return named(e);
  }
  function paste() {
    const field = one(all('textarea, input:not([type=range])')), text = one(WORDS), data = new DataTransfer();
    if (!field) return 'no field';
    field.focus();
    if (below(2)) field.select();
    data.setData('text/plain', text);
    if (field.dispatchEvent(new ClipboardEvent('paste', {clipboardData: data, bubbles: true, cancelable: true}))) insert(field, text);
    return JSON.stringify(text.slice(0, 20));
  }
  function slide() {
    const slider = one(all('#at'));
    if (!slider) return 'no slider';
    slider.value = one([0, 1, slider.max, below(+slider.max + 1)]);
    slider.dispatchEvent(new Event('input', {bubbles: true})); slider.dispatchEvent(new Event('change', {bubbles: true}));
    return slider.value;
  }
  function choose() {
    const list = one(all('#teams'));
    if (!list) return 'no list';
    list.selectedIndex = below(list.options.length);
    list.dispatchEvent(new Event('change', {bubbles: true}));
    return list.value;
  }
  function select() {
    const e = one(all('*'));
    if (e) getSelection().selectAllChildren(e);
    return e ? named(e) : 'nothing';
  }
  function drag() {
    const graph = one(all('svg'));
    if (!graph) return 'no graph';
    const x = () => ({clientX: below(innerWidth), bubbles: true, cancelable: true, deltaY: one([-100, 100])});
    graph.focus();
    graph.dispatchEvent(one([() => new WheelEvent('wheel', x()), () => new PointerEvent('pointerdown', x()), () => new PointerEvent('pointerup', x())])());
    return 'the graph';
  }
  async function back() {
    const is = below(2) ? navigation.canGoBack && 'back' : navigation.canGoForward && 'forward';
    if (!is) return 'nowhere';
    const there = new Promise(done => addEventListener('popstate', done, {once: true}));
    history[is]();
    // A place that the page goes to at the same moment calls the way back off, and nothing says so.
    await Promise.race([there, wait(3000)]);
    return is;
  }
  const fold = () => { const box = one(all('details')); if (box) box.open = !box.open; return box ? named(box) : 'nothing'; };
  const focus = () => { const e = one(all('a,button,input,select,textarea,summary,[tabindex]')); e?.focus(); return e ? named(e) : 'nothing'; };
  const scroll = () => { const e = one(all('main, aside, body, pre')); if (e) e.scrollTop = below(2) ? below(5000) : 0; return 'by ' + (e ? named(e) : 'nothing'); };
  const DOES = [
    ...Array(8).fill(key), () => click(document.elementFromPoint(below(innerWidth), below(innerHeight))), () => click(one(all('*'))),
    () => click(one(all('button,summary'))), () => click(one(all('nav a, main a, aside a'))), paste, slide, select, fold, fold, focus, scroll, drag, drag,
    () => below(8) ? key() : choose(), () => below(4) ? key() : back(),
  ];

  // So many events; what they were.
  async function go(seed, count) {
    state = seed | 0 || 1;
    const did = [];
    for (let i = 0; i < count; i++) {
      did.push(await one(DOES)());
      // The page does meanwhile what it has begun, or some of it.
      if (below(4) === 0) await wait(below(12));
    }
    return did;
  }
  // Whether it is the present of the team that asks, without a dialog; goes there if not.
  function isHome() {
    const teams = document.getElementById('teams'), home = [...teams.options].find(o => o.text.startsWith(TEAM));
    if (dialog().open) dialog().close();
    else if (at !== null) document.getElementById('now').click();
    else if (home && teams.value !== home.value) { teams.value = home.value; teams.dispatchEvent(new Event('change')); }
    else return !!home && !answering;
    return false;
  }
  // Whether the screen is there with its parts, the questions beside it and the stream.
  const shows = (path, asked) => isHome() && location.pathname === path && document.getElementById('main').childElementCount > 0
    && document.getElementById('alive')?.textContent === 'live' && ['asks', 'needs'].some(id => document.getElementById(id).innerText.includes(asked));
  return {go, isHome, shows, mayPress};
})();
