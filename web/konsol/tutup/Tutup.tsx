import { useSignal } from '@preact/signals';
import { Plus } from 'lucide';
import { api } from '../../shared/api/clients.ts';
import { take } from '../../shared/api/take.ts';
import { addDays, clockTime } from '../../shared/time.ts';
import { Button } from '../../shared/ui/Button.tsx';
import { Empty, Freshness, ReadFailure, Skeleton } from '../../shared/ui/States.tsx';
import type { Schemas } from '../data/bookings.ts';
import { allOf, fullName, setupChanged, useAllDoctors } from '../data/catalog.ts';
import { isAdmin, role, today } from '../data/clinic.ts';
import { useRead } from '../data/read.ts';
import { Page } from '../shell/Page.tsx';
import { Confirm } from '../ui/Confirm.tsx';
import look from '../ui/page.module.css';
import { shortDate } from '../ui/when.ts';
import { setup } from '../words/atur.ts';
import { words } from '../words.ts';
import { ClosureForm } from './ClosureForm.tsx';
import { Resolve } from './Resolve.tsx';

type Closure = Schemas['Closure'];

/** Leave and holidays to come, and what lies under them. */
const Tutup = () => {
  const date = today();
  const doctors = useAllDoctors().value;
  const closures = useRead({
    queryKey: ['atur', 'tutup', date],
    queryFn: () => allOf((page) => take(api.v1.admin.closures.$get({ query: { ...page, from: date } }))),
  }).value;
  // A doctor closes the own days: whose they are, the own bookings tell.
  const own = useRead({
    queryKey: ['atur', 'sendiri', date],
    queryFn: async () =>
      (
        await take(
          api.v1.bookings.$get({ query: { from: addDays(date, -60), to: addDays(date, 30), limit: 1 } }),
        )
      ).data[0]?.doctor_id,
    enabled: role() === 'doctor',
  }).value.data;
  const chosen = useSignal<Closure | 'new' | null>(null);
  const removing = useSignal<Closure | null>(null);
  const text = setup.value.closures;
  const nameOf = (id: string | null): string => {
    if (id === null) return text.holiday;
    const doctor = doctors.data?.find((one) => one.id === id);
    return doctor === undefined ? text.doctor : fullName(doctor);
  };
  const mayTouch = ({ doctor_id }: Closure): boolean => isAdmin() || doctor_id !== null;
  const open = chosen.value;
  return (
    <Page
      title={words.value.nav.tutup}
      beside={
        <Button small icon={Plus} onClick={() => (chosen.value = 'new')}>
          {text.add}
        </Button>
      }
      aside={
        open === null ? undefined : open === 'new' ? (
          <ClosureForm
            doctors={(doctors.data ?? []).filter(
              (one) => one.active && (own === undefined || one.id === own),
            )}
            onClose={() => (chosen.value = null)}
            onMade={(closure) => (chosen.value = closure)}
          />
        ) : (
          <Resolve
            key={open.id}
            closure={open}
            who={nameOf(open.doctor_id)}
            doctors={(doctors.data ?? []).filter((one) => one.active && one.id !== open.doctor_id)}
            onClose={() => (chosen.value = null)}
          />
        )
      }
    >
      <Freshness at={closures.dataUpdatedAt || undefined} />
      <div class={look.body}>
        {closures.data === undefined ? (
          closures.error === null ? (
            <Skeleton rows={4} height={44} />
          ) : (
            <ReadFailure failure={closures.error} again={closures.refetch} />
          )
        ) : closures.data.length === 0 ? (
          <Empty
            action={
              <Button small onClick={() => (chosen.value = 'new')}>
                {text.add}
              </Button>
            }
          >
            {text.empty}
          </Empty>
        ) : (
          <table class={look.table}>
            <caption class="aloud">{words.value.nav.tutup}</caption>
            <thead>
              <tr>
                {(['date', 'who', 'name', 'hours', 'action'] as const).map((name) => (
                  <th key={name} scope="col">
                    {text.columns[name]}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {closures.data.map((one) => (
                <tr key={one.id}>
                  <th scope="row">
                    {shortDate(one.start_date, date)}
                    {one.end_date !== one.start_date && ` – ${shortDate(one.end_date, date)}`}
                  </th>
                  <td>{nameOf(one.doctor_id)}</td>
                  <td>{one.name}</td>
                  <td class="tnum">
                    {one.start_time === null || one.end_time === null
                      ? text.wholeDay
                      : `${clockTime(one.start_time)}–${clockTime(one.end_time)}`}
                  </td>
                  <td>
                    {mayTouch(one) && (
                      <div class={look.line}>
                        <Button
                          small
                          aria-label={`${text.resolve}: ${one.name}`}
                          onClick={() => (chosen.value = one)}
                        >
                          {text.resolve}
                        </Button>
                        <Button
                          small
                          look="danger"
                          aria-label={`${text.remove}: ${one.name}`}
                          onClick={() => (removing.value = one)}
                        >
                          {text.remove}
                        </Button>
                      </div>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </div>
      {removing.value !== null && (
        <Confirm
          title={text.askRemove(removing.value.name)}
          text={text.askRemoveText}
          verb={text.remove}
          work={async () => {
            await take(api.v1.admin.closures[':id'].$delete({ param: { id: removing.value?.id ?? '' } }));
            await setupChanged();
          }}
          onClose={() => (removing.value = null)}
        />
      )}
    </Page>
  );
};

export default Tutup;
