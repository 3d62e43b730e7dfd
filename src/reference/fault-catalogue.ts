/**
 * Reads the fault codes from the manual (docs/reference/faults-*.md), which is part of the package; a test compares it
 * with the code. A language comes in, entries come out. Examples are the lines of the manual that show a code at work.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { DOCUMENT_KINDS } from '../catalogue.ts';
import { type Language, templateOf } from '../i18n/message.ts';
import { ruleTexts } from '../i18n/rule-messages.ts';
import { DOCS, readReference, splitTableRow, withoutLinks } from './manual-tables.ts';

/** Pages of the fault codes, in the order in which `explain` lists them. */
const FAULT_PAGES = ['start', 'files', 'mappings', 'documents', 'ledger'].map((area) => `faults-${area}.md`);
const RULE_PAGES = ['rules-fr.md', 'rules-sv.md'];

/** One row of the manual for one code, without links. */
export type FaultEntry = {
  readonly code: string;
  /** The heading of the manual above the row. */
  readonly section: string;
  readonly level: string;
  readonly meaning: string;
  readonly remedy: string;
};

/**
 * Every code once, in the order of the English pages. In another language: from its pages (faults-ledger.fr.md), else
 * from the texts of the rules that give the code.
 */
export function faultCatalogue(language: Language = 'en'): readonly FaultEntry[] {
  const english = parseFaultPages(readReference(FAULT_PAGES));
  if (language === 'en') return english;
  const pages = FAULT_PAGES.map((name) => name.replace('.md', `.${language}.md`));
  const translated = new Map(parseFaultPages(readReference(pages)).map((entry) => [entry.code, entry]));
  return english.map((entry) => translated.get(entry.code) ?? { ...entry, ...textsOfRules(entry.code, language) });
}

/** Empty where no rule gives the code. */
function textsOfRules(code: string, language: Language): Partial<Pick<FaultEntry, 'meaning' | 'remedy'>> {
  const rules = DOCUMENT_KINDS.flatMap(({ rules }) => rules.rules.filter((rule) => rule.code === code));
  if (rules.length === 0) return {};
  const [meanings, remedies] = [new Set<string>(), new Set<string>()];
  for (const { id } of rules) {
    const [message, hint] = ruleTexts(id);
    meanings.add(readableTemplate(templateOf(message, language)));
    remedies.add(readableTemplate(templateOf(hint, language)));
  }
  return { meaning: [...meanings].join(' '), remedy: [...remedies].join(' ') };
}

/** The rows of the tables of pages: each code of a row is an entry of its own. */
export function parseFaultPages(text: string): readonly FaultEntry[] {
  const entries: FaultEntry[] = [];
  let section = '';
  for (const line of text.split('\n')) {
    section = /^#{2,3} (.+)$/.exec(line)?.[1] ?? section;
    if (!line.startsWith('| `')) continue;
    const [codes = '', level = '', meaning = '', remedy] = splitTableRow(line);
    if (remedy === undefined) continue;
    const entry = { section, level, meaning: withoutLinks(meaning), remedy: withoutLinks(remedy) };
    for (const [, code = ''] of codes.matchAll(/`([^`]+)`/g)) entries.push({ code, ...entry });
  }
  return entries;
}

/** Every page of the manual, as a path below docs/. */
function listPages(): readonly string[] {
  const names = readdirSync(DOCS, { recursive: true, encoding: 'utf8' }).map((name) => name.replaceAll('\\', '/'));
  return names.filter((name) => name.endsWith('.md')).sort();
}

/** A line of the manual's examples that shows the code, with the mark under it where there is one. */
export function findExample(code: string): string | undefined {
  for (const name of listPages()) {
    const blocks = readFileSync(new URL(name, DOCS), 'utf8').matchAll(/^```(?:text|console|)[^\n]*\n([\s\S]*?)^```$/gm);
    for (const [, block = ''] of blocks) {
      const lines = block.split('\n');
      const at = lines.findIndex((line) => line.split(/\s+/).includes(code) && !line.startsWith('$'));
      if (at < 0) continue;
      const marked = lines.slice(at + 1, at + 3).filter((line) => /^\s*\d* \| /.test(line));
      return [lines[at], ...marked].join('\n');
    }
  }
  return undefined;
}

/** Rule -> the message for the example that breaks it: docs/reference/rules-*.md, whose examples were run. */
export function ruleExamples(): ReadonlyMap<string, string> {
  const blocks = readReference(RULE_PAGES).split(/^### /m).slice(1);
  return new Map(
    blocks.flatMap((block) => {
      const message = /^- Fails: .*; message: (.+)$/m.exec(block)?.[1];
      return message === undefined ? [] : [[block.replace(/\n[\s\S]*/, '').trim(), message] as const];
    }),
  );
}

/** The words of a rule without a document: `…` replaces each value that a document would give. */
export function readableTemplate(words: string): string {
  return words.replaceAll('{instead}', '').replace(/\{[a-z-]+\}/g, '…');
}
