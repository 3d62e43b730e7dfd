/** JSON with line ends and indentation, and nothing else changed: numbers stay as they are written. Any other text comes back. */

const JSON_TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s"{}[\],:]+/g;

/** Only line ends and blanks are added, to the first `most` characters. */
export function indentJson(text: string, most: number): string {
  if (!/^\s*[{[]/.test(text)) return text.slice(0, most);
  let depth = 0;
  const line = () => `\n${'  '.repeat(depth)}`;
  const tokens = text.slice(0, most).match(JSON_TOKEN) ?? [];
  const lines = tokens.map((token) => {
    if ('}]'.includes(token)) depth--;
    if ('}]'.includes(token)) return line() + token;
    if ('{['.includes(token)) depth++;
    if ('{[,'.includes(token)) return token + line();
    return token === ':' ? ': ' : token;
  });
  return lines.join('').replaceAll(/([{[])\n\s*\n\s*([}\]])/g, '$1$2');
}
