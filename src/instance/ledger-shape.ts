/** The settings of the ledger: a witness elsewhere, and the PostgreSQL server that keeps it in place of a file. */
import { isIPv6 } from 'node:net';
import { z } from 'zod';
import { LEDGER_SETTING } from '../i18n/messages/settings-messages.ts';
import { secretReference } from '../model/secret-reference.ts';
import { addProblem, expecting, refusedWith } from '../model/shape-issue.ts';
import { isLoopbackHost } from './monitoring-shape.ts';
import { duration } from './setting-measures.ts';

/** A file of this machine: nothing travels over a network. */
const SOCKET = /^\/[^\p{Cc}]{0,200}$/u;
const HOST = /^[A-Za-z0-9._-]{1,253}$/;
/** A plain name needs no quotes in any statement. */
const NAME = /^(?!pg_)[a-z_][a-z0-9_]{0,62}$/;
const SHORTEST_LEASE_MS = 1000;

const postgres = z
  .strictObject({
    host: z
      .string()
      .superRefine((text, context) => {
        if (HOST.test(text) || isIPv6(text) || SOCKET.test(text)) return;
        addProblem(context, text.includes(',') ? LEDGER_SETTING.hosts() : LEDGER_SETTING.host());
      })
      .describe('name or address of the server, or the folder of its socket on this machine'),
    port: z.int().min(1).max(65_535).default(5432).describe('port of the server'),
    database: z.string().min(1).max(63).describe('a database with the order of bytes (LOCALE C)'),
    user: z.string().min(1).max(63).describe('account at the server, which owns the schema'),
    password: secretReference
      .optional()
      .describe('its password, by reference; none: the server knows the account otherwise'),
    tls: z
      .enum(['required', 'verify', 'off'])
      .default('verify')
      .describe(
        'verify: encrypted, to the server that its certificate names; required: encrypted, to any server that answers; off: only on this machine',
      ),
    ca: z
      .string()
      .min(1)
      .optional()
      .describe(
        'file with the certificates (PEM) that the one of the server depends on, where the system does not know them',
      ),
    schema: z
      .string()
      .regex(NAME, expecting(LEDGER_SETTING.schema()))
      .default('nightpost')
      .describe('the schema of the tables, for this installation alone'),
    lease: duration
      .refine((ms) => ms >= SHORTEST_LEASE_MS, refusedWith(LEDGER_SETTING.lease()))
      .prefault('30s')
      .describe('how long a program may be silent before another one takes its work over'),
  })
  .superRefine(({ host, tls }, context) => {
    if (SOCKET.test(host)) {
      if (tls !== 'off') addProblem(context, LEDGER_SETTING.socket(), ['host']);
    } else if (tls === 'off' && !isLoopbackHost(host)) addProblem(context, LEDGER_SETTING.open(), ['tls']);
  });

export const ledgerShape = z.strictObject({
  'witness-folder': z
    .string()
    .min(1)
    .optional()
    .describe(
      'a folder on another machine or disk that keeps count of the commits: a whole machine that goes back to a snapshot is noticed',
    ),
  postgres: postgres
    .optional()
    .describe('the server that keeps the ledger, in place of state/ledger.sqlite; nightpost ledger move copies it'),
});
