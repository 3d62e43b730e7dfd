/**
 * Everything that has a name in this program, explained: fault codes, rules of content, states, settings,
 * functions, fields of targets.
 * One word may name several things; all of them are told.
 */

import { z } from 'zod';
import { DOCUMENT_KINDS } from '../catalogue.ts';
import { format, type Language, templateOf, wordsOf } from '../i18n/message.ts';
import { ruleTexts } from '../i18n/rule-messages.ts';
import { settingsShape } from '../instance/settings.ts';
import { FUNCTIONS } from '../mapping/functions/functions.ts';
import { functionSpelled, spellingsOf } from '../mapping/functions/localized-names.ts';
import type { Schema } from '../model/document.ts';
import { OperatorError } from '../model/fault.ts';
import { STATE_NAMES, type State, stateInfo } from '../model/state.ts';
import { nextAction } from '../receipts/next-action.ts';
import { suggest } from '../text/suggest.ts';
import { faultCatalogue, findExample, readableTemplate, ruleExamples } from './fault-catalogue.ts';

export type Topic = {
  readonly kind: 'fault' | 'rule' | 'state' | 'setting' | 'function' | 'field';
  readonly name: string;
  /** Where it belongs: a stage, a target, the settings file. */
  readonly of: string;
  readonly meaning: string;
  readonly remedy?: string;
  readonly examples: readonly string[];
};

/** All that the name may mean; throws SetupError with a suggestion where it means nothing. */
export function explain(name: string): readonly Topic[] {
  const wanted = name.trim().toLowerCase();
  const all = listTopics();
  const exact = all.filter((topic) => topic.name.toLowerCase() === wanted || isLocalizedName(topic, name));
  if (exact.length > 0) return exact.map(withExample);
  // The stage or the block in front may be left out.
  const ends = all.filter((topic) => new RegExp(`[/.]${escaped(wanted)}$`).test(topic.name.toLowerCase()));
  if (ends.length > 0) return ends.map(withExample);
  const stage = all.filter((topic) => topic.kind === 'fault' && topic.name.startsWith(`${wanted.replace(/\/$/, '')}/`));
  if (stage.length > 0) return stage;
  const names = all.map((topic) => topic.name);
  const near =
    suggest(name, names) ??
    suggest(
      name,
      names.map((one) => one.split(/[/.]/).at(-1)!),
    );
  throw new OperatorError('explain/unknown-name', `nothing is named "${name}"`, {
    hint: near === undefined ? 'list all fault codes with: nightpost explain' : `did you mean "${near}"?`,
  });
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/** Functions have other names in French and Spanish. */
function isLocalizedName({ kind, name }: Topic, given: string): boolean {
  return kind === 'function' && functionSpelled(given) === name;
}

function withExample(topic: Topic): Topic {
  const example = topic.kind === 'fault' ? findExample(topic.name) : undefined;
  return example === undefined ? topic : { ...topic, examples: [example] };
}

function listTopics(): readonly Topic[] {
  return [
    ...faultTopics(),
    ...ruleTopics(),
    ...STATE_NAMES.map(stateTopic),
    ...functionTopics(),
    ...settingTopics(),
    ...fieldTopics(),
  ];
}

function faultTopics(): readonly Topic[] {
  return faultCatalogue().map(({ code, section, level, meaning, remedy }) => ({
    kind: 'fault',
    name: code,
    of: `${section}; ${level}`,
    meaning,
    remedy,
    examples: [],
  }));
}

function ruleTopics(): readonly Topic[] {
  const examples = ruleExamples();
  return DOCUMENT_KINDS.flatMap(({ name: kind, rules }) =>
    rules.rules.map((rule): Topic => {
      const { id, code, severity, profiles, validFrom, validTo, at, formula, source } = rule;
      const [message, hint] = ruleTexts(id);
      const textsIn = (language: Language) =>
        [templateOf(message, language), templateOf(hint, language)].map(readableTemplate);
      const said = examples.get(id);
      const causes = [...new Set(Object.values(rule.unless ?? {}).flat())];
      const days = [...(validFrom ? [`from ${validFrom}`] : []), ...(validTo ? [`until ${validTo}`] : [])];
      return {
        kind: 'rule',
        name: id,
        of: [`rule of ${kind}`, severity, code, profiles.join(', '), ...days].join('; '),
        meaning: sentence(textsIn('en')[0]!),
        remedy: sentence(textsIn('en')[1]!),
        examples: [
          ...(said === undefined ? [] : [`for example: ${said}`]),
          `fr: ${textsIn('fr').join(' - ')}`,
          `es: ${textsIn('es').join(' - ')}`,
          `fields: ${at.join(', ')}`,
          ...(formula === undefined ? [] : [`formula: ${formula}`]),
          ...(causes.length === 0 ? [] : [`not told beside: ${causes.join(', ')}`]),
          `source: ${source}`,
        ],
      };
    }),
  );
}

function stateTopic(state: State): Topic {
  const { words, says, folder, acts } = stateInfo(state);
  const can = acts.length > 0 ? ` Possible: ${acts.join(', ')}.` : '';
  const names = [...new Set(Object.values(wordsOf(words)))].join(' / ');
  const of = folder === undefined ? 'state of a document' : `state of a document; its receipt lies in ${folder}/`;
  return {
    kind: 'state',
    name: state,
    of,
    meaning: `${names}. ${format(says, 'en')}${can}`,
    remedy: format(nextAction(state), 'en'),
    examples: [],
  };
}

function functionTopics(): readonly Topic[] {
  return [...FUNCTIONS.values()].map(({ name, syntax, sentence, examples }) => {
    const others = spellingsOf(name);
    const also = others.length > 0 ? ` Also ${others.join(', ')}.` : '';
    const shown = examples.map(({ formula, gives }) => `${formula} = ${gives === '' ? 'nothing' : gives}`);
    return { kind: 'function', name, of: syntax, meaning: `${sentence}${also}`, examples: shown };
  });
}

type Json = { readonly [keyword: string]: unknown };

function settingTopics(): readonly Topic[] {
  const walk = (schema: Json, at: string): readonly Topic[] =>
    Object.entries((schema.properties ?? {}) as { readonly [key: string]: Json }).flatMap(([key, setting]) => {
      const name = at === '' ? key : `${at}.${key}`;
      const preset =
        setting.default === undefined || setting.properties ? '' : `Default: ${JSON.stringify(setting.default)}.`;
      const meaning = [sentence(String(setting.description ?? '')), preset].filter((text) => text !== '').join(' ');
      const own: Topic = { kind: 'setting', name, of: 'setting in nightpost.yaml', meaning, examples: [] };
      return [own, ...walk(setting, name)];
    });
  return walk(z.toJSONSchema(settingsShape, { io: 'input', unrepresentable: 'any' }) as Json, '');
}

function sentence(text: string): string {
  const ended = text === '' || /[.!?]$/.test(text) ? text : `${text}.`;
  return ended.charAt(0).toUpperCase() + ended.slice(1);
}

function fieldTopics(): readonly Topic[] {
  return DOCUMENT_KINDS.flatMap(({ name: kind, schema }) => listFields(schema, '', kind));
}

function listFields(schema: Schema, at: string, kind: string): readonly Topic[] {
  const block = schema.anyOf?.find(({ properties }) => properties) ?? schema;
  return Object.entries(block.properties ?? {}).flatMap(([key, field]) => {
    const name = at === '' ? key : `${at}.${key}`;
    // A subtotal holds subtotals: told once.
    if (at.split('.').includes(key) && field.type === 'array') return [];
    const inner = listFields(field.type === 'array' ? (field.items ?? {}) : field, name, kind);
    const of = `field of ${kind}, ${typeName(field)}`;
    return [
      { kind: 'field', name, of, meaning: sentence(field.description ?? ''), examples: [] } satisfies Topic,
      ...inner,
    ];
  });
}

const TYPES = { object: 'a block', array: 'a list', string: 'a text', number: 'a number', integer: 'a whole number' };

function typeName({ type, format, anyOf }: Schema): string {
  if (anyOf) return [...new Set(anyOf.map(typeName))].join(' or ');
  if (format !== undefined) return format === 'date' ? 'a date' : 'a date and time';
  if (type === 'boolean') return 'true or false';
  return type === undefined ? 'anything' : TYPES[type];
}
