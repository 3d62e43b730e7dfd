/**
 * saxes with what it lets pass and the recommendations do not: found by comparing it with libxml2 on damaged documents.
 *
 * It stays the judge: it is as strict as libxml2 in all else, streams, expands nothing, and its few gaps are closed
 * here. What cannot be seen in its events, the end of the target of a processing instruction, is looked at in its
 * states.
 */
import { SaxesParser, type SaxesTagNS } from 'saxes';

/**
 * Behind the colon of a prefix begins a name (Namespaces in XML 1.0, NCName): no digit, hyphen, dot or combining mark.
 */
const NO_NAME_BEHIND = /:(?:[-.0-9\u00b7\u203f\u2040]|[\u0300-\u036f]|$)/;

export type Parser = SaxesParser<{ xmlns: true; position: true }>;

type Inner = {
  readonly chunk: string;
  readonly i: number;
  fail(message: string): unknown;
  sPIRest(): void;
  sPIEnding(): void;
};

const states = SaxesParser.prototype as unknown as Pick<Inner, 'sPIRest' | 'sPIEnding'>;
/** Parsers that read a question mark right after a target: only the end may follow. */
const behindTarget = new WeakSet<object>();

class GuardedParser extends SaxesParser<{ xmlns: true; position: true }> {}

Object.assign(GuardedParser.prototype, {
  sPIRest(this: Inner) {
    states.sPIRest.call(this);
    if (this.chunk[this.i - 1] === '?') behindTarget.add(this);
  },
  sPIEnding(this: Inner) {
    if (behindTarget.delete(this) && this.chunk[this.i] !== '>') {
      this.fail('disallowed character in processing instruction name.');
    }
    states.sPIEnding.call(this);
  },
});

export function createCheckedParser(): Parser {
  return new GuardedParser({ xmlns: true, position: true });
}

/** The first name of the tag that is none, or undefined. */
export function malformedName({ name, attributes }: SaxesTagNS): string | undefined {
  if (isMalformed(name)) return name;
  for (const attribute in attributes) if (isMalformed(attribute)) return attribute;
  return undefined;
}

function isMalformed(name: string): boolean {
  return name.includes(':') && NO_NAME_BEHIND.test(name);
}

/** A namespace with blanks around it, which saxes takes off: it is another namespace. */
export function paddedNamespace({ ns, attributes }: SaxesTagNS): string | undefined {
  for (const prefix in ns) {
    const value = attributes[prefix === '' ? 'xmlns' : `xmlns:${prefix}`]?.value;
    if (value !== undefined && value.trim() !== value) return value;
  }
  return undefined;
}
