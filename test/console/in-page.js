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
    if (scrollWidth <= clientWidth) return [];
    return [...document.querySelectorAll('body, body *')]
      .filter((one) => one.getBoundingClientRect().right > clientWidth + 1 && !one.closest('.sideways, .unseen'))
      .map((one) => `${one.tagName.toLowerCase()}.${one.className} ${one.textContent.trim().slice(0, 40)}`);
  };
  window.inPage = { steps, overflow };
})();
