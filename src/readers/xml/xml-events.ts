/** The events of an XML file, the same for both parsers. */
import type { SaxesTagNS } from 'saxes';

/** `name` as the file has it, with its prefix; `uri` is empty where there is no namespace. */
export type TagName = { readonly name: string; readonly local: string; readonly uri: string };

export type Attribute = TagName & { readonly value: string };

/** A start tag. */
export type Tag = {
  readonly name: TagName;
  readonly attributes: readonly Attribute[];
  /** The same name in the same scope is the same object each time. */
  readonly isInterned: boolean;
};

/** Limits of what is read, where XML has none. */
export const MAX_DEPTH = 64;
export const MAX_ATTRIBUTES = 256;

export function toTag(tag: SaxesTagNS): Tag {
  return { name: tag, attributes: Object.values(tag.attributes), isInterned: false };
}
