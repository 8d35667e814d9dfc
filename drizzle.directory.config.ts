import { defineConfig } from 'drizzle-kit';

/** The directory of a deployment of many clinics. */
export default defineConfig({
  dialect: 'sqlite',
  schema: ['./src/modules/clinics/tables.ts', './src/modules/operators/tables.ts'],
  out: './drizzle-directory',
});
