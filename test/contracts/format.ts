/**
 * What the program does with a format besides reading it: its own bytes are recognized, take their mapping among others
 * of the same name, are converted by preview and run, found again in the archive, and drafted by `infer`.
 */
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Instance, readInstance } from '../../src/instance/instance.ts';
import type { Mapping } from '../../src/mapping/mapping.ts';
import { must } from '../../src/model/must.ts';
import { classify } from '../../src/pipeline/intake/classify-file.ts';
import { describeSandbox } from '../../src/sandbox/describe.ts';
import { filledIn, inferMapping } from '../../src/views/preview/infer-mapping.ts';
import { preview } from '../../src/views/preview/preview-files.ts';
import { sourceParts } from '../../src/views/queries/source-parts.ts';
import { openShipped, REPOSITORY, type Shipped } from '../samples/instance.ts';
import { spendNight } from '../samples/night.ts';

export type FormatSample = {
  /** An export that `infer` drafts a mapping of; for a format without rows, one that a shipped mapping takes. */
  readonly path: string;
  readonly target: string;
  /** How many it has, right or not. */
  readonly documents: number;
  /** For a format without rows: its shipped mapping. */
  readonly mapping?: string;
};

const TODAY = '2026-11-20';
/** Files of its name could also be of this mapping, which has another format. */
const OTHER = { csv: 'divalto-xml', default: 'sage-invoices' };

export function formatContract(format: string, sample: FormatSample): void {
  describe(`format contract: ${format}`, () => {
    const hasRows = sample.mapping === undefined;
    let shipped: Shipped;
    let instance: Instance;
    let mapping: Mapping;
    let file: { readonly name: string; readonly path: string; readonly claimedAt: string };
    beforeAll(async () => {
      shipped = await openShipped();
      const { folder } = shipped.instance;
      const path = join(folder, basename(sample.path));
      copyFileSync(join(REPOSITORY, sample.path), path);
      file = { name: basename(path), path, claimedAt: `${TODAY}T12:00:00Z` };
      if (hasRows) await writeDraft(folder);
      const { environment } = describeSandbox(shipped.sandbox);
      instance = readInstance(folder, { variables: environment });
      mapping = mappingOf(sample.mapping ?? 'zz-draft');
    });
    afterAll(async () => await shipped[Symbol.asyncDispose]());

    const request = (folder: string) => ({
      bytes: readFileSync(file.path),
      file: file.name,
      target: sample.target,
      folder,
    });
    const writeDraft = async (folder: string) => {
      const out = join(folder, 'mappings/zz-draft.yaml');
      const drafted = await inferMapping({ ...request(folder), out });
      writeFileSync(out, filledIn(drafted.mapping));
      if (!drafted.sample) return;
      mkdirSync(dirname(drafted.sample.path), { recursive: true });
      writeFileSync(drafted.sample.path, drafted.sample.bytes);
    };
    const mappingOf = (id: string) =>
      must(
        instance.mappings.find((one) => one.id === id),
        id,
      );
    /** The instance with its mapping and another one for files of the same name. */
    const withRival = (): Instance => {
      const rival = mappingOf(OTHER[format === 'csv' ? 'csv' : 'default']);
      const { files } = mapping.accepts;
      return { ...instance, mappings: [mapping, { ...rival, accepts: { ...rival.accepts, files } }] };
    };

    it('is drafted by infer, and the draft makes the documents', async () => {
      const drafted = inferMapping(request(instance.folder));
      if (!hasRows) return await expect(drafted).rejects.toMatchObject({ code: 'infer/not-an-export' });
      const { mapping: text, trial } = await drafted;
      expect(text).toContain(`\n  format: ${format}`);
      expect(trial.documents).toBe(sample.documents);
    });

    it('is no correction file, and takes its own mapping, by its path and from memory', async () => {
      for (const content of [undefined, readFileSync(file.path)]) {
        const found = await classify({ instance: withRival() }, file, content);
        expect(found).toMatchObject({ kind: 'ordinary', mapping: { id: mapping.id } });
      }
    });

    it('gives its documents in a preview and in a run', async () => {
      const alone: Instance = { ...instance, mappings: [mapping] };
      const previewed = await previewedRows(alone);
      const [night] = await spendNight({ ...shipped, instance: alone }, [file.path], TODAY);
      const recorded = night!.entries.map(({ entry }) => entry.rows);
      expect(recorded).toHaveLength(sample.documents);
      expect(previewed).toEqual(recorded);
    });

    it.runIf(hasRows)('has its rows in the archived file, part by part', async () => {
      const { format: name, options } = mapping.source;
      const bounds = { ...instance.limits.document, key: mapping.key };
      const archived = { name: file.name, path: file.path, format: name, options, encoding: undefined, bounds };
      for (const rows of await previewedRows({ ...instance, mappings: [mapping] }))
        expect(await sourceParts(archived, rows)).not.toEqual([]);
    });

    const previewedRows = async (alone: Instance) => {
      const all: (readonly number[])[] = [];
      for await (const { rows } of preview(alone, file.path, new Date(file.claimedAt))) all.push(rows);
      return all;
    };
  });
}
