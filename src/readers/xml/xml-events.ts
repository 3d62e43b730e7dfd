/** The events of an XML file, which both parsers give in the same form. Plain data; nothing throws. */
import type { SaxesTagNS } from 'saxes';

/** `name`: as in the file, with its prefix. `uri`: '' if it is in no namespace. */
export type TagName = { readonly name: string; readonly local: string; readonly uri: string };

/** `value`: after references and white space are resolved (XML 1.0, 3.3.3). */
export type Attribute = TagName & { readonly value: string };

/** A start tag with its attributes in the order of the file. */
export type Tag = {
  readonly name: TagName;
  readonly attributes: readonly Attribute[];
  /** True if the same name in the same scope is the same object each time, so that names compare by identity. */
  readonly isInterned: boolean;
};

/** What both parsers report to. Its exceptions of class UnreadableFileError refuse the file. */
export type XmlEventSink = {
  /** `line`: where the start tag begins. */
  readonly open: (tag: Tag, line: number) => unknown;
  readonly text: (text: string) => void;
  /** True if the text of the element that was opened last is wanted. */
  readonly listens: () => boolean;
  readonly close: () => void;
};

/** Limits that XML does not have: a deeper file or a tag with more attributes is not an export. */
export const MAX_DEPTH = 64;
/** Attributes of one tag. */
export const MAX_ATTRIBUTES = 256;

/** A tag of saxes as both parsers give it. */
export function toTag(tag: SaxesTagNS): Tag {
  return { name: tag, attributes: Object.values(tag.attributes), isInterned: false };
}
