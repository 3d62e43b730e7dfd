/**
 * People who work in the console, while commands run next to it: they look at pages, and decide with the forms that the pages show,
 * also with one that they opened long ago, and sometimes by a second click.
 */
import { type Browser, type Form, formsOf, signIn } from './browser.ts';
import type { Refusal } from './history.ts';
import { numberOf, PROOF, quantityColumn } from './house-files.ts';
import type { Act, ActEvent } from './life.ts';
import type { Documents, Listed } from './shapes.ts';
import { endProgram, type Running, terminate } from './world/running.ts';
import { pause } from './world/virtual-time.ts';

/** `unclear`: the console ended, or the program that is at work carries it out. */
export type Outcome = 'done' | 'still-wrong' | 'refused' | 'unclear';

export type ConsolePeople = {
  /** What the console answers for each path. */
  readonly read: (paths: readonly string[]) => Promise<readonly string[]>;
  /** Opens the form of an act, and leaves it open. */
  readonly open: (act: Act, n: number) => Promise<void>;
  /** `isAlone`: nothing else changes documents meanwhile. */
  readonly decide: (event: ActEvent, isAlone: boolean) => Promise<Outcome>;
  readonly close: () => Promise<void>;
  /** The console ends as by a kill. */
  readonly end: () => void;
};

type Options = {
  readonly serve: () => { readonly running: Running; readonly ended: Promise<unknown> };
  readonly refusals: Refusal[];
};

type Shown = { readonly id: string; readonly form: Form | undefined };
type Acted = {
  readonly state: string;
  readonly outcome?: string;
  readonly documents?: readonly { readonly done?: boolean }[];
};

const LIST = 'api/v1/documents?limit=500';
/** A person looks before they act. */
const SECONDS = 5;
const WAITS = 202;
const SEE_OTHER = 303;
const UNKNOWN_PERSON = 401;
/** What the page of a document says of a correction. */
const FIXED: { readonly [done: string]: Outcome } = {
  ...{ corrected: 'done', 'still-wrong': 'still-wrong', waits: 'unclear' },
};
/** The instance cannot be used, or is busy. */
const NOT_NOW: ReadonlySet<number> = new Set([503]);
const canUndo = ({ action }: Form) => action.endsWith('/undo');

export function openConsolePeople({ serve, refusals }: Options): ConsolePeople {
  let console: { readonly running: Running; readonly ended: Promise<unknown>; readonly browser: Browser } | undefined;
  const left = new Map<string, Shown>();
  const lastActs = new Map<string, string>();
  let keys = 0;

  /** A stop has cut an act off: the next one may carry it out first. */
  let isCut = false;
  const close = async () => {
    const open = console;
    console = undefined;
    if (!open) return;
    terminate(open.running);
    await open.ended;
  };
  /** A session ends, and so may the console; then it is opened once more. */
  const opened = async (): Promise<Browser> => {
    const known = console && !console.running.isGone ? console : undefined;
    if (known && (await known.browser.read('api/v1/status')).status !== UNKNOWN_PERSON) return known.browser;
    await close();
    const { running, ended } = serve();
    console = { running, ended, browser: await signIn(running) };
    return console.browser;
  };
  /** Long enough for the console to see what other programs have changed. */
  const sitDown = async () => {
    await opened();
    await pause(SECONDS * 1000);
  };
  /** Undefined where the console shows something else: it says why it does not. */
  const read = async (path: string): Promise<string | undefined> => {
    const { status, body } = await (await opened()).read(path);
    if (status >= 500 && !NOT_NOW.has(status)) throw new Error(`the console answers ${status} for ${path}: ${body}`);
    return status === 200 ? body : undefined;
  };
  const documentOf = async (n: number): Promise<Listed | undefined> => {
    const listed = JSON.parse((await read(LIST)) ?? '{"documents":[]}') as Documents;
    const all = listed.documents.filter(({ number }) => number === numberOf(n));
    return all.find(({ state }) => state !== 'duplicate') ?? all[0];
  };
  const show = async (act: Act, n: number): Promise<Shown | undefined> => {
    const { id } = (await documentOf(n)) ?? {};
    if (id === undefined) return undefined;
    const name = act === 'consult-one' ? 'consult' : act;
    const page = (await read(act === 'fix' ? `documents/${id}` : `work?id=${id}&act=${name}`)) ?? '';
    const isOf = ({ id, fields }: Form) => (act === 'fix' ? id === 'fix' : fields.get('act')?.value === name);
    return { id, form: formsOf(page).find(isOf) };
  };
  /** Takes back the last act in the console, or by its API the last decision. */
  const undo = async (n: number): Promise<Outcome> => {
    const act = lastActs.get(numberOf(n));
    const page = act === undefined ? undefined : await read(`acts/${act}`);
    const form = formsOf(page ?? '').find(canUndo);
    if (form) {
      await (await opened()).send(form, {});
      return formsOf((await read(`acts/${act}`)) ?? '').some(canUndo) ? 'refused' : 'done';
    }
    const document = await documentOf(n);
    if (!document) return 'refused';
    const { id, state, since, closed } = document;
    const { revision } = JSON.parse((await read(`api/v1/documents/${id}`)) ?? '{}') as { readonly revision?: number };
    const seen = { id, revision, state, since, ...(closed === 'set-aside' && { aside: true }) };
    const asked = { act: { act: 'undo', document: seen }, reason: 'because' };
    const { status, body } = await (await opened()).post('api/v1/acts', `key-${++keys}`, asked);
    if (status === WAITS) return 'unclear';
    return status === 200 && (JSON.parse(body) as Acted).outcome === 'undone' ? 'done' : 'refused';
  };
  const send = async ({ form, id }: Shown, { do: act, n, as = 'rejected' }: ActEvent): Promise<Outcome> => {
    if (!form) return 'refused';
    const wrong = [...form.fields].filter(
      ([name, { label }]) => name.startsWith('cell.') && label.startsWith(quantityColumn(n)),
    );
    const typed = {
      reason: 'because',
      ...(act === 'fix' && Object.fromEntries(wrong.map(([name]) => [name, '2']))),
      ...(act === 'resolve' && { as }),
    };
    const isProven = act === 'resolve' || act === 'retry';
    const { status, to } = await (await opened()).send(form, typed, isProven ? PROOF : undefined);
    if (status !== SEE_OTHER) return 'refused';
    const key = form.fields.get('key')?.value ?? '';
    if (act === 'consult-one') return 'unclear';
    lastActs.set(numberOf(n), key);
    if (act === 'fix' && to.includes(id)) return FIXED[/done=([\w-]+)/.exec(to)?.[1] ?? ''] ?? 'refused';
    const { state, documents = [] } = JSON.parse((await read(`api/v1/acts/${key}`)) ?? '{}') as Acted;
    if (state === 'waiting') return 'unclear';
    return state === 'done' && documents[0]?.done === true ? 'done' : 'refused';
  };
  const decide = async (event: ActEvent, isAlone: boolean): Promise<Outcome> => {
    const what = `${event.do} of ${numberOf(event.n)}`;
    const shown = left.get(what) ?? (event.do === 'undo' ? undefined : await show(event.do, event.n));
    left.delete(what);
    const once = async () => (event.do === 'undo' ? undo(event.n) : shown ? send(shown, event) : 'refused');
    const listed = isAlone ? await read(LIST) : undefined;
    // A console settles what a stop left under way, or waiting.
    const before = isCut || listed?.includes('"state":"sending"') ? undefined : listed;
    isCut = false;
    if (console && event.stop !== undefined) console.running.stopAt = console.running.writes + event.stop;
    const outcome = await once();
    const after = before === undefined ? undefined : await read(LIST);
    if (outcome === 'refused') refusals.push({ says: `the console refuses ${what}`, before, after });
    if (!event.isTwice || event.do === 'undo' || outcome === 'unclear') return outcome;
    await once();
    refusals.push({
      says: `a second click repeats ${what}`,
      before: after,
      after: after === undefined ? undefined : await read(LIST),
    });
    return outcome;
  };
  return {
    read: async (paths) => {
      await sitDown();
      const pages: string[] = [];
      for (const path of paths) pages.push((await read(path)) ?? '');
      return pages;
    },
    open: async (act, n) => {
      await sitDown();
      const shown = act === 'undo' ? undefined : await show(act, n);
      if (shown) left.set(`${act} of ${numberOf(n)}`, shown);
    },
    decide: async (event, isAlone) => {
      await sitDown();
      try {
        return await decide(event, isAlone);
      } catch (error) {
        // A stop ends its connections.
        isCut = true;
        if (console?.running.isGone) return 'unclear';
        throw error;
      } finally {
        if (console) console.running.stopAt = Infinity;
      }
    },
    close,
    end: () => {
      if (console) endProgram(console.running);
    },
  };
}
