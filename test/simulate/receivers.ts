/** Who gets the notices of an instance: a web server and a mail server in the network of a life; each can be down. */
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { HOOK_PORT, MAIL_PORT } from './house-files.ts';
import { httpListener, listenAt } from './world/network.ts';

/** A notice as its receiver has it. `id`: the same for each try. */
export type Notice = {
  readonly channel: 'hook' | 'mail';
  readonly id: string;
  readonly at: number;
  /** The run that it is about. */
  readonly run: string;
  /** What a person reads of it: the verdict and the lines. */
  readonly verdict: string;
  readonly lines: readonly string[];
  /** Only in a webhook. */
  readonly report?: object;
};

/** Those that take notices now. */
export type Receivers = {
  readonly notices: readonly Notice[];
  readonly isUp: { hook: boolean; mail: boolean };
};

type Body = {
  readonly type: string;
  readonly data: {
    readonly run?: string;
    readonly verdict?: string;
    readonly report?: object;
    readonly lines?: readonly { readonly says: string; readonly more: readonly string[] }[];
  };
};

export function openReceivers(order: () => number): Receivers {
  const notices: Notice[] = [];
  const isUp = { hook: true, mail: true };
  listenAt(
    HOOK_PORT,
    httpListener(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      if (!isUp.hook) return void response.writeHead(503).end();
      const { data } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as Body;
      const { run = '', verdict = '', report, lines = [] } = data;
      const id = String(request.headers['webhook-id']);
      const words = lines.flatMap(({ says, more }) => [says, ...more]);
      notices.push({ channel: 'hook', id, at: order(), run, verdict, lines: words, ...(report && { report }) });
      response.writeHead(204).end();
    }),
  );
  const server = new SMTPServer({
    ...{ authOptional: true, disableReverseLookup: true, disabledCommands: ['STARTTLS'], logger: false },
    onData: async (stream, _session, done) => {
      const chunks: Buffer[] = [];
      for await (const chunk of stream) chunks.push(chunk as Buffer);
      if (!isUp.mail) return void done(Object.assign(new Error('refused'), { responseCode: 451 }));
      const { messageId = '', text = '' } = await PostalMime.parse(Buffer.concat(chunks));
      const id = messageId.replaceAll(/^<|@.*$/g, '');
      const [verdict = '', ...lines] = text.split('\n').filter((line) => line !== '');
      notices.push({ channel: 'mail', id, at: order(), run: id.split('.')[0] ?? '', verdict, lines });
      done();
    },
  });
  server.on('error', () => undefined);
  listenAt(MAIL_PORT, (far) => server.connect(far as never, {}));
  return { notices, isUp };
}
