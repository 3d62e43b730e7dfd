/**
 * An XML file cut into the elements that hold its rows and the text around them, character for character. Only for
 * files that the reader reads without a structural fault: it follows the same paths and gives the rows the same
 * numbers. Elements around the rows that no path reads are left out. Throws the errors of saxes and of the walk.
 */
import { SaxesParser, type SaxesTagNS } from 'saxes';
import type { RecordBounds } from '../reader.ts';
import { toTag } from './xml-events.ts';
import { compileXmlSource, xmlOptions } from './xml-options.ts';
import { createElementWalk, type Sink } from './xml-rows.ts';

/** One piece, in the order of the file. Elements that are left out, and records past the bounds, have no text. */
export type XmlSlice =
  /** Tags and texts around; `rest` is the last of them. */
  | { readonly what: 'around'; readonly text: string }
  /** An element with all its rows, of which `first` is the first; `before` is between it and the slice before. */
  | {
      readonly what: 'unit';
      readonly before: string;
      readonly text: string;
      readonly first: number;
      readonly rows: number;
      /** Larger than one document may be: it has no text. */
      readonly isCut: boolean;
    };

/** Fed with the decoded text of one file; each call returns the slices that are complete. */
export type XmlSlicer = { readonly take: (text: string) => XmlSlice[]; readonly end: () => XmlSlice[] };

/**
 * `source`: the format's part of a mapping's `source` block. `bounds`: those that the file was read with, so that the
 * same records are cut.
 */
export function createXmlSlicer(file: string, source: unknown, bounds?: RecordBounds): XmlSlicer {
  const options = xmlOptions.parse(source);
  const paths = compileXmlSource(options);
  const parser = new SaxesParser({ xmlns: true, position: true });
  let ordinal = 0;
  let isUnit = false;
  let isCut = false;
  const sink: Sink = {
    nextRow: () => ++ordinal,
    push: () => undefined,
    unit: () => {
      isUnit = true;
    },
    cut: () => {
      isCut = true;
    },
    unread: () => undefined,
  };
  const kinds = 'kinds' in paths ? paths.kinds.map((kind) => kind.paths) : [paths];
  const walks = kinds.map((kind) =>
    createElementWalk(file, kind, { rowsOptional: options['rows-optional'], bounds, sink }),
  );

  let slices: XmlSlice[] = [];
  /** What is not given away yet, and where in the file it begins. */
  let held = '';
  let base = 0;
  let start = 0;
  /** Depth inside an element that is given or left out as a whole; 0 outside of one. */
  let depth = 0;
  let before = '';
  let unit: { readonly first: number } | undefined;

  const cut = (end: number): string => {
    const text = held.slice(0, end - base);
    held = held.slice(end - base);
    base = end;
    return text;
  };
  const open = (tag: SaxesTagNS) => {
    isUnit = false;
    const next = ordinal + 1;
    const known = toTag(tag);
    let read = false;
    for (const walk of walks) read = walk.open(known, parser.line) || read;
    if (depth > 0) depth++;
    else if (isUnit || !read) {
      before = cut(start);
      unit = isUnit ? { first: next } : undefined;
      depth = 1;
    }
  };
  const close = () => {
    for (const walk of walks) {
      walk.close();
      walk.drain();
    }
    if (depth === 0 || --depth > 0) return;
    const whole = cut(parser.position);
    const { first } = unit ?? {};
    const text = isCut ? '' : whole;
    if (first === undefined) slices.push({ what: 'around', text: before.trimEnd() });
    else slices.push({ what: 'unit', before, text, first, rows: ordinal - first + 1, isCut });
    isCut = false;
  };
  const text = (more: string) => {
    for (const walk of walks) walk.text(more);
  };
  parser.on('opentagstart', () => {
    start = base + held.lastIndexOf('<', parser.position - base - 1);
  });
  parser.on('opentag', open);
  parser.on('closetag', close);
  parser.on('text', text);
  parser.on('cdata', text);

  const give = (): XmlSlice[] => {
    const given = slices;
    slices = [];
    return given;
  };
  return {
    take: (more) => {
      held += more;
      parser.write(more);
      if (isCut) cut(base + held.length);
      return give();
    },
    end: () => {
      parser.close();
      return [...give(), { what: 'around', text: held }];
    },
  };
}
