/** A program that uses the API: a token of each role, and each answer held against the document that the API publishes. */
import { request } from 'node:http';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { openPeople } from '../../src/console/people/people.ts';
import { CONSOLE_ROLES, type ConsoleRole } from '../../src/console/people/person.ts';
import type { Scene } from '../night.ts';
import { ask, SAME_ORIGIN, type TestConsole } from './console.ts';

export type Called = {
  readonly status: number;
  readonly type: unknown;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: each test knows its answer
  readonly json: any;
};

type Given = {
  readonly role?: ConsoleRole;
  readonly body?: object;
  readonly headers?: { readonly [name: string]: string };
};

export type Api = {
  readonly call: (path: string, given?: Given) => Promise<Called>;
  /** Null where the answer is as the document says. */
  readonly misfit: (method: string, route: string, answer: Called) => unknown;
};

export async function openApi(scene: Scene, open: TestConsole): Promise<Api> {
  using people = openPeople(scene.root);
  const by = { name: 'test', address: 'local' };
  const tokens = new Map<ConsoleRole, string>();
  for (const role of CONSOLE_ROLES) {
    people.add(`erp-${role}`, role, by, 'en');
    tokens.set(role, people.makeToken(`erp-${role}`, by));
  }
  const call: Api['call'] = async (path, { role = 'viewer', body, headers = {} } = {}) => {
    const {
      status,
      headers: answered,
      body: text,
    } = await ask(open, `${open.base}/api/v1${path}`, {
      headers: {
        authorization: `Bearer ${tokens.get(role)}`,
        ...(body && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const type = answered['content-type'];
    return { status, type, text, json: /json/.test(String(type)) && text !== '' ? JSON.parse(text) : undefined };
  };
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema((await call('/openapi.json')).json, 'api');
  return {
    call,
    misfit: (method, route, { status, type, json }) => {
      const path = route.replaceAll('/', '~1').replaceAll(/:(\w+)/g, '{$1}');
      const kind = String(type).replaceAll('/', '~1');
      const answer = status < 400 ? status : 'default';
      const check = ajv.compile({ $ref: `api#/paths/${path}/${method}/responses/${answer}/content/${kind}/schema` });
      return check(json) ? null : check.errors;
    },
  };
}

type Heard = {
  readonly id: string;
  readonly data: { readonly version: string; readonly count: number; readonly ids: readonly string[] };
};

/** A page that listens until it is left. */
export function listenTo(open: TestConsole, session: { readonly cookie: string }, from?: string) {
  const heard: Heard[] = [];
  let text = '';
  const sent = request({
    host: '127.0.0.1',
    port: open.port,
    path: `${open.base}/api/v1/events`,
    agent: false,
    headers: { ...session, ...SAME_ORIGIN, accept: 'text/event-stream', ...(from && { 'last-event-id': from }) },
  });
  sent.on('error', () => undefined);
  sent.on('response', (answer) => {
    answer.on('error', () => undefined);
    answer.on('data', (part) => {
      text += String(part);
      const whole = text.split('\n\n');
      text = whole.pop() ?? '';
      for (const one of whole) {
        const [, id, data] = /^event: version\nid: (\S+)\ndata: (.*)$/.exec(one) ?? [];
        if (id && data) heard.push({ id, data: JSON.parse(data) });
      }
    });
  });
  sent.end();
  return { heard, leave: () => sent.destroy() };
}
