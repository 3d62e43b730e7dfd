/**
 * What pages of the console do in addition where scripts run: keys, copying, and a word when figures have changed. Every
 * page works without it. Text is only ever set as text, so that the page may refuse all HTML from scripts.
 */

const root = document.documentElement;
const base = root.dataset.base ?? '';
root.classList.add('has-script');

/* Keys: one letter each, never in a field, off where the person says so (WCAG 2.1.4). */

/** @returns {HTMLElement[]} */
function rows() {
  return [...document.querySelectorAll('main [data-row]')].filter((row) => row instanceof HTMLElement);
}

/** @returns {HTMLElement | undefined} */
function currentRow() {
  return rows().find((row) => row.hasAttribute('aria-current'));
}

/** @param {1 | -1} step */
function move(step) {
  const all = rows();
  // On the page of one document: to its neighbors.
  if (all.length === 0) return click(step === 1 ? 'main [data-next]' : 'main [data-previous]');
  const at = all.findIndex((row) => row.hasAttribute('aria-current'));
  const next = all[at === -1 ? 0 : Math.min(all.length - 1, Math.max(0, at + step))];
  if (!next) return;
  all[at]?.removeAttribute('aria-current');
  next.setAttribute('aria-current', 'true');
  /** @type {HTMLElement | null} */ (next.querySelector('a, button'))?.focus({ preventScroll: true });
  next.scrollIntoView({ block: 'nearest' });
}

function openRow() {
  const { href } = currentRow()?.dataset ?? {};
  if (href) location.assign(href);
}

/** @param {string} selector */
function click(selector) {
  /** @type {HTMLElement | null} */ (document.querySelector(selector))?.click();
}

/**
 * The first of the page for the first selector that it has one for: with a list of selectors in one, the order of the page
 * would count.
 * @param {string[]} selectors
 */
function focus(...selectors) {
  const field = selectors.map((selector) => document.querySelector(selector)).find((found) => found !== null);
  if (!(field instanceof HTMLElement)) return;
  field.focus();
  if (field instanceof HTMLInputElement) field.select();
}

function showKeys() {
  const dialog = document.getElementById('keys');
  if (dialog instanceof HTMLDialogElement && !dialog.open) dialog.showModal();
}

/** @type {{ readonly [key: string]: () => void }} */
const KEYS = {
  '/': () => focus('#find'),
  j: () => move(1),
  k: () => move(-1),
  x: () => /** @type {HTMLElement | null | undefined} */ (currentRow()?.querySelector('input[type=checkbox]'))?.click(),
  o: openRow,
  Enter: openRow,
  e: () => focus('main [data-edit]', 'main [data-act] input:not([type=hidden])'),
  r: () => click('main [data-again]'),
  u: () => click('main [data-up]'),
  '?': showKeys,
};

/** Between `g` and the key of the place. */
const WAIT_MS = 1_500;
let goUntil = 0;

/** @param {string} key */
function goTo(key) {
  const way = document.querySelector(`#keys [data-go="${CSS.escape(key)}"]`);
  if (way instanceof HTMLElement) location.assign(base + way.dataset.path);
}

/** @param {EventTarget | null} target */
function isField(target) {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches('input:not([type=checkbox]), select, textarea'))
  );
}

/** Links and buttons do by Enter what they always do. */
/** @param {KeyboardEvent} event */
function isTheirs({ key, target }) {
  return key === 'Enter' && target instanceof Element && target.closest('a, button, summary, label') !== null;
}

document.addEventListener('keydown', (event) => {
  const { key, target } = event;
  if (event.defaultPrevented || event.isComposing) return;
  if (key === 'Enter' && (event.ctrlKey || event.metaKey)) {
    doIt(target, event);
    return;
  }
  if (root.dataset.keys === 'off' || event.ctrlKey || event.metaKey || event.altKey) return;
  if (isField(target) || isTheirs(event) || document.querySelector('dialog[open], :popover-open')) return;
  if (performance.now() < goUntil) {
    goUntil = 0;
    goTo(key);
  } else if (key === 'g') goUntil = performance.now() + WAIT_MS;
  else if (KEYS[key]) {
    event.preventDefault();
    KEYS[key]();
  }
});

/**
 * The form that has the focus, else the only one that acts.
 * @param {EventTarget | null} target
 * @param {KeyboardEvent} event
 */
function doIt(target, event) {
  const own = target instanceof Element ? target.closest('form[data-act]') : null;
  const forms = document.querySelectorAll('main form[data-act]');
  const form = own ?? (forms.length === 1 ? forms[0] : null);
  if (!(form instanceof HTMLFormElement)) return;
  event.preventDefault();
  form.requestSubmit();
}

/* Forms: an act is sent once, however often the button is pressed. */

document.addEventListener('submit', (event) => {
  const { target } = event;
  if (!(target instanceof HTMLFormElement) || !target.matches('[data-act]')) return;
  if (target.ariaBusy === 'true') event.preventDefault();
  target.ariaBusy = 'true';
});
/** The browser brings a page back as it was. */
window.addEventListener('pageshow', () => {
  for (const form of document.querySelectorAll('form[data-act]')) form.ariaBusy = null;
});

/* After an act: the page begins at its heading, which is read with what happened. */

const heading = document.getElementById('title');
if (heading && document.querySelector('#status .notice')) {
  heading.setAttribute('aria-describedby', 'status');
  heading.focus({ preventScroll: true });
}

/* Looks: while a person types, the page of the same look without script is asked for, and its parts are shown. */

const PAUSE_MS = 120;
const LOOKED = ['outcome', 'submit', 'terminal', 'documents'];
/** @type {XMLHttpRequest | undefined} */
let looking;
let lookTimer = 0;

/** @param {HTMLFormElement} form */
function lookAt(form) {
  const address = new URL(form.dataset.liveLook ?? '', location.href);
  for (const name of ['fix', 'from', 'to', 'suggested']) {
    const value = new FormData(form).get(name);
    if (typeof value === 'string' && value !== '') address.searchParams.set(name, value);
  }
  looking?.abort();
  looking = new XMLHttpRequest();
  looking.open('GET', address);
  // Parsed as a document: no text becomes HTML here.
  looking.responseType = 'document';
  looking.addEventListener('load', () => showLook(form, looking, address));
  looking.addEventListener('loadend', () => form.removeAttribute('data-looking'));
  form.dataset.looking = '';
  looking.send();
}

/**
 * @param {HTMLFormElement} form
 * @param {XMLHttpRequest | undefined} request
 * @param {URL} address
 */
function showLook(form, request, address) {
  const page = request?.status === 200 ? request.responseXML : null;
  const next = page?.getElementById(form.id);
  if (!page || !(next instanceof HTMLFormElement)) return;
  const chosen = chosenBoxes().map(({ value }) => value);
  for (const name of LOOKED) {
    const part = document.getElementById(name === 'documents' ? 'group-documents' : `${form.id}-${name}`);
    const looked = page.getElementById(part?.id ?? '');
    if (looked) part?.replaceChildren(...[...looked.childNodes].map((node) => document.importNode(node, true)));
  }
  for (const name of ['look', 'key']) {
    const [field, looked] = [form.elements.namedItem(name), next.elements.namedItem(name)];
    if (field instanceof HTMLInputElement && looked instanceof HTMLInputElement) field.value = looked.value;
  }
  for (const box of boxes()) box.checked = chosen.includes(box.value);
  showChosen();
  history.replaceState(history.state, '', address);
}

/* Boxes: how many are chosen is on the button of the act on them. */

/** @returns {HTMLInputElement[]} */
function boxes() {
  return [...document.querySelectorAll('main td.choice input')].filter((box) => box instanceof HTMLInputElement);
}

function chosenBoxes() {
  return boxes().filter(({ checked }) => checked);
}

function showChosen() {
  const count = chosenBoxes().length;
  for (const place of document.querySelectorAll('[data-chosen]')) place.textContent = count > 0 ? ` (${count})` : '';
}

document.addEventListener('change', ({ target }) => {
  if (target instanceof Element && target.closest('td.choice')) showChosen();
});
window.addEventListener('pageshow', showChosen);

document.addEventListener('input', ({ target }) => {
  const form = target instanceof HTMLInputElement ? target.form : null;
  if (!form?.matches('[data-live-look]') || form.elements.namedItem('reason') === target) return;
  clearTimeout(lookTimer);
  lookTimer = window.setTimeout(() => lookAt(form), PAUSE_MS);
});

/** An act that waits for a run: its page is asked for again. */
const PENDING_MS = 1_500;
if (document.querySelector('[data-pending]')) setTimeout(() => location.reload(), PENDING_MS);

/** Arrow keys choose on their way to another choice: with keys, the button saves (WCAG 3.2.2). */
let isPointed = false;
document.addEventListener('pointerdown', () => (isPointed = true), true);
document.addEventListener('keydown', () => (isPointed = false), true);

document.addEventListener('change', ({ target }) => {
  const form = target instanceof HTMLInputElement ? target.form : null;
  if (isPointed && form?.matches('[data-preferences]')) form.requestSubmit();
});

document.addEventListener('click', async ({ target }) => {
  const button = target instanceof Element ? target.closest('[data-copy]') : null;
  if (!(button instanceof HTMLElement)) return;
  await navigator.clipboard.writeText(button.dataset.copy ?? '');
  button.textContent = button.dataset.copied ?? '';
});

/* Looks: what an act would do, as the person types. Only the last question counts. */

const TYPING_MS = 80;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let typing;
/** @type {AbortController | undefined} */
let asked;

document.addEventListener('input', ({ target }) => {
  const form = target instanceof HTMLInputElement ? target.form : null;
  if (!form?.dataset.check || (target instanceof HTMLInputElement && target.name === 'reason')) return;
  clearTimeout(typing);
  typing = setTimeout(() => void look(form), TYPING_MS);
});

/** @param {HTMLFormElement} form */
async function look(form) {
  asked?.abort();
  asked = new AbortController();
  const place = form.querySelector('[data-outcome]');
  try {
    const body = new URLSearchParams([...new FormData(form)].map(([name, value]) => [name, String(value)]));
    const answer = await fetch(form.dataset.check ?? '', { method: 'POST', body, signal: asked.signal });
    if (answer.ok) place?.replaceChildren(...outcomeOf(await answer.json()));
  } catch {
    // A newer question, or the server is away: the button asks again.
  }
}

/** @param {{ tone?: string, title?: string, text?: string }} outcome */
function outcomeOf({ tone, title = '', text = '' }) {
  if (tone === undefined) return [];
  const [box, line, strong] = [
    document.createElement('div'),
    document.createElement('p'),
    document.createElement('strong'),
  ];
  box.className = `notice tone-${tone}`;
  strong.textContent = title;
  line.append(strong, ` ${text}`);
  box.append(line);
  return [box];
}

/* Live: a list never moves under the pointer. A link above it appears when there is something new to show. */

/** Where events cannot come, the page asks. */
const ASK_MS = 15_000;
const status = document.getElementById('status');
/** @type {string | undefined} */
let known;

/** Documents that changed since the page was made: ids, and how many more. */
const changed = new Set();
let unnamed = 0;

/** @param {{ version: string, count: number, ids: string[] }} event of the API */
function onVersion({ version, count, ids }) {
  const isFirst = known === undefined;
  if (known === version || isFirst || !status) {
    known = version;
    return;
  }
  known = version;
  for (const id of ids) changed.add(id);
  unnamed += count - ids.length;
  const all = changed.size + unnamed;
  const link = document.createElement('a');
  link.href = location.href;
  link.className = 'button';
  link.dataset.again = '';
  const { changed: figures = '', changedDocuments = '' } = status.dataset;
  link.textContent = all === 0 ? figures : changedDocuments.replace('#', String(all));
  status.replaceChildren(link);
}

/** @param {string} address */
async function ask(address) {
  try {
    const headers = { accept: 'application/json', ...(known !== undefined && { 'last-event-id': known }) };
    const answer = await fetch(address, { headers });
    if (answer.ok) onEvent(await answer.json());
  } catch {
    // The server is away, or restarts: the next question may be answered.
  }
}

/** The page that listens passes events on to the other pages of this browser. */
const others = new BroadcastChannel(`nightpost ${base}`);
others.addEventListener('message', ({ data }) => onVersion(data));

/** @param {Parameters<typeof onVersion>[0]} event */
function onEvent(event) {
  onVersion(event);
  others.postMessage(event);
}

/** @param {string} address */
function listen(address) {
  const events = new EventSource(address);
  events.addEventListener('version', ({ data }) => onEvent(JSON.parse(data)));
  events.addEventListener('error', () => {
    // CLOSED: the answer was no stream. Otherwise the browser connects again by itself.
    if (events.readyState !== EventSource.CLOSED) return;
    setInterval(() => {
      if (!document.hidden) void ask(address);
    }, ASK_MS);
  });
}

const live = document.querySelector('main [data-live]');
if (live instanceof HTMLElement) {
  const begin = () => listen(`${base}/api/v1/events`);
  // One connection for each browser: HTTP/1.1 has six. The next page listens when this one is left.
  if ('locks' in navigator) {
    void navigator.locks.request(`nightpost ${base}`, () => {
      begin();
      return new Promise(() => undefined);
    });
  } else begin();
}
