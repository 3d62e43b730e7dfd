/**
 * What became of an act, as data that goes through JSON: into the ledger, into the queue of requests, to the asker. Faults and
 * errors keep their messages, so that each reader has them in the own language.
 */
import type { Message } from '../i18n/message.ts';
import type { UndoOutcome } from '../ledger/contract/submission-store.ts';
import { definedOnly } from '../model/defined-only.ts';
import type { Fault } from '../model/fault.ts';
import { OperatorError, readPhrases, readStoredFaults, storedFaults, storedPhrases } from '../model/fault.ts';
import type { LedgerEntry, SourceFile } from '../model/ledger-entry.ts';
import type { State } from '../model/state.ts';
import type { ReprocessResult } from '../pipeline/reprocessing/reread-result.ts';
import type { ActName } from './act.ts';

/** One document of a decision. `why`: the state does not allow it, or it is not the version that the person has seen. */
export type DecidedDocument = {
  readonly id: string;
  readonly number: string;
  readonly was: State;
  readonly is: State;
  readonly done: boolean;
  readonly why?: 'not-allowed' | 'changed-meanwhile';
};

/** An entry as results name it. */
export type NamedEntry = Pick<LedgerEntry, 'id' | 'name' | 'state'> & {
  readonly facts: Pick<LedgerEntry['facts'], 'identifier'>;
};

type Named<T> = T extends { readonly entry: LedgerEntry } ? Omit<T, 'entry'> & { readonly entry: NamedEntry } : never;

/** What a document becomes, or became, when it is read again. */
export type Becoming = Named<ReprocessResult>;

/** A document that was read again. `done`: the same request did it before. */
export type ReadAgain = Becoming | { readonly entry: NamedEntry; readonly done: true };

/** What was asked of one service. `asked` are ids. */
export type ServiceConsulted = {
  readonly service: string;
  readonly asked: readonly string[];
  /** Why the others still wait. */
  readonly stopped?: { readonly cause: string; readonly says: Message };
};

/** A file that was read again as a whole, or came with it. */
export type FileReadAgain = Pick<SourceFile, 'name' | 'state' | 'rows' | 'faults'> & { readonly documents: number };

/** What became of the last decision. */
export type UndoneAs =
  | Exclude<UndoOutcome, 'correction'>
  | 'correction-undone'
  | 'correction-sent'
  | 'correction-moved-rows'
  | 'correction-stays';

type Decided = { readonly documents: readonly DecidedDocument[] };
type Reread = { readonly documents: readonly ReadAgain[] };
type Done = { readonly done: true };

/** By the act; a new act does not compile without its result. */
type Results = {
  readonly retry: Decided;
  readonly release: Decided;
  readonly 'set-aside': Decided;
  readonly acknowledge: Decided;
  readonly resolve: Decided;
  readonly fix: Reread;
  readonly 'replace-cells': Reread;
  readonly reprocess: Reread;
  readonly 'reprocess-file': { readonly files: readonly FileReadAgain[] };
  readonly 'set-file-aside': Done;
  /** `decision`: what was undone, as the history names it. */
  readonly undo: { readonly outcome: UndoneAs; readonly is: State; readonly decision?: string };
  readonly 'undo-file': Done;
  readonly 'undo-export': { readonly due?: string };
  readonly waive: Done;
  readonly consult: { readonly services: readonly ServiceConsulted[] };
  /** How many documents the ERP gets the answers of once more. */
  readonly 'report-again': { readonly reported: number };
  readonly resume: { readonly resumed: boolean };
};

/** The result of an act of this name. */
export type ResultOf<Name extends ActName> = { [N in Name]: { readonly act: N } & Results[N] }[Name];
export type ActResult = ResultOf<ActName>;

/** What a request ends with. `internal-error` is a defect of the program. */
export type ActAnswer = { readonly result: ActResult } | { readonly error: OperatorError };

/** Only what a result shows of it. */
export function namedEntry({ id, name, state, facts }: LedgerEntry): NamedEntry {
  return { id, name, state, facts: { identifier: facts.identifier } };
}

/** As JSON, with the messages of faults in English and as ids with values. */
export function writeAnswer(answer: ActAnswer): string {
  if ('result' in answer) return JSON.stringify(answer, storeFaults);
  const { code, texts, message, hint, faults } = answer.error;
  const phrases = storedPhrases(definedOnly(texts));
  return JSON.stringify({ error: { code, phrases, message, hint, faults } }, storeFaults);
}

/** Reads what `writeAnswer` wrote, perhaps an earlier version of the program. */
export function readAnswer(text: string): ActAnswer {
  const read = JSON.parse(text, readFaults) as { readonly result: ActResult } | { readonly error: StoredError };
  if ('result' in read) return read;
  const { code, phrases, message, hint, faults } = read.error;
  const words: { readonly message: string | Message; readonly hint?: string | Message | undefined } =
    phrases === undefined ? { message, hint } : readPhrases(phrases);
  return { error: new OperatorError(code, words.message, { hint: words.hint, faults }) };
}

type StoredError = Pick<OperatorError, 'code' | 'message' | 'hint' | 'faults'> & { readonly phrases?: string };

function storeFaults(key: string, value: unknown): unknown {
  if (key === 'faults') return JSON.parse(storedFaults(value as readonly Fault[], 'en'));
  if (key === 'fault') return (JSON.parse(storedFaults([value as Fault], 'en')) as readonly unknown[])[0];
  return value;
}

function readFaults(key: string, value: unknown): unknown {
  if (key === 'faults') return readStoredFaults(JSON.stringify(value));
  if (key === 'fault') return readStoredFaults(JSON.stringify([value]))[0];
  return value;
}
