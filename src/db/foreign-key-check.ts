const found = 'foreign_key_check found violations';

/**
 * Ends a migration: SQLite enforces no foreign key while one runs on libSQL. A plain PRAGMA only lists what it finds, on
 * both databases; this statement fails, so that the whole migration is undone.
 */
export const foreignKeyCheck = `SELECT json_extract('{}', CASE WHEN EXISTS (SELECT 1 FROM pragma_foreign_key_check) THEN '${found}' ELSE '$' END);`;

/** The statements of a migration with that end; there is nothing to check where there is nothing to do. */
export const withForeignKeyCheck = <S>(statements: readonly S[]): (S | string)[] =>
  statements.length === 0 ? [] : [...statements, foreignKeyCheck];

/** Whether a migration failed since rows would refer to rows that are not there. */
export const isForeignKeyViolation = (error: unknown): boolean => {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (cause.message.includes(found)) return true;
  return false;
};
