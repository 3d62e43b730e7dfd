/**
 * Selects the sender and integrating system of the request context (french-invoicing 2.1) by the issuer of the
 * document, so that one instance serves the companies of a group. The issuer is read from the payload; an encoded file
 * shows none, so its mapping decides.
 */

import { z } from 'zod';
import { SERVICE_SETTING } from '../i18n/messages/delivery-messages.ts';
import { definedOnly } from '../model/defined-only.ts';
import { looksLikeFrenchVat, withoutBlanks } from '../model/identifiers.ts';
import { type SecretReference, secretReference } from '../model/secret-reference.ts';
import { addProblem, refusedWith } from '../model/shape-issue.ts';
import type { Submission } from './service.ts';

const text = z.string().min(1);
const names = z.array(text).min(1);

/** The integrating system, as the context of each request has it. */
export const integrationSettings = z.strictObject({
  id: text.describe('identifier of the integrating system'),
  name: text.describe('its name'),
  version: text.describe('its version'),
});

const senderSettings = z
  .strictObject({
    issuers: names
      .optional()
      .describe('issuers whose documents this sender sends: SIREN, or another identifier as the payload has it'),
    mappings: names.optional().describe('mappings whose encoded files this sender sends; such a file shows no issuer'),
    'sender-id': text.describe('context.sender-id of their requests'),
    integration: integrationSettings.optional().describe('context.integration of their requests, if it is another one'),
    'client-id': text.optional().describe('client identifier of this sender, if it has credentials of its own'),
    'client-secret': secretReference.optional().describe('secret of that client, by reference'),
  })
  .refine(
    (set) => (set['client-id'] === undefined) === (set['client-secret'] === undefined),
    refusedWith(SERVICE_SETTING.clientAndSecret(), ['client-secret']),
  )
  .refine((set) => set.issuers !== undefined || set.mappings !== undefined, refusedWith(SERVICE_SETTING.senderOf()));

/** Faults: a client with two secrets, an issuer or mapping with two senders. */
export const sendersSettings = z.array(senderSettings).superRefine((senders, context) => {
  checkSecrets(senders, context);
  checkSenders(senders, context);
});

type Senders = readonly z.output<typeof senderSettings>[];

function checkSecrets(senders: Senders, context: z.RefinementCtx): void {
  const secrets = new Map<string, string>();
  for (const [index, { 'client-id': client, 'client-secret': secret }] of senders.entries()) {
    if (client === undefined) continue;
    const text = JSON.stringify(secret);
    if (secrets.has(client) && secrets.get(client) !== text) {
      addProblem(context, SERVICE_SETTING.twoSecrets({ client }), [index, 'client-secret']);
    }
    secrets.set(client, text);
  }
}

function checkSenders(senders: Senders, context: z.RefinementCtx): void {
  for (const list of ['issuers', 'mappings'] as const) {
    const seen = new Set<string>();
    for (const [index, sender] of senders.entries()) {
      for (const name of (sender[list] ?? []).map(withoutBlanks)) {
        if (seen.has(name)) addProblem(context, SERVICE_SETTING.twoSenders({ name }), [index, list]);
        seen.add(name);
      }
    }
  }
}

type Integration = z.output<typeof integrationSettings>;
type Given = {
  readonly 'sender-id': string;
  readonly integration: Integration;
  readonly senders?: z.output<typeof sendersSettings> | undefined;
};

/** The values in the context of each request of a sender. */
export type Sender = {
  readonly id: string;
  readonly integration: Integration;
  /** Distinguishes it from the other senders of the settings. */
  readonly key: number;
  /** Credentials of its own. */
  readonly client?: Client;
};

/** Credentials at the identity provider; the secret is a reference. */
export type Client = { readonly id: string; readonly secret: SecretReference };

/** Whom a document is looked at for: `content` is absent where it is no longer kept. */
type Sent = Partial<Pick<Submission, 'content' | 'mapping'>>;

/** The sender of a document: by its issuer, else by its mapping, else the one of the settings. */
export function sendersOf(set: Given): (document: Sent) => Sender {
  const usual: Sender = { id: set['sender-id'], integration: set.integration, key: -1 };
  const { senders } = set;
  if (!senders) return () => usual;
  const byIssuer = new Map<string, Sender>();
  const byMapping = new Map<string, Sender>();
  for (const [key, { issuers = [], mappings = [], integration = set.integration, ...rest }] of senders.entries()) {
    const { 'sender-id': id, 'client-id': client, 'client-secret': secret } = rest;
    const own = secret && client !== undefined ? { id: client, secret } : undefined;
    const sender: Sender = definedOnly({ id, integration, key, client: own });
    for (const issuer of issuers) byIssuer.set(withoutBlanks(issuer), sender);
    for (const mapping of mappings) byMapping.set(mapping, sender);
  }
  return ({ content, mapping }) => {
    for (const number of issuerNumbers(content)) {
      const sender = byIssuer.get(number);
      if (sender) return sender;
    }
    return (mapping !== undefined && byMapping.get(mapping)) || usual;
  };
}

/** The clients of the senders that have one, each once, and the one with which a document is sent. */
export function clientsOf(set: Given): {
  readonly clients: ReadonlyMap<string, Client>;
  readonly clientOf: (document: Sent) => string | undefined;
} {
  const clients = new Map<string, Client>();
  for (const { 'client-id': id, 'client-secret': secret } of set.senders ?? []) {
    if (id !== undefined && secret !== undefined) clients.set(id, { id, secret });
  }
  const senderOf = sendersOf(set);
  return { clients, clientOf: (document) => senderOf(document).client?.id };
}

type Identifier = { readonly value?: unknown };
type Issuer = {
  readonly identifiers?: readonly Identifier[];
  readonly identifier?: unknown;
  readonly 'additional-identifiers'?: readonly Identifier[];
};

/** Identifiers of the issuer (french-invoicing 2.2, Party; 2.3, issuer), each with the SIREN inside of it. */
function issuerNumbers(content: string | undefined): readonly string[] {
  if (content === undefined) return [];
  const { payload } = JSON.parse(content) as { readonly payload?: { readonly issuer?: Issuer } };
  const issuer = payload?.issuer;
  if (!issuer) return [];
  const listed = [
    ...(issuer.identifiers ?? []),
    { value: issuer.identifier },
    ...(issuer['additional-identifiers'] ?? []),
  ];
  return listed.flatMap(({ value }) => (typeof value === 'string' ? withSiren(withoutBlanks(value)) : []));
}

function withSiren(number: string): readonly string[] {
  if (/^\d{14}$/.test(number)) return [number, number.slice(0, 9)];
  if (looksLikeFrenchVat(number)) return [number, number.slice(4)];
  return [number];
}
