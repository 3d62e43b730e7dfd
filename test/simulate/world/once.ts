/**
 * What the program calculates from its arguments alone is calculated once in a process that lives many lives: settings that were read,
 * mappings that were compiled. A program that changed such a result would not repeat its lives (`--twice`).
 */
import { registerHooks } from 'node:module';

// biome-ignore lint/suspicious/noExplicitAny: each function of the program is passed on as it is
type Any = any;

/** Functions by the end of the address of their module, with what their result depends on: objects by identity, the rest by value. */
const PURE: { readonly [module: string]: { readonly [name: string]: (...given: Any[]) => readonly unknown[] } } = {
  '/src/instance/settings.ts': { readConfig: (...given) => [JSON.stringify(given)] },
  '/src/instance/document-kinds.ts': { documentKindsUnder: (rules) => [JSON.stringify(rules)] },
  '/src/mapping/mapping.ts': { loadMapping: (text, file, { targets }) => [targets, text, file] },
  '/src/authoring/mapping-json-schema.ts': { mappingJsonSchema: (shape, title) => [shape, title] },
};
const MARK = '?once';

/** An object of its own for each caller, as is each of its parts: the program may remember by them what it has done. */
function copied(result: Any): Any {
  const part = (one: Any) => (one?.constructor === Object ? { ...one } : one);
  return Object.fromEntries(Object.entries(result).map(([name, one]) => [name, part(one)]));
}

/** A result that is thrown is thrown again by a call. */
function once(make: (...given: Any[]) => Any, dependsOn: (...given: Any[]) => readonly unknown[]) {
  const known = new Map<unknown, Any>();
  return (...given: Any[]) => {
    const keys = dependsOn(...given);
    let place = known;
    for (const key of keys) {
      const next = place.get(key) ?? new Map();
      place.set(key, next);
      place = next;
    }
    if (!place.has(once)) place.set(once, make(...given));
    return copied(place.get(once));
  };
}

/** From here on who imports one of these functions gets it with its memory; before the program is loaded. */
export function rememberResults(): void {
  Object.assign(globalThis, {
    simulatedOnce: (name: string, module: string, make: Any) => once(make, PURE[module]?.[name] as Any),
  });
  registerHooks({
    resolve: (specifier, context, next) => {
      const found = next(specifier, context);
      const isPure = Object.keys(PURE).some((module) => found.url.endsWith(module));
      return isPure && !context.parentURL?.endsWith(MARK)
        ? { ...found, url: `${found.url}${MARK}`, shortCircuit: true }
        : found;
    },
    load: (url, context, next) => {
      if (!url.endsWith(MARK)) return next(url, context);
      const real = url.slice(0, -MARK.length);
      const module = Object.keys(PURE).find((one) => real.endsWith(one)) ?? '';
      const lines = Object.keys(PURE[module] ?? {}).map(
        (name) => `export const ${name} = simulatedOnce('${name}', '${module}', all.${name});`,
      );
      const source = [`import * as all from '${real}';`, `export * from '${real}';`, ...lines].join('\n');
      return { format: 'module', source, shortCircuit: true };
    },
  });
}
