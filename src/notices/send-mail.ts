/**
 * Sends one mail by SMTP, or only signs in. Nothing is read from files or addresses by the mail library. TLS is required unless
 * the server is this machine. Failures are NoticeProblems.
 */
import { basename, isAbsolute, join, resolve, sep } from 'node:path';
import nodemailer from 'nodemailer';
import { plainBytes } from '../files/read-plain.ts';
import { NOTICE_PROBLEM } from '../i18n/messages/console/console-notices-messages.ts';
import type { Instance } from '../instance/instance.ts';
import type { MailSettings } from '../instance/notify-shape.ts';
import { definedOnly } from '../model/defined-only.ts';
import { authorityOf, connectionProblem } from './channel-authority.ts';
import { NoticeProblem } from './notice-problem.ts';

/** Each step of the connection; the deadline of the channel ends all of them. */
const STEP_MS = 8000;
const IMPLICIT_TLS_PORT = 465;
/** Bytes of all attachments of a mail: many servers take no more than 10 MB in Base64. */
const MOST_ATTACHED = 7 * 1024 * 1024;

/** A mail as the outbox has it. */
export type OutgoingMail = {
  readonly id: string;
  readonly at: string;
  readonly installation: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** Paths below the instance; what is gone or too large is left out. */
  readonly attach?: readonly string[];
};

type Place = Pick<Instance, 'folder' | 'secrets'>;

/** Resolves to how many addresses were refused, if at least one was accepted. */
export async function sendMail(
  settings: MailSettings,
  mail: OutgoingMail,
  place: Place,
  signal: AbortSignal,
): Promise<{ readonly refused: number }> {
  const attachments = await attachedFiles(mail.attach ?? [], place.folder);
  const sent = await withTransport(settings, place, signal, (transport) =>
    transport.sendMail({
      from: settings.from,
      to: [...settings.to],
      subject: mail.subject,
      text: mail.text,
      html: mail.html,
      attachments,
      messageId: `<${mail.id}@${mail.installation || 'nightpost'}>`,
      date: new Date(mail.at),
      disableFileAccess: true,
      disableUrlAccess: true,
      headers: {
        'Auto-Submitted': 'auto-generated',
        'X-Auto-Response-Suppress': 'All',
        'List-Id': `<notices.${mail.installation || 'nightpost'}>`,
      },
    }),
  );
  return { refused: sent.rejected.length };
}

/** Connects, begins TLS and signs in; sends nothing. */
export async function trySignIn(settings: MailSettings, place: Place, signal: AbortSignal): Promise<void> {
  await withTransport(settings, place, signal, (transport) => transport.verify());
}

type Transport = ReturnType<typeof openTransport>;

async function withTransport<T>(
  settings: MailSettings,
  place: Place,
  signal: AbortSignal,
  use: (transport: Transport) => Promise<T>,
): Promise<T> {
  const { user, password, ca } = settings.smtp;
  const pass = password && (await place.secrets.reveal(password));
  const trusted = await authorityOf(ca, place);
  signal.throwIfAborted();
  const transport = openTransport(settings, {
    auth: user !== undefined && pass !== undefined ? { user, pass } : undefined,
    ca: trusted,
  });
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([use(transport), aborted]);
  } catch (error) {
    throw problemOf(error, signal);
  } finally {
    signal.removeEventListener('abort', onAbort);
    transport.close();
  }
}

type Credentials = {
  readonly auth: { readonly user: string; readonly pass: string } | undefined;
  readonly ca: string | undefined;
};

function openTransport({ smtp }: MailSettings, { auth, ca }: Credentials) {
  const { host, port, tls } = smtp;
  return nodemailer.createTransport(
    definedOnly({
      host: host.replace(/^\[|\]$/g, ''),
      port,
      secure: tls === 'required' && port === IMPLICIT_TLS_PORT,
      requireTLS: tls === 'required',
      ignoreTLS: tls === 'none',
      auth,
      tls: definedOnly({ ca, minVersion: 'TLSv1.2' as const, rejectUnauthorized: true }),
      connectionTimeout: STEP_MS,
      greetingTimeout: STEP_MS,
      socketTimeout: STEP_MS,
      dnsTimeout: STEP_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
    }),
  );
}

/** In the order given, as long as there is room; read here, so that the library opens no file. */
export async function attachedFiles(paths: readonly string[], folder: string) {
  const attached: { filename: string; content: Buffer }[] = [];
  let room = MOST_ATTACHED;
  for (const path of paths) {
    const place = join(folder, path);
    if (isAbsolute(path) || !place.startsWith(`${resolve(folder)}${sep}`)) continue;
    const content = ownFile(folder, path, room);
    if (!content) continue;
    room -= content.length;
    attached.push({ filename: basename(path), content });
  }
  return attached;
}

/**
 * The bytes of a file that the program wrote there. Members of the group of a shared folder may put another file or a link in its
 * place, also in that of its folder: nothing of these goes out by mail.
 */
function ownFile(folder: string, path: string, most: number): Buffer | undefined {
  const own = process.geteuid?.();
  try {
    return plainBytes(join(folder, path), most, ({ uid, nlink }) => nlink === 1 && (own === undefined || uid === own));
  } catch {
    return undefined;
  }
}

type MailError = { readonly code?: string; readonly responseCode?: number; readonly message?: string };

/** Never the words of the server: they may repeat addresses, or what was sent to it. */
function problemOf(error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted || !(error instanceof Error)) return signal.aborted ? signal.reason : error;
  const { code = '', responseCode, message = '' } = error as MailError;
  if (code === 'EAUTH') return new NoticeProblem(NOTICE_PROBLEM.signIn({ code: String(responseCode ?? code) }));
  if (responseCode !== undefined && code !== 'ETLS') {
    return new NoticeProblem(NOTICE_PROBLEM.refused({ code: String(responseCode) }));
  }
  if (/certificate|self.signed|altname/i.test(message)) return connectionProblem(codeOfTls(message), 'mail.smtp.ca');
  if (code === 'ETLS' || /STARTTLS/i.test(message)) return new NoticeProblem(NOTICE_PROBLEM.noTls());
  return connectionProblem(systemCode(error), 'mail.smtp.ca');
}

function codeOfTls(message: string): string {
  if (/self.signed/i.test(message)) return 'SELF_SIGNED_CERT_IN_CHAIN';
  if (/expired/i.test(message)) return 'CERT_HAS_EXPIRED';
  return /altname/i.test(message) ? 'ERR_TLS_CERT_ALTNAME_INVALID' : 'UNABLE_TO_VERIFY_LEAF_SIGNATURE';
}

/** nodemailer replaces the code of the system by one of its own, and keeps the former in the message. */
function systemCode(error: Error & MailError): string {
  const [named] = /\bE[A-Z]{4,}\b|\b(?:SELF_SIGNED|UNABLE_TO|CERT|ERR)_[A-Z_]+\b/.exec(error.message) ?? [];
  return named ?? error.code ?? error.name;
}
