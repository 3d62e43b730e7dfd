/** The rules of content as docs/reference/rules-*.md and docs/reference/faults-documents.md show them; runs their examples. */
import { templateOf } from '../src/i18n/message.ts';
import { ruleTexts } from '../src/i18n/rule-messages.ts';
import { type Example, NEARNESS, type Nearness, type RuleInfo } from '../src/model/rule.ts';
import { readableTemplate } from '../src/reference/fault-catalogue.ts';
import { type Model, MODELS, termsOf, told } from '../test/documents/rules/models.ts';

/** Each rule as a block: its message in three languages, its fields, and both of its examples as they were run. */
export function rulesOf(kind: string): string {
  const model = MODELS.find((one) => one.kind.name === kind)!;
  return model.kind.rules.rules.map((rule) => ruleBlock(model, rule)).join('\n');
}

function ruleBlock(model: Model, rule: RuleInfo): string {
  const [message, hint] = ruleTexts(rule.id);
  const broken = told(model, rule.fails, termsOf(rule)).find((fault) => fault.rule === rule.id);
  const days = [
    ...(rule.validFrom ? [`documents from ${rule.validFrom}`] : []),
    ...(rule.validTo ? [`documents until ${rule.validTo}`] : []),
  ];
  const facts = [`**${rule.severity}**`, `\`${rule.code}\``, rule.profiles.join(', '), ...days];
  return [
    `### ${rule.id}`,
    '',
    facts.join(' · '),
    '',
    `- en: ${templateOf(message, 'en')}; *${templateOf(hint, 'en')}*`,
    `- fr : ${templateOf(message, 'fr')} ; *${templateOf(hint, 'fr')}*`,
    `- es: ${templateOf(message, 'es')}; *${templateOf(hint, 'es')}*`,
    `- Fields: ${rule.at.map((at) => `\`${at}\``).join(', ')}${rule.formula ? `. Formula: ${rule.formula}` : ''}`,
    ...(rule.unless ? [`- Not reported together with: ${unlessText(rule.unless)}`] : []),
    `- Source: ${rule.source}`,
    `- Passes: ${exampleText(rule.passes)}`,
    `- Fails: ${exampleText(rule.fails)}; message: ${broken?.message}`,
    '',
  ].join('\n');
}

const NEAR: { readonly [near in Nearness]: string } = {
  field: 'at the same field',
  block: 'in the same block',
  part: 'of the same line or party',
  document: 'anywhere in the document',
  amount: 'off by the same amount',
};

function unlessText(unless: NonNullable<RuleInfo['unless']>): string {
  return NEARNESS.flatMap((near) => {
    const ids = unless[near] ?? [];
    return ids.length === 0 ? [] : [`${ids.map((id) => `[${id}](#${id.toLowerCase()})`).join(', ')} ${NEAR[near]}`];
  }).join('; ');
}

function exampleText({ set, class: of, today }: Example): string {
  const changes = Object.entries(set).map(([at, value]) =>
    value === null ? `without \`${at}\`` : `\`${at}\` = ${valueText(value)}`,
  );
  const about = [...(of ? [`class ${of}`] : []), ...(today ? [`checked on ${today}`] : [])];
  return [...about, ...(changes.length === 0 ? ['the model document'] : changes)].join('; ');
}

function valueText(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length <= 200 ? `\`${text}\`` : `\`${text.slice(0, 12)}…\` (${text.length} characters as JSON)`;
}

/** A row for each fault code of a rule, with the rules that give it. */
export function ruleCodes(): string[][] {
  const rules = MODELS.flatMap(({ kind }) => kind.rules.rules);
  const codes = [...new Set(rules.map(({ code }) => code))];
  return codes.map((code) => {
      const [first, ...others] = rules.filter((rule) => rule.code === code);
      const ids = [first!, ...others].map(({ id }) => `[${id}](rules-${id.slice(0, 2).toLowerCase()}.md#${id.toLowerCase()})`).join(', ');
      const levels = [...new Set([first!, ...others].map(({ severity }) => severity))].join(' or ');
      return [`\`${code}\``, levels, `${sentence(readableTemplate(templateOf(ruleTexts(first!.id)[0], 'en')))} ${ids}`, sentence(readableTemplate(templateOf(ruleTexts(first!.id)[1], 'en')))];
    });
}

function sentence(clause: string): string {
  return `${clause[0]!.toUpperCase()}${clause.slice(1)}.`;
}
