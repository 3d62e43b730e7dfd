/** What editors, issue forms and new contributors read agrees with the repository. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { writeSchemas } from '../src/authoring/write-schemas.ts';

const root = join(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

test('version managers and editors choose the Node that the scripts run on', () => {
  const { version } = JSON.parse(read('runtime/package.json')) as { version: string };
  const major = version.slice(0, version.indexOf('.'));
  expect([read('.nvmrc').trim(), read('.node-version').trim()]).toEqual([major, major]);
});

test('every schema that the editor settings name is one that "nightpost schema" writes', async () => {
  const settings = JSON.parse(read('.vscode/settings.json')) as { 'yaml.schemas': { [path: string]: string[] } };
  const named = Object.keys(settings['yaml.schemas']);
  const folder = mkdtempSync(join(tmpdir(), 'nightpost-schemas-'));
  try {
    const written = (await writeSchemas(root, folder)).map(({ path }) => path.replace(folder, './.nightpost'));
    expect(named.length).toBe(2);
    expect(named.filter((path) => !written.includes(path))).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('every issue form has a name, a description and fields with an id of their own', () => {
  const forms = readdirSync(join(root, '.github/ISSUE_TEMPLATE')).filter((name) => name !== 'config.yml');
  expect(forms.length).toBeGreaterThan(2);
  for (const form of forms) {
    const { name, description, body } = parse(read(`.github/ISSUE_TEMPLATE/${form}`)) as {
      name: string;
      description: string;
      body: readonly { type: string; id?: string; attributes: { label?: string } }[];
    };
    expect([name, description].every((text) => text.length > 3)).toBe(true);
    const fields = body.filter(({ type }) => type !== 'markdown');
    expect(new Set(fields.map(({ id }) => id)).size).toBe(fields.length);
    expect(fields.every(({ id, attributes }) => id && attributes.label)).toBe(true);
  }
});

test('the directory guide has one line for each folder of src, and names its rooms', () => {
  const guide = /^## Folders of src$([\s\S]*?)^## /m.exec(read('CONTRIBUTING.md'))?.[1] ?? '';
  const lines = new Map([...guide.matchAll(/^\| `([^`]+)` \| (.*) \|$/gm)].map(([, name, text]) => [name, text]));
  const foldersOf = (path: string) =>
    readdirSync(join(root, path), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);
  const folders = foldersOf('src');
  expect([...lines.keys()].sort()).toEqual(folders.sort());
  const unnamed = folders.flatMap((folder) =>
    foldersOf(`src/${folder}`).filter((room) => !lines.get(folder)?.includes(`\`${room}\``)),
  );
  expect(unnamed).toEqual([]);
});
