import Database from 'libsql';

const [from = '', to = ''] = process.argv.slice(2);
try {
  const database = new Database(from, { timeout: 5000 });
  database.prepare('VACUUM INTO ?').run([to]);
  database.close();
} catch (error) {
  process.exitCode = 1;
  process.send?.(error instanceof Error ? error.message : 'unknown');
}
process.disconnect?.();
