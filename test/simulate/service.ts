/**
 * The French and the Salvadoran service of a simulation, over real HTTP within the process. What it answers to the nth submission of a number follows
 * from the seed alone, so that a shorter life gets the same answers. It keeps everything that arrived.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { randomFrom } from '../rigs/random.ts';
import type { Fate, Question, Said } from '../rigs/sent-again.ts';
import { isNote } from './exports.ts';
import type { Weather } from './life.ts';
import { httpListener, listenAt } from './world/network.ts';
import { wallNow } from './world/virtual-time.ts';

/** What the service made of a submission: a code, or nothing. */
type Made = Fate | undefined;

export type Arrival = {
  readonly number: string;
  /** Of the content, as the wire has it. */
  readonly amount: string;
  readonly content: string;
  /** What is attached to it. */
  readonly attached?: string;
  readonly at: number;
  readonly fate: Made;
  /** What the program got of its answer. */
  said: Said;
  /** A code 8 becomes this. */
  readonly becomes: Made;
  /** So many questions come before the service finds it. */
  readonly hidden: number;
};

/** A question about a number; it has an answer where the program got it. */
type Asked = Question & { readonly number: string };

export type Service = {
  readonly arrivals: Arrival[];
  readonly questions: Asked[];
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
  const questions: Asked[] = [];
  const service: Service = {
    arrivals,
    questions,
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
      const times = questions.filter((one) => one.number === number && one.asked > (last?.at ?? 0)).length;
      const isHidden = last !== undefined && times < last.hidden;
      if (!isHidden) asked.set(number, (asked.get(number) ?? 0) + 1);
      const code = isHidden ? 18 : service.truthOf(number);
      const own: Asked = { number, asked: order(), askedMs: wallNow() };
      questions.push(own);
      const reply = () => {
        const at = order();
        if (!response.destroyed) Object.assign(own, { answer: { code, at }, recorded: { at, ms: wallNow() } });
        send(response, 200, answerOf(code, number));
      };
      if (service.weather === 'fine') return reply();
      return void setTimeout(reply, hashOf(`${seed} ${number} ${questions.length}`) % SLOWEST_WHEN_SLOW);
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
    const own: Arrival = { ...seen, at: order(), said: 'cut', fate, becomes, hidden };
    arrivals.push(own);
    const reply = () => {
      // A program that is gone, or waits no longer, gets none.
      if (said === 'cut' || response.destroyed) return void response.destroy();
      own.said = said;
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
