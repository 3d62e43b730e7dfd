/**
 * Readers without their fast parsers: csv-parse and saxes read every byte. Hooks of the module loader put parsers in place of
 * the fast ones that leave all to the strict ones, so the program itself has no switch for it. Import it before the readers.
 */
import { registerHooks } from 'node:module';

const STRICT_ONLY: { readonly [file: string]: string } = {
  'csv-fast-parser.ts': 'export const createCsvFastParser = () => undefined;',
  'xml-fast-parser.ts': `export function createXmlFastParser() {
    let held = Buffer.alloc(0);
    const take = (bytes) => {
      held = Buffer.concat([held, bytes]);
      return false;
    };
    return { take, rest: () => ({ text: held.toString(), line: 1, column: 0, before: '', depth: 0 }) };
  }`,
};

registerHooks({
  load: (url, context, next) => {
    const source = STRICT_ONLY[url.slice(url.lastIndexOf('/') + 1)];
    return source === undefined ? next(url, context) : { format: 'module', shortCircuit: true, source };
  },
});
