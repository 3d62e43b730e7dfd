/**
 * The parts of the program that cases call in their own process. They are found by the names of their files, so that a bench
 * also runs in a commit that has them elsewhere; one that a commit does not have ends the case with its name.
 */
import { cpSync, existsSync, globSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import type { Format } from './exports/format.ts';
import { ROOT } from './folders.ts';

type Modules = {
  'instance.ts': typeof import('../src/instance/instance.ts');
  'admit-file.ts': typeof import('../src/pipeline/admission/admit-file.ts');
  'select-mapping.ts': typeof import('../src/pipeline/intake/select-mapping.ts');
  'write-in-worker.ts': typeof import('../src/receipts/write-in-worker.ts');
  'fsync-directory.ts': typeof import('../src/files/fsync-directory.ts');
  'describe.ts': typeof import('../src/sandbox/describe.ts');
  'convert-file.ts': typeof import('../src/pipeline/conversion/convert-file.ts');
};

/** A commit does not have the part of the program that a case is about. */
export class LackingError extends Error {}

/** What a module of the program exports under a name. */
export async function partOf<N extends keyof Modules, E extends keyof Modules[N]>(
  file: N,
  name: E,
): Promise<Modules[N][E]> {
  const [path] = globSync(`src/**/${file}`, { cwd: ROOT });
  if (path === undefined) throw new LackingError(file);
  const module = (await import(join(ROOT, path))) as Modules[N];
  if (!(name in module)) throw new LackingError(`${String(name)} of ${file}`);
  return module[name];
}

/** Services on this machine that nobody starts, for cases that send nothing. */
const UNUSED = {
  fr: {
    ...{ url: 'http://127.0.0.1:9', identityUrl: 'http://127.0.0.1:9/identity', realm: 'bench', clientId: 'bench' },
    ...{ clientSecret: 'bench', reportPath: '/reports', consultationPath: '/documents/{identifier}' },
  },
  sv: {
    ...{ authUrl: 'http://127.0.0.1:9/auth', issueUrl: 'http://127.0.0.1:9/issue', user: 'bench', password: 'bench' },
    ...{
      credentialsHeader: 'X-Credentials',
      serviceIdParameter: 'serviceId',
      consultationPath: '/documents/{identifier}',
    },
  },
};

async function unusedService(): Promise<Service> {
  const describeSandbox = await partOf('describe.ts', 'describeSandbox');
  return describeSandbox(UNUSED);
}

/** What a running service asks of its clients: settings, and variables with secrets. */
export type Service = {
  readonly services: { readonly fr: object; readonly sv: object };
  readonly environment: Variables;
};
export type Variables = { readonly [name: string]: string };

/** Writes an instance: the settings that every new one has, one shipped mapping, and what `own` adds. */
export function writeInstance(folder: string, format: Format, { services }: Service, own: object = {}): void {
  const mappings = join(folder, 'mappings');
  for (const name of ['mappings', 'inbox']) mkdirSync(join(folder, name), { recursive: true, mode: 0o700 });
  for (const name of ['blocks', 'tables']) {
    cpSync(join(ROOT, 'mappings', name), join(mappings, name), { recursive: true });
  }
  const shipped = join(ROOT, 'mappings', `${format.mapping}.yaml`);
  if (!existsSync(shipped)) throw new LackingError(`mappings/${format.mapping}.yaml`);
  const text = readFileSync(shipped, 'utf8');
  writeFileSync(join(mappings, `${format.mapping}.yaml`), format.adapt?.(text) ?? text);
  const service = services[format.service];
  const settings = { version: 1, services: { [format.service]: service }, inbox: { settle: '1ms' }, ...own };
  writeFileSync(join(folder, 'nightpost.yaml'), stringify(settings), { mode: 0o600 });
}

export type Account = { readonly documents: number; readonly warnings: number; readonly refused: number };

/**
 * Converts the files of a folder as a run of a new instance does, each with the mapping that it selects and under its
 * rules, on the day of the format. `take` gets the bytes of each document; `bytes` replaces those of a file.
 */
export async function openConverter(folder: string, format: Format, given?: Service) {
  const readInstance = await partOf('instance.ts', 'readInstance');
  const selectMapping = await partOf('select-mapping.ts', 'selectMapping');
  const inputFor = await partOf('admit-file.ts', 'inputFor');
  const convert = await partOf('convert-file.ts', 'convert');
  const service = given ?? (await unusedService());
  writeInstance(folder, format, service);
  const instance = readInstance(folder, { variables: service.environment });
  const inputOf = async (path: string, name: string) => {
    const file = { name, path, claimedAt: `${format.today}T12:00:00Z` };
    const chosen = await selectMapping({ instance }, file);
    if ('faults' in chosen) throw new Error(JSON.stringify(chosen.faults[0]));
    return inputFor({ instance }, file, chosen.mapping);
  };
  const convertAll = async (
    exports: string,
    take: (content: Uint8Array) => void,
    bytes?: AsyncIterable<Uint8Array>,
  ): Promise<Account> => {
    let [documents, warnings, refused] = [0, 0, 0];
    for (const name of readdirSync(exports).sort()) {
      const input = await inputOf(join(exports, name), name);
      for await (const { outcomes } of convert({ ...input, ...(bytes && { bytes }) })) {
        for (const outcome of outcomes) {
          if (!('document' in outcome)) {
            refused++;
            continue;
          }
          documents++;
          warnings += outcome.document.warnings.length;
          take(outcome.document.content);
        }
      }
    }
    return { documents, warnings, refused };
  };
  return { instance, inputOf, convertAll };
}
