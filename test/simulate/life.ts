/** A life of an instance as data: what its ERP, its service, its people, its administrator and its power supply do, in order. */
import type { Random } from '../rigs/random.ts';

/** One document of an export: its number, and the quantity of both its lines; `2O` is a typing error. `isOff`: it states a wrong total. */
export type Line = { readonly n: number; readonly quantity: string; readonly isOff?: true };

/**
 * `console`: people act in the console, and someone looks at it at the end. `attachments`: each French document names a file that is sent with it. `forgotten`: a
 * purge follows, long after. `named`: each French export is one document, and its number is in the name of the file alone. `salvador`: some exports are
 * Salvadoran ones. `pairs`: some consist of two files. `news`: mails come only where something is new. `expected`: French
 * exports of one file should come each day. `stated`: their documents state their total, and some a wrong one.
 */
export type Trait =
  | 'console'
  | 'attachments'
  | 'forgotten'
  | 'named'
  | 'salvador'
  | 'pairs'
  | 'news'
  | 'expected'
  | 'stated';

/** French exports, Salvadoran ones, and French ones of two files. */
type Kind = 'sales' | 'notes' | 'pairs';
/** The first number of each kind. */
const FIRST: { readonly [kind in Kind]: number } = { sales: 1, notes: 501, pairs: 1001 };

export function kindOf(n: number): Kind {
  if (n < FIRST.notes) return 'sales';
  return n < FIRST.pairs ? 'notes' : 'pairs';
}

/** `slow`: answers take up to half a minute. */
export type Weather = 'fine' | 'slow' | 'away' | 'cut' | 'errors';

export type LifeEvent =
  | {
      readonly do: 'export';
      readonly file: number;
      readonly lines: readonly Line[];
      /** Half written; of a pair one file. */
      readonly isHalf?: true;
      /** One file of a pair is half written. */
      readonly isCut?: true;
      /** Its documents name one attachment, whose name other exports use too. */
      readonly isShared?: true;
    }
  /** The rest of an export that was half written, or the other file of a pair. */
  | { readonly do: 'rest'; readonly file: number }
  /** The bytes of an earlier export under another name; with `n`: of an earlier document, of another one; with `isHalf`: one file of a pair. */
  | { readonly do: 'again'; readonly of: number; readonly file: number; readonly n?: number; readonly isHalf?: true }
  | { readonly do: 'weather'; readonly is: Weather }
  | { readonly do: 'clock'; readonly minutes: number }
  /** `stop`: the write that is not made any more. */
  | { readonly do: 'run' | 'backup' | 'rebuild' | 'accept' | 'consult' | 'purge'; readonly stop?: number }
  /** A watch begins; what follows happens while it runs. */
  | { readonly do: 'watch'; readonly stop?: number }
  | { readonly do: 'wait'; readonly seconds: number }
  | { readonly do: 'end-watch' }
  /** Two schedulers start a run at the same time. */
  | { readonly do: 'two-runs' }
  /** A person fills in the correction file of a document and puts it into the inbox; `cut`: a delimiter is gone. */
  | { readonly do: 'correct'; readonly n: number; readonly isCut?: true }
  /** A person moves the receipt of a held document. */
  | { readonly do: 'move'; readonly n: number; readonly to: 'release' | 'reject' }
  /** A receiver of notices takes them, or does not. */
  | { readonly do: 'hook' | 'mail'; readonly isUp: boolean }
  /** `age`: how many backups before the last one. */
  | { readonly do: 'restore'; readonly age: number; readonly stop?: number }
  | { readonly do: 'end-quarantine'; readonly stop?: number }
  | { readonly do: 'lose-ledger' }
  /** A person opens the form of an act in the console, and leaves it open. */
  | { readonly do: 'open'; readonly act: Act; readonly n: number }
  | ActEvent;

/** `elsewhere`: in another terminal, and what follows does not wait for its end. `isTwice`: by a second click in the console. */
export type ActEvent = {
  readonly do: Act;
  readonly n: number;
  readonly as?: string;
  readonly stop?: number;
  readonly elsewhere?: true;
  readonly inConsole?: true;
  readonly isTwice?: true;
};

export const ACTS = ['fix', 'retry', 'resolve', 'release', 'set-aside', 'undo', 'consult-one'] as const;
export type Act = (typeof ACTS)[number];

const WEATHERS: readonly Weather[] = ['fine', 'fine', 'fine', 'away', 'cut', 'errors', 'slow'];
const WAITS = [1, 5, 20, 60, 120];
const MINUTES = [1, 10, 70, 70, 70, 24 * 60, 24 * 60, 3 * 24 * 60, -15, -25 * 60];
const QUANTITIES = ['1', '2', '2', '2', '3', '2O'];
const RESOLVED_AS = ['authorized', 'rejected', 'failed'];
/** More than a night writes: the later half of them stops nothing. */
const MOST_WRITES = 240;

export function drawTraits(random: Random): readonly Trait[] {
  const ONE_IN: { readonly [trait in Trait]: number } = {
    console: 4,
    attachments: 6,
    forgotten: 4,
    named: 6,
    salvador: 4,
    pairs: 5,
    news: 4,
    expected: 4,
    stated: 4,
  };
  return Object.entries(ONE_IN).flatMap(([trait, oneIn]) => (random.isOneIn(oneIn) ? [trait as Trait] : []));
}

/** `nights` runs, and what happens around them. */
export function drawLife(random: Random, nights: number, traits: readonly Trait[]): readonly LifeEvent[] {
  const events: LifeEvent[] = [];
  /** The kind of each export. */
  const files: Kind[] = [];
  /** How many numbers were used. */
  const used = { sales: 0, notes: 0, pairs: 0 };
  const kinds: readonly Kind[] = [
    'sales',
    ...(traits.includes('salvador') ? (['notes'] as const) : []),
    ...(traits.includes('pairs') ? (['pairs'] as const) : []),
  ];
  const known = (kind: Kind) => FIRST[kind] + random.below(Math.max(1, used[kind]));
  const fresh = (kind: Kind) => FIRST[kind] + used[kind]++;
  let backups = 0;
  const half: number[] = [];
  let isWatching = false;
  const stop = (oneIn: number) => (random.isOneIn(oneIn) ? { stop: 1 + random.below(MOST_WRITES) } : {});
  const lines = (kind: Kind) => {
    const found = new Map<number, Line>();
    for (let left = kind === 'sales' && traits.includes('named') ? 1 : 1 + random.below(3); left > 0; left--) {
      const isKnown = used[kind] > 0 && random.isOneIn(4);
      const n = isKnown ? known(kind) : fresh(kind);
      const isOff = kind === 'sales' && traits.includes('stated') && random.isOneIn(5);
      found.set(n, { n, quantity: random.one(QUANTITIES), ...(isOff && { isOff }) });
    }
    return [...found.values()];
  };
  const again = (asAnother = false) => {
    const of = 1 + random.below(files.length);
    const kind = files[of - 1] ?? 'sales';
    const n = asAnother && kind === 'sales' ? { n: fresh(kind) } : {};
    // Of a pair sometimes one file alone, under another name or the same one.
    const isHalf = kind === 'pairs' && random.isOneIn(3);
    const file = isHalf && random.isOneIn(2) ? of : files.push(kind);
    events.push({ do: 'again', of, file, ...n, ...(isHalf && { isHalf }) });
  };
  const drop = () => {
    if (files.length > 0 && random.isOneIn(7)) return again(traits.includes('named') && random.isOneIn(2));
    const kind = random.one(kinds);
    const isHalf = random.isOneIn(kind === 'pairs' ? 4 : 9);
    const isCut = kind === 'pairs' && !isHalf && random.isOneIn(6);
    const documents = lines(kind);
    const file = files.push(kind);
    // The attachment of a document that was refused stays in the inbox.
    const mayShare =
      traits.includes('attachments') && kind === 'sales' && documents.every(({ quantity }) => quantity !== '2O');
    const isShared = mayShare && random.isOneIn(2);
    const how = { ...(isHalf && { isHalf }), ...(isCut && { isCut }), ...(isShared && { isShared }) };
    events.push({ do: 'export', file, lines: documents, ...how });
    if (isHalf || isCut) half.push(file);
  };
  const act = () => {
    const n = known(random.one(kinds));
    const how = random.below(12);
    if (how === 0) return void events.push({ do: 'correct', n, ...(random.isOneIn(4) && { isCut: true as const }) });
    if (how === 1) return void events.push({ do: 'move', n, to: random.one(['release', 'release', 'reject']) });
    const what = random.one(ACTS);
    const as = what === 'resolve' ? { as: random.one(RESOLVED_AS) } : {};
    if (traits.includes('console') && !random.isOneIn(3)) {
      if (random.isOneIn(6)) return void events.push({ do: 'open', act: what, n });
      const isTwice = random.isOneIn(6);
      return void events.push({ do: what, n, ...as, ...stop(12), inConsole: true, ...(isTwice && { isTwice }) });
    }
    const elsewhere = isWatching && random.isOneIn(3) ? { elsewhere: true as const } : {};
    events.push({ do: what, n, ...as, ...stop(12), ...elsewhere });
  };
  /** A service that runs while the ERP drops exports and people act. */
  const watch = () => {
    isWatching = true;
    events.push({ do: 'watch', ...stop(4) });
    if (random.isOneIn(2)) events.push({ do: 'weather', is: 'slow' });
    for (let left = 2 + random.below(6); left > 0; left--) {
      const how = random.below(4);
      if (how === 0) drop();
      else if (how === 1) events.push({ do: 'clock', minutes: random.one(MINUTES) });
      else act();
      if (random.isOneIn(2)) events.push({ do: 'wait', seconds: random.one(WAITS) });
    }
    events.push({ do: 'end-watch' });
    isWatching = false;
  };
  const recover = () => {
    const how = random.below(backups > 0 ? 4 : 2);
    if (how === 0) events.push({ do: 'lose-ledger' });
    if (how === 1) events.push({ do: 'accept', ...stop(6) });
    else if (how === 0) events.push({ do: 'rebuild', ...stop(6) });
    else events.push({ do: 'restore', age: random.below(2), ...stop(6) });
    if (random.isOneIn(4)) events.push({ do: 'run', ...stop(4) });
    if (!random.isOneIn(5)) events.push({ do: 'end-quarantine', ...stop(8) });
    if (files.length > 0 && random.isOneIn(2)) again();
  };
  for (let night = 0; night < nights; night++) {
    for (let left = random.below(3); left > 0; left--) drop();
    if (random.isOneIn(3)) events.push({ do: 'weather', is: random.one(WEATHERS) });
    if (random.isOneIn(8)) events.push({ do: random.one(['hook', 'mail']), isUp: random.isOneIn(2) });
    if (random.isOneIn(15)) events.push({ do: 'two-runs' });
    else if (random.isOneIn(8)) watch();
    else events.push({ do: 'run', ...stop(4) });
    if (half.length > 0 && random.isOneIn(2)) events.push({ do: 'rest', file: half.pop() ?? 0 });
    for (let left = random.below(4); left > 0; left--) act();
    if (random.isOneIn(4)) events.push({ do: 'consult' });
    if (random.isOneIn(4)) {
      events.push({ do: 'backup', ...stop(10) });
      backups++;
    }
    if (random.isOneIn(12)) events.push({ do: 'purge', ...stop(6) });
    if (random.isOneIn(6)) recover();
    if (random.isOneIn(2)) events.push({ do: 'clock', minutes: random.one(MINUTES) });
  }
  return events;
}
