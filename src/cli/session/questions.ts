/**
 * Questions on a terminal: the question goes to standard error, the answer comes from standard input. A person who ends
 * the input (Ctrl+C, Ctrl+D) in place of an answer ends the command: QuestionStoppedError.
 */
import { createInterface } from 'node:readline';

/** No answer: the command ends with 130, and reports what it has not done. */
export class QuestionStoppedError extends Error {}

/** Whether there is a person to ask. */
export function canAsk(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true;
}

/** `ask` resolves to the answer without blanks around it. Lines that were typed ahead answer the next questions. */
export type Questions = { readonly ask: (question: string) => Promise<string> } & Disposable;

export function openQuestions(): Questions {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const answers = lines[Symbol.asyncIterator]();
  lines.on('SIGINT', () => lines.close());
  return {
    ask: async (question) => {
      lines.setPrompt(question);
      lines.prompt();
      const { done, value } = await answers.next();
      if (done) {
        process.stderr.write('\n');
        throw new QuestionStoppedError();
      }
      return value.trim();
    },
    [Symbol.dispose]: () => lines.close(),
  };
}

const ENTER = /[\r\n]/;
const STOP = /[\u0003\u0004]/;
const BACK = /[\b\u007f]/;
const CLEAR = '\u0015';

/** An answer that the terminal does not show. */
export async function askHidden(question: string): Promise<string> {
  const { stdin } = process;
  // Before the question: what is typed early is not shown either.
  stdin.setRawMode(true);
  stdin.setEncoding('utf8');
  process.stderr.write(question);
  try {
    return await readKeys(stdin);
  } finally {
    stdin.setRawMode(false);
    process.stderr.write('\n');
  }
}

/** The keys up to Enter, with those that take back what was typed. */
async function readKeys(keys: AsyncIterable<unknown>): Promise<string> {
  let answer = '';
  for await (const chunk of keys) {
    for (const key of String(chunk)) {
      if (ENTER.test(key)) return answer;
      if (STOP.test(key)) throw new QuestionStoppedError();
      answer = edited(answer, key);
    }
  }
  throw new QuestionStoppedError();
}

function edited(answer: string, key: string): string {
  if (key === CLEAR) return '';
  return BACK.test(key) ? answer.slice(0, -1) : answer + key;
}
