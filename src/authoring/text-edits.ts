/**
 * Texts that people write, and replacements of ranges in; changed texts and the lines that differ out, everything else
 * byte for byte. Throws `tools/changed-meanwhile` rather than overwrite a change of another program.
 */
import { readFileSync, realpathSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { temporaryName } from '../files/write-durable.ts';
import { TEST_UPDATES } from '../i18n/messages/mapping-messages.ts';
import { OperatorError } from '../model/fault.ts';

/** `start` to `end` (exclusive), counted in the original text as UTF-16 code units; `text` replaces the range. */
export type Edit = { readonly start: number; readonly end: number; readonly text: string };

/** Whole lines around an edit; `line` counts from 1 and both texts may have several lines. */
export type ChangedLine = { readonly line: number; readonly before: string; readonly after: string };

/** The edits may come in any order; they must not overlap. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  let at = 0;
  let result = '';
  for (const edit of edits.toSorted((a, b) => a.start - b.start)) {
    result += text.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return result + text.slice(at);
}

/** True where the ranges share a character; ranges that only touch do not. */
export function overlap(a: Pick<Edit, 'start' | 'end'>, b: Pick<Edit, 'start' | 'end'>): boolean {
  return a.start < b.end && b.start < a.end;
}

/** Converts an offset of the edited text into one of the original text; inside an edit, its start. */
export function offsetBefore(edits: readonly Edit[], offset: number): number {
  let shift = 0;
  for (const edit of edits.toSorted((a, b) => a.start - b.start)) {
    const start = edit.start + shift;
    if (offset < start) break;
    if (offset < start + edit.text.length) return edit.start;
    shift += edit.text.length - (edit.end - edit.start);
  }
  return offset - shift;
}

/** The edited places with whole lines around them, as a diff shows them; lines may become more or fewer. */
export function changedLines(text: string, edits: readonly Edit[]): readonly ChangedLine[] {
  const sorted = edits.toSorted((a, b) => a.start - b.start);
  const blocks: { start: number; end: number; edits: Edit[] }[] = [];
  for (const edit of sorted) {
    const start = text.lastIndexOf('\n', edit.start - 1) + 1;
    const stop = text.indexOf('\n', edit.end);
    const end = stop < 0 ? text.length : stop;
    const last = blocks.at(-1);
    // Edits on the same line belong to one block, so that the line is shown once.
    if (last && start <= last.end) {
      last.end = Math.max(last.end, end);
      last.edits.push(edit);
    } else blocks.push({ start, end, edits: [edit] });
  }
  return blocks.map(({ start, end, edits: inside }) => {
    const before = text.slice(start, end);
    const moved = inside.map((edit) => ({ ...edit, start: edit.start - start, end: edit.end - start }));
    return { line: text.slice(0, start).split('\n').length, before, after: applyEdits(before, moved) };
  });
}

/** The text of a file; undefined where its bytes are not UTF-8, because a rewrite would change them. */
export function readSourceText(path: string): string | undefined {
  const bytes = readFileSync(path);
  const text = bytes.toString('utf8');
  return Buffer.from(text, 'utf8').equals(bytes) ? text : undefined;
}

/**
 * Writes a temporary file and renames it, with the same permissions. Throws `tools/changed-meanwhile` where the file is
 * no longer `before`.
 */
export function replaceText(path: string, before: string, after: string): void {
  const place = realpathSync(path);
  if (readSourceText(place) !== before) {
    throw new OperatorError('tools/changed-meanwhile', TEST_UPDATES.fileChanged({ path }), {
      hint: TEST_UPDATES.runAgain(),
    });
  }
  const temporary = temporaryName(place);
  writeFileSync(temporary, after, { mode: statSync(place).mode });
  renameSync(temporary, place);
}
