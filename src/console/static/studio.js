/**
 * The studio where scripts run: colors of the text, the document made again while a person types, and marks from a row,
 * a line or a field to the others. The server makes all HTML; parts of its answer take the place of those on the page.
 */

/** Between the last key and the question. */
const QUIET_MS = 80;

const form = document.querySelector('form[data-studio]');
const text = document.getElementById('mapping-text');

/* Colors: one pass over each line. */

const TOKENS =
  /(#.*$)|("(?:[^"\\]|\\.)*"|'[^']*')|([$@][\p{L}_][\p{L}\p{N}_.-]*)|(^\s*(?:- )?[\p{L}_][\p{L}\p{N}_-]*:(?=\s|$))/gu;
const KINDS = ['comment', 'string', 'column', 'key'];

/** @param {Element} line */
function color(line) {
  const content = line.textContent ?? '';
  const parts = [];
  let at = 0;
  for (const match of content.matchAll(TOKENS)) {
    const kind = KINDS[match.slice(1).findIndex((group) => group !== undefined)] ?? '';
    const span = document.createElement('span');
    span.className = `token-${kind}`;
    span.textContent = match[0];
    parts.push(content.slice(at, match.index), span);
    at = match.index + match[0].length;
  }
  line.replaceChildren(...parts, content.slice(at));
}

function colorAll() {
  for (const line of document.querySelectorAll('[data-colored] .line')) color(line);
}

/** The layer below the field has the same lines as the field; only those that differ are made again. */
function showText() {
  const layer = document.querySelector('.layer');
  if (!(text instanceof HTMLTextAreaElement) || !layer) return;
  const lines = text.value.split('\n');
  for (const [n, content] of lines.entries()) {
    const line = layer.children[n] ?? layer.appendChild(document.createElement('div'));
    line.id = `l${n + 1}`;
    line.setAttribute('data-key', line.id);
    line.classList.add('line');
    if (line.textContent === content) continue;
    line.textContent = content;
    color(line);
  }
  while (layer.children.length > lines.length) layer.lastElementChild?.remove();
}

/* Live: the form is sent in the background, and parts of the answer replace those of the page. */

/** @type {XMLHttpRequest | undefined} */
let asking;
let timer = 0;

/** @param {HTMLElement | null} [button] */
function ask(button) {
  if (!(form instanceof HTMLFormElement)) return;
  clearTimeout(timer);
  asking?.abort();
  const sent = new FormData(form);
  if (button instanceof HTMLButtonElement) sent.set(button.name, button.value);
  const request = new XMLHttpRequest();
  asking = request;
  request.open('POST', form.action);
  request.responseType = 'document';
  request.addEventListener('load', () => {
    form.ariaBusy = null;
    const answer = request.responseXML;
    if (request.status === 200 && answer?.querySelector('[data-studio]')) take(answer);
    else unanswered();
  });
  request.addEventListener('error', unanswered);
  form.ariaBusy = 'true';
  request.send(sent);
}

/** The text stays: nothing is loaded again. */
function unanswered() {
  const status = document.getElementById('status');
  if (!(form instanceof HTMLFormElement) || !status) return;
  form.ariaBusy = null;
  status.textContent = form.dataset.unanswered ?? '';
}

/** @param {Document} answer */
function take(answer) {
  const focused = document.activeElement?.id;
  for (const part of document.querySelectorAll('[data-part]')) {
    const next = answer.querySelector(`[data-part="${part.getAttribute('data-part')}"]`);
    if (next) part.replaceChildren(...next.childNodes);
  }
  colorAll();
  showText();
  markAgain();
  if (focused && document.activeElement?.id !== focused)
    document.getElementById(focused)?.focus({ preventScroll: true });
}

text?.addEventListener('input', () => {
  asking?.abort();
  showText();
  clearTimeout(timer);
  timer = setTimeout(() => ask(), QUIET_MS);
});
form?.addEventListener('change', ({ target }) => {
  if (target instanceof HTMLElement && target.matches('#sample, #upload')) ask();
});
form?.addEventListener('submit', (event) => {
  if (!(event instanceof SubmitEvent) || event.submitter?.matches('[data-save]')) return;
  event.preventDefault();
  ask(event.submitter);
});

/* Marks: a field has links to its cells and its line; a cell or a line marks the fields that link to it. */

/** @type {string | undefined} */
let marked;

/** @param {string} key */
function linksOf(key) {
  const fields = [...document.querySelectorAll('[data-links]')];
  const links = (/** @type {Element} */ field) => (field.getAttribute('data-links') ?? '').split(' ').filter(Boolean);
  const own = fields.filter((field) => field.getAttribute('data-key') === key || links(field).includes(key));
  return new Set([key, ...own.flatMap((field) => [field.getAttribute('data-key') ?? '', ...links(field)])]);
}

function markAgain() {
  for (const one of document.querySelectorAll('.is-marked')) one.classList.remove('is-marked');
  if (marked === undefined) return;
  for (const key of linksOf(marked))
    document.querySelector(`[data-key="${CSS.escape(key)}"]`)?.classList.add('is-marked');
}

/** @param {string} key */
function mark(key) {
  marked = key;
  markAgain();
  const from = document.querySelector(`[data-key="${CSS.escape(key)}"]`)?.closest('.card');
  for (const card of document.querySelectorAll('.studio .card')) {
    if (card !== from) show(card.querySelector('.is-marked'));
  }
}

/**
 * Scrolls what is around it, and never the page.
 * @param {Element | null} one
 */
function show(one) {
  for (let box = one?.parentElement; one && box && box !== document.body; box = box.parentElement) {
    if (box.scrollHeight <= box.clientHeight && box.scrollWidth <= box.clientWidth) continue;
    const [inner, outer] = [one.getBoundingClientRect(), box.getBoundingClientRect()];
    if (inner.top < outer.top || inner.bottom > outer.bottom) box.scrollTop += inner.top - outer.top - outer.height / 3;
    if (
      box.scrollWidth > box.clientWidth &&
      inner.width < outer.width &&
      (inner.left < outer.left || inner.right > outer.right)
    )
      box.scrollLeft += inner.left - outer.left - 40;
  }
}

function markLine() {
  if (text instanceof HTMLTextAreaElement) mark(`l${text.value.slice(0, text.selectionStart).split('\n').length}`);
}

document.addEventListener('click', (event) => {
  const { target } = event;
  if (!(target instanceof Element) || !target.closest('.studio')) return;
  if (target === text) {
    markLine();
    return;
  }
  const link = target.closest('a[href^="#"]');
  const key = link?.getAttribute('href')?.slice(1) ?? target.closest('[data-key]')?.getAttribute('data-key');
  if (!key) return;
  if (link) event.preventDefault();
  mark(key);
  show(document.querySelector(`[data-key="${CSS.escape(key)}"]`));
});

colorAll();
if (location.hash.length > 1) mark(location.hash.slice(1));
