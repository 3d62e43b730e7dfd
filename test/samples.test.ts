/**
 * Every folder of samples/ travels the whole line to the sandbox: what is sent, what is refused and what each document
 * became must be, to the byte, what expect/ holds. `NIGHTPOST_UPDATE=1` writes expect/ anew: read it before you commit.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { showFault } from '../src/model/fault.ts';
import { openShipped, REPOSITORY } from './samples/instance.ts';
import { laidOut, type Night, proofOf, spendNight } from './samples/night.ts';

const ROOT = join(REPOSITORY, 'samples');
const UPDATE = process.env.NIGHTPOST_UPDATE === '1';
const samples = readdirSync(ROOT).filter((name) => name !== 'broken' && !name.includes('.'));

type Sample = { readonly mapping: string; readonly says: string; readonly today: string };

describe.each(samples)('samples/%s', (name) => {
  const folder = join(ROOT, name);
  const sample = parse(readFileSync(join(folder, 'sample.yaml'), 'utf8')) as Sample;
  const inputs = readdirSync(join(folder, 'input')).sort();

  it('gives the expected documents, faults and states', async () => {
    await using shipped = await openShipped();
    const paths = inputs.map((file) => join(folder, 'input', file));
    const night = await spendNight(shipped, paths, sample.today);
    const found = toldAs(night);
    if (UPDATE) writeExpected(join(folder, 'expect'), found);
    expect(found).toEqual(readExpected(join(folder, 'expect')));

    expect(new Set(night.map(({ file }) => file.mapping?.id))).toEqual(new Set([sample.mapping]));
    const sent = night.flatMap(({ entries }) => entries).filter(({ entry }) => entry.state === 'authorized');
    expect(sent.length).toBeGreaterThan(0);
    expect(shipped.sandbox.acceptances().filter(({ accepted }) => accepted !== 1)).toEqual([]);
    expect(shipped.sandbox.acceptances()).toHaveLength(sent.length);
    const proven = await proofOf(shipped.instance);
    expect(proven.found).toEqual([]);
    expect(proven.documents).toBe(night.flatMap(({ entries }) => entries).length);
  });
});

/** File name in expect/ -> its text. */
type Expected = { readonly [name: string]: string };

function toldAs(night: Night): Expected {
  const told: { [name: string]: string } = {};
  const states: string[] = [];
  const faults: string[] = [];
  for (const { file, entries } of night) {
    states.push(`${file.name} ${file.state}, ${file.rows} rows, ${file.encoding ?? 'not decoded'}`);
    for (const { row, rule } of file.leftOut) states.push(`  row ${row} left out: ${rule}`);
    for (const { entry, content } of entries) {
      const number = entry.facts.identifier.replaceAll('/', '-');
      const stem = uniqueIn(told, number);
      states.push(`  ${stem} ${entry.class} ${entry.state}, rows ${entry.rows.join(' ')}`);
      if (content !== undefined && entry.state !== 'invalid') told[`${stem}.json`] = laidOut(content);
    }
    for (const fault of [...file.faults, ...entries.flatMap(({ entry }) => entry.faults)]) {
      faults.push(`${fault.level} ${showFault(fault)}\n`);
    }
  }
  if (faults.length > 0) told['faults.txt'] = faults.join('');
  return { ...told, 'states.txt': `${states.join('\n')}\n` };
}

/** Notes of two establishments may have one number. */
function uniqueIn(told: Expected, number: string): string {
  let stem = number;
  for (let n = 2; `${stem}.json` in told; n++) stem = `${number}~${n}`;
  return stem;
}

function readExpected(folder: string): Expected {
  return Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
}

function writeExpected(folder: string, found: Expected): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  for (const [name, text] of Object.entries(found)) writeFileSync(join(folder, name), text);
}
