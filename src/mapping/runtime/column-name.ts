/** Names of columns as a mapping writes them: `$Column`, or `$[Column with spaces]`; `]]` stands for a bracket in the name. */

const NAME = String.raw`[\p{L}\p{M}\p{N}_]+(?:\.[\p{L}\p{M}\p{N}_]+)*`;
const REFERENCE = new RegExp(String.raw`^\$(?:(${NAME})|\[((?:[^\]]|\]\])+)\])$`, 'u');
const BARE = new RegExp(`^${NAME}$`, 'u');

/** The column that a text refers to and to nothing else; undefined for any other text. */
export function singleColumn(text: string): string | undefined {
  const [, bare, bracketed] = REFERENCE.exec(text.trim()) ?? [];
  return bare ?? bracketed?.replaceAll(']]', ']');
}

/** The way back: how a mapping refers to the column. */
export function columnSyntax(name: string): string {
  return BARE.test(name) ? `$${name}` : `$[${name.replaceAll(']', ']]')}]`;
}
