// Records the words that the waiting-room screen speaks: web/waiting-room/sound/voice-clips/*.mp3, by Debian's espeak-ng and lame
// (`apt-get install espeak-ng lame`). Its output is in the repository; run it again when a word is added. node
// scripts/voice.ts [word …]

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../web/waiting-room/sound/voice-clips', import.meta.url));

const numbers =
  'nol satu dua tiga empat lima enam tujuh delapan sembilan sepuluh sebelas belas puluh seratus ratus'.split(
    ' ',
  );
const places = 'ruang poli loket kamar lantai periksa umum gigi anak'.split(' ');
const letters = 'a bé cé dé e èf gé ha i jé ka èl èm èn o pé ki èr ès té u fé wé èks yé zèt'.split(' ');

/** The file's name, and the spoken text. */
const words: Readonly<Record<string, string>> = {
  ...Object.fromEntries([...numbers, ...places].map((word) => [word, word])),
  ...Object.fromEntries(letters.map((spoken, at) => [String.fromCharCode(97 + at), spoken])),
  'nomor-antrean': 'nomor antrean',
  'silakan-menuju': 'silakan menuju',
  'silakan-lihat-layar': 'silakan melihat layar',
};

const rate = 22_050;
const loudest = 0.89;
/** Sound below this share of the peak counts as silence. */
const quiet = 0.012;
const keptMs = 15;

/** The samples of a WAV file of 16 bits and one channel, from -1 to 1. */
const samplesOf = (wav: Buffer): Float64Array => {
  const at = wav.indexOf('data') + 8;
  const count = (wav.length - at) >> 1;
  return Float64Array.from({ length: count }, (_, nth) => wav.readInt16LE(at + nth * 2) / 32_768);
};

/** Without the silence before and after, as loud as the others. */
const trimmed = (samples: Float64Array): Float64Array => {
  const peak = samples.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const isHeard = (value: number) => Math.abs(value) > peak * quiet;
  const kept = Math.round((rate * keptMs) / 1000);
  const from = Math.max(0, samples.findIndex(isHeard) - kept);
  const to = Math.min(samples.length, samples.findLastIndex(isHeard) + kept);
  return samples.slice(from, to).map((value) => (value / peak) * loudest);
};

const wavOf = (samples: Float64Array): Buffer => {
  const wav = Buffer.alloc(44 + samples.length * 2);
  wav.write('RIFF', 0);
  wav.writeUInt32LE(36 + samples.length * 2, 4);
  wav.write('WAVEfmt ', 8);
  wav.writeUInt32LE(16, 16);
  wav.writeUInt16LE(1, 20);
  wav.writeUInt16LE(1, 22);
  wav.writeUInt32LE(rate, 24);
  wav.writeUInt32LE(rate * 2, 28);
  wav.writeUInt16LE(2, 32);
  wav.writeUInt16LE(16, 34);
  wav.write('data', 36);
  wav.writeUInt32LE(samples.length * 2, 40);
  for (const [nth, value] of samples.entries()) wav.writeInt16LE(Math.round(value * 32_767), 44 + nth * 2);
  return wav;
};

const only = process.argv.slice(2);
const work = mkdtempSync(join(tmpdir(), 'janji-voice-'));
try {
  for (const [name, spoken] of Object.entries(words)) {
    if (only.length > 0 && !only.includes(name)) continue;
    const said = execFileSync('espeak-ng', ['-v', 'id', '-s', '135', '-p', '42', '--stdout', spoken]);
    const wav = join(work, `${name}.wav`);
    writeFileSync(wav, wavOf(trimmed(samplesOf(said))));
    const kind = ['-m', 'm', '-b', '32', '--cbr', '-q', '0', '--resample', '22.05'];
    execFileSync('lame', ['--quiet', ...kind, '-t', wav, join(folder, `${name}.mp3`)]);
  }
} finally {
  rmSync(work, { recursive: true, force: true });
}
