/** A document that travels as an encoded file (french-invoicing 2.1, EncodedFile): its shape, for every French kind. */

import { schemaOf } from './json-schema.ts';
import { part } from './schema-parts.ts';

/** The shape of the file; `data` is checked as Base64. */
export const encodedFile = part.object('document as an encoded file', {
  format: part.text('document format'),
  filename: part.text('name of the file'),
  transport: part.text('transport mode of the content'),
  data: part.base64('Base64-encoded file content'),
});

/** The same as JSON Schema, for suggestions of field names. */
export const encodedFileSchema = schemaOf(encodedFile);
