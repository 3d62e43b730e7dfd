/**
 * The words for errors of a connection: the code of Node, undici or OpenSSL in, a message out that names the code as well.
 * An unknown code keeps the words of the system. Nothing throws.
 */
import { type Message, type MessageMaker, verbatimText } from '../i18n/message.ts';
import { CONNECTION_PROBLEM, REASON } from '../i18n/messages/delivery-messages.ts';
import type { WireError } from '../model/answer.ts';

/** In order: a narrow pattern is before a wide one. */
const PROBLEMS: readonly (readonly [code: RegExp, words: MessageMaker])[] = [
  [/^ECONNREFUSED$/, CONNECTION_PROBLEM.refused],
  [/^(?:ECONNRESET|EPIPE|ECONNABORTED|UND_ERR_SOCKET|CLOSED)$/, CONNECTION_PROBLEM.cut],
  [/^(?:ENOTFOUND|ENODATA|EAI_NONAME)$/, CONNECTION_PROBLEM.unknownName],
  [/^EAI_/, CONNECTION_PROBLEM.noNameService],
  [/^(?:ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)$/, CONNECTION_PROBLEM.noConnectionInTime],
  [/^(?:UND_ERR_HEADERS_TIMEOUT|UND_ERR_BODY_TIMEOUT)$/, CONNECTION_PROBLEM.noAnswerInTime],
  [/^(?:EHOSTUNREACH|ENETUNREACH|ENETDOWN|EHOSTDOWN)$/, CONNECTION_PROBLEM.noWay],
  [/^(?:CERT_HAS_EXPIRED|CERT_NOT_YET_VALID)$/, CONNECTION_PROBLEM.expired],
  [/SELF_SIGNED/, CONNECTION_PROBLEM.selfSigned],
  [/^UNABLE_TO_/, CONNECTION_PROBLEM.unknownAuthority],
  [/^(?:ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH)$/, CONNECTION_PROBLEM.otherName],
  [/^(?:ERR_TLS|ERR_SSL|ERR_OSSL|EPROTO|CERT_|CRL_|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH)/, CONNECTION_PROBLEM.noTls],
  [/^(?:HPE_|UND_ERR_)/, CONNECTION_PROBLEM.notHttp],
];

/** Such as "ECONNREFUSED: connection refused". Without `message` nothing of the system is quoted. */
export function connectionWords({
  code,
  message = '',
  words,
}: Pick<WireError, 'code' | 'words'> & Partial<Pick<WireError, 'message'>>): Message {
  const known = words ?? PROBLEMS.find(([pattern]) => pattern.test(code))?.[1]();
  return known ? REASON.ofError({ code, words: known }) : verbatimText(`${code} ${message}`.trim());
}
