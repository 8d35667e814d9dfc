import { createHash } from 'node:crypto';

const block = Buffer.alloc(64 * 1024, 'janji');
const record = JSON.stringify(
  Array.from({ length: 200 }, (_, at) => ({ id: `id-${at}`, at, name: 'Pasien Uji' })),
);

const pieceOfWork = (): void => {
  createHash('sha256').update(block).digest();
  JSON.stringify(JSON.parse(record));
};

/**
 * How often this machine does a fixed piece of work a second, on one core: hashing 64 KiB, reading and writing a JSON
 * text. It makes figures of different days comparable.
 */
export const machineSpeed = (milliseconds = 300): number => {
  const began = performance.now();
  let done = 0;
  while (performance.now() - began < milliseconds) {
    pieceOfWork();
    done++;
  }
  return Math.round((done / (performance.now() - began)) * 1_000);
};
