/**
 * The settings about rules in; the kinds of documents under them out, with their profiles, severities and further fields,
 * and a fault for each setting that no rule and no shape knows.
 */

import { DOCUMENT_KINDS } from '../catalogue.ts';
import { UnusableFieldError, withFurtherFields } from '../documents/schema/further-fields.ts';
import { RULES_SETTING, SETTINGS_FAULT } from '../i18n/messages/settings-messages.ts';
import type { DocumentKind } from '../model/document.ts';
import { type Fault, withMessage } from '../model/fault.ts';
import { appendAll } from '../text/long-lists.ts';
import { suggest } from '../text/suggest.ts';
import type { Settings } from './settings-shape.ts';

/**
 * Faults are about what would have no effect without a message: the severity of an unknown rule (`config/unknown-rule`),
 * and a further field that the contract has, or has no place for (`config/further-field`).
 */
export function documentKindsUnder(rules: Settings['rules']): {
  readonly kinds: readonly DocumentKind[];
  readonly faults: readonly Fault[];
} {
  const { severity, 'further-fields': further } = rules;
  const known = DOCUMENT_KINDS.flatMap(({ rules }) => rules.rules.map(({ id }) => id));
  const faults = Object.keys(severity)
    .filter((id) => !known.includes(id))
    .map((id): Fault => {
      const similar = suggest(id, known);
      const hint = similar ? SETTINGS_FAULT.meant({ rule: similar }) : SETTINGS_FAULT.rules();
      return { code: 'config/unknown-rule', level: 'error', ...withMessage(SETTINGS_FAULT.noRule({ rule: id }), hint) };
    });
  appendAll(faults, unknownKinds(further));
  const kinds = DOCUMENT_KINDS.map((kind) => {
    const fields = further[kind.name] ?? {};
    const furtherFields = Object.entries(fields).map(([pointer, type]) => `${pointer} (${type})`);
    const wider = widened(kind, fields, (fault) => faults.push(fault));
    return { ...wider, rules: kind.rules.under({ profile: rules[kind.service], severity, furtherFields }) };
  });
  return { kinds, faults };
}

const NAMED = /(?:^|; )further fields: ([^;]+)$/;
const NAMED_FIELD = /(\/\S+) \((\w+)\)/g;

/**
 * The kind with the further fields that the rules of a receipt name, also where the settings do not have them any more:
 * what was sent with them is read again with them.
 */
export function withRecordedFields(kind: DocumentKind, rules: string): DocumentKind {
  const fields = [...(NAMED.exec(rules)?.[1] ?? '').matchAll(NAMED_FIELD)];
  return fields.reduce((wider, [, pointer = '', type]) => {
    // One that the shape has by now, or has no place for any more, changes nothing.
    return widened(wider, { [pointer]: type as FurtherFields[string][string] }, () => {});
  }, kind);
}

type FurtherFields = Settings['rules']['further-fields'];

function unknownKinds(further: FurtherFields): readonly Fault[] {
  const names: readonly string[] = DOCUMENT_KINDS.map(({ name }) => name);
  return Object.keys(further)
    .filter((name) => !names.includes(name))
    .map((name) => {
      const words = withMessage(RULES_SETTING.noKind({ name }), RULES_SETTING.kinds({ names: names.join(', ') }));
      return { code: 'config/further-field', level: 'error', ...words };
    });
}

/** The kind with its further fields, each fault by itself: the others are looked at all the same. */
function widened(kind: DocumentKind, fields: FurtherFields[string], report: (fault: Fault) => void): DocumentKind {
  let wider = kind;
  for (const [pointer, type] of Object.entries(fields)) {
    try {
      wider = withFurtherFields(wider, { [pointer]: type });
    } catch (error) {
      if (!(error instanceof UnusableFieldError)) throw error;
      const { known, knownHint, noBlock, noBlockHint } = RULES_SETTING;
      const words =
        error.why === 'known'
          ? withMessage(known({ pointer }), knownHint())
          : withMessage(noBlock({ pointer }), noBlockHint());
      report({ code: 'config/further-field', level: 'error', ...words });
    }
  }
  return wider;
}
