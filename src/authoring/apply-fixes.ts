/**
 * `check --fix`: findings in, edited texts out. Applies the safe edits to the files of an instance and takes back each
 * that leads to another finding at its place. Works on texts only; the caller shows and writes them.
 */
import type { FileTexts } from '../instance/instance.ts';
import type { Fault } from '../model/fault.ts';
import { type Fix, fixesOf, offsetOf } from './suggest-fixes.ts';
import { applyEdits, type ChangedLine, changedLines, offsetBefore, overlap } from './text-edits.ts';

/**
 * One file with at least one edit: its whole text before and after, the codes of the fixed findings in the order of
 * their places, and the changed lines for display.
 */
export type FixedFile = {
  readonly file: string;
  readonly before: string;
  readonly after: string;
  readonly codes: readonly string[];
  readonly changes: readonly ChangedLine[];
};

/** `remaining`: the findings of the fixed texts, those that no edit fixes among them. */
export type Fixing = { readonly files: readonly FixedFile[]; readonly remaining: readonly Fault[] };

/** One file under repair: all edits are of the text as it was. */
type Repair = { readonly file: string; readonly before: string; fixes: readonly Fix[]; readonly refused: Set<string> };

/**
 * `findings` checks the instance with the given texts in place of those on disk; `read` gives undefined for a file that
 * must not be touched. Repeats until a pass neither adds nor takes back an edit: an edit that was refused once is never
 * tried again, so the loop ends.
 */
export function fix(
  findings: (texts: FileTexts) => readonly Fault[],
  read: (file: string) => string | undefined,
): Fixing {
  const repairs = new Map<string, Repair>();
  for (;;) {
    const texts = new Map([...repairs.values()].map((repair) => [repair.file, textOf(repair)]));
    const faults = findings(texts);
    const added = faults.filter((fault) => repairOne(repairs, fault, read)).length;
    if (added > 0) continue;
    // Only when no edit is left to add: an edit may uncover a finding that the next one fixes.
    const taken = [...repairs.values()].filter((repair) => takeBack(repair, faults)).length;
    if (taken === 0) return { files: [...repairs.values()].flatMap(fixedFile), remaining: faults };
  }
}

function textOf({ before, fixes }: Repair): string {
  return applyEdits(before, fixes);
}

/** True where the fault leads to a further edit. Offsets are converted to those of the text before all edits. */
function repairOne(repairs: Map<string, Repair>, fault: Fault, read: (file: string) => string | undefined): boolean {
  const file = fault.mark?.file;
  const before = file === undefined ? undefined : (repairs.get(file)?.before ?? read(file));
  if (file === undefined || before === undefined) return false;
  const repair: Repair = repairs.get(file) ?? { file, before, fixes: [], refused: new Set() };
  const fresh = fixesOf(fault, textOf(repair))
    .map((one) => ({ ...one, start: offsetBefore(repair.fixes, one.start), end: offsetBefore(repair.fixes, one.end) }))
    .filter((one) => !repair.refused.has(nameOf(one)) && !repair.fixes.some((other) => overlap(one, other)));
  if (fresh.length === 0) return false;
  repairs.set(file, { ...repair, fixes: [...repair.fixes, ...fresh] });
  return true;
}

function nameOf({ start, code }: Fix): string {
  return `${start} ${code}`;
}

/**
 * True where an edit was refused. An error at the place of an edit means that the edit was wrong, unless it keeps that
 * error.
 */
function takeBack(repair: Repair, faults: readonly Fault[]): boolean {
  const text = textOf(repair);
  const errors = faults.filter(({ level, mark }) => level === 'error' && mark?.file === repair.file);
  const bad = repair.fixes.filter((one) => errors.some((fault) => !one.keeps(fault) && isAt(repair, text, one, fault)));
  // Tabs of a file are fixed together or not at all: half of them would nest its blocks otherwise.
  const gone = repair.fixes.filter(
    (one) => bad.includes(one) || bad.some(({ code }) => isTab(code) && isTab(one.code)),
  );
  for (const one of gone) repair.refused.add(nameOf(one));
  repair.fixes = repair.fixes.filter((one) => !gone.includes(one));
  return gone.length > 0;
}

function isTab(code: string): boolean {
  return code === 'yaml/tab';
}

/** An edit of tabs moves whole blocks, so that any error of the file may come from it. */
function isAt({ fixes }: Repair, text: string, one: Fix, { mark }: Fault): boolean {
  if (isTab(one.code)) return true;
  if (!mark) return false;
  const start = offsetOf(text, mark);
  const range = { start: offsetBefore(fixes, start), end: offsetBefore(fixes, start + mark.length) };
  // A fault without length still touches the edit at its place.
  return overlap({ ...range, end: Math.max(range.end, range.start + 1) }, one);
}

function fixedFile(repair: Repair): readonly FixedFile[] {
  const { file, before, fixes } = repair;
  if (fixes.length === 0) return [];
  const codes = fixes.toSorted((a, b) => a.start - b.start).map(({ code }) => code);
  return [{ file, before, after: textOf(repair), codes, changes: changedLines(before, fixes) }];
}
