/**
 * The likeliest mistakes, and to the letter what is said about each: what a consultant or accountant reads.
 *
 * The tables are test/messages/*.yaml. `NIGHTPOST_UPDATE=1` writes what is said today: read it aloud before you commit.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import iconv from 'iconv-lite';
import { afterAll, describe, expect, test } from 'vitest';
import { type Document, isMap, isSeq, parseDocument, Scalar } from 'yaml';
import { type Fault, showFault } from '../src/model/fault.ts';
import { ENCODINGS, FILES, writeFiles } from './messages/instance.ts';
import { command } from './program.ts';

/** One row of a table. */
type Mistake = {
  readonly mistake: string;
  /** The file it is made in; an export is previewed, anything else is checked. */
  readonly in: string;
  /** Text there -> text instead; the first place counts, `all:` in front every one. */
  readonly change?: { readonly [text: string]: string };
  /** Other files that go with it, as `change`. */
  readonly with?: { readonly [path: string]: { readonly [text: string]: string } };
  /** Instead of all of the file. */
  readonly content?: string;
  readonly encoding?: string;
  /** The file comes under another name. */
  readonly name?: string;
  /** The command that is typed, where it is neither check nor preview. */
  readonly command?: string;
  readonly says: string;
};

const UPDATE = process.env.NIGHTPOST_UPDATE === '1';
const folder = join(import.meta.dirname, 'messages');
const root = mkdtempSync(join(tmpdir(), 'np-messages-'));
afterAll(() => rmSync(root, { recursive: true }));

function changed(path: string, changes: NonNullable<Mistake['change']>): string {
  return Object.entries(changes).reduce((text, [from, to]) => {
    const [, every, old = from] = /^(all:)(.*)$/s.exec(from) ?? [];
    if (!text.includes(old)) throw new Error(`${path} has no "${old}"`);
    return every ? text.replaceAll(old, to) : text.replace(old, () => to);
  }, FILES[path] ?? '');
}

function bytesOf(path: string, text: string, encoding = ENCODINGS[path] ?? 'utf-8'): Uint8Array {
  return iconv.encode(text, encoding.replace(/-bom$/, ''), { addBOM: encoding.endsWith('-bom') });
}

async function told({
  in: path,
  change = {},
  with: others = {},
  content,
  encoding,
  name,
  ...more
}: Mistake): Promise<string> {
  const texts = Object.keys(FILES).map((file): [string, Uint8Array] => {
    const text = file === path ? (content ?? changed(file, change)) : changed(file, others[file] ?? {});
    return [file, bytesOf(file, text, file === path ? encoding : undefined)];
  });
  const files = {
    ...Object.fromEntries(texts),
    ...(name ? { [name]: texts.find(([file]) => file === path)![1] } : {}),
  };
  if (!(path in files)) files[path] = bytesOf(path, content ?? '', encoding);
  rmSync(root, { recursive: true });
  writeFiles(root, files);
  if (more.command) return plain((await command(['-C', root, ...more.command.replace('{root}', root).split(' ')])).err);
  if (path.endsWith('.yaml') || path.startsWith('tables/')) return plain((await command(['-C', root, 'check'])).out);
  const { out, err } = await command(['-C', root, '--json', 'preview', join(root, name ?? path)]);
  // A failure before the first document is an object of its own.
  const printed = JSON.parse(out) as readonly { readonly faults: readonly Fault[] }[] | { readonly error: object };
  const documents = 'error' in printed ? [] : printed;
  const faults = documents.flatMap((document) => document.faults.map(showFault));
  // A file that is refused half-way shows the documents before it, and why it is refused.
  const ended = faults.length > 0 && err.includes('; nothing was sent.');
  return plain([...faults, ...(ended ? [] : [err])].join('\n'));
}

function plain(text: string): string {
  return `${text
    .replaceAll(root, '.')
    .replaceAll(process.cwd(), '.')
    .replace(/\nnightpost: preview\/file-refused: .*\n?/, '')
    .trimEnd()}\n`;
}

function tables(): readonly (readonly [name: string, document: Document, rows: readonly Mistake[]])[] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.yaml'));
  return names.map((name) => {
    const document = parseDocument(readFileSync(join(folder, name), 'utf8'));
    return [name, document, document.toJS() as readonly Mistake[]];
  });
}

describe.each(tables())('%s', (name, document, rows) => {
  test.each(rows.map((row, at) => [row.mistake, row, at] as const))('%s', async (_, row, at) => {
    const says = await told(row);
    if (UPDATE && isSeq(document.contents)) {
      const item = document.contents.items[at];
      const block = new Scalar(says);
      block.type = Scalar.BLOCK_LITERAL;
      if (isMap(item)) item.set('says', block);
      writeFileSync(join(folder, name), document.toString({ lineWidth: 0 }));
    } else expect(says).toBe(row.says);
  });
});

test('without a mistake nothing is said', async () => {
  const start = { mistake: '', says: '' };
  expect(await told({ ...start, in: 'nightpost.yaml' })).toBe('\n');
  for (const path of ['FAC_0905.csv', 'CMD_0905.xml', 'REC_0905.txt']) {
    expect(await told({ ...start, in: path })).toMatch(/^\d documents, 0 with faults; nothing was sent\.\n$/);
  }
});
