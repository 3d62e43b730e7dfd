/** Runs in pages that tests open, before their own scripts: counts the steps of a person, and looks for what is cut off. */
(() => {
  const TYPED = 'input:not([type=checkbox]):not([type=radio]), textarea';
  const steps = () => Number(sessionStorage.getItem('steps') ?? 0);
  const step = () => sessionStorage.setItem('steps', String(steps() + 1));
  /** A click that a key or a script makes is no click of the mouse. */
  const onClick = (event) => event.isTrusted && event.detail > 0 && step();
  const onKey = ({ key, target, isTrusted }) => {
    const isModifier = ['Control', 'Shift', 'Alt', 'Meta'].includes(key);
    const isTyped = target instanceof Element && target.matches(TYPED) && key !== 'Enter' && key !== 'Tab';
    if (isTrusted && !isModifier && !isTyped) step();
  };
  addEventListener('click', onClick, true);
  addEventListener('keydown', onKey, true);

  /** Elements wider than the page, which a person would have to scroll sideways for. */
  const overflow = () => {
    const { clientWidth, scrollWidth } = document.documentElement;
    const wide = [...document.querySelectorAll('.card table')].filter((table) => {
      const isFree = table.closest('.sideways, .unseen');
      return !isFree && table.getBoundingClientRect().right > table.closest('.card').getBoundingClientRect().right + 1;
    });
    if (wide.length > 0)
      return wide.map((table) => `table wider than its card: ${table.textContent.trim().slice(0, 40)}`);
    if (scrollWidth <= clientWidth) return [];
    return [...document.querySelectorAll('body, body *')]
      .filter((one) => one.getBoundingClientRect().right > clientWidth + 1 && !one.closest('.sideways, .unseen'))
      .map((one) => `${one.tagName.toLowerCase()}.${one.className} ${one.textContent.trim().slice(0, 40)}`);
  };

  const CONTROLS = 'a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex="0"]';
  const nameOf = (one) => one.outerHTML.slice(0, 160);
  /** Boxes of one choice are one stop, the arrows move in it. */
  /** Enter presses the first button of a form: where none is meant by that, an unseen one is for Enter alone. */
  const isForEnter = (one) => one.tabIndex < 0 && one.ariaHidden === 'true' && one.type === 'submit';
  const isStop = (one) =>
    !one.disabled && one.checkVisibility({ visibilityProperty: true }) && one.type !== 'radio' && !isForEnter(one);
  const reached = new Set();
  const unseen = [];
  let last;
  const hasMark = ({ outlineStyle, outlineWidth, boxShadow }) =>
    (outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow !== 'none';
  /** The mouse reaches less than half of what is on the screen of it. */
  const isCovered = (one) => {
    const box = one.getBoundingClientRect();
    const [left, right] = [Math.max(box.left, 0), Math.min(box.right, innerWidth)];
    const [top, bottom] = [Math.max(box.top, 0), Math.min(box.bottom, innerHeight)];
    const parts = [0.1, 0.3, 0.5, 0.7, 0.9];
    const points = parts.flatMap((across) =>
      parts.map((down) => [left + (right - left) * across, top + (bottom - top) * down]),
    );
    const isReached = ([x, y]) => {
      const found = document.elementFromPoint(x, y);
      return found && (one.contains(found) || found.contains(one) || found.closest('label')?.control === one);
    };
    return points.filter(isReached).length < points.length / 2;
  };
  const beginTabs = () => {
    reached.clear();
    unseen.length = 0;
    last = undefined;
    // From the top, also where the page began at its heading.
    document.body.tabIndex = -1;
    document.body.focus();
    document.body.removeAttribute('tabindex');
  };
  const hasLeft = () => {
    const one = document.activeElement;
    if (!one || one === document.body || one === document.documentElement) return reached.size > 0;
    if (one === last) return false;
    if (reached.has(one)) return true;
    reached.add(one);
    last = one;
    const marked = [one, one.closest('label'), one.parentElement].some(
      (part) => part && hasMark(getComputedStyle(part)),
    );
    if (!marked) unseen.push(`no mark: ${nameOf(one)}`);
    if (isCovered(one)) unseen.push(`covered: ${nameOf(one)}`);
    return false;
  };
  const endTabs = () => {
    const missed = [...document.querySelectorAll(CONTROLS)].filter((one) => isStop(one) && !reached.has(one));
    return { missed: missed.map(nameOf), unseen };
  };
  window.inPage = { steps, overflow, beginTabs, hasLeft, endTabs };
})();
