import { expect, it } from 'vitest';
import { shortDoctor } from '../../../web/shared/doctor.ts';

it('names a doctor by the first title and the first name, so that two professors differ', () => {
  expect(
    ['dr. Budi Santoso', 'Prof. Dr. dr. Siti Rahayu', 'drg. Maya', 'Budi Santoso', 'Prof. Dr.'].map(
      shortDoctor,
    ),
  ).toEqual(['dr. Budi', 'Prof. Siti', 'drg. Maya', 'Budi', 'Prof.']);
});
