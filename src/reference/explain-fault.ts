/**
 * Explains every name of this program: fault codes, rules of content, states, settings, functions, fields of targets. A
 * name comes in, all topics with that name come out, in one of three languages; an unknown name throws OperatorError
 * `explain/unknown-name`. Descriptions of fields are those of the contracts and stay English.
 */

import { z } from 'zod';
import { DOCUMENT_KINDS, SERVICES } from '../catalogue.ts';
import { format, type Language, type Message, templateOf, wordsOf } from '../i18n/message.ts';
import { EXPLAIN, EXPLAIN_TYPE } from '../i18n/messages/reference-messages.ts';
import { ruleTexts } from '../i18n/rule-messages.ts';
import { settingsShape } from '../instance/settings-shape.ts';
import { FUNCTIONS } from '../mapping/functions/functions.ts';
import { functionSpelled, spellingsOf } from '../mapping/functions/localized-names.ts';
import { STATE_BY_CODE } from '../model/answer.ts';
import type { Schema } from '../model/document.ts';
import { OperatorError } from '../model/fault.ts';
import { must } from '../model/must.ts';
import type { RuleInfo } from '../model/rule.ts';
import { STATE_NAMES, type State, stateInfo } from '../model/state.ts';
import { nextAction } from '../receipts/next-action.ts';
import { suggest } from '../text/suggest.ts';
import { faultCatalogue, findExample, readableTemplate, ruleExamples } from './fault-catalogue.ts';
import { describedNames } from './manual-tables.ts';

/** One meaning of a name, ready to print. */
export type Topic = {
  readonly kind: 'fault' | 'rule' | 'state' | 'setting' | 'function' | 'field' | 'answer' | 'exit-code';
  readonly name: string;
  /** What the name is part of: a stage, a target, the settings file. */
  readonly of: string;
  readonly meaning: string;
  readonly remedy?: string;
  readonly examples: readonly string[];
};

/**
 * Compares without case: first whole names, then the ends of names, then a stage such as `csv` with all of its codes.
 * `exitCodes`: the topics of the exit codes of the program.
 * Throws `explain/unknown-name` with a suggestion if nothing matches.
 */
export function explain(name: string, language: Language = 'en', exitCodes: readonly Topic[] = []): readonly Topic[] {
  const wanted = name.trim().toLowerCase();
  if (wanted === 'exit-codes' && exitCodes.length > 0) return exitCodes;
  const all = [...exitCodes, ...listTopics(language), ...answerTopics(language)];
  // A number may be an exit code and a code of the services.
  const numbered = all.filter(
    (topic) => /^\d+$/.test(wanted) && (topic.name === wanted || topic.name.endsWith(`:${wanted}`)),
  );
  if (numbered.length > 0) return numbered;
  const exact = all.filter((topic) => topic.name.toLowerCase() === wanted || isLocalizedName(topic, name));
  if (exact.length > 0) return exact.map(withExample);
  // The name may come without its stage or its block.
  const ends = all.filter((topic) => /[/.]/.test(topic.name) && isEnd(topic.name.toLowerCase(), wanted));
  if (ends.length > 0) return ends.map(withExample);
  const stage = all.filter((topic) => topic.kind === 'fault' && topic.name.startsWith(`${wanted.replace(/\/$/, '')}/`));
  if (stage.length > 0) return stage;
  throw new OperatorError('explain/unknown-name', EXPLAIN.unknownName({ name }), { hint: hintFor(name, all) });
}

function isEnd(name: string, end: string): boolean {
  return name.endsWith(`/${end}`) || name.endsWith(`.${end}`);
}

function hintFor(name: string, all: readonly Topic[]): Message {
  const names = all.map((topic) => topic.name);
  const near = suggest(name, names) ?? suggest(name, names.map(lastPart));
  return near === undefined ? EXPLAIN.listCodes() : EXPLAIN.suggestion({ name: near });
}

function lastPart(name: string): string {
  return name.replace(/^.*[/.]/, '');
}

/** Functions have other names in French and Spanish. */
function isLocalizedName({ kind, name }: Topic, given: string): boolean {
  return kind === 'function' && functionSpelled(given) === name;
}

function withExample(topic: Topic): Topic {
  if (topic.kind !== 'fault') return topic;
  const example = findExample(topic.name);
  return example === undefined ? topic : { ...topic, examples: [example] };
}

const topicsIn = new Map<Language, readonly Topic[]>();

/** Made once for each language: they change only with the program. */
function listTopics(language: Language): readonly Topic[] {
  const known = topicsIn.get(language);
  if (known) return known;
  const topics = [
    ...faultTopics(language),
    ...ruleTopics(language),
    ...STATE_NAMES.map((state) => stateTopic(state, language)),
    ...functionTopics(language),
    ...settingTopics(language),
    ...fieldTopics(language),
  ];
  topicsIn.set(language, topics);
  return topics;
}

function faultTopics(language: Language): readonly Topic[] {
  return faultCatalogue(language).map(({ code, section, level, meaning, remedy }) => ({
    kind: 'fault',
    name: code,
    of: `${section}; ${level}`,
    meaning,
    remedy,
    examples: [],
  }));
}

function ruleTopics(language: Language): readonly Topic[] {
  const examples = ruleExamples();
  return DOCUMENT_KINDS.flatMap(({ name, rules }) =>
    rules.rules.map((rule) => ruleTopic(name, rule, examples.get(rule.id), language)),
  );
}

/** `example` is the English message for the example in the manual; other languages do not show it. */
function ruleTopic(kind: string, rule: RuleInfo, example: string | undefined, language: Language): Topic {
  const { id, code, severity, profiles, validFrom, validTo, at, formula, source } = rule;
  const [meaning, remedy] = ruleTexts(id).map((text) => toSentence(readableTemplate(templateOf(text, language))));
  const causes = new Set(Object.values(rule.unless ?? {}).flat());
  const notes = [
    example !== undefined && language === 'en' && EXPLAIN.example({ text: example }),
    EXPLAIN.fields({ names: at }),
    formula !== undefined && EXPLAIN.formula({ text: formula }),
    causes.size > 0 && EXPLAIN.causes({ rules: [...causes] }),
    EXPLAIN.source({ text: source }),
  ];
  const scope = [
    EXPLAIN.rule({ kind, severity, code, profiles }),
    validFrom !== undefined && EXPLAIN.from({ day: validFrom }),
    validTo !== undefined && EXPLAIN.until({ day: validTo }),
  ];
  return {
    kind: 'rule',
    name: id,
    of: wordEach(scope, language).join('; '),
    meaning: must(meaning, 'the text of a rule'),
    ...(remedy !== undefined && { remedy }),
    examples: wordEach(notes, language),
  };
}

function wordEach(messages: readonly (Message | false)[], language: Language): readonly string[] {
  return messages.filter((one) => one !== false).map((one) => format(one, language));
}

function stateTopic(state: State, language: Language): Topic {
  const { words, says, folder, acts } = stateInfo(state);
  const names = [...new Set(Object.values(wordsOf(words)))].join(' / ');
  const texts = wordEach([says, acts.length > 0 && EXPLAIN.acts({ acts: acts.join(', ') })], language);
  return {
    kind: 'state',
    name: state,
    of: format(folder === undefined ? EXPLAIN.state() : EXPLAIN.stateIn({ folder }), language),
    meaning: [`${names}.`, ...texts].join(' '),
    remedy: format(nextAction(state), language),
    examples: [],
  };
}

/** `fr:15`: what a response code of a service means, from the table that decides it. */
function answerTopics(language: Language): readonly Topic[] {
  return SERVICES.flatMap(({ name: service }) => {
    const topicOf = (code: number, words: Pick<Topic, 'meaning' | 'remedy'>): Topic => {
      const of = format(EXPLAIN.answer({ code: String(code), service }), language);
      return { kind: 'answer', name: `${service}:${code}`, of, ...words, examples: [] };
    };
    const known = [...STATE_BY_CODE].map(([code, state]) => {
      const { name, says } = stateInfo(state);
      const meaning = `${format(name, language)} (${state}). ${format(says, language)}`;
      return topicOf(code, { meaning: toSentence(meaning), remedy: format(nextAction(state), language) });
    });
    const meaning = format(EXPLAIN.notKnown(), language);
    return [...known, topicOf(18, { meaning, remedy: format(EXPLAIN.notKnownNext(), language) })];
  });
}

function functionTopics(language: Language): readonly Topic[] {
  const described = describedNames('functions', language);
  return [...FUNCTIONS.values()].map(({ name, syntax, sentence, examples }) => {
    const does = described.get(name) ?? sentence;
    const others = spellingsOf(name);
    const also = wordEach([others.length > 0 && EXPLAIN.otherNames({ names: others.join(', ') })], language);
    const shown = examples.map(({ formula, gives }) => `${formula} = ${gives || format(EXPLAIN.nothing(), language)}`);
    return { kind: 'function', name, of: syntax, meaning: [does, ...also].join(' '), examples: shown };
  });
}

type Json = { readonly [keyword: string]: unknown };

/** Walks the JSON schema of the settings: every key with its dotted path, description and default. */
function settingTopics(language: Language): readonly Topic[] {
  const of = format(EXPLAIN.setting(), language);
  const described = describedNames('settings', language);
  const description = (name: string, english: unknown) =>
    described.get(name) ?? described.get(name.replace(/^services\.\w+/, 'services.*')) ?? String(english ?? '');
  const walk = (schema: Json, above: string): readonly Topic[] =>
    Object.entries((schema.properties ?? {}) as { readonly [key: string]: Json }).flatMap(([key, setting]) => {
      const name = above + key;
      const hasPreset = setting.default !== undefined && !setting.properties;
      const preset = hasPreset && EXPLAIN.default({ value: JSON.stringify(setting.default) });
      const meaning = [toSentence(description(name, setting.description)), ...wordEach([preset], language)];
      const topic: Topic = { kind: 'setting', name, of, meaning: meaning.filter(Boolean).join(' '), examples: [] };
      return [topic, ...walk(setting, `${name}.`)];
    });
  return walk(z.toJSONSchema(settingsShape, { io: 'input', unrepresentable: 'any' }) as Json, '');
}

function toSentence(text: string): string {
  const ended = text === '' || /[.!?]$/.test(text) ? text : `${text}.`;
  return ended.charAt(0).toUpperCase() + ended.slice(1);
}

function fieldTopics(language: Language): readonly Topic[] {
  return DOCUMENT_KINDS.flatMap(({ name: kind, schema }) =>
    listFields(schema).map(
      ([name, field]): Topic => ({
        kind: 'field',
        name,
        of: format(EXPLAIN.field({ kind, type: typeName(field) }), language),
        meaning: toSentence(field.description ?? ''),
        examples: [],
      }),
    ),
  );
}

/** Every field with its dotted path. */
function listFields(schema: Schema, path: readonly string[] = []): readonly (readonly [name: string, field: Schema])[] {
  const block = schema.anyOf?.find(({ properties }) => properties) ?? schema;
  return Object.entries(block.properties ?? {}).flatMap(([key, field]) => {
    const isList = field.type === 'array';
    // A subtotal contains subtotals: listed once.
    if (isList && path.includes(key)) return [];
    const below = [...path, key];
    const inner = isList ? (field.items ?? {}) : field;
    return [[below.join('.'), field] as const, ...listFields(inner, below)];
  });
}

function typeName({ type, format: shape, anyOf }: Schema): Message {
  if (anyOf) {
    const [first, ...others] = new Map(anyOf.map(typeName).map((one) => [one.id, one])).values();
    return others.reduce((one, other) => EXPLAIN_TYPE.or({ one, other }), must(first, 'a type of a field'));
  }
  if (shape !== undefined) return shape === 'date' ? EXPLAIN_TYPE.date() : EXPLAIN_TYPE.dateTime();
  return EXPLAIN_TYPE[type ?? 'any']();
}
