/**
 * What loading a mapping file finds, each with its place in the file: key or value, and inside a formula the very word.
 */
import type { Fault, Mark } from '../../model/fault.ts';
import { suggest } from '../../text/suggest.ts';
import type { YamlFile, YamlPath } from '../../yaml/yaml-document.ts';

type Finding = {
  readonly code: string;
  readonly message: string;
  readonly hint?: string | undefined;
  readonly level?: Fault['level'];
  /** Point at the key instead of the value. */
  readonly key?: boolean;
};

export type Diagnostics = {
  readonly yaml: YamlFile;
  readonly faults: Fault[];
  readonly add: (path: YamlPath, finding: Finding) => void;
  /** Problems of the formula text that starts `shift` characters into the scalar at `path`. */
  readonly addFormula: (path: YamlPath, problems: readonly FormulaProblem[], shift: number) => void;
};

export function collectDiagnostics(yaml: YamlFile): Diagnostics {
  const faults: Fault[] = [];
  const push = (finding: Finding, mark: Mark) => {
    const { code, message, hint, level = 'error' } = finding;
    faults.push({ code, level, message, ...(hint === undefined ? {} : { hint }), mark });
  };
  return {
    yaml,
    faults,
    add: (path, finding) => push(finding, yaml.mark(path, finding.key ? 'key' : 'value')),
    addFormula: (path, problems, shift) => {
      for (const problem of problems) {
        push(problem, yaml.mark(path, 'value', problem.offset + shift, Math.max(problem.length, 1)));
      }
    },
  };
}

/** A number without quotes that is used as a text: 1.10 would arrive as 1.1. */
export function refuseShortened(findings: Diagnostics, value: unknown, path: YamlPath): void {
  if (typeof value !== 'number') return;
  const { text, column, length } = findings.yaml.mark(path);
  const source = text.slice(column - 1, column - 1 + length).trim();
  if (source === String(value) || !/^-?[\d.]+$/.test(source)) return;
  findings.add(path, {
    code: 'map/number-for-text',
    message: `${source} is read as the number ${value} when it has no quotes, and this is a text`,
    hint: `write it in quotes: "${source}"`,
  });
}

/** "did you mean ...?", or the names there are. */
export function hintOf(word: string, known: readonly string[], noun = 'known'): string | undefined {
  const near = suggest(word, known);
  if (near !== undefined) return `did you mean "${near}"?`;
  if (known.length === 0) return undefined;
  return `${noun}: ${firstOf(known).join(', ')}`;
}

/** As many names as a message shows. */
export function firstOf(known: readonly string[]): readonly string[] {
  return [...known.slice(0, 30), ...(known.length > 30 ? ['...'] : [])];
}

export type FormulaSpan = { readonly offset: number; readonly length: number };

/** What is wrong with a formula, found before any file is read. */
export type FormulaProblem = FormulaSpan & { readonly code: string; readonly message: string; readonly hint?: string };
