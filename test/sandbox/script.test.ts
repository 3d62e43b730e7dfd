import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { OperatorError } from '../../src/model/fault.ts';
import { DIGITS, NUMBER_TRIGGERS } from '../../src/sandbox/number-triggers.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox-server.ts';
import { readScript } from '../../src/sandbox/scenario-schema.ts';
import { frConsult, frIssue, frToken, frTokenCall, recordOf, svToken, svTokenCall } from './client.ts';

describe('reading a script', () => {
  test('YAML and JSON mean the same', () => {
    const yaml = readScript('- match: { number: "F-*" }\n  answer: { code: 8 }\n  times: 1\n');
    expect(yaml).toEqual(readScript('[{"match": {"number": "F-*"}, "answer": {"code": 8}, "times": 1}]'));
    expect(yaml).toEqual([{ match: { act: 'submit', number: 'F-*' }, answer: { code: 8 }, times: 1 }]);
    expect(readScript('')).toEqual([]);
  });

  const refusal = (text: string): OperatorError => {
    try {
      readScript(text, 'night.yaml');
    } catch (error) {
      if (error instanceof OperatorError) return error;
    }
    throw new Error('the script was taken');
  };

  test('everything wrong is listed at once, with its line', () => {
    const { code, faults, message } = refusal(
      '- answer: { cod: 8 }\n- match: { regex: "(" }\n  answer: { drop: maybe }\n',
    );
    expect(code).toBe('sandbox/script-wrong');
    expect(faults.map((fault) => fault.mark?.line)).toEqual([1, 2, 3]);
    expect(message).toMatch(/night\.yaml:1 .*cod[\s\S]*night\.yaml:2 .*regular expression[\s\S]*night\.yaml:3 .*drop/);
  });

  test('what is not YAML is a fault of its own', () => {
    expect(refusal('- answer: { code: 8\n').code).toBe('sandbox/script-not-yaml');
  });
});

let sandbox: Sandbox;
let token: string;

beforeAll(async () => {
  sandbox = await startSandbox({ slowMs: 40 });
  token = await frToken(sandbox);
});
beforeEach(() => sandbox.reset());
afterAll(() => sandbox.close());

describe('marks in the number', () => {
  test.each([4, 6, 8, 11, 15, 18])('-X%i answers that code', async (code) => {
    const { status, body } = await frIssue(sandbox, token, `F-1-X${code}`);
    expect({ status, code: body.result.status.code }).toEqual({ status: 200, code });
    expect(recordOf(sandbox, `F-1-X${code}`)!.accepted).toBe(code === 8 || code === 11 ? 1 : 0);
  });

  test.each([
    [400, 6],
    [401, 15],
    [500, 4],
  ])('-X%i answers with a body of section 2.4', async (status, code) => {
    const answer = await frIssue(sandbox, token, `F-1-X${status}`);
    expect(answer).toMatchObject({ status, body: { context: {}, result: { status: { code } } } });
    expect(recordOf(sandbox, `F-1-X${status}`)!.accepted).toBe(0);
  });

  test('-X403 has no body, -X429 says when to come again', async () => {
    expect(await frIssue(sandbox, token, 'F-1-X403')).toMatchObject({ status: 403, text: '' });
    const { status, body, headers } = await frIssue(sandbox, token, 'F-1-X429');
    expect({ status, body, again: headers.get('retry-after') }).toEqual({ status: 429, body: undefined, again: '1' });
  });

  test.each([
    ['-XDROP', 0],
    ['-XLOST', 1],
    ['-XCUT', 1],
  ])('%s breaks the connection with %i accepted', async (mark, accepted) => {
    await expect(frIssue(sandbox, token, `F-1${mark}`)).rejects.toThrow();
    expect(recordOf(sandbox, `F-1${mark}`)).toMatchObject({ requests: 1, accepted });
  });

  test('-XHTML is a page, -XECHO is the answer to another, -XUNKNOWN is code 99; all three are taken in', async () => {
    const html = await frIssue(sandbox, token, 'F-1-XHTML');
    expect(html).toMatchObject({ status: 200, text: expect.stringContaining('<!doctype html>') });
    const echo = await frIssue(sandbox, token, 'F-1-XECHO');
    expect(echo.body.context['request-id']).not.toBe(recordOf(sandbox, 'F-1-XECHO')!.requestIds[0]);
    expect(echo.body.result).toMatchObject({
      status: { code: 2 },
      content: { document: { identifier: 'F-1-XECHO-OTHER' } },
    });
    expect((await frIssue(sandbox, token, 'F-1-XUNKNOWN')).body.result.status.code).toBe(99);
    expect(sandbox.acceptances().map(({ accepted, code }) => [accepted, code])).toEqual([
      [1, 2],
      [1, 2],
      [1, 2],
    ]);
  });

  test('-XSLOW is taken in at once and answered late', async () => {
    const answer = frIssue(sandbox, token, 'F-1-XSLOW');
    while (!recordOf(sandbox, 'F-1-XSLOW')) await new Promise((resolve) => setTimeout(resolve, 1));
    expect(recordOf(sandbox, 'F-1-XSLOW')!.accepted).toBe(1);
    expect((await answer).body.result.status.code).toBe(2);
  });

  test('ONCE means the first time, per number', async () => {
    const codeOf = async (number: string) => (await frIssue(sandbox, token, number)).body.result.status.code as number;
    const codes = [await codeOf('F-1-X6ONCE'), await codeOf('F-1-X6ONCE'), await codeOf('F-2-X6ONCE')];
    expect(codes).toEqual([6, 2, 6]);
  });

  test.each(['F-X6-1', 'F-X60', 'FX6', 'F-X66', 'F-x6', 'F-1-XLOSTS'])('%s carries no mark', async (number) => {
    expect((await frIssue(sandbox, token, number)).body.result.status.code).toBe(2);
  });

  test('each mark has its digits', () => {
    expect(new Set(DIGITS.values())).toEqual(new Set(Object.keys(NUMBER_TRIGGERS)));
  });
});

describe('rules', () => {
  const codeOf = async (number: string) => (await frIssue(sandbox, token, number)).body.result.status.code as number;

  test('first time 6, then 2: in all, or for each number', async () => {
    sandbox.script([{ match: { number: 'A*' }, answer: { code: 6 }, times: 1 }]);
    expect([await codeOf('A1'), await codeOf('A2'), await codeOf('A1')]).toEqual([6, 2, 2]);
    sandbox.script([{ match: { number: 'B*' }, answer: { code: 6 }, timesEach: 1 }]);
    expect([await codeOf('B1'), await codeOf('B2'), await codeOf('B1'), await codeOf('B2')]).toEqual([6, 6, 2, 2]);
  });

  test('the first that matches decides; patterns match the whole number and take dots literally', async () => {
    sandbox.script([
      { match: { number: 'F.1?' }, answer: { code: 4 } },
      { match: { regex: 'F[0-9]+' }, answer: { code: 15, message: 'said so' } },
      { match: { class: 'credit-note' }, answer: { code: 6 } },
      { match: { service: 'sv' }, answer: { code: 6 } },
    ]);
    expect([await codeOf('F.12'), await codeOf('Fx12'), await codeOf('F12'), await codeOf('aF12')]).toEqual([
      4, 2, 15, 2,
    ]);
    expect((await frIssue(sandbox, token, 'F7')).body.result.status.message).toBe('said so');
  });

  test('a rule beats a mark, a rule set while running beats the script, and reset ends it', async () => {
    await using scripted = await startSandbox({ script: [{ answer: { code: 15 }, times: 2 }] });
    const key = await frToken(scripted);
    const ask = async (number: string) => (await frIssue(scripted, key, number)).body.result.status.code as number;
    scripted.script([{ answer: { code: 4 }, times: 1 }]);
    expect([await ask('F-X6'), await ask('F-X6'), await ask('F-X6'), await ask('F-X6')]).toEqual([4, 15, 15, 6]);
    scripted.reset();
    expect(await ask('F-X6')).toBe(15);
  });

  test('a body may be given verbatim, and one echo at a time', async () => {
    sandbox.script([{ match: { number: 'V' }, answer: { body: '{"result":{"status":{"code":2,"code":6}}}' } }]);
    expect((await frIssue(sandbox, token, 'V')).text).toBe('{"result":{"status":{"code":2,"code":6}}}');
    sandbox.script([{ answer: { echo: 'identifier' } }]);
    const { body } = await frIssue(sandbox, token, 'W');
    expect(body.context['request-id']).toBe(recordOf(sandbox, 'W')!.requestIds[0]);
    expect(body.result.content.document.identifier).toBe('W-OTHER');
  });

  test('a server error may hide an acceptance', async () => {
    sandbox.script([{ answer: { http: 502, accept: true }, times: 1 }]);
    expect((await frIssue(sandbox, token, 'F-1')).status).toBe(502);
    expect(recordOf(sandbox, 'F-1')).toMatchObject({ accepted: 1, code: 2 });
    expect(await codeOf('F-1')).toBe(15);
    sandbox.script([{ answer: { http: 502, accept: true }, times: 1 }]);
    await frIssue(sandbox, token, 'F-1');
    expect(recordOf(sandbox, 'F-1')).toMatchObject({ requests: 3, accepted: 1, duplicates: 2 });
  });

  test('a refused submission does not hide the duplicate after it', async () => {
    await codeOf('F-1');
    sandbox.script([{ answer: { http: 401 }, times: 1 }]);
    expect((await frIssue(sandbox, token, 'F-1')).status).toBe(401);
    expect(recordOf(sandbox, 'F-1')).toMatchObject({ requests: 2, accepted: 1, duplicates: 0 });
    sandbox.script([{ answer: { drop: 'after' }, times: 1 }]);
    await expect(frIssue(sandbox, token, 'F-1')).rejects.toThrow();
    expect(recordOf(sandbox, 'F-1')).toMatchObject({ requests: 3, accepted: 1, duplicates: 1 });
  });

  test('consultations and tokens are scripted as well', async () => {
    sandbox.script([
      { match: { act: 'consult', number: 'F-1' }, answer: { code: 11 }, times: 1 },
      { match: { act: 'token', service: 'fr' }, answer: { http: 500 }, times: 1 },
      { match: { act: 'token', service: 'sv' }, answer: { http: 401 }, times: 1 },
    ]);
    await codeOf('F-1');
    expect((await frConsult(sandbox, token, 'F-1')).body.result.status.code).toBe(11);
    expect((await frConsult(sandbox, token, 'F-1')).body.result.status.code).toBe(2);
    expect((await frTokenCall(sandbox)).status).toBe(500);
    expect((await frTokenCall(sandbox)).status).toBe(200);
    expect((await svTokenCall(sandbox, 1)).status).toBe(401);
    expect(await svToken(sandbox, 1)).toEqual(expect.any(String));
  });
});

test.each([
  ['thousands of levels', '['.repeat(20_000)],
  ['aliases that grow', `[&a [x, x], &b [*a, *a], ${'*b, '.repeat(5000)}]`],
  ['an alias without an anchor', '[*x]'],
])('a script with %s is a fault', (_, text) => {
  expect(() => readScript(text)).toThrow(expect.objectContaining({ code: 'sandbox/script-not-yaml' }));
});
