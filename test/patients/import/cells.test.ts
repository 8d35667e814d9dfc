import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readRow } from '../../../src/modules/patients/import/cell-rules.ts';
import { recognizeColumns } from '../../../src/modules/patients/import/column-rules.ts';
import { possibleOrders, typedDate } from '../../../src/modules/patients/import/date-rules.ts';
import { lookKeys, looksAlike } from '../../../src/modules/patients/record/rules.ts';

const dates = fc
  .date({ min: new Date('1900-01-01'), max: new Date('2099-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));
const parts = (iso: string) => {
  const [year = '', month = '', day = ''] = iso.split('-');
  return { year, month, day };
};
const months = {
  id: 'Januari Februari Maret April Mei Juni Juli Agustus September Oktober November Desember',
  en: 'January February March April May June July August September October November December',
};

describe('a date as people type it', () => {
  it.each([
    ['05/01/1950', '1950-01-05'],
    ['5-1-1950', '1950-01-05'],
    ['5.1.1950', '1950-01-05'],
    ['1950/1/5', '1950-01-05'],
    ['1950-01-05 00:00:00', '1950-01-05'],
    ['5 Jan 1950', '1950-01-05'],
    ['5-Jan-1950', '1950-01-05'],
    ['17 Agt 1945', '1945-08-17'],
    ['17 Agustus 1945', '1945-08-17'],
    ['August 17, 1945', '1945-08-17'],
    ['2 Pebruari 2000', '2000-02-02'],
    ['1 Nopember 1999', '1999-11-01'],
  ])('%s is %s where the day is first', (typed, date) => {
    expect(typedDate(typed, 'day_first')).toEqual({ date });
  });

  it.each(['30/02/1990', '05/01/50', 'kemarin', '1 Foo 1990', '31 April 1990', '00/01/1990', ''])(
    '%s is none',
    (typed) => {
      expect(typedDate(typed, 'day_first')).toEqual({ problem: 'date_typed' });
    },
  );

  it.each(['18268', '32874', '45123,375'])(
    '%s is the number of a spreadsheet, which may be two dates',
    (typed) => {
      expect(typedDate(typed, null)).toEqual({ problem: 'date_number' });
    },
  );

  it('is read back in its order, and without one only where it can be but one date', () => {
    fc.assert(
      fc.property(dates, fc.constantFrom('/', '-', '.', ' '), (iso, separator) => {
        const { year, month, day } = parts(iso);
        const dayFirst = [day, month, year].join(separator);
        const monthFirst = [month, day, year].join(separator);
        expect(typedDate(dayFirst, 'day_first')).toEqual({ date: iso });
        expect(typedDate(monthFirst, 'month_first')).toEqual({ date: iso });
        const isOne = Number(day) > 12 || day === month;
        expect(typedDate(dayFirst, null)).toEqual(isOne ? { date: iso } : { problem: 'date_order' });
      }),
    );
  });

  it('is read by the name of its month in both languages, whatever the order', () => {
    fc.assert(
      fc.property(
        dates,
        fc.constantFrom('id', 'en'),
        fc.constantFrom(null, 'month_first'),
        (iso, language, order) => {
          const { year, month, day } = parts(iso);
          const name = months[language].split(' ')[Number(month) - 1] ?? '';
          for (const form of [name, name.slice(0, 3), name.toUpperCase()])
            expect(typedDate(`${Number(day)} ${form} ${year}`, order)).toEqual({ date: iso });
          expect(typedDate(`${name} ${Number(day)}, ${year}`, order)).toEqual({ date: iso });
        },
      ),
    );
  });

  it('never makes a date of a text that is none', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const read = typedDate(text, 'day_first');
        if ('date' in read) expect(new Date(read.date).toISOString().slice(0, 10)).toBe(read.date);
      }),
    );
  });

  it('finds the order from the unambiguous dates', () => {
    expect(possibleOrders(['05/01/1950', '25/01/1950', 'salah'])).toEqual(['day_first']);
    expect(possibleOrders(['05/01/1950', '01/25/1950'])).toEqual(['month_first']);
    expect(possibleOrders(['05/01/1950', '5 Jan 1950'])).toEqual(['day_first', 'month_first']);
    expect(possibleOrders(['25/01/1950', '01/25/1950'])).toEqual([]);
  });
});

describe('a row as people type it', () => {
  it('has phone, sex and numbers in the forms of the interface', () => {
    const read = readRow(
      {
        name: ' Siti \nAminah ',
        phone_number: "'+62 812-3456-7890",
        birth_date: '05/01/1950',
        sex: 'Perempuan',
        national_id: "'3171 2345 6789 0001",
        insurance_number: '0001-2345-67890',
        email: '-',
        external_id: ' 17 ',
      },
      'day_first',
    );
    expect(read).toEqual({
      fields: {
        name: 'Siti Aminah',
        phone_number: '81234567890',
        phone_country_code: '62',
        birth_date: '1950-01-05',
        sex: 'female',
        national_id: '3171234567890001',
        insurance_number: '0001234567890',
      },
      externalId: '17',
      issues: [],
    });
  });

  it.each(['0812-3456-7890', '(0812) 3456 7890', '62812 3456 7890', '+62 812 34567890', '812.3456.7890'])(
    'knows the phone %s',
    (phone_number) => {
      expect(readRow({ phone_number }, null).fields).toMatchObject({
        phone_number: '81234567890',
        phone_country_code: '62',
      });
    },
  );

  it.each([
    ['L', 'male'],
    ['laki-laki', 'male'],
    ['Pria', 'male'],
    ['M', 'male'],
    ['P', 'female'],
    ['Pr.', 'female'],
    ['female', 'female'],
  ])('reads the sex %s as %s', (sex, read) => {
    expect(readRow({ sex }, null).fields).toEqual({ sex: read });
  });

  it('says what cannot be read, and takes a placeholder for nothing', () => {
    expect(readRow({ sex: 'X', birth_date: '05/01/1950' }, null).issues).toEqual([
      { path: 'sex', rule: 'sex_typed' },
      { path: 'birth_date', rule: 'date_order' },
    ]);
    const empty = readRow({ national_id: '0000000000000000', insurance_number: '-', phone_number: '' }, null);
    expect(empty).toEqual({ fields: {}, externalId: null, issues: [] });
    const exported = {
      external_id: 'NULL',
      staff_notes: 'null',
      address: 'N/A',
      birth_date: '#N/A',
      sex: 'NULL',
    };
    expect(readRow(exported, null)).toEqual({ fields: {}, externalId: null, issues: [] });
  });
});

describe('records that look alike', () => {
  it('share one of their keys, and others share none', () => {
    const person = fc.record({
      name: fc.constantFrom("Nur'aini", 'NUR AINI', 'Nuraini', 'Darmo', 'José', 'Jose'),
      birthDate: fc.constantFrom(null, '1950-01-05', '1960-01-05'),
      phone: fc.constantFrom('', '62812', '62813'),
    });
    fc.assert(
      fc.property(person, person, (a, b) => {
        const shared = lookKeys(a).some((key) => lookKeys(b).includes(key));
        expect(shared).toBe(looksAlike(a, b));
      }),
    );
  });
});

describe('the columns of a file', () => {
  it('are known by their names in Indonesian and English', () => {
    expect(
      recognizeColumns([
        'No',
        'No. RM',
        'NAMA PASIEN',
        'Tgl. Lahir (dd/mm/yyyy)',
        'L/P',
        'No HP',
        'NIK',
        'No. Kartu BPJS',
        'Alamat',
        'Keterangan',
      ]),
    ).toEqual([
      null,
      'medical_record_number',
      'name',
      'birth_date',
      'sex',
      'phone_number',
      'national_id',
      'insurance_number',
      'address',
      'staff_notes',
    ]);
    expect(
      recognizeColumns([
        'id',
        'fullName',
        'date_of_birth',
        'Gender',
        'Mobile',
        'e-mail',
        'phone_country_code',
      ]),
    ).toEqual(['external_id', 'name', 'birth_date', 'sex', 'phone_number', 'email', 'phone_country_code']);
  });

  it('have each field once: the first of two telephones', () => {
    expect(recognizeColumns(['Telepon', 'HP', 'Nama'])).toEqual(['phone_number', null, 'name']);
  });
});
