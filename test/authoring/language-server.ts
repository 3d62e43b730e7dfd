/** A real YAML language server as a child process, spoken to over stdio: what an editor would show for a file. */
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

const require = createRequire(import.meta.url);
const PACKAGE = require.resolve('yaml-language-server/package.json');

type Place = { readonly line: number; readonly character: number };
type Diagnostic = { readonly range: { readonly start: Place; readonly end: Place }; readonly message: string };
type Completion = {
  readonly label: string;
  readonly insertText?: string;
  readonly documentation?: string | { readonly value: string };
};

export type Editor = AsyncDisposable & {
  /** Opens or changes a file; resolves to what the server finds in it. */
  readonly show: (path: string, text: string) => Promise<readonly Diagnostic[]>;
  readonly completions: (path: string, place: Place) => Promise<readonly Completion[]>;
};

type Message = { readonly id?: number; readonly method?: string; readonly params?: unknown; readonly result?: unknown };

export async function openEditor(): Promise<Editor> {
  const main = join(dirname(PACKAGE), 'bin/yaml-language-server');
  const child = spawn(process.execPath, [main, '--stdio'], { stdio: ['pipe', 'pipe', 'ignore'] });
  const answers = new Map<number, (message: Message) => void>();
  const found = new Map<string, (diagnostics: readonly Diagnostic[]) => void>();
  const settings = { yaml: { validate: true, completion: true, hover: false, schemaStore: { enable: false } } };
  let ids = 0;
  const send = (message: object) => {
    const text = JSON.stringify({ jsonrpc: '2.0', ...message });
    child.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
  };
  const take = (message: Message) => {
    if (message.method === undefined) answers.get(message.id!)?.(message);
    else if (message.method === 'textDocument/publishDiagnostics') {
      const { uri, diagnostics } = message.params as { uri: string; diagnostics: readonly Diagnostic[] };
      found.get(uri)?.(diagnostics);
    } else if (message.id !== undefined) {
      const { items = [] } = (message.params ?? {}) as { items?: readonly { section?: string }[] };
      const result = message.method === 'workspace/configuration' ? items.map(sectionOf) : null;
      send({ id: message.id, result });
    }
  };
  const sectionOf = ({ section }: { section?: string }) => (section === 'yaml' ? settings.yaml : null);
  readMessages(child.stdout, take);
  const ask = (method: string, params: object) =>
    new Promise<Message>((resolve) => {
      answers.set(++ids, resolve);
      send({ id: ids, method, params });
    });
  const capabilities = { workspace: { configuration: true }, textDocument: { publishDiagnostics: {} } };
  await ask('initialize', { processId: process.pid, rootUri: null, capabilities });
  send({ method: 'initialized', params: {} });
  send({ method: 'workspace/didChangeConfiguration', params: { settings } });
  let versions = 0;
  const open = new Set<string>();
  return {
    show: (path, text) =>
      new Promise((resolve) => {
        const uri = pathToFileURL(path).href;
        found.set(uri, resolve);
        versions++;
        if (open.has(uri)) {
          const changed = { textDocument: { uri, version: versions }, contentChanges: [{ text }] };
          send({ method: 'textDocument/didChange', params: changed });
        } else {
          open.add(uri);
          const textDocument = { uri, languageId: 'yaml', version: versions, text };
          send({ method: 'textDocument/didOpen', params: { textDocument } });
        }
      }),
    completions: async (path, position) => {
      const textDocument = { uri: pathToFileURL(path).href };
      const { result } = await ask('textDocument/completion', { textDocument, position });
      const told = result as { items?: readonly Completion[] } | readonly Completion[] | null;
      return Array.isArray(told) ? told : ((told as { items?: readonly Completion[] } | null)?.items ?? []);
    },
    [Symbol.asyncDispose]: async () => {
      const ended = new Promise((resolve) => child.on('close', resolve));
      child.kill();
      await ended;
    },
  };
}

function readMessages(stream: NodeJS.ReadableStream, take: (message: Message) => void): void {
  let rest = Buffer.alloc(0);
  stream.on('data', (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk]);
    for (;;) {
      const end = rest.indexOf('\r\n\r\n');
      if (end < 0) return;
      const length = Number(/Content-Length: (\d+)/i.exec(rest.toString('ascii', 0, end))![1]);
      if (rest.length < end + 4 + length) return;
      take(JSON.parse(rest.toString('utf8', end + 4, end + 4 + length)) as Message);
      rest = rest.subarray(end + 4 + length);
    }
  });
}
