/** Reading texts unit by unit, as nearly all that is done to every cell. */

const { charCodeAt } = String.prototype;

/**
 * UTF-16 unit `at`; NaN behind the end. The method is not looked up in the text: texts come in more forms (slices, flat,
 * of one byte or two) than the engine remembers at one place, and the search for it takes longer than all that follows.
 */
export function codeUnitAt(text: string, at: number): number {
  return charCodeAt.call(text, at);
}
