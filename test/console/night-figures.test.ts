/**
 * One night after the other: a stop, an outage, a correction, its undo, documents set aside and back, a second export of a number, a
 * clock that is set ahead and back. After each step report, mail, webhook, `status`, `errors`, `list`, metrics and the console say the
 * same, and have the sums that this test adds up from its exports and from what the service received.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import PostalMime from 'postal-mime';
import { expect, test, vi } from 'vitest';
import { moveClock } from '../moved-clock.ts';
import { openScene, SALES_MAPPING, type Scene, sales } from '../night.ts';
import { mailServer, webReceiver } from '../notices/receivers.ts';
import { commandIn, startIn } from '../program.ts';
import { type Api, openApi } from './api-client.ts';
import { ask, openConsoleOf, signInAs } from './console.ts';

const DAY_MS = 86_400_000;
const CREDITS = SALES_MAPPING.replace('mapping: sales', 'mapping: credits')
  .replace('ventes*.csv', 'avoirs*.csv')
  .replace('class: invoice', 'class: credit-note');
/** Two lines of 10.50 each, and 20 percent of tax. */
const CENTS_OF_ONE = 2520;

type Listed = { readonly number: string; readonly state: string; readonly amount?: string; readonly closed?: string };
type Sums = { readonly [currency: string]: string };
type Places = { readonly [place in 'read' | 'sent' | 'waiting' | 'setAside' | 'skipped']: number };
type Cents = { readonly currency: string } & { readonly [place in 'read' | 'sent' | 'waiting']: string };
type Report = {
  readonly run: string;
  readonly waiting: number;
  readonly verdict: { readonly sentence: { readonly en: string } };
  readonly balance: {
    readonly documents: Places & { readonly difference: number };
    readonly currencies: readonly Cents[];
  };
  readonly settled?: { readonly documents: Places; readonly currencies: readonly Cents[] };
};
type Night = {
  readonly documents: Places & { readonly exportedAgain: number };
  readonly currencies: readonly (Cents & { readonly exportedAgain: string })[];
  readonly corrected: number;
};

/** What the exports state: of each number the cents of the last export that has it, after the corrections of this test. */
type Books = {
  /** By the name of an export, its numbers with their cents; undefined where a quantity is no number. */
  readonly exports: Map<string, Map<string, number | undefined>>;
  readonly corrected: Map<string, number>;
  /** The run whose report has an export, by its name. */
  readonly nights: Map<string, string>;
  /** Numbers that were authorized when the last report was written. */
  reported: ReadonlySet<string>;
};

const centsOf = (text: string | undefined) => Math.round(Number(text ?? 0) * 100);
const sumOf = (all: readonly number[]) => all.reduce((sum, one) => sum + one, 0);

function lastExportOf({ exports }: Books, number: string): string {
  return [...exports.keys()].filter((name) => exports.get(name)!.has(number)).at(-1) ?? '';
}

/** With the sign that it has in the books; 0 where it has no amount. */
function centsNow(books: Books, number: string): number {
  const cents = books.corrected.get(number) ?? books.exports.get(lastExportOf(books, number))?.get(number);
  return (cents ?? 0) * (number.startsWith('C') ? -1 : 1);
}

/** `wrong`: the quantity of this number is no number. */
function drop(
  scene: Scene,
  books: Books,
  name: string,
  numbers: readonly string[],
  quantity = 2,
  wrong?: string,
): void {
  const rows = sales(numbers, String(quantity)).split('\n');
  const text = rows
    .map((row) => (row.startsWith(`${wrong};`) ? row.replace(`;${quantity};10`, ';2O;10') : row))
    .join('\n');
  scene.drop(name, text);
  books.exports.set(name, new Map(numbers.map((one) => [one, one === wrong ? undefined : quantity * CENTS_OF_ONE])));
}

const WAITS = new Set(['invalid', 'rejected', 'conflict', 'held', 'returned', 'refused', 'in-doubt', 'failed']);

type Open = { readonly scene: Scene; readonly books: Books; readonly port: number; readonly api: Api };

/** `pages`: those of all nights, instead of the one that the first page shows. */
async function compare({ scene, books, port, api }: Open, step: string, pages = false): Promise<void> {
  const typed = async <T>(...words: string[]) => JSON.parse((await commandIn(scene, ...words, '--json')).out) as T;
  const { documents } = await typed<{ documents: readonly Listed[] }>('list', '--limit', '500');
  const sums = (chosen: readonly Listed[]) => sumOf(chosen.map(({ number }) => centsNow(books, number)));
  const counted = (all: readonly (readonly [string, number])[]) => {
    const counts: { [state: string]: number } = {};
    for (const [state, count] of all) if (count > 0) counts[state] = (counts[state] ?? 0) + count;
    return counts;
  };

  // Each document that an export states is listed once, with its amount, and is authorized where the service says so.
  const stated = new Set([...books.exports.values()].flatMap((numbers) => [...numbers.keys()]));
  expect({ step, listed: documents.map(({ number }) => number).toSorted() }).toEqual({
    step,
    listed: [...stated].sort(),
  });
  const accepted = new Map(scene.sandbox.acceptances().map((one) => [one.number, one]));
  for (const { number, state, amount } of documents) {
    expect({ step, number, cents: centsOf(amount) }).toEqual({
      step,
      number,
      cents: Math.abs(centsNow(books, number)),
    });
    const isThere = accepted.get(number)?.code === 2 && accepted.get(number)!.accepted === 1;
    if (state === 'authorized' || !['in-doubt', 'sending'].includes(state))
      expect({ step, number, isThere }).toEqual({ step, number, isThere: state === 'authorized' });
  }

  const states = counted(documents.map(({ state }) => [state, 1]));
  const status = await typed<{ documents: object; closed: { readonly [state: string]: number } }>('status');
  expect({ step, status: status.documents }).toEqual({ step, status: states });

  // What waits: the terminal, the API, the badge and the list of causes.
  const waiting = documents.filter(({ state, closed }) => WAITS.has(state) && closed === undefined);
  const errors = await typed<{ documents: readonly object[] }>('errors');
  const { groups } = await typed<{ groups: readonly { count: number; amounts: Sums }[] }>('errors', '--group', 'cause');
  const ofGroups = (all: typeof groups) => [
    sumOf(all.map(({ count }) => count)),
    sumOf(all.map(({ amounts }) => centsOf(amounts.EUR))),
  ];
  expect({ step, errors: errors.documents.length }).toEqual({ step, errors: waiting.length });
  expect({ step, groups: ofGroups(groups) }).toEqual({ step, groups: [waiting.length, sums(waiting)] });

  await using open = await openConsoleOf(scene, { 'serve.port': port });
  const { cookie } = await signInAs(scene, open, 'operator');
  const page = async (path: string) => (await ask(open, path, { headers: { cookie } })).body;
  const asked = async <T>(path: string) => (await api.call(path)).json as T;
  const causes = await asked<{ groups: typeof groups }>('/causes');
  expect({ step, causes: ofGroups(causes.groups) }).toEqual({ step, causes: [waiting.length, sums(waiting)] });
  const home = await vi.waitFor(async () => {
    // Pages look at the ledger again every few seconds.
    const body = await page(`${open.base}/`);
    expect({ step, badge: Number(/class="badge" title="(\d+)/.exec(body)?.[1] ?? 0) }).toEqual({
      step,
      badge: waiting.length,
    });
    return body;
  }, 10_000);

  // Each count of a bar leads to a list with as many documents.
  const barOf = async (body: string) => {
    const parts = [...body.matchAll(/<strong>(\d+)<\/strong> <span class="legend-word">.*?<a href="([^"]+)"/g)];
    for (const [, count, href = ''] of parts) {
      const rows = (await page(href.replaceAll('&amp;', '&'))).match(/data-row/g)?.length;
      expect({ step, href, rows }).toEqual({ step, href, rows: Number(count) });
    }
    return sumOf(parts.map(([, count]) => Number(count)));
  };
  /** Those of the exports, together. */
  const ofExports = (body: string) => {
    const rows = /<section[^>]*"files".*?<\/section>/s.exec(body)?.[0].match(/<tr[^>]* data-row.*?<\/tr>/gs) ?? [];
    return sumOf(rows.map((row) => Number(/<td[^>]*>(\d+)<\/td>\s*<\/tr>$/.exec(row)?.[1])));
  };
  const readIn = (body: string) =>
    Number(/<th[^>]*><[^>]*>Documents<\/span><\/th>\s*<td[^>]*>(\d+)</.exec(body)?.[1] ?? 0);
  const shown = /[?;]night=([\w-]+)/.exec(home)?.[1];

  // A night has what its exports state, whatever became of it; no document is in two.
  let inNights = 0;
  for (const run of new Set(books.nights.values())) {
    const exports = [...books.nights].flatMap(([name, night]) => (night === run ? [name] : []));
    const numbers = [...new Set(exports.flatMap((name) => [...books.exports.get(name)!.keys()]))];
    const own = numbers.filter((number) => exports.includes(lastExportOf(books, number)));
    const again = numbers.filter((number) => !own.includes(number));
    const night = await asked<Night>(`/night?run=${run}`);
    expect({ step, run, ...night.documents }).toMatchObject({ read: numbers.length, exportedAgain: again.length });
    const [euros] = night.currencies;
    const ownCents = sumOf(own.map((number) => centsNow(books, number)));
    const againCents = sumOf(
      again.map((number) => {
        const name = exports.filter((one) => books.exports.get(one)!.has(number)).at(-1)!;
        return (books.exports.get(name)!.get(number) ?? 0) * (number.startsWith('C') ? -1 : 1);
      }),
    );
    expect({ step, run, cents: centsOf(euros?.read), again: centsOf(euros?.exportedAgain) }).toEqual({
      step,
      run,
      cents: ownCents + againCents,
      again: againCents,
    });
    const sent = own.filter((number) => documents.find((one) => one.number === number)?.state === 'authorized');
    expect({ step, run, sent: [night.documents.sent, centsOf(euros?.sent)] }).toEqual({
      step,
      run,
      sent: [sent.length, sumOf(sent.map((number) => centsNow(books, number)))],
    });
    const corrected = own.filter((number) => books.corrected.has(number)).length;
    expect({ step, run, corrected: night.corrected }).toEqual({ step, run, corrected });
    inNights += own.length;
    const figures = { step, run, bar: own.length, read: numbers.length };
    if (run === shown) expect({ step, run, bar: await barOf(home), read: readIn(home) }).toEqual(figures);
    if (run !== shown && !pages) continue;
    const body = await page(`${open.base}/runs/${run}`);
    expect({ step, run, bar: await barOf(body), read: readIn(body), exports: ofExports(body) }).toEqual({
      ...figures,
      exports: own.length,
    });
  }
  const reported = documents.filter(({ number }) => books.nights.has(lastExportOf(books, number)));
  expect({ step, inNights }).toEqual({ step, inNights: reported.length });
}

test('every view has the sums of the exports and of the service, whatever happens in between', {
  timeout: 180_000,
}, async () => {
  using clock = moveClock();
  await using mail = await mailServer();
  await using hook = await webReceiver();
  const smtp = { host: '127.0.0.1', port: mail.port, tls: 'none' };
  await using scene = await openScene({
    mappings: { 'sales.yaml': SALES_MAPPING, 'credits.yaml': CREDITS },
    settings: {
      metrics: { textfile: 'metrics.prom' },
      notify: [
        { mail: { to: ['a@example.org'], from: 'b@example.org', smtp }, details: 'full', on: ['always'] },
        { webhook: { url: { file: 'hook-url' }, secret: { file: 'hook-secret' } }, details: 'full', on: ['always'] },
      ],
    },
  });
  writeFileSync(join(scene.root, 'hook-url'), hook.url, { mode: 0o600 });
  writeFileSync(join(scene.root, 'hook-secret'), `whsec_${Buffer.alloc(32, 7).toString('base64')}`, { mode: 0o600 });
  const books: Books = { exports: new Map(), corrected: new Map(), nights: new Map(), reported: new Set() };

  const open = await openConsoleOf(scene);
  const place: Open = { scene, books, port: open.port, api: await openApi(scene, open) };
  await open[Symbol.asyncDispose]();

  const night = async (step: string): Promise<void> => {
    const [mails, hooks] = [mail.mails.length, hook.received.length];
    const { out } = await commandIn(scene, 'run', '--json');
    const report = JSON.parse(out) as Report;
    const { documents } = JSON.parse((await commandIn(scene, 'list', '--json', '--limit', '500')).out) as {
      documents: readonly Listed[];
    };
    const fresh = [...books.exports.keys()].filter((name) => !books.nights.has(name));
    for (const name of fresh) books.nights.set(name, report.run);
    const read = new Set(fresh.flatMap((name) => [...books.exports.get(name)!.keys()]));
    const authorized = new Set(documents.filter(({ state }) => state === 'authorized').map(({ number }) => number));
    const sent = [...authorized].filter((number) => !books.reported.has(number));
    books.reported = authorized;
    const cents = (numbers: readonly string[]) => sumOf(numbers.map((number) => centsNow(books, number)));
    const [of, settled] = [report.balance.currencies[0], report.settled?.currencies[0]];
    expect({
      step,
      read: [report.balance.documents.read, centsOf(of?.read), report.balance.documents.difference],
      sent: [
        report.balance.documents.sent + (report.settled?.documents.sent ?? 0),
        centsOf(of?.sent) + centsOf(settled?.sent),
      ],
      waiting: report.waiting,
    }).toEqual({
      step,
      read: [read.size, cents([...read]), 0],
      sent: [sent.length, cents(sent)],
      waiting: documents.filter(({ state, closed }) => WAITS.has(state) && closed === undefined).length,
    });
    // Mail and webhook have the report as it is, and the sums of what waits.
    const { text = '', subject = '' } = await PostalMime.parse(mail.mails[mails]!);
    expect({ step, mails: mail.mails.length - mails, hooks: hook.received.length - hooks }).toEqual({
      step,
      mails: 1,
      hooks: 1,
    });
    const { data } = JSON.parse(hook.received[hooks]!.body) as { data: { report: object; verdict: string } };
    expect({ step, report: data.report }).toEqual({ step, report });
    // Where something was settled the sentence is about what there is now.
    for (const says of [text.split('\n', 1)[0] ?? '', data.verdict]) {
      if (says === report.verdict.sentence.en) continue;
      const needing = Number(/(\d+) documents? needs? you/.exec(says)?.[1] ?? 0);
      expect({ step, says, needing }).toEqual({ step, says, needing: report.waiting });
    }
    expect(subject).not.toBe('');
    for (const [, numbers = '', amounts = ''] of text.matchAll(/Numbers: (.*)\n +Amounts: (.*) EUR/g))
      expect({ step, numbers, cents: centsOf(amounts.replaceAll(/[^\d.-]/g, '')) }).toEqual({
        step,
        numbers,
        cents: cents(numbers.split(', ')),
      });
    // Metrics are of the end of the run.
    const metrics = readFileSync(join(scene.root, 'metrics.prom'), 'utf8');
    const open = documents.filter(({ closed }) => closed === undefined);
    for (const state of new Set(open.map((one) => one.state))) {
      const measured = Number(
        new RegExp(`^nightpost_documents\\{[^}]*state="${state}"\\} (\\d+)`, 'm').exec(metrics)?.[1],
      );
      expect({ step, state, measured }).toEqual({
        step,
        state,
        measured: open.filter((one) => one.state === state).length,
      });
    }
    // All reports together have what the service has authorized.
    const all = JSON.parse((await commandIn(scene, 'report', '--since', '2000-01-01', '--json')).out) as { sent: Sums };
    expect({ step, all: centsOf(all.sent.EUR) }).toEqual({ step, all: cents([...authorized]) });
    await compare(place, step);
  };
  const act = async (step: string, ...words: string[]): Promise<void> => {
    const { code, out, err } = await commandIn(scene, ...words, '--reason', 'because');
    expect({ step, code, text: code === 0 ? '' : out + err }).toEqual({ step, code: 0, text: '' });
    await compare(place, step);
  };

  drop(scene, books, 'ventes-1.csv', ['A1', 'A2', 'A3', 'A4', 'A5-X6', 'A6', 'A7'], 2, 'A4');
  drop(scene, books, 'avoirs-1.csv', ['C1', 'C2-X6'], 3);
  scene.sandbox.tune({ latencyMs: 200 });
  const { child, ended } = startIn(scene, 'run');
  await expect.poll(() => scene.sandbox.acceptances().length, { timeout: 20_000, interval: 5 }).toBeGreaterThan(2);
  child.kill('SIGKILL');
  await ended;
  scene.sandbox.tune({ latencyMs: 0 });
  await compare(place, 'stopped');
  await night('after the stop');
  clock.pass(DAY_MS / 24);
  await night('asked about what was under way');
  scene.sandbox.tune({ failRate: 1, failWith: { http: 503 } });
  drop(scene, books, 'ventes-2.csv', ['B1', 'B2', 'B3']);
  await night('outage');
  scene.sandbox.tune({ failRate: 0 });
  clock.pass(DAY_MS);
  await commandIn(scene, 'resume', 'fr', '--reason', 'well again');
  drop(scene, books, 'ventes-5.csv', ['F1-X4ONCE']);
  await night('after the outage');
  books.corrected.set('A4', 5 * CENTS_OF_ONE);
  await act('corrected', 'fix', 'A4', 'Qte=5', '--yes');
  books.corrected.delete('A4');
  await act('undone', 'undo', 'A4');
  books.corrected.set('A4', 4 * CENTS_OF_ONE);
  await act('corrected again', 'fix', 'A4', 'Qte=4', '--yes');
  await night('corrected and sent');
  await act('set aside', 'set-aside', 'A5-X6', '--yes');
  await act('set aside undone', 'undo', 'A5-X6');
  await act('tried again', 'retry', 'F1-X4ONCE', '--yes');
  await night('sent again');
  drop(scene, books, 'avoirs-2.csv', ['C2-X6', 'C3'], 4);
  await night('exported again');
  clock.pass(3 * DAY_MS);
  drop(scene, books, 'ventes-3.csv', ['D1', 'D2']);
  await night('clock ahead');
  clock.pass(-5 * DAY_MS);
  drop(scene, books, 'ventes-4.csv', ['E1']);
  await night('clock behind');
  await night('a second run');
  await compare(place, 'at the end', true);
});
