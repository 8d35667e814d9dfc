import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { formatCsv } from '../../../src/core/http/csv.ts';
import { preferredType } from '../../../src/core/http/language.ts';
import { doctors } from '../../../src/core/tables/catalog.ts';
import { createClinic } from '../../support/clinic-people.ts';
import { asker } from '../../support/statistics.ts';
import { createWorld } from '../../support/world.ts';

describe('the statistics', () => {
  it('are a table where the request likes that better, in which no name is a formula', async () => {
    const world = await createWorld();
    const clinic = await createClinic(world);
    await world.db
      .update(doctors)
      .set({ title: '', name: '=HYPERLINK("x"),1' })
      .where(eq(doctors.id, clinic.practice.doctorId));
    const ask = asker(world, clinic.admin.token);
    const query = 'from=2026-11-23&to=2026-11-23&by=doctor';
    const { body, headers } = await ask(query, { Accept: 'text/csv' });
    expect(headers.get('Content-Type')).toBe('text/csv; charset=utf-8; header=present');
    const lines = body.split('\r\n');
    expect(lines).toHaveLength(4);
    expect(lines[0]).toMatch(/^doctor_id,doctor_name,offered_seats,booked_seats,/);
    expect(body).toContain(`"${clinic.practice.doctorId}","'=HYPERLINK(""x""),1",16,0,`);
    expect(body).toContain(`"${clinic.others.doctorId}","dr. Sari Wulandari",16,0,`);
    expect((await ask(query, { Accept: 'text/html' })).body.status).toBe('success');
  });

  it('give a table its first line also where it has no row', () => {
    expect(formatCsv(['a', 'b'], [])).toBe('a,b\r\n');
    expect(
      formatCsv(
        ['a', 'b'],
        [
          { a: null, b: 1.5 },
          { a: '@x\n', b: '-' },
        ],
      ),
    ).toBe(`a,b\r\n,1.5\r\n"'@x\n","'-"\r\n`);
  });

  it.each([
    ['text/csv', 'text/csv'],
    ['application/json, text/csv', 'application/json'],
    ['application/json;q=0.5, text/csv', 'text/csv'],
    ['text/*, */*;q=0.1', 'text/csv'],
    ['*/*', 'application/json'],
    ['text/csv;q=0', 'application/json'],
  ])('follow the Accept header %s', (accept, wanted) => {
    expect(preferredType(accept, ['application/json', 'text/csv'])).toBe(wanted);
  });
});
