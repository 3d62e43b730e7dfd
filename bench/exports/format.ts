/**
 * What an export of the bench is: documents of a shipped sample, again and again, each under a number of its own and with
 * one to nine times the quantities. The texts are made once; a document is one of them with its number put in.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import iconv from 'iconv-lite';

const ROOT = join(import.meta.dirname, '../..');

/** All documents without fault, each with one warning, or each tenth refused. */
export type Quality = 'spotless' | 'warned' | 'refused';

/** A document with NUMBER in place of its number, and what control totals count of it. */
export type Template = {
  readonly text: string;
  readonly rows?: number;
  readonly quantity?: number;
  readonly net?: number;
};

/** Of the documents of one file. */
export type Sums = {
  readonly documents: number;
  readonly rows: number;
  readonly quantity: number;
  readonly net: number;
};

export type Format = {
  /** The shipped mapping. */
  readonly mapping: string;
  readonly service: 'fr' | 'sv';
  /** The day of conversion: on it the dates of the sample are neither old nor in the future. */
  readonly today: string;
  /** The name of a file, which the mapping accepts. */
  readonly nameOf: (id: string) => string;
  readonly encoding: string;
  /** Documents under one name are the same on every machine. `wrong` is the template of a document that is refused. */
  readonly templatesOf: (quality: Quality) => {
    readonly good: readonly Template[];
    readonly wrong?: readonly Template[];
  };
  /** Changes the shipped mapping for many documents in one file, where it takes one. */
  readonly adapt?: (mapping: string) => string;
  readonly head: string;
  readonly tail: (sums: Sums) => string;
  /** Makes a file of its text, where it is more than the text. */
  readonly pack?: (text: string) => Promise<Buffer>;
};

export const NUMBER = '\u0001NUMBER\u0001';
/** How often the quantities of the sample are taken. */
export const FACTORS = [1, 2, 3, 4, 5, 6, 7, 8, 9] as const;

export function sampleBytes(path: string): Buffer {
  return readFileSync(join(ROOT, 'samples', path));
}

export function sampleText(path: string, encoding = 'utf-8'): string {
  return iconv.decode(sampleBytes(path), encoding);
}

/** A document a tenth of which are refused where there is a wrong template. */
export function templateOf({ good, wrong }: ReturnType<Format['templatesOf']>, n: number): Template {
  const templates = wrong && n % 10 === 9 ? wrong : good;
  return templates[n % templates.length]!;
}

/** Eight digits, whose order is that of the documents. */
export function numberOf(n: number): string {
  return String(10_000_001 + n);
}
