/**
 * The credentials for the documents of a service, each with its own token: those of the service, and those of senders
 * that have their own (`senders` in the settings). Refused credentials of a sender stop its documents only: they stay
 * queued, unsent, and the others of the service continue.
 */

import type { Destination } from '../../delivery/service.ts';
import type { TokenSource } from '../../delivery/token-cache.ts';
import { format, type Language, type Message } from '../../i18n/message.ts';
import { STOPPED } from '../../i18n/messages/pipeline-messages.ts';
import type { QueryStore } from '../../ledger/contract/query-store.ts';
import type { DueDocument } from '../../ledger/contract/submission-store.ts';
import { definedOnly } from '../../model/defined-only.ts';

/** One set of credentials. */
export type SenderAccount = {
  /** Undefined: the credentials of the service itself. */
  readonly name: string | undefined;
  readonly tokens: TokenSource;
};

/** All credentials of one service during a run. */
export type Accounts = {
  /** The credentials of the service itself. */
  readonly usual: SenderAccount;
  readonly of: (due: DueDocument) => Promise<SenderAccount>;
  /** Marks the credentials of a sender as refused; false for those of the service, which stop all of it. */
  readonly refuse: (account: SenderAccount, says: Message) => boolean;
  /** Without the documents of senders whose credentials are refused. */
  readonly withoutRefused: (due: readonly DueDocument[]) => Promise<readonly DueDocument[]>;
  /** The reasons of all refused senders in one text; undefined if there are none. */
  readonly refused: () => string | undefined;
  /** Each sender has another try. */
  readonly forgive: () => void;
};

/** Tokens are requested at their first use. */
export function openAccounts(
  { accounts = [], accountOf }: Pick<Destination, 'accounts' | 'accountOf'>,
  tokens: TokenSource,
  source: (authorize: Destination['authorize']) => TokenSource,
  { contentOf, language }: { readonly contentOf: QueryStore['contentOf']; readonly language: Language },
): Accounts {
  const usual: SenderAccount = { name: undefined, tokens };
  const own = new Map(accounts.map(({ name, authorize }) => [name, { name, tokens: source(authorize) }]));
  const refused = new Map<string, Message>();
  const of = async (due: DueDocument): Promise<SenderAccount> => {
    if (!accountOf || own.size === 0) return usual;
    const content = await contentOf(due.id);
    const name = accountOf(definedOnly({ mapping: due.mapping.id, content }));
    return (name !== undefined && own.get(name)) || usual;
  };
  return {
    usual,
    of,
    refuse: ({ name }, says) => {
      if (name === undefined) return false;
      refused.set(name, says);
      return true;
    },
    withoutRefused: async (due) => {
      if (refused.size === 0) return due;
      const found: DueDocument[] = [];
      for (const one of due) {
        const { name } = await of(one);
        if (name === undefined || !refused.has(name)) found.push(one);
      }
      return found;
    },
    refused: () => {
      if (refused.size === 0) return undefined;
      return [...refused].map(([sender, reason]) => format(STOPPED.ofSender({ sender, reason }), language)).join('; ');
    },
    forgive: () => refused.clear(),
  };
}
