/**
 * The files of src/console/static, read once at the start: style, script, fonts. Their address has the beginning of their
 * hash, so a browser keeps them for ever and never uses an old one. Another name gives no answer.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PACKAGE_FOLDER } from '../../files/package-folder.ts';
import { dictionary } from '../../text/dictionary.ts';
import { sha256Hex } from '../../text/sha256.ts';

const TYPES = dictionary<string>({
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
});

export type StaticFiles = {
  readonly address: (base: string, name: string) => string;
  readonly answer: (name: string) => Response | undefined;
};

export function readStaticFiles(folder = fileURLToPath(new URL('src/console/static/', PACKAGE_FOLDER))): StaticFiles {
  const files = new Map(
    readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isFile() && TYPES.get(extname(entry.name)) !== undefined)
      .map(({ name }) => {
        const bytes = readFileSync(`${folder}/${name}`);
        return [name, { bytes, version: sha256Hex(bytes).slice(0, 12), type: TYPES.get(extname(name)) ?? '' }] as const;
      }),
  );
  return {
    address: (base, name) => `${base}/static/${name}?v=${files.get(name)?.version ?? 'none'}`,
    answer: (name) => {
      const file = files.get(name);
      if (!file) return undefined;
      const headers = { 'content-type': file.type, 'cache-control': 'private, max-age=31536000, immutable' };
      return new Response(new Uint8Array(file.bytes), { headers });
    },
  };
}
