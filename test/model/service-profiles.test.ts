/** What each service needs is asked for by the compiler: the types of this file are wrong as soon as it is not. */
import { expect, test } from 'vitest';
import { COUNTRIES, DOCUMENT_KINDS, SERVICES } from '../../src/catalogue.ts';
import { readConfig } from '../../src/instance/settings.ts';
import type { Settings } from '../../src/instance/settings-shape.ts';
import { type DocumentKind, SERVICE_NAMES, type ServiceName } from '../../src/model/document.ts';
import { PROFILES, type ProfileName } from '../../src/model/rule.ts';

const profileOf = (rules: Settings['rules'], service: ServiceName): ProfileName => rules[service];

test('a service has its profile of rules, or nothing compiles', () => {
  // @ts-expect-error: a kind of a service that has no profile.
  const kind: Pick<DocumentKind, 'service'> = { service: 'mx' };
  expect(SERVICES.map(({ name }) => name)).not.toContain(kind.service);
  const { rules } = readConfig('version: 1\n', 'nightpost.yaml').settings;
  for (const { service } of DOCUMENT_KINDS) expect(PROFILES).toContain(profileOf(rules, service));
  expect(COUNTRIES.map(({ name, service }) => [name, service.name])).toEqual(SERVICE_NAMES.map((name) => [name, name]));
});
