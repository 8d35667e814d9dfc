import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csvLine, indonesianCsv, plainCsv } from '../../../src/core/http/csv.ts';
import {
  correctColumns,
  type FileRow,
  fileRows,
  type OpenFile,
  patientFile,
  readCells,
  recognizeFile,
  rowSteps,
  UnreadableFile,
} from '../../../src/modules/patients/import/reader.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text);

/** A file that comes in pieces of a size. */
const fileOf = (bytes: Uint8Array, size = 7): OpenFile =>
  async function* () {
    for (let at = 0; at < bytes.byteLength; at += size) yield bytes.slice(at, at + size);
  };

const readAll = async (open: OpenFile) => {
  const form = await recognizeFile(open);
  const rows: FileRow[] = [];
  for await (const row of fileRows(open, form)) rows.push(row);
  return { form, rows };
};

const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`;

describe('the reader of files', () => {
  it.each([',', ';', '\t', '|'])(
    'separates cells by %j, quoted ones with line ends and quotes in them',
    async (by) => {
      const text = `Nama${by}Alamat\r\nSiti${by}"Jl. ""Melati""\nNo. 5${by}Jakarta"\r\n\r\nDarmo${by}\r\n`;
      const { form, rows } = await readAll(fileOf(bytesOf(text)));
      expect(form).toMatchObject({
        kind: 'csv',
        delimiter: by,
        header: ['Nama', 'Alamat'],
        encoding: 'utf-8',
      });
      expect(rows).toEqual([
        { row: 2, cells: ['Siti', `Jl. "Melati"\nNo. 5${by}Jakarta`] },
        { row: 4, cells: ['Darmo', ''] },
      ]);
    },
  );

  it('gives back every cell of any table by RFC 4180, wherever the pieces of the file end', async () => {
    const letters = ['a', 'é', '"', ',', ';', '\t', '|', '\n', '\r\n', '\r', ' ', '李', '😀'];
    const cell = fc.record({
      text: fc.string({ unit: fc.constantFrom(...letters) }),
      isQuoted: fc.boolean(),
    });
    const row = fc.record({
      cells: fc.array(cell, { minLength: 3, maxLength: 3 }),
      end: fc.constantFrom('\n', '\r\n', '\r'),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { minLength: 1, maxLength: 12 }),
        fc.constantFrom(',', ';', '\t', '|'),
        fc.record({ size: fc.integer({ min: 1, max: 40 }), marked: fc.boolean(), ended: fc.boolean() }),
        async (table, by, { size, marked, ended }) => {
          const needsQuotes = new RegExp(`^"|[\r\n${by === '|' ? '\\|' : by}]`);
          const lines = table.map(({ cells, end }) => ({
            line: cells
              .map(({ text, isQuoted }) => (isQuoted || needsQuotes.test(text) ? quoted(text) : text))
              .join(by),
            end,
          }));
          const names = ['Nama', 'Alamat', 'Catatan'].join(by);
          const text = [
            ...(marked ? ['\ufeff'] : []),
            names,
            ...lines.flatMap(({ line }, at) => [lines[at - 1]?.end ?? '\r\n', line]),
            ...(ended ? [lines.at(-1)?.end ?? ''] : []),
          ].join('');
          const { rows } = await readAll(fileOf(bytesOf(text), size));
          const expected = table
            .map(({ cells }) => cells.map(({ text }) => text.replaceAll(/\r(?!\n)/g, '\n')))
            .filter((cells) => cells.some((one) => one.trim() !== ''));
          expect(rows.map(({ cells }) => cells)).toEqual(expected);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('knows UTF-8 with its mark, what Windows writes, and the Unicode text of Excel', async () => {
    const text = 'Nama,Alamat\nRené,Jl. Café\n';
    const windows = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
    const utf16 = new Uint8Array([0xff, 0xfe, ...[...text].flatMap((one) => [one.charCodeAt(0), 0])]);
    for (const bytes of [bytesOf(text), bytesOf(`\ufeff${text}`), windows, utf16])
      for (const size of [1, 2, 3, 7]) {
        const { form, rows } = await readAll(fileOf(bytes, size));
        expect(form.header).toEqual(['Nama', 'Alamat']);
        expect(rows).toEqual([{ row: 2, cells: ['René', 'Jl. Café'] }]);
      }
  });

  it('takes lines that end by a carriage return alone, as Excel writes them for the Macintosh', async () => {
    for (const [size, within] of [1, 7, 100].flatMap((size) => [
      [size, '\r'] as const,
      [size, '\n'] as const,
    ])) {
      const text = `sep=;\rNama;Alamat\rSiti;"Jl. A${within}RT 1"\rDarmo;Jl. B\r`;
      const { form, rows } = await readAll(fileOf(bytesOf(text), size));
      expect(form).toMatchObject({ delimiter: ';', header: ['Nama', 'Alamat'] });
      expect(rows).toEqual([
        { row: 2, cells: ['Siti', 'Jl. A\nRT 1'] },
        { row: 3, cells: ['Darmo', 'Jl. B'] },
      ]);
    }
  });

  it('takes line ends of several kinds in one file, also where a piece ends within one', async () => {
    const text = 'Nama,Alamat\r\nSiti,A\rDarmo,B\nRina,C\r\n\r\nBudi,D\r';
    for (const size of [1, 2, 3, 100]) {
      const { rows } = await readAll(fileOf(bytesOf(text), size));
      expect(rows.map(({ row, cells }) => [row, ...cells])).toEqual([
        [2, 'Siti', 'A'],
        [3, 'Darmo', 'B'],
        [4, 'Rina', 'C'],
        [6, 'Budi', 'D'],
      ]);
      const json = await readAll(
        fileOf(bytesOf('{"nama":"Siti"}\r\n{"nama":"Darmo"}\r{"nama":"Rina"}'), size),
      );
      expect(json.rows.map(({ row, cells }) => [row, ...cells])).toEqual([
        [1, 'Siti'],
        [2, 'Darmo'],
        [3, 'Rina'],
      ]);
    }
  });

  it('knows the separator of names that have lines of their own', async () => {
    const { form } = await readAll(fileOf(bytesOf('"Nama\nlengkap";Alamat\nSiti;"Jl. A, Bandung"\n')));
    expect(form).toMatchObject({ delimiter: ';', header: ['Nama\nlengkap', 'Alamat'] });
  });

  it('has a column without a name for filled cells beyond the names, and none for empty ones', async () => {
    const { form } = await readAll(fileOf(bytesOf('Nama,Alamat\nSiti,Jl. A,,\nDarmo,Jl. B, Bandung\n')));
    expect(form.header).toEqual(['Nama', 'Alamat', '']);
    expect(form.sample[1]).toEqual(['Darmo', 'Jl. B', ' Bandung']);
  });

  it('has that column for a late row alone, too', async () => {
    const rows = Array.from({ length: 200 }, (_, nth) => `Pasien ${nth},Jl. A,`);
    const { form } = await readAll(
      fileOf(bytesOf(['Nama,Alamat', ...rows, 'Darmo,Jl. B, Bandung, '].join('\n'))),
    );
    expect(form.header).toEqual(['Nama', 'Alamat', '']);
    expect(form.sample.at(-1)?.[2]).toBe(' Bandung');
  });

  it('uses the separator that a spreadsheet names in the first line', async () => {
    const { form, rows } = await readAll(fileOf(bytesOf('sep=;\r\nNama;Alamat, kota\r\nSiti;Jl. A, B\r\n')));
    expect(form.header).toEqual(['Nama', 'Alamat, kota']);
    expect(rows).toEqual([{ row: 2, cells: ['Siti', 'Jl. A, B'] }]);
  });

  it('reads lines of JSON, and a broken one as a row without cells', async () => {
    const text = '{"nama":"Siti","id":17}\n\n{"nama":\n{"nama":"Darmo","telepon":null}\n';
    const { form, rows } = await readAll(fileOf(bytesOf(text)));
    expect(form).toMatchObject({ kind: 'ndjson', header: ['nama', 'id', 'telepon'] });
    expect(rows).toEqual([
      { row: 1, cells: ['Siti', '17', ''] },
      { row: 3, cells: ['', '', ''] },
      { row: 4, cells: ['Darmo', '', ''] },
    ]);
  });

  it('knows each name of lines of JSON, also one that only a late line has', async () => {
    const lines = Array.from({ length: 200 }, (_, nth) => JSON.stringify({ nama: `Pasien ${nth}` }));
    const { form, rows } = await readAll(fileOf(bytesOf([...lines, '{"email":"a@b.example"}'].join('\n'))));
    expect(form.header).toEqual(['nama', 'email']);
    expect(form.sample).toHaveLength(50);
    expect(rows.at(-1)).toEqual({ row: 201, cells: ['', 'a@b.example'] });
  });

  it.each([
    ['', 'empty'],
    [' \n ', 'empty'],
    ['PK\u0003\u0004\0\0', 'not_text'],
    ['sebuah surat', 'no_columns'],
  ])('says why %j is no table', async (text, why) => {
    await expect(recognizeFile(fileOf(bytesOf(text)))).rejects.toEqual(new UnreadableFile(why as 'empty'));
  });

  it.each([
    ['to its end', 'sep=,\nNama,Alamat\nSiti,"Jl. A\nRT 1"\nDarmo,"Jl. B\nRina,Garut\n', 5],
    ['until the next one opens', 'Nama,Alamat\nSiti,"Jl. A\nDarmo,"Jl. B"\nRina,Garut\n', 2],
    ['on a first line', 'Nama,"Alamat\nSiti,Bandung\n', 1],
    ['for long', `Nama,Alamat\nSiti,"Jl. A\n${'Darmo,Bandung\n'.repeat(90_000)}Rina,"Jl. C"\n`, 2],
    ['after lines of all kinds', 'Nama,Alamat\r\nSiti,A\rRina,B\n\nDarmo,"C\n', 5],
  ])('says in which line a quotation mark opens that is not closed, %s', async (_, text, line) => {
    for (const size of [7, 65_536])
      if (size > 7 || text.length < 1_000)
        await expect(recognizeFile(fileOf(bytesOf(text), size))).rejects.toMatchObject({ line });
  });

  it('keeps a quotation mark within a cell of one line', async () => {
    const { rows } = await readAll(fileOf(bytesOf('Nama,Alamat\nSiti,"Gedung "Sehat" 2"\nRina,"Jl.\nA"\n')));
    expect(rows.map(({ cells }) => cells[1])).toEqual(['Gedung "Sehat" 2', 'Jl.\nA']);
  });

  it('gives back what our own tables write, a mark that it is no formula or a mark of its own', async () => {
    const texts = ['=1+1', "'=1+1", '- alergi', ' @x', "''-", "'Aisyiyah", "O'Hara", '\tx', "'", '='];
    for (const form of [plainCsv, indonesianCsv]) {
      const table = [['Nama', 'Catatan'], ...texts.map((text) => ['Siti', text])];
      const { rows } = await readAll(fileOf(bytesOf(table.map((cells) => csvLine(cells, form)).join(''))));
      expect(rows.map(({ cells }) => cells[1])).toEqual(texts);
    }
  });

  it('names the row that no request takes', async () => {
    const address = `Jl. Melati ${'x'.repeat(60_000)}`;
    const open = fileOf(bytesOf(`Nama,Alamat\nSiti,Bandung\nDarmo,${address}\nRina,Garut\n`), 65_536);
    const form = await recognizeFile(open);
    const columns = patientFile.recognize(form.header);
    const read = async () => {
      for await (const rows of rowSteps(fileRows(open, form), columns, {
        afterRow: 0,
        maxRows: 1,
        maxBytes: 1e9,
      }))
        taken.push(...rows);
    };
    const taken: object[] = [];
    await expect(read()).rejects.toThrow('Row 3 is larger than 56 KB');
    expect(taken).toEqual([{ row: 2, name: 'Siti', address: 'Bandung' }]);
  });

  it.each([
    ['a row', `Nama,Alamat\nSiti,Bandung\n${'Darmo,'.repeat(200_000)}\nRina,Garut\n`, 3],
    ['empty cells', `Nama,Alamat\n${','.repeat(1_100_000)}\nRina,Garut\n`, 2],
    ['the names', 'Nama,'.repeat(250_000), 1],
    ['a line of JSON', `{"nama":"Siti"}\n{"nama":"${'x'.repeat(1_100_000)}`, 2],
  ])('refuses a file of which %s is longer than what it holds', async (_, text, row) => {
    for (const size of [65_536, 5_000_000])
      await expect(recognizeFile(fileOf(bytesOf(text), size))).rejects.toMatchObject({ row });
  });

  it('gives the cells by their fields, after a correction by hand', () => {
    const columns = correctColumns(
      patientFile,
      ['Nama', 'Telepon', 'HP', 'X'],
      ['HP=phone_number', 'x=external_id', 'Nama='],
    );
    expect(columns).toEqual([null, null, 'phone_number', 'external_id']);
    expect(readCells(['Siti', '1', '2', ' '], columns)).toEqual({ phone_number: '2' });
    expect(() => correctColumns(patientFile, ['Nama'], ['Umur=age'])).toThrow('Umur');
  });
});
