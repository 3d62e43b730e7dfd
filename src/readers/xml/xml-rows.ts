/**
 * Elements of an XML file become rows: open elements are followed down the compiled paths, values are kept with the
 * element that they belong to, and rows come out when the element of their document closes. Memory is bounded by one
 * such element; past its bounds rows are only counted and come out as one (`Row.cut`). Faults of a document break its
 * rows; xml/wrong-root, xml/no-rows, xml/value-too-late and xml/document-too-large throw UnreadableFileError.
 */
import type { FoundControl } from '../../model/control-total.ts';
import type { DataFault } from '../../model/fault.ts';
import type { Row, SkippedRow, Table, Unread } from '../../model/row.ts';
import { elementAt, type ItemSpot } from '../../model/xml-location.ts';
import type { RecordBounds } from '../reader.ts';
import { watchCurrency } from './xml-currency.ts';
import type { Tag } from './xml-events.ts';
import { documentTooLarge, noRows, valueTooLate, wrongRoot } from './xml-file-faults.ts';
import { watchPaths } from './xml-missing-paths.ts';
import { attributeValue, createStep, type WalkStep, walkTo } from './xml-path-walker.ts';
import type { PathNode, PathSlot, XmlPaths } from './xml-paths.ts';
import { type CutRecord, cutRow, MAX_AROUND, recordLimits, startCutRecord } from './xml-record-bounds.ts';
import { documentWithoutRows, elementsInside, severalValues } from './xml-row-faults.ts';
import { type ListItem, listItemsText, openRowScope, type RowScope } from './xml-row-scope.ts';
import { watchUnmapped } from './xml-unmapped-elements.ts';
import { collectUnread, MAX_UNREAD } from './xml-unread-names.ts';

/** Fed with the events of one file by a parser. */
export type ElementWalk = {
  readonly table: Table;
  /** `line`: where the start tag begins. True if a path reads the element, or one inside it. */
  readonly open: (tag: Tag, line: number) => boolean;
  readonly text: (text: string) => void;
  /** True if a path reads the text of the element that was opened last and is still open. */
  readonly listens: () => boolean;
  readonly close: () => void;
  /** The file ended well; refuses one in which no row was found, though it is not empty. */
  readonly finish: () => void;
  /** Rows completed since the last call. */
  readonly drain: () => {
    readonly rows: readonly Row[];
    readonly leftOut: readonly SkippedRow[];
    readonly controls: readonly FoundControl[];
  };
  /** Of the file as a whole, at its end. */
  readonly warnings: () => readonly DataFault[];
};

/** The destination of rows and the source of their numbers, which several walks may share. */
export type Sink = {
  readonly nextRow: () => number;
  readonly push: (row: Row) => void;
  /** An element opens whose closing completes the rows in it. */
  readonly unit?: () => void;
  /** The open one is too large: nothing more of it is kept. */
  readonly cut?: () => void;
  /** An element next to the documents that no path of this walk reads. */
  readonly unread: (name: string, line: number) => void;
};

type Capture = { readonly depth: number; readonly node: PathNode; readonly line: number; text: string };
/** An open element that one of its children decides on, and what is to be done if it passes. */
type Trial = { passed: boolean; readonly kept: (() => void)[] };

/** `rowsOptional`: a document without rows is not a fault. `bounds`: see ReadOptions. */
export type WalkOptions = {
  readonly rowsOptional: boolean;
  readonly bounds?: RecordBounds | undefined;
  readonly sink?: Sink;
};

/** The walk along one kind of rows. */
export function createElementWalk(
  file: string,
  paths: XmlPaths,
  { rowsOptional, bounds, sink: shared }: WalkOptions,
): ElementWalk {
  const table: Table = { file, columns: paths.columns, places: paths.places };
  const stack: WalkStep[] = [createStep([paths.root])];
  const captures: Capture[] = [];
  const trials = new Map<PathNode, Trial>();
  /** The open item of each list, by column. */
  const openItems: ListItem[] = [];
  const openSpots: ItemSpot[] = [];
  let scope: RowScope | undefined;
  let ordinal = 0;
  let waiting: RowScope[] = [];
  let done: Row[] = [];
  let skipped = 0;
  let elements = 0;
  let characters = 0;
  const most = recordLimits(paths, bounds);
  /** The open record, where it is too large. */
  let cut: CutRecord | undefined;
  let controls: FoundControl[] = [];
  const missed = collectUnread();
  const watch = watchPaths(paths);
  const sink: Sink = shared ?? {
    nextRow: () => ++ordinal,
    push: (row) => void done.push(row),
    unread: missed.add,
  };

  /** Reported with the row that it is in, else with the first row of its document. */
  const unread = (one: Unread) => {
    if (!scope || scope.level < paths.flushLevel) return;
    const holder = scope.level === paths.rowLevel ? scope : scopeAt(paths.flushLevel);
    holder.unread ??= [];
    const again = one.currency ? -1 : holder.unread.findIndex(({ path }) => path === one.path);
    const isFirstRefusal = one.isRefused && !holder.unread.some(({ isRefused }) => isRefused);
    if (again >= 0) holder.unread[again] = { ...holder.unread[again]!, times: holder.unread[again]!.times + 1 };
    else if (holder.unread.length < MAX_UNREAD || one.currency || isFirstRefusal) holder.unread.push(one);
  };
  const unmapped = paths.unmapped && watchUnmapped(paths.unmapped, unread);
  const currency = paths.currency && watchCurrency(paths.currency);

  const open = (tag: Tag, line: number): boolean => {
    watch.open(tag.name);
    for (let at = captures.length - 1; at >= 0 && captures[at]!.depth === stack.length + skipped; at--) {
      notAValue(captures[at]!, line);
    }
    if (scope && scope.level >= paths.flushLevel && ++elements > most.elements) tooMuch(line);
    if (skipped > 0) {
      skipped++;
      unmapped?.open(tag.name, line, false, tag.attributes.length);
      return false;
    }
    const step = walkTo(stack[stack.length - 1]!, tag);
    const { nodes } = step;
    if (nodes.length === 0) {
      if (stack.length === 1) throw wrongRoot(file, line, tag.name, paths);
      const beside = scope?.level === stack.length - 1 && scope.level < Math.min(paths.groupLevel, paths.rowLevel);
      if (beside) sink.unread(tag.name.name, line);
      skipped = 1;
      unmapped?.open(tag.name, line, false, tag.attributes.length);
      return false;
    }
    stack.push(step);
    unmapped?.open(tag.name, line, step.isRead, 0);
    for (let n = 0; n < nodes.length; n++) enter(nodes[n]!, tag, line);
    return true;
  };
  /** A record that may hold several documents is not cut: no one could say which of them lack rows. */
  const tooMuch = (line: number) => {
    if (cut) return;
    if (!isInDocument() && characters <= MAX_AROUND) return;
    if (!isInDocument() || !most.isOneDocument) throw documentTooLarge(file, line);
    cut = startCutRecord(waiting.length, paths.flushLevel);
    waiting.length = Math.min(waiting.length, 1);
    for (let each = scope; each && each.level >= paths.flushLevel; each = each.parent) each.items = undefined;
    sink.cut?.();
  };
  const addRow = (row: RowScope) => {
    if (!cut || cut.rows++ === 0) waiting.push(row);
    if (waiting.length > most.rows) tooMuch(row.line);
  };
  const enter = (node: PathNode, tag: Tag, line: number) => {
    watch.reach(node);
    if (node.tried) trials.set(node, { passed: false, kept: [] });
    if (node.level === paths.flushLevel) {
      characters = 0;
      sink.unit?.();
    }
    if (node.level > 0) {
      const isRow = node.level === paths.rowLevel;
      scope = openRowScope(paths, scope, node.level, line, isRow ? sink.nextRow() : 0);
      if (isRow) addRow(scope);
      if (isRow) for (let each: RowScope | undefined = scope; each; each = each.parent) each.rows++;
    }
    if (!cut) for (const slot of node.items) addItem(slot, line);
    if (node.amountAt !== undefined && currency && tag.attributes.length > 0 && isInDocument()) {
      once(node.texts[0]!.within, () => currency.see(node.amountAt!, tag, line));
    }
    for (const slot of node.attributes) {
      const value = attributeValue(tag, slot.attribute);
      if (value !== undefined) keep(slot, value, line, true);
    }
    if (node.texts.length + node.tests.length > 0) captures.push({ depth: stack.length, node, line, text: '' });
  };
  const text = (more: string) => {
    unmapped?.text(more);
    for (let at = captures.length - 1; at >= 0 && captures[at]!.depth === stack.length + skipped; at--) {
      const capture = captures[at]!;
      characters += more.length;
      if (characters > most.characters) tooMuch(capture.line);
      if (!cut || (cut.wants(capture.node) && cut.takes(more.length))) capture.text += more;
    }
  };
  const hasCapture = () => captures.length > 0 && captures[captures.length - 1]!.depth === stack.length + skipped;
  const listens = () => hasCapture() || unmapped?.listens() === true;
  const close = () => {
    unmapped?.close();
    if (skipped > 0) {
      skipped--;
      return;
    }
    while (hasCapture()) {
      const { node, text: value, line } = captures.pop()!;
      for (const slot of node.texts) keep(slot, value, line);
      for (const test of node.tests) if (value.trim() === test.value) trials.get(test.of)!.passed = true;
    }
    const { nodes } = stack.pop()!;
    for (const node of nodes) {
      if (node.tried) settle(trials.get(node)!, node.tried.within);
      if (node.level > 0) leave(scope!);
    }
  };
  const endAmounts = ({ level }: RowScope) => {
    const { column } = paths.currency!;
    const kept = Math.max(paths.levelOf[column]!, paths.flushLevel);
    if (level === kept) currency!.own(scopeAt(paths.levelOf[column]!).values[column] as string | undefined);
    if (level === paths.flushLevel) for (const other of currency!.end()) unread(other);
  };
  const isInDocument = () => scope !== undefined && scope.level >= paths.flushLevel;
  const leave = (closed: RowScope) => {
    if (currency) endAmounts(closed);
    const lonely = closed.level === paths.groupLevel && closed.rows === 0;
    if (lonely) addRow(lonelyRow(closed));
    scope = closed.parent;
    if (scope && closed.rows === 0 && closed.level < paths.rowLevel) scope.rowless = closed;
    if (closed.level !== paths.flushLevel && !(lonely && paths.flushLevel > closed.level)) return;
    if (closed.unread && closed.level !== paths.rowLevel && waiting[0]) {
      waiting[0].unread = [...closed.unread, ...(waiting[0].unread ?? [])];
    }
    if (cut) giveCut(cut, closed.line);
    else for (const row of waiting) sink.push(rowOf(row));
    cut = undefined;
    waiting = [];
    elements = 0;
    characters = 0;
    for (let each = closed.parent; each; each = each.parent) each.isReleased = true;
  };
  const giveCut = (record: CutRecord, line: number) => {
    const [first] = waiting;
    // Without a row it cannot be assigned to a document.
    if (!first) throw documentTooLarge(file, line);
    sink.push(cutRow(rowOf(first), record, { elements, most, paths }));
  };
  const lonelyRow = (group: RowScope): RowScope => {
    // An element between the document and its rows has values too, if there is one alone.
    let holder = group;
    while (holder.rowless && holder.children === 1) holder = holder.rowless;
    const row = openRowScope(paths, holder, paths.rowLevel, group.line, sink.nextRow());
    if (!rowsOptional) row.fault = documentWithoutRows(file, row, paths.groupLevel);
    return row;
  };
  const scopeAt = (level: number): RowScope => {
    let each = scope!;
    while (each.level > level) each = each.parent!;
    return each;
  };
  const settle = ({ passed, kept }: Trial, within: PathNode | undefined) => {
    if (passed) for (const act of kept) once(within, act);
  };
  const once = (within: PathNode | undefined, act: () => void) => {
    if (!within) act();
    else if (!cut || cut.takes(1)) trials.get(within)!.kept.push(act);
  };
  const keep = (slot: PathSlot, value: string, line: number, isAttribute = false) => {
    if (slot.control !== undefined) {
      controls.push({
        control: slot.control,
        text: value.trim(),
        row: line,
        line,
        column: paths.controls[slot.control]!,
      });
      return;
    }
    const counted = isAttribute && most.isOneDocument ? value.length : 0;
    characters += counted;
    if (characters > most.characters) tooMuch(line);
    if (cut && !(cut.isOf(slot) && cut.takes(counted))) {
      if (!slot.within) watch.see(slot.column);
      return;
    }
    if (slot.field !== undefined) keepField(slot, slot.field, openItems[slot.column]!, value, line);
    else if (slot.within) once(slot.within, () => store(slot, value, line));
    else store(slot, value, line);
  };
  const addItem = (slot: PathSlot, line: number) => {
    const item: ListItem = {};
    const at: ItemSpot = { line, fields: {} };
    openItems[slot.column] = item;
    openSpots[slot.column] = at;
    once(slot.within, () => {
      watch.see(slot.column);
      const holder = scopeAt(slot.level);
      if (holder.isReleased) throw valueTooLate(table, slot.column, line);
      holder.items ??= new Map();
      const items = holder.items.get(slot.column);
      if (items) items.push(item);
      else holder.items.set(slot.column, [item]);
      holder.itemSpots ??= new Map();
      const spots = holder.itemSpots.get(slot.column);
      if (spots) spots.push(at);
      else holder.itemSpots.set(slot.column, [at]);
    });
  };
  const keepField = (slot: PathSlot, field: string, item: ListItem, value: string, line: number) => {
    openSpots[slot.column]!.fields[field] ??= line;
    once(slot.within, () => {
      const text = value.trim();
      if (text === '') return;
      if (Object.hasOwn(item, field))
        scopeAt(slot.level).fault ??= severalValues(table, scopeAt(slot.level), slot, line);
      else item[field] = text;
    });
  };
  const store = (slot: PathSlot, value: string, line: number) => {
    watch.see(slot.column);
    const holder = scopeAt(slot.level);
    if (holder.isReleased) throw valueTooLate(table, slot.column, line);
    const known = holder.values[slot.column];
    // An empty element is no value: next to another one, it is neither taken nor a fault.
    if (known !== undefined && value.trim() === '') return;
    if (known === undefined || (known as string).trim() === '') {
      holder.values[slot.column] = value;
      holder.values[paths.columns.length + slot.column] = line;
    } else holder.fault ??= severalValues(table, holder, slot, line);
  };
  const notAValue = (capture: Capture, line: number) => {
    for (const slot of capture.node.texts) {
      if (slot.own || slot.control !== undefined) continue;
      const holder = scopeAt(slot.level);
      once(slot.within, () => (holder.fault ??= elementsInside(table, holder, slot, line)));
    }
  };
  const rowOf = (row: RowScope): Row => {
    let fault: DataFault | undefined;
    const holders: (RowScope | undefined)[] = [];
    for (let each: RowScope | undefined = row; each; each = each.parent) {
      holders[each.level] = each;
      fault ??= each.fault;
    }
    const { levelOf, lists } = paths;
    const cells = new Array<string>(levelOf.length);
    for (let column = 0; column < levelOf.length; column++) {
      const value = holders[levelOf[column]!]?.values[column];
      cells[column] = value === undefined ? '' : (value as string);
    }
    if (lists.size > 0)
      for (const column of lists.keys()) cells[column] = listItemsText(holders[levelOf[column]!], column);
    const unfound = watch.unfound();
    const whole = { cells, row: row.row, line: row.line, spot: row };
    const found = unfound ? { ...whole, unfound } : whole;
    const at = row.unread ? { ...found, unread: row.unread } : found;
    if (!fault) return at;
    const { column } = fault.origin!;
    const path = column === undefined ? undefined : elementAt(row, column)?.path;
    const spotted = path === undefined || path === column ? {} : { path };
    const broken = { ...fault, origin: { ...fault.origin!, row: row.row, ...spotted } };
    // The document of an element without rows is known, unless one of its own values is damaged.
    const damaged = holders.some((each) => each !== row && each?.fault);
    return { ...at, broken, readable: fault.code === 'xml/document-without-rows' && !damaged };
  };
  const finish = () => {
    const first = missed.first();
    if (ordinal === 0 && first && !rowsOptional) throw noRows(file, paths, first);
  };
  const drain = () => {
    const batch = { rows: done, leftOut: missed.drain(), controls };
    done = [];
    controls = [];
    return batch;
  };
  return { table, open, text, listens, close, finish, drain, warnings: () => watch.warnings(file) };
}
