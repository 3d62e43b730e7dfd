/**
 * saxes with the gaps closed in which it accepts what the recommendations refuse, found by comparison with libxml2 on
 * damaged documents. It streams and expands nothing. Text in, events of saxes out; an error goes to `fail`, as its own.
 * The end of the target of a processing instruction is not in its events, so its states are watched.
 */
import { SaxesParser, type SaxesTagNS } from 'saxes';

/**
 * After the colon of a prefix a name begins (Namespaces in XML 1.0, NCName): not a digit, hyphen, dot or combining
 * mark.
 */
const NO_NAME_BEHIND = /:(?:[-.0-9\u00b7\u203f\u2040]|[\u0300-\u036f]|$)/;

/** The parser with namespaces resolved and with lines, columns and positions. */
export type Parser = SaxesParser<{ xmlns: true; position: true }>;

type Inner = {
  readonly chunk: string;
  readonly i: number;
  fail(message: string): unknown;
  sPIRest(): void;
  sPIEnding(): void;
};

const states = SaxesParser.prototype as unknown as Pick<Inner, 'sPIRest' | 'sPIEnding'>;
/** Parsers that have read a question mark right after a target: only the end may follow. */
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

/** The caller sets the handlers and checks the names of each tag with the two functions below. */
export function createCheckedParser(): Parser {
  return new GuardedParser({ xmlns: true, position: true });
}

/** The first name in the tag that is not a valid name, or undefined. */
export function malformedName({ name, attributes }: SaxesTagNS): string | undefined {
  if (isMalformed(name)) return name;
  for (const attribute in attributes) if (isMalformed(attribute)) return attribute;
  return undefined;
}

function isMalformed(name: string): boolean {
  return name.includes(':') && NO_NAME_BEHIND.test(name);
}

/** The first namespace that has blanks around it, or undefined. saxes trims it, which makes it another namespace. */
export function paddedNamespace({ ns, attributes }: SaxesTagNS): string | undefined {
  for (const prefix in ns) {
    const value = attributes[prefix === '' ? 'xmlns' : `xmlns:${prefix}`]?.value;
    if (value !== undefined && value.trim() !== value) return value;
  }
  return undefined;
}
