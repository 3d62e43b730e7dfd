/**
 * Exports cut at any byte. A format that can tell refuses the file whole; one that cannot is told apart here, with what
 * stands between such a file and the service.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { DOCUMENT_KINDS, READERS } from '../../src/catalogue.ts';
import { mappingWorld } from '../../src/instance/instance.ts';
import { loadMapping, type Mapping } from '../../src/mapping/mapping.ts';
import { convert, ReappearedKeysError } from '../../src/pipeline/conversion/convert-file.ts';
import { UnreadableFileError } from '../../src/readers/reader.ts';
import { chunksOf } from '../readers/make.ts';
import { REPOSITORY } from '../samples/instance.ts';
import { runs } from '../seed.ts';

type Export = { readonly name: string; readonly mapping: Mapping; readonly bytes: Buffer; readonly xml: boolean };

const SAMPLES = join(REPOSITORY, 'samples');
/** Files passed on as they are have no rows, and two files joined are two exports. */
const OTHERS = ['broken', 'pass-through', 'header-and-lines'];

function exports(): readonly Export[] {
  const folders = readdirSync(SAMPLES).filter((name) => !name.includes('.') && !OTHERS.includes(name));
  return folders.flatMap((folder) => {
    const sample = parse(readFileSync(join(SAMPLES, folder, 'sample.yaml'), 'utf8')) as { mapping: string };
    const path = `mappings/${sample.mapping}.yaml`;
    const { mapping } = loadMapping(readFileSync(join(REPOSITORY, path), 'utf8'), path, mappingWorld(REPOSITORY));
    return readdirSync(join(SAMPLES, folder, 'input')).map((name) => ({
      name,
      mapping: mapping!,
      bytes: readFileSync(join(SAMPLES, folder, 'input', name)),
      xml: mapping!.source.format === 'xml',
    }));
  });
}

/** The documents that would be sent; none of a file that is refused. */
async function issued({ name, mapping }: Export, bytes: Uint8Array): Promise<readonly string[]> {
  const documents: string[] = [];
  try {
    for await (const { outcomes } of convert({
      bytes: chunksOf(bytes, 1 << 20),
      file: name,
      mapping,
      reader: READERS.find(({ format }) => format === mapping.source.format)!,
      kind: DOCUMENT_KINDS.find((kind) => kind.name === mapping.target)!,
      facts: { today: '2026-10-02', file: { name, base64: () => '' } },
    })) {
      documents.push(
        ...outcomes.flatMap((outcome) => ('document' in outcome ? [outcome.document.content.toString()] : [])),
      );
    }
  } catch (error) {
    if (error instanceof UnreadableFileError || error instanceof ReappearedKeysError) return [];
    throw error;
  }
  return documents;
}

/** The documents of each whole file, made once. */
const wholes = new WeakMap<Uint8Array, ReadonlySet<string>>();

/** The file with the documents of the whole one: a program that adds others has issued something incomplete. */
async function incomplete(one: Export, bytes: Uint8Array): Promise<{ readonly sent: number; readonly wrong: number }> {
  const whole = wholes.get(one.bytes) ?? new Set(await issued(one, one.bytes));
  wholes.set(one.bytes, whole);
  const documents = await issued(one, bytes);
  return { sent: documents.length, wrong: documents.filter((content) => !whole.has(content)).length };
}

const isOptional = ({ mapping }: Export) =>
  JSON.stringify(mapping.source.options).includes('"final-line-end":"optional"');
const endsRow = (bytes: Buffer) => /[\n\r]\0?$/.test(bytes.subarray(-2).toString('latin1'));

it(`${runs(200)} cuts: nothing incomplete is issued of a file cut inside a row, and nothing at all of XML`, async () => {
  const all = exports();
  const cuts = fc.sample(fc.noBias(fc.tuple(fc.nat(all.length - 1), fc.nat(999_999))), {
    numRuns: runs(200),
    seed: fc.readConfigureGlobal().seed!,
  });
  let refused = 0;
  for (const [which, share] of cuts) {
    const one = all[which]!;
    const kept = one.bytes.subarray(0, Math.floor((share * one.bytes.length) / 1_000_000));
    if (endsRow(kept) && !one.xml) continue;
    const { sent, wrong } = await incomplete(one, kept);
    // A mapping that says `optional` has no line end to miss: its check of the totals keeps the cut document back.
    expect([one.name, kept.length, isOptional(one) ? 0 : sent, wrong]).toEqual([one.name, kept.length, 0, 0]);
    if (sent === 0) refused++;
  }
  expect(refused).toBeGreaterThan(runs(150));
});

it('a file cut exactly after a row is detected by totals of the file or of each document, not by rows', async () => {
  const found = new Set<string>();
  for (const one of exports().filter(({ xml }) => !xml)) {
    for (let at = 1; at < one.bytes.length; at++) {
      const kept = one.bytes.subarray(0, at);
      if (endsRow(kept) && (await incomplete(one, kept)).wrong > 0) found.add(one.mapping.id);
    }
  }
  // No total in these: a marker file or a rename has to say that the file is complete.
  expect([...found].sort()).toEqual(['navision-sales', 'report-consumer', 'report-international', 'sv-transfers']);
});
