/** A program that uses the API: a token of each role, and each answer held against the document that the API publishes. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { openPeople } from '../../src/console/people/people.ts';
import { CONSOLE_ROLES, type ConsoleRole } from '../../src/console/people/person.ts';
import type { Scene } from '../night.ts';
import { ask, type TestConsole } from './console.ts';

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
