import { useSignal } from '@preact/signals';
import { CalendarPlus, Plus } from 'lucide';
import { api } from '../../shared/api/clients.ts';
import { readAll } from '../../shared/api/pages.ts';
import { take } from '../../shared/api/take.ts';
import { fullName } from '../../shared/doctor.ts';
import { clockTime } from '../../shared/time.ts';
import { Button } from '../../shared/ui/Button.tsx';
import { Confirm } from '../../shared/ui/Confirm.tsx';
import { openBeside } from '../../shared/ui/esc.tsx';
import { Empty } from '../../shared/ui/States.tsx';
import type { Schemas } from '../data/bookings.ts';
import { setupChanged, useAllDoctors } from '../data/catalog.ts';
import { isAdmin, isDesk, today } from '../data/clinic.ts';
import { useRead } from '../data/read.ts';
import { Page } from '../shell/Page.tsx';
import { createCloser } from '../ui/EditPanel.tsx';
import look from '../ui/page.module.css';
import { Age, Shown } from '../ui/Shown.tsx';
import { Table } from '../ui/Table.tsx';
import { shortDate } from '../ui/when.ts';
import { setup } from '../words/settings.ts';
import { words } from '../words.ts';
import { ClosureForm } from './ClosureForm.tsx';
import { Holidays } from './Holidays.tsx';
import { Resolve } from './Resolve.tsx';

type Closure = Schemas['Closure'];

/** Coming leave and holidays, and the bookings that they affect. */
const Closures = () => {
  const date = today();
  const doctors = useAllDoctors().value;
  const closures = useRead({
    queryKey: ['atur', 'tutup', date],
    queryFn: () => readAll((page) => take(api.v1.admin.closures.$get({ query: { ...page, from: date } }))),
  }).value;
  // A doctor closes their own days: their schedules give the doctor's id.
  const schedules = useRead({
    queryKey: ['atur', 'jadwal', 'sendiri'],
    queryFn: () => readAll((page) => take(api.v1.admin.schedules.$get({ query: page }))),
    enabled: !isDesk(),
  }).value;
  const own = schedules.data?.[0]?.doctor_id;
  const mayClose = (one: Schemas['AdminDoctor']): boolean => one.active && (isDesk() || one.id === own);
  const chosen = useSignal<Closure | 'new' | 'holidays' | null>(null);
  const removing = useSignal<Closure | null>(null);
  const text = setup.value.closures;
  const findDoctorName = (id: string | null): string => {
    if (id === null) return text.holiday;
    const doctor = doctors.data?.find((one) => one.id === id);
    return doctor === undefined ? text.doctor : fullName(doctor);
  };
  const mayTouch = ({ doctor_id }: Closure): boolean => isAdmin() || doctor_id !== null;
  const open = chosen.value;
  const add = (
    <Button small icon={Plus} onClick={() => openBeside(chosen, 'new')}>
      {text.add}
    </Button>
  );
  const holidays = isAdmin() && (
    <Button small icon={CalendarPlus} onClick={() => openBeside(chosen, 'holidays')}>
      {text.holidays}
    </Button>
  );
  const actions = (one: Closure) =>
    mayTouch(one) && (
      <div class={look.line}>
        <Button small aria-label={`${text.resolve}: ${one.name}`} onClick={() => openBeside(chosen, one)}>
          {text.resolve}
        </Button>
        <Button
          small
          look="danger"
          aria-label={`${text.remove}: ${one.name}`}
          onClick={() => {
            // Once it is deleted it cannot be read again.
            if (typeof open === 'object' && open?.id === one.id) chosen.value = null;
            removing.value = one;
          }}
        >
          {text.remove}
        </Button>
      </div>
    );
  return (
    <Page
      title={words.value.nav.tutup}
      beside={
        <>
          {holidays}
          {add}
        </>
      }
      aside={
        open === null ? undefined : open === 'holidays' ? (
          <Holidays onClose={createCloser(chosen)} />
        ) : open === 'new' ? (
          <ClosureForm
            doctors={(doctors.data ?? []).filter(mayClose)}
            onClose={createCloser(chosen)}
            onMade={(closure) => {
              if (chosen.peek() === 'new') chosen.value = closure;
            }}
          />
        ) : (
          <Resolve
            key={open.id}
            closure={open}
            who={findDoctorName(open.doctor_id)}
            doctors={(doctors.data ?? []).filter((one) => one.active && one.id !== open.doctor_id)}
            onClose={createCloser(chosen)}
          />
        )
      }
    >
      <Age of={closures} />
      <div class={look.body}>
        <Shown of={closures} empty={<Empty action={add}>{text.empty}</Empty>}>
          {(all) => (
            <Table
              caption={words.value.nav.tutup}
              rows={all}
              columns={[
                {
                  name: text.columns.date,
                  isHead: true,
                  cell: ({ start_date, end_date }) =>
                    [...new Set([start_date, end_date])].map((day) => shortDate(day, date)).join(' – '),
                },
                { name: text.columns.who, cell: ({ doctor_id }) => findDoctorName(doctor_id) },
                { name: text.columns.name, cell: ({ name }) => name },
                {
                  name: text.columns.hours,
                  cell: ({ start_time, end_time }) =>
                    start_time === null || end_time === null
                      ? text.wholeDay
                      : `${clockTime(start_time)}–${clockTime(end_time)}`,
                },
                { name: text.columns.action, look: 'actions', cell: actions },
              ]}
            />
          )}
        </Shown>
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

export default Closures;
