import { useEffect, useRef, useState } from 'react';
import { NOT_FOUND_TEXT } from '@headrace/contract/texts';
import { ApiError, errorText, isUnanswered } from '../api/client.ts';
import { session } from '../api/session.ts';
import { forgetDraft, readDraft, storeDraft, type Draft } from './drafts.ts';
import { changed, differing, isSame, type Conflict } from './merge.ts';
import { useLastChange, type FindLastChange, type LastChange } from './use-last-change.ts';

/** One sentence for each field that is wrong, by field name. */
export type FieldErrors = Partial<Record<string, string>>;

export interface RecordFormOptions<V extends object, R> {
  /** Names the record for its draft: `farm.<uid>`, `farm.new`. null: nothing typed is stored, as with passwords. */
  draftKey: string | null;
  /** The values of the record, or of a new one. A newer record replaces them while nothing has been typed. */
  initial: V;
  /** The version of the record; absent for a new one. */
  version?: number | undefined;
  /** The contract's rules. */
  validate: (values: V) => FieldErrors;
  save: (values: V, version: number | undefined) => Promise<R>;
  /** After saving: nothing is unsaved any more, so this may go to another page. */
  onSaved: (reply: R) => void;
  /** After saving with "Save and add another": what the next form begins with, and the field that then has the focus. */
  another?: { next: (reply: R, saved: V) => V; focus: keyof V & string } | undefined;
  /** Values still to be looked up, for somebody who saves before the look-up is done; null: none. */
  complete?: ((values: V) => Promise<Partial<V>> | null) | undefined;
  /** A question to confirm before saving values that are unlikely but not wrong; null: none. `base`: the values before. */
  ask?: ((values: V, base: V) => string | null) | undefined;
  /** Reads the record in a 409 reply. Without it a 409 is handled like any other error. */
  readCurrent?: ((current: unknown) => Current<V>) | undefined;
  /** Who saved it last: asked for when that was somebody else meanwhile. */
  lastChange?: FindLastChange | undefined;
}

/** The record as somebody else saved it. */
interface Current<V> {
  values: V;
  version: number;
}

/** What a field needs of its form. */
export interface FieldProps<T> {
  name: string;
  value: T;
  error: string | undefined;
  onChange: (value: T) => void;
  onBlur: () => void;
}

/** Why saving failed; shown at `field` until its value is changed. */
interface Failure<V> {
  text: string;
  field: string | undefined;
  sent: V;
}

export interface RecordForm<V extends object> {
  values: V;
  isDirty: boolean;
  isSaving: boolean;
  /** Grows with each try to save that failed: the focus then goes to the first fault. */
  attempts: number;
  /** Faults in sight, and what the server said. */
  faults: number;
  failure: string | null;
  draft: Draft<V> | null;
  conflict: Conflict<V> | null;
  /** Somebody else has saved a newer record since what is typed here was begun. */
  isBehind: boolean;
  /** Who it was, and when; null where that isn't known. */
  lastChange: LastChange | null;
  /** The fields in which what is typed differs from the record. */
  changed: (keyof V & string)[];
  /** What is asked before saving. */
  question: string | null;
  answer: (isSure: boolean) => void;
  /** Opens the comparison with it, as saving would. */
  compare: () => void;
  /** A field's value, error and handlers, to spread on it. */
  field: <K extends keyof V & string>(name: K) => FieldProps<V[K]>;
  /** What is wrong with a field, once it was left or saving was tried. Also of fields that follow from others. */
  error: (name: string) => string | undefined;
  /** Marks fields as left. */
  touch: (...names: string[]) => void;
  patch: (change: Partial<V>) => void;
  submit: () => void;
  /** null where records are added one at a time. */
  another: Another | null;
  useDraft: () => void;
  dropDraft: () => void;
  resolveConflict: (values: V) => void;
  closeConflict: () => void;
  /** Whether leaving now would lose something. */
  isUnsaved: () => boolean;
  /** Leaving was confirmed: what was typed is given up. */
  giveUp: () => void;
}

/** Records that are added one after the other without leaving the form. */
export interface Another {
  submit: () => void;
  /** How many were added so far. */
  count: number;
  /** The field that has the focus then. */
  focus: string;
}

interface Entry<V> {
  values: V;
  base: V;
  version: number | undefined;
}

/** A form of a record: validation, draft, saving, and conflicts with other people's changes. */
export function useRecordForm<V extends object, R>(options: RecordFormOptions<V, R>): RecordForm<V> {
  const { draftKey, initial, version, validate } = options;
  const [entry, setEntry] = useState<Entry<V>>({ values: initial, base: initial, version });
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [attempts, setAttempts] = useState(0);
  const [count, setCount] = useState(0);
  const [isSaving, setIsSaving] = useState(false);
  const [failure, setFailure] = useState<Failure<V> | null>(null);
  const [conflict, setConflict] = useState<Conflict<V> | null>(null);
  const [question, setQuestion] = useState<{ text: string; of: Entry<V>; isAnother: boolean } | null>(null);
  const [draft, setDraft] = useState(() => fitDraft(draftKey, initial));
  const { values, base } = entry;
  const isDirty = !isSame(values, base);
  const unsaved = useUnsaved(draftKey, entry, isDirty);
  const busy = useRef(false);

  const [seen, setSeen] = useState({ initial, version });
  if (!isSaving && !isSame(seen, { initial, version })) {
    setSeen({ initial, version });
    if (!isDirty && count === 0) setEntry({ values: initial, base: initial, version });
  }

  const isBehind = isDirty && version !== undefined && entry.version !== undefined && version > entry.version;

  const lastChange = useLastChange(options.lastChange, conflict?.version ?? (isBehind ? version : null));

  const fieldErrors = validate(values);
  const error = (name: string) => {
    if (failure && isAt(failure, name, values)) return failure.text;
    return attempts > 0 || left.has(name) ? fieldErrors[name] : undefined;
  };
  const touch = (...names: string[]) => {
    if (names.some((name) => !left.has(name))) setLeft(new Set([...left, ...names]));
  };
  const patch = (change: Partial<V>) => {
    if (!busy.current) setEntry((before) => ({ ...before, values: { ...before.values, ...change } }));
  };

  const begin = (next: V) => {
    setEntry({ values: next, base: next, version });
    setLeft(new Set());
    setAttempts(0);
    setDraft(null);
    setCount((n) => n + 1);
  };

  const isFaulty = (entered: V) => Object.keys(validate(entered)).length > 0;

  const send = async (entered: Entry<V>, isAnother = false, isSure = false) => {
    if (busy.current) return;
    setFailure(null);
    const finding = isFaulty(entered.values) ? options.complete?.(entered.values) : null;
    if (isFaulty(entered.values) && !finding) return setAttempts((n) => n + 1);
    busy.current = true;
    setIsSaving(true);
    try {
      const sent = { ...entered, values: { ...entered.values, ...(await finding?.catch(() => null)) } };
      if (finding) setEntry(sent);
      if (isFaulty(sent.values)) return setAttempts((n) => n + 1);
      const text = isSure ? null : (options.ask?.(sent.values, sent.base) ?? null);
      if (text !== null) return setQuestion({ text, of: sent, isAnother });
      const result = await saveOrCompare(options, sent);
      if ('conflict' in result) return setConflict(result.conflict);
      unsaved.giveUp();
      if (isAnother && options.another) return begin(options.another.next(result.reply, sent.values));
      setEntry({ ...sent, base: sent.values });
      options.onSaved(result.reply);
    } catch (fault) {
      setFailure(failureOf(fault, entered.values));
      setAttempts((n) => n + 1);
    } finally {
      busy.current = false;
      setIsSaving(false);
    }
  };

  return {
    values,
    isDirty,
    isSaving,
    attempts,
    faults: attempts > 0 ? Object.keys(fieldErrors).length : 0,
    failure: failureText(failure, values),
    draft,
    conflict,
    isBehind,
    lastChange,
    changed: changed(base, values),
    question: question?.text ?? null,
    answer: (isSure) => {
      setQuestion(null);
      if (question && isSure) void send(question.of, question.isAnother, true);
    },
    compare: () => {
      if (isBehind) setConflict({ base, mine: values, theirs: initial, version });
    },
    error,
    touch,
    patch,
    field: (name) => fieldOf(name, { values, error, patch, touch }),
    submit: () => void send(entry),
    another: options.another
      ? { submit: () => void send(entry, true), count, focus: options.another.focus }
      : null,
    useDraft: () => {
      if (draft) setEntry({ values: draft.values, base: draft.base, version: draft.version });
      setDraft(null);
    },
    dropDraft: () => {
      setDraft(null);
      if (!isDirty) unsaved.forget();
    },
    resolveConflict: (chosen) => {
      if (!conflict) return;
      const next = { values: chosen, base: conflict.theirs, version: conflict.version };
      setEntry(next);
      setConflict(null);
      void send(next);
    },
    closeConflict: () => setConflict(null),
    isUnsaved: unsaved.is,
    giveUp: unsaved.giveUp,
  };
}

function fieldOf<V extends object, K extends keyof V & string>(
  name: K,
  { values, error, patch, touch }: Pick<RecordForm<V>, 'values' | 'error' | 'patch' | 'touch'>,
): FieldProps<V[K]> {
  return {
    name,
    value: values[name],
    error: error(name),
    onChange: (value) => patch({ [name]: value } as unknown as Partial<V>),
    onBlur: () => touch(name),
  };
}

/** Asked is only about what differs, and not when somebody else left every field as it was. */
async function saveOrCompare<V extends object, R>(
  { save, readCurrent }: Pick<RecordFormOptions<V, R>, 'save' | 'readCurrent'>,
  sent: Entry<V>,
): Promise<{ reply: R } | { conflict: Conflict<V> }> {
  try {
    return { reply: await save(sent.values, sent.version) };
  } catch (fault) {
    const theirs = currentOf(fault, readCurrent);
    if (!theirs) throw fault;
    const found = { base: sent.base, mine: sent.values, theirs: theirs.values, version: theirs.version };
    const isClear = differing(found).length === 0;
    if (!isClear || theirs.version === sent.version) return { conflict: found };
    return saveOrCompare({ save, readCurrent }, { ...sent, base: theirs.values, version: theirs.version });
  }
}

/** What the server said, until what it is about is changed. */
function failureText<V extends object>(failure: Failure<V> | null, values: V): string | null {
  if (!failure) return null;
  return failure.field === undefined || isAt(failure, failure.field, values) ? failure.text : null;
}

/** Keeps the draft while something is typed, and knows of it also between two drawings of the page. */
function useUnsaved<V>(draftKey: string | null, { values, base, version }: Entry<V>, isDirty: boolean) {
  const isUnsaved = useRef(isDirty);
  const isStored = useRef(false);
  useEffect(() => {
    isUnsaved.current = isDirty;
    if (draftKey === null) return;
    if (isDirty) storeDraft(draftKey, { at: Date.now(), values, base, version });
    else if (isStored.current) forgetDraft(draftKey);
    isStored.current = isDirty;
  }, [draftKey, values, base, version, isDirty]);
  const forget = () => {
    if (draftKey !== null) forgetDraft(draftKey);
  };
  return {
    is: () => isUnsaved.current && session().logged,
    forget,
    giveUp: () => {
      isUnsaved.current = false;
      forget();
    },
  };
}

function fitDraft<V extends object>(key: string | null, initial: V): Draft<V> | null {
  if (key === null) return null;
  const draft = readDraft(key, initial);
  return draft && !isSame(draft.values, initial) ? draft : null;
}

function failureOf<V>(fault: unknown, sent: V): Failure<V> {
  if (isUnanswered(fault))
    return {
      text: `${fault.message.replace(/\.$/, '')}. What you entered is kept: save again when the connection is back.`,
      field: undefined,
      sent,
    };
  // The server's words for what isn't there are those of a page.
  if (fault instanceof ApiError && fault.message === NOT_FOUND_TEXT)
    return {
      text: "Nothing was saved: this isn't there any more. Somebody may have deleted it.",
      field: undefined,
      sent,
    };
  return { text: errorText(fault), field: fault instanceof ApiError ? fault.field : undefined, sent };
}

/** A server's validation error stands at its field until something else is entered there. */
function isAt<V extends object>({ field, sent }: Failure<V>, name: string, values: V): boolean {
  if (field === undefined || !(field === name || field.startsWith(`${name}.`))) return false;
  const own = name in values ? (name as keyof V) : null;
  return own ? sent[own] === values[own] : sent === values;
}

function currentOf<V>(
  fault: unknown,
  read: ((current: unknown) => Current<V>) | undefined,
): Current<V> | null {
  if (!(fault instanceof ApiError) || fault.status !== 409 || fault.current === undefined) return null;
  return read?.(fault.current) ?? null;
}
