// Pictures that members' tools gave them: small in the story, whole in a box of their own. They are fetched when they come into sight.
'use strict';
const fetched = new Map();
function picture(path) {
  const address = path + '?' + new URLSearchParams({team});
  if (!fetched.has(address)) fetched.set(address, get(address).then(async got => {
    if (!got.ok) throw new Error((await got.text()).trim());
    return URL.createObjectURL(await got.blob());
  }));
  return fetched.get(address);
}
const inSight = new IntersectionObserver(all => { for (const seen of all) if (seen.isIntersecting) { inSight.unobserve(seen.target); fill(seen.target); } });
async function fill(button) {
  const label = button.textContent;
  try { button.replaceChildren(make('img', '', {src: await picture(button.dataset.picture), alt: label})); button.onclick = () => whole(button, label); }
  // The story may name a picture that the transcript does not have.
  catch { button.hidden = true; }
}
const whole = async (button, label) => openBox(make('h2', label), make('img', '', {src: await picture(button.dataset.picture), alt: label, className: 'whole'}));
const showPictures = part => part.querySelectorAll('[data-picture]').forEach(button => inSight.observe(button));
