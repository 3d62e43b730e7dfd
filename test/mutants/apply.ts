/** The text of a file with one place of it changed; throws where the place is not there, or there twice. */
import type { Edit } from './mutants.ts';

export function mutated(text: string, { file, from, to }: Edit): string {
  const times = text.split(from).length - 1;
  if (times !== 1) throw new Error(`${file}: the place to change is there ${times} times: ${from}`);
  return text.replace(from, () => to);
}
