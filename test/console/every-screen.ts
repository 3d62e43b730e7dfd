/**
 * One instance with something to show on every page, much of it hostile, and the addresses of every page: a new page of the
 * routing table that has none here makes a test fail.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { CONSOLE_ROUTES } from '../../src/console/route-table.ts';
import { openScene, type Scene, type SceneOptions, sales } from '../night.ts';
import { commandIn } from '../program.ts';
import { ask, csrfIn, openConsoleOf, SAME_ORIGIN, signInAs, type TestConsole } from './console.ts';

/** It would run if it were not escaped; the second turns the direction of what follows. */
const HOSTILE = '<img src=x onerror=alert(1)>';
const TURNED = 'Client \u202eLRAS';
/** A megabyte without a place to break, and one that would be an element. */
const ENDLESS = `${HOSTILE} ${'W'.repeat(1_000_000)}`;
/** No file of an export is named like this on Windows. */
const NAMED = process.platform === 'win32' ? 'ventes5.csv' : `ventes5 "&' ${HOSTILE.replaceAll('/', '')}.csv`;

export type FullScene = AsyncDisposable & {
  readonly scene: Scene;
  readonly open: TestConsole;
  /** Id of a document by its number, of an export by its name, of a run and an act. */
  readonly ids: { readonly [name: string]: string };
};

/** Documents in each group of states, refused and hostile exports, a run, an act, a service at rest. */
export async function openFullScene(
  openIn: (options: SceneOptions) => Promise<Scene> = openScene,
  age = makeOlder,
): Promise<FullScene> {
  await using opening = new AsyncDisposableStack();
  const scene = opening.use(
    await openIn({
      sandbox: {
        script: [
          { match: { number: 'C1' }, answer: { code: 6, message: HOSTILE } },
          { match: { number: 'C2' }, answer: { code: 6, message: ENDLESS } },
        ],
      },
      settings: {
        company: 'Exemple SARL',
        expect: [{ name: 'Till', files: 'caisse*.csv', by: '00:00' }],
      },
    }),
  );
  const good = sales(['A1', 'A2', 'A3']).replaceAll('Client A1', HOSTILE).replaceAll('Client A2', TURNED);
  scene.drop('ventes1.csv', good);
  scene.drop('ventes2.csv', sales(['B1', 'B2', 'B3', 'B4']).replaceAll(/;1;2;/g, ';1;2O;'));
  scene.drop('ventes3.csv', sales(['C1', 'C2', 'D1-XLOST', 'D2-XLOST', 'F'.repeat(60)]));
  scene.drop('ventes4.csv', 'Num;Date\nX1;05/09/2026\n');
  scene.drop(NAMED, sales(['E1', 'A1']).replaceAll('05/09/2026', HOSTILE));
  await commandIn(scene, 'run');
  mkdirSync(join(scene.root, 'sample'));
  writeFileSync(join(scene.root, 'sample', 'ventes9.csv'), sales(['Z1']));
  await age(scene);
  await scene.desk(async ({ ledger }) => {
    await ledger.submissions.pause('fr', { cause: 'foreign-echo', says: HOSTILE, at: new Date().toISOString() });
  });
  const entries = await scene.entries();
  const [files, runs] = await scene.look(
    async (ledger) => [await ledger.queries.files({}), await ledger.runs.list(1)] as const,
  );
  const open = opening.use(await openConsoleOf(scene));
  const ids = Object.fromEntries([
    ...entries.map(({ facts, name, id }) => [facts.identifier || name, id]),
    ...files.map(({ name, id }) => [name, id]),
    ['run', runs[0]!.id],
    ['hostile file', files.find(({ name }) => name === NAMED)!.id],
  ]);
  const act = await setAside({ scene, open, ids }, ids.B4!);
  const moved = opening.move();
  return { scene, open, ids: { ...ids, act }, [Symbol.asyncDispose]: () => moved.disposeAsync() };
}

/** Exports are expected since the first run: of two days ago, so that one did not come. */
async function makeOlder({ root }: Scene): Promise<void> {
  using db = new DatabaseSync(join(root, 'state', 'ledger.sqlite'));
  const before = new Date(Date.now() - 2 * 86_400_000).toISOString();
  db.prepare('UPDATE run SET started_at = ?, ended_at = ?').run(before, before);
}

/** The id of the act. */
async function setAside({ scene, open }: Omit<FullScene, keyof AsyncDisposable>, id: string): Promise<string> {
  const session = await signInAs(scene, open, 'operator', HOSTILE);
  const { body } = await ask(open, `${open.base}/work?id=${id}&act=set-aside`, { headers: session });
  const hidden = [...body.slice(body.indexOf('id="act"')).matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)];
  const fields = Object.fromEntries(hidden.map(([, name = '', value = '']) => [name, value.replaceAll('&amp;', '&')]));
  const form = { ...fields, csrf: csrfIn(body), reason: HOSTILE };
  const { headers } = await ask(open, `${open.base}/acts`, { headers: { ...session, ...SAME_ORIGIN }, form });
  return String(headers.location).split('/').at(-1)!;
}

const CAUSE = 'map%2Fnot-a-number%2Fletters%3Asales%40Qte%3D2O';

type Addresses = (ids: FullScene['ids'], person: string) => readonly string[];

/** Below the base, for each route of a page; `file` answers with something to keep, which has no look. */
const SCREENS: { readonly [route: string]: Addresses | 'file' } = {
  '/': () => ['/'],
  '/files': () => ['/files', '/files?state=action'],
  '/files/:id': (ids) => [
    `/files/${ids['ventes2.csv']}`,
    `/files/${ids['ventes4.csv']}`,
    `/files/${ids['hostile file']}`,
  ],
  '/files/:id/archive': 'file',
  '/health': () => ['/health'],
  '/runs': () => ['/runs'],
  '/runs/:id': (ids) => [`/runs/${ids.run}`],
  '/documents': () => ['/documents', '/documents?state=gone', '/documents?state=invalid&mapping=sales'],
  '/documents.csv': 'file',
  '/documents.json': 'file',
  '/documents/:id{[0-9a-f-]+\\.zip}': 'file',
  '/documents/:id': (ids) =>
    ['B1', 'B4', 'C1', 'C2', 'D1-XLOST', 'F'.repeat(60)].map((n) => `/documents/${ids[n]}`).concat('/documents/A1'),
  '/documents/:id/payload': 'file',
  '/documents/:id/answers': 'file',
  '/documents/:id/receipt': 'file',
  '/find': () => ['/find?q=Client', `/find?q=${encodeURIComponent(HOSTILE)}`],
  '/account': () => ['/account'],
  '/people': () => ['/people'],
  '/people/:id': (_, person) => [`/people/${person}`],
  '/work': (ids) => [
    '/work',
    '/work?group=customer',
    `/work?cause=${CAUSE}`,
    `/work?cause=${CAUSE}&fix=Qte&from=2O&to=20`,
    '/work?state=in-doubt',
    `/work?id=${ids['D1-XLOST']}&act=resolve`,
    '/work?act=set-aside',
  ],
  '/acts': () => ['/acts'],
  '/acts/:id': (ids) => [`/acts/${ids.act}`],
  '/mappings': () => ['/mappings'],
  '/mappings/:id': () => ['/mappings/sales', '/mappings/sales?tests=run'],
  '/mappings/:id/studio': () => ['/mappings/sales/studio'],
};

/** Pages outside of the routing table. */
const OTHERS = ['/login', '/login?next=%2Fwork', '/nowhere', '/documents/nothing'];

/** Every route that answers a person who follows a link. */
export const PAGE_ROUTES = CONSOLE_ROUTES.filter(({ method, kind }) => method === 'GET' && kind !== 'api').map(
  ({ path }) => path,
);

export const LISTED_ROUTES = Object.keys(SCREENS);

/** The address of every page, `person` being the id of someone else. */
export function addressesOf({ ids }: FullScene, person: string): readonly string[] {
  return [...Object.values(SCREENS).flatMap((screen) => (screen === 'file' ? [] : screen(ids, person))), ...OTHERS];
}
