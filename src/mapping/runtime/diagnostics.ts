/**
 * What is wrong with a mapping file, each fault with its place: key or value, and inside a formula the very word.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Message } from '../../i18n/message.ts';
import { MAPPING_KEYS, SUGGESTIONS } from '../../i18n/messages/mapping-messages.ts';
import { type Fault, type Localizable, type Mark, MESSAGE, withMessage } from '../../model/fault.ts';
import { suggest } from '../../text/suggest.ts';
import type { YamlFile, YamlPath } from '../../yaml/yaml-document.ts';

/** A fault before its place is known. */
export type Problem = {
  /** Public: `map/...`. */
  readonly code: string;
  readonly message: Message;
  readonly hint?: Message | undefined;
};

type Finding = Problem & {
  readonly level?: Fault['level'];
  /** Point at the key instead of the value. */
  readonly key?: boolean;
};

/** The findings of one mapping file, in the order in which they are found. */
export type Diagnostics = {
  readonly yaml: YamlFile;
  readonly faults: Fault[];
  readonly add: (path: YamlPath, finding: Finding) => void;
  /** Problems of the formula text that starts `shift` characters into the scalar at `path`. */
  readonly addFormula: (path: YamlPath, problems: readonly FormulaProblem[], shift: number) => void;
};

export function collectDiagnostics(yaml: YamlFile): Diagnostics {
  const faults: Fault[] = [];
  return {
    yaml,
    faults,
    add: (path, finding) => faults.push(faultAt(yaml.mark(path, finding.key ? 'key' : 'value'), finding)),
    addFormula: (path, problems, shift) => {
      for (const problem of problems) {
        const mark = yaml.mark(path, 'value', problem.offset + shift, Math.max(problem.length, 1));
        faults.push(faultAt(mark, problem));
      }
    },
  };
}

/** Diagnostics that keep nothing, for what is compiled a second time. */
export function withoutFindings(findings: Diagnostics): Diagnostics {
  return { ...findings, add: () => undefined };
}

/** An error, unless the finding has another level. */
export function faultAt(mark: Mark, { code, level = 'error', message, hint }: Finding): Fault {
  return { code, level, ...withMessage(message, hint), mark };
}

/** A problem of a value, in the form that diagnostics take. */
export function problemOf({ code, [MESSAGE]: phrases }: Localizable & { readonly code: string }): Problem {
  return { code, ...phrases };
}

/** A number without quotes that is used as a text: 1.10 would arrive as 1.1. */
export function refuseShortened(
  findings: Diagnostics,
  value: unknown,
  path: YamlPath,
  yaml: YamlFile = findings.yaml,
): void {
  if (typeof value !== 'number') return;
  const mark = yaml.mark(path);
  const { text, column, length } = mark;
  const source = text.slice(column - 1, column - 1 + length).trim();
  if (source === String(value) || !/^-?[\d.]+$/.test(source)) return;
  const message = MAPPING_KEYS.numberForText({ source, value: String(value) });
  const fault = faultAt(mark, { code: 'map/number-for-text', message, hint: MAPPING_KEYS.quoteNumber({ source }) });
  // A table may be used in two places; a fault in it is reported once.
  if (!findings.faults.some((other) => isDeepStrictEqual(other, fault))) findings.faults.push(fault);
}

/** A key of a block that is none of the `known` ones. */
export function unknownKey(key: string, known: readonly string[]): Finding {
  const message = MAPPING_KEYS.unknown({ key });
  return { code: 'map/unknown-key', message, hint: suggestionFor(key, known), key: true };
}

/** "did you mean ...?", or the names there are; undefined where there is none. `list` introduces the names. */
export function suggestionFor(
  word: string,
  known: readonly string[],
  list: (values: { readonly names: readonly string[] }) => Message = SUGGESTIONS.known,
): Message | undefined {
  const near = suggest(word, known);
  if (near !== undefined) return SUGGESTIONS.meant({ near });
  return known.length === 0 ? undefined : list({ names: shortList(known) });
}

/** As many names as a message shows. */
export function shortList(known: readonly string[]): readonly string[] {
  return known.length > 30 ? [...known.slice(0, 30), '...'] : known;
}

/** A part of a formula, in code units from its first character. */
export type FormulaSpan = { readonly offset: number; readonly length: number };

/** What is wrong with a formula, found before any file is read. */
export type FormulaProblem = FormulaSpan & Problem;
