/**
 * The exports of a year, drawn from a seed: CSV each night, XML and pairs now and then, some with documents that a service or a
 * person has to decide about, again in the same bytes, corrected, late, and broken.
 */
import { sales } from '../../night.ts';
import type { Dropped } from '../checker.ts';
import { pairOf, xmlOf } from '../large-night.ts';
import type { Random } from '../random.ts';

/** A customer whose data a person asks to remove during the year. */
export const PERSON = 'Zoroastre Quetzal';
/** A quantity that is no number. */
const WRONG = '2O';

/** What the service answers to the documents that are not simply authorized; `ONCE` ends with the first answer. */
const MARKS = ['6ONCE', '8', 'LOST', 'DROPONCE', '11', '15', '400ONCE', '4ONCE', '500ONCE', 'CUT'] as const;

export type YearExports = {
  /** What arrives in this night, in the order of the arrival. */
  readonly of: (night: number) => readonly Dropped[];
  /** Whether a corrected export of the document comes, so that no person corrects it. */
  readonly isCorrectedLater: (number: string) => boolean;
};

/** `last`: the last night whose exports may have the person. */
export function drawExports(random: Random, last: number): YearExports {
  const coming = new Map<number, Dropped[]>();
  const corrected = new Set<string>();
  const recent: Dropped[] = [];
  const later = (night: number, ...exports: readonly Dropped[]) =>
    coming.set(night, [...(coming.get(night) ?? []), ...exports]);

  function numbersOf(night: number, prefix: string, count: number): readonly string[] {
    return Array.from({ length: count }, (_, n) => {
      const mark = random.isOneIn(7) ? `-X${random.one(MARKS)}` : '';
      return `${prefix}${night}-${n}${mark}`;
    });
  }

  /** Some of the customers are the person. */
  const withPerson = (night: number, { content, ...rest }: Dropped): Dropped => ({
    ...rest,
    content: content.replaceAll(/Client [\w-]+/g, (client) => (night <= last && isPerson(client) ? PERSON : client)),
  });

  function ofSales(night: number): readonly Dropped[] {
    const numbers = numbersOf(night, 'N', 4 + random.below(3));
    const wrong = random.isOneIn(3) ? `W${night}-0` : undefined;
    const content = sales(wrong === undefined ? numbers : [...numbers, wrong]);
    const given = wrong === undefined ? content : withQuantity(content, wrong, WRONG);
    if (wrong !== undefined && random.isOneIn(2)) {
      corrected.add(wrong);
      later(
        night + 1 + random.below(2),
        withPerson(night, { name: `ventes-${night}-corrigé.csv`, content: sales([wrong]) }),
      );
    }
    return [withPerson(night, { name: `ventes-${night}.csv`, content: given })];
  }

  return {
    isCorrectedLater: (number) => corrected.has(number),
    of: (night) => {
      const made: Dropped[] = [...ofSales(night)];
      if (night % 3 === 0)
        made.push(
          withPerson(night, { name: `export-${night}.xml`, content: xmlOf(numbersOf(night, 'X', 2)), isTable: false }),
        );
      if (night % 5 === 0)
        made.push(...pairOf(`${night}`, numbersOf(night, 'P', 2)).map((one) => withPerson(night, one)));
      // In another night than its own.
      if (night % 7 === 0)
        later(night + 2, { name: `ventes-${night}-tard.csv`, content: sales(numbersOf(night, 'L', 2)) });
      if (night % 9 === 0) made.push({ name: `ventes-${night}-faux.csv`, content: `Num;Date\nB${night}\n` });
      if (night % 4 === 0 && recent.length > 0) {
        const again = random.one(recent);
        made.push({ ...again, name: again.name.replace('ventes', `ventes-encore-${night}`) });
      }
      made.push(...(coming.get(night) ?? []));
      coming.delete(night);
      recent.push(...made.filter(({ name }) => /^ventes-\d+\.csv$/.test(name)));
      recent.splice(0, recent.length - 6);
      return made;
    },
  };
}

function isPerson(client: string): boolean {
  return /-1(?:-X|$)/.test(client);
}

/** The same, with this quantity in the rows of one document. */
function withQuantity(content: string, number: string, quantity: string): string {
  return content.replaceAll(new RegExp(`^(${number};[^;]*;[^;]*;[^;]*;)2;`, 'gm'), `$1${quantity};`);
}
