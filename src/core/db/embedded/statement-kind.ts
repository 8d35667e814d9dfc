import type { BoundStatement } from './values.ts';

const bareWords = new Set(['pragma', 'vacuum', 'attach', 'detach']);
const transactionWords = new Set(['begin', 'commit', 'end', 'rollback', 'savepoint', 'release']);
const schemaWords = new Set(['create', 'alter', 'drop']);

interface Kind {
  reads: boolean;
  isBare: boolean;
  isTransaction: boolean;
  changesSchema: boolean;
}

const classify = (sql: string): Kind => {
  const word = /^(?:\s|--[^\n]*\n|\/\*[\s\S]*?\*\/)*([a-z]+)/i.exec(sql)?.[1]?.toLowerCase() ?? '';
  return {
    reads: word === 'select' || (word === 'with' && !/\b(insert|update|delete|replace)\b/i.test(sql)),
    isBare: bareWords.has(word),
    isTransaction: transactionWords.has(word),
    changesSchema: schemaWords.has(word),
  };
};

const maxKnownKinds = 1_000;
const kinds = new Map<string, Kind>();

/** The kind of a statement, derived from its text and cached: every request uses the same few texts. */
const findKind = ({ sql }: BoundStatement): Kind => {
  let kind = kinds.get(sql);
  if (kind === undefined) {
    kind = classify(sql);
    if (kinds.size >= maxKnownKinds) kinds.clear();
    kinds.set(sql, kind);
  }
  return kind;
};

export const isRead = (statement: BoundStatement): boolean => findKind(statement).reads;

/** Whether the statement must run outside any transaction. */
export const isBare = (statement: BoundStatement): boolean => findKind(statement).isBare;

/** Whether the statement begins or ends a transaction. */
export const isTransaction = (statement: BoundStatement): boolean => findKind(statement).isTransaction;

export const changesSchema = (statement: BoundStatement): boolean => findKind(statement).changesSchema;
