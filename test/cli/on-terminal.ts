/** A command whose standard output and error are a terminal of 80 columns: its lines, without colors. */
import { stripVTControlCharacters } from 'node:util';
import type { Scene } from '../night.ts';
import { commandIn } from '../program.ts';

export const COLUMNS = 80;

export async function onTerminal(scene: Scene, ...args: string[]): Promise<readonly string[]> {
  const streams = [process.stdout, process.stderr];
  const before = streams.map(({ isTTY, columns }) => ({ isTTY, columns }));
  for (const stream of streams) Object.assign(stream, { isTTY: true, columns: COLUMNS });
  try {
    const { out } = await commandIn(scene, ...args);
    return stripVTControlCharacters(out).split('\n');
  } finally {
    for (const [at, stream] of streams.entries()) Object.assign(stream, before[at]);
  }
}
