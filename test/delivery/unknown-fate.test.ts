/**
 * A service that leaves the fate of a document unknown, through the whole line: one request, whatever follows. And answers
 * that belong to another document: none of them is taken for its own.
 */
import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { fr } from '../../src/delivery/fr-service.ts';
import { systemClock } from '../../src/runs/open-run.ts';
import { openScene, SALES_MAPPING, type Scene, sales } from '../night.ts';
import { runs } from '../seed.ts';
import { UNKNOWN_FATES } from './fates.ts';
import { httpAnswer, IMPATIENT, quickHttp, rawServer } from './loopback.ts';

const DAY = 24 * 3_600_000;
/** When the first consultation is due, and a week later. */
const LATER_MS = [310_000, 7 * DAY];

const REPORT_MAPPING = `${SALES_MAPPING.replace('mapping: sales', 'mapping: report')
  .replace('ventes*', 'report*')
  .replace('target: fr-invoice', 'target: fr-report')
  .replace('class: invoice', 'class: report')
  .replace(/output:[\s\S]*$/, '')}
output:
  document: { identifier: $Num }
  issuer: { identifier: '732829320', identifier-type: siren }
`;
const NOTE_MAPPING = `
mapping: notes
version: 1
target: sv-remission-note
accepts: { files: "notas*.csv" }
source: { format: csv, delimiter: ";", columns: { Num: number } }
documents: { one-per: [Num] }
output:
  emisor: { nit: "06142803901121", codEstable: S001, codPuntoVenta: P001 }
  FechaGeneracion: "2026-11-20T08:00:00"
  NumeroSecuencial: $Num
  tipoMoneda: USD
`;

/** What a service would have answered: as the French contract shows it, or as the settings of the other say. */
const french = (requestId: string) =>
  JSON.stringify({ context: { 'request-id': requestId }, result: { status: { code: 2, name: 'Authorized' } } });
const salvadoran = (number: string) => JSON.stringify({ codigo: 2, documento: { numeroSecuencial: Number(number) } });

type Kind = {
  readonly file: string;
  readonly content: string;
  /** Its requests. */
  readonly is: (request: string) => boolean;
  /** What the service would have answered, and the same about another document. */
  readonly answers: (request: string) => readonly [good: string, other: string];
};

const frenchAnswers: Kind['answers'] = (request) => {
  const id = /"request-id":"([^"]+)"/.exec(request)![1]!;
  return [french(id), french(`${id.slice(0, -1)}x`)];
};

const KINDS: { readonly [kind: string]: Kind } = {
  'fr-invoice': {
    file: 'ventes.csv',
    content: sales(['F1']),
    is: (request) => request.includes('"F1"'),
    answers: frenchAnswers,
  },
  'fr-report': {
    file: 'report.csv',
    content: sales(['R1']),
    is: (request) => request.includes('"R1"'),
    answers: frenchAnswers,
  },
  'sv-remission-note': {
    file: 'notas.csv',
    content: 'Num\n7\n',
    is: (request) => request.includes('"NumeroSecuencial"'),
    answers: () => [salvadoran('7'), salvadoran('8')],
  },
};

/** An instance whose tokens come from the sandbox and whose documents go to the given address. */
function sceneTowards(url: string): Promise<Scene> {
  const connection = { ...IMPATIENT, 'total-timeout': '500ms' };
  return openScene({
    mappings: { 'sales.yaml': SALES_MAPPING, 'report.yaml': REPORT_MAPPING, 'notes.yaml': NOTE_MAPPING },
    services: {
      fr: { 'base-url': url, connection },
      sv: { 'issue-url': url, connection },
    },
    // As usual, the second document of a service would be asked about ten seconds after the first.
    settings: { run: { 'give-up-after': '5s', 'consult-per-minute': 60 } },
  });
}

describe('a document of each kind: one request, in-doubt for a week of restarts', () => {
  const once = async (act: (typeof UNKNOWN_FATES)[number][1]) => {
    const submissions: (string | undefined)[] = [];
    await using server = await rawServer((socket: Socket, request) => {
      if (!request.startsWith('POST')) return socket.end(httpAnswer(503, ''));
      const kind = Object.keys(KINDS).find((name) => KINDS[name]!.is(request));
      submissions.push(kind);
      act(socket, ...KINDS[kind!]!.answers(request));
    });
    await using scene = await sceneTowards(server.url);
    const drop = (before: string) => {
      for (const { file, content } of Object.values(KINDS)) scene.drop(file.replace('.', `${before}.`), content);
    };
    drop('');
    const startMs = Date.now();
    await scene.night();
    for (const laterMs of LATER_MS) {
      // The same exports once more, as a person would try who sees nothing arrive.
      drop(`-${laterMs}`);
      await scene.night({ clock: { ...systemClock, now: () => new Date(startMs + laterMs) } });
    }
    expect(submissions.toSorted()).toEqual(Object.keys(KINDS));
    const states = (await scene.entries()).map(({ kind, state }) => [kind, state]);
    expect(states.toSorted()).toEqual(Object.keys(KINDS).map((kind) => [kind, 'in-doubt']));
  };
  const times = runs(1);
  it.concurrent.each(UNKNOWN_FATES)('%s', async (_name, act) => {
    for (let n = 0; n < times; n++) await once(act);
  });
});

describe('an answer belongs to its request', () => {
  it('1,000 answers that were swapped: none makes its document authorized', async () => {
    const waiting: { socket: Socket; id: string }[] = [];
    await using server = await rawServer((socket, request) => {
      waiting.push({ socket, id: /"request-id":"([^"]+)"/.exec(request)![1]! });
      if (waiting.length < 2) return;
      const [one, two] = waiting.splice(0, 2);
      one!.socket.write(httpAnswer(200, french(two!.id)));
      two!.socket.write(httpAnswer(200, french(one!.id)));
    });
    await using open = await quickHttp();
    const { submit, judge } = fr.open({
      'base-url': server.url,
      'identity-url': server.url,
      realm: 'r',
      'client-id': 'c',
      'client-secret': { env: 'X' },
      'sender-id': 's',
      integration: { id: 'i', name: 'n', version: '1' },
    });
    const now = new Date();
    const sent = async (n: number) => {
      const ours = { class: 'invoice', identifier: `F${n}`, requestId: `r-${n}`, now };
      const exchange = await open.http(submit({ ...ours, content: '{"payload":{}}' }));
      return judge(exchange, { ...ours, tokenRenewed: false, tries: 0, random: Math.random }).state;
    };
    const states: string[] = [];
    for (let n = 0; n < 1000; n += 20) {
      states.push(...(await Promise.all(Array.from({ length: 20 }, (_, k) => sent(n + k)))));
    }
    expect(states).toEqual(Array(1000).fill('in-doubt'));
    expect(server.seen.requests).toBe(1000);
  });

  it('an answer given twice on a connection is not taken for that of the next document', async () => {
    const requests = new Map<string, number>();
    await using server = await rawServer((socket, request) => {
      const id = /"request-id":"([^"]+)"/.exec(request)![1]!;
      requests.set(id, (requests.get(id) ?? 0) + 1);
      const answer = httpAnswer(200, french(id));
      socket.write(Buffer.concat([answer, answer]));
    });
    await using scene = await openScene({ services: { fr: { 'base-url': server.url, concurrency: 1 } } });
    scene.drop('ventes.csv', sales(Array.from({ length: 20 }, (_, n) => `F${n}`)));
    await scene.night();
    expect([...requests.values()].every((times) => times === 1)).toBe(true);
    for (const { state, attempts } of await scene.entries()) {
      if (state === 'ready') expect(attempts).toEqual([]);
      else expect(['authorized', 'in-doubt']).toContain(state);
      if (state === 'authorized') expect(requests.get(attempts[0]!.requestId)).toBe(1);
    }
  });
});
