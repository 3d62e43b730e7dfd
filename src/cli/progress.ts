/** Counts what happens and keeps the live line: `812/1204 67%  authorized 795  to correct 15  to verify 2  9.8/s`. */
import { showFault } from '../model/fault.ts';
import { printable } from '../model/printable.ts';
import { type State, stateInfo } from '../model/state.ts';
import type { Language } from '../model/words.ts';
import type { Happening } from '../pipeline.ts';
import { expectedLines } from './expected-lines.ts';
import type { Log } from './session.ts';
import { bar, counted, type Terminal } from './terminal.ts';

const FULL_WIDTH = 100;

export type Progress = {
  readonly tellWith: (log: Log) => (happening: Happening, run: string) => void;
  readonly end: () => void;
};

/** `reported`: a report at the end tells what is missing. */
export function followProgress(terminal: Terminal, { reported = false } = {}): Progress {
  const speak = (happening: Happening) => {
    for (const line of spoken(happening, reported)) terminal.talk(printable(line));
  };
  const startedMs = performance.now();
  const counts = new Map<string, number>();
  let documents = 0;
  let done = 0;
  let files = 0;
  const line = () => {
    const seconds = Math.max((performance.now() - startedMs) / 1000, 0.001);
    const rate = done / seconds;
    const left = documents - done;
    const words = [...counts].map(([word, count]) => `${word} ${count}`).join('  ');
    const eta = rate > 0 && left > 0 ? `  ETA ${seconds < 1 ? '...' : inWords(left / rate)}` : '';
    const head = terminal.isLive && terminal.columns >= FULL_WIDTH ? `${bar(done, documents)}  ` : '';
    if (done === 0) return `${counted(files, 'file')} taken in, ${counted(documents, 'document')}`;
    const total = Math.max(documents, done);
    return `${head}${done}/${total} ${Math.floor((done / total) * 100)}%  ${words}  ${rate.toFixed(1)}/s${eta}`;
  };
  const tell = (happening: Happening) => {
    if (happening.what === 'file-admitted') {
      files++;
      documents += happening.documents;
      speak(happening);
    } else if (happening.what === 'queued') documents += happening.documents;
    else if (happening.what === 'mapping-held') {
      documents -= happening.documents;
      speak(happening);
    } else if (happening.what === 'document' && happening.state !== 'ready') {
      done++;
      const word = wordOf(happening.state);
      counts.set(word, (counts.get(word) ?? 0) + 1);
    } else speak(happening);
    terminal.live(line());
  };
  return {
    tellWith: (log) => (happening, run) => {
      log(happening, run);
      tell(happening);
    },
    end: () => terminal.live(''),
  };
}

/**
 * About the mapping, not about the night: an optional element that no document of a file has would be told every night.
 * `preview` shows them, and the summary keeps them.
 */
const FOR_THE_CONSULTANT: ReadonlySet<string> = new Set(['xml/path-not-found', 'fixed/text-between-columns']);

const LEFT = {
  young: 'it has only just arrived',
  growing: 'it is still growing',
  empty: 'it is still empty',
  'no-marker': 'its marker file is not there',
  held: 'it could not be taken',
} as const;

function spoken(happening: Happening, reported: boolean): readonly string[] {
  switch (happening.what) {
    case 'inbox-refused':
      return [showFault(happening.fault)];
    case 'file-admitted':
      return happening.faults.filter(({ code }) => !FOR_THE_CONSULTANT.has(code)).map(showFault);
    case 'file-refused':
      return happening.faults.map(showFault);
    case 'file-duplicate':
      return [`${happening.file}: the same bytes were taken before as ${happening.first}; nothing is sent twice`];
    case 'file-waits':
      return [`${happening.file} waits in the inbox for ${happening.for}, until ${timeOf(happening.untilMs)}`];
    case 'left-in-folder':
      return [leftInFolder(happening)];
    case 'corrections':
      return [...happening.faults.map(showFault), correctionsTold(happening)];
    case 'no-to-fix':
      return [`${happening.file}: no correction file (*.to-fix) was written: ${happening.why}`];
    case 'service-waits':
      return [`${happening.service}: ${happening.says}; next try in ${inWords(happening.ms / 1000)}`];
    case 'service-stopped':
      return [`${happening.service}: stopped (${happening.cause}): ${happening.says}`];
    case 'mapping-held':
      return [
        `${happening.service}: ${happening.says}`,
        `  its ${counted(happening.documents, 'queued document')} ${happening.documents === 1 ? 'is' : 'are'} held; mend the cause, then release them, or drop a corrected export`,
      ];
    case 'export-missing':
      return reported ? [] : expectedLines([{ ...happening, state: 'missing' }]);
    case 'left-waiting':
      return [`${happening.file}: left in the inbox, ${LEFT[happening.why]}; a later run takes it`];
    case 'recovered':
      return [
        `An earlier run was cut off: ${counted(happening.files, 'file')} taken up again, ${counted(happening.inDoubt, 'document')} in doubt`,
      ];
    default:
      return [];
  }
}

function leftInFolder({ folder, files, count }: Extract<Happening, { what: 'left-in-folder' }>): string {
  const more = count > files.length ? ` and ${count - files.length} more` : '';
  const what = count === 1 ? '1 file decides nothing, see its note' : `${count} files decide nothing, see their notes`;
  return `${folder}: ${what} there: ${files.map(printable).join(', ')}${more}`;
}

function correctionsTold({ file, corrected, unchanged, refused }: Extract<Happening, { what: 'corrections' }>): string {
  const parts = [`${corrected} corrected`, `${unchanged} unchanged`, `${refused} refused`];
  const done = parts.filter((part) => !part.startsWith('0 ')).join(', ');
  return `${file}: a correction file, ${done === '' ? 'without documents' : `documents: ${done}`}`;
}

function timeOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 16).replace('T', ' ').concat(' UTC');
}

/** The operator's word, in lower case inside a sentence. */
export function wordOf(state: State, language: Language = 'en'): string {
  return stateInfo(state).words[language].toLowerCase();
}

/** "invalid (to correct)"; once where the word is the name. */
export function stateWords(state: State): string {
  const word = wordOf(state);
  return word === state ? state : `${state} (${word})`;
}

export function inWords(seconds: number): string {
  if (seconds < 1) return '1s';
  if (seconds < 60) return `${Math.round(seconds)}s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60
    ? `${minutes}m${String(Math.round(seconds % 60)).padStart(2, '0')}s`
    : `${Math.floor(minutes / 60)}h${String(minutes % 60).padStart(2, '0')}m`;
}
