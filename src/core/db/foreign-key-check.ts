const found = 'foreign_key_check found violations';

/**
 * The last statement of a migration, because libSQL does not enforce foreign keys while a migration runs. A plain
 * PRAGMA only lists violations; this statement fails on them, which rolls the whole migration back.
 */
export const foreignKeyCheck = `SELECT json_extract('{}', CASE WHEN EXISTS (SELECT 1 FROM pragma_foreign_key_check) THEN '${found}' ELSE '$' END);`;

/** The statements of a migration with the check appended; an empty migration needs no check. */
export const withForeignKeyCheck = <S>(statements: readonly S[]): (S | string)[] =>
  statements.length === 0 ? [] : [...statements, foreignKeyCheck];

/** Whether a migration failed because rows would refer to missing rows. */
export const isForeignKeyViolation = (error: unknown): boolean => {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (cause.message.includes(found)) return true;
  return false;
};
