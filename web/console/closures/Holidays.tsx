import { useSignal } from '@preact/signals';
import { useAttempt } from '../../shared/api/attempt.ts';
import { api } from '../../shared/api/clients.ts';
import { take } from '../../shared/api/take.ts';
import { longDate } from '../../shared/time.ts';
import { Check, Select } from '../../shared/ui/Field.tsx';
import { setupChanged } from '../data/catalog.ts';
import { today } from '../data/clinic.ts';
import { useRead } from '../data/read.ts';
import { EditPanel } from '../ui/EditPanel.tsx';
import look from '../ui/page.module.css';
import { Shown } from '../ui/Shown.tsx';
import { setup } from '../words/settings.ts';
import style from './Affected.module.css';
import { AffectedBanner, type LeftStanding } from './Affected.tsx';

interface Props {
  onClose: () => void;
}

/** Public holidays and joint leave of a year: those to come are ticked, joint leave is the clinic's to choose. */
export const Holidays = ({ onClose }: Props) => {
  const text = setup.value.closures;
  const date = today();
  const thisYear = Number(date.slice(0, 4));
  const year = useSignal(thisYear);
  const ticks = useSignal<Readonly<Record<string, boolean>>>({});
  const added = useSignal<(LeftStanding & { count: number }) | null>(null);
  const list = useRead({
    queryKey: ['atur', 'hari-libur', year.value],
    queryFn: async () => (await take(api.v1.admin.holidays.$get({ query: { year: year.value } }))).data,
  }).value;
  const open = (list.data ?? []).filter((day) => day.closure_id === null && day.date >= date);
  const isTicked = (day: (typeof open)[number]): boolean =>
    ticks.value[day.date] ?? day.kind === 'public_holiday';
  const chosen = open.filter(isTicked);
  const attempt = useAttempt(async (key: string) => {
    if (chosen.length === 0) return;
    const { data, meta } = await take(
      api.v1.admin.holidays.$post({
        json: { year: year.value, dates: chosen.map((day) => day.date) },
        header: { 'Idempotency-Key': key },
      }),
    );
    added.value = { ...meta, count: data.length };
    ticks.value = {};
    await setupChanged();
  });
  return (
    <EditPanel
      title={text.holidays}
      attempt={attempt}
      submit={text.addHolidays(chosen.length)}
      onClose={onClose}
    >
      <Select
        label={text.year}
        value={String(year.value)}
        onChange={(event) => {
          year.value = Number(event.currentTarget.value);
          added.value = null;
        }}
      >
        {[thisYear, thisYear + 1].map((one) => (
          <option key={one} value={String(one)}>
            {one}
          </option>
        ))}
      </Select>
      <div aria-live="polite">
        {added.value !== null && <p class={look.strong}>{text.holidaysAdded(added.value.count)}</p>}
        <AffectedBanner of={added.value} />
      </div>
      <p class={look.soft}>{text.holidaysText}</p>
      <Shown of={list} rows={6} height={40}>
        {(days) => (
          <ul class={style.people}>
            {days
              .filter((day) => day.date >= date)
              .map((day) => (
                <li key={day.date}>
                  <Check
                    label={`${longDate(day.date)}: ${day.name}${
                      day.closure_id !== null
                        ? ` (${text.standsAlready})`
                        : day.tentative
                          ? ` (${text.tentative})`
                          : ''
                    }`}
                    checked={day.closure_id !== null || isTicked(day)}
                    disabled={day.closure_id !== null}
                    onChange={(event) => {
                      ticks.value = { ...ticks.value, [day.date]: event.currentTarget.checked };
                    }}
                  />
                </li>
              ))}
          </ul>
        )}
      </Shown>
    </EditPanel>
  );
};
