/**
 * Node's own modules for the bundle: `import { readFileSync } from 'node:fs'` becomes a read of that one property.
 *
 * An import statement would make Node read every property of the module, and some of them load others: 10 ms at each
 * start for `node:fs` alone.
 */
import { builtinModules } from 'node:module';
import type { Plugin } from 'rolldown';

const MARK = '\0builtin:';

export function builtins(): Plugin {
  return {
    name: 'builtins',
    resolveId(source, _importer, { kind }) {
      if (kind === 'require-call' || !isBuiltin(source)) return null;
      return { id: MARK + source.replace(/^node:/, ''), moduleSideEffects: false };
    },
    load(id) {
      return id.startsWith(MARK) ? codeOf(id.slice(MARK.length)) : null;
    },
  };
}

function isBuiltin(source: string): boolean {
  return source.startsWith('node:') || builtinModules.includes(source);
}

function codeOf(name: string): string {
  const module = process.getBuiltinModule(`node:${name}`);
  if (!module) throw new Error(`Node has no module "${name}"`);
  const names = Object.keys(module).filter((key) => /^[A-Za-z_$][\w$]*$/.test(key) && key !== 'default');
  return [
    `const builtin = /* @__PURE__ */ process.getBuiltinModule('node:${name}');`,
    'export default builtin;',
    ...names.map((key) => `const own_${key} = builtin.${key};\nexport { own_${key} as ${key} };`),
  ].join('\n');
}
