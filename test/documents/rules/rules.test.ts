/** Every rule at work: the example that keeps it, the one that breaks it, what is said in three languages. */

import { describe, expect, test } from 'vitest';
import { languagesFrom, templateOf } from '../../../src/i18n/message.ts';
import { ruleTexts } from '../../../src/i18n/rule-messages.ts';
import { showFault } from '../../../src/model/fault.ts';
import { PROFILES, type RuleInfo } from '../../../src/model/rule.ts';
import { isAt, MODELS, termsOf, told } from './models.ts';

const LANGUAGES = languagesFrom('en');

const RULES = MODELS.flatMap((model) => model.kind.rules.rules.map((rule) => ({ id: rule.id, model, rule })));

test.each(MODELS.flatMap((model) => PROFILES.map((profile) => ({ kind: model.kind.name, profile, model }))))(
  'the model $kind is clean under $profile',
  ({ model, profile }) => {
    expect(told(model, { set: {} }, { profile }).map(showFault)).toEqual([]);
  },
);

describe.each(RULES)('$id', ({ model, rule }) => {
  test('its example keeps it', () => {
    const broken = told(model, rule.passes, termsOf(rule)).filter((fault) => fault.rule === rule.id);
    expect(broken.map(showFault)).toEqual([]);
  });

  test('its other example breaks it, at one of its fields', () => {
    const broken = told(model, rule.fails, termsOf(rule)).filter((fault) => fault.rule === rule.id);
    expect(broken).not.toEqual([]);
    for (const { code, level, at } of broken) {
      expect([code, level]).toEqual([rule.code, rule.severity]);
      expect(
        rule.at.some((pattern) => isAt(at!, pattern)),
        `${at} is none of ${rule.at.join(', ')}`,
      ).toBe(true);
    }
  });

  test('its words are clauses in three languages, with the same values', () => {
    for (const id of ruleTexts(rule.id)) {
      const texts = LANGUAGES.map((language) => templateOf(id, language));
      for (const text of texts)
        expect(text).toMatch(/^[^A-Z\s].*[^.\s]$|^(?:SIREN|SIRET|NIT|DUI|NRC|VAT|TVA|IVA|EUR|[A-Z]{2,})\b/);
      expect(new Set(texts.map(namesIn)).size).toBe(1);
    }
    for (const language of ['en', 'fr', 'es'] as const) {
      const fault = told(model, rule.fails, termsOf(rule), language).find((one) => one.rule === rule.id);
      expect(`${fault?.message} ${fault?.hint}`).not.toMatch(/\{[^{} ]+\}/);
      // The value that stands before it has its colon already.
      expect(fault!.message.match(/ ?: /g)?.length ?? 0, fault!.message).toBeLessThan(2);
      if (language === 'fr') expect(fault!.message.replace(/«.*?»/g, '')).not.toMatch(/\d\.\d/);
    }
  });
});

test('each rule has an id of its own, the code of its kind and days in order', () => {
  expect(new Set(RULES.map(({ id }) => id)).size).toBe(RULES.length);
  for (const { rule, model } of RULES) {
    expect(rule.code.startsWith(`${model.kind.name}/`)).toBe(true);
    expect(rule.profiles.length).toBeGreaterThan(0);
    expect((rule.validFrom ?? '') <= (rule.validTo ?? '9999')).toBe(true);
  }
});

test('a rule is said in the language of the settings', () => {
  const { model, rule } = RULES.find(({ id }) => id === 'FR-PTY-4')!;
  const message = (language: 'fr' | 'es') =>
    told(model, rule.fails, termsOf(rule), language).find((fault) => fault.rule === rule.id)?.message;
  expect(message('fr')).toContain(templateOf(ruleTexts(rule.id)[0], 'fr'));
  expect(message('es')).toContain(templateOf(ruleTexts(rule.id)[0], 'es'));
});

test('the settings change the severity of a rule, and the fault says why', () => {
  const { model, rule } = RULES.find(({ id }) => id === 'FR-PTY-6')!;
  const under = (level: 'error' | 'off') =>
    told(model, rule.fails, {
      ...termsOf(rule),
      severity: { [rule.id]: { level, reason: 'agreed with the provider' } },
    });
  expect(under('off').filter((fault) => fault.rule === rule.id)).toEqual([]);
  expect(under('error').find((fault) => fault.rule === rule.id)).toMatchObject({
    level: 'error',
    changed: { from: 'warning', reason: 'agreed with the provider' },
  });
});

function namesIn(text: RuleInfo['code']): string {
  return [...text.matchAll(/\{([a-z-]+)\}/g)]
    .map((match) => match[1])
    .sort()
    .join();
}
