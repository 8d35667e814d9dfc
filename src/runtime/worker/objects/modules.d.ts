declare module 'janji:migrations' {
  interface BuiltMigration {
    name: string;
    madeAt: number;
    hash: string;
    statements: readonly string[];
  }
  /** Written by the build from drizzle/ and drizzle-directory/. */
  export const ofClinics: readonly BuiltMigration[];
  export const ofDirectory: readonly BuiltMigration[];
}
