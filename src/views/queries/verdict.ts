/** The verdict about an instance in one sentence: what `status --check` found comes in, the sentence and its weight come out. */
import { format, type Language, type Message } from '../../i18n/message.ts';
import type { StatusCheck } from './status-check.ts';

/** `good`: nothing waits; `attention`: work waits for a person; `alarm`: something keeps documents from being sent, or an export from coming. */
export type InstanceVerdict = { readonly weight: 'good' | 'attention' | 'alarm'; readonly sentence: Message };

const WEIGHTS = ['good', 'attention', 'alarm'] as const;

/** The reasons as one sentence, the more severe first. */
export function verdictOf({ level, says }: Pick<StatusCheck, 'level' | 'says'>): InstanceVerdict {
  const inLanguage = (language: Language) =>
    capitalized(
      enumerated(
        says.map((one) => format(one, language)),
        language,
      ),
    );
  return {
    weight: WEIGHTS[level],
    sentence: { words: { en: inLanguage('en'), fr: inLanguage('fr'), es: inLanguage('es') } },
  };
}

/** "a, b and c". A reason with a comma of its own needs a stronger mark. */
function enumerated(reasons: readonly string[], language: Language): string {
  const [only = ''] = reasons;
  // Most nights have one reason, and the first list of a language loads data for some milliseconds.
  if (reasons.length <= 1) return only;
  if (reasons.some((one) => one.includes(','))) return reasons.join('; ');
  return new Intl.ListFormat(language).format(reasons);
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
