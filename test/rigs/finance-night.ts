/**
 * The finance night by hand: an instance with 34 documents of yesterday and 660 of tonight, 85 of which need people,
 * and both services imitated by `nightpost sandbox`. Made with public commands only; the same seed, the same night.
 *
 *   node test/rigs/finance-night.ts --keep FOLDER [--language fr|es|en] [--seed N] [--no-run]
 *
 * makes FOLDER/instance and the command FOLDER/nightpost for it (FOLDER/nightpost errors --group cause), and answers as
 * the services until Ctrl+C. --no-run leaves the exports of tonight in the inbox. FOLDER/answers.yaml has the answers,
 * FOLDER/acceptances.jsonl what the services have accepted, finance-causes.ts what is wrong and what is right.
 */
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { parseArgs } from 'node:util';
import { parseDocument, stringify } from 'yaml';
import { commandLineOf, type Ended, start } from '../program.ts';
import type { ExportFile } from './finance-exports.ts';
import { type FinanceNight, makeFinanceNight } from './finance-plan.ts';

export const SEED = 20261121;

export type Finance = AsyncDisposable & {
  /** The instance folder. */
  readonly root: string;
  readonly acceptances: string;
  readonly plan: FinanceNight;
  /** One command on the instance, as a process of its own. */
  readonly nightpost: (...args: string[]) => Promise<Ended>;
  readonly drop: (file: ExportFile) => void;
};

type Options = { readonly seed?: number; readonly language?: string };

/** An instance in `folder`, which has none, after the run of yesterday; the services answer until it is disposed. */
export async function openFinanceNight(
  folder: string,
  { seed = SEED, language = 'fr' }: Options = {},
): Promise<Finance> {
  const plan = makeFinanceNight(seed);
  const root = join(folder, 'instance');
  const acceptances = join(folder, 'acceptances.jsonl');
  if (existsSync(root)) throw new Error(`${root} exists already`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'answers.yaml'), stringify(plan.script));
  const services = await startServices(join(folder, 'answers.yaml'), acceptances);
  const finance: Finance = {
    root,
    acceptances,
    plan,
    nightpost: async (...args) => await start(['-C', root, ...args]).ended,
    drop: ({ name, bytes }) => {
      const path = join(root, 'inbox', name);
      writeFileSync(path, bytes);
      const past = new Date(Date.now() - 60_000);
      utimesSync(path, past, past);
    },
    [Symbol.asyncDispose]: services.stop,
  };
  await must(finance.nightpost('init', root, '--sandbox', '--mappings'), 0);
  writeSettings(root, services.ports, language);
  for (const file of plan.yesterday) finance.drop(file);
  await must(finance.nightpost('run'), 0);
  makeOlder(root);
  return finance;
}

/** Exit code of a run while the till receipts are expected and do not come. */
const EXPORT_MISSING = 7;

/** The run of yesterday was two days ago: exports are expected since the first run. */
function makeOlder(root: string): void {
  using db = new DatabaseSync(join(root, 'state/ledger.sqlite'));
  const before = new Date(Date.now() - 2 * 86_400_000).toISOString();
  db.prepare('UPDATE run SET started_at = ?, ended_at = ?').run(before, before);
}

/** Drops the exports of tonight and runs once. */
export async function playTonight(finance: Finance): Promise<Ended> {
  for (const file of finance.plan.tonight) finance.drop(file);
  return await must(finance.nightpost('run'), EXPORT_MISSING);
}

async function must(ending: Promise<Ended>, code: number): Promise<Ended> {
  const ended = await ending;
  if (ended.code !== code) throw new Error(`ended with ${ended.code}, not ${code}\n${ended.out}\n${ended.err}`);
  return ended;
}

/** `nightpost sandbox` on free ports, ready when it resolves. */
async function startServices(script: string, log: string) {
  const ports = ['--port-fr', '0', '--port-sv', '0'];
  const { child, ended } = start(['sandbox', '--json', ...ports, '--script', script, '--log', log]);
  let text = '';
  const ready = new Promise<void>((done) =>
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      if (text.endsWith('\n}\n')) done();
    }),
  );
  await Promise.race([ready, ended.then(({ err }) => Promise.reject(new Error(err)))]);
  const { services } = JSON.parse(text) as { services: { fr: { 'base-url': string }; sv: { 'issue-url': string } } };
  return {
    ports: { fr: new URL(services.fr['base-url']).port, sv: new URL(services.sv['issue-url']).port },
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** What an administrator fills in: the ports, the language, the company and the exports that are expected. */
function writeSettings(root: string, ports: { readonly fr: string; readonly sv: string }, language: string): void {
  const path = join(root, 'nightpost.yaml');
  const text = readFileSync(path, 'utf8').replaceAll(':7501/', `:${ports.fr}/`).replaceAll(':7502/', `:${ports.sv}/`);
  const settings = parseDocument(text);
  settings.set('company', 'Câbleries du Vallon SAS');
  settings.setIn(['rules', 'language'], language);
  settings.set('receipts', { answers: 'xml' });
  const by = '00:00';
  settings.set('expect', [
    { name: 'factures', files: 'FAC_*.csv', by },
    { name: 'encaissements', files: 'ENC_B2C_*.csv', by },
  ]);
  writeFileSync(path, settings.toString());
}

async function keepByHand(): Promise<void> {
  const { values } = parseArgs({
    options: {
      keep: { type: 'string' },
      language: { type: 'string' },
      seed: { type: 'string' },
      'no-run': { type: 'boolean' },
    },
  });
  const folder = resolve(values.keep ?? 'finance-night');
  const { language = 'fr', seed = String(SEED) } = values;
  await using finance = await openFinanceNight(folder, { language, seed: Number(seed) });
  const command = join(folder, 'nightpost');
  const words = [...commandLineOf(), '-C', finance.root].map((word) => `'${word}'`).join(' ');
  writeFileSync(command, `#!/bin/sh\nexec ${words} "$@"\n`);
  chmodSync(command, 0o755);
  if (values['no-run']) for (const file of finance.plan.tonight) finance.drop(file);
  else console.info((await playTonight(finance)).out);
  console.info(`\n${command} errors --group cause\n\nThe services answer until Ctrl+C (process ${process.pid}).`);
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
}

if (import.meta.main) await keepByHand();
