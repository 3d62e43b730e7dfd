/**
 * The French and the Salvadoran service of a simulation, over real HTTP within the process. What it answers to the nth submission of a number follows
 * from the seed alone, so that a shorter life gets the same answers. It keeps everything that arrived.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Fate } from '../rigs/fate.ts';
import { randomFrom } from '../rigs/random.ts';
import { isNote } from './exports.ts';
import type { Weather } from './life.ts';
import { httpListener, listenAt } from './world/network.ts';

/** What the service made of a submission: a code, or nothing. */
type Made = Fate | undefined;
/** What the program received: a code, a status of HTTP, or that the connection was cut. */
type Said = number | 'cut';

export type Arrival = {
  readonly number: string;
  /** Of the content, as the wire has it. */
  readonly amount: string;
  readonly content: string;
  /** What is attached to it. */
  readonly attached?: string;
  readonly at: number;
  readonly fate: Made;
  readonly said: Said;
  /** A code 8 becomes this. */
  readonly becomes: Made;
  /** So many questions come before the service finds it. */
  readonly hidden: number;
};

/** An answer to a question about a number. */
type Reply = { readonly number: string; readonly code: number; readonly at: number };

export type Service = {
  readonly arrivals: Arrival[];
  readonly replies: Reply[];
  weather: Weather;
  /** What it has to say of a number now: the code of the last submission that it took in, or 18. */
  readonly truthOf: (number: string) => number;
};

const PORT = 1001;
type Answer = readonly [weight: number, said: Said, fate: Made];
const ANSWERS: { readonly [weather in Exclude<Weather, 'away' | 'slow'>]: readonly Answer[] } = {
  fine: [
    ...([
      [66, 2, 2],
      [9, 6, 6],
      [6, 8, 8],
      [2, 4, 4],
      [2, 11, 11],
    ] as const),
    ...([
      [4, 'cut', 2],
      [3, 'cut', undefined],
      [2, 503, undefined],
      [2, 503, 2],
      [1, 15, undefined],
    ] as const),
    ...([
      [2, 429, undefined],
      [1, 400, undefined],
    ] as const),
  ],
  cut: [
    [1, 'cut', 8],
    [2, 'cut', 2],
    [2, 'cut', undefined],
    [1, 'cut', 6],
  ],
  errors: [
    [2, 503, undefined],
    [1, 500, 2],
    [1, 502, 2],
    [1, 422, 6],
  ],
};
/** Milliseconds. */
const SLOWEST = 40;
const SLOWEST_WHEN_SLOW = 30_000;

/** `order` numbers everything that happens in a life. */
export function openService(seed: number, order: () => number): Service {
  const arrivals: Arrival[] = [];
  const asked = new Map<string, number>();
  const isSettled = (one: Arrival) => (asked.get(one.number) ?? 0) > 1;
  const replies: Reply[] = [];
  const service: Service = {
    arrivals,
    replies,
    weather: 'fine',
    truthOf: (number) => {
      const last = arrivals.findLast((one) => one.number === number && one.fate !== undefined);
      if (!last) return 18;
      return (last.fate === 8 && isSettled(last) ? last.becomes : last.fate) ?? 18;
    },
  };
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString('utf8');
    const url = request.url ?? '';
    if (service.weather === 'away') return void response.destroy();
    if (url.includes('token'))
      return void send(response, 200, { access_token: 'token', expires_in: 300, token_type: 'Bearer' });
    if (url.includes('ServicioService')) return void send(response, 200, { token: 'token', segundos: 300 });
    if (body === '') {
      const number = decodeURIComponent(url.split('/').at(-1) ?? '');
      if (service.weather !== 'fine' && service.weather !== 'slow') return void response.destroy();
      const last = arrivals.findLast((one) => one.number === number && one.fate !== undefined);
      const times = replies.filter((one) => one.number === number && one.at > (last?.at ?? 0)).length;
      const isHidden = last !== undefined && times < last.hidden;
      if (!isHidden) asked.set(number, (asked.get(number) ?? 0) + 1);
      const code = isHidden ? 18 : service.truthOf(number);
      replies.push({ number, code, at: order() });
      const reply = () => send(response, 200, answerOf(code, number));
      if (service.weather === 'fine') return reply();
      return void setTimeout(reply, hashOf(`${seed} ${number} ${replies.length}`) % SLOWEST_WHEN_SLOW);
    }
    const { number, amount, content, attached, context } = url.endsWith('/NotaRemision')
      ? readNote(body)
      : readInvoice(body);
    const nth = arrivals.filter((one) => one.number === number).length;
    const random = randomFrom(seed * 31 + hashOf(`${number} ${nth}`));
    const [, said, fate] = drawn(ANSWERS[service.weather === 'slow' ? 'fine' : service.weather], random.next());
    const becomes = random.isOneIn(4) ? 6 : 2;
    const hidden = said === 'cut' && random.isOneIn(3) ? 1 + random.below(3) : 0;
    const seen = { number, amount, content, ...(attached !== undefined && { attached }) };
    arrivals.push({ ...seen, at: order(), said, fate, becomes, hidden });
    const reply = () => {
      if (said === 'cut') return void response.destroy();
      if (said >= 100) return void response.writeHead(said, said === 429 ? { 'retry-after': '1' } : {}).end();
      send(response, 200, { ...context, ...answerOf(said, number) });
    };
    setTimeout(reply, 1 + random.below(service.weather === 'slow' ? SLOWEST_WHEN_SLOW : SLOWEST));
  };
  listenAt(
    PORT,
    httpListener((request, response) => void answer(request, response)),
  );
  return service;
}

type Invoice = {
  readonly context: { readonly 'request-id': string };
  readonly action: { readonly content: { readonly payload: Payload } };
};
type Payload = {
  readonly document: { readonly identifier: string };
  readonly lines: readonly { readonly 'net-amount': string | number }[];
  readonly attachments?: readonly { readonly content: string }[];
};
type Note = {
  readonly NumeroSecuencial: number;
  readonly cuerpoDocumento: readonly { readonly ventaGravada: number }[];
};
/** What a submission has, and what its answer repeats of it. */
type Read = Pick<Arrival, 'number' | 'amount' | 'content'> & {
  readonly attached?: string | undefined;
  readonly context: object;
};

function readInvoice(body: string): Read {
  const { context, action } = JSON.parse(body) as Invoice;
  const { payload } = action.content;
  const attached = payload.attachments?.map((one) => Buffer.from(one.content, 'base64').toString('utf8')).join();
  return {
    number: payload.document.identifier,
    amount: sumOf(payload.lines.map((line) => line['net-amount'])),
    content: JSON.stringify(payload),
    attached,
    context: { context: { 'request-id': context['request-id'] } },
  };
}

function readNote(content: string): Read {
  const { NumeroSecuencial, cuerpoDocumento } = JSON.parse(content) as Note;
  const amount = sumOf(cuerpoDocumento.map((line) => line.ventaGravada));
  return { number: String(NumeroSecuencial), amount, content, context: {} };
}

/** Of the net amounts of lines, with cents. */
function sumOf(amounts: readonly (string | number)[]): string {
  return (amounts.reduce<number>((sum, amount) => sum + Math.round(Number(amount) * 100), 0) / 100).toFixed(2);
}

/** In the words of the service that the number belongs to. */
function answerOf(code: number, number: string): object {
  const [name, id] = [`code ${code}`, `T-${number}`];
  if (isNote(number)) return { codigo: code, estado: name, numero: Number(number), ...(code !== 18 && { sello: id }) };
  const document = { identifier: number, ...(code !== 18 && { 'tracking-id': id }) };
  return { result: { status: { code, name }, content: { document } } };
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function drawn(answers: readonly Answer[], chance: number): Answer {
  let left = chance * answers.reduce((sum, [weight]) => sum + weight, 0);
  for (const one of answers) {
    left -= one[0];
    if (left < 0) return one;
  }
  return answers[0] as Answer;
}

function hashOf(text: string): number {
  let hash = 0;
  for (const letter of text) hash = (Math.imul(hash, 31) + letter.charCodeAt(0)) >>> 0;
  return hash;
}
