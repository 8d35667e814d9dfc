import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { shortDoctor } from '../../shared/doctor.ts';
import { clockTime, dayAndMonth, nearness, timeOf } from '../../shared/time.ts';
import { isDesk, today } from '../data/clinic.ts';
import { noteRead, told } from '../data/told.ts';
import type { Told as Line } from '../data/told-rules.ts';
import { useKeptFocus } from '../ui/keepFocus.ts';
import { words } from '../words.ts';
import list from './List.module.css';

/** "10.30", "besok 10.30", "Kamis, 3 Desember 10.30"; for the desk with the doctor. */
const inWords = ({ date, time, doctor }: Line['slot']): string => {
  const day = date === today() ? '' : `${nearness(date, today()) ?? dayAndMonth(date)} `;
  return `${day}${clockTime(time)}${doctor !== '' && isDesk() ? ` (${shortDoctor(doctor)})` : ''}`;
};

const say = ({ kind, name, slot, to }: Line): string => {
  const text = words.value.told;
  const who = name ?? text.somebody;
  if (kind === 'moved') return text.moved(who, inWords(slot), to && inWords(to));
  return text[kind](who, inWords(slot));
};

/** More lines would push the day out of the window. */
const shownAtOnce = 3;

/** What patients did themselves to visits of today and tomorrow, a line each, until it is read. */
export const Told = ({ onOpen }: { onOpen: (id: string) => void }) => {
  const text = words.value.told;
  const isWhole = useSignal(false);
  const box = useRef<HTMLElement>(null);
  useKeptFocus(box, 'button');
  const lines = told.value;
  const shown = isWhole.value ? lines : lines.slice(0, shownAtOnce);
  const [newest] = lines;
  return (
    <>
      <p class="aloud" role="status">
        {newest === undefined ? '' : say(newest)}
      </p>
      {lines.length > 0 && (
        <section ref={box} aria-label={text.title}>
          <ul>
            {shown.map((line) => (
              <li key={line.sequence} class={list.note}>
                <span class="tnum">{timeOf(line.at)}</span> {say(line)}
                {line.to === null && line.kind === 'moved' ? null : (
                  <button
                    type="button"
                    class={list.dismiss}
                    aria-label={`${words.value.day.open}: ${say(line)}`}
                    onClick={() => onOpen(line.bookingId)}
                  >
                    {words.value.day.open}
                  </button>
                )}
                <button
                  type="button"
                  class={list.dismiss}
                  aria-label={`${text.read}: ${say(line)}`}
                  onClick={() => noteRead([line])}
                >
                  {text.read}
                </button>
              </li>
            ))}
          </ul>
          {lines.length > 1 && (
            <p class={list.fold}>
              {text.count(lines.length)}
              {lines.length > shownAtOnce && (
                <button
                  type="button"
                  class={list.dismiss}
                  aria-expanded={isWhole.value}
                  onClick={() => (isWhole.value = !isWhole.value)}
                >
                  {isWhole.value ? words.value.day.hidePast : text.all}
                </button>
              )}
              <button type="button" class={list.dismiss} onClick={() => noteRead(lines)}>
                {text.readAll}
              </button>
            </p>
          )}
        </section>
      )}
    </>
  );
};
