/**
 * Check digits as rules. Warnings where a rule says nothing else: no contract shows such a rule, but a wrong digit is nearly
 * always a typing error or a zero that a spreadsheet took away, and comes back as a rejection.
 */
import type { RuleInfo } from '../../model/rule.ts';
import { offering } from './rule-faults.ts';
import type { Report, Rule } from './rule-pack.ts';

const BLANKS_AND_HYPHENS = /[\s-]/g;

/** An identifier of the payload, and the pointer to it, made only where it is needed; and what was meant, where it is known. */
export type Visit = (
  type: string | undefined,
  value: string | undefined,
  at: () => string,
  meant?: () => string | undefined,
) => void;

type Digits<View> = Omit<RuleInfo, 'says' | 'hint' | 'severity'> & {
  readonly severity?: RuleInfo['severity'];
  /** What people call the identifier. */
  readonly name: RuleInfo['says'];
  /** Its type in the payload. */
  readonly type: string;
  readonly valid: (text: string) => boolean;
  /** Walks over the identifiers of the document. */
  readonly walk: (view: View, visit: Visit) => void;
};

export function digitRule<View>({ name, type, valid, walk, ...info }: Digits<View>): Rule<View> {
  return {
    severity: 'warning',
    ...info,
    says: {
      en: `this is not a ${name.en}, its length or its check digit is wrong`,
      fr: `ce n’est pas un ${name.fr}, sa longueur ou sa clé de contrôle est fausse`,
      es: `esto no es un ${name.es}, su longitud o su dígito verificador es incorrecto`,
    },
    hint: {
      en: 'compare it with the register entry; leading zeros may have been lost in a spreadsheet',
      fr: 'comparez avec l’inscription au registre ; un tableur a pu retirer des zéros en tête',
      es: 'compárelo con el registro; una hoja de cálculo puede haber quitado ceros iniciales',
    },
    test: (view: View, broken: Report) =>
      walk(view, (given, value, at, meant) => {
        // Blanks and hyphens are seldom there: they are taken out of what is not right as it stands.
        if (given !== type || value === undefined || valid(value) || valid(digitsOf(value))) return;
        broken(at(), offering(meant?.()));
      }),
  };
}

/** Blanks and hyphens are a matter of writing. */
function digitsOf(value: string): string {
  return value.replace(BLANKS_AND_HYPHENS, '');
}
