/**
 * The OpenAPI 3.1 document of the API, from the routes and the zod shapes that check them. Routes come in, plain data comes
 * out; a shape that JSON Schema cannot say throws an Error, which a test finds.
 */
import { z } from 'zod';
import { API_PATH, type ApiRoute } from './api-route.ts';
import { API_SHAPES, PROBLEM } from './api-shapes.ts';

type Schema = { readonly [key: string]: unknown };

/** `base`: of this console, `/i/<salt>` or empty. */
export function openApiDocument(routes: readonly ApiRoute[], { base, version }: { base: string; version: string }) {
  const paths: { [path: string]: { [method: string]: object } } = {};
  for (const route of routes) {
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route) };
  }
  return {
    openapi: '3.1.1' as const,
    info: {
      title: 'Nightpost',
      version,
      description:
        'What the console shows and does, for programs. Amounts are exact texts, times are ISO 8601. Words are in the language of the person or of Accept-Language.',
    },
    servers: [{ url: `${base}${API_PATH}` }],
    security: [{ token: [] }],
    paths,
    components: {
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', description: 'nightpost people token NAME' },
      },
      schemas: components(),
    },
  };
}

function components(): { readonly [name: string]: Schema } {
  const { schemas } = z.toJSONSchema(API_SHAPES, { uri: (id) => `#/components/schemas/${id}` });
  return Object.fromEntries(Object.entries(schemas).map(([id, schema]) => [id, plain(schema as Schema)]));
}

/** A named shape is a reference. */
function schemaOf(shape: z.ZodType): Schema {
  const name = API_SHAPES.get(shape)?.id;
  return name ? { $ref: `#/components/schemas/${name}` } : plain(z.toJSONSchema(shape) as Schema);
}

/** A reference is by path, so an id would begin a document of its own. */
function plain({ $schema: _, $id: __, id: ___, ...schema }: Schema): Schema {
  return schema;
}

function operationOf({ says, right, path, query, headers, body, answers }: ApiRoute): object {
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name]) => {
    return { name, in: 'path', required: true, schema: { type: 'string' } };
  });
  const parameters = [...inPath, ...parametersOf('query', query), ...(headers ? parametersOf('header', headers) : [])];
  return {
    summary: says,
    description: `Needs the right "${right}".`,
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: { required: true, content: { 'application/json': { schema: schemaOf(body) } } } }),
    responses: {
      ...Object.fromEntries(Object.entries(answers).map(([status, shape]) => [status, answerOf(shape)])),
      default: {
        description: 'Refused, with the reason (RFC 9457)',
        content: { 'application/problem+json': { schema: schemaOf(PROBLEM) } },
      },
    },
  };
}

function parametersOf(place: 'query' | 'header', shape: z.ZodObject): readonly object[] {
  const { properties = {}, required = [] } = z.toJSONSchema(shape);
  return Object.entries(properties).map(([name, schema]) => {
    // Several values are one text with commas.
    const style = (schema as Schema).type === 'array' ? { style: 'form', explode: false } : {};
    return { name, in: place, ...(required.includes(name) && { required: true }), ...style, schema };
  });
}

function answerOf(shape: z.ZodType | string): object {
  if (shape === 'none') return { description: 'Nothing' };
  if (typeof shape === 'string') return { description: 'As it is', content: { [shape]: {} } };
  return { description: 'Found', content: { 'application/json': { schema: schemaOf(shape) } } };
}
