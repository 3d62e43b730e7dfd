/**
 * Questions on a terminal: the question goes to standard error, the answer comes from standard input. A person who ends
 * the input (Ctrl+C, Ctrl+D) in place of an answer ends the command: QuestionStoppedError.
 */

/** No answer: the command ends with 130, and reports what it has not done. */
export class QuestionStoppedError extends Error {}

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
