/** Reading texts unit by unit, as nearly all that is done to every cell. */

const { charCodeAt } = String.prototype;

/**
 * UTF-16 unit `at`; NaN after the end. The method is not looked up on the text: texts have more forms (slices, flat,
 * one byte or two) than the engine caches at one place, and a failed look-up takes longer than all work on the unit.
 */
export function codeUnitAt(text: string, at: number): number {
  return charCodeAt.call(text, at);
}
