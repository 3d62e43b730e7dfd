/**
 * `{ base64: $File }`: the name of a file next to the export in, such as the PDF of an invoice; its content as Base64
 * text out. A cell contains the name, so it must be a plain file name that `accepts.companions` allows: no cell can
 * reach another export.
 */
import { COMPANIONS } from '../../i18n/messages/mapping-messages.ts';
import { withMessage } from '../../model/fault.ts';
import { matchesName } from '../../text/glob.ts';
import { valueText } from '../runtime/composition.ts';
import { fail } from '../runtime/function-definition.ts';
import { type Context, FAILED, type RunProblem, type Value } from '../runtime/value.ts';
import type { ValueExpression } from './expression-types.ts';

/** The form with the key `base64` alone. */
export function isAttachment(value: unknown): value is { readonly base64: unknown } {
  return typeof value === 'object' && value !== null && 'base64' in value && Object.keys(value).length === 1;
}

/**
 * An empty name gives an empty value. Faults: `map/companion-name`, `map/no-companion`, or the reason why the file
 * cannot be read.
 */
export function attachmentExpression(name: ValueExpression, patterns: readonly string[]): ValueExpression {
  const { columns, overRows } = name;
  return { kind: 'text', read: (context) => contentOf(context, name.read(context), patterns), columns, overRows };
}

function contentOf(context: Context, value: Value, patterns: readonly string[]): Value {
  if (value === FAILED || value === '') return value;
  const name = valueText(value);
  const found = refusal(name, patterns) ?? context.facts.companion?.(name) ?? missingAttachment(name);
  return typeof found === 'string' ? found : fail(context, found);
}

/** A name with a path, a drive, or a leading dot is refused, also where a pattern would match it. */
function refusal(name: string, patterns: readonly string[]): RunProblem | undefined {
  const plain = !/[/\\:\0]/.test(name) && !name.startsWith('.');
  if (plain && patterns.some((pattern) => matchesName(pattern, name))) return undefined;
  return {
    code: 'map/companion-name',
    ...withMessage(
      plain ? COMPANIONS.notAllowed({ name, patterns }) : COMPANIONS.notPlain({ name }),
      COMPANIONS.correctName(),
    ),
    given: name,
  };
}

/** The fault of a name whose file is not next to the export. */
export function missingAttachment(name: string): RunProblem {
  return {
    code: 'map/no-companion',
    ...withMessage(COMPANIONS.missing({ name }), COMPANIONS.dropFirst()),
    given: name,
  };
}
