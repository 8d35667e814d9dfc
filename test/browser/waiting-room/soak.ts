import assert from 'node:assert/strict';
import { openPage, type Stage } from '../support/stage.ts';

// A day of the screen in a minute: the page's clock, its network and its sound are ours, and turn as fast as it works.
// Evaluated before the page begins.
const day = `(() => {
  const begun = Date.parse('2026-12-01T00:00:00Z'), hour = 3600000;
  let now = 0, nth = 0;
  const due = new Map();
  const add = (then, ms, every) => { due.set(++nth, { at: now + Math.max(0, +ms || 0), then, every }); return nth; };
  window.setTimeout = (then, ms) => add(then, ms, 0);
  window.setInterval = (then, ms) => add(then, ms, Math.max(1, ms));
  window.clearTimeout = window.clearInterval = (id) => void due.delete(id);
  performance.now = () => now;
  const RealDate = Date;
  window.Date = class extends RealDate { constructor(...given) { given.length ? super(...given) : super(begun + now); } static now() { return begun + now; } };

  // Sound: a call is said twice; what starts is counted.
  const heard = (window.heard = { words: 0, chimes: 0, polls: 0 });
  const node = () => ({ connect() {}, start() {}, stop() {}, frequency: {}, gain: { setValueAtTime() {}, exponentialRampToValueAtTime() {} } });
  window.AudioContext = class {
    state = 'running'; destination = {};
    get currentTime() { return now / 1000; }
    createGain() { return node(); }
    createOscillator() { heard.chimes += 0.25; return node(); }
    createBufferSource() { return { ...node(), start() { heard.words += 1; } }; }
    async decodeAudioData() { return { sampleRate: 1000, duration: 0.4, getChannelData: () => new Float32Array(400).fill(0.5) }; }
    async resume() {}
  };

  // The clinic: five queues, 5,000 calls in a day, a call of five being a repetition. No call while the network is cut.
  const cuts = [[6 * hour, 40000], [11 * hour, 4 * 60000], [17 * hour, 35 * 60000]];
  const isCut = (at) => cuts.some(([from, length]) => at >= from && at < from + length);
  let seed = 7;
  const random = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
  Math.random = random;
  const plan = [];
  const queues = [0, 1, 2, 3, 4].map((one) => ({
    prefix: 'ABCDE'[one], room: 'Ruang ' + (one + 1), doctor_id: 'd' + one, doctor_name: 'dr. ' + one, session_id: 's',
    now: null, calls: [], waiting: [], notice: null, number: 0,
  }));
  for (let one = 0; one < 5000; one++) plan.push(Math.round(60000 + one * 17000 + random() * 9000));
  // While the network is away, the desk calls by voice; shortly before, and in the short cuts, by the screen.
  for (let one = 0; one < plan.length; one++) if (plan[one] >= cuts[2][0] && plan[one] < cuts[2][0] + cuts[2][1]) plan[one] = null;
  const late = plan.filter((at) => at === null).length;
  const times = plan.filter((at) => at !== null);
  for (let one = 0; one < late; one++) times.push(85100000 + one * 13000);
  times.sort((a, b) => a - b);
  let next = 0, tag = 0;
  const live = () => {
    while (next < times.length && times[next] <= now) {
      const queue = queues[next % 5];
      // A patient who was called twice during a network loss is announced once: the service sends a patient's last
      // call.
      const again = random() < 0.2 && !cuts.some(([from, length]) => times[next] > from - 5000 && times[next] < from + length + 30000) ? queue.calls[0] : undefined;
      if (!again) queue.number = (queue.number % 999) + 1;
      const label = again ? again.label : queue.prefix + '-' + queue.number;
      const count = again ? again.call_count + 1 : 1;
      const call = { label, called_at: new Date(begun + times[next]).toISOString(), call_count: count };
      queue.calls = [call, ...queue.calls.filter((one) => one.label !== label)].slice(0, 5);
      queue.now = call;
      queue.waiting = [1, 2, 3].map((ahead) => ({ label: queue.prefix + '-' + (queue.number + ahead), is_there: true }));
      next += 1; tag += 1;
    }
  };
  let isAsked = false;
  const realFetch = window.fetch;
  const json = (data, meta) => new Response(JSON.stringify({ status: 'success', data, meta }), {
    headers: { 'Content-Type': 'application/json', ETag: '"' + tag + '"', Date: new Date(begun + now).toUTCString() } });
  window.fetch = async (input, init) => {
    const url = String(input && input.url || input);
    isAsked = true;
    if (url.includes('.mp3')) return new Response(new ArrayBuffer(8));
    if (isCut(now)) throw new TypeError('Failed to fetch');
    if (url.includes('/v1/queues')) { heard.polls += 1; live(); return json(queues, { date: '2026-12-01', time_zone: 'Asia/Jakarta', server_time: new Date(begun + now).toISOString() }); }
    if (url.includes('/v1/clinic')) return json({ name: 'Klinik Sehat' });
    return realFetch(input, init);
  };

  // The announced texts of the page. One entry for each call: the listener does not grow either.
  const said = new Uint8Array(5 * 1000 * 16);
  const placeOf = (value) => { const [label, count] = value.split(' '); return (('ABCDE'.indexOf(label[0]) * 1000 + Number(label.slice(2))) * 16) + Number(count); };
  let saying = null;
  new MutationObserver((changes) => {
    for (const { target } of changes) {
      const value = target.getAttribute && target.getAttribute('data-saying');
      if (value !== saying) { saying = value; if (value) said[placeOf(value)] += 1; }
    }
  }).observe(document, { subtree: true, attributes: true, attributeFilter: ['data-saying'] });

  // A channel gives the page the time to draw: promises, then what it put off.
  const channel = new MessageChannel();
  let wake = null;
  channel.port1.onmessage = () => wake();
  const settle = () => new Promise((done) => { wake = done; channel.port2.postMessage(0); });
  window.requestAnimationFrame = (then) => add(() => then(now), 0, 0);
  window.cancelAnimationFrame = window.clearTimeout;
  window.turn = async (ms) => {
    const until = now + ms;
    for (;;) {
      let first = null, id = 0;
      for (const [key, one] of due) if (one.at <= until && (first === null || one.at < first.at)) { first = one; id = key; }
      if (first === null) break;
      now = Math.max(now, first.at);
      if (first.every) first.at = now + first.every; else due.delete(id);
      first.then();
      // Promises settle at once; an answer takes the browser's own time.
      for (let nth = 0; nth < 4; nth++) await null;
      if (isAsked) { isAsked = false; for (let nth = 0; nth < 3; nth++) await settle(); }
    }
    now = until;
    return { timers: due.size };
  };
  window.day = () => ({ calls: next, total: times.length, said: said.reduce((sum, one) => sum + one, 0),
    twice: said.filter((one) => one > 1).length, words: heard.words, chimes: heard.chimes, polls: heard.polls,
    nodes: document.getElementsByTagName('*').length });
})()`;

interface Day {
  calls: number;
  total: number;
  said: number;
  twice: number;
  words: number;
  chimes: number;
  polls: number;
  nodes: number;
}

/** 24 hours, 5,000 calls, three losses of the network: each call said once, and the memory of hour 24 is that of hour 2. */
export const playDay = async (stage: Stage): Promise<void> => {
  const { page, context, close, complaints } = await openPage(stage, {
    viewport: { width: 1280, height: 720 },
  });
  await page.addInitScript(day);
  await page.goto(`${stage.url}/layar/?antrean=semua&suara=id`);
  const cdp = await context.newCDPSession(page);
  const heap = async (): Promise<number> => {
    await cdp.send('HeapProfiler.collectGarbage');
    return (await cdp.send('Runtime.getHeapUsage')).usedSize;
  };
  const hour = async () => (await page.evaluate('turn(3600000)')) as { timers: number };
  const heaps: number[] = [];
  let timers = 0;
  for (let nth = 1; nth <= 24; nth++) {
    timers = (await hour()).timers;
    if (nth % 2 === 0) heaps.push(await heap());
  }
  await page.evaluate('turn(330000)');
  const day24 = (await page.evaluate('day()')) as Day;
  process.stdout.write(
    `     ${JSON.stringify(day24)}, heap ${heaps.map((size) => (size / 1e6).toFixed(1)).join(' ')} MB\n`,
  );
  assert.equal(day24.calls, 5_000);
  assert.equal(day24.said, 5_000, 'each call is said');
  assert.equal(day24.twice, 0, 'and none twice');
  assert.equal(day24.chimes, 5_000, 'with one chime');
  assert.ok(timers < 20, `${timers} timers`);
  const [first = 0, ...rest] = heaps;
  assert.ok(Math.max(...rest) - first < 1_500_000, `the heap grows: ${heaps.join(' ')}`);
  assert.deepEqual(
    complaints.filter((text) => !/blocked by Playwright/.test(text)),
    [],
  );
  await close();
};
