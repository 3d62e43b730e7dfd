/** A note of UBL that is a code without words has nothing to say: it is left out, and the others stay. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { mappingFor, through } from './oracles/through.ts';
import { REPOSITORY } from './samples/instance.ts';

const FILES = ['ubl-invoice/input/UBL_UB-2026-0090.xml', 'ubl-credit-note/input/UBL_UA-2026-0012.xml'];

test.each(FILES)('%s with a code alone as note', async (file) => {
  const text = readFileSync(join(REPOSITORY, 'samples', file), 'utf8');
  const notesOf = async (notes: string) => {
    const changed = text.replace('<cbc:Note>', `${notes}<cbc:Note>`);
    expect(changed === text).toBe(notes === '');
    return (await through(changed, mappingFor(changed)!)).payload?.notes;
  };
  const plain = (await notesOf('')) as readonly object[];
  expect(plain.length).toBeGreaterThan(2);
  expect(await notesOf('<cbc:Note>#AAI#</cbc:Note><cbc:Note>#AAI# </cbc:Note>')).toEqual(plain);
  const said = await notesOf('<cbc:Note>#AAI#x</cbc:Note><cbc:Note>#</cbc:Note>');
  expect(said).toEqual([{ content: 'x', tag: 'AAI' }, { content: '#' }, ...plain]);
});
