/** Exports, names, mappings and settings that mean harm, through whole nights and the loaders. */

import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { loadMappings, mappingWorld } from '../../src/instance/instance.ts';
import { readConfig } from '../../src/instance/settings.ts';
import { loadMapping } from '../../src/mapping/mapping.ts';
import { OperatorError } from '../../src/model/fault.ts';
import { convertSample } from '../../src/views/preview/run-mapping-tests.ts';
import { cpuTimeMs } from '../cpu-time.ts';
import { openScene, SALES_MAPPING, sales, tally } from '../night.ts';

const XML_MAPPING = SALES_MAPPING.replace('mapping: sales', 'mapping: xml')
  .replace('files: "ventes*.csv"', 'files: "*.xml"')
  .replace(
    /source:[\s\S]*?calculated-columns/,
    `source:
  format: xml
  numbers: { decimal: "." }
  dates: yyyy-MM-dd
  row: /r/l
  columns: { Num: "@num", Client: c, Lig: "@n", Date: d, Qte: q, PU: p, Taux: t }
  types: { Date: date, Qte: number, PU: number, Taux: number }
calculated-columns`,
  );

const line = (client: string) => `<l num="F1" n="1"><c>${client}</c><d>2026-09-05</d><q>2</q><p>10.50</p><t>20</t></l>`;

/** What may not have grown by reading foreign text. */
function polluted(): readonly string[] {
  const grown = ['isAdmin', 'polluted', 'x', 'Client'].filter((name) => name in {});
  return [...grown, ...Object.keys(Object.prototype)];
}

afterEach(() => expect(polluted()).toEqual([]));

test('XML that reads files, calls servers or grows is refused whole: no request, no byte of the file, no document', async () => {
  let asked = 0;
  const trap = createServer((_, response) => {
    asked++;
    response.end('trap');
  });
  await new Promise<void>((resolve) => trap.listen(0, '127.0.0.1', resolve));
  const { port } = trap.address() as AddressInfo;
  const folder = mkdtempSync(join(tmpdir(), 'nightpost-bait-'));
  writeFileSync(join(folder, 'bait'), 'BAIT-4711');
  await using scene = await openScene({ mappings: { 'xml.yaml': XML_MAPPING } });
  scene.drop('good.xml', `<r>${line('Dupont')}</r>`);
  const bombs = [
    `<!DOCTYPE r [<!ENTITY f SYSTEM "file://${folder}/bait">]><r>${line('&f;')}</r>`,
    `<!DOCTYPE r [<!ENTITY u SYSTEM "http://127.0.0.1:${port}/x">]><r>${line('&u;')}</r>`,
    `<!DOCTYPE r SYSTEM "http://127.0.0.1:${port}/x.dtd"><r>${line('x')}</r>`,
    `<!DOCTYPE r [<!ENTITY % p SYSTEM "http://127.0.0.1:${port}/p">%p;]><r>${line('x')}</r>`,
    `<!DOCTYPE r [<!ENTITY a "lol">${'bcdefghij'
      .split('')
      .map((name, at) => `<!ENTITY ${name} "${`&${'abcdefghi'[at]};`.repeat(10)}">`)
      .join('')}]><r>${line('&j;')}</r>`,
    `<!DOCTYPE r [<!ENTITY a "${'A'.repeat(50_000)}">]><r>${line('&a;'.repeat(50_000))}</r>`,
    `<?xml-stylesheet href="http://127.0.0.1:${port}/s"?><r xmlns:xi="http://www.w3.org/2001/XInclude"><xi:include href="file://${folder}/bait"/>&x;</r>`,
    `<r>${'<a>'.repeat(100_000)}</r>`,
    `<r>${line(`${'x'.repeat(33 * 1024 * 1024)}`)}</r>`,
    `<r><l ${Array.from({ length: 5_000 }, (_, at) => `a${at}="1"`).join(' ')}/></r>`,
  ];
  for (const [at, bomb] of bombs.entries()) scene.drop(`bomb-${at}.xml`, bomb);
  const started = cpuTimeMs();
  await scene.night();
  expect(cpuTimeMs() - started).toBeLessThan(20_000);
  trap.close();
  expect(asked).toBe(0);
  expect(tally(await scene.entries())).toEqual({ authorized: 1 });
  expect(scene.sandbox.requests().fr.submit).toBe(1);
  expect(scene.files('error').filter((path) => path.endsWith('.summary.json'))).toHaveLength(bombs.length);
  const kept = scene.files('.').filter((path) => !path.startsWith('archive/'));
  expect(kept.filter((path) => readFileSync(join(scene.root, path), 'latin1').includes('BAIT-4711'))).toEqual([]);
  rmSync(folder, { recursive: true });
});

test('columns and elements named like properties of objects are columns and elements', async () => {
  const mapping = SALES_MAPPING.replace('$Client', "'$[__proto__]'").replace('mapping: sales', 'mapping: proto');
  const head = 'Num;Date;__proto__;constructor;toString;Lig;Qte;PU;Taux';
  await using scene = await openScene({
    mappings: { 'proto.yaml': mapping.replaceAll('PU: number', 'PU: number, constructor: number') },
  });
  scene.drop('ventes.csv', `${head}\nF1;05/09/2026;isAdmin=1;7;y;1;2;10,50;20\n`);
  const { told } = await scene.night();
  expect(told.filter(({ what }) => what === 'file-refused')).toEqual([]);
  const entries = await scene.entries();
  const faults = entries.flatMap((entry) => entry.faults.map(({ code }) => code));
  // Either the name is refused when the mapping is loaded, or the cell is read to the letter.
  expect([faults, entries.map(({ facts }) => facts.counterparty)]).toEqual([[], ['isAdmin=1']]);
});

describe('document numbers as paths', () => {
  const NUMBERS = [
    '../../../escaped',
    '/etc/escaped',
    'a/../../escaped',
    '..\\..\\escaped',
    'C:\\escaped',
    'CON',
    'nul.txt',
    'COM1',
    'a\u0001b',
    '.',
    '..',
    '...',
    'x. ',
    'F:stream',
    '~',
    '-rf',
    'é',
    'e\u0301',
    'É',
    'a'.repeat(300),
    `${'a'.repeat(299)}b`,
    '%2e%2e%2fescaped',
    '\u202egnp.exe',
  ];

  /** é and e with an accent after it are one number: their rows are one document. */
  const DOCUMENTS = new Set(NUMBERS.map((number) => number.normalize('NFC'))).size;

  test('receipts of hostile numbers stay in their folder, each has its own, and no file is outside', async () => {
    await using scene = await openScene();
    const outside = () => readdirSync(dirname(scene.root)).filter((name) => /escaped/.test(name));
    const before = outside();
    const rows = NUMBERS.map((number) => `"${number}";05/09/2026;Client;1;2;10,50;20`);
    scene.drop('ventes.csv', ['Num;Date;Client;Lig;Qte;PU;Taux', ...rows, ''].join('\n'));
    await scene.night();
    const entries = await scene.entries();
    expect(entries.length).toBe(DOCUMENTS);
    const all = ['outbox', 'error', 'pending'].flatMap((folder) => scene.files(folder));
    const receipts = all.filter((path) => /\.receipt\.json$/.test(path));
    expect(receipts.length).toBe(DOCUMENTS);
    const folded = receipts.map((path) => path.normalize('NFC').toLowerCase());
    expect(new Set(folded).size).toBe(DOCUMENTS);
    for (const path of receipts) {
      const [folder, day, name, ...rest] = path.split('/');
      expect(rest).toEqual([]);
      expect([folder, day]).toEqual([
        expect.stringMatching(/^(outbox|error|pending)$/),
        expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      ]);
      expect(Buffer.byteLength(name!)).toBeLessThanOrEqual(255);
      expect(name).not.toMatch(/^(con|nul|com1)\b|[\\:\u0000-\u001f\u202e]|[. ]$/i);
    }
    expect(outside()).toEqual(before);
    expect(existsSync('/etc/escaped')).toBe(false);
    const read = receipts.map(
      (path) => (JSON.parse(scene.read(path)) as { document: { identifier: string } }).document.identifier,
    );
    expect(new Set(read)).toEqual(new Set(entries.map(({ facts }) => facts.identifier)));
  });

  test('a number with a NUL makes no document and no file of that name', async () => {
    await using scene = await openScene();
    scene.drop('ventes.csv', `Num;Date;Client;Lig;Qte;PU;Taux\n"a\u0000b";05/09/2026;C;1;2;10,50;20\n`);
    await scene.night();
    expect(await scene.entries()).toEqual([]);
    expect(scene.sandbox.requests().fr.submit).toBe(0);
  });
});

describe('mappings', () => {
  const load = (text: string) => loadMapping(text, 'm.yaml', mappingWorld(tmpdir()));

  test.each(['__proto__', 'constructor', 'prototype'])('%s is no target', (name) => {
    for (const bad of [
      SALES_MAPPING.replace('output:', `output:\n  ${name}: { isAdmin: true }`),
      SALES_MAPPING.replace('currency: EUR }', `currency: EUR, ${name}: { isAdmin: true } }`),
    ]) {
      const { mapping, faults } = load(bad);
      expect(mapping).toBeUndefined();
      expect(faults.every(({ mark }) => mark !== undefined)).toBe(true);
    }
  });

  test.each(['(a+)+$', '(a|a)*$', '(x+x+)+y', '^([a-z]+)*\\d$', '(.*)*(.*)*(.*)*!'])(
    'the pattern %s takes linear time',
    async (pattern) => {
      const mapping = SALES_MAPPING.replace(
        'name: $Client',
        `name: '= IF(MATCHES($Client, "${pattern.replaceAll('\\', '\\\\')}"), "yes", "no")'`,
      );
      expect(load(mapping).faults).toEqual([]);
      await using scene = await openScene({ mappings: { 'sales.yaml': mapping } });
      scene.drop('ventes.csv', sales(['F1']).replaceAll('Client F1', `${'a'.repeat(40_000)}!x`));
      const started = cpuTimeMs();
      await scene.night();
      expect(cpuTimeMs() - started).toBeLessThan(5_000);
      expect((await scene.entries()).length).toBe(1);
    },
  );

  test('tables and samples are read from inside the instance alone', async () => {
    await using scene = await openScene();
    const { readText } = mappingWorld(scene.root);
    mkdirSync(join(scene.root, 'tables'));
    writeFileSync(join(scene.root, 'tables/t.csv'), 'a;b\n');
    expect(readText('tables/t.csv')).toBe('a;b\n');
    for (const path of ['/etc/passwd', '../../../../etc/passwd', 'tables/../../etc/passwd', 'tables\0/t.csv']) {
      expect(readText(path), path).toBeUndefined();
    }
  });

  test('what holds secrets and documents is no table and no sample, by whatever way it is named', async () => {
    await using scene = await openScene();
    const root = scene.root;
    const put = (path: string, text: string) => {
      mkdirSync(join(root, dirname(path)), { recursive: true });
      writeFileSync(join(root, path), text);
      return path;
    };
    const folders = [
      'secrets',
      'state',
      'logs',
      'processing',
      'outbox',
      'pending',
      'error',
      'archive',
      'reports',
      'backups',
    ];
    const held = folders.map((folder) => put(`${folder}/t.csv`, 'erp;code\nhunter2;x\n'));
    const named = put('keys/fr', 'erp;code\nhunter2;x\n');
    const key = put('keys/tls.pem', 'erp;code\nhunter2;x\n');
    const settings = readFileSync(join(root, 'nightpost.yaml'), 'utf8');
    const written = ['keys/fr folded.txt', 'keys/a b', 'keys/escaped', 'keys/shared', 'keys/own line'];
    for (const path of written) put(path, 'erp;code\nhunter2;x\n');
    const odd = `environments:
  test:
    services:
      fr: { client-secret: { file: 'keys/a b' } }
      sv: { credentials: { "file": "keys\\x2fescaped" }, user: &shared keys/shared, password: { file: *shared } }
  other:
    services:
      fr: { client-secret: { file: keys/own line } }
      sv:
        credentials:
          file: >-
            keys/fr
            folded.txt
`;
    put('nightpost.yaml', `${settings}\n# client-secret: { file: keys/fr }\n# key-file: keys/tls.pem\n${odd}`);
    mkdirSync(join(root, 'tables'));
    for (const [n, path] of [...held, named].entries())
      symlinkSync(join(root, path), join(root, `tables/link-${n}.csv`));
    symlinkSync(join(root, 'secrets'), join(root, 'tables/folder'));
    const links = [...held, named].map((_, n) => `tables/link-${n}.csv`);
    const others = [
      'Secrets/t.csv',
      './secrets/t.csv',
      'tables/folder/t.csv',
      'nightpost.yaml',
      '.env',
      put('.hidden/t.csv', 'x'),
    ];
    const { readText } = mappingWorld(root);
    for (const path of [...held, named, key, ...written, ...links, ...others]) {
      expect(readText(path), path).toBeUndefined();
      expect(await convertSample(scene.instance(), scene.instance().mappings[0]!, path), path).toBeUndefined();
    }
    const mapping = SALES_MAPPING.replace(
      'documents:',
      'tables:\n  s: { file: secrets/t.csv, key: erp, value: nothing }\ndocuments:',
    );
    const { faults } = loadMapping(mapping, 'mappings/sales.yaml', mappingWorld(root));
    expect(faults.map(({ code }) => code)).toContain('map/table-outside');
    expect(JSON.stringify(faults)).not.toContain('hunter2');
  });

  test.skipIf(process.platform === 'win32')(
    'a pipe and a link in mappings/ are refused at once, and nothing of a linked file is shown (not on Windows)',
    async () => {
      await using scene = await openScene();
      const pipe = join(scene.root, 'mappings/pipe.yaml');
      execFileSync('sh', ['-c', 'mkfifo "$0"', pipe]);
      expect(() => loadMappings(scene.root)).toThrow(expect.objectContaining({ code: 'mapping/unreadable' }));
      expect(mappingWorld(scene.root).readText('mappings/pipe.yaml')).toBeUndefined();
      rmSync(pipe);
      symlinkSync('/etc/passwd', pipe);
      expect(() => loadMappings(scene.root)).toThrow(
        expect.objectContaining({ code: 'mapping/unreadable', message: expect.not.stringContaining('root:') }),
      );
      rmSync(pipe);
      // As a container mounts them.
      mkdirSync(join(scene.root, 'mappings/..data'));
      renameSync(join(scene.root, 'mappings/sales.yaml'), join(scene.root, 'mappings/..data/sales.yaml'));
      symlinkSync('..data/sales.yaml', join(scene.root, 'mappings/sales.yaml'));
      expect(loadMappings(scene.root).mappings.map(({ id }) => id)).toEqual(['sales']);
      writeFileSync(join(scene.root, 'mappings/long.yaml'), `# ${'x'.repeat(2 * 1024 * 1024)}`);
      expect(loadMappings(scene.root).faults.map(({ code }) => code)).toEqual(['yaml/too-large']);
    },
  );
});

describe('settings', () => {
  const faultsOf = (text: string): readonly string[] => {
    try {
      readConfig(text, 'nightpost.yaml');
      return [];
    } catch (error) {
      expect(error).toBeInstanceOf(OperatorError);
      return (error as OperatorError).faults.map(({ code }) => code);
    }
  };

  test.each([
    ['a property of all objects', 'version: 1\n__proto__: { polluted: true }\n'],
    ['the same, deeper', 'version: 1\nrun: { __proto__: { polluted: true } }\n'],
    [
      'the same, laid over by an environment',
      'version: 1\nenvironment: t\nenvironments: { t: { __proto__: { polluted: true } } }\n',
    ],
    [
      'the same, deeper there',
      'version: 1\nenvironment: t\nenvironments: { t: { run: { __proto__: { x: 1 }, constructor: { x: 1 } } } }\n',
    ],
    ['code by tag', 'version: 1\ncompany: !!js/function "function () { return 1 }"\n'],
    ['a merge key', 'version: 1\nrun: { <<: { max-errors: 1 } }\n'],
    ['a literal secret', 'version: 1\nservices: { sv: { credentials: "user:hush" } }\n'],
  ])('%s is refused with a place', (_, text) => {
    expect(faultsOf(text).length).toBeGreaterThan(0);
  });

  const address = (url: string) =>
    faultsOf(`version: 1\nservices:\n  fr:\n    base-url: '${url}'\n    identity-url: https://identity.example
    realm: r\n    client-id: c\n    client-secret: { env: S }\n    sender-id: s\n    integration: { id: i, name: n, version: '1' }\n`);

  test.each([
    'http://fr.example',
    'http://localhost.evil.example',
    'http://127.0.0.1.evil.example',
    'http://169.254.169.254/latest',
    'http://[::ffff:127.0.0.1]/',
    'http://0.0.0.0/',
    'http://10.0.0.1/',
    'https://user:password@fr.example',
    'https://fr.example@evil.example',
    'https://fr.example/?key=1',
    'https://fr.example/#x',
    'ftp://fr.example',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'data:text/plain,x',
  ])('%s is no address', (url) => {
    expect(address(url).length).toBeGreaterThan(0);
  });

  test.each([
    'https://fr.example',
    'http://127.0.0.1:7501/x',
    'http://2130706433:7501',
    'http://localhost:1',
    'http://[::1]:1',
  ])('%s is one (a number that means this machine is this machine)', (url) => {
    expect(address(url)).toEqual([]);
  });
});
